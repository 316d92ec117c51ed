"""Certified values against the direct O(n) sum, in one run: ``python benchmarks/throughput.py [--n 1e8]``.

The throughput mu (Grosof & Ayhan 2025, Lemma 5.3) and E[Delta(Y_d)] (Lemma 5.5), p = 1/n:

- certified: 30 digits in ball arithmetic, at a cost that does not depend on n;
- direct: the sums of the lemmas in float64, chunked NumPy, with no evaluation of H_i beyond a cumulative sum.

Prints the times, their ratio, and the direct sum's relative error against the certified value.
"""

from __future__ import annotations

import argparse
import statistics
import time
from fractions import Fraction

import numpy as np

from asymp import registry
from asymp.claim import Quantity
from asymp.enclosure import Enclosure, enclose_quantity, prepare

CHUNK = 1 << 20
NAMES = ("lfms/throughput", "lfms/mean-relative-completions")


def direct_throughput(n: int, p: float, one: float, big: float) -> float:
    """Lemma 5.3 term by term."""
    log_rest, inner = np.log1p(-p), 0.0
    for low in range(1, n, CHUNK):
        b = np.arange(low, min(n, low + CHUNK), dtype=np.float64)
        inner += float(np.sum(np.exp(b * log_rest) / b))
    return 1 / p / (1 / big + float(np.exp(n * log_rest)) / (n * one * p) + inner / one)


def direct_relative(n: int, p: float, one: float, big: float) -> float:
    """Lemma 5.5 term by term."""
    mu = direct_throughput(n, p, one, big)
    log_rest, total, harmonic = np.log1p(-p), 0.0, 0.0
    for low in range(1, n, CHUNK):
        i = np.arange(low, min(n, low + CHUNK), dtype=np.float64)
        h = harmonic + np.cumsum(1 / i)
        total += float(np.sum(np.exp(i * log_rest) * p * (1 - mu / (i * one)) * (i - mu / one * h)))
        harmonic = float(h[-1])
    edge = n - 1 + 1 / p - mu / one * harmonic - mu / (n * p * one)
    return total + float(np.exp(n * log_rest)) * (1 - mu / (n * one)) * edge


def certified(quantity: Quantity, raw: dict[str, str], repeats: int) -> tuple[Enclosure, float, float, float]:
    """The value, and the first, least and median time in seconds."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        value = enclose_quantity(quantity, raw, digits=30)
        times.append(time.perf_counter() - start)
    return value, times[0], min(times), statistics.median(times)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", default="1e8", help="system size, up to 1e10 or so for the direct sum")
    parser.add_argument("--alpha", default="1", help="p = n^-alpha")
    parser.add_argument("--mu1", default="1")
    parser.add_argument("--mun", default="1")
    parser.add_argument("--repeats", type=int, default=15)
    options = parser.parse_args()
    size, alpha = Fraction(options.n), Fraction(options.alpha)
    raw = {"n": options.n, "alpha": options.alpha, "mu1": options.mu1, "mun": options.mun}
    one, big, n = float(Fraction(options.mu1)), float(Fraction(options.mun)), int(size)
    p = float(n) ** -float(alpha)
    registered = {quantity.id: quantity for quantity in registry.paper("lfms").quantities()}
    print(f"n = {options.n}, p = n^-{options.alpha}, mu1 = {options.mu1}, mun = {options.mun}; 30 certified digits")
    print(f"{'quantity':<32}{'first':>9}{'least':>9}{'median':>9}{'direct':>10}{'ratio':>9}{'error of direct':>17}")
    for name, direct in zip(NAMES, (direct_throughput, direct_relative), strict=True):
        quantity = registered[name]
        prepare(quantity)
        value, first, least, median = certified(quantity, raw, options.repeats)
        start = time.perf_counter()
        rough = direct(n, p, one, big)
        seconds = time.perf_counter() - start
        error = abs(rough / float(value.value) - 1)
        print(
            f"{name:<32}{first * 1e3:>7.2f}ms{least * 1e3:>7.2f}ms{median * 1e3:>7.2f}ms"
            f"{seconds:>9.2f}s{seconds / median:>9.0f}{error:>17.1e}"
        )
        print(f"    {value}")
    print("far beyond a direct sum:")
    for far in ("1e20", "1e100", "1e1000"):
        for name in NAMES:
            value, _, least, _ = certified(registered[name], {**raw, "n": far}, 3)
            print(f"    {name:<32}n = {far:<8}{least * 1e3:>7.2f}ms  {value}")


if __name__ == "__main__":
    main()
