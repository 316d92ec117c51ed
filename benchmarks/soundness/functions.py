"""Inequalities between functions of the table that fail at a point which mpmath evaluates, by little or by much.

A row of the table is believed by the kernel: where a function is real, its range, slope, parity, derivative.  A wrong one
would make theorems of what fails here.  Of two of three statements the domain is an interval in which all is defined; of the
third it may reach beyond, where the statement has no meaning.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import mpmath

from benchmarks.soundness.statements import Statement


def _catalan(x: Any) -> Any:
    return 4**x * mpmath.gamma(x + 0.5) * mpmath.rgamma(x + 2) / mpmath.sqrt(mpmath.pi)


REAL = (Fraction(-6), Fraction(6))
ABOVE = (Fraction(1, 8), Fraction(9))
KNOWN: dict[str, tuple[Callable[[Any], Any], tuple[Fraction, Fraction]]] = {
    "exp": (mpmath.exp, REAL), "sin": (mpmath.sin, REAL), "cos": (mpmath.cos, REAL), "sinh": (mpmath.sinh, REAL),
    "cosh": (mpmath.cosh, REAL), "tanh": (mpmath.tanh, REAL), "sech": (mpmath.sech, REAL), "atan": (mpmath.atan, REAL),
    "asinh": (mpmath.asinh, REAL), "erf": (mpmath.erf, REAL), "erfc": (mpmath.erfc, REAL), "erfi": (mpmath.erfi, REAL),
    "airyai": (mpmath.airyai, REAL), "airybi": (mpmath.airybi, REAL), "Abs": (abs, REAL),
    "airyaiprime": (lambda x: mpmath.airyai(x, derivative=1), REAL),
    "log": (mpmath.log, ABOVE), "coth": (mpmath.coth, ABOVE), "csch": (mpmath.csch, ABOVE), "gamma": (mpmath.gamma, ABOVE),
    "loggamma": (mpmath.loggamma, ABOVE), "digamma": (mpmath.digamma, ABOVE), "Ei": (mpmath.ei, ABOVE), "E1": (mpmath.e1, ABOVE),
    "trigamma": (lambda x: mpmath.polygamma(1, x), ABOVE), "harmonic": (mpmath.harmonic, ABOVE),
    "LambertW": (mpmath.lambertw, ABOVE),
    "factorial": (mpmath.factorial, ABOVE), "catalan": (_catalan, ABOVE),
    "acosh": (mpmath.acosh, (Fraction(1), Fraction(9))), "zeta": (mpmath.zeta, (Fraction(9, 8), Fraction(9))),
    "li": (mpmath.li, (Fraction(9, 8), Fraction(9))),
    "asin": (mpmath.asin, (Fraction(-1), Fraction(1))), "acos": (mpmath.acos, (Fraction(-1), Fraction(1))),
    "atanh": (mpmath.atanh, (Fraction(-7, 8), Fraction(7, 8))),
    "tan": (mpmath.tan, (Fraction(-3, 2), Fraction(3, 2))), "sec": (mpmath.sec, (Fraction(-3, 2), Fraction(3, 2))),
    "cot": (mpmath.cot, (Fraction(1, 8), Fraction(3))), "csc": (mpmath.csc, (Fraction(1, 8), Fraction(3))),
    "besselk(1/2, ": (lambda x: mpmath.besselk(mpmath.mpf(1) / 2, x), ABOVE),
    "besselj(1, ": (lambda x: mpmath.besselj(1, x), ABOVE),
    "besseli(2, ": (lambda x: mpmath.besseli(2, x), ABOVE), "uppergamma(1/2, ": (lambda x: mpmath.gammainc(0.5, x), ABOVE),
    "expint(2, ": (lambda x: mpmath.expint(2, x), ABOVE), "lowergamma(2, ": (lambda x: mpmath.gammainc(2, 0, x), ABOVE),
}  # fmt: skip
MARGINS = ("1/10^30", "1/1000", "1/10", "1")


def _number(x: Fraction) -> Any:
    return mpmath.mpf(x.numerator) / x.denominator


def statements(count: int = 60, seed: int = 11) -> Iterator[Statement]:
    """Statements that fail at a point, or have no meaning."""
    rng = random.Random(seed)
    with mpmath.workdps(60):
        for k in range(count):
            low, high, parts, values = Fraction(-6), Fraction(9), [], []
            for name in rng.sample(sorted(KNOWN), rng.choice((1, 1, 2, 2, 3))):
                function, (a, b) = KNOWN[name]
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
                yield Statement(f"{text} {sign} {bound} {side} {margin} for {domain}", "", (), False, "functions", why)
