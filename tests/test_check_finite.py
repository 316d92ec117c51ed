"""The judge of identities, bounds and printed numbers: true statements pass, mutants never do."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
import sympy as sp

from asymp.check import bounds, finite
from asymp.check.judge import judge, searched
from asymp.claim import Domain, Identity, Outcome, Step, Strength
from asymp.language.conditions import read_conditions
from asymp.language.statement import read_statement
from asymp.language.syntax import Parser
from asymp.parse import parse_statement
from asymp.parse.build import build
from asymp.parse.built import member

x, n, q = sp.symbols("x n q", positive=True)
i, j = sp.symbols("i j", integer=True, positive=True)
HALF, ONE, THREE = {"x": Fraction(1, 2)}, {"x": Fraction(1)}, {"x": Fraction(3)}


def verdict(lines):
    return judge(lines)[:2]


def at(text, *grid, **more):
    """A statement for x > 0 at some points of it."""
    relation = parse_statement(f"{text} for x > 0")
    return replace(relation, domain=replace(relation.domain, grid=grid), **more)


def coded(left, right, *values, complete=False):
    """An equality between two functions of n."""
    return Identity(left, right, Domain("", tuple({"n": Fraction(k)} for k in values), complete=complete))


GEOMETRIC = [
    ("Sum(q^i, (i, 1, n))", "(q - q^(n + 1))/(1 - q)"),
    ("Sum(q^i, (i, 0, n - 1))", "(1 - q^n)/(1 - q)"),
    ("Sum(i*q^i, (i, 1, n))", "(q - (n + 1)*q^(n + 1) + n*q^(n + 2))/(1 - q)^2"),
    ("Sum(q^(i + 1) + 3, (i, 1, n))", "q*(q - q^(n + 1))/(1 - q) + 3*n"),
]


@pytest.mark.parametrize(("lhs", "rhs"), GEOMETRIC)
def test_identities_are_upheld_on_a_grid_and_their_mutants_refuted(lhs, rhs):
    def said(right):
        return verdict(finite.identity(parse_statement(f"{lhs} = {right} for whole n >= 1, 0 < q < 1")))

    assert said(rhs) == (Outcome.HOLDS, Strength.SUPPORTED)
    for mutant in (f"-({rhs})", f"{rhs} + 1", f"2*({rhs})", rhs.replace("n", "(n + 1)"), rhs.replace("q", "(q^2)")):
        assert said(mutant) == (Outcome.REFUTED, Strength.CERTIFIED)


def test_balls_support_and_never_certify_equality():
    points = THREE, {"x": Fraction(1, 7)}
    assert verdict(finite.identity(at("log(2*x) - log(x) = log(2)", *points))) == (Outcome.HOLDS, Strength.SUPPORTED)
    for near in ("log(2) + 10^(-40)", "log(2)*(1 + 10^(-400))", "(10^400 + 1)*log(2)/10^400"):
        assert verdict(finite.identity(at(f"log(2*x) - log(x) = {near}", *points))) == (Outcome.REFUTED, Strength.CERTIFIED)


def test_tables_are_compared_entry_by_entry():
    def table(n):
        return {k: Fraction(1, k + 1) for k in range(int(n))}

    good = coded(table, lambda n: {k: (1, k + 1)[0] * Fraction(1, k + 1) for k in range(int(n))}, 1, 4, complete=True)
    assert verdict(finite.identity(good)) == (Outcome.HOLDS, Strength.CERTIFIED)
    bad = coded(table, lambda n: {k: Fraction(1, k + 1 + (k == 3)) for k in range(int(n))}, 1, 4)
    line = finite.identity(bad)[-1]
    assert line.outcome == Outcome.REFUTED
    assert [point.value for point in line.points] == ["1/4 [3]", "1/5 [3]"]
    short = coded(table, lambda n: table(n - 1), 2)
    assert finite.identity(short)[-1].outcome == Outcome.REFUTED


def test_a_callable_against_a_term():
    def partial(more):
        return lambda n: sum((Fraction(1, k) for k in range(1, int(n) + more)), Fraction(0))

    harmonic = parse_statement("harmonic(n) = 1 for n in {1, 2, 30}").lhs
    for more, outcome in ((1, Outcome.HOLDS), (0, Outcome.REFUTED)):
        relation = coded(partial(more), harmonic, 1, 2, 30, complete=True)
        assert verdict(finite.identity(relation)) == (outcome, Strength.CERTIFIED)


@pytest.mark.parametrize(
    "relation",
    [
        coded(lambda n: n, lambda n: n),
        coded(lambda n: 0.5, lambda n: 0.5, 1),
        coded(lambda n: 1 // (n - 1), lambda n: 1 // (n - 1), 1),
        coded(lambda n, m: n, lambda n, m: n, 1),
        at("log(x) = log(x)*1.0", {"y": Fraction(1)}),
    ],
)
def test_what_cannot_be_tried_is_never_upheld(relation):
    assert judge(finite.identity(relation))[0] == Outcome.UNDECIDED


def test_an_error_at_one_point_does_not_hide_a_counterexample():
    relation = coded(lambda n: 1 // (n - 1), lambda n: 2, 1, 2)
    assert verdict(finite.identity(relation)) == (Outcome.REFUTED, Strength.CERTIFIED)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("log(1 + x) < x", "holds"), ("log(1 + x) >= x", "refuted"), ("log(1 + x) < x - x^2/2", "refuted"), ("x <= x", "holds"),
        ("x < x", "refuted"), ("1/(x - 1) < x", "refuted"),
    ],
)  # fmt: skip
def test_bounds(text, outcome):
    found = verdict(bounds.evidence(at(text, {"x": Fraction(1, 10**6)}, ONE, {"x": Fraction(10**9)})))
    assert found == (outcome, {"holds": "supported", "refuted": "certified"}[outcome])


def test_bounds_that_cannot_be_tried():
    relation = at("x < 2*x", ONE)
    assert verdict(bounds.evidence(replace(relation, lhs=lambda x: 2 * x - 1)))[0] == Outcome.HOLDS
    assert verdict(bounds.evidence(replace(relation, domain=Domain("empty"))))[0] == Outcome.UNDECIDED
    assert verdict(bounds.evidence(replace(relation, op="~")))[0] == Outcome.UNDECIDED


@pytest.mark.parametrize(
    "says",
    [
        "f(1) > f(0) and f(2) > f(1)",  # so at the values that are given, and not for all functions
        "f(0) > 0 and f(1) + f(0) > f(1)",  # so for all, while y, which stands in the values alone, may be 0 in a theorem
    ],
)
def test_no_theorem_is_sought_of_the_values_that_a_function_is_given(says):
    statement = read_statement(f"{says} for function f(k), [f(k) > 0 for whole k, 0 <= k <= 2]")
    tried = build(statement, tried=read_conditions("y in {1, 2}, f(k) = k + y"))
    found = searched(member(statement, tried))
    assert (found.outcome, found.strength) == (Outcome.HOLDS, Strength.SUPPORTED)


def test_equality_of_irrational_sides_leaves_a_bound_undecided():
    assert judge(bounds.evidence(at("log(2*x) <= log(2) + log(x)", THREE)))[0] == Outcome.UNDECIDED


def test_a_hook_supports_and_the_grid_refutes():
    def proof():
        return [Step("by decree", "0 < 1")]

    points = ONE, {"x": Fraction(2)}
    assert verdict(bounds.evidence(at("x < 2*x", *points, proof=proof))) == (Outcome.HOLDS, Strength.SUPPORTED)
    refuted = (Outcome.REFUTED, Strength.CERTIFIED)  # one certified counterexample outweighs what a hook says
    assert verdict(bounds.evidence(at("x > 2*x", *points, proof=proof))) == refuted
    assert verdict(finite.identity(at("x = 2*x", *points, proof=proof))) == refuted


@pytest.mark.parametrize("proof", [list, lambda: [][0], lambda: 1 / 0])
def test_a_failing_proof_proves_nothing(proof):
    relation = at("x < 2*x", ONE, proof=proof)
    assert verdict(bounds.evidence(relation)) == (Outcome.HOLDS, Strength.SUPPORTED)
    assert judge(bounds.evidence(replace(relation, domain=Domain("empty"))))[0] == Outcome.UNDECIDED


@pytest.mark.parametrize(
    ("term", "printed", "outcome", "word"),
    [
        ("pi", "3.1416", Outcome.HOLDS, "rounds"),
        ("pi", "3.1415", Outcome.HOLDS, "truncated"),
        ("pi", "3.1417", Outcome.REFUTED, "3.1416"),
        ("-pi", "-3.1415", Outcome.HOLDS, "truncated"),
        ("-pi", "-3.1416", Outcome.HOLDS, "rounds"),
        ("-pi", "3.1416", Outcome.REFUTED, "-3.1416"),
        ("E/(E - 1)^2", "0.92", Outcome.HOLDS, "rounds"),
        ("10^6*sqrt(2)", "1.41421e6", Outcome.HOLDS, "rounds"),
        ("1/8", "0.125", Outcome.HOLDS, "rounds"),
        ("650", "650", Outcome.HOLDS, "rounds"),
        ("pi", "about 3", Outcome.UNDECIDED, "decimal"),
        ("x", "1", Outcome.UNDECIDED, "value"),
    ],
)
def test_printed_numbers(term, printed, outcome, word):
    (line,) = finite.value(replace(parse_statement("1 rounds to 1"), term=Parser(term).whole(), printed=printed))
    assert line.outcome == outcome, line.detail
    assert word in line.detail
