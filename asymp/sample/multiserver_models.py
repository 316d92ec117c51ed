"""The multiserver-job queue as ``asymp sample mjsre`` takes it: words and numbers in, estimates and notes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from asymp.messages import unknown
from asymp.queues.law_text import read_law
from asymp.queues.laws import Law
from asymp.queues.workload import SHIPPED, Workload, named, read_workload
from asymp.sample.estimate import Estimate

Values = Mapping[str, Any]
Progress = Callable[[float, float], None]
Found = tuple[dict[str, Estimate], tuple[str, ...]]
"""Estimates by name, and notes of a line each."""

SIZES = {"backward": 10**4, "forward": 32, "perfect": 10**3}
"""The methods, and how many samples (runs, for ``forward``) each makes where none are asked for."""
FORWARD_JOBS = 10**6
MOST_CLASSES = 1000
"""Each class keeps a histogram of its waiting times, about a MiB."""
SURE = 0.999999
"""Level at which a load is taken to be stable."""
LOAD_PRECISION = (0.001, 0.02)
"""Relative half-width of the threshold that a ``load`` is a part of: (1 - load)/25, within these."""
PRECISION = 0.001


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
    found = threshold(
        workload,
        seed=check_seed(seed),
        level=level,
        rel=float(values.get("precision", PRECISION)),
        device=device,
        progress=progress,
        most=size,
        threads=int(values.get("threads", 1)),
    )
    note = f"{found.jobs} jobs in {found.size} piles, each after a burn-in of {found.burn_in} jobs"
    return {"threshold": found, "threshold-without-blocking": _exact(workload.ideal_rate, found)}, (note,)


def run_multiserver(
    values: Values, size: int, seed: int, device: str, progress: Progress | None, level: float
) -> Found:  # fmt: skip
    """Waiting times, system times, wasted servers of the stationary queue.

    Raises:
        ValueError: in one line, for bad parameters and for a load that is not clearly below the threshold.
    """
    method = values.get("method", "backward")
    if method not in SIZES:
        raise ValueError(unknown("method", method, SIZES))
    if method == "perfect" and device == "gpu":
        raise ValueError("method=perfect runs on a CPU: --device gpu is for method=backward")
    for name, wanted in (("jobs", ("forward",)), ("warmup", ("forward",)), ("checkpoint", ("backward", "forward"))):
        if name in values and method not in wanted:
            raise ValueError(f"{name}= goes with method={' or '.join(wanted)}, not with {method}")
    if "checkpoint" in values and not Path(values["checkpoint"]).absolute().parent.is_dir():
        raise ValueError(f"checkpoint={values['checkpoint']}: no such folder")  # before hours of work, not after
    workload = workload_of(values)
    if len(workload.classes) > MOST_CLASSES:
        raise ValueError(f"workload={values['workload']} has {len(workload.classes)} classes: at most {MOST_CLASSES}")
    make = read_law(values.get("interarrival", "exponential"))
    rate, known = stable_rate(workload, values, check_seed(seed), progress)
    interarrival = make(1 / rate)
    options: dict[str, Any] = {"seed": seed, "level": level, "progress": progress}
    for name, read in (("threads", int), ("checkpoint", str)):
        if name in values:
            options[name] = read(values[name])
    estimates, notes = _METHODS[method](workload, interarrival, size, values, device, options)
    some = next(iter(estimates.values()))
    return {"rate": _exact(rate, some), **known, **estimates}, notes


def default_size(values: Values) -> int:
    """How many samples the method makes where none are asked for."""
    return SIZES.get(values.get("method", "backward"), SIZES["backward"])


def _backward(
    workload: Workload, interarrival: Law, size: int, values: Values, device: str, options: dict[str, Any]
) -> Found:
    from asymp.sample.multiserver import backward

    found = backward(workload, interarrival, size, device=device, **options)
    return found.estimates, found.notes


def _forward(
    workload: Workload, interarrival: Law, size: int, values: Values, device: str, options: dict[str, Any]
) -> Found:
    from asymp.sample.forward import forward

    jobs = int(values.get("jobs", FORWARD_JOBS))
    warmup = int(values.get("warmup", jobs // 10))
    found = forward(workload, interarrival, jobs, size, warmup=warmup, device=device, **options)
    note = f"{size} runs of {jobs} jobs from an empty system, the first {warmup} left out: whether that is enough is not tested"
    return found.estimates, (note,)


def _perfect(
    workload: Workload, interarrival: Law, size: int, values: Values, device: str, options: dict[str, Any]
) -> Found:
    from asymp.sample.perfect import perfect

    found = perfect(workload, interarrival, size, **options)
    return found.estimates, (found.certificate, *found.notes)


_METHODS: dict[str, Callable[..., Found]] = {"backward": _backward, "forward": _forward, "perfect": _perfect}


def stable_rate(
    workload: Workload, values: Values, seed: int, progress: Progress | None = None
) -> tuple[float, dict[str, Estimate]]:
    """The arrival rate, from ``rate`` or ``load`` (the rate over the threshold), with the estimates that it rests on.

    Raises:
        ValueError: in one line, if the rate is above the threshold or cannot be told from it.
    """
    from asymp.sample.stability import is_stable, threshold

    threads = int(values.get("threads", 1))
    if "rate" in values:
        rate = float(values["rate"])
        found = is_stable(workload, rate, seed % (1 << 63), error=1 - SURE, threads=threads, progress=progress)
        if not found.stable:
            state = "unstable" if found.stable is False else "not known to be stable"
            raise ValueError(f"rate={rate:g} is {state}: {found.why}")
        limit: Estimate | None = found.threshold
    else:
        load = float(values["load"])
        # Waiting times go as 1/(1 - load): they need the load to a part of 1 - load.
        rel = min(max((1 - load) / 25, LOAD_PRECISION[0]), LOAD_PRECISION[1])
        limit = threshold(workload, seed, SURE, rel, progress=progress, threads=threads)
        rate = load * limit.value
        if rate >= limit.interval[0]:
            low, high = limit.interval
            raise ValueError(
                f"load={load:g} is too near to the threshold {limit.value:.5g}, known to lie in {low:.5g} .. {high:.5g}"
            )
    if limit is None:
        return rate, {}
    low, high = (rate / x for x in reversed(limit.interval))
    load_found = replace(
        _exact(rate / limit.value, limit), stderr=rate * limit.stderr / limit.value**2, interval=(low, high)
    )
    return rate, {"threshold": limit, "load": load_found}


def check_seed(seed: int) -> int:
    """A seed that the counters can hold, or ValueError."""
    if not 0 <= seed < 1 << 64:
        raise ValueError(f"seed must be an integer in 0..2^64 - 1, not {seed}")
    return seed


def _exact(value: float, like: Estimate) -> Estimate:
    """A number that is known, among estimates."""
    return Estimate(value, 0.0, (value, value), like.level, like.size, like.seed, like.backend)
