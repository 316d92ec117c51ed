"""Estimates with honest intervals, from moments that are merged over blocks.

An estimator here is a smooth function of means of polynomials in two observed variables (X, Y).
:class:`Moments` keeps the sums of ``(X - x0)^i (Y - y0)^j``, ``i + j <= 4``, about an anchor (x0, y0)
near the mean, which is all that the delta method needs for functions of first and second moments:
sums about a near anchor lose no digits, add up over blocks, and carry the variance of each
second moment.

Means of squares are skewed to the right, and their standard error is small just where they are too small: Student's
interval of 99% covered the variance of 400 exponential variables in 95.6% of all cases.  :func:`skewed_estimate` has
what does better.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from scipy.special import stdtrit

from asymp.model import Estimate as Estimate
from asymp.model import rounding as rounding
from asymp.queues.law import proper

Polynomial = Mapping[tuple[int, int], float]
"""Coefficients of ``(X - x0)^i (Y - y0)^j`` by (i, j)."""

DEGREE = 4
POWERS: tuple[tuple[int, int], ...] = tuple((i, total - i) for total in range(DEGREE + 1) for i in range(total, -1, -1))
"""The order in which sums are kept: (0,0), (1,0), (0,1), (2,0), (1,1), (0,2), ..."""


def make_estimate(value: float, stderr: float, size: int, level: float, seed: int, backend: str) -> Estimate:
    """An estimate with Student's interval of ``size - 1`` degrees, widened by the rounding of the value.

    A single observation says nothing of its error: the interval is then the whole line.

    Raises:
        ValueError: if the level is outside (0, 1).

    >>> make_estimate(1.0, 0.5, 10**9, 0.95, 0, "numpy").interval[1] - 1 - 0.5 * 1.959964 < 1e-6
    True
    """
    proper("level", level)
    if size < 2 or not math.isfinite(stderr):
        return Estimate(value, math.inf, (-math.inf, math.inf), level, size, seed, backend)
    half = float(stdtrit(size - 1, (1 + level) / 2)) * stderr + rounding(value)
    return Estimate(value, stderr, (value - half, value + half), level, size, seed, backend)


class Shape(NamedTuple):
    """Skewness and kurtosis (3 for a normal law) of what an estimate is the mean of."""

    skewness: float
    kurtosis: float

    @classmethod
    def of(cls, second: float, third: float, fourth: float) -> Shape:
        """From central moments; of a constant, not numbers.

        >>> Shape.of(1.0, 2.0, 9.0)  # an exponential law
        Shape(skewness=2.0, kurtosis=9.0)
        """
        if not second > 0:
            return cls(math.nan, math.nan)
        spread = math.sqrt(second)
        return cls(third / spread / second, fourth / second / second)


def skewed_estimate(
    value: float, stderr: float, shape: Shape, size: int, level: float, seed: int, backend: str, positive: bool = True
) -> Estimate:
    r"""An estimate whose summands are skewed, such as a variance: the union of two intervals.

    * Hall's (1992): the studentised estimate T becomes normal to O(1/n) as ``T + a T^2/3 + a^2 T^3/27 + a/6``, where
      ``a = skewness/sqrt(n)``; this increases with T, and its inverse gives the ends.  The end on the side of the
      skewness, z being the normal quantile, is farthest, 4z standard errors away, near ``a = 9/(8z)``, and is left
      there for larger a.
    * Student's, with the degrees of freedom of the standard error (Satterthwaite), ``2n/(kurtosis - 1)`` in place of
      n - 1; on the scale of the logarithm where the quantity is positive.

    The first corrects for skewness, the second for a standard error that is itself badly known; where either has seen
    too little the other is wider.  Of 99% intervals of a variance, these cover 98.9 to 99.3% for normal, uniform,
    exponential and hyperexponential variables and for waiting times that are 0 with probability 1/2 or 0.95, at 400
    observations; 96 to 99% at 100.  What is not in the sample no interval knows: bounded Pareto variables of shape 1.4
    over a factor of 2700, whose variance is made by one observation in 10^5, are covered in 67% at 400 and in 95% at
    20000.  Where the sample shows no spread, its interval is all that the quantity may be.

    The first: P. Hall, On the removal of skewness by transformation, J. R. Statist. Soc. B 54 (1992) 221-228.

    >>> low, high = skewed_estimate(1.0, 0.14, Shape(10.6, 216.0), 400, 0.99, 0, "numpy").interval
    >>> round(low, 2), round(high, 2)
    (0.51, 2.49)
    """
    plain = make_estimate(value, stderr, size, level, seed, backend)
    if size < 2 or not (stderr > 0 and math.isfinite(stderr)) or (positive and not value > 0):
        if positive or size < 2 or not math.isfinite(stderr):
            return replace(plain, stderr=plain.stderr if stderr > 0 else math.inf, interval=_whole(positive))
        return plain
    normal = float(stdtrit(size - 1, (1 + level) / 2))
    a = shape.skewness / math.sqrt(size)
    freedom = min(max(2 * size / max(shape.kurtosis - 1, 1e-9), 1.0), size - 1)
    reach = float(stdtrit(freedom, (1 + level) / 2)) * stderr
    if not (math.isfinite(a) and math.isfinite(reach)):
        return replace(plain, interval=_whole(positive))
    most = 9 / (8 * normal)
    low = value - stderr * _hall(normal, max(a, -most))
    high = value - stderr * _hall(-normal, min(a, most))
    if positive:
        ratio = reach / value
        low, high = min(low, value * math.exp(-ratio)), max(high, value * math.exp(ratio) if ratio < 700 else math.inf)
    else:
        low, high = min(low, value - reach), max(high, value + reach)
    near = rounding(value)
    return replace(plain, interval=(max(low - near, 0.0) if positive else low - near, high + near))


def _whole(positive: bool) -> tuple[float, float]:
    return (0.0 if positive else -math.inf, math.inf)


def _hall(normal: float, a: float) -> float:
    """The T whose transform is ``normal``: ``((1 + a T/3)^3 - 1)/a + a/6``."""
    if abs(a) < 1e-6:
        return normal - a * (normal * normal / 3 + 1 / 6)
    return 3 * (math.cbrt(1 + a * (normal - a / 6)) - 1) / a


@dataclass
class Moments:
    """Sums of ``(X - x0)^i (Y - y0)^j`` for ``i + j <= 4``, in the order of ``POWERS``.

    >>> m = Moments((0.0, 0.0))
    >>> m.add_arrays(np.array([1.0, 2.0, 3.0]), np.array([1.0, 0.0, 1.0]))
    >>> m.count, m.mean({(1, 0): 1.0}), m.covariance({(1, 0): 1.0}, {(1, 0): 1.0})
    (3, 2.0, 0.6666666666666666)
    """

    anchor: tuple[float, float]
    sums: np.ndarray[Any, Any] = field(default_factory=lambda: np.zeros(len(POWERS)))
    _carry: np.ndarray[Any, Any] = field(default_factory=lambda: np.zeros(len(POWERS)))

    @property
    def count(self) -> int:
        """Observations."""
        return int(self.sums[0])

    def add(self, sums: np.ndarray[Any, Any]) -> None:
        """Add the sums of a block about the same anchor (compensated, Neumaier 1974)."""
        total = self.sums + sums
        lost = np.where(np.abs(self.sums) >= np.abs(sums), (self.sums - total) + sums, (sums - total) + self.sums)
        self.sums, self._carry = total, self._carry + lost

    def add_arrays(self, x: np.ndarray[Any, Any], y: np.ndarray[Any, Any]) -> None:
        """Add observations."""
        self.add(power_sums(np, x - self.anchor[0], y - self.anchor[1]))

    def mean(self, polynomial: Polynomial) -> float:
        """The sample mean of a polynomial of degree at most 4."""
        totals = self.sums + self._carry
        return math.fsum(c * totals[_PLACE[power]] for power, c in polynomial.items()) / self.count

    def covariance(self, a: Polynomial, b: Polynomial) -> float:
        """The sample covariance of two polynomials of degree at most 2 (divided by the count)."""
        # Centred before they are multiplied: the product of the means would cancel.
        a0, b0 = centred(a, self.mean(a)), centred(b, self.mean(b))
        return self.mean(product(a0, b0))


_PLACE = {power: k for k, power in enumerate(POWERS)}


def power_sums(xp: Any, x: Any, y: Any) -> Any:
    """The 15 sums of ``x^i y^j`` in the order of ``POWERS``; arrays of one shape (m,), result (15,)."""
    xs, ys = [xp.ones_like(x), x, x * x], [xp.ones_like(y), y, y * y]
    for powers, first in ((xs, x), (ys, y)):
        powers += [powers[2] * first, powers[2] * powers[2]]
    # einsum and not dot: BLAS would thread (slower by far on shared cores), a product would allocate.
    return xp.stack([xp.einsum("i,i->", xs[i], ys[j]) for i, j in POWERS])


def product(a: Polynomial, b: Polynomial) -> dict[tuple[int, int], float]:
    """The product of two polynomials.

    >>> product({(1, 0): 2.0}, {(0, 0): 3.0, (1, 1): 1.0})
    {(1, 0): 6.0, (2, 1): 2.0}
    """
    out: dict[tuple[int, int], float] = {}
    for (i, j), x in a.items():
        for (k, l), y in b.items():
            out[i + k, j + l] = out.get((i + k, j + l), 0.0) + x * y
    return out


def centred(a: Polynomial, mean: float) -> dict[tuple[int, int], float]:
    """The polynomial minus a constant."""
    out = dict(a)
    out[0, 0] = out.get((0, 0), 0.0) - mean
    return out


def combination(*parts: tuple[float, Polynomial]) -> dict[tuple[int, int], float]:
    """The linear combination of polynomials, from (coefficient, polynomial) pairs."""
    out: dict[tuple[int, int], float] = {}
    for scale, polynomial in parts:
        for power, c in polynomial.items():
            out[power] = out.get(power, 0.0) + scale * c
    return out


def ratio_estimate(moments: Moments, level: float, seed: int, backend: str) -> Estimate:
    """E[X]/E[Y] by the delta method: the variance is that of ``(X - r Y)/E[Y]``.

    >>> m = Moments((2.0, 1.0))
    >>> m.add_arrays(np.array([2.0, 4.0, 6.0, 2.0]), np.array([1.0, 2.0, 3.0, 1.0]))
    >>> ratio = ratio_estimate(m, 0.95, 0, "numpy")
    >>> ratio.value, ratio.stderr
    (2.0, 0.0)
    """
    x = {(0, 0): moments.anchor[0], (1, 0): 1.0}
    y = {(0, 0): moments.anchor[1], (0, 1): 1.0}
    bottom = moments.mean(y)
    value = moments.mean(x) / bottom
    residual = combination((1.0, x), (-value, y))
    variance = max(moments.covariance(residual, residual), 0.0) / bottom**2
    size = moments.count
    stderr = math.sqrt(variance / (size - 1)) if size > 1 else math.inf
    return make_estimate(value, stderr, size, level, seed, backend)
