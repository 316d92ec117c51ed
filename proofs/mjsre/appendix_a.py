"""Appendix A: piles of k small jobs of service time 1, greedy and with random assignment; the samples of Table 3."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import factorial

from asymp.papers.mjsre import samples
from asymp.papers.mjsre.recurrence import Job, pile

TERMS = 14
"""E[R_k] is computed for k up to here; beyond, E[R_k] >= G_k is enough for a strict lower bound."""


def ceiling(c: int, k: int) -> int:
    """ceil(k/c)."""
    return -(-k // c)


def greedy(c: int, k: int) -> int:
    """The height of the pile (7) of k jobs of one server and service time 1."""
    return int(pile([Job(1, 1, 0)] * k, c)[-1][-1])


def _assignments(c: int, k: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every vector of counts with sum k, and in how many ways it comes about."""
    for cuts in itertools.combinations(range(k + c - 1), c - 1):
        ends = (-1, *cuts, k + c - 1)
        counts = tuple(b - a - 1 for a, b in itertools.pairwise(ends))
        ways = factorial(k)
        for count in counts:
            ways //= factorial(count)
        yield counts, ways


@lru_cache(maxsize=256)
def mean_random(c: int, k: int) -> Fraction:
    """E[R_k].

    >>> mean_random(2, 3)
    Fraction(9, 4)
    """
    return Fraction(sum(max(counts) * ways for counts, ways in _assignments(c, k)), c**k)


def least_random(c: int, k: int) -> int:
    """The least R_k over all assignments of the jobs to the servers."""
    return min(max(counts) for counts, _ in _assignments(c, k))



def greedy_mean(c: int, p: Fraction) -> Fraction:
    """MG = sum_k p_k ceil(k/c) = q/(1 - q^c), q = 1 - p."""
    q = 1 - p
    return q / (1 - q**c)


def random_mean_lower(c: int, p: Fraction) -> Fraction:
    """A lower bound of MR = sum_k p_k E[R_k]."""
    gained = (p * (1 - p) ** k * (mean_random(c, k) - ceiling(c, k)) for k in range(TERMS + 1))
    return greedy_mean(c, p) + sum(gained, Fraction(0))


# --- Table 3 ---------------------------------------------------------------------------------------

FCFS_EXPONENTIAL = samples.threshold_is("table2-exponential", "1.80")
FCFS_PARETO = samples.threshold_is("table2-bounded-pareto", "1.72")
RANDOM_EXPONENTIAL = samples.random_threshold_is("table2-exponential", "0.95")
RANDOM_PARETO = samples.random_threshold_is("table2-bounded-pareto", "0.92")
