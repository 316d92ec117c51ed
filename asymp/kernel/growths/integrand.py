r"""Integrands with a large exponent: a power of t, powers of polynomials and of truncated exponentials, and an exponential.

.. math:: C\, t^s \prod_i B_i(t)^{\alpha_i N + f_i}\, e^{N P(t) - \nu t},

with a growth N that tends to infinity, :math:`\nu = o(N)`, P a polynomial, and :math:`B_i` a polynomial or
:math:`\sum_{i \le \theta} t^i/i!`, θ a whole parameter, of which one term may have another weight (see weighted); and what else
does not move (see amplitude).
Here it is only read so: what is positive is for :mod:`laplace` to ask.

>>> from asymp.kernel.growths.expander import Expander
>>> from asymp.kernel.growths.series import Algebra
>>> term = terms.read("Integral(t*(1 + t)^(n - 1)*exp(-2*n*t), (t, 0, oo))")
>>> found = Integrand.of(term, Expander(Algebra(Domain(), 2), {"n": 0}, {}))
>>> {j: str(to_term(c)) for j, c in found.slope().items()}  # of h = 2 t - log(1 + t), times t (1 + t)
{2: '2', 1: '1'}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import comb, factorial

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.facts.truncated import argument, last_term, series
from asymp.kernel.growths.growth import ONE, Domain, Growth
from asymp.kernel.growths.series import Expands, Series
from asymp.kernel.growths.weighted import Weighted
from asymp.kernel.growths.weighted import parts as weighted
from asymp.kernel.rings.defined import is_whole
from asymp.kernel.rings.factors import factored
from asymp.kernel.rings.field import Range
from asymp.kernel.rings.ratio import Poly, Ratio, atom, in_order, rational, to_term
from asymp.kernel.terms import Refused, Term

T = terms.name("t_of_the_integral")
"""The variable of the integral."""
OO = terms.name("oo")
MOST_DEGREE = 24
Polynomial = Mapping[int, Ratio]



@dataclass(frozen=True)
class Base:
    """A polynomial in t; or, with ``theta``, the exponential series up to t^theta/theta!, of which the value at 0 stands there.

    ``at``: where that is in y, for t = at + way y: the point, and the share of the last term, t^theta/theta!, there.
    """

    coefficients: Polynomial
    theta: Ratio | None = None
    at: tuple[Ratio, Ratio, int] | None = None

    @property
    def at_zero(self) -> Ratio:
        """The value at t = 0, or y = 0."""
        return self.coefficients.get(0, rational(0))

    def moved(self, p: Ratio, way: int, domain: Domain) -> Base:
        """The same in y, for t = p + y or p - y."""
        if self.theta is None:
            return Base(moved(self.coefficients, p, way))
        if p.is_zero:
            return self
        x, last = to_term(p), to_term(self.theta)
        value = domain.value(series(x, last))
        return Base({0: value}, self.theta, (p, domain.value(last_term(x, last)) * value.inverse(), way))

    def logarithm(self, degree: int, order: int, domain: Domain) -> tuple[list[tuple[Ratio, Ratio]], list[Ratio]]:
        """Exponents and coefficients of log B(t) - log B(0), and the exponents of its remainder.

        With b_j = B_j/B_0 they are l_1 = b_1, j l_j = j b_j - sum_{i<j} i l_i b_(j-i).  For the truncated exponential B' = B -
        t^theta/theta!, so that (1 - e^(-t) B)' = e^(-t) t^theta/theta!, and log B = t + log(1 - Q) with

            Q = sum_m (-1)^m t^(theta+1+m)/(m! theta! (theta + 1 + m)),  log(1 - Q) = -Q + O(Q^2);

        and away from 0 its j-th derivative over itself is 1 - e sum_{i<j} theta (theta - 1) ... (theta - i + 1) t^(-i), where e
        is t^theta/theta! over B.
        """
        if self.theta is not None and self.at is None:
            below = domain.value(terms.call("factorial", to_term(self.theta)))
            first = self.theta + rational(1)
            found = [(rational(1), rational(1))]
            for m in range(order):
                q = first + rational(m)
                found.append((q, (below * q * rational(factorial(m) * (-1) ** (m + 1))).inverse()))
            return found, [first + rational(order), first + first]
        b = self.taylor(degree)
        log: dict[int, Ratio] = {}
        for j in range(1, degree):
            total = rational(j) * b.get(j, rational(0))
            for i in range(1, j):
                if j - i in b:
                    total = total - rational(i) * log[i] * b[j - i]
            log[j] = total * rational(mpq(1, j))
        return [(rational(j), c) for j, c in log.items()], [rational(degree)]

    def taylor(self, degree: int) -> Polynomial:
        """Taylor's coefficients over the value at 0."""
        if self.theta is None or self.at is None:
            b0 = self.at_zero.inverse()
            return {j: c * b0 for j, c in self.coefficients.items()}
        p, share, way = self.at
        found, total, part = dict[int, Ratio](), rational(0), rational(1)
        for j in range(1, degree):
            total = total + part
            part = part * (self.theta - rational(j - 1)) * p.inverse()
            found[j] = (rational(1) - share * total) * rational(mpq(way**j, factorial(j)))
        return found


Raised = tuple[Base, Term, Series]
"""A base, and its exponent as a term and as a series."""
POWER = Base({1: rational(1)})
"""t itself."""


@dataclass(frozen=True)
class Integrand:
    """A product of ``factors`` without t, ``power`` of t, ``bases`` with exponents, and exp of a sum of powers of t."""

    expander: Expands
    large: Growth
    factors: tuple[Term, ...]
    power: Raised
    bases: tuple[Raised, ...]
    exponent: Mapping[int, Series]
    weighted: tuple[Weighted, ...] = ()
    amplitude: Term = terms.ONE
    high: Term = OO

    @classmethod
    def of(cls, term: Term, expander: Expands) -> Integrand:
        """What is integrated from 0 to infinity, or to what stays.

        Raises:
            Refused: it is of another form.
        """
        low, high = term.parts[1:] if term.head == "Integral" else (terms.ONE, OO)
        stays = high == OO or (expander.constant(high) and expander.is_positive(high))
        if low != terms.ZERO or T.name in term.free or not stays:
            raise Refused("an integral from 0 to infinity, or to what is positive and stays, is wanted")
        parts = _Factors(expander)
        parts.read(terms.opened(term.parts[0], T))
        power, *bases = [(base, e, expander.series(e)) for base, e in ((POWER, parts.power), *parts.bases)]
        exponent = {j: expander.series(to_term(c)) for j, c in parts.exponent.items()}
        raised, higher = [f for _, _, f in (power, *bases)], [f for j, f in exponent.items() if j > 1]
        found = [*raised, *higher, exponent.get(1, Series(()))]
        growths, domain = [g for f in found for _, g in f.terms], expander.algebra.domain
        large = next((g for g in growths if all((h / g).limit(domain) in ("zero", "one") for h in growths)), ONE)
        if large.limit(domain) != "infinity" or any(f.rest for f in found):
            raise Refused("no exponent that is seen to be the largest")
        if not all(g.same(large) or g.same(ONE) for f in raised for _, g in f.terms):
            raise Refused("an exponent of a base that is no a N + b")
        if not all(g.same(large) for f in higher for _, g in f.terms):
            raise Refused("a power of t with a factor that is no multiple of N")
        others = tuple(parts.weighted), terms.multiply(*parts.amplitude), high
        return cls(expander, large, tuple(parts.factors), power, tuple(bases), exponent, *others)

    @property
    def domain(self) -> Domain:
        """That of the parameters."""
        return self.expander.algebra.domain

    def of_large(self, f: Series) -> Ratio:
        """The coefficient of N."""
        return next((c for c, g in f.terms if g.same(self.large)), rational(0))

    def slope(self) -> Polynomial:
        """M in t, where h' = M/prod B_i for h = -P - sum alpha_i log B_i: where the integrand is largest, it is 0.

        Raises:
            Refused: there is a truncated exponential.
        """
        own = {j - 1: -self.of_large(f) * rational(j) for j, f in self.exponent.items() if j}
        return slope(own, [(base, self.of_large(f)) for base, _, f in (self.power, *self.bases)])

    def peaks(self) -> Iterator[Term]:
        """The zeros of its linear factors, and arguments of truncated exponentials in its exponent: where it may be largest."""
        if any(base.theta is not None for base, _, _ in self.bases):
            polys = (q for f in self.exponent.values() for c, _ in f.terms for q in (c.num, c.den))
            found = (argument(a) for q in polys for p in q for a, _ in p)
            yield from sorted({x for x in found if x is not None}, key=lambda x: x.order)
            return
        try:
            own = sum((c * (atom(T).power(j) if j else rational(1)) for j, c in self.slope().items()), rational(0))
            factors = factored(own.num)[2] if own.num else []
        except Refused:
            return
        for factor, _ in factors:
            parts: dict[mpq, Poly] = {}
            for powers, c in factor.items():
                left = dict(powers)
                parts.setdefault(left.pop(T, mpq(0)), {})[in_order(left)] = c
            if parts.keys() == {mpq(0), mpq(1)}:
                yield to_term(-Ratio(parts[mpq(0)]) * Ratio(parts[mpq(1)]).inverse())


@dataclass
class _Factors:
    """The factors of an integrand, as they are read."""

    expander: Expands
    factors: list[Term] = field(default_factory=list)
    power: Term = terms.ZERO
    bases: list[tuple[Base, Term]] = field(default_factory=list)
    exponent: dict[int, Ratio] = field(default_factory=dict)
    weighted: list[Weighted] = field(default_factory=list)
    amplitude: list[Term] = field(default_factory=list)

    def read(self, term: Term, e: Term = terms.ONE, powers: bool = False) -> None:
        """term^e: (u v)^e = u^e v^e and (u^d)^e = u^(d e) for positive u and v, as t is, and as bases are to be."""
        a = self.expander.algebra
        if T.name not in term.free:
            if powers and a.below(self.expander.series(term))[0] != 1:
                raise Refused("a power of a product with a factor that may not be positive")
            self.factors.append(terms.power(term, e))
        elif term.head == "product":
            for part in term.parts:
                self.read(part, e, powers)
        elif term.head == "power" and T.name not in term.parts[1].free:
            self.read(term.parts[0], terms.multiply(e, term.parts[1]), True)
        elif term.head == "exp":
            for j, c in self.polynomial(self.without_logarithms(self.ratio(terms.multiply(e, term.parts[0])))).items():
                self.exponent[j] = self.exponent.get(j, rational(0)) + c
        elif term == T:
            self.power = terms.add(self.power, e)
        elif (found := weighted(term, T)) is not None:
            total, small, place = found
            base, whole, of = self.base(total), frozenset(x.name for x in self.expander.whole), self.expander.series
            if base.theta is None or not self.expander.constant(place) or not is_whole(place, whole):
                raise Refused("a weight of what is not seen to be a term of the sum")
            self.bases.append((base, e))
            self.weighted.append(Weighted(base.theta, a.domain.value(place), of(small), of(e)))
        else:
            self.other(term, e)

    def other(self, term: Term, e: Term) -> None:
        """A power of a base, or what does not move beside them."""
        why = Refused(f"an integrand with {term.head}")
        if term.head in ("sum", "Sum"):
            try:
                self.bases.append((self.base(term), e))
                return
            except Refused as error:
                why = error
        still = terms.substitute(term, {T.name: terms.ONE})
        if term.head == "Sum" or not self.expander.constant(e) or not self.expander.constant(still):
            raise why
        self.amplitude.append(terms.power(term, e))

    def base(self, term: Term) -> Base:
        """A polynomial whose coefficients do not move, or a truncated exponential.

        Raises:
            Refused: it is another.
        """
        if term.head == "Sum":
            high = term.parts[2]
            if argument(term) != T:
                raise Refused("a sum that is no truncated exponential")
            if high.is_number and high.number in range(MOST_DEGREE):
                return Base({j: rational(mpq(1, factorial(j))) for j in range(int(high.number) + 1)})
            theta = self.expander.algebra.domain.value(high)
            whole = frozenset(x.name for x in self.expander.whole)
            if not is_whole(high, whole) or not self.expander.algebra.domain.of(theta) <= {0, 1}:
                raise Refused(f"{high} is not seen to be a whole number, and not below 0")
            return Base({0: rational(1)}, theta)
        found = self.polynomial(self.ratio(term))
        if not all(self.expander.constant(to_term(c)) for c in found.values()):
            raise Refused("a polynomial whose coefficients move")
        return Base(found)

    def ratio(self, term: Term) -> Ratio:
        """A term in t > 0 and in what tends to infinity."""
        positive = {name: Range(mpq(0), True) for name in (*self.expander.scales, T.name)}
        domain = self.expander.algebra.domain
        return replace(domain, within={**domain.within, **positive}).value(term)

    def without_logarithms(self, exponent: Ratio) -> Ratio:
        """What is left of an exponent, where e^(c log B) is read as B^c."""
        left, found = Poly(), dict[Term, Poly]()
        for powers, c in exponent.num.items():
            own = dict(powers)
            logs = [a for a, k in powers if a.head == "log" and T.name in a.free and k == 1]
            if len(logs) == 1 and T not in own:
                del own[logs[0]]
                found.setdefault(logs[0].parts[0], {})[in_order(own)] = c
            else:
                left[powers] = c
        for base, p in found.items():
            e = to_term(Ratio(p, exponent.den))
            if T.name in e.free:
                raise Refused("no polynomial in the variable of the integral")
            self.read(base, e, True)
        return Ratio(left, exponent.den)

    def polynomial(self, ratio: Ratio) -> dict[int, Ratio]:
        """A polynomial in t.

        Raises:
            Refused: it is none, or one of high degree.
        """
        found: dict[int, Poly] = {}
        for powers, c in ratio.num.items():
            own = dict(powers)
            j = own.pop(T, mpq(0))
            if j.denominator != 1 or not 0 <= j < MOST_DEGREE:
                raise Refused("no polynomial in the variable of the integral")
            found.setdefault(int(j), {})[in_order(own)] = c
        kept = {j: Ratio(p, ratio.den) for j, p in found.items()}
        if any(T in terms.walk(to_term(c)) for c in kept.values()):
            raise Refused("no polynomial in the variable of the integral")
        return kept


# --- polynomials ----------------------------------------------------------------------------------------------


def moved(p: Polynomial, at: Ratio, way: int) -> dict[int, Ratio]:
    """p(at + y), or p(at - y) for way = -1."""
    if at.is_zero and way > 0:
        return dict(p)
    found: dict[int, Ratio] = {}
    for i, c in p.items():
        part = {j: c * rational(comb(i, j) * way**j) * (at.power(i - j) if i > j else rational(1)) for j in range(i + 1)}
        found = plus(found, part)
    return found


def slope(own: Polynomial, rising: Sequence[tuple[Base, Ratio]]) -> Polynomial:
    """(own - sum c_i B_i'/B_i) prod B_i, of polynomials B_i.

    Raises:
        Refused: there is another.
    """
    whole = own
    for base, _ in rising:
        if base.theta is not None:
            raise Refused("a truncated exponential away from 0")
        whole = times(whole, base.coefficients)
    for k, (base, c) in enumerate(rising):
        part: Polynomial = {j - 1: -c * rational(j) * b for j, b in base.coefficients.items() if j}
        for other, _ in (*rising[:k], *rising[k + 1 :]):
            part = times(part, other.coefficients)
        whole = plus(whole, part)
    return whole


def plus(p: Polynomial, q: Polynomial) -> dict[int, Ratio]:
    """The sum."""
    found = dict(p)
    for j, c in q.items():
        found[j] = found[j] + c if j in found else c
    return {j: c for j, c in found.items() if not c.is_zero}


def times(p: Polynomial, q: Polynomial) -> dict[int, Ratio]:
    """The product."""
    found: dict[int, Ratio] = {}
    for i, c in p.items():
        found = plus(found, {i + j: c * d for j, d in q.items()})
    return found
