"""Conditionals and contrapositives: the rules from their premises, each condition of them, and what the searches find."""

from __future__ import annotations

import pytest

from asymp.check.ask import ask
from asymp.claim import Outcome, Strength
from asymp.kernel.sequences.conditional import turned as premises_of
from asymp.kernel.sequences.conditional import ways
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import apply, certificate, proves, replay
from asymp.kernel.trust import cited
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem


def made(text, holds=True):
    return theorem(read_statement(text), holds)


def conditional(text, *premises, holds=True):
    turned = [None] * (1 + (" iff " in text)) if holds else []
    return apply("conditional", [made(one, holds) for one in premises], statement=text, turned=turned)


IFF = "x^2 > 1 iff x > 1 for x > 0"


def test_both_ways_make_an_iff():
    assert conditional("2*x > 2 iff x > 1 for real x", "2*x > 2 for x > 1, real x", "x > 1 for 2*x > 2, real x").holds
    assert conditional("x > 1 if 2*x > 2 for real x", "x > 1 for 2*x > 2, real x").holds
    given = apply("sums", statement="x + y > 3 for x > 1, y > 2", by=[])
    assert apply("conditional", [given], statement="x + y > 3 if y > 2 for x > 1", turned=[None]).holds
    for turned in ([], [None, None], [[]], [[0]], [["1", ["<="]]]):
        with pytest.raises(Refused):
            apply("conditional", [given], statement="x + y > 3 if y > 2 for x > 1", turned=turned)


@pytest.mark.parametrize(
    ("text", "premises"),
    [
        ("x > 1 iff 2*x > 2 for real x", ["x > 1 for 2*x > 2, real x"]),  # one way
        ("x > 1 iff 2*x > 2 for real x", ["x > 1 for 2*x > 2, real x"] * 2),
        ("x > 1 iff 2*x > 2 for real x", ["2*x > 2 for x > 1, real x", "x > 1 for 2*x > 2, real x"]),  # in the other order
        ("2*x > 2 if x > 1 for real x", ["x > 1 for 2*x > 2, real x"]),  # the converse
        ("x > 1 if 2*x > 2 for real x", ["x > 1 for 2*x > 2, x > 0"]),  # of less
        ("x > 1 if 2*x >= 2 for real x", ["x > 1 for 2*x > 2, real x"]),
        ("x > 1 for real x", ["x > 1 for 2*x > 2, real x"]),
        ("x > 1 if 2*x > 2 for some x in 1..3", ["x > 1 for 2*x > 2, real x"]),
    ],
)
def test_other_premises_do_not(text, premises):
    with pytest.raises(Refused):
        conditional(text, *premises)


def test_one_way_that_fails_refutes_and_one_that_holds_does_not():
    assert not conditional("x > 1 iff x^2 > 1 for real x", "x > 1 for x^2 > 1, real x", holds=False).holds
    with pytest.raises(Refused):
        conditional("x^2 > 1 if x > 1 for real x", "x > 1 for x^2 > 1, real x", holds=False)  # the converse fails
    with pytest.raises(Refused):
        apply("conditional", [made("x^2 > 1 for x > 1, real x"), made("x > 1 for x^2 > 1, real x", False)],
              statement="x^2 > 1 iff x > 1 for real x")  # fmt: skip


@pytest.mark.parametrize("text", [
    "x > k if 2*x > 2 for some k in 1..3 for real x", "x > 1 if x rounds to 2.00 for real x", "x > 1 for real x",
    "x > 1 if 2*x > 2 and x rounds to 2.00 for real x", "x > 1 iff n*x > n as n -> oo for real x",
])  # fmt: skip
def test_another_form_is_refused(text):
    with pytest.raises(ValueError):
        ways(read_statement(text))


def turned(text, of, signs, *premises, holds=True):
    """A for all of D where B, the last condition, as A if B for all of D."""
    said, _, where = text.partition(" for ")
    domain, given = where.rsplit(", ", 1)
    text = f"{said} if {given} for {domain}"
    return apply("conditional", [made(one, holds) for one in premises], statement=text, turned=[[of, list(signs)]])


def test_the_contrapositive():
    assert turned("x > 1 for x > 0, x^2 > 1", 1, ["<="], "x^2 <= 1 for x > 0, x <= 1").holds
    assert turned("x = 2 for x > 0, x^2 = 4", 1, "<>", "x^2 < 4 for x > 0, x < 2", "x^2 > 4 for x > 0, x > 2").holds
    assert turned("x <= 2 for x > 0, x^2 = 4", 1, ">", "x^2 > 4 for x > 0, x > 2").holds


@pytest.mark.parametrize(
    ("text", "of", "signs", "premises"),
    [
        ("x > 1 for x > 0, x^2 >= 1", 1, ["<="], ["x^2 <= 1 for x > 0, x <= 1"]),  # false at 1
        ("x > 1 for x > 0, x^2 > 1", 1, ["<"], ["x^2 < 1 for x > 0, x < 1"]),  # of less than where it fails
        ("x = 2 for x > 0, x^2 <= 4", 1, "<>", ["x^2 < 4 for x > 0, x < 2", "x^2 > 4 for x > 0, x > 2"]),  # not excluded
        ("x = 2 for x > 0, x^2 = 4", 1, ">", ["x^2 > 4 for x > 0, x > 2"]),  # one of two ways to fail
        ("x = 2 for x > 0, x^2 = 4", 1, ">>", ["x^2 > 4 for x > 0, x > 2"] * 2),
        ("x > 1 for x > 0, x^2 > 1", 0, ["<="], ["x^2 <= 1 for x > 0, x <= 1"]),
        ("x > 1 for x > 0, x^2 > 1", True, ["<="], ["x^2 <= 1 for x > 0, x <= 1"]),
        ("x > 1 for x > 0, x^2 > 1", 2, ["<="], ["x^2 <= 1 for x > 0, x <= 1"]),
        ("x > 1 for real x, x^2 > 1", 1, ["<="], ["x^2 <= 1 for x > 0, x <= 1"]),  # false at -2
        ("x > 1 for x > 0, 9 > x^2 > 1", 1, ["<="], ["x^2 <= 1 for x > 0, x <= 1"]),
    ],
)
def test_others_are_not(text, of, signs, premises):
    with pytest.raises(Refused):
        turned(text, of, signs, *premises)


def test_a_premise_of_the_contrapositive_has_to_hold():
    with pytest.raises(Refused):
        turned("x > 1 for x > 0, x^2 > 1/2", 1, ["<="], "x^2 <= 1/2 for x > 0, x <= 1", holds=False)


@pytest.mark.parametrize("text", [
    "1/x < 1 iff x > 1 for real x", "x > 1 if 1/x > 5 for real x", "x > y iff 1/x < 1/y for x > 0, real y", "1/x < 1 iff x > 1 for x >= 0",
])  # fmt: skip
def test_what_is_given_is_defined_all_over_the_domain(text):
    verdict = ask(text)
    assert verdict.outcome is Outcome.UNDECIDED and verdict.reason.startswith("no meaning")
    for holds in (True, False):
        with pytest.raises(Refused):
            made(text, holds)


def test_a_way_is_turned_by_what_is_given_alone():
    """Not by a condition of the domain, which then may have no point."""
    given = made("x <= 3 for x <= 5, x < 2, x > 1")
    with pytest.raises(Refused, match="a condition of the domain"):
        apply("conditional", [given], statement="x > 5 if x > 1 for x > 3, x < 2", turned=[[0, ["<="]]])


def test_nothing_is_a_theorem_about_nothing():
    """A way with no points is shown inside of the conditional, and nowhere else."""
    with pytest.raises(Refused):
        made("1 < 0 for x < 0, x^2 < 0")
    found = made("1 < 0 if x^2 < 0 for x < 0")
    assert found.holds and all(step["rule"] != "contrapositive" for step in certificate(found))


def test_where_it_is_undefined_it_does_not_fail_and_does_not_hold():
    """sqrt(x) < 0 is nowhere, so of it all can be said; but sqrt(x) >= 0 does not hold at x = -1/2."""
    with pytest.raises(Refused, match="may not be positive"):
        premises_of(read_statement("sqrt(x) >= 0 for real x, x >= -1"), 1, ["<"])
    assert premises_of(read_statement("sqrt(x) >= 0 for x > 0, x >= 1/2"), 1, ["<"])
    for text in ("sqrt(x) >= 0 if x >= -1 for real x", "x > 1 iff log(x) > 0 for real x", "x >= 1 if log(x) >= 0 for real x"):
        with pytest.raises(Refused):
            made(text)
    given = made("1 > 0 for 1/x > 0, x > -1")
    with pytest.raises(Refused):  # at x = 0 nothing is given, and nothing is not
        apply("conditional", [given], statement="1 > 0 if 1/x > 0 for x > -1", turned=[None])
    there = made("1 > 0 for 1/x > 0, x > 1")
    assert apply("conditional", [there], statement="1 > 0 if 1/x > 0 for x > 1", turned=[None]).holds


@pytest.mark.parametrize("text", [
    "2*x > 2 iff x > 1 for real x", IFF, "log(x) > 0 iff x > 1 for x > 0", "x^2 = 4 iff x = 2 for x > 0",
    "rho < 1 iff lambda < mu for rho = lambda/mu, lambda > 0, mu > 0", "x > 2 if x^3 > 8 for x > 0",
    "exp(x) > 1 iff x > 0 for real x", "n >= 3 iff 2*n > 5 for whole n", "1/x < 1 iff x > 1 for x > 0",
])  # fmt: skip
def test_it_is_found(text):
    found = made(text)
    assert cited(found.trusts) and proves(replay(certificate(found)), read_statement(text))
    assert ask(text).strength is Strength.PROVED


@pytest.mark.parametrize("text", [
    "x > 1 iff x^2 > 1 for real x", "x^2 = 4 iff x = 2 for real x", "x >= 1 iff x > 1 for x > 0",
    "x > 1 iff x > 1 + 10^(-200) for x > 0", "x >= 3 iff 2*x >= 6 - 10^(-200) for x > 0", "n >= 3 iff 2*n > 6 for whole n",
])  # fmt: skip
def test_what_fails_is_refuted(text):
    with pytest.raises(Refused):
        made(text)
    assert (verdict := ask(text)).outcome is not Outcome.HOLDS and verdict.strength is Strength.PROVED
