"""Arguments for section 6 that the engine does not find by itself, each for one statement (q stands for p1)."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from asymp.claim import Step
from asymp.enclosure import compare
from asymp.expand import expand
from asymp.scale import Regime

INVERSE_E = sp.exp(-1)
y = sp.Symbol("y", positive=True)
s = sp.Symbol("s", positive=True)
t = sp.Symbol("t", positive=True)
m = sp.Symbol("m", positive=True)


def _zero(difference: sp.Expr) -> None:
    if sp.simplify(sp.expand_power_exp(difference)) != 0:
        raise ValueError(f"not zero: {difference}")


def _less(left: sp.Expr | Fraction, right: sp.Expr | Fraction) -> None:
    if not compare(sp.sympify(left), "<", sp.sympify(right), {}):
        raise ValueError(f"{left} < {right} is false")


def _vanishes(f: sp.Expr, variable: sp.Symbol) -> None:
    growth, _ = expand(f, Regime.single(variable), 2).leading()
    if growth.limit() != "zero":
        raise ValueError(f"{f} does not tend to 0")


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
        *series(),
        Step("m = floor(1/p) = 1: the sum is -ln p, and p > 1/2", r"\ln 2 < e/(e-1)^2"),
        Step(
            "m >= 2: q < m/(m+1), and the sum is at most q^m/(m (1-q)); (m-1) ln(1 + 1/m) increases in m",
            r"(m/(m+1))^{m-1} \le 2/3 < e/(e-1)^2",
        ),
    ]


def series() -> list[Step]:
    """The sum of k/e^k: that of k y^k is y/(1-y)^2, as its partial sums are found by induction."""
    partial = y * (1 - (m + 1) * y**m + m * y ** (m + 1)) / (1 - y) ** 2
    _zero(partial.subs(m, 1) - y)
    _zero(partial.subs(m, m + 1) - partial - (m + 1) * y ** (m + 1))
    _vanishes((partial - y / (1 - y) ** 2).subs(y, sp.exp(-s)), m)  # y = e^-s covers 0 < y < 1
    _zero((y / (1 - y) ** 2).subs(y, sp.exp(-1)) - sp.E / (sp.E - 1) ** 2)
    return [
        Step("partial sums by induction on m", sp.latex(partial)),
        Step("m -> oo with 0 < y < 1, since m y^m -> 0", r"\frac{y}{(1-y)^2}"),
        Step("y = 1/e", r"\frac{e}{(e-1)^2}"),
    ]


# --- Lemma 6.1: the integral -------------------------------------------------------------------------


def decreasing() -> list[Step]:
    """q^b/b decreases in b."""
    _zero(y**m / m - y ** (m + 1) / (m + 1) - y**m * (m * (1 - y) + 1) / (m * (m + 1)))
    return [Step("the difference is positive", r"\frac{p_1^b (1 + b p_n)}{b(b+1)} > 0")]


def incomplete_gamma() -> list[Step]:
    """The integral of q^b/b from 1 is Gamma(0, -ln q): -Gamma(0, s t) is a primitive of e^(-s t)/t, s = -ln q."""
    primitive = -sp.uppergamma(0, s * t)
    _zero(sp.diff(primitive, t) - sp.exp(-s * t) / t)
    _vanishes(primitive, t)
    return [Step("primitive of e^(-s t)/t, s = -ln q, by differentiation; it tends to 0", sp.latex(primitive))]


def difference() -> list[Step]:
    """The series less the integral."""
    return [*incomplete_gamma(), Step("the series of -ln(1 - q), q = 1 - p", r"\sum_{b\ge1} q^b/b = -\ln p")]


# --- Theorem 6.1 ---------------------------------------------------------------------------------------


def blocks_factor() -> list[Step]:
    """The sum of (k+1) e^-k is e/(e-1)^2 + 1/(e-1)."""
    value = sp.E / (sp.E - 1) ** 2 + 1 / (sp.E - 1)
    _less(value, 3)
    return [*series(), Step("and the sum of e^-k", sp.latex(value))]


def increasing() -> list[Step]:
    """x ln(1/x) increases for x < 1/e."""
    _zero(sp.diff(t * sp.log(1 / t), t) - (sp.log(1 / t) - 1))
    return [Step("its derivative, and x < 1/e", r"\ln(1/x) - 1 > 0")]


def arithmetic_geometric() -> list[Step]:
    """p times the sum of i q^i is q/p."""
    _zero(((1 - y) * y / (1 - y) ** 2) - y / (1 - y))
    return [*series()[:2], Step("y = q, times p = 1 - q", r"p \, q/p^2 = q/p")]


def log_integral() -> list[Step]:
    """The integral of q^t ln t from 1 is li(q)/ln q, s = -ln q: -e^(-st) ln t/s - Gamma(0, st)/s is a primitive."""
    primitive = -sp.exp(-s * t) * sp.log(t) / s - sp.uppergamma(0, s * t) / s
    _zero(sp.diff(primitive, t) - sp.exp(-s * t) * sp.log(t))
    for f, variable in ((primitive, t), (sp.li(sp.exp(-s)), s), (sp.uppergamma(0, s), s)):
        _vanishes(f, variable)
    _zero(sp.diff(sp.li(sp.exp(-s)), s) + sp.diff(sp.uppergamma(0, s), s))
    return [
        Step("primitive, by differentiation; s = -ln q", sp.latex(primitive)),
        Step("equal derivatives, and both vanish as s -> oo", r"\mathrm{li}(e^{-s}) = -\Gamma(0, s)"),
        Step("value", r"\Gamma(0, s)/s = \mathrm{li}(q)/\ln q"),
    ]
