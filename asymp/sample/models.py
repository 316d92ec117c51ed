"""The models of this distribution, as ``asymp sample`` takes them: entry points of the group ``asymp.models`` name them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

from asymp.model import MOST, Found, Model, Parameter, Progress
from asymp.sample.balancing import run_balancing
from asymp.sample.multiserver_models import (
    default_size,
    run_multiserver,
    run_threshold,
    run_two_class,
    two_class_size,
)
from asymp.sample.one_compiles import one_compiles
from asymp.sample.parallel import run_parallel
from asymp.sample.regenerative import sample_saturated


def _run_one_and_n(
    values: Mapping[str, Fraction],
    size: int,
    seed: int,
    device: str,
    progress: Progress | None,
    level: float,
) -> Found:
    n = values["n"]
    if "p" in values:
        p, given = float(values["p"]), "p"
    elif "c" in values:
        p, given = float(values["c"] / n), "c"
    else:
        p, given = math.exp(-float(values["alpha"]) * math.log(n)), "alpha"
    if not 1e-200 <= p < 1:
        form = {"p": "p", "c": "p = c/n", "alpha": "p = n^-alpha"}[given]
        raise ValueError(
            f"{given}={float(values[given]):g} gives {form} = {p:g}: it must lie strictly "
            "between 0 and 1 (and above 1e-200)"
        )
    mu1, mun = float(values["mu1"]), float(values["mun"])
    found = sample_saturated(float(n), p, mu1, mun, size, seed=seed, device=device, progress=progress, level=level)
    return Found(found)


def _positive(x: Fraction) -> bool:
    return x > 0


def _rate(x: Fraction) -> bool:
    return Fraction(1, 10**20) <= x <= 10**20


ONE_AND_N = Model(
    name="one-and-n",
    parameters={
        "n": ("an integer in 1..10^100", lambda x: x.denominator == 1 and 1 <= x <= 10**100),
        "p": ("strictly between 0 and 1", lambda x: 0 < x < 1),
        "alpha": ("positive (p = n^-alpha)", _positive),
        "c": ("positive (p = c/n)", _positive),
        "mu1": ("positive (between 1e-20 and 1e20)", _rate),
        "mun": ("positive (between 1e-20 and 1e20)", _rate),
    },
    choices=("p", "alpha", "c"),
    run=_run_one_and_n,
    in_parts=True,
    begins=one_compiles,
    title="the saturated 1-and-n multiserver-job system under FCFS",
    source="lfms, sections 3.2 and 5",
)


def _count(x: Fraction) -> bool:
    return x.denominator == 1 and 1 <= x <= MOST


LAWS = "exponential, deterministic, erlang:K, hyperexponential:P,R, bounded-pareto:HIGH,SHAPE or two-point:LOW,HIGH"
_WORKLOAD = {
    "workload": "a name such as cell-b or table2-exponential, or a CSV file",
    "law": f"of the service times, their means kept: {LAWS}",
}
_THREADS: Parameter = ("an integer in 1..1024", lambda x: x.denominator == 1 and 1 <= x <= 1024)
_SERVERS: Parameter = ("an integer in 1..10^9", lambda x: x.denominator == 1 and 1 <= x <= 10**9)

MULTISERVER = Model(
    name="mjsre",
    parameters={
        "servers": _SERVERS,
        "rate": ("between 1e-20 and 1e20 (arrivals a unit of time)", _rate),
        "load": ("strictly between 0 and 1 (the rate over the stability threshold)", lambda x: 0 < x < 1),
        "jobs": ("an integer >= 1 (of each run, for method=forward)", _count),
        "warmup": (
            "an integer >= 0 (jobs that each run leaves out, for method=forward)",
            lambda x: x.denominator == 1 and 0 <= x <= MOST,
        ),
        "threads": _THREADS,
    },
    texts={
        **_WORKLOAD,
        "interarrival": "a law as for law=: exponential (Poisson arrivals) unless given",
        "method": "backward (Algorithm 1), forward (runs of jobs= jobs from empty) or perfect (certified coupling)",
        "checkpoint": "a file that keeps the run, to go on from after an interruption (backward, forward)",
        "detail": "brief (a row for each class) or full (all that is estimated of each class)",
    },
    optional=("servers", "law", "interarrival", "method", "checkpoint", "detail", "jobs", "warmup", "threads"),
    choices=("rate", "load"),
    run=run_multiserver,
    in_parts=True,
    begins=one_compiles,
    title="the stationary multiserver-job queue under FCFS",
    source="mjsre, sections 4 to 7",
    size=default_size,
)

_PRECISION: Parameter = ("between 1e-5 and 0.1 (relative half-width of the interval)", lambda x: 10**-5 <= x <= 0.1)
THRESHOLD = Model(
    name="mjsre-threshold",
    parameters={
        "servers": _SERVERS,
        "precision": _PRECISION,
        "threads": _THREADS,
    },
    texts=_WORKLOAD,
    optional=("servers", "law", "precision", "threads"),
    run=run_threshold,
    in_parts=True,
    begins=one_compiles,
    title="the arrival rate below which the multiserver-job queue under FCFS is stable",
    source="mjsre, section 5 and Algorithm 2",
    size=10**9,  # jobs, at most
)

TWO_CLASS = Model(
    name="two-class",
    parameters={
        "n1": _SERVERS,
        "n2": _SERVERS,
        "n": _SERVERS,
        "p1": ("strictly between 0 and 1 (the probability of class 1)", lambda x: 0 < x < 1),
        "mu1": ("positive (between 1e-20 and 1e20)", _rate),
        "mu2": ("positive (between 1e-20 and 1e20)", _rate),
        "lam": ("between 1e-20 and 1e20 (arrivals a unit of time; without it the system is saturated)", _rate),
        "load": ("strictly between 0 and 1 (lam over the throughput in saturation)", lambda x: 0 < x < 1),
        "precision": _PRECISION,
        "threads": _THREADS,
    },
    optional=("lam", "load", "precision", "threads"),
    run=run_two_class,
    in_parts=True,
    begins=one_compiles,
    title="the multiserver-job system of two classes under FCFS, saturated or with Poisson arrivals",
    source="twoclass, sections 3 and 4",
    size=two_class_size,
)

BALANCING = Model(
    name="load-balancing",
    parameters={
        "n": _SERVERS,
        "theta": ("an integer in 1..10^6 (places at each server)", lambda x: x.denominator == 1 and 1 <= x <= 10**6),
        "rho": ("between 1e-6 and 1e6 (arrivals a server and unit of time; sizes have mean 1)", lambda x: 10**-6 <= x <= 10**6),
        "threads": _THREADS,
    },
    texts={
        "policy": "insensitive (unless given), jsq, jiq, jsq:D or random",
        "law": f"of the sizes, of mean 1: {LAWS}",
    },
    optional=("policy", "law", "threads"),
    run=run_balancing,
    in_parts=True,
    begins=one_compiles,
    title="load balancing among processor-sharing servers with finite buffers",
    source="ilb, sections 2, 3 and 5.4",
)

PARALLEL = Model(
    name="parallel-sharing",
    parameters={
        "n": ("an integer in 1..10^7", lambda x: x.denominator == 1 and 1 <= x <= 10**7),
        "d": ("an integer in 1..n (servers of a job)", lambda x: x.denominator == 1 and 1 <= x <= 10**7),
        "lam": ("at least 1e-6 and below 1 (arrivals a server and unit of time; sizes have mean 1)", lambda x: 10**-6 <= x < 1),
        "warmup": ("between 0 and 1e9 (the time that each run leaves out)", lambda x: 0 <= x <= 10**9),
        "runs": ("an integer in 1..1024", lambda x: x.denominator == 1 and 1 <= x <= 1024),
        "threads": _THREADS,
    },
    texts={"law": f"of the sizes, of mean 1: {LAWS}"},
    optional=("law", "warmup", "runs", "threads"),
    run=run_parallel,
    in_parts=True,
    begins=one_compiles,
    title="parallel processor sharing: each job at d of n servers at once",
    source="parallelps, sections 2 and 4",
)
