"""Exact numbers of the mean-field model's moves and of the steps of the proofs, from the rules alone."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Any

from asymp.elimination import Elimination, rational

# isort: off
from asymp.papers.parallelps.bounds import (  # noqa: F401  (called by statements)
    chebyshev_fails, every_lower, pairs_drift_fails, queue_lower, queue_upper, tail_fails,
)  # fmt: skip
from asymp.papers.parallelps.static import (  # noqa: F401  (called by statements)
    complete_makespan, core_degrees_fail, core_size, gamma_lower, gamma_upper, lemma_3_fails, lemma_3_strict_fails, one_cycle_fails,
    repeated_makespan, tree_core,
)  # fmt: skip
from asymp.papers.parallelps.system import (  # noqa: F401  (called by statements)
    corollary_1_fails, coupling_fails, drift_10_differs, drift_13_fails, jobs_drift_differs, limit_coefficient,
    limit_level_coefficient, limit_phase_coefficient, limit_time_coefficient, mean_drift_differs, mean_field_coefficient,
    mean_field_time_coefficient, mean_queue_lower, mean_queue_upper, service_differs, system_coefficient,
    system_phase_coefficient, unbalanced,
)  # fmt: skip
# isort: on

MOST = 6
"""Jobs at which the tagged queue is cut."""


# --- what statements call ---------------------------------------------------------------------------


def slope(k: int, p0: Any, p1: Any, p2: Any, p3: Any, d: int, lam: Any) -> Fraction:
    """d/dt P(Q >= k) of a tagged server with law p on 0, ..., 3 that moves at the rates (5): flow into {k, ...} less flow out.

    >>> slope(1, 1, 0, 0, 0, 2, Fraction(1, 2))
    Fraction(1, 1)
    """
    law = [rational(p, "p") for p in (p0, p1, p2, p3)]
    mean = sum(j * p for j, p in enumerate(law))
    help_ = (d - 1) * sum(law[1:], Fraction(0)) / mean if mean else Fraction(0)
    total = Fraction(0)
    for j, p in enumerate(law):
        for target, rate in ((j + 1, d * rational(lam, "lambda")), (j - 1, 1 + j * help_ if j else Fraction(0))):
            total += p * rate * ((target >= k) - (j >= k))
    return total


def arrivals_to_server(n: int, d: int) -> Fraction:
    """The share of the subsets of d of n servers that hold the first one, counted."""
    subsets = list(combinations(range(n), d))
    return Fraction(sum(1 for one in subsets if 0 in one), len(subsets))


def tagged_law(u: int, d: int, lam: Any, mu: Any) -> Fraction:
    """pi_u of the queue with the rates (1), at most MOST jobs in it, from its generator.

    >>> tagged_law(1, 2, Fraction(1, 2), 1) / tagged_law(0, 2, Fraction(1, 2), 1)
    Fraction(1, 2)
    """
    return _tagged(d * rational(lam, "lambda"), rational(mu, "mu"))[u]


@lru_cache(maxsize=64)
def _tagged(up: Fraction, mu: Fraction) -> tuple[Fraction, ...]:
    pace = up + 1 + MOST * mu
    rows = []
    for k in range(MOST + 1):
        row = {j: rate / pace for j, rate in ((k + 1, up), (k - 1, 1 + k * mu)) if 0 <= j <= MOST}
        rows.append({**row, k: 1 - sum(row.values())})
    return tuple(Elimination(rows).stationary())
