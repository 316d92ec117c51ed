"""A term in the place of a sequence that is declared by a recurrence.

A term f(n) that obeys the equation, and begins as the sequence does, is the sequence, by induction; so a statement of the
sequence holds, or fails, with the one of f.

>>> from asymp.kernel.theorem import apply
>>> from asymp.prove.claims import theorem
>>> said = "sequence a(n), a(n+1) = 2*a(n) + 1, a(0) = 0"
>>> statement = read_closed(f"a(n) = 2^n - 1 for whole n >= 0, {said}")
>>> texts = ["2^n - 1 = 2^n - 1 for whole n >= 0", *map(str, agrees(declared(statement, "a"), read("2^n - 1"), 0)),
...          "n >= 0 for whole n >= 0"]
>>> given = [theorem(read_closed(text), True) for text in texts]
>>> apply("sequence", given, statement=str(statement), of="a", by="2^n - 1", start=0)
⊢ a(n) = 2^n - 1 for whole n >= 0, sequence a(n), a(n + 1) = 2*a(n) + 1, a(0) = 0
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.data import Data
from asymp.kernel.domain import given
from asymp.kernel.growths.declared import ROUNDED, Declared, declared, shift_of
from asymp.kernel.rings.defined import is_whole
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import Refused, Term, number, read, walk
from asymp.kernel.theorem import Conclusion, Theorem, read_closed, rule, shown
from asymp.language.bodies import Comparison
from asymp.language.conditions import Compared, OfKind, Recurrence
from asymp.language.names import Definition, binds, free_names, ranges, unfold
from asymp.language.statement import Statement
from asymp.language.syntax import Node


def definition(found: Declared, f: Term) -> dict[str, Definition]:
    """The sequence's name for a term in its variable.

    Raises:
        Refused: the term has other variables, or speaks of the sequence.
    """
    if f.free - {found.variable} or any(part.head == found.name for part in walk(f)):
        raise Refused(f"{f} is no term in {found.variable}")
    return {found.name: Definition(found.name, (found.variable,), node_of(f))}


def without(statement: Statement, of: str, names: dict[str, Definition]) -> Statement:
    """The statement of a term in the place of a sequence."""

    def change(node: Node) -> Node:
        return unfold(node, names)

    kept = tuple(c for c in statement.domain if not (isinstance(c, Recurrence) and c.name == of))
    some, uniform, domain, regime = (
        tuple(c.changed(change) for c in where) for where in (statement.some, statement.uniform, kept, statement.regime)
    )
    return Statement(statement.body.changed(change), some, uniform, domain, regime)


def agrees(found: Declared, f: Term, start: int) -> list[Statement]:
    """That a term is the sequence from an index on: it begins as that does, and obeys the equation.

    Raises:
        Refused: a later index where the equation is not one in n + c alone.
    """
    names, n, more = definition(found, f), found.variable, start - found.first
    if more < 0 or (more and any(t.head in ROUNDED for t in found.calls)):
        raise Refused(f"{found.name} is not compared from {start} on")
    begins = (
        [node_of(number(mpq(found.at(start + i)))) for i in range(len(found.begins))] if more else list(found.begins)
    )
    wanted = []
    for i, node in enumerate(begins):
        here = node_of(terms.substitute(f, {n: number(start + i)}))
        wanted.append(Statement(Comparison(Compared((here, node), ("=",)))))
    domain = whole_from(n, found.start + more)
    wanted.append(Statement(Comparison(found.equation.changed(lambda node: unfold(node, names))), domain=domain))
    return wanted


def whole_from(n: str, start: int) -> tuple[Any, ...]:
    """``whole n >= start``."""
    return OfKind(n, "whole"), Compared((Node("name", 1, n), node_of(number(start))), (">=",))


def reached(statement: Statement, of: str, start: int) -> list[Statement]:
    """That a statement speaks of a sequence at whole numbers from an index on alone; which are whole is seen here.

    Raises:
        Refused: an argument may not be whole, or its variables are those of which some value is meant.
    """
    kept = [c for c in statement.domain if not (isinstance(c, Recurrence) and c.name == of)]
    nodes = [
        *statement.terms(),
        *(n for c in (*kept, *statement.some, *statement.uniform, *statement.regime) for n in c.terms()),
    ]
    whole = given(c for c in statement.conditions() if not isinstance(c, Recurrence)).whole
    inner = {v for c in (*statement.some, *statement.uniform) for node in c.terms() for v in free_names(node)}
    found: dict[Statement, None] = {}
    for t, bound in (one for node in nodes for one in _arguments(node, of, {})):
        term = terms.of(t)
        if free_names(t) & bound.keys():
            _in_a_total(t, bound, start, of)
            continue
        if not is_whole(term, whole) or term.free & inner:
            raise Refused(f"{of}({term}) is not seen to be at a whole number")
        if term.is_number:
            if term.number < start:
                raise Refused(f"{of}({term}) lies before {of}({start})")
            continue
        least = Comparison(Compared((t, node_of(number(start))), (">=",)))
        domain = tuple(c for c in kept if of not in {f for node in c.terms() for f in node.calls})
        found[Statement(least, domain=domain, regime=statement.regime)] = None
    return list(found)


def _arguments(node: Node, of: str, bound: dict[str, Node | None]) -> Iterator[tuple[Node, dict[str, Node | None]]]:
    if node.kind == "call" and node.text == of:
        if len(node.parts) != 1:
            raise Refused(f"{of} has one argument")
        yield node.parts[0], bound
    if binds(node):
        inside = dict(bound)
        for v, low, high in reversed(ranges(node)):  # the last range is the outermost
            for end in (low, high):
                yield from _arguments(end, of, dict(inside))
            inside[v] = low if node.text in ("Sum", "Product") else None
        yield from _arguments(node.parts[0], of, inside)
        return
    for part in node.parts:
        yield from _arguments(part, of, bound)


def _in_a_total(t: Node, bound: dict[str, Node | None], start: int, of: str) -> None:
    term = terms.of(t)
    (v,) = free_names(t) if len(free_names(t)) == 1 else ("",)
    shift = shift_of(term, v) if v in bound else None
    low = terms.of(bound[v]) if shift is not None and bound[v] is not None else None  # type: ignore[arg-type]
    if shift is None or low is None or not low.is_number or low.number.denominator != 1 or low.number + shift < start:
        raise Refused(f"{of}({term}) is not seen to be at a whole number from {start} on")


@rule("sequence", of_sequences=True)
def _sequence(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """A statement of a sequence, or its negation, from that of a term which begins as the sequence does and obeys its equation.

    Data: statement, of (the sequence's name), by (the term, in the variable of the equation), start (from where they
    agree). Premises: the statement of the term, that it agrees, and that the arguments are from there on.
    """
    statement, of, start = read_closed(data["statement"]), data.text("of"), data.whole("start")
    found, f = declared(statement, of), read(data.text("by"))
    holds = shown(premises[:1], [without(statement, of, definition(found, f))], None)
    shown(premises[1:], [*agrees(found, f, start), *reached(statement, of, start)])
    return Conclusion(statement, holds)
