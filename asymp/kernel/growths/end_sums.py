r"""Sums of positive terms that are largest at the ends of their range, and the more so: the sum of 1/binomial(n, k).

Let t(k) be a product of powers of gamma functions, and of linear factors, as in :mod:`peaked_sums`, whose logarithm is convex
for a <= k <= b.  Then t(k) <= max(t(a + M), t(b - M)) for a + M <= k <= b - M, so that

.. math:: \sum_{k=a}^b t(k) = \sum_{k=a}^{a+M-1} t(k) + \sum_{k=b-M+1}^{b} t(k) + O\big((b - a)(t(a + M) + t(b - M))\big),

for b - a that tends to infinity.  That g'' >= 0 is seen as that -g'' <= 0 is there.

>>> from asymp.kernel.growths.expander import Expander
>>> from asymp.kernel.growths.growth import Domain
>>> from asymp.kernel.growths.series import Algebra
>>> e = Expander(Algebra(Domain(), 2), {"n": 0}, {}, frozenset({terms.name("n")}))
>>> found = series_of_ends(e, terms.read("Sum(1/binomial(n, k), (k, 0, n))"))
>>> [str(to_term(c)) for c, _ in found.terms], len(found.rest)
(['2'], 1)
"""

from __future__ import annotations

from dataclasses import replace

from asymp.kernel import terms
from asymp.kernel.growths.geometric_sums import in_range
from asymp.kernel.growths.incomplete import loose
from asymp.kernel.growths.peaked_sums import Peaked, Summand, together
from asymp.kernel.growths.series import Expands, Series
from asymp.kernel.growths.summands import OO, I
from asymp.kernel.rings.ratio import to_term as to_term
from asymp.kernel.terms import ZERO, Refused, Term, add, negative, number

MORE = 2
"""Terms at each end beyond the order."""


def series_of_ends(e: Expands, term: Term) -> Series:
    """The series of a sum.

    Raises:
        Refused: it is another sum, or its terms are not seen to be so.
    """
    in_range(term, e.algebra, e.series, e.whole)
    body, low, high = term.parts
    a, width = e.algebra, add(high, negative(low))
    if high == OO or e.constant(width) or not a.grows(e.series(width)):
        raise Refused("a range that is not seen to grow without end")
    found = Summand()
    found.read(terms.opened(body, I))
    if any(piece.slope.denominator != 1 for piece in found.pieces) or not any(piece.gamma for piece in found.pieces):
        raise Refused("a summand that is no product of such factors, or without gamma functions")
    own = Peaked(e, found.pieces, ZERO, low, high)
    own.low = low  # a first term that is 0 is none of these
    own.require_positive()
    own.pieces = [replace(piece, weight=negative(piece.weight)) for piece in together(found.pieces)]
    own.require_concave()
    if any(a.below(e.series(x))[0] != 1 for x in found.outside if not e.constant(x)):
        raise Refused("a factor that may not be positive")
    total, rest = Series(()), Series(())
    for end, way in ((low, 1), (high, -1)):
        for j in range(a.order + MORE + 1):
            one = e.series(terms.opened(body, add(end, number(way * j))))
            total, rest = (total, a.add(rest, one)) if j == a.order + MORE else (a.add(total, one), rest)
    return a.made(list(total.terms), [*total.rest, *loose(a.times(rest, e.series(width)))])
