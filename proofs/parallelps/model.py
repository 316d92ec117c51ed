"""Exact numbers of the mean-field model's moves and of the steps of the proofs, from the rules alone.

The small system has three servers and two a job: classes {1, 2}, {1, 3}, {2, 3} with x1, x2, x3 jobs.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Any

from asymp.queues.elimination import Elimination, rational

# isort: off
from proofs.parallelps.bounds import (  # noqa: F401  (called by statements)
    chebyshev_fails, every_lower, pairs_drift_fails, queue_lower, queue_upper, tail_fails,
)  # fmt: skip
from proofs.parallelps.static import (  # noqa: F401  (called by statements)
    complete_makespan, core_degrees_fail, core_size, gamma_lower, gamma_upper, lemma_3_fails, lemma_3_strict_fails, one_cycle_fails,
    repeated_makespan, tree_core,
)  # fmt: skip
from proofs.parallelps.system import (  # noqa: F401  (called by statements)
    corollary_1_fails, coupling_fails, drift_10_differs, drift_13_fails, limit_coefficient, limit_level_coefficient, limit_phase_coefficient,
    limit_time_coefficient, mean_drift_differs, mean_field_coefficient, mean_field_time_coefficient, mean_queue_lower,
    mean_queue_upper, service_differs, system_coefficient, system_phase_coefficient, unbalanced,
)  # fmt: skip
# isort: on

CLASSES = ((0, 1), (0, 2), (1, 2))
MOST = 6
"""Jobs at which the tagged queue is cut."""
State = tuple[int, int, int]


def queues(x: State) -> list[int]:
    """The numbers of jobs at the three servers.

    >>> queues((1, 0, 2))
    [1, 3, 2]
    """
    return [sum(count for count, pair in zip(x, CLASSES, strict=True) if j in pair) for j in range(3)]


def generator(x: State, lam: Fraction, f: Callable[[list[int]], Fraction]) -> Fraction:
    """The generator (8), n = 3, d = 2, applied to a function of the queue lengths, at x."""
    q, total = queues(x), Fraction(0)
    for i, pair in enumerate(CLASSES):
        for step, rate in ((1, lam), (-1, sum((Fraction(x[i], q[j]) for j in pair if x[i]), Fraction(0)))):
            if rate:
                moved = tuple(count + step * (k == i) for k, count in enumerate(x))
                total += rate * (f(queues(moved)) - f(q))  # type: ignore[arg-type]
    return total


# --- what statements call ---------------------------------------------------------------------------


def drift(x1: int, x2: int, x3: int, lam: Any) -> Fraction:
    """The drift of the mean queue length."""
    return generator((x1, x2, x3), rational(lam, "lambda"), lambda q: Fraction(sum(q), 3))


def squares_drift(x1: int, x2: int, x3: int, lam: Any) -> Fraction:
    """The drift of Psi of (9).

    >>> squares_drift(0, 0, 0, Fraction(1, 2))
    Fraction(3, 1)
    """
    return generator((x1, x2, x3), rational(lam, "lambda"), lambda q: Fraction(sum(one * one for one in q)))


def cauchy(x1: int, x2: int, x3: int) -> Fraction:
    """The sum over the classes i of x_i (sum of 1/q_j) (sum of q_j), over the servers j of i."""
    q = queues((x1, x2, x3))
    return sum((count * sum(Fraction(1, q[j]) for j in pair) * sum(q[j] for j in pair)
                for count, pair in zip((x1, x2, x3), CLASSES, strict=True) if count), Fraction(0))  # fmt: skip


def busy(x1: int, x2: int, x3: int) -> int:
    """How many servers have a job."""
    return sum(1 for one in queues((x1, x2, x3)) if one)


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
