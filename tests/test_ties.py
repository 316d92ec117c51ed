"""What a domain ties: p = 1/n says that 1/n has a value, and what is said of p is said of 1/n."""

import pytest

from asymp.check.ask import ask
from asymp.language.numbers import ParseError

MEANINGLESS = (
    # no value somewhere, whatever the body says, and wherever p stands or does not
    ("n >= 1 for whole n >= 0, p = 1/n", None, "1/n is not defined at n = 0"),
    ("n >= 0 for whole n >= 0, p = 1/n", None, "1/n is not defined at n = 0"),
    ("n*p = 1 for whole n >= 0, p = 1/n", None, "1/n is not defined at n = 0"),
    ("n >= 1 for n in 0..3, p = 1/n", None, "1/n is not defined at n = 0"),
    ("n >= 1 iff n >= 1/2 for n in 0..3, p = 1/n", None, "1/n is not defined at n = 0"),
    ("n >= 0 if n >= 1 for n in {0, 1}, p = 1/n", None, "1/n is not defined at n = 0"),
    ("n >= 0 and n >= 1 for whole n >= 0, p = 1/n", None, "1/n is not defined at n = 0"),
    ("0 <= n <= n + 1 for whole n >= 0, p = 1/n", None, "1/n is not defined at n = 0"),
    ("x > 0 for real x, p = log(x)", None, "log(x) is not defined"),
    ("x^2 is increasing in x for x > 0, p = 1/(x - 1)", None, "1/(x - 1) is not defined at x = 1"),
    ("x*(1 - x) is largest at x = 1/2 for 0 < x < 1, p = 1/(x - 1/2)", None, "1/(x - 1/2) is not defined"),
    ("n >= 0 for whole n >= 0, p = Sum(1/k, (k, 0, n))", None, "1/k is not defined at n = 0, k = 0"),
    ("n >= 0 for real n >= 0, p = Sum(k, (k, 1, n))", None, "need not be whole"),
    # on a domain that couples its variables, where a grid may miss the place
    ("x + y >= 0 for x > 0, y > 0, x*y < 1, p = 1/(x - 101/997*y)", None, "is needed"),
    # what is said of p must not hide it
    ("n >= 1 for whole n >= 0, p = 1/n, p < 1/2", None, "1/n is not defined at n = 0"),
    ("x < 1 for x > 0, p = 1/(x - 1), p < 0", None, "1/(x - 1) is not defined at x = 1"),
    ("n = 1 for whole n >= 1, p = 1/n, integer p", None, "p = 1/n is not whole at n = 2"),
    ("n >= 1 for whole n >= 1, p = n/2, whole p", None, "p = n/2 is not whole at n = 1"),
    ("n < 9 for n = 1/2, whole n", None, "no point is in the domain"),
    # in limits
    ("n ~ n + 1", "n -> oo", "1/(a - 1) is not defined at a = 1", "a > 0, p = 1/(a - 1)"),
    ("n ~ n + 1 as n -> oo for p = 1/0", None, "division by zero"),
    ("sin(pi*p) ~ pi*p as integer m -> oo, p = 1/m, integer p", None, "no path is seen"),
    ("m ~ p as integer m -> oo, p = m/2, integer p", None, "p = m/2 is not known to be whole"),
    # empty
    ("n > 0 for n = 1, n > 2", None, "no point is in the domain"),
    ("n < 9 for n = pi, n > 4", None, "no point is in the domain"),
    ("1 < 2 for 2 < 1", None, "no point is in the domain"),
    # ties of ties, and of what is given otherwise
    ("n >= 1 for whole n >= 0, p = 1/n, q = p", None, "tied to what is tied"),
    ("n >= 1 for whole n >= 1, p = 1/n, p = 2/n", None, "tied twice"),
    ("n >= 1 for whole n >= 1, p = f(n)", None, "unknown function"),
    ("i/n = O(1) uniformly in 1 <= i <= n, p = 1/i as n -> oo", None, "a uniform range is one chain"),
)  # fmt: skip


@pytest.mark.parametrize("case", MEANINGLESS, ids=[case[0] for case in MEANINGLESS])
def test_a_tie_without_a_value_has_no_meaning(case):
    text, to, why, *assume = case
    try:
        verdict = ask(text, to=to, assume=assume)
    except ParseError as refused:
        assert why in str(refused)
    else:
        assert verdict.outcome == "undecided" and why in verdict.reason


@pytest.mark.parametrize(("text", "outcome"), [
    ("n*p = 1 for whole n >= 1, p = 1/n", "holds"),
    ("n >= 1 for whole n >= 1, p = 1/n", "holds"),
    ("n >= 2 for whole n >= 1, p = 1/n", "refuted"),
    ("n >= 3 for whole n >= 1, p = 1/n, p < 1/2", "holds"),
    ("n >= 3 for whole n >= 1, p = 1/n, p <= 1/2", "refuted"),  # at n = 2
    ("p >= n for whole n >= 1, p = n^2, whole p", "holds"),
    ("p >= 0 for real x, real y, y > x, p = 1/(y - x)", "holds"),
    ("n <= 3 for n in {1, 2, 3}, p = log(n), p > 0", "holds"),
    ("n < 9 for n = pi, n > 3", "holds"),
    ("n + p ~ n as n -> oo for a in {1, 2}, p = 1/a", "holds"),
])
def test_a_tie_with_a_value_says_what_it_says(text, outcome):
    assert ask(text).outcome == outcome
