"""Kernels that are compiled once on a machine, though many of its processes begin to draw parts of a run together.

numba's files (:mod:`asymp.sample.compiler`) serve who comes later; who comes at the same time would compile the same, and half a
minute of processor time of each core is much where cores are shared.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from asymp.model import is_gpu
from asymp.sample import compiler, kernels


@contextlib.contextmanager
def one_compiles(asked: Mapping[str, Any]) -> Iterator[Callable[[], None]]:
    """Of the workers of a machine that are to draw parts of a run one compiles the kernels, where none has: the others wait.

    It holds a lock, beside the folder of the kernels, until what this gives is called: blocks are drawn.  What is compiled
    depends on the model and on those of its parameters that are words.
    """
    place = compiler.folder() if kernels.available() and not is_gpu(asked["device"]) else None
    if place is None:  # they are kept nowhere
        yield lambda: None
        return
    import fcntl  # where there is such a folder there are locks

    words = sorted(item for item in asked["parameters"].items() if not item[1][:1].isdigit())
    marks = place.parent / f"{place.name}.compiled"
    marks.mkdir(0o700, exist_ok=True)
    mark = marks / hashlib.sha256(repr((asked["model"], words)).encode()).hexdigest()[:16]
    with contextlib.ExitStack() as stack:
        if not mark.exists():
            lock = stack.enter_context(open(marks / "lock", "w", encoding="ascii"))
            with contextlib.suppress(OSError):  # a file system without locks
                fcntl.flock(lock, fcntl.LOCK_EX)
            if mark.exists():  # by now
                stack.close()

        def begun() -> None:
            if not mark.exists():
                mark.touch()
                stack.close()

        yield begun
