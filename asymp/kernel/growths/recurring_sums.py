r"""Series of sums of a fixed f(k) with a rational ratio f(k + 1)/f(k) = r(k) (see rings/recurring), up to and from what tends
to infinity, by comparison with a difference:

* *tails*: let u - r u' = 1 + e, u' = u(k + 1), with f u -> 0.  Then f(k) (1 + e(k)) = f(k) u(k) - f(k + 1) u(k + 1), and

      sum_(k>=N) f(k) = f(N) u(N) - sum_(k>=N) f(k) e(k).

  With e = O(k^-p), where |r| -> q < 1 the last sum is O(f(N) N^-p); where r = +-(1 - s/k + O(1/k^2)), |f| is of the order of
  k^-s, and it is O(f(N) N^(1-p)) for s + p > 1;
* *to N, where |r| -> q > 1 or infinity*: let v - v'/r' = 1 + e, v' and r' at k - 1.  So the sum to N is f(N) v(N) +
  O(f(N) N^-p), as f(N) N^-p tends to infinity faster than a power of some number above 1; where r = 1 - s/k + O(1/k^2), s < 1,
  it is f(N) v(N) + O(1) for s + p > 1.

u and v are found by undetermined coefficients in powers of 1/k, and e is computed from what was found.  Where f alternates, and
N is not seen to be even or odd, only its size is told: O(f(N)).  (Bender and Orszag, Advanced Mathematical Methods, 5.3; Knopp,
Infinite Series, section 15.)

>>> from asymp.kernel.growths.expander import Expander
>>> from asymp.kernel.growths.growth import Domain
>>> e = Expander(Algebra(Domain(), 3), {"n": 0}, {}, frozenset({terms.name("n")}))
>>> found = e.series(terms.read("(Sum(1/k!, (k, 0, n)) - E)*(n + 1)!"))
>>> [(str(to_term(c)), str(to_term(g.powers[0][1])) if g.powers else "0") for c, g in found.terms]
[('-1', '0'), ('-1', '-1')]
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.growths.geometric_sums import in_range
from asymp.kernel.growths.growth import ONE, Growth, power_of
from asymp.kernel.growths.incomplete import loose
from asymp.kernel.growths.series import Algebra, Expands, Series
from asymp.kernel.rings.ratio import Ratio, rational
from asymp.kernel.rings.ratio import to_term as to_term
from asymp.kernel.rings.recurring import K, Step, counted, facts_of, step_of
from asymp.kernel.terms import Refused, Term, add, negative, number, power
from asymp.kernel.trust import rests_on

SCALE = -2
"""Of k, in series of functions of k alone: the place of no quantity of a regime."""
MOST_FIRST = 40


def series_of_recurring(e: Expands, term: Term) -> Series:
    """The series of a sum.

    Raises:
        Refused: its terms move otherwise, have no such ratio, or it is not seen to converge.
    """
    body, low, high = term.parts
    in_range(term, e.algebra, e.series, e.whole)
    f = terms.opened(body, K)
    if not e.constant(body):
        raise Refused("terms that move")
    known = _Tails(e, f, step_of(f, e.algebra.domain))
    rests_on(*facts_of(f))
    oo = terms.name("oo")
    if e.constant(low):
        return known.up_to(body, low, high)
    tail = known.tail(low)
    return tail if high == oo else e.algebra.minus(tail, known.tail(add(high, terms.ONE)))


@dataclass
class _Tails:
    """Sums of f."""

    expander: Expands
    f: Term
    step: Step

    def up_to(self, body: Term, low: Term, high: Term) -> Series:
        """From a number on: the sum to infinity less the tail; or the last terms, where they outweigh all."""
        a, start = self.expander.algebra, max(self.step.least, mpq(0))
        if not low.is_number or low.number.denominator != 1 or start - low.number > MOST_FIRST:
            raise Refused("a sum that begins at no number, or has a ratio that holds late")
        if self._converges():
            whole = Term("Sum", (body, low, terms.name("oo")))
            return a.minus(a.constant(a.domain.value(whole)), self.tail(add(high, terms.ONE)))
        for k in range(int(low.number), int(start)):
            a.domain.value(counted(terms.opened(body, number(k))))  # which are defined, and a constant
        found = self._at(-1, high)
        return a.made(list(found.terms), [*found.rest, ONE])

    def tail(self, low: Term) -> Series:
        """From what tends to infinity on."""
        if not self._converges():
            raise Refused("a sum that is not seen to converge")
        return self._at(1, low)

    def _at(self, way: int, n: Term) -> Series:
        """f(n) u(n) and what is left (way 1), or f(n) v(n) and that; only the size of these where f alternates."""
        e, a = self.expander, self.expander.algebra
        f, sign = _size(self.f, self.step.factor, a, n, e.whole)
        u, rest = self._solved(way)
        head, k = e.series(terms.substitute(f, {K.name: n})), e.series(n)
        if not a.grows(k):
            raise Refused("an end that is not seen to tend to infinity")
        body = a.total(a.scaled(a.power(k, rational(q)) if q else a.constant(rational(1)), c) for q, c in u.items())
        left = [g for q in rest for g in loose(a.power(k, rational(q)) if q else a.constant(rational(1)))]
        found = a.times(head, a.made(list(body.terms), [*body.rest, *left]))
        return a.scaled(found, rational(sign)) if sign else a.made([], loose(found))

    # --- where the ratio tends -------------------------------------------------------------------------

    def _side(self) -> int:
        """-1, 1 where |r| tends to what is below, above 1; 0 where it is 1.

        Raises:
            Refused: that is not seen.
        """
        if self.step.degree:
            return 1 if self.step.degree > 0 else -1
        x, domain = self.step.factor, self.expander.algebra.domain
        if x.constant() in (1, -1):
            return 0
        inside = [domain.of(rational(1) + rational(s) * x) for s in (1, -1)]
        if all(one == {1} for one in inside):
            return -1
        if {-1} in inside:
            return 1
        raise Refused("a ratio that may tend to 1")

    def _converges(self) -> bool:
        side = self._side()
        if side:
            return side < 0
        return self.step.decay > (1 if self.step.factor.constant() == 1 else 0)

    # --- by undetermined coefficients --------------------------------------------------------------------

    def _solved(self, way: int) -> tuple[dict[int, Ratio], list[mpq]]:
        """The coefficients of u (way 1) or v (way -1) by powers of k, and exponents of powers that the rest over f is O of."""
        a, side, s = self.expander.algebra, self._side(), self.step.decay
        ratio = self._ratio(way)
        flat = side == 0 and self.step.factor.constant() == 1
        if side == 0 and way < 0 and not flat:
            raise Refused("an alternating sum that diverges")
        limit = rational(0) if self.step.degree else self.step.factor if way > 0 else self.step.factor.inverse()
        u = dict[int, Ratio]()
        for _ in range(2 * a.order + 2):
            leads = _leading(self._error(u, ratio, way))
            if leads is None or (flat and way < 0 and s + leads[1] > 1):
                break
            c, p = leads
            if flat and s + p == 1:
                raise Refused("a sum that grows by a logarithm")
            # k^q - r (k + 1)^q = (s - q) k^(q-1) + ... where r = 1 - s/k + ..., and k^q - (k - 1)^q/r' = (q - s) k^(q-1) + ...
            q, gain = (1 - p, rational(way * (s + p - 1))) if flat else (-p, rational(1) - limit)
            u[q] = u.get(q, rational(0)) - c * gain.inverse()
        left = [-_exponent(g) for g in loose(self._error(u, ratio, way))]  # of k
        if side == 0 and not all(s - q > 1 for q in left):
            raise Refused("a remainder that is not bounded")
        return u, left if side else [q + 1 for q in left] if way > 0 else []  # to N, where |r| -> 1: O(1)

    def _error(self, u: dict[int, Ratio], ratio: Series, way: int) -> Series:
        """u - r u' - 1."""
        a, found = self.expander.algebra, Series(())
        for q, c in u.items():
            found = a.add(found, Series(((c, power_of(SCALE, 0, rational(q)) if q else ONE),)))
        return a.minus(a.minus(found, a.times(ratio, self._moved(u, way))), a.constant(rational(1)))

    def _moved(self, u: dict[int, Ratio], way: int) -> Series:
        """u(k + way)."""
        a, found = self.expander.algebra, Series(())
        for q, c in u.items():
            found = a.add(found, a.scaled(self._power(mpq(way), q), c))
        return found

    def _ratio(self, way: int) -> Series:
        """r(k) (way 1), or 1/r(k - 1)."""
        a, shift = self.expander.algebra, mpq(min(way, 0))
        found = a.constant(self.step.factor if way > 0 else self.step.factor.inverse())
        for b, e in self.step.shifts.items():
            found = a.times(found, self._power(b + shift, e * way))
        return found

    def _power(self, b: mpq, e: int) -> Series:
        """(k + b)^e, as a function of k."""
        a, k = self.expander.algebra, Series(((rational(1), power_of(SCALE, 0)),))
        return a.power(a.add(k, a.constant(rational(b))), rational(e)) if e else a.constant(rational(1))


def _exponent(g: Growth) -> mpq:
    """p, where a growth is k^-p.

    Raises:
        Refused: it is no such power.
    """
    c = g.powers[0][1].constant() if g.powers else mpq(0)
    if g.exponent or c is None or any(place != (SCALE, 0) for place, _ in g.powers):
        raise Refused("an error that is no power")
    return -c


def _leading(error: Series) -> tuple[Ratio, int] | None:
    """The largest term, c and p of c k^-p; None where the remainder is as large, or there is none."""
    rest = min((_exponent(g) for g in error.rest), default=None)
    c, p = min(((c, _exponent(g)) for c, g in error.terms), key=lambda one: one[1], default=(None, mpq(0)))
    if c is None or (rest is not None and rest <= p):
        return None
    if p.denominator != 1:
        raise Refused("an error of another order")
    return c, int(p)


def _size(f: Term, x: Ratio, a: Algebra, n: Term, whole: AbstractSet[Term]) -> tuple[Term, int]:
    """g with g = f or g = -f at n, and which; 0 where that is not seen and f alternates.

    Raises:
        Refused: x has no sign that is seen.
    """
    told = a.domain.sign(x)
    if told not in (1, -1):
        raise Refused("a ratio of a sign that is not seen")
    if told == 1:
        return f, 1
    found, sign = [], 1
    for part in f.parts if f.head == "product" else (f,):
        if part.head == "power" and K.name in part.parts[1].free and a.domain.sign(a.domain.value(part.parts[0])) == -1:
            odd = parity(terms.substitute(part.parts[1], {K.name: n}), whole)
            sign = 0 if odd is None else sign * (-1) ** odd
            part = power(negative(part.parts[0]), part.parts[1])
        found.append(part)
    return terms.multiply(*found), sign


def parity(term: Term, whole: AbstractSet[Term]) -> int | None:
    """Whether a whole number is odd; None where that is not seen, or that it is whole.

    >>> n = terms.name("n")
    >>> [parity(terms.read(t), {n}) for t in ("2*n + 1", "4*n + 6", "n", "2*x", "(2*n + 1)*3", "n*(2*n + 2)", "n/2")]
    [1, 0, None, None, 1, 0, None]
    """
    if term.is_number and term.number.denominator == 1:
        return int(term.number) % 2
    if term.head not in ("sum", "product"):
        return None
    found = [parity(part, whole) for part in term.parts]
    if term.head == "sum":
        return None if None in found else sum(one or 0 for one in found) % 2
    unseen = [part for part, one in zip(term.parts, found, strict=True) if one is None]
    if not all(part in whole for part in unseen):
        return None
    return 0 if 0 in found else None if unseen else 1
