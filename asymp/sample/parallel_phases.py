r"""Parallel processor sharing with memoryless phases: n servers of unit speed, each job at d of them at once.

A job at servers of q_1, ..., q_d jobs gets service at rate ``1/q_1 + ... + 1/q_d``.  Its size is a sequence of exponential
phases, so that what a phase still needs is exponential whatever it has got, and a phase of rate r is completed at the rate r
times the service rate.  With R the highest rate of a phase, that is what uniform thinning does: every server that has jobs
rings at rate R; a ring chooses one of its q jobs, each with probability 1/q, and completes its phase with probability r/R.
A job at several servers is chosen by each, which adds up to the sum above.  Nothing but the phase of a job is kept of its size.

A step counts for its mean length ``1/(n lam + R B)``, B the number of servers that have jobs, in place of a drawn one: the same
time averages, with less noise.  Where the state at a given time is wanted, lengths are drawn.

A row of the servers' table are the jobs at that server, in no order; a job knows its servers, not its places in their rows,
which are short and searched.  Tables grow where they are full (the kernel comes back and says so), and places of jobs that
have left are used again: memory is that of the most jobs there have been.  A server that has jobs is found by trying, 1/lam
times in the mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from asymp.queues.laws import Erlang, Exponential, HyperExponential, Law
from asymp.sample.batch_means import close, move
from asymp.sample.compiler import inline, jit, part
from asymp.sample.prefetch import fetch
from asymp.sample.streams import below, uniform

Array = np.ndarray[Any, Any]

Phased = Exponential | Erlang | HyperExponential
"""Laws that are sequences of memoryless phases."""
TIME, LEVELS = 0, 1
"""Columns of a batch: its time, then the servers of each level, integrated over time."""
MOST_LEVEL = 1 << 14
"""Jobs at a server, at most."""
DONE, ROWS_FULL, JOBS_FULL = 0, 1, 2
AHEAD = 16
"""Servers drawn ahead, so that their rows are fetched in time: independent draws, used in their order, the rest thrown away."""
FEW = 16
"""Servers of a job up to which they are drawn by trying."""


@dataclass(frozen=True)
class Phases:
    """A size as phases: phase k is first with probability ``start[k]``, has rate ``rate[k]``; then comes ``after[k]`` (-1: none).

    >>> Phases.of(Erlang(2, 1.0)).rate.tolist(), Phases.of(Erlang(2, 1.0)).after.tolist()
    ([2.0, 2.0], [-1, 0])
    """

    start: Array
    rate: Array
    after: Array

    @classmethod
    def of(cls, law: Law) -> Phases:
        """The phases of an exponential, Erlang or hyperexponential law.

        Raises:
            ValueError: for other laws.
        """
        if isinstance(law, Exponential):
            start, rate, after = [1.0], [1 / law.mean], [-1]
        elif isinstance(law, Erlang):
            k = law.phases
            start, rate, after = [0.0] * (k - 1) + [1.0], [k / law.mean] * k, list(range(-1, k - 1))
        elif isinstance(law, HyperExponential):
            start, rate, after = list(law.probabilities), [1 / m for m in law.means], [-1] * len(law.means)
        else:
            raise ValueError(f"{type(law).__name__} is no law of phases: want Exponential, Erlang or HyperExponential")
        return cls(np.array(start), np.array(rate), np.array(after, np.int64))

    @property
    def bounds(self) -> Array:
        """Cumulated ``start``, its last entry above every uniform."""
        found = np.cumsum(self.start)
        found[-1] = 2.0
        return found


class Servers(NamedTuple):
    """The state: ``rows[i, :level[i]]`` are the jobs at server i; job m is at ``members[m]`` and in phase ``phase[m]``.

    ``counts[k]`` servers have k jobs; ``free[:numbers[0]]`` are places of jobs that are free; ``order`` is any permutation.
    """

    level: Array  # int32[n]
    rows: Array  # int32[n, capacity]
    members: Array  # int32[places, d]
    phase: Array  # int32[places]
    free: Array  # int32[places]
    counts: Array  # int64[MOST_LEVEL + 1]
    order: Array  # int32[n]
    numbers: Array  # int64[1]
    clock: Array  # float64[1]


def empty(n: int, d: int, capacity: int = 16) -> Servers:
    """n servers without jobs."""
    places = max(n, 16)
    counts = np.zeros(MOST_LEVEL + 1, np.int64)
    counts[0] = n
    return Servers(
        np.zeros(n, np.int32),
        np.zeros((n, capacity), np.int32),
        np.zeros((places, d), np.int32),
        np.zeros(places, np.int32),
        np.arange(places, dtype=np.int32)[::-1].copy(),
        counts,
        np.arange(n, dtype=np.int32),
        np.array([places]),
        np.zeros(1),
    )


def grown(state: Any, status: int, tables: Sequence[str] = ("members", "phase")) -> Any:
    """The same state with twice the room that a run came back for; ``tables`` have a row for each job.

    Raises:
        ValueError: where a server would have more than 2^14 jobs.
    """
    if status == ROWS_FULL:
        if state.rows.shape[1] >= MOST_LEVEL:
            raise ValueError("more than 2^14 jobs at a server")
        return state._replace(rows=np.concatenate([state.rows, np.zeros_like(state.rows)], axis=1))
    places = len(state.members)
    free = np.concatenate([state.free[: state.numbers[0]], np.arange(places, 2 * places, dtype=np.int32)])
    longer = {name: np.concatenate([getattr(state, name), np.zeros_like(getattr(state, name))]) for name in tables}
    longer["free"] = np.concatenate([free, np.zeros(2 * places - free.size, np.int32)])
    return state._replace(numbers=np.array([free.size, *state.numbers[1:]]), **longer)


def play(
    state: Servers,
    phases: Phases,
    rate: float,
    stream: Array,
    arrivals: int,
    sums: Array,
    until: float = np.inf,
    drawn: bool = False,
) -> tuple[Servers, int]:
    """Follow the chain for so many arrivals, or to a time (with drawn lengths); the state after it, and the events.

    Args:
        state: changed in place, and replaced where it grows.
        rate: of arrivals, n lam.
        sums: float64[MOST_LEVEL + 2], to which the batch is added.
        until: a time, where lengths are drawn: the state is then that of this time.

    An event is an arrival or a departure; the end of a phase that is not the last is none.
    """
    left, events = np.array([arrivals]), 0
    bounds, next_phase, rates = phases.bounds, phases.after, phases.rate / phases.rate.max()
    while True:
        status, more = run(
            state, bounds, rates, next_phase, rate, float(phases.rate.max()), stream, left, until, drawn, sums
        )
        events += int(more)
        if status == DONE:
            return state, events
        state = grown(state, int(status))


@part
def choose(chosen: Any, order: Any, n: int, s: Any) -> None:
    """d distinct of n servers into int64[d], every set equally likely."""
    d = chosen.size
    if d > FEW or 2 * d > n:  # the first d of a permutation that is shuffled on from wherever it is
        for k in range(d):
            m = k + below(s, n - k)
            i = order[m]
            order[m] = order[k]
            order[k] = i
            chosen[k] = i
        return
    for k in range(d):
        while True:
            i = below(s, n)
            fresh = True
            for m in range(k):
                if chosen[m] == i:
                    fresh = False
            if fresh:
                break
        chosen[k] = i


@inline
def following(ahead: Any, at: int, rows: Any, level: Any, s: Any) -> int:
    """The server that was drawn ahead at this place; another is drawn there, and fetched."""
    m = below(s, level.size)
    i = ahead[at]
    ahead[at] = m
    fetch(rows, m)
    fetch(level, m)
    return i


@jit
def run(
    state: Any, bounds: Any, rates: Any, after: Any, rate: float, pace: float, s: Any, left: Any, until: float, drawn: bool,
    sums: Any,
) -> Any:  # fmt: skip
    """(status, events); ``rates`` are those of the phases over the highest, ``pace``; ``left[0]`` arrivals are to come."""
    level, rows, members, phase, free = state.level, state.rows, state.members, state.phase, state.free
    c, order = state.counts, state.order
    n, d, capacity = level.size, members.shape[1], rows.shape[1]
    spare, now, began = state.numbers[0], state.clock[0], state.clock[0]
    levels, since = sums[LEVELS:], np.full(c.size, now)
    chosen = np.empty(d, np.int64)
    single = rates.size == 1
    trying = d <= FEW and 2 * d <= n
    ahead, at = np.empty(AHEAD, np.int64), 0
    for k in range(AHEAD):
        ahead[k] = below(s, n)
    coming, events, status = left[0], 0, 0
    while coming > 0:
        if spare == 0:
            status = 2
            break
        total = rate + pace * (n - c[0])
        if drawn:
            stay = -np.log1p(-uniform(s)) / total
            if now + stay >= until:
                now = until
                break
        else:
            stay = 1.0 / total
        if uniform(s) * total < rate:
            if trying:
                for k in range(d):
                    fresh = False
                    while not fresh:
                        i = following(ahead, at, rows, level, s)
                        at = (at + 1) & (AHEAD - 1)
                        fresh = True
                        for m in range(k):
                            if chosen[m] == i:
                                fresh = False
                    chosen[k] = i
            else:
                choose(chosen, order, n, s)
            now += stay
            coming -= 1
            events += 1
            spare -= 1
            job = free[spare]
            p = 0
            if not single:
                u = uniform(s)
                while u >= bounds[p]:
                    p += 1
                phase[job] = p
            for k in range(d):
                i = chosen[k]
                members[job, k] = i
                x = level[i]
                rows[i, x] = job
                level[i] = x + 1
                move(c, x, x + 1, now, since, levels)
                if x + 1 == capacity:  # so that every row has room when the next job comes
                    status = 1
            if status != 0:
                break
            continue
        now += stay
        i = 0
        while True:
            i = following(ahead, at, rows, level, s)
            at = (at + 1) & (AHEAD - 1)
            if level[i] > 0:
                break
        job = rows[i, below(s, level[i])]
        if not single:
            p = phase[job]
            if rates[p] < 1.0 and uniform(s) >= rates[p]:
                continue
            if after[p] >= 0:
                phase[job] = after[p]
                continue
        events += 1
        free[spare] = job
        spare += 1
        for k in range(d):
            i = members[job, k]
            x = level[i]
            m = 0
            while rows[i, m] != job:
                m += 1
            rows[i, m] = rows[i, x - 1]
            level[i] = x - 1
            move(c, x, x - 1, now, since, levels)
    close(c, now, since, levels)
    sums[0] += now - began
    state.clock[0] = now
    state.numbers[0] = spare
    left[0] = coming
    return status, events


def snapshots(n: int, d: int, lam: float, phases: Phases, times: Sequence[float], stream: Array) -> Array:
    """Servers of each level at given times (increasing), from empty: int64[times, MOST_LEVEL + 1]."""
    state, sums = empty(n, d), np.zeros(MOST_LEVEL + 2)
    found = np.zeros((len(times), MOST_LEVEL + 1), np.int64)
    for k, time in enumerate(times):
        state, _ = play(state, phases, n * lam, stream, 1 << 62, sums, float(time), True)
        found[k] = state.counts
    return found
