r"""Counterexamples to a bound in several variables, looked for where nobody chose to look.

A finite grid upholds what fails between its points.  So points of the whole box are tried (its corners, a lattice,
numbers drawn from a hash of the statement), and from those where the smaller side comes nearest to the larger, steps
are taken downhill, a variable at a time.  What is found is a point where a ball says that the statement fails;
that nothing is found says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import sympy as sp

from asymp.check.domains import meant_whole, obeys, typed, unchosen
from asymp.claim import Bound
from asymp.domain import Interval
from asymp.enclosure import InputError, Undecided, ball

BITS = 160
DOWNHILL = 3
"""Points from which steps are taken downhill."""
ROUNDS = 12
"""Rounds of steps, each half as long as the last."""
COSTLY = 40
"""Points tried where a sum or an integral has to be evaluated at each."""


def counterexample(relation: Bound) -> dict[str, sp.Rational] | None:
    """A point of the box where a ball says that the bound fails, or None.

    >>> from asymp.claim import Domain
    >>> x, y = sp.symbols("x y", positive=True)
    >>> domain = Domain("0 < x < 1, 0 < y < 1")
    >>> failing = Bound(sp.Rational(1, 1000), "<", (x - y**2) ** 2 + (y - sp.Rational(3, 7)) ** 2, domain)
    >>> counterexample(failing) is not None
    True
    """
    lhs, rhs = relation.lhs, relation.rhs
    if not isinstance(lhs, sp.Expr) or not isinstance(rhs, sp.Expr):
        return None
    return _Search(relation, lhs, rhs).run()


class _Search:
    def __init__(self, relation: Bound, lhs: sp.Expr, rhs: sp.Expr) -> None:
        difference = rhs - lhs if relation.op[0] == "<" else lhs - rhs
        self.names = sorted({s.name for s in lhs.free_symbols | rhs.free_symbols})
        self.ranges = typed(relation.domain).ranges or {}
        self.integers = meant_whole(relation.domain, difference)
        self.difference = difference
        self.strict = len(relation.op) == 1
        self.seed = f"{relation.lhs} {relation.op} {relation.rhs} for {relation.domain.text}"
        self.domain = relation.domain
        self.left = COSTLY if difference.has(sp.Sum, sp.Integral, sp.Product) else 10 * COSTLY

    def value(self, point: dict[str, sp.Rational]) -> float | None:
        """D at a point, or minus infinity where a ball says that the bound fails there; None where nothing is known."""
        if self.left <= 0:
            return None
        self.left -= 1
        try:
            found = ball(self.difference, dict(point), BITS)
        except (Undecided, InputError, ArithmeticError, ValueError, TypeError):
            return None
        if found < 0 or (self.strict and found == 0):
            return float("-inf")
        return float(found.mid()) if found.is_finite() else None

    def run(self) -> dict[str, sp.Rational] | None:
        values: list[tuple[float, dict[str, sp.Rational]]] = []
        for point in unchosen(self.domain, self.names, self.integers, self.seed):
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

    def _downhill(self, value: float, point: dict[str, sp.Rational]) -> dict[str, sp.Rational] | None:
        scale = sp.Rational(1, 2)
        for _ in range(ROUNDS):
            for name in self.names:
                for moved in self._steps(point, name, scale):
                    new = self.value(moved)
                    if new == float("-inf"):
                        return moved
                    if new is not None and new < value:
                        value, point = new, moved
            scale /= 2
        return None

    def _steps(self, point: dict[str, sp.Rational], name: str, scale: sp.Rational) -> Iterator[dict[str, sp.Rational]]:
        here, interval = point[name], self.ranges.get(name, Interval())
        width = max(abs(here), sp.S.One)
        if interval.high is not None and interval.low is not None:
            width = interval.high - interval.low
        for direction in (1, -1):
            there = here + direction * scale * width / 2
            there = sp.Rational(Fraction(int(there.p), int(there.q)).limit_denominator(10**9))
            if name in self.integers:
                there = sp.floor(there) if direction < 0 else sp.ceiling(there)
            moved = {**point, name: there}
            if there != here and interval.holds(there) and obeys(self.domain, moved):
                yield moved
