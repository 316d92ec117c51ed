r"""Rational functions of a variable and of one square root of a polynomial: A + B sqrt(H), A and B rational functions over the
rationals.

Where such a function is 0, its norm A^2 - B^2 H is.

>>> from asymp.kernel import terms
>>> from asymp.kernel.rings.ratio import to_term
>>> body = terms.substitute(terms.read("1 - 2*z - sqrt(1 - 4*z)"), {"z": Z})
>>> [str(to_term(c)) for c in numerator_of_norm(body)]
['0', '0', '4']
"""

from __future__ import annotations

from dataclasses import dataclass, field

from flint import fmpq, fmpq_poly
from gmpy2 import mpq

from asymp.kernel.rings.power_series import Z as Z
from asymp.kernel.rings.power_series import series
from asymp.kernel.rings.ratio import Ratio, rational
from asymp.kernel.terms import Refused, Term

Fraction = tuple[fmpq_poly, fmpq_poly]
Element = tuple[Fraction, Fraction]
"""A and B."""
MOST_POWER, MOST_DEGREE = 60, 200
ZERO, ONE = fmpq_poly([0]), fmpq_poly([1])


def numerator_of_norm(term: Term) -> list[Ratio]:
    """The coefficients of the numerator of A^2 - B^2 H, in lowest terms.

    Raises:
        Refused: the term is another function.
    """
    field_ = _Field()
    a, b = series(term, field_)
    norm = _add(_times(a, a), _times(_times(b, b), (-field_.under, ONE)))
    return [rational(mpq(int(c.p), int(c.q))) for c in norm[0].coeffs()]


@dataclass
class _Field:
    """The operations of :func:`asymp.kernel.rings.power_series.series`; ``under`` is H, which the first root tells."""

    order: int = 0
    under: fmpq_poly = field(default_factory=lambda: ZERO)

    def constant(self, term: Term) -> Element:
        """A rational number."""
        if not term.is_number:
            raise Refused("a constant that is not rational")
        return _plain((fmpq_poly([fmpq(int(term.number.numerator), int(term.number.denominator))]), ONE))

    def variable(self) -> Element:
        """Z."""
        return _plain((fmpq_poly([0, 1]), ONE))

    def add(self, f: Element, g: Element) -> Element:
        """f + g."""
        return _add(f[0], g[0]), _add(f[1], g[1])

    def times(self, f: Element, g: Element) -> Element:
        """f g."""
        (a, b), (c, d) = f, g
        return _add(_times(a, c), _times(_times(b, d), (self.under, ONE))), _add(_times(a, d), _times(b, c))

    def power(self, f: Element, exponent: Term) -> Element:
        """A power with a whole exponent, or half of one where there is no root yet in f."""
        if not exponent.is_number or exponent.number.denominator not in (1, 2) or abs(exponent.number) > MOST_POWER:
            raise Refused("a power that is no square root")
        twice = int(2 * exponent.number)
        base = f if twice % 2 == 0 else self._root(f)
        base = base if twice >= 0 else self._inverse(base)
        found = _plain((ONE, ONE))
        for _ in range(abs(twice) // (1 if twice % 2 else 2)):
            found = self.times(found, base)
        return found

    def exp(self, f: Element) -> Element:
        """No such function."""
        raise Refused("an exponential")

    log = sin = cos = exp

    def _root(self, f: Element) -> Element:
        """The root of N/D = s^2 H/D^2, up to its sign: only the norm is asked for."""
        (n, d), (b, _) = f
        if not b.is_zero():
            raise Refused("a root of a root")
        content, factors = (n * d).factor()
        s, h = ONE, fmpq_poly([content])
        for q, k in factors:
            s, h = s * q ** (k // 2), h * q ** (k % 2)
        if self.under.is_zero():
            self.under = h
        if h.degree() != self.under.degree() or h * self.under[h.degree()] != self.under * h[h.degree()]:
            raise Refused("roots of two polynomials")
        scale = h[h.degree()] / self.under[h.degree()]
        if scale != 1:
            raise Refused("roots of two polynomials")
        return (ZERO, ONE), _lowest(s, d)

    def _inverse(self, f: Element) -> Element:
        a, b = f
        norm = _add(_times(a, a), _times(_times(b, b), (-self.under, ONE)))
        if norm[0].is_zero():
            raise Refused("a division by 0")
        over = (norm[1], norm[0])
        return _times(a, over), _times((-b[0], b[1]), over)


def _plain(a: Fraction) -> Element:
    return a, (ZERO, ONE)


def _add(f: Fraction, g: Fraction) -> Fraction:
    return _lowest(f[0] * g[1] + g[0] * f[1], f[1] * g[1])


def _times(f: Fraction, g: Fraction) -> Fraction:
    return _lowest(f[0] * g[0], f[1] * g[1])


def _lowest(n: fmpq_poly, d: fmpq_poly) -> Fraction:
    if n.degree() + d.degree() > MOST_DEGREE:
        raise Refused("a rational function of high degree")
    common = n.gcd(d)
    return n // common, d // common
