"""Where a statement that is said uniformly is worst: further ways along which it is asked.

``f -> c``, ``f = O(g)`` and their kin uniformly in low <= x <= high are about the largest value over the range of a size,
|f - c|, |f/g| or |f - a|/g.  At two values of n it is sought on a grid, finer next to the ends, and then by golden sections; the
places where it was found are told as an end, or as low + t (high - low), or high - t (high - low), with t = c or t = c n^(-a),
for simple numbers a and c.  Nothing here is certain: what is found are ways for the judge to ask of, which refute what fails
along them.  Where the places are not of this kind, no way is told.

>>> from asymp.language.statement import read_statement
>>> [words(way) for way in ways(read_statement("exp(-n*(x - 1/3)^2) -> 0 uniformly in 0 <= x <= 1 as n -> oo"))]
['1/3*1']
>>> [words(way) for way in ways(read_statement("n*x/(1 + n^2*x^2) = o(1) uniformly in 0 <= x <= 1 as n -> oo"))]
['1/n*1']
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction

from asymp.kernel import terms
from asymp.kernel.facts import ranges
from asymp.kernel.terms import Refused, Term
from asymp.language.bodies import Expanding, Limiting, Ordering, Ratio
from asymp.language.conditions import Compared, OfKind, Tends
from asymp.language.names import free_names
from asymp.language.statement import Statement
from asymp.language.syntax import Node, Parser, words

AT = (150, 1_500)
"""Values of n."""
GRID = 96
SECTIONS = 40
MOST_DENOMINATOR = 24
ENDS = 2.9
"""A place at less than n^(-ENDS) of the range is an end of it: the grid goes so far."""
NOTHING = (-(10**9), 0.0)
"""The size where none is seen."""
SHARP = 1e-7
"""How far from a constant share a place that does not move with n may be found."""


def ways(statement: Statement) -> list[Node]:
    """Terms for the uniform variable, at which the size was largest; none where that is not found."""
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
        places = [_largest(size, n, x, low, high, whole, taken, value) for value in AT]
    except (Refused, ArithmeticError, ValueError):
        return []
    found: dict[str, Node] = {}
    for end, gaps in ((low, places), (high, [1 - t for t in places])):
        if all(t < value**-ENDS for t, value in zip(gaps, AT, strict=True)):
            return [end] if all(t == 0 for t in gaps) else []
    for of_low in (True, False):
        shares = [t if of_low else 1 - t for t in places]
        for text in _told(shares, n):
            one, other = words(low), words(high)
            part = f"{text}*({other})" if one == "0" else f"{text}*({other} - ({one}))"
            way = f"{other} - {part}" if not of_low else part if one == "0" else f"{one} + {part}"
            way = f"floor({way})" if whole else way
            found.setdefault(way, Parser(way).whole())
        if found:
            break
    return list(found.values())


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


def _largest(size: Term, n: str, x: str, low: Node, high: Node, whole: bool, taken: list[float], value: int) -> float:
    """The t at which the size at low + t (high - low) is largest; an end, 0 or 1, only where it is taken."""

    def number(term: Term, at: dict[str, ranges.Range]) -> Fraction:
        found = ranges.Evaluator(64).range(term, at)
        ends = [Fraction(int(end.p), int(end.q)) for end in (found.low, found.high)]
        return sum(ends, Fraction(0)) / 2

    here = {n: ranges.point(value)}
    first, last = (number(terms.of(end), here) for end in (low, high))
    known: dict[float, tuple[int, float]] = {}

    def of(t: float) -> tuple[int, float]:
        if t not in known:
            place = first + Fraction(t) * (last - first)
            place = Fraction(math.floor(place)) if whole else place
            known[t] = NOTHING
            with suppress(Refused, ArithmeticError, ValueError, AttributeError):
                known[t] = _scaled(abs(number(size, {**here, x: ranges.point(place.numerator, place.denominator)})))
        return known[t]

    near = [c * value ** (-k / 12) for k in range(1, 37) for c in (1.0, 1.5)]
    grid = sorted({k / GRID for k in range(1, GRID)} | {t for t in near if t < 1} | {1 - t for t in near if 1 - t > 0})
    best = max(range(len(grid)), key=lambda k: of(grid[k]))
    inside = _refined(of, grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)])
    inside = max(inside, grid[best], key=of)
    found = max([*taken, inside], key=of)
    if of(found) == NOTHING:
        raise Refused("nothing is seen")
    return found


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
    """The shares at the two values of n as one term: c, or c n^(-a)."""
    one, two = shares
    if any(not n**-ENDS < t < 1 - n**-ENDS for t, n in zip(shares, AT, strict=True)):
        return
    if abs(one - two) < 0.02 * max(one, two):
        share = Fraction(two).limit_denominator(MOST_DENOMINATOR)
        if share not in (0, 1) and abs(two - share) <= max(abs(one - two), SHARP):  # it is there, or tends to it
            yield str(share)
        return
    a = Fraction(math.log(one / two) / math.log(AT[1] / AT[0])).limit_denominator(6)
    if a <= 0 or abs(float(a) - math.log(one / two) / math.log(AT[1] / AT[0])) > 0.03:
        return
    c = Fraction(two * AT[1] ** float(a)).limit_denominator(4)
    power = name if a == 1 else f"{name}^({a})"
    yield f"{max(c, Fraction(1, 4))}/{power}"
