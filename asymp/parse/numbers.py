"""Exact numbers from text, as SymPy has them."""

from __future__ import annotations

import sympy as sp

from asymp.language.numbers import NoLimit, ParseError, parts_of_decimal

__all__ = ["NoLimit", "ParseError", "decimal"]


def decimal(token: str, text: str = "", column: int | None = None) -> sp.Rational:
    """An unsigned decimal, exactly."""
    value, power = parts_of_decimal(token, text, column)
    return sp.Integer(value * 10**power) if power >= 0 else sp.Rational(value, 10**-power)
