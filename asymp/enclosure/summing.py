"""Methods that add up finite sums in balls, found through entry points of the group ``asymp.methods``: one record each.

They are asked before those of :mod:`asymp.enclosure.sums`, in the order that their records say.  What they answer decides
certified verdicts, of which no certificate says by which method: they are taken from this distribution alone.

>>> [(method.name, method.order) for method in summing()]
[('stepped-sums', 0)]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from asymp.outside import HOUSE, refuse, usable


@dataclass(frozen=True)
class Summing:
    """One way to add up.

    Args:
        name: of its entry point.
        order: the one of the least is asked first; no two have the same.
        reads: of a builder, a summand and its index, what it has to know of it; None where it is none of its kind.
        adds: of the values, that, the ends and the summand as a function: the sum, or None where it could not be bounded.
        quotients: of a builder and factors, the places of quotients of two sums that are taken as one, and the other factors.
    """

    name: str
    order: int
    reads: Callable[..., Any]
    adds: Callable[..., Any]
    quotients: Callable[[Any, Sequence[Any]], tuple[list[int], list[Any]]] = lambda _, factors: ([], list(factors))


@lru_cache(maxsize=1)
def summing() -> tuple[Summing, ...]:
    """All of them, in order.

    Raises:
        ValueError: two have the same order.
    """
    found: dict[int, Summing] = {}
    for entry, one in usable("methods", lambda entry: entry.package != HOUSE or entry.module.startswith(f"{__package__}.")):
        if not isinstance(one, Summing):  # another room's
            continue
        if entry.package != HOUSE:
            refuse(entry.because(f"sums in balls are added by methods of {HOUSE} alone"))
        elif one.order in found:
            raise ValueError(f"{one.name} and {found[one.order].name} both have the order {one.order}")
        else:
            found[one.order] = one
    return tuple(found[order] for order in sorted(found))


def quotients(builder: Any, factors: Sequence[Any]) -> tuple[list[int], list[Any]]:
    """The places of quotients of two sums among factors, by whichever method takes them as one, and the other factors."""
    found: list[int] = []
    for method in summing():
        places, factors = method.quotients(builder, factors)
        found += places
    return found, list(factors)
