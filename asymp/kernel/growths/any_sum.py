"""Series of a sum: by the first method of all that has one.

>>> from asymp.kernel.growths.expander import Expander
>>> from asymp.kernel.growths.growth import Domain
>>> from asymp.kernel.growths.series import Algebra
>>> e = Expander(Algebra(Domain(), 2), {"n": 0}, {}, frozenset({terms.name("n")}))
>>> [str(to_term(c)) for c, _ in series_of_any_sum(e, terms.read("Sum(k*n, (k, 1, n))")).terms]
['1/2', '1/2']
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.growths import dyadic_sums, truncated_series
from asymp.kernel.growths.dominated_sums import series_of_dominated
from asymp.kernel.growths.end_sums import series_of_ends
from asymp.kernel.growths.geometric_sums import in_range, series_of_sum
from asymp.kernel.growths.mellin_sums import series_of_mellin
from asymp.kernel.growths.moving_gammas import exponential_sum
from asymp.kernel.growths.oscillating_sums import series_of_oscillating
from asymp.kernel.growths.peaked_sums import series_of_peaked
from asymp.kernel.growths.powers import series_of_powers
from asymp.kernel.growths.pulled import pulled
from asymp.kernel.growths.recurring_sums import series_of_recurring
from asymp.kernel.growths.riemann_sums import series_of_riemann
from asymp.kernel.growths.rounded_sums import rounds, series_of_rounded
from asymp.kernel.growths.series import Expands, Series
from asymp.kernel.growths.singular_expansions import of_partial_sums
from asymp.kernel.growths.telescoped_sums import series_of_telescoped
from asymp.kernel.rings import alternating
from asymp.kernel.rings.ratio import rational
from asymp.kernel.rings.ratio import to_term as to_term
from asymp.kernel.rings.set_partitions import as_infinite
from asymp.kernel.terms import Refused, Term, first
from asymp.kernel.trust import rests_on

INDEX = terms.name("k_of_the_sum")


def series_of_any_sum(e: Expands, term: Term) -> Series:
    """The series of a sum.

    Raises:
        Refused: no method has one.
    """
    if (whole := of_partial_sums(term)) is not None:
        return e.series(whole)
    by_geometry = partial(series_of_sum, term, e.algebra, e.series, e.whole)
    ways: list[Callable[[], Series]] = [
        partial(truncated_series.near, e, term), partial(_alternating, e, term), partial(_partitions, e, term),
        partial(series_of_powers, term, e.algebra, e.series, e.whole, partial(_hurwitz, e)),
        partial(_symbolic_power, e, term), partial(exponential_sum, e, term), by_geometry, partial(series_of_recurring, e, term),
        partial(series_of_mellin, e, term), partial(dyadic_sums.series_of_dyadic, e, term), partial(_pulled, e, term),
        partial(series_of_oscillating, e, term), partial(series_of_dominated, e, term),
        partial(series_of_peaked, e, term), partial(series_of_ends, e, term), partial(_logarithms, e, term),
        partial(series_of_telescoped, e, term), partial(series_of_riemann, e, term),
    ]  # fmt: skip
    others = partial(first, ways, told_by=ways.index(by_geometry))
    return first([partial(series_of_rounded, e, term)] * rounds(term) + [others])


def pulled_out(e: Expands, term: Term) -> Term:
    """A sum with what is free of its index before it.

    Raises:
        Refused: it is not seen to run forwards.
    """
    in_range(term, e.algebra, e.series, e.whole)
    return pulled(term, e.sees_positive)


def _pulled(e: Expands, term: Term) -> Series:
    if (other := pulled_out(e, term)) == term:
        raise Refused("a sum with nothing before it")
    return e.series(other)


def _alternating(e: Expands, term: Term) -> Series:
    in_range(term, e.algebra, e.series, e.whole)
    return e.series(alternating.closed(term, e.is_positive))


def _partitions(e: Expands, term: Term) -> Series:
    in_range(term, e.algebra, e.series, e.whole)
    return e.series(as_infinite(term, e.sees_positive))


def _logarithms(e: Expands, term: Term) -> Series:
    """Of a sum of logarithms that of the product."""
    body, low, high = term.parts
    if body.head != "log":
        raise Refused("a summand that is no logarithm")
    return e.log(Term("Product", (body.parts[0], low, high)))


def _symbolic_power(e: Expands, term: Term) -> Series:
    """The sum of k^s from 1 on, s a parameter: zeta(-s) - zeta(-s, N + 1) (DLMF 25.11.4)."""
    body, low, high = term.parts
    k, s = terms.opened(body, INDEX), terms.number(-1)
    while k.head == "power" and INDEX.name not in k.parts[1].free:
        k, s = k.parts[0], terms.multiply(s, k.parts[1])
    if k != INDEX or low != terms.ONE or high == terms.name("oo") or not e.constant(s):
        raise Refused("a summand that is no power")
    in_range(term, e.algebra, e.series, e.whole)
    a = e.algebra
    if not a.grows(e.series(high)):
        raise Refused("what is not seen to tend to infinity")
    if a.domain.sign(a.domain.value(s) - rational(1)) not in (1, -1):
        raise Refused("an exponent that may be -1")
    rests_on("DLMF 25.11.4")
    after = e.by_table("zeta", ("s", "x"), {"s": s, "x": terms.add(high, terms.ONE)})
    return a.minus(a.constant(a.domain.value(terms.call("zeta", s))), after)


def _hurwitz(e: Expands, s: mpq, x: Term) -> Series:
    """zeta(s, x), for s other than 1 and x that tends to infinity."""
    if s == 1 or not e.algebra.grows(e.series(x)):
        raise Refused("what is not seen to tend to infinity")
    return e.by_table("zeta", ("s", "x"), {"s": terms.number(s), "x": x})
