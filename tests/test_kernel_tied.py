"""A variable that the domain gives by others, factorials in sums, and what must be refused."""

from __future__ import annotations

from fractions import Fraction
from math import factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asymp.kernel import terms
from asymp.kernel.sequences import tied as tied
from asymp.kernel.summation.sums import Sums, settled
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import apply, certificate, replay
from asymp.language.conditions import read_conditions
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem
from asymp.prove.sums import holds

WHERE = "whole n >= 1, x > 0"


def premise(text: str):
    return apply("sums", statement=text, by=[])


def test_a_tie_is_put_in_and_replays():
    found = theorem(read_statement("n - p*x > 0 for x > 0, 0 < p, p = n/(n + x), whole n >= 1"), True)
    assert found.made[0] == "tied"
    assert str(replay(certificate(found))) == str(found)


@pytest.mark.parametrize(
    ("statement", "variable", "given"),
    [
        ("p < 1 for x > 0, p = 1/(1 + x)", "x", "1/(1 + x) < 1 for x > 0"),  # x is not given
        ("p < 1 for x > 0, whole p, p = 1/(1 + x)", "p", "1/(1 + x) < 1 for x > 0"),  # whole, which 1/(1 + x) is not
        ("p < 1 for x > 0, p > 1/2, p = 1/(1 + x)", "p", "1/(1 + x) < 1 for x > 0"),  # not seen, and not so everywhere
        ("p < 1 for x > 0, p = 1/(1 + x), p = x", "p", "1/(1 + x) < 1 for x > 0"),  # given twice
        ("p < 1 for x > 0, p = p/(1 + x)", "p", "1/(1 + x) < 1 for x > 0"),  # given by itself
        ("p < 1 for x > 0, p <= 1/(1 + x)", "p", "1/(1 + x) < 1 for x > 0"),
        ("p < 2 for x > 0, p = 1/(1 + x)", "p", "1/(1 + x) < 1 for x > 0"),
        ("p < 1 for x > 0, p = 1/(1 + x)", "p", "1/(1 + x) < 1 for x > 1"),
        ("p < 1 for x >= 0, p = 1/(1 + x)", "p", "1/(1 + x) < 1 for x > 0"),
    ],
)
def test_what_is_no_tie_is_refused(statement, variable, given):
    with pytest.raises(Refused):
        apply("tied", [premise(given)], statement=statement, variable=variable)


@pytest.mark.parametrize(
    "text",
    [
        "(n + 2)! = (n + 1)*(n + 2)*n!",
        "Sum(x^i/i!, (i, 0, n)) = Sum(x^i/i!, (i, 0, n - 1)) + x^n/n!",
        "Sum(x^(n - i)/(n - i)!, (i, 0, n)) = Sum(x^i/i!, (i, 0, n))",
        "Sum(n!/(n - i)!/x^i, (i, 0, n)) = n!/x^n*Sum(x^i/i!, (i, 0, n))",
        "Sum(i*x^i/i!, (i, 0, n)) = x*Sum(x^i/i!, (i, 0, n - 1))",
        "x*Sum(x^i/i!, (i, 0, n - 1))/Sum(x^i/i!, (i, 0, n)) < n",
        "x*(1 - x^n/n!/Sum(x^i/i!, (i, 0, n))) <= n",
        "x^n/n!/Sum(x^i/i!, (i, 0, n)) < (2*x)^n/n!/Sum((2*x)^i/i!, (i, 0, n))",
    ],
)
def test_truncated_exponential_series(text):
    found = holds(read_statement(f"{text} for {WHERE}"))
    assert str(replay(certificate(found))) == str(found)


@pytest.mark.parametrize(
    "text",
    [
        "(n + 1)! = n*n!",
        "Sum(x^(n - i)/(n - i)!, (i, 0, n)) = Sum(x^i/i!, (i, 0, n - 1))",
        "Sum(x^(n - i)/(n - i)!, (i, 1, n)) = Sum(x^i/i!, (i, 1, n))",
        "Sum(n!*x^i/i!, (i, 0, n)) = Sum(x^i, (i, 0, n))",
        "Sum(x^i*(n - i)!, (i, 0, n)) = Sum(x^i*i!, (i, 0, n))",
        "x*Sum(x^i/i!, (i, 0, n - 1))/Sum(x^i/i!, (i, 0, n)) < n - 1",
        "x^n/n!/Sum(x^i/i!, (i, 0, n)) > (2*x)^n/n!/Sum((2*x)^i/i!, (i, 0, n))",
    ],
)
def test_near_them_nothing_is_proved(text):
    with pytest.raises(Refused):
        theorem(read_statement(f"{text} for {WHERE}"), True)


@pytest.mark.parametrize("text", ["(n - 2)!", "(x)!", "Sum(1/(3 - i)!, (i, 0, n))"])
def test_factorials_of_what_may_be_negative_are_refused(text):
    with pytest.raises(Refused):
        settled(read_conditions("whole n >= 1, x > -2"), lambda one: one.of(terms.read(text)))


BODIES = ["x^{k}/{k}!", "{k}!*x^{k}", "n!/{k}!*{k}", "(n + {k})!/{k}!", "{k}*x^(n - {k})"]


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(BODIES), st.sampled_from(["k", "(n - k)"]), st.integers(1, 6), st.fractions(Fraction(1, 4), 3, max_denominator=4))
def test_sums_from_either_end_have_their_values(body, place, n, x):
    """The coefficient that the theory makes of a sum has the sum's value, whichever end it is read from."""
    text = f"Sum({body.replace('{k}', place)}, (k, 0, n))"
    one = settled(read_conditions("whole n >= 1, x > 0"), lambda one: _made(one, text))
    assert value(one, n, x) == value(terms.read(text), n, x)


def _made(one: Sums, text: str):
    from asymp.kernel.rings.field import to_term

    return one.meant(to_term(one.of(terms.read(text))))


def value(term, n: int, x: Fraction) -> Fraction:
    """A term's exact value."""
    match term.head:
        case "number":
            return term.number
        case "name":
            return {"n": Fraction(n), "x": x}[term.name]
        case "sum":
            return sum((value(part, n, x) for part in term.parts), Fraction(0))
        case "product":
            found = Fraction(1)
            for part in term.parts:
                found *= value(part, n, x)
            return found
        case "power":
            return value(term.parts[0], n, x) ** int(value(term.parts[1], n, x))
        case "factorial":
            return Fraction(factorial(int(value(term.parts[0], n, x))))
        case "Sum" | "Product":
            low, high = (int(value(part, n, x)) for part in term.parts[1:])
            found = Fraction(term.head == "Product")
            for k in range(low, high + 1):
                one = value(terms.opened(term.parts[0], terms.number(k)), n, x)
                found = found + one if term.head == "Sum" else found * one
            return found
    raise AssertionError(term)
