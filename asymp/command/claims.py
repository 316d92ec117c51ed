"""What a worker does with claims: find them, say what they are, check them.  Answers are plain data.

>>> from asymp.command.claims import check_claim
>>> check_claim("lfms/lemma-8.3", None, True)["entry"]["outcome"]
'refuted'
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import hashlib
import inspect
import json
import os
import re
import sys
import threading
import time
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Any

import sympy as sp
from sympy.printing.repr import ReprPrinter

from asymp.budget import uncounted
from asymp.claim import Claim, Composite, Outcome, Strength, Tie, Unread, Verdict
from asymp.command import sources
from asymp.command.sources import NotKnown
from asymp.command.stored import QUOTED
from asymp.command.targets import Place, origin_of, resolve, standings, tables
from asymp.command.worker import keep
from asymp.export.record import claim_record, verdict_fields
from asymp.export.verdicts import data_of, from_data
from asymp.kept import drawn_again
from asymp.messages import one_line
from asymp.outside import entries, is_own
from asymp.paper.files import imported_by


def survey(target: str, quick: bool, trust: bool = False, full: str = "", only: Sequence[str] | None = None) -> dict[str, Any]:
    """The claims that a word of the command line means: ``{"claims": [...]}``, or ``{"error": "why none"}``.

    ``only``: of a paper or a file those of these tables.

    Each has its ``id``, ``file`` and ``group``, its part of the record (``entry``), and where it is from (``origin``).  Nothing
    is of asymp's own files, which may change while this is kept: ``about`` is the part of its :func:`key` that is the claim's
    (:func:`asymp.command.sources.key`), ``same`` is of its words too; ``code`` names those of asymp's modules that the code
    imports which it calls, and ``folders`` are of that code.
    """
    opened = _watched()
    try:
        places = resolve(target, trust) if only is None else tables(target, only, trust)
        origin = origin_of(places[0])
    except ValueError as error:
        return {"error": one_line(error)}
    found = []
    read = [(place, place.load()) for place in places]
    stands = standings([place for place, claim in read if not isinstance(claim.relation, Unread)])
    said = [_about(claim, quick, full) for _, claim in read]
    code = {folder for _, called in said for folder in called.folders}
    beyond = _beyond(opened, {place.file for place in places}, code)  # read while it was loaded: it hangs on that
    for (place, claim), (about, called) in zip(read, said, strict=True):
        entry = claim_record(claim)
        about = "" if beyond else about
        one: dict[str, Any] = {"id": place.claim_id, "file": place.file, "trust": place.trust}
        one |= {"group": _group(claim), "entry": entry, "about": about, "same": _same(about, entry) if about else ""}
        one |= {"folders": called.told()}
        if stand := stands.get(place.claim_id):
            one["entry"] = entry | stand.record() | ({"as_printed": False} if stand.otherwise else {})
        found.append(one | {"code": sources.named(frozenset(called.modules)), "origin": origin})
    return {"claims": found}


def check_claim(
    claim_id: str, file: str | None, quick: bool, known: str | None = None, trust: bool = False, full: str = "",
) -> dict[str, Any]:  # fmt: skip
    """The claim's ``entry`` with its verdict, and that as data for :func:`verdict_of`.

    ``full``: samples that are kept are drawn anew ("full"), and written in place of the others ("keep").

    What the entry says of the claim is what was checked, not what a file said when the claims were looked for.  What is found
    before a theorem is looked for is kept for the case that a limit ends that search.

    Raises:
        RuntimeError: its :func:`key` is not the one that is ``known``: somebody has changed it since.
        ValueError: its evidence is not what a record can hold.
    """
    from asymp.check import check

    read = _watched()
    claim = Place(claim_id, file, trust).load()
    if known and key(claim, quick, full) != known:
        raise RuntimeError("it, or code beside it, was changed while it waited to be checked")
    if full:
        claim = drawn_again(claim, full == "keep")
    begin = time.perf_counter()

    def answer(verdict: Verdict) -> dict[str, Any]:
        if not verdict.seconds:
            verdict = replace(verdict, seconds=time.perf_counter() - begin)
        return _answer(claim, verdict, quick, trust)

    found = answer(check(claim, quick=quick, so_far=lambda verdict: keep(answer(verdict))))
    other = _beyond(read, [file], _about(claim, quick, full)[1].folders) if read else []
    return found | ({"read": other} if other else {})


MODULE = re.compile(r"\.pyc?(\.[0-9]+)?$")
"""Names of modules and of what Python compiles them to, which it writes under a name with a number first."""


LOADED = re.compile(rf"{MODULE.pattern}|\.(so|pyd)$")
"""And of what is compiled."""
OUTSIDE = frozenset(
    f"os.{name}" for name in ("listdir", "scandir", "system", "fork", "posix_spawn", "exec")
) | {"subprocess.Popen", "sqlite3.connect", "socket.connect"}  # fmt: skip
"""Events of Python in which code asks for more than a file that it opens."""


@functools.cache
def _watched() -> set[str]:
    """What code of a model's own has opened or asked for in this process, from now on: what it says hangs on that."""
    found: set[str] = set()

    def heard(event: str, arguments: tuple[Any, ...]) -> None:
        what = arguments[event == "import"] if event in ("open", "import") else event if event in OUTSIDE else None
        if what is None or isinstance(what, int):
            return
        frame: types.FrameType | None = sys._getframe(1)
        if frame is not None and event in OUTSIDE and frame.f_code.co_filename.startswith("<frozen importlib"):
            return  # Python looks for a module
        foreign = own = ours = False
        asked = survey.__code__, check_claim.__code__, kept_or_checked.__code__  # below them is who asks for the check
        while frame is not None and frame.f_code not in asked:
            file, module = frame.f_code.co_filename, str(frame.f_globals.get("__name__"))
            ours = ours or is_own(module)
            foreign = foreign or _is_foreign(file, module)
            own = own or (ours and not foreign)
            frame = frame.f_back
        elsewhere = frame is None and threading.get_ident() != threading.main_thread().ident  # in a thread that it has begun
        if ((foreign and (frame is not None or elsewhere)) or (elsewhere and not ours)) and not (own and event in OUTSIDE):
            found.add(os.fsdecode(what))

    sys.addaudithook(heard)
    return found


def _beyond(read: Iterable[str], files: Iterable[str | None], folders: Iterable[Path]) -> list[str]:
    """What was read, but for libraries, and modules in folders that are hashed: of papers, of files of claims, of their code."""
    root = Path(sources.__file__).parents[1]
    found = [one for one in sorted({*read}) if not LOADED.search(one) or not _is_of_library(_source(one), root)]
    if all(one in OUTSIDE for one in found):
        return found
    papers = [sys.modules[entry.module] for entry in entries("papers") if entry.module in sys.modules]
    known = [Path(place) for one in papers for place in getattr(one, "__path__", [os.path.dirname(str(one.__file__))])]
    known += [Path(file).parent for file in files if file is not None]
    hashed: set[Path] = set()
    for folder in {*folders, *(place.resolve() for place in known)}:
        with contextlib.suppress(NotKnown):
            hashed |= {*sources.walk(folder)}
    told = {file for file in map(_source, found) if file in hashed and not sources.ASKS.search(file.read_text(errors="replace"))}
    return [one for one in found if one in OUTSIDE or _source(one) not in told]


def _is_of_library(file: Path, root: Path) -> bool:
    return root in file.parents or sources.is_installed(file.parent)


def _source(file: str) -> Path:
    """The module of which a file is, or the file itself."""
    folder = Path(os.path.realpath(os.path.dirname(file)))
    if not MODULE.search(file):
        return folder / os.path.basename(file)
    return (folder.parent if folder.name == "__pycache__" else folder) / f"{os.path.basename(file).partition('.')[0]}.py"


@uncounted
@functools.cache
def _is_foreign(file: str, module: str) -> bool:
    return not is_own(module) and not file.startswith("<") and not sources.is_installed(Path(file).parent)


def kept_or_checked(claim: Claim, quick: bool = False) -> Verdict:
    """The verdict on a claim: the store's where that stands, else what the check in this process finds, which is kept.

    >>> from asymp.registry import find_claim
    >>> kept_or_checked(find_claim("lfms/lemma-8.3"), quick=True)
    <Verdict lfms/lemma-8.3: refuted, proved>
    """
    from asymp.check import check
    from asymp.command.store import opened
    from asymp.command.stored import keep as kept
    from asymp.command.stored import taken

    store = opened()
    about, called = _about(claim, quick, "") if store else ("", _Code())
    if store is None or not about:
        return check(claim, quick=quick)
    entry = claim_record(claim)
    one = {"id": claim.id, "entry": entry, "same": _same(about, entry), "code": sources.named(frozenset(called.modules))}
    known = taken(store, [one])
    for found in (*known.stand.values(), *known.replay.values()):
        if claim.id in known.stand or not replayed(found["verdict"], found["closed"]):
            return from_data(found["verdict"], claim)
    read = _watched()
    verdict = check(claim, quick=quick)
    kept(store, one, {"checked": one["same"], "verdict": data_of(verdict), "read": _beyond(read, [], called.folders)})
    return verdict


def _answer(claim: Claim, verdict: Verdict, quick: bool, trust: bool) -> dict[str, Any]:
    entry = claim_record(claim) | verdict_fields(verdict)
    found = {"entry": entry, "verdict": data_of(verdict), "checked": checked(claim, quick), "quick": quick, "trust": trust}
    try:
        json.dumps(found, allow_nan=False)
    except ValueError:
        raise ValueError("its evidence holds a number that is not finite") from None
    return found


def verdict_of(claim_id: str, file: str | None, answer: Mapping[str, Any]) -> Verdict:
    """The verdict that another worker reached, or the undecided one that says why it reached none."""
    claim = Place(claim_id, file, bool(answer.get("trust"))).load()
    entry = answer["entry"]
    said = replace(claim, quoted={name: entry[name] for name in QUOTED if name in entry}, as_printed=entry["as_printed"])
    none = Verdict(said, Outcome.UNDECIDED, Strength.NONE, ())
    if "verdict" not in answer:
        return replace(none, seconds=entry["seconds"], reason=entry["reason"], ended=entry["ended"])
    if checked(claim, answer["quick"]) != answer["checked"]:
        return replace(none, reason="it, or code beside it, was changed after it was checked", ended="raised")
    return replace(from_data(answer["verdict"], said), **answer.get("cut", {}))


def replayed(verdict: Mapping[str, Any], closed: str) -> str:
    """Why the certificate of a verdict does not prove, or refute, a closed statement; empty where it does."""
    from asymp.kernel.records import GIVEN, REPLAYED, replayed

    told = replayed({"id": "", "closed": closed, **{name: verdict[name] for name in ("outcome", "certificate", "trusts")}})
    return "" if told.told in (REPLAYED, GIVEN) else str(told)


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
    names, so a verdict on a claim in code is out of date too early rather than too late; where such code has opened another
    file, or asks for what is no file, the verdict is not kept.  A clock is not seen.  Empty where the claim holds something
    of which this cannot be told: its verdict is never used again.
    """
    return sources.key(_about(claim, quick, full)[0])


def checked(claim: Claim, quick: bool) -> str:
    """What tells a claim, its words too, from what its file may say later; nothing of asymp is in it."""
    return _same(_about(claim, quick, "")[0], claim_record(claim))


def _same(about: str, entry: Mapping[str, Any]) -> str:
    return hashlib.sha256(repr([about, entry]).encode()).hexdigest()


@dataclass
class _Code:
    """The code that a claim calls: the folders that it is in, and the modules."""

    folders: set[Path] = field(default_factory=set)
    modules: set[str] = field(default_factory=set)

    def told(self) -> list[str]:
        """The folders, as text."""
        return sorted(map(str, self.folders))


def _about(claim: Claim, quick: bool, full: str) -> tuple[str, _Code]:
    """A claim and the options as a hash, empty where this cannot be told, and the code that it calls."""
    code = _Code()
    try:
        text = _describe([_said(claim), quick, full], code)
        hashes = "".join(sources.of_folder(folder, True) for folder in sorted(code.folders))
    except Exception:  # NotKnown, and whatever an object of somebody else raises when it is looked at
        return "", _Code()
    return hashlib.sha256(f"{hashes}{text}".encode("utf-8", "surrogatepass")).hexdigest(), code


def _said(claim: Claim) -> list[Any]:
    what: Any = claim.relation
    if claim.closed and claim.relation is claim.text_of:
        what = (claim.closed, claim.tried, *_called(claim.relation))
    ties = [[_tied(one) for one in ways] for ways in claim.rests]
    proved = [claim.lemmas, [*map(_said, claim.leans)], ties]
    return [claim.id, claim.statement, what, claim.sampled, [*map(str, claim.chains)], proved]


def _tied(tie: Tie) -> list[Any]:
    return [tie.covers, tie.needed, _said(tie.claim)]


def _called(relation: Any) -> list[Any]:
    """The code that a statement in text leans on: functions of a model, an argument that it brings along."""
    if isinstance(relation, Composite):
        return [item for member in relation.members for item in _called(member.relation)]
    found = [getattr(relation, "proof", None)]
    for name in ("lhs", "rhs", "domain"):
        found += list(getattr(getattr(relation, name, None), "models", ()))
    return [item for item in found if item is not None]


class _Structure(ReprPrinter):
    """SymPy's ``srepr``, but the same whichever of two equal symbols was made first."""

    def _print_Symbol(self, expr: sp.Symbol) -> str:
        assumptions = "".join(f", {name}={value}" for name, value in sorted(expr._assumptions_orig.items()))
        return f"{type(expr).__name__}({expr.name!r}{assumptions})"


def _describe(item: Any, code: _Code, within: tuple[Any, ...] = ()) -> str:
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
        return f"{type(item).__qualname__}({_describe(parts, code, inside)})"
    if isinstance(item, Mapping):
        return f"{{{','.join(sorted(_describe(pair, code, inside) for pair in item.items()))}}}"
    if isinstance(item, (list, tuple)):
        return f"[{','.join(_describe(each, code, inside) for each in item)}]"
    if isinstance(item, (set, frozenset)):
        return f"{{{','.join(sorted(_describe(each, code, inside) for each in item))}}}"
    if isinstance(item, functools.partial):
        return f"partial({_describe([item.func, item.args, item.keywords], code, inside)})"
    if isinstance(item, types.FunctionType):
        return _describe_function(item, code, inside)
    if isinstance(item, types.MethodType):
        return f"method({_describe([item.__func__, item.__self__], code, inside)})"
    if callable(item) and isinstance(getattr(item, "__wrapped__", None), types.FunctionType):  # with a cache before it
        return _describe_function(item.__wrapped__, code, inside)
    raise NotKnown


def _describe_function(function: Callable[..., Any], code: _Code, within: tuple[Any, ...]) -> str:
    assert isinstance(function, types.FunctionType)
    code.modules.add(function.__module__)
    if not is_own(function.__module__):  # of asymp's own the module is enough
        try:
            files = [Path(str(inspect.getfile(function))).resolve(), *imported_by(function.__module__)]
            code.folders |= {file.resolve().parent for file in files} | sources.libraries(files)
        except (TypeError, OSError):
            raise NotKnown from None
        _named(vars(sys.modules[function.__module__]) if function.__module__ in sys.modules else {}, code.folders, set())
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    inner = _describe([function.__defaults__, function.__kwdefaults__, cells], code, within)
    made = function.__code__
    return f"{function.__module__}.{function.__qualname__}:{made.co_firstlineno}:{made.co_code.hex()}({inner})"


def _named(names: Mapping[str, Any], folders: set[Path], seen: set[str]) -> None:
    """Add the folders of the modules that a module names, and that these name, but not of what is installed."""
    for item in list(names.values()):
        name = item.__name__ if isinstance(item, types.ModuleType) else getattr(item, "__module__", None)
        module = sys.modules.get(name) if isinstance(name, str) and name not in seen else None
        file = getattr(module, "__file__", None)
        if module is None or not isinstance(file, str) or is_own(str(name)):
            continue
        seen.add(str(name))
        if not sources.is_installed(folder := sources.home(file)):
            sources.require_as_loaded(str(name), file)
            folders.add(folder)
            _named(vars(module), folders, seen)
