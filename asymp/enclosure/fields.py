"""Terms as quotients of polynomials in what they are made of, by FLINT: lowest terms, factors, partial fractions.

The generators are names, functions and powers whose exponents are not numbers; of one that stands in fractional powers, a root.
That such roots and powers satisfy equations of their own is not seen: what is found equal is equal.

>>> str(cancelled(read("1/(x - 1) - 1/(x + 1)"))), str(factored(read("x^2 - 2*x*y + y^2")))
('2*(-1 + x^2)^(-1)', '(x - y)^2')
>>> [str(part) for part in partial(read("1/(k*(n - k))"), "k")]
['k^(-1)*n^(-1)', '-n^(-1)*(k - n)^(-1)']
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import factorial, lcm
from typing import Any

from flint import Ordering, fmpq_mpoly, fmpq_mpoly_ctx
from gmpy2 import mpq

from asymp.budget import METER, uncounted
from asymp.enclosure.algebra import OO, E, base_and_exponent, negative, over, plus, raised, subs, summands, times, whole
from asymp.enclosure.algebra import coefficient as coefficient_of
from asymp.enclosure.calculus import coefficients, diff
from asymp.enclosure.numbers import to_fmpq
from asymp.kernel.terms import ONE, ZERO, Refused, Term, number
from asymp.kernel.terms import read as read

MOST_DEGREE = 1_000
MOST_PARTS = 20_000
LONG_FACTORS = 400
"""Terms of a polynomial that is factored."""


@dataclass(frozen=True)
class Fraction:
    """num/den in lowest terms, polynomials in roots of the generators."""

    num: fmpq_mpoly
    den: fmpq_mpoly
    roots: tuple[tuple[Term, int], ...]

    def term(self, poly: fmpq_mpoly) -> Term:
        """A polynomial as a term."""
        found = []
        for degrees, c in poly.to_dict().items():
            powers = (
                raised(g, number(mpq(int(k), q))) for (g, q), k in zip(self.roots, degrees, strict=True) if k
            )
            found.append(times(number(mpq(int(c.p), int(c.q))), *powers))
        return plus(*found) if found else ZERO


def _monomial(term: Term) -> list[tuple[Term, mpq]] | None:
    """Generators with exponents that are numbers; None where it is made of parts by +, * or a whole power."""
    base, exponent = base_and_exponent(term)
    if term.head in ("sum", "product") or (term.head == "power" and whole(exponent) is not None and not base.is_number):
        return None
    if exponent.is_number:
        return [(base, exponent.number)]
    found = []
    for part in summands(exponent):
        c, rest = coefficient_of(part)
        if rest == ONE and base.is_number and c.denominator == 1:
            found.append((base, c))
        else:
            found.append((raised(base, rest) if rest != ONE else base, c))
    return found


def _generators(term: Term, found: dict[Term, int]) -> None:
    if term.is_number:
        return
    several = _monomial(term)
    if several is None:
        for part in term.parts if term.head != "power" else term.parts[:1]:
            _generators(part, found)
        return
    for base, exponent in several:
        if not (base.is_number and exponent.denominator == 1):
            found[base] = lcm(found.get(base, 1), int(exponent.denominator))


def fraction(term: Term) -> Fraction:
    """A term as a fraction (Refused: it is too long, or divides by 0)."""
    METER.steps += 200
    found: dict[Term, int] = {}
    _generators(term, found)
    if OO in found:
        raise Refused("algebra with oo")
    roots = tuple(sorted(found.items(), key=lambda item: item[0].order))
    context = fmpq_mpoly_ctx.get(tuple(f"x{k}" for k in range(len(roots))) or ("x0",), Ordering.lex)
    if not roots:
        roots = ((E, 1),)
    places = {g: (context.gens()[k], q) for k, (g, q) in enumerate(roots)}
    num, den = _read(term, context, places)
    num, den = _lowest(num, den)
    return Fraction(num, den, roots)


def _lowest(num: fmpq_mpoly, den: fmpq_mpoly) -> tuple[fmpq_mpoly, fmpq_mpoly]:
    if den.is_constant():
        return num / den.leading_coefficient(), den / den.leading_coefficient()
    common = num.gcd(den)
    return (num, den) if common.is_one() else (divmod(num, common)[0], divmod(den, common)[0])


def _times(p: fmpq_mpoly, q: fmpq_mpoly) -> fmpq_mpoly:
    if len(p) * len(q) > MOST_PARTS:
        raise Refused("a product of long polynomials")
    return p * q


def _power(p: fmpq_mpoly, k: int) -> fmpq_mpoly:
    if k > MOST_DEGREE or (len(p) > 1 and len(p) * k > MOST_DEGREE):
        raise Refused("a polynomial of a high degree")
    return p**k


def _read(term: Term, context: Any, places: dict[Term, tuple[Any, int]]) -> tuple[fmpq_mpoly, fmpq_mpoly]:
    one = context.constant(1)
    if term.is_number:
        return context.constant(to_fmpq(term.number)), one
    if term.head == "sum":
        num, den = context.constant(0), one
        for part in term.parts:
            a, b = _read(part, context, places)
            if b == den:
                num = num + a
            else:
                num, den = _lowest(_times(num, b) + _times(a, den), _times(den, b))
        return num, den
    if term.head == "product":
        num, den = one, one
        for part in term.parts:
            a, b = _read(part, context, places)
            num, den = _times(num, a), _times(den, b)
        return _lowest(num, den)
    several = _monomial(term)
    if several is None:
        k = int(term.parts[1].number)
        num, den = _read(term.parts[0], context, places)
        if k < 0:
            if num.is_zero():
                raise Refused("a division by 0")
            num, den = den, num
        return _power(num, abs(k)), _power(den, abs(k))
    num, den = one, one
    for base, exponent in several:
        if base.is_number and exponent.denominator == 1:
            if abs(exponent) > MOST_DEGREE:
                raise Refused("a high power of a number")
            num = num * to_fmpq(base.number) ** int(exponent)
            continue
        variable, q = places[base]
        k = int(exponent * q)
        if k > 0:
            num = _times(num, _power(variable, k))
        else:
            den = _times(den, _power(variable, -k))
    return num, den


@uncounted
@lru_cache(maxsize=2048)
def parts(term: Term) -> tuple[Term, Term]:
    """Numerator and denominator in lowest terms, multiplied out."""
    found = fraction(term)
    return found.term(found.num), found.term(found.den)


def cancelled(term: Term) -> Term:
    """The term as one fraction in lowest terms."""
    return over(*parts(term))


@uncounted
@lru_cache(maxsize=2048)
def split(term: Term) -> tuple[Term, tuple[tuple[Term, int], ...]]:
    """A rational number, and irreducible factors with their powers."""
    found = fraction(term)
    if len(found.num) > LONG_FACTORS or len(found.den) > LONG_FACTORS:
        raise Refused("a factorisation of a long polynomial")
    if found.num.is_zero():
        return ZERO, ()
    number_, rest = mpq(1), []
    for poly, side in ((found.num, 1), (found.den, -1)):
        c, several = poly.factor()
        number_ *= mpq(int(c.p), int(c.q)) ** side
        rest += [(found.term(one), side * int(k)) for one, k in several]
    return number(number_), tuple(rest)


def factored(term: Term) -> Term:
    """The term as a product of powers of irreducible polynomials."""
    c, rest = split(term)
    return times(c, *(raised(one, number(k)) for one, k in rest))


def is_identity(term: Term) -> bool:
    """Whether it is 0 by identity."""
    try:
        return term == ZERO or bool(fraction(term).num.is_zero())
    except Refused:
        return False


def degree(term: Term, variable: str) -> int | None:
    """Of a polynomial in a variable; None where it is none."""
    found = coefficients(term, variable)
    return None if found is None else len(found) - 1


def partial(term: Term, variable: str) -> list[Term]:
    """Terms that add up to a rational function of a variable: one for each power of a linear factor below, and the rest.

    Raises:
        Refused: it is too long.
    """
    c, rest = split(term)
    below = [(one, -k) for one, k in rest if k < 0 and variable in one.free]
    total, found = times(c, *(raised(one, number(k)) for one, k in rest)), []
    for one, order in below:
        straight = coefficients(one, variable)
        if straight is None or len(straight) != 2:
            continue
        slope, root = straight[1], negative(over(straight[0], straight[1]))
        local = cancelled(times(total, raised(one, number(order))))  # f (a k + b)^m about its zero
        for j in range(order):
            there = subs(local, {variable: root})
            value = cancelled(over(there, times(number(factorial(j)), raised(slope, number(j)))))
            if value != ZERO:
                found.append(times(value, raised(one, number(j - order))))
            if j + 1 < order:
                local = cancelled(diff(local, variable))
    if not found:
        return [total]
    left = cancelled(plus(total, *map(negative, found)))
    if left == ZERO:
        return found
    return [*found, *(summands(left) if left.head == "sum" else [left])]
