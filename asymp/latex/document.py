r"""A paper's LaTeX source as one text with places: comments and what is printed verbatim are blank, definitions are found.

Nothing is run, and no file is read: who reads them puts them together (:mod:`asymp.paper.tex`).  What changes how characters are
read is refused, and a macro that is defined in a way that is not followed is one that no formula may hold.

>>> blank("a % \\asymp{x}\n\\verb|$| b")
'a                      b'
>>> Document("p.tex", "a\nb", (Piece(0, "p.tex", 0),), (("p.tex", "a\nb"),)).place(2)
('p.tex', 2)
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from asymp.latex.macros import Macro, macro
from asymp.latex.source import Unreadable

VERBATIM = frozenset("verbatim verbatim* Verbatim lstlisting minted comment alltt filecontents filecontents*".split())
MOST_DEFINITIONS = 5_000
_ADDRESSES = ("url", "href", "nolinkurl", "path")
_SIGN = re.compile(r"\\([A-Za-z]+)\*?|\\.|%|\^\^", re.DOTALL)
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_EMPTY = re.compile(r"[ \t\r]*\n")
_CONDITION = re.compile(r"\\(?:(if(?!f\b|thenelse\b)[A-Za-z@]*)|(fi|else)(?![A-Za-z@]))")
_NAMED = re.compile(r"\\(?:newif|let\s*\\[A-Za-z@]+\s*=?|let)\s*$")
"""What stands before a conditional that is named there, and not asked."""
_RECODED = re.compile(
    r"\^\^|\\(?:(?:Make|Define|lstMake)Short(?:Verb|Inline)|catcode(?!\s*`\\?@)|U?mathcode|mathlig)(?![A-Za-z])"
)
_FOLLOWED = re.compile(
    r"\\(newcommand|renewcommand|DeclareRobustCommand|DeclareMathOperator)\*?\s*"
    r"(?:\{\s*\\([A-Za-z@]+|.)\s*\}|\\([A-Za-z@]+|.))\s*(?:\[(\d)\])?\s*(\[)?"
)
_NOT_FOLLOWED = re.compile(
    r"\\([egx]?def|let|futurelet|newlet|letcs|newcommandx|providecommand|(?:re)?newrobustcmd|providerobustcmd|(?:patch|g?appto|g?preto)(?:cmd)?"
    r"|(?:U?math)?chardef|cs_g?set\w*:N\w*|Declare(?:PairedDelimiter\w*|Math(?:Symbol|Accent|Delimiter|Radical))"
    r"|(?:New|Renew|Provide|Declare)(?:Expandable)?DocumentCommand)\*?\s*\{?\s*\\([A-Za-z@]+|.)"
)


_DEFINES_GIVEN = re.compile(r"\\(?:let|[egx]?def|(?:re)?newcommand|\w*robustcmd)\*?\s*\{?\s*#")
_BY_NAME = re.compile(r"\\(@namedef|cs[egx]?def|cslet(?:cs)?|csname)\s*\{?\s*([A-Za-z@]+)\s*(?:\}|\\endcsname)")


@dataclass(frozen=True)
class Piece:
    """A stretch of the text: where it begins, in the text and in the file that it is from."""

    at: int
    file: str
    start: int


@dataclass(frozen=True)
class Document:
    """A source: its ``text``, in which what is no text is blank, and the files that it is made of as they are.

    ``name`` is how the main file was named; the files' names are relative to its folder.
    """

    name: str
    text: str
    pieces: tuple[Piece, ...]
    files: tuple[tuple[str, str], ...]
    missing: tuple[str, ...] = ()

    @cached_property
    def _breaks(self) -> dict[str, list[int]]:
        return {name: [k for k, character in enumerate(text) if character == "\n"] for name, text in self.files}

    def place(self, at: int) -> tuple[str, int]:
        """The file and the line, counted from 1, of a position in the text."""
        piece = self.pieces[bisect_right(self.pieces, at, key=lambda one: one.at) - 1]
        return piece.file, bisect_right(self._breaks[piece.file], piece.start + at - piece.at - 1) + 1

    def shown(self, at: int) -> str:
        """The same as editors read it, ``file:line``."""
        file, line = self.place(at)
        return f"{Path(self.name).parent / file}:{line}"

    @cached_property
    def closing(self) -> dict[int, int]:
        """Where each brace is closed."""
        found: dict[int, int] = {}
        opened: list[int] = []
        for match in _BRACE.finditer(self.text):
            if match[0] == "{":
                opened.append(match.start())
            elif match[0] == "}" and opened:
                found[opened.pop()] = match.start()
        return found

    @cached_property
    def conditionals(self) -> list[tuple[int, int, str]]:
        r"""The stretches of the body that are printed under a condition: of ``\if... \fi``, and of ``\if...{}{}{}``.

        >>> text = r"\begin{document} \ifx\a\b x \else y \fi \ifbool{z}{u}{v}"
        >>> [text[a:b] for a, b, _ in Document("p", text, (Piece(0, "p", 0),), (("p", text),)).conditionals]
        ['\\ifx\\a\\b x \\else y \\fi', '\\ifbool{z}{u}{v}']
        """
        new = set(re.findall(r"\\newif\s*\\(if[A-Za-z@]+)", self.text))
        found: list[tuple[int, int, str]] = []
        opened: list[tuple[int, str]] = []
        for match in re.compile(r"\\(if(?!f\b)[A-Za-z@]*|fi(?![A-Za-z@]))").finditer(self.text, self.body):
            name, end = match[1], match.end()
            if name == "fi":
                found += [(at, end, opener) for at, opener in opened[-1:]]
                del opened[-1:]
            elif _NAMED.search(self.text, max(0, match.start() - 80), match.start()):
                continue
            elif name in new or not self.text.startswith("{", end):
                opened.append((match.start(), name))
            else:
                while group := self.group(end):
                    end = group[1] + 1
                found.append((match.start(), end, name))
        return found

    def conditional(self, at: int) -> str:
        """The innermost conditional in which a position stands, with its place; empty where it stands in none."""
        inside = max(((start, name) for start, end, name in self.conditionals if start <= at < end), default=None)
        return f"\\{inside[1]} at {self.shown(inside[0])}" if inside else ""

    @cached_property
    def body(self) -> int:
        """Where the preamble ends."""
        at = self.text.find("\\begin{document}")
        return len(self.text) if at < 0 else at

    def group(self, at: int) -> tuple[int, int] | None:
        """What stands between the braces that open at a place or behind spaces; None where none do."""
        while at < len(self.text) and self.text[at].isspace():
            at += 1
        return (at + 1, self.closing[at]) if at in self.closing else None


def blank(text: str, fail: Callable[[int, str], Exception] | None = None) -> str:
    r"""A file's text with spaces for comments, for what is printed verbatim and behind ``\iffalse``; places stay.

    What ``\iffalse`` and ``\iftrue`` decide is decided: the part that is printed stays, without them.
    A comment takes the end of its line along, as it does for TeX, so that an empty line is one that ends a paragraph.
    What changes how characters are read is refused, if ``fail`` says with what.
    """
    out: list[str] = []
    left: dict[int, int] = {}  # what is no text further on
    done = at = 0

    def drop(start: int, end: int) -> int:
        nonlocal done
        out.extend((text[done:start], " " * (end - start)))
        done = end
        return end

    while match := _SIGN.search(text, at):
        at = match.end()
        word = match[1]
        if match[0] == "%":
            end = text.find("\n", at)
            ends = _EMPTY.match(text, end + 1)  # the empty line behind it ends a paragraph
            at = drop(match.start(), len(text) if end < 0 else end + (not ends))
        elif word in ("verb", "lstinline") or (word in _ADDRESSES and text.startswith("{", at)):
            braces = word != "verb" and text.startswith("{", at)
            end = text.find("}" if braces else text[at : at + 1] or "\n", at + 1, at + 2_000)
            if end > 0 and "\n" not in text[at:end]:
                at = drop(match.start(), end + 1)
        elif word == "begin" and (name := re.compile(r"\s*\{([A-Za-z]+\*?)\}").match(text, at)) and name[1] in VERBATIM:
            end = text.find(f"\\end{{{name[1]}}}", at)
            at = drop(match.start(), len(text) if end < 0 else end + len(name[1]) + 6)
        elif match.start() in left:
            at = drop(match.start(), left[match.start()])
        elif word in ("iffalse", "iftrue") and not _NAMED.search(text, max(0, match.start() - 80), match.start()):
            ends = _unless(text, at)
            last = _unless(text, ends.end()) if ends and ends[2] == "else" else ends
            stop = last.end() if last else len(text)
            if word == "iftrue":
                drop(match.start(), at)
                left |= {ends.start(): stop} if ends else {}
            else:
                at = drop(match.start(), ends.end() if ends else len(text))
                left |= {last.start(): stop} if last and last is not ends else {}
        elif word == "endinput" or (word == "end" and text.startswith("{document}", at)):
            drop(match.start(), len(text))
            break
        elif fail and (changed := _RECODED.match(text, match.start())):
            raise fail(match.start(), f"{changed[0]} changes how characters are read, which asymp does not follow")
    return "".join([*out, text[done:]])


def _unless(text: str, at: int) -> re.Match[str] | None:
    r"""The ``\else`` or ``\fi`` that ends what a conditional has before it."""
    level = 0
    for match in _CONDITION.finditer(text, at):
        if match[1]:
            level += 1
        elif level == 0:
            return match
        elif match[2] == "fi":
            level -= 1
    return None


@dataclass(frozen=True)
class Definitions:
    """What a source defines: ``macros`` that are put in, with their ``spans``; names whose meaning is ``unknown``, with why."""

    macros: Mapping[str, Macro]
    spans: Mapping[str, tuple[int, int]]
    unknown: Mapping[str, str]


def definitions(source: Document) -> Definitions:
    r"""The definitions of a source.

    A macro is put in where the preamble defines it once, by ``\newcommand`` or ``\DeclareMathOperator``, without an optional
    argument.

    Raises:
        Unreadable: too many.

    >>> text = r"\newcommand{\E}{\mathbb{E}} \def\le{\ge}"
    >>> found = definitions(Document("p.tex", text, (Piece(0, "p.tex", 0),), (("p.tex", text),)))
    >>> sorted(found.macros), found.unknown
    (['E'], {'le': '\\le, which \\def defines at p.tex:1, is not followed'})
    """
    macros: dict[str, Macro] = {}
    spans: dict[str, tuple[int, int]] = {}
    unknown: dict[str, str] = {}
    for match in _bounded(_FOLLOWED, source.text):
        name, group = match[2] or match[3], source.group(match.end())
        where = f"\\{name}, which \\{match[1]} defines at {source.shown(match.start())}, is not followed"
        if group is None or match[5] or not name.isalpha():
            unknown[name] = f"{where}: it has an optional argument, or no body in braces"
            continue
        body = source.text[slice(*group)]
        try:
            made = macro(name, rf"\operatorname{{{body}}}" if match[1] == "DeclareMathOperator" else body, int(match[4] or 0))
        except Unreadable:
            unknown[name] = f"{where}: its body is not read"
            continue
        if match.start() > source.body or (name in macros and macros[name] != made):
            unknown[name] = f"{where}: in the text, or a second time"
        macros[name], spans[name] = made, (match.start(), group[1])
    for match in (*_bounded(_NOT_FOLLOWED, source.text), *_bounded(_BY_NAME, source.text)):
        unknown[match[2]] = f"\\{match[2]}, which \\{match[1]} defines at {source.shown(match.start())}, is not followed"
    if definers := sorted(set(_definers(source))):  # \redef{\le}{\ge}
        given = re.compile(rf"\\({'|'.join(map(re.escape, definers))})(?![A-Za-z])\s*\{{?\s*\\([A-Za-z@]+)")
        for match in _bounded(given, source.text):
            unknown[match[2]] = f"\\{match[2]}, which \\{match[1]} may define at {source.shown(match.start())}, is not followed"
    return Definitions(macros, spans, unknown)


def _definers(source: Document) -> Iterator[str]:
    """The macros that define what they are given."""
    for match in (*_bounded(_FOLLOWED, source.text), *_bounded(_NOT_FOLLOWED, source.text)):
        at = source.text.find("{", match.end() - (match[0][-1:] == "{"), match.end() + 200)
        if _DEFINES_GIVEN.search(source.text, max(at, 0), source.closing.get(at, 0)):
            yield match[2] or match[3]


def _bounded(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    for count, match in enumerate(pattern.finditer(text)):
        if count > MOST_DEFINITIONS:
            raise Unreadable(f"more than {MOST_DEFINITIONS} definitions")
        yield match
