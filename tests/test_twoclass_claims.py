"""The claims of the twoclass paper: well formed, complete, and the model behind them against other routes.

All claims are run with those of the other papers, elsewhere.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asymp import registry
from asymp.claim import Outcome, Unread
from asymp.papers.twoclass import model
from asymp.queues import rules, saturated
from asymp.queues.rules import JobClass
from asymp.registry import validate

claims = partial(registry.claims, "twoclass")  # read when the first test asks
RESULTS = ["Theorem 4.1", "Theorem 4.2", "Theorem 4.3", "Lemma 5.1", "Lemma 5.2", "Lemma 7.1", "Theorem 8.1", "Theorem 8.2",
           "Claim 1"]  # fmt: skip


def test_claims_are_well_formed_and_linked():
    assert validate(claims(), "twoclass") == []
    assert [claim.id for claim in claims() if isinstance(claim.relation, Unread)] == []
    assert len(claims()) >= 80


def test_every_refuted_claim_has_its_correction():
    bare = [c.id for c in claims() if c.expected is Outcome.REFUTED and c.correction is None]
    assert bare == []
    assert all(registry.find_claim(c.correction).expected is Outcome.HOLDS for c in claims() if c.correction)


def test_every_result_is_registered():
    places = {claim.source.locator for claim in claims()}
    missing = [name for name in RESULTS if not any(place == name or place.startswith(f"{name} ") for place in places)]
    assert missing == []
    numbers = {int(k) for place in places for k in re.findall(r"Equation \((\d+)\)", place)}
    assert numbers == set(range(1, 15))


systems = st.tuples(st.integers(1, 6), st.integers(1, 6), st.integers(0, 9)).map(lambda x: (x[0], x[0] + x[1], x[0] + x[1] + x[2]))
rates = st.fractions(Fraction(1, 5), 5, max_denominator=6)
shares = st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20)


@settings(max_examples=25)
@given(systems, shares, rates, rates)
def test_the_model_against_the_general_chain_of_the_rules(system, p1, mu1, mu2):
    """Another chain: each job that comes to the head of the line has a class, also where none fits."""
    n1, n2, n = system
    other = saturated.saturated(n, [JobClass(n1, mu1, p1), JobClass(n2, mu2, 1 - p1)])
    assert model.completions(n1, n2, n, p1, mu1, mu2) == other.throughput
    idle = sum((w * other.rules.free(state) for state, w in other.P.items()), Fraction(0))
    assert model.rules_idle(n1, n2, n, p1, mu1, mu2) == idle


@settings(max_examples=25)
@given(systems, shares, rates, rates)
def test_laws_are_laws(system, p1, mu1, mu2):
    found = model.saturated(*system, p1, mu1, mu2)
    assert sum(found.law.values()) == sum(found.in_time.values()) == 1
    assert all(one + two > 0 for after in found.steps.values() for one, two in after.values())
    assert all(sum(one + two for one, two in after.values()) == 1 for after in found.steps.values())
    assert all(0 <= found.free(s) < found.n2 for s in found.states)


@pytest.mark.parametrize("bad", [(0, 1, 1), (2, 2, 3), (3, 2, 4), (1, 4, 3)])
def test_what_is_no_system_is_refused(bad):
    with pytest.raises(ValueError, match="1 <= n1 < n2 <= n"):
        model.Saturated(*bad, Fraction(1, 2), 1, 1)


@pytest.mark.parametrize("numbers", [(0, 1, 1), (1, 1, 1), (Fraction(1, 2), 0, 1), (Fraction(1, 2), 1, -1)])
def test_what_is_no_rate_is_refused(numbers):
    with pytest.raises(ValueError, match="mu1 > 0"):
        model.Saturated(1, 2, 3, *numbers)


def test_a_changed_law_is_found_out(monkeypatch):
    """The checks of the product form can fail: with one more class 1 job's factor they do."""
    system = model.saturated(2, 5, 9, Fraction(1, 3), 1, 2)
    wrong = dict(system.law)
    first, second = list(wrong)[:2]
    wrong[first], wrong[second] = wrong[second], wrong[first]
    steps = system.steps
    assert any(
        sum((wrong[s] * sum(steps[s].get(t, (0, 0))) for s in wrong), Fraction(0)) != weight for t, weight in wrong.items()
    )


def test_three_classes_of_one_rate_decompose():
    assert model.three_gap(1, 2, 3, 4, 1, 1, 1) == 0 < model.three_gap(1, 2, 3, 4, 1, 2, 3)
    assert rules.Rules(4, tuple(JobClass(k, Fraction(1), Fraction(1, 3)) for k in (1, 2, 3))).servers == 4
