"""What cycles are made of, by transformations of standard exponentials that NumPy and CuPy share.

They keep float64's relative accuracy at both ends: geometric laws with p = 1e-24, maxima of 1e24 exponentials.
"""

from __future__ import annotations

import math
from types import ModuleType

from asymp.sample.backend import Array

SMALLEST = 2.0**-56
"""Exponentials are drawn on a grid of about 2^-53 and may be 0: those are raised to this value, which
moves a probability of 2^-56 and spares an infinite maximum."""


def geometric(xp: ModuleType, e: Array, p: float) -> Array:
    """The number of failures before a success of probability p, from standard exponentials: ``P(G >= g) = (1-p)^g``.

    From 2^53 on the floor is idle and G is a real number, off by less than one part in 2^53.
    """
    return xp.floor(e * (-1 / math.log1p(-p)))


def largest(xp: ModuleType, e: Array, count: Array, rate: float) -> Array:
    """The largest of ``count`` independent Exp(rate), 0 if there are none, from one standard exponential each.

    With V = exp(-E) uniform, ``1 - V^(1/count) = -expm1(-E/count)`` keeps its digits for any count.
    """
    some = count > 0
    e = xp.maximum(e, SMALLEST) / xp.where(some, count, 1.0)
    return xp.where(some, -xp.log(-xp.expm1(-e)), 0.0) / rate
