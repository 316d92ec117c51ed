"""Algorithms 1 and 2, run as printed and corrected (:mod:`asymp.papers.mjsre.pseudocode`), on jobs that repeat.

The jobs of the past are nine that a seed draws, for ever; their rate is x times that at which their pile would grow.  M_n
does not decrease with n, so that a period that leaves M_{9k} as it is leaves it so for ever: that is M_oo, exactly.

>>> rho = Fraction(40, 41)
>>> coupled(rho, 0, 1), used(1, rho, 0, 1)     # M_7 is M_oo; from l = 1 it stops with M_1 = M_2
(7, 2)
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction
from functools import cache, lru_cache

from asymp.papers.mjsre.exact import Periodic, growth
from asymp.papers.mjsre.inputs import HALF, drawn
from asymp.papers.mjsre.pseudocode import (
    Trace,
    Undefined,
    algorithm_1,
    algorithm_1_printed,
    algorithm_2,
    algorithm_2_printed,
    all_larger,
    some_larger,
)
from asymp.papers.mjsre.recurrence import Job, Number, workloads
from asymp.papers.mjsre.recurrence import pile as piled

Vector = tuple[Number, ...]
LENGTH = 9
"""Jobs of a period of the past."""


def total(w: Vector) -> Number:
    """The sum of the coordinates."""
    return sum(w, Fraction(0))


# --- pasts that repeat --------------------------------------------------------------------------------


@cache
def _past(x: Fraction, seed: int, s: int) -> tuple[Job, ...]:
    """xi_{-1}, ..., xi_{-9}."""
    jobs = [job._replace(service=job.service + HALF) for job in drawn(500 + seed, s, LENGTH, 3, 4)]
    mean = sum(job.gap for job in jobs) / Fraction(LENGTH)
    slack = growth(Periodic(s, tuple(reversed(jobs)))) / Fraction(x) / mean
    return tuple(job._replace(gap=job.gap * slack) for job in jobs)


def _sampler(x: Fraction, seed: int, s: int) -> Callable[[int], Job]:
    period = _past(x, seed, s)
    return lambda n: period[(n - 1) % LENGTH]


@lru_cache(maxsize=8192)
def past_loynes(n: int, x: Fraction, seed: int, s: int) -> Vector:
    """M_n."""
    sample = _sampler(x, seed, s)
    return tuple(workloads([sample(k) for k in range(n, 0, -1)], s)[-1])


@cache
def past_limit(x: Fraction, seed: int, s: int) -> Vector:
    """M_oo."""
    last, periods = past_loynes(0, x, seed, s), 1
    while (after := past_loynes(periods * LENGTH, x, seed, s)) != last:
        last, periods = after, periods + 1
        if periods > 2000:
            raise ArithmeticError("no limit after 2000 periods")
    return last


@cache
def coupled(x: Fraction, seed: int, s: int) -> int:
    """N: the first n with M_n = M_oo."""
    low, high, limit = 0, LENGTH, past_limit(x, seed, s)
    while past_loynes(high, x, seed, s) != limit:
        low, high = high, 2 * high
    while low < high:  # M_n does not decrease
        middle = (low + high) // 2
        low, high = (low, middle) if past_loynes(middle, x, seed, s) == limit else (middle + 1, high)
    return low



# --- Algorithm 1 as printed -----------------------------------------------------------------------------



def ends_at(every: int, l: int, x: Fraction, seed: int, s: int) -> int:
    """l of the last pass of the printed lines, every job of the past being at hand; > in every coordinate, or in some."""
    sample = _sampler(x, seed, s)
    greater = all_larger if every else some_larger
    return algorithm_1_printed(l, sample, s, lambda j: sample(j) if j else None, greater).lengths[-1]


# --- Algorithm 1 corrected ------------------------------------------------------------------------------


@lru_cache(maxsize=2048)
def _run(l: int, x: Fraction, seed: int, s: int) -> Trace:
    return algorithm_1(l, _sampler(x, seed, s), s)


def sampled(l: int, x: Fraction, seed: int, s: int) -> int:
    """How many jobs were sampled when the run ends."""
    return len(set(itertools.chain.from_iterable(_run(l, x, seed, s).sampled)))


def used(l: int, x: Fraction, seed: int, s: int) -> int:
    """l of the last pass."""
    return _run(l, x, seed, s).lengths[-1]


def answer(l: int, x: Fraction, seed: int, s: int) -> Vector:
    """What is returned."""
    return tuple(_run(l, x, seed, s).returned or ())



def largest(l: int, x: Fraction, seed: int, s: int) -> Vector:
    """The largest M of all passes, coordinatewise."""
    return tuple(map(max, zip(*_run(l, x, seed, s).found, strict=True)))


# --- Algorithm 2 --------------------------------------------------------------------------------------


@cache
def _stream(seed: int, s: int) -> tuple[Job, ...]:
    """1 to 4 jobs that repeat."""
    return tuple(job._replace(service=job.service + 1) for job in drawn(900 + seed, s, 1 + seed % 4, 3))


def _ahead(seed: int, s: int) -> Callable[[int], Job]:
    period = _stream(seed, s)
    return lambda n: period[(n - 1) % len(period)]


@cache
def stream_growth(seed: int, s: int) -> Fraction:
    """gamma of the jobs that repeat."""
    return growth(Periodic(s, _stream(seed, s)))


def stream_longest(seed: int, s: int) -> Number:
    """The longest service time."""
    return max(job.service for job in _stream(seed, s))


def stream_height(n: int, seed: int, s: int) -> Number:
    """|H_n|."""
    sample = _ahead(seed, s)
    return piled([sample(k) for k in range(1, n + 1)], s)[-1][-1]


def undefined_variables(l: int, seed: int, s: int) -> int:
    """How many variables the lines of Algorithm 2 use in the first pass that no earlier line has set."""
    try:
        algorithm_2_printed(l, Fraction(1, 10), _ahead(seed, s), s)
    except Undefined:
        return 1
    return 0


def estimate_printed(l: int, epsilon: Fraction, seed: int, s: int) -> Number:
    """gamma_cur at the end, l_cur of lines 14 and 15 read as l."""
    return 1 / algorithm_2_printed(l, epsilon, _ahead(seed, s), s, True)[0]


@lru_cache(maxsize=512)
def _estimate(l: int, epsilon: Fraction, seed: int, s: int) -> tuple[Number, Trace]:
    return algorithm_2(l, epsilon, _ahead(seed, s), s, most=4)


def estimate(l: int, epsilon: Fraction, seed: int, s: int) -> Number:
    """gamma_cur at the end, l doubled from pass to pass (at most 4 of them)."""
    return 1 / _estimate(l, epsilon, seed, s)[0]


def estimate_length(l: int, epsilon: Fraction, seed: int, s: int) -> int:
    """l of the last pass."""
    return _estimate(l, epsilon, seed, s)[1].lengths[-1]


@cache
def _of_units(l: int, s: int) -> tuple[Number, Trace]:
    return algorithm_2(l, 0, lambda n: Job(1, Fraction(1), 0), s, most=6)


def unit_threshold(l: int, s: int) -> Number:
    """What Algorithm 2, corrected, with tolerance 0, returns for jobs that need one server for 1."""
    return _of_units(l, s)[0]


def unit_passes(l: int, s: int) -> int:
    """Its passes, at most 6."""
    return len(_of_units(l, s)[1].lengths)
