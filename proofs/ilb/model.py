"""What the statements call: exact values, from the laws of the generators in :mod:`asymp.papers.ilb.chains`, for few servers.

Nothing here knows a product form but what says in how many states one fails.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import factorial, prod
from typing import Any

from asymp.elimination import rational
from asymp.papers.ilb.chains import (
    POLICIES,
    Vector,
    farm,
    farm_law,
    recurrent,
    routed,
    servers,
    servers_law,
    stationary,
    two_phase,
    typed_law,
)


def two_routed(i: int, x1: int, x2: int, theta1: int, theta2: int) -> Fraction:
    """a_i of (1), of two servers."""
    return routed(i - 1, (x1, x2), (theta1, theta2))


def most_jobs(i: int, theta1: int, theta2: int) -> int:
    """The most jobs that server i of two has in the long run."""
    return max(x[i - 1] for x, chance in servers_law((theta1, theta2), 1, (1, 1)).items() if chance)


def two_law(x1: int, x2: int, theta1: int, theta2: int, lam: Any, mu1: Any, mu2: Any) -> Fraction:
    """pi(x) of two servers."""
    return servers_law((theta1, theta2), lam, (mu1, mu2))[x1, x2]


def two_rate(x1: int, x2: int, y1: int, y2: int, theta1: int, theta2: int, lam: Any, mu1: Any, mu2: Any) -> Fraction:
    """q(x, y) of two servers; on the diagonal less the rate of leaving."""
    row = servers((theta1, theta2), lam, (mu1, mu2))[x1, x2]
    return -sum(row.values(), Fraction(0)) if (x1, x2) == (y1, y2) else row.get((y1, y2), Fraction(0))


def two_blocked(theta1: int, theta2: int, lam: Any, mu1: Any, mu2: Any) -> Fraction:
    """The share of the jobs of two servers that are routed to none."""
    law = servers_law((theta1, theta2), lam, (mu1, mu2))
    return sum((chance * (1 - sum(routed(i, x, (theta1, theta2)) for i in (0, 1))) for x, chance in law.items()), Fraction(0))


def differ(theta1: int, theta2: int, theta3: int, lam: Any, mu1: Any, mu2: Any, mu3: Any) -> int:
    """In how many states of three servers the law of the generator is not (4) with lambda^(-|theta - x|) in (5)."""
    theta, mu = (theta1, theta2, theta3), (mu1, mu2, mu3)
    law = servers_law(theta, lam, mu)
    weights = {}
    for x in law:
        free = [t - one for t, one in zip(theta, x, strict=True)]
        weights[x] = Fraction(factorial(sum(free)), prod(map(factorial, free))) * rational(lam, "lambda") ** -sum(free)
        weights[x] /= prod(rational(m, "mu") ** one for m, one in zip(mu, x, strict=True))
    total = sum(weights.values())
    return sum(1 for x, chance in law.items() if chance != weights[x] / total)


def lumped_differ(theta: int, n: int, rho: Any) -> int:
    """In how many states the law of S^(n), and that of the counts of the servers' states X, differ."""
    counted: dict[Vector, Fraction] = {}
    for x, chance in servers_law((theta,) * n, n * rational(rho, "rho"), (1,) * n).items():
        s = tuple(x.count(i) for i in range(theta + 1))
        counted[s] = counted.get(s, Fraction(0)) + chance
    return sum(1 for s, chance in farm_law(theta, n, rho).items() if counted[s] != chance)


def law_under(policy: int, theta: int, n: int, rho: Any) -> dict[Vector, Fraction]:
    """The stationary law: policy 0 insensitive, 1 JSQ, 2 JIQ, 3 any server, 4 any that is not full, 5 the fullest that is not."""
    rates = farm(theta, n, rho, POLICIES[policy])
    return stationary({s: rates[s] for s in recurrent(rates, (n, *(0,) * theta))})


def blocking_under(policy: int, theta: int, n: int, rho: Any) -> Fraction:
    """The share of jobs that are blocked, of those that a policy routes."""
    lam = n * rational(rho, "rho")
    law = law_under(policy, theta, n, rho)
    taken = sum((law[s] * POLICIES[policy](i, s, theta, n, lam) for s in law for i in range(theta)), Fraction(0))
    return 1 - taken / lam


def idle_under(policy: int, theta: int, n: int, rho: Any) -> Fraction:
    """The mean fraction of idle servers."""
    return sum((chance * s[0] for s, chance in law_under(policy, theta, n, rho).items()), Fraction(0)) / n


def blocking_two_phase(theta: int, n: int, rho: Any, share: Any, rate: Any) -> Fraction:
    """Blocking by the insensitive policy with hyperexponential sizes."""
    law = stationary(two_phase(theta, n, rho, share, rate))
    return sum((chance for state, chance in law.items() if all(a + b == theta for a, b in state)), Fraction(0))


def two_phase_differ(theta: int, n: int, rho: Any, share: Any, rate: Any) -> int:
    """In how many states of S^(n) the law with hyperexponential sizes is not that with exponential ones."""
    counted: dict[Vector, Fraction] = {}
    for state, chance in stationary(two_phase(theta, n, rho, share, rate)).items():
        jobs = [a + b for a, b in state]
        s = tuple(jobs.count(i) for i in range(theta + 1))
        counted[s] = counted.get(s, Fraction(0)) + chance
    return sum(1 for s, chance in farm_law(theta, n, rho).items() if counted[s] != chance)


def types_differ(n1: int, theta1: int, c1: Any, n2: int, theta2: int, c2: Any, rho: Any, total: int) -> int:
    """In how many states of two types of servers the law is not (72), with ``total`` for n theta."""
    law = typed_law(n1, theta1, c1, n2, theta2, c2, rho)
    load, empty = (n1 + n2) * rational(rho, "rho"), ((n1, *(0,) * theta1), (n2, *(0,) * theta2))
    wrong = 0
    for state, chance in law.items():
        jobs = sum(k * one for part in state for k, one in enumerate(part))
        weight = Fraction(factorial(total - jobs), factorial(total)) if jobs <= total else Fraction(0)
        for part, (size, theta, speed) in zip(state, ((n1, theta1, c1), (n2, theta2, c2)), strict=True):
            weight *= Fraction(factorial(size), prod(map(factorial, part)))
            for k, one in enumerate(part):
                weight *= (Fraction(factorial(theta), factorial(theta - k)) * (load / rational(speed, "c")) ** k) ** one
        wrong += chance != law[empty] * weight
    return wrong


def types_blocking(n1: int, theta1: int, c1: Any, n2: int, theta2: int, c2: Any, rho: Any) -> Fraction:
    """The probability that all servers of two types are full."""
    return typed_law(n1, theta1, c1, n2, theta2, c2, rho)[(*(0,) * theta1, n1), (*(0,) * theta2, n2)]


# --- blocking of a hundred servers -----------------------------------------------------------------------


@lru_cache(maxsize=64)
def blocking_by_powers(theta: int, n: int, rho: Any) -> Fraction:
    """B from Theorem 13 at z = 1, exactly: 1/B = n rho sum_k c_k k!/(n rho)^(k+1), c_k the coefficients of g_theta(t)^n.

    They obey Miller's recurrence for the powers of a series: ``k c_k = sum_i ((n + 1) i - k) a_i c_(k-i)``, a_i = 1/i!.

    >>> blocking_by_powers(2, 2, Fraction(1))
    Fraction(8, 33)
    """
    lam = n * rational(rho, "rho")
    terms = [Fraction(1)]  # c_k k!/lam^k
    for k in range(1, n * theta + 1):
        total, scale = Fraction(0), Fraction(1)
        for i in range(1, min(theta, k) + 1):
            scale *= (k - i + 1) / lam / i  # k!/(k-i)!/lam^i/i!
            total += ((n + 1) * i - k) * scale * terms[k - i]
        terms.append(total / k)
    return 1 / sum(terms)
