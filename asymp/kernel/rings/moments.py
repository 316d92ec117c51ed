r"""Integrals of a power times the exponential of a sum of powers, which are numbers that have no shorter name.

.. math:: \int_0^\infty u^s \exp\Big(\sum_i c_i u^{q_i}\Big)\,du, \qquad s > -1,\ q_i > 0,

converges, and is positive, where the coefficient of the largest exponent is negative.  And the sum of x^k/k!.

>>> front, rest = shifted(terms.read("Integral(exp(-u^2), (u, a, oo))"))
>>> str(front), str(rest)
('-a*a', 'Integral(exp(-b0^2 - b0*(a + a)), (b0, 0, oo))')
>>> [str(one) for one in exponential_series(terms.read("Sum(2*x^k/k!, (k, 0, oo))"))]
['x', '2']
"""

from __future__ import annotations

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.terms import Refused, Term
from asymp.kernel.trust import rests_on

VARIABLE = terms.name("u_of_the_integral")
MOST_POWER = 8
_HALF = terms.number(mpq(1, 2))


def powers_of(term: Term) -> tuple[Term, list[tuple[Term, Term]]]:
    """s and (c_i, q_i) of such an integral.

    Raises:
        Refused: it is no such integral.
    """
    if term.head != "Integral" or len(term.parts) != 3 or term.parts[1:] != (terms.ZERO, terms.name("oo")):
        raise Refused("an integral of another form")
    if VARIABLE.name in terms.free(term):
        raise Refused(f"{VARIABLE.name} as a name")
    body = terms.opened(term.parts[0], VARIABLE)
    factors = body.parts if body.head == "product" else (body,)
    exponents = [f.parts[0] for f in factors if f.head == "exp"]
    if not exponents:
        raise Refused("an integral without an exponential")
    c, s = _power(tuple(f for f in factors if f.head != "exp"))
    if c != terms.ONE:
        raise Refused("an integral with a factor")
    found = []
    for exponent in exponents:
        for part in exponent.parts if exponent.head == "sum" else (exponent,):
            c, q = _power(part.parts if part.head == "product" else (part,))
            if q == terms.ZERO:
                raise Refused("an exponent that is no sum of powers")
            found.append((c, q))
    return s, found


def shifted(term: Term) -> tuple[Term, Term]:
    """x and an integral from 0 to oo, such that e^x times that is the integral of e^p, p a polynomial, from another number.

    Raises:
        Refused: it is another integral.
    """
    body, low, high = term.parts
    if body.head != "exp" or VARIABLE.name in terms.free(term):
        raise Refused("an integral of another form")
    rows = polynomial_in(terms.opened(body.parts[0], terms.add(VARIABLE, low)))
    u = Term("bound")
    rest = terms.call("exp", terms.add(*(terms.multiply(c, terms.power(u, terms.number(k))) for k, c in rows.items() if k)))
    return rows.get(0, terms.ZERO), Term("Integral", (rest, terms.ZERO, high))


def polynomial_in(term: Term, x: Term = VARIABLE, most: int = MOST_POWER) -> dict[int, Term]:
    """The coefficients of a polynomial in x, by exponents.

    Raises:
        Refused: it is none, or of a high degree.
    """
    if x.name not in terms.free(term):
        return {0: term}
    if term == x:
        return {1: terms.ONE}
    found: dict[int, Term] = {}
    if term.head == "sum":
        for part in term.parts:
            for k, c in polynomial_in(part, x, most).items():
                found[k] = terms.add(found.get(k, terms.ZERO), c)
        return found
    if term.head == "power" and term.parts[1].is_number and term.parts[1].number in range(1, most + 1):
        factors = (term.parts[0],) * int(term.parts[1].number)
    elif term.head == "product":
        factors = term.parts
    else:
        raise Refused("what is no polynomial")
    found = {0: terms.ONE}
    for factor in factors:
        more: dict[int, Term] = {}
        for k, c in found.items():
            for j, d in polynomial_in(factor, x, most).items():
                more[k + j] = terms.add(more.get(k + j, terms.ZERO), terms.multiply(c, d))
        if max(more) > most:
            raise Refused("a polynomial of a high degree")
        found = more
    return found


def exponential_series(term: Term) -> tuple[Term, Term]:
    """x and c, where the term is the sum of c x^k/k! over k >= 0, which is c e^x (DLMF 4.2.19), at x = 0 too.

    Raises:
        Refused: it is another sum.
    """
    body, low, high = term.parts
    if low != terms.ZERO or high != terms.name("oo") or VARIABLE.name in terms.free(term):
        raise Refused("a sum that is no exponential series")
    opened = terms.opened(body, VARIABLE)
    factors = opened.parts if opened.head == "product" else (opened,)
    factor = terms.multiply(*(f for f in factors if VARIABLE.name not in terms.free(f)))
    left = [f for f in factors if VARIABLE.name in terms.free(f)]
    below = terms.reciprocal(terms.call("factorial", VARIABLE))
    bases = [f.parts[0] for f in left if f.head == "power" and f.parts[1] == VARIABLE]
    if left.count(below) != 1 or len(left) != 1 + len(bases) or any(VARIABLE.name in terms.free(base) for base in bases):
        raise Refused("a sum that is no exponential series")
    rests_on("DLMF 4.2.19")
    return terms.multiply(*bases), factor


def _power(factors: tuple[Term, ...]) -> tuple[Term, Term]:
    """A product as c u^q."""
    kept, exponents = [], []
    for f in factors:
        base, q = f.parts if f.head == "power" else (f, terms.ONE)
        if VARIABLE.name not in terms.free(f):
            kept.append(f)
        elif base == VARIABLE and VARIABLE.name not in terms.free(q):
            exponents.append(q)
        else:
            raise Refused("an integrand of what is no power")
    return terms.multiply(*kept), terms.add(*exponents)


def integral(s: Term, found: list[tuple[Term, Term]], log: bool = False) -> Term:
    """The integral of these as a term; with ``log`` that of log(u) times it."""
    u = Term("bound")
    body = terms.call("exp", terms.add(*(terms.multiply(c, terms.power(u, q)) for c, q in found)))
    logs = [terms.call("log", u)] * log
    return Term("Integral", (terms.multiply(terms.power(u, s), body, *logs), terms.ZERO, terms.name("oo")))


def shorter(s: Term, found: list[tuple[Term, Term]]) -> Term | None:
    """The integral by functions that have names, if there are any; that of the largest exponent is negative.

    Of u^s exp(-b u^q) it is Gamma((s + 1)/q)/(q b^((s + 1)/q)) (DLMF 5.9.1), of exp(-a u - b u^2) it is
    (pi/b)^(1/2)/2 e^(x^2) erfc(x), x = a/(2 b^(1/2)) (DLMF 7.7.6), for any real a.
    """
    below = {q: terms.negative(c) for c, q in found}
    if len(found) == 1:
        rests_on("DLMF 5.9.1")
        ((q, b),) = below.items()
        order = terms.multiply(terms.add(s, terms.ONE), terms.power(q, terms.number(-1)))
        return terms.multiply(terms.call("gamma", order), terms.power(q, terms.number(-1)), terms.power(b, terms.negative(order)))
    if s != terms.ZERO or below.keys() != {terms.ONE, terms.number(2)}:
        return None
    rests_on("DLMF 7.7.6")
    a, b = below[terms.ONE], below[terms.number(2)]
    x = terms.multiply(_HALF, a, terms.power(b, terms.negative(_HALF)))
    front = terms.multiply(_HALF, terms.power(terms.name("pi"), _HALF), terms.power(b, terms.negative(_HALF)))
    return terms.multiply(front, terms.call("exp", terms.power(x, terms.number(2))), terms.call("erfc", x))
