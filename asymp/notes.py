"""Answers that are kept, with what they cost."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from asymp.budget import spend, spent

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)


class Memory(Generic[K, T]):
    """Values by key.

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
        self._kept: dict[K, tuple[T, int]] = {}
        self._open: set[K] = set()

    def __call__(self, key: K, compute: Callable[[], T]) -> T:
        """The value for a key; where ``compute`` raises, nothing is kept."""
        if key in self._kept:
            value, steps = self._kept[key]
            if self._paid:
                spend(steps)
            return value
        if self._meanwhile and key in self._open:
            return self._meanwhile[0]
        self._open.add(key)
        before = spent()
        try:
            value = compute()
        finally:
            self._open.discard(key)
        if len(self._kept) >= self.maxsize:
            del self._kept[next(iter(self._kept))]
        self._kept[key] = value, spent() - before
        return value
