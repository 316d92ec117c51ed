r"""What ``asymp check`` found, beside a .tex file: ``paper.asymp``, which ``asymp.sty`` prints in the margin.

A line for each mark has its name, its sign, a hash of the tokens of its formula and of its closed statement, by which asymp
sees that it is stale, and hashes of the lines that it hangs on: its formula, ``\asympsetup``, definitions of macros in it.
LaTeX hashes the lines of the source too, and takes a mark for stale unless all of these stand there as they were.

>>> line_hash("  a b\r")[:8], line_hash("ab")[:8]
('187EF443', '187EF443')
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from asymp import registry
from asymp.claim import Claim
from asymp.command.usage import UsageError
from asymp.export.files import write_text
from asymp.export.table import mark, unlike
from asymp.latex.marks import Mark
from asymp.latex.source import Unreadable
from asymp.paper.tex import TexFile

Entry = Mapping[str, Any]
HEAD = "% asymp 1: what asymp check found in"
SIGNS = {"✓": "tick", "✗": "cross", "~": "near", "?": "open"}
_MARK = re.compile(r"\\asympmark\{([^{}]*)\}\{[a-z]*\}\{[mh]\}\{([0-9A-F]*)\}\{([0-9A-F,]*)\} %.*")
_WINDOW = re.compile(r"\\asympwindow\{\d+\}\{[0-9A-F]*\}\{([0-9A-F]*)\}")


def beside(file: str) -> Path:
    """The file of marks of a .tex file."""
    return Path(file).with_suffix(".asymp")


def write(file: str, entries: Mapping[str, Entry]) -> None:
    """Writes the marks of the claims that were checked, by id; of others what was found before stays.

    Raises:
        UsageError: a file of that name is there and is something else.
    """
    tex, path = registry.tex_file(file), beside(file)
    lines, windows, there = {}, {}, path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    if path.is_symlink() or (there and not there.startswith(HEAD)):
        raise UsageError(f"{path} is no file of marks: asymp check does not write over it")
    for line in there.splitlines():
        if found := _MARK.fullmatch(line):
            lines[found[1]] = line
        elif found := _WINDOW.fullmatch(line):
            windows[found[1]] = line
    claims = {claim.id: claim for claim in tex.read().claims}
    stretches = _Stretches(tex)
    for one in tex.marks:
        claim = claims[f"{tex.key}/{one.name}"]
        entry = entries.get(claim.id)
        if entry is not None and (entry.get("closed", ""), entry["quote"]) == (claim.closed, claim.source.quote):
            spans = [one.span, *tex.setup, *(tex.defined.spans[name] for name in _used(tex, one))]
            own = dict(map(stretches.window, spans))
            windows |= own
            sign = SIGNS[mark(entry["outcome"], entry["strength"], narrowed=bool(unlike(entry)))]
            said = f"{{{one.name}}}{{{sign}}}{{{'m' if one.inside else 'h'}}}{{{digest(tex, one, claim)}}}{{{','.join(own)}}}"
            lines[one.name] = f"\\asympmark{said} % {entry['outcome']}, {entry['strength']}"
    kept = [lines[one.name] for one in tex.marks if one.name in lines]
    needed = dict.fromkeys(name for line in kept for name in _names(line))
    files = [f"\\asympfile{{{name}}}" for name, _ in tex.document.files]
    text = [f"{HEAD} {Path(file).name}", *files, *(windows[name] for name in needed if name in windows), *kept]
    write_text(path, "\n".join(text) + "\n")


def stale(file: str) -> list[str]:
    """A line for each mark whose formula, or what it means, is not the one that was checked."""
    tex, path = registry.tex_file(file), beside(file)
    there = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    checked = {found[1]: found[2] for line in there.splitlines() if (found := _MARK.fullmatch(line))}
    claims = {claim.id: claim for claim in tex.read().claims}
    return [
        f"{tex.document.shown(one.at)}: {one.name}: stale: it was changed after it was checked"
        for one in tex.marks
        if one.name in checked and checked[one.name] != digest(tex, one, claims[f"{tex.key}/{one.name}"])
    ]


def digest(tex: TexFile, one: Mark, claim: Claim) -> str:
    """A hash of the tokens of a formula, macros put in, and of what it was read as."""
    try:
        said = " ".join(token.text for token in tex.tokens(one.formula or ""))
    except Unreadable:
        said = " ".join((one.formula or "").split())
    return _md5(f"{said}\n{claim.closed}")


def line_hash(line: str) -> str:
    """What LaTeX makes of a line: its spaces say nothing."""
    return _md5(line.rstrip(" \t\r").replace(" ", ""))


def _md5(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest().upper()


def _names(line: str) -> list[str]:
    found = _MARK.fullmatch(line)
    return found[3].split(",") if found else []


class _Stretches:
    """The lines of a source, and hashes of stretches of them."""

    def __init__(self, tex: TexFile) -> None:
        self.document = tex.document
        self.lines = {name: text.split("\n") for name, text in tex.document.files}
        self.known: dict[tuple[int, int], tuple[str, str]] = {}

    def window(self, span: tuple[int, int]) -> tuple[str, str]:
        """Of the lines in which a stretch of the text stands: their hash, and the line that says it."""
        if span not in self.known:
            (file, first), (other, last) = self.document.place(span[0]), self.document.place(max(span[1] - 1, span[0]))
            # what goes over two files LaTeX does not follow: no line hashes to this
            hashes = list(map(line_hash, self.lines[file][first - 1 : last])) if file == other else ["0"]
            whole = _md5("".join(hashes))
            self.known[span] = whole, f"\\asympwindow{{{len(hashes)}}}{{{hashes[-1]}}}{{{whole}}}"
        return self.known[span]


def _used(tex: TexFile, mark: Mark) -> list[str]:
    """The macros of the preamble in a formula and its options, and those in their bodies."""
    found: dict[str, None] = {}
    todo = re.findall(r"\\([A-Za-z]+)", " ".join([mark.formula or "", *mark.options.values()]))
    while todo:
        if (name := todo.pop()) in tex.defined.macros and name not in found:
            found[name] = None
            todo += [one.text for one in tex.defined.macros[name].body if not isinstance(one, int) and one.kind == "macro"]
    return list(found)
