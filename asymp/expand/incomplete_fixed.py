"""Incomplete gamma functions of a fixed first argument, and that argument near a constant.

Sources: DLMF 8.7.1, 8.7.3 (series), 8.8.13-14 (derivatives), 8.11.2 (large argument).
"""

from __future__ import annotations

from functools import lru_cache

import sympy as sp

import asymp.symbolics as sy
from asymp.budget import uncounted
from asymp.expand import incomplete, rows
from asymp.expand.asymptote import _s, taylor, where
from asymp.expand.engine import Expander
from asymp.expand.method import handles
from asymp.expand.place import place, power_series, shifted, side
from asymp.expansion import Expansion, Refused
from asymp.scale import sign
from asymp.special import GammaDerivative

MOST_POLES = 8
"""First arguments down to -7 are looked at where a parameter is in them."""


@uncounted
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
        return sp.factorial(k) * sy.expand(series).coeff(eps, k)
    for j in range(1, -a + 1):  # Gamma(eps - j) = Gamma(eps - j + 1)/(eps - j)
        geometric = -sum((eps / j) ** m for m in range(depth + 1)) / j
        series = _truncate(series * geometric, eps, depth)
    return sp.factorial(k) * sy.expand(series).coeff(eps, k + 1)  # one more: divided by eps


def _truncate(poly: sp.Expr, eps: sp.Symbol, depth: int) -> sp.Expr:
    poly = sy.expand(poly)
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
        function = sp.expint(1, _s) if (k, a) == (0, 0) else GammaDerivative(k, a, _s)  # as engine.canonical
        return taylor(expander, function, x)
    if k == 0 and (a >= 0 or kind == "infinity"):
        return rows.expanded(expander, "E1", x) if a == 0 else rows.expanded(expander, "uppergamma", sp.Integer(a), x)
    if kind == "infinity":
        head = (-x).exp(order) * x.power(sp.Integer(a - 1), order)
        bound = head * x.log(order).power(sp.Integer(k), order)
        expander.note(
            "incomplete gamma function for large argument",
            rf"\Gamma^{{({k})}}({a},x) = O\left(e^{{-x}}x^{{{a - 1}}}(\ln x)^{{{k}}}\right)",
            "DLMF 8.11.2, differentiated under the integral",
        )
        return bound.tail(1)
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
    if a.free_symbols & expander._variables():
        return _varying(expander, a, x, lower=False)
    fixed, argument = expander(a).expr, expander(x)
    if place(argument).kind == "zero":
        return Expansion.constant(sp.gamma(fixed)) - _lower_at_zero(expander, fixed, argument)
    return _upper(expander, fixed, argument)


@handles(sp.lowergamma)
def _lowergamma(expander: Expander, expr: sp.Expr) -> Expansion:
    """gamma(a, x), a fixed: its series at 0; elsewhere Gamma(a) - Gamma(a, x)."""
    a, x = expr.args
    if a.free_symbols & expander._variables():
        return _varying(expander, a, x, lower=True)
    fixed, argument = expander(a).expr, expander(x)
    if fixed.is_integer and fixed.is_nonpositive:
        raise Refused("gamma(a, x) has a pole at a = 0, -1, ...")
    at = place(argument)
    if at.kind == "zero":
        return _lower_at_zero(expander, fixed, argument)
    if at.kind == "constant" and sign(at.centre) == 1:
        rise = _rise(expander, fixed, argument, at.centre)
        return Expansion.constant(sp.lowergamma(fixed, at.centre)) + rise
    return Expansion.constant(sp.gamma(fixed)) - expander(sp.uppergamma(a, x, evaluate=False))


def _require_no_pole(a: sp.Expr) -> None:
    """Raises Refused unless a > 0, or a lies between two of 0, -1, -2, ... whatever its parameters are."""
    for k in range(MOST_POLES):
        side = sign(a + k)
        if side == 1:  # and a + j < 0 for all j < k
            return
        if side is None:  # the answer may be parted there
            raise Refused(f"the incomplete gamma function of {a}, which may be 0, -1, ..., at 0", undecided=(a + k,))
        if side == 0:
            break
    raise Refused(f"the incomplete gamma function of {a} at 0")


def _lower_at_zero(expander: Expander, a: sp.Expr, x: Expansion) -> Expansion:
    """gamma(a, x) = sum_k (-1)^k x^(a+k)/(k! (a+k)), x -> 0+, a not 0, -1, ... (DLMF 8.7.1)."""
    if not (a.is_number and a.is_integer is False):
        _require_no_pole(a)
    if not x.terms and not x.remainder:
        raise Refused("the incomplete gamma function at 0")
    if side(x) != 1:
        raise Refused(f"incomplete gamma function at {x}, which is not positive")
    return rows.said(expander, "lowergamma", "0+", a, x)


def _rise(expander: Expander, a: sp.Expr, x: Expansion, c: sp.Expr) -> Expansion:
    """gamma(a, x) - gamma(a, c), x -> c > 0: y = x^(a-1) e^(-x) has x y' = (a - 1 - x) y (DLMF 8.8.13)."""
    y = [c ** (a - 1) * sp.exp(-c)]
    for k in range(expander.order):
        before = y[k - 1] if k else sp.S.Zero
        y.append(sy.expand(((a - 1 - c - k) * y[k] - before) / (c * (k + 1))))
    return power_series(shifted(x, c), lambda k: y[k - 1] / k if k else sp.S.Zero, expander.order)


def _upper(expander: Expander, a: sp.Expr, x: Expansion) -> Expansion:
    """Gamma(a, x), a fixed, at +oo by the table; Taylor at c > 0."""
    at = place(x)
    if at.kind == "constant" and sign(at.centre) == 1:
        return Expansion.constant(sp.uppergamma(a, at.centre)) - _rise(expander, a, x, at.centre)
    if at.kind != "infinity":
        raise Refused(f"incomplete gamma function at {x}, which is not known to be positive")
    return rows.said(expander, "uppergamma", "oo", a, x)


def _varying(expander: Expander, a: sp.Expr, x: sp.Expr, lower: bool) -> Expansion:
    """A first argument that varies: large, or near a constant c, where Taylor's series in a has the coefficients

    Gamma^(k)(c, x)/k! (entire in a for fixed x > 0).
    """
    first = expander(a)
    at = place(first)
    if at.kind == "infinity":
        return incomplete.both_large(expander, a, x, lower)
    if lower:
        return expander(sp.gamma(a, evaluate=False) - sp.uppergamma(a, x, evaluate=False))
    if at.kind == "-infinity":  # Gamma(a, x) = x^a E_{1-a}(x), DLMF 8.19.1
        return expander(sp.exp(a * sp.log(x), evaluate=False) * sp.expint(1 - a, x, evaluate=False))
    if x.free_symbols & expander._variables():
        raise Refused(f"the incomplete gamma function of {a} and {x}, both of which vary")
    argument = expander(x).expr
    if sign(argument) != 1:
        raise Refused(f"incomplete gamma function at {argument}, which is not known to be positive")
    c = at.centre
    return power_series(
        shifted(first, c), lambda k: GammaDerivative(k, c, argument) / sp.factorial(k), expander.order
    )
