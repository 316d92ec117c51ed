"""Antiderivatives of sums of c*x^k*log(x)^j*exp(r*x): proposals, which the kernel differentiates.

>>> from asymp.kernel.signs import Context
>>> from asymp.kernel.terms import ONE
>>> at = Context(pairs=((ONE, "<=", name("x")),))
>>> print(antiderivative(at.value(terms.read("log(x)/x")), "x"))
1/2*log(x)^2
"""

from __future__ import annotations

from fractions import Fraction

from asymp.kernel import terms
from asymp.kernel.field import to_term
from asymp.kernel.ratio import ONE_POLY, Powers, Ratio, in_order
from asymp.kernel.terms import Term, add, call, free, multiply, name, number, power, reciprocal

MOST_DEGREE = 12


def antiderivative(value: Ratio, x: str) -> Term | None:
    """A term whose derivative in x is the value, or None."""
    if value.den != ONE_POLY:
        return None
    found = [_of_monomial(powers, c, x) for powers, c in value.num.items()]
    return None if any(part is None for part in found) else add(*(part for part in found if part is not None))


def _of_monomial(powers: Powers, c: Fraction, x: str) -> Term | None:
    k, j, rate, rest = Fraction(0), 0, terms.ZERO, []
    for a, e in powers:
        if x not in free(a):
            rest.append((a, e))
        elif a == name(x):
            k += e
        elif a == call("log", name(x)) and e.denominator == 1 and e > 0:
            j += int(e)
        elif a.head == "exp" and (slope := _slope(a.parts[0], x)) is not None:
            rate = add(rate, multiply(number(e), slope))
        else:
            return None
    factor = to_term(Ratio({in_order(dict(rest)): c}))
    inner = _basic(k, j, x) if rate == terms.ZERO else _exponential(k, j, rate, x)
    return None if inner is None else multiply(factor, inner)


def _slope(m: Term, x: str) -> Term | None:
    """r, where m = r*x."""
    if m == name(x):
        return terms.ONE
    if m.head != "product" or name(x) not in m.parts:
        return None
    rest = list(m.parts)
    rest.remove(name(x))
    return None if any(x in free(part) for part in rest) else multiply(*rest)


def _basic(k: Fraction, j: int, x: str) -> Term | None:
    """Of x^k*log(x)^j, by parts."""
    log = call("log", name(x))
    if j > MOST_DEGREE:
        return None
    if k == -1:
        return multiply(number(Fraction(1, j + 1)), power(log, number(j + 1)))
    found, factor = [], Fraction(1)
    for i in range(j + 1):
        factor = factor / (k + 1) if i == 0 else -factor * (j - i + 1) / (k + 1)
        logs = [power(log, number(j - i))] if j > i else []
        found.append(multiply(number(factor), power(name(x), number(k + 1)), *logs))
    return add(*found)


def _exponential(k: Fraction, j: int, rate: Term, x: str) -> Term | None:
    """Of x^k*exp(r*x), and of log(x)*exp(r*x)."""
    whole, inner = call("exp", multiply(rate, name(x))), call("Ei", multiply(rate, name(x)))
    if k == -1 and j == 0:
        return inner
    if k == 0 and j == 1:
        log = multiply(call("log", name(x)), whole, reciprocal(rate))
        return add(log, multiply(number(-1), inner, reciprocal(rate)))
    if j or k.denominator != 1 or not 0 <= k <= MOST_DEGREE:
        return None
    found, factor = [], Fraction(1)
    for i in range(int(k) + 1):
        xs = [power(name(x), number(k - i))] if k > i else []
        found.append(multiply(number(factor), power(rate, number(-1 - i)), whole, *xs))
        factor *= -(k - i)
    return add(*found)
