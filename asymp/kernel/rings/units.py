"""Logarithms of a + b d^(1/2) > 0, whole a, b and d, in one form for conjugates and powers of one number.

With N = a^2 - b^2 d and V = (|a| + |b| d^(1/2))^2/|N|, whose norm is 1, the logarithm is log|N|/2 + s log(V)/2, where s = 1 if
a and b have one sign, and -1 else; and if V is an algebraic integer, it is a power W^k of a W > 1 of norm e = 1 or -1, found by
its trace t: that of W^k is L_k, L_0 = 2, L_1 = t, L_k = t L_(k-1) - e L_(k-2), which increases in t.  So W^k = V, as both are the
root above 1 of x^2 - L_k x + 1.

>>> logarithm_of(17, 12, 2)  # 4 log(1 + 2^(1/2))
(mpq(1,1), mpq(4,1), (1, 1))
>>> logarithm_of(2, -1, 2)  # log(2)/2 - log(1 + 2^(1/2))
(mpq(2,1), mpq(-1,1), (1, 1))
>>> logarithm_of(3, 1, 2)
(mpq(1,1), mpq(1,1), (3, 1))
"""

from __future__ import annotations

from math import gcd, isqrt

from gmpy2 import mpq

MOST_BITS = 300


def logarithm_of(a: int, b: int, d: int) -> tuple[mpq, mpq, tuple[int, int]]:
    """c, k and (u, v), where log(a + b d^(1/2)) = log(c)/2 + k log(u + v d^(1/2)), u and v positive without a common factor.

    Args:
        a, b: whole numbers other than 0 with no common factor.
        d: a whole number that is no square; a + b d^(1/2) > 0.
    """
    if isqrt(d) ** 2 == d:
        return mpq(1), mpq(1), (a, b)
    norm, sign = abs(a * a - b * b * d), 1 if a * b > 0 else -1
    a, b = abs(a), abs(b)
    trace = mpq(2 * (a * a + b * b * d), norm)
    if trace.denominator != 1 or a.bit_length() + b.bit_length() > MOST_BITS:
        return (mpq(1), mpq(1), (a, b)) if sign == 1 else (mpq(norm) ** 2, mpq(-1), (a, b))
    t, e, k = int(trace), 1, 1
    while (found := _root(t, e, d)) is not None:
        t, e, k = found[0], found[1], k * found[2]
    # W = (t + r d^(1/2))/2
    r = isqrt((t * t - 4 * e) // d) if (t * t - 4 * e) % d == 0 else 0
    if r * r * d != t * t - 4 * e or not r:  # whose root has a denominator
        return (mpq(1), mpq(1), (a, b)) if sign == 1 else (mpq(norm) ** 2, mpq(-1), (a, b))
    shared = gcd(t, r)
    half = mpq(sign * k, 2)
    scale = mpq(shared, 2)  # W = scale (u + v d^(1/2))
    return mpq(norm) * _whole_power(scale, 2 * half), half, (t // shared, r // shared)


def _whole_power(x: mpq, k: mpq) -> mpq:
    n = int(k)
    return x**n if n >= 0 else 1 / x ** (-n)


def _root(t: int, e: int, d: int) -> tuple[int, int, int] | None:
    """Trace and norm of W, and k > 1, where W^k is what has this trace and norm, and W is made of whole numbers and d^(1/2)."""
    for k in (2, 3, 5, 7):
        for own in (1, -1):
            if own**k != e:
                continue
            low, high = 1, t + 2
            while low < high:
                middle = (low + high) // 2
                low, high = (middle + 1, high) if _trace(middle, own, k) < t else (low, middle)
            square = low * low - 4 * own
            if _trace(low, own, k) == t and square > 0 and square % d == 0 and isqrt(square // d) ** 2 == square // d:
                return low, own, k
    return None


def _trace(t: int, e: int, k: int) -> int:
    """L_k."""
    before, found = 2, t
    for _ in range(k - 1):
        before, found = found, t * found - e * before
    return found
