"""Breaking a claim must break its check: a quick part of the gate ``python -m benchmarks.mutation``, and the judge on mutants.

What is false, and what is true, follows from how a mutant is made: see :mod:`benchmarks.mutation`.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import islice

import pytest
from recorded import PAPERS, closed

from asymp import registry
from asymp.check import check
from asymp.claim import Outcome
from asymp.kernel.terms import Refused
from asymp.language.bodies import Expanding, Limiting, Ordering, Ratio
from asymp.language.statement import read_statement
from asymp.parse import claim as typed
from asymp.prove.claims import theorem
from benchmarks.mutants import Mutant, fails_at_a_point, mutants
from benchmarks.mutation import Saved, of_claim, told

FORMS = (
    "lfms/lemma-6.1-proof-nonzero-constant-premise", "lfms/lemma-8.3-proof-binomial", "lfms/equation-21",
    "lfms/equation-26-integral", "lfms/lemma-8.2-proof-dominant",
)  # fmt: skip
"""Claims of each form: a ratio, an expansion, a limit, an order, comparisons."""


@pytest.mark.parametrize("claim_id", FORMS)
def test_a_claim_through_the_gate(claim_id):
    count, lines = of_claim(claim_id, most=12)
    assert count["claims", "with a theorem"] == 1
    assert not [line for line in lines if line.startswith("WRONG")]
    outcomes = Counter()
    for (_, word), number in count.items():
        outcomes[word] += number
    false = sum(number for word, number in outcomes.items() if word.startswith("false"))
    assert outcomes["false: refuted"] >= 0.8 * false > 0


@pytest.mark.parametrize("claim_id", FORMS)
def test_each_mutant_is_another_statement_that_can_be_read(claim_id):
    claim = registry.find_claim(claim_id)
    found = [str(mutant.statement) for mutant in islice(mutants(claim), 60)]
    assert len(set(found)) == len(found) and str(read_statement(claim.closed)) not in found
    assert all(str(read_statement(text)) == text for text in found)


def test_the_gate_sees_a_wrong_answer():
    claim = registry.find_claim("lfms/equation-21")
    for truth, word in ((False, "WRONG"), (None, "TO READ"), (True, "")):
        count, lines = Counter(), []
        told(count, lines, Mutant("none", "itself", read_statement(claim.closed), truth), claim, 0)
        assert [line.split(":")[0] for line in lines] == [word] * bool(word)


def test_a_point_makes_a_comparison_false_only_inside_of_the_domain():
    points = [{"x": Fraction(3)}, {"x": Fraction(5)}]
    assert fails_at_a_point(read_statement("x < 4 for x > 0"), points)
    assert not fails_at_a_point(read_statement("x < 4 for 0 < x < 4"), points)
    assert not fails_at_a_point(read_statement("x < 4 for x in {1, 2}"), points)
    assert fails_at_a_point(read_statement("x < 4 for x in {1, 5}"), points)


def test_a_run_goes_on_from_what_is_saved_of_the_same_code(tmp_path, monkeypatch):
    file = str(tmp_path / "found.jsonl")
    found = ("lfms/equation-21", Counter({("sign", "false: refuted"): 2}), ["TO READ: a line"])
    Saved(file, [3, 0]).keep(found)
    assert Saved(file, [3, 0]).before == {"lfms/equation-21": found}
    with pytest.raises(SystemExit):
        Saved(file, [4, 0])
    monkeypatch.setattr("benchmarks.mutation.code", lambda: "other")
    with pytest.raises(SystemExit):
        Saved(file, [3, 0])


def test_a_correction_is_true():
    count, lines = of_claim("lfms/lemma-8.3-corrected", most=1)
    assert count["correction", "true: upheld"] == 1 and not lines


TRUE = [
    claim_id for claim_id, text in closed("lfms").items()
    if text and PAPERS[claim_id]["outcome"] == "holds" and isinstance(read_statement(text).body, (Ratio, Expanding, Limiting, Ordering))
]  # fmt: skip
DAILY = 10
"""Of one claim in so many a mutant is put to the judge; of the others in a weekly run."""


LONG = {"lfms/theorem-6.1-proof-linear", "lfms/lemma-8.2-proof-small-factor"}
"""Of these the judge takes half a minute: weekly too."""


def weekly(k, one):
    return [] if k % DAILY == 0 and one not in LONG else [pytest.mark.slow]


@pytest.mark.parametrize(("place", "claim_id"), [pytest.param(k, one, id=one, marks=weekly(k, one)) for k, one in enumerate(TRUE)])
def test_no_false_mutant_is_upheld_by_the_judge(place, claim_id):
    claim = registry.find_claim(claim_id)
    false = [mutant for mutant in _plain(claim) if mutant.truth is False]
    if not false:
        pytest.skip("no mutant of it is false for certain, without a theorem")
    mutant = false[place % len(false)]
    asked = typed("mutant/one", str(mutant.statement), source="mutant, mutant")
    verdict = check(asked, quick=True)
    assert verdict.outcome != Outcome.HOLDS, (mutant.what, verdict.evidence)


def _plain(claim):
    """The first mutants, which follow from the claim alone: no theorem is asked for."""
    return islice(mutants(claim), 12)


def test_a_sample_is_of_many_operators_and_is_asked_whether_it_is_upheld():
    from benchmarks.mutation import claim_of, ids_of, sample

    claim_id = next(one for one in ids_of("said:11") if claim_of(one).closed.startswith("binomial(2*n"))
    found = sample(claim_of(claim_id), 6)
    assert len({mutant.operator for mutant in found}) >= 4 and all(mutant.truth is not True for mutant in found)
    assert found == sample(claim_of(claim_id), 6)
    count, lines = of_claim(claim_id, some=4)
    assert not [line for line in lines if line.startswith("WRONG")]
    assert sum(x for (_, word), x in count.items() if word in ("false: undecided", "not known: undecided")) == 4


def test_a_division_by_zero_in_a_factor_is_a_refusal():
    for text in ("Sum(catalan(-1)*k, (k, 1, n)) = n for whole n >= 1", "Sum(k*0^(-1), (k, 1, n)) = n for whole n >= 1"):
        with pytest.raises(Refused):
            theorem(read_statement(text), True)
