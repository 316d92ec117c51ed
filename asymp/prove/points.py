"""Points of a context: a goal that fails at one of them has no proof, and a search need not look for one.

>>> from asymp.kernel.facts.signs import NONNEGATIVE, POSITIVE
>>> from asymp.kernel.terms import ONE, name, read
>>> at = Context(frozenset("n"), ((ONE, "<=", name("n")), (name("x"), "<", name("n"))))
>>> found = Points(at)
>>> found.against(read("n - x"), NONNEGATIVE), found.against(read("n*x"), NONNEGATIVE), found.against(read("n - 1"), POSITIVE)
(False, True, True)
"""

from __future__ import annotations

from gmpy2 import mpq

from asymp.enclosure import ball
from asymp.kernel.balls.boxes import certainly
from asymp.kernel.facts.context import Context
from asymp.kernel.facts.intervals import Range, Rational, as_end
from asymp.kernel.facts.ranges import Evaluator
from asymp.kernel.facts.signs import Signs
from asymp.kernel.rings.defined import Range as Bounds
from asymp.kernel.terms import BINDERS, CONSTANTS, Refused, Term, free, walk

BITS = 128
TRIED, ENOUGH = 60, 10
"""Points that are tried, until so many are of the context."""
WORK = 3_000
"""Of the evaluation at one point."""
ABOVE = tuple(map(mpq, "1 1/100 0 100 1/2 3 1/10 2".split()))
BETWEEN = tuple(map(mpq, "1/2 1/100 0 99/100 1/4 3/4 1 1/10".split()))
ANYWHERE = tuple(map(mpq, "1 -1 1/10 -20 3 -1/3 0 50".split()))


class Points:
    """Some points of a context, by exact numbers."""

    def __init__(self, at: Context) -> None:
        self._at, self._found = at, list[dict[str, Rational]]()
        names = sorted(at.names() - CONSTANTS)
        for k in range(TRIED):
            point = {x: self._value(x, k, j) for j, x in enumerate(names)}
            if point not in self._found and self._is_inside(point):
                self._found.append(point)
                if len(self._found) == ENOUGH:
                    break

    def found(self) -> tuple[dict[str, Rational], ...]:
        """The points."""
        return tuple(self._found)

    def _value(self, x: str, k: int, j: int) -> Rational:
        r, which = self._at.ranges.get(x, Bounds()), (k * (2 * j + 1) + k // 8 * j + j) % 8
        if r.low is not None and r.high is not None:
            value = r.low + (r.high - r.low) * BETWEEN[which]
        elif r.low is not None:
            value = r.low + ABOVE[which]
        else:
            value = ANYWHERE[which] if r.high is None else r.high - ABOVE[which]
        return as_end(value // 1 if x in self._at.whole else value)

    def _is_inside(self, point: dict[str, Rational]) -> bool:
        box = {x: Range(value, value) for x, value in point.items()}
        try:
            return all(certainly(pair, box, Evaluator(BITS, WORK)) for pair in self._at.pairs)
        except Refused:
            return False

    def against(self, d: Term, wanted: Signs) -> bool:
        """Whether a term is seen to have another sign than is wanted at one of the points."""
        others = sorted(free(d) - self._at.names() - CONSTANTS)
        for k, point in enumerate(self._found):
            sign = _sign(d, point | {x: self._value(x, k, j) for j, x in enumerate(others)})
            if sign is not None and sign not in wanted:
                return True
        return False


def _sign(d: Term, point: dict[str, Rational]) -> int | None:
    """The sign of a term at a point, by balls; None where it is not told."""
    try:
        r = Evaluator(BITS, WORK).range(d, {x: Range(value, value) for x, value in point.items()})
        return 1 if r.low > 0 else -1 if r.high < 0 else 0 if r.is_point else None
    except Refused:
        if any(part.head in BINDERS for part in walk(d)):
            return None
    try:  # of a function that the kernel has no ball of
        value = ball(d, point, BITS)
    except ValueError:
        return None
    return 1 if value > 0 else -1 if value < 0 else None
