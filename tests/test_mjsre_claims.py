"""The claims of the mjsre paper: well formed, every one reaches what it expects, and broken ones do not."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import sympy as sp

from asymp.check import bounds, finite
from asymp.check.judge import judge
from asymp.claim import Bound, Identity, Outcome, Property, Strength, Value
from asymp.queues.recurrence import Job
from asymp.registry import validate
from asymp.sample.estimate import Estimate, make_estimate
from asymp.testing import claims_test
from proofs import mjsre
from proofs.mjsre import (
    appendix_a,
    exact,
    notation,
    paired,
    plots,
    samples,
    section3,
    section5,
    section6,
)

CLAIMS = mjsre.claims()
BY_ID = {claim.id: claim for claim in CLAIMS}
OWN = [
    claim
    for module in (section3, section5, section6, appendix_a)
    for claim in module.claims()
]
"""Those of the modules that are mutated here."""
SAMPLED = {
    claim.id
    for claim in OWN
    if claim.sampled is not None
    or (isinstance(claim.relation, Property) and claim.relation.test.__module__ in (samples.__name__, paired.__name__))
}
SLOW = {claim.id for claim in CLAIMS if claim.source.locator in ("Table 1", "Section 7.4")} | SAMPLED

test_claims = claims_test("mjsre", slow=sorted(SLOW))


def outcome(test):
    return judge(test())[0]


# --- registration ----------------------------------------------------------------------------------


def test_claims_are_well_formed_and_linked():
    assert validate(CLAIMS, "mjsre") == []
    assert sum(claim.as_printed for claim in CLAIMS) >= 90
    for claim in CLAIMS:
        assert (claim.expected == Outcome.REFUTED) == (claim.correction is not None), claim.id
        if claim.corrects is not None:
            assert not claim.as_printed and BY_ID[claim.corrects].as_printed


def test_every_result_equation_table_and_figure_is_registered():
    located = {claim.source.locator for claim in CLAIMS if claim.as_printed}
    wanted = {f"Equation ({k})" for k in range(1, 16) if k != 3} | {f"Table {k}" for k in (1, 2, 3)}
    wanted |= {"Lemma 4.1", "Theorem 4.2", "Lemma 4.3", "Lemma 4.4", "Theorem 5.1", "Remark 2", "Remark 4"}
    wanted |= {"Algorithm 1", "Algorithm 2", "Appendix A", "Section 10", "Section 6.1", "Section 8.2"}
    wanted |= {"Figure 2(a)", "Figure 2(b)", "Figure 2(c)", *(f"Figure {k}" for k in (3, 4, 5, 6))}
    assert wanted <= located  # (3) is the map of Lemma 4.1, registered there


def test_claims_come_in_the_papers_order():
    """By section: what is printed in a section comes before what is printed in the next."""
    place = {"Figure": 8, "Table": 8, "Appendix": 11}
    sections = [
        int(match[1])
        for claim in CLAIMS
        if (match := re.match(r"Section (\d+)", claim.source.locator)) and claim.as_printed
    ]
    assert sections == sorted(sections)
    assert place["Appendix"] > max(sections)


def test_every_locator_occurs_in_the_text_of_the_paper():
    text_file = next(
        (path for parent in Path(__file__).resolve().parents for path in parent.glob("shared/papers/mjsre.txt")),
        None,
    )
    if text_file is None:
        pytest.skip("the paper's text is not at hand")
    text = text_file.read_text().replace("\u00a0", " ")
    for locator in {claim.source.locator for claim in CLAIMS}:
        kind, number = locator.split()[:2]
        if kind == "Equation":
            assert re.search(rf"^{re.escape(number)} ", text, re.M), locator
        elif kind == "Section":
            assert re.search(rf"^{re.escape(number)}\.? ", text, re.M), locator
        elif kind == "Figure" and "(" in number:
            assert f"Figure {number[0]}. " in text and f"\n({number[2]}) " in text, locator
        else:
            assert f"{kind} {number}" in text, locator


# --- mutants -----------------------------------------------------------------------------------------


def upheld(relation):
    lines = finite.identity(relation) if isinstance(relation, Identity) else bounds.evidence(relation)
    return judge(lines)[0] == Outcome.HOLDS


def shifted(side, by):
    """The side plus ``by``: a number, or every number of a table, or the first number of a nested tuple."""

    def moved(found):
        if isinstance(found, dict):
            return {key: moved(value) for key, value in found.items()}
        if isinstance(found, (tuple, list)):
            return tuple(moved(item) for item in found) or (Fraction(by),)
        return found + by

    return side + by if isinstance(side, sp.Expr) else lambda **point: moved(side(**point))


IDENTITIES = [c for c in OWN if isinstance(c.relation, Identity) and c.expected == Outcome.HOLDS]
BOUNDS = [c for c in OWN if isinstance(c.relation, Bound) and c.expected == Outcome.HOLDS]


@pytest.mark.parametrize("claim", IDENTITIES, ids=lambda claim: claim.id)
def test_mutants_of_identities_are_not_upheld(claim):
    relation = claim.relation
    domain = replace(relation.domain, grid=relation.domain.grid[:2])
    for proof in (relation.proof, None):
        assert not upheld(replace(relation, rhs=shifted(relation.rhs, 1), domain=domain, proof=proof))


@pytest.mark.parametrize("claim", BOUNDS, ids=lambda claim: claim.id)
def test_mutants_of_bounds_are_not_upheld(claim):
    relation = claim.relation
    turned = {"<=": ">", "<": ">=", ">=": "<", ">": "<="}[relation.op]
    assert not upheld(replace(relation, op=turned))
    by = -(10**30) if relation.op in ("<=", "<") else 10**30
    assert not upheld(replace(relation, rhs=shifted(relation.rhs, by)))


@pytest.mark.parametrize("claim", [c for c in OWN if isinstance(c.relation, Value)], ids=lambda claim: claim.id)
def test_mutants_of_values_are_refuted(claim):
    relation = claim.relation
    for factor in (Fraction(21, 20), Fraction(19, 20)):
        broken = relation.expr * sp.Rational(factor.numerator, factor.denominator)
        assert judge(finite.value(Value(broken, relation.printed)))[0] == Outcome.REFUTED


# --- properties can be refuted, or left undecided --------------------------------------------------------


def test_a_wrong_load_or_threshold_is_seen(monkeypatch):
    assert outcome(section3.dichotomy((Fraction(11, 10), Fraction(12, 10)))) == Outcome.REFUTED
    assert outcome(section3.dichotomy((Fraction(8, 10), Fraction(9, 10)))) == Outcome.REFUTED
    assert outcome(lambda: section5.limit_exists(Fraction(101, 100))) == Outcome.REFUTED
    assert outcome(lambda: section5.limit_exists(Fraction(9, 10))) == Outcome.REFUTED
    true = exact.growth
    for factor in (Fraction(9, 10), Fraction(11, 10)):
        monkeypatch.setattr(section5, "growth", lambda jobs, factor=factor: true(jobs) * factor)
        assert outcome(section5.threshold) == Outcome.REFUTED
        assert outcome(section5.insensitive(("even", "batch"))) == Outcome.REFUTED


def test_the_critical_rate_is_not_always_stable(monkeypatch):
    """The counterexample to *only if* rests on a fixed point; without one nothing is said."""
    monkeypatch.setattr(section5, "fixed_point", lambda *_: None)
    assert outcome(lambda: section5.threshold(at=Fraction(1))) == Outcome.UNDECIDED


def test_a_maximum_of_another_law_is_no_perfect_sample():
    assert outcome(lambda: section3.perfect_sample(lambda p, n: {0: Fraction(1)})) == Outcome.REFUTED


def test_moments_are_of_the_next_order():
    assert outcome(lambda: section6.pollaczek_khinchine((1, 2), shift=0)) == Outcome.REFUTED


def test_the_event_by_event_play_is_what_refutes_the_printed_waste():
    """One server has no head-of-line blocking: there (9) to (13) are right, so the checks do not refute for nothing."""
    for seed in range(6):
        assert section6.wasted_by_blocking(1, seed) == 0
        assert section6._per_time(section6.printed_blocking)(1, seed) == 0
        assert section6._per_time(section6.printed_idle)(1, seed) == section6.wasted(1, seed)





def test_the_finite_chain_of_a_pile_agrees_with_the_cycle_formula():
    half = Fraction(1, 2)
    chain = exact.Lattice(2, [(half, 1, [(1, Fraction(1))]), (half, 2, [(1, Fraction(1))])])
    assert chain.growth == half * (1 + appendix_a.greedy_mean(2, half))
    assert list(chain.mean_heights(2)) == [0, 1, Fraction(7, 4)]
    assert exact.growth(exact.Periodic(2, (Job(1, 1, 0),) * 3)) == half



# --- samples ------------------------------------------------------------------------------------------


def estimate(value: float, stderr: float) -> Estimate:
    return make_estimate(value, stderr, 64, samples.LEVEL, 0, "test")


@pytest.mark.parametrize(
    ("value", "stderr", "expected"),
    [
        (1.8012, 0.0003, Outcome.REFUTED),
        (1.812, 0.0003, Outcome.HOLDS),
        (1.806, 0.0003, Outcome.UNDECIDED),
        (1.81, 0.01, Outcome.UNDECIDED),
    ],
)
def test_a_printed_threshold_is_decided_by_its_digits(monkeypatch, value, stderr, expected):
    from asymp.sample.growth import Growth

    plain = estimate(value, stderr)
    found = Growth(**plain.__dict__)
    monkeypatch.setattr(samples, "threshold", lambda *_: found)
    assert outcome(samples.threshold_is("any", "1.81")) == expected


def test_orders_are_decided_by_intervals():
    low, high, zero = estimate(1.0, 0.01), estimate(2.0, 0.01), estimate(0.0, 0.0)
    assert outcome(lambda: samples._ordered([("x", low, high)], "")) == Outcome.HOLDS
    assert outcome(lambda: samples._ordered([("x", high, low)], "")) == Outcome.REFUTED
    assert outcome(lambda: samples._ordered([("x", low, estimate(1.05, 0.01))], "")) == Outcome.UNDECIDED
    assert outcome(lambda: samples._ordered([("x", zero, zero)], "")) == Outcome.HOLDS


@pytest.mark.slow
def test_samples_speak_against_wrong_thresholds():
    assert outcome(lambda: samples._sides(("exponential",), 1.7)) == Outcome.REFUTED
    assert outcome(lambda: samples._sides(("exponential",), 2.0)) == Outcome.REFUTED
    for printed in ("1.78", "1.81"):
        assert outcome(samples.threshold_is("table2-exponential", printed)) == Outcome.REFUTED
    assert outcome(samples.random_threshold_is("table2-exponential", "0.97")) == Outcome.REFUTED


@pytest.mark.slow
def test_samples_speak_against_wrong_comparisons():
    backwards = samples.LAWS[::-1]
    assert outcome(samples.increasing_in_variance(("wasted-hol",), backwards)) == Outcome.REFUTED
    assert outcome(lambda: samples.order_of_magnitude([(1.2, samples.METRICS)], 1000.0)) == Outcome.REFUTED
    assert outcome(lambda: samples.quarter_wasted(5.5, 6.5)) == Outcome.REFUTED
    assert outcome(lambda: samples.small_differences(1.01)) == Outcome.UNDECIDED
    assert outcome(lambda: samples.small_differences(0.9)) == Outcome.REFUTED
    assert outcome(lambda: paired.percentile_at_low_load(0.5)) == Outcome.REFUTED
    opposite = [("W^5 - W^10", (0, 1, -1, 0))]
    assert outcome(paired.similar_small_classes("table2-exponential", opposite)) == Outcome.REFUTED


def test_strengths_are_honest():
    """What is decided by a sample alone is never more than supported."""
    for claim in OWN:
        if isinstance(claim.relation, Property) and claim.relation.test.__module__ == samples.__name__:
            assert claim.id in SLOW
    assert Strength.SUPPORTED == notation.supported(Outcome.HOLDS, "")[0].strength


# --- figures --------------------------------------------------------------------------------------------


def test_listing_figures_computes_nothing(monkeypatch):
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a number was computed")

    for name in ("curve_point", "critical", "saturated_waste", "cell_point"):
        monkeypatch.setattr(plots, name, refuse)
    names = [f"figure-{x}" for x in ("2a", "2b", "2c", "3", "4", "5", "6", "7b")]
    assert list(mjsre.figures()) == names
    for name in names:
        with pytest.raises(AssertionError, match="computed"):
            list(mjsre.figures()[name].panels)


@pytest.mark.slow
def test_a_density_has_the_mass_of_what_waits(monkeypatch):
    monkeypatch.setattr(plots, "REPLICATIONS", 8)
    xs, ys = plots.density("bounded-pareto", 1.2, 0)
    counts = plots.curve_point("bounded-pareto", 1.2).replications.counts[:, 0].sum(axis=0)
    waits = 1 - counts[0] / counts.sum()
    heights = np.array(ys)
    mass = float(np.sum(np.diff(xs) * (heights[1:] + heights[:-1]) / 2))  # by trapezia
    assert 0.9 * waits < mass < 1.05 * waits
