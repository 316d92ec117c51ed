"""Statements and expansions that are typed in: ``asymp ask`` and ``asymp expand``."""

from __future__ import annotations

import json

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from asymp.check import bounds
from asymp.check.ask import ask
from asymp.check.expansion import MOST_TERMS, expand_text
from asymp.claim import Bound, Domain
from asymp.cli import main
from asymp.enclosure import enclose
from asymp.parse import ParseError, parse_expression

UPHELD = [
    ("harmonic(n) ~ log(n)", "n->oo", []),
    ("harmonic(n) = log(n) + EulerGamma + O(1/n)", "n->oo", []),
    ("exp(-n) = o(n^-5)", "n->oo", []),
    ("n^(2-a) = O(n)", "n->oo", ["a>1"]),
    ("log(1/(1-x)) = o(1/(1-x))", "x->1-", []),
    ("E1(p) ~ log(1/p)", "p->0+", []),
    ("n = (1+o(1))*(n+log(n))", "n->oo", []),
    ("n*m -> oo", "n->oo, m->oo", []),
    ("(1-p)^n -> 1", "n->oo, p=n^(-a)", ["a>1"]),
    ("(n+1)^2 = n^2 + 2*n + 1 for n >= 1", "n->oo", []),
]
WRONG = [
    ("harmonic(n) ~ 2*log(n)", "n->oo", []),
    ("n^2*log(n) = O(n^2)", "n->oo", []),
    ("harmonic(n) - log(n) - EulerGamma = O(n^-2)", "n->oo", []),
    ("harmonic(n) = log(n) + EulerGamma + o(1/n)", "n->oo", []),
    ("log(n) + log(log(n)) = log(n) + O(1)", "n->oo", []),
    ("log(n)^2 = O(log(n))", "n->oo", []),
    ("E1(p) ~ 2*log(1/p)", "p->0+", []),
    ("(1-p)^n -> 1", "n->oo, p=1/n", []),
    ("n <= 100*log(n) for n >= 2", "n->oo", []),
    ("(n+1)^2 = n^2 + 2*n for n >= 1", "n->oo", []),
]
NOT_HOLDING = [  # wrong, or true and not within reach: in either case not upheld
    ("1 = O(sin(n))", "n->oo", []),
    ("LambertW(n) ~ 103*log(n)/100", "n->oo", []),
    ("n/m -> 0", "n->oo, m->oo", []),
    ("n^(2-a) = O(n)", "n->oo", []),
    ("n^2*log(n) <= n^3 - (n-1)*(n-2)*(n-3)*(n-12345)/10^9 for n >= 4", "n->oo", []),
    ("log(n) = O(n^b)", "n->oo", ["b<0"]),
]


@pytest.mark.parametrize(("statement", "to", "assume"), UPHELD)
def test_true_statements_are_upheld(statement, to, assume):
    verdict = ask(statement, to=to, assume=assume)
    assert (verdict.outcome, verdict.strength) == ("holds", "proved"), verdict.reason


@pytest.mark.parametrize(("statement", "to", "assume"), WRONG)
def test_wrong_statements_are_refuted(statement, to, assume):
    assert ask(statement, to=to, assume=assume).outcome == "refuted"


@pytest.mark.parametrize(("statement", "to", "assume"), NOT_HOLDING)
def test_what_is_wrong_or_out_of_reach_is_not_upheld(statement, to, assume):
    verdict = ask(statement, to=to, assume=assume)
    assert verdict.outcome != "holds"
    assert verdict.outcome == "refuted" or verdict.reason


PROVED_BOUNDS = [
    "log(n) <= n for n >= 1",
    "n < n^2 for n >= 2",
    "exp(n) >= n^3 for n >= 5",
    "2^n >= n^2 for n >= 4",
    "log(n+1) - log(n) >= 1/(n+1) for n >= 1",
    "harmonic(n) <= 1 + log(n) for n >= 1",
]
UNPROVED_BOUNDS = [  # wrong somewhere between the points tried, or out of reach
    "n <= 10^25 for n >= 1",
    "n^3 >= 6*n^2 - 11*n + 5 for n >= 1",
    "(n - 10^6 - 1/3)^2 >= 1/100 for n >= 1",
    "sin(n) <= 1 for n >= 1",
    "log(n) <= n for n <= 5",
    "n^2*(n - 700)^2*(n - 800)^2 + n >= 1 + (n - 1)*(1 - 1/10^30) for n >= 1",
]


@pytest.mark.parametrize("statement", PROVED_BOUNDS)
def test_bounds_with_a_short_proof_hold_for_all(statement):
    verdict = ask(statement, to="n->oo")
    assert (verdict.outcome, verdict.strength) == ("holds", "proved"), verdict.reason
    assert verdict.steps


@pytest.mark.parametrize("statement", UNPROVED_BOUNDS)
def test_a_bound_that_holds_at_all_points_tried_is_not_proved(statement):
    verdict = ask(statement, to="n->oo")
    assert verdict.outcome == "undecided"
    assert "not proved for all of n" in verdict.reason


@given(
    st.lists(st.integers(-3, 3), min_size=2, max_size=4),
    st.lists(st.integers(-3, 3), min_size=1, max_size=3),
    st.integers(1, 4),
    st.sampled_from(["<=", "<"]),
)
@settings(max_examples=60, deadline=None)
def test_what_is_proved_holds_at_points_that_were_not_tried(powers, logs, start, op):
    n = sp.Symbol("n", positive=True)
    rhs = sum(c * n**k for k, c in enumerate(powers)) + sum(c * sp.log(n) ** k / n for k, c in enumerate(logs))
    if not bounds.prove(Bound(sp.S.Zero, op, sp.sympify(rhs), Domain(f"n >= {start}"))):
        return
    for point in [start + sp.Rational(k, 7) for k in range(60)] + [sp.Integer(10) ** k + 3 for k in range(1, 40, 3)]:
        value = sp.sympify(rhs).subs(n, point).evalf(30)
        assert value > -sp.Float("1e-20") if op == "<=" else value > 0


CODE = ["__import__('os').system('true') ~ n", "().__class__ ~ n", "lambda: n ~ n", "n.real ~ n", "eval(n) ~ n", "[n] ~ n"]


@pytest.mark.parametrize("text", CODE)
def test_code_is_refused(text, capsys):
    with pytest.raises(ParseError):
        ask(text, to="n->oo")
    assert main(["ask", text, "--to", "n->oo"]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert len(err.splitlines()) == 1
    assert main(["expand", text.replace(" ~ n", ""), "--to", "n->oo"]) == 2


def test_the_answer_as_json(capsys):
    assert main(["ask", "harmonic(n) ~ log(n)", "--to", "n->oo", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["outcome"], answer["strength"]) == ("holds", "proved")
    assert "f/g tends to 1" in answer["why"]


# --- expansions ------------------------------------------------------------------------------

EXPANSIONS = {  # expression, limit, assumptions -> the first three terms and the next growth, by hand or DLMF
    "Stirling's harmonic numbers, DLMF 5.11.2": (
        "harmonic(n)", "n->oo", [], ["log(n)", "EulerGamma", "1/(2*n)"], "n**(-2)"),
    "exponential integral, DLMF 6.6.2": (
        "E1(p)", "p->0+", [], ["log(1/p)", "-EulerGamma", "p"], "p**2"),
    "the number e": ("(1+1/n)^n", "n->oo", [], ["E", "-E/(2*n)", "11*E/(24*n**2)"], "n**(-3)"),
    "exact": ("n^2 + n", "n->oo", [], ["n**2", "n"], "0"),
    "a tie": ("(1-p)^n", "n->oo, p=1/n", [], ["exp(-1)", "-exp(-1)/(2*n)", "-5*exp(-1)/(24*n**2)"], "n**(-3)"),
}  # fmt: skip


@pytest.mark.parametrize("name", EXPANSIONS)
def test_known_expansions(name):
    expression, to, assume, terms, growth = EXPANSIONS[name]
    answer = expand_text(expression, to=to, assume=assume, order=3)
    assert [parse_expression(t) - parse_expression(s) for t, s in zip(answer["terms"], terms, strict=True)] == [0] * len(terms)
    assert answer["remainder"] == {"kind": "O", "growth": growth, "constant": None, "valid_from": None}
    assert answer["strength"] == "proved"


@pytest.mark.parametrize("order", [1, 2, 3, 5])
def test_terms_can_be_read_again_and_their_remainder_holds_at_a_number(order):
    expression = "exp(1/n)*harmonic(n)"
    answer = expand_text(expression, to="n->oo", order=order)
    assert len(answer["terms"]) == order
    rest = parse_expression(expression) - sp.Add(*(parse_expression(term) for term in answer["terms"]))
    quotient = rest / parse_expression(answer["remainder"]["growth"])
    small, large = (enclose(quotient, {"n": 10**power}, digits=6) for power in (8, 100))
    assert abs(float(small.value)) < 10
    assert abs(float(large.value)) < 10


def test_incomparable_remainders_are_added_up():
    answer = expand_text("n^(1-a) + 1 + 1/n", to="n->oo", assume="a>1", order=1)
    assert answer["terms"] == ["1"]
    growth = parse_expression(answer["remainder"]["growth"])
    assert growth == parse_expression("n^(1-a) + 1/n")


def test_a_coefficient_that_may_vanish_makes_a_case():
    answer = expand_text("1/((a-1)*n + log(n))", to="n->oo", order=1)
    (case,) = answer["cases"]
    assert case["when"] == "a - 1 != 0"
    assert "terms" not in answer
    decided = expand_text("1/((a-1)*n + log(n))", to="n->oo", assume="a>1", order=1)
    assert decided["terms"] == ["1/(n*(a - 1))"]


REFUSALS = [
    {"expression": "sin(n)", "to": "n->oo"},
    {"expression": None, "to": "n->oo", "equation": "x*exp(x) = n", "unknown": "x"},
    {"expression": "n*sin(1/n)", "to": "n->oo"},
]


@pytest.mark.parametrize("question", REFUSALS, ids=str)
def test_what_is_not_known_is_refused_with_the_reason(question):
    answer = expand_text(**question)
    assert set(answer) == {"refused"}
    assert len(answer["refused"].splitlines()) == 1


def test_the_command_prints_one_line_or_one_object(capsys):
    assert main(["expand", "harmonic(n)", "--to", "n->oo", "--order", "2"]) == 0
    assert capsys.readouterr().out == "log(n) + EulerGamma + O(1/n)\n"
    assert main(["expand", "n^2 - n", "--to", "n->oo"]) == 0
    assert capsys.readouterr().out == "n**2 - n\n"
    assert main(["expand", "sin(n)", "--to", "n->oo"]) == 1
    assert capsys.readouterr().err == "asymp expand: no method expands sin\n"
    assert main(["expand", "harmonic(n)", "--to", "n->oo", "--json"]) == 0
    assert set(json.loads(capsys.readouterr().out)) == {"terms", "remainder", "strength", "seconds"}
    assert main(["expand", "n", "--to", "n->oo", "--order", str(MOST_TERMS + 1)]) == 2
