"""Events a second of parallel processor sharing, against plain models of the same system, and against the mean field.

    python benchmarks/parallel_sharing.py [--arrivals 4000000] [--limit] [> benchmarks/results/DATE-parallel-sharing.txt]

Peers, as one would write them first: ``ringing``, the paper's own method (section 4: an event is an arrival or a virtual service
at a server chosen at random) in Python with lists; ``due``, processor sharing with the service that jobs have attained, all jobs
looked at in every event.  An event is an arrival or a departure: virtual services that find no job, and ends of phases that
are not the last, do not count.  Seconds are of the processor.  Machines differ, and other work on the same memory slows a million
servers: ratios within a run are what to read.

``--limit``: the mean queue of 10^5 servers at several loads and laws, beside the solution of equation (3) (minutes).
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import time
from collections.abc import Callable

import mpmath

from asymp.queues.laws import Deterministic, Erlang, Exponential, HyperExponential, Law
from asymp.sample.parallel import share

LAM, D = 0.9, 2
LAWS: dict[str, Law] = {
    "exponential": Exponential(1.0),
    "erlang, 4 phases": Erlang(4, 1.0),
    "hyperexponential (2, 1/2)": HyperExponential.of_mean(1.0, (2 / 3, 1 / 3), (0.5,)),
    "deterministic": Deterministic(1.0),
}
Run = Callable[[], tuple[float, int]]


def ringing(n: int, d: int, lam: float, steps: int, seed: int = 0) -> tuple[float, int]:
    """(mean queue, events) by the paper's method, exponential sizes."""
    rng = random.Random(seed)
    held: list[list[tuple[int, ...]]] = [[] for _ in range(n)]
    total, area, events = 0, 0, 0
    for _ in range(steps):
        area += total
        if rng.random() * (1 + lam) < lam:
            servers = tuple(rng.sample(range(n), d))
            for j in servers:
                held[j].append(servers)
            total += d
            events += 1
        else:
            j = rng.randrange(n)
            if held[j]:
                job = rng.choice(held[j])
                for i in job:
                    held[i].remove(job)
                total -= d
                events += 1
    return area / steps / n, events


def due(n: int, d: int, lam: float, arrivals: int, seed: int = 0) -> tuple[float, int]:
    """(mean queue, events) with exponential sizes by attained service."""
    rng = random.Random(seed)
    jobs: list[tuple[list[float], tuple[int, ...]]] = []
    level, now, area, events, come = [0] * n, 0.0, 0.0, 0, 0
    coming = rng.expovariate(n * lam)
    while come < arrivals:
        speeds = [sum(1 / level[j] for j in servers) for _, servers in jobs]
        ends = [left[0] / speed for (left, _), speed in zip(jobs, speeds, strict=True)]
        first = min(range(len(jobs)), key=ends.__getitem__, default=-1)
        step = min(coming, ends[first]) if jobs else coming
        leaves = bool(jobs) and ends[first] <= coming
        for (left, _), speed in zip(jobs, speeds, strict=True):
            left[0] -= step * speed
        area += step * sum(level)
        now += step
        coming -= step
        events += 1
        if leaves:
            for j in jobs.pop(first)[1]:
                level[j] -= 1
        else:
            servers = tuple(rng.sample(range(n), d))
            jobs.append(([rng.expovariate(1.0)], servers))
            for j in servers:
                level[j] += 1
            come += 1
            coming = rng.expovariate(n * lam)
    return area / now / n, events


def ours(n: int, d: int, lam: float, law: Law, arrivals: int, by_jobs: bool = False) -> Run:
    """A run of the sampler on one core; its warm-up at most as long as the rest."""

    def run() -> tuple[float, int]:
        found = share(n, d, lam, law, arrivals, runs=1, warmup=min(100.0, arrivals / (n * lam)), by_jobs=by_jobs)
        return found["mean-queue"].value, found.events

    return run


def rate(run: Run, repeats: int = 2) -> tuple[float, float]:
    """Events a second (the best of some repeats), and the mean queue."""
    best, mean = 0.0, 0.0
    for _ in range(repeats):
        start = time.process_time()
        mean, events = run()
        best = max(best, events / (time.process_time() - start))
    return best, mean


def mean_field(d: int, lam: float) -> float:
    """EQ of equation (3): M(1, 1 + m/((d - 1) lam), d m/(d - 1)) = 1/(1 - lam), M Kummer's function."""

    def excess(m: mpmath.mpf) -> mpmath.mpf:
        return mpmath.hyp1f1(1, 1 + m / ((d - 1) * lam), d * m / (d - 1)) - 1 / (1 - lam)

    return float(mpmath.findroot(excess, (lam, -3 * mpmath.log(1 - lam)), solver="anderson"))


def limit() -> None:
    """The table of ``--limit``."""
    print(f"\n{'n = 10^5':34s} {'d':>2s} {'lam':>5s} {'mean queue':>11s} {'+-':>8s} {'equation (3)':>13s} {'busy':>9s}")
    for name, d, lam in (
        [("exponential", 2, x) for x in (0.5, 0.7, 0.9, 0.95)]
        + [("exponential", 4, 0.9)]
        + [(name, 2, 0.9) for name in LAWS if name != "exponential"]
    ):
        found = share(10**5, d, lam, LAWS[name], 40_000_000, runs=1, batches=64, seed=1)
        one = found["mean-queue"]
        row = f"{name:34s} {d:2d} {lam:5g} {one.value:11.5f} {one.stderr:8.5f} {mean_field(d, lam):13.5f}"
        print(f"{row} {found['busy'].value:9.5f}", flush=True)


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description="events a second of parallel processor sharing")
    parser.add_argument("--arrivals", type=int, default=4_000_000, help="arrivals of a run of ours")
    parser.add_argument("--limit", action="store_true", help="the mean queue of many servers beside the mean field's")
    arguments = parser.parse_args()
    arrivals = arguments.arrivals
    print(f"python {platform.python_version()}, {platform.machine()}")
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    print(f"d = {D}, lam = {LAM} unless said, one core, seconds of the processor\n")
    for law in LAWS.values():  # compiled before they are timed
        for by_jobs in (False, True):
            ours(5, D, LAM, law, 1000, by_jobs)()
    print(f"{'':52s} {'n':>8s} {'million events/s':>17s} {'mean queue':>11s}")
    slow, mean = rate(lambda: ringing(100, D, LAM, 400_000), 1)
    print(f"{'plain model, rings, exponential':52s} {100:8d} {slow / 1e6:17.4f} {mean:11.3f}")
    slow, mean = rate(lambda: due(100, D, LAM, 3_000), 1)
    print(f"{'plain model, attained service, exponential':52s} {100:8d} {slow / 1e6:17.4f} {mean:11.3f}", flush=True)
    for name, law in LAWS.items():
        for n in (100, 10**4, 10**6):
            fast, mean = rate(ours(n, D, LAM, law, arrivals))
            note = "" if n < 10**6 else "  (not yet stationary)"
            print(f"{f'asymp, {name}':52s} {n:8d} {fast / 1e6:17.2f} {mean:11.3f}{note}", flush=True)
    fast, mean = rate(ours(100, D, LAM, LAWS["exponential"], arrivals, True))
    print(f"{'asymp, exponential, by attained service':52s} {100:8d} {fast / 1e6:17.2f} {mean:11.3f}")
    fast, mean = rate(ours(10**6, 4, LAM, LAWS["exponential"], arrivals))
    print(f"{'asymp, exponential, d = 4':52s} {10**6:8d} {fast / 1e6:17.2f} {mean:11.3f}  (not yet stationary)")
    fast, mean = rate(ours(10**6, D, 0.3, LAWS["exponential"], arrivals))
    print(f"{'asymp, exponential, lam = 0.3':52s} {10**6:8d} {fast / 1e6:17.2f} {mean:11.3f}")
    if arguments.limit:
        limit()


if __name__ == "__main__":
    main()
