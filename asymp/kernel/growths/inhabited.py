"""Domains of statements about limits that hold a point: what is said of the parameters is met by some values of them.

A statement for no value of its parameters, or along no path, is about nothing, and no theorem here.  Ranges of one variable
between numbers, lists, and linear conditions on whole variables are looked at; another condition on parameters is refused.

>>> from asymp.language.statement import read_statement
>>> inhabited(read_statement("x/n -> 0 as n -> oo for x > 0, x <= 2, k in {1, 3}, whole k"), {"n": "oo"})
>>> inhabited(read_statement("x/n -> 0 as n -> oo for x > 0, x*x < 0"), {"n": "oo"})
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: x*x < 0: whether some values meet it is not seen
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from asymp.kernel import terms
from asymp.kernel.rings.constants import ball
from asymp.kernel.summation import linear
from asymp.kernel.terms import Refused, Term
from asymp.language.conditions import Between, Compared, Listed, OfKind
from asymp.language.statement import Statement

Ends = tuple[list[tuple[Fraction, bool]], list[tuple[Fraction, bool]]]
"""What a variable lies above and below, each with whether the end is left out."""


def inhabited(statement: Statement, moves: Mapping[str, str]) -> None:
    """That values of the parameters meet the domain, and large (``oo``) or small (``0``) ones of what moves its ranges.

    Raises:
        Refused: that is not seen.
    """
    conditions = [*statement.domain, *(c for c in statement.regime if isinstance(c, Compared) and c.signs != ("=",))]
    whole = {c.name for c in (*statement.domain, *statement.regime) if isinstance(c, OfKind) and c.kind == "whole"}
    ends: dict[str, Ends] = {}
    for c in conditions:
        for one in linear.singles(c) if isinstance(c, Compared) else ():
            assert isinstance(one, Compared)
            _noted(one, ends, whole, moves)
    for name, (lows, highs) in ends.items():
        if name in moves:
            if (moves[name] == "oo" and highs) or (moves[name] == "0" and not (_above(Fraction(0), lows, highs))):
                raise Refused(f"{name} tends to where it may not be")
        elif not _some(lows, highs, name in whole):
            raise Refused(f"{name} has no values")
    for c in conditions:
        if isinstance(c, (Listed, Between)) and not (
            any(_meets(row, ends, whole) for row in _rows(c)) if isinstance(c, Listed) else _between(c, ends)
        ):
            raise Refused(f"{c}: no value meets what else is said")


def _noted(c: Compared, ends: dict[str, Ends], whole: set[str], moves: Mapping[str, str]) -> None:
    left, right = map(terms.of, c.parts)
    names, order = terms.free(left) | terms.free(right), c.signs[0]
    if not names:
        gap = ball(terms.add(right, terms.negative(left)))
        same = left == right and "=" in order
        if not (same or {"<": gap > 0, "<=": gap >= 0, ">": gap < 0, ">=": gap <= 0}.get(order, False)):
            raise Refused(f"{c} is not seen")
        return
    if right.head == "name" and left.is_number:
        left, right, order = right, left, {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(order, order)
    if left.head == "name" and right.is_number:
        lows, highs = ends.setdefault(left.name, ([], []))
        if order[0] in ">=":
            lows.append((right.number, order == ">"))
        if order[0] in "<=":
            highs.append((right.number, order == "<"))
        return
    if names <= moves.keys():  # a condition on paths
        return
    try:
        if names <= whole:
            linear.compared(c, whole)
            return  # whether all of these exclude each other is asked of them together: see regime.ranges
    except Refused:
        pass
    raise Refused(f"{c}: whether some values meet it is not seen")


def _some(lows: list[tuple[Fraction, bool]], highs: list[tuple[Fraction, bool]], whole: bool) -> bool:
    if not lows or not highs:
        return True
    low, high = max(lows), min(highs, key=lambda end: (end[0], not end[1]))
    if whole:
        least = low[0].numerator // low[0].denominator + 1 if low[1] else -(-low[0].numerator // low[0].denominator)
        return least < high[0] or (least == high[0] and not high[1])
    return low[0] < high[0] or (low[0] == high[0] and not (low[1] or high[1]))


def _above(at: Fraction, lows: list[tuple[Fraction, bool]], highs: list[tuple[Fraction, bool]]) -> bool:
    """Whether all that is little above a number is inside."""
    return all(low <= at for low, _ in lows) and all(high > at for high, _ in highs)


def _rows(c: Listed) -> list[dict[str, Term]]:
    return [{name: terms.of(node) for name, node in zip(c.names, row, strict=True)} for row in c.rows]


def _between(c: Between, ends: Mapping[str, Ends]) -> bool:
    low, high = terms.of(c.low), terms.of(c.high)
    if not (low.is_number and high.is_number):
        raise Refused(f"{c}: ends that are no numbers")
    lows, highs = ends.get(c.name, ([], []))
    return _some([*lows, (low.number, False)], [*highs, (high.number, False)], True)


def _meets(row: Mapping[str, Term], ends: Mapping[str, Ends], whole: set[str]) -> bool:
    for name, value in row.items():
        lows, highs = ends.get(name, ([], []))
        if not value.is_number:
            if lows or highs or name in whole:
                return False
            continue
        x = value.number
        if not _some([*lows, (x, False)], [*highs, (x, False)], name in whole):
            return False
    return True
