"""An integrand taken apart: t^k G e^L, with the derivatives of L that bound it away from its peak.

>>> str(parts(read("t*exp(-n*t)"), "t", True, frozenset("n")).log)
'-n*t'
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from flint import arb

from asymp.budget import uncounted
from asymp.enclosure.algebra import (
    OO,
    E,
    base_and_exponent,
    factors,
    made,
    name,
    over,
    plus,
    raised,
    subs,
    subterms,
    times,
    whole,
)
from asymp.enclosure.calculus import diff, is_rational
from asymp.enclosure.fields import factored
from asymp.enclosure.ranges import Range, Ranges, Span
from asymp.enclosure.signs import signs
from asymp.kernel.terms import ONE, ZERO, Refused, Term, number
from asymp.kernel.terms import read as read


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
    log: Ranges
    factor: Ranges
    growth: Ranges
    far: Range | None
    smooth: list[tuple[Range, bool]]
    smooth_factor: list[tuple[Range, bool]]
    single: list[tuple[Range, Range, Range | None]]  # the factors f of G, f', and f' as a function of 1/t
    smooth_away: list[tuple[Range, bool]]


@uncounted
@lru_cache(maxsize=512)
def parts(body: Term, t: str, above: bool, positive: frozenset[str] = frozenset()) -> Peak:
    """The integrand as t^k G e^L; on a range ``above`` 0 what is positive joins L."""
    log, factor, power = ZERO, ONE, 0
    known = positive | {t} if above else positive - {t}
    for f in factors(body):
        base, exponent = base_and_exponent(f)
        n = whole(exponent)
        if t not in f.free:
            factor = times(factor, f)
        elif base == E:
            log = plus(log, exponent)
        elif base == name(t) and n is not None and n > 0:
            power += n
        elif (f.head == "power" and n is None) or (above and _is_positive(base, t, known)):
            log = plus(log, times(exponent, logarithm(base) if above else made("log", (base,))))
        else:
            factor = times(factor, f)
    slope = _tidy(diff(log, t), t)
    bend = _tidy(diff(slope, t), t)
    far = at_far(times(name(t), slope), t) if t in slope.free else None
    return Peak(log, factor, power, slope, bend, far, plus(slope, over(diff(factor, t), factor)))


def _is_positive(base: Term, t: str, known: frozenset[str]) -> bool:
    """For t >= 0."""
    there = at_zero(base, t)
    return there is not None and signs(base, known) == signs(there, known) == {1}


def at_zero(term: Term, t: str) -> Term | None:
    """The value at t = 0; None where it has none."""
    try:
        return subs(term, {t: ZERO})
    except Refused:
        return None


def logarithm(base: Term) -> Term:
    """ln of a product of positive factors, as a sum: where it is defined, so is ln of the product."""
    found = []
    for factor in factors(base):
        inner, exponent = base_and_exponent(factor)
        found.append(exponent if inner == E else times(exponent, made("log", (inner,))))
    return plus(*found)


def at_far(f: Term, t: str) -> Term | None:
    """A rational function of t as one of 1/t."""
    try:
        return factored(subs(f, {t: raised(name(t), number(-1))})) if is_rational(f, t) else None
    except Refused:
        return None


def _tidy(f: Term, t: str) -> Term:
    """Factored where it is a rational function: then intervals lose little."""
    return factored(f) if is_rational(f, t) and sum(1 for _ in subterms(f)) < 300 else f


def singular_at_zero(body: Term, t: str) -> bool:
    """Whether powers or logarithms of t make the integrand singular at 0."""
    for part in subterms(body):
        if part.head == "power" and part.parts[0] == name(t) and ((n := whole(part.parts[1])) is None or n < 0):
            return True
        if part.head == "log" and t in part.free and at_zero(part.parts[0], t) in (None, ZERO, OO):
            return True
    return False


def branches(body: Term, t: str) -> bool:
    """Whether there are logarithms or given powers of t that are not whole."""
    return singular_at_zero(_without(body), t)


def _without(term: Term) -> Term:
    """The term without powers whose exponents are no numbers."""
    if term.head == "power" and term.parts[1].free:
        return ONE
    return Term(term.head, tuple(map(_without, term.parts)), term.number, term.name)


def largest_of(bounds: Span) -> arb:
    """The largest absolute value."""
    return abs(bounds.low).max(abs(bounds.high))
