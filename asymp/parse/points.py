"""The domain of a statement about finite values: ranges, kinds, other conditions, and the points at which it is tried."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from asymp.domain import Domain, Interval, is_whole
from asymp.language.bodies import If, Iff
from asymp.language.conditions import (
    Between,
    Compared,
    Condition,
    Conditions,
    Listed,
    OfKind,
    name_of,
    subjects,
    text_of,
)
from asymp.language.elaborate import CONSTANTS, functions_called, interval, variables_of
from asymp.language.names import free_names
from asymp.language.numbers import ParseError
from asymp.language.statement import Statement
from asymp.language.syntax import Node, walk
from asymp.language.value import NotExact, Undefined, value
from asymp.parse.built import Functions
from asymp.parse.terms import Undecided, points, satisfied

FAR = 1_000
"""The largest value that is tried where there are sums."""
NEAR = 12
"""The same where a function of a model is called, which is a chain of so many states, or sums and integrals are to be taken."""
MOST_NUMBERS = 8
"""Numbers in a statement at which it is tried."""
MOST_TRIED = 400
"""Points of a domain with several variables that are tried where a statement names none."""


@dataclass
class Points:
    """The domain of a closed statement."""

    statement: Statement
    models: Functions
    tried: Conditions
    ranges: dict[str, Interval] = field(default_factory=dict)

    def _read_ranges(self) -> None:
        if self.ranges:
            return
        outer = (*self.statement.domain,)
        names = [n for n in variables_of(self.statement) if n not in _inner(self.statement)]
        for name in names:
            found = interval(name, tuple(c for c in outer if isinstance(c, Compared)))
            low, high = found or ((None, False), (None, False))
            listed = [x for c in outer for x in _values(c, name)]
            if listed and found is None:
                low, high = (min(listed), False), (max(listed), False)
            self.ranges[name] = Interval(low[0], low[1], high[0], high[1])

    def domain(self) -> Domain:
        """The domain with the points at which it is tried: all of them where they are finitely many."""
        self._read_ranges()
        conditions = self.statement.domain
        names = set(self.ranges)
        text = text_of(conditions) or "always"
        if not names:
            if any(self._fails(condition) for condition in conditions):
                raise ParseError(f"no point is in the domain: {text}")
            return Domain(text, ({},), complete=True)
        kinds = {c.name: c.kind for c in conditions if isinstance(c, OfKind)}
        whole, real = (frozenset(n for n, k in kinds.items() if k == kind and n in names) for kind in ("whole", "real"))
        extra = tuple(c for c in conditions if not _is_box(c))
        given = {n for c in conditions for n in (c.names if isinstance(c, Listed) else ())} | {
            c.name for c in conditions if isinstance(c, Between)
        }
        whole |= {c.name for c in conditions if isinstance(c, Between)}
        shape = Domain(text, (), self.ranges, whole, real=real, conditions=extra, models=tuple(sorted(self.models.items())))
        try:
            every = tuple(points(conditions, {}, self.models))
            if every and not names <= set(every[0]):
                raise ParseError("a variable of which nothing but its kind is said")
        except ParseError:
            if given and not self.tried:
                raise ParseError("values are listed of some variables alone: say at = ... for all of them") from None
        else:
            if not every:
                raise ParseError(f"no point is in the domain: {text}")
            return replace(shape, grid=tuple({n: p[n] for n in p if n in names} for p in every), complete=True)
        grid = self._tried(conditions) if self.tried else self._chosen(conditions, whole)
        if not grid:
            raise ParseError(f"no point was found in the domain: {text}")
        return replace(shape, grid=grid)

    def _fails(self, condition: Condition) -> bool:
        """Whether a condition without variables, such as what is left of a tied one, is seen to be false."""
        if not isinstance(condition, Compared) or any(node.free - CONSTANTS for node in condition.parts):
            return False
        try:
            return not satisfied(condition, {}, self.models)
        except Undefined as error:
            raise ParseError(f"{condition} has no meaning: {error}") from error
        except (NotExact, Undecided):
            return False

    def _tried(self, conditions: Conditions) -> tuple[Mapping[str, Any], ...]:
        found = []
        boxes = [_is_box(condition) for condition in conditions]
        inside: set[tuple[int, Any]] = set()  # values of one variable that obey a condition on it alone
        for point in points(self.tried, {}, self.models):
            missing = sorted(set(self.ranges) - set(point))
            if missing:
                raise ParseError(f"'at' gives {missing[0]} no value")
            for place, condition in enumerate(conditions):
                alone = (place, point.get(name_of(condition))) if boxes[place] else None
                if alone in inside:
                    continue
                if alone is not None:
                    inside.add(alone)
                if not satisfied(condition, point, self.models):
                    shown = ", ".join(f"{n} = {x}" for n, x in point.items())
                    raise ParseError(f"the point {shown} is not in the domain: {condition}")
            found.append({n: x for n, x in point.items() if n in self.ranges})
        return tuple(found)

    def _chosen(self, conditions: Conditions, whole: frozenset[str]) -> tuple[Mapping[str, Any], ...]:
        """Exact points of the box that obey the other conditions: fewer values of each where there are more variables."""
        axes = []
        for name, bounds in self.ranges.items():
            found = [p for p in bounds.points() if name not in whole or is_whole(p)]
            if bounds.is_empty(name in whole) or not found:
                raise ParseError(f"the condition on {name} leaves nothing")
            near = [p for p in self._near_numbers() if bounds.holds(p) and (name not in whole or is_whole(p))]
            axes.append(list(dict.fromkeys([*near, *found])))
        calls = functions_called(self.statement)
        if calls & {"Sum", "Product", "Integral", *self.models}:  # each value costs as many terms, or states
            far = NEAR if calls & set(self.models) or {"Sum", "Integral"} <= calls else FAR
            axes = [[x for x in axis if abs(x) <= far] or axis[:1] for axis in axes]
            most = max(2, int((MOST_TRIED / 10) ** (1 / len(axes))))
        else:
            most = max(2, int(MOST_TRIED ** (1 / len(axes)))) if len(axes) > 2 else 24
        chosen = [_spread(axis, most) for axis in axes]
        grid = self._inside(chosen, conditions)
        if not grid:  # 0 < x < 1, h > 0, x + h < 1
            small = [Fraction(1, k) for k in (2, 3, 8, 50, 1000)]
            for place, (name, bounds) in enumerate(self.ranges.items()):
                if name not in whole and bounds.low is not None:
                    chosen[place] = [*chosen[place], *(p for p in (bounds.low + s for s in small) if bounds.holds(p))]
            grid = self._inside(chosen, conditions)
        return grid

    def _near_numbers(self) -> list[Fraction]:
        """Of a statement with a condition in it, what lies at its numbers, next to and between them, and at their negatives."""
        if not isinstance(self.statement.body, (If, Iff)):
            return []
        found = {Fraction(0)}
        for part in (part for node in self.statement.body.terms() for part in walk(node)):
            if _is_number(part) and len(found) < MOST_NUMBERS:
                found.add(value(part, {}))
        numbers = sorted(found)
        between = [(a + b) / 2 for a, b in itertools.pairwise(numbers)]
        return [*numbers, *between, *(c * way for c in numbers for way in (-1, Fraction(99, 100), Fraction(101, 100)))]

    def _inside(self, axes: list[list[Any]], conditions: Conditions) -> tuple[Mapping[str, Any], ...]:
        """The points of a grid that obey the conditions on several variables."""
        grid, more = [], [c for c in conditions if not _is_box(c)]
        for values in itertools.product(*axes):
            point = dict(zip(self.ranges, values, strict=True))
            try:
                inside = all(satisfied(c, point, self.models) for c in more)
            except (NotExact, Undecided, ParseError):
                inside = False
            if inside:
                grid.append(point)
        return tuple(grid)


def _spread(axis: list[Any], most: int) -> list[Any]:
    """Some of the values: the first ones, which lie at the lower end, and some far out."""
    if len(axis) <= most:
        return axis
    first = axis[: (most + 1) // 2]
    rest = axis[len(first) :]
    step = max(1, len(rest) // (most - len(first) or 1))
    return [*first, *rest[step - 1 :: step][: most - len(first)]]


def _inner(statement: Statement) -> set[str]:
    return {name for c in statement.some for name in subjects(c) | {getattr(c, "name", "")}}


def _values(condition: Condition, name: str) -> list[Any]:
    if isinstance(condition, Listed) and name in condition.names:
        return [value(row[condition.names.index(name)], {}) for row in condition.rows]
    if isinstance(condition, Between) and condition.name == name:
        try:
            return [value(condition.low, {}), value(condition.high, {})]
        except NotExact:
            return []
    return []


def _is_box(condition: Condition) -> bool:
    """Whether it is a kind, or bounds one variable by numbers alone."""
    if isinstance(condition, OfKind):
        return True
    if not isinstance(condition, Compared):
        return False
    free = set().union(*(free_names(node) for node in condition.parts)) - CONSTANTS
    if len(free) != 1 or interval(name := next(iter(free)), (condition,)) is None:
        return False
    return all((node.kind == "name" and node.text == name) or _is_number(node) for node in condition.parts)


def _is_number(node: Node) -> bool:
    """Whether it is an exact number: pi is none, and bounds no box."""
    try:
        value(node, {})
    except NotExact:
        return False
    return True
