"""Sums in a plan: which method encloses ``Sum(f, (i, a, b))``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import sympy as sp
from flint import ctx, fmpq

from asymp.enclosure import arithmetic as ar
from asymp.enclosure.alternating import pairs, unsigned, vanishes
from asymp.enclosure.arithmetic import NAN, Number, to_ball
from asymp.enclosure.decaying import decaying_sum, decays
from asymp.enclosure.ends import Span
from asymp.enclosure.ends import place as whole_ends
from asymp.enclosure.ends import require as over
from asymp.enclosure.euler_maclaurin import analytic_sum, start_for
from asymp.enclosure.hypergeometric import infinite, ratio_plan
from asymp.enclosure.infinite import at_infinity, infinite_sum
from asymp.enclosure.integrals import analytic, closed_form, elementary_terms
from asymp.enclosure.peaked import form, peaked_sum
from asymp.enclosure.plan import Builder, Plan, body_value, builds
from asymp.enclosure.summand import backwards, line, ratio_place, separated, shapes
from asymp.enclosure.summing import summing
from asymp.enclosure.tails import Terms, geometric_harmonic
from asymp.enclosure.zeta import power_log_sum

SHORT = 24
"""Ranges up to this length are added term by term (exactly, while the numbers are short)."""

LONGEST = 200_000
"""Longest range that is added term by term when no other method applies."""


@builds("product")
def build_product(builder: Builder, body: sp.Expr, index: sp.Symbol, low: sp.Expr, high: sp.Expr) -> int:
    """The place of a finite product: factor by factor where it is short, else exp of the sum of logarithms."""
    ends = whole_ends(builder, index, low, high, "product")
    plan = builder.body(body, index)
    inputs = tuple(plan.inputs)
    log_sum = builder.place(sp.exp(sp.Sum(sp.log(body), (index, low, high))))

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


@builds("sum")
def build(builder: Builder, body: sp.Expr, index: sp.Symbol, low: sp.Expr, high: sp.Expr) -> int:
    """The place of a sum."""
    turned = None if high is sp.oo else backwards(body, index, low, high, body.free_symbols - {index})
    if turned is not None and any(bound.is_Integer for bound in turned[1]) and not (body.atoms(sp.binomial, sp.factorial)):
        return over(builder, index, low, high, builder.place(sp.Sum(*turned)))
    rational = body.is_rational_function(index) and not body.is_polynomial(index)
    if high is not sp.oo and rational and body.free_symbols - {index}:
        terms = separated(body, index, low, high)
        if len(terms) > 1:
            parts = builder.add([builder.place(sp.Sum(term, (index, low, high))) for term in terms])
            return over(builder, index, low, high, parts)
    alternating = unsigned(body, index) if low.is_Integer else None
    if alternating is not None and (high is not sp.oo or vanishes(alternating[0], index)):
        return over(builder, index, low, high, builder.place(_paired(*alternating, index, low, high)))
    last = None if high is sp.oo else high
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


def _paired(f: sp.Expr, shift: sp.Expr, index: sp.Symbol, low: sp.Expr, high: sp.Expr) -> sp.Expr:
    """The sum of (-1)^(i + shift) f(i) over low..high, f -> 0 where it is infinite."""
    leading, two = sp.Integer(-1) ** (low + shift), pairs(f, index, low)  # of ints it would be a float for low < 0
    if high is sp.oo:
        return leading * sp.Sum(two, (index, 1, sp.oo))
    count = high - low + 1
    half = sp.floor(count / 2)
    return leading * (sp.Sum(two, (index, 1, half)) + (count - 2 * half) * f.subs(index, high))


PowerLogs = list[tuple[int, int, int, int]]
"""Per term c (i + a)^s (ln(i + a))^l: places of s, of a and of c, and l."""


def _power_logs(builder: Builder, body: sp.Expr, index: sp.Symbol) -> PowerLogs | None:
    """The terms of a summand in powers and logarithms of one i + a each, or None."""
    result = []
    for term in sp.Add.make_args(sp.expand_mul(body)):
        shift, power, logs, rest = None, sp.S.Zero, 0, []
        for factor in sp.Mul.make_args(term):
            base, exponent = factor.as_base_exp()
            if index not in factor.free_symbols:
                rest.append(factor)
                continue
            whole = base
            if isinstance(base, sp.log) and exponent.is_Integer and exponent > 0:
                whole = base.args[0]
            elif index in exponent.free_symbols:
                return None
            straight = line(whole, index)
            if straight is None or straight[0] == 0 or (whole is not base and straight[0] != 1):
                return None
            slope, offset = straight
            if shift is None:
                shift = offset / slope
            if sp.expand(shift - offset / slope) != 0:
                return None
            if whole is not base:
                logs += int(exponent)
            else:
                power += exponent
                rest.append(slope**exponent)
        if shift is None:
            shift = sp.S.Zero
        result.append((builder.place(power), builder.place(shift), builder.place(sp.Mul(*rest)), logs))
    return result


def _is_zero(value: Number) -> bool:
    return isinstance(value, fmpq) and value == 0


def _groups(builder: Builder, body: sp.Expr, index: sp.Symbol) -> list[Group] | None:
    """The terms of the summand by their ratio x."""
    terms = shapes(builder, body, index)
    if terms is None:
        return None
    groups: dict[Any, Group] = {}
    for shape, place in terms.items():
        if shape.logs or not shape.power.is_Integer:
            return None
        if shape.ratio not in groups:
            bases = list(shape.ratio)
            single = builder.place(bases[0][0]) if len(bases) == 1 and bases[0][1] == 1 else None
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
