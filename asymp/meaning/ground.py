"""Where a statement is made: a box of ranges, a finite set of points, or a regime (there: from some point on).

Each ground answers for expressions in the statement's free variables; bound variables are brought to it by
:mod:`asymp.meaning.discharge`.

>>> n = sp.Symbol("n", positive=True)
>>> box = Box({n: Interval(sp.Integer(2))}, whole=frozenset({"n"}))
>>> box.positive(n - 1), box.positive(n - 2), box.positive(1 - n)
(<Truth.ALWAYS: 'always'>, <Truth.UNKNOWN: 'unknown'>, <Truth.NEVER: 'never'>)
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy as sp

from asymp import symbolics as sy
from asymp.domain import Domain, Interval
from asymp.functions.parts import Binder
from asymp.kernel.rings.bernstein import sign_on
from asymp.meaning.signs import GAVE_UP, LONGEST, Signs, signs_of
from asymp.meaning.truth import Truth, of_signs

Prove = Callable[[sp.Expr, sp.Symbol, bool, Interval, bool], Truth]
"""Whether ``expr > 0`` (or ``>= 0``: third argument False) on a range of one variable, whole (last) or real."""
Point = Mapping[str, Any]
MOST_POINTS = 400
MOST_SPREAD = 4
"""Variables of a box that is parted into its inside and its faces at most."""


@dataclass(frozen=True)
class Ground:
    """Common to all: what is asked of it.  ``whole``: the names of whole variables."""

    whole: frozenset[str] = field(default=frozenset(), kw_only=True)

    def signs(self, expr: sp.Expr) -> Signs | None:
        """A set that holds every sign that occurs; None: not known."""
        return self.quick(expr)

    def positive(self, expr: sp.Expr, strict: bool = True) -> Truth:
        """Whether ``expr > 0`` (or ``>= 0``) everywhere."""
        return of_signs(self.signs(expr), (1,) if strict else (0, 1))

    def nonzero(self, expr: sp.Expr) -> Truth:
        """Whether ``expr != 0`` everywhere."""
        return of_signs(self.signs(expr), (-1, 1))

    def cover(self, expr: sp.Expr) -> sp.Expr:
        """The expression in symbols whose assumptions cover the ranges."""
        return expr

    def quick(self, expr: sp.Expr) -> Signs | None:
        """As :meth:`signs`, by assumptions alone and of short expressions."""
        if expr.has(sp.Sum, sp.Integral, sp.Product) or expr.count_ops() > LONGEST:
            return None
        return signs_of(self.cover(expr))

    def told(self, expr: sp.Expr, binders: tuple[Binder, ...] = ()) -> Signs | None:
        """As :meth:`signs`, at all values of bound variables, by what is known beside the ranges."""
        return None

    def points(self) -> Iterator[Point]:
        """Points (name -> exact value) that belong to it, to look for failures."""
        return iter(())


def _covers(symbol: sp.Symbol, interval: Interval, whole: bool) -> list[sp.Expr]:
    """Expressions in new symbols whose values together are the range."""
    low, high = interval.low, interval.high
    if whole:
        low = None if low is None else sp.floor(low) + 1 if interval.low_open else sp.ceiling(low)
        high = None if high is None else sp.ceiling(high) - 1 if interval.high_open else sp.floor(high)
        interval = Interval(low, False, high, False)
    kind = {"integer": True} if whole else {}
    name = f"{symbol.name}_"
    beyond = sp.Dummy(name, nonnegative=True, **kind)
    if low is None and high is None:
        return [sp.Dummy(name, real=True, **kind)]
    if high is None:
        return [low + (sp.Dummy(name, positive=True) if interval.low_open else beyond)]
    if low is None:
        return [high - (sp.Dummy(name, positive=True) if interval.high_open else beyond)]
    if low == high:
        return [low]
    inside = low + (high - low) / (1 + sp.Dummy(name, positive=True))
    ends = ([] if interval.low_open else [low]) + ([] if interval.high_open else [high])
    return [inside, *ends]


@dataclass(frozen=True)
class Box(Ground):
    """A box of ranges."""

    ranges: Mapping[sp.Symbol, Interval]
    prove: Prove | None = None

    def _pieces(self, symbols: set[sp.Symbol]) -> list[dict[sp.Symbol, sp.Expr]]:
        used = [s for s in self.ranges if s in symbols]
        each = [_covers(s, self.ranges[s], s.name in self.whole) for s in used]
        if len(used) > MOST_SPREAD:
            each = [[s] for s in used]
        return [dict(zip(used, values, strict=True)) for values in itertools.product(*each)]

    def signs(self, expr: sp.Expr) -> Signs | None:
        """As of any ground: the union over the inside of the box and its faces; of a polynomial in one variable by halves."""
        if (known := self._of_polynomial(expr)) is not None:
            return known
        found: Signs = frozenset()
        for piece in self._pieces(expr.free_symbols):
            part = signs_of(expr.subs(piece, simultaneous=True))
            if part is None:
                return None
            found |= part
        return found

    def quick(self, expr: sp.Expr) -> Signs | None:
        """As of any ground, and of polynomials."""
        return self._of_polynomial(expr) or super().quick(expr)

    def _of_polynomial(self, expr: sp.Expr) -> Signs | None:
        free = expr.free_symbols & set(self.ranges)
        if len(free) != 1 or len(expr.free_symbols) != 1 or not expr.is_polynomial(*free):
            return None
        (x,) = free
        interval = self.ranges[x]
        if interval.low is None or not all(end is None or end.is_Rational for end in (interval.low, interval.high)):
            return None
        try:
            coefficients = sy.poly(expr, x).all_coeffs()[::-1]
        except GAVE_UP:
            return None
        if not all(c.is_Rational for c in coefficients):
            return None
        low, high = (None if end is None else Fraction(int(end.p), int(end.q)) for end in (interval.low, interval.high))
        assert low is not None
        found = sign_on([Fraction(int(c.p), int(c.q)) for c in coefficients], low, high)
        ends = [end for end, is_open in ((interval.low, interval.low_open), (interval.high, interval.high_open))
                if end is not None and not is_open]  # fmt: skip
        if found is None:
            return None
        return frozenset({found, *(int(sp.sign(expr.subs(x, end))) for end in ends)})

    def cover(self, expr: sp.Expr) -> sp.Expr:
        """The expression in symbols that cover the ranges, where one expression covers each."""
        single = {s: c for s in self.ranges for c in [_covers(s, self.ranges[s], s.name in self.whole)] if len(c) == 1}
        return expr.subs({s: c[0] for s, c in single.items()}, simultaneous=True)

    def positive(self, expr: sp.Expr, strict: bool = True) -> Truth:
        """By assumptions; in one variable by the bound prover."""
        found = super().positive(expr, strict)
        return self._proved(expr, strict) if found is Truth.UNKNOWN else found

    def nonzero(self, expr: sp.Expr) -> Truth:
        """By assumptions; in one variable by the bound prover, for either sign."""
        found = super().nonzero(expr)
        if found is Truth.UNKNOWN:
            above, below = self._proved(expr, True), Truth.UNKNOWN
            below = self._proved(-expr, True) if above is not Truth.ALWAYS else below
            return Truth.ALWAYS if Truth.ALWAYS in (above, below) else Truth.UNKNOWN
        return found

    def _proved(self, expr: sp.Expr, strict: bool) -> Truth:
        free = expr.free_symbols
        if self.prove is None or len(free) != 1 or not free <= set(self.ranges):
            return Truth.UNKNOWN
        (x,) = free
        return self.prove(expr, x, strict, self.ranges[x], x.name in self.whole)

    def points(self) -> Iterator[Point]:
        """The corners and inner points of each range, all combinations."""
        axes = []
        for symbol, interval in self.ranges.items():
            whole = symbol.name in self.whole
            found = interval.points()
            if not whole:
                start = interval.low if interval.low is not None else sp.Integer(0)
                found += [start + sp.Rational(a, b) for a, b in ((1, 2), (1, 3), (1, 1000), (5, 2), (7, 2), (22, 7))]
            if interval.low is None:
                found += [-p for p in found] + [sp.S.Zero]
            axes.append([p for p in dict.fromkeys(found) if interval.holds(p) and (p.is_Integer or not whole)])
        names = [s.name for s in self.ranges]
        most = max(3, int(MOST_POINTS ** (1 / max(len(names), 1))))
        for values in itertools.islice(itertools.product(*(axis[:most] for axis in axes)), MOST_POINTS):
            yield dict(zip(names, values, strict=True))


@dataclass(frozen=True)
class Grid(Ground):
    """A domain in words: its symbols' own assumptions, or else its points one by one."""

    domain: Domain

    def points(self) -> Iterator[Point]:
        """The points of the domain."""
        return iter(self.domain.grid)
