"""Orders of growth from explicit bounds on the quotient: |h/g| <= C G for all n >= N."""

from __future__ import annotations

import sympy as sp

from asymp.check import gate
from asymp.check.gate import Question
from asymp.check.points import short
from asymp.claim import Evidence, Outcome, Step
from asymp.enclosure import InputError, Undecided
from asymp.enclosure.explicit import rounded_up
from asymp.expand.explicit import Calculus
from asymp.expand.supremum import Ball, Later
from asymp.expansion import Refused
from asymp.scale import ONE, Growth, Regime

STARTS = (2, 3, 10, 100, 10**4, 10**9, 10**20, 10**50, 10**100, 10**1000)


def by_explicit_bounds(q: Question, regime: Regime, whole: bool) -> tuple[Evidence, ...]:
    """|h/g| <= C G for n >= N, G bounded (or G -> 0); or |g/h| is bounded like that, which refutes it."""
    if regime.ranges or regime.cases:
        return ()
    (scale,) = regime.scales
    n = sp.Symbol(scale.name, positive=True)
    h, g = (regime.resolve(x).subs(scale, n) for x in (q.h, q.g))
    if h == 0 or g == 0 or (h.free_symbols | g.free_symbols) - {n}:
        return ()
    there, shown = Question(h, q.order, g), regime.display(scale)
    found = _bound_of(h / g, n)
    if found is not None:
        growth, size, start = found
        where = growth.limit()
        if where == "zero" or (where == "one" and q.order == "O"):
            why = f"|h/g| <= {_product(size, growth)} for all {shown} >= {short(start)}, which is {q.order}(1)"
            return _bounded_by(Outcome.HOLDS, why, there, found, n, whole)
    found = _bound_of(g / h, n)
    if found is not None and _bound_of(1 / h, n) is not None:  # and h is nowhere 0 far out
        growth, size, start = found
        where = growth.limit()
        if where == "zero" or (where == "one" and q.order == "o"):
            why = f"|g/h| <= {_product(size, growth)} for all {shown} >= {short(start)}, so that h/g is not {q.order}(1)"
            return _bounded_by(Outcome.REFUTED, why, Question(g, q.order, h), found, n, whole)
    return ()


def _product(size: Ball, growth: Growth) -> str:
    return rounded_up(size, 4) + ("" if growth == ONE else f"*{growth}")


def _bound_of(expr: sp.Expr, n: sp.Symbol) -> tuple[Growth, Ball, int] | None:
    """(G, C, N) with |expr| <= C G for all n >= N, or None."""
    for order in (2, 4):
        for start in STARTS:
            c = Calculus(n, start, order)
            try:
                growth, size = c.magnitude(c(expr))
                c.half_line.require_positive(growth)
            except Later:
                continue
            except (Refused, Undecided, InputError, ValueError, TypeError, ZeroDivisionError, NotImplementedError):
                break
            return growth, size, start
    return None


def _bounded_by(
    outcome: Outcome, why: str, q: Question, found: tuple[Growth, Ball, int], n: sp.Symbol, whole: bool
) -> tuple[Evidence, ...]:
    """The bound |h| <= C G |g|, set against certified values of h and g from the start on."""
    growth, size, start = found
    bound = sp.Rational(rounded_up(size, 8)) * growth.expr
    points = (gate.whole_points if whole else gate.real_points)(n, start)
    return gate.within(q, bound, points).proof(outcome, why, (Step("explicit expansion of the quotient", why),))
