"""Search for proofs of comparisons with roundings: by remainders, by pieces, without the roundings, by counts of lattice points.

>>> from asymp.language.statement import read_statement
>>> from asymp.prove.claims import theorem
>>> theorem(read_statement("Sum(floor(k/2), (k, 1, n)) = floor(n^2/4) for whole n >= 1"), True)
⊢ Sum(floor(k/2), (k, 1, n)) = floor(n^2/4) for whole n >= 1
>>> theorem(read_statement("floor(x) + floor(x + 1/2) = floor(2*x) for real x"), True)
⊢ floor(x) + floor(x + 1/2) = floor(2*x) for real x
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import pairwise
from math import lcm

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.domain import given
from asymp.kernel.growths.regime import names_in
from asymp.kernel.sequences import lattice
from asymp.kernel.sequences.remainders import piece_of, remainder_of
from asymp.kernel.sequences.rewriting import replaced
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import Refused, Term, number, rebuilt, walk
from asymp.kernel.theorem import Theorem, apply
from asymp.language.conditions import Compared
from asymp.language.statement import Comparison, Statement
from asymp.prove import first

ROUNDINGS = frozenset(("floor", "ceiling"))
MOST_PARTS = 12
Prove = Callable[[Statement], Theorem]


def holds(statement: Statement, prove: Prove) -> Theorem:
    """A theorem that a comparison holds; ``prove``: of comparisons whose roundings are simpler.

    Raises:
        Refused: none is found, or nothing is rounded.
    """
    if type(statement.body) is not Comparison or statement.some or statement.uniform or statement.regime:
        raise Refused("a comparison for all of a domain is wanted")
    sides = [terms.of(node) for node in statement.terms()]
    if len(sides) != 2 or not any(part.head in ROUNDINGS for side in sides for part in walk(side)):
        raise Refused("nothing is rounded")
    ways: list[Callable[[], Theorem]] = [
        partial(apply, "lattice", statement=str(statement), form=form) for form in lattice.FORMS
    ]
    ways += [partial(one, statement, prove) for one in (_by_counts, _by_remainders, _by_pieces, _without)]
    return first(ways, "no way to these roundings")


def _parts(statement: Statement) -> Iterator[Term]:
    for node in statement.terms():
        yield from walk(terms.of(node))


def _by_counts(statement: Statement, prove: Prove) -> Theorem:
    """With what a sum of roots counts."""
    for part in _parts(statement):
        if part.head == "Sum" and any(inner.head == "floor" for inner in walk(part.parts[0])):
            with suppress(Refused):
                right = lattice.roots(part, lattice.context(statement))[1]
                equation = replace(statement, body=Comparison(Compared((node_of(part), node_of(right)), ("=",))))
                known = apply("lattice", statement=str(equation), form="roots")
                return apply("replace", [known, prove(replaced(statement, {part: right}))], statement=str(statement))
    raise Refused("no sum of roots")


def _modulus(arguments: list[Term], v: str) -> list[int]:
    """Numbers of remainders that may tell the roundings apart: divisors of the denominators."""
    found = 1
    for one in arguments:
        for part in walk(one):
            if part.is_number:
                found = lcm(found, int(part.number.denominator))
    return [q for q in range(2, MOST_PARTS + 1) if found % q == 0]


def _fresh(statement: Statement, letters: str) -> str:
    taken = names_in(statement)
    return next(one for one in letters if one not in taken)


def _by_remainders(statement: Statement, prove: Prove) -> Theorem:
    """A whole variable by its remainder."""
    arguments = [part.parts[0] for part in _parts(statement) if part.head in ROUNDINGS]
    whole = given(statement.domain).whole
    m = _fresh(statement, "mabcdeghjluvw")
    for v in sorted({name for one in arguments for name in one.free} & whole):
        for q in _modulus(arguments, v):
            with suppress(Refused):
                found = [prove(remainder_of(statement, v, m, q, r)) for r in range(q)]
                return apply("residues", found, statement=str(statement), variable=v, of=m)
    raise Refused("no remainders that tell the roundings apart")


def _by_pieces(statement: Statement, prove: Prove) -> Theorem:
    """A real variable by its whole part, in pieces of its fractional part."""
    arguments = [part.parts[0] for part in _parts(statement) if part.head in ROUNDINGS]
    variables = {name for one in arguments for name in one.free} - given(statement.domain).whole - terms.CONSTANTS
    m, t = _fresh(statement, "mabcdeghj"), _fresh(statement, "tuvwyz")
    for x in sorted(variables):
        cuts = sorted({c for one in arguments for c in _jumps(one, x)})[:MOST_PARTS]
        ends = [mpq(0), *cuts, mpq(1)]
        found = [prove(piece_of(statement, x, m, t, low, high)) for low, high in pairwise(ends)]
        data = {"variable": x, "of": m, "rest": t, "cuts": [str(c) for c in cuts]}
        return apply("fraction", found, statement=str(statement), **data)
    raise Refused("no real variable is rounded")


def _jumps(term: Term, x: str) -> Iterator[mpq]:
    """Where a x + b is whole, 0 < x < 1."""
    values = [terms.substitute(term, {x: number(k)}) for k in (0, 1)]
    if x not in term.free or not all(v.is_number for v in values):
        return
    b, a = values[0].number, values[1].number - values[0].number
    if not a or abs(a) > MOST_PARTS:
        return
    for k in range(-2 * MOST_PARTS, 2 * MOST_PARTS + 1):
        if 0 < (place := (k - b) / a) < 1:
            yield place


def _without(statement: Statement, prove: Prove) -> Theorem:
    """Through the same without what is rounded away from the other side."""
    ((left, sign, right),) = list(statement.body.chain.pairs())  # type: ignore[attr-defined]
    low, high = (terms.of(left), terms.of(right)) if sign[0] == "<" else (terms.of(right), terms.of(left))
    if sign == "=":
        raise Refused("an equation")
    for side, head in ((low, "floor"), (high, "ceiling")):
        other = _dropped(side, head)
        if other != side:
            ends = [(side, other), (other, high)] if side is low else [(low, other), (other, side)]
            outer = 1 if side is low else 0
            signs = [sign[0].replace(">", "<") + ("" if sign == "<" and k == outer else "=") for k in (0, 1)]
            pairs = [Compared(tuple(map(node_of, pair)), (one,)) for pair, one in zip(ends, signs, strict=True)]
            found = [prove(replace(statement, body=Comparison(pair))) for pair in pairs]
            return apply("sums", found, statement=str(statement), by=[[[0, "1"], [1, "1"]]])
    raise Refused("no rounding that goes the right way")


def _dropped(term: Term, head: str) -> Term:
    """A term without roundings of one kind."""
    if not term.parts:
        return term
    parts = tuple(_dropped(part, head) for part in term.parts)
    return parts[0] if term.head == head else rebuilt(term, parts)
