"""A number that a statement of a limit leaves open: what a series says it is, or one that is large or small enough."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial

from asymp.kernel import terms
from asymp.kernel.growths.constants import bounded, limits, with_value
from asymp.kernel.growths.regime import moving
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import Refused, Term
from asymp.kernel.theorem import Theorem, apply
from asymp.language.bodies import Eventual, Expanding, Limiting, Ordering, Ratio
from asymp.language.conditions import Condition, OfKind
from asymp.language.names import free_names
from asymp.language.statement import Statement
from asymp.language.syntax import Node
from asymp.prove import asymptotic, first
from asymp.prove.expansion import expansions

Prove = Callable[[Statement], Theorem]
TRIED = ("1", "2", "10", "1/2", "1/10", "0", "-1")
"""Numbers that are tried where no series says which."""


def holds(statement: Statement, prove: Prove) -> Theorem:
    """By a value for what is left open.

    Raises:
        Refused: none of those tried does.
    """
    v = left_open(statement)

    def with_the(value: str) -> Theorem:
        given = [prove(one) for one in with_value(statement, v, value)]
        return apply("some constant", given, statement=str(statement), variable=v, value=value)

    return first(partial(with_the, value) for value in dict.fromkeys(values(statement, v)))


def fails(statement: Statement, prove: Prove, refute: Prove) -> Theorem:
    """By a rest that is not bounded, or by the one number that is possible."""
    v = left_open(statement)

    def unbounded() -> Theorem:
        return apply("no constant", [refute(bounded(statement, v))], statement=str(statement), variable=v)

    def for_the(value: str) -> Theorem:
        given = [prove(one) for one in limits(statement, v, value)]
        failing = first((partial(refute, one) for one in with_value(statement, v, value)), "it holds for the limit")
        return apply("one constant", [*given, failing], statement=str(statement), variable=v, value=value)

    ways: list[Callable[[], Theorem]] = [unbounded]
    ways += [partial(for_the, value) for value in dict.fromkeys(_limits(statement, v))]
    return first(ways)


def left_open(statement: Statement) -> str:
    """The variable of which some value is meant.

    Raises:
        Refused: there is none, or several.
    """
    inside = {name for node in statement.body.terms() for name in free_names(node)}
    said = {name for c in statement.some for name in (c.name if isinstance(c, OfKind) else "", *_free(c))} & inside
    found = sorted(said - {name for c in (*statement.domain, *statement.regime) for name in _free(c)})
    if len(found) != 1:
        raise Refused("not one number is left open")
    return found[0]


def _free(c: Condition) -> set[str]:
    return set[str]().union(*map(free_names, c.terms()))


def values(statement: Statement, v: str) -> Iterator[str]:
    """Terms that are tried for what is left open."""
    for limit in _limits(statement, v):
        yield from (f"2*({limit}) + 1", f"({limit})/2", limit) if isinstance(statement.body, Eventual) else (limit,)
    yield from TRIED


def _limits(statement: Statement, v: str) -> Iterator[str]:
    """What v is by the series of the rest, or of the quotient."""
    plain = replace(statement, some=())
    for f in _asked(statement, v):
        with suppress(Refused):
            found = asymptotic.holds(replace(plain, body=Ordering(node_of(f), "O", Node("number", 1, "1"))))
            for one in expansions(found):
                still = one.kept and not terms.read(one.kept[0]).free & moving(statement)
                yield one.kept[0] if still else "0"


def _asked(statement: Statement, v: str) -> Iterator[Term]:
    body = statement.body
    zero = {v: terms.ZERO}
    if isinstance(body, Expanding):
        yield terms.add(terms.of(body.left), terms.negative(terms.substitute(terms.of(body.kept), zero)))
    elif isinstance(body, Limiting):
        yield terms.of(body.left)
    elif isinstance(body, (Ratio, Eventual)):
        one = {v: terms.ONE}
        yield terms.multiply(terms.of(body.left), terms.reciprocal(terms.substitute(terms.of(body.right), one)))
    elif isinstance(body, Ordering):
        yield terms.substitute(terms.of(body.left), zero)
