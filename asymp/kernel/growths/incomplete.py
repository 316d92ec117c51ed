"""Series of E_1(x) = Gamma(0, x) and of the derivative of Gamma(a, x) in a at a = 0, where x tends to a positive constant, to 0
or to infinity:

    Gamma^(k)(0, x) = int_x^oo e^(-t) u(t) dt,   u(t) = (log t)^k/t,   k = 0, 1.

With H_j = 1 + ... + 1/j, u^(j)(t) = (-1)^j j! (log t - H_j)^k/t^(j+1), by induction.

>>> from asymp.kernel.growths.growth import Domain
>>> from asymp.kernel.growths.growth import ONE, power_of
>>> a = Algebra(Domain(), 2)
>>> found = upper(a, 0, Series(((rational(2), ONE), (rational(1), power_of(0, 0, rational(-1))))))  # at 2 + 1/s
>>> [str(to_term(c)) for c, _ in found.terms], len(found.rest)
(['uppergamma(0, 2)', '-1/2*exp(-2)'], 1)
"""

from __future__ import annotations

from math import comb, factorial

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.growths.growth import ONE, Growth
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.rings.field import exponential, logarithm, to_term
from asymp.kernel.rings.gamma import derivative_of_gamma
from asymp.kernel.rings.ratio import Ratio, rational
from asymp.kernel.terms import Refused
from asymp.kernel.trust import rests_on

SMALL, FINITE, LARGE = "small", "finite", "large"


def size(a: Algebra, f: Series) -> str:
    """Whether f tends to 0, or to a positive constant, or to infinity.

    Raises:
        Refused: none of them is seen.
    """
    if a.vanishes(f):
        return SMALL
    c, g = a.leading(f)
    if a.domain.sign(c) == 1:
        if g.same(ONE):
            return FINITE
        if g.limit(a.domain) == "infinity":
            return LARGE
    raise Refused("what neither vanishes nor grows, nor tends to a positive constant")


def loose(f: Series) -> list[Growth]:
    """Growths the sum of which f is O of."""
    return [*(g for _, g in f.terms), *f.rest]


def partial_harmonic(j: int) -> mpq:
    """H_j.

    >>> str(partial_harmonic(3))
    '11/6'
    """
    return sum((mpq(1, k) for k in range(1, j + 1)), mpq(0))


def upper(a: Algebra, k: int, f: Series) -> Series:
    """Gamma^(k)(0, f), for k = 0 or 1 and f positive in the end.

    Raises:
        Refused: where f tends is not seen.
    """
    kind = size(a, f)
    if kind == FINITE:
        return _at_constant(a, k, f)
    return _at_zero(a, k, f) if kind == SMALL else _at_infinity(a, k, f)


def _at_constant(a: Algebra, k: int, f: Series) -> Series:
    """By Taylor's theorem at c > 0: the r-th derivative of -e^(-x) u(x) is that of a product."""
    c, _ = a.leading(f)
    rest = a.made([(d, g) for d, g in f.terms if not g.same(ONE)], list(f.rest))
    edge = exponential(-c)

    def coefficient(j: int) -> Ratio:
        if j == 0:
            return a.domain.value(derivative_of_gamma(k, terms.ZERO, to_term(c)))
        total = rational(0)
        for t in range(j):
            u = rational(mpq(factorial(t))) * c.power(-t - 1)
            factor = logarithm(c, a.domain) - rational(partial_harmonic(t)) if k else rational(1)
            total = total + rational(comb(j - 1, t)) * u * factor
        return edge * total * rational(mpq((-1) ** j, factorial(j)))

    return a.composed(coefficient, rest)


def _at_infinity(a: Algebra, k: int, f: Series) -> Series:
    """e^(-x) (u(x) + u'(x) + ...), by parts; what is left, the integral of e^(-t) u^(K)(t), is at most e^(-x) |u^(K)(x)|,
    since |u^(K)| decreases where log t > H_(K+1)."""
    inverse, found = a.power(f, rational(-1)), Series(())
    log, power = a.log(f) if k else Series(()), a.power(f, rational(-1))
    for j in range(a.order + 1):
        u = a.scaled(power, rational((-1) ** j * factorial(j)))
        if k:
            u = a.times(u, a.add(log, a.constant(rational(-partial_harmonic(j)))))
        found = a.add(found, u) if j < a.order else a.made(list(found.terms), [*found.rest, *loose(u)])
        power = a.times(power, inverse)
    return a.times(a.exp(a.scaled(f, rational(-1))), found)


def _at_zero(a: Algebra, k: int, f: Series) -> Series:
    """The limit at a = 0, and the derivative there, of Gamma(a) - x^a/a - sum_(j>=1) (-x)^j x^a/((a + j) j!) (DLMF 8.7.3):

    -gamma - log x - sum_(j>=1) (-x)^j/(j j!) and gamma^2/2 + pi^2/12 - (log x)^2/2 - sum_(j>=1) (-x)^j (log x - 1/j)/(j j!),
    as Gamma(a) = 1/a - gamma + (gamma^2/2 + pi^2/12) a + O(a^2).

    Raises:
        Refused: f is not seen to be positive.
    """
    rests_on("DLMF 8.7.3")
    log = a.log(f)

    def entire(power: int) -> Series:
        return a.composed(lambda j: rational(mpq((-1) ** j, factorial(j) * j**power)) if j else rational(0), f)

    first = entire(1)
    if not k:
        constant = a.domain.value(terms.read("-EulerGamma"))
        return a.minus(a.constant(constant), a.add(log, first))
    constant = a.domain.value(terms.read("EulerGamma^2/2 + pi^2/12"))
    squared = a.add(a.scaled(a.times(log, log), rational(mpq(1, 2))), a.times(log, first))
    return a.minus(a.add(a.constant(constant), entire(2)), squared)
