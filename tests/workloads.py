"""Workloads that several tests sample."""

from __future__ import annotations

from asymp.queues.laws import BoundedPareto, Deterministic, Erlang, Exponential, HyperExponential
from asymp.queues.workload import ServerNeed, Workload


def mixed(phases: int) -> Workload:
    """Twelve servers, and a class of jobs of each law; Erlang's has so many phases."""
    return Workload(
        12,
        (
            ServerNeed(1, 0.5, Exponential(1.0)),
            ServerNeed(3, 0.3, Erlang(phases, 0.8)),
            ServerNeed(5, 0.1, BoundedPareto(0.2, 40.0, 1.4)),
            ServerNeed(12, 0.04, Deterministic(0.7)),
            ServerNeed(3, 0.06, HyperExponential((0.9, 0.1), (0.5, 4.0))),
        ),
    )
