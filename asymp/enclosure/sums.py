"""Sums in a plan: which method encloses ``Sum(f, (i, a, b))``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from flint import ctx, fmpq

from asymp.enclosure import arithmetic as ar
from asymp.enclosure.algebra import (
    MINUS_ONE,
    OO,
    base_and_exponent,
    binder,
    factors,
    has,
    made,
    minus,
    over,
    plus,
    raised,
    simple,
    subs,
    summands,
    times,
    whole,
)
from asymp.enclosure.alternating import pairs, unsigned, vanishes
from asymp.enclosure.arithmetic import NAN, Number, to_ball
from asymp.enclosure.calculus import expanded, is_polynomial, is_rational, line
from asymp.enclosure.decaying import decaying_sum, decays
from asymp.enclosure.ends import Span, require
from asymp.enclosure.ends import place as whole_ends
from asymp.enclosure.euler_maclaurin import analytic_sum, start_for
from asymp.enclosure.fields import is_identity
from asymp.enclosure.hypergeometric import infinite, ratio_plan
from asymp.enclosure.infinite import at_infinity, infinite_sum
from asymp.enclosure.integrals import analytic, closed_form, elementary_terms
from asymp.enclosure.peaked import form, peaked_sum
from asymp.enclosure.plan import Builder, Plan, body_value, builds
from asymp.enclosure.summand import backwards, ratio_place, separated, shapes
from asymp.enclosure.summing import summing
from asymp.enclosure.tails import Terms, geometric_harmonic
from asymp.enclosure.zeta import power_log_sum
from asymp.kernel.terms import ONE, ZERO, Refused, Term, number

SHORT = 24
"""Ranges up to this length are added term by term (exactly, while the numbers are short)."""

LONGEST = 200_000
"""Longest range that is added term by term when no other method applies."""


@builds("Product")
def build_product(builder: Builder, body: Term, index: str, low: Term, high: Term) -> int:
    """The place of a finite product: factor by factor where it is short, else exp of the sum of logarithms."""
    ends = whole_ends(builder, index, low, high, "product")
    plan = builder.body(body, index)
    inputs = tuple(plan.inputs)
    log_sum = builder.place(Term("exp", (binder("Sum", Term("log", (body,)), index, low, high),)))

    def real(v: Any) -> Number:
        span: Span | None = v[ends]
        if span is None or span.last is None:
            return NAN
        if span.last - span.first > 1000:
            return v[log_sum]
        result: Number = ar.ONE
        for i in range(span.first, span.last + 1):
            result = ar.multiply((result, body_value(plan, v.environment, [v[k] for k in inputs], fmpq(i))))
        return result

    return builder.emit(("product", body, index, low, high), real, None)


Integral = Callable[[Number, Number], Number]
"""The summand's integral over an interval, in closed form."""

Group = tuple[int | None, int | None, list[tuple[tuple[int, int], int]]]
"""Place of ln x, place of x where x is a single base, places of the coefficients of i^k H_i^j."""


@builds("Sum")
def build(builder: Builder, body: Term, index: str, low: Term, high: Term) -> int:
    """The place of a sum."""
    try:
        body = simple(body)
        other = _otherwise(builder, body, index, low, high)
    except Refused:  # of algebra: as it stands
        other = None
    if other is not None:
        return require(builder, index, low, high, other)
    last = None if high == OO else high
    ends = whole_ends(builder, index, low, high)
    plan = builder.body(body, index)
    groups = _groups(builder, body, index)
    powers = _power_logs(builder, body, index) if groups is None else None
    smooth = at_infinity(builder, body, index) if last is None and groups is None and powers is None else None
    unknown = last is None and groups is None and powers is None and smooth is None
    decaying = decays(builder, body, index) if unknown else None
    unknown = unknown and decaying is None
    ratio = ratio_plan(builder, body, index) if unknown else None
    elementary = elementary_terms(builder, body, index) if groups is None else None
    shape = form(builder, body, index) if powers is None and smooth is None else None
    ways = [] if last is None else [(way, read) for way in summing() if (read := way.reads(builder, body, index)) is not None]
    inputs = tuple(plan.inputs)

    def real(v: Any) -> Number:
        span: Span | None = v[ends]
        if span is None:
            return NAN
        if span.empty:
            return ar.ZERO
        a, b = span.first, span.last
        values = [v[k] for k in inputs]
        for way, read in ways if b is not None and b - a > SHORT else ():
            found = way.adds(v, read, a, b, lambda i: body_value(plan, v.environment, values, fmpq(i)))
            if found is not None and to_ball(found).is_finite():
                return found
        if powers is not None and (b is None or b - a > SHORT):
            parts = []
            for power, shift, factor, logs in powers:
                start = ar.add((fmpq(a), v[shift]))
                end = None if b is None else ar.add((fmpq(b), v[shift]))
                parts.append(ar.multiply((v[factor], power_log_sum(v[power], logs, start, end))))
            value = ar.add(parts)
            if to_ball(value).is_finite() or b is None:
                return value
        if smooth is not None:
            finite = partial(_finite, plan, v.environment, values)
            return infinite_sum(analytic(plan, values), analytic(smooth, [v[k] for k in smooth.inputs]), a, finite)
        grows = groups is not None and any(log is not None and to_ball(v[log]) > 0 for log, _, _ in groups)
        if shape is not None and (grows or groups is None) and (b is None or b - a > SHORT):
            value = peaked_sum(shape, v, a, b)
            if to_ball(value).is_finite():
                return value
            if b is not None and b - a > LONGEST:
                return value
        if decaying is not None:
            return decaying_sum(decaying, v, a, partial(_finite, plan, v.environment, values))
        if ratio is not None:
            return infinite(plan, ratio, v.environment, values, [v[k] for k in ratio.inputs], a)
        evaluated = (
            None
            if groups is None
            else [
                (None if log is None else v[log], {key: v[c] for key, c in items})
                for log, base, items in groups
                if base is None or not _is_zero(v[base])  # 0**i vanishes for i >= 1
            ]
        )
        integral = None if elementary is None else partial(closed_form, elementary, v)
        return total(plan, v.environment, values, evaluated, a, b, integral)

    return builder.emit(("sum", body, index, low, high), real, None)


def _otherwise(builder: Builder, body: Term, index: str, low: Term, high: Term) -> int | None:
    """The place of the same in another form: backwards, by terms, or two terms at a time."""
    turned = None if high == OO else backwards(body, index, low, high)
    if turned is not None and any(whole(end) is not None for end in turned.parts[1:]) and not has(body, "binomial", "factorial"):
        return builder.place(turned)
    if high != OO and is_rational(body, index) and not is_polynomial(body, index) and body.free - {index}:
        terms = separated(body, index, low, high, builder.positive)
        if len(terms) > 1:
            return builder.add([builder.place(binder("Sum", term, index, low, high)) for term in terms])
    alternating = unsigned(body, index) if whole(low) is not None else None
    if alternating is not None and (high != OO or vanishes(alternating[0], index)):
        return builder.place(_paired(*alternating, index, low, high))
    return None


def _paired(f: Term, shift: int, index: str, low: Term, high: Term) -> Term:
    """The sum of (-1)^(i + shift) f(i) over low..high, f -> 0 where it is infinite."""
    leading, two = number(-1 if (int(low.number) + shift) % 2 else 1), pairs(f, index, low)
    if high == OO:
        return times(leading, binder("Sum", two, index, ONE, OO))
    count = plus(high, ONE, times(MINUS_ONE, low))
    half = made("floor", (over(count, number(2)),))
    rest = times(minus(count, times(number(2), half)), subs(f, {index: high}))
    return times(leading, plus(binder("Sum", two, index, ONE, half), rest))


PowerLogs = list[tuple[int, int, int, int]]
"""Per term c (i + a)^s (ln(i + a))^l: places of s, of a and of c, and l."""


def _power_logs(builder: Builder, body: Term, index: str) -> PowerLogs | None:
    """The terms of a summand in powers and logarithms of one i + a each, or None."""
    result = []
    for term in summands(expanded(body, powers=False)):
        shift, power, logs, rest = None, ZERO, 0, []
        for factor in factors(term):
            base, exponent = base_and_exponent(factor)
            if index not in factor.free:
                rest.append(factor)
                continue
            inner, n = base, whole(exponent)
            if base.head == "log" and n is not None and n > 0:
                inner = base.parts[0]
            elif index in exponent.free:
                return None
            straight = line(inner, index)
            if straight is None or straight[0] == ZERO or (inner is not base and straight[0] != ONE):
                return None
            slope, offset = straight
            if shift is None:
                shift = over(offset, slope)
            if not is_identity(minus(shift, over(offset, slope))):
                return None
            if inner is not base:
                logs += n or 0
            else:
                power = plus(power, exponent)
                rest.append(raised(slope, exponent))
        places = (builder.place(one) for one in (power, ZERO if shift is None else shift, times(*rest)))
        result.append((*places, logs))
    return result  # type: ignore[return-value]


def _is_zero(value: Number) -> bool:
    return isinstance(value, fmpq) and value == 0


def _groups(builder: Builder, body: Term, index: str) -> list[Group] | None:
    """The terms of the summand by their ratio x."""
    terms = shapes(builder, body, index)
    if terms is None:
        return None
    groups: dict[Any, Group] = {}
    for shape, place in terms.items():
        if shape.logs or shape.power.denominator != 1:
            return None
        if shape.ratio not in groups:
            bases = list(shape.ratio)
            single = builder.place(bases[0][0]) if len(bases) == 1 and bases[0][1] == ONE else None
            groups[shape.ratio] = (ratio_place(builder, shape.ratio), single, [])
        groups[shape.ratio][2].append(((int(shape.power), shape.harmonics), place))
    return list(groups.values())


def total(
    plan: Plan,
    environment: Any,
    inputs: list[Number],
    groups: list[tuple[Number | None, Terms]] | None,
    first: int,
    last: int | None,
    integral: Integral | None = None,
) -> Number:
    """The sum over first..last of the body."""
    if last is not None and last < first:
        return ar.ZERO
    if last is not None and last - first < (LONGEST if ar.exact_only() else SHORT):
        return by_terms(plan, environment, inputs, first, last)
    if groups is not None and last is not None and last < 1:
        groups = None  # the closed forms are for positive indices
    head: list[Number] = []
    if first < 1 and groups is not None:
        if first < -LONGEST:
            return NAN
        head.append(by_terms(plan, environment, inputs, first, 0))
        first = 1
    if groups is not None:
        parts = []
        for log, terms in groups:
            decay = ar.ZERO if log is None else -log
            part = geometric_harmonic(decay, terms, first, last)
            if part is None:
                break
            parts.append(part)
        else:
            return ar.add([*head, *parts])
    return ar.add([*head, general(plan, environment, inputs, first, last, integral)])


def by_terms(plan: Plan, environment: Any, inputs: list[Number], first: int, last: int) -> Number:
    """Term by term."""
    result: Number = ar.ZERO
    for i in range(first, last + 1):
        result = ar.add((result, body_value(plan, environment, inputs, fmpq(i))))
    return result


def _finite(plan: Plan, environment: Any, inputs: list[Number], first: int, last: int) -> Number:
    if last - first < SHORT:
        return by_terms(plan, environment, inputs, first, last)
    return general(plan, environment, inputs, first, last, None)


def general(
    plan: Plan, environment: Any, inputs: list[Number], first: int, last: int | None, integral: Integral | None
) -> Number:
    """Any analytic summand: term by term up to where Euler-Maclaurin is sharp, then that."""
    if last is None:
        return NAN
    start = max(first, start_for(ctx.prec))
    if last - first < 2 * start_for(ctx.prec):
        return by_terms(plan, environment, inputs, first, last)
    known = None if integral is None else integral(fmpq(start), fmpq(last))
    if known is not None and not to_ball(known).is_finite():
        known = None
    rest = analytic_sum(analytic(plan, inputs), start, last, known)
    if to_ball(rest).is_finite():
        return ar.add((by_terms(plan, environment, inputs, first, start - 1), rest))
    if last - first > LONGEST:
        return NAN
    return by_terms(plan, environment, inputs, first, last)
