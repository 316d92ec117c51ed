"""Inequalities between functions of the table that fail at a point which mpmath evaluates, by little or by much.

A row of the table is believed by the kernel: where a function is real, its range, slope, parity, derivative.  A wrong one
would make theorems of what fails here.  Of two of three statements the domain is an interval in which all is defined; of the
third it may reach beyond, where the statement has no meaning.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import mpmath

from benchmarks.by_mpmath import BY_MPMATH
from benchmarks.soundness.statements import Statement

REAL = (Fraction(-6), Fraction(6))
ABOVE = (Fraction(1, 8), Fraction(9))
BEYOND = (Fraction(9, 8), Fraction(9))
UNIT = (Fraction(-1), Fraction(1))
PERIOD = (Fraction(-3, 2), Fraction(3, 2))
KNOWN: dict[str, tuple[Fraction, Fraction]] = {
    **dict.fromkeys("exp sin cos sinh cosh tanh sech atan asinh erf erfc erfi airyai airybi airyaiprime Abs".split(), REAL),
    **dict.fromkeys("log coth csch gamma loggamma digamma trigamma harmonic factorial catalan Ei E1 LambertW".split(), ABOVE),
    **dict.fromkeys(("besselk(1/2, ", "besselj(1, ", "besseli(2, ", "uppergamma(1/2, ", "expint(2, ", "lowergamma(2, "), ABOVE),
    "acosh": (Fraction(1), Fraction(9)), "zeta": BEYOND, "li": BEYOND, "asin": UNIT, "acos": UNIT, "tan": PERIOD, "sec": PERIOD,
    "atanh": (Fraction(-7, 8), Fraction(7, 8)), "cot": (Fraction(1, 8), Fraction(3)), "csc": (Fraction(1, 8), Fraction(3)),
}  # fmt: skip
"""A name, with its first argument where it has two, and an interval in which it is defined."""
MARGINS = ("1/10^30", "1/1000", "1/10", "1")


def _number(x: Fraction) -> Any:
    return mpmath.mpf(x.numerator) / x.denominator


def _function(name: str) -> Callable[[Any], Any]:
    head, _, first = name.rstrip(", ").partition("(")
    return partial(BY_MPMATH[head], *([_number(Fraction(first))] if first else []))


def statements(count: int = 60, seed: int = 11) -> Iterator[Statement]:
    """Statements that fail at a point, or have no meaning."""
    rng = random.Random(seed)
    with mpmath.workdps(60):
        for k in range(count):
            low, high, parts, values = Fraction(-6), Fraction(9), [], []
            for name in rng.sample(sorted(KNOWN), rng.choice((1, 1, 2, 2, 3))):
                function, (a, b) = _function(name), KNOWN[name]
                low, high = max(low, a), min(high, b)
                factor = rng.choice(("", "", "-", "2*", "x*", "-1/3*"))
                parts.append(f"{factor}{name}{'' if '(' in name else '('}x)")
                values.append((factor, function))
            if low >= high:
                continue
            ends = sorted(low + (high - low) * Fraction(rng.randint(0, 8), 8) for _ in range(2))
            if ends[0] == ends[1]:
                continue
            at = ends[0] + (ends[1] - ends[0]) * rng.choice((Fraction(0), Fraction(1), Fraction(rng.randint(1, 15), 16)))
            x = _number(at)
            scales = {"": 1, "-": -1, "2*": 2, "x*": x, "-1/3*": mpmath.mpf(-1) / 3}
            there = sum(scales[factor] * mpmath.re(function(x)) for factor, function in values)
            if not mpmath.isfinite(there) or abs(there) > 1e12:
                continue
            beyond = 3 if k % 3 == 2 else 0
            bound = Fraction(int(mpmath.nint(there * 10**40)), 10**40)
            margin = rng.choice(MARGINS)
            domain = f"{ends[0] - beyond} <= x <= {ends[1]}"
            why = f"at x = {at} the left side is {mpmath.nstr(there, 20)}"
            text = " + ".join(parts).replace("+ -", "- ")
            for sign, side in (("<=", "-"), ("<", "-"), (">=", "+"), (">", "+")):
                yield Statement(f"{text} {sign} {bound} {side} {margin} for {domain}", None, (), False, "functions", why)
