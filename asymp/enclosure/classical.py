"""Balls of the inverse functions of reciprocals, of hypergeometric functions and their kin, and of numbers that count.

>>> BELL[0]((fmpq(10),)), BERNOULLI[0]((fmpq(1),)), SUBFACTORIAL[0]((fmpq(4),))
(115975, -1/2, 9)
>>> gauss((fmpq(1), fmpq(1), fmpq(2), fmpq(1)))
nan
>>> gauss((fmpq(-2), fmpq(1), fmpq(3), fmpq(2))).contains(fmpq(1, 3))
True
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from flint import acb, arb, fmpq, fmpz

from asymp.enclosure import arithmetic as ar
from asymp.enclosure.arithmetic import NAN, Number, to_ball, to_integer
from asymp.enclosure.cuts import CNAN, beyond_one, imaginary_beyond, outside_unit

Real = Callable[[Sequence[Number]], Number]
Complex = Callable[[Sequence[acb], bool], acb]

MOST_EXACT = 2_000
"""Of what a number that counts is computed exactly."""
LARGEST = fmpz(10) ** 15
"""Of what it is computed at all."""


def _of_reciprocal(name: str, cut: Callable[[acb], bool]) -> tuple[Real, Complex]:
    """f(1/x)."""

    def real(args: Sequence[Number]) -> Number:
        return getattr(to_ball(ar.invert(args[0])), name)()

    def complex_(args: Sequence[acb], analytic: bool) -> acb:
        inverse = 1 / args[0]
        return CNAN if not inverse.is_finite() or (analytic and cut(inverse)) else getattr(inverse, name)()

    return real, complex_


ACOT = _of_reciprocal("atan", imaginary_beyond)
ASEC = _of_reciprocal("acos", outside_unit)
ACSC = _of_reciprocal("asin", outside_unit)
ACOTH = _of_reciprocal("atanh", outside_unit)
ASECH = _of_reciprocal("acosh", lambda z: z.imag.contains(0) and not z.real > 1)
ACSCH = _of_reciprocal("asinh", imaginary_beyond)


# --- integrals and series -----------------------------------------------------------------------------


def _elliptic(name: str) -> tuple[Real, Complex]:
    """Of the parameter m = k^2 < 1."""

    def real(args: Sequence[Number]) -> Number:
        m = to_ball(args[0])
        return getattr(acb(m), name)().real if m < 1 else NAN

    return real, lambda a, analytic: CNAN if analytic and beyond_one(a[0]) else getattr(a[0], name)()


ELLIPTIC_K = _elliptic("elliptic_k")
_E = _elliptic("elliptic_e")
ELLIPTIC_E = (lambda args: ar.ONE if isinstance(args[0], fmpq) and args[0] == 1 else _E[0](args)), _E[1]


def bessel_y(args: Sequence[Number]) -> Number:
    """Y of an order, at x > 0."""
    order, x = map(to_ball, args)
    return x.bessel_y(order) if x > 0 else NAN


def barnes(args: Sequence[Number]) -> Number:
    """Barnes's G, which is entire."""
    return acb(to_ball(args[0])).barnes_g().real


def _is_pole(value: Number) -> bool:
    whole = to_integer(value)
    return whole is not None and whole <= 0


def kummer(args: Sequence[Number]) -> Number:
    """M(a, b, x)."""
    a, b, x = args
    return NAN if _is_pole(b) else to_ball(x).hypgeom_1f1(to_ball(a), to_ball(b))


def gauss(args: Sequence[Number]) -> Number:
    """F(a, b; c; x) for x < 1, for x <= 1 and c - a - b > 0, and everywhere where a or b is 0, -1, -2, ..."""
    a, b, c, x = args
    summed = to_ball(x) < 1 or (to_ball(x) <= 1 and to_ball(c) - to_ball(a) - to_ball(b) > 0)
    if _is_pole(c) or not (summed or _is_pole(a) or _is_pole(b)):
        return NAN
    gaps = {"ab": (a, b), "ac": (a, c), "bc": (b, c)}
    flags = {name: _differ_by_whole(u, v) for name, (u, v) in gaps.items()}
    return to_ball(x).hypgeom_2f1(*map(to_ball, (a, b, c)), abc=_differ_by_whole(ar.add((a, b)), c), **flags)


def _differ_by_whole(u: Number, v: Number) -> bool:
    return isinstance(u, fmpq) and isinstance(v, fmpq) and (u - v).q == 1


def incomplete_beta(args: Sequence[Number]) -> Number:
    """B_x(a, b) for a, b > 0 and 0 <= x <= 1."""
    a, b, x = map(to_ball, args)
    if isinstance(args[2], fmpq) and args[2] == 0 and a > 0 and b > 0:
        return ar.ZERO
    return x.beta_lower(a, b) if a > 0 and b > 0 and x >= 0 and x <= 1 else NAN


# --- numbers that count -------------------------------------------------------------------------------


def _counts(args: Sequence[Number], most: int | fmpz) -> list[fmpz] | None:
    found = [whole for one in args if (whole := to_integer(one)) is not None]
    return found if len(found) == len(args) and all(0 <= one <= most for one in found) else None


def _exact(function: Any) -> Real:
    def real(args: Sequence[Number]) -> Number:
        found = _counts(args, MOST_EXACT)
        return NAN if found is None else ar.trim(fmpq(function(*map(int, found))))

    return real


STIRLING1 = _exact(fmpz.stirling_s1), None
STIRLING2 = _exact(fmpz.stirling_s2), None


def _exact_or(exact: Any, further: Callable[[int], arb]) -> Real:
    small = _exact(exact)

    def real(args: Sequence[Number]) -> Number:
        found = _counts(args, LARGEST)
        if found is None:
            return NAN
        return small(args) if found[0] <= MOST_EXACT else further(int(found[0]))

    return real


BELL = _exact_or(fmpz.bell_number, arb.bell_number), None
BERNOULLI = _exact_or(fmpq.bernoulli, arb.bernoulli), None


def _subfactorial(n: int) -> fmpz:
    found = fmpz(1)
    for k in range(1, n + 1):
        found = k * found + (-1) ** k
    return found


def _near(n: int) -> arb:
    return (arb(n) + 1).gamma() * (-arb(1)).exp() + arb(0, 1) / (n + 1)


SUBFACTORIAL = _exact_or(_subfactorial, _near), None
"""Beyond what is exact: n!/e, from which d(n) differs by n! sum_(k > n) (-1)^k/k!, which is less than 1/(n + 1)."""
