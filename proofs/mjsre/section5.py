"""Systems with exponential services, for section 7: the throughput where all jobs are there, and where no server waits."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from asymp.claim import Domain
from asymp.queues.rules import JobClass, Rules
from asymp.queues.saturated import saturated

_F = Fraction
SYSTEMS: tuple[tuple[int, tuple[tuple[int, Fraction, Fraction], ...]], ...] = (
    (2, ((1, _F(1, 2), _F(1)), (2, _F(1, 2), _F(1)))),
    (3, ((1, _F(1, 3), _F(2)), (2, _F(2, 3), _F(1)))),
    (3, ((1, _F(1, 2), _F(1)), (2, _F(1, 3), _F(2)), (3, _F(1, 6), _F(3)))),
    (4, ((2, _F(3, 5), _F(1)), (3, _F(2, 5), _F(5, 2)))),
    (3, ((1, _F(1), _F(7, 4)),)),
)
"""Servers, and (need, probability, service rate) of each class."""
EXPONENTIAL = Domain.product("exponential services, Poisson arrivals; five systems of 2 to 4 servers", system=range(5))


@lru_cache(maxsize=16)
def _rules(system: int) -> Rules:
    servers, classes = SYSTEMS[system]
    return Rules(servers, tuple(JobClass(need, rate, probability) for need, probability, rate in classes))


@lru_cache(maxsize=16)
def saturated_rate(system: int) -> Fraction:
    """The throughput of the saturated system, exactly."""
    rules = _rules(system)
    return saturated(rules.servers, rules.classes).throughput


def ideal_rate(system: int) -> Fraction:
    """lambda_ideal of a system, exactly."""
    servers, classes = SYSTEMS[system]
    return servers / sum((need * prob / rate for need, prob, rate in classes), Fraction(0))
