"""Chains as data: parameters, states, and moves between them, and the functions that a chain defines.

A chain has for each choice of its parameters finitely many states: the whole numbers (coordinates) that meet conditions,
linear in these, in the parameters and in products of whole ones: n1*a + n2*b + r = n.  A move leads from each state that
meets its conditions to one other.  It is *drawn*, ``with`` a probability, in no time; or it is a *completion*, ``at`` a rate,
after an exponential time.  Of a state all moves are of one kind.

The functions of a chain take a state's coordinates and then the parameters, in the order in which they are declared:

* ``jumps``: the probability of the state in the stationary law of the chain that steps at each move, drawn or completion;
* ``time``: the long-run fraction of time in a state in which time passes;
* ``completions``: the long-run fraction of the completions that leave this state;
* ``leaving``: the total rate of completions in the state;
* ``throughput`` (of the parameters alone): completions per unit of time in the long run;
* ``relative``: by how many completions a start in the state is ahead of the mean, in the long run: the function h with
  h(s) = r(s) + the mean of h after the next move, r(s) = 1 - throughput/rate(s) where time passes and 0 elsewhere, and
  the mean of h, by the fractions of time, is 0;
* ``relative_mean`` (of the parameters alone): the mean of that h by the fractions of completions;
* ``settles``: of a state, a second one (its coordinates with ``_`` behind their names) and the parameters: the probability that
  the first state in which time passes, from the first one on, is the second one; time is to pass in the second one;
* ``mean of c`` (of the parameters alone), c a term in the coordinates and the parameters: its mean by the fractions of time;
* ``border of c`` (of the parameters alone): jobs come as a Poisson process and wait in line.  A drawn move that raises c by 1
  takes one from the line, a completion lowers c by 1.  Of the states in which nobody waits, whatever the rules are there, there
  are finitely many, and all states lead to one another.  The line is positive recurrent where the rate of arrivals is below
  this number, and transient where it is above.

>>> chain = read_chain({"of": "0 < p < 1", "states": "whole b, 0 <= b <= 1", "event_law": "jumps",
...     "moves": ["0 -> 1 with 1", "1 -> 0 at p"]})
>>> print(chain)
event_law(b, p) = jumps of: 0 < p < 1; states whole b, 0 <= b <= 1; (0) -> (1) with 1; (1) -> (0) at p
>>> read_definition(str(chain)) == chain
True
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from asymp.language.chain_hints import (
    Law,
    Listed,
    Settled,
    conserved_in,
    listed_in,
    read_law,
    settled_in,
)
from asymp.language.conditions import Conditions, OfKind, read_conditions
from asymp.language.meanings import CONSTANTS, WORDS, free_to_declare
from asymp.language.names import called, free_names, substitute
from asymp.language.numbers import ParseError
from asymp.language.syntax import Node, Parser, words
from asymp.language.transitions import (
    MOST_MOVES,
    Move,
    Transitions,
    known_in,
    no_stranger,
    read_move,
    single,
)

KINDS = ("jumps", "time", "completions", "leaving", "throughput", "relative", "relative_mean", "settles")
OF_A_TERM = ("mean", "border")
OF_PARAMETERS = frozenset({"throughput", "relative_mean", *OF_A_TERM})
"""What is no function of a state."""
MOST_COORDINATES = 6


@dataclass(frozen=True)
class Chain(Transitions):
    """A chain of which a state is some coordinates."""

    states: Conditions
    moves: tuple[Move, ...]
    law: tuple[Law, ...] = field(default=(), compare=False)
    """What the stationary law of the jumps is said to be, up to a factor: a hint, and no part of the definition."""
    relative: tuple[Node, ...] = field(default=(), compare=False)
    """What h is said to be on each piece of this, up to a number that is added: a hint too."""
    listed: Listed | None = field(default=None, compare=False)
    """The states in which time passes, by one coordinate: a hint where the pieces of the law have no ranges."""
    conserved: tuple[tuple[str, tuple[Node, Node, Node]], ...] = field(default=(), compare=False)
    """A function that is a mean -> what completions lower, what counts jobs, and by how much the first rises at a job: a hint."""
    settled: Settled | None = field(default=None, compare=False)
    """Where it settles: a hint."""

    def with_hints(self, change: Callable[[Node], Node]) -> Self:
        law = tuple(replace(one, value=change(one.value)) for one in self.law)
        listed = self.listed and replace(
            self.listed, low=change(self.listed.low), high=change(self.listed.high), weight=change(self.listed.weight),
            others=tuple((c, change(node)) for c, node in self.listed.others),
        )  # fmt: skip
        conserved = tuple((f, (change(c), change(jobs), change(share))) for f, (c, jobs, share) in self.conserved)
        settled = self.settled
        if settled is not None:
            values = tuple((change(node), where) for node, where in settled.values)
            settled = replace(settled, falls=change(settled.falls), values=values)
        relative = tuple(map(change, self.relative))
        return replace(self, law=law, relative=relative, listed=listed, conserved=conserved, settled=settled)

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The names of a state's coordinates."""
        return tuple(c.name for c in self.states if isinstance(c, OfKind))

    def kind(self, function: str) -> tuple[str, Node | None]:
        """What a function is of the chain, and of which term if it is of one."""
        return read_kind(dict(self.functions)[function])

    def arguments(self, function: str) -> tuple[str, ...]:
        kind, _ = self.kind(function)
        if kind in OF_PARAMETERS:
            return self.parameters
        return (*self.coordinates, *(map(end_of, self.coordinates) if kind == "settles" else ()), *self.parameters)

    def signature(self, function: str) -> str:
        whole = {*self.coordinates, *map(end_of, self.coordinates), *self.whole}
        return ", ".join(f"whole {one}" if one in whole else one for one in self.arguments(function))

    def __str__(self) -> str:
        of, states = (", ".join(map(str, found)) for found in (self.of, self.states))
        return "; ".join((f"{self.heads} of: {of}", f"states {states}", *map(str, self.moves)))


def read_chain(data: Mapping[str, Any]) -> Chain:
    """A chain from its entry in a file.

    Raises:
        ParseError: it is none: one line that says why.
    """
    hints = {"law", "relative", "list", "weight", "conserved", "settling"}
    known = {"of", "states", "moves", *hints}
    if missing := sorted(known - hints - set(data)):
        raise ParseError(f"a chain needs {missing[0]} = ...")
    functions = {key: data[key] for key in data if key not in known}
    law, relative = data.get("law", []), data.get("relative", [])
    for name, texts in (("moves", data["moves"]), ("law", law), ("relative", relative)):
        if not isinstance(texts, list) or not all(isinstance(one, str) for one in texts):
            raise ParseError(f"{name} is a list of texts")
    if relative and len(relative) != len(law):
        raise ParseError("relative has a term for each piece of the law")
    if not all(isinstance(one, str) for one in (data["of"], data["states"], *functions.values())):
        raise ParseError("a chain is made of texts")
    of, states = single(read_conditions(data["of"])), single(read_conditions(data["states"]))
    for one, kind in functions.items():
        word, term = read_kind(kind)
        functions[one] = word if term is None else f"{word} of {words(term)}"
    moves = tuple(read_move(one) for one in data["moves"])
    pieces, ahead = tuple(map(read_law, law)), tuple(Parser(one).whole() for one in relative)
    chain = Chain(tuple(sorted(functions.items())), of, states, moves, pieces, ahead)
    return _checked(replace(chain, listed=listed_in(data), conserved=conserved_in(data), settled=settled_in(data)))


def read_definition(text: str) -> Chain:
    """A chain from its text.

    Raises:
        ParseError: it is none.
    """
    head, found, rest = text.partition(" of: ")
    of, *others = rest.split("; ")
    if not found or not others or not others[0].startswith("states "):
        raise ParseError("the definition of a chain reads 'f(b, p) = jumps of: ...; states ...; moves'", text)
    functions = dict(re.findall(r"(\w+)\([\w, ]*\) = (.+?)(?=, \w+\([\w, ]*\) = |$)", head, re.ASCII))
    chain = read_chain({"of": of, "states": others[0].removeprefix("states "), "moves": others[1:]} | functions)
    if str(chain) != text:
        raise ParseError("a definition that is not as it is printed", text)
    return chain




def end_of(coordinate: str) -> str:
    """The name of a coordinate of the second of two states."""
    return f"{coordinate}_"


def at_the_end(chain: Chain, found: Conditions) -> Conditions:
    """Conditions on a state as conditions on the second of two states."""
    nodes = {c: Node("name", 1, end_of(c)) for c in chain.coordinates}
    return tuple(
        replace(c, name=end_of(c.name)) if isinstance(c, OfKind) else c.changed(lambda node: substitute(node, nodes))
        for c in found
    )


def read_kind(text: str) -> tuple[str, Node | None]:
    """``throughput``, or ``mean of a*n1 + b*n2``.

    >>> kind, term = read_kind("mean of n - r")
    >>> kind, words(term)
    ('mean', 'n - r')
    """
    word, found, rest = text.partition(" of ")
    if not found or word not in OF_A_TERM:
        return text, None
    term = Parser(rest).whole()
    if term.kind == "tuple":
        raise ParseError(f"{text}: a tuple where a term is wanted")
    return word, term


def _checked(chain: Chain) -> Chain:
    own, given = chain.coordinates, chain.parameters
    if not own or len(set(own)) < len(own) or len(own) > MOST_COORDINATES or not 0 < len(chain.moves) <= MOST_MOVES:
        raise ParseError("states = \"whole a, whole b, 0 <= a <= 1, ...\": each coordinate once, and some moves")
    if any(c.kind != "whole" for c in chain.states if isinstance(c, OfKind)):
        raise ParseError("a coordinate is whole")
    if len(kinds := [c.name for c in chain.of if isinstance(c, OfKind)]) > len(set(kinds)):
        raise ParseError("a parameter of two kinds")
    if any(kind == "settles" for _, kind in chain.functions) and set(map(end_of, own)) & {*own, *given}:
        raise ParseError("a name for a coordinate, and for that of a second state")
    if set(own) & set(given) or (set(own) | set(given)) & (CONSTANTS | WORDS):
        raise ParseError("a name for a coordinate and a parameter, or for a constant and one of these")
    nodes: list[Node] = []
    for part, known in ((chain.of, set(given)), (chain.states, {*own, *given})):
        known_in(part, known)
        nodes += [node for c in part for node in c.terms()]
    for move in chain.moves:
        if len(move.source) != len(own) or len(move.target) != len(own):
            raise ParseError(f"{move}: a state has {len(own)} coordinates")
        if any(isinstance(c, OfKind) for c in move.where):
            raise ParseError(f"{move}: kinds are those of the coordinates")
        for one, node in zip(own, move.source, strict=True):
            if free_names(node) & set(own) and not (node.kind == "name" and node.text == one):
                raise ParseError(f"{move}: a move starts at {one}, or at a value of the parameters")
        for node in (*move.source, *move.target, move.weight):
            no_stranger(node, {*own, *given}, str(move))
        known_in(move.where, {*own, *given})
        nodes += [*move.source, *move.target, move.weight, *(node for c in move.where for node in c.terms())]
    defined = {one for one, _ in chain.functions}
    for one, kind in chain.functions:
        term = chain.kind(one)[1]
        if term is None and kind not in KINDS:
            every = ", ".join((*KINDS, *(f"{word} of a term" for word in OF_A_TERM)))
            raise ParseError(f"{one} = {kind}: a function of a chain is one of {every}")
        if term is not None:
            no_stranger(term, {*own, *given}, f"{one} = {kind}")
            nodes.append(term)
        free_to_declare(one, is_called=True)
        if one in {*own, *given}:
            raise ParseError(f"{one} cannot be the name of a function")
    if any(called(node) & defined for node in nodes):
        raise ParseError("a chain that is defined by its own functions")
    return chain


