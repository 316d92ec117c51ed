"""The pile of a first-come-first-served multiserver queue: all jobs there from the beginning, put on one after another.

``H' = R(S(alpha, H) + sigma L(alpha))`` (Baccelli, Olliaro, Ajmone Marsan and Marin, equation (7)) is the recurrence of
the workload without time between arrivals, so the kernels of :mod:`asymp.sample.runs` make it; V, the start of the last
job, stands for its height.  Times start anew every ``CHUNK`` jobs, so no digits are lost however high it grows.

A job that few others can be served beside waits for the longest of those that came since the last of its class: this largest
service time, added up over the class, has a known mean (:func:`longest_means`) and says most of how the pile grows where such
jobs are rare and large.  It is kept of the :data:`LARGEST` classes that need most servers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

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


LARGEST = 8


class Heap(NamedTuple):
    """A pile, and of each class the longest service since its last job of those that it cannot be served beside."""

    runs: runs.State
    longest: Array


class FirstComeFirstServed:
    """Piles of a workload and seed; see :class:`asymp.sample.growth.Pile`."""

    def __init__(self, workload: Workload, seed: int) -> None:
        self.workload, self.seed = workload, np.uint64(seed)
        self.exact: float | None = None
        self.classes = len(workload.classes)
        # The time between arrivals is drawn with the rest and not used; exponential is the fastest.
        self.packed = pack(workload, Exponential(1.0))
        needs = np.array(workload.needs)
        self.order = np.argsort(-needs, kind="stable")[:LARGEST]
        self.beside = np.array([int((needs[self.order] + need > workload.servers).sum()) for need in needs])

    def flat(self, like: Any = None) -> Heap:
        """An empty pile."""
        state = runs.new_state(self.workload.servers, min(self.workload.needs))
        return Heap(state, np.zeros(self.classes))

    def run(self, state: Heap, sample: int, first: int, count: int, sums: Array) -> float:
        """Puts jobs on the pile; the rise of V."""
        where = (self.packed, state.runs, state.longest, self.beside, self.order)
        return float(climb(*where, self.seed, np.uint64(sample), first, count, sums))

    def height(self, state: Heap) -> float:
        """The top above V."""
        return float(runs.highest(state.runs))

    def profile(self, state: Heap) -> Array:
        """Heights above V and their servers, in order: an array of two rows."""
        pile = state.runs
        runs.settle(pile)
        times, counts = np.empty(pile.times.size + 1), np.empty(pile.times.size + 1, np.int32)
        found = runs.in_order(pile, times, counts)
        return np.array([times[:found] - pile.clock[1], counts[:found]])

    def same(self, a: Heap, b: Heap) -> bool:
        """Whether two piles have one profile, up to rounding."""
        first, second = self.profile(a), self.profile(b)
        if first.shape != second.shape or not np.array_equal(first[1], second[1]):
            return False
        return bool(np.abs(first[0] - second[0]).max(initial=0.0) <= SAME * first[0].max(initial=0.0))

    def longest_means(self) -> Array:
        """Of each class the mean longest service of those that it cannot be served beside, from one of its jobs to the next.

        With p the probability of the class and q(x) that of a job of those and longer than x, none comes before the next with
        probability ``p/(p + q)``; F(x) times that, F the law of the class, if its jobs cannot be served beside each other: the
        mean is the integral of 1 less this.

        >>> from asymp.queues.job_classes import ServerNeed
        >>> pair = ServerNeed(1, 0.5, Exponential(2.0)), ServerNeed(2, 0.5, Exponential(1.0))
        >>> FirstComeFirstServed(Workload(2, pair), 0).longest_means().round(6)  # log 2, and 2
        array([0.693147, 2.      ])
        """
        found, classes = np.zeros(self.classes), self.workload.classes
        nodes, weights = np.polynomial.legendre.leggauss(12)
        for z in self.order:
            others = [
                c for k, c in enumerate(classes) if k != z and c.servers + classes[z].servers > self.workload.servers
            ]
            beside = [*others, *([classes[z]] if 2 * classes[z].servers > self.workload.servers else [])]
            if not beside:
                continue
            top = max(2 * c.service.quantile(1 - 1e-14) for c in beside)
            jumps = [x for c in beside for part in c.service.parts() for x in part.parameters[:1] if 0 < x < top]
            edges = np.unique([0.0, *np.geomspace(1e-9 * top, top, 400), *jumps])
            middle, half = (edges[1:] + edges[:-1]) / 2, (edges[1:] - edges[:-1]) / 2
            x = (middle[:, None] + half[:, None] * nodes).ravel()
            p, q = (
                classes[z].probability,
                sum((c.probability * (1 - c.service.cdf(x)) for c in others), np.zeros_like(x)),
            )
            below = p / (p + q) * (classes[z].service.cdf(x) if classes[z] in beside else 1.0)
            found[z] = float(((1 - below).reshape(-1, nodes.size) @ weights) @ half)
        return found


@jit
def climb(
    packed: Any,
    state: Any,
    longest: Any,
    beside: Any,
    order: Any,
    seed: int,
    sample: int,
    first: int,
    count: int,
    sums: Any,
) -> float:
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
            c = cls[i]
            sums[c, 0] += 1.0
            sums[c, 1] += sigma[i]
            for j in range(beside[c]):
                longest[order[j]] = max(longest[order[j]], 0.0 if order[j] == c else sigma[i])
            if sums.shape[1] > 2:
                sums[c, 2] += longest[c]
            longest[c] = sigma[i] if 2 * need[i] > packed.servers else 0.0
    return rise
