"""What the kernel's theories say of terms on domains is true at every point, with no layer of meaning in front.

The draws are those of :mod:`benchmarks.soundness.kernel_facts`, which makes longer runs.
"""

from __future__ import annotations

import pytest

from asymp.kernel.domain import given
from asymp.kernel.facts.context import Context
from asymp.kernel.growths.growth import Domain
from asymp.kernel.rings.defined import Range
from asymp.kernel.terms import Refused, Term, name, read
from asymp.kernel.theorem import apply
from asymp.language.conditions import read_conditions
from benchmarks.soundness.kernel_facts import both_ways, run

WEEKLY = [pytest.param(seed, 12, marks=pytest.mark.slow) for seed in range(4)]


@pytest.mark.parametrize(("seed", "rounds"), [(0, 6), (1, 6), *WEEKLY])
def test_what_the_theories_tell_is_true_at_every_point(seed, rounds):
    assert run(seed, rounds) > 5 * rounds  # else nothing was tried


@pytest.mark.parametrize(("seed", "rounds"), [(0, 3), (1, 3), *WEEKLY])
def test_no_comparison_is_proved_and_refuted(seed, rounds):
    proved, refuted = both_ways(seed, rounds)
    assert proved + refuted >= rounds // 3


# --- what is learned inside a range stays there -------------------------------------------------------------


@pytest.mark.parametrize(
    "statement",
    [
        "Sum(1/d, (k, 1, d)) = 1 for whole d >= 0, whole n >= 0, d >= (n - 17)^2",
        "Sum(1/d, (k, 1, d)) > 0 for whole d >= 0",
        "Sum(1/(n - m), (k, m + 1, n)) = 1 for whole m >= 0, whole n >= m",
        "Sum(Sum(1/d, (j, 1, d)), (k, 1, d)) = d for whole d >= 0",
        "Sum(log(d), (k, 1, d)) = d*log(d) for whole d >= 0",
        "Sum(2^d/2^d, (k, 1, d)) >= 1 for whole d >= 0",
    ],
)
def test_no_value_found_in_an_empty_sum_is_used_outside(statement):
    point = {v: "17" if v == "n" else "1" for v in ("d", "n", "m") if f"whole {v}" in statement}
    with pytest.raises(Refused):
        apply("bounds", statement=statement, point=point, proofs=[["by", []]])


@pytest.mark.parametrize(
    "statement",
    [
        "Sum(1/d, (k, 1, d)) = 1 for whole d >= 1",
        "Sum(1/d, (k, 1, d)) >= 0 for whole d >= 0",
        "Sum(d, (k, 1, d)) = d^2 for whole d >= 0",
    ],
)
def test_what_holds_outside_is_still_seen(statement):
    assert apply("bounds", statement=statement, point={"d": "1"}, proofs=[["by", []]]).holds


# --- one walk, one oracle ------------------------------------------------------------------------------------


def at(conditions: str) -> Context:
    where = given(read_conditions(conditions)) if conditions else given(())
    return Context(where.whole, where.pairs)


@pytest.mark.parametrize(
    ("text", "inside", "at_the_end"),
    [
        ("1/x", "x > 0", "x >= 0"), ("x^0", "x > 0", "x >= 0"), ("log(x)", "x > 0", "x >= 0"), ("x^(1/2)", "x > 0", "x >= 0"),
        ("gamma(x)", "x > 0", "x >= 0"), ("factorial(x)", "x > -1", "x >= -1"), ("harmonic(x)", "x > -1", "x >= -1"),
        ("harmonic(x - 2)", "x > 1", "x >= 1"), ("digamma(x)", "x > 0", "x >= 0"), ("loggamma(x)", "x > 0", "x >= 0"),
        ("E1(x)", "x > 0", "x >= 0"), ("Ei(x)", "x > 0", "x >= 0"), ("Ei(x)", "x < 0", "x <= 0"), ("li(x)", "x > 1", "x >= 1"),
        ("li(x)", "0 < x < 1", "0 <= x < 1"), ("expint(2, x)", "x > 0", "x >= 0"), ("uppergamma(1/2, x)", "x > 0", "x >= 0"),
        ("uppergamma(y, x)", "x > 0, real y", "x >= 0, real y"), ("GammaDerivative(1, y, x)", "x > 0, real y", "x >= 0, real y"),
        ("zeta(x)", "x > 1", "x >= 1"), ("zeta(x)", "x < 1", "x <= 1"), ("polylog(1, x)", "x < 1", "x <= 1"),
        ("acosh(x)", "x >= 1", "x > 0"), ("log(x - y)", "x > y", "x >= y"), ("log(1 - x)/x", "0 < x < 1", "0 < x <= 1"),
        ("Integral(exp(-x*u), (u, 0, oo))", "x > 0", "x >= 0"), ("Integral(u^x*exp(-u), (u, 0, oo))", "x > -1", "x >= -1"),
        ("Sum(k, (k, 1, n))", "whole n >= 0", "whole n >= -1"), ("Sum(k, (k, 1, n))", "whole n >= 0", "n >= 0"),
    ],
)  # fmt: skip
def test_where_a_term_has_a_value(text, inside, at_the_end):
    at(inside).value(read(text))
    with pytest.raises(Refused):
        at(at_the_end).value(read(text))


@pytest.mark.parametrize(
    ("text", "where", "signs"),
    [
        ("harmonic(x)", "x > 0", {1}), ("harmonic(x)", "x > -1", {-1, 0, 1}), ("harmonic(x)", "-1 < x < 0", {-1}), ("harmonic(x)", "x >= 0", {0, 1}),
        ("zeta(x)", "x > 1", {1}), ("zeta(x)", "x < 1", {-1, 0, 1}), ("polylog(2, x)", "0 < x < 1", {1}), ("polylog(2, x)", "x < 1", {-1, 0, 1}),
        ("erfc(x)", "real x", {1}), ("2 - erfc(x)", "x > 0", {1}), ("uppergamma(1/2, x) - sqrt(pi)*erfc(sqrt(x))", "x > 0", {0}),
        ("uppergamma(1/2, x^2) - sqrt(pi)*erfc(x)", "x < 0", {-1, 0, 1}), ("log(x)", "x >= 1", {0, 1}), ("log(x)", "0 < x", {-1, 0, 1}),
        ("exp(x) - 1 - x - x^2/2", "x > 0", {1}), ("exp(x) - 1 - x - x^2/2", "x >= 0", {0, 1}), ("exp(x) - 1 - x - x^2/2", "real x", {-1, 0, 1}),
        ("exp(2*x) - 1 - 2*x - 2*x^2 - x^3", "x > 0", {1}), ("exp(2*x) - 1 - 2*x - 2*x^2 - 2*x^3", "x > 0", {-1, 0, 1}),
        ("log(x + 1/2) + log(2)", "x > 0", {1}), ("log(x + 1/2) + log(2)", "x >= 0", {0, 1}), ("log(x + 1/2)", "x > 0", {-1, 0, 1}),
        ("log(x) + log(y)", "x > 0, y > 0, x*y > 1", {1}), ("log(x) + log(y)", "x > 0, y > 0, x*y >= 1", {0, 1}),
        ("2*log(x) - log(y)", "x > 0, y > 0, x >= y", {-1, 0, 1}), ("log(x)/3 - log(y)/3", "x > 0, y > x", {-1}),
        ("1 - log(x)", "0 < x <= 2", {1}), ("1 - log(x)", "0 < x <= 3", {-1, 0, 1}),
        ("exp(x) - exp(y)", "x > y", {1}), ("exp(x) - exp(y)", "x >= y", {0, 1}), ("exp(x) - 2*exp(y)", "x >= y", {-1, 0, 1}),
        ("exp((x - 1)/(x + 1)) - 1", "0 < x < 1", {-1}), ("exp((x - 1)/(x + 1)) - 1", "0 < x <= 1", {-1, 0}),
        ("expint(2, x)", "x > 0", {1}), ("uppergamma(-3, x)", "x > 0", {1}),
        ("exp(-x) - 2*x*uppergamma(0, x)", "x > 0", {-1, 0, 1}), ("exp(-x)/x - exp(-x)/x^2 - uppergamma(0, x)", "x > 0", {-1}),
        ("x*(1 - x)", "0 <= x <= 1", {0, 1}), ("2 - x - x*y", "0 <= x <= 1, 0 <= y <= 1", {0, 1}), ("3 - x - x*y", "0 <= x <= 1, 0 <= y <= 1", {1}),
        ("x - 2", "2 <= x <= 2", {0}), ("x^2 - 3", "2 <= x <= 2", {1}), ("x*y", "2 <= x <= 2, y > 0", {1}), ("x - 1", "2 <= x <= 1", {-1, 0, 1}),
        ("x - 3", "2 < x < 3", {-1}), ("n - 3", "whole n, 2 < n", {0, 1}), ("x - 3", "2 < x", {-1, 0, 1}),
        ("x^(1/2)*(x - 1)", "x > 1", {1}), ("x^(1/2)*(x - 1)", "x >= 1", {0, 1}), ("x^(3/2) - x^(1/2)", "x > 0", {-1, 0, 1}),
        ("(1 + x)^(3/2) - x*(1 + x)^(1/2)", "x > 0", {1}), ("(1 + x)^(1/2)*(1 + x)^(1/2) - 1 - x", "x > 0", {0}),
        ("(x - y)*x", "x > y, x > 1", {1}), ("(x - y)*x", "x > y, x < 0", {-1}), ("(x - y)*x", "x > y", {-1, 0, 1}), ("x*y", "x >= 0, y >= 0, x*y > 0", {0, 1}),
        ("x^2 - x + 1/4", "0 < x < 1", {0, 1}), ("x^2 - x + 1/3", "0 <= x <= 1", {1}), ("x^2 - 2*x + 2", "x >= 0", {1}),
        ("Sum(1/k, (k, 1, n)) - 1", "whole n >= 0", {-1, 0, 1}), ("Abs(x)", "real x", {0, 1}), ("Abs(x)", "x < 0", {1}),
    ],
)  # fmt: skip
def test_signs(text, where, signs):
    """Those that a term has are told, and no fewer."""
    assert at(where).signs(read(text)) == signs


def test_what_is_told_under_hypotheses_is_not_told_without():
    plain = at("real x, real y")
    assert plain.given(*at("x > 1").pairs).signs(read("log(x)")) == {1}
    assert plain.with_range("#0", read("1"), read("2"), whole=False).signs(Term("log", (name("#0"),))) == {0, 1}
    for _ in range(2):
        with pytest.raises(Refused):
            plain.value(read("log(x)"))
    inside = at("x > 1")
    assert inside.signs(read("log(x)")) == {1}
    assert inside.given(*at("x > 2").pairs).signs(read("log(x - 1)")) == {1}
    with pytest.raises(Refused):
        inside.given(*at("x > y").pairs).value(read("log(y)"))
    assert inside.signs(read("log(x) - log(2)")) == {-1, 0, 1}


def test_ranges_are_as_good_as_comparisons():
    texts = ("x - 1", "exp(x) - 1 - x", "log(x)", "x^2 - x + 1/3", "harmonic(x)", "1 - y", "log(1 - y)/x", "x*(1 - y)^(1/2)")
    where = at("x > 1, 0 < y < 1")
    ranges = Context(within={"x": Range(1, True), "y": Range(0, True, 1, True)})
    assert [where.signs(read(t)) for t in texts] == [ranges.signs(read(t)) for t in texts]


def test_ranges_may_become_more():
    ranges = {"x": Range(0, True)}
    where = Context(within=ranges)
    assert where.signs(read("log(x + 1)")) == {1}
    ranges["y"] = Range(1, True)
    assert where.signs(read("log(y)")) == {1} and where.names() == {"x", "y"}
    with pytest.raises(Refused, match="no fresh name"):
        where.with_range("y", read("0"), read("1"), whole=False)


@pytest.mark.parametrize("text", ["floor(x)", "ceiling(x)", "sign(x)", "Sum(floor(k*x), (k, 1, 3))", "Sum(k, (k, 1, floor(x)))", "floor(1/2) + x"])
def test_coefficients_are_continuous_in_parameters(text):
    ranges = {"x": Range(0, True)}
    Context(within=ranges).value(read(text.replace("1, floor", "0, floor").replace("floor(x)))", "floor(3)))")))
    for where in (Context(within=ranges, continuous=True), Domain(within=ranges), Domain(within=ranges).given(*at("x > 1").pairs)):
        with pytest.raises(Refused):
            where.value(read(text))


def test_a_kind_is_not_inferred_from_a_range():
    with pytest.raises(Refused, match="real and whole"):
        at("real x, x in 0..3")
    with pytest.raises(Refused, match="not known to be whole"):
        at("0 <= x <= 3").value(read("Sum(1, (k, 0, x))"))
    assert at("x in 0..3").signs(read("Sum(1, (k, 0, x))")) == {1}


@pytest.mark.parametrize("head", ["log", "exp", "gamma", "factorial", "harmonic", "Ei", "zeta"])
def test_functions_of_another_number_of_arguments_are_others(head):
    with pytest.raises(Refused):
        at("x > 2, y > 2").value(Term(head, (name("x"), name("y"), name("x"))))
    if head != "zeta":  # Hurwitz's is real there
        with pytest.raises(Refused):
            at("x > 2, y > 2").value(Term(head, (name("x"), name("y"))))


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("log(r) + 1 - r", {-1, 0}), ("r*log(r) - r + 1", {0, 1}), ("log(q) + 1 - q", {-1}), ("log(q) - 1 + 1/q", {1}),
        ("q*(1 - log(q)) - 1", {-1}), ("log(1 + s^2) - s^2", {-1, 0}), ("log(r) + 1 - r + s^2", {-1, 0, 1}),
        ("s*log(r) + s - s*r", {-1, 0, 1}), ("log(r)^2 - (r - 1)^2", {-1, 0, 1}), ("log(q) - 2*q + 1", {-1}), ("log(q) - q/2 + 1", {-1, 0, 1}),
    ],
)  # fmt: skip
def test_a_logarithm_lies_between_its_tangents(text, signs):
    """1 - 1/a <= log(a) <= a - 1, equal only at a = 1: for r > 0, 0 < q < 1 and any s."""
    at = Context(within={"r": Range(0, True), "q": Range(0, True, 1, True), "s": Range()})
    assert at.signs(read(text)) == signs
