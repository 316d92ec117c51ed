"""Points of a domain that nobody chose.

>>> from asymp.parse import parse_statement
>>> said = parse_statement("2*n > x for whole n >= 2, 0 < x < 1")
>>> sorted(meant_whole(said.domain, ["n", "x"])), str(next(unchosen(said.domain, difference_of(said), "a seed"))["n"])
(['n'], '2')
"""

from __future__ import annotations

import hashlib
import itertools
import math
import random
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from asymp.claim import Bound, Identity
from asymp.domain import Domain, Interval
from asymp.enclosure import InputError, Undecided
from asymp.kernel.terms import Term, add, negative, walk
from asymp.language.kinds import WHOLE_LETTERS
from asymp.language.known import TOTALS
from asymp.language.numbers import ParseError
from asymp.language.value import NotExact
from asymp.parse.terms import satisfied

MOST_POINTS = 240
"""Points of a box that are tried: enough for a lattice of five values in three variables."""


def obeys(domain: Domain, point: Mapping[str, object]) -> bool:
    """Whether a point is known to obey what the domain asks beside its ranges, as 1 <= i <= n."""
    try:
        return all(satisfied(condition, point, dict(domain.models)) for condition in domain.conditions)
    except (NotExact, Undecided, InputError, ParseError, KeyError):
        return False


def difference_of(relation: Bound | Identity) -> Term | None:
    """Left side less right side as a term; None where a side calls functions of a model."""
    left, right = (getattr(side, "term", None) for side in (relation.lhs, relation.rhs))
    return None if left is None or right is None else add(left, negative(right))


def has_totals(term: Term) -> bool:
    """Whether sums or integrals have to be evaluated for its value."""
    return any(part.head in TOTALS for part in walk(term))


def meant_whole(domain: Domain, names: Iterable[str]) -> frozenset[str]:
    """The names that stand for whole numbers, or may be meant to: no statement is refuted between whole numbers of these."""
    return domain.whole | ({name for name in names if name in WHOLE_LETTERS} - domain.real)


def unchosen(domain: Domain, term: Term, seed: str, far: int = 9) -> Iterator[dict[str, Fraction]]:
    """Points of a box beside its grid: corners and a lattice, then numbers drawn from a hash of ``seed``.

    A term that vanishes on every grid in sight does not vanish there.  The same seed gives the same points, in any process.
    ``far``: how many decimal digits the numbers drawn from an infinite range may have; fewer than 9 leave out the lattice.
    """
    ranges, names = domain.ranges, sorted(term.free)
    if any(name not in ranges for name in names):
        return
    integers = meant_whole(domain, names)
    draw = random.Random(hashlib.sha256(seed.encode()).digest())
    axes = [_axis(ranges[name], name in integers) for name in names]
    lattice = itertools.islice(itertools.product(*axes), MOST_POINTS if far >= 9 else 0)
    drawn = (tuple(_drawn(ranges[name], name in integers, draw, far) for name in names) for _ in range(MOST_POINTS // 2))
    for values in itertools.chain(lattice, drawn):
        if all(value is not None for value in values):
            point = dict(zip(names, (value for value in values if value is not None), strict=True))
            if obeys(domain, point):
                yield point


def _axis(interval: Interval, integer: bool) -> list[Fraction]:
    """A few values: near the ends, inside, far out."""
    tiny = Fraction(1, 10**6)
    if interval.low is not None and interval.high is not None:
        width = interval.high - interval.low
        values = [interval.low + part * width for part in (0, tiny, Fraction(1, 3), 1 - tiny, 1)]
    elif interval.low is not None:
        values = [interval.low, *(interval.low + step for step in (tiny, Fraction(3, 2), 7, 10**4))]
    elif interval.high is not None:
        values = [interval.high, *(interval.high - step for step in (tiny, Fraction(3, 2), 7, 10**4))]
    else:
        values = [Fraction(x) for x in (0, 1, -1, 10**4, -(10**4))]
    if integer:
        values = [Fraction(math.ceil(value)) for value in values]
    return [value for value in dict.fromkeys(values) if interval.holds(value)]


def _drawn(interval: Interval, integer: bool, draw: random.Random, far: int) -> Fraction | None:
    part = Fraction(draw.randrange(1, 10**6), 10**6)
    if interval.low is not None and interval.high is not None:
        value = interval.low + (interval.high - interval.low) * part
    else:
        reach = Fraction(10) ** (draw.randrange(far) - 2) * (1 + part * 9)
        if interval.low is not None:
            value = interval.low + reach
        elif interval.high is not None:
            value = interval.high - reach
        else:
            value = reach * draw.choice((1, -1))
    if integer:
        value = Fraction(math.floor(value))
    return value if interval.holds(value) else None
