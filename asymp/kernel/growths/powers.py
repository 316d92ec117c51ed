"""Series of sums of i^e log(i)^h over whole i, for rational e, with coefficients that are free of i.

For e other than -1, and for whole numbers 1 <= l <= h + 1,

    l^e + (l + 1)^e + ... + h^e = zeta(-e, l) - zeta(-e, h + 1)                          (DLMF 25.11.4),

where zeta(-e, l) = zeta(-e) - 1^e - ... - (l - 1)^e for a number l, and for e < -1 an endless sum is zeta(-e, l) alone (25.11.1);
where what a sum begins or ends with tends to infinity, zeta(s, x) has its series there.  The sum of log i is that of
log Gamma(i + 1) - log Gamma(i); other powers with logarithms have the sums of :mod:`asymp.kernel.growths.logarithmic_sums`.

A summand in c + i or c - i is one in j, which is that.  With u and v of this form, 1/(u v) = (1/u - 1/v)/(v - u), or
(1/u + 1/v)/(u + v), where i goes out.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.growths import logarithmic_sums
from asymp.kernel.growths.geometric_sums import FIRST, Geometric, in_range
from asymp.kernel.growths.growth import ONE
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.growths.summands import INDEX, MOST_POWER, OO, I, few
from asymp.kernel.rings.ratio import number_power, rational
from asymp.kernel.rings.recurring import unit
from asymp.kernel.summation.generalised import replaced
from asymp.kernel.terms import Refused, Term, add, call, multiply, negative, number, power
from asymp.kernel.trust import rests_on

MOST_DEGREE = 40
MOST_LOGS = 6
PART = terms.name("@part")
Monomial = tuple[Term, mpq, int]
"""A coefficient, and the exponents of i and of log i."""


def series_of_powers(
    term: Term, a: Algebra, series: Callable[[Term], Series], whole: AbstractSet[Term], zeta: Callable[[mpq, Term], Series]
) -> Series:
    """The series of a sum.

    Args:
        term: the sum.
        a: the algebra.
        series: of a term.
        whole: terms that are whole numbers.
        zeta: of zeta(s, x), x a term that tends to infinity.

    Raises:
        Refused: it is not seen to be defined, or has none here.
    """
    opened, (_, low, high) = terms.opened(term.parts[0], I), term.parts
    in_range(term, a, series, whole)
    total, known = Series(()), Powers(a, series, zeta)
    for one in opened.parts if opened.head == "sum" else (opened,):
        for body, first, last in turned(one, low, high, lambda x: a.below(series(x))[0] == 1):
            total = a.add(total, known.of(monomials(body), known.end(first), known.end(last)))
    return total


@dataclass
class Powers:
    """Sums of monomials: see :func:`series_of_powers`."""

    algebra: Algebra
    series: Callable[[Term], Series]
    zeta: Callable[[mpq, Term], Series]

    def end(self, term: Term) -> Term:
        """An end of a sum; a number where it is one."""
        f = Series(()) if term == OO else self.series(term)
        c = f.terms[0][0].constant() if len(f.terms) == 1 and f.terms[0][1].same(ONE) else None if f.terms else mpq(0)
        return term if term == OO or f.rest or c is None else number(c)

    def of(self, parts: list[Monomial], low: Term, high: Term) -> Series:
        """The sum of these from ``low`` to ``high``."""
        a, series, zeta = self.algebra, self.series, self.zeta
        if low.is_number and not (1 <= low.number <= FIRST and low.number.denominator == 1):
            raise Refused("a sum of powers that begins before 1, or late")
        found, exact = Series(()), Geometric(a, series, terms.ONE)
        for c, e, h in parts:
            if h:
                total = _logs(low, high, series) if not e and h == 1 else self._with_logs(e, h, low, high)
            elif e.denominator == 1 and -1 <= e <= MOST_DEGREE:
                total = exact.between(int(e), 0, terms.ONE if low.is_number else low, high)
                if low.is_number:
                    less = sum((number_power(mpq(k), int(e)) for k in range(1, int(low.number))), mpq(0))
                    total = a.add(total, a.constant(rational(-less)))
            else:
                total = a.add(_from(low, e, a, zeta), _after(high, e, a, zeta))
            found = a.add(found, a.times(series(c), total))
        return found


    def _with_logs(self, e: mpq, h: int, low: Term, high: Term) -> Series:
        """The sum of i^e log(i)^h."""
        a = self.algebra
        if high == OO and e >= -1:
            raise Refused("a sum that diverges")
        if high != OO and high.is_number:
            raise Refused("a sum of few terms")
        found = Series(()) if high == OO else logarithmic_sums.partial(e, h, high, a, self.series)
        if not low.is_number:
            before = logarithmic_sums.partial(e, h, add(low, number(-1)), a, self.series)
            return a.minus(found, before)
        numbers = map(number, range(2, int(low.number)))
        logs = (multiply(power(k, number(e)), power(call("log", k), number(h))) for k in numbers)
        first = add(logarithmic_sums.constant(e, h), *map(negative, logs))
        return a.add(found, a.constant(a.domain.value(first)))


Range = tuple[Term, Term, Term]
"""A summand in the index, and where the sum begins and ends."""


def turned(body: Term, low: Term, high: Term, positive: Callable[[Term], bool], depth: int = 0) -> list[Range]:
    """Sums that add up to one of a product, in which c + i or c - i is the index, up to its sign.

    >>> body, n = terms.opened(terms.read("Sum(1/(i*(n - i)), (i, 1, n - 1))").parts[0], I), terms.name("n")
    >>> [str(one) for one, _, _ in turned(body, terms.ONE, add(n, number(-1)), lambda x: True)]
    ['@^(-1)*n^(-1)', '@^(-1)*n^(-1)']
    """
    factors = [factor for one in (body.parts if body.head == "product" else (body,)) for factor in _factors(one)]
    below = [one for one in factors if one.head == "power" and one.parts[1] == number(-1) and linear(one.parts[0])]
    if len(below) == 2 and depth == 0:
        (w, c), (x, d) = (found for one in below if (found := linear(one.parts[0])))
        outside = [power(add(c, d) if w != x else add(d, negative(c)), number(-1)), *(one for one in factors if one not in below)]
        sides = zip(below, (terms.ONE, number(1 if w != x else -1)), strict=True)
        return [q for one, sign in sides for q in turned(multiply(sign, one, *outside), low, high, positive, 1)]
    for part in terms.walk(body):
        if part.head == "sum" and not terms.has_bound(part) and (found := linear(part)):
            (way, c), index = found, I
            if not positive(add(multiply(number(way), high if way == -1 else low), c)):
                way, c, index = -way, negative(c), negative(I)
            if way == 1 or high != OO:
                first, last = (low, high) if way == 1 else (negative(high), negative(low))
                ends = add(c, first), OO if high == OO else add(c, last)
                put = {PART.name: index, INDEX: multiply(number(way), add(I, negative(c)))}
                return [(terms.substitute(replaced(body, part, PART), put), *ends)]
    return [(body, low, high)]


def _factors(term: Term) -> list[Term]:
    """1/u and 1/v of 1/(u v)."""
    if term.head == "power" and term.parts[1] == number(-1) and term.parts[0].head == "product":
        return [power(one, number(-1)) for one in term.parts[0].parts]
    return [term]


def linear(term: Term) -> tuple[int, Term] | None:
    """The way of i in i + c or c - i, and c; None of another term."""
    with suppress(Refused):
        return unit(term)
    return None


def monomials(body: Term) -> list[Monomial]:
    """A summand as a sum of multiples of i^e log(i)^h.

    Raises:
        Refused: it is none, or not seen to be one.

    >>> body = terms.opened(terms.read("Sum(3*i^(1/2) + a/i^2, (i, 1, n))").parts[0], I)
    >>> sorted((str(c), str(e), h) for c, e, h in monomials(body))
    [('3', '1/2', 0), ('a', '-2', 0)]
    """
    if INDEX not in body.free:
        return [(body, mpq(0), 0)]
    if body == I:
        return [(terms.ONE, mpq(1), 0)]
    if body == call("log", I):
        return [(terms.ONE, mpq(0), 1)]
    if body.head == "log":
        (c, e, h), *others = monomials(body.parts[0])
        if h or others or not c.is_number or c.number <= 0:
            raise Refused("a logarithm of what is no power in a sum")
        return [(call("log", c), mpq(0), 0)] * (c != terms.ONE) + [(number(e), mpq(0), 1)]
    if body.head == "sum":
        return few([one for part in body.parts for one in monomials(part)])
    if body.head == "product":
        found: list[Monomial] = [(terms.ONE, mpq(0), 0)]
        for part in body.parts:
            found = few([_times(one, other) for one in found for other in monomials(part)])
        return found
    if body.head == "power" and body.parts[1].is_number:
        k, inner = body.parts[1].number, monomials(body.parts[0])
        if len(inner) == 1 and not (h := inner[0][2]):
            c, e, _ = inner[0]
            if c == terms.ONE:
                return [(c, e * k, h)]  # (i^a)^b, for i >= 1
            if c.is_number and c.number and k.denominator == 1:
                return [(number(c.number ** int(k)), e * k, h)]
        if k.denominator == 1 and 1 <= k <= MOST_POWER:
            found = [(terms.ONE, mpq(0), 0)]
            for _ in range(int(k)):
                found = few([_times(one, other) for one in found for other in inner])
            return found
    raise Refused(f"{body.head} in a sum of powers")


def _times(one: Monomial, other: Monomial) -> Monomial:
    (c, e, h), (d, f, k) = one, other
    if h + k > MOST_LOGS:
        raise Refused("a high power of a logarithm in a sum")
    return multiply(c, d), e + f, h + k


def _logs(low: Term, high: Term, series: Callable[[Term], Series]) -> Series:
    """The sum of log i, for 1 <= low <= high + 1."""
    if high == OO:
        raise Refused("a sum that diverges")
    rests_on("DLMF 5.5.1")
    return series(add(call("loggamma", add(high, terms.ONE)), negative(call("loggamma", low))))


def _from(low: Term, e: mpq, a: Algebra, zeta: Callable[[mpq, Term], Series]) -> Series:
    """zeta(-e, low)."""
    rests_on("DLMF 25.11.4")
    if not low.is_number:
        return zeta(-e, low)
    before = (negative(power(number(k), number(e))) for k in range(1, int(low.number)))
    return a.constant(a.domain.value(add(call("zeta", number(-e)), *before)))


def _after(high: Term, e: mpq, a: Algebra, zeta: Callable[[mpq, Term], Series]) -> Series:
    """-zeta(-e, high + 1)."""
    if high == OO:
        if e >= -1:
            raise Refused("a sum that diverges")
        return Series(())
    return a.scaled(zeta(-e, add(high, terms.ONE)), rational(-1))
