"""The refusal: what the engine says where it does not know, and what it would have to know.

The message is for people.  Who catches a refusal and needs its reason asks for its type, or for ``undecided``.
"""

from __future__ import annotations

import contextlib
from collections.abc import Hashable, Iterable, Iterator
from contextvars import ContextVar
from typing import Any, NamedTuple

from asymp.notes import tell

_wanted: ContextVar[dict[Hashable, None] | None] = ContextVar("wanted", default=None)


@contextlib.contextmanager
def undecided() -> Iterator[dict[Hashable, None]]:
    """Collects what could not be decided, the latest last: expressions whose sign was wanted, growths on free paths."""
    found: dict[Hashable, None] = {}
    token = _wanted.set(found)
    try:
        yield found
    finally:
        _wanted.reset(token)


def record(*questions: Hashable) -> None:
    """Note that these were asked and not decided."""
    noted = _wanted.get()
    for question in questions:
        tell(record, question)
        if noted is not None:
            noted.pop(question, None)
            noted[question] = None


def latest() -> tuple[Hashable, ...]:
    """What was asked last and not decided."""
    noted = _wanted.get()
    return (next(reversed(noted)),) if noted else ()


class Tried(NamedTuple):
    """A method that was tried, why it failed, and the steps (:mod:`asymp.budget`) that it took."""

    method: str
    why: str
    steps: int


class Refused(ValueError):
    """The engine does not know: the message says what it could not decide.

    ``undecided`` holds what the answer hangs on, as :func:`undecided` collects it: where nothing
    is given, what was asked last.  ``total`` is the outermost sum, product or integral that was refused, ``tried`` the
    methods that were tried on it.
    """

    total: Any = None
    tried: tuple[Tried, ...] = ()

    def __init__(self, *args: object, undecided: Iterable[Hashable] | None = None) -> None:
        super().__init__(*args)
        self.undecided = latest() if undecided is None else tuple(dict.fromkeys(undecided))


class NoTerm(Refused):
    """Nothing but a remainder is known: more terms of the series may help."""


class CannotTell(Refused):
    """A number that may be 0: no precision in reach tells, and no algebra does."""


class OutOfSteps(Refused):
    """The work that is allowed was done before there was an answer."""
