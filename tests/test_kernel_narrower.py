"""Statements of a wider regime for a narrower one, and what keeps a path of the one from being a path of the other."""

from __future__ import annotations

import pytest
from witnessed import witnessed

from asymp.kernel.terms import Refused
from asymp.kernel.theorem import apply
from asymp.language.statement import read_statement
from asymp.parse import ParseError, parse_statement
from asymp.prove import asymptotic
from asymp.prove.claims import theorem

SPARSE = "whole n -> oo, p -> 0+, n*p -> 0"
EDGE = "whole n -> oo, p -> 0+, n*p*log(n) -> k"


def known(text):
    return asymptotic.holds(read_statement(text))


def narrower(premise, statement):
    return witnessed("narrower", [premise], statement=statement)


def refused(premise, statement, match=None):
    with pytest.raises(Refused, match=match):
        narrower(known(premise) if isinstance(premise, str) else premise, statement)


@pytest.mark.parametrize(
    ("premise", "statement"),
    [
        (SPARSE, f"{EDGE} for k > 0"),
        (SPARSE, "whole n -> oo, p -> 0+, n*p*log(n) -> 2"),
        (SPARSE, f"{SPARSE}, n*p*log(n) -> 0"),
        ("n -> oo, p -> 0+, n*p -> 0", "whole n -> oo, p -> 0+, n*p -> 0 for k > 0"),
    ],
)
def test_a_path_of_the_narrower_regime_is_one_of_the_wider(premise, statement):
    found = narrower(known(f"1/(n*p) + log(n) ~ 1/(n*p) + log(n) + 1 as {premise}"), f"1/(n*p) + log(n) ~ 1/(n*p) + log(n) + 1 as {statement}")
    assert found.holds


def test_the_searcher_goes_by_the_wider_regime():
    text = "1/(p*(1/(n*p) + log(n) + 1)) ~ n/(1 + n*p*log(n)) as {} for k > 0"
    assert theorem(read_statement(text.format(EDGE)), True).holds
    assert theorem(read_statement(text.format(EDGE).replace("k > 0", "k >= 0")), True).holds  # n*p -> 0 there, too
    for old, new in (("~ n", "~ (1 + 10^(-200))*n"), ("1 + n", "1 - n"), ("log(n))", "log(n)^2)")):
        assert old in text.format(EDGE)
        with pytest.raises(Refused):
            theorem(read_statement(text.format(EDGE).replace(old, new)), True)


@pytest.mark.parametrize(
    "regime",
    [
        f"{EDGE} for k >= 0", EDGE, f"{EDGE} for k < 0", "whole n -> oo, p -> 0+, n*p/log(n) -> k for k > 0", "whole n -> oo, p -> 0+, n*p -> k for k > 0",
        "whole n -> oo, p -> 0+, n*p*log(n) -> oo", "whole n -> oo, p -> 0+, n*p*log(n)^(1/2)*log(n)^(-1/2) -> k for k > 0",
        "whole n -> oo, p -> 0+, n*p*log(n) -> n", "whole n -> oo, p -> 0+, n*p*log(n) -> 1 - 1", "whole n -> oo, p -> 0+", "whole n -> oo, n*p*log(n) -> 2",
        "whole n -> oo, p -> 0+, -n*p*log(n) -> 2", "whole n -> oo, p -> 0+, c*n*p*log(n) -> 2", "whole n -> oo, p -> 0+, n*p*log(1/p) -> 2",
    ],
)  # fmt: skip
def test_a_condition_that_does_not_follow(regime):
    refused(f"1/(n*p) -> oo as {SPARSE}", f"1/(n*p) -> oo as {regime}")


def test_what_was_a_parameter_may_not_move():
    """x/n tends to 0 for each x, and not along x = n."""
    refused("x/n -> 0 as whole n -> oo", "x/n -> 0 as whole n -> oo, x -> oo", "moves")
    refused("x/n -> 0 as whole n -> oo", "x/n -> 0 as whole n -> oo, x = 2*n", "moves")
    refused("n + x -> oo as whole n -> oo", "n + x -> oo as whole n -> oo, n*p -> x, p -> 0+ for x > 0, p < 1/2, x -> 1", None)


def test_other_statements_and_domains():
    premise = known("n^a -> oo as whole n -> oo for a > 1")
    refused(premise, "n^a -> oo as whole n -> oo for a > 0", "narrower domain")
    refused(premise, "n^a -> oo as whole n -> oo", "narrower domain")
    refused(premise, "n^(a + 1) -> oo as whole n -> oo for a > 1", "something else")
    refused(premise, "n^a -> oo as n -> oo for a > 1")
    refused(premise, "n^a -> oo uniformly in 1 <= i <= n as whole n -> oo for a > 1")
    refused(premise, "n^a -> oo for a > 1")
    assert narrower(premise, "n^a -> oo as whole n -> oo for a > 1, a < 3").holds
    fails = apply("path", statement="n -> 0 as whole n -> oo", order=2, runner="s_", values={"n": "s_"})
    refused(fails, "n -> 0 as whole n -> oo")
    for premises, data in (([], {}), ([premise, premise], {}), ([premise], {"more": 1})):
        with pytest.raises(Refused):
            witnessed("narrower", premises, statement="n^a -> oo as whole n -> oo for a > 1", **data)


@pytest.mark.parametrize(
    "domain", ["whole q, 0 < q < 1", "whole q, 1 <= q < 1", "whole q, 3/2 < q < 2", "whole q, -1/2 <= q < 0", "0 < q, q < 0"]
)
def test_a_parameter_without_values_makes_no_theorem(domain):
    """Such a statement is about nothing; a value more, and it is one."""
    with pytest.raises(Refused, match="no path is seen"):
        known(f"n + q ~ n as n -> oo for {domain}")


@pytest.mark.parametrize("domain", ["0 < q < k, 0 < k < 2", "0 < q < k, k < 3, q > 1", "q = k + 1, 0 < k, q < 2", "0 < q, 0 < k, 2*q = 2*k + 1"])
def test_parameters_whose_conditions_exclude_each_other_make_no_theorem(domain):
    with pytest.raises(Refused, match="no path is seen"):
        known(f"n + q + k ~ n as n -> oo for whole q, whole k, {domain}")
    with pytest.raises(ParseError):
        parse_statement(f"n + q + k ~ n as n -> oo for whole q, whole k, {domain}")


def test_parameters_whose_conditions_leave_one_point_may_make_one():
    assert known("n + q + k ~ n as n -> oo for whole q, whole k, 0 < q < k, 0 < k < 3").holds


@pytest.mark.parametrize("domain", ["whole q, 0 < q < 2", "whole q, 1/2 < q <= 1", "whole q, -1/2 <= q <= 0", "0 < q < 1"])
def test_a_parameter_with_a_value_may_make_one(domain):
    assert known(f"n + q ~ n as n -> oo for {domain}").holds
