"""Sums in a search for a proof of order: of ranks, of what is defined, of indicators, and term by term."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from asymp.kernel import terms
from asymp.kernel.functions.order import Known, _forward
from asymp.kernel.functions.order_terms import Fact, gap, normal, polynomial, replaced
from asymp.kernel.functions.ranked import at
from asymp.kernel.terms import ONE, Refused, Term, add, name, negative, number, opened
from asymp.prove.order_asked import Asking
from asymp.prove.order_double import range_of, spread, within_range
from asymp.prove.order_parts import extremes, parts_of


def rewritten(search: Asking, known: Known, goal: Fact) -> Iterator[Any]:
    """Steps of which each says what a sum of the goal is, to be put in."""
    told = {part for fact in known.facts for part in parts_of(fact, ("Sum",))}
    found = [term for term in parts_of(goal, ("Sum",)) if not terms.has_bound(term)]
    for way in (_trivial, _resumed, _of_ranks, spread, _simpler, _changing):
        for term in sorted(found, key=lambda term: term in told):
            try:
                yield way(search, known, term, goal)
                return
            except Refused:
                continue


def constant(search: Asking, known: Known) -> Iterator[Any]:
    """What sums of a constant are that stand among the facts."""
    told = {fact[0] for fact in known.facts if fact[1] == "="}
    for term in dict.fromkeys(part for fact in known.facts for part in parts_of(fact, ("Sum",))):
        if term not in told and not terms.has_bound(term) and not terms.has_bound(term.parts[0]):
            try:
                yield ["linear", str(term), range_of(search, known, term)]
            except Refused:
                continue


def pairs(goal: Fact) -> list[tuple[Term, Term]]:
    """Two sums over the same range, one on either side of a comparison."""
    there = [(powers[0], c) for powers, c in gap(goal).items() if len(powers) == 1 and powers[0].head == "Sum"]
    return [(low, high) for low, c in there for high, d in there if c < 0 < d and low.parts[1:] == high.parts[1:]]


def term_by_term(search: Any, known: Known, low: Term, high: Term, sign: str, solve: Any) -> Any:
    """A comparison of two sums, from that of their terms."""
    j, within = within_range(search, known, low)
    sign = "=" if sign == "=" else "<="
    goal = (at(low.parts[0], name(j)), sign, at(high.parts[0], name(j)))
    return ["sums", str(low), str(high), sign, j, solve(within, goal), range_of(search, known, low)]


def _trivial(search: Asking, known: Known, term: Term, goal: Fact) -> Any:
    """A sum of one term, or of none."""
    _, low, high = term.parts
    try:
        return ["one", str(term), search.by(known, (low, "=", high))]
    except Refused:
        return ["none", str(term), search.by(known, (low, "=", normal(add(high, ONE))))]


def _of_ranks(search: Asking, known: Known, term: Term, goal: Fact) -> Any:
    body, low, _ = term.parts
    if body.head != "Ranked" or body.parts[3] != Term("bound") or low != ONE:
        raise Refused("no sum of ranks")
    one = ["all", str(term), range_of(search, known, term)]
    _forward(known, (ONE, "=", ONE), one)
    return one


def _simpler(search: Any, known: Known, term: Term, goal: Fact) -> Any:
    """What is defined unfolded, and indicators told, within the range."""
    j, within = within_range(search, known, term)
    start, before = within, at(term.parts[0], name(j))
    body, steps, said = before, list[Any](), False
    for _turn in range(8):
        here = (body, "=", body)
        one = next(iter(_told(search, within, here)), None)
        if one is None and not said and any(part.head in ("Max", "Min") for part in extremes(here)):
            said = True
            for more in search.instances(within, here):
                within, _fact = _forward(within, here, more)
                steps.append(more)
            one = next(search.known_extremes(within, extremes(here)), None)
        if one is None:
            break
        within, _fact = _forward(within, here, one)
        old, _, new = within.facts[-1]
        body = replaced(body, old, new)
        steps += [one, ["put", len(within.facts) - 1, None]]
    if body == before:
        raise Refused("nothing to unfold")
    other = normal(terms.read(f"Sum({body}, ({j}, {term.parts[1]}, {term.parts[2]}))"))
    # the goal is before = body, of which the left side becomes the right one
    goal = (before, "=", body)
    for one in steps:
        start, goal = _forward(start, goal, one)
    proof = [*steps, *(search.closed(start, goal) or [["linear", search.by(start, goal)]])]
    return ["sums", str(term), str(other), "=", j, proof, range_of(search, known, term)]


def _told(search: Any, within: Known, here: Fact) -> Iterator[Any]:
    yield from search.unfolding(within, here)
    yield from search.known_extremes(within, [term for term in extremes(here) if term.head == "AtMost"])


def _resumed(search: Asking, known: Known, term: Term, goal: Fact) -> Any:
    """Cut where another sum of the same terms ends."""
    body, low, high = term.parts
    facts = [goal, *known.facts, *(fact for said in known.said for fact in said.chain if not said.names)]
    others = [one.parts[2] for fact in facts for one in parts_of(fact, ("Sum",)) if one.parts[:2] == (body, low)]
    return _cut(search, known, term, [place for place in others if place != high])


def _changing(search: Asking, known: Known, term: Term, goal: Fact) -> Any:
    """Cut where an indicator changes."""
    places = []
    for part in terms.walk(term.parts[0]):
        if part.head == "AtMost" and terms.has_bound(part):
            found = polynomial(part.parts[1])
            c = found.pop((Term("bound"),), 0)
            if abs(c) == 1 and not any(terms.has_bound(x) for powers in found for x in powers):
                rest = normal(opened(part.parts[1], number(0)))
                places.append(rest if c == -1 else normal(add(negative(rest), number(-1))))
    return _cut(search, known, term, places)


def _cut(search: Asking, known: Known, term: Term, places: Sequence[Term]) -> Any:
    _, low, high = term.parts
    for place in dict.fromkeys(places):
        if not known.is_whole(place) or place == high or place == normal(add(low, number(-1))):
            continue
        try:
            ends = [search.by(known, (normal(add(low, number(-1))), "<=", place)), search.by(known, (place, "<=", high))]
        except Refused:
            continue
        return ["cut", str(term), str(place), range_of(search, known, term), ends]
    raise Refused("no place to cut it")
