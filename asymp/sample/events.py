"""The referee: the 1-and-n system simulated event by event, job by job.

Nothing here knows of phases, cycles or formulas: each server has a time at which it falls free,
jobs stand in a line with their classes, and the head of the line is looked at after every
event.  It costs O(n) an event, so it is for small n, to judge the queue's chains and the sampler.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from asymp.sample.compiler import jit, part
from asymp.sample.estimate import Estimate, Moments, ratio_estimate
from asymp.sample.regenerative import System

BATCHES = 64


def simulate_saturated_cycles(
    system: System, cycles: int, seed: int = 0
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """(N, T), arrays of one entry a cycle: completions and time from one n-server completion to the next.

    >>> completions, time = simulate_saturated_cycles(System(3, 0.25, 1.0, 1.0), 1000)
    >>> completions.shape, bool((time > 0).all())
    ((1000,), True)
    """
    generator = np.random.Generator(np.random.Philox(seed))
    out: tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]] = _saturated(
        generator, int(system.n), system.p, system.mu1, system.mun, cycles
    )
    return out


def simulate_open(system: System, arrival_rate: float, arrivals: int, seed: int = 0, level: float = 0.99) -> Estimate:
    """E[Q], the time-average number of jobs in the open queue with Poisson arrivals, by batch means.

    The first batch of 65 is dropped (the queue starts empty), the others are taken as independent:
    choose ``arrivals`` so that a batch is many times the relaxation time ~ 1/(1-rho)^2.

    Raises:
        ValueError: if the arrival rate is not positive or a batch would be empty.

    >>> estimate = simulate_open(System(1, 0.5, 1.0, 1.0), 0.5, 200_000, seed=2)   # M/M/1 at load 1/2
    >>> estimate.agrees(1.0)
    True
    """
    if not (arrival_rate > 0 and math.isfinite(arrival_rate)):
        raise ValueError(f"arrival_rate must be positive, not {arrival_rate}")
    per_batch = arrivals // (BATCHES + 1)
    if per_batch < 1:
        raise ValueError(f"arrivals must be at least {BATCHES + 1}, not {arrivals}")
    generator = np.random.Generator(np.random.Philox(seed))
    area, time = _open(
        generator, int(system.n), system.p, system.mu1, system.mun, arrival_rate, BATCHES + 1, per_batch
    )
    moments = Moments((float(area[1:].mean()), float(time[1:].mean())))
    moments.add_arrays(area[1:], time[1:])
    return ratio_estimate(moments, level, seed, "events")


@part
def free_server(finish: Any) -> int:
    server = 0
    while finish[server] != np.inf:
        server += 1
    return server


@jit(nogil=False)
def _saturated(generator: Any, n: int, p: float, mu1: float, mun: float, cycles: int) -> Any:
    finish = np.full(n, np.inf)  # when the 1-server job on each server ends
    whole = np.inf  # when the n-server job ends, if it is in service
    busy, waiting = 0, False  # 1-server jobs in service; an n-server job blocks
    now, since, jobs, done = 0.0, 0.0, 0, 0
    completions, times = np.empty(cycles), np.empty(cycles)
    while done < cycles:
        # Jobs come forward while a server is free and none blocks.
        while whole == np.inf and not waiting and busy < n:
            if generator.random() < p:
                waiting = True
            else:
                finish[free_server(finish)] = now + generator.standard_exponential() / mu1
                busy += 1
        if waiting and busy == 0:
            waiting = False
            whole = now + generator.standard_exponential() / mun
        if whole < np.inf:
            now, whole = whole, np.inf
            completions[done], times[done] = jobs + 1, now - since
            done, jobs, since = done + 1, 0, now
        else:
            server = int(np.argmin(finish))
            now = finish[server]
            finish[server] = np.inf
            busy -= 1
            jobs += 1
    return completions, times


@jit(nogil=False)
def _open(
    generator: Any, n: int, p: float, mu1: float, mun: float, rate: float, batches: int, per_batch: int
) -> Any:
    finish = np.full(n, np.inf)
    whole = np.inf
    busy = 0
    line = np.zeros(1024, np.bool_)  # the classes of the jobs in line, a ring: True needs all servers
    head, length = 0, 0
    now = 0.0
    arrival = generator.standard_exponential() / rate
    area, times = np.zeros(batches), np.zeros(batches)
    for batch in range(batches):
        seen = 0
        while seen < per_batch:
            ending = int(np.argmin(finish))
            event = min(arrival, whole, finish[ending])
            in_system = length + busy + (1 if whole < np.inf else 0)
            area[batch] += in_system * (event - now)
            times[batch] += event - now
            now = event
            if event == arrival:
                seen += 1
                arrival = now + generator.standard_exponential() / rate
                if length == line.size:
                    longer = np.zeros(2 * line.size, np.bool_)
                    for k in range(length):
                        longer[k] = line[(head + k) % line.size]
                    line, head = longer, 0
                line[(head + length) % line.size] = generator.random() < p
                length += 1
            elif event == whole:
                whole = np.inf
            else:
                finish[ending] = np.inf
                busy -= 1
            # First come, first served: the head enters if it fits, else all behind it wait.
            while length > 0 and whole == np.inf:
                if line[head]:
                    if busy > 0:
                        break
                    whole = now + generator.standard_exponential() / mun
                else:
                    if busy == n:
                        break
                    finish[free_server(finish)] = now + generator.standard_exponential() / mu1
                    busy += 1
                head = (head + 1) % line.size
                length -= 1
    return area, times
