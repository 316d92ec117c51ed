"""Parallel processor sharing as ``asymp sample parallelps`` takes it: words and numbers in, estimates and notes out."""

from __future__ import annotations

from asymp.queues.law_text import read_law
from asymp.queues.laws import Erlang, Exponential, HyperExponential
from asymp.sample.multiserver_models import Found, Values
from asymp.sample.parallel import Progress, share


def run_parallel(
    values: Values, size: int, seed: int, device: str, progress: Progress | None, level: float
) -> Found:  # fmt: skip
    """Queue length, jobs, sojourn time and the law of the queue; ``size`` is the number of arrivals after the warm-up.

    Raises:
        ValueError: in one line.
    """
    if device == "gpu":
        raise ValueError("parallel processor sharing is sampled on a CPU: leave --device away")
    if seed >= 1 << 64:
        raise ValueError(f"seed must be below 2^64, not {seed}")
    text = values.get("law", "exponential")
    try:
        law = read_law(text)(1.0)
    except ValueError as error:
        raise ValueError(f"law={text[:60]}: {error}") from None
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
