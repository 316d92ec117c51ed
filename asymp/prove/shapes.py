"""Search for two places at which a shape, or an extreme, fails.

>>> from asymp.language.statement import read_statement
>>> from asymp.prove.claims import theorem
>>> theorem(read_statement("log(x)/x is largest at x = 2 for x > 0"), False)
⊢ not: log(x)/x is largest at x = 2 for x > 0
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise
from statistics import mode

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.balls.boxes import question
from asymp.kernel.balls.goals import goals
from asymp.kernel.balls.slopes import needed
from asymp.kernel.facts.context import Context
from asymp.kernel.rings.ratio import Ratio, common, in_order, to_term
from asymp.kernel.sequences.shapes import compared_at
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import Refused, Term
from asymp.kernel.theorem import Theorem, apply
from asymp.language.bodies import Comparison, Extreme, Shape
from asymp.language.conditions import Compared
from asymp.language.statement import Statement
from asymp.prove import first
from asymp.prove.bounds import ALWAYS
from asymp.prove.written import gathered

STEPS = 16
"""Parts of an interval at whose ends the term is compared."""
AWAY = tuple(map(mpq, ("0", "1/1000", "1/10", "1/2", "1", "2", "3", "4", "6", "9", "40", "1000")))
"""How far from the one end the places lie where there is no other."""

BESIDE = (2, 10, 60, 250)
"""Powers of 1/10 by which places lie beside that of an extreme."""


def fails(statement: Statement, refute: Callable[[Statement], Theorem]) -> Theorem:
    """A theorem that a shape or an extreme does not hold.

    Raises:
        Refused: no places are found at which it fails.
    """
    body = statement.body
    if not isinstance(body, (Shape, Extreme)):
        raise Refused("no shape and no extreme")
    found = sorted(set(_places(statement, body.name)))
    places = pairwise(found) if isinstance(body, Shape) else ((one,) for one in (*_beside(body), *found))
    return first((partial(_at, statement, at, refute) for at in places), "no places are found at which it fails")


def as_quotient(statement: Statement, prove: Callable[[Statement], Theorem]) -> Theorem:
    """A theorem on the shape of a quotient of polynomials, from that of the quotient without common factors.

    >>> from asymp.prove.claims import theorem
    >>> text = "Sum((2*x)^k/(1 + x), (k, 1, floor(5/2))) - 4*x*Product(x/(1 + x), (k, 1, 1)) is increasing in x for x > 0"
    >>> from asymp.language.statement import read_statement
    >>> theorem(read_statement(text), True).holds
    True

    Raises:
        Refused: none is found.
    """
    from asymp.cas import quotient  # the last way: what is decided before it needs no SymPy

    assert isinstance(statement.body, Shape)
    term = terms.of(statement.body.term)
    other = node_of(quotient(term, statement.body.name))
    if terms.of(other) == term:
        raise Refused("it is such a quotient already")
    equation = prove(replace(statement, body=Comparison(Compared((statement.body.term, other), ("=",)))))
    rest = replace(statement, body=replace(statement.body, term=other))
    return apply("replace", [equation, prove(rest)], statement=str(statement))


def by_slope(statement: Statement, prove: Callable[[Statement], Theorem]) -> Theorem:
    """A theorem on a shape from the sign of its slope without its common factors.

    Raises:
        Refused: none is found.
    """
    ((slope, _, at),) = goals(statement)
    value = at.value(slope)
    least, monomials = common(value.num), [dict(one) for one in value.num]
    usual = {
        a: mode(one.get(a, mpq(0)) for one in monomials) for a in least if a.head == "exp"
    }  # most terms are without it then
    front = Ratio({in_order({**least, **usual}): mpq(1)}) * Ratio(value.den).inverse()
    factor, left = to_term(front), to_term(value * front.inverse())
    rest = terms.add(*(gathered(_plain(one)) for one in (left.parts if left.head == "sum" else (left,))))
    return apply(
        "slope", [prove(needed(statement, factor, rest))], statement=str(statement), factor=str(factor), rest=str(rest)
    )


def _plain(term: Term) -> Term:
    """exp(u*v) for the power exp(u)^v, in a product."""
    if term.head == "power" and term.parts[0].head == "exp":
        return terms.call("exp", terms.multiply(term.parts[1], term.parts[0].parts[0]))
    return terms.multiply(*map(_plain, term.parts)) if term.head == "product" else term


def _at(statement: Statement, at: tuple[mpq, ...], refute: Callable[[Statement], Theorem]) -> Theorem:
    return apply("places", [refute(compared_at(statement, at))], statement=str(statement), at=[str(one) for one in at])


def _beside(body: Extreme) -> Iterator[mpq]:
    """Next to the place: where the term rises or falls there, it is larger on one side, however near the extreme is."""
    place = terms.of(body.place)
    if place.is_number:
        yield from (place.number + way / mpq(10) ** k for k in BESIDE for way in (1, -1))


def _places(statement: Statement, x: str) -> Iterator[mpq]:
    asked = question(replace(statement, body=ALWAYS))
    r = Context(asked.where.whole, asked.pairs).ranges.get(x)
    low, high = (r.low, r.high) if r else (None, None)
    if low is not None and high is not None:
        found = [low + (high - low) * k / STEPS for k in range(STEPS + 1)]
    elif low is not None:
        found = [low + one for one in AWAY]
    elif high is not None:
        found = [high - one for one in AWAY]
    else:
        found = [side * one for one in AWAY for side in (1, -1)]
    for one in found:
        yield mpq(-(-one // 1)) if asked.is_whole(x) else one
