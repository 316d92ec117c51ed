r"""Sums of a fixed function that its last terms dominate: sum of k!, 2^k/k, k^k, e^sqrt(k), and tails of convergent ones.

Let R(N) = f(N)/f(N-1), and let u be any function with

.. math:: u(N) - u(N-1)/R(N) = 1 + e(N), \qquad e(N) = O(b(N)).

Then D(N) = sum_{k<=N} f(k) - f(N) u(N) has D(N) - D(N-1) = -f(N) e(N).  If W = f b w is such that
(W(N) - W(N-1))/(f(N) b(N)) tends to a positive limit, sum_{k<=N} f(k) b(k) = O(W(N)) + O(1), so that

.. math:: \sum_{k \le N} f(k) = f(N) u(N) + O(f(N) b(N) w(N)) + O(1).

u is found by iteration, u <- u - e w with w = 1/(1 - 1/R); the identity above is then computed for the u found, so
nothing is taken on trust.  Tails sum_{k>=N} f(k), with f(N+1)/f(N), in the same way.  (The method of undetermined
coefficients; Bender and Orszag, Advanced Mathematical Methods, 5.3; Stolz's theorem for the remainder.)
"""

from __future__ import annotations

import sympy as sp

import asymp.symbolics as sy
from asymp.expand.engine import Expander
from asymp.expand.euler_maclaurin import _N, fixed_summand, integer_valued, require_finite, require_infinite
from asymp.expansion import Expansion, Refused
from asymp.scale import ONE, Growth, Regime, sign


def _quotient(inner: Expander, f: sp.Expr, step: int) -> Expansion:
    """f(N)/f(N-1), or f(N+1)/f(N)."""
    if step < 0:
        return inner(f) * inner(f.subs(_N, _N - 1)).inverse(inner.order)
    return inner(f.subs(_N, _N + 1)) * inner(f).inverse(inner.order)


def solve(inner: Expander, f: sp.Expr, step: int) -> tuple[sp.Expr, list[Growth]]:
    """(u, growths r): the sum up to (step -1) or from (step 1) N on is f(N) (u(N) + O(r)) + O(1), no O(1) for tails.

    Raises:
        Refused: the last terms do not dominate, or the iteration does not gain.
    """
    ratio = _quotient(inner, f, step)
    if step < 0:
        ratio = ratio.inverse(inner.order)  # 1/R, the earlier term over the later one
    one = Expansion.constant(1)
    gap = one - ratio
    growth, coefficient = gap.leading()
    against = (growth * Growth.of(_N)).limit()
    head = inner(f).leading()[0]
    steep = None
    if against == "infinity" and sign(coefficient) == 1:
        steep = gap.inverse(inner.order)
    elif against not in ("one", "zero") or head.large:
        raise Refused("the last terms of the sum do not dominate it")

    def correction(b: Growth) -> Expansion | None:
        """What to add to u for a term b of 1 + e; None where the sum of f b converges."""
        if steep is not None:
            return steep * Expansion.of(b)
        weight = power_weight(head * b, step)
        return None if weight is None else inner(weight * b.expr)

    first = correction(ONE)
    if first is None:
        raise Refused("the sum converges")
    u = first.expr
    best: list[Growth] = []
    found = u
    for _ in range(inner.order + 2):
        error = inner(u) - inner(u.subs(_N, _N + step)) * ratio - one
        growths = [*error.terms, *error.remainder]
        if all(g.limit() == "zero" for g in growths):
            if best and not all(any((g / h).limit() == "zero" for h in best) for g in growths):
                break
            best, found = growths, u
        added = [(c, correction(g)) for g, c in error.terms.items()]
        if all(q is None for _, q in added):
            break
        u = (inner(u) - Expansion.sum(q.scaled(c) for c, q in added if q is not None)).expr
    if not best:
        raise Refused("the sum could not be compared with its last terms")
    rest: list[Growth] = []
    for b in best:
        if steep is not None:
            weight = Expansion.of(steep.leading()[0])
            _check(inner, f, b, weight, ratio, step)
            rest.append(b * steep.leading()[0])
            continue
        bound = correction(b)  # by comparison with the integral of a monotone function
        if bound is not None:
            rest.append(bound.leading()[0])
    return found, rest


def power_weight(growth: Growth, step: int) -> sp.Expr | None:
    """W/g for the sum W of g = N^s (ln N)^l to leading order, up to N (step -1) or from N on; None: it converges.

    Raises:
        Refused: a tail that diverges, or an iterated logarithm at s = -1.
    """
    powers = dict(growth.powers)
    s = powers.pop(_N, sp.S.Zero)
    side = sign(s + 1)
    logs = powers.pop(sp.log(_N), sp.S.Zero)
    if growth.large or side is None or (side == 0 and powers):
        raise Refused("a summand that is not compared with powers of k and ln k")
    if side == 0:
        if logs == -1:
            if step > 0:
                raise Refused("a sum that diverges")
            return _N * sp.log(_N) * sp.log(sp.log(_N))
        side, scale = sign(logs + 1), sp.log(_N) / (logs + 1)
    else:
        scale = 1 / (s + 1)
    if side is None:
        raise Refused("whether a sum converges depends on a parameter")
    if side * step > 0:
        if step > 0:
            raise Refused("a sum that diverges")
        return None
    return -step * _N * scale


def _check(inner: Expander, f: sp.Expr, b: Growth, weight: Expansion, ratio: Expansion, step: int) -> None:
    """(W(N) - W(N + step))/(f(N) b(N)) tends to a positive limit, W = f b w; and W vanishes for a tail."""
    main = inner(b.expr) * weight
    other = inner(main.expr.subs(_N, _N + step)) * ratio
    growth, coefficient = (main - other).leading()
    if (growth / b).limit() != "one" or sign(coefficient) != 1:
        raise Refused("the remainder of the sum could not be bounded by its last term")
    if step > 0 and any((g * next(iter(main.terms))).limit() != "zero" for g in inner(f).terms):
        raise Refused("a sum that diverges")


def telescoped_sum(expander: Expander, expr: sp.Expr) -> Expansion:
    """Sums up to, and tails from, a bound that tends to infinity, dominated by their last terms."""
    f, low, high = fixed_summand(expander, expr)
    if f.has(sp.sin, sp.cos, sp.tan):
        raise Refused("a summand that oscillates")
    variables = expander._variables()
    moving = bool(low.free_symbols & variables)
    inner = Expander(Regime("k -> oo", (_N,), ranges=expander.regime.ranges), expander.order)
    expander.note(
        "a sum compared with its last terms",
        r"S(N) = f(N)u(N)(1+o(1)),\qquad u(N) - u(N-1)\frac{f(N-1)}{f(N)} = 1 + O(b)",
        "Bender and Orszag, 5.3; Stolz's theorem",
    )
    if moving:
        integer_valued(expander, low)
        require_infinite(expander, low)
    if high is sp.oo:
        if not moving:
            raise Refused("an infinite sum that does not depend on the variables")
        return _at(expander, f, *solve(inner, f, 1), low)
    integer_valued(expander, high)
    require_infinite(expander, high)
    if not moving:
        if not low.is_Integer:
            raise Refused(f"a sum that starts at {low}")
        require_finite(f, low)
    try:
        found = solve(inner, f, -1)
    except Refused:
        tail = solve(inner, f, 1)
        total = -_at(expander, f, *tail, high + 1)
        if moving:
            return total + _at(expander, f, *tail, low)
        index = expr.limits[0][0]
        return total + Expansion.constant(sp.Sum(expr.function.subs(dict(expander.regime.ranges)), (index, low, sp.oo)))
    total = _at(expander, f, *found, high) + Expansion.big_o(ONE)
    if moving:
        total = total - _at(expander, f, *found, low - 1)
    return total


def _at(expander: Expander, f: sp.Expr, u: sp.Expr, rest: list[Growth], bound: sp.Expr) -> Expansion:
    head = expander(f.subs(_N, bound))
    body = Expansion.sum(expander(term.subs(_N, bound)) for term in sp.Add.make_args(sy.expand(u)))
    tails = [expander(g.expr.subs(_N, bound)).tail(1) for g in rest]
    return head * Expansion.sum([body, *tails])
