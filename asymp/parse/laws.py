"""Statements X_n => X: the limits to which they unfold, and what has to hold that what is given is a law.

>>> from asymp.parse import claim
>>> [str(one.statement) for one in claim("me/x", "geometric(1/n)/n => exponential(1)", "n -> oo", "me, 1").relation.members]
['(1/n)*exp(-s/n)/(1 - (1 - 1/n)*exp(-s/n)) -> 1/(1 + s)']
"""

from __future__ import annotations

from collections.abc import Iterator

from asymp.claim import Claim, LimitLaw
from asymp.kernel import terms
from asymp.kernel.laws.unfolding import WAYS, sides, unfolded, variable
from asymp.language.bodies import Body, Comparison, Limiting, Shape
from asymp.language.conditions import Compared, Condition, Conditions, OfKind, Tends
from asymp.language.elaborate import variables_of
from asymp.language.known import known
from asymp.language.laws import LESS_OO, ONE, OO, ZERO, Law, law, minus, plus, put
from asymp.language.names import substitute
from asymp.language.numbers import ParseError
from asymp.language.statement import InLaw, Statement
from asymp.language.syntax import Node, ranges
from asymp.parse.built import Again, Built

FROM = ("1", "2", "10")
"""From where on it is asked whether what is given is a law, one after the other."""


def limit_law(statement: Statement, again: Again, source: str = "") -> Built:
    """The relation of a limit law.

    Raises:
        ParseError: a side is no law, or it is not known how to ask for its limit.
    """
    assert isinstance(statement.body, InLaw)
    for one in (law(statement.body.left), law(statement.body.right)):
        _known(one, statement, source)
    try:
        left, _ = sides(statement)
    except terms.Refused as error:
        raise ParseError(str(error)) from error
    ways, why = [], ""
    for way in WAYS:
        try:
            found = unfolded(statement, way, variable(statement, way))
            ways.append((tuple(map(again, found.limits)), tuple(found.sure)))
        except (terms.Refused, ParseError) as error:
            why = str(error) if isinstance(error, ParseError) or not why else why
    if not ways:
        raise ParseError(why)
    needed = tuple(tuple(_asked(statement, one, again)) for one in _needed(left))
    return Built(LimitLaw(ways[0][0], statement=statement, needed=needed, ways=tuple(ways)))


def _known(one: Law, statement: Statement, source: str) -> None:
    declared = variables_of(statement)
    for node in one.terms():
        if one.given and node is one.atom:
            name, low, high = ranges(node)[0]
            for end in (low, high):
                if end not in (OO, LESS_OO):
                    known(end, source or str(statement.body), declared)
            known(node.parts[0], source or str(statement.body), [*declared, name])
        else:
            known(node, source or str(statement.body), declared)


HANKEL = "b*d - c^2 - a*(a*d - b*c) + b*(a*c - b^2)"
"""The determinant of E X^(i + j), i, j = 0, 1, 2, which is E (a square) times a positive number, or 0."""


def _needed(left: Law) -> Iterator[tuple[Body, Conditions, Conditions]]:
    """What has to hold that what is given is a law: what is said, what tends, and for which values of its variable."""
    if not left.given or left.atom is None:
        return
    name, low, high = ranges(left.atom)[0]
    f, v = left.atom.parts[0], Node("name", 1, name)
    tends = {"Laplace": (ZERO, "+"), "Mgf": (ZERO, "+" if low == ZERO else "-"), "Generating": (ONE, "-")}
    if left.given in tends:
        yield Limiting(f, ONE), (Tends(v, *tends[left.given]),), ()
        if left.given != "Mgf":  # a mean of what lies between 0 and 1
            yield Comparison(Compared((ZERO, f, ONE), ("<=", "<="))), (), _within(low, v, high, "<")
    elif left.given == "Moments":
        one, two, three, four = (substitute(f, {name: Node("number", 1, k)}) for k in "1234")
        yield Comparison(Compared((put("m^2", {"m": one}), two), ("<=",))), (), ()
        yield Comparison(Compared((ZERO, put(HANKEL, {"a": one, "b": two, "c": three, "d": four})), ("<=",))), (), ()
    elif left.given == "Masses":
        total = Node("call", 1, "Sum", left.atom.parts)
        yield Comparison(Compared((total, ONE), ("=",))), (), ()
        within = _within(low, v, high, "<=")
        yield Comparison(Compared((f, ZERO), (">=",))), (), (OfKind(name, "whole"), *within)
    else:
        within = _within(low, v, high, "<")
        yield Shape(f, "nondecreasing", name), (), within
        for end, value, sign in ((low, ZERO, ">="), (high, ONE, "<=")):
            if end in (OO, LESS_OO):
                yield Limiting(f, value), (Tends(v, end),), ()
            else:
                yield Comparison(Compared((f, value), (sign,))), (), within


def _within(low: Node, v: Node, high: Node, sign: str) -> Conditions:
    found: list[Condition] = [Compared((low, v), (sign,))] if low != LESS_OO else []
    found += [Compared((v, high), (sign,))] if high != OO else []
    return tuple(found) or (OfKind(v.text, "real"),)


def _asked(statement: Statement, one: tuple[Body, Conditions, Conditions], again: Again) -> Iterator[Claim]:
    """The question, for the values of what moves from some points on."""
    body, regime, within = one
    ties = {c.parts[0].text: c.parts[1] for c in statement.regime if isinstance(c, Compared) and c.signs == ("=",)
            and c.parts[0].kind == "name"}  # fmt: skip
    used = frozenset[str]().union(*(substitute(node, ties).free for node in body.terms()))
    for start in FROM:
        domain = [c for c in statement.domain if used & _names(c)]
        domain += [c for c in statement.regime if isinstance(c, OfKind) and c.name in used]
        domain += [far for c in statement.regime if isinstance(c, Tends) and c.term.kind == "name" and c.term.text in used
                   for far in _far(c, start)]  # fmt: skip

        def tied(node: Node) -> Node:
            return substitute(node, ties)

        asked = Statement(body.changed(tied), domain=(*domain, *(c.changed(tied) for c in within)), regime=regime)
        try:
            yield again(asked)
        except ParseError:
            continue


def _names(c: Condition) -> frozenset[str]:
    names = frozenset((c.name,)) if isinstance(c, OfKind) else frozenset[str]()
    return names.union(*(node.free for node in c.terms()))


def _far(c: Tends, start: str) -> Conditions:
    """Where a variable is from some point on: n >= 10, 0 < p < 1/10, 9/10 < rho < 1."""
    v, first = c.term, Node("number", 1, start)
    if c.target == OO:
        return (Compared((v, first), (">=",)),)
    if c.target == LESS_OO:
        return (Compared((v, minus(first)), ("<=",)),)
    gap = Node("product", 1, "", (ONE, first), "*/") if start != "1" else ONE
    if c.side == "+":
        return (Compared((c.target, v, plus(c.target, gap)), ("<", "<")),)
    return (Compared((plus(c.target, gap, "-"), v, c.target), ("<", "<")),)
