"""Which method expands a sum: each in turn, where the kernel has no series of it."""

from __future__ import annotations

import functools
from collections.abc import Callable

import sympy as sp

import asymp.symbolics as sy
from asymp.expand.engine import Expander
from asymp.expand.euler_maclaurin import fixed_sum
from asymp.expand.method import handles
from asymp.expand.riemann_sums import riemann_sum
from asymp.expand.telescoping import telescoped_sum
from asymp.expansion import Expansion, Refused
from asymp.scale import sign

METHODS: tuple[Callable[[Expander, sp.Expr], Expansion], ...] = (  # in the order in which they are tried
    fixed_sum,
    riemann_sum,
    telescoped_sum,
)


def in_order(method: Callable[[Expander, sp.Expr], Expansion]) -> Callable[[Expander, sp.Expr], Expansion]:
    """The method, for ranges that are seen not to run backwards: their sums have no one meaning."""

    @functools.wraps(method)
    def guarded(expander: Expander, expr: sp.Expr) -> Expansion:
        _, low, high = expr.limits[0]
        if high is not sp.oo and low.free_symbols & expander._variables():
            growth, coefficient = expander(sy.expand(high - low + 1)).leading()
            if growth.limit() not in ("infinity", "one") or sign(coefficient) != 1:
                raise Refused(f"the range from {low} to {high} may run backwards")
        return method(expander, expr)

    return guarded


for place, each in enumerate(METHODS, 1):
    handles(sp.Sum, order=place)(in_order(each))


@handles(sp.Product)
def _product(expander: Expander, expr: sp.Expr) -> Expansion:
    """The exponential of the sum of logarithms, for factors that are seen to be positive."""
    if len(expr.limits) != 1:
        raise Refused("a multiple product")
    if not expr.function.is_positive:
        raise Refused(f"a product of factors {expr.function} that are not seen to be positive")
    total = sp.Sum(sy.expand_log(sp.log(expr.function)), *expr.limits)
    return expander(sp.exp(total, evaluate=False))
