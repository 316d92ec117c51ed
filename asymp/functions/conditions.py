"""The letters of a row's arguments as SymPy's symbols, and the interval in which a function's values lie."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

X, Y, Z, W = sp.Dummy("X"), sp.Dummy("Y"), sp.Dummy("Z"), sp.Dummy("W")
"""The arguments of the function a row is about."""


@dataclass(frozen=True)
class Range:
    """The values a function takes where it is real: an interval, of whole numbers alone or not."""

    low: sp.Expr = -sp.oo
    high: sp.Expr = sp.oo
    low_open: bool = False
    high_open: bool = False
    whole: bool = False

    def holds(self, value: float) -> bool:
        """Whether a number lies in it, rounding of the last digits allowed (a test's question).

        >>> Range(-1, 1).holds(1.0), Range(0, sp.oo, low_open=True).holds(-0.5)
        (True, False)
        """
        slack = 1e-9 * max(1.0, abs(value))
        return float(self.low) - slack <= value <= float(self.high) + slack and (not self.whole or value == int(value))
