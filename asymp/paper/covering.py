"""Whether a bridge is said for all that a statement says of the name that it ties.

``servers_at(k, n) = free_at(k, n) for k <= n`` ties ``free_at(k, n)`` for k <= n alone, which is ``free_at(n - 1, n)`` too.
What is declared of a variable of the file is said of what stands in its place: of ``whole n, n >= 1`` neither 1/2 nor 0 is one.

>>> from asymp.language.elaborate import Setting, closed
>>> from asymp.language.conditions import read_conditions
>>> from asymp.language.names import definition
>>> from asymp.language.statement import read_statement
>>> names = dict([definition("f(k, n)", "n - k"), definition("last(n)", "f(n - 1, n)"), definition("B", "f(0, n)")])
>>> setting = Setting({v: read_conditions("whole, >= 0", v) for v in ("k", "n", "j")}, names)
>>> bridge = read_statement("g(k, n) = f(k, n) for k <= n")
>>> texts = ("last(n)", "f(n - 1, n) + f(n, n)", "f(n + 1, n)", "f(j, n)", "Sum(f(k, n), (k, 0, n))", "f(n/2, n)")
>>> texts += ("Sum(f(k, n), (k, 0, n + 1))",)
>>> said = [read_statement(f"{one} = 1 for whole n, n >= 1, whole j") for one in texts]
>>> [needed("f", bridge, one, one.domain, setting) for one in said]
[(), (), None, None, (), None, None]
>>> texts = ("B = 1 for whole n, n >= 1", "B = 1 for real n, n >= 1", "B = 1 for whole n, n >= -1")
>>> [needed("B", read_statement("g(n) = B"), one, one.domain, setting) for one in map(read_statement, texts)]
[(), None, None]
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial

from asymp.kernel import terms
from asymp.kernel.summation import linear
from asymp.kernel.summation.linear import relations
from asymp.kernel.terms import Refused
from asymp.language.bridges import covers, leaned_on, leans_on, tied
from asymp.language.conditions import Between, Compared, Condition, Conditions, Listed, OfKind, Tends
from asymp.language.elaborate import Setting, closed
from asymp.language.names import BINDERS, free_names, substitute, unfold
from asymp.language.numbers import ParseError
from asymp.language.setting import SettingReader
from asymp.language.statement import Comparison, Statement, read_statement
from asymp.language.syntax import Node, ranges, walk

MOST_CASES = 400
FAR = Node("number", 1, "1000000")
Put = Mapping[str, Node]


def tie(file: SettingReader, one: str, written: Statement) -> tuple[str, ...] | None:
    """What has to hold besides for a claim to tie what a statement leans on; None where it is said for a part of that."""
    data, said = file.entries()[one], written
    with suppress(ParseError):  # of a test, or of what cannot be read, nothing is seen; the claim itself says so
        said = written if "test" in data else file.worded(file.says(data), data)[0]
    found = closed(written, file.setting)
    where = (*found.conditions(), *found.ties)
    names = sorted(set(tied(data)) & leans_on(written, file.setting.names))
    wanted = [needed(name, said, written, where, file.setting) for name in names]
    return None if None in wanted else tuple(text for each in wanted for text in each or ())


def needed(name: str, bridge: Statement, statement: Statement, where: Conditions, setting: Setting) -> tuple[str, ...] | None:
    """What has to hold besides, of what stands for real variables, closed; None where the bridge is not said for all of it.

    It is seen where it is linear in whole variables; ``where`` are the conditions of the statement when it is closed, of which
    what tends to infinity is beyond each number.  What is declared of real variables is not asked of what stands in their place.
    """
    own = [one for node in bridge.body.terms() for one in walk(node) if one.text == name and one.kind in ("call", "name")]
    if len({one.parts for one in own}) != 1 or any(part.kind != "name" for part in own[0].parts):
        return None
    if not own[0].parts and not covers(bridge, statement):
        return None
    covering = _Covering(name, bridge, own[0], setting)
    nodes = [*statement.terms(), *(node for c in statement.conditions() for node in c.terms())]
    try:
        if not all(covering.of(node, {}, conditions) for conditions in _cases(where) for node in nodes):
            return None
        if covering.real and (statement.some or statement.uniform):
            return None
        found = (_said(c, statement) for c in covering.real)
        return tuple(dict.fromkeys(str(closed(read_statement(str(one)), setting)) for one in found))
    except (Refused, ParseError):
        return None


def _said(c: Compared, statement: Statement) -> Statement:
    """That a condition holds where a statement is said; of numbers it is said at once."""
    there = replace(statement, body=Comparison(c))
    return there if any(node.free for node in c.terms()) else replace(there, domain=(), regime=())


class _Covering:
    def __init__(self, name: str, bridge: Statement, own: Node, setting: Setting) -> None:
        self.name, self.own, self.setting = name, own, setting
        self.extra = relations(c for c in bridge.domain if not isinstance(c, OfKind)) if own.parts else ()
        names = setting.names
        self.leaning = {one for one in names if one == name or name in leaned_on([names[one].term], names)}
        self.free = sorted(free_names(unfold(names[name].term, names)) - set(names))  # in one order in every process
        self.real: dict[Compared, None] = {}

    def of(self, node: Node, put: Put, where: Conditions) -> bool:
        """Whether it holds at a node, in which ``put`` stands for variables of the file."""
        if node.text in BINDERS and node.kind == "call":
            bounds = [(v, substitute(low, put), substitute(high, put)) for v, low, high in ranges(node)]
            put = {v: x for v, x in put.items() if v not in {one for one, _, _ in bounds}}
            if node.text in ("Sum", "Product"):
                where = (*where, *(c for v, low, high in bounds for c in _between(v, low, high)))
        if node.kind in ("call", "name") and node.text in self.leaning:
            item = self.setting.names[node.text]
            given = {v: substitute(x, put) for v, x in zip(item.arguments, node.parts, strict=False)}
            if node.text == self.name:
                reached = {v: {**put, **given}.get(v, Node("name", 1, v)) for v in (item.arguments or self.free)}
                own = {one.text: x for one, x in zip(self.own.parts, given.values(), strict=True)} if item.arguments else {}
                return all(self._fits(v, reached, where) for v in reached) and self._holds(self.extra, own, where)
            return self.of(item.term, {**put, **given}, where) and all(self.of(part, put, where) for part in node.parts)
        return all(self.of(part, put, where) for part in node.parts)

    def _fits(self, v: str, reached: Put, where: Conditions) -> bool:
        """Whether what stands for a variable that is declared whole may, with what stands for the others."""
        declared = self.setting.variables.get(v, ())
        if not any(isinstance(c, OfKind) and c.kind == "whole" for c in declared):
            if reached[v] != Node("name", reached[v].column, v):
                put = partial(substitute, values=reached)
                self.real |= {c.changed(put): None for c in declared if isinstance(c, Compared)}
            return True
        whole = frozenset(c.name for c in where if isinstance(c, OfKind) and c.kind == "whole")
        if not linear.is_whole(terms.of(substitute(reached[v], _values(where))), whole):
            return False
        return self._holds(relations(c for c in declared if not isinstance(c, OfKind)), reached, where)

    @staticmethod
    def _holds(wanted: object, put: Put, where: Conditions) -> bool:
        """Whether relations hold with terms for their names, under conditions."""
        whole = frozenset(c.name for c in where if isinstance(c, OfKind) and c.kind == "whole")
        cell, _ = linear.system(where, whole)
        values = _values(where)
        found = {v: terms.of(substitute(x, values)) for v, x in put.items()}
        return linear.all_of(cell, [one.at(found, whole) for one in wanted])  # type: ignore[attr-defined]


def _values(where: Conditions) -> dict[str, Node]:
    equal = [c.parts for c in where if isinstance(c, Compared) and c.signs == ("=",)]
    return {left.text: right for left, right in equal if left.kind == "name"}


def _between(v: str, low: Node, high: Node) -> Iterator[Condition]:
    yield OfKind(v, "whole")
    here, infinite = Node("name", 1, v), ("oo",)
    yield Compared((low, here), ("<=",))
    if high.text not in infinite:
        yield Compared((here, high), ("<=",))


def _cases(found: tuple[Condition, ...]) -> Iterator[tuple[Condition, ...]]:
    """The conditions with one row of each list of values at a time."""
    lists = [[(c.names, row) for row in c.rows] for c in found if isinstance(c, Listed)]
    lists += [_each(c) for c in found if isinstance(c, Between) and c.low.text.isdigit() and c.high.text.isdigit()]
    kinds = [OfKind(c.name, "whole") for c in found if isinstance(c, Between)]
    tends = [c for c in found if isinstance(c, Tends) and c.term.kind == "name" and c.target.text == "oo"]
    far = [Compared((c.term, FAR), (">=",)) for c in tends]
    plain = [*kinds, *far, *(c for c in found if not isinstance(c, Listed))]
    rows = itertools.islice(itertools.product(*lists), MOST_CASES + 1)
    for count, chosen in enumerate(rows):
        if count == MOST_CASES:
            raise Refused("too many values")
        put = {v: x for names, row in chosen for v, x in zip(names, row, strict=True)}
        given = [Compared((Node("name", 1, v), x), ("=",)) for v, x in put.items()]
        there = [c.changed(partial(substitute, values=put)) for c in plain]
        yield (*(c for c in there if isinstance(c, OfKind) or any(node.free for node in c.terms())), *given)


def _each(c: Between) -> list[tuple[tuple[str, ...], tuple[Node, ...]]]:
    """The values of a finite range."""
    low, high = int(c.low.text), int(c.high.text)
    return [((c.name,), (Node("number", 1, str(k)),)) for k in range(low, min(high, low + MOST_CASES) + 1)]


