"""Sums of i^m H_i^j in closed form, by parts; those of H_i are the kernel's.

>>> n = sp.Symbol("n")
>>> power_sum(2, 1, n).subs(n, 5) == sum(i**2 * sp.harmonic(i) for i in range(1, 6))
True
"""

from __future__ import annotations

import sympy as sp

import asymp.symbolics as sy
from asymp.expand.engine import Expander
from asymp.expand.method import handles
from asymp.expansion import Expansion, Refused

MOST_DEGREE = 20


def power_sum(m: int, j: int, top: sp.Expr) -> sp.Expr:
    """sum_{i=1}^{top} i^m H_i^j for m >= -1, j in {0, 1, 2}, in H_top, H_top^(2) and H_top^(3), and a sum of H_i/i^2.

    By parts, with F(i) = sum_{q <= i} q^m: sum i^m H_i^j = F(N) H_N^j - sum F(i-1) (H_i^j - H_(i-1)^j).

    >>> n = sp.Symbol("n")
    >>> power_sum(3, 2, n).subs(n, 5) == sum(i**3 * sp.harmonic(i) ** 2 for i in range(1, 6))
    True
    """
    if m == -1:
        first = sp.harmonic(top)
        if j < 2:
            return first if j == 0 else (first**2 + sp.harmonic(top, 2)) / 2
        # H_i^3 - H_(i-1)^3 = 3 H_i^2/i - 3 H_i/i^2 + 1/i^3
        i = sp.Symbol("i", integer=True, positive=True)
        return (first**3 + 3 * sp.Sum(sp.harmonic(i) / i**2, (i, 1, top)) - sp.harmonic(top, 3)) / 3
    i = sp.Symbol("i")
    closed = sy.factor((sp.bernoulli(m + 1, i + 1) - sp.bernoulli(m + 1, 1)) / (m + 1))
    if j == 0:
        return closed.subs(i, top)
    quotient, constant = sy.div(sy.poly(sy.expand(closed.subs(i, i - 1)), i), sy.poly(i, i))
    rest = constant.as_expr() * sp.harmonic(top) ** j
    for (power,), coefficient in quotient.terms():  # i (H_i^j - H_(i-1)^j) = H_i^0 for j = 1, 2 H_i - 1/i for j = 2
        lower = power_sum(power, 0, top) if j == 1 else 2 * power_sum(power, 1, top) - power_sum(power - 1, 0, top)
        rest += coefficient * lower
    return closed.subs(i, top) * sp.harmonic(top) ** j - rest


@handles(sp.Sum, order=0)
def power_sums(expander: Expander, expr: sp.Expr) -> Expansion:
    """A sum from 1 on of a polynomial in i, 1/i and H_i, of degree 2 in H_i."""
    i, low, high = expr.limits[0]
    if len(expr.limits) != 1 or low != 1 or high is sp.oo or not expr.function.has(sp.harmonic):
        raise Refused("no sum of powers of harmonic numbers from 1 on", undecided=())
    body = sy.expand(expr.function * i)
    harmonic = sp.Dummy("H")
    body = body.xreplace({sp.harmonic(i): harmonic})
    if not body.is_polynomial(i, harmonic) or body.has(sp.harmonic, sp.Sum):
        raise Refused("no polynomial in harmonic numbers", undecided=())
    parts = sy.poly(body, i, harmonic).terms()
    if any(j > 2 or m > MOST_DEGREE for (m, j), _ in parts):
        raise Refused("a high power of a harmonic number", undecided=())
    return expander(sp.Add(*(c * power_sum(m - 1, j, high) for (m, j), c in parts)))
