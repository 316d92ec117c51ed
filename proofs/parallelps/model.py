"""Exact numbers of the mean-field model's moves and of the steps of the proofs, from the rules alone.

The small system has three servers and two a job: classes {1, 2}, {1, 3}, {2, 3} with x1, x2, x3 jobs.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Any

from asymp.elimination import Elimination, rational
from proofs.parallelps import system

# isort: off
from proofs.parallelps.bounds import (  # noqa: F401  (called by statements)
    chebyshev_fails, every_lower, pairs_drift_fails, queue_lower, queue_upper, tail_fails,
)  # fmt: skip
from proofs.parallelps.static import (  # noqa: F401  (called by statements)
    complete_makespan, core_degrees_fail, core_size, gamma_lower, gamma_upper, lemma_3_fails, lemma_3_strict_fails, one_cycle_fails,
    repeated_makespan, tree_core,
)  # fmt: skip
from proofs.parallelps.system import (  # noqa: F401  (called by statements)
    corollary_1_fails, coupling_fails, drift_10_differs, drift_13_fails, jobs_drift_differs, limit_coefficient,
    limit_level_coefficient, limit_phase_coefficient, limit_time_coefficient, mean_drift_differs, mean_field_coefficient,
    mean_field_time_coefficient, mean_queue_lower, mean_queue_upper, service_differs, system_coefficient,
    system_phase_coefficient, unbalanced,
)  # fmt: skip
# isort: on

MOST = 6
"""Jobs at which the tagged queue is cut."""


# --- what statements call ---------------------------------------------------------------------------


def drift(x1: int, x2: int, x3: int, lam: Any) -> Fraction:
    """The drift of the mean queue length, by (8)."""
    x, lam = (x1, x2, x3), rational(lam, "lambda")
    here = sum(system.queues(x, 3, 2))
    moves = [(system.moved(x, i, by), rate) for i in range(3) for by, rate in ((1, lam), (-1, system.departure(i, x, 3, 2))) if rate]
    return sum((rate * Fraction(sum(system.queues(y, 3, 2)) - here, 3) for y, rate in moves), Fraction(0))


def squares_drift(x1: int, x2: int, x3: int, lam: Any) -> Fraction:
    """The drift of Psi of (9).

    >>> squares_drift(0, 0, 0, Fraction(1, 2))
    Fraction(3, 1)
    """
    return system.drift((x1, x2, x3), 3, 2, rational(lam, "lambda"))


def cauchy(x1: int, x2: int, x3: int) -> Fraction:
    """The sum over the classes i of x_i (sum of 1/q_j) (sum of q_j), over the servers j of i."""
    x = (x1, x2, x3)
    q = system.queues(x, 3, 2)
    return sum((system.departure(i, x, 3, 2) * sum(q[j] for j in pair) for i, pair in enumerate(system.classes(3, 2))), Fraction(0))


def busy(x1: int, x2: int, x3: int) -> int:
    """How many servers have a job."""
    return system.busy((x1, x2, x3), 3, 2)


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
