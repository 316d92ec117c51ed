r"""The replication loop: blocks of replications, in order, over threads, with progress and a checkpoint.

A model gives what simulates the replications ``start, ..., start + count - 1`` (its kernel) and adds what is observed of
them (its observables), and how many there are to be (its stopping rule).  Replication k draws from streams that depend on
(seed, k) alone, and blocks are added in order: so the numbers depend neither on threads nor on where a run was interrupted.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np

from asymp.sample import checkpoint as checkpoints

Array = np.ndarray[Any, Any]
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
    simulate: Callable[[int, int], None],
    progress: Progress | None = None,
    kept: Kept | None = None,
    every: int = 1,
) -> None:
    """All replications.

    Args:
        total: how many.
        block: how many at a time: what an interruption may lose.
        simulate: ``simulate(start, count)``: a block, simulated and added.
        progress: told after blocks, at least ``every`` replications apart, and at the end.
        kept: the checkpoint.

    Raises:
        ValueError: for a checkpoint of another run, or that another run has.

    >>> seen = []
    >>> replicate(5, 2, lambda start, count: seen.extend(range(start, start + count)), lambda *at: seen.append(at))
    >>> seen
    [0, 1, (2, 5), 2, 3, (4, 5), 4, (5, 5)]
    """
    path = None if kept is None else kept.path
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
            simulate(done, count)
            done += count
            if kept is not None and path is not None:
                checkpoints.save(path, kept.configuration, kept.sums.arrays())
            if progress is not None and (done - told >= every or done == total):
                told = done
                progress(done, total)


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
