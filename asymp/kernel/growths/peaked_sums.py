r"""Laplace's method for sums: positive terms whose logarithm is concave, largest inside the range, and more and more so.

.. math:: S = \sum_{a\le k\le b} t(k), \qquad g = \log t = \sum_i e_i \log\Gamma(z_i) + \sum_i p_i \log z_i + \lambda k,

with :math:`z_i = \beta_i k + c_i`, whole e_i and numbers :math:`\beta_i`; c_i, p_i and lambda may move.

**Theorem** (Laplace 1774; de Bruijn, Asymptotic Methods in Analysis, 3.9, 4.4; Flajolet and Sedgewick, Analytic Combinatorics,
B.6).  Let all z_i > 0 and g'' <= 0 for real k in [a, b].  With sigma = (-g''(x))^(-1/2), for an x inside, let these tend to 0:

    1/sigma, sigma g'(x), sigma/(x - a), sigma/(b - x), sigma/z_i, |e_i| z_i (sigma/z_i)^3, |p_i| (sigma/z_i)^3,  z_i at x.

Let h be the largest of them, and X(u) = sigma g'(x) u + sum_(2<j<J) g^(j)(x) sigma^j u^j/j!.  Then for each M and K

.. math:: S = t(x)\,\sigma \int_{-\infty}^{\infty} e^{-u^2/2} \Big(\sum_{m<M} X^m/m! + O(|X|^M + R|u|^J)\Big)\,du
   + O(t(x)\,\sigma\,h^K), \qquad R = \sum_i |e_i| z_i (\sigma/z_i)^J + |p_i| (\sigma/z_i)^J.

*Proof.* Put U = h^(-1/8). For |k - x| <= sigma U the z_i change by a factor 1 + o(1), so that g^(j) is O(the sum of |e_i|
z_i^(1-j) + |p_i| z_i^(-j)), by Stirling's series of log Gamma and its derivatives (DLMF 5.11.1, 5.15.9); by Taylor's theorem
g there is g(x) - u^2/2 + X + O(R |u|^J), k = x + sigma u, where X + R U^J = O(h U^3) = o(1). So sigma g' <= -U/2 at u = U,
and >= U/2 at -U; g is concave, and all terms beyond add up to O(t(x) sigma exp(-U^2/4)), which is O(t(x) sigma h^K), as U^2 =
h^(-1/4). In the same way the terms of e^(-u^2/2) times a power of u beyond |u| = U may be added; the sum over all whole k of
these is, by Poisson's formula, sigma times the integral, up to O(sigma exp(-sigma^2)). ∎

g'' <= 0 is seen so: with m = |beta|, m^2 psi'(z) is the sum of psi'((z + j)/m) over 0 <= j < m (DLMF 5.5.6), psi' decreases
(5.15.1), and 1/z = Gamma(z)/Gamma(z + 1): each psi'(w) that is added has a psi'(v), v <= w, that is taken away.  Or z^(-p), p a
whole number, adds p/z^2 <= 1/(z + 1) <= psi'(z + 1), where z >= p + 1.  Of a range that begins with a number the first terms may
be taken by themselves.  The terms do not say where x is: that is proposed (see peaks), and anything near enough will do.

>>> from asymp.kernel.growths.expander import Expander
>>> from asymp.kernel.growths.growth import Domain
>>> e = Expander(Algebra(Domain(), 2), {"n": 0}, {}, frozenset({terms.name("n")}))
>>> found = series_of_peaked(e, terms.read("Sum(binomial(n, k)^3, (k, 0, n))"))
>>> [str(to_term(c)) for c, _ in found.terms]
['2/3*pi^(-1)*3^(1/2)']
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import factorial

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.growths.geometric_sums import in_range
from asymp.kernel.growths.growth import Growth
from asymp.kernel.growths.incomplete import loose
from asymp.kernel.growths.peaks import peaks
from asymp.kernel.growths.series import Algebra as Algebra
from asymp.kernel.growths.series import Expands, Series
from asymp.kernel.growths.summands import INDEX, OO, I
from asymp.kernel.rings.ratio import rational
from asymp.kernel.rings.ratio import to_term as to_term
from asymp.kernel.rings.recurring import number_of, straight
from asymp.kernel.terms import ONE, ZERO, Refused, Term, add, call, multiply, negative, number, power
from asymp.kernel.trust import rests_on

MOST_POWER = 12
FIRST = 3
"""Terms that may be taken by themselves."""
HALF = mpq(1, 2)


@dataclass(frozen=True)
class Piece:
    """Gamma(z)^weight, or z^weight where that is not ``gamma``, z = slope k + rest."""

    gamma: bool
    weight: Term
    slope: mpq
    rest: Term

    def at(self, x: Term) -> Term:
        """z."""
        return add(multiply(number(self.slope), x), self.rest)


@dataclass
class Summand:
    """The factors of a summand, as they are read: ``outside`` of the index, and ``rate``: lambda as a sum."""

    pieces: list[Piece] = field(default_factory=list)
    outside: list[Term] = field(default_factory=list)
    rate: list[Term] = field(default_factory=list)

    def read(self, term: Term, k: Term = ONE) -> None:
        """term^k, where k is free of the index.

        Raises:
            Refused: it is of another form.
        """
        if INDEX not in term.free:
            self.outside.append(power(term, k) if k != ONE else term)
            return
        match term.head:
            case "product":
                for part in term.parts:
                    self.read(part, k)
            case "power" if INDEX not in term.parts[1].free:
                self.read(term.parts[0], multiply(k, term.parts[1]))
            case "exp":
                self._power(terms.name("E"), term.parts[0], k)
            case "power" if INDEX not in term.parts[0].free:
                self._power(term.parts[0], term.parts[1], k)
            case "factorial":
                self._linear(add(term.parts[0], ONE), k, True)
            case "gamma":
                self._linear(term.parts[0], k, True)
            case "binomial" if len(term.parts) == 2:
                u, v = term.parts
                for z, way in ((u, 1), (v, -1), (add(u, negative(v)), -1)):
                    self._linear(add(z, ONE), multiply(number(way), k), True)
            case "catalan":
                (x,) = term.parts
                for z, way in ((add(x, x, ONE), 1), (add(x, ONE), -1), (add(x, number(2)), -1)):
                    self._linear(z, multiply(number(way), k), True)
            case _:
                self._linear(term, k, False)

    def _power(self, base: Term, exponent: Term, k: Term) -> None:
        slope, rest = straight(exponent)
        log = ONE if base == terms.name("E") else call("log", base)
        self.rate.append(multiply(k, slope, log))
        if rest != ZERO:
            self.outside.append(power(base, multiply(k, rest)))

    def _linear(self, z: Term, k: Term, gamma: bool) -> None:
        slope, rest = straight(z)
        value = number_of(slope)
        if not value:
            self.outside.append(power(call("gamma", rest) if gamma else rest, k))
            return
        if gamma and not (k.is_number and k.number.denominator == 1 and abs(k.number) <= MOST_POWER):
            raise Refused("a gamma function to a power that is no whole number")
        self.pieces.append(Piece(gamma, k, value, rest))


def series_of_peaked(e: Expands, term: Term) -> Series:
    """The series of a sum.

    Raises:
        Refused: it is another sum, or no such peak is seen.
    """
    body, low, high = term.parts
    first, last, total = low, Refused("no peak"), Series(())
    for _ in range(FIRST if low.is_number else 1):
        try:
            return e.algebra.add(total, _peaked(e, Term("Sum", (body, first, high))))
        except NotConcave as error:
            last = error
        total = e.algebra.add(total, e.series(terms.opened(body, first)))
        first = add(first, ONE)
    raise last


class NotConcave(Refused):
    """It is not seen that the logarithm of the terms is concave."""


def _peaked(e: Expands, term: Term) -> Series:
    in_range(term, e.algebra, e.series, e.whole)
    if e.constant(term):
        raise Refused("a sum that does not move")
    body, low, high = term.parts
    found = Summand()
    found.read(terms.opened(body, I))
    if any(piece.slope.denominator != 1 for piece in found.pieces) or not found.pieces:
        raise Refused("a summand that is no product of such factors")
    own = Peaked(e, found.pieces, add(*found.rate), low, high)
    own.require_positive()
    own.pieces = together(found.pieces)
    own.require_concave()
    places = peaks(e, [(p.gamma, p.weight, p.slope, p.rest) for p in own.pieces], own.rate)
    ways = (lambda x=x: e.algebra.times(e.series(multiply(*found.outside)), own.at(x)) for x in places)
    return terms.first(ways, "no place where the terms are largest")


def together(pieces: list[Piece]) -> list[Piece]:
    """Those of gamma functions of the same with one exponent."""
    found: dict[tuple[bool, mpq, Term], Term] = {}
    for piece in pieces:
        key = (piece.gamma, piece.slope, piece.rest)
        found[key] = add(found[key], piece.weight) if key in found else piece.weight
    return [Piece(gamma, weight, slope, rest) for (gamma, slope, rest), weight in found.items() if weight != ZERO]


class Peaked:
    """The sum of t(k); ``low`` and ``high`` are the ends of a range of real k that holds all its own."""

    def __init__(self, e: Expands, pieces: list[Piece], rate: Term, low: Term, high: Term) -> None:
        self.e, self.pieces, self.rate, self.low = e, pieces, rate, low
        self.high = high.parts[0] if high.head == "floor" else high
        self.last = add(self.high, number(-1)) if high.head == "floor" else high
        """At most the largest k."""
        for piece in pieces:
            if not piece.gamma and self._is_zero(piece.at(low)) and self._sign(piece.weight) == 1:
                if any(self._sign(other.at(low)) != 1 for other in pieces if other is not piece):
                    raise Refused("a first term that may not be defined")
                self.low = add(low, ONE)  # the first term is 0
                break

    # --- what is seen of terms ---------------------------------------------------------------------------

    def _is_zero(self, term: Term) -> bool:
        found = self.e.series(term)
        return found.is_zero

    def _sign(self, term: Term) -> int:
        """The sign in the end, 0 by identity alone."""
        return 0 if self._is_zero(term) else self.e.algebra.below(self.e.series(term))[0]

    def _ends(self, slope: mpq, rest: Term) -> Iterator[Term]:
        """slope k + rest at the ends of the range; where it has none, the slope is not to be below 0."""
        yield add(multiply(number(slope), self.low), rest)
        if self.high != OO:
            yield add(multiply(number(slope), self.high), rest)
        elif slope < 0:
            raise Refused("what falls below 0 in an endless range")

    # --- concave -----------------------------------------------------------------------------------------

    def require_positive(self) -> None:
        """That all z are, in the range.

        Raises:
            Refused: that is not seen.
        """
        for piece in self.pieces:
            if any(self._sign(z) != 1 for z in self._ends(piece.slope, piece.rest)):
                raise Refused("a factor that may not be positive in the range")

    def require_concave(self) -> None:
        """That g'' is not positive in the range.

        Raises:
            Refused: that is not seen.
        """
        taken: list[tuple[mpq, Term]] = []
        added: list[tuple[mpq, Term]] = []
        far: list[tuple[mpq, Term]] = []
        for piece in self.pieces:
            m = abs(piece.slope)
            parts = [(piece.slope / m, multiply(number(1 / m), add(piece.rest, number(j)))) for j in range(int(m))]
            if piece.gamma:
                times = int(piece.weight.number)
                (added if times > 0 else taken).extend(parts * abs(times))
            elif self._sign(piece.weight) < 0:
                if not (
                    piece.weight.is_number
                    and piece.weight.number.denominator == 1
                    and -MOST_POWER <= piece.weight.number
                ):
                    raise Refused("a power that may not be concave")
                times = -int(piece.weight.number)
                if m == 1 and all(self._sign(add(z, number(-1 - times))) >= 0 for z in self._ends(*parts[0])):
                    far.append((parts[0][0], add(parts[0][1], ONE)))
                    continue
                for _ in range(times):
                    added.append(parts[0])
                    taken.append((parts[0][0], add(parts[0][1], ONE)))
        for slope, rest in (*added, *far):
            if (best := self._below(slope, rest, taken)) is None:
                raise NotConcave("terms whose logarithm is not seen to be concave")
            taken.remove(best)

    def _below(self, slope: mpq, rest: Term, taken: list[tuple[mpq, Term]]) -> tuple[mpq, Term] | None:
        """One that is nowhere larger; of those with the same slope the largest."""
        found: list[tuple[mpq, Term]] = []
        for one in dict.fromkeys(taken):
            gap = add(rest, negative(one[1]))
            try:
                if all(self._sign(z) >= 0 for z in self._ends(slope - one[0], gap)):
                    found.append(one)
            except Refused:
                continue
        same = [one for one in found if one[0] == slope]
        for one in same:
            if all(self._sign(add(one[1], negative(other[1]))) >= 0 for other in same):
                return one
        return found[0] if found else None

    # --- at the peak ---------------------------------------------------------------------------------------

    def at(self, x: Term) -> Series:
        """The sum by its terms near x.

        Raises:
            Refused: x is not seen to be such a place.
        """
        e, a = self.e, self.e.algebra
        rests_on("DLMF 5.11.1", "DLMF 5.15.1", "DLMF 5.15.9")
        inverse = a.scaled(e.series(self._slope(x, 2)), rational(-1))
        if a.below(inverse)[0] != 1:
            raise Refused("a peak that is not seen to be one")
        sigma = a.power(inverse, rational(-HALF))
        small = [a.power(sigma, rational(-1)), a.times(sigma, e.series(self._slope(x, 1)))]
        for distance in (add(x, negative(self.low)), *([] if self.last == OO else [add(self.last, negative(x))])):
            small.append(self._over(sigma, distance))
        shares = [(self._over(sigma, piece.at(x)), piece) for piece in self.pieces]
        cubes = [self._size(piece, share, x, 3) for share, piece in shares]
        small += [share for share, _ in shares] + cubes
        if not all(a.vanishes(one) for one in small):
            raise Refused("a peak that is not seen to be sharp inside the range")
        half = max(1, a.order - 2)
        cut = _largest(a, [g.raised(rational(2 * half)) for one in small for g in loose(one)])
        X: dict[int, Series] = {1: _cut(a, small[1], cut)}
        spread = sigma
        last = 2 * half + 2
        for j in range(2, last):
            spread = a.times(spread, sigma)
            if j > 2:
                X[j] = _cut(
                    a, a.scaled(a.times(spread, e.series(self._slope(x, j))), rational(mpq(1, factorial(j)))), cut
                )
        X[last] = a.made([], [g for share, piece in shares for g in loose(self._size(piece, share, x, last))])
        total = self._mean(X, 2 * half, cut)
        logs = [multiply(p.weight, call("loggamma" if p.gamma else "log", p.at(x))) for p in self.pieces]
        head = a.exp(e.series(add(*logs, multiply(self.rate, x))))
        circle = a.constant(a.domain.value(terms.read("(2*pi)^(1/2)")))
        return a.times(a.times(head, a.times(sigma, circle)), total)

    def _over(self, sigma: Series, term: Term) -> Series:
        """sigma over a term that is positive in the end."""
        a, f = self.e.algebra, self.e.series(term)
        if a.below(f)[0] != 1:
            raise Refused("a peak that is not seen to lie inside the range")
        return a.times(sigma, a.power(f, rational(-1)))

    def _size(self, piece: Piece, share: Series, x: Term, j: int) -> Series:
        """|e| z (sigma/z)^j, or |p| (sigma/z)^j."""
        a = self.e.algebra
        weight = multiply(piece.weight, piece.at(x)) if piece.gamma else piece.weight
        return a.times(self.e.series(weight), a.power(share, rational(j)))

    def _slope(self, x: Term, j: int) -> Term:
        """The j-th derivative of g at x."""
        parts = [self.rate] if j == 1 else []
        for piece in self.pieces:
            z = piece.at(x)
            if piece.gamma:
                value = call("digamma", z) if j == 1 else call("polygamma", number(j - 1), z)
            else:
                value = multiply(number((-1) ** (j - 1) * factorial(j - 1)), power(z, number(-j)))
            parts.append(multiply(piece.weight, number(piece.slope**j), value))
        return add(*parts)

    def _mean(self, X: dict[int, Series], most: int, cut: list[Growth]) -> Series:
        """The mean of sum_(m<M) X^m/m! + O(|X|^M) by the normal law, up to what is cut off."""
        a = self.e.algebra
        power_: dict[int, Series] = {0: a.constant(rational(1))}
        total = a.made([*power_[0].terms], cut)
        for m in range(1, most + 1):
            found: dict[int, Series] = {}
            for i, f in power_.items():
                for j, g in X.items():
                    both = _cut(a, a.times(f, g), cut)
                    found[i + j] = a.add(found[i + j], both) if i + j in found else both
            power_ = found
            for i, f in power_.items():
                if m == most:
                    total = a.made(list(total.terms), [*total.rest, *loose(f)])
                elif i % 2:
                    total = a.made(list(total.terms), [*total.rest, *f.rest])
                else:
                    moment = factorial(i) // (factorial(i // 2) * 2 ** (i // 2))
                    total = a.add(total, a.scaled(f, rational(mpq(moment, factorial(m)))))
        return total


def _cut(a: Algebra, f: Series, cut: list[Growth]) -> Series:
    return a.made(list(f.terms), [*f.rest, *cut])


def _largest(a: Algebra, growths: list[Growth]) -> list[Growth]:
    return list(a.made([], growths).rest)
