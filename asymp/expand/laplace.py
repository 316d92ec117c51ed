"""Integrals with a large parameter in the exponent: Watson's lemma, Laplace's method, Erdelyi's theorem.

    int g(t) exp(sum_i N_i phi_i(t)) dt,    N_1 >> N_2 >> ..., phi_1 piecewise monotone.

On every interval where phi_1 is monotone the integral lives at one end t_0.  There, with t = t_0 +- delta u and
delta so small that the largest terms N_i c w^q (w = delta u) are of order 1, what is of order 1 stays in the
exponent (the core e^(P(u))), what vanishes is expanded, and each term is a moment of the core.  One term in P:
Erdelyi's theorem (p = 1 Watson's lemma, p = 2 Laplace's method on one side; both sides add up, and odd terms
cancel, at an interior maximum).  Several: the maximum is at distance O(delta) of the end.

Why the remainder is the first growth left out.  Near t_0 (0 < w < r) the terms that are not in the core are at
most half of the core in size plus a constant, so that e^S is its Taylor polynomial up to O(S^k e^(|P|/2)).
Away from t_0 phi_1 <= phi_1(t_0) - eta with eta > 0 since phi_1 is monotone, the other phi_i are O(1 + |phi_1|),
and e^(N phi_1) |g| is integrable for large N: that part is exponentially small.  All of this is checked.

Sources: Erdelyi, Asymptotic Expansions (1956), section 2.4; Olver, Asymptotics and Special Functions (1974),
chapter 3, theorems 3.1 and 8.1; DLMF 2.3(ii)-(iv); Nemes, Constr. Approx. 38 (2013), for the coefficients.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

import asymp.symbolics as sy
from asymp.expand.closed import written_out
from asymp.expand.convergence import require_integrable
from asymp.expand.engine import Expander
from asymp.expand.exponent import Phases, Sum, readings
from asymp.expand.local import Field, Series, before, expansion_at_zero
from asymp.expand.method import handles
from asymp.expand.moments import Moments
from asymp.expand.monotone import pieces, require_smooth
from asymp.expand.reductions import plain, without_modulus, without_odd_part
from asymp.expand.uniform import Uniform, uniformised
from asymp.expansion import Expansion, Refused, absorbed, maximal
from asymp.scale import ONE, Growth, sign, tidy

_w = sp.Dummy("w", positive=True)
MOST_POWERS = 80
"""Powers of what vanishes near the peak, before an expansion is given up."""


@handles(sp.Integral, order=1)  # after those that have a closed form
def _integral(expander: Expander, expr: sp.Expr) -> Expansion:
    """The sum of the contributions of all maxima of the exponent, after a change of scale if need be."""
    if len(expr.limits) != 1 or len(expr.limits[0]) != 3:
        raise Refused("a multiple or indefinite integral")
    for reduced in (without_modulus, without_odd_part):
        split = reduced(expander, expr)
        if split is not None:
            return split
    expr = sp.Integral(plain(written_out(expr.function)), *expr.limits)
    reasons: list[str] = []
    try:
        for phases in readings(expander, expr):
            before_steps = len(expander.steps)
            try:
                return _maxima(expander, phases)
            except (ValueError, TypeError) as refused:  # Refused, a number not certified, a comparison not decided
                del expander.steps[before_steps:]
                reasons.append(str(refused))
    except Sum as found:
        return Expansion.sum([expander(sp.Integral(term, found.limits or expr.limits[0])) for term in found.terms])
    except Refused as refused:
        reasons.append(str(refused))
    raise Refused("; ".join(dict.fromkeys(reasons)))


def _maxima(expander: Expander, phases: Phases) -> Expansion:
    t, found = phases.variable, []
    waiting = list(pieces(phases.main, t, phases.low, phases.high))
    for a, b, _ in waiting:
        for f in phases.functions():
            require_smooth(f, t, a, b)
    while waiting:
        a, b, direction = waiting.pop(0)
        if direction < 0:
            found.append(_contribution(expander, phases, a, (b,)))
        elif waiting and _smooth_across(phases, a, waiting[0][1]):
            found.append(_contribution(expander, phases, b, (waiting.pop(0)[1], a)))
        else:
            found.append(_contribution(expander, phases, b, (a,)))
    return expander(phases.factor) * Expansion.sum(found)


def _smooth_across(phases: Phases, low: sp.Expr, high: sp.Expr) -> bool:
    """Whether the integrand is analytic at the maximum between, so that both sides have one Taylor series."""
    try:
        for f in phases.functions():
            require_smooth(f, phases.variable, low, high)
    except Refused:
        return False
    return True


def _field(phases: Phases, peak: sp.Expr) -> Field:
    """Where the local coefficients live: a number field for an algebraic peak, else rational functions."""
    free = set().union(*(f.free_symbols for f in (*phases.terms.values(), phases.amplitude)), peak.free_symbols)
    parameters = free - {phases.variable}
    irrational = peak.is_number and peak.is_algebraic and not peak.is_Rational
    return Field(parameters, peak if irrational and not parameters else None)


def _contribution(expander: Expander, phases: Phases, peak: sp.Expr, sides: tuple[sp.Expr, ...]) -> Expansion:
    """What a maximum contributes; the main phase falls from it to each of ``sides`` (right to left)."""
    if peak.is_infinite:
        raise Refused(f"the exponent is largest at {peak}")
    for far in sides:
        require_integrable(phases, far)
    both = peak not in (phases.low, phases.high)
    reach = sp.Integer(2 * expander.order + 1 if both else expander.order)
    uniform_phases, uniform = uniformised(phases, peak)
    centre = peak if uniform is None else uniform.symbol
    toward = sides[0] == sp.oo or (sides[0] != -sp.oo and sign(sy.factor(sides[0] - peak)) == 1)
    local, delta, heights = _near(uniform_phases, centre, toward, reach, sides)
    t = phases.variable
    if uniform is not None:
        heights = {g: h.subs(uniform.symbol, peak) for g, h in heights.items()}
    constant = Expansion.make({g: _value(f, t, peak, heights[g]) for g, f in phases.terms.items()}).exp(expander.order)
    expander.note(
        "Laplace's method" if both else "Watson's lemma and Erdelyi's theorem",
        r"\int g\,e^{N\varphi}\,dt,\quad t = " + sy.latex(peak) + r" \pm \delta u,\; \delta = "
        + sy.latex(delta.expr) + r":\ \text{each term is a moment of the exponential that stays}",
        "Erdelyi 1956, section 2.4; Olver 1974, chapter 3, theorem 8.1",
    )
    if len(sides) == 1:
        return constant * _assembled(expander, local, delta, uniform)
    if local.even():  # t_0 - w for t_0 + w: odd powers of u cancel, the others count twice
        doubled = {key: c + c for key, c in local.terms.items() if key[1].is_even}
        return constant * _assembled(expander, replace(local, terms=doubled), delta, uniform)
    left, _, _ = _near(uniform_phases, centre, not toward, reach, sides)
    return constant * Expansion.sum(_assembled(expander, side, delta, uniform) for side in (local, left))


def _near(
    phases: Phases, peak: sp.Expr, toward: bool, reach: sp.Expr, sides: tuple[sp.Expr, ...]
) -> tuple[LocalSum, Growth, dict[Growth, sp.Expr]]:
    """The integrand on one side of the peak, the scale delta, and the phases at the peak."""
    place = peak + _w if toward else peak - _w
    field = _field(phases, peak)
    local = {g: f.subs(phases.variable, place) for g, f in phases.terms.items()}
    first: dict[Growth, Series] = {}
    for looked in (4, 8, 16, 32):
        first = {g: _positive_part(expansion_at_zero(f, _w, field, sp.Integer(looked)), g)[0] for g, f in local.items()}
        if first[phases.order[0]].terms:
            break
    delta = _scale(first, phases.order)
    series, shift = {}, sp.S.Zero
    for g, s in first.items():
        reached = s.leading()[0] + reach if s.terms else reach
        # one order more than is kept: a logarithm among the first terms left out would not be seen otherwise
        further, power = _positive_part(expansion_at_zero(local[g], _w, field, reached + 1), g)
        series[g] = further.dropped(reached)
        shift += power
    amplitude, power, logs = _amplitude(phases.amplitude.subs(phases.variable, place), field, reach)
    endless = all(far.is_infinite for far in sides)
    heights = {g: _constant(f, field) for g, f in local.items()}
    return _local_sum(series, amplitude, logs, delta, reach, shift + power, endless), delta, heights


def _constant(f: sp.Expr, field: Field) -> sp.Expr:
    """The constant term of a local expansion (0 beside a logarithm)."""
    constant = expansion_at_zero(f, _w, field, sp.S.One).terms.get((sp.S.Zero, 0))
    return sp.S.Zero if constant is None else field.expr(constant)


def _value(f: sp.Expr, t: sp.Symbol, peak: sp.Expr, constant: sp.Expr) -> sp.Expr:
    """The phase at the peak; where it is not defined there (sin t/t at 0), the constant of its expansion."""
    value = f.subs(t, peak)
    if value.has(sp.nan, sp.zoo, sp.oo, -sp.oo):
        value = constant
    value = value.replace(sp.log, lambda x: sp.log(sy.factor(x)))
    return tidy(sy.expand_log(value, force=False))


def _positive_part(series: Series, growth: Growth) -> tuple[Series, sp.Expr]:
    """The phase without its constant; a multiple of ln w without a large factor is a power of w."""
    power = sp.S.Zero
    terms: dict[tuple[sp.Expr, int], Any] = {}
    for (q, k), c in series.terms.items():
        if k == 1 and q == 0 and growth == ONE:
            power = series.field.expr(c)
        elif k:
            raise Refused("a logarithm of the distance to the peak in the exponent")
        elif q != 0:
            if before(q, sp.S.Zero):
                raise Refused("an exponent with a singularity where its main part is largest")
            terms[(q, k)] = c
    return Series(series.field, terms, series.cut), power


def _amplitude(g: sp.Expr, field: Field, reach: sp.Expr) -> tuple[Series, sp.Expr, int]:
    """g = w^power * series, and the highest power of ln w up to the first terms left out.

    The power, which may be symbolic, is taken out first.
    """
    power, rest = sp.S.Zero, []
    for factor in sp.Mul.make_args(_powers_out(sy.powsimp(g))):
        base, exponent = factor.as_base_exp()
        if base == _w and not exponent.has(_w):
            power += exponent
        else:
            rest.append(factor)
    inner = sp.Mul(*rest)
    series = expansion_at_zero(inner, _w, field, reach + 1)
    low = series.lowest()
    if series.terms and low != 0:
        series = expansion_at_zero(inner, _w, field, low + reach + 1)
    kept = series.dropped(low + reach)
    if not kept.terms:
        raise Refused("the amplitude vanishes at the peak to all orders that were looked at")
    return kept, power, max(logs for _, logs in series.terms)


def _powers_out(g: sp.Expr) -> sp.Expr:
    """(w^2 + 2 w)^s = w^s (w + 2)^s for w > 0."""
    factors = []
    for factor in sp.Mul.make_args(g):
        base, exponent = factor.as_base_exp()
        if not exponent.is_number and base.is_polynomial(_w) and base.has(_w):
            whole = sy.factor(base)
            power = sum((f.as_base_exp()[1] for f in sp.Mul.make_args(whole) if f.as_base_exp()[0] == _w), sp.S.Zero)
            factor = _w ** (power * exponent) * (whole / _w**power) ** exponent
        factors.append(factor)
    return sp.Mul(*factors)


def _scale(series: dict[Growth, Series], order: list[Growth]) -> Growth:
    """delta with all N w^q = O(1) at w = delta and some of them 1."""
    lowest = {g: s.leading()[0] for g, s in series.items() if s.terms}
    if order[0] not in lowest:
        raise Refused("the exponent is flat at its maximum")
    for g, q in lowest.items():
        if g.limit() != "infinity":
            continue
        delta = g ** (-1 / q)
        limits = {h: (h * delta**r).limit() for h, r in lowest.items()}
        if set(limits.values()) <= {"zero", "one"}:
            core = [lowest[h] for h, where in limits.items() if where == "one"]
            top = core[0]
            for r in core[1:]:
                top = r if before(top, r) else top
            _require_dominated(lowest, limits, order[0], top, series)
            return delta
    raise Refused("the maximum moves with the large parameter, farther than its width")


def _require_dominated(
    lowest: dict[Growth, sp.Expr], limits: dict[Growth, str], main: Growth, top: sp.Expr, series: dict[Growth, Series]
) -> None:
    """A term that vanishes at w = delta stays below core or main phase for all larger w, or is negative."""
    for h, q in lowest.items():
        if h == main or limits[h] == "one" or h.limit() != "infinity":
            continue
        between = before(top, q) and before(q, lowest[main])
        if between and sign(series[h].field.expr(series[h].leading()[1])) != -1:
            raise Refused("a term of the exponent may be largest between the core and the main phase")


@dataclass(frozen=True)
class LocalSum:
    """Near the peak: sum of coefficient * growth * u^e (ln w)^k, times e^(P(u)), and the growths left out."""

    terms: dict[tuple[Growth, sp.Expr, int], Any]
    core: dict[sp.Expr, Any]
    rest: list[Growth]
    field: Field

    def even(self) -> bool:
        """Whether the core is even and all powers of u are whole: then the other side follows by parity."""
        whole = all(e.is_integer and not logs for _, e, logs in self.terms)
        return whole and all(q.is_even or self.field.vanishes(c) for q, c in self.core.items())


def _local_sum(
    series: dict[Growth, Series], amplitude: Series, most: int, delta: Growth, reach: sp.Expr, shift: sp.Expr,
    endless: bool,
) -> LocalSum:
    """The amplitude times exp(what vanishes at w = delta u), the core, and the remainder.

    ``endless``: the range goes on to infinity, so that an expansion without remainder is exact.
    """
    field, low = amplitude.field, amplitude.lowest()
    if not before(sp.S.NegativeOne, low + shift):
        raise Refused("the integral diverges where the exponent is largest")
    core: dict[sp.Expr, Any] = {}
    small: list[tuple[Growth, sp.Expr, Any]] = []
    rest = [] if amplitude.cut == sp.oo else [delta ** (amplitude.cut - low)]
    for g, s in series.items():
        for (q, _), c in s.terms.items():
            growth = g * delta**q
            where = growth.limit()
            if where == "one":
                core[q] = core[q] + c if q in core else c
            elif where == "zero":
                small.append((growth, q, c))
            elif field.vanishes(c):
                continue
            else:
                raise Refused(f"{growth} in the exponent near the peak")
        if s.cut != sp.oo:
            rest.append(g * delta**s.cut)
    if not rest and small:
        rest = [growth**reach for growth in maximal([growth for growth, _, _ in small])]
    if not rest and not endless:
        rest = [delta**reach]  # what is left out is exponentially small
    rest = list(maximal(rest))
    if any(r.limit() != "zero" for r in rest):
        raise Refused("not even the leading order could be bounded")
    terms: dict[tuple[Growth, sp.Expr, int], Any] = {}
    common = delta ** (low + shift + 1)
    for (growth, q), a in _exponential(small, rest, field).items():
        for (r, logs), c in amplitude.terms.items():
            new = growth * delta ** (r - low)
            if rest and absorbed(new, rest):
                continue
            key = (new * common, q + r + shift, logs)
            terms[key] = terms[key] + a * c if key in terms else a * c
    scaled = [r * common for r in rest]
    if most:
        scaled = [r * h**most for r in scaled for h, _ in delta.log()]
    return LocalSum(terms, core, scaled, field)


def _exponential(
    small: list[tuple[Growth, sp.Expr, Any]], rest: list[Growth], field: Field
) -> dict[tuple[Growth, sp.Expr], Any]:
    """exp of a sum of terms (growth, exponent of u, coefficient) that vanish, up to the growths of ``rest``."""
    power: dict[tuple[Growth, sp.Expr], Any] = {(ONE, sp.S.Zero): field.one}
    total = dict(power)
    for k in range(1, MOST_POWERS):
        following: dict[tuple[Growth, sp.Expr], Any] = {}
        for (growth, q), a in power.items():
            for h, r, c in small:
                key = (growth * h, q + r)
                if absorbed(key[0], rest):
                    continue
                term = a * c
                following[key] = following[key] + term if key in following else term
        inverse = field.of(sp.Rational(1, k))
        power = {key: c * inverse for key, c in following.items() if c != 0}
        if not power:
            return total
        for key, c in power.items():
            total[key] = total[key] + c if key in total else c
    raise Refused("too many terms near the peak")


def _assembled(expander: Expander, local: LocalSum, delta: Growth, uniform: Uniform | None) -> Expansion:
    """The moments put in."""
    field, total = local.field, local.terms
    core = {q: sy.factor(field.expr(c)) for q, c in local.core.items() if not field.vanishes(c)}
    if uniform is not None and len(core) > 1:
        raise Refused("several terms stay in the exponent at an irrational maximum")
    back = (lambda e: e) if uniform is None else uniform.back
    moments = Moments(core)
    top = sy.factor(back(moments.top))
    terms: dict[Growth, sp.Expr] = {}
    if moments.single and not any(logs for _, _, logs in total):
        inverse = field.power(-local.core[moments.degree], -1)
        grouped: dict[tuple[Growth, sp.Expr], Any] = {}
        for (growth, e, _), c in total.items():
            x, j = moments.split(e)
            value = c * field.of(sp.rf(x, j)) * inverse**j
            key = (growth, x)
            grouped[key] = grouped[key] + value if key in grouped else value
        for (growth, x), value in grouped.items():
            piece = back(sy.factor(field.expr(value))) * moments.base(x, top)
            if any(g.args[0].free_symbols for g in piece.atoms(sp.gamma)) and not top.has(sp.gamma):
                piece = sy.powsimp(sy.gammasimp(piece))
            terms[growth] = terms.get(growth, sp.S.Zero) + piece
        return Expansion.make({g: c for g, c in terms.items() if c != 0}, local.rest)
    found = [Expansion.big_o(*local.rest)] if local.rest else []
    log = Expansion(dict(delta.log()))
    for (growth, e, logs), c in total.items():
        value = field.expr(c)
        for k in range(logs + 1):  # (ln delta + ln u)^logs
            moment = sp.binomial(logs, k) * value * moments(e, logs - k)
            found.append(Expansion.of(growth, moment) * log.power(sp.Integer(k), expander.order))
    return Expansion.sum(found)
