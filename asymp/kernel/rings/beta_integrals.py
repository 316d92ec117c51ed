r"""Integrals of powers of 1 - e^(-c t) and 1 - (1 + t)^(-a) over t > 0, and of x and 1 - x from 0 to 1, in closed form: moments
of the largest of many quantities with these laws, and of the others.

With u = e^(-c t), a = b/c > 0, N > -1, and j derivatives in a of B(a, N + 1) = Gamma(a) Gamma(N + 1)/Gamma(a + N + 1) (DLMF
5.12.1),

    int_0^oo t^j e^(-b t) (1 - e^(-c t))^N dt = c^(-j-1) (-d/da)^j B(a, N + 1).

where the logarithm of B has the derivative psi(a) - psi(a + N + 1) = harmonic(a - 1) - harmonic(a + N).  For a -> 0,
B(a, 1) - B(a, N + 1) = H - (H^2 + H') a/2 + O(a^2), with H = harmonic(N) and H' = pi^2/6 - psi'(N + 1), so that

    int_0^oo (1 - (1 - e^(-c t))^N) dt = H/c,   int_0^oo t (1 - (1 - e^(-c t))^N) dt = (H^2 + H')/(2 c^2),

and a sum of multiples k_i t^j (1 - e^(-c t))^(N_i) with sum k_i = 0, which alone converges, is one of these.  By parts, with
u = (1 + t)^(-a), a > 1, N > 0,

    int_0^oo (1 - (1 - (1 + t)^(-a))^N) dt = N B(1 - 1/a, N) - 1.

>>> str(closed(terms.read("Integral(1 - (1 - exp(-2*t))^n, (t, 0, oo))"), lambda term: True))
'1/2*harmonic(n)'
>>> closed(terms.read("Integral(2 - (1 - exp(-2*t))^n, (t, 0, oo))"), lambda term: True)
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: an integral that diverges
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import prod

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.rings.named_integrals import named
from asymp.kernel.terms import ONE, ZERO, Refused, Term, add, call, multiply, negative, number, power, reciprocal
from asymp.kernel.trust import rests_on

T = terms.name("t_of_the_integral")
OO = terms.name("oo")
MOST_PARTS = 24
EXPONENTIAL, PARETO = "exponential", "power"
Positive = Callable[[Term], bool]


@dataclass(frozen=True)
class Part:
    """factor * t^power * e^(-rate t) * base^degree, the base 1 - e^(-c t) or 1 - (1 + t)^(-c); or t^power (1 - t^c)^degree."""

    factor: Term = ONE
    power: Term = ZERO
    rate: Term = ZERO
    degree: Term = ZERO
    base: tuple[str, Term] | None = None


def closed(term: Term, positive: Positive) -> Term:
    """What an integral is.

    Args:
        term: the integral.
        positive: whether a term that is free of t is seen to be above 0.

    Raises:
        Refused: it is another integral, or not seen to converge.
    """
    with suppress(Refused):
        return named(term, positive)
    body, low, high = term.parts
    if low != ZERO or high not in (OO, ONE) or T.name in term.free:
        raise Refused("an integral of another form")
    parts = [_part(factors, high) for factors in products(terms.opened(body, T))]
    if high == ONE:
        found = [_beta(one, positive) for one in parts]
        rests_on("DLMF 5.12.1")
        return add(*found)
    bases = {one.base for one in parts if one.base is not None}
    if len(bases) != 1:
        raise Refused("an integral without a power of 1 - exp(-c*t), or with several")
    (kind, c), settled = bases.pop(), [one for one in parts if one.rate == ZERO]
    if not positive(c) or (kind == PARETO and not positive(add(c, number(-1)))):
        raise Refused("an integral that is not seen to converge")
    found = [_falling(one, kind, c, positive) for one in parts if one.rate != ZERO]
    for j in dict.fromkeys(one.power for one in settled):
        found += _settled([one for one in settled if one.power == j], j, kind, c, positive)
    rests_on("DLMF 5.12.1", *(["DLMF 5.4.14"] if kind == EXPONENTIAL else []))
    return add(*found)


def products(term: Term) -> list[list[Term]]:
    """A term multiplied out, as lists of factors; powers stay."""
    if term.head == "sum":
        found = [one for part in term.parts for one in products(part)]
    elif term.head == "product":
        found = [[]]
        for part in term.parts:
            others = products(part)
            if len(found) * len(others) > MOST_PARTS:
                raise Refused("an integrand of too many parts")
            found = [[*one, *other] for one in found for other in others]
    else:
        found = [[term]]
    if len(found) > MOST_PARTS:
        raise Refused("an integrand of too many parts")
    return found


def _part(factors: Sequence[Term], high: Term) -> Part:
    found = Part()
    for factor in factors:
        base, exponent = factor.parts if factor.head == "power" else (factor, ONE)
        if exponent == ZERO:
            raise Refused("0^0 in an integral")
        if T.name not in factor.free:
            found = replace(found, factor=multiply(found.factor, factor))
        elif T.name in exponent.free:
            raise Refused("an exponent that moves")
        elif base == T:
            found = replace(found, power=add(found.power, exponent))
        elif high == ONE and (c := _below_one(base)) is not None and found.base in (None, ("power of t", c)):
            found = replace(found, degree=add(found.degree, exponent), base=("power of t", c))
        elif high == OO and base.head == "exp":
            found = replace(found, rate=add(found.rate, multiply(exponent, rate_of(base))))
        elif high == OO and (own := _base(base)) is not None and found.base in (None, own):
            found = replace(found, degree=add(found.degree, exponent), base=own)
        else:
            raise Refused("an integrand of another form")
    return found


def _below_one(term: Term) -> Term | None:
    """c of 1 - t^c."""
    if term.head != "sum" or len(term.parts) != 2 or ONE not in term.parts:
        return None
    other = negative(term.parts[1 if term.parts[0] == ONE else 0])
    base, c = other.parts if other.head == "power" else (other, ONE)
    return c if base == T and T.name not in c.free else None


def rate_of(term: Term) -> Term:
    """c of e^(-c t).

    Raises:
        Refused: it is another exponential.
    """
    exponent = term.parts[0]
    factors = exponent.parts if exponent.head == "product" else (exponent,)
    others = [factor for factor in factors if factor != T]
    if len(others) != len(factors) - 1 or any(T.name in factor.free for factor in others):
        raise Refused("an exponential of another form")
    return negative(multiply(*others))


def _base(term: Term) -> tuple[str, Term] | None:
    """The kind, and c, of 1 - e^(-c t) and 1 - (1 + t)^(-c)."""
    if term.head != "sum" or len(term.parts) != 2 or ONE not in term.parts:
        return None
    other = negative(term.parts[1 if term.parts[0] == ONE else 0])
    if other.head == "exp":
        return EXPONENTIAL, rate_of(other)
    if other.head == "power" and other.parts[0] == add(ONE, T) and T.name not in other.parts[1].free:
        return PARETO, negative(other.parts[1])
    return None


def _gammas(a: Term, b: Term, positive: Positive) -> Term:
    """B(a, b)."""
    if not (positive(a) and positive(b)):
        raise Refused("an integral that is not seen to converge")
    return multiply(call("gamma", a), call("gamma", b), reciprocal(call("gamma", add(a, b))))


def _beta(one: Part, positive: Positive) -> Term:
    """From 0 to 1: with u = t^c, B((s + 1)/c, N + 1)/c."""
    c = one.base[1] if one.base is not None else ONE
    if not positive(c):
        raise Refused("an integral of another form")
    over = reciprocal(c)
    return multiply(one.factor, over, _gammas(multiply(add(one.power, ONE), over), add(one.degree, ONE), positive))


def _falling(one: Part, kind: str, c: Term, positive: Positive) -> Term:
    """With an exponential."""
    if kind != EXPONENTIAL or one.power not in (ZERO, ONE):
        raise Refused("an integrand of another form")
    a, b = multiply(one.rate, reciprocal(c)), add(one.degree, ONE)
    found = multiply(one.factor, _gammas(a, b, positive), reciprocal(c))
    if one.power == ZERO:
        return found
    upto = [call("harmonic", add(x, number(-1))) for x in (add(a, b), a)]
    return multiply(found, reciprocal(c), add(upto[0], negative(upto[1])))


def _settled(parts: Sequence[Part], j: Term, kind: str, c: Term, positive: Positive) -> list[Term]:
    """Without, those of one power of t: their factors add up to 0."""
    factors = [one.factor for one in parts]
    if not all(f.is_number for f in factors):
        rows = [([*f.parts] if f.head == "product" else [f]) for f in factors]
        common = [x for x in rows[0] if not x.is_number]
        if any([x for x in row if not x.is_number] != common for row in rows):
            raise Refused("factors that are not seen to add up to 0")
        numbers = [prod([x.number for x in row if x.is_number], start=mpq(1)) for row in rows]
    else:
        numbers = [f.number for f in factors]
    if sum(numbers, mpq(0)) or j not in ((ZERO, ONE) if kind == EXPONENTIAL else (ZERO,)):
        raise Refused("an integral that diverges")
    found = []
    for one in parts:
        if one.degree == ZERO:
            continue
        n = one.degree
        if not positive(add(n, ONE) if kind == EXPONENTIAL else n):
            raise Refused("an integral that is not seen to converge")
        if kind == PARETO:
            value = add(multiply(n, _gammas(add(ONE, negative(reciprocal(c))), n, positive)), number(-1))
        elif j == ZERO:
            value = multiply(call("harmonic", n), reciprocal(c))
        else:
            squares = [power(call("harmonic", n), number(2)), multiply(number(mpq(1, 6)), power(terms.name("pi"), number(2)))]
            value = multiply(number(mpq(1, 2)), power(c, number(-2)), add(*squares, negative(call("trigamma", add(n, ONE)))))
        found.append(negative(multiply(one.factor, value)))
    return found
