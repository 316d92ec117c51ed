"""Neighbouring cases with one answer, put together.

Two intervals and the point between them have one answer if the intervals have the same formulas, and these,
taken at the point, are the point's.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol, TypeVar

import sympy as sp

import asymp.symbolics as sy
from asymp.expand.splits import Bounds, Case, Found


class Shown(Protocol):
    """An answer as it is shown."""

    @property
    def fewer(self) -> str:
        """Why there are fewer terms than were asked for."""

    @property
    def nonzero(self) -> tuple[sp.Expr, ...]:
        """What must not vanish."""

    def terms(self) -> list[sp.Expr]:
        """The terms."""

    def growth(self) -> sp.Expr:
        """The remainder."""


Answer = TypeVar("Answer", bound=Shown)


def merged(found: list[Found[Answer]]) -> list[Found[Answer]]:
    """The cases, two intervals and the point between them put together where one formula holds on all three."""
    left = list(found)
    k = 0
    while k + 2 < len(left):
        together = _three(*left[k : k + 3])
        if together is None:
            k += 1
            continue
        left[k : k + 3] = [together]
        k = max(k - 2, 0)
    return left


def _three(one: Found[Answer], point: Found[Answer], other: Found[Answer]) -> Found[Answer] | None:
    symbol = _seam(one.case, point.case)
    if symbol is None or _seam(point.case, other.case) != symbol:
        return None
    a, m, b = (x.case.bounds[symbol] for x in (one, point, other))
    if not m.is_point() or a.is_point() or b.is_point():
        return None
    if not (_same(one, other, None) and _same(one, point, symbol)):
        return None
    bounds = replace(a, high=b.high)
    return replace(one, case=replace(one.case, bounds={**one.case.bounds, symbol: bounds}))


def with_end(found: list[Found[Answer]], end: Found[Answer], symbol: sp.Symbol) -> list[Found[Answer]]:
    """The cases of an open range with one of its ends: put together where the formulas of the case next to it hold there.

    ``end`` has ``symbol`` at one value.  Where the answers differ, the range of the others is put in words.
    """
    value = end.case.bounds[symbol].low
    assert value is not None
    low = _is_low(found, symbol, value)
    beside = [one for one in found if _reaches(one, symbol, low)]
    if beside and all(_same(one, end, symbol) for one in beside):
        return found

    def named(one: Found[Answer]) -> Found[Answer]:
        if one not in beside:
            return one
        old = one.case.bounds.get(symbol, Bounds())
        bounds = Bounds(value, old.high) if low else Bounds(old.low, value)
        return replace(one, case=replace(one.case, bounds={**one.case.bounds, symbol: bounds}))

    shown = [named(one) for one in found]
    return [end, *shown] if low else [*shown, end]


def _reaches(one: Found[Answer], symbol: sp.Symbol, low: bool) -> bool:
    bounds = one.case.bounds.get(symbol, Bounds())
    return (bounds.low if low else bounds.high) is None


def _is_low(found: list[Found[Answer]], symbol: sp.Symbol, value: sp.Expr) -> bool:
    """Whether the end is the lower one: values inside are larger."""
    for one in found:
        for instance in one.case.regime.instances:
            if symbol in instance:
                return bool(instance[symbol] > value)
    return True


def _seam(one: Case, other: Case) -> sp.Symbol | None:
    """The parameter in which the first case ends where the second begins, all else being the same."""
    if one.words != other.words or set(one.bounds) != set(other.bounds):
        return None
    differ = [s for s in one.bounds if one.bounds[s] != other.bounds[s]]
    if len(differ) != 1:
        return None
    (symbol,) = differ
    a, b = one.bounds[symbol], other.bounds[symbol]
    return symbol if a.high is not None and a.high == b.low else None


def _same(one: Found[Answer], other: Found[Answer], symbol: sp.Symbol | None) -> bool:
    """Whether the answers agree; the first taken at the value of ``symbol`` in the second."""
    if one.answer is None or other.answer is None:
        return one.answer is None and other.answer is None and str(one.refused) == str(other.refused)
    first, second = one.answer, other.answer
    at = {symbol: other.case.bounds[symbol].low} if symbol is not None else {}
    left, right = ([*x.terms(), x.growth()] for x in (first, second))
    if len(left) != len(right) or first.fewer != second.fewer or first.nonzero != second.nonzero:
        return False
    return all(_equal(x.subs(at), y) for x, y in zip(left, right, strict=True))


def _equal(x: sp.Expr, y: sp.Expr) -> bool:
    return bool(x == y or (not x.has(sp.zoo, sp.nan, sp.oo) and sy.simplify(x - y) == 0))
