"""What the engine derives of a claim that has no theorem, and why it derives nothing."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace

import sympy as sp

import asymp.symbolics as sy
from asymp.check import convergence
from asymp.check.derivation import Derivation, decide
from asymp.claim import Asymptotic, Claim, Evidence, Outcome, Strength
from asymp.enclosure import Undecided
from asymp.expand.tried import asked, in_words
from asymp.expand.view import Said, View, view_of
from asymp.expansion import Refused
from asymp.growth import Growth
from asymp.ordering import covering
from asymp.refusal import CannotTell
from asymp.scale import Regime


class MayVanish(Refused):
    """What was derived holds only where a coefficient is not 0."""


def derived(claim: Claim) -> list[Derivation]:
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


def refused(claim: Claim, why: ValueError, quick: bool) -> list[Evidence]:
    """That nothing was derived, and what numbers alone say, unless the answer hangs on the path, or on a parameter."""
    not_derived = _not_derived(why, claim)
    questions = why.undecided if isinstance(why, Refused) else ()
    if isinstance(why, (CannotTell, MayVanish)) or (questions and not _holds_at_instances(claim, questions)):
        return [not_derived]
    return [not_derived, _numbers(claim, quick)]


def _not_derived(refused: ValueError, claim: Claim) -> Evidence:
    """The line of evidence that says which sum or integral was refused, and what was tried on it."""
    if not isinstance(refused, Refused):
        return Evidence("symbolic", Outcome.UNDECIDED, Strength.NONE, f"not derived: {refused}")
    words = in_words(refused, asked(refused, claim.parts))
    tried = tuple((one.method, one.why) for one in refused.tried)
    return Evidence("symbolic", Outcome.UNDECIDED, Strength.NONE, f"not derived: {words}", tried=tried)


def _numbers(claim: Claim, quick: bool) -> Evidence:
    try:
        return convergence.trend(claim, thorough=not quick)
    except Undecided as undecided:
        return Evidence("enclosed", Outcome.UNDECIDED, Strength.NONE, str(undecided))
