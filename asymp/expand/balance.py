"""Where a root may lie, to leading order: dominant balance.

The unknown is put into a chart x = X, x_0 +- 1/X, exp(+-X) with X a scale of its own, the form F is expanded in all
scales, and each two of its terms are set against each other: X^a (ln X)^b (ln ln X)^c N = const gives
X ~ C N^(-1/a) (ln)^(-b/a) (ln ln)^(-c/a) with ln X ~ ln N^(-1/a).  Terms of one order together fix C.  Constant limits
are roots of the leading coefficient of F.  Source: de Bruijn, Asymptotic Methods in Analysis, 2.3-2.4;
Bender and Orszag, Advanced Mathematical Methods, 7.2.

These are proposals: what is proved is proved afterwards, by :mod:`asymp.expand.newton`.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator

import sympy as sp

import asymp.symbolics as sy
from asymp.expand.engine import Expander
from asymp.expand.mills import Mills, without_small
from asymp.expand.newton import Approximation
from asymp.expansion import Expansion, Refused
from asymp.scale import ONE, Growth, Regime, sign

ORDER = 2
ORDERS = (2, 4, 7)
"""Terms of series, more where the first ones cancel."""
_c = sp.Dummy("c", positive=True)
LONGEST = 80
"""Operations in an equation for a constant that is still solved."""


def starts(form: sp.Expr, x: sp.Symbol, regime: Regime, low: sp.Expr, high: sp.Expr) -> Iterator[Approximation]:
    """Leading behaviours of roots of ``form`` in (low, high), to be tried; some may be wrong."""
    for centre, direction in _charts(low, high):
        far = sp.Dummy("X", positive=True)
        at = direction * far if centre is None else centre + direction / far
        for growth, constant in _balances(form, x, regime, far, at):
            if centre is None:
                yield Approximation(((growth, direction * constant),))
            else:
                small = (growth**-1, direction / constant)
                yield Approximation((small,) if centre == 0 else ((ONE, centre), small))
    yield from _constants(form, x, regime, low, high)
    yield from _proportional(form, x, regime)
    yield from _near_scales(form, x, regime)


def _charts(low: sp.Expr, high: sp.Expr) -> Iterator[tuple[sp.Expr | None, int]]:
    if high == sp.oo or not high.is_number:
        yield None, 1
    if low == -sp.oo or not low.is_number:
        yield None, -1
    if low.is_number and low.is_finite:
        yield low, 1
    if high.is_number and high.is_finite:
        yield high, -1
    for end in (sp.S.Zero, sp.S.One):
        if end not in (low, high) and (end - low).is_positive is not False and (high - end).is_positive is not False:
            yield end, 1
            yield end, -1


def _balances(
    form: sp.Expr, x: sp.Symbol, regime: Regime, far: sp.Symbol, at: sp.Expr
) -> Iterator[tuple[Growth, sp.Expr]]:
    """X ~ constant * growth for which two terms of the form, or more, balance and win over the others."""
    form = without_small(form)
    for order in ORDERS:
        try:
            found = Expander(Regime("", (*regime.scales, far), {x: at}), order)(form)
        except ValueError:
            return
        if any(_has(g, far) for g in found.terms):
            break
    terms = [(g, c) for g, c in found.terms.items() if not any(h.powers and _has(h, far) for h, _ in g.large)]
    seen: set[Growth] = set()
    for (g, a), (h, b) in itertools.combinations(terms, 2):
        if sign(a) is not None and sign(a) == sign(b):
            continue
        with contextlib.suppress(ValueError):
            growth = _solve(g / h, far)
            if growth is None or growth in seen:
                continue
            seen.add(growth)
            for constant in _constants_of(terms, growth, far):
                yield growth, constant


def _has(growth: Growth, far: sp.Symbol) -> bool:
    return any(far in atom.free_symbols for atom, _ in growth.powers) or any(_has(h, far) for h, _ in growth.large)


def _split(growth: Growth, far: sp.Symbol) -> tuple[sp.Expr, sp.Expr, sp.Expr, Growth]:
    """Powers of X, ln X, ln ln X, and the rest."""
    powers = dict(growth.powers)
    own = [sp.sympify(powers.pop(atom, 0)) for atom in (far, sp.log(far), sp.log(sp.log(far)))]
    return own[0], own[1], own[2], Growth._make(powers.items(), growth.large)


def _logs(growth: Growth) -> tuple[tuple[Growth, sp.Expr], ...]:
    """The leading terms of ln X and ln ln X for X = growth -> oo; 0 for what the scale cannot express."""
    found: list[tuple[Growth, sp.Expr]] = []
    term = (growth, sp.S.One)
    for _ in range(2):
        try:
            term = Expansion.of(*term).log(1).leading()
        except ValueError:
            return (*found, *[(ONE, sp.S.Zero)] * (2 - len(found)))
        found.append(term)
    return tuple(found)


def _solve(ratio: Growth, far: sp.Symbol) -> Growth | None:
    """The growth of X for which the ratio stays between constants."""
    a, b, c, rest = _split(ratio, far)
    if a == 0:
        return None
    base = rest ** (-1 / a)
    if base.limit() != "infinity":
        return None
    if b == 0 and c == 0:
        return base
    log, loglog = _logs(base)
    return base * log[0] ** (-b / a) * loglog[0] ** (-c / a)


def _constants_of(terms: list[tuple[Growth, sp.Expr]], growth: Growth, far: sp.Symbol) -> list[sp.Expr]:
    """The constants C for which the largest terms cancel at X ~ C growth."""
    log, loglog = _logs(growth)
    sizes: list[tuple[Growth, sp.Expr]] = []
    for g, coefficient in terms:
        a, b, c, rest = _split(g, far)
        value = coefficient * _c**a * log[1] ** b * loglog[1] ** c
        sizes.append((rest * growth**a * log[0] ** b * loglog[0] ** c, value))
    top = next((g for g, _ in sizes if all((h / g).limit() in ("zero", "one") for h, _ in sizes)), None)
    if top is None:
        return []
    equal = [value for g, value in sizes if (g / top).limit() == "one"]
    if len(equal) < 2:
        return []
    return _roots(sp.Add(*equal), _c)


def _roots(equation: sp.Expr, c: sp.Symbol) -> list[sp.Expr]:
    """Positive roots in closed form (proposals)."""
    if equation.count_ops() > LONGEST or c not in equation.free_symbols:
        return []
    equation = sy.powsimp(sy.together(equation))
    terms = sp.Add.make_args(sp.numer(equation))
    if len(terms) == 2:  # C^p = value
        (k1, p1), (k2, p2) = (_monomial(t, c) for t in terms)
        if k1 is not None and k2 is not None and p1 != p2 and sign(sy.cancel(-k2 / k1)) == 1:
            return [sy.powsimp(sy.powdenest(sy.cancel(-k2 / k1) ** (1 / (p1 - p2)), force=True))]
    try:
        found = sy.solve(equation, c, check=False)  # proposals need no check
    except sy.SymbolicFailure:
        return []
    return [r for r in found if not r.has(sp.RootOf, sp.I) and sign(sy.factor(r)) == 1]


def _monomial(term: sp.Expr, c: sp.Symbol) -> tuple[sp.Expr | None, sp.Expr]:
    coefficient, rest = term.as_independent(c, as_Add=False)
    base, power = rest.as_base_exp() if rest != 1 else (c, sp.S.Zero)
    return (coefficient, power) if base == c else (None, sp.S.Zero)


def _constants(form: sp.Expr, x: sp.Symbol, regime: Regime, low: sp.Expr, high: sp.Expr) -> Iterator[Approximation]:
    """x -> a constant: a root of the leading coefficient, x kept as a parameter."""
    for side in (1, -1):
        if (side == 1 and high.is_nonpositive) or (side == -1 and low.is_nonnegative):
            continue
        for size in _at_parameter(form, x, regime, side * _c):
            gaps = [gap for end, gap in ((low, side * size - low), (high, high - side * size)) if end.is_finite]
            if all(sign(sy.expand(gap)) != -1 for gap in gaps):
                yield Approximation(((ONE, side * size),))


def _proportional(form: sp.Expr, x: sp.Symbol, regime: Regime) -> Iterator[Approximation]:
    """x = (1 + r) s and s/(1 + r) for a scale s: near it the two sides of 1 differ."""
    for scale in regime.scales:
        for ratio in (1 + _c, 1 / (1 + _c), _c):
            for root in _at_parameter(form, x, regime, ratio * scale):
                yield Approximation(((Growth.of(scale), sy.factor(sy.cancel(ratio.subs(_c, root)))),))


def _near_scales(form: sp.Expr, x: sp.Symbol, regime: Regime) -> Iterator[Approximation]:
    """x = s (1 +- 1/X), and x = s X^(+-1), for a scale s: the places where gamma functions change their behaviour.

    Above its window M(s, y) is near y/(y - s + 1), which is put for it.
    """
    if not form.has(Mills, sp.loggamma, sp.gamma, sp.lowergamma, sp.uppergamma):
        return
    form = without_small(form)
    simple = form.replace(Mills, lambda s, y: y / (y - s + 1))
    for scale in regime.scales:
        size, far = Growth.of(scale), sp.Dummy("X", positive=True)
        for side in (-1, 1):
            for growth, constant in _balances(simple, x, regime, far, scale * (1 + side / far)):
                yield Approximation(((size, sp.S.One), (size / growth, side / constant)))
        for side in (1, -1):
            for growth, constant in _balances(simple, x, regime, far, scale * far**side):
                yield Approximation(((size * growth**side, constant**side),))


def _at_parameter(form: sp.Expr, x: sp.Symbol, regime: Regime, at: sp.Expr) -> list[sp.Expr]:
    """Roots of the leading coefficient of the form at x = at, in the parameter."""
    try:
        found = Expander(Regime("", regime.scales, {x: at}), ORDER)(form)
        _, coefficient = found.leading()
    except ValueError:
        return []
    return _roots(sy.factor(coefficient), _c)


__all__ = ["Refused", "starts"]
