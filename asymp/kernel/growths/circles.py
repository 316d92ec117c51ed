r"""Singularity analysis: the coefficients of a function by its expansions at the singularities that are nearest to 0.

All places where F may be singular in a disc, or in the plane, are known (:mod:`asymp.kernel.growths.singularities`), and
are taken in circles, the nearest first; at a real one F has an expansion (:mod:`asymp.kernel.growths.local`).

* On a circle of poles alone the terms with whole powers of s above 0 are exact, and what is left is analytic there: the next
  circle is looked at, and after the last the remainder is 0 for a rational function, else O(r^(-n)) for the radius r of a
  larger disc.  Two conjugate poles that are zeros of a quadratic add sines and cosines (:mod:`asymp.kernel.rings.gauss`).
* On another circle each place adds its terms, with remainders, and the rest is below.  Another place that is not real, or one
  below 0 behind others, adds a remainder by its size alone.

>>> from asymp.kernel.growths.growth import Domain
>>> from asymp.kernel.rings.power_series import Z
>>> for text in ("1/((1 - z)*sqrt(1 + z^2))", "exp(z)/(1 - 2*z)^2", "1/(1 + z^2)"):
...     found = by_singularities(terms.substitute(terms.read(text), {"z": Z}), Domain(), 1)
...     print(found.kept, found.turning, [str(one) for one in found.rest])
1/2*2^(1/2) 0 ['@N^(-1/2)', '@N^(-1/2)', '@N^(-3)']
exp(1/2)*2^@N + exp(1/2)*@N*2^@N - 1/2*exp(1/2)*2^@N 0 ['(1/5)^@N']
0 cos(1/2*@N*pi) []
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cmp_to_key

from flint import fmpq
from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.facts.intervals import exact_end
from asymp.kernel.growths.equations import is_simple, polynomial, rational_function
from asymp.kernel.growths.exact import SINES
from asymp.kernel.growths.growth import Domain, Growth
from asymp.kernel.growths.local import Local
from asymp.kernel.growths.plane import Place, compared, zeros_of
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.growths.singularities import NeedsDisc, Singular, Singularities
from asymp.kernel.growths.transfer import exponents, of_rest, of_term
from asymp.kernel.rings.gauss import Gauss, Near
from asymp.kernel.rings.power_series import series
from asymp.kernel.rings.ratio import Ratio, rational, to_term
from asymp.kernel.terms import Refused, Term

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
    """For whole N that tend to infinity: kept + (-1)^N waved + turning, and what the remainder is O of.

    ``turning`` has sines and cosines, and ``sizes`` are what it is O of.
    """

    kept: Term
    waved: Term
    rest: tuple[Term, ...]
    turning: Term = terms.ZERO
    sizes: tuple[Term, ...] = ()
    saddle: tuple[Term, tuple[Series, ...]] | None = None
    """Of the saddle-point method: the number, and what it has seen there."""

    def with_number(self, n: Term) -> Coefficients:
        """With a term for N."""
        kept, waved, turning, *others = (
            terms.substitute(one, {N.name: n}) for one in (self.kept, self.waved, self.turning, *self.rest, *self.sizes)
        )
        count = len(self.rest)
        at = self.saddle and (terms.substitute(self.saddle[0], {N.name: n}), self.saddle[1])
        return Coefficients(kept, waved, tuple(others[:count]), turning, tuple(others[count:]), at)


def by_singularities(term: Term, domain: Domain, order: int) -> Coefficients:
    """The coefficients of a function of Z that has a power series.

    Raises:
        Refused: it is not seen to be singular in finitely many places, or not how.
    """
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


class _Analysis:
    """One function, in a disc or in the plane."""

    def __init__(self, term: Term, where: Singularities, order: int) -> None:
        self.term, self.where, self.domain, self.order = term, where, where.domain, order
        self.circles = self._circles(where.of(term))
        self.kept: list[Term] = []
        self.waved: list[Term] = []
        self.turning: list[Term] = []
        self.sizes: list[Term] = []
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
            known = [[*one] for one in (self.kept, self.waved, self.turning, self.sizes, self.rest)]
            try:
                if self._circle(circle, first=not self._known):
                    continue
            except Refused:
                if not self._known or not k:
                    raise
                self.kept, self.waved, self.turning, self.sizes, self.rest = known
                self.rest.append(self._between(self.circles[k - 1][0].place, circle[0].place))
            self.exact = False
            return self._made()
        if self.where.radius is not None:
            self.rest.append(_power(rational(mpq(int(self.where.radius.q), int(self.where.radius.p))), N))
        elif not self._is_rational():
            if not self._known:
                raise Refused("nothing singular is found")
            farthest = self.circles[-1][0].place
            size = farthest.size.inverse() if farthest.size is not None else rational(1)
            self.rest.append(_power(size * rational(mpq(1, FURTHER)), N))
        return self._made()

    @property
    def _known(self) -> bool:
        return bool(self.kept or self.waved or self.turning)

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
        kept, waved, turning = (terms.add(terms.ZERO, *found) for found in (self.kept, self.waved, self.turning))
        return Coefficients(kept, waved, tuple(self.rest), turning, tuple(self.sizes))

    def _is_rational(self) -> bool:
        try:
            rational_function(self.term, self.domain)
        except Refused:
            return False
        return True

    def _circle(self, circle: list[Singular], first: bool) -> bool:
        """Adds what a circle of places adds; whether the next one matters."""
        behind = not first and any(one.place.value is None or self.domain.sign(one.place.value) == -1 for one in circle)
        poles = not (behind or any(one.branch or (one.place.value is None and one.place.pair is None) for one in circle))
        for one in circle:
            if one.place.value is None:
                if not poles or not self._pair(one.place):
                    self._bounded(one.place)
                    poles = False
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

    def _pair(self, place: Place) -> bool:
        """Adds the terms at poles x + i y and x - i y, of which this is one; whether they are known.

        With C_k/u^k at the one, the two add 2 Re(C_k e^(-i N t)) binomial(N + k - 1, k - 1) rho^(-N), t the argument of x + i y.
        """
        assert place.pair is not None
        assert place.size is not None
        x, y = place.pair
        if self.domain.sign(y) == -1:
            return True  # it comes with the other
        try:
            for order in (2, 4, MOST_POLES):
                f = series(self.term, Near(self.domain, Gauss(x, y), order))
                if f.end >= 0:
                    break
            else:
                return False
        except Refused:
            return False
        front, angle = _power(place.size.inverse(), N), terms.multiply(N, _angle(x * place.size.inverse(), self.domain))
        for k in range(1, -f.start + 1):
            c = f.parts[-k - f.start]
            rising = [terms.multiply(terms.number(mpq(1, j)), terms.add(N, terms.number(j))) for j in range(1, k)]
            for part, head in ((c.re, "cos"), (c.im, "sin")):
                if not part.is_zero:
                    wave = terms.call(head, angle)
                    self.turning.append(terms.multiply(to_term(rational(2) * part), front, *rising, wave))
            self.sizes.append(terms.multiply(front, terms.power(N, terms.number(k - 1))))
        return True

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


def _angle(cos: Ratio, domain: Domain) -> Term:
    """The angle between 0 and pi of which this is the cosine."""
    for turns, value in SINES.items():
        for way in (1, -1):
            if (domain.value(value) * rational(way) - cos).is_zero:
                return terms.multiply(terms.number(mpq(1, 2) - way * turns), terms.name("pi"))
    return terms.call("acos", to_term(cos))


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
