r"""Perfect samples of the multiserver-job queue: coupling from the past under a dominating queue of the same threshold.

The paper samples from below: Algorithm 1 stops when M_l = M_2l, which does not show that M_l is the stationary workload, and
its Appendix A leaves open a computable stationary majorant with the stability region of the queue itself.  The batch queue of
:mod:`asymp.sample.batches` is one: stable if lambda < m/E[H_m], which tends to the threshold 1/gamma as m grows.

Sample k is built from the jobs -1, -2, ... that :func:`asymp.sample.multiserver.backward` uses.  Job -N finds the system
empty in one chain and every server loaded with u in the other, ``P(Z > u) <= epsilon`` for the majorant Z of the stationary
workload there.  Unless Z > u, the stationary workload lies between the two chains from then on; if they have met by job 0,
what it finds is that workload itself, bit for bit.  If not, N is doubled, with half the epsilon.

What a sample is certified to be: the stationary workload, except on an event of probability at most epsilon (1e-12 unless
asked otherwise), given that the calibration of the dominating queue holds, which is so with probability 1 - delta (1e-9;
for m = 1 nothing is calibrated and delta is 0).  So the law of a sample is within epsilon of the stationary law in total
variation.  As everywhere here, the random numbers are taken for independent uniform ones and float64 for the reals.

That a bound of the load enters, known or calibrated, is not for want of skill: a sampler that is given no more than independent
piles, and is exact for every stable load, would draw events of probability 1 - c p from events of unknown probability p on all of
0 < c p < 1 (the dominating queue empty, for heights 0 or b), and Keane and O'Brien (1994) show that none can.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from asymp.queues.law import Law, proper
from asymp.queues.workload import Workload
from asymp.sample import kernels, observe, sandwich, trajectory
from asymp.sample.batches import CALIBRATION, Calibration, Dominating, calibrated, dominate
from asymp.sample.estimate import Estimate
from asymp.sample.packed import Array, Packed, pack
from asymp.sample.replicate import Progress, pieces, replicate, spread
from asymp.sample.runs import block_length, in_order
from asymp.sample.sampled import check_arguments
from asymp.sample.stop_length import refuse_unstable
from asymp.sample.waiting import Totals, estimates

MOST = 1 << 34
PILOTS = 64
BLOCK = 1024
"""Samples between two reports of progress."""


@dataclass(frozen=True)
class Perfect:
    """What :func:`perfect` found.

    Args:
        estimates: by name; see :func:`asymp.sample.waiting.estimates`.
        totals: the sums they came from.
        dominating: the batch queue that certifies.
        epsilon: the probability, at most, that a sample is not the stationary workload.
        start: N, how many jobs ago the chains of a sample were started first.
        levels: the load u of the upper chain at N, 2N, 4N, ...
        met: how many samples had met when started at N, 2N, 4N, ...
        unmet: samples that had not met at the longest start: they are not certified.
        jobs: jobs drawn for the samples, calibration and pilot excluded.
        steps: jobs that one of the two chains passed through.
        pilot: jobs drawn to choose N.
    """

    estimates: dict[str, Estimate]
    totals: Totals
    workload: Workload
    interarrival: Law
    seed: int
    dominating: Dominating
    epsilon: float
    start: int
    levels: tuple[float, ...]
    met: tuple[int, ...]
    unmet: int
    jobs: int
    steps: int
    pilot: int
    notes: tuple[str, ...] = field(default=())

    def __getitem__(self, name: str) -> Estimate:
        return self.estimates[name]

    @property
    def size(self) -> int:
        """Samples."""
        return sum(self.met) + self.unmet

    def workloads(self, k: int) -> Array:
        """The ordered workload of sample k, ``W^1 <= ... <= W^s``, computed again.

        Raises:
            ValueError: if sample k is not certified.
        """
        packed = pack(self.workload, self.interarrival)
        block = block_length(int(packed.servers))
        low, high = trajectory.new_bench(packed), trajectory.new_bench(packed)
        for turn, level in enumerate(self.levels):
            start = self.start << turn
            if sandwich.sandwich(packed, np.uint64(self.seed), np.uint64(k), low, high, block, start, level) >= 0:
                n = in_order(low.state, low.times, low.counts)
                return np.repeat(low.times[:n], low.counts[:n])
        raise ValueError(f"sample {k} had not met {self.start << (len(self.levels) - 1)} jobs ago")

    @property
    def certificate(self) -> str:
        """What is certified, in words."""
        d = self.dominating
        text = (
            f"{sum(self.met)} of {self.size} samples: the chain started empty and the one started at workload "
            f"{self.levels[0]:.6g} met; each sample is the stationary workload except with probability {self.epsilon:g}, by "
            f"a dominating queue of batches of {d.size} jobs with exponent {d.theta:.6g}"
        )
        if d.delta:
            text += f" (from {d.piles} simulated piles, confidence 1 - {d.delta:g})"
        return text


def perfect(
    workload: Workload,
    interarrival: Law,
    samples: int,
    seed: int = 0,
    epsilon: float = 1e-12,
    m: int | None = None,
    level: float = 0.99,
    delta: float = 1e-9,
    start: int | None = None,
    most: int = MOST,
    threads: int = 1,
    calibration: Calibration | None = None,
    progress: Progress | None = None,
) -> Perfect:
    """Independent samples of the stationary workload, each with a certificate.

    Args:
        workload: the classes and the servers.
        interarrival: the law of the times between arrivals.
        samples: how many.
        seed: 0 <= seed < 2^64; samples and jobs are those of :func:`asymp.sample.multiserver.backward`.
        epsilon: the probability that a sample may be wrong.
        m: jobs of a batch of the dominating queue, a power of two; chosen for the lowest u if not given.
        level: confidence level of the estimates' intervals.
        delta: the probability that the calibration may fail.
        start: how many jobs ago chains are first started; chosen by a pilot if not given.
        most: the longest start.
        threads: over which samples are spread; the numbers do not depend on it.
        calibration: one made for this workload before (its own delta then counts); the same serves every arrival rate.
        progress: called with (samples done, samples).

    Raises:
        UnstableError: if the load is at or above the threshold.
        ValueError: arguments out of range, a load too near the threshold for a dominating queue to be found, or service
            times without exponential moment.
        ImportError: without numba.

    >>> from asymp.queues.laws import Exponential
    >>> from asymp.queues.workload import ServerNeed
    >>> queue = Workload(1, (ServerNeed(1, 1.0, Exponential(1.0)),))
    >>> found = perfect(queue, Exponential(2.0), samples=2000)
    >>> found["waiting-mean"].agrees(1.0), found.unmet, found.dominating.delta  # M/M/1 at load 1/2
    (True, 0, 0.0)
    """
    check_arguments(workload, interarrival, samples, seed, level, threads)
    proper("epsilon", epsilon)
    if samples >= CALIBRATION:
        raise ValueError(f"samples must be below 2^62, not {samples}")
    if not kernels.available():
        raise ImportError("perfect samples need numba, which is not installed")
    packed = pack(workload, interarrival)
    refuse_unstable(workload, interarrival, packed, seed)
    if calibration is None:
        dominating = calibrated(workload, interarrival, samples, seed, epsilon, delta, m)
    elif calibration.workload == workload:
        dominating = dominate(calibration, interarrival, epsilon, m)
    else:
        raise ValueError("the calibration was made for another workload")
    block = block_length(int(packed.servers))
    pilot = 0
    if start is None:
        start, pilot = first_start(packed, interarrival, dominating, epsilon, seed, most)
    start = -(-start // block) * block
    starts, levels = [start], [dominating.level(epsilon / 2)]
    while 2 * starts[-1] <= most:
        starts.append(2 * starts[-1])
        levels.append(dominating.level(epsilon / 2 ** (len(starts))))
    view = observe.view(workload)
    chains = Chains(packed, view, seed, block, starts, levels)
    benches = [(trajectory.new_bench(packed), trajectory.new_bench(packed)) for _ in range(threads)]
    totals, places = Totals(len(workload.classes)), np.zeros(len(starts) + 1, np.int64)

    def draw(at: int, count: int) -> tuple[Array, Array, Array]:
        out, where = np.empty((count, view.needs.size + len(observe.EXTRA))), np.full(count, -1, np.int64)
        chains.jobs, chains.steps = [], []
        spread(lambda pair, piece: chains.sample(pair, at, piece, out, where), benches, pieces(count, threads))
        return out, where, np.array([sum(chains.jobs), sum(chains.steps)], np.int64)

    def add(_: int, count: int, drawn: Sequence[Array]) -> None:
        out, where, passed = drawn
        lengths = np.where(where < 0, -starts[-1], np.array(starts)[where])
        totals.add(out, lengths, np.zeros(count, bool))
        places[:] += np.bincount(where + 1, minlength=places.size)
        work[:] += passed

    work = np.zeros(2, np.int64)
    replicate(samples, BLOCK, draw, add, progress, rests=f"{workload!r}, {interarrival!r}, {seed}, {starts}, {levels}")
    unmet, *met = places.tolist()
    while len(met) > 1 and met[-1] == 0 and not unmet:
        met.pop()
    notes = (f"{unmet} samples had not met {starts[-1]} jobs ago: they are not certified",) if unmet else ()
    found = estimates(totals, workload, interarrival, level, seed, "numba")
    return Perfect(
        found, totals, workload, interarrival, seed, dominating, epsilon, start, tuple(levels[: len(met)]), tuple(met),
        unmet, int(work[0]), int(work[1]), pilot, notes,
    )  # fmt: skip


@dataclass
class Chains:
    """The chains of samples: started N ago, those that have not met 2N ago, and so on."""

    packed: Packed
    view: observe.View
    seed: int
    block: int
    starts: list[int]
    levels: list[float]
    jobs: list[int] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)

    def sample(
        self, pair: tuple[trajectory.Bench, trajectory.Bench], at: int, piece: tuple[int, int], out: Array, where: Array
    ) -> None:
        """Samples ``at + piece[0], ..., at + piece[1] - 1``: observations, and the place of the start from which each met."""
        todo = np.arange(*piece)
        for place, (start, level) in enumerate(zip(self.starts, self.levels, strict=True)):
            # Samples that are next to each other go in one call.
            for group in np.split(todo, np.flatnonzero(np.diff(todo) > 1) + 1):
                n, first = group.size, at + int(group[0])
                met, rows = np.empty(n, np.int64), np.empty((n, out.shape[1]))
                sandwich.sample(
                    self.packed, self.view, np.uint64(self.seed), first, n, *pair, self.block, start, level, rows, met
                )
                out[group] = rows
                where[group[met >= 0]] = place
                self.jobs.append(start * n)
                self.steps.append(int(np.sum(2 * start - np.maximum(met, 0))))
            todo = todo[where[todo] < 0]
            if not todo.size:
                break


def first_start(
    packed: Packed, interarrival: Law, dominating: Dominating, epsilon: float, seed: int, most: int
) -> tuple[int, int]:
    """(a start from which about 95% of samples meet, the jobs it took to find it).

    The upper chain loses its load at the rate ``E tau - gamma`` a job; how long that takes is seen on pilot samples,
    which are not those of the result.
    """
    block = block_length(int(packed.servers))
    level = dominating.level(epsilon / 2)
    slack = max(interarrival.mean - dominating.mean / dominating.size, 0.02 * interarrival.mean)
    start = max(block, math.ceil(1.5 * level / slack / block) * block)
    low, high = trajectory.new_bench(packed), trajectory.new_bench(packed)
    lengths: list[int] = []
    spent, k = 0, 0
    while len(lengths) < PILOTS and start <= most:
        which = np.uint64(CALIBRATION + (1 << 40) + k)
        met = sandwich.sandwich(packed, np.uint64(seed), which, low, high, block, start, level)
        spent, k = spent + start, k + 1
        if met < 0:
            # Not to lose the long ones, all begin again.
            start, lengths = 2 * start, []
        else:
            lengths.append(start - met)
    return (int(np.quantile(lengths, 0.95)) if lengths else most), spent


__all__ = ["Perfect", "first_start", "perfect"]
