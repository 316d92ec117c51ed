r"""Load balancing with exponential sizes, one number a level: n processor-sharing servers of unit speed.

A server with jobs completes one at rate 1, however many share it, so that the servers of each level, ``c[0..theta]``,
are a Markov state.  The chain is followed from jump to jump, and a state counts for its mean holding time
``1/(n rho + n - c[0])`` in place of a drawn one: the same time averages, with less noise (Hordijk, Iglehart and
Schassberger, 1976).  Memory and the cost of an event do not grow with n.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from asymp.sample.batch_means import close, move
from asymp.sample.compiler import jit, part
from asymp.sample.routing import blocked, level
from asymp.sample.streams import below, uniform

TIME, BLOCKED, LEVELS = 0, 1, 2
"""Columns of a batch: its time, the time weighted by the probability that an arrival is blocked, then the servers of each
level, integrated over time."""


@part
def counted(c: Any) -> tuple[int, int, int]:
    """Of counts of servers by their jobs: the servers, their free places, and the least number of jobs at one."""
    theta = c.size - 1
    n, free, lowest = 0, 0, -1
    for k in range(theta + 1):
        n += c[k]
        free += (theta - k) * c[k]
        if lowest < 0 and c[k] > 0:
            lowest = k
    return n, free, lowest


@jit
def run(c: Any, kind: int, choices: int, rate: float, s: Any, arrivals: int, sums: Any) -> int:
    """Follows the chain for so many arrivals, blocked ones among them; the events.

    Args:
        c: the state, int64[theta + 1], changed in place.
        kind, choices: of the policy.
        rate: of arrivals.
        s: the stream.
        sums: float64[theta + 3], gets what :data:`TIME`, :data:`BLOCKED` and :data:`LEVELS` say.
    """
    theta = c.size - 1
    n, free, lowest = counted(c)
    levels, since = sums[LEVELS:], np.zeros(theta + 1)
    now, lost = 0.0, 0.0
    events = 0
    while arrivals > 0:
        events += 1
        busy = n - c[0]
        total = rate + busy
        stay = 1.0 / total
        lost += stay * blocked(kind, choices, c, free, n, theta)
        now += stay
        if uniform(s) * total < rate:
            arrivals -= 1
            a = level(kind, choices, c, lowest, free, n, theta, s)
            if a == theta:
                continue
            b = a + 1
            free -= 1
        else:
            left = below(s, busy)
            a = max(lowest, 1)
            while left >= c[a]:
                left -= c[a]
                a += 1
            b = a - 1
            free += 1
        move(c, a, b, now, since, levels)
        if b < lowest or (a == lowest and c[a] == 0):
            lowest = b
    close(c, now, since, levels)
    sums[TIME] += now
    sums[BLOCKED] += lost
    return events
