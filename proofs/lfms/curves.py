"""The curves of figures 2 to 10, in certified numbers: exact (purple), orange and green.

Statements in words about the curves are tested on n = 10, 10^2, ..., 10^8, the range of the figures.
The *gap* of two curves is |ln of their ratio|, their vertical distance on the log-log plots.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import sympy as sp

from asymp.enclosure import Undecided, enclose
from asymp.papers.lfms.notation import E_DELTA, MU, ORANGE_E, ORANGE_MU, alpha, mu1, mun, n, p

SIZES = tuple(range(1, 9))
"""The powers of ten at which the curves are compared."""

GREEN_MU = n * mu1
GREEN_E = n ** (2 - alpha) * sp.log(n) ** 2 / 2
EXACT = {"throughput": MU, "response": E_DELTA}
CURVES = {
    ("throughput", "orange"): ORANGE_MU,
    ("throughput", "green"): GREEN_MU,
    ("response", "orange"): ORANGE_E,
    ("response", "green"): GREEN_E,
}


@dataclass(frozen=True)
class Setting:
    """A figure's parametrization: p_n = n^(-exponent) and the two rates."""

    exponent: sp.Rational
    rate1: int
    raten: int

    @property
    def text(self) -> str:
        return f"p_n = n^(-{self.exponent}), mu1 = {self.rate1}, mun = {self.raten}"

    def fix(self, expr: sp.Expr) -> sp.Expr:
        """The expression in n alone."""
        fixed = {mu1: sp.Integer(self.rate1), mun: sp.Integer(self.raten), alpha: self.exponent}
        return expr.subs(fixed).subs(p, n**-self.exponent)


_EXPONENTS = (sp.Rational(1, 2), sp.Integer(1), sp.Integer(2))
FIGURES = {
    2 + 3 * row + column: Setting(exponent, *rates)
    for row, rates in enumerate(((1, 1), (10, 1), (1, 10)))
    for column, exponent in enumerate(_EXPONENTS)
}
"""Figure number -> parametrization: 2-4 in section 9, 5-7 and 8-10 in appendix A."""


@dataclass(frozen=True)
class Interval:
    """A certified interval."""

    low: Fraction
    high: Fraction

    def __lt__(self, other: Interval | Fraction) -> bool:
        """Certainly less; raises where the intervals overlap, so that False means not less."""
        low, high = (other.low, other.high) if isinstance(other, Interval) else (other, other)
        if self.high < low:
            return True
        if self.low >= high:
            return False
        raise Undecided("two certified intervals overlap")

    def __str__(self) -> str:
        return f"{float(self.low):.6g}"


@lru_cache(maxsize=512)
def ratio(figure: int, what: str, colour: str, size: int) -> Interval:
    """Exact over asymptotic at n = 10^size."""
    return _certified(figure, what, colour, size, False)


@lru_cache(maxsize=512)
def gap(figure: int, what: str, colour: str, size: int) -> Interval:
    """|ln(exact/asymptotic)| at n = 10^size."""
    return _certified(figure, what, colour, size, True)


def _certified(figure: int, what: str, colour: str, size: int, logarithm: bool) -> Interval:
    setting = FIGURES[figure]
    quotient = EXACT[what] / CURVES[what, colour]
    number = sp.Integer(10) ** size
    values = {"n": number, "p": number**-setting.exponent, "mu1": setting.rate1, "mun": setting.raten}
    values["alpha"] = setting.exponent
    found = enclose(sp.log(quotient) if logarithm else quotient, values, digits=15)
    centre, radius = Fraction(found.value), Fraction(found.radius)
    if logarithm:
        centre = abs(centre)
    return Interval(centre - radius, centre + radius)
