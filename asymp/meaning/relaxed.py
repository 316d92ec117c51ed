"""Bound variables in terms of new ones that are only positive, so that an expression shows its sign by assumptions alone.

>>> n, k = sp.symbols("n k", positive=True)
>>> [form.is_nonnegative for form in relaxed(n - k, [Binder(k, sp.Integer(1), n, "Sum")])]
[True, None]
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

import asymp.symbolics as sy
from asymp.functions.parts import Binder


def relaxed(expr: sp.Expr, inner: Sequence[Binder]) -> list[sp.Expr]:
    """The expression with bound variables in terms of new ones that are only positive, in several ways."""
    found = []
    for use_high in (True, False):
        form, failed = expr, False
        ends = {b: (b.low, b.high) for b in inner}
        for binder in reversed(inner):
            low, high = ends[binder]
            kind = {"integer": True, "nonnegative": True} if binder.whole else {"positive": True}
            step, gap = sp.Dummy("j", **kind), sp.Dummy("i", nonnegative=True)
            if low.is_infinite and high.is_infinite:
                value = sp.Dummy("t", real=True)
            elif low.is_infinite:
                value = high - step
            else:
                value = low + step
            swap: dict[sp.Symbol, sp.Expr] = {}
            if use_high and not low.is_infinite and not high.is_infinite:
                solved = _solved(_smooth(high) - low - step, gap)
                if solved is not None:
                    swap = dict([solved])
                elif not binder.whole:
                    value = low + (high - low) / (1 + step)
            form = form.subs(binder.symbol, value).subs(swap)
            ends = {b: (x.subs(swap), y.subs(swap)) for b, (x, y) in ends.items()}
            failed = failed or binder.symbol in form.free_symbols
        if not failed:
            found.append(form)
    return list(dict.fromkeys(found))


def _smooth(end: sp.Expr) -> sp.Expr:
    """An upper end without its floor, from above: what lies below floor(x) lies below x."""
    return end.args[0] if isinstance(end, sp.floor) else end


def _solved(difference: sp.Expr, gap: sp.Symbol) -> tuple[sp.Symbol, sp.Expr] | None:
    """The symbol in terms of a gap >= 0 that is the difference; for one that it grows linearly in."""
    for symbol in sorted(difference.free_symbols, key=str):
        rate = sy.diff(difference, symbol)
        if not isinstance(symbol, sp.Dummy) and rate.is_Rational and rate > 0:
            return symbol, sy.expand((gap - difference.subs(symbol, 0)) / rate)
    return None
