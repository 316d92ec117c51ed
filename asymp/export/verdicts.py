"""Verdicts as data and back: all that they say but their claims, for other processes and for the store.

>>> from asymp.claim import Claim, Outcome, Relation, Source, Strength
>>> found = Verdict(Claim("demo/x", Source("demo", "Lemma 1"), Relation(), "x = x"), Outcome.HOLDS, Strength.PROVED, ())
>>> from_data(data_of(found), found.claim) == found
True
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from asymp.claim import Claim, Evidence, Finding, Outcome, Step, Strength, Verdict, Witness


def data_of(verdict: Verdict) -> dict[str, Any]:
    """What a verdict says, as JSON has it; its claim is not in it."""
    found = {each.name: getattr(verdict, each.name) for each in fields(verdict) if each.name != "claim"}
    certificate = None if verdict.certificate is None else [dict(step) for step in verdict.certificate]
    return found | {"evidence": [_line(line) for line in verdict.evidence], "certificate": certificate}


def _line(line: Evidence) -> dict[str, Any]:
    points = [[{str(k): str(x) for k, x in one.at.items()}, str(one.value), str(one.radius)] for one in line.points]
    return {each.name: getattr(line, each.name) for each in fields(line)} | {"points": points, "steps": _steps(line.steps)}


def _steps(steps: Iterable[Step]) -> list[list[Any]]:
    return [[step.rule, step.latex, step.source, step.name, _steps(step.steps)] for step in steps]


def _steps_of(data: Iterable[Sequence[Any]]) -> tuple[Step, ...]:
    return tuple(Step(*one[:4], *map(_steps_of, one[4:])) for one in data)  # an earlier version wrote the first three


def from_data(data: Mapping[str, Any], claim: Claim) -> Verdict:
    """The verdict on a claim of which :func:`data_of` has made this."""
    lines = tuple(map(_line_of, data["evidence"]))
    words = {name: tuple(data[name]) for name in ("reading", "trusts", "asked_back")}
    certificate = None if data["certificate"] is None else tuple(data["certificate"])
    alone = None if data["alone"] is None else Strength(data["alone"])
    said: dict[str, Any] = {"outcome": Outcome(data["outcome"]), "strength": Strength(data["strength"]), "alone": alone}
    return Verdict(claim, **{**data, **words, **said, "evidence": lines, "certificate": certificate})


def _line_of(data: Mapping[str, Any]) -> Evidence:
    said: dict[str, Any] = {"outcome": Outcome(data["outcome"]), "strength": Strength(data["strength"])}
    said |= {
        "points": tuple(Witness(*one) for one in data["points"]),
        "steps": _steps_of(data["steps"]),
    }
    said |= {"finding": Finding(data["finding"]) if data["finding"] else None}
    return Evidence(**{**data, **said, "tried": tuple((method, why) for method, why in data["tried"])})
