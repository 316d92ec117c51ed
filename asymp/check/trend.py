"""The enclosed line of evidence for asymptotic relations: certified numbers at huge n.

A derivation claims  q = P + O(R).  At n = 10^8, 10^20, 10^100, 10^1000, along every path of the regime,
q - P is enclosed and divided by R.  A right expansion keeps |q - P|/R bounded; a wrong term
makes it grow like that term over R, so its growth is measured on the slowest scale that occurs,
ln n.  Without a derivation the numbers alone are a trend, and never more than *supported*.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from asymp import budget
from asymp.check.measure import (
    FARTHER,
    FINE,
    LADDER,
    NEGLIGIBLE,
    SLOPE,
    Cost,
    Reading,
    Run,
    Size,
    inside,
    named,
    rungs,
    some,
)
from asymp.check.measure import FREE as FREE
from asymp.check.measure import SIZES as SIZES
from asymp.check.measure import cap_bits as _cap
from asymp.check.measure import fast as _fast
from asymp.check.measure import reading as _reading
from asymp.claim import Evidence, Finding, Outcome, Strength, Witness
from asymp.enclosure import Undecided, enclose
from asymp.kernel.terms import ZERO, Term, walk

WHOLE = frozenset({"Sum", "Product", "factorial", "binomial", "harmonic", "floor", "ceiling"})
"""What asks for whole numbers."""
LEAST = 2
"""Readings that must agree: one number alone confirms nothing."""
EXACT_AT = (20, 50, 100, 200)
"""Where an expansion without a remainder is tried too: farther out an exponentially small rest would not be seen."""


class Measured(Protocol):
    """What is set against numbers: ``expr`` = ``main`` + O(``rest``) on the ``runs``."""

    @property
    def expr(self) -> Term:
        """The quantity."""

    @property
    def main(self) -> Term:
        """Its terms."""

    @property
    def rest(self) -> Term:
        """The growths of the remainder, added up; 0 where there is none."""

    @property
    def runs(self) -> Sequence[Run]:
        """Ways to the limit."""

    @property
    def outcome(self) -> Outcome:
        """What was derived."""

    @property
    def whole(self) -> bool:
        """Whether some variable stands for whole numbers."""

    def is_identity(self) -> bool:
        """Whether an expansion without a remainder is the quantity itself, by algebra."""


class Derived(Protocol):
    """What can be set against numbers."""

    @property
    def measured(self) -> Measured:
        """It, in terms."""


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
    derived: Derived, sizes: tuple[int, ...] = SIZES, thorough: bool = True, witnesses: bool = True,
    steps: int = budget.BALL,
) -> tuple[list[Fit], list[Witness]]:
    """Confront a derived expansion with certified values of its quantity.

    Where no path gives two numbers to compare at the usual sizes, others are chosen from the derivation's own growths:
    where its remainder is smaller than its terms, and not too small to be resolved.  ``sizes``: powers of ten.
    ``steps``: the work that one ball may take beyond n = 10^20, as foretold by those before it.

    Raises:
        Undecided: a value could not be certified.
    """
    derivation = derived.measured
    main, rest = derivation.main, derivation.rest
    if main == rest == ZERO or _oscillates(derivation.expr):
        return [], []
    usual = sizes == SIZES
    if not _fast(derivation.expr):
        sizes = tuple(s for s in sizes if s <= 100)
    parts, runs = (derivation.expr, main, rest), derivation.runs
    far = [10**size for size in sizes]
    purse = None if thorough else budget.Budget(budget.BESIDE)
    fits, points = _measured(runs, parts, far, thorough, witnesses, steps, purse=purse)
    if not thorough and not _measures(fits):  # every path far out, before any at small n
        fits, points = _measured(runs, parts, far, True, witnesses, steps, purse=purse)
    others: list[Sequence[Size]] = [LADDER, FARTHER] if rest != ZERO else [EXACT_AT]
    if rest != ZERO and _real(derivation):
        others.append(FINE)
    for ladder in others if usual else ():
        if (rest != ZERO and _measures(fits)) or (purse is not None and purse.exhausted()):
            break
        with contextlib.suppress(Undecided):  # what was measured far out stands
            near, _ = _measured(runs, parts, ladder, thorough, witnesses=False, steps=steps, choose=True, purse=purse)
            fits += [fit for fit in near if len(fit.ratios) >= LEAST and (ladder is not FINE or _tells(fit))]
    return fits, points


def _oscillates(term: Term) -> bool:
    """Whether there is an integral or a sum of sines that turn faster and faster: far out it has no ball, and one near by takes
    long."""
    waves = (x for part in walk(term) if part.head in ("Integral", "Sum") for x in walk(part.parts[0]))
    return bool(term.free) and any(x.head in ("sin", "cos") and x.free & term.free for x in waves)


def _measures(fits: list[Fit]) -> bool:
    """Whether some path gives numbers to compare."""
    return any(len(fit.ratios) >= LEAST for fit in fits)


def _real(derivation: Measured) -> bool:
    """Whether nothing asks for whole numbers."""
    return not derivation.whole and not any(part.head in WHOLE for part in walk(derivation.expr))


def _measured(
    runs: Sequence[Run], parts: tuple[Term, Term, Term], sizes: Iterable[Size], thorough: bool, witnesses: bool, steps: int,
    choose: bool = False, purse: budget.Budget | None = None,
) -> tuple[list[Fit], list[Witness]]:
    """The fit of q - P to R on every path, and values of q on the first if they are wanted.

    ``choose``: whether the sizes are a ladder, from which those in the asymptotic range are taken.
    ``purse``: with which no further number is begun once it is empty.
    """
    expr, main, rest = parts
    free = dict.fromkeys(expr.free | main.free, FREE)
    fits: list[Fit] = []
    points: list[Witness] = []
    for index, run in enumerate(some(runs, thorough and _fast(expr))):
        found: list[Reading] = []
        cost = Cost(steps)

        def at(size: Size, run: Run = run) -> dict[str, object]:
            return {**free, **run.at(size)}

        for size in rungs(main, rest, at, sizes, _cap(expr, 1)) if choose else sizes:
            if purse is not None and purse.exhausted():
                break
            values = at(size)
            if index == 0 and witnesses:
                shown = {run.runner: named(size), **{name: str(x) for name, x in run.instance.items()}}
                with contextlib.suppress(Undecided):  # exponentially small beyond the cap
                    value = enclose(expr, values, digits=12, cap_bits=_cap(expr, size))
                    points.append(Witness(shown, value.value, value.radius))
            one = _reading(expr, main, rest, values, size, cost)
            if one is not None:
                found.append(one)
        if not found:
            continue  # nothing could be measured on this path: it confirms nothing
        fits.append(_fit(run.label, found, exact_expansion=rest == ZERO))
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


def enclosed(derivations: Sequence[Derived], thorough: bool) -> Evidence:
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
        measured = derivation.measured
        identity = measured.rest == ZERO and measured.is_identity()
        exact += identity
        missing += not good and not identity
    if missing or not derivations:
        why = "nothing could be measured" if not confirmed and not exact else "not every case could be measured"
        return Evidence("enclosed", Outcome.UNDECIDED, Strength.NONE, why, tuple(points), finding=Finding.UNMEASURED)
    outcomes = {d.measured.outcome for d in derivations}
    outcome = outcomes.pop() if len(outcomes) == 1 else Outcome.UNDECIDED
    if exact == len(derivations):
        detail = "the expansion is exact: subtracted from the quantity it leaves 0"
    else:
        worst = max((math.exp(min(max(f.ratios), 700.0)) for f in confirmed), default=0.0)
        sizes = ", ".join(named(s) for s in sorted({s for f in confirmed for s in f.sizes}))
        detail = (f"certified values at n = {sizes} follow the derived expansion on {_count(len(confirmed), 'path')}: "
                  f"|value - terms| <= {worst:.3g} * remainder")
    return Evidence("enclosed", outcome, Strength.SUPPORTED, detail, tuple(points), finding=Finding.CONFIRMED)
