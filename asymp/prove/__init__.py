"""The searchers: they propose steps, and the kernel accepts them or not.  Nothing here is trusted."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from asymp.kernel.terms import Refused

Found = TypeVar("Found")
ORDINARY = 100
"""Parts of a statement for which a search has all the tries that it may have."""


def share(most: int, parts: int) -> int:
    """The tries that a search has at a statement of so many parts: each takes longer, so there are fewer.

    >>> share(1000, 40), share(1000, 400)
    (1000, 250)
    """
    return most * ORDINARY // max(parts, ORDINARY)


def first(tries: Iterable[Callable[[], Found]], why: str = "no way to such a theorem", told_by: int = -1) -> Found:
    """What the first try that finds something finds: a theorem, or steps to one.

    Raises:
        Refused: none does: what the last one said, or the one at ``told_by``; ``why`` where there is none.
    """
    said: list[Refused] = []
    for one in tries:
        try:
            return one()
        except Refused as error:
            said.append(error)
    raise said[told_by] if said else Refused(why)
