"""Incomplete gamma functions and their kin, each written by one function of its kind.

    Gamma^(k)(a, u) = int_u^oo e^(-s) s^(a-1) (ln s)^k ds,   u > 0,

is the k-th derivative in a of Gamma(a, u).  With whole a it goes back to a = 0 by parts (DLMF 8.8.2, and that k times
differentiated in a):

    Gamma^(k)(a + 1, u) = a Gamma^(k)(a, u) + k Gamma^(k-1)(a, u) + u^a e^(-u) (ln u)^k.

>>> str(rewritten(read("E1(c)"))), str(rewritten(read("li(c)")))
('uppergamma(0, c)', 'Ei(log(c))')
>>> str(rewritten(read("GammaDerivative(1, 1, c)")))
'exp(-c)*log(c) + uppergamma(0, c)'
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from itertools import combinations
from math import factorial
from typing import Protocol

from gmpy2 import mpq

from asymp.kernel.rings.ratio import Ratio, rational, to_term
from asymp.kernel.terms import ONE, Refused, Term, add, call, multiply, name, negative, number, power, rebuilt
from asymp.kernel.terms import read as read
from asymp.kernel.trust import rests_on


class Facts(Protocol):
    """What is seen of terms and of their values on a domain: see field."""

    def value(self, term: Term) -> Ratio: ...
    def of(self, x: Ratio) -> AbstractSet[int]: ...


FURTHEST = 12
"""Whole a, and k, at most so far from 0 are taken back to a = 0."""


def rewritten(term: Term) -> Term | None:
    """The same by Ei, Gamma(a, u) and its derivatives at a = 0, or None where there is nothing to rewrite.

    Both sides are defined for the same real arguments, or the right side for fewer: li(x) is Ei(ln x) for x > 0 other
    than 1, E_1(x) is Gamma(0, x) for x > 0, E_a(x) is x^(a-1) Gamma(1 - a, x) for x > 0, Gamma(1/2, x) is
    pi^(1/2) erfc(x^(1/2)) for x > 0 (DLMF 6.2.8, 6.11.1, 8.19.1, 7.11.2).  The psi function and its derivatives at a number
    above 1 are taken to that number less 1.
    """
    parts = term.parts
    match term.head, len(parts):
        case "E1", 1:
            rests_on("DLMF 6.11.1")
            return call("uppergamma", number(0), parts[0])
        case "li", 1:
            rests_on("DLMF 6.2.8")
            return call("Ei", call("log", parts[0]))
        case "expint", 2:
            rests_on("DLMF 8.19.1")
            a, x = parts
            lower = add(ONE, negative(a))
            gamma = call("uppergamma", lower, x)
            return gamma if a == ONE else multiply(power(x, negative(lower)), gamma)
        case "uppergamma", 2 if parts[0] == number(mpq(1, 2)):
            rests_on("DLMF 7.11.2")
            return multiply(power(name("pi"), parts[0]), call("erfc", power(parts[1], parts[0])))
        case "uppergamma", 2:
            return _by_parts(0, parts[0], parts[1])
        case "GammaDerivative", 3:
            k, a, u = parts
            if not k.is_number or k.number.denominator != 1 or not 0 <= k.number <= FURTHEST:
                raise Refused(f"the derivative of order {k}")
            if k.number == 0:
                return call("uppergamma", a, u)
            return _by_parts(int(k.number), a, u)
        case ("digamma" | "trigamma"), 1:
            return _one_less(term, int(term.head == "trigamma"), parts[0])
        case "polygamma", 2 if parts[0] == ONE and parts[1].is_number:
            rests_on("DLMF 5.15.1")
            return call("trigamma", parts[1])
        case "polygamma", 2 if parts[0].is_number and parts[0].number.denominator == 1 and 0 <= parts[0].number <= FURTHEST:
            return _one_less(term, int(parts[0].number), parts[1])
    return None


def _one_less(term: Term, m: int, x: Term) -> Term | None:
    """psi^(m)(x) = psi^(m)(x - 1) + (-1)^m m!/(x - 1)^(m+1), for a number x > 1."""
    if not x.is_number or not 1 < x.number <= FURTHEST:
        return None
    rests_on("DLMF 25.11.12" if m else "DLMF 5.5.2")
    below = number(x.number - 1)
    step = number((-1) ** m * factorial(m) / below.number ** (m + 1))
    return add(call(term.head, *term.parts[:-1], below), step)


def derivative_of_gamma(k: int, a: Term, u: Term) -> Term:
    """Gamma^(k)(a, u) as a term."""
    return call("uppergamma", a, u) if k == 0 else call("GammaDerivative", number(k), a, u)


def _by_parts(k: int, a: Term, u: Term) -> Term | None:
    """One step towards a = 0, for a whole a that is not 0."""
    if not a.is_number or a.number.denominator != 1 or a.number == 0 or abs(a.number) > FURTHEST:
        return None
    rests_on("DLMF 8.8.2")
    n = int(a.number)
    edge = [call("exp", negative(u)), *([power(call("log", u), number(k))] if k else [])]
    if n > 0:
        below = number(n - 1)
        found = [multiply(*([power(u, below)] if n > 1 else []), *edge)]
        if n > 1:
            found.append(multiply(below, derivative_of_gamma(k, below, u)))
        if k:
            found.append(multiply(number(k), derivative_of_gamma(k - 1, below, u)))
        return add(*found)
    found = [derivative_of_gamma(k, number(n + 1), u), negative(multiply(power(u, a), *edge))]
    if k:
        found.append(multiply(number(-k), derivative_of_gamma(k - 1, a, u)))
    return multiply(power(a, number(-1)), add(*found))


def by_reflection(x: Ratio, at: Facts) -> Ratio:
    """The same, of Gamma(u) and Gamma(m - u) with whole m the one by the other: Gamma(u) Gamma(1 - u) = pi/sin(pi u), 0 < u < 1.

    >>> from asymp.kernel.facts.context import Context
    >>> u = name("u")
    >>> at = Context(pairs=((number(0), "<", u), (u, "<", ONE)))
    >>> by_reflection(at.value(read("gamma(u)*gamma(2 - u)")), at) == at.value(read("pi*(1 - u)/sin(pi*u)"))
    True
    """
    gammas = {a for p in (x.num, x.den) for powers in p for a, _ in powers if a.head == "gamma"}
    for one, other in combinations(sorted(gammas, key=lambda a: a.order), 2):
        u = at.value(one.parts[0])
        m = (u + at.value(other.parts[0])).constant()
        if m is None or m.denominator != 1:
            continue
        for j in range(min(int(m), FURTHEST)):  # 0 < u - j < 1
            if at.of(u - rational(j)) == at.of(rational(j + 1) - u) == {1}:
                rests_on("DLMF 5.5.1", "DLMF 5.5.3")
                least = to_term(u - rational(j))
                steps = [add(least, number(i)) for i in range(j)]
                steps += [add(number(i), negative(least)) for i in range(1, int(m) - j)]
                under = [power(below, number(-1)) for below in (call("sin", multiply(name("pi"), least)), one)]
                put = multiply(name("pi"), *steps, *under)
                return by_reflection(at.value(_with(to_term(x), other, put)), at)
    return x


def _with(term: Term, old: Term, new: Term) -> Term:
    return new if term == old else rebuilt(term, tuple(_with(part, old, new) for part in term.parts)) if term.parts else term
