"""Where a finite statement is claimed: intervals with exact ends, whole numbers, and the points it is tried at.

>>> x = Interval(Fraction(1, 2), True)
>>> x.holds(Fraction(1, 2)), x.meet(Interval(high=Fraction(1))).is_empty(whole=True), x.points()[:2]
(False, False, [Fraction(1, 1), Fraction(2, 1)])
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from asymp.language.conditions import Conditions
from asymp.language.parts import Part


@dataclass(frozen=True)
class Interval:
    """An interval with exact ends; None is infinite."""

    low: Fraction | None = None
    low_open: bool = False
    high: Fraction | None = None
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

    def holds(self, value: Fraction) -> bool:
        """Whether a number lies in it."""
        above = self.low is None or value > self.low or (value == self.low and not self.low_open)
        return above and (self.high is None or value < self.high or (value == self.high and not self.high_open))

    def is_empty(self, whole: bool = False) -> bool:
        """Whether no number, or no whole number, lies in it."""
        if self.low is None or self.high is None:
            return False
        if not whole:
            return self.low > self.high or (self.low == self.high and (self.low_open or self.high_open))
        return not self.holds(Fraction(math.floor(self.low) + 1 if self.low_open else math.ceil(self.low)))

    def points(self) -> list[Fraction]:
        """Exact points: whole numbers near the lower end and far out; fractions if few fit."""
        start = Fraction(math.ceil(self.low)) if self.low is not None else Fraction(1)
        steps = [*range(10), 15, 24, 49, 99, 999, 9_999, 10**6 - 1, 10**9 - 1, 10**20 - 1]
        found = [start + step for step in steps if self.holds(start + step)]
        if self.low is None and self.high is not None and len(found) < 3:
            found += [end for step in (*range(6), 99, 10**6) if self.holds(end := Fraction(math.floor(self.high) - step))]
        if self.high is not None and self.low is not None and len(found) < 3:
            inner = [self.low + (self.high - self.low) * part / 16 for part in range(17)]
            found += [point for point in inner if self.holds(point) and point not in found]
        return list(dict.fromkeys(found))


@dataclass(frozen=True)
class Domain:
    """The parameters for which a finite statement is claimed, and the finite set it is tried on.

    Args:
        text: the whole domain in words, as the paper has it.
        grid: the points (name -> exact value) on which a check evaluates; they lie in the domain.
        ranges: name -> interval.
        whole: the names that stand for whole numbers.
        real: the names that were said to stand for real numbers ("for real n >= 1").
        complete: whether the grid is the domain: a statement that holds on it all is *certified*, otherwise
            a grid can only *support* it.
        conditions: what holds of the points beside their ranges, as 1 <= i <= n.
        models: functions of a model that the conditions call.
        of_functions: whether it speaks of functions, of which what is said is looked at in a few places alone: a point
            that fails there speaks against a statement, and is no certain counterexample.
        tied: what has to be defined, or whole, for what is tied in it to have a value.
        narrowed: whether the conditions say more of what is tied, so that a point may be missing where that has none.
    """

    text: str
    grid: tuple[Mapping[str, Any], ...] = ()
    ranges: Mapping[str, Interval] = field(default_factory=dict)
    whole: frozenset[str] = field(default=frozenset())
    complete: bool = False
    real: frozenset[str] = field(default=frozenset())
    conditions: Conditions = ()
    models: tuple[tuple[str, Callable[..., Any]], ...] = ()
    of_functions: bool = False
    tied: tuple[Part, ...] = ()
    narrowed: bool = False

    def with_real_points(self) -> Domain:
        """The same, with what has a value that is not whole in a finite set as real: made whole it would lose that point.

        >>> half = {"n": Fraction(1, 2), "m": Fraction(2)}
        >>> sorted(Domain("", (half,), complete=True).with_real_points().real)
        ['n']
        """
        points = self.grid if self.complete else ()
        found = {name for point in points for name, x in point.items() if isinstance(x, Fraction) and not is_whole(x)}
        return replace(self, real=self.real | (found - self.whole))


def is_whole(value: Any) -> bool:
    """Whether a value is a whole number.

    >>> is_whole(Fraction(2)), is_whole(Fraction(1, 2)), is_whole((1, 2))
    (True, False, False)
    """
    return isinstance(value, (int, Fraction)) and Fraction(value).denominator == 1
