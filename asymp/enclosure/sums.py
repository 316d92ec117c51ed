"""Sums and products in a plan: which method encloses ``Sum(f, (i, a, b))``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from flint import ctx, fmpq

from asymp.enclosure import algebra as al
from asymp.enclosure import arithmetic as ar
from asymp.enclosure.algebra import OO, binder, over, plus, raised, times, whole
from asymp.enclosure.arithmetic import NAN, Number, to_ball
from asymp.enclosure.calculus import coefficients, is_polynomial, is_rational
from asymp.enclosure.decaying import decaying_sum, decays
from asymp.enclosure.ends import Span, require
from asymp.enclosure.ends import place as whole_ends
from asymp.enclosure.euler_maclaurin import analytic_sum, at_infinity, infinite_sum, start_for
from asymp.enclosure.fields import is_identity, split
from asymp.enclosure.fields import partial as apart
from asymp.enclosure.hypergeometric import Ratio, infinite, infinite_product, ratio_plan
from asymp.enclosure.integrals import closed_form, elementary_terms
from asymp.enclosure.peaked import form, peaked_sum
from asymp.enclosure.plan import Body, Builder, Plan, builds
from asymp.enclosure.summand import backwards, pairs, places, shapes, unsigned, vanishes
from asymp.enclosure.summing import summing
from asymp.enclosure.tails import geometric_harmonic
from asymp.enclosure.zeta import power_log_sum
from asymp.kernel.terms import ONE, ZERO, Refused, Term, number

SHORT = 24
"""Ranges up to this length are added term by term (exactly, while the numbers are short)."""

LONGEST = 200_000
"""Longest range that is added term by term when no other method applies."""

Integral = Callable[[Number, Number], Number]
"""The summand's integral over an interval, in closed form."""


@builds("Product")
def build_product(builder: Builder, body: Term, index: str, low: Term, high: Term) -> int:
    """The place of a product: factor by factor where it is short, or its factors tend to 1 like a geometric series; by Gamma
    where the factors are linear in the index; else exp of the sum of logarithms."""
    ends = whole_ends(builder, index, low, high, "product")
    plan = builder.body(body, index)
    long = _of_linear(builder, body, index, low, high)
    near = _near_one(builder, body, index) if high == OO and long is None else None
    if near is not None:

        def endless(v: Any) -> Number:
            span: Span | None = v[ends]
            parts = [(Body(part, v), ratio.at(v)) for part, ratio in near]
            return NAN if span is None else infinite_product(Body(plan, v), parts, span.first)

        return builder.emit(("product", body, index, low, high), endless, None)
    if long is None:
        long = builder.place(Term("exp", (binder("Sum", Term("log", (body,)), index, low, high),)))

    def real(v: Any) -> Number:
        span: Span | None = v[ends]
        if span is None:
            return NAN
        if span.last is None or span.last - span.first > 1000:
            return v[long]
        result, factor = ar.ONE, Body(plan, v)
        for i in range(span.first, span.last + 1):
            result = ar.multiply((result, factor(fmpq(i))))
        return result

    return builder.emit(("product", body, index, low, high), real, None)


def _of_linear(builder: Builder, body: Term, index: str, low: Term, high: Term) -> int | None:
    """The place of the product of a rational function whose factors are linear in the index, over a range that is not empty:
    that of a + b k is b^N (a/b + low) (a/b + low + 1) ... with N factors (DLMF 5.2.5); of an endless one with b = 1, and with as
    many above as below, of which the a add up to the same, by Gamma(a + low) (DLMF 5.8.5).  None where it is of another kind."""
    try:
        first, powers = split(body)
        front, starts = [first], []
        for factor, times_ in powers:
            line = coefficients(factor, index)
            if line is None or len(line) > 2:
                return None
            front.append(raised(line[-1], number(times_)))
            if len(line) == 2:
                starts.append((plus(over(line[0], line[1]), low), number(times_)))
        if high != OO:
            count = plus(high, al.negative(low), ONE)
            parts = [raised(Term("rf", (start, count)), power) for start, power in starts]
            return builder.place(times(raised(times(*front), count), *parts)) if starts else None
        powers_, weighed = plus(*(power for _, power in starts)), plus(*(times(power, start) for start, power in starts))
        if not starts or powers_ != ZERO or not is_identity(weighed) or not is_identity(plus(times(*front), number(-1))):
            return None
        return builder.place(times(*(raised(Term("gamma", (start,)), al.negative(power)) for start, power in starts)))
    except Refused:
        return None


def _near_one(builder: Builder, body: Term, index: str) -> list[tuple[Plan, Ratio]] | None:
    """The parts of a factor less 1, each with the ratio of those that follow one another; None where one has none."""
    try:
        parts = [part for part in al.summands(al.minus(body, ONE)) if part != ZERO]
    except Refused:
        return None
    ratios = [ratio_plan(builder, part, index) for part in parts]
    found = [(builder.body(part, index), ratio) for part, ratio in zip(parts, ratios, strict=True) if ratio is not None]
    return found if len(found) == len(parts) else None


@builds("Sum")
def build(builder: Builder, body: Term, index: str, low: Term, high: Term) -> int:
    """The place of a sum."""
    try:
        body = al.simple(body)
        other = _otherwise(builder, body, index, low, high)
    except Refused:  # of algebra: as it stands
        other = None
    if other is not None:
        return require(builder, index, low, high, other)
    ends = whole_ends(builder, index, low, high)
    plan = builder.body(body, index)
    groups = _groups(builder, body, index)
    powers = _power_logs(builder, body, index) if groups is None else None
    unknown = high == OO and groups is None and powers is None
    smooth = at_infinity(builder, body, index) if unknown else None
    decaying = decays(builder, body, index) if unknown and smooth is None else None
    unknown = unknown and smooth is None and decaying is None
    ratio = ratio_plan(builder, body, index) if unknown else None
    if unknown and ratio is None and body.head == "sum":
        return builder.add([builder.place(binder("Sum", term, index, low, high)) for term in body.parts])
    is_power = high == OO and any(base is not None for _, base, _ in groups or ())
    below_zero = ratio_plan(builder, body, index) if is_power else None
    elementary = elementary_terms(builder, body, index) if groups is None else None
    shape = form(builder, body, index) if powers is None and smooth is None else None
    ways = [] if high == OO else [(way, read) for way in summing() if (read := way.reads(builder, body, index)) is not None]

    def real(v: Any) -> Number:
        span: Span | None = v[ends]
        if span is None:
            return NAN
        if span.empty:
            return ar.ZERO
        a, b, f = span.first, span.last, Body(plan, v)
        is_long = b is None or b - a > SHORT
        for way, read in ways if is_long and b is not None else ():
            found = way.adds(v, read, a, b, lambda i: f(fmpq(i)))
            if found is not None and to_ball(found).is_finite():
                return found
        if powers is not None and is_long:
            value = _of_powers(powers, v, a, b)
            if to_ball(value).is_finite() or b is None:
                return value
        if smooth is not None:
            return infinite_sum(f.complex(), Body(smooth, v).complex(), a, partial(_finite, f))
        grows = groups is not None and any(log is not None and to_ball(v[log]) > 0 for log, _, _ in groups)
        if shape is not None and (grows or groups is None) and is_long:
            value = peaked_sum(shape, v, a, b)
            if to_ball(value).is_finite() or (b is not None and b - a > LONGEST):
                return value
        known = None if elementary is None else partial(closed_form, elementary, v)
        if decaying is not None:
            return decaying_sum(decaying, v, a, partial(_finite, f, integral=known))
        if ratio is not None:
            return infinite(f, ratio.at(v), a)
        if b is not None and b - a < (LONGEST if ar.exact_only() else SHORT):
            return by_terms(f, a, b)
        if groups is not None and (b is None or b >= 1):  # the closed forms are for positive indices
            value = _of_groups(groups, f, v, a, b)
            if value is not None:
                return value
            if below_zero is not None and b is None:
                return infinite(f, below_zero.at(v), a)
        return NAN if b is None else general(f, a, b, known)

    return builder.emit(("sum", body, index, low, high), real, None)


def _otherwise(builder: Builder, body: Term, index: str, low: Term, high: Term) -> int | None:
    """The place of the same in another form: backwards, by partial fractions, or two terms at a time."""
    turned = None if high == OO or al.has(body, "binomial", "factorial") else backwards(body, index, low, high)
    if turned is not None and any(whole(end) is not None for end in turned.parts[1:]):
        return builder.place(turned)
    if high != OO and is_rational(body, index) and not is_polynomial(body, index) and body.free - {index}:
        terms = apart(body, index)
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
    count = plus(high, ONE, al.negative(low))
    half = al.made("floor", (over(count, number(2)),))
    rest = times(al.minus(count, times(number(2), half)), al.subs(f, {index: high}))
    split = is_rational(two, index) and not is_polynomial(two, index)
    total = [binder("Sum", term, index, ONE, half) for term in (apart(two, index) if split else [two])]
    return times(leading, plus(*total, rest))


# --- terms of known shapes ---------------------------------------------------------------------

PowerLogs = list[tuple[int, int, int, int]]
"""Per term c (i + a)^s (ln(i + a))^l: places of c, of s and of a, and l."""


def _power_logs(builder: Builder, body: Term, index: str) -> PowerLogs | None:
    """The terms of a summand in powers and logarithms of one i + a each, or None."""
    terms = shapes(body, index, powers=False)
    if terms is None or any(shape.rate != ZERO or shape.harmonics for shape in terms):
        return None
    return [(places(builder, c), builder.place(one.power), builder.place(one.shift), one.logs) for one, c in terms.items()]


def _of_powers(powers: PowerLogs, v: Any, first: int, last: int | None) -> Number:
    parts: list[Number] = []
    for factor, power, shift, logs in powers:
        start, end = (None if k is None else ar.add((fmpq(k), v[shift])) for k in (first, last))
        assert start is not None
        parts.append(ar.multiply((v[factor], power_log_sum(v[power], logs, start, end))))
    return ar.add(parts)


Group = tuple[int | None, int | None, list[tuple[tuple[int, int], int]]]
"""Place of ln x, place of x where x is a single base, places of the coefficients of i^k H_i^j."""


def _groups(builder: Builder, body: Term, index: str) -> list[Group] | None:
    """The terms of the summand by their ratio x."""
    terms = shapes(body, index)
    if terms is None or any(one.logs or one.shift != ZERO or whole(one.power) is None for one in terms):
        return None
    groups: dict[Term, Group] = {}
    for shape, c in terms.items():
        rate = shape.rate
        if rate not in groups:
            base = builder.place(rate.parts[0]) if rate.head == "log" else None
            groups[rate] = (None if rate == ZERO else builder.place(rate), base, [])
        groups[rate][2].append(((whole(shape.power) or 0, shape.harmonics), places(builder, c)))
    return list(groups.values())


def _of_groups(groups: list[Group], f: Body, v: Any, first: int, last: int | None) -> Number | None:
    """Their sum; None where another method is wanted, as for powers of what is below 0."""
    if first < -LONGEST:
        return NAN
    total = [by_terms(f, first, 0)] if first < 1 else []
    for log, base, items in groups:
        if base is not None and v[base] == 0 and isinstance(v[base], fmpq):
            continue  # 0**i vanishes for i >= 1
        if base is not None and to_ball(v[base]) < 0:
            return None
        decay = ar.ZERO if log is None else -v[log]
        part = geometric_harmonic(decay, {key: v[c] for key, c in items}, max(first, 1), last)
        if part is None:
            return None
        total.append(part)
    return ar.add(total)


# --- any terms ---------------------------------------------------------------------------------


def by_terms(f: Body, first: int, last: int) -> Number:
    """Term by term."""
    result: Number = ar.ZERO
    for i in range(first, last + 1):
        result = ar.add((result, f(fmpq(i))))
    return result


def _finite(f: Body, first: int, last: int, integral: Integral | None = None) -> Number:
    return by_terms(f, first, last) if last - first < SHORT else general(f, first, last, integral)


def general(f: Body, first: int, last: int, integral: Integral | None = None) -> Number:
    """Any analytic summand: term by term up to where Euler-Maclaurin is sharp, then that."""
    start = max(first, start_for(ctx.prec))
    if last - first < 2 * start_for(ctx.prec):
        return by_terms(f, first, last)
    known = None if integral is None else integral(fmpq(start), fmpq(last))
    if known is not None and to_ball(known).rel_accuracy_bits() < ctx.prec // 2:
        known = None  # such a difference of two tells less than quadrature
    rest = analytic_sum(f.complex(), start, last, known)
    if to_ball(rest).is_finite():
        return ar.add((by_terms(f, first, start - 1), rest))
    return NAN if last - first > LONGEST else by_terms(f, first, last)
