"""The parts of a statement that may be undefined: functions, powers, quotients, sums, as they are written.

>>> from asymp.language.syntax import Parser
>>> [str(part.condition()) for part in parts_of(Parser("log(1 - x)/x").whole())]
['1 - x > 0', 'x != 0']
>>> str([*parts_of(Parser("Sum(x^k, (k, 0, n))").whole())][1].condition()).split(" or ")[-1]  # 1 at k = 0, for x = 0 too
'(k whole and k >= 0))'
>>> [str(part.condition()) for part in parts_of(Parser("asin(x + 1)^n").whole())]  # doctest: +ELLIPSIS
['(x + 2 >= 0 and -x >= 0)', '(asin(x + 1) > 0 or (n whole and asin(x + 1) != 0) or ...)']
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import NamedTuple

from asymp.functions.row import Alternatives, conditions
from asymp.functions.table import NAMED
from asymp.language.names import BINDERS, binds, ranges, substitute
from asymp.language.numbers import exact
from asymp.language.syntax import Node, Parser, is_coefficient, words
from asymp.language.value import NotExact, value

ARGUMENTS = "xyzw"
ZERO, ONE = Node("number", 1, "0"), Node("number", 1, "1")
_WORDS = {">": "{} > 0", ">=": "{} >= 0", "!=": "{} != 0", "whole": "{} whole", "no pole": "{} not in 0, -1, -2, ..."}
_POWER: Alternatives = tuple(map(conditions, ("x > 0", "whole y, x != 0", "whole y, y > 0", "x >= 0, y > 0")))
"""Where x^y is real: an odd root of a negative number is not read as one."""
_COUNTED: Alternatives = (*_POWER, conditions("whole y, y >= 0"))
"""The same where y counts factors: the index of a Sum or Product stands in y, and not in x."""


class Need(NamedTuple):
    """What is needed of a term: ``kind`` is >, >= or != (of it and 0), ``whole`` or ``no pole`` (it is none of 0, -1, ...)."""

    kind: str
    term: Node

    def __str__(self) -> str:
        return _WORDS[self.kind].format(words(self.term))


@dataclass(frozen=True)
class Needs:
    """At every point one of the alternatives holds, each with all it needs; of none: nowhere, and ``why``."""

    alternatives: tuple[tuple[Need, ...], ...]
    why: str = ""

    def __str__(self) -> str:
        return _joined(" or ", [_joined(" and ", list(map(str, one))) for one in self.alternatives]) or self.why

    @property
    def terms(self) -> tuple[Node, ...]:
        """All terms of which something is needed."""
        return tuple(need.term for one in self.alternatives for need in one)

    @cached_property
    def free(self) -> frozenset[str]:
        """The names in them."""
        return frozenset[str]().union(*(term.free for term in self.terms))


EVERYWHERE = Needs(((),))


def _joined(word: str, parts: list[str]) -> str:
    return f"({word.join(parts)})" if len(parts) > 1 else "".join(parts)


def needed(kind: str, term: Node) -> Needs:
    """One condition."""
    return Needs(((Need(kind, term),),))


def difference(high: Node, low: Node, more: int = 0) -> Node:
    """``high - low`` and a whole number more."""
    parts = (high, low, Node("number", 1, str(abs(more))))
    return Node("sum", 1, "", parts, "+-+" if more > 0 else "+--") if more else Node("sum", 1, "", parts[:2], "+-")


class Binder(NamedTuple):
    """A bound variable of a part: that of a Sum or Product (whole, ends belong to it) or of an Integral."""

    name: str
    low: Node
    high: Node
    operator: str

    @property
    def whole(self) -> bool:
        """Whether it runs through whole numbers."""
        return self.operator != "Integral"


@dataclass(frozen=True)
class Part:
    """One operation of a statement.

    Args:
        head: the function's name, or ``power``, ``divide``, ``Sum``, ``Product``, ``Integral``; ``whole`` where it has to be
            that.
        arguments: what it is applied to (a power's base and exponent, a quotient's divisor, an operator's ends).
        text: as it is written.
        binders: the bound variables it stands under, the outermost first.
        total: of a Sum, Product or Integral over one range, its variable and its body.
    """

    head: str
    arguments: tuple[Node, ...]
    text: str
    binders: tuple[Binder, ...] = ()
    total: tuple[str, Node] | None = None

    @property
    def free(self) -> frozenset[str]:
        """The names in its arguments that are not bound."""
        return frozenset[str]().union(*(x.free for x in self.arguments)) - {b.name for b in self.binders}

    def condition(self) -> Needs:
        """Where it is real (of a sum: nothing, its ends are another question; so is whether there is a power series)."""
        match self.head:
            case "power":
                base, exponent = self.arguments
                counts = not exponent.free.isdisjoint({b.name for b in self.binders if b.whole} - base.free)
                return _at(_COUNTED, self.arguments) if counts else power(base, exponent)
            case "divide":
                return needed("!=", self.arguments[0])
            case "whole":
                return needed("whole", self.arguments[0])
            case "Sum" | "Product" | "Integral":
                return EVERYWHERE
            case "Coefficient":
                return Needs(((Need("whole", self.arguments[1]), Need(">=", self.arguments[1])),))
        row = NAMED.get(self.head)
        if row is None or not row.least <= len(self.arguments) <= row.most:
            return Needs((), f"where {self.head} is real is not known")
        return _at(row.real(len(self.arguments)), self.arguments)

    def general(self) -> Needs:
        """The condition of its function, about X, Y, ...: what is needed of any arguments."""
        return _at(NAMED[self.head].real(len(self.arguments)), tuple(Node("name", 1, letter) for letter in "XYZW"))

    def with_values(self, values: dict[str, Node]) -> Part:
        """The part with terms for free names."""
        bound: list[Binder] = []
        for b in self.binders:
            bound.append(b._replace(low=substitute(b.low, values), high=substitute(b.high, values)))
            values = {name: value for name, value in values.items() if name != b.name}
        total = self.total
        if total is not None:
            total = total[0], substitute(total[1], {name: v for name, v in values.items() if name != total[0]})
        return replace(self, arguments=tuple(substitute(x, values) for x in self.arguments), binders=tuple(bound), total=total)


def of_numbers_alone(call: Node) -> Iterator[Node]:
    """The arguments of a function that has values at whole numbers alone, as Bell's numbers."""
    row, count = NAMED.get(call.text), len(call.parts)
    if row is None or not row.least <= count <= row.most:
        return
    for letter, part in zip("xyzw", call.parts, strict=False):
        if all(any((one.kind, one.text) == ("whole", letter) for one in some) for some in row.real(count) or [()]):
            yield part


def power(base: Node, exponent: Node) -> Needs:
    """The condition under which a power is real, in its shortest form.

    >>> from asymp.language.syntax import Parser
    >>> [str(power(Parser("n").whole(), Parser(k).whole())) for k in ("2", "-1/2", "3/2", "-n")]
    ['', 'n > 0', 'n >= 0', '(n > 0 or (-n whole and n != 0) or (-n whole and -n > 0) or (n >= 0 and -n > 0))']
    """
    if (k := _rational(exponent)) is not None:
        sign, is_whole = k
        if is_whole:
            return EVERYWHERE if sign > 0 else needed("!=", base)
        return needed(">=" if sign > 0 else ">", base)
    return _at(_POWER, (base, exponent))


def _rational(node: Node) -> tuple[int, bool] | None:
    """The sign of a rational number that is written down, and whether it is whole; None of anything else."""
    if node.free or node.kind == "call":
        return None
    try:
        found = value(node, {})
    except (NotExact, ArithmeticError):
        return None
    return (found > 0) - (found < 0), found.denominator == 1


@lru_cache(maxsize=1_000)
def _pattern(kind: str, text: str) -> Need:
    return Need(kind, Parser(text).whole())


def _at(alternatives: Alternatives, arguments: tuple[Node, ...]) -> Needs:
    """The condition of a row at arguments."""
    put = dict(zip(ARGUMENTS, arguments, strict=False))
    found = tuple(tuple(Need(n.kind, _put(_pattern(*n).term, put)) for n in one) for one in alternatives)
    return Needs(found)


def _put(node: Node, put: dict[str, Node]) -> Node:
    found = substitute(node, put)
    return found if found.kind != "sum" or found == put.get(node.text) else _flat(found)


def _flat(node: Node) -> Node:
    """A sum without sums in it, its numbers added up: 1 - 1/n for (2 - 1/n) - 1."""
    total, rest = Fraction(0), list[tuple[int, Node]]()
    for way, part in _addends(node, 1):
        if part.kind == "number":
            total += way * exact(part.text)
        else:
            rest.append((way, part))
    if total.denominator != 1:
        return node
    constant = [(1 if total > 0 else -1, Node("number", 1, str(abs(total))))] if total or not rest else []
    (way, first), *others = [*constant, *rest] if total > 0 and rest and rest[0][0] < 0 else [*rest, *constant]
    parts = (first if way > 0 else Node("negative", 1, "", (first,)), *(part for _, part in others))
    return parts[0] if not others else Node("sum", 1, "", parts, "+" + "".join("+" if way > 0 else "-" for way, _ in others))


def _addends(node: Node, way: int) -> Iterator[tuple[int, Node]]:
    if node.kind == "sum":
        for sign, part in zip(node.signs, node.parts, strict=True):
            yield from _addends(part, way if sign == "+" else -way)
    elif node.kind == "negative":
        yield from _addends(node.parts[0], -way)
    else:
        yield way, node


def _without(node: Node, names: frozenset[str]) -> Iterator[Node]:
    """The largest parts of a term that do not hold a variable, nor those of ranges in it: these are looked at one by one."""
    if node.free.isdisjoint(names):
        yield node
    else:
        inner = names.union(name for name, _, _ in ranges(node)) if binds(node) else names
        for part in node.parts:
            yield from _without(part, inner)


def _divisors(node: Node, names: frozenset[str]) -> Iterator[Node]:
    """What a term divides by that does not hold these, in its parts that do."""
    if not node.free.isdisjoint(names):
        inner = names.union(name for name, _, _ in ranges(node)) if binds(node) else names
        for k, part in enumerate(node.parts):
            if node.kind == "product" and node.signs[k] == "/" and part.free.isdisjoint(names):
                yield part
            yield from _divisors(part, inner)


def parts_of(node: Node, binders: tuple[Binder, ...] = ()) -> Iterator[Part]:
    """The parts of a term: each after those it is made of, the summand of a sum after its ends.

    Of what a coefficient is taken of only the parts that do not hold its variable: 1/z need not have a value at 0 for
    (exp(z) - 1)/z to have a power series there.
    """
    if is_coefficient(node):
        ((name, low, high),) = ranges(node)
        yield from parts_of(high, binders)
        for part in _without(node.parts[0], frozenset((name,))):
            yield from parts_of(part, binders)
        for part in _divisors(node.parts[0], frozenset((name,))):
            yield Part("divide", (part,), words(node.parts[0]), binders)
        yield Part(node.text, (low, high), words(node), binders, (name, node.parts[0]))
        return
    if binds(node) and node.text != "Ranked":
        inner, limits = binders, ranges(node)
        for name, low, high in reversed(limits):  # the last range is the outermost
            for end in (low, high):
                yield from parts_of(end, inner)
            yield Part(node.text, (low, high), words(node), inner, (name, node.parts[0]) if len(limits) == 1 else None)
            inner = (*inner, Binder(name, low, high, node.text))
        yield from parts_of(node.parts[0], inner)
        return
    if node.kind == "product":
        for part in node.parts:
            yield from parts_of(part, binders)
        for sign, part in zip(node.signs, node.parts, strict=True):
            if sign == "/":
                yield Part("divide", (part,), words(node), binders)
        return
    for part in node.parts:
        yield from parts_of(part, binders)
    if node.kind == "factorial":
        yield Part("factorial", node.parts, words(node), binders)
    elif node.kind == "power" and not (node.parts[0].kind == "name" and node.parts[0].text == "E"):
        yield Part("power", node.parts, words(node), binders)
    elif node.kind == "call" and node.text not in BINDERS:
        yield Part(node.text, node.parts, words(node), binders)
