"""The rows that entry points of the group ``asymp.functions`` give: which may be used, and where one stands in a text.

A row from outside is trusted code: a theorem of which a step speaks of its function says ``row: PACKAGE/name``.

>>> rows = {"soft": (Row("soft", derivative="1 - hard(x)"), "other/soft"), "hard": (Row("hard"), "third/hard")}
>>> sorted(borrowed("f(1) <= soft(2)", rows)), borrowed("f(1) <= softly(2)", rows)
(['row: other/soft', 'row: third/hard'], frozenset())
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any

from asymp.functions.row import Row, conditions
from asymp.language.syntax import Parser, spelt
from asymp.language.words import CONSTANTS, OWN
from asymp.outside import LABEL, Unusable, entries, refuse, usable

ROW = "row: "
"""With this begins what a theorem trusts of a row from outside."""
_NAME = re.compile(r"[A-Za-z]\w*", re.ASCII)


def outside(own: Iterable[Row]) -> dict[str, tuple[Row, str]]:
    """By name the rows from outside, each with its label; one that cannot be used is left out, and a line says why."""
    taken = {name: "this distribution" for row in own for name in row.names.split()}
    found: dict[str, tuple[Row, str]] = {}
    for entry, row in usable("functions"):
        try:
            _check(row, entry.name, taken)
        except Exception as error:  # whatever stands in a row that is none
            refuse(entry.because(str(error)))
        else:
            found[entry.name] = row, entry.label
    return found


def _check(row: object, name: str, taken: Mapping[str, str]) -> None:
    """That a row is one, and takes nobody's name.

    Raises:
        Unusable, ParseError: it is not, or a text of it cannot be read; other errors where it holds no texts.
    """
    if not isinstance(row, Row) or row.names != name:
        raise Unusable(f"it is no row of a function {name}, under that name alone")
    if name in taken or name in OWN:
        raise Unusable(f"{name} has a meaning already, by {taken.get(name, 'the language')}")
    if not _NAME.fullmatch(name):
        raise Unusable(f"{name[:60]} is no name of a function")
    if row.facts or row.exact or row.known or (row.ball and ":" not in row.ball):
        raise Unusable("facts, exact and known are not for rows from outside, and ball is module:function")
    sides = row.root.split(" = ") if row.root else []
    for text in _texts(row):
        if strangers := Parser(text).whole().free - {*"xyzw", *CONSTANTS, *("f" if text in sides else "")}:
            raise Unusable(f"{text} speaks of {min(strangers)}")
    if row.root and (len(sides) != 2 or not row.rooted):
        raise Unusable("a root is that of an equation, on a domain that is said")


def _texts(row: Row) -> Iterator[str]:
    for arguments in (row.least, row.most):
        yield from (needed.text for one in row.real(arguments) for needed in one)
    yield from (needed.text for needed in row.inside or ())
    yield from filter(None, (row.values.low, row.values.high, row.period, row.derivative, row.means, *row.root.split(" = ")))
    yield from (needed.text for needed in conditions(row.rooted))


def borrowed(text: str, rows: Mapping[str, tuple[Row, str]]) -> frozenset[str]:
    """What a text leans on: ``row: PACKAGE/name`` of each row from outside whose name stands in it, or in such a row's own texts.

    A name counts however it is used, and Greek letters by their names: rather one too many than one too few.
    """
    found: set[str] = set()
    texts = [spelt(text)]
    while texts:
        words = texts.pop()
        for row, label in rows.values():
            if label not in found and _stands(row.name, words):
                found.add(label)
                texts += _texts(row)
    return frozenset(f"{ROW}{label}" for label in found)


def _stands(name: str, words: str) -> bool:
    """Whether a name stands in a text, after a number too."""
    return name in words and re.search(rf"(?<![A-Za-z_]){name}(?!\w)", words) is not None


def absent(trusts: Any, rules: Container[str]) -> str:
    """Why what a record says that it trusts is not here: a row, a rule or a method that is not installed; empty where all is.

    >>> absent(["DLMF 5.11.2", "theory: other/rule"], {"algebra"})
    'it rests on theory: other/rule, which is not installed: install the package other'
    """
    rows = {entry.label for entry in entries("functions")}
    there = {"row": rows, "theory": rules, "engine": {entry.label for entry in entries("methods")}}
    for leaf in trusts if isinstance(trusts, list) else ():
        found = LABEL.fullmatch(leaf) if isinstance(leaf, str) else None
        if found is not None and found[2] not in there[found[1]]:
            return f"it rests on {leaf}, which is not installed: install the package {found[2].partition('/')[0]}"
    return ""
