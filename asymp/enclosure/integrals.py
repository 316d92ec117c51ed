r"""Integrals in a plan.

Terms c x^t t^k ln(t)^l, x = e^{-z}, are incomplete gamma functions and their derivatives,

.. math:: \int_a^\infty e^{-zt} t^k (\ln t)^l dt
   = z^{-k-1} \sum_j \binom{l}{j} (-\ln z)^{l-j}\, \Gamma^{(j)}(k+1, az).

Everything else goes to flint's adaptive quadrature, which is rigorous, on a finite interval.

An infinite upper limit is cut at T.  The tail is bounded where the integrand is a sum of products of
``exp(-c t)`` (total rate c > 0), powers of t and ln t, and functions of such exponentials, each of which
lies in the ball [0, e^{-cT}] on the whole tail:

.. math:: \int_T^\infty e^{-ct} t^a dt \le \frac{e^{-cT} T^{a}}{c - a/T} \quad (a \ge 0,\ cT > a).
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import Any

from flint import acb, arb, ctx, fmpq
from gmpy2 import mpq

from asymp.enclosure import ends, peaks, power_form
from asymp.enclosure.algebra import (
    MINUS_OO,
    OO,
    base_and_exponent,
    binder,
    body_of,
    factors,
    has,
    made,
    minus,
    name,
    negative,
    plus,
    replace,
    simple,
    subs,
    subterms,
    summands,
    times,
    whole,
)
from asymp.enclosure.arithmetic import NAN, ZERO, Number, add, bits_of, multiply, to_ball, within
from asymp.enclosure.calculus import expanded
from asymp.enclosure.exponentials import Rates, bounded_part, rate_of
from asymp.enclosure.incomplete import complete_derivative, gamma_derivative
from asymp.enclosure.numbers import Undecided
from asymp.enclosure.plan import Builder, Plan, builds
from asymp.enclosure.quadrature import integral
from asymp.enclosure.removable import regular
from asymp.enclosure.summand import ratio_place, shapes
from asymp.kernel import terms as kernel_terms
from asymp.kernel.terms import Refused, Term, number

MOST_WRITTEN = 60
"""Terms of a finite sum under an integral that are written out."""


@builds("Integral")
def build(builder: Builder, body: Term, index: str, low: Term, high: Term) -> int:
    """The place of an integral."""
    if low == MINUS_OO:
        if high == OO:
            left = builder.place(binder("Integral", body, index, MINUS_OO, kernel_terms.ZERO))
            return builder.add([left, builder.place(binder("Integral", body, index, kernel_terms.ZERO, OO))])
        turned = subs(body, {index: negative(name(index))})
        return builder.place(binder("Integral", turned, index, negative(high), OO))
    body = simple(body)
    powers = power_form.build(builder, body, index, low, high)
    ranges = [body_of(total)[1:] for total in dict.fromkeys(subterms(body)) if _is_short(total, index)]
    body = replace(body, lambda part: _written_out(part) if _is_short(part, index) else None)
    start = builder.place(low)
    infinite = high == OO
    terms = elementary_terms(builder, body, index)
    stop = None if infinite else builder.place(high)
    tail = tail_terms(builder, body, index) if infinite else None
    original, body = body, regular(body, index, low, high, builder.positive & (body.free | low.free | high.free))
    plan = builder.body(body, index)
    inputs = tuple(plan.inputs)
    sharp = peaks.build(builder, body, index, low, high, original) if tail is None and (infinite or inputs) else None

    spans = [ends.place(builder, *limits) for limits in ranges if whole(limits[1]) is None]

    def given(v: Any) -> list[arb]:
        return [to_ball(v[k]) for k in (start, *([] if stop is None else [stop]), *inputs)]

    def size_of(v: Any) -> int:
        return max((abs(bits_of(g)) for g in given(v) if not g.is_zero()), default=0)

    def real(v: Any) -> Number:
        if any(v[k] is None for k in spans):
            return NAN
        value = attempt(v)
        if not to_ball(value).is_finite():
            if (sharp is not None or powers is not None) and ctx.prec < 4 * size_of(v) + PATIENCE:
                return value  # a sharp peak is seen at a precision beyond the size of the parameters
            if all(g.rel_accuracy_bits() > ctx.prec // 2 or g.is_zero() for g in given(v)):
                # not for want of precision: doubling it would only take time
                raise Undecided(f"the integral over {index} could not be bounded")
        return value

    def attempt(v: Any) -> Number:
        if powers is not None:
            found = powers(v)
            if found is not None and (to_ball(found).is_finite() or ctx.prec < 4 * size_of(v) + PATIENCE):
                return found
        if terms is not None:
            value = closed_form(terms, v, v[start], None if stop is None else v[stop])
            if to_ball(value).is_finite():
                return value
        if sharp is not None:
            try:
                value = sharp(v)
            except Undecided:
                if stop is None:
                    raise
                value = NAN
            if to_ball(value).is_finite():
                return value
            if size_of(v) > min(256, max(64, ctx.prec // 2)):
                return NAN  # what quadrature cannot see, it only takes time over
        integrand = analytic(plan, [v[k] for k in inputs])
        a = to_ball(v[start])
        if not a.is_finite():
            return NAN
        if stop is not None:
            b = to_ball(v[stop])
            return quadrature(integrand, a, b) if b.is_finite() else NAN
        return NAN if tail is None else half_line(integrand, a, tail, v)

    return builder.emit(("integral", body, index, low, high), real, None)


def _is_short(total: Term, variable: str) -> bool:
    """A range of known length whose ends do not move with the variable: whether they are whole is seen where it is used."""
    if total.head != "Sum" or total.indices:
        return False
    low, high = total.parts[1:]
    if variable in low.free or has(low, "Sum", "Integral") or OO in (low, high):
        return False
    length = whole(minus(high, low))
    return length is not None and 0 <= length <= MOST_WRITTEN


def _written_out(total: Term) -> Term:
    body, index, low, high = body_of(total)
    length = whole(minus(high, low)) or 0
    return plus(*(subs(body, {index: plus(low, number(mpq(k)))}) for k in range(length + 1)))


def analytic(plan: Plan, inputs: list[Number]) -> Callable[[acb, bool], acb]:
    """The body of a sum or an integral as a function of a complex ball."""
    values = [to_complex(value) for value in inputs]

    def function(t: acb, analytic_: bool) -> acb:
        return plan.run_complex({"\0inputs": values, "\0index": t}, (), analytic_)

    return function


def quadrature(integrand: Callable[[acb, bool], acb], a: arb, b: arb) -> Number:
    """The integral over [a, b]; not finite where the integrand cannot be bounded at an end."""
    value = integral(integrand, acb(a), acb(b), eval_limit=12 * ctx.prec + 1000)
    return value.real if value.is_finite() and value.imag.contains(0) else NAN


def to_complex(value: Number) -> acb:
    """An exact or real number as a complex ball."""
    return acb(arb(value)) if isinstance(value, fmpq) else acb(value)


# --- closed forms ------------------------------------------------------------------------------

Elementary = list[tuple[int | None, fmpq, int, int]]
"""Per term c x^t t^k ln(t)^l: place of ln x (None: x = 1), k, l, place of c."""


def elementary_terms(builder: Builder, body: Term, index: str) -> Elementary | None:
    """The integrand as such terms, or None."""
    terms = shapes(builder, body, index)
    if terms is None or any(shape.harmonics for shape in terms):
        return None
    return [
        (ratio_place(builder, shape.ratio), fmpq(int(shape.power.numerator), int(shape.power.denominator)), shape.logs, place)
        for shape, place in terms.items()
    ]


def closed_form(terms: Elementary, v: Any, low: Number, high: Number | None) -> Number:
    """The integral over [low, high], 0 <= low, or nan where the closed form does not apply."""
    if to_ball(low) < 0 or (high is not None and not to_ball(low) <= to_ball(high)):
        return NAN
    total = []
    for log, power, logs, place in terms:
        z = ZERO if log is None else -v[log]
        value = from_here_on(z, power, logs, low)
        if high is not None:
            value = value - from_here_on(z, power, logs, high)
        total.append(multiply((v[place], value)))
        if high is None and isinstance(z, fmpq) and z == 0 and not power < -1:
            return NAN  # diverges
    return add(total)


def from_here_on(z: Number, power: fmpq, logs: int, start: Number) -> arb:
    """The integral of e^(-zt) t^k ln(t)^l over [start, oo); for z = 0 minus an antiderivative."""
    a = to_ball(start)
    if isinstance(z, fmpq) and z == 0:
        return -_power_antiderivative(power + 1, logs, a)
    rate = to_ball(z)
    if not rate > 0:
        return NAN
    log_z, exponent = rate.log(), power + 1
    total = arb(0)
    for j in range(logs + 1):
        if isinstance(start, fmpq) and start == 0:
            inner = complete_derivative(j, exponent)
        else:
            inner = gamma_derivative(j, exponent, a * rate)
        total += comb(logs, j) * (-log_z) ** (logs - j) * inner
    return total / rate**exponent


def _power_antiderivative(exponent: fmpq, logs: int, a: arb) -> arb:
    """An antiderivative of t^(exponent-1) ln(t)^logs."""
    if a.is_zero():
        return arb(0) if exponent > 0 else NAN
    log = a.log()
    if exponent == 0:
        return log ** (logs + 1) / (logs + 1)
    value = a**exponent * log**logs / exponent
    return value - logs * _power_antiderivative(exponent, logs - 1, a) / exponent if logs else value


# --- half lines ------------------------------------------------------------------------------

PATIENCE = 256
"""Bits beyond those of the parameters at which an integral that is not bounded is given up."""
Tail = list[tuple[int, mpq, int, Rates, Plan]]
"""Per term: place of the rate, power of t, logs of t, (place of a rate, name) pairs, plan of the rest."""


def tail_terms(builder: Builder, body: Term, index: str) -> Tail | None:
    """What is needed to bound the integral from T on; None where the integrand has another form."""
    result: Tail = []
    try:
        several = summands(expanded(body, powers=False))
    except Refused:
        return None
    for term in several:
        part = _tail_term(builder, term, index)
        if part is None:
            return None
        result.append(part)
    return result


def _tail_term(builder: Builder, term: Term, index: str) -> Any:
    rates: list[Term] = []
    power, logs, rest = mpq(0), 0, []
    for factor in factors(term):
        base, exponent = base_and_exponent(factor)
        decay = rate_of(factor, index)
        if decay is not None:
            rates.append(decay)
        elif base == name(index) and exponent.is_number:
            power += exponent.number
        elif base == made("log", (name(index),)) and (n := whole(exponent)) is not None and n > 0:
            logs += n
        else:
            rest.append(factor)
    if not rates:
        return None
    bounded = bounded_part(builder, times(*rest), index)
    if bounded is None:
        return None
    return builder.place(plus(*rates)), power, logs, *bounded


def half_line(integrand: Callable[[acb, bool], acb], a: arb, tail: Tail, v: Any) -> Number:
    """The integral over [a, oo): up to T by quadrature in pieces, the rest by its bound."""
    rates = [to_ball(v[rate]) for rate, *_ in tail]
    if not all(rate > 0 for rate in rates):
        return NAN
    slowest = rates[0].abs_lower()
    for rate in rates[1:]:
        slowest = slowest.min(rate.abs_lower())
    low = a.abs_upper() if a > 0 else arb(0)
    power = max([0.0, *(float(term[1]) + term[2] for term in tail)])
    length = ((ctx.prec + 32 + 4 * power) * arb("0.7") / slowest).mid()
    cut = (low + length + 2).mid()
    step = (low + 1).min(length / 16).mid()
    if not step > 0 or bits_of(length) - bits_of(step) > 20_000:
        return NAN
    total, left = arb(0), a
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
        for place, own in pairs:
            inner = to_ball(v[place])
            if not inner > 0:
                return NAN
            balls[own] = arb(0).union((-inner * cut).exp())
        value = plan.run({**v.environment, **balls, "\0inputs": [v[k] for k in plan.inputs]})
        # ln t <= t for t >= 1
        exponent = arb(fmpq(int(power.numerator), int(power.denominator)) + logs)
        exponent = exponent if exponent > 0 else arb(0)
        gap = rate - exponent / cut
        if not gap > 0:
            return NAN
        bound += abs(to_ball(value)) * (-rate * cut).exp() * cut**exponent / gap
    return bound
