r"""What cannot be read, or has more than one reading: one line, with the line and the column where it stands.

>>> print(Unreadable("the bracket is never closed", "a +\n (b", 5))
the bracket is never closed at line 2, column 2: (b
"""

from __future__ import annotations

from dataclasses import dataclass

from asymp.language.numbers import ParseError

MAX_LENGTH = 20_000
"""Characters of one formula."""
MAX_ITEMS = 4_000
"""Tokens of one formula, after all macros are expanded."""
MAX_NESTING = 40
"""Braces, brackets and arguments inside one another."""
_SHOWN = 40
_MOST_SHOWN = 4
_LONGEST = 120


def place(text: str, at: int) -> tuple[int, int]:
    r"""The line and the column of a position, both counted from 1.

    >>> place("a\nbc", 3)
    (2, 2)
    """
    before = text[:at]
    return before.count("\n") + 1, at - (before.rfind("\n") + 1) + 1


def excerpt(text: str, at: int) -> str:
    """What stands there, on one line."""
    line = text[at:].split("\n", 1)[0]
    shown = "".join(c if c.isprintable() else "?" for c in line[:_SHOWN])
    return shown + ("..." if len(line) > _SHOWN else "")


class Unreadable(ParseError):
    """LaTeX that cannot be read: what is wrong, and where (``line`` and ``column``, counted from 1)."""

    def __init__(self, what: str, text: str = "", at: int = 0) -> None:
        self.line, column = place(text, at)
        where = f" at line {self.line}, column {column}" if text else ""
        shown = excerpt(text, at) if text else ""
        super().__init__(f"{what}{where}{f': {shown}' if shown else ''}")
        self.what, self.column = what, column


class Beyond(Unreadable):
    """A reading that may be meant and cannot be written in the language: no other reading is taken in its place."""


@dataclass(frozen=True)
class Reading:
    """One reading of a formula that has several: as text of the language, as the language writes it in LaTeX, and which it is."""

    text: str
    latex: str
    answer: str


class TwoReadings(Unreadable):
    """A formula that has more than one reading: it is asked back with all of them, and none is chosen.

    ``question`` is what is to be answered, as a key of a notation; an ``answer`` of a reading is what may stand there;
    ``questions`` are all of which the answers differ.
    """

    def __init__(
        self, question: str, readings: tuple[Reading, ...], text: str = "", at: int = 0, questions: frozenset[str] = frozenset()
    ) -> None:
        self.question, self.readings, self.questions = question, readings, questions | {question}
        kinds = [f'"{r.answer}": {shortened(r.text)}' for r in readings[:_MOST_SHOWN]]
        more = f"; and {len(readings) - _MOST_SHOWN} more" if len(readings) > _MOST_SHOWN else ""
        what = f"{len(readings)} readings, as {question} is {'; '.join(kinds)}{more}.  Write which, or say it in the notation"
        super().__init__(what, text, at)


def shortened(text: str) -> str:
    """A text of at most so many characters."""
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
