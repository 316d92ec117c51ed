"""Polynomials in one variable with rational coefficients.

>>> [str(c) for c in times([mpq(1), mpq(1)], [mpq(-1), mpq(1)])], str(value_at([mpq(1), mpq(2)], mpq(3)))
(['-1', '0', '1'], '7')
"""

from __future__ import annotations

from itertools import pairwise
from math import factorial

from gmpy2 import mpq

Poly = list[mpq]
"""Coefficients, the constant first."""


def times(p: Poly, q: Poly) -> Poly:
    """The product."""
    found = [mpq(0)] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            found[i + j] += a * b
    return found


def value_at(p: Poly, x: mpq) -> mpq:
    """P(x)."""
    found = mpq(0)
    for c in reversed(p):
        found = found * x + c
    return found


def divided(p: Poly, q: Poly) -> tuple[Poly, Poly]:
    """Quotient and rest; q has 1 for its highest coefficient."""
    rest, found = list(p), [mpq(0)] * max(1, len(p) - len(q) + 1)
    for k in range(len(p) - len(q), -1, -1):
        c = found[k] = rest[k + len(q) - 1]
        for j, d in enumerate(q):
            rest[k + j] -= c * d
    return found, rest[: len(q) - 1] or [mpq(0)]


def falling(p: Poly, m: mpq) -> Poly:
    """The coefficients of P(J - m) in J (J - 1) ... (J - i + 1): by Newton's differences at 0, 1, 2, ...

    >>> [str(c) for c in falling([mpq(0), mpq(0), mpq(1)], mpq(0))]
    ['0', '1', '1']
    """
    row = [value_at(p, j - m) for j in range(len(p))]
    found = []
    for i in range(len(p)):
        found.append(row[0] / factorial(i))
        row = [b - a for a, b in pairwise(row)]
    return found


def rising(a: mpq, k: int) -> mpq:
    """a (a + 1) ... (a + k - 1)."""
    found = mpq(1)
    for j in range(k):
        found *= a + j
    return found


def derived(p: Poly) -> Poly:
    """The derivative."""
    return [k * c for k, c in enumerate(p)][1:] or [mpq(0)]
