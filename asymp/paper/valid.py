"""What is wrong with claims that were made by code: of a file of one's own each broken one is a row that says so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from asymp.claim import Claim, Outcome, Relation, Source, Unread
from asymp.messages import one_line

_ID = r"[A-Za-z0-9_.-]+(/[A-Za-z0-9_.:+-]+)+"


def validate(claims: Sequence[Any], paper_key: str | None = None) -> list[str]:
    """What is wrong with a list of claims, a line each: types, ids, sources, corrections.

    >>> validate(["x"])
    ['item 1 is a str, not a Claim']
    """
    problems: list[str] = []
    known: dict[str, Claim] = {}
    for number, claim in enumerate(claims, 1):
        if not isinstance(claim, Claim):
            problems.append(f"item {number} is a {type(claim).__name__}, not a Claim")
            continue
        problems += _validate_one(claim, paper_key)
        if claim.id in known:
            problems.append(f"two claims have the id {claim.id}")
        known[claim.id] = claim
    for claim in known.values():
        problems += _validate_links(claim, known)
    return problems


def _validate_one(claim: Claim, paper_key: str | None) -> list[str]:
    """Types, id and source of one claim."""
    if not isinstance(claim.id, str) or not re.fullmatch(_ID, claim.id):
        return [f"the id {claim.id!r} is not of the form paper/slug"]
    problems = []
    if paper_key is not None and claim.paper != paper_key:
        problems.append(f"{claim.id}: the id of a claim of {paper_key} starts with {paper_key}/")
    source = claim.source
    if not isinstance(source, Source) or not str(source.key).strip() or not str(source.locator).strip():
        problems.append(f"{claim.id}: no source: give Source(bibliography key, locator)")
    if not isinstance(claim.relation, Relation):
        problems.append(f"{claim.id}: its relation is a {type(claim.relation).__name__}, not a Relation")
    if not isinstance(claim.statement, str) or not claim.statement.strip():
        problems.append(f"{claim.id}: no statement")
    if claim.narrowed and not (claim.narrowed.strip() and str(source.quote).strip() and claim.as_printed):
        problems.append(f"{claim.id}: narrowed says, of a printed statement beside its quote, what that has more")
    if claim.expected not in list(Outcome):
        problems.append(f"{claim.id}: expected {claim.expected!r} is none of holds, refuted, undecided")
    return problems


def _validate_links(claim: Claim, known: dict[str, Claim]) -> list[str]:
    """A refuted statement and its correction name each other, and share their source."""
    problems = []
    for here, there in (("correction", "corrects"), ("corrects", "correction")):
        other_id = getattr(claim, here)
        if other_id is None:
            continue
        other = known.get(other_id)
        if other is None:
            problems.append(f"{claim.id}: its {here} {other_id} is not registered")
        elif here == "correction" and getattr(other, there) != claim.id:
            problems.append(f"{claim.id}: its correction {other_id} does not name it in corrects")
        elif here == "corrects" and getattr(other, there) != claim.id:
            problems.append(f"{claim.id}: corrects {other_id}, which does not name it in correction")
        elif here == "corrects" and claim.as_printed:
            problems.append(f"{claim.id}: a corrected statement has as_printed=False")
        elif here == "corrects" and other.source.locator != claim.source.locator:
            problems.append(f"{claim.id}: a corrected statement has the locator of {other_id}")
    return problems


def rows(found: Iterable[Any], path: str) -> tuple[Claim, ...]:
    """The claims of a file, of which a broken one is one that says so: undecided, with its place; the others stand.

    >>> [(claim.id, claim.relation.reason) for claim in rows(["x"], "notes.py")]
    [('notes/item-1', 'notes.py: item 1 is a str, not a Claim')]
    """
    stem = re.sub(r"[^A-Za-z0-9_.-]", "-", Path(path).stem) or "file"
    claims: dict[str, Claim] = {}
    for number, item in enumerate(found, 1):
        if not isinstance(item, Claim):
            why = f"{path}: item {number} is a {type(item).__name__}, not a Claim"
            source = Source(stem, f"item {number}")
            one = Claim(f"{stem}/item-{number}", source, Unread(why), one_line(str(item), 80) or "nothing")
        elif problems := _validate_one(item, None):
            one = _broken(item, f"{path}: {problems[0]}", f"{stem}/item-{number}")
        elif item.id in claims:
            why = f"{path}: item {number}: two claims have the id {item.id}"
            one = replace(item, id=f"{item.id}+{number}", relation=Unread(why), correction=None, corrects=None)
        else:
            one = item
        claims[one.id] = one
    return tuple(
        replace(claim, relation=Unread(f"{path}: {problems[0]}"), correction=None, corrects=None)
        if (problems := _validate_links(claim, claims)) else claim for claim in claims.values()
    )  # fmt: skip


def _broken(claim: Claim, why: str, name: str) -> Claim:
    """A claim with something wrong in it, as one that says so."""
    source = claim.source if isinstance(claim.source, Source) else Source("?", "?")
    good = isinstance(claim.id, str) and re.fullmatch(_ID, claim.id)
    return Claim(
        claim.id if good else name, replace(source, locator=str(source.locator).strip() or "?"), Unread(why),
        str(claim.statement).strip() or name,
        expected=claim.expected if claim.expected in list(Outcome) else Outcome.HOLDS,
    )  # fmt: skip
