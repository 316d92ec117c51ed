"""Terms and formulas that hold functions of a model, as functions of a point: exact where they can be, else balls.

>>> from asymp.language.syntax import Parser
>>> double = Term(Parser("twice(n)/2 + log(n)").whole(), (("twice", lambda n: 2 * n),))
>>> double(n=1), double(n=3)
(Fraction(1, 1), log(3) + 3)
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from asymp.enclosure import Undecided, compare
from asymp.functions.conditions import Both, NonNegative, Nonzero, NotPole, OneOf, Positive, Whole
from asymp.functions.conditions import Condition as Condition_
from asymp.functions.parts import Part
from asymp.language.conditions import Between, Compared, Condition, Conditions, Listed, OfKind
from asymp.language.names import free_names, substitute
from asymp.language.numbers import ParseError
from asymp.language.statement import And, Body, Comparison, If, Iff, True_
from asymp.language.syntax import Node, words
from asymp.language.value import NotExact, Undefined, number, value, without_models
from asymp.parse.mathematics import Builder

Models = tuple[tuple[str, Callable[..., Any]], ...]
MOST_POINTS = 20_000


@dataclass(frozen=True)
class Term:
    """A term with functions of a model in it."""

    node: Node
    models: Models = ()

    def __str__(self) -> str:
        return words(self.node)

    def __call__(self, **point: Any) -> Any:
        """Its value: a Fraction, what the model answers, or an expression where it is not rational."""
        functions = dict(self.models)
        try:
            return value(self.node, point, functions)
        except Undefined:
            raise
        except NotExact:
            node = without_models(self.node, point, functions)
            return expression(node, point)


def expression(node: Node, point: Mapping[str, Any]) -> sp.Expr:
    """A term without functions of a model as an expression, with numbers put in for its names.

    Raises:
        ParseError: it cannot be built, such as a division by zero.
    """
    fixed = {name: number(Fraction(int(x.p), int(x.q))) for name, x in rational(point).items() if name in free_names(node)}
    there = substitute(node, fixed)
    builder = Builder(words(there))
    found = builder.build(there)
    for part in builder.parts:
        if not _is_defined(part):
            raise Undefined(f"it is not known that {part.text} is defined")
    if found.has(sp.I) or found.is_real is False:
        raise Undefined(f"{words(there)} is not real")
    return found


def _is_defined(part: Part) -> bool:
    """Whether a part between numbers is known to be real."""
    if part.head in ("Sum", "Product"):
        low, high = part.arguments
        return bool(low.is_Integer and high.is_Integer and high >= low - 1)
    return part.head != "Integral" and _obeys(part.condition())  # whether a total converges is not asked here


def _obeys(condition: Condition_) -> bool:
    if isinstance(condition, Both):
        return all(_obeys(item) for item in condition.parts)
    if isinstance(condition, OneOf):
        return any(_obeys(item) for item in condition.parts)
    expr = getattr(condition, "expr", None)
    if expr is None:
        return False
    try:
        if isinstance(condition, Positive):
            return bool(expr.is_positive) or (not expr.free_symbols and compare(expr, ">", 0, {}))
        if isinstance(condition, NonNegative):
            return bool(expr.is_nonnegative) or (not expr.free_symbols and compare(expr, ">=", 0, {}))
        if isinstance(condition, Nonzero):
            return bool(expr.is_nonzero) or (not expr.free_symbols and (compare(expr, ">", 0, {}) or compare(expr, "<", 0, {})))
        if isinstance(condition, NotPole):
            return bool(expr.is_positive) or (expr.is_Rational and not (expr.is_Integer and expr <= 0))
    except (Undecided, ValueError, TypeError, ArithmeticError):
        return False
    return isinstance(condition, Whole) and bool(expr.is_integer)


def rational(point: Mapping[str, Any]) -> dict[str, sp.Rational]:
    """The point with SymPy's numbers."""
    return {name: sp.Rational(x) if not isinstance(x, Fraction) else sp.Rational(x.numerator, x.denominator)
            for name, x in point.items()}  # fmt: skip


@dataclass(frozen=True)
class Formula:
    """What is said as a function of a point: true or false."""

    body: Body
    some: Conditions = ()
    models: Models = ()

    def __str__(self) -> str:
        return str(self.body)

    def __call__(self, **point: Any) -> bool:
        """Whether it holds at a point.

        Raises:
            NotExact, Undecided: it cannot be told.
        """
        functions = dict(self.models)
        if not self.some:
            return holds(self.body, point, functions)
        return any(holds(self.body, inner, functions) for inner in points(self.some, point, functions))


def holds(body: Body, point: Mapping[str, Any], functions: Mapping[str, Callable[..., Any]]) -> bool:
    """Whether a body without limits is true at a point."""
    if isinstance(body, And):
        return all(holds(part, point, functions) for part in body.parts)
    if isinstance(body, Iff):
        return holds(body.left, point, functions) == holds(body.right, point, functions)
    if isinstance(body, If):
        return not holds(body.right, point, functions) or holds(body.left, point, functions)
    if isinstance(body, True_):
        found = value(body.term, point, functions)
        if not isinstance(found, bool):
            raise NotExact(f"{words(body.term)} answers {str(found)[:60]}, not true or false")
        return found
    if isinstance(body, Comparison):
        return all(compared(left, sign, right, point, functions) for left, sign, right in body.chain.pairs())
    raise NotExact(f"whether {body} at a point is not asked")


def compared(left: Node, sign: str, right: Node, point: Mapping[str, Any], functions: Mapping[str, Callable[..., Any]]) -> bool:
    """One comparison at a point, exactly, or by balls that do not overlap."""
    sides = []
    for node in (left, right):
        found = Term(node, tuple(functions.items()))(**point)
        sides.append(found)
    if any(isinstance(side, bool) for side in sides):
        raise NotExact("true and false are no numbers: write them as they are, or with iff")
    if not any(isinstance(side, sp.Expr) for side in sides):
        a, b = sides
        if sign == "=" and type(a) is type(b):
            return bool(a == b)
        if not isinstance(a, Fraction) or not isinstance(b, Fraction):
            raise NotExact("what is compared are numbers, or tables of them that are equal")
        return bool({"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[sign])
    if not all(isinstance(side, (sp.Expr, Fraction)) for side in sides):
        raise NotExact("what is compared are numbers, or tables of them that are equal")
    a, b = (x if isinstance(x, sp.Expr) else sp.Rational(x.numerator, x.denominator) for x in sides)
    if sign == "=":
        if sp.sympify(a - b) == 0:
            return True
        return not (compare(a, "<", b, {}) or compare(a, ">", b, {}))
    return bool(compare(a, sign, b, {}))


def satisfied(condition: Condition, point: Mapping[str, Any], functions: Mapping[str, Callable[..., Any]]) -> bool:
    """Whether a point obeys a condition.

    Raises:
        NotExact, Undecided, ParseError: it cannot be told.
    """
    if isinstance(condition, Compared):
        return all(compared(left, sign, right, point, functions) for left, sign, right in condition.pairs())
    if isinstance(condition, OfKind):
        found = point.get(condition.name)
        return condition.kind != "whole" or found is None or bool(rational({condition.name: found})[condition.name].is_Integer)
    if isinstance(condition, Between):
        low, high = (value(end, point, functions) for end in (condition.low, condition.high))
        found = rational(point)[condition.name]
        return bool(found.is_Integer and low <= Fraction(int(found.p)) <= high)
    if isinstance(condition, Listed):
        mine = tuple(Fraction(int(x.p), int(x.q)) for x in (rational(point)[name] for name in condition.names))
        return any(mine == tuple(value(x, point, functions) for x in row) for row in condition.rows)
    return True


def points(
    conditions: Conditions, start: Mapping[str, Any], functions: Mapping[str, Callable[..., Any]]
) -> Iterator[dict[str, Any]]:
    """All points of a finite domain, from ``start``: variables whose values are listed, or whole and bounded on both sides.

    Raises:
        ParseError: the conditions leave a variable open, or there are too many points.

    >>> from asymp.language.conditions import read_conditions
    >>> [tuple(map(int, p.values())) for p in points(read_conditions("n in 1..3, whole i, 1 <= i < n"), {}, {})]
    [(2, 1), (3, 1), (3, 2)]
    """
    found: list[dict[str, Any]] = [dict(start)]
    whole = {c.name for c in conditions if isinstance(c, OfKind) and c.kind == "whole"}
    left = [c for c in conditions if not isinstance(c, OfKind)]
    while left:
        for condition in left:
            extended = _extended(found, condition, whole, functions)
            if extended is not None:
                left.remove(condition)
                found = extended
                break
        else:
            raise ParseError(f"values of all variables are not given by {', '.join(map(str, left))}")
        if len(found) > MOST_POINTS:
            raise ParseError(f"more than {MOST_POINTS} points")
    kinds = [c for c in conditions if isinstance(c, OfKind)]
    yield from (p for p in found if all(satisfied(kind, p, functions) for kind in kinds))


def _extended(
    found: list[dict[str, Any]], condition: Condition, whole: set[str], functions: Mapping[str, Callable[..., Any]]
) -> list[dict[str, Any]] | None:
    """The points with one more condition used; None where it speaks of a variable that has no values yet."""
    known = set(found[0]) if found else set()
    if not found:
        return []
    if isinstance(condition, Listed) and not known & set(condition.names):
        rows = [[_listed(x, condition, functions) for x in row] for row in condition.rows]
        return [{**p, **dict(zip(condition.names, row, strict=True))} for p, row in itertools.product(found, rows)]
    if isinstance(condition, Between) and condition.name not in known:
        if not (free_names(condition.low) | free_names(condition.high)) <= known:
            return None
        return [
            {**p, condition.name: Fraction(k)}
            for p in found
            for k in range(*_ends(value(condition.low, p, functions), value(condition.high, p, functions)))
        ]
    free = set().union(*(free_names(node) for node in condition.terms()))
    if free <= known:
        return [p for p in found if satisfied(condition, p, functions)]
    if isinstance(condition, Compared) and len(condition.parts) == 3 and condition.parts[1].kind == "name":
        name, (first, second) = condition.parts[1].text, condition.signs
        others = free_names(condition.parts[0]) | free_names(condition.parts[2])
        if name in whole and name not in known and others <= known and first[0] == second[0] == "<":
            kept = []
            for p in found:
                low, high = (value(condition.parts[k], p, functions) for k in (0, 2))
                start, stop = _ends(low, high)
                for k in range(start, stop):
                    if (first == "<=" or k > low) and (second == "<=" or k < high):
                        kept.append({**p, name: Fraction(k)})
            return kept
    return None


def _listed(node: Node, condition: Condition, functions: Mapping[str, Callable[..., Any]]) -> Any:
    """A value of a list.

    Raises:
        ParseError: it is no number.
    """
    try:
        return value(node, {}, functions)
    except NotExact as error:
        raise ParseError(f"{condition}: a list is of exact numbers, and {words(node)} is none") from error


def _ends(low: Fraction, high: Fraction) -> tuple[int, int]:
    first, last = -((-low.numerator) // low.denominator), high.numerator // high.denominator
    if last - first > MOST_POINTS:
        raise ParseError(f"more than {MOST_POINTS} points")
    return first, last + 1


__all__ = ["Formula", "Term", "Undecided", "compared", "expression", "holds", "points", "satisfied"]
