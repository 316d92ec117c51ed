"""Gamma and its kin, the error function, Lambert's W: their expansions at infinity and at 0.

Sources: DLMF 5.11.1 (Stirling), 7.12.1 (erfc), 4.13.10 (Lambert W).
"""

from __future__ import annotations

import sympy as sp

from asymp.expand.asymptote import _s, taylor, where
from asymp.expand.engine import Expander, handles
from asymp.expansion import Expansion, Refused
from asymp.scale import sign


@handles(sp.loggamma)
def _loggamma(expander: Expander, expr: sp.Expr) -> Expansion:
    """ln Gamma(x) = (x - 1/2) ln x - x + ln(2 pi)/2 + sum_k B_2k/(2k(2k-1) x^(2k-1)), x -> oo.

    For x > 0 the remainder is at most the first term left out (DLMF 5.11.1 and 5.11(ii)).
    """
    x = expander(expr.args[0])
    kind, coefficient = where(x)
    if kind != "infinity" or sign(coefficient) != 1:
        raise Refused(f"ln Gamma at {x}, which does not tend to +infinity")
    inverse, order = x.inverse(expander.order), expander.order
    half = Expansion.constant(sp.Rational(1, 2))
    terms = [(x - half) * x.log(order), -x, Expansion.constant(sp.log(2 * sp.pi) / 2)]
    count = max(1, (order + 1) // 2)
    square, power = inverse * inverse, inverse
    for k in range(1, count + 1):
        terms.append(power.scaled(sp.bernoulli(2 * k) / (2 * k * (2 * k - 1))))
        power = power * square
    terms.append(power.tail(1))
    expander.note(
        "Stirling's series",
        r"\ln\Gamma(x) = (x-\tfrac12)\ln x - x + \tfrac12\ln 2\pi + \sum_{k\le K}\frac{B_{2k}}{2k(2k-1)x^{2k-1}} + "
        r"O(x^{-2K-1})",
        "DLMF 5.11.1",
    )
    return Expansion.sum(terms)


@handles(sp.gamma)
def _gamma(expander: Expander, expr: sp.Expr) -> Expansion:
    return expander(sp.exp(sp.loggamma(expr.args[0]), evaluate=False))


@handles(sp.factorial)
def _factorial(expander: Expander, expr: sp.Expr) -> Expansion:
    """n! = n Gamma(n)."""
    n = expr.args[0]
    return expander(n * sp.gamma(n, evaluate=False))


@handles(sp.binomial)
def _binomial(expander: Expander, expr: sp.Expr) -> Expansion:
    """n!/(k! (n-k)!), the three factorials together in one exponential, so that large parts cancel."""
    n, k = expr.args
    log = sp.Add(*(s * (sp.log(m) + sp.loggamma(m)) for s, m in ((1, n), (-1, k), (-1, n - k)) if not m.is_number))
    fixed = sp.Mul(*(1 / sp.factorial(m) for m in (k, n - k) if m.is_number))
    return expander(sp.exp(log, evaluate=False)) * expander(fixed)


@handles(sp.erfc)
def _erfc(expander: Expander, expr: sp.Expr) -> Expansion:
    return erfc_of(expander, expander(expr.args[0]))


@handles(sp.erf)
def _erf(expander: Expander, expr: sp.Expr) -> Expansion:
    return Expansion.constant(1) - erfc_of(expander, expander(expr.args[0]))


def erfc_of(expander: Expander, x: Expansion) -> Expansion:
    """erfc(x) ~ e^(-x^2)/(x sqrt(pi)) sum_k (-1)^k (1/2)_k x^(-2k), x -> +oo (DLMF 7.12.1).

    At 0: 1 - 2/sqrt(pi) sum_k (-1)^k x^(2k+1)/(k! (2k+1)) (DLMF 7.6.1); at a constant, Taylor's series;
    at -oo, 2 - erfc(-x).
    """
    kind, coefficient = where(x) if x.terms or x.remainder else ("zero", sp.S.Zero)
    order = expander.order
    if kind == "constant":
        return taylor(expander, sp.erfc(_s), x)
    if kind == "zero":
        coefficients = [sp.S.One] + [sp.S.Zero] * (2 * order + 1)
        for k in range(order + 1):
            coefficients[2 * k + 1] = -2 * sp.Integer((-1) ** k) / (sp.sqrt(sp.pi) * sp.factorial(k) * (2 * k + 1))
        return x.series(coefficients) if x.terms or x.remainder else Expansion.constant(1)
    if sign(coefficient) == -1:
        return Expansion.constant(2) - erfc_of(expander, -x)
    square = x * x
    head = (-square).exp(order) * x.inverse(order).scaled(1 / sp.sqrt(sp.pi))
    series = square.inverse(order).series([(-1) ** k * sp.rf(sp.Rational(1, 2), k) for k in range(order + 1)])
    expander.note(
        "complementary error function for large argument",
        r"\mathrm{erfc}(x) \sim \frac{e^{-x^2}}{x\sqrt\pi}\sum_k (-1)^k\left(\tfrac12\right)_k x^{-2k}",
        "DLMF 7.12.1",
    )
    return head * series


@handles(sp.LambertW)
def _lambert(expander: Expander, expr: sp.Expr) -> Expansion:
    """W(x) = l - m + sum over j, k of c_jk m^k l^(-j-k), l = ln x, m = ln ln x, x -> oo (DLMF 4.13.10).

    De Bruijn's double series; cut at j + k <= K its rest is O((m/l)^(K+1)).
    """
    if len(expr.args) != 1:
        raise Refused("only the principal branch of Lambert's W")
    x = expander(expr.args[0])
    kind, coefficient = where(x)
    order = expander.order
    if kind == "zero":  # sum (-k)^(k-1) x^k / k!, DLMF 4.13.5
        return x.series([0, *((-sp.Integer(k)) ** (k - 1) / sp.factorial(k) for k in range(1, order + 1))])
    if kind != "infinity" or sign(coefficient) != 1:
        raise Refused(f"W at {x}")
    log = x.log(order)
    inner = log.log(order)
    inverse = log.inverse(order)
    terms = [log, -inner]
    for total in range(1, order + 1):  # total = j + k, k >= 1
        power = inverse.power(sp.Integer(total), order)
        for k in range(1, total + 1):
            j = total - k
            # (-1)^j [j+k over j+1]/k!, Stirling cycle numbers
            number = sp.functions.combinatorial.numbers.stirling(total, j + 1, kind=1, signed=False)
            factor = sp.Integer((-1) ** j) * number / sp.factorial(k)
            terms.append((power * inner.power(sp.Integer(k), order)).scaled(factor))
    terms.append((inner * inverse).tail(order + 1))
    expander.note(
        "Lambert's W for large argument",
        r"W(x) = \ell - m + \sum_{j\ge0,\,k\ge1} \frac{(-1)^j}{k!}\left[{j+k \atop j+1}\right] m^k \ell^{-j-k}, "
        r"\quad \ell = \ln x,\; m = \ln\ln x",
        "DLMF 4.13.10",
    )
    return Expansion.sum(terms)
