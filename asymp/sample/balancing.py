r"""Load balancing among n processor-sharing servers that hold at most theta jobs each, sampled.

Arrivals are Poisson of rate n rho, sizes have mean 1, servers unit speed; a policy (:mod:`asymp.sample.routing`) sends
each arrival to a server or blocks it.  Exponential sizes are sampled by levels (:mod:`asymp.sample.balancing_counts`), others
job by job (:mod:`asymp.sample.balancing_jobs`).

Intervals are by batch means (:mod:`asymp.sample.batch_means`), batches being of equally many arrivals.

A run starts from the levels of a pilot run (exponential sizes, the same policy, at most 1000 servers), scaled to n, its
jobs with residual sizes of the equilibrium law; then one batch is left out.  Under the insensitive policy that start is
stationary but for the pilot's noise; under others nothing shows that a batch is enough to forget it.
"""

from __future__ import annotations

from typing import Any
from zlib import crc32

import numpy as np

from asymp.model import Found, Values
from asymp.queues.law import Law, whole
from asymp.queues.laws import Exponential
from asymp.queues.workload import ServerNeed, Workload
from asymp.sample import balancing_counts, balancing_jobs, given, jobs, kernels, routing, streams
from asymp.sample.balancing_counts import BLOCKED, LEVELS, TIME
from asymp.sample.batch_means import BATCHES, RUNS, Play, Ratios, Steady, play, scaled
from asymp.sample.estimate import Estimate
from asymp.sample.packed import Packed, pack
from asymp.sample.replicate import Progress
from asymp.sample.routing import Policy

Array = np.ndarray[Any, Any]

MOST_SERVERS, MOST_LEVELS = 10**9, 10**6
PILOT_SERVERS, PILOT_ARRIVALS = 1000, 300
"""Servers of the pilot run, at most, and arrivals of each of its halves, a server."""
POOL = 1 << 14
"""Sizes from which residual ones are drawn."""


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
) -> Steady:
    """Blocking, occupancy and the occupation law in the steady state.

    ``blocking`` is the probability that an arrival is blocked; ``mean-occupancy`` the mean number of jobs in the system, and
    ``mean-occupancy-per-server``; ``mean-sojourn-time`` that of those that are let in (by Little's law); ``occupation[k]``
    the part of servers with k jobs.  Batches have the columns of :mod:`asymp.sample.balancing_counts`.

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

    def run(k: int) -> Play:
        return _counts(start, policy, n * rho, seed, k) if counted else _jobs(start, policy, packed, seed, k)

    rests = f"a pilot that found {crc32(start.tobytes())}"
    table, events = play(run, runs, [each], batches, each, theta + LEVELS + 1, threads, progress, rests)
    estimates, notes = estimate(table, n, rho, level, seed)
    return Steady(estimates, table, events, notes)


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


def _counts(start: Array, policy: Policy, rate: float, seed: int, k: int) -> Play:
    c, stream = start.copy(), streams.stream(seed, 0, k)

    def play_on(arrivals: int, sums: Array) -> int:
        return int(balancing_counts.run(c, policy.kind, policy.choices, rate, stream, arrivals, sums))

    return play_on


def _jobs(start: Array, policy: Policy, packed: Packed, seed: int, k: int) -> Play:
    c, stream = start.copy(), streams.stream(seed, 0, k)
    generator = np.random.Generator(np.random.SFC64(np.random.SeedSequence(seed, spawn_key=(2, k))))

    def residual(count: int) -> Array:
        """Sizes chosen in proportion to themselves, times a uniform."""
        pool = jobs.draw_jobs(packed, seed, k + (1 << 62), 0, POOL)[2]
        return generator.choice(pool, count, p=pool / pool.sum()) * generator.random(count)

    state = balancing_jobs.servers(start, residual)
    own, sample, kind, choices, index = np.uint64(seed), np.uint64(k), policy.kind, policy.choices, 0

    def play_on(arrivals: int, sums: Array) -> int:
        nonlocal index
        events = int(balancing_jobs.run(packed, own, sample, index, arrivals, kind, choices, state, c, stream, sums))
        balancing_jobs.rebase(state)
        index += arrivals
        return events

    return play_on


def estimate(table: Array, n: int, rho: float, level: float, seed: int) -> tuple[dict[str, Estimate], tuple[str, ...]]:
    """The estimates from batches (float64[runs, batches, theta + 3]), and notes on their independence."""
    theta = table.shape[2] - LEVELS - 1
    ratios = Ratios(table[:, :, TIME], level, seed)
    lost, lost_by = ratios.influence(table[:, :, BLOCKED])
    held, held_by = ratios.influence(table[:, :, LEVELS:] @ np.arange(theta + 1) / n)
    per_server = ratios.estimate("mean-occupancy", held, held_by, float(theta))
    found = {
        "blocking": ratios.estimate("blocking", lost, lost_by, 1.0),
        "mean-occupancy": scaled(per_server, n),
        "mean-occupancy-per-server": per_server,
    }
    if lost < 1:
        accepted = rho * (1 - lost)
        sojourn_by = held_by / accepted + held * lost_by / (accepted * (1 - lost))
        found["mean-sojourn-time"] = ratios.estimate("mean-sojourn-time", held / accepted, sojourn_by)
    found |= ratios.levels("occupation", [table[:, :, LEVELS + k] / n for k in range(theta + 1)], "occupation law")
    notes = ratios.notes
    if not lost > 0:
        notes.append("nothing was blocked: the estimate of blocking says no more than that it is small")
    return found, tuple(notes)


def run_balancing(
    values: Values, size: int, seed: int, device: str, progress: Progress | None, level: float
) -> Found:  # fmt: skip
    """``asymp sample ilb``: words and numbers in, estimates and notes out; ``size`` is the number of arrivals.

    Raises:
        ValueError: in one line.
    """
    text, law = given.on_a_cpu(values, seed, device, "load balancing")
    policy = Policy.named(values.get("policy", "insensitive"))
    n, theta, rho, threads = int(values["n"]), int(values["theta"]), float(values["rho"]), int(values.get("threads", 1))
    found = balance(n, theta, rho, policy, law, size, seed, level, threads=threads, progress=progress)
    kind = "by levels" if isinstance(law, Exponential) else "job by job"
    about = {"policy": policy.name, "law": text, "played": kind, "events": found.events}
    return Found(found.estimates, found.notes, about)


def _check(
    n: int, theta: int, rho: float, law: Law, size: int, seed: int, level: float, runs: int, batches: int, threads: int
) -> None:  # fmt: skip
    whole("n", n, 1, MOST_SERVERS)
    whole("theta", theta, 1, MOST_LEVELS)
    given.settings(law, size, seed, level, runs, batches, threads)
    if not (isinstance(rho, int | float) and 1e-6 <= rho <= 1e6):
        raise ValueError(f"rho must lie between 1e-6 and 1e6, not {rho!r}")
