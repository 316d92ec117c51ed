"""Side conditions of the kernel's rules that no other test meets: for each, data or premises that it refuses, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from flint import arb, fmpq
from gmpy2 import mpq

import asymp.kernel.records as records  # all rules
from asymp.functions.row import Needed, Row
from asymp.functions.series import Terms
from asymp.kernel import theorem
from asymp.kernel.balls import bounds, goals, roots
from asymp.kernel.balls.derivative import derivative
from asymp.kernel.chains import balance, law, listing, pieces
from asymp.kernel.data import MOST_PARTS, Data, plain
from asymp.kernel.domain import given
from asymp.kernel.facts import exponentials, intervals, moved, ranges, tails
from asymp.kernel.facts import signs as positive
from asymp.kernel.functions import order, order_terms
from asymp.kernel.growths import asymptotics, bounded, exact, expander, growth, narrower, paths, regime, series, uniform
from asymp.kernel.rings import bernstein, defined, factors, field, moments, ratio
from asymp.kernel.rings.defined import is_whole
from asymp.kernel.sequences import apart, falling, induction, rewriting, shapes, tied
from asymp.kernel.summation import ends, generalised, linear, sums
from asymp.kernel.terms import ONE, ZERO, Refused, Term, name, number, read
from asymp.kernel.theorem import Theorem, apply, replay
from asymp.kernel.trust import collected, of_flint
from asymp.language.chains import read_chain, read_definition
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
    (f"w(i) <= w(i) + 1 for {IN}", ["have", "w(i)", "<=", "w(i) + 1", LINEAR]),
    (f"Min(s, i) <= i for {IN}", ["bounds", "Min(s, i)"]),
    (f"Ranked(w(j), (j, 1, s), 1) <= w(i) for {IN}",
     ["extremes", "Ranked(w(j), (j, 1, s), 1)", "i", [[], [[0, "1"]]], [[[1, "1"]], [[2, "1"]], []]]),
    (f"w(i) <= Ranked(w(j), (j, 1, s), s) for {IN}",
     ["extremes", "Ranked(w(j), (j, 1, s), s)", "i", [[[0, "1"]], []], [[[1, "1"]], [[2, "1"]], []]]),
    (f"{RANKED} >= 0 for {IN.replace('whole s', '[w(k) = 0 for whole k], whole s')}",
     ["within", RANKED, "0", True, "q", [["use", 0, ["q"], []], ["linear", [[5, "-1"]]]], VALID]),
    (f"{RANKED} <= 0 for {IN.replace('whole s', '[w(k) = 0 for whole k], whole s')}",
     ["within", RANKED, "0", False, "q", [["use", 0, ["q"], []], ["linear", [[5, "1"]]]], VALID]),
    (f"{S} <= {S} for {IN}", ["sums", S, S, "<=", "q", LINEAR, [[0, "1"]]]),
    (f"{S} <= {S} for {IN}", ["lemma", "[n <= n for whole n]", None, [LINEAR]]),
    (f"{S} <= {S} for {IN}, whole b0", ["have", "s^2", "<=", "s*s", LINEAR]),
])  # fmt: skip
def test_steps_that_go_through(statement: str, step: list[object]) -> None:
    some = {**CHOSEN, "functions": {"w": [["k"], "0"]}}
    some |= {"said": [[LINEAR]]} if "[w(k)" in statement else {}
    some |= {"values": {**CHOSEN["values"], "b0": "0"}} if "b0" in statement else {}
    place = [] if S in statement or step[0] == "have" else [[3, "1"]]
    assert not why(statement, [step, ["linear", place]], some)


def test_whole_values_of_what_is_said() -> None:
    lemma = ["lemma", "[n <= n for whole n]", None, [LINEAR]]
    x = {**SOME, "values": {"x": "0"}}
    assert not why("x <= x for real x", [lemma, ["use", 0, ["AtMost(x, 0)"], []], ["linear", []]], x)
    assert "not seen to be whole" in why("x <= x for real x", [lemma, ["use", 0, ["x"], []], ["linear", []]], x)


def test_both_ways_make_an_equation() -> None:
    proof = [["both", [["linear", [[0, "1"]]]], [["linear", [[1, "1"]]]]]]
    xy = {**SOME, "values": {"x": "0", "y": "0"}, "held": [LINEAR, LINEAR]}
    assert not why("x = y for x <= y, y <= x", proof, xy)
    assert "does not close a goal" in why("x <= y for x <= y, y <= x", proof, xy)
    assert "does not follow" in why("x = y for x <= y, y <= x + 1", proof, xy)
    with pytest.raises(Refused, match="does not follow"):
        apply(
            "order",
            statement="x = y for x <= y, y <= x",
            some=xy,
            steps=[],
            proofs=[[["both", LINEAR, [["linear", [[1, "1"]]]]]]],
        )


def test_what_order_theory_does_not_know() -> None:
    x = {**SOME, "values": {"x": "0"}}
    assert "none that order theory knows" in why("x^7 <= x^7 for real x", LINEAR, x)
    assert "none that order theory knows" in why("x^(1/2) <= x^(1/2) for real x", LINEAR, x)
    assert why("x <= oo for real x", LINEAR, x)
    assert "too many parts" in why("(a + b + c + d + g)^6*(a + b + c + d + g)^6 <= 1 for real a, real b, real c, real d, real g",
                                   LINEAR, {**SOME, "values": dict.fromkeys("abcdg", "0")})  # fmt: skip
    assert "no premises" in _refused(
        "order", [identity("1 < 2")], statement="1 < 2", some=SOME, steps=[], proofs=[LINEAR]
    )
    known = order.Known(frozenset("x"), frozenset(), {}, frozenset())
    with pytest.raises(Refused, match="too many facts"):
        known.also(*[(name("x"), "<=", name("x"))] * (order.MOST_FACTS + 1))


def test_combinations_that_say_nothing_absurd() -> None:
    known = order.Known(
        frozenset("x"),
        frozenset(),
        {},
        frozenset(),
        ((name("x"), "<=", ZERO), (ZERO, "<", name("x")), (ONE, "<=", name("x"))),
    )
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
    ("asymptotic", {"statement": "n = 2*n as n -> oo", **LIMIT}, ""),
    ("asymptotic", {"statement": "n >= 2*n as n -> oo", **LIMIT}, "the series show that it fails"),
    ("asymptotic", {"statement": "n <= n as n -> oo", **LIMIT}, "no term that leads"),
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
    assert reason in _refused(
        rule, [identity(text) if "whole" not in text else seen(text) for text in premises], **data
    )


# --- what a function of the kernel refuses by itself ---------------------------------------------------------

WHERE = growth.Domain(within={"x": defined.Range(Fraction(0), True), "n": defined.Range(Fraction(1))})
X = WHERE.value(read("x"))

WHOLE = exact.Whole(frozenset({"n", "m"}))


def conditions(text: str) -> Any:
    return read_conditions(text)


def an_expander() -> expander.Expander:
    """Of terms in n, which tends to infinity."""
    return expander.Expander(algebra(), {"n": 0}, {})


def algebra(order: int = 3) -> series.Algebra:
    return series.Algebra(WHERE, order)


def grows(i: int = 0, depth: int = 0, e: int = 1) -> growth.Growth:
    return growth.power_of(i, depth, ratio.rational(e))


def a_series(*parts: tuple[int, growth.Growth], rest: tuple[growth.Growth, ...] = ()) -> series.Series:
    return series.Series(tuple((ratio.rational(c), g) for c, g in parts), rest)


REFUSALS: list[tuple[Callable[[], object], str]] = [
    # limits of antiderivatives
    (lambda: bounds.limit((X + ratio.rational(1)).inverse(), "x", _at("x > 0")), "a limit of a quotient"),
    (lambda: bounds.limit(_at("x > 0").value(read("sin(x)")), "x", _at("x > 0")), "the limit of sin(x)"),
    (lambda: bounds.limit(_at("x > 0").value(read("exp(-x^2)")), "x", _at("x > 0")), "the limit of"),
    (lambda: bounds.limit(_at("x > 0").value(read("Ei(x)")), "x", _at("x > 0")), "the limit of Ei(x)"),
    (lambda: bounds.limit(_at("x > 0").value(read("exp(x)")), "x", _at("x > 0")), "not seen to vanish"),
    (lambda: bounds.limit(_at("x > 0").value(read("x")), "x", _at("x > 0")), "not seen to vanish"),
    (lambda: bounds.bound(_at("x < oo"), "x", 0), "an infinite end"),
    (lambda: bounds.bound(_at("x = 1"), "x", 0), "that is no end of x"),
    (lambda: bounds.bound(_at("x < 1"), "x", 1), "the number of a hypothesis"),
    (lambda: bounds.bound(_at("x < 1"), "x", True), "the number of a hypothesis"),
    # comparisons and shapes
    (lambda: goals.goals(read_statement("x -> 0 as x -> 0")), "a comparison for all of a domain"),
    (lambda: induction.one_link(read_statement("x -> 0 as x -> 0")), "no comparison"),
    (lambda: rewriting.replaced(read_statement("x -> 0 as x -> 0"), {}), "a comparison is wanted"),
    (lambda: order.written(conditions("whole x")[0]), "is no comparison"),
    (lambda: shapes.needed(read_statement("n^2 is increasing in n for whole n, n <= 5"), 1, "next"), "no least value"),
    (lambda: falling.is_about(conditions("x in {1, 2}")[0], "x"), "is no comparison"),
    (lambda: tied.untied(read_statement("v = 1 for v = 1, v = 2"), "v"), "no one value of v"),
    # parts of a statement
    (
        lambda: apart.parts(read_statement("c/n -> 0 as n -> oo for c in {1, 2}, (c, d) in {(1, 2)}"), "c"),
        "several lists of values",
    ),
    (lambda: apart.parts(read_statement("c/n -> 0 as n -> oo for c in 1..1000"), "c"), "too many values"),
    (lambda: apart.parts(read_statement("c/n -> 0 as n -> oo for c in 1..d"), "c"), "ends that are no whole numbers"),
    (lambda: apart.parts(read_statement("c/n -> 0 as n -> oo for c in {1, d}"), "c"), "values that are no numbers"),
    (
        lambda: apart.parts(read_statement("c/n -> 0 as n -> oo for whole c, c in {1, 1/2}"), "c"),
        "which is to be whole",
    ),
    (
        lambda: apart.parts(read_statement("c/n -> 0 as n -> oo for c in {1, 2}, d in c..5"), "d"),
        "ends that are no whole",
    ),
    (lambda: apart.parts(read_statement("c/n -> 0 as n -> oo for c in {1, 2}, besselj(1, c) >= 1"), "c"), "is not seen"),
    (lambda: apart.parts(read_statement("c/n -> 0 as n -> oo for whole c"), "c"), "c has no least value"),
    (lambda: apart.parts(read_statement("c/n -> 0 as n -> oo for c > 0"), "c"), "c is not whole"),
    (
        lambda: apart._at(read_statement("c/n -> 0 as n -> oo for c in {1, 2}"), {"c": ONE}),
        "a condition of another kind",
    ),
    # regimes
    (lambda: regime.ties(conditions("m = 1/n, m = 2/n")), "tied twice"),
    (lambda: regime.ties(conditions("pi = 1/n")), "tied twice"),
    (lambda: regime.ties(conditions("p = 1/m, m = 1/n")), "a tie to what is tied"),
    (
        lambda: asymptotics.holds(read_statement("1 < 2").body, expander.Expander(algebra(), {}, {}), lambda node: ONE),
        "another form",
    ),
    (lambda: asymptotics.fails(read_statement("1 < 2").body, None, None), "another form"),  # type: ignore[arg-type]
    # series
    (lambda: algebra().spend(series.MOST_WORK + 1), "too long"),
    (lambda: algebra().leading(a_series()), "no term that leads"),
    (lambda: algebra().leading(a_series((1, grows(0)), (1, grows(1)))), "no term that leads"),
    (lambda: algebra().below(a_series((1, grows(0)), rest=(grows(0),))), "a remainder that may lead"),
    (lambda: algebra().below(a_series((1, grows(0)), (-1, grows(1)))), "different signs"),
    (lambda: algebra().below(a_series(rest=(grows(0),))), "no term that leads"),
    (lambda: algebra().composed(lambda k: ratio.rational(1), a_series((1, grows()))), "what does not tend to 0"),
    (lambda: algebra().in_reciprocal([Fraction(1)], a_series((1, grows(e=-1)))), "does not tend there"),
    (lambda: algebra().in_reciprocal([Fraction(1)], a_series((-1, grows()))), "does not tend there"),
    (lambda: an_expander().series(read("besselk(7, 1/n)")), "outside of its domain"),
    (lambda: an_expander().series(read("E1(-n)")), "no series of E1"),
    (lambda: an_expander().series(read("asin(1 + 1/n)")), "at an end"),
    (lambda: an_expander()._sum(Terms("1", "x"), {"x": name("n")}), "what does not tend to 0"),
    (lambda: algebra().log(a_series((-1, grows()))), "a logarithm of what may be negative"),
    (
        lambda: algebra().power(a_series((-1, grows())), ratio.rational(Fraction(1, 2))),
        "a root of what may be negative",
    ),
    (lambda: algebra().power(a_series((1, grows()), rest=(grows(),)), ratio.rational(-1)), "no term that leads"),
    (lambda: algebra().power(a_series(), ratio.rational(0)), "no term that leads"),
    (lambda: algebra().exp(a_series((1, grows()), rest=(grows(),))), "neither vanishes nor grows"),
    (lambda: algebra().times(*[a_series(*((1, grows(k)) for k in range(series.MOST_TERMS)))] * 2), "too many terms"),
    (
        lambda: algebra().made([(ratio.rational(1), grows(k)) for k in range(series.MOST_TERMS + 1)], []),
        "too many terms",
    ),
    (lambda: growth.power_of(0, 6), "more than 5 deep"),
    (lambda: uniform._plain(growth.Growth((), ((ratio.rational(1), grows()),))), "an exponential at the end"),
    (lambda: stretched("Abs(s - t)"), "leading terms of different signs"),
    (
        lambda: bounded.Waves(WHOLE).without(read(" + ".join(f"sin({k}*x)" for k in range(1, 15)))),
        "too much oscillates",
    ),
    (
        lambda: bounded._only_whole(read_statement("sin(n)/n -> 0 as whole n -> oo, n >= 5"), frozenset("n"), ()),
        "in classes",
    ),
    # coefficients
    (lambda: hash(X), "equal ratios may be written differently"),
    (lambda: ratio.number_power(Fraction(2), 20_000), "a high power of a number"),
    (lambda: ratio.rational(0).inverse(), "a division by zero"),
    (lambda: X.power(ratio.MOST_DEGREE + 1), "to a high power"),
    (
        lambda: factors.factored({((name(f"x{k}"), Fraction(1)),): Fraction(1) for k in range(factors.MOST_TERMS + 1)}),
        "a long polynomial",
    ),
    (lambda: factors.factored({((name("x"), Fraction(10**6)),): Fraction(1), (): Fraction(1)}), "of high degree"),
    (lambda: moments.powers_of(read("Integral(exp(-u_of_the_integral*u), (u, 0, oo))")), "as a name"),
    (lambda: moments.powers_of(read("Integral(exp(-u), (u, 1, oo))")), "another form"),
    (lambda: moments.powers_of(read("Integral(u, (u, 0, oo))")), "without an exponential"),
    (lambda: ranges.ball(read("(-2)^(1/2)")), "a power of what may be 0 or negative"),
    (lambda: ranges.ball(read("log(-2)")), "log of what may be undefined"),
    (lambda: ranges.ball(read("gamma(-1)")), "gamma of what may be 0 or negative"),
    (lambda: ranges.ball(read("besselj(1, 1)")), "besselj of 2 is not known here"),
    (lambda: ranges.ball(read("x")), "x has no range here"),
    (lambda: ranges.ball(read("Integral(u*exp(-u^2 - u), (u, 0, oo))")), "a power as a factor"),
    (lambda: ranges.ball(read("Integral(exp(-u^(5/2) - u), (u, 0, oo))")), "no small whole number"),
    (lambda: ranges.ball(read("Integral(exp(-u^100 - u), (u, 0, oo))")), "no small whole number"),
    (lambda: exponentials.falling(read("Integral(exp(-u), (u, 0, oo))"), lambda part, _: intervals.point(-1)), "may not converge"),
    (lambda: ranges.ball(read("Integral(exp(u^2), (u, 0, oo))")), "may not converge"),
    (lambda: ranges.ball(read("Integral(exp(1000000*u - u^2), (u, 0, oo))")), "over a long range"),
    # conditions on whole numbers, and sums
    (lambda: linear.relations(conditions("x in {1, 2}")), "is no comparison"),
    (lambda: linear.compared(conditions("x in 1..5")[0], frozenset()), "x is not whole"),
    (lambda: linear.compared(conditions("x in {1, 2}")[0], frozenset()), "is no comparison"),
    (lambda: linear.form(read("x"), frozenset()), "is not linear in whole variables"),
    (
        lambda: linear.multiplied({f"a{k}": 1 for k in range(1000)}, {f"b{k}": 1 for k in range(1000)}),
        "too many terms",
    ),
    (lambda: sums.Sums(conditions("function f(n)")), "no condition on values"),
    (lambda: sums.Sums(conditions("2 <= x, x <= 1")), "x has no values"),
    (lambda: sums.Sums(conditions("2 <= x, x < 2")), "x has no values"),
    (lambda: sums.Sums(conditions("whole n, 2 < n, n < 3")), "n has no values"),
    (lambda: sums.Sums(conditions("x > 0")).introduce("x", None), "x is taken"),
    (lambda: sums.Sums(conditions("whole x > 0")).of(read("factorial2(x)")), "of an even or of an odd number"),
    (lambda: sums.Sums(conditions("real x")).of(read("x!")), "gamma of what may not be positive"),
    (lambda: sums.Sums(conditions("x > 0")).cleared(value_of("1/(x + 1)")), "a quotient that is not understood"),
    (lambda: sums.Sums(conditions("0 <= x, x <= 1")).of(read("1/(x - 1/2)")), "a division by what may be 0"),
    (lambda: sums.Sums(conditions("x > 0")).of(read("Product(k, (k, 1, oo))")), "an infinite product"),
    (lambda: sums.Sums(conditions("x > 0")).of(read("Product(k, (k, 1, x))")), "not seen to be whole"),
    (lambda: sums.Sums(conditions("whole x")).of(read("Product(k, (k, 1, x))")), "may run backwards"),
    (lambda: sums.Sums(conditions("x > 0")).of(read("Integral(t, (t, 0, x))")), "not seen to be at least 1"),
    (lambda: sums.Sums(conditions("x > 1")).of(read("Integral(floor(t), (t, 1, x))")), "not seen to be continuous"),
    (lambda: sums.Sums(conditions("x > 0")).of(read("oo")), "is no coefficient"),
    (
        lambda: tails.monomials(read("Sum((1 + x + k)^4*(2 + k)^4*(3 + k)^4*(4 + k)^4, (k, 1, oo))").parts[0]),
        "too many monomials",
    ),
    # laws of chains
    (lambda: apply("relative", list=[], chain="", given="", law=[], home="", order=[], relative=[]), "has no h here"),
    (lambda: balance._piece([], None), "a piece has ranges or where"),  # type: ignore[arg-type]
    (lambda: balance._frozen({1: 2}), "a table has texts as keys"),
    (lambda: balance._frozen([1.5]), "the data are texts"),
    (lambda: balance._frozen([True]), "the data are texts"),
    (lambda: balance._listing({}), "a list has by, low"),
    (lambda: balance._comparisons("whole x"), "kinds are those of the coordinates"),
]


def stretched(text: str) -> series.Series:
    return expander.Expander(algebra(), {"s": 0, "t": 1}, {}).series(read(text))


def _at(text: str) -> Any:
    return goals.context(goals.question(read_statement(f"0 <= 0 for {text}")))


def ratio_term(x: ratio.Ratio) -> Term:
    return field.to_term(x)


def value_of(text: str) -> ratio.Ratio:
    return WHERE.value(read(text))


@pytest.mark.parametrize(("asked", "reason"), REFUSALS)
def test_what_is_refused(asked: Callable[[], object], reason: str) -> None:
    with pytest.raises((Refused, TypeError)) as caught:
        asked()
    assert reason in str(caught.value)


@pytest.mark.parametrize(("premises", "data", "reason"), [
    (["1/x - 1/(x + 1) -> 0"] * 2, {"statement": "1/(x + 1) <= 1/x for x > 0", "by": "next"}, "a premise of another domain"),
    (["1/x - 1/(x + 1) -> 0", "-1*x^(-2) + (x + 1)^(-2) <= 0 for x > 0"], {"statement": "1/(x + 1) <= 1/x for x > 0", "by": "next"},
     "does not say that the difference falls"),
    (["1/x - 1/(x + 1) -> 0", "-1*x^(-2) + (x + 1)^(-2) <= 0 for x > 0"], {"statement": "1/(x + 1) < 1/x for x > 0", "by": "slope"}, "not seen to be strict"),
    (["1/x - 1/(x + 1) -> 0", "-1*x^(-2) + (x + 1)^(-2) <= 0 for x > 0"], {"statement": "1/(x + 1) = 1/x for x > 0", "by": "slope"}, "how the difference falls"),
    (["1/x - 1/(x + 1) -> 0", "-1*x^(-2) + (x + 1)^(-2) <= 0 for x > 0"], {"statement": "1/(x + 1) <= 1/x for x > 0", "by": "jump"}, "how the difference falls"),
    (["1/x - 1/(x + 1) -> 0", "0 <= 1/x for whole x >= 1"], {"statement": "1/(x + 1) <= 1/x for whole x >= 1", "by": "slope"},
     "a slope is for real numbers"),
    (["1/x -> 0", "-1*x^(-2) + (x + 1)^(-2) <= 0 for x > 0"], {"statement": "1/(x + 1) <= 1/x for x > 0", "by": "slope"}, "the limit of something else"),
    (["1/x - 1 -> -1", "-1*x^(-2) <= 0 for x > 0"], {"statement": "1 <= 1/x for x > 0", "by": "slope"}, "a limit that may be negative"),
])  # fmt: skip
def test_what_does_not_fall_to_its_limit(premises: list[str], data: dict[str, Any], reason: str) -> None:
    along = {"place": {"scales": {"s": "x"}, "values": {"x": "s"}}, "runner": "k", "values": {"x": "k"}, "order": 3}
    made = [
        apply("asymptotic", statement=f"{text} as x -> oo", **along) if "->" in text else seen(text)
        for text in premises
    ]
    assert reason in _refused("falling", made, variable="x", **data)


# --- what is not known -----------------------------------------------------------------------------------------

QUOTIENT = growth.Growth((), ((WHERE.value(read("1/(x + 1)")), grows()),))
OTHER = growth.Growth((), ((WHERE.value(read("1/(x + 2)")), grows()),))


@pytest.mark.parametrize(("asked", "wanted"), [
    (lambda: WHOLE.is_whole(read("2^(n*m)")), True),
    (lambda: WHOLE.is_whole(read("2^(n^2)")), True),
    (lambda: WHOLE.is_whole(read("2^(n^(1/2))")), False),
    (lambda: WHOLE.is_whole(read("2^(n - m)")), False),
    (lambda: WHOLE.is_whole(read("2^(-1)")), False),
    (lambda: WHOLE.is_whole(read("2^(x)")), False),
    (lambda: WHOLE.is_whole(read("2^floor(x)")), False),
    (lambda: WHOLE.is_whole(read("n^0")), False),
    (lambda: WHOLE.is_whole(read("floor(x)")), False),
    (lambda: WHOLE.is_whole_valued(read("n*(n + 1)/2")), True),
    (lambda: WHOLE.is_whole_valued(read("n*(m + 1)/2")), False),
    (lambda: WHOLE.is_whole_valued(read("n/2")), False),
    (lambda: WHOLE.is_whole_valued(read("1/n")), False),
    (lambda: exact.sine(Fraction(1, 5)), None),
    (lambda: exact._floor_of(value_of("7/2")), 3),
    (lambda: exact._floor_of(value_of("-7/2")), -4),
    (lambda: exact._floor_of(value_of("pi^2")), 9),
    (lambda: exact._floor_of(value_of("x")), None),
    (lambda: exact._floor_of(value_of("10^60*pi")), None),
    (lambda: exact._side([], (), WHERE), None),
    (lambda: exact._side([(ratio.rational(1), grows(0, e=-1)), (ratio.rational(1), grows(1, e=-1))], (), WHERE), None),
    (lambda: exact._side([(ratio.rational(-1), grows(0, e=-1))], (), WHERE), -1),
    (lambda: exact._side([(ratio.rational(-1), grows(0, e=-1))], (grows(0, e=-1),), WHERE), None),
    (lambda: grows().raised(ratio.rational(0)), growth.ONE),
    (lambda: bernstein.sign_on([], 0, 1), None),
    (lambda: bernstein.sign_on([0, 0], 0, 1), None),
    (lambda: bernstein.sign_on([1], 1, 0), None),
    (lambda: bernstein.sign_on([1, -2, 1], 0, None), None),
    (lambda: ends._slope(read("k^2"), name("k")), None),
    (lambda: ends._slope(read("k*(k + 1)"), name("k")), None),
    (lambda: ends._slope(read("2*(n - k)"), name("k")), Fraction(-2)),
    (lambda: positive.constant_signs(frozenset({((), Fraction(0))})), positive.NONE),
    (lambda: positive.constant_signs(frozenset({((), Fraction(-2))})), positive.NEGATIVE),
    (lambda: positive.constant_signs(frozenset({(((read("log(2)"), Fraction(1)),), Fraction(1)), ((), Fraction(-1))})), positive.NEGATIVE),
    (lambda: linear.covered(frozenset(), []), False),
    (lambda: linear.covered(frozenset({linear.NEVER}), []), True),
    (lambda: tied._value(conditions("v = v + 1")[0], "v"), None),
    (lambda: tied._value(conditions("v <= 1")[0], "v"), None),
    (lambda: str(ratio_term(_at("x > 0").value(read("uppergamma(2, x)")))), "exp(x)^(-1) + x*exp(x)^(-1)"),
    (lambda: str(ratio_term(_at("x > 0").value(read("gamma(x)")))), "gamma(x + 1)*x^(-1)"),
    (lambda: str(ratio_term(_at("x > 0").value(read("exp(x/(x + 1))")))), "E*exp((x + 1)^(-1))^(-1)"),
    (lambda: str(ratio_term(_at("x > 0").value(read("harmonic(x + 100)")))), "harmonic(x + 100)"),
    (lambda: str(ratio_term(_at("x > 0, y < 0").value(read("log(-x/(y - x))")))), "log(x) - log(x - y)"),
    (lambda: _at("x > 0").is_whole(read("floor(x)")), True),
    (lambda: _at("x > 0").is_whole(read("exp(x)")), False),
    (lambda: [str(bounded.Waves(WHOLE).without(read(t))) for t in ("ceiling(x)", "floor(x)", "Abs(-2)")], ["wave1_ + x", "x - wave1_", "2"]),
    (lambda: bounded.Waves(WHOLE).at_most_zero(value_of("1/(x + 1)"), WHERE), False),
    (lambda: bounded.Waves(WHOLE).at_most_zero(value_of("x^2"), WHERE), False),
    (lambda: bounded.Waves(WHOLE).at_most_zero(value_of("-x"), WHERE), True),
    (lambda: algebra().minus(stretched("Abs(1 - s)"), stretched("s - 1")).terms, ()),
    (lambda: algebra().minus(stretched("Abs(s - 1)"), stretched("s - 1")).terms, ()),
    (lambda: (QUOTIENT.key, QUOTIENT.same(QUOTIENT), QUOTIENT.same(OTHER)), (None, True, False)),
    (lambda: len(algebra().made([(ratio.rational(1), QUOTIENT)] * 2 + [(ratio.rational(1), OTHER)], []).terms), 2),
    (lambda: ranges.ball(read("4!")).unique_fmpz(), 24),
    (lambda: ranges.ball(read("Integral(exp(-u^2), (u, 0, oo)) - pi^(1/2)/2")).contains(0), True),
    (lambda: ranges.ball(read("digamma(1) + EulerGamma")).contains(0), True),
    (lambda: positive.constant_signs(frozenset({(((read("exp(exp(1000))"), Fraction(1)),), Fraction(1))})), positive.ANY),
    (lambda: positive.constant_signs(frozenset({(((read("log(-2)"), Fraction(1)),), Fraction(1))})), positive.ANY),
    (lambda: str(ratio_term(field.logarithm(value_of("(4*x + 4)/(x + 2)"), WHERE))), "log(x + 1) + 2*log(2) - log(x + 2)"),
    (lambda: str(ratio_term(field.logarithm(value_of("x^2 - 3*x + 3"), WHERE))), "log(3 + x^2 - 3*x)"),
    (lambda: [len(apart.parts(read_statement(f"c/n -> 0 as n -> oo for whole c, {said}"), "c")) for said in ("c >= 2", "2 < c", "2 <= c, c > 4")], [2, 2, 1]),
    (lambda: [str(one) for one in apart.parts(read_statement("c/n -> 0 as n -> oo for c in {1, 2}, c > 1"), "c")], ["2/n -> 0 as n -> oo"]),
    (lambda: sums.Sums(conditions("x > 0")).sign(value_of("x - 1")), None),
    (lambda: sums.Sums(conditions("0 <= x, x <= 1")).sign(value_of("x + 1")), 1),
    (lambda: sums.Sums(conditions("0 <= x, x <= 1")).sign(value_of("x*(x + 1)")), None),
    (lambda: sums.Sums(conditions("real x")).is_nonnegative(value_of("x")), False),
    (lambda: sums.Sums(conditions("whole n >= 1")).is_whole(value_of("n/2")), False),
    (lambda: sums.Sums(conditions("whole n >= 1")).is_whole(value_of("n^2 + 3")), True),
    (lambda: sums.Sums(conditions("whole n >= 1")).is_whole(ratio.atom(name("n")).power(-1)), False),
])  # fmt: skip
def test_what_is_told(asked: Callable[[], object], wanted: object) -> None:
    assert asked() == wanted


# --- proofs by signs, and covers by boxes ------------------------------------------------------------------------

BY: list[object] = ["by", []]
LOGS = "Integral(log(t), (t, 1, 2))"


def at_point(values: str) -> dict[str, str]:
    return dict(one.split("=") for one in values.split(", ")) if values else {}


@pytest.mark.parametrize(("statement", "point", "trees", "reason"), [
    ("log(1 + x) >= x for x > 0", "x=1", [["slope", "x", 0, BY, BY]], "the derivative is not seen to have that sign"),
    ("0 <= Abs(x) + x for real x", "x=1", [["cases", "1/x", BY, BY]], "a division by what may be 0"),
    ("0 <= n + x - x for whole n >= 0, real x", "n=1, x=1", [["whole", "n", "x", BY, BY]], "a whole variable and a whole number"),
    ("0 <= n for n >= 1", "n=1", [["integrate", "n", "x", "x", BY]], "an integral, and a fresh name"),
    (f"0 <= n*{LOGS} for n >= 1", "n=1", [["integrate", LOGS, "n", "n*log(n) - n", BY]], "an integral, and a fresh name"),
    (f"0 <= n*{LOGS} for n >= 1", "n=1", [["integrate", LOGS, "2", "x*log(x) - x", BY]], "an integral, and a fresh name"),
    ("0 <= n for n >= 1, x >= 1", "n=1, x=1", [["integrate", LOGS.replace("2)", "x)"), "x", "x*log(x) - x", BY]], "an integral by itself"),
    ("Integral(0, (t, 0, 3)) = 3 for x > 0", "x=1", [["integrate", "Integral(0, (t, 0, 3))", "y", "floor(y)", BY]], "may not be continuous"),
    ("x <= y for x > 0, y > x", "x=1, y=2", [["by", [["1", ["given", True]]]]], "no such fact"),
    ("0 <= 1 for x > 0", "x=1", [["by", [["1", ["integral", "t", "t", "0", "0", "oo", BY]]]]], "not seen to be larger on all of the range"),
    ("0 <= x for x > 0", "x=1", [["slope", 1, 0, BY, BY]], "a variable and the number of a hypothesis"),
    ("0 <= x for x > 0", "x=1", [BY, BY], "1 proofs are wanted"),
    ("0 <= x for x > 0", "x=1", [], "1 proofs are wanted"),
    ("x is increasing in pi for x > 0", "x=1", [BY], "a constant is no variable"),
    ("-1/x is increasing in x for x^2 > 0", "x=1", [BY], "where x lies is not an interval"),
    ("floor(x) - floor(x) is nondecreasing in x for x > 0", "x=1", [BY], ""),
    ("1/(x - 1) is nonincreasing in x for x > 0", "x=2", [BY], "a division by what may be 0"),
    ("x is largest at x = x for x > 0", "x=1", [BY, BY], "a place is a term in the other variables"),
    ("pi is largest at pi = 1 for x > 0", "x=1", [BY], "a place is a term in the other variables"),
    ("(x - 1/y)^2 is least at x = 1/y for real x, real y", "x=1, y=1", [BY], "a division by what may be 0"),
])  # fmt: skip
def test_proofs_by_signs(statement: str, point: str, trees: list[object], reason: str) -> None:
    assert reason in _refused("bounds", [], statement=statement, point=at_point(point), proofs=trees)


@pytest.mark.parametrize(
    ("text", "x", "i"), [("x < pi", "pi", 0), ("y < 1", "x", 0), ("x < x^2", "x", 0), ("x = 1", "x", 0)]
)
def test_an_end_of_a_variable(text: str, x: str, i: int) -> None:
    with pytest.raises(Refused, match=r"that is no end|a variable and the number"):
        bounds.bound(_at(text), x, i)


def test_a_wave_has_no_limit() -> None:
    with pytest.raises(Refused, match="the limit of sin"):
        bounds.limit(_at("x > 0").value(read("sin(-x)")), "x", _at("x > 0"))


@pytest.mark.parametrize(("statement", "cover", "reason"), [
    ("x >= 0 for 0 <= x <= 1", [[["x"], "1/2", "ok", "ok"]], "a split is"),
    ("x >= 0 for 0 <= x <= 1", [[1, "1/2", "ok", "ok"]], "a split is"),
    ("x >= 0 for 0 <= x <= 1", [["y", "1/2", "ok", "ok"]], "a split is"),
    ("x >= 0 for 0 <= x <= 1", [["x", "1/2", "ok"]], "a split is"),
    ("x >= 0 for 0 <= x <= 1", [["x", "2", "ok", "ok"]], "outside of its range"),
    ("x >= 0 for 0 <= x <= 1", [{"leaf": "ok"}], "a leaf is ok, each, slope or taylor K"),
    ("x >= 0 for 0 <= x <= 1", ["okay"], "a leaf is ok, each, slope or taylor K"),
    ("x >= 0 for 0 <= x <= 1", ["ok", "ok"], "a cover is a list"),
    ("n >= 0 for whole n, 0 <= n <= 10^9", ["each"], "too many whole values"),
    ("x >= 0 for x >= 0", ["ok"], "is not bounded on both sides"),
    ("1/x - 1/x >= 0 for -1 <= x <= 1", ["slope"], ""),
])  # fmt: skip
def test_covers_by_boxes(statement: str, cover: list[object], reason: str) -> None:
    assert reason in _refused("boxes", [], statement=statement, cover=cover, bits=64)


def test_too_many_listed_values() -> None:
    listed = ", ".join(f"x{k} in {{1, 2, 3, 4, 5, 6, 7, 8, 9}}" for k in range(8))
    assert "too many listed values" in _refused("boxes", [], statement=f"x0 >= 0 for {listed}", cover=["ok"], bits=64)


@pytest.mark.parametrize("place", ["some", "uniform", "regime"])
def test_forms_of_statements(place: str) -> None:
    from dataclasses import replace

    said = replace(read_statement("x > 0 for x > 1"), **{place: conditions("y > 0")})
    asked: list[Callable[[Any], object]] = [
        goals.question, lambda one: asymptotics.checked_order(replace(one, regime=() if place == "regime" else conditions("n -> oo")), 3),
    ]  # fmt: skip
    for one in asked:
        with pytest.raises(Refused, match=r"of another form|for all of a domain"):
            one(said)


# --- regimes ------------------------------------------------------------------------------------------------------

ORDERS = {"order": 3, "place": N_IS_S, **ALONG}
ON_PATH = {"order": 3, **ALONG}
LEAF = {"place": N_IS_S, **ALONG}
BOUNDED = {**ORDERS, "classes": 1}


def limit(text: str, rule: str = "asymptotic", premises: tuple[Theorem, ...] = ()) -> Theorem:
    """A theorem of a rule about n -> oo."""
    data: dict[str, Any] = {
        "asymptotic": ORDERS,
        "path": ON_PATH,
        "along": ON_PATH,
        "leaf": LEAF,
        "bounded": BOUNDED,
        "uniform": ORDERS,
    }[rule]
    return apply(rule, premises, statement=f"{text} as n -> oo", **data)


@pytest.mark.parametrize(("rule", "data"), [
    ("asymptotic", ORDERS), ("bounded", BOUNDED), ("path", ON_PATH), ("along", ON_PATH), ("leaf", LEAF),
])  # fmt: skip
def test_statements_of_a_regime_alone(rule: str, data: dict[str, Any]) -> None:
    for text in (
        "erf(n) = 1 + O(1/n) for some k in 1..2 as n -> oo", "erf(n) = 1 + O(1/n) uniformly in 1 <= i <= n as n -> oo",
        "erf(n) = 1 + O(1/n)", "erf(n) = 1 + O(1/n) for some k in 1..2",
    ):  # fmt: skip
        chosen = rule == "path" and "uniformly" in text  # which has a value there
        assert "of another form" in _refused(rule, [], statement=text, **data) or rule == "leaf" or chosen
        assert not chosen or "a value for each name" in _refused(rule, [], statement=text, **data)
        assert rule != "leaf" or "a leaf is an expansion" in _refused(rule, [], statement=text, **data)
    for many in (0, 1000, True, "3"):
        if rule != "leaf":
            assert "an order from 1" in _refused(rule, [], statement="n = O(n) as n -> oo", **{**data, "order": many})


@pytest.mark.parametrize(("rule", "text", "reason"), [
    ("asymptotic", "n/(n + 1) -> 2", "the series show that it fails"),
    ("along", "sin(n) + wave1_/n = o(1)", "a path has a value for each name"),
    ("along", "sin(log(-n)) + n = O(1)", "a logarithm of what may be negative"),
    ("along", "sin(n) = O(n - n)", "a leading coefficient that may be 0"),
    ("along", "n - n = Omega(sin(n))", "a leading coefficient that may be 0"),
    ("along", "sin(n) -> n", "a limit that moves"),
    ("bounded", "sin(n) -> n", "a limit that moves"),
    ("bounded", "sin(log(-n))/n -> 0", "a logarithm of what may be negative"),
    ("leaf", "parallel_occupancy(n, 1 + n) = 0 + O(1/n)", "is not seen to be defined"),
    ("leaf", "f(n) = 0 + O(1/n)", "one atom that moves"),
    ("leaf", "Sum(n^(-k), (k, 0, oo)) = 1 + O(1/n)", "one atom that moves"),
    ("leaf", "parallel_occupancy(n, 1/2) = erf(n) + O(1/n)", "elementary in what tends"),
    ("leaf", "parallel_occupancy(n, 1/2) = c + O(1/n)", "of which nothing is said"),
    ("leaf", "parallel_occupancy(n, 1/2) = 1 + O(n - n)", r"a remainder O\(0\)"),
])  # fmt: skip
def test_limits_that_are_refused(rule: str, text: str, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        limit(text, rule)


def test_names_that_are_taken_by_what_oscillates() -> None:
    for rule, data in (("along", ON_PATH), ("bounded", BOUNDED)):
        values = {"n": "k", "wave1_": "1"}
        said = _refused(
            rule, [], statement="sin(n)/n + wave1_ = O(1/n) as n -> oo for wave1_ > 0", **{**data, "values": values}
        )
        assert "the names of the quantities are taken" in said


def test_premises_of_a_limit() -> None:
    erf, fails = limit("parallel_occupancy(n, 1/2) = 1 + O(1/n)", "leaf"), limit("1/n = 0 + O(1/n^2)", "path")
    along = apply("uniform", statement="i = n + O(n) uniformly in 1 <= i <= n as n -> oo", **ORDERS)
    for rule in ("asymptotic", "bounded"):
        with pytest.raises(Refused, match="a premise that is not used"):
            limit("1/n -> 0", rule, (erf,))
        for premise in (fails, along, identity("1 < 2")):
            with pytest.raises(Refused, match="a premise that is no expansion"):
                limit("1/n -> 0", rule, (premise,))
    for rule in ("path", "along"):
        with pytest.raises(Refused, match="a premise that is not used"):
            limit("n -> 0", rule, (erf,))
        with pytest.raises(Refused, match="a premise that is no expansion"):
            limit("n -> 0", rule, (fails,))
    both = apply("all", [identity("1 < 2"), identity("2 < 3")], statement="1 < 2 and 2 < 3")
    assert "no comparison for all of a domain" in _refused("contrary", [both], statement="1 < 2", point={})
    assert "is not seen to tend" in _refused("narrower", [limit("1/n -> 0")], statement="1/n -> 0 as n -> c", **ALONG)


def test_premises_are_of_the_same_regime() -> None:
    erf = apply(
        "leaf",
        statement="parallel_occupancy(n, 1/2) = 1 + O(1/n) as n -> oo for a > 1",
        place=N_IS_S,
        runner="k",
        values={"n": "k", "a": "2"},
    )
    with pytest.raises(Refused, match="another regime or domain"):
        limit("parallel_occupancy(n, 1/2) -> 1", "asymptotic", (erf,))


def test_what_is_supposed_is_a_comparison() -> None:
    assert "what is supposed is a comparison" in why(
        "x <= 0 if n -> oo for real x", LINEAR, {**SOME, "values": {"x": "0", "n": "1"}}
    )
    assert "comparisons are wanted" in why("x -> 0 for real x", LINEAR, {**SOME, "values": {"x": "0"}})


I_BETWEEN = growth.Domain(within={"x": defined.Range(Fraction(0), True)}, between={1: (growth.ONE, grows(0))})
I_LARGE = growth.Domain(within={"x": defined.Range(Fraction(0), True)}, between={1: (grows(0, 1), grows(0))})


def exponential(c: ratio.Ratio, g: growth.Growth) -> growth.Growth:
    return growth.Growth((), ((c, g),))


@pytest.mark.parametrize(("asked", "wanted"), [
    (lambda: a_series(rest=(grows(),)).is_zero, False),
    (lambda: a_series((1, grows())).is_zero, False),
    (lambda: [bounded._is_whole_power(Fraction(k)) for k in ("2", "3", "1/2", "-2", "0")], [True, True, False, False, False]),
    (lambda: bounded.Waves(WHOLE)._is_wave(Term("exp", (ONE,), name="wave1_")), False),
    (lambda: [WHOLE.is_whole(read(t)) for t in ("x^2", "n^(3/2)", "(3/2)^n", "0^n", "2^(n + 1/2)", "2^(x^2)", "2^(n^m)")], [False] * 7),
    (lambda: growth.Growth(grows().powers, QUOTIENT.exponent).same(growth.Growth(grows(1).powers, QUOTIENT.exponent)), False),
    (lambda: [grows(1, 1).limit(I_LARGE), grows(1).limit(I_LARGE), grows(1, e=-1).limit(I_LARGE)], ["infinity", "infinity", "zero"]),
    (lambda: [grows(1).limit(I_BETWEEN), grows(1, e=-1).limit(I_BETWEEN)], ["unknown", "bounded"]),
    (lambda: exponential(ratio.rational(-1), grows(1)).limit(I_BETWEEN), "unknown"),
    (lambda: exponential(ratio.rational(-1), grows(1)).limit(I_LARGE), "zero"),
    (lambda: exponential(value_of("x - 1"), grows(1)).limit(I_LARGE), "unknown"),
    (lambda: exponential(ratio.rational(1), grows(1, 1)).limit(I_LARGE), "infinity"),
    (lambda: [grows(1, 1).limit(I_BETWEEN), (grows(1, 1) / grows(0)).limit(I_LARGE)], ["unknown", "zero"]),
    (lambda: (grows(1, 1) / grows(0, 1)).limit(I_LARGE), "bounded"),
])  # fmt: skip
def test_growths(asked: Callable[[], object], wanted: object) -> None:
    assert asked() == wanted


def test_harmonic_numbers_between_two_growths() -> None:
    from asymp.kernel.trust import collected

    with collected() as used:
        found = expander.Expander(series.Algebra(I_LARGE, 3), {"s": 0, "i": 1}, {}).series(read("harmonic(i)"))
    assert found.rest
    assert {"DLMF 5.4.14", "DLMF 5.15.1"} <= used
    for head in ("harmonic", "digamma"):
        parts = (name("s"), name("s"))
        with pytest.raises(Refused, match=f"no series of {head}"):
            expander.Expander(algebra(), {"s": 0}, {}).series(Term("sum", (Term(head, parts), name("s"))))


@pytest.mark.parametrize(("statement", "place", "reason"), [
    ("1/n -> 0 as n -> oo, m -> oo", {"scales": {"s": "n", "t": "m/n"}, "values": {"n": "s", "m": "s*t"}}, "is not said to tend to infinity"),
    ("1/n -> 0 as n -> oo", {"scales": {"s": "n"}, "values": {"n": "s^2"}}, "n is not s"),
    ("1/n -> 0 as n -> oo", {"scales": {"s": "n"}, "values": {"n": "x"}}, "no value of n in the quantities"),
    ("1/n -> 0 as n -> oo", {"scales": {"s": "n"}, "values": {}}, "no value of n in the quantities"),
    ("1/n -> 0 as n -> oo", {"scales": {"s": "n"}, "values": {"n": "s", "x": "s"}}, "no variable of the regime"),
    ("1/n -> 0 as n -> oo", {"scales": {"s": "n", "t": "n"}, "values": {"n": "s"}}, "a quantity in which nothing is written"),
    ("1/n -> 0 as n -> oo", {"scales": {"s": "n"}, "values": {"n": "s"}, "small": {"n": "q"}}, "only what tends to 0 from above"),
    ("1/n -> 0 as n -> oo, p -> 0+", {"scales": {"s": "n", "t": "1/p"}, "values": {"n": "s", "p": "1/t"}, "small": {"p": "s"}}, "are taken"),
    ("1/n -> 0 as n -> oo", {"scales": {"pi": "n"}, "values": {"n": "pi"}}, "are taken"),
    ("c/n -> 0 as n -> oo", {"scales": {"c": "n"}, "values": {"n": "c"}}, "are taken"),
    ("1/n -> 0 as n -> oo", {"scales": {"s": "n"}}, "a place has scales"),
    ("m/n -> 0 as n -> oo, m -> oo, m = n^2", N_IS_S, "a variable that is tied and tends"),
    ("1/pi -> 0 as pi -> oo", N_IS_S, "has two limits, or is a constant"),
    ("x = Theta(1) as n -> oo for x -> 0, x > 0", N_IS_S, "does not belong in a domain"),
    ("1/n -> 0 as n -> oo, n -> 0+", N_IS_S, "has two limits"),
    ("1/n -> 0 as n -> oo for 2 <= x, x <= 1", N_IS_S, "x has no values"),
    ("1/n -> 0 as n -> oo for whole x, whole y, x < y, y < x", N_IS_S, "no whole values meet"),
    ("c/n -> 0 as n -> oo for c in {1, n}", N_IS_S, "of what moves"),
    ("c/n -> 0 as n -> oo for c > n", N_IS_S, "a parameter that depends on what moves"),
])  # fmt: skip
def test_places(statement: str, place: dict[str, Any], reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        regime.placed(read_statement(statement), place)


@pytest.mark.parametrize(("data", "reason"), [
    ({"runner": "c", "values": {"n": "c", "c": "1"}}, "are taken"),
    ({"runner": "pi", "values": {"n": "pi", "c": "1"}}, "are taken"),
    ({"runner": "k + 1", "values": {"n": "k + 1", "c": "1"}}, "a runner is a name"),
    ({"runner": "k", "values": {"n": "k", "c": "log(-1)"}}, "a logarithm of what may not be positive"),
    ({"runner": "k", "values": {"n": "k", "c": "k"}}, "numbers for parameters"),
    ({"runner": "k", "values": {"n": "-k", "c": "1"}}, "fails on the path"),
])  # fmt: skip
def test_paths(data: dict[str, Any], reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        paths.path_of(read_statement("c/n -> 0 as n -> oo"), data)


def test_conditions_on_a_path() -> None:
    along = paths.Path.of("k", {"x": number(-1), "n": name("k")})
    with pytest.raises(Refused, match="a logarithm"):
        along.obeys(conditions("log(x) <= log(x)")[0])
    for text in ("whole m", "m in {1, 2}"):
        with pytest.raises(Refused, match="fails on the path"):
            along.obeys(conditions(text)[0])
    lone = {"n": "oo", "m": "oo", "p": "0"}
    told = {
        "log(n)": True,
        "log(p)": False,
        "log(2*n)": False,
        "c^2": False,
        "n^m": False,
        "n^(1/2)*p": True,
        "-n": False,
        "c*n": False,
    }
    assert {text: regime.is_positive(read(text), lone) for text in told} == told
    for text in ("-x", "x + 1", "x - 1", "1 - x"):
        with pytest.raises(Refused, match="is no positive monomial"):
            regime.positive_monomial(read(text), WHERE)


def test_narrower_regimes() -> None:
    known = limit("1/n -> 0")
    for statement, premise in (
        ("1/n -> 0", known), ("1/n -> 0 for some k in 1..2 as n -> oo", known), ("2/n -> 0 as n -> oo", known), ("1 < 2 as n -> oo", identity("1 < 2")),
        ("i = O(n) uniformly in 1 <= i <= n as n -> oo", apply("uniform", statement="i = O(n) uniformly in 1 <= i <= n as n -> oo", **ORDERS)),
    ):  # fmt: skip
        assert "a premise that says something else" in _refused("narrower", [premise], statement=statement, **ALONG)
    for premises in ([], [known, known], [limit("1/n = 0 + O(1/n^2)", "path")]):
        assert "one premise that holds" in _refused("narrower", premises, statement="1/n -> 0 as n -> oo", **ALONG)
    both = {"scales": {"s": "n", "t": "m"}, "values": {"n": "s", "m": "t"}}
    apart_ = apply(
        "asymptotic",
        statement="1/n -> 0 as n -> oo, m -> oo, n - m -> oo",
        order=3,
        place=both,
        runner="k",
        values={"n": "k^2", "m": "k"},
    )
    assert "is not seen to follow" in _refused(
        "narrower", [apart_], statement="1/n -> 0 as n -> oo, m -> oo", runner="k", values={"n": "k", "m": "k"}
    )


def test_series_of_what_is_not_seen() -> None:
    a = algebra()
    with pytest.raises(Refused, match="no term that leads"):
        a.within(a_series((1, grows())), "Omega", a_series())
    for f in (a_series((1, grows()), rest=(grows(1),)), a_series(rest=(grows(),)), a_series((-1, growth.ONE), rest=(grows(),))):
        with pytest.raises(Refused, match="neither vanishes nor grows"):
            a.exp(f)
    with pytest.raises(Refused, match="up to what vanishes"):
        a.exp(a_series((-1, grows()), rest=(growth.ONE,)), exact=True)
    f = a_series((1, grows()), (1, grows(1)))
    with pytest.raises(Refused, match="no term that leads"):
        a.power(f, ratio.rational(Fraction(1, 2)))
    many = [
        (ratio.rational(1), growth.Growth((), ((WHERE.value(read(f"1/(x + {k})")), grows()),)))
        for k in range(1, 20)
    ]
    spent = algebra()
    spent.made(many, [])
    assert spent.spent[0] > 10 * 19


def test_uniform_statements() -> None:
    said = "i = O(n) uniformly in 1 <= i <= n as n -> oo"
    assert "a statement, an order, a place and a path" in _refused("uniform", [], statement=said, **ORDERS, more=1)
    for order_ in (0, 1000, True):
        assert "an order from 1" in _refused("uniform", [], statement=said, **{**ORDERS, "order": order_})
    assert "a premise that is not used" in _refused(
        "uniform", [limit("parallel_occupancy(n, 1/2) = 1 + O(1/n)", "leaf")], statement=said, **ORDERS
    )
    assert [is_whole(read(t), frozenset("n")) for t in ("floor(x)", "exp(x)", "n", "x", "1/2", "n + 1/2")] == [
        True,
        False,
        True,
        False,
        False,
        False,
    ]


# --- theorems -------------------------------------------------------------------------------------------------------


def test_theorems_are_what_their_statement_says(monkeypatch: pytest.MonkeyPatch) -> None:
    from asymp.kernel import theorem as core
    from asymp.kernel.theorem import Conclusion, proves

    known = identity("1 < 2")
    assert proves(known, read_statement("1 < 2"))
    assert not proves(known, read_statement("1 < 3"))
    assert not proves(known, read_statement("1 < 2"), False)
    assert not proves("1 < 2", read_statement("1 < 2"))  # type: ignore[arg-type]
    for rule in (["algebra"], "no such rule", 1):
        with pytest.raises(Refused, match="no rule"):
            apply(rule)  # type: ignore[arg-type]
    with pytest.raises(Refused, match="no certificate"):
        replay([{}] * (core.MOST_STEPS + 1))
    for text, trusts, reason in (
        ("1 < 2 for whole x, real x", (), "x is whole and real"),
        ("1 < 2 for function f(n)", (), "knows nothing of statements for all functions"),
        ("1 < 2 for [x > 1 for whole x]", (), "knows nothing of statements for all functions"),
        ("1 < 2", ("definition: f(x) = 1 of: a", "definition: f(x) = 2 of: b"), "f has two meanings"),
    ):
        conclusion = Conclusion(read_statement(text), trusts=frozenset(trusts))
        monkeypatch.setitem(core.RULES, "made up", lambda premises, data, found=conclusion: found)
        with pytest.raises(Refused, match=reason):
            apply("made up")
    assert read("x") != "x"
    with pytest.raises(Refused, match="a call is no term here"):
        read("Sum(1)")


# --- sequences -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("statement", "v", "reason"), [
    ("c/n -> 0 for some k in 1..2 as n -> oo for c in {1, 2}", "c", "another form"),
    ("i = O(n) uniformly in 1 <= i <= n as n -> oo for c in {1, 2}", "c", "another form"),
    ("c/n -> 0 for c in {1, 2}", "c", "another form"),
    ("1/n -> 0 as n -> oo for n in {1, 2}", "n", "another form"),
    ("1/n -> 0 as n -> oo for pi in {1, 2}", "pi", "another form"),
    ("1/n -> 0 as n -> oo for (c, n) in {(1, 2)}", "c", "several lists of values"),
    ("c/n -> 0 as n -> oo for whole c, d >= 2", "c", "c has no least value"),
    ("c/n -> 0 as n -> oo for whole c, c >= d", "c", "c has no least value"),
    ("c/n -> 0 as n -> oo for whole c, c >= 1/2", "c", "c has no least value"),
    ("c/n -> 0 as n -> oo for whole c, c <= 2", "c", "c has no least value"),
    ("c/n -> 0 as n -> oo for c in {1, 2}, c in 1..2", "c", "several lists of values"),
])  # fmt: skip
def test_parts_of_a_statement(statement: str, v: str, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        apart.parts(read_statement(statement), v)


def test_conditions_on_the_values_alone() -> None:
    said = read_statement("c/n -> 0 as n -> oo, c > 1 for c in {1, 2}")
    assert [str(one) for one in apart.parts(said, "c")] == ["2/n -> 0 as n -> oo"]
    with pytest.raises(Refused, match="a condition of another kind"):
        apart._at(read_statement("c/n -> 0 as n -> oo for c in 1..2"), {"c": ONE})
    with pytest.raises(Refused, match="is not seen"):
        apart._true(
            *read_statement("besselj(1, 1) = 1").body.chain.parts[:1], "<=", read_statement("1 = 1").body.chain.parts[0]
        )


@pytest.mark.parametrize(("statement", "k", "signs", "reason"), [
    ("x > 1 for x^2 > 1, x > 0", True, ["<="], "the place of a condition"),
    ("x > 1 for x^2 > 1, x > 0", 2, ["<="], "the place of a condition"),
    ("x -> 0 for x^2 > 1", 0, ["<="], "the place of a condition"),
    ("x > 1 for real x, x > 0", 0, ["<="], "two comparisons are wanted"),
    ("x > 1 for 2 > x^2 > 1", 0, ["<="], "two comparisons are wanted"),
    ("x > 1 > 0 for x^2 > 1", 0, ["<="], "two comparisons are wanted"),
    ("x > 1 for x^2 > 1", 0, ["<=", "<="], "a sign that excludes the condition"),
    ("x > 1 for x^2 > 1", 0, ["<"], "a sign that excludes the condition"),
    ("log(x) > 1 for x^2 > 1", 0, ["<="], "may not be positive"),
    ("1 > log(x) for x^2 > 1", 0, ["<="], "may not be positive"),
])  # fmt: skip
def test_contrapositives(statement: str, k: Any, signs: list[str], reason: str) -> None:
    from asymp.kernel.sequences import conditional

    with pytest.raises(Refused, match=reason):
        conditional.turned(read_statement(statement), k, signs)


@pytest.mark.parametrize(("text", "reason"), [
    ("0 < x < 5", "lies above"), ("x = 5", "lies above"), ("x < 5", "lies above"), ("x + 1 > 5", "lies above"), ("x > x/2", "lies above"),
])  # fmt: skip
def test_what_falls_is_said_to_lie_above(text: str, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        falling.is_about(conditions(text)[0], "x")
    assert falling.is_about(conditions("x > 5")[0], "x")
    assert not falling.is_about(conditions("y > 5")[0], "x")


@pytest.mark.parametrize(("rule", "premises", "data", "reason"), [
    ("sums", ["x < x + 1 for x > 0"], {"statement": "x < x + 1 for x > 0", "by": [[[0, "1"]], []]}, "pairs of a premise and a factor"),
    ("sums", ["x < x + 1 for x > 0"], {"statement": "x < x + 1 for x > 0", "by": [[]]}, "each premise is used"),
    ("sums", ["x < x + 1 for x > 0"], {"statement": "x < x + 1 for x > 0", "by": [[[1, "1"]]]}, "each premise is used"),
    ("sums", ["x < x + 1 for x > 0"], {"statement": "x = x for x > 0", "by": [[[0, "1"]]]}, "times what may be negative"),
    ("sums", ["x < x + 1 for x > 0"], {"statement": "x < x + 1 for x > 0", "by": [[[0, "-1"]]]}, "times what may be negative"),
    ("sums", ["x < x + 1 for x > 0"], {"statement": "x < x + 1 for x > 1", "by": [[[0, "1"]]]}, "a premise of another domain"),
    ("logarithm", ["1 < 2"], {"statement": "log(x) <= x for x > 0"}, "no premises are wanted"),
    ("logarithm", [], {"statement": "log(x) < x for x > 0"}, "a comparison by <= is wanted"),
    ("logarithm", [], {"statement": "log(x) <= x - 2 for x > 0"}, "does not show it"),
    ("logarithm", [], {"statement": "1 <= log(x) for x > 0"}, "does not show it"),
    ("monotone", ["1 < 2", "1 < 2"], {"statement": "exp(1) < exp(2)"}, "one premise, for exponentials"),
    ("monotone", ["1 < 2"], {"statement": "exp(1) < log(9)"}, "one premise, for exponentials"),
    ("monotone", ["1 < 2"], {"statement": "exp(1) <= exp(2)"}, "not on the exponents"),
    ("monotone", [], {"statement": "log(x) = log(x) for x > 0"}, "one function of two terms"),
    ("monotone", [], {"statement": "log(x) < exp(x) for x > 0"}, "one function of two terms"),
    ("monotone", [], {"statement": "x! < (x + 1)! for x > 0"}, "one function of two terms"),
    ("monotone", [], {"statement": "x^(1/2) < (x + 1)^(1/3) for x > 0"}, "one power of two positive terms"),
    ("monotone", [], {"statement": "x^2 < (x + 1)^2 for real x"}, "one power of two positive terms"),
    ("monotone", [], {"statement": "log(x + 1) <= log(x) for x > 0"}, "not seen to be in order"),
    ("monotone", [], {"statement": "log(x) < log(x) for x > 0"}, "not seen to be in order"),
    ("instance", [], {"statement": "1 < 2", "values": {}}, "a theorem, and terms"),
    ("instance", ["x < x + 1 for x > 0"], {"statement": "y < y + 1 for real y", "values": {"x": "y"}}, "is not seen"),
    ("instance", ["x < x + 1 for x > 0"], {"statement": "y < y + 2 for y > 0", "values": {"x": "y"}}, "another statement than the theorem"),
    ("instance", ["pi < 4 + x for x > 0"], {"statement": "3 < 4 + x for x > 0", "values": {"pi": "3"}}, "a constant is no variable"),
    ("instance", ["0 < 1 for x > 0"], {"statement": "0 < 1 for y > 0", "values": {"x": "log(y)"}}, "is not seen"),
    ("telescope", ["1 < 2"], {"statement": "Sum(1, (k, 1, n)) = n for whole n >= 1", "variable": "k", "by": "k"}, "a sum on the left"),
    ("telescope", [], {"statement": "Sum(1, (k, 1, n)) <= n for whole n >= 1", "variable": "k", "by": "k"}, "a sum on the left"),
    ("telescope", [], {"statement": "n = Sum(1, (k, 1, n)) for whole n >= 1", "variable": "k", "by": "k"}, "a sum on the left"),
    ("telescope", [], {"statement": "Sum(1, (k, 1, n)) = n for whole n >= 1", "variable": "n", "by": "n"}, "is no new variable"),
    ("telescope", [], {"statement": "Sum(1, (k, 1, n)) = n for whole n >= 1", "variable": "pi", "by": "pi"}, "is no new variable"),
    ("telescope", [], {"statement": "Sum(1, (k, 1, n)) = n for whole n >= 1", "variable": "2", "by": "k"}, "is no new variable"),
    ("telescope", [], {"statement": "Sum(1, (k, 1, n)) = n for whole n >= 1", "variable": "k", "by": "2*k"}, "the difference of F is not the body"),
    ("telescope", [], {"statement": "Sum(1, (k, 1, n)) = n + 1 for whole n >= 1", "variable": "k", "by": "k"}, "is not the right side"),
    ("telescope", [], {"statement": "Sum(1/k^2 - 1/(k + 1)^2, (k, 1, oo)) = 1 for whole n >= 1", "variable": "k", "by": "-1/k^2"}, "converge"),
    ("partial sum", [], {"statement": "Sum(2^(-k), (k, 1, oo)) = 1 for whole n >= 1", "variable": "k", "by": "-2^(1 - k)"}, "an infinite sum"),
    ("partial sum", [], {"statement": "Sum(1, (k, 1, n)) = n for whole n >= 0", "variable": "k", "by": "k"}, "a sum that may be empty"),
    ("partial sum", [], {"statement": "Sum(1, (k, 1, n)) = n + 1 for whole n >= 1", "variable": "k", "by": "k"}, "is not the right side"),
    ("partial sum", [], {"statement": "Sum(1, (k, 1, n)) = 2*n - 1 for whole n >= 1", "variable": "k", "by": "2*k"}, "the difference of F is not the body"),
    ("termwise", [], {"statement": "Sum(1, (k, 1, n)) <= n for whole n >= 1", "variable": "k"}, "two sums of the same ends"),
    ("termwise", ["1 < 2"], {"statement": "Sum(1, (k, 1, n)) <= Sum(2, (k, 0, n)) for whole n >= 1", "variable": "k"}, "two sums of the same ends"),
    ("termwise", ["1 < 2"], {"statement": "Sum(1, (k, 1, n)) <= n for whole n >= 1", "variable": "k"}, "two sums of the same ends"),
    ("termwise", ["1 < 2"], {"statement": "Sum(1, (k, 1, n)) <= Sum(3, (k, 1, n)) for whole n >= 1", "variable": "k"}, "not on the bodies"),
    ("termwise", ["1 < 2"], {"statement": "Sum(1, (k, 1, n)) < Sum(2, (k, 1, n)) for whole n >= 1", "variable": "k"}, "sums are compared by <="),
    ("termwise", ["1 < 2"], {"statement": "Sum(1, (k, 1, n)) = Sum(2, (k, 1, n)) for whole n >= 1", "variable": "k"}, "sums are compared by <="),
    ("termwise", ["1 < 2"], {"statement": "Sum(1, (k, 1, n)) <= Sum(2, (k, 1, n)) for whole n >= 1", "variable": "n"}, "is no new variable"),
    ("termwise", ["1 < 2"], {"statement": "Sum(1, (k, 1, n)) <= Sum(2, (k, 1, n)) for whole n", "variable": "k"}, "run backwards"),
    ("tied", [], {"statement": "v = 1 for v = 1", "variable": "v"}, "the premises are other statements"),
    ("tied", ["2 = 2"], {"statement": "v = 1 for v = 1", "variable": "v"}, "the premises are other statements"),
    ("tied", ["1 = 1"], {"statement": "v = 1 for v = 1, v > 2", "variable": "v"}, "is not seen"),
    ("tied", ["1 = 1"], {"statement": "n = 1 for n = 1, whole n", "variable": "n"}, "no one value of n"),
    ("tied", ["1 = 1"], {"statement": "pi = 1 for pi = 1", "variable": "pi"}, "no one value of pi"),
    ("rewrite", ["1 < 2"], {"statement": "1 < 3", "cuts": []}, "not the statement with these values"),
    ("replace", ["x = 1*x for x > 0", "1 < 2 for x > 0"], {"statement": "1 < 2 for x > 0"}, "an equation that is not used"),
    ("written out", [], {"statement": "1 < 2"}, "the premises are other statements"),
    ("written out", ["1 < 3"], {"statement": "1 < 2"}, "the premises are other statements"),
])  # fmt: skip
def test_steps_about_sequences(rule: str, premises: list[str], data: dict[str, Any], reason: str) -> None:
    assert reason in _refused(rule, [seen(text) for text in premises], **data)


def test_premises_that_fail() -> None:
    false = apply("witness", statement="x < 1 for x > 0", at={"x": "2"}, bits=64)
    for rule, data in (
        ("sums", {"statement": "x < 1 for x > 0", "by": [[[0, "1"]]]}), ("instance", {"statement": "x < 1 for x > 0", "values": {}}),
    ):  # fmt: skip
        assert "premise of another" in _refused(rule, [false], **data)
    case = {"where": "x > 0"}
    said = {"statement": "n < 1 for whole n >= 0", "cases": [{"where": "n >= 1"}, {"where": "n <= 0"}]}
    below = apply("boxes", statement="n < 1 for n <= 0, whole n >= 0", cover=["ok"], bits=64)
    fails = apply("witness", statement="n < 1 for n >= 1, whole n >= 0", at={"n": "2"}, bits=64)
    assert "cases beside one that fails" in _refused("cases", [fails, below], **said)
    assert not apply("cases", [fails], statement=said["statement"], cases=said["cases"][:1]).holds
    assert "a premise is not its case" in _refused("cases", [fails], statement=said["statement"], cases=[case])
    assert "not seen to cover" in _refused("cases", [below], statement=said["statement"], cases=said["cases"][1:])
    for bad, reason in (
        ({}, "a case is where it is"), ({"where": 1}, "conditions are a text"), ({"put": {}}, "one variable is put at once"),
        ({"put": {"n": 1}}, "a whole variable, and a term"), ({"put": {"x": "1"}}, "a whole variable, and a term"),
        ({"put": {"n": "1/2"}}, "a term that may not be whole"), ({"put": {"n": "1"}, "where": "n > 1"}, "a case is where it is"),
    ):  # fmt: skip
        assert reason in _refused("cases", [fails], statement=said["statement"], cases=[bad])


F_IS = "f(n) = n for whole n >= 1"


def rewriter(domain: str, *values: str, cuts: tuple[str, ...] = ()) -> rewriting.Rewriter:
    found = []
    for one in values:
        said = read_statement(one)
        left, right = (read(str(part)) for part in one.partition(" for ")[0].split(" = "))
        found.append((left, right, said.domain))
    return rewriting.Rewriter(conditions(domain), found, [read(cut) for cut in cuts])


@pytest.mark.parametrize(("domain", "values", "term", "reason"), [
    ("whole n >= 0", [F_IS], "f(n)", "no value of f"),
    ("real n, n >= 1", [F_IS], "f(n)", "no value of f"),
    ("whole n >= 1", [F_IS], "f(n, n)", "no value of f"),
    ("whole n >= 1", [F_IS], "Product(f(k), (k, 1, n))", "a function under a Product"),
    ("whole n >= 1", [F_IS], "f(n + 1/(n - 1))", "is not seen to be defined"),
    ("whole n >= 1", [F_IS], "f(oo)", "is not seen to be defined"),
    ("whole n", [F_IS], "Sum(f(k), (k, 1, n))", "may run backwards"),
    ("whole n >= 1", [F_IS], "Sum(f(k), (k, 0, n))", "no value of f"),
    ("whole n >= 1", [F_IS], "Sum(f(k), (k, 1, f(n)))", "a function at an end"),
    ("whole n >= 1", [F_IS], "Sum(f(k), (k, f(n), n))", "a function at an end"),
    ("whole n >= 1, x >= 1", [F_IS], "Sum(f(k), (k, 1, x))", "not linear in whole variables"),
])  # fmt: skip
def test_values_of_functions(domain: str, values: list[str], term: str, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        rewriter(domain, *values).rewritten(read(term))


def test_values_of_functions_that_are_put() -> None:
    spent = rewriter("whole n >= 1", F_IS)
    spent.sums = rewriting.MOST_SUMS
    with pytest.raises(Refused, match="too many parts of sums"):
        spent.rewritten(read("Sum(f(k), (k, 1, n))"))
    for domain, value, term, wanted in (
        ("whole n >= 1", F_IS, "f(n)", "n"), ("whole n >= 1", F_IS, "Sum(f(k), (k, 1, n))", "Sum(k, (k, 1, n))"),
        ("x > 1", "f(y) = y for real y, y > 0", "f(x)", "x"), ("x > 1", "f(y) = y for y >= 0", "f(x)", "x"),
        ("whole n >= 1", F_IS, "f(Max(n, 1))", "n"), ("whole n >= 1", F_IS, "f(Min(n, 1))", "1"),
        ("whole n >= 1", "f(n) = n for whole n >= 1, n >= 1", "Sum(f(n), (k, 3, 3))", "n"),
    ):  # fmt: skip
        assert rewriter(domain, value).rewritten(read(term)) == read(wanted)


@pytest.mark.parametrize(("text", "reason"), [
    ("n <= n for whole n >= 1", "no value of a function"), ("2*n = n + n for whole n >= 1", "no value of a function"),
    ("n = n for n >= 1", "no value of a function"), ("log(1) = 0", "no value of a function"),
])  # fmt: skip
def test_values_among_premises(text: str, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        rewriting.values_of([seen(text)])


SLOPE = "-1*x^(-2) + (x + 1)^(-2) <= 0 for x > 0"
TO_X: dict[str, Any] = {"place": {"scales": {"s": "x"}, "values": {"x": "s"}}, "runner": "k", "order": 3}


@pytest.mark.parametrize(("rule", "text", "more", "reason"), [
    ("path", "1/x - 1/(x + 1) -> 1 as x -> oo", {}, "no limit of the difference"),
    ("asymptotic", "1/x - 1/(x + 1) = O(1) as x -> oo", {}, "no limit of the difference"),
    ("asymptotic", "1/x - 1/(x + 1) -> 0 as x -> oo, m -> oo", {"m": "k"}, "no limit of the difference"),
    ("asymptotic", "1/x - 1/(x + 1) -> 0 as x -> oo for a > 1", {"a": "2"}, "for other parameters"),
    ("asymptotic", "1/x - 1/(x + 1) -> 0 as y -> oo, x = y", {}, "no limit"),
])  # fmt: skip
def test_limits_to_which_something_falls(rule: str, text: str, more: dict[str, str], reason: str) -> None:
    data = {**TO_X, "values": {"x": "k", **more}}
    if rule == "path":
        del data["place"]
    if "m ->" in text:
        data["place"] = {"scales": {"s": "x", "t": "m"}, "values": {"x": "s", "m": "t"}}
    if "y ->" in text:
        data |= {"place": {"scales": {"s": "y"}, "values": {"y": "s"}}, "values": {"y": "k", "x": "k"}}
    known = apply(rule, statement=text, **data)
    assert reason in _refused(
        "falling", [known, seen(SLOPE)], statement="1/(x + 1) <= 1/x for x > 0", variable="x", by="slope"
    )


def test_limits_that_are_no_numbers() -> None:
    known = apply("asymptotic", statement="c + 1/x -> c as x -> oo for c > 1", **TO_X, values={"x": "k", "c": "2"})
    said = {"statement": "0 <= c + 1/x for x > 0, c > 1", "variable": "x", "by": "slope"}
    assert "a limit that may be negative" in _refused(
        "falling", [known, seen("-1*x^(-2) <= 0 for x > 0, c > 1")], **said
    )
    near = apply(
        "asymptotic",
        statement="1/x -> oo as x -> 0+",
        order=3,
        place={"scales": {"s": "1/x"}, "values": {"x": "1/s"}},
        runner="k",
        values={"x": "1/k"},
    )
    said = {"statement": "0 <= 1/x for x > 0", "variable": "x", "by": "slope"}
    assert "no limit as x tends to infinity" in _refused("falling", [near, seen("-1*x^(-2) <= 0 for x > 0")], **said)


@pytest.mark.parametrize(("rule", "premises", "data", "reason"), [
    ("logarithm", [], {"statement": "0 <= log(x) for x < 0"}, "may not be positive"),
    ("monotone", [], {"statement": "x^2 < (x + 1)^2 for x > -1"}, "one power of two positive terms"),
    ("monotone", [], {"statement": "(x + 1)^(-2) < x^(-2) for x > -1, x < 0"}, "one power of two positive terms"),
    ("monotone", [], {"statement": "x^a < y^a for x > 0, y > 0, real a"}, "not seen to be in order"),
    ("monotone", [], {"statement": "exp(x + 1) < exp(x) for real x"}, "not seen to be in order"),
    ("instance", ["0 < 1 for real x"], {"statement": "0 < 1 for real y", "values": {"x": "log(y)"}}, "may not be positive"),
    ("induction", ["1 <= 2", "1 <= 1 for whole n >= 1"], {"statement": "n <= n + 1 for n >= 1/2, whole n", "variable": "n"}, "start at a whole number"),
    ("induction", ["1 <= 2", "1 <= 1 for whole n >= 1"], {"statement": "n <= n + 1 for n > 1, whole n", "variable": "n"}, "start at a whole number"),
    ("induction", ["1 <= 2", "1 <= 1 for whole n >= 1"], {"statement": "n <= n + 1 for n >= m, whole n", "variable": "n"}, "start at a whole number"),
    ("induction", ["1 <= 2", "1 <= 1 for whole n >= 1"], {"statement": "n <= n + 1 for 1 <= 2*n, whole n", "variable": "n"}, "start at a whole number"),
    ("induction", ["1 <= 2"], {"statement": "n <= n + 1 for whole n >= 1", "variable": "n"}, "a base and a step"),
    ("induction", ["1 <= 2", "1 <= 1"], {"statement": "n <= n + 1 for whole n", "variable": "n"}, "a base and a step"),
    ("induction", ["1 <= 2", "1 <= 1"], {"statement": "n <= n + 1 for whole n >= 1, n <= 5", "variable": "n"}, "a base and a step"),
    ("induction", ["1 <= 2", "1 <= 1"], {"statement": "n <= n + 1 for n >= 1", "variable": "n"}, "a base and a step"),
    ("induction", ["2 <= 3", "0 <= 0"], {"statement": "n <= n + 1 for whole n >= 1", "variable": "n"}, "the base is not the statement"),
    ("induction", ["1 < 2", "0 <= 0"], {"statement": "n <= n + 1 for whole n >= 1", "variable": "n"}, "the base is not the statement"),
    ("induction", ["1 <= 1 + 1", "0 <= 0"], {"statement": "n <= n + 1 for whole n >= 1", "variable": "n"}, "the step is not on the differences"),
    ("induction", ["1 = 1", "n + 1 - n <= n + 1 - n for whole n >= 1"], {"statement": "n = n for whole n >= 1", "variable": "n"}, "a step by another comparison"),
    ("rewrite", ["n + 0 <= n for whole n >= 1", "1 < 2"], {"statement": "1 < 2", "cuts": []}, "no value of a function"),
])  # fmt: skip
def test_more_steps_about_sequences(rule: str, premises: list[str], data: dict[str, Any], reason: str) -> None:
    assert reason in _refused(rule, [seen(text) for text in premises], **data)


def test_premises_of_other_forms() -> None:
    both = apply("all", [identity("1 < 2"), identity("2 < 3")], statement="1 < 2 and 2 < 3")
    false = apply("witness", statement="log(x) = 1 for x > 0", at={"x": "2"}, bits=64)
    for premise in (both, false):
        with pytest.raises(Refused, match="a premise of another form"):
            rewriting.values_of([premise])
        assert "a premise of another form" in _refused("replace", [premise, identity("1 < 2")], statement="1 < 2")
        assert "a premise of another form" in _refused("instance", [premise], statement="1 < 2", values={})
    for text, reason in (
        ("log(x) <= x - 1 for x > 0", "no value of a function"), ("log(2) = log(2)", "no value of a function"),
        ("log(x) = log(x) + 0*y for x > 0, y > 0", "variables that the function does not have"),
        ("log(x) = log(x) for x > 0, whole z", "variables that the function does not have"),
    ):  # fmt: skip
        premise = apply("logarithm", statement=text) if "<=" in text else seen(text)
        with pytest.raises(Refused, match=reason):
            rewriting.values_of([premise])


# --- what is limited, and what is not seen ----------------------------------------------------------------------------


def domain_of(text: str) -> sums.Sums:
    return sums.Sums(conditions(text))


def spent() -> object:
    one = domain_of("x > 0")
    one.work = sums.MOST_WORK
    return one.of(read("x"))


def crowded() -> object:
    one = domain_of("x > 0")
    one.names = {number(k): f"#{k}" for k in range(generalised.MOST_NAMES)}
    return one.of(read("log(x)"))


def unsettled() -> object:
    calls: list[int] = []

    def work(one: sums.Sums) -> int:
        calls.append(1)
        one.seen[frozenset()] = -len(calls)
        return 1

    return sums.settled(conditions("x > 0"), work)


LONG = ratio.Ratio({((name("x"), Fraction(k)),): Fraction(1) for k in range(generalised.MOST_SIGNED + 1)})
SUM_ATOM = read("x + 1")


@pytest.mark.parametrize(("asked", "reason"), [
    (spent, "more work than is allowed"), (crowded, "too many functions"), (unsettled, "do not settle"),
    (lambda: ratio.multiplied_out({((SUM_ATOM, Fraction(ratio.MOST_DEGREE + 1)),): Fraction(1), ((SUM_ATOM, Fraction(-1)),): Fraction(1)}), "a high power of a sum"),
    (lambda: field.logarithm(value_of("x - 1"), WHERE), "a logarithm of what may not be positive"),
    (lambda: WHERE.raised(value_of("x - 1"), ratio.rational(-1)), "a division by what may be 0"),
    (lambda: WHERE.raised(value_of("x - 1"), ratio.rational(0)), "a division by what may be 0"),
    (lambda: WHERE.raised(value_of("x - 1"), ratio.rational(Fraction(1, 2))), "a root of what may not be positive"),
    (lambda: domain_of("whole n >= 0").of(read("(n^2 - 1/2)^(1/2)")), "a power of what may not be positive"),
    (lambda: domain_of("x > 0").of(read("log(x - 1)")), "a logarithm of what may not be positive"),
    (lambda: domain_of("x > 0").of(read("Sum(1/k, (k, 1, oo))")), "not seen to converge"),
    (lambda: domain_of("x > 0").of(read("Sum(1, (k, 1, oo))")), "not seen to converge"),
    (lambda: domain_of("x > 0").of(read("Sum(2^k, (k, 1, oo))")), "not seen to converge"),
    (lambda: domain_of("x > 0").of(read("Sum(k, (k, 1, x))")), "not seen to be whole"),
    (lambda: domain_of("whole n").of(read("Sum(k, (k, 1, n))")), "may run backwards"),
    (lambda: domain_of("x > 0, y > 0").of(read("zeta(2 + 1/(x + y))")), "a function of a quotient"),
    (lambda: domain_of("0 <= x, x <= 1").of(read("zeta(1 + x)")), "zeta of what may be outside"),
    (lambda: domain_of("0 <= x, x <= 1").of(read("gamma(x)")), "gamma of what may not be positive"),
    (lambda: domain_of("0 <= x, x <= 1").of(read("log(x)")), "a logarithm of what may not be positive"),
    (lambda: listing.Listing("k", ONE, ONE, (), ONE, ONE).total(lambda one: None), "in which time passes"),
])  # fmt: skip
def test_what_is_limited(asked: Callable[[], object], reason: str) -> None:
    with pytest.raises(Refused) as caught:
        asked()
    assert reason in str(caught.value)


@pytest.mark.parametrize(("asked", "wanted"), [
    (lambda: (domain_of("x > 0").sign(LONG), domain_of("x > 0").is_nonnegative(LONG)), (None, False)),
    (lambda: positive.constant_signs(frozenset({((name("oo"), Fraction(1)),): Fraction(1)}.items())), positive.ANY),
    (lambda: field.to_term(field.logarithm(value_of("2*x + 2"), WHERE)) == read("log(2) + log(x + 1)"), True),
    (lambda: growth.Domain().sign(value_of("x")), None),
    (lambda: domain_of("whole n >= 0, x > 0").of(read("floor(x/(x + 1))")).is_zero, True),
    (lambda: str(WHOLE.settled(read("sin(1/n)"))), "sin(n^(-1))"),
    (lambda: str(WHOLE.settled(read("(-1)^x"))), "(-1)^x"),
    (lambda: apply("boxes", statement="x >= 0 for 0 <= x <= 1, 1/x >= 0", cover=["ok"], bits=64).holds, True),
    (lambda: [positive.to_power(s, Fraction(k)) for s, k in ((positive.ANY, 0), (positive.ANY, -1), (positive.NEGATIVE, 2))],
     [positive.POSITIVE, positive.ANY, positive.POSITIVE]),
    (lambda: positive.to_power(positive.ANY, Fraction(1, 2)), positive.ANY),
])  # fmt: skip
def test_what_is_seen(asked: Callable[[], object], wanted: object) -> None:
    assert asked() == wanted


# --- order, once more: each part of a condition --------------------------------------------------------------------

XY = {**SOME, "values": {"x": "0", "y": "0"}, "held": [LINEAR]}


@pytest.mark.parametrize(("proof", "reason"), [
    ([["cases", "x", "0", LINEAR, [["linear", [[0, "1"]]]]]], "does not follow"),
    ([["cases", "x", "0", [["linear", [[0, "1"]]]], LINEAR]], "does not follow"),
    ([["linear", [[-1, "1"]]]], "the number of a fact"),
    ([["linear", [[7, "1"]]]], "the number of a fact"),
    ([], "no proof, or one too deep"),
    ("linear", "no proof, or one too deep"),
    ([[]], "does not close a goal"),
    ([["put", 0, None], *LINEAR], "equations of parts"),
    ([["unknown"], *LINEAR], "no step unknown"),
    ([["use", True, [], []], *LINEAR], "the number of what is said"),
    ([["use", -1, [], []], *LINEAR], "the number of what is said"),
    ([["choose", "Max(x, y)", True, [[], []]], *LINEAR], "the number of a part"),
    ([["choose", "Max(x, y)", -1, [[], []]], *LINEAR], "the number of a part"),
    ([["whole", 0], *LINEAR], "a strict comparison of whole numbers"),
    ([["ranks", "Ranked(x, (1 + j, 1, 2), 1)", "x", "0", "<=", "q", LINEAR, []], *LINEAR], ""),
    ([["lemma", "[n >= 0 for whole n >= 0]", "m", [[LINEAR], [LINEAR]]], *LINEAR], "nothing else"),
    ([["lemma", "[n >= 0 for whole n >= n]", "n", [[LINEAR], [LINEAR]]], *LINEAR], "nothing else"),
    ([["lemma", "[n >= 0 for whole n, n > 0]", "n", [[LINEAR], [LINEAR]]], *LINEAR], "nothing else"),
    ([["lemma", "[n >= 0 for whole n, n <= 5]", "n", [[LINEAR], [LINEAR]]], *LINEAR], "nothing else"),
])  # fmt: skip
def test_proofs_of_another_form(proof: object, reason: str) -> None:
    try:
        found = why("x <= y for x <= y", proof, XY)
    except ValueError as error:  # a text that cannot be read
        found = str(error)
    assert found
    assert reason in found


def test_facts_and_variables_of_a_proof() -> None:
    one = order.Known(
        frozenset("x"), frozenset("n"), {"f": 1}, frozenset("f"), ((ZERO, "<=", ONE), (name("x"), "=", ZERO))
    )
    with pytest.raises(Refused, match="do not contradict"):
        one.absurd([[0, "1"]])
    with pytest.raises(Refused, match="do not contradict"):
        one.absurd([[1, "1"]])
    for variable in (1, "j + 1", "pi", "x", "f", "oo"):
        with pytest.raises(Refused, match="is no new variable"):
            one.with_whole(variable)
    with pytest.raises(Refused, match="a variable twice"):
        one.with_whole("j", "j")
    with pytest.raises(Refused, match="does not follow"):
        one.holds((ZERO, "=", ONE), [])
    with pytest.raises(Refused, match="<= does"):
        one.holds((ZERO, "<", ZERO), [])
    for fact, by in (
        ((ZERO, "=", ZERO), []),
        ((name("x"), "=", ZERO), [[1, "1"]]),
        ((ZERO, "=", name("x")), [[1, "-1"]]),
    ):
        one.holds(fact, by)
    with pytest.raises(Refused, match="does not follow"):
        one.holds((ZERO, "=", ZERO), [[0, "0"]])
    deep: Any = LINEAR
    for _ in range(order.DEEPEST + 1):
        deep = [["cases", "x", "x", deep, deep]]
    for _ in range(2):
        with pytest.raises(Refused, match="no proof, or one too deep"):
            order.follows(one, (ZERO, "<=", ZERO), deep)
    equal = order.Known(
        frozenset("x"), frozenset(), {}, frozenset(), ((ONE, "=", name("x")), (read("x + 1"), "=", number(2)))
    )
    for k in (0, 1):
        with pytest.raises(Refused, match="equations of parts"):
            order._forward(equal, (name("x"), "<=", ONE), ["put", k, None])


def test_functions_are_declared_as_they_are_used() -> None:
    for text, reason in (
        ("f(1) <= f(1) for function f(n), function f(n)", "declared twice"), ("Max(1, 2) = 5 for function Max(a, b)", "has a meaning already"),
        ("f(1) <= f for function f(n), f >= 0", "a variable that is a function or a constant"),
        ("x <= x for real x, pi <= x", "a number for each variable"),
    ):  # fmt: skip
        try:
            found = why(text, LINEAR, {**SOME, "functions": {"f": [["n"], "n"]}})
        except ValueError as error:
            found = str(error)
        assert reason in found or "already" in found or "twice" in found or "function" in found, text


def known_here() -> order.Known:
    facts = ((ONE, "<=", name("s")), (ONE, "<=", name("i")), (name("i"), "<=", name("s")), (name("x"), "<", name("y")))
    return order.Known(frozenset({"s", "i", "x", "y"}), frozenset({"s", "i"}), {"w": 1, "v": 1}, frozenset(), facts)


FIRST, LAST = "Ranked(w(j), (j, 1, s), 1)", "Ranked(w(j), (j, 1, s), s)"


@pytest.mark.parametrize(("step", "reason"), [
    (["ranks", RANKED, "Ranked(v(j), (j, 1, s), i)", "0", "<=", "q", LINEAR, VALID], "does not follow"),
    (["ranks", RANKED, S, "0", "<=", "q", LINEAR, VALID], "two Ranked of the same ends"),
    (["ranks", RANKED, RANKED, "0", ">=", "q", LINEAR, VALID], "two Ranked of the same ends"),
    (["within", RANKED, "0", False, "q", LINEAR, VALID], "does not follow"),
    (["within", RANKED, "0", True, "q", LINEAR, VALID], "does not follow"),
    (["ordered", RANKED, "p", "q", LINEAR, VALID], "does not follow"),
    (["steady", RANKED, "-z", "z", "p", "q", LINEAR, VALID], "does not follow"),
    (["higher", LAST, RANKED, [[[0, "1"]], []], VALID, []], "does not follow"),
    (["higher", RANKED, LAST, [[], [[2, "1"]]], [[[0, "1"]], []], [[2, "1"]]], "does not follow"),
    (["extremes", FIRST, "0", [[], [[0, "1"]]], [[], [], []]], "does not follow"),
    (["extremes", FIRST, "s + 1", [[], [[0, "1"]]], [[[0, "1"]], [], []]], "does not follow"),
    (["extremes", LAST, "0", [[[0, "1"]], []], [[], [], []]], "does not follow"),
    (["extremes", LAST, "s + 1", [[[0, "1"]], []], [[[0, "1"]], [], []]], "does not follow"),
    (["extremes", RANKED, "1", VALID, [[], [[0, "1"]], []]], "does not follow"),
    (["listed", "Ranked(w(j), (j, 1, 2), 1)", [1, 2], [[]]], "does not follow"),
    (["listed", "Sum(w(j), (j, 1, 2))", [1, 2], [[]]], ""),
    (["listed", "Ranked(w(j), (j, 1, 5/2), 1)", [1, 2], [[]]], "a Ranked of numbers"),
    (["sums", S, "Sum(v(j), (j, 1, s))", "<=", "q", LINEAR, [[0, "1"]]], "does not follow"),
    (["sums", S, RANKED, "<=", "q", LINEAR, [[0, "1"]]], "two sums over the same range"),
    (["sums", "Sum(w(j), (j, 3, s))", "Sum(w(j), (j, 3, s))", "<=", "q", LINEAR, [[0, "1"]]], "does not follow"),
    (["sums", "Sum(w(j), (j, 1/2, s))", "Sum(w(j), (j, 1/2, s))", "<=", "q", LINEAR, [[0, "1"]]], "between whole ends"),
    (["cut", S, "-1", [[0, "1"]], [[], [[0, "1"]]]], "does not follow"),
    (["cut", S, "s + 1", [[0, "1"]], [[[0, "1"]], []]], "does not follow"),
    (["one", S, []], "does not follow"),
    (["none", S, []], "does not follow"),
    (["linear", "Sum(w(j), (j, s + 2, s))", []], "does not follow"),
    (["all", "Sum(Ranked(w(j), (j, 1, s + 1), r), (r, 1, s))", [[0, "1"]]], "does not follow"),
    (["all", "Sum(Ranked(w(j), (j, 1, r), r), (r, 1, s))", [[0, "1"]]], "change with the rank"),
    (["whole", 3], "a strict comparison of whole numbers"),
    (["whole", 0], "a strict comparison of whole numbers"),
    (["choose", "Max(x, y)", 0, [[], []]], "does not follow"),
    (["choose", "Min(x, y)", 1, [[], []]], "does not follow"),
    (["choose", "AtMost(x, y)", 0, [[]]], "does not follow"),
    (["choose", "AtMost(y, x)", 1, [[]]], "does not follow"),
    (["choose", "Max(x, y)", 4, [[], []]], "the number of a part"),
    (["have", "x", "<=", "y - 1", LINEAR], "does not follow"),
    (["lemma", "[w(n) <= 0 for whole n]", None, [LINEAR]], "does not follow"),
    (["lemma", "[w(n) <= 0 for whole n >= 0]", "n", [[LINEAR], [LINEAR]]], "does not follow"),
    (["lemma", "[n <= 5 for whole n >= 0]", "n", [[LINEAR], [LINEAR]]], "does not follow"),
    (["lemma", "[0 <= 0 for whole n >= x]", "n", [[LINEAR], [LINEAR]]], "start at a whole number"),
    (["lemma", "[0 <= 0 for whole n >= 0]", "m", [[LINEAR], [LINEAR]]], "nothing else"),
    (["lemma", "[0 <= 0 for whole n, n <= 5]", "n", [[LINEAR], [LINEAR]]], "nothing else"),
    (["lemma", "[0 <= 0 for whole n, 0 < n]", "n", [[LINEAR], [LINEAR]]], "nothing else"),
    (["lemma", "[0 <= 0 for whole n, n - 1 <= n]", "n", [[LINEAR], [LINEAR]]], "nothing else"),
    (["lemma", "[0 <= 0 for whole w]", None, [LINEAR]], "a variable that is a function or a constant"),
    (["lemma", "[0 <= 0 for whole pi]", None, [LINEAR]], ""),
    (["lemma", "[0 <= 0 for whole n, whole n]", None, [LINEAR]], ""),
    (["lemma", "[0 <= 0 for whole s]", None, [LINEAR]], "no new variable"),
])  # fmt: skip
def test_steps_by_themselves(step: list[Any], reason: str) -> None:
    with pytest.raises((Refused, ValueError)) as caught:
        order.STEPS[step[0]](known_here(), step[1:])
    assert reason in str(caught.value)


def test_terms_of_order_theory() -> None:
    known = known_here()
    for text in (
        "f(x)",
        "w(x, y)",
        "AtMost(x)",
        "Ranked(x, y)",
        "log(x)",
        "1/x",
        "x^y",
        "x^(-1)",
        "x^7",
        "oo",
        "x + oo",
        "z",
    ):
        with pytest.raises((Refused, ValueError)):
            known.term(text)
    with pytest.raises(Refused, match="none that order theory knows"):
        order_terms.normal(Term("power", (name("x"), name("y"))))
    assert [known.is_whole(read(t)) for t in ("s", "x", "1/2", "s + 1", "s*x", "AtMost(x, y)", "w(s)", "Max(s, i)", "Max(s, x)")] == [
        True, False, False, True, False, True, False, True, False]  # fmt: skip


def test_meanings() -> None:
    from asymp.kernel.functions import statements

    known = known_here()
    statements._meaning(known, read("w(s) + Sum(w(j), (j, 1, s)) + Ranked(w(j), (j, 1, s), i)"), 0)
    for text in (
        "w(x)", "Max(w(x), 0)", "Sum(w(j), (j, 1, x))", "Sum(w(j), (j, 3, s))", "Ranked(w(j), (j, 1, s), s + 1)", "Ranked(w(j), (j, 1, s), 0)",
        "Sum(w(j/2), (j, 1, s))", "Sum(w(j), (j, w(x), s))", "Ranked(w(j), (j, 1, s), i/2)", "Sum(Sum(w(k), (k, 3, j)), (j, 1, s))",
    ):  # fmt: skip
        with pytest.raises(Refused, match=r"not seen"):
            statements._meaning(known, read(text), 0)
    for text, reason in (
        ("x <= 1 for some x > 1", "for all of a domain"), ("w(1) <= w(1) for function w(n), function w(n)", "declared twice"),
        ("exp(1) <= 5 for function exp(n)", ""), ("w(1) <= w for function w(n)", "a function or a constant"),
    ):  # fmt: skip
        with pytest.raises((Refused, ValueError)) as caught:
            statements.known_of(read_statement(text))
        assert reason in str(caught.value)


def known_from(text: str) -> order.Known:
    from asymp.kernel.functions import statements

    said = read_statement(text)
    return statements._with_said(statements.known_of(said), said.domain)


@pytest.mark.parametrize(("domain", "defined", "reason"), [
    ("function f(n), [f(n) = 1 for whole n]", [("g", [0])], "by one equation, or by two"),
    ("function f(n), function g(n), [f(n) = 1 for whole n]", [("f", [0]), ("g", [0])], "by one equation, or by two"),
    ("function f(n), [f(n) = 1 for whole n]", [("f", [0, 0, 0])], "by one equation, or by two"),
    ("function f(n), [f(n) = 1 for whole n]", [("f", [-1])], "the number of what is said"),
    ("function f(n), [f(n) = 1 = 1 for whole n]", [("f", [0])], "with f on the left"),
    ("function f(n), function g(n), [g(n) = 1 for whole n]", [("f", [0])], "with f on the left"),
    ("function f(n), [f(n) = 1 for whole n, f(n) >= 0]", [("f", [0])], "where it is defined by itself"),
    ("function f(n), [f(2*n) = 1 for whole n]", [("f", [0])], "different variables"),
    ("function f(n, m), [f(n, n) = 1 for whole n]", [("f", [0])], "different variables"),
    ("function f(n), [f(n) = 1 for whole n, whole m]", [("f", [0])], "different variables"),
    ("function f(n), whole m, [f(m) = 1 for whole n]", [("f", [0])], "different variables"),
    ("function f(n), f(0) = 0, [f(n + 1) = m for whole n >= 0, whole m]", [("f", [1, 0])], "different variables"),
    ("function f(n), f(0) = 0, [f(n + 2) = f(n) for whole n >= 0]", [("f", [1, 0])], "different variables"),
    ("function f(n), f(0) = 0, [f(n + 1) = f(n) for whole n >= 1]", [("f", [1, 0])], "to start where it is given"),
    ("function f(n), f(0) = 0, [f(n) = 1 for whole n >= 0]", [("f", [1, 0])], "by recursion on one argument"),
    ("function f(n), f(0) = f(1), [f(n + 1) = f(n) for whole n >= 0]", [("f", [1, 0])], "given by itself"),
])  # fmt: skip
def test_definitions_of_functions(domain: str, defined: list[tuple[str, list[int]]], reason: str) -> None:
    from asymp.kernel.functions import statements

    with pytest.raises(Refused, match=reason):
        statements._well_defined(known_from(f"0 <= 0 for {domain}"), [statements._together(*one) for one in defined])


TWO = "function f(n), function g(n), f(0) = 0, g(0) = 0, "


@pytest.mark.parametrize(("domain", "together", "reason"), [
    (TWO + "[f(n + 1) = g(n + 1) for whole n >= 0], [g(n + 1) = f(n + 1) + 1 for whole n >= 0]",
     [["f", "g"], [[2, 0], [3, 1]]], "by what comes later"),
    ("function f(n), function g(n), f(0) = g(0), g(0) = f(0) + 1, [f(n + 1) = g(n) for whole n >= 0], [g(n + 1) = f(n) for whole n >= 0]",
     [["f", "g"], [[2, 0], [3, 1]]], "given by itself"),
    ("function f(n), function g(n), f(0) = 0, g(5) = 0, [f(n + 1) = g(n) for whole n >= 0], [g(n + 1) = f(n) for whole n >= 5]",
     [["f", "g"], [[2, 0], [3, 1]]], "by what starts elsewhere"),
    (TWO + "[f(n + 1) = g(n) for whole n >= 0], [g(n + 1) = f(n) for whole n >= 1]",
     [["f", "g"], [[2, 0], [3, 1]]], "to start where it is given"),
    (TWO + "[f(n + 1) = g(n) for whole n >= 0], [g(n + 1) = f(n) for whole n >= 0]", [["f", "f"], [[2, 0], [3, 1]]], "with f on the left"),
    ("function f(n), f(0) = 0, f(0) = 1, [f(n + 1) = 0 for whole n >= 0], [f(n + 1) = 1 for whole n >= 0]",
     [["f", "f"], [[2, 0], [3, 1]]], "is defined by recursion"),
    ("function f(n), function g(n), g(0) = 0, [f(n) = g(n) + 1 for whole n], [g(n + 1) = f(n + 1) for whole n >= 0]",
     [["f", "g"], [[0], [2, 1]]], "defined by itself"),
    (TWO + "[f(n + 1) = g(n) for whole n >= 0], [g(n + 1) = f(n) for whole n >= 0]", [["f", "g"], [[2, 0]]], "."),
    ("function f(m, n), function g(m, n), [f(m, -2*m) = 0 for whole m], [g(m, -2*m) = 0 for whole m], "
     "[f(m, n + 1) = g(m + 1, n) for whole m, whole n, -2*m <= n], [g(m, n + 1) = f(m, n) for whole m, whole n, -2*m <= n]",
     [["f", "g"], [[0, 2], [1, 3]]], "by what starts elsewhere"),
    ("function f(m, n), function g(n, m), [f(m, 0) = 0 for whole m], [g(0, m) = 0 for whole m], "
     "[f(m, n + 1) = g(n, m) for whole m, whole n, 0 <= n], [g(n + 1, m) = f(m, n) for whole m, whole n, 0 <= n]",
     [["f", "g"], [[0, 2], [1, 3]]], "by another argument"),
])  # fmt: skip
def test_functions_that_are_defined_together(domain: str, together: list[object], reason: str) -> None:
    from asymp.kernel.functions import statements

    known = known_from(f"0 <= 0 for {domain}")
    with pytest.raises(Refused, match=reason):
        statements._well_defined(known, [statements._together(*together)])


@pytest.mark.parametrize(("domain", "some", "reason"), [
    ("function f(n), [f(n) = 1 for whole n]", {"defined": [["f", [0]], ["f", [0]]]}, "each function is chosen or defined"),
    ("function f(n)", {}, "each function is chosen or defined"),
    ("function f(n)", {"functions": {"f": [["n"], "n"], "g": [["n"], "n"]}}, "each function is chosen or defined"),
    ("function whole f(n)", {"functions": {"f": [["n"], "n/2"]}}, "is to have whole values"),
    ("function f(n)", {"functions": {"f": [["n"], "f(n)"]}}, "nothing that order theory knows"),
    ("function f(n)", {"functions": {"f": [["n"], "m"]}}, "no variable here"),
    ("real x", {"values": {"x": "pi"}}, "a number of its kind"),
    ("real x", {"values": {}}, "a number for each variable"),
    ("real x", {"values": {"x": "1", "y": "1"}}, "a number for each variable"),
    ("whole x", {"values": {"x": "1/2"}}, "a number of its kind"),
    ("real x", {"values": {"x": "1"}, "more": 1}, "a choice is values"),
    ("x > 0", {"values": {"x": "0"}, "held": [LINEAR]}, "<= does"),
    ("x > 0", {"values": {"x": "1"}, "held": []}, "a list of 1"),
    ("function f(n), [f(n) >= 0 for whole n]", {"functions": {"f": [["n"], "n"]}, "said": [[LINEAR]]}, "does not follow"),
])  # fmt: skip
def test_choices(domain: str, some: dict[str, Any], reason: str) -> None:
    from asymp.kernel.functions import statements

    said = read_statement(f"0 <= 0 for {domain}")
    with pytest.raises(Refused, match=reason):
        statements.chosen(said, known_from(str(said)), {**SOME, **some})


def test_the_number_of_a_comparison_that_fails() -> None:
    x = {**SOME, "values": {"x": "1"}}
    data = {"statement": "x <= 0 for real x", "some": x, "supposed": [], "proof": LINEAR}
    assert not apply("order fails", place=0, **data).holds
    for place in (1, -1):
        assert "the number of a comparison" in _refused("order fails", [], place=place, **data)
    assert "no premises are wanted" in _refused("order fails", [identity("1 < 2")], place=0, **data)


@pytest.mark.parametrize(
    "roots", [(1, 7), (1, 2, 4), (2, 3), (1, 4, 6, 7), (3, 3), (4,), (1, 6, 7), (2, 5, 7), (1, 3, 5, 7)]
)
def test_a_polynomial_with_roots_between_has_no_sign(roots: tuple[int, ...]) -> None:
    for side in (1, -1):
        p = [Fraction(side)]
        for root in roots:
            p = [
                (p[k - 1] if k else Fraction(0)) - (p[k] * Fraction(root, 8) if k < len(p) else 0)
                for k in range(len(p) + 1)
            ]
        assert bernstein.sign_on(p, 0, 1) is None
        assert bernstein.sign_on(p, 0, None) is None


def test_what_constants_rest_on() -> None:
    from asymp.kernel.trust import ARITHMETIC, FLINT, collected

    with collected() as used:
        ranges.ball(read("Integral(exp(-u^4 - u), (u, 0, oo))"))
    assert f"{FLINT}acb.integral" in used
    with collected() as used:
        assert (
            positive.constant_signs(frozenset({(((name("pi"), Fraction(1)),), Fraction(1)), ((), Fraction(-22, 7))}))
            == positive.NEGATIVE
        )
    assert ARITHMETIC in used


REAL = growth.Domain(within={"y": defined.Range(Fraction(-5)), "u": defined.Range(Fraction(0), True, Fraction(1), True)})


@pytest.mark.parametrize(("text", "reason"), [
    ("oo", "oo has no value here"), ("Sum(k, (k, 1, u))", "not known to be whole"), ("gamma(y)", "gamma of what may not be positive"),
    ("Sum(floor(k/2), (k, 1, 3))", "floor may not be continuous"), ("sign(y)", "sign may not be continuous"),
    ("loggamma(-1)", "loggamma of what may be outside"), ("(-2)!", "gamma of what may not be positive"), ("harmonic(y)", "harmonic of what may not be above -1"),
    ("digamma(y)", "digamma of what may be outside"), ("Ei(y)", "Ei of what may be outside"), ("zeta(1)", "zeta of what may be outside"),
    ("zeta(y)", "zeta of what may be outside"), ("polylog(2, 2)", "polylog of what may be outside"), ("polylog(2, y)", "polylog of what may be outside"),
    ("uppergamma(1/2, y)", "a root of what may not be positive"), ("uppergamma(1/3, y)", "may not be defined"), ("GammaDerivative(1, u, y)", "may not be defined"),
    ("GammaDerivative(1/2, 1, u)", "the derivative of order"), ("GammaDerivative(20, 1, u)", "the derivative of order"), ("GammaDerivative(-1, 1, u)", "the derivative of order"),
    ("Integral(exp(-t^u), (t, 0, oo))", ""), ("Integral(t^y*exp(-t), (t, 0, oo))", "may not converge"), ("Integral(exp(y*t), (t, 0, oo))", "may not converge"),
    ("Integral(exp(-t + t^2), (t, 0, oo))", "may not converge"), ("Integral(exp(-t^2 - t^(-1)), (t, 0, oo))", "may not converge"),
    ("Integral(exp(-t^y - t), (t, 0, oo))", "may not converge"), ("1/y", "a division by what may be 0"), ("y^(1/2)", "a root of what may not be positive"),
    ("log(y)", "a logarithm of what may not be positive"),
])  # fmt: skip
def test_coefficients_that_may_not_be_defined(text: str, reason: str) -> None:
    if reason:
        with pytest.raises(Refused, match=reason):
            REAL.value(read(text))
    else:
        assert REAL.sign(REAL.value(read(text))) == 1


def test_signs_that_are_not_seen() -> None:
    y, oo, x = name("y"), name("oo"), name("x")
    assert WHERE.sign(ratio.Ratio({((oo, Fraction(1)),): Fraction(1), ((x, Fraction(1)),): Fraction(1)})) is None
    assert REAL.sign(ratio.Ratio({((y, Fraction(-1)),): Fraction(1)})) is None
    assert REAL.sign(ratio.Ratio({((y, Fraction(1, 2)),): Fraction(1)})) is None
    for text, wanted in (
        ("y", None),
        ("y + 5", None),
        ("y + 6", 1),
        ("u - 1", -1),
        ("u - 1/2", None),
        ("u^2 - u + 1", 1),
        ("u^2 - u + 1/4", None),
        ("y - y", 0),
    ):
        assert REAL.sign(REAL.value(read(text))) == wanted, text
    closed = growth.Domain(within={
        "v": defined.Range(Fraction(0), False, Fraction(1), False), "w": defined.Range(None, False, Fraction(0), True)
    })
    for text, wanted in (
        ("v", None),
        ("v + 1", 1),
        ("v^2 - v + 1", 1),
        ("v*(1 - v)", None),
        ("w", -1),
        ("w - 1", -1),
        ("w + 1", None),
        ("v - w", 1),
        ("v*w", None),
    ):
        assert closed.sign(closed.value(read(text))) == wanted, text
    assert [REAL.sign(ratio.atom(read(t))) == 1 for t in ("oo", "pi", "y", "u", "log(u)", "log(2)", "log(1/2)", "exp(y)")] == [
        False, True, False, True, False, True, False, True]  # fmt: skip


def inverse_atom() -> object:
    one = domain_of("x > 0, y > 0")
    return one.cleared(one.of(read("1/(x + y)")).inverse())


N1, Y1 = (name("n"), Fraction(1)), (name("y"), Fraction(1))
UNIT = "0 < x, x < 1"


@pytest.mark.parametrize(("asked", "reason"), [
    (lambda: domain_of(UNIT).of(read("Sum(x^(k^2), (k, 1, oo))")), "not seen to converge"),
    (lambda: domain_of(UNIT).of(read("Sum(x^(1/k), (k, 1, oo))")), "not seen to converge"),
    (lambda: domain_of(UNIT).of(read("Sum((k/(k + 1))^k, (k, 1, oo))")), "not seen to converge"),
    (lambda: domain_of(UNIT).of(read("Sum(x^k*log(k + 1), (k, 1, oo))")), "not seen to converge"),
    (lambda: domain_of(UNIT).of(read("Sum(x^(-k), (k, 1, oo))")), "not seen to converge"),
    (lambda: domain_of("x > 1").of(read("Sum(x^k, (k, 1, oo))")), "not seen to converge"),
    (lambda: domain_of(UNIT).of(read("Sum(x^k*Sum(1/j^2, (j, 1, k)), (k, 1, oo))")), "not seen to converge"),
    (lambda: domain_of("w < 0").of(read("(w^2)^(1/3)")), "whose sign is not seen"),
    (lambda: domain_of("w < 0").of(read("(-w)^(1/3)")), "whose sign is not seen"),
    (lambda: domain_of("whole n >= 0")._row({(): Fraction(1, 2)}), "no polynomial in whole quantities"),
    (lambda: domain_of("whole n >= 0, y > 0")._row({(Y1,): Fraction(1)}), "no polynomial in whole quantities"),
    (lambda: domain_of("whole n")._whole_quotient(ratio.Ratio({((name("n"), Fraction(-1)),): Fraction(1)})), "a quotient whose sign is not seen"),
    (inverse_atom, "a power of an inverse"),
    (lambda: domain_of("whole n").introduce("n", None), "n is taken"),
    (lambda: domain_of("whole n").introduce("pi", None), "pi is taken"),
    (lambda: domain_of("x > 0").of(read("Product(k, (k, x, 3))")), "not seen to be whole"),
    (lambda: moments.powers_of(read("Sum(exp(-t), (t, 0, oo))")), "another form"),
    (lambda: moments.powers_of(Term("Integral", (read("exp(-t)"), ZERO))), "another form"),
    (lambda: moments.powers_of(read("Integral(exp(-t + 3), (t, 0, oo))")), "no sum of powers"),
    (lambda: moments.powers_of(read("Integral(2*exp(-t), (t, 0, oo))")), "an integral with a factor"),
    (lambda: moments.powers_of(read("Integral(sin(t)*exp(-t), (t, 0, oo))")), "of what is no power"),
    (lambda: ratio.product_of(LONG.num, {((name("y"), Fraction(k)),): Fraction(1) for k in range(ratio.MOST_PARTS)}), "too many terms"),
])  # fmt: skip
def test_sums_that_are_refused(asked: Callable[[], object], reason: str) -> None:
    with pytest.raises(Refused) as caught:
        asked()
    assert reason in str(caught.value)


def test_whole_quantities_of_which_one_is_positive() -> None:
    from asymp.kernel.rings import gamma

    n, m = ((name(v), Fraction(1)) for v in "nm")
    both = {(n,): Fraction(1), (m,): Fraction(1)}
    assert not domain_of("whole n >= 0, whole m >= 0")._is_some(dict(both), 1)
    assert domain_of("whole n >= 0, whole m >= 0, n + m >= 1")._is_some(dict(both), 1)
    assert not domain_of("whole n >= 0, whole m >= 0, n + m >= 1")._is_some(dict(both), -1)
    assert not domain_of("whole n >= 1, real y")._is_some(
        {((name("n"), Fraction(1)), (name("y"), Fraction(1))): Fraction(1)}, 1
    )
    assert not domain_of("whole n >= 1").is_whole(WHERE.value(read("1/(n + 1)")))
    assert X != 1
    assert [
        gamma.rewritten(read(t))
        for t in ("uppergamma(a, x)", "uppergamma(20, x)", "uppergamma(1/3, x)", "uppergamma(0, x)", "sin(x)")
    ] == [None] * 5


# --- conditions whose deletion no other test saw ------------------------------------------------------------------


def certificate(premises: object, data: dict[Any, Any]) -> Theorem:
    return replay([{"rule": "algebra", "premises": premises, "data": data}])


def of_range(text: str, bits: int = 64, most: int = ranges.MOST_WORK, **at: tuple[int, int]) -> ranges.Range:
    box = {x: ranges.Range(fmpq(low), fmpq(high)) for x, (low, high) in at.items()}
    return ranges.Evaluator(bits, most).range(read(text), box)


def shown_by_signs(statement: str, point: str, *tree: object) -> Theorem:
    return apply("bounds", statement=statement, point=at_point(point), proofs=[list(tree) or BY])


def power_of_x(k: Fraction | int) -> dict[Any, Fraction]:
    return {((name("x"), Fraction(k)),): Fraction(1)}


def with_range(k: Fraction | int, low: int, high: int | None = None) -> object:
    r = defined.Range(Fraction(low), False, None if high is None else Fraction(high))
    return moved.Moved(power_of_x(k), [moved.Place(name("x"), r)], lambda a: positive.ANY)


ONE_ROOT = "x = 4 has one root x in (0, oo)"
AT_GIVEN = ["by", [["1", ["given", 1]]]]


def points(*numbers: int) -> list[Fraction]:
    return list(map(Fraction, numbers))


@pytest.mark.parametrize(("asked", "reason"), [
    # certificates, data, domains
    (lambda: certificate({}, {"statement": "1 < 2"}), "premises that do not stand before it"),
    (lambda: certificate([], {"statement": "1 < 2", 1: 2}), "data of other names"),
    (lambda: Data({"a": 1.5}), "data of the kind float"),
    (lambda: plain({1: 2}), "a table has texts as keys"),
    (lambda: given(conditions("whole pi")), "pi is a constant, no variable"),
    (lambda: given(conditions("function pi(n)")), "pi is a constant, no variable"),
    # signs: at x = 0, x*y >= 0 and x >= 0 say nothing of y
    (lambda: shown_by_signs("y >= 0 for x >= 0, x*y >= 0", "x=1, y=1"), "y is not seen to be >= 0"),
    (lambda: with_range(Fraction(1, 2), 0), "no polynomial in it"),
    (lambda: with_range(positive.MOST_DEGREE + 1, 0), "no polynomial in it"),
    (lambda: with_range(-1, -1), "no polynomial in it"),
    (lambda: with_range(1, 1, 0), "x has no values"),
    (lambda: _at("x < 0").value(read("li(x)")), "a logarithm of what may not be positive"),
    (lambda: _at("whole n >= 0").value(read("Sum(1/k, (k, 0, n))")), "a division by what may be 0"),
    (lambda: _at("x >= 0").value(read("Integral(1/t, (t, 0, x))")), "a division by what may be 0"),
    # the derivative is defined where the term is not; a place that stands nowhere else
    (lambda: shown_by_signs("log(x) is decreasing in x for x < 0", "x=-1"), "a logarithm of what may not be positive"),
    (lambda: shown_by_signs("1 is largest at x = 1/y for real x, real y", "x=1, y=1"), "a division by what may be 0"),
    # x = 5, and x <= x^2, hold at x and not on all of [0, x]
    (lambda: shown_by_signs("x^2 - 6*x >= 0 for x >= 0, x = 5", "x=5", "slope", "x", 0, BY, ["by", [["-2", ["given", 1]]]]), "no such fact"),
    (lambda: shown_by_signs("x^3/3 - x^2/2 >= 0 for x >= 0, x <= x^2", "x=1", "slope", "x", 0, BY, AT_GIVEN), "no such fact"),
    (lambda: shown_by_signs("x^3/3 - x^2/2 is nondecreasing in x for x <= x^2", "x=1", "by", [["1", ["given", 0]]]), "is not an interval"),
    # ranges
    (lambda: of_range("x + 1 + 2*x", most=1, x=(1, 1)), "more work than is allowed"),
    (lambda: of_range("Sum(k, (k, x, 3))", x=(1, 2)), "not known to be whole numbers"),
    (lambda: of_range("Sum(k, (k, 1/2, 3))"), "not known to be whole numbers"),
    (lambda: of_range("Sum(2^(-k), (k, x, oo))", x=(1, 2)), "not known to be whole numbers"),
    (lambda: ranges.Evaluator(64)._rest(read("Sum((-1/4)^(k/2), (k, 1, oo))").parts[0], 2, {}, ()), "a root of what may be negative"),
    (lambda: tails.geometric(read("Sum(2^(-a*k), (k, 1, oo))").parts[0]), "not linear in the variable of the sum"),
    (lambda: of_range("factorial2(x)", x=(3, 5)), "factorial2 is not known here"),
    (lambda: of_range("factorial2(1/2)"), "factorial2 is not known here"),
    (lambda: of_range("foo(x)", x=(1, 2)), "foo is not known here"),
    (lambda: of_range("coth(x)", x=(-1, 2)), "coth of what may be undefined"),
    (lambda: apply("rounding", statement="x rounds to 0.5", bits=64), "a printed number has no variables: x"),
    # roots: x = 4 has none in (0, pi)
    (lambda: roots.needed(read_statement("x = 4 has one root x in (0, pi)"), "difference", True, points(1, 5)), "ends that are no numbers"),
    (lambda: roots.needed(read_statement(ONE_ROOT), "product", True, points(1, 5)), "by a difference or a quotient"),
    (lambda: roots.needed(read_statement(ONE_ROOT), "difference", 1, points(1, 5)), "by a difference or a quotient"),  # type: ignore[arg-type]
    (lambda: roots.compared(read_statement(ONE_ROOT), points(1, 5), "==="), "a sign for each point"),
    (lambda: roots.compared(read_statement(ONE_ROOT), points(1, 5, 6), ["=", "=", "<="]), "a sign for each point"),
    (lambda: roots._equation(read_statement("pi = 3 has one root pi in (0, 5)")), "an equation with parameters"),
])  # fmt: skip
def test_what_only_one_condition_refuses(asked: Callable[[], object], reason: str) -> None:
    with pytest.raises(Refused) as caught:
        asked()
    assert reason in str(caught.value)


@pytest.mark.parametrize("place", ["some", "uniform", "regime"])
def test_a_comparison_is_for_all_of_a_domain(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    said = replace(read_statement("x > 0 for x > 1"), **{place: conditions("y > 0")})
    monkeypatch.setattr(theorem, "read_closed", lambda text: said)
    with pytest.raises(Refused, match="a comparison for all of a domain"):
        theorem.comparison_in({"statement": ""})


def test_what_is_no_comparison_is_read_as_none() -> None:
    with pytest.raises(Refused, match="a comparison for all of a domain"):
        theorem.comparison_in({"statement": "1 < 2 and 2 < 3"})


@pytest.mark.parametrize(("asked", "wanted"), [
    (lambda: [positive.to_power(positive.NONNEGATIVE, Fraction(k)) for k in (-1, -2)], [positive.ANY] * 2),
    (lambda: [positive.multiple({}, {}), positive.multiple(power_of_x(1), {})], [None, None]),
    (lambda: [str(ratio_term(_at("real x").value(read(t)))) for t in ("sinh(x)", "cosh(0)", "sinh(0)")], ["sinh(x)", "1", "0"]),
    (lambda: [ranges.Evaluator(64)._is_met(Needed("whole", "x"), x) for x in (ranges.Range(fmpq(1), fmpq(2)), ranges.point(1, 2), ranges.point(3))],
     [False, False, True]),
])  # fmt: skip
def test_what_only_one_condition_tells(asked: Callable[[], object], wanted: object) -> None:
    assert asked() == wanted


@pytest.mark.parametrize(("asked", "used"), [
    (lambda: of_flint(arb(2), "log"), {"FLINT: arb", "FLINT: arb.log"}),
    (lambda: derivative(read("erf(x)"), "x"), {"DLMF 7.2.1"}),
    (lambda: _at("x > 0").value(read("erf(x)")), {"DLMF 7.2.1"}),
    (lambda: of_range("binomial(4, 2)"), {"FLINT: fmpz.bin_uiui"}),
    (lambda: of_range("4!"), {"FLINT: fmpz.fac_ui"}),
    (lambda: defined.at(arb(1), "acb.elliptic_e"), {"FLINT: arb", "FLINT: acb.elliptic_e"}),
    (lambda: defined.exact("bell", [number(3)]), {"FLINT: fmpz.bell_number"}),
    (lambda: growth.Domain(within=WHERE.within).value(read("erf(x)")), {"DLMF 7.2.1"}),
    (lambda: of_range("harmonic(4)"), {"FLINT: fmpq.harmonic"}),
    (lambda: of_range("Shi(x)", x=(0, 1)), {"DLMF 6.2.15", "FLINT: arb", "FLINT: arb.shi"}),
    (lambda: positive.constant_signs(frozenset({(((number(3), Fraction(1)),), Fraction(1))})), set()),
    (lambda: positive.constant_signs(frozenset({(((name("pi"), Fraction(1)),), Fraction(1)), ((), Fraction(-3))})), {"FLINT: arb", "FLINT: arb.pi"}),
])  # fmt: skip
def test_what_is_asked_is_rested_on(asked: Callable[[], object], used: set[str]) -> None:
    for _ in range(2):  # what is remembered rests on the same
        with collected() as found:
            asked()
        assert found == used


def made(text: str, holds: bool = True) -> Theorem:
    """A theorem by hand, as no rule may make it: only to ask what is refused of it."""
    return Theorem(theorem._KEY, read_statement(text), holds, frozenset(), ("", (), {}))


def a_wave() -> bounded.Waves:
    found = bounded.Waves(WHOLE)
    found._named(read("sin(x)"), -1, 1)
    return found


def in_classes(text: str, *premises: Theorem, **more: Any) -> Theorem:
    return apply("bounded", premises, statement=text, **{**BOUNDED, "classes": 2, **more})


def with_k() -> sums.Sums:
    one = domain_of("x > 0")
    one.introduce("k", Fraction(1))
    return one


def with_signs(*told: int | None) -> sums.Sums:
    """A domain that tells signs as it is said here."""
    one, left = domain_of("x > 0"), iter(told)
    one.sign = lambda x: next(left)  # type: ignore[method-assign]
    return one


def split(one: sums.Sums) -> object:
    return one._split(value_of("x^2 + x"))


def of_order(kind: str, *data: Any, **arities: int) -> object:
    from dataclasses import replace

    known = known_here()
    return order.STEPS[kind](replace(known, functions={**known.functions, **arities}), list(data))


def twice(text: str) -> object:
    from dataclasses import replace

    (every,) = conditions(text)
    return order.apart(known_here(), replace(every, over=every.over * 2))


def meaning(text: str) -> None:
    from asymp.kernel.functions import statements

    statements._meaning(known_here(), read(text), 0)


STEPS_OF_3 = {"of": "0 < p < 1", "states": "whole b, 0 <= b <= 2", "f": "jumps", "T": "throughput", "h": "relative",
              "moves": ["0 -> 1 with 1", "1 -> 2 at 1", "2 -> 1 at p"]}  # fmt: skip
CHAIN: dict[str, Any] = {
    "chain": str(read_chain(STEPS_OF_3)), "given": "", "home": ["1"], "order": [["b = 0", 0, "b"], ["b = 2", 2, "b"]],
    "law": [{"ranges": [["b", str(k), str(k)]], "is": value, "rate": rate} for k, value, rate in ((0, "0", None), (1, "1", "1"), (2, "1", "p"))],
}  # fmt: skip


def of_chain(**data: Any) -> Theorem:
    return apply("chain", **{**CHAIN, **data}, function="T", piece=0)


def floors(text: str) -> Term:
    return listing.Floors(SimpleNamespace(whole=frozenset("dn"), base=frozenset())).put(read(text))  # type: ignore[arg-type]


def half_a_state() -> object:
    return pieces.Candidate(read_definition(CHAIN["chain"]), (), [pieces.Piece((("b", ZERO, read("1/2")),), ONE, None)])


def falls(limit_: str, step: str, statement: str) -> Theorem:
    return apply("falling", [made(limit_), made(step)], statement=statement, variable="x", by="slope")


def along_x(text: str) -> Theorem:
    place = {"scales": {"s": "n", "t": "x"}, "values": {"n": "s", "x": "t"}}
    return in_classes(text, place=place, values={"n": "k", "x": "k"})


@pytest.mark.parametrize(("asked", "reason"), [
    # limits
    (lambda: in_classes("1/n -> 0 as whole n -> oo", limit("parallel_occupancy(n, 1/2) = 1 + O(1/n)", "leaf")), "classes of the one whole variable"),
    (lambda: in_classes("sin(n)/n -> 0 as n -> oo"), "classes of the one whole variable"),
    (lambda: along_x("sin(n)/n -> 0 as whole n -> oo, x -> oo"), "classes of the one whole variable"),
    (lambda: along_x("sin(n)/n -> 0 as whole n -> oo, whole x -> oo"), "classes of the one whole variable"),
    (lambda: in_classes("p -> 0 as whole n -> oo, p = 1/n", values={"n": "k", "p": "1/k"}), "classes of the one whole variable"),
    (lambda: narrower._follows(conditions("p*n -> 0-")[0], read_statement("1/n -> 0 as n -> oo, p -> 0+")), "is not said here"),
    (lambda: narrower._follows(conditions("n - m -> 0")[0], read_statement("1/n -> 0 as n -> oo, m -> oo")), "is not seen to follow"),
    (lambda: limit("parallel_occupancy(foo(n), 1/2) = 0 + O(1/n)", "leaf"), "no series of foo"),
    (lambda: limit("parallel_occupancy(log(-n), 1/2) = 0 + O(1/n)", "leaf"), "a logarithm of what may be negative"),
    (lambda: limit("n -> -oo"), "the series show that it fails"),
    (lambda: limit("-n -> oo"), "the series show that it fails"),
    (lambda: limit("1/n -> 0", "asymptotic", (made("erf(n) = 1 + O(1/n) for some k in 1..2 as n -> oo"),)), "no expansion"),
    (lambda: apply("narrower", [made("1/n -> 0 for some k in 1..2 as n -> oo")], statement="1/n -> 0 for some k in 1..2 as n -> oo", **ALONG),
     "a premise that says something else"),
    (lambda: apply("narrower", [made("1/n -> 0 as n -> oo, n -> 0+")], statement="1/n -> 0 as n -> oo", **ALONG), "n has two limits"),
    (lambda: apply("narrower", [made("1/n -> 0 as n -> oo, n*p -> 1")], statement="1/n -> 0 as n -> oo", **ALONG), "p is not seen to tend"),
    # sequences: gamma(1/10) > 9, and Sum(1/2, (k, 1, n)) = n/2
    (lambda: apply("monotone", [seen("1/10 < 1/5")], statement="gamma(1/10) < exp(1/5)"), "one premise, for exponentials"),
    (lambda: apply("monotone", [made("log(0 - 1) <= 1")], statement="exp(log(0 - 1)) <= exp(1)"), "may not be positive"),
    (lambda: induction.require_fresh(" k", read_statement("1 < 2")), "is no new variable"),
    (lambda: apply("termwise", [seen("1/2 <= 1/2")], statement="Sum(1/2, (k, 1, n)) <= Product(1/2, (k, 1, n)) for whole n >= 1", variable="k"),
     "two sums of the same ends"),
    (lambda: apply("induction", [seen("1 <= 2"), seen("1 <= 1")], statement="n <= n + 1 for n >= 1, n <= 5", variable="n"), "a base and a step"),
    (lambda: induction._limit(with_k(), with_k().of(read("k")), "k"), "a part that is not seen to tend to 0"),
    (lambda: falling.is_about(conditions("5 = x")[0], "x"), "more than what x lies above"),
    (lambda: falls("1/x + Sum(2^(-k), (k, 1, oo)) - 0 -> 0 as x -> oo", "0 <= 0 for x > 0", "0 <= 1/x + Sum(2^(-k), (k, 1, oo)) for x > 0"),
     "for no infinite sum"),
    (lambda: falls("log(x) - 0 -> 0 as x -> oo", "x^(-1) <= 0 for x > -5", "0 <= log(x) for x > -5"), "may not be positive"),
    (lambda: falls("1/x - 0 -> 0 as x = omega(y)", "0 <= 0 for x > 0", "0 <= 1/x for x > 0"), "no limit as x tends to infinity"),
    (lambda: apply("partial sum", statement="Sum(1, (k, 1/2, n + 1/2)) = n + 1 for whole n >= 1", variable="k", by="k"), "not seen to be whole"),
    (lambda: rewriting.values_of([made("f(n, n) = 0 for whole n")]), "no value of a function at variables"),
    (lambda: rewriter("whole n >= 1", F_IS).rewritten(read("Sum(f(k), (k, 1, n + 1/2))")), "the ends of a sum are to be whole"),
    (lambda: apply("replace", [made("log(x) = 1 for x > 0"), made("1 < 2 for x > 0")], statement="log(x) < 5 for x > 0"), "not the statement with these values"),
    (lambda: apply("cases", [made("1 < 2 for whole n, n >= 1")], statement="1 < 2 for whole n, n >= 1", cases=[{"where": "n >= 1"}] * 2),
     "a case for each premise"),
    (lambda: shapes.needed(read_statement("n^2 is increasing in n for whole n >= 1"), True, "next"), "a number of first values"),
    (lambda: shapes.needed(read_statement("n^2 is increasing in n for whole n >= 1"), -1, "next"), "a number of first values"),
    (lambda: shapes.needed(read_statement("n^2 is increasing in n for whole n >= 1"), shapes.MOST_FIRST + 1, "next"), "a number of first values"),
    (lambda: shapes.needed(read_statement("n^2 is increasing in n for whole n, 1 <= n <= 5"), 1, "next"), "is not an interval"),
    (lambda: shapes.compared_at(read_statement("x is largest at x = x + 1 for x > 0"), [Fraction(1)]), "one place beside that"),
    (lambda: apply("tied", [made("1 = 2", False)], statement="v = 2 for v = 1", variable="v"), "a premise that fails"),
    (lambda: apply("tied", [seen("1 < 2 for real x")], statement="1 < 2 for v = log(x), real x", variable="v"), "may not be positive"),
    (lambda: shapes.compared_at(read_statement("pi is largest at pi = 1 for x > 0"), points(1)), "more is said of pi"),
    # sums: (1 + x^k)^(-k) tends to 1
    (lambda: split(with_signs(1, None)), "a factor whose sign is not seen"),
    (lambda: split(with_signs(None, 1)), "a factor whose sign is not seen"),
    (lambda: list(domain_of("x > 0")._factors(value_of("-x"))), "a factor whose sign is not seen"),
    (lambda: domain_of("x > 0").of(read("Integral(1, (t, 0, x))")), "not seen to be at least 1"),
    (lambda: domain_of(UNIT).of(read("Sum((1 + x^k)^(-k), (k, 1, oo))")), "not seen to converge"),
    # order theory: functions of as many arguments as a sum, or what is ranked, has parts
    (lambda: of_order("lemma", "[0 <= 0 for whole n, 0 <= s]", "s", [[LINEAR], [LINEAR]]), "nothing else"),
    (lambda: order.STEPS["use"](known_from("0 <= 0 for function f(n), [f(n) = 1 for whole n], [f(n) = f(n) for whole n]"), [True, ["0"], []]),
     "the number of what is said"),
    (lambda: twice("[0 <= 0 for whole n]"), "a variable that is a function or a constant"),
    (lambda: order_terms.normal(Term("power", (name("x"), Term("bound", number=Fraction(2))))), "none that order theory knows"),
    (lambda: of_order("ranks", "Ranked(x, (j, 1, s), i)", "u(x, 1, s, i)", "0", "<=", "q", LINEAR, VALID, u=4), "two Ranked of the same ends"),
    (lambda: of_order("listed", "u(x, 1, 2, 1)", [1, 2], [[]], u=4), "a Ranked of numbers"),
    (lambda: of_order("sums", "Sum(x, (j, 1, s))", "u(x, 1, s)", "<=", "q", LINEAR, [[0, "1"]], u=3), "two sums over the same range"),
    (lambda: of_order("extremes", FIRST, "0", [[], [[0, "1"]]], [[], [[0, "1"]], []]), "1 <= 0 does not follow"),
    (lambda: of_order("all", "Sum(Ranked(w(j), (j, 1, AtMost(r, 2)), r), (r, 1, s))", [[0, "1"]]), "change with the rank"),
    (lambda: meaning("Sum(w(j), (j, x, x))"), "not seen to have whole ends"),
    (lambda: meaning("Sum(w(j), (j, AtMost(w(x), 0), AtMost(w(x), 0)))"), "w(x) is not seen to have whole arguments"),
    # chains
    (lambda: of_chain(law=[]), "a law is a list of pieces"),
    (lambda: of_chain(home="b = 1"), "a home that is a region"),
    (lambda: balance.law_and_relative({**CHAIN, "relative": ["x", "0", "0"]}), "h in terms of the state and the parameters"),
    (lambda: balance._said(balance._law(CHAIN), "T", 0, read("1/(p - 1/2)")), "a division by what may be 0"),
    (lambda: floors("floor(n/(d/2 + 1))"), "by what may not be whole"),
    (half_a_state, "what may not be whole"),
])  # fmt: skip
def test_what_only_one_condition_refuses_elsewhere(asked: Callable[[], object], reason: str) -> None:
    with pytest.raises(Refused) as caught:
        asked()
    assert reason in str(caught.value)


def test_a_law_that_is_not_changed() -> None:
    assert of_chain().holds


def test_a_definition_for_some_arguments() -> None:
    from asymp.kernel.functions import statements

    with pytest.raises(Refused, match="different variables"):
        statements._well_defined(known_from("0 <= 0 for function f(n, m), [f(n, 0) = 1 for whole n]"), [[("f", [0])]])


MOVED = Term("power", (Term("bound", number=Fraction(2)), name("n")))
MADE_ROW = Row("made", parity=-1, slope=1, most=2)


@pytest.mark.parametrize(("asked", "wanted"), [
    (lambda: a_wave()._is_wave(Term("exp", (ONE,), name="wave1_")), False),
    (lambda: a_wave().at_most_zero(ratio.Ratio({(): Fraction(-1)}, {((name("y"), Fraction(1)),): Fraction(1)}), WHERE), False),
    (lambda: WHOLE.is_whole(read("2^((n - m)^3)")), False),
    (lambda: WHOLE.is_whole_valued(read("n^2/2 + m/2")), False),
    (lambda: growth.power_of(1, 0, value_of("x - 1")).limit(I_BETWEEN), "unknown"),
    (lambda: exponential(ratio.rational(-1), grows(e=-1).times(grows(1))).limit(I_BETWEEN), "unknown"),
    (lambda: narrower._is_positive_constant(conditions("n*p -> m")[0], read_statement("1/n -> 0 as n -> oo, m -> oo")), False),
    (lambda: narrower._is_positive_constant(conditions("n*p -> m")[0], read_statement("1/n -> 0 as n -> oo, m -> oo for m > 1")), False),
    (lambda: narrower._is_positive_constant(conditions("n*p -> oo")[0], read_statement("1/n -> 0 as n -> oo")), False),
    (lambda: narrower._is_positive_constant(conditions("n*p -> c")[0], read_statement("1/n -> 0 as n -> oo for c > 1")), True),
    (lambda: rewriter("whole n >= 1", "f(n) = n for n in 1..5", F_IS).rewritten(read("f(n)")), read("n")),
    (lambda: str(ratio_term(domain_of("whole n >= 3").of(read("Sum(1/(k - 2), (k, 3, n))")))), "#1"),
    (lambda: moments.shorter(ZERO, [(number(-1), ONE), (number(-1), number(3))]), None),
    (lambda: [positive.in_one_variable(WHERE.ranges, power_of_x(k)) for k in (Fraction(1, 2), positive.MOST_DEGREE + 1, 2)],
     [positive.ANY, positive.ANY, positive.POSITIVE]),
    (lambda: positive.in_one_variable(WHERE.ranges, {**power_of_x(-1), (): Fraction(1)}), positive.ANY),
    # the table
    (lambda: defined.meant(Term("acot", (ONE, ZERO))), None),
    (lambda: [defined.exact("bell", x) for x in ([ONE, ONE], [number(-1)], [number(3)])], [None, None, 5]),
    (lambda: defined.signed("foo"), False),
    (lambda: [is_whole(one, {"n"}, lambda k: True) for one in (MOVED, read("2^n"))], [False, True]),
])  # fmt: skip
def test_what_only_one_condition_tells_elsewhere(asked: Callable[[], object], wanted: object) -> None:
    assert asked() == wanted


def test_a_function_of_two_arguments_has_no_sign_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(defined, "NAMED", {"made": MADE_ROW})
    assert not defined.signed("made")


def test_what_takes_too_much_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    where = frozenset(linear.parse(one, frozenset("nmk")) for one in ("n - m - 71", "m - k - 1", "k - n + 77"))
    monkeypatch.setattr(linear, "MOST", 0)
    assert linear._eliminated(where, ()) is None
    assert not linear.is_empty(where)
    products = frozenset({(("n*m", 1),)})
    monkeypatch.setattr(linear, "_eliminated", lambda where, kept: None)
    assert not linear.is_bounded(frozenset((k, -73) for k in products), ["n"], {"n"})


def of_form(text: str, place: str) -> Theorem:
    """A theorem by hand, of a statement that is about more than its domain."""
    from dataclasses import replace

    said = replace(read_statement(text), **{place: conditions("y > 0")})
    return Theorem(theorem._KEY, said, True, frozenset(), ("", (), {}))


def known_of(one: Theorem) -> object:
    from asymp.kernel.functions import statements

    return statements.known_of(one.statement)


def ways(one: Theorem) -> object:
    from asymp.kernel.sequences import conditional

    return conditional.ways(one.statement)


@pytest.mark.parametrize("place", ["some", "uniform", "regime"])
@pytest.mark.parametrize(("text", "asked", "reason"), [
    ("x <= x for real x", known_of, "a statement for all of a domain"),
    ("x^2 = x*x for x > 0", lambda one: apply("contrary", [one], statement="x^2 < x*x for x > 0", point={"x": "2"}), "no comparison for all of a domain"),
    ("x > 0 if x > 1 for real x", ways, "a conditional for all of a domain"),
    ("x < x + 1 for x > 0", lambda one: apply("sums", [one], statement="x < x + 1 for x > 0", by=[[[0, "1"]]]), "a premise of another domain"),
    ("x < x + 1 for x > 0", lambda one: apply("instance", [one], statement="x < x + 1 for x > 0", values={}), "a premise of another form"),
    ("f(n) = n for whole n", lambda one: rewriting.values_of([one]), "a premise of another form"),
    ("log(x) = 1 for x > 0", lambda one: apply("replace", [one, made("1 < 5 for x > 0")], statement="log(x) < 5 for x > 0"), "a premise of another form"),
    ("n^2 is increasing in n for whole n >= 1", lambda one: shapes.needed(one.statement, 0, "next"), "a shape is wanted"),
    ("x^2 is increasing in x for x > 0", lambda one: shapes.compared_at(one.statement, points(1, 2)), "a shape or an extreme is wanted"),
])  # fmt: skip
def test_what_is_said_of_more_than_a_domain(text: str, asked: Callable[[Theorem], object], reason: str, place: str) -> None:
    with pytest.raises(Refused) as caught:
        asked(of_form(text, place))
    assert reason in str(caught.value)


@pytest.mark.parametrize(("name_", "text", "premises", "places"), [
    ("algebra", "1 < 2", [], ["some", "uniform", "regime"]), ("all", "1 < 2 and 2 < 3", ["1 < 2", "2 < 3"], ["some"]),
])  # fmt: skip
def test_statements_of_more_than_a_domain(
    name_: str, text: str, premises: list[str], places: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    shown = list(map(identity, premises))
    for place in places:
        monkeypatch.setattr(asymptotics, "read_closed", lambda _, place=place: of_form(text, place).statement)
        assert "of another form" in _refused(name_, shown, statement="")


@pytest.mark.parametrize("place", ["some", "uniform"])
def test_a_limit_is_of_a_regime_alone(place: str) -> None:
    known = of_form("1/x -> 0 as x -> oo", place)
    with pytest.raises(Refused, match="no limit of the difference"):
        falling.limit_of(known, read("1/x"), "x", False, ())
    assert falling.limit_of(made("1/x -> 0 as x -> oo"), read("1/x"), "x", False, ()) == 0


# --- branches that no other test takes ----------------------------------------------------------------------------


def on_path(text: str) -> str:
    return str(paths.Path.of("k", {}).whole.settled(read(text)))


def told(domain: str, text: str) -> str:
    return str(ratio_term(domain_of(domain).of(read(text))))


def refuses(term: Term) -> Any:
    raise Refused("not seen")


def uniform_up_to(high: str) -> Theorem:
    place = {"scales": {"s": "n", "t": "m"}, "values": {"n": "s", "m": "t"}}
    text = f"i = O(n*m) uniformly in 1 <= i <= {high} as n -> oo, m -> oo"
    return apply("uniform", statement=text, order=3, place=place, runner="k", values={"n": "k", "m": "k"})


def sum_from_m(where: str, value: str = "n - m + 1") -> Theorem:
    return apply("telescope", statement=f"Sum(1, (k, m, n)) = {value} for whole m, {where} whole n, n >= m", variable="k", by="k")


HALVES = {"statement": "Sum(2^(-k), (k, 1, oo)) <= Sum(2^(1 - k), (k, 1, oo))", "variable": "k"}
NO_SUM: Any = SimpleNamespace(listing=ONE)
FULL: Any = SimpleNamespace(cells=pieces.MOST_CELLS)


@pytest.mark.parametrize(("asked", "reason"), [
    (lambda: goals.goals(read_statement("1 < 2 and 2 < 3")), "a statement of another form"),
    (lambda: law.Law.relative(NO_SUM, "relative", [], 0), "of h there is no sum over such a list"),
    (lambda: pieces.Candidate.parts(FULL, frozenset(), frozenset()), "too many cells of states"),
    (lambda: uniform_up_to("n + m^2"), "the upper end of a uniform range has no term that leads"),
    (lambda: induction.seen(domain_of("x > 0"), conditions("x in {1, 2}")[0], {}), "is not seen"),
    (lambda: sum_from_m("m >= 1,", "n - m"), "is not the right side"),
    (lambda: apply("termwise", [seen("2^(-k) <= 2^(1 - k) for whole k, 2 <= k")], **HALVES), "a premise of another domain"),
])  # fmt: skip
def test_branches_that_refuse(asked: Callable[[], object], reason: str) -> None:
    with pytest.raises(Refused) as caught:
        asked()
    assert reason in str(caught.value)


@pytest.mark.parametrize(("asked", "wanted"), [
    (lambda: str(bounds.limit(_at("x > 0").value(read("3 + Ei(-x)")), "x", _at("x > 0"))), "3"),
    (lambda: (of_range("bell(3)"), of_range("Sum((9/10)^k, (k, 1, oo))", bits=1000).holds_zero()), (ranges.point(5), False)),
    (lambda: [str(ratio_term(_at("x > 0").value(read(t)))) for t in ("bell(3)", "log(2^(1/2)*x)", "log(x/(x + 1))")],
     ["5", "log(x) + 1/2*log(2)", "log(x) - log(x + 1)"]),
    (lambda: tails.geometric(read("Sum(x^(y - k), (k, 1, oo))").parts[0])[0].rates, ((name("x"), Fraction(-1)),)),
    (lambda: WHOLE._counts(read("sin(x)")), False),
    (lambda: [on_path(t) for t in ("floor(k^(3/2))", "floor(k/2 + log(k))", "floor(exp(1/k) - 1/k - 1/(2*k^2))", "floor(k + exp(1/k))")],
     ["floor(k^(3/2))", "floor(log(k) + 1/2*k)", "floor(exp(k^(-1)) - k^(-1) - (2*k^2)^(-1))", "k + 1"]),
    (lambda: exact._floor_of(ratio.atom(read("besselj(1, 1)"))), None),
    (lambda: algebra().minus(expander.Expander(algebra(), {"s": 0}, {}).series(Term("Max", (name("s"), name("s")))), stretched("s")).terms, ()),
    (lambda: [limit(f"parallel_occupancy({t}) = 0 + O(1/n)", "leaf").holds for t in ("n, erf(1/n)", "2, 1 - 1/n")], [True] * 2),
    (lambda: ranges.ball(read("acot(2) - atan(1/2)")).contains(0), True),
    (lambda: defined.is_defined("log", [name("x")], refuses, refuses), False),
    (lambda: str(ratio_term(field.logarithm(value_of("E*(x + 1)"), WHERE))), "log(x + 1) + 1"),
    (lambda: ratio.primes(Fraction(10**9 + 7, 4)), [(10**9 + 7, 1), (2, -2)]),
    (lambda: [sum_from_m(where).holds for where in ("m >= 1,", "m >= 0,", "")], [True] * 3),
    (lambda: apply("termwise", [seen("2^(-k) <= 2^(1 - k) for whole k, 1 <= k")], **HALVES).holds, True),
    (lambda: told("x > 0, x <= log(y), real y", "x"), "x"),
    (lambda: [told("x > 0", t) for t in ("x^(1/2)", "8^(1/2)", "binomial(x, 2)")], ["x^(1/2)", "2*2^(1/2)", "-1/2*x + 1/2*x^2"]),
    (lambda: told("x > 0", "(x + 1)^(1/2) - (1 + x)^(1/2)"), "0"),
    (lambda: [told("whole n >= 0", t) for t in ("binomial(n + 2, n) - binomial(n + 2, n)", "Abs(n)", "Abs(-n - 1)", "floor(n)")],
     ["0", "n", "n + 1", "n"]),
    (lambda: domain_of("whole n >= 0").sign(domain_of("whole n >= 0").of(read("Abs(n - 5)"))), None),
    (lambda: told(UNIT, "Sum(x^k*harmonic(k), (k, 1, oo)) - Sum(x^j*harmonic(j), (j, 1, oo))"), "0"),
    (lambda: told("x > 0", "floor(x^(1/2)) - floor(x^(1/2))"), "0"),
    (lambda: told("whole n >= 0", "Product(k, (k, 1, n + 40)) - Product(j, (j, 1, n + 40))"), "0"),
    (lambda: domain_of("whole n >= 0")._whole_part(ratio.Ratio(power_of_x(1), {**power_of_x(1), (): Fraction(1)}), ratio.rational(1)).is_zero, True),
    (lambda: domain_of("whole n >= 0")._is_some({((name("n"), Fraction(1)),): Fraction(1), ((name("n"), Fraction(1, 2)),): Fraction(1)}, 1), False),
])  # fmt: skip
def test_branches_that_tell(asked: Callable[[], object], wanted: object) -> None:
    assert asked() == wanted


# --- what the table is read to say --------------------------------------------------------------------------------

ANYWHERE = frozenset({-1, 0, 1})


def is_real(head: str, *arguments: Term, signs: frozenset[int] = positive.POSITIVE, whole: bool = False) -> bool:
    return defined.is_defined(head, arguments, lambda t: signs, lambda t: whole)


@pytest.mark.parametrize(("head", "signs", "wanted"), [
    ("coth", {0, 1}, False), ("coth", {-1, 1}, True), ("log", {0, 1}, False), ("log", {1}, True), ("acosh", {0, 1}, True), ("acosh", ANYWHERE, False),
    ("digamma", {-1, 1}, False), ("digamma", {0, 1}, False), ("digamma", {1}, True), ("besselk", {1}, False), ("foo", {1}, False),
])  # fmt: skip
def test_signs_that_meet_a_row(head: str, signs: set[int], wanted: bool) -> None:
    assert is_real(head, name("x"), signs=frozenset(signs)) is wanted


def test_arguments_that_meet_a_row() -> None:
    x = name("x")
    assert not is_real("sin", x, x)
    assert not is_real("polygamma", x, x)
    assert is_real("polygamma", x, x, whole=True)
    assert [is_real("digamma", number(Fraction(k)), signs=positive.NEGATIVE) for k in ("0", "-1", "-1/2", "1")] == [False, False, True, True]
    at, below = _at("x > 0"), _at("-1/4 < x, x < 0")
    for one, wanted in ((at, False), (below, True)):  # the other branch of Lambert's W is real below 0
        assert defined.is_defined("LambertW", [x, number(-1)], one.signs, one.is_whole) is wanted
    assert all(defined.is_defined("LambertW", [x], one.signs, one.is_whole) for one in (at, below))


def test_values_and_exact_values_of_a_row() -> None:
    low, high = Fraction(-1), Fraction(1)
    assert [defined.values(read(t)) for t in ("sin(x)", "elliptic_e(x)", "atan(x)", "LambertW(x, -1)")] == [
        defined.Range(low, False, high), defined.Range(high), defined.Range(), defined.Range()]  # fmt: skip
    assert [defined.exact("bell", [one]) for one in (number(defined.MOST_EXACT + 1), name("x"), number(Fraction(1, 2)))] == [None] * 3


def test_ranges_of_a_row() -> None:
    for text, box, low, high in (
        ("zeta(x)", (2, 3), (1.2, 1.21), (1.64, 1.65)), ("erfc(x)", (0, 1), (0.15, 0.16), (1, 1.01)), ("sin(x)", (0, 3), (-9, 0.14), (1, 9)),
        ("acot(x)", (1, 2), (0.46, 0.47), (0.78, 0.79)), ("erf(x)", (0, 1), (-0.01, 0), (0.84, 0.85)),
    ):  # fmt: skip
        found = of_range(text, x=box)
        for end, (least, most) in ((found.low, low), (found.high, high)):
            assert least <= float(Fraction(int(end.p), int(end.q))) <= most, text
    for text, reason in (("zeta(x)", "not finite"), ("asin(x)", "asin of what may be undefined"), ("atanh(x)", "atanh of what may be undefined")):
        with pytest.raises(Refused, match=reason):  # zeta is 0 at -4 and at -2, and not between
            of_range(text, x=(-4, -2) if "zeta" in text else (0, 2))


def test_long_sums_are_near_their_values() -> None:
    for text, low, high in (
        ("Sum(1/k, (k, 1, 10^8))", 18.9978964, 18.9978965), ("Sum(1/(k + 1/2)^2, (k, 0, 10^6))", 4.934801, 4.934802),
        ("Sum((1 - 10^(-4))^k/k, (k, 1, 10^9))", 9.2103403, 9.2103404), ("Sum(harmonic(k), (k, 1, 10^5)) - 10^6", 109026.7, 109026.8),
        ("Sum(log(k), (k, 1, 5000))", 37591.1435, 37591.1436), ("Sum(exp(-k/10^5)*Sum(1/i, (i, 1, 3)), (k, 1, 10^7))", 183332.4, 183332.5),
        ("Sum(harmonic(2*k + 3), (k, 0, 9999))", 94819.55, 94819.56), ("Sum((10^(-1/2))^k*k, (k, -3, 300))", -117.36, -117.35),
        ("Sum(10^(-1/2)*floor(k/2), (k, 1, 300))", 7115.1, 7115.2),
    ):  # fmt: skip
        found = of_range(text)
        assert low <= float(Fraction(int(found.low.p), int(found.low.q))) <= float(Fraction(int(found.high.p), int(found.high.q))) <= high, text


def test_what_is_known_of_one_box_says_nothing_of_another() -> None:
    found = of_range("atan(1/x) + acot(2*x)", x=(1, 1))
    assert 1.2490 <= float(Fraction(int(found.low.p), int(found.low.q))) <= 1.2491
    evaluator, term = ranges.Evaluator(64), read("Sum(x^(1/2)/k, (k, 1, 10^4))/x")
    first, other, again = (evaluator.range(term, {"x": ranges.point(x)}) for x in (2, 3, 2))
    assert first == again and other.high < first.low


@pytest.mark.parametrize(("text", "reason"), [
    ("Sum(floor(k/2), (k, 1, 10^4))", "no power series of floor"),
    ("Sum(1/(2*k - 10^4 - 1), (k, 1, 10^4))", "a division by what may be 0, somewhere"),
    ("Sum((-1)^k, (k, 1, 10^4))", "a power of what may be 0 or negative, somewhere"),
    ("Sum(k^k, (k, 0, 10^4))", "a power of what may be 0 or negative, somewhere"),
    ("Sum((k - 5000)^0, (k, 1, 10^4))", "a power of what may be 0 or negative, somewhere"),
    ("Sum(log(k^2 - k - 1), (k, 1, 10^4))", "a logarithm or a power of what may be 0 or negative, somewhere"),
    ("Sum(harmonic(k - 5000.5), (k, 1, 10^4))", "may have poles, somewhere"),
    ("Sum(harmonic(k^2), (k, 1, 10^4))", "not linear in the index"),
    ("Sum(1/k, (k, 1, 10^1000))", "a sum of too many blocks"),
    ("Sum(exp(exp(k)), (k, 1, 10^4))", "not finite, or not known to be"),
    ("Product(1 + 1/k, (k, 1, 10^4))", "a product of more than 2000 factors"),
    ("Sum(k, (k, 3, 1))", "a sum that runs backwards"),
])  # fmt: skip
def test_long_sums_that_are_refused(text: str, reason: str) -> None:
    with pytest.raises(Refused) as caught:
        of_range(text)
    assert reason in str(caught.value)


@pytest.mark.parametrize(("text", "reason"), [
    ("Integral(t*exp(-x*t), (t, 0, oo))", "other ends, or of what does not fall"),
    ("Integral(t*exp(-t), (t, 1, oo))", "other ends, or of what does not fall"),
    ("Integral(exp(-t), (t, 0, 1))", "other ends, or of what does not fall"),
    ("Integral(t, (t, 0, oo))", "other ends, or of what does not fall"),
    ("Integral(t, (t, -1, 1))", "an integral from below 0, or backwards"), ("Integral(t, (t, 2, 1))", "an integral from below 0, or backwards"),
    ("Integral((1 - t)^0, (t, 0, 1))", "0^0 in an integral"), ("Integral(1/t, (t, 1, 2))", "whose exponent is not whole, from 0"),
    ("Integral(t^(1/2), (t, 1, 2))", "whose exponent is not whole, from 0"), ("Integral(exp(1 - t), (t, 1, oo))", "exp in an integral"),
    ("Integral(exp(-t^2), (t, 0, 1))", "exp in an integral"),
    ("Integral(log(1 + t), (t, 0, 1))", "an integral over log"), ("Integral((1 + t)^4000, (t, 0, 1))", "from 0"),
    ("Integral((1 + t^2)^2000, (t, 0, 1))", "too high a degree"), ("Integral(Sum(t^i, (i, 3, 1)), (t, 0, 1))", "not short, between whole"),
    ("Integral(Sum(t^i, (i, 1, 3/2)), (t, 0, 1))", "not short, between whole"), ("Integral(1/x*t, (t, 0, 1))", "a division by what may be 0"),
])  # fmt: skip
def test_integrals_that_are_refused(text: str, reason: str) -> None:
    with pytest.raises(Refused) as caught:
        of_range(text, x=(0, 0))
    assert reason in str(caught.value)


def test_integrals_are_exact() -> None:
    for text, value in (
        ("Integral(Sum(t^i/i!, (i, 0, 2))^3*exp(-2*t), (t, 0, oo))", Fraction(491, 64)), ("Integral((t - 1)^3 + 2*t, (t, 1/2, 3))", Fraction(815, 64)),
        ("Integral(Sum(k*t^k*exp(-k*t), (k, 1, 2)), (t, 0, oo))", Fraction(3, 2)), ("Sum(Integral(t^k, (t, 0, k)), (k, 1, 2))", Fraction(19, 6)),
    ):  # fmt: skip
        found = of_range(text)
        assert found.is_point and Fraction(int(found.low.p), int(found.low.q)) == value, (text, found)


@pytest.mark.parametrize(("text", "at", "reason"), [
    ("i = a for some i in 0..s for whole s >= 1, whole a, 0 <= a <= s", {"s": "2", "a": "1"}, "nothing certainly fails"),
    ("i = a for some i in 1..s for whole s >= 0, whole a", {"s": "0", "a": "1"}, "no values of which some would do"),
    ("x = 1 for some x in 2..5 for x < 7", {"x": "3"}, "some values are meant, and all"),
    ("x = 1 for some x > 0 for x < 5", {"x": "2"}, "of which variable some values are meant"),
    ("i*x = 1 for some i in 1..3, x > 0 for x < 5", {"x": "2"}, "of which variable some values are meant"),
    ("x^2 = a for some real x, 0 <= x <= 2 for a in 2..3", {"a": "2"}, "nothing certainly fails"),
    ("i = a for some whole i, i >= a for whole a >= 0", {"a": "1"}, "not bounded on both sides"),
    ("1/i = 2 for some i in 0..3 for x > 0", {"x": "1"}, "a division by what may be 0"),
    ("i = 2*y for some i in 1..3, i > y for x > 0", {"x": "1", "y": "1/3"}, "some values are meant, and all"),
])  # fmt: skip
def test_a_point_refutes_what_some_values_would_do_only_if_all_fail(text: str, at: dict[str, str], reason: str) -> None:
    with pytest.raises(Refused) as caught:
        apply("witness", statement=text, at=at, bits=64)
    assert reason in str(caught.value)


def test_a_point_refutes_what_some_values_would_do() -> None:
    for text, at in (
        ("i = a + 10^(-200) for some i in 0..s for whole s >= 1, whole a, 0 <= a <= s", {"s": "2", "a": "1"}),
        ("x^2 = a for some real x, 0 <= x <= 1 for a in 2..3", {"a": "2"}), ("i*j = 7 for some i in 2..6, j in 2..6 for a > 0", {"a": "1"}),
        ("i = 1 for some i in 0..9, i > a for a > 0", {"a": "3/2"}),
    ):  # fmt: skip
        assert not apply("witness", statement=text, at=at, bits=64).holds


@pytest.mark.parametrize("text", [
    "Sum(x^k/k!, (k, 1, oo)) = exp(x) for x > 0", "Sum(k*x^k/k!, (k, 0, oo)) = exp(x) for x > 0",
    "Sum(log(x)^k/k!, (k, 0, oo)) = x for x >= 0", "Sum(x^k/k!, (k, 0, oo)) = exp(x)*(1 + 10^(-200)) for x > 0",
    "Integral(exp(-b*u^2), (u, a, oo)) > 0 for real a, b >= 0", "Integral(exp(b*u^2), (u, a, oo)) > 0 for real a, b > 0",
    "Integral(exp(-u^2), (u, a, oo)) = erfc(-a)*pi^(1/2)/2 for real a", "Integral(exp(-(u - a)^(1/2)), (u, a, oo)) = 2 for real a",
    "Integral(u*exp(-u^2), (u, a, oo)) = exp(-a^2)/3 for real a",
    "Integral(exp(-(u - 1/y)^2), (u, 1/y, oo)) = pi^(1/2)/2 for real y", "Integral(exp(-u), (u, log(a), oo)) > 0 for real a",
    "Sum(x^k*(1/x)^k/k!, (k, 0, oo)) = E for real x", "Sum((x - x)^k/k!, (k, 0, oo)) = 0 for x > 0",
])  # fmt: skip
def test_closed_forms_that_are_refused(text: str) -> None:
    with pytest.raises(Refused):
        apply("algebra", statement=text)


@pytest.mark.parametrize("text", [
    "n - d*floor(n/d) <= d - 1 for n >= 1, whole d >= 1", "n - d*floor(n/d) <= d - 2 for whole n >= 1, whole d >= 1",
    "d*a <= n for whole a, whole d, whole n, a <= n/d", "d*a <= n for a > 0, whole d >= 1, whole n, a + 1/2 <= n/d + 1",
    "a + 1 <= n for whole a, whole n, whole d >= 1, a <= n/d",
])  # fmt: skip
def test_what_does_not_follow_for_whole_quantities(text: str) -> None:
    with pytest.raises(Refused):
        apply("sums", statement=text, by=[])


def test_what_follows_for_whole_quantities() -> None:
    for text in ("n - d*floor(n/d) <= d - 1 for whole n >= 1, whole d >= 1", "d*a <= n for whole a, whole d >= 1, whole n, a <= n/d"):
        assert apply("sums", statement=text, by=[]).holds


def test_work_of_long_sums_is_counted() -> None:
    with pytest.raises(Refused, match="more work than is allowed"):
        ranges.Evaluator(64, 500).range(read("Sum(1/k, (k, 1, 10^8))"), {})


@pytest.mark.parametrize(("asked", "reason"), [
    (lambda: ranges.Evaluator(64)._function("erf", [ranges.point(1), ranges.point(2)]), "erf of 2 is not known here"),
    (lambda: of_range(f"factorial2({ranges.MOST_TERMS + 1})"), "factorial2 is not known here"),
    (lambda: limit("sin(n, 2) = O(1)", "bounded"), ""),
    (lambda: limit("parallel_occupancy(n, 1/2) = 1 + o(1)", "leaf"), "a leaf is an expansion with a remainder"),
    (lambda: limit("1/n -> 0", "asymptotic", (made("erf(m) = 1 + O(1/m) as m -> oo"),)), "another regime or domain"),
])  # fmt: skip
def test_what_leaves_and_ranges_refuse(asked: Callable[[], object], reason: str) -> None:
    with pytest.raises(Refused) as caught:
        asked()
    assert reason in str(caught.value)


@pytest.mark.parametrize("make", [number, ratio.rational])
@pytest.mark.parametrize("inexact", [0.5, mpq(2) ** mpq(1, 2), mpq(2) ** mpq(3)], ids=str)
def test_no_inexact_number_becomes_a_term_or_a_value(make, inexact):
    """A power of gmpy2's rationals with a rational exponent is a float, whatever its value."""
    with pytest.raises(AttributeError):
        make(inexact)


def test_what_holds_in_the_end_holds_on_the_whole_domain():
    """A condition on what moves may leave no way to the limit."""
    place, along = {"scales": {"n_": "n"}, "values": {"n": "n_"}}, {"runner": "k", "values": {"n": "k"}}
    limit = apply("asymptotic", statement="1/n -> 0 as n -> oo", order=1, place=place, **along)
    less = apply("algebra", statement="0 < p for p > 0")
    assert apply("in the end", [limit, less], statement="1/n <= p as n -> oo for p > 0").holds
    with pytest.raises(Refused):
        apply("in the end", [limit, less], statement="1/n <= p as n -> oo for p > 0, p < 1/n")
