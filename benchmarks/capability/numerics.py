"""Exact quantities at huge n by mpmath alone: quadrature in the natural scale, continued fractions, Newton's method."""

from __future__ import annotations

from collections.abc import Callable

import mpmath as mp


def gaussian_window() -> mp.mpf:
    """Beyond this many standard deviations a Gaussian is below the working precision."""
    return mp.sqrt(2 * mp.mp.prec * mp.ln2) + 2


def peak(exponent: Callable[[mp.mpf], mp.mpf], at: mp.mpf, width: mp.mpf, low: mp.mpf | None = None) -> mp.mpf:
    """``integral of exp(exponent(t) - exponent(at))`` about a Gaussian peak of the width, from ``low`` if it is near.

    What lies beyond the window is below the working precision; t = at + width*s is smooth in s.
    """
    window, top = gaussian_window(), exponent(at)
    start = -window if low is None else max(-window, (low - at) / width)
    points = sorted({start, start / 2 if low is None else (start + window) / 4, mp.mpf(0) if start < 0 else start, window})
    return width * mp.quad(lambda s: mp.exp(exponent(at + width * s) - top), points)


def end(function: Callable[[mp.mpf], mp.mpf], scale: mp.mpf, length: int = 1) -> mp.mpf:
    """``integral of function(t) from 0 to oo`` for an integrand that decays like e^(-t/scale) at least."""
    window = (mp.mp.prec * mp.ln2 + 10) * length
    return scale * mp.quad(lambda s: function(scale * s), [0, 1, 4, 16, 64, *([256] if window > 256 else []), window])


def upper_gamma_scaled(a: mp.mpf, z: mp.mpf) -> mp.mpf:
    """``Gamma(a, z) e^z z^(-a)`` for z beyond a, by the continued fraction DLMF 8.9.2 (Lentz)."""
    tiny, k = mp.mpf(10) ** (-20 * mp.mp.dps), 0
    b = z + 1 - a
    c, d = 1 / tiny, 1 / b
    h = d
    while True:
        k += 1
        an = -k * (k - a)
        b += 2
        d = 1 / (an * d + b)
        c = b + an / c
        h *= c * d
        if abs(c * d - 1) < mp.eps or k > 100_000:
            return h


def lower_gamma_scaled(a: mp.mpf, z: mp.mpf) -> mp.mpf:
    """``gamma(a, z) e^z z^(-a)`` for z < a by the series DLMF 8.7.1 as ``sum z^k/(a)_(k+1)``, for z/a away from 1."""
    term = total = 1 / a
    k = 0
    while abs(term) > mp.eps * abs(total):
        k += 1
        term *= z / (a + k)
        total += term
    return total


def tail_of_logarithm(n: mp.mpf, z: mp.mpf) -> mp.mpf:
    """``sum over i >= n of e^(-z i)/i = integral over t > z of e^(-n t)/(1 - e^(-t))``."""
    return end(lambda t: mp.exp(-n * (t + z)) / -mp.expm1(-(t + z)), 1 / n)


def partial_logarithm(n: mp.mpf, p: mp.mpf) -> mp.mpf:
    """``sum of (1-p)^i/i over 1 <= i < n``: the whole series less its tail, or H_(n-1) less an integral where n p < 1.

    With z = -ln(1-p), ``H_(n-1) - sum = integral over 0 < t < z of (e^(-t) - e^(-n t))/(1 - e^(-t))``.
    """
    z = -mp.log1p(-p)
    if n * z > 0.1:
        return -mp.log(p) - tail_of_logarithm(n, z)
    rest = z * mp.quad(lambda s: mp.exp(-z * s) * mp.expm1(-(n - 1) * z * s) / mp.expm1(-z * s), [0, 1])
    return mp.digamma(n) + mp.euler - rest


def inverse_erlang(n: mp.mpf, a: mp.mpf) -> mp.mpf:
    """1/B, B the blocking of n servers at the offered load a: ``a integral e^(-a t) (1+t)^n dt`` (Jagerman 1974, (6))."""

    def exponent(t: mp.mpf) -> mp.mpf:
        return n * mp.log1p(t) - a * t

    top = n / a - 1
    width = mp.sqrt(n) / a
    if top > -width:
        return a * mp.exp(exponent(max(top, mp.mpf(0)))) * peak(exponent, max(top, mp.mpf(0)), width, mp.mpf(0))
    if a - n < 20 * mp.sqrt(n):
        return a * peak(exponent, mp.mpf(0), 1 / mp.sqrt(n), mp.mpf(0))
    return a * end(lambda t: mp.exp(exponent(t)), 1 / (a - n))


def newton(f: Callable[[mp.mpf], mp.mpf], guess: mp.mpf, steps: int = 60) -> mp.mpf:
    """A root by the secant method, to the working precision.

    Raises:
        ArithmeticError: no convergence.
    """
    x0, x1 = guess, guess * (1 + mp.mpf(10) ** -8)
    f0, f1 = f(x0), f(x1)
    for _ in range(steps):
        if f1 == f0 or f1 == 0:
            return x1
        x0, x1, f0 = x1, x1 - f1 * (x1 - x0) / (f1 - f0), f1
        if abs(x1 - x0) <= abs(x1) * mp.eps * 1000:
            return x1
        f1 = f(x1)
    raise ArithmeticError("no convergence")


def ratios(first: mp.mpf, ratio: Callable[[int], mp.mpf], at: list[int]) -> list[mp.mpf]:
    """Terms of a sequence f(0), f(k+1) = ratio(k) f(k), at the given indices."""
    found, value, wanted = {}, first, set(at)
    for k in range(max(at) + 1):
        if k in wanted:
            found[k] = value
        value *= ratio(k)
    return [found[k] for k in at]


def recurrence(start: list[int], step: Callable[[int], tuple[int, int, int]], at: list[int]) -> list[mp.mpf]:
    """``c f(k+1) = a f(k) + b f(k-1)`` with (a, b, c) = step(k), from f(0), f(1)."""
    found, wanted = {}, set(at)
    f0, f1 = mp.mpf(start[0]), mp.mpf(start[1])
    for k in range(1, max(at) + 1):
        if k in wanted:
            found[k] = f1
        a, b, c = step(k)
        f0, f1 = f1, (a * f1 + b * f0) / c
    return [found[k] for k in at]


def cumulative(term: Callable[[int], mp.mpf], at: list[int], first: int = 1) -> list[mp.mpf]:
    """``sum of term(k) over first <= k <= n`` at the given n."""
    found, total, wanted = {}, mp.mpf(0), set(at)
    for k in range(first, max(at) + 1):
        total += term(k)
        if k in wanted:
            found[k] = total
    return [found[k] for k in at]
