r"""Parallel processor sharing sampled: a job joins d of n servers at once and leaves when their joint work is its size.

Arrivals are Poisson of rate n lam, sizes have mean 1, servers unit speed; each shares its speed equally among its jobs.
Sizes of memoryless phases are sampled by thinning (:mod:`asymp.sample.parallel_phases`), others by the service that jobs have
attained (:mod:`asymp.sample.parallel_jobs`).

Every run starts empty and leaves out the time ``warmup`` before its batches begin.  Unless given, that is

    10/(1 - lam) + 10/(n (1 - sqrt(lam))^2) for d >= 2,    10/(1 - sqrt(lam))^2 for d = 1,

ten times the relaxation time of M/M/1 for d = 1, and of the pooled system for d = n; for the rest a choice: from empty, the
mean m(t) obeys ``m' = d lam - d P(Q > 0)``, and P(Q > 0) grows with m.  By Theorem 3 of the paper the system that starts empty
stays below the stationary one, so that a warm-up that is too short shows as a mean that is too small and, to the same extent, as
P(Q > 0) < lam: ``busy`` is estimated for that, and a note says so where its interval misses lam.

Intervals are by batch means (:mod:`asymp.sample.batch_means`).

In the steady state P(Q > 0) = lam exactly (work is conserved), and where the busy servers of a batch are many its queues
are long. ``controlled-mean-queue`` is the mean queue less b (busy - lam), b the regression of one on the other over the
batches: its error is smaller (4 times at lam = 0.9, measured), at the price of resting on stationarity.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from asymp.model import Found, Values
from asymp.queues.law import Law, whole
from asymp.queues.laws import Exponential
from asymp.sample import given, kernels, parallel_jobs, parallel_phases, streams
from asymp.sample.batch_means import BATCHES, RUNS, Play, Ratios, Steady, play, scaled
from asymp.sample.estimate import Estimate
from asymp.sample.parallel_phases import LEVELS, MOST_LEVEL, TIME, Phased, Phases
from asymp.sample.replicate import Progress

Array = np.ndarray[Any, Any]

MOST_SERVERS = 10**7
MANY = 10**5
"""Servers from which a single run is made unless more are asked for: so many servers average by themselves."""
TAIL = 1e-7
"""Levels are listed up to where this part of the servers is above them."""


def share(
    n: int,
    d: int,
    lam: float,
    law: Law | None = None,
    size: int = 10**7,
    seed: int = 0,
    level: float = 0.99,
    runs: int | None = None,
    batches: int = BATCHES,
    warmup: float | None = None,
    threads: int = 1,
    progress: Progress | None = None,
    by_jobs: bool = False,
) -> Steady:
    """Queue length, sojourn time and the law of the queue in the steady state.

    ``mean-queue`` is the mean number of jobs at a server, and ``controlled-mean-queue``; ``mean-jobs`` that in the system;
    ``mean-sojourn-time`` by Little's law; ``busy`` the part of servers with jobs, lam where the run is stationary;
    ``queue[k]`` the part with k.  Batches have the columns of :mod:`asymp.sample.parallel_phases`.

    Args:
        n, d, lam: servers, servers of a job, arrivals a server and unit of time (which is the load).
        law: of the sizes; its mean must be 1 (to 1e-9).  Exponential unless given.
        size: arrivals, divided among the batches of all runs; those of the warm-up are not counted.
        seed: below 2^64; the same seed repeats the numbers, whatever ``threads`` is.
        level: of the intervals.
        runs, batches: independent runs (4, one from 10^5 servers on), and batches of each.
        warmup: the time that each run leaves out, from empty.
        threads: runs at a time.
        progress: called with (arrivals done, arrivals in all).
        by_jobs: sample by attained service whatever the law is.

    Raises:
        ValueError: naming the argument that is out of range.

    >>> found = share(3, 3, 0.5, size=200_000)
    >>> found["mean-queue"].agrees(1.0)  # all servers work on every job: M/M/1 of load 1/2
    True
    """
    law = Exponential(1.0) if law is None else law
    runs = (1 if isinstance(n, int) and n >= MANY else RUNS) if runs is None else runs
    _check(n, d, lam, law, size, seed, level, runs, batches, threads)
    if warmup is None:
        warmup = default_warmup(n, d, lam)
    elif not 0 <= warmup <= 1e9:
        raise ValueError(f"warmup must lie between 0 and 1e9, not {warmup!r}")
    if not kernels.available():
        raise ValueError("numba is not installed")
    by_jobs = by_jobs or not isinstance(law, Phased)
    each = max(size // (runs * batches), 1)
    before = math.ceil(warmup * n * lam)
    once = max(each, 10**6)
    left_out = [once] * (before // once) + [before % once] * (before % once > 0)
    start = partial(_jobs if by_jobs else _phases, n, d, lam, law, seed)
    table, events = play(start, runs, left_out, batches, each, MOST_LEVEL + 1 + LEVELS, threads, progress)
    last = int(np.flatnonzero(table.any(axis=(0, 1))).max())
    table = table[:, :, : last + 1].copy()
    estimates, notes = estimate(table, n, d, lam, level, seed)
    return Steady(estimates, table, events, notes, float(warmup))


def default_warmup(n: int, d: int, lam: float) -> float:
    """The time left out unless another is given.

    >>> default_warmup(10**6, 2, 0.5)
    20.00011...
    """
    alone = 10 / (1 - math.sqrt(lam)) ** 2
    return alone if d == 1 else 10 / (1 - lam) + alone / n


def _phases(n: int, d: int, lam: float, law: Law, seed: int, k: int) -> Play:
    phases, stream, held = Phases.of(law), streams.stream(seed, 0, k), [parallel_phases.empty(n, d)]

    def play_on(arrivals: int, sums: Array) -> int:
        held[0], events = parallel_phases.play(held[0], phases, n * lam, stream, arrivals, sums)
        held[0].clock[0] = 0.0  # times keep their digits however long a run is
        return events

    return play_on


def _jobs(n: int, d: int, lam: float, law: Law, seed: int, k: int) -> Play:
    return parallel_jobs.Run(n, d, n * lam, law, seed, k).play


def estimate(
    table: Array, n: int, d: int, lam: float, level: float, seed: int
) -> tuple[dict[str, Estimate], tuple[str, ...]]:
    """The estimates from batches (float64[runs, batches, levels + 1]), and notes on what is seen to be wrong with them."""
    time = table[:, :, TIME]
    ratios = Ratios(time, level, seed)
    held = table[:, :, LEVELS:] @ np.arange(table.shape[2] - LEVELS) / n
    working = table[:, :, LEVELS + 1 :].sum(axis=2) / n
    queue = ratios.ratio("mean-queue", held)
    controlled = held - slope(held, working, time) * (working - lam * time)
    found = {
        "mean-queue": queue,
        "controlled-mean-queue": ratios.ratio("controlled-mean-queue", controlled),
        "mean-jobs": scaled(queue, n / d),
        "mean-sojourn-time": scaled(queue, 1 / (d * lam)),
        "busy": ratios.ratio("busy", working, 1.0),
    }
    shares = table[:, :, LEVELS:].sum(axis=(0, 1)) / n / time.sum()
    shown = min(int(np.count_nonzero(1 - np.cumsum(shares) > TAIL)) + 1, shares.size)
    found |= ratios.levels("queue", [table[:, :, LEVELS + k] / n for k in range(shown)], "queue's law")
    notes = ratios.notes
    low, high = found["busy"].interval
    if not low <= lam <= high:
        notes.append(f"busy is not lam = {lam:g} within its interval: a longer warm-up or more arrivals are needed")
    return found, tuple(notes)


def slope(held: Array, working: Array, time: Array) -> float:
    """The regression of ``held/time`` on ``working/time`` over batches, weighted by time; 0 where the latter is constant.

    >>> slope(np.array([1.0, 3.0]), np.array([0.5, 0.75]), np.ones(2))
    8.0
    """
    x = held - held.sum() / time.sum() * time
    y = working - working.sum() / time.sum() * time
    square = float((y * y).sum())
    return float((x * y).sum()) / square if square > 0 else 0.0


def run_parallel(
    values: Values, size: int, seed: int, device: str, progress: Progress | None, level: float
) -> Found:  # fmt: skip
    """``asymp sample parallelps``: words and numbers in, estimates and notes out; ``size`` is the number of arrivals after
    the warm-up.

    Raises:
        ValueError: in one line.
    """
    text, law = given.on_a_cpu(values, seed, device, "parallel processor sharing")
    n, d, lam, threads = int(values["n"]), int(values["d"]), float(values["lam"]), int(values.get("threads", 1))
    if d > n:
        raise ValueError(f"d={d} is out of range: a job joins at most n={n} servers")
    runs = int(values["runs"]) if "runs" in values else None
    warmup = float(values["warmup"]) if "warmup" in values else None
    found = share(n, d, lam, law, size, seed, level, runs, warmup=warmup, threads=threads, progress=progress)
    kind = "by phases" if isinstance(law, Phased) else "by attained service"
    about = {"law": text, "played": kind, "events": found.events, "warmup": round(found.warmup, 6)}
    return Found(found.estimates, found.notes, about)


def _check(
    n: int, d: int, lam: float, law: Law, size: int, seed: int, level: float, runs: int, batches: int, threads: int
) -> None:  # fmt: skip
    whole("n", n, 1, MOST_SERVERS)
    whole("d", d, 1, n, "1..n")
    given.settings(law, size, seed, level, runs, batches, threads)
    if not (isinstance(lam, int | float) and 1e-6 <= lam < 1):
        raise ValueError(
            f"lam must lie between 1e-6 and 1 (below 1, for the system is unstable from there on), not {lam!r}"
        )
    if n * d > 1 << 28:
        raise ValueError(f"n={n}, d={d}: more than 2^28 places of jobs are not kept")
