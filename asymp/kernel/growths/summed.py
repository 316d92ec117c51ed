"""The series of a sum, by each of the ways in turn.

>>> from asymp.kernel.growths.expander import Expander
>>> from asymp.kernel.growths.growth import Domain
>>> from asymp.kernel.growths.series import Algebra
>>> e = Expander(Algebra(Domain(), 2), {"n": 0}, {}, frozenset({terms.name("n")}))
>>> len(series_of_total(e, terms.read("Sum((-1)^(k - 1)*binomial(n, k)/k, (k, 1, n))")).terms)  # harmonic(n)
4
"""

from __future__ import annotations

from asymp.kernel import terms as terms
from asymp.kernel.growths import truncated_series
from asymp.kernel.growths.dominated_sums import series_of_dominated
from asymp.kernel.growths.dyadic_sums import series_of_dyadic
from asymp.kernel.growths.geometric_sums import in_range, series_of_sum
from asymp.kernel.growths.moving_gammas import exponential_sum
from asymp.kernel.growths.peaked_sums import series_of_peaked
from asymp.kernel.growths.powers import series_of_powers
from asymp.kernel.growths.pulled import pulled
from asymp.kernel.growths.recurring_sums import series_of_recurring
from asymp.kernel.growths.series import Expands, Series, first
from asymp.kernel.rings import alternating
from asymp.kernel.terms import Refused, Term


def series_of_total(e: Expands, term: Term) -> Series:
    """The series of a sum without roundings.

    Raises:
        Refused: no way finds one.
    """
    return first(
        (
            lambda: truncated_series.near(e, term),
            lambda: _alternating(e, term),
            lambda: series_of_powers(term, e.algebra, e.series, e.whole, e.hurwitz),
            lambda: exponential_sum(e, term),
            lambda: series_of_sum(term, e.algebra, e.series, e.whole),
            lambda: series_of_recurring(e, term),
            lambda: series_of_dyadic(e, term),
            lambda: _pulled(e, term),
            lambda: series_of_dominated(e, term),
            lambda: series_of_peaked(e, term),
        ),
        told_by=4,
    )


def before(e: Expands, term: Term) -> Term:
    """A sum with what is free of its index before it.

    Raises:
        Refused: it is not seen to run forwards.
    """
    in_range(term, e.algebra, e.series, e.whole)
    return pulled(term, lambda one: is_seen(e, one))


def is_seen(e: Expands, term: Term) -> bool:
    """Whether a term is seen to be above 0, in the end."""
    try:
        return e.is_positive(term)
    except Refused:
        return False


def _pulled(e: Expands, term: Term) -> Series:
    if (other := before(e, term)) == term:
        raise Refused("a sum with nothing before it")
    return e.series(other)


def _alternating(e: Expands, term: Term) -> Series:
    in_range(term, e.algebra, e.series, e.whole)
    return e.series(alternating.closed(term, e.is_positive))
