"""Harmonic numbers H_x = psi(x+1) + gamma and H_x^(s) = zeta(s) - zeta(s, x+1), x real.

Sources: DLMF 5.11.2, 25.11.43 (Hurwitz zeta function for large argument), 25.11.17 (its derivative).
"""

from __future__ import annotations

import sympy as sp

from asymp.expand import rows
from asymp.expand.engine import Expander
from asymp.expand.gamma import polygamma_of
from asymp.expand.method import handles
from asymp.expand.place import place, power_series, shifted
from asymp.expansion import Expansion, Refused, assume_nonzero
from asymp.scale import sign


@handles(sp.harmonic)
def _harmonic(expander: Expander, expr: sp.Expr) -> Expansion:
    """H_x: at infinity by that of psi; elsewhere psi(x+1) + gamma."""
    if len(expr.args) != 1:
        return _of_order(expander, *expr.args)
    x = expander(expr.args[0])
    if place(x).kind != "infinity":
        return polygamma_of(expander, 0, shifted(x, -1)) + Expansion.constant(sp.EulerGamma)
    return rows.said(expander, "harmonic", "oo", x)


def _of_order(expander: Expander, top: sp.Expr, order: sp.Expr) -> Expansion:
    """H_x^(s) = zeta(s) - zeta(s, x) + x^(-s) for fixed real s other than 1."""
    if order.free_symbols & expander._variables():
        raise Refused(f"a generalised harmonic number whose order {order} varies")
    s = expander(order).expr
    if s == 1:
        return expander(sp.harmonic(top, evaluate=False))
    x = expander(top)
    if place(x).kind == "infinity":
        return Expansion.constant(sp.zeta(s)) - hurwitz_large(expander, s, x) + x.power(-s, expander.order)
    return Expansion.constant(sp.zeta(s)) - hurwitz_at(expander, s, shifted(x, -1))


def hurwitz_large(expander: Expander, s: sp.Expr, a: Expansion) -> Expansion:
    """zeta(s, a) ~ a^(1-s)/(s-1) + a^(-s)/2 + sum_k B_2k (s)_(2k-1) a^(1-s-2k)/(2k)!, a -> +oo, s != 1 fixed.

    DLMF 25.11.43; by Euler's and Maclaurin's formula the remainder is O of the first term left out.
    For s = 0, -1, ... it ends: Bernoulli's polynomials (DLMF 25.11.14).
    """
    order = expander.order
    if s == 1:
        raise Refused("zeta(s, a) has a pole at s = 1")
    assume_nonzero(s - 1)
    power, inverse = a.power(-s, order), a.inverse(order)
    terms = [(a * power).scaled(1 / (s - 1)), power.scaled(sp.Rational(1, 2))]
    power = power * inverse
    count = max(1, (order + 1) // 2)
    if s.is_Integer and s <= 0:
        count = max(count, int(1 - s) // 2 + 1)
    for k in range(1, count + 1):
        terms.append(power.scaled(sp.bernoulli(2 * k) * sp.rf(s, 2 * k - 1) / sp.factorial(2 * k)))
        power = power * inverse * inverse
    if sp.rf(s, 2 * count + 1) != 0:
        terms.append(power.tail(1))
    expander.note(
        "Hurwitz' zeta function for large argument",
        r"\zeta(s,a) \sim \frac{a^{1-s}}{s-1} + \frac{a^{-s}}{2} + "
        r"\sum_{k\ge1}\frac{B_{2k}}{(2k)!}(s)_{2k-1}a^{1-s-2k}",
        "DLMF 25.11.43",
    )
    return Expansion.sum(terms)


def hurwitz_at(expander: Expander, s: sp.Expr, a: Expansion) -> Expansion:
    """zeta(s, a) at 0+, a^(-s) + zeta(s, a+1) (DLMF 25.11.3), and at a positive constant c by Taylor's series

    sum_k (-1)^k (s)_k zeta(s+k, c) h^k/k! (25.11.17); zeta(s+k, c) is finite: s + k != 1.

    Raises:
        Refused: elsewhere.
    """
    at = place(a)
    if at.kind == "zero":
        return a.power(-s, expander.order) + hurwitz_at(expander, s, shifted(a, -1))
    if at.kind != "constant" or sign(at.centre) != 1:
        raise Refused(f"Hurwitz' zeta function at {a}, which is not known to be positive")

    def slope(k: int) -> sp.Expr:
        weight = sp.Integer((-1) ** k) * sp.rf(s, k) / sp.factorial(k)
        if s + k == 1:  # (s)_k zeta(s+k, c) -> (s)_(k-1) (s+k-1) zeta(s+k, c), the residue is 1
            return sp.Integer((-1) ** k) * sp.rf(s, k - 1) / sp.factorial(k) if k else sp.nan
        return sp.S.Zero if weight == 0 else weight * sp.zeta(s + k, at.centre)

    if s == 1:
        raise Refused("zeta(s, a) has a pole at s = 1")
    if not s.is_number:
        if sign(s) != 1:
            raise Refused(f"zeta(s, a) at a constant a: {s} may be 0, -1, ..., where terms change")
        assume_nonzero(s - 1)
    return power_series(shifted(a, at.centre), slope, expander.order)
