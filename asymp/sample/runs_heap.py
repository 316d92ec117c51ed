"""Many runs: a 4-ary heap on their completion times, O(log runs) a job.

A job that waits pops runs and adds its own.  The last run popped leaves a hole at the top, into which the new run is
sifted (one way down instead of two); a second pop first fills the hole with the heap's last run.
"""

from __future__ import annotations

from typing import Any

from asymp.sample.compiler import part


@part
def down(times: Any, counts: Any, n: int, time: float, servers: int) -> None:
    """The run takes the place of the top of a heap of n and sinks to where it belongs."""
    i = 0
    while True:
        child = 4 * i + 1
        if child + 3 < n:
            soonest = child
            if times[child + 1] < times[soonest]:
                soonest = child + 1
            if times[child + 2] < times[soonest]:
                soonest = child + 2
            if times[child + 3] < times[soonest]:
                soonest = child + 3
        elif child < n:
            soonest = child
            for j in range(child + 1, n):
                if times[j] < times[soonest]:
                    soonest = j
        else:
            break
        if times[soonest] >= time:
            break
        times[i] = times[soonest]
        counts[i] = counts[soonest]
        i = soonest
    times[i] = time
    counts[i] = servers


@part
def push(times: Any, counts: Any, n: int, time: float, servers: int) -> None:
    """The run is added below a heap of n and rises to where it belongs."""
    i = n
    while i > 0:
        parent = (i - 1) >> 2
        if times[parent] <= time:
            break
        times[i] = times[parent]
        counts[i] = counts[parent]
        i = parent
    times[i] = time
    counts[i] = servers


@part
def pop(times: Any, counts: Any, n: int) -> int:
    """The soonest run is removed; the number that remain."""
    n -= 1
    if n > 0:
        down(times, counts, n, times[n], counts[n])
    return n


@part
def advance(state: Any, need: Any, sigma: Any, tau: Any, first: int, count: int, wait: Any, idle: Any) -> None:
    """Jobs first..count-1 on a state whose runs are a heap."""
    times, counts = state.times, state.counts
    t, v = state.clock[0], state.clock[1]
    n, free = state.level[0], state.level[1]
    for k in range(first, count):
        alpha = need[k]
        v = max(v, t)
        hole = False
        unused = 0.0
        while n > 0:
            if hole:
                n = pop(times, counts, n)
                hole = False
                if n == 0:
                    break
            soonest = times[0]
            if soonest > v:
                if free >= alpha:
                    break
                unused += free * (soonest - v)
                v = soonest
            free += counts[0]
            hole = True
            if v > t and free >= alpha:
                break  # runs that complete at v as well are found by the next job
        wait[k] = v - t
        idle[k] = unused
        free -= alpha
        if hole:
            down(times, counts, n, v + sigma[k], alpha)
        else:
            push(times, counts, n, v + sigma[k], alpha)
            n += 1
        t += tau[k]
    state.clock[0] = t
    state.clock[1] = v
    state.level[0] = n
    state.level[1] = free
