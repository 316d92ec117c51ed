"""Load balancing as ``asymp sample ilb`` takes it: words and numbers in, estimates and notes out."""

from __future__ import annotations

from asymp.model import Found, Values
from asymp.queues.laws import Exponential
from asymp.sample.balancing import Progress, balance
from asymp.sample.given import on_a_cpu
from asymp.sample.routing import Policy


def run_balancing(
    values: Values, size: int, seed: int, device: str, progress: Progress | None, level: float
) -> Found:  # fmt: skip
    """Blocking, occupancy, sojourn time and the occupation law; ``size`` is the number of arrivals.

    Raises:
        ValueError: in one line.
    """
    text, law = on_a_cpu(values, seed, device, "load balancing")
    policy = Policy.named(values.get("policy", "insensitive"))
    n, theta = int(values["n"]), int(values["theta"])
    found = balance(
        n,
        theta,
        float(values["rho"]),
        policy,
        law,
        size=size,
        seed=seed,
        level=level,
        threads=int(values.get("threads", 1)),
        progress=progress,
    )
    kind = "by levels" if isinstance(law, Exponential) else "job by job"
    return Found(
        found.estimates, found.notes, {"policy": policy.name, "law": text, "played": kind, "events": found.events}
    )
