"""Where the argument of a function tends, as the series of the table ask it."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from contextlib import suppress
from math import floor
from typing import Any

from asymp.functions.series import SeriesAt
from asymp.kernel import terms
from asymp.kernel.growths.growth import ONE, Growth
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.rings.ratio import Ratio, rational
from asymp.kernel.terms import Refused, Term

LONGEST = 5_000
"""Parts of a derivative in Taylor's series."""
MOST_FACTORS = 12
"""Steps of a recurrence."""


class LimitPoint:
    """Where the argument of a function tends: ``way`` 1 or -1 at infinity; else ``tends_to`` c and what is left, ``small``."""

    def __init__(self, expander: Any, x: Term) -> None:
        self.algebra = a = expander.algebra
        self.way, self.small = 0, Series(())
        self.tends_to: Ratio | None = None
        try:
            f = a.constant(a.domain.value(x)) if expander.constant(x) else expander.series(x)
            c = next((c for c, g in f.terms if g.same(ONE)), rational(0))
            small = Series(tuple((d, g) for d, g in f.terms if not g.same(ONE)), f.rest)
            if a.vanishes(small):
                self.tends_to, self.small = c, small
                return
            lead, growth = a.leading(f)
            if growth.limit(a.domain) == "infinity":
                self.way = a.domain.sign(lead) or 0
        except Refused:
            return

    @property
    def is_below_zero(self) -> bool:
        """Whether it tends to -oo or to a number below 0."""
        return self.way == -1 or (self.tends_to is not None and self.algebra.domain.sign(self.tends_to) == -1)

    def meets(self, one: SeriesAt) -> bool:
        """Whether that is where a series is."""
        if one.at == "<0":  # as many steps to the right as there are
            return self.tends_to is not None and (c := self.tends_to.constant()) is not None and -MOST_FACTORS <= c < 0
        if not one.centre:
            return self.way == (1 if one.at == "oo" else -1)
        a = self.algebra
        if self.tends_to is None or not (self.tends_to - a.domain.value(terms.read(one.centre))).is_zero:
            return False
        try:
            return not one.side or a.below(self.small)[0] == one.side
        except Refused:
            return False


def whole_scales(expander: Any) -> set[int]:
    """The numbers of the quantities that are whole."""
    return {k for v, k in expander.scales.items() if terms.name(v) in expander.whole}


def rounded(a: Algebra, term: Term, f: Series, whole: AbstractSet[int] = frozenset()) -> Series:
    """floor or ceiling of f: a whole number where f tends to a number, from one side if that is whole; else f + O(1), or, of an
    algebra that has names for such fractions, f + 1 - s and f - 1 + s with 1 <= s < 2.

    What is whole in f stays as it is: multiples of products of quantities of which ``whole`` has the numbers.

    >>> from asymp.kernel.growths.growth import Domain, power_of
    >>> small = Series(((rational(-1), ONE / power_of(0, 0)),))
    >>> [c.constant() for c, _ in rounded(Algebra(Domain(), 2), terms.read("floor(-1/n)"), small).terms]
    [mpq(-1,1)]
    """
    head = term.head
    large = Series(tuple((c, g) for c, g in f.terms if not g.same(ONE) and _is_whole(c, g, whole)))
    rest = a.minus(f, large)
    c = next((c for c, g in rest.terms if g.same(ONE)), rational(0))
    small, k = a.add(rest, a.constant(-c)), c.constant()
    with suppress(Refused):
        if k is not None and a.vanishes(small):
            side = a.below(small)[0] if k.denominator == 1 and (small.terms or small.rest) else 0
            low = floor(k) + min(side, 0)
            return a.add(large, a.constant(rational(low if head == "floor" else low + (side != 0 or k.denominator != 1))))
    if (s := a.fraction(term)) is not None:
        way = rational(1 if head == "floor" else -1)
        return a.made([*f.terms, (way, ONE), (-way, s)], list(f.rest))
    return a.made(list(f.terms), [*f.rest, ONE])


def _is_whole(c: Ratio, g: Growth, whole: AbstractSet[int]) -> bool:
    parts = [c.constant(), *(e.constant() for _, e in g.powers)]
    numbers = all(k is not None and k.denominator == 1 for k in parts) and all(k > 0 for k in parts[1:] if k is not None)
    return numbers and not g.exponent and all(depth == 0 and i in whole for (i, depth), _ in g.powers)


def of_zero(a: Algebra, exponent: Series) -> Series:
    """0^x, for an x that tends to infinity.

    Raises:
        Refused: that is not seen.
    """
    if not a.grows(exponent):
        raise Refused("a power of 0 whose exponent is not seen to tend to infinity")
    return Series(())
