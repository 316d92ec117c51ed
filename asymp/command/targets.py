"""What the words after ``asymp check`` mean: papers, claims, files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from asymp import registry
from asymp.claim import Claim
from asymp.messages import one_line, unknown


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
        for claim in registry.load_file(self.file, self.trust):
            if claim.id == self.claim_id:
                return claim
        raise registry.RegistryError(f"{self.file}: no claim has the id {self.claim_id!r} any more")


def read_targets(targets: Sequence[str]) -> tuple[list[Place], list[str]]:
    """The claims that the words on the command line mean, and a line for each that means none."""
    if not targets and not registry.papers():
        return [], ["no papers are registered: install the package first (pip install .)"]
    places: dict[Place, None] = {}
    owner: dict[str, str] = {}
    errors = []
    for target in targets or list(registry.papers()):
        try:
            new = resolve(target)
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
    """A paper's key, a claim's id, a file of claims, or ``FILE::ID``; ``trust``: whether the code beside one may run."""
    if target in registry.papers():
        if not (registered := registry.paper(target).claims()):
            raise registry.RegistryError(f"{target}: no claims")
        return [Place(claim.id) for claim in registered]
    file, _, wanted = target.partition("::")
    if file.endswith((".py", ".toml")) or Path(file).is_file():
        claims = [claim for claim in registry.load_file(file, trust) if not wanted or claim.id == wanted]
        if not claims:
            raise registry.RegistryError(f"{file}: no claim{f' has the id {wanted!r}' if wanted else 's'}")
        return [Place(claim.id, file, trust) for claim in claims]
    if Path(target).is_dir():
        raise registry.RegistryError(f"{target} is a folder: name a file of claims in it")
    if "/" in target:
        return [Place(registry.find_claim(target).id)]
    raise registry.RegistryError(unknown("paper, claim or file", target, registry.papers()))
