"""Infinite sums whose successive terms have a rational ratio, or one that is bounded by such: sum of x**k/k!, Erlang sums,
Borel's.

Where |f(i+1)/f(i)| <= r < 1 for all i >= N, the terms from N on sum to at most |f(N)|/(1-r).  The
ratio is a rational function of i; with i = 1/y it is evaluated on the ball y in [0, 1/N].  It may have further factors, each
of them bounded for all i >= N by its value at N:

* x^(g(i+1) - g(i)) for a power x^g(i), where g is c d^i, d > 1, or c i^m, m > 1: the difference grows, so that the factor falls
  if it is below 1;
* for (i + b)^(g i + d), b >= 0, z = i + b: the ratio is z^g (1 + 1/z)^(g z) (1 + 1/z)^(g + d - g b), where (1 + 1/z)^z rises
  to e.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flint import arb, ctx, fmpq
from gmpy2 import mpq

from asymp.enclosure import algebra as al
from asymp.enclosure import arithmetic as ar
from asymp.enclosure.algebra import E, over, plus, raised, subs, times, whole
from asymp.enclosure.arithmetic import NAN, Number, bits_of, to_ball, within
from asymp.enclosure.calculus import is_rational, line
from asymp.enclosure.fields import cancelled
from asymp.enclosure.plan import Body, Builder, Plan
from asymp.enclosure.summand import gammas
from asymp.kernel.terms import ONE, ZERO, Refused, Term, name, number

MOST_TERMS, FAR = 30_000, 10**9
"""Of a sum; and where a bound of the ratio is looked at that is nearly its limit."""
ANCHOR = 16
"""Each so many terms one is computed by itself, where the ratio gives those between."""
MOST_STEPS = 60
"""By which the arguments of Gamma functions differ."""


@dataclass(frozen=True)
class Ratio:
    """Plans of f(1/y + 1)/f(1/y) in y (under the name of the index), of further factors that fall from i on, in i, and of such as
    do where they are below 1."""

    plan: Plan
    falling: Plan
    small: tuple[Plan, ...]
    exact: bool

    def at(self, v: Any) -> Steps:
        """With the numbers of an outer plan."""
        return Steps(Body(self.plan, v), Body(self.falling, v), [Body(one, v) for one in self.small], self.exact)


@dataclass(frozen=True)
class Steps:
    """A ratio with numbers in it."""

    plain: Body
    falling: Body
    small: list[Body]
    exact: bool

    def bound(self, i: int) -> arb:
        """Of |f(k + 1)/f(k)| for all k >= i; nan where none is seen."""
        return abs(to_ball(self.plain(arb(0).union(arb(1) / i)))) * self._others(i)

    def hopeless(self, first: int) -> bool:
        """Whether no bound below 1 is to be had far out: the terms fall like a power, if at all, or a factor rises."""
        if self.small:
            return not self._others(max(first, 1)).is_finite()
        return not self._far() < 1

    def _far(self) -> arb:
        return abs(to_ball(self.plain(fmpq(0)))) * self._others(FAR)

    def slow(self, bits: int) -> bool:
        """Whether so many terms do not make the last one so many bits smaller: the ratio is too near 1."""
        return not self.small and bool(self._far().log() * MOST_TERMS > -bits * arb.const_log2())

    def holds(self, k: int, one: Number, other: Number) -> bool:
        """Whether one and other may be f(k) and f(k + 1): the word of the ratio is not taken for it."""
        found = to_ball(one) * self.plain(fmpq(1, k))
        if self.exact:
            return found.overlaps(to_ball(other))
        return not abs(to_ball(other)) > abs(found) * self._others(k)

    def _others(self, i: int) -> arb:
        found = arb(1) if self.exact else to_ball(self.falling(fmpq(i)))
        for one in self.small:
            value = to_ball(one(fmpq(i)))
            found = found * value if 0 < value < 1 else NAN
        return found


def ratio_plan(builder: Builder, body: Term, index: str) -> Ratio | None:
    """The ratio of a summand, or None."""
    try:
        found = steps_of(body, index)
        inverse = None if found is None else cancelled(subs(found[0], {index: raised(name(index), number(-1))}))
    except Refused:
        return None
    if found is None or inverse is None:
        return None
    _, falling, small = found
    plans = builder.body(inverse, index), builder.body(times(*falling), index)
    return Ratio(*plans, tuple(builder.body(one, index) for one in small), not falling and not small)


def steps_of(body: Term, index: str) -> tuple[Term, list[Term], list[Term]] | None:
    """A rational function of i, further factors that fall, and others that do where they are below 1: f(i + 1)/f(i) is their
    product, or at most that.

    >>> from asymp.enclosure.algebra import read
    >>> [str(found) if isinstance(found, Term) else [str(one) for one in found] for found in steps_of(read("x^(2^i)*i^i"), "i")]
    ['i', ['E', '1 + i^(-1)'], ['x^(2^i)']]
    """
    found, following, falling, small = ONE, plus(name(index), ONE), list[Term](), list[Term]()
    for factor in al.factors(body):
        base, exponent = al.base_and_exponent(factor)
        if base.head == "power" and whole(exponent) is not None and index not in base.parts[0].free:
            base, exponent = base.parts[0], times(base.parts[1], exponent)
        if index not in base.free:
            for part in al.summands(exponent):
                straight = line(part, index)
                if straight is not None:
                    found = times(found, raised(base, straight[0]))
                elif (rise := _rise(part, index)) is not None:
                    small.append(raised(base, rise))
                else:
                    return None
        elif is_rational(factor, index):
            found = times(found, over(subs(factor, {index: following}), factor))
        elif (n := whole(exponent)) is not None and (several := gammas(base)) is not None:
            for z, weight in several:
                step = line(z, index)
                a = None if step is None else whole(step[0])
                if a is None or abs(a) > MOST_STEPS:
                    return None
                found = times(found, raised(_rising(z, a), number(weight * n)))
        elif (own := _tower(base, exponent, index)) is not None:
            found = times(found, own[0])
            falling += own[1:]
        else:
            return None
    return cancelled(found), falling, small


def _rise(part: Term, index: str) -> Term | None:
    """g(i + 1) - g(i), which grows without bound, for g = c d^i, d > 1, or c i^m, m > 1."""
    still, moving = al.apart(part, index)
    base, exponent = al.base_and_exponent(moving)
    m = whole(exponent)
    if base == name(index) and m is not None and m > 1:
        return times(still, al.minus(raised(plus(name(index), ONE), exponent), moving))
    if base.is_number and base.number > 1 and exponent == name(index):
        return times(still, number(base.number - 1), moving)
    return None


def _tower(base: Term, exponent: Term, index: str) -> tuple[Term, ...] | None:
    """What bounds the ratio of (a i + c)^(g i + d), a > 0 and c/a >= 0 and g and d numbers: z^g a^g, and factors that fall."""
    inner, outer = line(base, index), line(exponent, index)
    if inner is None or outer is None or not all(x.is_number for x in outer) or inner[0] == ZERO:
        return None
    shift, (g, d) = over(inner[1], inner[0]), (x.number for x in outer)
    if not shift.is_number or shift.number < 0 or g.denominator != 1:
        return None
    z = plus(name(index), shift)
    after = plus(ONE, raised(z, number(-1)))
    rest = g + d - g * shift.number
    falls = [Term("exp", (number(g),)) if g > 0 else raised(after, times(number(g), z))] if g else []
    falls = [E if one == Term("exp", (ONE,)) else one for one in falls]
    if rest > 0:
        falls.append(raised(after, number(rest)))
    return times(raised(z, number(g)), raised(inner[0], number(g))), *falls


def _rising(z: Term, steps: int) -> Term:
    """Gamma(z + steps)/Gamma(z)."""
    product = times(*(plus(z, number(mpq(j if steps > 0 else -j - 1))) for j in range(abs(steps))))
    return product if steps >= 0 else raised(product, number(-1))


def infinite(body: Body, ratio: Steps, first: int) -> Number:
    """The sum from ``first`` to infinity."""
    total: Number = ar.ZERO
    goal = ctx.prec + 10
    largest = -(1 << 60)
    if ratio.hopeless(first) or ratio.slow(goal - 64):
        return NAN
    told = ratio.exact and not ratio.small
    following: arb | None = None  # by the ratio
    for i in range(first, first + MOST_TERMS):
        if following is None or i % ANCHOR == 0 or not following.is_finite():
            term = body(fmpq(i))
            if following is not None and not following.overlaps(to_ball(term)):
                return NAN
        else:
            term = following
        if isinstance(term, arb) and not term.is_finite():
            return NAN
        following = to_ball(term) * to_ball(ratio.plain(fmpq(1, i))) if told and i > 0 else None
        size = bits_of(term)
        largest = max(largest, size)
        if i > 1 and size < largest - goal:
            bound = ratio.bound(i)
            if bound < 1:
                values = {k: body(fmpq(k)) for k in (i, i + 1, i + 2, i + 7, i + 8)}
                if not all(ratio.holds(k, values[k], values[k + 1]) for k in (i, i + 1, i + 7)):
                    return NAN
                return ar.add((total, within(abs(to_ball(term)) / (1 - arb(bound.abs_upper())))))
        # exactly, it would grow with every term, for nothing: the tail is a ball
        total = ar.add((total, to_ball(term)))
    return NAN


def infinite_product(body: Body, parts: list[tuple[Body, Steps]], first: int) -> Number:
    """The product of f(i) = 1 + sum of g_j(i) from ``first`` to infinity: with s the sum of all |g_j(i)|, i >= N, that of the
    factors from N on lies within e^s - 1 of 1."""
    total: Number = ar.ONE
    if any(ratio.hopeless(first) for _, ratio in parts):
        return NAN
    for i in range(first, first + MOST_TERMS):
        values = [to_ball(part(fmpq(i))) for part, _ in parts]
        if i > 1 and all(bits_of(value) < -ctx.prec - 10 for value in values):
            bounds = [ratio.bound(i) for _, ratio in parts]
            if all(bound < 1 for bound in bounds):
                if not all(ratio.holds(k, part(fmpq(k)), part(fmpq(k + 1))) for part, ratio in parts for k in (i, i + 1, i + 7)):
                    return NAN
                rest = sum((abs(x) / (1 - arb(bound.abs_upper())) for x, bound in zip(values, bounds, strict=True)), arb(0))
                return ar.multiply((total, 1 + within(rest.expm1())))
        total = ar.multiply((total, body(fmpq(i))))
        if isinstance(total, arb) and not total.is_finite():
            return NAN
    return NAN
