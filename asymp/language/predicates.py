"""The predicates that conditions are made of, and their text; :mod:`asymp.language.conditions` reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Self

from asymp.language.names import free_names, substitute
from asymp.language.numbers import ParseError
from asymp.language.syntax import Node, words

Change = Callable[[Node], Node]


@dataclass(frozen=True)
class Said:
    """What is said with terms: those of its fields, of what is said in them, and of tuples of such, in their order."""

    def terms(self) -> tuple[Node, ...]:
        """The terms in it."""
        return tuple(_terms(getattr(self, field.name) for field in fields(self)))

    def changed(self, change: Change) -> Self:
        """The same with its terms changed."""
        return replace(self, **{field.name: _changed(getattr(self, field.name), change) for field in fields(self)})


def _terms(items: Iterable[object]) -> Iterator[Node]:
    for item in items:
        if isinstance(item, Node):
            yield item
        elif isinstance(item, Said):
            yield from item.terms()
        elif isinstance(item, tuple):
            yield from _terms(item)


def _changed(item: object, change: Change) -> object:
    if isinstance(item, Node):
        return change(item)
    if isinstance(item, Said):
        return item.changed(change)
    return tuple(_changed(one, change) for one in item) if isinstance(item, tuple) else item


@dataclass(frozen=True)
class Condition(Said):
    """A predicate on the variables of a statement; the subclasses say which."""

    @property
    def mentioned(self) -> frozenset[str]:
        """The names in it, its own variables among them."""
        own = {getattr(self, "name", ""), *getattr(self, "names", ())} - {""}
        return frozenset(own.union(*map(free_names, self.terms())))

    @property
    def bound(self) -> frozenset[str]:
        """The names in its terms that are variables of its own."""
        return frozenset()


@dataclass(frozen=True)
class OfKind(Condition):
    """``whole n`` or ``real x``."""

    name: str
    kind: str

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


@dataclass(frozen=True)
class Compared(Condition):
    """A chain ``1 <= i <= n``, or ``p = c/n``."""

    parts: tuple[Node, ...]
    signs: tuple[str, ...]

    def pairs(self) -> Iterator[tuple[Node, str, Node]]:
        """The single comparisons."""
        yield from zip(self.parts, self.signs, self.parts[1:], strict=False)

    def __str__(self) -> str:
        return words(self.parts[0]) + "".join(f" {s} {words(p)}" for s, p in zip(self.signs, self.parts[1:], strict=True))


@dataclass(frozen=True)
class Listed(Condition):
    """``p in {1/2, 1/10}`` or ``(mu1, mun) in {(1, 1), (10, 1)}``: one row of values a choice."""

    names: tuple[str, ...]
    rows: tuple[tuple[Node, ...], ...]

    def __str__(self) -> str:
        if len(self.names) == 1:
            return f"{self.names[0]} in {{{', '.join(words(row[0]) for row in self.rows)}}}"
        rows = ", ".join(f"({', '.join(map(words, row))})" for row in self.rows)
        return f"({', '.join(self.names)}) in {{{rows}}}"


@dataclass(frozen=True)
class Between(Condition):
    """``n in 2..7``: the whole numbers from 2 to 7."""

    name: str
    low: Node
    high: Node

    def __str__(self) -> str:
        low, high = words(self.low), words(self.high)
        return f"{self.name} in {low}{' ' if low.endswith('.') else ''}..{' ' if high.startswith('.') else ''}{high}"


@dataclass(frozen=True)
class Tends(Condition):
    """``n -> oo``, ``p -> 0+``, ``n*p -> c``; ``side`` is where it comes from, empty where that is not said."""

    term: Node
    target: Node
    side: str = ""

    def __str__(self) -> str:
        return f"{words(self.term)} -> {words(self.target)}{self.side}"


@dataclass(frozen=True)
class Grows(Condition):
    """``p = omega(log(n)/n)``: one growth against another."""

    term: Node
    order: str
    growth: Node

    def __str__(self) -> str:
        return f"{words(self.term)} = {self.order}({words(self.growth)})"


Conditions = tuple[Condition, ...]


@dataclass(frozen=True)
class OfFunction(Condition):
    """``function f(n)``: any function of whole numbers with real values; ``function whole f(n)``: with whole ones."""

    name: str
    arguments: tuple[str, ...]
    kind: str = "real"

    def __str__(self) -> str:
        return f"function {'whole ' if self.kind == 'whole' else ''}{self.name}({', '.join(self.arguments)})"


@dataclass(frozen=True)
class Recurrence(OfFunction):
    """``sequence a(n), a(n+1) = 2*a(n) + 1, a(0) = 0``: the sequence that begins so and goes on by that equation."""

    said: tuple[Compared, ...] = ()

    @property
    def bound(self) -> frozenset[str]:
        """The variable of the equation."""
        return frozenset(self.arguments)

    def changed(self, change: Change) -> Self:
        """The same with its terms changed, in which its variable is kept apart from all others."""
        return super().changed(_apart(change, self.bound, str(self.said[0])))

    def __str__(self) -> str:
        return ", ".join([f"sequence {self.name}({', '.join(self.arguments)})", *map(str, self.said)])


def _apart(change: Change, bound: frozenset[str], where: str) -> Change:
    """A change of terms in which variables of their own are kept apart from all others."""
    own = {name: Node("name", 1, f"{name}'") for name in bound}  # what no text can name
    back = {node.text: Node("name", 1, name) for name, node in own.items()}

    def apart(node: Node) -> Node:
        found = change(substitute(node, own))
        if captured := sorted(free_names(found) & bound):
            raise ParseError(f"{captured[0]} is a variable of [{where} ...], and stands for something else in it")
        return substitute(found, back)

    return apart


@dataclass(frozen=True)
class Every(Condition):
    """``[w(i) <= w(j) for whole i, whole j, 1 <= i <= j <= s]``: a comparison for all whole numbers that obey conditions."""

    chain: Compared
    over: Conditions

    @property
    def bound(self) -> frozenset[str]:
        """The variables that it is said for all of."""
        return frozenset(c.name for c in self.over if isinstance(c, OfKind))

    def changed(self, change: Change) -> Self:
        """The same with its terms changed, in which its variables are kept apart from all others."""
        return super().changed(_apart(change, self.bound, str(self.chain)))

    def renamed(self, names: Mapping[str, str]) -> Every:
        """The same with other names for some of its variables."""
        put = {old: Node("name", 1, new) for old, new in names.items()}

        def change(node: Node) -> Node:
            return substitute(node, put)

        over = (OfKind(names.get(c.name, c.name), c.kind) if isinstance(c, OfKind) else c.changed(change) for c in self.over)
        return Every(self.chain.changed(change), tuple(over))

    def __str__(self) -> str:
        return f"[{self.chain} for {text_of(self.over)}]"


def text_of(found: Conditions) -> str:
    """Conditions as text again: a kind stands before the range of its variable.

    >>> from asymp.language.conditions import read_conditions
    >>> text_of(read_conditions("n >= 2, whole n, x > 0"))
    'whole n >= 2, x > 0'

    >>> text_of(read_conditions("n >= 2, whole n, real n"))
    'whole n >= 2, real n'
    """
    kinds: dict[str, str] = {}
    more = [str(c) for c in found if isinstance(c, OfKind) and kinds.setdefault(c.name, c.kind) != c.kind]
    shown = []
    for condition in found:
        if isinstance(condition, OfKind):
            continue
        subject = name_of(condition)
        kind = kinds.pop(subject, "") if subject and not isinstance(condition, (Tends, Between, Listed)) else ""
        if isinstance(condition, Tends) and condition.term.kind == "name":
            kind = kinds.pop(condition.term.text, "")
        if kind and isinstance(condition, Compared) and words(condition.parts[0]) != subject:
            shown.append(f"{kind} {subject}")
            kind = ""
        shown.append(f"{kind} {condition}".strip())
    shown += [*(f"{kind} {name}" for name, kind in kinds.items()), *more]
    return ", ".join(shown)


def name_of(condition: Condition) -> str:
    """The one variable that a condition bounds by numbers, ties or lists; empty where there is none.

    >>> from asymp.language.conditions import read_conditions
    >>> name_of(read_conditions("0 < p < 1")[0]), name_of(read_conditions("1 <= i <= n")[0])
    ('p', 'i')
    """
    if isinstance(condition, Compared):
        middle = condition.parts[1] if len(condition.parts) == 3 else None
        for part in (middle, condition.parts[0], condition.parts[-1]):
            if part is not None and part.kind == "name":
                return part.text
    if isinstance(condition, Between):
        return condition.name
    if isinstance(condition, OfKind):
        return condition.name
    return ""
