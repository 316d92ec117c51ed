"""Statements of limits of declared sequences, by expansions of their values; and numbers near these, for guesses.

>>> round(approximate(terms.read("exp(1) - log(x)"), {"x": 1.0}), 6)
2.718282
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from asymp.kernel import terms
from asymp.kernel.growths.asymptotics import Decided
from asymp.kernel.growths.declared import shift_of
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import Refused, Term, add, name, number
from asymp.kernel.theorem import Theorem, apply
from asymp.language.bodies import Expanding, Ordering
from asymp.language.conditions import Recurrence, Tends
from asymp.language.statement import Statement, read_statement
from asymp.language.syntax import Node
from asymp.regimes.names import runner_of
from asymp.regimes.paths import NOTHING, path
from asymp.regimes.quantities import paths, places

ORDERS = (2, 3, 4, 5)
Find = Callable[[Statement, bool], Theorem]
"""A theorem that a statement holds, or that it does not."""


def by_leaves(statement: Statement, leaves: Sequence[Theorem], holds: bool) -> Theorem:
    """A statement of a limit by expansions of the values of a sequence in it."""
    plain = replace(statement, body=NOTHING, domain=tuple(c for c in statement.domain if not isinstance(c, Recurrence)))
    last = Refused("no quantities for this regime")
    for order in ORDERS:
        if holds:
            tries = [("asymptotic", {"place": place, **path(plain)}) for place in places(plain)]
        else:
            tries = [("path", {"runner": runner_of(plain), "values": values}) for values in paths(plain)]
        for rule, data in tries:
            try:
                return apply(rule, leaves, statement=str(statement), order=order, **data)
            except Decided:
                raise
            except Refused as error:
                last = error
    raise last


def one_way(statement: Statement, holds: bool, find: Find) -> Theorem:
    """A theorem that a statement, to which another comes down, holds or does not.

    Raises:
        Decided: there is one of the opposite, so that no other way need be looked for.
        Refused: there is neither.
    """
    try:
        return find(statement, holds)
    except Refused as error:
        try:
            find(statement, not holds)
        except Refused:
            raise error from None
    raise Decided("the opposite is seen")


def stated(statement: Statement, body: str) -> Statement:
    """What is said of a sequence in the regime of a statement."""
    kept = tuple(c for c in statement.domain if isinstance(c, Recurrence))
    return replace(read_statement(f"{body} as whole {running(statement)} -> oo"), domain=kept)


def of_bound(said: Statement, bound: Term) -> Statement:
    """The same of a bound of a sequence in place of the left side."""
    body = said.body
    assert isinstance(body, (Expanding, Ordering))
    return replace(said, body=replace(body, left=node_of(bound)), domain=())


def running(statement: Statement) -> str:
    """The variable that tends to infinity."""
    tends = [c for c in statement.regime if isinstance(c, Tends) and c.term.kind == "name"]
    if len(tends) != 1:
        raise Refused("one variable that tends to infinity is wanted")
    return tends[0].term.text


def shifts(statement: Statement, of: str) -> list[int]:
    """The c at which a statement speaks of a(n + c)."""
    v, found = running(statement), dict[int, None]()
    for node in statement.terms():
        for part in terms.walk(terms.of(node)):
            if part.head == of:
                shift = shift_of(part.parts[0], v) if len(part.parts) == 1 else None
                if shift is None:
                    raise Refused(f"{part} is not at {v} + c")
                found[shift] = None
    return list(found)


def moved(said: Statement, v: str, c: int) -> Statement:
    """The statement with n + c for n in its body."""
    put = {v: add(name(v), number(c))}

    def change(node: Node) -> Node:
        return node_of(terms.substitute(terms.of(node), put))

    return replace(said, body=said.body.changed(change))


def leaves_at(leaf: Theorem, statement: Statement, of: str) -> list[Theorem]:
    """What an expansion of a(n) says of each a(n + c) in a statement."""
    v, made = running(statement), list[Theorem]()
    for c in shifts(statement, of):
        if c == 0:
            made.append(leaf)
            continue
        made.append(apply("shifted", [leaf], statement=str(moved(leaf.statement, v, c)), of=of, by=c))
    return made


def approximate(term: Term, at: dict[str, float]) -> float:
    """A floating-point number near a term's value, for a guess.

    Raises:
        Refused: a function that is not known here.
        ArithmeticError, ValueError: it has no value.
    """
    if term.is_number:
        return float(term.number)
    if term.head == "name":
        return (
            at[term.name]
            if term.name in at
            else {"pi": math.pi, "E": math.e, "EulerGamma": 0.5772156649015329}[term.name]
        )
    parts = [approximate(part, at) for part in term.parts]
    match term.head:
        case "sum":
            return math.fsum(parts)
        case "product":
            return math.prod(parts)
        case "power":
            found = parts[0] ** parts[1]
            if isinstance(found, complex):
                raise ValueError("a power that is not real")
            return float(found)
    if len(parts) != 1 or not hasattr(math, term.head):
        raise Refused(f"nothing is known of {term.head} here")
    return float(getattr(math, term.head)(*parts))
