"""Values of sums of k^(k-1+j) x^k/k! over k >= 1, as totals of Borel's law and the moments of busy periods are.

T(x) = sum_(k>=1) k^(k-1) x^k/k! = -W(-x), |x| < 1/e, is the a in (0, 1) with a e^(-a) = x (DLMF 4.13.5, and 4.13.1), and a = 1 at
x = 1/e, where it converges, by Abel's theorem: its terms are of the order of k^(-3/2).  As x T'(x) = T/(1 - T),

    F_j = sum_(k>=1) k^(k-1+j) x^k/k!:   F_(-1) = a - a^2/2,   F_0 = a,   F_(j+1) = a/(1 - a) dF_j/da,

where a < 1 for j > 0, of which the terms are of the order of k^(j-3/2) at x = 1/e.  The a is looked for in x = c e^(-a) itself.

>>> from asymp.kernel.facts.context import Context
>>> at = Context(pairs=((terms.ZERO, "<", terms.name("a")), (terms.name("a"), "<=", terms.ONE)))
>>> str(to_term(total_of_trees(terms.read("Sum(exp(-a*k)*(a*k)^(k - 1)/k!, (k, 1, oo))"), at)))
'1'
>>> total_of_trees(terms.read("Sum(k*exp(-a*k)*(a*k)^(k - 1)/k!, (k, 1, oo))"), at)
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: a sum that is not seen to converge
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.rings.polynomials import Poly, derived, times
from asymp.kernel.rings.ratio import Ratio, rational
from asymp.kernel.rings.ratio import to_term as to_term
from asymp.kernel.rings.recurring import Facts, K, counted, linear, straight
from asymp.kernel.terms import NOUGHT, Refused, Term, add, call, multiply, negative, number, power
from asymp.kernel.trust import rests_on

MOST_MOMENT, MOST_FIRST = 8, 40


@dataclass
class _Read:
    """c x^k k^(s k + e)/k!^m: ``front`` and ``base`` are c and x as terms."""

    front: Term = terms.ONE
    base: Term = terms.ONE
    slope: mpq = NOUGHT
    extra: mpq = NOUGHT
    below: int = 0


def total_of_trees(term: Term, at: Facts) -> Ratio:
    """The sum over k >= low, for a whole number low >= 1.

    Raises:
        Refused: it has another form, or is not seen to converge.
    """
    body, low, high = term.parts
    first = low.number if low.is_number else mpq(0)
    if high != terms.name("oo") or first.denominator != 1 or not 1 <= first <= MOST_FIRST or K.name in term.free:
        raise Refused("no infinite sum from 1 on")
    read = _Read()
    f = terms.opened(body, K)
    for part in f.parts if f.head == "product" else (f,):
        _factor(part, read, at)
    j = read.extra + 1
    if read.slope != 1 or read.below != 1 or j.denominator != 1 or not -1 <= j <= MOST_MOMENT:
        raise Refused("a sum that is not of trees")
    front, x = at.value(read.front), at.value(read.base)
    a = _inside(x, at, closed=j <= 0)
    total = front * _moment(int(j), a)
    rests_on("DLMF 4.13.5")
    for k in range(1, int(first)):
        total = total - at.value(counted(terms.opened(body, number(k))))
    return total


def _factor(part: Term, read: _Read, at: Facts) -> None:
    """Puts a factor in."""
    if K.name not in part.free:
        read.front = multiply(read.front, part)
        return
    base, exponent = part.parts if part.head == "power" else (part, terms.ONE)
    if base.head == "factorial" and exponent == number(-1):
        slope, start = linear(base.parts[0])
        if slope != 1 or start not in (0, -1):
            raise Refused("another factorial")
        read.below += 1
        read.extra -= start  # (k - 1)! = k!/k
    elif part.head == "exp":
        c, d = straight(part.parts[0])
        read.front, read.base = multiply(read.front, call("exp", d)), multiply(read.base, call("exp", c))
    elif part.head == "power" and base.head == "exp":
        _factor(call("exp", multiply(base.parts[0], exponent)), read, at)
    elif part.head == "power" and base.head == "power" and exponent.is_number and exponent.number.denominator == 1:
        _factor(power(base.parts[0], multiply(base.parts[1], exponent)), read, at)
    else:
        c, d = straight(base)
        slope, start = linear(exponent)
        if d != terms.ZERO and c != terms.ZERO:
            raise Refused("another power")
        own = d if c == terms.ZERO else c
        if own != terms.ONE:
            if at.of(at.value(own)) != {1}:
                raise Refused("a power of what may not be positive")
            read.front = multiply(read.front, power(own, number(start)))
            read.base = multiply(read.base, power(own, number(slope)))
        if c != terms.ZERO:
            read.slope, read.extra = read.slope + slope, read.extra + start


def _inside(x: Ratio, at: Facts, closed: bool) -> Ratio:
    """a with a e^(-a) = x and 0 < a < 1, or a <= 1.

    Raises:
        Refused: none is found.
    """
    for one in _candidates(x):
        try:
            a = at.value(one)
            same = (at.value(multiply(one, call("exp", negative(one)))) - x).is_zero
        except Refused:
            continue
        if same:
            if at.of(a) != {1} or not at.of(rational(1) - a) <= ({0, 1} if closed else {1}):
                raise Refused("a sum that is not seen to converge")
            return a
    raise Refused("a sum of trees at another place")


def _candidates(x: Ratio) -> Iterator[Term]:
    """What stands in an exponent of x = c e^(-a), with its sign turned."""
    exponents: list[Term] = []
    for powers in x.num if len(x.num) == 1 and len(x.den) == 1 else ():
        for atom, k in powers:
            inner = atom.parts[0] if atom.head == "exp" else terms.ONE if atom == terms.name("E") else None
            if inner is not None:
                exponents.append(multiply(number(-k), inner))
    if exponents:
        yield add(*exponents)
    yield from exponents


def _moment(j: int, a: Ratio) -> Ratio:
    """F_j, as a polynomial in a over a power of 1 - a."""
    if j < 0:
        return a - a * a * rational(mpq(1, 2))
    top: Poly = [mpq(0), mpq(1)]
    m = 0
    for _ in range(j):  # a/(1 - a) d/da of N/(1 - a)^m
        slope = times(derived(top), [mpq(1), mpq(-1)])
        size = max(len(slope), len(top))
        padded = [*slope, *[mpq(0)] * (size - len(slope))], [*top, *[mpq(0)] * (size - len(top))]
        top = times([mpq(0), mpq(1)], [s + m * t for s, t in zip(*padded, strict=True)])
        m += 2
    found = rational(0)
    for k, c in enumerate(top):
        if c:
            found = found + rational(c) * a.power(k)
    return found * (rational(1) - a).power(-m) if m else found
