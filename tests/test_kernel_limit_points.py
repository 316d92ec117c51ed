"""Limits from one side and at -oo: theorems by what tends to infinity, and what the rule refuses."""

from __future__ import annotations

import pytest

from asymp.check.ask import ask
from asymp.kernel.growths.limit_points import at_infinity, is_true_near
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import apply
from asymp.language.conditions import read_conditions
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem


@pytest.mark.parametrize(
    ("statement", "to", "outcome"),
    [
        ("1/(1 - x) -> oo", "x -> 1-", "holds"),
        ("1/(1 - x) -> oo", "x -> 1+", "refuted"),
        ("log(x)/(x - 1) -> 1", "x -> 1+", "holds"),
        ("log(x)/(x - 1) -> 1 + 10^(-200)", "x -> 1+", "refuted"),
        ("exp(x) -> 0", "x -> -oo", "holds"),
        ("exp(x) = O(x^(-100))", "x -> -oo", "holds"),
        ("atan(x) -> -pi/2", "x -> -oo", "holds"),
        ("polylog(2, x) -> pi^2/6", "x -> 1-", "holds"),
        ("sqrt(1 - x) = O(1 - x)", "x -> 1-", "refuted"),
        ("exp(1/x) -> 0", "x -> 0-", "holds"),
        ("exp(1/x) -> 0", "x -> 0+", "refuted"),
        ("n*x -> oo", "n -> oo, x -> 2-", "holds"),
        ("(r^2 - 1)/(r - 1) -> 2", "r -> 1-", "holds"),
        ("x - x^2 = O((1 - x)^2)", "x -> 1-", "refuted"),
        ("(x^2 - a^2)/(x - a) -> 2*a", "x -> 3+, a = 3", "holds"),
    ],
)
def test_limits_from_one_side_are_theorems(statement, to, outcome):
    verdict = ask(statement, to=to)
    assert (str(verdict.outcome), str(verdict.strength)) == (outcome, "proved"), verdict.reason or verdict.no_theorem


def test_what_holds_near_the_limit_point_takes_no_path_away():
    for where in ("x < 1", "0 < x < 1", "x <= 1", "real x", "-5 <= x <= 1"):
        assert theorem(read_statement(f"x^2 -> 1 as x -> 1- for {where}"), True).holds
    for where in ("x > 1", "x < 1/2", "x = 1", "whole x", "0 < x < x"):
        with pytest.raises(Refused):
            theorem(read_statement(f"x^2 -> 1 as x -> 1- for {where}"), True)


@pytest.mark.parametrize(
    ("limit", "condition", "true"),
    [
        ("x -> 1+", "x > 1", True), ("x -> 1+", "x >= 1", True), ("x -> 1+", "x < 1", False), ("x -> 1+", "x < 2", True),
        ("x -> 1+", "x <= 1", False), ("x -> 1-", "x >= 1", False), ("x -> 1-", "x > 1", False), ("x -> 1-", "x > 999/1000", True),
        ("x -> -oo", "x < -10^9", True), ("x -> -oo", "x > -10^9", False), ("x -> -oo", "x <= y", False), ("x -> 1-", "1 < x < 2", False),
        ("x -> 1-", "2 > x > 0", True), ("x -> 1-", "x != 1", False), ("x -> 1-", "1 < 0 < x", False), ("x -> a-", "x < 1", False),
    ],
)  # fmt: skip
def test_what_is_true_near_a_limit_point(limit, condition, true):
    try:
        (one,) = read_conditions(condition)
    except ValueError:
        return
    assert is_true_near(one, read_conditions(limit)[0]) is true


@pytest.mark.parametrize(
    ("text", "x", "v"),
    [
        ("x -> 1 as x -> 1-", "y", "v"),  # no variable of the statement
        ("x + v -> 1 as x -> 1- for v > 0", "x", "v"),  # a name that is taken
        ("1/x -> 0 as x -> oo", "x", "v"),
        ("x -> 0 as x -> 0+", "x", "v"),  # what is there already
        ("x -> 1 as whole x -> 1-", "x", "v"),
        ("x - y -> 0 as y -> oo, x -> 1-, x -> 2-", "x", "v"),
    ],
)
def test_what_is_no_limit_point_is_refused(text, x, v):
    with pytest.raises(Refused):
        at_infinity(read_statement(text), x, v)


def test_the_premise_is_the_statement_and_nothing_else():
    statement = "x^2 -> 1 as x -> 1-"
    right = theorem(read_statement("(1 - 1/v)^2 -> 1 as v -> oo"), True)
    assert apply("limit point", [right], statement=statement, variable="x", runner="v").holds
    for other in ("(1 + 1/v)^2 -> 1 as v -> oo", "(1 - 1/v)^2 -> 1 as whole v -> oo"):
        premise = theorem(read_statement(other), True)
        with pytest.raises(Refused):
            apply("limit point", [premise], statement=statement, variable="x", runner="v")
    with pytest.raises(Refused):
        apply("limit point", [], statement=statement, variable="x", runner="v")
    fails = theorem(read_statement("(1 - 1/v)^2 -> 2 as v -> oo"), False)
    assert not apply("limit point", [fails], statement="x^2 -> 2 as x -> 1-", variable="x", runner="v").holds


@pytest.mark.parametrize("where", ["x in {1/2, 1/3}", "x in 0..1", "(x, y) in {(1/2, 1)}", "whole x"])
def test_a_list_of_values_of_what_tends_is_no_domain_near_its_limit(where):
    with pytest.raises(Refused):
        at_infinity(read_statement(f"x -> 5 as x -> 1- for {where}"), "x", "v")
