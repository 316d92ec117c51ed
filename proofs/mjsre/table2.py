"""Table 2 and the coefficients of variation of section 8.2: printed numbers against the laws they describe."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache

import sympy as sp

from asymp.check import finite
from asymp.check.judge import judge
from asymp.claim import Claim, Domain, Evidence, Identity, Outcome, Property, Value, Witness
from asymp.enclosure import compare, enclose
from asymp.queues.laws import BoundedPareto
from proofs.mjsre.notation import (
    IDEAL_RATE,
    LONG,
    MEAN_SERVICE,
    SHAPE,
    TABLE_2,
    Row,
    beyond,
    certified,
    claim,
    rational,
)

HIGH = 400
"""The upper bound of every bounded Pareto law."""
ROUNDED = ("5.66", "11.37", "20.03", "77.29", "335.84")
"""Variances with the lower bounds as they are printed."""
ROWS = Domain.product("the five classes", row=range(len(TABLE_2)))


def claims() -> list[Claim]:
    """What Table 2 prints, and what section 8.2 says of it, in order."""
    return [*_table(), *_text()]


def _table() -> list[Claim]:
    place = "Table 2"
    return [
        claim(
            "table-2-probabilities",
            place,
            Identity(lambda: sum(row.probability for row in TABLE_2), lambda: Fraction(1), Domain.points()),
            "The class probabilities 0.5, 0.1, 0.2, 0.19, 0.01 are those of all jobs: they sum to 1.",
        ),
        claim(
            "table-2-phases",
            place,
            Identity(
                lambda row: tuple(
                    rounded(x, y) for x, y in zip(phases(TABLE_2[row]), TABLE_2[row].phases, strict=True)
                ),
                lambda row: tuple(Fraction(x) for x in TABLE_2[row].phases),
                ROWS,
            ),
            "Mean phase times of the hyperexponential laws, chosen so as to maintain the mean service time: (25.0, 0.25), "
            "(41.5, 0.42), (62.5, 0.63), (166.5, 1.68), (500.0, 5.05).",
            note="50 and 50/99 times the mean, rounded: each phase carries half of the mean.  With the rounded numbers the means "
            "are up to 0.5% off (class 1: 0.4975).",
        ),
        claim(
            "table-2-variance-hyperexponential",
            place,
            Property(_printed([(variance_hyper(row), row.variance_hyperexponential) for row in TABLE_2]), complete=True),
            "Variances of the hyperexponential laws: 12.38, 34.10, 77.35, 548.96, 4950.51.",
        ),
        claim(
            "table-2-bounds",
            place,
            Property(_lower_bounds, complete=True),
            "Lower bounds of the bounded Pareto laws, chosen so as to maintain the mean service time: 0.15, 0.25, 0.38, 1.05, "
            "3.35.",
            note="The lower bounds at which the means are exactly 0.5, 0.83, 1.25, 3.33, 10, rounded.  With the rounded bounds the "
            "means are up to 0.53% off (class 1: 0.50263).",
        ),
        claim(
            "table-2-variance-pareto",
            place,
            Property(_variances_of_means, complete=True),
            "Variances of the bounded Pareto laws, chosen so as to maintain the mean service time: 5.62, 11.38, 20.078, 77.15, "
            "335.56.",
            note="Of the laws whose lower bounds give the means 0.5, 0.83, 1.25, 3.33, 10 exactly, as the caption has it: the "
            "bounds are printed rounded.",
        ),
        beyond(
            "table-2-variance-pareto-rounded",
            place,
            Property(_printed([(_variance(_rounded_bound(row)), x) for row, x in zip(TABLE_2, ROUNDED, strict=True)]), complete=True),
            "With the lower bounds as they are printed, 0.15, 0.25, 0.38, 1.05, 3.35, the variances are 5.66, 11.37, 20.03, "
            "77.29, 335.84.",
            note="The printed variances cannot be had from the printed bounds.",
        ),
    ]


def _text() -> list[Claim]:
    place = "Section 8.2"
    exponential = [2 * row.mean**2 for row in TABLE_2]
    erlang = [Fraction(4, 3) * row.mean**2 for row in TABLE_2]
    hyper = [_second_hyper(row) for row in TABLE_2]
    pareto = [moment(rational(Fraction(row.bounds[0])), 2) for row in TABLE_2]
    found = [
        claim(
            "section-8.2-ideal",
            place,
            Value(rational(IDEAL_RATE), "2.11"),
            "Disregarding the effect of HOL, the system's stability condition would be lambda < lambda_ideal = 2.11.",
        )
    ]
    for slug, words, second, printed in (
        ("exponential", "exponential", exponential, "1.78"),
        ("erlang", "3-phase Erlang", erlang, "1.34"),
        ("hyperexponential", "hyperexponential", hyper, "10.22"),
        ("pareto", "bounded Pareto", pareto, "4.01"),
    ):
        found.append(
            claim(
                f"section-8.2-cv-{slug}",
                place,
                Value(_overall(second), printed),
                f"The overall coefficient of variation of {words} job service times is {printed}.",
                note="4.015 truncated, with the printed bounds and the mean of the other laws; 4.0117 with exact means."
                if slug == "pareto"
                else "",
            )
        )
    found += [
        claim(
            "section-8.2-cv-erlang-class",
            place,
            Value(1 / sp.sqrt(3), "0.58"),
            "The coefficient of variation of 3-phase Erlang service times of jobs in each class is 0.58.",
        ),
        claim(
            "section-8.2-cv-hyperexponential-class",
            place,
            Value(sp.sqrt(rational(_second_hyper(TABLE_2[0]) / TABLE_2[0].mean ** 2) - 1), "7.036"),
            "The coefficient of variation of hyperexponential service times of jobs in each class is 7.036.",
            note="Before the phases are rounded; with the printed phases it is 7.03 to 7.07.",
        ),
        claim(
            "section-8.2-cv-pareto-class",
            place,
            Property(_cvs_of_means, complete=True),
            "The coefficients of variation of bounded Pareto service times in each class are 4.74, 4.06, 3.58, 2.64, 1.83.",
            note="Of the laws whose lower bounds give the means of Table 2 exactly.",
        ),
        beyond(
            "section-8.2-cv-pareto-class-rounded",
            place,
            Property(_printed([(_cv(_rounded_bound(TABLE_2[0])), "4.734")]), complete=True),
            "With the lower bound 0.15 as it is printed the first of them is 4.734.",
        ),
    ]
    return found


# --- hyperexponential --------------------------------------------------------------------------


def phases(row: Row) -> tuple[Fraction, Fraction]:
    """Mean phase times of which each carries half of the mean: m/(2 q) and m/(2 (1 - q)), q = 0.01."""
    return row.mean / (2 * LONG), row.mean / (2 * (1 - LONG))


def _second_hyper(row: Row) -> Fraction:
    longer, shorter = phases(row)
    return 2 * (LONG * longer**2 + (1 - LONG) * shorter**2)


def variance_hyper(row: Row) -> sp.Rational:
    """The variance before the phases are rounded."""
    return rational(_second_hyper(row) - row.mean**2)


def rounded(x: Fraction, printed: str) -> Fraction:
    """x to as many decimals as ``printed`` has, half up.

    >>> rounded(Fraction("0.2525"), "0.25")
    Fraction(1, 4)
    """
    unit = Fraction(1, 10 ** len(printed.partition(".")[2]))
    return (x / unit + Fraction(1, 2)).__floor__() * unit


# --- bounded Pareto ------------------------------------------------------------------------------


def moment(low: sp.Expr, k: int) -> sp.Expr:
    """E[X^k] of the bounded Pareto law on [low, 400] with shape 7/5."""
    a, high = rational(SHAPE), sp.Integer(HIGH)
    return a * low**a / (1 - (low / high) ** a) * (high ** (k - a) - low ** (k - a)) / (k - a)


def _variance(low: sp.Expr) -> sp.Expr:
    return moment(low, 2) - moment(low, 1) ** 2


def _rounded_bound(row: Row) -> sp.Rational:
    """The lower bound as it is printed."""
    return rational(Fraction(row.bounds[0]))


def _cv(low: sp.Expr) -> sp.Expr:
    return sp.sqrt(_variance(low)) / moment(low, 1)


def _overall(second: Sequence[Fraction | sp.Expr]) -> sp.Expr:
    """The coefficient of variation over all classes, with the printed means."""
    weighted = (
        rational(row.probability) * (rational(x) if isinstance(x, Fraction) else x)
        for row, x in zip(TABLE_2, second, strict=True)
    )
    mean = rational(MEAN_SERVICE)
    return sp.sqrt(sum(weighted, sp.Integer(0)) - mean**2) / mean


@lru_cache(maxsize=8)
def _bracket(row: Row) -> tuple[sp.Rational, sp.Rational]:
    """Two lower bounds, 2e-9 apart, between which the mean is the printed one (certified)."""
    near = Fraction(BoundedPareto.of_mean(float(row.mean), HIGH, float(SHAPE)).low).limit_denominator(10**12)
    width = Fraction(1, 10**9)
    low, high = rational(near - width), rational(near + width)
    mean = rational(row.mean)
    if not (compare(moment(low, 1), "<", mean) and compare(mean, "<", moment(high, 1))):
        raise ArithmeticError(f"the lower bound {float(near)} does not give the mean {row.mean}")
    return low, high


def _between(ends: Sequence[sp.Expr], printed: str) -> bool | None:
    """Whether both ends of a range round (or truncate) to ``printed``; None if only one does."""
    inside = [judge(finite.value(Value(end, printed)))[0] == Outcome.HOLDS for end in ends]
    return inside[0] if inside[0] == inside[1] else None


def _of_means(what: str, ends: Callable[[Row], Sequence[sp.Expr]], printed: Callable[[Row], str]) -> list[Evidence]:
    """A test that what is increasing in the lower bound lies, at the exact mean, where it is printed."""
    points = []
    for row in TABLE_2:
        low, high = ends(row)
        found = _between((low, high), printed(row))
        points.append(Witness({"class": str(row.cores)}, enclose(low, digits=8).value, "1e-6"))
        if found is None:
            return certified(Outcome.UNDECIDED, f"class {row.cores}: the bracket does not decide {printed(row)}")
        if not found:
            return certified(
                Outcome.REFUTED, f"class {row.cores}: {what} is {points[-1].value}, not {printed(row)}", points
            )
    detail = f"{what} in a bracket of the lower bound that gives the mean: " + ", ".join(x.value for x in points)
    return certified(Outcome.HOLDS, detail, points)


def _lower_bounds() -> list[Evidence]:
    return _of_means("the lower bound", _bracket, lambda row: row.bounds[0])


def _second_moments(row: Row) -> tuple[sp.Expr, sp.Expr]:
    """Ends of the second moment: the law, and so its moments, increase with the lower bound."""
    low, high = _bracket(row)
    return moment(low, 2), moment(high, 2)


def _variances_of_means() -> list[Evidence]:
    def ends(row: Row) -> list[sp.Expr]:
        return [x - rational(row.mean) ** 2 for x in _second_moments(row)]

    return _of_means("the variance", ends, lambda row: row.variance_pareto)


def _cvs_of_means() -> list[Evidence]:
    def ends(row: Row) -> list[sp.Expr]:
        mean = rational(row.mean)
        return [sp.sqrt(x - mean**2) / mean for x in _second_moments(row)]

    return _of_means("the coefficient of variation", ends, lambda row: row.cv_pareto)


# --- several printed numbers -----------------------------------------------------------------------


def _printed(pairs: Sequence[tuple[sp.Expr, str]]) -> Callable[[], list[Evidence]]:
    """A test that every expression rounds, or truncates, to the number beside it."""

    def test() -> list[Evidence]:
        lines = [finite.value(Value(expr, printed))[0] for expr, printed in pairs]
        points = [point for line in lines for point in line.points]
        wrong = [line.detail for line in lines if line.outcome == Outcome.REFUTED]
        if wrong:
            return certified(Outcome.REFUTED, "; ".join(wrong), points)
        if any(line.outcome != Outcome.HOLDS for line in lines):
            return certified(Outcome.UNDECIDED, "; ".join(line.detail for line in lines))
        return certified(Outcome.HOLDS, "; ".join(line.detail for line in lines), points)

    return test
