"""What couples variables: a domain's conditions, a parameter with what moves, two rates of one regime."""

import pytest

from asymp.check.ask import ask
from asymp.claim import Outcome
from asymp.parse import ParseError
from benchmarks.hash_seed import ASKED, differing, run
from benchmarks.soundness import coupled


@pytest.mark.parametrize("statement", list(coupled.statements()), ids=lambda s: s.text)
def test_nothing_that_couples_variables_is_answered_wrong(statement):
    try:
        outcome = ask(statement.text, quick=True).outcome
    except ParseError:
        outcome = Outcome.UNDECIDED
    if statement.true is None:
        assert outcome is Outcome.UNDECIDED
    else:
        assert outcome in (Outcome.UNDECIDED, Outcome.HOLDS if statement.true else Outcome.REFUTED)


@pytest.mark.parametrize(("text", "said"), [
    ("n/m -> oo as n -> oo for 1 <= m <= n, whole m", "say 'uniformly in 1 <= m <= n'"),
    ("(1+a/n)^n -> exp(a)+1/n as n -> oo for a > 0", "write f ~ g"),
])  # fmt: skip
def test_what_moves_is_refused_with_a_hint(text, said):
    with pytest.raises(ParseError, match="mov") as refused:
        ask(text)
    assert said in str(refused.value)


def test_a_false_limit_behind_inexact_scales_is_refuted():
    """n p was taken for -n log(1-p), so the gate of numbers spoke against a right expansion."""
    verdict = ask("n*(1-p)^(n-1) -> 0 as n -> oo, p -> 0+, n*p -> oo", quick=True)
    assert verdict.outcome is Outcome.REFUTED
    assert not any("exp(-n*p)" in line.detail for line in verdict.evidence)


def test_where_definedness_is_not_known_nothing_holds():
    verdict = ask("1/(x^2-2*y^2) = 1/(x^2-2*y^2) for whole x >= 1, whole y >= 1, y <= x")
    assert verdict.outcome is Outcome.UNDECIDED and "not known whether" in verdict.reason


def test_answers_and_work_do_not_hang_on_the_hash_seed():
    assert differing([run(seed, 3) for seed in (1, 2)]) == [] and len(ASKED) > 3
