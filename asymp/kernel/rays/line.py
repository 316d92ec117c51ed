"""Comparisons for all values of one variable, by pieces that cover where it lies: also on half-lines, and up to where they are
equalities or have no value.

``line`` proves a chain of comparisons in one variable x.  Its data are

* ``statement``: a chain of =, <, <=, >, >= for a domain of comparisons;
* ``point``: a value of x, at which every condition of the domain certainly holds: a domain without points is refused;
* ``bits``: the precision of the balls;
* ``pieces``: intervals in order, each ``[low, high, way, how]``, the ends as texts of constants (``1/4``, ``pi/2``), empty where
  there is none.

A piece is shown in one of these ways; what they need is defined on all of it.

* ``boxes``: ``how`` is a tree, as for the rule of that name, of a box with rational ends that holds the piece;
* ``at``: the piece is one place, and the exact values of the sides there are compared; there is no ``how``;
* ``far``: x = s for s >= low >= 1, or x = -s for s >= -high >= 1; ``how`` is an order.  The difference of the two sides, as a
  series with an explicit remainder, has its sign for all these s;
* ``after``, ``before``: the same for x = low + 1/s, or x = high - 1/s, with s >= 1/(high - low) >= 1: all of the piece but that
  end, which is looked at by itself unless a strict comparison leaves it out.  So x < pi/2 is shown up to pi/2 itself, where
  the sides may be equal, or have a pole.

>>> from asymp.kernel.theorem import apply
>>> pieces = [["0", "1/4", "after", 2], ["1/4", "4", "boxes", "slope"], ["4", "", "far", 3]]
>>> apply("line", statement="log(1 + x) < x for x > 0", point={"x": "1"}, bits=96, pieces=pieces)
⊢ log(1 + x) < x for x > 0
>>> pieces = [["0", "1", "after", 3], ["1", "pi/2", "before", 3]]
>>> apply("line", statement="sin(x) >= 2*x/pi for 0 <= x <= pi/2", point={"x": "1"}, bits=128, pieces=pieces)
⊢ sin(x) >= 2*x/pi for 0 <= x <= pi/2
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from flint import fmpq
from gmpy2 import mpq

from asymp.kernel.balls.boxes import Cover, Question, certainly, question
from asymp.kernel.balls.goals import is_inside
from asymp.kernel.data import Data
from asymp.kernel.domain import Pair
from asymp.kernel.facts.ranges import Evaluator, Range
from asymp.kernel.growths.growth import Domain
from asymp.kernel.noted import noted
from asymp.kernel.rays.algebra import Ray
from asymp.kernel.rays.expander import Explicit, HalfLine, Numbers
from asymp.kernel.terms import Refused, Term, add, free, name, negative, number, read, reciprocal, substitute
from asymp.kernel.theorem import Conclusion, Theorem, read_closed, rule

MOST_ORDER = 30
WANTED = {"<": frozenset({1}), "<=": frozenset({0, 1}), "=": frozenset({0})}


@dataclass(frozen=True)
class Place:
    """A constant, and rational numbers not above and not below it."""

    term: Term
    low: fmpq
    high: fmpq

    def __str__(self) -> str:
        return str(self.term)

    @property
    def is_rational(self) -> bool:
        """Whether it is a rational number."""
        return self.term.is_number

    def at_most(self, other: Place) -> bool:
        """Whether it is seen not to be above another."""
        return self.term == other.term or bool(self.high <= other.low)


End = Place | None
"""None: there is none."""


@dataclass
class Line:
    """The comparisons of a statement in one variable, and where that lies."""

    asked: Question
    bits: int

    def __post_init__(self) -> None:
        variables = self.asked.variables()
        if len(variables) != 1 or self.asked.lists:
            raise Refused("a comparison in one variable is wanted")
        (self.x,) = variables
        self.whole = self.asked.is_whole(self.x)
        self.evaluator, self.numbers = Evaluator(self.bits), Numbers(self.bits)
        self.cover = Cover(self.asked, self.evaluator)
        self.low, self.high = (self._end(ends.get(self.x), k) for k, ends in enumerate(self.cover.bounds({})))

    def place(self, x: fmpq | Term) -> Place:
        """A constant.

        Raises:
            Refused: it has a variable, or no value.
        """
        if isinstance(x, fmpq):
            return Place(number(_mpq(x)), x, x)
        if free(x):
            raise Refused("a constant is wanted")
        around = self.evaluator.range(x, {})
        return self.place(around.low) if x.is_number else Place(x, *around)

    def _end(self, bound: fmpq | None, above: int) -> End:
        """The end that the domain has: of a real variable the constant itself, of which a bound is known."""
        for pair in self.asked.pairs if bound is not None and not self.whole else ():
            ends = pair[::2] if above else pair[::-2]
            if ends[0] == name(self.x) and not free(ends[1]) and not ends[1].is_number:
                place = self.place(ends[1])
                if (place.high if above else place.low) == bound:
                    return place
        return None if bound is None else self.place(bound)

    # --- half-lines -----------------------------------------------------------------------------------

    def put(self, way: str, low: End, high: End) -> tuple[Term, fmpq]:
        """What x is, in a quantity of its own name that is at least a number.

        Raises:
            Refused: the piece is not such a one.
        """
        s = name(self.x)
        if way == "far" and low is not None and high is None:
            return s, low.low
        if way == "far" and low is None and high is not None:
            return negative(s), -high.high
        if way not in ("after", "before") or low is None or high is None or not low.high < high.low:
            raise Refused("no such piece")
        step = reciprocal(s)
        place = add(low.term, step) if way == "after" else add(high.term, negative(step))
        return place, 1 / (high.high - low.low)

    def expander(self, x: Term, start: fmpq, order: int) -> Explicit:
        """Series in a quantity of the variable's name from a number on, where the variable is a term in it."""
        ray = Ray(Domain(), order, line=HalfLine(start, self.numbers))
        return Explicit(ray, {self.x: 0}, {}, frozenset({x}) if x == name(self.x) and self.whole else frozenset())

    def is_seen(self, x: Term, start: fmpq, order: int) -> bool:
        """Whether the comparisons are seen for x as a term in a quantity of its name, from a number on.

        Raises:
            Refused: a side has no series there; Later: from another number on it may.
        """
        expander = self.expander(x, start, order)
        ray = expander.algebra
        for low, sign, high in self.asked.links:
            sides = [expander.series(substitute(side, {self.x: x})) for side in (low, high)]
            gap = ray.minus(sides[1], sides[0])
            noted("gap", pair=(low, sign, high), x=x, start=start, series=gap, ray=ray)
            if sign == "=" and (gap.terms or gap.rest):
                return False
            if not (ray.below(gap)[0] == 1 if sign == "<" else ray.is_nonnegative(gap)):
                return False
        return True

    # --- the rule ---------------------------------------------------------------------------------------

    def check(self, pieces: Sequence[Any]) -> None:
        """That the pieces cover where x lies, and that each is shown.

        Raises:
            Refused: they do not, or one is not.
        """
        reached: End = None
        for k, piece in enumerate(pieces):
            if type(piece) is not list or len(piece) != 4 or any(type(one) is not str for one in piece[:3]):
                raise Refused("a piece is [low, high, way, how]")
            low, high = (self.place(read(one)) if one else None for one in piece[:2])
            before = self.low if k == 0 else reached
            if k and (reached is None or low is None):
                raise Refused("a piece after an end that is infinite")
            if low is not None and (before is None or not self._follows(before, low, k > 0)):
                raise Refused("pieces that leave something out")
            self._piece(low, high, *piece[2:])
            reached = high
        if not pieces or (reached is not None and (self.high is None or not self.high.at_most(reached))):
            raise Refused("pieces that leave something out")

    def _follows(self, before: Place, low: Place, after_one: bool) -> bool:
        """Whether nothing is left out between the end of a piece (or of the domain) and the begin of the next."""
        if self.whole and after_one:
            return bool(low.high.ceil() <= before.low.floor() + 1)
        return low.at_most(before)

    def _piece(self, low: End, high: End, way: str, how: Any) -> None:
        if way == "boxes" and low is not None and high is not None:
            box = Range(fmpq(low.low.ceil()), fmpq(high.high.floor())) if self.whole else Range(low.low, high.high)
            noted("piece", low=low, high=high, way=way, box=box)
            self.cover.tree(how, {self.x: box})
            return
        if way == "at" and low is not None and high is not None and low.term == high.term and how is None:
            noted("piece", low=low, high=high, way=way)
            if not self.holds_at(low):
                raise Refused("not seen to hold at a number")
            return
        place, start = self.put(way, low, high)
        noted("piece", low=low, high=high, way=way, x=place, start=start)
        if type(how) is not int or not 0 < how <= MOST_ORDER:
            raise Refused("an order is wanted")
        if not self.is_seen(place, start, how):
            raise Refused("not seen to hold there")
        end = {"after": low, "before": high}.get(way)
        if end is not None and not self.holds_at(end):
            raise Refused("not seen to hold at an end")

    def holds_at(self, place: Place) -> bool:
        """Whether the comparisons certainly hold at a place, or it is certain not to be in the domain."""
        at = {self.x: Range(place.low, place.high)}
        noted("end", place=place)
        if self.whole and place.is_rational and place.low.q != 1:
            return True
        if self.cover.is_outside(at) or any(self._excludes(pair, place) for pair in self.asked.pairs):
            noted("excluded", place=place)
            return True
        return all(
            certainly(link, at, self.evaluator) is True or self._exactly(link, place) for link in self.asked.links
        )

    def _excludes(self, pair: Pair, place: Place) -> bool:
        """Whether a condition of the domain fails at a place, by its exact value there."""
        with suppress(Refused):
            return not self._signs(pair, place) & WANTED[pair[1]]
        return False

    def _exactly(self, link: Pair, place: Place) -> bool:
        """Whether a comparison holds at a place, by its exact value there."""
        return self._signs(link, place) <= WANTED[link[1]]

    def _signs(self, pair: Pair, place: Place) -> frozenset[int]:
        return Domain().signs(substitute(add(pair[2], negative(pair[0])), {self.x: place.term}))


def _mpq(x: fmpq) -> mpq:
    return mpq(int(x.p), int(x.q))


@rule("line", alone=True)
def _line(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """A chain of comparisons in one variable, by pieces that cover where it lies.

    Data: statement, point, bits, pieces.
    """
    statement = read_closed(data["statement"])
    is_inside(statement, data.table("point"))
    Line(question(statement), data.whole("bits")).check(data.listed("pieces"))
    return Conclusion(statement)
