"""The claims of the mjsre paper: well formed, every one reaches what it expects, and changed texts are found out."""

from __future__ import annotations

import inspect
import re
import tomllib
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from recorded import PAPERS, closed

from asymp import registry
from asymp.check import check, finite
from asymp.check.judge import judge
from asymp.claim import Identity, Outcome, Property, Strength, Unread, Value
from asymp.kernel.terms import ONE, Term, add
from asymp.language.bodies import And, Comparison, If, Iff
from asymp.language.conditions import Compared
from asymp.language.setting import SettingReader
from asymp.language.statement import read_statement
from asymp.language.syntax import Node
from asymp.language.value import number
from asymp.paper import read_claims
from asymp.papers import mjsre
from asymp.papers.mjsre import appendix_a, exact, model, notation, paired, plots, samples
from asymp.papers.mjsre.recurrence import Job
from asymp.prove.claims import theorem
from asymp.registry import validate
from asymp.sample.estimate import Estimate, make_estimate
from asymp.sample.growth import Growth
from asymp.testing import assert_as_expected
from benchmarks.golden import chosen

claims = partial(registry.claims, "mjsre")  # read when the first test asks
FILE = Path(mjsre.__file__).with_name("claims.toml").read_text(encoding="utf-8")
ENTRIES = SettingReader(FILE, "claims.toml", None).entries()
CLOSED = {claim_id: text or "" for claim_id, text in closed("mjsre").items()}
SAMPLED = {claim_id for claim_id, entry in ENTRIES.items() if "test" in entry and PAPERS[claim_id].get("cost") == "sampled"}
SLOW = SAMPLED | {
    claim_id for claim_id, entry in ENTRIES.items() if "sampled" in entry or re.search(r"\bwait(_variance)?\(", CLOSED[claim_id])
}
"""What is simulated, and the exact waits of Table 1."""
REPLAYED = {claim_id for claim_id in ENTRIES if "certificate" in PAPERS[claim_id]}
"""What has a theorem, which is replayed elsewhere."""


THEOREMS = frozenset(
    """section-1-traditional section-3.1-lindley section-3.2-dichotomy section-3.2-perfect-sample section-3.2-increasing equation-1
    section-4.3-start lemma-4.1 lemma-4.1-proof-synchronization lemma-4.1-proof-reordering theorem-4.2-causality
    theorem-4.2-external-monotonicity theorem-4.2-homogeneity theorem-4.2-separability theorem-4.2-proof-vector
    theorem-4.2-proof-vector-corrected theorem-4.2-proof-chain theorem-4.2-proof-positive-part equation-4-examples equation-4-state
    lemma-4.3 lemma-4.4-weak algorithm-1-doubling algorithm-1-doubling-corrected
    algorithm-1-second-pass algorithm-1-observation-1 algorithm-1-observation-1-corrected
    algorithm-1-observation-2 algorithm-1-observation-3a algorithm-1-observation-3b algorithm-1-observation-3c remark-2
    remark-3-sub-perfect theorem-5.1 theorem-5.1-corrected theorem-5.1-saturation theorem-5.1-proof-subadditive equation-7
    equation-8 equation-8-deterministic equation-8-explicit section-5-eta section-5-eta-corrected remark-4-insensitive
    algorithm-2-pile section-6.2-system section-7.3-unbiased section-7.4-threshold section-7.4-longer
    section-7.4-longer-corrected section-7.4-longer-sequences section-7.4-guarantee section-7.4-widths section-7.4-forward-times
    section-7.4-backward-times table-1-centres section-8.2-ideal table-2-probabilities
    table-2-phases table-2-variance-hyperexponential table-2-bounds table-2-variance-pareto-rounded
    section-8.2-cv-exponential-class section-8.2-cv-exponential section-8.2-cv-erlang-class section-8.2-cv-erlang
    section-8.2-cv-hyperexponential-class section-8.2-cv-hyperexponential section-8.2-cv-pareto-class-rounded
    section-8.2-cv-pareto figure-2c-tail-corrected section-9-samples equation-14-monotone equation-14-corrected-monotone
    section-9.1-starts section-9.1-starts-corrected section-9.2-starts section-9.2-starts-corrected section-9.2-monotone
    section-9.2-corrected-monotone equation-15-all-types section-9.3-one-type section-9.3-one-type-corrected
    section-9.3-one-server section-9.3-no-specific section-9.3-max-plus appendix-a-strict appendix-a-strict-corrected
    appendix-a-geometric perfect-translation perfect-flattening perfect-subadditive
    perfect-domination perfect-lindley perfect-sandwich perfect-sandwich-met equation-1-ordered equation-2 equation-2-load
    section-4.1-scan section-4.1-scan-first section-4.3-start-latest lemma-4.1-proof-map lemma-4.1-proof-isotonic
    lemma-4.1-nonexpansive theorem-4.2-last-activity theorem-4.2-recurrence theorem-4.2-proof-non-negative
    theorem-4.2-proof-translation theorem-4.2-proof-empty theorem-4.2-proof-restart algorithm-1-comparison algorithm-2
    algorithm-2-corrected equation-9-corrected equation-10-corrected
    section-7.5-ideal-pile section-7.5-ideal-height section-9-samples-corrected
    appendix-a-greedy-corrected appendix-a-random section-4.3-same-law section-7.4-equal-arrivals section-9.3-max-plus-step""".split()
)
"""What the kernel decides."""


def marked(claim_ids, slow):
    """With the mark of what is slow."""
    return [pytest.param(one, id=one, marks=[pytest.mark.slow] if one in slow else []) for one in claim_ids]


def no_more_than_it_may(claim, outcome, strength):
    assert outcome == claim.expected
    drawn = "seed" in claim.closed and " for some " not in claim.closed
    if claim.id in SAMPLED or (claim.expected == Outcome.HOLDS and drawn):
        assert strength == Strength.SUPPORTED  # by samples, or for the jobs that were drawn
    elif claim.expected == Outcome.REFUTED:
        assert strength in (Strength.PROVED, Strength.CERTIFIED)  # one exact counterexample
    if claim.id.removeprefix("mjsre/") in THEOREMS:
        assert strength == Strength.PROVED


ASKED = {claim_id for claim_id in ENTRIES if chosen(claim_id, 3)}
"""One in three: ``asymp check`` asks all of them."""


@pytest.mark.parametrize("claim_id", marked(ENTRIES, SLOW | REPLAYED | ENTRIES.keys() - ASKED))
def test_each_claim_reaches_its_outcome_and_says_no_more_than_it_may(claim_id):
    claim = registry.find_claim(claim_id)
    verdict = assert_as_expected(claim)
    no_more_than_it_may(claim, verdict.outcome, verdict.strength)


def test_each_claim_is_recorded_with_its_outcome_and_no_more_than_it_may():
    for claim in claims():
        no_more_than_it_may(claim, PAPERS[claim.id]["outcome"], PAPERS[claim.id]["strength"])
    assert len(ASKED - SLOW - REPLAYED) >= 10


def test_what_is_simulated_is_told_from_the_file():
    tests = {c.id: getattr(c.relation.test, "function", c.relation.test) for c in claims() if isinstance(c.relation, Property)}
    found = {one for one, test in tests.items() if test.__module__ in (samples.__name__, paired.__name__)}
    assert found == SAMPLED
    assert {claim.id for claim in claims() if claim.sampled} <= SLOW
    assert {f"mjsre/{slug}" for slug in THEOREMS} <= REPLAYED | SLOW


def outcome(test):
    return judge(test())[0]


# --- registration ----------------------------------------------------------------------------------


def test_claims_are_well_formed_and_linked():
    assert validate(claims(), "mjsre") == []
    assert sum(claim.as_printed for claim in claims()) >= 120
    assert not [claim.id for claim in claims() if isinstance(claim.relation, Unread)]
    for claim in claims():
        assert (claim.expected == Outcome.REFUTED) == (claim.correction is not None), claim.id
        if claim.corrects is not None:
            assert not claim.as_printed and registry.find_claim(claim.corrects).as_printed


def test_functions_of_the_model_take_the_arguments_that_the_file_declares():
    for name, kinds in tomllib.loads(FILE)["model"].items():
        assert len(inspect.signature(getattr(model, name)).parameters) == len(kinds.split(",")), name


def test_hardly_any_claim_is_a_test():
    """What simulation says, and what cannot be a formula; the others are formulas."""
    tests = {claim.id for claim in claims() if isinstance(claim.relation, Property)}
    assert len(tests - SAMPLED) <= 5


def test_every_result_equation_table_and_figure_is_registered():
    located = {claim.source.locator for claim in claims() if claim.as_printed}
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
        for claim in claims()
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
    for locator in {claim.source.locator for claim in claims()}:
        kind, number = locator.split()[:2]
        if kind == "Equation":
            assert re.search(rf"^{re.escape(number)} ", text, re.M), locator
        elif kind == "Section":
            assert re.search(rf"^{re.escape(number)}\.? ", text, re.M), locator
        elif kind == "Figure" and "(" in number:
            assert f"Figure {number[0]}. " in text and f"\n({number[2]}) " in text, locator
        else:
            assert f"{kind} {number}" in text, locator


# --- changed texts -----------------------------------------------------------------------------------

TURNED = {"<=": ">", "<": ">=", ">=": "<", ">": "<="}


def mutants(body, equal="="):
    """Each comparison of a statement alone, turned round; what stands behind *if* stays.  A lone equality stays too."""
    if isinstance(body, And):
        for part in body.parts:
            yield from mutants(part)
    elif isinstance(body, (If, Iff)):
        for left in mutants(body.left, "<"):
            yield replace(body, left=left)
    elif isinstance(body, Comparison):
        for left, sign, right in body.chain.pairs():
            yield Comparison(Compared((left, right), ({**TURNED, "=": equal}[sign],)))


def larger(found):
    """A number, or one number of a law or a vector, made larger by 1."""
    if isinstance(found, dict):
        return {key: value + 1 for key, value in found.items()}
    if isinstance(found, Term):
        return add(found, ONE)
    return (larger(found[0]), *found[1:]) if isinstance(found, tuple) else found + 1


def off(relation):
    """The equality with a right side that is off by 1."""
    right = relation.rhs
    return replace(relation, rhs=lambda **point: larger(right(**point)))


def changed(claim_id):
    """The entries that a claim becomes, one for each of its comparisons."""
    entry, closed = ENTRIES[claim_id], CLOSED[claim_id]
    if "says" not in entry or " for some " in closed or " rounds to " in closed:
        return []
    written = [f"says = {str(body)!r}" for body in mutants(read_statement(entry["says"]).body)]
    rest = [f"{key} = {entry[key]!r}" for key in ("for", "at") if key in entry]
    return ["\n".join((f'[claim."remark-{k}"]', says, *rest)) for k, says in enumerate(written)]


def without_strangers(text):
    """A part of a statement may hold fewer names than the whole: values of the others are refused, and left out here."""
    claim = read_claims(f"{HEAD}\n{text}", "changed.toml", registry.code_of("asymp.papers.mjsre")).claims[0]
    stranger = re.search(r"'at' gives values of (\w+)", claim.relation.reason) if isinstance(claim.relation, Unread) else None
    if stranger is None:
        return text
    head, values = text.split("\nat = ")
    parts = [part for part in re.split(r", (?![^({]*[)}])", values.strip("'\"")) if not part.startswith(stranger[1])]
    return without_strangers(f"{head}\nat = {', '.join(parts)!r}" if parts else head)


HEAD = FILE[: FILE.index("\n[claim.")]
MUTANTS = {
    one: texts for one in ENTRIES
    if PAPERS[one]["outcome"] == "holds" and (texts := changed(one)) and "AtMost" not in CLOSED.get(one, "")  # no ball of that
}  # fmt: skip


@pytest.mark.parametrize("claim_id", marked(MUTANTS, SLOW))
def test_statements_turned_round_are_refuted(claim_id):
    """So that none holds because nothing obeys its conditions."""
    texts = MUTANTS[claim_id]
    found = read_claims("\n".join((HEAD, *map(without_strangers, texts))), "changed.toml", registry.code_of("asymp.papers.mjsre")).claims
    for one in found:
        if isinstance(one.relation, Identity) and " if" not in one.statement:
            one = replace(one, relation=off(one.relation))
        verdict = check(one)
        tables = "NotExact" in verdict.reason and "<" in one.statement  # tables are equal or not, none is less
        assert verdict.outcome == Outcome.REFUTED or tables, (one.statement, verdict.reason)


def test_there_is_a_changed_text_of_most_claims():
    assert len(MUTANTS) >= 100 and sum(map(len, MUTANTS.values())) >= 150


@pytest.mark.parametrize("claim_id", [one for one, text in CLOSED.items() if " rounds to " in text])
def test_mutants_of_values_are_refuted(claim_id):
    relation = registry.find_claim(claim_id).relation
    assert isinstance(relation, Value)
    for factor in (Fraction(21, 20), Fraction(19, 20)):
        broken = Node("product", 1, "", (relation.term, number(factor)), "**")
        assert judge(finite.value(Value(broken, relation.printed)))[0] == Outcome.REFUTED


def test_the_finite_chain_of_a_pile_agrees_with_the_cycle_formula():
    half = Fraction(1, 2)
    chain = exact.Lattice(2, [(half, 1, [(1, Fraction(1))]), (half, 2, [(1, Fraction(1))])])
    assert chain.growth == half * (1 + appendix_a.greedy_mean(2, half))
    assert list(chain.mean_heights(2)) == [0, 1, Fraction(7, 4)]
    assert exact.growth(exact.Periodic(2, (Job(1, 1, 0),) * 3)) == half


# What a theorem says, with one thing changed: the kernel shows that it fails.
CHANGED = [
    ("section-1-traditional", "s*mu for", "(s - 1)*mu for"),
    ("section-3.2-dichotomy", "lind(-m, 0) <= b", "lind(-m, 0) < b"),
    ("section-3.2-dichotomy", "walk(0) - walk(-m) <= lind", "walk(1) - walk(-m) <= lind"),
    ("section-3.2-perfect-sample", "p*(p/(1 - p))^(k - 1)", "p*(p/(1 - p))^k"),
    ("section-4.3-start-latest", "AtMost(j_, a)", "AtMost(a, j_)"),
    ("algorithm-1-doubling-corrected", "drawnc(k, l) = passes(k, l)", "drawnc(k, l) = passes(k + 1, l)"),
    ("algorithm-1-comparison", "if Wmn(a, c, i) <= Wmn(b, c, i)", "if Wmn(a, c, i) >= Wmn(b, c, i)"),
    ("algorithm-1-observation-3a", "z <= a", "z <= b"),
    ("theorem-5.1-saturation", "Wmn(m, n, i) <= Hmn(m, n, i) for", "Wmn(m, n, i) < Hmn(m, n, i) for"),
    ("theorem-5.1-saturation", "(arr(n) - arr(m)) <=", "(arr(n) - arr(m))/2 <="),
    ("section-4.1-scan", "alphas(n) <= Sum", "alphas(n) < Sum"),
    ("section-4.3-hol", "Wmn(m, n, alphas(n)) - Wmn(m, n, i) for", "Wmn(m, n, alphas(n)) for"),
    ("theorem-4.2-last-activity", "arr(n) + Max(", "Max("),
    ("table-1-centres", "0.99", "1.01"),
]


@pytest.mark.parametrize(("slug", "old", "new"), CHANGED, ids=[f"{slug}-{new}" for slug, _, new in CHANGED])
def test_changed_theorems_fail(slug, old, new):
    claim = registry.find_claim(f"mjsre/{slug}")
    assert old in claim.closed
    assert not theorem(read_statement(claim.closed.replace(old, new, 1)), False, claim.chains).holds


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


def test_a_sample_never_certifies():
    assert Strength.SUPPORTED == notation.supported(Outcome.HOLDS, "")[0].strength
    assert len(SAMPLED) >= 20


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
