"""Polynomials in one variable with rational coefficients.

>>> [str(c) for c in times([mpq(1), mpq(1)], [mpq(-1), mpq(1)])], str(value_at([mpq(1), mpq(2)], mpq(3)))
(['-1', '0', '1'], '7')
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import factorial, lcm

from flint import fmpq, fmpq_mat, fmpz_poly
from gmpy2 import mpq

from asymp.kernel.terms import Refused

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


def rational_zeros(p: Poly) -> tuple[list[mpq], Poly]:
    """The rational zeros, each as often as it is one, and what is left: a proposal.

    >>> zeros, rest = rational_zeros([mpq(0), mpq(-4), mpq(2)])
    >>> [str(x) for x in zeros], [str(c) for c in rest]
    (['0', '2'], ['2'])
    """
    rest = list(p)
    while len(rest) > 1 and not rest[-1]:
        rest.pop()
    scale = lcm(*(int(c.denominator) for c in rest))
    _, factors = fmpz_poly([int(c * scale) for c in rest]).factor()
    found = sorted(mpq(-int(q[0]), int(q[1])) for q, k in factors if q.degree() == 1 for _ in range(k))
    for x in found:
        rest = divided(rest, [-x, mpq(1)])[0]
    return found, rest


def solution(rows: Sequence[Sequence[mpq]]) -> list[mpq]:
    """That of linear equations, each with its right side for its last number: a proposal.

    Raises:
        Refused: there is not exactly one.

    >>> [str(x) for x in solution([[mpq(1), mpq(1), mpq(3)], [mpq(2), mpq(-1), mpq(0)], [mpq(3), mpq(0), mpq(3)]])]
    ['1', '2']
    """
    unknown = len(rows[0]) - 1 if rows else 0
    numbers = [fmpq(int(c.numerator), int(c.denominator)) for row in rows for c in row]
    table, rank = fmpq_mat(len(rows), unknown + 1, numbers).rref()
    if rank != unknown or not all(table[i, i] == 1 for i in range(unknown)):
        raise Refused("no one solution")
    return [mpq(int(table[i, unknown].p), int(table[i, unknown].q)) for i in range(unknown)]


def moved(p: Poly, by: mpq) -> Poly:
    """The coefficients of P(x + by)."""
    c = list(p)
    for i in range(len(c) - 1):
        for j in range(len(c) - 2, i - 1, -1):
            c[j] += by * c[j + 1]
    return c


def derived(p: Poly) -> Poly:
    """The derivative."""
    return [k * c for k, c in enumerate(p)][1:] or [mpq(0)]
