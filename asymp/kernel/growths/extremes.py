r"""Series of the mean of the largest of N quantities, N -> oo: with G(t) the chance that one of them is above t,

.. math:: E = \int_0^\infty \big(1 - (1 - G(t))^N\big)\,dt.

**Theorem.**  Let G be continuous, 0 < G <= 1, and G(t) = C t^r exp(-c t^a) (1 + O(t^(-d))) for t -> oo, with C, c, a > 0, and
d >= a or no such factor.  Then, with L = log N,

.. math:: E = (L/c)^{1/a} \Big(1 + \frac{\gamma + (r/a) \log(L/c) + \log C}{a L}\Big) + O\big(L^{1/a-2} (\log L)^2\big),

without (log L)^2 for r = 0.

*Proof.*  For t <= T the integrand is 1, up to (1 - min G)^N.  From T on G lies between exp(-h) for h = c t^a - r log t - log C +-
K t^(-d), which increase.  Let Y be the largest of N exponential quantities, P(Y <= y) = (1 - e^(-y))^N: the integral from T on of
1 - (1 - e^(-h))^N is the mean of max(h^(-1)(Y) - T, 0), so that E lies between the means of h^(-1)(Y), up to
O(T (1 - e^(-h(T)))^N).  From y = h(t), c t^a = y + (r/a) log(y/c) + log C + O(log(y)/y + y^(-d/a)), and with d >= a

.. math:: h^{-1}(y) = (y/c)^{1/a} \Big(1 + \frac{(r/a) \log(y/c) + \log C}{a y} + O\big((\log y)^2/y^2\big)\Big).

The mean of Y is harmonic(N) = L + gamma + O(1/N), the moments of |Y - L| are bounded, and Y < L/2 has a chance of at most
exp(-N^(1/2)), so that Taylor's formula at L gives the means of y^(1/a) and of the rest.  (For normal quantities: Cramer,
Mathematical Methods of Statistics, 28.6.)  ∎

The laws that are known: G = p exp(-c t^a), 0 < p <= 1; G = P(t) e^(-c t), P a polynomial with coefficients 0 <= p_j <= c^j/j!
and p_0 > 0, since e^(c t) is the sum of all c^j t^j/j!; G = p erfc(s t), 0 < p <= 1, which is
p exp(-s^2 t^2)/(s t pi^(1/2)) (1 + O(t^(-2))).

Besides there may stand multiples of B^M in the integrand, M -> oo, B = p erfc(s t) or p exp(-c t^a), 0 < p < 1: their integrals
are O(p^M), as B^M <= p^(M-1) B.

>>> from asymp.kernel.growths.expander import Expander
>>> from asymp.kernel.growths.growth import Domain
>>> e = Expander(Algebra(Domain(), 2), {"n": 0}, {}, frozenset({terms.name("n")}))
>>> found = e.series(terms.read("Integral(1 - (1 - exp(-t^2))^n, (t, 0, oo))"))
>>> [str(to_term(c)) for c, _ in found.terms], [str(to_term(e)) for _, e in found.rest[0].powers]
(['1', '1/2*EulerGamma'], ['-3/2'])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import factorial

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.growths.incomplete import LARGE, loose, size
from asymp.kernel.growths.series import Algebra as Algebra
from asymp.kernel.growths.series import Expands, Series
from asymp.kernel.growths.summands import GAMMA
from asymp.kernel.rings.beta_integrals import T, products
from asymp.kernel.rings.ratio import to_term as to_term
from asymp.kernel.terms import ONE, Refused, Term, add, call, multiply, negative, number, power, reciprocal
from asymp.kernel.trust import rests_on

HALF = number(mpq(1, 2))


@dataclass(frozen=True)
class Tail:
    """C t^r exp(-c t^a) (1 + O(t^(-d))), d >= a: of what is positive, and at most ``most``."""

    factor: Term
    r: mpq
    c: Term
    a: mpq
    most: mpq


def of_the_largest(e: Expands, term: Term) -> Series:
    """The series of such an integral over t > 0.

    Raises:
        Refused: it is another, or a condition of the theorem is not seen.
    """
    if T.name in term.free:
        raise Refused("an integral of another form")
    found, ones, powers = Series(()), list[Term](), list[tuple[Term, Series]]()
    for factors in products(terms.opened(term.parts[0], T)):
        moving = [f for f in factors if T.name in f.free]
        c = multiply(*(f for f in factors if T.name not in f.free))
        if not moving:
            ones.append(c)
            continue
        (one,) = moving if len(moving) == 1 else (None,)
        if one is None or one.head != "power" or T.name in one.parts[1].free:
            raise Refused("an integrand of another form")
        base, n = one.parts
        if size(e.algebra, e.series(n)) != LARGE:
            raise Refused("an exponent that is not seen to tend to infinity")
        if base.head == "sum" and ONE in base.parts:
            powers.append((c, _mean(e, _tail(e, negative(add(*(p for p in base.parts if p != ONE)))), n)))
        elif (most := _tail(e, base).most) < 1:
            small = e.algebra.times(e.series(c), e.series(power(number(most), n)))
            found = e.algebra.made(list(found.terms), [*found.rest, *loose(small)])
        else:
            raise Refused("a power of what may be 1")
    if len(powers) != 1:
        raise Refused("an integrand of another form")
    ((c, mean),) = powers
    gap = e.series(add(*ones, c))
    if gap.terms or gap.rest:
        raise Refused("an integral that diverges")
    return e.algebra.add(found, e.algebra.times(e.series(negative(c)), mean))


def _mean(e: Expands, tail: Tail, n: Term) -> Series:
    log = call("log", n)
    up, a = multiply(log, reciprocal(tail.c)), number(tail.a)
    more = add(GAMMA, multiply(number(tail.r / tail.a), call("log", up)), call("log", tail.factor))
    kept = multiply(power(up, reciprocal(a)), add(ONE, multiply(more, reciprocal(multiply(a, log)))))
    rest = [power(log, number(1 / tail.a - 2)), *([power(call("log", log), number(2))] if tail.r else [])]
    found = e.series(kept)
    return e.algebra.made(list(found.terms), [*found.rest, *loose(e.series(multiply(*rest)))])


def _tail(e: Expands, term: Term) -> Tail:
    """How G falls.

    Raises:
        Refused: it is no law that is known.
    """
    rows = [_row(factors) for factors in products(term)]
    if len({(kind, c, a) for _, _, kind, c, a in rows}) != 1:
        raise Refused("a law of another form")
    _, _, kind, c, a = rows[0]
    if not e.constant(c) or e.algebra.domain.sign(e.algebra.domain.value(c)) != 1:
        raise Refused("a rate that is not seen to be positive")
    coefficients: dict[mpq, mpq] = {}
    for p, j, *_ in rows:
        coefficients[j] = coefficients.get(j, mpq(0)) + p
    top, first = max(coefficients), coefficients.get(mpq(0), mpq(0))
    if not 0 < first <= 1 or coefficients[top] == 0:
        raise Refused("a law of another form")
    if kind == "erfc":
        if top:
            raise Refused("a law of another form")
        rests_on("DLMF 7.2.1")
        factor = multiply(number(first), reciprocal(multiply(c, power(terms.name("pi"), HALF))))
        return Tail(factor, mpq(-1), power(c, number(2)), mpq(2), first)
    if top and (a != 1 or not c.is_number or not all(_fits(p, j, c.number) for j, p in coefficients.items())):
        raise Refused("a law of another form")
    return Tail(number(coefficients[top]), top, c, a, mpq(1) if top else first)


def _fits(p: mpq, j: mpq, c: mpq) -> bool:
    return j.denominator == 1 and 0 <= p <= c ** int(j) / factorial(int(j))


def _row(factors: Sequence[Term]) -> tuple[mpq, mpq, str, Term, mpq]:
    """p, j, and what falls, of p t^j exp(-c t^a) and p t^j erfc(c t)."""
    p, j, falls = mpq(1), mpq(0), list[tuple[str, Term, mpq]]()
    for factor in factors:
        base, exponent = factor.parts if factor.head == "power" else (factor, ONE)
        if factor.is_number:
            p *= factor.number
        elif base == T and exponent.is_number and exponent.number > 0:
            j += exponent.number
        elif factor.head in ("exp", "erfc") and len(factor.parts) == 1:
            c, a = _monomial(factor.parts[0] if factor.head == "erfc" else negative(factor.parts[0]))
            if a <= 0 or (factor.head == "erfc" and a != 1):
                raise Refused("a law of another form")
            falls.append((factor.head, c, a))
        else:
            raise Refused("a law of another form")
    if len(falls) != 1:
        raise Refused("a law of another form")
    return p, j, *falls[0]


def _monomial(term: Term) -> tuple[Term, mpq]:
    """c and a of c t^a."""
    kept, found = list[Term](), mpq(0)
    for factor in term.parts if term.head == "product" else (term,):
        base, exponent = factor.parts if factor.head == "power" else (factor, ONE)
        if T.name not in factor.free:
            kept.append(factor)
        elif base == T and exponent.is_number:
            found += exponent.number
        else:
            raise Refused("a law of another form")
    return multiply(*kept), found
