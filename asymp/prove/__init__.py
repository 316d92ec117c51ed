"""The searchers: they propose steps, and the kernel accepts them or not.  Nothing here is trusted."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from asymp.kernel.terms import Refused

Found = TypeVar("Found")


def first(tries: Iterable[Callable[[], Found]], why: str = "no way to such a theorem") -> Found:
    """What the first try that finds something finds: a theorem, or steps to one.

    Raises:
        Refused: none does: what the last one said, or ``why`` where there is none.
    """
    last = Refused(why)
    for one in tries:
        try:
            return one()
        except Refused as error:
            last = error
    raise last
