"""Definitions: a name, with or without arguments, for a term; they are put in without capturing a variable.

>>> from asymp.language.syntax import Parser, words
>>> found = dict([definition("q", "1 - p"), definition("h(i)", "Sum(q^k, (k, 1, i))")])
>>> words(unfold(Parser("h(k)/q").whole(), found))
'Sum((1 - p)^k_, (k_, 1, k))/(1 - p)'
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from asymp.language.numbers import ParseError
from asymp.language.syntax import BINDERS as BINDERS
from asymp.language.syntax import Node, Parser, limits_of
from asymp.language.syntax import binds as binds
from asymp.language.syntax import outside as outside
from asymp.language.syntax import ranges as ranges

DEEPEST = 40
MOST_NODES = 20_000


@dataclass(frozen=True)
class Definition:
    """``h(i) = term``; without arguments a plain name for a term.

    A name stands for a term in the variables of the file, so that with g = a + 1 the definition u(a) = a*g makes u(5) = 30.
    """

    name: str
    arguments: tuple[str, ...]
    term: Node
    text: str = ""


Definitions = Mapping[str, Definition]


def definition(head: str, text: str) -> tuple[str, Definition]:
    """The name and what it stands for.

    Raises:
        ParseError: the head is no name with arguments, or the text is no term.
    """
    match = re.fullmatch(r"\s*([A-Za-z]\w*)\s*(?:\(([^()]*)\))?\s*", head, re.ASCII)
    if match is None:
        raise ParseError("a name is written mu or h(i)", head)
    name, inner = match.groups()
    arguments = tuple(part.strip() for part in inner.split(",")) if inner is not None else ()
    if any(not re.fullmatch(r"[A-Za-z]\w*", part, re.ASCII) for part in arguments) or len(set(arguments)) < len(arguments):
        raise ParseError("the arguments of a name are different letters or words", head)
    return name, Definition(name, arguments, Parser(text).whole(), text)


def free_names(node: Node) -> frozenset[str]:
    """The names in a term that no range binds; functions that are called are not among them.

    >>> sorted(free_names(Parser("Sum(p^k/k, (k, 1, n - 1)) + log(k)").whole()))
    ['k', 'n', 'p']
    """
    return node.free


def called(node: Node) -> frozenset[str]:
    """The names of the functions that a term calls."""
    return node.calls


def substitute(node: Node, values: Mapping[str, Node]) -> Node:
    """The term with other terms for free names; a bound variable that would capture one gets another name."""
    return _substituted(node, values, frozenset[str]().union(*(free_names(term) for term in values.values())))


def _substituted(node: Node, values: Mapping[str, Node], used: frozenset[str]) -> Node:
    """``used``: the names in what is put in, which no range may capture."""
    if node.kind == "name":
        found = values.get(node.text)
        return node if found is None else _at(found, node.column)
    if node.every_name.isdisjoint(values) and node.every_name.isdisjoint(used):
        return node
    if not binds(node):
        return node.of(tuple([_substituted(part, values, used) for part in node.parts]))
    body, limits, inner = node.parts[0], [], dict(values)
    taken = {*used, *node.every_name}
    rest = [substitute(part, values) for part in outside(node)]
    for limit in reversed(limits_of(node)):  # the last range is the outermost
        name, low, high = limit.parts[0].text, limit.parts[1], limit.parts[2]
        ends = [substitute(end, inner) for end in (low, high)]
        inner.pop(name, None)
        if name in used:
            fresh = name
            while fresh in taken:
                fresh += "_"
            taken.add(fresh)
            inner[name] = Node("name", limit.column, fresh)
            name = fresh
        limits.append(limit.of((_named(limit.parts[0], name), *ends)))
    return node.of((substitute(body, inner), *reversed(limits), *rest))


def _at(node: Node, column: int) -> Node:
    """The same term in another place."""
    return node if node.column == column else Node(node.kind, column, node.text, node.parts, node.signs)


def _named(node: Node, name: str) -> Node:
    return node if node.text == name else Node("name", node.column, name)


def unfold(node: Node, names: Definitions) -> Node:
    """The term without defined names.

    Every bound variable and every argument that has the name of something else gets a name of its own first, so that
    nothing is captured, whatever stands for what.

    Raises:
        ParseError: a name is defined by itself, or gets another number of arguments than it has.
    """
    if not names:
        return node
    taken = {*node.every_name, *names}.union(*(item.term.every_name.union(item.arguments) for item in names.values()))
    return _Unfolding(names, taken).unfold(node, ())


class _Unfolding:
    """Definitions put into one term; ``taken`` are the names that a new variable must not have."""

    def __init__(self, names: Definitions, taken: set[str]) -> None:
        self.names, self.taken = names, taken
        self.everyone = set().union(*(free_names(item.term) for item in names.values())) | set(names)

    def fresh(self, name: str, others: frozenset[str] = frozenset()) -> str:
        """A name that nothing has, nor one of the others: bound variables may have been renamed."""
        while name in self.taken | others:
            name += "_"
        self.taken.add(name)
        return name

    def unfold(self, node: Node, inside: tuple[str, ...]) -> Node:
        """The term without defined names; ``inside``: the definitions that are being put in."""
        if len(inside) > DEEPEST:
            raise ParseError(f"names defined by names more than {DEEPEST} deep: {inside[0]}")
        if node.every_name.isdisjoint(self.everyone):
            return node
        if node.kind in ("name", "call") and node.text in self.names:
            return self.put(node, inside)
        if not node.parts:
            return node
        if binds(node):
            node = self.renamed(node)
            bound = {name for name, _, _ in ranges(node)}
            assert not bound & self.everyone
            limits = [
                limit.of((limit.parts[0], *(self.unfold(end, inside) for end in limit.parts[1:])))
                for limit in limits_of(node)
            ]
            rest = [self.unfold(part, inside) for part in outside(node)]
            return node.of((self.unfold(node.parts[0], inside), *limits, *rest))
        return node.of(tuple([self.unfold(part, inside) for part in node.parts]))

    def put(self, node: Node, inside: tuple[str, ...]) -> Node:
        """What a name stands for, with the arguments that it is given."""
        found = self.names[node.text]
        if node.text in inside:
            raise ParseError(f"{node.text} is defined by itself")
        given = node.parts if node.kind == "call" else ()
        if len(given) != len(found.arguments):
            wanted = f"{len(found.arguments)} arguments" if found.arguments else "no arguments"
            raise ParseError(f"{node.text} has {wanted} here, not {len(given)}")
        own = {a: self.fresh(a) if a in self.names else a for a in found.arguments}  # an argument hides a definition
        term = substitute(found.term, {old: Node("name", node.column, new) for old, new in own.items()})
        term = self.unfold(term, (*inside, node.text))
        actual = [self.unfold(part, inside) for part in given]
        return _at(substitute(term, dict(zip(own.values(), actual, strict=True))), node.column)

    def renamed(self, node: Node) -> Node:
        """A sum over variables that no definition speaks of."""
        body, limits, inner = node.parts[0], [], dict[str, Node]()
        for limit in reversed(limits_of(node)):  # the last range is the outermost
            name = limit.parts[0].text
            ends = [substitute(end, inner) for end in limit.parts[1:]]
            new = self.fresh(name, node.every_name) if name in self.everyone else name
            inner[name] = Node("name", limit.column, new)
            limits.append(limit.of((_named(limit.parts[0], new), *ends)))
        return node.of((substitute(body, inner), *reversed(limits), *outside(node)))
