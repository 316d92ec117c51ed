"""Evidence for the asymptotic relations: derived, then confronted with certified numbers.

The routes, in this order: the expansion engine; where some coefficient may vanish, the parameters at which it does;
what oscillates, and what is bounded explicitly (:mod:`asymp.check.oscillation`); and, where no method knows the
quantity, numbers alone.  A trend speaks only there: where the answer depends on the path or on a parameter, or where
something oscillates, the few points at which numbers are computed are no evidence.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import sympy as sp

import asymp.symbolics as sy
from asymp.check import oscillation, symbolic, trend
from asymp.check.instance import misplaced, outside
from asymp.claim import Claim, Evidence, Finding, Outcome, Strength, Verdict
from asymp.enclosure import Undecided
from asymp.expansion import Refused
from asymp.scale import Regime

Judge = Callable[[Claim], Verdict]


def evidence(claim: Claim, quick: bool, judge: Judge) -> list[Evidence]:
    """The lines of evidence for a claim with a regime; ``judge`` answers the simpler statements that a route needs."""
    if claim.regime is not None and (why := misplaced(claim)):
        return [Evidence("symbolic", Outcome.UNDECIDED, Strength.NONE, why)]
    try:
        derivations = symbolic.derive(claim)
    except ValueError as refused:  # Refused, Undecided, or a growth beyond the scale
        not_derived = Evidence("symbolic", Outcome.UNDECIDED, Strength.NONE, f"not derived: {refused}")
        further = list(oscillation.decide(claim, judge))
        if further:
            return further
        if isinstance(refused, Refused) and refused.undecided:
            return [not_derived]
        return [not_derived, _numbers(claim, quick)]
    lines = [symbolic.evidence(derivations)]
    if lines[0].outcome is Outcome.HOLDS:
        failing = _at_a_zero(claim, derivations, judge)
        if failing:
            return failing
    try:
        lines.append(trend.enclosed(derivations, thorough=not quick))
    except Undecided as undecided:
        none = Finding.UNMEASURED
        lines.append(Evidence("enclosed", Outcome.UNDECIDED, Strength.NONE, str(undecided), finding=none))
    if lines[-1].finding is Finding.UNMEASURED:  # derived, and nothing to set against it: another route may have
        return list(oscillation.decide(claim, judge)) or lines
    return lines


def _numbers(claim: Claim, quick: bool) -> Evidence:
    try:
        return trend.trend(claim, thorough=not quick)
    except Undecided as undecided:
        return Evidence("enclosed", Outcome.UNDECIDED, Strength.NONE, str(undecided))


def _at_a_zero(claim: Claim, derivations: list[symbolic.Derivation], judge: Judge) -> list[Evidence]:
    """Evidence that a statement derived only where some coefficients do not vanish fails where one does."""
    regime = claim.regime
    if regime is None or not regime.ranges:
        return []
    for derivation in derivations:
        for coefficient in derivation.assumed:
            for parameter, value in _zeros(coefficient, regime):
                if outside(regime, {parameter: value}):
                    continue
                fields = vars(claim.relation).items()
                at_it = {name: item.subs(parameter, value) for name, item in fields if isinstance(item, sp.Basic)}
                relation = replace(claim.relation, **at_it)
                there = replace(claim, relation=relation, regime=regime.at(**{parameter.name: value}), refuting=())
                found = judge(there)
                if found.outcome is Outcome.REFUTED:
                    where = f"at {parameter} = {value}: "
                    return [replace(line, detail=where + line.detail) for line in found.evidence]
    return []


def _zeros(coefficient: sp.Expr, regime: Regime) -> list[tuple[sp.Symbol, sp.Expr]]:
    """The values in its range at which a coefficient in one parameter vanishes, verified."""
    if len(coefficient.free_symbols) != 1:
        return []
    (free,) = coefficient.free_symbols
    top = sp.fraction(sy.together(coefficient))[0]
    if not top.is_polynomial(free):
        return []
    roots = sy.roots(sy.poly(top, free))
    found = []
    for root in roots:
        if root.is_number and root.is_positive and sy.simplify(coefficient.subs(free, root)) == 0:
            covers = [(p, cover) for p, cover in regime.ranges.items() if free in cover.free_symbols]
            found += [(p, sy.simplify(cover.subs(free, root))) for p, cover in covers]
    return found
