r"""Expansions at a singularity on the real line, in s = 1/u, z = rho (1 - u): what stands for a function there.

Each step of the algebra of series on the real line (a power c^e g^e (1 + f)^e of what has a leading term, a logarithm, Taylor's
theorem for what is analytic) holds for complex u near 0 with \|arg u\| < pi as it does for u > 0, since both sides are
continuous branches that agree for u > 0; exp is taken of what stays bounded, or of multiples of log s besides.

>>> from asymp.kernel.growths.growth import Domain
>>> from asymp.kernel.rings.power_series import Z, series
>>> body = terms.substitute(terms.read("sqrt(1 - 4*z)*exp(z)"), {"z": Z})
>>> found = series(body, Local(Algebra(Domain(), 1), rational(1) * rational(4).inverse()))
>>> [str(to_term(c)) for c, _ in found.terms], len(found.rest)
(['exp(1/4)'], 1)
"""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.growths.growth import ONE, power_of
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.rings.power_series import exponential_of
from asymp.kernel.rings.ratio import Ratio, rational, to_term
from asymp.kernel.terms import Refused, Term


@dataclass(frozen=True)
class Local:
    """Expansions at a place, as :func:`asymp.kernel.rings.power_series.series` calculates: the first quantity is s = 1/u."""

    algebra: Algebra
    place: Ratio
    order: int = 0

    def constant(self, term: Term) -> Series:
        """What does not move."""
        return self.algebra.constant(self.algebra.domain.value(term))

    def variable(self) -> Series:
        """rho - rho/s."""
        return self.algebra.made([(self.place, ONE), (-self.place, power_of(0, 0, rational(-1)))], [])

    def add(self, f: Series, g: Series) -> Series:
        """f + g."""
        return self.algebra.add(f, g)

    def times(self, f: Series, g: Series) -> Series:
        """f g."""
        return self.algebra.times(f, g)

    def power(self, f: Series, exponent: Term) -> Series:
        """A power, of what has a leading term."""
        return self.algebra.power(f, self.algebra.domain.value(exponent))

    def exp(self, f: Series) -> Series:
        """exp, of what is bounded besides multiples of log s.

        Raises:
            Refused: an essential singularity.
        """
        log = power_of(0, 1)
        if any(g.limit(self.algebra.domain) not in ("zero", "one") and not g.same(log) for _, g in f.terms):
            raise Refused("an essential singularity")
        if not all(g.limit(self.algebra.domain) == "zero" for g in f.rest):
            raise Refused("an exponential of what is not known well enough")
        a = self.algebra
        still = next((c for c, g in f.terms if g.same(ONE)), rational(0))
        moving = a.made([(c, g) for c, g in f.terms if not g.same(ONE)], list(f.rest))
        return a.scaled(a.exp(moving), exponential_of(still, a.domain))

    def sin(self, f: Series) -> Series:
        """sin, of what stays bounded: by Taylor's series."""
        return self._wave(f, 0)

    def cos(self, f: Series) -> Series:
        """cos, of what stays bounded."""
        return self._wave(f, 1)

    def _wave(self, f: Series, first: int) -> Series:
        a = self.algebra
        c = next((c for c, g in f.terms if g.same(ONE)), rational(0))
        small = a.made([(d, g) for d, g in f.terms if not g.same(ONE)], list(f.rest))
        sin, cos = (a.domain.value(terms.call(head, to_term(c))) for head in ("sin", "cos"))
        return a.composed(lambda k: (sin, cos, -sin, -cos)[(first + k) % 4] * rational(mpq(1, factorial(k))), small)

    def log(self, f: Series) -> Series:
        """log, of what has a leading term."""
        return self.algebra.log(f)
