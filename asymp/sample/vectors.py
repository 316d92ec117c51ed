r"""The recurrence on whole workload vectors, by NumPy alone: slow, plain, and the same to the last bit.

This is equation (2) of the paper as it stands, ``W' = R(S(alpha, W) + sigma L(alpha) - tau U)^+``, but for the clock: entries are
absolute times T, ``W = (T - t)^+``, and the clock starts anew where that of :mod:`asymp.sample.runs` does.  It serves where
numba is not installed, and as the check of the compiled path, with which it shares the draws' law but no code.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from asymp.sample import jobs, observe
from asymp.sample.packed import Packed
from asymp.sample.runs import Array, block_length

CHUNK = 256


def workloads(packed: Packed, seed: int, samples: Array, length: int) -> Array:
    """M_length of each sample, shape (samples, servers): ordered, from an empty system ``length`` jobs ago."""
    block = block_length(int(packed.servers))
    top = -(-length // block) * block
    clock = np.zeros(len(samples))
    for start in range(top, length, -CHUNK):
        for tau in _draw(packed, seed, samples, start, min(CHUNK, start - length), -1)[3].T:
            clock = clock + tau
    times = np.repeat(clock[:, None], int(packed.servers), axis=1)
    index = length
    while index > 0:
        if index % block == 0:
            times, clock = times - clock[:, None], np.zeros(len(samples))
        count = min(CHUNK, index, (index - 1) % block + 1)
        need, _, sigma, tau = _draw(packed, seed, samples, index, count, -1)
        for j in range(count):
            times = step(times, clock, need[:, j], sigma[:, j])[0]
            clock = clock + tau[:, j]
        index -= count
    return np.maximum(times - clock[:, None], 0.0)


def step(times: Array, clock: Array, need: Array, sigma: Array) -> tuple[Array, Array, Array]:
    """One job in each system: the new times, the waiting times, and the servers' time idle for the job.

    >>> step(np.array([[0.0, 1.0, 4.0]]), np.array([0.0]), np.array([2]), np.array([2.0]))[0].tolist()
    [[3.0, 3.0, 4.0]]
    """
    start = np.maximum(times[np.arange(len(need)), need - 1], clock)
    raised = np.maximum(times, start[:, None])  # S(alpha, W)
    ours = np.arange(times.shape[1]) < need[:, None]
    idle = np.sum(np.where(ours, start[:, None] - np.maximum(times, clock[:, None]), 0.0), axis=1)
    after = np.sort(np.where(ours, (start + sigma)[:, None], raised), axis=1)
    return after, start - clock, idle


def stop(packed: Packed, seed: int, samples: Array, first: int, most: int) -> tuple[Array, Array]:
    """Algorithm 1 of each sample: workloads, and lengths as :func:`asymp.sample.trajectory.stop` has them."""
    found = workloads(packed, seed, samples, first)
    lengths = np.full(len(samples), -first, np.int64)
    length, active = first, np.arange(len(samples))
    while active.size and 2 * length <= most:
        length *= 2
        longer = workloads(packed, seed, samples[active], length)
        same = np.all(longer == found[active], axis=1)
        found[active] = longer
        lengths[active] = np.where(same, length, -length)
        active = active[~same]
    return found, lengths


def observations(
    packed: Packed, view: observe.View, seed: int, samples: Array, plan: observe.Plan
) -> tuple[Array, Array]:
    """What :func:`asymp.sample.observe.observe` gives: rows of observations, and stopping lengths."""
    found, lengths = stop(packed, seed, samples, plan.first, plan.most)
    classes = view.needs.size
    out = np.empty((len(samples), classes + len(observe.EXTRA)))
    for k, sample in enumerate(samples.tolist()):
        need, _, sigma, tau = (x[0] for x in jobs.fill_numpy(packed, seed, sample, 0, 1))
        _look(view, found[k], need, sigma, tau, out[k])
        if lengths[k] > 0 and plan.share > 0 and sample % plan.share == 0:
            further = workloads(packed, seed, samples[k : k + 1], plan.factor * int(lengths[k]))[0]
            if not np.array_equal(further, found[k]):
                again = np.empty(out.shape[1])
                _look(view, further, need, sigma, tau, again)
                out[k, classes + 5] = again[classes] - out[k, classes]
    return out, lengths


def meetings(packed: Packed, seed: int, samples: Array, first: int, most: int) -> Array:
    """What :func:`asymp.sample.stop_length.meetings` gives."""
    found, lengths = stop(packed, seed, samples, first, most)
    for k, length in enumerate(lengths.tolist()):
        if length < 0:
            lengths[k] = -2 * length
        else:
            further = workloads(packed, seed, samples[k : k + 1], 4 * length)[0]
            lengths[k] = length // 2 if np.array_equal(further, found[k]) else 4 * length
    return lengths


def pile_growth(packed: Packed, seed: int, samples: Array, count: int) -> Array:
    """The mean time by which each of the later half of ``count`` jobs makes the pile of each sample higher."""
    times, still = np.zeros((len(samples), int(packed.servers))), np.zeros(len(samples))
    height = [still, still]
    for part in (0, 1):
        for start in range(part * (count // 2), (part + 1) * (count // 2), CHUNK):
            last = min(start + CHUNK, (part + 1) * (count // 2))
            need, _, sigma, _ = _draw(packed, seed, samples, start, last - start, 1)
            for j in range(last - start):
                times = step(times, still, need[:, j], sigma[:, j])[0]
        height[part] = times[:, -1]
    return (height[1] - height[0]) / (count // 2)


def replicate(packed: Packed, seed: int, last: int, warmup: int, shift: int) -> Any:
    """What runs a forward sample of jobs 0 to last - 1 and adds to its sums and counts, as :mod:`asymp.sample.forward` has it."""
    block = block_length(int(packed.servers))

    def run(own: int, k: int, base: int, sums: Array, counts: Array) -> None:
        times, clock = np.zeros((1, int(packed.servers))), np.zeros(1)
        for start in range(0, last, CHUNK):
            if start % block == 0:
                times, clock = times - clock[:, None], np.zeros(1)
            drawn = _draw(packed, seed, np.array([k]), start, min(CHUNK, last - start), 1)
            for j, (need, cls, sigma, tau) in enumerate(zip(*(part[0] for part in drawn), strict=True)):
                times, wait, idle = step(times, clock, np.array([need]), np.array([sigma]))
                clock = clock + tau
                if start + j >= warmup:
                    w = float(wait[0])
                    sums[cls] += [1.0, w, w * w, float(idle[0]), sigma]
                    place = int(wait.view(np.int64)[0] >> shift) - base
                    counts[cls, min(max(place, 1), counts.shape[1] - 1) if w > 0 else 0] += 1

    return run


def _draw(packed: Packed, seed: int, samples: Array, first: int, count: int, step: int) -> Any:
    drawn = [jobs.fill_numpy(packed, seed, int(k), first, count, step) for k in samples]
    return [np.stack(part) for part in zip(*drawn, strict=True)]


def _look(view: observe.View, workload: Array, need: int, sigma: float, tau: float, out: Array) -> None:
    times, counts = np.unique(workload, return_counts=True)
    observe.look(view, times, counts, times.size, need, sigma, tau, out)
