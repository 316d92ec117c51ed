"""Signs that an expression shows: sums and products of what is positive, functions with positive values.

The rules ask for signs of smaller expressions only, so that they end.

>>> n, k = sp.symbols("n k", positive=True)
>>> def known(e, strict, binders):
...     good = e.is_positive or isinstance(e, (sp.gamma, sp.Sum)) if strict else True
...     return Truth.ALWAYS if good else Truth.UNKNOWN
>>> shown(sp.gamma(n) + sp.Sum(k, (k, 1, n)), False, (), known), shown(sp.besselk(1, n), True, (), known)
(True, True)
>>> shown(n - 1, True, (), known)
False
"""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from asymp.functions.parts import Binder
from asymp.functions.symbolic import row_of
from asymp.meaning.truth import Truth

Ask = Callable[[sp.Expr, bool, tuple[Binder, ...]], Truth]


def shown(expr: sp.Expr, strict: bool, binders: tuple[Binder, ...], ask: Ask) -> bool:
    """Whether the form of the expression shows that it is positive (not ``strict``: nonnegative)."""

    def is_(e: sp.Expr, sharp: bool) -> bool:
        return ask(e, sharp, binders) is Truth.ALWAYS

    if expr.is_Symbol or (expr.is_number and not expr.has(sp.Sum, sp.Product, sp.Integral)):
        return False  # for the ground to say
    if expr.is_Mul:
        return all(is_(factor, strict) for factor in expr.args)
    if expr.is_Add:
        constant, rest = expr.as_coeff_Add()
        if constant.is_negative and isinstance(rest, (sp.exp, sp.log)):  # exp(y) > c where y > ln c
            inverse = sp.log(-constant) if isinstance(rest, sp.exp) else sp.exp(-constant)
            return is_(rest.args[0] - inverse, strict)
        if any(term.as_coeff_Mul()[0].is_negative for term in expr.args):
            return False
        return all(is_(term, False) for term in expr.args) and (not strict or any(is_(term, True) for term in expr.args))
    if isinstance(expr, sp.exp):
        return True
    if expr.is_Pow:
        if expr.exp.is_even and not strict:
            return True
        return is_(expr.base, strict or not expr.exp.is_nonnegative)
    if isinstance(expr, (sp.Sum, sp.Product, sp.Integral)):
        return _total(expr, strict, binders, ask)
    return _function(expr, strict, is_)


def _total(expr: sp.Expr, strict: bool, binders: tuple[Binder, ...], ask: Ask) -> bool:
    """Its range is taken to run forwards, which is asked elsewhere; an empty sum is 0, as is an integral from a to a."""
    product = isinstance(expr, sp.Product)
    for symbol, low, high in reversed(expr.limits):
        endless = low is -sp.oo or high is sp.oo
        asked = not endless and (isinstance(expr, sp.Integral) or (strict and not product))
        if asked and ask(high - low, strict and isinstance(expr, sp.Integral), binders) is not Truth.ALWAYS:
            return False
        binders = (*binders, Binder(symbol, low, high, type(expr).__name__))
    return ask(expr.function, strict or product, binders) is Truth.ALWAYS


def _function(expr: sp.Expr, strict: bool, is_: Callable[[sp.Expr, bool], bool]) -> bool:
    x = expr.args[0]
    if isinstance(expr, sp.log):
        return is_(x - 1, strict)
    if isinstance(expr, sp.gamma):
        return is_(x, True)
    if isinstance(expr, sp.factorial):
        return is_(x + 1, True)
    if isinstance(expr, sp.binomial):
        m, k = expr.args
        return is_(k + 1, True) and is_(m - k + 1, True)
    if isinstance(expr, sp.harmonic) and len(expr.args) == 1:
        return is_(x, strict)
    row = row_of(expr.func)
    if (isinstance(expr, sp.floor) and not strict) or (row is not None and row.row.rises_from_zero):
        return is_(x, strict)
    return row is not None and (row.range.low.is_positive or (row.range.low.is_zero and (row.range.low_open or not strict)))
