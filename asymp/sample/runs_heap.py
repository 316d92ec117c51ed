"""A 4-ary heap of runs by their completion times: the soonest is the first of the arrays."""

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
