"""What is wrong with claims as SARIF 2.1.0, which code reviews show beside the lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePath
from typing import Any

from asymp.export.table import as_expected, complaint

RULES = {
    "refuted": "A claim that does not hold",
    "undecided": "A claim that could not be decided",
    "unreadable": "A claim that could not be read, or has more than one reading",
}
_PLACED = re.compile(r"(.+?)(?::(\d+)|, line (\d+)): (.*)", re.DOTALL)


def sarif(
    entries: Iterable[Mapping[str, Any]], errors: Iterable[str], version: str, files: Mapping[str, str | None] | None = None
) -> dict[str, Any]:
    """The log of a run, from the entries of its record and the files that could not be read.

    What was expected is a note, anything else an error.  Of a claim whose line is not known the first one of its file is named
    (``files``, by id).

    >>> found = sarif([], ["paper.tex:3: the mark a is also at paper.tex:2"], "1")["runs"][0]["results"]
    >>> found[0]["ruleId"], found[0]["locations"][0]["physicalLocation"]["region"]
    ('unreadable', {'startLine': 3})
    """
    results = []
    for entry in entries:
        if entry["outcome"] != "holds":
            rule = "unreadable" if entry["relation"] == "unread" else str(entry["outcome"])
            text = f"{entry['id']}: {entry['outcome']}, {entry['strength']}: {complaint(entry, placed=False)}"
            place = entry.get("place") or {"file": (files or {}).get(entry["id"])}
            one = _result(rule, text, place["file"], place.get("line", 1), "note" if as_expected(entry) else "error")
            results.append(one | {"partialFingerprints": {"claim": entry["id"]}})
    for error in errors:
        found = _PLACED.fullmatch(error)
        file, line, text = (found[1], int(found[2] or found[3]), found[4]) if found else ("", 1, error)
        results.append(_result("unreadable", text, file, line, "error"))
    rules = [{"id": name, "shortDescription": {"text": text}} for name, text in RULES.items()]
    driver = {"name": "asymp", "version": version, "rules": rules}
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return {"$schema": schema, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}


def _result(rule: str, text: str, file: str | None, line: int, level: str) -> dict[str, Any]:
    found: dict[str, Any] = {"ruleId": rule, "level": level, "message": {"text": text}}
    if file:
        region = {"artifactLocation": {"uri": PurePath(file).as_posix()}, "region": {"startLine": line}}
        found["locations"] = [{"physicalLocation": region}]
    return found
