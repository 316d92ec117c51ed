"""Sampled evidence: the simulated columns of Table 1, and the limit of many servers at loads where no series serves.

What is drawn is kept in ``kept``; ``asymp check parallelps --full`` draws it again.  Our intervals have the level 1 - 10^-9.  The
paper took the mean of n queues at a hundred epochs, well separated: its standard error is a tenth of the spread of that mean, which
is taken from our own snapshots.  A printed number is said to agree if it lies within five of its standard errors, and half a unit of
its last place, of our interval: the chance that eight right numbers do not is below 10^-5.
"""

from __future__ import annotations

import math
import zlib
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from asymp.claim import Evidence, Outcome, Strength, Witness
from asymp.kept import draw

if TYPE_CHECKING:
    from asymp.sample.estimate import Estimate
    from asymp.sample.parallel import Shared

PRINTED = {
    (100, 2, "0.3"): "0.383", (100, 4, "0.3"): "0.368", (100, 2, "0.9"): "3.45", (100, 4, "0.9"): "2.84",
    (500, 2, "0.3"): "0.379", (500, 4, "0.3"): "0.366", (500, 2, "0.9"): "3.42", (500, 4, "0.9"): "2.78",
}  # fmt: skip
DRAWN_WITH = ("asymp.sample", "asymp.queues")
LEVEL = 1 - 1e-9
SIZE = 4 * 10**6
EPOCHS, PRINTED_EPOCHS = 400, 100
FAR = 5.0
"""Standard errors."""


def seed_of(*what: object) -> int:
    """A seed of the point's own, another for each draw."""
    return zlib.crc32(repr((*what, draw()) if draw() else what).encode())


def shares(n: int, d: int, lam: str) -> Shared:
    """The system."""
    return _shares(n, d, lam, SIZE, seed_of(n, d, lam))


@lru_cache(maxsize=16)
def _shares(n: int, d: int, lam: str, size: int, seed: int) -> Shared:
    from asymp.sample.parallel import share

    return share(n, d, float(lam), size=size, seed=seed, level=LEVEL, batches=64)


def run(n: int, d: int, lam: str) -> Estimate:
    """The mean queue."""
    return shares(n, d, lam)["mean-queue"]


def spread(n: int, d: int, lam: str) -> float:
    """The standard deviation of the mean of n queues at an epoch, from epochs 20 units of time apart (10 n lam jobs at 0.9)."""
    from asymp.queues.laws import Exponential
    from asymp.sample import parallel_phases, streams

    load = float(lam)
    times = [100.0 + 20.0 * k for k in range(EPOCHS)]
    found = parallel_phases.snapshots(n, d, load, parallel_phases.Phases.of(Exponential(1.0)), times, streams.stream(n + d + 1000 * draw(), 2))
    return float((found @ np.arange(found.shape[1]) / n).std(ddof=1))


def simulated() -> list[Evidence]:
    """The eight simulated numbers of Table 1."""
    points, shown, outcome = [], [], Outcome.HOLDS
    for (n, d, lam), text in PRINTED.items():
        one, value = run(n, d, lam), float(text)
        low, high = one.interval
        slack = FAR * spread(n, d, lam) / math.sqrt(PRINTED_EPOCHS) + float(Fraction(1, 2 * 10 ** len(text.split(".")[1])))
        points.append(Witness({"n": str(n), "d": str(d), "lambda": lam}, repr((low + high) / 2), f"{(high - low) / 2:.2g}"))
        shown.append(f"n = {n}, d = {d}, {lam}: printed {text}, ours {one}")
        if not low - slack <= value <= high + slack:
            outcome = Outcome.REFUTED
    return [Evidence("sampled", outcome, Strength.SUPPORTED, "; ".join(shown), tuple(points))]


# --- figures 1 to 3, at their own parameters -------------------------------------------------------------


def decreases() -> list[Evidence]:
    """The mean queue of 100 servers for d = 2 and 4, and for d = 1, where it is lam/(1 - lam): figure 1."""
    points, shown, outcome = [], [], Outcome.HOLDS
    for lam in ("0.3", "0.9"):
        alone, two, four = float(lam) / (1 - float(lam)), run(100, 2, lam), run(100, 4, lam)
        points += [_witness(one, n="100", d=str(d), lam=lam) for d, one in ((2, two), (4, four))]
        shown.append(f"load {lam}: {alone:.4g} for d = 1, {two} for d = 2, {four} for d = 4")
        if not four.interval[1] < two.interval[0] <= two.interval[1] < alone:
            outcome = Outcome.UNDECIDED
    strength = Strength.SUPPORTED if outcome is Outcome.HOLDS else Strength.NONE
    return [Evidence("sampled", outcome, strength, "; ".join(shown), tuple(points))]


def most_significant() -> list[Evidence]:
    """By how much it decreases from d = 1 to 2 and from 2 to 4, at both loads, of 100 servers: figure 1."""
    falls, points = {}, []
    for lam in ("0.3", "0.9"):
        alone, two, four = float(lam) / (1 - float(lam)), run(100, 2, lam), run(100, 4, lam)
        points += [_witness(one, n="100", d=str(d), lam=lam) for d, one in ((2, two), (4, four))]
        falls[lam] = (alone - two.interval[1], alone - two.interval[0]), two.interval[1] - four.interval[0]
    held = all(first[0] > second for first, second in falls.values()) and falls["0.9"][0][0] > falls["0.3"][0][1]
    shown = "; ".join(f"load {lam}: at least {first[0]:.3g} from 1 to 2, at most {second:.2g} from 2 to 4" for lam, (first, second) in falls.items())
    outcome, strength = (Outcome.HOLDS, Strength.SUPPORTED) if held else (Outcome.UNDECIDED, Strength.NONE)
    return [Evidence("sampled", outcome, strength, shown, tuple(points))]


def rises() -> list[Evidence]:
    """The mean queue of 100 servers at the load 0.95, for d = 4 and d = 20."""
    four, twenty = (shares(100, d, "0.95")["controlled-mean-queue"] for d in (4, 20))
    points = [_witness(one, n="100", d=str(d), lam="0.95") for d, one in ((4, four), (20, twenty))]
    held = four.interval[1] < twenty.interval[0]
    outcome, strength = (Outcome.HOLDS, Strength.SUPPORTED) if held else (Outcome.UNDECIDED, Strength.NONE)
    return [Evidence("sampled", outcome, strength, f"{four} for d = 4, {twenty} for d = 20", tuple(points))]


CLOSE = {"0.3": 0.005, "0.9": 0.05}
"""What is close, for us: 0.005 is the width of a line in a figure 6 cm high."""


def close() -> list[Evidence]:
    """The largest distance between the cdf of the system of figures 2 and 3, sampled, and that of (2) at the root of (3)."""
    shown, outcome = [], Outcome.HOLDS
    for lam in ("0.3", "0.9"):
        for d in (2, 4):
            exact = law(d, Fraction(lam), 40)
            for n in (100, 500):
                found, total, far = shares(n, d, lam), 0.0, 0.0
                for k, x in enumerate(exact):
                    total += found[f"queue[{k}]"].value if f"queue[{k}]" in found.estimates else 0.0
                    far = max(far, abs(total - x))
                shown.append(f"n = {n}, d = {d}, load {lam}: {far:.4f}")
                outcome = outcome if far < CLOSE[lam] else Outcome.UNDECIDED
    strength = Strength.SUPPORTED if outcome is Outcome.HOLDS else Strength.NONE
    return [Evidence("sampled", outcome, strength, "; ".join(shown))]


def _witness(one: Estimate, n: str, d: str, lam: str) -> Witness:
    low, high = one.interval
    return Witness({"n": n, "d": d, "lambda": lam}, repr((low + high) / 2), f"{(high - low) / 2:.2g}")


# --- the conjectures at high loads ---------------------------------------------------------------------------

SERVERS, LIMIT_SIZE = 20_000, 12 * 10**6


def limit(d: int, lam: str, kind: str = "exponential", size: int = LIMIT_SIZE, level: float = LEVEL) -> Shared:
    """20,000 servers: sizes exponential, ``erlang`` (8 phases) or ``hyper`` (4, 1/4)."""
    return _limit(d, lam, kind, size, level, seed_of(d, lam, kind))


@lru_cache(maxsize=16)
def _limit(d: int, lam: str, kind: str, size: int, level: float, seed: int) -> Shared:
    from asymp.queues.laws import Erlang, Exponential, HyperExponential
    from asymp.sample.parallel import share

    laws: dict[str, Any] = {
        "exponential": Exponential(1.0),
        "erlang": Erlang(8, 1.0),
        "hyper": HyperExponential.of_mean(1.0, (4 / 5, 1 / 5), (0.25,)),
    }
    return share(SERVERS, d, float(lam), laws[kind], size, seed, level, runs=1, batches=64)


def beyond(mean: Fraction, d: int, lam: Fraction) -> bool:
    """Whether this is more than the EQ of (3): its left side, which increases with EQ, is above 1/(1 - lam) already.

    >>> beyond(Fraction(34, 10), 2, Fraction(9, 10)), beyond(Fraction(33, 10), 2, Fraction(9, 10))
    (True, False)
    """
    total, term, u = Fraction(0), Fraction(1), 0
    while term > Fraction(1, 10**12) and total <= 1 / (1 - lam):
        total += term
        u += 1
        term = Fraction(round(term * d * lam / (1 + u * (d - 1) * lam / mean) * 10**30 - Fraction(1, 2)), 10**30)  # not above
    return total > 1 / (1 - lam)


def law(d: int, lam: Fraction, levels: int) -> list[float]:
    """P(Q <= k), k < levels, by (2) at the EQ of (3), which is found by halving.

    >>> [round(x, 4) for x in law(2, Fraction(3, 10), 3)]
    [0.7, 0.9343, 0.9888]
    """
    low, high = Fraction(0), lam / (1 - lam)
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if beyond(middle, d, lam) else (middle, high)
    weight, found = float(1 - lam), [float(1 - lam)]
    for v in range(1, levels):
        weight *= d * float(lam) / (1 + v * (d - 1) * float(lam / high))
        found.append(found[-1] + weight)
    return found


def above_mean_field() -> list[Evidence]:
    """The mean queue of 20,000 servers against the EQ of (3), at lam = 0.9."""
    points, shown, outcome = [], [], Outcome.HOLDS
    for d in (2, 3):
        one = limit(d, "0.9")["controlled-mean-queue"]
        low, high = one.interval
        points.append(Witness({"n": str(SERVERS), "d": str(d), "lambda": "0.9"}, repr((low + high) / 2), f"{(high - low) / 2:.2g}"))
        shown.append(f"d = {d}: {one}, at least {low:.5g}")
        if not beyond(Fraction(low), d, Fraction(9, 10)):
            outcome = Outcome.UNDECIDED
    strength = Strength.SUPPORTED if outcome is Outcome.HOLDS else Strength.NONE
    return [Evidence("sampled", outcome, strength, "; ".join(shown), tuple(points))]


def logarithmic() -> list[Evidence]:
    """The mean queue at lam = 0.9 with d = 7 of 1,000 and 10 of 20,000 servers, near log n, against log 10."""
    from asymp.sample.parallel import share

    points, shown, outcome = [], [], Outcome.HOLDS
    for n, d, near in ((1000, 7, 1.12), (20_000, 10, 1.08)):
        one = share(n, d, 0.9, size=2 * 10**6, seed=seed_of(n, d), level=LEVEL, runs=1, batches=32)["controlled-mean-queue"]
        low, high = one.interval
        points.append(Witness({"n": str(n), "d": str(d), "lambda": "0.9"}, repr((low + high) / 2), f"{(high - low) / 2:.2g}"))
        shown.append(f"n = {n}, d = {d}: {one} over log 10 is {one.value / math.log(10):.4g}")
        if not math.log(10) < low <= high < near * math.log(10):
            outcome = Outcome.UNDECIDED
    return [Evidence("sampled", outcome, Strength.SUPPORTED if outcome is Outcome.HOLDS else Strength.NONE, "; ".join(shown), tuple(points))]
