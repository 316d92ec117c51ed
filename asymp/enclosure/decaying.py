r"""Terms c t^s (ln t)^l exp(-b t^p) g(t), g bounded: where they are negligible, and what their integrals and sums are beyond.

Where b p B^p > s + l the bound c t^(s+l) exp(-b t^p) decreases from B on (ln t <= t), so that the terms of a sum beyond B
add up to at most its integral, and by parts, with sigma = s + l,

.. math:: \int_B^\infty t^\sigma e^{-b t^p} dt \le \frac{B^{\sigma+1-p} e^{-b B^p}}{b p (1 - q)}, \qquad
   q = \frac{\max(0, \sigma + 1 - p)}{b p B^p} < 1.

g is a function of exponentials exp(-b' t), each of which lies in [0, exp(-b' B)] beyond B.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flint import arb, ctx
from gmpy2 import mpq

from asymp.enclosure import algebra as al
from asymp.enclosure.arithmetic import NAN, Number, add, bits_of, to_ball, whole_above, within
from asymp.enclosure.calculus import expanded, line
from asymp.enclosure.numbers import to_fmpq
from asymp.enclosure.plan import Body, Builder, Plan
from asymp.enclosure.signs import signs
from asymp.kernel.terms import ONE, ZERO, Refused, Term, name


@dataclass(frozen=True)
class Decay:
    """One term: the places of b and s, p, l, the places of the b' with their names in the plan of c g, and that."""

    rate: int
    power: int
    exponent: mpq
    logs: int
    pairs: tuple[tuple[int, str], ...]
    rest: Plan

    def _numbers(self, v: Any) -> tuple[arb, arb, arb]:
        """b, s + l and p."""
        return to_ball(v[self.rate]), to_ball(v[self.power]) + self.logs, arb(to_fmpq(self.exponent))

    def reach(self, v: Any, low: arb) -> arb:
        """About from where on what is left is negligible, where it begins at ``low``; nan where it does not decay."""
        b, s, p = self._numbers(v)
        if not b > 0 or not s.is_finite():
            return NAN
        scale = (b ** (-1 / p)).abs_upper()
        # b B^p > 0.7 bits + (s + 1)/p ln(1/b)/... : generous, checked below
        need = arb(ctx.prec + 40) * 7 / 10 + (abs(s) + 2) * (abs(bits_of(scale)) + 8) * 7 / 10 / p + b * low**p
        return (scale * need ** (1 / p)).abs_upper().max(low + 2)

    def bound(self, v: Any, cut: arb) -> arb:
        """Of the integral from ``cut`` on, and of the sum over what is larger; nan where none is seen."""
        b, s, p = self._numbers(v)
        balls = {}
        for place, own in self.pairs:
            inner = to_ball(v[place])
            if not inner > 0:
                return NAN
            balls[own] = arb(0).union((-inner * cut).exp())
        factor = to_ball(Body(self.rest, v).given(balls))
        speed, over = b * p * cut**p, s + 1 - p
        q = (over if over > 0 else arb(0) if over <= 0 else abs(over)) / speed
        if not q < 1 or not speed > s:
            return NAN
        return abs(factor) * cut**over * (-b * cut**p).exp() / (b * p * (1 - q))


def decays(builder: Builder, body: Term, t: str) -> list[Decay] | None:
    """The terms of a body, or None where one has another form; they may have 1/(e^u - 1), as e^(-u)/(1 - e^(-u)), too."""
    result = []
    try:
        for term in al.summands(expanded(body, t, powers=False)):
            part = _decay(builder, al.replace(term, lambda e: _turned(e, t)), t)
            if part is None:
                return None
            result.append(part)
    except Refused:
        return None
    return result


def _turned(term: Term, t: str) -> Term | None:
    """u is a multiple of the variable that may be positive."""
    base, exponent = al.base_and_exponent(term)
    n = al.whole(exponent)
    if base.head != "sum" or n is None or n >= 0:
        return None
    for part in base.parts:
        if part.head == "exp" and t in part.free and all(al.coefficient(one)[0] > 0 for one in al.summands(part.parts[0])):
            rest = al.plus(*(al.over(other, part) for other in base.parts if other != part))
            return al.times(al.raised(part, exponent), al.raised(al.plus(ONE, rest), exponent))
    return None


def _decay(builder: Builder, term: Term, t: str) -> Decay | None:
    rates: list[tuple[Term, mpq]] = []
    power, logs, rest = ZERO, 0, []
    for factor in al.factors(term):
        base, exponent = al.base_and_exponent(factor)
        decay = _rate_of(factor, t)
        if decay is not None:
            rates.append(decay)
        elif base == name(t) and t not in exponent.free:
            power = al.plus(power, exponent)
        elif base == Term("log", (name(t),)) and (n := al.whole(exponent)) is not None and n > 0:
            logs += n
        else:
            rest.append(factor)
    if not rates or len({p for _, p in rates}) != 1:
        return None
    names: dict[Term, str] = {}
    swapped = _bounded(al.times(*rest), t, names)
    if t in swapped.free or any(signs(rate, builder.positive) == {-1} for rate in names):
        return None  # it stands elsewhere too, or one of the exponentials grows
    plan = builder.body(swapped, "\0none", set(names.values()))
    rate = builder.place(al.plus(*(b for b, _ in rates)))
    pairs = tuple((builder.place(b), own) for b, own in names.items())
    return Decay(rate, builder.place(power), rates[0][1], logs, pairs, plan)


def _bounded(term: Term, t: str, names: dict[Term, str]) -> Term:
    """The term with names for exponentials, by their rates."""
    decay = _rate_of(term, t)
    if decay is not None and decay[1] == 1:
        return name(names.setdefault(decay[0], f"\0w{len(names)}"))
    return al.rebuilt(term, tuple(_bounded(part, t, names) for part in term.parts)) if t in term.free and term.parts else term


def _rate_of(factor: Term, t: str) -> tuple[Term, mpq] | None:
    """(b, p) of exp(-b t^p), p > 0 rational (a constant factor is refused)."""
    if factor.head not in ("exp", "power") or t not in factor.free:
        return None
    base, exponent = al.base_and_exponent(factor)
    straight = line(exponent, t) if t not in base.free else None
    if straight is not None:
        return (al.negative(al.times(straight[0], al.made("log", (base,)))), mpq(1)) if straight[1] == ZERO else None
    if factor.head == "exp":
        free, rest = al.apart(expanded(exponent), t)
        inner, power = al.base_and_exponent(rest)
        if inner == name(t) and power.is_number and power.number > 0:
            return al.negative(free), power.number
    return None


def decaying_sum(terms: list[Decay], v: Any, first: int, finite: Callable[[int, int], Number]) -> Number:
    """The sum from ``first`` to infinity; ``finite`` sums over a finite range."""
    cut = arb(first + 2)
    for term in terms:
        reach = term.reach(v, arb(first))
        if not reach.is_finite() or bits_of(reach) > 50_000:
            return NAN
        cut = cut.max(reach)
    last = whole_above(cut)
    return add([finite(first, last), *(within(term.bound(v, arb(last))) for term in terms)])
