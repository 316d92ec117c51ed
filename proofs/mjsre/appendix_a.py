"""Appendix A: the random assignment system is stable for fewer arrival rates; Table 3."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import factorial

from asymp.claim import Bound, Claim, Domain, Identity, Property
from asymp.queues.recurrence import Job, pile
from proofs.mjsre import samples
from proofs.mjsre.exact import Lattice
from proofs.mjsre.notation import claim, erratum

PLACE = "Appendix A"
SMALL = Domain.product("c servers, k small jobs of service time 1", c=[1, 2, 3, 4, 7], k=range(15))
CYCLES = Domain.product(
    "c >= 2 servers, 0 < p < 1", c=[2, 3, 4], p=[Fraction(1, 10), Fraction(1, 3), Fraction(1, 2), Fraction(9, 10)]
)
TERMS = 14
"""E[R_k] is computed for k up to here; beyond, E[R_k] >= G_k is enough for a strict lower bound."""


def claims() -> list[Claim]:
    """The statements of appendix A and Table 3, in order."""
    return [*_counterexample(), *_table_3()]


def _counterexample() -> list[Claim]:
    return [
        claim(
            "appendix-a-one-server",
            PLACE,
            Bound(
                lambda c, k: (_mean_random(c, k) - Fraction(k, c)) ** 2,
                "<=",
                lambda c, k: k * (1 - Fraction(1, c)),
                Domain.product("c servers, k jobs of one server and service time 1", c=[1, 2, 3, 4], k=range(13)),
            ),
            "The stability condition of the GI/GI/c queue is the same as that of the associated random assignment queuing "
            "system.",
            note="Of the two piles of k unit jobs: the greedy one grows by 1/c a job, and k/c <= E[R_k] <= k/c + sqrt(k (1 - 1/c)), "
            "the root of the sum of the c variances, so that the other does too.",
        ),
        *erratum(
            "appendix-a-greedy",
            PLACE,
            (
                Identity(_greedy, lambda c, k: k // c, SMALL),
                "Given that the next big job arrives as the k+1-st job, the sub-pile of small jobs has size G_k = floor(k/c) in "
                "the greedy case.",
            ),
            (
                Identity(_greedy, ceiling, SMALL),
                "... has size G_k = ceil(k/c): the pile of k unit jobs on c servers is as high as its last row, full or not.",
            ),
            note="One job on two servers makes a pile of height 1, not 0.",
        ),
        *erratum(
            "appendix-a-strict",
            PLACE,
            (
                Bound(_mean_random, ">", ceiling, Domain.product("k >= 0, c >= 2", c=[2, 3], k=range(8))),
                "With a positive probability R_k > G_k.  Hence E(R_k) > G_k.",
            ),
            (
                Bound(_mean_random, ">", ceiling, Domain.product("k >= 2, c >= 2", c=[2, 3, 4], k=range(2, 11))),
                "E(R_k) > G_k for k >= 2; R_k = G_k for k = 0 and k = 1.",
            ),
            note="G_k = ceil(k/c).  The sums over k start at k = 0, where both are 0; the conclusion is not touched.",
        ),
        claim(
            "appendix-a-random",
            PLACE,
            Bound(
                lambda c, k: min(max(counts) for counts, _ in _assignments(c, k)),
                ">=",
                ceiling,
                Domain.product("all assignments of k jobs to c servers", c=[1, 2, 3, 4], k=range(9)),
            ),
            "Clearly R_k >= G_k, where R_k = max(m(1,k), ..., m(c,k)), a multinomial vector.",
            note="G_k = ceil(k/c), as corrected: over every assignment of k jobs.",
        ),
        claim(
            "appendix-a-geometric",
            PLACE,
            Identity(
                lambda p, k: (1 - p) ** k * p,
                lambda p, k: _cycle_length(p, k),
                Domain.product("k >= 0", p=[Fraction(1, 3), Fraction(5, 6)], k=range(6)),
            ),
            "p_k = (1 - p)^k p is the probability that there are k small jobs in the cycle.",
        ),
        claim(
            "appendix-a-growth-greedy",
            PLACE,
            Identity(
                lambda c, p: Lattice(c, [(1 - p, 1, [(1, Fraction(1))]), (p, c, [(1, Fraction(1))])]).growth,
                lambda c, p: p * (1 + greedy_mean(c, p)),
                CYCLES,
            ),
            "The pile decomposes into cycles: its growth rate is (1 + MG)/E[jobs of a cycle], MG = sum_k p_k G_k.",
            note="G_k = ceil(k/c).  The left side is the pile of i.i.d. jobs, solved as a finite chain.",
        ),
        claim(
            "appendix-a-ratio",
            PLACE,
            Bound(lambda c, p: (1 + random_mean_lower(c, p)) / (1 + greedy_mean(c, p)), ">", lambda c, p: 1, CYCLES),
            "The ratio of the growth rates of the overall piles in the RA and greedy cases is (1 + MR)/(1 + MG) > 1.",
            note=f"MR is bounded from below: E[R_k] exactly for k <= {TERMS}, G_k beyond.",
        ),
    ]


def ceiling(c: int, k: int) -> int:
    """ceil(k/c)."""
    return -(-k // c)


def _greedy(c: int, k: int) -> int:
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
def _mean_random(c: int, k: int) -> Fraction:
    """E[R_k]."""
    return Fraction(sum(max(counts) * ways for counts, ways in _assignments(c, k)), c**k)


def _cycle_length(p: Fraction, k: int) -> Fraction:
    """P(k small jobs before the next big one), over all ways to draw k + 1 jobs."""
    total = Fraction(0)
    for big in itertools.product((True, False), repeat=k + 1):
        if big == (*(False,) * k, True):
            weight = Fraction(1)
            for is_big in big:
                weight *= p if is_big else 1 - p
            total += weight
    return total


def greedy_mean(c: int, p: Fraction) -> Fraction:
    """MG = sum_k p_k ceil(k/c) = q/(1 - q^c), q = 1 - p."""
    q = 1 - p
    return q / (1 - q**c)


def random_mean_lower(c: int, p: Fraction) -> Fraction:
    """A lower bound of MR = sum_k p_k E[R_k]."""
    gained = (p * (1 - p) ** k * (_mean_random(c, k) - ceiling(c, k)) for k in range(TERMS + 1))
    return greedy_mean(c, p) + sum(gained, Fraction(0))


# --- Table 3 ---------------------------------------------------------------------------------------


def _table_3() -> list[Claim]:
    place = "Table 3"
    return [
        claim(
            "table-3-fcfs-exponential",
            place,
            Property(samples.threshold_is("table2-exponential", "1.80")),
            "5-classes, exponential, FCFS: the stability region boundary is 1.80.",
            note="Section 8.2 has 1.81 for the same threshold (mjsre/section-8.2-threshold-exponential).",
        ),
        claim(
            "table-3-fcfs-pareto",
            place,
            Property(samples.threshold_is("table2-bounded-pareto", "1.72")),
            "5-classes, bounded Pareto, FCFS: the stability region boundary is 1.72.",
        ),
        claim(
            "table-3-ra-exponential",
            place,
            Property(samples.random_threshold_is("table2-exponential", "0.95")),
            "5-classes, exponential, random assignment: the stability region boundary is 0.95.",
        ),
        claim(
            "table-3-ra-pareto",
            place,
            Property(samples.random_threshold_is("table2-bounded-pareto", "0.92")),
            "5-classes, bounded Pareto, random assignment: the stability region boundary is 0.92.",
        ),
        claim(
            "table-3-more-restrictive",
            place,
            Property(samples.random_below_greedy),
            "The stability condition of the random assignment system is different and more restrictive than that of the genuine "
            "multiserver job queuing system.",
        ),
    ]
