r"""Integrals of a power times the exponential of a sum of powers, which are numbers that have no shorter name.

.. math:: \int_0^\infty u^s \exp\Big(\sum_i c_i u^{q_i}\Big)\,du, \qquad s > -1,\ q_i > 0,

converges, and is positive, where the coefficient of the largest exponent is negative.
"""

from __future__ import annotations

from fractions import Fraction

from asymp.kernel import terms
from asymp.kernel.terms import Refused, Term
from asymp.kernel.trust import rests_on

VARIABLE = terms.name("u_of_the_integral")
_HALF = terms.number(Fraction(1, 2))


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


def integral(s: Term, found: list[tuple[Term, Term]]) -> Term:
    """The integral of these as a term."""
    u = Term("bound")
    body = terms.call("exp", terms.add(*(terms.multiply(c, terms.power(u, q)) for c, q in found)))
    return Term("Integral", (terms.multiply(terms.power(u, s), body), terms.ZERO, terms.name("oo")))


def shorter(s: Term, found: list[tuple[Term, Term]]) -> Term | None:
    """The integral by functions that have names, if there are any, for coefficients that are all negative.

    Of u^s exp(-b u^q) it is Gamma((s + 1)/q)/(q b^((s + 1)/q)) (DLMF 5.9.1), of exp(-a u - b u^2) it is
    (pi/b)^(1/2)/2 e^(x^2) erfc(x), x = a/(2 b^(1/2)) (DLMF 7.7.6).
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
