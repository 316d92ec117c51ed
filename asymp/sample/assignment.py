"""Random assignment, for comparison: a job of alpha servers goes to alpha servers drawn uniformly among all subsets.

It waits for all of them, however idle others are: it starts at the largest of their workloads, and all become free
together (Baccelli, Olliaro, Ajmone Marsan and Marin, Appendix A).  Each server serves its jobs in order of arrival.
This queue is monotone and separable as well, so the growth rate of its pile decides stability; the pile's height is its
largest workload, and servers keep their names as they are not exchangeable once a subset is drawn.

Subsets come from a permutation that is shuffled a little by each job, with words of Philox that depend on (seed, sample, job)
under a key of their own; a permutation independent of the words stays so, hence each subset is uniform whatever came
before.  A multiplication brings a 32-bit word to its range: probabilities are off by less than s/2^32 of themselves.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from asymp.queues.job_classes import Workload
from asymp.queues.laws import Exponential
from asymp.sample.compiler import jit
from asymp.sample.counter import MASK
from asymp.sample.counter import compiled as philox
from asymp.sample.jobs import fill
from asymp.sample.packed import pack

Array = np.ndarray[Any, Any]

CHUNK = 1024
TAG = 0x5EAF00D5
"""Added (exclusive or) to the key, so that subsets share no words with the jobs."""
SAME = 1e-9


class Servers(NamedTuple):
    """Workload of each server below the largest one, and the permutation from which subsets are drawn."""

    heights: Array  # float64[s]
    permutation: Array  # int64[s]


class RandomAssignment:
    """Piles of a workload and seed under random assignment; see :class:`asymp.sample.growth.Pile`.

    Jobs of one server alone make independent queues, whose workloads drift apart as independent walks, so that the pile has no
    stationary shape: they are stable below ``s / E[sigma]``.

    >>> from asymp.queues.job_classes import ServerNeed
    >>> RandomAssignment(Workload(4, (ServerNeed(1, 1.0, Exponential(0.5)),)), 0).exact
    8.0
    """

    def __init__(self, workload: Workload, seed: int) -> None:
        self.workload, self.seed = workload, np.uint64(seed)
        self.exact = workload.servers / workload.mean_service if max(workload.needs) == 1 else None
        self.classes = len(workload.classes)
        self.packed = pack(workload, Exponential(1.0))

    def flat(self, like: Any = None) -> Servers:
        """An empty pile, with the permutation of another."""
        servers = self.workload.servers
        return Servers(np.zeros(servers), np.arange(servers) if like is None else like.permutation.copy())

    def run(self, state: Servers, sample: int, first: int, count: int, sums: Array) -> float:
        """Puts jobs on the pile; the rise of its top."""
        return float(climb(self.packed, state, self.seed, np.uint64(sample), first, count, sums))

    def companion(self) -> None:
        """None rises beside it."""

    def alone(self) -> RandomAssignment:
        """As it is."""
        return self

    def longest_means(self) -> Array:
        """None is added up."""
        return np.zeros(self.classes)

    def height(self, state: Servers) -> float:
        """The top above the lowest server."""
        return float(-state.heights.min())

    def same(self, a: Servers, b: Servers) -> bool:
        """Whether all servers have one workload below the top, up to rounding."""
        return bool(np.abs(a.heights - b.heights).max() <= SAME * self.height(a))


@jit
def choose(permutation: Any, seed: int, sample: int, job: int, alpha: int) -> int:
    """Afterwards ``permutation[first : first + alpha]``, with what it returns, is a uniform subset."""
    servers = permutation.size
    # The fewer of the chosen and of the others are drawn.
    draws = min(alpha, servers - alpha)
    seed_bits, sample_bits = np.int64(seed), np.int64(sample)
    k0, k1 = (seed_bits & MASK) ^ TAG, (seed_bits >> 32) & MASK
    c2, c3 = sample_bits & MASK, (sample_bits >> 32) & MASK
    for block in range((draws + 3) // 4):
        # 256 blocks fit in the counter, the next 256 take another key, ...
        w0, w1, w2, w3 = philox(job & MASK, (job >> 32) | ((block & 255) << 24), c2, c3, k0, k1 ^ ((block >> 8) << 8))
        for place in range(4 * block, min(4 * block + 4, draws)):
            word = w0
            w0, w1, w2 = w1, w2, w3
            other = place + ((word * (servers - place)) >> 32)
            permutation[place], permutation[other] = permutation[other], permutation[place]
    return 0 if draws == alpha else draws


@jit
def climb(packed: Any, state: Any, seed: int, sample: int, first: int, count: int, sums: Any) -> float:
    """Puts jobs on the pile; the rise of its top."""
    need, cls = np.empty(CHUNK, np.int64), np.empty(CHUNK, np.int32)
    sigma, tau = np.empty(CHUNK), np.empty(CHUNK)
    heights, permutation = state.heights, state.permutation
    rise = 0.0
    for start in range(0, count, CHUNK):
        m = min(CHUNK, count - start)
        fill(packed, seed, sample, first + start, m, np.int64(1), need, cls, sigma, tau)
        top = 0.0
        for i in range(m):
            alpha = need[i]
            low = choose(permutation, seed, sample, first + start + i, alpha)
            begin = heights[permutation[low]]
            for k in range(low + 1, low + alpha):
                begin = max(begin, heights[permutation[k]])
            end = begin + sigma[i]
            for k in range(low, low + alpha):
                heights[permutation[k]] = end
            top = max(top, end)
            sums[cls[i], 0] += 1.0
            sums[cls[i], 1] += sigma[i]
        rise += top
        for k in range(heights.size):
            heights[k] -= top
    return rise
