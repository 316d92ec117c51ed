"""Searches a proof that an equation has one root: two points between which it lies, and what increases or decreases.

Or that it has none, or two: by how the sides compare.

>>> from asymp.language.statement import read_statement
>>> from asymp.prove.claims import theorem
>>> theorem(read_statement("x*exp(x) = 3 has one root x in (0, oo)"), True)
⊢ x*exp(x) = 3 has one root x in (0, oo)
>>> theorem(read_statement("x*exp(-x) = 1/3 has one root x in (0, oo)"), False)
⊢ not: x*exp(-x) = 1/3 has one root x in (0, oo)
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from itertools import groupby

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.balls.roots import compared, needed
from asymp.kernel.facts.ranges import ball
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


def fails(statement: Statement, prove: Callable[[Statement], Theorem]) -> Theorem:
    """A theorem that an equation does not have one root.

    Raises:
        Refused: none is found.
    """
    body = statement.body
    assert isinstance(body, OneRoot)
    found: list[tuple[mpq, str]] = []
    for sign, run in groupby(_signs(body), key=lambda one: one[1]):
        at = list(run)
        found += at if sign == "=" else at[:1] if found else at[-1:]  # what is next to a change of side
    if len(exact := [one for one in found if one[1] == "="]) > 1:
        found = exact[:2]
    points, signs = [point for point, _ in found], [sign for _, sign in found]
    if len(signs) == 1 and signs != ["="]:
        points = []  # no change of side is seen
    premises = [prove(one) for one in compared(statement, points, signs)]
    return apply("other roots", premises, statement=str(statement), at=[str(point) for point in points], signs=signs)


def _either_side(body: OneRoot) -> tuple[mpq, mpq]:
    """Points at which the left side is below, and above, the right one; as near to each other as was seen."""
    last: dict[str, mpq] = {}
    for point, sign in _signs(body):
        last[sign] = point
        if "<" in last and ">" in last:
            return last["<"], last[">"]
    raise Refused("no change of sign is seen")


def _signs(body: OneRoot) -> Iterator[tuple[mpq, str]]:
    """How the left side compares with the right one at points of the range, where that is seen."""
    gap = terms.add(terms.of(body.left), terms.negative(terms.of(body.right)))
    for point in _points(terms.of(body.low), terms.of(body.high)):
        there = terms.substitute(gap, {body.name: number(point)})
        with contextlib.suppress(Refused):
            value = ball(there)
            if sign := ">" if value > 0 else "<" if value < 0 else "=" if there.is_number else "":
                yield point, sign


def _points(low: terms.Term, high: terms.Term) -> Iterator[mpq]:
    a, b = (end.number if end.is_number else None for end in (low, high))
    if a is not None and b is not None:
        yield from (a + (b - a) * k / STEPS for k in range(1, STEPS))
        return
    steps = [mpq(4) ** k for k in range(-STEPS // 2, STEPS // 2)]
    if a is not None:
        yield from (a + step for step in steps)
    elif b is not None:
        yield from (b - step for step in reversed(steps))
    else:
        yield from (-step for step in reversed(steps))
        yield from steps
