"""The parts of comparisons that a search for a proof of order goes by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.functions.order import Known, Said
from asymp.kernel.functions.order_terms import Fact, gap, normal
from asymp.kernel.terms import ONE, ZERO, Term, add, multiply, name, negative, number

MOST_LISTED = 6


def on_sides(goal: Fact, one: Term, other: Term) -> bool:
    """Whether one term stands on the left of a comparison, and the other on the right."""
    return any(part == one for part in terms.walk(goal[0])) and any(part == other for part in terms.walk(goal[2]))


def without_it(fact: Fact, one: Term, c: mpq) -> Term:
    """What a comparison says that a term, which stands in it c = 1 or -1 times, is at least or at most."""
    return normal(add(one, multiply(number(-c), add(fact[2], negative(fact[0])))))


def shifts(known: Known, goal: Fact, one: Term, other: Term, rest: Any) -> Iterator[tuple[Term, Term, Term]]:
    """R, Q and c of which R <= Q + c would do: what the goal wants, or what it wants by a bound of the other."""
    c = rest.get((one,))
    if c == -1 and rest.get((other,)) == 1:
        yield one, other, normal(add(goal[2], negative(goal[0]), one, negative(other)))
    elif c in (1, -1):
        bound = without_it(goal, one, c)
        for fact in known.facts:
            if gap(fact).get((other,)) == c and fact[1] != "=":
                there = without_it(fact, other, c)
                shift = normal(add(bound, negative(there)))
                yield (one, other, shift) if c == -1 else (other, one, normal(negative(shift)))
    else:
        yield one, other, ZERO


def is_bounded(known: Known, term: Term) -> bool:
    """Whether it is among the facts already how a Max, Min or AtMost compares with its parts."""
    part = term.parts[0]
    return any(term in (fact[0], fact[2]) and (part in (fact[0], fact[2]) or term.head == "AtMost") for fact in known.facts)


def calls(fact: Fact, heads: Any, more: Sequence[Fact] = ()) -> list[Term]:
    """The calls of functions in comparisons, outside of ranges."""
    found = [part for one in (fact, *more) for side in (one[0], one[2]) for part in parts_with(side, heads)]
    return [part for part in dict.fromkeys(found) if not terms.has_bound(part)]


def parts_with(term: Term, heads: Any) -> Iterator[Term]:
    """The parts of a term that are of these functions."""
    for part in terms.walk(term):
        if part.head in heads:
            yield part


def parts_of(fact: Fact, heads: Any) -> list[Term]:
    """The parts of a comparison that are of these functions, each once."""
    return list(dict.fromkeys(part for side in (fact[0], fact[2]) for part in parts_with(side, heads)))


def has_rank(fact: Fact) -> bool:
    """Whether a rank stands in a comparison, or a call whose definition may have one."""
    return any(part.head == "Ranked" or part.parts for side in (fact[0], fact[2]) for part in terms.walk(side))


def few_values(goal: Fact) -> list[Term]:
    """The ranks among a few values, between numbers."""
    found = [term for term in parts_of(goal, ("Ranked",)) if all(part.is_number for part in term.parts[1:])]
    return [term for term in found if not terms.has_bound(term) and term.parts[2].number - term.parts[1].number < MOST_LISTED]


def extremes(fact: Fact) -> list[Term]:
    """Max, Min and AtMost that hold no bound variable, the inmost first."""
    found = [term for term in parts_of(fact, ("Max", "Min", "AtMost")) if not terms.has_bound(term)]
    return sorted(found, key=lambda term: sum(1 for _ in terms.walk(term)))


def matched(said: Said, pattern: Term, actual: Term, given: Mapping[str, Term] | None = None) -> dict[str, Term] | None:
    """Values of the variables of what is said at which a call is another; arguments are v, v + number, or without variables."""
    if pattern.head != actual.head or len(pattern.parts) != len(actual.parts):
        return None
    values = dict(given or {})
    later = []
    for part, there in zip(pattern.parts, actual.parts, strict=True):
        free = terms.free(part) & set(said.names)
        if part.head == "name" and free:
            new = there
        elif part.head == "sum" and len(free) == 1 and all(p.is_number or p.head == "name" for p in part.parts):
            rest = normal(add(part, negative(name(min(free)))))
            if not rest.is_number and free & terms.free(rest):
                return None
            new = normal(add(there, negative(rest)))
        else:
            later.append((part, there))
            continue
        (v,) = free
        if values.setdefault(v, new) != new:
            return None
    for part, there in later:
        if normal(terms.substitute(part, values)) != there:
            return None
    return values


def alike(pattern: Term, actual: Term, names: Sequence[str]) -> dict[str, Term] | None:
    """Terms for names with which a term is written as another is; None where there are none."""
    found: dict[str, Term] = {}

    def same(one: Term, other: Term) -> bool:
        if one.head == "name" and one.name in names:
            return not terms.has_bound(other) and found.setdefault(one.name, other) == other
        if not one.parts:
            return one == other
        return one.head == other.head and len(one.parts) == len(other.parts) and all(map(same, one.parts, other.parts))

    return found if same(pattern, actual) else None


def tight(known: Known) -> list[Any]:
    """What strict comparisons say of whole numbers."""
    return [
        ["whole", k] for k, (left, sign, right) in enumerate(known.facts)
        if sign == "<" and known.is_whole(left) and known.is_whole(right)
        and (normal(add(left, ONE)), "<=", right) not in known.facts
    ]  # fmt: skip


def is_definition(said: Said, head: str) -> bool:
    """Whether an equation is one that defines: the left side is not on the right."""
    right = said.chain[0][2]
    return len(said.chain) == 1 and not any(part.head == head and part == said.chain[0][0] for part in terms.walk(right))
