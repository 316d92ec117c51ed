"""Compiled kernels of the CPU; the array path in :mod:`asymp.sample.regenerative` does the same.

numba is imported when a kernel is first asked for, so that a machine without it still samples.
"""

from __future__ import annotations

import importlib.util
from typing import Any

import numpy as np

from asymp.sample.compiler import jit
from asymp.sample.estimate import POWERS
from asymp.sample.laws import SMALLEST

COUNT = len(POWERS)


def available() -> bool:
    """Whether numba is installed."""
    return importlib.util.find_spec("numba") is not None


@jit
def cycle_sums(
    e_g: Any, e_d: Any, e_x: Any, n: float, p: float, mu1: float, mun: float, x0: float
) -> np.ndarray[Any, Any]:
    s = np.zeros(COUNT + 4)
    per_job = -1.0 / np.log1p(-p)
    c = 1.0 / (n * mu1)
    for k in range(e_g.size):
        g = np.floor(e_g[k] * per_job)
        m = min(g, n - 1.0)
        drain = 0.0
        if m > 0.0:
            drain = -np.log(-np.expm1(-max(e_d[k], SMALLEST) / m)) / mu1
        x = drain + e_x[k] / mun - (m + 1.0) * c - x0
        y = p * (g + 1.0) - 1.0
        xx, yy, xy = x * x, y * y, x * y
        s[1] += x
        s[2] += y
        s[3] += xx
        s[4] += xy
        s[5] += yy
        s[6] += xx * x
        s[7] += xx * y
        s[8] += x * yy
        s[9] += yy * y
        s[10] += xx * xx
        s[11] += xx * xy
        s[12] += xx * yy
        s[13] += xy * yy
        s[14] += yy * yy
        a = p * m
        b = p * (g - m)
        s[15] += a
        s[16] += a * a
        s[17] += b
        s[18] += b * b
    s[0] = e_g.size
    return s
