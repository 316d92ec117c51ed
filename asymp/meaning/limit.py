"""A regime as a ground: what holds from some point on, for every value of the parameters.

>>> n, a = sp.symbols("n a", positive=True)
>>> limit = Limit(Regime.single(n))
>>> limit.positive(sp.log(n) - a), limit.positive(a - n), limit.nonzero(n - 5)
(<Truth.ALWAYS: 'always'>, <Truth.NEVER: 'never'>, <Truth.ALWAYS: 'always'>)
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

from asymp.expand import Expander
from asymp.expand.splits import Case, by_cases
from asymp.expansion import Refused, assumptions
from asymp.meaning.ground import Ground, Point
from asymp.meaning.signs import GAVE_UP, LONGEST, Signs, signs_of
from asymp.scale import Regime
from asymp.sign import decided_sign, undecided

FAR = (10, 1000)
SIZES = (10**3, 10**3 + 1, 10**6 + 3, 10**9 + 7)
VALUES = (1, 2, 3, 5, 10, sp.Rational(1, 2), sp.Rational(1, 3), sp.Rational(3, 2))
ORDERS = (2, 4)


@dataclass(frozen=True)
class Limit(Ground):
    """A regime."""

    regime: Regime

    @property
    def _regimes(self) -> tuple[Regime, ...]:
        return self.regime.cases or (self.regime,)

    def signs(self, expr: sp.Expr) -> Signs | None:
        """The signs that occur however far out: by assumptions from a far point on, or of leading terms."""
        found: Signs = frozenset()
        for regime in self._regimes:
            part = _plain(regime, expr)
            for method in (_leading, _far):
                part = method(regime, expr) if part is None else part
            if part is None:
                return None
            found |= part
        return found


    def quick(self, expr: sp.Expr) -> Signs | None:
        """By the symbols' own assumptions, or far out on one regime."""
        return _plain(self.regime, expr) if self.regime.cases else _plain(self.regime, expr) or super().quick(expr)

    def cover(self, expr: sp.Expr) -> sp.Expr:
        """The expression in symbols that cover what lies far out."""
        return _out(self.regime, expr, FAR[0])

    def points(self) -> Iterator[Point]:
        """Points far out on the regime's paths, with several values of the parameters."""
        for regime in self._regimes:
            covers = {s: sp.sympify(c) for s, c in regime.ranges.items()}
            free = sorted(set().union(*(c.free_symbols for c in covers.values())) if covers else set(), key=str)
            for path, size in itertools.product(regime.paths, SIZES):
                there = path.at(size)
                tuples: list[dict[str, sp.Expr]] = [
                    {s.name: sp.sympify(x) for s, x in instance.items()} for instance in regime.instances
                ]
                for value in VALUES:
                    tuples.append({s.name: c.subs(dict.fromkeys(free, value)) for s, c in covers.items()})
                    tuples.append({s.name: sp.sympify(value) for i in regime.instances for s in i if s not in covers}
                                  | {s.name: c.subs(dict.fromkeys(free, 1)) for s, c in covers.items()})
                for values in tuples:
                    point = {n: sp.sympify(x).subs({y: values[y.name] for y in sp.sympify(x).free_symbols
                                                    if y.name in values}) for n, x in there.items()}
                    point = {**values, **point}
                    if all(x.is_number for x in point.values()) and self._fits(point):
                        yield point

    def _fits(self, point: Point) -> bool:
        return all(point[name].is_Integer for name in self.whole if name in point)


def _out(regime: Regime, expr: sp.Expr, size: int) -> sp.Expr:
    """The expression with every scale beyond a size."""
    moved = {s: size + sp.Dummy(s.name, positive=True) for s in regime.scales}
    return regime.resolve(expr).subs(moved, simultaneous=True)


def _plain(regime: Regime, expr: sp.Expr) -> Signs | None:
    """By assumptions alone: one sign."""
    for form in (expr, regime.resolve(expr)):
        for name, sign in (("is_positive", 1), ("is_negative", -1), ("is_zero", 0)):
            if getattr(form, name):
                return frozenset({sign})
    return None


def _far(regime: Regime, expr: sp.Expr) -> Signs | None:
    if expr.has(sp.Sum, sp.Integral, sp.Product, sp.sin, sp.cos, sp.floor, sp.ceiling) or expr.count_ops() > LONGEST:
        return None
    try:
        known = signs_of(regime.resolve(expr))
        if (known is not None and len(known) == 1) or not expr.free_symbols & {*regime.scales, *regime.ties}:
            return known
        for size in FAR:
            found = signs_of(_out(regime, expr, size))
            if found is not None and len(found) == 1:
                return found
    except GAVE_UP:
        return None
    return None


def _leading(regime: Regime, expr: sp.Expr) -> Signs | None:
    """The signs of the leading terms, in every case that the answer splits into."""
    for order in ORDERS:

        def attempt(case: Case, order: int = order) -> int:
            with assumptions() as noted, undecided():
                found = Expander(case.regime, order)(case.at(expr))
                if found.is_exact() and not found.terms:
                    return 0
                _, coefficient = found.leading()
                for quantity in (coefficient, *noted):
                    sign = decided_sign(quantity)
                    if sign is None or (sign == 0):
                        raise Refused(f"{quantity} may vanish", undecided=(quantity,))
            return decided_sign(coefficient) or 0

        try:
            cases = by_cases(attempt, Case(regime), free_paths=False)
        except GAVE_UP:
            continue
        if all(case.answer is not None for case in cases):
            return frozenset(int(case.answer) for case in cases if case.answer is not None)
    return None


