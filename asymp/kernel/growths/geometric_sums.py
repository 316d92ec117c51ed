"""Series of sums of q^i i^k, q^i i^k H_i and q^i i^k log i over whole i, k >= -1, for 0 < q < 1 or q = 1, and of linear
combinations of them with coefficients that are free of i; H_i = harmonic(i).

With q = e^(-L) and x = L m for a whole m that tends to infinity, of the sum over 1 <= i <= m and the *tail*, i > m:

- x -> 0: by Taylor's series of e^(-L i) (see weights), where the sums of i^k, i^k H_i, 1/i and H_i/i are polynomials in m and
  H_m, but for sum H_i/i = (H_m^2 + H_m^(2))/2.
- Else 0 < q < 1, and both are an infinite sum less the other.  By parts, with a_0 = 1 for a_i = 1 and 0 for all others,

      (1 - q) sum_(i>=1) a_i q^i = sum_(i>=1) (a_i - a_(i-1)) q^i + a_0 q,
      (1 - q) sum_(i>m)  a_i q^i = sum_(i>m)  (a_i - a_(i-1)) q^i + a_m q^(m+1),

  where i^k H_i - (i-1)^k H_(i-1) = (i^k - (i-1)^k) H_i + (i-1)^k/i: all comes down to a_i = 1/i and a_i = H_i/i, with

      sum_(i>=1) q^i/i = -log(1 - q),   sum_(i>=1) q^i H_i/i = pi^2/6 + L log(1 - q) + log(1 - q)^2/2 - Li_2(1 - q),

  as sum_(i>=1) q^i H_i/i = Li_2(q) + log(1 - q)^2/2 (differentiate) and DLMF 25.12.6.
- x -> oo: the k-th backward differences of 1/i and H_i/i are (-1)^k k! (H_i - H_k)^h/(i (i-1) ... (i-k)), h = 0 and 1, by
  induction; by parts again, the tail is

      sum_(k<K) q^(m+1)/(1-q)^(k+1) (-1)^k k! (H_m - H_k)^h/(m ... (m-k)) + O(q^(m+1)/(1-q)^(K+1) H_m^h/m^(K+1)).

- x -> c > 0: f(t) = e^(-L t)/t and e^(-L t) (log t + EulerGamma)/t have derivatives of alternating signs for all large t, so
  that in Euler and Maclaurin's formula (DLMF 2.10.1) for the sum over i > m what is left is O of the last term:

      int_m^oo f - f(m)/2 - sum_(j<K) B_2j/(2j)! f^(2j-1)(m) + O(f^(2K-1)(m)),

  with K = 1 for the second, to which H_i = log i + EulerGamma + 1/(2i) + O(i^(-2)) adds int_m^oo e^(-L t)/(2t^2) dt +
  O(q^m/m^2); the integrals are Gamma(0, x), Gamma^(1)(0, x) + (EulerGamma - log L) Gamma(0, x) and (q^m/m - L Gamma(0, x))/2.

A sum of log i is that of H_i - EulerGamma - 1/(2i) and of d_i = O(i^(-2)); one of log(i)/i is that of (H_i - EulerGamma)/i, up
to O(1).  The d_i sum up to O(1/l) from l on; for L -> 0 the sum of q^i d_i over 1 <= i <= m is that of d_i over i >= 1, up to
O(1/m + L log(1/L)), as 1 - q^i <= min(1, L i): (log(2 pi) - EulerGamma - 1)/2 by Stirling's series of log m!, since
H_1 + ... + H_m = (m + 1) H_m - m.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from contextlib import suppress
from math import comb, factorial

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.growths.coefficients import bernoulli
from asymp.kernel.growths.growth import ONE
from asymp.kernel.growths.incomplete import LARGE, SMALL, loose, partial_harmonic, size, upper
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.growths.summands import GAMMA, OO, I, summands, without
from asymp.kernel.growths.weights import Weight
from asymp.kernel.rings.ratio import rational
from asymp.kernel.terms import Refused, Term, add, call, negative, number
from asymp.kernel.trust import rests_on

FIRST = 12
"""The largest number at which a sum begins."""


def series_of_sum(term: Term, a: Algebra, series: Callable[[Term], Series], whole: AbstractSet[Term]) -> Series:
    """The series of a sum.

    Args:
        term: the sum.
        a: the algebra.
        series: of a term.
        whole: terms that are whole numbers.

    Raises:
        Refused: it is not seen to be defined, or has none here.
    """
    in_range(term, a, series, whole)
    body, low, high = term.parts
    body = terms.opened(body, I)
    try:
        return _from_the_start(body, low, high, a, series)
    except Refused as error:
        if high != OO:
            with suppress(Refused):  # the same, backwards
                return _from_the_start(terms.substitute(body, {I.name: add(low, high, negative(I))}), low, high, a, series)
        raise error


def _from_the_start(body: Term, low: Term, high: Term, a: Algebra, series: Callable[[Term], Series]) -> Series:
    parts = summands(body)
    sums = {base: Geometric(a, series, base) for base in {one.base: None for one in parts}}
    start = number(1) if low.is_number else low
    found = Series(())
    for one in parts:
        total, own = Series(()), sums[one.base]
        for factor, k, h in without(one, log=True):
            total = a.add(total, a.scaled(own.between(k, h, start, high), a.domain.value(factor)))
        if one.log:
            total = a.add(total, own.left_by_log(one.degree, start, high))
        found = a.add(found, a.times(series(one.coefficient), total))
    if low.is_number and not 0 <= low.number <= FIRST:
        raise Refused("a sum that begins before 0, or late")
    return from_number(found, body, low, a, series) if low.is_number else found


def from_number(found: Series, body: Term, low: Term, a: Algebra, series: Callable[[Term], Series]) -> Series:
    """A sum that begins with a number, from that which begins with 1."""
    for i in range(int(low.number), 1) or range(1, int(low.number)):
        found = a.add(found, a.scaled(series(terms.substitute(body, {I.name: number(i)})), rational(-1 if i else 1)))
    return found


def in_range(term: Term, a: Algebra, series: Callable[[Term], Series], whole: AbstractSet[Term]) -> None:
    """That the ends of a sum are whole, and that it has a term.

    Raises:
        Refused: that is not seen.
    """
    _, low, high = term.parts
    if low == OO or not all(end == OO or _is_whole(end, whole) for end in (low, high)):
        raise Refused("a sum whose ends are not seen to be whole")
    if high != OO and a.below(series(add(high, negative(low), terms.ONE)))[0] != 1:
        raise Refused("a sum that is not seen to run forwards")


def _is_whole(term: Term, whole: AbstractSet[Term]) -> bool:
    """Whether a term is a polynomial in whole terms, floors and whole numbers, or one of the terms and a whole number."""
    if term in whole or term.head in ("floor", "ceiling"):
        return True
    if term.head in ("sum", "product") and all(_is_whole(part, whole) for part in term.parts):
        return True
    rest, c = _without_number(term)
    if term.is_number:
        return c.denominator == 1
    return any(rest == other and (c - d).denominator == 1 for other, d in map(_without_number, whole))


def _without_number(term: Term) -> tuple[Term, mpq]:
    parts = term.parts if term.head == "sum" else (term,)
    return add(*(p for p in parts if not p.is_number)), sum((p.number for p in parts if p.is_number), mpq(0))


class Geometric(Weight):
    """Sums of q^i a_i for one q, where a_i is i^k H_i^h."""

    def between(self, k: int, h: int, low: Term, high: Term) -> Series:
        """The sum over low <= i <= high, where low is 1 or tends to infinity.

        Raises:
            Refused: where the ends tend is not seen.
        """
        if low == terms.ONE:
            return self.infinite(k, h) if high == OO else self.truncated(k, h, high)
        before = add(low, number(-1))
        if high == OO:
            return self.tail(k, h, before)
        if self.size(before) == SMALL:
            return self.algebra.minus(self.truncated(k, h, high), self.truncated(k, h, before))
        return self.algebra.minus(self.tail(k, h, before), self.tail(k, h, high))

    def left_by_log(self, k: int, low: Term, high: Term) -> Series:
        """The sum of i^k log i less that of i^k (H_i - EulerGamma - 1/(2i)), k = 0, or of (H_i - EulerGamma)/i."""
        a, bounded = self.algebra, Series((), (ONE,))
        ends = [end for end in (low, high) if end not in (terms.ONE, OO)]
        left = [g for end in ends for g in loose(a.power(self.series(end), rational(-1)))]
        if k == 0 and low != terms.ONE:
            return a.made([], left)
        if k or not a.vanishes(self.rate):
            return bounded
        if self.rate.terms or self.rate.rest:
            self.decays()
            left += loose(a.times(self.rate, a.log(self.rate)))
        rests_on("DLMF 5.11.1")
        constant = a.constant(a.domain.value(terms.read("log(2*pi)/2 - EulerGamma/2 - 1/2")))
        return a.made(list(constant.terms), left)

    def size(self, m: Term) -> str:
        """Where L m tends, for an m that tends to infinity."""
        a, f = self.algebra, self.series(m)
        if not a.grows(f):
            raise Refused("the end of a sum is not seen to tend to infinity")
        return size(a, a.times(self.rate, f))

    def truncated(self, k: int, h: int, m: Term) -> Series:
        """The sum over 1 <= i <= m."""
        if self.size(m) != SMALL:
            return self.algebra.minus(self.infinite(k, h), self.tail(k, h, m))
        return self.expanded(lambda j: self.power_sum(k + j, h, m))

    def infinite(self, k: int, h: int) -> Series:
        """The sum over i >= 1.

        Raises:
            Refused: q is not seen to be below 1.
        """
        self.decays()
        return self._by_parts(k, h, (OO,), lambda k, h: Series(()) if k or h else self.q, self._infinite_base)

    def tail(self, k: int, h: int, m: Term) -> Series:
        """The sum over i > m."""
        kind = self.size(m)
        if kind == SMALL:
            return self.algebra.minus(self.infinite(k, h), self.truncated(k, h, m))
        a, after = self.algebra, self.at(add(m, terms.ONE))

        def edge(k: int, h: int) -> Series:
            found = a.times(after, a.power(self.series(m), rational(k)) if k else a.constant(rational(1)))
            return a.times(found, self._harmonic(m)) if h else found

        base = self._tail_far if kind == LARGE else self._tail_near
        return self._by_parts(k, h, (m,), edge, lambda h: base(h, m))

    # --- by parts -----------------------------------------------------------------------------------

    def _by_parts(
        self, k: int, h: int, which: tuple[Term, ...], edge: Callable[[int, int], Series], base: Callable[[int], Series]
    ) -> Series:
        """The sum of q^i i^k H_i^h, from those of q^i/i and q^i H_i/i; ``edge`` is what a difference leaves at the end."""
        a, key = self.algebra, (*which, k, h)
        if key in self.known:
            return self.known[key]
        if k == -1:
            found = base(h)
        else:
            found = edge(k, h)
            lower = [(comb(k, j) * (-1) ** (k - j + 1), j, h) for j in range(k)]
            lower += [(comb(k, j) * (-1) ** (k - j), j - 1, 0) for j in range(k + 1) if h]
            for c, j, g in lower:
                found = a.add(found, a.scaled(self._by_parts(j, g, which, edge, base), rational(c)))
            found = a.times(found, a.power(self._rest_of_q(), rational(-1)))
        self.known[key] = found
        return found

    def _infinite_base(self, h: int) -> Series:
        a, rest = self.algebra, self._rest_of_q()
        log = a.log(rest)
        if not h:
            return a.scaled(log, rational(-1))
        rests_on("DLMF 25.12.6")
        found = a.add(a.constant(a.domain.value(terms.read("pi^2/6"))), a.times(self.rate, log))
        found = a.add(found, a.scaled(a.times(log, log), rational(mpq(1, 2))))
        return self.algebra.minus(found, a.composed(lambda j: rational(mpq(1, j**2) if j else 0), rest))

    def _tail_far(self, h: int, m: Term) -> Series:
        """Where L m tends to infinity."""
        a, found = self.algebra, Series(())
        rest, over = a.power(self._rest_of_q(), rational(-1)), a.power(self.series(m), rational(-1))
        part = a.times(a.times(self.at(add(m, terms.ONE)), rest), over)
        for k in range(a.order):
            own = a.scaled(part, rational((-1) ** k * factorial(k)))
            if h:
                own = a.times(own, a.add(self._harmonic(m), a.constant(rational(-partial_harmonic(k)))))
            found = a.add(found, own)
            part = a.times(a.times(part, rest), a.power(self.series(add(m, number(-k - 1))), rational(-1)))
        left = loose(a.times(part, self._harmonic(m)) if h else part)
        return a.made(list(found.terms), [*found.rest, *left])

    def _tail_near(self, h: int, m: Term) -> Series:
        """Where L m tends to a positive constant."""
        rests_on("DLMF 2.10.1")
        a, f = self.algebra, self.series(m)
        over, x = a.power(f, rational(-1)), a.times(self.rate, f)
        at_end = a.times(self.at(m), over)  # q^m/m
        half = rational(mpq(1, 2))
        first = upper(a, 0, x)
        if h:
            gamma = a.constant(a.domain.value(GAMMA))
            found = a.add(upper(a, 1, x), a.times(self.algebra.minus(gamma, a.log(self.rate)), first))
            found = self.algebra.minus(found, a.scaled(a.times(at_end, a.add(a.log(f), gamma)), half))
            found = a.add(found, a.scaled(self.algebra.minus(at_end, a.times(self.rate, first)), half))
            rests_on("DLMF 5.11.2", "DLMF 5.4.14")
            left = a.times(a.times(at_end, a.log(f)), a.add(self.rate, over))
            return a.made(list(found.terms), [*found.rest, *loose(left)])
        found, most = self.algebra.minus(first, a.scaled(at_end, half)), 1 + a.order // 2
        for j in range(1, most + 1):
            derivative = Series(())  # - f^(2j-1)(m)
            for r in range(2 * j):
                part = a.times(a.power(self.rate, rational(2 * j - 1 - r)) if r < 2 * j - 1 else a.constant(rational(1)), at_end)
                for _ in range(r):
                    part = a.times(part, over)
                derivative = a.add(derivative, a.scaled(part, rational(comb(2 * j - 1, r) * factorial(r))))
            if j < most:
                found = a.add(found, a.scaled(derivative, rational(bernoulli(2 * j) / factorial(2 * j))))
        return a.made(list(found.terms), [*found.rest, *loose(derivative)])

    # --- sums without q -----------------------------------------------------------------------------

    def power_sum(self, k: int, h: int, m: Term) -> Series:
        """The sum of i^k H_i^h over 1 <= i <= m, k >= -1: for h > 0 it is H_m^h F(m) less the sum of F(j - 1)/j, h = 1, or of
        F(j - 1) (2 H_j/j - 1/j^2), h = 2 and k >= 0, over 1 <= j <= m, where F(m) is that for h = 0."""
        a, key = self.algebra, ("power", k, h, m)
        if key in self.known:
            return self.known[key]
        if k == -1:
            found = self._harmonic(m)
            if h:
                found = a.scaled(a.add(a.times(found, found), self._second_harmonic(m)), rational(mpq(1, 2)))
        else:
            f, polynomial = self.series(m), faulhaber(k)
            powers = (a.power(f, rational(d)) if d else a.constant(rational(1)) for d in range(len(polynomial)))
            found = a.total(a.scaled(x, rational(c)) for x, c in zip(powers, polynomial, strict=True))
            for _ in range(h):
                found = a.times(found, self._harmonic(m))
            for d, c in enumerate(polynomial) if h else ():
                c -= d == k  # F(j - 1) = F(j) - j^k
                step = self.power_sum(d - 1, 0, m) if h == 1 and c else Series(())
                if h == 2 and c:
                    squares = self.power_sum(d - 2, 0, m) if d else self._second_harmonic(m)
                    step = self.algebra.minus(a.scaled(self.power_sum(d - 1, 1, m), rational(2)), squares)
                found = self.algebra.minus(found, a.scaled(step, rational(c)))
        self.known[key] = found
        return found

    def _second_harmonic(self, m: Term) -> Series:
        """The sum of 1/i^2 over i <= m: pi^2/6 - sum_(j>=0) B_j/m^(j+1), B_1 = -1/2, by Euler and Maclaurin."""
        rests_on("DLMF 2.10.1", "DLMF 25.12.6")
        a = self.algebra
        below = a.in_reciprocal([mpq(0), *(bernoulli(j) for j in range(a.order + 1))], self.series(m))
        return self.algebra.minus(a.constant(a.domain.value(terms.read("pi^2/6"))), below)

    # --- parts --------------------------------------------------------------------------------------

    def _harmonic(self, m: Term) -> Series:
        return self.series(call("harmonic", m))

    def _rest_of_q(self) -> Series:
        return self.series(add(terms.ONE, negative(self.base)))


def faulhaber(k: int) -> list[mpq]:
    """The coefficients of the polynomial in m that is 1 + 2^k + ... + m^k, the constant one first.

    >>> [str(c) for c in faulhaber(2)]
    ['0', '1/6', '1/2', '1/3']
    """
    found = [mpq(0)] * (k + 2)
    for j in range(k + 1):
        found[k + 1 - j] = mpq((-1) ** j * comb(k + 1, j), k + 1) * bernoulli(j)
    return found
