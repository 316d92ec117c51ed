r"""Finite sums that become simpler by algebra: partial fractions, logarithms of products, and reading them backwards.

.. math:: \sum_{k=a}^{b} f(k) = \sum_{k=a}^{b} f(a + b - k), \qquad
   \frac{1}{k(n-k)} = \frac1n\Bigl(\frac1k + \frac1{n-k}\Bigr), \qquad \ln(n^2-k^2) = \ln(n-k) + \ln(n+k).

The identities are exact; each is taken only where fewer of the regime's variables are left in the summand, or where
the summand falls into several terms, so that it ends.  (Graham, Knuth, Patashnik, Concrete Mathematics, 2.3.)
"""

from __future__ import annotations

from collections.abc import Set

import sympy as sp

import asymp.symbolics as sy
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


def backwards(
    f: sp.Expr, k: sp.Symbol, low: sp.Expr, high: sp.Expr, variables: Set[sp.Symbol]
) -> tuple[sp.Expr, tuple[sp.Symbol, sp.Expr, sp.Expr]] | None:
    """(f(c - k), its range) for the c that leaves the fewest ``variables``; None where none leaves fewer.

    >>> k, n = sp.symbols("k n", positive=True)
    >>> backwards(1 / (n - k), k, sp.S.One, n - 1, {n})
    (1/k, (k, 1, n - 1))
    """
    centres = {low + high}
    for e in f.atoms(sp.Add):
        if sy.expand(e).coeff(k) == -1 and k not in sy.expand(e + k).free_symbols:
            centres.add(sy.expand(e + k))
    best, least = None, _occurrences(f, variables)
    for c in sorted(centres, key=sp.default_sort_key):
        moved = f.subs(k, c - k).replace(lambda e: e.is_Add and e.is_polynomial(), sy.expand)
        count = _occurrences(moved, variables)
        if count < least:
            best, least = (moved, (k, sy.expand(c - high), sy.expand(c - low))), count
    return best


def _occurrences(expr: sp.Expr, variables: Set[sp.Symbol]) -> int:
    return sum(1 for e in sp.preorder_traversal(expr) if e in variables)


def separated(f: sp.Expr, k: sp.Symbol, low: sp.Expr, high: sp.Expr) -> list[sp.Expr]:
    """Terms that add up to f for low <= k <= high: partial fractions, logarithms of products of positive factors.

    >>> k, n = sp.symbols("k n", positive=True)
    >>> len(separated(1 / (k * (n - k)), k, sp.S.One, n - 1))
    2
    """
    step = sp.Dummy("step", nonnegative=True)

    def positive(factor: sp.Expr) -> bool:
        places = (factor.subs(k, high - step), factor.subs(k, low + step))
        return bool(factor.is_positive or any(sy.expand(place).is_positive for place in places))

    def logarithm(e: sp.Expr) -> sp.Expr:
        factors = [q for q in sp.Mul.make_args(sy.factor(e.args[0])) if q != -1]
        signs = [1 if positive(q) else -1 if positive(-q) else 0 for q in factors]
        if len(factors) < 2 or 0 in signs:
            return e
        return sp.Add(*(sp.log(sy.expand(s * q)) for s, q in zip(signs, factors, strict=True)))

    f = f.replace(lambda e: isinstance(e, sp.log) and k in e.free_symbols, logarithm)
    if f.is_rational_function(k) and not f.is_polynomial(k):
        try:
            parts = sy.apart(sy.together(f), k)
        except sy.SymbolicFailure:
            return [f]
        return list(sp.Add.make_args(parts)) if sy.cancel(sy.together(parts - f)) == 0 else [f]
    return list(sp.Add.make_args(sy.expand(f, power_base=False, power_exp=False)))
