"""The searchers: they propose steps, and the kernel accepts them or not.  Nothing here is trusted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from asymp.kernel.terms import Refused
from asymp.language.conditions import Condition, text_of
from asymp.language.statement import Statement, read_statement

Found = TypeVar("Found")


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


def read_on(text: str, domain: Sequence[Condition]) -> Statement:
    """The statement of a text for all of a domain."""
    return read_statement(text + (f" for {text_of(tuple(domain))}" if domain else ""))
