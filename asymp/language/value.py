"""Exact values of terms at a point: rational arithmetic, sums, and functions of a model; no SymPy, no rounding.

>>> from asymp.language.syntax import Parser
>>> value(Parser("Sum(p^k/k, (k, 1, n)) - harmonic(n)").whole(), {"n": Fraction(2), "p": Fraction(1, 2)})
Fraction(-7, 8)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from asymp.language.names import BINDERS, binds, called, free_names, outside, ranges, substitute
from asymp.language.numbers import exact
from asymp.language.syntax import Node

MOST_TERMS = 100_000
MOST_BITS = 2_000_000
Point = Mapping[str, Any]
Functions = Mapping[str, Callable[..., Any]]


class NotExact(ValueError):
    """A term has no rational value here, or none that is computed so."""


class Undefined(NotExact):
    """A term has no value here at all."""


def value(node: Node, point: Point, functions: Functions | None = None) -> Any:
    """The value at a point: a Fraction, or what a function of the model answers.

    Raises:
        NotExact: it is no rational number, or too much work; a division by zero too.
    """
    return _Evaluator(functions or {}).value(node, {name: _fraction(x) for name, x in point.items()})


def _fraction(found: Any) -> Any:
    if type(found) is Fraction:
        return found
    if isinstance(found, (int, Fraction)) and not isinstance(found, bool):
        return Fraction(found)
    p, q = getattr(found, "p", None), getattr(found, "q", None)
    return Fraction(int(p), int(q)) if p is not None and q is not None and not isinstance(found, bool) else found


class _Evaluator:
    """One evaluation: it counts the terms of its sums."""

    def __init__(self, functions: Functions) -> None:
        self.functions = functions
        self.terms = 0
        self.indices: frozenset[str] = frozenset()

    def value(self, node: Node, at: Mapping[str, Any]) -> Any:
        match node.kind:
            case "number":
                return exact(node.text)
            case "name":
                if node.text not in at:
                    raise NotExact(f"{node.text} has no value here")
                return at[node.text]
            case "negative":
                return -self.number(node.parts[0], at)
            case "factorial":
                return self._known("factorial", [self.number(node.parts[0], at)])
            case "power":
                base, exponent = (self.number(part, at) for part in node.parts)
                counts = exponent == 0 and not self.indices.isdisjoint(node.parts[1].free - node.parts[0].free)
                return Fraction(1) if counts else self._power(base, exponent)
            case "sum":
                found = Fraction(0)
                for sign, part in zip(node.signs, node.parts, strict=True):
                    found += self.number(part, at) if sign == "+" else -self.number(part, at)
                return found
            case "product":
                return self._product(node, at)
            case "tuple":
                return tuple(self.value(part, at) for part in node.parts)
        return self._call(node, at)

    def number(self, node: Node, at: Mapping[str, Any]) -> Fraction:
        """A value that must be a number."""
        found = _fraction(self.value(node, at))
        if not isinstance(found, Fraction):
            raise NotExact(f"a {type(found).__name__} is no number to calculate with")
        return found

    def _product(self, node: Node, at: Mapping[str, Any]) -> Fraction:
        found = Fraction(1)
        for sign, part in zip(node.signs, node.parts, strict=True):
            factor = self.number(part, at)
            if sign == "/" and factor == 0:
                raise Undefined("division by zero")
            found = found * factor if sign == "*" else found / factor
        return found

    def _power(self, base: Fraction, exponent: Fraction) -> Fraction:
        if exponent.denominator != 1:
            return _root(base, exponent)
        power = int(exponent)
        if base == 0 and power <= 0:
            raise Undefined("0 to that power")
        size = max(abs(base.numerator).bit_length(), base.denominator.bit_length())
        if base not in (0, 1, -1) and size * abs(power) > MOST_BITS:
            raise NotExact("a power too large to write down")
        return base**power

    def _call(self, node: Node, at: Mapping[str, Any]) -> Any:
        if binds(node):
            return self._total(node, at)
        if node.text in self.functions:
            arguments = [_plain(self.value(part, at)) for part in node.parts]
            return answered(node.text, self.functions[node.text](*arguments))
        return self._known(node.text, [self.number(part, at) for part in node.parts])

    def _total(self, node: Node, at: Mapping[str, Any]) -> Any:
        if node.text in ("Integral", "Coefficient"):
            raise NotExact(f"a value of {node.text} is not computed here")
        if node.text == "Ranked":
            return self._ranked(node, at)
        if node.text == "Vector":
            return tuple(_plain(self.number(node.parts[0], inner)) for inner in self._points(ranges(node), at))
        found = Fraction(0) if node.text == "Sum" else Fraction(1)
        for inner in self._points(ranges(node), at):
            outer, self.indices = self.indices, self.indices.union(name for name, _, _ in ranges(node))
            term = self.number(node.parts[0], inner)
            self.indices = outer
            found = found + term if node.text == "Sum" else found * term
        return found

    def _ranked(self, node: Node, at: Mapping[str, Any]) -> Fraction:
        found = sorted(self.number(node.parts[0], inner) for inner in self._points(ranges(node), at))
        rank = self.number(outside(node)[0], at)
        if rank.denominator != 1 or not 1 <= rank <= len(found):
            raise Undefined(f"the rank {rank} among {len(found)} values")
        return found[int(rank) - 1]

    def _points(self, limits: list[tuple[str, Node, Node]], at: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        """The points of a total: the last range is the outermost."""
        if not limits:
            self.terms += 1
            if self.terms > MOST_TERMS:
                raise NotExact(f"sums of more than {MOST_TERMS} terms")
            yield at
            return
        name, low, high = limits[-1]
        if any(end.kind == "name" and end.text == "oo" for end in (low, high)):
            raise NotExact("an infinite sum")
        first, last = (self.number(end, at) for end in (low, high))
        if first.denominator != 1 or last.denominator != 1:
            raise Undefined(f"the ends of the sum over {name} are not whole")
        if last < first - 1:
            raise Undefined(f"the sum over {name} runs backwards")
        for k in range(int(first), int(last) + 1):
            yield from self._points(limits[:-1], {**at, name: Fraction(k)})

    def _known(self, name: str, arguments: list[Fraction]) -> Fraction:
        x = arguments[0]
        match name, len(arguments):
            case "floor", 1:
                return Fraction(math.floor(x))
            case "ceiling", 1:
                return Fraction(math.ceil(x))
            case "Abs", 1:
                return abs(x)
            case "sign", 1:
                return Fraction((x > 0) - (x < 0))
            case "Min", _:
                return min(arguments)
            case "Max", _:
                return max(arguments)
            case "AtMost", 2:
                return Fraction(x <= arguments[1])
            case "sqrt", 1:
                return _root(x, Fraction(1, 2))
            case "factorial", 1 if x.denominator == 1 and 0 <= x <= 5000:
                return Fraction(math.factorial(int(x)))
            case "factorial2", 1 if x.denominator == 1 and -1 <= x <= 5000:
                return Fraction(math.prod(range(int(x), 0, -2)))
            case "binomial", 2 if x.denominator == arguments[1].denominator == 1 and 0 <= arguments[1] <= x <= 20_000:
                return Fraction(math.comb(int(x), int(arguments[1])))
            case "harmonic", 1 if x.denominator == 1 and 0 <= x <= 5000:
                return sum((Fraction(1, k) for k in range(1, int(x) + 1)), Fraction(0))
            case "exp", 1 if x == 0:
                return Fraction(1)
            case ("log" | "ln"), 1 if x == 1:
                return Fraction(0)
        raise NotExact(f"{name} of {', '.join(map(str, arguments))}")


def answered(name: str, found: Any) -> Any:
    """What a function of a model may answer: exact numbers, true or false, and tuples, lists and tables of them.

    Raises:
        NotExact: anything else, such as a float.

    >>> answered("f", (1, True)), answered("f", {0: 2})
    ((Fraction(1, 1), True), {0: Fraction(2, 1)})
    """
    if isinstance(found, bool):
        return found
    number_ = _fraction(found)
    if isinstance(number_, Fraction):
        return number_
    if isinstance(found, (tuple, list)):
        return tuple(answered(name, item) for item in found)
    if isinstance(found, Mapping):
        return {key: answered(name, item) for key, item in found.items()}
    raise NotExact(f"{name} answers a {type(found).__name__}, which is no exact number")


def _root(base: Fraction, exponent: Fraction) -> Fraction:
    """A rational power, where it is rational."""
    q = exponent.denominator
    if base < 0:
        raise Undefined("a root of a negative number")
    if q > 64 or abs(exponent.numerator) > 10_000 or (base == 0 and exponent <= 0):
        raise NotExact("a root")
    found = []
    for part in (base.numerator, base.denominator):
        if part.bit_length() > 100_000:
            raise NotExact("a root of a long number")
        root = math.isqrt(part) if q == 2 else _whole_root(part, q)
        if root**q != part:
            raise NotExact("a root that is not rational")
        found.append(root)
    return Fraction(*found) ** exponent.numerator


def _whole_root(number: int, q: int) -> int:
    low, high = 0, 1 << (number.bit_length() // q + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**q <= number else (low, middle - 1)
    return low


def _plain(found: Any) -> Any:
    """A whole number as an int, as functions of a model take it."""
    return int(found) if isinstance(found, Fraction) and found.denominator == 1 else found


# --- what is left where a value is not rational -----------------------------------------------------


def number(found: Fraction, column: int = 1) -> Node:
    """A number as a term.

    >>> from asymp.language.syntax import words
    >>> words(number(Fraction(-1, 3)))
    '-1/3'
    """
    top = Node("number", column, str(abs(found.numerator)))
    if found.denominator != 1:
        top = Node("product", column, "", (top, Node("number", column, str(found.denominator))), "*/")
    return Node("negative", column, "", (top,)) if found < 0 else top


def without_models(node: Node, point: Point, functions: Functions) -> Node:
    """The term with numbers for the functions of the model, at a point; sums over them are written out.

    Raises:
        NotExact: an argument is not rational, or an answer is no number.
    """
    return _without(node, {name: _fraction(x) for name, x in point.items()}, _Evaluator(functions))


def _without(node: Node, at: Mapping[str, Any], evaluator: _Evaluator) -> Node:
    if called(node).isdisjoint(evaluator.functions):
        return node
    if node.kind == "call" and node.text in evaluator.functions:
        return number(evaluator.number(node, at), node.column)
    if binds(node):
        if node.text in ("Integral", "Ranked", "Vector", "Coefficient"):
            raise NotExact(f"{node.text} of a function of the model")
        terms = []
        for inner in evaluator._points(ranges(node), at):
            fixed = {name: number(inner[name]) for name, _, _ in ranges(node)}
            terms.append(at_index(_without(node.parts[0], inner, evaluator), fixed))
        if not terms:
            return number(Fraction(0 if node.text == "Sum" else 1))
        kind, sign = ("sum", "+") if node.text == "Sum" else ("product", "*")
        return terms[0] if len(terms) == 1 else Node(kind, node.column, "", tuple(terms), sign * len(terms))
    return node.of(tuple(_without(part, at, evaluator) for part in node.parts))


def at_index(node: Node, values: Mapping[str, Node]) -> Node:
    """A term of a sum, or a factor of a product, at numbers for indices: there x^0 is 1 whatever x is, as in a power series."""
    if not node.parts or node.free.isdisjoint(values) or (binds(node) and any(name in values for name, _, _ in ranges(node))):
        return substitute(node, values)
    if node.kind == "power" and not (node.parts[1].free - node.parts[0].free).isdisjoint(values):
        base, exponent = (substitute(part, values) for part in node.parts)
        if not exponent.free and value(exponent, {}) == 0:  # 1 + 0*base, where the base has a value
            one, nought = number(Fraction(1)), Node("product", node.column, "", (number(Fraction(0)), base), "**")
            return Node("sum", node.column, "", (one, nought), "++") if base.parts else one
    return node.of(tuple(at_index(part, values) for part in node.parts))


def written_out(node: Node, most: int = 50) -> Node:
    """The term with its short sums and products between numbers written out, and numbers for what is made of numbers alone.

    >>> from asymp.language.syntax import Parser, words
    >>> words(written_out(Parser("Sum(a^k, (k, 0, 2)) + Sum(k, (k, 1, n))").whole()))
    '(1 + a^1 + a^2) + Sum(k, (k, 1, n))'
    >>> words(written_out(Parser("Sum(Product(i + x, (i, 1, floor(k/2))), (k, 1, 3))").whole()))
    '1 + (1 + x) + (1 + x)'
    """
    return _written_out(node, most, {})


def _written_out(node: Node, most: int, known: dict[Node, Node]) -> Node:
    """``known``: what was written out before, as terms of nested sums come again and again."""
    if not node.parts:
        return node
    if node not in known:
        known[node] = _once(node, most, known)
    return known[node]


def _once(node: Node, most: int, known: dict[Node, Node]) -> Node:
    outer = ranges(node)[-1] if binds(node) and node.text in ("Sum", "Product") else None
    span = _span(outer[1], outer[2], most) if outer else None
    if outer and span is not None:
        inner = node.parts[0] if len(node.parts) == 2 else node.of(node.parts[:-1])
        terms = tuple(_written_out(at_index(inner, {outer[0]: number(Fraction(k))}), most, known) for k in span)
        if not terms:
            return number(Fraction(0 if node.text == "Sum" else 1), node.column)
        kind, sign = ("sum", "+") if node.text == "Sum" else ("product", "*")
        return terms[0] if len(terms) == 1 else Node(kind, node.column, "", terms, sign * len(terms))
    found = node.of(tuple(_written_out(part, most, known) for part in node.parts))
    if node.kind == "tuple" or free_names(found) or not called(found).isdisjoint(BINDERS):
        return found
    try:
        worth = value(found, {})
    except (NotExact, ArithmeticError):
        return found
    short = isinstance(worth, Fraction) and max(worth.numerator.bit_length(), worth.denominator.bit_length()) < MOST_WRITTEN
    return number(worth, node.column) if short else found


MOST_WRITTEN = 400
"""Bits of a number that is written out."""


def _span(low: Node, high: Node, most: int) -> range | None:
    """The whole numbers of a range between numbers; None where there is none, or it is long, or runs backwards."""
    try:
        first, last = value(low, {}), value(high, {})
    except (NotExact, ArithmeticError):
        return None
    if first.denominator != 1 or last.denominator != 1 or not -1 <= last - first < most:
        return None
    return range(int(first), int(last) + 1)
