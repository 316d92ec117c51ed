"""That an equation has one root: one side gains on the other all along the range, and is first below and then above it.

And that it has not: one side is below the other all along, or there are two places, or changes of side, where they are equal.

Let f and g be continuous on (a, b), and let f - g, or f/g, increase (decrease) there strictly: f = g has at most one root.
Where f < g at a point inside and f > g at another, there is a root between these (intermediate value theorem).  A point may be
an end too at which both are continuous, and where there are parameters, a term in these that lies inside for all of them.

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
>>> text = "x^3 + a*x = 1 has one root x in (0, 1) for a > 0"
>>> shape = "x^3 + a*x - 1 is increasing in x for a > 0, 0 < x, x < 1"
>>> shape = apply("bounds", statement=shape, point={"a": "1", "x": "1/2"}, proofs=[["by", []]])
>>> ends = [apply("sums", statement=f"({x})^3 + a*({x}) {sign} 1 for a > 0", by=[]) for x, sign in (("0", "<"), ("1", ">"))]
>>> apply("root", [shape, *ends], statement=text, by="difference", rises=True, at=["0", "1"])
⊢ x^3 + a*x = 1 has one root x in (0, 1) for a > 0
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.balls.boxes import number_in
from asymp.kernel.balls.goals import is_inside
from asymp.kernel.data import Data
from asymp.kernel.domain import Pair, given
from asymp.kernel.facts.context import SMOOTH, Context
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import CONSTANTS, Refused, Term, add, multiply, name, negative, number, reciprocal
from asymp.kernel.theorem import Conclusion, Theorem, read_closed, rule, shown
from asymp.language.bodies import Comparison, OneRoot, Shape
from asymp.language.conditions import Compared
from asymp.language.kinds import WHOLE_LETTERS
from asymp.language.names import substitute
from asymp.language.statement import Statement

_ENDS = (name("oo"), negative(name("oo")))
SIDES = ("left", "right", "low", "high")


@rule("root")
def _root(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """f = g has one root, for all parameters of a domain.

    Data: statement; by, which is difference or quotient; rises, whether that increases; at, two points.

    Premises: its shape on the range; and of each point, first f < g and then f > g, after comparisons with the ends of the
    range where the point has parameters in it.
    """
    statement = read_closed(data["statement"])
    points = [terms.read(one) for one in data.texts("at")]
    shown(premises, needed(statement, data.text("by"), data.flag("rises"), points))
    return Conclusion(statement)


def needed(statement: Statement, by: str, rises: bool, points: Sequence[Term]) -> list[Statement]:
    """The premises.

    Raises:
        Refused: it is no statement about the root of an equation in one variable, a side may not be continuous on the
            range, or a point does not lie inside.
    """
    x, f, g, pairs = _equation(statement)
    if by not in ("difference", "quotient") or type(rises) is not bool or len(points) != 2:
        raise Refused("by a difference or a quotient, which rises or does not, and two points")
    way = add(f, negative(g)) if by == "difference" else multiply(f, reciprocal(g))
    continuous(statement, [f, g, way], pairs, x)
    shape = Shape(node_of(way), "increasing" if rises else "decreasing", x)
    found = [Statement(shape, domain=(*statement.domain, *_conditions(pairs)))]
    for point, sign in zip(points, "<>", strict=True):
        found += [*_inside(statement, point, [f, g], x, pairs), _compared(statement, point, sign)]
    return found


@rule("other roots")
def _other_roots(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """That f = g does not have one root, for all parameters: at some it has none, or two.

    Data: statement; given, a number for each parameter, where there are such; at, points of the range, each after the one before;
    signs, how f compares with g there.  Without points: the one sign, < or >, with which f compares with g on the whole range.
    Premises: these comparisons, at the parameters that are given.

    Each equality is a root, and between a point with f < g and the next with f > g (or the other way) lies another.
    """
    statement, values = read_closed(data["statement"]), data.table("given") if "given" in data else {}
    points = [mpq(int(one.p), int(one.q)) for one in map(number_in, data.listed("at"))]
    shown(premises, compared(at_parameters(statement, values), points, data.texts("signs")))
    return Conclusion(statement, holds=False)


def at_parameters(statement: Statement, values: Mapping[str, str]) -> Statement:
    """The statement at one choice of its parameters.

    Raises:
        Refused: the numbers are not of its domain.
    """
    if type(statement.body) is not OneRoot:
        raise Refused("an equation in one variable with one root is wanted")
    if not statement.domain and not values:
        return statement
    is_inside(statement, values)
    if statement.body.name in values or any(v in WHOLE_LETTERS and number_in(x).q != 1 for v, x in values.items()):
        raise Refused("parameters, whole ones by whole numbers")
    put = {v: node_of(number(mpq(int(one.p), int(one.q)))) for v, one in ((v, number_in(x)) for v, x in values.items())}
    left, right, low, high = (substitute(getattr(statement.body, side), put) for side in SIDES)
    return Statement(replace(statement.body, left=left, right=right, low=low, high=high))


def compared(statement: Statement, points: Sequence[mpq], signs: Sequence[str]) -> list[Statement]:
    """What is to be shown where an equation without parameters does not have one root.

    Raises:
        Refused: as :func:`needed`; or the signs do not make two roots, or none.
    """
    x, f, g, pairs = _equation(statement)
    if statement.domain:
        raise Refused("an equation with parameters")
    if not points:
        if list(signs) not in (["<"], [">"]):
            raise Refused("one side is below the other, on the whole range")
        return [Statement(Comparison(Compared((node_of(f), node_of(g)), tuple(signs))), domain=_conditions(pairs))]
    continuous(statement, [f, g], pairs, x)
    if any(_inside(statement, number(point), [], x, pairs) for point in points):
        raise Refused("a point that does not lie inside")
    if len(signs) != len(points) or not all(type(one) is str and one in ("<", "=", ">") for one in signs):
        raise Refused("a sign for each point")
    if any(a >= b for a, b in pairwise(points)):
        raise Refused("points that do not rise")
    changes = sum({a, b} == {"<", ">"} for a, b in pairwise(signs))
    if list(signs).count("=") + changes < 2:
        raise Refused("not two roots")
    return [_compared(statement, number(point), sign) for point, sign in zip(points, signs, strict=True)]


def _equation(statement: Statement) -> tuple[str, Term, Term, list[Pair]]:
    """The variable, the sides, and the range as comparisons.

    Raises:
        Refused: it is another statement, or one with parameters of which its domain says nothing.
    """
    body, where = statement.body, given(statement.domain)
    if (
        type(body) is not OneRoot
        or statement.regime
        or statement.some
        or statement.uniform
        or where.others
        or where.lists
    ):
        raise Refused("an equation in one variable with one root is wanted")
    x, sides = body.name, [terms.of(body.left), terms.of(body.right)]
    if (
        x in CONSTANTS | where.variables
        or not frozenset().union(*map(terms.free, sides)) - CONSTANTS <= {x} | where.variables
    ):
        raise Refused("an equation with parameters")
    low, high = terms.of(body.low), terms.of(body.high)
    if not (low.is_number or low == _ENDS[1]) or not (high.is_number or high == _ENDS[0]):
        raise Refused("ends that are no numbers")
    pairs = [(end, "<", name(x)) for end in (low,) if end.is_number] + [
        (name(x), "<", end) for end in (high,) if end.is_number
    ]
    return x, sides[0], sides[1], pairs


def _conditions(pairs: Sequence[Pair]) -> tuple[Compared, ...]:
    return tuple(Compared((node_of(a), node_of(b)), (sign,)) for a, sign, b in pairs)


def continuous(statement: Statement, sides: Sequence[Term], pairs: Sequence[Pair], x: str) -> None:
    """That sides of an equation are real, and continuous in x on a range, for all parameters of a statement's domain.

    Raises:
        Refused: one is not seen to be.
    """
    domain = given(statement.domain)
    where = Context(domain.whole, (*domain.pairs, *pairs))
    for side in sides:
        where.value(side)  # real, and defined with all its parts, on the whole range
        if any(part.head not in SMOOTH and not _is_finite_sum(part, x) for part in terms.walk(side)):
            raise Refused(f"{side} may not be continuous")


def _is_finite_sum(part: Term, x: str) -> bool:
    """Whether it is a sum of as many terms for each x, none too many: continuous, as its terms are."""
    return part.head == "Sum" and all(x not in end.free and name("oo") not in terms.walk(end) for end in part.parts[1:])


def _inside(statement: Statement, point: Term, sides: Sequence[Term], x: str, pairs: Sequence[Pair]) -> list[Statement]:
    """What is to be shown of a point that it lies in the range, or is an end at which the sides are continuous.

    Raises:
        Refused: it does not.
    """
    if point.is_number:
        ends = [end.number for low, _, high in pairs for end in (low, high) if end.is_number]
        if sides and point.number in ends:
            continuous(statement, sides, [(low, "<=", high) for low, _, high in pairs], x)
            return []
        for low, _, high in pairs:
            if not (low.number < point.number if low.is_number else point.number < high.number):
                raise Refused("a point that does not lie inside")
        return []
    if not sides or not terms.free(point) - CONSTANTS <= given(statement.domain).variables:
        raise Refused("a point with other names in it than parameters")
    there = [tuple(terms.substitute(side, {x: point}) for side in (low, high)) for low, _, high in pairs]
    return [
        Statement(Comparison(Compared((node_of(a), node_of(b)), ("<",))), domain=statement.domain) for a, b in there
    ]


def _compared(statement: Statement, point: Term, sign: str) -> Statement:
    """How the sides compare at a point."""
    body = statement.body
    assert isinstance(body, OneRoot)
    sides = tuple(substitute(side, {body.name: node_of(point)}) for side in (body.left, body.right))
    return Statement(Comparison(Compared(sides, (sign,))), domain=statement.domain)
