"""Where claims come from: papers (entry points of the group ``asymp.papers``) and users' files.

A paper is a module that offers ``TITLE``, ``claims()`` and, if it has any, ``quantities()`` and
``figures()`` and ``names()`` (its notation).  A user's file is any Python file with a module-level ``CLAIMS`` list or a function
``claims()``.  Either is checked when it is loaded: ids are unique, every claim names its source,
and links between a refuted statement and its correction go both ways.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import importlib.resources
import importlib.util
import inspect
import sys
import tomllib
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from asymp.claim import Claim, Quantity
from asymp.messages import one_line, unknown
from asymp.outside import entries, with_words
from asymp.paper import MOST_BYTES, ClaimsError, ClaimsFile, Code, PaperFile, read_claims
from asymp.paper.valid import rows
from asymp.paper.valid import validate as validate
from asymp.parse.statements import unread_at

if TYPE_CHECKING:
    from asymp.latex.document import Document
    from asymp.paper.tex import TexFile

DATA = (".toml", ".tex")
"""How files of claims end that are data, not code."""


class RegistryError(ValueError):
    """Nothing of that name is registered, or what is registered is not well formed."""


class ClaimFileError(RegistryError):
    """A file of claims that cannot be used: one line that names the file and the line."""


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

    def names(self) -> dict[Any, Any]:
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


def find_quantity(quantity_id: str) -> Quantity:
    """The quantity of that id, such as ``lfms/throughput``, from its paper."""
    key = quantity_id.split("/", 1)[0]
    chosen = [paper(key)] if key in papers() else papers().values()
    known = {item.id: item for one in chosen for item in one.quantities()}
    if quantity_id not in known:
        raise RegistryError(unknown("quantity", quantity_id, known))
    return known[quantity_id]


def load_file(path: str | Path, trust: bool = False) -> tuple[Claim, ...]:
    """The claims of a user's file, which is read again where it has changed.

    A Python file is code, and run; of a TOML file, with ``trust`` alone, the model that it names is; of a .tex file nothing is.

    Raises:
        ClaimFileError: one line naming file and line, whatever went wrong in the file.
    """
    file = Path(path)
    if not file.is_file():
        raise ClaimFileError(f"{path}: no such file")
    try:
        content = file.read_bytes()
    except OSError as error:
        raise ClaimFileError(f"{path}: {one_line(error, 300)}") from error
    if file.suffix in DATA:
        return load_data(path, content, trust).claims
    return _loaded(str(path), file.resolve(), content)


def load_data(path: str | Path, content: bytes | None = None, trust: bool = False) -> PaperFile:
    """A TOML file of claims, or a paper's .tex: reading it runs no code unless ``trust`` allows the model of a TOML file.

    Raises:
        ClaimFileError: one line naming file and line.
    """
    file = Path(path)
    try:
        found = file.read_bytes() if content is None else content
        if file.suffix == ".tex":  # what reads LaTeX is imported where there is some
            from asymp.paper.tex import gathered

            return _read_tex(gathered(file, found))[1]
        model = _model_beside(file, found)
        return _read(str(path), file.resolve(), found, model, model.read_bytes() if trust and model.is_file() else b"", trust)
    except OSError as error:
        raise ClaimFileError(f"{path}: {one_line(error, 300)}") from error
    except ClaimsError as error:
        raise ClaimFileError(one_line(error)) from error


def figures_of(path: str | Path, trust: bool = False) -> dict[str, tuple[Claim, int]]:
    """The figures that a file of claims declares (``[figures]``): what is drawn, as a claim, and how many terms of it.

    Raises:
        ClaimFileError: as :func:`load_data`.
    """
    file = Path(path)
    if file.suffix != ".toml":
        return {}
    if not file.is_file():
        raise ClaimFileError(f"{path}: no such file")
    return dict(load_data(file, trust=trust).figures)


@functools.lru_cache(maxsize=16)
def _read(path: str, file: Path, content: bytes, model: Path, code: bytes, trust: bool) -> PaperFile:
    """The same; the content of the file and of its model is part of the key."""
    if len(content) > MOST_BYTES:
        raise ClaimFileError(f"{path}: more than {MOST_BYTES} bytes")
    try:
        data = read_claims(content.decode("utf-8"), path, _code_beside(path, model, code) if trust else None)
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise ClaimFileError(f"{path}, line {line}: not a text in UTF-8") from error
    except ClaimsError as error:
        raise ClaimFileError(one_line(error)) from error
    if problems := validate(data.claims, data.key):
        raise ClaimFileError(f"{path}: {problems[0]}")
    return data


@functools.lru_cache(maxsize=16)
def _read_tex(document: Document) -> tuple[TexFile, PaperFile]:
    """The same of a .tex file; what is in the files that it inputs is part of the key."""
    from asymp.paper.tex import TexFile

    file = TexFile(document)
    data = file.read()
    if problems := validate(data.claims, data.key):
        raise ClaimsError(f"{document.name}: {problems[0]}")
    return file, data


def tex_file(path: str | Path) -> TexFile:
    """A paper's own .tex file, with its marks and their places; raises as :func:`load_data`."""
    from asymp.paper.tex import gathered

    load_data(path)
    return _read_tex(gathered(Path(path)))[0]


def _model_beside(file: Path, content: bytes) -> Path:
    """The Python file that a file of claims names as its model, beside it."""
    try:
        name = tomllib.loads(content.decode("utf-8"))["paper"]["model"]
    except (ValueError, KeyError, TypeError, RecursionError):
        name = "model.py"
    return file.parent / str(name).replace("\0", "")


def _code_beside(path: str, model: Path, code: bytes) -> Code:
    """What finds functions in the model that a file names."""

    def find(wanted: str) -> Any:
        if not code:
            raise ClaimFileError(f"{path}: its model {model.name} is not there")
        return getattr(_module(str(model), model.resolve(), code), wanted.rpartition(".")[2])

    return find


@functools.lru_cache(maxsize=64)
def _module(path: str, file: Path, _: bytes) -> ModuleType:
    """A Python file as a module; the content is part of the key."""
    name = f"_asymp_model_{hashlib.sha256(str(file).encode()).hexdigest()[:16]}"  # the same in every process
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ClaimFileError(f"{path}: not a Python file (its name should end in .py)")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise ClaimFileError(f"{path}, {_where(error, file)}: {type(error).__name__}: {one_line(error, 300)}") from error
    return module


@functools.lru_cache(maxsize=64)
def _loaded(path: str, file: Path, _: bytes) -> tuple[Claim, ...]:
    """The same; the content is part of the key."""
    name = f"_asymp_claims_{hashlib.sha256(str(file).encode()).hexdigest()[:16]}"  # the same in every process
    try:
        spec = importlib.util.spec_from_file_location(name, file)
        if spec is None or spec.loader is None:
            raise ClaimFileError(f"{path}: not a Python file (its name should end in .py)")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module  # dataclasses and pickling look a module up by its name
        with unread_at(lambda: f"{path}, line {_line_in(file)}"):
            spec.loader.exec_module(module)
        if hasattr(module, "CLAIMS"):
            if getattr(getattr(module, "claims", None), "__module__", None) == name:
                raise ClaimFileError(f"{path}: both a list CLAIMS and a function claims(): which of them is meant?")
            found = module.CLAIMS
        elif callable(getattr(module, "claims", None)):
            with unread_at(lambda: f"{path}, line {_line_in(file)}"):
                found = module.claims()
                found = list(found) if isinstance(found, Iterator) else found
        else:
            raise ClaimFileError(f"{path}: no claims: give it a list CLAIMS or a function claims()")
    except ClaimFileError:
        raise
    except SyntaxError as error:
        place = error.filename or str(path)
        raise ClaimFileError(f"{place}, line {error.lineno}: syntax error: {error.msg}") from error
    except (Exception, SystemExit) as error:
        where = _where(error, file)
        raise ClaimFileError(f"{path}, {where}: {type(error).__name__}: {one_line(error, 300)}") from error
    if not isinstance(found, Iterable) or isinstance(found, (str, bytes, dict)):
        raise ClaimFileError(f"{path}: CLAIMS is a {type(found).__name__}, not a list of claims")
    return tuple(rows(found, path))


def _line_in(file: Path) -> int:
    """The line of a file that is running now."""
    frame = inspect.currentframe()
    while frame is not None and Path(frame.f_code.co_filename).resolve() != file:
        frame = frame.f_back
    return 0 if frame is None else frame.f_lineno


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
def _names(key: str, target: str) -> dict[Any, Any]:
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


def _where(error: BaseException, file: Path) -> str:
    """The last line of the user's file that was running when the error was raised."""
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).resolve() == file.resolve()
    ]
    return f"line {lines[-1]}" if lines else "when it was read"
