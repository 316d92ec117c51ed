"""What is known while one formula is read: its text, notation and answers, bound variables, and which sign is which name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from asymp.language.conditions import ORDERS
from asymp.language.syntax import RESERVED, Node
from asymp.language.words import CONSTANTS, WORDS
from asymp.latex.choices import Answers
from asymp.latex.items import Item
from asymp.latex.names import Sign
from asymp.latex.notation import Notation
from asymp.latex.source import Beyond, Unreadable


def name_node(text: str) -> Node:
    """A name as a term."""
    return Node("name", 1, text)


def number_node(text: str) -> Node:
    """A number as a term."""
    return Node("number", 1, text)


def call_node(name: str, *parts: Node) -> Node:
    """A function of terms."""
    return Node("call", 1, name, parts)


def product_node(*parts: Node, signs: str = "") -> Node:
    """A product, flat where it has one factor."""
    return parts[0] if len(parts) == 1 and signs in ("", "*") else Node("product", 1, "", parts, signs or "*" * len(parts))


def sum_node(*parts: Node, signs: str = "") -> Node:
    """A sum, flat where it has one term."""
    return parts[0] if len(parts) == 1 and signs in ("", "+") else Node("sum", 1, "", parts, signs or "+" * len(parts))


@dataclass
class Context:
    """One reading of one formula.

    Args:
        source, notation, answers: what is read, and how.
        bare: names that stand somewhere without a bracket behind them: no function is called so.
        bound: the variables of the sums and integrals around a place.
        families, called: letters whose indices are arguments; names that stand somewhere with a bracket behind them.
        small: what is said to tend by the index of an o, with its place.
    """

    source: str
    notation: Notation
    answers: Answers
    bare: frozenset[str] = frozenset()
    bound: list[str] = field(default_factory=list)
    small: list[tuple[frozenset[str], int]] = field(default_factory=list)
    families: frozenset[str] = frozenset()
    called: frozenset[str] = frozenset()
    _signs: dict[str, str] = field(default_factory=dict)

    def fail(self, what: str, at: Item | int) -> Unreadable:
        """The refusal at a place."""
        return Unreadable(what, self.source, at if isinstance(at, int) else at.at)

    def beyond(self, what: str, at: Item) -> Beyond:
        """The refusal of what may be meant and cannot be written."""
        return Beyond(what, self.source, at.at)

    def ask(self, question: str, at: Item | int, subject: str = "", only: tuple[str, ...] | None = None) -> str:
        """The answer to a question."""
        return self.answers.to(question, at if isinstance(at, int) else at.at, subject, only)

    @contextmanager
    def binding(self, name: str) -> Iterator[None]:
        """Within it a name is the variable of a sum."""
        self.bound.append(name)
        yield
        self.bound.pop()

    def is_variable(self, name: str) -> bool:
        """Whether a name is known to be no function."""
        known = name in self.notation.variables or name in self.bound
        return (known or name in self.bare) and name not in self.notation.functions

    def name(self, sign: Sign, text: str = "") -> str:
        """The name that a sign is.

        Raises:
            Unreadable: the language has no such name, or another sign has it in this formula.
        """
        name = text or sign.plain
        printed = f"{sign.base}|{sign.font}|{[(i.kind, i.text, i.font) for i in sign.index]}|{sign.primes}|{sign.star}"
        if self._signs.setdefault(name, printed) != printed:
            raise self.fail(f"two signs would be the name {name}: say what they are in the notation", sign.at)
        if (name in CONSTANTS | WORDS | RESERVED or name in ORDERS) and (name, sign.font) != ("e", "it"):
            raise self.fail(f"{name} has another meaning in the language: say in the notation what it is here", sign.at)
        if not name.isascii() or not name.isidentifier() or len(name) > 60:
            raise self.fail(f"{name[:30]!r} is no name", sign.at)
        return name
