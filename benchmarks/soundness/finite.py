"""Statements about finite values: identities and bounds, true ones and ones that fail somewhere.

Where a bound fails is stated with it, and evaluated by mpmath: the point is one that a grid is unlikely to hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import mpmath as mp
import sympy as sp

from asymp.parse import parse_expression
from benchmarks.soundness import numeric
from benchmarks.soundness.statements import Statement

IDENTITIES = (
    "(n+1)^2 = n^2 + 2*n + 1",
    "(n+1)^3 = n^3 + 3*n^2 + 3*n + 1",
    "1/n - 1/(n+1) = 1/(n*(n+1))",
    "Sum(2^k,(k,0,n)) = 2^(n+1) - 1",
    "Sum(3^k,(k,0,n)) = (3^(n+1) - 1)/2",
    "2^(n+3) = 8*2^n",
    "4^n = (2^n)^2",
    "exp(2*n) = exp(n)^2",
    "n*(n+1)/2 + n + 1 = (n+1)*(n+2)/2",
    "(2^n + 1)*(2^n - 1) = 4^n - 1",
    "(n+2)/(n+1) = 1 + 1/(n+1)",
    "log(n^2) = 2*log(n)",
    "factorial(n+1) = (n+1)*factorial(n)",
    "binomial(n,2) = n*(n-1)/2",
    "harmonic(n+1) = harmonic(n) + 1/(n+1)",
    "Sum(1/k,(k,1,n)) = harmonic(n)",
)
"""True for every n >= 1."""


def identities() -> Iterator[Statement]:
    """The identities, and each with its right side changed by at least one part in 10^60."""
    for text in IDENTITIES:
        yield Statement(f"{text} for n >= 1", None, (), True, "identity")
        left, right = text.split(" = ")
        for extra in (f"({right}) + 1", f"-({right})", f"({right}) + 10^-60", f"(1 + 10^-60)*({right})",
                      f"({right}) + (n-7919)/10^30", f"({right}) + 10^-40*(n-1)*(n-2)*(n-3)*(n-4)"):
            yield Statement(f"{left} = {extra} for n >= 1", None, (), False, "identity", "changed by hand")


@dataclass(frozen=True)
class Inequality:
    """``text for n >= start``; ``fails`` is a point where it is false ('' where it is true)."""

    text: str
    start: str
    fails: str = ""


TRUE_BOUNDS = (
    Inequality("log(n) <= n", "1"),
    Inequality("log(n) < n", "1"),
    Inequality("n < n^2", "2"),
    Inequality("exp(n) >= n^3", "5"),
    Inequality("exp(n) >= 1 + n", "1"),
    Inequality("2^n >= n^2", "4"),
    Inequality("2^n > n", "1"),
    Inequality("log(n+1) - log(n) >= 1/(n+1)", "1"),
    Inequality("log(n+1) - log(n) <= 1/n", "1"),
    Inequality("harmonic(n) <= 1 + log(n)", "1"),
    Inequality("harmonic(n) > log(n)", "1"),
    Inequality("harmonic(n) >= log(n) + 1/2", "1"),
    Inequality("sqrt(n+1) - sqrt(n) <= 1/(2*sqrt(n))", "1"),
    Inequality("n^2 + 1 >= 2*n", "1"),
    Inequality("n*log(n) - n + 1 >= 0", "1"),
    Inequality("(1+1/n)^n < 3", "1"),
    Inequality("1/(n+1) < 1/n", "1"),
    Inequality("sqrt(n) <= n", "1"),
    Inequality("log(n) <= 2*sqrt(n)", "1"),
    Inequality("n^3 >= n", "1"),
)
FALSE_BOUNDS = (
    # from some point on, beyond what a plot shows
    Inequality("n <= 10^25", "1", "1e26"),
    Inequality("n <= 10^300", "1", "1e301"),
    Inequality("log(n) <= 700", "1", "1e400"),
    Inequality("log(n)^3 <= n", "1", "20"),
    Inequality("log(n) >= n^(1/100)", "3", "1e400"),
    Inequality("log(log(n)) <= 8", "3", "1e3000"),
    Inequality("n^(1/1000) <= 2", "1", "1e302"),
    Inequality("harmonic(n) <= 50", "1", "1e30"),
    Inequality("harmonic(n) <= log(n) + 0.57721566490153286060651209", "1", "3"),
    Inequality("harmonic(n) >= log(n) + 0.57721566490153286060651209009", "1", "1e40"),
    Inequality("harmonic(n) >= log(n) + 0.5772156650", "1", "1e20"),
    Inequality("exp(n) <= 10^30*n^5", "1", "1000"),
    Inequality("(1+1/n)^n <= 2.718281828459045235360287471352", "1", "1e32"),
    Inequality("n*log(1+1/n) <= 1 - 10^-35", "1", "1e40"),
    Inequality("sqrt(n+1) - sqrt(n) >= 10^-20", "1", "1e50"),
    Inequality("1/n >= 10^-22", "1", "1e23"),
    Inequality("n - log(n) >= (1 - 10^-24)*n", "100", "100"),
    # at a few points in the middle
    Inequality("(n-12345)^2 >= 1", "1", "12345"),
    Inequality("(n-777)^2*(n-7919)^2 > 0", "1", "777"),
    Inequality("(n-31337)^2 >= 1/1000", "1", "31337"),
    Inequality("(n-12345)*(n-12347) >= 0", "1", "12346"),
    Inequality("n^3 >= 3*n^2*17 - 3*n*289 + 4912 + 2 - 17*(n-17)^2", "1", "17"),
    Inequality("n^2 + 10^8 > 20000*n", "1", "10000"),
    Inequality("exp(n - 123) >= 1 + (n - 123) + 10^-9", "1", "123"),
    Inequality("n/500 - 1 - log(n/500) > 0", "1", "500"),
    Inequality("n*log(n) - n*(1 + log(360)) + 360 >= 1/10^6", "1", "360"),
    Inequality("1/n + n/640000 > 1/400", "1", "800"),
    Inequality("2^n >= n^3", "1", "2"),
    Inequality("2^n >= n^10", "1", "40"),
    Inequality("exp(n) >= n^20", "1", "40"),
    Inequality("1.001^n >= n^2", "1", "5000"),
    Inequality("sqrt(n) >= log(n)^2", "60", "1000"),
    Inequality("n^(1/4) >= log(n)", "1", "1000"),
    Inequality("harmonic(n) - log(n) <= 0.58", "1", "150"),
    Inequality("harmonic(n) <= log(n) + 0.6", "1", "15"),
    # between whole numbers nothing is asserted, at a half-open end it is
    Inequality("n > 5", "5", "5"),
    Inequality("n^2 > 25", "5", "5"),
    Inequality("log(n) > 0", "1", "1"),
    Inequality("(n-3)^4 > 0", "2", "3"),
)


def bounds() -> Iterator[Statement]:
    """True bounds, their mutants that fail at the first point or far out, and the list of false ones."""
    for item in TRUE_BOUNDS:
        yield Statement(f"{item.text} for n >= {item.start}", None, (), True, "bound")
        left, op, right = _parts(item.text)
        flipped = {"<=": ">", "<": ">=", ">=": "<", ">": "<="}[op]
        for bad in (f"{left} {flipped} {right}", f"({left}) - ({right}) {flipped[0]} 0", f"({left})*(-1) {op} ({right})*(-1)"):
            point = _failure(bad, ("1", "5", "17", "1e3", "1e6"), float(item.start))
            if point:
                yield Statement(f"{bad} for n >= {item.start}", None, (), False, "bound", f"fails at n = {point}")
    for item in FALSE_BOUNDS:
        if _failure(item.text, (item.fails,), float(item.start)):
            yield Statement(f"{item.text} for n >= {item.start}", None, (), False, "bound", f"fails at n = {item.fails}")
    for k in (137, 1009, 65537, 123457, 1000003):
        for text in (f"(n-{k})^2 >= 1/2", f"(n-{k})^4 + 10^-9 > 10^-8", f"n + {k}^2/n > 2*{k}", f"(n-{k})*(n-{k}-1) >= (n-{k})/2",
                     f"n^2 - {2 * k}*n + {k * k} > 0", f"log(n/{k}) <= n/{k} - 1 - 10^-20", f"Abs(n-{k}) >= 1"):
            point = _failure(text, (str(k), str(k + 1)), 1.0)
            if point:
                yield Statement(f"{text} for n >= 1", None, (), False, "bound", f"fails at n = {point}")


def _parts(text: str) -> tuple[str, str, str]:
    for op in (" <= ", " >= ", " < ", " > "):
        if op in text:
            left, right = text.split(op)
            return left, op.strip(), right
    raise ValueError(text)


def _failure(text: str, at: tuple[str, ...], start: float) -> str:
    """A point at or after the start where the bound is false, or ''."""
    left, op, right = _parts(text)
    n = sp.Symbol("n", positive=True)
    difference = parse_expression(f"({left}) - ({right})", {"n": n})
    for point in at:
        with mp.workdps(500):
            if mp.mpf(point) < start:
                continue
            value = numeric.compiled(difference, (n,))(mp.mpf(point))
            if abs(value) < mp.mpf(10) ** -450:
                value = mp.mpf(0)
            if not {"<=": value <= 0, "<": value < 0, ">=": value >= 0, ">": value > 0}[op]:
                return point
    return ""
