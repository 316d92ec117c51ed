r"""The marks of a paper, ``\asymp[to={n \to \infty}]{ID}``, each with the one formula that it speaks of.

A mark stands in a formula, a display or an inline one, or right behind an inline formula.  Where several stand in one display,
each speaks of the rows down to its own.  A mark of which this cannot be told has a ``problem`` and no formula.

>>> from asymp.latex.document import Document, Piece
>>> text = r"\begin{document}$a$, so $b \le c$.\asymp[for={c > 1}]{lem:b} \[ d = e \]"
>>> source = Document("p.tex", text, (Piece(0, "p.tex", 0),), (("p.tex", text),))
>>> (mark,), displays = find_marks(source)
>>> mark.name, str(mark.formula), {key: str(value) for key, value in mark.options.items()}, len(displays)
('lem:b', 'b \\le c', {'for': 'c > 1'}, 1)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from asymp.language.source import ClaimsError
from asymp.latex.document import Document
from asymp.latex.source import MAX_LENGTH
from asymp.messages import one_line

MOST_MARKS = 2_000
OPTIONS = (
    "to", "for", "sentence", "corrected", "corrected-to", "corrected-for", "expected", "why", "note", "reading", "narrowed",
    "place", "at",
)  # fmt: skip
NAME = re.compile(r"[A-Za-z0-9_.:+-]+")
DISPLAYED = frozenset(
    "equation equation* align align* alignat alignat* gather gather* multline multline* eqnarray eqnarray* flalign flalign* "
    "displaymath".split()
)
_SCAN = re.compile(r"\\(?:begin|end)\s*\{([^{}\n]*)\}|\\[A-Za-z]+|\\.|\$|[{}]|\n[ \t\r]*\n", re.DOTALL)
_BEHIND = re.compile(r"[\s~]*[.,;:]?[\s~]*")
_BREAK = re.compile(r"\*?(?:\[[^\[\]]*\])?")
_WORDS = r"(as|for all|for every|for each|for any|for|where|when|with)[\s~]+\$([^$]{1,500})\$"
_AFTER = re.compile(rf"[\s~,;.]*(?:and\s+)?{_WORDS}")
_BEFORE = re.compile(rf"{_WORDS}[\s~,]*(?:we have|one has|it holds that|there holds)?[\s~,:]*$", re.IGNORECASE)
_FORMULA = re.compile(r"\$([^$]*)\$|\\\((.*?)\\\)", re.DOTALL)
_CUT = re.compile(r"[.!?](?=[\s}\\]|$)|\n[ \t\r]*\n|\\(?:begin|end|item|section|paragraph)\b|\\\[|\\\]|\$\$")
_RELATION = re.compile(r"[=<>]|\\(?:leq?|geq?|lt|gt|to|rightarrow|(?:not)?in|sim|ll|gg|neq?|approx|asymp|subset|mid)(?![A-Za-z])")
_MATTERS = re.compile(
    r"\b(?:uniform\w*|simultaneous\w*|except|unless|only|not|never|fails?|false|some|constants?|all|every|each)\b", re.IGNORECASE
)
BESIDE = 400
"""Characters of a sentence, before and behind a formula, that are looked at."""
_ENDS = {"$": "$", "$$": "$", "\\(": "\\)", "\\[": "\\]"}


class Text(str):
    """A stretch of the source, and where it begins."""

    at: int = 0

    @classmethod
    def of(cls, text: str, at: int) -> Text:
        """A text that stands there."""
        made = cls(text)
        made.at = at
        return made


@dataclass
class Mark:
    """A mark: its name and options, the ``formula`` without it, and the ``span`` of the source in which it stands.

    ``phrases`` are the fixed phrases of the sentence around it, as (words, formula), ``unread`` what else of it may say when the
    formula is meant to hold; ``inside``: it stands in mathematics.
    """

    name: str
    at: int
    options: Mapping[str, Text]
    formula: Text | None = None
    span: tuple[int, int] = (0, 0)
    inside: bool = False
    problem: str = ""
    phrases: tuple[tuple[str, str], ...] = ()
    unread: str = ""


@dataclass
class _Formula:
    opened: str
    start: int
    inner: int
    depth: int
    inside: list[str] = field(default_factory=list)
    breaks: list[tuple[int, int]] = field(default_factory=list)
    marks: list[tuple[int, int, Mark]] = field(default_factory=list)

    @property
    def display(self) -> bool:
        return self.opened not in ("$", "\\(", "math")


def keyed(source: Document, start: int, end: int) -> Iterator[tuple[str, Text]]:
    """``a = b, {c} = {d}`` between two places: keys and values without the braces around them; commas in braces are no ends."""
    at = start
    while at < end:
        cut = equals = at
        while cut < end and source.text[cut] != ",":
            if source.text[cut] == "=" and equals == at:
                equals = cut
            cut = source.closing.get(cut, cut) + 1 if source.text[cut] != "\\" else cut + 2
        cut = min(cut, end)
        key = _bare(source, at, equals if equals > at else cut)
        if key:
            yield str(key), _bare(source, equals + 1, cut) if equals > at else Text.of("", key.at)
        at = cut + 1


def _bare(source: Document, start: int, end: int) -> Text:
    """What stands there, without spaces and one pair of braces around it."""
    text = source.text
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    if start < end and source.closing.get(start) == end - 1 and text[start] == "{":
        start, end = start + 1, end - 1
    return Text.of(text[start:end], start)


class _Marks:
    """Looks through a text once."""

    def __init__(self, source: Document) -> None:
        self.source, self.text = source, source.text
        self.marks: list[Mark] = []
        self.displays: list[int] = []
        self.formula: _Formula | None = None
        self.last: tuple[int, int, int, int] | None = None  # the inline formula before: from where to where, and its inside
        self.depth = 0

    def look(self) -> None:
        at = self.source.body
        while match := _SCAN.search(self.text, at):
            at, token = match.end(), match[0]
            if token == "{":
                self.depth += 1
            elif token == "}":
                self.depth -= 1
            elif token[0] == "\n":
                self.broken("an empty line")
                self.last = None
                at = match.end() - 1
            elif token == "\\asymp" and (found := re.compile(r"\s*[\[{]").match(self.text, at)):
                at = self.mark(match.start(), found.end() - 1)
            elif self.formula is not None:
                at = self.within(match)
            else:
                at = self.outside(match)
        self.broken("the end of the text")

    def outside(self, match: re.Match[str]) -> int:
        """A token of the text: where the look goes on."""
        token, name = match[0], match[1]
        if token == "$" and self.text.startswith("$", match.end()):
            self.formula = _Formula("$$", match.start(), match.end() + 1, self.depth)
            return match.end() + 1
        if token in ("$", "\\(", "\\["):
            self.formula = _Formula(token, match.start(), match.end(), self.depth)
        elif name is not None and token.startswith("\\begin") and (name in DISPLAYED or name == "math"):
            columns = self.source.group(match.end()) if name.startswith("alignat") else None
            self.formula = _Formula(name, match.start(), columns[1] + 1 if columns else match.end(), self.depth)
            return self.formula.inner
        return match.end()

    def within(self, match: re.Match[str]) -> int:
        """A token of a formula: where the look goes on."""
        token, name, end, now = match[0], match[1], match.end(), self.formula
        assert now is not None
        if name is not None and token.startswith("\\begin"):
            now.inside.append(name)
        elif name is not None and now.inside:
            now.inside.pop()
        elif self.depth != now.depth:
            pass
        elif token == _ENDS.get(now.opened) or (name is not None and name == now.opened):
            if now.opened == "$$":
                if not self.text.startswith("$", end):
                    return end
                end += 1
            self.close(match.start(), end)
        elif token == "\\\\" and not now.inside:
            found = _BREAK.match(self.text, end)
            now.breaks.append((match.start(), found.end() if found else end))
        return end

    def mark(self, at: int, end: int) -> int:
        """The mark that begins at a place, of which the argument or the options begin at another; where it ends."""
        options: dict[str, Text] = {}
        problem = ""
        if self.text[end] == "[":
            stop = end + 1
            while stop < min(len(self.text), end + MAX_LENGTH) and self.text[stop] != "]":
                stop = self.source.closing.get(stop, stop) + 1 if self.text[stop] != "\\" else stop + 2
            for key, value in keyed(self.source, end + 1, min(stop, len(self.text))):
                problem = problem or ("" if key in OPTIONS else f"{key!r} is no option: there are {', '.join(OPTIONS)}")
                problem = problem or (f"{key} is said twice" if key in options else "")
                options[key] = value
            end = stop + 1
        group = self.source.group(end)
        name = "" if group is None else self.text[slice(*group)]
        if group is None or not NAME.fullmatch(name) or len(self.marks) == MOST_MARKS:
            what = f"more than {MOST_MARKS} marks" if len(self.marks) == MOST_MARKS else one_line(self.text[at : at + 30])
            raise ClaimsError(f"{self.source.shown(at)}: {what}: a mark is \\asymp[options]{{ID}}, its ID of letters, digits and "
                              ".:+-_; the relation before a bracket or a brace is \\asymprelation")  # fmt: skip
        if where := self.source.conditional(at):
            problem = problem or f"it stands in a conditional, {where}: asymp decides \\iffalse and \\iftrue alone"
        found = Mark(name, at, options, problem=problem)
        self.marks.append(found)
        end, now = group[1] + 1, self.formula
        if now is not None:
            found.inside = True
            now.marks.append((at, end, found))
            if self.depth != now.depth:
                found.problem = found.problem or "it stands inside braces of a formula: of which part does it speak?"
        elif self.last is not None and at - self.last[1] < 200 and _BEHIND.fullmatch(self.text, self.last[1], at):
            start, _, low, high = self.last
            self.filled(found, low, high, start, end, [])
            self.last = None
        else:
            found.problem = problem or "it stands neither in a formula that is seen here nor right behind an inline one"
        return end

    def broken(self, by: str) -> None:
        """A formula that is not closed before a paragraph ends."""
        now, self.formula = self.formula, None
        if now is not None:
            for *_, mark in now.marks:
                where = self.source.shown(now.start)
                mark.problem = mark.problem or f"{by} before the end of its formula, which begins at {where}"
            self.last = None

    def close(self, inner: int, end: int) -> None:
        """The formula is complete: what its marks speak of."""
        now, self.formula = self.formula, None
        assert now is not None
        if now.display and not now.marks:
            self.displays.append(now.start)
        self.last = None if now.display or now.marks else (now.start, end, now.inner, inner)
        if len(now.marks) == 1:
            self.filled(now.marks[0][2], now.inner, inner, now.start, end, now.marks)
            return
        start = now.inner
        rows = [*now.breaks, (inner, inner)]
        for k, (at, past, mark) in enumerate(now.marks):
            stop, begins = next((a, b) for a, b in rows if a >= at)
            following = now.marks[k + 1][0] if k + 1 < len(now.marks) else None
            if start > at or (following is not None and following < stop):
                mark.problem = mark.problem or "two marks in a row: of which part does each speak?"
            elif following is None and self.text[begins:inner].strip():
                mark.problem = mark.problem or "a row without a mark behind the last one: of which does it speak?"
            self.filled(mark, start, stop, now.start, end, [(at, past, mark)])
            start = begins

    def filled(self, mark: Mark, low: int, high: int, start: int, end: int, marks: list[tuple[int, int, Mark]]) -> None:
        """Gives a mark its formula, without the marks in it, and the phrases around that."""
        formula = self.text[low:high]
        for a, b, _ in marks:
            formula = formula[: a - low] + " " * (b - a) + formula[b - low :]
        mark.formula, mark.span = Text.of(formula, low), (start, end)
        if len(formula) > MAX_LENGTH:
            mark.problem = mark.problem or f"a formula of {len(formula)} characters: at most {MAX_LENGTH} are read"
        found: list[tuple[str, str]] = []
        if (before := _BEFORE.search(self.text, max(0, start - 200), start)) and _near(before[0]):
            found.append((before[1].lower(), before[2]))
            start = before.start()
        at = end
        while (after := _AFTER.match(self.text, at)) and _near(after[0]):
            if "." in after[0].partition("$")[0]:
                break
            found.append((after[1], after[2]))
            at = after.end()
        mark.unread = _unread(_behind(self.text, low, high, at), _before(self.text, start))
        if found:
            mark.phrases = tuple(found)
            mark.span = (start, at) if "sentence" in mark.options else mark.span


def _behind(text: str, low: int, high: int, at: int) -> str:
    """The rest of the sentence behind a formula and its phrases, up to a formula that has a mark of its own."""
    mark = text.find("\\asymp", high, at)  # right behind the formula, but for a stop
    if text[low:high].rstrip().endswith(".") or "." in text[high : max(mark, high)]:
        return ""
    rest = text[at : at + BESIDE]
    hidden = _FORMULA.sub(lambda found: "x" * len(found[0]), rest)
    cut = _CUT.search(hidden)
    rest = rest[: cut.start()] if cut else rest
    for formula in _FORMULA.finditer(rest):
        if re.match(r"[\s~]*[.,;:]?[\s~]*\\asymp", rest[formula.end() :]):
            return rest[: formula.start()]
    return rest


def _before(text: str, start: int) -> str:
    """The sentence before a formula and its phrase, from the last mark in it on."""
    rest = text[max(0, start - BESIDE) : start]
    hidden = _FORMULA.sub(lambda found: "x" * len(found[0]), rest)
    ends = [found.end() for found in _CUT.finditer(hidden)]
    marks = [found.end() for found in re.finditer(r"\\asymp(?:\[[^\]]*\])?\{[^{}]*\}", rest)]
    return rest[max([0, *ends, *marks]) :]


def _unread(*pieces: str) -> str:
    r"""What in pieces of a sentence may say when a formula is meant to hold: relations, and words such as uniformly.

    >>> _unread(r", uniformly in $k \le n$", "Hence the number $H_n$ satisfies"), _unread(" (see Lemma 2)", "As we have seen,")
    (', uniformly in $k \\le n$', '')
    """
    for piece in pieces:
        words = _FORMULA.sub(" ", piece)
        if _MATTERS.search(words) or any(_RELATION.search(found[1] or found[2] or "") for found in _FORMULA.finditer(piece)):
            return piece
    return ""


def _near(text: str) -> bool:
    """Whether no paragraph ends in it."""
    return not re.search(r"\n[ \t\r]*\n", text)


def find_marks(source: Document) -> tuple[list[Mark], list[int]]:
    """The marks of a source in order, and where displays without one begin.

    Raises:
        ClaimsError: one that is no mark, with its place.
    """
    looking = _Marks(source)
    looking.look()
    return looking.marks, looking.displays
