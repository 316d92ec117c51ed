r"""Exact numbers of small models, against which certified and sampled ones are held.

*Erlang.*  With n servers and an offered load of a, B(0) = 1, B(j) = a B(j-1)/(j + a B(j-1)), C = n B/(n - a (1 - B)).

*Insensitive load balancing* over n servers of theta places: jobs arrive at rate n rho and are routed to a server with
probability proportional to its free places.  The chain is reversible, and its law is a product (Jonckheere and Prabhu 2016,
Theorem 1): with g(t) the sum of t^k/k! for k <= theta, c_m the coefficient of t^m in g(t)^n and M the number of free places,
``P(M = m) = B m! c_m (n rho)^-m``.

>>> blocking(1, 2, 1), mean_occupancy(1, 2, 1), mean_sojourn_time(1, 2, 1), servers_for(1, 2, Fraction(2, 5))
(Fraction(2, 5), Fraction(6, 5), Fraction(1, 1), 3)
>>> servers_for(2, 100, Fraction(1, 1000))
110
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import count
from math import factorial


def erlang_b(servers: int, load: Fraction | int | str) -> Fraction:
    """The probability that a call is lost.

    >>> erlang_b(2, 1)
    Fraction(1, 5)
    """
    offered, blocked = Fraction(load), Fraction(1)
    for j in range(1, servers + 1):
        blocked = offered * blocked / (j + offered * blocked)
    return blocked


def erlang_c(servers: int, load: Fraction | int | str) -> Fraction:
    """The probability that a call waits; printed tables (Cooper, Introduction to Queueing Theory) have 0.4092 for 10 and 8.

    >>> erlang_c(2, 1), round(float(erlang_c(10, 8)), 4)
    (Fraction(1, 3), 0.4092)
    """
    offered, blocked = Fraction(load), erlang_b(servers, load)
    return servers * blocked / (servers - offered * (1 - blocked))


@lru_cache(maxsize=256)
def free_places(theta: int, n: int, rho: Fraction | int) -> tuple[Fraction, ...]:
    """P(M = m) for m = 0, ..., n theta."""
    server = [Fraction(1, factorial(k)) for k in range(theta + 1)]
    power = [Fraction(1)]
    for _ in range(n):
        longer = [Fraction(0)] * (len(power) + theta)
        for i, x in enumerate(power):
            for j, y in enumerate(server):
                longer[i + j] += x * y
        power = longer
    weights = [factorial(m) * c / Fraction(n * rho) ** m for m, c in enumerate(power)]
    total = sum(weights)
    return tuple(weight / total for weight in weights)


def blocking(theta: int, n: int, rho: Fraction | int) -> Fraction:
    """The probability that an arriving job finds no place."""
    return free_places(theta, n, rho)[0]


def mean_occupancy(theta: int, n: int, rho: Fraction | int) -> Fraction:
    """The mean number of jobs in the system."""
    return n * theta - sum((m * weight for m, weight in enumerate(free_places(theta, n, rho))), Fraction(0))


def mean_sojourn_time(theta: int, n: int, rho: Fraction | int) -> Fraction:
    """The mean time in the system of a job that is let in, by Little's law."""
    return mean_occupancy(theta, n, rho) / (n * rho * (1 - blocking(theta, n, rho)))


def servers_for(theta: int, rate: Fraction | int, target: Fraction) -> int:
    """The least number of servers whose blocking is below the target; blocking falls in it."""
    high = next(2**k for k in count() if blocking(theta, 2**k, Fraction(rate, 2**k)) < target)
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if blocking(theta, middle, Fraction(rate, middle)) < target else (middle, high)
    return high
