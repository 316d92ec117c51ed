"""The laws that are sampled: each carries its own theory, and draws by a transformation.

Draws are functions of standard exponentials and normals, written in operations that NumPy and CuPy
share; parameters may be arrays.  The transformations keep float64's relative accuracy at both
ends: geometric laws with p = 1e-24, maxima of 1e24 exponentials.  The laws of service and interarrival times,
``Exponential`` (by its mean) among them, are those of :mod:`asymp.queues.laws`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from types import ModuleType

import mpmath

from asymp.sample.backend import Array, Generator

SMALLEST = 2.0**-56
"""Exponentials are drawn on a grid of about 2^-53 and may be 0: those are raised to this value, which
moves a probability of 2^-56 and spares an infinite maximum."""


@dataclass(frozen=True)
class Geometric:
    """The number of failures before a success of probability p: ``P(G = g) = (1-p)^g p``, g >= 0.

    ``G = floor(E / -log(1-p))`` with E ~ Exp(1): ``P(G >= g) = (1-p)^g`` exactly.  From 2^53 on the
    floor is idle and G is a real number, off by less than one part in 2^53.

    >>> Geometric(0.25).mean, Geometric(0.25).quantile(0.5)
    (3.0, 2)
    """

    p: float

    @property
    def mean(self) -> float:
        return (1 - self.p) / self.p

    @property
    def variance(self) -> float:
        return (1 - self.p) / self.p**2

    def quantile(self, u: float) -> int:
        """The smallest g with ``P(G <= g) >= u``."""
        return max(math.ceil(math.log1p(-u) / math.log1p(-self.p)) - 1, 0)

    def transform(self, xp: ModuleType, e: Array) -> Array:
        """G from standard exponentials."""
        return xp.floor(e * (-1 / math.log1p(-self.p)))


@dataclass(frozen=True)
class MaximumOfExponentials:
    """The largest of ``count`` independent Exp(rate), 0 if there are none.

    ``P(D <= x) = (1 - exp(-rate x))^count``; with V = exp(-E) uniform, ``1 - V^(1/count) =
    -expm1(-E/count)`` keeps its digits for any count, and ``D = -log(-expm1(-E/count))/rate``.
    Mean ``H_count/rate``, variance ``H_count^(2)/rate^2``.

    >>> MaximumOfExponentials(2, rate=1.0).mean, MaximumOfExponentials(1, rate=2.0).quantile(0.5) * 2 - math.log(2)
    (1.5, 0.0)
    """

    count: float
    rate: float = field(kw_only=True)  # of each; the ``mean`` is that of the largest

    @property
    def mean(self) -> float:
        return float(mpmath.harmonic(self.count)) / self.rate

    @property
    def variance(self) -> float:
        return float(mpmath.zeta(2) - mpmath.zeta(2, self.count + 1)) / self.rate**2

    def quantile(self, u: float) -> float:
        """The u-quantile."""
        return -math.log(-math.expm1(math.log(u) / self.count)) / self.rate

    @staticmethod
    def transform(xp: ModuleType, e: Array, count: Array, rate: float) -> Array:
        """D from standard exponentials, for an array of counts."""
        some = count > 0
        e = xp.maximum(e, SMALLEST) / xp.where(some, count, 1.0)
        return xp.where(some, -xp.log(-xp.expm1(-e)), 0.0) / rate


@dataclass(frozen=True)
class CentredGamma:
    """``Gamma(shape, 1) - shape`` for shapes >= 1, without the cancellation of a large shape.

    Marsaglia and Tsang (2000): with d = shape - 1/3, c = 1/sqrt(9 d), x normal and v = (1 + c x)^3,
    the draw d v is accepted if ``log u < x^2/2 + d - d v + d log v``.  Here ``d v - shape`` is
    expanded to ``d (3 c x + 3 (c x)^2 + (c x)^3) - 1/3``, good to one part in 2^50 of itself at
    shape = 1e24.
    """

    shape: float
    mean: float = 0.0

    @property
    def variance(self) -> float:
        return self.shape

    @staticmethod
    def draw(xp: ModuleType, generator: Generator, shape: Array) -> Array:
        """One draw for each entry of ``shape``, a 1-d array of numbers >= 1."""
        out = xp.zeros_like(shape)
        todo = xp.arange(shape.size)
        while todo.size:
            d = shape[todo] - 1 / 3
            x = generator.standard_normal(todo.size)
            y = x / xp.sqrt(9 * d)
            log_u = -generator.standard_exponential(todo.size)
            rise = y * (3 + y * (3 + y))  # v - 1
            inside = y > -1
            # d - d v + d log v = -d (v - 1 - log v) cancels to second order in y: a series where y is small.
            exact = rise - 3 * xp.log1p(xp.where(inside, y, 0.0))
            series = y * y * (4.5 + y * y * (0.75 + y * (0.5 * y - 0.6)))
            excess = xp.where(xp.abs(y) < 1e-3, series, exact)
            accepted = inside & (log_u < 0.5 * x * x - d * excess)
            out[todo[accepted]] = (d * rise - 1 / 3)[accepted]
            todo = todo[~accepted]
        return out
