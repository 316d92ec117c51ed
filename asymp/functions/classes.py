"""Functions of the table that SymPy lacks, has by another convention, or would compute at any length, as SymPy's classes.

Numbers that count are those of the DLMF, and are written down only while that is quick: SymPy's ``bell(20000)`` runs for hours,
its ``bernoulli(1)`` is 1/2, and its Stirling numbers of the first kind have no sign unless asked for.

>>> Bernoulli(1), Stirling1(4, 2), Stirling1(4, 1), Stirling2(4, 2), Bell(5), Subfactorial(4)
(-1/2, 11, -6, 7, 52, 9)
>>> n = sp.Symbol("n", integer=True, nonnegative=True)
>>> Bell(n).is_positive, Bell(20_000), Stirling2(3, n + 1)
(True, bell(20000), stirling2(3, n + 1))
>>> x = sp.Symbol("x", real=True)
>>> sp.diff(Hyp1F1(1, 3, 2 * x), x), sp.diff(IncompleteBeta(2, 3, x), x)
(2*hyp1f1(2, 4, 2*x)/3, x*(1 - x)**2)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import mpmath
import sympy as sp
from sympy.functions.combinatorial.numbers import stirling

from asymp.functions.row import Row
from asymp.functions.table import NAMED

MOST_WRITTEN = 200
"""Of what a number is written down at once."""


class _Named(sp.Function):
    """A function that is printed by the language's name for it."""

    called: ClassVar[str]
    by_mpmath: ClassVar[Callable[..., Any] | None] = None

    @classmethod
    def row(cls) -> Row:
        """What the table says of it."""
        return NAMED[cls.called]

    def _eval_evalf(self, prec: int) -> sp.Expr | None:
        by_mpmath = type(self).by_mpmath
        if by_mpmath is None or not all(arg.is_number and arg.is_real for arg in self.args) or self.is_real is False:
            return None
        try:
            with mpmath.workprec(prec + 20):
                value = by_mpmath(*(arg._to_mpmath(prec + 20) for arg in self.args))
        except (ValueError, ZeroDivisionError):  # mpmath's series do not end where the value is 0
            return None
        return sp.Float._new(mpmath.mpf(value)._mpf_, prec) if isinstance(value, mpmath.mpf) else None

    def _sympystr(self, printer: Any) -> str:
        return f"{self.called}({', '.join(map(printer._print, self.args))})"

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        row = self.row()
        parts, body = list(map(printer._print, self.args)), row.latex or rf"\operatorname{{{row.name}}}"
        if "#" not in body:
            body = rf"{body}\left({', '.join(parts)}\right)"
        for k, part in enumerate(parts, 1):
            body = body.replace(f"#{k}", part)
        return body if exp is None else rf"\left({body}\right)^{{{exp}}}"


# --- numbers that count -------------------------------------------------------------------------------


class _Counted(_Named):
    """Numbers at whole arguments that are not negative; others have no value."""

    written: ClassVar[Callable[..., Any]]

    @classmethod
    def eval(cls, *arguments: sp.Expr) -> sp.Expr | None:
        if all(x.is_Integer and 0 <= x <= MOST_WRITTEN for x in arguments):
            return sp.sympify(cls.written(*map(int, arguments)))
        return None

    def _are_counts(self) -> bool | None:
        return True if all(x.is_integer and x.is_nonnegative for x in self.args) else None

    def _eval_is_real(self) -> bool | None:
        return False if any(x.is_integer is False or x.is_negative for x in self.args) else self._are_counts()

    def _eval_is_rational(self) -> bool | None:
        return self._are_counts()

    def _eval_is_integer(self) -> bool | None:
        return self._are_counts() if self.row().whole else None

    def _eval_is_nonnegative(self) -> bool | None:
        return self._are_counts() if self.row().values.low in ("0", "1") else None

    def _eval_is_positive(self) -> bool | None:
        return self._are_counts() if self.row().values.low == "1" else None


class Stirling1(_Counted):
    """``stirling1(n, k)``: s(n, k) of DLMF 26.8, with the sign (-1)^(n - k)."""

    nargs = (2,)
    called = "stirling1"
    by_mpmath = mpmath.stirling1
    written = staticmethod(lambda n, k: stirling(n, k, kind=1, signed=True) if k <= n else 0)


class Stirling2(_Counted):
    """``stirling2(n, k)``: S(n, k) of DLMF 26.8, the partitions of n things into k parts that are not empty."""

    nargs = (2,)
    called = "stirling2"
    by_mpmath = mpmath.stirling2
    written = staticmethod(lambda n, k: stirling(n, k) if k <= n else 0)


class Bell(_Counted):
    """``bell(n)``: B(n) of DLMF 26.7, the partitions of n things."""

    nargs = (1,)
    called = "bell"
    by_mpmath = mpmath.bell
    written = staticmethod(sp.bell)


class Subfactorial(_Counted):
    """``subfactorial(n)``: d(n) of DLMF 26.13, the permutations of n things that leave none in its place."""

    nargs = (1,)
    called = "subfactorial"
    by_mpmath = staticmethod(lambda n: mpmath.nint(mpmath.gammainc(n + 1, -1).real / mpmath.e))
    written = staticmethod(sp.subfactorial)


class Bernoulli(_Counted):
    """``bernoulli(n)``: B_n of DLMF 24.2, so that B_1 = -1/2."""

    nargs = (1,)
    called = "bernoulli"
    by_mpmath = staticmethod(lambda n: mpmath.bernoulli(int(n)))
    written = staticmethod(lambda n: sp.bernoulli(n) if n != 1 else -sp.S.Half)


# --- functions of a real variable ---------------------------------------------------------------------


class Hyp1F1(_Named):
    """``hyp1f1(a, b, x)``: Kummer's M(a, b, x), DLMF 13.2.2; b is none of 0, -1, -2, ..."""

    nargs = (3,)
    called = "hyp1f1"
    by_mpmath = mpmath.hyp1f1

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        a, b, x = self.args
        return a / b * Hyp1F1(a + 1, b + 1, x) if argindex == 3 else sp.Function.fdiff(self, argindex)


class Hyp2F1(_Named):
    """``hyp2f1(a, b, c, x)``: Gauss's function, DLMF 15.2.1, its principal branch; at x = 1 the sum of its series."""

    nargs = (4,)
    called = "hyp2f1"
    by_mpmath = mpmath.hyp2f1

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        a, b, c, x = self.args
        return a * b / c * Hyp2F1(a + 1, b + 1, c + 1, x) if argindex == 4 else sp.Function.fdiff(self, argindex)


class IncompleteBeta(_Named):
    """``betainc(a, b, x)``: B_x(a, b) = int_0^x t^(a - 1) (1 - t)^(b - 1) dt of DLMF 8.17.1, which is not divided by B(a, b)."""

    nargs = (3,)
    called = "betainc"
    by_mpmath = staticmethod(lambda a, b, x: mpmath.betainc(a, b, 0, x))

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        a, b, x = self.args
        return x ** (a - 1) * (1 - x) ** (b - 1) if argindex == 3 else sp.Function.fdiff(self, argindex)


class BarnesG(_Named):
    """``barnesg(x)``: G(x) of DLMF 5.17, so that G(x + 1) = Gamma(x) G(x) and G(1) = 1."""

    nargs = (1,)
    called = "barnesg"
    by_mpmath = mpmath.barnesg

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        (x,) = self.args
        slope = (x - 1) * sp.digamma(x) - x + sp.S.Half + sp.log(2 * sp.pi) / 2  # of its logarithm: DLMF 5.17.4
        return self * slope if argindex == 1 else sp.Function.fdiff(self, argindex)

    def _eval_is_real(self) -> bool | None:
        return self.args[0].is_real

    def _eval_is_positive(self) -> bool | None:
        return self.args[0].is_positive


# --- functions of rows from outside -------------------------------------------------------------------


class Borrowed(_Named):
    """A function of which nothing is known but its row; it is never written down at a number.

    ``slope`` is its derivative at an argument, where the row says that.
    """

    slope: ClassVar[Callable[[sp.Expr], sp.Expr] | None] = None

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        slope = type(self).slope
        return slope(self.args[0]) if slope is not None and len(self.args) == 1 else sp.Function.fdiff(self, argindex)

    def _eval_is_real(self) -> bool | None:
        return True if not self.row().where and all(x.is_real for x in self.args) else None

    def _eval_is_positive(self) -> bool | None:
        values = self.row().values
        return self._eval_is_real() if values.low == "0" and values.low_open and len(self.args) == self.row().least else None
