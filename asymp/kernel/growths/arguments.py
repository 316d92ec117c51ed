"""Where the argument of a function tends, as the series of the table ask it."""

from __future__ import annotations

from typing import Any

from asymp.functions.series import SeriesAt
from asymp.kernel import terms
from asymp.kernel.growths.growth import ONE
from asymp.kernel.growths.series import Series
from asymp.kernel.rings.ratio import Ratio, rational
from asymp.kernel.terms import Refused, Term

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
