"""Power series for x of both signs: x^0 is 1 where the index of a sum stands in the exponent, and nowhere else has 0^0 a value.

Sums of series: DLMF 4.2.19, 4.6.1, 4.6.7, 4.19.1, 4.19.2, 4.24.3 (Abel's theorem at the ends).
"""

from fractions import Fraction

import pytest

from asymp.answer import check, enclose
from asymp.kernel import terms
from asymp.kernel.facts.context import Context
from asymp.kernel.facts.ranges import Evaluator, point
from asymp.kernel.rings.ratio import to_term
from asymp.kernel.sequences.apart import parts
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import apply, certificate, replay
from asymp.language.finite import written
from asymp.language.statement import read_statement
from asymp.language.syntax import Parser
from asymp.language.value import Undefined, value
from asymp.prove.claims import doubt, theorem

SERIES = [
    ("Sum(x^k, (k, 0, oo))", "1/(1 - x)", "-1 < x < 1"), ("Sum(x^k, (k, 1, oo))", "x/(1 - x)", "-1 < x < 1"),
    ("Sum(k*x^k, (k, 0, oo))", "x/(1 - x)^2", "-1 < x < 1"), ("Sum(x^k/k!, (k, 0, oo))", "exp(x)", "real x"),
    ("Sum((-1)^k*x^(2*k)/(2*k)!, (k, 0, oo))", "cos(x)", "real x"),
    ("Sum((-1)^k*x^(2*k + 1)/(2*k + 1)!, (k, 0, oo))", "sin(x)", "real x"),
    ("Sum(x^k/k, (k, 1, oo))", "-log(1 - x)", "-1 <= x < 1"),
    ("Sum((-1)^k*x^(2*k + 1)/(2*k + 1), (k, 0, oo))", "atan(x)", "-1 <= x <= 1"),
    ("Sum(binomial(1/3, k)*x^k, (k, 0, oo))", "(1 + x)^(1/3)", "-1 < x < 1"),
    ("Sum(binomial(k + 3, 3)*x^k, (k, 0, oo))", "(1 - x)^(-4)", "-1 < x < 1"),
    ("Sum(x^k, (k, 0, n))", "(1 - x^(n + 1))/(1 - x)", "x < 1, whole n >= 0"),
]  # fmt: skip


@pytest.mark.parametrize(("total", "closed", "where"), SERIES)
def test_a_series_and_its_siblings(total, closed, where):
    found = theorem(read_statement(f"{total} = {closed} for {where}"), True)
    assert found.holds and replay(certificate(found)).holds


@pytest.mark.parametrize("text", [
    "Sum(x^k, (k, 0, oo)) = (1 + 10^(-200))/(1 - x) for -1 < x < 1", "Sum(x^k, (k, 1, oo)) = x/(1 - x) - x^2/10^9 for -1 < x < 1",
    "Sum(x^k, (k, 0, n)) = (1 - x^n)/(1 - x) for x < 1, whole n >= 0", "Sum(x^k, (k, 0, oo)) = x/(1 - x) for -1 < x < 1",
])  # fmt: skip
def test_a_sibling_fails(text):
    found = doubt(read_statement(text))
    assert not found.holds and not replay(certificate(found)).holds


@pytest.mark.parametrize("text", [
    "x^0 = 1 for real x", "x^n >= 0 for x >= 0, whole n >= 0", "Sum(k^k, (k, 0, 3)) = 33",
    "Sum(k^n, (k, 0, 3)) = Sum(k^n, (k, 1, 3)) for whole n >= 0", "Sum(x^(k - 1), (k, 0, oo)) = 1 for -1 < x < 1",
    "Integral(x^t, (t, 0, 1)) <= 1 for 0 <= x < 1", "Sum(x^k, (k, 0, oo)) = 1/(1 - x) for -1 <= x < 1",
    "Sum(x^k, (k, 0, oo)) = 1/(1 - x) for -1 < x <= 1", "Sum((1/x)^k, (k, 0, 0)) = 1 for real x",
])  # fmt: skip
def test_elsewhere_it_has_no_value(text):
    assert check(text).outcome == "undecided"
    for rule, data in (("algebra", {}), ("sums", {"by": []})):
        with pytest.raises(Refused):
            apply(rule, statement=text, **data)


def test_one_value_on_all_ways():
    body, at = "Sum(x^k*(k + 2), (k, 0, 3))", {"x": Fraction(0)}
    assert value(Parser(body).whole(), at) == 2
    assert Evaluator(64).range(terms.read(body), {"x": point(0)}) == point(2)
    assert str(to_term(Context().value(terms.read(body.replace("x", "0"))))) == "2"
    for text in ("Sum(log(x)^k/k!, (k, 0, oo)) = x for x > 0", "Sum((x - x)^k/k!, (k, 0, oo)) = 1 for x > 0"):
        assert apply("algebra", statement=text).holds
    assert str(enclose(body, x=0)) == "2" and str(enclose("Sum(x^k/k!, (k, 0, oo))", x=0)) == "1"
    assert str(written(read_statement("Sum(x^k, (k, 0, 1)) = 1 + x for real x"))) == "1 + x^1 = 1 + x for real x"
    with pytest.raises(Undefined):
        value(Parser("x^0").whole(), at)
    with pytest.raises(Undefined):
        value(Parser("Sum(k^k, (k, 0, 3))").whole(), {})
    for other in ("x^0", "Sum(k^k, (k, 0, 3))"):
        with pytest.raises(Refused):
            Evaluator(64).range(terms.read(other) if "k" in other else terms.Term("power", (terms.name("x"), terms.ZERO)), {"x": point(0)})


@pytest.mark.parametrize(("text", "why"), [
    ("Sum(0^(k - 1), (k, 0, oo))", "below 0"), ("Sum(0^k, (k, 0, n - 1))", "empty"), ("Sum(0^k, (k, 0, x))", "empty"),
    ("Sum(0^k/(k - 3), (k, 0, oo))", "may be 0|holds late|."), ("Sum(0^(k/2), (k, 0, oo))", "another"), ("Sum(0^k*log(k), (k, 0, oo))", "log"),
    ("Sum(0^k*x^n, (k, 0, oo))", "positive"), ("Sum(0^k, (k, n, oo))", "another"),
])  # fmt: skip
def test_a_sum_of_powers_of_0_is_refused(text, why):
    n, x = terms.name("n"), terms.name("x")
    at = Context(frozenset({"n"}), ((terms.ZERO, "<=", n), (terms.ZERO, "<=", x)))
    with pytest.raises(Refused, match=why):
        at.value(terms.read(text))


def test_a_comparison_by_the_signs_of_a_variable():
    text = "x + Abs(x) >= 0 for -1 <= x < 2"
    three = [theorem(part, True) for part in parts(read_statement(text), "x")]
    assert apply("apart", three, statement=text, of="x").holds
    for given in (three[1:], three[:2], three[::-1], []):  # a part is wanting, or in another's place
        with pytest.raises(Refused):
            apply("apart", given, statement=text, of="x")
    for other in ("x + Abs(x) >= 0 for whole x, x >= -1", "x > 0 for x > 0", "x + y >= 0 for y >= 0, x in {1, 2}"):
        with pytest.raises(Refused):
            apply("apart", three, statement=other, of="x")
    coupled = [str(part) for part in parts(read_statement("x*y <= y^2 for -y < x <= y, x + y < 3, y > 0"), "x")]
    assert coupled == [
        "-x*y <= y^2 for x > 0, -y <= x < y, -x + y < 3, y > 0", "0*y <= y^2 for -y < 0 <= y, 0 + y < 3, y > 0",
        "x*y <= y^2 for x > 0, -y < x <= y, x + y < 3, y > 0",
    ]  # fmt: skip


@pytest.mark.parametrize(("text", "to", "outcome"), [
    ("Sum(cos(2*pi*k), (k, 1, n)) = O(1)", "n -> oo", "refuted"), ("Sum(cos(2*pi*k), (k, 1, n)) ~ n", "n -> oo", "holds"),
    ("Sum(cos(pi*k)/k, (k, 1, oo)) = -log(2)", None, "holds"), ("Sum(cos(pi*k)/k, (k, 1, oo)) = log(2)", None, "refuted"),
    ("Sum(sin(pi*k), (k, 1, n)) = 0 for whole n >= 1", None, "holds"), ("Sum(cos(pi*k + pi/3), (k, 1, 2*n)) = 0 for whole n >= 1", None, "holds"),
    ("Sum(cos(2*pi*k*x), (k, 1, n)) = n for whole n >= 1, real x", None, "refuted"),
])  # fmt: skip
def test_whole_turns_in_a_sum(text, to, outcome):
    found = check(text, to=to)
    assert found.outcome == outcome and found.strength == "proved"


@pytest.mark.parametrize(("text", "outcome"), [
    ("Sum(binomial(a, k)*x^k, (k, 1, oo)) = (1 + x)^a - 1 for -1 < x < 1, real a", "holds"),
    ("Sum(binomial(k + m, m)*x^k, (k, 0, oo)) = (1 - x)^(-m - 1) for -1 < x < 1, whole m >= 0", "holds"),
    ("stirling2(n, m) ~ m^n/m! as whole n -> oo for whole m >= 2", "holds"), ("stirling2(n, 3) = 3^n/6 + O(1) as whole n -> oo", "refuted"),
    ("subfactorial(n) ~ n!/E as whole n -> oo", "holds"), ("subfactorial(n) ~ n!/(E + 10^(-200)) as whole n -> oo", "refuted"),
    ("bernoulli(2*n) ~ (-1)^(n + 1)*2*(2*n)!/(2*pi)^(2*n) as whole n -> oo", "holds"),
    ("bernoulli(2*n) ~ (-1)^n*2*(2*n)!/(2*pi)^(2*n) as whole n -> oo", "refuted"),
    ("Integral(cos(a*t^2), (t, 0, x)) = sqrt(pi/(8*a)) + sin(a*x^2)/(2*a*x) + O(1/x^3) as x -> oo for a > 0", "holds"),
    ("Integral(sin(t^2), (t, 0, x)) = sqrt(pi/8) + cos(x^2)/(2*x) + O(1/x^3) as x -> oo", "refuted"),
])  # fmt: skip
def test_named_series(text, outcome):
    found = theorem(read_statement(text), outcome == "holds")
    assert found.holds is (outcome == "holds") and replay(certificate(found)).holds is found.holds
