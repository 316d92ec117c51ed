r"""Load balancing among n processor-sharing servers that hold at most theta jobs each, sampled.

Arrivals are Poisson of rate n rho, sizes have mean 1, servers unit speed; a policy (:mod:`asymp.sample.routing`) sends
each arrival to a server or blocks it.  Exponential sizes are sampled by levels (:mod:`asymp.sample.balancing_counts`), others
job by job (:mod:`asymp.sample.balancing_jobs`).

Intervals are by batch means.  Independent runs are cut into batches of equally many arrivals, and a quantity is a ratio
of sums over the batches, of the time that something is so to all time; with r its estimate, the influence of a batch is
``(X - r Y)/mean Y``, and the interval is :func:`asymp.sample.estimate.skewed_estimate`'s from the spread, skewness and
kurtosis of the influences.  Batches of a run should be nearly independent: as long as neighbours are seen to be correlated
they are put together in pairs, down to two of each run; where even these are, it is said.

A run starts from the levels of a pilot run (exponential sizes, the same policy, at most 1000 servers), scaled to n, its
jobs with residual sizes of the equilibrium law; then one batch is left out.  Under the insensitive policy that start is
stationary but for the pilot's noise; under others nothing shows that a batch is enough to forget it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from asymp.queues.laws import Exponential, Law
from asymp.queues.workload import ServerNeed, Workload
from asymp.sample import balancing_counts, balancing_jobs, given, jobs, kernels, routing, streams
from asymp.sample.balancing_counts import BLOCKED, LEVELS, TIME
from asymp.sample.estimate import Estimate, Shape, skewed_estimate
from asymp.sample.packed import Packed, pack
from asymp.sample.routing import Policy

Array = np.ndarray[Any, Any]
Progress = Callable[[int, int], None]
"""Called with (arrivals done, arrivals in all), those left out among them."""

RUNS, BATCHES = 4, 16
"""Runs, and batches of each."""
MOST_SERVERS, MOST_LEVELS = 10**9, 10**6
PILOT_SERVERS, PILOT_ARRIVALS = 1000, 300
"""Servers of the pilot run, at most, and arrivals of each of its halves, a server."""
POOL = 1 << 14
"""Sizes from which residual ones are drawn."""
JOINED, SEEN = 1.5, 3.0
"""Standard deviations of the correlation of neighbours at which batches are put together, and at which it is said of those
that are left."""


@dataclass(frozen=True)
class Balanced:
    """What a run found.

    Args:
        estimates: ``blocking``, the probability that an arrival is blocked; ``mean-occupancy``, the mean number of jobs in
            the system, and ``mean-occupancy-per-server``; ``mean-sojourn-time`` of those that are let in (by Little's law);
            ``occupation[k]``, the part of servers with k jobs.
        batches: float64[runs, batches, theta + 3], as :mod:`asymp.sample.balancing_counts` has the columns.
        events: arrivals and departures that were played, those left out among them.
        notes: what the reader should know, a line each.
    """

    estimates: dict[str, Estimate]
    batches: Array
    events: int
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Estimate:
        return self.estimates[name]


def balance(
    n: int,
    theta: int,
    rho: float,
    policy: str | Policy = "insensitive",
    law: Law | None = None,
    size: int = 10**7,
    seed: int = 0,
    level: float = 0.99,
    runs: int = RUNS,
    batches: int = BATCHES,
    threads: int = 1,
    progress: Progress | None = None,
    by_jobs: bool = False,
) -> Balanced:
    """Blocking, occupancy and the occupation law in the steady state.

    Args:
        n, theta, rho: servers, places at each, arrivals a server and unit of time.
        policy: a name of :mod:`asymp.sample.routing`.
        law: of the sizes; its mean must be 1 (to 1e-9).  Exponential unless given.
        size: arrivals, divided among the batches of all runs; one batch more of each run is left out.
        seed: below 2^64; the same seed repeats the numbers, whatever ``threads`` is.
        level: of the intervals.
        runs, batches: independent runs, and batches of each.
        threads: runs at a time.
        progress: called with (arrivals done, arrivals in all).
        by_jobs: sample exponential sizes job by job too.

    Raises:
        ValueError: naming the argument that is out of range.

    >>> found = balance(10, 1, 1.0, size=200_000)
    >>> found["blocking"].agrees(0.21458)  # Erlang's formula with 10 servers and an offered load of 10
    True
    """
    policy = Policy.named(policy) if isinstance(policy, str) else policy
    law = Exponential(1.0) if law is None else law
    _check(n, theta, rho, law, size, seed, level, runs, batches, threads)
    counted = isinstance(law, Exponential) and not by_jobs
    if not counted and n * theta > balancing_jobs.MOST_PLACES:
        raise ValueError(f"n={n}, theta={theta}: more than 2^28 places are not kept job by job")
    if not kernels.available():
        raise ValueError("numba is not installed")
    each = max(size // (runs * batches), 1)
    start = pilot(n, theta, rho, policy, seed)
    packed = pack(Workload(n, (ServerNeed(1, 1.0, law),)), Exponential(1 / (n * rho)))
    done = [0] * runs

    def tell(k: int, count: int) -> None:
        done[k] = count
        if progress is not None:
            progress(sum(done) * each, runs * (batches + 1) * each)

    def one(k: int) -> tuple[Array, int]:
        play = _counts(start, policy, n * rho, seed, k) if counted else _jobs(start, policy, packed, seed, k)
        table, events = np.zeros((batches + 1, theta + LEVELS + 1)), 0
        for b in range(batches + 1):
            events += play(b * each, each, table[b])
            tell(k, b + 1)
        return table[1:], events

    if threads > 1:
        with ThreadPoolExecutor(threads) as pool:
            parts = list(pool.map(one, range(runs)))
    else:
        parts = [one(k) for k in range(runs)]
    table = np.array([part for part, _ in parts])
    estimates, notes = estimate(table, n, rho, level, seed)
    return Balanced(estimates, table, sum(events for _, events in parts), notes)


def pilot(n: int, theta: int, rho: float, policy: Policy, seed: int) -> Array:
    """Servers of each level (int64[theta + 1]) that a short run of at most 1000 servers has in the mean, scaled to n."""
    few = min(n, PILOT_SERVERS)
    c = np.zeros(theta + 1, np.int64)
    c[0] = few
    stream = streams.stream(seed, 1)
    for _ in range(2):
        sums = np.zeros(theta + LEVELS + 1)
        balancing_counts.run(c, policy.kind, policy.choices, few * rho, stream, PILOT_ARRIVALS * few, sums)
    return routing.shares(sums[LEVELS:], n)


Play = Callable[[int, int, Array], int]
"""(index of the first arrival, arrivals, sums) -> events."""


def _counts(start: Array, policy: Policy, rate: float, seed: int, k: int) -> Play:
    c, stream = start.copy(), streams.stream(seed, 0, k)

    def play(index: int, arrivals: int, sums: Array) -> int:
        return int(balancing_counts.run(c, policy.kind, policy.choices, rate, stream, arrivals, sums))

    return play


def _jobs(start: Array, policy: Policy, packed: Packed, seed: int, k: int) -> Play:
    c, stream = start.copy(), streams.stream(seed, 0, k)
    generator = np.random.Generator(np.random.SFC64(np.random.SeedSequence(seed, spawn_key=(2, k))))

    def residual(count: int) -> Array:
        """Sizes chosen in proportion to themselves, times a uniform."""
        pool = jobs.draw_jobs(packed, seed, k + (1 << 62), 0, POOL)[2]
        return generator.choice(pool, count, p=pool / pool.sum()) * generator.random(count)

    state = balancing_jobs.servers(start, residual)
    own, sample = np.uint64(seed), np.uint64(k)

    def play(index: int, arrivals: int, sums: Array) -> int:
        kind, choices = policy.kind, policy.choices
        events = int(balancing_jobs.run(packed, own, sample, index, arrivals, kind, choices, state, c, stream, sums))
        balancing_jobs.rebase(state)
        return events

    return play


def estimate(table: Array, n: int, rho: float, level: float, seed: int) -> tuple[dict[str, Estimate], tuple[str, ...]]:
    """The estimates from batches (float64[runs, batches, theta + 3]), and notes on their independence."""
    time = table[:, :, TIME]
    mean_time = float(time.mean())
    theta = table.shape[2] - LEVELS - 1
    levels = np.arange(theta + 1)
    notes: list[str] = []

    def ratio(amounts: Array) -> tuple[float, Array]:
        value = float(amounts.sum() / time.sum())
        return value, (amounts - value * time) / mean_time

    def make(name: str, value: float, influence: Array, most: float) -> Estimate:
        parts, r = independent(influence)
        if r is not None:
            notes.append(
                f"batches are correlated in {name} ({r:.2f}): its interval is too narrow, and more arrivals are needed"
            )
        count = parts.size
        m2, m3, m4 = (float((parts**k).mean()) for k in (2, 3, 4))
        stderr = math.sqrt(m2 / (count - 1)) if count > 1 else math.inf
        one = skewed_estimate(value, stderr, Shape.of(m2, m3, m4), count, level, seed, "numba")
        low, high = one.interval
        return replace(one, interval=(min(max(low, 0.0), most), min(high, most)))

    lost, lost_by = ratio(table[:, :, BLOCKED])
    held, held_by = ratio(table[:, :, LEVELS:] @ levels / n)
    per_server = make("mean-occupancy", held, held_by, float(theta))
    low, high = per_server.interval
    total = replace(per_server, value=n * held, stderr=n * per_server.stderr, interval=(n * low, n * high))
    found = {
        "blocking": make("blocking", lost, lost_by, 1.0),
        "mean-occupancy": total,
        "mean-occupancy-per-server": per_server,
    }
    if lost < 1:
        accepted = rho * (1 - lost)
        sojourn_by = held_by / accepted + held * lost_by / (accepted * (1 - lost))
        found["mean-sojourn-time"] = make("mean-sojourn-time", held / accepted, sojourn_by, math.inf)
    few = len(notes)
    for k in levels:
        found[f"occupation[{k}]"] = make(f"occupation[{k}]", *ratio(table[:, :, LEVELS + k] / n), 1.0)
    if len(notes) > few + 1:
        notes[few:] = [f"so they are in {len(notes) - few} levels of the occupation law"]
    if not lost > 0:
        notes.append("nothing was blocked: the estimate of blocking says no more than that it is small")
    return found, tuple(notes)


def independent(influence: Array) -> tuple[Array, float | None]:
    """Influences of batches (float64[runs, batches]), put together in pairs while neighbours are seen to be correlated.

    Also the correlation of those that are left, where it is still seen.
    """
    while True:
        runs, batches = influence.shape
        r = correlation(influence)
        sigmas = r * math.sqrt(runs * max(batches - 1, 1))
        if sigmas <= JOINED or batches < 4:
            return influence.ravel(), r if sigmas > SEEN else None
        even = influence[:, : batches - batches % 2]
        influence = even.reshape(runs, batches // 2, 2).mean(axis=2)


def correlation(x: Array) -> float:
    """The correlation of neighbours along the rows, about the mean of all; 0 for constants.

    >>> round(correlation(np.array([[1.0, -1.0, 1.0, -1.0]])), 2)
    -1.0
    """
    y = x - x.mean()
    spread = float((y * y).mean())
    return 0.0 if x.shape[1] < 2 or not spread > 0 else float((y[:, 1:] * y[:, :-1]).mean()) / spread


def _check(
    n: int, theta: int, rho: float, law: Law, size: int, seed: int, level: float, runs: int, batches: int, threads: int
) -> None:  # fmt: skip
    given.whole("n", n, 1, MOST_SERVERS)
    given.whole("theta", theta, 1, MOST_LEVELS)
    given.settings(law, size, seed, level, runs, batches, threads)
    if not (isinstance(rho, int | float) and 1e-6 <= rho <= 1e6):
        raise ValueError(f"rho must lie between 1e-6 and 1e6, not {rho!r}")
