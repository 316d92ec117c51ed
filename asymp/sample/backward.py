r"""Algorithm 1: independent samples of the stationary workload of a multiserver-job queue, backward in time.

The model and its recurrence are in :mod:`asymp.sample.runs`; what is estimated is in :mod:`asymp.sample.waiting`.

**Backward** (:func:`backward`).  Sample k is built from jobs -1, -2, ... of its own: the system starts empty l jobs
ago, l doubles until M_l = M_2l, exactly and per sample.  M_l is below the stationary workload M_oo, and so is what
Algorithm 1 returns: M_l = M_2l does not show that M_4l is the same.  Two things are done about it.

* The first l, unless given, is chosen by a pilot.  Let T be the smallest l (of a doubling sequence) with M_l = M_oo;
  its tail is about exponential.  A sample stops too early at l only if T > 2l, and l is chosen so that the pilot's
  tail makes that improbable against the standard error of N samples.
* Some samples are continued to four times the length at which they stopped.  What that changes in the mean waiting
  time is reported as ``early-stopping-bias``, with an interval, and :attr:`Sampled.notes` says how it compares to the
  standard error.

**Unstable loads** are refused before anything is sampled, when the rate is at least s/E[alpha sigma] or when a pile
of jobs grows too fast (the threshold is 1/gamma, gamma the mean time a job adds to the pile); a sample that reaches
``most`` jobs without stopping is counted and reported.

Numbers depend on (workload, interarrival law, seed, samples, first, most) alone: not on threads, on whether the run
was interrupted, or on whether numba is there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from asymp.queues.law import Law, whole
from asymp.queues.workload import Workload
from asymp.sample import cuda, observe, stop_length, trajectory, vectors
from asymp.sample.backend import backend
from asymp.sample.estimate import Estimate
from asymp.sample.packed import Packed, pack
from asymp.sample.replicate import Kept, Progress, pieces, replicate, spread
from asymp.sample.runs import block_length
from asymp.sample.sampled import MOST, Array, Sampled, check_arguments, engine
from asymp.sample.waiting import Totals, estimates

BLOCK_JOBS = 1 << 26
"""Jobs of a block, about: what a kill may lose."""
FACTOR = 4
"""Continued samples go to so many times the length at which they stopped."""


def backward(
    workload: Workload,
    interarrival: Law,
    samples: int,
    seed: int = 0,
    first: int | None = None,
    most: int = MOST,
    level: float = 0.99,
    device: str = "auto",
    threads: int = 1,
    progress: Progress | None = None,
    checkpoint: str | Path | None = None,
) -> Sampled:
    """Independent samples of the stationary workload by Algorithm 1, and what they say of waiting times.

    Args:
        workload: the classes and the servers.
        interarrival: the law of the times between arrivals (exponential: Poisson arrivals).
        samples: how many.
        seed: 0 <= seed < 2^64.
        first: the first l; chosen by a pilot if not given.
        most: no sample goes back further than this many jobs.
        level: confidence level of the intervals.
        device: ``auto``, ``cpu`` or ``gpu``; ``numba`` and ``numpy`` are the two ways of the CPU.
        threads: over which samples are spread; the numbers do not depend on it.
        progress: called with (done, samples) after each block.
        checkpoint: a file that is replaced after each block; if it is there the run goes on from it.

    Raises:
        ValueError: for arguments out of range or a checkpoint of another run.
        UnstableError: if the load is at or above the threshold.

    >>> from asymp.queues.laws import Exponential
    >>> from asymp.queues.workload import ServerNeed
    >>> queue = Workload(1, (ServerNeed(1, 1.0, Exponential(1.0)),))
    >>> found = backward(queue, Exponential(2.0), samples=2000, first=1024)
    >>> found["waiting-mean"].agrees(1.0)  # M/M/1 at load 1/2
    True
    """
    check_arguments(workload, interarrival, samples, seed, level, threads)
    if first is not None:
        whole("first", first, 1, most, f"1..most = {most}")
    if not 1 <= most <= 1 << 50:
        raise ValueError(f"most must lie in 1..2^50, not {most}")
    packed = pack(workload, interarrival)
    there = engine(device)
    stop_length.refuse_unstable(workload, interarrival, packed, seed, there, surely=most >= MOST)
    if first is None:
        first = stop_length.choose(packed, workload, samples, seed, most, there)
    wanted = min(samples, max(64, round(8 * math.sqrt(samples))))
    plan = observe.Plan(first, most, samples // wanted, FACTOR)
    configuration = {
        "kind": "backward",
        "workload": repr(workload),
        "interarrival": repr(interarrival),
        "samples": samples,
        "seed": seed,
        "first": first,
        "most": most,
    }
    view = observe.view(workload)
    # A block is what a kill may lose: seconds of work, and enough samples for the threads.
    block = int(min(max(BLOCK_JOBS // first, 16), 1024))
    look, totals = observer(packed, view, seed, plan, device, samples, block, threads), Totals(view.needs.size)

    def add(start: int, count: int, drawn: Sequence[Array]) -> None:
        out, stopped = drawn
        totals.add(out, stopped, (np.arange(start, start + count) % plan.share == 0) & (stopped > 0))

    replicate(samples, block, look, add, progress, Kept(checkpoint, configuration, totals), rests=f"{there}, {configuration}")
    unstopped = sum(n for length, n in totals.lengths.items() if length < 0)
    found = estimates(totals, workload, interarrival, level, seed, there)
    notes = _notes(totals, workload, found, plan, level, seed, there, unstopped)
    return Sampled(found, totals, workload, interarrival, seed, first, most, there, unstopped, notes)


def observer(
    packed: Packed, view: observe.View, seed: int, plan: observe.Plan, device: str, samples: int, block: int, threads: int
) -> Callable[[int, int], tuple[Array, Array]]:
    """``look(start, count)``: observations and stopping lengths of a block of samples (on a card, of the next block)."""
    there = engine(device)
    if there == "numpy":
        return lambda start, count: vectors.observations(packed, view, seed, np.arange(start, start + count), plan)
    if there == "cuda":
        blocks: list[Iterator[tuple[Array, Array]]] = []

        def following(start: int, count: int) -> tuple[Array, Array]:
            if not blocks:
                blocks.append(cuda.blocks(backend(device).xp, packed, view, seed, plan, start, samples, block))
            return next(blocks[0])

        return following
    benches = [trajectory.new_bench(packed, plan.first, plan.most * plan.factor) for _ in range(threads)]
    length, columns, own = block_length(int(packed.servers)), view.needs.size + len(observe.EXTRA), np.uint64(seed)

    def look(start: int, count: int) -> tuple[Array, Array]:
        out, stopped = np.empty((count, columns)), np.empty(count, np.int64)

        def work(bench: trajectory.Bench, piece: tuple[int, int]) -> None:
            part, n = slice(*piece), piece[1] - piece[0]
            observe.observe(packed, view, own, start + piece[0], n, bench, length, plan, out[part], stopped[part])

        spread(work, benches, pieces(count, threads))
        return out, stopped

    return look


def _notes(
    totals: Totals, workload: Workload, found: dict[str, Estimate], plan: observe.Plan, level: float, seed: int,
    there: str, unstopped: int,
) -> tuple[str, ...]:  # fmt: skip
    notes = []
    rare = min(workload.probabilities) * 2 * plan.first
    if rare < 4:
        notes.append(f"the rarest class comes {rare:.2g} times in the mean among the {2 * plan.first} jobs of a sample")
    if unstopped:
        notes.append(
            f"{unstopped} of {totals.size} samples did not stop within {plan.most} jobs: all of this is too low"
        )
    bias = found.get("early-stopping-bias")
    error = found["waiting-mean"].stderr
    if bias is not None and math.isfinite(error):
        changed = int(totals.continued[1])
        text = (
            f"{changed} of {int(totals.continued[0])} samples changed when continued {plan.factor}-fold past their stop"
        )
        high = bias.interval[1]
        if bias.value > 0.25 * error:
            notes.append(
                f"{text}: the bias, {bias.value:.2g}, is not negligible against the standard error, {error:.2g}"
            )
        elif high > error:
            notes.append(f"{text}: a bias of up to {high:.2g} (standard error {error:.2g}) is not excluded")
        else:
            notes.append(f"{text}: the early-stopping bias is below the standard error, {high:.2g} < {error:.2g}")
    return tuple(notes)
