"""Real arithmetic on two kinds of number: exact rationals while they are short, balls after that.

Exactness is kept for two reasons: a sum needs its bounds as integers (10**1000 too), and only an
exact zero may be called zero.  Every function here takes and returns ``fmpq`` or ``arb``, and
answers nan where the value is not a real number.
"""

from __future__ import annotations

import contextlib
import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from flint import arb, arb_series, ctx, fmpq, fmpz

from asymp.enclosure.numbers import dyadic

Number = fmpq | arb

ZERO, ONE = fmpq(0), fmpq(1)
HALF = fmpq(1, 2)
NAN = arb.nan()
RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip
"""Of a sign and 0."""


class _Heights:
    """How long (in bits) a rational may grow before it is rounded to a ball, and whether never to round."""

    cap = 4096
    exact_only = False


@contextlib.contextmanager
def keep_exact_up_to(bits: int, exact_only: bool = False) -> Iterator[None]:
    """The height beyond which an exact result is turned into a ball, for a while: one evaluation may need another.

    With ``exact_only`` sums are added term by term and harmonic numbers formed exactly.
    """
    before = _Heights.cap, _Heights.exact_only
    _Heights.cap, _Heights.exact_only = bits, exact_only
    try:
        yield
    finally:
        _Heights.cap, _Heights.exact_only = before


def setting() -> tuple[int, int, bool]:
    """What a value depends on besides its arguments: the precision, and how long rationals stay exact."""
    return int(ctx.prec), _Heights.cap, _Heights.exact_only


def exact_only() -> bool:
    """Whether the value is wanted as a rational number."""
    return _Heights.exact_only


def trim(value: fmpq) -> Number:
    """The rational itself while it is short, else the ball around it."""
    return value if value.height_bits() <= _Heights.cap else to_ball(value)


def to_ball(value: Number) -> arb:
    """The ball at the current precision."""
    return value if isinstance(value, arb) else arb(value)


def to_integer(value: Number) -> fmpz | None:
    """The integer that the number certainly is, else None."""
    if isinstance(value, fmpq):
        return value.p if value.q == 1 else None
    return None


def add(items: Sequence[Number]) -> Number:
    """The sum; the exact parts are added first, exactly."""
    exact, balls = ZERO, None
    for item in items:
        if isinstance(item, fmpq):
            exact += item
        else:
            balls = item if balls is None else balls + item
    if balls is None:
        return trim(exact)
    return balls if exact == 0 else balls + exact


def multiply(items: Sequence[Number]) -> Number:
    """The product; an exact zero wins only over finite numbers."""
    exact, balls = ONE, None
    for item in items:
        if isinstance(item, fmpq):
            exact *= item
        else:
            balls = item if balls is None else balls * item
    if balls is None:
        return trim(exact)
    if exact == 1:
        return balls
    if exact == 0:
        return ZERO if balls.is_finite() else NAN
    return balls * exact


def invert(value: Number) -> Number:
    """1/value."""
    if isinstance(value, fmpq):
        return NAN if value == 0 else ONE / value
    return 1 / value


def integer_power(base: Number, exponent: int | fmpz) -> Number:
    """base**exponent with 0**0 = 1."""
    if isinstance(base, arb) and base.is_nan():
        return NAN
    if isinstance(base, fmpq):
        if base == 0:
            return ONE if exponent == 0 else ZERO if exponent > 0 else NAN
        if base in (1, -1):
            return base if exponent % 2 else ONE
        if base.height_bits() * abs(exponent) <= _Heights.cap:
            return base ** int(exponent)
        base = arb(base)
    if exponent == 0:
        return ONE
    if exponent > 0 and base.contains(0) and base.is_finite():  # arb's own power answers nan there
        low, high = (_size_power(end, exponent) for end in (base.lower(), base.upper()))
        return low.max(high).union(arb(0)) if exponent % 2 == 0 else (-low).union(high)
    if abs(exponent) < 1 << 20:
        return base ** int(exponent)
    if base > 0:
        return (exponent * base.log()).exp()
    if base < 0:
        size = (exponent * (-base).log()).exp()
        return -size if exponent % 2 else size
    return base ** fmpz(exponent)


def _size_power(end: arb, exponent: int | fmpz) -> arb:
    """|end|**exponent."""
    size = abs(end)
    return arb(0) if size.is_zero() else (size.log() * fmpz(exponent)).exp() if exponent > 64 else size ** int(exponent)


def power(base: Number, exponent: Number) -> Number:
    """base**exponent: an integer exponent, or a base >= 0."""
    if (whole := to_integer(exponent)) is not None:
        return integer_power(base, whole)
    if isinstance(base, fmpq):
        if base == 0:
            return ZERO if exponent > 0 else NAN
        if base == 1:
            return ONE if isinstance(exponent, fmpq) or exponent.is_finite() else NAN
        if isinstance(exponent, fmpq) and exponent.q <= 64 and base > 0:
            root = exact_root(base, int(exponent.q))
            if root is not None:
                return integer_power(root, exponent.p)
    if exponent == HALF and isinstance(exponent, fmpq):
        return to_ball(base).sqrt()
    return to_ball(exponential(multiply((exponent, logarithm(base)))))


def power_near_one(rest: Number, log1p_rest: Number, exponent: Number) -> Number:
    """(1 + rest)**exponent through log1p, so that a tiny ``rest`` costs no digits."""
    if isinstance(rest, fmpq):
        base = ONE + rest
        whole = to_integer(exponent)
        if base <= 0 or (whole is not None and base.height_bits() * abs(whole) <= _Heights.cap):
            return power(base, exponent)
    elif not rest > -1:
        return power(1 + rest, exponent)
    return exponential(multiply((exponent, log1p_rest)))


def exact_root(value: fmpq, order: int) -> fmpq | None:
    """The exact root of a positive rational, if it is rational."""
    if order == 1:
        return value
    top, bottom = _integer_root(value.p, order), _integer_root(value.q, order)
    return None if top is None or bottom is None else fmpq(top, bottom)


def _integer_root(value: fmpz, order: int) -> fmpz | None:
    root = value.root(order)
    return root if root**order == value else None


def exponential(value: Number) -> Number:
    """e**value."""
    if isinstance(value, fmpq):
        return ONE if value == 0 else arb(value).exp()
    return value.exp()


def logarithm(value: Number) -> Number:
    """ln(value); near 1 through log1p of the exact difference."""
    if isinstance(value, fmpq):
        if value <= 0:
            return NAN
        rest = value - 1
        if rest == 0:
            return ZERO
        return arb(rest).log1p() if abs(rest) < HALF else arb(value).log()
    return value.log()


def log1p(value: Number) -> Number:
    """ln(1 + value)."""
    if isinstance(value, fmpq):
        if value == 0:
            return ZERO
        return arb(value).log1p() if value > -1 else NAN
    return value.log1p()


def harmonic(value: Number) -> Number:
    """H(x) = psi(x+1) + Euler's gamma; exact for small integers.

    The argument is formed exactly when it is exact: psi loses nothing at 10**1000.
    """
    if isinstance(value, fmpq):
        whole = to_integer(value)
        if whole is not None and 0 <= whole <= (100_000 if _Heights.exact_only else 40):
            return fmpq.harmonic(int(whole))
        if whole is not None and whole < 0:
            return NAN
        value = arb(value + 1)
    else:
        value = value + 1
    return value.digamma() + arb.const_euler()


def factorial(value: Number) -> Number:
    """Gamma(x + 1)."""
    whole = to_integer(value)
    if whole is not None and 0 <= whole <= 300:
        return trim(fmpq(fmpz.fac_ui(int(whole))))
    return (to_ball(value) + 1).gamma()


def double_factorial(value: Number) -> Number:
    """n!! = n (n - 2) (n - 4) ..., for whole n >= -1: 2^k k! at n = 2k, and (2k)!/(2^k k!) at n = 2k - 1."""
    whole = to_integer(value)
    if whole is None or whole < -1:
        return NAN
    k = (whole + 1) // 2
    top, two = factorial(fmpq(k)), integer_power(fmpq(2), k)
    under = multiply((top, two))
    return under if whole % 2 == 0 else multiply((factorial(fmpq(2 * k)), invert(under)))


def binomial(top: Number, bottom: Number) -> Number:
    """Gamma(top+1) / (Gamma(bottom+1) Gamma(top-bottom+1)); a product for a small integer bottom."""
    count = to_integer(bottom)
    if isinstance(top, arb) and not top.is_finite():
        return NAN
    if count is not None and count < 0:
        return ZERO
    if count is not None and count <= 64:
        result: Number = ONE
        for k in range(int(count)):
            result = multiply((result, add((top, fmpq(-k))), fmpq(1, k + 1)))
        return result
    a, b = to_ball(top), to_ball(bottom)
    if count is not None and (whole := to_integer(top)) is not None and whole >= 0:
        rest = whole - count
        if rest < 0:
            return ZERO
        if rest <= 64:
            return binomial(top, fmpq(rest))
    gap = to_ball(add((top, -bottom)))
    return ((a + 1).lgamma() - (b + 1).lgamma() - (gap + 1).lgamma()).exp()


def floor(value: Number) -> Number:
    """The integer part, if the ball lies between two integers."""
    if isinstance(value, fmpq):
        return fmpq(value.floor())
    whole = value.floor().unique_fmpz()
    return NAN if whole is None else fmpq(whole)


def ceiling(value: Number) -> Number:
    """The least integer that is not below."""
    return -floor(-value)


def signum(value: Number) -> Number:
    """The sign, where it is certain."""
    if value > 0:
        return ONE
    if value < 0:
        return -ONE
    return ZERO if isinstance(value, fmpq) else NAN


def greatest(items: Sequence[Number]) -> Number:
    """The maximum."""
    best = items[0]
    for item in items[1:]:
        if isinstance(best, fmpq) and isinstance(item, fmpq):
            best = max(best, item)
        elif to_ball(item) > to_ball(best):
            best = item
        elif not to_ball(best) > to_ball(item):
            best = to_ball(best).max(to_ball(item))
    return best


def bits_of(value: Number) -> int:
    """About log2 |value|, never less by more than one; very negative for zero."""
    ball = to_ball(value).abs_upper()
    if ball.is_zero() or not ball.is_finite():
        return -(1 << 60)
    mantissa, exponent = ball.man_exp()
    return int(mantissa.bit_length() + exponent)


def whole_above(value: arb) -> int:
    """A whole number that is not below, and next to it where the ball is narrow."""
    return int(dyadic(value.upper()).ceil())


def halved(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """The last whole number in low..high - 1 at which something holds that holds first, at ``low`` too, and then no more.

    >>> halved(0, 100, lambda k: k * k < 200)
    14
    """
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def digest(value: Number) -> tuple[Any, ...]:
    """What tells one number from another: a rational from the ball around it, too.

    >>> digest(fmpq(1, 3)) == digest(to_ball(fmpq(1, 3))), digest(arb(1, 2)) == digest(arb(1, 2))
    (False, True)
    """
    if isinstance(value, fmpq):
        return "exact", int(value.p), int(value.q)
    parts = (value.mid(), value.rad())
    return "ball", *(tuple(int(x) for x in part.man_exp()) if part.is_finite() else str(part) for part in parts)


def within(radius: arb) -> arb:
    """The ball [-radius, radius]."""
    return arb(0, radius.abs_upper())


def series(coefficients: Sequence[arb | int], length: int) -> arb_series:
    """A power series to ``length`` terms.

    flint cuts every series at ``ctx.cap`` (10 unless told otherwise), and a coefficient beyond the cut
    reads as 0, which would pass for a remainder of 0; so the cap is raised first.
    """
    if ctx.cap < length + 2:
        ctx.cap = length + 2
    return arb_series(list(coefficients), length)


def coefficient(power_series: arb_series, k: int) -> arb:
    """A Taylor coefficient that was really computed."""
    if k >= power_series.prec:
        raise AssertionError(f"coefficient {k} of a series known to {power_series.prec} terms")
    return power_series[k]
