"""Endless sums and products by their partial ones: what is decided so, and what the rule refuses."""

import pytest

from asymp.answer.verdict import check
from asymp.enclosure import enclose
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import apply, certificate, replay
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem

HOLDS = [
    "Sum(1/k^2, (k, 1, oo)) = pi^2/6",
    "3 - Sum(1/k^2, (k, 1, oo))/2 = 3 - pi^2/12",
    "Product(1 - 1/(4*k^2), (k, 1, oo)) = 2/pi",
    "Product(1 - x^2/k^2, (k, 1, oo)) = 1/(gamma(1 + x)*gamma(1 - x)) for 0 < x < 1",
    "Sum(1/k^s, (k, 1, oo)) = zeta(s) for s > 1",
    "2/pi <= Product(1 - 1/(4*k^2), (k, 1, oo))",
    "Product(1 - x^2/k^2, (k, 1, oo)) = sin(pi*x)/(pi*x) for 0 < x < 1",
    "Product(1 + x^2/k^2, (k, 2, oo)) = sinh(pi*x)/(pi*x*(1 + x^2)) for x > 0",
    "Product((2*k^2 - 1)/(2*k^2 + 4), (k, 1, oo)) = 2*sin(pi/sqrt(2))/sinh(pi*sqrt(2))",
    "Product((k^2 + 1)/k^2, (k, 1, n)) -> sinh(pi)/pi as whole n -> oo",
    "Product(k^2 + 1, (k, 1, n)) ~ 2*n*sinh(pi)*(n/E)^(2*n) as whole n -> oo",
]
FAILS = [
    "Sum(1/k^2, (k, 1, oo)) = pi^2/6*(1 + 10^(-200))",
    "3 - Sum(1/k^2, (k, 1, oo))/2 = 3 - pi^2/6",
    "Product(1 - 1/(4*k^2), (k, 1, oo)) = 2/pi - 10^(-200)",
    "Product(1 - x^2/k^2, (k, 1, oo)) = 1/(gamma(1 + x)*gamma(2 - x)) for 0 < x < 1",
    "Sum(1/k^s, (k, 1, oo)) = zeta(s + 1) for s > 1",
    "Product(1 - 1/(4*k^2), (k, 1, oo)) < 2/pi",
    "Product(1 - x^2/k^2, (k, 1, oo)) = sin(pi*x)/(pi*x)*(1 + 10^(-200)) for 0 < x < 1",
    "Product(1 + x^2/k^2, (k, 2, oo)) = sinh(pi*x)/(pi*x) for x > 0",
    "Product((2*k^2 - 1)/(2*k^2 + 4), (k, 1, oo)) = 2*sinh(pi/sqrt(2))/sinh(pi*sqrt(2))",
    "Product((k^2 + 1)/k^2, (k, 1, n)) -> sinh(pi)/pi + 10^(-200) as whole n -> oo",
    "Product(k^2 + 1, (k, 1, n)) ~ 2*n*cosh(pi)*(n/E)^(2*n) as whole n -> oo",
]


@pytest.mark.parametrize(("text", "holds"), [*((one, True) for one in HOLDS), *((one, False) for one in FAILS)])
def test_what_holds_is_a_theorem_and_so_is_that_its_sibling_fails(text, holds):
    found = theorem(read_statement(text), holds)
    assert found.holds is holds and replay(certificate(found)).holds is holds
    if text in (HOLDS[0], FAILS[0]):
        with pytest.raises(Refused):
            theorem(read_statement(text), not holds)


def limit(text):
    """A theorem that something tends to a number."""
    return theorem(read_statement(text), True)


LIMIT = "Sum(1/j^2, (j, 1, n)) -> zeta(2) as n -> oo for whole n"


@pytest.mark.parametrize(
    ("statement", "first", "second"),
    [
        ("Sum(1/j^2, (j, 1, oo)) + n = zeta(2)", LIMIT, "zeta(2) = zeta(2)"),  # the runner's name is taken
        ("Sum(1/j^2, (j, 2, oo)) = zeta(2)", LIMIT, "zeta(2) = zeta(2)"),  # of another sum
        ("Sum(1/j^2, (j, 1, oo)) = zeta(3)", LIMIT, "zeta(2) = zeta(2)"),  # of another number
        ("Sum(1/j^2, (j, 1, oo)) <= zeta(2)", LIMIT, "zeta(2) = zeta(2)"),  # by another sign
        ("Sum(1/j^2, (j, 1, oo)) = zeta(2)", "Sum(1/j^2, (j, 1, n)) -> pi^2/6 as n -> oo for whole n", "zeta(2) = zeta(2)"),
        ("Sum(1/j^2, (j, 1, oo))^2 = zeta(2)^2", "Sum(1/j^2, (j, 1, n))^2 -> zeta(2)^2 as n -> oo for whole n", "zeta(2)^2 = zeta(2)^2"),
        ("Sum(1/j^2, (j, 1, oo)) = Sum(1/j^2, (j, 1, oo))", LIMIT, "zeta(2) = Sum(1/j^2, (j, 1, oo))"),
        ("Sum(1/j^2, (j, 1, oo)) = zeta(2) <= 2", LIMIT, "zeta(2) = zeta(2)"),  # a chain
        ("Sum(1, (j, 1, oo)) = 2", "Sum(1, (j, 1, n)) -> oo as n -> oo for whole n", "2 = 2"),  # no number
    ],
)  # fmt: skip
def test_the_rule_refuses(statement, first, second):
    compared = apply("algebra", statement=second) if "Sum" not in second else limit("1/n -> 0 as n -> oo")
    with pytest.raises(Refused):
        apply("partial totals", [limit(first), compared], statement=statement, runner="n")


def test_a_limit_for_fewer_parameters_is_refused():
    says = "Sum(1/j^s, (j, 1, n)) -> zeta(s) as n -> oo for whole n, s > {}"
    equal = apply("algebra", statement="zeta(s) = zeta(s) for s > 2")
    for low, good in ((2, True), (3, False)):
        given = [limit(says.format(low)), equal]
        if good:
            assert apply("partial totals", given, statement="Sum(1/j^s, (j, 1, oo)) = zeta(s) for s > 2", runner="n").holds
        else:
            with pytest.raises(Refused):
                apply("partial totals", given, statement="Sum(1/j^s, (j, 1, oo)) = zeta(s) for s > 2", runner="n")


@pytest.mark.parametrize("text", [
    "Product(1 - 2/k^2, (k, 1, oo)) = sin(pi*sqrt(2))/(pi*sqrt(2))",  # a factor below 0
    "Product(1 - x^2/k^2, (k, 1, oo)) = sin(pi*x)/(pi*x) for 0 < x < 2",  # and one that is 0
    "Product(1 + n/k^2, (k, 1, n)) -> 1 as whole n -> oo",  # no constant
    "Product(1 + 1/k^2, (k, 0, n)) = O(1) as whole n -> oo",
    "gamma(x)*gamma(1 - x) = pi/sin(pi*x) for 0 < x <= 1", "gamma(x)*gamma(3 - x) = pi*(x - 1)*(x - 2)/sin(pi*x) for 0 < x < 3",
])  # fmt: skip
def test_a_product_without_such_a_value(text):
    with pytest.raises(Refused):
        theorem(read_statement(text), True)


def test_what_diverges_has_no_value():
    assert check("Sum(1/k, (k, 1, oo)) = 5").outcome.name == "UNDECIDED"
    assert check("Product(1 - 1/(2*k), (k, 1, oo)) = 0").outcome.name == "UNDECIDED"


@pytest.mark.parametrize(
    ("text", "at", "value"),
    [  # by hand: 2/pi (Wallis), n!/(n - m)! with its sign, Gamma(n + 1)/(Gamma(n + 1/2)) to 1 part in 8 n
        ("Product(1 - 1/(4*k^2), (k, 1, n))", {"n": "1e1000"}, 0.6366197723675814),
        ("Product(1 - 1/(4*k^2), (k, 1, oo))", {}, 0.6366197723675814),
        ("Product((k - 3000)/(k + 3000), (k, 1, n))*binomial(6000, 3000)", {"n": "2999"}, -2.0),
        ("Product((k - 3000)/(k + 3000), (k, 1, n))", {"n": "5000"}, 0.0),
        ("Product(k/(k - 1/2), (k, 1, n))/sqrt(pi*n)", {"n": "1e40"}, 1.0),
    ],
)  # fmt: skip
def test_long_products_of_linear_factors_are_enclosed_by_gamma(text, at, value):
    assert abs(float(enclose(text, at).value) - value) <= 1e-12


@pytest.mark.parametrize(
    ("text", "x", "value"),
    [  # x/(1 - x), x (1 + x)/(1 - x)^3, -log(1 - x)
        ("Sum(x^k, (k, 1, oo))", "-7/8", -7 / 15),
        ("Sum(k^2*x^k, (k, 1, oo))", "-1/2", -2 / 27),
        ("Sum(x^k/k, (k, 1, oo))", "-99/100", -0.6881346387364010),
        ("Sum(x^k, (k, 1, oo))", "0", 0.0),
    ],
)  # fmt: skip
def test_powers_of_what_is_below_0_are_added(text, x, value):
    assert abs(float(enclose(text, {"x": x}).value) - value) <= 1e-15


def test_how_many_factors_there_are_decides_the_sign():
    signs = [float(enclose("Product((k - 3000)/3000, (k, 1, n))", {"n": str(n)}).value) for n in (1500, 1501)]
    assert signs[0] > 0 > signs[1]
