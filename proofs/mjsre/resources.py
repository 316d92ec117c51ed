"""Exact functions of numbers in the claims of sections 7 to 10: Table 1, laws of samples, two classes, thresholds.

Functions of a seed, which fixes a drawn sequence of jobs, are in :mod:`asymp.papers.mjsre.paths`.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from asymp.enclosure import Enclosure
from asymp.papers.mjsre.exact import Lattice, Point
from asymp.papers.mjsre.paths import *  # noqa: F403 - the model is all three
from asymp.papers.mjsre.recurrence import step
from asymp.papers.mjsre.stationary import (
    INPUTS,
    State,
    forward,
    reached,
    returned,
    stationary,
)
from asymp.papers.mjsre.table1 import TABLE_1, solved
from asymp.papers.mjsre.typed import *  # noqa: F403
from asymp.queues.rules import JobClass
from asymp.queues.saturated import saturated
from asymp.queues.two_class import TwoClass

HALF = Fraction(1, 2)

# --- equation (8) and figure 2(a): two classes, exponential services -------------------------------



def throughput(s: int, a: int, b: int, p: Fraction, mu: Fraction) -> Fraction:
    """Jobs a unit of time in saturation, by the product form: needs a and b, rates 1 and mu, a share p of the second."""
    return TwoClass(a, b, s, 1 - p, 1, mu).means[0]


def waste(s: int, a: int, b: int, p: Fraction, mu: Fraction) -> Fraction:
    """The mean number of idle servers in saturation, by the product form."""
    return s - TwoClass(a, b, s, 1 - p, 1, mu).means[1]


def chain_throughput(s: int, a: int, b: int, p: Fraction, mu: Fraction) -> Fraction:
    """The same throughput by the chain that is generated from the rules."""
    return saturated(s, [JobClass(a, Fraction(1), 1 - p), JobClass(b, Fraction(mu), p)]).throughput


def chain_waste(s: int, a: int, b: int, p: Fraction, mu: Fraction) -> Fraction:
    """The same waste by the chain."""
    chain = saturated(s, [JobClass(a, Fraction(1), 1 - p), JobClass(b, Fraction(mu), p)])
    return sum((weight * chain.rules.free(state) for state, weight in chain.P.items()), Fraction(0))


# --- section 7.1: one server, sigma - tau = 1 with probability 1/3, else -1 --------------------------

UP = (1, 3)
STEPS = 256
"""The algorithm is followed for as many jobs; what is undecided then is counted on both sides."""


def too_soon_least(length: int) -> Fraction:
    """A lower bound of P(Algorithm 1, started with ``length``, returns less than the perfect sample)."""
    return not_coupled(length)[0]


def too_soon_most(length: int) -> Fraction:
    """An upper bound of it."""
    return not_coupled(length)[1]


@cache
def not_coupled(length: int) -> tuple[Fraction, Fraction]:
    """Both bounds.  With one server M_n is the running maximum of a random walk.

    After each doubling the algorithm stops unless there is a new maximum; a walk that stops at a gap g below its
    maximum exceeds it later with probability (p/q)^(g+1).

    >>> low, high = not_coupled(1)
    >>> bool(0.24 < low <= high < 0.25)
    True
    """
    up, whole = UP
    down = whole - up
    ratio = Fraction(up, down)
    weights: dict[int, int] = {0: 1}  # gap -> weight, in units of whole^-(steps so far)
    wrong, done = Fraction(0), 0
    for block in _blocks(length):
        fresh = done == 0
        found: dict[tuple[int, bool], int] = {(gap, fresh): w for gap, w in weights.items()}
        for _ in range(block):
            after: dict[tuple[int, bool], int] = {}
            for (gap, risen), w in found.items():
                higher = (gap - 1, risen) if gap else (0, True)
                for state, weight in ((higher, up), ((gap + 1, risen), down)):
                    after[state] = after.get(state, 0) + w * weight
            found = after
        done += block
        weights = {gap: w for (gap, risen), w in found.items() if risen}
        stopped = sum((w * ratio ** (gap + 1) for (gap, risen), w in found.items() if not risen), Fraction(0))
        wrong += stopped / Fraction(whole) ** done
    return wrong, wrong + Fraction(sum(weights.values()), whole**done)


def _blocks(length: int) -> Iterator[int]:
    """The jobs added at each pass: l, then as many again as there are."""
    total = length
    yield length
    while total < STEPS:
        yield total
        total *= 2


# --- sections 7.3 and 7.4: the samples of Algorithm 1, and successive workloads ----------------------


@cache
def sample_law(j: int, ell: int) -> dict[State, Fraction]:
    """The law of what Algorithm 1 returns from a first length, for input j of :data:`INPUTS`.

    Where it has not stopped after six passes the perfect sample M_oo stands, which is at least what it would return.
    """
    return returned(INPUTS[j], ell).at_most


@cache
def _rest(j: int) -> dict[State, Fraction]:
    return stationary(INPUTS[j])



def mean_sample(j: int, ell: int) -> Fraction:
    """The mean of the largest component of the sample."""
    return sum((p * state[-1] for state, p in sample_law(j, ell).items()), Fraction(0))



def mean_stationary(j: int) -> Fraction:
    """The mean of the largest component of the stationary workload."""
    return sum((p * state[-1] for state, p in _rest(j).items()), Fraction(0))


@cache
def _forward(j: int, n: int) -> list[dict[State, Fraction]]:
    return forward(INPUTS[j], n)



def variance_successive(j: int, n: int) -> Fraction:
    """The variance of the average of n successive workloads (their largest components) of the stationary chain."""
    source, rest = INPUTS[j], _rest(j)
    mean = mean_stationary(j)
    covariances = []
    expected = {state: state[-1] - mean for state in reached(source)}  # E[f(W_k) | W_0]
    for _ in range(n):
        covariances.append(sum((p * (state[-1] - mean) * expected[state] for state, p in rest.items()), Fraction(0)))
        expected = {
            state: sum((q * expected[tuple(step(state, job))] for q, job in source.jobs), Fraction(0))
            for state in expected
        }
    return (n * covariances[0] + 2 * sum((n - k) * covariances[k] for k in range(1, n))) / n**2



# --- Table 1 ----------------------------------------------------------------------------------------


def wait(rate: Fraction) -> Fraction:
    """The mean wait of all jobs at an arrival rate, rounded to 5 decimals: certified."""
    return _rounded(solved(Fraction(rate)).waiting.mean, 5)


def wait_variance(rate: Fraction) -> Fraction:
    """Its variance, rounded to whole numbers."""
    return _rounded(solved(Fraction(rate)).waiting.variance, 0)


def _rounded(value: Enclosure, digits: int) -> Fraction:
    centre, radius = Fraction(value.value), Fraction(value.radius)
    low, high = (round((centre + side * radius) * 10**digits) for side in (-1, 1))
    if low != high:
        raise ArithmeticError(f"{value} is not known to {digits} decimals")
    return Fraction(low, 10**digits)


def bwd(k: int) -> Fraction:
    """The printed estimate of B-MJSRE in row k of Table 1."""
    return TABLE_1[k - 1].backward.value


def bwd_low(k: int) -> Fraction:
    """The lower end of its interval."""
    return TABLE_1[k - 1].backward.low


def bwd_high(k: int) -> Fraction:
    """The upper end."""
    return TABLE_1[k - 1].backward.high


def fwd(k: int) -> Fraction:
    """The printed estimate of F-MJSRE in row k of Table 1."""
    return TABLE_1[k - 1].forward.value


def fwd_low(k: int) -> Fraction:
    """The lower end of its interval."""
    return TABLE_1[k - 1].forward.low


def fwd_high(k: int) -> Fraction:
    """The upper end."""
    return TABLE_1[k - 1].forward.high


# --- section 10 ------------------------------------------------------------------------------


def threshold(s: int, need: int, low: int, high: int) -> Fraction:
    """1/gamma for jobs of one server and time 2, and as many of ``need`` servers and time ``low`` or ``high``, equally likely."""
    law: tuple[Point, ...] = ((low, HALF), (high, HALF)) if low != high else ((low, Fraction(1)),)
    return 1 / Lattice(s, [(HALF, 1, ((2, Fraction(1)),)), (HALF, need, law)]).growth
