r"""Truncated exponentials with another weight for one term, :math:`S_\theta(t) + \delta\, t^j/j!`, 0 <= j <= theta, to a power.

Such is the integrand of a generating function: z for one of the terms is delta = z - 1.  With v = (t^j/j!)/S, 0 <= v <= 1, it is
S (1 + delta v).  Where delta tends to 0,

.. math:: \log(1 + \delta v) = \sum_{m \le M} (-1)^{m-1} \delta^m v^m/m + O(\delta^{M+1}),

uniformly in t, and N times that is o(N), so that nothing of it reaches beyond a neighbourhood of where the integrand is largest;
next to p > 0 v has a Taylor series, and next to 0 v = t^j/j! (1 + O(t)).  At 0, j >= 1, delta may be a number in [-1, 0] too,
where the whole is at most S and, without the term or with it, above 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.facts.truncated import argument, last_term, series
from asymp.kernel.growths.growth import ONE, Domain
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.rings.ratio import Ratio, rational, to_term
from asymp.kernel.terms import Refused, Term

Powers = list[tuple[Ratio, Series]]


def parts(term: Term, t: Term) -> tuple[Term, Term, Term] | None:
    """S, delta and j of such a sum in t; None for another one.

    >>> found = parts(terms.read("Sum(t^i/i!, (i, 0, m)) + (z - 1)*t"), terms.name("t"))
    >>> found and [str(part) for part in found[1:]]
    ['factorial(1)*(z - 1)', '1']
    >>> parts(terms.read("Sum(t^i/i!, (i, 0, m)) + (z - 1)*(1 + t)^2"), terms.name("t"))
    """
    sums = [part for part in term.parts if argument(part) == t and not part.parts[2].is_number]
    if term.head != "sum" or len(sums) != 1:
        return None
    weights, exponents = [], set()
    for part in term.parts:
        if part is not sums[0]:
            factors = part.parts if part.head == "product" else (part,)
            own = [f for f in factors if t.name in f.free]
            base, j = own[0].parts if len(own) == 1 and own[0].head == "power" else (terms.multiply(*own), terms.ONE)
            if base != t or t.name in j.free:
                return None
            exponents.add(j)
            weights.append(terms.multiply(*(f for f in factors if t.name not in f.free)))
    if len(exponents) != 1:
        return None
    (j,) = exponents
    return sums[0], terms.multiply(terms.add(*weights), terms.call("factorial", j)), j


@dataclass(frozen=True)
class Weighted:
    """1 + delta v to the power ``exponent``; ``theta`` and ``j`` are whole numbers, 0 <= j <= theta."""

    theta: Ratio
    j: Ratio
    small: Series
    exponent: Series

    def value(self, a: Algebra, p: Ratio) -> Series:
        """The logarithm of it at p.

        Raises:
            Refused: delta is not seen to tend to 0, or (at 0) to be a number in [-1, 0]; or there is no such term.
        """
        self._checked(a, p)
        return Series(()) if p.is_zero else self._at(a, p, 1, 1)[0][1]

    def logarithm(self, a: Algebra, p: Ratio, way: int, degree: int) -> Powers:
        """Exponents of y and their coefficients, for t = p + y or p - y, without its value at y = 0."""
        if not p.is_zero:
            return self._at(a, p, way, degree)[1:]
        own = a.times(self.exponent, self.small)
        first = a.scaled(own, a.domain.value(terms.call("factorial", to_term(self.j))).inverse())
        return [(self.j, first), (self.j + rational(1), _bare(a, own))]

    def _checked(self, a: Algebra, p: Ratio) -> None:
        domain = a.domain
        if not (domain.of(self.j) <= {0, 1} and domain.of(self.theta - self.j) <= {0, 1}):
            raise Refused("a weight of what is not seen to be a term of the sum")
        if p.is_zero and domain.sign(self.j) != 1:
            raise Refused("a weight of what is not seen to vanish at 0")
        if a.vanishes(self.small):
            return
        one = len(self.small.terms) == 1 and self.small.terms[0][1].same(ONE) and not self.small.rest
        d = self.small.terms[0][0] if one else rational(1)
        if not (p.is_zero and domain.of(d) <= {-1, 0} and domain.of(d + rational(1)) <= {0, 1}):
            raise Refused("a weight that is not seen to tend to 1, nor to be a number from 0 to 1")

    def _at(self, a: Algebra, p: Ratio, way: int, degree: int) -> Powers:
        """Next to p > 0, by the powers of y from 0 on."""
        shape, middle = self._taylor(a.domain, p, way, degree), _share(a.domain, p, self.theta, self.j)
        total = [Series(()) for _ in range(degree)]
        power, weight, weights = [rational(1)], self.exponent, Series(())
        for m in range(1, a.order + 1):
            power = [
                sum((power[i - k] * shape[k] for k in range(i + 1) if i - k < len(power)), rational(0)) for i in range(degree)
            ]
            weight = a.scaled(a.times(weight, self.small), middle)
            weights = a.add(weights, _bare(a, weight))
            for i in range(degree):
                total[i] = a.add(total[i], a.scaled(weight, power[i] * rational(mpq((-1) ** (m - 1), m))))
        left = _bare(a, a.times(weight, self.small))
        found: Powers = [(rational(i), f) for i, f in enumerate(total)]
        return [*found, (rational(0), left), (rational(degree), weights)]

    def _taylor(self, domain: Domain, p: Ratio, way: int, degree: int) -> list[Ratio]:
        """The coefficients of v over its value at p: those of (1 + y/p)^j over those of S."""
        share = _share(domain, p, self.theta, self.theta)
        below, over, total, part, found = [rational(1)], rational(1), rational(0), rational(1), [rational(1)]
        for i in range(1, degree):
            total, part = total + part, part * (self.theta - rational(i - 1)) * p.inverse()
            below.append((rational(1) - share * total) * rational(mpq(way**i, factorial(i))))
            over = over * (self.j - rational(i - 1)) * p.inverse() * rational(mpq(way, i))
            found.append(over - sum((below[k] * found[i - k] for k in range(1, i + 1)), rational(0)))
        return found


def _share(domain: Domain, p: Ratio, theta: Ratio, j: Ratio) -> Ratio:
    x = to_term(p)
    return domain.value(last_term(x, to_term(j))) * domain.value(series(x, to_term(theta))).inverse()


def _bare(a: Algebra, f: Series) -> Series:
    return a.made([], [*f.rest, *(g for _, g in f.terms)])
