"""Jobs drawn from counters: the class, servers, service time and interarrival time of any job of any sample.

Job j of sample k is a function of (seed, k, j); see :mod:`asymp.sample.counter` for which words make what.

==============  =====================================================================================
exponential     ``-mean log u``
Erlang          ``-(mean of a phase) (log u1 + log u2 + ...)``, added from the left
bounded Pareto  ``low exp(-log(1 - u c) / shape)``, ``c = 1 - (low/high)^shape``
deterministic   the value
==============  =====================================================================================

The compiled and the NumPy version give the same bits: the same operations on the same words in the same order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from asymp.queues.laws import Kind
from asymp.sample import counter, elementary
from asymp.sample.compiler import jit, part
from asymp.sample.counter import ARRIVAL_BLOCK, CHOICE_BLOCK, MASK, UNIFORM_44, UNIFORM_52
from asymp.sample.counter import compiled as philox
from asymp.sample.elementary import compiled_exp as exp
from asymp.sample.elementary import compiled_log as log
from asymp.sample.packed import Array, Packed

CHUNK = 1024
"""Jobs of one pass: the scratch arrays stay in the first-level cache."""

EXPONENTIAL, ERLANG, PARETO, FIXED = map(int, (Kind.EXPONENTIAL, Kind.ERLANG, Kind.BOUNDED_PARETO, Kind.DETERMINISTIC))
LOW_20, LOW_40 = (1 << 20) - 1, (1 << 40) - 1


@part
def first_blocks(job: int, step: int, m: int, key: Any, service: Any, arrival: Any, choice: Any, chosen: bool) -> None:
    k0, k1, c2, c3 = key
    for i in range(m):
        j = job + step * i
        w0, w1, w2, w3 = philox(j & MASK, j >> 32, c2, c3, k0, k1)
        service[i] = (w0 >> 20) | (w1 << 12)
        arrival[i] = (w2 >> 20) | (w3 << 12)
        if chosen:
            choice[i] = (w0 & LOW_20) | ((w2 & LOW_20) << 20)


@part
def choice_blocks(job: int, step: int, m: int, key: Any, choice: Any) -> None:
    k0, k1, c2, c3 = key
    for i in range(m):
        j = job + step * i
        w0, w1, _, _ = philox(j & MASK, (j >> 32) | (CHOICE_BLOCK << 24), c2, c3, k0, k1)
        choice[i] = (w0 >> 24) | (w1 << 8)


@part
def choose(m: int, choice: Any, thresholds: Any, aliases: Any, entry: Any, alias: Any) -> None:
    entries = thresholds.size
    for i in range(m):
        index = np.uint64(((choice[i] * entries) >> 40) & 0xFFFFFF)
        entry[i] = thresholds[index]
        alias[i] = aliases[index]
    # apart from what is looked up, this is done for several at once: a branch for each would be guessed wrong
    for i in range(m):
        x = choice[i] * entries
        entry[i] = (x >> 40) & 0xFFFFFF if (x & LOW_40) < entry[i] else alias[i]


@part
def classify(m: int, entry: Any, packed: Any, need: Any, cls: Any, p0: Any) -> None:
    for i in range(m):
        e = np.uint64(entry[i])
        need[i] = packed.needs[e]
        cls[i] = packed.classes[e]
        p0[i] = packed.parameters[e, 0]


@part
def gather(m: int, entry: Any, parameters: Any, kinds: Any, p0: Any, p1: Any, p2: Any, kind: Any) -> None:
    for i in range(m):
        e = np.uint64(entry[i])
        p0[i] = parameters[e, 0]
        p1[i] = parameters[e, 1]
        p2[i] = parameters[e, 2]
        kind[i] = kinds[e]


@part
def exponential(m: int, mean: float, out: Any) -> None:
    uniform = out.view(np.int64)
    for i in range(m):
        out[i] = -mean * log((uniform[i] + 0.5) * UNIFORM_44)


@part
def exponentials(m: int, p0: Any, out: Any) -> None:
    uniform = out.view(np.int64)
    for i in range(m):
        out[i] = -p0[i] * log((uniform[i] + 0.5) * UNIFORM_44)


@part
def first_logs(m: int, uniform: Any, kind: Any, p1: Any, logs: Any) -> None:
    for i in range(m):
        u = (uniform[i] + 0.5) * UNIFORM_44
        power = 1.0 - u * p1[i]
        logs[i] = log(power if kind[i] == PARETO else u)


@part
def more_logs(job: int, step: int, m: int, key: Any, block: int, phase: int, kind: Any, p1: Any, logs: Any) -> None:
    k0, k1, c2, c3 = key
    for i in range(m):
        j = job + step * i
        w0, w1, w2, w3 = philox(j & MASK, (j >> 32) | (block << 24), c2, c3, k0, k1)
        one = log((((w0 >> 12) | (w1 << 20)) + 0.5) * UNIFORM_52)
        two = log((((w2 >> 12) | (w3 << 20)) + 0.5) * UNIFORM_52)
        phases = p1[i] if kind[i] == ERLANG else 1.0
        logs[i] = (logs[i] + (one if phase < phases else 0.0)) + (two if phase + 1 < phases else 0.0)


@part
def finish(m: int, kind: Any, p0: Any, p2: Any, logs: Any, out: Any) -> None:
    for i in range(m):
        pareto, fixed = kind[i] == PARETO, kind[i] == FIXED
        factor = exp(-logs[i] * p2[i] if pareto else 0.0)
        value = p0[i] * factor if pareto else -p0[i] * logs[i]
        out[i] = p0[i] if fixed else value


@jit
def fill(
    packed: Any, seed: int, sample: int, first: int, count: int, step: int, need: Any, cls: Any, sigma: Any, tau: Any
) -> None:
    seed_bits, sample_bits = np.int64(seed), np.int64(sample)
    key = (seed_bits & MASK, (seed_bits >> 32) & MASK, sample_bits & MASK, (sample_bits >> 32) & MASK)
    integers, floats = np.empty((3, CHUNK), np.int64), np.empty((4, CHUNK), np.float64)
    choice, entry, kind = integers[0], integers[1], integers[2]
    p0, p1, p2, logs = floats[0], floats[1], floats[2], floats[3]
    services, arrivals = sigma.view(np.int64), tau.view(np.int64)  # first the uniforms, then the times in their place
    for start in range(0, count, CHUNK):
        m = min(CHUNK, count - start)
        job, end = first + step * start, start + m
        service, arrival = services[start:end], arrivals[start:end]
        first_blocks(job, step, m, key, service, arrival, choice, packed.kinds.size > 1)
        single, simple = packed.kinds.size == 1, packed.kinds_used == 1 << EXPONENTIAL
        if single:
            need[start:end], cls[start:end], entry[:m] = packed.needs[0], packed.classes[0], 0
        else:
            choose(m, choice, packed.thresholds, packed.aliases, entry, kind)
            classify(m, entry, packed, need[start:end], cls[start:end], p0)
        if simple and single:
            exponential(m, packed.parameters[0, 0], sigma[start:end])
        elif simple:
            exponentials(m, p0, sigma[start:end])
        else:
            gather(m, entry, packed.parameters, packed.kinds, p0, p1, p2, kind)
            first_logs(m, service, kind, p1, logs)
            for phase in range(1, packed.phases, 2):
                more_logs(job, step, m, key, 1 + phase // 2, phase, kind, p1, logs)
            finish(m, kind, p0, p2, logs, sigma[start:end])
        if packed.arrival_kinds.size == 1 and packed.arrival_kinds_used == 1 << EXPONENTIAL:
            exponential(m, packed.arrival_parameters[0, 0], tau[start:end])
            continue
        if packed.arrival_kinds.size > 1:
            choice_blocks(job, step, m, key, choice)
            choose(m, choice, packed.arrival_thresholds, packed.arrival_aliases, entry, kind)
        else:
            entry[:m] = 0
        gather(m, entry, packed.arrival_parameters, packed.arrival_kinds, p0, p1, p2, kind)
        first_logs(m, arrival, kind, p1, logs)
        for phase in range(1, packed.arrival_phases, 2):
            more_logs(job, step, m, key, ARRIVAL_BLOCK + phase // 2, phase, kind, p1, logs)
        finish(m, kind, p0, p2, logs, tau[start:end])


def fill_numpy(
    packed: Packed, seed: int, sample: int, first: int, count: int, step: int = 1
) -> tuple[Array, Array, Array, Array]:
    """``(need, cls, sigma, tau)`` of jobs ``first + step i``, 0 <= i < count: the compiled version's bits, by NumPy."""
    job = first + step * np.arange(count, dtype=np.int64)
    w0, w1, w2, w3 = counter.words(seed, sample, job, 0)
    entry = _chosen((w0 & LOW_20) | ((w2 & LOW_20) << 20), packed.thresholds, packed.aliases)
    sigma = _times(
        ((w0 >> 20) | (w1 << 12)), 1, seed, sample, job, packed.kinds[entry], packed.parameters[entry], packed.phases
    )
    if packed.arrival_thresholds.size > 1:
        v0, v1, _, _ = counter.words(seed, sample, job, CHOICE_BLOCK)
        arrival = _chosen((v0 >> 24) | (v1 << 8), packed.arrival_thresholds, packed.arrival_aliases)
    else:
        arrival = np.zeros(count, np.int64)
    kinds, parameters = packed.arrival_kinds[arrival], packed.arrival_parameters[arrival]
    tau = _times(((w2 >> 20) | (w3 << 12)), ARRIVAL_BLOCK, seed, sample, job, kinds, parameters, packed.arrival_phases)
    return packed.needs[entry], packed.classes[entry], sigma, tau


def _chosen(word: Array, thresholds: Array, aliases: Array) -> Array:
    x = word * thresholds.size
    index = (x >> 40) & 0xFFFFFF
    return np.where((x & LOW_40) < thresholds[index], index, aliases[index])


def _times(
    first_uniform: Array, base: int, seed: int, sample: int, job: Array, kinds: Array, parameters: Array, phases: int
) -> Array:
    u = (first_uniform + 0.5) * UNIFORM_44
    logs = elementary.log(np.where(kinds == PARETO, 1.0 - u * parameters[:, 1], u))
    most = np.where(kinds == ERLANG, parameters[:, 1], 1.0)
    for phase in range(1, phases, 2):
        w0, w1, w2, w3 = counter.words(seed, sample, job, base + (phase - 1) // 2)
        one = elementary.log((((w0 >> 12) | (w1 << 20)) + 0.5) * UNIFORM_52)
        two = elementary.log((((w2 >> 12) | (w3 << 20)) + 0.5) * UNIFORM_52)
        logs = np.where(phase < most, logs + one, logs)
        logs = np.where(phase + 1 < most, logs + two, logs)
    pareto = kinds == PARETO
    powers = elementary.exp(np.where(pareto, -logs * parameters[:, 2], 0.0))
    times = np.where(pareto, parameters[:, 0] * powers, -parameters[:, 0] * logs)
    return np.where(kinds == FIXED, parameters[:, 0], times)


def draw_jobs(
    packed: Packed, seed: int, sample: int, first: int, count: int, device: str = "auto", step: int = 1
) -> tuple[Array, Array, Array, Array]:
    """``(need, cls, sigma, tau)`` of jobs ``first, first + step, ...`` of a sample.

    Args:
        seed: below 2^64.
        sample: below 2^64.
        first: the first job's index; all lie in [0, 2^56).
        count: how many.
        device: ``numba``, ``numpy``, or ``auto`` and ``cpu`` (numba where it is installed).  They give the same bits.
        step: 1 or -1.

    Raises:
        ValueError: for numbers out of these ranges or another device.
    """
    last = first + step * max(count - 1, 0)
    if count < 0 or min(first, last) < 0 or max(first, last) >= counter.MOST_JOBS:
        raise ValueError(f"jobs {first} to {last}: indices must lie in [0, 2^56)")
    if not (0 <= seed < 1 << 64 and 0 <= sample < 1 << 64):
        raise ValueError("seed and sample must lie in [0, 2^64)")
    if device not in ("auto", "cpu", "numba", "numpy"):
        raise ValueError(f"device must be auto, cpu, numba or numpy, not {device!r}")
    if device == "numpy" or (device != "numba" and not _has_numba()):
        return fill_numpy(packed, seed, sample, first, count, step)
    need, cls = np.empty(count, np.int64), np.empty(count, np.int32)
    sigma, tau = np.empty(count), np.empty(count)
    fill(packed, np.uint64(seed), np.uint64(sample), first, count, step, need, cls, sigma, tau)
    return need, cls, sigma, tau


def _has_numba() -> bool:
    from asymp.sample import kernels

    return kernels.available()
