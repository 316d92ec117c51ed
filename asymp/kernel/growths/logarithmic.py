r"""Integrals from 1 on of an exponential that falls more and more slowly, with powers of a logarithm.

.. math:: I_s = \int_1^X e^{-q t} (\ln t)^j\,t^{-s}\,dt, \qquad q \to 0+,\ s \in \{0, 1\}.

**To infinity.**  By parts :math:`I_1 = \frac{q}{j+1} \int_1^\infty e^{-q t} (\ln t)^{j+1} dt`, and with v = q t

.. math:: \int_1^\infty e^{-q t} (\ln t)^m\,dt = \frac1q \sum_i \binom{m}{i} (-\ln q)^{m-i}\,\Gamma^{(i)}(1)
   - \sum_{l<M} \frac{(-q)^l}{l!} \frac{(-1)^m m!}{(l+1)^{m+1}} + O(q^M)

since :math:`\Gamma^{(i)}(1) = \int_0^\infty e^{-v} (\ln v)^i dv` (DLMF 5.9.19); the other part is the integral from 0 to 1, where
:math:`|e^{-x} - \sum_{l<M} (-x)^l/l!| \le x^M/M!`, x >= 0.  With :math:`\psi^{(k)}(1)` also the derivatives of Gamma are known:
:math:`\Gamma^{(i+1)} = \sum_k \binom{i}{k} \Gamma^{(k)} \psi^{(i-k)}`.

**To an X with** q X = y -> c > 0.  What is beyond X is, with t = X v,

.. math:: X^{1-s} \sum_i \binom{j}{i} (\ln X)^{j-i} \int_1^\infty e^{-y v} (\ln v)^i v^{-s} dv,

of which the last is :math:`c^{s-1} \sum_l \binom{i}{l} (-\ln c)^{i-l}\,\Gamma^{(l)}(1 - s, c) + O(y - c)`: its derivative in y is
bounded near c.

**To an X -> oo with** q X -> 0.  Term by term from :math:`e^{-q t} = \sum_{l<M} (-q t)^l/l! + O((q t)^M)`.

>>> from asymp.kernel.theorem import apply
>>> along = {"place": {"scales": {"s": "1/p"}, "values": {"p": "1/s"}}, "order": 2, "runner": "k", "values": {"p": "1/k"}}
>>> atom = "Integral(exp(-p*t)/t, (t, 1, oo))"
>>> found = apply("slow decay", statement=f"{atom} = -log(p) - EulerGamma + O(p) as p -> 0+", **along)
>>> found, sorted(found.trusts)
(⊢ Integral(exp(-p*t)/t, (t, 1, oo)) = -log(p) - EulerGamma + O(p) as p -> 0+, ['DLMF 5.4.12'])
>>> apply("slow decay", statement=f"{atom} = -log(p) + EulerGamma + O(p) as p -> 0+", **along)
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: the expansion does not show it
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb, prod

from asymp.kernel import terms
from asymp.kernel.data import Data
from asymp.kernel.growths.asymptotics import difference, expansion_by
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import ONE
from asymp.kernel.growths.integrand import T
from asymp.kernel.growths.regime import Placed
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.rings.field import logarithm
from asymp.kernel.rings.gamma import derivative_of_gamma
from asymp.kernel.rings.ratio import Ratio, rational, to_term
from asymp.kernel.terms import Refused, Term
from asymp.kernel.theorem import Conclusion, Theorem, rule
from asymp.kernel.trust import rests_on
from asymp.language.bodies import Expanding
from asymp.language.statement import Statement

MOST_LOGARITHMS = 6


@rule("slow decay")
def _slow_decay(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """``Integral(..) = terms + O(growth)`` for e^(-q t) log(t)^j, or that over t, from 1 on, where q -> 0+: see the module.

    Data: statement, order (terms kept), place (see regime), and a path of the regime: runner, values (see paths).
    """

    def series(statement: Statement, where: Placed, expander: Expander) -> Series:
        assert isinstance(statement.body, Expanding)
        return expansion(where.put(terms.of(statement.body.left)), expander)

    return expansion_by(premises, data, series)


def expansion(term: Term, expander: Expander) -> Series:
    """The series of such an integral.

    Raises:
        Refused: it is none.
    """
    a = expander.algebra
    if term.head != "Integral" or term.parts[1] != terms.ONE or T.name in term.free:
        raise Refused("an integral from 1 on is wanted")
    parts = _Factors(expander)
    parts.read(terms.opened(term.parts[0], T))
    c, growth = a.leading(parts.rate)
    if a.domain.sign(c) != 1 or growth.limit(a.domain) != "zero":
        raise Refused("a rate that is not seen to tend to 0 from above")
    found = Series(())
    for d, j in parts.powers():
        found = a.add(found, a.scaled(_Integral(a, parts.rate, parts.over, j).up_to(term.parts[2], expander), d))
    rest = Series((), (ONE,)) if parts.harmonic else Series(())
    return a.times(expander.series(terms.multiply(*parts.factors)), a.add(found, rest))


@dataclass
class _Factors:
    """The factors of an integrand: e^(-rate t), log(t)^logarithms, t^(-over), one harmonic(t), and those without t."""

    expander: Expander
    factors: list[Term] = field(default_factory=list)
    rate: Series = field(default_factory=lambda: Series(()))
    over: int = 0
    logarithms: int = 0
    harmonic: bool = False

    def read(self, body: Term) -> None:
        """The factors.

        Raises:
            Refused: there is another.
        """
        a = self.expander.algebra
        for f in body.parts if body.head == "product" else (body,):
            if T.name not in f.free:
                self.factors.append(f)
            elif f.head == "power" and f.parts[1] == T and T.name not in f.parts[0].free:
                self.rate = difference(a, self.rate, self.expander.log(f.parts[0]))
            elif f.head == "exp" and f.parts[0].head == "product" and f.parts[0].parts.count(T) == 1:
                others = terms.multiply(*(part for part in f.parts[0].parts if part != T))
                if T.name in others.free:
                    raise Refused("an exponent that is no multiple of the variable")
                self.rate = difference(a, self.rate, self.expander.series(others))
            elif f == terms.call("log", T):
                self.logarithms += 1
            elif f.head == "power" and f.parts[0] == terms.call("log", T) and f.parts[1].number in range(1, MOST_LOGARITHMS):
                self.logarithms += int(f.parts[1].number)
            elif f == terms.reciprocal(T) and not self.over:
                self.over = 1
            elif f == terms.call("harmonic", T) and not self.harmonic:
                self.harmonic = True
            else:
                raise Refused(f"an integrand with {f.head}")
        if self.logarithms > MOST_LOGARITHMS or (self.harmonic and not self.over):
            raise Refused("many logarithms, or a harmonic number that nothing divides")

    def powers(self) -> list[tuple[Ratio, int]]:
        """Factors and exponents of log(t).

        H_t = log t + gamma + O(1/t) for t >= 1, and log(t)^j/t^2 is integrable.
        """
        if not self.harmonic:
            return [(rational(1), self.logarithms)]
        rests_on("DLMF 5.4.14", "DLMF 5.11.2")
        gamma = self.expander.algebra.domain.value(terms.name("EulerGamma"))
        return [(rational(1), self.logarithms + 1), (gamma, self.logarithms)]


@dataclass(frozen=True)
class _Integral:
    """Of e^(-q t) log(t)^j/t^s from 1 on."""

    a: Algebra
    q: Series
    s: int
    j: int

    def up_to(self, high: Term, expander: Expander) -> Series:
        """The integral up to an end that tends to infinity.

        Raises:
            Refused: it is not seen how it compares with 1/q.
        """
        a = self.a
        if high == terms.name("oo"):
            return self._whole()
        end = expander.series(high)
        c, growth = a.leading(end)
        if growth.limit(a.domain) != "infinity" or a.domain.sign(c) != 1:
            raise Refused("an end that is not seen to tend to infinity")
        y = a.times(self.q, end)
        if a.vanishes(y):
            return self._short(end)
        c, growth = a.leading(y)
        if not growth.same(ONE) or a.domain.sign(c) != 1:
            raise Refused("an end that is not seen to be a multiple of 1/q, or less")
        return difference(a, self._whole(), self._beyond(end, c, difference(a, y, a.constant(c))))

    def _whole(self) -> Series:
        """Up to infinity."""
        a, m = self.a, self.j + self.s
        falls = a.scaled(a.log(self.q), rational(-1))
        total = Series(())
        for i in range(m + 1):
            total = a.add(total, a.scaled(self._power(falls, m - i), rational(comb(m, i)) * _gamma_at_1(i, a)))
        if not self.s:
            total = a.times(total, a.power(self.q, rational(-1)))
        power = self.q if self.s else a.constant(rational(1))
        for k in range(a.order):
            c = Fraction((-1) ** (k + m) * _factorial(m), _factorial(k) * (k + 1) ** (m + 1))
            total = difference(a, total, a.scaled(power, rational(c)))
            power = a.times(power, self.q)
        return a.scaled(a.add(total, _bare(a, power)), rational(Fraction(1, m if self.s else 1)))

    def _beyond(self, end: Series, c: Ratio, gap: Series) -> Series:
        """From there to infinity, where q times the end is c + gap."""
        a, log = self.a, self.a.log(end)
        below, total = -logarithm(c, a.domain), Series(())
        for i in range(self.j + 1):
            value = rational(0)
            for k in range(i + 1):
                gamma = a.domain.value(derivative_of_gamma(k, terms.number(1 - self.s), to_term(c)))
                value = value + rational(comb(i, k)) * (below.power(i - k) if i > k else rational(1)) * gamma
            value = value if self.s else value * c.inverse()
            one = a.add(a.constant(value), _bare(a, gap))
            total = a.add(total, a.scaled(a.times(self._power(log, self.j - i), one), rational(comb(self.j, i))))
        return total if self.s else a.times(end, total)

    def _short(self, end: Series) -> Series:
        """Up to an end that is small beside 1/q, by int t^(b-1) log(t)^j dt = t^b sum_i (-1)^i j!/(j-i)! log(t)^(j-i)/b^(i+1)."""
        a, log, j = self.a, self.a.log(end), self.j
        total, power = Series(()), a.constant(rational(1))
        above = a.constant(rational(1)) if self.s else end
        for k in range(a.order):
            b = k + 1 - self.s
            if b:
                part = Series(())
                for i in range(j + 1):
                    d = Fraction((-1) ** i * _factorial(j), _factorial(j - i) * b ** (i + 1))
                    part = a.add(part, a.scaled(self._power(log, j - i), rational(d)))
                at_1 = a.constant(rational(Fraction((-1) ** j * _factorial(j), b ** (j + 1))))
                part = difference(a, a.times(above, part), at_1)
            else:
                part = a.scaled(self._power(log, j + 1), rational(Fraction(1, j + 1)))
            total = a.add(total, a.scaled(a.times(power, part), rational(Fraction((-1) ** k, _factorial(k)))))
            power, above = a.times(power, self.q), a.times(above, end)
        return a.add(total, _bare(a, a.times(a.times(power, above), self._power(log, j))))

    def _power(self, f: Series, k: int) -> Series:
        found = self.a.constant(rational(1))
        for _ in range(k):
            found = self.a.times(found, f)
        return found


def _bare(a: Algebra, f: Series) -> Series:
    """O of it."""
    return a.made([], [*f.rest, *(g for _, g in f.terms)])


def _factorial(k: int) -> int:
    return prod(range(1, k + 1))


def _gamma_at_1(i: int, a: Algebra) -> Ratio:
    """The i-th derivative of Gamma at 1, by psi(1) = -gamma and psi^(k)(1) = (-1)^(k+1) k! zeta(k + 1)."""
    if i == 0:
        return rational(1)
    total = rational(0)
    for k in range(i):
        total = total + rational(comb(i - 1, k)) * _gamma_at_1(k, a) * _psi_at_1(i - 1 - k, a)
    return total


def _psi_at_1(k: int, a: Algebra) -> Ratio:
    if k == 0:
        rests_on("DLMF 5.4.12")
        return -a.domain.value(terms.name("EulerGamma"))
    rests_on("DLMF 5.15.2")
    if k == 1:
        rests_on("DLMF 25.6.1")
        zeta = terms.multiply(terms.power(terms.name("pi"), terms.number(2)), terms.number(Fraction(1, 6)))
    else:
        zeta = terms.call("zeta", terms.number(k + 1))
    return a.domain.value(zeta) * rational((-1) ** (k + 1) * _factorial(k))
