r"""What Algorithm 1 gets wrong: its samples beside perfect samples of the same jobs, one by one.

Algorithm 1 stops at the first l with M_l = M_2l.  Whether M_l is the stationary workload is then known for each sample, from
the sandwich of :mod:`asymp.sample.perfect` (except with probability epsilon): the share of wrong stops and the bias are measured
on the pairs, without the noise of two separate runs.  Both read the same random numbers and hold the same bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from asymp.queues.laws import Law
from asymp.queues.workload import Workload
from asymp.sample import observe, sandwich, trajectory
from asymp.sample.batches import Calibration, Dominating, calibrated, dominate
from asymp.sample.estimate import Estimate, make_estimate
from asymp.sample.packed import Array, pack
from asymp.sample.perfect import MOST, first_start
from asymp.sample.replicate import Progress, replicate
from asymp.sample.runs import block_length
from asymp.sample.sampled import check_arguments
from asymp.sample.sketch import proportion_interval


@dataclass(frozen=True)
class EarlyStopping:
    """Algorithm 1 with one first length beside the truth.

    Args:
        first: the first l.
        wrong: the probability that it stops at another workload than the stationary one.
        bias: the mean of its waiting time less the true one's (negative: too low), all jobs.
        relative: that bias over the mean waiting time.
        waiting: the mean waiting time of Algorithm 1.
        jobs: jobs of a sample, the mean of the length 2l that confirmed it.
        stopped: how many samples stopped at each length.
    """

    first: int
    wrong: Estimate
    bias: Estimate
    relative: float
    waiting: Estimate
    jobs: float
    stopped: dict[int, int]


@dataclass(frozen=True)
class Comparison:
    """Perfect samples, and Algorithm 1 on the same jobs.

    Args:
        waiting: the true mean waiting time, all jobs.
        early: Algorithm 1 for each first length.
        jobs: jobs drawn for a perfect sample, in the mean.
        steps: jobs that one of its two chains passed through, in the mean.
        unmet: samples that were not certified; they are left out.
        dominating: the batch queue that certifies.
    """

    waiting: Estimate
    early: tuple[EarlyStopping, ...]
    jobs: float
    steps: float
    unmet: int
    dominating: Dominating


def compare(
    workload: Workload,
    interarrival: Law,
    samples: int,
    first: Sequence[int],
    seed: int = 0,
    epsilon: float = 1e-12,
    level: float = 0.99,
    most: int = MOST,
    calibration: Calibration | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Algorithm 1 for each first length beside perfect samples of the same jobs.

    Raises:
        ValueError: as :func:`asymp.sample.perfect.perfect`, a first length below 1, or no sample that is certified.

    >>> from asymp.queues.laws import Exponential
    >>> from asymp.queues.workload import ServerNeed
    >>> queue = Workload(1, (ServerNeed(1, 1.0, Exponential(1.0)),))
    >>> found = compare(queue, Exponential(1.25), 2000, first=[1, 1024])
    >>> found.early[0].wrong.value > 0.1, found.early[0].bias.value < 0  # from l = 1 it stops too early, too low
    (True, True)
    """
    check_arguments(workload, interarrival, samples, seed, level, 1)
    if any(length < 1 for length in first):
        raise ValueError("first lengths must be at least 1")
    if calibration is None:
        dominating = calibrated(workload, interarrival, samples, seed, epsilon)
    else:
        dominating = dominate(calibration, interarrival, epsilon)
    packed = pack(workload, interarrival)
    block = block_length(int(packed.servers))
    begin, _ = first_start(packed, interarrival, dominating, epsilon, seed, most)
    begin = -(-begin // block) * block
    view = observe.view(workload)
    low, high = trajectory.new_bench(packed), trajectory.new_bench(packed)
    mean = view.needs.size
    thirds = [trajectory.new_bench(packed, length, most) for length in first]
    row = np.empty(mean + len(observe.EXTRA))
    truth, found = np.full(samples, np.nan), np.empty((len(first), samples))
    stops = np.empty((len(first), samples), np.int64)
    jobs = steps = 0

    def draw(k: int, _: int) -> tuple[()]:
        nonlocal jobs, steps
        which = np.uint64(k)
        start, part, met = begin, epsilon / 2, -1
        while met < 0 and start <= most:
            met = sandwich.sandwich(packed, np.uint64(seed), which, low, high, block, start, dominating.level(part))
            jobs, steps = jobs + start, steps + 2 * start - max(met, 0)
            start, part = 2 * start, part / 2
        if met < 0:
            return ()
        n = sandwich.in_order(low.state, low.times, low.counts)
        sandwich.seen(view, low.times, low.counts, n, 1, 0.0, 0.0, row)
        truth[k] = row[mean]
        for turn, (length, third) in enumerate(zip(first, thirds, strict=True)):
            stopped = abs(trajectory.stop(packed, np.uint64(seed), which, third, block, length, most))
            marks = third.marks
            same = (
                marks.length[0] == n
                and np.array_equal(marks.times[0, :n], low.times[:n])
                and np.array_equal(marks.counts[0, :n], low.counts[:n])
            )
            sandwich.seen(view, marks.times[0], marks.counts[0], marks.length[0], 1, 0.0, 0.0, row)
            found[turn, k], stops[turn, k] = row[mean], stopped if same else -stopped
        return ()

    replicate(samples, 1, draw, lambda *_: None, progress)
    keep = ~np.isnan(truth)
    if not keep.any():
        raise ValueError(f"none of the samples is certified from {most} jobs ago")
    early = tuple(
        _early(length, found[turn, keep], truth[keep], stops[turn, keep], level, seed)
        for turn, length in enumerate(first)
    )
    return Comparison(
        _mean(truth[keep], level, seed), early, jobs / samples, steps / samples, int((~keep).sum()), dominating
    )


def _mean(values: Array, level: float, seed: int) -> Estimate:
    error = float(values.std(ddof=1) / np.sqrt(values.size)) if values.size > 1 else np.inf
    return make_estimate(float(values.mean()), error, values.size, level, seed, "numba")


def _early(first: int, found: Array, truth: Array, stops: Array, level: float, seed: int) -> EarlyStopping:
    n, wrong = stops.size, int(np.count_nonzero(stops < 0))
    share = wrong / n
    error = float(np.sqrt(share * (1 - share) / n))
    interval = proportion_interval(wrong, n, level)
    bias = _mean(found - truth, level, seed)
    lengths, counts = np.unique(np.abs(stops), return_counts=True)
    stopped: dict[int, Any] = dict(zip(lengths.tolist(), counts.tolist(), strict=True))
    mean = float(truth.mean())
    return EarlyStopping(
        first,
        Estimate(share, error, interval, level, n, seed, "numba"),
        bias,
        bias.value / mean if mean else 0.0,
        _mean(found, level, seed),
        float(np.abs(stops).mean()),
        stopped,
    )
