"""Riemann's and Hurwitz' zeta functions, and H_x^(s) = zeta(s) - zeta(s, x+1), x real.

Sources: DLMF 25.2.1 and 25.2.4 (Stieltjes' constants), 25.11.1, 25.11.3, 25.11.43 (large argument), 25.11.17 (derivative).
"""

from __future__ import annotations

import sympy as sp

from asymp.expand.engine import Expander
from asymp.expand.method import handles
from asymp.expand.place import place, power_series, shifted
from asymp.expansion import Expansion, Refused, assume_nonzero
from asymp.scale import sign
from asymp.special import ZetaDerivative


@handles(sp.zeta)
def _zeta(expander: Expander, expr: sp.Expr) -> Expansion:
    s, a = expr.args[0], (expr.args[1] if len(expr.args) == 2 else sp.S.One)
    variables = expander._variables()
    if s.free_symbols & variables:
        if a.free_symbols & variables:
            raise Refused(f"{expr}: both arguments vary")
        return _in_s(expander, expander(s), expander(a).expr)
    order, at = expander(s).expr, expander(a)
    return hurwitz_large(expander, order, at) if place(at).kind == "infinity" else hurwitz_at(expander, order, at)


def _in_s(expander: Expander, s: Expansion, a: sp.Expr) -> Expansion:
    """zeta(s, a), a > 0 fixed.  s -> 1: 1/(s-1) + sum_k (-1)^k gamma_k(a) (s-1)^k/k! (DLMF 25.2.4, 25.11.1);

    s -> +oo: a^(-s) + ... + (a+K)^(-s) + O((a+K+1)^(-s)), the rest being at most
    (a+K+1)^(-s) (1 + (a+K+1)/(s-1)); s -> c, for a = 1: Taylor's series.
    """
    at, order = place(s), expander.order
    if sign(a) != 1:
        raise Refused(f"zeta(s, {a}): {a} may not be positive")
    if at.kind == "infinity":
        terms = [s.scaled(-sp.log(a + k)).exp(order) for k in range(order + 1)]
        return Expansion.sum([*terms, s.scaled(-sp.log(a + order + 1)).exp(order).tail(1)])
    if at.kind == "-infinity":
        raise Refused("zeta(s) at s -> -oo, where it oscillates")
    small = shifted(s, at.centre)
    if at.centre == 1:
        constant = (lambda k: sp.stieltjes(k)) if a == 1 else (lambda k: sp.stieltjes(k, a))
        regular = power_series(small, lambda k: (-1) ** k * constant(k) / sp.factorial(k), order)
        expander.note(
            "zeta function at its pole",
            r"\zeta(s) = \frac{1}{s-1} + \sum_{k\ge0}\frac{(-1)^k\gamma_k}{k!}(s-1)^k",
            "DLMF 25.2.4",
        )
        return small.inverse(order) + regular
    if a != 1:
        raise Refused(f"zeta(s, {a}) at s -> {at.centre}")
    if not at.centre.is_number:
        assume_nonzero(at.centre - 1)
    return power_series(small, lambda k: ZetaDerivative(k, at.centre) / sp.factorial(k), order)


@handles(sp.harmonic)
def _harmonic(expander: Expander, expr: sp.Expr) -> Expansion:
    """H_x^(s) = zeta(s) - zeta(s, x) + x^(-s) for fixed real s other than 1."""
    if len(expr.args) == 1:
        raise Refused(f"the kernel has no series of {expr}", undecided=())
    top, order = expr.args
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
