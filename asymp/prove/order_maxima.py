"""Comparisons of maxima and minima: Max(p, q) + r <= g is p + r <= g and q + r <= g, and p <= Max(p, q).

So what is larger is looked for among the parts on the left only, and the bounds of the others are facts.
"""

from __future__ import annotations

from typing import Any

from asymp.kernel.functions.order import STEPS, Known, _forward
from asymp.kernel.functions.order_terms import Fact, gap, replaced
from asymp.kernel.terms import ZERO, Refused, Term
from asymp.prove.order_asked import Asking
from asymp.prove.order_parts import extremes, is_bounded

MOST_PARTS = 5
MOST_SPLIT = 8


def by_maxima(search: Asking, known: Known, goal: Fact, depth: int = 0) -> list[Any]:
    """A proof part by part.

    Raises:
        Refused: none of this kind.
    """
    steps: list[Any] = []
    if depth > MOST_SPLIT:
        raise Refused("too many maxima in each other")

    def forward(one: Any) -> None:
        nonlocal known, goal
        known, goal = _forward(known, goal, one)
        steps.append(one)

    while True:
        term = next((term for term in extremes(goal) if term.head == "AtMost"), None)
        if term is None:
            break
        one = next(search.known_extremes(known, [term]), None)
        if one is None:
            facts = (ZERO, "<=", term.parts[1]), (term.parts[1], "<", ZERO)
            ways = [by_maxima(search, known.also(fact), goal, depth + 1) for fact in facts]
            return [*steps, ["cases", str(ZERO), str(term.parts[1]), *ways]]
        forward(one)
        forward(["put", len(known.facts) - 1, None])
    for one in [["bounds", str(term)] for term in extremes(goal) if not is_bounded(known, term)]:
        forward(one)
    return [*steps, *_closed(search, known, goal, depth)]


def _closed(search: Asking, known: Known, goal: Fact, depth: int) -> list[Any]:
    left, sign, right = goal
    found = search.closed(known, goal)
    if found is not None:
        return found
    if sign == "=":
        return [["both", *(_closed(search, known, (a, "<=", b), depth) for a, b in ((left, right), (right, left)))]]
    term = _above(goal)
    if term is None or depth > MOST_SPLIT:
        raise Refused(f"{left} {sign} {right} is not seen part by part")
    steps: list[Any] = []
    for part in term.parts:
        there = tuple(replaced(side, term, part) for side in (left, right))
        one = [
            "have",
            str(there[0]),
            sign,
            str(there[1]),
            _closed(search, known, (there[0], sign, there[1]), depth + 1),
        ]
        known = STEPS["have"](known, one[1:])
        steps.append(one)
    return [*steps, *_one_of(search, known, goal, term, 1, 0)]


def _above(goal: Fact) -> Term | None:
    """A maximum that stands on the left of a comparison, or a minimum on its right."""
    for powers, c in gap(goal).items():
        if len(powers) == 1 and powers[0].head == ("Max" if c < 0 else "Min") and len(powers[0].parts) <= MOST_PARTS:
            return powers[0]
    return None


def _one_of(search: Asking, known: Known, goal: Fact, term: Term, k: int, best: int) -> list[Any]:
    """By cases: which of the parts it is, those before k compared; the goal is known of each."""
    up = term.head == "Max"
    if k == len(term.parts):
        chosen = term.parts[best]
        by = [search.by(known, (part, "<=", chosen) if up else (chosen, "<=", part)) for part in term.parts]
        one = ["choose", str(term), best, by]
        return [one, ["linear", search.by(STEPS["choose"](known, one[1:]), goal)]]
    a, b = term.parts[best], term.parts[k]
    first, second = (k, best) if up else (best, k)
    ways = [
        _one_of(search, known.also(fact), goal, term, k + 1, place)
        for fact, place in (((a, "<=", b), first), ((b, "<", a), second))
    ]
    return [["cases", str(a), str(b), *ways]]
