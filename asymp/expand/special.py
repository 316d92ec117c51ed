"""Harmonic numbers, the incomplete gamma family, exponential and logarithmic integrals, dilogarithm.

Sources: DLMF 5.11.2 (digamma), 6.6 and 6.12 (exponential integral), 8.7 and 8.11 (incomplete
gamma), 25.12 (dilogarithm).
"""

from __future__ import annotations

from functools import lru_cache

import sympy as sp

from asymp.expand import incomplete
from asymp.expand.asymptote import _s, taylor, where
from asymp.expand.engine import Expander, handles
from asymp.expansion import Expansion, Refused
from asymp.scale import ONE, sign
from asymp.special import GammaDerivative


@handles(sp.harmonic)
def _harmonic(expander: Expander, expr: sp.Expr) -> Expansion:
    """H_x = ln x + gamma + 1/(2x) - sum_k B_2k/(2k x^2k); the remainder is at most the first term left out.

    Source: DLMF 5.11.2 and 5.11(ii); H_{x-1} = H_x - 1/x.
    """
    if len(expr.args) != 1:
        return _harmonic_of_order(expander, *expr.args)
    argument = expander(expr.args[0])
    kind, coefficient = where(argument)
    if kind != "infinity" or sign(coefficient) != 1:
        raise Refused(f"harmonic number at {argument}, which does not tend to infinity")
    inverse = argument.inverse(expander.order)
    terms = [argument.log(expander.order), Expansion.constant(sp.EulerGamma), inverse.scaled(sp.Rational(1, 2))]
    count = max(1, expander.order // 2)
    square, power = inverse * inverse, Expansion.constant(1)
    for k in range(1, count + 1):
        power = power * square
        terms.append(power.scaled(-sp.bernoulli(2 * k) / (2 * k)))
    terms.append(square.tail(count + 1))
    expander.note(
        "harmonic number for large argument",
        r"H_x = \ln x + \gamma + \frac{1}{2x} - \sum_{k\le K} \frac{B_{2k}}{2k\,x^{2k}} + O(x^{-2K-2})",
        "DLMF 5.11.2",
    )
    return Expansion.sum(terms)


def _harmonic_of_order(expander: Expander, top: sp.Expr, order: sp.Expr) -> Expansion:
    """H_x^(s) = zeta(s) - x^(1-s)/(s-1) + x^(-s)/2 + O(x^(-s-1)) for an integer s >= 2, DLMF 25.11.43."""
    if not (order.is_Integer and order >= 2):
        raise Refused(f"the generalised harmonic number of order {order}")
    x = expander(top)
    kind, coefficient = where(x)
    if kind != "infinity" or sign(coefficient) != 1:
        raise Refused(f"harmonic number at {x}, which does not tend to infinity")
    power = x.power(-order, expander.order)
    return Expansion.sum([
        Expansion.constant(sp.zeta(order)),
        (x * power).scaled(-1 / (order - 1)),
        power.scaled(sp.Rational(1, 2)),
        (power * x.inverse(expander.order)).tail(1),
    ])


@lru_cache(maxsize=64)
def _regular_part(k: int, a: int) -> sp.Expr:
    """The constant of Gamma^(k)(a, x) as x -> 0: k! [eps^k] of Gamma(a + eps) without its pole."""
    eps = sp.Symbol("eps")
    depth = k + 2
    # Gamma(1 + eps) = exp(-gamma eps + sum_j zeta(j) (-eps)^j / j), DLMF 5.7.3
    logs = -sp.EulerGamma * eps + sum(sp.zeta(j) * (-eps) ** j / j for j in range(2, depth + 2))
    series = _truncate(sum(_truncate(logs**j, eps, depth) / sp.factorial(j) for j in range(depth + 1)), eps, depth)
    if a >= 1:
        for j in range(1, a):
            series = _truncate(series * (j + eps), eps, depth)
        return sp.factorial(k) * sp.expand(series).coeff(eps, k)
    for j in range(1, -a + 1):  # Gamma(eps - j) = Gamma(eps - j + 1)/(eps - j)
        geometric = -sum((eps / j) ** m for m in range(depth + 1)) / j
        series = _truncate(series * geometric, eps, depth)
    return sp.factorial(k) * sp.expand(series).coeff(eps, k + 1)  # one more: divided by eps


def _truncate(poly: sp.Expr, eps: sp.Symbol, depth: int) -> sp.Expr:
    poly = sp.expand(poly)
    return sum(poly.coeff(eps, j) * eps**j for j in range(depth + 1))


def incomplete_gamma(expander: Expander, k: int, a: int, argument: sp.Expr) -> Expansion:
    r"""Gamma^(k)(a, x) = int_x^oo e^(-s) s^(a-1) (ln s)^k ds, for an integer a.

    x -> 0: the k-th derivative in a of Gamma(a) - sum_m (-1)^m x^(a+m)/(m! (a+m)), DLMF 8.7.3, whose
    poles at a = -m cancel.  x -> constant > 0: Taylor.  x -> oo: DLMF 8.11.2; for k > 0 only
    the order, e^(-x) x^(a-1) (ln x)^k.
    """
    x = expander(argument)
    kind, coefficient = where(x)
    if sign(coefficient) != 1:
        raise Refused(f"incomplete gamma function at {x}, which is not positive")
    order = expander.order
    if kind == "constant":
        function = sp.expint(1, _s) if (k, a) == (0, 0) else GammaDerivative(k, a, _s)  # as engine._canonical
        return taylor(expander, function, x)
    if kind == "infinity":
        head = (-x).exp(order) * x.power(sp.Integer(a - 1), order)
        if k:
            bound = head * x.log(order).power(sp.Integer(k), order)
            expander.note(
                "incomplete gamma function for large argument",
                rf"\Gamma^{{({k})}}({a},x) = O\left(e^{{-x}}x^{{{a - 1}}}(\ln x)^{{{k}}}\right)",
                "DLMF 8.11.2, differentiated under the integral",
            )
            return bound.tail(1)
        inverse = x.inverse(order)
        coefficients = [sp.ff(a - 1, j) for j in range(order + 1)]
        expander.note(
            "incomplete gamma function for large argument",
            rf"\Gamma({a},x) \sim e^{{-x}}x^{{{a - 1}}}\sum_j ({a}-1)\cdots({a}-j)\,x^{{-j}}",
            "DLMF 8.11.2",
        )
        return head * inverse.series(coefficients)
    log = x.log(order)
    terms = [Expansion.constant(_regular_part(k, a))]
    lower = min(a, 0)
    for m in range(order + 1 - lower):
        sgn = sp.Integer((-1) ** m) / sp.factorial(m)
        shift = a + m
        if shift == 0:
            terms.append(log.power(sp.Integer(k + 1), order).scaled(-sgn / (k + 1)))
            continue
        # d^k/da^k of x^(a+m)/(a+m) = x^(a+m) sum_j C(k,j) (ln x)^(k-j) (-1)^j j!/(a+m)^(j+1)
        inner = Expansion.sum(
            log.power(sp.Integer(k - j), order).scaled(
                sp.binomial(k, j) * (-1) ** j * sp.factorial(j) / sp.Integer(shift) ** (j + 1)
            )
            for j in range(k + 1)
        )
        terms.append((x.power(sp.Integer(shift), order) * inner).scaled(-sgn))
    last = order + 1 - lower
    terms.append((x.power(sp.Integer(a + last), order) * log.power(sp.Integer(k), order)).tail(1))
    expander.note(
        "incomplete gamma function for small argument",
        rf"\Gamma^{{({k})}}({a},x) = \frac{{\partial^{{{k}}}}}{{\partial a^{{{k}}}}}\left[\Gamma(a) - \sum_m "
        rf"\frac{{(-1)^m x^{{a+m}}}}{{m!\,(a+m)}}\right]_{{a={a}}}",
        "DLMF 8.7.3",
    )
    return Expansion.sum(terms)


@handles(GammaDerivative)
def _gamma_derivative(expander: Expander, expr: sp.Expr) -> Expansion:
    k, a, x = expr.args
    if not (k.is_Integer and a.is_Integer):
        raise Refused(f"{expr}: only integer parameters")
    return incomplete_gamma(expander, int(k), int(a), x)


@handles(sp.uppergamma)
def _uppergamma(expander: Expander, expr: sp.Expr) -> Expansion:
    a, x = expr.args
    if a.is_Integer:
        return incomplete_gamma(expander, 0, int(a), x)
    if not a.free_symbols & expander._variables():
        raise Refused(f"{expr}: a first argument that is fixed and not an integer")
    return incomplete.both_large(expander, a, x)


@handles(sp.lowergamma)
def _lowergamma(expander: Expander, expr: sp.Expr) -> Expansion:
    """gamma(a, x) = Gamma(a) - Gamma(a, x)."""
    a, x = expr.args
    return expander(sp.gamma(a, evaluate=False) - sp.uppergamma(a, x, evaluate=False))


@handles(sp.expint)
def _expint(expander: Expander, expr: sp.Expr) -> Expansion:
    """E_nu(x) = x^(nu-1) Gamma(1-nu, x), DLMF 8.19.1."""
    nu, x = expr.args
    if not nu.is_Integer:
        raise Refused(f"{expr}: only an integer order")
    gamma = incomplete_gamma(expander, 0, 1 - int(nu), x)
    return gamma if nu == 1 else gamma * expander(x).power(nu - 1, expander.order)


@handles(sp.Ei)
def _ei(expander: Expander, expr: sp.Expr) -> Expansion:
    """Ei(-x) = -E1(x) for x > 0 (DLMF 6.2.6); Ei(x) at a positive constant by Taylor."""
    x = expander(expr.args[0])
    kind, coefficient = where(x)
    if sign(coefficient) == -1:
        return -incomplete_gamma(expander, 0, 0, -expr.args[0])
    if kind == "constant" and sign(coefficient) == 1:
        return taylor(expander, sp.Ei(_s), x)
    if kind == "zero" and sign(coefficient) == 1:  # gamma + ln x + sum x^k/(k k!), DLMF 6.6.2
        head = x.log(expander.order) + Expansion.constant(sp.EulerGamma)
        return head + x.series([0, *(1 / (k * sp.factorial(k)) for k in range(1, expander.order + 1))])
    raise Refused(f"Ei at {x}")


@handles(sp.li)
def _li(expander: Expander, expr: sp.Expr) -> Expansion:
    """li(x) = Ei(ln x), DLMF 6.2.8."""
    return expander(sp.Ei(sp.log(expr.args[0]), evaluate=False))


@handles(sp.polylog)
def _polylog(expander: Expander, expr: sp.Expr) -> Expansion:
    """Li_2 at 0 (its series) and at 1: Li_2(x) = pi^2/6 - ln x ln(1-x) - Li_2(1-x), DLMF 25.12.6."""
    nu, x = expr.args
    if nu == 1:
        return expander(-sp.log(1 - x))
    if nu != 2:
        raise Refused(f"{expr}: only the dilogarithm")
    at = expander(x)
    kind, coefficient = where(at)
    if kind == "zero":
        return at.series([0, *(sp.Rational(1, k**2) for k in range(1, expander.order + 1))])
    if kind == "constant" and coefficient == 1:
        distance = expander.resolved(1 - x)
        expander.note(
            "reflection of the dilogarithm",
            r"\mathrm{Li}_2(x) = \frac{\pi^2}{6} - \ln x\,\ln(1-x) - \mathrm{Li}_2(1-x)",
            "DLMF 25.12.6",
        )
        rest = expander(distance).series([0, *(sp.Rational(1, k**2) for k in range(1, expander.order + 1))])
        return expander(sp.pi**2 / 6 - sp.log(x) * sp.log(1 - x)) - rest
    raise Refused(f"the dilogarithm at {at}")


@handles(sp.floor, sp.ceiling)
def _floor(expander: Expander, expr: sp.Expr) -> Expansion:
    """x + O(1)."""
    return expander(expr.args[0]) + Expansion.big_o(ONE)


@handles(sp.Abs)
def _abs(expander: Expander, expr: sp.Expr) -> Expansion:
    inner = expander(expr.args[0])
    _, coefficient = inner.leading()
    s = sign(coefficient)
    if s is None:
        raise Refused(f"the sign of {coefficient} depends on parameters")
    return inner.scaled(s)


@handles(sp.digamma, sp.polygamma)
def _digamma(expander: Expander, expr: sp.Expr) -> Expansion:
    """psi(x) = H_{x-1} - gamma."""
    if len(expr.args) == 2 and expr.args[0] != 0:
        raise Refused("polygamma functions are not expanded yet")
    x = expr.args[-1]
    return expander(sp.harmonic(x, evaluate=False)) - expander(1 / x) - Expansion.constant(sp.EulerGamma)


