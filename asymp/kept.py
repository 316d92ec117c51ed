"""What samples have found, kept in a file: long simulations are drawn again only when they are asked for.

A claim whose test or ``sampled`` function draws says ``kept = true``.  What it found lies in ``kept/SLUG.json`` beside that
function's code, with who drew it, when, how long that took, and a hash of the code it was drawn with; the points say model,
seed and size.  ``asymp check`` reads the file: it supports a verdict, no more.  Where the code has changed since, the file
says nothing, and the claim is undecided until it is drawn again.  ``asymp check --full`` draws anew, by other seeds, and
compares: two intervals of level 1 - e that do not meet are a false alarm with probability below 2e.  ``--keep`` writes the file.

The hash is of the text of the function's module and of all that it imports of its own package and of those by which it
draws, which one of its modules says (``DRAWN_WITH = ("package", ...)``), without comments and docstrings, and of what the
function was made with.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import json
import re
import sys
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeGuard

from asymp.budget import uncounted
from asymp.claim import Claim, Evidence, Outcome, Property, Strength, Witness
from asymp.outside import file_of
from asymp.stopwatch import Stopwatch
from asymp.version import __version__

Draw = Callable[[], Sequence[Evidence]]
_DRAW: ContextVar[int] = ContextVar("draw", default=0)


def draw() -> int:
    """The number of the draw: what is drawn again is to have other seeds.

    >>> draw()
    0
    """
    return _DRAW.get()


@dataclass(frozen=True)
class Kept:
    """A function that draws samples, and the text of the file of what it found (empty where there is none)."""

    function: Draw
    claim: str
    text: str

    def __call__(self) -> list[Evidence]:
        """What is kept; else what is drawn."""
        if not self.text:
            return list(self.function())
        found = json.loads(self.text)
        drawn = f"drawn on {found['date']}, {found['seconds']} s, {found['command']}"
        if found["claim"] != self.claim or found["code"] != digest(self.function):
            why = f"what is kept says nothing, it is of other code ({drawn}): draw again with --full --keep"
            return [Evidence("sampled", Outcome.UNDECIDED, Strength.NONE, why)]
        return [replace(line, detail=f"{line.detail} (kept: {drawn})") for line in map(_evidence, found["evidence"])]

    def again(self, keep: bool) -> list[Evidence]:
        """What is drawn now, against what is kept; written in its place where it is to be kept."""
        old = json.loads(self.text) if self.text else None
        number = old["draw"] + 1 if old else 0
        token = _DRAW.set(number)
        watch = Stopwatch()
        try:
            lines = list(self.function())
        finally:
            _DRAW.reset(token)
        if keep:
            path_of(self.function, self.claim).parent.mkdir(exist_ok=True)
            data = {
                "claim": self.claim, "drawn_by": name_of(self.function), "command": f"asymp check {self.claim} --full --keep",
                "date": date.today().isoformat(), "asymp": __version__, "draw": number, "code": digest(self.function),
                "seconds": round(watch.seconds(), 1), "level": level_of(self.function), "evidence": [*map(_record, lines)],
            }  # fmt: skip
            path_of(self.function, self.claim).write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n")
        if old is None:
            return lines
        line = compared(lines, [_evidence(item) for item in old["evidence"]], old["date"], old["level"])
        if line.outcome is Outcome.UNDECIDED:  # draws that contradict each other decide nothing
            lines = [replace(one, outcome=Outcome.UNDECIDED, strength=Strength.NONE) for one in lines]
        return [*lines, line]


def kept(function: Draw, claim: str) -> Kept:
    """The function with what is kept of it.

    Raises:
        ValueError: it does not say by which packages it draws.
    """
    _modules(function.__module__)
    path = path_of(function, claim)
    return Kept(function, claim, path.read_text() if path.is_file() else "")


def drawn_again(claim: Claim, keep: bool) -> Claim:
    """The claim whose samples are drawn anew; the same where none are kept."""

    def anew(item: Kept) -> Draw:
        return lambda: item.again(keep)

    if isinstance(claim.sampled, Kept):
        claim = replace(claim, sampled=anew(claim.sampled))
    if isinstance(claim.relation, Property) and isinstance(claim.relation.test, Kept):
        claim = replace(claim, relation=replace(claim.relation, test=anew(claim.relation.test)))
    return claim


def compared(new: Sequence[Evidence], old: Sequence[Evidence], when: str, level: float | None) -> Evidence:
    """Whether two draws agree: their intervals meet at each point that both have, and neither refutes what the other upholds.

    >>> def line(value: str) -> list[Evidence]:
    ...     return [Evidence("sampled", Outcome.HOLDS, Strength.SUPPORTED, "", (Witness({"rate": "1"}, value, "0.1"),))]
    >>> str(compared(line("3"), line("3.15"), "2026-01-01", 0.99).outcome), str(compared(line("3"), line("4"), "", None).outcome)
    ('holds', 'undecided')
    """
    before = {_place(point): point for line in old for point in line.points}
    pairs = [(point, before[_place(point)]) for line in new for point in line.points if _place(point) in before]
    apart = [
        (a, b) for a, b in pairs if abs(float(a.value) - float(b.value)) > float(a.radius or 0) + float(b.radius or 0)
    ]
    outcomes = {line.outcome for line in (*new, *old)} - {Outcome.UNDECIDED}
    alarm = f"; a false alarm has probability below {2 * len(pairs) * (1 - level):.1g}" if level is not None else ""
    if apart or len(outcomes) > 1:
        where = (
            ", ".join(f"{a.at}: {a.value} +/- {a.radius}, kept {b.value} +/- {b.radius}" for a, b in apart)
            or "the outcome"
        )
        return Evidence("sampled", Outcome.UNDECIDED, Strength.NONE, f"not what was kept on {when} at {where}{alarm}")
    drawn = {line.outcome for line in new} - {Outcome.UNDECIDED}
    outcome = drawn.pop() if drawn else Outcome.UNDECIDED  # what was kept decides nothing that is drawn again
    strength = Strength.SUPPORTED if outcome is not Outcome.UNDECIDED else Strength.NONE
    return Evidence("sampled", outcome, strength, f"agrees with what was kept on {when} at {len(pairs)} points{alarm}")


def _place(point: Witness) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((k, v) for k, v in point.at.items() if k != "seed"))


# --- files ------------------------------------------------------------------------------------------------


def path_of(function: Draw, claim: str) -> Path:
    """The file of what a claim's samples have found."""
    return Path(inspect.getfile(function)).resolve().parent / "kept" / f"{claim.split('/', 1)[1]}.json"


def _record(line: Evidence) -> dict[str, Any]:
    points = [{"at": dict(point.at), "value": point.value, "radius": point.radius} for point in line.points]
    return {
        "kind": line.kind,
        "outcome": str(line.outcome),
        "strength": str(line.strength),
        "detail": line.detail,
        "points": points,
    }


def _evidence(data: Mapping[str, Any]) -> Evidence:
    """A line that is kept: it supports, no more."""
    outcome = Outcome(data["outcome"])
    strength = Strength.NONE if outcome is Outcome.UNDECIDED else Strength.SUPPORTED
    points = tuple(Witness(point["at"], point["value"], point["radius"]) for point in data["points"])
    return Evidence("sampled", outcome, strength, data["detail"], points)


def level_of(function: Draw) -> float | None:
    """The level of its intervals, where its module or one that it imports of its package says LEVEL."""
    level = _told_by(function.__module__, "LEVEL")
    return level if isinstance(level, float) else None


# --- the code ----------------------------------------------------------------------------------------------


def name_of(function: Draw) -> str:
    """The function, and what it was made with.

    >>> name_of(draw)
    'asymp.kept.draw()'
    """
    cells = [cell.cell_contents for cell in getattr(function, "__closure__", None) or ()]
    return f"{function.__module__}.{function.__qualname__}({', '.join(_told(item) for item in cells)})"


def _told(item: Any) -> str:
    if isinstance(item, types.FunctionType):
        return name_of(item)
    if isinstance(item, (tuple, list)):
        return f"({', '.join(map(_told, item))})"
    return re.sub(r" at 0x[0-9a-f]+", "", repr(item))


def digest(function: Draw) -> str:
    """A hash of the code that draws."""
    defaults = _told(
        [
            *(getattr(function, "__defaults__", None) or ()),
            *sorted((getattr(function, "__kwdefaults__", None) or {}).items()),
        ]
    )
    text = [
        name_of(function),
        defaults,
        *(f"{name}\n{_source(name)[0]}" for name in sorted(_modules(function.__module__))),
    ]
    return hashlib.sha256("\n".join(text).encode()).hexdigest()[:32]


def _told_by(name: str, word: str) -> Any:
    """What a module says by a name, or one that it imports of its own package; the nearest."""
    own = (sys.modules.get(one) for one in _reached(name, (name.rpartition(".")[0] or name,)))
    return next((vars(module)[word] for module in own if module is not None and word in vars(module)), None)


def _modules(name: str) -> tuple[str, ...]:
    """A module, and those that it imports, directly or not, of its own package and of those by which it draws.

    Raises:
        ValueError: none of them says by which it draws.
    """
    samplers = _told_by(name, "DRAWN_WITH")
    if not isinstance(samplers, tuple):
        raise ValueError(f'{name} is to say by which packages it draws: DRAWN_WITH = ("...",)')
    return _reached(name, (name.rpartition(".")[0] or name, *samplers))


@uncounted
@lru_cache(maxsize=256)
def _reached(name: str, roots: tuple[str, ...]) -> tuple[str, ...]:
    found = [name]
    for one in found:
        inside = [
            other for other in _source(one)[1] if any(other == root or other.startswith(f"{root}.") for root in roots)
        ]
        found += [other for other in dict.fromkeys(inside) if other not in found and _source(other)[0]]
    return tuple(found)


@uncounted
@lru_cache(maxsize=512)
def _source(name: str) -> tuple[str, tuple[str, ...]]:
    """What a module's text says, and the names of what it imports, which may be no modules."""
    file = file_of(name)
    if file is None:
        return "", ()
    text = file.read_text()
    tree = ast.parse(text)
    said = {
        line for node in ast.walk(tree) if _is_said(node) for line in range(node.lineno, (node.end_lineno or 0) + 1)
    }
    lines = [line.rstrip() for k, line in enumerate(text.splitlines(), 1) if k not in said]
    return "\n".join(line for line in lines if line and not line.lstrip().startswith("#")), tuple(
        dict.fromkeys(_imported(tree))
    )


def _is_said(node: ast.AST) -> TypeGuard[ast.Expr]:
    """Whether it is a docstring, or a string that stands below a name."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{one.name}" for one in node.names)
