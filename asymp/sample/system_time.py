r"""Percentiles of system times, from the histograms of a run.

A job's system time is ``W^alpha + sigma`` with sigma independent of W.  So for N samples of W the distribution function of
a class's system time is estimated by the mean of F(x - W^alpha), F that of its service times: no service time is drawn.  Each
summand lies in [0, 1], so its variance is at most that of an indicator of the same mean, and the interval of a
quantile cuts the estimated distribution function at ``q +- z sqrt(q (1 - q)/N)``.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from asymp.queues.laws import Law
from asymp.sample.estimate import Estimate
from asymp.sample.sketch import Sketch, normal_quantile

Array = np.ndarray[Any, Any]


class SystemTime:
    """The estimated law of ``W + sigma``.

    Args:
        sketch: of W.
        service: the law of sigma.
    """

    def __init__(self, sketch: Sketch, service: Law) -> None:
        places = np.flatnonzero(sketch.counts)
        weights = sketch.counts[places].astype(float)
        middles = np.where(places > 0, 0.5 * (sketch.edges(places) + sketch.edges(places + 1)), 0.0)
        if places.size > 4096:  # neighbours together: a thousandth of their size apart
            group = np.arange(places.size) // (1 + places.size // 4096)
            sums = np.bincount(group, weights)
            middles, weights = np.bincount(group, weights * middles) / sums, sums
        self.size, self.service = int(sketch.total), service
        self._waits, self._shares = middles, weights / weights.sum()

    def cdf(self, x: float) -> float:
        """P(W + sigma <= x)."""
        return float(self._shares @ self.service.cdf(x - self._waits))

    def quantile(self, q: float) -> float:
        """The smallest x with ``cdf(x) >= q``, to 12 digits."""
        low, high = 0.0, float(self._waits[-1]) + self.service.quantile(q) + 1e-300
        while self.cdf(high) < q:
            high *= 2
        for _ in range(60):
            middle = 0.5 * (low + high)
            low, high = (low, middle) if self.cdf(middle) >= q else (middle, high)
            if high - low <= 1e-12 * high:
                break
        return high

    def estimate(self, q: float, level: float, seed: int, backend: str) -> Estimate:
        """The q-quantile with an interval."""
        half = normal_quantile(level) * math.sqrt(q * (1 - q) / self.size)
        low = self.quantile(q - half) if q > half else 0.0
        high = self.quantile(q + half) if q + half < 1 else math.inf
        error = (high - low) / (2 * normal_quantile(level))
        return Estimate(self.quantile(q), error, (low, high), level, self.size, seed, backend)
