"""Periodic jobs that a seed draws, at x times the rate at which their pile would grow: what is known of them exactly.

Periodic jobs are a stationary ergodic input once their phase is drawn at random.  From an empty start the workload does
not decrease from period to period (Lemma 4.3): once it repeats, it is the limit.

>>> wasted(Fraction(10, 11), 3, 0, 2)     # of two servers, at 10/11 of the threshold, gaps rising
Fraction(26, 55)
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from asymp.papers.mjsre import exact
from asymp.papers.mjsre.exact import Periodic, random_periodic, spaced
from asymp.papers.mjsre.inputs import arrivals
from asymp.papers.mjsre.recurrence import Number, workloads
from asymp.sample.referee import History, play

Vector = tuple[Number, ...]
SHAPES = ("even", "batch", "rising")
"""Gaps of one mean: all equal, all jobs of a period at once, rising; numbered 1, 2, 3."""
JOBS = 6
"""Jobs of a period."""

@cache
def _growth(seed: int, s: int) -> Fraction:
    return exact.growth(random_periodic(seed, s, JOBS))


@cache
def periodic(x: Fraction, shape: int, seed: int, s: int) -> Periodic:
    """The jobs, with gaps of mean gamma/x: their rate is x times 1/gamma."""
    return spaced(random_periodic(seed, s, JOBS), _growth(seed, s) / Fraction(x), SHAPES[shape - 1])


@cache
def _course(x: Fraction, shape: int, seed: int, s: int, most: int) -> list[Vector]:
    """The workloads at the starts of periods 0, 1, ...; cut where they repeat."""
    system = periodic(x, shape, seed, s)
    course: list[Vector] = [(Fraction(0),) * s]
    while len(course) <= most:
        after = tuple(workloads(system.pattern, s, course[-1])[-1])
        if after == course[-1]:
            break
        course.append(after)
    return course


def after_periods(n: int, x: Fraction, shape: int, seed: int, s: int) -> Vector:
    """The workload after n periods from an empty start."""
    course = _course(x, shape, seed, s, 256 * -(-n // 256))
    return course[min(n, len(course) - 1)]


def period_need(j: int, x: Fraction, shape: int, seed: int, s: int) -> int:
    """alpha of the j-th job of a period."""
    return periodic(x, shape, seed, s).pattern[j - 1].servers


def period_service(j: int, x: Fraction, shape: int, seed: int, s: int) -> Number:
    """sigma of the j-th job of a period."""
    return periodic(x, shape, seed, s).pattern[j - 1].service


def period_gap(j: int, x: Fraction, shape: int, seed: int, s: int) -> Number:
    """tau of the j-th job of a period."""
    return periodic(x, shape, seed, s).pattern[j - 1].gap


@cache
def _settled(x: Fraction, shape: int, seed: int, s: int) -> tuple[list[Vector], int]:
    """(the workloads that the jobs of a period find in the long run, periods until then)."""
    course = _course(x, shape, seed, s, 2000)
    if len(course) > 2000:
        raise ArithmeticError("no limit after 2000 periods")
    return [tuple(w) for w in workloads(periodic(x, shape, seed, s).pattern, s, course[-1])], len(course)


def in_the_long_run(j: int, x: Fraction, shape: int, seed: int, s: int) -> Vector:
    """What the j-th job of a period finds in the long run: W under the Palm probability, j drawn at random."""
    return _settled(x, shape, seed, s)[0][j - 1]


@cache
def _window(x: Fraction, shape: int, seed: int, s: int) -> tuple[History, Fraction, Fraction]:
    """The jobs played event by event, and one of the periods that repeat."""
    system, periods = periodic(x, shape, seed, s), _settled(x, shape, seed, s)[1]
    low = (periods + 1) * system.duration
    return play(arrivals(system.jobs(periods + 3)), s), low, low + system.duration


def wasted(x: Fraction, shape: int, seed: int, s: int) -> Fraction:
    """The mean number of servers inactive, played."""
    history, low, high = _window(x, shape, seed, s)
    return Fraction(history.idle(low, high)) / (high - low)


def wasted_by_blocking(x: Fraction, shape: int, seed: int, s: int) -> Fraction:
    """The mean number of servers inactive while a job waits, played."""
    history, low, high = _window(x, shape, seed, s)
    return Fraction(history.blocked(low, high)) / (high - low)


def mean_number(x: Fraction, shape: int, seed: int, s: int) -> Fraction:
    """The mean number of jobs in the system, played."""
    history, low, high = _window(x, shape, seed, s)
    spans = zip(history.jobs, history.completions, strict=True)
    stays = (Fraction(max(min(end, high) - max(job.time, low), 0)) for job, end in spans)
    return sum(stays, Fraction(0)) / (high - low)
