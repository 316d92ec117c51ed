"""The farm of processor-sharing servers with finite buffers, from the routing rule (1) and the generators (2), (7), (71).

Every quantity is an exact Fraction, for few servers.  The stationary law comes from the generator by elimination; nothing here
knows a product form.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any

from asymp.queues.elimination import Elimination, rational

Vector = tuple[int, ...]
Rates = dict[Any, dict[Any, Fraction]]


def stationary(rates: Rates) -> dict[Any, Fraction]:
    """The stationary law of an irreducible chain in continuous time: of what jumps at twice its highest rate, and mostly stays."""
    states = list(rates)
    place = {state: k for k, state in enumerate(states)}
    pace = 2 * max(sum(row.values(), Fraction(0)) for row in rates.values())
    rows = []
    for state, row in rates.items():
        out = sum(row.values(), Fraction(0))
        rows.append({place[s]: rate / pace for s, rate in row.items()} | {place[state]: 1 - out / pace})
    return dict(zip(states, Elimination(rows).stationary(), strict=True))


def occupations(theta: int, n: int) -> Iterator[Vector]:
    """S: all s = (s_0, ..., s_theta) of sum n, s_i the number of servers with i jobs."""
    for bars in itertools.combinations(range(n + theta), theta):
        ends = (-1, *bars, n + theta)
        yield tuple(ends[k + 1] - ends[k] - 1 for k in range(theta + 1))


def moved(state: Vector, down: int, up: int) -> Vector:
    """The state with one less in one place and one more in another."""
    found = list(state)
    found[down] -= 1
    found[up] += 1
    return tuple(found)


def arrival_rate(i: int, state: Vector, theta: int, n: int, lam: Fraction) -> Fraction:
    """(6): the rate at which jobs are routed to servers with i jobs."""
    total = sum(k * count for k, count in enumerate(state))
    return lam * (theta - i) * state[i] / (n * theta - total) if total < n * theta else Fraction(0)


def farm(theta: int, n: int, rho: Any, routing: Callable[..., Fraction] = arrival_rate) -> Rates:
    """(7): the rates of S^(n), with lambda = n rho and speed 1."""
    lam = n * rational(rho, "rho")
    found: Rates = {}
    for state in occupations(theta, n):
        row = found.setdefault(state, {})
        for i in range(1, theta + 1):
            if state[i - 1] and (rate := routing(i - 1, state, theta, n, lam)):
                row[moved(state, i - 1, i)] = rate
            if state[i]:
                row[moved(state, i, i - 1)] = Fraction(state[i])
    return found


@lru_cache(maxsize=256)
def farm_law(theta: int, n: int, rho: Any) -> dict[Vector, Fraction]:
    """pi^(n), from the generator alone."""
    return stationary(farm(theta, n, rho))


# --- what statements call ---------------------------------------------------------------------------


def blocking(theta: int, n: int, rho: Any) -> Fraction:
    """B_theta^(n): the probability that all servers have theta jobs.

    >>> blocking(1, 2, Fraction(1, 2)), blocking(2, 2, Fraction(1))
    (Fraction(1, 5), Fraction(8, 33))
    """
    return farm_law(theta, n, rho)[(*(0,) * theta, n)]
