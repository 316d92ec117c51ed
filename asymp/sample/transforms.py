r"""Exponential moments of laws, as upper bounds: ``log E exp(r X)`` for r of either sign.

Exponential, Erlang and deterministic parts have it in closed form.  For the bounded Pareto law the support is cut
into cells, and ``exp(r x)`` is replaced by its larger end value in each: an upper Riemann sum, no quadrature rule
to trust.  Every answer is raised by 1e-11 of itself, a thousand times what float64 loses here.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from asymp.queues.laws import Kind, Law, Part

if TYPE_CHECKING:
    from asymp.queues.workload import Workload

CELLS = 1 << 14
ROUNDING = 1e-11


def log_mgf(law: Law, rate: float) -> float:
    """An upper bound of ``log E exp(rate X)``; infinite where the moment is.

    >>> from asymp.queues.laws import Exponential
    >>> abs(log_mgf(Exponential(2.0), 0.25) - math.log(2)) < 1e-10, log_mgf(Exponential(2.0), 0.5)
    (True, inf)
    """
    return log_mixture([(part.probability, _part(part, rate)) for part in law.parts()])


def log_mgf_services(workload: Workload, rate: float) -> float:
    """An upper bound of ``log E exp(rate sigma)`` over all jobs of a workload."""
    return log_mixture([(entry.probability, log_mgf(entry.service, rate)) for entry in workload.classes])


def largest_rate(workload: Workload) -> float:
    """Where ``E exp(r sigma)`` ceases to be finite: the supremum of such r, infinite for bounded services."""
    means = [
        part.parameters[0]
        for entry in workload.classes
        for part in entry.service.parts()
        if part.kind in (Kind.EXPONENTIAL, Kind.ERLANG)
    ]
    return 1 / max(means) if means else math.inf


def log_mixture(terms: list[tuple[float, float]]) -> float:
    """``log sum p exp(x)`` of pairs (p, x), rounded up."""
    top = max(x for _, x in terms)
    if not math.isfinite(top):
        return top
    total = math.fsum(p * math.exp(x - top) for p, x in terms)
    return top + math.log(total) + ROUNDING * (1 + abs(top))


def _part(part: Part, rate: float) -> float:
    parameters = part.parameters
    if part.kind == Kind.EXPONENTIAL or part.kind == Kind.ERLANG:
        phases = parameters[1] if part.kind == Kind.ERLANG else 1.0
        x = rate * parameters[0]
        return math.inf if x >= 1 else -phases * math.log1p(-x)
    if part.kind == Kind.DETERMINISTIC:
        return rate * parameters[0]
    if part.kind == Kind.BOUNDED_PARETO:
        low, c, power = parameters
        # P(X <= x) = (1 - (low/x)^shape)/c; equal cells in log x.
        span = -math.log1p(-c) * power
        ends = low * np.exp(np.linspace(0.0, span, CELLS + 1))
        above = np.exp(-np.linspace(0.0, span, CELLS + 1) / power)
        weight = (above[:-1] - above[1:]) / c
        exponent = rate * (ends[1:] if rate > 0 else ends[:-1])
        top = float(exponent.max())
        return top + math.log(float(weight @ np.exp(exponent - top)))
    raise ValueError(f"no exponential moment is known for {part.kind!r}: the dominating queue needs one")
