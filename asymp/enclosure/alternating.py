r"""Sums with alternating signs, two terms at a time.

.. math:: \sum_{k=a}^{b} (-1)^{k+c} f(k) = (-1)^{a+c} \Bigl[\sum_{j=1}^{m} \bigl(f(a+2j-2) - f(a+2j-1)\bigr)
   + (b - a + 1 - 2m) f(b)\Bigr], \qquad m = \lfloor (b-a+1)/2 \rfloor.
"""

from __future__ import annotations

import sympy as sp

import asymp.symbolics as sy


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


def vanishes(f: sp.Expr, k: sp.Symbol) -> bool:
    """Whether f is seen to tend to 0: a rational function, or powers and logarithms of k + a.

    >>> k = sp.Symbol("k", integer=True, positive=True)
    >>> vanishes(sp.log(k) / sp.sqrt(k), k), vanishes(1 + 1 / k, k)
    (True, False)
    """
    if f.is_rational_function(k):
        top, bottom = sp.fraction(sy.cancel(sy.together(f)))
        return bool(sy.degree(top, k) < sy.degree(bottom, k))
    power = sp.S.Zero
    for factor in sp.Mul.make_args(f):
        base, exponent = factor.as_base_exp()
        inner = base.args[0] if isinstance(base, sp.log) else base
        if k not in factor.free_symbols:
            continue
        if not exponent.is_Rational or not inner.is_polynomial(k) or sy.degree(inner, k) != 1:
            return False
        if inner is base:
            power += exponent
    return bool(power < 0)
