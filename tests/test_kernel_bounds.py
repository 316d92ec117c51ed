"""Signs under hypotheses and proofs on unbounded domains: every side condition has a false statement that needs it."""

from __future__ import annotations

from typing import Any

import pytest

import asymp.kernel.bounds  # noqa: F401  (registers its rule)
from asymp.kernel.bounds import Proof, goals
from asymp.kernel.signs import Context
from asymp.kernel.terms import Refused, Term, name, read
from asymp.kernel.theorem import Theorem, apply, certificate, proves, replay
from asymp.language.statement import read_statement
from asymp.prove import bounds as search
from asymp.prove.claims import theorem

BY: list[Any] = ["by", []]


def context(conditions: str) -> Context:
    return goals(read_statement(f"0 <= 0 for {conditions}"))[0][2]


def prove(statement: str, *proofs: Any, **point: str) -> Theorem:
    return apply("bounds", statement=statement, point=point, proofs=list(proofs))


def refused(statement: str, *proofs: Any, **point: str) -> None:
    with pytest.raises(Refused):
        prove(statement, *proofs, **point)


# --- values and signs -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "conditions", "signs"),
    [
        ("x", "x > 0", {1}), ("x", "x >= 0", {0, 1}), ("x", "x < 0", {-1}), ("x", "x <= 0", {-1, 0}), ("x", "real x", {-1, 0, 1}),
        ("x^2", "real x", {0, 1}), ("x^3", "x < 0", {-1}), ("x^(-2)", "x < 0", {1}), ("n", "whole n > 0", {1}), ("n - 1", "whole n > 0", {0, 1}),
        ("n - 1", "n > 0", {-1, 0, 1}), ("n - 2", "whole n > 3/2", {0, 1}), ("1 + y", "-1/2 <= y <= 1/2", {1}), ("1 + y", "-1 <= y <= 1", {0, 1}),
        ("1 - p^n", "0 < p < 1, n > 0", {1}), ("1 - p^n", "0 < p < 1, n >= 0", {0, 1}), ("log(x)", "x >= 1", {0, 1}), ("log(x)", "0 < x < 1", {-1}),
        ("x - a", "a <= x, real a", {0, 1}), ("x - a", "a < x, real a", {1}), ("a*x - a^2", "a < x, a < 0", {-1}), ("x", "x > a, a > 0", {1}),
        ("Sum(k, (k, 1, n))", "whole n >= 1", {1}), ("Sum(k, (k, 1, n - 1))", "whole n >= 1", {0, 1}), ("Sum(-k, (k, 1, n))", "whole n >= 1", {-1}),
        ("Integral(exp(t*x), (t, 0, x))", "x > 0", {1}), ("Integral(exp(t*x), (t, 0, x))", "x >= 0", {0, 1}), ("Ei(-x)", "x > 0", {-1}),
        ("harmonic(n)", "whole n >= 0", {0, 1}), ("Abs(x)", "real x", {0, 1}), ("Max(x, 0)", "x > 0", {1}), ("x*y", "-1 <= x <= 1, -1 <= y <= 1", {-1, 0, 1}),
        ("x + y", "0 <= x <= 1, 0 <= y <= 1", {0, 1}), ("pi - 3", "x > 0", {1}), ("x^2 - x", "x > 1", {1}), ("x^2 + x", "x > -1", {-1, 0, 1}),
    ],
)  # fmt: skip
def test_signs(text, conditions, signs):
    assert context(conditions).signs(read(text)) == signs


@pytest.mark.parametrize(
    ("text", "conditions"),
    [
        ("1/x", "x >= 0"), ("1/x", "real x"), ("x/x", "real x"), ("x^0", "real x"), ("0/x", "real x"), ("log(x)", "x >= 0"), ("0*log(x)", "real x"),
        ("x^(1/2)", "x >= 0"), ("x^y", "x >= 0, y > 0"), ("(-1)^n", "whole n >= 1"), ("harmonic(x)", "x >= -1"), ("gamma(x)", "x >= 0"),
        ("factorial(n)", "whole n >= -1"), ("Sum(k, (k, 1, n))", "n >= 1"), ("Sum(k, (k, 2, n))", "whole n >= 0"), ("Sum(1/k, (k, 0, n))", "whole n >= 1"),
        ("Sum(1/k^2, (k, 1, oo))", "x > 0"), ("Integral(1/t, (t, 0, x))", "x > 0"), ("Integral(t, (t, 0, x))", "real x"), ("oo", "x > 0"), ("x*oo", "x > 0"),
        ("Integral(floor(t), (t, 0, x))", "x > 0"), ("Integral(Abs(t), (t, 0, oo))", "x > 0"), ("mystery(x)", "x > 0"), ("li(x)", "x > 0"), ("Ei(x)", "real x"),
        ("uppergamma(0, x)", "x >= 0"), ("log(x, 2)", "x > 1"), ("expint(1, x)", "real x"), ("Product(k, (k, 1, n))", "whole n >= 1"), ("sin(x)", "x > 0"),
        ("exp(x, 2)", "x > 0"), ("log(x*y)", "x*y >= 0"), ("1/(x - a)", "x >= a"), ("Max()", "x > 0"), ("log(log(x))", "x >= 1"), ("bound(x)", "x > 0"),
    ],
)  # fmt: skip
def test_what_may_be_undefined_has_no_value(text, conditions):
    with pytest.raises((Refused, ValueError)):
        context(conditions).signs(read(text))


@pytest.mark.parametrize(
    ("left", "right", "conditions"),
    [
        ("log(x*y)", "log(x) + log(y)", "x > 0, y > 0"), ("log(2*x + 2)", "log(x + 1) + log(2)", "x > 0"), ("(1 - p)^(n + 1)", "(1 - p)*(1 - p)^n", "p < 1, real n"),
        ("harmonic(n + 2)", "harmonic(n) + 1/(n + 1) + 1/(n + 2)", "n > -1"), ("harmonic(n - 1)", "harmonic(n) - 1/n", "n > 0"), ("harmonic(3)", "11/6", "x > 0"),
        ("log(x)", "-log(1/x)", "x > 0"), ("exp(log(x)*2)", "x^2", "x > 0"), ("uppergamma(0, x)", "-Ei(-x)", "x > 0"), ("li(x)", "Ei(log(x))", "x > 1"),
        ("Sum(x, (k, 1, n))", "n*x", "whole n >= 0, real x"), ("Integral(x, (t, 1, n))", "(n - 1)*x", "n >= 1, real x"), ("Abs(x)", "-x", "x < 0"),
        ("Max(a, b)", "b", "a <= b"), ("Min(a, b)", "a", "a <= b"), ("sqrt(x)*sqrt(x)", "x", "x > 0"), ("expint(1, x)", "uppergamma(0, x)", "x > 0"),
        ("log(1/E)", "-1", "x > 0"), ("(2*x)^(1/2)", "2^(1/2)*x^(1/2)", "x > 0"), ("E^x", "exp(x)", "real x"), ("log(x/y)", "log(x) - log(y)", "x < 0, y < 0"),
    ],
)  # fmt: skip
def test_values_that_are_equal(left, right, conditions):
    at = context(conditions)
    if "y < 0" in conditions:  # the logarithm of neither is real
        with pytest.raises(Refused):
            at.value(read(right))
        return
    assert at.value(read(left)) == at.value(read(right))
    wrong = Term("sum", (read("1/10^200"), read(left)))
    assert not at.value(wrong) == at.value(read(right))


# --- what is proved -----------------------------------------------------------------------------------

TRUE = [
    "log(1 + x) <= x for x > 0", "0 <= harmonic(i) - log(i) <= 1 for whole i >= 1", "Abs(harmonic(i) - log(i)) <= 1 for whole i >= 1",
    "Abs(harmonic(n - 1) - log(n)) <= 1 for whole n >= 1", "log(i) - log(i - 1) <= 1 for whole i >= 2",
    "(1 - p)^n <= (1 - p)^b <= 1 for whole b, 1 <= b <= n, whole n >= 1, 0 < p < 1",
    "1 - (1 - n^(-alpha))^b <= n^(1 - alpha) for whole b, 1 <= b <= n, whole n >= 2, alpha > 1",
    "Abs(1/(1 + y) - (1 - y)) <= 2*y^2 for real y, -1/2 <= y <= 1/2", "Max(a + b, 0) <= Max(a, 0) + b for b > 0, real a",
    "Max(wa, wi) <= Max(va, vi) for wa >= 0, wi >= 0, va >= wa, vi >= wi", "x*log(1/x) is increasing in x for 0 < x < 1/E",
    "(1 - p)^b/b is decreasing in b for whole b >= 1, 0 < p < 1", "k/(2*(1 + k)^2) is largest at k = 1 for k > 0",
    "Integral(log(t), (t, 1, n)) = n*log(n) - n + 1 for whole n >= 1", "Integral(log(t)/t, (t, 1, n)) = log(n)^2/2 for whole n >= 1",
    "Integral(m*t*exp(-m*t), (t, 0, oo)) = 1/m for m > 0", "Integral((1 - p)^t*log(t), (t, 1, n)) <= Integral(log(t), (t, 1, n)) for whole n >= 2, 0 < p < 1",
    "Max(b, i*a) <= n*a for whole i, 1 <= i <= n, whole n >= b/a, n >= 1, a > 0, b > 0",
]  # fmt: skip
FALSE = [
    "log(1 + x) <= x - 1/10^200 for x > 0", "log(1 + x) <= x*(1 - 1/10^200) for x > 0", "log(1 + x) < x for x >= 0", "log(1 + x) >= x for x > 0",
    "0 <= harmonic(i) - log(i) < 1 for whole i >= 1", "0 <= harmonic(i) - log(i) <= 1 for whole i >= 0", "3/5 <= harmonic(i) - log(i) for whole i >= 1",
    "Abs(harmonic(i) - log(i)) <= 1 - 1/10^200 for whole i >= 1", "0 <= harmonic(i) - log(i) <= 1 for i > 0",
    "log(i) - log(i - 1) <= 1 for whole i >= 1", "(1 - p)^n <= (1 - p)^b for whole b, 1 <= n <= b, 0 < p < 1", "(1 - p)^n <= (1 - p)^b <= 1 - 1/10^200 for 0 <= b <= n, 0 < p < 1",
    "(1 - p)^n < (1 - p)^b for whole b, 1 <= b <= n, whole n >= 1, 0 < p < 1", "(1 - p)^n <= (1 - p)^b for 1 <= b <= n, 0 < p < 2",
    "(1 - p)^n <= (1 - p)^b for 1 <= b <= n, 0 <= p <= 1", "1 - (1 - n^(-alpha))^b <= n^(1 - alpha)*(1 - 1/10^200) for whole b, 1 <= b <= n, whole n >= 2, alpha > 1",
    "1 - (1 - n^(-alpha))^b <= n^(1 - alpha) for 0 < b <= n, whole n >= 2, alpha > 1", "Abs(1/(1 + y) - (1 - y)) <= 2*y^2 for real y, -2/3 <= y <= 1/2",
    "Abs(1/(1 + y) - (1 - y)) <= (2 - 1/10^200)*y^2 for real y, -1/2 <= y <= 1/2", "Abs(1/(1 + y) - (1 - y)) < 2*y^2 for real y, -1/4 <= y <= 1/2",
    "Max(a + b, 0) <= Max(a, 0) for b > 0, real a", "Max(a + b, 0) < Max(a, 0) + b for b > 0, real a", "Max(wa, wi) <= Max(va, vi) for wa >= 0, wi >= 0, va >= wa, vi >= 0",
    "x*log(1/x) is increasing in x for 0 < x < 1/E + 1/10^200", "x*log(1/x) is decreasing in x for 0 < x < 1/E", "x^2 is increasing in x for real x", "x is increasing in y for x > 0, y > 0",
    "1/x is decreasing in x for x^2 > 0", "1/x is decreasing in x for real x", "(1 - p)^b*b is decreasing in b for whole b >= 1, 0 < p < 1", "Max(x, 0) is increasing in x for real x",
    "k/(2*(1 + k)^2) is largest at k = 1 + 1/10^200 for k > 0", "k/(2*(1 + k)^2) is least at k = 1 for k > 0", "k/(2*(1 + k)^2) is largest at k = 1 for k > 1",
    "k is least at k = 1/2 for whole k, k > 1/3", "k/(2*(1 + k)^2) is largest at k = k for k > 0",
    "Integral(log(t), (t, 1, n)) = n*log(n) - n + 1 for n > 1/2", "Integral(log(t), (t, 1, n)) = n*log(n) - n for whole n >= 1", "Integral(log(t)/t, (t, 1, n)) = log(n)^2/2 for whole n >= 0",
    "Integral(log(t), (t, 0, n)) = n*log(n) - n for whole n >= 1", "Integral(m*t*exp(-m*t), (t, 0, oo)) = 1/m for m >= 0", "Integral(m*t*exp(m*t), (t, 0, oo)) = 1/m for m > 0",
    "Integral(1/t^2, (t, -1, 1)) = -2 for x > 0", "Integral(1/t, (t, 0, oo)) = 0 for x > 0", "Integral((1 - p)^t*log(t), (t, 1, n)) >= Integral(log(t), (t, 1, n)) for whole n >= 2, 0 < p < 1",
    "Integral((1 - p)^t*log(t), (t, 1/2, n)) <= Integral(log(t), (t, 1/2, n)) for whole n >= 1, 0 < p < 1", "Integral(t, (t, 0, oo)) <= Integral(t, (t, 0, oo)) for x > 0",
    "Max(b, i*a) <= n*a for whole i, 1 <= i <= n, whole n >= b, n >= 1, a > 0, b > 0", "0 = 1 for x > 0", "0 = 1 for x > 0, x < 0", "0 = 1 for x >= 1, x <= 1/2", "x <= 0 for x > 0, x < 0", "1 <= 0",
    "x/x = 1 for real x", "x^0 = 1 for real x", "x - x = 0 for x = oo", "log(x) = log(x) for x >= 0", "0 <= (-1)^n for whole n >= 1", "pi <= 3 for pi < 3", "E <= 2 for 0 < E < 2",
    "(1 + p)^n >= 1 + n*p for 0 < p < 1, n > 0", "(1 + x)^n >= 1 + n*x for whole n >= 1, x >= -3", "exp(x) >= 1 + x + 1/10^200 for real x", "sqrt(x^2) = x for real x", "Abs(x) = x for real x",
]  # fmt: skip


@pytest.mark.parametrize("text", TRUE)
def test_true_statements_are_proved_and_replayed(text):
    statement = read_statement(text)
    found = search.holds(statement)
    assert proves(replay(certificate(found)), statement) and not found.trusts
    assert proves(theorem(statement, True), statement)


@pytest.mark.parametrize("text", FALSE)
def test_false_statements_are_not(text, monkeypatch):
    monkeypatch.setattr(search, "DEPTHS", ((2, 20), (4, 30)))
    with pytest.raises((Refused, ValueError)):
        search.holds(read_statement(text))
