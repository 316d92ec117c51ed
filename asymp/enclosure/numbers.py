"""Exact numbers in, decimal numbers out.

A number that a user writes is read exactly (``1e8``, ``0.25``, ``1/3``); a ball is written as a
decimal midpoint and a radius that together contain it.

>>> read_number("1/3"), read_number("-2.5e1")
(1/3, -25)
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational as PythonRational
from typing import cast

from flint import arb, fmpq, fmpz
from flint import ctx as ctx

from asymp.language.numbers import ParseError
from asymp.language.syntax import Parser
from asymp.language.value import NotExact
from asymp.language.value import value as exact_value

EXPONENT_CAP = 10_000_000
"""Largest decimal exponent that is read (10**10**7 takes 4 MB)."""

LENGTH_CAP = 200_000
"""Longest number, in characters, that is read."""


class Undecided(ValueError):
    """No certified answer within the precision cap, or a value that is not a real number."""


class InputError(ValueError):
    """A number, a name or a domain that cannot be used; the message is one line for the user."""


_DECIMAL = re.compile(r"([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?", re.ASCII)


def read_number(text: str, name: str = "number") -> fmpq:
    """The exact rational that ``text`` writes: an integer, a decimal, a quotient of two, or exact arithmetic with such.

    Raises:
        InputError: not a number (also NaN and infinities), or too large to write out.

    >>> read_number("1e-3"), read_number("1-1e-3"), read_number("2*(10^6+1)/3")
    (1/1000, 999/1000, 2000002/3)
    >>> read_number("1e999999999", "n")
    Traceback (most recent call last):
    ...
    asymp.enclosure.numbers.InputError: n=1e999999999: the exponent is beyond 10000000
    """
    stripped = text.strip()
    if len(stripped) > LENGTH_CAP:
        raise InputError(f"{name}: longer than {LENGTH_CAP} characters")
    shown = stripped if len(stripped) <= 40 else stripped[:37] + "..."
    head, slash, tail = stripped.partition("/")
    if _ARITHMETIC.search(stripped):
        return _arithmetic(stripped, shown, name)
    if slash:
        top, bottom = _decimal(head, shown, name), _decimal(tail, shown, name)
        if bottom == 0:
            raise InputError(f"{name}={shown}: division by zero")
        return top / bottom
    return _decimal(stripped, shown, name)


_ARITHMETIC = re.compile(r"[*^()]|/[^/]*/|[0-9.)]\s*[-+]|[0-9.]\s*−", re.ASCII)
"""What a plain number or a quotient of two does not hold: the sign of an exponent stands after e."""


def _arithmetic(text: str, shown: str, name: str) -> fmpq:
    try:
        found = exact_value(Parser(text).whole(), {})
        if not isinstance(found, Fraction):
            raise NotExact("no number")
        return fmpq(found.numerator, found.denominator)
    except ZeroDivisionError:
        raise InputError(f"{name}={shown}: division by zero") from None
    except (ParseError, NotExact, OverflowError, TypeError) as error:
        what = str(error).partition(": ")[0].partition("\n")[0]
        raise InputError(f"{name}={shown}: not an exact number ({what})") from None


def _decimal(text: str, shown: str, name: str) -> fmpq:
    match = _DECIMAL.fullmatch(text.strip())
    if match is None or not (match[2] or match[3]):
        raise InputError(f"{name}={shown}: not a number (write an integer, 0.25, 1e8 or 1/3)")
    sign, whole, part, power = match[1], match[2] or "", match[3] or "", match[4] or "0"
    if len(power) > 12 or abs(int(power)) > EXPONENT_CAP:
        raise InputError(f"{name}={shown}: the exponent is beyond {EXPONENT_CAP}")
    exponent = int(power) - len(part)
    value = fmpq(fmpz(whole + part))
    if exponent:
        value = value * fmpq(fmpz(10) ** exponent if exponent > 0 else 1, fmpz(10) ** max(0, -exponent))
    return -value if sign == "-" else value


def to_fmpq(value: PythonRational | fmpq | fmpz) -> fmpq:
    """An exact rational as flint's."""
    if isinstance(value, fmpq):
        return value
    if isinstance(value, (int, fmpz)):
        return fmpq(value)
    return fmpq(int(value.numerator), int(value.denominator))


@dataclass(frozen=True, slots=True)
class _Reduced:
    numerator: int
    denominator: int


PythonRational.register(_Reduced)  # of which Fraction takes both parts as they are: it looks for no common factor


def to_fraction(value: fmpq) -> Fraction:
    """An exact rational as Python's.

    >>> to_fraction(fmpq(-6, 8))
    Fraction(-3, 4)
    """
    return Fraction(cast("Fraction", _Reduced(int(value.p), int(value.q))))


MOST_SHIFT = 10**7
"""Bits of the exponent of a dyadic number that is written as a quotient: FLINT ends the process where there are far more."""


def dyadic(exact: arb) -> fmpq:
    """The value of an exact finite ball, such as the middle or an end of one.

    Raises:
        Undecided: it is too large or too small to be written as a quotient.

    >>> dyadic(arb("0.75"))
    3/4
    """
    mantissa, exponent = exact.man_exp()
    if abs(int(exponent)) > MOST_SHIFT:
        raise Undecided("a number beyond reach")
    return fmpq(mantissa) * fmpq(2) ** int(exponent)


def contains_exactly(ball: arb, value: fmpq) -> bool:
    """Whether the exact rational lies in the ball.

    >>> third = arb(1) / 3
    >>> contains_exactly(third, fmpq(1, 3)), contains_exactly(third, fmpq(1, 2))
    (True, False)
    """
    return bool(abs(dyadic(ball.mid()) - value) <= dyadic(ball.rad())) if ball.is_finite() else not ball.is_nan()


def terminating(value: fmpq) -> str:
    """The decimal of a rational whose denominator divides a power of ten.

    >>> terminating(fmpq(-1, 4))
    '-0.25'
    """
    places = 0
    while value.q != 1:
        value, places = value * 10, places + 1
    return scientific(int(value.p), -places)


def decimal_ball(ball: arb, digits: int) -> tuple[str, str]:
    """Midpoint and radius, as decimals that together contain the ball.

    >>> with ctx.workprec(200): decimal_ball(arb(1) / 3, 5)
    ('0.33333', '3.4e-6')
    """
    if ball.rad() == 0 and (exact := _short_exact(ball, digits)) is not None:
        return exact, "0"
    mid, rad, exponent = (int(part) for part in ball.mid_rad_10exp(digits + 5))
    drop = max(0, _length(mid) - digits)
    unit = 10**drop
    short = (abs(mid) + unit // 2) // unit * (1 if mid >= 0 else -1)
    slack = rad + abs(mid - short * unit)
    return scientific(short, exponent + drop, digits), _radius(slack, exponent)


def _short_exact(ball: arb, digits: int) -> str | None:
    whole = ball.unique_fmpz() if abs(ball) < fmpz(10) ** min(digits, 1000) else None
    return None if whole is None else str(whole)


def _length(value: int) -> int:
    return len(str(fmpz(abs(value)))) if value else 0  # str() of a huge int is refused by Python


def _radius(value: int, exponent: int) -> str:
    if value == 0:
        return "0"
    drop = max(0, _length(value) - 2)
    top = -(-value // 10**drop)  # rounded up: a radius may only grow
    return scientific(top, exponent + drop, 0)


def scientific(mantissa: int, exponent: int, plain: int = 30) -> str:
    """``mantissa * 10**exponent`` in decimal; without an exponent where that stays short.

    >>> scientific(125, -2), scientific(-125, 1000)
    ('1.25', '-1.25e+1002')
    """
    text = str(fmpz(abs(mantissa)))
    sign = "-" if mantissa < 0 else ""
    if mantissa == 0:
        return "0"
    lead = len(text) - 1 + exponent
    if exponent == 0:
        return sign + text
    if -6 <= lead < len(text) and exponent < 0 and plain:
        if lead >= 0:
            return f"{sign}{text[: lead + 1]}.{text[lead + 1 :]}"
        return f"{sign}0.{'0' * (-lead - 1)}{text}"
    if exponent > 0 and lead < max(plain, 1):
        return sign + text + "0" * exponent
    fraction = f".{text[1:]}" if len(text) > 1 else ""
    return f"{sign}{text[0]}{fraction}e{lead:+d}"
