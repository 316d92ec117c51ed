"""The sign of an expression on an open interval, certified by interval arithmetic and bisection.

Where the expression vanishes at an end, a derivative that has one sign next to that end decides there:
if f = f' = ... = f^(j-1) = 0 at the end and f^(j) keeps its sign, so does f (Taylor's theorem).

>>> t = sp.Symbol("t", real=True)
>>> sign_between(sp.sin(t), t, sp.S.Zero, sp.pi), sign_between(sp.sin(t), t, sp.S.Zero, sp.Integer(4))
(1, None)
"""

from __future__ import annotations

import sympy as sp
from flint import arb, ctx

import asymp.symbolics as sy
from asymp.enclosure.enclose import ball
from asymp.enclosure.numbers import Undecided
from asymp.enclosure.ranges import span

BITS = 128
CELLS = 2_000
"""Intervals looked at before the sign is called unknown."""
DEEPEST = 8
"""Highest derivative that is tried at an end."""


def sign_between(f: sp.Expr, t: sp.Symbol, low: sp.Expr, high: sp.Expr) -> int | None:
    """1 or -1: the sign of f at every point of the open interval; None: not found to be constant.

    ``low`` and ``high`` are finite numbers; f has no other symbol than t.
    """
    if not f.has(t):
        return 1 if f.is_positive else -1 if f.is_negative else None
    try:
        with ctx.workprec(BITS):
            return _decide(f, t, low, high)
    except (Undecided, ValueError, ZeroDivisionError):
        return None


def _decide(f: sp.Expr, t: sp.Symbol, low: sp.Expr, high: sp.Expr) -> int | None:
    a, b = ball(low, {}, BITS), ball(high, {}, BITS)
    if not a < b:
        return None
    bounds = span(f, t)

    left, right, found = a, b, set()
    for end, side in ((low, 1), (high, -1)):
        edge = _edge(f, t, end, side, b - a)
        if edge is None:
            continue
        width, side_sign = edge
        found.add(side_sign)
        if side == 1:
            left = (a + width).lower()
        else:
            right = (b - width).upper()
    if len(found) > 1:
        return None
    waiting, seen = [(left, right)] if left < right else [], 0
    while waiting:
        c, d = waiting.pop()
        seen += 1
        if seen > CELLS:
            return None
        sign = bounds.over(c, d).sign
        if sign is None:
            middle = ((c + d) / 2).mid()
            if not c < middle or not middle < d:
                return None
            waiting += [(c, middle), (middle, d)]
            continue
        found.add(sign)
        if len(found) > 1:
            return None
    return found.pop() if found else None


def _edge(f: sp.Expr, t: sp.Symbol, end: sp.Expr, side: int, length: arb) -> tuple[arb, int] | None:
    """(r, sign): the sign of f on the open interval of length r next to an end where f vanishes."""
    value = f
    for order in range(DEEPEST):
        there = value.subs(t, end)
        if there.is_finite is False or not there.is_number:
            return None
        if there != 0 and sy.simplify(there) != 0:
            if order == 0:
                return None
            point = ball(end, {}, BITS)
            bounds, width = span(value, t), length / 2
            for _ in range(40):
                sign = (bounds.over(point, point + width) if side == 1 else bounds.over(point - width, point)).sign
                if sign is not None:
                    return width.mid() * (1 - arb(2) ** -20), sign * side**order
                width = width / 2
            return None
        value = sy.diff(value, t)
    return None
