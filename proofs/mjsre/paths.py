"""Functions of a seed: what drawn jobs do, by the recurrences of sections 4 and 9 and in the queue played event by event.

A seed fixes the jobs; ``W`` and ``W'`` stand for two drawn workload vectors with W <= W'.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from asymp.papers.mjsre.exact import Lattice, Point
from asymp.papers.mjsre.inputs import drawn, vectors
from asymp.papers.mjsre.recurrence import (
    Job,
    Number,
    Specific,
    Vector,
    pile,
    specific_positions,
    specific_step,
    specific_step_printed,
    step,
    workloads,
)
from asymp.sample.referee import Arrival, lowest, play

Path = tuple[Any, ...]
Law = dict[Path, Fraction]
_ONE, _HALF = Fraction(1), Fraction(1, 2)

# --- section 7.5, and the dominating queue of perfect.py: 12 drawn jobs on 1 .. 6 servers -------------

COUNT = 12


def servers(seed: int) -> int:
    """The servers of the drawn system."""
    return 1 + seed % 6


@cache
def _jobs(seed: int) -> list[Job]:
    return drawn(seed, servers(seed), COUNT)


def work(seed: int) -> Fraction:
    """The sum of alpha sigma."""
    return sum((job.servers * Fraction(job.service) for job in _jobs(seed)), Fraction(0))


def height(seed: int, first: int, last: int) -> Number:
    """The height of the pile of jobs first + 1, ..., last."""
    return max(pile(_jobs(seed)[first:last], servers(seed))[-1])



@cache
def _batches(seed: int, m: int, last: bool) -> list[tuple[Number, Number, Number]]:
    """(E_k, t_k, H_k) of each whole batch of m jobs; without ``last`` a batch may start when its first job arrives."""
    jobs, ready = _jobs(seed), Fraction(0)
    times = [Fraction(0), *itertools.accumulate(Fraction(job.gap) for job in jobs)]
    rows: list[tuple[Number, Number, Number]] = []
    for first in range(0, COUNT - m + 1, m):
        high = height(seed, first, first + m)
        arrival = times[first + m - 1 if last else first]
        ready = max(ready, arrival) + high
        rows.append((ready, arrival, high))
    return rows



def batch_arrival(seed: int, m: int, k: int) -> Number:
    """t_k, the arrival of the last job of batch k."""
    return _batches(seed, m, True)[k - 1][1]


def batch_height(seed: int, m: int, k: int) -> Number:
    """H_k."""
    return _batches(seed, m, True)[k - 1][2]


def undelayed_end(seed: int, m: int, k: int) -> Number:
    """E_k with the arrival of the first job of a batch in the place of t_k."""
    return _batches(seed, m, False)[k - 1][0]


def free_by(seed: int, n: int) -> Number:
    """The time by which all servers are free of the first n jobs."""
    jobs = _jobs(seed)[:n]
    found = workloads(jobs[:-1], servers(seed))[-1]
    return sum((Fraction(job.gap) for job in jobs[:-1]), Fraction(0)) + max(step(found, jobs[-1]._replace(gap=0)))



# --- batches of independent jobs, exactly -------------------------------------------------------------

SYSTEMS: tuple[tuple[int, tuple[tuple[Fraction, int, tuple[Point, ...]], ...]], ...] = (
    (2, ((_HALF, 1, ((1, _HALF), (2, _HALF))), (_HALF, 2, ((1, _ONE),)))),
    (3, ((_HALF, 1, ((1, _HALF), (2, _HALF))), (_HALF, 2, ((2, _ONE),)))),
    (4, ((Fraction(2, 3), 1, ((2, _ONE),)), (Fraction(1, 3), 3, ((1, _HALF), (3, _HALF))))),
)


def _system(j: int) -> tuple[int, tuple[tuple[Fraction, int, tuple[Point, ...]], ...]]:
    """System j: independent jobs with integer service times; from number 3 on drawn, of two classes on two or three servers."""
    if j < len(SYSTEMS):
        return SYSTEMS[j]
    draw, count = random.Random(j), 2 + j % 2
    p, q = Fraction(draw.randint(1, 4), 5), Fraction(draw.randint(1, 4), 5)
    low, high = sorted(draw.sample((1, 2, 3), 2))
    return count, (
        (p, 1, ((draw.randint(1, 2), _ONE),)),
        (1 - p, count - draw.randint(0, 1), ((low, q), (high, 1 - q))),
    )


@cache
def _lattice(j: int) -> tuple[Fraction, tuple[Fraction, ...]]:
    chain = Lattice(*_system(j))
    return chain.growth, tuple(chain.mean_heights(64))


def growth_of(j: int) -> Fraction:
    """gamma of system j."""
    return _lattice(j)[0]


def mean_height(j: int, m: int) -> Fraction:
    """E[H_m], m <= 64."""
    return _lattice(j)[1][m]


@cache
def _height_law(j: int, m: int) -> dict[int, Fraction]:
    count, classes = _system(j)
    jobs = [(p * q, Job(need, value, 0)) for p, need, law in classes for value, q in law]
    found: dict[int, Fraction] = defaultdict(Fraction)
    for chosen in itertools.product(jobs, repeat=m):
        found[int(max(pile([job for _, job in chosen], count)[-1]))] += math.prod((p for p, _ in chosen), start=_ONE)
    return found


@cache
def _walk(j: int, m: int, p: Fraction, gaps: int) -> dict[int, Fraction]:
    """The law of H_m less so many interarrival times, of which each is 3 with probability p, else 1."""
    law = _height_law(j, m)
    for _ in range(gaps):
        after: dict[int, Fraction] = defaultdict(Fraction)
        for x, q in law.items():
            after[x - 1] += q * (1 - p)
            after[x - 3] += q * p
        law = after
    return law


def drift(j: int, m: int, p: Fraction) -> Fraction:
    """E[H_m] - m E[tau]."""
    return sum((q * x for x, q in _walk(j, m, p, m).items()), Fraction(0))


def moment(j: int, m: int, p: Fraction, g: int, b: Fraction) -> Fraction:
    """E[b^(H_m - tau_1 - ... - tau_g)]."""
    return sum((q * Fraction(b) ** x for x, q in _walk(j, m, p, g).items()), Fraction(0))


def least_moment(j: int, m: int, p: Fraction) -> Fraction:
    """The least E[b^(H_m - T_m)] over b = 1 + 2^-k, k < 10."""
    return min(moment(j, m, p, m, 1 + Fraction(1, 2**k)) for k in range(10))


def supremum_tail(j: int, m: int, u: int) -> Fraction:
    """P(max(Z_1, ..., Z_6) > u) where p = 3/4: Z_1 = H_1 - tau, then Z_{n+1} = Z_n + H_{n+1} - T_{n+1}."""
    law, further = _walk(j, m, Fraction(3, 4), 1), _walk(j, m, Fraction(3, 4), m)
    found = Fraction(0)
    for turn in range(6):
        if turn:
            after: dict[int, Fraction] = defaultdict(Fraction)
            for (x, p), (y, q) in itertools.product(law.items(), further.items()):
                after[x + y] += p * q
            law = after
        found += sum((p for x, p in law.items() if x > u), Fraction(0))
        law = {x: p for x, p in law.items() if x <= u}
    return found


# --- section 9.1: a set S of servers is the number with the bits 2^(j-1), j in S ------------------------


def _set(number: int) -> frozenset[int]:
    return frozenset(j for j in range(1, number.bit_length() + 1) if number >> (j - 1) & 1)


def _vector(s: int, w: int) -> tuple[Number, ...]:
    """Vector number w of the ordered ones with entries 0, 1, 3."""
    found = vectors(s, (0, 1, 3))
    return found[w % len(found)]


def start14(s: int, S: int, a: int, w: int) -> Number:
    """W-hat as printed, its second term left out where a = 0, read off the map of (14)."""
    after = specific_step_printed(_vector(s, w), Specific(a, _set(S), 100, 0), absent=0)
    return min(x for x in after if x >= 100) - 100  # the servers that it takes stand out


def latest14(s: int, S: int, a: int, w: int) -> Number:
    """The largest W^j over the servers j that the job takes."""
    return max(_vector(s, w)[i - 1] for i in specific_positions(Specific(a, _set(S), 0, 0), s))


def read_as_zero(w: Sequence[Number], job: Specific) -> Vector:
    """(14) as printed, with W^{i*} = 0 where there is no i*."""
    return specific_step_printed(w, job, absent=0)


@cache
def _drawn14(seed: int, count: int) -> tuple[list[Specific], list[list[Vector]]]:
    """Jobs on 5 servers, and W <= W'."""
    draw, jobs = random.Random(seed), list[Specific]()
    while len(jobs) < count:
        chosen = frozenset(j for j in range(1, 6) if draw.random() < 0.3)
        if 0 < (alpha := draw.randint(0, 5 - len(chosen))) + len(chosen):
            jobs.append(Specific(alpha, chosen, draw.randint(1, 6), draw.randint(0, 4)))
    w = [draw.randint(0, 9) for _ in range(5)]
    higher = [x + draw.choice((0, 0, 1, 4)) for x in w]
    return jobs, [[sorted(w)], [sorted(higher)]]


def loynes14(c: int, seed: int, n: int, i: int) -> Number:
    """Component i of M_n, from 8 drawn jobs."""
    w: Vector = [0] * 5
    for job in reversed(_drawn14(seed, 8)[0][:n]):
        w = (read_as_zero, specific_step)[c](w, job)
    return w[i - 1]


class Request(NamedTuple):
    """A job of section 9.1 before its specific servers are drawn: alpha, beta, sigma, tau."""

    servers: int
    specific: int
    service: int
    gap: int


OVERTAKEN = (3, (Request(1, 0, 1, 0), Request(1, 1, 1, 0), Request(1, 0, 1, 0)))
"""Three servers, three jobs at once; where the second wants the busy server, the third is not to start before it."""
SEQUENCES = (
    OVERTAKEN,
    (2, (Request(1, 0, 1, 0), Request(0, 1, 1, 0), Request(1, 0, 1, 0))),
    (2, (Request(0, 1, 2, 1), Request(0, 1, 3, 1), Request(2, 0, 1, 0), Request(0, 1, 1, 0))),
    (3, (Request(1, 1, 2, 1), Request(0, 2, 3, 0), Request(2, 0, 1, 1), Request(1, 1, 1, 0))),
    (3, (Request(0, 1, 4, 1), Request(1, 0, 2, 0), Request(0, 1, 1, 1), Request(1, 1, 2, 0))),
    (4, (Request(1, 1, 3, 1), Request(0, 1, 2, 0), Request(2, 1, 1, 1), Request(1, 0, 1, 0))),
    (4, (Request(0, 2, 2, 0), Request(1, 1, 3, 1), Request(0, 1, 1, 0), Request(3, 1, 1, 0))),
)


def _requests(j: int) -> tuple[int, tuple[Request, ...]]:
    """Servers and requests of sequence j, from number 7 on drawn."""
    if j < len(SEQUENCES):
        return SEQUENCES[j]
    draw, count, found = random.Random(j), 2 + j % 3, list[Request]()
    while len(found) < 3:
        alpha, beta = draw.randint(0, count), draw.randint(0, 2)
        if 1 <= alpha + beta <= count:
            found.append(Request(alpha, beta, draw.randint(1, 4), draw.randint(0, 2)))
    return count, tuple(found)


@cache
def law14(c: int, j: int) -> Law:
    """The joint law of waits and ordered workloads by (14), printed (c = 0) or corrected, over all choices of specific servers."""
    count, requests = _requests(j)
    law: Law = defaultdict(Fraction)
    choices = [list(itertools.combinations(range(1, count + 1), r.specific)) for r in requests]
    for picked in itertools.product(*choices):
        w: Vector = [0] * count
        seen: list[Any] = []
        for request, chosen in zip(requests, picked, strict=True):
            job = Specific(request.servers, frozenset(chosen), request.service, request.gap)
            seen.append((max(w[i - 1] for i in specific_positions(job, count)), tuple(w)))
            w = (read_as_zero, specific_step)[c](w, job)
        law[tuple(seen)] += Fraction(1, math.prod(map(len, choices)))
    return dict(law)


@cache
def queue_law14(r: int, j: int) -> Law:
    """The same in the queue, first come, first served, that gives out the lowest (r = 0) or the highest free servers."""
    count, requests = _requests(j)
    law: Law = defaultdict(Fraction)
    choices = [list(itertools.combinations(range(count), request.specific)) for request in requests]
    times = [sum(request.gap for request in requests[:k]) for k in range(len(requests))]
    choose = lowest if r == 0 else _highest
    for picked in itertools.product(*choices):
        rows = zip(times, requests, picked, strict=True)
        history = play([Arrival(t, q.servers, q.service, frozenset(names)) for t, q, names in rows], count, choose)
        seen = [(wait, tuple(history.workload(n, times[n])[0])) for n, wait in enumerate(history.waits)]
        law[tuple(seen)] += Fraction(1, math.prod(map(len, choices)))
    return dict(law)


def _highest(free: Sequence[int], count: int) -> Sequence[int]:
    return sorted(free)[-count:]
