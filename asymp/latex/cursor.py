r"""A place in a list of items, from which a term is read: what every reader of a part of a formula is given."""

from __future__ import annotations

import re

from asymp.language.syntax import Node
from asymp.latex.context import Context
from asymp.latex.items import Item, Items

_NO_FACTOR = frozenset(
    "dots forall exists choose over wedge vee lor land colon prime arrow overset underset stackrel quad qquad".split()
)
_DIFFERENTIAL = re.compile(r"\\i*int(?![a-z])|∫|[}/]\s*\{?\s*(\\mathrm\{)?d\s*\}?\s*([A-Za-z]|\\[a-z])")
"""An integral, or a denominator that begins with a differential."""
CLOSING = {"(": ")", "[": "]", "{": "\\}", "floor": "\\rfloor", "ceil": "\\rceil", "|": "|"}


class Cursor:
    """Reads a list of items from left to right; a method takes what it reads.  How terms are made of factors, a subclass says."""

    def __init__(self, context: Context, found: Items, at: int = 0) -> None:
        self.context, self.found = context, found
        self.position = 0
        self.at = found[0].at if found else at  # where a refusal points that has no item of its own
        self.inside: list[str] = []  # "int" while a differential is awaited, "|" while a bar closes

    # --- the place

    @property
    def item(self) -> Item | None:
        """The item that is next; None at the end."""
        return self.found[self.position] if self.position < len(self.found) else None

    def ahead(self, count: int = 1) -> Item | None:
        """An item further on."""
        place = self.position + count
        return self.found[place] if place < len(self.found) else None

    def take(self, kind: str, *texts: str) -> bool:
        """Whether the next item is of this kind and one of these texts; it is then taken."""
        item = self.item
        if item is not None and item.kind == kind and (not texts or item.text in texts):
            self.position += 1
            return True
        return False

    def fail(self, what: str, item: Item | None = None) -> Exception:
        """A refusal at an item, by default the next one."""
        item = item or self.item
        last = self.found[-1].at if self.found else self.at
        return self.context.fail(what, item if item is not None else last)

    def whole(self) -> Node:
        """All items as one term."""
        node = self.expression()
        if self.item is not None:
            raise self.fail(unexpected(self.item))
        return node

    def part(self, found: Items, at: int) -> Node:
        """The items of a group as one term."""
        return type(self)(self.context, found, at).whole()

    def expression(self) -> Node:
        """A sum."""
        raise NotImplementedError

    def product(self) -> Node:
        """A product."""
        raise NotImplementedError

    def factors(self) -> tuple[list[Node], str]:
        """The factors of a product, and whether each multiplies or divides."""
        raise NotImplementedError

    def factor(self) -> Node:
        """A factor with its powers."""
        raise NotImplementedError

    # --- what begins here

    def starts(self) -> bool:
        """Whether a factor begins here."""
        item = self.item
        if item is None:
            return False
        match item.kind:
            case "letter" if "int" in self.inside and self.differential():
                return False
            case "letter" | "upright" | "number" | "group" | "open" | "text":
                return True
            case "bar":
                return item.text == "|" and "|" not in self.inside
            case "macro":
                return item.text not in _NO_FACTOR
        return False

    def differential(self) -> bool:
        """Whether ``dx`` stands here."""
        item, following = self.item, self.ahead()
        return item is not None and item.kind == "letter" and item.text == "d" and item.font in ("", "rm") and \
            following is not None and following.kind == "letter"  # fmt: skip

    def letter_d(self) -> bool:
        """Whether d is a letter of the paper here: it is declared, and no integral and no derivative stands in the formula."""
        return "d" in self.context.notation.variables and not _DIFFERENTIAL.search(self.context.source)

    # --- brackets

    def arguments(self) -> tuple[Node, ...]:
        """What stands in the bracket that is next, between commas."""
        opened = self.item
        assert opened is not None
        self.position += 1
        saved, self.inside = self.inside, []
        parts = [self.expression()]
        while self.take("sign", ","):
            parts.append(self.expression())
        self.inside = saved
        if not self.take("close", opened.text):
            if self.item is None:
                raise self.fail("a bracket that is never closed", opened)
            raise self.fail(f"{CLOSING[opened.text]} is wanted here" if self.item.kind == "close" else unexpected(self.item))
        return tuple(parts)


def unexpected(item: Item) -> str:
    """What is wrong with an item that is out of place."""
    words = {
        "close": "a bracket that was never opened", "relation": "a relation out of place", "cell": "an & out of place",
        "row": "a line break out of place", "text": f"the words {item.text!r} out of place", "env": "cases out of place",
        "tie": "a ~ out of place", "hole": "a place for an argument", "sup": "a power of nothing", "sub": "an index of nothing",
        "prime": "a prime of nothing", "phrase": f"the words {item.text!r} out of place", "bar": "a bar out of place",
        "space": "a space out of place", "word": f"the word {item.text!r} out of place",
    }  # fmt: skip
    return words.get(item.kind, f"unexpected {item.text!r}" if item.text else "out of place")
