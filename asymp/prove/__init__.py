"""The searchers: they propose steps, and the kernel accepts them or not.  Nothing here is trusted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from asymp.kernel.terms import Refused
from asymp.language.conditions import Condition, text_of
from asymp.language.statement import Statement, read_statement

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
        Refused: none does: what the last one said, or the one at ``told_by``, with the statement on which the last one hangs that
            hangs on one; ``why`` where there is none.
    """
    said: list[Refused] = []
    for one in tries:
        try:
            return one()
        except Refused as error:
            said.append(error)
    if not said:
        raise Refused(why)
    raise noting(said[told_by], next(filter(None, map(left_open, reversed(said))), ""))


_OPEN = "left open: "


def noting(error: Refused, goal: str) -> Refused:
    """The refusal with the statement that it hangs on, where none is noted yet.

    >>> left_open(noting(Refused("no proof found"), "n >= 2 for n >= 1"))
    'n >= 2 for n >= 1'
    """
    if goal and not left_open(error):
        error.add_note(f"{_OPEN}{goal}")
    return error


def left_open(error: Refused) -> str:
    """The statement that a refusal hangs on: the last that was asked on the way, and found neither way; empty where none was."""
    notes = (one for one in getattr(error, "__notes__", ()) if one.startswith(_OPEN))
    return next(notes, "").removeprefix(_OPEN)


def read_on(text: str, domain: Sequence[Condition]) -> Statement:
    """The statement of a text for all of a domain."""
    return read_statement(text + (f" for {text_of(tuple(domain))}" if domain else ""))
