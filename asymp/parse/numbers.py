"""Exact numbers from text, as SymPy has them."""

from __future__ import annotations

import re

import sympy as sp

from asymp.language.numbers import DECIMAL, MAX_LENGTH, NoLimit, ParseError, parts_of_decimal

__all__ = ["NoLimit", "ParseError", "decimal", "parse_number"]

_NUMBER = re.compile(rf"\s*([+-]?)\s*({DECIMAL})\s*(?:/\s*({DECIMAL}))?\s*")


def parse_number(text: str) -> sp.Rational:
    """An exact number: ``8``, ``-0.5``, ``1e1000``, ``1/3``.

    Raises:
        ParseError: not a number, or one of more than a million digits.

    >>> parse_number("1e1000") == 10**1000, parse_number("-0.25"), parse_number("1/3")
    (True, -1/4, 1/3)
    >>> parse_number("nan")
    Traceback (most recent call last):
    ...
    asymp.language.numbers.ParseError: not a number: nan
    """
    match = _NUMBER.fullmatch(text) if len(text) <= MAX_LENGTH else None
    if match is None:
        raise ParseError("not a number" if text.strip() else "an empty number", text)
    sign, top, bottom = match.groups()
    value = decimal(top, text)
    if bottom is not None:
        divisor = decimal(bottom, text)
        if divisor == 0:
            raise ParseError("division by zero", text)
        value = value / divisor
    return -value if sign == "-" else value


def decimal(token: str, text: str = "", column: int | None = None) -> sp.Rational:
    """An unsigned decimal, exactly."""
    value, power = parts_of_decimal(token, text, column)
    return sp.Integer(value * 10**power) if power >= 0 else sp.Rational(value, 10**-power)
