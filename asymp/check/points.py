"""Points of a range: where to look, where to cut, and how to write them.

>>> between(Fraction(1), Fraction(10**6)), short(10**20), [str(p) for p in constants_near(Fraction(2.718281828459045))]
(Fraction(1000, 1), '1e20', ['E', 'E'])
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import floor, isqrt

import sympy as sp


def constants_near(value: Fraction) -> Iterator[sp.Expr]:
    """Simple numbers within 1e-9 of a rational: q, q E, q/E, q pi, E^q, ln q, sqrt(q) for small rationals q."""
    x = float(value)
    forms: list[tuple[float, Callable[[sp.Rational], sp.Expr]]] = [
        (x, lambda q: q), (x / math.e, lambda q: q * sp.E), (x * math.e, lambda q: q / sp.E),
        (x / math.pi, lambda q: q * sp.pi), (x * x, lambda q: sp.sqrt(q)),
    ]  # fmt: skip
    if x > 0:
        forms.append((math.log(x), lambda q: sp.exp(q)))
    if abs(x) < 50:
        forms.append((math.exp(x), lambda q: sp.log(q)))
    for size, make in forms:
        q = Fraction(size).limit_denominator(24)
        if q != 0 and abs(float(q) - size) < 1e-9 * max(1.0, abs(size)):
            yield make(sp.Rational(q.numerator, q.denominator))


def points(low: Fraction, high: Fraction | None, whole: bool) -> Iterator[Fraction]:
    """Points strictly inside a range to try: near its lower end, far out, between whole numbers."""
    inside = [Fraction(k, 97) for k in range(1, 97)] + [Fraction(1, 10**6), 1 - Fraction(1, 10**6)]
    if high is not None:
        points = [low + (high - low) * part for part in inside]
    else:
        shifts = (Fraction(0), Fraction(1, 2), Fraction(99, 100), Fraction(1, 3))
        start = Fraction(floor(low))
        near = [start + k + s for k in range(60) for s in shifts]
        far = [Fraction(int(1.3**k)) + s for k in range(10, 60) for s in shifts]
        points = [*near, *far, *(low + part for part in inside)]
    for point in points:
        inner = point > low and (high is None or point < high)
        if inner and (not whole or point.denominator == 1):
            yield point


def between(a: Fraction, b: Fraction) -> Fraction:
    """The middle of a box; near the geometric mean where its ends differ in size."""
    if a > 0 and b > 4 * a:
        product = a * b
        root = Fraction(isqrt(product.numerator * product.denominator), product.denominator)
        simple = root.limit_denominator(64)
        if a < simple < b:
            return simple
    return (a + b) / 2


def short(value: Fraction | int) -> str:
    """A number in words: in full where that is short."""
    if -(10**9) < Fraction(value) < 10**9:
        text = str(value)
        return text if len(text) <= 30 else f"about {float(value):.6g}"
    power = floor(math.log10(abs(floor(value))))
    return f"1e{power}" if value == 10**power else f"about {'-' if value < 0 else ''}1e{power}"
