"""Sums and sequences: what is proved, and false statements that would pass if a condition of a rule were left out."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from asymp.kernel.balls import boxes as boxes
from asymp.kernel.facts.ranges import Evaluator, Rational
from asymp.kernel.sequences import induction as induction
from asymp.kernel.summation.sums import Sums, read, settled
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import Theorem, apply, certificate, proves, replay
from asymp.language.conditions import read_conditions
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem
from asymp.prove.sums import holds

MU = "(1/(p*(1/mun + (1 - p)^n/(n*mu1*p) + Sum((1 - p)^b/(b*mu1), (b, 1, n - 1)))))"
MODEL = "whole n >= 1, 0 < p < 1, mu1 > 0, mun > 0"
TINY = "(1 + 1/10^200)"

TRUE = [
    "Sum(k, (k, 1, n)) = n*(n + 1)/2 for whole n >= 0",
    "Sum(k^3, (k, 1, n)) = (n*(n + 1)/2)^2 for whole n >= 1",
    "Sum(p^k, (k, m, n)) = (p^m - p^(n + 1))/(1 - p) for 0 < p < 1, whole m >= 1, whole n >= m",
    "Sum((1 - p)^k, (k, 1, n - 1)) = ((1 - p) - (1 - p)^n)/(1 - (1 - p)) for whole n >= 1, 0 < p < 1",
    "Sum(k*p*(1 - p)^k, (k, 0, oo)) = 1/p - 1 for 0 < p < 1",
    "Sum(k/E^k, (k, 1, oo)) = E/(E - 1)^2",
    "Sum(exp(-k)*(k + 1), (k, 1, oo)) <= 3",
    "Sum(1, (i, n, n + floor(1/p))) = floor(1/p) + 1 for whole n >= 1, 0 < p < 1",
    "Sum(1/k, (k, 1, n)) = harmonic(n - 1) + 1/n for whole n >= 1",
    "Sum(harmonic(k) + k*Sum(x^j, (j, 1, m)), (k, 1, n)) - Sum(harmonic(i), (i, 1, n)) = n*(n + 1)/2*Sum(x^k, (k, 1, m))"
    " for whole n >= 1, whole m >= 1, x > 0",
    f"Sum((1 - p)^i*p*(1 - {MU}/(i*mu1)), (i, 1, n - 1)) = p*Sum((1 - p)^i, (i, 1, n - 1)) - {MU}*p/mu1*"
    f"Sum((1 - p)^i/i, (i, 1, n - 1)) for {MODEL}",
    f"{MU} < n*mu1 for n*mu1 > mun, {MODEL}",
    "(1 + x)^n >= 1 + n*x for x > 0, whole n >= 1",
    "(1 + p)^n >= p^2*n*(n - 1)/2 for whole n >= 1, 0 < p < 1",
    "(1/(1 - p))^n >= (1 + p)^n for whole n >= 1, 0 < p < 1",
    "(1 - p)^n <= (1 - p)^b <= 1 for whole b, 1 <= b <= n, whole n >= 1, 0 < p < 1",
    "0 <= harmonic(n) - log(n) <= 1 for whole n >= 1",
    "Abs(harmonic(n - 1) - log(n)) <= 1 for whole n >= 1",
    "n^(1 - a)*n^a = n for n > 0, a > 1",
    "Sum((1 - p)^k/k - (1 - p)^(k + 1)/(k + 1), (k, 1, n)) <= 1 - p for whole n >= 1, 0 < p < 1",
]


@pytest.mark.parametrize("text", TRUE)
def test_what_is_proved_is_replayed(text: str) -> None:
    statement = read_statement(text)
    assert proves(replay(certificate(holds(statement))), statement)


# --- changed statements ------------------------------------------------------------------------------

EQUATIONS = [text for text in TRUE if " = " in text and "<=" not in text.split(" for ")[0]]


@pytest.mark.parametrize("text", EQUATIONS)
def test_no_equation_that_is_changed_by_little(text: str) -> None:
    said, _, where = text.partition(" for ")
    left, _, right = said.partition(" = ")
    where = f" for {where}" if where else ""
    for changed in (f"({right})*{TINY}", f"-({right})", f"({right})^2", f"{right} + 1/10^200"):
        _refused(f"{left} = {changed}{where}")


@pytest.mark.parametrize(
    "text",
    [
        f"Sum(exp(-k)*(k + 1), (k, 1, oo)) <= 3/2 for {MODEL}",
        f"{MU} < n*mu1 for n*mu1 > mun*99/100, {MODEL}",
        f"{MU} < n*mu1 for n*mu1 >= mun, {MODEL}",
        f"{MU} < n*mu1/{TINY} for n*mu1 > mun, {MODEL}",
        "(1 + x)^n >= 1 + n*x for x > -3, whole n >= 1",
        "(1 + x)^n > 1 + n*x for x > 0, whole n >= 1",
        f"(1 + x)^n >= 1 + {TINY}*n*x for x > 0, whole n >= 1",
        "(1 + x)^n >= 1 + n*x for x > 0, n >= 0",
        f"(1/(1 - p))^n*{TINY} <= (1 + p)^n for whole n >= 1, 0 < p < 1",
        "(1/(1 - p))^n >= (1 + p)^n for whole n, 0 < p < 1",
        "(1 - p)^n < (1 - p)^b <= 1 for whole b, 1 <= b <= n, whole n >= 1, 0 < p < 1",
        "(1 - p)^n <= (1 - p)^b < 1 for whole b, 0 <= b <= n, whole n >= 1, 0 < p < 1",
        "(1 - p)^n <= (1 - p)^b <= 1 for whole b, 1 <= b <= n + 1, whole n >= 1, 0 < p < 1",
        f"0 <= harmonic(n) - log(n)*{TINY} <= 1/2 for whole n >= 1",
        f"harmonic(n) - log(n) <= 1/{TINY} for whole n >= 1",
        "harmonic(n) - log(n) < 1 for whole n >= 1",
        "harmonic(x) - log(x) <= 1 for x > 0",
        "Abs(harmonic(n - 1) - log(n)) <= 1/2 for whole n >= 1",
        f"Sum((1 - p)^k/k, (k, 1, n - 1)) > 0 for {MODEL}",
    ],
)
def test_no_inequality_that_is_changed(text: str) -> None:
    _refused(text)


def _refused(text: str) -> None:
    with pytest.raises(Refused):
        holds(read_statement(text))


# --- where terms are defined -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "x/x = 1",
        "0^x = 0*0^x for x >= 0",
        "x^0 = 1 for x >= 0",
        "1/(x - x) = 1/(x - x)",
        "1/(p - (1 - (1 - p))) = 0 for 0 < p < 1",
        "1/(x - y) = 1/(x - y) for x >= y",
        "log(x) - log(x) = 0 for x >= 0",
        "x^y*x = x^(y + 1) for x >= 0, y > 0",
        "sqrt(x^2) = x",
        "log(x^2) = 2*log(x)",
        "pi = 3 for pi = 3",
        "pi <= 3 for pi <= 3",
        "oo - oo = 0",
        "f(x) = f(x)",
        "Sum(f(k), (k, 1, n)) = Sum(f(k), (k, 1, n)) for whole n >= 1",
        "harmonic(n) = harmonic(n - 1) + 1/n for whole n >= 0",
        "0*harmonic(n) = 0 for whole n >= -3",
        # ends that are not whole, or not seen to be
        "Sum(1, (k, 1, n)) = n for n >= 1",
        "Sum(1, (k, 1, n)) = n for real n >= 1",
        "Sum(1, (k, 1/2, n)) = n + 1/2 for whole n >= 1",
        "Sum(1, (k, 1, n)) = n for n in {1/2, 3}",
        "Sum(1, (k, 1, floor(x))) = x for x >= 1",
        "Sum(1, (k, 1, n/2)) = n/2 for whole n >= 2",
        # ends below the lower end minus 1
        "Sum(1, (k, 1, n)) = n for whole n >= -1",
        "Sum(1, (k, 1, n)) = n for n in -3..3",
        "Sum(1, (k, m, n)) = n - m + 1 for whole m >= 1, whole n >= 1",
        "Sum(1, (k, floor(x), floor(y))) = floor(y) - floor(x) + 1 for x > 0, y > 0",
        # bodies that are undefined somewhere
        "Sum(1/k, (k, 0, n)) = Sum(1/k, (k, 0, n)) for whole n >= 0",
        "Sum(1/(k - 3), (k, 1, n)) = Sum(1/(k - 3), (k, 1, n)) for whole n >= 1",
        "Sum(1/(n - k), (k, 1, n)) = Sum(1/(n - k), (k, 1, n)) for whole n >= 1",
        "Sum(log(k), (k, 0, n)) = Sum(log(k), (k, 0, n)) for whole n >= 0",
        "Sum(x^k, (k, 0, n)) = Sum(x^k, (k, 0, n)) for whole n >= 1, x >= 0",
        # infinite sums that diverge
        "Sum(1/k, (k, 1, oo)) - Sum(1/k, (k, 1, oo)) = 0",
        "Sum(1, (k, 1, oo)) = Sum(1, (k, 1, oo))",
        "Sum(x^k, (k, 0, oo)) = 1/(1 - x) for 0 < x <= 1",
        "Sum(x^k, (k, 0, oo)) = 1/(1 - x) for x > 1",
        "Sum(x^(-k), (k, 0, oo)) = 1/(1 - 1/x) for 0 < x < 1",
        "Sum(gamma(k)*x^k, (k, 1, oo)) >= 0 for 0 < x < 1",
        "Sum(x^k*y^k, (k, 1, oo)) >= 0 for 0 < x < 1, y > 1",
        "Sum(x^k*k^k, (k, 1, oo)) >= 0 for 0 < x < 1",
        "Sum(x^k*Sum(2^j, (j, 1, k)), (k, 1, oo)) >= 0 for 0 < x < 1",
        "Sum(x^(k*y), (k, 1, oo)) >= 0 for 0 < x < 1, y >= 0",
        "Sum(x^k, (k, oo, 1)) = 0 for 0 < x < 1",
        # bound variables and free ones of the same name
        "Sum(k, (k, 1, k)) = k^2 for whole k >= 1",
        "Sum(n, (n, 1, n)) = n^2 for whole n >= 1",
        # comparisons of roundings and absolute values
        "floor(x) >= 1 for x > 0",
        "ceiling(x) >= 1 for x >= 0",
        "Abs(x) < x for x > 0",
        "Abs(x) <= x",
        # conditions between variables
        "x > 0 for 0 <= x <= 1, x <= y^2, y > 0",
        "1/x >= 1 for 0 <= x <= 1, x <= y^2, y > 0",
        "x/(x + y) >= 0 for 0 <= x <= 1, 0 <= y <= 1",
        "x < y for x <= y",
        "y <= x for x <= y",
        "x <= y - 1 for x < y",
        "x <= y - 1 for x < y, whole x",
        "x <= z for x <= y, z >= 0",
        "x <= x*y for y >= 1",
        "x = y for x <= y, y <= x + 1",
        "n >= 3 for whole n, real n, n > 2",
    ],
)
def test_refused(text: str) -> None:
    _refused(text)


# --- each rule's conditions --------------------------------------------------------------------------------


def _no(rule: str, *premises: Theorem, **data: Any) -> None:
    with pytest.raises(Refused):
        apply(rule, list(premises), **data)


def _true(text: str) -> Theorem:
    return apply("sums", statement=text, by=[])


def test_sums_premises() -> None:
    less = _true("x <= x + 1 for x > 0")
    assert apply("sums", [less], statement="2*x <= 2*x + 2 for x > 0", by=[[[0, "2"]]]).holds
    _no("sums", less, statement="-x <= -x - 1 for x > 0", by=[[[0, "-1"]]])  # a negative factor
    _no("sums", less, statement="x = x + 1 for x > 0", by=[[[0, "1"]]])  # an equation from an inequality
    _no("sums", less, statement="x <= x + 1", by=[[[0, "1/x - 1/x"]]])  # a factor that is not defined
    _no("sums", less, statement="x <= y + 1 for y > 0", by=[[[0, "1"]]])  # a premise of another domain
    _no("sums", _true("x <= y for x <= y"), statement="x < y for x <= y", by=[[[0, "1"]]])  # < from <=
    _no("sums", _true("x < y for x < y"), statement="0*x < 0*y for x < y", by=[[[0, "0"]]])  # < times 0
    _no("sums", statement="x <= x for x > 0", by=[[], []])
    _no("sums", statement="x <= x for x > 0", by=[[[0, "1"]]])
    _no("sums", less, statement="x <= x + 1 for x > 0", by=[[[True, "1"]]])
    _no("sums", statement="n -> oo as n -> oo", by=[])
    _no("sums", statement="n = 1 for some n in 1..3 for m >= 1", by=[])
    refuted = apply("witness", statement="x <= 0 for x > 0", at={"x": "1"}, bits=64)
    _no("sums", refuted, statement="x <= 0 for x > 0", by=[[[0, "1"]]])


def test_logarithm() -> None:
    assert apply("logarithm", statement="log(x) <= x - 1 for x > 0").holds
    assert apply("logarithm", statement="1 - 1/x <= log(x) for x > 0").holds
    _no("logarithm", statement="log(x) <= x - 1 for x >= 0")
    _no("logarithm", statement="log(x) < x - 1 for x > 0")
    _no("logarithm", statement="log(x) <= x - 101/100 for x > 0")
    _no("logarithm", statement="1 - 1/x + 1/100 <= log(x) for x > 0")
    _no("logarithm", statement="x - 1 <= log(x) for x > 0")


def test_monotone() -> None:
    assert apply("monotone", statement="x^y <= (x + 1)^y for x > 0, y >= 0").holds
    _no("monotone", statement="x^y <= (x + 1)^y for x > 0")
    _no("monotone", statement="x^y < (x + 1)^y for x > 0, y >= 0")
    _no("monotone", statement="x^y <= (x + 1)^y for x > 0, y <= 0")
    _no("monotone", statement="x^2 <= (x + 1)^2")
    _no("monotone", statement="x^2 <= (x + 1)^3 for x > 0")
    _no("monotone", statement="log(x + 1) <= log(x) for x > 0")
    _no("monotone", statement="log(x) <= log(x + 1) for x > -1")
    _no("monotone", statement="1/x <= 1/(x - 1) for x > 0")


GEOMETRIC = "for whole n >= 0, 0 < p < 1"


def test_telescope() -> None:
    def no(statement: str, by: str, variable: str = "k") -> None:
        _no("telescope", statement=statement, variable=variable, by=by)

    assert apply("telescope", statement="Sum(1/(k*(k + 1)), (k, 1, n)) = 1 - 1/(n + 1) for whole n >= 0", variable="k", by="-1/k").holds
    no(f"Sum(p^k, (k, 0, n)) = (1 - p^n)/(1 - p) {GEOMETRIC}", "-p^k/(1 - p)")  # the end is n + 1
    no(f"Sum(p^k, (k, 0, n)) = (1 - p^(n + 1))/(1 - p) {GEOMETRIC}", "-p^k")  # another difference
    no(f"Sum(p^k, (k, 0, n)) = (1 - p^(n + 1))/(1 - p) {GEOMETRIC}", "-p^n/(1 - p)", "n")  # a variable of the statement
    no(f"Sum(pi^k, (k, 0, n)) = 0 {GEOMETRIC}", "pi", "pi")
    no("Sum(1/(k*(k - 1)), (k, 1, n)) = 1 for whole n >= 1", "-1/(k - 1)")  # undefined at 1
    no("Sum(1/(k*(k + 1)), (k, 1, oo)) = 1", "-1/k")  # no convergence that is seen
    no("Sum(k, (k, 1, n)) = n*(n + 1)/2 for n >= 1", "k*(k - 1)/2")  # n is real
    no("Sum(k, (k, 1, n)) = n*(n + 1)/2 for whole n", "k*(k - 1)/2")  # n may be -5
    no("Sum(p^k - p^(k + 1), (k, 0, oo)) = 2 for 0 < p < 1", "1 - p^k")
    no("Sum(p^k - p^(k + 1), (k, 0, oo)) = 1 for 0 < p <= 1", "1 - p^k")
    no("Sum(k, (k, 1, oo)) = 0", "k*(k - 1)/2")


def test_termwise() -> None:
    within = "whole k, 1 <= k, k <= n"
    less = _true(f"k/n <= 1 for whole n >= 1, {within}")
    said = "Sum(k/n, (k, 1, n)) <= Sum(1, (k, 1, n)) for whole n >= 1"
    assert apply("termwise", [less], statement=said, variable="k").holds
    _no("termwise", less, statement=said.replace("<=", "<"), variable="k")
    _no("termwise", less, statement=said.replace("<=", "="), variable="k")
    _no("termwise", less, statement=said.replace("<=", ">="), variable="k")
    _no("termwise", less, statement=said.replace("1, n)) for", "1, n + 1)) for"), variable="k")  # another end
    _no("termwise", less, statement=said.replace("(k, 1, n)", "(k, 1, 2*n)"), variable="k")  # beyond the premise
    _no("termwise", less, statement=said.replace("(k, 1, n)", "(k, 0, n)"), variable="k")
    _no("termwise", less, statement="Sum(k/n, (k, 1, n)) <= Sum(1, (k, 1, n)) for n >= 1", variable="k")
    _no("termwise", _true("n <= n^2 for whole n >= 1"), statement="Sum(n, (j, 1, m)) <= Sum(n^2, (j, 1, m)) for whole m >= 1",
        variable="j")  # fmt: skip


def test_induction() -> None:
    base, step = _true("0 <= 0"), _true("(n + 1) - n <= (n + 1)^2 - n^2 for whole n >= 0")
    said = "n <= n^2 for whole n >= 0"
    base = _true("0 <= 0^2")
    assert apply("induction", [base, step], statement=said, variable="n").holds
    _no("induction", base, step, statement="n <= n^2 for n >= 0", variable="n")  # not whole
    _no("induction", base, step, statement="n <= n^2 for whole n >= 1/2", variable="n")
    _no("induction", base, step, statement="n <= n^2 for whole n > 0", variable="n")
    _no("induction", base, step, statement="n <= n^2 for whole n >= -1", variable="n")  # another start
    _no("induction", base, step, statement="n < n^2 for whole n >= 0", variable="n")
    _no("induction", base, step, statement="n = n^2 for whole n >= 0", variable="n")
    _no("induction", base, statement=said, variable="n")
    _no("induction", base, base, statement=said, variable="n")
    _no("induction", base, step, statement=said, variable="m")
    later = _true("(n + 1) - n <= (n + 1)^2/2 - n^2/2 for whole n >= 1")
    _no("induction", _true("0 <= 0^2/2"), later, statement="n <= n^2/2 for whole n >= 0", variable="n")  # a later step
    bounded = _true("(n + 1) - n <= 5 - n for whole n >= 0, n <= 4")
    _no("induction", bounded, bounded, statement="n <= 5 for whole n >= 0", variable="n")
    narrow = _true("m <= 1 for m <= 1")
    _no("induction", narrow, _true("m*(n + 1) - m*n <= (n + 1) - n for whole n >= 1, m <= 1"),
        statement="m*n <= n for whole n >= 1", variable="n")  # fmt: skip


def test_instance() -> None:
    general = _true("x <= x^2 for x >= 1")
    assert apply("instance", [general], statement="n + 1 <= (n + 1)^2 for whole n >= 0", values={"x": "n + 1"}).holds
    _no("instance", general, statement="y <= y^2 for y > 0", values={"x": "y"})  # outside of the domain
    _no("instance", general, statement="x <= x^2 for x >= 0", values={})
    _no("instance", general, statement="n <= (n + 1)^2 for whole n >= 0", values={"x": "n + 1"})  # another statement
    whole = apply("induction", [_true("0 <= 0^2"), _true("(n + 1) - n <= (n + 1)^2 - n^2 for whole n >= 0")],
                  statement="n <= n^2 for whole n >= 0", variable="n")  # fmt: skip
    _no("instance", whole, statement="x <= x^2 for x >= 0", values={"n": "x"})  # not whole
    _no("instance", whole, statement="1/2 <= (1/2)^2 for x > 0", values={"n": "1/2"})
    _no("instance", _true("pi*x <= 4*x for x > 0"), statement="5*x <= 4*x for x > 0", values={"pi": "5"})


# --- coefficients ---------------------------------------------------------------------------------------------


def test_ends_are_kept_where_sums_stay_positive() -> None:
    where = read_conditions("whole n >= 1, 0 < p < 1")
    both = (read("1/p + harmonic(n - 1)"), read("harmonic(n)"))
    assert settled(where, lambda one: [one.sign(one.of(term)) for term in both]) == [1, 1]
    difference = read("harmonic(n) - harmonic(n - 1) - 1/n")
    assert settled(where, lambda one: one.is_zero(one.of(difference)))


def test_a_variable_is_introduced_once() -> None:
    one = Sums(read_conditions("whole n >= 1"))
    one.introduce("k", Fraction(1))
    for taken in ("k", "n", "pi"):
        with pytest.raises(Refused):
            one.introduce(taken, None)


def test_closed_ends() -> None:
    one = Sums(read_conditions("0 <= p <= 1, 0 < q <= 1"))
    assert one.is_nonnegative(one.of(read("p*(1 - p)")))
    assert one.sign(one.of(read("p*(1 - p)"))) is None
    assert one.sign(one.of(read("q*(2 - q)"))) == 1
    assert one.sign(one.of(read("q*(1 - q)"))) is None
    with pytest.raises(Refused):
        one.of(read("1/(1 - q)"))


# --- infinite sums in balls -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Sum(1/2^k, (k, 0, oo))", "2"),
        ("Sum(k/2^k, (k, -1, oo))", "0"),
        ("Sum((-1/2)^k, (k, 0, oo))", "2/3"),
        ("Sum((k + 1)^2/3^k, (k, 0, oo))", "9/2"),
        ("Sum(k/E^k, (k, 1, oo))", "E/(E - 1)^2"),
        ("Sum(1/(k*2^k), (k, 1, oo))", "log(2)"),
    ],
)
def test_balls_of_infinite_sums(text: str, value: str) -> None:
    evaluator = Evaluator(64)
    found, right = evaluator.range(read(text), {}), evaluator.range(read(value), {})
    assert found.low <= right.high and right.low <= found.high and found.high - found.low < Rational(1, 10**9)


@pytest.mark.parametrize(
    "text",
    [
        "Sum(1/k, (k, 1, oo))",
        "Sum(1, (k, 1, oo))",
        "Sum(2^k, (k, 0, oo))",
        "Sum((1/2)^(-k), (k, 0, oo))",
        "Sum((1/2)^k/k, (k, 0, oo))",
        "Sum((1/2)^k, (k, 1/2, oo))",
        "Sum((1/2)^(k^2), (k, 1, oo))",
        "Sum((-1/2)^(k/2), (k, 0, oo))",
        "Sum(((-1/2)^k)^(1/2), (k, 0, oo))",
        "Sum(gamma(k)*(1/2)^k, (k, 1, oo))",
        "Sum((1/2)^k*Sum(2^j, (j, 1, k)), (k, 1, oo))",
        "Product((1/2)^k, (k, 1, oo))",
    ],
)
def test_no_balls_of_what_may_diverge(text: str) -> None:
    with pytest.raises(Refused):
        Evaluator(64).range(read(text), {})


def test_an_infinite_sum_is_refuted_by_a_point() -> None:
    said = "Sum(k*p*(1 - p)^k, (k, 0, oo)) = {} for 0 < p < 1"
    assert not apply("witness", statement=said.format("1/p"), at={"p": "1/2"}, bits=64).holds
    _no("witness", statement=said.format("1/p - 1"), at={"p": "1/3"}, bits=64)


@pytest.mark.parametrize(
    "text",
    [
        "Sum(k/(n*k) + floor(k/(n + 1)), (k, 1, n)) = 1 for whole n, n >= 0",
        "Sum(k/(n*k) + Product(j, (j, 1, k)) - Product(j, (j, 1, k)), (k, 1, n)) = 1 for whole n, n >= 0",
        "Sum(k/(n*k) + floor(k/(n + 1)), (k, 1, n)) > 0 for whole n, n >= 0",
        "Sum(k/(t*k) + floor(k/(t + 1)), (k, 1, t)) = 1 for whole t, whole x, whole y, t >= 0, y >= 1, x >= 1, x*x = 61*y*y + 1 + t",
    ],
)
def test_that_a_range_is_not_empty_does_not_leave_its_sum(text):
    """In the range n >= 1; the sum itself is 0 at n = 0, and n stands in a denominator before it."""
    with pytest.raises(Refused):
        apply("sums", statement=text, by=[])


def test_sums_are_compared_term_by_term_inside_a_longer_comparison():
    text = "m*(1 - q) + x*q^m + m*(1 - q)*x*Sum(q^b/b, (b, 1, m - 1)) <= (m*(1 - q) + x*q)*(1 + {}*x*harmonic(m - 1))"
    where = " for x > 0, whole m >= 1, 0 < q < 1"
    assert theorem(read_statement(text.format("1") + where), True)
    with pytest.raises(Refused):  # false for large m, where m*(1 - q) is large and log(m*(1 - q)) is not
        theorem(read_statement(text.format("9/10") + where), True)


# --- integrals ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "statement",
    [
        "Integral(1/x, (x, 2, n)) + Integral(1/x, (x, n, n + 1)) = Integral(1/x, (x, 2, n + 1)) for whole n >= 1",
        "Integral(2*p^x + 1, (x, 1, n)) = 2*Integral(p^t, (t, 1, n)) + n - 1 for whole n >= 1, 0 < p < 1",
        "Integral(log(x), (x, n, 1)) = -Integral(log(x), (x, 1, n)) for whole n >= 1",
        "Integral(p^x/x, (x, 1, n)) >= 0 for whole n >= 1, 0 < p < 1",
    ],
)
def test_integrals_from_one_on_add_up(statement):
    assert apply("sums", statement=statement, by=[]).holds


@pytest.mark.parametrize(
    "statement",
    [
        "Integral(1/(x - 2), (x, 1, 3)) = Integral(1/(x - 2), (x, 1, 3))",  # not defined at 2
        "Integral(floor(x), (x, 1, n)) = Integral(floor(t), (t, 1, n)) for whole n >= 1",  # not continuous
        "Integral(1/x, (x, p, 1)) + Integral(1/x, (x, 1, 2)) = Integral(1/x, (x, p, 2)) for 0 < p < 1",  # below 1
        "Integral(p^x, (x, 1, oo)) = Integral(p^t, (t, 1, oo)) for 0 < p < 1",  # no end
        "Integral(p^x, (x, 1, n)) = Integral(p^x, (x, 1, n + 1)) for whole n >= 1, 0 < p < 1",
        "Integral(p^x, (x, 1, n)) > 0 for whole n >= 1, 0 < p < 1",  # 0 at n = 1
        "Integral(-log(x), (x, 1, n)) >= 0 for whole n >= 2",
        "Integral(x^a, (x, 1, n)) = Integral(x^b, (x, 1, n)) for whole n >= 1, a > 0, b > 0",
    ],
)
def test_integrals_that_are_refused(statement):
    with pytest.raises(Refused):
        apply("sums", statement=statement, by=[])
