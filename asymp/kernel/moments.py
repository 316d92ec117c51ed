r"""Integrals of the exponential of a sum of powers, which are numbers that have no shorter name.

.. math:: \int_0^\infty \exp\Big(\sum_i c_i u^{q_i}\Big)\,du, \qquad q_i > 0,

converges, and is positive, where the coefficient of the largest exponent is negative.
"""

from __future__ import annotations

from asymp.kernel import terms
from asymp.kernel.terms import Refused, Term

VARIABLE = terms.name("u_of_the_integral")


def powers_of(term: Term) -> list[tuple[Term, Term]]:
    """(c_i, q_i) of such an integral.

    Raises:
        Refused: it is no such integral.
    """
    if term.head != "Integral" or len(term.parts) != 3 or term.parts[1:] != (terms.ZERO, terms.name("oo")):
        raise Refused("an integral of another form")
    if VARIABLE.name in terms.free(term):
        raise Refused(f"{VARIABLE.name} as a name")
    body = terms.opened(term.parts[0], VARIABLE)
    if body.head != "exp":
        raise Refused("an integral of what is no exponential")
    exponent = body.parts[0]
    found = []
    for part in exponent.parts if exponent.head == "sum" else (exponent,):
        factors = part.parts if part.head == "product" else (part,)
        moving = [f for f in factors if VARIABLE.name in terms.free(f)]
        if len(moving) != 1:
            raise Refused("an exponent that is no sum of powers")
        base, q = moving[0].parts if moving[0].head == "power" else (moving[0], terms.ONE)
        if base != VARIABLE or VARIABLE.name in terms.free(q):
            raise Refused("an exponent that is no sum of powers")
        found.append((terms.multiply(*(f for f in factors if f is not moving[0])), q))
    return found


def integral(found: list[tuple[Term, Term]]) -> Term:
    """The integral of these as a term."""
    u = Term("bound")
    body = terms.call("exp", terms.add(*(terms.multiply(c, terms.power(u, q)) for c, q in found)))
    return Term("Integral", (body, terms.ZERO, terms.name("oo")))
