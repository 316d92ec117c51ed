"""Polynomials in what is not negative, in place of what lies in a range.

What is at least a is a + v with v >= 0, what is at most b is b - u with u >= 0; and what lies between a < b is
(a u + b v)/(u + v) with u = b - x and v = x - a, where u + v > 0.  The polynomials are FLINT's, in the u and v of all that is
moved and in what stays; constants, and broken powers, are kept beside them.

>>> from asymp.kernel.terms import name
>>> x, p = name("x"), {(): mpq(-1), ((name("x"), mpq(2)),): mpq(1)}
>>> sorted(Moved(p, [Place(x, Range(mpq(1)))], lambda a: NONNEGATIVE).signs())  # x^2 - 1 for x >= 1
[0, 1]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import NamedTuple

from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx
from gmpy2 import mpq

from asymp.kernel.facts.intervals import as_end
from asymp.kernel.facts.signs import (
    ANY,
    NEGATIVE,
    NONNEGATIVE,
    POSITIVE,
    Signs,
    by_monomials,
    constant_signs,
    is_empty,
    minus,
    of_number,
    of_range,
)
from asymp.kernel.rings.defined import Range
from asymp.kernel.rings.ratio import Poly, Powers
from asymp.kernel.terms import Refused, Term, free

MOST_DEGREE = 60
MOST_BEYOND = 4
"""The degree in an exponential of which more is used than that it is above 1."""
MOST_CLOSED = 3
MOST_MONOMIALS = 4_000
"""Each atom between two ends doubles them."""
POINTS = 27
"""At so many a polynomial is tried before it is written anew."""
AS_IT_IS = ((None, None), (0, None), (None, 0))
"""Ends of ranges of what is told by its sign alone."""
Degrees = tuple[int, ...]


class Place(NamedTuple):
    """An atom; where it is moved, with its range.

    ``beyond``: what it is above the low end of the range at least, where that has no other: a polynomial in atoms that come after
    it; empty where nothing is known.
    """

    atom: Term
    range: Range | None = None
    beyond: Poly = {}  # noqa: RUF012 (of a tuple, which nobody changes)

    @property
    def is_between(self) -> bool:
        """Whether it lies between two ends."""
        r = self.range
        return r is not None and r.low is not None and r.high not in (None, r.low)


class Moved:
    """A polynomial times positive factors, with what is not negative in place of some of its atoms.

    Args:
        p: the polynomial.
        places: those of its atoms that stand in it in whole powers, and those of ``beyond``.
        atom: the signs of an atom.

    Raises:
        Refused: it is no polynomial in one of them, that has no values, or there are too many terms.
    """

    def __init__(self, p: Poly, places: Sequence[Place], atom: Callable[[Term], Signs]) -> None:
        self._atom, self._place, self._signs = atom, dict[Term, int](), list[Term | Signs]()
        self.ends: list[tuple[int, int]] = []
        """u and v of what lies in a closed range of two ends: one of the two is positive."""
        for one in places:
            self._place[one.atom] = len(self._signs)
            self._signs += [one.atom] * (1 + one.is_between)
        self._context = fmpq_mpoly_ctx.get(tuple(f"x{k}" for k in range(len(self._signs))), Ordering.lex)
        first = [0] * len(self._signs)
        for one in places:
            first[self._place[one.atom]] = -self._least(p, one)
        tables: dict[Powers, dict[Degrees, fmpq]] = {}
        for powers, c in p.items():
            degrees, kept = list(first), []
            for a, k in powers:
                if a in self._place:
                    degrees[self._place[a]] += int(k // 1)
                    k = k % 1
                if k:
                    kept.append((a, k))
            tables.setdefault(tuple(kept), {})[tuple(degrees)] = as_end(c)
        self._parts = {kept: self._context.from_dict(table) for kept, table in tables.items()}
        for one in places:
            if one.range is not None:
                self._put(one.atom, one.range, one.beyond)

    def _least(self, p: Poly, one: Place) -> int:
        """The least exponent of an atom, if it is below 0: by that power, which is positive, the polynomial is divided."""
        exponents = [dict(powers).get(one.atom, mpq(0)) for powers in p]
        least = int(min(*exponents, mpq(0)) // 1)
        broken = one.range is not None and any(k.denominator != 1 for k in exponents)
        signs = self._atom(one.atom) if one.range is None else of_range(one.range)
        if broken or max(exponents) - least > MOST_DEGREE or (least < 0 and signs != POSITIVE):
            raise Refused("no polynomial in it")
        if one.range is not None and is_empty(one.range):
            raise Refused(f"{one.atom} has no values")
        return least

    def _put(self, a: Term, r: Range, beyond: Poly) -> None:
        x = self._place[a]
        most = max((int(degrees[x]) for part in self._parts.values() for degrees in part.monoms()), default=0)
        if most > MOST_DEGREE:
            raise Refused("no polynomial in it")
        over, under = (NONNEGATIVE if not is_open else POSITIVE for is_open in (r.low_open, r.high_open))
        new, one = self._context.gen(x), self._context.constant(1)  # what it was itself is no longer there
        base, whole = one, one
        if r.low is not None and r.high is not None:
            if r.low == r.high:
                base = one * as_end(r.low)
            else:
                u, v = new, self._context.gen(x + 1)
                base, whole = u * as_end(r.low) + v * as_end(r.high), u + v
                self._signs[x : x + 2] = under, over
                if not r.low_open and not r.high_open:
                    self.ends.append((x, x + 1))
        elif r.low is not None:
            base = one * as_end(r.low) + new
            if most <= MOST_BEYOND:
                base += self._context.from_dict({self._degrees(powers): as_end(c) for powers, c in beyond.items()})
            self._signs[x] = over
        else:
            assert r.high is not None
            base = one * as_end(r.high) - new
            self._signs[x] = under
        if base != new:
            self._parts = {kept: self._written(part, x, most, base, whole) for kept, part in self._parts.items()}
        if sum(map(len, self._parts.values())) > MOST_MONOMIALS:
            raise Refused("a polynomial of too many terms")

    def _degrees(self, powers: Powers) -> Degrees:
        found = [0] * len(self._signs)
        for a, k in powers:
            found[self._place[a]] = int(k)
        return tuple(found)

    def _written(self, part: fmpq_mpoly, x: int, most: int, base: fmpq_mpoly, whole: fmpq_mpoly) -> fmpq_mpoly:
        """The sum of c_k base^k whole^(most - k), where part is the sum of c_k x^k."""
        put = list(self._context.gens())
        put[x] = base
        if not whole.is_one():  # first c_k x^k y^(most - k), in a place that was kept for it
            table = {(*d[: x + 1], most - d[x], *d[x + 2 :]): c for d, c in part.to_dict().items()}
            part, put[x + 1] = self._context.from_dict(table), whole
        return part.compose(*put)

    def signs(self, known: Mapping[int, Signs] | None = None) -> Signs:
        """The signs by those of the monomials; ``known``: more that is known of a u or a v."""
        own = known or {}

        def of(x: int | Term) -> Signs:
            one = x if isinstance(x, Term) else own.get(x, self._signs[x])
            return self._atom(one) if isinstance(one, Term) else one

        return by_monomials(self._rows(), of)

    def _rows(self) -> Iterator[tuple[list[tuple[int | Term, mpq | int]], Signs]]:
        parted: dict[Powers, list[tuple[Powers, fmpq_mpoly]]] = {}
        for kept, part in self._parts.items():
            outer = tuple(item for item in kept if free(item[0]))
            parted.setdefault(outer, []).append((tuple(item for item in kept if not free(item[0])), part))
        for outer, parts in parted.items():
            if [inner for inner, _ in parts] == [()]:
                rows = {degrees: of_number(c) for degrees, c in parts[0][1].to_dict().items()}
            else:
                rows = _with_constants(parts)
            for degrees, s in rows.items():
                yield [*outer, *((x, int(k)) for x, k in enumerate(degrees) if k)], s


def by_ranges(range_of: Callable[[Term], Range], atom: Callable[[Term], Signs], p: Poly) -> Signs:
    """The signs of a polynomial by what is not negative in place of what has a range.

    Args:
        range_of: where an atom lies.
        atom: the signs of an atom.
        p: the polynomial.
    """
    if len(p) == 1:  # the signs of its atoms have told what there is
        return ANY
    broken = {a for powers in p for a, k in powers if k.denominator != 1}
    below = {a for powers in p for a, k in powers if k < 0}
    atoms, inner = {a for powers in p for a, _ in powers if free(a)}, set[Term]()
    places: list[Place] = []
    for is_exp in (True, False):  # exponentials leave names
        for a in sorted((a for a in atoms | inner if (a.head == "exp") is is_exp), key=lambda a: a.order):
            r = range_of(a)
            if (r.low, r.high) not in AS_IT_IS and a not in broken:
                beyond = _beyond(a, atom) if is_exp and r.low == 1 and r.high is None else {}
                places.append(Place(a, r, beyond))
                inner |= {x for powers in beyond for x, _ in powers}
            elif a in inner or (a not in broken and a not in below):
                places.append(Place(a))
    if all(one.range is None for one in places) or _changes(p, places, atom):
        return ANY
    try:
        moved = Moved(p, places, atom)
    except Refused:
        return ANY
    found = moved.signs()
    if found in (NONNEGATIVE, {-1, 0}) and 0 < len(moved.ends) <= MOST_CLOSED:  # not at both ends: one of the two is positive
        known = (dict.fromkeys(some, POSITIVE) for some in product(*moved.ends))
        found = frozenset().union(*(moved.signs(one) for one in known))
    return found


def _changes(p: Poly, places: Sequence[Place], atom: Callable[[Term], Signs]) -> bool:
    """Whether a polynomial is positive at one point and negative at another: then no way to write it is of one sign.

    Each atom goes through its range whatever the others are, as it does where it is moved.
    """
    if len(places) < len({a for powers in p for a, _ in powers}) or any(one.beyond for one in places):
        return False  # constants, or broken powers
    at = {one.atom: _some(atom(one.atom)) if one.range is None else _inside(one.range) for one in places}
    seen = set[Signs]()
    if any(e < 0 and not all(at[a]) for powers in p for a, e in powers):
        return False
    for k in range(POINTS):
        point = {a: some[(k // 3**j + k * (j // 3)) % 3] for j, (a, some) in enumerate(at.items())}
        seen.add(of_number(sum((c * prod(point[a] ** int(e) for a, e in powers) for powers, c in p.items()), mpq(0))))
        if seen >= {POSITIVE, NEGATIVE}:
            return True
    return False


def _inside(r: Range) -> tuple[mpq, mpq, mpq]:
    """Three numbers of a range of one end or two."""
    if r.low is None:
        low, middle, high = _inside(Range(minus(r.high)))
        return -low, -middle, -high
    width = mpq(1) if r.high is None else r.high - r.low
    return r.low + width / 8, r.low + width / 2, r.low + (100 if r.high is None else width * 7 / 8)


def _some(signs: Signs) -> tuple[mpq, mpq, mpq]:
    """Three numbers of these signs."""
    first = 1 if 1 in signs else -1 if -1 in signs else 0
    return mpq(first, 8), mpq(-first if -first in signs else first), mpq(100 * first)


def _beyond(a: Term, atom: Callable[[Term], Signs]) -> Poly:
    """exp(x) - 1 - v for a name x >= 0, with v > 0 (v >= 0 where x may be 0): from the low end 1 of its range."""
    if a.parts[0].head != "name" or not atom(a.parts[0]) <= NONNEGATIVE:
        return {}
    x = a.parts[0]
    return {((x, mpq(1)),): mpq(1), ((x, mpq(2)),): mpq(1, 2)}


def _with_constants(parts: Sequence[tuple[Powers, fmpq_mpoly]]) -> dict[Degrees, Signs]:
    tables: dict[Degrees, Poly] = {}
    for inner, part in parts:
        for degrees, c in part.to_dict().items():
            tables.setdefault(degrees, {})[inner] = mpq(int(c.p), int(c.q))
    return {degrees: constant_signs(frozenset(constants.items())) for degrees, constants in tables.items()}
