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

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from asymp.queues.laws import Kind
from asymp.sample import counter, elementary
from asymp.sample.counter import ARRIVAL_BLOCK, CHOICE_BLOCK, MASK, UNIFORM_44, UNIFORM_52
from asymp.sample.packed import Array, Packed

CHUNK = 512
"""Jobs of one pass: the scratch arrays stay in the first-level cache."""

EXPONENTIAL, ERLANG, PARETO, FIXED = map(int, (Kind.EXPONENTIAL, Kind.ERLANG, Kind.BOUNDED_PARETO, Kind.DETERMINISTIC))
LOW_20, LOW_40 = (1 << 20) - 1, (1 << 40) - 1


@cache
def filler() -> Callable[..., None]:
    """The compiled ``fill(packed, seed, sample, first, count, step, need, cls, sigma, tau) -> None``.

    Entry i of the int64 ``need``, int32 ``cls`` and float64 ``sigma`` and ``tau`` becomes that of job
    ``first + step i`` of the sample; ``tau`` is the time between that job and the next.
    """
    import numba

    log, exp = elementary.compiled()
    philox = counter.compiled()
    jit = numba.njit(nogil=True, error_model="numpy")

    @jit
    def times(
        base: int, k0: int, k1: int, c2: int, c3: int, first: int, step: int, m: int,
        uniforms: Any, entry: Any, kinds: Any, parameters: Any, used: int, phases: int, logs: Any, out: Any,
    ) -> None:  # fmt: skip
        """Times from the first uniforms (as 44-bit integers) and the entries; further ones from block ``base``."""
        if used == 1 << EXPONENTIAL:
            for i in range(m):
                out[i] = -parameters[entry[i], 0] * log((uniforms[i] + 0.5) * UNIFORM_44)
            return
        for i in range(m):
            u = (uniforms[i] + 0.5) * UNIFORM_44
            e = entry[i]
            logs[i] = log(1.0 - u * parameters[e, 1] if kinds[e] == PARETO else u)
        for phase in range(1, phases, 2):
            block = (base + (phase - 1) // 2) << 24
            for i in range(m):
                job = first + step * i
                w0, w1, w2, w3 = philox(job & MASK, (job >> 32) | block, c2, c3, k0, k1)
                one = log((((w0 >> 12) | (w1 << 20)) + 0.5) * UNIFORM_52)
                two = log((((w2 >> 12) | (w3 << 20)) + 0.5) * UNIFORM_52)
                e = entry[i]
                most = parameters[e, 1] if kinds[e] == ERLANG else 1.0
                if phase < most:
                    logs[i] += one
                if phase + 1 < most:
                    logs[i] += two
        for i in range(m):
            e = entry[i]
            kind = kinds[e]
            if kind == PARETO:
                out[i] = parameters[e, 0] * exp(-logs[i] * parameters[e, 2])
            elif kind == FIXED:
                out[i] = parameters[e, 0]
            else:
                out[i] = -parameters[e, 0] * logs[i]

    @jit
    def fill(
        packed: Any, seed: int, sample: int, first: int, count: int, step: int, need: Any, cls: Any, sigma: Any, tau: Any
    ) -> None:
        key, which = np.int64(seed), np.int64(sample)
        k0, k1 = key & MASK, (key >> 32) & MASK
        c2, c3 = which & MASK, (which >> 32) & MASK
        thresholds, aliases, needs, classes = packed.thresholds, packed.aliases, packed.needs, packed.classes
        entries, arrival_entries = thresholds.size, packed.arrival_thresholds.size
        service, arrival = np.empty(CHUNK, np.int64), np.empty(CHUNK, np.int64)
        choice, entry = np.empty(CHUNK, np.int64), np.empty(CHUNK, np.int64)
        logs = np.empty(CHUNK, np.float64)
        for start in range(0, count, CHUNK):
            m = min(CHUNK, count - start)
            here = first + step * start
            for i in range(m):
                job = here + step * i
                w0, w1, w2, w3 = philox(job & MASK, job >> 32, c2, c3, k0, k1)
                service[i] = (w0 >> 20) | (w1 << 12)
                arrival[i] = (w2 >> 20) | (w3 << 12)
                choice[i] = (w0 & LOW_20) | ((w2 & LOW_20) << 20)
            for i in range(m):
                x = choice[i] * entries
                index = (x >> 40) & 0xFFFFFF
                e = index if (x & LOW_40) < thresholds[index] else aliases[index]
                entry[i] = e
                need[start + i] = needs[e]
                cls[start + i] = classes[e]
            times(
                1, k0, k1, c2, c3, here, step, m, service, entry,
                packed.kinds, packed.parameters, packed.kinds_used, packed.phases, logs, sigma[start : start + m],
            )  # fmt: skip
            if arrival_entries > 1:
                for i in range(m):
                    job = here + step * i
                    w0, w1, w2, w3 = philox(job & MASK, (job >> 32) | (CHOICE_BLOCK << 24), c2, c3, k0, k1)
                    x = ((w0 >> 24) | (w1 << 8)) * arrival_entries
                    index = (x >> 40) & 0xFFFFFF
                    e = index if (x & LOW_40) < packed.arrival_thresholds[index] else packed.arrival_aliases[index]
                    entry[i] = e
            else:
                for i in range(m):
                    entry[i] = 0
            times(
                ARRIVAL_BLOCK, k0, k1, c2, c3, here, step, m, arrival, entry,
                packed.arrival_kinds, packed.arrival_parameters, packed.arrival_kinds_used, packed.arrival_phases,
                logs, tau[start : start + m],
            )  # fmt: skip

    return fill


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
        device: ``numba``, ``numpy``, or ``auto`` (numba where it is installed).  They give the same bits.
        step: 1 or -1.

    Raises:
        ValueError: for numbers out of these ranges or another device.
    """
    last = first + step * max(count - 1, 0)
    if count < 0 or min(first, last) < 0 or max(first, last) >= counter.MOST_JOBS:
        raise ValueError(f"jobs {first} to {last}: indices must lie in [0, 2^56)")
    if not (0 <= seed < 1 << 64 and 0 <= sample < 1 << 64):
        raise ValueError("seed and sample must lie in [0, 2^64)")
    if device not in ("auto", "numba", "numpy"):
        raise ValueError(f"device must be auto, numba or numpy, not {device!r}")
    if device == "numpy" or (device == "auto" and not _has_numba()):
        return fill_numpy(packed, seed, sample, first, count, step)
    need, cls = np.empty(count, np.int64), np.empty(count, np.int32)
    sigma, tau = np.empty(count), np.empty(count)
    filler()(packed, np.uint64(seed), np.uint64(sample), first, count, step, need, cls, sigma, tau)
    return need, cls, sigma, tau


def _has_numba() -> bool:
    from asymp.sample import kernels

    return kernels.available()
