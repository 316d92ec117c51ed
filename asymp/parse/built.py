"""What a statement becomes: a relation, and its parts as they were typed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from asymp.claim import Claim, Relation, Source
from asymp.language.parts import Part
from asymp.language.statement import Statement

Functions = Mapping[str, Callable[..., Any]]
Again = Callable[[Statement], Claim]
"""Makes one part of a composite statement a claim of its own."""


@dataclass(frozen=True)
class Built:
    """What a statement became: a relation, and its parts as typed."""

    relation: Relation
    parts: tuple[Part, ...] = ()


def member(statement: Statement, built: Built) -> Claim:
    """One part of a composite statement, as the judge takes it."""
    return Claim("part/part", Source("part", "part"), built.relation, str(statement.body), parts=built.parts,
                 closed=str(statement), text_of=built.relation)  # fmt: skip
