r"""Laws of service and interarrival times: each carries its own theory.

A law knows its moments, distribution function and quantiles, and says how it is drawn
(:meth:`Law.parts`): a mixture of elementary laws, each a transformation of uniforms.  The samplers
in :mod:`asymp.sample` draw; nothing is drawn here.

=====================  ==============================================================================
Exponential            mean m: ``P(X > x) = exp(-x/m)``
Erlang                 the sum of k independent exponentials of mean m/k
HyperExponential       exponential of mean m_i with probability q_i
BoundedPareto          on [L, H] with shape a: ``P(X > x) = ((L/x)^a - (L/H)^a)/(1 - (L/H)^a)``
Deterministic          a constant
Empirical              given values, equally likely or weighted
=====================  ==============================================================================
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import IntEnum


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


class Law(ABC):
    """A law on [0, oo)."""

    @property
    def mean(self) -> float:
        """E[X]."""
        return self.moment(1)

    @property
    def variance(self) -> float:
        """Var[X]."""
        return self.moment(2) - self.moment(1) ** 2

    @property
    def cv(self) -> float:
        """The coefficient of variation: standard deviation over mean."""
        return math.sqrt(max(self.variance, 0.0)) / self.mean

    @abstractmethod
    def moment(self, k: int) -> float:
        """E[X^k]."""

    @abstractmethod
    def cdf(self, x: float) -> float:
        """P(X <= x)."""

    @abstractmethod
    def quantile(self, u: float) -> float:
        """The smallest x with P(X <= x) >= u, for 0 <= u < 1."""

    @abstractmethod
    def parts(self) -> tuple[Part, ...]:
        """The mixture of elementary laws that this law is."""

    @abstractmethod
    def scaled(self, factor: float) -> Law:
        """The law of ``factor * X``."""
