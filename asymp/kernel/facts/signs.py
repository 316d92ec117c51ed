"""Signs as sets, and polynomials in quantities of known sign.

>>> sorted(plus([NONNEGATIVE, POSITIVE])), sorted(times(NONNEGATIVE, frozenset({-1})))
([1], [-1, 0])
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import TypeVar

from flint import arb
from gmpy2 import mpq

from asymp.kernel.domain import Pair
from asymp.kernel.facts.ranges import BITS, Evaluator
from asymp.kernel.rings import bernstein
from asymp.kernel.rings.defined import Range
from asymp.kernel.rings.radicals import separation
from asymp.kernel.rings.ratio import ONE_POLY, Poly, Powers, Ratio, joined, product_of, rational, to_term
from asymp.kernel.terms import CONSTANTS, NOUGHT, Refused, Term, free
from asymp.kernel.trust import remembered

FINE_BITS = 1_024
Signs = frozenset[int]
Atom = TypeVar("Atom")
POSITIVE, NEGATIVE, NONE = frozenset({1}), frozenset({-1}), frozenset({0})
NONNEGATIVE, ANY = frozenset({0, 1}), frozenset({-1, 0, 1})
MOST_DEGREE = 60


def of_number(c: mpq) -> Signs:
    """The sign of a number."""
    return POSITIVE if c > 0 else NEGATIVE if c else NONE


def times(a: Signs, b: Signs) -> Signs:
    """The signs of a product."""
    return frozenset(x * y for x in a for y in b)


def plus(parts: Iterable[Signs]) -> Signs:
    """The signs of a sum."""
    found = list(parts)
    for side in (1, -1):
        if all(s <= {0, side} for s in found):
            if all(s == NONE for s in found):
                return NONE
            return frozenset({side}) if any(s == {side} for s in found) else frozenset({0, side})
    return ANY


def to_power(s: Signs, k: mpq) -> Signs:
    """The signs of an atom's power; where k < 0 it is not 0, and where k is not whole it is positive."""
    if k == 0:
        return POSITIVE
    if k < 0 and 0 in s:
        return ANY
    if k.denominator != 1:
        return s if s <= NONNEGATIVE else ANY
    return frozenset(x * x for x in s) if k % 2 == 0 else s


def minus(x: mpq | None) -> mpq | None:
    """-x of an end that may be infinite."""
    return None if x is None else -x


def above(old: Range, low: mpq, is_open: bool, whole: bool) -> Range:
    """A range cut off below; a whole number above 3/2 or above 1 is at least 2."""
    if whole:
        low, is_open = mpq(low.numerator // low.denominator + 1 if is_open else -(-low.numerator // low.denominator)), False
    if old.low is None or (low, is_open) > (old.low, old.low_open):
        return replace(old, low=low, low_open=is_open)
    return old


def ranges_of(pairs: Sequence[Pair], whole: AbstractSet[str], within: Mapping[str, Range]) -> dict[str, Range]:
    """Where single variables lie, by comparisons with constants, between rational numbers, and by those with one another."""
    found = dict(within)
    for low, sign, high in pairs:
        sides = ((low, high), (high, low)) if sign == "=" else ((low, high),)
        for a, b in sides:
            if b.head == "name" and b.name not in CONSTANTS and (end := _beside(a, False)) is not None:
                found[b.name] = above(found.get(b.name, Range()), end, sign == "<", b.name in whole)
            if a.head == "name" and a.name not in CONSTANTS and (end := _beside(b, True)) is not None:
                found[a.name] = _below(found.get(a.name, Range()), end, sign == "<", a.name in whole)
    for _ in pairs:  # a <= x, where it is known that 1 <= a, and x <= b, where b <= 2
        for a, sign, b in pairs:
            if a.head == b.head == "name" and sign != "=" and not {a.name, b.name} & CONSTANTS:
                low_end, high_end = found.get(a.name, Range()), found.get(b.name, Range())
                if low_end.low is not None:
                    is_open = low_end.low_open or sign == "<"
                    found[b.name] = above(found.get(b.name, Range()), low_end.low, is_open, b.name in whole)
                if high_end.high is not None:
                    is_open = high_end.high_open or sign == "<"
                    found[a.name] = _below(found.get(a.name, Range()), high_end.high, is_open, a.name in whole)
    return found


def _beside(end: Term, is_above: bool) -> mpq | None:
    """A rational number that is not above a constant, or not below it."""
    if end.is_number:
        return end.number
    if free(end) or (end.head == "name" and end.name == "oo"):
        return None
    try:
        x = Evaluator(BITS).range(end, {})[int(is_above)]
    except Refused:
        return None
    return mpq(int(x.p), int(x.q))


def _below(r: Range, end: mpq, is_open: bool, whole: bool) -> Range:
    flipped = above(Range(minus(r.high), r.high_open, minus(r.low), r.low_open), -end, is_open, whole)
    return Range(minus(flipped.high), flipped.high_open, minus(flipped.low), flipped.low_open)


def is_empty(r: Range) -> bool:
    """Whether no number lies in a range."""
    return r.low is not None and r.high is not None and (r.high < r.low or (r.high == r.low and (r.low_open or r.high_open)))


def of_range(r: Range) -> Signs:
    """The signs of the numbers in a range."""
    if r.low is not None and (r.low > 0 or (r.low == 0 and r.low_open)):
        return POSITIVE
    if r.high is not None and (r.high < 0 or (r.high == 0 and r.high_open)):
        return NEGATIVE
    if r.low == r.high == 0:
        return NONE
    return NONNEGATIVE if r.low == 0 else frozenset({-1, 0}) if r.high == 0 else ANY


def multiple(p: Poly, q: Poly) -> Poly | None:
    """The monomial m with p = m*q, or None."""
    if len(p) != len(q) or not p:
        return None
    first = next(iter(q))
    for powers, c in p.items():
        factor, left = joined(powers, tuple((a, -k) for a, k in first))
        m: Poly = {left: c / q[first] * factor}
        if product_of(m, q) == p:
            return m
    return None


def in_one_variable(ranges: Mapping[str, Range], p: Poly) -> Signs:
    """The signs of a polynomial in one variable of a known range, by Bernstein's form: see bernstein."""
    atoms = {a for powers in p for a, _ in powers}
    r = ranges.get(next(iter(atoms)).name, Range()) if len(atoms) == 1 else Range()
    if r.low is None or any(k.denominator != 1 or not 0 <= k <= MOST_DEGREE for powers in p for _, k in powers):
        return ANY
    by_degree = {int(powers[0][1]) if powers else 0: c for powers, c in p.items()}
    coefficients = [by_degree.get(k, mpq(0)) for k in range(max(by_degree) + 1)]
    closed = [end for end, is_open in ((r.low, r.low_open), (r.high, r.high_open)) if end is not None and not is_open]
    found = bernstein.sign_on(coefficients, r.low, r.high, closed)
    return ANY if found is None else frozenset({found})


def quadratic(p: Poly, of: Callable[[Ratio], Signs]) -> Signs:
    """The signs of a x^2 + b x + c with constants that need not be rational, of any x: as those of a where 4 a c >= b^2."""
    parts = {0: rational(0), 1: rational(0), 2: rational(0)}
    moving: set[Term] = set()
    for powers, c in p.items():
        x = [(a, k) for a, k in powers if free(a)]
        if len(x) > 1 or (x and x[0][1] not in (1, 2)):
            return ANY
        moving |= {a for a, _ in x}
        degree = int(x[0][1]) if x else 0
        parts[degree] = parts[degree] + Ratio({tuple(item for item in powers if not free(item[0])): c})
    lead, room = of(parts[2]), rational(4) * parts[2] * parts[0] - parts[1] * parts[1]
    if len(moving) != 1 or lead not in (POSITIVE, NEGATIVE) or not of(room) <= NONNEGATIVE:
        return ANY
    return lead if of(room) == POSITIVE else lead | NONE


def by_tangents(p: Poly, of: Callable[[Ratio], Signs], value: Callable[[Term], Ratio]) -> Signs:
    """The signs of m log(a) + q, where m is a monomial of one sign: 1 - 1/a <= log(a) <= a - 1, equal only where a = 1."""
    found = [(powers, c) for powers, c in p.items() if any(x.head == "log" and free(x) for x, _ in powers)]
    logs = [(x, k) for powers, _ in found for x, k in powers if x.head == "log" and free(x)]
    if len(found) != 1 or len(logs) != 1 or logs[0][1] != 1:
        return ANY
    ((powers, c),), x = found, logs[0][0]
    m = Ratio({tuple(item for item in powers if item[0] != x): c})
    try:
        a = value(x.parts[0])
    except Refused:
        return ANY
    if (signs := of(m)) not in (POSITIVE, NEGATIVE):
        return ANY
    equal = of(a - rational(1)) & NONE
    rest = Ratio({others: d for others, d in p.items() if others != powers})
    for side, bound in ((NEGATIVE, a - rational(1)), (POSITIVE, rational(1) - a.inverse())):  # log(a) less that
        if (told := plus([of(m * bound + rest), times(side, signs) | equal])) != ANY:
            return told
    return ANY


@remembered(10_000)
def constant_signs(p: frozenset[tuple[Powers, mpq]]) -> Signs:
    """The signs of a polynomial in constants, by a ball: e^(-1) - e^(-1 - 10^(-200)) needs a fine one.

    What is made of roots of numbers is 0 where it is smaller than such a number can be (see :mod:`asymp.kernel.rings.radicals`).
    """
    constants = dict(p)
    if not any(constants):
        return of_number(constants.get((), NOUGHT))
    for bits in (BITS, FINE_BITS):
        try:
            x = Evaluator(bits).range(to_term(Ratio(constants)), {})
        except Refused:
            return ANY
        if x.low == 0:
            return NONE if x.is_point else NONNEGATIVE
        if x.low > 0 or x.high < 0:
            return POSITIVE if x.low > 0 else NEGATIVE
    if least := separation(to_term(Ratio(constants))):
        for bits in (least + 64, 2 * least + FINE_BITS):
            try:
                x = Evaluator(bits).range(to_term(Ratio(constants)), {})
            except Refused:
                return ANY
            if x.low > 0 or x.high < 0:
                return POSITIVE if x.low > 0 else NEGATIVE
            if max(-x.low, x.high) * arb(2) ** least < 1:
                return NONE
    return ANY


def by_monomials(
    rows: Iterable[tuple[Sequence[tuple[Atom, mpq | int]], Signs]], signs_of: Callable[[Atom], Signs]
) -> Signs:  # fmt: skip
    """The signs of a sum of monomials, each with the signs of its coefficient.

    ``signs_of``: the signs of what stands in the monomials.
    """
    known: dict[tuple[Atom, mpq | int], Signs] = {}
    found: set[Signs] = set()
    for outer, s in rows:
        for item in outer:
            if item not in known:
                known[item] = to_power(signs_of(item[0]), mpq(item[1]))
            if known[item] != POSITIVE:
                s = times(s, known[item])
        if s not in found:
            found.add(s)
            if plus(found) == ANY:  # whatever comes after
                return ANY
    return plus(found)


def monomials(p: Poly) -> Iterator[tuple[Powers, Signs]]:
    """The monomials in what is no constant, with the signs of their coefficients, which constants may stand in."""
    parted: dict[Powers, Poly] = {}
    for powers, c in p.items():
        inner = tuple(item for item in powers if not free(item[0]))
        parted.setdefault(tuple(item for item in powers if free(item[0])) if inner else powers, {})[inner] = c
    for outer, constants in parted.items():
        yield outer, constant_signs(frozenset(constants.items()))


def by_multiple(p: Poly, h: Ratio, signs: Signs, plain: Callable[[Poly], Signs]) -> Signs:
    """Of p = t h + q, where a number t takes away a monomial of h, and t h and q are of one sign: a - b - 1 for b - a > 0.

    >>> from asymp.kernel.rings.ratio import atom, rational
    >>> from asymp.kernel.terms import name
    >>> gap = atom(name("b")) - atom(name("a"))
    >>> number = lambda q: {1 if c > 0 else -1 for c in q.values()} if all(not m for m in q) else ANY
    >>> by_multiple((rational(-2) * gap - rational(1)).num, gap, POSITIVE, number) == NEGATIVE
    True
    >>> by_multiple((rational(1) - gap).num, gap, POSITIVE, number) == ANY
    True
    """
    for m, c in h.num.items() if h.den == ONE_POLY else ():
        if m in p and (q := Ratio(p) - h * rational(p[m] / c)).num:
            both = (times(signs, POSITIVE if p[m] * c > 0 else NEGATIVE), plain(q.num))
            for way in (NONNEGATIVE, frozenset({-1, 0})):
                if all(one <= way for one in both):
                    return way if all(0 in one for one in both) else way - {0}
    return ANY
