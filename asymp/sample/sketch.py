r"""A mergeable histogram of positive numbers with a relative error: quantiles and densities in bounded memory.

A number falls into the bin of its binary exponent and the first bits of its mantissa, so that a bin [a, b) has
``b/a <= 1 + 2^-BITS``; 0 has a bin of its own, and what lies beyond the range is kept in the first and last bin.
Counts are integers: the order in which blocks are added does not matter.  A quantile is known up to its bin, and its
interval, by order statistics, ends on edges of bins.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.special import betainc, betaincc, betainccinv, betaincinv, ndtri

Array = np.ndarray[Any, Any]

BITS = 10
"""Bits of the mantissa: a quantile's bin is 0.1% wide."""
OCTAVES = 80
BINS = 1 + (OCTAVES << BITS)


def base_of(scale: float, bits: int) -> int:
    """What the first ``bits`` of a positive number's mantissa and its exponent, as one integer, exceed its bin by."""
    return ((1023 + round(math.log2(scale)) - OCTAVES // 2) << bits) - 1


@dataclass
class Sketch:
    """Weighted counts of bins.

    Args:
        scale: a typical size; bins span 2^-40 to 2^40 of it.
        counts: of the bins, first that of 0.
        bits: of the mantissa.

    >>> sketch = Sketch(1.0)
    >>> sketch.add(np.array([0.0, 1.0, 2.0, 3.0]))
    >>> round(sketch.quantile(0.6), 2), sketch.total
    (2.0, 4)
    """

    scale: float
    counts: Array = field(default_factory=lambda: np.zeros(BINS, np.int64))
    bits: int = BITS

    def __post_init__(self) -> None:
        self._base = base_of(self.scale, self.bits)

    @property
    def total(self) -> int:
        """Numbers added."""
        return int(self.counts.sum())

    def add(self, values: Array) -> None:
        """Count nonnegative numbers."""
        self.counts += np.bincount(self.bins(values), minlength=self.counts.size)

    def bins(self, values: Array) -> Array:
        """The bin of each number."""
        places = (np.ascontiguousarray(values, np.float64).view(np.int64) >> (52 - self.bits)) - self._base
        return np.where(values > 0, np.clip(places, 1, self.counts.size - 1), 0)

    def edges(self, places: Array | int) -> Array:
        """The lower edges of bins; the upper edge of bin i is the lower edge of bin i + 1."""
        inside = np.asarray(places, np.int64)
        bits = (np.maximum(inside, 1) + self._base) << (52 - self.bits)
        return np.where(inside > 0, bits.view(np.float64), 0.0)

    def _upper(self, place: int) -> float:
        return 0.0 if place == 0 else float(self.edges(place + 1))

    def quantile(self, q: float) -> float:
        """The q-quantile, linear within its bin."""
        cumulated = np.cumsum(self.counts)
        goal = q * cumulated[-1]
        place = int(np.searchsorted(cumulated, goal, side="left"))
        place = min(place, self.counts.size - 1)
        before = cumulated[place - 1] if place else 0
        inside = (goal - before) / max(self.counts[place], 1)
        low, high = float(self.edges(place)), self._upper(place)
        return low + (high - low) * min(max(float(inside), 0.0), 1.0)

    def quantile_interval(self, q: float, level: float) -> tuple[float, float]:
        """Between order statistics that enclose the q-quantile with this level (Clopper-Pearson), out to the edges of
        their bins."""
        cumulated = np.cumsum(self.counts)
        n = int(cumulated[-1])
        below, above = rank_interval(q, n, level)
        first = int(np.searchsorted(cumulated, below, side="left")) if below > 0 else 0
        low = float(self.edges(first)) if below > 0 else 0.0
        if above > n:
            return low, math.inf
        return low, self._upper(int(np.searchsorted(cumulated, above, side="left")))


def rank_interval(q: float, n: int, level: float) -> tuple[int, int]:
    """Ranks (1 to n; 0 and n + 1 for none) of order statistics that enclose the q-quantile with probability >= level.

    The number of n values below the quantile is binomial(n, q); each tail outside has at most (1 - level)/2.

    >>> rank_interval(0.5, 100, 0.95)
    (40, 61)
    """
    # Not by scipy.stats, which takes half a second to import.
    tail = (1 - level) / 2
    # the largest rank with P(B < rank) <= tail, the smallest with P(B >= rank) <= tail
    low = bisect_left(range(1, n + 1), True, key=lambda rank: bool(betaincc(rank, n - rank + 1, q) > tail))
    high = bisect_left(range(1, n + 1), True, key=lambda rank: bool(betainc(rank, n - rank + 1, q) <= tail)) + 1
    return low, high


def proportion_interval(hits: int, n: int, level: float) -> tuple[float, float]:
    """Clopper and Pearson's interval of a probability.

    >>> proportion_interval(0, 100, 0.9)[0], round(proportion_interval(0, 100, 0.9)[1], 4)
    (0.0, 0.0295)
    """
    tail = (1 - level) / 2
    low = float(betaincinv(hits, n - hits + 1, tail)) if hits else 0.0
    high = float(betainccinv(hits + 1, n - hits, tail)) if hits < n else 1.0
    return low, high


def normal_quantile(level: float) -> float:
    """z with P(|Z| <= z) = level for a standard normal Z."""
    return float(ndtri((1 + level) / 2))
