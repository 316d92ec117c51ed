"""Sine and cosine, and floor, Abs, Min, Max, sign; other elementary functions are expanded by the table (see rows).

Sources: DLMF 4.14-4.21.
"""

from __future__ import annotations

import sympy as sp

from asymp.expand.engine import Expander
from asymp.expand.method import handles
from asymp.expand.place import place, power_series, shifted, side
from asymp.expansion import Expansion
from asymp.scale import ONE


def _is_zero(x: Expansion) -> bool:
    return not x.terms and not x.remainder


def _circular(expander: Expander, expr: sp.Expr, phase: int) -> Expansion:
    """sin(c + h) = sum_k sin(c + k pi/2) h^k/k!, DLMF 4.19.1-2 and 4.21.2; cos is one quarter ahead.

    At infinity sin and cos oscillate: they are no more than O(1), which holds for every real argument.
    """
    x = expander(expr.args[0])
    at = place(x)
    if at.kind.endswith("infinity"):
        expander.note("bounded, and it oscillates", r"|\sin x| \le 1,\; |\cos x| \le 1", "DLMF 4.18")
        return Expansion.big_o(ONE)
    c = at.centre
    turns = (sp.sin(c), sp.cos(c), -sp.sin(c), -sp.cos(c))
    return power_series(shifted(x, c), lambda k: turns[(k + phase) % 4] / sp.factorial(k), expander.order + 1)


@handles(sp.sin)
def _sin(expander: Expander, expr: sp.Expr) -> Expansion:
    return _circular(expander, expr, 0)


@handles(sp.cos)
def _cos(expander: Expander, expr: sp.Expr) -> Expansion:
    return _circular(expander, expr, 1)


@handles(sp.floor, sp.ceiling)
def _floor(expander: Expander, expr: sp.Expr) -> Expansion:
    """x + O(1)."""
    return expander(expr.args[0]) + Expansion.big_o(ONE)


@handles(sp.Abs)
def _abs(expander: Expander, expr: sp.Expr) -> Expansion:
    """x or -x, by the sign of the term that leads; exact 0 at 0."""
    inner = expander(expr.args[0])
    if not inner.terms:
        return inner  # |O(r)| is O(r)
    return inner.scaled(side(inner))


@handles(sp.sign)
def _sign(expander: Expander, expr: sp.Expr) -> Expansion:
    """1 or -1, from some point on."""
    inner = expander(expr.args[0])
    return inner if _is_zero(inner) else Expansion.constant(side(inner))


@handles(sp.Max, sp.Min)
def _extreme(expander: Expander, expr: sp.Expr) -> Expansion:
    """Two at a time: the one that is larger from some point on; where f - g is O(r) alone, f + O(r)."""
    best, *others = (expander(arg) for arg in expr.args)
    wanted = 1 if isinstance(expr, sp.Max) else -1
    for other in others:
        gap = other - best
        if not gap.terms:
            best = best + gap
        elif side(gap) == wanted:
            best = other
    return best
