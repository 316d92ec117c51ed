"""The saturated two-class multiserver-job system: throughput and wasted servers, exactly.

In saturation jobs wait without end and come forward in order while the head of the line fits.  Grosof,
Harchol-Balter and Scheller-Wolf (2020) have the stationary law as a product: a state is given by the number
a of small jobs in service, ``s_1(a)``: as many big jobs b as fit beside them, and a blocked big job if a
small one would still fit.  ``s_2(b)`` is the state with b big jobs and none blocked.  With f_1, f_2 the
probabilities that the next completion is of the first or second class (Theorems 4.1 and 4.2), the law over
completions is

``pi(h, a, b) ~ p1^a p2^(b+h) / (f_1(s_1(1)) ... f_1(s_1(a)) f_2(s_2(1)) ... f_2(s_2(b)))``

and the law in time is that over the rate of completions.  That is a theorem, checked in the tests against
:mod:`asymp.queues.saturated`, which solves the chain generated from the rules.

>>> throughput(2, 1, 2, "0.5", 1, 1), waste(2, 1, 2, "0.5", 1, 1)
(Fraction(8, 7), Fraction(2, 7))
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from asymp.queues.elimination import rational


@lru_cache(maxsize=4096)
def _solve(
    servers: int, small: int, big: int, share: Fraction, rate1: Fraction, rate2: Fraction
) -> tuple[Fraction, Fraction]:
    """(completions a unit of time, mean number of busy servers)."""

    def beside(a: int) -> int:
        return (servers - a * small) // big

    def leaves_first(a: int, b: int) -> Fraction:
        return a * rate1 / (a * rate1 + b * rate2)

    # 1/f_2(s_2(j)) multiplied up to b
    seconds = [Fraction(1)]
    for j in range(1, servers // big + 1):
        seconds.append(seconds[-1] * share / (1 - leaves_first((servers - j * big) // small, j)))
    first = Fraction(1)
    mass = time = busy = Fraction(0)
    for a in range(servers // small + 1):
        b = beside(a)
        if a:
            first *= (1 - share) / leaves_first(a, b)
        used = a * small + b * big
        weight = first * seconds[b] * (share if servers - used >= small else 1)
        stay = weight / (a * rate1 + b * rate2)
        mass, time, busy = mass + weight, time + stay, busy + stay * used
    return mass / time, busy / time


def _arguments(
    servers: int, small: int, big: int, probability: object, mu_small: object, mu_big: object
) -> tuple[int, int, int, Fraction, Fraction, Fraction]:
    for name, count in (("servers", servers), ("small", small), ("big", big)):
        if isinstance(count, bool) or not isinstance(count, int):
            raise TypeError(f"{name} must be an integer, not {count!r}")
    if not 1 <= small <= big <= servers:
        raise ValueError(f"needs of {small} and {big} of {servers} servers: want 1 <= small <= big <= servers")
    share = rational(probability, "probability")
    rate1, rate2 = rational(mu_small, "mu_small"), rational(mu_big, "mu_big")
    if not 0 < share < 1:
        raise ValueError(f"the probability must lie strictly between 0 and 1, not {probability}")
    if rate1 <= 0 or rate2 <= 0:
        raise ValueError(f"service rates must be positive, not {mu_small} and {mu_big}")
    return servers, small, big, share, rate1, rate2


def throughput(servers: int, small: int, big: int, probability: object, mu_small: object, mu_big: object) -> Fraction:
    """Jobs a unit of time in saturation: the open queue is stable iff its arrival rate is below.

    Args:
        servers: s.
        small: servers that a job of the first class needs.
        big: servers that a job of the second class needs, at least ``small``.
        probability: of a job of the second class, strictly between 0 and 1, exact.
        mu_small: service rate of the first class, exact.
        mu_big: service rate of the second class, exact.

    Raises:
        ValueError: a parameter is out of range.
        TypeError: a parameter is not exact.
    """
    return _solve(*_arguments(servers, small, big, probability, mu_small, mu_big))[0]


def waste(servers: int, small: int, big: int, probability: object, mu_small: object, mu_big: object) -> Fraction:
    """The mean number of idle servers in saturation (arguments as :func:`throughput`).

    All of them are idle because the job at the head of the line does not fit.

    >>> waste(4, 1, 1, "0.5", 1, 1)   # every job fits
    Fraction(0, 1)
    """
    return servers - _solve(*_arguments(servers, small, big, probability, mu_small, mu_big))[1]
