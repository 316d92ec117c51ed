"""Models that can be sampled by name, with their parameters checked: ``asymp sample MODEL ...``.

A model is a record that an entry point of the group ``asymp.models`` names, of this distribution or of another.

>>> "lfms" in names(), named("lfms").title
(True, 'the saturated 1-and-n multiserver-job system under FCFS')
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any, NamedTuple

from asymp.messages import unknown
from asymp.outside import Unusable, entries
from asymp.stopwatch import Stopwatch

Values = Mapping[str, Any]
Progress = Callable[[float, float], None]
Raw = Mapping[str, str]
"""Parameters as typed: name -> text."""
Parameter = tuple[str, Callable[[Fraction], bool]]
"""What a parameter must be, in words, and the test of it."""

MOST = 10**12


@dataclass(frozen=True)
class Estimate:
    """A sampled number.

    Args:
        value: the estimate.
        stderr: its estimated standard error.
        interval: a confidence interval of the given level.
        level: confidence level.
        size: independent observations it rests on.
        seed: the seed that repeats it.
        backend: what computed it.
    """

    value: float
    stderr: float
    interval: tuple[float, float]
    level: float
    size: int
    seed: int
    backend: str

    def agrees(self, exact: float, stderrs: float = 5.0) -> bool:
        """Whether ``exact`` lies within so many standard errors (and the rounding of the value).

        Five standard errors give a false alarm with probability below 6e-7 once the size is large.
        """
        return abs(self.value - exact) <= stderrs * self.stderr + rounding(self.value)

    def __str__(self) -> str:
        return f"{self.value:.6g} +- {self.stderr:.2g}"


def rounding(value: float) -> float:
    """An allowance for the float64 rounding of a value that a dozen operations made."""
    return 16 * math.ulp(abs(value)) if math.isfinite(value) else 0.0


class Found(NamedTuple):
    """What a model's run found.

    Args:
        estimates: by name.
        notes: what the reader should know of them, a line each.
        about: the run in words and numbers: ``method``, ``first`` (length), ...
        classes: of each class of jobs its ``label`` (the ``256`` of ``waiting-mean[256]``) and what it is.
        exact: names of numbers that are known, not estimated.
    """

    estimates: dict[str, Estimate]
    notes: tuple[str, ...] = ()
    about: Mapping[str, Any] = {}
    classes: tuple[Mapping[str, Any], ...] = ()
    exact: tuple[str, ...] = ()


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
        in_parts: whether it draws in blocks that mind :data:`PARTS`, so that a run can be drawn in parts.
        begins: of what is asked (``model``, ``device``, ``parameters`` as typed) for a part of a run: a context in which it is
            drawn, which gives what is to be called once blocks are drawn.
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
    in_parts: bool = False
    begins: Callable[[Mapping[str, Any]], AbstractContextManager[Callable[[], None]]] = lambda _: nullcontext(lambda: None)

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


# --- a run in parts --------------------------------------------------------------------------


class Drawn(Exception):
    """The blocks of a part are drawn: nothing is estimated from them alone."""


@dataclass
class Parts:
    """A run whose blocks are drawn in parts: one part, which draws its own, or the whole run, which is given all.

    Args:
        index, of: draw the ``index``-th of ``of`` parts of the blocks; 0 where all blocks are given.
        blocks: what was drawn, by the first replication of each block.
        run: what the drawing of a block rests on besides the question: numbers of a pilot, the length of a block.
    """

    index: int
    of: int
    blocks: dict[int, Sequence[Any]] = field(default_factory=dict)
    run: str = ""
    taken: bool = False

    def mine(self, count: int) -> slice:
        """Which of so many blocks are drawn here: some that follow each other, as many in each part but for one.

        >>> [Parts(k, 3).mine(7) for k in (1, 2, 3)]
        [slice(0, 2, None), slice(2, 4, None), slice(4, 7, None)]
        """
        return slice((self.index - 1) * count // self.of, self.index * count // self.of)


def is_gpu(device: str) -> bool:
    """Whether it is ``gpu``, or ``gpu:K``: the K-th, from 0.

    >>> [is_gpu(one) for one in ("gpu", "gpu:1", "cpu", "gpu:", "gpu:-1")]
    [True, True, False, False, False]
    """
    return re.fullmatch(r"gpu(:[0-9]{1,4})?", device) is not None


PARTS: ContextVar[Parts | None] = ContextVar("parts", default=None)
"""How the samples are drawn that are asked for now: all of them, unless it is set."""


def names() -> list[str]:
    """What can be sampled."""
    return [entry.name for entry in entries("models")]


def named(name: str) -> Model:
    """The model of a name.

    Raises:
        ValueError: there is none, or its package cannot be used.
    """
    entry = next((entry for entry in entries("models") if entry.name == name), None)
    if entry is None:
        raise ValueError(unknown("model", name, names()))
    found = entry.load()
    if not isinstance(found, Model):
        raise Unusable(entry.because("it is no model"))
    return found


def sample(
    model: str,
    raw: Raw,
    size: int | None = None,
    seed: int = 0,
    device: str = "auto",
    progress: Progress | None = None,
    level: float = 0.99,
    parts: Parts | None = None,
) -> Result:
    """Sample a registered model.

    Args:
        model: a name that an entry point of the group ``asymp.models`` gives.
        raw: parameters as typed.
        size: independent observations, 1..10^12; the model's own number (10^7 for ``lfms``) where none is given.
        seed: a nonnegative integer.
        device: ``auto``, ``cpu``, ``gpu`` or ``gpu:K``.
        progress: called with (done, size).
        level: confidence level.
        parts: of a run in parts, which part is to be drawn, or all that was drawn.

    Raises:
        Drawn: the part's blocks are drawn.
        ValueError: one line that names what is wrong.
        DeviceError: if the device is not there.

    >>> result = sample("lfms", {"n": "1e8", "alpha": "2", "mu1": "1", "mun": "1"}, size=10000, device="cpu")
    >>> list(result.estimates)[:3]
    ['throughput', 'throughput-loss', 'mean-relative-completions']
    """
    entry = named(model)
    values = entry.read(raw)
    if size is None:
        size = entry.size(values) if callable(entry.size) else entry.size
    if isinstance(size, bool) or not isinstance(size, int) or not 1 <= size <= MOST:
        raise ValueError(f"size must be an integer in 1..10^12, not {size}")
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise ValueError(f"seed must be an integer >= 0, not {seed}")
    if parts is not None and not entry.in_parts:
        raise ValueError(f"{model} is not sampled in parts")
    watch = Stopwatch()
    token = PARTS.set(parts)
    try:
        found = entry.run(values, size, seed, device, progress, level)
    finally:
        PARTS.reset(token)
    seconds = watch.seconds()
    name = next(iter(found.estimates.values())).backend
    return Result(model, dict(raw), found.estimates, size, seed, name, seconds, *found[1:])
