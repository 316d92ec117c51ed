"""A condition at one point, exactly or by balls.

>>> from asymp.functions.row import NotPole, Positive
>>> n = sp.Symbol("n", positive=True)
>>> at_point(Positive(sp.log(n) - 1), {"n": 2}), at_point(NotPole(-n), {"n": 2}), at_point(NotPole(-n), {"n": Fraction(1, 2)})
(False, False, True)
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import sympy as sp

from asymp.enclosure import InputError, Undecided, exact, sign
from asymp.functions.row import Both, Condition, Never, NonNegative, Nonzero, NotPole, OneOf, Positive, Whole
from asymp.meaning.signs import GAVE_UP

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


