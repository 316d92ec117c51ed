r"""Inequalities D >= 0 (or > 0) in one variable: proved on a whole range, or refuted by one certified point.

The range is cut into three kinds of piece:

* *the ends* (infinity; an end where D vanishes or is not finite): with x = t, a + 1/t or b - 1/t, D is expanded with
  explicit remainders (:mod:`asymp.expand.calculus`), whose leading term outweighs all others for t >= T;
* *the middle*, for real x: boxes on which a ball of D is positive, or the mean value form is, or D is
  monotone (then its ends count); boxes are halved until one of these holds;
* *whole numbers*, where the variable is one: every one of them up to T, or boxes as above.

A point where D is exactly 0 splits the range.  A counterexample is a rational point where a ball of D is negative.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

import sympy as sp

import asymp.symbolics as sy
from asymp import budget
from asymp.budget import Budget
from asymp.check.points import between, constants_near, points, short
from asymp.claim import Step
from asymp.enclosure import InputError, Undecided, sign
from asymp.enclosure.explicit import OnIntervals, exact_ball, interval, number
from asymp.expand.explicit import Calculus
from asymp.expand.supremum import Later
from asymp.expansion import Refused

STARTS = (1, 2, 3, 5, 8, 12, 20, 35, 60, 100, 300, 1000, 3000, 10**4, 10**5, 10**6, *(10**k for k in (9, 12, 16, 20, 30, 50)),
          *(10**k for k in (100, 200, 400, 1000)))  # fmt: skip
NEAR = (1, 2, 4, 8, 16, 50, 200, 1000, 10**5, 10**9)
ORDERS = (2, 4, 7)
BOXES = 6000
EACH = 400
"""So many whole numbers are tried one by one."""
SIGN_BITS = 1 << 13
NARROW = Fraction(1, 1 << 40)


class Stuck(Refused):
    """No proof and no counterexample; ``place`` says where."""

    def __init__(self, why: str, place: tuple[Fraction, Fraction] | None = None) -> None:
        super().__init__(why)
        self.place = place


class Counterexample(Exception):
    """A point of the range where D < 0 (or = 0 where > is claimed), certified."""

    def __init__(self, point: Fraction) -> None:
        super().__init__(short(point))
        self.point = point


@dataclass(frozen=True)
class Piece:
    """A range of x: low to high (None: infinity), and which ends belong to it."""

    low: Fraction
    low_open: bool
    high: Fraction | None
    high_open: bool
    whole: bool = False

    def text(self) -> str:
        """The piece in words."""
        if self.whole:
            return f"whole numbers from {self.low}" + ("" if self.high is None else f" to {self.high}")
        left, right = "(" if self.low_open else "[", ")" if self.high_open or self.high is None else "]"
        return f"{left}{self.low}, {'oo' if self.high is None else self.high}{right}"


class Prover:
    """One difference D in x, to be shown nonnegative (``strict``: positive).

    Raises (all methods):
        Stuck: neither a proof nor a counterexample was found.
        Counterexample: D fails there.
    """

    def __init__(self, difference: sp.Expr, x: sp.Symbol, strict: bool, purse: Budget | None = None) -> None:
        self.d, self.x, self.strict = difference, x, strict
        self.purse = purse or Budget(budget.BOUND)
        self.steps: list[Step] = []
        self._value: OnIntervals | None = None
        self._slope: OnIntervals | None = None

    # -- numbers -----------------------------------------------------------------------------
    @property
    def value(self) -> OnIntervals:
        """D on boxes."""
        if self._value is None:
            self._value = OnIntervals(self.d, self.x.name)
        return self._value

    @property
    def slope(self) -> OnIntervals | None:
        """D' on boxes; None where it cannot be had."""
        if self._slope is None:
            try:
                slope = sy.diff(self.d, self.x)
                if slope.has(sp.Derivative, sp.Subs) or slope.count_ops() > 400:
                    return None
                self._slope = OnIntervals(slope, self.x.name)
            except (Undecided, ValueError, TypeError):
                return None
        return self._slope

    def sign_at(self, point: Fraction) -> int | None:
        """The sign of D at a point; None where it is not known."""
        try:
            return sign(self.d, {self.x.name: point}, SIGN_BITS)
        except (Undecided, InputError, ArithmeticError, ValueError):
            pass
        try:
            value = sy.simplify(self.d.subs(self.x, sp.Rational(point.numerator, point.denominator)))
        except (ValueError, TypeError, ArithmeticError):
            return None
        return 0 if value == 0 else None

    def require(self, point: Fraction) -> None:
        """D >= 0 (or > 0) at one point of the range."""
        found = self.sign_at(point)
        if found is None:
            raise Stuck(f"the sign at {self.x} = {short(point)} is not known", (point, point))
        if found < 0 or (found == 0 and self.strict):
            raise Counterexample(point)

    def _late(self, low: Fraction, high: Fraction) -> None:
        if self.purse.exhausted():
            raise Stuck(f"not decided with the work that is allowed near {self.x} = {short(low)}", (low, high))

    # -- the whole range ---------------------------------------------------------------------
    def prove(self, piece: Piece, depth: int = 0) -> None:
        """Show it on a range; the steps say how."""
        if piece.whole:
            self._whole(piece)
            return
        low, high = piece.low, piece.high
        if not piece.low_open:
            self.require(low)
        if high is not None and not piece.high_open:
            self.require(high)
        inner_high = self.beyond(low) if high is None else high
        if inner_high is None:
            raise Stuck("the sign for large values is not known")
        if inner_high <= low:
            return
        if self.sign_at(low) != 1 or self._singular(low, inner_high):
            low = self.near(low, 1, inner_high)
        if high is not None and low < inner_high and (self.sign_at(high) != 1 or self._singular(low, high)):
            inner_high = self.near(high, -1, low)
        if low >= inner_high:
            return
        try:
            self.middle(low, inner_high)
        except Stuck as stuck:
            touch = self._zero_in(stuck.place, low, inner_high)
            if touch is None or depth >= 3:
                raise
            if self.strict:
                raise Counterexample(touch) from stuck
            self.steps.append(Step(f"D({short(touch)}) = 0 splits the range", ""))
            self.prove(Piece(low, False, touch, False), depth + 1)
            self.prove(Piece(touch, False, inner_high, False), depth + 1)

    def _singular(self, low: Fraction, high: Fraction) -> bool:
        """Whether no ball is to be had next to an end."""
        width = (high - low) * Fraction(1, 1 << 20)
        return not (self.value.ball(low, low + width).is_finite() and self.value.ball(high - width, high).is_finite())

    def _zero_in(self, place: tuple[Fraction, Fraction] | None, low: Fraction, high: Fraction) -> Fraction | None:
        """A simple rational strictly inside at which D is exactly 0, where boxes did not get on."""
        if place is None:
            return None
        a, b = place
        middle = (a + b) / 2
        for limit in (1, 2, 12, 120, 1200):
            guess = middle.limit_denominator(limit)
            if low < guess < high and abs(guess - middle) <= (b - a) * 4 and self.sign_at(guess) == 0:
                return guess
        return None

    # -- ends --------------------------------------------------------------------------------
    def _side(self, expr: sp.Expr, t: sp.Symbol, starts: Iterator[int] | list[int]) -> tuple[int, int] | None:
        """(T, sign of the expression for all t >= T), or None."""
        starts = list(starts)
        for order in ORDERS:
            for start in starts:
                self._late(Fraction(0), Fraction(start))
                try:
                    c = Calculus(t, sp.Integer(start), order)
                    return start, c.sign(c(expr))
                except Later:
                    continue
                except (Refused, Undecided, InputError, ZeroDivisionError, NotImplementedError, TypeError, ValueError):
                    break
        return None

    def beyond(self, low: Fraction) -> Fraction | None:
        """T such that D has its sign for all x >= T, the right one."""
        first = max(1, ceil(low))
        found = self._side(self.d, self.x, [first, *(s for s in STARTS if s > first)])
        if found is None:
            return None
        start, direction = found
        if direction < 0 or (direction == 0 and self.strict):
            self.fails_from(Fraction(max(start, ceil(low))))
        rule = f"{'positive' if direction else '0'} for all {self.x} >= {short(start)}, by an expansion with explicit remainder"
        self.steps.append(Step(rule, rf"D = {_latex(self.d)}"))
        return Fraction(start)

    def fails_from(self, start: Fraction) -> None:
        """D < 0 from here on: a whole number at which a ball says so."""
        for factor in (1, 10, 10**3, 10**6, 10**20, 10**100):
            point = Fraction(ceil(start * factor)) + 1  # inside, even where the start is an open end
            found = self.sign_at(point)
            if found is not None and (found < 0 or (found == 0 and self.strict)):
                raise Counterexample(point)
        raise Stuck(f"negative for all large {self.x}, but no ball could be had there")

    def near(self, end: Fraction, direction: int, other: Fraction) -> Fraction:
        """D > 0 (or D = 0) between an end and what is returned, by its expansion at the end."""
        t = sp.Symbol("t", positive=True)
        moved = self.d.subs(self.x, sp.Rational(end.numerator, end.denominator) + direction / t)
        starts = [s for s in NEAR if Fraction(1, s) <= abs(other - end)]
        found = self._side(moved, t, starts)
        if found is None:
            raise Stuck(f"the sign next to {self.x} = {short(end)} is not known", (end, end))
        start, positive = found
        point = end + Fraction(direction, start)
        if positive < 0 or (positive == 0 and self.strict):
            for s in (2 * start, 20 * start, 2000 * start):
                self.require(end + Fraction(direction, s))
            raise Stuck(f"negative next to {self.x} = {short(end)}, but no ball says so", (end, end))
        self.steps.append(
            Step(f"positive between {self.x} = {short(end)} and {short(point)}, by an expansion with explicit remainder", "")
        )
        return point

    # -- the middle --------------------------------------------------------------------------
    def middle(self, low: Fraction, high: Fraction) -> None:
        """D > 0 on [low, high], whose ends may be zeros where D leaves them in the right direction."""
        stack, count = [(low, high)], 0
        narrow, touching = (high - low) * NARROW, (high - low) / 100
        while stack:
            a, b = stack.pop()
            count += 1
            self._late(a, b)
            if count > BOXES or b - a < narrow:
                raise Stuck(f"not decided near {self.x} = {short(a)}", (a, b))
            if self._box(a, b) or (b - a < touching and self._touches_in(a, b)):
                continue
            cut = between(a, b)
            if self.value.ball(cut, cut) < 0:
                raise Counterexample(cut)
            stack += [(cut, b), (a, cut)]
        self.steps.append(Step(f"positive on [{short(low)}, {short(high)}] by balls ({count} boxes)", ""))

    def _box(self, a: Fraction, b: Fraction) -> bool:
        if self.value.ball(a, b) > 0:
            return True
        if self.slope is None:
            return False
        slope = self.slope.ball(a, b)
        if not slope.is_finite():
            return False
        if slope > 0 or slope < 0:
            return self._positive_at(a if slope > 0 else b)
        cut = (a + b) / 2
        return bool(self.value.ball(cut, cut) + slope * interval(a - cut, b - cut) > 0)

    def _touches_in(self, a: Fraction, b: Fraction) -> bool:
        """D >= 0 on a box with D'' > 0 and a point p where D = D' = 0 exactly (p is guessed, and verified)."""
        if self.strict or self.slope is None:
            return False
        slope = sy.diff(self.d, self.x)
        if slope.count_ops() > 60 or not OnIntervals(sy.diff(slope, self.x), self.x.name).ball(a, b) > 0:
            return False
        low, high = a, b
        for _ in range(50):
            cut = (low + high) / 2
            low, high = (low, cut) if self.slope.ball(cut, cut) > 0 else (cut, high)
        for p in constants_near(low):
            if number(p - sp.Rational(a)) > 0 and number(sp.Rational(b) - p) > 0:
                if all(sy.simplify(e.subs(self.x, p)) == 0 for e in (self.d, slope)):
                    return True
        return False

    def _positive_at(self, point: Fraction) -> bool:
        found = self.sign_at(point)
        if found == 0 and self.strict:
            return False
        if found == -1:
            raise Counterexample(point)
        return found is not None and found >= 0

    # -- counterexamples where there is no proof ----------------------------------------------
    def search(self, piece: Piece) -> None:
        """Look for a counterexample: near the ends, far out, between whole numbers, and at the least values found."""
        values: list[tuple[float, Fraction]] = []
        for point in sorted(set(points(piece.low, piece.high, piece.whole))):
            self._late(point, point)
            ball = self.value.ball(point, point)
            if ball < 0 or (self.strict and ball == 0):
                raise Counterexample(point)
            if ball.is_finite():
                values.append((float(ball.mid()), point))
        if piece.whole:
            return
        for before, here, after in zip(values, values[1:], values[2:], strict=False):
            if here[0] <= before[0] and here[0] <= after[0]:
                self._descend(before[1], here[1], after[1])

    def _descend(self, a: Fraction, middle: Fraction, b: Fraction) -> None:
        for _ in range(40):
            left, right = (a + middle) / 2, (middle + b) / 2
            balls = [(p, self.value.ball(p, p)) for p in (left, middle, right)]
            for point, ball in balls:
                if ball < 0:
                    raise Counterexample(point)
            best = min(balls, key=lambda item: float(item[1].mid()))[0]
            a, middle, b = (a, left, middle) if best == left else (middle, right, b) if best == right else (left, middle, right)

    # -- whole numbers -----------------------------------------------------------------------
    def _whole(self, piece: Piece) -> None:
        low = floor(piece.low) + 1 if piece.low_open else ceil(piece.low)
        if piece.high is None:
            for k in range(low, low + 12):
                self.require(Fraction(k))
            end = self.beyond(Fraction(low))
            if end is None:
                raise Stuck("the sign for large values is not known")
            high = ceil(end)
        else:
            high = ceil(piece.high) - 1 if piece.high_open else floor(piece.high)
        if high < low:
            return
        for k in range(low, min(high, low + EACH) + 1):
            self._late(Fraction(k), Fraction(k))
            self.require(Fraction(k))
        self.steps.append(Step(f"holds at each whole number from {low} to {short(min(high, low + EACH))}, by balls", ""))
        if high > low + EACH:
            self._whole_boxes(low + EACH, high)

    def _whole_boxes(self, low: int, high: int) -> None:
        stack, count = [(low, high)], 0
        while stack:
            a, b = stack.pop()
            count += 1
            self._late(Fraction(a), Fraction(b))
            if count > BOXES:
                raise Stuck(f"not decided near {self.x} = {short(a)}", (Fraction(a), Fraction(b)))
            if b - a <= 2:
                for k in range(a, b + 1):
                    self.require(Fraction(k))
                continue
            if self.value.ball(Fraction(a), Fraction(b)) > 0:
                continue
            slope = self.slope.ball(Fraction(a), Fraction(b)) if self.slope else exact_ball(0)
            if slope.is_finite() and (slope > 0 or slope < 0):
                self.require(Fraction(a if slope > 0 else b))
                continue
            cut = floor(between(Fraction(a), Fraction(b)))
            cut = min(max(cut, a + 1), b - 1)
            self.require(Fraction(cut))
            stack += [(cut, b), (a, cut)]
        self.steps.append(Step(f"positive for {short(low)} <= {self.x} <= {short(high)} by balls ({count} boxes)", ""))


def _latex(expr: sp.Expr) -> str:
    return str(sy.latex(expr)) if expr.count_ops() < 200 else "..."
