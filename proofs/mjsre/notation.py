"""The paper's data, and evidence of its functions of numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import sympy as sp

from asymp.claim import Evidence, Outcome, Strength, Witness

Test = Callable[[], list[Evidence]]


@dataclass(frozen=True)
class Row:
    """A row of Table 2, every number as it is printed."""

    cores: int
    probability: Fraction
    mean: Fraction
    phases: tuple[str, str]
    """Mean phase times of the hyperexponential law; the longer is chosen with probability 0.01."""
    bounds: tuple[str, str]
    variance_hyperexponential: str
    variance_pareto: str
    cv_pareto: str
    """From the text of section 8.2, scenario 4."""


def _row(cores: int, probability: str, mean: str, phases: str, low: str, variances: str, cv: str) -> Row:
    longer, shorter = phases.split()
    first, second = variances.split()
    return Row(cores, Fraction(probability), Fraction(mean), (longer, shorter), (low, "400.0"), first, second, cv)


TABLE_2 = (
    _row(1, "0.5", "0.5", "25.0 0.25", "0.15", "12.38 5.62", "4.74"),
    _row(2, "0.1", "0.83", "41.5 0.42", "0.25", "34.10 11.38", "4.06"),
    _row(5, "0.2", "1.25", "62.5 0.63", "0.38", "77.35 20.078", "3.58"),
    _row(10, "0.19", "3.33", "166.5 1.68", "1.05", "548.96 77.15", "2.64"),
    _row(15, "0.01", "10.0", "500.0 5.05", "3.35", "4950.51 335.56", "1.83"),
)
SERVERS = 20
"""Servers of the system with five classes."""
SHAPE = Fraction(7, 5)
"""Shape of the bounded Pareto laws, section 8.2."""
LONG = Fraction(1, 100)
"""Probability of the longer phase, section 8.2."""

MEAN_SERVICE = sum((row.probability * row.mean for row in TABLE_2), Fraction(0))

# --- evidence ---------------------------------------------------------------------------------


def certified(outcome: Outcome, detail: str, points: Sequence[Witness] = ()) -> list[Evidence]:
    """Evidence that was computed exactly, or in balls, on the set that ``detail`` names."""
    strength = Strength.NONE if outcome == Outcome.UNDECIDED else Strength.CERTIFIED
    return [Evidence("enclosed", outcome, strength, detail, tuple(points))]


def supported(outcome: Outcome, detail: str, points: Sequence[Witness] = ()) -> list[Evidence]:
    """Evidence of a sample."""
    strength = Strength.NONE if outcome == Outcome.UNDECIDED else Strength.SUPPORTED
    return [Evidence("sampled", outcome, strength, detail, tuple(points))]


def rational(x: Fraction) -> sp.Rational:
    """The same number for SymPy."""
    return sp.Rational(x.numerator, x.denominator)
