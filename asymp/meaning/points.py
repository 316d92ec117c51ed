"""A condition at one point, exactly or by balls.

>>> from asymp.functions.conditions import NotPole, Positive
>>> n = sp.Symbol("n", positive=True)
>>> at_point(Positive(sp.log(n) - 1), {"n": 2}), at_point(NotPole(-n), {"n": 2}), at_point(NotPole(-n), {"n": Fraction(1, 2)})
(False, False, True)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy as sp

from asymp.enclosure import InputError, Undecided, exact, sign
from asymp.functions.conditions import Both, Condition, Never, NonNegative, Nonzero, NotPole, OneOf, Positive, Whole
from asymp.functions.parts import Binder
from asymp.meaning.signs import GAVE_UP

FEW = 2_000
"""So many values of bound variables are tried one by one."""
BITS = 1 << 10
"""Precision up to which a sign is looked for."""


def at_point(condition: Condition, values: Mapping[str, Any], bits: int = BITS) -> bool | None:
    """Whether it holds there; None: not known.  ``bits``: the precision up to which a sign is looked for."""
    if isinstance(condition, (Both, OneOf)):
        found = [at_point(part, values, bits) for part in condition.parts]
        decisive = isinstance(condition, OneOf)
        if decisive in found:
            return decisive
        return None if None in found else not decisive
    if isinstance(condition, Never):
        return False
    assert isinstance(condition, (Positive, NonNegative, Nonzero, Whole, NotPole))
    values = {name: value for name, value in values.items() if name in {s.name for s in condition.expr.free_symbols}}
    if isinstance(condition, (Whole, NotPole)):
        value = number(condition.expr, values)
        if value is None:
            positive = _sign(condition.expr, values, bits) == 1 if isinstance(condition, NotPole) else False
            return True if positive else None
        whole = value.denominator == 1
        return whole if isinstance(condition, Whole) else not (whole and value <= 0)
    found_sign = _sign(condition.expr, values, bits)
    if found_sign is None:
        return None
    if isinstance(condition, Nonzero):
        return found_sign != 0
    return found_sign > 0 if isinstance(condition, Positive) else found_sign >= 0


def number(expr: sp.Expr, values: Mapping[str, Any]) -> Fraction | None:
    """The exact rational value; None where it is not known to be one."""
    if expr.is_infinite:
        return None
    try:
        return exact(expr, values)
    except (Undecided, InputError, *GAVE_UP):
        return None


def _sign(expr: sp.Expr, values: Mapping[str, Any], bits: int) -> int | None:
    try:
        return sign(expr, values, bits)
    except (Undecided, InputError, *GAVE_UP):
        return None


def place(values: Mapping[str, Any]) -> str:
    """A point in words."""
    return ", ".join(f"{name} = {value}" for name, value in values.items())


def all_values(point: Mapping[str, Any], binders: tuple[Binder, ...], most: int = FEW) -> list[dict[str, Any]] | None:
    """The point with all values of the bound variables of sums, where they are few; None where they are not."""
    found: list[dict[str, Any]] = [dict(point)]
    for binder in binders:
        if not binder.whole:
            return None
        longer = []
        for run in found:
            low, high = number(binder.low, run), number(binder.high, run)
            if low is None or high is None or high - low > most or low.denominator != 1 or high.denominator != 1:
                return None
            longer += [{**run, binder.symbol.name: k} for k in range(int(low), int(high) + 1)]
            if len(longer) > most:
                return None
        found = longer
    return found


def put(
    condition: Condition, binders: tuple[Binder, ...], small: Mapping[str, sp.Expr]
) -> tuple[Condition, tuple[Binder, ...]]:
    """The condition with numbers for names; a bound variable of the same name is another one."""
    bound = {b.symbol.name for b in binders}
    by_name = {name: value for name, value in small.items() if name not in bound}

    def value(expr: sp.Expr) -> sp.Expr:
        return expr.subs({s: by_name[s.name] for s in expr.free_symbols if s.name in by_name})

    def within(one: Condition) -> Condition:
        parts = getattr(one, "parts", None)
        if parts is not None:
            return type(one)(*(within(part) for part in parts))
        return type(one)(value(one.expr)) if hasattr(one, "expr") else one  # type: ignore[call-arg]

    return within(condition), tuple(Binder(b.symbol, value(b.low), value(b.high), b.operator) for b in binders)


def symbols_of(condition: Condition, binders: tuple[Binder, ...]) -> dict[str, sp.Symbol]:
    """The free symbols of a condition and of the ends of the ranges, by name."""

    def of(one: Condition) -> Iterator[sp.Symbol]:
        for part in getattr(one, "parts", ()):
            yield from of(part)
        if hasattr(one, "expr"):
            yield from one.expr.free_symbols

    bound = {b.symbol for b in binders}
    ends = (s for b in binders for end in (b.low, b.high) for s in end.free_symbols)
    return {s.name: s for s in (*of(condition), *ends) if s not in bound}


def alike(condition: Condition, binders: tuple[Binder, ...]) -> tuple[Condition, tuple[Binder, ...]]:
    """The same question with the bound variables by number: the sums of two sides differ in their names alone.

    >>> k, j, n = sp.symbols("k j n", positive=True)
    >>> one, other = (alike(Positive(n - i), (Binder(i, sp.S.One, n, "Sum"),)) for i in (k, j))
    >>> one == other
    True
    """
    put = {b.symbol: sp.Symbol(f"#{k}", **b.symbol._assumptions_orig) for k, b in enumerate(binders)}
    return _renamed(condition, put), tuple(
        replace(b, symbol=put[b.symbol], low=b.low.xreplace(put), high=b.high.xreplace(put)) for b in binders
    )


def _renamed(condition: Condition, put: Mapping[sp.Symbol, sp.Symbol]) -> Condition:
    if isinstance(condition, (Both, OneOf)):
        return type(condition)(*(_renamed(part, put) for part in condition.parts))
    expr = getattr(condition, "expr", None)
    return condition if expr is None else type(condition)(expr.xreplace(put))  # type: ignore[call-arg]


def some_values(point: Any, binders: tuple[Binder, ...]) -> list[dict[str, Any]]:
    """The point with some values of the bound variables: their ends and what lies between."""
    found: list[dict[str, Any]] = [dict(point)]
    for binder in binders:
        longer = []
        for values in found:
            low, high = number(binder.low, values), number(binder.high, values)
            if low is None and high is None:
                continue
            some = _some(low, high, binder.whole)
            longer += [{**values, binder.symbol.name: k} for k in some]
        found = longer[:64]
    return found


def _some(low: Fraction | None, high: Fraction | None, whole: bool) -> list[Fraction]:
    if low is None or high is None:
        end = low if low is not None else high
        assert end is not None
        way = 1 if low is not None else -1
        steps: list[Any] = [0, 1, 2, 3, 10] if whole else [Fraction(1, 8), Fraction(1, 2), 1, 2, 3, 10]
        return [end + way * step for step in steps]
    if low > high:
        low, high = (low, high) if whole else (high, low)
    if whole:
        tried = [low, low + 1, low + 2, low + 3, low + (high - low) // 2, high - 1, high]
        return [k for k in dict.fromkeys(tried) if low <= k <= high]
    return [low + (high - low) * Fraction(k, 8) for k in range(1, 8)] if low < high else []
