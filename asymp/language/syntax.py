"""Text to trees: a precedence-climbing parser.  Nothing is ever evaluated as code."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from asymp.language.numbers import ParseError
from asymp.language.once import once
from asymp.language.tokens import NUMBERS as NUMBERS
from asymp.language.tokens import RESERVED as RESERVED
from asymp.language.tokens import Token as Token
from asymp.language.tokens import spelt as spelt
from asymp.language.tokens import tokens as tokens

MAX_NESTING = 60  # brackets, powers and signs inside one another
DESCRIBED = ("Laplace", "Generating", "Mgf", "Masses", "Distribution", "Moments")
"""Laws by what is given of them: see :mod:`asymp.language.laws`."""
EVENTS = ("<=", "<", ">=", ">", "=")
"""What may stand in ``P(X <= x)``."""
BINDERS = ("Sum", "Product", "Integral", "Ranked", "Vector", "Coefficient", *DESCRIBED)
"""``Ranked(f(j), (j, a, b), i)`` is the i-th smallest of the values f(a), ..., f(b): its rank stands outside of the range.
``Vector(f(k), (k, a, b))`` are these values in their order: no number, and an argument of functions of a chain alone.
``Coefficient(F, (z, 0, n))``, which is written ``[z^n] F``, is the coefficient of z^n in the power series of F at 0."""

# --- trees -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Node:
    """A node: number, name, call, sum, product, power, negative, factorial, tuple, or event (X <= x).

    ``text`` is the number, the name or the function; a sum's and a product's ``signs`` say which
    parts are subtracted or divided by.
    """

    kind: str
    column: int = field(compare=False)
    text: str = ""
    parts: tuple[Node, ...] = ()
    signs: str = ""

    def __hash__(self) -> int:
        return self._hash

    @once
    def _hash(self) -> int:
        return hash((self.kind, self.text, self.parts, self.signs))

    @once
    def free(self) -> frozenset[str]:
        """The names in it that no range binds; functions that are called are not among them."""
        if self.kind == "name":
            return frozenset((self.text,))
        if not binds(self):
            return frozenset[str]().union(*(part.free for part in self.parts))
        found = self.parts[0].free
        for name, low, high in ranges(self):
            found = (found - {name}) | low.free | high.free
        return found.union(*(part.free for part in outside(self)))

    @once
    def every_name(self) -> frozenset[str]:
        """All names in it, bound or free, and those of the functions that it calls."""
        own = frozenset((self.text,)) if self.kind in ("name", "call") else frozenset[str]()
        return own.union(*(part.every_name for part in self.parts))

    @once
    def size(self) -> int:
        """The number of nodes."""
        return 1 + sum(part.size for part in self.parts)

    @once
    def calls(self) -> frozenset[str]:
        """The names of the functions that it calls, Sum and its kin among them."""
        own = frozenset((self.text,)) if self.kind == "call" else frozenset[str]()
        return own.union(*(part.calls for part in self.parts)) if self.parts else own

    @once
    def written(self) -> str:
        """Its text: see :func:`words`."""
        return _written(self)

    def of(self, parts: tuple[Node, ...]) -> Node:
        """The same of other parts; itself where they are its own, with all that is known of it.

        >>> node = Parser("f(x, 2)").whole()
        >>> words(node.of(node.parts[::-1])), node.of(tuple(node.parts)) is node
        ('f(2, x)', True)
        """
        same = all(map(operator.is_, parts, self.parts)) and len(parts) == len(self.parts)
        return self if same else Node(self.kind, self.column, self.text, parts, self.signs)


def walk(node: Node) -> Iterator[Node]:
    """The node and all in it."""
    yield node
    for part in node.parts:
        yield from walk(part)


def ranges(node: Node) -> list[tuple[str, Node, Node]]:
    """The ranges of a Sum, Product or Integral, the innermost first; the one range of what is Ranked, of a Vector, a Coefficient.

    >>> [name for name, low, high in ranges(Parser("Sum(k*j, (k, 1, j), (j, 1, n))").whole())]
    ['k', 'j']
    """
    limits = limits_of(node)
    if len(node.parts) != {"Ranked": 3, "Vector": 2, "Coefficient": 2}.get(node.text, len(node.parts)):
        return []
    if any(x.kind != "tuple" or len(x.parts) != 3 or x.parts[0].kind != "name" for x in limits) or not limits:
        return []
    return [(x.parts[0].text, x.parts[1], x.parts[2]) for x in limits]


def limits_of(node: Node) -> tuple[Node, ...]:
    """The parts of a binder that are its ranges."""
    return node.parts[1:2] if node.text == "Ranked" else node.parts[1:]


def outside(node: Node) -> tuple[Node, ...]:
    """What stands in a binder besides its body and its ranges: the rank.

    >>> outside(Parser("Ranked(x(j), (j, 1, s), i)").whole())[0].text
    'i'
    """
    return node.parts[2:] if node.text == "Ranked" else ()


def binds(node: Node) -> bool:
    """Whether it is a Sum, Product, Integral, Ranked, Vector or Coefficient with its ranges."""
    return node.kind == "call" and node.text in BINDERS and bool(ranges(node))


def words(node: Node) -> str:
    """A tree as text again.

    >>> words(Parser("-2*(n+1)^2/log(n)!").whole())
    '-2*(n + 1)^2/log(n)!'
    """
    return node.written


def _written(node: Node) -> str:
    inner = [part.written for part in node.parts]
    if is_double_factorial(node):
        is_loose = node.parts[0].kind in _LOOSE["factorial"] or is_double_factorial(node.parts[0])
        return (f"({inner[0]})" if is_loose else inner[0]) + "!!"
    if node.kind == "event":
        return f"{inner[0]} {node.text} {inner[1]}"
    if node.text == "ZetaDerivative" and len(inner) == 2 and inner[0] in ("1", "2", "3"):
        return f"zeta{chr(39) * int(inner[0])}({inner[1]})"
    if is_coefficient(node):
        ((name, _, order),) = ranges(node)
        power = f"({order.written})" if order.kind not in ("name", "number") else order.written
        body = f"({inner[0]})" if node.parts[0].kind == "sum" else inner[0]
        return f"[{name}^{power}] {body}"
    if node.kind in ("call", "tuple"):
        return f"{node.text}({', '.join(inner)})"
    loose = _LOOSE[node.kind]
    closed = [f"({x})" if p.kind in loose or (node.kind == "factorial" and is_double_factorial(p))
              or (node.kind != "sum" and is_coefficient(p)) else x
              for p, x in zip(node.parts, inner, strict=True)]  # fmt: skip
    if node.kind == "power" and node.parts[1].kind == "factorial":  # n^2! has two readings
        closed[1] = f"({inner[1]})"
    if node.kind == "product":  # x/-(1/3) is not x/-1/3
        closed = [f"({x})" if k and p.kind == "negative" else x for k, (p, x) in enumerate(zip(node.parts, closed, strict=True))]
    match node.kind:
        case "sum":
            return closed[0] + "".join(f" {s} {x}" for s, x in zip(node.signs[1:], closed[1:], strict=True))
        case "product":
            return closed[0] + "".join(s + x for s, x in zip(node.signs[1:], closed[1:], strict=True))
        case "negative":
            return "-" + closed[0]
        case "power":
            return "^".join(closed)
        case "factorial":
            return closed[0] + "!"
    return node.text


_ORIGIN = Node("number", 1, "0")
_LOOSE: dict[str, tuple[str, ...]] = {
    "number": (), "name": (), "sum": ("sum",), "product": ("sum", "product"), "negative": ("sum",),
    "power": ("sum", "product", "negative", "power"), "factorial": ("sum", "product", "negative", "power", "factorial"),
}  # fmt: skip
"""What needs brackets inside a node: (n!)! too, as n!! is another function."""


def is_double_factorial(node: Node) -> bool:
    """``n!!``, which is ``factorial2(n)``.

    >>> words(Parser("factorial2(2*n) + ((n!!)!)!").whole())
    '(2*n)!! + ((n!!)!)!'
    """
    return node.kind == "call" and node.text == "factorial2" and len(node.parts) == 1


@lru_cache(maxsize=8)
def _meant(name: str) -> Node:
    """What a name of a number stands for.

    >>> words(Parser("log(Glaisher)").whole())
    "log(exp(1/12 - zeta'(-1)))"
    """
    return Parser(NUMBERS[name]).whole()


def is_coefficient(node: Node) -> bool:
    """``[z^n] F``, which reaches to the end of a product.

    >>> words(Parser("n!*[z^(2*n)] (1 + z)/(1 - z) - 1").whole())
    'n!*([z^(2*n)] (1 + z)/(1 - z)) - 1'
    """
    return node.kind == "call" and node.text == "Coefficient" and len(found := ranges(node)) == 1 and found[0][1] == _ORIGIN


class Parser:
    """Reads expressions from a list of tokens, by precedence climbing."""

    def __init__(self, text: str, found: list[Token] | None = None) -> None:
        self.text = text
        self.found = tokens(text) if found is None else found
        self.position = 0
        self.depth = 0
        self.open_end = False
        self.divides = False

    @property
    def token(self) -> Token:
        """The token to be read next."""
        return self.found[self.position]

    def fail(self, what: str, column: int | None = None) -> ParseError:
        """The error to raise at a column (the present one by default)."""
        return ParseError(what, self.text, self.token.column if column is None else column)

    def take(self, *words: str) -> bool:
        """Whether the next token is one of these operators or relations; it is then taken."""
        if self.token.kind in ("op", "relation") and self.token.text in words:
            self.position += 1
            return True
        return False

    def word(self, *words: str) -> bool:
        """Whether the next token is one of these names; it is then taken."""
        if self.token.kind == "name" and self.token.text in words:
            self.position += 1
            return True
        return False

    def whole(self) -> Node:
        """The whole text as one expression."""
        node = self.expression()
        if self.token.kind != "end":
            raise self.fail(self.unexpected())
        return node

    def unexpected(self) -> str:
        """What is wrong with the next token."""
        token = self.token
        if token.kind == "end":
            return "the text ends too soon"
        if token.text in ("{", "}", "[", "]"):
            return f"the bracket {token.text!r}: use round brackets ([z^n] F is a coefficient)"
        if token.kind in ("name", "number") or token.text == "(":
            return f"an operator is missing before {token.text[:30]!r} (products are written with *)"
        return f"unexpected {token.text!r}"

    def _enter(self) -> None:
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise self.fail(f"nested more than {MAX_NESTING} deep")

    def expression(self, open_end: bool = False) -> Node:
        """A sum; ``open_end``: a sign at the end of a limit, as in ``p -> 0+``, is left to the caller."""
        self.open_end = open_end
        return self._chain("sum", "+-")

    def _ends_limit(self) -> bool:
        """Whether the sign that is next says from which side a limit is reached."""
        following = self.found[self.position + 1]
        ends = following.kind == "end" or following.text in (",", "and", "for", "as", "uniformly")
        return self.open_end and self.depth == 0 and ends

    def _product(self) -> Node:
        return self._chain("product", "*/")

    def _chain(self, kind: str, operators: str) -> Node:
        column = self.token.column
        read = self._product if kind == "sum" else self._signed
        parts, signs = [read()], operators[0]
        while self.token.kind == "op" and self.token.text in operators and not self._ends_limit():
            signs += self.token.text
            self.position += 1
            self.divides = signs[-1] == "/"
            parts.append(read())
            self.divides = False
        return parts[0] if len(parts) == 1 else Node(kind, column, "", tuple(parts), signs)

    def _signed(self) -> Node:
        column = self.token.column
        if self.take("-"):
            self._enter()
            node = Node("negative", column, "", (self._signed(),))
            self.depth -= 1
            return node
        if self.token.kind == "op" and self.token.text == "+":
            raise self.fail("a + with nothing before it: leave it out")
        return self._power()

    def _power(self) -> Node:
        divides, self.divides = self.divides, False
        if self.token.text == "[" and self.token.kind == "op":
            return self._coefficient(divides)
        base = self._atom()
        column = self.token.column
        if self.take("!"):
            base = Node("factorial", column, "", (base,))
        elif self.take("!!"):
            base = Node("call", column, "factorial2", (base,))
        if self.token.text in ("!", "!!"):
            raise self.fail("a second factorial: write (n!)!, or n!! for the double factorial")
        if not self.take("^"):
            return base
        self._enter()
        self.divides = True  # so that no more is taken with a coefficient than there is
        node = Node("power", column, "", (base, self._signed()))
        if self.found[self.position - 1].text == "!":
            raise self.fail("a power and then !: write (n^2)! or n^(2!)", column)
        self.depth -= 1
        return node

    def _coefficient(self, divides: bool) -> Node:
        """``[z^n] F``, with the product that follows; behind a division sign, or in an exponent, with one factor."""
        column = self.token.column
        self.position += 1
        variable = self._atom() if self.token.kind == "name" else self.token
        if not isinstance(variable, Node) or variable.kind != "name" or not self.take("^"):
            raise self.fail("a coefficient is written [z^n] F")
        order = self._atom()
        if not self.take("]"):
            raise self.fail("a coefficient is written [z^n] F, [z^(2*n)] F")
        self._enter()
        body = self._signed() if divides else self._product()
        self.depth -= 1
        if divides and self.token.kind == "op" and self.token.text in "*/":
            raise self.fail("how far does the coefficient reach?  Write brackets: ([z^n] F)")
        return Node("call", column, "Coefficient", (body, Node("tuple", column, "", (variable, _ORIGIN, order))))

    def _atom(self) -> Node:
        token = self.token
        if token.kind == "number":
            self.position += 1
            return Node("number", token.column, token.text)
        if token.kind == "name":
            if token.text in RESERVED:
                raise self.fail(f"'{token.text}' is a word of the language, and out of place here")
            self.position += 1
            if token.text.startswith("zeta'"):
                order = Node("number", token.column, str(len(token.text) - 4))
                return Node("call", token.column, "ZetaDerivative", (order, *self._arguments()))
            if self.token.kind == "op" and self.token.text == "(":
                return Node("call", token.column, token.text, self._arguments(event=token.text == "P"))
            if token.text in NUMBERS:
                return _meant(token.text)
            return Node("name", token.column, token.text)
        if token.text == "(" and token.kind == "op":
            parts = self._arguments()
            if len(parts) == 1:
                return parts[0]
            return Node("tuple", token.column, "", parts)
        raise self.fail(self.unexpected())

    def _arguments(self, event: bool = False) -> tuple[Node, ...]:
        """``(a, b, ...)``, the opening bracket being next; ``event``: or ``(a <= b)``."""
        opening = self.token.column
        self.position += 1
        self._enter()
        if self.take(")"):
            raise self.fail("an empty pair of brackets", opening)
        parts = [self._chain("sum", "+-")]
        if event and (sign := self.token.text) in EVENTS and self.take(*EVENTS):
            parts = [Node("event", opening, sign, (parts[0], self._chain("sum", "+-")))]
        while self.take(","):
            parts.append(self._chain("sum", "+-"))
        if not self.take(")"):
            if self.token.kind == "end":
                raise self.fail("a bracket that is never closed", opening)
            raise self.fail(self.unexpected())
        self.depth -= 1
        return tuple(parts)
