"""Riemann's and Hurwitz' zeta functions and the polylogarithm.

Sources: DLMF 25.2.1 and 25.2.4 (Stieltjes' constants), 25.11.1, 25.11.3, 25.11.43, 25.12.10-12; for a whole order near
1 and for the inversion, Erdelyi et al., Higher Transcendental Functions I, 1.11 (9) and (16).
"""

from __future__ import annotations

import sympy as sp

import asymp.symbolics as sy
from asymp.expand.engine import Expander
from asymp.expand.harmonic import hurwitz_at, hurwitz_large
from asymp.expand.method import handles
from asymp.expand.place import place, power_series, shifted
from asymp.expansion import Expansion, Refused, assume_nonzero
from asymp.scale import sign
from asymp.special import ZetaDerivative

stirling_number = sp.functions.combinatorial.numbers.stirling


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


def rational_polylog(order: int, x: sp.Expr) -> sp.Expr:
    """Li_(-m)(x) = (x d/dx)^m x/(1-x), a rational function (DLMF 25.12.10 differentiated).

    >>> rational_polylog(1, sp.Symbol("x"))
    x/(x - 1)**2
    """
    t = sp.Dummy("t")
    f = t / (1 - t)
    for _ in range(order):
        f = sy.factor(t * sy.diff(f, t))
    return f.subs(t, x)


@handles(sp.polylog)
def _polylog(expander: Expander, expr: sp.Expr) -> Expansion:
    """Li_s(x) for fixed s: at 0, at constants below 1, at 1-, and for whole s at -oo."""
    order, argument = expr.args
    if order.free_symbols & expander._variables():
        raise Refused(f"{expr}: the order varies")
    s = expander(order).expr
    if s == 1:
        return expander(-sp.log(1 - argument))
    if s.is_Integer and s <= 0:
        return expander(rational_polylog(int(-s), argument))
    x = expander(argument)
    at = place(x)
    if at.kind == "zero":
        return power_series(x, lambda k: sp.Integer(k) ** (-s) if k else sp.S.Zero, expander.order)
    if at.kind == "-infinity":
        return _far_left(expander, s, -x)
    if at.kind == "infinity":
        raise Refused("the polylogarithm beyond 1, where it is not real")
    if at.centre == 1:
        return _near_one(expander, s, x)
    if sign(1 - at.centre) != 1:
        raise Refused(f"the polylogarithm at {at.centre}, which is not known to be below 1")
    c = at.centre

    def slope(k: int) -> sp.Expr:
        # x^k d^k/dx^k = sum_j s(k, j) (x d/dx)^j, and x d/dx lowers the order by 1 (DLMF 26.8.37)
        numbers = ((stirling_number(k, j, kind=1, signed=True), j) for j in range(k + 1))
        total = sp.Add(*(number * _value(s - j, c) for number, j in numbers if number != 0))
        return total / (c**k * sp.factorial(k))

    return power_series(shifted(x, c), slope, expander.order)


def _value(s: sp.Expr, c: sp.Expr) -> sp.Expr:
    if s == 1:
        return -sp.log(1 - c)
    if c == -1:  # Li_s(-1) = -(1 - 2^(1-s)) zeta(s), DLMF 25.2.3
        return (2 ** (1 - s) - 1) * sp.zeta(s)
    return rational_polylog(int(-s), c) if s.is_Integer and s <= 0 else sp.polylog(s, c)


def _near_one(expander: Expander, s: sp.Expr, x: Expansion) -> Expansion:
    """With m = -ln x -> 0+: Gamma(1-s) m^(s-1) + sum_n zeta(s-n) (-m)^n/n! (DLMF 25.12.12), |m| < 2 pi;

    for a whole s the limit, (-m)^(s-1) (H_(s-1) - ln m)/(s-1)! in place of the two poles.
    """
    order = expander.order
    m = -x.log(order)
    if not m.terms and not m.remainder:
        if sign(s - 1) != 1:
            raise Refused("the polylogarithm has a pole at 1")
        return Expansion.constant(sp.zeta(s))
    whole = bool(s.is_Integer)
    if not whole and not s.is_number:
        assume_nonzero(sp.sin(sp.pi * s))

    def coefficient(n: int) -> sp.Expr:
        value = sp.S.Zero if s - n == 1 else sp.zeta(s - n)
        return sp.Integer((-1) ** n) * value / sp.factorial(n)

    count = order + 1 if not whole else max(order + 1, int(s))
    regular = power_series(m, coefficient, count)
    power = m.power(s - 1, order)
    if whole:
        weight = sp.Integer((-1) ** int(s - 1)) / sp.factorial(s - 1)
        singular = power.scaled(weight) * (Expansion.constant(sp.harmonic(s - 1)) - m.log(order))
    else:
        singular = power.scaled(sp.gamma(1 - s))
    expander.note(
        "polylogarithm near 1",
        r"\mathrm{Li}_s(e^{-\mu}) = \Gamma(1-s)\mu^{s-1} + \sum_n \zeta(s-n)\frac{(-\mu)^n}{n!}",
        "DLMF 25.12.12" if not whole else "Erdelyi et al. 1.11(9)",
    )
    return singular + regular


def _far_left(expander: Expander, s: sp.Expr, y: Expansion) -> Expansion:
    """Li_s(-y) = -sum_j B_(s-j)(1/2) (2 pi i)^(s-j) (ln y)^j/(j! (s-j)!) - (-1)^s Li_s(-1/y), y -> +oo, s = 2, 3, ..."""
    if not (s.is_Integer and s <= 40):
        raise Refused("the polylogarithm of an order that is not whole at -oo")
    order, log = expander.order, y.log(expander.order)
    parts = []
    for half in range(int(s) // 2 + 1):
        j = int(s) - 2 * half
        weight = sp.bernoulli(2 * half, sp.Rational(1, 2)) * (-1) ** half * (2 * sp.pi) ** (2 * half)
        power = log.power(sp.Integer(j), order) if j else Expansion.constant(1)
        parts.append(power.scaled(-weight / (sp.factorial(j) * sp.factorial(2 * half))))
    rest = power_series((-y).inverse(order), lambda k: sp.Integer(k) ** (-s) if k else sp.S.Zero, order)
    expander.note(
        "inversion of the polylogarithm",
        r"\mathrm{Li}_s(z) + (-1)^s\,\mathrm{Li}_s(1/z) = -\frac{(2\pi i)^s}{s!}B_s\!\left(\tfrac12 + "
        r"\frac{\ln(-z)}{2\pi i}\right)",
        "Erdelyi et al. 1.11(16)",
    )
    return Expansion.sum(parts) + rest.scaled(-((-1) ** int(s)))
