r"""Parallel processor sharing with sizes of any law: n servers of unit speed, each job at d of them at once, job by job.

The service that a job has attained grows at the rate ``1/q_1 + ... + 1/q_d``, which changes only when a job comes to or leaves
one of its servers.  So each job has what it still needs, as of the last change of its rate, and that rate; it leaves at that
time plus their ratio unless its rate changes before.  The next departure of all is the top of a heap over the jobs in which
each knows its place; an event costs O(d q (d + log jobs)), q the jobs at a server.  Nothing is assumed of the law.

Rates are computed from the levels anew each time; times are counted from the last call of :meth:`Run.play`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from asymp.queues.laws import Exponential, Law
from asymp.queues.workload import ServerNeed, Workload
from asymp.sample import jobs, parallel_phases, streams
from asymp.sample.batch_means import close, move
from asymp.sample.compiler import jit, part
from asymp.sample.heaps import sift
from asymp.sample.packed import pack
from asymp.sample.parallel_phases import DONE, JOBS_FULL, LEVELS, ROWS_FULL, choose

Array = np.ndarray[Any, Any]

CHUNK = 1 << 14
"""Sizes drawn at a time."""

TABLES = ("members", "need", "seen", "speed", "due", "heap", "at")
"""Of the state, a row for each job."""


class Served(NamedTuple):
    """The state: rows, members, free, counts, order as in :class:`asymp.sample.parallel_phases.Servers`.

    Job m still needed ``need[m]`` at time ``seen[m]``, gets service at rate ``speed[m]``, and leaves at ``due[m]``; ``heap`` are
    the jobs by ``due``, ``at`` its inverse.  ``numbers`` are the free places and the jobs.
    """

    level: Array  # int32[n]
    rows: Array  # int32[n, capacity]
    members: Array  # int32[places, d]
    free: Array  # int32[places]
    counts: Array  # int64[MOST_LEVEL + 1]
    order: Array  # int32[n]
    need: Array  # float64[places]
    seen: Array  # float64[places]
    speed: Array  # float64[places]
    due: Array  # float64[places]
    heap: Array  # int32[places]
    at: Array  # int32[places]
    numbers: Array  # int64[2]
    clock: Array  # float64[1]


def empty(n: int, d: int) -> Served:
    """n servers without jobs."""
    bare = parallel_phases.empty(n, d)
    places = bare.phase.size
    need, seen, speed, due = np.zeros((4, places))
    heap, at = np.zeros((2, places), np.int32)
    same = (bare.level, bare.rows, bare.members, bare.free, bare.counts, bare.order)
    return Served(*same, need, seen, speed, due, heap, at, np.array([places, 0]), np.zeros(1))


class Run:
    """A run from empty: ``play`` goes on with it.

    Args:
        n, d: servers, and servers of a job.
        rate: of arrivals.
        law: of the sizes.
        seed, k: of the run; sizes and times between arrivals are those of (seed, sample k) (:mod:`asymp.sample.jobs`).
    """

    def __init__(self, n: int, d: int, rate: float, law: Law, seed: int, k: int) -> None:
        self.state = empty(n, d)
        self._packed = pack(Workload(n, (ServerNeed(1, 1.0, law),)), Exponential(1 / rate))
        self._seed, self._sample, self._index = seed, k, 0
        self._stream = streams.stream(seed, 3, k)

    def play(self, arrivals: int, sums: Array) -> int:
        """So many arrivals more; the batch is added to ``sums``; the events."""
        events = 0
        while arrivals > 0:
            count = min(arrivals, CHUNK)
            sigma, tau = jobs.draw_jobs(self._packed, self._seed, self._sample, self._index, count)[2:4]
            first = 0
            while first < count:
                status, first, more = run(self.state, sigma, tau, first, self._stream, sums)
                events += int(more)
                if status != DONE:
                    self.state = parallel_phases.grown(self.state, int(status), TABLES)
            self._index += count
            arrivals -= count
            self._rebase()
        return events

    def _rebase(self) -> None:
        state, now = self.state, float(self.state.clock[0])
        for times in (state.seen, state.due, state.clock):
            times -= now


@part
def refresh(state: Any, i: int, now: float, size: int) -> None:
    """The jobs at server i, whose level or a neighbour's has changed, get their present rates."""
    for m in range(state.level[i]):
        job = state.rows[i, m]
        state.need[job] = max(state.need[job] - state.speed[job] * (now - state.seen[job]), 0.0)
        state.seen[job] = now
        speed = 0.0
        for k in range(state.members.shape[1]):
            speed += 1.0 / state.level[state.members[job, k]]
        state.speed[job] = speed
        state.due[job] = now + state.need[job] / speed
        sift(state.heap, state.at, state.due, size, job)


@jit
def run(state: Any, sigma: Any, tau: Any, first: int, s: Any, sums: Any) -> Any:
    """(status, arrivals played of the arrays, events)."""
    level, rows, members, free = state.level, state.rows, state.members, state.free
    heap, at, due, c = state.heap, state.at, state.due, state.counts
    n, d, capacity = level.size, members.shape[1], rows.shape[1]
    spare, size = state.numbers[0], state.numbers[1]
    now, began = state.clock[0], state.clock[0]
    coming = began
    levels, since = sums[LEVELS:], np.full(c.size, began)
    chosen = np.empty(d, np.int64)
    events, status = 0, 0
    j = first
    while j < sigma.size:
        if spare == 0:
            status = JOBS_FULL
            break
        coming += tau[j]
        while size > 0 and due[heap[0]] <= coming:
            job = heap[0]
            now = max(due[job], now)
            size -= 1
            last = heap[size]
            if size > 0:
                at[last] = 0
                heap[0] = last
                sift(heap, at, due, size, last)
            free[spare] = job
            spare += 1
            for k in range(d):
                i = members[job, k]
                m = 0
                while rows[i, m] != job:
                    m += 1
                rows[i, m] = rows[i, level[i] - 1]
                move(c, level[i], level[i] - 1, now, since, levels)
                level[i] -= 1
            for k in range(d):
                refresh(state, members[job, k], now, size)
            events += 1
        now = coming
        spare -= 1
        job = free[spare]
        choose(chosen, state.order, n, s)
        for k in range(d):
            i = chosen[k]
            members[job, k] = i
            rows[i, level[i]] = job
            move(c, level[i], level[i] + 1, now, since, levels)
            level[i] += 1
            if level[i] == capacity:
                status = ROWS_FULL
        state.need[job] = sigma[j]
        state.seen[job] = now
        state.speed[job] = 0.0
        due[job] = np.inf
        at[job] = size
        heap[size] = job
        size += 1
        for k in range(d):
            refresh(state, chosen[k], now, size)
        events += 1
        j += 1
        if status != 0:
            break
    close(c, now, since, levels)
    sums[0] += now - began
    state.clock[0] = now
    state.numbers[0] = spare
    state.numbers[1] = size
    return status, j, events
