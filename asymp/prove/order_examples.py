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
from asymp.prove.order_asked import Steps
from asymp.prove.order_parts import matched
from asymp.prove.order_search import FEW_NODES, Search

SHAPES = ("AtMost(1, {})", "AtMost(2, {})", "{}", "AtMost({}, 0)", "AtMost({}, 1)", "2")
"""Functions, of their first argument, that are tried besides 0 and 1."""
MOST_TRIED = 1_000
"""Choices of functions and numbers that are looked at."""
MOST_TOGETHER = 2
"""Functions that are defined by one recursion."""
Defined = list[list[Any]]


def started(statement: Statement) -> tuple[Known, list[Fact], Defined]:
    """What is known at the start, the goals, and the functions that are defined, in order, with their equations."""
    _, known, goals = statements._read({"statement": str(statement), "some": None})
    order: list[statements.Group] = []
    while True:
        rest = [f for f in known.functions if f not in {g for group in order for g, _ in group}]
        ways = itertools.chain.from_iterable(itertools.combinations(rest, k) for k in range(1, MOST_TOGETHER + 1))
        for some in ways:
            found = _equations(known, some, order)
            if found is not None:
                order.append(found)
                break
        else:
            return known, goals, [_written(group) for group in order]


def _written(group: statements.Group) -> list[Any]:
    """As a choice has it."""
    if len(group) == 1:
        return [*group[0]]
    return [[f for f, _ in group], [places for _, places in group]]


def names_of(defined: Defined) -> dict[str, list[int]]:
    """The functions that are defined, each with the places of its equations."""
    return dict(pair for one in defined for pair in statements._together(*one))


def _equations(known: Known, some: Sequence[str], before: Sequence[statements.Group]) -> statements.Group | None:
    """The places of what defines functions, by themselves and functions that are defined before."""
    there = {*some, *(f for group in before for f, _ in group)}
    later = [g for g in known.functions if g not in there and any(_defining(known, g, [g]))]
    for ways in itertools.product(*(list(_defining(known, f, some)) for f in some)):
        group = [*zip(some, ways, strict=True)]
        clauses = [known.said[k] for k in itertools.chain(*ways)]
        if any(statements._mentions(fact, later) for said in clauses for fact in (*said.chain, *said.over)):
            continue
        try:
            statements._well_defined(known, [group])
        except Refused:
            continue
        return group
    return None


def _defining(known: Known, f: str, together: Sequence[str]) -> Iterator[list[int]]:
    """The places of equations that could define a function, with others or by itself."""
    places = [k for k, said in enumerate(known.said) if said.chain[0][0].head == f and said.chain[0][1] == "="]
    for some in (*itertools.permutations(places, 2), *((k,) for k in places)):
        try:
            if len(together) == 1:
                statements._well_defined(known, [[(f, list(some))]])
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
    chosen = [f for f in declared if f not in names_of(defined)]
    variables = sorted(known.taken)
    bodies = {f: ["0", "1", *(text.format(declared[f][0]) for text in SHAPES)] for f in chosen}
    numbers = {v: ["1", "0", "2", *(() if v in known.whole else ("1/2",)), "-1"] for v in variables}
    axes = [*(numbers[v] for v in variables), *(bodies[f] for f in chosen)]
    places = itertools.chain.from_iterable(_adding_up_to(k, [len(axis) for axis in axes]) for k in range(sum(map(len, axes)) + 1))
    for place in itertools.islice(places, most):
        row = [axis[k] for axis, k in zip(axes, place, strict=True)]
        values = dict(zip(variables, row, strict=False))
        made = {f: [list(declared[f]), body] for f, body in zip(chosen, row[len(variables) :], strict=True)}
        yield {"values": values, "functions": made, "defined": defined}


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
    own = names_of(some["defined"])
    clauses = statements._well_defined(known, [statements._together(*one) for one in some["defined"]])
    there = [statements.there_of(said, values, meanings) for said in known.said]
    plain = Known(frozenset(), frozenset(), {f: known.functions[f] for f in own}, frozenset(),
                  said=tuple(one for k, one in enumerate(there) if k in clauses))  # fmt: skip
    held = [_simple(plain, statements.here(fact, values, meanings)) for fact in known.facts]
    others = [one for k, one in enumerate(there) if k not in clauses]
    proofs = [[_simple(plain.with_whole(*one.names).also(*one.over), fact) for fact in one.chain] for one in others]
    return {**some, "said": proofs, "held": held}


def _simple(known: Known, fact: Fact) -> Steps:
    return Search([[f, []] for f in known.functions]).begun(known, fact, FEW_NODES)


class Values:
    """Numbers for a choice: what terms are worth, and whether what is said holds near 0."""

    def __init__(self, statement: Statement, known: Known, some: Mapping[str, Any]) -> None:
        self.said, self.clauses = known.said, names_of(some["defined"])
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
