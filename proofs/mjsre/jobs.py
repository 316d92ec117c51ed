"""Jobs that a seed draws, and the queue that serves them: by the recurrence, and played event by event.

A seed and the number s of servers draw xi_n = (alpha_n, sigma_n, tau_n) for all whole n, past and future; everything
is exact.  What is *played* comes from :mod:`asymp.sample.referee`, which knows no recurrence.  Vectors are tuples, their
coordinates are counted from 1, as in the paper.

>>> [str(x) for x in found(3, 0, 2)], found(3, 0, 2) == workload(0, 3, 0, 0, 2)
(['9/2', '9/2'], True)
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from functools import cache, lru_cache

from asymp.papers.mjsre import recurrence
from asymp.papers.mjsre.inputs import drawn
from asymp.papers.mjsre.recurrence import Job, Number
from asymp.sample.referee import Arrival, History, play

Vector = tuple[Number, ...]
PAST = 10**6
"""Added to the seed that draws the jobs before job 0."""

# --- vectors ---------------------------------------------------------------------------------------


def entry(w: Vector, i: int) -> Number:
    """w^i."""
    if not 1 <= i <= len(w):
        raise ValueError(f"no coordinate {i} in {len(w)}")
    return w[i - 1]


def zero(s: int) -> Vector:
    """The empty system."""
    return (Fraction(0),) * s


def first(w: Vector, k: int) -> Vector:
    """The first k coordinates."""
    return w[:k]


def rest(w: Vector, k: int) -> Vector:
    """The coordinates after the first k."""
    return w[k:]


def reordered(w: Vector) -> Vector:
    """R(w)."""
    return tuple(recurrence.reorder(w))


def step(w: Vector, alpha: int, sigma: Number, tau: Number) -> Vector:
    """The map (3): R(S(alpha, w) + sigma L(alpha) - tau U)^+; here tau may be of any sign.

    >>> step((0, 1, 4), 2, 3, 2)
    (2, 2, 2)
    """
    return tuple(recurrence.step(w, Job(alpha, sigma, tau)))


def kiefer_wolfowitz(w: Vector, sigma: Number, tau: Number) -> Vector:
    """The map of (1): R(w + sigma L - tau U)^+."""
    return tuple(recurrence.kiefer_wolfowitz(w, sigma, tau))


def any_vector(seed: int, s: int) -> Vector:
    """s drawn numbers, in no order."""
    draw = random.Random(f"vector {seed} {s}")
    return tuple(Fraction(draw.randint(0, 8), 2) for _ in range(s))


def lower(seed: int, s: int) -> Vector:
    """A drawn ordered vector."""
    return reordered(any_vector(seed, s))


def upper(seed: int, s: int) -> Vector:
    """Another, coordinatewise at least ``lower``."""
    more = any_vector(seed + PAST, s)
    return reordered(tuple(x + max(y - 2, 0) for x, y in zip(lower(seed, s), more, strict=True)))


# --- jobs ------------------------------------------------------------------------------------------


def _up(count: int) -> int:
    return max(12, 1 << (count - 1).bit_length())


@lru_cache(maxsize=4096)
def _drawn(seed: int, s: int, count: int) -> tuple[Job, ...]:
    return tuple(drawn(seed, s, count))


def job(n: int, seed: int, s: int) -> Job:
    """xi_n."""
    if n < 0:
        return _drawn(seed + PAST, s, _up(-n))[-n - 1]
    return _drawn(seed, s, _up(n + 1))[n]


def need(n: int, seed: int, s: int) -> int:
    """alpha_n."""
    return job(n, seed, s).servers


def service(n: int, seed: int, s: int) -> Number:
    """sigma_n."""
    return job(n, seed, s).service


def gap(n: int, seed: int, s: int) -> Number:
    """tau_n."""
    return job(n, seed, s).gap


@lru_cache(maxsize=4096)
def arrival(n: int, d: int, seed: int, s: int) -> Number:
    """T_n of the arrivals N (d = 0), T_0 of any sign; for d >= 1 of later arrivals N', from job 0 on.

    d odd: two jobs of three are late by d/2 times their service, and hold up those behind; d even: job d/2 and all after
    it are late by 2.
    """
    gone = sum((gap(k, seed, s) for k in range(n)), Fraction(0)) - sum((gap(k, seed, s) for k in range(n, 0)), Fraction(0))
    time = Fraction(seed % 7 - 3, 2) + gone
    if d % 2 and n >= 0:
        late = time + (service(n, seed, s) * d / 2 if n % 3 != 1 else 0)
        return max(late, arrival(n - 1, d, seed, s)) if n else late
    return time + 2 if 0 < d <= 2 * n else time


# --- the queue, played ----------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def played(m: int, n: int, d: int, seed: int, s: int) -> History:
    """Jobs m, ..., n alone."""
    return play(_arrivals(m, n, d, seed, s), s)


def _arrivals(m: int, n: int, d: int, seed: int, s: int) -> list[Arrival]:
    return [Arrival(arrival(k, d, seed, s), *job(k, seed, s)[:2]) for k in range(m, n + 1)]


def _whole(n: int, seed: int, s: int) -> History:
    """Jobs 0 to n, and some more: they change nothing for those before."""
    return played(0, _up(n + 1) - 1, 0, seed, s)


def found(n: int, seed: int, s: int) -> Vector:
    """The ordered workload that job n finds, played: when each server is free of the jobs ahead, seen from t_n.

    A server that stands idle is not free before the jobs ahead have started.
    """
    history = _whole(n, seed, s)
    return tuple(history.workload(n, history.jobs[n].time)[0])


def begins(n: int, seed: int, s: int) -> Number:
    """When job n starts, played."""
    return _whole(n, seed, s).starts[n]


def waited(n: int, seed: int, s: int) -> Number:
    """How long job n waits, played."""
    return _whole(n, seed, s).waits[n]


def stayed(n: int, seed: int, s: int) -> Number:
    """How long job n is in the system, played."""
    return waited(n, seed, s) + service(n, seed, s)


def scanned(n: int, seed: int, s: int) -> Number:
    """The first time, not before t_n nor the start of job n - 1, at which jobs 0 .. n-1 leave alpha_n servers."""
    ahead: list[tuple[Number, Number, int]] = []
    floor: Number = arrival(0, 0, seed, s)
    for k in range(n + 1):
        floor = max(floor, arrival(k, 0, seed, s))
        alpha, sigma, _ = job(k, seed, s)
        for now in sorted({floor, *(end for _, end, _ in ahead if end > floor)}):
            if sum(taken for begin, end, taken in ahead if begin <= now < end) + alpha <= s:
                break
        floor = now
        ahead.append((now, now + sigma, alpha))
    return floor


def idle_servers(n: int, seed: int, s: int) -> int:
    """Servers idle when job n arrives, played."""
    history, now = _whole(n, seed, s), arrival(n, 0, seed, s)
    spans = zip(history.starts, history.completions, strict=True)
    return s - sum(need(k, seed, s) for k, (begin, end) in enumerate(spans) if begin <= now < end)


def last_activity(m: int, n: int, d: int, c: Number, seed: int, s: int) -> Number:
    """X_[m,n](c + N^d), played: the last departure where jobs m, ..., n alone arrive, each c later."""
    if not c:
        return played(m, n, d, seed, s).last_activity()
    late = [Arrival(x.time + c, x.servers, x.service) for x in _arrivals(m, n, d, seed, s)]
    return play(late, s).last_activity()


def blocked(n: int, seed: int, s: int) -> Number:
    """Server-time that is idle while a job waits, where jobs 0, ..., n alone arrive, played."""
    history = played(0, n, 0, seed, s)
    return history.blocked(history.jobs[0].time, history.last_activity())


def idle_until_next(n: int, seed: int, s: int) -> Number:
    """Server-time idle between the arrivals of jobs n and n + 1, played."""
    return _whole(n + 1, seed, s).idle(arrival(n, 0, seed, s), arrival(n + 1, 0, seed, s))



# --- the recurrence -------------------------------------------------------------------------------


@lru_cache(maxsize=8192)
def workload(m: int, n: int, d: int, seed: int, s: int) -> Vector:
    """W_[m,n](N^d) of (2): jobs m, m + 1, ... from W_[m,m] = 0, n >= m."""
    if n == m:
        return zero(s)
    tau = arrival(n, d, seed, s) - arrival(n - 1, d, seed, s)
    return step(workload(m, n - 1, d, seed, s), *job(n - 1, seed, s)[:2], tau)


@cache
def loynes(n: int, k: int, seed: int, s: int) -> Vector:
    """M_n of (4) for the sequence shifted by theta^{-k}."""
    return zero(s) if n == 0 else step(loynes(n - 1, k + 1, seed, s), *job(-k - 1, seed, s))


def started(n: int, seed: int, s: int) -> Vector:
    """The workload at time 0, played: the system starts empty when job -n arrives, tau_{-n} + ... + tau_{-1} before."""
    now = -sum((gap(-k, seed, s) for k in range(1, n + 1)), Fraction(0))
    queue = []
    for k in range(n, 0, -1):
        alpha, sigma, tau = job(-k, seed, s)
        queue.append(Arrival(now, alpha, sigma))
        now += tau
    return tuple(play(queue, s).workload(n, Fraction(0))[0])


# --- piles ----------------------------------------------------------------------------------------


@lru_cache(maxsize=2048)
def _at_once(m: int, n: int, seed: int, s: int) -> History:
    return play([Arrival(Fraction(0), *job(k, seed, s)[:2]) for k in range(m, n)], s)


def pile(n: int, seed: int, s: int) -> Vector:
    """H_n, played: when each server is free of jobs 0, ..., n - 1, that are all there at time 0."""
    return tuple(_at_once(0, _up(n), seed, s).workload(n, Fraction(0))[0])


# --- section 6: the servers after the arrival of job n, no others following ------------------------


@lru_cache(maxsize=1024)
def _longest_idle(n: int, seed: int, s: int) -> History:
    """Jobs 0 .. n, each taking the servers that have been free for longest.

    When jobs start does not depend on the servers they take, so that a first play tells the second.
    """
    jobs = _arrivals(0, n, 0, seed, s)
    ends = iter(play(jobs, s).completions)
    free_since: dict[int, Number] = dict.fromkeys(range(s), Fraction(-(10**6)))

    def longest(free: Sequence[int], count: int) -> Sequence[int]:
        taken = sorted(free, key=free_since.__getitem__)[:count]
        free_since.update(dict.fromkeys(taken, next(ends)))
        return taken

    return play(jobs, s, longest)


def _side(history: History, used: bool, s: int) -> list[int]:
    return [x for x in range(s) if (x in history.allocations[-1]) == used]


def _work(history: History, server: int, since: Number, until: Number) -> Number:
    return sum((b - a for a, b in history.busy(server, since, until)), Fraction(0))


def busy(used: int, x: Number, n: int, seed: int, s: int) -> Number:
    """The work in [t_n, t_n + x] of the servers that serve job n (used = 1), or of the others (0), played."""
    history = _longest_idle(n, seed, s)
    now = history.jobs[-1].time
    return sum((_work(history, y, now, now + x) for y in _side(history, bool(used), s)), Fraction(0))


def _done(history: History, n: int) -> list[Number]:
    """When each server has ended the jobs before job n and these have started, not before t_n."""
    begun = max([history.jobs[-1].time, *history.starts[:-1]])
    return [begun if end is None else max(begun, end) for end in history.released(n)]


def done(used: int, n: int, seed: int, s: int) -> Vector:
    """When these servers have ended the load brought before job n, from t_n on, in order."""
    history = _longest_idle(n, seed, s)
    ends, now = _done(history, n), history.jobs[-1].time
    return tuple(sorted(ends[y] - now for y in _side(history, bool(used), s)))
