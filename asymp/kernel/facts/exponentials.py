"""Integrals of polynomials times exponentials: exactly those of sums of P(t) exp(-c t) with rational coefficients and rates.

From a number a to oo, for c > 0, and between two numbers, where c = 0, what is integrated is defined everywhere, and

    int_a^oo t^k exp(-c t) dt = k!/c^(k + 1)  for a = 0,    int_a^b t^k dt = (b^(k + 1) - a^(k + 1))/(k + 1)

(DLMF 5.9.1, with q = 1, for the first); other ends are refused.  Powers, products and finite sums are multiplied out.
A power of what has the variable in it has a whole exponent from 0 on; 0 itself where the base is a number times t^k, which is 0
at an end of the integral at most.  Exp stands over a number times the variable: a constant part would not be rational.

And by a ball (:func:`falling`) the integral from 0 to oo of the exponential of a polynomial of higher degree.

>>> from asymp.kernel.terms import read
>>> def values(part, inner):
...     return inner[0] if part.head == "bound" else point(part.number.numerator, part.number.denominator)
>>> integral(read("Integral(Sum(t^i, (i, 0, 2))^2*exp(-3*t), (t, 0, oo))"), values)
83/81
"""

from __future__ import annotations

from collections.abc import Callable

from flint import acb, arb, fmpq, fmpq_poly, fmpz

from asymp.kernel.facts.intervals import Range, point
from asymp.kernel.facts.tails import mentions
from asymp.kernel.rings.moments import powers_of
from asymp.kernel.terms import Refused, Term, has_bound, name, number
from asymp.kernel.trust import FLINT, of_flint, rests_on

MOST_DEGREE = 3_000
MOST_RATES = 20
MOST_TERMS = 1_000
MOST_POWER = 30
FAR, FARTHEST = 64, 4096
"""Where the rest of an integral begins, at least and at most."""
INFINITE = name("oo")

Integrand = dict[fmpq, fmpq_poly]
"""The polynomial of each rate c: the sum of P(t) exp(-c t)."""
Values = Callable[[Term, tuple[Range, ...]], Range]
"""What a part without the variable is, at the values of what is bound inside of the integral and around the part."""


def integral(term: Term, of: Values) -> fmpq:
    """The value of an integral.

    Raises:
        Refused: it is of another form.
    """
    body, low, high = term.parts
    first, last = _value(low, (), of), None if high == INFINITE else _value(high, (), of)
    if first < 0 or (last is not None and last < first):
        raise Refused("an integral from below 0, or backwards")
    found = fmpq(0)
    for rate, polynomial in _of(body, (), of).items():
        if last is not None and rate == 0:
            antiderivative = polynomial.integral()
            found += antiderivative(last) - antiderivative(first)
        elif last is None and first == 0 and rate > 0:
            rests_on("DLMF 5.9.1")
            found += sum((c * fmpz.fac_ui(k) / rate ** (k + 1) for k, c in enumerate(polynomial.coeffs())), fmpq(0))
        else:
            raise Refused("an integral with other ends, or of what does not fall")
    return found


def _value(part: Term, inner: tuple[Range, ...], of: Values) -> fmpq:
    found = of(part, inner)
    if not found.is_point:
        raise Refused("an integral of what is not exact")
    return found.low


def _of(term: Term, inner: tuple[Range, ...], of: Values) -> Integrand:
    """A term that stands under so many sums inside the integral: its variable is the next one outwards."""
    depth, bound = len(inner), (*inner, point(0))  # the variable does not stand in what is asked
    if not mentions(term, depth):
        return {fmpq(0): fmpq_poly([_value(term, bound, of)])}
    match term.head:
        case "bound":
            return {fmpq(0): fmpq_poly([0, 1])}
        case "sum":
            return _added([_of(part, inner, of) for part in term.parts])
        case "product":
            found = _of(term.parts[0], inner, of)
            for part in term.parts[1:]:
                found = _times(found, _of(part, inner, of))
            return found
        case "power" if not mentions(term.parts[1], depth):
            return _power(_of(term.parts[0], inner, of), _value(term.parts[1], bound, of))
        case "exp":
            return _exp(_of(term.parts[0], inner, of))
        case "Sum" if not any(mentions(end, depth) for end in term.parts[1:]):
            first, last = (_value(end, bound, of) for end in term.parts[1:])
            if not (first.q == last.q == 1 and 0 <= last - first < MOST_TERMS):
                raise Refused("a sum in an integral that is not short, between whole numbers")
            rows = range(int(first.p), int(last.p) + 1)
            return _added([_of(term.parts[0], (point(k), *inner), of) for k in rows])
    raise Refused(f"an integral over {term.head}")


def _added(parts: list[Integrand]) -> Integrand:
    found: Integrand = {}
    for one in parts:
        for rate, polynomial in one.items():
            found[rate] = found.get(rate, fmpq_poly()) + polynomial
    if len(found) > MOST_RATES:
        raise Refused("an integral over too many exponentials")
    return found


def _times(one: Integrand, other: Integrand) -> Integrand:
    if _degree(one) + _degree(other) > MOST_DEGREE:
        raise Refused("an integral over a polynomial of too high a degree")
    return _added([{c + d: p * q} for c, p in one.items() for d, q in other.items()])


def _degree(one: Integrand) -> int:
    return max((polynomial.degree() for polynomial in one.values()), default=0)


def _power(base: Integrand, n: fmpq) -> Integrand:
    if n.q != 1 or not 0 <= n <= MOST_DEGREE:
        raise Refused("a power in an integral whose exponent is not whole, from 0")
    if n == 0 and (len(base) > 1 or not all(map(_is_monomial, base.values()))):
        raise Refused("0^0 in an integral, perhaps")
    if len(base) == 1:
        ((rate, polynomial),) = base.items()
        if polynomial.degree() * n > MOST_DEGREE:
            raise Refused("an integral over a polynomial of too high a degree")
        return {n * rate: polynomial ** int(n.p)}
    found = base
    for _ in range(int(n.p) - 1):
        found = _times(found, base)
    return found


def _is_monomial(p: fmpq_poly) -> bool:
    return sum(1 for c in p.coeffs() if c) == 1


def _exp(of: Integrand) -> Integrand:
    polynomial = of.get(fmpq(0), fmpq_poly())
    if set(of) != {fmpq(0)} or polynomial.degree() > 1 or polynomial[0] != 0:
        raise Refused("exp in an integral of what is not a number times its variable")
    return {-polynomial[1]: fmpq_poly([1])}


def is_of_powers(term: Term) -> bool:
    """Whether an integral is one for :func:`falling`: from 0 to oo, of exp of powers that are not all the first."""
    try:
        return any(q != number(1) for _, q in powers_of(term)[1])
    except Refused:
        return False


def falling(term: Term, of: Values) -> arb:
    """int_0^oo exp(P(u)) du, P a polynomial without constant of degree d >= 2 whose leading coefficient c is negative.

    Beyond L >= 1 with c + sum of the c_i > 0 times L^(i - d) + L^(1 - d) <= 0 is P(u) <= -u, and the rest at most exp(-L).

    Raises:
        Refused: it is another integral.
    """
    powers: dict[int, arb] = {}
    factor, exponent = powers_of(term)
    if factor != number(0):
        raise Refused("an integral with a power as a factor")
    for c, q in exponent:
        if not q.is_number or q.number.denominator != 1 or not 0 < q.number <= MOST_POWER:
            raise Refused("an exponent that is no small whole number")
        if c.free or has_bound(c):
            raise Refused("an integral that is no constant")
        value = of(c, ())
        powers[int(q.number)] = powers.get(int(q.number), arb(0)) + value.ball
    top = max(powers)
    if top < 2 or not powers[top] < 0:
        raise Refused("an integral that may not converge")
    far = FAR
    others = [(i, c) for i, c in powers.items() if i != top]
    while not powers[top] + sum((abs(c) * arb(far) ** (i - top) for i, c in others), arb(far) ** (1 - top)) <= 0:
        far *= 2
        if far > FARTHEST:
            raise Refused("an integral over a long range")
    rests_on(f"{FLINT}acb.integral")
    value = acb.integral(lambda z, _: sum((c * z**i for i, c in powers.items()), acb(0)).exp(), 0, far, rel_tol=arb(2) ** -80)
    return value.real + arb(0, 1) * of_flint(-arb(far), "exp")
