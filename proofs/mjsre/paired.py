"""Waiting times of classes side by side; see :mod:`asymp.papers.mjsre.samples`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from asymp.claim import Evidence, Outcome
from asymp.papers.mjsre import samples
from asymp.papers.mjsre.notation import Test, supported

if TYPE_CHECKING:
    from asymp.sample.estimate import Estimate

PAIRED = 1 << 15
"""Samples by Algorithm 1: so many that a difference of one mean service time is six standard errors."""
LONGER = 16
"""How much longer the runs at the low rate are: few jobs wait there."""
CONTRASTS = (
    ("W^10 + W^1 - 2 W^5", (1, -2, 1, 0)),  # classes 1, 2 and 5 are nearer to each other than 5 to 10
    ("W^15 - W^10", (0, 0, -1, 1)),
    ("2 W^1 - W^15", (2, 0, 0, -1)),
)
"""What figure 3 is read to say: positive means, with coefficients of W^1, W^5, W^10, W^15."""
ORDERED = (("W^10 - W^5", (0, -1, 1, 0)), ("W^15 - W^10", (0, 0, -1, 1)))


def similar_small_classes(name: str, contrasts: Sequence[tuple[str, Sequence[int]]] = CONTRASTS) -> Test:
    """A test of what is said of figure 3: differences of waits of the classes that one workload offers, by Algorithm 1.

    A job of any class finds the same workload W and waits W^alpha, so that differences of the means need one sample.
    """

    def test() -> list[Evidence]:
        found = _contrasts(name.removeprefix("table2-"), tuple(tuple(weights) for _, weights in contrasts))
        words = [what for what, _ in contrasts]
        points = [samples.witness({"mean of": what}, x) for what, x in zip(words, found, strict=True)]
        detail = ", ".join(f"{what} = {x}" for what, x in zip(words, found, strict=True))
        detail = f"means at lambda = {samples.RATES[-1]}: {detail} ({samples.HOW})"
        if all(x.interval[0] > 0 for x in found):
            return supported(Outcome.HOLDS, detail, points)
        wrong = any(x.interval[1] <= 0 for x in found)
        return supported(Outcome.REFUTED if wrong else Outcome.UNDECIDED, detail, points)

    return test


def _contrasts(law: str, weights: Sequence[Sequence[int]]) -> list[Estimate]:
    """Means of linear combinations of W^1, W^5, W^10, W^15."""
    from asymp.sample.estimate import make_estimate

    sampled = samples.backward_run(law, samples=PAIRED)
    drawn = [sampled.workloads(k) for k in range(PAIRED)]
    found = []
    for row in weights:
        each = np.array([sum(c * w[i] for c, i in zip(row, (0, 4, 9, 14), strict=True)) for w in drawn])
        error = float(each.std(ddof=1)) / math.sqrt(PAIRED)
        found.append(
            make_estimate(float(each.mean()), error, PAIRED, samples.LEVEL, sampled.seed, sampled.backend)
        )
    return found


def percentile_at_low_load(factor: float = 3.0) -> list[Evidence]:
    """At the low rate, hyperexponential services: the 90th percentile of class 15 is less than ``factor`` times as high."""
    name = "waiting-p90[4]"
    low, high = (samples.run(law, samples.LOW_RATE, LONGER)[name] for law in ("exponential", "hyperexponential"))
    points = [
        samples.witness({"rate": samples.LOW_RATE, "law": law}, x) for law, x in (("exponential", low), ("other", high))
    ]
    detail = f"{name} at lambda = {samples.LOW_RATE}: {low} and {high} ({samples.HOW})"
    if high.interval[1] < factor * low.interval[0]:
        return supported(Outcome.HOLDS, detail, points)
    if high.interval[0] > factor * low.interval[1]:
        return supported(Outcome.REFUTED, detail, points)
    return supported(Outcome.UNDECIDED, detail, points)


SIMILAR_EXPONENTIAL = similar_small_classes("table2-exponential")
SIMILAR_HYPEREXPONENTIAL = similar_small_classes("table2-hyperexponential")
HIGHER_EXPONENTIAL = similar_small_classes("table2-exponential", ORDERED)
HIGHER_HYPEREXPONENTIAL = similar_small_classes("table2-hyperexponential", ORDERED)
