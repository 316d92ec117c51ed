"""Quotients of Gamma of what moves: binomials, B(x, y), rising and falling factorials.

>>> from asymp.kernel.growths.expander import Expander
>>> from asymp.kernel.growths.growth import Domain
>>> from asymp.kernel.growths.series import Algebra
>>> found = quotient_of_gammas(Expander(Algebra(Domain(), 2), {"n": 0}, {}), terms.read("binomial(n, 2)"))
>>> [str(c.constant()) for c, _ in found.terms], found.rest
(['1/2', '-1/2'], ())
"""

from __future__ import annotations

from typing import Any

from asymp.functions.series import GAMMAS
from asymp.kernel import terms
from asymp.kernel.growths.arguments import MOST_FACTORS
from asymp.kernel.growths.coefficients import put_in
from asymp.kernel.growths.series import Series
from asymp.kernel.rings.ratio import rational
from asymp.kernel.terms import Term
from asymp.kernel.trust import rests_on


def quotient_of_gammas(e: Any, term: Term) -> Series:
    """A product of so many factors; or a quotient of Gammas of what is positive, those of what tends to infinity in one
    exponential, so that what is large cancels; ``e`` is the expander."""
    a, put = e.algebra, dict(zip("xy", term.parts, strict=True))
    y = put["y"]
    gammas = GAMMAS[term.head]
    if gammas.factor and y.is_number and y.number.denominator == 1 and 0 <= y.number <= MOST_FACTORS:
        factors = [put_in(gammas.factor, {**put, "j": terms.number(j)}) for j in range(int(y.number))]
        return e.series(terms.multiply(put_in(gammas.outside, put), *factors))
    rests_on(gammas.fact)
    logs, found = Series(()), a.constant(rational(1))
    for texts, way in ((gammas.top, 1), (gammas.bottom, -1)):
        for text in texts:
            x = terms.substitute(terms.read(text), put)
            if not e.constant(x) and a.grows(e.series(x)):
                logs = a.add(logs, a.scaled(e.series(terms.call("loggamma", x)), rational(way)))
            else:
                found = a.times(found, e.series(terms.power(terms.call("gamma", x), terms.number(way))))
    return a.times(found, a.exp(logs))
