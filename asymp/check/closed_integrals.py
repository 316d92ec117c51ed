"""Integrals of x^t t^(s-1) (ln t)^k, by the substitution s = zt, z = -ln x: incomplete gamma functions.

    int_a^oo e^(-zt) t^(s-1) (ln t)^k dt = z^(-s) sum_j C(k,j) (-ln z)^(k-j) Gamma^(j)(s, a z),

Gamma^(j) the j-th derivative in the first argument (DLMF 8.2.2 and its derivatives).
"""

from __future__ import annotations

import sympy as sp

import asymp.symbolics as sy
from asymp.kernel.terms import Refused
from asymp.special import GammaDerivative


def upper(x: sp.Expr, s: int, k: int, a: sp.Expr) -> sp.Expr:
    """int_a^oo x^t t^(s-1) (ln t)^k dt in closed form, 0 < x < 1.

    >>> x = sp.Symbol("x", positive=True)
    >>> upper(x, 0, 0, sp.S.One)
    expint(1, -log(x))
    """
    z = -sp.log(x)
    terms = [sp.binomial(k, j) * (-sp.log(z)) ** (k - j) * GammaDerivative(j, s, a * z) for j in range(k + 1)]
    return z**-s * sp.Add(*terms)


def pattern(function: sp.Expr, t: sp.Symbol) -> tuple[sp.Expr, sp.Expr, int, int]:
    """An integrand as (coefficient, x, s, k): coefficient * x^t t^(s-1) (ln t)^k."""
    coefficient, x, s, k = sp.S.One, sp.S.One, 1, 0
    for factor in sp.Mul.make_args(function):
        if not factor.has(t):
            coefficient *= factor
        elif factor == t or (factor.is_Pow and factor.base == t and factor.exp.is_Integer):
            s += int(factor.as_base_exp()[1])
        elif factor == sp.log(t) or (factor.is_Pow and factor.base == sp.log(t) and factor.exp.is_Integer):
            k += int(factor.as_base_exp()[1])
        elif factor.is_Pow and not factor.base.has(t) and factor.exp == t:
            x *= factor.base
        elif isinstance(factor, sp.exp) and not (factor.args[0] / t).simplify().has(t):
            x *= sp.exp((factor.args[0] / t).simplify())
        else:
            raise Refused(f"the integrand {function} is not x^t t^s (ln t)^k")
    if k < 0:
        raise Refused(f"the integrand {function} has a power of 1/ln t")
    return coefficient, x, s, k


def closed_form(integral: sp.Integral) -> sp.Expr:
    """An integral of that kind in incomplete gamma functions.

    Raises:
        Refused: another integrand.
    """
    t, low, high = integral.limits[0]
    if len(integral.limits) != 1:
        raise Refused("a multiple integral")
    total = sp.S.Zero
    for term in sp.Add.make_args(sy.expand(integral.function, power_base=False, power_exp=False)):
        coefficient, x, s, k = pattern(term, t)
        if (s <= 0 or k > 0) and not low.is_positive and not (low == 0 and s > 0):
            raise Refused(f"{term} has a pole or a cut at {t} = 0, and {low} is not known to be positive")
        if x == 1:
            if high == sp.oo:
                raise Refused("a divergent or unweighted infinite integral")
            total += coefficient * _power_log(s, k, low, high)
            continue
        if (
            high == sp.oo and not (1 - x).is_positive
        ):  # the incomplete gamma function goes on where the integral does not
            raise Refused(f"the integral of {term} to infinity is not known to converge")
        value = upper(x, s, k, low)
        if high != sp.oo:
            value -= upper(x, s, k, high)
        total += coefficient * value
    return total


def _power_log(s: int, k: int, low: sp.Expr, high: sp.Expr) -> sp.Expr:
    """int t^(s-1) (ln t)^k dt by parts."""

    def antiderivative(t: sp.Expr, k: int) -> sp.Expr:
        if s == 0:
            return sp.log(t) ** (k + 1) / (k + 1)
        if k == 0:
            return t**s / s
        return t**s * sp.log(t) ** k / s - sp.Rational(k, s) * antiderivative(t, k - 1)

    return antiderivative(high, k) - antiderivative(low, k)
