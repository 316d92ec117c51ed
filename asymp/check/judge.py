"""Evidence to verdict.

The rules (in order): lines of evidence that contradict each other give *undecided*, but for a
certified counterexample against a trend or a sample; a proof counts only where its own numbers
do not speak against it, and is only *supported* where there were none to be had; otherwise the
strongest line wins.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from asymp.check import symbolic, trend
from asymp.check.meant import meant
from asymp.claim import (
    Bound,
    Claim,
    Equivalent,
    Evidence,
    ExpansionOf,
    Identity,
    Law,
    Limit,
    Order,
    Outcome,
    Property,
    Strength,
    Value,
    Verdict,
)
from asymp.enclosure import Undecided
from asymp.meaning import Meaningless

_RANK = {Strength.PROVED: 3, Strength.CERTIFIED: 2, Strength.SUPPORTED: 1, Strength.NONE: 0}


def check(claim: Claim, quick: bool = False) -> Verdict:
    """The verdict on a claim.

    Args:
        claim: the statement.
        quick: fewer paths and instances in the numerical confirmation, and no samples.

    A claim whose check fails with an error is undecided, with the error as the reason; so is one without meaning.
    """
    start = time.perf_counter()
    try:
        read = meant(claim)
    except Meaningless as error:
        return without_meaning(claim, error, time.perf_counter() - start)
    verdict = weigh(claim, quick)
    return replace(verdict, reading=read.facts, seconds=time.perf_counter() - start)


def without_meaning(claim: Claim, error: Meaningless, seconds: float = 0.0) -> Verdict:
    """The answer to what has no meaning: undecided, with the place."""
    return Verdict(claim, Outcome.UNDECIDED, Strength.NONE, (), None, seconds, f"no meaning: {error}")


def weigh(claim: Claim, quick: bool = False) -> Verdict:
    """The verdict on a claim whose meaning has been checked."""
    start = time.perf_counter()
    try:
        lines = _lines(claim, quick)
    except (KeyboardInterrupt, SystemExit):
        raise
    except Exception as error:  # a broken claim must not take the others down
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        return Verdict(claim, Outcome.UNDECIDED, Strength.NONE, (), None, time.perf_counter() - start, reason)
    outcome, strength, reason = judge(lines)
    next_term = next((line.next_term for line in lines if line.next_term), None)
    return Verdict(claim, outcome, strength, tuple(lines), next_term, time.perf_counter() - start, reason)


def judge(lines: Sequence[Evidence]) -> tuple[Outcome, Strength, str]:
    """Outcome, strength, and the reason where undecided.

    >>> judge([])
    (<Outcome.UNDECIDED: 'undecided'>, <Strength.NONE: 'none'>, 'no evidence')
    """
    decided = [line for line in lines if line.outcome != Outcome.UNDECIDED and line.strength != Strength.NONE]
    if not decided:
        return Outcome.UNDECIDED, Strength.NONE, "; ".join(line.detail for line in lines) or "no evidence"
    outcomes = {line.outcome for line in decided}
    best = max(decided, key=lambda line: _RANK[line.strength])
    if len(outcomes) > 1:
        against = [line for line in decided if line.outcome != Outcome.REFUTED]
        counterexample = any(x.outcome == Outcome.REFUTED and x.strength == Strength.CERTIFIED for x in decided)
        if counterexample and all(x.strength == Strength.SUPPORTED for x in against):
            # one certified counterexample outweighs a trend or a sample
            return Outcome.REFUTED, Strength.CERTIFIED, ""
        said = "; ".join(f"{line.kind}: {line.outcome}, {line.detail}" for line in decided)
        return Outcome.UNDECIDED, Strength.NONE, f"lines of evidence contradict each other: {said}"
    # a derivation that its own numbers do not confirm is not believed
    unconfirmed = [x for x in lines if x.kind == "enclosed" and x.outcome == Outcome.UNDECIDED]
    if best.kind == "symbolic" and unconfirmed:
        if any("do not follow" in x.detail for x in unconfirmed):
            return Outcome.UNDECIDED, Strength.NONE, unconfirmed[0].detail
        if len(decided) == 1:  # one route alone: derived, but no number could be set against it
            return best.outcome, Strength.SUPPORTED, ""
    return best.outcome, best.strength, ""


def _lines(claim: Claim, quick: bool) -> list[Evidence]:
    relation = claim.relation
    lines: list[Evidence] = []
    if isinstance(relation, (Equivalent, ExpansionOf, Limit, Order)):
        lines += _asymptotic(claim, quick)
    elif isinstance(relation, Identity | Bound | Value):
        from asymp.check import finite

        if isinstance(relation, Identity):
            lines += finite.identity(relation)
        elif isinstance(relation, Bound):
            lines += finite.bound(relation)
        else:
            lines += finite.value(relation)
    elif isinstance(relation, (Property, Law)):
        lines += list(relation.test())
    if claim.sampled is not None and not quick:
        lines += list(claim.sampled())
    return lines


def _asymptotic(claim: Claim, quick: bool) -> list[Evidence]:
    try:
        derivations = symbolic.derive(claim)
    except ValueError as refused:  # Refused, Undecided, or a growth beyond the scale
        why = Evidence("symbolic", Outcome.UNDECIDED, Strength.NONE, f"not derived: {refused}")
        try:
            return [why, trend.trend(claim, thorough=not quick)]
        except Undecided as undecided:
            return [why, Evidence("enclosed", Outcome.UNDECIDED, Strength.NONE, str(undecided))]
    lines = [symbolic.evidence(derivations)]
    try:
        lines.append(trend.enclosed(derivations, thorough=not quick))
    except Undecided as undecided:
        lines.append(Evidence("enclosed", Outcome.UNDECIDED, Strength.NONE, str(undecided)))
    return lines
