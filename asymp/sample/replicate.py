r"""The replication loop: blocks of replications, in order, over threads or machines, with progress and a checkpoint.

A model gives what draws the replications ``start, ..., start + count - 1`` (its kernel), what adds that which is observed of
them (its observables), and how many there are to be (its stopping rule).  Replication k draws from streams that depend on
(seed, k) alone, and blocks are added in order: so the numbers depend neither on threads nor on where a run was interrupted,
nor on how many machines have drawn parts of it (:class:`asymp.model.Parts`): what is drawn of a block is arrays, and they are
kept as they are until all blocks are there.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np

from asymp.model import PARTS, Drawn
from asymp.sample import checkpoint as checkpoints

Array = np.ndarray[Any, Any]
Block = Sequence[Array]
"""What is drawn of a block: arrays of float64 or int64."""
Progress = Callable[[int, int], None]
"""Called with (replications done, replications in all)."""
Worker, Item = TypeVar("Worker"), TypeVar("Item")


class Sums(Protocol):
    """What is kept of the replications, of bounded size."""

    size: int

    def arrays(self) -> dict[str, Array]:
        """All that a checkpoint keeps."""

    def restore(self, kept: dict[str, Array]) -> None:
        """Become what was kept, bit for bit."""


@dataclass(frozen=True)
class Kept:
    """A file that is replaced after each block, and from which a run goes on if it is there."""

    path: str | Path | None
    configuration: dict[str, Any]
    sums: Sums


def replicate(
    total: int,
    block: int,
    draw: Callable[[int, int], Block],
    add: Callable[[int, int, Block], None],
    progress: Progress | None = None,
    kept: Kept | None = None,
    every: int = 1,
    rests: str = "",
) -> None:
    """All replications; or those of a part, where the run is drawn in parts.

    Args:
        total: how many.
        block: how many at a time: what an interruption may lose.
        draw: ``draw(start, count)``: what is drawn of a block, which depends on nothing that was added.  Blocks are drawn in
            order, from any on.
        add: ``add(start, count, arrays)``: adds a block; in order, from the first.
        progress: told after blocks, at least ``every`` replications apart, and at the end.
        kept: the checkpoint.
        rests: what the drawing rests on that was computed before: a part that has drawn from other numbers is refused.

    Raises:
        Drawn: this is a part, and its blocks are drawn.
        ValueError: for a checkpoint of another run, or that another run has; the blocks of the parts are not those of this run.

    >>> seen = []
    >>> def run(parts=None):
    ...     token = PARTS.set(parts)
    ...     try:
    ...         draw = lambda start, count: [np.arange(start, start + count)]
    ...         replicate(5, 2, draw, lambda start, count, block: seen.append(block[0].tolist()))
    ...     except Drawn:
    ...         seen.append(sorted(parts.blocks))
    ...     finally:
    ...         PARTS.reset(token)
    >>> from asymp.model import Parts
    >>> first, second = Parts(1, 2), Parts(2, 2)
    >>> for parts in (None, first, second):
    ...     run(parts)
    >>> run(Parts(0, 1, first.blocks | second.blocks, first.run))
    >>> seen
    [[0, 1], [2, 3], [4], [0], [2, 4], [0, 1], [2, 3], [4]]
    """
    parts = PARTS.get()
    path = None if kept is None else kept.path
    run = f"{total} in blocks of {block}; {rests}"
    if parts is not None:
        if path is not None:
            raise ValueError("a part of a run keeps no checkpoint: its record is one")
        starts = range(0, total, block)
        if parts.index:
            parts.run = run
            for start in starts[parts.mine(len(starts))]:
                parts.blocks[start] = draw(start, min(block, total - start))
                if progress is not None:
                    progress(min(start + block, total), total)
            raise Drawn
        if parts.taken or parts.run != run or set(parts.blocks) != set(starts):
            raise ValueError(f"the parts are of another run: {parts.run}, and this machine would draw {run}")
        parts.taken = True
    done = told = 0
    with checkpoints.held(path):
        if kept is not None and path is not None:
            found = checkpoints.load(path, kept.configuration)
            if found is not None:
                kept.sums.restore(found)
                done = told = kept.sums.size
                if progress is not None:
                    progress(done, total)
        while done < total:
            count = min(block, total - done)
            add(done, count, draw(done, count) if parts is None else parts.blocks[done])
            done += count
            if kept is not None and path is not None:
                checkpoints.save(path, kept.configuration, kept.sums.arrays())
            if progress is not None and (done - told >= every or done == total):
                told = done
                progress(done, total)


@contextlib.contextmanager
def beforehand() -> Iterator[None]:
    """What is computed here comes before the run's own blocks: each part of the run computes all of it.

    >>> with beforehand():
    ...     replicate(1, 1, lambda *at: (), lambda *at: None)
    """
    token = PARTS.set(None)
    try:
        yield
    finally:
        PARTS.reset(token)


def spread(work: Callable[[Worker, Item], None], workers: Sequence[Worker], items: Iterable[Item]) -> None:
    """``work(worker, item)`` for every item; a worker is what one thread needs for itself.

    An exception ends the others after the items that they are at.
    """
    queue = iter(list(items))

    def run(worker: Worker) -> None:
        try:
            for item in queue:
                work(worker, item)
        finally:
            list(queue)  # after an exception nobody takes more

    if len(workers) == 1:
        run(workers[0])
        return
    with ThreadPoolExecutor(len(workers)) as pool:
        try:
            for one in [pool.submit(run, worker) for worker in workers]:
                one.result()
        finally:
            list(queue)  # nor after an interrupt, which this thread has


def pieces(count: int, workers: int) -> list[tuple[int, int]]:
    """0..count in pieces (first, end), some for each worker, so that none waits long for the others.

    >>> pieces(10, 1), pieces(3, 2)
    ([(0, 10)], [(0, 1), (1, 2), (2, 3)])
    """
    edges = np.linspace(0, count, min(count, 4 * workers if workers > 1 else 1) + 1).astype(int).tolist()
    return list(itertools.pairwise(edges))
