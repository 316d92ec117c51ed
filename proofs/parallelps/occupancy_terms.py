r"""The mean occupancy of parallel processor sharing: heavy traffic, light traffic, many servers a job.

EQ = (d - 1) lam b, where b > 0 is the only root of S(b) = 1/(1 - lam), S(b) = sum_u prod_{v<=u} a b/(b + v), a = d lam
(:class:`asymp.papers.parallelps.occupancy_symbol.ParallelOccupancy`).  S = M(1; b+1; a b) = e^(ab) (ab)^(-b) gamma(b + 1) P(b, ab) (DLMF 8.5.1).

>>> from asymp.prove.expanding import expanded
>>> from asymp.language.statement import read_statement
>>> expanded(read_statement("parallel_occupancy(2, z) = O(1) as z -> 0+"), 2).terms
('z', '2*z^2/3')
"""

from __future__ import annotations

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.growths.coefficients import bernoulli
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import Growth
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.rings.factors import reduced
from asymp.kernel.rings.ratio import Ratio, rational
from asymp.kernel.terms import ONE, Refused, Term
from asymp.prove.method import Method


def _occupancy(expander: Expander, call: Term) -> Series:
    a, (d, lam) = expander.algebra, call.parts
    if expander.constant(d):
        servers = a.domain.value(d)
        if a.domain.sign(servers - rational(1)) != 1:
            raise Refused(f"{d} is not known to be above 1")
        load, idle = expander.series(lam), expander.series(terms.add(ONE, terms.negative(lam)))
        if a.vanishes(load) and a.below(load)[0] == 1:
            return _light(a, servers, load)
        if a.vanishes(idle) and a.below(idle)[0] == 1:
            return _heavy(expander, d, idle)
        raise Refused("the load tends to neither 0 nor 1: expansions there are known for a fixed number of servers")
    if expander.constant(lam):
        return _many(expander, expander.series(d), lam)
    raise Refused("the number of servers a job and the load both vary")


def _big_o(*growths: Growth) -> Series:
    return Series((), growths)


def _heavy(expander: Expander, d: Term, idle: Series) -> Series:
    r"""lam = 1 - eps, eps -> 0+, d > 1 fixed, L = ln(1/eps), h = d - 1 - ln d > 0.

    S is bounded for bounded b, so b -> oo, and ln S = b h(a) + ln(2 pi b)/2 + 1/(12 b) - ... + ln P(b, ab), by Stirling's
    series (DLMF 5.11.1); 1 - P = O(e^(-b h)/sqrt(b)) = O(eps) (DLMF 8.11.7, a > 1), h(a) = h(d) + O(eps).  So b solves
    b = (L - ln(2 pi b)/2 - 1/(12 b) + ...)/h + O(eps L), of which b = L/h + O(ln L) is a first answer, and each substitution
    gains a factor 1/L.
    """
    a = expander.algebra
    h = terms.add(d, terms.number(-1), terms.negative(terms.call("log", d)))
    gap, shift = a.domain.value(h), a.domain.value(terms.call("log", terms.multiply(terms.read("2*pi"), terms.reciprocal(h))))
    large = a.scaled(a.log(idle), rational(-1))
    lost = _big_o(a.leading(idle)[1].times(a.leading(large)[1]))  # eps L
    count = a.order // 2 + 1
    found = a.add(large, _big_o(a.leading(a.log(large))[1]))
    for _ in range(a.order + 2):
        inverse, total = a.power(found, rational(-1)), a.add(a.log(found), a.constant(shift))
        total = a.scaled(total, rational(mpq(1, 2)))
        for j in range(1, count + 1):
            weight = rational(bernoulli(2 * j) / (2 * j * (2 * j - 1))) * gap.power(2 * j - 1)  # Stirling's series
            total = a.add(total, a.scaled(a.power(inverse, rational(2 * j - 1)), weight))
        total = a.add(total, _big_o(a.leading(a.power(inverse, rational(2 * count + 1)))[1]))
        found = a.add(a.minus(large, total), lost)
    return a.scaled(found, a.domain.value(terms.add(d, terms.number(-1))) * gap.inverse())


def light_coefficients(count: int, d: Ratio) -> tuple[Ratio, ...]:
    """The coefficients of lam, lam^2, ... of EQ, rational in d.

    (S - 1)/lam = 1/(1 - lam) is analytic in b and lam, at lam = 0 it says d b/(b + 1) = 1, with the slope (d - 1)^2/d at its
    root b = 1/(d - 1): so b is analytic in lam, and its coefficients follow one by one.

    >>> from asymp.kernel.rings.ratio import atom
    >>> d = atom(terms.name("d"))
    >>> light_coefficients(2, d)[1] == d * (rational(2) * d - rational(1)).inverse()
    True
    >>> [str(c.constant()) for c in light_coefficients(4, rational(3))]
    ['1', '3/5', '387/875', '54171/153125']
    """
    one, zero = rational(1), rational(0)

    def times(x: list[Ratio], y: list[Ratio]) -> list[Ratio]:
        return [reduced(sum((x[i] * y[k - i] for i in range(k + 1)), zero)) for k in range(len(x))]

    def inverted(x: list[Ratio]) -> list[Ratio]:
        found = [x[0].inverse()]
        for k in range(1, len(x)):
            found.append(reduced(-sum((x[i] * found[k - i] for i in range(1, k + 1)), zero) * found[0]))
        return found

    b = [(d - one).inverse()]
    for k in range(1, count):
        b.append(zero)
        total, product = -one, [one] + [zero] * k
        for u in range(1, k + 2):
            below = [b[0] + rational(u), *b[1 : len(product)]]
            product = [reduced(d * c) for c in times(times(product, b[: len(product)]), inverted(below))]
            total = reduced(total + product[-1])
            product = product[:-1]  # the next one has a factor lam more
        b[k] = reduced(-total * d * (d - one).inverse().power(2))
    return tuple(reduced(c * (d - one)) for c in b)


def _light(a: Algebra, d: Ratio, load: Series) -> Series:
    """A power series in lam, by the implicit function theorem (:func:`light_coefficients`)."""
    found = light_coefficients(a.order + 1, d)
    return a.composed(lambda k: found[k - 1] if k else rational(0), load, a.order + 2)


def _many(expander: Expander, d: Series, lam: Term) -> Series:
    r"""d -> oo at a fixed load: L + (L Ein(L)/lam - L)/d + O(1/d^2), L = ln(1/(1 - lam)), Ein(L) = gamma + ln L + E_1(L).

    With x = EQ and 1/(d - 1) = t the terms of (3) are x^u/u! (1 + t)^u/prod_{v<=u} (1 + x t/(v lam)), analytic in x and t at
    t = 0, where they add up to e^x = 1/(1 - lam).  The next order is by sum_u x^u H_u/u! = e^x Ein(x) (DLMF 6.2.3, 6.2.4).
    """
    a = expander.algebra
    value = a.domain.value(lam)
    if not (a.domain.sign(value) == 1 and a.domain.sign(rational(1) - value) == 1):
        raise Refused(f"{lam} is not known to lie between 0 and 1")
    x = terms.negative(terms.call("log", terms.add(ONE, terms.negative(lam))))
    whole = terms.add(terms.name("EulerGamma"), terms.call("log", x), terms.call("uppergamma", terms.ZERO, x))
    slope = a.domain.value(terms.add(terms.multiply(x, whole, terms.reciprocal(lam)), terms.negative(x)))
    inverse = a.power(d, rational(-1))
    return a.add(a.add(a.constant(a.domain.value(x)), a.scaled(inverse, slope)), _big_o(a.leading(inverse)[1].raised(rational(2))))


METHOD = Method("parallel_occupancy", ("parallel_occupancy",), _occupancy, 100, source="Theorem 1; DLMF 8.5.1")
