"""The incomplete gamma function without its exponential: M(s, x) = Gamma(s, x) e^x x^(1-s).

    M(s, x) = int_0^oo e^(-t) (1 + t/x)^(s-1) dt                                     (DLMF 8.6.5 with t -> t/x)

falls in x where s > 1 and rises where s < 1.  For x -> oo with s/x -> m < 1 it has the series of
:mod:`asymp.kernel.growths.moving_gammas`.  So ln Gamma(s, x) = (s-1) ln x - x + ln M has no exponentials left in it, and

    ln gamma(s, x) = ln Gamma(s) + ln(1 - M(s, x) x^(s-1) e^(-x)/Gamma(s)).

>>> s, x = sp.symbols("s x", positive=True)
>>> log_upper(s, x)
-x + (s - 1)*log(x) + log(Mills(s, x))
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.core.function import ArgumentIndexError

import asymp.symbolics as sy
from asymp.expansion import Expansion, Refused
from asymp.kernel.growths.moving_gammas import polynomial
from asymp.scale import sign


class Mills(sp.Function):  # type: ignore[misc]
    """M(s, x) = Gamma(s, x) e^x x^(1-s): see the module."""

    nargs = 2

    def fdiff(self, argindex: int = 2) -> sp.Expr:
        """dM/dx = M (1 + (1 - s)/x) - 1."""
        s, x = self.args
        if argindex != 2:
            raise ArgumentIndexError(self, argindex)
        return self * (1 + (1 - s) / x) - 1


def series(expander: Any, expr: sp.Expr) -> Expansion:
    """M(s, x) for x -> oo, by an expander: the series where s/x -> m < 1, else through the incomplete gamma function.

    Raises:
        Refused: x does not tend to infinity, or the kernel has no series of the incomplete gamma function.
    """
    s, x = expr.args
    large = expander(x)
    growth, coefficient = large.leading()
    if growth.limit() != "infinity" or sign(coefficient) != 1:
        raise Refused(f"{x} does not tend to +infinity")
    share = expander(sy.cancel(expander.resolved(s) / expander.resolved(x)))
    if not share.terms or not _below_one(share):
        return expander(sp.uppergamma(s, x)) * expander(sp.exp(x - (s - 1) * sp.log(x), evaluate=False))
    order = expander.order
    inverse = (large - expander(s)).inverse(order)
    ratio, parts = large * inverse, []
    tail = inverse.tail(order + 1)
    weight = ratio.up_to(tail.remainder)
    powers = [Expansion.constant(1)]
    for k in range(order + 1):
        total = Expansion.constant(0)
        for degree, c in enumerate(polynomial(k)):
            if degree == len(powers):
                powers.append((powers[-1] * ratio).up_to(tail.remainder))
            total += powers[degree].scaled(c)
        parts.append((weight * total).up_to(tail.remainder))
        weight = (weight * inverse).up_to(tail.remainder)
    expander.note(
        "incomplete gamma function without its exponential",
        r"\Gamma(s,x)\,e^x x^{1-s} \sim \sum_k \frac{x\,c_k(x/(x-s))}{(x-s)^{k+1}}",
        "DLMF 8.11.7",
    )
    return Expansion.sum([*parts, tail])


def _below_one(share: Expansion) -> bool:
    growth, coefficient = share.leading()
    if growth.limit() == "zero":
        return True
    return growth.limit() == "one" and sign(sy.factor(1 - coefficient)) == 1


def log_upper(s: sp.Expr, x: sp.Expr) -> sp.Expr:
    """ln Gamma(s, x), x > 0."""
    return (s - 1) * sp.log(x) - x + sp.log(Mills(s, x))


def log_lower(s: sp.Expr, x: sp.Expr) -> sp.Expr:
    """ln gamma(s, x), s, x > 0."""
    return sp.loggamma(s) + sp.log(1 - sp.exp((s - 1) * sp.log(x) - x - sp.loggamma(s)) * Mills(s, x))


def whole_upper(expr: sp.Expr) -> sp.Expr:
    """ln M(s, x) through Gamma(s, x) = Gamma(s) (1 - gamma(s, x)/Gamma(s)), which suits x below s."""

    def changed(s: sp.Expr, x: sp.Expr) -> sp.Expr:
        share = sp.lowergamma(s, x, evaluate=False) / sp.gamma(s, evaluate=False)
        return x - (s - 1) * sp.log(x) + sp.loggamma(s) + sp.log(1 - share)

    return expr.replace(
        lambda e: isinstance(e, sp.log) and isinstance(e.args[0], Mills), lambda e: changed(*e.args[0].args)
    )


def without_logarithm(form: sp.Expr, unknown: sp.Symbol) -> sp.Expr:
    """e^A - M(s, x), with the same zeros, for A - ln M(s, x) with A free of the unknown; any other form as it is."""
    for term in sp.Add.make_args(form):
        factor, rest = term.as_coeff_Mul()
        if abs(factor) == 1 and isinstance(rest, sp.log) and isinstance(rest.args[0], Mills):
            known = -factor * (form - term)
            if unknown not in known.free_symbols:
                return sy.powsimp(sy.expand(sp.exp(known))) - rest.args[0]
    return form


def without_small(expr: sp.Expr) -> sp.Expr:
    """The expression without ln(1 - ...), what is left out being small.

    That is so for ln gamma(s, x) - ln Gamma(s) where x/s exceeds 1, and ln Gamma(s, x) - ln Gamma(s) where it does not.
    """
    return expr.replace(_is_share, lambda e: sp.S.Zero)


def _is_share(e: sp.Expr) -> bool:
    return isinstance(e, sp.log) and e.has(Mills, sp.lowergamma) and e.args[0].is_Add
