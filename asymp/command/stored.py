"""What the store keeps of claims: their verdicts, and what a paper's claims are.

A verdict is kept by all that it was found from: the claim (its closed statement, definitions, chains, lemmas, code, kept samples,
its words) and the options (:func:`asymp.command.claims.same`).  Beside it stand the areas of asymp's own files on which it rests
(:func:`rests`), each with what they said then (:func:`asymp.command.sources.digest`):

- every verdict rests on what judges; on ``enclosure`` where numbers were certified; on the modules that its paper's code names;
- a theorem rests on the rules of its certificate, *not on the search that found it*: where a search has changed it stands, and
  where a rule has, or anything that this imports, it stands if the kernel replays it (:data:`Standing.REPLAY`);
- what is not proved might be by another search, so that it rests on all of them.

What a limit of time or memory has ended is not kept, nor what was drawn anew.

The claims of a paper or of a file are kept too, for reading five papers takes longer than anything that follows: as they were
read, claim by claim with the tables that each was read from (:func:`prints`): of an edited file what is edited is read.

>>> prints({"claim": {"a": {"says": "1 < 2"}, "b": {"says": "2 < 3"}}})["a"] == prints({"claim": {"a": {"says": "1 < 2"}}})["a"]
True
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from asymp.command import sources
from asymp.command.store import Store
from asymp.language.bridges import BRIDGE
from asymp.language.setting import claim_name
from asymp.outside import HOUSE, entries

Found = dict[str, Any]
"""A claim as :func:`asymp.command.claims.survey` has it."""
QUOTED = ("reading", "read", "reading_why")
"""What an entry of the record says of the reading of the quote: the survey finds it, once for all checks."""
REPLAYED_BY_CHANCE = 6
"""Of the theorems in the store that nothing has changed, so many are replayed in each run, of those that take no time."""
SHORT = 0.5
"""Seconds: the check of such a theorem."""
ENGINE = "engine: "
LIMITS = frozenset({"equivalent", "limit", "order", "expansion", "limit law", "composite"})
"""Relations whose evidence has series."""


class Standing(StrEnum):
    """Whether a verdict in the store stands."""

    STANDS = "stands"
    REPLAY = "if it is replayed"
    STALE = "is to be found anew"


# --- verdicts --------------------------------------------------------------------------------


def rests(one: Found, verdict: Mapping[str, Any]) -> dict[str, str]:
    """The areas on which a verdict rests, with what they say now."""
    entry = one["entry"]
    kind, closed = str(entry["relation"]), str(entry.get("closed", ""))
    lines = verdict["evidence"]
    areas = {"judging"}
    if any(line["kind"] == "enclosed" or line["points"] for line in lines):
        areas.add("enclosure")
    if one["code"]:
        areas.add(f"code {', '.join(one['code'])}")
    if verdict["strength"] == "proved" and verdict["certificate"]:
        trusts = verdict["trusts"]
        rules = sorted({str(step["rule"]) for step in verdict["certificate"]})
        areas.add("kernel" if any(leaf.startswith(BRIDGE) for leaf in trusts) else f"rules {', '.join(rules)}")
        if any(leaf.startswith(ENGINE) for leaf in trusts) or kind == "root" or "Integral(" in closed:
            areas.add("prove")  # where methods are asked
        if verdict["next_term"] or (kind in LIMITS and any(line["steps"] for line in lines)):
            areas.add(f"shown {HOUSE}.prove.expansion")
        if kind == "bound" and "enclosure" in areas:
            areas.add(f"shown {HOUSE}.prove.line")
    elif closed:
        areas |= {"enclosure", "kernel", "prove"}
    elif not one["code"]:
        areas.add("all")
    return {area: sources.digest(area) for area in sorted(areas)}


def standing(found: Mapping[str, Any]) -> Standing:
    """Whether a verdict stands, now."""
    changed = [area for area, said in found["rests"].items() if sources.digest(area) != said]
    if not changed:
        return Standing.STANDS
    return Standing.REPLAY if all(area.startswith("rules ") for area in changed) else Standing.STALE


@dataclass
class Taken:
    """What the store has of claims, by id: verdicts that stand, and those that are to be replayed first."""

    stand: dict[str, dict[str, Any]] = field(default_factory=dict)
    replay: dict[str, dict[str, Any]] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)


def taken(store: Store, claims: Sequence[Found], chance: random.Random | None = None) -> Taken:
    """What the store has of these claims; some of the theorems, chosen by ``chance``, are to be replayed whatever has changed."""
    known = Taken()
    for one in claims:
        if not one["same"]:
            continue
        before = len(store.refused)
        found = store.get("verdict", one["same"])
        if len(store.refused) > before:
            known.refused.append(one["id"])
        if found is None or found["id"] != one["id"]:
            continue
        how = standing(found)
        if how is not Standing.STALE:
            (known.stand if how is Standing.STANDS else known.replay)[one["id"]] = found
    said = {name: found["verdict"] for name, found in known.stand.items()}
    short = [name for name, verdict in said.items() if verdict["certificate"] and verdict["seconds"] < SHORT]
    for name in (chance or random.SystemRandom()).sample(short, min(REPLAYED_BY_CHANCE, len(short))):
        known.replay[name] = known.stand.pop(name)
    return known


def answer_of(one: Found, verdict: Mapping[str, Any], quick: bool) -> dict[str, Any]:
    """What :func:`asymp.command.claims.check_claim` would say of a claim that has this verdict."""
    from asymp.claim import Claim, Relation, Source
    from asymp.export.record import verdict_fields
    from asymp.export.verdicts import from_data

    found = from_data(verdict, Claim(one["id"], Source("", ""), Relation(), ""))
    entry = one["entry"] | verdict_fields(found)
    return {"entry": entry, "verdict": verdict, "checked": one["same"], "quick": quick, "trust": one.get("trust", False)}


def keep(store: Store, one: Found, answer: Mapping[str, Any]) -> None:
    """Keep the verdict of a check that came to its own end and read no file for itself, while nobody edited asymp."""
    found_alone = answer.get("checked") == one["same"] and not answer.get("read")
    if one["same"] and found_alone and not answer["verdict"]["ended"] and sources.unchanged():
        verdict = answer["verdict"]
        data = {"id": one["id"], "closed": str(one["entry"].get("closed")), "verdict": verdict, "rests": rests(one, verdict)}
        store.put("verdict", one["same"], data)


# --- claims ----------------------------------------------------------------------------------


def prints(tables: Mapping[str, Any]) -> dict[str, str]:
    """Of each claim of a file, by its name there, a hash of the tables that make it: its own, its lemmas', all bridges'."""
    claims = tables.get("claim", {})
    named = {slug: data if isinstance(data, dict) else {} for slug, data in claims.items()} if isinstance(claims, dict) else {}
    tying = {slug: data for slug, data in named.items() if "bridge" in data or "corrected-bridge" in data}
    found = {}

    def leaned(slug: str, known: dict[str, Any]) -> dict[str, Any]:
        """The tables that a claim names among its lemmas, and those that these name."""
        said = f"{named[slug].get('lemmas', '')} {named[slug].get('corrected-lemmas', '')}"
        for one in re.findall(r"[A-Za-z0-9_.:+-]+", said):
            other = one if one in named else one.removesuffix("-corrected")
            if other in named and other not in known:
                known[other] = named[other]
                leaned(other, known)
        return known

    for slug, data in named.items():
        used = [one.strip() for one in str(data.get("used", "")).split(",") if one.strip()]
        lost = [sorted(named)] if any(one.removesuffix("-corrected") not in named for one in used) else []
        found[slug] = _hash([data, tying, leaned(slug, {}), lost])
    return found


def _hash(item: Any) -> str:
    return hashlib.sha256(json.dumps(item, sort_keys=True, default=str).encode()).hexdigest()


def _shared(tables: Mapping[str, Any], model: bytes) -> str:
    """A hash of what a file declares for all of its claims, and of its model."""
    return _hash([{name: data for name, data in tables.items() if name != "claim"}, hashlib.sha256(model).hexdigest()])


def _model(file: Path, text: bytes) -> bytes:
    """What is in the model that a file of claims names."""
    try:
        model = file.parent / str(tomllib.loads(text.decode())["paper"].get("model", "model.py"))
        return model.read_bytes() if model.is_file() else b""
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return b""


def file_of(target: str) -> tuple[Path | None, bool]:
    """The file of claims that a target means as a whole, and whether it is a paper's, whose code is beside it.

    No code is run for that; None where the target means another thing.
    """
    from importlib.util import find_spec

    for entry in entries("papers"):
        if entry.name == target and ":" not in entry.target:
            spec = find_spec(entry.target)
            places = list(spec.submodule_search_locations or ()) if spec else []
            file = Path(places[0], "claims.toml") if places else None
            return (file if file is not None and file.is_file() else None), True
    path = Path(target)
    return (path.resolve() if path.suffix == ".toml" and path.is_file() else None), False


class Survey:
    """The claims of a paper or a file of claims as the store has them, and what is left to be read.

    ``claims``: as :func:`asymp.command.claims.survey` has them, by the name of the table that each is read from; ``wanted``: the
    tables that are not known; None where all is to be read.
    """

    def __init__(self, store: Store | None, target: str, *options: Any) -> None:
        self.store, self.target = store, target
        self.claims: dict[str, list[Found]] = {}
        self.wanted: list[str] | None = None
        self.is_same = False
        self.file, self.is_paper = file_of(target)
        if self.file is None or store is None:
            return
        self.name = json.dumps([str(self.file), target, *options])
        try:
            self.text = self.file.read_bytes()
            self.beside = {str(self.file.parent)} if self.is_paper else set()
            self.model = b"" if self.is_paper else _model(self.file, self.text)
            self.told = hashlib.sha256(self.text + b"\0" + self.model).hexdigest()
            known = store.get("survey", self.name)
            if known is not None:
                self._take(known)
        except (OSError, ValueError, RecursionError):  # whoever reads it says what is wrong
            self.claims, self.wanted = {}, None

    def _take(self, known: Mapping[str, Any]) -> None:
        if known["reading"] != sources.digest("reading") or any(_folder(one) != said for one, said in known["folders"].items()):
            return
        if known["text"] == self.told:
            self.claims, self.wanted, self.is_same = known["claims"], [], True
            return
        tables = tomllib.loads(self.text.decode())
        if known["shared"] != _shared(tables, self.model):
            return
        now = prints(tables)
        self.wanted = []
        for slug, said in now.items():
            found = known["claims"].get(slug)
            if found and said == known["prints"].get(slug) and all(one["entry"]["relation"] != "unread" for one in found):
                self.claims[slug] = found
            else:
                self.wanted.append(slug)
        if 2 * len(self.wanted) > len(now):
            self.claims, self.wanted = {}, None

    def whole(self) -> bool:
        """Whether nothing is left to be read."""
        return self.wanted == [] and bool(self.claims)

    def completed(self, read: Sequence[Found]) -> list[Found] | None:
        """All claims in the file's order, with those that were ``read``; they are kept.  None: all are to be read."""
        if self.wanted == [] and self.is_same:
            return [one for some in self.claims.values() for one in some]
        if self.file is None or self.store is None:
            return list(read)
        try:
            tables = tomllib.loads(self.text.decode())
            key = str(tables["paper"]["key"])
        except (ValueError, KeyError, TypeError, RecursionError):
            return list(read)
        left = {one["id"]: one for one in read}
        found: dict[str, list[Found]] = {}
        now = prints(tables)
        for slug in now:
            name = f"{key}/{claim_name(slug)}"
            both = (name, f"{name}-corrected") if f"{slug}-corrected" not in now else (name,)
            fresh = [left.pop(one) for one in both if one in left]
            found[slug] = fresh or self.claims.get(slug, [])
        every = [one for some in found.values() for one in some]
        if left or not all(found.values()):  # what cannot be told to be of one table is not kept
            return list(read) if self.wanted is None else None
        if self.wanted and _broken(every):
            return None
        folders = {one: _folder(one) for one in sorted({*self.beside, *(f for one in every for f in one["folders"])})}
        if all(one["same"] for one in every) and None not in folders.values():
            data = {
                "id": key, "text": self.told, "shared": _shared(tables, self.model), "prints": now, "claims": found,
                "reading": sources.digest("reading"), "folders": folders,
            }  # fmt: skip
            self.store.put("survey", self.name, data)
        return every


def _folder(name: str) -> str | None:
    """A hash of the code of a folder, and of the samples that are kept in it; None where that cannot be told."""
    folder = Path(name)
    try:
        kept = "".join(f"{file}\0{file.read_text()}" for file in sorted(folder.glob("kept/*.json")))
        return hashlib.sha256(f"{sources.of_folder(folder, below=True)}{kept}".encode()).hexdigest()
    except (OSError, ValueError, sources.NotKnown):
        return None


def _broken(claims: Sequence[Found]) -> bool:
    """Whether an id is there twice, or a link between a claim and its correction does not go both ways."""
    known = {one["id"]: one["entry"] for one in claims}
    if len(known) < len(claims):
        return True
    for entry in known.values():
        for here, there in (("correction", "corrects"), ("corrects", "correction")):
            other = entry.get(here)
            if other and (other not in known or known[other].get(there) != entry["id"]):
                return True
            if here == "corrects" and other and (entry["as_printed"] or known[other]["locator"] != entry["locator"]):
                return True
    return False
