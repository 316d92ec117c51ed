"""Bessel functions I, J, K of fixed or growing order.

Sources: DLMF 10.2.2, 10.25.2 (series), 10.27.4, 10.31.1 (K at 0), 10.29.5, 10.6.7 (derivatives).
"""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from asymp.expand import rows
from asymp.expand.engine import Expander
from asymp.expand.gamma import gamma_of
from asymp.expand.method import handles
from asymp.expand.place import place, power_series, shifted, side
from asymp.expansion import Expansion, Refused
from asymp.scale import sign

_HALF = sp.Rational(1, 2)


def _ascending(expander: Expander, nu: Expansion, x: Expansion, s: int) -> Expansion:
    """(x/2)^nu/Gamma(nu+1) sum_k s^k (x^2/4)^k/(k! (nu+1)_k), where x > 0 and x^2/(nu+1) -> 0.

    I for s = 1 (DLMF 10.25.2), J for s = -1 (10.2.2).  For nu + 1 > 0 each term is at most x^2/(4(nu+1)) times
    the one before, so the remainder is O of that to the power K+1; for other fixed nu, the series converges.
    """
    order = expander.order
    quarter = (x * x).scaled(sp.Rational(s, 4))
    one = Expansion.constant(1)
    term, terms = one, [one]
    for k in range(1, order + 1):
        term = term * quarter * (nu + Expansion.constant(k)).inverse(order).scaled(sp.Rational(1, k))
        terms.append(term)
    ratio = quarter * (nu + one).inverse(order)
    ratio.require_small()
    head = (nu * x.scaled(_HALF).log(order)).exp(order) * gamma_of(expander, nu + one).inverse(order)
    return head * (Expansion.sum(terms) + ratio.tail(order + 1))


def _not_a_pole(nu: sp.Expr) -> None:
    if not (sign(nu + 1) == 1 or (nu.is_number and nu.is_integer is False)):
        raise Refused(f"a Bessel function of order {nu}, which may be -1, -2, ...")


def _parts(expander: Expander, expr: sp.Expr) -> tuple[Expansion, Expansion]:
    """The order and the argument, which must be positive."""
    nu, x = (expander(arg) for arg in expr.args)
    if side(x) != 1:
        raise Refused(f"{expr.func.__name__} at {x}, which is not positive")
    return nu, x


def _fixed(expander: Expander, expr: sp.Expr) -> sp.Expr:
    nu = expr.args[0]
    if nu.free_symbols & expander._variables():
        raise Refused(f"{expr}: an order that varies")
    return expander(nu).expr


@handles(sp.besseli, sp.besselj)
def _bessel_i(expander: Expander, expr: sp.Expr) -> Expansion:
    """At +oo, nu fixed, by the table; the ascending series where x^2/nu -> 0."""
    nu, x = _parts(expander, expr)
    at = place(x)
    modified = isinstance(expr, sp.besseli)
    if place(nu).kind == "infinity":
        return _ascending(expander, nu, x, 1 if modified else -1)
    fixed = _fixed(expander, expr)
    if at.kind == "zero":
        if fixed.is_Integer and fixed < 0:  # I_{-n} = I_n, J_{-n} = (-1)^n J_n
            value = _ascending(expander, -nu, x, 1 if modified else -1)
            return value if modified else value.scaled(sp.Integer(-1) ** int(fixed))
        _not_a_pole(fixed)
        return _ascending(expander, nu, x, 1 if modified else -1)
    if at.kind == "constant":
        kind, s = expr.func, 1 if modified else -1
        return _taylor(expander, x, at.centre, lambda j, k: s**j * kind(fixed - k + 2 * j, at.centre))
    return rows.said(expander, "besseli" if modified else "besselj", "oo", fixed, x)


def _taylor(expander: Expander, x: Expansion, c: sp.Expr, value: Callable[[int, int], sp.Expr]) -> Expansion:
    """f^(k)(c) = 2^(-k) sum_j C(k, j) value(j, k), DLMF 10.6.7 and 10.29.5."""

    def coefficient(k: int) -> sp.Expr:
        total = sp.Add(*(sp.binomial(k, j) * value(j, k) for j in range(k + 1)))
        return total / (sp.Integer(2) ** k * sp.factorial(k))

    return power_series(shifted(x, c), coefficient, expander.order)


@handles(sp.besselk)
def _bessel_k(expander: Expander, expr: sp.Expr) -> Expansion:
    """At +oo, nu fixed, by the table.

    At 0, nu not whole: (pi/2)(I_{-nu} - I_nu)/sin(nu pi) (10.27.4); whole: 10.31.1, with ln(x/2).
    """
    nu, x = _parts(expander, expr)
    fixed = _fixed(expander, expr)
    at = place(x)
    if at.kind == "constant":
        return _taylor(expander, x, at.centre, lambda j, k: (-1) ** k * sp.besselk(fixed - k + 2 * j, at.centre))
    if at.kind == "infinity":
        return rows.said(expander, "besselk", "oo", fixed, x)
    if fixed.is_Integer:
        return _k_at_zero(expander, abs(int(fixed)), x)
    if not fixed.is_number:
        raise Refused(f"K of order {fixed}, which may be whole, at 0")
    low, high = _ascending(expander, -nu, x, 1), _ascending(expander, nu, x, 1)
    return (low - high).scaled(sp.pi / (2 * sp.sin(sp.pi * fixed)))


def _k_at_zero(expander: Expander, n: int, x: Expansion) -> Expansion:
    order = expander.order
    half = x.scaled(_HALF)
    square = half * half
    finite = Expansion.constant(0)
    for k in range(n):
        weight = sp.Rational((-1) ** k) * sp.factorial(n - k - 1) / (2 * sp.factorial(k))
        finite = finite + half.power(sp.Integer(2 * k - n), order).scaled(weight)
    regular = power_series(
        square,
        lambda k: (sp.digamma(k + 1) + sp.digamma(n + k + 1)) / (sp.factorial(k) * sp.factorial(n + k)),
        order,
    )
    entire = _ascending(expander, Expansion.constant(n), x, 1)
    log = (half.log(order) * entire).scaled((-1) ** (n + 1))
    return finite + log + (half.power(sp.Integer(n), order) * regular).scaled(sp.Rational((-1) ** n, 2))
