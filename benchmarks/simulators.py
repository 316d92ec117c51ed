"""Jobs per second of the sampler's core by workload, against plain compiled recurrences and other simulators, in one run.

    python benchmarks/simulators.py [--jobs 400000] [--rounds 5] [--output FILE.txt] [--thresholds]

Processor time of one thread, random numbers included and compilation not; runs take turns, and each figure is a median
over rounds: machines differ and are loaded, so ratios within a run are what to read.  The plain recurrences are what one
would write with numba:

- servers: the sorted vector of the times at which servers become free (Kiefer and Wolfowitz), a place found by halving;
- jobs: the sorted vector of the jobs in service, as (completion, servers);
- heap: a binary heap of the servers' times, where each job takes one server.

They draw by :data:`GENERATORS`, and beside each stands the fastest that the workload allows.  ``drawn`` is the part of the
sampler's time that goes into drawing, from counters.
Ciw, SimPy, LINE's native engine and a C++ event simulation (compiled by g++) run M/M/s, where installed.  Mean waits stand
beside Erlang's C and Pollaczek and Khinchine's formula, with 99% intervals of the sampler's replications.
"""

# ruff: noqa: NPY002 -- np.random is what the plain recurrences are to draw by

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit

from asymp.queues.laws import Erlang, Exponential
from asymp.queues.workload import ServerNeed, Workload, named
from asymp.sample import trajectory
from asymp.sample.jobs import fill
from asymp.sample.multiserver import forward
from asymp.sample.packed import pack
from asymp.sample.stability import threshold
from benchmarks.multiserver import Walk, processor

LOAD = 0.75
RATES = {"table2-exponential": 1.351, "one-and-256": 15.32, "cell-b": 1.121}
"""75% of the thresholds."""
GENERATORS: dict[str, Any] = {"np.random": None, "PCG64": np.random.PCG64, "SFC64": np.random.SFC64}
"""What the plain recurrences draw by: numba's own generator (Mersenne twister, logarithms), or numpy's newer ones (ziggurat)."""
SERVERS = (5, 20, 100, 1000, 10**4, 10**5, 10**6)

CPP = r"""
#include <cstdio>
#include <cstdlib>
#include <queue>
#include <random>
#include <ctime>
int main(int, char** a) {  // M/M/s by events: arrivals, departures, first come first served
  long s = atol(a[1]), n = atol(a[2]); double rate = atof(a[3]);
  std::mt19937_64 g(1); std::exponential_distribution<double> gap(rate), service(1.0);
  std::priority_queue<double, std::vector<double>, std::greater<double>> busy; std::queue<double> line;
  double next = gap(g), wait = 0; long began = 0; clock_t t = clock();
  for (long seen = 0; began < n;) {
    if (seen < n && (busy.empty() || next <= busy.top())) {
      if ((long)busy.size() < s) { busy.push(next + service(g)); began++; } else line.push(next);
      next += gap(g); seen++;
    } else {
      double now = busy.top(); busy.pop();
      if (!line.empty()) { wait += now - line.front(); line.pop(); busy.push(now + service(g)); began++; }
    }
  }
  printf("%.9g %.9g\n", double(clock() - t) / CLOCKS_PER_SEC, wait / n);
}
"""


@njit(error_model="numpy")
def exponential(rng: Any, mean: float) -> float:
    return np.random.exponential(mean) if rng is None else mean * rng.standard_exponential()


@njit(error_model="numpy")
def chosen(rng: Any, cumulative: Any) -> int:
    if cumulative.size == 1:
        return 0
    return np.searchsorted(cumulative, np.random.random() if rng is None else rng.random())


@njit(error_model="numpy")
def servers_vector(
    rng: Any, needs: Any, cumulative: Any, means: Any, gap: float, free: Any, jobs: int, clock: Any
) -> float:
    t, total, servers = clock[0], 0.0, free.size
    for _ in range(jobs):
        c = chosen(rng, cumulative)
        alpha = needs[c]
        v = max(free[alpha - 1], t)
        total += v - t
        end = v + exponential(rng, means[c])
        low, high = alpha, servers
        while low < high:
            middle = (low + high) >> 1
            if free[middle] < end:
                low = middle + 1
            else:
                high = middle
        for i in range(alpha, low):
            free[i - alpha] = free[i]
        for i in range(low - alpha, low):
            free[i] = end
        t += exponential(rng, gap)
    clock[0] = t
    return total


@njit(error_model="numpy")
def jobs_vector(
    rng: Any,
    needs: Any,
    cumulative: Any,
    means: Any,
    gap: float,
    times: Any,
    counts: Any,
    level: Any,
    jobs: int,
    clock: Any,
) -> float:
    t, v, total, n, free = clock[0], clock[1], 0.0, level[0], level[1]
    for _ in range(jobs):
        c = chosen(rng, cumulative)
        alpha = needs[c]
        v = max(v, t)
        while n > 0 and times[n - 1] <= v:
            n -= 1
            free += counts[n]
        while free < alpha:
            n -= 1
            v = times[n]
            free += counts[n]
        total += v - t
        free -= alpha
        end, i = v + exponential(rng, means[c]), n
        while i > 0 and times[i - 1] < end:
            times[i], counts[i] = times[i - 1], counts[i - 1]
            i -= 1
        times[i], counts[i] = end, alpha
        n += 1
        t += exponential(rng, gap)
    clock[0], clock[1], level[0], level[1] = t, v, n, free
    return total


@njit(error_model="numpy")
def heap(rng: Any, mean: float, gap: float, free: Any, jobs: int, clock: Any) -> float:
    t, total, servers = clock[0], 0.0, free.size
    for _ in range(jobs):
        v = max(free[0], t)
        total += v - t
        end, i = v + exponential(rng, mean), 0
        while 2 * i + 1 < servers:
            child = 2 * i + 1
            if child + 1 < servers and free[child + 1] < free[child]:
                child += 1
            if free[child] >= end:
                break
            free[i] = free[child]
            i = child
        free[i] = end
        t += exponential(rng, gap)
    clock[0] = t
    return total


def cases() -> Iterator[tuple[str, Workload, float]]:
    """Names, workloads of exponential classes, arrival rates."""
    for name, rate in RATES.items():
        yield name, named(name), rate
    for servers in SERVERS:
        yield f"M/M/{servers}", Workload(servers, (ServerNeed(1, 1.0, Exponential(1.0)),)), LOAD * servers


def plain(workload: Workload, rate: float, rng: Any) -> dict[str, Callable[[int], object]]:
    """The plain recurrences that a workload allows at a bearable cost; each goes on from where it was."""
    needs, means = np.array(workload.needs), np.array([c.service.mean for c in workload.classes])
    cumulative, gap, servers = np.cumsum(workload.probabilities), 1 / rate, workload.servers
    cumulative[-1] = 1.0
    found: dict[str, Callable[[int], object]] = {}
    if servers <= 10**4:
        free, clock = np.zeros(servers), np.zeros(2)
        found["servers"] = lambda jobs: servers_vector(rng, needs, cumulative, means, gap, free, jobs, clock)
        times, counts, level = np.zeros(servers + 2), np.zeros(servers + 2, np.int64), np.array([0, servers])
        two = np.zeros(2)
        found["jobs"] = lambda jobs: jobs_vector(rng, needs, cumulative, means, gap, times, counts, level, jobs, two)
    if max(needs) == 1:
        tree, three = np.zeros(servers), np.zeros(2)
        found["heap"] = lambda jobs: heap(rng, means[0], gap, tree, jobs, three)
    return found


def seconds(run: Callable[[int], object], jobs: int) -> float:
    """Processor time."""
    start = time.process_time()
    run(jobs)
    return time.process_time() - start


def drawing(workload: Workload, rate: float) -> Callable[[int], object]:
    """The drawing alone, in chunks as the sampler does it."""
    packed, n = pack(workload, Exponential(1 / rate)), trajectory.CHUNK
    need, cls, sigma, tau = np.empty(n, np.int64), np.empty(n, np.int32), np.empty(n), np.empty(n)

    def run(jobs: int) -> None:
        for first in range(0, jobs, n):
            fill(packed, np.uint64(1), np.uint64(0), first, n, 1, need, cls, sigma, tau)

    return run


def row(name: str, workload: Workload, rate: float, jobs: int, rounds: int) -> str:
    """One workload: nanoseconds a job, medians; of each generator the best plain recurrence and the median of the ratios to it
    within a round, then that of the better sorted vector."""
    walk = Walk(pack(workload, Exponential(1 / rate)))
    ways: dict[str, Callable[[int], object]] = {"asymp": walk.run, "drawn": drawing(workload, rate)}
    for generator, bits in GENERATORS.items():
        rng = None if bits is None else np.random.Generator(bits(1))
        ways |= {f"{way} {generator}": run for way, run in plain(workload, rate, rng).items()}
    times: dict[str, list[float]] = {way: [] for way in ways}
    counts = dict.fromkeys(ways, jobs)
    for way, run in ways.items():
        run(512)
        warm = 4 * workload.servers + 1000
        # a vector of many servers is slow: it is warmed and timed by fewer jobs
        slow = seconds(run, 2000) / 2000 * warm > 3
        run(min(warm, 20_000) if slow else warm)
        counts[way] = min(jobs, 20_000) if slow else jobs
    for _ in range(rounds):
        for way, run in ways.items():
            times[way].append(seconds(run, counts[way]) / counts[way] * 1e9)
    middle = {way: statistics.median(found) for way, found in times.items()}

    def against(*rivals: str) -> str:
        there = [way for way in rivals if way in middle]
        if not there:
            return f"{'-':>24s}"
        best = min(there, key=lambda way: middle[way])
        ratio = statistics.median(b / a for a, b in zip(times["asymp"], times[best], strict=True))
        return f"{middle[best]:>10.1f}{best.split()[0]:>8s}{ratio:>6.2f}"

    kept = ("sorted", "calendar", "servers")[int(walk.bench.state.level[2])]
    vectors = [f"{way} {generator}" for way in ("servers", "jobs") for generator in GENERATORS]
    cells = [against(*(f"{way} {generator}" for way in ("servers", "jobs", "heap"))) for generator in GENERATORS]
    return f"{name:20s}{middle['asymp']:>8.1f}{middle['drawn']:>8.1f}{kept:>10s}" + "".join([*cells, against(*vectors)])


# ------------------------------------------------------------------------------------------- other simulators


def by_ciw(servers: int, jobs: int) -> tuple[float, float]:
    import ciw

    network = ciw.create_network(
        arrival_distributions=[ciw.dists.Exponential(LOAD * servers)],
        service_distributions=[ciw.dists.Exponential(1.0)], number_of_servers=[servers],
    )  # fmt: skip
    ciw.seed(1)
    start = time.process_time()
    simulation = ciw.Simulation(network)
    simulation.simulate_until_max_customers(jobs)
    spent = time.process_time() - start
    return spent, statistics.fmean(r.waiting_time for r in simulation.get_all_records())


def by_simpy(servers: int, jobs: int) -> tuple[float, float]:
    import random

    import simpy

    environment, draw, waits = simpy.Environment(), random.Random(1), []
    desk = simpy.Resource(environment, servers)

    def job() -> Iterator[Any]:
        came = environment.now
        with desk.request() as turn:
            yield turn
            waits.append(environment.now - came)
            yield environment.timeout(draw.expovariate(1.0))

    def source() -> Iterator[Any]:
        for _ in range(jobs):
            environment.process(job())
            yield environment.timeout(draw.expovariate(LOAD * servers))

    environment.process(source())
    start = time.process_time()
    environment.run()
    return time.process_time() - start, statistics.fmean(waits)


def by_line(servers: int, jobs: int) -> tuple[float, float]:
    import line_solver as line

    model = line.Network("M/M/s")
    source, queue, sink = (
        line.Source(model, "in"),
        line.Queue(model, "queue", line.SchedStrategy.FCFS),
        line.Sink(model, "out"),
    )
    queue.setNumberOfServers(servers)
    kind = line.OpenClass(model, "jobs")
    source.setArrival(kind, line.Exp(LOAD * servers))
    queue.setService(kind, line.Exp(1.0))
    model.link(line.Network.serialRouting(source, queue, sink))
    start = sum(os.times()[:4])
    table = line.SolverLDES(model, samples=jobs, seed=1).getAvgTable()
    spent = sum(os.times()[:4]) - start  # its engine is a process of its own
    return spent, float(np.asarray(table["RespT"], float)[-1]) - 1.0


def by_cpp(servers: int, jobs: int) -> tuple[float, float]:
    compiler = shutil.which("g++")
    if compiler is None:
        raise ImportError("no g++")
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder, "queue.cpp"), Path(folder, "queue")
        source.write_text(CPP, encoding="utf-8")
        subprocess.run([compiler, "-O3", "-march=native", "-o", program, source], check=True)
        words = [str(program), str(servers), str(jobs), str(LOAD * servers)]
        found = subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()
    return float(found[0]), float(found[1])


def by_asymp(servers: int, jobs: int) -> tuple[float, float]:
    walk = Walk(pack(Workload(servers, (ServerNeed(1, 1.0, Exponential(1.0)),)), Exponential(1 / (LOAD * servers))))
    walk.run(1024)
    spent, total, chunk = seconds(walk.run, jobs), 0.0, trajectory.CHUNK
    for _ in range(4000):  # the walk keeps the waits of one chunk
        walk.run(chunk)
        total += float(walk.bench.wait[:chunk].sum())
    return spent, total / 4000 / chunk


PEERS = (
    ("asymp", by_asymp, 4_000_000), ("C++ by events, g++ -O3", by_cpp, 2_000_000), ("Ciw", by_ciw, 10_000),
    ("SimPy", by_simpy, 20_000), ("LINE, LDES engine", by_line, 100_000),
)  # fmt: skip


def erlang_c(servers: int) -> float:
    """The mean wait of M/M/s of unit mean at :data:`LOAD`: Erlang's recurrence for B, then C."""
    offered, blocked = LOAD * servers, 1.0
    for k in range(1, servers + 1):
        blocked = offered * blocked / (k + offered * blocked)
    delayed = blocked / (1 - LOAD * (1 - blocked))
    return delayed / (servers * (1 - LOAD))


def exact_waits() -> Iterator[str]:
    """Mean waits, with intervals, beside exact ones."""
    yield f"{'queue':30s}{'exact':>12s}{'found':>12s}{'99% interval':>28s}   inside"
    one = Exponential(1.0)
    rows = [(f"M/M/{s}, Erlang C", Workload(s, (ServerNeed(1, 1.0, one),)), s, erlang_c(s)) for s in (1, 5, 20, 100)]
    law = Erlang(3, 1 / 3)
    second = law.moment(2) / law.mean**2
    rows.append(
        (
            "M/E3/1, Pollaczek-Khinchine",
            Workload(1, (ServerNeed(1, 1.0, law),)),
            1,
            LOAD * second / 2 / (1 - LOAD) * law.mean,
        )
    )
    for name, workload, servers, exact in rows:
        mean = workload.classes[0].service.mean
        found = forward(
            workload, Exponential(mean / (LOAD * servers)), 200_000, 64, warmup=20_000, seed=3, device="cpu"
        )
        one_mean = found["waiting-mean"]
        low, high = one_mean.interval
        yield f"{name:30s}{exact:12.6f}{one_mean.value:12.6f}{f'[{low:.6f}, {high:.6f}]':>28s}   {low <= exact <= high}"


def main() -> None:
    """Print the tables, and write them where they are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=400_000, help="a measurement")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--output", type=Path)
    parser.add_argument("--thresholds", action="store_true", help="the threshold of cell-b to 0.5%% as well")
    options = parser.parse_args()
    lines: list[str] = []

    def show(text: str) -> None:
        lines.append(text)
        print(text, flush=True)

    show(
        f"benchmarks/simulators.py, {time.strftime('%Y-%m-%d')}: {processor()}, one thread, processor time, a loaded machine"
    )
    show(f"\nNanoseconds a job at {LOAD:.0%} of the threshold, medians of {options.rounds} rounds in turn\n")
    show(
        f"{'workload':20s}{'asymp':>8s}{'drawn':>8s}{'kept as':>10s}"
        + "".join(f"{word:>24s}" for word in (*GENERATORS, "best sorted vector"))
    )
    for name, workload, rate in cases():
        show(row(name, workload, rate, options.jobs, options.rounds))
    show("\nof each generator: the best plain recurrence, and its time over asymp's (median within rounds)")
    for servers in (5, 100):
        show(f"\nM/M/{servers}: thousand jobs a second, and the mean wait (exact: {erlang_c(servers):.6f})\n")
        for name, run, jobs in PEERS:
            try:
                spent, wait = run(servers, jobs)
                show(f"{name:26s}{jobs / spent / 1e3:12.1f}{wait:14.6f}")
            except Exception as reason:  # a peer that is not there, or is another version, is said
                show(
                    f"{name:26s}  not run: {type(reason).__name__}: {str(reason).splitlines()[0][:80] if str(reason) else ''}"
                )
    show("")
    for line in exact_waits():
        show(line)
    if options.thresholds:
        start = time.process_time()
        found = threshold(named("cell-b"), rel=0.005)
        half = (found.interval[1] - found.interval[0]) / 2 / found.value
        spent = time.process_time() - start
        show(
            f"\nthreshold of cell-b: {found.value:.5f} within {half:.2%}, {found.jobs / 1e6:.0f} million jobs, {spent:.1f} s"
        )
    if options.output:
        options.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
