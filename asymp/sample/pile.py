"""The pile of a first-come-first-served multiserver queue: all jobs there from the beginning, put on one after another.

``H' = R(S(alpha, H) + sigma L(alpha))`` (Baccelli, Olliaro, Ajmone Marsan and Marin, equation (7)) is the recurrence of
the workload without time between arrivals, so the kernels of :mod:`asymp.sample.runs` make it; V, the start of the last
job, stands for its height.  Times start anew every ``CHUNK`` jobs, so no digits are lost however high it grows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from asymp.queues.job_classes import Workload
from asymp.queues.laws import Exponential
from asymp.sample import runs
from asymp.sample.compiler import jit
from asymp.sample.jobs import fill
from asymp.sample.packed import pack

Array = np.ndarray[Any, Any]

CHUNK = 1024
SAME = 1e-9
"""Piles are one if their profiles agree to this part of their height."""


class FirstComeFirstServed:
    """Piles of a workload and seed; see :class:`asymp.sample.growth.Pile`."""

    def __init__(self, workload: Workload, seed: int) -> None:
        self.workload, self.seed = workload, np.uint64(seed)
        self.exact: float | None = None
        self.classes = len(workload.classes)
        # The time between arrivals is drawn with the rest and not used; exponential is the fastest.
        self.packed = pack(workload, Exponential(1.0))

    def flat(self, like: Any = None) -> runs.State:
        """An empty pile."""
        state = runs.new_state(self.workload.servers, min(self.workload.needs))
        runs.reset(state, self.workload.servers, 0.0)
        return state

    def run(self, state: runs.State, sample: int, first: int, count: int, sums: Array) -> float:
        """Puts jobs on the pile; the rise of V."""
        return float(climb(self.packed, state, self.seed, np.uint64(sample), first, count, sums))

    def height(self, state: runs.State) -> float:
        """The top above V."""
        return float(runs.highest(state))

    def profile(self, state: runs.State) -> Array:
        """Heights above V and their servers, in order: an array of two rows."""
        runs.settle(state)
        times, counts = np.empty(state.times.size + 1), np.empty(state.times.size + 1, np.int32)
        found = runs.in_order(state, times, counts)
        return np.array([times[:found] - state.clock[1], counts[:found]])

    def same(self, a: runs.State, b: runs.State) -> bool:
        """Whether two piles have one profile, up to rounding."""
        first, second = self.profile(a), self.profile(b)
        if first.shape != second.shape or not np.array_equal(first[1], second[1]):
            return False
        return bool(np.abs(first[0] - second[0]).max(initial=0.0) <= SAME * first[0].max(initial=0.0))


@jit
def climb(packed: Any, state: Any, seed: int, sample: int, first: int, count: int, sums: Any) -> float:
    need, cls = np.empty(CHUNK, np.int64), np.empty(CHUNK, np.int32)
    sigma, tau, none = np.empty(CHUNK), np.empty(CHUNK), np.zeros(CHUNK)
    wait, idle = np.empty(CHUNK), np.empty(CHUNK)
    rise = 0.0
    for start in range(0, count, CHUNK):
        m = min(CHUNK, count - start)
        fill(packed, seed, sample, first + start, m, np.int64(1), need, cls, sigma, tau)
        runs.advance(state, need, sigma, none, m, wait, idle)
        # V becomes time 0: it is the arrival time that rebase takes for the present.
        rise += state.clock[1]
        state.clock[0] = state.clock[1]
        runs.rebase(state)
        for i in range(m):
            sums[cls[i], 0] += 1.0
            sums[cls[i], 1] += sigma[i]
    return rise
