"""Exact numbers from text, and the error of all that cannot be read.

Every refusal is a :class:`ParseError`, one line that names the column.
"""

from __future__ import annotations

import re

import sympy as sp

MAX_LENGTH = 20_000  # characters
MAX_EXPONENT = 1_000_000  # decimal digits of a number
_PIECE = 4_000  # Python refuses to convert longer runs of digits at once


class ParseError(ValueError):
    """Text that cannot be read: what is wrong, and at which column (counted from 1)."""

    def __init__(self, what: str, text: str = "", column: int | None = None) -> None:
        self.column = column
        place = f" at column {column}" if column is not None else ""
        super().__init__(f"{what}{place}{_excerpt(text, column)}")


class NoLimit(ParseError):
    """A statement or an expression that needs a limit, and none is given."""


def _excerpt(text: str, column: int | None) -> str:
    """The text near the column, for the message."""
    if not text:
        return ""
    start = max(0, (column or 1) - 21)
    piece = text[start : start + 40]
    shown = "".join(character if character.isprintable() else "?" for character in piece)
    left, right = "..." if start else "", "..." if start + 40 < len(text) else ""
    return f": {left}{shown}{right}"


DECIMAL = r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
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
    asymp.parse.numbers.ParseError: not a number: nan
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
    mantissa, _, exponent = token.lower().partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    if len(exponent.lstrip("+-0")) > 8:
        raise ParseError(f"a number with an exponent beyond {MAX_EXPONENT}", text, column)
    power = int(exponent or 0) - len(fraction)
    if abs(power) + len(digits) > MAX_EXPONENT:
        raise ParseError(f"a number of more than {MAX_EXPONENT} digits", text, column)
    value = 0
    for start in range(0, len(digits), _PIECE):
        piece = digits[start : start + _PIECE]
        value = value * 10 ** len(piece) + int(piece)
    return sp.Integer(value * 10**power) if power >= 0 else sp.Rational(value, 10**-power)
