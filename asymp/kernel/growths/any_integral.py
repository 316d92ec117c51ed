"""Series of an integral: in closed form, or by the first method of all that has one.

>>> from asymp.kernel.growths.expander import Expander
>>> from asymp.kernel.growths.growth import Domain
>>> from asymp.kernel.growths.series import Algebra
>>> e = Expander(Algebra(Domain(), 2), {"n": 0}, {})
>>> found = series_of_any_integral(e, terms.read("Integral(exp(-n*t)/(1 + t), (t, 0, 1))"))
>>> [str(to_term(c)) for c, _ in found.terms]
['1', '-1']
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from asymp.kernel import terms
from asymp.kernel.growths.decaying_integrals import by_decay
from asymp.kernel.growths.extremes import of_the_largest
from asymp.kernel.growths.geometric_integrals import series_of_integral
from asymp.kernel.growths.laplace import by_laplace
from asymp.kernel.growths.phase_integrals import series_of_waves
from asymp.kernel.growths.rescaled import in_one_unit, rescaled
from asymp.kernel.growths.series import Series
from asymp.kernel.rings.beta_integrals import closed
from asymp.kernel.rings.ratio import to_term as to_term
from asymp.kernel.terms import Term, first

Way = Callable[[], Series]


def series_of_any_integral(e: Any, term: Term) -> Series:
    """The series of an integral; ``e`` is an expander.

    Raises:
        Refused: no method has one.
    """
    by_name: Way = lambda: e.series(closed(term, e.is_positive))  # noqa: E731
    peak: Way = partial(by_laplace, e, term)
    decay: Way = partial(by_decay, e, term)
    unit: Way = partial(in_one_unit, e, term)
    largest: Way = partial(of_the_largest, e, term)
    if any(part.head in ("sin", "cos") and not e.constant(part) for part in terms.walk(term.parts[0])):
        waves: Way = partial(series_of_waves, e, term)
        return first([by_name, unit, largest, waves, peak, decay], told_by=-3)
    geometric: Way = partial(series_of_integral, term, e.algebra, e.series)
    if term.parts[1:] != (terms.ZERO, terms.name("oo")):
        return first([by_name, geometric, peak, decay])
    again: Way = lambda: by_laplace(e, rescaled(term, e.sees_positive, e.constant))  # noqa: E731
    ways = [by_name, unit, largest, geometric, peak, again, decay]
    return first(ways, told_by=-3)  # what the integral lacks, not that in another unit
