"""Search for proofs of comparisons on unbounded domains; the kernel's rule ``bounds`` decides.

A goal is a term d in a context, and the signs it should have.  What is tried, in this order: the sign by itself; the
cases of Max, Min and Abs; integrals by antiderivatives, and one integral against another; factors of known sign; facts
about logarithms, exponentials and powers that cancel an atom of d; a slack t = b - a for a hypothesis a <= b; induction;
small whole numbers apart from the others; and the derivative from an end on.

>>> from asymp.language.statement import read_statement
>>> holds(read_statement("Abs(harmonic(n - 1) - log(n)) <= 1 for whole n >= 1"))
⊢ Abs(harmonic(n - 1) - log(n)) <= 1 for whole n >= 1
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.balls.bounds import WANTED
from asymp.kernel.balls.boxes import Question, certainly, question
from asymp.kernel.balls.goals import goals
from asymp.kernel.facts.context import Context, Signs
from asymp.kernel.facts.intervals import as_end
from asymp.kernel.facts.ranges import Evaluator, Range, Rational
from asymp.kernel.rings.defined import Range as Bounds
from asymp.kernel.terms import Refused, Term, free
from asymp.kernel.theorem import Theorem, apply
from asymp.language.bodies import Comparison
from asymp.language.conditions import Compared
from asymp.language.statement import Statement
from asymp.language.syntax import Node
from asymp.prove.boxes import POINTS_WORK, SHARE
from asymp.prove.search import Search, Tree
from asymp.prove.steps import LIGHT, WAYS

Depths = tuple[tuple[int, int], ...]
DEPTHS: Depths = ((2, 30), (3, 60), (4, 100), (6, 150))
"""How deep a proof may be, and how many goals are tried for it: one after the other."""
POINTS = 3_000
SCATTERED = 100
BITS = 128
VALUES = ("1/2", "1", "2", "3", "1/10", "0", "9", "1/1000", "40", "1000")
NEAR_THE_END = (mpq(1, 10), mpq(1, 100), mpq(1, 1000), mpq(1, 3))
ALWAYS = Comparison(Compared((Node("number", 0, "0"), Node("number", 0, "0")), ("<=",)))
"""0 <= 0"""


def holds(statement: Statement, depths: Depths = DEPTHS) -> Theorem:
    """A theorem that a comparison, a shape or an extreme holds on its whole domain.

    Raises:
        Refused: no proof is found.
    """
    wanted = goals(statement)
    point = inside(statement)
    proofs = [proof(d, at, WANTED[sign], depths) for d, sign, at in wanted]
    return apply("bounds", statement=str(statement), point=point, proofs=proofs)


def proof(d: Term, at: Context, wanted: Signs, depths: Depths = DEPTHS) -> Tree:
    """A proof that d has one of the wanted signs, a short one first.

    Raises:
        Refused: none is found.
    """
    has_sum = any(part.head == "Sum" for part in terms.walk(d))
    for depth, most in depths[:1] if has_sum else depths:
        found = Search(WAYS, LIGHT, depth, most).maybe(d, at, wanted, depth)
        if found is not None:
            return found
    raise Refused("no proof found")


def _tried(r: Bounds) -> Iterator[Rational]:
    """Values within bounds that are known: from the lower end on, and towards the upper one."""
    for text in VALUES:
        value = as_end(mpq(text))
        yield value + as_end(r.low) if r.low is not None else as_end(r.high) - value if r.high is not None else value
    if r.low is not None and r.high is not None:
        yield from (as_end(r.high - (r.high - r.low) * share) for share in NEAR_THE_END)


def inside(statement: Statement) -> dict[str, str]:
    """A point of a statement's domain.

    Raises:
        Refused: none is found.
    """
    asked = question(replace(statement, body=ALWAYS))
    variables = asked.variables()
    ranges = Context(asked.where.whole, asked.pairs).ranges
    evaluator, tries = Evaluator(64), POINTS

    def extended(at: dict[str, Range]) -> dict[str, Range] | None:
        nonlocal tries
        tries -= 1
        for pair in asked.pairs:
            if free(pair[0]) | free(pair[2]) <= at.keys():
                try:
                    if certainly(pair, at, evaluator) is not True:
                        return None
                except Refused:
                    return None
        left = [v for v in variables if v not in at]
        if not left:
            return at
        r = ranges.get(left[0], Bounds())
        for value in _tried(r):
            if tries > 0 and (value.q == 1 or not asked.is_whole(left[0])):
                found = extended({**at, left[0]: Range(value, value)})
                if found is not None:
                    return found
        return None

    found = extended({})
    if found is None:
        raise Refused("no point of the domain was found")
    return {v: str(x.low) for v, x in found.items()}


def fails(statement: Statement) -> Theorem:
    """A theorem that a comparison fails at a point: variables take values of all sizes, independently of one another.

    Raises:
        Refused: no such point is found.
    """
    asked = question(statement)
    variables = asked.variables()
    ranges = Context(asked.where.whole, asked.pairs).ranges
    tried: list[dict[str, Rational]] = []
    left = POINTS_WORK
    for k in range(SCATTERED):
        at: dict[str, Rational] = {}
        for j, v in enumerate(variables):
            value = mpq(VALUES[(k * (2 * j + 1) + k // len(VALUES) * j + j) % len(VALUES)])
            low = ranges[v].low if v in ranges else None
            found = (-(-value // 1) if asked.is_whole(v) else value) + (low or 0)
            at[v] = as_end(found)
        if at in tried:
            continue
        tried.append(at)
        evaluator = Evaluator(BITS, share := left // SHARE)
        if _may_fail(asked, {v: Range(x, x) for v, x in at.items()}, evaluator):
            with contextlib.suppress(Refused):
                return apply("witness", statement=str(statement), at={v: str(x) for v, x in at.items()}, bits=BITS)
        left -= min(share, share - evaluator.left)
    raise Refused("no counterexample found among the points tried")


def _may_fail(asked: Question, at: dict[str, Range], evaluator: Evaluator) -> bool:
    """Whether all conditions hold at a point, and a comparison does not."""
    try:
        return all(certainly(pair, at, evaluator) for pair in asked.pairs) and False in [
            certainly(link, at, evaluator) for link in asked.links
        ]
    except Refused:
        return False
