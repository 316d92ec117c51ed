"""The incomplete gamma function without its exponential: M(s, x) = Gamma(s, x) e^x x^(1-s).

    M(s, x) = int_0^oo e^(-t) (1 + t/x)^(s-1) dt                                     (DLMF 8.6.5 with t -> t/x)

falls in x where s > 1 and rises where s < 1.  So ln Gamma(s, x) = (s-1) ln x - x + ln M has no exponentials left in it, and

    ln gamma(s, x) = ln Gamma(s) + ln(1 - M(s, x) x^(s-1) e^(-x)/Gamma(s)).

>>> s, x = sp.symbols("s x", positive=True)
>>> log_upper(s, x)
-x + (s - 1)*log(x) + log(Mills(s, x))
"""

from __future__ import annotations

import sympy as sp
from sympy.core.function import ArgumentIndexError

import asymp.symbolics as sy


class Mills(sp.Function):  # type: ignore[misc]
    """M(s, x) = Gamma(s, x) e^x x^(1-s): see the module."""

    nargs = 2

    def fdiff(self, argindex: int = 2) -> sp.Expr:
        """dM/dx = M (1 + (1 - s)/x) - 1."""
        s, x = self.args
        if argindex != 2:
            raise ArgumentIndexError(self, argindex)
        return self * (1 + (1 - s) / x) - 1

    def defined(self) -> sp.Expr:
        """By the incomplete gamma function, whose exponential goes out in the kernel's series."""
        s, x = self.args
        return sp.uppergamma(s, x, evaluate=False) * sp.exp(x - (s - 1) * sp.log(x), evaluate=False)


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
