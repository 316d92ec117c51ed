"""Exact sequences, by recurrences and sums of whole numbers and fractions: the independent route to what has no short formula."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from math import comb, isqrt
from typing import Any

import mpmath as mp

__all__ = [
    "bells", "bits", "divide", "divisors", "exact", "exactly", "fubini", "iterate", "maximum", "partitions", "recur", "sigmas",
]  # fmt: skip


def exact(value: Any) -> Any:
    """A whole number or a fraction, at mpmath's precision.

    >>> exact(3)
    mpf('3.0')
    """
    return mp.mpf(value.numerator) / value.denominator


@lru_cache(maxsize=100)
def bells(n: Any) -> int:
    """Bell's number, by the triangle of Peirce.

    >>> [bells(n) for n in range(6)]
    [1, 1, 2, 5, 15, 52]
    """
    row = [1]
    for _ in range(int(n)):
        following = [row[-1]]
        for one in row:
            following.append(following[-1] + one)
        row = following
    return row[0]


@lru_cache(maxsize=100)
def fubini(n: Any) -> int:
    """Ordered partitions of a set of n: a(n) = sum over k >= 1 of C(n, k) a(n - k).

    >>> [fubini(n) for n in range(5)]
    [1, 1, 3, 13, 75]
    """
    found = [1]
    for m in range(1, int(n) + 1):
        found.append(sum(comb(m, k) * found[m - k] for k in range(1, m + 1)))
    return found[int(n)]


def exactly(a: int, b: int) -> Fraction:
    """a/b."""
    return Fraction(a, b)


def recur(n: Any, first: Sequence[int], step: Callable[[int, list[Fraction]], Any]) -> Any:
    """a(n), where a begins with ``first``, and a(m) = step(m, a) from the values before it.

    >>> recur(10, [0, 1], lambda m, a: a[m - 1] + a[m - 2])
    mpf('55.0')
    """
    found = [Fraction(one) for one in first]
    for m in range(len(found), int(n) + 1):
        found.append(Fraction(step(m, found)))
    return exact(found[int(n)])


def iterate(n: Any, first: Any, step: Callable[[Any], Any]) -> Any:
    """x(n), where x(0) = ``first`` and x(m + 1) = step(x(m)).

    >>> iterate(3, 1, lambda x: 2 * x)
    mpf('8.0')
    """
    x = mp.mpf(first)
    for _ in range(int(n)):
        x = step(x)
    return x


def divide(n: Any, low: int, high: int, toll: Callable[[int], int], first: dict[int, int]) -> Any:
    """a(n) = low*a(floor(n/2)) + high*a(ceiling(n/2)) + toll(n), but for what is given of the first values.

    >>> divide(8, 1, 1, lambda m: m - 1, {1: 0}), divide(5, 1, 0, lambda m: 1, {1: 1})
    (mpf('17.0'), mpf('3.0'))
    """

    @cache
    def at(m: int) -> int:
        return first[m] if m in first else low * at(m // 2) + (high * at(m - m // 2) if high else 0) + toll(m)

    return mp.mpf(at(int(n)))


@lru_cache(maxsize=100)
def partitions(n: Any) -> int:
    """The number of partitions, by Euler's pentagonal numbers.

    >>> [partitions(n) for n in range(8)]
    [1, 1, 2, 3, 5, 7, 11, 15]
    """
    found = [1]
    for m in range(1, int(n) + 1):
        total, k = 0, 1
        while (k * (3 * k - 1)) // 2 <= m:
            sign = 1 if k % 2 else -1
            total += sign * found[m - k * (3 * k - 1) // 2]
            if k * (3 * k + 1) // 2 <= m:
                total += sign * found[m - k * (3 * k + 1) // 2]
            k += 1
        found.append(total)
    return found[int(n)]


def bits(n: Any) -> int:
    """All binary digits 1 of the numbers below n, digit by digit.

    >>> bits(8) == sum(k.bit_count() for k in range(8))
    True
    """
    m, found = int(n), 0
    for j in range(m.bit_length()):
        whole, rest = divmod(m, 2 << j)
        found += (whole << j) + max(0, rest - (1 << j))
    return found


def maximum(n: Any, tail: Callable[[Any], Any], near: Any) -> Any:
    """The integral of 1 - (1 - tail(t))^n from 0 on, which turns at t near ``near``: the mean of the largest of n.

    >>> abs(maximum(100, lambda t: mp.exp(-t), mp.log(100)) - mp.harmonic(100)) < 1e-10
    True
    """
    width = max(mp.mpf(1), abs(near))
    ends = [near * j / 16 for j in range(17)] + [near + width * mp.mpf(2) ** j for j in range(-6, 6)]

    def above(t: Any) -> Any:
        part = tail(t)
        return mp.mpf(1) if n * part > 1000 else -mp.expm1(n * mp.log1p(-part))

    return mp.quad(above, [*ends, mp.inf])


def divisors(n: Any) -> Any:
    """The divisors of all numbers up to n, counted by Dirichlet's hyperbola.

    >>> int(divisors(10))
    27
    """
    m = int(n)
    root = isqrt(m)
    return mp.mpf(2 * sum(m // k for k in range(1, root + 1)) - root * root)


def sigmas(n: Any) -> Any:
    """The sum of the divisors of all numbers up to n.

    >>> int(sigmas(10))
    87
    """
    m = int(n)
    return mp.mpf(sum(k * (m // k) for k in range(1, m + 1)))
