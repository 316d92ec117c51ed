"""Integrands with a sharp peak, G e^L, taken apart before there are numbers: L, its derivatives, and what bounds all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp

import asymp.symbolics as sy
from asymp.enclosure.integrands import Bounds, Peak, at_far, branches, parts, singular_at_zero
from asymp.enclosure.ranges import Ranges, both, obstacles, span


@dataclass(frozen=True)
class Apart:
    """What is known of an integrand before there are numbers, in the variable that serves best."""

    t: sp.Symbol
    low: sp.Expr
    high: sp.Expr
    peak: Peak
    bounds: Bounds
    bodies: Mapping[str, sp.Expr]
    shown: tuple[sp.Symbol, ...]
    key: tuple[Any, ...]


def taken_apart(body: sp.Expr, t: sp.Symbol, low: sp.Expr, high: sp.Expr, original: sp.Expr | None) -> Apart:
    """The integrand as G e^L, with all that bounds need.

    Raises:
        Undecided: it cannot be taken apart.
    """
    original = body if original is None else original
    if high.is_finite and low.is_finite and not branches(body.subs(t, low + t), t):
        s = sp.Dummy("s", positive=True)
        turned = body.subs(t, high - s)
        if branches(turned, s):  # at the upper end
            body, original, t, low, high = turned, original.subs(t, high - s), s, sp.S.Zero, high - low
    positive = bool(low.is_extended_nonnegative)
    hidden = any(f.args[0].subs(t, 0) == 0 for f in original.atoms(sp.log))  # in a quotient about the other end
    if low == 0 and (hidden or singular_at_zero(body, t)):  # t = e^y
        y = sp.Dummy("y", real=True)
        body, original = (
            sy.expand_log(sy.powdenest((f * t).subs(t, sp.exp(y)), force=True), force=True) for f in (body, original)
        )
        t, low, positive = y, -sp.oo, False
        high = high if high is sp.oo else sp.log(high)
    peak = parts(body, t, positive)
    bodies = {"log": peak.log, "factor": peak.factor * t**peak.power, "slope": peak.slope, "bend": peak.bend}
    # each part's own: a product of the two may lose some, as 0 * tanh(n t) does
    shown = (body.free_symbols | original.free_symbols | peak.log.free_symbols | peak.factor.free_symbols) - {t}
    plain = parts(original, t, positive)
    more = plain.power - peak.power
    away = plain.factor * t**more if plain.log == peak.log and more >= 0 else peak.factor
    same = more == 0 and plain.factor == peak.factor  # then L is the same function
    forms = [(f, g) if same else (f, f) for f, g in zip(
        (peak.slope, peak.bend, peak.growth, peak.log), (plain.slope, plain.bend, plain.growth, plain.log), strict=True)]
    slope, bend, growth, log, factor = (
        Ranges([r for f in dict.fromkeys(pair) for r in both(f, t).forms]) for pair in (*forms, (peak.factor, away))
    )
    far = None if peak.far is None else span(peak.far, t)
    smooth = [(span(f, t), positive_) for f, positive_ in obstacles(peak.log, t)]
    single = [
        (span(f, t), span(sy.diff(f, t), t), None if far_ is None else span(far_, t))
        for f in sp.Mul.make_args(away) for far_ in [at_far(sy.diff(f, t), t)]
    ]
    smooth_factor = [(span(f, t), positive_) for f, positive_ in obstacles(peak.factor, t)]
    smooth_away = [(span(f, t), positive_) for f, positive_ in obstacles(away, t)]
    bounds = Bounds(slope, bend, log, factor, growth, far, smooth, smooth_factor, single, smooth_away)
    return Apart(t, low, high, peak, bounds, bodies, tuple(sorted(shown, key=str)), (body, original, t, low, high))
