"""A comparison fails where its opposite holds on all of a domain that has a point.

>>> from asymp.kernel.theorem import apply
>>> from asymp.kernel.growths import exact
>>> equal = apply("algebra", statement="x*(x + 1) = x^2 + x for x > 0")
>>> apply("contrary", [equal], statement="x*(x + 1) < x^2 + x for x > 0", point={"x": "1"})
⊢ not: x*(x + 1) < x^2 + x for x > 0
"""

from __future__ import annotations

from collections.abc import Sequence

from asymp.kernel.balls.boxes import certainly, may_be_whole, number_in, question
from asymp.kernel.data import Data
from asymp.kernel.domain import Pair
from asymp.kernel.facts.ranges import Evaluator, Range
from asymp.kernel.terms import CONSTANTS, Refused, canonical
from asymp.kernel.theorem import Conclusion, Theorem, comparison_in, rule
from asymp.language.bodies import Comparison

BITS = 128
EXCLUDED = {("<", "<"), ("<", "<="), ("<=", "<")}
"""The signs of u and v, and of v and u, that do not go together."""


@rule("contrary")
def _contrary(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """A comparison fails, since the contrary holds.

    Data: statement, point (a rational number for each variable, certainly in the domain).

    The premise says for the same domain what excludes one of the statement's comparisons: both have its two sides, which
    therefore have values.
    """
    statement = comparison_in(data)
    if len(premises) != 1 or not premises[0].holds:
        raise Refused("one premise, which holds")
    other = premises[0].statement
    if type(other.body) is not Comparison or other.some or other.uniform or other.regime:
        raise Refused("a premise that is no comparison for all of a domain")
    if canonical(other)[3] != canonical(statement)[3]:
        raise Refused("a premise of another domain")
    asked, given = question(statement), data.table("point")
    if asked.lists or set(given) != set(asked.variables()) or set(given) & CONSTANTS:
        raise Refused("a value for each variable, and for no other")
    values = {one: number_in(text) for one, text in given.items()}
    for one, value in values.items():
        if value.q != 1 and (asked.is_whole(one) or (one not in asked.where.of_kind and may_be_whole(one, asked))):
            raise Refused(f"{one} is whole, or may be")
    at, evaluator = {one: Range(value, value) for one, value in values.items()}, Evaluator(BITS)
    if not all(certainly(pair, at, evaluator) is True for pair in asked.pairs):
        raise Refused("a point that is not certain to lie in the domain")
    if not any(excludes(one, link) for one in question(other).links for link in asked.links):
        raise Refused("the premise does not exclude it")
    return Conclusion(statement, holds=False)


def excludes(one: Pair, link: Pair) -> bool:
    """Whether two comparisons of the same two sides cannot both hold.

    >>> from asymp.kernel.terms import name
    >>> a, b = name("a"), name("b")
    >>> excludes((a, "<=", b), (b, "<", a)), excludes((a, "<=", b), (b, "<=", a)), excludes((a, "=", b), (a, "<", b))
    (True, False, True)
    """
    (low, sign, high), (left, other, right) = one, link
    if {low, high} != {left, right}:
        return False
    if "=" in (sign, other):
        return {sign, other} == {"=", "<"}
    return (low, high) == (right, left) and (sign, other) in EXCLUDED
