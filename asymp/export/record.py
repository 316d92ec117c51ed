"""The record: verdicts as one JSON object, the stable interface for other programs.

Numbers of the mathematics are decimal strings; nothing is computed here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from asymp.claim import Asymptotic, Claim, Evidence, Outcome, Strength, Verdict
from asymp.export import derivation
from asymp.export.files import to_json, write_text
from asymp.export.latex import claim_latex
from asymp.export.table import as_expected, unlike
from asymp.language.conditions import text_of

SCHEMA = Path(__file__).with_name("record.schema.json")
"""The JSON Schema of the record."""


def claim_record(claim: Claim) -> dict[str, Any]:
    """The entry of a claim that has no verdict yet: undecided, without evidence.

    >>> from asymp.claim import Relation, Source
    >>> claim_record(Claim("demo/x", Source("demo", "Lemma 1"), Relation(), "x = x"))["outcome"]
    'undecided'
    """
    record: dict[str, Any] = {
        "id": claim.id,
        "paper": claim.paper,
        "locator": claim.source.locator,
        "relation": claim.relation.kind,
        "statement": claim.statement,
        "quote": claim.source.quote,
        "place": {"file": claim.source.file, "line": claim.source.line} if claim.source.file else None,
        "latex": claim_latex(claim),
        "as_printed": claim.as_printed,
        "reading": "narrowed" if claim.narrowed else "none",
        **claim.quoted,
        "outcome": str(Outcome.UNDECIDED),
        "strength": str(Strength.NONE),
        "expected": str(claim.expected),
        "correction": claim.correction,
        "evidence": [],
        "trusts": [],
        "certificate": None,
        "next_term": None,
        "seconds": 0.0,
    }
    if claim.corrects:
        record["corrects"] = claim.corrects
    if claim.where:
        record["where"] = list(claim.where)
    if claim.closed:
        record["closed"] = claim.closed
    if claim.narrowed:
        record["narrowed"] = claim.narrowed
    if claim.used:
        record["used"] = list(claim.used)
    if claim.said:
        record["read_as"] = claim.said
    if claim.note:
        record["note"] = claim.note
    return record


def verdict_record(verdict: Verdict, steps: bool = False) -> dict[str, Any]:
    """One entry of ``claims`` in the record; with ``steps``, the derivation and the notes too.

    >>> from asymp.claim import Relation, Source
    >>> claim = Claim("demo/x", Source("demo", "Lemma 1"), Relation(), "x = x")
    >>> verdict_record(Verdict(claim, Outcome.HOLDS, Strength.PROVED, ()))["locator"]
    'Lemma 1'
    """
    claim = verdict.claim
    record = claim_record(claim) | verdict_fields(verdict, steps)
    if steps:
        record["note"] = claim.note
        record["regime"] = text_of(claim.relation.statement.regime) if isinstance(claim.relation, Asymptotic) else None
    return record


def verdict_fields(verdict: Verdict, steps: bool = False) -> dict[str, Any]:
    """What a verdict adds to :func:`claim_record`."""
    fields: dict[str, Any] = {
        "outcome": str(verdict.outcome),
        "strength": str(verdict.strength),
        "evidence": [_evidence(item, steps) for item in verdict.evidence],
        "trusts": list(verdict.trusts),
        "certificate": None if verdict.certificate is None else [dict(step) for step in verdict.certificate],
        "next_term": verdict.next_term,
        "seconds": round(verdict.seconds, 3),
    }
    if verdict.no_theorem:
        fields["no_theorem"] = verdict.no_theorem
    if verdict.reading:
        fields["meaning"] = list(verdict.reading)
    if verdict.ended:
        fields["ended"] = verdict.ended
    return fields | ({"reason": verdict.reason} if verdict.reason else {})


def _evidence(item: Evidence, steps: bool) -> dict[str, Any]:
    record: dict[str, Any] = {
        "kind": item.kind,
        "outcome": str(item.outcome),
        "strength": str(item.strength),
        "detail": item.detail,
        "points": [
            {
                "at": {str(name): str(value) for name, value in point.at.items()},
                "value": str(point.value),
                "radius": str(point.radius),
            }
            for point in item.points
        ],
    }
    if item.tried and steps:
        record["tried"] = [{"method": method, "why": why} for method, why in item.tried]
    if steps:
        record["steps"] = derivation.data(item.steps)
    return record


def answer_record(verdict: Verdict) -> dict[str, Any]:
    """The answer of ``asymp ask``: the outcome and why, the evidence, the derivation, and what is trusted.

    >>> from asymp.claim import Relation, Source
    >>> claim = Claim("demo/x", Source("demo", "Lemma 1"), Relation(), "x = x")
    >>> answer_record(Verdict(claim, Outcome.HOLDS, Strength.SUPPORTED, ()))["trusts"]
    []
    """
    found = verdict_fields(verdict)
    found.pop("meaning", None)
    why = verdict.reason or (verdict.evidence[0].detail if verdict.evidence else "")
    first = {"statement": verdict.claim.statement, "outcome": found["outcome"], "strength": found["strength"], "why": why}
    told = {"derivation": derivation.data(verdict.steps)}
    return {**first, "reading": list(verdict.reading), "evidence": found["evidence"], **told, **found}


def summary(entries: Sequence[Mapping[str, Any]], seconds: float) -> dict[str, Any]:
    """How many claims, by outcome and (of those that are decided) by strength, and how many were not as expected.

    What is narrower than its quote, or differs from it, is counted by itself: the printed statement is not proved by it.

    >>> summary([], 0.5)["certified"]
    0
    """
    outcomes = [str(entry["outcome"]) for entry in entries]
    settled = [entry for entry in entries if entry["outcome"] != Outcome.UNDECIDED]
    decided = [str(entry["strength"]) for entry in settled if not unlike(entry)]
    narrowed = sum(unlike(entry) == "narrowed" for entry in settled)
    differs = len(settled) - len(decided) - narrowed
    return {
        "claims": len(entries),
        "holds": outcomes.count(Outcome.HOLDS),
        "refuted": outcomes.count(Outcome.REFUTED),
        "undecided": outcomes.count(Outcome.UNDECIDED),
        "proved": decided.count(Strength.PROVED),
        "certified": decided.count(Strength.CERTIFIED),
        "supported": decided.count(Strength.SUPPORTED),
        "narrowed": narrowed,
        **({"differs": differs} if differs else {}),
        "unexpected": sum(not as_expected(entry) for entry in entries),
        "seconds": round(seconds, 3),
    }


def record(items: Iterable[Verdict | Mapping[str, Any]], version: str, seconds: float) -> dict[str, Any]:
    """The whole record of a run, from its verdicts or from their entries."""
    found = [verdict_record(item) if isinstance(item, Verdict) else dict(item) for item in items]
    return {"asymp": version, "claims": found, "summary": summary(found, seconds)}


def write_record(path: str | Path, data: dict[str, Any]) -> None:
    """Write the record as JSON, atomically."""
    write_text(path, to_json(data))
