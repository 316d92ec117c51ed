"""Intervals with rational ends.

>>> print(point(1, 2), absolute(Range(fmpq(-2), fmpq(1))))
[1/2, 1/2] [0, 2]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from flint import arb, fmpq, fmpz
from gmpy2 import mpq

from asymp.kernel.terms import Refused

MOST_BITS = 50_000
"""Numbers beyond 2^50000 are refused; those nearer to 0 than 2^-50000 are as good as 0."""
ZERO = fmpq(0)
Rational = fmpq
"""The ends of ranges."""


class Range(NamedTuple):
    """The numbers from ``low`` to ``high``."""

    low: fmpq
    high: fmpq

    @property
    def is_point(self) -> bool:
        """Whether it is one number."""
        return bool(self.low == self.high)

    def __str__(self) -> str:
        return f"[{self.low}, {self.high}]"

    @property
    def ball(self) -> arb:
        """A ball that holds it."""
        return arb(self.low).union(arb(self.high))

    def holds_zero(self) -> bool:
        """Whether 0 is in it."""
        return bool(self.low <= 0 <= self.high)


Box = Mapping[str, Range]


def as_end(x: mpq | int) -> fmpq:
    """A rational number as an end of a range."""
    return fmpq(int(x.numerator), int(x.denominator))


def point(top: int | fmpz, bottom: int = 1) -> Range:
    """A rational number."""
    return Range(found := fmpq(int(top), int(bottom)), found)


def absolute(x: Range) -> Range:
    """The absolute values of the numbers of a range."""
    if x.low >= 0:
        return x
    return Range(-x.high, -x.low) if x.high <= 0 else Range(ZERO, max(-x.low, x.high))


def next_to_zero(positive: bool, up: bool) -> fmpq:
    """A bound of a number of this sign that is nearer to 0 than any number here."""
    if positive is not up:
        return ZERO
    return fmpq(1 if up else -1) / fmpq(2) ** MOST_BITS


def exact_end(end: arb, up: bool) -> fmpq:
    """An exact ball as a number; a bound of it, on one side, where it is very near to 0.

    Raises:
        Refused: it is very large.
    """
    digits, exponent = end.man_exp()
    size = digits.bit_length() + exponent
    if digits != 0 and size > MOST_BITS:
        raise Refused("a number too large for a range")
    return next_to_zero(digits > 0, up) if digits != 0 and size < -MOST_BITS else end.fmpq()
