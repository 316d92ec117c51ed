"""Exact sequences, by recurrences and sums of whole numbers and fractions: the independent route to what has no short formula."""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import Any

import mpmath as mp

__all__ = ["bells", "exact", "fubini"]


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
