"""The symbolic line of evidence: the derivations that decide a claim, one or one a case of its regime.

What one derivation decides is in :mod:`asymp.check.derivation`; here are the parameters: a statement for all of
them is tried whole, then over regimes that cover its own, then over subranges, and at single values last.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

import sympy as sp

import asymp.symbolics as sy
from asymp import budget
from asymp.budget import Budget
from asymp.check.derivation import Derivation, decide
from asymp.check.derived import Derived
from asymp.check.instance import misplaced, outside, projected, put_in, symbols
from asymp.claim import Claim, Evidence, Outcome, Step, Strength
from asymp.expand.splits import Case, by_cases, partition
from asymp.expansion import Expansion, Refused
from asymp.ordering import covering
from asymp.scale import Growth, Regime, sign


def derive(claim: Claim) -> list[Derivation]:
    """The derivations that decide a claim: one, or one a case of its regime.

    A statement for all parameters is tried at ``claim.refuting`` too; if it fails at one of these
    the derivation of that instance is returned alone.

    Raises:
        Refused: the engine cannot decide.
    """
    if claim.regime is None:
        raise Refused("the claim has no regime")
    if why := misplaced(claim):
        raise Refused(why)
    for values in claim.refuting:
        point = {s: sp.sympify(x) for s, x in symbols(claim, values).items()}
        regime = claim.regime.at(**{s.name: x for s, x in point.items()})
        found = decide(put_in(claim.relation, point), regime)
        if found.outcome == Outcome.REFUTED:
            return [_at_point(found, point)]
    whole: Derivation | Refused
    try:
        whole = decide(claim.relation, claim.regime)
    except Refused as refused:
        whole = refused
        single = projected(claim)
        if single is not None:
            return [decide(claim.relation, single)]
        if claim.regime.cases:
            return _in_stated_cases(claim, claim.regime.cases)
        with contextlib.suppress(Refused):  # else the parameters may part it
            if regimes := _covering(claim.regime, refused):
                return _in_stated_cases(claim, regimes)
    try:
        return _in_all_cases(claim.relation, claim.regime, whole)
    except Refused:
        failing = _failing_instance(claim)
        if failing is None:
            raise
        return [failing]


def _covering(regime: Regime, refused: Refused) -> tuple[Regime, ...]:
    """Regimes that cover this one, parted by the comparison of scales on which the derivation hangs."""
    questions = [question for question in refused.undecided if isinstance(question, Growth)]
    return covering(regime, questions[0]) if questions else ()


def _in_stated_cases(claim: Claim, regimes: tuple[Regime, ...]) -> list[Derivation]:
    """One derivation for each of the regimes that cover the claim's own, or that of the first that refutes it."""
    found_cases = []
    for case in regimes:
        result = decide(claim.relation, case)
        found_cases.append(result)
        if result.outcome == Outcome.REFUTED:
            return [result]
    return found_cases


def _in_all_cases(relation: object, regime: Regime, whole: Derivation | Refused) -> list[Derivation]:
    """``whole``, what came of all parameters at once, if that is enough; else one derivation a case.

    A refuted case stands alone.

    Raises:
        Refused: some case is not decided, and none refutes the statement.
    """
    conditional: list[Derivation] = []
    empty = Derivation(regime, sp.S.Zero, Expansion.make({}, []), Outcome.HOLDS, "", ())
    purse = Budget(budget.STATEMENT_ORDERS)

    def attempt(case: Case) -> Derivation:
        if not has_whole_values(regime, case):
            return empty  # k = 3/2, where k is whole: nothing is said of it
        if case.when:
            found = decide(put_in(relation, case.fixed), case.regime, purse)
        elif isinstance(whole, Refused):
            raise whole
        else:
            found = whole
        if found.outcome == Outcome.HOLDS and found.assumed and partition(case, found.assumed, free_paths=False):
            if not case.when:
                conditional.append(found)
            raise Refused(f"whether {found.assumed[0]} vanishes is not decided", undecided=found.assumed)
        if not case.when:
            return found
        where = replace(case.regime, text=f"{case.regime.text}, {case.when}")
        named = f"for {case.when}: {found.why}" if found.outcome == Outcome.REFUTED else found.why
        return replace(found, regime=where, why=named)

    try:
        cases = by_cases(
            attempt, Case(regime), lambda d: d.outcome == Outcome.REFUTED, free_paths=False,
            steps=budget.STATEMENT_CASES,
        )
    except Refused:
        if conditional:
            return conditional
        raise
    refuting = [one.answer for one in cases if one.answer is not None and one.answer.outcome == Outcome.REFUTED]
    if refuting:
        return refuting[:1]
    left = [one for one in cases if one.answer is None]
    if left:
        if conditional:
            return conditional
        raise Refused(f"not decided for {left[0].case.when}: {left[0].refused}", undecided=())
    found = [one.answer for one in cases if one.answer is not None and one.answer is not empty]
    if not found:
        raise Refused("no whole value lies in the range of a parameter")
    return found


def has_whole_values(regime: Regime, case: Case) -> bool:
    """Whether whole numbers lie in the subranges of the parameters that are whole.

    >>> from asymp.expand.splits import Bounds
    >>> n, k, a = sp.symbols("n k a", positive=True)
    >>> regime = replace(Regime.single(n), ranges={k: 2 + a}, whole=frozenset({"k"}))
    >>> [has_whole_values(regime, Case(regime, bounds={k: Bounds(sp.Rational(x), sp.Rational(y))}))
    ...  for x, y in (("5/2", "5/2"), ("3", "3"), ("5/2", "3"), ("5/2", "4"))]
    [False, True, False, True]
    """
    for symbol, bounds in case.bounds.items():
        if symbol.name not in regime.whole or symbol not in regime.ranges:
            continue
        if bounds.is_point():
            if bounds.low is not None and bounds.low.is_integer is False:
                return False
            continue
        low, high = _ends(regime.ranges[symbol])
        low, high = (end if mine is None else mine for end, mine in ((low, bounds.low), (high, bounds.high)))
        if low.is_Rational and high.is_Rational and sp.floor(low) + 1 >= high:
            return False
    return True


def _ends(cover: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """The ends of the range that an expression in one positive symbol covers; nan where they are not numbers."""
    free = cover.free_symbols
    if len(free) != 1:
        return sp.nan, sp.nan
    (symbol,) = free
    ends = [cover.subs(symbol, 0), sy.cancel(cover.subs(symbol, 1 / symbol)).subs(symbol, 0)]
    below = sign(sy.diff(cover, symbol)) == 1
    return (ends[0], ends[1]) if below else (ends[1], ends[0])


def evidence(derivations: Sequence[Derivation | Derived]) -> Evidence:
    """One piece of evidence from the derivations of all cases (a refuting one stands alone)."""
    outcome = Outcome.HOLDS
    if any(d.outcome == Outcome.REFUTED for d in derivations):
        outcome = Outcome.REFUTED
    elif any(d.outcome != Outcome.HOLDS for d in derivations):
        outcome = Outcome.UNDECIDED
    assumed = sorted({a for d in derivations for a in d.assumed}, key=str)
    strength = Strength.PROVED
    details = [d.why + (f" [{d.regime.text}]" if len(derivations) > 1 else "") for d in derivations]
    if outcome == Outcome.UNDECIDED:
        strength = Strength.NONE
    elif outcome == Outcome.HOLDS and assumed:
        strength = Strength.SUPPORTED
        details.append("derived only where these are nonzero: " + ", ".join(map(str, assumed)))
    steps: list[Step] = []
    for d in derivations:
        for step in d.steps:
            if step not in steps:
                steps.append(step)
    next_terms = [d.following for d in derivations if d.following is not None]
    return Evidence(
        "symbolic", outcome, strength, "; ".join(details), steps=tuple(steps),
        next_term=" | ".join(dict.fromkeys(next_terms)) or None,
    )


def _failing_instance(claim: Claim) -> Derivation | None:
    """A refutation at one of the regime's own parameter values: it refutes a statement for all of them."""
    assert claim.regime is not None
    tried = set()
    for instance in claim.regime.instances:
        point = {s: sp.sympify(x) for s, x in instance.items() if s in claim.regime.ranges}
        key = tuple(sorted((s.name, str(x)) for s, x in point.items()))
        if not point or key in tried or outside(claim.regime, point):
            continue
        tried.add(key)
        try:
            found = decide(put_in(claim.relation, point), claim.regime.at(**{s.name: x for s, x in point.items()}))
        except ValueError:
            continue
        if found.outcome == Outcome.REFUTED:
            return _at_point(found, point)
    return None


def _at_point(found: Derivation, point: Mapping[sp.Symbol, sp.Expr]) -> Derivation:
    where = ", ".join(f"{s} = {x}" for s, x in point.items())
    return replace(found, why=f"at {where}: {found.why}")
