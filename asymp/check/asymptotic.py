"""Evidence for the asymptotic relations: derived, then confronted with certified numbers.

What was derived is the series of the claim's theorem; where it has none, one expansion of its quantity for all parameters
(:mod:`asymp.check.derivation`).  Cases, subsequences, what oscillates and what is bounded explicitly are the kernel's.
Where neither is found, numbers alone are asked for a trend, but not where the answer hangs on the path, or on a parameter
whose values were not each derived: the few points at which numbers are computed are no evidence there.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Protocol

from asymp.check import trend
from asymp.check.derived import Derived, derived
from asymp.check.theorems import decided_as_read, line_of
from asymp.claim import Claim, Evidence, Finding, Outcome, Step, Strength
from asymp.enclosure import Undecided
from asymp.kernel.terms import Refused as Unwritten
from asymp.kernel.theorem import Theorem


class Told(trend.Derived, Protocol):
    """What was derived, in words."""

    @property
    def outcome(self) -> Outcome:
        """What it says of the claim."""

    @property
    def why(self) -> str:
        """Why."""

    @property
    def text(self) -> str:
        """Its regime."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """The derivation."""

    @property
    def following(self) -> str | None:
        """The next term."""


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
    derivations: Sequence[Told] = told
    if not told:
        from asymp.check import by_engine  # SymPy is for these alone

        try:
            derivations = by_engine.derived(claim)
        except ValueError as refused:  # Refused, Undecided, or a growth beyond the scale
            return by_engine.refused(claim, refused, quick) if isinstance(found, str) else [line_of(found[1])]
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


def _symbolic(derivations: Sequence[Told]) -> Evidence:
    """One line from the derivations of all cases; a refuting one stands alone."""
    outcomes = {d.outcome for d in derivations}
    outcome = Outcome.REFUTED if Outcome.REFUTED in outcomes else Outcome.UNDECIDED if len(outcomes) > 1 else outcomes.pop()
    details = [d.why + (f" [{d.text}]" if len(derivations) > 1 else "") for d in derivations]
    steps: list[Step] = list(dict.fromkeys(step for d in derivations for step in d.steps))
    following = dict.fromkeys(d.following for d in derivations if d.following is not None)
    strength = Strength.NONE if outcome is Outcome.UNDECIDED else Strength.PROVED
    next_term = " | ".join(following) or None
    return Evidence("symbolic", outcome, strength, "; ".join(details), steps=tuple(steps), next_term=next_term)
