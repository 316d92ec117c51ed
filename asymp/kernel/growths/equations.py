"""Functions of Z as polynomials and rational functions, and equations that are solved by undoing exp, log and powers.

>>> from asymp.kernel.rings.ratio import to_term as text
>>> body = terms.substitute(terms.read("2 - exp(exp(z) - 1)"), {"z": Z})
>>> [str(text(one.value)) for one in roots_of(body, Domain())]
['log(log(2) + 1)']
"""

from __future__ import annotations

from functools import reduce

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.growths.growth import Domain
from asymp.kernel.growths.plane import Place, real, zeros_of
from asymp.kernel.rings.field import exponential
from asymp.kernel.rings.power_series import Z
from asymp.kernel.rings.ratio import Ratio, rational, to_term
from asymp.kernel.terms import Refused, Term

MOST_DEGREE = 60


def polynomial(term: Term, domain: Domain) -> list[Ratio] | None:
    """The coefficients of a polynomial in Z; None of another function."""
    if Z.name not in term.free:
        return [domain.value(term)]
    if term == Z:
        return [rational(0), rational(1)]
    parts = [polynomial(part, domain) for part in term.parts] if term.head in ("sum", "product") else []
    if parts and None not in parts:
        whole = [part for part in parts if part is not None]
        return reduce(_plus if term.head == "sum" else _times, whole)
    if term.head == "power" and term.parts[1].is_number and term.parts[1].number.denominator == 1:
        k, base = int(term.parts[1].number), polynomial(term.parts[0], domain)
        if base is not None and 0 <= k and k * (len(base) - 1) <= MOST_DEGREE:
            return reduce(_times, [base] * k, [rational(1)])
    return None


def rational_function(term: Term, domain: Domain) -> tuple[list[Ratio], list[Ratio]]:
    """Numerator and denominator, perhaps with common factors.

    Raises:
        Refused: it is another function.
    """
    if (p := polynomial(term, domain)) is not None:
        return p, [rational(1)]
    if term.head in ("sum", "product"):
        found = [rational_function(part, domain) for part in term.parts]
        below = reduce(_times, (d for _, d in found))
        if term.head == "product":
            return reduce(_times, (n for n, _ in found)), below
        tops = [reduce(_times, [n, *(d for j, (_, d) in enumerate(found) if j != k)]) for k, (n, _) in enumerate(found)]
        return reduce(_plus, tops), below
    if term.head == "power" and term.parts[1].is_number and term.parts[1].number.denominator == 1:
        k, (n, d) = int(term.parts[1].number), rational_function(term.parts[0], domain)
        n, d = (n, d) if k > 0 else (d, n)
        return reduce(_times, [n] * abs(k), [rational(1)]), reduce(_times, [d] * abs(k), [rational(1)])
    raise Refused("no rational function")


def _plus(p: list[Ratio], q: list[Ratio]) -> list[Ratio]:
    p, q = (p, q) if len(p) >= len(q) else (q, p)
    return [a + q[k] if k < len(q) else a for k, a in enumerate(p)]


def _times(p: list[Ratio], q: list[Ratio]) -> list[Ratio]:
    if len(p) + len(q) > MOST_DEGREE + 2:
        raise Refused("a polynomial of high degree")
    found = [rational(0)] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            found[i + j] = found[i + j] + a * b
    return found


def solvable(term: Term, domain: Domain) -> tuple[Ratio, str, Term, mpq]:
    """q, f, h and the exponent, where a sum is c + d f(h) with f = exp, log or a power, and q = -c/d.

    Raises:
        Refused: it is another sum.
    """
    still = [part for part in term.parts if Z.name not in part.free]
    moving = [part for part in term.parts if Z.name in part.free]
    if term.head != "sum" or len(moving) != 1:
        raise Refused("an equation of another form")
    factors = moving[0].parts if moving[0].head == "product" else (moving[0],)
    own = [part for part in factors if Z.name in part.free]
    if len(own) != 1:
        raise Refused("an equation of another form")
    d = domain.value(terms.multiply(terms.ONE, *(part for part in factors if part is not own[0])))
    if domain.sign(d) not in (1, -1):
        raise Refused("a factor that may be 0")
    q = -domain.value(terms.add(terms.ZERO, *still)) * d.inverse()
    if own[0].head in ("exp", "log"):
        return q, own[0].head, own[0].parts[0], mpq(1)
    if own[0].head == "power" and own[0].parts[1].is_number:
        return q, "power", own[0].parts[0], own[0].parts[1].number
    raise Refused("an equation of another form")


def is_simple(term: Term, domain: Domain) -> bool:
    """Whether all zeros of a function are of order 1: of c + d exp(h), h = a Z + b, the derivative is 0 nowhere."""
    try:
        _, head, inner, _ = solvable(term, domain)
        p = polynomial(inner, domain)
    except Refused:
        return False
    return head == "exp" and p is not None and len(p) == 2 and domain.sign(p[1]) in (1, -1)


def roots_of(term: Term, domain: Domain) -> list[Place]:
    """Some real zeros of a function, found by undoing exp, log and powers: each is verified where it is used."""
    if (p := polynomial(term, domain)) is not None:
        return [one for one, _ in zeros_of(p, domain) if one.value is not None]
    try:
        q, head, inner, e = solvable(term, domain)
        if domain.sign(q) == 1 or head == "log":
            value = {"exp": lambda: domain.value(terms.call("log", to_term(q))), "log": lambda: exponential(q)}.get(
                head, lambda: domain.raised(q, rational(1 / e))
            )()
            return roots_of(terms.add(inner, terms.negative(to_term(value))), domain)
    except Refused:
        pass
    return _of_lambert(term, domain)


def _of_lambert(term: Term, domain: Domain) -> list[Place]:
    """Of c + d z exp(a z): W(-a c/d)/a, where that is not negative."""
    still = [part for part in term.parts if Z.name not in part.free]
    moving = [part for part in term.parts if Z.name in part.free]
    if term.head != "sum" or len(moving) != 1 or moving[0].head != "product":
        return []
    own = [part for part in moving[0].parts if Z.name in part.free]
    exps = [part for part in own if part.head == "exp"]
    if len(own) != 2 or Z not in own or len(exps) != 1:
        return []
    try:
        p = polynomial(exps[0].parts[0], domain)
        if p is None or len(p) != 2 or not p[0].is_zero:
            return []
        d = domain.value(terms.multiply(terms.ONE, *(part for part in moving[0].parts if part not in own)))
        x = -p[1] * domain.value(terms.add(terms.ZERO, *still)) * d.inverse()
        return [real(domain.value(terms.call("LambertW", to_term(x))) * p[1].inverse(), domain)] if domain.sign(x) == 1 else []
    except Refused:
        return []
