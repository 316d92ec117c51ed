"""The same with SymPy's expressions: :mod:`asymp.check.integrals` asks it where there is something to do."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

import sympy as sp

from asymp.cas import term_of as as_term
from asymp.check.closed_integrals import closed_form
from asymp.check.closed_sums import written_out
from asymp.kernel.terms import Refused, Term
from asymp.parse.mathematics import parse_expression

__all__ = ["as_term", "cut_series", "evaluable", "expression", "values", "with_whole_limits"]


def expression(term: Term) -> sp.Expr:
    """A term as an expression in positive symbols."""
    return parse_expression(str(term))


def values(instance: Mapping[str, Term]) -> dict[sp.Symbol, sp.Expr]:
    """Values of parameters, which are positive symbols."""
    return {sp.Symbol(name, positive=True): expression(x) for name, x in instance.items()}


def with_whole_limits(expr: sp.Expr, instance: dict[Any, Any], shift: int) -> tuple[dict[Any, Any], sp.Expr]:
    """Parameters that end a sum inside an integral are whole numbers, different ones on different runs; such sums written out."""
    inner = {total for integral in expr.atoms(sp.Integral) for total in integral.function.atoms(sp.Sum)}
    ends = set().union(*(end.free_symbols for total in inner for limit in total.limits for end in limit[1:])) & set(instance)
    if not ends:
        return instance, expr
    instance = {s: sp.ceiling(x) + shift if s in ends else x for s, x in instance.items()}
    return instance, expr.xreplace({total: written_out(total.xreplace(instance)) for total in inner})


def cut_series(expr: sp.Expr) -> sp.Expr:
    """Infinite series that have no ball without it, cut where the terms are far below what is measured."""
    for total in expr.atoms(sp.Sum):
        (i, low, high), *others = total.limits
        powers = [f for f in sp.Mul.make_args(total.function) if f.is_Pow and f.exp == i]
        if high == sp.oo and not others and total.function.has(sp.log) and len(powers) == 1:
            # no ball of this series is to be had: cut where x^i < e^-700, far below what is measured
            expr = expr.subs(total, sp.Sum(total.function, (i, low, sp.floor(-700 / sp.log(powers[0].base)))))
    return expr


def evaluable(expr: sp.Expr) -> sp.Expr:
    """Integrals over ranges up to 10^1000 in incomplete gamma functions (the identity has its own tests)."""
    for integral in expr.atoms(sp.Integral):
        with contextlib.suppress(Refused):
            expr = expr.subs(integral, closed_form(integral))
    return expr
