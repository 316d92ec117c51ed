r"""Load balancing with sizes of any law: n processor-sharing servers of unit speed, job by job.

At a server with x jobs each gets service at rate 1/x.  Its virtual time v, the service that a job there since the start
would have got, grows at that rate; a job of size S that comes at v leaves at v + S.  So a server is a heap of such tags,
and its next departure is at ``t + (least tag - v) x`` unless somebody comes or leaves before.  The next departure of all
is the top of a heap over the servers in which each knows its place: an event costs O(log n + log theta).

Servers stand in an array in the order of their levels, so that a server of a level is drawn, and moved to the next level,
at a cost that does not depend on n.

Random numbers: sizes and times between arrivals are those of (seed, sample, job) (:mod:`asymp.sample.jobs`), the same for
every policy; where an arrival goes is drawn from a stream of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from asymp.sample.balancing_counts import BLOCKED, LEVELS, TIME, counted
from asymp.sample.batch_means import close, move
from asymp.sample.compiler import jit, part
from asymp.sample.heaps import sift
from asymp.sample.jobs import fill
from asymp.sample.routing import blocked
from asymp.sample.routing import level as level_of
from asymp.sample.streams import below

CHUNK = 512
MOST_PLACES = 1 << 28
"""n theta: 2 GiB of tags."""

Array = np.ndarray[Any, Any]


class Servers(NamedTuple):
    """The state of n servers with theta places each.

    ``tags[i, :level[i]]`` is a binary heap.  The servers of level k are ``order[first[k]:first[k + 1]]``, and ``place`` is
    the inverse of ``order``.  ``heap`` are the servers by their next departure ``due`` (oo if idle), ``at`` its inverse.
    ``clock`` holds the time of the last arrival.
    """

    tags: Array  # float64[n, theta]
    virtual: Array  # float64[n], at time ``seen``
    seen: Array  # float64[n]
    due: Array  # float64[n]
    level: Array  # int64[n]
    order: Array  # int64[n]
    place: Array  # int64[n]
    first: Array  # int64[theta + 2]
    heap: Array  # int64[n]
    at: Array  # int64[n]
    clock: Array  # float64[1]


def servers(counts: Array, residual: Callable[[int], Array]) -> Servers:
    """Servers of these levels, their jobs with residual sizes drawn by ``residual(how many)``.

    >>> state = servers(np.array([1, 2]), lambda m: np.full(m, 0.5))
    >>> state.due.tolist(), state.level.tolist()
    ([inf, 0.5, 0.5], [0, 1, 1])
    """
    n, theta = int(counts.sum()), counts.size - 1
    level = np.repeat(np.arange(theta + 1), counts)
    tags = np.full((n, theta), np.inf)
    held = np.arange(theta) < level[:, None]
    tags[held] = residual(int(held.sum()))
    tags.sort(axis=1)  # a sorted row is a heap
    due = np.where(level > 0, tags[:, 0] * np.maximum(level, 1), np.inf)
    heap = np.argsort(due, kind="stable")
    at, own = np.empty(n, np.int64), np.arange(n)
    at[heap] = own
    first = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return Servers(tags, np.zeros(n), np.zeros(n), due, level, own, own.copy(), first, heap, at, np.zeros(1))


def rebase(state: Servers) -> None:
    """The present becomes time 0, at the servers too, so that times keep their digits however long a run is."""
    held = np.maximum(state.level, 1)
    state.virtual[:] += np.where(state.level > 0, (state.clock[0] - state.seen) / held, 0.0)
    state.tags[:] -= state.virtual[:, None]
    state.due[:] -= state.clock[0]
    state.virtual[:] = 0.0
    state.seen[:] = 0.0
    state.clock[0] = 0.0


@part
def push(row: Any, x: int, tag: float) -> None:
    here = x
    while here > 0:
        above = (here - 1) >> 1
        if row[above] <= tag:
            break
        row[here] = row[above]
        here = above
    row[here] = tag


@part
def pop(row: Any, x: int) -> None:
    """The least of x tags is removed."""
    tag, last, here = row[x - 1], x - 1, 0
    while True:
        child = 2 * here + 1
        if child >= last:
            break
        if child + 1 < last and row[child + 1] < row[child]:
            child += 1
        if row[child] >= tag:
            break
        row[here] = row[child]
        here = child
    row[here] = tag


@part
def swap(order: Any, place: Any, i: int, there: int) -> None:
    j, here = order[there], place[i]
    order[here] = j
    place[j] = here
    order[there] = i
    place[i] = there


@jit
def run(
    packed: Any, seed: Any, sample: Any, index: int, arrivals: int, kind: int, choices: int, state: Any, c: Any,
    s: Any, sums: Any,
) -> int:  # fmt: skip
    """Plays the arrivals ``index .. index + arrivals - 1`` of a sample on ``state``, whose servers of each level are ``c``.

    Returns the events; ``sums`` as for :func:`asymp.sample.balancing_counts.run`.
    """
    theta = c.size - 1
    n, free, lowest = counted(c)
    tags, virtual, seen, due, level = state.tags, state.virtual, state.seen, state.due, state.level
    order, place, first, heap, at = state.order, state.place, state.first, state.heap, state.at
    need, cls = np.empty(CHUNK, np.int64), np.empty(CHUNK, np.int32)
    sigma, tau = np.empty(CHUNK), np.empty(CHUNK)
    began = state.clock[0]
    levels, since = sums[LEVELS:], np.full(theta + 1, began)
    now, coming, lost = began, began, 0.0
    events = 0
    done: Any = np.int64(0)
    while done < arrivals:
        count = min(CHUNK, arrivals - done)
        fill(packed, seed, sample, index + done, count, np.int64(1), need, cls, sigma, tau)
        for j in range(count):
            coming += tau[j]
            while due[heap[0]] <= coming:
                i = heap[0]
                then = due[i]
                lost += (then - now) * blocked(kind, choices, c, free, n, theta)
                now = then
                x = level[i]
                row = tags[i]
                virtual[i] = row[0]
                seen[i] = now
                pop(row, x)
                # the first of its level changes places with it, and the level below ends one further
                swap(order, place, i, first[x])
                first[x] += 1
                move(c, x, x - 1, now, since, levels)
                x -= 1
                level[i] = x
                lowest = min(lowest, x)
                free += 1
                due[i] = now + (row[0] - virtual[i]) * x if x > 0 else np.inf
                sift(heap, at, due, heap.size, i)
                events += 1
            lost += (coming - now) * blocked(kind, choices, c, free, n, theta)
            now = coming
            events += 1
            x = level_of(kind, choices, c, lowest, free, n, theta, s)
            if x == theta:
                continue
            i = order[first[x] + below(s, c[x])]
            row = tags[i]
            virtual[i] = virtual[i] + (now - seen[i]) / x if x > 0 else 0.0
            seen[i] = now
            push(row, x, virtual[i] + sigma[j])
            swap(order, place, i, first[x + 1] - 1)
            first[x + 1] -= 1
            move(c, x, x + 1, now, since, levels)
            if x == lowest and c[x] == 0:
                lowest = x + 1
            x += 1
            level[i] = x
            free -= 1
            due[i] = now + (row[0] - virtual[i]) * x
            sift(heap, at, due, heap.size, i)
        done += count
    close(c, now, since, levels)
    sums[TIME] += now - began
    sums[BLOCKED] += lost
    state.clock[0] = now
    return events
