"""Whether a bridge that is said for some arguments of a name is said for those with which a statement calls it.

``servers_at(k, n) = free_at(k, n) for k <= n`` ties ``free_at(k, n)`` for k <= n alone, which is ``free_at(n - 1, n)`` too.

>>> from asymp.language.names import definition
>>> from asymp.language.statement import read_statement
>>> names = dict([definition("f(k, n)", "n - k"), definition("last(n)", "f(n - 1, n)")])
>>> bridge = read_statement("g(k, n) = f(k, n) for k <= n")
>>> texts = ("last(n)", "f(n - 1, n) + f(n, n)", "f(n + 1, n)", "f(j, n)", "Sum(f(k, n), (k, 0, n))")
>>> said = [read_statement(f"{one} = 1 for whole n, n >= 1, whole j") for one in texts]
>>> [covers_calls("f", bridge, one, one.domain, names) for one in said]
[True, True, False, False, False]
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from asymp.kernel import terms
from asymp.kernel.summation import linear
from asymp.kernel.summation.linear import Relation, relations
from asymp.kernel.terms import Refused
from asymp.language.conditions import Between, Compared, Condition, Conditions, Listed, OfKind
from asymp.language.names import BINDERS, Definitions, substitute, unfold
from asymp.language.statement import Statement
from asymp.language.syntax import Node

MOST_CASES = 100


def covers_calls(name: str, bridge: Statement, statement: Statement, where: Conditions, names: Definitions) -> bool:
    """Whether what a bridge is said for, beside what is declared of its variables, holds at all calls of a name in a statement.

    Conditions are seen to hold where they are linear in whole variables; ``where`` are those of the statement when it is closed.
    """
    own = [call for node in bridge.body.terms() for call in _calls(node, name)]
    if len(own) != 1 or any(part.kind != "name" for part in own[0].parts) or len(set(own[0].parts)) < len(own[0].parts):
        return False
    others = {one: item for one, item in names.items() if one != name}
    nodes = [*statement.terms(), *(node for c in statement.conditions() for node in c.terms())]
    unfolded = [unfold(node, others) for node in nodes]
    calls = {call.parts for node in unfolded for call in _calls(node, name)}
    if any(part.text in BINDERS and any(True for _ in _calls(part, name)) for node in unfolded for part in _walk(node)):
        return False
    try:
        wanted = relations(c for c in bridge.domain if not isinstance(c, OfKind))
        return all(_holds(wanted, own[0].parts, call, conditions) for conditions in _cases(where) for call in calls)
    except Refused:
        return False


def _holds(wanted: Sequence[Relation], names: Sequence[Node], call: Sequence[Node], where: Conditions) -> bool:
    """Whether relations hold with the arguments of a call for their names, under conditions."""
    whole = frozenset(c.name for c in where if isinstance(c, OfKind) and c.kind == "whole")
    cell, _ = linear.system(where, whole)
    equal = [c.parts for c in where if isinstance(c, Compared) and c.signs == ("=",)]
    values = {left.text: right for left, right in equal if left.kind == "name"}
    put = {v.text: terms.of(substitute(x, values)) for v, x in zip(names, call, strict=True)}
    return linear.all_of(cell, [one.at(put, whole) for one in wanted])


def _cases(found: tuple[Condition, ...]) -> Iterator[tuple[Condition, ...]]:
    """The conditions with one row of each list of values at a time."""
    lists = [[(c.names, row) for row in c.rows] for c in found if isinstance(c, Listed)]
    kinds = [OfKind(c.name, "whole") for c in found if isinstance(c, Between)]
    plain = [*kinds, *(c for c in found if not isinstance(c, Listed))]
    rows = itertools.islice(itertools.product(*lists), MOST_CASES + 1)
    for count, chosen in enumerate(rows):
        if count == MOST_CASES:
            raise Refused("too many values")
        given = [Compared((Node("name", 1, v), x), ("=",)) for names, row in chosen for v, x in zip(names, row, strict=True)]
        yield (*plain, *given)


def _calls(node: Node, name: str) -> Iterator[Node]:
    yield from (part for part in _walk(node) if part.kind == "call" and part.text == name)


def _walk(node: Node) -> Iterator[Node]:
    yield node
    for part in node.parts:
        yield from _walk(part)
