"""Blocking under insensitive load balancing, certified to 30 digits: against the finite sum, Erlang's recursion and mpmath.

    python benchmarks/insensitive.py [--recursion 8] [> benchmarks/results/DATE-insensitive.txt]

Seconds are of the processor, of one run; the first number of a kind, which builds its plan and its nodes, is not timed.  Peers:
the paper's finite sum (the normalisation of (12): of m! c_m/(n rho)^m over m <= n theta, c_m the coefficients of g^n by their
recurrence, in doubles with scaling: unstable for theta > 1 and rho < 1, as the digits show); at theta = 1 the recursion for
Erlang's formula that the paper speaks of, in doubles and in balls; mpmath's quadrature of the integral, told where the peak is
and how wide.  Digits: those that agree with the ball.
"""

from __future__ import annotations

import argparse
import math
import platform
import time
from collections.abc import Callable
from typing import Any

import mpmath
import numba
import numpy as np
from flint import arb, ctx

from asymp.enclosure import enclose_quantity
from asymp.registry import find_quantity

BLOCKING = find_quantity("ilb/blocking")
LOADS = ("1/10", "1/2", "1-1e-6", "1", "1+1e-6", "3/2", "10")


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    """Processor time, and what came out."""
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def certified(theta: int, n: int, digits: int = 30, **load: str) -> Any:
    """The certified number."""
    return enclose_quantity(BLOCKING, {"theta": str(theta), "n": str(n), **load}, digits)


@numba.njit(cache=False)
def finite_sum(theta: int, n: int, rho: float, inverse: np.ndarray) -> float:
    """ln(1/B): u_m = m! c_m (n rho)^-m by g (g^n)' = n g' g^n, in doubles, scaled where they grow; all n theta + 1 terms."""
    a = n * rho
    last = np.zeros(theta + 1)  # u_m, u_(m-1), ...
    last[0] = 1.0
    total, scale = 1.0, 0.0
    for m in range(n * theta):
        found, step = 0.0, 1.0
        for k in range(1, theta + 1):
            if k > m + 1:
                break
            step = step * (m + 2 - k) / a if k > 1 else 1.0 / a
            found += (n * k - (m + 1 - k)) * inverse[k] * last[k - 1] * step
        for k in range(theta, 0, -1):
            last[k] = last[k - 1]
        last[0] = found
        total += found
        if total > 1e200:
            total *= 1e-200
            scale += 200.0 * math.log(10.0)
            for k in range(theta + 1):
                last[k] *= 1e-200
    return math.log(total) + scale


@numba.njit(cache=False)
def erlang_doubles(n: int, a: float) -> float:
    """1/B by 1 + (j/a)/B(j-1), which does not underflow before B does."""
    inverse = 1.0
    for j in range(1, n + 1):
        inverse = 1.0 + inverse * j / a
    return inverse


def erlang_balls(n: int, rho: str) -> arb:
    """The same in balls of 128 bits."""
    with ctx.workprec(128):
        top, _, bottom = rho.partition("/")
        a = n * arb(top) / arb(bottom or "1")
        inverse = arb(1)
        for j in range(1, n + 1):
            inverse = 1 + inverse * j / a
        return 1 / inverse


def by_mpmath(theta: int, n: int, rho: str, digits: int = 30) -> Any:
    """B by mpmath's quadrature around the peak of the integrand, which is searched for first."""
    with mpmath.workdps(digits + 20):
        top, _, bottom = rho.partition("/")
        load = mpmath.mpf(top) / mpmath.mpf(bottom or 1)
        inverse = [1 / mpmath.factorial(k) for k in range(theta, -1, -1)]

        def exponent(t: Any) -> Any:
            return n * (mpmath.log(mpmath.polyval(inverse, t)) - load * t)

        low, high = mpmath.mpf(0), theta / load + 1
        while high - low > mpmath.mpf(10) ** -(digits // 2 + 2):
            one, two = low + (high - low) / 3, high - (high - low) / 3
            low, high = (one, high) if exponent(one) < exponent(two) else (low, two)
        peak_at = low if low > mpmath.mpf(10) ** -(digits // 2) else mpmath.mpf(0)
        peak, width = exponent(peak_at), mpmath.mpf(1) / n**2
        while exponent(peak_at + width) > peak - 1:
            width *= mpmath.mpf(3) / 2
        points = sorted({max(mpmath.mpf(0), peak_at + k * width) for k in range(-14, 15, 2)} | {peak_at + 80 * width})
        whole = mpmath.quad(lambda t: mpmath.exp(exponent(t) - peak), points)
        return mpmath.exp(-peak) / (n * load * whole)


def agreeing(found: Any, ball: Any) -> int:
    """Decimal digits that agree with the certified number."""
    with mpmath.workdps(60):
        true = mpmath.mpf(ball.value)
        gap = abs(mpmath.mpf(found) / true - 1)
        if not mpmath.isfinite(gap):
            return 0
        return 30 if gap < mpmath.mpf(10) ** -30 else max(0, int(-mpmath.log10(gap)))


def best_of_five(theta: int, n: int, rho: str) -> tuple[float, Any]:
    """The least time of five, warm, and the number."""
    certified(theta, n, rho=rho)
    return min((seconds(lambda: certified(theta, n, rho=rho)) for _ in range(5)), key=lambda found: found[0])


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--recursion", type=int, default=8, help="decimal exponent of n for Erlang's recursion in balls")
    arguments = parser.parse_args()
    print(f"python {platform.python_version()}, {platform.machine()}; seconds of the processor\n")
    print("30 certified digits of blocking: milliseconds, the least and the most of 5")
    for n in (10**3, 10**8, 10**15, 10**100):
        for theta in (1, 2, 5, 10):
            line = []
            for load in [{"rho": rho} for rho in LOADS] + [{"a": a} for a in ("-30", "-3", "3", "30")]:
                if n == 10**3 and "a" in load and theta < 3:
                    continue
                certified(theta, n, **load)
                times = [1000 * seconds(lambda n=n, theta=theta, load=load: certified(theta, n, **load))[0] for _ in range(5)]
                line.append((min(times), max(times)))
            print(f"  n = {n:.0e}, theta = {theta:2d}: " + ", ".join(f"{a:.1f}-{b:.1f}" for a, b in line), flush=True)
    n = 10**8
    print("\nn = 10^8: the finite sum of n theta + 1 terms in doubles, with its logarithm, and mpmath's quadrature to 30 digits")
    finite_sum(2, 10, 1.0, np.ones(3))
    for theta, rho in ((1, "1/2"), (1, "1"), (2, "1/2"), (2, "1"), (2, "3/2"), (3, "1"), (5, "1"), (10, "1"), (10, "1/2")):
        quick, ball = best_of_five(theta, n, rho)
        line = f"  theta = {theta:2d}, rho = {rho:>4s}: certified {1000 * quick:.2f} ms"
        if theta <= 3:
            inverse = np.array([1 / math.factorial(k) for k in range(theta + 1)])
            load = float(mpmath.fraction(*map(int, (rho + "/1").split("/")[:2])))
            slow, log_ = seconds(lambda theta=theta, load=load, inverse=inverse: finite_sum(theta, n, load, inverse))
            with mpmath.workdps(60):
                line += f"; sum {slow:.2f} s, {agreeing(mpmath.exp(-mpmath.mpf(log_)), ball)} digits, ratio {slow / quick:.0f}"
        slow, other = seconds(lambda theta=theta, rho=rho: by_mpmath(theta, n, rho))
        print(f"{line}; mpmath {slow:.2f} s, {agreeing(other, ball)} digits, ratio {slow / quick:.0f}", flush=True)
    print("\ntheta = 1, rho = 1: Erlang's recursion")
    erlang_doubles(10, 1.0)
    for k in sorted({6, arguments.recursion}):
        n = 10**k
        quick, ball = best_of_five(1, n, "1")
        fast, inverse = seconds(lambda n=n: erlang_doubles(n, float(n)))
        slow, other = seconds(lambda n=n: erlang_balls(n, "1"))
        assert ball.ball.overlaps(other)
        print(f"  n = 10^{k}: certified {1000 * quick:.2f} ms; doubles {fast:.2f} s, {agreeing(1 / inverse, ball)} digits, "
              f"ratio {fast / quick:.0f}; balls of 128 bits {slow:.1f} s, "
              f"{int(other.rel_accuracy_bits() * 0.30103)} digits, ratio {slow / quick:.0f}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
