"""What decided in a rule, for whoever tells its proof.

A rule notes what it has seen: the value of a difference, the box that it settled, the series that it compared.  Nobody listens
where theorems are made, and what is noted goes nowhere else: no theorem depends on it.  So what is told of a proof is what the
rule itself has found, in the order in which it was found.

>>> noted("a sign", of="x - 1")
>>> with listening() as heard:
...     noted("a sign", of="x - 1")
>>> heard
[Note(kind='a sign', of={'of': 'x - 1'})]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Note:
    """What a rule has seen: which kind of thing, and by name what belongs to it."""

    kind: str
    of: Mapping[str, Any]


_open: ContextVar[list[Note] | None] = ContextVar("what rules have seen", default=None)


def noted(kind: str, /, **of: Any) -> None:
    """Notes what a rule has seen, where somebody listens."""
    if (heard := _open.get()) is not None:
        heard.append(Note(kind, of))


@contextmanager
def listening() -> Iterator[list[Note]]:
    """What is noted meanwhile."""
    heard: list[Note] = []
    token = _open.set(heard)
    try:
        yield heard
    finally:
        _open.reset(token)
