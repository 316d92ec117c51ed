"""Infinite sums of geometric kind, enclosed: finitely many terms, and a bound of the rest.

The body is a sum of monomials in the variable k: factors free of k, powers k^m with a number m, and x^(c k + d) with x, c
and d free of k and a number c.  For k >= N >= 1 such a monomial t has |t(k + 1)/t(k)| <= |x|^c (1 + 1/N)^max(m, 0), the
product taken over its factors; where that is at most q < 1 the rest from N on is at most |t(N)|/(1 - q).

>>> [str(part) for part in monomials(read("Sum((k + 1)*2^(-k), (k, 1, 9))").parts[0])[0]]
['2^(-bound0)', 'bound0']
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from gmpy2 import mpq

from asymp.kernel.terms import ONE, Refused, Term, multiply, power
from asymp.kernel.terms import read as read

MOST_MONOMIALS = 50
MOST_POWER = 4


@dataclass(frozen=True)
class Monomial:
    """A monomial: the whole of it, the sum of its positive exponents of k, and what is raised to c k + d, with c."""

    term: Term
    degree: mpq
    rates: tuple[tuple[Term, mpq], ...]


def mentions(term: Term, depth: int = 0) -> bool:
    """Whether the variable of the binder that stands ``depth`` further out occurs in a term."""
    return depth in term.indices


def monomials(body: Term) -> list[list[Term]]:
    """The factors of the monomials of a body, sums multiplied out where the variable stands in them.

    Raises:
        Refused: there are too many.
    """
    if body.head == "power" and body.parts[1].is_number and body.parts[1].number.denominator == 1 and mentions(body.parts[0]):
        base, k = body.parts
        if base.head == "sum" and 1 <= k.number <= MOST_POWER:
            return monomials(Term("product", (base,) * int(k.number)))
        if base.head == "product":  # a whole power of a product
            return monomials(Term("product", tuple(power(part, k) for part in base.parts)))
    if not mentions(body) or body.head not in ("sum", "product"):
        return [[body]]
    parts = [monomials(part) for part in body.parts]
    if body.head == "sum":
        found = [one for part in parts for one in part]
    else:
        found = [[factor for one in row for factor in one] for row in product(*parts)]
    if len(found) > MOST_MONOMIALS:
        raise Refused("a sum of too many monomials")
    return found


def geometric(body: Term) -> list[Monomial]:
    """The body of a sum as monomials of geometric kind.

    Raises:
        Refused: it is of another form.
    """
    return [_monomial(factors) for factors in monomials(body)]


def _monomial(factors: list[Term]) -> Monomial:
    degree, rates = mpq(0), []
    variable = Term("bound")
    for factor in factors:
        if not mentions(factor):
            continue
        base, exponent, times = factor, ONE, mpq(1)
        if factor.head == "power" and factor.parts[0].head in ("exp", "power") and factor.parts[1].is_number:
            factor, times = factor.parts[0], factor.parts[1].number  # (x^(c k + d))^m
        if factor.head == "exp":
            base, exponent = Term("exp", (ONE,)), factor.parts[0]
        elif factor.head == "power":
            base, exponent = factor.parts
        if base == variable and exponent.is_number and times == 1:
            degree += max(exponent.number, mpq(0))
        elif not mentions(base) and mentions(exponent):
            rates.append((base, times * _slope(exponent)))
        else:
            raise Refused("an infinite sum that is not of geometric kind")
    return Monomial(multiply(*factors), degree, tuple(rates))


def _slope(exponent: Term) -> mpq:
    """c, of c k + d."""
    found = mpq(0)
    for part in exponent.parts if exponent.head == "sum" else (exponent,):
        if not mentions(part):
            continue
        factors = part.parts if part.head == "product" else (part,)
        numbers = [factor.number for factor in factors if factor.is_number]
        if len(factors) != len(numbers) + 1 or Term("bound") not in factors:
            raise Refused("an exponent that is not linear in the variable of the sum")
        found += numbers[0] if numbers else 1
    return found
