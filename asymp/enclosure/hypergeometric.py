"""Infinite sums whose successive terms have a rational ratio: sum of x**k/k!, Erlang sums, and the like.

Where |f(i+1)/f(i)| <= r < 1 for all i >= N, the terms from N on sum to at most |f(N)|/(1-r).  The
ratio is a rational function of i; with i = 1/y it is evaluated on the ball y in [0, 1/N].
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from flint import arb, ctx, fmpq

import asymp.symbolics as sy
from asymp.enclosure import arithmetic as ar
from asymp.enclosure.arithmetic import NAN, Number, bits_of, to_ball, within
from asymp.enclosure.plan import Builder, Plan, body_value

MOST_TERMS = 100_000


def ratio_plan(builder: Builder, body: sp.Expr, index: sp.Symbol) -> Plan | None:
    """The plan of f(1/y + 1)/f(1/y) in y (under the name of the index), or None."""
    whole = sp.Dummy("i", integer=True, positive=True)
    renamed = body.subs(index, whole)
    if renamed.has(sp.Sum, sp.Integral, sp.harmonic, sp.log, sp.floor, sp.ceiling):
        return None
    try:
        ratio = sy.combsimp(sy.gammasimp(sy.powsimp(renamed.subs(whole, whole + 1) / renamed)))
    except sy.SymbolicFailure:
        return None
    if not ratio.is_rational_function(whole):
        return None
    inverse = sy.cancel(ratio.subs(whole, 1 / index))
    return builder.body(inverse, index)


def infinite(
    plan: Plan, ratio: Plan, environment: Any, inputs: list[Number], ratio_inputs: list[Number], first: int
) -> Number:
    """The sum from ``first`` to infinity."""
    total: Number = ar.ZERO
    goal = ctx.prec + 10
    largest = -(1 << 60)
    for i in range(first, first + MOST_TERMS):
        term = body_value(plan, environment, inputs, fmpq(i))
        if isinstance(term, arb) and not term.is_finite():
            return NAN
        size = bits_of(term)
        largest = max(largest, size)
        if i > 1 and size < largest - goal:
            bound = abs(to_ball(_on_tail(ratio, environment, ratio_inputs, i)))
            if bound < 1:
                if not _agrees(plan, ratio, environment, inputs, ratio_inputs, i):
                    return NAN
                return ar.add((total, within(abs(to_ball(term)) / (1 - arb(bound.abs_upper())))))
        total = ar.add((total, term))
    return NAN


def _agrees(
    plan: Plan, ratio: Plan, environment: Any, inputs: list[Number], ratio_inputs: list[Number], at: int
) -> bool:
    """Whether SymPy's simplified ratio reproduces a few terms: its word is not taken for it."""
    for i in (at, at + 1, at + 7):
        here, after = (to_ball(body_value(plan, environment, inputs, fmpq(k))) for k in (i, i + 1))
        if not (here * body_value(ratio, environment, ratio_inputs, fmpq(1, i))).overlaps(after):
            return False
    return True


def _on_tail(ratio: Plan, environment: Any, inputs: list[Number], start: int) -> Number:
    reach = arb(1) / start
    return body_value(ratio, environment, inputs, arb(0).union(reach))
