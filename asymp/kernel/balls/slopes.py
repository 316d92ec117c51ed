"""Shapes by the sign of a slope up to a positive factor, of which there is a theorem.

On an interval of a real variable f rises (falls) where its derivative is m g (is -m g) with m > 0 and g >= 0, and strictly so
where g > 0, by the mean value theorem.

>>> import asymp.kernel.records
>>> from asymp.kernel.theorem import apply
>>> sign = apply("algebra", statement="0 < 1 - x for 0 < x, x < 1")
>>> apply("slope", [sign], statement="x*exp(-x) is increasing in x for 0 < x, x < 1", factor="exp(-x)", rest="1 - x")
⊢ x*exp(-x) is increasing in x for 0 < x, x < 1
>>> apply("slope", [sign], statement="x*exp(-x) is increasing in x for 0 < x, x < 1", factor="exp(x)", rest="1 - x")
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: the slope is another product
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from asymp.kernel import terms
from asymp.kernel.balls.goals import goals
from asymp.kernel.data import Data
from asymp.kernel.domain import given
from asymp.kernel.facts.context import SMOOTH
from asymp.kernel.facts.signs import POSITIVE
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import ZERO, Refused, Term
from asymp.kernel.theorem import Conclusion, Theorem, read_closed, rule, shown
from asymp.language.bodies import Comparison, Shape
from asymp.language.conditions import Compared
from asymp.language.statement import Statement


@rule("slope")
def _slope(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """A shape in a real variable, from the sign of its slope.

    Data: statement; factor m, which is seen to be above 0, and rest g.  Premise: 0 < g (0 <= g) on the domain.
    """
    statement = read_closed(data["statement"])
    shown(premises, [needed(statement, terms.read(data.text("factor")), terms.read(data.text("rest")))])
    return Conclusion(statement)


def needed(statement: Statement, factor: Term, rest: Term) -> Statement:
    """The premise.

    Raises:
        Refused: it is no shape in a real variable, what is smooth, or the slope is not the product, or the factor not positive.
    """
    body = statement.body
    if type(body) is not Shape or statement.some or statement.uniform or statement.regime:
        raise Refused("a shape is wanted")
    if body.name in given(statement.domain).whole or any(
        part.head not in SMOOTH for part in terms.walk(terms.of(body.term))
    ):
        raise Refused("a shape of what is smooth, in a real variable, is wanted")
    ((slope, sign, at),) = goals(statement)
    m = at.value(factor)
    if not (at.value(slope) - m * at.value(rest)).is_zero:
        raise Refused("the slope is another product")
    if at.of(m) != POSITIVE:
        raise Refused("a factor that may not be positive")
    return replace(statement, body=Comparison(Compared((node_of(ZERO), node_of(rest)), (sign,))))
