"""Summands: linear combinations of q^i i^k, q^i i^k H_i and q^i i^k log i with coefficients that are free of the index i, and
which q, k, coefficients they are made of.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.rings.recurring import straight
from asymp.kernel.terms import Refused, Term, call, multiply, number
from asymp.kernel.trust import rests_on

INDEX = "@"
"""The index of a sum; no name in a text."""
I = terms.name(INDEX)
OO, GAMMA = terms.name("oo"), terms.name("EulerGamma")
MOST_PARTS, MOST_POWER = 40, 4
T = TypeVar("T")
"""Of a summand, and of a power in it."""


@dataclass(frozen=True)
class Summand:
    """coefficient * base^i * i^degree * H_i^harmonic * (log i)^log."""

    coefficient: Term = terms.ONE
    base: Term = terms.ONE
    degree: int = 0
    harmonic: int = 0
    log: int = 0

    def times(self, other: Summand) -> Summand:
        """The product."""
        return Summand(
            multiply(self.coefficient, other.coefficient), multiply(self.base, other.base), self.degree + other.degree,
            self.harmonic + other.harmonic, self.log + other.log,
        )  # fmt: skip


def summands(body: Term) -> list[Summand]:
    """A summand in the index, as a sum of such products.

    Raises:
        Refused: it is none, or not seen to be one.

    >>> body = terms.opened(terms.read("Sum(p*q^(2*i)*(1 - a/i), (i, 1, n))").parts[0], I)
    >>> [(str(one.coefficient), str(one.base), one.degree) for one in summands(body)]
    [('p', 'q^2', 0), ('-a*p', 'q^2', -1)]
    """
    if INDEX not in body.free:
        return [Summand(body)]
    match body.head:
        case "name":
            return [Summand(degree=1)]
        case "sum":
            return few([one for part in body.parts for one in summands(part)])
        case "product":
            found = [Summand()]
            for part in body.parts:
                found = few([one.times(other) for one in found for other in summands(part)])
            return found
        case "harmonic" | "log" if body.parts == (I,):
            return [Summand(harmonic=1)] if body.head == "harmonic" else [Summand(log=1)]
        case "exp":
            start, step = _linear(body.parts[0])
            return [Summand(call("exp", start), call("exp", step))]
        case "power" if INDEX not in body.parts[1].free:
            return _power(*body.parts)
        case "power" if INDEX not in body.parts[0].free:
            start, step = _linear(body.parts[1])
            first = terms.ONE if start == terms.ZERO else terms.power(body.parts[0], start)
            return [Summand(first, terms.power(body.parts[0], step))]
    raise Refused(f"{body.head} in a sum")


def few(found: list[T]) -> list[T]:
    """What a summand is the sum of, of which there are not too many."""
    if len(found) > MOST_PARTS:
        raise Refused("a summand of too many parts")
    return found


def _power(base: Term, exponent: Term) -> list[Summand]:
    k = int(exponent.number) if exponent.is_number and exponent.number.denominator == 1 else 0
    inner = summands(base)
    if not 1 <= abs(k) <= MOST_POWER or (k < 0 and (len(inner) > 1 or inner[0].harmonic or inner[0].log)):
        raise Refused("a power in a sum")
    if k < 0:
        one = inner[0]
        back = [terms.power(part, exponent) if part != terms.ONE else part for part in (one.coefficient, one.base)]
        return [Summand(back[0], back[1], one.degree * k)]
    found = [Summand()]
    for _ in range(k):
        found = few([one.times(other) for one in found for other in inner])
    return found


def _linear(exponent: Term) -> tuple[Term, Term]:
    """a and b of a + b i."""
    step, start = straight(exponent)
    if step == terms.ZERO:
        raise Refused("an exponent in which the index does not count")
    return start, step


def without(one: Summand, log: bool) -> list[tuple[Term, int, int]]:
    """Factors of i^k H_i^h in place of i^k H_i^h (log i)^l; or, not ``log``, of i^k (log i)^h in place of i^k (log i)^h H_i^l.

    Where l = 1 it is up to O(i^(-2)), k <= 0: H_i = log i + EulerGamma + 1/(2i) + O(i^(-2)).

    Raises:
        Refused: it is another product.

    >>> [(str(factor), k, h) for factor, k, h in without(Summand(log=1), True)]
    [('1', 0, 1), ('-EulerGamma', 0, 0), ('-1/2', -1, 0)]
    """
    k, kept, dropped = (one.degree, *((one.harmonic, one.log) if log else (one.log, one.harmonic)))
    if log and k >= 0 and (kept, dropped, one.base) == (2, 0, terms.ONE):
        return [(terms.ONE, k, 2)]
    if k < -1 or kept > 1 or dropped > 1 or (dropped and (kept or k > 0)):
        raise Refused("a sum or an integral of other products")
    if not dropped:
        return [(terms.ONE, k, kept)]
    rests_on("DLMF 5.11.2", "DLMF 5.4.14")
    side = -1 if log else 1
    return [
        (terms.ONE, k, 1), (multiply(number(side), GAMMA), k, 0),
        *([(number(mpq(side, 2)), -1, 0)] if k == 0 else []),
    ]  # fmt: skip
