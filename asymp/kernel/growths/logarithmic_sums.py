r"""Sums of i^e log(i)^h over 1 <= i <= m, for rational e and whole h >= 1, by Euler and Maclaurin.

With f(t) = t^e log(t)^h, F its antiderivative t^(e+1) sum_j (-1)^j h!/(h-j)! log(t)^(h-j)/(e+1)^(j+1), or log(t)^(h+1)/(h+1) for
e = -1, and every whole K with 2 K > e,

    sum_(i<=m) f(i) = C + F(m) + f(m)/2 + sum_(k<=K) B_2k/(2k)! f^(2k-1)(m) + O(m^(e-2K) log(m)^h),
    C = (-1)^h zeta^(h)(-e) for e != -1,    C = gamma_h, Stieltjes' constant, for e = -1.

For h = 0 this is DLMF 25.2.9, with s = -e and the remainder binom(s+2K, 2K+1) int_m^oo B_(2K+1)(x - [x]) x^(-s-2K-1) dx, which
is analytic in s where Re s > -2K: the h-th derivative by s.  At s = 1 both sides less 1/(s - 1) are, by DLMF 25.2.4.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import factorial, floor

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.growths.coefficients import bernoulli
from asymp.kernel.growths.incomplete import loose
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.terms import Refused, Term, add, call, multiply, number, power
from asymp.kernel.trust import rests_on

Logs = tuple[mpq, ...]
"""Coefficients of 1, L, L^2, ..., L = log(t), which stand before a power of t."""


def constant(e: mpq, h: int) -> Term:
    """C.

    >>> str(constant(mpq(-1), 1)), str(constant(mpq(1), 1))
    ('stieltjes(1)', '-ZetaDerivative(1, -1)')
    """
    if e == -1:
        rests_on("DLMF 25.2.4")
        return call("stieltjes", number(h))
    return multiply(number((-1) ** h), call("ZetaDerivative", number(h), number(-e)))


def partial(e: mpq, h: int, m: Term, a: Algebra, series: Callable[[Term], Series]) -> Series:
    """The sum up to m, which tends to infinity, less C.

    Raises:
        Refused: m is not seen to tend to infinity.
    """
    if not a.grows(series(m)):
        raise Refused("the end of a sum that is not seen to tend to infinity")
    rests_on("DLMF 25.2.9")
    most = max(a.order, floor(e / 2) + 1)
    total = series(add(*(_term(m, exponent, logs) for exponent, logs in _parts(e, h, most))))
    rest = series(_term(m, e - 2 * most, (*(mpq(0),) * h, mpq(1))))
    return a.made(list(total.terms), [*total.rest, *loose(rest)])


def _term(m: Term, exponent: mpq, logs: Logs) -> Term:
    log = call("log", m)
    parts = [multiply(number(c), power(log, number(j))) if j else number(c) for j, c in enumerate(logs) if c]
    return multiply(power(m, number(exponent)), add(*parts)) if parts else terms.ZERO


@lru_cache(maxsize=64)
def _parts(e: mpq, h: int, most: int) -> tuple[tuple[mpq, Logs], ...]:
    """F, f/2 and the terms with Bernoulli's numbers, as powers of t with what stands before them."""
    f: Logs = (*(mpq(0),) * h, mpq(1))
    if e == -1:
        first: Logs = (*(mpq(0),) * (h + 1), mpq(1, h + 1))
    else:
        falling = [mpq((-1) ** j * factorial(h), factorial(h - j)) / (e + 1) ** (j + 1) for j in range(h + 1)]
        first = tuple(falling[::-1])
    found = [(e + 1, first), (e, tuple(c / 2 for c in f))]
    exponent, slope = e, f
    for k in range(1, 2 * most):
        exponent, slope = exponent - 1, _slope(exponent, slope)
        if k % 2:
            found.append((exponent, tuple(c * bernoulli(k + 1) / factorial(k + 1) for c in slope)))
    return tuple(found)


def _slope(e: mpq, logs: Logs) -> Logs:
    """What stands before t^(e-1) in the derivative."""
    return tuple(e * c + (j + 1) * d for j, (c, d) in enumerate(zip(logs, (*logs[1:], mpq(0)), strict=True)))
