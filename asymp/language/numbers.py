"""Exact numbers from text, and the error of all that cannot be read.

Every refusal is a :class:`ParseError`, one line that names the column.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

MAX_LENGTH = 20_000  # characters
MAX_EXPONENT = 1_000_000  # decimal digits of a number
LONGEST_SHOWN = 100
"""Characters of a text in which a column is found without a caret."""
_BEFORE = 20  # characters shown before the place
_PIECE = 4_000  # Python refuses to convert longer runs of digits at once

DECIMAL = r"(?:[0-9]+(?:\.(?!\.)[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
"""``1..7`` is two numbers and the sign of a range between them."""


class ParseError(ValueError):
    """Text that cannot be read: what is wrong, and at which column (counted from 1)."""

    def __init__(self, what: str, text: str = "", column: int | None = None) -> None:
        self.column, self._what, self._text = column, what, text
        place = f" at column {column}" if column is not None else ""
        super().__init__(f"{what}{place}{_excerpt(text, column)}")

    def pointed(self) -> str:
        """The message; below one on a text that is too long to be shown, the place in it with a caret.

        >>> print(ParseError("unexpected '*'", "1+" * 60 + "* 2", 121).pointed())
        unexpected '*' at column 121:
          ...+1+1+1+1+1+1+1+1+1+* 2
                                ^
        """
        if self.column is None or len(self._text) <= LONGEST_SHOWN:
            return str(self)
        piece = _excerpt(self._text, self.column).removeprefix(": ")
        before = min(self.column - 1, _BEFORE) + 3 * (self.column - 1 > _BEFORE)
        return f"{self._what} at column {self.column}:\n  {piece}\n  {' ' * before}^"


class NoLimit(ParseError):
    """A statement or an expression that needs a limit, and none is given."""


def _excerpt(text: str, column: int | None) -> str:
    """The text near the column, for the message."""
    if not text:
        return ""
    start = max(0, (column or 1) - 1 - _BEFORE)
    piece = text[start : start + 40]
    shown = "".join(character if character.isprintable() else "?" for character in piece)
    left, right = "..." if start else "", "..." if start + 40 < len(text) else ""
    return f": {left}{shown}{right}"


def parts_of_decimal(token: str, text: str = "", column: int | None = None) -> tuple[int, int]:
    """An unsigned decimal as (digits, power of ten).

    >>> parts_of_decimal("0.50"), parts_of_decimal("1e1000")
    ((50, -2), (1, 1000))
    """
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
    return value, power


@lru_cache(maxsize=256)
def exact(token: str, text: str = "", column: int | None = None) -> Fraction:
    """An unsigned decimal, exactly.

    >>> exact("0.50"), exact("2e3")
    (Fraction(1, 2), Fraction(2000, 1))
    """
    value, power = parts_of_decimal(token, text, column)
    return Fraction(value * 10**power) if power >= 0 else Fraction(value, 10**-power)
