"""The models that can be sampled by name, with their parameters checked: ``asymp sample MODEL ...``."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from asymp.sample.estimate import Estimate
from asymp.sample.regenerative import Progress, sample_saturated

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

    def record(self) -> dict[str, object]:
        """The object of ``asymp sample --json``: numbers as decimal strings."""
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
        }


@dataclass(frozen=True)
class Model:
    """A system that can be sampled.

    Args:
        name: as typed.
        parameters: name -> (what it must be, test); all are required but for ``choices``.
        choices: names of which exactly one is given (the same parameter in several forms).
        run: (parameters, size, seed, device, progress, level) -> estimates by name.
        title: what it is.
        source: bibliography key and place.
    """

    name: str
    parameters: Mapping[str, Parameter]
    run: Callable[..., dict[str, Estimate]]
    choices: tuple[str, ...] = ()
    title: str = ""
    source: str = ""

    def read(self, raw: Raw) -> dict[str, Fraction]:
        """The parameters as exact numbers.

        Raises:
            ValueError: one line that names the parameter: unknown, missing, no number, out of range.
        """
        for name in raw:
            if name not in self.parameters:
                known = ", ".join(self.parameters)
                raise ValueError(f"unknown parameter {name!r}: {self.name} takes {known}")
        for name in self.parameters:
            if name not in raw and name not in self.choices:
                raise ValueError(f"missing parameter {name!r} ({self.parameters[name][0]})")
        given = [name for name in self.choices if name in raw]
        if self.choices and len(given) != 1:
            state = "missing" if not given else "too many of"
            raise ValueError(f"{state} {' | '.join(self.choices)}: give exactly one")
        values = {}
        for name, text in raw.items():
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
    size: int = 10**7,
    seed: int = 0,
    device: str = "auto",
    progress: Progress | None = None,
    level: float = 0.99,
) -> Result:
    """Sample a registered model.

    Args:
        model: a name of ``MODELS``.
        raw: parameters as typed.
        size: independent observations, 1..10^12.
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
    if isinstance(size, bool) or not isinstance(size, int) or not 1 <= size <= MOST:
        raise ValueError(f"size must be an integer in 1..10^12, not {size}")
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise ValueError(f"seed must be an integer >= 0, not {seed}")
    start = time.perf_counter()
    estimates = entry.run(values, size, seed, device, progress, level)
    seconds = time.perf_counter() - start
    name = next(iter(estimates.values())).backend
    return Result(model, dict(raw), estimates, size, seed, name, seconds)


def _run_one_and_n(
    values: Mapping[str, Fraction],
    size: int,
    seed: int,
    device: str,
    progress: Progress | None,
    level: float,
) -> dict[str, Estimate]:
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
    return sample_saturated(float(n), p, mu1, mun, size, seed=seed, device=device, progress=progress, level=level)


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

MODELS: dict[str, Model] = {"one-and-n": _ONE_AND_N, "lfms": _ONE_AND_N}
"""The models by name; ``lfms`` is the 1-and-n system of the paper of that key."""
