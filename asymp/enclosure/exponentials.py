"""What decays exponentially in an index: its rate, and functions of nothing but such exponentials."""

from __future__ import annotations

from asymp.enclosure.algebra import base_and_exponent, made, negative, rebuilt, times
from asymp.enclosure.calculus import line
from asymp.enclosure.plan import Builder, Plan
from asymp.enclosure.signs import signs
from asymp.kernel.terms import ZERO, Term, name

Rates = tuple[tuple[int, str], ...]
"""The places of the rates of exponentials, with the names that these have in a plan."""


def rate_of(term: Term, index: str) -> Term | None:
    """c for term = exp(-c t) (a constant factor is left out), else None."""
    if term.head not in ("exp", "power"):
        return None
    base, exponent = base_and_exponent(term)
    parts = line(exponent, index) if index not in base.free else None
    if parts is None or parts[1] != ZERO or parts[0] == ZERO:
        return None
    return negative(parts[0] if term.head == "exp" else times(parts[0], made("log", (base,))))


def bounded_part(builder: Builder, body: Term, index: str) -> tuple[Rates, Plan] | None:
    """The rates of all exponentials in a body, and its plan in names for them; None where the index stands
    elsewhere too, or one of them grows."""
    names: dict[Term, str] = {}

    def swap(term: Term) -> Term:
        decay = rate_of(term, index)
        if decay is not None:
            return name(names.setdefault(decay, f"\0w{len(names)}"))
        return rebuilt(term, tuple(map(swap, term.parts))) if index in term.free and term.parts else term

    swapped = swap(body)
    if index in swapped.free or any(signs(rate, builder.positive) == {-1} for rate in names):
        return None
    plan = builder.body(swapped, "\0none", set(names.values()))
    return tuple((builder.place(rate), own) for rate, own in names.items()), plan
