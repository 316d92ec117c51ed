"""Hints of a chain, on which nothing rests: what its law is said to be, and by what the search for theorems may find values.

* ``law``: a list of pieces, ``"(0, b) = (1 - p)^b for 0 <= b <= n - 2"``: the stationary law of the jumps, up to a factor;
* ``list = "0 <= a <= n, b = n - a"`` and ``weight = "p^a"``: the states in which time passes, by one coordinate, where the
  states are no ranges of each coordinate;
* ``relative``: a term for each piece of the law, h up to a number that is added;
* ``conserved = {busy = "(c, jobs, share)"}``: of a function that is the mean of a term: completions lower c at the rate of that
  term, ``jobs`` counts what has been drawn and is not completed, and c rises by ``share`` in the mean where that rises by 1;
* ``settling = {within = ..., falls = ..., values = [...]}``: where a chain comes to rest from states that meet conditions, a term
  that falls at each draw, and values on pairs of states, ``"p^(a_ - a) for b_ = b, a_ > a"``, 0 on all others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from asymp.language.conditions import Compared, Conditions, OfKind, conditions, read_conditions
from asymp.language.numbers import ParseError
from asymp.language.syntax import Node, Parser


@dataclass(frozen=True)
class Law:
    """``(0, b) = (1 - p)^b for 0 <= b <= n - 2``: a term on the states that are like this and meet the conditions."""

    state: tuple[Node, ...]
    value: Node
    where: Conditions = ()


@dataclass(frozen=True)
class Listed:
    """For low <= coordinate <= high one state each: its other coordinates, by this and by those before, and its weight."""

    by: str
    low: Node
    high: Node
    others: tuple[tuple[str, Node], ...]
    weight: Node


@dataclass(frozen=True)
class Settled:
    """Where a chain comes to rest from states that meet conditions: what falls at each draw, and values on pairs of states."""

    within: Conditions
    falls: Node
    values: tuple[tuple[Node, Conditions], ...]


def listed_in(data: Mapping[str, Any]) -> Listed | None:
    """``list = "0 <= a <= n, b = n - a"`` and ``weight = "p^a*(1 - p)^b"``."""
    if "list" not in data and "weight" not in data:
        return None
    if not all(isinstance(data.get(key), str) for key in ("list", "weight")):
        raise ParseError("list and weight are texts, of which one needs the other")
    first, *others = single(read_conditions(data["list"]))
    equal = [c for c in others if isinstance(c, Compared) and c.signs == ("=",) and c.parts[0].kind == "name"]
    if not isinstance(first, Compared) or first.signs != ("<=", "<=") or first.parts[1].kind != "name" or others != equal:
        raise ParseError("a list is written 0 <= a <= n, b = n - a")
    pairs = tuple((c.parts[0].text, c.parts[1]) for c in equal)
    return Listed(first.parts[1].text, first.parts[0], first.parts[2], pairs, Parser(data["weight"]).whole())


def conserved_in(data: Mapping[str, Any]) -> tuple[tuple[str, tuple[Node, Node, Node]], ...]:
    """``conserved = {busy = "(a/mu, a, 1/mu)"}``."""
    found = []
    table = data.get("conserved", {})
    if not isinstance(table, Mapping):
        raise ParseError("conserved is a table")
    for function, text in table.items():
        node = Parser(str(text)).whole()
        if node.kind != "tuple" or len(node.parts) != 3 or function not in data:
            raise ParseError("conserved = {f = \"(c, jobs, share)\"}, f being a mean")
        found.append((function, (node.parts[0], node.parts[1], node.parts[2])))
    return tuple(found)


def settled_in(data: Mapping[str, Any]) -> Settled | None:
    """``settling = {within = "b >= 0", falls = "-b", values = ["p for b_ = b + 1"]}``."""
    if "settling" not in data:
        return None
    found = data["settling"]
    texts = found.get("values") if isinstance(found, Mapping) else None
    if not isinstance(found, Mapping) or set(found) != {"within", "falls", "values"} or not isinstance(texts, list):
        raise ParseError("settling has within, falls, values")
    values = []
    for one in texts:
        parser = Parser(str(one))
        node = parser.expression()
        where: Conditions = single(tuple(conditions(parser))) if parser.word("for") else ()
        if parser.token.kind != "end" or node.kind == "tuple":
            raise parser.fail("a value is written p^(a_ - a) for b_ = b, a_ > a")
        values.append((node, where))
    return Settled(single(read_conditions(str(found["within"]))), Parser(str(found["falls"])).whole(), tuple(values))


def read_law(text: str) -> Law:
    """A piece of a law."""
    parser = Parser(text)
    state = state_of(parser.expression())
    if not parser.take("="):
        raise parser.fail("a piece of a law is written (0, b) = (1 - p)^b for 0 <= b <= n - 2")
    value = parser.expression()
    where: Conditions = single(tuple(conditions(parser))) if parser.word("for") else ()
    if parser.token.kind != "end":
        raise parser.fail(parser.unexpected())
    return Law(state, value, where)


def state_of(node: Node) -> tuple[Node, ...]:
    """The coordinates of a state."""
    return node.parts if node.kind == "tuple" and not node.text else (node,)


def single(found: Conditions) -> Conditions:
    """Conditions that compare, and kinds; the rest does not belong into a chain."""
    for c in found:
        if not isinstance(c, (Compared, OfKind)):
            raise ParseError(f"{c}: a chain's conditions are comparisons and kinds")
    return found
