"""Arguments for section 6 that the engine does not find by itself, each for one statement (q stands for p1)."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from asymp.claim import Step
from asymp.enclosure import compare

INVERSE_E = sp.exp(-1)


def _less(left: sp.Expr | Fraction, right: sp.Expr | Fraction) -> None:
    if not compare(sp.sympify(left), "<", sp.sympify(right), {}):
        raise ValueError(f"{left} < {right} is false")


def _power_sum(base: Fraction, low: int, high: int) -> sp.Rational:
    """The sum of base^b/b over low <= b <= high."""
    found = sum((base**b / b for b in range(low, high + 1)), Fraction(0))
    return sp.Rational(found.numerator, found.denominator)


# --- Lemma 6.1: the blocks ---------------------------------------------------------------------------


def first_block_words() -> list[Step]:
    """p times the sum of q^b/b from floor(1/p) to floor(2/p) is at most 1/e."""
    ones = sum((Fraction(b, b + 1) ** b / (b * (b + 1)) for b in range(1, 4)), Fraction(0))
    _less(sp.Rational(ones.numerator, ones.denominator), INVERSE_E)
    _less(sp.Rational(4, 27), INVERSE_E)
    return [
        Step("m = floor(1/p): 1/(m+1) < p, so that b runs from m to 2m + 1 at most", r"m \le b \le 2m + 1"),
        Step("p q^b is largest at p = 1/(b+1)", r"p q^b \le \frac{1}{b+1} \left(\frac{b}{b+1}\right)^b"),
        Step("m = 1: the three terms, summed", f"{sp.latex(sp.Rational(ones.numerator, ones.denominator))} < 1/e"),
        Step(
            "m >= 2: (b/(b+1))^b <= 4/9, and the sum of 1/(b(b+1)) is 1/m - 1/(2m+2) <= 1/3",
            r"\frac49 \cdot \frac13 < 1/e",
        ),
    ]


def first_block() -> list[Step]:
    """The sum of q^b/b from floor(1/p) to floor(2/p) is at most 1/e, for p <= 1/3."""
    for low in range(3, 10):
        _less(_power_sum(Fraction(low, low + 1), low, 2 * low + 1), INVERSE_E)
    _less(sp.Rational(10, 11) ** 10 * (sp.Rational(1, 10) + sp.log(sp.Rational(21, 10))), INVERSE_E)
    return [
        Step("m = floor(1/p) >= 3: q < m/(m+1), and b runs from m to 2m + 1 at most", r"q^b \le (m/(m+1))^b"),
        Step("m = 3, ..., 9: the sums of (m/(m+1))^b/b, each compared", r"< 1/e"),
        Step(
            "m >= 10: at most (m/(m+1))^m (1/m + ln((2m+1)/m)), in which both factors decrease in m",
            r"(10/11)^{10} (1/10 + \ln 2.1) < 1/e",
        ),
    ]


def second_block() -> list[Step]:
    """The sum of q^b/b from floor(2/p) to floor(3/p) is at most 1/(2 e^2), for p <= 1/3."""
    for low in range(6, 22):
        _less(_power_sum(Fraction(low - 1, low + 1), low, -(-3 * (low + 1) // 2) - 1), sp.exp(-2) / 2)
    _less(sp.Rational(1, 22) + sp.log(sp.Rational(69, 44)), sp.Rational(1, 2))
    return [
        Step("j = floor(2/p) >= 6: q < (j-1)/(j+1), and b < 3(j+1)/2", r"q^b \le ((j-1)/(j+1))^b"),
        Step("j = 6, ..., 21: the sums of ((j-1)/(j+1))^b/b, each compared", r"< 1/(2 e^2)"),
        Step("ln((j+1)/(j-1)) >= 2/j", r"((j-1)/(j+1))^j \le e^{-2}"),
        Step("j >= 22: the sum of 1/b is at most 1/j + ln(3(j+1)/(2j)), which decreases in j", r"< 1/2"),
    ]


def tail() -> list[Step]:
    """The sum of q^b/b over b >= floor(1/p) is at most that of k e^-k, which is e/(e-1)^2."""
    whole = sp.E / (sp.E - 1) ** 2
    _less(sp.log(2), whole)
    _less(sp.Rational(2, 3), whole)
    return [
        Step("m = floor(1/p) = 1: the sum is -ln p, and p > 1/2", r"\ln 2 < e/(e-1)^2"),
        Step(
            "m >= 2: q < m/(m+1), and the sum is at most q^m/(m (1-q)); (m-1) ln(1 + 1/m) increases in m",
            r"(m/(m+1))^{m-1} \le 2/3 < e/(e-1)^2",
        ),
    ]
