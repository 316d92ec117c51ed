"""What certified numbers say of a statement with a limit, and what oscillates, alternates or jumps in one: decided by theorems."""

from __future__ import annotations

import contextlib
import math
from dataclasses import replace

import pytest
import sympy as sp

from asymp.check import convergence, measure, trend
from asymp.check.ask import ask
from asymp.check.derived import derived
from asymp.check.theorems import decided
from asymp.claim import Finding, Outcome, Strength
from asymp.enclosure import Undecided
from asymp.kernel import terms
from asymp.parse import ParseError, claim

N = sp.Symbol("n", positive=True)
TINY = sp.Rational(1, 10**4)

# --- what oscillates ------------------------------------------------------------------------------

FALSE = """
(1+10^-6)*sin(n)^2 + cos(n)^2 -> 1
1 + 10^-6*sin(n) ~ 1
n^sin(n) = O(n^0.9999)
n^(1+sin(n)) = o(n^2)
n^(1+sin(n)) = O(n^(2-10^-6))
exp(n*(1+sin(n))) = O(exp(2*n-10^-6*n))
(2+(-1)^n)^n = O((3-10^-6)^n)
(2+(-1)^n)^n = o(3^n)
n^((-1)^n) = O(n^(1-10^-6))
n^((-1)^n) = Omega(n^(-1+10^-6))
1 = O(sin(n)+1)
(sin(n)+sin(2*n))*n = Theta(n)
sin(n) = O(sin(2*n))
sin(n)^2 = Theta(sin(2*n))
sin(n)/n = O(1/n^(1+10^-6))
cos(n)/log(n) = o(1/log(n))
log(2+sin(n)) = Theta(1)
floor(2*n/3)-2*floor(n/3) -> 0
n - floor(n) = Omega(1)
x*floor(1/x) = 1 + o(x)
sin(n) ~ sin(n)+1/n
sin(n) = O(0)
""".strip().splitlines()


@pytest.mark.parametrize("statement", FALSE)
def test_false_variants_are_refuted(statement):
    found = ask(statement, to="x->0+" if "x" in statement.replace("exp", "") else "n->oo")
    assert (found.outcome, found.strength) == ("refuted", "proved"), found.reason


TRUE = """
1 = O(sin(n)+1+10^-6)
n^(1+sin(n)) = O(n^2)
exp(n*(1+sin(n))) = O(exp(2*n))
(2+(-1)^n)^n = o((3+10^-6)^n)
n^((-1)^n) = Omega(1/n)
sin(n)+2 ~ sin(n)+2+1/n
""".strip().splitlines()


@pytest.mark.parametrize("statement", TRUE)
def test_true_neighbours_hold(statement):
    found = ask(statement, to="n->oo")
    assert (found.outcome, found.strength) == ("holds", "proved"), found.reason


PARITY = {  # true for whole n: by parity alone
    "(-1)^(n^2+n) -> 1": "holds",
    "(-1)^(n^2) -> 1": "refuted",
    "(-1)^(n^3-n) -> 1": "holds",
    "(-1)^(n*(n+1)/2) -> 1": "refuted",
    "(-1)^(n^2) - (-1)^n -> 0": "holds",
    "(-1)^(2*n) -> 1": "holds",
    "n*(2+(-1)^n) -> oo": "holds",
    "n*(1+(-1)^n) + 1 -> oo": "refuted",
    "(-2)^n = O(2^n)": "holds",
    "(-2)^n = o(2^n)": "refuted",
    "(1+(-1)^n)*(1-(-1)^n) = O(0)": "holds",
    "(1+(-1)^n) = o(n*(1+(-1)^n))": "holds",
    "(1+(-1)^n) = o(n*(1-(-1)^n))": "refuted",
    "factorial(n)/factorial(floor(n)) -> 1": "holds",
    "factorial(n)*(ceiling(n)-floor(n)) = o(1)": "holds",
    "factorial(n)*(floor(n/2)-n/2) = o(factorial(n))": "refuted",
    "factorial(n)*sin(pi*n) = o(1)": "holds",
    "factorial(n)*n*sin(pi*n) = O(factorial(n)*sin(pi*n))": "holds",
    "factorial(n)*(2+cos(pi*n/3)) = Theta(factorial(n))": "holds",
    "factorial(n)*(1+cos(pi*n/3)) = Theta(factorial(n))": "refuted",
}


@pytest.mark.parametrize("statement", PARITY)
def test_what_is_exact_along_residue_classes_is_decided(statement):
    found = ask(statement, to="n->oo")
    assert (found.outcome, found.strength) == (PARITY[statement], "proved"), found.reason


@pytest.mark.parametrize("power", ["(-1)^(n/2)", "(-1)^(n^2/2)", "(-1)^(n/3)", "(-1)^(n+1/2)", "(-1)^sqrt(n)"])
def test_of_a_power_of_minus_one_that_is_not_real_nothing_is_said(power):
    for relation in ("= O(1)", "= o(1)", "-> 1"):
        with contextlib.suppress(ParseError):  # refused for its meaning: as good
            assert ask(f"{power} {relation}", to="n->oo").outcome == "undecided"


# --- what is slow, on every path ------------------------------------------------------------------

EVERY_PATH = {  # n*p may tend to oo, or to 0, more slowly than any power
    "(1-p)^n/p -> 0 as n -> oo, p -> 0+, n*p -> oo": "refuted",
    "n*(1-p)^(n-1) -> 0 as n -> oo, p -> 0+, n*p -> oo": "refuted",
    "n^2*p -> 0 as n -> oo, p -> 0+, n*p -> 0": "refuted",
    "(1-p)^n -> 0 as n -> oo, p -> 0+, n*p -> oo": "holds",
    "1/(n*p) = O(1) as n -> oo, p -> 0+, n*p -> oo": "holds",
    "exp(-n*p)*(n*p)^5 -> 0 as n -> oo, p -> 0+, n*p -> oo": "holds",
}


@pytest.mark.parametrize("statement", EVERY_PATH)
def test_a_statement_for_all_paths_is_tried_on_slow_ones(statement):
    found = ask(statement)
    assert (found.outcome, found.strength) == (EVERY_PATH[statement], "proved"), found.reason
    assert not (found.outcome == "holds" and "not" in found.evidence[0].detail)  # the words say what the verdict does


FALSE_SOMEWHERE = [  # true at the values of the parameters at which numbers are taken, false at others
    ("n^(-(a-1)*(a-2)) = O(1)", "real a>0"), ("n^(-(a-7)*(a-8)) = O(1)", "real a>0"), ("n^(sqrt(k)-10) = O(1)", "whole k>=1"),
    ("harmonic(n)*n^(-(a-7)*(a-8)) = O(log(n))", "real a>0"), ("n^(1/10000-(a-7/3)^2) = O(1)", "real a>0"),
    ("n^(-(a^2-2)^2) -> 0", "real a>0"), ("n^(2^a-10^6) -> 0", "real a>0"), ("n^(log(a)-10) -> 0", "real a>0"),
    ("(a/60)^n -> 0", "real a>0"), ("n^(a*b-20) = O(1)", "real a>0, real b>0"), ("(a^2*(1-a)*27/4)^n -> 0", "0<a<1"),
    ("n*(a^2*(1-a)*27/4)^n = o(n)", "0<a<1"), ("n^(1/100-(2*a-3*b-1)^2) = O(1)", "real a>0, real b>0"),
]  # fmt: skip


@pytest.mark.parametrize(("statement", "assume"), FALSE_SOMEWHERE)
def test_what_fails_at_some_parameter_is_not_upheld_by_numbers_at_others(statement, assume):
    assert ask(statement, to="n->oo", assume=assume.split(", ")).outcome != "holds"


# --- measurements of a derivation --------------------------------------------------------------------

FAR_OUT = {  # derived, and formerly not confirmed: from the suites of Isabelle's Real_Asymp and SymPy's gruntz
    "log(exp(3*x)+x)/log(exp(x)+x^100) -> 3": "holds",
    "log(exp(3*x)+x)/log(exp(x)+x^100) -> 3.0001": "refuted",
    "x^c = o(x^log(x))": "holds",
    "x^(1/log(log(x))) = o(x)": "holds",
    "x = o(x^(1/log(log(x))))": "refuted",
    "exp(exp(x))/exp(exp(x-exp(-exp(exp(x))))) -> 1": "holds",
    "exp(exp(exp(x)))/exp(exp(exp(x-exp(-exp(exp(x)))))) -> 1": "holds",
    "log(n)^x = o(x^x)".replace("n", "x"): "holds",
}


@pytest.mark.parametrize("statement", FAR_OUT)
def test_points_come_from_the_derivations_own_growths(statement):
    found = ask(statement, to="x->oo", assume=["c > 0"] if "c" in statement else [])
    assert found.outcome == FAR_OUT[statement], found.reason


def test_readings_outside_the_asymptotic_range_contradict_nothing():
    rising = [measure.Reading(10, -200.0, 90.0), measure.Reading(100, -300.0, 50.0), measure.Reading(10**4, 0.1, -9e3)]
    fit = trend._fit("n", rising, exact_expansion=False)
    assert (fit.finding, fit.sizes) == (Finding.UNMEASURED, (10**4,))
    inside = [measure.Reading(r.size, r.ratio, -5.0) for r in rising]
    assert trend._fit("n", inside, exact_expansion=False).finding is Finding.CONTRADICTED


@pytest.mark.parametrize("ratios", [[math.nan, 0.0], [0.0, math.nan], [math.inf, math.inf], [0.0, math.inf], [math.nan]])
def test_what_is_no_number_is_not_bounded(ratios):
    assert not trend._bounded(ratios, [10.0 * (k + 1) for k in range(len(ratios))], exact_expansion=False)


def test_one_reading_confirms_nothing():
    assert trend.Fit("n", (0.0,), True).finding is Finding.UNMEASURED
    assert trend.Fit("n", (0.0, 0.0), True).finding is Finding.CONFIRMED
    assert trend.Fit("n", (0.0, 9.0), False).finding is Finding.CONTRADICTED


def test_a_wrong_term_is_contradicted_and_a_case_left_out_is_not_confirmed():
    question = claim("my/one", "harmonic(n) = log(n) + EulerGamma + O(1/n)", to="n->oo", source="me, (1)")
    found = decided(question)
    assert not isinstance(found, str)
    (right,) = derived(question, found[1])
    assert trend.enclosed([right], thorough=True).finding is Finding.CONFIRMED
    wrong = replace(right, expr=terms.multiply(right.expr, terms.read("1 + 10^(-4)")))
    assert trend.enclosed([wrong], thorough=True).finding is Finding.CONTRADICTED
    assert trend.enclosed([right, wrong], thorough=True).finding is Finding.CONTRADICTED
    unknown = replace(right, expr=terms.read("f(n)"))
    for pair in ([unknown], [right, unknown]):
        with contextlib.suppress(ValueError):  # no ball at all: the judge's reason
            assert trend.enclosed(pair, thorough=True).finding is Finding.UNMEASURED


# --- trends ---------------------------------------------------------------------------------------

LIMITS = """
harmonic(n)/log(n) -> 1
harmonic(n)-log(n) -> EulerGamma
(1+1/n)^n -> E
log(factorial(n))/(n*log(n)) -> 1
n^(1/n) -> 1
sqrt(n^2+n)-n -> 1/2
li(n)*log(n)/n -> 1
gamma(n+1/2)/(gamma(n)*sqrt(n)) -> 1
binomial(2*n,n)*sqrt(pi*n)/4^n -> 1
log(n+sqrt(n))/log(n) -> 1
n*log(1+1/n) -> 1
log(n)/log(n+1) -> 1
log(2*n)/log(n) -> 1
LambertW(n)/log(n) -> 1
(log(n)+log(log(n)))/log(n) -> 1
erf(log(n)) -> 1
tanh(n) -> 1
zeta(1+1/log(n))/log(n) -> 1
zeta(2+1/n) -> pi^2/6
atan(n) -> pi/2
E1(1/n)/log(n) -> 1
log(log(n)+5)/log(log(n)) -> 1
digamma(n)-log(n)+1 -> 1
(3^n+5^n)^(1/n) -> 5
n*(exp(1/n)-1) -> 1
(log(n)+1)/(log(n)-1) -> 1
sqrt(log(n)^2+log(n))-log(n) -> 1/2
exp(1/log(n)) -> 1
log(n)^(1/log(n)) -> 1
(1+1/log(n))^log(n) -> E
(n+log(n))/(n-log(n)) -> 1
gamma(1+1/n) -> 1
""".strip().splitlines()


def said(statement):
    return convergence.trend(claim("my/one", statement, to="n->oo", source="me, (1)"))


@pytest.mark.parametrize("statement", LIMITS)
def test_a_trend_speaks_for_no_limit_that_is_a_little_off(statement):
    for factor in ("(1+1/10^4)", "(1-1/10^4)", "(1+1/10^6)", "(1+1/10^9)"):
        with contextlib.suppress(Undecided):  # of numbers with many digits it does not speak at all
            wrong = said(f"{statement}*{factor}")
            assert (wrong.outcome, wrong.strength) == (Outcome.UNDECIDED, Strength.NONE), (factor, wrong.detail)


def test_most_true_limits_are_still_supported():
    upheld = [s for s in LIMITS if said(s).outcome is Outcome.HOLDS]
    assert len(upheld) >= 0.8 * len(LIMITS)


@pytest.mark.parametrize("statement", ["n*Sum((-1)^k,(k,1,n)) = o(n)", "(-1)^n*n = O(1)", "(-1)^(n/2) = O(1)"])
def test_what_alternates_shows_no_trend(statement):
    with pytest.raises(ValueError, match="oscillates"):
        said(statement)


@pytest.mark.parametrize("statement", ["n^(10^-6) = O(1)", "log(log(n))^(1/10) = O(1)", "harmonic(n)^(1/5) = O(log(n)^(1/6))"])
def test_what_grows_slowly_is_not_seen_to_be_bounded(statement):
    assert said(statement).finding is Finding.UNMEASURED
