"""Functions of numbers for sections 9.2 and 9.3: several types of resources; a seed fixes types, jobs and workloads."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from asymp.papers.mjsre.inputs import vectors
from asymp.papers.mjsre.recurrence import (
    Number,
    Typed,
    Vector,
    typed_step,
    typed_step_printed,
    typed_waiting,
)
from asymp.sample.referee import Arrival, History, play

Path = tuple[Any, ...]
TYPES = ((2, 3), (1, 2, 2), (3, 1), (1, 1, 1))
SMALL = tuple(Typed(d, sigma, tau) for sigma in (1, 2) for tau in (0, 1) for d in ((1, 0), (0, 1), (1, 1)))
"""Kinds of jobs on one server of either of two types: sequences of three of them have the numbers 0 .. 1727."""


def typed_read_as_zero(w: Sequence[Sequence[Number]], job: Typed) -> list[Vector]:
    """(15) as printed, with W_j^0 = 0."""
    return typed_step_printed(w, job, absent=0)


MAPS = (typed_read_as_zero, typed_step)
"""As printed, and corrected."""


@cache
def _sequence(number: int, least: int = 0) -> tuple[tuple[int, ...], tuple[Typed, ...]]:
    """Types, and three jobs of :data:`SMALL`; from number 1728 on ten drawn jobs, of at least ``least`` servers of each type."""
    if number < len(SMALL) ** 3:
        return (1, 1), tuple(SMALL[number // len(SMALL) ** k % len(SMALL)] for k in (2, 1, 0))
    seed = number - len(SMALL) ** 3
    draw, types = random.Random(seed), TYPES[seed % len(TYPES)]
    jobs = list[Typed]()
    while len(jobs) < 10:
        demand = tuple(draw.randint(least, most) for most in types)
        if any(demand):
            jobs.append(Typed(demand, Fraction(draw.randint(1, 8), 2), Fraction(draw.randint(0, 4), 2)))
    return types, tuple(jobs)


def _drawn(seed: int, least: int = 0) -> tuple[tuple[int, ...], tuple[Typed, ...]]:
    return _sequence(len(SMALL) ** 3 + seed, least)


def _played(types: Sequence[int], jobs: Sequence[Typed]) -> History:
    times = [sum((job.gap for job in jobs[:n]), Fraction(0)) for n in range(len(jobs))]
    return play([Arrival(t, job.servers, job.service) for t, job in zip(times, jobs, strict=True)], types)


def path15(c: int, j: int) -> Path:
    """(wait, ordered workloads) of each job of sequence j by (15), as printed (c = 0) or corrected (c = 1)."""
    types, jobs = _sequence(j)
    w: list[Vector] = [[0] * count for count in types]
    found = []
    for job in jobs:
        found.append((typed_waiting(w, job.servers), tuple(map(tuple, w))))
        w = MAPS[c](w, job)
    return tuple(found)


def queue_path15(j: int) -> Path:
    """The same in the queue, first come, first served, played event by event."""
    types, jobs = _sequence(j)
    history = _played(types, jobs)
    seen = [history.workload(n, job.time) for n, job in enumerate(history.jobs)]
    return tuple((wait, tuple(map(tuple, w))) for wait, w in zip(history.waits, seen, strict=True))


def waits15(seed: int) -> Path:
    """The waits of ten drawn jobs that need servers of every type, by (15) as printed."""
    types, jobs = _drawn(seed, 1)
    w: list[Vector] = [[0] * count for count in types]
    found = []
    for job in jobs:
        found.append(typed_waiting(w, job.servers))
        w = typed_step_printed(w, job)
    return tuple(found)


def queue_waits15(seed: int) -> Path:
    """Those in the queue."""
    return tuple(_played(*_drawn(seed, 1)).waits)


# --- one step -------------------------------------------------------------------------------------------


def _pair(w: int) -> tuple[Sequence[Number], Sequence[Number]]:
    """Workload w < 18 of one server of a type and two of another, entries 0, 1, 3."""
    return vectors(1, (0, 1, 3))[w // 6], vectors(2, (0, 1, 3))[w % 6]


def start15(a: int, b: int, w: int) -> Number:
    """W_1^a v W_2^b with W_j^0 := 0, read off the map of (15)."""
    after = typed_read_as_zero(_pair(w), Typed((a, b), 100, 0))
    return min(x for part in after for x in part if x >= 100) - 100  # the servers that it takes stand out


def latest15(a: int, b: int, w: int) -> Number:
    """The largest of the entries that the job takes: the first a of the one type, the first b of the other."""
    one, two = _pair(w)
    return max([*one[:a], *two[:b]])



def loynes15(c: int, seed: int, n: int, i: int) -> Number:
    """Component i of M_n, from drawn jobs on types (2, 3)."""
    w: list[Vector] = [[0] * 2, [0] * 3]
    for job in reversed(_drawn(4 * seed)[1][:n]):  # TYPES[0]
        w = MAPS[c](w, job)
    return [x for part in w for x in part][i - 1]


# --- X_[m,n], the time of the last activity, with (15) corrected -------------------------------------------


def _times(seed: int) -> list[Fraction]:
    return list(itertools.accumulate((job.gap for job in _drawn(seed)[1][:-1]), initial=Fraction(0)))


def arrival15(seed: int, n: int) -> Fraction:
    """T_n."""
    return _times(seed)[n - 1]


def end15(seed: int, first: int, last: int) -> Number:
    """X where jobs first, ..., last of ten arrive alone."""
    return _end(seed, first, last, _times(seed))


def shifted_end15(seed: int, c: int) -> Number:
    """X of all ten where all arrive later by c."""
    return _end(seed, 1, 10, [t + c for t in _times(seed)])


def delayed_end15(seed: int) -> Number:
    """X of all ten where some arrive later, in their order."""
    return _end(
        seed, 1, 10, list(itertools.accumulate((t + Fraction(k % 3, 2) for k, t in enumerate(_times(seed))), max))
    )


def queue_end15(seed: int) -> Number:
    """X of all ten in the queue."""
    return _played(*_drawn(seed)).last_activity()


def _end(seed: int, first: int, last: int, times: Sequence[Fraction]) -> Number:
    types, jobs = _drawn(seed)
    w: list[Vector] = [[0] * count for count in types]
    for n in range(first - 1, last - 1):
        w = typed_step(w, jobs[n]._replace(gap=times[n + 1] - times[n]))
    largest = max(max(part) for part in w)
    return times[last - 1] + max(typed_waiting(w, jobs[last - 1].servers) + jobs[last - 1].service, largest)


# --- section 9.3: one step with s servers, from vector number w of the ordered ones with entries 0, 1, 2, 4 ---



def three15(c: int, d: int, x1: int, x2: int, x3: int, i: int) -> Number:
    """Component i of the map of (15) on three types of one server; the job needs those in the bits of d."""
    return _three(c, d, (x1, x2, x3))[i - 1]


@cache
def _three(c: int, d: int, w: tuple[int, ...]) -> Path:
    job = Typed(tuple(d >> k & 1 for k in range(3)), 2, 1)
    return tuple(part[0] for part in MAPS[c]([[x] for x in w], job))


@cache
def _images(n: int) -> frozenset[Path]:
    """The maps that n jobs make of one server of either type, by their values at nine points."""
    if not n:
        return frozenset({tuple(itertools.product((0, 1, 5), repeat=2))})
    kinds = [Typed(demand, sigma, 0) for demand in ((1, 0), (0, 1), (1, 1)) for sigma in (0, 1, 2)]
    moved = set()
    for image, job in itertools.product(_images(n - 1), kinds):
        after = (typed_read_as_zero([[x], [y]], job) for x, y in image)
        moved.add(tuple((a[0], b[0]) for a, b in after))
    return frozenset(moved)


def chains_made(n: int) -> int:
    """How many of them are the chain (x, y) -> (x + 1, max(x + 1, y) + 1) of two tasks."""
    return sum(
        image == tuple((x + 1, max(x + 1, y) + 1) for x, y in itertools.product((0, 1, 5), repeat=2))
        for image in _images(n)
    )
