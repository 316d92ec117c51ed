"""What a law of service or interarrival times is, and what its parameters must be."""

from __future__ import annotations

import math
import numbers
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any, ClassVar, Self, cast

import numpy as np
from scipy.special import gammainc

Array = np.ndarray[Any, Any]

TOLERANCE = 1e-6
"""Probabilities that were rounded in print may miss 1 by this much: they are then divided by their sum."""


class Kind(IntEnum):
    """Elementary laws that kernels draw; what each takes as parameters."""

    EXPONENTIAL = 0  # (mean,)
    ERLANG = 1  # (mean of one phase, phases)
    BOUNDED_PARETO = 2  # (low, 1 - (low/high)^shape, 1/shape)
    DETERMINISTIC = 3  # (value,)


@dataclass(frozen=True)
class Part:
    """A component of a mixture: its probability, its elementary law and that law's parameters."""

    probability: float
    kind: Kind
    parameters: tuple[float, ...]

    @property
    def gamma(self) -> tuple[float, float]:
        """(scale, shape) of an exponential or Erlang law."""
        return self.parameters[0], self.parameters[1] if self.kind == Kind.ERLANG else 1.0

    def moment(self, k: int) -> float:
        """E[X^k]; not of the bounded Pareto law, whose upper end its parameters do not have to all digits."""
        if self.kind == Kind.DETERMINISTIC:
            return self.parameters[0] ** k
        scale, shape = self.gamma
        return math.prod(scale * (shape + i) for i in range(k))

    @property
    def variance(self) -> float:
        """Var[X]."""
        if self.kind == Kind.DETERMINISTIC:
            return 0.0
        scale, shape = self.gamma
        return scale * scale * shape

    def cdf(self, x: Array) -> Array:
        """P(X <= x) for an array of x."""
        y = np.maximum(x, 0.0)
        if self.kind == Kind.EXPONENTIAL:
            below = -np.expm1(-y / self.parameters[0])
        elif self.kind == Kind.ERLANG:
            below = gammainc(self.parameters[1], y / self.parameters[0])
        elif self.kind == Kind.DETERMINISTIC:
            below = (x >= self.parameters[0]).astype(float)
        else:  # bounded Pareto: P(X > x) = ((low/x)^a - (low/high)^a)/c
            low, share, inverse = self.parameters
            below = np.where(y > low, -np.expm1(np.log(low / np.maximum(y, low)) / inverse) / share, 0.0)
        return np.minimum(below, 1.0)


class Law(ABC):
    """A law on [0, oo): a mixture of elementary laws, from which its moments and distribution function follow."""

    scales: ClassVar[tuple[str, ...]]
    """Fields that are multiplied where X is."""
    mean: float
    """E[X]."""

    @abstractmethod
    def parts(self) -> tuple[Part, ...]:
        """The mixture of elementary laws that this law is."""

    @abstractmethod
    def quantile(self, u: float) -> float:
        """The smallest x of the support with P(X <= x) >= u, for 0 <= u < 1."""

    @property
    def variance(self) -> float:
        """Var[X], a sum of squares."""
        parts = self.parts()
        return math.fsum(part.probability * (part.variance + (part.moment(1) - self.mean) ** 2) for part in parts)

    @property
    def cv(self) -> float:
        """The coefficient of variation: standard deviation over mean."""
        return math.sqrt(max(self.variance, 0.0)) / self.mean

    def moment(self, k: int) -> float:
        """E[X^k], k >= 0."""
        whole("k", k, 0, 1 << 30)
        return math.fsum(part.probability * part.moment(k) for part in self.parts())

    def cdf(self, x: Any) -> Any:
        """P(X <= x), of a number or of an array of numbers."""
        here = np.asarray(x, float)
        total = np.zeros_like(here)
        for part in self.parts():
            total += part.probability * part.cdf(here)
        return total if isinstance(x, np.ndarray) else min(float(total), 1.0)

    def scaled(self, factor: float) -> Self:
        """The law of ``factor * X``."""
        by, law = positive("factor", factor), cast(Any, self)
        old = {name: getattr(self, name) for name in self.scales}
        new = {name: tuple(by * x for x in one) if isinstance(one, tuple) else by * one for name, one in old.items()}
        return cast(Self, replace(law, **new))


# --- what parameters must be -----------------------------------------------------------------------


def number(name: str, value: object) -> float:
    """A finite float, or ValueError naming the parameter."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise ValueError(f"{name} must be a number, not {value!r}")
    try:
        out = float(value)
    except OverflowError:
        out = math.inf
    if not math.isfinite(out):
        raise ValueError(f"{name} must be finite, not {out}")
    return out


def positive(name: str, value: object) -> float:
    """A finite positive float, or ValueError naming the parameter.

    >>> positive("mean", float("nan"))
    Traceback (most recent call last):
    ValueError: mean must be finite, not nan
    """
    out = number(name, value)
    if out <= 0:
        raise ValueError(f"{name} must be positive, not {out:g}")
    return out


def whole(name: str, value: object, least: int, most: int, range_: str = "") -> int:
    """An integer in least..most, or ValueError naming it.

    >>> whole("d", 4, 1, 3, "1..n")
    Traceback (most recent call last):
    ...
    ValueError: d must be an integer in 1..n, not 4
    """
    out = value.__index__() if hasattr(value, "__index__") and not isinstance(value, bool) else None
    if out is None or not least <= out <= most:
        raise ValueError(f"{name} must be an integer in {range_ or f'{least}..{most}'}, not {value!r}")
    return int(out)


def proper(name: str, value: float) -> None:
    """Refuses what does not lie strictly between 0 and 1, with a ValueError naming it."""
    if not 0 < value < 1:
        raise ValueError(f"{name} must lie strictly between 0 and 1, not {value}")


def normalised(values: Sequence[float], name: str = "probabilities") -> tuple[float, ...]:
    """Positive probabilities that sum to 1, divided by their sum where that is off by up to ``TOLERANCE``.

    Raises:
        ValueError: an entry that is no probability, or another sum.

    >>> normalised((0.25, 0.75))
    (0.25, 0.75)
    """
    # 1e-14: what adding a few dozen rounded terms costs; such probabilities stay as they were given
    out = tuple(positive(f"each of the {name}", value) for value in values)
    total = math.fsum(out)
    if not out or abs(total - 1) > TOLERANCE:
        raise ValueError(f"{name} sum to {total:.10g}, not to 1 (within {TOLERANCE:g})")
    return out if abs(total - 1) <= 1e-14 else tuple(p / total for p in out)


def assign(frozen: object, **values: object) -> None:
    """Set fields of a frozen instance that is being made."""
    for name, value in values.items():
        object.__setattr__(frozen, name, value)


def probability(u: float) -> float:
    """0 <= u < 1, or ValueError."""
    if not 0 <= u < 1:
        raise ValueError(f"a quantile needs 0 <= u < 1, not {u}")
    return float(u)
