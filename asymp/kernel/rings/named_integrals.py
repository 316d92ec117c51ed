r"""Integrals of powers and exponentials of powers over t > 0, and of sines and cosines, by functions that have names.

For b > 0, q > 0, s > -1, with z = (s + 1)/q (DLMF 5.9.1 and its derivative in s),

.. math:: \int_0^\infty t^s (\log t)^j e^{-b t^q}\,dt = \Big(\frac{\psi(z) - \log b}{q}\Big)^j \frac{\Gamma(z)}{q\,b^z}, \quad
   j = 0, 1,

and for a, b > 0 and any s (DLMF 10.32.10; 10.32.9)

.. math:: \int_0^\infty t^s e^{-a t^q - b t^{-q}}\,dt = \frac2q \Big(\frac ba\Big)^{z/2} K_z\big(2 (a b)^{1/2}\big), \qquad
   \int_0^\infty e^{-x \cosh t}\,dt = K_0(x),\ x > 0,

and for u, v > -1 (DLMF 5.12.2)

.. math:: \int_0^{\pi/2} \sin(t)^u \cos(t)^v\,dt = \frac12 B\big(\tfrac{u + 1}2, \tfrac{v + 1}2\big), \qquad
   \int_0^\pi \sin(t)^u\,dt = B\big(\tfrac{u + 1}2, \tfrac12\big),

and Fresnel's :math:`\int_0^x \cos(a t^2)\,dt = u\,C(x/u)`, with :math:`u = (\pi/(2 a))^{1/2}`, and S of the sine (DLMF 7.2.7-8).

>>> def shown(text): return str(named(terms.read(text), lambda x: not x.is_number or x.number > 0))
>>> shown("Integral(t^n*exp(-2*t)*log(t), (t, 0, oo))")
'gamma(n + 1)*2^(-(n + 1))*(digamma(n + 1) - log(2))'
>>> shown("Integral(exp(-n*t - 1/t), (t, 0, oo))")
'2*besselk(1, 2*n^(1/2))*(n^(-1))^(1/2)'
>>> shown("Integral(sin(t)^n, (t, 0, pi))")
'gamma(1/2)*gamma(1/2 + 1/2*n)*gamma(1 + 1/2*n)^(-1)'
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.terms import ONE, ZERO, Refused, Term, add, call, multiply, negative, number, power, reciprocal
from asymp.kernel.trust import rests_on

T = terms.name("t_of_the_integral")
OO, PI = terms.name("oo"), terms.name("pi")
HALF = number(mpq(1, 2))
Positive = Callable[[Term], bool]


@dataclass
class Integrand:
    """factor * t^power * log(t)^logs * sin(t)^sines * cos(t)^cosines * exp(sum of c t^q - x cosh t)."""

    factor: list[Term] = field(default_factory=list)
    power: Term = ZERO
    logs: int = 0
    waves: dict[str, Term] = field(default_factory=dict)
    exponent: dict[Term, Term] = field(default_factory=dict)
    cosh: Term = ZERO

    def read(self, term: Term, e: Term = ONE) -> None:
        """term^e, of which only positive parts, and exponentials, are raised.

        Raises:
            Refused: another factor.
        """
        if T.name not in term.free:
            self.factor.append(power(term, e))
        elif term == T:
            self.power = add(self.power, e)
        elif term.head == "product" and e == ONE:
            for part in term.parts:
                self.read(part)
        elif term.head == "power" and T.name not in term.parts[1].free and (e == ONE or term.parts[0] in (T, call("exp", T))):
            self.read(term.parts[0], multiply(term.parts[1], e))
        elif term == call("log", T) and e == ONE and not self.logs:
            self.logs = 1
        elif term.head in ("sin", "cos") and term.parts == (T,):
            self.waves[term.head] = add(self.waves.get(term.head, ZERO), e)
        elif term.head == "exp":
            for part in multiplied_out(term.parts[0], T.name):
                self.exponential(multiply(e, part))
        else:
            raise Refused("an integrand of another form")

    def exponential(self, term: Term) -> None:
        """exp of c t^q, c log t or c cosh t."""
        factors = term.parts if term.head == "product" else (term,)
        own = [f for f in factors if T.name in f.free]
        c = multiply(*(f for f in factors if T.name not in f.free))
        if not own:
            self.factor.append(call("exp", c))
        elif own == [call("log", T)]:
            self.power = add(self.power, c)
        elif own == [call("cosh", T)]:
            self.cosh = add(self.cosh, c)
        else:
            exponents = [f.parts if f.head == "power" else (f, ONE) for f in own]
            if any(base != T or T.name in q.free for base, q in exponents):
                raise Refused("an exponent of another form")
            q = add(*(q for _, q in exponents))
            self.exponent[q] = add(self.exponent.get(q, ZERO), c)


def multiplied_out(term: Term, x: str) -> list[Term]:
    """A sum, of which products with one sum in x are multiplied out."""
    if term.head == "sum":
        return [one for part in term.parts for one in multiplied_out(part, x)]
    inner = [part for part in term.parts if part.head == "sum" and x in part.free] if term.head == "product" else []
    if len(inner) == 1:
        rest = multiply(*(part for part in term.parts if part is not inner[0]))
        return [multiply(rest, one) for one in multiplied_out(inner[0], x)]
    return [term]


def named(term: Term, positive: Positive) -> Term:
    """What an integral is.

    Args:
        term: the integral.
        positive: whether a term that is free of t is seen to be above 0.

    Raises:
        Refused: it is another integral, or not seen to converge.
    """
    body, low, high = term.parts
    if low != ZERO or T.name in term.free:
        raise Refused("an integral of another form")
    if high != OO and any(part.head == "power" for part in terms.walk(body)):
        with suppress(Refused):
            return _fresnel(terms.opened(body, T), high, positive)
    f = Integrand()
    f.read(terms.opened(body, T))
    if high == OO and not f.waves:
        found = _cosh(f, positive) if f.cosh != ZERO else _powers(f, positive)
    elif high in (PI, multiply(HALF, PI)) and f.waves and not (f.exponent or f.logs) and f.power == f.cosh == ZERO:
        found = _waves(f, high == PI, positive)
    else:
        raise Refused("an integral of another form")
    return multiply(*f.factor, found)


def _powers(f: Integrand, positive: Positive) -> Term:
    rows = sorted(((q, negative(c)) for q, c in f.exponent.items() if c != ZERO), key=lambda row: not positive(row[0]))
    if not rows or not all(positive(b) for _, b in rows) or not positive(rows[0][0]):
        raise Refused("an integral that is not seen to converge")
    (q, a), above = rows[0], add(f.power, ONE)
    z = multiply(above, reciprocal(q))
    if len(rows) == 1:
        if not positive(above):
            raise Refused("an integral that is not seen to converge")
        rests_on("DLMF 5.9.1")
        logs = [multiply(add(call("digamma", z), negative(call("log", a))), reciprocal(q))] * f.logs
        return multiply(call("gamma", z), reciprocal(q), power(a, negative(z)), *logs)
    if len(rows) != 2 or rows[1][0] != negative(q) or f.logs:
        raise Refused("an exponent of another form")
    b = rows[1][1]
    rests_on("DLMF 10.32.10")
    x = multiply(number(2), power(multiply(a, b), HALF))
    front = power(multiply(b, reciprocal(a)), multiply(HALF, z))
    return multiply(number(2), reciprocal(q), front, call("besselk", z, x))


def _cosh(f: Integrand, positive: Positive) -> Term:
    x = negative(f.cosh)
    if f.exponent or f.logs or f.power != ZERO or not positive(x):
        raise Refused("an integral of another form")
    rests_on("DLMF 10.32.9")
    return call("besselk", ZERO, x)


def _fresnel(body: Term, x: Term, positive: Positive) -> Term:
    """Of cos(a t^2), or sin(a t^2), from 0 to x: by t = (pi/(2 a))^(1/2) u."""
    factors = body.parts if body.head == "product" else (body,)
    own, square = [f for f in factors if T.name in f.free], power(T, number(2))
    if len(own) != 1 or own[0].head not in ("sin", "cos"):
        raise Refused("no integral of Fresnel's")
    wave, inner = own[0], own[0].parts[0]
    a = ONE if inner == square else multiply(*(one for one in inner.parts if one != square))
    if multiply(a, square) != inner or T.name in a.free or not positive(a):
        raise Refused("no integral of Fresnel's")
    head = "fresnelc" if wave.head == "cos" else "fresnels"
    rests_on("DLMF 7.2.7" if wave.head == "cos" else "DLMF 7.2.8")
    unit = power(multiply(PI, HALF, reciprocal(a)), HALF)
    front = [f for f in factors if f != wave]
    return multiply(*front, unit, call(head, multiply(x, reciprocal(unit))))


def _waves(f: Integrand, whole: bool, positive: Positive) -> Term:
    u, v = (add(multiply(HALF, f.waves.get(head, ZERO)), HALF) for head in ("sin", "cos"))
    if (whole and "cos" in f.waves) or not (positive(u) and positive(v)):
        raise Refused("an integral of another form, or that is not seen to converge")
    rests_on("DLMF 5.12.2")
    found = multiply(call("gamma", u), call("gamma", v), reciprocal(call("gamma", add(u, v))))
    return found if whole else multiply(HALF, found)
