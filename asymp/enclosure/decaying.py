r"""Infinite sums of c k^s (ln k)^l exp(-b k^p) g(k), g bounded: cut where the terms are negligible.

Where b p B^p > s + l the bound c t^(s+l) exp(-b t^p) decreases from B on (ln t <= t), so that the terms beyond B sum
to at most its integral, and by parts, with sigma = s + l,

.. math:: \int_B^\infty t^\sigma e^{-b t^p} dt \le \frac{B^{\sigma+1-p} e^{-b B^p}}{b p (1 - q)}, \qquad
   q = \frac{\max(0, \sigma + 1 - p)}{b p B^p} < 1.

g is a function of exponentials exp(-b' k), each of which lies in [0, exp(-b' B)] beyond B.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flint import arb, ctx, fmpq
from gmpy2 import mpq

from asymp.enclosure.algebra import (
    apart,
    base_and_exponent,
    coefficient,
    factors,
    made,
    name,
    negative,
    over,
    plus,
    raised,
    replace,
    summands,
    times,
    whole,
)
from asymp.enclosure.arithmetic import NAN, Number, add, bits_of, to_ball, within
from asymp.enclosure.calculus import expanded
from asymp.enclosure.exponentials import Rates, bounded_part, rate_of
from asymp.enclosure.plan import Builder, Plan
from asymp.kernel.terms import ONE, ZERO, Term


@dataclass(frozen=True)
class Decay:
    """One term: the places of b and s, p, l, the places of the b' by name, and the plan of c g."""

    rate: int
    power: int
    exponent: mpq
    logs: int
    pairs: Rates
    rest: Plan


def decays(builder: Builder, body: Term, index: str) -> list[Decay] | None:
    """The terms of a summand, or None where one has another form."""
    result = []
    for term in summands(expanded(body, powers=False)):
        part = _decay(builder, replace(term, lambda e: _turned(e, index)), index)
        if part is None:
            return None
        result.append(part)
    return result


def _turned(term: Term, index: str) -> Term | None:
    """1/(e^u - 1) as e^(-u)/(1 - e^(-u)), u a multiple of the index that may be positive."""
    base, exponent = base_and_exponent(term)
    n = whole(exponent)
    if base.head != "sum" or n is None or n >= 0:
        return None
    for part in base.parts:
        if part.head == "exp" and index in part.free and all(coefficient(one)[0] > 0 for one in summands(part.parts[0])):
            rest = plus(*(over(other, part) for other in base.parts if other != part))
            return times(raised(part, exponent), raised(plus(ONE, rest), exponent))
    return None


def _decay(builder: Builder, term: Term, index: str) -> Decay | None:
    rates: list[tuple[Term, mpq]] = []
    power, logs, rest = ZERO, 0, []
    for factor in factors(term):
        base, exponent = base_and_exponent(factor)
        decay = _rate_of(factor, index)
        if decay is not None:
            rates.append(decay)
        elif base == name(index) and index not in exponent.free:
            power = plus(power, exponent)
        elif base == made("log", (name(index),)) and (n := whole(exponent)) is not None and n > 0:
            logs += n
        else:
            rest.append(factor)
    if not rates or len({p for _, p in rates}) != 1:
        return None
    bounded = bounded_part(builder, times(*rest), index)
    if bounded is None:
        return None
    total = builder.place(plus(*(b for b, _ in rates)))
    return Decay(total, builder.place(power), rates[0][1], logs, *bounded)


def _rate_of(factor: Term, index: str) -> tuple[Term, mpq] | None:
    """(b, p) of exp(-b k^p), p > 0 rational (a constant factor is refused)."""
    linear = rate_of(factor, index)
    if linear is not None:
        return linear, mpq(1)
    if factor.head == "exp":
        free, rest = apart(expanded(factor.parts[0]), index)
        base, exponent = base_and_exponent(rest)
        if base == name(index) and exponent.is_number and exponent.number > 0:
            return negative(free), exponent.number
    return None


def decaying_sum(terms: list[Decay], v: Any, first: int, finite: Callable[[int, int], Number]) -> Number:
    """The sum from ``first`` to infinity; ``finite`` sums over a finite range."""
    bits = ctx.prec
    cut = arb(first + 2)
    bounds = []
    for term in terms:
        b, s = to_ball(v[term.rate]), to_ball(v[term.power]) + term.logs
        if not b > 0 or not s.is_finite():
            return NAN
        p = arb(fmpq(int(term.exponent.numerator), int(term.exponent.denominator)))
        scale = (b ** (-1 / p)).abs_upper()
        # b B^p > 0.7 bits + (s + 1)/p ln(1/b)/... : generous, checked below
        need = arb(bits + 40) * 7 / 10 + (abs(s) + 2) * (abs(bits_of(scale)) + 8) * 7 / 10 / p + b * arb(first) ** p
        reach = (scale * need ** (1 / p)).abs_upper()
        cut = cut if cut > reach else reach
        bounds.append((term, b, s, p))
    if bits_of(cut) > 50_000:
        return NAN
    last = int(cut.ceil().unique_fmpz() or 0) if cut.ceil().unique_fmpz() is not None else _above(cut)
    total: list[Number] = [finite(first, last)]
    for term, b, s, p in bounds:
        total.append(within(_bound(term, v, b, s, p, arb(last))))
    return add(total)


def _above(value: arb) -> int:
    mantissa, exponent = value.abs_upper().man_exp()
    return (int(mantissa) + 1) << int(exponent) if exponent > 0 else (int(mantissa) >> int(-exponent)) + 2


def _bound(term: Decay, v: Any, b: arb, s: arb, p: arb, cut: arb) -> arb:
    balls = {}
    for place, own in term.pairs:
        inner = to_ball(v[place])
        if not inner > 0:
            return NAN
        balls[own] = arb(0).union((-inner * cut).exp())
    factor = to_ball(term.rest.run({**v.environment, **balls, "\0inputs": [v[k] for k in term.rest.inputs]}))
    speed = b * p * cut**p
    over = s + 1 - p
    q = (over if over > 0 else arb(0) if over <= 0 else abs(over)) / speed
    if not q < 1 or not speed > s:
        return NAN
    return abs(factor) * cut**over * (-b * cut**p).exp() / (b * p * (1 - q))
