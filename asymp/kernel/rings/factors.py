"""Polynomials in atoms as products: a rational number, powers of atoms, and irreducible polynomials over the rationals.

The factors come from FLINT, and are multiplied out again: what is returned is a product that is the polynomial.

>>> from asymp.kernel import terms
>>> from asymp.kernel.rings.ratio import atom, rational
>>> x = atom(terms.name("x"))
>>> number, powers, rest = factored((rational(4) * x * (x + rational(1)).power(2)).num)
>>> number, len(powers), [(len(p), k) for p, k in rest]
(mpq(4,1), 1, [(2, 2)])
"""

from __future__ import annotations

from math import lcm

from flint import Ordering, fmpz_mpoly_ctx
from gmpy2 import mpq

from asymp.kernel.rings.ratio import MOST_DEGREE, ONE_POLY, Poly, Powers, Ratio, common, in_order, product_of
from asymp.kernel.terms import Refused, Term

__all__ = ["factored", "reduced"]

MOST_TERMS = 200
"""Of a polynomial that is factored."""


def factored(p: Poly) -> tuple[mpq, Powers, list[tuple[Poly, int]]]:
    """A polynomial that is not 0 as c m q_1^k_1 q_2^k_2 ...: c rational, m a monomial, each q irreducible and primitive.

    A fractional exponent is one of a root of its atom: the product is the polynomial as a polynomial in these roots.

    Raises:
        Refused: it is too long, or of too high a degree.
    """
    atoms = sorted({a for powers in p for a, _ in powers}, key=lambda a: a.order)
    if len(p) > MOST_TERMS:
        raise Refused("a long polynomial")
    least = common(p)
    parts = {a: lcm(*((dict(powers).get(a, mpq(0)) - least[a]).denominator for powers in p)) for a in atoms}
    scale = lcm(*(c.denominator for c in p.values()))
    table: dict[tuple[int, ...], int] = {}
    for powers, c in p.items():
        own = dict(powers)
        degrees = tuple(int((own.get(a, mpq(0)) - least[a]) * parts[a]) for a in atoms)
        if sum(degrees) > MOST_DEGREE:
            raise Refused("a polynomial of high degree")
        table[degrees] = int(c * scale)
    monomial = in_order(least)
    if len(p) == 1:
        ((_, c),) = p.items()
        return c, monomial, []
    names = tuple(f"x{k}" for k in range(len(atoms)))
    content, found = fmpz_mpoly_ctx.get(names, Ordering.lex).from_dict(table).factor()
    rest = [(_poly(q.to_dict(), atoms, parts), int(k)) for q, k in found]
    number = mpq(int(content), scale)
    product: Poly = {(): number}
    for q, k in [({monomial: mpq(1)}, 1), *rest]:
        for _ in range(k):
            product = product_of(product, q)
    if product != p:
        raise Refused("factors that do not multiply out to the polynomial")
    return number, monomial, rest


def reduced(x: Ratio) -> Ratio:
    """A ratio without the factors that numerator and denominator have in common, as far as these are found.

    >>> from asymp.kernel import terms
    >>> from asymp.kernel.rings.ratio import atom, rational
    >>> x = atom(terms.name("x"))
    >>> found = reduced((x.power(2) - rational(1)) * (x + rational(1)).inverse())
    >>> found == x - rational(1), len(found.den)
    (True, 1)
    """
    if len(x.den) == 1 or not x.num:
        return x
    try:
        above, below = factored(x.num), factored(x.den)
    except Refused:
        return x
    both = [(q, min(k, m)) for q, k in above[2] for p, m in below[2] if p == q]
    if not both:
        return x
    num, den = (_without(*found, both) for found in (above, below))
    return num * den.inverse()


def _without(c: mpq, powers: Powers, rest: list[tuple[Poly, int]], out: list[tuple[Poly, int]]) -> Ratio:
    found = Ratio({powers: c})
    for q, k in rest:
        found = found * Ratio(q).power(k - next((m for p, m in out if p == q), 0))
    return found


def _poly(table: dict[tuple[int, ...], int], atoms: list[Term], parts: dict[Term, int]) -> Poly:
    found: Poly = {}
    for degrees, c in table.items():
        powers = in_order({a: mpq(int(k), parts[a]) for a, k in zip(atoms, degrees, strict=True)})
        found[powers] = mpq(int(c))
    return found or dict(ONE_POLY)
