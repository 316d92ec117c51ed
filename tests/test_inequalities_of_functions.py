"""Inequalities between functions of the table, each beside one that is false by little: rows, slopes, halves of the line."""

from __future__ import annotations

import pytest

from asymp.kernel.terms import Refused
from asymp.kernel.theorem import certificate, proves, replay
from asymp.language.statement import read_statement
from asymp.prove import bounds
from asymp.prove.claims import theorem

TRUE_AND_FALSE = [
    ("tanh(x) < 1 for x > 0", "tanh(x) < 1 - 10^(-40) for x > 0"),
    ("tanh(x) <= x for x >= 0", "tanh(x) <= x - x^9/10^9 for x >= 0"),
    ("erf(x) <= 2*x/sqrt(pi) for x >= 0", "erf(x) <= 2*x/sqrt(pi)*(1 - 10^(-30)) for x >= 0"),
    ("atan(x) <= x for x >= 0", "atan(x) <= x for x >= -1/10"),
    ("asinh(x) < x for x > 0", "asinh(x) < x for x >= 0"),
    ("LambertW(x) <= x for x >= 0", "LambertW(x) < x for x >= 0"),
    ("LambertW(x) >= -1 for x >= 0", "LambertW(x, -1) >= -1 for -1/3 <= x < 0"),
    ("besselk(1/2, x) > 0 for x > 0", "besselj(1/2, x) > 0 for x > 0"),
    ("sech(x) <= 1 for real x", "sech(x) < 1 for real x"),
    ("tan(x) >= x for 0 <= x < 1", "tan(x) >= x for -1 < x < 1"),
    ("atanh(x) >= x for 0 <= x < 1", "atanh(x) >= x + x^3/2 for 0 <= x < 1"),
    ("cosh(x) >= 1 + x^2/2 for real x", "cosh(x) >= 1 + x^2/2 + x^4/23 for real x"),
    ("exp(x) >= 1 + x + x^2/2 + x^3/6 for real x", "exp(x) >= 1 + x + x^2/2 for real x"),
    ("exp(-x^2) <= 1/(1 + x^2) for real x", "exp(-x^2) <= 1/(1 + x^2 + x^4) for real x"),
    ("cos(x) >= 1 - x^2/2 for real x", "cos(x) >= 1 - x^2*(1/2 - 10^(-9)) for real x"),
    ("x*atan(x) >= log(1 + x^2)/2 for real x", "x*atan(x) >= log(1 + x^2)*(1 + 10^(-9)) for real x"),
    ("cosh(x) <= exp(x^2/2) for real x", "cosh(x) <= exp(x^2*(1/2 - 10^(-6))) for real x"),
    ("atan(x)^2 <= x^2 for real x", "atan(x)^2 < x^2 for real x"),
    ("atan(x + 1) > atan(x) for real x", "atan(x + 1) > atan(x) + 10^(-9) for real x"),
    ("erfc(y) <= erfc(x) for real x, y > x", "erf(y) <= erf(x) for real x, y > x"),
    ("sinh(x) >= sinh(y) for x >= y, real y", "cosh(x) >= cosh(y) for x >= y, real y"),
    ("tanh(x^2 + 1) >= tanh(1) for real x", "tanh(x^2 + 1) > tanh(1) for real x"),
]


@pytest.mark.parametrize("text", [true for true, _ in TRUE_AND_FALSE])
def test_what_is_true_is_a_theorem(text):
    statement = read_statement(text)
    found = theorem(statement, True)
    assert proves(replay(certificate(found)), statement) and not any(leaf.startswith("engine") for leaf in found.trusts)


@pytest.mark.parametrize("text", [false for _, false in TRUE_AND_FALSE])
def test_what_is_false_by_little_is_none(text):
    """Also where no point is looked at first."""
    statement = read_statement(text)
    for way in (lambda: theorem(statement, True), lambda: bounds.holds(statement, ((3, 40),))):
        with pytest.raises(Refused):
            way()


@pytest.mark.parametrize("text", [
    "coth(x + 1) <= coth(x) for real x, x > -1/2", "digamma(x + 1) > digamma(x) for x > -1/2", "tan(x + 1) >= tan(x) for x > 0",
    "csch(x) >= csch(x + 2) for x > -1",
])  # fmt: skip
def test_no_slope_leads_across_a_pole(text):
    with pytest.raises(Refused):
        theorem(read_statement(text), True)
