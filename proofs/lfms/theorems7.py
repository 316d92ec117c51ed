"""Section 7: arguments for what the engine does not find by itself, each for one statement.

They support a statement; every number in them is compared in balls, every identity by algebra.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from asymp.claim import Step
from asymp.enclosure import compare

# --- blocks of the sum of p1^b/b (Lemma 7.1) -----------------------------------------------------

_BOUND = Step(
    "p1^t/t decreases and is at most e^(-p t)/t, and floor(k/p) > k/p - 1",
    r"\sum_{b=\lfloor k/p\rfloor}^{\lfloor (k+1)/p\rfloor} \frac{p_1^b}{b} \le \frac{p\,e^{p-k}}{k-p} + E_1(k-p) - E_1(k+1)",
)


def first_block() -> list[Step]:
    """The sum over floor(1/p) <= b <= floor(2/p) is at most 1/e for p <= 1/3.

    Up to p = 1/6 by an integral, from there on by cases of floor(1/p) and floor(2/p): a sum between
    fixed ends decreases in p, so that it is at most what it is at the left end of its case.
    """
    p = sp.Rational(1, 6)
    integral = p * sp.exp(p - 1) / (1 - p) + sp.uppergamma(0, 1 - p) - sp.uppergamma(0, 2)
    _require(integral, sp.exp(-1))
    steps = [_BOUND, Step("it increases in p, and is below 1/e at p = 1/6", r"k = 1,\ p \le 1/6")]
    for m in (3, 4, 5):
        for left, last in ((Fraction(2, 2 * m + 1), 2 * m), (Fraction(1, m + 1), 2 * m + 1)):
            total = sum((1 - left) ** b / b for b in range(m, last + 1))
            _require(sp.Rational(total), sp.exp(-1))
            steps.append(Step(f"b from {m} to {last}: below 1/e at p = {left}", rf"p > {left}"))
    return steps


def second_block() -> list[Step]:
    """The sum over floor(2/p) <= b <= floor(3/p) is at most 2/e^2 for p <= 1/3."""
    p = sp.Rational(1, 3)
    _require(p * sp.exp(p - 2) / (2 - p) + sp.uppergamma(0, 2 - p) - sp.uppergamma(0, 3), 2 * sp.exp(-2))
    return [_BOUND, Step("it increases in p, and is below 2/e^2 at p = 1/3", r"k = 2,\ p \le 1/3")]


def every_block() -> list[Step]:
    """The sum over floor(k/p) <= b <= floor((k+1)/p) is at most k/e^k for whole k >= 1 and p <= 1/3."""
    p = sp.Rational(1, 3)
    _require((1 + p) * sp.exp(p) / (2 - p), sp.Integer(2))
    second = Step(
        "E_1(y) <= e^(-y)/y; the factor of e^(-k) decreases in k, increases in p, and is below 2 at k = 2, p = 1/3",
        r"\frac{p\,e^{p-k}}{k-p} + E_1(k-p) \le \frac{(1+p)\,e^p}{k-p}\,e^{-k} \le k e^{-k} \qquad (k \ge 2)",
    )
    return [*first_block(), second]


def tail() -> list[Step]:
    """The sum over b >= floor(1/p) is at most e/(e-1)^2.

    It decreases in p where m = floor(1/p) is fixed, so that it is at most what it is at p = 1/(m+1): ln 2 for m = 1,
    else, with q = m/(m+1), at most q^m/(m (1-q)) = q^(m-1) <= e^(-(m-1)/(m+1)) <= e^(-1/3).
    """
    limit = sp.E / (sp.E - 1) ** 2
    _require(sp.log(2), limit)
    _require(sp.exp(-sp.Rational(1, 3)), limit)
    return [
        Step("it decreases in p where m = floor(1/p) is fixed: at most its value at p = 1/(m+1)", ""),
        Step("m = 1", r"\sum_{b\ge1} \frac{2^{-b}}{b} = \ln 2 < \frac{e}{(e-1)^2}"),
        Step(
            "m >= 2, q = m/(m+1), as ln(1 + 1/m) >= 1/(m+1)",
            r"\sum_{b\ge m} \frac{q^b}{b} \le q^{m-1} \le e^{-\frac{m-1}{m+1}} \le e^{-1/3} < \frac{e}{(e-1)^2}",
        ),
    ]


def _require(left: sp.Expr, right: sp.Expr) -> None:
    if not compare(left, "<=", right):
        raise ValueError(f"{left} <= {right} is false")
