"""Sides of statements and formulas as functions of a point: exact where they can be, else terms, which balls compare.

>>> from asymp.language.syntax import Parser
>>> double = Side(Parser("twice(n)/2 + log(n)").whole(), (("twice", lambda n: 2 * n),))
>>> double(n=Fraction(1)), str(double(n=Fraction(3)))
(Fraction(1, 1), 'log(3) + 3')
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from asymp.budget import uncounted
from asymp.domain import is_whole
from asymp.enclosure import Undecided, compare, exact
from asymp.kernel import terms
from asymp.kernel.facts.context import Context
from asymp.kernel.rings.defined import ALLOWED
from asymp.kernel.terms import Term
from asymp.language.conditions import Between, Compared, Condition, Conditions, Listed, OfKind, subjects
from asymp.language.known import is_infinite
from asymp.language.names import free_names, substitute
from asymp.language.numbers import ParseError
from asymp.language.parts import Need, Needs, Part, difference, parts_of
from asymp.language.statement import And, Body, Comparison, If, Iff, True_
from asymp.language.syntax import Node, words
from asymp.language.value import NotExact, Undefined, number, value, without_models
from asymp.parse.at import all_values, holds_at, term_of

Models = tuple[tuple[str, Callable[..., Any]], ...]
MOST_POINTS = 20_000


@dataclass(frozen=True)
class Side:
    """A side of a statement, with functions of a model where it calls some."""

    node: Node
    models: Models = ()

    def __str__(self) -> str:
        return words(self.node)

    @property
    def term(self) -> Term | None:
        """The term that it is; None where it calls functions of a model, or is no term."""
        return None if self.models else _term(self.node)

    def __call__(self, **point: Any) -> Any:
        """Its value: a Fraction, what the model answers, or a term where it is not known to be rational.

        Raises:
            Undefined, NotExact, Undecided: it has none, or none is found.
        """
        if self.term is not None:
            try:
                return exact(self.term, {name: x for name, x in point.items() if name in self.term.free})
            except Undecided:
                return self.term
        return evaluated(self.node, point, dict(self.models))


def evaluated(node: Node, point: Mapping[str, Any], functions: Mapping[str, Callable[..., Any]]) -> Any:
    """The value at a point of what nobody has asked for its meaning: a part that may have none is refused.

    Raises:
        Undefined, NotExact: it has none, or none is found.
    """
    try:
        return value(node, point, functions)
    except Undefined:
        raise
    except NotExact:
        return closed_term(without_models(node, point, functions), point)


@uncounted
@lru_cache(maxsize=1_000)
def _term(node: Node) -> Term | None:
    try:
        return term_of(node)
    except terms.Refused:
        return None


def closed_term(node: Node, point: Mapping[str, Any]) -> Term:
    """A term without functions of a model, with numbers put in for its names.

    Raises:
        Undefined: it is not known that all of it has a value.
        Refused: it is no term.
    """
    fixed = {name: number(x) for name, x in point.items() if name in free_names(node) and isinstance(x, Fraction)}
    there = substitute(node, fixed)
    for part in parts_of(there):
        if not _is_defined(part):
            raise Undefined(f"it is not known that {part.text} is defined")
    return term_of(there)


def _is_defined(part: Part) -> bool:
    """Whether a part between numbers is known to be real."""
    if part.head == "Integral":
        return False  # whether a total converges is not asked here
    condition = part.condition()
    if part.head in ("Sum", "Product"):
        if any(map(is_infinite, part.arguments)):
            return False
        low, high = part.arguments
        condition = Needs(((Need("whole", low), Need("whole", high), Need(">=", difference(high, low, 1))),))
    runs = all_values({}, part.binders)
    return _is_seen(condition, part) if runs is None else all(holds_at(condition, run) for run in runs)


def _is_seen(condition: Needs, part: Part) -> bool:
    """Whether it holds at all values of bound variables, by their ranges."""
    try:
        at = Context()
        for b in part.binders:
            at = at.with_range(b.name, terms.of(b.low), terms.of(b.high), b.whole)
        return any(all(_is_met(at, need) for need in one) for one in condition.alternatives)
    except terms.Refused:
        return False


def _is_met(at: Context, need: Need) -> bool:
    """Whether what is needed is seen in a context."""
    term = terms.of(need.term)
    return at.is_whole(term) if need.kind == "whole" else at.signs(term) <= ALLOWED[need.kind]


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
        inner = self._inner(point)
        return any(holds(self.body, one, functions) for one in inner)

    def _inner(self, point: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The point with each of the values of which some does.

        Raises:
            NotExact: these are not listed.
        """
        names = {n for c in self.some for n in ({c.name} if isinstance(c, OfKind) else subjects(c))}
        try:
            found = [dict(one) for one in points(self.some, point, dict(self.models))]
        except ParseError as error:
            raise NotExact(
                f"values of {', '.join(sorted(names))} are not listed, of which some does for each point"
            ) from error
        if any(names - one.keys() for one in found):
            raise NotExact(f"values of {', '.join(sorted(names))} are not listed, of which some does for each point")
        return found


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


def compared(
    left: Node, sign: str, right: Node, point: Mapping[str, Any], functions: Mapping[str, Callable[..., Any]]
) -> bool:
    """One comparison at a point, exactly, or by balls that do not overlap."""
    a, b = (evaluated(node, point, functions) for node in (left, right))
    if isinstance(a, bool) or isinstance(b, bool):
        raise NotExact("true and false are no numbers: write them as they are, or with iff")
    if not isinstance(a, Term) and not isinstance(b, Term):
        if sign == "=" and type(a) is type(b):
            return bool(a == b)
        if not isinstance(a, Fraction) or not isinstance(b, Fraction):
            raise NotExact("what is compared are numbers, or tables of them that are equal")
        return bool({"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "=": a == b}[sign])
    if not all(isinstance(x, (Term, Fraction)) for x in (a, b)):
        raise NotExact("what is compared are numbers, or tables of them that are equal")
    if sign != "=":
        return compare(a, sign, b, point)
    return equal(a, b, point) or not (compare(a, "<", b, point) or compare(a, ">", b, point))


def equal(left: Term | Fraction, right: Term | Fraction, point: Mapping[str, Any]) -> bool:
    """Whether two numbers are seen to be equal by the rules of the kernel: balls that overlap say nothing.

    >>> equal(terms.read("sqrt(8)"), terms.read("x*sqrt(2)"), {"x": Fraction(2)})
    True
    """
    a, b = (x if isinstance(x, Term) else terms.number(x) for x in (left, right))
    put = {name: terms.number(x) for name, x in point.items() if isinstance(x, Fraction)}
    try:
        return Context().signs(terms.substitute(terms.add(a, terms.negative(b)), put)) == {0}
    except terms.Refused:
        return False


def satisfied(condition: Condition, point: Mapping[str, Any], functions: Mapping[str, Callable[..., Any]]) -> bool:
    """Whether a point obeys a condition.

    Raises:
        NotExact, Undecided, ParseError: it cannot be told.
    """
    if isinstance(condition, Compared):
        return all(compared(left, sign, right, point, functions) for left, sign, right in condition.pairs())
    if isinstance(condition, OfKind):
        found = point.get(condition.name)
        return condition.kind != "whole" or found is None or is_whole(found)
    if isinstance(condition, Between):
        low, high = (value(end, point, functions) for end in (condition.low, condition.high))
        found = point[condition.name]
        return is_whole(found) and bool(low <= found <= high)
    if isinstance(condition, Listed):
        mine = tuple(point[name] for name in condition.names)
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
