r"""The dominating queue: batches of m jobs, one after another, and a proved bound of its tail.

Delay m successive arrivals to the last of them, start no batch before the one before it has left, and let each start
from empty servers: batch k then takes the height H of a pile of m jobs, and the time by which all work of batches up
to k is done dominates every completion (:mod:`asymp.papers.mjsre.perfect`).  Seen by the job that arrives first after a
batch it is ``Z = max over n >= 1 of (H_1 + ... + H_n - (1 + (n-1) m interarrival times))``, so that by Kingman's
inequality

    P(Z > u) <= exp(-theta u) E[exp(theta H)] E[exp(-theta tau)]    if E[exp(theta H)] E[exp(-theta tau)]^m <= 1.

``E[exp(theta H)]`` is known for one job alone (m = 1: the height is the service time).  For m = 2, 4, 8, ... it is
bounded from simulated piles, cut off at a height h, by the empirical Bernstein inequality (Maurer and Pontil, 2009,
Theorem 4) or, for few piles, by betting (Waudby-Smith and Ramdas, 2024): ``prod (1 + b_i (mu - x_i))`` is a nonnegative
martingale if mu is the mean of the x_i in [0, 1] and each ``b_i <= 1`` depends on the x before it alone.  What the cut
loses is at most ``c exp(-(phi - theta) h) E[exp(phi H)]`` for any phi > theta, and ``E[exp(phi H_2m)] <=
E[exp(phi H_m)]^2`` since a pile is at most as high as its two halves put on top of each other.  So each size rests on the one
before it, and the first on exact moments: no bounded support, no variance is assumed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from asymp.queues.law import Law, proper
from asymp.queues.laws import Deterministic
from asymp.sample.packed import Array, Packed, pack
from asymp.sample.transforms import largest_rate, log_mgf, log_mgf_services

if TYPE_CHECKING:
    from asymp.queues.workload import Workload

LEVELS = 22
"""Sizes of batches: 1, 2, ..., 2^21."""
RATES = 88
"""How many theta are tried at each size."""
SLACK = 0.02
"""A queue of simulated batches is accepted if ``log(E[exp(theta H)] E[exp(-theta tau)]^m) <= -SLACK``."""
EXACT = 1e-9
"""The same for m = 1, whose moments are exact."""
PREFER = 1.25
"""m = 1, which rests on no simulation, is taken if its u is at most so many times the lowest."""
FEWEST = 256
"""Piles of a size, at least."""
CALIBRATION = 1 << 62
"""Sample numbers from here on are drawn for the calibration, never for a result."""
FEW = 1 << 14
"""Piles up to which the mean is bounded by betting."""
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
        turn: calibrations of different turns draw different jobs.
    """

    def __init__(
        self, workload: Workload, seed: int = 0, delta: float = 1e-9, jobs: int = 1 << 22, turn: int = 0
    ) -> None:
        proper("delta", delta)
        self.workload, self.seed, self.delta, self.jobs, self.turn = workload, seed, delta, jobs, turn
        self.spent = 0
        top = _top(workload)
        rates = top * 2.0 ** (-np.arange(RATES) / 8)
        bounds = np.array([log_mgf_services(workload, float(r)) for r in rates])
        self._levels = [Moments(1, rates, bounds, workload.mean_service, 0)]

    @property
    def reach(self) -> int:
        """Levels within reach: a size may cost four times the jobs meant for each."""
        return min(LEVELS, (4 * self.jobs // FEWEST).bit_length())

    def moments(self, level: int) -> Moments:
        """The bounds for piles of ``2^level`` jobs."""
        while len(self._levels) <= level:
            self._levels.append(self._doubled(self._levels[-1], len(self._levels)))
        return self._levels[level]

    def _doubled(self, half: Moments, level: int) -> Moments:
        size = 2 * half.size
        count = max(min(self.jobs // size, 1 << 17), FEWEST)
        sample = CALIBRATION + LEVELS * self.turn + level
        heights = pile_heights(pack(self.workload, _ANY), size, count, self.seed, sample)
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
    sandwich.piles(packed, np.uint64(seed), np.uint64(sample), size, bench, heights)
    return heights


def _upper(heights: Array, rate: float, place: int, rates: Array, before: Array, delta: float) -> float:
    """An upper bound of ``log E exp(rate H)``, false with probability at most delta.

    ``before`` bounds the same at every rate, from samples that are independent of ``heights``; the height of the cut
    is chosen from it alone, as the inequality needs.
    """
    n, logs = heights.size, math.log(2 / delta)
    range_factor = math.log((7 / 3 if n > FEW else 1.0) * logs / (n - 1))
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
    # Which of the two bounds is taken depends on n alone: no data choose between them.
    bound = rate * cut + math.log(_bernstein(values, delta) if n > FEW else _betting(values, delta))
    return float(np.logaddexp(bound, loss)) + 1e-11 * (1 + abs(bound))


def _bernstein(values: Array, delta: float) -> float:
    """An upper bound of the mean of values in [0, 1], false with probability at most delta."""
    n, logs = values.size, math.log(2 / delta)
    return float(values.mean()) + math.sqrt(2 * float(values.var(ddof=1)) * logs / n) + 7 * logs / (3 * (n - 1))


def _betting(values: Array, delta: float) -> float:
    """The same by a bet against every larger mean: the least mu whose wealth reaches 1/delta, or 1."""
    n, logs = values.size, math.log(1 / delta)
    count = np.arange(1, n + 1)
    means = (0.5 + np.cumsum(values)) / (1 + count)
    variances = (0.25 + np.cumsum((values - means) ** 2)) / (1 + count)
    before = np.concatenate([[0.25], variances[:-1]])
    bets = np.minimum(np.sqrt(2 * logs / (n * before)), 1.0)
    low, high = float(values.mean()), 1.0
    if float(np.log1p(bets * (high - values)).sum()) < logs:
        return 1.0
    while high - low > 1e-6 * high:
        middle = 0.5 * (low + high)
        if float(np.log1p(bets * (middle - values)).sum()) < logs:
            low = middle
        else:
            high = middle
    return high


def dominate(
    calibration: Calibration,
    interarrival: Law,
    epsilon: float = 1e-12,
    size: int | None = None,
    progress: Callable[[str], None] | None = None,
) -> Dominating:
    """The batch queue whose level u is lowest, over sizes 1, 2, 4, ... (or of one given size) and theta.

    Raises:
        ValueError: if no batch queue of a size within reach is shown stable, or ``size`` is no power of 2.
    """
    workload = calibration.workload
    rate = 1 / interarrival.mean
    if rate >= workload.ideal_rate:
        raise ValueError(
            f"unstable: {rate:.6g} jobs a unit of time, and the servers are all busy at {workload.ideal_rate:.6g}"
        )
    if size is not None and (size < 1 or size & (size - 1) or size.bit_length() > LEVELS):
        raise ValueError(f"the size of a batch must be a power of 2 up to 2^{LEVELS - 1}, not {size}")
    found: list[Dominating] = []
    since, capacities = 0, list[float]()
    for level in range(calibration.reach) if size is None else [size.bit_length() - 1]:
        moments = calibration.moments(level)
        capacities.append(moments.size / moments.mean)
        here = _of_size(calibration, moments, interarrival)
        here.sort(key=lambda one: one.level(epsilon))
        if progress is not None:
            text = f"u = {here[0].level(epsilon):.6g}" if here else "not shown stable"
            progress(f"batches of {moments.size}: {text}, capacity {capacities[-1]:.6g}")
        since += 1
        if here and (not found or here[0].level(epsilon) < min(one.level(epsilon) for one in found)):
            since = 0
        found += here[:1]
        # Larger batches cannot help much once neither u nor the capacity gets better.
        if found and since >= 2 and capacities[-1] < 1.1 * capacities[-3]:
            break
    if not found:
        tried = "of every size tried" if size is None else f"of {size} jobs"
        raise ValueError(
            f"no dominating queue: at {rate:.6g} jobs a unit of time batches {tried} are not shown stable (their capacity is "
            f"about {max(capacities):.6g}): the load is unstable or too near the threshold"
        )
    best = min(found, key=lambda one: one.level(epsilon))
    if found[0].size == 1 and found[0].level(epsilon) <= PREFER * best.level(epsilon):
        return found[0]
    return best


def _of_size(calibration: Calibration, moments: Moments, interarrival: Law) -> list[Dominating]:
    """The stable queues of one size, by theta."""
    pairs = [(float(r), float(b)) for r, b in zip(moments.rates, moments.bounds, strict=True)]
    if moments.size == 1:
        pairs += _root(calibration.workload, interarrival, [r for r, _ in pairs])
    out = []
    for theta, height in pairs:
        gap = log_mgf(interarrival, -theta)
        drift = height + moments.size * gap
        if drift <= -(SLACK if moments.piles else EXACT):
            delta = calibration.delta if moments.piles else 0.0
            spent = calibration.spent if moments.piles else 0
            out.append(Dominating(moments.size, theta, height, gap, drift, delta, moments.piles, spent, moments.mean))
    return out


def _root(workload: Workload, interarrival: Law, rates: list[float]) -> list[tuple[float, float]]:
    """The largest theta for single jobs, by bisection between two of the rates: (theta, log E exp(theta sigma)) or none."""

    def drift(theta: float) -> float:
        return log_mgf_services(workload, theta) + log_mgf(interarrival, -theta)

    good = [place for place, rate in enumerate(rates) if drift(rate) <= -EXACT]
    if not good or good[0] == 0:
        return []
    low, high = rates[good[0]], rates[good[0] - 1]
    for _ in range(30):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if drift(middle) <= -EXACT else (low, middle)
    return [(low, log_mgf_services(workload, low))]


def calibrated(
    workload: Workload,
    interarrival: Law,
    samples: int,
    seed: int = 0,
    epsilon: float = 1e-12,
    delta: float = 1e-9,
    size: int | None = None,
) -> Dominating:
    """A dominating queue whose calibration costs little beside the samples: more piles, and a lower u, for more samples.

    Raises:
        ValueError: as :func:`dominate`.
    """
    best: Dominating | None = None
    spent = 0
    for turn, share in enumerate((2, 4, 4)):
        calibration = Calibration(workload, seed, delta / share, 1 << (22 + 3 * turn), turn)
        try:
            one: Dominating | None = dominate(calibration, interarrival, epsilon, size)
        except ValueError:
            if (turn == 2 and best is None) or 1 / interarrival.mean >= workload.ideal_rate:
                raise
            one = None
        spent += calibration.spent
        if one is not None and (best is None or one.level(epsilon) < best.level(epsilon)):
            best = one
        if best is not None:
            slack = max(interarrival.mean - best.mean / best.size, 0.01 * interarrival.mean)
            if best.size == 1 or samples * best.level(epsilon) / slack < 64 * calibration.jobs:
                break
    assert best is not None
    # The choice among the turns rests on all of them.
    return replace(best, delta=delta if best.piles else 0.0, jobs=spent if best.piles else 0)
