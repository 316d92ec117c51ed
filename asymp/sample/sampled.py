"""What a run of the multiserver-job queue found, and what every run is given."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from asymp.model import is_gpu
from asymp.queues.law import Law, whole
from asymp.queues.workload import Workload
from asymp.sample import given, kernels, trajectory, vectors
from asymp.sample.backend import backend
from asymp.sample.estimate import Estimate
from asymp.sample.packed import pack
from asymp.sample.waiting import Totals

Array = np.ndarray[Any, Any]

MOST = 1 << 34
MOST_SAMPLES = 1 << 40


@dataclass(frozen=True)
class Sampled:
    """What a run found.

    Args:
        estimates: by name; see :func:`asymp.sample.waiting.estimates`.
        totals: the sums they came from; ``totals.sketch(c)`` has any quantile of class c's waiting time.
        first: the first length of Algorithm 1.
        unstopped: samples that reached the longest length without stopping.
        notes: what the reader should know of these numbers, a line each.
    """

    estimates: dict[str, Estimate]
    totals: Totals
    workload: Workload
    interarrival: Law
    seed: int
    first: int
    most: int
    backend: str
    unstopped: int = 0
    notes: tuple[str, ...] = field(default=())

    def __getitem__(self, name: str) -> Estimate:
        return self.estimates[name]

    @property
    def jobs(self) -> int:
        """The sum over samples of the lengths at which they stopped."""
        return sum(abs(length) * n for length, n in self.totals.lengths.items())

    def workloads(self, k: int) -> Array:
        """The ordered workload of sample k, ``W^1 <= ... <= W^s``, computed again."""
        way = "numpy" if self.backend == "numpy" else "numba"
        times, counts, _ = sample_runs(self.workload, self.interarrival, k, self.seed, self.first, self.most, way)
        return np.repeat(times, counts)


def sample_runs(
    workload: Workload, interarrival: Law, sample: int, seed: int, first: int, most: int = MOST, way: str = "numba"
) -> tuple[Array, Array, int]:
    """Algorithm 1 of one sample: waits, servers that have them (ascending), and the length that confirmed it.

    The length is negative where none up to ``most`` did.
    """
    packed = pack(workload, interarrival)
    if way == "numpy":
        found, lengths = vectors.stop(packed, seed, np.array([sample]), first, most)
        waits, servers = np.unique(found[0], return_counts=True)
        return waits, servers, int(lengths[0])
    bench, block = trajectory.bench_for(packed, first, most)
    length = trajectory.stop(packed, np.uint64(seed), np.uint64(sample), bench, block, first, most)
    n = bench.marks.length[0]
    return bench.marks.times[0, :n].copy(), bench.marks.counts[0, :n].astype(np.int64), int(length)


def check_arguments(workload: Workload, interarrival: Law, samples: int, seed: int, level: float, threads: int) -> None:
    """What every sampler of this queue is given.

    Raises:
        ValueError: naming the argument.
    """
    if not isinstance(workload, Workload):
        raise ValueError(f"workload must be a Workload, not {type(workload).__name__}")
    if not isinstance(interarrival, Law):
        raise ValueError(f"interarrival must be a law, not {interarrival!r}")
    if not interarrival.mean > 0:
        raise ValueError("interarrival times must have a positive mean")
    whole("samples", samples, 1, MOST_SAMPLES, "1..2^40")
    given.run(seed, level, threads)


def engine(device: str) -> str:
    """The way a device's samples are computed: ``cuda``, ``numba`` or ``numpy``.

    Raises:
        ValueError: for an unknown device, or one that is not there.
        DeviceError: if a GPU is asked for that is not there, in one line.
    """
    if device not in ("auto", "cpu", "numba", "numpy") and not is_gpu(device):
        raise ValueError(f"device must be auto, cpu, gpu, gpu:K, numba or numpy, not {device!r}")
    if device == "numba" and not kernels.available():
        raise ValueError("numba is not installed")
    if (device == "auto" or is_gpu(device)) and backend(device).name == "cupy":
        return "cuda"
    if device == "numpy" or not kernels.available():
        return "numpy"
    return "numba"
