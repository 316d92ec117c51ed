"""Exponential integrals E_p; of large order; all else of them is the kernel's.

Sources: DLMF 8.19.1, 8.20.6 (large order).
"""

from __future__ import annotations

import sympy as sp

import asymp.symbolics as sy
from asymp.expand.engine import Expander
from asymp.expand.method import handles
from asymp.expand.place import place, side
from asymp.expansion import Expansion, Refused
from asymp.scale import sign


@handles(sp.expint)
def _expint(expander: Expander, expr: sp.Expr) -> Expansion:
    """E_p(x) = x^(p-1) Gamma(1-p, x), DLMF 8.19.1; for p -> +oo its own expansion."""
    p, x = expr.args
    if p.free_symbols & expander._variables():
        order = expander(p)
        if place(order).kind == "infinity":
            return large_order(expander, order, expander(x))
    raise Refused(f"an exponential integral of the order {p}", undecided=())


def large_order(expander: Expander, p: Expansion, x: Expansion) -> Expansion:
    """E_p(x) ~ e^(-x)/(x+p) sum_k A_k(r) (1+r)^(-2k) p^(-k), r = x/p >= 0, p -> oo (DLMF 8.20.6), where

    A_0 = 1, A_{k+1} = (1 - 2kr) A_k + r (r+1) A_k'.  With N = x + p and q = p/N the terms are B_k(q) N^(-k),
    B_k = q^k A_k(1/q - 1) a polynomial.  The remainder is O(N^(-K-1)) uniformly in 0 <= q <= 1: in
    E_p(x) = e^(-x) int_0^oo e^(-N g(v)) dv, g = (1-q) v + q ln(1+v), we have g'(0) = 1 and g >= ln(1+v), so
    that v is analytic in u = g near 0 and dv/du <= e^u, uniformly in q: Watson's lemma.
    """
    at, order = place(x), expander.order
    if at.kind == "-infinity" or (at.kind == "constant" and sign(at.centre) != 1):
        raise Refused(f"E_p at {x}, which is not known to be positive")
    if at.kind == "zero" and (x.terms or x.remainder) and side(x) != 1:
        raise Refused(f"E_p at {x}, which is not positive")
    inverse = (x + p).inverse(order)
    share = p * inverse
    r = sp.Symbol("r")
    a = sp.S.One
    terms, power = [], Expansion.constant(1)
    for k in range(order + 1):
        poly = sy.poly(sy.expand(r**k * a.subs(r, 1 / r - 1)), r)
        value = Expansion.constant(0)
        for c in poly.all_coeffs():
            value = value * share + Expansion.constant(c)
        terms.append(power * value)
        power = power * inverse
        a = sy.expand((1 - 2 * k * r) * a + r * (r + 1) * sy.diff(a, r))
    expander.note(
        "exponential integral of large order",
        r"E_p(x) \sim \frac{e^{-x}}{x+p}\sum_k\frac{A_k(x/p)}{(1+x/p)^{2k}p^k},\quad "
        r"A_{k+1} = (1-2kr)A_k + r(r+1)A_k'",
        "DLMF 8.20.6",
    )
    return (-x).exp(order) * inverse * (Expansion.sum(terms) + power.tail(1))
