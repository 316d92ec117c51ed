"""Printed numbers: ``x rounds to 0.577``, where x is a term without variables.

With u the unit of the last printed digit, x is what was printed if it is rounded to it, |x - d| <= u/2 (a tie either way), or
cut after it, d <= x < d + u (d - u < x <= d where d is printed with a minus): so if d - u/2 <= x < d + u.

>>> from asymp.kernel.theorem import apply
>>> apply("rounding", statement="pi^2 rounds to 9.87", bits=64)
⊢ pi^2 rounds to 9.87
>>> apply("rounding", statement="pi^2 rounds to 9.88", bits=64)
⊢ not: pi^2 rounds to 9.88
"""

from __future__ import annotations

from collections.abc import Sequence

from gmpy2 import mpq

from asymp.kernel.data import Data
from asymp.kernel.facts.ranges import Evaluator
from asymp.kernel.noted import noted
from asymp.kernel.terms import Refused, free, of
from asymp.kernel.theorem import Conclusion, Theorem, read_closed, rule
from asymp.language.bodies import Rounding
from asymp.language.numbers import parts_of_decimal

MOST_PLACES = 1_000


@rule("rounding", alone=True)
def _rounding(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """That a term without variables rounds to what is printed, or does not, by a range of it at a precision of ``bits``."""
    statement = read_closed(data["statement"])
    body = statement.body
    if not isinstance(body, Rounding) or statement.conditions():
        raise Refused("a statement of another form")
    term = of(body.term)
    if free(term):
        raise Refused(f"a printed number has no variables: {min(free(term))}")
    low, high = printed(body.digits)
    found = Evaluator(data.whole("bits")).range(term, {})
    noted("value", of=found, low=low, high=high)
    least, most = (mpq(int(x.p), int(x.q)) for x in (found.low, found.high))
    if body.digits.startswith("-"):  # the mirror image
        least, most = -most, -least
    if low <= least and most < high:
        return Conclusion(statement)
    if most < low or least >= high:
        return Conclusion(statement, holds=False)
    raise Refused("the range of the value holds both what is printed so and what is not")


def printed(digits: str) -> tuple[mpq, mpq]:
    """Between which numbers x lies, or -x where there is a minus; the upper one is left out.

    >>> printed("0.5"), printed("-12")
    ((mpq(9,20), mpq(3,5)), (mpq(23,2), mpq(13,1)))
    """
    value, place = parts_of_decimal(digits.removeprefix("-"))
    if abs(place) > MOST_PLACES:
        raise Refused("a number printed to many places")
    unit = mpq(10) ** place
    return value * unit - unit / 2, (value + 1) * unit
