"""Predicates: ranges, kinds, finite sets, limits and orderings, as in "whole n >= 2, 0 < p < 1" or "n -> oo, n*p -> 0".

>>> [str(c) for c in read_conditions("whole n>=2, 0<p<1, (a,b) in {(1,2),(3,4)}, n*p->oo, p = omega(log(n)/n)")]
['whole n', 'n >= 2', '0 < p < 1', '(a, b) in {(1, 2), (3, 4)}', 'n*p -> oo', 'p = omega(log(n)/n)']
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from asymp.language.names import free_names, substitute
from asymp.language.numbers import ParseError
from asymp.language.syntax import Node, Parser, Token, tokens, words

KINDS = {"whole": "whole", "integer": "whole", "integers": "whole", "real": "real"}
ORDERS = ("O", "o", "Theta", "Omega", "omega")
COMPARISONS = ("<=", "<", ">=", ">", "=")
Change = Callable[[Node], Node]


@dataclass(frozen=True)
class Condition:
    """A predicate on the variables of a statement; the subclasses say which."""

    def terms(self) -> tuple[Node, ...]:
        """The terms in it."""
        return ()

    def changed(self, change: Change) -> Condition:
        """The same with its terms changed."""
        return self

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

    def terms(self) -> tuple[Node, ...]:
        """The terms between the signs."""
        return self.parts

    def changed(self, change: Change) -> Compared:
        """The chain of changed terms."""
        return replace(self, parts=tuple(change(part) for part in self.parts))

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

    def terms(self) -> tuple[Node, ...]:
        """The values."""
        return tuple(value for row in self.rows for value in row)

    def changed(self, change: Change) -> Listed:
        """The same set of changed values."""
        return replace(self, rows=tuple(tuple(change(value) for value in row) for row in self.rows))

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

    def terms(self) -> tuple[Node, ...]:
        """The ends."""
        return (self.low, self.high)

    def changed(self, change: Change) -> Between:
        """The range of changed ends."""
        return replace(self, low=change(self.low), high=change(self.high))

    def __str__(self) -> str:
        low, high = words(self.low), words(self.high)
        return f"{self.name} in {low}{' ' if low.endswith('.') else ''}..{' ' if high.startswith('.') else ''}{high}"


@dataclass(frozen=True)
class Tends(Condition):
    """``n -> oo``, ``p -> 0+``, ``n*p -> c``; ``side`` is where it comes from, empty where that is not said."""

    term: Node
    target: Node
    side: str = ""

    def terms(self) -> tuple[Node, ...]:
        """What tends, and where."""
        return (self.term, self.target)

    def changed(self, change: Change) -> Tends:
        """The same of changed terms."""
        return replace(self, term=change(self.term), target=change(self.target))

    def __str__(self) -> str:
        return f"{words(self.term)} -> {words(self.target)}{self.side}"


@dataclass(frozen=True)
class Grows(Condition):
    """``p = omega(log(n)/n)``: one growth against another."""

    term: Node
    order: str
    growth: Node

    def terms(self) -> tuple[Node, ...]:
        """Both sides."""
        return (self.term, self.growth)

    def changed(self, change: Change) -> Grows:
        """The same of changed terms."""
        return replace(self, term=change(self.term), growth=change(self.growth))

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
class Every(Condition):
    """``[w(i) <= w(j) for whole i, whole j, 1 <= i <= j <= s]``: a comparison for all whole numbers that obey conditions."""

    chain: Compared
    over: Conditions

    @property
    def bound(self) -> frozenset[str]:
        """The variables that it is said for all of."""
        return frozenset(c.name for c in self.over if isinstance(c, OfKind))

    def terms(self) -> tuple[Node, ...]:
        """The terms of the comparison, and of the conditions."""
        return (*self.chain.parts, *(node for c in self.over for node in c.terms()))

    def changed(self, change: Change) -> Every:
        """The same with its terms changed, in which its variables are kept apart from all others."""
        own = {name: Node("name", 1, f"{name}'") for name in self.bound}  # what no text can name
        back = {node.text: Node("name", 1, name) for name, node in own.items()}

        def apart(node: Node) -> Node:
            found = change(substitute(node, own))
            if captured := sorted(free_names(found) & self.bound):
                raise ParseError(f"{captured[0]} is a variable of [{self.chain} ...], and stands for something else in it")
            return substitute(found, back)

        return Every(self.chain.changed(apart), tuple(c.changed(apart) for c in self.over))

    def renamed(self, names: Mapping[str, str]) -> Every:
        """The same with other names for some of its variables."""
        put = {old: Node("name", 1, new) for old, new in names.items()}

        def change(node: Node) -> Node:
            return substitute(node, put)

        over = (OfKind(names.get(c.name, c.name), c.kind) if isinstance(c, OfKind) else c.changed(change) for c in self.over)
        return Every(self.chain.changed(change), tuple(over))

    def __str__(self) -> str:
        return f"[{self.chain} for {text_of(self.over)}]"


def read_conditions(text: str, name: str = "") -> Conditions:
    """The conditions in a text, separated by commas or ``and``.

    ``name``: the variable that is meant where none is written, as in ``n = "whole, >= 1"``.

    Raises:
        ParseError: one line with the column.

    >>> [str(c) for c in read_conditions("whole, >= 1", "n")]
    ['whole n', 'n >= 1']
    """
    parser = Parser(text)
    found = list(conditions(parser, name))
    if parser.token.kind != "end":
        raise parser.fail(f"unexpected {parser.token.text!r}")
    return tuple(found)


def conditions(parser: Parser, name: str = "") -> Iterator[Condition]:
    """The conditions from where a parser stands to what is none."""
    while True:
        yield from _condition(parser, name)
        if not (parser.take(",") or parser.word("and")):
            return


def _condition(parser: Parser, name: str) -> Iterator[Condition]:
    token = parser.token
    if token.kind == "end" or token.text == ",":
        raise parser.fail("an empty condition")
    if parser.take("["):
        yield _every(parser)
        return
    if token.text == "function" and parser.found[parser.position + 1].kind == "name":
        yield _function(parser)
        return
    if not parser.word(*KINDS):
        yield _predicate(parser, name)
        return
    kind, start = KINDS[token.text], parser.token
    if name and _ends(start):  # "whole" alone, of a variable that is declared
        yield OfKind(name, kind)
        return
    if start.kind == "name" and _ends(parser.found[parser.position + 1]):  # "whole i" alone
        parser.expression()
        yield OfKind(start.text, kind)
        return
    if _ends(start):
        raise parser.fail(f"{token.text} of which variable?", token.column)
    compares = start.kind == "name" and parser.found[parser.position + 1].text == "~"  # which is kept as a ratio
    found = _predicate(parser, name)
    subject = start.text if compares else _of_which(found)
    if not subject:
        raise parser.fail(f"{token.text} of which variable? write {token.text} n, and the condition after a comma", token.column)
    yield OfKind(subject, kind)
    yield found


def _ends(token: Token) -> bool:
    """Whether no condition goes on with it."""
    return token.kind == "end" or token.text in (",", "]", "and", "for", "as", "uniformly")


def _of_which(condition: Condition) -> str:
    """The variable of which a kind before a condition speaks; empty where there is none, or more than one that it may be.

    >>> for text in ("1 <= i <= n", "i <= n", "3 < n", "i <= j <= n", "n + 1 <= m", "n*m > 3"):
    ...     print(_of_which(read_conditions(text)[0]), end=";")
    i;i;n;;;;
    """
    match condition:
        case Between(name):
            return name
        case Listed(names) if len(names) == 1:
            return names[0]
        case Grows(term) if term.kind == "name":
            return term.text
        case Tends(term) if term.kind == "name":
            return term.text
        case Compared((first, second, *_)) if first.kind == "name":
            between = len(condition.parts) > 2 and second.kind == "name"
            return "" if between else first.text
        case Compared((first, second, *_)) if not first.free and second.kind == "name":
            return second.text
    return ""


def _function(parser: Parser) -> OfFunction:
    column = parser.token.column
    parser.word("function")
    kind = "whole" if parser.word("whole") else "real"
    head = parser.expression()
    names = tuple(part.text for part in head.parts)
    if head.kind != "call" or any(part.kind != "name" for part in head.parts) or len(set(names)) < len(names):
        raise parser.fail("a function is declared by its name and its arguments: function f(n)", column)
    return OfFunction(head.text, names, kind)


def _every(parser: Parser) -> Every:
    column = parser.token.column
    chain = _predicate(parser, "")
    over = tuple(conditions(parser)) if parser.word("for") else ()
    if not parser.take("]"):
        raise parser.fail("the bracket '[' is never closed" if parser.token.kind == "end" else parser.unexpected())
    kinds = [c for c in over if isinstance(c, OfKind)]
    names = {c.name for c in kinds}
    if not isinstance(chain, Compared) or not names or len(names) < len(kinds) or any(c.kind != "whole" for c in kinds):
        raise parser.fail("what holds for all is written [w(i) >= 0 for whole i, 1 <= i <= s]", column)
    if not all(isinstance(c, (OfKind, Compared)) for c in over):
        raise parser.fail("the conditions in [ ] are kinds and comparisons", column)
    return Every(chain, over)


def _predicate(parser: Parser, name: str) -> Condition:
    start = parser.token
    if (name and start.kind == "relation") or (name and start.text == "in"):
        left = Node("name", start.column, name)
    else:
        left = parser.expression()
    if parser.word("in"):
        return _member(parser, left)
    if parser.token.kind != "relation":
        raise parser.fail("a condition is written n >= 1, 0 < x < 1, n in 2..7, n -> oo or p = c/n", start.column)
    if parser.take("->"):
        target = parser.expression(open_end=True)
        side = ""
        if parser.token.text in ("+", "-") and parser.token.kind == "op":
            side = parser.token.text
            parser.position += 1
        return Tends(left, target, side)
    if parser.take("~"):
        right = parser.expression()
        ratio = Node("product", left.column, "", (left, right), "*/")
        return Tends(ratio, Node("number", right.column, "1"))
    parts, signs = [left], []
    while parser.token.kind == "relation":
        sign = parser.token.text
        if sign not in COMPARISONS:
            raise parser.fail(f"{sign} does not belong in this condition")
        parser.position += 1
        signs.append(sign)
        parts.append(parser.expression())
    if signs == ["="] and parts[1].kind == "call" and parts[1].text in ORDERS and len(parts[1].parts) == 1:
        return Grows(left, parts[1].text, parts[1].parts[0])
    return Compared(tuple(parts), tuple(signs))


def _member(parser: Parser, left: Node) -> Condition:
    names = tuple(part.text for part in (left.parts if left.kind == "tuple" else (left,)))
    if any(part.kind != "name" for part in (left.parts if left.kind == "tuple" else (left,))):
        raise parser.fail("'in' belongs to a variable or to variables in brackets", left.column)
    if not parser.take("{"):
        low = parser.expression()
        if len(names) != 1 or not parser.take(".."):
            raise parser.fail("a set is written {1, 2, 5} or 2..7")
        return Between(names[0], low, parser.expression())
    rows = []
    while True:
        value = parser.expression()
        row = value.parts if value.kind == "tuple" else (value,)
        if len(row) != len(names):
            raise parser.fail(f"{len(names)} values are wanted here", value.column)
        rows.append(row)
        if not parser.take(","):
            break
    if not parser.take("}"):
        raise parser.fail("a set that is never closed with '}'")
    return Listed(names, tuple(rows))


def text_of(found: Conditions) -> str:
    """Conditions as text again: a kind stands before the range of its variable.

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


__all__ = [
    "COMPARISONS",
    "Between",
    "Compared",
    "Condition",
    "Conditions",
    "Every",
    "Grows",
    "Listed",
    "OfFunction",
    "OfKind",
    "ParseError",
    "Tends",
    "Token",
    "conditions",
    "name_of",
    "read_conditions",
    "text_of",
    "tokens",
]
