r"""Integrals in a plan.

Terms c x^t t^k ln(t)^l, x = e^{-z}, are incomplete gamma functions and their derivatives,

.. math:: \int_a^\infty e^{-zt} t^k (\ln t)^l dt
   = z^{-k-1} \sum_j \binom{l}{j} (-\ln z)^{l-j}\, \Gamma^{(j)}(k+1, az).

Everything else goes to flint's adaptive quadrature, which is rigorous, on a finite interval.  Where that is infinite, or has a
sharp peak in it, what is away from the peak is bounded: :mod:`asymp.enclosure.peaks`.
"""

from __future__ import annotations

from math import comb
from typing import Any

from flint import acb, arb, ctx, fmpq
from gmpy2 import mpq

from asymp.enclosure import algebra as al
from asymp.enclosure import ends, peaks
from asymp.enclosure.algebra import MINUS_OO, OO, binder, body_of, negative, plus, subs, whole
from asymp.enclosure.arithmetic import (
    NAN,
    ZERO,
    Number,
    add,
    bits_of,
    factorial,
    integer_power,
    multiply,
    to_ball,
)
from asymp.enclosure.incomplete import complete_derivative, gamma_derivative
from asymp.enclosure.integrands import HIGH
from asymp.enclosure.numbers import Undecided, to_fmpq
from asymp.enclosure.plan import Body, Builder, builds
from asymp.enclosure.quadrature import Integrand, integral
from asymp.enclosure.removable import regular
from asymp.enclosure.summand import places, shapes
from asymp.kernel import terms as kernel_terms
from asymp.kernel.terms import Term, name, number, walk

MOST_WRITTEN = 400
"""Terms of a finite sum under an integral that are written out."""
PATIENCE = 256
"""Bits beyond those of the parameters at which an integral that is not bounded is given up."""


@builds("Integral")
def build(builder: Builder, body: Term, index: str, low: Term, high: Term) -> int:
    """The place of an integral."""
    if low == MINUS_OO:
        if high == OO:
            halves = ((MINUS_OO, kernel_terms.ZERO), (kernel_terms.ZERO, OO))
            return builder.add([builder.place(binder("Integral", body, index, *half)) for half in halves])
        turned = subs(body, {index: negative(name(index))})
        return builder.place(binder("Integral", turned, index, negative(high), OO))
    body = al.simple(body)
    ranges = [body_of(total)[1:] for total in dict.fromkeys(walk(body)) if _is_short(total, index)]
    body = al.replace(body, lambda part: _written_out(part) if _is_short(part, index) else None)
    start, stop = builder.place(low), None if high == OO else builder.place(high)
    terms = elementary_terms(builder, body, index)
    original, body = body, regular(body, index, low, high, builder.positive & (body.free | low.free | high.free))
    plan = builder.body(body, index)
    sharp = None
    steep = bool(plan.inputs) or any(part.head == "power" and abs(whole(part.parts[1]) or 0) > HIGH for part in walk(body))
    if stop is None or steep:
        sharp = peaks.build(builder, body, index, low, high, original)
    given = [start, *([] if stop is None else [stop]), *plan.inputs]
    spans = [ends.place(builder, *limits) for limits in ranges if whole(limits[1]) is None]

    def real(v: Any) -> Number:
        if any(v[k] is None for k in spans):
            return NAN
        balls = [to_ball(v[k]) for k in given]
        size = max((abs(bits_of(x)) for x in balls if not x.is_zero()), default=0)
        value = attempt(v, size)
        if not to_ball(value).is_finite():
            if sharp is not None and ctx.prec < 4 * size + PATIENCE:
                return value  # a sharp peak is seen at a precision beyond the size of the parameters
            if all(x.rel_accuracy_bits() > ctx.prec // 2 or x.is_zero() for x in balls):
                # not for want of precision: doubling it would only take time
                raise Undecided(f"the integral over {index} could not be bounded")
        return value

    def attempt(v: Any, size: int) -> Number:
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
            if size > min(256, max(64, ctx.prec // 2)):
                return NAN  # what quadrature cannot see, it only takes time over
        if stop is None:
            return NAN
        a, b = to_ball(v[start]), to_ball(v[stop])
        return quadrature(Body(plan, v).complex(), a, b) if a.is_finite() and b.is_finite() else NAN

    return builder.emit(("integral", body, index, low, high), real, None)


def _is_short(total: Term, variable: str) -> bool:
    """A range of known length whose ends do not move with the variable: whether they are whole is seen where it is used."""
    if total.head != "Sum" or total.indices:
        return False
    low, high = total.parts[1:]
    if variable in low.free or al.has(low, "Sum", "Integral") or OO in (low, high):
        return False
    length = whole(al.minus(high, low))
    return length is not None and 0 <= length <= MOST_WRITTEN


def _written_out(total: Term) -> Term:
    body, index, low, high = body_of(total)
    length = whole(al.minus(high, low)) or 0
    return plus(*(subs(body, {index: plus(low, number(mpq(k)))}) for k in range(length + 1)))


def quadrature(integrand: Integrand, a: arb, b: arb) -> Number:
    """The integral over [a, b]; not finite where the integrand cannot be bounded at an end."""
    value = integral(integrand, acb(a), acb(b), eval_limit=12 * ctx.prec + 1000)
    return value.real if value.is_finite() and value.imag.contains(0) else NAN


# --- closed forms ------------------------------------------------------------------------------

Elementary = list[tuple[int | None, fmpq, int, int]]
"""Per term c x^t t^k ln(t)^l: place of ln x (None: x = 1), k, l, place of c."""


def elementary_terms(builder: Builder, body: Term, index: str) -> Elementary | None:
    """The integrand as such terms, or None."""
    terms = shapes(body, index)
    if terms is None or any(one.harmonics or one.shift != kernel_terms.ZERO or not one.power.is_number for one in terms):
        return None
    found: Elementary = []
    for one, c in terms.items():
        rate = None if one.rate == kernel_terms.ZERO else builder.place(one.rate)
        found.append((rate, to_fmpq(one.power.number), one.logs, places(builder, c)))
    return found


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


def from_here_on(z: Number, power: fmpq, logs: int, start: Number) -> Number:
    """The integral of e^(-zt) t^k ln(t)^l over [start, oo), exact where it is k!/z^(k+1); for z = 0 minus an antiderivative."""
    a = to_ball(start)
    if isinstance(z, fmpq) and z > 0 and start == 0 and isinstance(start, fmpq) and not logs and power.q == 1 and power >= 0:
        return multiply((factorial(power), integer_power(z, -int(power.p) - 1)))
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
