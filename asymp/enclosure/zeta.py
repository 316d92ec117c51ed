r"""Zeta functions and polylogarithms as balls, and derivatives: the constants of sums of k^s (ln k)^l, and those sums themselves.

.. math:: \sum_{k \ge a} k^{-s} (\ln k)^l = (-1)^l \zeta^{(l)}(s, a), \qquad
   \zeta(1 + \epsilon, a) = \frac1\epsilon + \sum_{l \ge 0} \frac{(-1)^l}{l!} \gamma_l(a) \epsilon^l

(DLMF 25.11.1 and 25.2.5, where gamma_l(a) = lim of the sum up to N less (ln N)^(l+1)/(l+1)).  The left side is
continued analytically in s, so differences of it sum over any finite range.  flint evaluates the series in s.
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import acb, arb, ctx, fmpq

from asymp.enclosure import arithmetic as ar
from asymp.enclosure.arithmetic import NAN, ZERO, Number, bits_of, coefficient, series, to_ball, to_integer, within

MOST_DERIVATIVES = 40
FAR_BELOW = 1_000
"""Below its negative zeta functions and polylogarithms are refused: FLINT's method takes some seconds there, then hours."""
FAR_ABOVE = 400
"""The same of polylogarithms at |z| > 1."""
HUGE = 1 << 20
"""Beyond this FLINT's method is not asked, where there is another."""


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
    if whole is None or whole < 0 or (isinstance(s, fmpq) and s == 1) or not (s > -FAR_BELOW and s < HUGE):
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
    if (isinstance(s, arb) and s.contains(1)) or not s > -FAR_BELOW:
        return NAN
    value = hurwitz_derivative(logs, s, first)
    if last is not None:
        value = value - hurwitz_derivative(logs, s, last + 1)
    return -value if logs % 2 else value


# --- Riemann's and Hurwitz's functions, polylogarithms --------------------------------------------


def riemann(s: Number) -> Number:
    """zeta(s): 0 where s is -2, -4, ...; by its terms where s is huge."""
    whole = to_integer(s)
    if whole is not None and whole < 0 and whole % 2 == 0:
        return ZERO
    x = to_ball(s)
    if bits_of(s) > 64 and not x > 0:
        return NAN
    return hurwitz(x, arb(1)) if x > HUGE else x.zeta()


def hurwitz(s: arb, a: arb) -> arb:
    """zeta(s, a), a > 0; for large s its terms a^(-s) + (a+1)^(-s) + ..., the rest from b = a + K on being at most

    b^(-s) (1 + b/(s-1)), by the integral.

    >>> with ctx.workprec(80): (hurwitz(arb(10) ** 8, arb(2)).log() / 10**8).str(12, radius=False)
    '-0.693147180560'
    """
    if s < -FAR_BELOW or (s > HUGE and not a > 0):
        return NAN
    if not (s > 40 and a > 0):
        return s.zeta(a)
    total = (-s * a.log()).exp()
    goal = min(ctx.prec, total.rel_accuracy_bits()) + 8
    for k in range(1, 400):
        end = a + k
        term = (-s * end.log()).exp()
        rest = term * (1 + end / (s - 1))
        if bits_of(rest) < bits_of(total) - goal:
            return total + within(rest)
        total += term
    return s.zeta(a) if s < HUGE else total + within(rest)


def generalized_harmonic(value: Number, order: Number) -> Number:
    """H(n, m): sum of k**-m for k = 1..n, as zeta(m) - zeta(m, n+1) (m != 1)."""
    whole, degree = to_integer(value), to_integer(order)
    if degree is not None and degree == 1:
        return ar.harmonic(value)
    if whole is not None and 0 <= whole <= 30 and degree is not None:
        return ar.add([ar.integer_power(fmpq(k), -degree) for k in range(1, int(whole) + 1)] or [ZERO])
    if degree is not None and -FAR_BELOW < degree <= 0:
        top = to_ball(value) + 1
        step = int(1 - degree)
        return (top.bernoulli_poly(step) - arb(1).bernoulli_poly(step)) / step
    tail = hurwitz(to_ball(order), to_ball(value) + 1)
    return to_ball(riemann(order)) - tail if tail.is_finite() else NAN


def _polylog(s: arb, z: arb) -> arb:
    """Li_s(z); for large s and |z| <= 1 by its terms z^k k^(-s): those beyond K are at most |z|^(K+1) K^(1-s)/(s-1) in all.

    >>> with ctx.workprec(80): _polylog(arb(10) ** 9, arb(1) / 2).str(12, radius=False)
    '0.500000000000'
    """
    if s > 40 and abs(z) <= 1:
        total, power, goal = z, z, ctx.prec + 8
        for k in range(2, 400):
            power = power * z
            rest = power * (-(s - 1) * arb(k - 1).log()).exp() / (s - 1)
            if bits_of(rest) < bits_of(total) - goal:
                return total + within(rest)
            total += power * (-s * arb(k).log()).exp()
    return z.polylog(s) if -FAR_BELOW < s < FAR_ABOVE else NAN  # far below FLINT may end the process


def polygamma(args: Sequence[Number]) -> Number:
    """psi^(m)(x)."""
    order, x = to_integer(args[0]), to_ball(args[1])
    if order is None or order < 0:
        return NAN
    if order == 0:
        return x.digamma()
    # (-1)^(m+1) m! zeta(m+1, x)
    sign = 1 if order % 2 else -1
    return sign * to_ball(ar.factorial(fmpq(order))) * hurwitz(arb(order + 1), x)


def zeta(args: Sequence[Number]) -> Number:
    """zeta(s), or zeta(s, a)."""
    return riemann(args[0]) if len(args) == 1 else hurwitz(*map(to_ball, args))


def polylog(args: Sequence[Number]) -> Number:
    """Li_s(z), where the series converges, and beyond."""
    s, z = args
    whole = to_integer(s)
    if not to_ball(s).is_finite():
        return NAN  # the series diverges at 1, where zeta(s) is a continuation of something else
    if whole is not None and whole == 1:
        return -ar.log1p(-z)
    if isinstance(z, fmpq) and z in (0, 1):
        return ar.ZERO if z == 0 else riemann(s)
    if whole is not None and whole == 2 and 1 - z < fmpq(1, 2) and z < 1:
        # Li2(z) = pi^2/6 - ln z ln(1-z) - Li2(1-z): few terms near 1
        rest = to_ball(1 - z)
        return arb.pi() ** 2 / 6 - to_ball(ar.logarithm(z)) * rest.log() - rest.polylog(2)
    if whole is not None and 2 <= whole <= 40 and z < -8:
        return _inverted_polylog(int(whole), -to_ball(z))
    return _polylog(to_ball(s), to_ball(z))


def _inverted_polylog(s: int, y: arb) -> arb:
    """Li_s(-y), y > 1: -(2 pi i)^s B_s(1/2 + ln y/(2 pi i))/s! - (-1)^s Li_s(-1/y) (Erdelyi et al. 1.11(16))."""
    middle = acb(arb(1) / 2, -y.log() / (2 * arb.pi()))
    main = (acb(0, 2 * arb.pi()) ** s * middle.bernoulli_poly(s)).real / arb.fac_ui(s)
    return -main - (-1) ** s * (-1 / y).polylog(arb(s))
