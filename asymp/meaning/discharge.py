"""Conditions on a ground: bound variables are brought to the ends of their ranges, waves to the ends of theirs.

>>> from asymp.domain import Interval
>>> from asymp.functions.conditions import Positive
>>> n, k = sp.symbols("n k", positive=True)
>>> box = Box({n: Interval(sp.Integer(1))}, whole=frozenset({"n"}))
>>> run = Binder(k, sp.Integer(1), n, "Sum")
>>> Discharge(box).holds(Positive(n - k + 1), (run,)), Discharge(box).holds(Positive(n - k), (run,))
(<Truth.ALWAYS: 'always'>, <Truth.FAILS: 'fails'>)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import sympy as sp

import asymp.symbolics as sy
from asymp.domain import Interval
from asymp.functions.conditions import Both, Condition, Never, NonNegative, Nonzero, NotPole, OneOf, Positive, Whole
from asymp.functions.parts import Binder, parts_of
from asymp.meaning.at import at_values, exploding, expressions
from asymp.meaning.coupled import Coupled
from asymp.meaning.ground import Box, Grid, Ground
from asymp.meaning.points import FEW, alike, all_values, at_point, place, some_values, symbols_of
from asymp.meaning.relaxed import relaxed
from asymp.meaning.signs import GAVE_UP, signs_of
from asymp.meaning.structure import shown
from asymp.meaning.truth import Truth, both, of_signs, one_of
from asymp.meaning.waves import corners
from asymp.meaning.whole import rational_valued, whole_valued

DEEPEST = 12
MOST_TOLD, MOST_SLOWLY, TINY = 2, 25, 3
"""How deep a question still asks what a ground is told; operations of what is parted beside a bound variable."""
LONGEST, SHORT = 60, 12
MOST_VALUES = 20_000
"""Of bound variables, at all points of a finite set."""
_TOTALS = (sp.Sum, sp.Integral, sp.Product)
_ROUGH = (sp.Derivative, sp.Subs, sp.DiracDelta, sp.Heaviside, sp.sign, sp.floor, sp.ceiling)
"""What a derivative has where the function jumps."""
Binders = tuple[Binder, ...]


@dataclass
class Discharge:
    """Answers of one ground, with the place where a condition was last found to fail."""

    ground: Ground
    place: str = ""
    _quick: bool = False
    _memo: dict[tuple[sp.Expr, bool, Binders, bool], Truth] = field(default_factory=dict)
    _always: set[tuple[Condition, Binders]] = field(default_factory=set)

    @cached_property
    def bare(self) -> Discharge:
        """Answers where nothing is known but which variables are whole."""
        return Discharge(Ground(whole=self.ground.whole))

    def holds(self, condition: Condition, binders: Binders = ()) -> Truth:
        """Whether the condition holds at every point of the ground and of the bound variables' ranges.

        An integral may run backwards: its range is taken both ways round where it is not known which way it runs.
        """
        question = alike(condition, binders)
        if question in self._always:
            return Truth.ALWAYS
        needed = tuple(b for k, b in enumerate(binders) if b.symbol.name in names_in(condition, binders[k + 1 :]))
        if len(needed) < len(binders) and self.holds(condition, needed) is Truth.ALWAYS:
            self.place = ""
            return Truth.ALWAYS  # whatever the others are, and whether or not there are values for them
        found = both(self._holding(condition, way) for way in self._oriented(binders))
        if found is Truth.ALWAYS:
            self._always.add(question)
        return found

    def _oriented(self, binders: Binders) -> list[Binders]:
        """The binders with the lower end of an integral's range first."""
        found: list[Binders] = [()]
        for binder in binders:
            back = replace(binder, low=binder.high, high=binder.low)
            ways = [binder]
            if not binder.whole and sp.oo not in (binder.high, -binder.low):
                gap = binder.high - binder.low
                if sp.oo in (binder.low, -binder.high) or gap.is_negative:
                    ways = [back]
                elif not gap.is_nonnegative:
                    ways = [binder, back]
            longer = []
            for before in found:
                forwards = len(ways) == 1 or self._positive(gap, False, before, 0) is Truth.ALWAYS
                longer += [(*before, way) for way in (ways[:1] if forwards else ways)]
            found = longer
        return found

    def _holding(self, condition: Condition, binders: Binders) -> Truth:
        if isinstance(self.ground, Grid):
            found = self.bare.holds(condition, binders)
            return found if found is Truth.ALWAYS else self._everywhere(condition, binders)
        found = self._holds(condition, binders, 0)
        if found in (Truth.UNKNOWN, Truth.FAILS, Truth.NEVER):
            failing = self._failing(condition, binders)
            if failing is not None:
                self.place = failing
                return Truth.FAILS
        # on the box around a coupled domain it may fail where the domain has no point
        return Truth.UNKNOWN if found is Truth.FAILS and isinstance(self.ground, Coupled) else found

    def _failing(self, condition: Condition, binders: Binders) -> str | None:
        """A point at which it fails, in words; None where none was found."""
        names = names_in(condition, binders)
        tried = set()
        for point in self.ground.points() if names else [{}]:
            for values in some_values({n: x for n, x in point.items() if n in names}, binders):
                key = tuple(values.items())
                if key not in tried and at_point(condition, values) is False:
                    return place(values)
                tried.add(key)
        return None

    def _everywhere(self, condition: Condition, binders: Binders) -> Truth:
        """At each point of a finite set: at each value of the bound variables where they are few, else by a proof."""
        points = list(self.ground.points())
        parts = list(expressions(condition, binders))
        if binders and sum(part.count_ops() for part in parts) <= LONGEST and not any(any(exploding(part)) for part in parts):
            if Discharge(self._box_around(points, condition, binders)).holds(condition, binders) is Truth.ALWAYS:
                return Truth.ALWAYS
        found, left, names = Truth.ALWAYS, MOST_VALUES, symbols_of(condition, binders).keys()
        used = [{name: x for name, x in point.items() if name in names} for point in points]
        for point in {tuple(one.items()): one for one in used}.values():
            few = all_values(point, binders, min(FEW, left))
            left -= 0 if few is None else len(few)
            for values in some_values(point, binders) if few is None else few:
                here = at_point(condition, values)
                if here is False:
                    self.place = place(values)
                    return Truth.FAILS
                found = found if here else Truth.UNKNOWN
            if few is None and found is Truth.ALWAYS:
                found = _shown_at(point, condition, binders)
        return found

    def _box_around(self, points: Sequence[Mapping[str, Any]], condition: Condition, binders: Binders) -> Box:
        """The least box with all points in it, of the names that have numbers at each."""
        ranges = {}
        for name, symbol in symbols_of(condition, binders).items():
            values = [_rational(x) for point in points for x in [point.get(name)] if isinstance(x, (int, Fraction))]
            if len(values) == len(points) > 0:
                ranges[symbol] = Interval(min(values), False, max(values), False)
        return Box(ranges, whole=self.ground.whole)

    # -- one condition -----------------------------------------------------------------------
    def _holds(self, condition: Condition, binders: Binders, depth: int) -> Truth:
        if isinstance(condition, Both):
            return both(self._holds(part, binders, depth) for part in condition.parts)
        if isinstance(condition, OneOf):
            return one_of(self._holds(part, binders, depth) for part in condition.parts)
        if isinstance(condition, Whole):
            return self._whole(condition.expr, binders)
        if isinstance(condition, NotPole):
            return self._no_pole(condition.expr, binders, depth)
        if isinstance(condition, (Positive, NonNegative)):
            return self._positive(condition.expr, isinstance(condition, Positive), binders, depth)
        if isinstance(condition, Nonzero):
            return self._nonzero(condition.expr, binders, depth)
        return Truth.NEVER if isinstance(condition, Never) else Truth.UNKNOWN

    def _names(self, binders: Binders) -> set[str]:
        return {*self.ground.whole, *(b.symbol.name for b in binders if b.whole)}

    def _whole(self, expr: sp.Expr, binders: Binders) -> Truth:
        try:
            return whole_valued(expr, self._names(binders))
        except GAVE_UP:
            return Truth.UNKNOWN

    def _no_pole(self, expr: sp.Expr, binders: Binders, depth: int) -> Truth:
        above = self._positive(expr, True, binders, depth)
        if above is Truth.ALWAYS:
            return above
        whole = self._whole(expr, binders)
        if whole is Truth.NEVER:
            return Truth.ALWAYS
        return above if whole is Truth.ALWAYS else Truth.UNKNOWN

    def _nonzero(self, expr: sp.Expr, binders: Binders, depth: int) -> Truth:
        if expr.is_Mul:
            return both(self._nonzero(factor, binders, depth) for factor in expr.args)
        if isinstance(expr, (sp.sin, sp.cos)) and rational_valued(expr.args[0], self._names(binders)):
            # the cosine of a rational number is not 0, nor is the sine but at 0: they are transcendental there
            if isinstance(expr, sp.cos):
                return Truth.ALWAYS
            return self._nonzero(expr.args[0], binders, depth)
        inner = [b for b in binders if b.symbol in expr.free_symbols]
        if expr.is_Pow and expr.exp.is_real and expr.base is not sp.E:
            return self._nonzero(expr.base, binders, depth)
        if self._shown(expr, True, binders, depth, quick=True):
            return Truth.ALWAYS
        if not inner and not corners(expr):
            found = self.ground.nonzero(expr)
            if found is not Truth.UNKNOWN:
                return found
        if self._residues(expr, binders) is Truth.ALWAYS or self._no_whole_root(expr):
            return Truth.ALWAYS
        above = self._positive(expr, True, binders, depth)
        found = above if above is Truth.ALWAYS else one_of(
            [Truth.UNKNOWN if above is Truth.FAILS else above, self._positive(-expr, True, binders, depth)])
        return found if found is Truth.ALWAYS else self._told(expr, (-1, 1), binders, found)

    def _residues(self, expr: sp.Expr, binders: Binders) -> Truth:
        """An expression that is never whole, for whole variables, is never 0: 2 n - 1 has no root among them."""
        coefficient = expr.as_coeff_Add()[0]
        rest = expr - coefficient
        scale = sp.gcd_terms(rest).as_coeff_Mul()[0] if coefficient.is_Rational and coefficient else sp.S.Zero
        if not scale.is_Rational or scale == 0:
            return Truth.UNKNOWN
        return Truth.ALWAYS if self._whole(expr / scale, binders) is Truth.NEVER else Truth.UNKNOWN

    def _no_whole_root(self, expr: sp.Expr) -> bool:
        """Whether a polynomial in one whole variable has no root among its values: n^2 - 2 has none."""
        if len(expr.free_symbols) != 1:
            return False
        (n,) = expr.free_symbols
        if n.name not in self.ground.whole or not expr.is_polynomial(n):
            return False
        poly = sy.poly(expr, n)
        if not all(c.is_Rational for c in poly.coeffs()) or poly.degree() > 20:
            return False
        bounds = self.ground.ranges.get(n, Interval()) if isinstance(self.ground, Box) else Interval()
        return not any(root.is_Integer and bounds.holds(root) for root in poly.ground_roots())

    def _positive(self, expr: sp.Expr, strict: bool, binders: Binders, depth: int) -> Truth:
        if depth > DEEPEST:
            return Truth.UNKNOWN
        key = (expr, strict, binders, self._quick)
        if key not in self._memo:
            first = depth == 0 and not self._quick and isinstance(self.ground, Coupled)
            if first and self._told(expr, (1,) if strict else (0, 1), binders, Truth.UNKNOWN) is Truth.ALWAYS:
                self._memo[key] = Truth.ALWAYS
                return Truth.ALWAYS
            try:
                found = self._sign(expr, strict, binders, depth)
            except GAVE_UP:
                found = Truth.UNKNOWN
            deep = depth > MOST_TOLD and expr.count_ops() > TINY
            wanted = (1,) if strict else (0, 1)
            self._memo[key] = found if self._quick or deep else self._told(expr, wanted, binders, found)
        return self._memo[key]

    def _told(self, expr: sp.Expr, wanted: tuple[int, ...], binders: Binders, found: Truth) -> Truth:
        """What is not known on the ranges alone may be by what else the ground is told of its variables."""
        if found is Truth.ALWAYS:
            return found
        told = of_signs(self.ground.told(expr, binders), wanted)
        return found if told is Truth.UNKNOWN else told

    def _sign(self, expr: sp.Expr, strict: bool, binders: Binders, depth: int) -> Truth:
        plain = expr.is_positive if strict else expr.is_nonnegative
        if plain and not isinstance(self.ground, Grid):
            return Truth.ALWAYS
        if self._shown(expr, strict, binders, depth, quick=True):
            return Truth.ALWAYS
        if isinstance(expr, (sp.sin, sp.cos)) and expr.free_symbols:  # between two zeros
            x, half = expr.args[0], sp.pi / 2
            near = (x, sp.pi - x) if isinstance(expr, sp.sin) else (half + x, half - x)
            if both(self._positive(e, strict, binders, depth + 1) for e in near) is Truth.ALWAYS:
                return Truth.ALWAYS
        offset, rest = expr.as_coeff_Add()
        if offset.is_Integer and isinstance(rest, sp.floor):  # floor(x) >= k where x >= k
            return self._positive(rest.args[0] + offset - int(strict), False, binders, depth + 1)
        if offset.is_Integer and isinstance(rest, sp.ceiling):  # ceiling(x) > k where x > k
            return self._positive(rest.args[0] + offset + int(not strict), True, binders, depth + 1)
        inner = [b for b in binders if b.symbol in expr.free_symbols]
        if inner:
            found = self._bound(expr, strict, binders, inner, depth)
            if found is Truth.UNKNOWN and not self._quick and expr.count_ops() <= MOST_SLOWLY:
                slowly = self._shown(expr, strict, binders, depth, quick=False)
                found = Truth.ALWAYS if slowly else self._parted(expr, strict, binders, inner[-1], depth)
            return found
        known = of_signs(self.ground.quick(expr), (1,) if strict else (0, 1))
        if known is Truth.UNKNOWN and self._quick and expr.count_ops() <= SHORT and not expr.has(*_TOTALS):
            known = of_signs(self.ground.signs(expr), (1,) if strict else (0, 1))
        if known is not Truth.UNKNOWN or self._quick:
            return known
        ends = corners(expr)
        if not ends:
            found = self.ground.positive(expr, strict)
            slowly = found is Truth.UNKNOWN and self._shown(expr, strict, binders, depth, quick=False)
            return Truth.ALWAYS if slowly else found
        at_ends = both(self._positive(e, strict and attained, binders, depth + 1) for e, attained in ends)
        if at_ends is Truth.ALWAYS:
            return Truth.ALWAYS
        if all(self._positive(-e, not strict, binders, depth + 1) is Truth.ALWAYS for e, _ in ends):
            return Truth.NEVER
        slowly = expr.count_ops() <= MOST_SLOWLY and self._shown(expr, strict, binders, depth, quick=False)
        return Truth.ALWAYS if slowly else Truth.UNKNOWN

    def _parted(self, expr: sp.Expr, strict: bool, binders: Binders, binder: Binder, depth: int) -> Truth:
        """At the first value of a sum's variable, and at the others."""
        if depth or not binder.whole or binder.low.is_infinite:
            return Truth.UNKNOWN
        first = self._positive(expr.subs(binder.symbol, binder.low), strict, tuple(b for b in binders if b != binder), 1)
        if first is not Truth.ALWAYS:
            return Truth.UNKNOWN
        later = tuple(replace(b, low=b.low + 1) if b == binder else b for b in binders)
        return self._positive(expr, strict, later, 1)

    def _shown(self, expr: sp.Expr, strict: bool, binders: Binders, depth: int, quick: bool) -> bool:
        """Whether its form shows its sign; ``quick``: with the signs of its parts by assumptions alone."""
        before, self._quick = self._quick, self._quick or quick
        try:
            return shown(expr, strict, binders, lambda e, sharp, under: self._positive(e, sharp, under, depth + 1))
        finally:
            self._quick = before

    # -- bound variables ---------------------------------------------------------------------
    def _bound(self, expr: sp.Expr, strict: bool, binders: Binders, inner: Sequence[Binder], depth: int) -> Truth:
        if expr.has(*_TOTALS) or expr.count_ops() > LONGEST:
            return Truth.UNKNOWN
        for form in relaxed(expr, inner):
            found = signs_of(self.ground.cover(form))
            if found is not None and found <= ({1} if strict else {0, 1}):
                return Truth.ALWAYS
        if self._quick:
            return Truth.UNKNOWN
        if self._by_prover(expr, strict, inner) is Truth.ALWAYS:
            return Truth.ALWAYS
        binder = inner[-1]
        outer = tuple(b for b in binders if b != binder)
        slope = sy.expand(sy.diff(sy.expand(expr), binder.symbol))
        if binder.symbol not in slope.free_symbols:
            return self._at_ends(expr, slope, strict, binder, outer, depth)
        if slope.has(*_ROUGH) or slope.count_ops() > 60 or not self._smooth(expr, binders, depth):
            return Truth.UNKNOWN
        for way in (1, -1):
            end = binder.low if way == 1 else binder.high
            if end.is_infinite or self._positive(way * slope, False, binders, depth + 1) is not Truth.ALWAYS:
                continue
            at_end = expr.subs(binder.symbol, end)
            there = self._positive(at_end, strict, outer, depth + 1)
            if strict and there is not Truth.ALWAYS and not binder.whole:  # an end that is not attained may be 0
                steep = self._positive(way * slope, True, binders, depth + 1)
                there = both([self._positive(at_end, False, outer, depth + 1), steep])
            return there if there is Truth.ALWAYS else Truth.UNKNOWN
        return Truth.UNKNOWN

    def _smooth(self, expr: sp.Expr, binders: Binders, depth: int) -> bool:
        """Whether it is defined between the whole numbers of a sum's range too: a slope says nothing across a pole."""
        real = tuple(replace(b, operator="Integral") for b in binders)
        return all(self._holds(part.condition(), (*real, *part.binders), depth + 1) is Truth.ALWAYS for part in parts_of(expr))

    def _at_ends(
        self, expr: sp.Expr, slope: sp.Expr, strict: bool, binder: Binder, outer: Binders, depth: int
    ) -> Truth:
        """What is linear in the bound variable has on its range the sign that it has at the ends.

        The ends of an integral's range do not belong to it: there it is enough that one end is positive.
        """

        def at(end: sp.Expr, way: int, sharp: bool) -> Truth:
            at_end = way * slope if end.is_infinite else expr.subs(binder.symbol, end)
            return self._positive(at_end, sharp and not end.is_infinite, outer, depth + 1)

        low, high = at(binder.low, -1, False), at(binder.high, 1, False)
        if both([low, high]) is not Truth.ALWAYS:
            return Truth.UNKNOWN
        if not strict:
            return Truth.ALWAYS
        sharp = [at(binder.low, -1, True), at(binder.high, 1, True)]
        finite = [t for t, end in zip(sharp, (binder.low, binder.high), strict=True) if not end.is_infinite]
        if binder.whole:
            return both(finite) if finite else Truth.UNKNOWN
        return Truth.ALWAYS if Truth.ALWAYS in finite else Truth.UNKNOWN

    def _by_prover(self, expr: sp.Expr, strict: bool, inner: Sequence[Binder]) -> Truth:
        """In the bound variable alone, over numbers."""
        prove = self.ground.prove if isinstance(self.ground, Box) else None
        if prove is None or len(inner) != 1 or expr.free_symbols != {inner[0].symbol}:
            return Truth.UNKNOWN
        binder = inner[0]
        low, high = binder.low, binder.high
        if not (low.is_Rational or low is -sp.oo):
            return Truth.UNKNOWN
        ends = Interval(low if low.is_Rational else None, not binder.whole, high if high.is_Rational else None, not binder.whole)
        return prove(expr, binder.symbol, strict, ends, binder.whole)


def names_in(condition: Condition, binders: Binders) -> set[str]:
    """The names a condition is about, those of the ends of the bound variables' ranges too."""
    if isinstance(condition, (Both, OneOf)):
        return set().union(*(names_in(part, binders) for part in condition.parts))
    expr = getattr(condition, "expr", sp.S.Zero)
    ends = [x for b in binders for x in (b.low, b.high)]
    return {s.name for e in (expr, *ends) for s in e.free_symbols}


def _shown_at(point: Mapping[str, Any], condition: Condition, binders: Binders) -> Truth:
    """At one point for all values of bound variables, by a proof."""
    values = {name: Fraction(x) for name, x in point.items() if isinstance(x, (int, Fraction))}
    if not symbols_of(condition, binders).keys() <= values.keys():
        return Truth.UNKNOWN
    ground, condition, binders = at_values(condition, binders, values)
    return Discharge(ground).holds(condition, binders)


def _rational(x: int | Fraction) -> sp.Rational:
    return sp.Rational(*Fraction(x).as_integer_ratio())
