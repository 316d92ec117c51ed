"""Domains of finite statements as grounds: ranges with conditions that couple their variables, and finite sets of points.

>>> from asymp.domain import Interval
>>> from asymp.language.conditions import read_conditions
>>> domain = Domain("m <= n", ranges={"n": Interval(Fraction(1)), "m": Interval(Fraction(1))}, whole=frozenset("nm"),
...                 conditions=read_conditions("m <= n"))
>>> ground = box(domain)
>>> sorted(ground.signs(terms.read("n - m + 1"))), [str(x) for x in ground.points[1].values()]
([1], ['2', '1'])
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction

from gmpy2 import mpq

from asymp.domain import Domain, Interval
from asymp.enclosure import InputError, Undecided
from asymp.kernel import terms
from asymp.kernel.domain import Pair
from asymp.kernel.facts.context import Context
from asymp.kernel.rings.defined import Range
from asymp.language.conditions import Compared, OfKind
from asymp.language.numbers import ParseError
from asymp.language.value import NotExact
from asymp.meaning.ground import Ground, Point, Prove, are_whole
from asymp.meaning.truth import Truth
from asymp.parse.at import GAVE_UP
from asymp.parse.terms import satisfied

MOST_TRIED, MOST_POINTS = 3_000, 300
"""Points of a box that are looked at, and of the domain that are kept."""


def box(domain: Domain, prove: Prove | None = None, coupled: bool = True) -> Ground:
    """Ranges, and unless ``coupled`` is false the conditions on several variables."""
    conditions = domain.conditions if coupled else ()
    ranges = {name: range_of(interval) for name, interval in domain.ranges.items()}
    pairs = [pair for name, one in ranges.items() for pair in pairs_of(name, one)]
    is_all = all(isinstance(condition, (Compared, OfKind)) for condition in conditions)
    for condition in conditions:
        for low, sign, high in condition.pairs() if isinstance(condition, Compared) else ():
            try:
                left, right = terms.of(low), terms.of(high)
            except terms.Refused:
                is_all = False  # a condition that the kernel cannot read says nothing
                continue
            pairs.append((right, sign.replace(">", "<"), left) if sign[0] == ">" else (left, sign, right))
    whole = domain.whole | {c.name for c in conditions if isinstance(c, OfKind) and c.kind == "whole"}

    def points(whole: frozenset[str]) -> Iterator[Point]:
        near = (dict(zip(ranges, values, strict=True)) for values in diagonally([axis(r, v in whole) for v, r in ranges.items()]))
        kept = (point for point in itertools.islice(near, MOST_TRIED) if not conditions or _obeys(domain, point))
        yield from itertools.islice(kept, MOST_POINTS)
        if coupled:
            yield from (point for point in domain.grid if all(name in point for name in ranges) and are_whole(point, whole))

    def holds(text: str) -> Truth:
        assert prove is not None
        found = prove(text)
        return found if is_all or found is Truth.ALWAYS else Truth.UNKNOWN

    return Ground(Context(whole, tuple(pairs)), whole, points, prove=holds if prove else None)


def finite(domain: Domain, prove: Prove | None = None) -> Ground:
    """The points of a domain, and what holds of all of them."""
    points = domain.grid
    pairs: list[Pair] = []
    for name in sorted(set().union(*points) if points else ()):
        values = [x for point in points for x in [point.get(name)] if isinstance(x, Fraction)]
        if len(values) == len(points):
            low, high = (mpq(end.numerator, end.denominator) for end in (min(values), max(values)))
            pairs += pairs_of(name, Range(low, False, high, False))
    return Ground(Context(domain.whole, tuple(pairs)), domain.whole, lambda _: points, True, prove)


def range_of(interval: Interval) -> Range:
    """The kernel's range."""
    low, high = (None if end is None else mpq(end.numerator, end.denominator) for end in (interval.low, interval.high))
    return Range(low, interval.low_open, high, interval.high_open)


def _obeys(domain: Domain, point: Point) -> bool:
    """Whether a point is known to obey the conditions."""
    try:
        return all(satisfied(condition, point, dict(domain.models)) for condition in domain.conditions)
    except (NotExact, Undecided, InputError, ParseError, KeyError, *GAVE_UP):
        return False


def pairs_of(name: str, r: Range) -> list[Pair]:
    """The comparisons that a range is."""
    x = terms.name(name)
    below = [] if r.low is None else [(terms.number(r.low), "<" if r.low_open else "<=", x)]
    return below + ([] if r.high is None else [(x, "<" if r.high_open else "<=", terms.number(r.high))])


def axis(r: Range, whole: bool) -> list[Fraction]:
    """Values of one variable: its ends, what is near to them on either side, and farther out.

    >>> axis(Range(mpq(1)), True)[:4], [str(x) for x in axis(Range(), False)[:4]]
    ([Fraction(1, 1), Fraction(2, 1), Fraction(3, 1), Fraction(4, 1)], ['0', '1', '-1', '2'])
    """
    low, high = (None if end is None else Fraction(int(end.numerator), int(end.denominator)) for end in (r.low, r.high))
    found: list[Fraction] = []
    for step in _STEPS:
        if low is not None and high is not None:
            part = step if step < 1 else 1 / (1 + step)
            found += [low + part * (high - low), high - part * (high - low)] if step else [low, high]
        if low is not None:
            found.append(low + step)
        if high is not None:
            found.append(high - step)
        if low is None and high is None:
            found += [step, -step]
    if whole:
        found = [Fraction(x) for end in found for x in (end.__ceil__(), end.__floor__())]

    def inside(x: Fraction) -> bool:
        above = low is None or x > low or (x == low and not r.low_open)
        return above and (high is None or x < high or (x == high and not r.high_open))

    return [x for x in dict.fromkeys(found) if inside(x)]


_STEPS = tuple(map(Fraction, "0 1 2 3 4 5 6 7 8 9 1/2 3/2 1/3 5/2 1/1000 7/2 22/7 15 24 49 99 999 1e6 1e20".split()))


def diagonally(axes: Sequence[Sequence[Fraction]]) -> Iterator[tuple[Fraction, ...]]:
    """All combinations, those of early values first.

    >>> list(diagonally([[0, 1], [5, 6]]))
    [(0, 5), (0, 6), (1, 5), (1, 6)]
    """

    def of_total(k: int, rest: Sequence[Sequence[Fraction]]) -> Iterator[tuple[Fraction, ...]]:
        if len(rest) == 1:
            if k < len(rest[0]):
                yield (rest[0][k],)
            return
        for i in range(min(k + 1, len(rest[0]))):
            for others in of_total(k - i, rest[1:]):
                yield (rest[0][i], *others)

    for total in range(sum(len(one) for one in axes)) if all(axes) and axes else ():
        yield from of_total(total, axes)
