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

import sympy as sp
from flint import arb, ctx, fmpq

import asymp.symbolics as sy
from asymp.enclosure.arithmetic import NAN, Number, add, bits_of, to_ball, within
from asymp.enclosure.exponentials import Rates, bounded_part, rate_of
from asymp.enclosure.plan import Builder, Plan


@dataclass(frozen=True)
class Decay:
    """One term: the places of b and s, p, l, the places of the b' by name, and the plan of c g."""

    rate: int
    power: int
    exponent: sp.Rational
    logs: int
    pairs: Rates
    rest: Plan


def decays(builder: Builder, body: sp.Expr, index: sp.Symbol) -> list[Decay] | None:
    """The terms of a summand, or None where one has another form."""
    result = []
    for term in sp.Add.make_args(sy.expand_mul(body)):
        part = _decay(builder, term.replace(_is_inverse, lambda e: _turned(e, index)), index)
        if part is None:
            return None
        result.append(part)
    return result


def _is_inverse(e: sp.Expr) -> bool:
    return bool(e.is_Pow and e.exp.is_Integer and e.exp < 0 and e.base.is_Add)


def _turned(e: sp.Expr, index: sp.Symbol) -> sp.Expr:
    """1/(e^u - 1) as e^(-u)/(1 - e^(-u)), u a multiple of the index that may be positive."""
    for part in e.base.args:
        if isinstance(part, sp.exp) and index in part.free_symbols and not part.args[0].could_extract_minus_sign():
            rest = sp.Add(*(sy.expand(other / part) for other in e.base.args if other != part))
            return part**e.exp * (1 + rest) ** e.exp
    return e


def _decay(builder: Builder, term: sp.Expr, index: sp.Symbol) -> Decay | None:
    rates: list[tuple[sp.Expr, sp.Expr]] = []
    power, logs, rest = sp.S.Zero, 0, []
    for factor in sp.Mul.make_args(term):
        base, exponent = factor.as_base_exp()
        decay = _rate_of(factor, index)
        if decay is not None:
            rates.append(decay)
        elif base == index and index not in exponent.free_symbols:
            power += exponent
        elif base == sp.log(index) and exponent.is_Integer and exponent > 0:
            logs += int(exponent)
        else:
            rest.append(factor)
    if not rates or len({p for _, p in rates}) != 1:
        return None
    bounded = bounded_part(builder, sp.Mul(*rest), index)
    if bounded is None:
        return None
    total = builder.place(sp.Add(*(b for b, _ in rates)))
    return Decay(total, builder.place(power), rates[0][1], logs, *bounded)


def _rate_of(factor: sp.Expr, index: sp.Symbol) -> tuple[sp.Expr, sp.Rational] | None:
    """(b, p) of exp(-b k^p), p > 0 rational (a constant factor is refused)."""
    linear = rate_of(factor, index)
    if linear is not None:
        return linear, sp.S.One
    if isinstance(factor, sp.exp):
        coefficient, rest = sy.expand(factor.args[0]).as_independent(index, as_Add=False)
        base, exponent = rest.as_base_exp()
        if base == index and exponent.is_Rational and exponent > 0:
            return -coefficient, exponent
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
        p = arb(fmpq(int(term.exponent.p), int(term.exponent.q)))
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
    for place, name in term.pairs:
        inner = to_ball(v[place])
        if not inner > 0:
            return NAN
        balls[name] = arb(0).union((-inner * cut).exp())
    factor = to_ball(term.rest.run({**v.environment, **balls, "\0inputs": [v[k] for k in term.rest.inputs]}))
    speed = b * p * cut**p
    over = s + 1 - p
    q = (over if over > 0 else arb(0) if over <= 0 else abs(over)) / speed
    if not q < 1 or not speed > s:
        return NAN
    return abs(factor) * cut**over * (-b * cut**p).exp() / (b * p * (1 - q))
