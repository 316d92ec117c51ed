"""The paper's data, and how its statements are registered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from asymp.claim import Claim, Evidence, Outcome, Relation, Source, Strength, Witness

KEY = "mjsre"

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
MEAN_DEMAND = sum((row.probability * row.cores * row.mean for row in TABLE_2), Fraction(0))
"""E[alpha sigma], server seconds a job."""
IDEAL_RATE = SERVERS / MEAN_DEMAND

# --- evidence ---------------------------------------------------------------------------------


def certified(outcome: Outcome, detail: str, points: Sequence[Witness] = ()) -> list[Evidence]:
    """Evidence that was computed exactly, or in balls, on the set that ``detail`` names."""
    strength = Strength.NONE if outcome == Outcome.UNDECIDED else Strength.CERTIFIED
    return [Evidence("enclosed", outcome, strength, detail, tuple(points))]


def trend(detail: str) -> list[Evidence]:
    """Exact values at finite n that agree with a limit: they support it, and prove nothing of it."""
    return [Evidence("enclosed", Outcome.HOLDS, Strength.SUPPORTED, detail)]


def supported(outcome: Outcome, detail: str, points: Sequence[Witness] = ()) -> list[Evidence]:
    """Evidence of a sample."""
    strength = Strength.NONE if outcome == Outcome.UNDECIDED else Strength.SUPPORTED
    return [Evidence("sampled", outcome, strength, detail, tuple(points))]


def rational(x: Fraction) -> sp.Rational:
    """The same number for SymPy."""
    return sp.Rational(x.numerator, x.denominator)


# --- registering ------------------------------------------------------------------------------


def claim(slug: str, locator: str, relation: Relation, statement: str, **more: Any) -> Claim:
    """A statement of the paper; ``quote`` among the keywords goes to the source."""
    quote = more.pop("quote", "")
    return Claim(f"{KEY}/{slug}", Source(KEY, locator, quote), relation, statement, **more)


def beyond(slug: str, locator: str, relation: Relation, statement: str, **more: Any) -> Claim:
    """A statement that the paper does not make."""
    return claim(slug, locator, relation, statement, as_printed=False, **more)


def erratum(
    slug: str,
    locator: str,
    printed: tuple[Relation, str],
    corrected: tuple[Relation, str],
    *,
    note: str = "",
    corrected_note: str = "",
    sampled: Callable[[], Sequence[Evidence]] | None = None,
    corrected_sampled: Callable[[], Sequence[Evidence]] | None = None,
) -> list[Claim]:
    """A statement that fails, as printed, and the corrected one, linked both ways."""
    return [
        claim(
            slug,
            locator,
            *printed,
            expected=Outcome.REFUTED,
            correction=f"{KEY}/{slug}-corrected",
            note=note,
            sampled=sampled,
        ),
        beyond(
            f"{slug}-corrected",
            locator,
            *corrected,
            corrects=f"{KEY}/{slug}",
            note=corrected_note,
            sampled=corrected_sampled,
        ),
    ]
