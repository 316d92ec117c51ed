r"""The workload of a multiserver-job queue as runs: the recurrence at a cost that does not grow with the servers.

The servers of a job become free together, so the ordered workload ``W^1 <= ... <= W^s`` of Baccelli, Olliaro, Ajmone
Marsan and Marin's recurrence

``W' = R(S(alpha, W) + sigma L(alpha) - tau U)^+``

takes few values.  The state holds absolute times: ``t``, the arrival of the next job; ``V``, when the last job
started (starts do not decrease); how many servers were free at V; and runs (completion time, servers) of the jobs in
service. A job (alpha, sigma) raises V to t, frees what has completed by then, then lets V pass from completion to
completion until alpha servers are free; it starts at V and adds the run (V + sigma, alpha).  Each run comes and goes
once.  ``W^i`` is ``max(T_i - t, 0)``, the T_i in order, those of free servers being V: the waiting time V - t is
``W^alpha``, and the servers kept idle for the job at the head, ``sum_{i <= alpha} (W^alpha - W^i)``, are the free
ones over the way V passes.

How they are kept depends on how many there are, and changes no bit, as all ways hold the same numbers:

- few servers: the vector of their times of completion, in order (:mod:`asymp.sample.runs_vector`);
- few runs: a sorted array, the soonest last, so that a completion shortens it and memmove makes room for a run;
- many: a calendar (:mod:`asymp.sample.runs_calendar`).

Times start anew (:func:`rebase`) at job indices that are multiples of :func:`block_length`, so that their
digits do not run out, and so that two trajectories that have met stay equal bit for bit wherever they began.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from asymp.sample import runs_calendar, runs_vector
from asymp.sample.compiler import jit, part
from asymp.sample.runs_calendar import Calendar
from asymp.sample.runs_heap import beside, pop, push

Array = np.ndarray[Any, Any]

MANY = 12
"""Runs from which on they go into the calendar; below a third of it they come back."""
SORTED, DATED, EACH = 0, 1, 2
"""How runs are kept: in a sorted array, in a calendar, or each server for itself."""


class State(NamedTuple):
    """The queue just before an arrival; numba takes it as one argument.

    ``times`` and ``counts`` hold the runs (those that are near, if there is a calendar; the times of each server, if there are
    few), ``clock`` (t, V), ``level`` (runs, servers free at V, how runs are kept, how many are many or the servers).
    """

    times: Array  # float64[room]
    counts: Array  # int32[room]
    clock: Array  # float64[2]
    level: Array  # int64[4]
    calendar: Calendar


def new_state(servers: int, smallest_need: int, mean_need: float, each: bool | None = None) -> State:
    """An empty system of so many servers; ``each``: whether the time of each is kept, otherwise what is told by
    :func:`asymp.sample.runs_vector.few`."""
    each = runs_vector.few(servers, mean_need) if each is None else each
    times = runs_vector.new_vector(servers) if each else np.zeros(servers // smallest_need + 2 + runs_calendar.SMALL)
    room = times.size
    state = State(
        times,
        np.zeros(room, np.int32),
        np.zeros(2),
        np.zeros(4, np.int64),
        runs_calendar.new_calendar(1 if each else room),
    )
    state.level[1:] = servers, *((EACH, servers) if each else (SORTED, MANY))
    return state


def block_length(servers: int) -> int:
    """Jobs from one fresh start of the clock to the next, a power of two.

    At least the servers, as a fresh start touches each run; a function of the servers alone, as results depend on it.

    >>> block_length(20), block_length(2048), block_length(10**6)
    (1024, 2048, 1048576)
    """
    return int(max(1024, 1 << (servers - 1).bit_length()))


@jit
def reset(state: Any, servers: int, t: float) -> None:
    """Empty, at time t."""
    state.clock[0] = t
    state.clock[1] = t
    state.level[0] = 0
    state.level[1] = servers
    if state.level[2] == EACH:
        state.times[:servers] = t
    else:
        state.level[2] = SORTED


@jit
def rebase(state: Any) -> None:
    """The present becomes time 0."""
    t = state.clock[0]
    state.clock[0] = 0.0
    state.clock[1] -= t
    times = state.times
    if state.level[2] == DATED:
        runs_calendar.shift(state, t)
    else:
        for i in range(state.level[0] if state.level[2] == SORTED else times.size):
            times[i] -= t


@jit
def settle(state: Any) -> None:
    """What has completed by t is free, V is at least t; the future is the same."""
    t = state.clock[0]
    state.clock[1] = max(state.clock[1], t)
    now = state.clock[1]
    times, counts, level = state.times, state.counts, state.level
    if level[2] == EACH:
        level[1] = 0
        for i in range(level[3]):
            level[1] += 1 if times[i] <= now else 0
    elif level[2] == DATED:
        runs_calendar.sweep(state, now)
        n = runs_calendar.soonest(state)
        while n > 0 and times[n - 1] <= now:
            n -= 1
            level[0] -= 1
            level[1] += counts[n]
            state.calendar.whole[0] = n
            if n == 0:
                n = runs_calendar.soonest(state)
    else:
        while level[0] > 0 and times[level[0] - 1] <= now:
            level[0] -= 1
            level[1] += counts[level[0]]


@part
def sorted_advance(state: Any, need: Any, sigma: Any, tau: Any, first: int, count: int, wait: Any, idle: Any) -> int:
    """Through jobs first..count-1 or until the runs are many; the job it stopped before."""
    times, counts = state.times, state.counts
    t, v = state.clock[0], state.clock[1]
    n, free = state.level[0], state.level[1]
    k, many = first, state.level[3]
    while k < count and n < many:
        alpha = need[k]
        v = max(v, t)
        while n > 0 and times[n - 1] <= v:
            n -= 1
            free += counts[n]
        unused = 0.0
        while free < alpha:
            n -= 1
            unused += free * (times[n] - v)
            v = times[n]
            free += counts[n]
        wait[k] = v - t
        idle[k] = unused
        free -= alpha
        beside(times, counts, n, v + sigma[k], alpha)
        n += 1
        t += tau[k]
        k += 1
    state.clock[0] = t
    state.clock[1] = v
    state.level[0] = n
    state.level[1] = free
    return k


@part
def reverse(times: Any, counts: Any, n: int) -> None:
    for i in range(n >> 1):
        j = n - 1 - i
        times[i], times[j] = times[j], times[i]
        counts[i], counts[j] = counts[j], counts[i]


@part
def sort(times: Any, counts: Any, n: int) -> None:
    """In order, the soonest last: a heap is made, and each soonest goes where it has ended."""
    for i in range(1, n):
        push(times, counts, i, times[i], counts[i])
    while n > 1:
        time, servers = times[0], counts[0]
        n = pop(times, counts, n)
        times[n] = time
        counts[n] = servers


@jit
def advance(state: Any, need: Any, sigma: Any, tau: Any, count: int, wait: Any, idle: Any) -> None:
    """Through ``count`` jobs; of each the waiting time and the servers' time idle for it (head-of-line blocking)."""
    level = state.level
    if level[2] == EACH:
        runs_vector.advance(state, need, sigma, tau, count, wait, idle)
        return
    if level[2] == DATED:
        runs_calendar.sweep(state, max(state.clock[0], state.clock[1]))
        if level[0] < level[3] // 3:
            level[0] = runs_calendar.gather(state, state.times, state.counts)
            sort(state.times, state.counts, level[0])
            level[2] = SORTED
    k = 0
    if level[2] == SORTED:
        k = sorted_advance(state, need, sigma, tau, 0, count, wait, idle)
        if k < count:
            level[2] = DATED
            runs_calendar.open_calendar(state)
    while k < count:
        end = min(k + runs_calendar.MOST, count)
        runs_calendar.advance(state, need, sigma, tau, k, end, wait, idle)
        k = end


@jit
def highest(state: Any) -> float:
    """The latest completion, 0 if none is later."""
    found = 0.0
    if state.level[2] == EACH:
        for i in range(state.level[3]):
            found = max(found, state.times[i])
    else:
        for i in range(state.level[0] if state.level[2] == SORTED else state.calendar.whole[0]):
            found = max(found, state.times[i])
        if state.level[2] == DATED:
            found = max(found, runs_calendar.latest(state))
    return found


@jit
def in_order(state: Any, times: Any, counts: Any) -> int:
    """After :func:`settle`, the runs in order with those of equal times in one, free servers first; their number."""
    n, free = state.level[0], state.level[1]
    if state.level[2] == EACH:
        n = state.level[3] - free
        for i in range(n):
            times[i] = state.times[free + i]
            counts[i] = 1
    elif state.level[2] == DATED:
        n = runs_calendar.gather(state, times, counts)
        sort(times, counts, n)
        reverse(times, counts, n)
    else:
        for i in range(n):
            times[i] = state.times[n - 1 - i]
            counts[i] = state.counts[n - 1 - i]
    m = 0
    for i in range(n):
        if m > 0 and times[m - 1] == times[i]:
            counts[m - 1] += counts[i]
        else:
            times[m] = times[i]
            counts[m] = counts[i]
            m += 1
    if free > 0:
        for i in range(m, 0, -1):
            times[i] = times[i - 1]
            counts[i] = counts[i - 1]
        times[0] = state.clock[1]
        counts[0] = free
        m += 1
    return m
