"""Trees to SymPy expressions, with SymPy's names.

Symbols are positive unless said otherwise.  SymPy computes some things as soon as they are written
down (powers and factorials of numbers, ...), so what would be astronomically large is refused,
and what would only be slow is left as it stands.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import sympy as sp

import asymp.symbolics as sy
from asymp.functions.symbolic import NAMED
from asymp.functions.table import UNTYPED
from asymp.language.known import ORDERS as ORDERS
from asymp.language.known import PARAMETERS, REFUSED
from asymp.language.parts import Part, parts_of
from asymp.language.syntax import Node, Parser
from asymp.parse.numbers import ParseError, decimal

MAX_BITS = 8_000_000  # of a numerator or denominator
MAX_LOG10 = 1e9  # of a number that is not rational


class _Function(NamedTuple):
    make: Callable[..., Any]
    least: int
    most: int
    slow: int


FUNCTIONS: dict[str, _Function] = {
    name: _Function(row.make, row.row.least, row.row.most, row.slow) for name, row in NAMED.items() if name not in UNTYPED
}
OPERATORS = {"Sum": sp.Sum, "Product": sp.Product, "Integral": sp.Integral}
CONSTANTS: dict[str, Any] = {"pi": sp.pi, "E": sp.E, "EulerGamma": sp.EulerGamma, "oo": sp.oo}
_LONG_ABS = 12
"""Operations in what Abs is taken of, beyond which SymPy is not asked to simplify it."""
_PLAIN = {"floor", "ceiling", "Min", "Max", "Abs", "sign"}  # nothing to work on, however long the number
_NOT_FREE = {*CONSTANTS, *REFUSED}
Symbols = Mapping[str, sp.Symbol]


def parse_expression(text: str, symbols: Symbols | None = None) -> sp.Expr:
    """An expression with SymPy's names; ``symbols`` gives names other assumptions than positive.

    Raises:
        ParseError: one line with the column.

    >>> parse_expression("Sum(1/k, (k, 1, n)) - log(n)")
    -log(n) + Sum(1/k, (k, 1, n))
    >>> parse_expression("x.__class__")
    Traceback (most recent call last):
    ...
    asymp.language.numbers.ParseError: a dot: attributes are not mathematics at column 2: x.__class__
    """
    return read_expression(text, symbols)[0]


def read_expression(text: str, symbols: Symbols | None = None) -> tuple[sp.Expr, tuple[Part, ...]]:
    """The expression, and its parts as they were typed, of which some may have no meaning.

    >>> value, parts = read_expression("log(x) - log(x)")
    >>> value, [part.text for part in parts]
    (0, ['log(x)', 'log(x)'])
    """
    builder = Builder(text, symbols)
    tree = Parser(text).whole()
    try:
        return builder.build(tree), tuple(builder.parts)
    except RecursionError as error:  # SymPy's questions about a part, each asking the next
        raise ParseError("too deeply nested to be worked with", text) from error


class Builder:
    """Turns the trees of one text into expressions."""

    def __init__(self, text: str, symbols: Symbols | None = None) -> None:
        self.text = text
        self.scope: dict[str, sp.Symbol] = dict(symbols or {})
        self.long = False  # whether anything was left as it stands for its cost
        self.named: set[str] = set()  # free names, also those that cancel
        self._nodes: list[Node] = []  # as typed, before SymPy's evaluation
        self._bound: tuple[str, ...] = ()

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts of what was built, as they were typed."""
        return tuple(part for node in self._nodes for part in parts_of(node))

    def fail(self, what: str, node: Node) -> ParseError:
        """The error to raise at a node."""
        return ParseError(what, self.text, node.column)

    def build(self, node: Node) -> sp.Expr:
        """The expression of a tree; one that SymPy finds undefined is refused."""
        self._nodes.append(node)
        return self._of(node)

    def _of(self, node: Node) -> sp.Expr:
        value = self._build(node)
        if value.has(sp.nan, sp.zoo):
            raise self.fail("undefined (a division by zero, or oo - oo)", node)
        return value

    def _build(self, node: Node) -> sp.Expr:
        match node.kind:
            case "number":
                return decimal(node.text, self.text, node.column)
            case "name":
                return self._name(node)
            case "call":
                return self._call(node)
            case "negative":
                return self._negative(self._of(node.parts[0]))
            case "factorial":
                argument = self._of(node.parts[0])
                return self._apply("factorial", [argument], node)
            case "power":
                base, exponent = self._of(node.parts[0]), self._of(node.parts[1])
                return self._power(base, exponent, node)
            case "sum":
                parts = [self._of(part) for part in node.parts]
                self._check_bits(parts, node)
                signed = [self._negative(p) if sign == "-" else p for sign, p in zip(node.signs, parts, strict=True)]
                return self._make(sp.Add, *signed)
            case "product":
                parts = [self._of(part) for part in node.parts]
                self._check_bits(parts, node)
                parts = [self._divisor(p, node) if s == "/" else p for s, p in zip(node.signs, parts, strict=True)]
                return self._make(sp.Mul, *parts)
        raise self.fail("a list in brackets: only Sum, Product and Integral take one", node)

    def _divisor(self, value: sp.Expr, node: Node) -> sp.Expr:
        if value == 0:
            raise self.fail("division by zero", node)
        return self._make(sp.Pow, value, sp.S.NegativeOne)

    def _negative(self, value: sp.Expr) -> sp.Expr:
        return self._make(sp.Mul, sp.S.NegativeOne, value) if self.long else -value

    def _name(self, node: Node) -> sp.Expr:
        name = node.text
        if name not in self._bound and (name in self.scope or name not in _NOT_FREE):
            self.named.add(name)
        if name in self.scope:
            return self.scope[name]
        if name == "oo":
            raise self.fail("oo is no number: it may be where something tends, or the end of a range", node)
        if name in CONSTANTS:
            return CONSTANTS[name]
        if name in REFUSED:
            raise self.fail(REFUSED[name], node)
        if (name in FUNCTIONS and name not in PARAMETERS) or name in OPERATORS:
            raise self.fail(f"{name} is a function: give it arguments in brackets", node)
        self.scope[name] = sp.Symbol(name, positive=True)
        return self.scope[name]

    def _call(self, node: Node) -> sp.Expr:
        if node.text in OPERATORS:
            return self._operator(node)
        if node.text in ORDERS and node.text not in FUNCTIONS:
            raise self.fail(f"{node.text}(...) may only end the right side of a statement", node)
        if node.text not in FUNCTIONS:
            raise self.fail(_unknown_function(node.text), node)
        function = FUNCTIONS[node.text]
        if not function.least <= len(node.parts) <= function.most:
            wanted = f"{function.least}" if function.least == function.most else f"{function.least} to {function.most}"
            raise self.fail(f"{node.text} takes {wanted} arguments, not {len(node.parts)}", node)
        arguments = [self._of(part) for part in node.parts]
        return self._apply(node.text, arguments, node)

    def _apply(self, name: str, arguments: list[sp.Expr], node: Node) -> sp.Expr:
        """A function of expressions, without starting a computation that would not end."""
        function = FUNCTIONS[name]
        if name == "exp":
            if arguments[0].is_number and arguments[0].has(sp.Sum, sp.Product, sp.Integral):
                return sp.Pow(sp.E, arguments[0], evaluate=False)  # SymPy would ask for the sign of its value
            return self._power(sp.E, arguments[0], node)
        if name == "sqrt":
            return self._power(arguments[0], sp.Rational(1, 2), node)
        numbers = [a for a in arguments if a.is_Rational]
        slow = bool(function.slow) and any(abs(a) > function.slow for a in numbers)
        if name in ("floor", "ceiling"):
            slow = bool(arguments[0].is_number) and not numbers
        self._check_size(arguments, node)
        if name == "harmonic" and len(numbers) == 2 and abs(numbers[0] * numbers[1]) > sy.MOST_POWER_SUM:
            slow = self.long = True
        if function.slow and any(a.is_number and not a.is_Rational and not _endless(a) for a in arguments):
            slow = True  # SymPy compares such numbers by evaluating them
            self.long = self.long or any(a.atoms(sp.Function) for a in arguments if a.is_number)
        if name not in _PLAIN and any(max(abs(a.p), a.q).bit_length() > sy.MOST_ARGUMENT_BITS for a in numbers):
            slow = self.long = True
        if name == "Abs" and not numbers and arguments[0].count_ops() > _LONG_ABS:
            return sp.Abs(arguments[0], evaluate=False)  # SymPy takes its real and imaginary parts
        try:
            make = sp.log if name in ("log", "ln") else function.make
            if name in ("polylog", "lowergamma") and arguments[1] not in (0, 1):
                make = {"polylog": sp.polylog, "lowergamma": sp.lowergamma}[name]  # the table differs from SymPy at 0 and 1 alone
            if (slow or self.long) and isinstance(make, type):
                if len(arguments) == 2 and make is sp.log:
                    return sp.log(arguments[0], evaluate=False) / sp.log(arguments[1], evaluate=False)
                return make(*arguments, evaluate=False)
            with sy.refusing(name):
                return function.make(*arguments)
        except (ValueError, TypeError, ArithmeticError) as error:
            raise self.fail(f"{name} is not defined there ({' '.join(str(error).split())[:80]})", node) from error

    def _end(self, node: Node) -> sp.Expr:
        """An end of a range, which may be infinite."""
        return infinite(node) or self._of(node)

    def _operator(self, node: Node) -> sp.Expr:
        """Sum, Product or Integral: the bound variables get the assumptions of their range."""
        body, *limits = node.parts
        outside = dict(self.scope)
        ranges: list[tuple[sp.Symbol, sp.Expr, sp.Expr]] = []
        if not limits:
            raise self.fail(f"{node.text} needs a range such as (k, 1, n)", node)
        for limit in reversed(limits):  # the last range is the outermost
            if limit.kind != "tuple" or len(limit.parts) != 3 or limit.parts[0].kind != "name":
                raise self.fail(f"a range of {node.text} is written (variable, from, to)", limit)
            name = limit.parts[0].text
            if name in CONSTANTS or name in REFUSED:
                raise self.fail(f"{name} cannot be a variable", limit.parts[0])
            low, high = self._end(limit.parts[1]), self._end(limit.parts[2])
            ranges.append((_bound(name, low, high, node.text), low, high))
            self.scope[name] = ranges[-1][0]
            self._bound = (*self._bound, name)
        inner = self._of(body)
        self._bound = self._bound[: -len(limits)]
        fresh = {n: s for n, s in self.scope.items() if n not in {str(r[0]) for r in ranges}}
        self.scope = {**fresh, **{n: s for n, s in outside.items() if n in {str(r[0]) for r in ranges}}}
        try:
            with sy.refusing(node.text):
                return OPERATORS[node.text](inner, *reversed(ranges))
        except (ValueError, TypeError, ArithmeticError) as error:
            raise self.fail(f"{node.text} is not defined there ({' '.join(str(error).split())[:80]})", node) from error

    def _power(self, base: sp.Expr, exponent: sp.Expr, node: Node) -> sp.Expr:
        if base == 0 and (exponent.is_negative or exponent == 0):
            raise self.fail("0 to that power", node)
        if base.is_Rational and exponent.is_Integer:
            bits = max(abs(base.p).bit_length(), base.q.bit_length()) if base not in (0, 1, -1) else 0
            if bits * abs(exponent) > MAX_BITS:
                raise self.fail("a power too large to write down", node)
        elif base.is_number and exponent.is_number and not _endless(exponent) and not _endless(base):
            if 10.0 ** min(_log10(exponent), 300) * abs(_log10(base)) > MAX_LOG10:
                raise self.fail("a power too large to compute with", node)
            if exponent.is_Rational and max(abs(exponent.p), exponent.q).bit_length() > 64:
                return sp.Pow(base, exponent, evaluate=False)
        if exponent.is_Rational and not exponent.is_Integer:
            return self._root(base, exponent)
        if any(_digits_inside(part) for part in (base, exponent)) and not (base.is_Rational and exponent.is_Integer):
            self.long = True
        return self._make(sp.Pow, base, exponent)

    def _root(self, base: sp.Expr, exponent: sp.Rational) -> sp.Expr:
        """A root, exactly where it is a number; SymPy would factor what is under it, for minutes if it is long."""
        number, rest = base.as_coeff_Mul()
        if not number.is_Rational or max(abs(number.p), number.q).bit_length() <= sy.MOST_BITS:
            return self._make(sp.Pow, base, exponent)
        tops, exact = zip(*(sp.integer_nthroot(abs(part), exponent.q) for part in (number.p, number.q)), strict=True)
        if all(exact) and number > 0 and exponent.q < 100:
            whole = sp.Rational(*tops) ** exponent.p
            return whole if rest == 1 else self._make(sp.Mul, whole, self._make(sp.Pow, rest, exponent))
        self.long = True
        return sp.Pow(base, exponent, evaluate=False)

    def _make(self, function: Any, *arguments: sp.Expr) -> sp.Expr:
        """A node; nothing is evaluated once there is something that SymPy would work on for long.

        Raises:
            ParseError: SymPy finds it undefined, such as e to the power of a series that diverges.
        """
        try:
            with sy.refusing(function.__name__):
                return function(*arguments, evaluate=False) if self.long else function(*arguments)
        except (ValueError, TypeError, ArithmeticError) as error:
            raise ParseError(f"undefined ({' '.join(str(error).split())[:80]})", self.text) from error

    def _check_bits(self, parts: list[sp.Expr], node: Node) -> None:
        bits = sum(abs(p.p).bit_length() + p.q.bit_length() for p in parts if p.is_Rational)
        if bits > MAX_BITS:
            raise self.fail("numbers too large to write down", node)

    def _check_size(self, arguments: list[sp.Expr], node: Node) -> None:
        if any(a.is_number and not a.is_Rational and not _endless(a) and _log10(a) > MAX_LOG10 for a in arguments):
            raise self.fail("a number too large to compute with", node)


def infinite(node: Node) -> sp.Expr | None:
    """oo or -oo, where a tree is that and nothing else.

    >>> infinite(Parser("-oo").whole()), infinite(Parser("oo + 1").whole())
    (-oo, None)
    """
    if node.kind == "negative":
        inner = infinite(node.parts[0])
        return None if inner is None else -inner
    return sp.oo if node.kind == "name" and node.text == "oo" else None


def _endless(value: sp.Expr) -> bool:
    """Whether it is oo or -oo: SymPy's own question would evaluate a number."""
    return value in (sp.oo, -sp.oo, sp.zoo)


def _digits_inside(expr: sp.Expr) -> bool:
    """Whether a very long number stands in it."""
    return any(max(abs(a.p), a.q).bit_length() > sy.MOST_ARGUMENT_BITS for a in expr.atoms(sp.Rational))


def _bound(name: str, low: sp.Expr, high: sp.Expr, operator: str) -> sp.Symbol:
    """The variable of a range: an integer for a sum, real for an integral, with the sign of its range."""
    whole = {} if operator == "Integral" else {"integer": True}
    ends = [low, high] if operator == "Integral" else [low]
    if operator == "Integral" and all(end.is_extended_nonnegative for end in ends):
        return sp.Symbol(name, positive=True)  # an end at 0 does not matter to an integral
    if all(end.is_extended_positive for end in ends):
        return sp.Symbol(name, positive=True, **whole)
    if all(end.is_extended_nonnegative for end in ends):
        return sp.Symbol(name, nonnegative=True, **whole)
    return sp.Symbol(name, **(whole or {"real": True}))


def _log10(value: sp.Expr) -> float:
    """About log10 |value| of a number, from above; it is never evaluated numerically."""
    if value.is_Rational:
        return math.log10(abs(value.p)) - math.log10(value.q) if value else -300.0
    if value.is_NumberSymbol:
        return math.log10(float(value))
    if value.is_Pow or isinstance(value, sp.exp):
        base, exponent = value.as_base_exp()
        return float(10.0 ** min(_log10(exponent), 300) * abs(_log10(base)))
    if value.is_Mul:
        return sum(_log10(part) for part in value.args)
    if value.is_Add:
        return max(_log10(part) for part in value.args) + 1
    if isinstance(value, (sp.gamma, sp.factorial, sp.binomial, sp.cosh, sp.sinh, sp.erfi, sp.Ei)):
        size = max(_log10(part) for part in value.args)
        return float(10.0 ** min(size, 300) * max(size, 1))
    return max([_log10(part) for part in value.args] + [1.0])


def _unknown_function(name: str) -> str:
    known = [*FUNCTIONS, *OPERATORS]
    lower = {item.lower(): item for item in known}
    close = [lower[name.lower()]] if name.lower() in lower else difflib.get_close_matches(name, known, 1, 0.6)
    if close:
        return f"unknown function {name[:30]!r}: did you mean {close[0]}?"
    return f"unknown function {name[:30]!r} (a product is written {name[:30]}*(...))"
