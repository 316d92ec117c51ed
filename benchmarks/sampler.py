"""Cycles per second of the 1-and-n sampler, against peers in the same run.

    python benchmarks/sampler.py [--size 4000000] [--device auto]

Peers: ``naive``, vectorised NumPy as one would write it first (geometric, gamma and power draws; N and T
formed, no standard errors); ``events``, the compiled event-by-event simulation, whose cost grows with n and with the
cycle, at the n where it is affordable.  The naive peer also shows what float64 does to N - mu T.
Nothing here is a test: machines differ, ratios within a run are what to read.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable

import numpy as np

from asymp.sample import kernels
from asymp.sample.backend import Backend, DeviceError, backend
from asymp.sample.estimate import Estimate
from asymp.sample.events import simulate_saturated_cycles
from asymp.sample.regenerative import System, array_sums, sample_saturated


def rate(run: Callable[[], object], size: int, repeats: int = 3) -> float:
    """The best rate of some repeats, per second."""
    best = math.inf
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
    return size / best


def naive(system: System, size: int, seed: int = 0) -> tuple[float, float]:
    """(throughput, E[Delta(Y_d)]) from N and T as they stand."""
    rng = np.random.default_rng(seed)
    jobs = time_sum = squares = cross = 0.0
    for start in range(0, size, 1 << 18):
        m = min(1 << 18, size - start)
        # rng.geometric ends at 2^63: inversion, as its documentation advises
        g = np.floor(np.log(rng.random(m)) / math.log1p(-system.p))
        d = np.minimum(g, system.n - 1)
        drain = np.where(d > 0, -np.log1p(-(rng.random(m) ** (1 / np.maximum(d, 1))) * (1 - 1e-16)), 0.0) / system.mu1
        overflow = rng.gamma(np.maximum(g - d, 0)) / (system.n * system.mu1)
        t = rng.standard_exponential(m) / system.mun + drain + overflow
        jobs, time_sum = jobs + (g + 1).sum(), time_sum + t.sum()
        squares, cross = squares + ((g + 1) ** 2).sum() + 0.0, cross + ((g + 1) * t).sum()
        last = (g + 1, t)
    mu = jobs / time_sum
    # The dispersion from the last block alone: enough to see its digits.
    dispersion = ((last[0] - mu * last[1]) ** 2).mean() / last[0].mean()
    return mu, (dispersion - 1) / 2


def array_path(there: Backend, system: System, size: int) -> None:
    """The array path, whatever is compiled."""
    generators = there.generators(0)
    for start in range(0, size, there.block):
        generator, m = next(generators), min(there.block, size - start)
        array_sums(there, *(generator.standard_exponential(m) for _ in range(3)), system, 0.0)


def main() -> None:
    arguments = argparse.ArgumentParser(description="cycles per second of the 1-and-n sampler")
    arguments.add_argument("--size", type=int, default=4_000_000, help="cycles a measurement")
    arguments.add_argument("--device", default="auto", choices=["auto", "cpu", "gpu"])
    options = arguments.parse_args()
    devices = ["cpu"]
    try:
        if options.device != "cpu":
            backend("gpu")
            devices.append("gpu")
    except DeviceError as reason:
        print(f"({reason})")
    size = options.size
    print(f"compiled kernel: {'numba' if kernels.available() else 'no'}; {size:.0e} cycles a measurement\n")
    print(f"{'regime':22s} {'path':34s} {'Mcycles/s':>10s} {'x naive':>8s}   E[Delta(Y_d)]")
    for alpha in (0.5, 1.0, 2.0, 3.0):
        n = 1e8
        system = System(n, math.exp(-alpha * math.log(n)), 1.0, 1.0)
        regime = f"n=1e8, p=n^-{alpha:g}"
        found: list[tuple[float, float]] = []
        base = rate(lambda s=system, f=found: f.append(naive(s, size // 4)), size // 4, 2)
        print(f"{regime:22s} {'naive NumPy':34s} {base / 1e6:10.2f} {1:8.2f}   {found[-1][1]:.6g}")
        for device in devices:
            there = backend(device)
            array_path(there, system, there.block)
            speed = rate(lambda b=there, s=system: array_path(b, s, size), size)
            print(f"{'':22s} {f'array, {there}':34s} {speed / 1e6:10.2f} {speed / base:8.2f}")
            if device == "cpu" and not kernels.available():
                continue
            kept: list[dict[str, Estimate]] = []

            def run(s: System = system, k: list[dict[str, Estimate]] = kept, where: str = device) -> None:
                k.append(sample_saturated(s.n, s.p, s.mu1, s.mun, size, device=where))

            run()
            speed = rate(run, size)
            name = "sample_saturated, " + ("compiled" if device == "cpu" else there.device)
            mean = kept[-1]["mean-relative-completions"]
            print(
                f"{'':22s} {name:34s} {speed / 1e6:10.2f} {speed / base:8.2f}   {mean.value:.6g} +- {mean.stderr:.1g}"
            )
    print(f"\n{'n (p = 1/n)':22s} {'path':34s} {'Mcycles/s':>10s} {'ratio':>8s}")
    for n in (2, 8, 64, 512):
        system = System(float(n), 1 / n, 1.0, 1.0)
        cycles = max(4_000_000 // n**2, 200)
        simulate_saturated_cycles(system, 10)
        slow = rate(lambda s=system, c=cycles: simulate_saturated_cycles(s, c), cycles)
        fast = rate(lambda s=system: sample_saturated(s.n, s.p, 1.0, 1.0, size, device="cpu"), size)
        print(f"{n:<22d} {'event by event, compiled':34s} {slow / 1e6:10.4f}")
        print(f"{'':22s} {'sample_saturated':34s} {fast / 1e6:10.2f} {fast / slow:8.0f}")


if __name__ == "__main__":
    main()
