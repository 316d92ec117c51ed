"""Certified numbers of the two-class multiserver-job system: time against n, and against exact and direct sums.

    python benchmarks/two_class.py [--most 12] [> benchmarks/results/DATE-two-class.txt]

Seconds are of the processor; the first number of a quantity, which builds its plan, is not timed.  Ratios are of the same run.
"""

from __future__ import annotations

import argparse
import platform
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from flint import arb, ctx, fmpq

from asymp.enclosure import Undecided, enclose_quantity, prepare
from asymp.queues.two_class import TwoClass
from asymp.registry import find_quantity

Numbers = tuple[int, int, int, str, str, str]
THROUGHPUT, WASTAGE = (find_quantity(f"twoclass/{name}") for name in ("throughput", "wastage"))
HALF, THIRD = "1/2", "1/3"
SHAPES: dict[str, Callable[[int], tuple[int, int]]] = {
    "1, 2": lambda n: (1, 2),
    "3, 10": lambda n: (3, 10),
    "1, 100": lambda n: (1, min(100, n)),
    "7, 701": lambda n: (7, min(701, n)),
    "1, sqrt n": lambda n: (1, max(2, int(n**0.5))),
    "1, n/3": lambda n: (1, n // 3),
    "1, n": lambda n: (1, n),
    "n/3, n/2": lambda n: (n // 3, n // 2),
}
HARD: list[Numbers] = [
    (n1, n2, 10**8, p1, "1", mu2)
    for n1, n2 in (
        (1, 2), (1, 100), (1, 257), (1, 1000), (1, 10**4), (1, 10**6), (1, 33_333_333), (1, 10**8), (7, 701), (70, 701),
    )
    for p1, mu2 in (("0.99999999", "1e-6"), ("0.99999999", "1"), ("0.00000001", "1e6"), ("0.99", "1"))
]


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    """Processor time, and what came out."""
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def certified(quantity: Any, numbers: Numbers) -> Any:
    """30 digits, or None."""
    raw = dict(zip(("n1", "n2", "n", "p1", "mu1", "mu2"), map(str, numbers), strict=True))
    try:
        return enclose_quantity(quantity, raw, 30)
    except Undecided:
        return None


def added(numbers: Numbers) -> arb:
    """The throughput by adding up all states in balls of 200 bits."""
    n1, n2, n, *rest = numbers
    with ctx.workprec(200):
        p, m1, m2 = (arb(fmpq(x.numerator, x.denominator)) for x in map(Fraction, rest))
        later = [arb(1)]
        for j in range(1, n // n2 + 1):
            later.append(later[-1] * (1 - p) * (1 + ((n - j * n2) // n1) * m1 / (j * m2)))
        first, mass, spent = arb(1), arb(0), arb(0)
        for a in range(n // n1 + 1):
            b = (n - a * n1) // n2
            first = first * p * (1 + b * m2 / (a * m1)) if a else first
            weight = first * later[b] * (1 - p if n - a * n1 - b * n2 >= n1 else 1)
            mass, spent = mass + weight, spent + weight / (a * m1 + b * m2)
        return mass / spent


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=12, help="decimal exponent of the largest n")
    most = parser.parse_args().most
    for quantity in (THROUGHPUT, WASTAGE):
        prepare(quantity)
    print(f"python {platform.python_version()}, {platform.machine()}; seconds of the processor\n")
    exponents = [k for k in (2, 4, 6, 8, 10, 12, 20, 100) if k <= most]
    print("throughput to 30 digits, p1 = 1/2, mu1 = 1, mu2 = 1/3: seconds at n = 10^k, and over those at the n before")
    print(f"{'n1, n2':>10s}" + "".join(f"{f'k = {k}':>16s}" for k in exponents))
    for name, shape in SHAPES.items():
        line, before = "", None
        for k in exponents:
            took, found = seconds(lambda k=k, shape=shape: certified(THROUGHPUT, (*shape(10**k), 10**k, HALF, "1", THIRD)))
            ratio = "" if before is None else f" ({took / before:5.1f})"
            line += f"{'undecided' if found is None else f'{took:.3f}{ratio}':>16s}"
            before = took
        print(f"{name:>10s}{line}", flush=True)
    print("\nn = 10^8, p1 near 0 or 1 and rates far apart: seconds for throughput and for wastage")
    for numbers in HARD:
        both = [seconds(lambda q=q, numbers=numbers: certified(q, numbers)) for q in (THROUGHPUT, WASTAGE)]
        print(f"  n1 = {numbers[0]}, n2 = {numbers[1]}, p1 = {numbers[3]}, mu2 = {numbers[5]}: "
              + ", ".join("undecided" if found is None else f"{took:.3f}" for took, found in both), flush=True)  # fmt: skip
    print("\nagainst the exact rational (all states), and against all states in balls: seconds, and over the certified number's")
    for n in (100, 1000, 4000, 10**4, 10**5, 10**6):
        numbers = (3, 10, n, HALF, "1", THIRD)
        quick, found = seconds(lambda numbers=numbers: certified(THROUGHPUT, numbers))
        line = f"  n1 = 3, n2 = 10, n = {n:>7d}: certified {quick:.4f}"
        if n <= 10**4:
            slow, true = seconds(lambda n=n: TwoClass(3, 10, n, HALF, 1, THIRD).means[0])
            assert true in found
            line += f", exact {slow:.4f} ({slow / quick:.1f})"
        slow, ball = seconds(lambda numbers=numbers: added(numbers))
        assert found.ball.overlaps(ball)
        print(f"{line}, all states {slow:.4f} ({slow / quick:.1f})", flush=True)


if __name__ == "__main__":
    main()
