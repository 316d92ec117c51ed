"""Signs of expressions by what their symbols are: SymPy's assumptions after a range has been put in.

>>> s, t = sp.symbols("s t", nonnegative=True)
>>> sorted(signs_of((1 + s) ** 2 + t - 1)), signs_of(1 - t)
([0, 1], None)
"""

from __future__ import annotations

from functools import lru_cache

import sympy as sp

import asymp.symbolics as sy
from asymp.budget import uncounted
from asymp.functions.symbolic import row_of
from asymp.sign import decided_sign

Signs = frozenset[int]
GAVE_UP = (ValueError, TypeError, ArithmeticError, NotImplementedError, AttributeError, RecursionError, KeyError)
"""What SymPy raises where it cannot work with an expression."""
LONGEST = 60
LARGEST = 8
"""Operations in an expression that is brought to one denominator and factored."""
_ALL: tuple[tuple[str, Signs], ...] = (
    ("is_zero", frozenset({0})),
    ("is_positive", frozenset({1})),
    ("is_negative", frozenset({-1})),
    ("is_nonnegative", frozenset({0, 1})),
    ("is_nonpositive", frozenset({0, -1})),
)


@uncounted
@lru_cache(maxsize=20_000)
def signs_of(expr: sp.Expr) -> Signs | None:
    """A set that holds every sign that the expression takes for the values its symbols allow; None: not known."""
    found: Signs | None = None
    for form in _forms(expr):
        for name, signs in _ALL:
            if getattr(form, name):
                found = signs if found is None else found & signs
                break
        if found is not None and len(found) == 1:
            return found
    try:
        known = decided_sign(expr)
    except GAVE_UP:
        known = None
    if known is not None:
        return frozenset({known})
    if found is None and any(form.is_real and form.is_nonzero for form in _forms(expr)):
        return frozenset({-1, 1})
    return found


@uncounted
@lru_cache(maxsize=20_000)
def _forms(expr: sp.Expr) -> tuple[sp.Expr, ...]:
    expr = _ranged(expr)
    forms = [expr]
    if expr.count_ops() > 4 * LONGEST or any(_large(q) for q in expr.atoms(sp.Pow)):
        return (expr,)
    try:
        forms.append(sy.expand(expr))
        if expr.has(sp.log):
            forms.append(sy.expand_log(forms[-1]))
        if expr.count_ops() <= LONGEST and not expr.is_number:
            together = sy.together(expr)
            top, bottom = sp.fraction(together)
            forms.append(sy.expand(top) / sy.expand(bottom))
            if expr.is_rational_function():
                forms.append(sy.factor(together))
    except GAVE_UP:
        pass
    return tuple(dict.fromkeys(forms))


def _large(power: sp.Pow) -> bool:
    """A power that must not be multiplied out."""
    return power.base.is_Add and not (power.exp.is_Rational and abs(power.exp) <= LARGEST)


def _ranged(expr: sp.Expr) -> sp.Expr:
    """Functions whose values SymPy does not bound, as symbols with the sign that the table gives them."""

    def bounded(e: sp.Expr) -> sp.Expr:
        row = row_of(e.func)
        if isinstance(e, sp.harmonic) and (e.args[0] - 1).is_nonnegative and len(e.args) == 1:
            return 1 + sp.Dummy("h", nonnegative=True)
        if isinstance(e, sp.harmonic) and e.args[0].is_positive and len(e.args) == 1:
            return sp.Dummy("h", positive=True)
        if isinstance(e, (sp.binomial,)) and all(a.is_nonnegative for a in (e.args[1], e.args[0] - e.args[1])):
            return sp.Dummy("b", positive=True)
        if row is None or e.is_positive or e.is_nonnegative or not row.range.low.is_zero:
            return e
        return sp.Dummy("p", positive=True) if row.range.low_open else sp.Dummy("p", nonnegative=True)

    held: dict[sp.Expr, sp.Expr] = {}

    def once(e: sp.Expr) -> sp.Expr:
        return held.setdefault(e, bounded(e))

    if not expr.has(sp.Function) or expr.has(sp.Sum, sp.Product, sp.Integral):
        return expr
    return expr.replace(lambda e: isinstance(e, sp.Function) and not isinstance(e, (sp.exp, sp.log)), once)
