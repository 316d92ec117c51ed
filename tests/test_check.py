"""The judge: evidence to verdict, and that numbers alone never decide what they cannot."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp

from asymp import registry
from asymp.check.ask import ask
from asymp.check.judge import check, judge
from asymp.check.measure import LADDER, RUNGS, rungs
from asymp.claim import Claim, Evidence, Finding, Outcome, Property, Source, Strength
from asymp.parse import claim

n = sp.Symbol("n", positive=True)


def said(statement, to="n->oo"):
    return claim("test/claim", statement, to=to, source="test, Lemma 1")


def line(outcome, strength, kind="symbolic", detail="", finding=None):
    return Evidence(kind, Outcome(outcome), Strength(strength), detail, finding=finding)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([], ("undecided", "none")),
        ([line("holds", "proved"), line("holds", "supported", "enclosed")], ("holds", "proved")),
        ([line("holds", "supported", "enclosed"), line("refuted", "certified", "enclosed")], ("refuted", "certified")),
        ([line("holds", "proved"), line("refuted", "supported", "sampled")], ("undecided", "none")),
        ([line("holds", "proved"), line("refuted", "certified", "enclosed")], ("undecided", "none")),
        ([line("holds", "supported", "enclosed"), line("refuted", "supported", "sampled")], ("undecided", "none")),
        (
            [line("holds", "proved"), line("undecided", "none", "enclosed", "misfit", Finding.CONTRADICTED)],
            ("undecided", "none"),
        ),
        ([line("undecided", "none"), line("holds", "supported", "enclosed")], ("holds", "supported")),
        ([line("holds", "proved"), line("undecided", "none", "enclosed", "nothing measured")], ("holds", "supported")),
    ],
)
def test_evidence_is_combined_soundly(lines, expected):
    outcome, strength, reason = judge(lines)
    assert (outcome, strength) == expected
    assert bool(reason) == (outcome == "undecided")


@pytest.mark.parametrize(
    ("statement", "outcome"),
    [
        ("harmonic(n) ~ log(n)", "holds"),
        ("harmonic(n) ~ 2*log(n)", "refuted"),
        ("harmonic(n) = log(n) + o(1)", "refuted"),
        ("harmonic(n) = log(n) + EulerGamma + O(1/n)", "holds"),
        ("harmonic(n) = log(n) + EulerGamma + O(n^(-2))", "refuted"),
        ("n*log(1 + 1/n) -> 1", "holds"),
        ("n*log(1 + 1/n) -> oo", "refuted"),
        ("n^2*log(n) = O(n^2)", "refuted"),
        ("log(n)^5 = o(n^(1/100))", "holds"),
        ("n = omega(log(n))", "holds"),
        ("n = Omega(n*log(n))", "refuted"),
        ("3*n + log(n) = Theta(n)", "holds"),
    ],
)
def test_asymptotic_relations_are_derived(statement, outcome):
    verdict = check(said(statement))
    assert verdict.outcome == outcome and verdict.strength == Strength.PROVED
    assert verdict.steps


@pytest.mark.parametrize(
    "statement",
    [
        "gamma(n) = O(1)",
        "1 = O(sin(n))",
        "sin(n) = o(1)",
        "n*log(log(n)) + loggamma(n)/n = O(n/log(n))",
        "gamma(n) ~ gamma(n + 1)",
        "sqrt(-n) = o(1)",
    ],
)
def test_what_is_false_and_not_derivable_is_not_upheld(statement):
    assert check(said(statement)).outcome != Outcome.HOLDS


def test_a_statement_for_all_parameters_fails_at_one():
    for statement in ("n^alpha = o(n^2)", "n^alpha = o(n^5)"):  # at alpha = 2, and at 5
        verdict = ask(statement, to="n->oo", assume=["alpha > 1"])
        assert (verdict.outcome, verdict.strength) == ("refuted", "proved")


def test_a_coefficient_that_may_vanish_is_a_side_condition():
    """(r - 1) n + 1 ~ (r - 1) n holds for r > 1, and fails at r = 1."""
    found = {low: ask("(r-1)*n + 1 ~ (r-1)*n", to="n->oo", assume=[f"r > {low}"]) for low in (0, 1)}
    assert {low: (one.outcome, one.strength) for low, one in found.items()} == {0: ("refuted", "proved"), 1: ("holds", "proved")}


def test_an_error_inside_a_claim_is_its_own_reason():
    def broken():
        raise ZeroDivisionError("by zero")

    verdict = check(Claim("test/claim", Source("test", "Lemma 1"), Property(broken), "..."))
    assert verdict.outcome == Outcome.UNDECIDED and "ZeroDivisionError" in verdict.reason


def test_a_contradiction_by_a_sample_is_reported():
    found = [Evidence("sampled", Outcome.REFUTED, Strength.SUPPORTED, "sample says no")]
    verdict = check(replace(said("harmonic(n) ~ log(n)"), sampled=lambda: found))
    assert verdict.outcome == Outcome.UNDECIDED and "contradict" in verdict.reason


@pytest.mark.parametrize("text", ["1 < sqrt(2) < 1.4", "x <= x + 1 and x >= x^2 for 0 <= x <= 2"])
def test_a_part_that_holds_does_not_contradict_one_that_is_refuted(text):
    verdict = ask(text)
    assert {line.outcome for line in verdict.evidence} == {Outcome.HOLDS, Outcome.REFUTED}
    assert (verdict.outcome, verdict.strength, verdict.no_theorem) == (Outcome.REFUTED, Strength.PROVED, "")


# --- where numbers are taken --------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["lfms/equation-11", "lfms/equation-13-negligible"])
def test_what_is_seen_far_out_is_not_contradicted_by_small_n(name):
    """n e^(-n p) beside its remainder: on one path only is it large enough to be seen at 10^20; below n = 30 the ratio rises."""
    assert check(registry.find_claim(name), quick=True).outcome is Outcome.HOLDS


def test_sizes_are_taken_where_what_is_measured_can_be_resolved():
    main, rest = sp.exp(-(n**2)), sp.exp(-(n**2)) / n**2
    found = rungs(main, rest, lambda size: {"n": sp.Integer(size)}, LADDER, 4000)
    assert len(found) == RUNGS and max(found) ** 2 < 0.6 * 4000
