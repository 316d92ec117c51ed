"""Which expressions have whole values for whole values of some variables.

>>> n = sp.Symbol("n", positive=True)
>>> [whole_valued(e, {"n"}).value for e in (n * (n + 1) / 2, n / 2, n + sp.Rational(1, 2), sp.sqrt(n), sp.floor(sp.sqrt(n)))]
['always', 'fails', 'never', 'unknown', 'always']
"""

from __future__ import annotations

import itertools
from collections.abc import Collection

import sympy as sp

import asymp.symbolics as sy
from asymp.meaning.truth import Truth

MOST_RESIDUES = 4096


def marked(expr: sp.Expr, whole: Collection[str]) -> sp.Expr:
    """The expression with integer symbols in place of those whose names are whole; SymPy evaluates anew."""
    return expr.subs(marks(expr, whole)) if marks(expr, whole) else expr


def marks(expr: sp.Expr, whole: Collection[str]) -> dict[sp.Symbol, sp.Symbol]:
    """Symbol -> the same with integer values, for the names that are whole."""
    return {
        s: sp.Symbol(s.name, integer=True, **{k: True for k in ("positive", "nonnegative") if getattr(s, f"is_{k}")})
        for s in sorted(expr.free_symbols, key=str)
        if s.name in whole and not s.is_integer
    }


def whole_valued(expr: sp.Expr, whole: Collection[str]) -> Truth:
    """Whether the expression is whole at all whole values of the named symbols (bound integer symbols count too)."""
    held: dict[sp.Expr, sp.Dummy] = {}
    expr = marked(expr, whole).replace(  # floor(x/y) is whole where it is defined, which is asked elsewhere
        lambda e: isinstance(e, (sp.floor, sp.ceiling)) and not e.is_integer,
        lambda e: held.setdefault(e, sp.Dummy("w", integer=True)),
    )
    if expr.is_integer:
        return Truth.ALWAYS
    if expr.is_integer is False and expr.is_real:
        return Truth.NEVER
    values = _residues(expr)
    if values is None:
        return Truth.UNKNOWN
    return Truth.ALWAYS if values == {True} else Truth.NEVER if values == {False} else Truth.FAILS


def _residues(expr: sp.Expr) -> set[bool] | None:
    """Whether a polynomial with rational coefficients is whole, residue by residue of its whole variables.

    With the common denominator d, d P has integer coefficients, and its value mod d depends on the residues alone.
    """
    atoms: dict[sp.Expr, sp.Dummy] = {}

    def plain(e: sp.Expr) -> sp.Expr:
        if e.is_Add or e.is_Mul or (e.is_Pow and e.exp.is_Integer and e.exp > 0):
            return e.func(*(plain(x) for x in e.args))
        if e.is_Rational or e.is_Symbol or not e.is_integer:
            return e
        return atoms.setdefault(e, sp.Dummy("w", integer=True))

    form = sy.expand(plain(sy.expand(expr)))
    symbols = sorted(form.free_symbols, key=str)
    if not symbols or not all(s.is_integer for s in symbols) or not form.is_polynomial(*symbols):
        return None
    poly = sy.poly(form, *symbols)
    if not all(c.is_Rational for c in poly.coeffs()):
        return None
    denominator = int(sp.ilcm(1, *(c.q for c in poly.coeffs())))
    if denominator ** len(symbols) > MOST_RESIDUES:
        return None
    found = set()
    for values in itertools.product(range(denominator), repeat=len(symbols)):
        found.add(bool(sp.Rational(poly.eval(dict(zip(symbols, values, strict=True)))).is_integer))
    return found


def rational_valued(expr: sp.Expr, whole: Collection[str]) -> bool:
    """Whether it is a rational number at all whole values of the named symbols."""
    return bool(marked(expr, whole).is_rational)
