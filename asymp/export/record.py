"""The record: verdicts as one JSON object, the stable interface for other programs.

Numbers of the mathematics are decimal strings; nothing is computed here.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from asymp.claim import Evidence, Outcome, Verdict
from asymp.export.latex import claim_latex


def verdict_record(verdict: Verdict, steps: bool = False) -> dict[str, Any]:
    """One entry of ``claims`` in the record; with ``steps``, the derivation and the notes too.

    >>> from asymp.claim import Claim, Relation, Source, Strength
    >>> claim = Claim("demo/x", Source("demo", "Lemma 1"), Relation(), "x = x")
    >>> verdict_record(Verdict(claim, Outcome.HOLDS, Strength.PROVED, ()))["locator"]
    'Lemma 1'
    """
    claim = verdict.claim
    record: dict[str, Any] = {
        "id": claim.id,
        "paper": claim.paper,
        "locator": claim.source.locator,
        "relation": claim.relation.kind,
        "statement": claim.statement,
        "latex": claim_latex(claim),
        "as_printed": claim.as_printed,
        "outcome": str(verdict.outcome),
        "strength": str(verdict.strength),
        "expected": str(claim.expected),
        "correction": claim.correction,
        "evidence": [_evidence(item, steps) for item in verdict.evidence],
        "next_term": verdict.next_term,
        "seconds": round(verdict.seconds, 3),
    }
    if claim.corrects:
        record["corrects"] = claim.corrects
    if verdict.reason:
        record["reason"] = verdict.reason
    if steps:
        record["note"] = claim.note
        record["regime"] = claim.regime.text if claim.regime else None
    return record


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
    if steps:
        record["steps"] = [{"rule": step.rule, "latex": step.latex, "source": step.source} for step in item.steps]
    return record


def summary(verdicts: Sequence[Verdict], seconds: float) -> dict[str, Any]:
    """How many claims, by outcome, and how many were not as expected."""
    outcomes = [verdict.outcome for verdict in verdicts]
    return {
        "claims": len(verdicts),
        "holds": outcomes.count(Outcome.HOLDS),
        "refuted": outcomes.count(Outcome.REFUTED),
        "undecided": outcomes.count(Outcome.UNDECIDED),
        "unexpected": sum(not verdict.as_expected for verdict in verdicts),
        "seconds": round(seconds, 3),
    }


def record(verdicts: Iterable[Verdict], version: str, seconds: float) -> dict[str, Any]:
    """The whole record of a run."""
    found = list(verdicts)
    return {
        "asymp": version,
        "claims": [verdict_record(verdict) for verdict in found],
        "summary": summary(found, seconds),
    }


def write_text(path: str | Path, text: str) -> None:
    """Write a file whole or not at all: a reader never sees half of one.

    A path that is not a regular file (a pipe, ``/dev/stdout``) is written to directly.
    """
    target = Path(path)
    if target.exists() and not target.is_file():
        target.write_text(text, encoding="utf-8")
        return
    target = target.resolve()  # through a link, so that the link stays one
    handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
        mode = target.stat().st_mode if target.exists() else 0o666 & ~_umask()
        os.chmod(temporary, mode)
        os.replace(temporary, target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_record(path: str | Path, data: dict[str, Any]) -> None:
    """Write the record as JSON, atomically."""
    write_text(path, to_json(data))


def to_json(data: Any) -> str:
    """One JSON object, readable, ending in a newline; never NaN or Infinity, which are not JSON."""
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
