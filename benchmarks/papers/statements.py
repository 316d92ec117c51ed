"""The statements, as data: a file of TOML a kind, with what is said in a book or paper and a false neighbour of it.

An entry has ``true``, a statement as its source has it, or ``false``, one that differs from it by a constant, a sign, an
exponent, a range or a logarithm, or both; ``to`` and ``assume`` as for ``asymp ask``; ``source`` by name.  The other keys are
for :mod:`benchmarks.papers.truth`, which finds the truth again by numbers.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Said:
    """A statement: its kind, its text, what tends where, ranges of parameters, whether it is true, who says it.

    ``numbers``: how its truth is found (:func:`benchmarks.papers.truth.found`).
    """

    kind: str
    text: str
    to: str
    assume: tuple[str, ...]
    true: bool
    source: str
    numbers: Mapping[str, Any] = field(default_factory=dict, compare=False)

    def __str__(self) -> str:
        return " | ".join([self.text, self.to, "; ".join(self.assume)])


def kinds() -> dict[str, str]:
    """The words for each kind, by the name of its file, in the order of the files."""
    return {path.stem: _read(path)["kind"] for path in sorted(HERE.glob("[01]*.toml"))}


def statements(kind: str | None = None) -> list[Said]:
    """All statements, or those of one kind: a name or the number that it begins with.

    >>> len(statements()) == len({str(one) for one in statements()})
    True
    """
    return [
        one
        for name in kinds()
        if not kind or name == kind or name.split("-")[0].lstrip("0") == kind
        for one in _of(name)
    ]


def _of(name: str) -> Iterator[Said]:
    whole = _read(HERE / f"{name}.toml")
    usual = whole.get("to", "")
    for entry in whole["statements"]:
        numbers = {key: value for key, value in entry.items() if key not in ("true", "false", "to", "assume", "source")}
        for truth in ("true", "false"):
            if truth in entry:
                assume = tuple(entry.get("assume", ()))
                yield Said(
                    name, entry[truth], entry.get("to", usual), assume, truth == "true", entry["source"], numbers
                )


def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))
