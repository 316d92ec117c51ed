"""A weight q^t = e^(-L t), for sums and integrals over t."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import factorial

from gmpy2 import mpq

from asymp.kernel.growths.incomplete import loose
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.rings.ratio import rational
from asymp.kernel.terms import Refused, Term, call, power


@dataclass
class Weight:
    """``base``: q, a term; ``series``: of a term."""

    algebra: Algebra
    series: Callable[[Term], Series]
    base: Term
    known: dict[tuple[object, ...], Series] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.q = self.series(self.base)
        self.rate = self.algebra.scaled(self.series(call("log", self.base)), rational(-1))
        """L."""

    def decays(self) -> None:
        """That 0 < q < 1.

        Raises:
            Refused: that is not seen.
        """
        if self.algebra.domain.sign(self.algebra.leading(self.rate)[0]) != 1:
            raise Refused("what is not seen to converge")

    def at(self, exponent: Term) -> Series:
        """A power of q."""
        return self.series(power(self.base, exponent))

    def expanded(self, moment: Callable[[int], Series]) -> Series:
        """The total of q^t a(t) over what t runs through, if L t tends to 0 uniformly there and moment(j) is that of t^j |a(t)|:

            e^(-L t) = sum_(j<K) (-L t)^j/j! + O((L t)^K).
        """
        a, found, factor = self.algebra, Series(()), self.algebra.constant(rational(1))
        for j in range(a.order):
            found = a.add(found, a.scaled(a.times(factor, moment(j)), rational(mpq((-1) ** j, factorial(j)))))
            factor = a.times(factor, self.rate)
        return a.made(list(found.terms), [*found.rest, *loose(a.times(factor, moment(a.order)))])
