"""That an equation has one root: one side gains on the other all along the range, and is first below and then above it.

And that it has not: one side is below the other all along, or there are two places, or changes of side, where they are equal.

Let f and g be continuous on (a, b), and let f - g, or f/g, increase (decrease) there strictly: f = g has at most one root.
Where f < g at a point inside and f > g at another, there is a root between these (intermediate value theorem).

>>> import asymp.kernel.records
>>> from asymp.kernel.theorem import apply
>>> text = "x^3 = 2 has one root x in (0, oo)"
>>> shape = apply("bounds", statement="x^3 - 2 is increasing in x for x > 0", point={"x": "1"}, proofs=[["by", []]])
>>> ends = [apply("algebra", statement=one) for one in ("1^3 < 2", "2^3 > 2")]
>>> apply("root", [shape, *ends], statement=text, by="difference", rises=True, at=["1", "2"])
⊢ x^3 = 2 has one root x in (0, oo)
>>> apply("root", [shape, *ends], statement=text, by="difference", rises=True, at=["1", "-2"])
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: a point that does not lie inside
>>> sides = [apply("algebra", statement=f"({x})^2 {sign} 2") for x, sign in ((-2, ">"), (0, "<"), (3, ">"))]
>>> apply("other roots", sides, statement="x^2 = 2 has one root x in (-oo, oo)", at=["-2", "0", "3"], signs=[">", "<", ">"])
⊢ not: x^2 = 2 has one root x in (-oo, oo)
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.balls.boxes import number_in
from asymp.kernel.data import Data
from asymp.kernel.domain import Pair
from asymp.kernel.facts.context import SMOOTH, Context
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import CONSTANTS, Refused, Term, add, multiply, name, negative, number, reciprocal
from asymp.kernel.theorem import Conclusion, Theorem, read_closed, rule, shown
from asymp.language.bodies import Comparison, OneRoot, Shape
from asymp.language.conditions import Compared
from asymp.language.names import substitute
from asymp.language.statement import Statement

_ENDS = (name("oo"), negative(name("oo")))


@rule("root")
def _root(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """f = g has one root.

    Data: statement; by, which is difference or quotient; rises, whether that increases; at, two points.

    Premises: its shape on the range; f < g at the first point; f > g at the second.
    """
    statement = read_closed(data["statement"])
    points = [mpq(int(one.p), int(one.q)) for one in map(number_in, data.listed("at", 2))]
    shown(premises, needed(statement, data.text("by"), data.flag("rises"), points))
    return Conclusion(statement)


def needed(statement: Statement, by: str, rises: bool, points: Sequence[mpq]) -> list[Statement]:
    """The premises.

    Raises:
        Refused: it is no statement about the root of an equation in one variable, a side may not be continuous on the
            range, or a point does not lie inside.
    """
    x, f, g, pairs = _equation(statement)
    if by not in ("difference", "quotient") or type(rises) is not bool:
        raise Refused("by a difference or a quotient, which rises or does not")
    way = add(f, negative(g)) if by == "difference" else multiply(f, reciprocal(g))
    _continuous([f, g, way], pairs)
    _inside(points, pairs)
    domain = tuple(Compared((node_of(a), node_of(b)), (sign,)) for a, sign, b in pairs)
    shape = Shape(node_of(way), "increasing" if rises else "decreasing", x)
    found = [Statement(shape, domain=domain)]
    return [*found, *(_compared(statement, point, sign) for point, sign in zip(points, "<>", strict=True))]


@rule("other roots")
def _other_roots(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """That f = g does not have one root: it has none, or two.

    Data: statement; at, points of the range, each after the one before; signs, how f compares with g there.  Without points:
    the one sign, < or >, with which f compares with g on the whole range.  Premises: these comparisons.

    Each equality is a root, and between a point with f < g and the next with f > g (or the other way) lies another.
    """
    statement = read_closed(data["statement"])
    points = [mpq(int(one.p), int(one.q)) for one in map(number_in, data.listed("at"))]
    shown(premises, compared(statement, points, data.texts("signs")))
    return Conclusion(statement, holds=False)


def compared(statement: Statement, points: Sequence[mpq], signs: Sequence[str]) -> list[Statement]:
    """What is to be shown where an equation does not have one root.

    Raises:
        Refused: as :func:`needed`; or the signs do not make two roots, or none.
    """
    _, f, g, pairs = _equation(statement)
    if not points:
        if list(signs) not in (["<"], [">"]):
            raise Refused("one side is below the other, on the whole range")
        domain = tuple(Compared((node_of(a), node_of(b)), (sign,)) for a, sign, b in pairs)
        return [Statement(Comparison(Compared((node_of(f), node_of(g)), tuple(signs))), domain=domain)]
    _continuous([f, g], pairs)
    _inside(points, pairs)
    if len(signs) != len(points) or not all(type(one) is str and one in ("<", "=", ">") for one in signs):
        raise Refused("a sign for each point")
    if any(a >= b for a, b in pairwise(points)):
        raise Refused("points that do not rise")
    changes = sum({a, b} == {"<", ">"} for a, b in pairwise(signs))
    if list(signs).count("=") + changes < 2:
        raise Refused("not two roots")
    return [_compared(statement, point, sign) for point, sign in zip(points, signs, strict=True)]


def _equation(statement: Statement) -> tuple[str, Term, Term, list[Pair]]:
    """The variable, the sides, and the range as comparisons.

    Raises:
        Refused: it is another statement, or one with parameters.
    """
    body = statement.body
    if type(body) is not OneRoot or any(statement.conditions()):
        raise Refused("an equation in one variable with one root is wanted")
    x, sides = body.name, [terms.of(body.left), terms.of(body.right)]
    if x in CONSTANTS or not frozenset().union(*map(terms.free, sides)) - CONSTANTS <= {x}:
        raise Refused("an equation with parameters")
    low, high = terms.of(body.low), terms.of(body.high)
    if not (low.is_number or low == _ENDS[1]) or not (high.is_number or high == _ENDS[0]):
        raise Refused("ends that are no numbers")
    pairs = [(end, "<", name(x)) for end in (low,) if end.is_number] + [(name(x), "<", end) for end in (high,) if end.is_number]
    return x, sides[0], sides[1], pairs


def _continuous(sides: Sequence[Term], pairs: Sequence[Pair]) -> None:
    where = Context(frozenset(), tuple(pairs))
    for side in sides:
        where.value(side)  # real, and defined with all its parts, on the whole range
        if any(part.head not in SMOOTH for part in terms.walk(side)):
            raise Refused(f"{side} may not be continuous")


def _inside(points: Sequence[mpq], pairs: Sequence[Pair]) -> None:
    for point in points:
        for low, _, high in pairs:
            if not (low.number < point if low.is_number else point < high.number):
                raise Refused("a point that does not lie inside")


def _compared(statement: Statement, point: mpq, sign: str) -> Statement:
    """How the sides compare at a point."""
    body = statement.body
    assert isinstance(body, OneRoot)
    sides = tuple(substitute(side, {body.name: node_of(number(point))}) for side in (body.left, body.right))
    return Statement(Comparison(Compared(sides, (sign,))))
