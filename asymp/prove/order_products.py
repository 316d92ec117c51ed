"""Double sums and products in a search for a proof of order: sums change places, Cauchy and Schwarz, products of facts."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.functions.order import Known, _forward
from asymp.kernel.functions.order_terms import Fact, gap, normal, polynomial
from asymp.kernel.functions.ranked import at
from asymp.kernel.terms import ONE, ZERO, Refused, Term, add, multiply, name, negative
from asymp.prove.order_parts import alike, calls, parts_of

MOST_TURNS = 12
MOST_MULTIPLIED = 9
Steps = list[Any]


def told(search: Any, known: Known, here: Fact) -> Iterator[Any]:
    """Steps of which each says what a sum of a comparison is, by what is said of sums and products, and by changing sums."""
    yield from _of_fact(search, known, here, here)


def said(search: Any, known: Known, term: Term, goal: Fact) -> Any:
    """An equation that is said, of which a sum is the left side."""
    for k, one in enumerate(known.said):
        left, sign, _ = one.chain[0]
        if len(one.chain) > 1 or sign != "=" or left.head != "Sum":
            continue
        values = alike(left, term, one.names)
        step = search.use(known, k, values) if values is not None and set(values) == set(one.names) else None
        if step is not None:
            return step
    raise Refused("nothing is said of that sum")


def spread(search: Any, known: Known, term: Term, goal: Fact) -> Any:
    """A sum of monomials, of which each has all that is free of its variable before it."""
    found = polynomial(term.parts[0])
    if (
        len(found) == 1
        and next(iter(found.values())) == 1
        and found.keys() != {()}
        and all(map(terms.has_bound, next(iter(found))))
    ):
        raise Refused("a single part")
    return ["linear", str(term), _range(search, known, term)]


def reduced(search: Any, known: Known, term: Term, goal: Fact) -> Any:
    """A sum of monomials that hold a product of which it is said what it is: f^2 = f, w*f = 1."""
    j, within = _inside(search, known, term)
    body = at(term.parts[0], name(j))
    changed, steps = body, Steps()
    for powers, c in polynomial(body).items():
        for use, value, rest in _products(search, within, powers):
            within, _ = _forward(within, (body, "=", body), use)
            scale = ["scale", len(within.facts) - 1, str(normal(multiply(*rest)))]
            within, _ = _forward(within, (body, "=", body), scale)
            steps += [use, scale]
            changed = normal(add(changed, multiply(terms.number(-c), *powers), multiply(terms.number(c), value, *rest)))
            break
    if changed == body:
        raise Refused("no product of which anything is said")
    proof = [*steps, ["linear", search.by(within, (body, "=", changed))]]
    return ["sums", str(term), _over(term, changed, j), "=", j, proof, _range(search, known, term)]


def _products(search: Any, known: Known, powers: Sequence[Term]) -> Iterator[tuple[Any, Term, list[Term]]]:
    """What is said of a product of some factors: the step that uses it, what they are together, and the other factors."""
    for k, one in enumerate(known.said):
        left, sign, right = one.chain[0]
        ((own, c),) = polynomial(left).items() if len(polynomial(left)) == 1 else [((), mpq(0))]
        if len(one.chain) > 1 or sign != "=" or c != 1 or len(own) < 2:
            continue
        for pattern, part in itertools.product(own, dict.fromkeys(powers)):
            values = alike(pattern, part, one.names)
            if values is None or set(values) != set(one.names):
                continue
            rest = list(powers)
            try:
                for factor in own:
                    rest.remove(normal(terms.substitute(factor, values)))
            except ValueError:
                continue
            if (use := search.use(known, k, values)) is not None:
                yield use, normal(terms.substitute(right, values)), rest


def inside(search: Any, known: Known, term: Term, goal: Fact) -> Any:
    """A sum whose terms are what they are told to be, as far as that goes."""
    j, start = _inside(search, known, term)
    within, before = start, at(term.parts[0], name(j))
    body, steps = before, Steps()
    for _turn in range(MOST_TURNS):
        one = next(iter(told(search, within, (body, "=", body))), None)
        if one is None:
            break
        within, _ = _forward(within, (body, "=", body), one)
        steps += [one, ["put", len(within.facts) - 1, None]]
        _, (body, _, _) = _forward(within, (body, "=", ZERO), steps[-1])
    if body == before:
        raise Refused("nothing is told of its terms")
    goal = (before, "=", body)
    for one in steps:
        start, goal = _forward(start, goal, one)
    proof = [*steps, ["linear", search.by(start, goal)]]
    return ["sums", str(term), _over(term, body, j), "=", j, proof, _range(search, known, term)]


def swapped(search: Any, known: Known, term: Term, goal: Fact) -> Any:
    """A sum of products with a sum, the other way round: where it is told what that is, or so that all are of one range."""
    found = polynomial(term.parts[0])
    ((powers, c),) = found.items() if len(found) == 1 else [((), mpq(0))]
    inner = [
        one
        for one in powers
        if one.head == "Sum" and not any(map(terms.has_bound, one.parts[1:])) and terms.has_bound(one)
    ]
    for one in inner if c == 1 else ():
        try:
            return _swapped(search, known, term, goal, powers, one)
        except Refused:
            continue
    raise Refused("no double sum")


def _swapped(search: Any, known: Known, term: Term, goal_: Fact, powers: Sequence[Term], one: Term) -> Any:
    k, within = _inside(search, known, term)
    j = search.new(within, "j")
    rest = list(powers)
    rest.remove(one)
    f = multiply(*(terms.opened(terms.opened(part, name(k)), name(j)) for part in [*rest]), at_both(one, k, j))
    low, high, first, last = term.parts[1], term.parts[2], one.parts[1], one.parts[2]
    flat = normal(terms.read(f"Sum(Sum({f}, ({j}, {first}, {last})), ({k}, {low}, {high}))"))
    turned = normal(terms.read(f"Sum(Sum({f}, ({k}, {low}, {high})), ({j}, {first}, {last}))"))
    there = known.with_whole(j).also((first, "<=", name(j)), (name(j), "<=", last))
    body = at(turned.parts[0], name(j))
    try:
        now = _forward(there, (body, "=", body), spread(search, there, body, goal_))[0].facts[-1][2]
    except Refused:
        now = body
    ranges = [part.parts[1:] for powers_ in gap(goal_) for part in powers_ if part.head == "Sum"]
    last_of_all = max(ranges, key=lambda ends: (ends[1].order, ends[0].order), default=None)
    if not _ends(search, there, now) and ((first, last) != last_of_all or term.parts[1:] == last_of_all):
        raise Refused("no better the other way round")
    goal: Fact = (term, "=", normal(terms.read(_over(turned, now, j))))
    if any(sign == "=" and (left, right) in ((goal[2], term), (term, goal[2])) for left, sign, right in known.facts):
        raise Refused("changed already")
    steps: Steps = []
    here = known

    def forward(step: Any) -> None:
        nonlocal here, goal
        here, goal = _forward(here, goal, step)
        steps.append(step)

    if flat != term:
        inner = at(flat.parts[0], name(k))
        open_ = ["linear", str(inner), _range(search, within, inner)]
        after, _ = _forward(within, goal, open_)
        wanted = (at(term.parts[0], name(k)), "=", inner)
        proof = [open_, ["linear", search.by(after, wanted)]]
        forward(["sums", str(term), str(flat), "=", k, proof, _range(search, known, term)])
        forward(["put", len(here.facts) - 1, None])
    forward(["swap", str(flat), _range(search, here, flat), _range(search, here, turned)])
    forward(["put", len(here.facts) - 1, None])
    if goal[0] != goal[2]:
        there = here.with_whole(j).also((first, "<=", name(j)), (name(j), "<=", last))  # facts have other numbers here
        one_more = spread(search, there, body, goal)
        proof = [one_more, ["linear", search.by(_forward(there, goal, one_more)[0], (body, "=", now))]]
        forward(["sums", str(turned), str(goal[2]), "=", j, proof, _range(search, here, turned)])
        forward(["put", len(here.facts) - 1, None])
    return ["have", str(term), "=", _over(turned, now, j), [*steps, ["linear", search.by(here, goal)]]]


def at_both(one: Term, k: str, j: str) -> Term:
    """The body of an inner sum, with names for the variables of both."""
    return terms.opened(terms.opened(one, name(k)).parts[0], name(j))


def _ends(search: Any, known: Known, term: Term) -> bool:
    """Whether it is said what a sum in a term is."""
    for part in [part for part in parts_of((term, "=", term), ("Sum",)) if not terms.has_bound(part)]:
        try:
            said(search, known, part, (term, "=", term))
        except Refused:
            continue
        return True
    return False


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
            step = next(_of_fact(search, known, fact, both), None)
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


def _of_fact(search: Any, known: Known, fact: Fact, both: Fact) -> Iterator[Any]:
    for term in [part for part in parts_of(fact, ("Sum",)) if not terms.has_bound(part)]:
        for way in (said, reduced, spread, inside, swapped):
            try:
                yield way(search, known, term, both)
            except Refused:
                continue


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
    j, within = _inside(search, known, one)
    mixed = Term("Sum", (ONE, *one.parts[1:]))
    first, then = at(one.parts[0], name(j)), at(other.parts[0], name(j))
    goals: list[Fact] = [(ZERO, "<=", first), (ZERO, "<=", then), (ONE, "<=", normal(multiply(first, then)))]
    by, k = _range(search, known, one), len(known.facts)
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


def _over(term: Term, body: Term, j: str) -> str:
    return f"Sum({body}, ({j}, {term.parts[1]}, {term.parts[2]}))"


def _range(search: Any, known: Known, term: Term) -> Any:
    _, low, high = term.parts
    return search.by(known, (normal(add(low, negative(ONE))), "<=", high))


def _inside(search: Any, known: Known, term: Term) -> tuple[str, Known]:
    j = search.new(known, "j")
    _, low, high = term.parts
    return j, known.with_whole(j).also((low, "<=", name(j)), (name(j), "<=", high))
