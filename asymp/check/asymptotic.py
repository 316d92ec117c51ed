"""Evidence for the asymptotic relations: derived, then confronted with certified numbers.

What was derived is the series of the claim's theorem; where it has none, one expansion of its quantity for all parameters
(:mod:`asymp.check.derivation`).  Cases, subsequences, what oscillates and what is bounded explicitly are the kernel's.
Where neither is found, numbers alone are asked for a trend, but not where the answer hangs on the path, or on a parameter
whose values were not each derived: the few points at which numbers are computed are no evidence there.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import sympy as sp

import asymp.symbolics as sy
from asymp.check import trend
from asymp.check.derivation import Derivation, decide
from asymp.check.derived import Derived, derived
from asymp.check.theorems import decided_as_read, line_of
from asymp.claim import Asymptotic, Claim, Evidence, Finding, Outcome, Step, Strength
from asymp.enclosure import Undecided
from asymp.expand.tried import asked, in_words
from asymp.expand.view import Said, View, view_of
from asymp.expansion import Refused
from asymp.growth import Growth
from asymp.kernel.terms import Refused as Unwritten
from asymp.kernel.theorem import Theorem
from asymp.ordering import covering
from asymp.refusal import CannotTell
from asymp.scale import Regime


class MayVanish(Refused):
    """What was derived holds only where a coefficient is not 0."""


def evidence(
    claim: Claim, quick: bool, so_far: Callable[[Sequence[Evidence]], None] = lambda _: None, theorem_first: bool = True
) -> list[Evidence]:
    """The lines of evidence for a claim with a regime.

    ``so_far`` is given what was derived before numbers are set against it: nothing is measured yet.
    """
    found = decided_as_read(claim) if theorem_first and claim.relation is claim.text_of else ""
    told = [] if isinstance(found, str) else _series_of(claim, found[1])
    if not told and not isinstance(found, str) and found[0] is Outcome.REFUTED:
        return [line_of(found[1])]
    try:
        derivations: Sequence[Derivation | Derived] = told or _by_an_expansion(claim)
    except ValueError as refused:  # Refused, Undecided, or a growth beyond the scale
        if not isinstance(found, str):
            return [line_of(found[1])]
        not_derived = _not_derived(refused, claim)
        questions = refused.undecided if isinstance(refused, Refused) else ()
        if isinstance(refused, (CannotTell, MayVanish)) or (questions and not _holds_at_instances(claim, questions)):
            return [not_derived]
        return [not_derived, _numbers(claim, quick)]
    lines = [_symbolic(derivations)]
    unmeasured = Evidence("enclosed", Outcome.UNDECIDED, Strength.NONE, "not measured yet", finding=Finding.UNMEASURED)
    so_far([*lines, unmeasured])
    try:
        lines.append(trend.enclosed(derivations, thorough=not quick and not told))  # beside a theorem numbers are a second line
    except Undecided as undecided:
        none = Finding.UNMEASURED
        lines.append(Evidence("enclosed", Outcome.UNDECIDED, Strength.NONE, str(undecided), finding=none))
    return lines


def _series_of(claim: Claim, theorem: Theorem) -> list[Derived]:
    """What the series say by which there is a theorem of the claim; nothing where it comes from elsewhere."""
    with contextlib.suppress(ValueError, Unwritten):
        return derived(claim, theorem)
    return []


def _by_an_expansion(claim: Claim) -> list[Derivation]:
    """One derivation for the whole regime, or one for each case of it; of these the first that refutes.

    Cases are those that the regime names, or those of a comparison of two growths on which the derivation hangs.

    Raises:
        Refused: the expansion is not known.
        MayVanish: it is one only where some coefficient does not vanish.
    """
    assert isinstance(claim.relation, Asymptotic)
    view = view_of(claim.relation)
    try:
        return _in_cases(view.relation, (view.regime,))
    except Refused as refused:
        growths = [question for question in refused.undecided if isinstance(question, Growth)]
        cases = covering(view.regime, growths[0]) if growths else ()
        if not cases:
            raise
    return _in_cases(view.relation, cases)


def _in_cases(said: Said, cases: Sequence[Regime]) -> list[Derivation]:
    found = []
    for regime in cases:
        one = decide(said, regime)
        if one.assumed:
            raise MayVanish(f"whether {regime.display(one.assumed[0])} vanishes is not decided", undecided=one.assumed)
        if one.outcome is Outcome.REFUTED:
            return [one]
        found.append(one)
    return found


def _holds_at_instances(claim: Claim, questions: Sequence[object]) -> bool:
    """Whether a statement in one large variable and one parameter is derived where numbers are taken, and fails nowhere near.

    What is open has to be the sign of linear expressions in the parameter: then it turns at their zeros alone, and is tried
    there, between them and beyond.
    """
    assert isinstance(claim.relation, Asymptotic)
    view = view_of(claim.relation)
    regime = view.regime
    if len(regime.scales) != 1 or len(regime.ranges) != 1:
        return False
    ((parameter, cover),) = regime.ranges.items()
    own = list(dict.fromkeys(sp.sympify(instance[parameter]) for instance in regime.instances if parameter in instance))
    roots = [_turn(question) for question in questions]
    if len(own) < 2 or None in roots or len(cover.free_symbols) != 1:
        return False
    turns = sorted({root for root in roots if root is not None and root > 0})
    tried = [*turns, *((a + b) / 2 for a, b in itertools.pairwise([sp.S.Zero, *turns])), *(root + 1 for root in turns)]
    further = [cover.subs(min(cover.free_symbols, key=str), value) for value in tried]
    held = [_outcome_at(view, {parameter: value}) for value in (*own, *further)]
    return all(one is Outcome.HOLDS for one in held[: len(own)]) and Outcome.REFUTED not in held


def _turn(question: object) -> sp.Rational | None:
    """The zero of a linear expression in one parameter; None of anything else."""
    if not isinstance(question, sp.Expr) or len(question.free_symbols) != 1:
        return None
    (symbol,) = question.free_symbols
    slope = sy.diff(question, symbol)
    zero = sy.expand(-question.subs(symbol, 0) / slope) if slope.is_Rational and slope != 0 else None
    return zero if zero is not None and zero.is_Rational else None


def _outcome_at(view: View, point: Mapping[sp.Symbol, sp.Expr]) -> Outcome:
    fields = {name: x.subs(point) for name, x in vars(view.relation).items() if isinstance(x, sp.Basic)}
    try:
        found = decide(replace(view.relation, **fields), view.regime.at(**{s.name: x for s, x in point.items()}))
    except ValueError:
        return Outcome.UNDECIDED
    return Outcome.UNDECIDED if found.assumed else found.outcome


def _symbolic(derivations: Sequence[Derivation | Derived]) -> Evidence:
    """One line from the derivations of all cases; a refuting one stands alone."""
    outcomes = {d.outcome for d in derivations}
    outcome = Outcome.REFUTED if Outcome.REFUTED in outcomes else Outcome.UNDECIDED if len(outcomes) > 1 else outcomes.pop()
    details = [d.why + (f" [{d.regime.text}]" if len(derivations) > 1 else "") for d in derivations]
    steps: list[Step] = list(dict.fromkeys(step for d in derivations for step in d.steps))
    following = dict.fromkeys(d.following for d in derivations if d.following is not None)
    strength = Strength.NONE if outcome is Outcome.UNDECIDED else Strength.PROVED
    next_term = " | ".join(following) or None
    return Evidence("symbolic", outcome, strength, "; ".join(details), steps=tuple(steps), next_term=next_term)


def _not_derived(refused: ValueError, claim: Claim) -> Evidence:
    """The line of evidence that says which sum or integral was refused, and what was tried on it."""
    if not isinstance(refused, Refused):
        return Evidence("symbolic", Outcome.UNDECIDED, Strength.NONE, f"not derived: {refused}")
    words = in_words(refused, asked(refused, claim.parts))
    tried = tuple((one.method, one.why) for one in refused.tried)
    return Evidence("symbolic", Outcome.UNDECIDED, Strength.NONE, f"not derived: {words}", tried=tried)


def _numbers(claim: Claim, quick: bool) -> Evidence:
    try:
        return trend.trend(claim, thorough=not quick)
    except Undecided as undecided:
        return Evidence("enclosed", Outcome.UNDECIDED, Strength.NONE, str(undecided))
