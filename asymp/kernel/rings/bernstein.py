"""The sign of a polynomial of one variable on an interval, by its coefficients in Bernstein's form.

On [0, 1] a polynomial is sum of b_k C(d, k) x^k (1 - x)^(d - k): where no b_k is negative and some b_k is positive, it is
positive for 0 < x < 1, and b_0, b_d are its values at the ends.  Where the b_k have different signs the interval is halved
(de Casteljau), which brings them near the values.

>>> sign_on([mpq(1, 2), mpq(-1), mpq(1)], mpq(0), mpq(1)), sign_on([mpq(1, 4), -1, 1], 0, 1)
(1, None)
>>> sign_on([mpq(0), mpq(-1), mpq(1)], mpq(1), None)
1
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import comb

from gmpy2 import mpq

from asymp.kernel.rings.polynomials import moved

MOST_PIECES = 200
MOST_DEGREE = 80


def sign_on(
    coefficients: Sequence[mpq | int], low: mpq | int, high: mpq | int | None, closed: Sequence[mpq] = ()
) -> int | None:
    """1 or -1 where a polynomial is positive, or negative, for all low < x < high (None: no end), and at ``closed``; else None.

    Args:
        coefficients: of x^0, x^1, ...

    >>> sign_on([-2, 3, -1], 0, 1), sign_on([-2, 3, -1], 1, 2), sign_on([-2, 3, -1], 0, 2)
    (-1, 1, None)
    """
    d = len(coefficients) - 1
    if d > MOST_DEGREE or d < 0 or (high is not None and low >= high):
        return None
    monomials = moved([mpq(c) for c in coefficients], mpq(low))
    if high is None:  # x = low + t/(1 - t), times (1 - t)^d
        bernstein = [c / comb(d, k) for k, c in enumerate(monomials)]
    else:
        scaled = [c * (mpq(high) - low) ** k for k, c in enumerate(monomials)]
        bernstein = [sum((scaled[j] * mpq(comb(k, j), comb(d, j)) for j in range(k + 1)), mpq(0)) for k in range(d + 1)]
    found = _sign(bernstein)
    if found and all(found * sum(c * x**k for k, c in enumerate(coefficients)) > 0 for x in closed):
        return found
    return None


def _sign(bernstein: list[mpq]) -> int | None:
    wanted, pieces = 0, [bernstein]
    for _ in range(MOST_PIECES):
        if not pieces:
            return wanted
        b = pieces.pop()
        signs = {(c > 0) - (c < 0) for c in b} - {0}
        if not signs:
            return None
        if len(signs) == 1:  # the sign at its ends too, so the same as of the other pieces
            wanted = signs.pop()
            continue
        left, right, row = [b[0]], [b[-1]], b
        while len(row) > 1:
            row = [(x + y) / 2 for x, y in pairwise(row)]
            left.append(row[0])
            right.append(row[-1])
        middle = (row[0] > 0) - (row[0] < 0)  # the value where it is halved
        if not middle or (wanted and middle != wanted):
            return None
        wanted = middle
        pieces += [right[::-1], left]
    return None
