"""Integrands with a sharp peak, t^k G e^L, taken apart before there are numbers: L, its derivatives, and what bounds all of them.

>>> str(parts(read("t*exp(-n*t)"), "t", True, frozenset("n")).log)
'-n*t'
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from asymp.budget import uncounted
from asymp.enclosure import algebra as al
from asymp.enclosure.algebra import (
    MINUS_OO,
    OO,
    E,
    factors,
    log_of,
    made,
    minus,
    over,
    plus,
    raised,
    subs,
    times,
    whole,
)
from asymp.enclosure.calculus import diff, is_rational
from asymp.enclosure.fields import factored
from asymp.enclosure.ranges import Range, Ranges, both, obstacles, span
from asymp.enclosure.signs import signs
from asymp.kernel.terms import ONE, ZERO, Refused, Term, name, number, walk
from asymp.kernel.terms import read as read

HIGH = 12
"""Whole powers beyond it are no factors, but a peak."""


@dataclass(frozen=True)
class Peak:
    """An integrand t^power G e^L: symbolic parts, prepared once."""

    log: Term
    factor: Term
    power: int
    slope: Term
    bend: Term
    far: Term | None  # t L'(t) as a function of 1/t, where L' is rational
    growth: Term  # (L + ln G)'


@dataclass(frozen=True)
class Bounds:
    """L', L'', L, G and (L + ln G)' as maps of intervals, t L' of 1/t, and what keeps L and G analytic."""

    slope: Ranges
    bend: Ranges
    growth: Ranges
    log: Ranges
    factor: Ranges
    far: Range | None
    smooth: list[tuple[Range, bool]]
    smooth_factor: list[tuple[Range, bool]]
    single: list[tuple[Range, Range, Range | None]]  # the factors f of G, f', and f' as a function of 1/t
    smooth_away: list[tuple[Range, bool]]


@dataclass(frozen=True)
class Apart:
    """What is known of an integrand before there are numbers, in the variable that serves best."""

    t: str
    low: Term
    high: Term
    peak: Peak
    bounds: Bounds
    bodies: Mapping[str, Term]
    shown: tuple[str, ...]
    key: tuple[Any, ...]


def taken_apart(body: Term, t: str, low: Term, high: Term, original: Term | None, known: frozenset[str]) -> Apart:
    """The integrand as G e^L, with all that bounds need; ``known`` names are positive.

    Raises:
        Undecided, Refused: it cannot be taken apart.
    """
    original, at = body if original is None else original, name(t)
    if high != OO and low != MINUS_OO and not _branches(subs(body, {t: plus(low, at)}), t):
        turned = subs(body, {t: minus(high, at)})
        if _branches(turned, t):  # at the upper end
            original = subs(original, {t: minus(high, at)})
            body, low, high = turned, ZERO, minus(high, low)
    positive = low != MINUS_OO and signs(low, known) <= {0, 1}
    hidden = any(  # in a quotient about the other end
        part.head == "log" and t in part.free and _at_zero(part.parts[0], t) == ZERO for part in walk(original)
    )
    if low == ZERO and (hidden or _singular_at_zero(body, t)):  # t = e^y
        body, original = (times(_of_exponential(f, t), made("exp", (at,))) for f in (body, original))
        low, positive = MINUS_OO, False
        high = high if high == OO else made("log", (high,))
    peak, plain = (parts(f, t, positive, known) for f in (body, original))
    factor = times(peak.factor, raised(at, number(peak.power)))
    bodies = {"log": peak.log, "factor": factor, "slope": peak.slope, "bend": peak.bend}
    # each part's own: a product of the two may lose some, as 0 * tanh(n t) does
    shown = (body.free | original.free | peak.log.free | peak.factor.free) - {t}
    more = plain.power - peak.power
    away = times(plain.factor, raised(at, number(more))) if plain.log == peak.log and more >= 0 else peak.factor
    same = more == 0 and plain.factor == peak.factor  # then L is the same function
    forms = [(getattr(peak, own), getattr(plain if same else peak, own)) for own in ("slope", "bend", "growth", "log")]
    slope, bend, growth, log, size = (
        Ranges([r for f in dict.fromkeys(pair) for r in both(f, t).forms]) for pair in (*forms, (peak.factor, away))
    )
    single = [(f, diff(f, t)) for f in factors(away)]
    smooth, smooth_factor, smooth_away = (
        [(span(f, t), positive_) for f, positive_ in obstacles(whole_, t)] for whole_ in (peak.log, peak.factor, away)
    )
    bounds = Bounds(
        slope, bend, growth, log, size, _span(peak.far, t), smooth, smooth_factor,
        [(span(f, t), span(rise, t), _span(_at_far(rise, t), t)) for f, rise in single], smooth_away,
    )  # fmt: skip
    return Apart(t, low, high, peak, bounds, bodies, tuple(sorted(shown)), (body, original, t, low, high))


def _span(term: Term | None, t: str) -> Range | None:
    return None if term is None else span(term, t)


def _of_exponential(f: Term, t: str) -> Term:
    """f(e^t): powers and logarithms of t alone, times what is free of it, are written without it."""
    if t not in f.free:
        return f
    if f.head == "name":
        return made("exp", (f,))
    inner = tuple(_of_exponential(part, t) for part in f.parts)
    if f.head == "log":  # of a product, of which one factor is a power of e
        found = [part.parts[0] for part in factors(inner[0]) if part.head == "exp"]
        rest = times(*(part for part in factors(inner[0]) if part.head != "exp"))
        return plus(*found, made("log", (rest,)))
    return al.rebuilt(f, inner)


@uncounted
@lru_cache(maxsize=512)
def parts(body: Term, t: str, above: bool, positive: frozenset[str] = frozenset()) -> Peak:
    """The integrand as t^k G e^L; on a range ``above`` 0 what is positive joins L."""
    log, factor, power = ZERO, ONE, 0
    known = positive | {t} if above else positive - {t}
    for f in factors(body):
        base, exponent = al.base_and_exponent(f)
        n = whole(exponent)
        if t not in f.free:
            factor = times(factor, f)
        elif base == E:
            log = plus(log, exponent)
        elif base == name(t) and n is not None and n > 0:
            power += n
        elif (f.head == "power" and (n is None or abs(n) > HIGH)) or (above and _is_positive(base, t, known)):
            log = plus(log, times(exponent, _logarithm(base) if above else made("log", (base,))))
        else:
            factor = times(factor, f)
    slope = _tidy(diff(log, t), t)
    bend = _tidy(diff(slope, t), t)
    far = _at_far(times(name(t), slope), t) if t in slope.free else None
    return Peak(log, factor, power, slope, bend, far, plus(slope, over(diff(factor, t), factor)))


def _is_positive(base: Term, t: str, known: frozenset[str]) -> bool:
    """For t >= 0."""
    there = _at_zero(base, t)
    return there is not None and signs(base, known) == signs(there, known) == {1}


def _at_zero(term: Term, t: str) -> Term | None:
    """The value at t = 0; None where it has none."""
    try:
        return subs(term, {t: ZERO})
    except Refused:
        return None


def _logarithm(base: Term) -> Term:
    """ln of a product of positive factors, as a sum: where it is defined, so is ln of the product."""
    several = (al.base_and_exponent(factor) for factor in factors(base))
    return plus(*(times(exponent, log_of(inner)) for inner, exponent in several))


def _at_far(f: Term, t: str) -> Term | None:
    """A rational function of t as one of 1/t."""
    try:
        return factored(subs(f, {t: raised(name(t), number(-1))})) if is_rational(f, t) else None
    except Refused:
        return None


def _tidy(f: Term, t: str) -> Term:
    """Factored where it is a rational function: then intervals lose little."""
    with suppress(Refused):
        return factored(f) if is_rational(f, t) else f
    return f


def _singular_at_zero(body: Term, t: str) -> bool:
    """Whether powers or logarithms of t make the integrand singular at 0."""
    for part in walk(body):
        if part.head == "power" and part.parts[0] == name(t) and ((n := whole(part.parts[1])) is None or n < 0):
            return True
        if part.head == "log" and t in part.free and _at_zero(part.parts[0], t) in (None, ZERO, OO):
            return True
    return False


def _branches(body: Term, t: str) -> bool:
    """Whether there are logarithms or given powers of t that are not whole."""
    return _singular_at_zero(_without(body), t)


def _without(term: Term) -> Term:
    """The term without powers whose exponents are no numbers."""
    if term.head == "power" and term.parts[1].free:
        return ONE
    return Term(term.head, tuple(map(_without, term.parts)), term.number, term.name)
