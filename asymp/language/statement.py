"""Statements: closed formulas as data, read from text and printed again.

A statement is a *body* (what is said), under quantifiers: a regime (what tends where), a domain (for all values of it),
and, innermost, values of which some do.  ``FORMS`` lists every form of a body with an example.

>>> print(read_statement("mu ~ 1/p"))
mu ~ 1/p
>>> print(read_statement("H(n) <= 1+log(n) for whole n>=1"))
H(n) <= 1 + log(n) for whole n >= 1
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace

from asymp.language.conditions import ORDERS, Compared, Conditions, conditions, text_of
from asymp.language.syntax import Node, Parser, words

Change = Callable[[Node], Node]
SHAPES = ("increasing", "decreasing", "nondecreasing", "nonincreasing")
EXTREMES = ("largest", "least")


# --- bodies ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Body:
    """What is said, without quantifiers."""

    def terms(self) -> Iterator[Node]:
        """The terms in it."""
        for item in (getattr(self, field.name) for field in fields(self)):
            for one in item if isinstance(item, tuple) else (item,):
                if isinstance(one, Node):
                    yield one
                elif isinstance(one, (Body, Compared)):
                    yield from one.terms()

    def changed(self, change: Change) -> Body:
        """The same with its terms changed."""

        def new(item: object) -> object:
            if isinstance(item, Node):
                return change(item)
            if isinstance(item, (Body, Compared)):
                return item.changed(change)
            return tuple(new(one) for one in item) if isinstance(item, tuple) else item

        return replace(self, **{field.name: new(getattr(self, field.name)) for field in fields(self)})


@dataclass(frozen=True)
class Comparison(Body):
    """``a <= b``, ``a = b``, and chains of them: each sign with its neighbours."""

    chain: Compared

    def __str__(self) -> str:
        return str(self.chain)


@dataclass(frozen=True)
class Ratio(Body):
    """``f ~ g``: f/g tends to 1."""

    left: Node
    right: Node

    def __str__(self) -> str:
        return f"{words(self.left)} ~ {words(self.right)}"


@dataclass(frozen=True)
class Limiting(Body):
    """``f -> value``; the value may be oo."""

    left: Node
    value: Node

    def __str__(self) -> str:
        return f"{words(self.left)} -> {words(self.value)}"


@dataclass(frozen=True)
class Ordering(Body):
    """``f = O(g)``, o, Theta, Omega, omega."""

    left: Node
    order: str
    growth: Node

    def __str__(self) -> str:
        return f"{words(self.left)} = {self.order}({words(self.growth)})"


@dataclass(frozen=True)
class Expanding(Body):
    """``f = a + b + O(g)`` or ``+ o(g)``."""

    left: Node
    kept: Node
    order: str
    growth: Node

    def __str__(self) -> str:
        return f"{words(self.left)} = {words(self.kept)} + {self.order}({words(self.growth)})"


@dataclass(frozen=True)
class Rounding(Body):
    """``x rounds to 0.577``: rounded, or cut, to the printed digits."""

    term: Node
    digits: str

    def __str__(self) -> str:
        return f"{words(self.term)} rounds to {self.digits}"


@dataclass(frozen=True)
class Shape(Body):
    """``f is increasing in x``."""

    term: Node
    shape: str
    name: str

    def __str__(self) -> str:
        return f"{words(self.term)} is {self.shape} in {self.name}"


@dataclass(frozen=True)
class Extreme(Body):
    """``f is largest at x = v``: of all x of the domain."""

    term: Node
    extreme: str
    name: str
    place: Node

    def __str__(self) -> str:
        return f"{words(self.term)} is {self.extreme} at {self.name} = {words(self.place)}"


@dataclass(frozen=True)
class OneRoot(Body):
    """``f = g has one root x in (a, b)``."""

    left: Node
    right: Node
    name: str
    low: Node
    high: Node

    def __str__(self) -> str:
        ends = f"({words(self.low)}, {words(self.high)})"
        return f"{words(self.left)} = {words(self.right)} has one root {self.name} in {ends}"


@dataclass(frozen=True)
class True_(Body):
    """``stable(n, p)``: a function of the model that answers true or false."""

    term: Node

    def __str__(self) -> str:
        return words(self.term)


@dataclass(frozen=True)
class Iff(Body):
    """``A iff B``."""

    left: Body
    right: Body

    def __str__(self) -> str:
        return f"{self.left} iff {self.right}"


@dataclass(frozen=True)
class If(Body):
    """``A if B``."""

    left: Body
    right: Body

    def __str__(self) -> str:
        return f"{self.left} if {self.right}"


@dataclass(frozen=True)
class And(Body):
    """``A and B``."""

    parts: tuple[Body, ...]

    def __str__(self) -> str:
        return " and ".join(map(str, self.parts))


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
    """

    body: Body
    some: Conditions = ()
    uniform: Conditions = ()
    domain: Conditions = ()
    regime: Conditions = ()

    def __str__(self) -> str:
        text = str(self.body)
        for word, found in (("for some", self.some), ("uniformly in", self.uniform), ("as", self.regime), ("for", self.domain)):
            if found:
                text += f" {word} {text_of(found)}"
        return text

    def terms(self) -> Iterator[Node]:
        """The terms of the body."""
        return self.body.terms()

    def conditions(self) -> Conditions:
        """All conditions."""
        return (*self.domain, *self.regime, *self.uniform, *self.some)


def read_statement(text: str) -> Statement:
    """The statement in a text.

    Raises:
        ParseError: one line with the column.
    """
    parser = Parser(text)
    statement = Statement(_body(parser))
    while parser.token.kind != "end":
        column = parser.token.column
        if parser.word("uniformly") and parser.word("in"):
            where = "uniform"
        elif parser.word("as"):
            where = "regime"
        elif parser.word("for"):
            where = "some" if parser.word("some") else "domain"
            parser.word("all")
        else:
            raise parser.fail(parser.unexpected())
        if parser.token.kind == "end":
            raise parser.fail("the condition after 'for' is missing", column)
        if getattr(statement, where):
            raise parser.fail("a second condition of this kind: put them into one, with commas", column)
        statement = replace(statement, **{where: tuple(conditions(parser))})
    asymptotic = [part for part in _parts(statement.body) if isinstance(part, (Ratio, Limiting, Ordering, Expanding))]
    if statement.uniform and not asymptotic:
        raise parser.fail("'uniformly' belongs to a statement about a limit", 1)
    return statement


def _parts(body: Body) -> list[Body]:
    if isinstance(body, And):
        return [one for part in body.parts for one in _parts(part)]
    return [*_parts(body.left), *_parts(body.right)] if isinstance(body, (Iff, If)) else [body]


def is_asymptotic(body: Body) -> bool:
    """Whether it says something of a limit.

    >>> is_asymptotic(read_statement("f = O(n)").body), is_asymptotic(read_statement("f <= n").body)
    (True, False)
    """
    return any(isinstance(part, (Ratio, Limiting, Ordering, Expanding)) for part in _parts(body))


def _body(parser: Parser) -> Body:
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
        raise parser.fail("a relation is missing (~, =, <=, <, >=, > or ->)")
    sign = parser.token.text
    if sign in ("~", "->"):
        parser.position += 1
        right = parser.expression()
        _only_one(parser)
        return Ratio(left, right) if sign == "~" else Limiting(left, right)
    chain = [left]
    signs = []
    while parser.token.kind == "relation":
        signs.append(parser.token.text)
        if signs[-1] in ("~", "->"):
            raise parser.fail("a second relation: one statement at a time")
        parser.position += 1
        chain.append(parser.expression())
    if signs == ["="]:
        if parser.word("has"):
            return _root(parser, left, chain[1])
        found = asymptotic(left, chain[1], parser)
        if found is not None:
            return found
    return Comparison(Compared(tuple(chain), tuple(signs)))


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
    ends = parser.expression() if parser.word("in") else left
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
    if _is_order(right):
        return Ordering(left, right.text, _inside(right, parser))
    if right.kind == "sum":
        orders = [i for i, part in enumerate(right.parts) if _is_order(part)]
        if orders:
            return _expansion(left, right, orders, parser)
    if right.kind == "product":
        factors = [i for i, part in enumerate(right.parts) if _is_one_plus_o(part) and right.signs[i] == "*"]
        if len(factors) == 1:
            return Ratio(left, _without(right, factors[0]))
    return None


def _expansion(left: Node, right: Node, orders: list[int], parser: Parser) -> Expanding:
    last = right.parts[orders[-1]]
    if len(orders) > 1:
        raise parser.fail("a second remainder", last.column)
    if last.text not in ("O", "o"):
        raise parser.fail(f"a remainder is O(...) or o(...), not {last.text}(...)", last.column)
    if right.signs[orders[0]] == "-":
        raise parser.fail("a remainder is added, not subtracted", last.column)
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
    """A sum or product without one of its parts."""
    parts = node.parts[:index] + node.parts[index + 1 :]
    signs = node.signs[:index] + node.signs[index + 1 :]
    if len(parts) == 1 and signs in ("+", "*"):
        return parts[0]
    return replace(node, parts=parts, signs=signs)


FORMS: tuple[tuple[str, str, str], ...] = (
    ("f ~ g", "f/g tends to 1", "harmonic(n) ~ log(n) as n -> oo"),
    ("f -> v", "f tends to v, or to oo", "(1 + 1/n)^n -> E as n -> oo"),
    ("f = O(g)", "also o, Theta, Omega, omega", "log(n) = o(n) as n -> oo"),
    ("f = a + b + O(g)", "or + o(g): the remainder", "harmonic(n) = log(n) + EulerGamma + O(1/n) as n -> oo"),
    ("f = (1 + o(1))*g", "the same as f ~ g", "harmonic(n) = (1 + o(1))*log(n) as n -> oo"),
    ("... uniformly in C", "one bound for all these values", "i/n^2 = o(1) uniformly in whole i, 1 <= i <= n as n -> oo"),
    ("f = g for C", "equal on the domain", "Sum(k, (k, 1, n)) = n*(n+1)/2 for whole n >= 1"),
    ("f <= g for C", "also <, >=, >", "log(1+x) <= x for x > 0"),
    ("a <= b <= c for C", "a chain: each sign with its neighbours", "0 < 1/(1+x) < 1 for x > 0"),
    ("f rounds to 0.57", "rounded, or cut, to the digits", "EulerGamma rounds to 0.5772"),
    ("f is increasing in x for C", "decreasing, nondecreasing, nonincreasing", "x/(1+x) is increasing in x for x > 0"),
    ("f is largest at x = v for C", "or least: of all x of the domain", "x*(1-x) is largest at x = 1/2 for 0 < x < 1"),
    ("f = g has one root x in (a, b)", "exactly one", "x^2 = 2 has one root x in (0, 2)"),
    ("A and B", "both", "0 < x and x < 1 for 1/3 < x < 1/2"),
    ("A iff B", "each where the other", "n^2 = 4 iff n = 2 for n in 0..6"),
    ("A if B", "the first wherever the second", "n^2 >= 4 if n >= 2 for n in 0..6"),
    ("A for some C for D", "of all D there are C", "k^2 = n for some k in 0..3 for n in {0, 1, 4, 9}"),
)
"""(pattern, what it says, an example)."""
