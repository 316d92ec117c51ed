"""Integrands with a sharp peak, G e^L, taken apart before there are numbers: L, its derivatives, and what bounds all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from asymp.enclosure.algebra import (
    MINUS_OO,
    OO,
    factors,
    made,
    minus,
    name,
    plus,
    raised,
    rebuilt,
    subs,
    subterms,
    times,
)
from asymp.enclosure.calculus import diff
from asymp.enclosure.integrands import Bounds, Peak, at_far, at_zero, branches, parts, singular_at_zero
from asymp.enclosure.ranges import Ranges, both, obstacles, span
from asymp.enclosure.signs import signs
from asymp.kernel.terms import ZERO, Term, number


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
    original = body if original is None else original
    if high != OO and low != MINUS_OO and not branches(subs(body, {t: plus(low, name(t))}), t):
        turned = subs(body, {t: minus(high, name(t))})
        if branches(turned, t):  # at the upper end
            original = subs(original, {t: minus(high, name(t))})
            body, low, high = turned, ZERO, minus(high, low)
    positive = low != MINUS_OO and signs(low, known) <= {0, 1}
    hidden = any(  # in a quotient about the other end
        part.head == "log" and t in part.free and at_zero(part.parts[0], t) == ZERO for part in subterms(original)
    )
    if low == ZERO and (hidden or singular_at_zero(body, t)):  # t = e^y
        body, original = (times(_of_exponential(f, t), made("exp", (name(t),))) for f in (body, original))
        low, positive = MINUS_OO, False
        high = high if high == OO else made("log", (high,))
    peak = parts(body, t, positive, known)
    factor = times(peak.factor, raised(name(t), number(peak.power)))
    bodies = {"log": peak.log, "factor": factor, "slope": peak.slope, "bend": peak.bend}
    # each part's own: a product of the two may lose some, as 0 * tanh(n t) does
    shown = (body.free | original.free | peak.log.free | peak.factor.free) - {t}
    plain = parts(original, t, positive, known)
    more = plain.power - peak.power
    away = times(plain.factor, raised(name(t), number(more))) if plain.log == peak.log and more >= 0 else peak.factor
    same = more == 0 and plain.factor == peak.factor  # then L is the same function
    forms = [(f, g) if same else (f, f) for f, g in zip(
        (peak.slope, peak.bend, peak.growth, peak.log), (plain.slope, plain.bend, plain.growth, plain.log), strict=True)]
    slope, bend, growth, log, size = (
        Ranges([r for f in dict.fromkeys(pair) for r in both(f, t).forms]) for pair in (*forms, (peak.factor, away))
    )
    far = None if peak.far is None else span(peak.far, t)
    smooth = [(span(f, t), positive_) for f, positive_ in obstacles(peak.log, t)]
    single = [
        (span(f, t), span(slope_, t), None if far_ is None else span(far_, t))
        for f in factors(away) for slope_ in [diff(f, t)] for far_ in [at_far(slope_, t)]
    ]
    smooth_factor = [(span(f, t), positive_) for f, positive_ in obstacles(peak.factor, t)]
    smooth_away = [(span(f, t), positive_) for f, positive_ in obstacles(away, t)]
    bounds = Bounds(slope, bend, log, size, growth, far, smooth, smooth_factor, single, smooth_away)
    return Apart(t, low, high, peak, bounds, bodies, tuple(sorted(shown)), (body, original, t, low, high))


def _of_exponential(f: Term, t: str) -> Term:
    """f(e^t): powers and logarithms of t alone, times what is free of it, are written without it."""

    def put(term: Term) -> Term:
        if t not in term.free:
            return term
        if term.head == "name":
            return made("exp", (term,))
        parts = tuple(map(put, term.parts))
        if term.head == "log":  # of a product, of which one factor is a power of e
            found = [part.parts[0] for part in factors(parts[0]) if part.head == "exp"]
            rest = times(*(part for part in factors(parts[0]) if part.head != "exp"))
            return plus(*found, made("log", (rest,)))
        return rebuilt(term, parts)

    return put(f)
