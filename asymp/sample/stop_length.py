r"""Before a run: is the load stable, and how far back must a sample start?

**Stable?**  Rates below 1/E[sigma] or (s - max alpha + 1)/E[alpha sigma] are.  Others must be below 1/gamma, gamma the
mean time that a job adds to the pile of jobs that all come at time 0.  Some piles give gamma with Student's interval;
a load above it by that measure is refused.

**How far back?**  For each sample of a pilot the smallest l of a doubling sequence with M_l = M_8l' is found, l' the
length where Algorithm 1 stopped: call it T.  Its tail falls about exponentially, from the shares of the pilot at two
levels.  A sample can stop too early at l only if T > 2l, so l is such that ``P(T > 2l)`` by this line is at most
1/(50 sqrt N): N samples then err by less than a fiftieth of their standard error, if what an early stop loses is of
the order of the standard deviation.  A pilot can be wrong; what a run reports as its bias is measured in the run.
The rarest class must come about eight times besides (the paper's advice, section 7.1).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import stdtrit

from asymp.queues.laws import Law
from asymp.queues.workload import Workload
from asymp.sample import trajectory, vectors
from asymp.sample.compiler import jit
from asymp.sample.packed import Packed
from asymp.sample.runs import block_length, reset
from asymp.sample.trajectory import extend, stop

PILOT = 1 << 62
"""Samples from here on are those of pilots."""
PILES = 16
WIDE = float(stdtrit(PILES - 1, 1 - 1e-6))
"""Standard errors of :data:`PILES` piles beyond which a load is told from the threshold, once in 10^6 wrongly."""
MEETINGS = 64
LONGEST = 1 << 22
"""Jobs of the longest pile; the rarest class does not make a pilot go further back than this."""
DEFAULT_MOST = 1 << 34


class UnstableError(ValueError):
    """The load is at or above the threshold; the message is one line."""


def refuse_unstable(
    workload: Workload, interarrival: Law, packed: Packed, seed: int, way: str = "numba", surely: bool = False
) -> None:
    """See that a load is stable, by piles that grow until they tell (or to :data:`LONGEST` jobs).

    Args:
        surely: refuse as well what the longest piles cannot tell from the threshold.

    Raises:
        UnstableError: in one line.
    """
    rate = 1 / interarrival.mean
    ideal = workload.ideal_rate
    if not rate < ideal:
        raise UnstableError(
            f"unstable: {rate:.6g} jobs a unit of time, and {workload.servers} servers can do at most {ideal:.6g}"
        )
    # While a job waits fewer servers than it needs are idle, and jobs one at a time are served no faster.
    blocked = (workload.servers - max(workload.needs) + 1) / workload.mean_demand
    if rate < max(blocked, 1 / workload.mean_service) * (1 - 1e-9):
        return
    count = power_of_two(min(max(1 << 13, 4 * workload.servers, 64 / min(workload.probabilities)), LONGEST))
    while True:
        mean, error = pile_growth(packed, workload, seed, count, way)
        low, high = mean - WIDE * error, mean + WIDE * error
        if rate * low >= 1:
            raise UnstableError(
                f"unstable: {rate:.6g} jobs a unit of time, and the threshold is about {1 / mean:.4g}"
                f" (at most {1 / low:.4g}); without head-of-line blocking it would be {ideal:.4g}"
            )
        if rate * high < 1:
            return
        if count >= LONGEST or (way == "numpy" and count >= 1 << 15):
            break
        count *= 4
    if surely:
        raise UnstableError(
            f"{rate:.6g} jobs a unit of time cannot be told from the threshold, about {1 / mean:.6g}:"
            f" samples might never stop (give `most`, below {DEFAULT_MOST}, to try)"
        )


def pile_growth(packed: Packed, workload: Workload, seed: int, count: int, way: str = "numba") -> tuple[float, float]:
    """The mean time that a job adds to the pile, and its standard error, over :data:`PILES` piles of ``count`` jobs."""
    if way == "numpy":
        growth = vectors.pile_growth(packed, seed, PILOT + np.arange(PILES), count)
        return float(growth.mean()), float(growth.std(ddof=1)) / math.sqrt(PILES)
    growth = np.empty(PILES)
    bench = trajectory.new_bench(packed)
    for k in range(PILES):
        which = np.uint64(PILOT + k)
        reset(bench.state, workload.servers, 0.0)
        half, block = count // 2, 2 * count  # no fresh start of the clock on the way
        low = trajectory.walk(packed, np.uint64(seed), which, bench, block, 0, half, 1, trajectory.PILE)
        high = trajectory.walk(packed, np.uint64(seed), which, bench, block, half, half, 1, trajectory.PILE)
        growth[k] = (max(high, low) - low) / half
    return float(growth.mean()), float(growth.std(ddof=1)) / math.sqrt(PILES)


def choose(packed: Packed, workload: Workload, samples: int, seed: int, most: int, way: str = "numba") -> int:
    """The first length of Algorithm 1 for so many samples."""
    block = block_length(workload.servers)
    start = min(max(block, power_of_two(min(8 / min(workload.probabilities), LONGEST))), max(1, most // 2))
    size = int(min(max((1 << 25) // start, MEETINGS), 4 * MEETINGS))
    met = meetings(packed, seed, start, most, way, size)
    goal = 1 / (50 * math.sqrt(samples))
    # The tail from the first level with few samples beyond it and the one before.
    level = start
    while np.sum(met > level) >= 4:
        level *= 2
    share = (float(np.sum(met > level)) + 1) / size
    before = float(np.mean(met > level // 2)) if level > start else 1.0
    slope = math.log(before / share) / (level // 2 if level > start else level)
    slope = max(slope, 0.25 * -math.log(share) / level)  # two levels that differ by noise alone
    best = 0.5 * (level + math.log(max(share / goal, 1.0)) / slope)
    return int(min(max(start, math.ceil(best / block) * block), max(1, most // 2)))


def meetings(packed: Packed, seed: int, first: int, most: int, way: str = "numba", size: int = MEETINGS) -> Any:
    """Of each pilot sample, the smallest ``first 2^k`` from which on the workload at time 0 stayed the same."""
    if way == "numpy":
        return vectors.meetings(packed, seed, PILOT + np.arange(size), first, most)
    bench, block = trajectory.bench_for(packed, first, 8 * most)
    found = [meet(packed, np.uint64(seed), np.uint64(PILOT + k), bench, block, first, most) for k in range(size)]
    return np.array(found)


@jit
def meet(packed: Any, seed: Any, sample: Any, bench: Any, block: int, first: int, most: int) -> int:
    length = stop(packed, seed, sample, bench, block, first, most)
    if length < 0:
        return -2 * length
    if extend(packed, seed, sample, bench, block, 4 * length):
        return 4 * length
    return length // 2


def power_of_two(x: float) -> int:
    """The smallest power of two that is at least x.

    >>> power_of_two(5), power_of_two(8)
    (8, 8)
    """
    return 1 << max(0, math.ceil(math.log2(x)))
