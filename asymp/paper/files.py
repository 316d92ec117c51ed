"""Files of claims of one's own: TOML and .tex, which are data, and Python, which is code.

A Python file has a module-level ``CLAIMS`` list or a function ``claims()``.  A file is checked when it is loaded: ids are unique,
every claim names its source, and links between a refuted statement and its correction go both ways.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import inspect
import sys
import tomllib
import traceback
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from asymp.claim import Claim
from asymp.language.source import ClaimsError, Code
from asymp.messages import one_line
from asymp.outside import file_of, is_installed, is_own
from asymp.paper.reader import MOST_BYTES, ClaimsFile, PaperFile
from asymp.paper.valid import rows, validate
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
    _forget_changed()
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
        return _read(*_parts(file, found, trust))
    except OSError as error:
        raise ClaimFileError(f"{path}: {one_line(error, 300)}") from error
    except ClaimsError as error:
        raise ClaimFileError(one_line(error)) from error


def load_one(path: str | Path, claim_id: str, trust: bool = False) -> Claim | None:
    """A claim of a TOML file, which alone is read; None where it has a link to another, or is not there.

    Raises:
        ClaimFileError: as :func:`load_data`.
    """
    if Path(path).suffix != ".toml":
        return None
    known = {claim.id: claim for claim in some_of(path, [claim_id.partition("/")[2]], trust)}
    alone = known.get(claim_id)
    return alone if alone and not (alone.correction or alone.corrects or claim_id.endswith("-corrected")) else None


def some_of(path: str | Path, tables: Iterable[str], trust: bool = False) -> list[Claim]:
    """The claims of some tables of a TOML file; nothing else of it is read.

    Raises:
        ClaimFileError: as :func:`load_data`.
    """
    try:
        file = _file_of(*_parts(Path(path), Path(path).read_bytes(), trust))
        return [claim for one in tables for claim in file.read(one).claims]
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


_imported: dict[str, list[tuple[str, Path, tuple[int, int]]]] = {}
"""What each model and file of claims has imported that is not asymp's or a library's: names, and files as they were then."""


def _run(module: ModuleType, loader: Any) -> None:
    """Run a module; what others have imported by the same name, from another folder it may be, is none of its own."""
    for name, *_ in (one for found in _imported.values() for one in found):
        sys.modules.pop(name, None)
    before = {*sys.modules}
    try:
        loader.exec_module(module)
    finally:
        files = {name: file_of(name) for name in {*sys.modules} - before if not is_own(name)}
        own = [(name, file) for name, file in files.items() if file and not is_installed(file.resolve().parent)]
        _imported[module.__name__] = [(name, file, _stamp(file)) for name, file in own]


def imported_by(module: str) -> list[Path]:
    """The files of what a model, or a file of claims in Python, has imported while it was loaded."""
    return [file for _, file, _ in _imported.get(module, [])]


def _stamp(file: Path) -> tuple[int, int]:
    try:
        found = file.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


def _forget_changed() -> None:
    """Where a module that a model has imported has changed, all models are read again."""
    if any(_stamp(file) != then for found in _imported.values() for _, file, then in found):
        importlib.invalidate_caches()
        for known in (_file_of, _read, _module, _loaded):
            known.cache_clear()
        for name, *_ in (one for found in _imported.values() for one in found):
            sys.modules.pop(name, None)
        _imported.clear()


def _parts(file: Path, content: bytes, trust: bool) -> tuple[str, Path, bytes, Path, bytes, bool]:
    """All that a file of claims is read from: its content, its model and whether that may run with it."""
    model = _model_beside(file, content)
    _forget_changed()
    return str(file), file.resolve(), content, model, model.read_bytes() if trust and model.is_file() else b"", trust


@functools.lru_cache(maxsize=16)
def _file_of(path: str, file: Path, content: bytes, model: Path, code: bytes, trust: bool) -> ClaimsFile:
    """A file of claims; the content of the file and of its model is part of the key."""
    if len(content) > MOST_BYTES:
        raise ClaimFileError(f"{path}: more than {MOST_BYTES} bytes")
    try:
        return ClaimsFile(content.decode("utf-8"), path, _code_beside(path, model, code) if trust else None)
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise ClaimFileError(f"{path}, line {line}: not a text in UTF-8") from error


@functools.lru_cache(maxsize=16)
def _read(path: str, file: Path, content: bytes, model: Path, code: bytes, trust: bool) -> PaperFile:
    """The same, read."""
    try:
        data = _file_of(path, file, content, model, code, trust).read()
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
        _run(module, spec.loader)
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
            raise ClaimFileError(f"{path}: a file of claims ends in .toml or .tex (or, where code may run, in .py)")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module  # dataclasses and pickling look a module up by its name
        with unread_at(lambda: f"{path}, line {_line_in(file)}"):
            _run(module, spec.loader)
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


def _where(error: BaseException, file: Path) -> str:
    """The last line of the user's file that was running when the error was raised."""
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).resolve() == file.resolve()
    ]
    return f"line {lines[-1]}" if lines else "when it was read"
