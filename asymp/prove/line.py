"""Search for pieces on which a comparison in one variable is seen; the kernel's rule ``line`` decides.

A half-line is begun where an expansion with an explicit remainder tells the sign; next to an end at which the difference of the
sides is 0, or has no value, it is expanded too; between them boxes are halved, and where that stops at a number at which the two
sides are equal, the range is parted there.  Where it stops otherwise, the comparison may fail near by: that is looked at.

>>> from asymp.language.statement import read_statement
>>> holds(read_statement("x/(1 + x) <= log(1 + x) for x >= 0"))
⊢ x/(1 + x) <= log(1 + x) for x >= 0
>>> fails(read_statement("x^2*(x - 1/3) + 10^(-9) >= x^2/10^6 for x > 0"))
⊢ not: x^2*(x - 1/3) + 10^(-9) >= x^2/10^6 for x > 0
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from functools import partial
from typing import Any

from gmpy2 import mpq

from asymp.kernel.balls.boxes import certainly, question
from asymp.kernel.facts.ranges import Range, Rational
from asymp.kernel.rays.line import End, Line, Place
from asymp.kernel.rays.supremum import Later
from asymp.kernel.terms import ONE, Refused, multiply, number, read, walk
from asymp.kernel.theorem import Theorem, apply
from asymp.language.statement import Statement
from asymp.prove import first, share
from asymp.prove.bounds import inside
from asymp.prove.boxes import Search, simplest

BITS = 128
STARTS = (1, 2, 3, 5, 8, 12, 20, 35, 60, 100, 300, 1000, 3000, 10**4, 10**5, 10**6,
          *(10**k for k in (9, 12, 16, 20, 30, 50, 100, 200, 400, 1000)))  # fmt: skip
NEAR = (1, 2, 4, 8, 16, 50, 200, 1000, 10**5, 10**9)
ORDERS = (2, 4, 7)
SOON, STEP = 5, 64
"""After a start that is no later, no other order is tried for an earlier one; the same in pieces that follow one another."""
MOST_REFUSED = 2
"""Starts from which there is no series at all, or another sign, after which no others are tried."""
MOST_BOXES = 1000
MOST_STEPS, MOST_NEAR, MOST_SERIES = 40, 5, 250
MOST_PARTS = 3
ONE_BY_ONE = 12
"""Whole numbers that are looked at before anything is expanded."""
FURTHER = (1, 10, 10**3, 10**6, 10**20, 10**100)
WIDER = range(0, 64, 4)
BITS_AT_POINTS = (64, 1000)
NEAR_ZERO = Rational(1, 1000)
"""Where boxes get smaller and smaller towards 0, that is looked at first."""
UNITS, MOST_PARTED = ("pi", "E"), 12
"""Sides touch at short multiples of these too, with denominators at most so large, where they stand in the statement."""
Piece = list[Any]


def holds(statement: Statement) -> Theorem:
    """A theorem that a comparison in one variable holds wherever that may lie.

    Raises:
        Refused: none was found, or it is another statement.
    """
    line, point = _line(statement), inside(statement)
    return apply("line", statement=str(statement), point=point, bits=BITS, pieces=_Pieces(line).found())


def fails(statement: Statement) -> Theorem:
    """A theorem that a comparison in one variable fails, at a point to which the search for a proof leads.

    Raises:
        Refused: none was found, or it is another statement.
    """
    line = _line(statement)
    pieces = _Pieces(line)
    with contextlib.suppress(Refused):
        pieces.found()
    tries = (
        partial(apply, "witness", statement=str(statement), at={line.x: str(place)}, bits=bits)
        for bits in BITS_AT_POINTS
        for place in dict.fromkeys(pieces.doubted)
    )
    return first(tries, "no place is found at which it may fail")


def enclosed(statement: Statement) -> bool:
    """Whether a statement is a comparison in one variable whose sides can be enclosed at a point of its domain.

    >>> from asymp.language.statement import read_statement
    >>> [enclosed(read_statement(f"{text} < 1 for x > 0")) for text in ("sin(x)", "x + y", "Integral(exp(-t^x), (t, 0, 1))")]
    [True, False, False]
    """
    try:
        line = _line(statement)
        at = {v: Range(*[line.evaluator.range(read(x), {}).low] * 2) for v, x in inside(statement).items()}
        for low, _, high in line.asked.links:
            line.evaluator.range(low, at), line.evaluator.range(high, at)
    except Refused:
        return False
    return True


def _line(statement: Statement) -> Line:
    asked = question(statement)
    if len(asked.variables()) != 1 or asked.lists:
        raise Refused("a comparison in one variable is wanted")
    return Line(asked, BITS)


class _Pieces:
    """The pieces of one line, found from its ends inwards; ``doubted``: places at which the comparison may fail."""

    def __init__(self, line: Line) -> None:
        self.size = sum(1 for low, _, high in line.asked.links for side in (low, high) for _ in walk(side))
        self.line, self.left, self.doubted = line, share(MOST_SERIES, self.size), list[Rational]()

    def found(self) -> list[Piece]:
        """Pieces that cover where the variable lies.

        Raises:
            Refused: some are not found.
        """
        line, before, after = self.line, list[Piece](), list[Piece]()
        low, high = line.low, line.high
        if line.whole and low is not None:
            first = low.low
            last = first + ONE_BY_ONE if high is None else min(high.low, first + ONE_BY_ONE)
            for place in (first + k for k in range(int((last - first).floor()) + 1)):
                if not line.holds_at(line.place(place)):
                    self.doubted.append(place)
                    raise Refused("not seen at one of the first values")
        if high is None:
            start, order = self._far(False, max(Rational(1), low.high if low is not None else Rational(1)))
            high = line.place(start)
            after = [[str(start), "", "far", order]]
        if low is None:
            start, order = self._far(True, max(Rational(1), -high.low))
            low = line.place(-start)
            before = [["", str(low), "far", order]]
        if high.at_most(low) and low.term != high.term:
            return before + after
        if low.term == high.term:
            return [*before, [str(low), str(high), "boxes", "ok"], *after]
        return [*before, *self._between(low, high, MOST_PARTS), *after]

    def _far(self, mirrored: bool, least: Rational) -> tuple[Rational, int]:
        starts = [least, *(Rational(k) for k in STARTS if k > least)]
        ends = (None, self.line.place(-least)) if mirrored else (self.line.place(least), None)
        return self._seen("far", ends, starts)

    def _seen(
        self, way: str, ends: tuple[End, End], starts: Iterable[Rational], soon: int = SOON
    ) -> tuple[Rational, int]:
        """From which number on a series tells the sign, and its order."""
        place, _ = self.line.put(way, *ends)
        starts, best = list(starts), list[tuple[Rational, int]]()
        for order in ORDERS:
            refused = 0
            for start in starts:
                if best and (start >= best[0][0] or best[0][0] <= soon):
                    break
                if self.left <= 0:
                    raise Refused("no pieces found with so many series")
                self.left -= 1
                try:
                    if self.line.is_seen(place, start, order):
                        best = [(start, order)]
                        break
                    self.doubted += [self._at(way, ends, start * k + 1) for k in FURTHER]
                    if (refused := refused + 1) > MOST_REFUSED:  # it has another sign
                        break
                except Later:
                    continue
                except Refused:
                    if (refused := refused + 1) > MOST_REFUSED:
                        break
        if best:
            return best[0]
        self.doubted += [self._at(way, ends, starts[-1] * k + 1) for k in FURTHER if starts]
        raise Refused("the sign is not seen at an end")

    def _at(self, way: str, ends: tuple[End, End], s: Rational) -> Rational:
        """The value of the variable at a place of a half-line."""
        low, high = ends
        if way == "far":
            place = Rational(s.ceil())
            return place if high is None else -place
        assert low is not None
        assert high is not None
        return low.high + 1 / s if way == "after" else high.low - 1 / s

    def _between(self, low: Place, high: Place, parts: int) -> list[Piece]:
        """Pieces for a closed range; next to its ends by series, where boxes see nothing there."""
        before, after, place_of = list[Piece](), list[Piece](), self.line.place
        if not self.line.whole:
            near = [Rational(k) for k in NEAR if Rational(1, k) <= high.high - low.low]
            if not self._is_clear(low):
                start, order = self._seen("after", (low, high), near)
                begin = low.low + 1 / start
                before = [[str(low), str(begin), "after", order]]
                low = place_of(begin)
            if not high.at_most(low) and not self._is_clear(high):
                near = [Rational(k) for k in NEAR if Rational(1, k) <= high.high - low.low]
                start, order = self._seen("before", (low, high), near)
                begin = high.high - 1 / start
                after = [[str(begin), str(high), "before", order]]
                high = place_of(begin)
        if high.at_most(low):
            return before + after
        search = Search(self.line.asked, self.line.bits, share(MOST_BOXES, self.size))
        box = Range(low.low, high.high)
        try:
            return [*before, [str(low), str(high), "boxes", search.tree({self.line.x: box}, 0)], *after]
        except Refused:
            stuck = search.last.get(self.line.x, box)
        self._doubt(stuck, low.low, high.high)
        if self.line.whole and stuck.is_point and parts and self.line.holds_at(place_of(stuck.low)):
            ends = (low.low, stuck.low - 1), (stuck.low + 1, high.high)
            left, right = (self._between(place_of(a), place_of(b), parts - 1) if a <= b else [] for a, b in ends)
            return [*before, *left, [str(stuck.low), str(stuck.low), "at", None], *right, *after]
        place = self._touching(stuck, low, high)
        if place is None or not parts:
            return [*before, *self._stepped(low, high), *after]
        return [*before, *self._between(low, place, parts - 1), *self._between(place, high, parts - 1), *after]

    def _stepped(self, first: Place, high: Place) -> list[Piece]:
        """Pieces one after the other, each by Taylor's series at its begin."""
        found: list[Piece] = []
        low, end = first, high.high
        while not high.at_most(low):
            if len(found) == MOST_STEPS or self.line.whole:
                raise Refused("no pieces found")
            width = end - low.low
            far = 1 / width if width < 1 else Rational(1)
            start, order = self._seen(
                "after", (low, high), [far, *(Rational(k) for k in NEAR[:MOST_NEAR] if k > far)], STEP
            )
            reached = low.low + 1 / start
            last = high if reached >= end else self.line.place(reached)
            found.append([str(low), str(last), "after", order])
            low = last
        return found

    def _is_clear(self, end: Place) -> bool:
        """Whether the comparisons are seen next to an end, by a box."""
        line, near = self.line, Rational(1, 2**20)
        with contextlib.suppress(Refused):
            low = max(end.low - near, line.low.low) if line.low is not None else end.low - near
            high = min(end.high + near, line.high.high) if line.high is not None else end.high + near
            Search(line.asked, line.bits, 1).cover.leaf("ok", {line.x: Range(low, high)})
            return True
        return False

    def _doubt(self, box: Range, low: Rational, high: Rational) -> None:
        """Places in and next to a box at which boxes did not get on."""
        middle, width = (box.low + box.high) / 2, max(box.high - box.low, Rational(1, 2**60))
        places = [middle, *(middle + sign * width * Rational(2) ** k for k in WIDER for sign in (1, -1))]
        places = [Rational(place.floor()) if self.line.whole else place for place in places]
        places = [place for place in places if low <= place <= high]
        self.doubted += places
        if any(self._fails_at(place) for place in places):
            raise Refused("it fails at a place")

    def _fails_at(self, place: Rational) -> bool:
        at = {self.line.x: Range(place, place)}
        with contextlib.suppress(Refused):
            return any(certainly(link, at, self.line.evaluator) is False for link in self.line.asked.links)
        return False

    def _touching(self, box: Range, low: Place, high: Place) -> Place | None:
        """A short constant in a range, in or next to a box at which boxes did not get on, at which the comparisons hold."""
        if self.line.whole:
            return None
        width = 4 * (box.high - box.low)
        near = Range(max(low.low, box.low - width), min(high.high, box.high + width))
        parts = {
            part for one in (*self.line.asked.links, *self.line.asked.pairs) for side in one[::2] for part in walk(side)
        }
        candidates = [self.line.place(Rational(0))] if max(abs(x) for x in box) < NEAR_ZERO else []
        for unit in (ONE, *(read(text) for text in UNITS)):
            if unit == ONE or unit in parts:
                size = self.line.place(unit)
                times = simplest(near.low / size.high, near.high / size.low)
                if unit == ONE or (times != 0 and times.q <= MOST_PARTED):
                    candidates.append(self.line.place(multiply(number(mpq(int(times.p), int(times.q))), unit)))
        for place in candidates:
            with contextlib.suppress(Refused):
                if low.high < place.low and place.high < high.low and self.line.holds_at(place):
                    return place
            self.doubted.append(place.low)
        return None
