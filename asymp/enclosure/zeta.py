r"""Derivatives of zeta functions as balls: the constants of sums of k^s (ln k)^l, and those sums themselves.

.. math:: \sum_{k \ge a} k^{-s} (\ln k)^l = (-1)^l \zeta^{(l)}(s, a), \qquad
   \zeta(1 + \epsilon, a) = \frac1\epsilon + \sum_{l \ge 0} \frac{(-1)^l}{l!} \gamma_l(a) \epsilon^l

(DLMF 25.11.1 and 25.2.5, where gamma_l(a) = lim of the sum up to N less (ln N)^(l+1)/(l+1)).  The left side is
continued analytically in s, so differences of it sum over any finite range.  flint evaluates the series in s.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from flint import arb, ctx, fmpq

from asymp.enclosure.arithmetic import NAN, Number, bits_of, coefficient, series, to_ball, to_integer

MOST_DERIVATIVES = 40


def hurwitz_derivative(order: int, s: Number, a: Number) -> arb:
    """The ``order``-th derivative in s of zeta(s, a) less its pole 1/(s - 1), a > 0; the pole is left out at s = 1 only.

    >>> with ctx.workprec(80): hurwitz_derivative(1, fmpq(-1), fmpq(1)).str(12, radius=False)
    '-0.165421143700'
    """
    start = to_ball(a)
    if not start > 0 or order > MOST_DERIVATIVES:
        return NAN
    at_pole = isinstance(s, fmpq) and s == 1
    with ctx.workprec(ctx.prec + 20 + 2 * order + max(0, bits_of(start)) // 8):
        expansion = series([to_ball(s), arb(1)], order + 2).zeta(start, at_pole)
        return coefficient(expansion, order) * arb.fac_ui(order)


def zeta_derivative(order: Number, s: Number) -> Number:
    """zeta^(m)(s), s != 1."""
    whole = to_integer(order)
    if whole is None or whole < 0 or (isinstance(s, fmpq) and s == 1):
        return NAN
    return hurwitz_derivative(int(whole), s, fmpq(1))


def stieltjes(args: Sequence[Number]) -> Number:
    """gamma_l, or gamma_l(a)."""
    order = to_integer(args[0])
    if order is None or order < 0:
        return NAN
    value = hurwitz_derivative(int(order), fmpq(1), args[1] if len(args) > 1 else fmpq(1))
    return -value if order % 2 else value


def power_log_sum(power: Number, logs: int, first: Number, last: Number | None) -> Number:
    """The sum of t^power (ln t)^logs over t = first, first + 1, ..., last (None: to infinity, power < -1), first > 0."""
    s = -power
    if last is None and not s > 1:
        return NAN
    if isinstance(s, fmpq) and s.q == 1 and s <= 0 and logs == 0 and isinstance(first, fmpq) and isinstance(last, fmpq):
        return _polynomial(int(-s.p), first, last)
    if isinstance(s, arb) and s.contains(1):
        return NAN
    value = hurwitz_derivative(logs, s, first)
    if last is not None:
        value = value - hurwitz_derivative(logs, s, last + 1)
    return -value if logs % 2 else value


def _polynomial(power: int, first: fmpq, last: fmpq) -> Number:
    """(B_(p+1)(last + 1) - B_(p+1)(first))/(p + 1), exactly (DLMF 24.4.7)."""
    if power > 60:
        value = arb(last + 1).bernoulli_poly(power + 1) - arb(first).bernoulli_poly(power + 1)
        return value / (power + 1)
    total = fmpq(0)
    for j in range(power + 1):
        weight = comb(power + 1, j) * fmpq.bernoulli(j)
        total += weight * ((last + 1) ** (power + 1 - j) - first ** (power + 1 - j))
    return total / (power + 1)
