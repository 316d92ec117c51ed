"""Exact values of kernel terms, by definitions and mpmath alone: what the facts of the kernel are compared with.

A rational term has a :class:`~fractions.Fraction`; one with exp, log or a root a number of 60 digits.  Where it is not real
and defined, with all its parts, its value is None.
"""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from fractions import Fraction
from math import factorial, prod

import mpmath

from asymp.kernel.terms import Term

DIGITS = 60
NOUGHT = mpmath.mpf(10) ** -40
"""What is nearer to 0 than this, and no fraction, has no known sign."""


class Unknown(Exception):
    """The value is not known here."""


def value(term: Term, at: Mapping[str, Fraction], bound: tuple[Fraction, ...] = ()):
    """The value at a point, or None where there is none.

    Raises:
        Unknown: a function is not known, or a number of 60 digits is too near to where a rounding jumps.
    """
    try:
        with mpmath.workdps(DIGITS):
            return _value(term, at, bound)
    except (ZeroDivisionError, ValueError, OverflowError):
        return None


def sign(x) -> int | None:
    """The sign, or None where it is not known."""
    if isinstance(x, numbers.Rational):
        return (x > 0) - (x < 0)
    return None if abs(x) < NOUGHT else int(mpmath.sign(x))


def _big(x):
    return mpmath.mpf(x.numerator) / x.denominator if isinstance(x, numbers.Rational) else x


def _whole(x) -> int:
    if not isinstance(x, numbers.Rational) or x.denominator != 1:
        raise ValueError("not whole")
    return int(x)


def _value(term: Term, at, bound):
    match term.head:
        case "number":
            return term.number
        case "name":
            return {"pi": mpmath.pi + 0, "E": mpmath.e + 0, "EulerGamma": mpmath.euler + 0}.get(term.name) or at[term.name]
        case "bound":
            return bound[int(term.number)]
        case "Sum" | "Product":
            low, high = (_whole(_value(part, at, bound)) for part in term.parts[1:])
            if high < low - 1:
                raise ValueError("backwards")
            found = Fraction(term.head == "Product")
            for k in range(low, high + 1):
                one = _value(term.parts[0], at, (Fraction(k), *bound))
                found = _join(found, one, term.head == "Sum")
            return found
    parts = [_value(part, at, bound) for part in term.parts]
    match term.head, parts:
        case "sum", _:
            found = Fraction(0)
            for part in parts:
                found = _join(found, part, True)
            return found
        case "product", _:
            found = Fraction(1)
            for part in parts:
                found = _join(found, part, False)
            return found
        case "power", [base, exponent]:
            if isinstance(exponent, numbers.Rational) and exponent.denominator == 1:
                if exponent <= 0 and (base == 0 or (not isinstance(base, numbers.Rational) and abs(base) < NOUGHT)):
                    raise ValueError("0^0")
                return base ** int(exponent)
            if base == 0 and exponent > 0:
                return Fraction(0)
            if base <= 0:
                raise ValueError("a root of what is not positive")
            return _big(base) ** _big(exponent)
        case "exp", [x]:
            return mpmath.exp(_big(x))
        case "log", [x]:
            if x <= 0:
                raise ValueError("log")
            return mpmath.log(_big(x)) if x != 1 else Fraction(0)
        case "Abs", [x]:
            return abs(x)
        case ("floor" | "ceiling"), [x]:
            if not isinstance(x, numbers.Rational) and abs(x - mpmath.nint(x)) < NOUGHT:
                raise Unknown(f"{term}")
            return Fraction(int((mpmath.floor if term.head == "floor" else mpmath.ceil)(_big(x))))
        case "Max", _:
            return max(parts, key=_big)
        case "Min", _:
            return min(parts, key=_big)
        case "factorial", [x] if isinstance(x, numbers.Rational) and x.denominator == 1:
            return Fraction(factorial(int(x)))
        case "binomial", [n, k]:
            if (k := _whole(k)) < 0:
                if _whole(n) < 0:
                    raise ValueError("binomial")
                return Fraction(0)
            return prod((Fraction(_whole(n) - j, j + 1) for j in range(int(k))), start=Fraction(1))
        case "harmonic", [x] if isinstance(x, numbers.Rational) and x.denominator == 1 and x >= 0:
            return sum((Fraction(1, k) for k in range(1, int(x) + 1)), Fraction(0))
        case "harmonic", [x]:
            if x <= -1:
                raise ValueError("harmonic")
            return mpmath.harmonic(_big(x))
        case ("gamma" | "factorial"), [x]:
            if x <= (0 if term.head == "gamma" else -1):
                raise ValueError(term.head)
            return mpmath.gamma(_big(x) + (term.head == "factorial"))
    raise Unknown(f"{term}")


def _join(a, b, add: bool):
    if isinstance(a, numbers.Rational) and isinstance(b, numbers.Rational):
        return a + b if add else a * b
    a, b = _big(a), _big(b)
    return a + b if add else a * b
