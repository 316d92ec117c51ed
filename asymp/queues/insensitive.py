r"""Insensitive load balancing over n equal servers of theta places: exact numbers for few servers, as finite sums.

Jobs arrive at rate n rho (in units of a server's speed over the mean size) and are routed to a server with probability
proportional to its free places; a job that finds none is blocked.  The chain is reversible, and its law is a product
(Jonckheere and Prabhu 2016, Theorem 1): with g(t) the sum of t^k/k! for k <= theta, c_m the coefficient of t^m in g(t)^n
and M the number of free places,

.. math:: P(M = m) = B\, m!\, c_m\, (n\rho)^{-m}, \qquad \frac1B = \sum_{m=0}^{n\theta} m!\, c_m (n\rho)^{-m}
          = n\rho \int_0^\infty g(t)^n e^{-n\rho t} dt,

the second form as m! a^(-m-1) is the integral of t^m e^(-at).  All of this is checked in the tests against the chain generated
from the routing rule.

*Blocking falls in the number of servers* at a fixed rate a = n rho of all arrivals: 1/B = a times the integral of g(t)^n e^(-at),
and g(t) > 1 for t > 0, so that 1/B rises strictly in n; it rises to infinity (monotone convergence).  So there is a least n with
blocking below any target in (0, 1), and it is found by halving.  At n = 0 the formula says B = 1.

*Means.*  Given t of density g(t)^n e^(-at) (normed), the free places of the n servers are independent, k with probability
t^k/k!/g(t): integrated over t that is the law.  So with J(t) the sum of (theta - k) t^k/k!, the mean number of jobs is n times
the mean of J/g; and by parts a (1 - B) is n times the mean of g'/g, so that Little's law has the mean time in the system of an
accepted job as the quotient of the integrals of J g^(n-1) e^(-at) and g' g^(n-1) e^(-at).

>>> blocking(1, 2, 1), mean_occupancy(1, 2, 1), mean_sojourn_time(1, 2, 1), servers_for(1, 2, "2/5")
(Fraction(2, 5), Fraction(6, 5), Fraction(1, 1), 3)
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import factorial
from typing import Any

from asymp.elimination import rational
from asymp.enclosure.quantities import least_whole

MOST_PLACES = 1_000
"""n theta up to which the sums are formed exactly."""


def free_places(theta: int, n: int, rho: Any) -> list[Fraction]:
    """P(M = m) for m = 0, ..., n theta: the stationary law of the number of free places, exactly.

    Args:
        theta: places of a server, at least 1.
        n: servers, at least 1; n theta at most 1000.
        rho: the load of a server, positive, exact.

    Raises:
        ValueError: a parameter is out of range.
        TypeError: a parameter is not exact.

    >>> free_places(1, 2, 1)
    [Fraction(2, 5), Fraction(2, 5), Fraction(1, 5)]
    """
    theta, n, load = _checked(theta, n, rho, "rho")
    return list(_law(theta, n, n * load))


def blocking(theta: int, n: int, rho: Any) -> Fraction:
    """B, the probability that an arriving job finds no place; arguments as of :func:`free_places`.

    >>> blocking(2, 2, 1)
    Fraction(8, 33)
    """
    return free_places(theta, n, rho)[0]


def mean_occupancy(theta: int, n: int, rho: Any) -> Fraction:
    """The mean number of jobs in the system, of all servers; arguments as of :func:`free_places`.

    >>> mean_occupancy(1, 1, 1)
    Fraction(1, 2)
    """
    law = free_places(theta, n, rho)
    return n * theta - sum((m * weight for m, weight in enumerate(law)), Fraction(0))


def mean_sojourn_time(theta: int, n: int, rho: Any) -> Fraction:
    """The mean time in the system of an accepted job, in mean sizes over the speed, by Little's law; arguments as of
    :func:`free_places`.

    >>> mean_sojourn_time(2, 1, 1)
    Fraction(3, 2)
    """
    return mean_occupancy(theta, n, rho) / (n * rational(rho, "rho") * (1 - blocking(theta, n, rho)))


def servers_for(theta: int, rate: Any, target: Any) -> int:
    """The least number of servers whose blocking is below ``target``, by exact sums; ``rate``: of all arrivals.

    Raises:
        ValueError: a parameter is out of range, or so many servers are needed that the sums are too long.

    >>> servers_for(2, 100, Fraction(1, 1000))
    110
    """
    theta, _, load = _checked(theta, 1, rate, "rate")
    aim = rational(target, "target")
    if not 0 < aim < 1:
        raise ValueError(f"target={aim}: must lie strictly between 0 and 1")
    return least_whole(lambda n: blocking(theta, n, load / n) < aim, 1)


def _checked(theta: int, n: int, load: Any, name: str) -> tuple[int, int, Fraction]:
    for each, count in (("theta", theta), ("n", n)):
        if isinstance(count, bool) or not isinstance(count, int):
            raise TypeError(f"{each} must be an integer, not {count!r}")
        if count < 1:
            raise ValueError(f"{each}={count}: must be at least 1")
    exact = rational(load, name)
    if exact <= 0:
        raise ValueError(f"{name}={exact}: must be positive")
    if n * theta > MOST_PLACES:
        raise ValueError(f"{n} servers of {theta} places: sums of more than {MOST_PLACES} terms are not formed exactly")
    return theta, n, exact


@lru_cache(maxsize=64)
def _law(theta: int, n: int, rate: Fraction) -> tuple[Fraction, ...]:
    top = factorial(theta) ** n
    weights = [factorial(m) * c * Fraction(1) / (top * rate**m) for m, c in enumerate(_coefficients(theta, n))]
    total = sum(weights, Fraction(0))
    return tuple(weight / total for weight in weights)


@lru_cache(maxsize=256)
def _coefficients(theta: int, n: int) -> tuple[int, ...]:
    """Of (theta! g)^n, whole numbers."""
    if n == 1:
        return tuple(factorial(theta) // factorial(k) for k in range(theta + 1))
    half = _coefficients(theta, n // 2)
    found = _times(half, half)
    return _times(found, _coefficients(theta, 1)) if n % 2 else found


def _times(left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
    found = [0] * (len(left) + len(right) - 1)
    for i, x in enumerate(left):
        for j, y in enumerate(right):
            found[i + j] += x * y
    return tuple(found)
