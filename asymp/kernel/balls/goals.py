"""What a comparison, a shape or an extreme comes down to: signs of differences, and a point of the domain.

>>> from asymp.language.statement import read_statement
>>> [(str(d), sign) for d, sign, _ in goals(read_statement("x^2 is increasing in x for x > 0"))]
[('2*x', '<')]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from asymp.kernel import terms
from asymp.kernel.balls.boxes import Question, certainly, number_in, question
from asymp.kernel.balls.derivative import derivative
from asymp.kernel.domain import Pair
from asymp.kernel.facts.context import Context
from asymp.kernel.facts.ranges import Evaluator
from asymp.kernel.facts.ranges import Range as Interval
from asymp.kernel.terms import CONSTANTS, Refused, Term, add, free, name, negative
from asymp.language.bodies import Comparison, Extreme, Shape
from asymp.language.conditions import Compared
from asymp.language.statement import Statement
from asymp.language.syntax import Node

BITS = 128
Goal = tuple[Term, str, Context]
"""d, the sign (d < 0 is 0 < d, and so on), and where."""


def goals(statement: Statement) -> list[Goal]:
    """The single comparisons that a statement comes down to, each with the hypotheses of its domain.

    Raises:
        Refused: it is of another form.
    """
    body = statement.body
    zero = Comparison(Compared((Node("number", 0, "0"), Node("number", 0, "0")), ("<=",)))
    asked = question(statement if type(body) is Comparison else replace(statement, body=zero))
    at = context(asked)
    if type(body) is Comparison:
        return [(add(high, negative(low)), sign, at) for low, sign, high in asked.links]
    if type(body) is Shape:
        return [_shape(terms.of(body.term), body.shape, body.name, at)]
    if type(body) is Extreme:
        return _extreme(body, at)
    raise Refused("a statement of another form")


def context(asked: Question) -> Context:
    """What is known on the domain of a question.

    Raises:
        Refused: values are listed in it.
    """
    if asked.lists:
        raise Refused("a domain of comparisons is wanted")
    return Context(asked.where.whole, asked.pairs)


def _shape(term: Term, shape: str, x: str, at: Context) -> Goal:
    """Of a whole variable the next value less this one; of a real one the derivative, where the domain is an interval in x."""
    if x in CONSTANTS:
        raise Refused("a constant is no variable")
    for low, sign, high in at.pairs:
        if x in free(low) | free(high) and not any(other_end((low, sign, high), x, rises) for rises in (True, False)):
            raise Refused(f"where {x} lies is not an interval")
    d = derivative(term, x)
    at = Context(at.whole - {x}, at.pairs)
    at.value(term)
    d = negative(d) if shape in ("decreasing", "nonincreasing") else d
    return d, "<" if shape in ("increasing", "decreasing") else "<=", at


def _extreme(body: Extreme, at: Context) -> list[Goal]:
    """The place lies in the domain, and the value there is not below (above) that elsewhere."""
    x, place, term = body.name, terms.of(body.place), terms.of(body.term)
    if x in CONSTANTS or x in free(place):
        raise Refused("a place is a term in the other variables")
    there = {x: place}
    others = tuple(p for p in at.pairs if x not in free(p[0]) | free(p[2]))
    alone = Context(at.whole - {x}, others)
    if x in at.whole and not alone.is_whole(place):
        raise Refused("a place that may not be whole")
    alone.value(place)
    found: list[Goal] = [
        (terms.substitute(add(high, negative(low)), there), sign, alone)
        for low, sign, high in at.pairs if (low, sign, high) not in others
    ]  # fmt: skip
    d = add(terms.substitute(term, there), negative(term))
    return [*found, (d if body.extreme == "largest" else negative(d), "<=", at)]


def is_inside(statement: Statement, given: Mapping[str, str]) -> None:
    """That a point certainly lies in a statement's domain.

    Raises:
        Refused: it does not.
    """
    asked = question(replace(statement, body=Comparison(Compared((Node("number", 0, "0"),) * 2, ("<=",)))))
    values = {one: number_in(text) for one, text in given.items()}
    if set(values) != set(asked.variables()) or set(values) & CONSTANTS:
        raise Refused("a value for each variable of the domain, and for no other")
    if any(value.q != 1 and asked.is_whole(one) for one, value in values.items()):
        raise Refused("a value that is not whole")
    where = {one: Interval(value, value) for one, value in values.items()}
    evaluator = Evaluator(BITS)
    for pair in asked.pairs:
        if certainly(pair, where, evaluator) is not True:
            raise Refused("a point that is not certain to lie in the domain")


def other_end(pair: Pair, x: str, rises: bool) -> bool:
    """Whether a hypothesis says of x alone where it ends on the other side."""
    low, sign, high = pair
    inside, end = (low, high) if rises else (high, low)
    return sign != "=" and inside == name(x) and x not in free(end)
