"""A sample of the soundness run, and that the run itself can tell right from wrong."""

from __future__ import annotations

import random

import pytest

from benchmarks.soundness import adversarial, finite, fuzz, integrals, numeric, runner, statements
from benchmarks.soundness.facts import FACTS, Fact

HARMONIC = FACTS[0]
SAMPLE = (0, 9, 16, 41, 47)  # H_n, (1 + 1/n)^n, a power of p, exponentials, a logarithm at 0
"""The facts whose statements are sampled."""


def sample() -> list[statements.Statement]:
    found = []
    for index in SAMPLE:
        found += statements.from_fact(FACTS[index], 12).statements
    found += list(statements.range_statements())[::9]
    found += [*list(finite.identities())[::17], *list(finite.bounds())[::11], *list(integrals.statements())[::13]]
    return found + list(adversarial.statements())[::13]


def test_nothing_in_the_sample_is_answered_wrongly():
    answers = list(runner.run(sample()))
    assert [a for a in answers if a.unsound or a.outcome in ("crash", "not read")] == []
    false = [a for a in answers if a.statement.true is False]
    assert len(false) > 60
    assert sum(a.outcome == "refuted" for a in false) > 0.7 * len(false)


def test_a_wrong_answer_would_be_seen():
    true = statements.Statement("harmonic(n) ~ log(n)", "n->oo", (), True, "equivalent")
    (said,) = runner.run([true])
    assert (said.outcome, said.unsound) == ("holds", False)
    for claimed in (False, None):
        lie = statements.Statement(true.text, true.to, (), claimed, "equivalent")
        assert next(runner.run([lie])).unsound


def test_numbers_discard_a_mutant_that_is_true_after_all():
    """H_n = ln n + gamma + O(1/n) is no mutant, whoever says so; with O(1/n^2) it is one."""
    rest = "harmonic(n) - log(n) - EulerGamma"
    assert not statements.clearly_false(HARMONIC, statements._Question(f"({rest})/(1/n)", "bounded"))
    assert statements.clearly_false(HARMONIC, statements._Question(f"({rest})/(n^-2)", "bounded"))
    assert not statements.clearly_false(HARMONIC, statements._Question(f"({rest})", "vanishes"))
    assert statements.clearly_false(HARMONIC, statements._Question(f"({rest})/(1/n)", "vanishes"))


@pytest.mark.parametrize("coefficient", ["0.5", "0.5772156649", "EulerGamma + 10^-30"])
def test_a_fact_with_a_wrong_coefficient_is_not_used(coefficient):
    assert numeric.confirmed(HARMONIC)
    wrong = Fact(HARMONIC.f, (HARMONIC.terms[0], (coefficient, "1"), *HARMONIC.terms[2:]))
    assert not numeric.confirmed(wrong)
    assert statements.from_fact(wrong).statements == ()


def test_there_are_enough_statements():
    assert len(FACTS) >= 50
    assert len(list(adversarial.statements())) >= 200
    true = sum(len(list(statements.true_statements(f))) for f in FACTS)
    assert true >= 500


def test_the_fuzzer_sees_a_wrong_expansion():
    problem = fuzz.Problem("harmonic(n)", fuzz._closed_value("harmonic(n)", "n"), ("1e10", "1e30", "1e90"), 400)
    right = {"terms": ["log(n)", "EulerGamma"], "remainder": {"growth": "1/n"}}
    rng = random.Random(1)
    assert fuzz.confront(problem, right, rng) == ([], 1)
    for terms, growth in ((["log(n)", "2*EulerGamma"], "1/n"), (["log(n)"], "1/n"), (["log(n)", "EulerGamma"], "n**(-2)"),
                          (["log(n)", "EulerGamma", "1/(2*n)"], "1/(n**2*log(n))"), (["log(n)"], "0")):  # fmt: skip
        found, done = fuzz.confront(problem, {"terms": terms, "remainder": {"growth": growth}}, rng)
        assert (len(found), done) == (1, 1)


def test_the_fuzzer_takes_the_case_that_fits():
    problem = fuzz.Problem("n^a + n", fuzz._closed_value("n^a + n", "n"), ("1e10", "1e30"), 400, parameters=("a",))
    rest = {"remainder": {"growth": "0"}}
    cases = [{"when": "a<1", "terms": ["n", "n**a"], **rest}, {"when": "a=1", "terms": ["2*n"], **rest},
             {"when": "a>1", "terms": ["n**a", "n"], **rest}]  # fmt: skip
    found, done = fuzz.confront(problem, {"cases": cases}, random.Random(1))
    assert not found
    assert done >= 8
    swapped = [cases[0], {"when": "a=1", "terms": ["3*n"], **rest}, cases[2]]
    found, _ = fuzz.confront(problem, {"cases": swapped}, random.Random(1))
    assert [f.at for f in found] == [{"a": "1"}]


def test_enclosures_of_parametric_integrals_are_right_in_mixed_order():
    """One point of each family, in a random order; the run of its own has many."""
    asked = integrals.draw(random.Random(3), len(integrals.FAMILIES))
    quick = [q for q in asked if q.digits <= 20][::3]
    found = {q: integrals.verdict(q) for q in quick}
    assert {q: said for q, said in found.items() if said[0] == "wrong"} == {}
    assert sum(kind == "right" for kind, _ in found.values()) > 0.6 * len(found)


def test_a_wrong_enclosure_would_be_seen(monkeypatch):
    question = integrals.Question(0, "3", "1", 12)
    assert integrals.verdict(question)[0] == "right"
    lie = integrals.Family(integrals.FAMILIES[0].text, lambda w, a: (1 - integrals.mp.cos(w)) / w + 1e-9)
    monkeypatch.setattr(integrals, "FAMILIES", (lie,))
    assert integrals.verdict(question)[0] == "wrong"


def test_bounds_of_integrals_are_true_and_false_in_equal_shares():
    made = list(integrals.statements())
    assert sum(s.true is True for s in made) == sum(s.true is False for s in made) > 50
