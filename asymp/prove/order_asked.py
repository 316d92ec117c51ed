"""What a search for a proof of order asks at each place: combinations of facts, new variables, ranks that are known."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from asymp.kernel.functions import statements
from asymp.kernel.functions.order import Known
from asymp.kernel.functions.order_terms import Fact, normal
from asymp.kernel.functions.ranked import at
from asymp.kernel.terms import ONE, ZERO, Refused, Term, add, name, negative, number
from asymp.prove.combinations import combination
from asymp.prove.order_parts import calls

Steps = list[Any]
MOST_ASKED = 16_000
"""Combinations that are asked for in all of a search."""


class Asking:
    """What is defined, and how much has been asked."""

    def __init__(self, defined: Sequence[Sequence[Any]]) -> None:
        self.defined = frozenset(f for one in defined for f, _ in statements._together(*one))
        self.asked = 0

    def by(self, known: Known, fact: Fact) -> Any:
        """A combination for a fact.

        Raises:
            Refused: there is none.
        """
        found = self.combined(known, fact)
        if found is None:
            raise Refused(f"{fact[0]} {fact[1]} {fact[2]} is not seen")
        return found

    def combined(self, known: Known, fact: Fact | None) -> Any:
        """A combination for a fact, or for a contradiction; None where there is none, or no more are looked for."""
        self.asked += 1
        return combination(known.facts, fact) if self.asked <= MOST_ASKED else None

    def new(self, known: Known, letter: str) -> str:
        """A variable that is new."""
        while letter in known.taken or letter in known.functions or any(letter in said.names for said in known.said):
            letter += "_"
        return letter

    def closed(self, known: Known, goal: Fact) -> Steps | None:
        """The last step, where the goal follows from the facts."""
        found = self.combined(known, goal)
        if found is not None:
            return [["linear", found]]
        if goal[1] == "=":
            ways = [self.combined(known, (a, "<=", b)) for a, b in ((goal[0], goal[2]), (goal[2], goal[0]))]
            if None not in ways:
                return [["both", *([["linear", way]] for way in ways)]]
        found = self.combined(known, None) if known.facts else None
        return [["absurd", found]] if found is not None else None

    def known_extremes(self, known: Known, found: Sequence[Term]) -> Iterator[Any]:
        """Those of which it is known what they are."""
        for term in found:
            if term.head == "AtMost":
                ways: list[tuple[int, list[Fact]]] = [
                    (1, [(ZERO, "<=", term.parts[1])]),
                    (0, [(term.parts[1], "<", ZERO)]),
                ]
            else:
                up = term.head == "Max"
                ways = [
                    (k, [(p, "<=", q) if up else (q, "<=", p) for p in term.parts]) for k, q in enumerate(term.parts)
                ]
            for k, facts in ways:
                try:
                    yield ["choose", str(term), k, [self.by(known, fact) for fact in facts]]
                    break
                except Refused:
                    continue

    def is_open(self, known: Known, x: Term, y: Term) -> bool:
        """Whether it is not known which of two is larger."""
        return self.combined(known, (x, "<=", y)) is None and self.combined(known, (y, "<", x)) is None

    def ends(self, known: Known, goal: Fact, one: Term) -> list[Term]:
        """Places with which the largest or the least of values may be compared: arguments that there are."""
        if one.parts[3] != ONE and normal(add(one.parts[2], negative(one.parts[1]), ONE)) != one.parts[3]:
            return []
        there = [part for call in calls(goal, known.functions, known.facts) for part in (call, *call.parts)]
        return [one.parts[2], *(part for part in dict.fromkeys(there) if known.is_whole(part) and part != one.parts[2])]

    def extreme(self, known: Known, one: Term, place: Term) -> Any:
        """The largest of values is at least each, the least is at most each."""
        count = normal(add(one.parts[2], negative(one.parts[1]), ONE))
        ends = [self.by(known, (one.parts[1], "<=", place)), self.by(known, (place, "<=", one.parts[2]))]
        return [
            "extremes",
            str(one),
            str(place),
            self.valid(known, one),
            [*ends, self.by(known, (one.parts[3], "=", count))],
        ]

    def higher(self, known: Known, one: Term, other: Term) -> Any:
        """Two ranks of the same values."""
        between = self.by(known, (one.parts[3], "<=", other.parts[3]))
        return ["higher", str(one), str(other), self.valid(known, one), self.valid(known, other), between]

    def valid(self, known: Known, one: Term) -> list[Any]:
        """Combinations that show that a rank has a meaning."""
        _, low, high, rank = one.parts
        return [self.by(known, (ONE, "<=", rank)), self.by(known, (rank, "<=", normal(add(high, negative(low), ONE))))]

    def within(self, known: Known, one: Term, j: str) -> Known:
        """With a new place among the values."""
        return known.with_whole(j).also((one.parts[1], "<=", name(j)), (name(j), "<=", one.parts[2]))

    def listed(self, known: Known, one: Term) -> Any:
        """The rank of a few values whose order is known."""
        low, high = (int(part.number) for part in one.parts[1:3])
        order: list[int] = []
        value = {k: at(one.parts[0], number(k)) for k in range(low, min(high, low + 11) + 1)}
        for k in value:
            place = next((i for i, other in enumerate(order) if self.combined(known, (value[k], "<=", value[other]))
                          is not None), len(order))  # fmt: skip
            order.insert(place, k)
        by = [self.by(known, (value[a], "<=", value[b])) for a, b in itertools.pairwise(order)]
        return ["listed", str(one), order, by]
