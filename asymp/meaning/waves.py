"""Oscillation and jumps: an expression that is linear in them is bounded by its values at the ends of their ranges.

>>> n = sp.Symbol("n", positive=True)
>>> [str(e) for e, _ in corners(n + sp.sin(n))]
['n - 1', 'n + 1']
>>> corners(n + 1), [(str(e), attained) for e, attained in corners(sp.floor(n / 2))]
([], [('n/2', True), ('n/2 - 1', False)])
"""

from __future__ import annotations

import itertools

import sympy as sp

import asymp.symbolics as sy

MOST = 4


def corners(expr: sp.Expr) -> list[tuple[sp.Expr, bool]]:
    """The expression at the ends of what oscillates or jumps in it, and whether each belongs to the range.

    [] where nothing oscillates, or it is not linear in what does.
    """
    found: dict[sp.Expr, tuple[sp.Symbol, tuple[sp.Expr, bool], tuple[sp.Expr, bool]]] = {}

    def held(e: sp.Expr, low: sp.Expr, high: sp.Expr, high_open: bool = False) -> sp.Expr:
        if e not in found:
            found[e] = (sp.Dummy("r", real=True), (sp.sympify(low), True), (sp.sympify(high), not high_open))
        return found[e][0]

    def swapped(e: sp.Expr) -> sp.Expr:
        if not e.free_symbols or not e.args or isinstance(e, (sp.Sum, sp.Product, sp.Integral)):
            return e
        if e.is_Pow and e.exp.is_Integer and e.exp > 0 and e.exp % 2 == 0 and isinstance(e.base, (sp.sin, sp.cos)):
            return held(e, sp.S.Zero, sp.S.One)
        if isinstance(e, (sp.sin, sp.cos, sp.sign)) or (e.is_Pow and e.base == -1):
            return held(e, sp.S.NegativeOne, sp.S.One)
        if isinstance(e, (sp.floor, sp.ceiling)):
            part = held(e, sp.S.Zero, sp.S.One, high_open=True)
            inner = swapped(e.args[0])
            return inner - part if isinstance(e, sp.floor) else inner + part
        return e.func(*(swapped(x) for x in e.args))

    form = swapped(expr)
    symbols = [r for r, _, _ in found.values()]
    if not symbols or len(symbols) > MOST:
        return []
    form = sy.expand(form)
    if any(sy.expand(sy.diff(form, r)).has(r) for r in symbols):
        return []
    result = []
    for ends in itertools.product(*((low, high) for _, low, high in found.values())):
        at = dict(zip(symbols, (value for value, _ in ends), strict=True))
        result.append((sy.expand(form.subs(at, simultaneous=True)), all(attained for _, attained in ends)))
    return result
