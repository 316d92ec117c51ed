"""The laws of Table 2: phases of which each carries half of the mean, and bounded Pareto laws on [., 400]."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from asymp.papers.mjsre.notation import LONG, SHAPE, Row, rational

HIGH = 400
"""The upper bound of every bounded Pareto law."""


def phases(row: Row) -> tuple[Fraction, Fraction]:
    """Mean phase times m/(2 q) and m/(2 (1 - q)), q = 0.01."""
    return row.mean / (2 * LONG), row.mean / (2 * (1 - LONG))


def variance_hyper(row: Row) -> sp.Rational:
    """The variance before the phases are rounded."""
    longer, shorter = phases(row)
    return rational(2 * (LONG * longer**2 + (1 - LONG) * shorter**2) - row.mean**2)


def moment(low: sp.Expr, k: int) -> sp.Expr:
    """E[X^k] of the bounded Pareto law on [low, 400] with shape 7/5."""
    a, high = rational(SHAPE), sp.Integer(HIGH)
    return a * low**a / (1 - (low / high) ** a) * (high ** (k - a) - low ** (k - a)) / (k - a)
