"""Taylor coefficients of an expression at a point, as balls.

>>> t = sp.Symbol("t")
>>> [str(c.mid()) for c in taylor(sp.exp(2 * t), t, arb(0), {}, 3)]
['1.00000000000000', '2.00000000000000', '2.00000000000000']
"""

from __future__ import annotations

from collections.abc import Mapping

import sympy as sp
from flint import arb, arb_series, ctx

from asymp.enclosure.arithmetic import coefficient, series
from asymp.enclosure.numbers import Undecided
from asymp.functions.symbolic import row_of


def taylor(expr: sp.Expr, t: sp.Symbol, at: arb, values: Mapping[str, arb], length: int) -> list[arb]:
    """The first ``length`` coefficients of the expression in powers of t - at.

    Raises:
        Undecided: a function without a power series here.
    """
    total = _expand(expr, t, series([at, 1], length), values, length, {})
    return [coefficient(total, k) for k in range(length)]


def _expand(
    expr: sp.Expr, t: sp.Symbol, x: arb_series, values: Mapping[str, arb], n: int, seen: dict[sp.Expr, arb_series]
) -> arb_series:
    if expr not in seen:
        seen[expr] = _node(expr, t, x, values, n, seen)
    return seen[expr]


def _node(
    expr: sp.Expr, t: sp.Symbol, x: arb_series, values: Mapping[str, arb], n: int, seen: dict[sp.Expr, arb_series]
) -> arb_series:
    from asymp.enclosure.enclose import ball

    if expr == t:
        return x
    if not expr.has(t):
        if expr.is_Symbol:
            return series([values[expr.name]], n)
        return series([ball(expr, {s.name: values[s.name] for s in expr.free_symbols}, ctx.prec + 16)], n)
    parts = [_expand(arg, t, x, values, n, seen) for arg in expr.args]
    if expr.is_Add or expr.is_Mul:
        total = parts[0]
        for part in parts[1:]:
            total = total + part if expr.is_Add else total * part
        return total
    if expr.is_Pow and expr.base is not sp.E:
        base, power = parts
        if expr.exp.is_Integer:
            k = int(expr.exp)
            raised = _power(base, abs(k), n)
            return raised if k >= 0 else series([1], n) / raised
        return (power * base.log()).exp()
    inner = parts[-1]
    numerator = getattr(expr, "numerator", None)  # of a quotient without its removable singularity
    if isinstance(numerator, sp.Expr):
        return _quotient(numerator, expr.order, inner, values, n)
    if expr.is_Pow or isinstance(expr, sp.exp):
        return inner.exp()
    if isinstance(expr, (sp.sinh, sp.cosh)):
        side = 1 if isinstance(expr, sp.cosh) else -1
        return (inner.exp() + side * (-inner).exp()) / 2
    row = row_of(expr.func)
    if row is None or len(parts) != 1 or not hasattr(arb_series, row.row.ball or "none"):
        raise Undecided(f"no power series of {expr.func.__name__}")
    return getattr(inner, row.row.ball)()


def _quotient(numerator: sp.Expr, k: int, x: arb_series, values: Mapping[str, arb], n: int) -> arb_series:
    """N(x)/x^k; at x = 0 + ... by shifting the coefficients of N."""
    variable = next(iter(numerator.free_symbols))
    centre = coefficient(x, 0)
    if not centre.is_zero():
        if centre.contains(0):
            raise Undecided("a quotient near its removable singularity")
        return _expand(numerator, variable, x, values, n, {}) / _power(x, k, n)
    total = series([0], n)
    for c in reversed(taylor(numerator, variable, arb(0), values, n + k)[k:]):
        total = total * x + c
    return total


def _power(base: arb_series, k: int, n: int) -> arb_series:
    total = series([1], n)
    for _ in range(min(k, 64)):
        total = total * base
    if k > 64:
        raise Undecided("a high power in a power series")
    return total
