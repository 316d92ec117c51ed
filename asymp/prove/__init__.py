"""The searchers: they propose steps, and the kernel accepts them or not.  Nothing here is trusted."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from asymp.kernel.terms import Refused
from asymp.kernel.theorem import Theorem


def first(tries: Iterable[Callable[[], Theorem]], why: str = "no way to such a theorem") -> Theorem:
    """The theorem of the first try that finds one.

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
