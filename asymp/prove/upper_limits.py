"""Theorems of upper and lower limits, and of negations: by the statements that they are made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from asymp.kernel import terms
from asymp.kernel.growths.upper_limits import negated, oriented, parts
from asymp.kernel.summation.cells import node_of
from asymp.kernel.theorem import Theorem, apply
from asymp.language.bodies import Ordering, UpperLimit
from asymp.language.statement import Statement
from asymp.language.syntax import Node
from asymp.prove import first
from asymp.prove.limits import Find
from asymp.prove.oscillation import classes_of
from asymp.regimes.names import unused
from asymp.regimes.paths import path
from asymp.regimes.quantities import places

ORDERS = (2, 3)


def negation(statement: Statement, holds: bool, find: Find) -> Theorem:
    """A theorem of ``not A``, from one of A."""
    return apply("negation", [find(negated(statement), not holds)], statement=str(statement))


def upper_limit(statement: Statement, holds: bool, find: Find) -> Theorem:
    """A theorem of an upper or a lower limit.

    Raises:
        Refused: none is found.
    """
    body = statement.body
    assert isinstance(body, UpperLimit)
    text, e = str(statement), unused(statement, ("d", "h", "r"), "d_")
    if body.sign != "=":
        by_parts = partial(_by, text, partial(find, parts(statement, e)[0], holds), offset=e)
        return first([partial(_bound, statement), by_parts]) if holds else by_parts()
    if len(wanted := parts(statement)) == 1:
        direct = oriented(body)[1] != terms.name("oo")
        return apply("upper limit", [find(wanted[0], holds is direct)], statement=text)
    if holds:
        return apply("upper limit", [find(wanted[1], False), find(wanted[0], True)][::-1], statement=text)
    return first(partial(_by, text, partial(find, one, sign)) for one, sign in zip(wanted, (False, True), strict=True))


def _by(text: str, given: Callable[[], Theorem], **data: str) -> Theorem:
    return apply("upper limit", [given()], statement=text, **data)


def _bound(statement: Statement) -> Theorem:
    body = statement.body
    assert isinstance(body, UpperLimit)
    f, c = oriented(body)
    asked = replace(statement, body=Ordering(node_of(terms.add(f, terms.negative(c))), "O", Node("number", 1, "1")))
    along = path(asked)
    tries = (
        partial(apply, "upper bound", statement=str(statement), order=order, place=place, classes=classes, **along)
        for place in places(asked) for classes in (1, *classes_of(asked)) for order in ORDERS
    )  # fmt: skip
    return first(tries, "no quantities for this regime")
