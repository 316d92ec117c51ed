r"""Sums of which each term has a limit, dominated by a series: their limit is the sum of the limits.

.. math:: S = \sum_{a\le k\le b} c(k)\, z^k \binom{N}{k}^{j} \prod_i (1 - x_i k)^{m_i},

where c(k) does not move, N, b and the m_i tend to infinity (or m_i >= 1 stays), b <= N, 0 <= x_i k <= 1 for all k, and

    Z = z N^j exp(-sum x_i m_i) -> y > 0.

**Theorem** (Tannery 1886; Bromwich, Infinite Series, 49).  If sum |c(k)| r^k/k!^j converges for an r > y, then for each K

.. math:: S = \sum_{k\ge a} c(k) \frac{y^k}{k!^j} + O(|Z - y| + 1/N + \sum_i x_i^2 m_i + b^{-K}).

*Proof.*  N (N - 1) ... (N - k + 1) lies between N^k (1 - k^2/N) and N^k, and (1 - x k)^m between exp(-m x k) (1 - m x^2 k^2) and
exp(-m x k), as (1 - t) e^t >= 1 - t^2 and (1 - t^2)^m >= 1 - m t^2 for 0 <= t <= 1, m >= 1.  So each term is c(k) Z^k/k!^j times
1 - O(k^2 (1/N + sum x_i^2 m_i)), and with r > r' > y, from some point on Z < r', the sum of k^K |c(k)| Z^k/k!^j is bounded; that
bounds the terms beyond b, too, with b^(-K).  The sum is analytic in Z for |Z| < r.  ∎

A sum may be read from its end: (k/n)^n is (1 - j/n)^n for j = n - k.

>>> from asymp.kernel.growths.expander import Expander
>>> from asymp.kernel.growths.growth import Domain
>>> e = Expander(Algebra(Domain(), 2), {"n": 0}, {}, frozenset({terms.name("n")}))
>>> found = series_of_dominated(e, terms.read("Sum((k/n)^n, (k, 1, n))"))
>>> [str(to_term(c)) for c, _ in found.terms], len(found.rest)
(['E*(E - 1)^(-1)'], 1)
"""

from __future__ import annotations

from gmpy2 import mpq as mpq

from asymp.kernel import terms
from asymp.kernel.growths.geometric_sums import in_range
from asymp.kernel.growths.growth import ONE, Growth
from asymp.kernel.growths.incomplete import loose
from asymp.kernel.growths.pulled import reversed_sum
from asymp.kernel.growths.series import Algebra as Algebra
from asymp.kernel.growths.series import Expands, Series
from asymp.kernel.growths.summands import INDEX, OO, I
from asymp.kernel.rings.hypergeometric import total_of
from asymp.kernel.rings.ratio import Ratio, rational
from asymp.kernel.rings.ratio import to_term as to_term
from asymp.kernel.rings.recurring import step_of, straight
from asymp.kernel.summation.generalised import bound
from asymp.kernel.terms import Refused, Term, add, call, first, multiply, negative, number, power, reciprocal

MOST_POWER = 6


def series_of_dominated(e: Expands, term: Term) -> Series:
    """The series of a sum: its limit, and the order of what is left.

    Raises:
        Refused: it is another sum, or that is not seen.
    """
    in_range(term, e.algebra, e.series, e.whole)
    ways = [lambda: _Dominated(e, term).series()]
    if term.parts[2] != OO:
        ways.append(lambda: _Dominated(e, reversed_sum(term)).series())
    return first(ways, told_by=0)


class _Dominated:
    """One sum, whose factors are read."""

    def __init__(self, e: Expands, term: Term) -> None:
        self.e = e
        body, self.low, self.high = term.parts
        self.outside: list[Term] = []
        self.still: list[Term] = []
        self.rates: list[Term] = []
        self.counts: list[Term] = []
        self.left: list[Term] = []
        """What is left is O of these."""
        if not self.low.is_number or self.low.number < 0 or INDEX in term.free:
            raise Refused("a sum that begins at no number")
        self._read(terms.opened(body, I), 1)

    def _read(self, term: Term, k: int) -> None:
        """term^k, where k is 1 or -1."""
        if INDEX not in term.free:
            self.outside.append(power(term, number(k)))
        elif self.e.constant(term):
            self.still.append(power(term, number(k)))
        elif term.head == "product":
            for part in term.parts:
                self._read(part, k)
        elif term.head == "binomial" and k == 1 and term.parts[1] == I:
            self.counts.append(term.parts[0])
        elif term.head == "power" and term.parts[1].is_number and term.parts[1].number == -1:
            self._read(term.parts[0], -k)
        elif term.head == "power" and INDEX not in term.parts[0].free:
            slope, rest = straight(term.parts[1])
            self.rates.append(power(term.parts[0], multiply(number(k), slope)))
            self.outside.append(power(term.parts[0], multiply(number(k), rest)))
        elif term.head == "power" and INDEX not in term.parts[1].free and k == 1:
            self._falling(*term.parts)
        else:
            self._falling(term, number(k))

    def _falling(self, base: Term, m: Term) -> None:
        """(1 - x k)^m, times what is free of k."""
        slope, rest = straight(base)
        x = negative(multiply(slope, reciprocal(rest)))
        if self._sign(rest) != 1 or self._sign(x) != 1:
            raise Refused("a factor that is not seen to fall from what is positive")
        if self.high == OO or self._sign(add(terms.ONE, negative(multiply(x, self.high)))) < 0:
            raise Refused("a factor that may be negative in the range")
        if self._sign(add(m, number(-1))) < 0:
            raise Refused("an exponent that may be below 1")
        self.outside.append(power(rest, m))
        self.rates.append(call("exp", negative(multiply(x, m))))
        self.left.append(multiply(x, x, m))

    def _sign(self, term: Term) -> int:
        f = self.e.series(term)
        return 0 if f.is_zero else self.e.algebra.below(f)[0]

    def series(self) -> Series:
        """The limit and the order of what is left."""
        e, a = self.e, self.e.algebra
        if not (self.counts or self.left) or len(self.counts) > MOST_POWER:
            raise Refused("no factors that are dominated")
        if self.high != OO and not a.grows(e.series(self.high)):
            raise Refused("a sum that is not seen to grow long")
        for count in self.counts:
            if self.high == OO or not a.grows(e.series(count)) or self._sign(add(count, negative(self.high))) < 0:
                raise Refused("a binomial that is not seen to be one of many")
            self.left.append(reciprocal(count))
        rate = e.series(multiply(*self.rates, *self.counts))
        y = next((c for c, g in rate.terms if g.same(ONE)), rational(0))
        gap = a.add(rate, a.constant(-y))
        small = [gap, *map(e.series, self.left)]
        if self.high != OO:
            small.append(a.power(e.series(self.high), rational(-a.order - 1)))
        if a.domain.sign(y) != 1 or not all(map(a.vanishes, small)):
            raise Refused("terms that are not seen to tend to what is positive")
        found = a.constant(self._total(y))
        rest: list[Growth] = [g for one in small for g in loose(one)]
        return a.times(e.series(multiply(*self.outside)), a.made(list(found.terms), rest))

    def _total(self, y: Ratio) -> Ratio:
        """The sum of the limits, where it converges for what is larger than y, too.

        Raises:
            Refused: that is not seen, or no value is known.
        """
        domain = self.e.algebra.domain
        below = [reciprocal(call("factorial", I))] * len(self.counts)
        body = multiply(*self.still, power(to_term(y), I), *below)
        step = step_of(body, domain)
        sides = [domain.of(rational(1) + rational(s) * step.factor) for s in (1, -1)]
        if step.degree > 0 or (step.degree == 0 and not all(side == {1} for side in sides)):
            raise Refused("a sum that is not seen to converge for what is larger, too")
        total = Term("Sum", (bound(body, INDEX), self.low, OO))
        try:
            return domain.value(total)
        except Refused:
            return total_of(total, domain)
