"""Search for proofs that f <= g since g - f falls to 0; the kernel's rule decides.

>>> from asymp.language.statement import read_statement
>>> from asymp.prove import first, sums
>>> holds(read_statement("harmonic(n) <= log(n) + EulerGamma + 1/(2*n) for whole n >= 1"), sums.holds)
⊢ harmonic(n) <= log(n) + EulerGamma + 1/(2*n) for whole n >= 1
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from asymp.kernel import terms
from asymp.kernel.balls.derivative import derivative
from asymp.kernel.facts.ranges import Evaluator, Range, Rational
from asymp.kernel.rings.ratio import to_term
from asymp.kernel.sequences import falling as falling
from asymp.kernel.sequences.induction import links, started
from asymp.kernel.sequences.rewriting import with_case
from asymp.kernel.summation.sums import settled
from asymp.kernel.terms import CONSTANTS, ONE, ZERO, Refused, Term, add, name, negative, substitute
from asymp.kernel.theorem import Theorem, apply
from asymp.language.bodies import Comparison
from asymp.language.conditions import Condition, OfKind
from asymp.language.statement import Statement
from asymp.prove import asymptotic, first, read_on

DEEPEST = 3
"""How often it is asked of what falls whether that falls."""
LONGEST = 60
"""Of a difference of more parts the derivatives of derivatives take too long."""
SUMS = frozenset({"Sum", "Product", "harmonic", "factorial"})
FAR, NEAR = Rational(10**9), Rational(1, 1000)
"""A difference that tends to 0 is mostly less than this there: what is not is not looked at."""
Prover = Callable[[Statement], Theorem]


def holds(statement: Statement, prover: Prover, depth: int = DEEPEST) -> Theorem:
    """A theorem that f <= g.

    Raises:
        Refused: it is another statement, or none was found.
    """
    if type(statement.body) is not Comparison or len(links(statement.body.chain)) != 1 or depth < 1:
        raise Refused("one comparison is wanted")
    ((left, sign, right),) = links(statement.body.chain)
    gap = add(right, negative(left))
    if sign == "=" or sum(1 for _ in terms.walk(gap)) > LONGEST:
        raise Refused("no inequality, or a difference too long for its derivatives")
    names = sorted(n for n in terms.free(gap) - CONSTANTS if _goes_on(statement, n))
    ways = [partial(_falls, statement, gap, n, sign, prover, depth) for n in names]
    if not names:
        raise Refused("no variable of which only a lower end is said")
    if depth == DEEPEST and len(terms.free(gap)) == 1 and any(part.head in SUMS for part in terms.walk(gap)):
        whole = [n for n in names if OfKind(n, "whole") in statement.domain]
        ways += [partial(_later, statement, gap, n, sign, prover, count) for n in whole for count in (1, 2)]
    return first(ways)


def _later(statement: Statement, gap: Term, n: str, sign: str, prover: Prover, count: int) -> Theorem:
    """The first so many values of n apart."""
    least, _ = started(statement, n)
    cases: list[dict[str, Any]] = [{"put": {n: str(terms.number(least.number + k))}} for k in range(count)]
    cases.append({"where": f"{n} >= {least.number + count}"})
    *own, rest = (with_case(statement, case, frozenset({n}))[0] for case in cases)
    given = [_falls(rest, gap, n, sign, prover, 1), *map(prover, own)]
    return apply("cases", [*given[1:], given[0]], statement=str(statement), cases=cases)


def _falls(statement: Statement, gap: Term, n: str, sign: str, prover: Prover, depth: int) -> Theorem:
    others = [c for c in statement.domain if not falling.is_about(c, n)]
    if _is_far_from_0(gap, n):
        raise Refused("a difference that does not tend to 0")
    whole = "whole " if OfKind(n, "whole") in statement.domain else ""
    limit = asymptotic.holds(read_on(f"{gap} -> 0 as {whole}{n} -> oo", others))
    ways = (partial(way, statement, gap, n, sign, prover, depth) for way in (_by_slope, _by_next))
    by, step = first(ways)
    return apply("falling", [limit, step], statement=str(statement), variable=n, by=by)


def _goes_on(statement: Statement, n: str) -> bool:
    """Whether the domain says of a variable only that it is whole, and what it lies above."""
    try:
        return True in [falling.is_about(c, n) for c in statement.domain]
    except Refused:
        return False


def _is_far_from_0(gap: Term, n: str) -> bool:
    try:
        found = Evaluator(64).range(gap, {n: Range(FAR, FAR)})
    except Refused:
        return False
    return bool(found.low > NEAR or found.high < -NEAR)


def _real(statement: Statement, n: str) -> list[Condition]:
    return [c for c in statement.domain if c != OfKind(n, "whole")]


def _proved(statement: Statement, prover: Prover, depth: int) -> Theorem:
    return first([partial(prover, statement), partial(holds, statement, prover, depth - 1)])


def _by_slope(statement: Statement, gap: Term, n: str, sign: str, prover: Prover, depth: int) -> tuple[str, Theorem]:
    """The derivative is not positive."""
    slope = derivative(gap, n)
    return "slope", _proved(read_on(f"{slope} {sign} 0", _real(statement, n)), prover, depth)


def _by_next(statement: Statement, gap: Term, n: str, sign: str, prover: Prover, depth: int) -> tuple[str, Theorem]:
    """The next difference is not larger: what is left of the two is shown for real numbers, where no sums are left."""
    after = substitute(gap, {n: add(name(n), ONE)})
    step = read_on(f"{after} {sign} {gap}", statement.domain)
    rest = settled(statement.domain, lambda one: one.meant(to_term(one.of(gap) - one.of(after))))
    if any(part.head in SUMS for part in terms.walk(rest)):
        return "next", prover(step)  # for whole numbers
    premise = _proved(read_on(f"{ZERO} {sign} {rest}", _real(statement, n)), prover, depth)
    return "next", apply("sums", [premise], statement=str(step), by=[[[0, "1"]]])
