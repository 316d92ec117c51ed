"""Double sums in a search for a proof of order: what is said of sums and of products in them; sums change places."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.functions.order import Known, _forward
from asymp.kernel.functions.order_terms import Fact, gap, normal, polynomial
from asymp.kernel.functions.ranked import at
from asymp.kernel.terms import ONE, ZERO, Refused, Term, add, multiply, name, negative
from asymp.prove.order_parts import alike, parts_of

MOST_TURNS = 12
Steps = list[Any]


def told(search: Any, known: Known, here: Fact) -> Iterator[Any]:
    """Steps of which each says what a sum of a comparison is, by what is said of sums and products, and by changing sums."""
    yield from told_of(search, known, here, here)


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
    return ["linear", str(term), range_of(search, known, term)]


def reduced(search: Any, known: Known, term: Term, goal: Fact) -> Any:
    """A sum of monomials that hold a product of which it is said what it is: f^2 = f, w*f = 1."""
    j, within = within_range(search, known, term)
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
    return ["sums", str(term), over(term, changed, j), "=", j, proof, range_of(search, known, term)]


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
    j, start = within_range(search, known, term)
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
    return ["sums", str(term), over(term, body, j), "=", j, proof, range_of(search, known, term)]


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
    k, within = within_range(search, known, term)
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
    goal: Fact = (term, "=", normal(terms.read(over(turned, now, j))))
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
        open_ = ["linear", str(inner), range_of(search, within, inner)]
        after, _ = _forward(within, goal, open_)
        wanted = (at(term.parts[0], name(k)), "=", inner)
        proof = [open_, ["linear", search.by(after, wanted)]]
        forward(["sums", str(term), str(flat), "=", k, proof, range_of(search, known, term)])
        forward(["put", len(here.facts) - 1, None])
    forward(["swap", str(flat), range_of(search, here, flat), range_of(search, here, turned)])
    forward(["put", len(here.facts) - 1, None])
    if goal[0] != goal[2]:
        there = here.with_whole(j).also((first, "<=", name(j)), (name(j), "<=", last))  # facts have other numbers here
        one_more = spread(search, there, body, goal)
        proof = [one_more, ["linear", search.by(_forward(there, goal, one_more)[0], (body, "=", now))]]
        forward(["sums", str(turned), str(goal[2]), "=", j, proof, range_of(search, here, turned)])
        forward(["put", len(here.facts) - 1, None])
    return ["have", str(term), "=", over(turned, now, j), [*steps, ["linear", search.by(here, goal)]]]


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


def told_of(search: Any, known: Known, fact: Fact, both: Fact) -> Iterator[Any]:
    """The same of a comparison, in a goal."""
    for term in [part for part in parts_of(fact, ("Sum",)) if not terms.has_bound(part)]:
        for way in (said, reduced, spread, inside, swapped):
            try:
                yield way(search, known, term, both)
            except Refused:
                continue


def over(term: Term, body: Term, j: str) -> str:
    """A sum over the range of another one, as text."""
    return f"Sum({body}, ({j}, {term.parts[1]}, {term.parts[2]}))"


def range_of(search: Any, known: Known, term: Term) -> Any:
    """A combination that shows that a sum has a meaning."""
    _, low, high = term.parts
    return search.by(known, (normal(add(low, negative(ONE))), "<=", high))


def within_range(search: Any, known: Known, term: Term) -> tuple[str, Known]:
    """A new variable in the range of a sum, and what is known there."""
    j = search.new(known, "j")
    _, low, high = term.parts
    return j, known.with_whole(j).also((low, "<=", name(j)), (name(j), "<=", high))
