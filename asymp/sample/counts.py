r"""Exponential one-server jobs in service as a number: forward runs at a cost that does not depend on the servers.

Jobs in service whose remaining times are independent and exponential with one rate need no completion times: their
number k is a Markov state, and the next completion comes at rate k mu.  The one-server classes with exponential
service are held as such numbers, one a class; other jobs in service are runs, as in :mod:`asymp.sample.runs`.

What is sampled.  The law of the whole process of arrivals, starts and departures is that of the recurrence, hence so
are waiting times, idle times and what follows from them.  Path by path it is another one: a job's service time is not
drawn with the job but by the completions, so that there is nothing to couple backward in time, and Algorithm 1 has no
such form.

Random numbers.  Arrivals, classes and the service times of other jobs are those of (seed, sample, job).  The e-th draw
for completions has counter e of a stream of its own, (seed, sample + 2^63), and e depends on the path alone: a sample
is the same however the work is cut.

Waiting for m of k jobs of one class, nothing else being in service, takes the m-th of k exponential order statistics,
drawn at once: ``log(1 + G_m/G_{k-m+1})/mu`` with independent gamma variables of these shapes (their ratio makes
U_(m)/(1 - U_(m))).  Given it, x, the m - 1 before it are independent exponentials below x, and the time that servers
stand idle meanwhile is entered by its mean, ``(f + m) x - x - (m - 1) (1/mu - x/(e^(mu x) - 1))``, f servers having
been free.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from asymp.queues.laws import Exponential, Law
from asymp.queues.workload import Workload
from asymp.sample import forward
from asymp.sample.compiler import jit, part
from asymp.sample.counter import MASK, UNIFORM_52
from asymp.sample.counter import compiled as philox
from asymp.sample.forward import Forward, tally
from asymp.sample.jobs import fill
from asymp.sample.packed import pack
from asymp.sample.replicate import Progress
from asymp.sample.runs import Array
from asymp.sample.runs_heap import pop, push
from asymp.sample.sampled import engine
from asymp.sample.stop_length import UnstableError

CHUNK = 512
MOST_RUNS = 1 << 24
JUMP = 8
"""Completions that are waited for at once; fewer one by one."""


def counted_rates(workload: Workload) -> Array:
    """The service rate of each class that is held as a number, 0 for the others."""
    kept = [c.servers == 1 and isinstance(c.service, Exponential) for c in workload.classes]
    return np.array([1 / c.service.mean if yes else 0.0 for c, yes in zip(workload.classes, kept, strict=True)])


@part
def uniforms(seed: int, sample: int, draw: int) -> tuple[float, float]:
    c3 = ((sample >> 32) & MASK) | 0x80000000
    w0, w1, w2, w3 = philox(draw & MASK, draw >> 32, sample & MASK, c3, seed & MASK, (seed >> 32) & MASK)
    return ((w0 >> 12) | (w1 << 20)) * UNIFORM_52 + 0.5 * UNIFORM_52, ((w2 >> 12) | (w3 << 20)) * UNIFORM_52 + 0.5 * UNIFORM_52


@part
def gamma(shape: float, seed: int, sample: int, draw: int) -> tuple[float, int]:
    """Marsaglia and Tsang (2000), shape >= 1; and the next draw."""
    d = shape - 1.0 / 3.0
    c = 1.0 / np.sqrt(9.0 * d)
    while True:
        u1, u2 = uniforms(seed, sample, draw)
        u3, _ = uniforms(seed, sample, draw + 1)
        draw += 2
        z = np.sqrt(-2.0 * np.log(u1)) * np.cos(2.0 * np.pi * u2)
        v = 1.0 + c * z
        if v > 0.0:
            v = v * v * v
            if np.log(u3) < 0.5 * z * z + d - d * v + d * np.log(v):
                return d * v, draw


@jit
def run(
    packed: Any, rates: Any, start: Any, seed_: Any, sample_: Any, last: int, warmup: int, base: int, room: int,
    sums: Any, counts: Any,
) -> None:  # fmt: skip
    """As :func:`asymp.sample.forward.run`, from ``start`` jobs of each class in service; ``rates`` are those of
    :func:`counted_rates`, ``room`` is the most runs."""
    seed, sample = np.int64(seed_), np.int64(sample_)
    need, cls = np.empty(CHUNK, np.int64), np.empty(CHUNK, np.int32)
    sigma, tau = np.empty(CHUNK), np.empty(CHUNK)
    times, servers = np.empty(room), np.empty(room, np.int32)
    held = start.copy()
    classes = rates.size
    v, t = 0.0, 0.0
    n, free, draw = 0, packed.servers - held.sum(), np.int64(0)
    index: Any = np.int64(0)
    while index < last:
        count = min(CHUNK, last - index)
        fill(packed, seed_, sample_, index, count, np.int64(1), need, cls, sigma, tau)
        for j in range(count):
            alpha, idle = need[j], 0.0
            # From the last start to the arrival, then on until enough servers are free.
            while v < t or free < alpha:
                total, which, kinds = 0.0, 0, 0
                for c in range(classes):
                    if held[c] > 0:
                        total += held[c] * rates[c]
                        which = c
                        kinds += 1
                if v >= t and kinds == 1 and n == 0 and alpha - free >= JUMP:
                    m, k, mu = alpha - free, held[which], rates[which]
                    above, draw = gamma(float(m), seed, sample, draw)
                    below, draw = gamma(float(k - m + 1), seed, sample, draw)
                    x = np.log1p(above / below) / mu
                    # mean of an exponential given that it is below x; its two terms cancel where mu x is small
                    y = mu * x
                    given = x * (0.5 - y / 12.0) if y < 1e-4 else 1.0 / mu - x / np.expm1(y)
                    idle += (free + m - 1) * x - (m - 1) * given
                    v += x
                    held[which] -= m
                    free += m
                    continue
                u1, u2 = uniforms(seed, sample, draw)
                draw += 1
                then = v - np.log(u1) / total if total > 0.0 else np.inf
                run = n > 0 and times[0] <= then
                if run:
                    then = times[0]
                if v < t and then >= t:
                    v = t  # what was drawn beyond t is forgotten: exponentials have no memory
                    continue
                if v >= t:
                    idle += free * (then - v)
                v = then
                if run:
                    free += servers[0]
                    n = pop(times, servers, n)
                else:
                    if kinds > 1:
                        left = u2 * total
                        for c in range(classes):
                            if held[c] > 0:
                                which = c
                                left -= held[c] * rates[c]
                                if left < 0.0:
                                    break
                    held[which] -= 1
                    free += 1
            wait = v - t
            free -= alpha
            if rates[cls[j]] > 0.0:
                held[cls[j]] += 1
            else:
                push(times, servers, n, v + sigma[j], alpha)
                n += 1
            if index + j >= warmup:
                tally(sums, counts, base, cls[j], wait, idle, sigma[j])
            t += tau[j]
        index += count
        # The present becomes time 0, at indices that do not depend on anything.
        for i in range(n):
            times[i] -= t
        v -= t
        t = 0.0


def count_forward(
    workload: Workload,
    interarrival: Law,
    jobs: int,
    samples: int,
    warmup: int = 0,
    seed: int = 0,
    level: float = 0.99,
    loaded: bool = True,
    threads: int = 1,
    progress: Progress | None = None,
    checkpoint: str | Path | None = None,
) -> Forward:
    """:func:`asymp.sample.multiserver.forward` with exponential one-server jobs held as numbers.

    Args:
        loaded: start with as many of them in service as there are in the mean, as far as servers go (an empty system of
            10^8 servers takes as many jobs to fill); otherwise empty.

    Raises:
        ValueError: for arguments out of range, a checkpoint of another run, or no class that can be held as a number.
        UnstableError: if the rate is not below ``s/E[alpha sigma]`` (a pile is not tried).

    >>> from asymp.queues.workload import ServerNeed
    >>> queue = Workload(10**8, (ServerNeed(1, 1.0, Exponential(1.0)),))
    >>> found = count_forward(queue, Exponential(1 / 99990000), jobs=200000, samples=4, warmup=100000)
    >>> bool(found["waiting-mean"].value < 1e-4)
    True
    """
    rates = counted_rates(workload)
    if not rates.any():
        raise ValueError("no class of one server and exponential service: there is nothing to count")
    if engine("cpu") == "numpy":
        raise ValueError("numba is not installed")
    rate = 1 / interarrival.mean
    if not rate < workload.ideal_rate:
        raise UnstableError(
            f"unstable: {rate:.6g} jobs a unit of time, and {workload.servers} servers can do at most {workload.ideal_rate:.6g}"
        )
    held = np.zeros(rates.size, np.int64)
    if loaded:
        offered = np.divide(rate * np.array(workload.probabilities), rates, where=rates > 0, out=np.zeros(rates.size))
        held = (offered * min(1.0, workload.servers / offered.sum())).astype(np.int64)
    packed = pack(workload, interarrival)
    others = [c.servers for c, r in zip(workload.classes, rates, strict=True) if r == 0]
    room = workload.servers // min(others) + 2 if others else 2
    if room > MOST_RUNS:
        raise ValueError(f"up to {room} jobs of other classes at a time: more than {MOST_RUNS} are not kept")

    def one(own: int, k: int, base: int, sums: Array, counts: Array) -> None:
        run(packed, rates, held, np.uint64(seed), np.uint64(k), jobs, warmup, base, room, sums, counts)

    settings = (workload, interarrival, jobs, samples, warmup, seed, level, threads, progress, checkpoint, "numba")
    return forward.replications(*settings, {"kind": "forward-counts", "loaded": loaded}, one)
