r"""Special functions that SymPy lacks.

>>> import sympy as sp
>>> import asymp.symbolics as sy
>>> u = sp.Symbol("u", positive=True)
>>> sy.latex(GammaDerivative(1, 0, u))
'\\Gamma^{(1)}\\left(0, u\\right)'
>>> sp.diff(GammaDerivative(1, 0, u), u)
-exp(-u)*log(u)/u
"""

from __future__ import annotations

from typing import Any

import mpmath
import sympy as sp


class GammaDerivative(sp.Function):
    r"""``GammaDerivative(k, a, u)``: the k-th derivative in ``a`` of the incomplete gamma function.

    .. math:: \Gamma^{(k)}(a, u) = \int_u^\infty e^{-s} s^{a-1} (\ln s)^k \, ds, \qquad u > 0.

    k = 0 is ``uppergamma(a, u)``.  ``GammaDerivative(1, 0, u)`` is the tail of a sum of
    ``x**i * harmonic(i) / i``.  Certified values: :func:`asymp.enclosure.enclose`.

    >>> import sympy as sp
    >>> GammaDerivative(1, 0, 1).evalf(12)
    0.0978431972167
    """

    nargs = (3,)

    @classmethod
    def eval(cls, k: sp.Expr, a: sp.Expr, u: sp.Expr) -> sp.Expr | None:
        if k.is_zero:
            return sp.uppergamma(a, u)
        if k.is_number and (k.is_integer is False or k.is_negative):
            raise ValueError("GammaDerivative: the order k must be a nonnegative integer")
        return None

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        k, a, u = self.args
        if argindex == 2:
            return GammaDerivative(k + 1, a, u)
        if argindex == 3:
            return -sp.exp(-u) * u ** (a - 1) * sp.log(u) ** k
        raise sp.ArgumentIndexError(self, argindex)

    def _eval_is_real(self) -> bool | None:
        return True if self.args[2].is_positive and self.args[1].is_real else None

    def _eval_evalf(self, prec: int) -> sp.Expr | None:
        if not all(arg.is_number for arg in self.args):
            return None
        k, a, u = (arg._to_mpmath(prec + 20) for arg in self.args)
        with mpmath.workprec(prec + 20):
            if u < 1:  # the integrand is steep near 0: integrate over ln s there
                head = mpmath.quad(
                    lambda t: mpmath.exp(-mpmath.exp(t) + a * t) * t**k, mpmath.linspace(mpmath.log(u), 0, 9)
                )
                u = mpmath.mpf(1)
            else:
                head = mpmath.mpf(0)
            tail = mpmath.quad(
                lambda v: mpmath.exp(-v) * (u + v) ** (a - 1) * mpmath.log(u + v) ** k,
                [0, 1, 3, 8, 20, 50, mpmath.inf],
            )
            value = head + mpmath.exp(-u) * tail
        return sp.Float._new(value._mpf_, prec)

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        k, a, u = (printer._print(arg) for arg in self.args)
        body = rf"\Gamma^{{({k})}}\left({a}, {u}\right)"
        return body if exp is None else rf"\left({body}\right)^{{{exp}}}"


class ZetaDerivative(sp.Function):
    r"""``ZetaDerivative(m, s)``: the m-th derivative of Riemann's zeta function at s (DLMF 25.2.6).

    The constant of the sum of k^(-s) (ln k)^m, up to the sign (-1)^m.

    >>> ZetaDerivative(1, -1).evalf(12)
    -0.165421143700
    """

    nargs = (2,)

    @classmethod
    def eval(cls, m: sp.Expr, s: sp.Expr) -> sp.Expr | None:
        if m.is_zero:
            return sp.zeta(s)
        if m.is_number and (m.is_integer is False or m.is_negative):
            raise ValueError("ZetaDerivative: the order m must be a nonnegative integer")
        return None

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        if argindex == 2:
            return ZetaDerivative(self.args[0] + 1, self.args[1])
        raise sp.ArgumentIndexError(self, argindex)

    def _eval_is_real(self) -> bool | None:
        return True if self.args[1].is_real and (self.args[1] - 1).is_nonzero else None

    def _eval_evalf(self, prec: int) -> sp.Expr | None:
        if not all(arg.is_number for arg in self.args):
            return None
        with mpmath.workprec(prec + 20):
            value = mpmath.zeta(self.args[1]._to_mpmath(prec + 20), 1, int(self.args[0]))
        return sp.Float._new(mpmath.mpf(value)._mpf_, prec)

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        order, s = self.args
        mark = "'" * int(order) if order.is_Integer and order <= 2 else f"^{{({printer._print(order)})}}"
        body = rf"\zeta{mark}\left({printer._print(s)}\right)"
        return body if exp is None else rf"\left({body}\right)^{{{exp}}}"
