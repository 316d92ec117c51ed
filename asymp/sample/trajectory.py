r"""Trajectories of the multiserver-job queue between job indices, and Algorithm 1 of one sample.

Backward, job -j has index j: a trajectory from -l starts empty at job -l's arrival and ends at job 0's, and M_l is
the workload it finds there.  M_l increases with l to the stationary workload and equals it from some random l on
(Loynes).

Algorithm 1 compares M_l with M_2l.  The trajectory from -2l need not be run to the end: once it is in the state that
the one from -l was in, both go on alike.  States are kept at *marks* on the way, a few in each octave of j, and the
run stops at the first mark where they agree: often -l itself, where the other was empty.  A state is compared by its
absolute times, which are exact: the clock starts anew at fixed indices, and within such a block a job's arrival time
does not depend on where the trajectory began (:func:`origin`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from asymp.sample.compiler import jit
from asymp.sample.jobs import fill
from asymp.sample.packed import Packed, mean_need
from asymp.sample.runs import Array, State, advance, block_length, in_order, new_state, rebase, reset, settle

CHUNK = 1024
"""Jobs drawn at a time: what is drawn stays in the first-level cache."""


class Marks(NamedTuple):
    """States of the longest trajectory at fixed indices: row r belongs to index ``places[r]``, ascending."""

    places: Array  # int64[rows]
    times: Array  # float64[rows, room]
    counts: Array  # int32[rows, room]
    length: Array  # int64[rows], runs; -1 where nothing is kept


class Bench(NamedTuple):
    """What one sample needs to be run, used again for the next."""

    state: State
    need: Array
    cls: Array
    sigma: Array
    tau: Array
    wait: Array
    idle: Array
    times: Array  # float64[room], a state in order
    counts: Array
    marks: Marks


def mark_indices(first: int, most: int, room: int) -> Array:
    """Where trajectories are compared: index 0, and some in each octave ``first 2^k``.

    More of them find a meeting sooner; many servers would need much memory for each.

    >>> mark_indices(8, 32, 20).tolist()
    [0, 2, 4, 6, 8, 12, 16, 24, 32]
    """
    steps = 4 if room <= 1 << 14 else 2
    found = {first * i // steps for i in range(steps + 1)}
    level = first
    while 2 * level <= most:
        found |= {level + level * i // (steps // 2) for i in range(steps // 2 + 1)}
        level *= 2
    return np.array(sorted(found), np.int64)


def new_bench(packed: Packed, first: int = 1, most: int = 1, chunk: int = CHUNK) -> Bench:
    """Room for samples of a workload; ``first`` and ``most`` as for Algorithm 1 (memory is taken when touched)."""
    state = new_state(int(packed.servers), int(packed.needs.min()), mean_need(packed))
    room = state.times.size
    index = mark_indices(first, most, room)
    rows = index.size
    marks = Marks(index, np.empty((rows, room)), np.empty((rows, room), np.int32), np.full(rows, -1, np.int64))
    return Bench(
        state,
        np.empty(chunk, np.int64),
        np.empty(chunk, np.int32),
        np.empty(chunk),
        np.empty(chunk),
        np.empty(chunk),
        np.empty(chunk),
        np.empty(room),
        np.empty(room, np.int32),
        marks,
    )


TIMES, JOBS, PILE = 0, 1, 2
"""Modes of a walk: ``TIMES`` leaves the state alone and returns the time the jobs take to arrive; ``JOBS`` lets them in;
``PILE`` lets them in at one time, and returns when the last of them completes."""


# One function draws and advances: each that did would be compiled with all of the drawing in it.
@jit
def walk(
    packed: Any, seed: Any, sample: Any, bench: Any, block: int, start: int, count: int, step: int, mode: int
) -> float:
    """From before job ``start`` through ``count`` jobs of indices ``start, start + step, ...``; see :data:`TIMES`,
    :data:`JOBS`, :data:`PILE` for what it does and returns."""
    found = 0.0
    done = 0
    while done < count:
        index = start + step * done
        inside = index % block  # jobs until the clock starts anew, before a job whose index is a multiple
        if step > 0:
            inside = block - inside
        elif inside == 0:
            inside = block
        if index % block == 0 and mode == JOBS:
            rebase(bench.state)
        chunk = min(min(inside, count - done), bench.need.size)
        fill(packed, seed, sample, index, chunk, step, bench.need, bench.cls, bench.sigma, bench.tau)
        if mode == PILE:
            for i in range(chunk):
                bench.tau[i] = 0.0
        if mode == TIMES:
            for i in range(chunk):
                found += bench.tau[i]
        else:
            advance(bench.state, bench.need, bench.sigma, bench.tau, chunk, bench.wait, bench.idle)
        if mode == PILE:
            for i in range(chunk):
                found = max(found, bench.wait[i] + bench.sigma[i])
        done += chunk
    return found


@jit
def extend(packed: Any, seed: Any, sample: Any, bench: Any, block: int, length: int) -> bool:
    """The trajectory from ``-length`` on top of the marks of shorter ones; whether it ended in another state than they."""
    marks, state = bench.marks, bench.state
    # The clock of the block began at its far end: what came before the start is drawn for its times alone.
    top = (length + block - 1) // block * block
    reset(
        state, packed.servers, walk(packed, seed, sample, bench, block, top, top - length, np.int64(-1), np.int64(TIMES))
    )
    index = length
    row = marks.places.size - 1
    while marks.places[row] >= length:
        if marks.places[row] == length:  # here the system is empty
            marks.length[row] = 1
            marks.times[row, 0] = state.clock[0]
            marks.counts[row, 0] = packed.servers
        row -= 1
    while row >= 0:
        walk(packed, seed, sample, bench, block, index, index - marks.places[row], np.int64(-1), np.int64(JOBS))
        index = marks.places[row]
        if index % block == 0:
            rebase(state)
        settle(state)
        n = in_order(state, bench.times, bench.counts)
        if marks.length[row] == n:
            same = True
            for i in range(n):
                if bench.times[i] != marks.times[row, i] or bench.counts[i] != marks.counts[row, i]:
                    same = False
                    break
            if same:
                return False
        marks.length[row] = n
        for i in range(n):
            marks.times[row, i] = bench.times[i]
            marks.counts[row, i] = bench.counts[i]
        row -= 1
    return True


@jit
def stop(packed: Any, seed: Any, sample: Any, bench: Any, block: int, first: int, most: int) -> int:
    """Algorithm 1: the length 2l that confirmed M_l, or -(the longest tried) if none up to ``most`` did.

    The final state is row 0 of the marks.
    """
    bench.marks.length[:] = -1
    extend(packed, seed, sample, bench, block, first)
    length = first
    while 2 * length <= most:
        length *= 2
        if not extend(packed, seed, sample, bench, block, length):
            return length
    return -length


def bench_for(packed: Packed, first: int, most: int) -> tuple[Bench, int]:
    """A bench and the block length of a workload."""
    return new_bench(packed, first, most), block_length(int(packed.servers))
