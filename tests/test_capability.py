"""The capability benchmark: its problems are well-formed, its truths true, and its judge tells right from wrong."""

from __future__ import annotations

import itertools
from dataclasses import replace

import mpmath as mp
import pytest
import sympy as sp

from benchmarks.capability.evaluate import evaluate, parse
from benchmarks.capability.peers import translate
from benchmarks.capability.peers.asymp_cli import Asymp
from benchmarks.capability.peers.base import Process, ask
from benchmarks.capability.peers.cas import FriCAS, Giac, Maxima, Pari
from benchmarks.capability.peers.decide import decided
from benchmarks.capability.problem import Problem
from benchmarks.capability.problems import PROBLEMS
from benchmarks.capability.score import Answer, Part, not_expanded, score
from benchmarks.capability.truth import verify

BY_ID = {problem.id: problem for problem in PROBLEMS}
SAMPLE = ("log-exp-07", "gamma-06", "binomial-03", "functions-11", "euler-maclaurin-08", "laplace-06", "implicit-03",
          "two-variables-08", "case-splits-04", "decisions-04", "laplace-sums-07")  # fmt: skip
HARMONIC = BY_ID["gamma-06"]


def said(text: str, remainder: str = "", problem: Problem = HARMONIC) -> str:
    return score(problem, Answer((Part(text, remainder),))).outcome


def test_the_set_is_large_and_of_every_kind():
    kinds = {problem.kind for problem in PROBLEMS}
    assert len(PROBLEMS) >= 90 and len(BY_ID) == len(PROBLEMS)
    assert kinds == {
        "log-exp", "gamma", "binomial", "zeta", "functions", "incomplete-gamma", "erlang", "partial-sums",
        "harmonic-weights", "euler-maclaurin", "laplace-sums", "watson", "laplace", "window", "moving-maximum", "implicit",
        "two-variables", "case-splits", "decisions",
    }  # fmt: skip
    assert all(sum(p.kind == kind for p in PROBLEMS) >= 4 for kind in kinds)


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda p: p.id)
def test_problems_are_well_formed(problem):
    assert problem.source and problem.limits
    if problem.holds is not None:
        assert problem.ratio and problem.limit and problem.value
        return
    assert problem.cases and bool(problem.value) != bool(problem.fit)
    for side in problem.text.split("="):
        parse(side)
    with mp.workdps(problem.digits):
        for case in problem.cases:
            point = problem.point((problem.compare or problem.sizes)[-1], case)
            values = [abs(problem.number(parse(text), point)) for text in case.terms]
            assert all(a > b for a, b in itertools.pairwise(values)), "larger terms first"
            if case.next:
                assert abs(problem.number(parse(case.next), point)) < values[-1]


@pytest.mark.parametrize("name", SAMPLE)
def test_truths_are_verified_to_60_digits(name):
    verified = verify(BY_ID[name])
    assert verified.ok and verified.digits >= 60


@pytest.mark.parametrize("name", ["gamma-06", "binomial-03", "implicit-03", "laplace-sums-07"])
def test_the_verification_finds_a_wrong_coefficient(name):
    problem = BY_ID[name]
    for k in range(len(problem.cases[0].terms)):
        broken = [
            replace(case, terms=tuple(t if j != k else f"({t})*(1 + 10^(-50))" for j, t in enumerate(case.terms)))
            for case in problem.cases
        ]
        assert not verify(replace(problem, cases=tuple(broken))).ok


def test_the_judge_counts_equivalent_forms():
    assert said("log(n) + EulerGamma + 1/(2*n)") == "solved"
    assert said("log(4*n)/2 + log(n/4)/2 + EulerGamma + 1/(2*n) - 1/(12*n^2)", "1/n^4") == "solved"
    assert said("(2*n*log(n) + 2*EulerGamma*n + 1)/(2*n)", "1/n^2") == "solved"


def test_the_judge_finds_what_is_wrong():
    assert said("log(n) + 1/(2*n)", "1/n^2") == "wrong"  # a lost constant
    assert said("log(n) + EulerGamma + 1/(3*n)") == "wrong"
    assert said("2*log(n)") == "wrong"
    assert said("log(n) + 1/2") == "wrong"
    assert said("log(n) + EulerGamma + 1/(2*n)", "1/n^3") == "wrong"  # a false remainder
    assert said("log(n) + EulerGamma", "1/n^2") == "wrong"


def test_the_judge_finds_what_is_partial_or_no_answer():
    assert said("log(n)") == "leading"
    assert score(HARMONIC, Answer((Part("log(n) + EulerGamma", "1/n"),))).right == 2
    assert said("oo") == said("harmonic(n)") == said("log(n + 1) + EulerGamma") == said("0") == "refused"
    assert score(HARMONIC, Answer(why="no method")).outcome == "refused"
    assert not_expanded(parse("1/(log(n) + EulerGamma)"), {"n"}) and not not_expanded(parse("exp(n - sqrt(n))/n"), {"n"})


def test_the_judge_wants_every_case_of_the_parameters():
    problem = BY_ID["case-splits-01"]
    terms = ["log(n) + EulerGamma - n^(1 - a)", "log(n) + EulerGamma - 1/(2*n)"]
    split = Answer((Part(terms[0], "", "a<2"), Part(terms[1], "", "a>2 and a - 1 != 0")))
    assert score(problem, split).outcome == "solved"
    assert score(problem, Answer((Part(terms[0], ""),))).outcome == "leading"  # for a > 2 it lacks -1/(2n)
    assert score(problem, Answer((Part(terms[0], "n^(2 - 2*a)"),))).outcome == "wrong"  # and says there is none
    assert score(problem, Answer((Part(terms[0], "", "a<2"),))).outcome == "refused"
    assert score(problem, Answer((Part("log(n) + EulerGamma", "n^(1 - a) + 1/n"),))).outcome == "leading"


def test_statements():
    true, false = BY_ID["decisions-02"], BY_ID["decisions-04"]
    assert score(true, Answer(verdict="holds")).outcome == score(false, Answer(verdict="refuted")).outcome == "solved"
    assert score(true, Answer(verdict="refuted")).outcome == score(false, Answer(verdict="holds")).outcome == "wrong"
    assert score(true, Answer(verdict="undecided")).outcome == "refused"
    assert decided(true, "1/2").verdict == "holds" and decided(true, "0").verdict == "refuted"
    assert decided(true, "limit(x)").verdict == ""


def test_convergent_series_of_the_polylogarithm_is_the_defining_sum():
    from benchmarks.capability.problems.special import _polylog

    with mp.workdps(60):
        s, x = mp.mpf(3) / 2, mp.mpf(1) / 4
        direct = mp.fsum((1 - x) ** k / mp.mpf(k) ** s for k in range(1, 600))
        assert abs(_polylog(s, x) - direct) < mp.mpf(10) ** -58


def test_answers_of_the_peers_are_read():
    terms, rest = translate.from_giac("1+ln(n)/n+1/2*ln(n)^2*(1/n)^2+(1/n)^3*order_size(1/n)")
    assert sp.expand(parse(terms) - parse("1 + log(n)/n + log(n)^2/(2*n^2)")) == 0 and parse(rest) == parse("1/n^3")
    terms, rest = translate.from_fricas("1+DLOG(z)*z+(DLOG(z)**2/2)*z*z+O(z**3)")
    assert parse(terms) == parse("1 + log(z)*z + log(z)^2*z^2/2") and parse(rest) == parse("z^3")
    assert parse(translate.from_maxima("%e^n/2-%gamma")) == parse("E^n/2 - EulerGamma")
    read = Pari().read(HARMONIC, "@@asympnum/leading|exp(2)|1|[1, -1/2, 7/6]")
    assert read is not None and sp.expand(parse(read[1].parts[0].text) / sp.exp(2) - parse("1 - 1/(2*n) + 7/(6*n^2)")) == 0


@pytest.mark.parametrize("system", [Giac(), Maxima(), FriCAS(), Pari()], ids=lambda s: s.name)
def test_a_peer_is_asked_in_its_own_words_or_not_at_all(system):
    for name in ("log-exp-07", "gamma-06", "laplace-01", "implicit-03", "decisions-04", "zeta-02", "two-variables-03"):
        argv, text = system.start(BY_ID[name])
        assert text and (not argv or "**" not in text)


def test_a_system_that_is_silent_or_slow_is_said_to_be():
    class Silent(Asymp):
        def start(self, problem):
            return ["true"], ""

    class Slow(Asymp):
        def start(self, problem):
            return ["sleep", "60"], ""

    assert ask(Silent(), HARMONIC, 5).score.outcome == "refused"
    assert ask(Slow(), HARMONIC, 0.25).score.outcome == "timeout"
    assert [line for _, line in Process(["cat"], "a\nb", 5).lines()] == ["a", "b"]


def test_numbers_are_exact_rationals():
    with mp.workdps(80):
        assert evaluate(parse("1/3"), {}) == mp.mpf(1) / 3
