"""Search for covers and counterexamples of comparisons on boxes; the kernel's rules ``boxes`` and ``witness`` decide.

>>> covered("x*(1 - x) <= 1/4 for 0 <= x <= 1")
⊢ x*(1 - x) <= 1/4 for 0 <= x <= 1
>>> decided("n^2 <= 2^n for whole 1 <= n <= 9")
⊢ not: n^2 <= 2^n for whole n, 1 <= n <= 9
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from asymp.kernel.balls.boxes import Cover, Question, certainly, question
from asymp.kernel.facts.ranges import Box, Evaluator, Range, Rational
from asymp.kernel.terms import Refused, add, free, has_bound, negative, walk
from asymp.kernel.theorem import Theorem, apply, read_closed

LEAVES = 2_000
"""Boxes that are tried for one theorem."""
POINTS = 3_000
WORK = 150_000
"""Parts that are evaluated in one search: the kernel itself may take more."""
POINTS_WORK = 2_000_000
"""The same where points are tried."""
SHARE = 10
"""One point may take such a part of what is left: a large one leaves enough for those after it."""
ONE_BY_ONE = 400
"""So many whole values are tried one by one before the box is split."""
DEEPEST = 60
FAR = tuple(Rational(10) ** k for k in (50, 200, 1000))
"""Values of a variable without an end, where it has many: ln n is below n^(1/100) from 10^281 on."""
ALONE = 20
"""Values of which a variable has more where it is the only one, or one of two."""
MOST_ZEROS = 4
MOST_PLACES = 8
"""Numbers at which sides are equal: points are tried between each two."""


def decided(text: str, bits: int = 64) -> Theorem:
    """A theorem that a statement holds, or that it does not.

    Raises:
        Refused: neither a cover nor a counterexample was found.
    """
    try:
        return refuted(text, bits)
    except Refused:
        return covered(text, bits)


# --- covers -----------------------------------------------------------------------------------------


def covered(text: str, bits: int = 64, most: int = LEAVES) -> Theorem:
    """A theorem that a comparison holds on its bounded domain.

    Args:
        text: the closed statement.
        bits: the precision of the balls.
        most: the number of boxes that may be tried.

    Raises:
        Refused: no cover was found, or the statement is of another form.
    """
    search = Search(question(read_closed(text)), bits, most)
    trees = [search.tree(box, 0) for box in search.cover.boxes()]
    if all(tree == trees[0] for tree in trees):
        trees = trees[:1]
    return apply("boxes", statement=text, cover=trees, bits=bits)


class Search:
    """Bisection, the widest side first, until the leaves are settled."""

    def __init__(self, asked: Question, bits: int, most: int) -> None:
        self.cover, self.left = Cover(asked, Evaluator(bits, WORK)), most
        self.last: dict[str, Range] = {}
        """The box that was looked at last: where no cover was found, it is where that failed."""

    def tree(self, at: dict[str, Range], depth: int) -> Any:
        """A tree that settles a box."""
        self.left -= 1
        self.last = at
        if self.left < 0 or depth > DEEPEST:
            raise Refused("no cover found with so many boxes")
        if any(x.low > x.high for x in at.values()):
            return "ok"
        for leaf in self._leaves(at):
            try:
                self.cover.leaf(leaf, dict(at))
            except Refused:
                continue
            return leaf
        sides = [(self._width(x), variable) for variable, x in at.items() if not x.is_point]
        if not sides:
            raise Refused("undecided at a point: more bits, or it does not hold")
        variable = max(sides)[1]
        x, place = at[variable], self._middle(at[variable])
        whole = self.cover.asked.is_whole(variable)
        ends = (Rational(place.floor()), Rational(place.floor()) + 1) if whole else (place, place)
        left = self.tree({**at, variable: Range(x.low, ends[0])}, depth + 1)
        return [variable, str(place), left, self.tree({**at, variable: Range(ends[1], x.high)}, depth + 1)]

    def _leaves(self, at: Box) -> list[str]:
        whole = [x for v, x in at.items() if self.cover.asked.is_whole(v) and not x.is_point]
        points = 1
        for x in whole:
            points *= int(x.high.p - x.low.p) + 1
        found = ["ok"]
        if whole and points <= ONE_BY_ONE:
            found.append("each")
        moving = sum(not x.is_point for x in at.values())
        return [*found, "taylor 2", "slope", *(["taylor 6"] if moving == 1 else [])]

    def _width(self, x: Range) -> Rational:
        """How wide a side is, beside the numbers in it where these are large."""
        return (x.high - x.low) / max(Rational(1), abs(x.low), abs(x.high))

    def _middle(self, x: Range) -> Rational:
        """A short number inside of a range: about the geometric mean where the ends are of different sizes."""
        if x.low > 0 and x.high > 16 * x.low:
            size = [end.p.bit_length() - end.q.bit_length() for end in x]
            place = Rational(2) ** ((size[0] + size[1]) // 2)
            if x.low < place < x.high:
                return place
        quarter = (x.high - x.low) / 4
        return simplest(x.low + quarter, x.high - quarter)


def simplest(low: Rational, high: Rational) -> Rational:
    """The number of the least denominator in a range: where the sides of a comparison touch, that is often the place.

    >>> simplest(Rational(3, 10), Rational(9, 20))
    1/3
    """
    if low <= 0 <= high:
        return Rational(0)
    if high < 0:
        return -simplest(-high, -low)
    whole = Rational(low.ceil())
    if whole <= high:
        return whole
    below = whole - 1
    return below + 1 / simplest(1 / (high - below), 1 / (low - below))


# --- counterexamples ----------------------------------------------------------------------------------


def refuted(text: str, bits: int = 64, most: int = POINTS, work: int = POINTS_WORK) -> Theorem:
    """A theorem that a comparison fails at a point of its domain.

    Args:
        text: the closed statement.
        bits: the precision of the balls.
        most: the number of points that may be tried.
        work: parts that are evaluated in all.

    Raises:
        Refused: none was found, or the statement is of another form.
    """
    asked = question(read_closed(text))
    for at in _points(asked, bits, most):
        evaluator = Evaluator(bits, share := work // SHARE)
        try:
            if any(certainly(link, at, evaluator) is False for link in asked.links):
                return apply("witness", statement=text, at={v: str(x.low) for v, x in at.items()}, bits=bits)
        except Refused:
            pass
        work -= min(share, share - evaluator.left)
    raise Refused("no counterexample found among the points tried")


def _points(asked: Question, bits: int, most: int) -> Iterator[dict[str, Range]]:
    """Points of a domain, the whole and the listed variables first; conditions are left to the rule."""
    cover = Cover(asked, Evaluator(bits))
    listed: list[dict[str, Range]] = [{}]
    for names, rows in asked.lists:
        values = [{n: cover.evaluator.range(x, {}) for n, x in zip(names, row, strict=True)} for row in rows]
        listed = [{**one, **more} for one in listed for more in values][:most]
    variables = [v for v in asked.variables() if v not in listed[0]]
    zeros = {v: _zeros(asked, v, cover.evaluator) for v in variables}
    each = max(3, int((most / len(listed)) ** (1 / max(1, len(variables)))))

    def excluded(at: Box, v: str) -> bool:
        """Whether a condition on a variable and those before it fails, as on the edge of an open range."""
        for pair in asked.pairs:
            known = free(pair[0]) | free(pair[2])
            if v in known and known <= set(at):
                try:
                    if certainly(pair, at, cover.evaluator) is False:
                        return True
                except Refused:
                    continue
        return False

    def extended(at: dict[str, Range], count: int) -> Iterator[dict[str, Range]]:
        if len(at) == count:
            yield at
            return
        lows, highs = cover.bounds(at)
        # first what is bounded by what is known: i <= n after n
        left = sorted((v for v in variables if v not in at), key=lambda v: (v not in lows) + (v not in highs))
        v = left[0]
        low, high = lows.get(v), highs.get(v)
        near = _between(asked, v, at, [end for end in (low, high) if end is not None], cover.evaluator)
        near += [x for x in zeros[v] if (low is None or x >= low) and (high is None or x <= high)]
        for value in dict.fromkeys([*near, *_candidates(low, high, asked.is_whole(v), each)]):
            further = {**at, v: Range(value, value)}
            if not excluded(further, v):
                yield from extended(further, count)

    tried = 0
    for one in listed:
        for at in extended(one, len(one) + len(variables)):
            tried += 1
            if tried > most:
                return
            yield at


def _between(asked: Question, v: str, at: Box, ends: list[Rational], evaluator: Evaluator) -> list[Rational]:
    """Where a variable makes two sides equal that are linear in it, and between each two of these: however near they are."""
    if asked.is_whole(v):
        return []
    places = set(ends)
    for low, _, high in (*asked.links, *asked.pairs):
        if v in free(low) | free(high) <= {v, *at} and len(places) < MOST_PLACES:
            gap = add(high, negative(low))
            with contextlib.suppress(Refused):
                a, b, c = (evaluator.range(gap, {**at, v: Range(Rational(k), Rational(k))}) for k in range(3))
                if a.is_point and b.is_point and c.low == c.high == 2 * b.low - a.low and a.low != b.low:
                    places.add(a.low / (a.low - b.low))
    found = sorted(places)
    return [*places, *((one + other) / 2 for one, other in pairwise(found))]


def _zeros(asked: Question, v: str, evaluator: Evaluator) -> list[Rational]:
    """Where sums in a variable alone are 0, if linear in it, or turn, if quadratic: so does the condition d >= (n - 17)^2."""
    found: list[Rational] = []
    for side in (side for low, _, high in (*asked.links, *asked.pairs) for side in (low, high)):
        for part in walk(side):
            if part.head == "sum" and free(part) == {v} and not has_bound(part) and len(found) < MOST_ZEROS:
                with contextlib.suppress(Refused):
                    values = [evaluator.range(part, {v: Range(Rational(k), Rational(k))}) for k in range(4)]
                    a, b, c, d = (x.low for x in values)
                    bends = c - 2 * b + a
                    if all(x.is_point for x in values) and d - 3 * c + 3 * b - a == 0 and (bends or a != b):
                        place = (a - b) / bends + Rational(1, 2) if bends else a / (a - b)
                        found += [Rational(place.floor()), Rational(place.ceil())] if asked.is_whole(v) else [place]
    return list(dict.fromkeys(found))


def _candidates(low: Rational | None, high: Rational | None, whole: bool, count: int) -> list[Rational]:
    """Numbers between two ends: near these, evenly between them, and of all sizes where there is no end."""
    sizes = [Rational(2) ** k for k in range(-3, count)]
    if count > ALONE:
        sizes[ALONE:ALONE] = FAR
    if low is None and high is None:
        found = [Rational(0), *(sign * size for size in sizes for sign in (1, -1))]
    elif high is None:
        found = [low, *(low + size for size in sizes)]
    elif low is None:
        found = [high, *(high - size for size in sizes)]
    else:
        steps = [Rational(2 * k + 1, 2 * count) for k in range(count)]
        found = [low, high, (low + high) / 2, *(low + (high - low) * step for step in steps)]
        found += [low + (high - low) / 2**k for k in (10, 30)] + [high - (high - low) / 2**k for k in (10, 30)]
    found = [Rational(x.floor()) if whole else x for x in found]
    return list(dict.fromkeys(x for x in found if (low is None or x >= low) and (high is None or x <= high)))[
        : count + 7
    ]
