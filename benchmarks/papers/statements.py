"""The statements, as data: a file of TOML a kind, with what is said in a book or paper and a false neighbour of it.

An entry has ``true``, a statement as its source has it, or ``false``, one that differs from it by a constant, a sign, an
exponent, a range or a logarithm, or both; ``to`` and ``assume`` as for ``asymp ask``; ``source`` by name; in a suite of another
tool (:mod:`benchmarks.peers`) ``peer``, one of :data:`PEERS`.  ``to``, ``source`` and ``peer`` may be said once for a file.  The
other keys are for :mod:`benchmarks.papers.truth`, which finds the truth again by numbers.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
OWN = ("true", "false", "to", "assume", "source", "peer")
PEERS = ("solved", "failed", "wrong", "unknown")
"""What another tool does with the true statement: unknown where neither its paper nor its repository says so."""


@dataclass(frozen=True)
class Said:
    """A statement: its kind, its text, what tends where, ranges of parameters, whether it is true, who says it.

    ``numbers``: how its truth is found (:func:`benchmarks.papers.truth.found`); ``peer``: what the tool does whose problem it is.
    """

    kind: str
    text: str
    to: str
    assume: tuple[str, ...]
    true: bool
    source: str
    numbers: Mapping[str, Any] = field(default_factory=dict, compare=False)
    peer: str = ""

    def __str__(self) -> str:
        return " | ".join([self.text, self.to, "; ".join(self.assume)])


def kinds(folder: Path = HERE) -> dict[str, str]:
    """The words for each kind, by the name of its file, in the order of the files."""
    return {path.stem: _read(path)["kind"] for path in sorted(folder.glob("*.toml"))}


def statements(kind: str | None = None, folder: Path = HERE) -> list[Said]:
    """All statements, or those of one kind: a name or the number that it begins with.

    >>> len(statements()) == len({str(one) for one in statements()})
    True
    """
    return [
        one
        for name in kinds(folder)
        if not kind or name == kind or name.split("-")[0].lstrip("0") == kind
        for one in _of(folder / f"{name}.toml")
    ]


def _of(path: Path) -> Iterator[Said]:
    whole = _read(path)
    usual = {key: whole.get(key, "") for key in ("to", "source", "peer")}
    for entry in whole["statements"]:
        said = usual | entry
        numbers = {key: value for key, value in entry.items() if key not in OWN}
        if said["peer"] not in ("", *PEERS):
            raise ValueError(f"{path.name}: {said['peer']} is none of {', '.join(PEERS)}")
        for truth in ("true", "false"):
            if truth in entry:
                true = truth == "true"
                peer = said["peer"] if true else ""
                assume = tuple(entry.get("assume", ()))
                yield Said(path.stem, entry[truth], said["to"], assume, true, said["source"], numbers, peer)


def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))
