"""Predicates: ranges, kinds, finite sets, limits and orderings, as in "whole n >= 2, 0 < p < 1" or "n -> oo, n*p -> 0".

>>> [str(c) for c in read_conditions("whole n>=2, 0<p<1, (a,b) in {(1,2),(3,4)}, n*p->oo, p = omega(log(n)/n)")]
['whole n', 'n >= 2', '0 < p < 1', '(a, b) in {(1, 2), (3, 4)}', 'n*p -> oo', 'p = omega(log(n)/n)']
"""

from __future__ import annotations

from collections.abc import Iterator

from asymp.language.numbers import ParseError
from asymp.language.predicates import (
    Between,
    Compared,
    Condition,
    Conditions,
    Every,
    Grows,
    Listed,
    OfFunction,
    OfKind,
    Recurrence,
    Tends,
)
from asymp.language.predicates import name_of as name_of
from asymp.language.predicates import text_of as text_of
from asymp.language.syntax import Node, Parser, Token, tokens

KINDS = {"whole": "whole", "integer": "whole", "integers": "whole", "real": "real"}
ORDERS = ("O", "o", "Theta", "Omega", "omega")
COMPARISONS = ("<=", "<", ">=", ">", "=")


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
    if token.text == "sequence" and parser.found[parser.position + 1].kind == "name":
        yield _sequence(parser)
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


def _sequence(parser: Parser) -> Recurrence:
    """A sequence, and the equations that follow and speak of it."""
    column = parser.token.column
    parser.word("sequence")
    head = parser.expression()
    if head.kind != "call" or len(head.parts) != 1 or head.parts[0].kind != "name" or head.text == head.parts[0].text:
        raise parser.fail("a sequence is declared by its name and its variable: sequence a(n), a(n+1) = 2*a(n), a(0) = 1", column)
    said: list[Compared] = []
    while True:
        start = parser.position
        if not parser.take(","):
            break
        found = None if parser.token.text in (*KINDS, "[", "function", "sequence") else _predicate(parser, "")
        if not isinstance(found, Compared) or found.signs != ("=",) or all(head.text not in p.calls for p in found.parts):
            parser.position = start
            break
        said.append(found)
    if not said:
        raise parser.fail(f"the equations of {head.text} are missing: {head.text}(n+1) = ..., {head.text}(0) = ...", column)
    return Recurrence(head.text, (head.parts[0].text,), said=tuple(said))


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
    "Recurrence",
    "Tends",
    "Token",
    "conditions",
    "name_of",
    "read_conditions",
    "text_of",
    "tokens",
]


def subjects(condition: Condition) -> set[str]:
    """The variables of which a condition speaks.

    >>> sorted(subjects(read_conditions("1 <= i <= n")[0])), sorted(subjects(read_conditions("n*mu1 > mun*2")[0]))
    (['i'], [])
    """
    if isinstance(condition, Listed):
        return set(condition.names)
    if isinstance(condition, Tends):
        return {condition.term.text} if condition.term.kind == "name" else set()
    if isinstance(condition, Grows):
        return {condition.term.text} if condition.term.kind == "name" else set()
    if isinstance(condition, OfKind):
        return set()
    name = name_of(condition)
    return {name} if name else set()


OPPOSITES = {"=": ("<", ">"), "<": (">=",), "<=": (">",), ">": ("<=",), ">=": ("<",)}
"""Where a comparison is false, one of these is true; where one of these is true, it is false."""
