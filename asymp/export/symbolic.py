r"""SymPy's expressions as LaTeX, in a paper's notation."""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.printing.latex import LatexPrinter

import asymp.symbolics as sy
from asymp.export.notation import Names


class _Printer(LatexPrinter):
    """SymPy's LaTeX with H_n for harmonic numbers and E_1 for the exponential integral."""

    def _print_harmonic(self, expr: sp.Expr, exp: str | None = None) -> str:
        order = rf"^{{\left({self._print(expr.args[1])}\right)}}" if len(expr.args) == 2 else ""
        name = f"H_{{{self._print(expr.args[0])}}}{order}"
        if exp is None:
            return name
        return rf"\left({name}\right)^{{{exp}}}" if order else f"{name}^{{{exp}}}"

    def _print_expint(self, expr: sp.Expr, exp: str | None = None) -> str:
        power = "" if exp is None else f"^{{{exp}}}"
        return rf"E_{{{self._print(expr.args[0])}}}{power}\left({self._print(expr.args[1])}\right)"


def tex(expr: Any, names: Names | None = None) -> str:
    r"""LaTeX of an expression, with the definitions of named quantities replaced by their names.

    >>> n, m = sp.symbols("n m", positive=True)
    >>> tex(sp.harmonic(n - 1) / n), tex(2 * sp.harmonic(n), {sp.harmonic(n): m})
    ('\\frac{H_{n - 1}}{n}', '2 m')
    """
    if names and isinstance(expr, sp.Basic):
        expr = expr.xreplace({**dict(names), **_denominators(names)})
    return _print(expr)


def _denominators(names: Names) -> dict[sp.Expr, sp.Expr]:
    """Where q = r/S has a name and S is a sum: S is r/q wherever it occurs, as in q x = r x/S."""
    found = {}
    for key, name in names.items():
        for factor in sp.Mul.make_args(key):
            if factor.is_Pow and factor.exp == -1 and factor.base.is_Add and factor.base.has(sp.Sum):
                found[factor.base] = (key * factor.base / name).xreplace(
                    {k: v for k, v in names.items() if k.is_Symbol}
                )
    return found


def _print(expr: Any) -> str:
    return str(_Printer({"ln_notation": True, "symbol_names": sy.SIGNS, "fold_frac_powers": True}).doprint(expr))
