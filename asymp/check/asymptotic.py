"""Evidence for the asymptotic relations: derived, then confronted with certified numbers.

The routes, in this order: the expansion engine; where some coefficient may vanish, the parameters at which it does;
what oscillates, and what is bounded explicitly (:mod:`asymp.check.oscillation`); and, where no method knows the
quantity, numbers alone.  A trend speaks only there: where the answer depends on the path or on a parameter, or where
something oscillates, the few points at which numbers are computed are no evidence.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace

import sympy as sp

import asymp.symbolics as sy
from asymp.check import oscillation, symbolic, trend
from asymp.check.derived import Derived, derived
from asymp.check.instance import misplaced, outside
from asymp.check.theorems import decided
from asymp.claim import Claim, Evidence, Finding, Outcome, Strength, Verdict
from asymp.enclosure import InputError, Undecided, sign
from asymp.expand.tried import asked, in_words
from asymp.expansion import Refused
from asymp.functions.symbolic import EVERYWHERE
from asymp.kernel.terms import Refused as Unwritten
from asymp.refusal import CannotTell
from asymp.scale import Regime

Judge = Callable[[Claim], Verdict]


def evidence(
    claim: Claim, quick: bool, judge: Judge, so_far: Callable[[Sequence[Evidence]], None] = lambda _: None,
    theorem_first: bool = True,
) -> list[Evidence]:
    """The lines of evidence for a claim with a regime; ``judge`` answers the simpler statements that a route needs.

    Where there is a theorem its series are what was derived; the engine derives what has none.  ``so_far`` is given what
    was derived before numbers are set against it: nothing is measured yet.
    """
    if claim.regime is not None and (why := misplaced(claim)):
        return [Evidence("symbolic", Outcome.UNDECIDED, Strength.NONE, why)]
    try:
        told = _by_a_theorem(claim) if theorem_first else []
        derivations: Sequence[symbolic.Derivation | Derived] = told or symbolic.derive(claim)
    except ValueError as refused:  # Refused, Undecided, or a growth beyond the scale
        not_derived = _not_derived(refused, claim)
        further = list(oscillation.decide(claim, judge))
        if further:
            return further
        if isinstance(refused, CannotTell) or (isinstance(refused, Refused) and refused.undecided):
            return [not_derived]
        return [not_derived, _numbers(claim, quick)]
    lines = [symbolic.evidence(derivations)]
    if lines[0].outcome is Outcome.HOLDS:
        failing = _at_a_zero(claim, derivations, judge)
        if failing:
            return failing
    unmeasured = Evidence("enclosed", Outcome.UNDECIDED, Strength.NONE, "not measured yet", finding=Finding.UNMEASURED)
    so_far([*lines, unmeasured])
    try:
        lines.append(trend.enclosed(derivations, thorough=not quick and not told))  # beside a theorem numbers are a second line
    except Undecided as undecided:
        none = Finding.UNMEASURED
        lines.append(Evidence("enclosed", Outcome.UNDECIDED, Strength.NONE, str(undecided), finding=none))
    if lines[-1].finding is Finding.UNMEASURED:  # derived, and nothing to set against it: another route may have
        return list(oscillation.decide(claim, judge)) or lines
    return lines


def _by_a_theorem(claim: Claim) -> list[Derived]:
    """What the series say by which there is a theorem of the claim; nothing where there is none, or it comes from elsewhere."""
    if claim.relation is not claim.text_of:  # another relation than the text's was put in its place
        return []
    found = decided(claim)
    if isinstance(found, str):
        return []
    with contextlib.suppress(ValueError, Unwritten):
        return derived(claim, found[1])
    return []


def _not_derived(refused: ValueError, claim: Claim) -> Evidence:
    """The line of evidence that says which sum or integral was refused, and what was tried on it."""
    if not isinstance(refused, Refused):
        return Evidence("symbolic", Outcome.UNDECIDED, Strength.NONE, f"not derived: {refused}")
    words = in_words(refused, asked(refused, claim.parts or ()))
    tried = tuple((one.method, one.why) for one in refused.tried)
    return Evidence("symbolic", Outcome.UNDECIDED, Strength.NONE, f"not derived: {words}", tried=tried)


def _numbers(claim: Claim, quick: bool) -> Evidence:
    try:
        return trend.trend(claim, thorough=not quick)
    except Undecided as undecided:
        return Evidence("enclosed", Outcome.UNDECIDED, Strength.NONE, str(undecided))


def _at_a_zero(claim: Claim, derivations: Sequence[symbolic.Derivation | Derived], judge: Judge) -> list[Evidence]:
    """What becomes of a statement that was derived only where some coefficients do not vanish.

    Where one vanishes the statement is asked again: it may fail there.  Where one is seen to vanish and no answer is had
    there, nothing is decided; nothing is returned where no zero is seen.
    """
    regime = claim.regime
    assert regime is not None
    for coefficient in dict.fromkeys(c for derivation in derivations for c in derivation.assumed):
        for parameter, value in _zeros(coefficient, regime):
            if outside(regime, {parameter: value}):
                continue
            found = judge(_with_value(claim, regime, parameter, value))
            if found.outcome is Outcome.REFUTED:
                where = f"at {parameter} = {value}: "
                return [replace(line, detail=where + line.detail) for line in found.evidence]
        place = _vanishes_somewhere(coefficient)
        if place:
            why = f"derived only where {regime.display(coefficient)} is not 0, and it is 0 somewhere ({place})"
            return [Evidence("symbolic", Outcome.UNDECIDED, Strength.NONE, why)]
    return []


def _with_value(claim: Claim, regime: Regime, parameter: sp.Symbol, value: sp.Expr) -> Claim:
    fields = vars(claim.relation).items()
    at_it = {name: item.subs(parameter, value) for name, item in fields if isinstance(item, sp.Basic)}
    there = regime.at(**{parameter.name: value})
    return replace(claim, relation=replace(claim.relation, **at_it), regime=there, refuting=())


def _zeros(coefficient: sp.Expr, regime: Regime) -> list[tuple[sp.Symbol, sp.Expr]]:
    """The values in its range at which a coefficient in one parameter vanishes, verified."""
    if len(coefficient.free_symbols) != 1:
        return []
    (free,) = coefficient.free_symbols
    try:
        top = sp.fraction(sy.together(coefficient))[0]
        roots = sy.roots(sy.poly(top, free)) if top.is_polynomial(free) else {}
        found = []
        for root in roots:
            if root.is_number and root.is_positive and sy.simplify(coefficient.subs(free, root)) == 0:
                covers = [(p, cover) for p, cover in regime.ranges.items() if free in cover.free_symbols]
                found += [(p, sy.simplify(cover.subs(free, root))) for p, cover in covers or [(free, free)]]
    except Refused:
        return []
    return found


TRIED = [sp.Rational(*x) for x in (
    (1, 1000), (1, 50), (1, 10), (1, 4), (1, 3), (1, 2), (2, 3), (9, 10), (1, 1), (11, 10), (3, 2), (2, 1), (5, 2), (3, 1),
    (7, 2), (4, 1), (5, 1), (7, 1), (10, 1), (30, 1), (1000, 1),
)]  # fmt: skip
"""Values of the positive symbols in a coefficient at which its sign is taken."""
MOST_TRIED = 450


def _vanishes_somewhere(coefficient: sp.Expr) -> str:
    """Two points between which a continuous coefficient changes its sign, or one where it is 0; empty where none is seen."""
    free = sorted(coefficient.free_symbols, key=str)
    if not free or not all(s.is_positive for s in free) or coefficient.has(sp.floor, sp.ceiling, sp.sign, sp.Piecewise):
        return ""
    seen: dict[int, str] = {}
    for values in itertools.islice(itertools.product(TRIED, repeat=len(free)), MOST_TRIED):
        point = {s.name: value for s, value in zip(free, values, strict=True)}
        with contextlib.suppress(Undecided, InputError, ArithmeticError, ValueError, TypeError):
            seen.setdefault(sign(coefficient, point, 256), ", ".join(f"{name} = {value}" for name, value in point.items()))
        if 0 in seen:
            return seen[0]
        if {1, -1} <= set(seen) and not _has_poles(coefficient):
            return f"{seen[-1]} and {seen[1]} give it different signs"
    return ""


def _has_poles(coefficient: sp.Expr) -> bool:
    """Whether a change of sign may be a pole."""
    powers = all(p.exp.is_nonnegative or p.base.is_positive or p.base is sp.E for p in coefficient.atoms(sp.Pow))
    smooth = (sp.gamma, sp.loggamma, sp.polygamma, sp.harmonic)  # for positive arguments
    return not powers or any(
        not isinstance(f, (sp.log, *EVERYWHERE)) and not (isinstance(f, smooth) and f.args[-1].is_positive)
        for f in coefficient.atoms(sp.Function)
    )
