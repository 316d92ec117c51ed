r"""What does not move in an integrand beside powers and exponentials, as log(t)/(1 + t) and cos(t), by what it is near a point.

Let g be a function of t > 0 that is continuous, and O(t^m) for some m as t -> oo; and next to the point at which the
integrand is largest let it be a sum of c y^q (log y)^j, j = 0 or 1, and O(y^r (log y)^j).  By Watson's lemma (DLMF 2.3(ii),
2.4(ii); Olver 1974, theorem 3.8.1) the integral is that of these terms: with y = L u, where L is as in :mod:`laplace`,

.. math:: \int u^s E(u)\,g(L u)\,du = \sum c L^q \int u^{s+q} E(u) (\log L + \log u)^j du + O(L^r (1 + |\log L|)^j),

since u^(s+q) E(u) (1 + \|log u\|) is integrable for s + q > -1.  What g is elsewhere adds no more than the integrand does there.

>>> from asymp.kernel.growths.expander import Expander
>>> from asymp.kernel.growths.growth import Domain
>>> from asymp.kernel.growths.series import Algebra
>>> g = Amplitude(Expander(Algebra(Domain(), 1), {"n": 0}, {}), terms.read(f"log({T})/(1 + {T})"), terms.name("oo"))
>>> [(str(to_term(q)), j, str(to_term(c))) for q, j, c in g.near(rational(0), 1).known][:2]
[('0', 1, '1'), ('1', 1, '-1')]
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from gmpy2 import mpq

from asymp.functions.table import NAMED
from asymp.kernel import terms
from asymp.kernel.growths.growth import Growth
from asymp.kernel.rings.defined import Range
from asymp.kernel.rings.ratio import Ratio, rational, to_term
from asymp.kernel.terms import Refused, Term

T = terms.name("t_of_the_integral")
END = "y_of_the_integral"
OO = terms.name("oo")
HARDY = frozenset({"number", "name", "sum", "product", "power", "exp", "log", "atan", "sinh", "cosh", "tanh"})
EXTRA = 3
"""Orders at a point beyond those that are wanted."""


@dataclass(frozen=True)
class Near:
    """sum of c y^q log(y)^j, and O of each of the other y^q log(y)^j."""

    known: tuple[tuple[Ratio, int, Ratio], ...]
    rest: tuple[tuple[Ratio, int], ...] = ()


PLAIN = Near(((rational(0), 0, rational(1)),))


@dataclass(frozen=True)
class Amplitude:
    """A term in T, for 0 < T < high; ``e`` is the expander of what moves."""

    e: Any
    term: Term
    high: Term

    def near(self, p: Ratio, way: int) -> Near:
        """At T = p + way y, y -> 0+.

        Raises:
            Refused: it is no such sum there.
        """
        if self.term == terms.ONE:
            return PLAIN
        y = terms.reciprocal(terms.name(END))
        at = y if p.is_zero else terms.add(to_term(p), terms.multiply(terms.number(way), y))
        f = self.e.alone(END, EXTRA).series(terms.substitute(self.term, {T.name: at}))
        known = tuple((q, j, c * rational((-1) ** j)) for c, g in f.terms for q, j in [_power(g)])
        return Near(known, tuple(_power(g) for g in f.rest))

    def require_mild(self, least: Ratio | None) -> None:
        """That it is continuous, and no larger than a power far out; and T^s times it integrable at 0, for s = ``least``.

        Raises:
            Refused: that is not seen.
        """
        if self.term == terms.ONE:
            return
        domain = self.e.algebra.domain
        if self.high != OO and not self.high.is_number:
            raise Refused("an end of an integral that is no number")
        for part in terms.walk(self.term):
            row = NAMED.get(part.head)
            if part.head not in HARDY and not (row is not None and row.everywhere):
                raise Refused(f"an integrand with {part.head}")
        end = Range(mpq(0), True) if self.high == OO else Range(mpq(0), True, self.high.number, False)
        replace(domain, within={**domain.within, T.name: end}).value(self.term)
        if self.high == OO:
            f = self.e.alone(T.name).series(self.term)
            if any(g.exponent for g in (*(g for _, g in f.terms), *f.rest)):
                raise Refused("an integrand that is not seen to grow no faster than a power")
        at_zero = self.near(rational(0), 1)
        exponents = [*(q for q, _, _ in at_zero.known), *(q for q, _ in at_zero.rest)]
        if least is not None and not all(domain.sign(least + q + rational(1)) == 1 for q in exponents):
            raise Refused("an integrand that is not seen to be integrable at 0")


def _power(g: Growth) -> tuple[Ratio, int]:
    """q and j of y^q log(1/y)^j."""
    found = {depth: e for (_, depth), e in g.powers}
    j = found.pop(1, rational(0)).constant()
    if g.exponent or found.keys() - {0} or j not in (0, 1):
        raise Refused("what is no power, or one with a logarithm, at a point")
    return -found.get(0, rational(0)), int(j)
