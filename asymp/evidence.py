"""What is said of a claim: outcomes, strengths, and lines of evidence with their points and steps; frozen data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    """What became of the statement."""

    HOLDS = "holds"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


class Strength(StrEnum):
    """How good the evidence is: a proof, rigorous on a stated set, or a trend or sample."""

    PROVED = "proved"
    CERTIFIED = "certified"
    SUPPORTED = "supported"
    NONE = "none"


class Finding(StrEnum):
    """What certified numbers say of a derivation or a proof that they were set against."""

    CONFIRMED = "confirmed"
    CONTRADICTED = "contradicted"
    UNMEASURED = "unmeasured"


@dataclass(frozen=True)
class Witness:
    """One number of the evidence: a ball (decimal strings) at a point (name -> decimal string)."""

    at: Mapping[str, str]
    value: str
    radius: str


@dataclass(frozen=True)
class Step:
    """A paragraph of a derivation: words (formulas in them stand between dollars), a formula in LaTeX, and what is cited.

    ``steps`` is what it unfolds to: of a lemma, which has a ``name``, the proof; else the details.
    """

    rule: str
    latex: str
    source: str = ""
    name: str = ""
    steps: tuple[Step, ...] = ()


def every(steps: Iterable[Step]) -> Iterator[Step]:
    """All paragraphs, each before those inside it."""
    for step in steps:
        yield step
        yield from every(step.steps)


@dataclass(frozen=True)
class Evidence:
    """One line of evidence: ``kind`` is symbolic, enclosed or sampled.

    ``detail`` is for people; ``finding`` is what numbers say of the symbolic lines beside it, None where they were not
    set against any; ``tried``: of what was not derived, every method that was tried and what it said.
    """

    kind: str
    outcome: Outcome
    strength: Strength
    detail: str
    points: tuple[Witness, ...] = ()
    steps: tuple[Step, ...] = ()
    next_term: str | None = None
    finding: Finding | None = None
    tried: tuple[tuple[str, str], ...] = ()
