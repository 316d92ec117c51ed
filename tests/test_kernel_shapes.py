"""Shapes in a whole variable by consecutive values: the rule, each of its conditions, and what the search finds."""

from __future__ import annotations

import pytest

from asymp.kernel.sequences.shapes import needed
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import apply
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
    assert proved(text).trusts == frozenset()


@pytest.mark.parametrize("text", [
    "n^2 - 3*n is increasing in n for whole n >= 1", "(1 - 1/n)^n is decreasing in n for whole n >= 1",
    "(-1)^n/n is decreasing in n for whole n >= 1", "n^2 - 4*n is increasing in n for n >= 1",
])  # fmt: skip
def test_what_does_not_is_not(text):
    with pytest.raises(Refused):
        proved(text)
