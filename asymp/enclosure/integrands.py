"""An integrand taken apart: t^k G e^L, with the derivatives of L that bound it away from its peak.

>>> t, n = sp.symbols("t n", positive=True)
>>> parts(t * sp.exp(-n * t), t, True).log
-n*t
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import sympy as sp
from flint import arb

import asymp.symbolics as sy
from asymp.budget import uncounted
from asymp.enclosure.ranges import Range, Ranges, Span


@dataclass(frozen=True)
class Peak:
    """An integrand t^power G e^L: symbolic parts, prepared once."""

    log: sp.Expr
    factor: sp.Expr
    power: int
    slope: sp.Expr
    bend: sp.Expr
    far: sp.Expr | None  # t L'(t) as a function of 1/t, where L' is rational
    growth: sp.Expr  # (L + ln G)'


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
def parts(body: sp.Expr, t: sp.Symbol, positive: bool) -> Peak:
    """The integrand as t^k G e^L; on a range of positive t what is positive joins L."""
    log, factor, power = sp.S.Zero, sp.S.One, 0
    s = sp.Dummy("s", positive=True) if positive else t
    for f in sp.Mul.make_args(body):
        base, exponent = f.as_base_exp()
        if not f.has(t):
            factor *= f
        elif isinstance(f, sp.exp) or base is sp.E:
            log += exponent
        elif base == t and exponent.is_Integer and exponent > 0:
            power += int(exponent)
        elif (f.is_Pow and not exponent.is_Integer) or (
            positive and base.subs(t, s).is_positive and base.subs(t, 0).is_positive
        ):
            log += exponent * (sy.expand_log(sp.log(base), force=True) if positive else sp.log(base))
        else:
            factor *= f
    slope = _tidy(sy.diff(log, t), t)
    bend = _tidy(sy.diff(slope, t), t)
    far = at_far(t * slope, t) if slope.has(t) else None
    return Peak(log, factor, power, slope, bend, far, slope + sy.diff(factor, t) / factor)


def at_far(f: sp.Expr, t: sp.Symbol) -> sp.Expr | None:
    """A rational function of t as one of 1/t."""
    return sy.factor(sy.cancel(sy.together(f.subs(t, 1 / t)))) if f.is_rational_function(t) else None


def _tidy(f: sp.Expr, t: sp.Symbol) -> sp.Expr:
    """Factored where it is a rational function: then intervals lose little."""
    return sy.factor(sy.together(f)) if f.is_rational_function(t) and sp.count_ops(f) < 200 else f


def singular_at_zero(body: sp.Expr, t: sp.Symbol) -> bool:
    """Whether powers or logarithms of t make the integrand singular at 0."""
    powers = any(p.base == t and not (p.exp.is_Integer and p.exp >= 0) for p in body.atoms(sp.Pow))
    return powers or any(f.args[0].subs(t, 0) in (0, sp.oo, sp.zoo) for f in body.atoms(sp.log))


def branches(body: sp.Expr, t: sp.Symbol) -> bool:
    """Whether there are logarithms or given powers of t that are not whole."""
    numeric = body.replace(lambda e: e.is_Pow and not e.exp.is_number, lambda e: sp.S.One)
    return singular_at_zero(numeric, t)


def largest_of(bounds: Span) -> arb:
    """The largest absolute value."""
    return abs(bounds.low).max(abs(bounds.high))
