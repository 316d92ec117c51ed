"""What chains of coordinates and of counts have in common: moves, parameters, the functions that they define.

>>> print(read_move("(1, b) -> (1, b-1) at b*mu1 for 1 <= b"))
(1, b) -> (1, b - 1) at b*mu1 for 1 <= b
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from asymp.language.chain_hints import single, state_of
from asymp.language.conditions import Condition, Conditions, OfKind, conditions
from asymp.language.meanings import CONSTANTS
from asymp.language.names import free_names
from asymp.language.numbers import ParseError
from asymp.language.syntax import Node, Parser, words

MOST_MOVES = 40


@dataclass(frozen=True)
class Move:
    """From each state ``source`` that meets the conditions to ``target``; ``at`` a rate, or ``with`` a probability."""

    source: tuple[Node, ...]
    target: tuple[Node, ...]
    takes_time: bool
    weight: Node
    where: Conditions = ()

    def __str__(self) -> str:
        ends = " -> ".join(f"({', '.join(map(words, end))})" for end in (self.source, self.target))
        rest = f" for {', '.join(map(str, self.where))}" if self.where else ""
        return f"{ends} {'at' if self.takes_time else 'with'} {words(self.weight)}{rest}"


@dataclass(frozen=True)
class Transitions:
    """What defines functions by transitions between states: name -> what it is of these; for parameters under conditions."""

    functions: tuple[tuple[str, str], ...]
    of: Conditions

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return tuple(variables_in(self.of))

    @property
    def whole(self) -> frozenset[str]:
        """The parameters that are whole."""
        return frozenset(c.name for c in self.of if isinstance(c, OfKind) and c.kind == "whole")

    def with_hints(self, change: Callable[[Node], Node]) -> Self:
        """The same, with each term of its hints changed."""
        raise NotImplementedError

    def arguments(self, function: str) -> tuple[str, ...]:
        """The names of a function's arguments."""
        raise NotImplementedError

    def signature(self, function: str) -> str:
        """The arguments with their kinds, as of a function of a model."""
        raise NotImplementedError

    @property
    def heads(self) -> str:
        """Its functions with their arguments, and what each is."""
        return ", ".join(f"{one}({', '.join(self.arguments(one))}) = {kind}" for one, kind in self.functions)


def read_move(text: str) -> Move:
    """``(0, b) -> (0, b + 1) with 1 - p for b < n``.

    >>> print(read_move("(1, b) -> (1, b-1) at b*mu1 for 1 <= b"))
    (1, b) -> (1, b - 1) at b*mu1 for 1 <= b
    """
    parser = Parser(text)
    source = state_of(parser.expression())
    if not parser.take("->"):
        raise parser.fail("a move is written (0, b) -> (0, b + 1) with 1 - p for b < n")
    target = state_of(parser.expression())
    takes_time = parser.word("at")
    if not takes_time and not parser.word("with"):
        raise parser.fail("'at' a rate, or 'with' a probability")
    weight = parser.expression()
    where: Conditions = ()
    if parser.word("for"):
        where = single(tuple(conditions(parser)))
    if parser.token.kind != "end":
        raise parser.fail(parser.unexpected())
    if weight.kind == "tuple" or any(part.kind == "tuple" for part in (*source, *target)):
        raise parser.fail("a tuple where a term is wanted", 1)
    return Move(source, target, takes_time, weight, where)


def variables_in(found: Conditions) -> dict[str, None]:
    """The variables of conditions, in order."""
    names: dict[str, None] = {}
    for c in found:
        if isinstance(c, OfKind):
            names.setdefault(c.name)
        for node in c.terms():
            names |= dict.fromkeys(sorted(free_names(node)))
    return {one: None for one in names if one not in CONSTANTS}


def known_in(found: tuple[Condition, ...], known: set[str]) -> None:
    """That conditions hold no other names."""
    for c in found:
        for node in c.terms():
            no_stranger(node, known, str(c))


def no_stranger(node: Node, known: set[str], place: str) -> None:
    """That a term holds no other names."""
    if strange := sorted(free_names(node) - known - CONSTANTS):
        raise ParseError(f"{place}: {strange[0]} is neither a coordinate nor a parameter")
