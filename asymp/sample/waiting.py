r"""Waiting times, system times and wasted servers of a multiserver-job queue: sums over samples, and estimates from
them.

Samples are independent, so that means have intervals by the central limit theorem, variances by the delta method with
the skewness of squares taken away (:func:`asymp.sample.estimate.skewed_estimate`), and percentiles by order
statistics.  What is summed is bounded in size whatever the number of samples (:class:`Totals`); blocks are added in
order, so the sums repeat to the last bit.

With lambda the arrival rate and job 0 one that finds the stationary workload W (Palm calculus of the arrivals):

* waiting time ``W^alpha``; system time ``W^alpha + sigma``, sigma independent of W;
* number in system ``lambda E[W^alpha + sigma]`` (Little);
* servers that do not work ``s - lambda E[alpha sigma]``: exact, nothing is sampled;
* servers idle for the job at the head ``lambda E sum_{i<=alpha} (W^alpha - W^i)``: each such interval belongs to
  one job.  Equations (12) and (13) of the paper cut these intervals at tau, although servers 1..alpha of the job
  count as loaded from then on; they are estimated as printed under names of their own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from asymp.queues.laws import Law
from asymp.queues.workload import Workload
from asymp.sample.estimate import (
    Estimate,
    Moments,
    Shape,
    centred,
    combination,
    make_estimate,
    product,
    rounding,
    skewed_estimate,
)
from asymp.sample.observe import EXTRA
from asymp.sample.sketch import BINS, Sketch, normal_quantile, proportion_interval
from asymp.sample.system_time import SystemTime

Array = np.ndarray[Any, Any]

PERCENTILES = (50, 90, 95, 99)
"""Those that :func:`estimates` lists; :meth:`Totals.sketch` gives any."""
POWERS = 8
"""Powers of a time that are summed: the fourth power of a square says how well its variance is known."""


@dataclass
class Totals:
    """Sums over samples.

    Args:
        classes: how many job classes.
        scale: a typical waiting time; that of the first block if not given.
        anchors: of the columns, near their means: powers are summed about them; the means of the first block if not given.
    """

    classes: int
    scale: float = 0.0
    anchors: Array = field(default_factory=lambda: np.zeros(0))
    powers: Array = field(default_factory=lambda: np.zeros(0))
    joint: Moments = field(default_factory=lambda: Moments((0.0, 0.0)))
    counts: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    lengths: dict[int, int] = field(default_factory=dict)
    continued: Array = field(default_factory=lambda: np.zeros(4))
    size: int = 0

    def __post_init__(self) -> None:
        if self.anchors.size:
            self._begin(self.scale, self.anchors)

    def _begin(self, scale: float, anchors: Array) -> None:
        self.scale, self.anchors, k = scale, anchors, self.classes
        self.powers = np.zeros((2, POWERS + 1, anchors.size))  # sums and what their rounding lost
        self.counts = np.zeros((k, BINS), np.int64)
        self.joint = Moments((float(anchors[k]), float(anchors[k + 1])))

    def add(self, out: Array, stopped: Array, continued: Array) -> None:
        """Add observations (rows of :func:`asymp.sample.observe.look`), their stopping lengths, and which were
        continued."""
        if not self.anchors.size:
            anchors = out.mean(axis=0)
            scale = float(anchors[self.classes])
            self._begin(scale if scale > 0 else 1.0, anchors)
        x = out - self.anchors
        block = self._power_sums(x)
        sums, lost = self.powers
        total = sums + block
        self.powers[1] = lost + np.where(np.abs(sums) >= np.abs(block), (sums - total) + block, (block - total) + sums)
        self.powers[0] = total
        k = self.classes
        self.joint.add_arrays(out[:, k], out[:, k + 1])
        for c in range(k):
            np.add(self.counts[c], np.bincount(self.sketch(c).bins(out[:, c]), minlength=BINS), out=self.counts[c])
        change = out[continued, k + EXTRA.index("change")]
        self.continued += [change.size, np.count_nonzero(change), change.sum(), (change * change).sum()]
        lengths, times = np.unique(stopped, return_counts=True)
        for length, n in zip(lengths.tolist(), times.tolist(), strict=True):
            self.lengths[length] = self.lengths.get(length, 0) + n
        self.size += out.shape[0]

    def _power_sums(self, x: Array) -> Array:
        """Sums of powers 0 to 8 in units of ``self.unit``."""
        x = x / self.unit
        sums, power = [], np.ones_like(x)
        for _ in range(POWERS + 1):
            sums.append(np.sum(power, axis=0))
            power = power * x
        return np.stack(sums)

    @property
    def unit(self) -> float:
        """The power of 2 at or below the scale: eighth powers of times are then within range, and no digit is lost."""
        return 2.0 ** math.floor(math.log2(self.scale))

    def sketch(self, c: int) -> Sketch:
        """The histogram of a class's waiting times."""
        return Sketch(self.scale, self.counts[c])

    def column(self, j: int, level: float, seed: int, backend: str) -> tuple[Estimate, Estimate]:
        """Mean and variance of a column, with intervals."""
        n, unit = self.size, self.unit
        raw = ((self.powers[0, :, j] + self.powers[1, :, j]) / n).tolist()
        # central moments, the mean being near 0: the anchors are near the means
        central = [
            math.fsum(math.comb(k, i) * raw[i] * (-raw[1]) ** (k - i) for i in range(k + 1)) for k in range(POWERS + 1)
        ]
        m2, m4, m6, m8 = central[2::2]
        m2 = max(m2, 0.0)
        spread = max(m4 - m2 * m2, 0.0)  # of the squares
        mean_error = math.sqrt(m2 / (n - 1)) * unit if n > 1 else math.inf
        error = math.sqrt(spread / n) * unit**2 if n > 1 else math.inf
        mean = make_estimate(float(self.anchors[j]) + raw[1] * unit, mean_error, n, level, seed, backend)
        unbiased = (m2 * n / (n - 1) if n > 1 else m2) * unit**2
        shape = Shape.of(spread, m6 - 3 * m4 * m2 + 2 * m2**3, m8 - 4 * m6 * m2 + 6 * m4 * m2**2 - 3 * m2**4)
        return mean, skewed_estimate(unbiased, error, shape, n, level, seed, backend)

    def overall_variance(self, level: float, seed: int, backend: str) -> Estimate:
        """The variance over all jobs, E[sum p_c W_c^2] - (E[sum p_c W_c])^2, by the delta method."""
        x = {(0, 0): self.joint.anchor[0], (1, 0): 1.0}
        y = {(0, 0): self.joint.anchor[1], (0, 1): 1.0}
        mean = self.joint.mean(x)
        value = max(self.joint.mean(y) - mean * mean, 0.0)
        influence = centred(combination((1.0, y), (-2 * mean, x)), self.joint.mean(y) - 2 * mean * mean)
        square = product(influence, influence)
        second, third, fourth = (max(self.joint.mean(square), 0.0), self.joint.mean(product(square, influence)),
                                 self.joint.mean(product(square, square)))  # fmt: skip
        error = math.sqrt(second / max(self.size - 1, 1)) if self.size > 1 else math.inf
        return skewed_estimate(value, error, Shape.of(second, third, fourth), self.size, level, seed, backend)

    def arrays(self) -> dict[str, Array]:
        """All that a checkpoint keeps; :meth:`restore` has it bit for bit."""
        places = np.flatnonzero(self.counts)
        return {
            "classes": np.array(self.classes),
            "scale": np.array(self.scale),
            "anchors": self.anchors,
            "powers": self.powers,
            "joint": np.stack([self.joint.sums, self.joint._carry]),
            "places": places,
            "counts": self.counts.ravel()[places],
            "lengths": np.array(sorted(self.lengths.items()), np.int64).reshape(-1, 2),
            "continued": self.continued,
            "size": np.array(self.size),
        }

    def restore(self, kept: dict[str, Array]) -> None:
        """Become what was kept."""
        self._begin(float(kept["scale"]), kept["anchors"])
        self.powers = kept["powers"]
        self.joint.sums, self.joint._carry = kept["joint"]
        self.counts.ravel()[kept["places"]] = kept["counts"]
        self.lengths = {int(length): int(n) for length, n in kept["lengths"]}
        self.continued = kept["continued"]
        self.size = int(kept["size"])


def estimates(
    totals: Totals, workload: Workload, interarrival: Law, level: float, seed: int, backend: str
) -> dict[str, Estimate]:
    """Every estimate, by name; classes are numbered from 0 in the workload's order.

    ``waiting-mean[c]``, ``waiting-variance[c]``, ``waiting-p90[c]`` (50, 90, 95, 99), ``waiting-zero[c]`` (the
    probability not to wait), ``system-mean[c]``, ``system-variance[c]``; the same without ``[c]`` over all jobs;
    ``number-in-system``, ``number-waiting``, ``wasted-total``, ``wasted-hol``, ``wasted-total-printed`` (12),
    ``wasted-hol-printed`` (13), ``early-stopping-bias``.
    """
    rate = 1 / interarrival.mean
    found: dict[str, Estimate] = {}
    k = totals.classes

    def moved(estimate: Estimate, shift: float, factor: float = 1.0) -> Estimate:
        value = shift + factor * estimate.value
        low, high = (shift + factor * end for end in estimate.interval)
        near = rounding(value)
        return replace(estimate, value=value, stderr=factor * estimate.stderr, interval=(low - near, high + near))

    for c, need in enumerate(workload.classes):
        mean, variance = totals.column(c, level, seed, backend)
        found[f"waiting-mean[{c}]"] = mean
        found[f"waiting-variance[{c}]"] = variance
        sketch = totals.sketch(c)
        for percent in PERCENTILES:
            found[f"waiting-p{percent}[{c}]"] = quantile(sketch, percent / 100, level, seed, backend)
        low, high = proportion_interval(int(sketch.counts[0]), totals.size, level)
        share = sketch.counts[0] / totals.size
        error = math.sqrt(share * (1 - share) / totals.size)
        found[f"waiting-zero[{c}]"] = Estimate(float(share), error, (low, high), level, totals.size, seed, backend)
        found[f"system-mean[{c}]"] = moved(mean, need.service.mean)
        found[f"system-variance[{c}]"] = moved(variance, need.service.variance)
        system = SystemTime(sketch, need.service)
        for percent in PERCENTILES:
            found[f"system-p{percent}[{c}]"] = system.estimate(percent / 100, level, seed, backend)
    mean, _ = totals.column(k, level, seed, backend)
    found["waiting-mean"] = mean
    found["waiting-variance"] = totals.overall_variance(level, seed, backend)
    for percent in PERCENTILES:
        found[f"waiting-p{percent}"] = mixture_quantile(totals, workload, percent / 100, level, seed, backend)
    found["system-mean"] = moved(mean, workload.mean_service)
    found["number-in-system"] = moved(mean, rate * workload.mean_service, rate)
    found["number-waiting"] = moved(mean, 0.0, rate)
    exact = workload.servers - rate * workload.mean_demand
    found["wasted-total"] = make_estimate(exact, 0.0, max(totals.size, 2), level, seed, backend)
    printed = {"wasted-hol": "idle", "wasted-hol-printed": "printed13", "wasted-total-printed": "printed12"}
    for name, column in printed.items():
        estimate, _ = totals.column(k + EXTRA.index(column), level, seed, backend)
        found[name] = moved(estimate, 0.0, rate)
    if totals.continued[0]:
        found["early-stopping-bias"] = early_stopping_bias(totals, workload, level, seed, backend)
    return found


def quantile(sketch: Sketch, q: float, level: float, seed: int, backend: str) -> Estimate:
    """A quantile with the interval of order statistics; its standard error is that interval's half-width over z."""
    low, high = sketch.quantile_interval(q, level)
    error = (high - low) / (2 * normal_quantile(level))
    return Estimate(sketch.quantile(q), error, (low, high), level, sketch.total, seed, backend)


def mixture_quantile(totals: Totals, workload: Workload, q: float, level: float, seed: int, backend: str) -> Estimate:
    """A quantile of the waiting time of all jobs.

    A sample's share of classes that wait at most x lies in [0, 1], so its variance is at most that of an indicator of
    the same mean: the interval cuts the estimated distribution function at ``q +- z sqrt(q (1 - q)/n)``.
    """
    n = totals.size
    weights = np.asarray(workload.probabilities) @ totals.counts
    cumulated = np.cumsum(weights)
    cumulated /= cumulated[-1]
    sketch = totals.sketch(0)
    half = normal_quantile(level) * math.sqrt(q * (1 - q) / n)

    def cut(p: float, upper: bool) -> float:
        if p <= 0:
            return 0.0
        if p >= 1:
            return math.inf
        place = min(int(np.searchsorted(cumulated, p, side="left")), BINS - 1)
        return float(sketch.edges(place + 1)) if upper and place else float(sketch.edges(place))

    place = min(int(np.searchsorted(cumulated, q, side="left")), BINS - 1)
    value = 0.0 if place == 0 else 0.5 * float(sketch.edges(place) + sketch.edges(place + 1))
    low, high = cut(q - half, False), cut(q + half, True)
    error = (high - low) / (2 * normal_quantile(level))
    return Estimate(value, error, (low, high), level, n, seed, backend)


def early_stopping_bias(totals: Totals, workload: Workload, level: float, seed: int, backend: str) -> Estimate:
    r"""How much the mean waiting time grows when samples go on past the length at which Algorithm 1 stopped.

    Where few or none of the continued samples changed the central limit theorem says nothing.  A change is at most
    the final waiting time, so if samples change with probability at most p, their mean change is at most that of the
    longest waiting times of probability p: p is the upper end of Clopper and Pearson's interval, the waiting times
    those sampled.
    """
    n, changed, total, squares = (float(x) for x in totals.continued)
    mean = total / n
    error = math.sqrt(max(squares / n - mean * mean, 0.0) / (n - 1)) if n > 1 else math.inf
    plain = make_estimate(mean, error, int(n), level, seed, backend)
    if changed >= 30:
        return plain
    p = proportion_interval(int(changed), int(n), level)[1]
    weights = np.asarray(workload.probabilities) @ totals.counts
    above = np.cumsum(weights[::-1])[::-1] / weights.sum()  # P(W >= bin)
    sketch = totals.sketch(0)
    places = np.flatnonzero(weights)
    tops = np.where(places > 0, sketch.edges(np.minimum(places + 1, BINS)), 0.0)
    shares = np.minimum(above[places], p) - np.minimum(above[places] - weights[places] / weights.sum(), p)
    high = float(np.dot(tops, np.maximum(shares, 0.0))) if n > 1 else math.inf
    return Estimate(
        mean, error, (max(0.0, min(plain.interval[0], mean)), max(high, mean)), level, int(n), seed, backend
    )
