"""Many runs: a calendar of their completion times, a few nanoseconds a job however many they are.

Brown's calendar queue (1988), for the recurrence of :mod:`asymp.sample.runs`: a run goes into the bucket of its completion time,
a list of places in a pool, or among those that are beyond the ring of buckets and are looked through once a turn.  Only the
soonest bucket is put in order (*near*: the times and counts of the state, the soonest last).  What has completed is looked for
when servers are wanted: until then nothing depends on it, and then whole buckets of it go at once, in no order.

The bucket of a time is a function of it that does not decrease, so runs leave in the order of their times, as they do from a
sorted array: the numbers are the same, bit for bit.  How wide a bucket is changes the cost alone.  It is from the jobs that
came since the calendar was last made; it is made anew when the work per job shows that it is wrong, and where times start anew.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from asymp.sample.compiler import part
from asymp.sample.runs_heap import beside

Array = np.ndarray[Any, Any]

FILL = 24.0
"""Runs of a bucket, when it is due."""
WORK = 8
"""Steps that a job may cost before the calendar is made anew."""
MOST = 256
"""Jobs of one :func:`advance`, at most."""
SMALL = 32
"""Runs of a bucket that are put in order by counting; the places from which they are, above those of the runs that are near."""
LAST = float(1 << 62)
NEAR, BUCKET, TURN, RING, FREE, USED, BEYOND, JOBS, CREDIT = range(9)
"""Of ``whole``: runs in near; the bucket that is there, or was; that at which the ring turns; how many buckets it has; the
places of the pool that are free again, and how many were ever used; the runs beyond the ring; jobs since the calendar was made;
work that may be done until it is made again.  Places are counted from 1, and 0 is none."""
BASE, INVERSE = 0, 1
"""Of ``real``: V when the calendar was made, and 1 over the width of a bucket."""


class Calendar(NamedTuple):
    """The runs that are not near."""

    pool: Array  # float64[2 room]: times, and the bits of (servers 2^32 + the next place)
    heads: Array  # int32[buckets, at most]
    whole: Array  # int64[9]
    real: Array  # float64[2]


def new_calendar(room: int) -> Calendar:
    """With room for so many runs; memory is taken when it is touched."""
    found = Calendar(
        np.zeros(2 * room),
        np.zeros(max(64, 1 << (room - 1).bit_length()), np.int32),
        np.zeros(9, np.int64),
        np.zeros(2),
    )
    found.whole[RING] = 64
    return found


@part
def bucket(time: float, real: Any) -> Any:
    return np.int64(min((time - real[BASE]) * real[INVERSE], LAST))


@part
def make(state: Any) -> None:
    """All runs are put into buckets whose width is from what came since this was last done."""
    calendar, clock = state.calendar, state.clock
    pool, heads, whole, real = calendar.pool, calendar.heads, calendar.whole, calendar.real
    words = pool.view(np.int64)
    for i in range(whole[NEAR]):  # there is a place for each run
        place = whole[FREE]
        if place > 0:
            whole[FREE] = words[2 * place - 1] & 0xFFFFFFFF
        else:
            whole[USED] += 1
            place = whole[USED]
        pool[2 * place - 2] = state.times[i]
        words[2 * place - 1] = np.int64(state.counts[i]) << 32
    runs = 0
    left = 0.0
    for place in range(whole[USED]):
        if words[2 * place + 1] >> 32 > 0:
            runs += 1
            left += max(pool[2 * place] - clock[1], 0.0)
    width, fill = 0.0, min(FILL, max(runs / 8.0, 1.0))
    if whole[JOBS] >= 16:
        width = fill * (clock[1] - real[BASE]) / whole[JOBS]
    if width <= 0.0 and runs > 0:
        width = fill * left / runs / runs
    ring = 64
    while ring < runs:
        ring *= 2
    heads[:ring] = 0
    whole[NEAR], whole[BUCKET], whole[TURN], whole[RING], whole[BEYOND] = 0, -1, ring - 1, ring, 0
    whole[JOBS], whole[CREDIT] = 0, 8 * runs + 1024
    real[BASE], real[INVERSE] = clock[1], 1.0 / width if width > 0 else 1.0
    for place in range(whole[USED]):
        servers = words[2 * place + 1] >> 32
        if servers > 0:
            at = max(bucket(pool[2 * place], real), 0)
            if at < ring - 1:
                words[2 * place + 1] = (servers << 32) | heads[at]
                heads[at] = place + 1
            else:
                words[2 * place + 1] = (servers << 32) | whole[BEYOND]
                whole[BEYOND] = place + 1


@part
def turn(calendar: Any) -> int:
    """The ring has turned: of the runs beyond it, those that are within it now go into their buckets; the work it took."""
    pool, heads, whole = calendar.pool, calendar.heads, calendar.whole
    words = pool.view(np.int64)
    mask = whole[RING] - 1
    whole[TURN] += mask
    place, beyond, work = whole[BEYOND], np.int64(0), 0
    while place > 0:
        servers, after = words[2 * place - 1] >> 32, words[2 * place - 1] & 0xFFFFFFFF
        at = bucket(pool[2 * place - 2], calendar.real)
        if at < whole[TURN]:
            words[2 * place - 1] = (servers << 32) | heads[at & mask]
            heads[at & mask] = place
        else:
            words[2 * place - 1] = (servers << 32) | beyond
            beyond = place
        place = after
        work += 4
    whole[BEYOND] = beyond
    return work


@part
def sweep(state: Any, now: float) -> None:
    """What has completed by ``now`` is free, but for what stands in the bucket of ``now``."""
    calendar, level, times, counts = state.calendar, state.level, state.times, state.counts
    whole, heads = calendar.whole, calendar.heads
    words = calendar.pool.view(np.int64)
    n, runs, free = whole[NEAR], level[0], level[1]
    while n > 0 and times[n - 1] <= now:
        n -= 1
        runs -= 1
        free += counts[n]
    if n == 0:
        mask, at, top, credit, end = whole[RING] - 1, whole[BUCKET], whole[FREE], whole[CREDIT], whole[TURN]
        last = bucket(now, calendar.real)
        while at + 1 < last and runs > 0 and credit > 0:
            at += 1
            credit -= 1
            if at == end:
                credit -= turn(calendar)
                end = whole[TURN]
            place = np.int64(heads[at & mask])
            heads[at & mask] = 0
            while place > 0:
                word = words[2 * place - 1]
                free += word >> 32
                runs -= 1
                words[2 * place - 1] = top
                top = place
                place = word & 0xFFFFFFFF
        whole[FREE], whole[BUCKET], whole[CREDIT] = top, at, credit
    whole[NEAR], level[0], level[1] = n, runs, free


@part
def refill(state: Any) -> int:
    """The next bucket that holds some is put in order; how many, or 0 where the calendar is to be made anew."""
    calendar, times, counts = state.calendar, state.times, state.counts
    pool, heads, whole = calendar.pool, calendar.heads, calendar.whole
    words = pool.view(np.int64)
    mask, at, n, top, credit, end = whole[RING] - 1, whole[BUCKET], 0, whole[FREE], whole[CREDIT], whole[TURN]
    while n == 0 and credit > 0:
        at += 1
        credit -= 1
        if at == end:
            credit -= turn(calendar)
            end = whole[TURN]
        place = np.int64(heads[at & mask])
        heads[at & mask] = 0
        while place > 0:
            word = words[2 * place - 1]
            times[SMALL + n] = pool[2 * place - 2]
            counts[SMALL + n] = word >> 32
            n += 1
            words[2 * place - 1] = top
            top = place
            place = word & 0xFFFFFFFF
    # Each goes behind those that are later.  They are counted: a loop that ends where it belongs is guessed wrong.
    if n <= SMALL:
        for i in range(SMALL, SMALL + n):
            time, behind = times[i], 0
            for j in range(SMALL, SMALL + n):
                behind += (times[j] > time) | ((times[j] == time) & (j < i))
            times[behind] = time
            counts[behind] = counts[i]
    else:
        for i in range(n):
            credit -= beside(times, counts, i, times[SMALL + i], counts[SMALL + i])
    whole[FREE], whole[BUCKET], whole[NEAR], whole[CREDIT] = top, at, n, credit
    return n


@part
def soonest(state: Any) -> int:
    """How many are near, after some are if there are any."""
    found = state.calendar.whole[NEAR]
    while found == 0 and state.level[0] > 0:
        found = refill(state)
        if found == 0:
            make(state)
    return found


@part
def advance(state: Any, need: Any, sigma: Any, tau: Any, first: int, count: int, wait: Any, idle: Any) -> None:
    """Jobs first..count-1, :data:`MOST` at most, on a state whose runs are in a calendar, which may be made anew after them."""
    times, counts, clock, level = state.times, state.counts, state.clock, state.level
    calendar = state.calendar
    pool, heads, whole, real = calendar.pool, calendar.heads, calendar.whole, calendar.real
    words = pool.view(np.int64)
    # what changes stands in variables: what is written in an array would be read again for each job
    t, v, runs, free = clock[0], clock[1], level[0], level[1]
    n, here, end, mask, top = whole[NEAR], whole[BUCKET], whole[TURN], whole[RING] - 1, whole[FREE]
    used, beyond, moved = whole[USED], whole[BEYOND], 0
    base, inverse = real[BASE], real[INVERSE]
    for k in range(first, count):
        alpha = need[k]
        v = max(v, t)
        unused = 0.0
        if free < alpha:
            while True:
                if n == 0:
                    clock[1], level[0], level[1] = v, runs, free
                    whole[NEAR], whole[FREE], whole[USED], whole[BEYOND] = n, top, used, beyond
                    sweep(state, v)
                    n = soonest(state)
                    runs, free = level[0], level[1]
                    here, end, mask, top = whole[BUCKET], whole[TURN], whole[RING] - 1, whole[FREE]
                    used, beyond, base, inverse = whole[USED], whole[BEYOND], real[BASE], real[INVERSE]
                    if n == 0:
                        break
                soon = times[n - 1]
                if soon > v:
                    if free >= alpha:
                        break
                    unused += free * (soon - v)
                    v = soon
                n -= 1
                runs -= 1
                free += counts[n]
        wait[k] = v - t
        idle[k] = unused
        free -= alpha
        runs += 1
        done = v + sigma[k]
        at = np.int64(min((done - base) * inverse, LAST))
        if at <= here:
            moved += beside(times, counts, n, done, alpha)
            n += 1
        else:
            place = top
            if place > 0:
                top = words[2 * place - 1] & 0xFFFFFFFF
            else:
                used += 1
                place = used
            pool[2 * place - 2] = done
            if at < end:
                words[2 * place - 1] = (alpha << 32) | heads[at & mask]
                heads[at & mask] = place
            else:
                words[2 * place - 1] = (alpha << 32) | beyond
                beyond = place
        t += tau[k]
    clock[0], clock[1], level[0], level[1] = t, v, runs, free
    whole[NEAR], whole[FREE], whole[USED], whole[BEYOND] = n, top, used, beyond
    whole[JOBS] += count - first
    whole[CREDIT] = min(whole[CREDIT] + WORK * (count - first) - moved, 8 * runs + 1024)
    if whole[CREDIT] <= 0 or runs > 2 * whole[RING]:
        make(state)


@part
def open_calendar(state: Any) -> None:
    """The sorted runs of a state go into its calendar."""
    whole = state.calendar.whole
    whole[:] = 0
    whole[NEAR], whole[JOBS] = state.level[0], 0
    make(state)


@part
def gather(state: Any, times: Any, counts: Any) -> int:
    """All runs, in no order; their number."""
    whole = state.calendar.whole
    words = state.calendar.pool.view(np.int64)
    n = whole[NEAR]
    for i in range(n):
        times[i] = state.times[i]
        counts[i] = state.counts[i]
    for place in range(whole[USED]):
        servers = words[2 * place + 1] >> 32
        if servers > 0:
            times[n] = state.calendar.pool[2 * place]
            counts[n] = servers
            n += 1
    return n


@part
def shift(state: Any, t: float) -> None:
    """The past, up to t, is taken from all times."""
    calendar = state.calendar
    whole, pool = calendar.whole, calendar.pool
    for i in range(whole[NEAR]):
        state.times[i] -= t
    for place in range(whole[USED]):
        pool[2 * place] -= t
    calendar.real[BASE] -= t
    make(state)


@part
def latest(state: Any) -> float:
    """The latest completion of those that are not near, 0 if none is later."""
    found = 0.0
    for place in range(state.calendar.whole[USED]):
        found = max(found, state.calendar.pool[2 * place])
    return found
