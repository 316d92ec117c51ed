"""What asymp's own files say, as hashes: of all of them, and of those on which one kind of answer rests.

A verdict does not rest on all of asymp.  It rests on what judges and reads statements, on the rooms from which its evidence
comes, and on the kernel; a theorem does not rest on the search that found it, for the kernel makes it again from its certificate.
:func:`digest` is of an *area*:

- ``all``: every file;
- ``reading``: what makes claims of files, and the words of their entries;
- ``judging``: the language, the table of functions, what a statement means, the judge;
- ``enclosure``, ``prove``, ``kernel``: rooms;
- ``shown MODULE``: a search whose findings stand beside a theorem, whoever found that, and what it imports of its room;
- ``code MODULE, ...``: modules that a paper's code names, and all that they import;
- ``rules NAME, ...``: of the kernel, the modules of these rules and all that they import.

Each is with the versions of Python and of the libraries, and with what is installed beside asymp.

>>> digest("rules algebra") == digest("rules algebra") != digest("rules order")
True
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.metadata
import importlib.util
import os
import platform
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType

from asymp.budget import uncounted
from asymp.outside import HOUSE, entries, file_of, is_installed, is_own
from asymp.version import __version__

MOST_ENTRIES = 10_000  # of a folder of claims and its subfolders, to look at for each claim
LIBRARIES = ("sympy", "mpmath", "numpy", "scipy", "python-flint", "numba")
READING = tuple(f"{HOUSE}.{name}" for name in ("registry", "export.record", "command.targets", "command.claims"))
"""What reads claims begins here: their imports with them, but for the rooms that judge."""
JUDGING = ("language", "functions", "parse", "meaning", "regimes", "check")
SILENT = frozenset({"__main__.py", "cli.py", "testing.py", "model.py"})
"""Files beside the rooms that say nothing of a statement."""
_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]*(\([^)]*\)|.*)|import[ \t]+([\w.]+))", re.MULTILINE
)
_TYPES = re.compile(r"^if TYPE_CHECKING:\n(?:[ \t]+.*\n|\n)+", re.MULTILINE)
ASKS = re.compile(r"\b(environb?|getenvb?)\b|\b(l?stat|exists|isfile|isdir|is_file|is_dir|getsize|getmtime)\s*\(")
"""What a module says that asks for the environment, or for files that it does not open."""
_RULE = re.compile(r"^@rule\(\"([^\"]+)\"\)", re.MULTILINE)


_seen: dict[str, tuple[ModuleType, tuple[int, int]]] = {}
"""Modules as they were when they were first looked at, and their files then."""


class NotKnown(Exception):
    """What something holds cannot be told from something else."""


# --- asymp itself ----------------------------------------------------------------------------


@uncounted
@functools.lru_cache(10_000)
def digest(area: str) -> str:
    """A hash of what the files of an area say."""
    return _hash([versions(), area, *(f"{name}\0{_texts()[name]}" for name in sorted(_area(area)))])


def key(about: str) -> str:
    """What a verdict depends on, of a claim that :func:`asymp.command.claims.survey` has told, and of asymp as it is now.

    Empty where nothing is told.
    """
    return _hash([digest("all"), about]) if about else ""


@uncounted
@functools.lru_cache(10_000)
def versions() -> str:
    """The versions of what asymp rests on, and a hash of what entry points of other packages name."""
    named = [entry for kind in ("functions", "methods", "theories") for entry in entries(kind)]
    root, folders = Path(__file__).parents[1], []
    for entry in named:
        with contextlib.suppress(ImportError, ValueError):
            spec = importlib.util.find_spec(entry.module) if entry.package != HOUSE else None
            if spec is not None and spec.origin is not None and root not in (file := Path(spec.origin)).parents:
                folders.append(file.parent)
    found = [platform.python_implementation(), platform.python_version(), __version__, *map(str, named)]
    for name in LIBRARIES:
        try:
            found.append(importlib.metadata.version(name))
        except importlib.metadata.PackageNotFoundError:
            found.append("")
    return " ".join([*found, *map(of_folder, dict.fromkeys(folders))])


def _hash(parts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()


@uncounted
@functools.lru_cache(10_000)
def _texts() -> Mapping[str, str]:
    """The modules of asymp by their full names, and what is in their files."""
    return {name: file.read_text(encoding="utf-8", errors="surrogateescape") for name, file, *_ in _files()}


@uncounted
@functools.lru_cache(10_000)
def _files() -> tuple[tuple[str, Path, int, int], ...]:
    """The files of asymp as they are when this is first asked: modules, paths, times, sizes."""
    root, found = Path(__file__).parents[1], []
    for file in sorted(root.rglob("*.py")):
        name = ".".join((root.name, *file.relative_to(root).with_suffix("").parts)).removesuffix(".__init__")
        found += [(name, file, *_stamp(file))] if is_own(name) else []
    return tuple(found)


def _stamp(file: Path) -> tuple[int, int]:
    stat = os.stat(file)
    return stat.st_mtime_ns, stat.st_size


def unchanged() -> bool:
    """Whether asymp's files still are what the hashes are of: else nobody knows which of the two a process has read."""
    try:
        return all(_stamp(file) == (time, size) for _, file, time, size in _files())
    except OSError:
        return False


def _area(area: str) -> set[str]:
    if area == "all":
        return set(_texts())
    if area == "reading":
        return _reached(READING, {f"{HOUSE}.{room}" for room in ("check", "prove", "answer")})
    if area == "judging":
        ground = {name for name in _texts() if name.count(".") == 1 and f"{name.partition('.')[2]}.py" not in SILENT}
        return ground | {name for room in JUDGING for name in _room(room)}
    if area.startswith("shown "):
        return _reached([area.removeprefix("shown ")], {f"{HOUSE}.{room}" for room in _rooms() if room != "prove"})
    if area.startswith("code "):
        return _reached(area.removeprefix("code ").split(", "), set())
    if area.startswith("rules "):
        wanted = area.removeprefix("rules ").split(", ")
        if lost := [name for name in wanted if name not in _rules() and "/" not in name]:
            return {*_texts(), *lost} & set(_texts())
        return _reached(filter(None, map(_rules().get, wanted)), {f"{HOUSE}.prove", f"{HOUSE}.check"})
    return set(_room(area))


@uncounted
@functools.lru_cache(10_000)
def _rooms() -> frozenset[str]:
    return frozenset(name.split(".")[1] for name in _texts() if name.count(".") > 1)


def _room(room: str) -> Iterator[str]:
    return (name for name in _texts() if f"{name}.".startswith(f"{HOUSE}.{room}."))


@uncounted
@functools.lru_cache(10_000)
def _rules() -> Mapping[str, str]:
    """The module of each rule of the kernel."""
    return {rule: name for name in _room("kernel") for rule in _RULE.findall(_texts()[name])}


def _reached(starts: Iterable[str], without: set[str]) -> set[str]:
    """The modules that these import, directly or not, but for some rooms."""
    found: set[str] = set()
    waiting = [*starts]
    while waiting:
        name = waiting.pop()
        if name in found or ".".join(name.split(".")[:2]) in without:
            continue
        if name in _texts():
            found.add(name)
            waiting += _imported(name)
    return found


@uncounted
@functools.lru_cache(10_000)
def _imported(name: str) -> tuple[str, ...]:
    return tuple(one for one in _imports(_TYPES.sub("", _texts()[name]), name) if one in _texts())


def _imports(text: str, name: str) -> list[str]:
    """What a module's text imports by any name; some of these are no modules."""
    found = []
    for module, words, whole in _IMPORT.findall(text):
        full = whole or (module if module[0] != "." else f"{name.rpartition('.')[0]}.{module.lstrip('.')}".rstrip("."))
        found += [full, *(f"{full}.{word}" for word in re.findall(r"(\w+)(?:[ \t]+as[ \t]+\w+)?", words))]
    return list(dict.fromkeys(found))


@uncounted
@functools.lru_cache(1000)
def named(modules: frozenset[str]) -> list[str]:
    """The modules of asymp among these, and those that the others name, directly or through one another; none is imported.

    >>> named(frozenset({"asymp.papers.lfms.claims", "asymp.kept"}))
    ['asymp.kept']
    """
    found: set[str] = set()
    waiting, seen = [*modules], set[str]()
    while waiting:
        name = waiting.pop()
        if name in _texts():
            found.add(name)
        elif name not in seen and (file := file_of(name)) is not None and not is_installed(home(str(file))):
            waiting += _imports(file.read_text(encoding="utf-8", errors="replace"), name)
        seen.add(name)
    return sorted(found)


def libraries(files: Iterable[Path]) -> set[Path]:
    """The folders of the libraries that these modules name, where their versions stand; Python's own are none.

    Raises:
        NotKnown: one asks its surroundings, of which nothing here is a hash.
    """
    found = set()
    for file in files:
        text = file.read_text(encoding="utf-8", errors="replace")
        if ASKS.search(text):
            raise NotKnown
        for name in {one.partition(".")[0] for one in _imports(text, "")} - {""}:
            with contextlib.suppress(ImportError, ValueError):
                spec = importlib.util.find_spec(name)
                if spec is not None and spec.origin is not None and "site-packages" in Path(spec.origin).parts:
                    found.add(home(spec.origin))
    return found


def require_as_loaded(name: str, file: str) -> None:
    """That the file of a module is what it was when this process first looked at it.

    Raises:
        NotKnown: it is not, and what the module says is of another text than the folder's hash.
    """
    module, now = sys.modules[name], _stamp(Path(file))
    if _seen.setdefault(name, (module, now)) != (module, now):
        if _seen[name][0] is module:
            raise NotKnown
        _seen[name] = (module, now)


# --- folders of code -------------------------------------------------------------------------


@uncounted
@functools.lru_cache(10_000)
def home(file: str) -> Path:
    """The folder of a module that is loaded: the code in it stays the one that was read there."""
    return Path(file).resolve().parent


def of_folder(folder: Path, below: bool = False) -> str:
    """A hash of the Python files of a folder as they are now, with its subfolders if it is not a library's.

    Raises:
        NotKnown: it holds too many to look at.
    """
    files = sorted(walk(folder) if below and not is_installed(folder) else folder.glob("*.py"))
    stats = ((file, file.stat()) for file in files)
    return _of_files(folder, tuple((file, stat.st_mtime_ns, stat.st_size, stat.st_ino) for file, stat in stats))


def walk(folder: Path) -> Iterator[Path]:
    """The Python files of a folder and of its subfolders, but for hidden ones and those of virtual environments.

    Raises:
        NotKnown: it holds too many to look at.
    """
    count = 0
    for here, below, names in os.walk(folder):
        below[:] = (
            []
            if "pyvenv.cfg" in names
            else [n for n in below if n[0] != "." and n not in ("__pycache__", "node_modules")]
        )
        count += len(below) + len(names)
        if count > MOST_ENTRIES:
            raise NotKnown
        yield from (Path(here, name) for name in names if name.endswith(".py"))


@uncounted
@functools.lru_cache(1000)
def _of_files(folder: Path, files: tuple[tuple[Path, int, int, int], ...]) -> str:
    found = hashlib.sha256()
    for file, *_ in files:
        found.update(f"{file.relative_to(folder)}\0".encode() + file.read_bytes() + b"\0")
    return found.hexdigest()
