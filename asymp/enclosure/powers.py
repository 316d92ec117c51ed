r"""Integrals of powers of polynomials against an exponential, certified at any size of the powers.

.. math:: I = \int_a^b Q(t) \prod_j P_j(t)^{N_j} e^{-ct} dt, \qquad 0 \le a < b \le \infty,\ N_j > 0,

where P(t) = sum of a_k t^k/k! with a_0, ..., a_d > 0 and a_k^2 >= a_{k-1} a_{k+1} (a truncated exponential series has
a_k = 1), and Q has no negative coefficient.

*P is log-concave on t >= 0.*  The coefficient of t^m/m! in P P'' - P'^2 is the sum over i <= m of
C(m,i) (b_i - b_{i+1}), b_i = a_i a_{m+2-i}; summed by parts and folded at the middle it is the sum over i < (m+1)/2 of
(C(m,i) - C(m,i-1)) (b_i - b_{i+1}), and b rises to its middle.  So L = sum N_j ln P_j - ct is concave.

What is done with it is in :mod:`asymp.enclosure.concave`.

>>> with ctx.workprec(100):  # (1 + t)^n e^(-nt) at n = 10^8: about sqrt(pi/2n)
...     power_integral([([fmpq(1), fmpq(1)], fmpq(10)**8)], fmpq(10)**8).str(10)
'[0.0001253380805 +/- 2.66e-15]'
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import arb, arb_poly, ctx, fmpq, fmpq_poly

from asymp.budget import spend
from asymp.enclosure.arithmetic import NAN, Number, bits_of, to_ball
from asymp.enclosure.concave import Job, Logarithm, polynomial

Power = tuple[Sequence[Number], Number]
"""The coefficients of a polynomial, the constant first, and the power that it is raised to."""
MOST_EXPANDED = 160
"""Degrees up to which the integrand is multiplied out."""
FEW, MOST_OF_FEW = 12, 12_000
"""The same where the powers sum to no more than 12."""


def power_integral(factors: Sequence[Power], rate: Number, low: Number | int = 0, high: Number | None = None) -> Number | None:
    """The integral of the product of the powers, times e^(-rate t), from ``low`` to ``high`` (None: to infinity).

    The result is exact where all is rational and short, not finite where the precision is too low, and None where the factors or
    the range are of another kind than is treated here.

    Raises:
        Undecided: thousands of digits are asked for.
    """
    start, stop = to_ball(low) if not isinstance(low, int) else arb(low), None if high is None else to_ball(high)
    c = to_ball(rate)
    cut = [(_trimmed(coefficients), power) for coefficients, power in factors]
    if not (start.is_finite() and c.is_finite()):
        return NAN
    if not (start >= 0 and all(coefficients for coefficients, _ in cut)) or (stop is None and not c > 0):
        return None
    if stop is not None and not (stop.is_finite() and stop > start):
        return None
    if stop is None and start.is_zero():
        value = expanded(cut, rate)
        if value is not None:
            return value
    found = sorted_out(cut)
    if found is None or not start.is_exact() or (stop is not None and not stop.is_exact()):
        return None
    powers, weight = found
    degrees = sum(((len(p) - 1) * abs(to_ball(power)) for p, power in powers), arb(1))
    bits = ctx.prec
    with ctx.workprec(bits + max(0, bits_of(degrees)) + 32):
        terms = [Logarithm(p, to_ball(power)) for p, power in powers]
        job = Job(terms, polynomial(weight), to_ball(rate), start, stop, bits - 24)
        value = job.integral()
    return +value


def _trimmed(coefficients: Sequence[Number]) -> list[Number]:
    """Without what is zero at the top."""
    found = list(coefficients)
    while found and isinstance(found[-1], fmpq) and found[-1] == 0:
        found.pop()
    return found


# --- small degrees ---------------------------------------------------------------------------


def expanded(factors: Sequence[Power], rate: Number) -> Number | None:
    """The sum of p_k k!/rate^(k+1) over the coefficients of the product, exact where it stays short; None where that is long.

    >>> expanded([([fmpq(1), fmpq(1)], fmpq(2))], fmpq(1))  # 1 + 2 + 2
    5
    """
    whole = [int(power.p) if isinstance(power, fmpq) and power.q == 1 and power >= 0 else None for _, power in factors]
    degree = 0
    for (coefficients, _), power in zip(factors, whole, strict=True):
        if power is None:
            return None
        degree += (len(coefficients) - 1) * power
    if degree > (MOST_OF_FEW if sum(power or 0 for power in whole) <= FEW else MOST_EXPANDED):
        return None
    exact = isinstance(rate, fmpq) and all(isinstance(x, fmpq) for p, _ in factors for x in p)
    height = max([1, *(x.height_bits() for p, _ in factors for x in p if isinstance(x, fmpq))])
    exact = exact and (degree + 1) * (height + (rate.height_bits() if isinstance(rate, fmpq) else 0)) < 4 * ctx.prec
    with ctx.workprec(ctx.prec + 2 * degree.bit_length() + 8):
        product = [fmpq(1)] if exact else [arb(1)]
        for (coefficients, _), power in zip(factors, whole, strict=True):
            given = list(coefficients) if exact else [to_ball(x) for x in coefficients]
            product = _times(product, given, power or 0)
        spend(degree + 1)
        total = fmpq(0) if exact else arb(0)
        c = rate if exact else to_ball(rate)
        for k in range(len(product) - 1, -1, -1):  # p_0 + (1/c)(p_1 + (2/c)(p_2 + ...))
            total = product[k] + total * (k + 1) / c
        total = total / c
    return total if exact else +total


def _times(product: list[Number], coefficients: list[Number], power: int) -> list[Number]:
    """The product with a power of a polynomial, all exact or all balls."""
    if all(isinstance(x, fmpq) for x in (*product, *coefficients)):
        return list((fmpq_poly(product) * fmpq_poly(coefficients) ** power).coeffs())
    return list((arb_poly(product) * arb_poly(coefficients) ** power).coeffs())


# --- the form --------------------------------------------------------------------------------


def sorted_out(factors: Sequence[Power]) -> tuple[list[Power], list[Number]] | None:
    """The factors that are log-concave by their coefficients, and the product Q of the rest; None where a factor is neither."""
    powers: list[Power] = []
    weight: list[Number] = [fmpq(1)]
    for coefficients, power in factors:
        if to_ball(power).is_zero() or (len(coefficients) == 1 and power == 1 and coefficients[0] == 1):
            continue
        if power > 0 and is_log_concave(coefficients):
            powers.append((coefficients, power))
        elif isinstance(power, fmpq) and power in range(1, 65) and all(x >= 0 for x in coefficients):
            weight = list((polynomial(weight) * polynomial(coefficients) ** int(power.p)).coeffs())
        else:
            return None
    return powers, weight


def is_log_concave(coefficients: Sequence[Number]) -> bool:
    """Whether k! p_k are positive with (k! p_k)^2 >= (k-1)! p_{k-1} (k+1)! p_{k+1}, certainly.

    >>> is_log_concave([fmpq(1), fmpq(1), fmpq(1, 2)]), is_log_concave([fmpq(1), fmpq(0), fmpq(1)])
    (True, False)
    """
    p = coefficients
    if not p or not all(x > 0 for x in p):
        return False
    return all(k * p[k] * p[k] >= (k + 1) * p[k - 1] * p[k + 1] for k in range(1, len(p) - 1))
