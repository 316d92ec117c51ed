"""A conditional is tried where it turns, and is not upheld by points at which what it speaks of is never the case."""

import pytest

from asymp.check import finite
from asymp.check.turns import turns
from asymp.parse import parse_statement

SAID = {
    "x^2 = 2 iff x = sqrt(2) for real x": ("refuted", "x = -sqrt(2)"),
    "x^2 = 4 iff x = 2 for real x": ("refuted", "x = -2"),
    "x^2 >= 2 iff x >= sqrt(2) for real x": ("refuted", "x = -"),
    "x^2 > 2 iff x >= sqrt(2) for x > 0": ("refuted", "x = sqrt(2)"),
    "x = 1 if x^2 = 2 for real x": ("refuted", "sqrt(2)"),
    "(x - 1)^2 = 2 iff x = 1 + sqrt(2) for real x": ("refuted", "x = 1 - sqrt(2)"),
    "x^2 = 2*a iff x = sqrt(2*a) for real x, a > 0": ("refuted", "a = "),
    "sin(x) = 0 iff x = pi for real x": ("refuted", "x = "),
    "x^2 = 2 iff x = sqrt(2) for x > 0": ("holds", "x = sqrt(2)"),
    "x^2 = 2 iff x = sqrt(2) for real x, x > -1": ("holds", "x = sqrt(2)"),  # the other root is outside
    "(x - 1)^2 = 2 iff x = 1 + sqrt(2) for x > 0": ("holds", "x = 1 + sqrt(2)"),
    "x^3 = 2 iff x = 2^(1/3) for real x": ("holds", "x = 2^(1/3)"),
    "sin(x) = 0 if x = pi for real x": ("holds", "x = pi"),
    "x^2 < 2 if x < sqrt(2) for x > 0": ("holds", "equal, exactly"),
    "x > 0 if x^2 > 2 for x > -3/2": ("refuted", "x = -"),  # between -3/2 and -sqrt(2)
    "x < 1/10^9 if x*(x - 1/10^9)*(x - 2/10^9) < 0 for x > 0": ("refuted", "x = "),
    "x > 5/4 if x^2 > 2 for x > 0": ("holds", "equal, exactly"),
    "sin(x) = 0 iff x = 0 for -4 < x < 4": ("undecided", "not all solutions of sin(x) = 0"),
    "log(x)^2 = 1 iff x = E for x > 0": ("undecided", "not all solutions"),
    "x = 0 if x*(x - sqrt(3)) = 0 for real x": ("undecided", "not all solutions"),
    "x = 3 if exp(x) = 2 for real x": ("undecided", "what is given true"),
    "x > 7 if x^5 + x = 3 for real x": ("undecided", "what is given true"),
}


@pytest.mark.parametrize("said", SAID)
def test_a_conditional_is_tried_where_it_turns(said):
    outcome, words = SAID[said]
    found = finite.identity(parse_statement(said))[-1]
    assert str(found.outcome) == outcome and words in found.detail


@pytest.mark.parametrize("said", ["x^(10^12) = 2 iff x = 1 for real x", "x = y iff x^2 = y^2 for whole x >= 1, whole y >= 1",
                                  "x < 2 iff Sum(1/k, (k, 1, n)) < x for whole n >= 1, real x"])  # fmt: skip
def test_what_is_too_large_or_whole_or_costly_has_no_turns_that_are_looked_for(said):
    assert all("sqrt" not in str(at) for at, _, _ in turns(parse_statement(said)))
