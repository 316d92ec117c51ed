r"""Two chains of the multiserver-job queue fed the same jobs: one started empty, one started high.

By monotonicity (mjsre, Lemma 4.1) the chain started at a higher workload stays above, and anything started in between
stays in between; once the two have met they never part.  Both run on the states of :mod:`asymp.sample.runs`, whose
times start anew at fixed job indices, so that chains that have met hold the same bits, and the same bits as
:func:`asymp.sample.multiserver.backward` of the same seed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from asymp.sample.compiler import jit, part
from asymp.sample.jobs import fill
from asymp.sample.observe import seen
from asymp.sample.runs import advance, in_order, rebase, reset, settle


@part
def together(low: Any, high: Any) -> bool:
    """Whether two chains hold the same workload; both have been settled."""
    one, two = low.state, high.state
    if one.clock[1] != two.clock[1] or one.level[1] != two.level[1]:
        return False
    n = in_order(one, low.times, low.counts)
    if in_order(two, high.times, high.counts) != n:
        return False
    same = True
    for i in range(n):
        same = same and low.times[i] == high.times[i] and low.counts[i] == high.counts[i]
    return same


@jit
def sandwich(packed: Any, seed: Any, sample: Any, low: Any, high: Any, block: int, start: int, level: float) -> int:
    """Job ``-start`` finds the lower chain empty and every server of the upper one loaded with ``level``; both go on to job
    0, whose arrival finds the runs ``low.times, low.counts``.

    Returns the index at which the chains were first seen to have met, or -1.  ``start`` is a multiple of ``block``.
    """
    need, cls, sigma, tau = low.need, low.cls, low.sigma, low.tau
    reset(low.state, packed.servers, 0.0)
    reset(high.state, packed.servers, 0.0)
    high.state.clock[1] = level
    pair = (low.state, high.state)
    met = -1
    index = start
    while index > 0:
        inside = index % block
        if inside == 0:
            inside = block
            rebase(low.state)
            if met < 0:
                rebase(high.state)
        count = min(inside, need.size)
        fill(packed, seed, sample, index, count, np.int64(-1), need, cls, sigma, tau)
        for side in range(2 if met < 0 else 1):  # one call for both: what is inlined is compiled once
            advance(pair[side], need, sigma, tau, count, low.wait, low.idle)
        index -= count
        if met < 0:
            settle(low.state)
            settle(high.state)
            if together(low, high):
                met = index
    rebase(low.state)
    settle(low.state)
    return met


@jit
def sample(
    packed: Any, view: Any, seed: Any, sample: int, count: int, low: Any, high: Any, block: int,
    start: int, level: float, out: Any, met: Any,
) -> None:  # fmt: skip
    """:func:`sandwich` for a range of samples, each observed (:func:`asymp.sample.observe.look`) into a row of ``out``."""
    for k in range(count):
        which = np.uint64(sample + k)
        met[k] = sandwich(packed, seed, which, low, high, block, start, level)
        n = in_order(low.state, low.times, low.counts)
        fill(packed, seed, which, np.int64(0), np.int64(1), np.int64(1), low.need, low.cls, low.sigma, low.tau)
        seen(view, low.times, low.counts, n, low.need[0], low.sigma[0], low.tau[0], out[k])


@jit
def piles(packed: Any, seed: Any, sample: Any, size: int, bench: Any, heights: Any) -> None:
    """The heights of piles of ``size`` jobs each, one after another from job 0 of the sample."""
    none = np.zeros(bench.need.size)
    job = np.int64(0)
    for place in range(heights.size):
        reset(bench.state, packed.servers, 0.0)
        height, left = 0.0, size
        while left > 0:
            at = job % bench.need.size
            if at == 0:
                fill(
                    packed, seed, sample, job, bench.need.size, np.int64(1),
                    bench.need, bench.cls, bench.sigma, bench.tau,
                )  # fmt: skip
            count = min(left, bench.need.size - at)
            need, sigma = bench.need[at : at + count], bench.sigma[at : at + count]
            advance(bench.state, need, sigma, none, count, bench.wait, bench.idle)
            for i in range(count):
                height = max(height, bench.wait[i] + sigma[i])
            left -= count
            job += count
        heights[place] = height
