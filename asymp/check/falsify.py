r"""Counterexamples to a bound in several variables, looked for where nobody chose to look.

A finite grid upholds what fails between its points.  So points of the whole box are tried (its corners, a lattice,
numbers drawn from a hash of the statement), and from those where the smaller side comes nearest to the larger, steps
are taken downhill, a variable at a time.  What is found is a point where a ball says that the statement fails;
that nothing is found says nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from asymp.check.domains import difference_of, has_totals, meant_whole, obeys, unchosen
from asymp.claim import Bound
from asymp.domain import Interval
from asymp.enclosure import InputError, Undecided, ball
from asymp.kernel.terms import Term, negative

BITS = 160
DOWNHILL = 3
"""Points from which steps are taken downhill."""
ROUNDS = 12
"""Rounds of steps, each half as long as the last."""
COSTLY = 40
"""Points tried where a sum or an integral has to be evaluated at each."""
FINE = 10**9
"""Denominators of the points at most."""


def counterexample(relation: Bound) -> dict[str, Fraction] | None:
    """A point of the box where a ball says that the bound fails, or None.

    >>> from asymp.parse import parse_statement
    >>> failing = parse_statement("1/1000 < (x - y^2)^2 + (y - 3/7)^2 for 0 < x < 1, 0 < y < 1")
    >>> counterexample(failing) is not None
    True
    """
    difference = difference_of(relation)
    return None if difference is None else _Search(relation, difference).run()


class _Search:
    def __init__(self, relation: Bound, difference: Term) -> None:
        self.difference = negative(difference) if relation.op[0] == "<" else difference
        self.domain = relation.domain
        self.integers = meant_whole(relation.domain, difference.free)
        self.strict = len(relation.op) == 1
        self.seed = f"{relation.lhs} {relation.op} {relation.rhs} for {relation.domain.text}"
        self.left = COSTLY if has_totals(difference) else 10 * COSTLY

    def value(self, point: dict[str, Fraction]) -> float | None:
        """D at a point, or minus infinity where a ball says that the bound fails there; None where nothing is known."""
        if self.left <= 0:
            return None
        self.left -= 1
        try:
            found = ball(self.difference, point, BITS)
        except (Undecided, InputError, ArithmeticError, ValueError, TypeError):
            return None
        if found < 0 or (self.strict and found == 0):
            return float("-inf")
        return float(found.mid()) if found.is_finite() else None

    def run(self) -> dict[str, Fraction] | None:
        values: list[tuple[float, dict[str, Fraction]]] = []
        for point in unchosen(self.domain, self.difference, self.seed):
            if self.left <= COSTLY // 2:  # what is left is for the steps downhill
                break
            value = self.value(point)
            if value == float("-inf"):
                return point
            if value is not None:
                values.append((value, point))
        values.sort(key=lambda item: item[0])
        for value, point in values[:DOWNHILL]:
            found = self._downhill(value, point)
            if found is not None:
                return found
        return None

    def _downhill(self, value: float, point: dict[str, Fraction]) -> dict[str, Fraction] | None:
        scale = Fraction(1, 2)
        for _ in range(ROUNDS):
            for name in sorted(point):
                for moved in self._steps(point, name, scale):
                    new = self.value(moved)
                    if new == float("-inf"):
                        return moved
                    if new is not None and new < value:
                        value, point = new, moved
            scale /= 2
        return None

    def _steps(self, point: dict[str, Fraction], name: str, scale: Fraction) -> Iterator[dict[str, Fraction]]:
        here, interval = point[name], self.domain.ranges.get(name, Interval())
        width = max(abs(here), Fraction(1))
        if interval.high is not None and interval.low is not None:
            width = interval.high - interval.low
        for direction in (1, -1):
            there = (here + direction * scale * width / 2).limit_denominator(FINE)
            if name in self.integers:
                there = Fraction(math.floor(there) if direction < 0 else math.ceil(there))
            moved = {**point, name: there}
            if there != here and interval.holds(there) and obeys(self.domain, moved):
                yield moved
