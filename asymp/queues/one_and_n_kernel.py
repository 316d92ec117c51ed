r"""The open 1-and-n queue by generating functions: its kernel, its zeros, and the law of the wait.

Jobs arrive at rate :math:`\lambda`; one needs one server for Exp(:math:`\mu`) with probability
:math:`q = 1 - p`, else all n for Exp(:math:`\nu`).  A job's class is drawn when it comes forward: when all
earlier jobs have started and a server is free.  The states, with j jobs that have not come forward:

* ``e_m`` (m < n): m small jobs in service, nobody waits;
* ``F_j``: n small jobs in service;  ``B_j``: a big job in service;
* ``D_{m,j}`` (0 < m < n): m small jobs in service, a big job *blocked* in front of the line.

Only j depends on the past: with :math:`a = \lambda(1 - z)` and the generating functions of j,

.. math::
   (a+\nu) B = \sum_{k<n} \alpha_k \sigma_k, \quad (a + k\mu) D_k = \sigma_k + (k+1)\mu D_{k+1}, \quad
   \alpha_k = \prod_{i=1}^k \frac{i\mu}{i\mu + a}, \quad
   \sigma_k = \lambda p e_k + \nu p q^k z^{-k-1}\Bigl(B - \sum_{m\le k} b_m z^m\Bigr)
   + [k = n-1]\, n\mu p\, (F - F_0)/z,

and the balance of the states ``e_m`` gives the :math:`b_m` by the :math:`e_m`.  Eliminating all but B,

.. math::
   (a + \nu - \nu\omega_0)\, B(z) = \sum_{m=0}^{n-1} e_m \bigl(m\mu\,\omega_{m-1} - (a+m\mu)\,\omega_m\bigr),
   \qquad \omega_{n-1} = \frac{p\,(a+n\mu)\,\alpha_{n-1}}{z(a+n\mu) - n\mu q}, \quad
   z\,\omega_m = p\,\alpha_m + q\,\omega_{m+1}.

B is analytic in the unit disc, so that the right side vanishes where the factor on the left, the *kernel*,
does.  In a stable queue that is at n - 1 points and at z = 1: with the known share of time
:math:`B(1) = \lambda p/\nu` they give the n unknowns :math:`e_m`, and everything follows.

The functions here use the four operations alone, on arrays of complex floats and on balls.  Cost: O(n^2)
for the zeros, O(n^3) for the linear system.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

ORDER = 4
"""Taylor coefficients that are kept at z = 1, in powers of x = 1 - z: one is lost where B is divided by its
zero there, and x^2 gives second moments."""

Series = list[Any]


@dataclass(frozen=True)
class Parameters:
    """The queue's numbers: floats, or balls."""

    servers: int
    p: Any
    q: Any
    mu: Any
    nu: Any
    arrival_rate: Any


def kernel(queue: Parameters, z: Any, scale: Any) -> tuple[Any, Any]:
    """The kernel's pole-free multiple, (z/s)^(n-1) Delta (a + nu - nu omega_0), and its derivative.

    Delta = z (a + n mu) - n mu q; s = ``scale``, near the zeros in size, keeps the powers in range.
    """
    n, p, mu, rate = queue.servers, queue.p, queue.mu, queue.arrival_rate
    a = rate * (1 - z)
    shares = [1 / (i * mu + a) for i in range(1, n)]
    alphas = [z * 0 + 1, *prefixes([i * mu * share for i, share in enumerate(shares, 1)])]
    slopes = [z * 0, *itertools.accumulate(rate * share for share in shares)]  # derivatives of their logarithms
    full = a + n * mu
    delta, delta_slope = z * full - n * mu * queue.q, full - rate * z
    powers = [z * 0 + 1, *prefixes([z / scale] * (n - 1))]
    inverse = 1 / z
    # chi_m = (z/s)^(n-1-m) Delta omega_m: chi_m = (p/s) alpha_m (z/s)^(n-2-m) Delta + (q/s) chi_(m+1)
    # It is summed as Delta times a polynomial part, and the rest.
    ratio, weight = queue.q / scale, p / scale
    part, part_slope = z * 0, z * 0
    for m in reversed(range(n - 1)):
        term = alphas[m] * powers[n - 2 - m]
        part = term + ratio * part
        part_slope = term * (slopes[m] + (n - 2 - m) * inverse) + ratio * part_slope
    last = ratio ** (n - 1) * p * alphas[-1]
    chi = weight * delta * part + last * full
    chi_slope = weight * (delta_slope * part + delta * part_slope) + last * (full * slopes[-1] - rate)
    power, power_slope = powers[n - 1], powers[n - 1] * (n - 1) * inverse
    value = power * delta * (a + queue.nu) - queue.nu * chi
    slope = (power_slope * delta + power * delta_slope) * (a + queue.nu) - power * delta * rate - queue.nu * chi_slope
    return value, slope


def equation(queue: Parameters, z: Any, scale: Any) -> list[Any]:
    """The factors of e_m in B's equation, m = 0 .. n-1, times (z/s)^(n-1) Delta and ``columns``[m]."""
    n, p, mu = queue.servers, queue.p, queue.mu
    a = queue.arrival_rate * (1 - z)
    alphas = [z * 0 + 1, *prefixes([i * mu / (i * mu + a) for i in range(1, n)])]
    powers = [z * 0 + 1, *prefixes([z / scale] * (n - 1))]
    delta = z * (a + n * mu) - n * mu * queue.q
    ratio, weight = queue.q / scale, delta * p / scale
    chis = [p * (a + n * mu) * alphas[-1]]
    for m in reversed(range(n - 1)):
        chis.append(weight * alphas[m] * powers[n - 2 - m] + ratio * chis[-1])
    chis.reverse()
    row, before = [], z * 0
    for m, (chi, column) in enumerate(zip(chis, columns(queue, scale), strict=True)):
        row.append((m * mu * before * scale / z - (a + m * mu) * chi) * powers[m] * column)
        before = chi
    return row


def prefixes(factors: list[Any]) -> list[Any]:
    """All products of the first factors, each by a product of depth about log2 of their number.

    One after another, products of complex balls would lose half a bit at each turn by 45 degrees.
    """
    if len(factors) <= 8:
        return list(itertools.accumulate(factors, operator.mul))
    half = len(factors) // 2
    left, right = prefixes(factors[:half]), prefixes(factors[half:])
    return left + [left[-1] * x for x in right]


def columns(queue: Parameters, scale: Any) -> list[Any]:
    """(s/q)^(n-1-m), m = 0 .. n-1: the size of e_m relative to the unknowns of the linear system."""
    found = [scale * 0 + 1]
    for _ in range(queue.servers - 1):
        found.append(found[-1] * (scale / queue.q))
    return found[::-1]


# --- zeros, in floats ----------------------------------------------------------------------------


def approximate_zeros(queue: Parameters) -> tuple[list[complex], float]:
    """The zeros in the open unit disc with imaginary part >= 0, and the geometric mean of the sizes of all.

    Newton's method on all zeros at once, each corrected by the others (Aberth 1973), started on the circle
    of the geometric mean, which Jensen's formula gives before a zero is known.  A point that converges to
    a zero outside the disc is kept as a known zero and started anew.

    Raises:
        ArithmeticError: the n - 1 zeros were not all found.
    """
    wanted = queue.servers - 1
    if not wanted:
        return [], 1.0
    scale = _mean_size(queue)
    points = scale * np.exp(2j * np.pi * (np.arange(wanted) + 0.5) / wanted)
    known = [1.0 + 0j]  # zeros, of which no further point shall come near
    settled = np.zeros(wanted, dtype=bool)
    best = np.full(wanted, np.inf)
    for sweep in range(60 * (1 + wanted.bit_length())):
        active = np.flatnonzero(~settled)
        if not active.size:
            break
        here = points[active]
        with np.errstate(all="ignore"):
            value, slope = kernel(queue, here, scale)
            newton = value / slope
            gaps = here[:, None] - np.concatenate([points, known])[None, :]
            gaps[np.arange(active.size), active] = np.inf
            step = newton / (1 - newton * (1 / gaps).sum(axis=1))
        lost = ~np.isfinite(step) | (abs(here - step) > 3)
        step[lost] = 0
        moved = here - step
        moved[lost] = _restart(scale, sweep, int(lost.sum()))
        size = abs(step) / abs(moved)
        # settled: the step is rounding, or steps that were small shrink no more
        done = ~lost & ((size < 1e-15) | ((size < 1e-9) & (size > best[active] / 4)))
        best[active] = np.where(lost, np.inf, size)
        outside = done & (abs(moved) >= 1)
        known += list(moved[outside])
        moved[outside] = _restart(scale, sweep, int(outside.sum()))
        best[active[outside]] = np.inf
        points[active] = moved
        settled[active] = done & ~outside
    else:
        raise ArithmeticError(f"{int((~settled).sum())} of {wanted} zeros of the kernel were not found")
    flat = abs(points.imag) < 1e-9 * abs(points)
    upper = [complex(z.real) for z in points[flat]] + [complex(z) for z in points[~flat & (points.imag > 0)]]
    if int(flat.sum()) + 2 * (len(upper) - int(flat.sum())) != wanted:
        raise ArithmeticError("the zeros of the kernel do not come in conjugate pairs")
    return upper, scale


def _mean_size(queue: Parameters) -> float:
    """The geometric mean of the sizes of the n - 1 zeros, by Jensen's formula on the unit circle."""
    count, power = 8 * queue.servers, queue.servers - 1
    circle = np.exp(2j * np.pi * (np.arange(count) + 0.5) / count)
    with np.errstate(all="ignore"):  # q^n may underflow on the circle, where z^n is 1; at 0 it is scaled away
        on_circle = np.log(abs(kernel(queue, circle, 1.0)[0])).mean()
        at_zero = np.log(abs(kernel(queue, np.zeros(1, dtype=complex), queue.q)[0][0])) + power * np.log(queue.q)
    size = float(np.exp((at_zero - on_circle) / power))
    if not 0 < size < 1:
        raise ArithmeticError(f"n = {queue.servers} servers: the kernel leaves the range of floats")
    return size


def _restart(scale: float, sweep: int, count: int) -> np.ndarray[Any, Any]:
    """New starting points, spread by the golden angle."""
    turns = (sweep + 1 + np.arange(count)) * 0.6180339887498949
    return scale * (1 + 0.05 * np.cos(7 * turns)) * np.exp(2j * np.pi * turns)


# --- Taylor series at z = 1, in powers of x = 1 - z ------------------------------------------------


def multiply(f: Sequence[Any], g: Sequence[Any]) -> Series:
    """The product, to the order of the shorter."""
    return [sum(f[i] * g[k - i] for i in range(k + 1)) for k in range(min(len(f), len(g)))]


def divide(f: Sequence[Any], g: Sequence[Any]) -> Series:
    """The quotient, to the order of the shorter; g[0] is not 0."""
    found: Series = []
    for k in range(min(len(f), len(g))):
        found.append((f[k] - sum(found[i] * g[k - i] for i in range(k))) / g[0])
    return found


def linear(at_one: Any, slope: Any) -> Series:
    """at_one + slope x."""
    return [at_one, slope] + [at_one * 0] * (ORDER - 2)


def at_one(queue: Parameters) -> tuple[list[Series], list[Series], Series]:
    """At z = 1: the alpha_k, the factors of e_m in B's equation, and the kernel a + nu - nu omega_0."""
    n, p, mu, rate = queue.servers, queue.p, queue.mu, queue.arrival_rate
    zero = p * 0
    alphas = [linear(zero + 1, zero)]
    for i in range(1, n):
        alphas.append(divide([i * mu * c for c in alphas[-1]], linear(zero + i * mu, rate)))
    z, full = linear(zero + 1, zero - 1), linear(zero + n * mu, rate)
    delta = multiply(z, full)
    delta[0] = n * mu * p  # n mu - n mu q, without cancellation
    omegas = [divide(multiply([p * c for c in full], alphas[-1]), delta)]
    for m in reversed(range(n - 1)):
        omegas.append(divide([p * c + queue.q * d for c, d in zip(alphas[m], omegas[-1], strict=True)], z))
    omegas.reverse()
    factors = []
    for m, omega in enumerate(omegas):
        below = [m * mu * c for c in omegas[m - 1]] if m else [zero] * ORDER
        factors.append([b - c for b, c in zip(below, multiply(linear(zero + m * mu, rate), omega), strict=True)])
        factors[-1][0] = zero  # every omega is 1 at z = 1
    found = [-queue.nu * c for c in omegas[0]]
    found[0], found[1] = zero, found[1] + rate
    return alphas, factors, found


Solve = Callable[[list[list[Any]], list[Any]], list[Any]]


def empty_line(queue: Parameters, rows: list[list[Any]], scale: Any, solve: Solve) -> list[Any]:
    """The probabilities e_m that m < n small jobs are in service and nobody waits.

    ``rows`` are the real and imaginary parts of :func:`equation` at the zeros.
    """
    _, factors, at = at_one(queue)
    sizes = columns(queue, scale)
    # B(1) = lambda p/nu, by l'Hopital's rule.
    share = queue.arrival_rate * queue.p / queue.nu
    system = [*rows, [f[1] * s for f, s in zip(factors, sizes, strict=True)]]
    found = solve(system, [scale * 0] * len(rows) + [share * at[1]])
    return [x * s for x, s in zip(found, sizes, strict=True)]


def line_series(queue: Parameters, empty: Sequence[Any]) -> tuple[Series, Series]:
    """At z = 1, the generating functions of the jobs that have not come forward: in all, and while a big
    job is blocked."""
    n, p, mu, nu, rate = queue.servers, queue.p, queue.mu, queue.nu, queue.arrival_rate
    zero = p * 0
    _, factors, at = at_one(queue)
    right = [sum((e * f[k] for e, f in zip(empty, factors, strict=True)), zero) for k in range(ORDER)]
    big = divide(right[1:], at[1:])  # both vanish at z = 1
    z, keep = linear(zero + 1, zero - 1)[:-1], len(big)
    # sources nu q^m z^-m (B - sum of b_i z^i, i < m), and nu q^m b_m from the balance of e_m
    before = [zero, *empty]
    rest, sources = [nu * c for c in big], []
    for m in range(n - 1):
        rest[0] = rest[0] - ((rate + m * mu) * empty[m] - rate * queue.q * before[m] - (m + 1) * mu * empty[m + 1])
        rest = [queue.q * c for c in divide(rest, z)]
        sources.append([p / queue.q * c for c in rest])
    # s = nu q^(n-1) b_(n-1) + n mu F_0, of which only the sum matters
    m = n - 1
    both = (rate + m * mu) * empty[m] - rate * queue.q * before[m]
    refill = list(rest)
    refill[0] = refill[0] - both
    refill = divide(refill, z)  # z^-1 (nu q^(n-1) z^(1-n) (B - ...) - s)
    # (a + n mu - n mu q/z) F = lambda q e_(n-1) + q * refill
    into = [queue.q * c for c in refill]
    into[0] = into[0] + rate * queue.q * empty[m]
    full_rate = [-n * mu * queue.q * c for c in divide(linear(zero + 1, zero)[:-1], z)]
    full_rate[0], full_rate[1] = n * mu * p, full_rate[1] + rate
    full = divide(into, full_rate)
    more = divide(full, z)
    blocked, total = [zero] * keep, [zero] * keep
    for k in range(n - 1, 0, -1):
        source = [p * (c + n * mu * d) for c, d in zip(refill, more, strict=True)] if k == m else sources[k]
        source = [c + (k + 1) * mu * d for c, d in zip(source, blocked, strict=True)] if k < m else source
        source[0] = source[0] + rate * p * empty[k]
        blocked = divide(source, linear(zero + k * mu, rate)[:-1])
        total = [c + d for c, d in zip(total, blocked, strict=True)]
    everywhere = [b + f + d for b, f, d in zip(big, full, total, strict=True)]
    everywhere[0] = everywhere[0] + sum(empty, zero)
    return everywhere, total
