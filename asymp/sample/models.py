"""The models that can be sampled by name, with their parameters checked: ``asymp sample MODEL ...``."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

from asymp.sample.balancing import run_balancing
from asymp.sample.estimate import Estimate
from asymp.sample.multiserver_models import (
    Found,
    default_size,
    run_multiserver,
    run_threshold,
    run_two_class,
    two_class_size,
)
from asymp.sample.parallel import run_parallel
from asymp.sample.regenerative import sample_saturated
from asymp.sample.replicate import Progress

Raw = Mapping[str, str]
"""Parameters as typed: name -> text."""
Parameter = tuple[str, Callable[[Fraction], bool]]
"""What a parameter must be, in words, and the test of it."""

MOST = 10**12


@dataclass(frozen=True)
class Result:
    """What a sampling run found, and all that repeats it."""

    model: str
    parameters: Mapping[str, str]
    estimates: Mapping[str, Estimate]
    size: int
    seed: int
    backend: str
    seconds: float
    notes: tuple[str, ...] = ()
    about: Mapping[str, Any] = field(default_factory=dict)
    classes: tuple[Mapping[str, Any], ...] = ()
    exact: tuple[str, ...] = ()

    def record(self) -> dict[str, object]:
        """The object of ``asymp sample --json``: numbers as decimal strings.

        ``notes``, ``about`` (the method and its lengths) and ``classes`` (what the labels in brackets are) stand where
        there are any.
        """
        return {
            "estimates": {
                name: {
                    "value": repr(e.value),
                    "stderr": repr(e.stderr),
                    "interval": [repr(e.interval[0]), repr(e.interval[1])],
                }
                for name, e in self.estimates.items()
            },
            "size": self.size,
            "seed": self.seed,
            "backend": self.backend,
            "seconds": round(self.seconds, 6),
            **({"notes": list(self.notes)} if self.notes else {}),
            **({"about": dict(self.about)} if self.about else {}),
            **({"classes": [dict(one) for one in self.classes]} if self.classes else {}),
        }


@dataclass(frozen=True)
class Model:
    """A system that can be sampled.

    Args:
        name: as typed.
        parameters: of numbers: name -> (what it must be, test).
        choices: names of which exactly one is given (the same parameter in several forms).
        run: (parameters, size, seed, device, progress, level) -> what was found.
        title: what it is.
        source: bibliography key and place.
        texts: parameters that are words or files: name -> what it must be; ``run`` reads them.
        optional: names that may be left out; the others are required but for ``choices``.
        size: observations where none are asked for: a number, or what makes it from the parameters.
    """

    name: str
    parameters: Mapping[str, Parameter]
    run: Callable[..., Found]
    choices: tuple[str, ...] = ()
    title: str = ""
    source: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)
    optional: tuple[str, ...] = ()
    size: int | Callable[[Mapping[str, Any]], int] = 10**7

    def read(self, raw: Raw) -> dict[str, Any]:
        """The parameters: exact numbers (``Fraction``), and texts as they are.

        Raises:
            ValueError: one line that names the parameter: unknown, missing, no number, out of range.
        """
        known = {**self.texts, **{name: words for name, (words, _) in self.parameters.items()}}
        for name in raw:
            if name not in known:
                raise ValueError(f"unknown parameter {name!r}: {self.name} takes {', '.join(known)}")
        for name, words in known.items():
            if name not in raw and name not in self.choices and name not in self.optional:
                raise ValueError(f"missing parameter {name!r} ({words})")
        given = [name for name in self.choices if name in raw]
        if self.choices and len(given) != 1:
            state = "missing" if not given else "too many of"
            raise ValueError(f"{state} {' | '.join(self.choices)}: give exactly one")
        values: dict[str, Any] = {}
        for name, text in raw.items():
            if name in self.texts:
                if not text.strip():
                    raise ValueError(f"{name}= is blank: it must be {self.texts[name]}")
                values[name] = text.strip()
                continue
            values[name] = parse_number(name, text)
            words, test = self.parameters[name]
            if not test(values[name]):
                raise ValueError(f"{name}={text} is out of range: it must be {words}")
        return values


def parse_number(name: str, text: str) -> Fraction:
    """An exact number from a decimal (``1e8``, ``0.25``) or a quotient (``1/3``).

    Raises:
        ValueError: naming the parameter, for anything else (NaN and infinities too).

    >>> parse_number("p", "1e-3"), parse_number("p", "1/3")
    (Fraction(1, 1000), Fraction(1, 3))
    """
    parts = str(text).strip().split("/")
    try:
        numbers = [Decimal(part.strip()) for part in parts]
    except InvalidOperation:
        raise ValueError(f"{name}={text} is not a number") from None
    if len(numbers) > 2 or not all(number.is_finite() for number in numbers):
        raise ValueError(f"{name}={text} is not a finite number")
    # An exponent is a few characters and its Fraction may be gigabytes: refuse before making it.
    if any(number and abs(number.adjusted()) > 400 for number in numbers):
        raise ValueError(f"{name}={text} is beyond what float64 samples can hold")
    if len(numbers) == 2:
        if not numbers[1]:
            raise ValueError(f"{name}={text} divides by zero")
        return Fraction(numbers[0]) / Fraction(numbers[1])
    return Fraction(numbers[0])


def sample(
    model: str,
    raw: Raw,
    size: int | None = None,
    seed: int = 0,
    device: str = "auto",
    progress: Progress | None = None,
    level: float = 0.99,
) -> Result:
    """Sample a registered model.

    Args:
        model: a name of ``MODELS``.
        raw: parameters as typed.
        size: independent observations, 1..10^12; the model's own number (10^7 for ``lfms``) where none is given.
        seed: a nonnegative integer.
        device: ``auto``, ``cpu`` or ``gpu``.
        progress: called with (done, size).
        level: confidence level.

    Raises:
        ValueError: one line that names what is wrong.
        DeviceError: if the device is not there.

    >>> result = sample("lfms", {"n": "1e8", "alpha": "2", "mu1": "1", "mun": "1"}, size=10000, device="cpu")
    >>> list(result.estimates)[:3]
    ['throughput', 'throughput-loss', 'mean-relative-completions']
    """
    if model not in MODELS:
        raise ValueError(f"unknown model {model!r}: there are {', '.join(MODELS)}")
    entry = MODELS[model]
    values = entry.read(raw)
    if size is None:
        size = entry.size(values) if callable(entry.size) else entry.size
    if isinstance(size, bool) or not isinstance(size, int) or not 1 <= size <= MOST:
        raise ValueError(f"size must be an integer in 1..10^12, not {size}")
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise ValueError(f"seed must be an integer >= 0, not {seed}")
    start = time.perf_counter()
    found = entry.run(values, size, seed, device, progress, level)
    seconds = time.perf_counter() - start
    name = next(iter(found.estimates.values())).backend
    return Result(model, dict(raw), found.estimates, size, seed, name, seconds, *found[1:])


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


_ONE_AND_N = Model(
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

_MULTISERVER = Model(
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
    title="the stationary multiserver-job queue under FCFS",
    source="mjsre, sections 4 to 7",
    size=default_size,
)

_PRECISION: Parameter = ("between 1e-5 and 0.1 (relative half-width of the interval)", lambda x: 10**-5 <= x <= 0.1)
_THRESHOLD = Model(
    name="mjsre-threshold",
    parameters={
        "servers": _SERVERS,
        "precision": _PRECISION,
        "threads": _THREADS,
    },
    texts=_WORKLOAD,
    optional=("servers", "law", "precision", "threads"),
    run=run_threshold,
    title="the arrival rate below which the multiserver-job queue under FCFS is stable",
    source="mjsre, section 5 and Algorithm 2",
    size=10**9,  # jobs, at most
)

_TWO_CLASS = Model(
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
    title="the multiserver-job system of two classes under FCFS, saturated or with Poisson arrivals",
    source="twoclass, sections 3 and 4",
    size=two_class_size,
)

_BALANCING = Model(
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
    title="load balancing among processor-sharing servers with finite buffers",
    source="ilb, sections 2, 3 and 5.4",
)

_PARALLEL = Model(
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
    title="parallel processor sharing: each job at d of n servers at once",
    source="parallelps, sections 2 and 4",
)

MODELS: dict[str, Model] = {
    "one-and-n": _ONE_AND_N,
    "lfms": _ONE_AND_N,
    "mjsre": _MULTISERVER,
    "mjsre-threshold": _THRESHOLD,
    "load-balancing": _BALANCING,
    "ilb": _BALANCING,
    "parallel-sharing": _PARALLEL,
    "parallelps": _PARALLEL,
    "two-class": _TWO_CLASS,
    "twoclass": _TWO_CLASS,
}
"""The models by name; ``lfms``, ``ilb``, ``parallelps`` and ``twoclass`` are those of the papers of these keys."""
