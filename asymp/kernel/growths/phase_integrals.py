r"""Integrals of what oscillates more and more: products of sines and cosines of N h(t) + r + w(t) with what is free of N.

They are read here, and :mod:`stationary` says what they are.  Sums are taken apart, products of sines are sums of them, w goes to
the factor before by the addition theorems, and of an end X that moves t = X u is put, where the other end is a multiple of X.
What does not oscillate any more is an integral that stays.

>>> from asymp.kernel.growths.expander import Expander
>>> from asymp.kernel.growths.growth import Domain
>>> from asymp.kernel.growths.series import Algebra
>>> e = Expander(Algebra(Domain(), 2), {"x": 0}, {})
>>> found = series_of_waves(e, terms.read("Integral(x*cos(t^2), (t, 0, x))"))
>>> [str(to_term(c)) for c, _ in found.terms], len(found.rest)  # sqrt(pi/8) x + O(1)
(['1/4*pi^(1/2)*2^(1/2)'], 1)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.growths.series import Series
from asymp.kernel.growths.stationary import OO, Phase, T
from asymp.kernel.rings.defined import Range
from asymp.kernel.rings.ratio import to_term
from asymp.kernel.summation.generalised import bound
from asymp.kernel.terms import ONE, ZERO, Refused, Term, add, call, multiply, negative, number, power
from asymp.kernel.trust import rests_on

MOST_PARTS = 24
HALF = number(mpq(1, 2))
WAVES = ("sin", "cos")


def series_of_waves(e: Any, term: Term) -> Series:
    """The series of an integral in which something oscillates; ``e`` is the expander.

    Raises:
        Refused: it is of another form, or not seen to converge.
    """
    body, low, high = term.parts
    if T.name in term.free or not any(part.head in WAVES for part in terms.walk(body)):
        raise Refused("an integral in which nothing oscillates")
    inner = terms.opened(body, T)
    below = low == negative(OO) or (low.is_number and low.number < 0)
    start = OO if low == negative(OO) else negative(low)
    if below and (high == OO or (high.is_number and high.number > 0)):  # from 0 on to either side
        return e.algebra.add(_between(e, _reflected(inner), ZERO, start), _between(e, inner, ZERO, high))  # type: ignore[no-any-return]
    return _between(e, _reflected(inner), negative(high), start) if below else _between(e, inner, low, high)


def bessel_of_order(e: Any, term: Term) -> Series:
    """J_n(x) for a whole n that moves, by Bessel's integral (DLMF 10.9.2).

    Raises:
        Refused: n is not seen to be whole, or the integral has no series here.
    """
    n, x = term.parts
    if n not in e.whole:
        raise Refused("a Bessel function whose order moves, and is not seen to be whole")
    rests_on("DLMF 10.9.2")
    phase = add(multiply(n, T), negative(multiply(x, call("sin", T))))
    inner = call("cos", multiply(n, add(T, negative(call("sin", T)))) if n == x else phase)
    pi = terms.name("pi")
    return e.series(multiply(terms.reciprocal(pi), _still(inner, ZERO, pi)))  # type: ignore[no-any-return]


def _reflected(inner: Term) -> Term:
    return terms.substitute(inner, {T.name: negative(T)})


def _between(e: Any, inner: Term, low: Term, high: Term) -> Series:
    a = e.algebra
    ends = [x for x in (high, low) if x != OO and not e.constant(x)]
    if ends:
        x = ends[0]
        if a.below(e.series(x))[0] != 1:
            raise Refused("an end that is not seen to be positive")
        other = low if x is high else high
        if e.constant(other) and other not in (ZERO, OO):  # from 0 on, less what stays
            return a.minus(# type: ignore[no-any-return]
                _between(e, inner, ZERO, high), e.series(_still(inner, ZERO, other)))
        inner = multiply(x, terms.substitute(inner, {T.name: multiply(x, T)}))
        low, high = (end if end in (ZERO, OO) else _ratio(e, end, x) for end in (low, high))
    found = Series(())
    for count, (front, factors) in enumerate(_products(e, inner)):
        if count == MOST_PARTS:
            raise Refused("an integrand of many parts")
        found = a.add(found, _product(e, front, factors, low, high))
    return found


def _still(inner: Term, low: Term, high: Term) -> Term:
    return Term("Integral", (bound(inner, T.name), low, high))


def _ratio(e: Any, end: Term, x: Term) -> Term:
    """end/x, which stays."""
    if end == x:
        return ONE
    f = e.series(multiply(end, terms.reciprocal(x)))
    if f.rest or len(f.terms) != 1 or f.terms[0][1].limit(e.algebra.domain) != "one":
        raise Refused("ends of which one is no multiple of the other")
    return to_term(f.terms[0][0])


def _products(e: Any, term: Term) -> Iterator[tuple[Term, list[Term]]]:
    """Summands, each as the factors without sines, and those with one; squares of sines, and products, are sums."""
    for part in term.parts if term.head == "sum" else (term,):
        waves: list[Term] = []
        others: list[Term] = []
        for factor in part.parts if part.head == "product" else (part,):
            base, k = factor.parts if factor.head == "power" else (factor, ONE)
            whole = k.is_number and k.number.denominator == 1 and 0 < k.number <= 6
            if base.head in WAVES and T.name in base.free and whole:
                waves += [base] * int(k.number)
            elif base.head == "sum" and whole and k.number <= 3 and any(x.head in WAVES for x in terms.walk(base)):
                for inner in base.parts:
                    rest = multiply(*(x for x in (part.parts if part.head == "product" else (part,)) if x is not factor))
                    again = power(base, add(k, number(-1))) if k != ONE else ONE
                    yield from _products(e, multiply(inner, rest, again))
                break
            else:
                others.append(factor)
        else:
            yield from _alone(e, multiply(*others), waves)


def _alone(e: Any, front: Term, waves: list[Term]) -> Iterator[tuple[Term, list[Term]]]:
    """At most one sine each: sin A sin B = (cos(A - B) - cos(A + B))/2, and so on."""
    if len(waves) < 2:
        yield front, waves
        return
    first, second, *more = waves
    (x,), (y,) = first.parts, second.parts
    both, gap = (_gathered(e, add(x, z)) for z in (y, negative(y)))
    half = multiply(HALF, front)
    match first.head, second.head:
        case "sin", "sin":
            parts = [(half, "cos", gap), (negative(half), "cos", both)]
        case "cos", "cos":
            parts = [(half, "cos", gap), (half, "cos", both)]
        case "sin", _:
            parts = [(half, "sin", both), (half, "sin", gap)]
        case _:
            parts = [(half, "sin", both), (negative(half), "sin", gap)]
    for weight, head, argument in parts:
        if argument != ZERO:
            yield from _alone(e, weight, [call(head, argument), *more])
        elif head == "cos":
            yield from _alone(e, weight, more)


def _gathered(e: Any, term: Term) -> Term:
    """The same where T and the quantities are positive, without what cancels."""
    domain, positive = e.algebra.domain, Range(mpq(0), True)
    within = {**domain.within, **dict.fromkeys((T.name, *e.scales), positive)}
    try:
        return to_term(replace(domain, within=within).value(term))
    except Refused:
        return term


def _product(e: Any, front: Term, waves: list[Term], low: Term, high: Term) -> Series:
    """The integral of one summand."""
    a, outside, inside = e.algebra, ONE, ONE
    for factor in front.parts if front.head == "product" else (front,):
        moving, still = _parted(e, factor)
        outside, inside = multiply(outside, moving), multiply(inside, still)
    factor = e.series(outside)
    if waves:
        (wave,) = waves
        groups: dict[Term, list[Term]] = {}
        argument = wave.parts[0]
        for part in argument.parts if argument.head == "sum" else (argument,):
            moving, still = _parted(e, part)
            groups.setdefault(moving, []).append(still)
        w = add(*groups.pop(ONE)) if ONE in groups else ZERO
        phases = {n: add(*parts) for n, parts in groups.items()}
        shift = add(*(multiply(n, h) for n, h in phases.items() if T.name not in h.free))
        large = [(n, h) for n, h in phases.items() if T.name in h.free]
        if T.name not in w.free:
            shift, w = add(shift, w), ZERO
        if len(large) > 1:
            raise Refused("a phase in which two things move")
        if large:
            ((n, h),) = large
            found = Series(())
            for head, g in _without(wave.head, w):
                own = Phase(e, n, h, shift, head).integral(multiply(inside, g), low, high)
                found = a.add(found, own)
            return a.times(factor, found)  # type: ignore[no-any-return]
        if shift.free & e.moving:
            raise Refused("a sine of what is free of t")
        inside = multiply(inside, wave)
    return a.times(factor, e.series(_still(inside, low, high)))  # type: ignore[no-any-return]


def _without(head: str, w: Term) -> list[tuple[str, Term]]:
    """cos(x + w) = cos x cos w - sin x sin w, sin(x + w) = sin x cos w + cos x sin w."""
    if w == ZERO:
        return [(head, ONE)]
    other = "sin" if head == "cos" else "cos"
    return [(head, call("cos", w)), (other, multiply(number(-1 if head == "cos" else 1), call("sin", w)))]


def _parted(e: Any, term: Term) -> tuple[Term, Term]:
    """A factor without T and one without what moves, of which a term is the product, for T > 0.

    Raises:
        Refused: it is not seen to be one.
    """
    if T.name not in term.free:
        return (term, ONE) if term.free & e.moving else (ONE, term)
    if not term.free & e.moving:
        return ONE, term
    match term.head:
        case "product":
            parts = [_parted(e, part) for part in term.parts]
            return multiply(*(m for m, _ in parts)), multiply(*(f for _, f in parts))
        case "power" if e.constant(term.parts[1]) and T.name not in term.parts[1].free:
            moving, still = _parted(e, term.parts[0])
            k = term.parts[1]
            if not (k.is_number and k.number.denominator == 1) and e.algebra.below(e.series(moving))[0] != 1:
                raise Refused("a power of what may be negative")
            return power(moving, k), power(still, k)
        case "sum":
            parts = [_parted(e, part) for part in term.parts]
            if len({m for m, _ in parts}) == 1:
                return parts[0][0], add(*(f for _, f in parts))
    raise Refused("an integrand in which t and what moves are not apart")
