"""Where a finite statement is claimed: intervals with exact ends, whole numbers, and the points it is tried at.

>>> Domain.finite(n=range(2, 4)).text
'n in {2, 3}'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import sympy as sp

from asymp.language.conditions import Conditions
from asymp.language.parts import Part


@dataclass(frozen=True)
class Interval:
    """An interval with exact ends; None is infinite."""

    low: sp.Rational | None = None
    low_open: bool = False
    high: sp.Rational | None = None
    high_open: bool = False

    def meet(self, other: Interval) -> Interval:
        """What lies in both."""
        low, low_open = self.low, self.low_open
        if other.low is not None and (low is None or (other.low, other.low_open) > (low, low_open)):
            low, low_open = other.low, other.low_open
        high, high_open = self.high, self.high_open
        if other.high is not None and (high is None or (-other.high, other.high_open) > (-high, high_open)):
            high, high_open = other.high, other.high_open
        return Interval(low, low_open, high, high_open)

    def holds(self, value: sp.Rational) -> bool:
        """Whether a number lies in it."""
        above = self.low is None or value > self.low or (value == self.low and not self.low_open)
        below = self.high is None or value < self.high or (value == self.high and not self.high_open)
        return bool(above and below)

    def is_empty(self, whole: bool = False) -> bool:
        """Whether no number, or no whole number, lies in it."""
        if self.low is None or self.high is None:
            return False
        if not whole:
            return bool(self.low > self.high or (self.low == self.high and (self.low_open or self.high_open)))
        first = sp.floor(self.low) + 1 if self.low_open else sp.ceiling(self.low)
        return not self.holds(first)

    def points(self) -> list[sp.Rational]:
        """Exact points: whole numbers near the lower end and far out; fractions if few fit."""
        start = sp.ceiling(self.low) if self.low is not None else sp.Integer(1)
        steps = [*range(10), 15, 24, 49, 99, 999, 9_999, 10**6 - 1, 10**9 - 1, 10**20 - 1]
        found = [start + step for step in steps if self.holds(start + step)]
        if self.low is None and self.high is not None and len(found) < 3:
            found += [end for end in (sp.floor(self.high) - step for step in (*range(6), 99, 10**6)) if self.holds(end)]
        if self.high is not None and self.low is not None and len(found) < 3:
            inner = [self.low + (self.high - self.low) * part / 16 for part in range(17)]
            found += [point for point in inner if self.holds(point) and point not in found]
        return list(dict.fromkeys(found))


@dataclass(frozen=True)
class Domain:
    """The parameters for which a finite statement is claimed, and the finite set it is tried on.

    Args:
        text: the whole domain in words, as the paper has it.
        grid: the points (name -> exact value) on which a check evaluates; they must lie in the domain.
        ranges: name -> interval, where the domain is a box; None where it is words alone.
        whole: the names that stand for whole numbers.
        real: the names that were said to stand for real numbers ("for real n >= 1").
        complete: whether the grid is the domain: a statement that holds on it all is *certified*, otherwise
            a grid can only *support* it.  Only :meth:`finite` says so, and makes its own text.
        conditions: what holds of the points beside their ranges, as 1 <= i <= n.
        models: functions of a model that the conditions call.
        of_functions: whether it speaks of functions, of which what is said is looked at in a few places alone: a point
            that fails there speaks against a statement, and is no certain counterexample.
        tied: what has to be defined, or whole, for what is tied in it to have a value.
        narrowed: whether the conditions say more of what is tied, so that a point may be missing where that has none.
    """

    text: str
    grid: tuple[Mapping[str, Any], ...] = ()
    ranges: Mapping[str, Interval] | None = None
    whole: frozenset[str] = field(default=frozenset())
    complete: bool = False
    real: frozenset[str] = field(default=frozenset())
    conditions: Conditions = ()
    models: tuple[tuple[str, Callable[..., Any]], ...] = ()
    of_functions: bool = False
    tied: tuple[Part, ...] = ()
    narrowed: bool = False

    @staticmethod
    def product(text: str, **axes: Sequence[Any]) -> Domain:
        """The grid of all combinations.

        >>> [dict(point) for point in Domain.product("n >= 1", n=[1, 2]).grid]
        [{'n': 1}, {'n': 2}]
        """
        return Domain(text, _product(axes))

    @staticmethod
    def finite(**axes: Iterable[Any]) -> Domain:
        """A finite domain: all combinations, and nothing else.

        >>> Domain.finite(n=[1, 2], p=[sp.Rational(1, 2)]).text
        'n in {1, 2}, p = 1/2'
        """
        values = {name: list(items) for name, items in axes.items()}
        return Domain(", ".join(_listed(*item) for item in values.items()), _product(values), complete=True)

    @staticmethod
    def points(*points: Mapping[str, Any]) -> Domain:
        """A finite domain given point by point; without any argument the one empty point of a statement about numbers.

        >>> Domain.points().grid, Domain.points({"n": 1, "m": 2}).text
        (({},), '(n, m) = (1, 2)')
        """
        if not points:
            return Domain("", ({},), complete=True)
        names = list(points[0])
        rows = [", ".join(str(point[name]) for name in names) for point in points]
        left, shown = (names[0], rows) if len(names) == 1 else (f"({', '.join(names)})", [f"({row})" for row in rows])
        return Domain(_listed(left, shown), tuple(points), complete=True)

    def where(self, keep: Callable[..., bool]) -> Domain:
        """The same domain with the grid points for which ``keep(**point)`` is true."""
        kept = tuple(point for point in self.grid if keep(**point))
        return replace(self, grid=kept, complete=self.complete and len(kept) == len(self.grid))

    def with_real_points(self) -> Domain:
        """The same, with what has a value that is not whole in a finite set as real: made whole it would lose that point.

        >>> sorted(Domain.finite(n=[1, sp.Rational(1, 2)], m=[2]).with_real_points().real)
        ['n']
        """
        found = set()
        for name, x in ((name, x) for point in self.grid if self.complete for name, x in point.items()):
            if isinstance(x, (int, Fraction, sp.Expr)) and not sp.sympify(x).is_integer:
                found.add(name)
        return replace(self, real=self.real | (found - self.whole))


def _product(axes: Mapping[str, Sequence[Any]]) -> tuple[Mapping[str, Any], ...]:
    points: list[dict[str, Any]] = [{}]
    for name, values in axes.items():
        points = [{**point, name: value} for point in points for value in values]
    return tuple(points)


def _listed(name: str, values: Sequence[Any]) -> str:
    return f"{name} = {values[0]}" if len(values) == 1 else f"{name} in {{{', '.join(map(str, values))}}}"
