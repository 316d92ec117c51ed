"""Answers kept together with what was noted while they were found.

Some functions do more than answer: they note a question that they could not decide (:mod:`asymp.sign`), or a coefficient
that they divided by (:mod:`asymp.vanishing`), where somebody listens.  An answer from a cache must note the same again, or
what follows depends on who asked first.

>>> import sympy as sp
>>> from asymp.sign import sign, undecided
>>> @remembered(maxsize=8)
... def rises(slope):
...     return sign(slope) == 1
>>> a = sp.Symbol("a", positive=True)
>>> for _ in range(2):
...     with undecided() as wanted:
...         rises(1 - a), list(wanted)
(False, [1 - a])
(False, [1 - a])
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Hashable, Iterator
from contextvars import ContextVar
from typing import Any, Generic, ParamSpec, TypeVar

from asymp.budget import spend, spent

Again = Callable[[Any], None]
"""What notes one thing."""
Notes = tuple[tuple[Again, Hashable], ...]

P = ParamSpec("P")
T = TypeVar("T")
K = TypeVar("K", bound=Hashable)

_hearing: ContextVar[tuple[dict[tuple[Again, Hashable], None], ...]] = ContextVar("hearing", default=())


def tell(again: Again, what: Hashable) -> None:
    """Tell all who are hearing that ``what`` was noted; ``again(what)`` notes it once more."""
    for heard in _hearing.get():
        heard.pop((again, what), None)
        heard[again, what] = None


@contextlib.contextmanager
def hearing() -> Iterator[dict[tuple[Again, Hashable], None]]:
    """Collects all that is noted within, the latest last; it is noted as ever for others."""
    heard: dict[tuple[Again, Hashable], None] = {}
    token = _hearing.set((*_hearing.get(), heard))
    try:
        yield heard
    finally:
        _hearing.reset(token)


def replay(notes: Notes) -> None:
    """Note all of it again."""
    for again, what in notes:
        again(what)


def remembered(maxsize: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """As ``lru_cache``, for functions that note things: each call notes what the first one did."""

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        @functools.lru_cache(maxsize=maxsize)
        def kept(*args: P.args, **kwargs: P.kwargs) -> tuple[T, Notes]:
            with hearing() as heard:
                value = function(*args, **kwargs)
            return value, tuple(heard)

        @functools.wraps(function)
        def answer(*args: P.args, **kwargs: P.kwargs) -> T:
            value, notes = kept(*args, **kwargs)  # type: ignore[arg-type]
            replay(notes)
            return value

        answer.cache_clear = kept.cache_clear  # type: ignore[attr-defined]
        answer.cache_info = kept.cache_info  # type: ignore[attr-defined]
        return answer

    return decorate


class Memory(Generic[K, T]):
    """The same for one object: values by key, each with its notes.

    Args:
        maxsize: how many are kept; the oldest goes first.
        meanwhile: the answer to a question that is asked while it is being answered; without it, it is asked again.
        paid: a value that is met again costs the steps (:mod:`asymp.budget`) that it took, as it must where several
            questions share the memory and none may be cheaper for those before it.

    >>> memory = Memory(4)
    >>> memory(2, lambda: 1024), memory(2, lambda: 0)
    (1024, 1024)
    """

    def __init__(self, maxsize: int = 10_000, *meanwhile: T, paid: bool = False) -> None:
        self.maxsize, self._meanwhile, self._paid = maxsize, meanwhile, paid
        self._kept: dict[K, tuple[T, Notes, int]] = {}
        self._open: set[K] = set()

    def __call__(self, key: K, compute: Callable[[], T]) -> T:
        """The value for a key; where ``compute`` raises, nothing is kept."""
        if key in self._kept:
            value, notes, steps = self._kept[key]
            replay(notes)
            if self._paid:
                spend(steps)
            return value
        if self._meanwhile and key in self._open:
            return self._meanwhile[0]
        self._open.add(key)
        before = spent()
        try:
            with hearing() as heard:
                value = compute()
        finally:
            self._open.discard(key)
        if len(self._kept) >= self.maxsize:
            del self._kept[next(iter(self._kept))]
        self._kept[key] = value, tuple(heard), spent() - before
        return value
