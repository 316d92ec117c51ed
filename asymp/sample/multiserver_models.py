"""The multiserver-job queue as ``asymp sample mjsre`` takes it: words and numbers in, estimates and notes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from asymp.messages import unknown
from asymp.queues.law_text import read_law
from asymp.queues.laws import Law
from asymp.queues.workload import SHIPPED, Workload, named, read_workload
from asymp.sample.estimate import Estimate

Values = Mapping[str, Any]
Progress = Callable[[int, int], None]
Found = tuple[dict[str, Estimate], tuple[str, ...]]
"""Estimates by name, and notes of a line each."""

METHODS = ("backward", "forward", "perfect")
FORWARD_JOBS = 10**6
SURE = 0.9999
"""Level of the intervals that decide whether a load is stable."""
PRECISIONS = (0.03, 0.01, 0.003, 0.001)
"""Relative half-widths with which the threshold is estimated, until it is clear on which side a rate lies."""


def workload_of(values: Values) -> Workload:
    """The workload that was named: a shipped one or a CSV file, with ``servers`` and ``law`` as given.

    Raises:
        ValueError: in one line.
    """
    word = values["workload"]
    servers = int(values["servers"]) if "servers" in values else None
    if word in SHIPPED:
        workload = named(word, servers)
    elif word.lower().endswith((".csv", ".txt")) or Path(word).exists():
        if servers is None:
            raise ValueError(f"missing parameter 'servers': {word} does not say how many there are")
        try:
            workload = read_workload(word, servers)
        except OSError as error:
            raise ValueError(f"workload={word}: {error.strerror}") from None
    else:
        raise ValueError(f"{unknown('workload', word, SHIPPED)} (a file is named *.csv)")
    if "law" in values:
        try:
            workload = workload.with_law(read_law(values["law"]))
        except ValueError as error:
            raise ValueError(f"law={values['law'][:60]}: {error}") from None
    return workload


def run_threshold(
    values: Values, size: int, seed: int, device: str, progress: Progress | None, level: float
) -> Found:  # fmt: skip
    """The stability threshold of a workload, and what it would be without head-of-line blocking."""
    from asymp.sample.stability import threshold

    workload = workload_of(values)
    rel = float(values.get("precision", 0.002))
    found = threshold(workload, seed=check_seed(seed), level=level, rel=rel, device=device, progress=progress)
    exact = _exact(workload.ideal_rate, found)
    return {"threshold": found, "threshold-without-blocking": exact}, ()


def run_multiserver(
    values: Values, size: int, seed: int, device: str, progress: Progress | None, level: float
) -> Found:  # fmt: skip
    """Waiting times, system times, wasted servers of the stationary queue.

    Raises:
        ValueError: in one line, for bad parameters and for a load that is not clearly below the threshold.
    """
    method = values.get("method", "backward")
    if method not in METHODS:
        raise ValueError(unknown("method", method, METHODS))
    for name, wanted in (("jobs", ("forward",)), ("checkpoint", ("backward", "forward"))):
        if name in values and method not in wanted:
            raise ValueError(f"{name}= goes with method={' or '.join(wanted)}, not with {method}")
    if "checkpoint" in values and not Path(values["checkpoint"]).absolute().parent.is_dir():
        raise ValueError(f"checkpoint={values['checkpoint']}: no such folder")  # before hours of work, not after
    workload = workload_of(values)
    make = read_law(values.get("interarrival", "exponential"))
    rate, limit = stable_rate(workload, values, check_seed(seed), device)
    interarrival = make(1 / rate)
    options: dict[str, Any] = {"seed": seed, "level": level, "device": device, "progress": progress}
    if "threads" in values:
        options["threads"] = int(values["threads"])
    if "checkpoint" in values:
        options["checkpoint"] = values["checkpoint"]
    sampled = _method(method)(workload, interarrival, size, values, options)
    estimates = dict(sampled.estimates)
    some = next(iter(estimates.values()))
    return {"rate": _exact(rate, some), "threshold": limit, **estimates}, tuple(sampled.notes)


def _method(name: str) -> Callable[[Workload, Law, int, Values, dict[str, Any]], Any]:
    def backward(workload: Workload, interarrival: Law, size: int, values: Values, options: dict[str, Any]) -> Any:
        from asymp.sample.multiserver import backward as run

        return run(workload, interarrival, size, **options)

    def forward(workload: Workload, interarrival: Law, size: int, values: Values, options: dict[str, Any]) -> Any:
        from asymp.sample.multiserver import forward as run  # type: ignore[attr-defined]

        return run(workload, interarrival, int(values.get("jobs", FORWARD_JOBS)), size, **options)

    def perfect(workload: Workload, interarrival: Law, size: int, values: Values, options: dict[str, Any]) -> Any:
        from asymp.sample.perfect import perfect as run  # type: ignore[import-not-found]

        return run(workload, interarrival, size, **options)

    return {"backward": backward, "forward": forward, "perfect": perfect}[name]


def stable_rate(workload: Workload, values: Values, seed: int, device: str) -> tuple[float, Estimate]:
    """The arrival rate, from ``rate`` or ``load`` (the rate over the threshold), and the threshold.

    The threshold is estimated until its interval leaves the rate out.

    Raises:
        ValueError: in one line, if the rate is above the interval or cannot be told from the threshold.
    """
    from asymp.sample.stability import threshold

    if "load" in values:
        limit = threshold(workload, seed=seed, level=SURE, rel=PRECISIONS[-2], device=device)
        rate = float(values["load"]) * limit.value
        if rate >= limit.interval[0]:
            raise ValueError(
                f"load={float(values['load']):g} is too near the threshold to be told from it {_text(limit)}"
            )
        return rate, limit
    rate = float(values["rate"])
    ideal = workload.ideal_rate
    if rate >= ideal:
        raise ValueError(
            f"rate={rate:g} is unstable: {workload.servers} servers can do at most {ideal:.6g} jobs a unit of time"
        )
    for rel in PRECISIONS:
        limit = threshold(workload, seed=seed, level=SURE, rel=rel, device=device)
        low, high = limit.interval
        if rate < low:
            return rate, limit
        if rate >= high:
            raise ValueError(f"rate={rate:g} is unstable: it is at or above the threshold {_text(limit)}")
    raise ValueError(f"rate={rate:g} is too near the threshold to be told from it {_text(limit)}")


def check_seed(seed: int) -> int:
    """A seed that the counters can hold, or ValueError."""
    if not 0 <= seed < 1 << 64:
        raise ValueError(f"seed must be an integer in 0..2^64 - 1, not {seed}")
    return seed


def _text(limit: Estimate) -> str:
    low, high = limit.interval
    return f"{limit.value:.5g} (between {low:.5g} and {high:.5g}, {100 * limit.level:g}% sure)"


def _exact(value: float, like: Estimate) -> Estimate:
    """A number that is known, among estimates."""
    return Estimate(value, 0.0, (value, value), like.level, like.size, like.seed, like.backend)
