"""Monotone maps of order statistics: h of the i-th smallest of f(j) is the i-th smallest of h(f(j)).

A maximum (or minimum) of a rank and of terms is made the rank of maxima, which can be compared value by value.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from asymp.kernel import terms
from asymp.kernel.functions.order import Known
from asymp.kernel.functions.order_terms import Fact, normal, polynomial, replaced
from asymp.kernel.terms import Refused, Term, name, substitute
from asymp.prove.order_asked import Asking
from asymp.prove.order_maxima import by_maxima
from asymp.prove.order_parts import extremes


def inward(search: Asking, known: Known, goal: Fact) -> Iterator[list[Any]]:
    """Steps after which a rank stands outside of a maximum of the goal in which it stood; the last is to be put in."""
    for term in extremes(goal):
        rank = _only_rank(term) if term.head in ("Max", "Min") else None
        if rank is None:
            continue
        try:
            yield _moved(search, known, term, rank)
        except Refused:
            continue


def _only_rank(term: Term) -> Term | None:
    """The one rank in a maximum's parts, of a positive factor where it stands; None where it is not so."""
    found: set[Term] = set()
    for part in term.parts:
        for powers, c in polynomial(part).items():
            ranks = [one for power in powers for one in terms.walk(power) if one.head == "Ranked"]
            if not ranks:
                continue
            if len(powers) > 1 or powers[0].head != "Ranked" or c <= 0:
                return None
            found.add(powers[0])
    return found.pop() if len(found) == 1 else None


def _moved(search: Asking, known: Known, term: Term, rank: Term) -> list[Any]:
    z, x, y = (search.new(known, letter) for letter in ("z", "x", "y"))
    mapped = replaced(term, rank, name(z))
    within = known.with_reals(x, y).also((name(x), "<=", name(y)))
    lower, upper = (normal(substitute(mapped, {z: name(v)})) for v in (x, y))
    proof = by_maxima(search, within, (lower, "<=", upper))
    body, *rest = rank.parts
    inner = normal(Term("Ranked", (substitute(mapped, {z: body}), *rest)))
    place = len(known.facts)
    return [
        ["steady", str(rank), str(mapped), z, x, y, proof, search.valid(known, rank)],
        ["have", str(term), "=", str(inner), [["linear", [[place, "-1"]]]]],
    ]
