"""Parallel processor sharing as ``asymp sample parallelps`` takes it: words and numbers in, estimates and notes out."""

from __future__ import annotations

from asymp.model import Found, Values
from asymp.queues.laws import Erlang, Exponential, HyperExponential
from asymp.sample.given import on_a_cpu
from asymp.sample.parallel import Progress, share


def run_parallel(
    values: Values, size: int, seed: int, device: str, progress: Progress | None, level: float
) -> Found:  # fmt: skip
    """Queue length, jobs, sojourn time and the law of the queue; ``size`` is the number of arrivals after the warm-up.

    Raises:
        ValueError: in one line.
    """
    text, law = on_a_cpu(values, seed, device, "parallel processor sharing")
    n, d = int(values["n"]), int(values["d"])
    if d > n:
        raise ValueError(f"d={d} is out of range: a job joins at most n={n} servers")
    found = share(
        n,
        d,
        float(values["lam"]),
        law,
        size=size,
        seed=seed,
        level=level,
        runs=int(values["runs"]) if "runs" in values else None,
        warmup=float(values["warmup"]) if "warmup" in values else None,
        threads=int(values.get("threads", 1)),
        progress=progress,
    )
    kind = "by phases" if isinstance(law, Exponential | Erlang | HyperExponential) else "by attained service"
    about = {"law": text, "played": kind, "events": found.events, "warmup": round(found.warmup, 6)}
    return Found(found.estimates, found.notes, about)
