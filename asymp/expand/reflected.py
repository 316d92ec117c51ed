r"""Finite sums that become simpler by algebra: partial fractions, logarithms of products, and reading them backwards.

.. math:: \sum_{k=a}^{b} f(k) = \sum_{k=a}^{b} f(a + b - k), \qquad
   \frac{1}{k(n-k)} = \frac1n\Bigl(\frac1k + \frac1{n-k}\Bigr), \qquad \ln(n^2-k^2) = \ln(n-k) + \ln(n+k).

The identities are exact; each is taken only where fewer of the regime's variables are left in the summand, or where
the summand falls into several terms, so that it ends.  (Graham, Knuth, Patashnik, Concrete Mathematics, 2.3.)
"""

from __future__ import annotations

import sympy as sp

import asymp.symbolics as sy
from asymp.enclosure.summand import backwards, separated
from asymp.expand.engine import Expander
from asymp.expand.euler_maclaurin import integer_valued
from asymp.expansion import Expansion, Refused


def reflected_sum(expander: Expander, expr: sp.Expr) -> Expansion:
    """A finite sum by its terms, or backwards.

    Raises:
        Refused: neither makes it simpler.
    """
    if len(expr.limits) != 1:
        raise Refused("a multiple sum")
    k, low, high = expr.limits[0]
    if high is sp.oo or expr.function.has(sp.Sum, sp.Product, sp.Integral):
        raise Refused("a sum that is not finite, or a sum within a sum")
    terms = separated(expr.function, k, low, high)
    if len(terms) > 1:
        expander.note("a sum term by term", rf"{sy.latex(expr.function)} = {sy.latex(sp.Add(*terms))}", "algebra")
        return Expansion.sum(_times(expander, *_outside(term, k), expr.limits[0]) for term in terms)
    for bound in (low, high):
        if not bound.is_Integer:
            integer_valued(expander, bound)
    outside, inside = _outside(expr.function, k)
    found = backwards(inside, k, low, high, expander._variables())
    if found is None:
        raise Refused("a sum that is not simpler backwards")
    turned, limits = found
    expander.note(
        "a sum read backwards",
        rf"{sy.latex(sp.Sum(inside, expr.limits[0]))} = {sy.latex(sp.Sum(turned, limits))}",
        "Concrete Mathematics, 2.3",
    )
    return _times(expander, outside, turned, limits)


def _outside(term: sp.Expr, k: sp.Symbol) -> tuple[sp.Expr, sp.Expr]:
    outside, inside = sp.sympify(term).as_independent(k, as_Add=False)
    return outside, inside


def _times(expander: Expander, outside: sp.Expr, inside: sp.Expr, limits: tuple[sp.Expr, ...]) -> Expansion:
    if not inside.has(limits[0]):
        return expander(outside * inside * (limits[2] - limits[1] + 1))
    return expander(outside) * expander(sp.Sum(inside, limits))
