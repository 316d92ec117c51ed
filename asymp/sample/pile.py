"""The pile of a first-come-first-served multiserver queue: all jobs there from the beginning, put on one after another.

``H' = R(S(alpha, H) + sigma L(alpha))`` (Baccelli, Olliaro, Ajmone Marsan and Marin, equation (7)) is the recurrence of
the workload without time between arrivals, so the kernels of :mod:`asymp.sample.runs` make it; V, the start of the last
job, stands for its height.  Times start anew every ``CHUNK`` jobs, so no digits are lost however high it grows.

A job that few others can be served beside waits for the longest of those that came since the last of its class: this largest
service time, added up over the class, has a known mean (:func:`longest_means`) and says most of how the pile grows where such
jobs are rare and large.  It is kept of the :data:`LARGEST` classes that need most servers.

Beside a pile rises its *companion*, of the classes alone whose jobs are largest and together rare (:data:`RARE`): where most of
the jobs are small, it rises nearly as the pile does, and how fast is found at a hundredth of the cost.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from asymp.queues.job_classes import Workload
from asymp.queues.laws import Exponential
from asymp.sample import runs
from asymp.sample.compiler import jit
from asymp.sample.jobs import fill
from asymp.sample.packed import mean_need, pack

Array = np.ndarray[Any, Any]

CHUNK = 1024
SAME = 1e-9
"""Piles are one if their profiles agree to this part of their height."""


LARGEST = 8
RARE = 0.01
"""The probability, at most, of all classes that a companion is of."""


class Heap(NamedTuple):
    """A pile, of each class the longest service since its last job of those that it cannot be served beside, the companion."""

    runs: runs.State
    longest: Array
    companion: runs.State


class FirstComeFirstServed:
    """Piles of a workload and seed, with companions or without; see :class:`asymp.sample.growth.Pile`."""

    def __init__(self, workload: Workload, seed: int, companions: bool = True) -> None:
        self.workload, self.seed = workload, np.uint64(seed)
        self.large = largest(workload) if companions else ()
        self.members = np.zeros(len(workload.classes), bool)
        self.members[list(self.large)] = True
        self.exact: float | None = None
        self.classes = len(workload.classes)
        # The time between arrivals is drawn with the rest and not used; exponential is the fastest.
        self.packed = pack(workload, Exponential(1.0))
        needs = np.array(workload.needs)
        self.order = np.argsort(-needs, kind="stable")[:LARGEST]
        self.beside = np.array([int((needs[self.order] + need > workload.servers).sum()) for need in needs])

    def companion(self) -> tuple[FirstComeFirstServed, Workload, float] | None:
        """The pile of the companion by itself, its workload, and the part of all jobs that it takes."""
        if not self.large:
            return None
        chosen = [self.workload.classes[k] for k in self.large]
        share = sum(c.probability for c in chosen)
        some = Workload(self.workload.servers, tuple(replace(c, probability=c.probability / share) for c in chosen))
        return FirstComeFirstServed(some, int(self.seed)), some, share

    def alone(self) -> FirstComeFirstServed:
        """Piles without companions."""
        return FirstComeFirstServed(self.workload, int(self.seed), companions=False)

    def flat(self, like: Any = None) -> Heap:
        """An empty pile."""
        servers, needs = self.workload.servers, self.workload.needs
        state = runs.new_state(servers, min(needs), mean_need(self.packed))
        large = [needs[k] for k in self.large] or [1]
        beside = runs.new_state(servers if self.large else 1, min(large), sum(large) / len(large))
        return Heap(state, np.zeros(self.classes), beside)

    def run(self, state: Heap, sample: int, first: int, count: int, sums: Array) -> float:
        """Puts jobs on the pile; the rise of V."""
        where = (self.packed, *state, self.members, self.beside, self.order)
        return float(climb(*where, self.seed, np.uint64(sample), first, count, sums))

    def height(self, state: Heap) -> float:
        """The top above V, of the pile or of its companion."""
        return max(float(runs.highest(pile)) for pile in (state.runs, state.companion))

    def profile(self, pile: runs.State) -> Array:
        """Heights above V and their servers, in order: an array of two rows."""
        runs.settle(pile)
        times, counts = np.empty(pile.times.size + 1), np.empty(pile.times.size + 1, np.int32)
        found = runs.in_order(pile, times, counts)
        return np.array([times[:found] - pile.clock[1], counts[:found]])

    def same(self, a: Heap, b: Heap) -> bool:
        """Whether two piles have one profile, up to rounding, and their companions have one."""
        return self._same(a.runs, b.runs) and (not self.large or self._same(a.companion, b.companion))

    def _same(self, a: runs.State, b: runs.State) -> bool:
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


def largest(workload: Workload) -> tuple[int, ...]:
    """The classes whose jobs are largest, servers times mean service, as many as come in less than a hundredth of the jobs.

    >>> from asymp.queues.workload import named
    >>> [named("cell-b").needs[k] for k in largest(named("cell-b"))][:6], largest(named("table2-exponential"))
    ([2000, 200, 256, 16, 11, 500], ())
    """
    order = sorted(range(len(workload.classes)), key=lambda k: -workload.classes[k].servers * workload.classes[k].service.mean)
    shares = np.cumsum([workload.classes[k].probability for k in order])
    return tuple(order[: int(np.searchsorted(shares, RARE))])


@jit
def climb(
    packed: Any,
    state: Any,
    longest: Any,
    other: Any,
    members: Any,
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
    few_need, few_sigma = np.empty(CHUNK, np.int64), np.empty(CHUNK)
    rise = 0.0
    beside_it = 0.0
    for start in range(0, count, CHUNK):
        m = min(CHUNK, count - start)
        fill(packed, seed, sample, first + start, m, np.int64(1), need, cls, sigma, tau)
        runs.advance(state, need, sigma, none, m, wait, idle)
        # V becomes time 0: it is the arrival time that rebase takes for the present.
        rise += state.clock[1]
        state.clock[0] = state.clock[1]
        runs.rebase(state)
        n = 0
        for i in range(m):
            if members[cls[i]]:
                few_need[n] = need[i]
                few_sigma[n] = sigma[i]
                n += 1
        if n > 0:
            runs.advance(other, few_need, few_sigma, none, n, wait, idle)
            beside_it += other.clock[1]
            other.clock[0] = other.clock[1]
            runs.rebase(other)
        for i in range(m):
            c = cls[i]
            sums[c, 0] += 1.0
            sums[c, 1] += sigma[i]
            for j in range(beside[c]):
                longest[order[j]] = max(longest[order[j]], 0.0 if order[j] == c else sigma[i])
            if sums.shape[1] > 2:
                sums[c, 2] += longest[c]
            longest[c] = sigma[i] if 2 * need[i] > packed.servers else 0.0
    if sums.shape[0] > members.size:
        sums[members.size, 0] += beside_it
    return rise
