"""Infinite sums whose successive terms have a rational ratio: sum of x**k/k!, Erlang sums, and the like.

Where |f(i+1)/f(i)| <= r < 1 for all i >= N, the terms from N on sum to at most |f(N)|/(1-r).  The
ratio is a rational function of i; with i = 1/y it is evaluated on the ball y in [0, 1/N].
"""

from __future__ import annotations

from typing import Any

from flint import arb, ctx, fmpq
from gmpy2 import mpq

from asymp.enclosure import arithmetic as ar
from asymp.enclosure.algebra import (
    ONE,
    base_and_exponent,
    factors,
    has,
    minus,
    name,
    over,
    plus,
    raised,
    subs,
    summands,
    times,
    whole,
)
from asymp.enclosure.arithmetic import NAN, Number, bits_of, to_ball, within
from asymp.enclosure.calculus import is_rational, line
from asymp.enclosure.fields import cancelled
from asymp.enclosure.plan import Builder, Plan, body_value
from asymp.kernel.terms import Refused, Term, number

MOST_TERMS = 100_000
MOST_STEPS = 60
"""By which the arguments of Gamma functions differ."""


def ratio_plan(builder: Builder, body: Term, index: str) -> Plan | None:
    """The plan of f(1/y + 1)/f(1/y) in y (under the name of the index), or None."""
    try:
        ratio = step_ratio(body, index)
        inverse = None if ratio is None else cancelled(subs(ratio, {index: raised(name(index), number(-1))}))
    except Refused:
        return None
    return None if inverse is None else builder.body(inverse, index)


def step_ratio(body: Term, index: str) -> Term | None:
    """f(i + 1)/f(i), where that is a rational function: of products of powers, Gamma functions and rational functions.

    >>> from asymp.enclosure.algebra import read
    >>> str(step_ratio(read("x^i/factorial(i)"), "i"))
    'x*(i + 1)^(-1)'
    """
    first, *others = summands(body)
    found = _of_product(first, index)
    if found is None:
        return None
    if others:  # t_1 (1 + t_2/t_1 + ...), where these are rational
        several = [_quotient(other, first, index) for other in others]
        if any(one is None for one in several):
            return None
        rest = plus(ONE, *(one for one in several if one is not None))
        found = times(found, over(subs(rest, {index: plus(name(index), ONE)}), rest))
    return cancelled(found)


def _of_product(term: Term, index: str) -> Term | None:
    found = ONE
    following = plus(name(index), ONE)
    for factor in factors(term):
        base, exponent = base_and_exponent(factor)
        if index not in factor.free:
            continue
        if index not in base.free:
            straight = line(exponent, index)
            if straight is None:
                return None
            found = times(found, raised(base, straight[0]))
        elif is_rational(factor, index):
            found = times(found, over(subs(factor, {index: following}), factor))
        elif (n := whole(exponent)) is not None and (gammas := _gammas(base)) is not None:
            for z, weight in gammas:
                step = line(z, index)
                a = None if step is None else whole(step[0])
                if a is None or abs(a) > MOST_STEPS:
                    return None
                found = times(found, raised(_rising(z, a), number(weight * n)))
        else:
            return None
    return found


def _gammas(term: Term) -> list[tuple[Term, int]] | None:
    """Arguments of Gamma and its powers whose product the term is."""
    match term.head:
        case "gamma":
            return [(term.parts[0], 1)]
        case "factorial":
            return [(plus(term.parts[0], ONE), 1)]
        case "binomial":
            n, k = term.parts
            return [(plus(n, ONE), 1), (plus(k, ONE), -1), (plus(minus(n, k), ONE), -1)]
        case "rf":
            x, n = term.parts
            return [(plus(x, n), 1), (x, -1)]
    return None


def _rising(z: Term, steps: int) -> Term:
    """Gamma(z + steps)/Gamma(z)."""
    product = times(*(plus(z, number(mpq(j if steps > 0 else -j - 1))) for j in range(abs(steps))))
    return product if steps >= 0 else raised(product, number(-1))


def _quotient(one: Term, other: Term, index: str) -> Term | None:
    """One term over another, where that is rational: Gamma functions of arguments that differ by whole numbers are one."""
    found, powers = ONE, ONE
    gammas: dict[Term, list[tuple[int, int]]] = {}
    for factor in factors(over(one, other)):
        base, exponent = base_and_exponent(factor)
        n = whole(exponent)
        several = _gammas(base) if n is not None and index in base.free else None
        if several is None:
            powers = times(powers, factor)
            continue
        for z, weight in several:
            shift = next((int(p.number) for p in summands(z) if p.is_number and p.number.denominator == 1), 0)
            gammas.setdefault(minus(z, number(mpq(shift))), []).append((shift, weight * (n or 0)))
    for z, shifts in gammas.items():
        if sum(weight for _, weight in shifts) or max(abs(k) for k, _ in shifts) > MOST_STEPS:
            return None
        for k, weight in shifts:
            found = times(found, raised(_rising(z, k), number(weight)))
    total = times(found, powers)
    return total if is_rational(total, index) and not has(total, "factorial", "gamma") else None


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
    """Whether the ratio reproduces a few terms: its word is not taken for it."""
    for i in (at, at + 1, at + 7):
        here, after = (to_ball(body_value(plan, environment, inputs, fmpq(k))) for k in (i, i + 1))
        if not (here * body_value(ratio, environment, ratio_inputs, fmpq(1, i))).overlaps(after):
            return False
    return True


def _on_tail(ratio: Plan, environment: Any, inputs: list[Number], start: int) -> Number:
    reach = arb(1) / start
    return body_value(ratio, environment, inputs, arb(0).union(reach))
