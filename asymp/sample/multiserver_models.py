"""The multiserver-job queue as ``asymp sample mjsre`` takes it: words and numbers in, estimates and notes out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from asymp.messages import unknown
from asymp.model import Found, Progress, Values
from asymp.queues.law_text import read_law
from asymp.queues.laws import Exponential, Law
from asymp.queues.workload import SHIPPED, ServerNeed, Workload, named, read_workload
from asymp.sample.estimate import Estimate
from asymp.sample.replicate import beforehand

SIZES = {"backward": 10**4, "forward": 32, "perfect": 10**3}
"""The methods, and how many samples (runs, for ``forward``) each makes where none are asked for."""
FORWARD_JOBS = 10**6
FEWEST_JOBS = 10**5
DETAILS = ("brief", "full")
"""What is printed of each class: a row, or everything."""
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
    if isinstance(word, Workload):
        return word
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
    if size < FEWEST_JOBS:
        raise ValueError(f"the size is the most jobs to sample: at least 10^5, not {size}")
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
    note = f"{found.jobs} jobs in {found.size} windows of {found.piles} piles, each after a burn-in of {found.burn_in} jobs"
    if found.beside:
        note += f"; beside {found.beside} jobs of the rarest and largest classes alone"
    ideal = "threshold-without-blocking"
    estimates = {"threshold": found, ideal: _exact(workload.ideal_rate, found)}
    return Found(estimates, (note,), {"workload": workload.name}, describe(workload), (ideal,))


def run_two_class(
    values: Values, size: int, seed: int, device: str, progress: Progress | None, level: float
) -> Found:  # fmt: skip
    """The two-class system: in saturation its throughput and idle servers, or the queue with ``lam`` or ``load`` given."""
    n1, n2, n = (int(values[name]) for name in ("n1", "n2", "n"))
    if not n1 < n2 <= n:
        raise ValueError(f"n1={n1}, n2={n2}, n={n}: want n1 < n2 <= n")
    p1 = values["p1"]
    classes = (
        ServerNeed(n1, float(p1), Exponential(float(1 / values["mu1"]))),
        ServerNeed(n2, float(1 - p1), Exponential(float(1 / values["mu2"]))),
    )
    workload = Workload(n, classes, f"{n1}-{n2}-{n}")
    rest = {"rate" if name == "lam" else name: x for name, x in values.items() if name in ("lam", "load", "threads", "precision")}
    if "rate" in rest or "load" in rest:
        if "rate" in rest and "load" in rest:
            raise ValueError("too many of lam | load: give at most one")
        found = run_multiserver({**rest, "workload": workload}, size, seed, device, progress, level)
        renamed = {{"system-mean": "response-time"}.get(name, name): one for name, one in found.estimates.items()}
        return found._replace(estimates=renamed)
    found = run_threshold({**rest, "workload": workload}, size, seed, device, progress, level)
    throughput = found.estimates["threshold"]
    demand = workload.mean_demand
    low, high = (n - x * demand for x in reversed(throughput.interval))
    value = n - throughput.value * demand
    wastage = replace(throughput, value=value, stderr=throughput.stderr * demand, interval=(low, high))
    ideal = "throughput-without-blocking"
    return found._replace(
        estimates={"throughput": throughput, "wastage": wastage, ideal: found.estimates["threshold-without-blocking"]},
        exact=(ideal,),
    )


def two_class_size(values: Values) -> int:
    """Samples of the queue; in saturation jobs, at most."""
    return SIZES["backward"] if "lam" in values or "load" in values else 10**9


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
    if values.get("detail", "brief") not in DETAILS:
        raise ValueError(unknown("detail", values["detail"], DETAILS))
    if method == "perfect" and device.startswith("gpu"):
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
    _stage(progress, "stability")
    with beforehand():
        rate, known = stable_rate(workload, values, check_seed(seed), progress)
    interarrival = make(1 / rate)
    options: dict[str, Any] = {"seed": seed, "level": level, "threads": int(values.get("threads", 1))}
    kept = values.get("checkpoint")
    resumed = kept is not None and Path(kept).exists()
    if kept is not None:
        options["checkpoint"] = kept
    done: list[float] = []

    def count(some: float, total: float) -> None:
        if not done:
            _stage(progress, "samples")
        done.append(some)
        del done[1:-1]
        if progress is not None:
            progress(some, total)

    _stage(progress, "pilot runs")
    try:
        found = _METHODS[method](workload, interarrival, size, values, device, {**options, "progress": count})
    except KeyboardInterrupt:
        if kept is not None and done:
            raise KeyboardInterrupt(f"interrupted: {done[-1]} of {size} samples are kept in {kept}") from None
        raise
    notes = (f"went on from {kept}, which held {done[0]} of {size} samples", *found.notes) if resumed else found.notes
    classes = describe(workload)
    some = next(iter(found.estimates.values()))
    estimates = {"rate": _exact(rate, some), **known, **relabelled(found.estimates, classes)}
    return Found(
        estimates,
        notes,
        {"workload": workload.name, "servers": workload.servers, "method": method, **found.about},
        classes,
        ("rate", "wasted-total"),
    )


def describe(workload: Workload) -> tuple[Mapping[str, Any], ...]:
    """The classes in words: the label is the servers needed, and ``#1``, ``#2``, ... where several need as many.

    >>> [one["label"] for one in describe(named("one-and-256"))]
    ['1', '256']
    """
    often = Counter(workload.needs)
    seen: Counter[int] = Counter()
    out = []
    for one in workload.classes:
        seen[one.servers] += 1
        label = f"{one.servers}#{seen[one.servers]}" if often[one.servers] > 1 else str(one.servers)
        law = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", type(one.service).__name__).lower()
        out.append(
            {
                "label": label,
                "servers": one.servers,
                "probability": repr(one.probability),
                "law": law,
                "mean-service": repr(one.service.mean),
            }
        )
    return tuple(out)


def relabelled(
    estimates: Mapping[str, Estimate], classes: tuple[Mapping[str, Any], ...]
) -> dict[str, Estimate]:  # fmt: skip
    """Estimates by the labels of the classes instead of their places: ``waiting-mean[0]`` is ``waiting-mean[1]``."""

    def label(match: re.Match[str]) -> str:
        return f"[{classes[int(match[1])]['label']}]"

    return {re.sub(r"\[([0-9]+)\]$", label, name): estimate for name, estimate in estimates.items()}


def _stage(progress: Progress | None, words: str) -> None:
    """Tells a progress that has stages which one begins."""
    stage = getattr(progress, "stage", None)
    if stage is not None:
        stage(words)


def default_size(values: Values) -> int:
    """How many samples the method makes where none are asked for."""
    return SIZES.get(values.get("method", "backward"), SIZES["backward"])


def _backward(
    workload: Workload, interarrival: Law, size: int, values: Values, device: str, options: dict[str, Any]
) -> Found:
    from asymp.sample.multiserver import backward

    found = backward(workload, interarrival, size, device=device, **options)
    longest = max(abs(length) for length in found.totals.lengths)
    about = {"first": found.first, "longest": longest, "mean-length": round(found.jobs / found.totals.size)}
    return Found(found.estimates, found.notes, about)


def _forward(
    workload: Workload, interarrival: Law, size: int, values: Values, device: str, options: dict[str, Any]
) -> Found:
    from asymp.sample.forward import forward

    jobs = int(values.get("jobs", FORWARD_JOBS))
    warmup = int(values.get("warmup", jobs // 10))
    found = forward(workload, interarrival, jobs, size, warmup=warmup, device=device, **options)
    note = f"the first {warmup} of the {jobs} jobs of each run are left out: whether that is enough is not tested"
    return Found(found.estimates, (note,), {"jobs": jobs, "warmup": warmup})


def _perfect(
    workload: Workload, interarrival: Law, size: int, values: Values, device: str, options: dict[str, Any]
) -> Found:
    from asymp.sample.perfect import perfect

    found = perfect(workload, interarrival, size, **options)
    longest = found.start << (len(found.met) - 1)
    return Found(found.estimates, (found.certificate, *found.notes), {"first": found.start, "longest": longest})


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
