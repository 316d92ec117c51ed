"""What ``asymp verify`` reads: a record, and the statements of a file of claims; without SymPy."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from asymp.command.usage import UsageError
from asymp.kernel.records import GIVEN, REFUSED, REPLAYED, Replay
from asymp.language.bridges import BRIDGE
from asymp.messages import one_line

Ties = Mapping[str, Sequence[Mapping[str, bool]]]
"""Of each claim, for each formula on which it leans, the claims that tie it, and whether for all that the claim is about."""


def texts_of(file: str | None) -> tuple[dict[str, str | None] | None, frozenset[str], Ties]:
    """The closed statements of a file of claims, its definitions, and what ties the formulas of each claim to the model.

    They are read without SymPy; None where no file is given.
    """
    from asymp.language.bridges import bridges, resting_of
    from asymp.language.numbers import ParseError
    from asymp.language.setting import closed_of
    from asymp.language.source import ClaimsError
    from asymp.latex.author import TexReader
    from asymp.latex.paper import QuoteReader
    from asymp.paper.covering import tie
    from asymp.paper.tex import gathered

    if file is None:
        return None, frozenset(), {}
    try:
        path = Path(file)
        is_tex = path.suffix == ".tex"
        found = TexReader(gathered(path)) if is_tex else QuoteReader(path.read_text(encoding="utf-8"), file, None)
        texts, over = closed_of(found), bridges(found)
        ties: dict[str, list[dict[str, bool]]] = {}
        for one, data in found.entries().items():
            if texts[one] is not None and (ways := resting_of(found, data, over)):
                written = found.worded(found.says(data), data)[0]
                ties[one] = [{other: tie(found, other, written) is not None for other in ids} for ids in ways]
        return texts, frozenset(map(str, found.setting.chains)), ties
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror or one_line(error)}") from error
    except (ClaimsError, ParseError, UnicodeDecodeError) as error:
        raise UsageError(one_line(error)) from error


def tied(found: Sequence[Replay], entries: Sequence[Mapping[str, Any]], ties: Ties) -> list[Replay]:
    """What replaying says of the claims of a record, what ties their formulas to the model with it.

    A claim is given the one that ties its formula (``bridge: ID``), unless that is replayed here too.  ``ties``: of each claim of
    the file of claims the ways in which its formulas are tied.
    """
    told = {one.id: (one.told, entry.get("outcome")) for one, entry in zip(found, entries, strict=False)}
    there = [_tied(one, entry, told, ties.get(one.id, ())) for one, entry in zip(found, entries, strict=False)]
    return [*there, *found[len(entries) :]]


def _tied(
    one: Replay, entry: Mapping[str, Any], told: Mapping[str, tuple[str, Any]], ways: Sequence[Mapping[str, bool]]
) -> Replay:
    if one.told not in (REPLAYED, GIVEN):
        return one
    said = [leaf.removeprefix(BRIDGE) for leaf in one.trusts if leaf.startswith(BRIDGE)]
    if any(not {*way} & {*said} for way in ways):
        return replace(one, told=REFUSED, why="the record leaves out what ties its formula to the model")
    if entry.get("strength") == "proved" and any(not any(way[other] for other in {*way} & {*said}) for way in ways):
        return replace(one, told=REFUSED, why="what ties its formula to the model is said for a part of what it is about")
    poor = [other for other in said if told.get(other, (GIVEN, "holds")) not in ((REPLAYED, "holds"), (GIVEN, "holds"))]
    if poor and entry.get("strength") == "proved":
        return replace(one, told=REFUSED, why=f"{poor[0]}, which ties its formula to the model, is no theorem")
    return replace(one, told=GIVEN) if any(other not in told or told[other][0] == GIVEN for other in said) else one


def record(path: str) -> dict[str, Any]:
    """A record that asymp check has written.

    Raises:
        UsageError: it is none.
    """
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or one_line(error)}") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is no record of asymp check: {one_line(error)}") from error
    claims = data.get("claims") if isinstance(data, dict) else None
    if not isinstance(claims, list) or not all(isinstance(entry, dict) for entry in claims):
        raise UsageError(f"{path} is no record of asymp check")
    return data
