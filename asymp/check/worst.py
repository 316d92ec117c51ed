"""Where a statement that is said uniformly is worst: further ways along which it is asked.

``f -> c``, ``f = O(g)`` and their kin uniformly in low <= x <= high are about the largest value over the range of a size,
|f - c|, |f/g| or |f - a|/g.  At three values of n it is sought on a grid, finer next to the ends, and then by golden sections.
The places where it was found are told as an end, or as low + t (high - low), or high - t (high - low), with t = c or
t = c n^(-a), for simple numbers a and c; where they are not of this kind, no way is told.

What fails along a way is refuted.  That it holds there says something where the size is nowhere much larger, which is known at
the first two n by the ranges of the size over cells, halved until they show it; else it may have a peak that no grid sees.

>>> from asymp.language.statement import read_statement
>>> found, sure = ways(read_statement("exp(-n*(x - 1/3)^2) -> 0 uniformly in 0 <= x <= 1 as n -> oo"))
>>> [words(way) for way in found], sure
(['1/3*1'], True)
>>> found, sure = ways(read_statement("1/n + exp(-n^8*(x - 1/pi)^2) -> 0 uniformly in 0 <= x <= 1 as n -> oo"))
>>> sure
False
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from itertools import pairwise

from asymp.kernel import terms
from asymp.kernel.facts import ranges
from asymp.kernel.terms import Refused, Term
from asymp.language.bodies import Expanding, Limiting, Ordering, Ratio
from asymp.language.conditions import Compared, OfKind, Tends
from asymp.language.names import free_names
from asymp.language.statement import Statement
from asymp.language.syntax import Node, Parser, words

AT = (150, 1_500, 4_000)
"""Values of n."""
MORE = 2
"""So many times what was found is not much larger."""
MOST_CELLS = 4_000
GRID = 96
SECTIONS = 40
MOST_DENOMINATOR = 24
ENDS = 2.9
"""A place at less than n^(-ENDS) of the range is an end of it: the grid goes so far."""
NOTHING = (-(10**9), 0.0)
"""The size where none is seen."""
SHARP = 1e-7
"""How far from a constant share a place that does not move with n may be found."""


def ways(statement: Statement) -> tuple[list[Node], bool]:
    """Terms for the uniform variable, at which the size was largest, and whether it is known to be; none where none are found."""
    try:
        n, x, low, high, whole, size = _asked(statement)
        signs = next(c.signs for c in statement.uniform if isinstance(c, Compared))
        if whole:  # an end that is not taken: the one next to it is
            low, high = (
                Parser(f"{words(end)} {by}").whole() if sign == "<" else end
                for end, by, sign in zip((low, high), ("+ 1", "- 1"), signs, strict=True)
            )
            signs = ("<=", "<=")
        taken = [float(t) for t, sign in enumerate(signs) if sign == "<="]
        found = [_largest(size, n, x, low, high, whole, taken, value) for value in AT]
    except (Refused, ArithmeticError, ValueError):
        return [], False
    places, sure = [place for place, _ in found], all(known for _, known in found)
    told: dict[str, Node] = {}
    for end, gaps in ((low, places), (high, [1 - t for t in places])):
        if all(t < value**-ENDS for t, value in zip(gaps, AT, strict=True)):
            return ([end], sure) if all(t == 0 for t in gaps) else ([], False)
    for of_low in (True, False):
        shares = [t if of_low else 1 - t for t in places]
        for text in _told(shares, n):
            one, other = words(low), words(high)
            part = f"{text}*({other})" if one == "0" else f"{text}*({other} - ({one}))"
            way = f"{other} - {part}" if not of_low else part if one == "0" else f"{one} + {part}"
            way = f"floor({way})" if whole else way
            told.setdefault(way, Parser(way).whole())
        if told:
            break
    return list(told.values()), sure


def _asked(statement: Statement) -> tuple[str, str, Node, Node, bool, Term]:
    """n, the uniform variable, the ends of its range, whether it is whole, and the size.

    Raises:
        Refused: there is more than one that moves, or a parameter.
    """
    chains = [c for c in statement.uniform if isinstance(c, Compared)]
    limits = [c for c in statement.regime if isinstance(c, Tends)]
    if len(chains) != 1 or len(chains[0].parts) != 3 or len(limits) != 1 or words(limits[0].target) != "oo":
        raise Refused("one range, and one variable that grows")
    low, middle, high = chains[0].parts
    n, x = limits[0].term.text, middle.text
    above: Node
    below: Node | None
    less: Node | None
    match statement.body:
        case Limiting(f, c) if words(c) not in ("oo", "-oo"):
            above, below, less = f, None, c
        case Ordering(f, order, g) if order in ("O", "o"):
            above, below, less = f, g, None
        case Expanding(f, kept, _, g):
            above, below, less = f, g, kept
        case Ratio(f, g):
            above, below, less = f, g, g
        case _:
            raise Refused("a statement of another form")
    size = terms.add(terms.of(above), terms.negative(terms.of(less)) if less is not None else terms.ZERO)
    if below is not None:
        size = terms.multiply(size, terms.reciprocal(terms.of(below)))
    if (size.free | free_names(low) | free_names(high)) - terms.CONSTANTS - {n, x}:
        raise Refused("there are parameters")
    whole = any(isinstance(c, OfKind) and c.name == x and c.kind == "whole" for c in statement.uniform)
    return n, x, low, high, whole, size


def _largest(
    size: Term, n: str, x: str, low: Node, high: Node, whole: bool, taken: list[float], value: int
) -> tuple[float, bool]:
    """The t at which the size at low + t (high - low) is largest, an end only where it is taken; whether it is known to be."""

    def ends(term: Term, at: dict[str, ranges.Range]) -> list[Fraction]:
        found = ranges.Evaluator(64).range(term, at)
        return [Fraction(int(end.p), int(end.q)) for end in (found.low, found.high)]

    def number(term: Term, at: dict[str, ranges.Range]) -> Fraction:
        return sum(ends(term, at), Fraction(0)) / 2

    def most(a: Fraction, b: Fraction) -> Fraction | None:
        """What the size is at most over a cell."""
        with suppress(Refused, ArithmeticError, ValueError, AttributeError):
            cell = ranges.Range(*(ranges.point(end.numerator, end.denominator).low for end in (a, b)))
            return max(map(abs, ends(size, {**here, x: cell})))
        return None

    def place(t: float) -> Fraction:
        found = first + Fraction(t) * (last - first)
        return Fraction(math.floor(found)) if whole else found

    here = {n: ranges.point(value)}
    first, last = (number(terms.of(end), here) for end in (low, high))
    known: dict[float, tuple[int, float]] = {}

    def of(t: float) -> tuple[int, float]:
        if t not in known:
            at = place(t)
            known[t] = NOTHING
            with suppress(Refused, ArithmeticError, ValueError, AttributeError):
                known[t] = _scaled(abs(number(size, {**here, x: ranges.point(at.numerator, at.denominator)})))
        return known[t]

    near = [c * value ** (-k / 12) for k in range(1, 37) for c in (1.0, 1.5)]
    grid = sorted({k / GRID for k in range(1, GRID)} | {t for t in near if t < 1} | {1 - t for t in near if 1 - t > 0})
    best = max(range(len(grid)), key=lambda k: of(grid[k]))
    inside = _refined(of, grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)])
    inside = max(inside, grid[best], key=of)
    found = max([*taken, inside], key=of)
    if of(found) == NOTHING:
        raise Refused("nothing is seen")
    limit = most(place(found), place(found))
    if value == AT[-1] or limit is None:
        return found, limit is not None
    margin = 0 if whole else (last - first) / value**3
    begin, end = first + margin * (0.0 not in taken), last - margin * (1.0 not in taken)
    if whole:
        begin, end = Fraction(math.ceil(begin)), Fraction(math.floor(end))
    return found, _is_below(most, MORE * limit, begin, end, whole)


def _is_below(
    most: Callable[[Fraction, Fraction], Fraction | None], limit: Fraction, low: Fraction, high: Fraction, whole: bool
) -> bool:
    """Whether a size is at most a number between two: cells are halved where that is not seen."""
    cells, shortest = [(low, high)], (high - low) / 2**60
    for _ in range(MOST_CELLS):
        if not cells:
            return True
        a, b = cells.pop()
        found = most(a, b)
        if found is not None and found <= limit:
            continue
        if b - a <= shortest:
            return False
        middle = Fraction(math.floor((a + b) / 2)) if whole else (a + b) / 2
        cells += [(a, middle), (middle + whole, b)]
    return False


def _scaled(size: Fraction) -> tuple[int, float]:
    """A number that may be too small or too large for a float, as e and m with m 2^e, so that pairs stand in their order."""
    if not size:
        return NOTHING
    p, q = size.numerator, size.denominator
    e = p.bit_length() - q.bit_length()
    m = (p << max(64 - e, 0)) // (q << max(e - 64, 0))  # of 64 or 65 bits
    more = m.bit_length() - 64
    return e + more, m / 2.0 ** (64 + more)


def _refined(of: Callable[[float], tuple[int, float]], a: float, b: float) -> float:
    """Where it is largest between two, by golden sections."""
    ratio = (math.sqrt(5) - 1) / 2
    for _ in range(SECTIONS):
        c, d = b - ratio * (b - a), a + ratio * (b - a)
        a, b = (a, d) if of(c) >= of(d) else (c, b)
    return (a + b) / 2


def _told(shares: list[float], name: str) -> Iterator[str]:
    """The shares at the values of n as one term: c, or c n^(-a)."""
    *_, one, two = shares
    if any(not n**-ENDS < t < 1 - n**-ENDS for t, n in zip(shares, AT, strict=True)):
        return
    if max(shares) - min(shares) < 0.02 * max(shares):
        share = Fraction(two).limit_denominator(MOST_DENOMINATOR)
        if share not in (0, 1) and abs(two - share) <= max(abs(one - two), SHARP):  # it is there, or tends to it
            yield str(share)
        return
    slopes = [math.log(t / u) / math.log(m / n) for (t, n), (u, m) in pairwise(zip(shares, AT, strict=True))]
    a = Fraction(slopes[-1]).limit_denominator(6)
    if a <= 0 or any(abs(float(a) - slope) > 0.03 for slope in slopes):  # 1/log(n) falls slower and slower
        return
    c = Fraction(two * AT[-1] ** float(a)).limit_denominator(4)
    power = name if a == 1 else f"{name}^({a})"
    yield f"{max(c, Fraction(1, 4))}/{power}"
