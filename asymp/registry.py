"""Where claims come from: papers (entry points of the group ``asymp.papers``), and users' files (:mod:`asymp.paper.files`).

A paper is a module that offers ``TITLE``, ``claims()`` and, if it has any, ``quantities()`` and
``figures()`` and ``names()`` (its notation).  It is checked when it is loaded: ids are unique, every claim names its source,
and links between a refuted statement and its correction go both ways.
"""

from __future__ import annotations

import functools
import importlib
import importlib.resources
import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from asymp.claim import Claim, Quantity
from asymp.messages import one_line, unknown
from asymp.outside import entries, with_words
from asymp.paper import ClaimsError, ClaimsFile, Code, PaperFile
from asymp.paper.files import DATA as DATA
from asymp.paper.files import ClaimFileError as ClaimFileError
from asymp.paper.files import RegistryError as RegistryError
from asymp.paper.files import figures_of as figures_of
from asymp.paper.files import load_data as load_data
from asymp.paper.files import load_file as load_file
from asymp.paper.files import load_one as load_one
from asymp.paper.files import some_of as some_of
from asymp.paper.files import tex_file as tex_file
from asymp.paper.valid import validate as validate


@dataclass(frozen=True)
class Paper:
    """A registered paper; its module is imported when it is first asked for anything."""

    key: str
    target: str

    @property
    def module(self) -> ModuleType:
        """The imported module; RegistryError where it cannot be imported."""
        return _import(self.key, self.target)

    @property
    def data(self) -> PaperFile | None:
        """The paper's file of claims, ``claims.toml`` beside its module; None for a paper whose claims are code."""
        return _paper_file(self.key, self.target)

    def text(self) -> str:
        """The text of its file of claims; empty for a paper whose claims are code."""
        return getattr(_claims_file(self.key, self.target), "text", "")

    @property
    def title(self) -> str:
        """The paper's title."""
        data = _paper_file(self.key, self.target, "")
        return data.title if data else str(getattr(self.module, "TITLE", self.key))

    def claims(self) -> tuple[Claim, ...]:
        """The claims in the paper's order, checked."""
        return _paper_claims(self.key, self.target)

    def ids(self) -> tuple[str, ...]:
        """The ids of the claims in the paper's order; where a file has them, no claim is read for that.

        >>> registered = paper("parallelps")
        >>> registered.ids() == tuple(claim.id for claim in registered.claims())
        True
        """
        file = _claims_file(self.key, self.target)
        return tuple(file.entries()) if file else tuple(claim.id for claim in self.claims())

    def quantities(self) -> tuple[Quantity, ...]:
        """The named quantities of the paper."""
        data = _paper_file(self.key, self.target, "")
        return data.quantities if data else tuple(_call(self, "quantities") or ())

    def names(self) -> dict[str, str]:
        """The paper's notation: the definition of a quantity, or a parameter -> the paper's name for it."""
        return dict(_names(self.key, self.target))

    def figures(self) -> dict[str, Any]:
        """The paper's figures by name (:class:`asymp.export.plot.Figure`, numbers only)."""
        return with_words(dict(_call(self, "figures") or {}), self.module)


@functools.cache
def papers() -> dict[str, Paper]:
    """All registered papers by key.

    >>> isinstance(papers(), dict)
    True
    """
    return {entry.name: Paper(entry.name, entry.target) for entry in entries("papers")}


def paper(key: str) -> Paper:
    """The paper of that key; RegistryError with a suggestion otherwise."""
    found = papers()
    if key not in found:
        raise RegistryError(unknown("paper", key, found, " (install the package first: pip install .)"))
    return found[key]


def claims(key: str | None = None) -> tuple[Claim, ...]:
    """The claims of one registered paper, or of all.

    >>> len(claims("parallelps")) > 0
    True
    """
    chosen = papers().values() if key is None else [paper(key)]
    return tuple(item for one in chosen for item in one.claims())


def find_claim(claim_id: str) -> Claim:
    """The claim of that id, from its paper; of a file of claims it alone is read."""
    key = claim_id.split("/", 1)[0]
    item = paper(key)
    if has_file(key, item.target):
        alone = {claim.id: claim for claim in _one_claim(key, item.target, claim_id.partition("/")[2])}
        if claim_id in alone:
            return alone[claim_id]
        if claim_id not in (ids := item.ids()):
            raise RegistryError(unknown("claim", claim_id, ids, all_of=f"asymp list {key}"))
    known = {claim.id: claim for claim in item.claims()}
    if claim_id not in known:
        raise RegistryError(unknown("claim", claim_id, known, all_of=f"asymp list {key}"))
    return known[claim_id]


def claims_of(key: str, tables: Iterable[str]) -> list[Claim]:
    """The claims of some tables of a paper's file of claims; nothing else of it is read.

    >>> [claim.id for claim in claims_of("lfms", ["lemma-8.3"])]
    ['lfms/lemma-8.3', 'lfms/lemma-8.3-corrected']
    """
    return [claim for one in tables for claim in _one_claim(key, paper(key).target, one)]


def find_quantity(quantity_id: str) -> Quantity:
    """The quantity of that id, such as ``lfms/throughput``, from its paper."""
    key = quantity_id.split("/", 1)[0]
    chosen = [paper(key)] if key in papers() else papers().values()
    known = {item.id: item for one in chosen for item in one.quantities()}
    if quantity_id not in known:
        raise RegistryError(unknown("quantity", quantity_id, known))
    return known[quantity_id]


@functools.cache
def _import(key: str, target: str) -> ModuleType:
    try:
        return importlib.import_module(target)
    except (Exception, SystemExit) as error:
        raise RegistryError(f"paper {key}: {target} cannot be imported: {_describe(error)}") from error


def has_file(key: str, target: str) -> bool:
    """Whether a paper is a package with a file of claims; a module alone says its claims itself."""
    module = _import(key, target)
    return hasattr(module, "__path__") and importlib.resources.files(module).joinpath("claims.toml").is_file()


@functools.lru_cache(maxsize=4096)
def _one_claim(key: str, target: str, slug: str) -> tuple[Claim, ...]:
    found = _paper_file(key, target, slug)
    return found.claims if found else ()


@functools.cache
def _claims_file(key: str, target: str) -> ClaimsFile | None:
    if not has_file(key, target):
        return None
    file = importlib.resources.files(target).joinpath("claims.toml")
    return ClaimsFile(file.read_text(encoding="utf-8"), f"{target}/claims.toml", code_of(target))


@functools.cache
def _paper_file(key: str, target: str, only: str | None = None) -> PaperFile | None:
    """The file of claims beside a module; its code is installed code, and trusted."""
    try:
        file = _claims_file(key, target)
        return file.read(only) if file else None
    except (ClaimsError, TypeError, OSError, UnicodeDecodeError) as error:
        raise RegistryError(f"paper {key}: {one_line(error)}") from error


def code_of(target: str) -> Code:
    """What finds functions: ``name`` in ``model``, ``module.name`` in that module of a package."""

    def find(name: str) -> Any:
        module, _, attribute = name.rpartition(".")
        return getattr(importlib.import_module(f"{target}.{module or 'model'}"), attribute)

    return find


@functools.cache
def _paper_claims(key: str, target: str) -> tuple[Claim, ...]:
    data = _paper_file(key, target)
    claims = data.claims if data else tuple(_call(Paper(key, target), "claims") or ())
    problems = validate(claims, key)
    if problems:
        raise RegistryError(f"paper {key}: {problems[0]}")
    return claims


@functools.cache
def _names(key: str, target: str) -> dict[str, str]:
    data = _paper_file(key, target, "")
    return data.names() if data else dict(_call(Paper(key, target), "names") or {})


def _call(item: Paper, name: str) -> Any:
    function = getattr(item.module, name, None)
    if function is None:
        return None
    try:
        return function()
    except RegistryError:
        raise
    except (Exception, SystemExit) as error:
        raise RegistryError(f"paper {item.key}: {name}() failed: {_describe(error)}") from error


def _describe(error: BaseException) -> str:
    """The error in one line, with the file and line where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {one_line(error, 300)}{place}"
