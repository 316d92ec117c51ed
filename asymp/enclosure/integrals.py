r"""Integrals in a plan: flint's adaptive quadrature, which is rigorous, on a finite interval.

An infinite upper limit is cut at T.  The tail is bounded where the integrand is a sum of products of
``exp(-c t)`` (total rate c > 0), powers of t and ln t, and functions of such exponentials, each of which
lies in the ball [0, e^{-cT}] on the whole tail:

.. math:: \int_T^\infty e^{-ct} t^a dt \le \frac{e^{-cT} T^{a}}{c - a/T} \quad (a \ge 0,\ cT > a).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp
from flint import acb, arb, ctx, fmpq

from asymp.enclosure.arithmetic import NAN, Number, bits_of, to_ball, within
from asymp.enclosure.numbers import Undecided
from asymp.enclosure.plan import Builder, Plan
from asymp.enclosure.summand import line


def build(builder: Builder, body: sp.Expr, index: sp.Symbol, low: sp.Expr, high: sp.Expr) -> int:
    """The place of an integral."""
    if low is sp.S.NegativeInfinity:
        if high is sp.oo:
            left = builder.place(sp.Integral(body, (index, sp.S.NegativeInfinity, 0)))
            return builder.add([left, builder.place(sp.Integral(body, (index, 0, sp.oo)))])
        return builder.place(sp.Integral(body.subs(index, -index), (index, -high, sp.oo)))
    start = builder.place(low)
    plan = builder.body(body, index)
    inputs = tuple(plan.inputs)
    infinite = high is sp.oo
    stop = None if infinite else builder.place(high)
    tail = tail_terms(builder, body, index) if infinite else None

    def real(v: Any) -> Number:
        value = attempt(v)
        if not to_ball(value).is_finite():
            given = [to_ball(v[k]) for k in (start, *([] if stop is None else [stop]), *inputs)]
            if all(g.rel_accuracy_bits() > ctx.prec // 2 or g.is_zero() for g in given):
                # not for want of precision: doubling it would only take time
                raise Undecided(f"the integral over {index} could not be bounded")
        return value

    def attempt(v: Any) -> Number:
        integrand = analytic(plan, [v[k] for k in inputs])
        a = to_ball(v[start])
        if not a.is_finite():
            return NAN
        if stop is not None:
            b = to_ball(v[stop])
            return quadrature(integrand, a, b) if b.is_finite() else NAN
        return NAN if tail is None else half_line(integrand, a, tail, v)

    return builder.emit(("integral", body, index, low, high), real, None)


def analytic(plan: Plan, inputs: list[Number]) -> Callable[[acb, bool], acb]:
    """The body of a sum or an integral as a function of a complex ball."""
    values = [to_complex(value) for value in inputs]

    def function(t: acb, analytic_: bool) -> acb:
        return plan.run_complex({"\0inputs": values, "\0index": t}, (), analytic_)

    return function


def quadrature(integrand: Callable[[acb, bool], acb], a: arb, b: arb) -> Number:
    """The integral over [a, b]; not finite where the integrand cannot be bounded at an end."""
    value = acb.integral(integrand, acb(a), acb(b), eval_limit=12 * ctx.prec + 1000)
    return value.real if value.is_finite() and value.imag.contains(0) else NAN


def to_complex(value: Number) -> acb:
    """An exact or real number as a complex ball."""
    return acb(arb(value)) if isinstance(value, fmpq) else acb(value)


# --- half lines ------------------------------------------------------------------------------

Tail = list[tuple[int, sp.Rational, int, list[tuple[int, str]], Plan]]
"""Per term: place of the rate, power of t, logs of t, (place of a rate, name) pairs, plan of the rest."""


def tail_terms(builder: Builder, body: sp.Expr, index: sp.Symbol) -> Tail | None:
    """What is needed to bound the integral from T on; None where the integrand has another form."""
    result: Tail = []
    for term in sp.Add.make_args(sp.expand_mul(body)):
        part = _tail_term(builder, term, index)
        if part is None:
            return None
        result.append(part)
    return result


def _tail_term(builder: Builder, term: sp.Expr, index: sp.Symbol) -> Any:
    rates: list[sp.Expr] = []
    power, logs, rest = sp.S.Zero, 0, []
    for factor in sp.Mul.make_args(term):
        base, exponent = factor.as_base_exp()
        decay = _rate(factor, index)
        if decay is not None:
            rates.append(decay)
        elif base == index and exponent.is_Rational:
            power += exponent
        elif base == sp.log(index) and exponent.is_Integer and exponent > 0:
            logs += int(exponent)
        else:
            rest.append(factor)
    if not rates:
        return None
    names: dict[sp.Expr, sp.Symbol] = {}

    def swap(expr: sp.Expr) -> sp.Expr:
        decay = _rate(expr, index)
        if decay is not None:
            return names.setdefault(decay, sp.Symbol(f"\0w{len(names)}", positive=True))
        return expr.func(*(swap(arg) for arg in expr.args)) if expr.args else expr

    swapped = swap(sp.Mul(*rest))
    if index in swapped.free_symbols:
        return None
    dummy = sp.Dummy("none")
    plan = builder.body_with(swapped, dummy, set(names.values()))
    pairs = [(builder.place(decay), symbol.name) for decay, symbol in names.items()]
    return builder.place(sp.Add(*rates)), power, logs, pairs, plan


def _rate(expr: sp.Expr, index: sp.Symbol) -> sp.Expr | None:
    """c for expr = exp(-c t) (a constant factor is left out), else None."""
    if isinstance(expr, sp.exp):
        parts = line(expr.args[0], index)
        if parts is not None and parts[1] == 0 and parts[0] != 0:
            return -parts[0]
    return None


def half_line(integrand: Callable[[acb, bool], acb], a: arb, tail: Tail, v: Any) -> Number:
    """The integral over [a, oo): up to T by quadrature in pieces, the rest by its bound."""
    rates = [to_ball(v[rate]) for rate, *_ in tail]
    if not all(rate > 0 for rate in rates):
        return NAN
    slowest = min(float(rate.abs_lower()) for rate in rates)
    if slowest <= 0 or bits_of(a) > 200:
        return NAN
    length = (ctx.prec + 32) * 0.7 / slowest
    low = float(a.abs_upper()) if a > 0 else 0.0
    cut = arb(low + length)
    power = max([0.0, *(float(term[1]) + term[2] for term in tail)])
    if cut * slowest < 2 * power + 2:
        cut = arb((2 * power + 2) / slowest + low)
    if not (cut > 1 and cut > a):
        cut = cut + 2
    total, left, step = arb(0), a, arb(length) / 16
    while left < cut:
        right = (left + step).mid()
        right = right if right < cut else cut
        value = quadrature(integrand, left, right)
        if not to_ball(value).is_finite():
            return NAN
        total += value
        left, step = right, step * 2
    return total + within(_tail_bound(tail, rates, cut, v))


def _tail_bound(tail: Tail, rates: list[arb], cut: arb, v: Any) -> arb:
    bound = arb(0)
    for (_, power, logs, pairs, plan), rate in zip(tail, rates, strict=True):
        balls = {}
        for place, name in pairs:
            inner = to_ball(v[place])
            if not inner > 0:
                return NAN
            balls[name] = arb(0).union((-inner * cut).exp())
        value = plan.run({**v.environment, **balls, "\0inputs": [v[k] for k in plan.inputs]})
        # ln t <= t for t >= 1
        exponent = arb(fmpq(int(power.p), int(power.q)) + logs)
        exponent = exponent if exponent > 0 else arb(0)
        gap = rate - exponent / cut
        if not gap > 0:
            return NAN
        bound += abs(to_ball(value)) * (-rate * cut).exp() * cut**exponent / gap
    return bound
