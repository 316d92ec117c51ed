"""Infinite sums whose successive terms have a rational ratio: sum of x**k/k!, Erlang sums, and the like.

Where |f(i+1)/f(i)| <= r < 1 for all i >= N, the terms from N on sum to at most |f(N)|/(1-r).  The
ratio is a rational function of i; with i = 1/y it is evaluated on the ball y in [0, 1/N].
"""

from __future__ import annotations

from flint import arb, ctx, fmpq
from gmpy2 import mpq

from asymp.enclosure import algebra as al
from asymp.enclosure import arithmetic as ar
from asymp.enclosure.algebra import over, plus, raised, subs, times, whole
from asymp.enclosure.arithmetic import NAN, Number, bits_of, to_ball, within
from asymp.enclosure.calculus import is_rational, line
from asymp.enclosure.fields import cancelled
from asymp.enclosure.plan import Body, Builder, Plan
from asymp.enclosure.summand import gammas
from asymp.kernel.terms import ONE, Refused, Term, name, number

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
    found, following = ONE, plus(name(index), ONE)
    for factor in al.factors(body):
        base, exponent = al.base_and_exponent(factor)
        if index not in base.free:
            straight = line(exponent, index)
            if straight is None:
                return None
            found = times(found, raised(base, straight[0]))
        elif is_rational(factor, index):
            found = times(found, over(subs(factor, {index: following}), factor))
        elif (n := whole(exponent)) is not None and (several := gammas(base)) is not None:
            for z, weight in several:
                step = line(z, index)
                a = None if step is None else whole(step[0])
                if a is None or abs(a) > MOST_STEPS:
                    return None
                found = times(found, raised(_rising(z, a), number(weight * n)))
        else:
            return None
    return cancelled(found)


def _rising(z: Term, steps: int) -> Term:
    """Gamma(z + steps)/Gamma(z)."""
    product = times(*(plus(z, number(mpq(j if steps > 0 else -j - 1))) for j in range(abs(steps))))
    return product if steps >= 0 else raised(product, number(-1))


def infinite(body: Body, ratio: Body, first: int) -> Number:
    """The sum from ``first`` to infinity."""
    total: Number = ar.ZERO
    goal = ctx.prec + 10
    largest = -(1 << 60)
    for i in range(first, first + MOST_TERMS):
        term = body(fmpq(i))
        if isinstance(term, arb) and not term.is_finite():
            return NAN
        size = bits_of(term)
        largest = max(largest, size)
        if i > 1 and size < largest - goal:
            bound = abs(to_ball(ratio(arb(0).union(arb(1) / i))))
            if bound < 1:
                for k in (i, i + 1, i + 7):  # the word of the ratio is not taken for it
                    if not (to_ball(body(fmpq(k))) * ratio(fmpq(1, k))).overlaps(to_ball(body(fmpq(k + 1)))):
                        return NAN
                return ar.add((total, within(abs(to_ball(term)) / (1 - arb(bound.abs_upper())))))
        total = ar.add((total, term))
    return NAN
