r"""The saturated 1-and-n system, sampled by regeneration cycles at a cost that does not depend on n.

A cycle runs from one n-server completion to the next.  G 1-server jobs come before its n-server job,
``P(G = g) = (1-p)^g p``; while all n servers are busy each completion brings the next job forward, the
n-server job comes forward and blocks with the (G-n+1)th, and what is then in service drains:

* ``G < n``: the drain is the largest of G Exp(mu1);
* ``G >= n``: an overflow of ``M = G - n + 1`` completions at rate n mu1, then a drain of n - 1;

then X ~ Exp(mun).  ``N = G + 1`` jobs complete in the time T.  Cycles are independent, so that

* the throughput is ``mu = E N / E T``, with ``E N = 1/p``;
* with D(t) the completions up to t, ``Var D(t) / E D(t) -> I = E[(N - mu T)^2] / E N`` (central limit
  theorem of renewal rewards), and ``E[Delta(Y_d)] = (I - 1)/2``.

The last identity holds for every saturated system.  By Poisson's equation (1) ``D(t) - mu t +
Delta(Y(t))`` is a martingale; it jumps at completions, by ``1 + Delta' - Delta``, so that I is the mean
square of that jump under the law of completions.  There ``E Delta' = E Delta``, hence ``I - 1 =
E (Delta' - Delta)^2 = 2 E Delta^2 - 2 E Delta Delta'``; by (1) again ``E[Delta' | y] = Delta(y) - 1 +
mu/mu_y``, and ``E Delta mu/mu_y`` is the time average of Delta, 0: so ``I - 1 = 2 E Delta``.  With
equation (2) it says ``E[Q] (1 - rho) -> (1 + I)/2``, the heavy-traffic mean of a queue with Poisson
arrivals (dispersion 1) and services of dispersion I.  It is tested exactly for small n.

Arithmetic.  At n = 1e8 and p = 1e-16 N and mu T agree to 8 digits or more, so neither is
formed.  With ``c = 1/(n mu1)``, ``W = T - c N`` and ``U = p N - 1`` (known: E U = 0, Var U = 1 - p),

``E T = c/p + w``, ``w = E W``;  ``x = p w / c``;  ``mu = n mu1/(1 + x)``;
``N - mu T = -(W - w - w U) / (c (1 + x))``.

The overflow time Gamma(M) c enters W as ``(Gamma(M) - M) c`` only, of mean 0 and variance ``M c^2``
given the rest, and E M^+ = (1-p)^n/p: its part of I is ``(1-p)^n/(1+x)^2`` exactly.  It is integrated out,
not drawn (Rao-Blackwell), which in the 1-server dominated regime removes a noise of order 1 from an
I - 1 of order ``n^(2-alpha)``:

``I - 1 = (p/c^2) E[(W' - w - w U)^2]/(1+x)^2 + expm1(n log1p(-p) - 2 log1p(x))``,
``W' = drain + X - c (min(G, n-1) + 1)``.

Known means are used as control variates: U for w; U and U^2 for the square.  The coefficients are
estimated, which moves an estimate by O(1/size) and its standard error by less.

Source: Grosof and Ayhan, Multiserver-job Response Time under Multilevel Scaling (2025), sections 3.2, 5.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from asymp.queues.law import proper
from asymp.sample import kernels, laws
from asymp.sample.backend import Array, Backend, Generator, backend
from asymp.sample.estimate import (
    POWERS,
    Estimate,
    Moments,
    Polynomial,
    Shape,
    combination,
    make_estimate,
    power_sums,
    product,
    skewed_estimate,
)
from asymp.sample.replicate import Progress, replicate


@dataclass(frozen=True)
class System:
    """The 1-and-n system: servers, probability of an n-server job, service rates (jobs a unit of time).

    Raises:
        ValueError: naming the parameter that is out of range.
    """

    n: float
    p: float
    mu1: float
    mun: float

    def __post_init__(self) -> None:
        if not (1 <= self.n <= 1e100 and self.n == math.floor(self.n)):
            raise ValueError(f"n must be an integer in 1..10^100, not {self.n:g}")
        if not 1e-200 <= self.p < 1:
            raise ValueError(f"p must lie strictly between 0 and 1 (and above 1e-200), not {self.p:g}")
        for name, rate in (("mu1", self.mu1), ("mun", self.mun)):
            if not 1e-20 <= rate <= 1e20:
                raise ValueError(f"{name} must be positive (between 1e-20 and 1e20), not {rate:g}")


def block_sums(there: Backend, generator: Generator, system: System, size: int, anchor: float) -> Any:
    """The sums of one block: 15 of ``(W' - anchor)^i U^j``, then of A, A^2, B, B^2, on the host.

    ``A = p min(G, n-1)`` and ``B = p (G-n+1)^+`` are the completions of the draining and of the full
    phase over E N.  Array code, the same for NumPy and CuPy; one pass over ``size`` cycles.
    """
    e_g = generator.standard_exponential(size)
    e_d = generator.standard_exponential(size)
    e_x = generator.standard_exponential(size)
    if there.name == "numpy" and kernels.available():
        return kernels.cycle_sums(e_g, e_d, e_x, system.n, system.p, system.mu1, system.mun, anchor)
    return array_sums(there, e_g, e_d, e_x, system, anchor)


def array_sums(there: Backend, e_g: Array, e_d: Array, e_x: Array, system: System, anchor: float) -> Any:
    """:func:`block_sums` from given exponentials, in array code."""
    xp = there.xp
    g, m, w, u = observations(there, e_g, e_d, e_x, system)
    a, b = system.p * m, system.p * (g - m)
    shares = xp.stack([xp.sum(a), xp.sum(a * a), xp.sum(b), xp.sum(b * b)])
    return there.to_host(xp.concatenate([power_sums(xp, w - anchor, u), shares]))


def observations(
    there: Backend, e_g: Array, e_d: Array, e_x: Array, system: System
) -> tuple[Array, Array, Array, Array]:
    """G, min(G, n-1), W' and U of each cycle."""
    xp = there.xp
    g = laws.geometric(xp, e_g, system.p)
    m = xp.minimum(g, system.n - 1)
    drain = laws.largest(xp, e_d, m, system.mu1)
    return g, m, drain + e_x / system.mun - (m + 1) * (1 / (system.n * system.mu1)), system.p * (g + 1) - 1


def sample_saturated(
    n: float,
    p: float,
    mu1: float,
    mun: float,
    size: int,
    seed: int = 0,
    device: str = "auto",
    chunk: int | None = None,
    progress: Progress | None = None,
    level: float = 0.99,
) -> dict[str, Estimate]:
    """Estimates of the saturated 1-and-n system from ``size`` independent cycles.

    Args:
        n, p, mu1, mun: servers, probability of an n-server job, service rates.
        size: cycles.
        seed: a nonnegative integer; the same seed and backend repeat the numbers.
        device: ``auto``, ``cpu`` or ``gpu``.
        chunk: cycles between two calls of ``progress``; it changes neither numbers nor memory,
            which is that of one block of the backend.
        progress: called with (done, size).
        level: confidence level of the intervals; those of second moments (``mean-relative-completions``,
            ``dispersion``) are :func:`asymp.sample.estimate.skewed_estimate`'s.

    Returns:
        by name: ``throughput`` (jobs a unit of time); ``throughput-loss``, n mu1 - mu, kept to its own
        digits where mu is n mu1 to all of them; ``mean-relative-completions``, E[Delta(Y_d)];
        ``dispersion``, I; ``cycle-time``; and the shares of time and of completions by phase:
        ``time-share-`` and ``completion-share-`` with ``service`` (an n-server job in service),
        ``drain`` (blocked), ``full`` (all n servers on 1-server jobs).

    Raises:
        ValueError: for a parameter out of range, a size, chunk or level that makes no sense.
        DeviceError: if the device is not there.

    >>> estimates = sample_saturated(2, 0.5, 1.0, 1.0, size=20000, seed=1, device="cpu")
    >>> estimates["throughput"].agrees(8 / 7), estimates["mean-relative-completions"].agrees(4 / 49)
    (True, True)
    """
    system = System(float(n), float(p), float(mu1), float(mun))
    if not isinstance(size, int) or size < 1:
        raise ValueError(f"size must be an integer >= 1, not {size}")
    if seed < 0:
        raise ValueError(f"seed must be an integer >= 0, not {seed}")
    if chunk is not None and chunk < 1:
        raise ValueError(f"chunk must be an integer >= 1, not {chunk}")
    proper("level", level)
    there = backend(device)
    moments, shares = _run(there, system, size, seed, chunk or 1 << 24, progress)
    # A pilot run of its own says how skewed the influence of a cycle is.
    generator = next(there.generators(seed ^ _PILOT))
    e_g, e_d, e_x = (generator.standard_exponential(min(size, PILOT)) for _ in range(3))
    w, u = (there.to_host(x) for x in observations(there, e_g, e_d, e_x, system)[2:])
    return _estimates(system, moments, shares, (w - moments.anchor[0], u), level, seed, str(there))


def _run(
    there: Backend, system: System, size: int, seed: int, chunk: int, progress: Progress | None
) -> tuple[Moments, Moments]:
    """The moments of (W', U), and of (A, B) about 0 (their first two powers)."""
    # A pilot of its own stream finds where to anchor the sums: any value near the mean is right.
    pilot = next(there.generators(seed ^ _PILOT))
    first = block_sums(there, pilot, system, min(size, PILOT), 0.0)
    moments = Moments((float(first[1] / first[0]), 0.0))
    shares = Moments((0.0, 0.0))
    generators: list[Iterator[Generator]] = []

    def draw(start: int, count: int) -> tuple[Array]:
        if not generators:
            generators.append(there.generators(seed, start // there.block))
        return (block_sums(there, next(generators[0]), system, count, moments.anchor[0]),)

    def add(_: int, count: int, arrays: Sequence[Array]) -> None:
        (sums,) = arrays
        moments.add(sums[: len(POWERS)])
        pairs = np.zeros(len(POWERS))
        pairs[0] = count
        pairs[[1, 3, 2, 5]] = sums[len(POWERS) :]  # A, A^2, B, B^2
        shares.add(pairs)

    replicate(size, there.block, draw, add, progress, every=chunk, rests=f"{there.name}, {moments.anchor[0]!r}")
    return moments, shares


_PILOT = 0x9E3779B97F4A7C15
PILOT = 4096
"""Cycles of a pilot run."""


def _estimates(
    system: System, moments: Moments, shares: Moments, pilot: tuple[Array, Array], level: float, seed: int, name: str
) -> dict[str, Estimate]:
    n, p, mu1, mun = system.n, system.p, system.mu1, system.mun
    size, c, capacity = moments.count, 1 / (n * mu1), n * mu1
    full_probability = math.exp(n * math.log1p(-p))  # (1-p)^n
    u: Polynomial = {(0, 1): 1.0}
    u2: Polynomial = {(0, 2): 1.0}
    w_raw: Polynomial = {(0, 0): moments.anchor[0], (1, 0): 1.0}
    # Each control is a polynomial with its known mean.
    controls: list[tuple[Polynomial, float]] = [(u, 0.0), (u2, 1 - p)]

    w, w_influence = _controlled(moments, w_raw, controls[:1])
    x = p * w / c
    if x <= -1:  # the mean cycle time c/p + w comes out negative: a handful of cycles can do that
        raise ValueError(f"size={size} cycles are too few for an estimate")
    jump = combination((1.0, w_raw), (-1.0, {(0, 0): w, (0, 1): w}))  # W' - w - w U
    square, square_influence = _controlled(moments, product(jump, jump), controls)
    scale = p / c**2 / (1 + x) ** 2
    excess = scale * square + math.expm1(n * math.log1p(-p) - 2 * math.log1p(x))
    # d excess/dw: through the square (E[jump] = 0 leaves -2 E[jump U]) and through 1 + x.
    slope = -2 * scale * moments.mean(product(jump, u))
    slope -= 2 * (scale * square + full_probability / (1 + x) ** 2) * (p / c) / (1 + x)
    influence = combination((scale, square_influence), (slope, w_influence))

    def spread(polynomial: Polynomial) -> float:
        if size < 2:
            return math.inf
        top = max(map(abs, polynomial.values())) or 1.0  # coefficients to 1e200 are not squared
        scaled = {power: coefficient / top for power, coefficient in polynomial.items()}
        return top * math.sqrt(max(moments.covariance(scaled, scaled), 0.0) / (size - 1))

    def estimate(value: float, stderr: float) -> Estimate:
        return make_estimate(value, stderr, size, level, seed, name)

    shape = _shape(influence, *pilot)

    def squared(value: float, stderr: float) -> Estimate:
        return skewed_estimate(value, stderr, shape, size, level, seed, name, positive=False)

    w_stderr, excess_stderr = spread(w_influence), spread(influence)
    cycle_time = c / p + w
    mu_slope = capacity / (1 + x) ** 2 * p / c
    time = {  # phase -> mean time a cycle; its only sampled part is w
        "service": 1 / mun,
        "drain": w - c / p * math.expm1(n * math.log1p(-p)) - 1 / mun,
        "full": full_probability * c / p,
    }
    found = {
        "throughput": estimate(capacity / (1 + x), mu_slope * w_stderr),
        "throughput-loss": estimate(capacity * x / (1 + x), mu_slope * w_stderr),
        "mean-relative-completions": squared(excess / 2, excess_stderr / 2),
        "dispersion": squared(1 + excess, excess_stderr),
        "cycle-time": estimate(cycle_time, w_stderr),
    }
    for phase, mean in time.items():
        share = mean / cycle_time
        share_slope = (1.0 if phase == "drain" else 0.0) - share
        found[f"time-share-{phase}"] = estimate(share, abs(share_slope) * w_stderr / cycle_time)
    # N = 1 + min(G, n-1) + (G-n+1)^+ and E N = 1/p: the first share is p, known.
    found["completion-share-service"] = estimate(p, 0.0 if size > 1 else math.inf)
    for phase, power in (("drain", (1, 0)), ("full", (0, 1))):
        one: Polynomial = {power: 1.0}
        variance = max(shares.mean(product(one, one)) - shares.mean(one) ** 2, 0.0)
        stderr = math.sqrt(variance / (size - 1)) if size > 1 else math.inf
        found[f"completion-share-{phase}"] = estimate(shares.mean(one), stderr)
    # A full phase too rare to be seen leaves no spread: the rule of three (B has mean 1 where it is not 0).
    seen = found["completion-share-full"]
    upper = seen.interval[1] + math.log(2 / (1 - level)) / size
    found["completion-share-full"] = replace(seen, interval=(seen.interval[0], upper))
    return found


def _shape(influence: Polynomial, w: Array, u: Array) -> Shape:
    """The shape of a polynomial in W' - anchor and U, from observations."""
    top = max(map(abs, influence.values())) or 1.0
    values = sum((c / top) * w**i * u**j for (i, j), c in influence.items())
    values = np.asarray(values - np.mean(values))
    scale = float(np.max(np.abs(values)))  # powers stay within range
    if not scale > 0:  # what varies is rarer than the pilot run is long: that of one event in it
        return Shape(math.sqrt(values.size), float(values.size))
    return Shape.of(*(float(np.mean((values / scale) ** k)) for k in (2, 3, 4)))


def _controlled(
    moments: Moments, target: Polynomial, controls: list[tuple[Polynomial, float]]
) -> tuple[float, dict[tuple[int, int], float]]:
    """(mean of the target with the controls' sampling errors regressed out, its influence polynomial)."""
    value = moments.mean(target)
    residual = dict(target)
    # Few observations cannot carry a regression; without it the estimate is the plain mean.
    if moments.count >= 64:
        polynomials = [polynomial for polynomial, _ in controls]
        matrix = np.array([[moments.covariance(a, b) for b in polynomials] for a in polynomials])
        right = np.array([moments.covariance(a, target) for a in polynomials])
        scale = np.sqrt(np.maximum(np.diag(matrix), 0.0))
        if (scale > 0).all():
            # lstsq: U and U^2 coincide up to a constant when p is so near 1 that few cycles differ.
            beta = np.linalg.lstsq(matrix / np.outer(scale, scale), right / scale, rcond=1e-10)[0] / scale
            for b, (polynomial, mean) in zip(beta, controls, strict=True):
                value -= float(b) * (moments.mean(polynomial) - mean)
                residual = combination((1.0, residual), (-float(b), polynomial))
    return value, residual
