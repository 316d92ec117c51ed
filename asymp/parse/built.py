"""What a statement becomes: a relation with its regime, and its parts as they were typed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from asymp.claim import Claim, Relation, Source
from asymp.language.parts import Part
from asymp.language.statement import Statement

if TYPE_CHECKING:
    from asymp.scale import Regime

Functions = Mapping[str, Callable[..., Any]]
Again = Callable[[Statement], Claim]
"""Makes one part of a composite statement a claim of its own."""


@dataclass(frozen=True)
class Built:
    """What a statement became: a relation with its regime, and its parts as typed."""

    relation: Relation
    regime: Regime | None = None
    parts: tuple[Part, ...] | None = None


def member(statement: Statement, built: Built) -> Claim:
    """One part of a composite statement, as the judge takes it."""
    return Claim("part/part", Source("part", "part"), built.relation, str(statement.body), built.regime,
                 parts=built.parts, closed=str(statement), text_of=built.relation)  # fmt: skip
