"""A rule's data, which are as JSON has them, and are read by kind: what is of another kind is refused, and what nobody reads.

Of the data of a rule some say what the theorem is about (the statement, a point, terms, a law); others are *hints*, which
only say how to see it: precisions (``bits``), numbers of terms kept (``order``), where a box is split, which facts are added
up with which factors.  With another hint the rule refuses, or makes the same theorem: hence what certificates hold is either
necessary or harmless, and a spare key, or a step that nothing uses, is refused.

>>> data = Data({"statement": "1 < 2", "order": 3, "spare": None})
>>> data.text("statement"), data.whole("order"), data.unread()
('1 < 2', 3, ['spare'])
>>> data.whole("statement")
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: statement: a whole number is wanted
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from asymp.kernel.terms import Refused, Term, read

MOST_PARTS = 2_000_000
"""Texts, numbers, lists and tables in the data of one step."""
DEEPEST = 1_000


def text(found: Any, what: str = "") -> str:
    """A text.

    Raises:
        Refused: it is something else; so for the others.
    """
    return found if type(found) is str else _refuse("a text", what)


def whole(found: Any, what: str = "") -> int:
    """A whole number, which true and false are not."""
    return found if type(found) is int else _refuse("a whole number", what)


def flag(found: Any, what: str = "") -> bool:
    """True or false."""
    return found if type(found) is bool else _refuse("true or false", what)


def items(found: Any, count: int | None = None, what: str = "") -> list[Any]:
    """A list, of so many items if that is said."""
    if type(found) is not list or (count is not None and len(found) != count):
        _refuse("a list" if count is None else f"a list of {count}", what)
    return found  # type: ignore[no-any-return]


def texts(found: Any, what: str = "") -> list[str]:
    """A list of texts."""
    return [text(one, what) for one in items(found, None, what)]


def table(found: Any, what: str = "") -> dict[str, Any]:
    """A table, whose keys are texts."""
    if type(found) is not dict or not all(type(key) is str for key in found):
        _refuse("a table", what)
    return found  # type: ignore[no-any-return]


def terms_in(found: Any, what: str = "") -> dict[str, Term]:
    """A table of terms."""
    return {key: read(text(one, what)) for key, one in table(found, what).items()}


def _refuse(wanted: str, what: str) -> Any:
    raise Refused(f"{what}: {wanted} is wanted" if what else f"{wanted} is wanted")


class Data(Mapping[str, Any]):
    """The data of one step, which knows what was read of it."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data, self._read = data, set[str]()
        self.words = plain(dict(data))  # all its texts

    def __getitem__(self, key: str) -> Any:
        if key not in self._data:
            raise Refused(f"the data have no {key}")
        self._read.add(key)
        return self._data[key]

    def __contains__(self, key: object) -> bool:
        return key in self._data

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def unread(self) -> list[str]:
        """The keys whose values nobody has asked for."""
        return sorted(self._data.keys() - self._read)

    def text(self, key: str) -> str:
        """A text; so for the others."""
        return text(self[key], key)

    def whole(self, key: str) -> int:
        """A whole number."""
        return whole(self[key], key)

    def flag(self, key: str) -> bool:
        """True or false."""
        return flag(self[key], key)

    def listed(self, key: str, count: int | None = None) -> list[Any]:
        """A list."""
        return items(self[key], count, key)

    def texts(self, key: str) -> list[str]:
        """A list of texts."""
        return texts(self[key], key)

    def table(self, key: str) -> dict[str, Any]:
        """A table."""
        return table(self[key], key)


def plain(found: Any) -> list[str]:
    """The texts in data, which are texts, whole numbers, true, false, none, lists and tables, not too deep inside one another.

    Raises:
        Refused: they are not.
    """
    layer, parts, words = [found], 0, list[str]()
    for _ in range(DEEPEST):
        inner: list[Any] = []
        for one in layer:
            if type(one) is list:
                inner += one
            elif type(one) is dict:
                if not all(type(key) is str for key in one):
                    raise Refused("a table has texts as keys")
                inner += [*one, *one.values()]
            elif type(one) is str:
                words.append(one)
            elif one is not None and type(one) not in (int, bool):
                raise Refused(f"data of the kind {type(one).__name__}")
        parts += len(inner)
        if not inner:
            return words
        if parts > MOST_PARTS:
            raise Refused("data of too many parts")
        layer = inner
    raise Refused("data too deep inside one another")
