"""Series of integrals of q^t t^k, q^t t^k log t and q^t t^k harmonic(t) over low <= t <= high, k >= -1, 0 < q < 1 or q = 1, and
of linear combinations of them with coefficients that are free of t.  With q = e^(-L), from x on, h = 0 or 1,

    int_x^oo q^t (log t)^h/t dt = Gamma^(h)(0, L x) - h log L Gamma(0, L x)

(t = s/L), and by parts, for k >= 0,

    L int_x^oo q^t t^k (log t)^h dt = q^x x^k (log x)^h + int_x^oo q^t (k t^(k-1) (log t)^h + h t^(k-1)) dt.

Where L high -> 0, by Taylor's series of e^(-L t) (see weights).  An integral of t^k harmonic(t), k <= 0, is that of
t^k (log t + EulerGamma + 1/(2t)), up to that of O(t^(k-2)), which is O(1) from 1 on.
"""

from __future__ import annotations

from collections.abc import Callable

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.growths.growth import ONE
from asymp.kernel.growths.incomplete import SMALL, size, upper
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.growths.summands import OO, I, summands, without
from asymp.kernel.growths.weights import Weight
from asymp.kernel.rings.ratio import rational
from asymp.kernel.terms import Refused, Term, add, call, negative, number


def series_of_integral(term: Term, a: Algebra, series: Callable[[Term], Series]) -> Series:
    """The series of an integral.

    Raises:
        Refused: it is not seen to be defined, or has none here.
    """
    body, low, high = term.parts
    if low == terms.ZERO:
        series(terms.opened(body, low))  # which is defined there: no logarithm, and no division by t
    elif low != terms.ONE and a.below(series(add(low, number(-1))))[0] != 1:
        raise Refused("an integral that is not seen to begin at 0, or at 1 or later")
    if high != OO and a.below(series(add(high, negative(low))))[0] != 1:
        raise Refused("an integral that is not seen to run forwards")
    parts = summands(terms.opened(body, I))
    own = {base: Continuous(a, series, base) for base in {one.base: None for one in parts}}
    found = Series(())
    for one in parts:
        total = Series(())
        for factor, k, h in without(one, log=False):
            total = a.add(total, a.scaled(own[one.base].between(k, h, low, high), a.domain.value(factor)))
        if one.harmonic:
            total = a.made(list(total.terms), [*total.rest, ONE])
        found = a.add(found, a.times(series(one.coefficient), total))
    return found


class Continuous(Weight):
    """Integrals of q^t t^k (log t)^h for one q."""

    def between(self, k: int, h: int, low: Term, high: Term) -> Series:
        """The integral over low <= t <= high, where low is 0, or 1 or more.

        Raises:
            Refused: where the ends tend is not seen, or it may not converge.
        """
        if high == OO:
            return self.tail(k, h, low)
        if size(self.algebra, self.algebra.times(self.rate, self.series(high))) == SMALL:
            return self.expanded(lambda j: self.algebra.minus(self._moment(k + j, h, high), self._moment(k + j, h, low)))
        return self.algebra.minus(self.tail(k, h, low), self.tail(k, h, high))

    def tail(self, k: int, h: int, x: Term) -> Series:
        """The integral over t >= x."""
        self.decays()
        a, key = self.algebra, (k, h, x)
        if key in self.known:
            return self.known[key]
        if k == -1:
            at = a.times(self.rate, self.series(x))
            found = upper(a, h, at)
            found = self.algebra.minus(found, a.times(a.log(self.rate), upper(a, 0, at))) if h else found
        else:
            found = a.times(self.at(x), self._product(k, h, x))
            found = a.add(found, a.scaled(self.tail(k - 1, h, x), rational(k))) if k else found
            found = a.add(found, self.tail(k - 1, 0, x)) if h else found
            found = a.times(found, a.power(self.rate, rational(-1)))
        self.known[key] = found
        return found

    def _moment(self, k: int, h: int, x: Term) -> Series:
        """An antiderivative of t^k (log t)^h at x."""
        a = self.algebra
        if k == -1:
            return a.scaled(self._product(0, h + 1, x), rational(mpq(1, h + 1)))
        found = a.scaled(self._product(k + 1, h, x), rational(mpq(1, k + 1)))
        return self.algebra.minus(found, a.scaled(self._product(k + 1, 0, x), rational(mpq(1, (k + 1) ** 2)))) if h else found

    def _product(self, k: int, h: int, x: Term) -> Series:
        """x^k (log x)^h."""
        a = self.algebra
        found = self.series(terms.power(x, number(k))) if k else a.constant(rational(1))
        for _ in range(h):
            found = a.times(found, self.series(call("log", x)))
        return found
