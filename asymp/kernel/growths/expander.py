"""Terms in quantities s_1, ..., s_k that tend to infinity, as series: the algebra of expansions, done from the leaves.

The leaves are the s_i, the parameters, functions with a classical series at infinity (DLMF 5.11), and atoms such as sums
and integrals of which a theorem among the premises says what they are.

>>> from asymp.kernel.growths.growth import Domain
>>> from asymp.kernel.terms import read
>>> found = Expander(Algebra(Domain(), 3), {"n": 0}, {}).series(read("log(n + 1) - log(n)"))
>>> len(found.terms), len(found.rest)
(2, 1)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from asymp.kernel import terms
from asymp.kernel.growths.geometric_integrals import series_of_integral
from asymp.kernel.growths.geometric_sums import series_of_sum
from asymp.kernel.growths.growth import ONE, power_of
from asymp.kernel.growths.incomplete import upper
from asymp.kernel.growths.series import Algebra, Series, bernoulli
from asymp.kernel.growths.summands import is_one
from asymp.kernel.rings.gamma import rewritten
from asymp.kernel.rings.ratio import atom, rational
from asymp.kernel.terms import Refused, Term
from asymp.kernel.trust import rests_on


@dataclass
class Expander:
    """``scales``: name -> number; ``leaves``: atom -> its series; ``whole``: terms that are whole numbers.

    ``asked`` collects the leaves that were used.
    """

    algebra: Algebra
    scales: Mapping[str, int]
    leaves: Mapping[Term, Series]
    whole: frozenset[Term] = frozenset()
    asked: set[Term] = field(default_factory=set)
    known: dict[Term, Series] = field(default_factory=dict)

    def series(self, term: Term) -> Series:
        """The series of a term.

        Raises:
            Refused: it is not seen to be defined, or has none here.
        """
        if term not in self.known:
            self.known[term] = self._series(term)
        return self.known[term]

    def constant(self, term: Term) -> bool:
        """Whether no s_i stands in it."""
        return not terms.free(term) & self.scales.keys()

    def _series(self, term: Term) -> Series:
        a = self.algebra
        if term in self.leaves:
            self.asked.add(term)
            return self.leaves[term]
        if self.constant(term):
            return a.constant(a.domain.value(term))
        match term.head:
            case "name":
                return Series(((rational(1), power_of(self.scales[term.name], 0)),))
            case "sum":
                found = Series(())
                for part in term.parts:
                    found = a.add(found, self.series(part))
                return found
            case "product":
                found = a.constant(rational(1))
                for part in term.parts:
                    found = a.times(found, self.series(part))
                return found
            case "power":
                return self._power(*term.parts)
            case "log":
                return self.log(term.parts[0])
            case "exp":
                return a.exp(self.series(term.parts[0]))
            case "floor" | "ceiling":
                inner = self.series(term.parts[0])
                return a.made(list(inner.terms), [*inner.rest, ONE])
            case "Abs":
                inner = self.series(term.parts[0])
                c, _ = a.leading(inner)
                return inner if a.domain.sign(c) == 1 else a.scaled(inner, rational(-1))
            case "Max" | "Min" if term.parts:
                return self._extreme(term)
            case "harmonic" | "digamma" if len(term.parts) == 1:
                return self._digamma(term.parts[0], term.head == "harmonic")
            case "factorial" | "gamma" | "loggamma":
                found = self._stirling(term.parts[0], term.head == "factorial")
                return found if term.head == "loggamma" else a.exp(found)
            case "Sum":
                return series_of_sum(term, a, self.series, self.whole)
            case "Integral":
                return series_of_integral(term, a, self.series)
            case "uppergamma" if term.parts[0] == terms.ZERO:
                return upper(a, 0, self.series(term.parts[1]))
            case "GammaDerivative" if term.parts[:2] == (terms.ONE, terms.ZERO):
                return upper(a, 1, self.series(term.parts[2]))
            case "Ei":
                rests_on("DLMF 6.2.6", "DLMF 6.11.1")
                return a.scaled(upper(a, 0, a.scaled(self.series(term.parts[0]), rational(-1))), rational(-1))
        if (other := rewritten(term)) is not None:
            return self.series(other)
        raise Refused(f"no series of {term.head}")

    def _extreme(self, term: Term) -> Series:
        """The largest or the least, where the sign of each difference is seen from some point on."""
        a, (found, *others) = self.algebra, [self.series(part) for part in term.parts]
        for other in others:
            gap = a.add(other, a.scaled(found, rational(-1)))
            if gap.terms or gap.rest:
                larger = a.domain.sign(a.leading(gap)[0]) == 1
                found = other if larger is (term.head == "Max") else found
        return found

    def log(self, term: Term) -> Series:
        """The logarithm of a term; of an exponential it is the exponent itself, and nothing is cut."""
        if term.head == "exp":
            return self.series(term.parts[0])
        return self.algebra.log(self.series(term))

    def _power(self, base: Term, exponent: Term) -> Series:
        a = self.algebra
        if exponent.is_number and exponent.number and exponent.number.denominator == 1:
            if base.head == "product":  # (u v)^k = u^k v^k: where one side is defined, so is the other
                return self.series(terms.multiply(*(terms.power(part, exponent) for part in base.parts)))
            if base.head == "power" and (e := base.parts[1]).is_number and e.number and e.number.denominator == 1:
                if min(e.number, exponent.number) < 0:
                    a.below(self.series(base.parts[0]))  # which is not 0
                return self.series(terms.power(base.parts[0], terms.number(e.number * exponent.number)))
        if base.head == "exp":
            return a.exp(a.times(self.series(exponent), self.series(base.parts[0])))
        if self.constant(exponent):
            return a.power(self.series(base), a.domain.value(exponent))
        return a.exp(a.times(self.series(exponent), self.log(base)))

    def _digamma(self, x: Term, harmonic: bool) -> Series:
        """psi(x) = ln x - 1/(2x) - sum B_2k/(2k x^2k), and H_x = psi(x) + 1/x + gamma."""
        a, f = self.algebra, self.series(x)
        if harmonic and self.scales.get(x.name) in a.domain.between:  # 0 <= H_x - ln x <= 1 for x >= 1
            rests_on("DLMF 5.4.14", "DLMF 5.15.1")
            return Series((), tuple(a.logarithms(self.scales[x.name])))
        rests_on("DLMF 5.11.2", *(("DLMF 5.4.14",) if harmonic else ()))
        shift = Fraction(1, 2) if harmonic else Fraction(-1, 2)
        coefficients = [Fraction(0), shift]
        for k in range(2, a.order + 2):
            coefficients.append(-bernoulli(k) / k)
        found = a.add(a.log(f), a.in_reciprocal(coefficients, f))
        return a.add(found, a.constant(atom(terms.name("EulerGamma")))) if harmonic else found

    def _stirling(self, x: Term, factorial: bool) -> Series:
        """ln Gamma(x) = (x - 1/2) ln x - x + ln(2 pi)/2 + sum B_2k/(2k(2k - 1) x^(2k-1)), and ln x! = ln Gamma(x) + ln x."""
        rests_on("DLMF 5.11.1")
        a, f = self.algebra, self.series(x)
        coefficients = [Fraction(0)]
        for k in range(2, a.order + 3):
            coefficients.append(bernoulli(k) / (k * (k - 1)))
        half = a.constant(rational(Fraction(1, 2) if factorial else Fraction(-1, 2)))
        head = a.times(a.add(f, half), a.log(f))
        constant = a.domain.value(terms.multiply(terms.number(Fraction(1, 2)), terms.read("log(2*pi)")))
        found = a.add(a.add(head, a.scaled(f, rational(-1))), a.constant(constant))
        return a.add(found, a.in_reciprocal(coefficients, f))


def may_expand(atom: Term) -> bool:
    """Whether an atom is a sum, an integral or an incomplete gamma function that may have a series without a leaf.

    >>> from asymp.kernel.terms import read
    >>> may_expand(read("Sum(p^k/k, (k, 1, n))")), may_expand(read("Sum(p^k/k!, (k, 1, n))"))
    (True, False)
    """
    return is_one(atom) or atom.head in ("E1", "Ei", "GammaDerivative", "expint", "li", "uppergamma")
