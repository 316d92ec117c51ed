"""Populations as data: n alike objects, each at a level; a state is how many there are at each, and objects move one by one.

A population has for each choice of its parameters finitely many states: the counts s(low), ..., s(high), whole and >= 0, of
sum n.  A move takes one object from each level k that meets its conditions, and at which there is one, to another level, at
a rate: a term in the parameters, in k, in the counts s(k) and s(k + 1) of the level that it leaves and of that to which it
leads, and in a total, a sum of g(k)*s(k) over the levels.

The functions of a population take what stands in front of the parameters, and these, in the order in which they are declared;
all means are those of the stationary law, the long-run fractions of time:

* ``law``: the probability of a state, Vector(s(k), (k, low, high));
* ``all at j``: the probability that all objects are at level j;
* ``number at j``: the mean number of objects at level j;
* ``sum of f(k)``: the mean of the sum of f(k)*s(k), for a term f in the level;
* ``moves by d``: the mean number of moves by d levels in a unit of time;
* ``rate by d``: in a state, the total rate of the moves by d levels;
* ``drift at j``: in a state, by how much s(j) grows in a unit of time, in the mean;
* ``product of f(k)``: the mean of the product of f(k)^s(k); of ``product of z(k)``, z being a name, for any
  Vector(z(k), (k, low, high)).

Names in j and f that are no parameters are arguments.

>>> pool = read_transitions({"of": "whole n, n >= 1, r > 0", "counts": "s(k) of n for 0 <= k <= 1", "idle": "all at 0",
...     "moves": ["k -> k + 1 at r*s(k) for k < 1", "k -> k - 1 at s(k) for k > 0"]})
>>> print(pool)  # doctest: +ELLIPSIS
idle(n, r) = all at 0 of: whole n, n >= 1, r > 0; counts s(k) of n for 0 <= k <= 1; (k) -> (k + 1) at r*s(k) for k < 1; (k) -> ...
>>> read_transitions_of(str(pool)) == pool
True
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Self

from asymp.language.chains import read_chain, read_definition
from asymp.language.conditions import Compared, OfKind, conditions, read_conditions
from asymp.language.functions import in_order
from asymp.language.meanings import CONSTANTS, MEANT, WORDS, free_to_declare
from asymp.language.names import called, free_names, ranges, substitute
from asymp.language.numbers import ParseError
from asymp.language.syntax import Node, Parser, words
from asymp.language.transitions import MOST_MOVES, Move, Transitions, known_in, no_stranger, read_move, single

OF_A_STATE = ("rate by", "drift at")
FORMS = ("all at", "number at", "sum of", "product of", "moves by", *OF_A_STATE)
LAW = "law"


@dataclass(frozen=True)
class Population(Transitions):
    """Objects at levels, and the functions that their moves define."""

    counted: str
    level: str
    size: Node
    low: Node
    high: Node
    total: tuple[str, Node] | None
    """The name of a total, and how much an object at a level gives to it."""
    moves: tuple[Move, ...]
    weight: Node | None = field(default=None, compare=False)
    """What an object's level gives to the weight of a state, in the stationary law: a hint, and no part of the definition."""
    of_total: Node | None = field(default=None, compare=False)
    """What the total gives to it: a hint too."""

    def with_hints(self, change: Callable[[Node], Node]) -> Self:
        return replace(self, weight=self.weight and change(self.weight), of_total=self.of_total and change(self.of_total))

    def extra(self, function: str) -> tuple[str, ...]:
        """The arguments in front of the parameters."""
        form, term = read_form(dict(self.functions)[function])
        if term is None:
            return (self.counted,)
        if form == "product of" and (vector := self.any_vector(term)):
            return (vector,)
        names = (one for one in in_order(term) if one not in {self.level, *self.parameters, *CONSTANTS})
        return (*((self.counted,) if form in OF_A_STATE else ()), *names)

    def any_vector(self, term: Node) -> str:
        """z, where a term is z(k); else nothing."""
        alone = term.kind == "call" and len(term.parts) == 1 and term.parts[0].kind == "name" and term.parts[0].text == self.level
        return term.text if alone and term.text not in MEANT | {self.counted} else ""

    def arguments(self, function: str) -> tuple[str, ...]:
        return (*self.extra(function), *self.parameters)

    def signature(self, function: str) -> str:
        form, _ = read_form(dict(self.functions)[function])
        places = set(self.extra(function)) - {self.counted} if form in ("number at", "drift at") else ()
        return ", ".join(f"whole {one}" if one in {*places, *self.whole} else one for one in self.arguments(function))

    def __str__(self) -> str:
        k, size, low, high = self.level, *map(words, (self.size, self.low, self.high))
        of, counts = ", ".join(map(str, self.of)), f"counts {self.counted}({k}) of {size} for {low} <= {k} <= {high}"
        parts = [f"{self.heads} of: {of}", counts]
        if self.total is not None:
            count = Node("call", 1, self.counted, (Node("name", 1, k),))
            inside = words(Node("product", 1, "", (self.total[1], count), "**"))
            parts.append(f"total {self.total[0]} = Sum({inside}, ({k}, {low}, {high}))")
        return "; ".join((*parts, *map(str, self.moves)))


@lru_cache(maxsize=1_000)
def read_form(text: str) -> tuple[str, Node | None]:
    """What a function is of a population, and the term in that.

    Raises:
        ParseError: it is nothing of the kind.
    """
    for form in FORMS:
        if text.startswith(f"{form} "):
            term = Parser(text.removeprefix(f"{form} ")).whole()
            if f"{form} {words(term)}" != text:
                raise ParseError(f"write {form} {words(term)}", text)
            return form, term
    if text != LAW:
        raise ParseError(f"{text}: a function of a population is its law, or {', '.join(FORMS)} ...")
    return LAW, None


def read_transitions(data: Mapping[str, Any]) -> Transitions:
    """A chain from its entry in a file, of coordinates or of counts.

    Raises:
        ParseError: it is none: one line that says why.
    """
    return read_population(data) if "counts" in data else read_chain(data)


def read_transitions_of(text: str) -> Transitions:
    """A chain from its text.

    Raises:
        ParseError: it is none.
    """
    head, _, rest = text.partition(" of: ")
    of, *others = rest.split("; ")
    if not others or not others[0].startswith("counts "):
        return read_definition(text)
    places = list(re.finditer(r"(\w+)\([\w, ]*\) = ", head, re.ASCII))
    ends = [one.start() for one in places[1:]] + [len(head)]
    data: dict[str, Any] = {one[1]: head[one.end() : end].removesuffix(", ") for one, end in zip(places, ends, strict=True)}
    data |= {"of": of, "counts": others.pop(0).removeprefix("counts ")}
    if others and others[0].startswith("total "):
        data["total"] = others.pop(0).removeprefix("total ")
    found = read_population(data | {"moves": others})
    if str(found) != text:
        raise ParseError("a definition that is not as it is printed", text)
    return found


def read_population(data: Mapping[str, Any]) -> Population:
    """A population from its entry in a file.

    Raises:
        ParseError: it is none.
    """
    own = {"of", "counts", "total", "moves", "weight", "of_total"}
    if missing := sorted({"of", "counts", "moves"} - set(data)):
        raise ParseError(f"a population needs {missing[0]} = ...")
    if not isinstance(data["moves"], list) or not all(isinstance(one, str) for one in data["moves"]):
        raise ParseError("moves is a list of texts")
    if not all(isinstance(data[key], str) for key in data if key != "moves"):
        raise ParseError("a population is made of texts")
    counted, level, size, low, high = _counts(data["counts"])
    ends = (low, high)
    total = _total(data["total"], counted, level, ends) if "total" in data else None
    hints = [Parser(data[key]).whole() if key in data else None for key in ("weight", "of_total")]
    functions = tuple(sorted((key, data[key]) for key in data if key not in own))
    moves = tuple(map(read_move, data["moves"]))
    of = single(read_conditions(data["of"]))
    return _checked(Population(functions, of, counted, level, size, low, high, total, moves, *hints))


def _counts(text: str) -> tuple[str, str, Node, Node, Node]:
    """``s(k) of n for 0 <= k <= theta``."""
    parser = Parser(text)
    count = parser.expression()
    size = parser.expression() if parser.word("of") else None
    (levels, *more) = tuple(conditions(parser)) if parser.word("for") else (None,)
    if parser.token.kind != "end" or more or size is None or not isinstance(levels, Compared) or levels.signs != ("<=", "<="):
        raise ParseError("counts are written s(k) of n for 0 <= k <= theta", text)
    low, level, high = levels.parts
    if count.kind != "call" or count.parts != (level,) or level.kind != "name":
        raise ParseError("counts are written s(k) of n for 0 <= k <= theta", text)
    return count.text, level.text, size, low, high


def _total(text: str, counted: str, level: str, ends: tuple[Node, Node]) -> tuple[str, Node]:
    """``m = Sum((theta - k)*s(k), (k, 0, theta))``: its name, and theta - k."""
    parser = Parser(text)
    head = parser.expression()
    node = parser.expression() if parser.take("=") else None
    if parser.token.kind == "end" and head.kind == "name" and node is not None and node.text == "Sum" and len(ranges(node)) == 1:
        ((name, low, high),) = ranges(node)
        body = substitute(node.parts[0], {name: Node("name", 1, level)})
        count = Node("call", 1, counted, (Node("name", 1, level),))
        factors = list(body.parts) if body.kind == "product" and set(body.signs) == {"*"} else [body]
        if (low, high) == ends and factors[-1] == count:
            left = factors[:-1] or [Node("number", 1, "1")]
            return head.text, left[0] if len(left) == 1 else Node("product", 1, "", tuple(left), "*" * len(left))
    raise ParseError(f"a total is written m = Sum((theta - k)*{counted}(k), (k, from, to)), over all levels", text)


def _checked(found: Population) -> Population:
    given, level, total = set(found.parameters), found.level, {found.total[0]} if found.total else set()
    own = {level, found.counted, *total}
    if len(own) < 2 + len(total) or own & given or (own | given) & (CONSTANTS | WORDS) or found.counted in MEANT:
        raise ParseError("a level, a count, a total and the parameters have names of their own")
    if not 0 < len(found.moves) <= MOST_MOVES:
        raise ParseError("a population has some moves")
    if len(kinds := [c.name for c in found.of if isinstance(c, OfKind)]) > len(set(kinds)):
        raise ParseError("a parameter of two kinds")
    known_in(found.of, given)
    nodes = [found.size, found.low, found.high, *(node for c in found.of for node in c.terms())]
    for node in nodes:
        no_stranger(node, given, "counts")
    if found.total:
        no_stranger(found.total[1], {*given, level}, "total")
    for move in found.moves:
        if len(move.source) != 1 or len(move.target) != 1 or not move.takes_time:
            raise ParseError(f"{move}: a move is written {level} -> {level} + 1 at a rate")
        if any(isinstance(c, OfKind) for c in move.where) or words(move.source[0]) != level:
            raise ParseError(f"{move}: a move starts at {level}, under comparisons")
        no_stranger(move.target[0], {*given, level}, str(move))
        no_stranger(move.weight, {*given, level, *total}, str(move))
        known_in(move.where, {*given, level})
        _counts_here(move.weight, found.counted, {words(move.source[0]), words(move.target[0])}, str(move))
        nodes += [move.target[0], *(node for c in move.where for node in c.terms())]
    if any(found.counted in called(node) for node in (*nodes, *((found.total[1],) if found.total else ()))):
        raise ParseError(f"{found.counted} stands in rates, in the total, and nowhere else")
    nodes += [move.weight for move in found.moves]
    defined = {one for one, _ in found.functions}
    if any(called(node) & defined for node in nodes):
        raise ParseError("a population that is defined by its own functions")
    for one, kind in found.functions:
        free_to_declare(one, is_called=True)
        form, term = read_form(kind)
        extra = set(found.extra(one))
        others = extra - ({found.counted} if term is None or form in OF_A_STATE else set())
        named = free_names(term) if term is not None else frozenset[str]()
        if one in {*own, *given, *extra} or others & {*own, *CONSTANTS, *WORDS} or found.counted in named:
            raise ParseError(f"{one} = {kind}: a name that stands for something else")
        if term is not None and form.endswith(("at", "by")) and level in free_names(term):
            raise ParseError(f"{one} = {kind}: {level} is any level")
        if form in ("all at", "moves by", "rate by") and others:
            raise ParseError(f"{one} = {kind}: {min(others)} is no parameter")
        strange = called(term) - MEANT if term is not None else set()
        if strange - ({found.any_vector(term)} if term is not None and form == "product of" else set()):
            raise ParseError(f"{one} = {kind}: {min(strange)} is no function here")
    return found


def _counts_here(node: Node, counted: str, places: set[str], move: str) -> None:
    """That counts are those of the levels of a move, and no other function is called that has no meaning by itself."""
    if node.kind == "call" and node.text == counted:
        if len(node.parts) != 1 or words(node.parts[0]) not in places:
            raise ParseError(f"{move}: a rate is of the counts of the two levels of its move")
        return
    if node.kind == "call" and node.text not in MEANT:
        raise ParseError(f"{move}: {node.text} is no function here")
    for part in node.parts:
        _counts_here(part, counted, places, move)
