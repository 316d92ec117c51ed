"""That an equation has one root: one side gains on the other all along the range, and is first below and then above it.

Let f and g be continuous on (a, b), and let f - g, or f/g, increase (decrease) there strictly: f = g has at most one root.
Where f < g at a point inside and f > g at another, there is a root between these (intermediate value theorem).

>>> from asymp.kernel.theorem import apply
>>> text = "x^3 = 2 has one root x in (0, oo)"
>>> shape = apply("bounds", statement="x^3 - 2 is increasing in x for x > 0", point={"x": "1"}, proofs=[["by", []]])
>>> ends = [apply("algebra", statement=one) for one in ("1^3 < 2", "2 < 2^3")]
>>> apply("root", [shape, *ends], statement=text, by="difference", rises=True, at=["1", "2"])
⊢ x^3 = 2 has one root x in (0, oo)
>>> apply("root", [shape, *ends], statement=text, by="difference", rises=True, at=["1", "-2"])
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: a point that does not lie inside
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from asymp.kernel import terms
from asymp.kernel.balls.boxes import number_in
from asymp.kernel.balls.signs import SMOOTH, Context
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import CONSTANTS, Refused, Term, add, canonical, multiply, name, negative, number, reciprocal
from asymp.kernel.theorem import Conclusion, Theorem, read_closed, rule
from asymp.language.bodies import Comparison, OneRoot, Shape
from asymp.language.conditions import Compared
from asymp.language.statement import Statement

_ENDS = (name("oo"), negative(name("oo")))


@rule("root")
def _root(premises: Sequence[Theorem], data: Mapping[str, Any]) -> Conclusion:
    """f = g has one root.

    Data: statement; by, which is difference or quotient; rises, whether that increases; at, two points.

    Premises: its shape on the range; f < g at the first point; g < f at the second.
    """
    if set(data) != {"statement", "by", "rises", "at"} or type(data["at"]) is not list or len(data["at"]) != 2:
        raise Refused("a statement, by, rises and two points")
    statement = read_closed(data["statement"])
    points = [Fraction(int(one.p), int(one.q)) for one in map(number_in, data["at"])]
    wanted = needed(statement, data["by"], data["rises"], points)
    if [canonical(premise.statement) for premise in premises] != [canonical(one) for one in wanted]:
        raise Refused("the premises are other statements")
    if not all(premise.holds for premise in premises):
        raise Refused("a premise that fails")
    return Conclusion(statement)


def needed(statement: Statement, by: str, rises: bool, points: Sequence[Fraction]) -> list[Statement]:
    """The premises.

    Raises:
        Refused: it is no statement about the root of an equation in one variable, a side may not be continuous on the
            range, or a point does not lie inside.
    """
    body = statement.body
    if type(body) is not OneRoot or any(statement.conditions()):
        raise Refused("an equation in one variable with one root is wanted")
    x, sides = body.name, [terms.of(body.left), terms.of(body.right)]
    if x in CONSTANTS or not frozenset().union(*map(terms.free, sides)) - CONSTANTS <= {x}:
        raise Refused("an equation with parameters")
    if by not in ("difference", "quotient") or type(rises) is not bool:
        raise Refused("by a difference or a quotient, which rises or does not")
    low, high = terms.of(body.low), terms.of(body.high)
    if not (low.is_number or low == _ENDS[1]) or not (high.is_number or high == _ENDS[0]):
        raise Refused("ends that are no numbers")
    pairs = [(end, "<", name(x)) for end in (low,) if end.is_number] + [(name(x), "<", end) for end in (high,) if end.is_number]
    f, g = sides
    way = add(f, negative(g)) if by == "difference" else multiply(f, reciprocal(g))
    where = Context(frozenset(), tuple(pairs))
    for side in (*sides, way):
        where.value(side)  # real, and defined with all its parts, on the whole range
        if any(part.head not in SMOOTH for part in terms.walk(side)):
            raise Refused(f"{side} may not be continuous")
    for point in points:
        if (low.is_number and point <= low.number) or (high.is_number and point >= high.number):
            raise Refused("a point that does not lie inside")
    domain = tuple(Compared((node_of(a), node_of(b)), (sign,)) for a, sign, b in pairs)
    shape = Shape(node_of(way), "increasing" if rises else "decreasing", x)
    found = [Statement(shape, domain=domain)]
    for point, (left, right) in zip(points, ((f, g), (g, f)), strict=True):
        found.append(_less(*(terms.substitute(side, {x: number(point)}) for side in (left, right))))
    return found


def _less(left: Term, right: Term) -> Statement:
    return Statement(Comparison(Compared((node_of(left), node_of(right)), ("<",))))
