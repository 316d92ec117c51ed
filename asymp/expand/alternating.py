r"""Sums of (-1)^k f(k), f free of the regime's variables: two terms at a time, or by Leibniz's theorem.

Where the number of terms is seen to be even or odd, or infinite with f -> 0, the sum is one of f(2j) - f(2j+1), and a
last term.  Where it is not, and f falls to 0 from some point on,

.. math:: \sum_{k=a}^{N} (-1)^k f(k) = \sum_{k=a}^{\infty} (-1)^k f(k) + O(f(N + 1)).

(Leibniz's theorem on alternating series: Knopp, Theory and Application of Infinite Series, section 15.)
"""

from __future__ import annotations

import sympy as sp

import asymp.symbolics as sy
from asymp.expand.engine import Expander
from asymp.expand.euler_maclaurin import _N, inner_expansion, integer_valued, require_finite, require_infinite
from asymp.expansion import Expansion, Refused
from asymp.scale import sign


def alternating_sum(expander: Expander, expr: sp.Expr) -> Expansion:
    """The sum of (-1)^(k + c) f(k) from a fixed integer on.

    Raises:
        Refused: another summand, or whether the last term is added or subtracted matters and is not known.
    """
    if len(expr.limits) != 1:
        raise Refused("a multiple sum")
    k, low, high = expr.limits[0]
    found = unsigned(expr.function, k)
    if found is None or not low.is_Integer or expr.function.has(sp.Sum, sp.Product, sp.Integral):
        raise Refused("a sum whose signs do not alternate, or that does not start at a number")
    f, shift = found
    if f.free_symbols & expander._variables():
        raise Refused("an alternating sum whose terms depend on the variables")
    plain = f.subs(k, _N)
    require_finite(plain, low)
    leading = sp.Integer((-1) ** int(low + shift))
    two = pairs(f, k, low)
    if high is sp.oo:
        _require_falling(expander, plain)
        return expander(sp.Sum(two, (k, 1, sp.oo))).scaled(leading)
    integer_valued(expander, high)
    require_infinite(expander, high)
    half = sy.expand((high - low + 1) / 2)
    for left in (0, 1):
        count = sy.expand(half - sp.Rational(left, 2))
        if all(c.is_Integer for c in sy.poly(count, *sorted(count.free_symbols, key=str)).coeffs()):
            _note(expander, expr, two)
            total = expander(sp.Sum(two, (k, 1, count)))
            return (total + expander(f.subs(k, high)) if left else total).scaled(leading)
    _require_falling(expander, plain)
    _note(expander, expr, two)
    return expander(sp.Sum(two, (k, 1, sp.oo))).scaled(leading) + expander(f.subs(k, high + 1)).tail(1)


def _note(expander: Expander, expr: sp.Expr, two: sp.Expr) -> None:
    expander.note(
        "an alternating sum, two terms at a time",
        rf"{sy.latex(expr)},\qquad f(2j) - f(2j+1) = {sy.latex(two)}",
        "Knopp, Theory and Application of Infinite Series, section 15",
    )


def _require_falling(expander: Expander, f: sp.Expr) -> None:
    """Raises Refused unless f falls to 0 from some point on."""
    far = inner_expansion(expander, f, expander.order)
    if any(g.limit() != "zero" for g in (*far.terms, *far.remainder)):
        raise Refused("an alternating sum whose terms do not tend to 0")
    size, fall = far.leading()[1], inner_expansion(expander, f - f.subs(_N, _N + 1), expander.order).leading()[1]
    if sign(size) is None or sign(size) != sign(fall):
        raise Refused("an alternating sum whose terms are not seen to fall")


def unsigned(f: sp.Expr, k: sp.Symbol) -> tuple[sp.Expr, sp.Expr] | None:
    """(f without its sign, c) for a summand (-1)^(k + c) f(k), c an integer; None for others.

    >>> k = sp.Symbol("k", integer=True, positive=True)
    >>> unsigned((-1) ** (k + 1) / k, k), unsigned((-2) ** k, k), unsigned(1 / k, k)
    ((1/k, 1), (2**k, 0), None)
    """
    shift, rest, odd = sp.S.Zero, [], False
    for factor in sp.Mul.make_args(f):
        base, exponent = factor.as_base_exp()
        if not (base.is_Rational and base.is_negative and k in exponent.free_symbols):
            rest.append(factor)
            continue
        slope = sy.expand(exponent).coeff(k)
        offset = sy.expand(exponent - slope * k)
        if slope not in (1, -1) or not offset.is_Integer:
            return None
        odd = not odd
        shift += offset
        rest.append((-base) ** exponent)
    return (sp.Mul(*rest), shift % 2) if odd else None


def pairs(f: sp.Expr, k: sp.Symbol, low: sp.Expr) -> sp.Expr:
    """f(low + 2k - 2) - f(low + 2k - 1): two terms of the sum of (-1)^(k - low) f(k), for k = 1, 2, ..."""
    def at(place: sp.Expr) -> sp.Expr:
        return f.subs(k, place).replace(lambda e: e.is_Add and e.is_polynomial(), sy.expand)

    first, second = at(low + 2 * k - 2), at(low + 2 * k - 1)
    difference = first - second
    return sy.factor(sy.together(difference)) if difference.is_rational_function(k) else difference
