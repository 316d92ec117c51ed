r"""The transient equations (6), corrected, from a start to equilibrium, by two methods whose difference is the stated error.

With y_k(t) = P(Q(t) >= k), y_0 = 1, and mu_t = (d - 1) y_1/(y_1 + y_2 + ...),

.. math:: \dot y_k = d\lambda\,(y_{k-1} - y_k) - (1 + k\mu_t)(y_k - y_{k+1}), \qquad k \ge 1;

the paper prints k + 1 for k in the second rate.  At the empty state the quotient of y_1 and the sum is 1, its limit along the
solution.  The levels are cut where y_k is negligible; how much the cut costs is part of the error too.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

FINE = 1e-12
"""Relative and absolute tolerance of the first method."""


@dataclass(frozen=True)
class Transient:
    """``ccdf[i, k]`` is P(Q(times[i]) >= k), k = 0, 1, ...; ``error``: the largest difference of the two methods."""

    times: tuple[float, ...]
    ccdf: Any
    error: float

    def mean(self) -> Any:
        """E Q(t) at the times."""
        return self.ccdf[:, 1:].sum(axis=1)


def slopes(y: Any, d: int, lam: float) -> Any:
    """The right side of (6), corrected, for y_1, ..., y_K and y_(K+1) = 0."""
    total = y.sum()
    help_ = (d - 1) * (y[0] / total if total > 0 else 1.0)
    level = np.arange(1, len(y) + 1)
    return d * lam * (np.concatenate(([1.0], y[:-1])) - y) - (1 + level * help_) * (y - np.concatenate((y[1:], [0.0])))


def transient(d: int, lam: float, times: Sequence[float], levels: int = 60, start: Any = None) -> Transient:
    """The solution at the times, from the empty state or from given y_1, y_2, ....

    The first method is an explicit Runge-Kutta method of order 8 with step control (Dormand and Prince); the second the
    classical one of order 4, with equal steps that resolve the fastest rate, and a quarter more levels.

    Raises:
        ValueError: d below 2, lam not in (0, 1), or times that do not increase from 0 or later.

    >>> found = transient(2, 0.5, [0.0, 40.0])
    >>> round(float(found.mean()[1]), 9), found.error < 1e-8
    (0.778908421, True)
    """
    if isinstance(d, bool) or not isinstance(d, int) or d < 2:
        raise ValueError(f"d={d}: must be a whole number, at least 2")
    if not 0 < lam < 1:
        raise ValueError(f"lam={lam}: must lie strictly between 0 and 1")
    moments = [float(t) for t in times]
    if not moments or moments[0] < 0 or any(a >= b for a, b in itertools.pairwise(moments)):
        raise ValueError("the times must increase, from 0 on")
    found = _order_8(d, lam, moments, _padded(start, levels))
    other = _order_4(d, lam, moments, _padded(start, levels + levels // 4))
    error = float(max(np.abs(found - other[:, :levels]).max(), np.abs(other[:, levels:]).max()))
    return Transient(tuple(moments), np.hstack((np.ones((len(moments), 1)), found)), error)


def _padded(start: Any, levels: int) -> Any:
    first = np.zeros(levels)
    given = np.asarray([] if start is None else start, dtype=float)
    first[: len(given)] = given
    return first


def _order_8(d: int, lam: float, times: list[float], y: Any) -> Any:
    if times[-1] == 0:
        return np.array([y] * len(times))
    done = solve_ivp(lambda _, state: slopes(state, d, lam), (0.0, times[-1]), y, "DOP853", times, rtol=FINE, atol=FINE * FINE)
    return done.y.T


def _order_4(d: int, lam: float, times: list[float], y: Any) -> Any:
    fastest = 2 * (d * lam + 1 + len(y) * (d - 1))
    rows, now = [], 0.0
    for time in times:
        steps = int(np.ceil((time - now) * fastest))
        width = (time - now) / steps if steps else 0.0
        for _ in range(steps):
            k1 = slopes(y, d, lam)
            k2 = slopes(y + width / 2 * k1, d, lam)
            k3 = slopes(y + width / 2 * k2, d, lam)
            k4 = slopes(y + width * k3, d, lam)
            y = y + width / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        rows.append(y)
        now = time
    return np.array(rows)
