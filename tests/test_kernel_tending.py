"""Regimes in which a monomial tends to a number: what is true is a theorem, what is false by little is none."""

from __future__ import annotations

import pytest

from asymp.check.ask import ask
from asymp.kernel.growths.regime import placed
from asymp.kernel.terms import Refused
from asymp.language.statement import read_statement

TO = "n -> oo, p -> 0+, n*p -> c"
TRUE = [
    "(1 - p)^n -> exp(-c)", "(1 + p)^n -> exp(c)", "p ~ c/n", "p = O(1/n)", "1/p = Theta(n)", "n*p = c + o(1)", "n*p - c -> 0",
    "1/(n*p) -> 1/c", "log(n*p) -> log(c)", "n^2*p^2 -> c^2", "(1 - p)^(2*n) ~ exp(-2*c)", "n*p^2 = O(p)", "n*p^2 -> 0",
]  # fmt: skip
FALSE = [
    "(1 - p)^n -> exp(-c)*(1 + 10^(-200))", "p ~ (1 + 10^(-200))*c/n", "p = o(1/n)", "n*p = c + O(1/n)", "n*p = c + O(1/log(n))",
    "p = c/n + O(1/n^2)", "(1 - p)^n = exp(-c) + O(p)", "(n*p - c)*log(n) -> 0", "n*(n*p - c) -> 0", "n*p = c + O(p)",
    "n*p - c = Theta(1/n)", "p = c/n", "1/(n*p - c) -> oo",
]  # fmt: skip


@pytest.mark.parametrize("statement", TRUE)
def test_what_holds_for_every_distance_from_the_limit_is_a_theorem(statement: str) -> None:
    found = ask(statement, to=TO, assume="c > 0")
    assert (found.outcome, found.strength) == ("holds", "proved"), found.reason


@pytest.mark.parametrize("statement", FALSE)
def test_what_hangs_on_the_distance_is_none(statement: str) -> None:
    try:
        assert ask(statement, to=TO, assume="c > 0").outcome != "holds"
    except ValueError:
        assert statement == "p = c/n"  # a tie, and no statement about a limit


@pytest.mark.parametrize(("near", "value"), [
    ("n*p^2", "(c + e)/n"),  # of which nothing is said
    ("n^2*p", "(c + e)/n"),  # which tends to infinity
    ("n*p", "(2*c + e)/n"),  # another limit
    ("n*p", "c/n"),  # exactly
    ("n*p", "(c + e + e^2)/n"),
])
def test_a_quantity_next_to_a_number_is_what_the_regime_says(near: str, value: str) -> None:
    statement = read_statement(f"p = O(1/n) as {TO}, n^2*p -> oo for c > 0")
    place = {"scales": {"s": "n"}, "values": {"n": "s", "p": value.replace("n", "s")}, "near": {"e": near}}
    with pytest.raises(Refused):
        placed(statement, place)
    placed(statement, {**place, "values": {"n": "s", "p": "(c + e)/s"}, "near": {"e": "n*p"}})
