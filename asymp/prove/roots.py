"""Searches a proof that an equation has one root: two points between which it lies, and what increases or decreases.

>>> from asymp.language.statement import read_statement
>>> from asymp.prove.claims import theorem
>>> theorem(read_statement("x*exp(x) = 3 has one root x in (0, oo)"), True)
⊢ x*exp(x) = 3 has one root x in (0, oo)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from asymp.kernel import terms
from asymp.kernel.balls.roots import needed
from asymp.kernel.rings.constants import ball
from asymp.kernel.terms import Refused, number
from asymp.kernel.theorem import Theorem, apply
from asymp.language.bodies import OneRoot
from asymp.language.statement import Statement

STEPS = 64
"""Points of a range at which the sides are compared; powers of four where it has no end."""


def holds(statement: Statement, prove: Callable[[Statement], Theorem]) -> Theorem:
    """A theorem that an equation has one root.

    Raises:
        Refused: none is found.
    """
    body = statement.body
    assert isinstance(body, OneRoot)
    below, above = _either_side(body)
    why = ""
    for by in ("difference", "quotient"):
        rises = below < above
        try:
            premises = [prove(one) for one in needed(statement, by, rises, (below, above))]
            return apply("root", premises, statement=str(statement), by=by, rises=rises, at=[str(below), str(above)])
        except Refused as error:
            why = why or str(error)
    raise Refused(f"one root: {why}")


def _either_side(body: OneRoot) -> tuple[Fraction, Fraction]:
    """Points at which the left side is below, and above, the right one; as near to each other as was seen."""
    gap = terms.add(terms.of(body.left), terms.negative(terms.of(body.right)))
    last: dict[int, Fraction] = {}
    for point in _points(terms.of(body.low), terms.of(body.high)):
        try:
            value = ball(terms.substitute(gap, {body.name: number(point)}))
        except Refused:
            continue
        if side := 1 if value > 0 else -1 if value < 0 else 0:
            last[side] = point
            if len(last) == 2:
                return last[-1], last[1]
    raise Refused("no change of sign is seen")


def _points(low: terms.Term, high: terms.Term) -> Iterator[Fraction]:
    a, b = (end.number if end.is_number else None for end in (low, high))
    if a is not None and b is not None:
        yield from (a + (b - a) * k / STEPS for k in range(1, STEPS))
        return
    steps = [Fraction(4) ** k for k in range(-STEPS // 2, STEPS // 2)]
    if a is not None:
        yield from (a + step for step in steps)
    elif b is not None:
        yield from (b - step for step in reversed(steps))
    else:
        yield from (-step for step in reversed(steps))
        yield from steps
