"""Evidence for the asymptotic relations: derived, then confronted with certified numbers.

What was derived is the series of the claim's theorem.  Where it has none, numbers alone are asked for a trend, but not where
the answer may hang on the path, or on a parameter: the few points at which numbers are computed are no evidence there.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace

from asymp.check import convergence, trend
from asymp.check.corrections import correction
from asymp.check.derived import Derived, derived
from asymp.check.theorems import decided_as_read, line_of
from asymp.claim import Asymptotic, Claim, Evidence, Finding, Outcome, Step, Strength
from asymp.enclosure import Undecided
from asymp.kernel.terms import Refused as Unwritten
from asymp.kernel.terms import of, walk
from asymp.kernel.theorem import Theorem
from asymp.language.bodies import Expanding, Limiting, Ratio
from asymp.language.conditions import Tends
from asymp.language.statement import Statement, read_statement
from asymp.language.syntax import words

LONGEST = 300
"""Parts of a formula beside whose theorem its series is shown, and numbers are computed."""


def evidence(claim: Claim, so_far: Callable[[Sequence[Evidence]], None] = lambda _: None) -> list[Evidence]:
    """The lines of evidence for a claim with a regime.

    ``so_far`` is given what was derived before numbers are set against it: nothing is measured yet.
    """
    assert isinstance(claim.relation, Asymptotic)
    if not claim.closed:  # what is put in the place of a text is one, too
        claim = replace(claim, closed=str(claim.relation.statement))
    found = decided_as_read(claim)
    if isinstance(found, str):
        return [Evidence("symbolic", Outcome.UNDECIDED, Strength.NONE, f"not derived: {found}"), _numbers(claim)]
    parts = [part for node in read_statement(claim.closed).body.terms() for part in walk(of(node))]
    told = [] if len(parts) > LONGEST else _series_of(claim, found[1])
    true = "" if len(parts) > LONGEST or found[1].holds else _what_holds(claim)
    if not told:
        return [_with(line_of(found[1]), true)]
    lines = [_with(_symbolic(told), true)]
    unmeasured = Evidence("enclosed", Outcome.UNDECIDED, Strength.NONE, "not measured yet", finding=Finding.UNMEASURED)
    so_far([*lines, unmeasured])
    try:
        lines.append(trend.enclosed(told, thorough=False))  # beside a theorem numbers are a second line
    except Undecided as undecided:
        none = Finding.UNMEASURED
        lines.append(Evidence("enclosed", Outcome.UNDECIDED, Strength.NONE, str(undecided), finding=none))
    return lines


def _series_of(claim: Claim, theorem: Theorem) -> list[Derived]:
    """What the series say by which there is a theorem of the claim; nothing where it comes from elsewhere."""
    with contextlib.suppress(ValueError, Unwritten):
        return derived(claim, theorem)
    return []


def _what_holds(claim: Claim) -> str:
    """What is true in the place of a claim that fails; empty where no theorem of it is found, or one that says nothing."""
    with contextlib.suppress(ValueError, Unwritten):
        found = correction(read_statement(claim.closed)).statement
        if not _says_nothing(found):
            return str(found)
    return ""


def _says_nothing(statement: Statement) -> bool:
    """Whether a statement repeats itself, or what is said of its variables.

    >>> texts = ("k -> k as n -> oo for k > 0", "n ~ n as n -> oo", "n = n + O(1) as n -> oo", "n -> oo as n -> oo",
    ...          "2*n -> oo as n -> oo")
    >>> [_says_nothing(read_statement(text)) for text in texts]
    [True, True, True, True, False]
    """
    body = statement.body
    if isinstance(body, Limiting):
        given = (c for c in statement.regime if isinstance(c, Tends) and words(c.target) == words(body.value))
        return words(body.value) == words(body.left) or any(words(c.term) == words(body.left) for c in given)
    if isinstance(body, Ratio | Expanding):
        return of(body.left) == of(body.right if isinstance(body, Ratio) else body.kept)
    return False


def _with(line: Evidence, true: str) -> Evidence:
    return replace(line, detail=f"{line.detail}; what holds is {true}") if true else line


def _numbers(claim: Claim) -> Evidence:
    """What numbers say by themselves."""
    try:
        return convergence.trend(claim)
    except Undecided as undecided:
        return Evidence("enclosed", Outcome.UNDECIDED, Strength.NONE, str(undecided))


def _symbolic(derivations: Sequence[Derived]) -> Evidence:
    """One line from the derivations of all cases; a refuting one stands alone."""
    outcomes = {d.outcome for d in derivations}
    outcome = Outcome.REFUTED if Outcome.REFUTED in outcomes else Outcome.UNDECIDED if len(outcomes) > 1 else outcomes.pop()
    details = [d.why + (f" [{d.text}]" if len(derivations) > 1 else "") for d in derivations]
    steps: list[Step] = list(dict.fromkeys(step for d in derivations for step in d.steps))
    following = dict.fromkeys(d.following for d in derivations if d.following is not None)
    strength = Strength.NONE if outcome is Outcome.UNDECIDED else Strength.PROVED
    next_term = " | ".join(following) or None
    return Evidence("symbolic", outcome, strength, "; ".join(details), steps=tuple(steps), next_term=next_term)
