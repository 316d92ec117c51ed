r"""Forward runs of a multiserver-job queue: independent replications from an empty system, a warm-up left out.

Waiting times within a replication depend on one another, so replications are what is counted: means are ratios of
sums over replications, with the delta method over them, and percentiles come from sections (groups of replications,
each with a histogram of its own) by Student's interval.  Nothing here shows that the warm-up was long enough: compare
with :func:`asymp.sample.multiserver.backward`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from asymp.queues.law import Law, whole
from asymp.queues.workload import Workload
from asymp.sample import cuda, stop_length, trajectory, vectors
from asymp.sample.backend import backend
from asymp.sample.compiler import jit, part
from asymp.sample.estimate import (
    POWERS,
    Estimate,
    Moments,
    Polynomial,
    Shape,
    centred,
    make_estimate,
    product,
    skewed_estimate,
)
from asymp.sample.packed import pack
from asymp.sample.replicate import Kept, Progress, replicate, spread
from asymp.sample.runs import block_length, reset
from asymp.sample.sampled import Array, check_arguments, engine
from asymp.sample.sketch import OCTAVES, Sketch, base_of
from asymp.sample.trajectory import JOBS, walk
from asymp.sample.waiting import PERCENTILES

SECTIONS = 16
BITS = 7
SHIFT = 52 - BITS
BINS = 1 + (OCTAVES << BITS)
BLOCK_JOBS = 1 << 26
"""Jobs of a block, about: what a kill may lose."""
SUMS = 5
"""Of each class and replication: jobs, waiting times, their squares, idle times of servers that wait with them,
services."""


@part
def tally(sums: Any, counts: Any, base: int, c: int, wait: float, idle: float, sigma: float) -> None:
    """A job of class c is counted."""
    sums[c, 0] += 1.0
    sums[c, 1] += wait
    sums[c, 2] += wait * wait
    sums[c, 3] += idle
    sums[c, 4] += sigma
    counts[c, min(max((np.float64(wait).view(np.int64) >> SHIFT) - base, 1), BINS - 1) if wait > 0 else 0] += 1


@jit
def run(
    packed: Any, seed: Any, sample: Any, bench: Any, block: int, jobs: int, warmup: int, base: int, sums: Any, counts: Any
) -> None:
    """Runs jobs 0 to jobs - 1 of a sample from an empty system; those from ``warmup`` on go into ``sums[class]`` and
    ``counts[class]``."""
    reset(bench.state, packed.servers, 0.0)
    start: Any = np.int64(0)
    while start < jobs:
        count = min(min(bench.need.size, block - start % block), jobs - start)
        walk(packed, seed, sample, bench, block, start, count, np.int64(1), np.int64(JOBS))
        for i in range(max(warmup - start, 0), count):
            tally(sums, counts, base, bench.cls[i], bench.wait[i], bench.idle[i], bench.sigma[i])
        start += count


@dataclass
class Replications:
    """Sums over replications, of bounded size.

    ``first`` and ``second`` are the sums of the replications' vectors (a class's :data:`SUMS` numbers, then those
    over all classes) and of their products.
    """

    classes: int
    scale: float
    first: Array = field(default_factory=lambda: np.zeros(0))
    second: Array = field(default_factory=lambda: np.zeros(0))
    counts: Array = field(default_factory=lambda: np.zeros(0))
    shapes: Array = field(default_factory=lambda: np.zeros(0))
    anchors: Array = field(default_factory=lambda: np.zeros(0))
    size: int = 0

    def __post_init__(self) -> None:
        if not self.first.size:
            self.shapes = np.zeros((self.classes + 1, len(POWERS)))
            self.anchors = np.full((self.classes + 1, 2), math.nan)
            self.first = np.zeros((self.classes + 1, SUMS))
            self.second = np.zeros((self.classes + 1, SUMS, SUMS))
            self.counts = np.zeros((SECTIONS, self.classes, BINS), np.int64)

    def add(self, sums: Array) -> None:
        """Add a replication's sums (classes, SUMS)."""
        vector = np.concatenate([sums, sums.sum(axis=0, keepdims=True)])
        self.first += vector
        self.second += vector[:, :, None] * vector[:, None, :]
        self.size += 1
        # sums over the jobs of (W - m)^2 - v and of W - m, m and v of the first replication that has some: the shape
        # of what the variance is the mean of follows from the powers of these
        jobs, waits, squares = vector[:, 0], vector[:, 1], vector[:, 2]
        begin = (jobs > 0) & np.isnan(self.anchors[:, 0])
        means = waits[begin] / jobs[begin]
        self.anchors[begin] = np.stack([means, squares[begin] / jobs[begin] - means * means], axis=1)
        m, v = np.where(np.isnan(self.anchors), 0.0, self.anchors).T
        x, y = squares - 2 * m * waits + (m * m - v) * jobs, waits - m * jobs
        self.shapes += np.stack([x**i * y**j for i, j in POWERS], axis=1)

    def ratio(self, c: int, top: Array, level: float, seed: int, backend: str) -> Estimate:
        """sum(top . vector)/sum(jobs) of class c (``classes``: all) by the delta method over replications."""
        jobs = float(self.first[c, 0])
        if jobs == 0:
            return make_estimate(math.nan, math.inf, 0, level, seed, backend)
        value = float(top @ self.first[c]) / jobs
        influence = top.copy()
        influence[0] -= value  # of mean 0 over the replications
        square = float(influence @ self.second[c] @ influence)
        n = self.size
        error = math.sqrt(max(square, 0.0) * n / (n - 1)) / jobs if n > 1 else math.inf
        return make_estimate(value, error, n, level, seed, backend)

    def variance(self, c: int, level: float, seed: int, backend: str) -> Estimate:
        """The variance of the waiting time of class c."""
        jobs = self.first[c, 0]
        mean = self.first[c, 1] / jobs if jobs else math.nan
        plain = self.ratio(c, np.array([mean * mean, -2 * mean, 1.0, 0.0, 0.0]), level, seed, backend)
        if not jobs:
            return plain
        moments = Moments((0.0, 0.0), self.shapes[c])
        one: Polynomial = {(1, 0): 1.0, (0, 1): -2 * float(mean - self.anchors[c, 0])}
        one = centred(one, moments.mean(one))
        two = product(one, one)
        shape = Shape.of(moments.mean(two), moments.mean(product(one, two)), moments.mean(product(two, two)))
        return skewed_estimate(plain.value, plain.stderr, shape, self.size, level, seed, backend)

    def quantile(self, c: int | None, q: float, level: float, seed: int, backend: str) -> Estimate:
        """A percentile of class c's waiting time (of all jobs if none), from the sections that saw the class."""
        counts = self.counts.sum(axis=1) if c is None else self.counts[:, c]
        pooled = counts.sum(axis=0)
        if not pooled.sum():
            return make_estimate(math.nan, math.inf, 0, level, seed, backend)
        value = Sketch(self.scale, pooled, BITS).quantile(q)
        each = np.array([Sketch(self.scale, row, BITS).quantile(q) for row in counts if row.any()])
        n = each.size
        error = math.sqrt(float(np.sum((each - value) ** 2)) / (n - 1) / n) if n > 1 else math.inf
        return make_estimate(value, error, n, level, seed, backend)

    def arrays(self) -> dict[str, Array]:
        """All that a checkpoint keeps."""
        places = np.flatnonzero(self.counts)
        return {
            "first": self.first,
            "second": self.second,
            "shapes": self.shapes,
            "anchors": self.anchors,
            "places": places,
            "counts": self.counts.ravel()[places],
            "size": np.array(self.size),
        }

    def restore(self, kept: dict[str, Array]) -> None:
        """Become what was kept."""
        self.first, self.second, self.size = kept["first"], kept["second"], int(kept["size"])
        self.shapes, self.anchors = kept["shapes"], kept["anchors"]
        self.counts.ravel()[kept["places"]] = kept["counts"]


@dataclass(frozen=True)
class Forward:
    """What a forward run found: estimates by the names of :func:`asymp.sample.waiting.estimates`, and the sums they
    came from."""

    estimates: dict[str, Estimate]
    replications: Replications
    jobs: int
    warmup: int
    seed: int
    backend: str

    def __getitem__(self, name: str) -> Estimate:
        return self.estimates[name]


def forward(
    workload: Workload,
    interarrival: Law,
    jobs: int,
    samples: int,
    warmup: int = 0,
    seed: int = 0,
    level: float = 0.99,
    device: str = "auto",
    threads: int = 1,
    progress: Progress | None = None,
    checkpoint: str | Path | None = None,
) -> Forward:
    """Independent replications of ``jobs`` jobs from an empty system, the first ``warmup`` not counted.

    Arguments other than these as for :func:`asymp.sample.multiserver.backward`.

    Raises:
        ValueError: for arguments out of range or a checkpoint of another run.
        UnstableError: if the load is at or above the threshold.

    >>> from asymp.queues.laws import Exponential
    >>> from asymp.queues.workload import ServerNeed
    >>> queue = Workload(1, (ServerNeed(1, 1.0, Exponential(1.0)),))
    >>> found = forward(queue, Exponential(2.0), jobs=20000, samples=20, warmup=1000)
    >>> found["waiting-mean"].agrees(1.0)  # M/M/1 at load 1/2
    True
    """
    there = engine(device)
    check_arguments(workload, interarrival, samples, seed, level, threads)
    check_jobs(jobs, warmup)
    packed = pack(workload, interarrival)
    stop_length.refuse_unstable(workload, interarrival, packed, seed, there)
    settings = (workload, interarrival, jobs, samples, warmup, seed, level, threads, progress, checkpoint, there)
    kind = {"kind": "forward"}
    if there == "cuda":
        return replications(*settings, kind, None, cuda.Replications(backend(device).xp, packed, seed, samples))
    if there == "numpy":
        return replications(*settings, kind, vectors.replicate(packed, seed, jobs, warmup, SHIFT))
    block, own = block_length(workload.servers), np.uint64(seed)
    benches = [trajectory.new_bench(packed) for _ in range(threads)]

    def one(thread: int, k: int, base: int, sums: Array, counts: Array) -> None:
        run(packed, own, np.uint64(k), benches[thread], block, jobs, warmup, base, sums, counts)

    return replications(*settings, kind, one)


One = Callable[[int, int, int, Array, Array], None]
"""``(thread, sample, base, sums, counts)``: runs a sample and adds to its sums and to the counts of bins."""


def check_jobs(jobs: int, warmup: int) -> None:
    """That a replication has jobs to count.

    Raises:
        ValueError: naming the argument.
    """
    whole("jobs", jobs, 1, 1 << 50, "1..2^50")
    whole("warmup", warmup, 0, jobs - 1, "0..jobs - 1")


def replications(
    workload: Workload, interarrival: Law, jobs: int, samples: int, warmup: int, seed: int, level: float, threads: int,
    progress: Progress | None, checkpoint: str | Path | None, there: str, kind: dict[str, Any], one: One | None,
    card: cuda.Replications | None = None,
) -> Forward:  # fmt: skip
    """All replications by ``one`` (or a card's whole blocks), and the estimates."""
    check_arguments(workload, interarrival, samples, seed, level, threads)
    check_jobs(jobs, warmup)
    configuration = {
        **kind,
        "workload": repr(workload),
        "interarrival": repr(interarrival),
        "jobs": jobs,
        "warmup": warmup,
        "samples": samples,
        "seed": seed,
    }
    found = Replications(len(workload.classes), workload.mean_service)
    base = base_of(found.scale, BITS)

    shape, at = found.counts.shape, f"{there}, {configuration}"

    def draw(start: int, count: int) -> tuple[Array, Array, Array]:
        sums, counts = np.zeros((count, found.classes, SUMS)), np.zeros(shape, np.int64)

        def work(thread: int, section: int) -> None:
            for k in range((section - start) % SECTIONS, count, SECTIONS):
                if one is not None:
                    one(thread, start + k, base, sums[k], counts[section])

        if card is None:  # a section has counts of its own, to which one thread at a time adds
            spread(work, range(threads), range(SECTIONS))
        else:
            card.run(start, jobs, warmup, SHIFT, base, sums, counts)
        places = np.flatnonzero(counts)
        return sums, places, counts.ravel()[places]

    def add(_start: int, _count: int, drawn: Sequence[Array]) -> None:
        sums, places, counts = drawn
        found.counts.ravel()[places] += counts
        for row in sums:
            found.add(row)

    block = int(min(max(BLOCK_JOBS // jobs, threads), 256)) if card is None else card.size
    replicate(samples, block, draw, add, progress, Kept(checkpoint, configuration, found), rests=at)
    return Forward(_estimates(found, workload, interarrival, level, seed, there), found, jobs, warmup, seed, there)


def _estimates(
    found: Replications, workload: Workload, interarrival: Law, level: float, seed: int, there: str
) -> dict[str, Estimate]:
    out: dict[str, Estimate] = {}
    rate = 1 / interarrival.mean
    wait = np.array([0.0, 1.0, 0.0, 0.0, 0.0])
    service = np.array([0.0, 0.0, 0.0, 0.0, 1.0])
    idle = np.array([0.0, 0.0, 0.0, 1.0, 0.0])
    for c in [*range(found.classes), found.classes]:
        tail = f"[{c}]" if c < found.classes else ""
        out[f"waiting-mean{tail}"] = found.ratio(c, wait, level, seed, there)
        out[f"waiting-variance{tail}"] = found.variance(c, level, seed, there)
        for percent in PERCENTILES:
            which = c if c < found.classes else None
            out[f"waiting-p{percent}{tail}"] = found.quantile(which, percent / 100, level, seed, there)
        out[f"system-mean{tail}"] = found.ratio(c, wait + service, level, seed, there)
    out["number-in-system"] = found.ratio(found.classes, rate * (wait + service), level, seed, there)
    out["number-waiting"] = found.ratio(found.classes, rate * wait, level, seed, there)
    exact = workload.servers - rate * workload.mean_demand
    out["wasted-total"] = make_estimate(exact, 0.0, max(found.size, 2), level, seed, there)
    out["wasted-hol"] = found.ratio(found.classes, rate * idle, level, seed, there)
    return out
