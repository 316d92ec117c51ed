"""Events a second of load balancing among processor-sharing servers, against plain models of the same system.

    python benchmarks/load_balancing.py [--arrivals 4000000] [> benchmarks/results/DATE-load-balancing.txt]

Peers, as one would write them first: ``levels``, the chain on the numbers of servers of each level, with NumPy for the
draws of the levels; ``jobs``, processor sharing job by job in Python with a heap of departures over servers; and Ciw
(processor-sharing nodes with finite places), where it is installed, for n = 20.  An event is an arrival or a departure.
Seconds are of the processor.  Machines differ: ratios within a run are what to read.
"""

from __future__ import annotations

import argparse
import heapq
import importlib
import math
import platform
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from asymp.queues.law_text import read_law
from asymp.sample.balancing import balance

RHO, THETA = 0.95, 3
CUSTOM = "two-point:0.1,10"
Run = Callable[[], tuple[float, int]]


def levels(n: int, theta: int, rho: float, arrivals: int, seed: int = 0) -> tuple[float, int]:
    """(blocking, events): the insensitive policy with exponential sizes."""
    rng = np.random.default_rng(seed)
    c, k = np.zeros(theta + 1, np.int64), np.arange(theta + 1)
    c[0] = n
    come = blocked = events = 0
    while come < arrivals:
        events += 1
        busy = n - c[0]
        if rng.random() * (n * rho + busy) < n * rho:
            come += 1
            weights = (theta - k) * c
            free = weights.sum()
            if free == 0:
                blocked += 1
                continue
            level = np.searchsorted(np.cumsum(weights), rng.random() * free, side="right")
            c[level] -= 1
            c[level + 1] += 1
        else:
            level = np.searchsorted(np.cumsum(c[1:]), rng.random() * busy, side="right") + 1
            c[level] -= 1
            c[level - 1] += 1
    return blocked / arrivals, events


def jobs(n: int, theta: int, rho: float, arrivals: int, seed: int = 0) -> tuple[float, int]:
    """(blocking, events): the insensitive policy with the paper's two-point sizes."""
    rng = np.random.default_rng(seed)
    gaps = rng.exponential(1 / (n * rho), arrivals)
    sizes = np.where(rng.random(arrivals) < 9 / 9.9, 0.1, 10.0)
    uniform = rng.random(arrivals)
    held: list[list[float]] = [[] for _ in range(n)]
    seen, version = [0.0] * n, [0] * n
    due: list[tuple[float, int, int]] = []
    now, free, blocked, events = 0.0, n * theta, 0, 0

    def serve(i: int, time_: float) -> None:
        share = (time_ - seen[i]) / len(held[i]) if held[i] else 0.0
        held[i] = [x - share for x in held[i]]
        seen[i] = time_

    def plan(i: int) -> None:
        version[i] += 1
        if held[i]:
            heapq.heappush(due, (seen[i] + min(held[i]) * len(held[i]), version[i], i))

    for gap, size, u in zip(gaps, sizes, uniform, strict=True):
        now += gap
        while due and due[0][0] <= now:
            then, v, i = heapq.heappop(due)
            if v != version[i]:
                continue
            serve(i, then)
            held[i].remove(min(held[i]))
            free += 1
            events += 1
            plan(i)
        events += 1
        if free == 0:
            blocked += 1
            continue
        left = u * free
        for i in range(n):
            left -= theta - len(held[i])
            if left < 0:
                break
        serve(i, now)
        held[i].append(float(size))
        free -= 1
        plan(i)
    return blocked / arrivals, events


def ciw_jobs(n: int, theta: int, rho: float, arrivals: int) -> tuple[float, int]:
    """(blocking, events) of random routing to n processor-sharing nodes: Ciw has no state to route by but its queues."""
    ciw: Any = importlib.import_module("ciw")
    network = ciw.create_network(
        arrival_distributions=[ciw.dists.Exponential(rho)] * n,
        service_distributions=[ciw.dists.Exponential(1.0)] * n,
        number_of_servers=[1] * n,
        queue_capacities=[theta - 1] * n,
        routing=[[0.0] * n] * n,
    )
    simulation = ciw.Simulation(network, node_class=ciw.PSNode)
    simulation.simulate_until_max_time(arrivals / (n * rho))
    records = simulation.get_all_records(only=["service", "rejection"])
    lost = sum(r.record_type == "rejection" for r in records)
    return lost / len(records), 2 * len(records) - lost


def ours(n: int, theta: int, rho: float, arrivals: int, policy: str = "insensitive", law: str = "exponential") -> Run:
    """A run of the sampler on one core."""

    def run() -> tuple[float, int]:
        found = balance(n, theta, rho, policy, read_law(law)(1.0), arrivals)
        return found["blocking"].value, found.events

    return run


def rate(run: Run, repeats: int = 3) -> tuple[float, float]:
    """Events a second (the best of some repeats), and blocking."""
    best, blocked = 0.0, math.nan
    for _ in range(repeats):
        start = time.process_time()
        blocked, events = run()
        best = max(best, events / (time.process_time() - start))
    return best, blocked


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description="events a second of load balancing")
    parser.add_argument("--arrivals", type=int, default=4_000_000, help="arrivals of a run of ours")
    arrivals = parser.parse_args().arrivals
    print(f"python {platform.python_version()}, {platform.machine()}")
    print(f"theta = {THETA}, rho = {RHO}, one core, seconds of the processor\n")
    for law in ("exponential", CUSTOM):  # compiled before they are timed
        ours(5, THETA, RHO, 1000, law=law)()
    print(f"{'':44s} {'n':>8s} {'million events/s':>17s} {'x plain':>8s} {'blocking':>10s}")
    for law, peer, words in (("exponential", levels, "levels"), (CUSTOM, jobs, "jobs")):
        for n in (20, 200):
            slow, blocked = rate(lambda n=n, peer=peer: peer(n, THETA, RHO, 200_000), 1)
            print(f"{f'plain model, {words}, {law}':44s} {n:8d} {slow / 1e6:17.4f} {1:8.0f} {blocked:10.2g}")
            for policy in ("insensitive", "jsq", "jiq"):
                fast, blocked = rate(ours(n, THETA, RHO, arrivals, policy, law))
                print(f"{f'asymp, {policy}, {law}':44s} {n:8d} {fast / 1e6:17.2f} {fast / slow:8.0f} {blocked:10.2g}", flush=True)
    for n, law in ((10**4, "exponential"), (10**6, "exponential"), (10**4, CUSTOM), (10**6, CUSTOM)):
        fast, blocked = rate(ours(n, THETA, RHO, arrivals, law=law), 1)
        print(f"{f'asymp, insensitive, {law}':44s} {n:8d} {fast / 1e6:17.2f} {'':8s} {blocked:10.2g}", flush=True)
    try:
        importlib.import_module("ciw")
    except ImportError as error:
        print(f"\n(Ciw is not there: {error})")
        return
    slow, blocked = rate(lambda: ciw_jobs(20, THETA, RHO, 20_000), 1)
    print(f"\n{'Ciw, random routing, exponential':44s} {20:8d} {slow / 1e6:17.4f} {1:8.0f} {blocked:10.2g}")
    for by_jobs in (False, True):

        def run(by_jobs: bool = by_jobs) -> tuple[float, int]:
            found = balance(20, THETA, RHO, "random", size=arrivals, by_jobs=by_jobs)
            return found["blocking"].value, found.events

        fast, blocked = rate(run)
        name = f"asymp, random, exponential, {'job by job' if by_jobs else 'by levels'}"
        print(f"{name:44s} {20:8d} {fast / 1e6:17.2f} {fast / slow:8.0f} {blocked:10.2g}")


if __name__ == "__main__":
    main()
