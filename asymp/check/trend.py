"""The enclosed line of evidence for asymptotic relations: certified numbers at huge n.

A derivation claims  q = P + O(R).  At n = 10^8, 10^20, 10^100, 10^1000, along every path of the regime,
q - P is enclosed and divided by R.  A right expansion keeps |q - P|/R bounded; a wrong term
makes it grow like that term over R, so its growth is measured on the slowest scale that occurs,
ln n.  Without a derivation the numbers alone are a trend, and never more than *supported*.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import sympy as sp

import asymp.symbolics as sy
from asymp import budget
from asymp.check.derivation import Derivation
from asymp.check.derived import Derived
from asymp.check.measure import (
    FARTHER,
    FINE,
    LADDER,
    NEGLIGIBLE,
    SLOPE,
    Cost,
    Reading,
    Size,
    inside,
    named,
    rungs,
)
from asymp.check.measure import FREE as FREE
from asymp.check.measure import SIZES as SIZES
from asymp.check.measure import cap_bits as _cap
from asymp.check.measure import cut_series as _cut
from asymp.check.measure import evaluable as _evaluable
from asymp.check.measure import fast as _fast
from asymp.check.measure import reading as _reading
from asymp.check.measure import runs as _runs
from asymp.check.measure import with_whole_limits as _with_whole_limits
from asymp.check.vanish import difference_is_zero
from asymp.claim import Claim, Evidence, Finding, Outcome, Strength, Witness
from asymp.enclosure import Undecided, enclose
from asymp.scale import Path, Regime

Instance = Mapping[sp.Symbol, sp.Expr]
Values = dict[str, sp.Expr]
LEAST = 2
"""Readings that must agree: one number alone confirms nothing."""
EXACT_AT = (20, 50, 100, 200)
"""Where an expansion without a remainder is tried too: farther out an exponentially small rest would not be seen."""


@dataclass(frozen=True)
class Fit:
    """ln(|q - P|/R) along one path (-inf where they agree exactly), and the verdict on it."""

    name: str
    ratios: tuple[float, ...]
    bounded: bool
    sizes: tuple[Size, ...] = ()

    @property
    def finding(self) -> Finding:
        """What the readings say; fewer than two say nothing, unless they contradict an exact expansion."""
        if not self.bounded:
            return Finding.CONTRADICTED
        return Finding.CONFIRMED if len(self.ratios) >= LEAST else Finding.UNMEASURED


def confirm(
    derivation: Derivation | Derived, sizes: tuple[int, ...] = SIZES, thorough: bool = True, witnesses: bool = True,
    steps: int = budget.BALL,
) -> tuple[list[Fit], list[Witness]]:
    """Confront a derived expansion with certified values of its quantity.

    Where no path gives two numbers to compare at the usual sizes, others are chosen from the derivation's own growths:
    where its remainder is smaller than its terms, and not too small to be resolved.  An integral is enclosed
    by quadrature, and by its closed form only where that fails.  ``sizes``: powers of ten.  ``steps``: the
    work that one ball may take beyond n = 10^20, as foretold by those before it.

    Raises:
        Undecided: a value could not be certified.
    """
    regime, main, rest = derivation.regime, derivation.main, derivation.rest
    if main == rest == 0:
        return [], []
    usual = sizes == SIZES
    if not _fast(derivation.expr):
        sizes = tuple(s for s in sizes if s <= 100)
    parts = (_cut(derivation.expr), main, rest)
    far = [10**size for size in sizes]
    fits, points = _measured(regime, parts, far, thorough, witnesses, steps)
    if not thorough and not _measures(fits):  # every path far out, before any at small n
        fits, points = _measured(regime, parts, far, True, witnesses, steps)
    others: list[Sequence[Size]] = [LADDER, FARTHER] if rest != 0 else [EXACT_AT]
    if rest != 0 and _real(derivation):
        others.append(FINE)
    for ladder in others if usual else ():
        if rest != 0 and _measures(fits):
            break
        with contextlib.suppress(Undecided):  # what was measured far out stands
            near, _ = _measured(regime, parts, ladder, thorough, witnesses=False, steps=steps, choose=True)
            fits += [fit for fit in near if len(fit.ratios) >= LEAST and (ladder is not FINE or _tells(fit))]
    return fits, points


def _measures(fits: list[Fit]) -> bool:
    """Whether some path gives numbers to compare."""
    return any(len(fit.ratios) >= LEAST for fit in fits)


def _real(derivation: Derivation | Derived) -> bool:
    """Whether nothing asks for whole numbers."""
    whole = (sp.Sum, sp.Product, sp.factorial, sp.binomial, sp.harmonic, sp.floor, sp.ceiling)
    return not derivation.regime.whole and not derivation.expr.has(*whole)


def _measured(
    regime: Regime, parts: tuple[sp.Expr, sp.Expr, sp.Expr], sizes: Iterable[Size], thorough: bool, witnesses: bool,
    steps: int, choose: bool = False,
) -> tuple[list[Fit], list[Witness]]:
    """The fit of q - P to R on every path, and values of q on the first if they are wanted.

    ``choose``: whether the sizes are a ladder, from which those in the asymptotic range are taken.
    """
    expr, main, rest = parts
    closed = _evaluable(expr)
    free = {s.name: FREE for s in (expr.free_symbols | main.free_symbols)}
    fits: list[Fit] = []
    points: list[Witness] = []
    for index, (path, instance) in enumerate(_runs(regime, thorough and _fast(expr))):
        instance, expr = _with_whole_limits(parts[0], instance, index)
        closed = _evaluable(expr) if expr != parts[0] else closed
        found: list[Reading] = []
        direct = closed != expr
        cost = Cost(steps)
        fixed = {**free, **{s.name: sp.sympify(x) for s, x in instance.items()}}

        def at(size: Size, path: Path = path, instance: Instance = instance, fixed: Values = fixed) -> Values:
            return {**fixed, **path.at(size, instance)}

        for size in rungs(main, rest, at, sizes, _cap(expr, 1)) if choose else sizes:
            values = at(size)
            if index == 0 and witnesses:
                shown = {path.runner.name: named(size), **{s.name: str(x) for s, x in instance.items()}}
                with contextlib.suppress(Undecided):  # exponentially small beyond the cap
                    value = enclose(closed, values, digits=12, cap_bits=_cap(expr, size))
                    points.append(Witness(shown, value.value, value.radius))
            one = None
            if direct:
                brief = Cost(budget.QUADRATURE, *((cost.latest, cost.bits) if found else ()))
                one = _reading(expr, main, rest, values, size, brief)
                direct = one is not None
            if one is None:
                one = _reading(closed, main, rest, values, size, cost)
            if one is not None:
                found.append(one)
        if not found:
            continue  # nothing could be measured on this path: it confirms nothing
        label = ", ".join([path.name, *(f"{s}={x}" for s, x in instance.items())])
        fits.append(_fit(label, found, exact_expansion=rest == 0))
    return fits, points


def _tells(fit: Fit) -> bool:
    """Whether readings below n = 3 say anything: |q - P|/R that rises there, and stays below 1, may still be bounded."""
    return fit.bounded or max(fit.ratios) > 0


def _fit(label: str, found: list[Reading], exact_expansion: bool) -> Fit:
    """The verdict on the readings: those outside the asymptotic range may confirm, but do not contradict."""
    bounded = _follows(found, exact_expansion)
    if not bounded and not exact_expansion:
        found = inside(found)
        bounded = _follows(found, exact_expansion)
    return Fit(label, tuple(r.ratio for r in found), bounded, tuple(r.size for r in found))


def _follows(found: list[Reading], exact_expansion: bool) -> bool:
    return _bounded([r.ratio for r in found], [math.log(max(r.size, 2)) for r in found], exact_expansion)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _is_identity(derivation: Derivation | Derived) -> bool:
    """Whether an expansion without a remainder is the quantity itself, by algebra."""
    if derivation.expr.has(sp.Sum):
        return bool(difference_is_zero(derivation.expr, derivation.main))
    return bool(sy.simplify(sy.expand_log(sy.expand(derivation.left_over), force=True)) == 0)


def _bounded(ratios: list[float], sizes: Sequence[float], exact_expansion: bool) -> bool:
    """Not growing with n: the last against the largest before it; ``sizes`` are multiples of ln n.

    What is not a number, or infinite, is not bounded.  One number alone is not seen to grow: who asks has to see to
    it that there are two.
    """
    if exact_expansion:
        return all(r == -math.inf for r in ratios)
    if any(math.isnan(r) or r == math.inf for r in ratios):
        return False
    if len(ratios) < LEAST or ratios[-1] == -math.inf:
        return True
    # what is negligible was not resolved: an upper bound that grows shows nothing
    return ratios[-1] <= max(NEGLIGIBLE, *ratios[:-1]) + SLOPE * math.log(sizes[-1] / sizes[-2])


def enclosed(derivations: Sequence[Derivation | Derived], thorough: bool) -> Evidence:
    """The evidence: the outcome as derived if numbers confirm every derivation; undecided, with the reason, if not."""
    points: list[Witness] = []
    confirmed: list[Fit] = []
    missing = exact = 0
    for derivation in derivations:
        fits, at = confirm(derivation, thorough=thorough)
        points += at
        bad = [fit for fit in fits if fit.finding is Finding.CONTRADICTED]
        if bad:
            shown = "; ".join(f"{f.name}: " + ", ".join(f"e^{r:.3g}" for r in f.ratios) for f in bad[:3])
            why = f"certified values do not follow the derived expansion, |q - P|/R grows: {shown}"
            return Evidence("enclosed", Outcome.UNDECIDED, Strength.NONE, why, tuple(points), finding=Finding.CONTRADICTED)
        good = [fit for fit in fits if fit.finding is Finding.CONFIRMED]
        confirmed += good
        identity = derivation.rest == 0 and _is_identity(derivation)
        exact += identity
        missing += not good and not identity
    if missing or not derivations:
        why = "nothing could be measured" if not confirmed and not exact else "not every case could be measured"
        return Evidence("enclosed", Outcome.UNDECIDED, Strength.NONE, why, tuple(points), finding=Finding.UNMEASURED)
    outcomes = {d.outcome for d in derivations}
    outcome = outcomes.pop() if len(outcomes) == 1 else Outcome.UNDECIDED
    if exact == len(derivations):
        detail = "the expansion is exact: subtracted from the quantity it leaves 0"
    else:
        worst = max((math.exp(min(max(f.ratios), 700.0)) for f in confirmed), default=0.0)
        sizes = ", ".join(named(s) for s in sorted({s for f in confirmed for s in f.sizes}))
        detail = (f"certified values at n = {sizes} follow the derived expansion on {_count(len(confirmed), 'path')}: "
                  f"|value - terms| <= {worst:.3g} * remainder")
    return Evidence("enclosed", outcome, Strength.SUPPORTED, detail, tuple(points), finding=Finding.CONFIRMED)


def trend(claim: Claim, thorough: bool) -> Evidence:
    """Numbers alone, without a derivation: see :func:`asymp.check.convergence.trend`."""
    from asymp.check import convergence

    return convergence.trend(claim, thorough)
