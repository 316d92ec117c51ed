"""Shards: a run in parts, on any machines, and the record of the whole run from their records.

Part I of N (``--shard I/N``) is of every N-th claim in the order of a hash of the ids, so that each part has its share of every
paper, and which claims it has depends on nothing but the list of all.  Its record says what it is a part of: the options, the
program (asymp's sources, Python, the libraries), and of every claim of the run, in order, a hash of what a record says of it
before it is checked.  :func:`merged` takes the parts in any order, one twice too, and gives what one run would have written, but
for the times; it refuses what are not the parts of one run, or not all of them.

A hash of its entries tells a part that was damaged, or edited by hand.  That is no seal: as of any record, what is proved in
it is seen by ``asymp verify``.

>>> ids = [f"me/lemma-{k}" for k in range(7)]
>>> sorted(one for k in (1, 2, 3) for one in chosen(ids, Shard(k, 3))) == ids, len(chosen(ids, Shard(3, 3)))
(True, 2)
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from asymp.command import sources
from asymp.command.records import record
from asymp.command.usage import UsageError
from asymp.version import __version__

MOST = 100_000
FOUND = frozenset(
    "outcome strength evidence trusts certificate next_term seconds no_theorem meaning ended reason place".split()
)
"""What a check adds to the entry of a claim; and where its file is, which may be elsewhere on another machine."""
Entry = Mapping[str, Any]


class Shard(NamedTuple):
    """Part ``number`` of ``of``, from 1."""

    number: int
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


def read(text: str) -> Shard:
    """``2/7``.

    Raises:
        ValueError: it is none.

    >>> read("2/7")
    Shard(number=2, of=7)
    """
    first, _, second = text.partition("/")
    if not (first.isascii() and first.isdigit() and second.isascii() and second.isdigit() and len(text) < 20):
        raise ValueError(f"{text[:40]!r} is no part of a run, such as 2/7")
    found = Shard(int(first), int(second))
    if not 1 <= found.number <= found.of <= MOST:
        raise ValueError(f"there is no part {found}" + (f": at most {MOST}" if found.of > MOST else ""))
    return found


def chosen(ids: Sequence[str], shard: Shard) -> list[str]:
    """The ids of a part, in their order: each id is in one part, and no two parts differ by more than one."""
    order = sorted(set(ids), key=lambda one: (hashlib.sha256(one.encode()).digest(), one))
    mine = set(order[shard.number - 1 :: shard.of])
    return [one for one in ids if one in mine]


def told(shard: Shard, options: Mapping[str, Any], run: Sequence[Entry], entries: Sequence[Entry]) -> dict[str, Any]:
    """What the record of a part says of it: ``run`` are the entries of all claims, unchecked, ``entries`` those of the part."""
    claims = [[one["id"], _said(one)] for one in run]
    return {
        "index": shard.number, "of": shard.of, "options": dict(options), "program": sources.digest("all"), "claims": claims,
        "found": _hash(entries),
    }  # fmt: skip


def _hash(item: Any) -> str:
    return hashlib.sha256(json.dumps(item, sort_keys=True).encode()).hexdigest()[:32]


def _said(entry: Entry) -> str:
    """A hash of what an entry says of its claim, whatever the check found."""
    return _hash({name: value for name, value in entry.items() if name not in FOUND})


def merged(paths: Sequence[str]) -> tuple[list[dict[str, Any]], float]:
    """The entries of a whole run in its order, and the seconds that its parts took together.

    Raises:
        UsageError: a file is no whole part; they are of different runs; a part is missing; two copies of one differ.
    """
    parts = {path: record(path) for path in dict.fromkeys(paths)}
    for path, data in parts.items():
        _well_formed(path, data)
    (first, known), *_ = parts.items()
    by_index: dict[int, tuple[str, dict[str, Entry]]] = {}
    for path, data in parts.items():
        _same_run(first, known, path, data)
        entries = {str(entry["id"]): entry for entry in data["claims"]}
        index = data["shard"]["index"]
        other = by_index.setdefault(index, (path, entries))
        if differing := [one for one in entries if _untimed(entries[one]) != _untimed(other[1][one])]:
            raise UsageError(f"{other[0]} and {path} are both part {index}, and say different things of {differing[0]}")
    of = known["shard"]["of"]
    if lacking := [k for k in range(1, of + 1) if k not in by_index]:
        rest = f" and {len(lacking) - 1} more" if len(lacking) > 1 else ""
        raise UsageError(f"part {lacking[0]}/{of}{rest} is missing")
    every = {one: entry for _, entries in by_index.values() for one, entry in entries.items()}
    seconds = sum(float(parts[path]["summary"]["seconds"]) for path, _ in by_index.values())
    return [dict(every[one]) for one, _ in known["shard"]["claims"]], seconds


def _untimed(entry: Entry) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if name not in ("seconds", "place")}


def _well_formed(path: str, data: Mapping[str, Any]) -> None:
    """That a record is one of a whole part, as asymp check writes it.

    Raises:
        UsageError: it is not.
    """
    if data.get("shard") is None:
        raise UsageError(f"{path} is the record of a whole run, not of a part (--shard)")
    try:
        shard, summary = data["shard"], data["summary"]
        part = Shard(int(shard["index"]), int(shard["of"]))
        ids = [str(one) for one, _ in shard["claims"]]
        whole = 1 <= part.number <= part.of <= MOST and isinstance(summary["seconds"], int | float) and len(set(ids)) == len(ids)
        names = [str(entry["id"]) for entry in data["claims"]]
        words = {str(one): str(said) for one, said in shard["claims"]}
        wanted = chosen(ids, part)
        if whole and set(names) < set(wanted):
            raise UsageError(f"{path}: part {part} is not finished: it lacks {next(one for one in wanted if one not in names)}")
        edited = [one for one, entry in zip(names, data["claims"], strict=True) if words.get(one) != _said(entry)]
        if not whole or names != wanted or edited or shard["found"] != _hash(data["claims"]):
            place = f": {edited[0]}" if edited else ""
            raise UsageError(f"{path} was changed after asymp check wrote it{place}")
    except (KeyError, TypeError, ValueError, RecursionError, OverflowError) as error:
        if isinstance(error, UsageError):
            raise
        raise UsageError(f"{path} is not the record of a part as asymp check writes it") from error


def _same_run(first: str, known: Mapping[str, Any], path: str, data: Mapping[str, Any]) -> None:
    """That two records are of parts of one run.

    Raises:
        UsageError: they are not.
    """
    here, there = data["shard"], known["shard"]
    if data.get("asymp") != known.get("asymp") or here["program"] != there["program"]:
        raise UsageError(f"{path} was made by another version of asymp, of Python or of a library than {first}")
    if data.get("asymp") != __version__:
        raise UsageError(f"{path} was made by asymp {data.get('asymp')}, and this is {__version__}")
    if here["of"] != there["of"]:
        raise UsageError(f"{path} is one of {here['of']} parts, {first} one of {there['of']}")
    if here["options"] != there["options"]:
        raise UsageError(f"{path} was checked with other options than {first}")
    if here["claims"] != there["claims"]:
        words = dict(there["claims"])
        one = next((one for one, said in here["claims"] if words.get(one) != said), None)
        raise UsageError(f"{path} is of other claims than {first}" + (f": {one}" if one else ""))
