"""Products in a search for a proof of order: of facts, of sums by Cauchy and Schwarz, and of what is said of sums, summed."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.functions.order import Known, _forward
from asymp.kernel.functions.order_terms import Fact, gap, normal
from asymp.kernel.functions.ranked import at
from asymp.kernel.terms import ONE, ZERO, Refused, Term, add, multiply, name, negative
from asymp.prove.order_double import MOST_TURNS, Steps, range_of, told_of, within_range
from asymp.prove.order_parts import calls, parts_of

MOST_MULTIPLIED = 9


def ways(search: Any, known: Known, goal: Fact, solve: Callable[[Known, Fact], Steps]) -> Iterator[Callable[[], Steps]]:
    """Ways to close a goal by products, where products stand in it or in what is known."""
    if any(len(powers) > 1 for fact in (goal, *known.facts) for powers in gap(fact)):
        for one, other, c in _squares(goal):
            if c > 0 and goal[1] == "<=":
                yield partial(_cauchy, search, known, goal, one, other, solve)
        yield partial(_divided, search, known, goal, solve)
        yield partial(multiplied, search, known, goal)
        yield partial(_summed, search, known, goal)


def _divided(search: Any, known: Known, goal: Fact, solve: Callable[[Known, Fact], Steps]) -> Steps:
    """What stands in all parts of a comparison and is not negative is left out."""
    parts = gap(goal)
    common = set[Term].intersection(*(set(powers) for powers in parts)) if parts and goal[1] == "<=" else set()
    for c in sorted(common, key=lambda one: one.order):
        positive: Fact = (ZERO, "<=", c)
        sides = [
            normal(add(*(multiply(terms.number(s * k), *_less(powers, c)) for powers, k in parts.items() if s * k > 0)))
            for s in (-1, 1)
        ]
        rest: Fact = (sides[0], "<=", sides[1])
        try:
            first = [["linear", search.by(known, positive)]]
            proof = solve(known.also(positive), rest)
        except Refused:
            continue
        k = len(known.facts)
        steps: Steps = [
            ["have", "0", "<=", str(c), first],
            ["have", str(rest[0]), "<=", str(rest[2]), proof],
            ["times", k, k + 1],
        ]
        for step in steps:
            known, _ = _forward(known, goal, step)
        return [*steps, ["linear", search.by(known, goal)]]
    raise Refused("nothing stands in all of its parts")


def _summed(search: Any, known: Known, goal: Fact) -> Steps:
    """What is said of sums for all of a range, summed over that range, and the double sums the same way round; then products.

    The goal may be multiplied by what is positive.
    """
    steps: Steps = []

    def forward(one: Any) -> None:
        nonlocal known
        known, _ = _forward(known, goal, one)
        steps.append(one)

    made: list[int] = []
    there = {part.parts[1:] for fact in (goal, *known.facts) for part in parts_of(fact, ("Sum",))}
    for k, one in enumerate(known.said):
        ends = _one_range(one)
        if ends is None or len(one.chain) > 1 or one.chain[0][1] == "<":
            continue
        if not parts_of(one.chain[0], ("Sum",)) and ends not in there:
            continue
        (v,), (low, high) = one.names, ends
        j = search.new(known, "j")
        left, right = (
            f"Sum({terms.substitute(side, {v: name(j)})}, ({j}, {low}, {high}))" for side in one.chain[0][::2]
        )
        within = known.with_whole(j).also((low, "<=", name(j)), (name(j), "<=", high))
        use = search.use(within, k, {v: name(j)})
        if use is None or not all(map(known.is_whole, ends)):
            continue
        by = search.by(_forward(within, goal, use)[0], _forward(within, goal, use)[0].facts[-1])
        forward(
            [
                "sums",
                left,
                right,
                one.chain[0][1],
                j,
                [use, ["linear", by]],
                search.by(known, (normal(add(low, negative(ONE))), "<=", high)),
            ]
        )
        made.append(len(known.facts) - 1)
    together = (normal(add(*(side for k in made for side in known.facts[k][::2]))), "=", ZERO)
    before, kept = len(known.facts) - len(made), set[int]()
    for k in made:
        for _turn in range(MOST_TURNS):
            fact = known.facts[k]
            both = (normal(add(together[0], fact[0], fact[2])), "=", ZERO)
            step = next(told_of(search, known, fact, both), None)
            if step is None:
                break
            forward(step)
            forward(["put", len(known.facts) - 1, k])
            k = len(known.facts) - 1
        kept.add(k)
    without = set(range(before, len(known.facts))) - kept
    if not made:
        raise Refused("nothing is said of sums for all of a range")
    with suppress(Refused):
        return [*steps, *multiplied(search, known, goal, without)]
    for c in sorted(
        {one for powers in gap(goal) for one in powers} | {name(v) for v in known.taken}, key=lambda one: one.order
    ):
        try:
            positive = search.by(known, (ZERO, "<", c))
            term = normal(add(goal[2], negative(goal[0])))
            wanted: Fact = (ZERO, goal[1], normal(multiply(c, term)))
            proof = multiplied(search, known, wanted, without)
        except Refused:
            continue
        k = len(known.facts)
        steps += [
            ["have", "0", goal[1], str(wanted[2]), proof],
            ["cancel", str(c), str(term), goal[1], positive, [[k, "1"]]],
        ]
        return [*steps, ["linear", [[k + 1, "1"]]]]
    raise Refused("no product of sums is enough")


def _one_range(one: Any) -> tuple[Term, Term] | None:
    """The ends between which something is said for all whole values of one variable."""
    if len(one.names) != 1 or len(one.over) != 2:
        return None
    v = name(one.names[0])
    low = [left for left, sign, right in one.over if sign == "<=" and right == v]
    high = [right for left, sign, right in one.over if sign == "<=" and left == v]
    return (low[0], high[0]) if len(low) == len(high) == 1 else None


def _less(powers: Sequence[Term], c: Term) -> list[Term]:
    rest = list(powers)
    rest.remove(c)
    return rest


def _squares(goal: Fact) -> Iterator[tuple[Term, Term, mpq]]:
    for powers, c in gap(goal).items():
        for one, other in itertools.combinations([one for one in powers if one.head == "Sum"], 2):
            if one.parts[1:] == other.parts[1:]:
                yield one, other, c


def _cauchy(
    search: Any, known: Known, goal: Fact, one: Term, other: Term, solve: Callable[[Known, Fact], Steps]
) -> Steps:
    """A product of two sums over one range: at least the square of the number of terms, where the products of these are."""
    j, within = within_range(search, known, one)
    mixed = Term("Sum", (ONE, *one.parts[1:]))
    first, then = at(one.parts[0], name(j)), at(other.parts[0], name(j))
    goals: list[Fact] = [(ZERO, "<=", first), (ZERO, "<=", then), (ONE, "<=", normal(multiply(first, then)))]
    by, k = range_of(search, known, one), len(known.facts)
    steps: Steps = [
        ["cauchy", str(one), str(other), str(mixed), j, [solve(within, each) for each in goals], by],
        ["linear", str(mixed), by],
        ["put", k + 1, k],
    ]
    for step in steps:
        known, _ = _forward(known, goal, step)
    return [*steps, ["linear", search.by(known, goal)]]


def multiplied(search: Any, known: Known, goal: Fact, without: Collection[int] = ()) -> Steps:
    """Products of what is known: of inequalities two and three at a time, of equations with what makes them products of the goal.

    ``without``: the places of facts of which others say all.
    """
    steps: Steps = []

    def forward(one: Any) -> None:
        nonlocal known
        known, _ = _forward(known, goal, one)
        steps.append(one)

    plain = [(k, fact) for k, fact in enumerate(known.facts) if set(gap(fact)) - {()} and k not in without]
    for k, fact in plain:
        for term in _cofactors(known, goal, fact) if fact[1] == "=" else ():
            forward(["scale", k, str(term)])
    there = {one for powers in gap(goal) for one in powers}
    positive = [k for k, fact in plain if _is_positive(fact) and (fact[2].head != "name" or fact[2] in there)][
        :MOST_MULTIPLIED
    ]
    unequal = [k for k, fact in plain if fact[1] != "=" and not _is_positive(fact) and _is_of_functions(known, fact)]
    for k, l in itertools.combinations(positive, 2):
        forward(["times", k, l])
        both = len(known.facts) - 1
        for m in unequal[:MOST_MULTIPLIED]:
            forward(["times", both, m])
    for k, l in itertools.product(positive, unequal[:MOST_MULTIPLIED]):
        forward(["times", k, l])
    found = search.closed(known, goal)
    if found is None:
        raise Refused("no products of what is known are enough")
    return [*steps, *found]


def _is_positive(fact: Fact) -> bool:
    """Whether it says that a variable or a function is at least a number that is not negative."""
    return (
        fact[1] != "="
        and fact[0].is_number
        and fact[0].number >= 0
        and fact[2].head not in ("sum", "product", "number", "Sum")
    )


def _cofactors(known: Known, goal: Fact, fact: Fact) -> list[Term]:
    """What an equation may be multiplied by so that it speaks of the products of a goal, and of functions that stand here."""
    found = dict.fromkeys(
        calls(goal, known.functions, known.facts)[:MOST_MULTIPLIED] if _is_of_functions(known, fact) else ()
    )
    for powers, own in itertools.product(gap(goal), gap(fact)):
        rest = list(powers)
        try:
            for one in own:
                rest.remove(one)
        except ValueError:
            continue
        if own and rest:
            found[normal(multiply(*rest))] = None
    return list(found)


def _is_of_functions(known: Known, fact: Fact) -> bool:
    return any(part.head in known.functions for side in (fact[0], fact[2]) for part in terms.walk(side)) or any(
        len(powers) > 1 for powers in gap(fact)
    )
