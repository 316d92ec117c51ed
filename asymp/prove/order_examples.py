"""Simple functions and numbers of which a domain holds, and what statements are worth there."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.functions import statements
from asymp.kernel.functions.order import Known
from asymp.kernel.functions.order_terms import Fact
from asymp.kernel.functions.ranked import at
from asymp.kernel.terms import ZERO, Refused, Term, number
from asymp.language.conditions import OfFunction
from asymp.language.statement import Statement
from asymp.prove.order_parts import matched
from asymp.prove.order_search import FEW_NODES, Search, Steps

SHAPES = ("AtMost(1, {})", "AtMost(2, {})", "{}", "AtMost({}, 0)", "AtMost({}, 1)", "2")
"""Functions, of their first argument, that are tried besides 0 and 1."""
MOST_TRIED = 1_000
"""Choices of functions and numbers that are looked at."""
Defined = list[tuple[str, list[int]]]


def started(statement: Statement) -> tuple[Known, list[Fact], Defined]:
    """What is known at the start, the goals, and the functions that are defined, in order, with their equations."""
    _, known, goals = statements._read({"statement": str(statement), "some": None})
    order: Defined = []
    while True:
        for f in known.functions:
            found = _equations(known, f, order) if f not in [g for g, _ in order] else None
            if found is not None:
                order.append((f, found))
                break
        else:
            return known, goals, order


def _equations(known: Known, f: str, before: Defined) -> list[int] | None:
    """The places of what defines a function, by itself and functions that are defined before."""
    later = [g for g in known.functions if g not in [f, *(h for h, _ in before)] and any(_defining(known, g))]
    for some in _defining(known, f):
        if not any(statements._mentions(fact, later) for k in some for fact in (*known.said[k].chain, *known.said[k].over)):
            return some
    return None


def _defining(known: Known, f: str) -> Iterator[list[int]]:
    """The places of equations that could define a function."""
    places = [k for k, said in enumerate(known.said) if said.chain[0][0].head == f and said.chain[0][1] == "="]
    for some in (*itertools.permutations(places, 2), *((k,) for k in places)):
        try:
            statements._well_defined(known, [(f, list(some))])
        except Refused:
            continue
        yield list(some)


def some_example(statement: Statement, known: Known, defined: Defined) -> dict[str, Any]:
    """Functions and numbers of which the domain holds.

    Raises:
        Refused: none are found among the simplest.
    """
    for some in choices(statement, known, defined, MOST_TRIED):
        values = Values(statement, known, some)
        try:
            if values.near() and all(map(values.holds, known.facts)):
                return proved(statement, known, some)
        except Refused:
            continue
    raise Refused("no example of what the domain says is found")


def choices(statement: Statement, known: Known, defined: Defined, most: int) -> Iterator[dict[str, Any]]:
    """Simple functions and numbers, the simplest first."""
    declared = {c.name: c.arguments for c in statement.domain if isinstance(c, OfFunction)}
    chosen = [f for f in declared if f not in [g for g, _ in defined]]
    variables = sorted(known.taken)
    bodies = {f: ["0", "1", *(text.format(declared[f][0]) for text in SHAPES)] for f in chosen}
    numbers = {v: ["1", "0", "2", *(() if v in known.whole else ("1/2",)), "-1"] for v in variables}
    axes = [*(numbers[v] for v in variables), *(bodies[f] for f in chosen)]
    places = itertools.chain.from_iterable(_adding_up_to(k, [len(axis) for axis in axes]) for k in range(sum(map(len, axes)) + 1))
    for place in itertools.islice(places, most):
        row = [axis[k] for axis, k in zip(axes, place, strict=True)]
        values = dict(zip(variables, row, strict=False))
        made = {f: [list(declared[f]), body] for f, body in zip(chosen, row[len(variables) :], strict=True)}
        yield {"values": values, "functions": made, "defined": [[f, places] for f, places in defined]}


def _adding_up_to(total: int, sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Rows of numbers below the sizes with that sum."""
    if not sizes:
        if total == 0:
            yield ()
        elif total < 0:
            return
        return
    for k in range(min(total, sizes[0] - 1) + 1):
        yield from ((k, *rest) for rest in _adding_up_to(total - k, sizes[1:]))


def proved(statement: Statement, known: Known, some: dict[str, Any]) -> dict[str, Any]:
    """The choice with the proofs that the domain holds for it."""
    meanings = {f: (tuple(arguments), terms.read(body)) for f, (arguments, body) in some["functions"].items()}
    values = {v: terms.read(x) for v, x in some["values"].items()}
    clauses = statements._well_defined(known, some["defined"])
    there = [statements.there_of(said, values, meanings) for said in known.said]
    plain = Known(frozenset(), frozenset(), {f: known.functions[f] for f, _ in some["defined"]}, frozenset(),
                  said=tuple(one for k, one in enumerate(there) if k in clauses))  # fmt: skip
    held = [_simple(plain, statements.here(fact, values, meanings)) for fact in known.facts]
    others = [one for k, one in enumerate(there) if k not in clauses]
    proofs = [[_simple(plain.with_whole(*one.names).also(*one.over), fact) for fact in one.chain] for one in others]
    return {**some, "said": proofs, "held": held}


def _simple(known: Known, fact: Fact) -> Steps:
    return Search([(f, []) for f in known.functions]).begun(known, fact, FEW_NODES)


class Values:
    """Numbers for a choice: what terms are worth, and whether what is said holds near 0."""

    def __init__(self, statement: Statement, known: Known, some: Mapping[str, Any]) -> None:
        self.said, self.clauses = known.said, dict(some["defined"])
        self.meanings = {f: (arguments, terms.read(body)) for f, (arguments, body) in some["functions"].items()}
        self.numbers = {v: mpq(x) for v, x in some["values"].items()}
        self.seen: dict[Any, mpq] = {}

    def holds(self, fact: Fact) -> bool:
        """Whether a comparison holds."""
        return self.compared(fact, self.numbers)

    def of(self, term: Term) -> mpq:
        """The value of a term."""
        return self.value(term, self.numbers)

    def near(self) -> bool:
        """Whether what is said of the functions that are chosen holds near 0."""
        defining = {k for places in self.clauses.values() for k in places}
        for k, said in enumerate(self.said):
            if k in defining:
                continue
            for some in itertools.product(range(-2, 4), repeat=len(said.names)):
                at_ = {**self.numbers, **dict(zip(said.names, map(mpq, some), strict=True))}
                if all(self.compared(f, at_) for f in said.over) and not all(self.compared(f, at_) for f in said.chain):
                    return False
        return True

    def compared(self, fact: Fact, at_: Mapping[str, mpq]) -> bool:
        left, right = self.value(fact[0], at_), self.value(fact[2], at_)
        return left <= right if fact[1] == "<=" else left < right if fact[1] == "<" else left == right

    def value(self, term: Term, at_: Mapping[str, mpq]) -> mpq:
        match term.head:
            case "number":
                return term.number
            case "name" if term.name in at_:
                return at_[term.name]
            case "Ranked" | "Sum":
                body, low, high, *rank = term.parts
                ends = [self.value(part, at_) for part in (low, high)]
                if any(x.denominator != 1 for x in ends) or ends[1] - ends[0] > 50:
                    raise Refused("too many values")
                all_ = [self.value(at(body, number(k)), at_) for k in range(int(ends[0]), int(ends[1]) + 1)]
                if not rank:
                    return sum(all_, mpq(0))
                k = self.value(rank[0], at_)
                if k.denominator != 1 or not 1 <= k <= len(all_):
                    raise Refused("a rank outside of the values")
                return sorted(all_)[int(k) - 1]
        parts = [self.value(part, at_) for part in term.parts]
        match term.head:
            case "sum":
                return sum(parts, mpq(0))
            case "product":
                found = mpq(1)
                for part in parts:
                    found *= part
                return found
            case "Max" | "Min":
                return max(parts) if term.head == "Max" else min(parts)
            case "AtMost":
                return mpq(parts[0] <= parts[1])
        if term.head in self.meanings:
            arguments, body = self.meanings[term.head]
            return self.value(body, dict(zip(arguments, parts, strict=True)))
        return self.call(term.head, tuple(parts))

    def call(self, f: str, parts: tuple[mpq, ...]) -> mpq:
        if (f, parts) not in self.seen:
            call = Term(f, tuple(map(number, parts)))
            for said in (self.said[k] for k in self.clauses.get(f, ())):
                left, _, right = said.chain[0]
                values = matched(said, left, call)
                if values is not None:
                    values = {**dict.fromkeys(said.names, ZERO), **values}
                    at_ = {**self.numbers, **{v: x.number for v, x in values.items() if x.is_number}}
                    if all(self.compared(fact, at_) for fact in said.over):
                        self.seen[f, parts] = self.value(right, at_)
                        break
            else:
                raise Refused(f"{f} is not given there")
        return self.seen[f, parts]
