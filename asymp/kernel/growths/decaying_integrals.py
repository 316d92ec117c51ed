r"""Integrals of g(t) e^(-N h(t)) with any smooth h, N -> infinity, by what g and h are where h is least.

**Theorem** (Laplace 1774, Erdelyi 1956; Olver 1974, chapter 3, theorem 7.1 and chapter 9, theorem 1.1; DLMF 2.3(iii)).  On [p, q]
let h increase, h' != 0 in between, and for y = t - p -> 0+ let h = h(p) + c y^mu + ..., c, mu > 0, and g be sums of powers, which
begin above y^(-1); let g be integrable at q, or, where q is infinite, be O(t^m), and h at least a multiple of log t.  Then

.. math:: \int_p^q g\,e^{-N h}\,dt = e^{-N h(p)} \Big(\sum_{E, j} g_{E,j}\,\frac{(-N)^j}{j!}\,
   \frac{\Gamma(z)}{\mu\,(N c)^z} + O(N^{-Z})\Big), \qquad z = \frac{E + 1}{\mu},

with g_(E,j) the coefficients of g D^j, D = h - h(p) - c y^mu.  (Beyond p + b it is at most e^(-N h(p + b)) times a number: for
q = oo as e^(-N h) <= e^(-(N - M) h(p + b)) e^(-M h), and g e^(-M h) is integrable for a large M.)  Where h falls, q is that
end.  An integral is cut where h' = 0, and at 0 where it goes from -oo to oo.

>>> from asymp.kernel.growths.expander import Expander
>>> from asymp.kernel.growths.growth import Domain
>>> from asymp.kernel.growths.series import Algebra
>>> e = Expander(Algebra(Domain(), 1), {"n": 0}, {})
>>> found = by_decay(e, terms.read("Integral(exp(n*cos(t)), (t, 0, pi))"))
>>> [str(to_term(c)) for c, _ in found.terms]
['1/2*pi^(1/2)*2^(1/2)']
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from asymp.kernel import terms
from asymp.kernel.growths.growth import power_of
from asymp.kernel.growths.series import Algebra as Algebra
from asymp.kernel.growths.series import Expands, Series
from asymp.kernel.growths.stationary import HARDY, OO, Phase, T
from asymp.kernel.rings.named_integrals import multiplied_out
from asymp.kernel.rings.ratio import Ratio, rational, to_term
from asymp.kernel.summation.generalised import bound
from asymp.kernel.terms import ONE, ZERO, Refused, Term, add, call, multiply, negative, substitute
from asymp.kernel.trust import rests_on


def by_decay(e: Expands, term: Term) -> Series:
    """The series of an integral.

    Raises:
        Refused: it has another form, or the conditions are not seen.
    """
    body, low, high = term.parts
    if T.name in term.free:
        raise Refused("an integral with a name of the kernel's")
    if low == negative(OO):
        turned = Term("Integral", (bound(substitute(terms.opened(body, T), {T.name: negative(T)}), T.name), negative(high), OO))
        if high != OO:
            return by_decay(e, turned)
        halves = (Term("Integral", (one.parts[0], ZERO, OO)) for one in (term, turned))
        return e.algebra.add(*(by_decay(e, half) for half in halves))
    parts = _Parts(e)
    parts.read(terms.opened(body, T))
    if parts.large is None:
        raise Refused("nothing in an integrand that decays")
    decay = Decay(e, parts.large, add(*parts.h), ZERO, "exp")
    return e.algebra.times(e.series(multiply(*parts.front)), decay.integral(multiply(*parts.g), low, high))


@dataclass
class _Parts:
    """front * g(T) * exp(-large h(T))."""

    e: Expands
    front: list[Term] = field(default_factory=list)
    g: list[Term] = field(default_factory=list)
    h: list[Term] = field(default_factory=list)
    large: Term | None = None

    def read(self, term: Term) -> None:
        """The factors of an integrand.

        Raises:
            Refused: they are of another form.
        """
        if T.name not in term.free:
            self.front.append(term)
        elif self.stays(term):
            self.g.append(term)
        elif term.head == "product":
            for part in term.parts:
                self.read(part)
        elif term.head == "exp":
            self.exponents(term.parts[0])
        elif term.head == "power":
            self.exponents(multiply(term.parts[1], call("log", term.parts[0])))
        else:
            raise Refused(f"an integrand with {term.head}")

    def stays(self, term: Term) -> bool:
        """Whether only T moves in a term."""
        return self.e.constant(substitute(term, {T.name: ONE}))

    def exponents(self, exponent: Term) -> None:
        """exp of a sum of products."""
        for part in multiplied_out(exponent, T.name):
            factors = part.parts if part.head == "product" else (part,)
            moving = multiply(*(f for f in factors if T.name not in f.free and not self.e.constant(f)))
            rest = multiply(*(f for f in factors if T.name in f.free or self.e.constant(f)))
            if T.name not in part.free:
                self.front.append(call("exp", part))
            elif moving == ONE and self.stays(rest):
                self.g.append(call("exp", rest))
            elif self.stays(rest) and self.large in (None, moving):
                self.large = moving
                self.h.append(negative(rest))
            else:
                raise Refused("an exponent of several scales")


class Decay(Phase):
    """exp(-N h(T)) in place of a wave."""

    def integral(self, g: Term, low: Term, high: Term) -> Series:
        """The integral of g times it.

        Raises:
            Refused: the conditions of the theorem are not seen to hold.
        """
        a = self.e.algebra
        if not a.grows(self.e.series(self.large)):
            raise Refused("an exponent that is not seen to grow")
        if not self.e.constant(low) or not self.e.constant(high) or T.name not in self.h.free:
            raise Refused("ends that move, or nothing that does")
        rests_on("Olver 1974, chapter 3")
        found = Series(())
        for p, q in pairwise([low, *self._stationary(low, high), high]):
            self._smooth(g, p, q)
            found = a.add(found, self._piece(g, p, q))
        return found

    def _piece(self, g: Term, p: Term, q: Term) -> Series:
        """Between two ends, one of which adds all."""
        first, last = self._order(p, 1), None if q == OO else self._order(q, -1)
        orders = [one[0] if one is not None else rational(0) for one in (first, last)]
        self._monotone(p, q, orders)
        rises = first[1] == 1 if first is not None else last is not None and last[1] == -1
        if rises:
            if first is None:
                raise Refused("what is no power where an exponent is largest")
            self._integrable(g, q)
            return self._ended(g, p, 1)
        if last is None or last[1] != 1:
            raise Refused("an exponent that is not seen to fall, or to have its largest value")
        self._integrable(g, p, 1)
        return self._ended(g, q, -1)

    def _order(self, p: Term, way: int) -> tuple[Ratio, int] | None:
        """mu and the sign of h - h(p), where it is a power there."""
        with suppress(Refused):
            return self._leading(p, way)[:2]
        return None

    def _ended(self, g: Term, p: Term, way: int) -> Series:
        value = self._leading(p, way)[3]
        head = self.e.series(call("exp", negative(multiply(self.large, to_term(value)))))
        return self.e.algebra.times(head, self.added(g, p, way))  # type: ignore[no-any-return]

    def _integrable(self, g: Term, p: Term, way: int = -1) -> None:
        """At the end at which the integrand is small.

        Raises:
            Refused: that is not seen.
        """
        domain = self.e.algebra.domain
        if p != OO:
            near = self._powers(g, p, way)
            if not all(domain.sign(q + rational(1)) == 1 for q in (*(q for q, _ in near.known), *near.rest)):
                raise Refused("an integrand that is not seen to be integrable at an end")
            return
        if any(part.head not in HARDY for term in (g, self.h) for part in terms.walk(term)):
            raise Refused("what is not of a field of Hardy")
        inner = self.e.alone(T.name)
        f = inner.series(g)
        way, growths = inner.algebra.below(inner.series(self.h))
        logarithm = power_of(0, 1)
        fast = way == 1 and any((logarithm / x).limit(domain) in ("zero", "one") for x in growths)
        if not fast or any(x.exponent for x in (*(x for _, x in f.terms), *f.rest)):
            raise Refused("an integral that is not seen to converge at infinity")

    def _turned(self, value: Ratio, j: int, sign: int, z: Ratio) -> Any:
        return self.e.algebra.constant(rational((-1) ** j))

