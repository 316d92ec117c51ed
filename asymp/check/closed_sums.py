"""Sums in an equation in closed form: finite ones written out, sums of products of linear quotients.

    sum_{u>=0} prod_{v=1}^u c/(a + b v) = M(1, 1 + s, z) = s z^(-s) e^z gamma(s, z),  s = a/b, z = c/b

(DLMF 8.5.1, with (1 + s)_u = prod (s + v)).
"""

from __future__ import annotations

import sympy as sp

import asymp.symbolics as sy

MOST = 60
"""Terms of a finite sum that are written out."""


def closed(expr: sp.Expr) -> sp.Expr:
    """The expression with such sums in closed form; others stay.

    >>> c, u, v = sp.Symbol("c", positive=True), sp.Symbol("u", integer=True), sp.Symbol("v", integer=True)
    >>> closed(sp.Sum(sp.Product(c / v, (v, 1, u)), (u, 0, sp.oo)))
    Sum(Product(c/v, (v, 1, u)), (u, 0, oo))
    >>> closed(sp.Sum(sp.Product(c / (1 + v), (v, 1, u)), (u, 0, sp.oo)))
    exp(c)*lowergamma(1, c)/c
    """
    return expr.replace(lambda e: isinstance(e, sp.Sum), _closed)


def written_out(expr: sp.Expr) -> sp.Expr:
    """Finite sums term by term; truncated exponential series in closed form.

    >>> k, x = sp.symbols("k x")
    >>> written_out(sp.Sum(x**k, (k, 0, 2)))
    x**2 + x + 1
    """
    return expr.replace(lambda e: isinstance(e, sp.Sum), _written)


def _written(total: sp.Sum) -> sp.Expr:
    index, low, high = total.limits[0]
    if len(total.limits) == 1 and (cut := truncated_exponential(total)) is not None:
        return cut
    if len(total.limits) != 1 or not (high - low).is_Integer or not 0 <= high - low <= MOST:
        return total
    return sp.Add(*(total.function.subs(index, low + k).doit() for k in range(int(high - low) + 1)))


def _closed(total: sp.Sum) -> sp.Expr:
    if len(total.limits) != 1:
        return total
    parts = kummer(total)
    if parts is None:
        return total
    s, z = parts
    return s * z**-s * sp.exp(z) * sp.lowergamma(s, z, evaluate=False)


def truncated_exponential(total: sp.Sum) -> sp.Expr | None:
    """sum_{k<=N} c z^k/k! = c e^z Gamma(N+1, z)/N! for a symbolic whole N and z > 0 (DLMF 8.4.8); None: another sum.

    >>> a, n = sp.symbols("a n", positive=True)
    >>> k = sp.Symbol("k", integer=True, nonnegative=True)
    >>> truncated_exponential(sp.Sum(2 * a**k / sp.factorial(k), (k, 0, n)))
    2*exp(a)*uppergamma(n + 1, a)/factorial(n)
    """
    index, low, high = total.limits[0]
    if low != 0 or high.is_number or high.has(index):
        return None
    weight = sy.powsimp(total.function * sp.factorial(index))
    ratio = sy.powsimp(sy.combsimp(weight.subs(index, index + 1) / weight), force=True)
    if ratio.has(index) or not ratio.is_positive:
        return None
    first = weight.subs(index, 0)
    return first * sp.exp(ratio) * sp.uppergamma(high + 1, ratio, evaluate=False) / sp.factorial(high)


def kummer(total: sp.Sum) -> tuple[sp.Expr, sp.Expr] | None:
    """(s, z) where the sum is M(1, 1 + s, z), s > 0, z > 0."""
    index, low, high = total.limits[0]
    body = total.function
    if low != 0 or high != sp.oo or not isinstance(body, sp.Product) or len(body.limits) != 1:
        return None
    v, first, last = body.limits[0]
    if first != 1 or last != index:
        return None
    numerator, denominator = sp.fraction(sy.together(body.function))
    if numerator.has(v) or not denominator.is_polynomial(v) or sy.degree(denominator, v) != 1:
        return None
    poly = sy.poly(denominator, v)
    slope, constant = poly.coeff_monomial(v), poly.coeff_monomial(1)
    if constant == 0:
        return None
    return sy.cancel(constant / slope), sy.cancel(numerator / slope)


def for_numbers(expr: sp.Expr) -> sp.Expr:
    """The expression with such sums as Kummer functions, which have balls; it is a second route to their values."""
    return expr.replace(lambda e: isinstance(e, sp.Sum), _numeric)


def _numeric(total: sp.Sum) -> sp.Expr:
    if len(total.limits) != 1:
        return total
    if (cut := truncated_exponential(total)) is not None:
        return cut
    parts = kummer(total)
    return total if parts is None else sp.hyper([1], [1 + parts[0]], parts[1])
