r"""Singularity analysis: the coefficients of a function by its expansions at the singularities that are nearest to 0.

All places where F may be singular in a disc, or in the plane, are known (:mod:`asymp.kernel.growths.singularities`), and
are taken in circles, the nearest first; at a real one F has an expansion (:mod:`asymp.kernel.growths.local`).

* On a circle of poles alone the terms with whole powers of s above 0 are exact, and what is left is analytic there: the next
  circle is looked at, and after the last the remainder is 0 for a rational function, else O(r^(-n)) for the radius r of a
  larger disc.
* On another circle each place adds its terms, with remainders, and the rest is below.  A place that is not real, or one
  below 0 behind others, adds a remainder by its size alone.

:func:`coefficients` gives the terms in N, from which a series is made.

>>> from asymp.kernel.growths.growth import Domain
>>> for text in ("1/((1 - z)*(1 + z^2))", "exp(z)/(1 - 2*z)^2"):
...     found = coefficients(terms.substitute(terms.read(text), {"z": Z}), Domain(), 1)
...     print(found.kept, [str(one) for one in found.rest])
1/2 ['@N^(-3)', '1', '1']
exp(1/2)*2^@N + exp(1/2)*@N*2^@N - 1/2*exp(1/2)*2^@N ['(1/5)^@N']
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cmp_to_key, partial

from flint import fmpq
from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.facts.intervals import exact_end
from asymp.kernel.growths.growth import Domain, Growth
from asymp.kernel.growths.incomplete import loose
from asymp.kernel.growths.local import Local
from asymp.kernel.growths.partitions import partitions
from asymp.kernel.growths.plane import Place, compared, zeros_of
from asymp.kernel.growths.saddles import by_saddle
from asymp.kernel.growths.series import Algebra, Expands, Series
from asymp.kernel.growths.singularities import (
    NeedsDisc,
    Singular,
    Singularities,
    is_simple,
    polynomial,
    rational_function,
)
from asymp.kernel.growths.transfer import exponents, of_rest, of_term
from asymp.kernel.rings.defined import is_whole
from asymp.kernel.rings.power_series import Z, at_zero, opened, parted, series
from asymp.kernel.rings.ratio import Ratio, rational, to_term
from asymp.kernel.terms import Refused, Term
from asymp.kernel.trust import remembered

N = terms.name("@N")
"""Of which coefficient."""
MOST_POLES = 12
"""Terms of an expansion at a pole."""
RADII = tuple(fmpq(n, 16) for n in (1, 2, 3, 4, 6, 8, 11, 14, 16, 20, 24, 32, 44, 64, 96, 128))
"""Of discs that are tried."""
MOST_REFUSED = 3
"""Discs in which not all singularities are known, before it is given up."""
LOG = terms.call("log", N)
FURTHER = 10
"""How much further out a disc reaches where nothing singular is left."""
ORDERS = (2, 6)
"""Terms kept beyond those that are asked for, of expansions at a place."""


@dataclass(frozen=True)
class Coefficients:
    """For whole N that tend to infinity: kept + (-1)^N waved, and what the remainder is O of."""

    kept: Term
    waved: Term
    rest: tuple[Term, ...]


def coefficients(term: Term, domain: Domain, order: int) -> Coefficients:
    """The coefficients of a function of Z, whose constants have values in the domain: as many terms of each expansion as asked.

    Raises:
        Refused: it has no power series, is not seen to be singular in finitely many places, or not how.
    """
    within = {name: found for name, found in domain.ranges.items() if name in term.free} if not domain.pairs else domain.within
    found = _known(term, replace(domain, between={}, within=dict(within)), order)
    if isinstance(found, str):
        raise Refused(found)
    return found


@remembered(256)
def _known(term: Term, domain: Domain, order: int) -> Coefficients | str:
    """The same; or why it is refused, which is remembered too."""
    try:
        at_zero(term, domain)
        if any(part.head == "Product" for part in terms.walk(term)):
            kept, rest = partitions(term, N)
            return Coefficients(kept, terms.ZERO, (rest,))
        ways: list[Callable[[Term, Domain, int], Coefficients]] = [_coefficients]
        ways += [_by_saddle] if any(part.head == "exp" and Z.name in part.free for part in terms.walk(term)) else []
        return first([partial(way, term, domain, order) for way in ways], told_by=0)
    except Refused as error:
        return f"of a coefficient: {error}"


def _by_saddle(term: Term, domain: Domain, order: int) -> Coefficients:
    """By the saddle-point method; of z^k F the coefficient of z^(N - k) in F is asked."""
    parts = term.parts if term.head == "product" else (term,)
    powers = {part: part.parts[1].number if part.head == "power" else mpq(1) for part in parts if Z in (part, *part.parts[:1])}
    own = {part: k for part, k in powers.items() if part == Z or (part.head == "power" and k.denominator == 1)}
    found = by_saddle(terms.multiply(terms.ONE, *(part for part in parts if part not in own)), domain, order)
    at = {N.name: terms.add(N, terms.number(-sum(own.values(), mpq(0))))}
    kept, *rest = (terms.substitute(one, at) for one in (found.kept, *found.rest))
    return Coefficients(kept, terms.ZERO, tuple(rest))


def first(ways: Sequence[Callable[[], Coefficients]], told_by: int) -> Coefficients:
    """What the first way finds that is not refused."""
    said: list[Refused] = []
    for way in ways:
        try:
            return way()
        except Refused as error:
            said.append(error)
    raise said[told_by]


def _coefficients(term: Term, domain: Domain, order: int) -> Coefficients:
    last: Refused = Refused("no disc is found in which all singularities are known")
    try:
        return _Analysis(term, Singularities(domain), order).found()
    except NeedsDisc as error:
        last = error
    found: Coefficients | None = None
    refused = 0
    for radius in RADII:
        try:
            analysis = _Analysis(term, Singularities(domain, radius), order)
            if analysis.circles:
                found = analysis.found()
                if not analysis.exact:
                    return found
        except Refused as error:
            last, refused = error, refused + 1
            if found is not None or refused == MOST_REFUSED:
                break
    if found is None:
        raise last
    return found


def series_of_coefficient(e: Expands, term: Term) -> Series:
    """The series of a coefficient of which the number is whole and tends to infinity; what alternates is in the remainder.

    Raises:
        Refused: that is not seen, or the coefficients are not known; or the function moves.
    """
    a = e.algebra
    front, found = pieces(e, term)
    kept = e.series(found.kept)
    rest = [g for one in (found.waved, *found.rest) if one != terms.ZERO for g in loose(e.series(one))]
    return a.times(e.series(front), a.made(list(kept.terms), [*kept.rest, *rest]))


def pieces(e: Expands, term: Term, put: Callable[[Term], Term] = lambda term: term) -> tuple[Term, Coefficients]:
    """What stands before a coefficient, and what is known of it, its number put in; ``put``: terms in the quantities that move.

    Raises:
        Refused: as for :func:`series_of_coefficient`.
    """
    a, n = e.algebra, put(term.parts[2])
    front, body = parted(opened(term))
    body = put(body)
    if not e.constant(body) or e.constant(n) or not is_whole(n, frozenset(one.name for one in e.whole)):
        raise Refused("a coefficient of what moves, or whose number is not seen to be whole")
    f = e.series(n)
    if a.below(f)[0] != 1 or a.leading(f)[1].limit(a.domain) != "infinity":
        raise Refused("a coefficient whose number is not seen to tend to infinity")
    found, at = coefficients(body, a.domain, a.order), {N.name: term.parts[2]}
    kept, waved, *rest = (terms.substitute(one, at) for one in (found.kept, found.waved, *found.rest))
    return front, Coefficients(kept, waved, tuple(rest))


def alternating(e: Expands, term: Term, rests: dict[str, Series], put: Callable[[Term], Term] = lambda term: term) -> Term:
    """A term with the terms of its coefficients where these alternate, and a name, of which ``rests`` has the series, for each
    remainder; what is in binders is left alone."""
    if term.head == "Coefficient":
        try:
            front, found = pieces(e, term, put)
        except Refused:
            return term
        if found.waved == terms.ZERO:
            return term
        name = f"rest{len(rests) + 1}_"
        rests[name] = e.algebra.made([], [g for one in found.rest for g in loose(e.series(put(one)))])
        wave = terms.multiply(terms.power(terms.number(-1), term.parts[2]), found.waved)
        return terms.multiply(front, terms.add(found.kept, wave, terms.name(name)))
    if not term.parts or term.head in terms.BINDERS:
        return term
    return terms.rebuilt(term, tuple(alternating(e, part, rests, put) for part in term.parts))


class _Analysis:
    """One function, in a disc or in the plane."""

    def __init__(self, term: Term, where: Singularities, order: int) -> None:
        self.term, self.where, self.domain, self.order = term, where, where.domain, order
        self.circles = self._circles(where.of(term))
        self.kept: list[Term] = []
        self.waved: list[Term] = []
        self.rest: list[Term] = []
        self.exact = True
        """Whether all circles that were looked at have poles alone."""

    def _circles(self, places: Sequence[Singular]) -> list[list[Singular]]:
        """The places by their distances from 0."""
        found: list[list[Singular]] = []
        def farther(a: Singular, b: Singular) -> int:
            return compared(a.place, b.place, self.domain)

        for one in sorted(places, key=cmp_to_key(farther)):
            if found and compared(found[-1][0].place, one.place, self.domain) == 0:
                found[-1].append(one)
            else:
                found.append([one])
        return found

    def found(self) -> Coefficients:
        """What is known of the coefficients.

        Raises:
            Refused: nothing is.
        """
        for k, circle in enumerate(self.circles):
            kept = [*self.kept], [*self.waved], [*self.rest]
            try:
                if self._circle(circle, first=not (self.kept or self.waved)):
                    continue
            except Refused:
                if not (self.kept or self.waved):
                    raise
                self.kept, self.waved, self.rest = kept
                self.rest.append(self._between(self.circles[k - 1][0].place, circle[0].place))
            self.exact = False
            return self._made()
        if self.where.radius is not None:
            self.rest.append(_power(rational(mpq(int(self.where.radius.q), int(self.where.radius.p))), N))
        elif not self._is_rational():
            if not (self.kept or self.waved):
                raise Refused("nothing singular is found")
            farthest = self.circles[-1][0].place
            size = farthest.size.inverse() if farthest.size is not None else rational(1)
            self.rest.append(_power(size * rational(mpq(1, FURTHER)), N))
        return self._made()

    def _between(self, near: Place, far: Place) -> Term:
        """What the rest is O of, where all is known up to one circle, and nothing singular lies between it and the next:
        r^(-N) for a circle between the two."""
        if near.size is not None and far.size is not None:
            return _power(rational(2) * (near.size + far.size).inverse(), N)
        middle = (near.ball_of_size() + far.ball_of_size()) / 2
        r = exact_end(middle.mid(), True)
        if not near.ball_of_size() < r < far.ball_of_size():
            raise Refused("two circles that are not told apart")
        return _power(rational(mpq(int(r.q), int(r.p))), N)

    def _made(self) -> Coefficients:
        return Coefficients(terms.add(terms.ZERO, *self.kept), terms.add(terms.ZERO, *self.waved), tuple(self.rest))

    def _is_rational(self) -> bool:
        try:
            rational_function(self.term, self.domain)
        except Refused:
            return False
        return True

    def _circle(self, circle: list[Singular], first: bool) -> bool:
        """Adds what a circle of places adds; whether the next one matters."""
        behind = not first and any(one.place.value is None or self.domain.sign(one.place.value) == -1 for one in circle)
        poles = not (behind or any(one.branch or one.place.value is None for one in circle))
        for one in circle:
            if one.place.value is None:
                self._bounded(one.place)
            elif behind:
                self._behind(one.place)
            elif not self._place(one.place, poles):
                poles = False
        return poles

    def _place(self, place: Place, poles: bool) -> bool:
        """Adds the terms at a real place; whether all of them are exact."""
        assert place.value is not None
        assert place.inverse is not None
        for more in (*ORDERS, MOST_POLES):
            a = Algebra(self.domain, self.order + more)
            f = series(self.term, Local(a, place.value))
            if not poles or all(self._is_analytic(g) for g in f.rest):
                break
        else:
            raise Refused("a pole of high order")
        positive = self.domain.sign(place.value) == 1
        front, kept = _power(place.inverse if positive else -place.inverse, N), self.kept if positive else self.waved
        exact = poles = poles and all(_is_whole(g) for g in (*(g for _, g in f.terms), *f.rest))
        for c, g in f.terms:
            found, left = of_term(g, self.domain, self.order)
            kept += [_term(c * d, front, x, y) for d, x, y in found]
            self.rest += [_term(rational(1), front, x, y) for x, y in left]
            exact = exact and not left
        if not poles:
            self.rest += [_term(rational(1), front, *of_rest(g)) for g in f.rest]
        return exact

    def _behind(self, place: Place) -> None:
        """Adds what the size of the expansion at a real place allows."""
        assert place.value is not None
        assert place.size is not None
        front = _power(place.size.inverse(), N)
        f = series(self.term, Local(Algebra(self.domain, self.order + 1), place.value))
        self.rest += [_term(rational(1), front, *of_rest(g)) for g in (*(g for _, g in f.terms), *f.rest)]

    def _is_analytic(self, g: Growth) -> bool:
        """Whether what is O(g) at a pole has no part with negative powers of u."""
        return g.limit(self.domain) in ("zero", "one")

    def _bounded(self, place: Place) -> None:
        """Adds what the size of a function near a place allows."""
        if place.size is None:
            raise Refused("a singularity whose distance is no number that is written down")
        a, b = Size(self.where, place).of(self.term)
        front = _power(place.size.inverse(), N)
        self.rest.append(_term(rational(1), front, rational(a - 1), rational(b)))


@dataclass(frozen=True)
class Size:
    """Of functions near a place that need not be real: a and b, where they are O(u^(-a) log(1/u)^b)."""

    where: Singularities
    place: Place

    def of(self, term: Term) -> tuple[mpq, int]:
        """a and b.

        Raises:
            Refused: they are not seen.
        """
        if not self._among(one.place for one in self.where.of(term)):
            return mpq(0), 0
        match term.head:
            case "sum":
                return max(self.of(part) for part in term.parts)
            case "product":
                found = [self.of(part) for part in term.parts]
                return sum((a for a, _ in found), mpq(0)), sum(b for _, b in found)
            case "power" if term.parts[1].is_number:
                base, e = term.parts[0], term.parts[1].number
                if e > 0 and e.denominator == 1:
                    a, b = self.of(base)
                    return a * e, int(b * e)
                return -self._order(base) * e, 0
            case "log":
                self._order(term.parts[0])
                return mpq(0), 1
        raise Refused(f"{term.head} at a place that is not real")

    def _among(self, places: Iterable[Place]) -> bool:
        return any(self.where.same(one, self.place) for one in places)

    def _order(self, base: Term) -> mpq:
        """The order of a zero of a function made of polynomials by products and powers, below 0 where it is a pole."""
        if (p := polynomial(base, self.where.domain)) is not None:
            return mpq(sum(k for one, k in zeros_of(p, self.where.domain) if self.where.same(one, self.place)))
        if not self._among(one.place for one in self.where.of(base)) and not self._among(self.where.zeros(base)):
            return mpq(0)
        if base.head == "product":
            return sum((self._order(part) for part in base.parts), mpq(0))
        if base.head == "sum" and is_simple(base, self.where.domain):
            return mpq(1)
        if base.head == "power" and base.parts[1].is_number:
            return base.parts[1].number * self._order(base.parts[0])
        raise Refused("a zero at a place that is not real")


def _is_whole(g: Growth) -> bool:
    """Whether it is a whole power of s."""
    e, j = exponents(g)
    k = e.constant()
    return k is not None and k.denominator == 1 and j.is_zero


def _power(x: Ratio, n: Term) -> Term:
    return terms.ONE if x.is_one else terms.power(to_term(x), n)


def _term(c: Ratio, front: Term, x: Ratio, y: Ratio) -> Term:
    """c rho^(-N) N^x (log N)^y."""
    parts = [to_term(c), front]
    for base, e in ((N, x), (LOG, y)):
        if not e.is_zero:
            parts.append(terms.power(base, to_term(e)))
    return terms.multiply(*parts)
