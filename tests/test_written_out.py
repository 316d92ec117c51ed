"""Short sums between numbers, written out: the same statement, and a rule of the kernel."""

import pytest

from asymp.kernel.terms import Refused
from asymp.kernel.theorem import apply
from asymp.language.finite import written
from asymp.language.numbers import ParseError
from asymp.language.statement import read_statement
from asymp.language.syntax import Parser, words
from asymp.language.value import value, written_out
from asymp.parse import claim
from asymp.prove.claims import theorem


@pytest.mark.parametrize(
    "text",
    [
        "Sum(k*x, (k, -2, 3))",
        "Sum(x^j*k, (k, 1, j), (j, 0, 4))",
        "Product(1 + Sum(x/i, (i, 1, k)), (k, 1, floor(7/2)))",
        "Sum(Product(i + x, (i, 1, floor((5 - 2*k)/2))), (k, 0, 2))",
        "Sum(Min(k, 2)*x, (k, 1, 3)) - Max(1, 2)^2",
    ],
)
def test_the_same_value(text):
    node = Parser(text).whole()
    for x in (2, -3):
        assert value(written_out(node), {"x": x}) == value(node, {"x": x})
    assert "Sum" not in words(written_out(node)) and "Product" not in words(written_out(node))


@pytest.mark.parametrize("text", ["Sum(x, (k, 3, 1))", "Sum(x, (k, 1, 5/2))", "Sum(x, (k, 1, 10^6))", "Sum(x, (k, 1, n))",
                                  "Integral(x*k, (k, 1, 2))", "Sum(x/k^2, (k, 1, oo))"])  # fmt: skip
def test_what_is_no_short_range_stays(text):
    node = Parser(text).whole()
    assert "(k, " in words(written_out(node))


def test_what_has_no_value_is_left_to_be_refused():
    assert words(written_out(Parser("Sum(x/k, (k, 0, 1))").whole())) == "x/0 + x/1"
    with pytest.raises(ParseError, match="division by zero"):
        claim("me/x", "Sum(x/k, (k, 0, 1)) >= 0 for x > 0", source="me, 1")
    with pytest.raises(Refused):
        theorem(read_statement("0*Sum(x/k, (k, 0, 1)) >= 0 for x > 0"), True)


def test_a_long_statement_is_left_as_it_is():
    text = "Sum(Product(x + i + k, (i, 1, 49)), (k, 1, 49)) > 0 for x > 0"
    assert written(read_statement(text)) == read_statement(text)


def test_the_rule_wants_the_statement_written_out():
    premise = theorem(read_statement("x + x^2 <= 2 for 0 < x < 1"), True)
    found = apply("written out", [premise], statement="Sum(x^k, (k, 1, 2)) <= 2 for 0 < x < 1")
    assert found.holds
    for other in ("Sum(x^k, (k, 1, 3)) <= 2 for 0 < x < 1", "Sum(x^k, (k, 0, 2)) <= 2 for 0 < x < 1",
                  "Sum(x^k, (k, 1, 2)) <= 2 for 0 < x < 2", "Sum(x^k, (k, 2, 1)) <= 2 for 0 < x < 1"):  # fmt: skip
        with pytest.raises(Refused):
            apply("written out", [premise], statement=other)
    with pytest.raises(Refused):
        apply("written out", [premise, premise], statement="Sum(x^k, (k, 1, 2)) <= 2 for 0 < x < 1")


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("Sum(x^k/k, (k, 1, 4)) ~ x as x -> 0+", True),
        ("Sum(x^k/k, (k, 1, 4)) ~ (1 + 10^(-200))*x as x -> 0+", False),
        ("Sum(Product((i + x)/i, (i, 1, k)), (k, 0, floor(9/4))) = 3 + 5/2*x + x^2/2 for x > 0", True),
        ("Sum(Product((i + x)/i, (i, 1, k)), (k, 0, floor(9/4))) = 3 + 5/2*x + x^2/2 + 10^(-200)*x for x > 0", False),
    ],
)
def test_theorems(text, holds):
    assert theorem(read_statement(text), holds)
    with pytest.raises(Refused):
        theorem(read_statement(text), not holds)
