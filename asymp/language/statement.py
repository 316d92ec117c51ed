"""Statements: closed formulas as data, read from text and printed again.

A statement is a *body* (what is said), under quantifiers: a regime (what tends where), a domain (for all values of it),
and, innermost, values of which some do.  They are read from the inside out, as they are written: ``A for D for some C`` says
that there is one C for all of D, ``A for some C for D`` that of all of D there is one each.  :mod:`asymp.language.forms` lists
every form of a body with an example.

>>> print(read_statement("mu ~ 1/p"))
mu ~ 1/p
>>> print(read_statement("H(n) <= 1+log(n) for whole n>=1"))
H(n) <= 1 + log(n) for whole n >= 1
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Self

from asymp.language.bodies import And as And
from asymp.language.bodies import Body as Body
from asymp.language.bodies import Comparison as Comparison
from asymp.language.bodies import Eventual as Eventual
from asymp.language.bodies import Expanding as Expanding
from asymp.language.bodies import Extreme as Extreme
from asymp.language.bodies import If as If
from asymp.language.bodies import Iff as Iff
from asymp.language.bodies import InLaw as InLaw
from asymp.language.bodies import Limiting as Limiting
from asymp.language.bodies import Not as Not
from asymp.language.bodies import OneRoot as OneRoot
from asymp.language.bodies import Ordering as Ordering
from asymp.language.bodies import Ratio as Ratio
from asymp.language.bodies import Rounding as Rounding
from asymp.language.bodies import Shape as Shape
from asymp.language.bodies import True_ as True_
from asymp.language.bodies import UpperLimit as UpperLimit
from asymp.language.conditions import ORDERS, Compared, Conditions, conditions, text_of
from asymp.language.laws import standard
from asymp.language.orders import NotLinear, bounded, first_order, freed, has_order, remainder
from asymp.language.predicates import Change
from asymp.language.syntax import Node, Parser

SHAPES = ("increasing", "decreasing", "nondecreasing", "nonincreasing")
EXTREMES = ("largest", "least")


# --- statements --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Statement:
    """A body under its quantifiers, from the inside out.

    Args:
        body: what is said.
        some: of some values of these variables.
        uniform: of all values of these, with one bound (in a regime).
        domain: for all values of these.
        regime: as these tend.
        ties: what a domain said of the variables that it ties; of a closed statement, which has their terms in their place.
    """

    body: Body
    some: Conditions = ()
    uniform: Conditions = ()
    domain: Conditions = ()
    regime: Conditions = ()
    ties: Conditions = ()

    def __post_init__(self) -> None:
        if self.regime:
            object.__setattr__(self, "body", _in_the_end(self.body))

    def __str__(self) -> str:
        text = str(self.body)
        for word, found in (
            ("for some", self.some),
            ("uniformly in", self.uniform),
            ("as", self.regime),
            ("for", self.domain),
        ):
            if found:
                text += f" {word} {text_of(found)}"
        return text

    def terms(self) -> tuple[Node, ...]:
        """The terms of the body."""
        return self.body.terms()

    def conditions(self) -> Conditions:
        """All conditions."""
        inner = self.body.statement.conditions() if isinstance(self.body, Throughout) else ()
        return (*self.domain, *self.regime, *self.uniform, *self.some, *inner)


@dataclass(frozen=True)
class Throughout(Body):
    """``A for D``, of which some C is said that is the same for all of D: a body of its own, which nothing takes for A.

    Args:
        statement: A, with its quantifiers.
    """

    statement: Statement

    def __str__(self) -> str:
        return str(self.statement)

    def terms(self) -> tuple[Node, ...]:
        """The terms of what is said."""
        return self.statement.terms()

    def changed(self, change: Change) -> Self:
        """The same with its terms changed, and those of its conditions."""

        def all_of(found: Conditions) -> Conditions:
            return tuple(condition.changed(change) for condition in found)

        said = self.statement
        some, uniform, domain, regime = map(all_of, (said.some, said.uniform, said.domain, said.regime))
        statement = Statement(said.body.changed(change), some, uniform, domain, regime, said.ties)
        return replace(self, statement=statement)


@lru_cache(maxsize=512)
def read_statement(text: str) -> Statement:
    """The statement in a text.

    Raises:
        ParseError: one line with the column.
    """
    parser = Parser(text)
    body = _body(parser)
    found: dict[str, Conditions] = {}
    inner: Statement | None = None
    while parser.token.kind != "end":
        column = parser.token.column
        if parser.word("uniformly"):
            if not parser.word("in"):
                raise parser.fail("what it is uniform in is written: uniformly in 0 < x < 1")
            where = "uniform"
        elif parser.word("as"):
            where = "regime"
        elif parser.word("for"):
            where = "some" if parser.word("some") else "domain"
            if where == "domain":
                parser.word("all")
        else:
            raise parser.fail(parser.unexpected())
        if parser.token.kind == "end":
            raise parser.fail("the condition is missing", column)
        if where == "some" and "domain" in found and inner is None:
            inner, found = _made(parser, body, found), {}
            body = Throughout(inner)
        if where == "uniform" and inner is not None:
            raise parser.fail("what it is uniform in stands before 'for some'", column)
        if where == "regime" and inner is not None:
            raise parser.fail("what tends where stands before 'for some', and 'for' before that", column)
        if where in found:
            raise parser.fail("a second condition of this kind: put them into one, with commas", column)
        found[where] = tuple(conditions(parser))
    return _made(parser, body, found)


def _made(parser: Parser, body: Body, found: Mapping[str, Conditions]) -> Statement:
    if "uniform" in found and not is_asymptotic(body):
        raise parser.fail("'uniformly' belongs to a statement about a limit", 1)
    return Statement(body, *(found.get(where, ()) for where in ("some", "uniform", "domain", "regime")))


ABOUT_LIMITS = (Ratio, Limiting, Ordering, Expanding, Eventual, InLaw, UpperLimit)


def _in_the_end(body: Body) -> Body:
    """What is said as something tends somewhere: inequalities hold from some point on, each link of a chain by itself."""
    if isinstance(body, And):
        return And(tuple(map(_in_the_end, body.parts)))
    if isinstance(body, Not):
        return Not(_in_the_end(body.body))
    if not isinstance(body, Comparison) or "=" in body.chain.signs:
        return body
    links = tuple(Eventual(left, sign, right) for left, sign, right in body.chain.pairs())
    return links[0] if len(links) == 1 else And(links)


def _parts(body: Body) -> list[Body]:
    if isinstance(body, And):
        return [one for part in body.parts for one in _parts(part)]
    if isinstance(body, Not):
        return _parts(body.body)
    return [*_parts(body.left), *_parts(body.right)] if isinstance(body, (Iff, If)) else [body]


def is_asymptotic(body: Body) -> bool:
    """Whether it says something of a limit.

    >>> is_asymptotic(read_statement("f = O(n)").body), is_asymptotic(read_statement("f <= n").body)
    (True, False)
    """
    return any(isinstance(part, ABOUT_LIMITS) for part in _parts(body))


def _body(parser: Parser) -> Body:
    if parser.word("not"):
        return Not(_simple(parser))
    left = _simple(parser)
    if parser.word("iff"):
        return Iff(left, _simple(parser))
    if parser.word("if"):
        return If(left, _simple(parser))
    parts = [left]
    while parser.word("and"):
        parts.append(_simple(parser))
    return parts[0] if len(parts) == 1 else And(tuple(parts))


def _simple(parser: Parser) -> Body:
    left = parser.expression()
    if parser.word("is"):
        return _quality(parser, left)
    if parser.word("rounds"):
        if not parser.word("to"):
            raise parser.fail("'rounds to' and the printed number")
        sign = "-" if parser.take("-") else ""
        digits = parser.token.text
        if parser.token.kind != "number":
            raise parser.fail("the printed number")
        parser.position += 1
        return Rounding(left, sign + digits)
    if parser.token.kind != "relation":
        if left.kind == "call" and (parser.token.kind == "end" or parser.token.kind == "name"):
            return True_(left)
        raise parser.fail("a relation is missing (~, =, <=, <, >=, >, -> or =>)")
    sign = parser.token.text
    if sign in ("~", "->", "=>"):
        parser.position += 1
        right = parser.expression()
        _only_one(parser)
        if sign == "=>":
            return InLaw(standard(left), standard(right))
        return Ratio(left, right) if sign == "~" else Limiting(left, right)
    chain = [left]
    signs = []
    while parser.token.kind == "relation":
        signs.append(parser.token.text)
        if signs[-1] in ("~", "->", "=>"):
            raise parser.fail("a second relation: one statement at a time")
        parser.position += 1
        chain.append(parser.expression())
    if signs == ["="]:
        if has_order(left):
            raise parser.fail("an order stands on the right: f = O(g), f = a + o(g)", first_order(left).column)
        if parser.word("has"):
            return _root(parser, left, chain[1])
        found = asymptotic(left, chain[1], parser)
        if found is not None:
            return found
    elif len(signs) == 1 and signs[0] != "=" and has_order(chain[1]) and not has_order(left):
        with _told(chain[1], parser):
            return Ordering(*bounded(left, signs[0], chain[1]))
    if left.kind == "call" and left.text in UPPER_LIMITS:
        return _upper_limit(parser, chain, signs)
    found = Comparison(Compared(tuple(chain), tuple(signs)))
    if parser.word("eventually"):
        if "=" in signs:
            raise parser.fail("'eventually' is said of an inequality")
        return _in_the_end(found)
    return found


UPPER_LIMITS = {"limsup": "<=", "liminf": ">="}
"""Each with the sign that it may have beside =."""


def _upper_limit(parser: Parser, chain: list[Node], signs: list[str]) -> UpperLimit:
    head = chain[0].text
    if len(signs) != 1 or signs[0] not in ("=", UPPER_LIMITS[head]) or len(chain[0].parts) != 1:
        raise parser.fail(f"written {head}(f) = c or {head}(f) {UPPER_LIMITS[head]} c", 1)
    return UpperLimit(head, chain[0].parts[0], signs[0], chain[1])


def _only_one(parser: Parser) -> None:
    if parser.token.kind == "relation":
        raise parser.fail("a second relation: one statement at a time")


def _quality(parser: Parser, term: Node) -> Body:
    token = parser.token
    if parser.word(*SHAPES):
        if not parser.word("in"):
            raise parser.fail(f"'is {token.text} in' and the variable")
        return Shape(term, token.text, _variable(parser))
    if parser.word(*EXTREMES):
        if not parser.word("at"):
            raise parser.fail(f"'is {token.text} at' and the place")
        name = _variable(parser)
        if not parser.take("="):
            raise parser.fail(f"the place is written {name} = ...")
        return Extreme(term, token.text, name, parser.expression())
    raise parser.fail(f"what may follow 'is' is {', '.join((*SHAPES, *EXTREMES))}")


def _root(parser: Parser, left: Node, right: Node) -> Body:
    if not (parser.word("one") and parser.word("root")):
        raise parser.fail("'has one root x in (a, b)'")
    name = _variable(parser)
    if not parser.word("in"):
        raise parser.fail("'has one root x in (a, b)'")
    ends = parser.expression()
    if ends.kind != "tuple" or len(ends.parts) != 2:
        raise parser.fail("'has one root x in (a, b)'")
    return OneRoot(left, right, name, *ends.parts)


def _variable(parser: Parser) -> str:
    if parser.token.kind != "name":
        raise parser.fail("a variable")
    parser.position += 1
    return parser.found[parser.position - 1].text


# --- O, o, Theta on the right --------------------------------------------------------------------


def asymptotic(left: Node, right: Node, parser: Parser) -> Body | None:
    """``O(g)``, ``a + b + O(g)`` or ``(1 + o(1))*g`` on the right; None for an ordinary equation."""
    left, right = freed(left, right)
    if _is_order(right):
        return Ordering(left, right.text, _inside(right, parser))
    if right.kind == "sum":
        orders = [i for i, part in enumerate(right.parts) if _is_order(part)]
        if orders:
            return _expansion(left, right, orders, parser)
    if right.kind == "product" and right.parts[0].kind == "negative":  # -(1 + o(1))*g
        inner = asymptotic(left, replace(right, parts=(right.parts[0].parts[0], *right.parts[1:])), parser)
        return Ratio(left, Node("negative", right.column, "", (inner.right,))) if isinstance(inner, Ratio) else None
    if right.kind == "product":
        factors = [i for i, part in enumerate(right.parts) if _is_one_plus_o(part) and right.signs[i] == "*"]
        if len(factors) == 1 and not has_order(others := _without(right, factors[0])):
            return Ratio(left, others)
    return _in_brackets(left, right, parser) if has_order(right) else None


def _in_brackets(left: Node, right: Node, parser: Parser) -> Body:
    """An order in a factor, or in brackets: what it says of the whole side.

    >>> print(read_statement("f = n*(1 + O(1/n)) - 3"), read_statement("f = log(n) + (1 - o(1))"), sep="; ")
    f = n - 3 + O(n*(1/n)); f = log(n) + 1 + o(1)
    """
    with _told(right, parser):
        rest = remainder(right)
    if rest.ratio is not None:
        return Ratio(left, rest.ratio)
    if rest.kept is None:
        return Ordering(left, rest.order, rest.growth)
    if rest.order not in ("O", "o"):
        return Ordering(Node("sum", left.column, "", (left, rest.kept), "+-"), rest.order, rest.growth)
    return Expanding(left, rest.kept, rest.order, rest.growth)


@contextmanager
def _told(right: Node, parser: Parser) -> Iterator[None]:
    try:
        yield
    except NotLinear as error:
        raise parser.fail(str(error), first_order(right).column) from None


def _expansion(left: Node, right: Node, orders: list[int], parser: Parser) -> Body:
    last = right.parts[orders[-1]]
    if len(orders) > 1:
        raise parser.fail("a second remainder", last.column)
    if right.signs[orders[0]] == "-" or has_order(_without(right, orders[0])):
        return _in_brackets(left, right, parser)
    if last.text not in ("O", "o"):  # f = a + Theta(g): the difference is of that order
        difference = Node("sum", left.column, "", (left, _without(right, orders[0])), "+-")
        return Ordering(difference, last.text, _inside(last, parser))
    return Expanding(left, _without(right, orders[0]), last.text, _inside(last, parser))


def _is_order(node: Node) -> bool:
    return node.kind == "call" and node.text in ORDERS


def _is_one_plus_o(node: Node) -> bool:
    """``1 + o(1)``."""
    if node.kind != "sum" or len(node.parts) != 2 or node.signs != "++":
        return False
    ones = [p for p in node.parts if p.kind == "number" and p.text == "1"]
    smalls = [p for p in node.parts if p.kind == "call" and p.text == "o" and len(p.parts) == 1]
    return len(ones) == 1 and len(smalls) == 1 and smalls[0].parts[0].text == "1"


def _inside(node: Node, parser: Parser) -> Node:
    if len(node.parts) != 1:
        raise parser.fail(f"{node.text}(...) takes one growth", node.column)
    return node.parts[0]


def _without(node: Node, index: int) -> Node:
    """A sum or product without one of its parts; what then stands first has no sign before it that its text would lose.

    >>> print(read_statement("f = (1 + o(1))/n as n -> oo"))
    f ~ 1/n as n -> oo
    >>> print(read_statement("f = O(n) - a + b as n -> oo"))
    f = -a + b + O(n) as n -> oo
    """
    parts = node.parts[:index] + node.parts[index + 1 :]
    signs = node.signs[:index] + node.signs[index + 1 :]
    if signs[0] == "/":
        parts, signs = (Node("number", node.column, "1"), *parts), "*" + signs
    elif signs[0] == "-":
        parts, signs = (Node("negative", node.column, "", (parts[0],)), *parts[1:]), "+" + signs[1:]
    if len(parts) == 1 and signs in ("+", "*"):
        return parts[0]
    return replace(node, parts=parts, signs=signs)
