"""Rules about a regime applied with the path that the search finds; where it finds none, with one that the kernel refuses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from asymp.kernel.terms import Refused
from asymp.kernel.theorem import Theorem, apply
from asymp.language.statement import read_statement
from asymp.regimes.paths import path
from asymp.regimes.quantities import places

NONE: dict[str, Any] = {"runner": "k", "values": {}}


def along(text: str) -> dict[str, Any]:
    """A path of a statement's regime, as data of a rule."""
    try:
        return path(read_statement(text))
    except Refused:
        return NONE


def witnessed(name: str, premises: Sequence[Theorem] = (), *, statement: str, **data: Any) -> Theorem:
    """The theorem of a rule."""
    return apply(name, premises, statement=statement, **along(statement), **data)


def leaf(text: str, place: dict[str, Any] | None = None) -> Theorem:
    """The leaf that says this, in the quantities given or in those of the search."""
    said = read_statement(text)
    return witnessed("leaf", statement=text, place=place or next(iter(places(said))))
