"""Rational functions with rational coefficients in *atoms*, which are terms: parameters, constants and functions of them.

They are zero by identity, once everything is multiplied out.

>>> x = atom(terms.name("x"))
>>> ((x - rational(1)) * (x + rational(1)) - x.power(2) + rational(1)).is_zero
True
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import gcd, lcm
from typing import Any

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.terms import NOUGHT, Refused, Term
from asymp.language.once import once

Powers = tuple[tuple[Term, mpq], ...]
"""Exponents of atoms.  A fractional one stands over a positive atom; prime numbers are atoms with exponents in (0, 1)."""
Poly = dict[Powers, mpq]
MOST_PARTS = 2_000
MOST_DEGREE = 60
LARGEST_PRIME = 1_000
_UNIT = mpq(1)
ONE_POLY: Poly = {(): _UNIT}


# --- polynomials -----------------------------------------------------------------------------------


def _plus(p: Poly, q: Poly, factor: mpq = mpq(1)) -> Poly:
    found = dict(p)
    for powers, c in q.items():
        total = found.get(powers, mpq(0)) + factor * c
        if total:
            found[powers] = total
        else:
            found.pop(powers, None)
    return found


def joined(a: Powers, b: Powers) -> tuple[mpq, Powers]:
    """The product of two monomials, as a rational number times a monomial; ``b`` may have primes with exponents of any size."""
    if not b:
        return _UNIT, a
    found = dict(a)
    numbers = False
    for atom, k in b:
        numbers = numbers or atom.is_number
        found[atom] = found[atom] + k if atom in found else k
    if not numbers:
        return _UNIT, in_order(found)
    factor = _UNIT
    for atom, k in found.items():
        if atom.is_number and not 0 <= k < 1:
            whole = k.numerator // k.denominator
            factor *= number_power(atom.number, whole)
            found[atom] = k - whole
    return factor, in_order(found)


def in_order(found: dict[Term, mpq]) -> Powers:
    """A monomial from its exponents."""
    return tuple(sorted(((atom, k) for atom, k in found.items() if k), key=lambda item: item[0].order))


def number_power(base: mpq, k: int) -> mpq:
    """A whole power of a rational number.

    Raises:
        Refused: a high one.
    """
    if abs(k) > terms.LARGEST_POWER:
        raise Refused("a high power of a number")
    return base**k


def common(p: Poly) -> dict[Term, mpq]:
    """The exponents of the greatest monomial that divides a polynomial: of each of its atoms the least."""
    rows = [dict(powers) for powers in p]
    return {a: min(row.get(a, NOUGHT) for row in rows) for a in {a: None for row in rows for a in row}}


def primitive(p: Poly) -> tuple[mpq, Powers, list[tuple[Poly, int]]]:
    """A polynomial as c m q: c > 0, m the greatest monomial that divides it, q with coprime coefficients."""
    least = common(p)
    c = mpq(gcd(*(d.numerator for d in p.values())), lcm(*(d.denominator for d in p.values())))
    rest = {in_order({a: dict(powers).get(a, NOUGHT) - k for a, k in least.items()}): d / c for powers, d in p.items()}
    return c, in_order(least), [(rest, 1)]


def primes(c: mpq) -> list[tuple[int, int]]:
    """A positive rational number as a product of powers; large factors are left whole."""
    found = []
    for number, side in ((c.numerator, 1), (c.denominator, -1)):
        for prime in range(2, LARGEST_PRIME):
            count = 0
            while number % prime == 0:
                number, count = number // prime, count + 1
            if count:
                found.append((prime, side * count))
            if number == 1:
                break
        if number > 1:
            found.append((number, side))
    return found


def product_of(p: Poly, q: Poly, most: int = MOST_PARTS) -> Poly:
    """The product of two polynomials.

    Raises:
        Refused: it has too many terms.
    """
    if len(p) * len(q) > most:
        raise Refused("coefficients of too many terms")
    if p == ONE_POLY or q == ONE_POLY:
        return dict(q if p == ONE_POLY else p)
    found: Poly = {}
    for a, c in p.items():
        for b, d in q.items():
            factor, powers = joined(a, b)
            total = found.get(powers, mpq(0)) + c * d * factor
            if total:
                found[powers] = total
            else:
                found.pop(powers, None)
    return found


def gathered(p: Poly) -> tuple[Powers, Poly]:
    """Powers m of the (positive) sums among the atoms of a polynomial p, and q with p = m q, where their exponents are in [0, 1).

    There may be sums inside the sums, which are then atoms of q.

    Raises:
        Refused: a high power of a sum.
    """
    sums = sorted({a for powers in p for a, _ in powers if a.head == "sum"}, key=lambda a: a.order)
    low = {a: mpq(k // 1) for a, k in common(p).items() if a.head == "sum"} if sums else {}
    if all(0 <= k < 1 for powers in p for a, k in powers if a.head == "sum"):
        return (), p
    found: Poly = {}
    for powers, c in p.items():
        left = dict(powers)
        part: Poly = {(): c}
        for a in sums:
            k = left.pop(a, mpq(0)) - low[a]
            left[a] = k % 1
            if k // 1 > MOST_DEGREE:
                raise Refused("a high power of a sum")
            for _ in range(int(k // 1)):
                part = product_of(part, _terms_of(a))
        found = _plus(found, product_of(part, {in_order(left): mpq(1)}))
    return in_order(low), found


def multiplied_out(p: Poly) -> Poly:
    """A polynomial times powers of its atoms that are sums (and positive), with exponents of these in [0, 1)."""
    powers, found = gathered(p)
    return multiplied_out(found) if powers else found


def without_sums_below(x: Ratio) -> Ratio:
    """The same, where whole powers below 0 of the sums among its atoms stand in the denominator.

    >>> one = atom(terms.read("x + 1"))
    >>> found = without_sums_below(rational(2) * one.inverse())
    >>> len(found.num), len(found.den)
    (1, 2)
    """
    least = {a: k for a, k in common(x.num).items() if a.head == "sum" and k <= -1}
    for a, k in least.items():
        whole = int(-k)
        below = Ratio(_terms_of(a)).power(whole)
        x = Ratio(product_of(x.num, {((a, mpq(whole)),): _UNIT}), product_of(x.den, below.num))
    return x


def primitive_below(x: Ratio) -> Ratio:
    """The same with no monomial that divides the denominator."""
    front = Ratio({in_order({a: -k for a, k in common(x.den).items()}): _UNIT})
    return Ratio((Ratio(x.num) * front).num, (Ratio(x.den) * front).num)


def _terms_of(total: Term) -> Poly:
    """A sum of monomials in atoms, as it was written from a polynomial, as one again."""
    found: Poly = {}
    for part in total.parts if total.head == "sum" else (total,):
        c = mpq(1)
        powers: dict[Term, mpq] = {}
        for factor in part.parts if part.head == "product" else (part,):
            raised = factor.head == "power" and factor.parts[1].is_number
            base, exponent = (factor.parts[0], factor.parts[1].number) if raised else (factor, mpq(1))
            if base.is_number and exponent == 1:
                c *= base.number
            else:
                powers[base] = powers.get(base, mpq(0)) + exponent
        found = _plus(found, {in_order(powers): c})
    return found


@dataclass(frozen=True)
class Ratio:
    """num/den; exponents of atoms may be negative, and what can be is divided out of den."""

    num: Poly
    den: Poly = field(default_factory=lambda: dict(ONE_POLY))

    @once
    def key(self) -> Any:
        """Equal for equal polynomials; None where there is a denominator, in which one ratio may be written in two ways."""
        return frozenset(self.num.items()) if self.den == ONE_POLY else None

    @property
    def is_zero(self) -> bool:
        """Whether it is 0 by identity; powers of a sum, which is not 0 as it has a logarithm, are multiplied out."""
        return not multiplied_out(self.num)

    @property
    def is_one(self) -> bool:
        """Whether it is 1 by identity."""
        return not _plus(self.num, self.den, mpq(-1))

    def constant(self) -> mpq | None:
        """The rational number that it is, or None."""
        if self.is_zero:
            return mpq(0)
        c = next(iter(self.num.values())) / next(iter(self.den.values()))
        return c if not _plus(self.num, self.den, -c) else None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ratio) and (self - other).is_zero

    def __hash__(self) -> int:
        raise TypeError("equal ratios may be written differently")

    def __add__(self, other: Ratio) -> Ratio:
        if self.den == other.den:
            return _made(_plus(self.num, other.num), self.den)
        return _made(_plus(product_of(self.num, other.den), product_of(other.num, self.den)), product_of(self.den, other.den))

    def __neg__(self) -> Ratio:
        return Ratio({a: -c for a, c in self.num.items()}, self.den)

    def __sub__(self, other: Ratio) -> Ratio:
        return self + -other

    def __mul__(self, other: Ratio) -> Ratio:
        if self.num == other.den:
            return _made(other.num, self.den)
        if self.den == other.num:
            return _made(self.num, other.den)
        return _made(product_of(self.num, other.num), product_of(self.den, other.den))

    def inverse(self) -> Ratio:
        """1/x; that x is not 0 on the domain is for the caller to ask."""
        if self.is_zero:
            raise Refused("a division by zero")
        return _made(self.den, self.num)

    def power(self, k: int) -> Ratio:
        """A whole power."""
        if abs(k) > MOST_DEGREE and not self.is_one:
            raise Refused("a coefficient to a high power")
        if self.is_one:
            return rational(1)
        base, found = (self if k >= 0 else self.inverse()), rational(1)
        for _ in range(abs(k)):
            found = found * base
        return found


def _made(num: Poly, den: Poly) -> Ratio:
    if not num:
        return Ratio({})
    if len(den) == 1:
        (powers, c), = den.items()
        found: Poly = {}
        for a, d in num.items():
            factor, both = joined(a, tuple((atom, -k) for atom, k in powers))
            found[both] = found.get(both, mpq(0)) + d / c * factor
        return Ratio({a: d for a, d in found.items() if d})
    first = next(iter(den))
    c = num.get(first, mpq(0)) / den[first]
    if c and len(num) == len(den) and not _plus(num, den, -c):
        return Ratio({(): c})
    return Ratio(num, den)


def leading(p: Poly) -> Powers:
    """The monomial of the highest degree; of these the last in the order of the atoms."""
    return max(p, key=lambda powers: (sum(k for _, k in powers), [(a.order, k) for a, k in powers]))


def divided(x: Ratio) -> tuple[Ratio, Ratio]:
    """A quotient and a rest whose sum is x, no monomial of the rest's numerator a multiple of the one that leads in den.

    >>> x = atom(terms.name("x"))
    >>> quotient, rest = divided(x.power(2) * (x + rational(1)).inverse())
    >>> quotient == x - rational(1), len(rest.num)
    (True, 1)
    """
    top = leading(x.den)
    quotient, rest = rational(0), x.num
    for _ in range(MOST_DEGREE):
        for powers, c in sorted(rest.items(), key=lambda item: -sum(k for _, k in item[0])):
            own = dict(powers)
            if all(own.get(a, mpq(0)) >= k for a, k in top):
                factor, over = joined(powers, tuple((a, -k) for a, k in top))
                part: Poly = {over: c / x.den[top] * factor}
                quotient = quotient + Ratio(part)
                rest = _plus(rest, product_of(part, x.den), mpq(-1))
                break
        else:
            break
    return quotient, _made(rest, x.den)


def rational(value: int | mpq) -> Ratio:
    """A rational number."""
    return Ratio({(): mpq(value.numerator, value.denominator)} if value else {})


def atom(term: Term) -> Ratio:
    """A parameter, a constant, or a function of them, by itself."""
    return Ratio({((term, mpq(1)),): mpq(1)})


def to_term(x: Ratio) -> Term:
    """The coefficient as a canonical term: of a denominator the common monomial, and the leading number, are taken out."""

    def poly(p: Poly) -> Term:
        return terms.add(*(
            terms.multiply(terms.number(c), *(terms.power(a, terms.number(k)) for a, k in powers)) for powers, c in p.items()
        ))  # fmt: skip

    if x.den == ONE_POLY:
        return poly(x.num)
    front = Ratio({in_order(common(x.den)): x.den[leading(x.den)]}).inverse()
    return terms.multiply(poly((Ratio(x.num) * front).num), terms.reciprocal(poly((Ratio(x.den) * front).num)))
