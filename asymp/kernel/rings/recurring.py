"""Terms in a whole index k whose ratio f(k + 1)/f(k) is x prod_i (k + a_i)^e_i, with numbers a_i and an x that is free of k.

So are products of whole powers of k + a, of x^(c k + d) and of factorials and Gamma functions of c k + d, for whole c:

    Gamma(c (k + 1) + d)/Gamma(c k + d) = c^c prod_(0<=j<c) (k + (d + j)/c)           (DLMF 5.5.1).

>>> from asymp.kernel.facts.context import Context
>>> step = step_of(terms.opened(read("Sum(catalan(k)/8^k, (k, 0, oo))").parts[0], K), Context())
>>> str(to_term(step.factor)), {str(a): e for a, e in step.shifts.items()}, str(step.least)
('1/2', {'1/2': 1, '2': -1}, '0')
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from math import comb, factorial, prod
from typing import Protocol

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.rings.ratio import Ratio, rational
from asymp.kernel.rings.ratio import to_term as to_term
from asymp.kernel.terms import ONE, Refused, Term, add, call, multiply, number, power
from asymp.kernel.terms import read as read

INDEX = "@"
"""The index of a sum; no name in a text."""
K = terms.name(INDEX)
GAMMAS = frozenset({"factorial", "factorial2", "gamma", "binomial", "catalan"})
MOST_STEPS, MOST_COUNTED = 12, 500
"""c, of a factorial of c k + d."""


class Facts(Protocol):
    """What is seen of terms and of their values on a domain: see field."""

    def value(self, term: Term) -> Ratio: ...
    def of(self, x: Ratio) -> AbstractSet[int]: ...


@dataclass(frozen=True)
class Step:
    """``factor``: x; ``shifts``: a_i -> e_i; ``least``: from this k on the ratio is so, each k + a_i > 0, and f(k) is defined
    and not 0."""

    factor: Ratio
    shifts: Mapping[mpq, int]
    least: mpq

    def ratio(self, k: Term = K) -> Term:
        """The ratio as a term."""
        return multiply(to_term(self.factor), *(power(add(k, number(a)), number(e)) for a, e in self.shifts.items()))

    @property
    def degree(self) -> int:
        """The ratio is of the order of k^degree."""
        return sum(self.shifts.values())

    @property
    def decay(self) -> mpq:
        """s, where prod (1 + a/k)^e = 1 - s/k + O(1/k^2)."""
        return -sum((a * e for a, e in self.shifts.items()), mpq(0))

    def times(self, other: Step, sign: int = 1) -> Step:
        """That of a product, or of a quotient."""
        found = dict(self.shifts)
        for a, e in other.shifts.items():
            found[a] = found.get(a, 0) + sign * e
        factor = self.factor * (other.factor if sign > 0 else other.factor.inverse())
        return Step(factor, {a: e for a, e in found.items() if e}, max(self.least, other.least))

    def raised(self, k: int) -> Step:
        """That of a whole power."""
        return Step(self.factor.power(k), {a: e * k for a, e in self.shifts.items()} if k else {}, self.least)


NOWHERE = mpq(-(10**6))
STILL = Step(rational(1), {}, NOWHERE)
"""Of what is free of k."""


def step_of(f: Term, at: Facts) -> Step:
    """The ratio of a term in k; ``at`` knows the values and signs of what is free of k.

    Raises:
        Refused: it is not seen to have one, or may be 0.
    """
    if INDEX not in f.free:
        if 0 in at.of(at.value(f)):
            raise Refused("a factor that may be 0")
        return STILL
    match f.head:
        case "product":
            found = STILL
            for part in f.parts:
                found = found.times(step_of(part, at))
            return found
        case "power" if INDEX not in f.parts[1].free:
            k = f.parts[1]
            if not (k.is_number and k.number.denominator == 1):
                raise Refused("a root of what moves")
            return step_of(f.parts[0], at).raised(int(k.number))
        case "power" if INDEX not in f.parts[0].free:
            return _geometric(f.parts[0], linear(f.parts[1]), at)
        case "exp":
            return Step(at.value(call("exp", straight(f.parts[0])[0])), {}, NOWHERE)
        case "name" | "sum":
            c, d = linear(f)
            return Step(rational(1), {d / c + 1: 1, d / c: -1} if c else {}, _after(d / c) if c else NOWHERE)
        case "factorial" if len(f.parts) == 1:
            c, d = linear(f.parts[0])
            return _gamma(c, d + 1)
        case "gamma" if len(f.parts) == 1:
            return _gamma(*linear(f.parts[0]))
        case "factorial2" if len(f.parts) == 1:  # n!! = n (n - 2)!!
            c, d = linear(f.parts[0])
            if not (c.denominator == d.denominator == 1 and c % 2 == 0 and 0 < c <= 2 * MOST_STEPS):
                raise Refused("a double factorial of another form")
            found = STILL
            for j in range(2, int(c) + 1, 2):
                found = found.times(Step(rational(c), {(d + j) / c: 1}, _after((d + 2) / c)))
            return found
        case "binomial" if len(f.parts) == 2:
            return _binomial(*f.parts, at)
        case "catalan":
            n = f.parts[0]
            return step_of(multiply(call("binomial", multiply(number(2), n), n), terms.reciprocal(add(n, ONE))), at)
    raise Refused(f"{f.head} in a term that recurs")


def facts_of(f: Term) -> list[str]:
    """What a ratio rests on."""
    return ["DLMF 5.5.1"] if any(part.head in GAMMAS for part in terms.walk(f)) else []


def _geometric(base: Term, exponent: tuple[mpq, mpq], at: Facts) -> Step:
    """x^(c k + d)."""
    c, d = exponent
    x = at.value(base)
    signs = at.of(x)
    if 0 in signs or (signs != {1} and not c.denominator == d.denominator == 1):
        raise Refused("a power of what may be 0, or negative")
    return Step(at.value(power(base, number(c))), {}, NOWHERE)


def _gamma(c: mpq, d: mpq) -> Step:
    """Gamma(c k + d), where that is positive."""
    if c.denominator != 1 or not 0 < c <= MOST_STEPS:
        raise Refused("a factorial of another form")
    found = STILL
    for j in range(int(c)):
        found = found.times(Step(rational(c), {(d + j) / c: 1}, _after(d / c)))
    return found


def _binomial(n: Term, m: Term, at: Facts) -> Step:
    """n!/(m! (n - m)!) for whole n >= m >= 0; else n (n - 1) ... (n - m + 1)/m!, for a number n and whole m = k + d >= 0."""
    if INDEX in n.free:
        (a, b), (c, d) = linear(n), linear(m) if INDEX in m.free else (mpq(0), number_of(m))
        if any(x.denominator != 1 for x in (a, b, c, d)) or not 0 <= c <= a:
            raise Refused("a binomial of another form")
        found = _gamma(a, b + 1)
        for e, g in ((c, d), (a - c, b - d)):
            if e:
                found = found.times(_gamma(e, g + 1), -1)
            elif g < 0:
                raise Refused("a binomial that is 0")
        return found
    u, (c, d) = number_of(n), linear(m)
    if c != 1 or d.denominator != 1 or (u.denominator == 1 and u >= 0):
        raise Refused("a binomial of another form")
    top, bottom = Step(rational(-1), {d - u: 1}, _after(d - u)), Step(rational(1), {d + 1: 1}, -d)
    return top.times(bottom, -1)  # (u - k - d)/(k + d + 1)


def _after(a: mpq) -> mpq:
    """The least whole k with k + a > 0."""
    return mpq(-(a.numerator // a.denominator)) if a.denominator > 1 else 1 - a


def linear(term: Term) -> tuple[mpq, mpq]:
    """c and d of c k + d, which are numbers.

    Raises:
        Refused: they are not.

    >>> [str(x) for x in linear(terms.substitute(read("2*k - (k - 1)/3"), {"k": K}))]
    ['5/3', '1/3']
    """
    c, d = straight(term)
    return number_of(c), number_of(d)


def straight(term: Term) -> tuple[Term, Term]:
    """c and d of c k + d, free of k."""
    if INDEX not in term.free:
        return terms.ZERO, term
    if term == K:
        return ONE, terms.ZERO
    if term.head == "sum":
        rows = [straight(part) for part in term.parts]
        return add(*(c for c, _ in rows)), add(*(d for _, d in rows))
    if term.head == "product":
        moving = [part for part in term.parts if INDEX in part.free]
        if len(moving) == 1:
            c, d = straight(moving[0])
            rest = multiply(*(part for part in term.parts if INDEX not in part.free))
            return multiply(rest, c), d if d == terms.ZERO else multiply(rest, d)
    raise Refused("what is not linear in the index")


def unit(term: Term) -> tuple[int, Term]:
    """1 or -1, and d, of k + d or d - k.

    Raises:
        Refused: it is another term.
    """
    c, d = straight(term)
    if c not in (ONE, number(-1)):
        raise Refused("what is not k or -k and what is free of it")
    return int(c.number), d


def number_of(term: Term) -> mpq:
    """The rational number that a term is.

    Raises:
        Refused: it is not seen to be one.
    """
    match term.head:
        case "number":
            return term.number
        case "sum":
            return sum((number_of(part) for part in term.parts), mpq(0))
        case "product":
            found = mpq(1)
            for part in term.parts:
                found *= number_of(part)
            return found
    raise Refused("what is no number")


def counted(term: Term) -> Term:
    """A term with the values of factorials, binomials and Catalan's numbers of whole numbers that are not negative.

    >>> str(counted(read("catalan(3) + binomial(4, 2) + binomial(1/2, 2) + factorial2(5)")))
    '207/8'
    """
    if not term.parts:
        return term
    parts = tuple(map(counted, term.parts))
    last = parts[-1]
    if last.is_number and last.number.denominator == 1 and 0 <= last.number <= MOST_COUNTED:
        k = int(last.number)
        match term.head, len(parts):
            case "factorial", 1:
                return number(factorial(k))
            case "factorial2", 1:
                return number(prod(range(k, 0, -2)))
            case "catalan", 1:
                return number(mpq(comb(2 * k, k), k + 1))
            case "binomial", 2 if parts[0].is_number:  # DLMF 1.2.6
                found = mpq(1)
                for j in range(k):
                    found *= (parts[0].number - j) / (j + 1)
                return number(found)
    return terms.rebuilt(term, parts)
