"""Side conditions of the kernel's rules that no other test meets: for each, data or premises that it refuses, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import pytest

import asymp.kernel.records as records  # all rules
from asymp.kernel.balls import bounds, goals, positive
from asymp.kernel.chains import balance
from asymp.kernel.data import MOST_PARTS, Data, plain
from asymp.kernel.functions import order, order_terms
from asymp.kernel.growths import asymptotics, exact, growth, paths, regime, series, uniform
from asymp.kernel.rings import bernstein, constants, factors, field, moments, ratio
from asymp.kernel.sequences import apart, falling, induction, rewriting, shapes, tied
from asymp.kernel.summation import ends, generalised, linear, powers, sums, whole
from asymp.kernel.terms import ONE, ZERO, Refused, Term, name, number, read
from asymp.kernel.theorem import Theorem, apply, replay
from asymp.language.conditions import read_conditions
from asymp.language.statement import read_statement

assert records


def seen(text: str) -> Theorem:
    """A premise that the rule ``sums`` shows by itself."""
    return apply("sums", statement=text, by=[])


def identity(text: str) -> Theorem:
    """A premise that the rule ``algebra`` shows, or its negation."""
    return apply("algebra", statement=text)


# --- certificates and data ------------------------------------------------------------------------------


def test_data_of_a_step_do_not_name_the_rule() -> None:
    for key in ("name", "premises"):
        with pytest.raises(Refused, match="data of other names"):
            replay([{"rule": "algebra", "premises": [], "data": {"statement": "1 < 2", key: []}}])


def test_data_have_a_length_and_a_limit() -> None:
    assert len(Data({"a": 1, "b": [2]})) == 2
    with pytest.raises(Refused, match="too many parts"):
        plain([0] * (MOST_PARTS + 1))


def test_a_bound_variable_is_written_beside_a_variable_of_its_name() -> None:
    assert str(read("Sum(b0*k, (k, 1, n))")) == "Sum(b0_*b0, (b0_, 1, n))"


# --- the theory of order -----------------------------------------------------------------------------------

SOME: dict[str, Any] = {"values": {}, "functions": {}, "defined": [], "said": [], "held": []}
IN = "function w(k), whole s >= 1, whole i, 1 <= i <= s"
CHOSEN = {**SOME, "values": {"s": "1", "i": "1"}, "functions": {"w": [["k"], "k"]}, "held": [[["linear", []]]] * 3}
RANKED = "Ranked(w(j), (j, 1, s), i)"
VALID = [[[1, "1"]], [[2, "1"]]]
S = "Sum(w(j), (j, 1, s))"
LINEAR = [["linear", []]]


def why(statement: str, proof: object, some: Mapping[str, Any] = SOME, steps: object = ()) -> str:
    """Why a proof about order is refused; empty where it is not."""
    try:
        apply("order", statement=statement, some=dict(some), steps=list(steps), proofs=[proof])  # type: ignore[call-overload]
    except Refused as error:
        return str(error)
    return ""


@pytest.mark.parametrize(("step", "reason"), [
    (["have", "s", ">=", "1", LINEAR], "a comparison is by <=, < or ="),
    (["have", "s", "<=", "s - 1", LINEAR], "does not follow"),
    (["use", 0, [], []], "the number of what is said"),
    (["choose", "Max(s, i)", 5, [[], []]], "the number of a part"),
    (["choose", "Max(s, i)", 2, [[], []]], "the number of a part"),
    (["choose", "AtMost(s, i)", 2, [[]]], "AtMost is 0 or 1"),
    (["choose", "w(s)", 1, [[]]], "a Max, a Min or an AtMost"),
    (["bounds", "w(s)"], "a Max, a Min or an AtMost"),
    (["bounds", "Min(s, i)", 2], "a list of 1"),
    (["put", 0, None], "equations of parts"),
    (["lemma", "[s >= 1 for whole k], [i >= 1 for whole k]", None, [LINEAR]], "said for all whole values"),
    (["lemma", "k >= 1", None, [LINEAR]], "said for all whole values"),
    (["ranks", S, RANKED, "0", "<=", "q", LINEAR, VALID], "a Ranked of whole ends and rank"),
    (["within", "Ranked(w(j), (j, 1, s), i/2)", "s", True, "q", LINEAR, VALID], "a Ranked of whole ends and rank"),
    (["steady", RANKED, "z + Sum(w(j), (j, 1, s))", "z", "p", "q", [["linear", [[3, "1"]]]], VALID], "a range of its own"),
    (["steady", RANKED, "z", "s", "p", "q", LINEAR, VALID], "no new variable"),
    (["higher", RANKED, "Ranked(2*w(j), (j, 1, s), i)", VALID, VALID, []], "two ranks of the same values"),
    (["extremes", RANKED, "s/2", VALID, [[], [], []]], "a place that is not seen to be whole"),
    (["extremes", RANKED, "0", VALID, [[], [], []]], "does not follow"),
    (["listed", "Ranked(w(j), (j, 1, 2), 3)", [1, 2], [[]]], "each place once, and a rank among them"),
    (["sums", RANKED, S, "<=", "q", LINEAR, [[0, "1"]]], "a Sum between whole ends"),
    (["sums", S, S, "<", "q", LINEAR, [[0, "1"]]], "by <= or ="),
    (["cut", S, "s/2", [[0, "1"]], [[], []]], "a place that is not seen to be whole"),
    (["cut", S, "-1", [[0, "1"]], [[], []]], "does not follow"),
    (["one", RANKED, []], "a Sum between whole ends"),
    (["one", "Sum(w(j), (j, i/2, s))", []], "a Sum between whole ends"),
    (["none", RANKED, []], "a Sum between whole ends"),
    (["all", S, [[0, "1"]]], "the sum of all ranks of the same values"),
    (["all", "Sum(Ranked(w(j), (j, 1, s), 1), (r, 1, s))", [[0, "1"]]], "the sum of all ranks of the same values"),
    (["all", "Sum(Ranked(w(j), (j, 1, s), r), (r, 2, s))", [[0, "1"]]], "the sum of all ranks of the same values"),
    (["all", "Sum(Ranked(w(j), (j, r, s), r), (r, 1, s))", [[0, "1"]]], "the sum of all ranks of the same values"),
    (["all", "Sum(Ranked(w(j), (j, 1, r), r), (r, 1, s))", [[0, "1"]]], "change with the rank"),
    (["all", "Sum(Ranked(w(j), (j, 1/2, s - 1/2), r), (r, 1, s))", [[0, "1"]]], "ends that are not whole"),
])  # fmt: skip
def test_steps_of_a_proof_about_order(step: list[object], reason: str) -> None:
    assert reason in why(f"s >= 1 for {IN}", [step, ["linear", [[0, "1"]]]], CHOSEN)


@pytest.mark.parametrize(("statement", "step"), [
    ("w(i) + 1 >= w(i)", ["have", "w(i)", "<=", "w(i) + 1", LINEAR]),
    ("Min(s, i) <= s", ["bounds", "Min(s, i)"]),
    (f"{RANKED} >= 0", ["within", RANKED, "0", True, "q", [["linear", [[3, "1"]]]], VALID]),
    (f"Ranked(w(j), (j, 1, s), s) <= w(1)", ["extremes", RANKED, "1", VALID, [[], [[0, "1"]], []]]),
    (f"{S} <= {S}", ["sums", S, S, "<=", "q", LINEAR, [[0, "1"]]]),
    ("s^2 <= s^2", ["have", "s^2", "<=", "s*s", LINEAR]),
])  # fmt: skip
def test_steps_that_go_through(statement: str, step: list[object]) -> None:
    """Up to the goal, which does not follow from this step alone in some of them."""
    assert "step" not in why(f"{statement} for {IN}", [step, ["linear", [[3, "1"]]]], CHOSEN)


def test_both_ways_make_an_equation() -> None:
    proof = [["both", [["linear", [[0, "1"]]]], [["linear", [[1, "1"]]]]]]
    xy = {**SOME, "values": {"x": "0", "y": "0"}, "held": [LINEAR, LINEAR]}
    assert not why("x = y for x <= y, y <= x", proof, xy)
    assert "does not close a goal" in why("x <= y for x <= y, y <= x", proof, xy)
    assert "does not follow" in why("x = y for x <= y, y <= x + 1", proof, xy)
    with pytest.raises(Refused, match="does not follow"):
        apply("order", statement="x = y for x <= y, y <= x", some=xy, steps=[], proofs=[[["both", LINEAR, [["linear", [[1, "1"]]]]]]])


def test_what_order_theory_does_not_know() -> None:
    x = {**SOME, "values": {"x": "0"}}
    assert "none that order theory knows" in why("x^7 <= x^7 for real x", LINEAR, x)
    assert "none that order theory knows" in why("x^(1/2) <= x^(1/2) for real x", LINEAR, x)
    assert why("x <= oo for real x", LINEAR, x)
    assert "too many parts" in why("(a + b + c + d + g)^6*(a + b + c + d + g)^6 <= 1 for real a, real b, real c, real d, real g",
                                   LINEAR, {**SOME, "values": dict.fromkeys("abcdg", "0")})  # fmt: skip
    assert "no premises" in _refused("order", [identity("1 < 2")], statement="1 < 2", some=SOME, steps=[], proofs=[LINEAR])
    with pytest.raises(Refused, match="too many facts"):
        known = order.Known(frozenset("x"), frozenset(), {}, frozenset())
        known.also(*[(name("x"), "<=", name("x"))] * (order.MOST_FACTS + 1))


def test_combinations_that_say_nothing_absurd() -> None:
    known = order.Known(frozenset("x"), frozenset(), {}, frozenset(), ((name("x"), "<=", ZERO), (ZERO, "<", name("x")), (ONE, "<=", name("x"))))
    known.absurd([[0, "1"], [1, "1"]])
    known.absurd([[0, "1"], [2, "1"]])
    for by in ([[0, "1"]], [[1, "1"]], []):
        with pytest.raises(Refused, match="do not contradict"):
            known.absurd(by)


def _refused(rule: str, premises: list[Theorem], **data: Any) -> str:
    with pytest.raises(Refused) as caught:
        apply(rule, premises, **data)
    return str(caught.value)


@pytest.mark.parametrize(("statement", "some", "reason"), [
    ("x/n -> 0 as n -> oo", SOME, "for all of a domain"),
    ("x <= x for x in {1, 2}", {**SOME, "values": {"x": "1"}}, "a condition of another kind"),
    ("x <= x and x -> 0 for real x", SOME, ""),
    ("f(1) <= f(1) for function f(n)", {**SOME, "functions": {"f": [["n"], "Sum(k, (k, 1, n))"]}}, "a term without ranges"),
    ("f(1) <= f(1) for function f(n)", {**SOME, "functions": {"f": [["n", "m"], "n"]}}, "a term without ranges in its arguments"),
    ("f(1) <= f(1) for function f(n), [f(n) = 1 for whole n]", {**SOME, "functions": {"f": [["n"], "1"]}, "defined": [["f", [0]]]}, "arguments"),
    ("f(1) <= f(1) for function whole f(n), [f(n) = 1 for whole n]", {**SOME, "defined": [["f", [0]]]}, "by one equation, or by two"),
    ("f(1) <= f(1) for function f(n), [f(n) = 1 for whole n]", {**SOME, "defined": [["f", []]]}, "by one equation, or by two"),
    ("f(1) <= f(1) for function f(n), [f(n) = 1 for whole n]", {**SOME, "defined": [["f", [1]]]}, "the number of what is said"),
    ("f(1) <= f(1) for function f(n), [f(n) <= 1 for whole n]", {**SOME, "defined": [["f", [0]]]}, "with f on the left"),
    ("f(1) <= f(1) for function f(n), function g(n), [f(n) = g(n) for whole n], [g(n) = 1 for whole n]",
     {**SOME, "defined": [["f", [0]], ["g", [1]]]}, "by what is defined after it"),
    ("f(1) <= f(1) for function f(n), [f(n) = f(n) for whole n]", {**SOME, "defined": [["f", [0]]]}, "defined by itself"),
    ("f(1) <= f(1) for function f(n), [f(0) = f(5) for whole n], [f(n + 1) = 1 for whole n >= 0]", {**SOME, "defined": [["f", [0, 1]]]}, ""),
    ("f(1) <= f(1) for function f(n), f(0) = f(5), [f(n + 1) = 1 for whole n >= 0]", {**SOME, "defined": [["f", [1, 0]]]}, "given by itself"),
    ("f(1) <= f(1) for function f(n), f(0) = 0, [f(n + 1) = f(n - 1) for whole n >= 0]", {**SOME, "defined": [["f", [1, 0]]]}, "by what comes later"),
])  # fmt: skip
def test_choices_of_functions(statement: str, some: dict[str, Any], reason: str) -> None:
    found = why(statement, LINEAR, some)
    assert found
    assert reason in found


def test_suppositions_are_comparisons_that_have_a_meaning() -> None:
    x = {**SOME, "values": {"x": "0"}}
    good = why("x <= 0 if x <= -1 for real x", [["linear", [[0, "1"]]]], x)
    assert not good
    w = {**SOME, "functions": {"w": [["k"], "k"]}, "values": {"x": "0"}}
    assert "whole arguments" in why("x <= 0 if w(1/2) <= x for function w(k), real x", [["linear", [[0, "1"]]]], w)
    assert why("x <= 0 if x <= -1 and x <= -2 for real x", [["linear", [[0, "1"]]]], x)
    assert "no goal to put into yet" in why("x = x for x = 0", LINEAR, {**x, "held": [LINEAR]}, [["put", 0, None]])


# --- rules, by their data ------------------------------------------------------------------------------------

N_IS_S: dict[str, Any] = {"scales": {"s": "n"}, "values": {"n": "s"}}
ALONG: dict[str, Any] = {"runner": "k", "values": {"n": "k"}}
LIMIT = {"order": 3, "place": N_IS_S, **ALONG}


@pytest.mark.parametrize(("rule", "data", "reason"), [
    ("asymptotic", {"statement": "n*c -> c as n -> oo", **LIMIT, "values": {"n": "k", "c": "1"}}, ""),
    ("asymptotic", {"statement": "2*n -> n as n -> oo", **LIMIT}, "a limit that is no constant"),
    ("asymptotic", {"statement": "n <= 2*n as n -> oo", **LIMIT}, ""),
    ("path", {"statement": "1/n -> 0 as n -> oo", "order": 3, **ALONG}, "the series show that it holds on the path"),
    ("path", {"statement": "n <= 2*n as n -> oo", "order": 3, **ALONG}, ""),
    ("path", {"statement": "2*n -> n as n -> oo", "order": 3, **ALONG}, "a limit that moves"),
    ("asymptotic", {"statement": "m/n -> 0 as n -> oo, m = 1/n, m = 2/n", **LIMIT}, "tied twice"),
    ("asymptotic", {"statement": "p/n -> 0 as n -> oo, m = 1/n, p = m/n", **LIMIT}, "a tie to what is tied"),
    ("asymptotic", {"statement": "m/n -> 0 as n -> oo for n in {1, 2}", **LIMIT}, "of what moves"),
    ("asymptotic", {"statement": "m/n -> 0 as n -> oo, m -> oo, m = n^2", **LIMIT}, ""),
    ("bounds", {"statement": "n/(n + 1) -> 1 as n -> oo", "point": {}, "proofs": [[]]}, ""),
    ("bounds", {"statement": "x <= x for x in {1, 2}", "point": {"x": "1"}, "proofs": [["by", []]]}, "a domain of comparisons is wanted"),
    ("sums", {"statement": "x -> 0 as x -> 0", "by": []}, ""),
    ("logarithm", {"statement": "x <= y for x > 0, y > 0"}, "a side is to be a logarithm"),
    ("monotone", {"statement": "x <= y for x > 0, y > 0"}, "one function of two terms"),
    ("cases", {"statement": "1 < 2", "cases": []}, "one at least"),
    ("replace", {"statement": "1 < 2"}, "with their right for their left sides"),
    ("rewrite", {"statement": "1 < 2", "cuts": []}, "with these put in"),
])  # fmt: skip
def test_rules_by_their_data(rule: str, data: dict[str, Any], reason: str) -> None:
    assert reason in _refused(rule, [], **data)


@pytest.mark.parametrize(("rule", "premises", "data", "reason"), [
    ("contrary", ["x^2 = x*x for x > 0"], {"statement": "x^2 < x*x for x > 1", "point": {"x": "2"}}, "another domain"),
    ("falling", ["x = x for x > 0"] * 2, {"statement": "x <= x + 1 for x in {1, 2}", "variable": "x", "by": "next"}, "is no comparison"),
    ("falling", ["x = x for x > 0"] * 2, {"statement": "x <= x + 1 for x > 0", "variable": "x", "by": "next"}, "no limit of the difference"),
    ("tied", ["1 = 1"], {"statement": "v = 1 for v = 1, n in {1, 2}", "variable": "v"}, "is no condition on values"),
    ("tied", ["1 = 1"], {"statement": "v = v for v > 1", "variable": "v"}, "no one value of v"),
    ("instance", ["x < x + 1 for x > 0"], {"statement": "x < x + 1 for x > 0", "values": {"y": "x"}}, "does not stand in the theorem"),
    ("instance", ["x < x + 1 for x > 0"], {"statement": "x < x + 1 for x > 0, y in {1, 2}", "values": {"x": "y"}}, "another statement"),
    ("induction", ["1 < 2", "n < n + 1 for whole n >= 1"], {"statement": "n < n + 1 for real n, n >= 1", "variable": "n"}, "not said to be whole"),
    ("induction", ["1 <= 2", "0 <= 0 for whole n >= 1"], {"statement": "n = n for whole n >= 1", "variable": "n"}, "the base is not"),
    ("monotone", ["x <= x + 1 for x > 0"], {"statement": "exp(2*x) <= exp(x + 1) for x > 0"}, "not on the exponents"),
    ("monotone", ["x <= x + 1 for x > 0"], {"statement": "log(x) <= log(x + 1) for x > 0"}, "one premise, for exponentials"),
    ("replace", ["x < x + 1 for x > 0", "1 < 2"], {"statement": "1 < 2 for x > 0"}, "an equation on another domain"),
    ("replace", ["x = 1*x for x > 0", "1 < 2"], {"statement": "1 < 2"}, "an equation on another domain"),
    ("rewrite", ["x < x + 1 for x > 0", "1 < 2"], {"statement": "1 < 2 for x > 0", "cuts": []}, "no value of a function at variables"),
    ("cases", ["x < x + 1 for whole x > 0"], {"statement": "x < x + 1 for whole x > 0", "cases": [{"where": "whole y"}]}, "a case says no kind"),
    ("cases", ["3 < 4 for y in {1, 2}"], {"statement": "x < x + 1 for whole x > 0, y in {1, 2}", "cases": [{"put": {"x": "3"}}]},
     "a domain with lists of values"),
])  # fmt: skip
def test_rules_by_their_premises(rule: str, premises: list[str], data: dict[str, Any], reason: str) -> None:
    assert reason in _refused(rule, [identity(text) if "whole" not in text else seen(text) for text in premises], **data)
