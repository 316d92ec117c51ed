"""Integrals of a truncated exponential series to a large power, and what the kernel needs for theorems of them.

Every expansion with a symbolic order is set against certified values of the integral at given orders and sizes.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp

from asymp.enclosure import enclose
from asymp.kernel import terms
from asymp.kernel.facts.ranges import ball
from asymp.kernel.growths.growth import Domain
from asymp.kernel.rings.defined import Range
from asymp.kernel.sequences import apart
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import apply, certificate, replay
from asymp.language.statement import read_statement
from asymp.prove import asymptotic
from asymp.prove.claims import theorem
from tests.expansions import expanded as found_of

n, t, k = sp.Symbol("n", positive=True), sp.Symbol("t", positive=True), sp.Symbol("k", integer=True)
b, r, theta = sp.symbols("b r theta", positive=True)


def series(order):
    return sp.Sum(t**k / sp.factorial(k), (k, 0, order))


def expanded(order, rho, terms_kept=2):
    """The expansion of int g^n e^(-n rho t) for the symbolic order."""
    function = sp.Integral(series(order) ** n * sp.exp(-n * rho * t), (t, 0, sp.oo))
    return found_of(function, assume=[f"{x} > 0" for x in sorted(function.free_symbols - {n}, key=str)], order=terms_kept)


def exact(order, rho, size, digits):
    whole = sum(t**j / sp.factorial(j) for j in range(order + 1))
    return enclose(sp.Integral(whole ** sp.Symbol("n") * sp.exp(-sp.Symbol("n") * rho * t), (t, 0, sp.oo)), {"n": size}, digits=digits)


def gap(found, order, rho, size, values, digits):
    """|value - terms| over the remainder."""
    at = {n: sp.Integer(10) ** size, **values}
    value = exact(order, rho, f"1e{size}", digits)
    kept, rest = found.expr.subs(at), found.growth.subs(at)
    return abs(sp.Float(str(value).split(" ")[0], 100) - kept.evalf(120)) / rest.evalf(30)


@pytest.mark.parametrize("order", [2, 3, 5])
def test_a_symbolic_order_at_load_one(order):
    found = expanded(1 + b, sp.Integer(1))
    assert len(found.terms) >= 2
    gaps = [gap(found, order, sp.Integer(1), size, {b: order - 1}, 45) for size in (20, 40)]
    assert max(gaps) < 5


@pytest.mark.parametrize("order", [3, 4])
def test_a_symbolic_order_above_load_one(order):
    """The second term of the logarithm is kept where it is larger than the square of the first: theta >= 3 = 2 + b."""
    found = expanded(2 + b, 1 + r, 4)
    assert len(found.terms) >= 3
    gaps = [gap(found, order, sp.Rational(3, 2), size, {b: order - 2, r: sp.Rational(1, 2)}, 90) for size in (4, 6)]
    assert max(gaps) < 10**8 and gaps[1] < 2 * gaps[0]


# --- the kernel -------------------------------------------------------------------------------------------


def test_balls_of_integrals():
    half = ball(terms.read("Integral(exp(-u^2/2), (u, 0, oo))^2 - pi/2"))
    assert half.contains(0) and half.rad() < 1e-10
    assert ball(terms.read("Integral(exp(3*u - u^3/6), (u, 0, oo)) - Integral(exp(-3*u - u^3/6), (u, 0, oo))")) > 200
    assert ball(terms.read("Integral(exp(-u), (u, 0, oo)) - 1")).contains(0)
    for text in ("exp(u - u^(1/2))", "exp(u^3)", "exp(u)", "1/(1 + u^2)"):
        with pytest.raises(Refused):
            ball(terms.read(f"Integral({text}, (u, 0, oo))"))


DOMAIN = Domain(within={"theta": Range(Fraction(1), False, None, True), "x": Range(Fraction(0), True, None, True)})


@pytest.mark.parametrize("text", [
    "gamma(theta + 2) - (theta + 1)!", "(theta - 1)!*theta - theta!", "gamma(5) - 24", "gamma(4/3) - gamma(1/3)/3", "gamma(1/2)^2 - pi",
    "(theta + 1)!/theta! - theta - 1", "gamma(theta - 1/2)*(theta - 1/2) - gamma(theta + 1/2)",
    "log((2*theta^2 + 4*theta + 2)/theta) - log(2) - 2*log(theta + 1) + log(theta)", "log(1 + x + x^2/2) - log(2 + 2*x + x^2) + log(2)",
    "sqrt((x^2 + 2*x + 1)*(x + 2))/sqrt(x + 2) - x - 1", "((x + 1)/(x + 2))^(3/2)*(x + 2)^2 - (x + 1)*sqrt(x + 1)*sqrt(x + 2)",
    "Integral(exp(x*u - u^3/3!), (u, 0, oo)) - Integral(exp(-u^3/6 + x*u), (u, 0, oo))",
])  # fmt: skip
def test_one_name_for_one_number(text):
    assert DOMAIN.value(terms.read(text)).is_zero


@pytest.mark.parametrize("text", [
    "gamma(theta + 2) - (theta + 2)!", "gamma(theta)*theta - gamma(theta)", "log(x^2 + 1) - 2*log(x + 1)", "sqrt(x^2 + 1) - x - 1",
    "Integral(exp(x*u - u^3/6), (u, 0, oo)) - Integral(exp(-x*u - u^3/6), (u, 0, oo))",
])  # fmt: skip
def test_other_numbers_stay_apart(text):
    assert not DOMAIN.value(terms.read(text)).is_zero


def test_a_logarithm_asks_for_a_sign():
    assert DOMAIN.sign(DOMAIN.value(terms.read("log(x + 1)"))) != -1
    for text in ("log(x - 1)", "sqrt((x - 1)*(x - 2))", "Integral(exp(-u + x*u^2), (u, 0, oo))"):
        with pytest.raises(Refused):
            DOMAIN.value(terms.read(text))


LISTED = "n^a + 1 ~ n^a as whole n -> oo for a in {1, 2}"
FROM = "n^m + 1 ~ n^m as whole n -> oo for whole m >= 1"


def known(text):
    return asymptotic.holds(read_statement(text))


def test_a_statement_from_those_of_its_values():
    one, two = (known(f"n^{a} + 1 ~ n^{a} as whole n -> oo") for a in (1, 2))
    assert apply("apart", [one, two], statement=LISTED, of="a").holds
    above = known("n^m + 1 ~ n^m as whole n -> oo for whole m >= 2")
    assert apply("apart", [one, above], statement=FROM, of="m").holds


@pytest.mark.parametrize(("premises", "statement", "of"), [
    ([1], LISTED, "a"), ([2, 1], LISTED, "a"), ([1, 2, 2], LISTED, "a"), ([1, 3], LISTED, "a"), ([], LISTED, "a"), ([1, 2], LISTED, "n"),
    ([1, 2], "n^a + 1 ~ n^a as whole n -> oo for a in {1, 2}, whole b", "b"), ([1, 2], FROM, "m"),
    ([1, 2], "n^m + 1 ~ n^m as whole n -> oo for m >= 1", "m"), ([1, 2], "n^m + 1 ~ n^m as whole n -> oo for whole m <= 1", "m"),
])  # fmt: skip
def test_not_every_value_is_not_all(premises, statement, of):
    given = [known(f"n^{a} + 1 ~ n^{a} as whole n -> oo") for a in premises]
    with pytest.raises(Refused):
        apply("apart", given, statement=statement, of=of)


RANGE = "n^a + 1 ~ n^a as whole n -> oo for a in 1..2"


def test_a_statement_from_those_of_a_range_of_whole_values():
    given = [known(f"n^{a} + 1 ~ n^{a} as whole n -> oo") for a in (1, 2)]
    assert apply("apart", given, statement=RANGE, of="a").holds
    assert theorem(read_statement("n^a + 1 ~ n^a as whole n -> oo for a in 1..2, whole a"), True).holds
    assert not theorem(read_statement("n^a + n ~ n^a as whole n -> oo for a in 1..2"), False).holds
    for text in (RANGE.replace("1..2", "1..3"), RANGE.replace("1..2", "0..2"), RANGE.replace("1..2", "1..10^6"), RANGE.replace("1..2", "2..1")):
        with pytest.raises(Refused):
            apply("apart", given, statement=text, of="a")
    with pytest.raises(Refused):  # a range up to what moves
        apply("apart", given, statement=RANGE.replace("1..2", "1..n"), of="a")
    with pytest.raises(Refused):
        apply("apart", [], statement=RANGE.replace("1..2", "2..1"), of="a")


def test_one_value_that_fails_is_enough():
    text = "n^a ~ n as whole n -> oo for a in {1, 2}"
    failing = asymptotic.fails(read_statement("n^2 ~ n as whole n -> oo"))
    assert not apply("apart", [failing], statement=text, of="a").holds
    other = asymptotic.fails(read_statement("n^3 ~ n as whole n -> oo"))
    with pytest.raises(Refused):
        apply("apart", [other], statement=text, of="a")


def test_values_outside_the_other_conditions_are_nothing():
    parts = apart.parts(read_statement("n^a -> oo as whole n -> oo for a in {-1, 2}, a > 0"), "a")
    assert [str(part) for part in parts] == ["n^2 -> oo as whole n -> oo"]
    with pytest.raises(Refused, match="whole"):
        apart.parts(read_statement("n^a -> oo as whole n -> oo for a in {1/2, 2}, whole a"), "a")


G = "Sum(t^i/i!, (i, 0, theta))"


@pytest.mark.parametrize("text", [
    f"n*Integral({G}^n*exp(-n*rho*t), (t, 0, oo)) = 1/(rho-1) - 1/((rho-1)^(theta+2)*n^theta) + o(n^(-theta))"
    " as whole n -> oo for whole theta >= 1, rho > 1",
    f"Integral({G}^n*exp(-n*t), (t, 0, oo)) ~ (theta+1)!^(1/(theta+1))*gamma(1/(theta+1))/(theta+1)*n^(-1/(theta+1))"
    " as whole n -> oo for whole theta >= 1",
])  # fmt: skip
def test_theorems_for_all_orders(text):
    found = theorem(read_statement(text), True)
    assert replay(certificate(found)).holds and not any(leaf.startswith("engine") for leaf in found.trusts)
    wrong = text.replace("rho-1)^(theta+2)", "rho-1)^(theta+1)").replace("gamma(1/(theta+1))/(theta+1)", "gamma(1/(theta+1))")
    assert wrong != text
    with pytest.raises(Refused):
        theorem(read_statement(wrong), True)
    assert not theorem(read_statement(wrong), False).holds


def test_an_integral_of_what_is_positive_is_positive():
    from asymp.check import check
    from asymp.parse import claim

    text = f"1/Integral({G}^n*exp(-2*n*t), (t, 0, oo)) ~ n"
    held = check(claim("ilb/typed", text, to="n->oo", source="typed, typed", assume=["theta>1"]))
    assert "no meaning" not in held.reason and held.outcome.name == "HOLDS"
    empty = check(claim("ilb/typed", "n/Integral(t, (t, 1, 1)) ~ n", to="n->oo", source="typed, typed"))
    assert empty.outcome.name == "UNDECIDED"
