"""Series of sums of i^e over whole i, for rational e, and of log i, with coefficients that are free of i.

For e other than -1, and for whole numbers 1 <= l <= h + 1,

    l^e + (l + 1)^e + ... + h^e = zeta(-e, l) - zeta(-e, h + 1)                          (DLMF 25.11.4),

where zeta(-e, l) = zeta(-e) - 1^e - ... - (l - 1)^e for a number l, and for e < -1 an endless sum is zeta(-e, l) alone (25.11.1);
where what a sum begins or ends with tends to infinity, zeta(s, x) has its series there.  The sum of log i is that of
log Gamma(i + 1) - log Gamma(i).
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.growths.geometric_sums import FIRST, Geometric, in_range
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.growths.summands import INDEX, MOST_PARTS, MOST_POWER, OO, I
from asymp.kernel.rings.ratio import number_power, rational
from asymp.kernel.terms import Refused, Term, add, call, multiply, negative, number
from asymp.kernel.trust import rests_on

MOST_DEGREE = 40
Monomial = tuple[Term, mpq | None]
"""A coefficient, and the exponent of i; None for log i."""


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
    body, low, high = term.parts
    in_range(term, a, series, whole)
    if low.is_number and not 1 <= low.number <= FIRST:
        raise Refused("a sum of powers that begins before 1, or late")
    parts = monomials(terms.opened(body, I))
    found, exact = Series(()), Geometric(a, series, terms.ONE)
    for c, e in parts:
        if e is None:
            total = _logs(low, high, series)
        elif e.denominator == 1 and -1 <= e <= MOST_DEGREE:
            total = exact.between(int(e), 0, terms.ONE if low.is_number else low, high)
            if low.is_number:
                less = sum((number_power(mpq(k), int(e)) for k in range(1, int(low.number))), mpq(0))
                total = a.add(total, a.constant(rational(-less)))
        else:
            total = a.add(_from(low, e, a, zeta), _after(high, e, a, zeta))
        found = a.add(found, a.times(series(c), total))
    return found


def monomials(body: Term) -> list[Monomial]:
    """A summand as a sum of multiples of i^e and of log i.

    Raises:
        Refused: it is none, or not seen to be one.

    >>> body = terms.opened(terms.read("Sum(3*i^(1/2) + a/i^2, (i, 1, n))").parts[0], I)
    >>> sorted((str(c), str(e)) for c, e in monomials(body))
    [('3', '1/2'), ('a', '-2')]
    """
    if INDEX not in body.free:
        return [(body, mpq(0))]
    if body == I:
        return [(terms.ONE, mpq(1))]
    if body == call("log", I):
        return [(terms.ONE, None)]
    if body.head == "sum":
        return _few([one for part in body.parts for one in monomials(part)])
    if body.head == "product":
        found: list[Monomial] = [(terms.ONE, mpq(0))]
        for part in body.parts:
            found = _few([_times(one, other) for one in found for other in monomials(part)])
        return found
    if body.head == "power" and body.parts[1].is_number:
        k, inner = body.parts[1].number, monomials(body.parts[0])
        if len(inner) == 1 and inner[0][0] == terms.ONE and (e := inner[0][1]) is not None:
            return [(terms.ONE, e * k)]  # (i^a)^b, for i >= 1
        if k.denominator == 1 and 1 <= k <= MOST_POWER:
            found = [(terms.ONE, mpq(0))]
            for _ in range(int(k)):
                found = _few([_times(one, other) for one in found for other in inner])
            return found
    raise Refused(f"{body.head} in a sum of powers")


def _times(one: Monomial, other: Monomial) -> Monomial:
    (c, e), (d, f) = one, other
    if e is None or f is None:
        if 0 not in (e, f):
            raise Refused("a power times a logarithm in a sum")
        return multiply(c, d), None
    return multiply(c, d), e + f


def _few(found: list[Monomial]) -> list[Monomial]:
    if len(found) > MOST_PARTS:
        raise Refused("a summand of too many parts")
    return found


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
    before = (negative(terms.power(number(k), number(e))) for k in range(1, int(low.number)))
    return a.constant(a.domain.value(add(call("zeta", number(-e)), *before)))


def _after(high: Term, e: mpq, a: Algebra, zeta: Callable[[mpq, Term], Series]) -> Series:
    """-zeta(-e, high + 1)."""
    if high == OO:
        if e >= -1:
            raise Refused("a sum that diverges")
        return Series(())
    return a.scaled(zeta(-e, add(high, terms.ONE)), rational(-1))
