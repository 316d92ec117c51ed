r"""Steady states by batch means: runs that are played on batch by batch, and ratios of sums over the batches.

A quantity is the time that something is so, over all time: a ratio of sums over batches.  With r its estimate, the influence
of a batch is ``(X - r Y)/mean Y``, and the interval is :func:`asymp.sample.estimate.skewed_estimate`'s from the spread,
skewness and kurtosis of the influences.  Batches of a run should be nearly independent: as long as neighbours are seen to be
correlated they are put together in pairs, down to two of each run; where even these are, it is said.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from asymp.sample.compiler import inline
from asymp.sample.estimate import Estimate, Shape, skewed_estimate
from asymp.sample.replicate import Progress, replicate, spread

Array = np.ndarray[Any, Any]
Play = Callable[[int, Array], int]
"""(arrivals, sums) -> events: a run is played on, and the batch added to ``sums``."""

RUNS, BATCHES = 4, 16
"""Runs, and batches of each."""
TIME = 0
"""The column of a batch that is its time."""
JOINED, SEEN = 1.5, 3.0
"""Standard deviations of the correlation of neighbours at which batches are put together, and at which it is said of those
that are left."""


@inline
def move(c: Any, x: int, y: int, now: float, since: Any, sums: Any) -> None:
    """For kernels: a server goes from x jobs to y.

    ``c[k]`` servers have k jobs, as many ``since[k]``; of ``sums``, which begin with level 0, the last part is integrated.
    """
    sums[x] += c[x] * (now - since[x])
    sums[y] += c[y] * (now - since[y])
    since[x] = now
    since[y] = now
    c[x] -= 1
    c[y] += 1


@inline
def close(c: Any, now: float, since: Any, sums: Any) -> None:
    """For kernels: all levels are integrated up to now."""
    for k in range(c.size):
        if c[k] > 0 and now > since[k]:
            sums[k] += c[k] * (now - since[k])


@dataclass(frozen=True)
class Steady:
    """What runs found of a steady state.

    Args:
        estimates: by name.
        batches: float64[runs, batches, columns], as the module of the model has the columns.
        events: that were played, those left out among them.
        notes: what the reader should know, a line each.
        warmup: the time that each run left out, where it is a time.
    """

    estimates: dict[str, Estimate]
    batches: Array
    events: int
    notes: tuple[str, ...] = ()
    warmup: float = 0.0

    def __getitem__(self, name: str) -> Estimate:
        return self.estimates[name]


def play(
    start: Callable[[int], Play], runs: int, left_out: Sequence[int], batches: int, each: int, columns: int, threads: int,
    progress: Progress | None, rests: str = "",
) -> tuple[Array, int]:  # fmt: skip
    """Run k, ``start(k)``, is played through rounds of ``left_out`` arrivals and then through so many batches of ``each``.

    As many runs as there are threads go through all rounds before others start: so their states are that many.

    Returns:
        float64[runs, batches, columns] and the events, those left out among them.
    """
    rounds = [*left_out, *[each] * batches]
    ends, first = np.cumsum(rounds).tolist(), len(left_out)
    table, events = np.zeros((runs, batches, columns)), 0

    def draw(low: int, count: int) -> tuple[Array, Array]:
        rows, seen, plays = np.zeros((count, batches, columns)), np.zeros(count, np.int64), dict[int, Play]()
        for turn, arrivals in enumerate(rounds):

            def work(_: int, k: int, turn: int = turn, arrivals: int = arrivals) -> None:
                one = plays[k] if turn else plays.setdefault(k, start(low + k))
                seen[k] += one(arrivals, rows[k, turn - first] if turn >= first else np.zeros(columns))

            spread(work, range(count), range(count))
            if progress is not None:
                progress(low * ends[-1] + count * ends[turn], runs * ends[-1])
        return rows, seen

    def add(low: int, count: int, drawn: Sequence[Array]) -> None:
        nonlocal events
        table[low : low + count], events = drawn[0], events + int(drawn[1].sum())

    replicate(runs, threads, draw, add, rests=f"{rounds}; {rests}")
    return table, events


@dataclass
class Ratios:
    """Estimates from batches, and notes on their independence.

    Args:
        time: float64[runs, batches].
        level, seed: of the estimates.
    """

    time: Array
    level: float
    seed: int
    notes: list[str] = field(default_factory=list)

    def influence(self, amounts: Array) -> tuple[float, Array]:
        """A ratio to the time, and what each batch does to it."""
        value = float(amounts.sum() / self.time.sum())
        return value, (amounts - value * self.time) / float(self.time.mean())

    def ratio(self, name: str, amounts: Array, most: float = math.inf) -> Estimate:
        """The ratio of amounts to the time, in 0..most."""
        return self.estimate(name, *self.influence(amounts), most)

    def estimate(self, name: str, value: float, influence: Array, most: float = math.inf) -> Estimate:
        """An estimate from the influences of the batches."""
        parts, r = independent(influence)
        if r is not None:
            self.notes.append(
                f"batches are correlated in {name} ({r:.2f}): its interval is too narrow, and more arrivals are needed"
            )
        count = parts.size
        m2, m3, m4 = (float((parts**k).mean()) for k in (2, 3, 4))
        stderr = math.sqrt(m2 / (count - 1)) if count > 1 else math.inf
        one = skewed_estimate(value, stderr, Shape.of(m2, m3, m4), count, self.level, self.seed, "numba")
        low, high = one.interval
        return replace(one, interval=(min(max(low, 0.0), most), min(high, most)))

    def levels(self, name: str, amounts: Sequence[Array], law: str) -> dict[str, Estimate]:
        """The part of servers with k jobs, k = 0, 1, ...; their notes are one."""
        few = len(self.notes)
        found = {f"{name}[{k}]": self.ratio(f"{name}[{k}]", one, 1.0) for k, one in enumerate(amounts)}
        if len(self.notes) > few + 1:
            self.notes[few:] = [f"so they are in {len(self.notes) - few} levels of the {law}"]
        return found


def scaled(one: Estimate, factor: float) -> Estimate:
    """A multiple of an estimate."""
    low, high = one.interval
    return replace(one, value=factor * one.value, stderr=factor * one.stderr, interval=(factor * low, factor * high))


def independent(influence: Array) -> tuple[Array, float | None]:
    """Influences of batches (float64[runs, batches]), put together in pairs while neighbours are seen to be correlated.

    Also the correlation of those that are left, where it is still seen.
    """
    while True:
        runs, batches = influence.shape
        r = correlation(influence)
        sigmas = r * math.sqrt(runs * max(batches - 1, 1))
        if sigmas <= JOINED or batches < 4:
            return influence.ravel(), r if sigmas > SEEN else None
        even = influence[:, : batches - batches % 2]
        influence = even.reshape(runs, batches // 2, 2).mean(axis=2)


def correlation(x: Array) -> float:
    """The correlation of neighbours along the rows, about the mean of all; 0 for constants.

    >>> round(correlation(np.array([[1.0, -1.0, 1.0, -1.0]])), 2)
    -1.0
    """
    y = x - x.mean()
    spread = float((y * y).mean())
    return 0.0 if x.shape[1] < 2 or not spread > 0 else float((y[:, 1:] * y[:, :-1]).mean()) / spread
