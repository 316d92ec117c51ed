"""Sets of whole numbers by linear conditions: split until each question has one answer, and handed to the theory of sums.

>>> from asymp.language.conditions import read_conditions
>>> where, rest = linear.system(read_conditions("whole n, whole b, n >= 1, 0 <= b, b <= n, 0 < p < 1"), {"n", "b"})
>>> region = (linear.parse("b - n", {"n", "b"}),)
>>> [(inside, solved(cell, {"n", "b"}, ["b"])[0]) for cell, inside in split(where, region)]
[(False, {}), (True, {'b': Term(head='name', parts=(), number=mpq(0,1), name='n')})]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import TypeVar

from asymp.kernel import terms
from asymp.kernel.summation import linear
from asymp.kernel.summation.linear import Linear, Relation, System
from asymp.kernel.summation.sums import Sums, settled
from asymp.kernel.terms import Term
from asymp.language.conditions import Compared, Condition, OfKind
from asymp.language.names import substitute
from asymp.language.syntax import Node, Parser

Found = TypeVar("Found")


def split(cell: System, region: Sequence[Linear]) -> Iterator[tuple[System, bool]]:
    """The parts of a cell outside of a region, and the part inside; parts that are certain to be empty are left out."""
    inside = cell
    for one in region:
        outside = inside | {linear.negation(one)}
        if not linear.is_empty(outside):
            yield outside, False
        inside |= {one}
    if not linear.is_empty(inside):
        yield inside, True


@lru_cache(maxsize=5_000)
def _solved(cell: System, first: tuple[str, ...]) -> tuple[tuple[tuple[str, Term], ...], System]:
    values: dict[str, Term] = {}
    whole = frozenset(part for one in cell for v, _ in one[0] for part in linear.factors(v))
    while True:
        found = None
        for one in sorted(cell):
            held = {v: linear.factors(v) for v, _ in one[0]}
            inside = {v for parts in held.values() if len(parts) > 1 for v in parts}
            places = [v for v, k in one[0] if abs(k) == 1 and len(held[v]) == 1 and v not in inside]
            if places and linear.implies(cell, linear.opposite(one)):
                # with products it fixes one of the others: what is said of the first ones is to stay linear
                order = [v for v in places if v not in first] if inside else []
                found = one, min(order or places, key=lambda v: (first.index(v) if v in first else len(first), v))
                break
        if found is None:
            break
        (coefficients, c), v = found
        side = dict(coefficients)[v]
        rest = [terms.multiply(terms.number(-side * k), linear.product(w)) for w, k in coefficients if w != v]
        value = terms.add(terms.number(-side * c), *rest)
        values = {w: terms.substitute(t, {v: value}) for w, t in values.items()} | {v: value}
        cell = frozenset(Relation(*linear.written(one)).at({v: value}, whole) for one in cell)
    for one in sorted(cell):
        if (not one[0] and one[1] >= 0) or linear.is_redundant(cell, one):
            cell -= {one}
    return tuple(sorted(values.items())), cell


def solved(cell: System, whole: AbstractSet[str], first: Sequence[str] = ()) -> tuple[dict[str, Term], list[Condition]]:
    """Values of the variables that the conditions fix by others, and what the cell says of the others, for sums.

    ``first``: variables that are fixed before others are, in that order.
    """
    fixed, rest = _solved(cell, tuple(first))
    values = dict(fixed)
    found: list[Condition] = [OfKind(v, "whole") for v in sorted(whole - values.keys())]
    for v in sorted(whole - values.keys()):
        low, high = linear.bounds(rest, v)
        place = Node("name", 1, v)
        if low is not None:
            found.append(Compared((node_of(terms.number(low)), place), ("<=",)))
        if high is not None:
            found.append(Compared((place, node_of(terms.number(high))), ("<=",)))
    for one in sorted(rest):
        if len(one[0]) > 1:
            low_side, high_side = linear.written(one)
            found.append(Compared((node_of(low_side), node_of(high_side)), ("<=",)))
    return values, found


def node_of(term: Term) -> Node:
    """A term as a tree; of linear terms also where a name cannot be written."""
    if term.head == "name":
        return Node("name", 1, term.name)
    if term.head in ("sum", "product"):
        parts = tuple(map(node_of, term.parts))
        return Node(term.head, 1, "", parts, ("+" if term.head == "sum" else "*") * len(parts))
    return Parser(str(term)).whole()


def with_values(conditions: Iterable[Condition], values: Mapping[str, Term]) -> list[Condition]:
    """Conditions with terms for variables; kinds of these are dropped."""
    nodes = {v: node_of(term) for v, term in values.items()}
    return [
        c.changed(lambda node: substitute(node, nodes))
        for c in conditions
        if not (isinstance(c, OfKind) and c.name in nodes)
    ]


def on_cell(
    cell: System, rest: Sequence[Condition], whole: AbstractSet[str], first: Sequence[str],
    work: Callable[[Sums, Callable[[Term], Term]], Found],
) -> Found:  # fmt: skip
    """What the theory of sums finds on a cell; ``work`` is given how to put in the values that the cell fixes.

    Raises:
        Refused: by the work.
    """
    values, found = solved(cell, whole, first)
    conditions = [*found, *with_values((c for c in rest if not (isinstance(c, OfKind) and c.name in whole)), values)]
    return settled(conditions, lambda one: work(one, lambda term: terms.substitute(term, values)))
