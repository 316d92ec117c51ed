r"""Series of sums of roundings, c(k) floor(u(k)) and c(k) ceiling(u(k)), where |c(k)| is a power of k.

In general each rounding is what is rounded, up to 1: the sum is that of c u, up to the sum of |c|.  What stands far to the right
of that is known of two kinds.

*Lattice points*, floor(x/k^b) for a whole b >= 1, x tending to infinity, k from 1 to X = x^(1/b) at least (beyond it is 0).
With 0 <= floor <= x/k^b, and the sums of powers of Euler and Maclaurin (DLMF 2.10.1), sum_(k<=y) k^e = zeta(-e) + y^(e+1)/(e+1) +
O(y^e) for e != -1, and log y + EulerGamma + O(1/y):

- sum_k floor(x/k^b) is the number of pairs k, m >= 1 with k^b m <= x.  Those with k <= y, and those with m <= y, y = x^(1/(b+1)),
  hold all of them, and both holds floor(y)^2 (Dirichlet's hyperbola), so that it is

      sum_(k<=y) floor(x/k^b) + sum_(m<=y) floor((x/m)^(1/b)) - floor(y)^2.

  Without the roundings, up to O(y), this is zeta(b) x + zeta(1/b) x^(1/b) for b >= 2, as the parts in y^2 cancel, and
  x log x + (2 EulerGamma - 1) x for b = 1; what is left of all is O(y).
- sum_k k^s floor(x/k), s > 0, is the sum over m <= x of sum_(k<=x/m) k^s = (x/m)^(s+1)/(s+1) + O((x/m)^s):
  zeta(s+1)/(s+1) x^(s+1) + O(x^s + x), with O(x log x) for s = 1.
- sum_k floor(x/k)/k = pi^2 x/6 - log(x)/2 + O((log x)^(2/3)) (Walfisz 1963, chapter 3: it is the sum over m <= x of the sum of
  1/d, d | m; x is no whole number, either, as all but pi^2 x/6 changes by O(1)).
- sum_k k^s floor(x/k^b), s < b - 1: term by term up to X, zeta(b-s) x + O(X^(s+1) + 1), with O(log x) for s = -1.

With (-1)^k it is twice the sum over even k, less that over all k.  For whole x, ceiling(x/k^b) = 1 + floor((x - 1)/k^b).

*Roots*, floor(k^(1/q)) for a whole q >= 2 and k from 0 or 1 to N: m <= floor(k^(1/q)) says k >= m^q, so that it is
M (N + 1) - (1^q + ... + M^q), M = floor(N^(1/q)).  With M + t for M, 0 <= t < 1, this has a derivative of N - M^q + O(M^(q-1)) =
O(N^(1-1/q)) in t (the sum of powers by its polynomial), so that it is, with M + t = N^(1/q),

    q/(q+1) N^(1+1/q) - N/2 + O(N^(1-1/q)).

*Curves*: (x - k^a)^p, a, p > 0, falls from k = 0 to x^(1/a), so that its sum up to there is the integral, up to the first value:
x^(p + 1/a) B(1/a, p + 1)/a + O(x^p) (DLMF 5.12.1).

>>> from asymp.kernel.growths.expander import Expander
>>> from asymp.kernel.growths.growth import Domain
>>> e = Expander(Algebra(Domain(), 3), {"n": 0}, {}, frozenset({terms.name("n")}))
>>> [str(to_term(c)) for c, _ in e.series(terms.read("Sum(floor(n/k^2), (k, 1, n))")).terms]
['1/6*pi^2', 'zeta(1/2)']
>>> [str(to_term(c)) for c, _ in e.series(terms.read("Sum((-1)^k*floor(n/k), (k, 1, n))")).terms]
['-log(2)']
"""

from __future__ import annotations

from collections.abc import Sequence

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.growths.geometric_sums import FIRST, in_range
from asymp.kernel.growths.geometric_sums import _is_whole as is_whole
from asymp.kernel.growths.incomplete import loose
from asymp.kernel.growths.powers import monomials
from asymp.kernel.growths.pulled import total
from asymp.kernel.growths.series import Algebra as Algebra
from asymp.kernel.growths.series import Expands, Series
from asymp.kernel.growths.summands import GAMMA, INDEX, MOST_PARTS, OO, I
from asymp.kernel.rings.ratio import rational
from asymp.kernel.rings.ratio import to_term as to_term
from asymp.kernel.terms import ONE, Refused, Term, add, call, multiply, negative, number, power
from asymp.kernel.trust import rests_on

ROUNDINGS = frozenset(("floor", "ceiling"))
HALF = mpq(1, 2)


def rounds(term: Term) -> bool:
    """Whether something that moves with the index is rounded in the terms of a sum."""
    return any(part.head in ROUNDINGS for part in terms.walk(term.parts[0])) and _rounds(terms.opened(term.parts[0], I))


def series_of_rounded(e: Expands, term: Term) -> Series:
    """The series of a sum with roundings in its terms.

    Raises:
        Refused: it is not seen to be defined, or has none here.
    """
    body, (_, low, high) = terms.opened(term.parts[0], I), term.parts
    in_range(term, e.algebra, e.series, e.whole)
    parts = (_Rounded(e, low, high).of(x) if _rounds(x) else e.series(total(x, low, high)) for x in _apart(body))
    return e.algebra.total(parts)


def _rounds(term: Term) -> bool:
    """Whether what is rounded in it moves with the index."""
    return any(part.head in ROUNDINGS and INDEX in part.free for part in terms.walk(term))


def _apart(body: Term) -> list[Term]:
    """Its summands, each with one rounding or none as a factor."""
    if body.head == "sum":
        found = [one for part in body.parts for one in _apart(part)]
    elif body.head == "product" and (inner := next((f for f in body.parts if f.head == "sum" and _rounds(f)), None)):
        others = [f for f in body.parts if f is not inner]
        found = [one for part in inner.parts for one in _apart(multiply(*others, part))]
    else:
        found = [body]
    if len(found) > MOST_PARTS:
        raise Refused("a summand of too many parts")
    return found


class _Rounded:
    """The sum from ``low`` to ``high`` of one product with a rounding."""

    def __init__(self, e: Expands, low: Term, high: Term) -> None:
        self.e, self.low, self.high = e, low, high

    def of(self, product: Term) -> Series:
        """Its series."""
        factors = product.parts if product.head == "product" else (product,)
        roundings = [f for f in factors if f.head in ROUNDINGS and _rounds(f)]
        others = [f for f in factors if f not in roundings]
        if len(roundings) != 1 or any(map(_rounds, others)):
            raise Refused("a product of roundings, or a function of one")
        (rounding,) = roundings
        c, s, alternates = _weight(others)
        for way in (self._lattice, self._roots):
            if (found := way(rounding, s, alternates)) is not None:
                return self.e.algebra.times(self.e.series(c), found)
        exact = None if s or alternates else self._below_a_curve(rounding.parts[0])
        if exact is None:
            exact = self.e.series(total(multiply(*others, rounding.parts[0]), self.low, self.high))
        else:
            exact = self.e.algebra.times(self.e.series(c), exact)
        count = self.e.series(total(power(I, number(s)) if s else ONE, self.low, self.high))
        size = self.e.algebra.times(self.e.series(c), count)
        return self.e.algebra.made(list(exact.terms), [*exact.rest, *loose(size)])

    # --- lattice points ----------------------------------------------------------------------------------

    def _lattice(self, rounding: Term, s: mpq, alternates: bool) -> Series | None:
        """Of k^s floor(x/k^b), with (-1)^k or without; None where it is another sum."""
        e, a = self.e, self.e.algebra
        if (form := _monomial(rounding.parts[0])) is None:
            return None
        x, b = form[0], -form[1]
        if b.denominator != 1 or b < 1 or e.constant(x) or not self.low.is_number or not 1 <= self.low.number <= FIRST:
            return None
        ones = Series(())
        if rounding.head == "ceiling":
            if not is_whole(x, e.whole):
                return None
            weight = [power(number(-1), I) if alternates else ONE, power(I, number(s)) if s else ONE]
            ones = e.series(total(multiply(*weight), self.low, self.high))
            x = add(x, number(-1))
        if not self._tends(x) or not self._reaches(x, b):
            return None
        found = self._all(x, b, s)
        if alternates:
            even = self._all(multiply(x, number(mpq(1, 2 ** int(b)))), b, s)
            twice = e.series(power(number(2), number(s + 1)))
            found = a.minus(a.times(twice, even), found)
        for j in range(1, int(self.low.number)):  # which are left out, each up to 1
            size = multiply(number((-1) ** j if alternates else 1), power(number(j), number(s - b)), x)
            found = a.minus(found, e.series(add(size)))
            found = a.made(list(found.terms), [*found.rest, *loose(a.constant(rational(1)))])
        return a.add(ones, found)

    def _tends(self, x: Term) -> bool:
        """Whether x is seen to tend to infinity."""
        f = self.e.series(x)
        try:
            return self.e.algebra.grows(f)
        except Refused:
            return False

    def _reaches(self, x: Term, b: mpq) -> bool:
        """Whether floor(x/k^b) is 0 for all k beyond the sum: high >= floor(x^(1/b))."""
        if self.high == OO:
            return True
        root = power(x, number(1 / b))
        return any(self._is_above(end, root) for end in (self.high, *(self.high.parts if self.high.head == "floor" else ())))

    def _is_above(self, end: Term, least: Term) -> bool:
        """Whether the one is seen not to be below the other, in the end."""
        try:
            gap = self.e.series(add(end, negative(least)))
            return gap.is_zero or self.e.algebra.below(gap)[0] == 1
        except Refused:
            return False

    def _all(self, x: Term, b: mpq, s: mpq) -> Series:
        """The sum over all k >= 1 of k^s floor(x/k^b)."""
        rests_on("DLMF 2.10.1")
        if s == 0 and b == 1:
            kept = [multiply(x, call("log", x)), multiply(add(multiply(number(2), GAMMA), number(-1)), x)]
            return self._made(kept, [power(x, number(HALF))])
        if s == 0:
            kept = [multiply(call("zeta", number(b)), x), multiply(call("zeta", number(1 / b)), power(x, number(1 / b)))]
            return self._made(kept, [power(x, number(1 / (b + 1)))])
        if b == 1 and s == -1:
            rests_on("Walfisz 1963, chapter 3")
            log = call("log", x)
            kept = [multiply(call("zeta", number(2)), x), multiply(number(-HALF), log)]
            return self._made(kept, [power(log, number(mpq(2, 3)))])
        if b == 1 and s > 0:
            kept = [multiply(number(1 / (s + 1)), call("zeta", number(s + 1)), power(x, number(s + 1)))]
            return self._made(kept, [multiply(x, call("log", x))] if s == 1 else [power(x, number(s)), x])
        if s < b - 1:
            rest = [call("log", x)] if s == -1 else [power(x, number((s + 1) / b)), ONE]
            return self._made([multiply(call("zeta", number(b - s)), x)], rest)
        raise Refused("lattice points with a weight that grows")

    def _made(self, kept: Sequence[Term], rest: Sequence[Term]) -> Series:
        found = self.e.series(add(*kept))
        return self.e.algebra.made(list(found.terms), [*found.rest, *(g for one in rest for g in loose(self.e.series(one)))])

    # --- roots -------------------------------------------------------------------------------------------

    def _roots(self, rounding: Term, s: mpq, alternates: bool) -> Series | None:
        """Of floor(k^(1/q)); None where it is another sum."""
        if rounding.head != "floor" or s or alternates or self.low not in (terms.ZERO, ONE) or self.high == OO:
            return None
        form = _monomial(rounding.parts[0])
        if form is None or form[0] != ONE or form[1].numerator != 1 or form[1] >= 1 or not self._tends(self.high):
            return None
        rests_on("DLMF 2.10.1")
        e, n = form[1], self.high
        kept = [multiply(number(1 / (1 + e)), power(n, number(1 + e))), multiply(number(-HALF), n)]
        return self._made(kept, [power(n, number(1 - e))])


    # --- curves ------------------------------------------------------------------------------------------

    def _below_a_curve(self, term: Term) -> Series | None:
        """The sum of (x - k^a)^p, without roundings; None where it is another."""
        if term.head != "power" or term.parts[0].head != "sum" or not term.parts[1].is_number or term.parts[1].number <= 0:
            return None
        moving = [part for part in term.parts[0].parts if INDEX in part.free]
        form = _monomial(moving[0]) if len(moving) == 1 else None
        x, p = add(*(part for part in term.parts[0].parts if INDEX not in part.free)), term.parts[1].number
        if form is None or form[0] != number(-1) or form[1] <= 0:
            return None
        if self.low not in (terms.ZERO, ONE) or self.high.head != "floor":
            return None
        a, end = form[1], self.high.parts[0]
        root = power(x, number(1 / a))
        if not self._tends(x) or not (self._is_above(end, root) and self._is_above(root, end)):
            return None
        rests_on("DLMF 5.12.1")
        gammas = [(1 / a, 1), (p + 1, 1), (1 / a + p + 1, -1)]
        beta = multiply(*(power(call("gamma", number(v)), number(way)) for v, way in gammas))
        return self._made([multiply(number(1 / a), beta, power(x, number(p + 1 / a)))], [power(x, number(p))])


def _monomial(term: Term) -> tuple[Term, mpq] | None:
    """c and e of c k^e, with c free of k."""
    try:
        found = monomials(term)
    except Refused:
        return None
    return (found[0][0], found[0][1]) if len(found) == 1 and not found[0][2] else None


def _weight(factors: Sequence[Term]) -> tuple[Term, mpq, bool]:
    """c, s and whether (-1)^k is a factor, of c k^s.

    Raises:
        Refused: it is another weight.
    """
    plain, alternates = [], False
    for factor in factors:
        if factor.head == "power" and factor.parts[0] == number(-1) and INDEX in factor.free:
            parts = [*factor.parts[1].parts] if factor.parts[1].head == "sum" else [factor.parts[1]]
            shift = add(*(part for part in parts if part != I))
            if parts.count(I) != 1 or not shift.is_number or shift.number.denominator != 1 or alternates:
                raise Refused("a weight that alternates otherwise")
            alternates = True
            plain.append(number(-1 if shift.number % 2 else 1))
        else:
            plain.append(factor)
    if (form := _monomial(multiply(*plain))) is None:
        raise Refused("a weight that is no power of the index")
    return form[0], form[1], alternates
