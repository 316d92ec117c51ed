"""What a worker does with claims: find them, say what they are, check them.  Answers are plain data.

>>> from asymp.command.claims import check_claim
>>> check_claim("lfms/lemma-8.3", None, True)["entry"]["outcome"]
'refuted'
"""

from __future__ import annotations

import base64
import contextlib
import dataclasses
import functools
import hashlib
import importlib.metadata
import importlib.util
import inspect
import json
import os
import pickle
import sys
import time
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Any

import sympy as sp
from sympy.printing.repr import ReprPrinter

from asymp.budget import uncounted
from asymp.claim import Claim, Composite, Outcome, Strength, Verdict
from asymp.command.targets import Place, origin_of, resolve
from asymp.command.worker import keep
from asymp.export.record import claim_record, verdict_fields
from asymp.kept import drawn_again
from asymp.messages import one_line
from asymp.outside import entries
from asymp.version import __version__

MOST_ENTRIES = 10_000  # of a folder of claims and its subfolders, to look at for each claim
_LIBRARIES = ("sympy", "mpmath", "numpy", "scipy", "python-flint", "numba")


def survey(target: str, quick: bool, trust: bool = False, full: str = "") -> dict[str, Any]:
    """The claims that a word of the command line means: ``{"claims": [...]}``, or ``{"error": "why none"}``.

    Each has its ``id``, ``file`` and ``group``, its part of the record (``entry``) and its :func:`key`, and where it is
    from (``origin``).
    """
    try:
        places = resolve(target, trust)
        origin = origin_of(places[0])
    except ValueError as error:
        return {"error": one_line(error)}
    found = []
    for place in places:
        claim = place.load()
        entry = claim_record(claim)
        one = {"id": place.claim_id, "file": place.file, "group": _group(claim), "entry": entry, "trust": place.trust}
        found.append(one | {"key": key(claim, quick, full), "origin": origin})
    return {"claims": found}


def check_claim(
    claim_id: str, file: str | None, quick: bool, whole: bool = False, known: str | None = None, trust: bool = False,
    full: str = "",
) -> dict[str, Any]:  # fmt: skip
    """The claim's ``entry`` with its verdict; or the ``whole`` verdict for :func:`verdict_of`, without its claim.

    ``full``: samples that are kept are drawn anew ("full"), and written in place of the others ("keep").

    What the entry says of the claim is what was checked, not what a file said when the claims were looked for.  What is found
    before a theorem is looked for is kept for the case that a limit ends that search.

    Raises:
        RuntimeError: its :func:`key` is not the one that is ``known``: somebody has changed it since.
        ValueError: its evidence is not what a record can hold.
    """
    from asymp.check import check

    claim = Place(claim_id, file, trust).load()
    if known and key(claim, quick, full) != known:
        raise RuntimeError("it, or code beside it, was changed while it waited to be checked")
    if full:
        claim = drawn_again(claim, full == "keep")
    begin = time.perf_counter()

    def answer(verdict: Verdict) -> dict[str, Any]:
        if not verdict.seconds:
            verdict = replace(verdict, seconds=time.perf_counter() - begin)
        return _answer(claim, verdict, quick, whole, trust)

    return answer(check(claim, quick=quick, so_far=lambda verdict: keep(answer(verdict))))


def _answer(claim: Claim, verdict: Verdict, quick: bool, whole: bool, trust: bool) -> dict[str, Any]:
    entry = claim_record(claim) | verdict_fields(verdict)
    try:
        json.dumps(entry, allow_nan=False)
    except ValueError:
        raise ValueError("its evidence holds a number that is not finite") from None
    if not whole:
        return {"entry": entry}
    data = pickle.dumps(replace(verdict, claim=None))  # type: ignore[arg-type]
    return {"verdict": base64.b64encode(data).decode(), "checked": _checked(claim, quick), "quick": quick, "trust": trust}


def verdict_of(claim_id: str, file: str | None, answer: Mapping[str, Any]) -> Verdict:
    """The verdict that another worker reached, or the undecided one that says why it reached none."""
    claim = Place(claim_id, file, bool(answer.get("trust"))).load()
    none = Verdict(claim, Outcome.UNDECIDED, Strength.NONE, ())
    if "verdict" not in answer:
        entry = answer["entry"]
        return replace(none, seconds=entry["seconds"], reason=entry["reason"], ended=entry["ended"])
    if _checked(claim, answer["quick"]) != answer["checked"]:
        return replace(none, reason="it, or code beside it, was changed after it was checked", ended="raised")
    return replace(pickle.loads(base64.b64decode(answer["verdict"])), claim=claim, **answer.get("cut", {}))


def _checked(claim: Claim, quick: bool) -> str:
    """What tells a claim from what its file may say later, its words too."""
    return hashlib.sha256(repr([key(claim, quick), claim_record(claim)]).encode()).hexdigest()


def _group(claim: Claim) -> str:
    """The chains of which it speaks, or the module in which its check is written: their claims share what they compute."""
    if claim.chains:
        return "; ".join(map(str, claim.chains))
    relation = claim.relation
    for function in (claim.sampled, getattr(relation, "test", None), getattr(relation, "lhs", None)):
        function = getattr(function, "function", function)
        if isinstance(function, types.FunctionType):
            return function.__module__
    return claim.id


# --- the same claim --------------------------------------------------------------------------


def key(claim: Claim, quick: bool, full: str = "") -> str:
    """What a verdict depends on, as a hash: the claim, the options, asymp, and the code that the claim calls.

    Of functions the whole folder of their source is taken, with its subfolders, and those of the modules that theirs
    names, so a verdict on a claim in code is out of date too early rather than too late; what such code reads from other
    files, or imports while it runs from elsewhere, is not seen.  Empty where the claim holds something of
    which this cannot be told: its verdict is never used again.
    """
    folders: set[Path] = set()
    what: Any = claim.relation
    if claim.closed and claim.relation is claim.text_of:
        what = (claim.closed, claim.tried, *_called(claim.relation))
    leans = tuple(key(one, quick, full) for one in claim.leans)
    said = (claim.id, claim.statement, what, claim.sampled, quick, full, *leans)
    try:
        text = _describe(said, folders)
        sources = "".join(_digest(folder, True) for folder in sorted(folders))
    except Exception:  # _NotKnown, and whatever an object of somebody else raises when it is looked at
        return ""
    return hashlib.sha256(f"{_program()}{sources}{text}".encode()).hexdigest()


def _called(relation: Any) -> list[Any]:
    """The code that a statement in text leans on: functions of a model, an argument that it brings along."""
    if isinstance(relation, Composite):
        return [item for member in relation.members for item in _called(member.relation)]
    found = [getattr(relation, "proof", None)]
    for name in ("lhs", "rhs", "domain"):
        found += list(getattr(getattr(relation, name, None), "models", ()))
    return [item for item in found if item is not None]


class _NotKnown(Exception):
    """What a claim holds cannot be told from something else."""


class _Structure(ReprPrinter):
    """SymPy's ``srepr``, but the same whichever of two equal symbols was made first."""

    def _print_Symbol(self, expr: sp.Symbol) -> str:
        assumptions = "".join(f", {name}={value}" for name, value in sorted(expr._assumptions_orig.items()))
        return f"{type(expr).__name__}({expr.name!r}{assumptions})"


def _describe(item: Any, folders: set[Path], within: tuple[Any, ...] = ()) -> str:
    """A text that differs where anything that is said differs; notes the folders of the code that is called.

    An item that holds itself, as a function defined by recursion does, is told by how far ``within`` it stands.
    """
    if item is None or (isinstance(item, (str, bytes, int, float, Fraction, range)) and not isinstance(item, Enum)):
        return repr(item)
    if isinstance(item, Enum):
        return f"{type(item).__name__}.{item.name}"
    if isinstance(item, sp.Basic):
        return str(_Structure().doprint(item))
    depth = next((depth for depth, outer in enumerate(within) if outer is item), None)
    if depth is not None:
        return f"<{depth}>"
    inside = (*within, item)
    if dataclasses.is_dataclass(item) and not isinstance(item, type):
        parts = [getattr(item, each.name, None) for each in dataclasses.fields(item) if each.init]  # else: it follows, or a cache
        return f"{type(item).__qualname__}({_describe(parts, folders, inside)})"
    if isinstance(item, Mapping):
        return f"{{{_describe([*item.items()], folders, inside)}}}"
    if isinstance(item, (list, tuple)):
        return f"[{','.join(_describe(each, folders, inside) for each in item)}]"
    if isinstance(item, (set, frozenset)):
        return f"{{{','.join(sorted(_describe(each, folders, inside) for each in item))}}}"
    if isinstance(item, functools.partial):
        return f"partial({_describe([item.func, item.args, item.keywords], folders, inside)})"
    if isinstance(item, types.FunctionType):
        return _describe_function(item, folders, inside)
    if isinstance(item, types.MethodType):
        return f"method({_describe([item.__func__, item.__self__], folders, inside)})"
    if callable(item) and isinstance(getattr(item, "__wrapped__", None), types.FunctionType):  # with a cache before it
        return _describe_function(item.__wrapped__, folders, inside)
    raise _NotKnown


def _describe_function(function: Callable[..., Any], folders: set[Path], within: tuple[Any, ...]) -> str:
    assert isinstance(function, types.FunctionType)
    try:
        folders.add(Path(inspect.getfile(function)).resolve().parent)
    except (TypeError, OSError):
        raise _NotKnown from None
    _named(vars(sys.modules[function.__module__]) if function.__module__ in sys.modules else {}, folders, set())
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    inner = _describe([function.__defaults__, function.__kwdefaults__, cells], folders, within)
    code = function.__code__
    return f"{function.__module__}.{function.__qualname__}:{code.co_firstlineno}:{code.co_code.hex()}({inner})"


def _named(names: Mapping[str, Any], folders: set[Path], seen: set[str]) -> None:
    """Add the folders of the modules that a module names, and that these name, but not of what is installed."""
    for item in list(names.values()):
        name = item.__name__ if isinstance(item, types.ModuleType) else getattr(item, "__module__", None)
        module = sys.modules.get(name) if isinstance(name, str) and name not in seen else None
        file = getattr(module, "__file__", None)
        if module is None or not isinstance(file, str) or str(name).partition(".")[0] == "asymp":
            continue
        seen.add(str(name))
        if not _installed(folder := _home(file)):
            folders.add(folder)
            _named(vars(module), folders, seen)


@uncounted
@functools.cache
def _home(file: str) -> Path:
    """The folder of a module that is loaded: the code in it stays the one that was read there."""
    return Path(file).resolve().parent


@uncounted
@functools.cache
def _installed(folder: Path) -> bool:
    """Whether it is a library's: of the versions of those that matter :func:`_program` speaks."""
    standard = Path(os.__file__).resolve().parent
    return "site-packages" in folder.parts or folder == standard or standard in folder.parents


def _digest(folder: Path, below: bool = False) -> str:
    """A hash of the Python files of a folder as they are now, with its subfolders if it is not a library's.

    Raises:
        _NotKnown: it holds too many to look at.
    """
    files = sorted(_walk(folder) if below and not _installed(folder) else folder.glob("*.py"))
    stats = ((file, file.stat()) for file in files)
    return _digest_of(tuple((file, stat.st_mtime_ns, stat.st_size, stat.st_ino) for file, stat in stats))


def _walk(folder: Path) -> Iterator[Path]:
    entries = 0
    for here, below, names in os.walk(folder):
        below[:] = [] if "pyvenv.cfg" in names else [n for n in below if n[0] != "." and n not in ("__pycache__", "node_modules")]
        entries += len(below) + len(names)
        if entries > MOST_ENTRIES:
            raise _NotKnown
        yield from (Path(here, name) for name in names if name.endswith(".py"))


@uncounted
@functools.lru_cache(1000)
def _digest_of(files: tuple[tuple[Path, int, int, int], ...]) -> str:
    found = hashlib.sha256()
    for file, *_ in files:
        found.update(f"{file}\0".encode() + file.read_bytes() + b"\0")
    return found.hexdigest()


@functools.cache
def _program() -> str:
    """A hash of asymp itself, of what entry points name, and of the versions of what it rests on."""
    root = Path(__file__).parents[1]
    folders = sorted({file.parent for file in root.rglob("*.py")})
    named = [entry for kind in ("functions", "methods", "theories") for entry in entries(kind)]
    for entry in named:
        with contextlib.suppress(ImportError, ValueError):
            spec = importlib.util.find_spec(entry.module)
            if spec is not None and spec.origin is not None and root not in (file := Path(spec.origin)).parents:
                folders.append(file.parent)
    versions = [sys.version, __version__, *map(str, named)]
    for name in _LIBRARIES:
        try:
            versions.append(importlib.metadata.version(name))
        except importlib.metadata.PackageNotFoundError:
            versions.append("")
    return " ".join([*versions, *map(_digest, dict.fromkeys(folders))])
