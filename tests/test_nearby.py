"""Sums whose terms differ by less than any power, and the incomplete gamma functions over Gamma: against mpmath."""

from __future__ import annotations

import mpmath
import pytest
import sympy as sp

from asymp.check.expansion import expand_text
from asymp.kernel import terms
from asymp.kernel.growths.expander import Expander as Kernel
from asymp.kernel.growths.growth import Domain
from asymp.kernel.growths.near import near
from asymp.kernel.growths.series import Algebra
from asymp.kernel.terms import Refused
from tests.expansions import expanded

n = sp.Symbol("n", positive=True)
DIFFERENCES = [
    sp.exp(1 / n - sp.exp(-n)) - sp.exp(1 / n),
    2 * sp.exp(1 / n - sp.exp(-n)) - 3 * sp.exp(1 / n) + sp.exp(1 / n + sp.exp(-2 * n)),
    sp.exp(1 / n + sp.exp(-n)) / n - sp.exp(1 / n) / n,
    sp.exp(sp.sin(1 / n + sp.exp(-n))) - sp.exp(sp.sin(1 / n)),
    sp.sin(1 / n + sp.exp(-n)) - sp.sin(1 / n),
    sp.cos(2 + 1 / n + sp.exp(-n)) - sp.cos(2 + 1 / n),
    sp.log(n + sp.exp(-n)) - sp.log(n),
    sp.sqrt(1 / n + sp.exp(-n)) - sp.sqrt(1 / n),
    (1 + 1 / n + sp.exp(-n)) ** sp.Rational(1, 3) - (1 + 1 / n) ** sp.Rational(1, 3),
    sp.erf(1 / n + sp.exp(-n)) - sp.erf(1 / n),
    sp.atan(1 / n - sp.exp(-n)) - sp.atan(1 / n),
    sp.gamma(2 + 1 / n + sp.exp(-n)) - sp.gamma(2 + 1 / n),
    sp.tanh(1 + 1 / n + sp.exp(-n)) - sp.tanh(1 + 1 / n),
]


def value(expr: sp.Expr, at: int) -> mpmath.mpf:
    return sp.lambdify(n, expr, "mpmath")(mpmath.mpf(at))


@pytest.mark.parametrize("difference", DIFFERENCES, ids=str)
def test_the_distance_to_the_terms_is_of_the_size_of_the_remainder(difference):
    e = expanded(difference, order=2)
    with mpmath.workdps(600):
        ratios = [abs(value(difference - e.expr, at)) / value(e.growth, at) for at in (50, 100, 200, 400)]
    assert ratios[-1] < 50 and ratios[-1] <= 1.1 * ratios[-2]


def test_a_derivative_of_one_sign_far_out_bounds_a_difference():
    found = near(kernel(), terms.read("loggamma(n + exp(-n)) - loggamma(n)").parts)  # exp(-n) log(n) + ...
    assert [c.constant() for c, _ in found.terms][:1] == [1]


def kernel() -> Kernel:
    return Kernel(Algebra(Domain(), 3), {"n": 0}, {})


@pytest.mark.parametrize("text", [
    "sin(n + exp(-n)) - sin(n)",  # where n tends there is no bound of the derivatives here
    "sqrt(exp(-n) + exp(-2*n)) - sqrt(exp(-n) - exp(-n)/2)",  # e/B does not vanish
    "log(exp(-n) - exp(-n)) - log(exp(-n))", "acos(1 - exp(-n)) - acos(1 - exp(-2*n))",  # an end
    "floor(1/n + exp(-n)) - floor(1/n)", "zeta(2, 1/n + exp(-n)) - zeta(2, 1/n)",
])  # fmt: skip
def test_what_is_near_and_refused(text):
    with pytest.raises(Refused):
        near(kernel(), terms.read(text).parts)


def test_nothing_is_near():
    with pytest.raises(Refused, match="near each other"):
        near(kernel(), [terms.read(text) for text in ("exp(n)", "exp(2*n)", "n")])


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("uppergamma(n, n/2)/gamma(n) - 1", "-sqrt(2)*exp(n/2)/(2**n*sqrt(pi*n))"),
        ("lowergamma(n + 1, 2*n)/factorial(n) - 1", "-2**n*sqrt(2)*exp(-n)/sqrt(pi*n)"),
        ("exp(n)*(exp(1/n - exp(-n)) - exp(1/n))", "-1"),
    ],
)
def test_exponentially_small_parts_are_found_and_confirmed(text, first):
    answer = expand_text(text, "n->oo", order=1)
    assert answer["terms"] == [first]


@pytest.mark.parametrize("shift", [-2, -1, 0, 1, 2])
@pytest.mark.parametrize("ratio", [sp.Rational(1, 2), sp.S.One, sp.Integer(2)])
@pytest.mark.parametrize("kind", [sp.uppergamma, sp.lowergamma])
def test_incomplete_gamma_functions_over_gamma(kind, ratio, shift):
    """Gamma(n + shift, ratio n)/Gamma(n) against mpmath."""
    quotient = kind(n + shift, ratio * n) / sp.gamma(n)
    e = expanded(quotient, order=2)
    with mpmath.workdps(200):
        ratios = []
        for at in (60, 240, 960):
            a, x = mpmath.mpf(at + shift), mpmath.mpf(at) * ratio.p / ratio.q
            part = mpmath.gammainc(a, x) if kind is sp.uppergamma else mpmath.gammainc(a, 0, x)
            ratios.append(abs(part / mpmath.gamma(at) - value(e.expr, at)) / value(e.growth, at))
    assert ratios[-1] < 500 and ratios[-1] <= 1.5 * ratios[-2]


@pytest.mark.parametrize(("text", "true"), [
    ("exp(1/n + exp(-n)) - exp(1/n) ~ exp(-n) as n -> oo", True),
    ("exp(1/n + exp(-n)) - exp(1/n) ~ exp(-n)*(1 + 10^(-200)) as n -> oo", False),
    ("erf(1/n + exp(-n)) - erf(1/n) ~ 2/sqrt(pi)*exp(-n) as n -> oo", True),
    ("log(n + exp(-n)) - log(n) = exp(-n)/n + O(exp(-2*n)) as n -> oo", True),
    ("log(n + exp(-n)) - log(n) = exp(-n)/n + O(exp(-3*n)) as n -> oo", False),
    ("gamma(2 + 1/n + exp(-n)) - gamma(2 + 1/n) ~ (1 - EulerGamma)*exp(-n) as n -> oo", True),
    ("sqrt(1/n + exp(-n)) - sqrt(1/n) ~ sqrt(n)*exp(-n) as n -> oo", False),
])  # fmt: skip
def test_theorems(text, true):
    from asymp.language.statement import read_statement
    from asymp.prove.asymptotic import fails, holds

    found = holds(read_statement(text)) if true else fails(read_statement(text))
    assert found.holds is true and not any(one.startswith("engine") for one in found.trusts)
    with pytest.raises(Refused):
        (fails if true else holds)(read_statement(text))
