r"""The dominating queue: batches of m jobs, one after another, and a proved bound of its tail.

Delay m successive arrivals to the last of them, start no batch before the one before it has left, and let each start
from empty servers: batch k then takes the height H of a pile of m jobs, and the time by which all work of batches up
to k is done dominates every completion (:mod:`proofs.mjsre.perfect`).  Seen by the job that arrives first after a
batch it is ``Z = max over n >= 1 of (H_1 + ... + H_n - (1 + (n-1) m interarrival times))``, so that by Kingman's
inequality

    P(Z > u) <= exp(-theta u) E[exp(theta H)] E[exp(-theta tau)]    if E[exp(theta H)] E[exp(-theta tau)]^m <= 1.

``E[exp(theta H)]`` is known for one job alone (m = 1: the height is the service time).  For m = 2, 4, 8, ... it is
bounded from simulated piles by the empirical Bernstein inequality (Maurer and Pontil, 2009, Theorem 4), on piles cut
off at a height h; what the cut loses is at most ``c exp(-(phi - theta) h) E[exp(phi H)]`` for any phi > theta, and
``E[exp(phi H_2m)] <= E[exp(phi H_m)]^2`` since a pile is at most as high as two halves put on top of each other.  So
each size rests on the one before it, and the first on exact moments: no bounded support, no variance is assumed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from asymp.queues.laws import Deterministic, Law
from asymp.sample.packed import Array, Packed, pack
from asymp.sample.transforms import largest_rate, log_mgf, log_mgf_services

if TYPE_CHECKING:
    from asymp.queues.workload import Workload

LEVELS = 22
"""Sizes of batches: 1, 2, ..., 2^21."""
RATES = 88
"""How many theta are tried at each size."""
SLACK = 0.02
"""The dominating queue is accepted if ``log(E[exp(theta H)] E[exp(-theta tau)]^m) <= -SLACK``."""
CALIBRATION = 1 << 62
"""Sample numbers from here on are drawn for the calibration, never for a result."""
_ANY = Deterministic(1.0)
"""A pile needs no arrivals; packing wants a law of them."""


@dataclass(frozen=True)
class Moments:
    """Upper bounds of ``log E exp(theta H)`` for piles of ``size`` jobs, at each of ``rates`` (decreasing).

    ``mean`` is the sample mean of the height, for messages; ``piles`` is 0 where nothing was simulated.
    """

    size: int
    rates: Array
    bounds: Array
    mean: float
    piles: int


@dataclass(frozen=True)
class Dominating:
    """A batch queue with a proved exponential tail.

    Attributes:
        size: jobs of a batch, m.
        theta: the exponent.
        height: an upper bound of ``log E exp(theta H_m)``.
        gap: an upper bound of ``log E exp(-theta tau)``.
        drift: ``height + m gap < 0``: an upper bound of ``log E exp(theta (H_m - T_m))``.
        delta: the probability that the calibration failed, so that one of these bounds is false; 0 for m = 1.
        piles: simulated piles of m jobs.
        jobs: jobs that the whole calibration took.
        mean: the mean height of a pile (for information).
    """

    size: int
    theta: float
    height: float
    gap: float
    drift: float
    delta: float
    piles: int
    jobs: int
    mean: float

    def level(self, epsilon: float) -> float:
        """A u with ``P(Z > u) <= epsilon``: the workload from which the upper chain starts."""
        return max((self.height + self.gap - math.log(epsilon)) / self.theta, 0.0)

    def tail(self, level: float) -> float:
        """A bound of ``P(Z > level)``."""
        return min(1.0, math.exp(self.height + self.gap - self.theta * level))


class Calibration:
    """Bounds of exponential moments of piles of 1, 2, 4, ... jobs, computed when first asked for.

    Args:
        workload: the classes.
        seed: of the calibration's own jobs.
        delta: the probability that any of the bounds is false, over everything this object ever says.
        jobs: jobs simulated for each size.
    """

    def __init__(self, workload: Workload, seed: int = 0, delta: float = 1e-9, jobs: int = 1 << 22) -> None:
        if not 0 < delta < 1:
            raise ValueError(f"delta must lie strictly between 0 and 1, not {delta}")
        self.workload, self.seed, self.delta, self.jobs = workload, seed, delta, jobs
        self.spent = 0
        top = _top(workload)
        rates = top * 2.0 ** (-np.arange(RATES) / 8)
        bounds = np.array([log_mgf_services(workload, float(r)) for r in rates])
        self._levels = [Moments(1, rates, bounds, workload.mean_service, 0)]

    def moments(self, level: int) -> Moments:
        """The bounds for piles of ``2^level`` jobs."""
        while len(self._levels) <= level:
            self._levels.append(self._doubled(self._levels[-1], len(self._levels)))
        return self._levels[level]

    def _doubled(self, half: Moments, level: int) -> Moments:
        size = 2 * half.size
        count = max(min(self.jobs // size, 1 << 19), 512)
        heights = pile_heights(pack(self.workload, _ANY), size, count, self.seed, CALIBRATION + level)
        self.spent += size * count
        delta = self.delta / (LEVELS * RATES)
        before = 2 * half.bounds
        bounds = before.copy()
        for place, rate in enumerate(half.rates):
            bounds[place] = min(before[place], _upper(heights, float(rate), place, half.rates, before, delta))
        return Moments(size, half.rates, bounds, float(heights.mean()), count)


def _top(workload: Workload) -> float:
    """The largest theta to try: below where the moment ends, and where neither it nor theta is out of all proportion."""
    top = min(0.97 * largest_rate(workload), 64 / workload.mean_service)
    while log_mgf_services(workload, top) > 30:
        top /= 2
    return top


def pile_heights(packed: Packed, size: int, count: int, seed: int, sample: int) -> Array:
    """The heights of ``count`` independent piles of ``size`` jobs, from empty."""
    from asymp.sample import sandwich, trajectory

    heights = np.empty(count)
    bench = trajectory.new_bench(packed)
    sandwich.kernels().piles(packed, np.uint64(seed), np.uint64(sample), size, bench, heights)
    return heights


def _upper(heights: Array, rate: float, place: int, rates: Array, before: Array, delta: float) -> float:
    """An upper bound of ``log E exp(rate H)``, false with probability at most delta.

    ``before`` bounds the same at every rate, from samples that are independent of ``heights``; the height of the cut
    is chosen from it alone, as the inequality needs.
    """
    n, logs = heights.size, math.log(2 / delta)
    range_factor = math.log(7 * logs / (3 * (n - 1)))
    best: tuple[float, float, float] | None = None
    for other in range(place):
        phi = float(rates[other])
        if not math.isfinite(before[other]):
            continue
        # E (e^(rate H) - e^(rate h))^+ <= c e^(-(phi-rate)h) E e^(phi H), c = max over d of e^(-(phi-rate)d) - e^(-phi d)
        c = (rate / phi) * ((phi - rate) / phi) ** ((phi - rate) / rate)
        loss = math.log(c) + float(before[other])
        # The h at which the loss and the term of Bernstein's inequality that grows with it are least together.
        cut = max((loss - range_factor + math.log((phi - rate) / rate)) / phi, 0.0)
        both = float(np.logaddexp(range_factor + rate * cut, loss - (phi - rate) * cut))
        if best is None or both < best[0]:
            best = (both, cut, loss - (phi - rate) * cut)
    if best is None:
        return math.inf
    _, cut, loss = best
    # In units of e^(rate cut), so that nothing overflows: values lie in [0, 1].
    values = np.exp(rate * (np.minimum(heights, cut) - cut))
    mean = float(values.mean())
    bernstein = math.sqrt(2 * float(values.var(ddof=1)) * logs / n) + 7 * logs / (3 * (n - 1))
    bound = rate * cut + math.log(mean + bernstein)
    return float(np.logaddexp(bound, loss)) + 1e-11 * (1 + abs(bound))


def dominate(
    calibration: Calibration,
    interarrival: Law,
    epsilon: float = 1e-12,
    size: int | None = None,
    progress: Callable[[str], None] | None = None,
) -> Dominating:
    """The batch queue whose level u is lowest, over sizes 1, 2, 4, ... (or of one given size) and theta.

    Raises:
        ValueError: if no batch queue of a size within reach is stable, or ``size`` is no power of 2.
    """
    workload = calibration.workload
    rate = 1 / interarrival.mean
    if rate >= workload.ideal_rate:
        raise ValueError(
            f"unstable: {rate:.6g} jobs a unit of time, and the servers are all busy at {workload.ideal_rate:.6g}"
        )
    if size is not None and (size < 1 or size & (size - 1) or size.bit_length() > LEVELS):
        raise ValueError(f"the size of a batch must be a power of 2 up to 2^{LEVELS - 1}, not {size}")
    gaps: dict[float, float] = {}
    best: Dominating | None = None
    since = 0
    levels = range(LEVELS) if size is None else [size.bit_length() - 1]
    capacity = 0.0
    for level in levels:
        moments = calibration.moments(level)
        capacity = max(capacity, moments.size / moments.mean)
        found: Dominating | None = None
        for theta, height in zip(map(float, moments.rates), map(float, moments.bounds), strict=True):
            if theta not in gaps:
                gaps[theta] = log_mgf(interarrival, -theta)
            drift = height + moments.size * gaps[theta]
            if not drift <= -SLACK:
                continue
            delta = calibration.delta if level else 0.0
            one = Dominating(
                moments.size, theta, height, gaps[theta], drift, delta, moments.piles, calibration.spent, moments.mean
            )
            if found is None or one.level(epsilon) < found.level(epsilon):
                found = one
        if progress is not None:
            text = f"u = {found.level(epsilon):.6g}" if found else "not stable"
            progress(f"batches of {moments.size}: {text}, capacity {moments.size / moments.mean:.6g}")
        since += 1
        if found is not None and (best is None or found.level(epsilon) < best.level(epsilon)):
            best, since = found, 0
        if best is not None and since >= 2:
            break
    if best is None:
        reach = "every size tried" if size is None else f"{size} jobs"
        raise ValueError(
            f"no dominating queue: at {rate:.6g} jobs a unit of time batches of {reach} are not shown stable; their "
            f"capacity is about {capacity:.6g}, so the load is unstable or too near the threshold"
        )
    return best
