r"""Zeros of polynomials as places in the plane: exact where they are real and written by roots, else in balls.

The zeros of a polynomial over the rationals are those of its irreducible factors: of degree 1 and 2 by the formula, of
a z^d + c by roots; of others by FLINT's balls.  The size \|z\| is exact for these, and for factors whose zeros lie on one
circle: those p for which p(rho z), rho rational, is cyclotomic up to a number.

>>> from asymp.kernel.growths.growth import Domain
>>> found = zeros_of([rational(c) for c in (1, -1, -1)], Domain())
>>> [(str(to_term(one.value)) if one.value else "", str(to_term(one.size)), k) for one, k in found]
[('-1/2 + 1/2*5^(1/2)', '-1/2 + 1/2*5^(1/2)', 1), ('-1/2 - 1/2*5^(1/2)', '1/2 + 1/2*5^(1/2)', 1)]
>>> [one.value is None and str(to_term(one.size)) for one, _ in zeros_of([rational(1)] * 5, Domain())]
['1', '1', '1', '1']
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import acb, arb, ctx, fmpq, fmpq_poly, fmpz_poly
from gmpy2 import mpq

from asymp.kernel.facts.ranges import ball
from asymp.kernel.growths.growth import Domain
from asymp.kernel.rings.field import exponential, logarithm
from asymp.kernel.rings.ratio import Ratio, rational, to_term
from asymp.kernel.terms import Refused
from asymp.kernel.trust import ARITHMETIC, FLINT, rests_on

BITS = 160
MOST_DEGREE = 60


@dataclass(frozen=True, eq=False)
class Place:
    """A number that is not 0: real with a value, or another with its size, or known by a ball alone.

    ``inverse``: 1/z, for a real one, written without roots below.  ``of``: of one without a value, the equation that it solves
    and which of its solutions it is: zeros of two irreducible polynomials are not the same.
    """

    value: Ratio | None = None
    size: Ratio | None = None
    inverse: Ratio | None = None
    ball: acb | None = None
    of: tuple[object, int] | None = None
    conjugate: int = -1
    """Which solution of the same equation is its conjugate."""
    pair: tuple[Ratio, Ratio] | None = None
    """x and y > 0 of x + i y, and of its conjugate, where they are written down: the conjugate has y < 0."""

    def ball_of_size(self) -> arb:
        """A ball of the size."""
        if self.size is not None:
            return ball(to_term(self.size), {}, BITS)
        assert self.ball is not None
        return abs(self.ball)


def real(value: Ratio, domain: Domain, inverse: Ratio | None = None) -> Place:
    """A real place.

    Raises:
        Refused: its sign is not seen.
    """
    sign = domain.sign(value)
    if sign not in (1, -1):
        raise Refused("a place of which the sign is not seen")
    return Place(value, value if sign == 1 else -value, value.inverse() if inverse is None else inverse)


def compared(a: Place, b: Place, domain: Domain) -> int:
    """The sign of \\|a\\| - \\|b\\|.

    Raises:
        Refused: it is not seen.
    """
    if a.size is not None and b.size is not None and (sign := domain.sign(a.size - b.size)) is not None:
        return sign
    if a is b or (a.of is not None and b.of is not None and a.of[0] == b.of[0] and b.of[1] in (a.of[1], a.conjugate)):
        return 0
    try:
        gap = a.ball_of_size() - b.ball_of_size()
    except Refused as error:
        raise Refused("two singularities of which it is not seen which is nearer") from error
    if gap > 0 or gap < 0:
        return 1 if gap > 0 else -1
    raise Refused("two singularities of which it is not seen which is nearer")


def same(a: Place, b: Place, domain: Domain) -> bool:
    """Whether two places are one.

    Raises:
        Refused: it is not seen.
    """
    if a.value is not None and b.value is not None:
        if (sign := domain.sign(a.value - b.value)) is not None:
            return sign == 0
    elif a.pair is not None and b.pair is not None:
        signs = [domain.sign(c - d) for c, d in zip(a.pair, b.pair, strict=True)]
        if 1 in signs or -1 in signs:
            return False
        if None not in signs:
            return True
    elif a.value is None and b.value is None:
        if a.of is not None and b.of is not None and (a.of[0] == b.of[0] or all(type(x.of[0]) is tuple for x in (a, b) if x.of)):
            return a.of == b.of
    else:
        one, other = (a, b) if a.value is None else (b, a)
        if one.ball is None or not acb(ball(to_term(other.value or rational(0)), {}, BITS)).overlaps(one.ball):
            return False
    raise Refused("two singularities of which it is not seen whether they are one")


def zeros_of(p: list[Ratio], domain: Domain) -> list[tuple[Place, int]]:
    """The zeros of a polynomial besides 0, with their multiplicities: all of them.

    Raises:
        Refused: the polynomial is 0, or its coefficients are not rational and its degree is above 2.
    """
    p = list(p)
    while p and p[-1].is_zero:
        p.pop()
    while p and p[0].is_zero:
        p.pop(0)
    if not p:
        raise Refused("a function that is 0")
    numbers = [c.constant() for c in p]
    if all(c is not None for c in numbers):
        return _rational([c for c in numbers if c is not None], domain)
    if domain.sign(p[-1]) not in (1, -1) or domain.sign(p[0]) not in (1, -1):
        raise Refused("a polynomial whose first or last coefficient may be 0")
    if len(p) > 3:
        raise Refused("a polynomial of degree above 2 with parameters")
    return [] if len(p) == 1 else _short(p, domain)


def _short(p: list[Ratio], domain: Domain) -> list[tuple[Place, int]]:
    """Of degree 1 or 2."""
    if len(p) == 2:
        return [(real(-p[0] * p[1].inverse(), domain, -p[1] * p[0].inverse()), 1)]
    c, b, a = p
    under = b * b - rational(4) * a * c
    sign = domain.sign(under)
    if sign is None:
        raise Refused("a quadratic of which it is not seen whether its zeros are real")
    if sign == 0:
        return [(real(-b * (rational(2) * a).inverse(), domain), 2)]
    if sign == -1:
        size = domain.raised(c * a.inverse(), rational(mpq(1, 2)))
        equation = tuple((x * a.inverse()).constant() for x in (c, b))
        half = (rational(2) * a).inverse()
        root = domain.raised(-under * half * half, rational(mpq(1, 2)))
        return [
            (Place(size=size, of=None if None in equation else (equation, k), pair=(-b * half, rational(way) * root)), 1)
            for k, way in enumerate((1, -1))
        ]
    root = domain.raised(under, rational(mpq(1, 2)))
    found = []
    for way in (1, -1):
        r = rational(way) * root
        value, inverse = (r - b) * (rational(2) * a).inverse(), -(b + r) * (rational(2) * c).inverse()
        found.append((real(value, domain, inverse), 1))
    return found


def _rational(p: list[mpq], domain: Domain) -> list[tuple[Place, int]]:
    if len(p) - 1 > MOST_DEGREE:
        raise Refused("a polynomial of high degree")
    whole = fmpq_poly([fmpq(int(c.numerator), int(c.denominator)) for c in p])
    content, factors = fmpz_poly(whole.numer()).factor()
    product = fmpz_poly([content])
    found: list[tuple[Place, int]] = []
    for q, k in factors:
        for _ in range(k):
            product *= q
        found += [(one, int(k)) for one in _irreducible(q, domain)]
    if product != whole.numer():
        raise Refused("factors that do not multiply out to the polynomial")
    return found


def _irreducible(q: fmpz_poly, domain: Domain) -> list[Place]:
    degree = q.degree()
    own = [rational(mpq(int(q[k]))) for k in range(degree + 1)]
    if degree < 3:
        return [one for one, _ in _short(own, domain)] if degree else []
    if all(q[k] == 0 for k in range(1, degree)):
        return _binomial(mpq(int(q[0])) / mpq(int(q[degree])), degree, domain)
    rests_on(ARITHMETIC, f"{FLINT}fmpz_poly.complex_roots")
    size = _circle(q, domain)
    with ctx.workprec(BITS):
        equation = tuple(mpq(int(q[k]), int(q[degree])) for k in range(degree))
        found = [one for one, _ in q.complex_roots()]
        pairs = [[k for k, other in enumerate(found) if other.overlaps(one.conjugate())] for one in found]
        return [
            Place(size=size, ball=one, of=(equation, k), conjugate=pair[0] if len(pair) == 1 else -1)
            for k, (one, pair) in enumerate(zip(found, pairs, strict=True))
        ]


def _binomial(c: mpq, degree: int, domain: Domain) -> list[Place]:
    """The zeros of z^d + c."""
    size = exponential(logarithm(rational(abs(c)), domain) * rational(mpq(1, degree)))
    reals = [1] * (c < 0) + [-1] * (c > 0 if degree % 2 else c < 0)
    found = [real(rational(way) * size, domain, rational(way) * size.inverse()) for way in reals]
    return [*found, *(Place(size=size, of=(("z^d + c", c, degree), k)) for k in range(degree - len(found)))]


def _circle(q: fmpz_poly, domain: Domain) -> Ratio | None:
    """The size of all zeros, where they are rho times roots of unity: then |q(0)/q_d| = rho^d."""
    degree = q.degree()
    x = mpq(abs(int(q[0])), abs(int(q[degree])))
    size = exponential(logarithm(rational(x), domain) * rational(mpq(1, degree)))
    rho = size.constant()
    if rho is None:
        return None
    scaled = [mpq(int(q[k])) * rho**k for k in range(degree + 1)]
    over = [c / scaled[-1] for c in scaled]
    if any(c.denominator != 1 for c in over):
        return None
    return size if fmpz_poly([int(c) for c in over]).is_cyclotomic() else None
