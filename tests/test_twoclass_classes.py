"""Any number of classes: the chains of sections 8 and 10 against the rules, the perturbed throughput, and what samples say."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asymp import registry
from asymp.claim import Outcome
from asymp.command.claims import _group
from asymp.kernel.terms import Refused
from asymp.language.statement import read_statement
from asymp.language.value import value
from asymp.papers.twoclass import classes, model, samples
from asymp.prove.claims import theorem
from asymp.queues.perturbation import throughput_series
from asymp.queues.rules import JobClass, State
from asymp.queues.saturated import saturated

THIRD = Fraction(1, 3)
STATES = (
    State((0, 0, 0), None), State((1, 0, 0), None), State((2, 0, 0), None), State((0, 1, 0), None), State((3, 0, 0), None),
    State((1, 1, 0), None), State((0, 0, 1), None), State((1, 0, 0), 2), State((2, 0, 0), 1), State((2, 0, 0), 2),
    State((0, 1, 0), 1), State((0, 1, 0), 2),
)  # fmt: skip
"""Those of the chain ``three``, by number."""


def test_the_chain_of_three_classes_is_that_of_the_rules():
    (chain,) = registry.find_claim("twoclass/theorem-8.1-three").chains
    at = {"w1": Fraction(2), "w2": Fraction(3), "w3": Fraction(7), "mu": Fraction(5, 2)}
    weights = [at[f"w{k}"] / 12 for k in (1, 2, 3)]
    system = saturated(3, [JobClass(k, at["mu"], p) for k, p in enumerate(weights, 1)])
    place = {state: k for k, state in enumerate(STATES)}
    wanted = {(place[t.source], place[t.target]): (t.rate is not None, t.rate or t.probability) for t in system.transitions}
    found = {}
    for move in chain.moves:
        source, target = (int(value(end[0], {})) for end in (move.source, move.target))
        found[source, target] = (move.takes_time, value(move.weight, at))
    assert found == wanted


@pytest.mark.parametrize(
    "false",
    [
        "three_rate(w1, w2, w3, mu) = mu/((w1^3/3 + w1^2*w2/2 + w1^2*w3/2)/(w1 + w2 + w3)^3 + (w1*w2 + w1*w3 + w2^2)/(w1 + w2 + w3)^2 + w3/(w1 + w2 + w3))",
        "three_embedded(5, w1, w2, w3, mu) = w1*w2/(w1 + w2 + w3)^2", "three_embedded(4, w1, w2, w3, mu) = w1^3/(w1 + w2 + w3)^2",
    ],
)  # fmt: skip
def test_what_is_false_of_three_classes_is_not_proved(false):
    statement = read_statement(f"{false} for w1 > 0, w2 > 0, w3 > 0, mu > 0")
    with pytest.raises(Refused):
        theorem(statement, True, registry.find_claim("twoclass/theorem-8.1-three").chains)


def test_claims_of_one_chain_are_of_one_group():
    same = {_group(registry.find_claim(f"twoclass/theorem-{one}")) for one in ("4.1-nonblocking", "4.1-blocking", "4.2-blocking", "4.2-throughput")}
    assert len(same) == 1
    assert _group(registry.find_claim("twoclass/theorem-8.1-three")) not in same
    assert _group(registry.find_claim("twoclass/theorem-8.1-three")) == _group(registry.find_claim("twoclass/theorem-8.2-three"))


def test_phases_against_the_rules_and_not_with_another_sigma(monkeypatch):
    assert model.phase_rate(4, 3, 2) == model.rules_rate(4, 3, 2)
    model.phase_rate.cache_clear()
    monkeypatch.setattr(classes, "served", lambda m, n: max(1, sum(1 for need in m if need <= n) - 1))
    try:
        assert model.phase_rate(4, 3, 2) != model.rules_rate(4, 3, 2)
    finally:
        model.phase_rate.cache_clear()


@pytest.mark.parametrize(("y", "stable"), [(Fraction(99, 100), 1), (Fraction(101, 100), 0)])
def test_three_classes_are_stable_below_the_rate_of_the_phases(y, stable):
    assert model.rules_stable(y * model.phase_rate(3, 1, 1), 3, 1, 1) == stable


# --- the throughput near given rates ------------------------------------------------------------------

rates = st.tuples(*[st.fractions(Fraction(1, 3), 4, max_denominator=5)] * 3)
changes = st.tuples(*[st.integers(-3, 3)] * 3)


def three(n: int, mu: tuple[Fraction, ...]) -> object:
    return saturated(n, [JobClass(need, rate, THIRD) for need, rate in zip((1, 2, 4), mu, strict=True)])


@settings(max_examples=10, deadline=None)
@given(rates, changes)
def test_the_series_is_that_of_the_throughput(mu, by):
    """Also where the rates differ at eps = 0; the error after eps^3 is of order eps^4."""
    series = throughput_series(three(5, mu), by, 3)
    errors = []
    for eps in (Fraction(1, 10**4), Fraction(1, 10**8)):
        exact = three(5, tuple(x + eps * d for x, d in zip(mu, by, strict=True))).throughput
        errors.append(abs(exact - sum(c * eps**k for k, c in enumerate(series))) / eps**4)
    if errors[0]:
        assert Fraction(1, 2) < errors[1] / errors[0] < 2
    else:
        assert errors[1] == 0


def test_one_class_at_a_time_adds_up_to_all():
    system = three(8, (THIRD, Fraction(2), Fraction(1)))
    first = [throughput_series(system, [int(j == k) for j in range(3)], 1)[1] for k in range(3)]
    assert throughput_series(system, [2, -1, 5], 1)[1] == 2 * first[0] - first[1] + 5 * first[2]
    assert all(x > 0 for x in first)


@pytest.mark.parametrize(("change", "order", "error"), [([1, 2], 1, ValueError), ([1, 2, 3], -1, ValueError), ([0.5, 1, 1], 1, TypeError)])
def test_arguments_of_the_series(change, order, error):
    with pytest.raises(error):
        throughput_series(three(4, (THIRD, THIRD, THIRD)), change, order)


# --- samples ----------------------------------------------------------------------------------------------


def test_a_wrong_throughput_is_seen_by_the_sampler(monkeypatch):
    assert [one.outcome for one in samples.THREE_CLASSES()] == [Outcome.HOLDS]
    monkeypatch.setattr(model, "three_throughput", lambda *a: Fraction(6))
    assert [one.outcome for one in samples.THREE_CLASSES()] == [Outcome.REFUTED]


def test_response_times_have_thresholds_that_can_fail(monkeypatch):
    assert [one.outcome for one in samples.response_times()] == [Outcome.HOLDS]
    for witness in samples.response_times()[0].points:  # a value has the digits that its radius tells of
        assert len(witness.value) >= 20 and float(witness.radius) < 1e-18
    monkeypatch.setitem(samples.LEAST, 4, Fraction(2))  # it is 1.93
    assert [one.outcome for one in samples.response_times()] == [Outcome.REFUTED]


def test_a_wrong_response_time_is_seen_by_the_sampler(monkeypatch):
    monkeypatch.setattr(samples, "enclosed", lambda colour, rate: (Fraction(1), Fraction(1)))
    assert [one.outcome for one in samples.RESPONSE_TIMES()] == [Outcome.REFUTED]
