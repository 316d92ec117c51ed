r"""Sums of positive hypergeometric terms t(k) that the first terms dominate, the last ones, or both: sum of 1/binomial(n, k).

Let r(k) = t(k+1)/t(k) be monotone in k on the range a..b, of b - a + 1 terms.

* r falls and r(a) -> 0: from a + M on the terms fall by r(a) at least, and their sum is O(t(a + M)).
* r falls and 1/r(b - 1) -> 0: the same backwards.
* r rises (t is convex in the logarithm): between a + M and b - L the terms are at most t(a + M) + t(b - L), so that
  their sum is O((b - a)(t(a + M) + t(b - L))); M > 0 is taken where r(a) -> 0, L > 0 where 1/r(b - 1) -> 0, else 0.

Source: comparison with a geometric series; de Bruijn, Asymptotic Methods in Analysis, 3.1-3.3.
"""

from __future__ import annotations

import sympy as sp

import asymp.symbolics as sy
from asymp.expand.engine import Expander
from asymp.expand.euler_maclaurin import integer_valued
from asymp.expand.hypergeometric_sums import term_ratio
from asymp.expand.laplace_sums import pieces, require_falling_ratio
from asymp.expansion import Expansion, Refused
from asymp.scale import sign


def ends_sum(expander: Expander, expr: sp.Expr) -> Expansion:
    """The sum of a hypergeometric term over low..high that its ends dominate.

    Raises:
        Refused: the ratio of successive terms is not seen to be monotone, or does not vanish at the ends.
    """
    if len(expr.limits) != 1:
        raise Refused("a multiple sum")
    index, low, high = expr.limits[0]
    k = sp.Symbol(index.name, positive=True)
    term = expander.resolved(expr.function).subs(index, k)
    high = expander.resolved(high)
    variables = (term.free_symbols | high.free_symbols) & expander._variables()
    if len(variables) != 1 or term.has(sp.Sum, sp.Product, sp.Integral) or not low.is_Integer or high is sp.oo:
        raise Refused("a sum from a number to a multiple of one variable is wanted")
    (n,) = variables
    integer_valued(expander, high)
    ratio = term_ratio(term, k)
    _require_positive(term, k, n, low, high)
    try:
        require_falling_ratio(ratio, k, n, low, high)
        rising = False
    except Refused:
        require_falling_ratio(1 / ratio, k, n, low, high)
        rising = True
    left = _vanishes(expander, ratio.subs(k, low))
    right = _vanishes(expander, 1 / ratio.subs(k, high - 1))
    if not (left or right):
        raise Refused("the ends do not dominate the sum")
    parts = []
    for wanted, start, step in ((left, low, 1), (right, high, -1)):
        if not wanted:
            if rising:  # this end bounds what is between
                parts.append((expander(_value(term, k, start)) * expander(high - low)).tail(1))
            continue
        first = expander(_value(term, k, start))
        weight = Expansion.constant(1)
        for i in range(expander.order + 3):
            parts.append(first * weight)
            place = start + i * step
            turned = ratio.subs(k, place) if step > 0 else 1 / ratio.subs(k, place - 1)
            weight = weight * expander(sy.factor(turned))
        rest = first * weight
        parts.append((rest * expander(high - low) if rising else rest).tail(1))
    expander.note(
        "a sum that its ends dominate",
        rf"\frac{{t(k+1)}}{{t(k)}} = {sy.latex(ratio)}\ \text{{{'rises' if rising else 'falls'}}}",
        "comparison with a geometric series",
    )
    return Expansion.sum(parts)


def _value(term: sp.Expr, k: sp.Symbol, place: sp.Expr) -> sp.Expr:
    value = term.subs(k, place)
    if value.has(sp.nan, sp.zoo, sp.oo) or value == 0:
        raise Refused(f"the summand at {place} is {value}")
    return value


def _vanishes(expander: Expander, ratio: sp.Expr) -> bool:
    expansion = expander(sy.factor(ratio))
    return all(g.limit() == "zero" for g in (*expansion.terms, *expansion.remainder))


def _require_positive(term: sp.Expr, k: sp.Symbol, n: sp.Symbol, low: sp.Expr, high: sp.Expr) -> None:
    """Raises Refused unless every gamma function and power in the term has a positive argument at both ends."""
    found, base, _, constant = pieces(term, k, n)
    constant = constant.rewrite(sp.gamma)
    if sign(base) != 1 or not (constant.is_positive or sign(constant) == 1):
        raise Refused("a factor that is not seen to be positive")
    for piece in found:
        for place in (low, high):
            z = sy.expand(piece.alpha * n + piece.beta * place + piece.shift)
            slope = z.coeff(n, 1)
            side = sign(slope) if slope != 0 else sign(z)
            if side != 1 or (slope != 0 and sy.expand(z - slope * n).free_symbols):
                raise Refused(f"{z} is not seen to be positive")
