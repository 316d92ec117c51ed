r"""Laurent series with complex coefficients, exactly: of rational functions next to a number x + i y.

>>> from asymp.kernel.facts.context import Context
>>> from asymp.kernel.rings.power_series import Z, series
>>> from asymp.kernel.rings.ratio import to_term
>>> i = Gauss(rational(0), rational(1))
>>> body = terms.substitute(terms.read("1/(1 + z^2)"), {"z": Z})
>>> found = series(body, Near(Context(), i, 3))  # with z = i (1 - u)
>>> found.start, [str(to_term(part)) for part in (found.parts[0].re, found.parts[0].im)]
(-1, ['1/2', '0'])
"""

from __future__ import annotations

from dataclasses import dataclass

from asymp.kernel import terms
from asymp.kernel.rings.field import Facts
from asymp.kernel.rings.power_series import Laurent, added, multiplied, normal
from asymp.kernel.rings.ratio import Ratio, rational
from asymp.kernel.terms import Refused, Term

MOST_POWER = 24


@dataclass(frozen=True)
class Gauss:
    """re + i im."""

    re: Ratio
    im: Ratio

    @property
    def is_zero(self) -> bool:
        """Whether it is 0 by identity."""
        return self.re.is_zero and self.im.is_zero

    def __add__(self, other: Gauss) -> Gauss:
        return Gauss(self.re + other.re, self.im + other.im)

    def __neg__(self) -> Gauss:
        return Gauss(-self.re, -self.im)

    def __mul__(self, other: Gauss) -> Gauss:
        return Gauss(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)

    def size(self) -> Ratio:
        """The square of its size."""
        return self.re * self.re + self.im * self.im

    def inverse(self) -> Gauss:
        """1/z; that z is not 0 is for the caller to ask."""
        over = self.size().inverse()
        return Gauss(self.re * over, -self.im * over)


ZERO, ONE = Gauss(rational(0), rational(0)), Gauss(rational(1), rational(0))


Complex = Laurent[Gauss]


@dataclass(frozen=True)
class Near:
    """The operations of :func:`asymp.kernel.rings.power_series.series` on rational functions, at z = place (1 - u)."""

    at: Facts
    place: Gauss
    order: int

    def constant(self, term: Term) -> Complex:
        """What does not move."""
        return normal(0, [Gauss(self.at.value(term), rational(0)), *[ZERO] * self.order])

    def variable(self) -> Complex:
        """place - place u."""
        return normal(0, [self.place, -self.place, *[ZERO] * (self.order - 1)])

    def add(self, f: Complex, g: Complex) -> Complex:
        """f + g."""
        return added(f, g, ZERO)

    def times(self, f: Complex, g: Complex) -> Complex:
        """f g."""
        return multiplied(f, g, ZERO)

    def power(self, f: Complex, exponent: Term) -> Complex:
        """A whole power."""
        k = self.at.value(exponent).constant()
        if k is None or k.denominator != 1 or abs(k) > MOST_POWER:
            raise Refused("a power that is not whole, of what is not real")
        base = f if k > 0 else self._inverse(f)
        found = self.constant(terms.ONE)
        for _ in range(abs(int(k))):
            found = self.times(found, base)
        return found

    def _inverse(self, f: Complex) -> Complex:
        if not f.parts or self.at.of(f.parts[0].size()) != {1}:
            raise Refused("a division by what may be 0")
        over = f.parts[0].inverse()
        own, found = [c * over for c in f.parts], [over]
        for k in range(1, len(own)):
            found.append(-sum((own[j] * found[k - j] for j in range(1, k + 1)), ZERO))
        return normal(-f.start, found)

    def exp(self, f: Complex) -> Complex:
        """Of what is real alone."""
        raise Refused("a function that is not rational, at what is not real")

    log = sin = cos = exp
