"""What the words after ``asymp check`` mean: papers, claims, files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from asymp import registry
from asymp.claim import Claim
from asymp.messages import one_line, unknown

if TYPE_CHECKING:
    from asymp.paper.readings import Standing


@dataclass(frozen=True)
class Place:
    """Where a claim can be loaded from: a paper's key or a file's path, and the claim's id."""

    claim_id: str
    file: str | None = None
    trust: bool = False

    def load(self) -> Claim:
        """The claim itself."""
        if self.file is None:
            return registry.find_claim(self.claim_id)
        if (alone := registry.load_one(self.file, self.claim_id, self.trust)) is not None:
            return alone
        for claim in registry.load_file(self.file, self.trust):
            if claim.id == self.claim_id:
                return claim
        raise registry.RegistryError(f"{self.file}: no claim has the id {self.claim_id!r} any more")


def read_targets(targets: Sequence[str], trust: bool = False) -> tuple[list[Place], list[str]]:
    """The claims that the words on the command line mean, and a line for each that means none."""
    if not targets and not registry.papers():
        return [], ["no papers are registered: install the package first (pip install .)"]
    places: dict[Place, None] = {}
    owner: dict[str, str] = {}
    errors = []
    for target in targets or list(registry.papers()):
        try:
            new = resolve(target, trust)
        except ValueError as error:
            errors.append(one_line(error))
            continue
        for place in new:
            origin = place.file or "the papers"
            if owner.setdefault(place.claim_id, origin) != origin:
                errors.append(f"{origin}: the id {place.claim_id} is also in {owner[place.claim_id]}")
            else:
                places[place] = None
    return list(places), errors


def resolve(target: str, trust: bool = False) -> list[Place]:
    """A paper's key, a claim's id, a file of claims, or ``FILE::ID``; ``trust``: whether the code beside one may run.

    Of a file the id may be given without its paper's key.

    Raises:
        ValueError: it means no claim: why, in one line.
    """
    if target in registry.papers():
        if not (registered := registry.paper(target).claims()):
            raise registry.RegistryError(f"{target}: no claims")
        return [Place(claim.id) for claim in registered]
    file, _, wanted = target.partition("::")
    if is_file(target):
        claims = registry.load_file(file, trust)
        if not claims:
            raise registry.RegistryError(f"{file}: no claims")
        chosen = [claim for claim in claims if wanted in ("", claim.id)] or [c for c in claims if c.id.endswith(f"/{wanted}")]
        if not chosen:
            ids = [claim.id for claim in claims]
            raise registry.RegistryError(f"{file}: {unknown('claim', wanted, ids, all_of=f'asymp list {file}')}")
        return [Place(claim.id, file, trust) for claim in chosen]
    if Path(target).is_dir():
        raise registry.RegistryError(f"{target} is a folder: name a file of claims in it")
    if "/" in target:
        return [Place(registry.find_claim(target).id)]
    raise registry.RegistryError(unknown("paper, claim or file", target, registry.papers()))


def tables(target: str, names: Sequence[str], trust: bool = False) -> list[Place]:
    """The claims of some tables of a paper's file of claims, or of a file of one's own: they alone are read.

    Raises:
        ValueError: the file cannot be read, or a table is not there any more.
    """
    file = None if target in registry.papers() else target
    found = registry.claims_of(target, names) if file is None else registry.some_of(file, names, trust)
    if not found:
        raise registry.RegistryError(f"{target}: no claims")
    return [Place(claim.id, file, trust and file is not None) for claim in found]


def is_file(target: str) -> bool:
    """Whether a target is a file of one's own, or a claim of one: not what is registered.

    >>> is_file("lfms"), is_file("lfms/lemma-8.3"), is_file("notes.toml::notes/lemma-1")
    (False, False, True)
    """
    file = target.partition("::")[0]
    return target not in registry.papers() and (file.endswith((".py", *registry.DATA)) or Path(file).is_file())


def names_one(target: str) -> bool:
    """Whether a target names one claim, not all those of a paper or a file.

    >>> names_one("lfms/lemma-8.3"), names_one("notes.toml::lemma-1"), names_one("notes.toml"), names_one("lfms")
    (True, True, False, False)
    """
    return target not in registry.papers() and (not is_file(target) or bool(target.partition("::")[2]))


def standings(places: Sequence[Place]) -> dict[str, Standing]:
    """How each claim of a file of claims stands to the machine's reading of its quote, by id."""
    from asymp.paper.readings import ReadingFile

    files: dict[str, ReadingFile] = {}
    found: dict[str, Standing] = {}
    for place in places:
        key, _, slug = place.claim_id.partition("/")
        where = place.file or key
        if where not in files:
            text = registry.paper(key).text() if place.file is None else Path(place.file).read_text(encoding="utf-8")
            files[where] = ReadingFile(text if where == key or where.endswith(".toml") else "", where)
        if slug in files[where].table("claim"):
            found[place.claim_id] = files[where].standing(slug)
    return found


def origin_of(place: Place) -> dict[str, str]:
    """Where a claim is from: the ``name`` to say, the ``title``, the ``stem`` of files that are written about it, ``notes``."""
    if place.file is None:
        key = place.claim_id.partition("/")[0]
        return {"name": key, "title": registry.paper(key).title, "stem": key}
    path = Path(place.file)
    if path.suffix not in registry.DATA:
        return {"name": place.file, "title": path.stem, "stem": path.stem}
    data = registry.load_data(path, trust=place.trust)
    return {"name": place.file, "title": data.title, "stem": path.stem, "notes": "\n".join(data.notes)}
