"""Shapes in a whole variable by consecutive values: the rule, each of its conditions, and what the search finds."""

from __future__ import annotations

from fractions import Fraction

import pytest

from asymp.kernel.sequences.shapes import compared_at, needed
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import apply
from asymp.kernel.trust import cited
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem


def proved(text):
    return theorem(read_statement(text), True)


def shape(text, premises, first=0, by="next"):
    return apply("consecutive", [proved(one) for one in premises], statement=text, first=first, by=by)


SQUARE = "n^2 is increasing in n for whole n >= 0"
NEXT = "n^2 < (n + 1)^2 for whole n >= 0"


def test_the_rule_makes_it_from_its_premises():
    assert shape(SQUARE, [NEXT]).holds
    assert shape(SQUARE, ["0^2 < 1^2", "n^2 < (n + 1)^2 for whole n >= 1"], 1).holds
    assert shape(SQUARE, ["0^2 < 1^2", "1^2 < 2^2", "n^2 is increasing in n for whole n >= 2"], 2, "shape").holds
    assert shape("-n^2*a is nonincreasing in n for whole n > 0, 1 < a < 2", ["-n^2*a >= -(n + 1)^2*a for whole n > 0, 1 < a < 2"]).holds


@pytest.mark.parametrize(
    ("text", "premises", "first", "by"),
    [
        (SQUARE, [], 0, "next"),
        (SQUARE, ["n^2 < (n + 1)^2 for whole n >= 1"], 0, "next"),
        (SQUARE, ["n^2 < (n + 1)^2 for whole n >= 1"], 1, "next"),  # the first value is left out
        (SQUARE, ["1^2 < 2^2", "n^2 < (n + 1)^2 for whole n >= 1"], 1, "next"),
        (SQUARE, ["0^2 < 1^2", "n^2 is increasing in n for whole n >= 2"], 1, "shape"),  # one between is left out
        (SQUARE, ["n^2 is increasing in n for whole n >= 0"], 0, "other"),
        (SQUARE, ["n^2 is increasing in n for whole n >= 0"], True, "shape"),
        (SQUARE, ["n^2 is increasing in n for whole n >= 0"], -1, "shape"),
        ("n^2 is increasing in n for n >= 0", ["n^2 < (n + 1)^2 for n >= 0"], 0, "next"),  # real
        ("n^2 is decreasing in n for whole n >= 0", [NEXT], 0, "next"),
        ("n^2 < (n + 1)^2 for whole n >= 0", [NEXT], 0, "next"),
        ("n^2 is increasing in m for whole n >= 0, whole m", [NEXT], 0, "next"),
    ],
)
def test_premises_of_another_statement_are_refused(text, premises, first, by):
    with pytest.raises(Refused):
        shape(text, premises, first, by)


@pytest.mark.parametrize("domain", ["whole n, n^2 >= 4", "n in {0, 3}, whole n", "whole n, whole k, n = 3*k, k >= 0", "whole n, n*k >= 1, k > 0",
                                    "whole n, n <= n^2 - 2"])  # fmt: skip
def test_values_with_gaps_are_refused(domain):
    """n*(n - 3)^2 < its next value may hold at each of them, and yet it need not increase from one of them to another."""
    with pytest.raises(Refused):
        needed(read_statement(f"n*(n - 3)^2 is increasing in n for {domain}"), 0, "next")


@pytest.mark.parametrize("text", ["n^a is increasing in n for some a in 1..2 for whole n >= 0", "n <= n^2 for whole n >= 0",
                                  "a*n is increasing in n as a -> oo for whole n >= 0"])  # fmt: skip
def test_another_form_is_refused(text):
    with pytest.raises(ValueError):
        needed(read_statement(text), 0, "next")


def test_between_two_ends():
    assert shape("n*(9 - n) is increasing in n for whole n >= 0, n <= 3", ["0 < 8", "n*(9 - n) < (n + 1)*(9 - (n + 1)) for whole n >= 1, n <= 3"],
                 1).holds  # fmt: skip


def test_a_premise_has_to_hold():
    fails = theorem(read_statement("n^2 > (n + 1)^2 for whole n >= 0"), False)
    with pytest.raises(Refused):
        apply("consecutive", [fails], statement="n^2 is decreasing in n for whole n >= 0", first=0, by="next")


@pytest.mark.parametrize("text", [
    "(1 - 1/n)^n is increasing in n for whole n >= 1", "Sum(1/k, (k, 1, n)) is increasing in n for whole n >= 0",
    "harmonic(n) - log(n) is decreasing in n for whole n >= 1", "n^2 - 3*n is nondecreasing in n for whole n >= 1",
    "Sum(p^k, (k, 0, n)) is increasing in n for whole n >= 0, 0 < p < 1",
])  # fmt: skip
def test_it_is_found(text):
    assert cited(proved(text).trusts)


@pytest.mark.parametrize("text", [
    "n^2 - 3*n is increasing in n for whole n >= 1", "(1 - 1/n)^n is decreasing in n for whole n >= 1",
    "(-1)^n/n is decreasing in n for whole n >= 1", "n^2 - 4*n is increasing in n for n >= 1",
])  # fmt: skip
def test_what_does_not_is_not(text):
    with pytest.raises(Refused):
        proved(text)


# --- places at which it fails -----------------------------------------------------------------------------


def places(text, at, premise):
    return apply("places", [theorem(read_statement(premise), False)], statement=text, at=list(at))


RISES = "log(x)/x is increasing in x for x > 2"
AT = "log(3)/3 < log(4)/4 for 3 > 2, 4 > 2"
HIGHEST = "n*(5 - n) is largest at n = 1 for whole n >= 0"


def test_places_refute_a_shape_and_an_extreme():
    assert not places(RISES, ("3", "4"), AT).holds
    assert not places("a*x is increasing in x for x > 0, a >= 0", ("1", "2"), "a*1 < a*2 for a >= 0, 1 > 0, 2 > 0").holds
    assert not places(HIGHEST, ("2",), "1 >= 0 and 2*(5 - 2) <= 1*(5 - 1) for 2 >= 0").holds
    assert not places("x^2 is least at x = a for x > 0, a > 1", ("1",), "a > 0 and 1^2 >= a^2 for 1 > 0, a > 1").holds
    assert not places("x^2 is least at x = a for x > 0, a < 1", ("1",), "a > 0 and 1^2 >= a^2 for 1 > 0, a < 1").holds
    assert not places("x^2 is least at x = a for x > 0, x < 1, a < 1", ("1/2",), "a > 0 and a < 1 and (1/2)^2 >= a^2 for 1/2 > 0, 1/2 < 1, a < 1").holds


@pytest.mark.parametrize(
    ("text", "at", "premise"),
    [
        (RISES, ("4", "3"), AT),
        (RISES, ("3",), AT),
        (RISES, ("3", "5"), AT),  # others
        ("log(x)/x is increasing in x for x > 3", ("3", "4"), AT),  # outside
        ("log(x)/x is nondecreasing in x for x > 2", ("3", "4"), AT),
        ("x/(1 + x) is increasing in x for x > 2", ("3", "4"), AT),
        ("log(x)/x < 1 for x > 2", ("3", "4"), AT),
        ("n*(5 - n) is nondecreasing in n for whole n >= 0", ("2", "5/2"), "2*(5 - 2) <= 5/2*(5 - 5/2) for 2 >= 0, 5/2 >= 0"),
        ("n*(5 - n) is nondecreasing in n for n >= 0", ("5/2", "11/4"), "5/2*(5 - 5/2) <= 11/4*(5 - 11/4) for 5/2 >= 0, 11/4 >= 0"),
        (HIGHEST, ("2", "3"), "1 >= 0 and 2*(5 - 2) <= 1*(5 - 1) for 2 >= 0"),
        ("x^2 is least at x = a for x > 0, x < 1, a < 1", ("1/2",), "a > 0 and a < 1 and (1/2)^2 >= a^2 for 1/2 > 0, 1/2 < 1, a < 1/2"),
        ("x^2 is least at x = a for x > 0, a > -1", (), "a > 0 for a > -1"),  # there may be no x for such a value of a
        ("x^2 is increasing in x for x > 0, a > -1", (), "a > 0 for a > -1"),
        (HIGHEST, ("6",), "1 >= 0 and 2*(5 - 2) <= 1*(5 - 1) for 2 >= 0"),
        ("n*(5 - n) is least at n = 1 for whole n >= 0", ("2",), "1 >= 0 and 2*(5 - 2) <= 1*(5 - 1) for 2 >= 0"),
        ("n*(5 - n) is largest at n = 1 for n in {1, 3}", ("2",), "2*(5 - 2) <= 1*(5 - 1)"),
        ("x^2 is largest at x = x - 1 for x > 0", ("2",), "2^2 <= (x - 1)^2 for 2 > 0"),
        ("n^2 is largest at n = 3 for n in 1..3", ("7",), "7^2 <= 3^2 for n in 1..3"),
        ("x^2 is increasing in x for x > 0", ("2", "1"), "2^2 < 1^2 for 2 > 0, 1 > 0"),  # of the lesser place first
        ("x^2 is increasing in x for x > 0", ("1", "1"), "1^2 < 1^2 for 1 > 0, 1 > 0"),
    ],
)
def test_other_places_do_not(text, at, premise):
    with pytest.raises(Refused):
        places(text, at, premise)


@pytest.mark.parametrize("text", [
    "a*x is increasing in x for some a in 1..2 for x > 0", "a*x is increasing in x as a -> oo for x > 0",
    "x^2 < 4 for x > 0",
])  # fmt: skip
def test_places_of_another_form_are_refused(text):
    with pytest.raises(ValueError):
        compared_at(read_statement(text), [Fraction(1), Fraction(2)])


def test_a_comparison_that_holds_refutes_nothing():
    with pytest.raises(Refused):
        apply("places", [proved("1^2 < 2^2 for 1 > 0, 2 > 0")], statement="x^2 is increasing in x for x > 0", at=["1", "2"])


@pytest.mark.parametrize("text", [
    "log(x)/x is increasing in x for x > 0", "x/(1 + x) is decreasing in x for x > 0", "x^2 is increasing in x for real x",
    "n^2 - 3*n is increasing in n for whole n >= 1", "a*x is increasing in x for x > 0, a >= 0",
    "log(n)/n is largest at n = 2 for whole n >= 1", "x*(1 - x) is largest at x = 1/3 for 0 < x < 1",
    "x*(1 - x) is largest at x = 1/2 + 10^(-60) for 0 < x < 1", "x - log(x) is least at x = 1 - 10^(-60) for x > 0",
    "x^2 is least at x = 0 for 1 < x < 2", "x^2 is least at x = a for x > b, b > a, a > 0",
])  # fmt: skip
def test_what_fails_is_refuted(text):
    assert cited(theorem(read_statement(text), False).trusts)


@pytest.mark.parametrize("text", [
    "log(x)/x is decreasing in x for x >= 3", "n^2 - 3*n is nondecreasing in n for whole n >= 1",
    "log(n)/n is largest at n = 3 for whole n >= 1", "x*(1 - x) is largest at x = 1/2 for 0 < x < 1",
    "x is least at x = a for a <= x < b", "x is least at x = a for a <= x, x < 1, real a",  # where there is no x nothing is said
    "1 is nondecreasing in x for x > 0", "floor(x) is nondecreasing in x for x > 0",
])  # fmt: skip
def test_what_holds_is_not_refuted(text):
    with pytest.raises(Refused):
        theorem(read_statement(text), False)
