r"""A paper's own .tex file with the files that it inputs: read inside its folder alone, and bounded; and its claims.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     _ = Path(folder, "main.tex").write_text("a\n\\input{part}\nb", encoding="utf-8")
...     _ = Path(folder, "part.tex").write_text("p\nq % r", encoding="utf-8")
...     source = gathered(Path(folder, "main.tex"))
>>> source.text.split(), source.place(source.text.index("q")), source.place(source.text.index("b"))
(['a', 'p', 'q', 'b'], ('part.tex', 2), ('main.tex', 3))
"""

from __future__ import annotations

import re
import stat
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from asymp.language.source import ClaimsError
from asymp.latex.author import TexReader
from asymp.latex.document import Document, Piece, blank
from asymp.paper.reader import MOST_BYTES, ClaimsFile, PaperFile

MOST_FILES = 200
DEEPEST = 10
_INPUT = re.compile(r"\\(input|include|subfile|import|subimport|InputIfFileExists)(?![A-Za-z])\s*(?:\{([^{}]*)\}|([^\s\\{}]+))"
                    r"|\\(usepackage|RequirePackage|documentclass|LoadClass)\s*(?:\[[^\[\]]{0,500}\])?\s*"
                    r"\{([^{}]{0,500})\}")  # fmt: skip


class TexFile(TexReader, ClaimsFile):
    """The claims of a .tex file: those of its marks."""

    def read(self, only: str | None = None) -> PaperFile:
        """All of it, or one claim with its correction."""
        if not self.marks:
            why = r"no claims: \usepackage{asymp} in the preamble, and \asymp{ID} in each formula that is one"
            raise ClaimsError(f"{self.where}:1: {why}")
        return replace(super().read(only), notes=tuple(self.notes()))

    def problem(self, data: Mapping[str, Any]) -> str:
        """What is wrong with a mark, or with what it says."""
        return str(data["problem"]) if "problem" in data else super().problem(data)


def gathered(file: Path, content: bytes | None = None) -> Document:
    r"""A source with what it inputs put in.

    Raises:
        ClaimsError: a file outside of the folder, one that is no text in UTF-8, too many or too large ones: with the place.
    """
    return _Gathering(file).whole(content)


class _Gathering:
    def __init__(self, file: Path) -> None:
        self.name, self.folder = str(file), file.parent.resolve()
        self.main = file
        self.parts: list[str] = []
        self.pieces: list[Piece] = []
        self.files: dict[str, str] = {}
        self.missing: list[str] = []
        self.size = self.bytes = self.count = 0

    def whole(self, content: bytes | None) -> Document:
        self.put(self.main.name, self.main.read_bytes() if content is None else content, 0)
        return Document(self.name, "".join(self.parts), tuple(self.pieces), tuple(self.files.items()), tuple(self.missing))

    def put(self, name: str, content: bytes, depth: int) -> None:
        """The text of a file, and in it that of the files that it inputs."""
        self.count += 1
        self.bytes += len(content)
        if self.bytes > MOST_BYTES or self.count > MOST_FILES:
            raise ClaimsError(f"{self.shown(name)}:1: more than {MOST_BYTES} bytes or {MOST_FILES} files in all")
        raw = self.decoded(name, content)

        def fail(at: int, why: str) -> ClaimsError:
            return ClaimsError(f"{self.shown(name)}:{raw.count(chr(10), 0, at) + 1}: {why}")

        self.files[name] = raw
        text = blank(raw, None if name.endswith((".sty", ".cls")) else fail)
        at = 0
        for match in _INPUT.finditer(text):
            how, packages = match[1] or match[4], match[5]
            for one in map(str.strip, [match[2] or match[3] or ""] if packages is None else packages.split(",")):
                place = fail(match.start(), f"\\{how}{{{one[:60]}}}: ")
                found = None
                ending = ".tex" if packages is None else ".cls" if how in ("documentclass", "LoadClass") else ".sty"
                if match[1] in ("input", "include", "InputIfFileExists", None) and one != "asymp" and not set(one) & set("\\#$"):
                    found = self.found(one, ending, str(place))
                if found is not None:
                    if depth == DEEPEST:
                        raise ClaimsError(f"{place}files more than {DEEPEST} deep in one another")
                    self.add(name, at, text[at : match.end() if packages else match.start()])
                    self.put(found, (self.folder / found).read_bytes(), depth + 1)
                    at = match.end()
                elif packages is None:
                    if len(self.missing) == MOST_FILES:
                        raise ClaimsError(f"{place}more than {MOST_FILES} files that are not there")
                    self.missing.append(f"{place}not followed")
        self.add(name, at, text[at:])

    def add(self, name: str, start: int, text: str) -> None:
        self.pieces.append(Piece(self.size, name, start))
        self.parts.append(text)
        self.size += len(text)

    def found(self, wanted: str, ending: str, place: str) -> str | None:
        """The file that is meant, by its name in the folder; None where there is none beside the paper: TeX has others."""
        for name in (wanted + ending, wanted) if not wanted.endswith(ending) else (wanted,):
            try:
                path = (self.folder / name).resolve()
                inside = path.is_relative_to(self.folder)
                status = path.stat() if inside else None
            except (OSError, ValueError):  # none of that name, or what no file's name is
                continue
            if status is None:
                raise ClaimsError(f"{place}only files inside the folder of the paper are read")
            if not stat.S_ISREG(status.st_mode):
                continue
            if status.st_size > MOST_BYTES:
                raise ClaimsError(f"{place}more than {MOST_BYTES} bytes")
            return path.relative_to(self.folder).as_posix()
        return None

    def decoded(self, name: str, content: bytes) -> str:
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError as error:
            line = content[: error.start].count(b"\n") + 1
            raise ClaimsError(f"{self.shown(name)}:{line}: not a text in UTF-8") from error
        if (at := text.find("\0")) >= 0:
            raise ClaimsError(f"{self.shown(name)}:{text.count(chr(10), 0, at) + 1}: the character U+0000 is not read")
        return text.removeprefix("\ufeff")

    def shown(self, name: str) -> str:
        return str(Path(self.name).parent / name)
