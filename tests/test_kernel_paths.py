"""Witnesses: a path on which all that is said of a regime and a domain holds, and what an atom on trust may be."""

from __future__ import annotations

from typing import Any

import pytest
from witnessed import leaf

from asymp.check.ask import ask
from asymp.kernel import terms
from asymp.kernel.growths import bounded as bounded
from asymp.kernel.growths import narrower as narrower
from asymp.kernel.growths import uniform as uniform
from asymp.kernel.growths.leaves import agree
from asymp.kernel.growths.paths import Path
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import apply, certificate, replay
from asymp.language.conditions import read_conditions
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem
from asymp.regimes.paths import path

N: dict[str, Any] = {"scales": {"s": "n"}, "values": {"n": "s"}}
TWO: dict[str, Any] = {"scales": {"s": "n", "t": "1/p"}, "values": {"n": "s", "p": "1/t"}}


def holds(statement: str, place: dict[str, Any], runner: str = "k", **values: str):
    return apply("asymptotic", statement=statement, order=3, place=place, runner=runner, values=values)


def fails(statement: str, **values: str):
    return apply("path", statement=statement, order=3, runner="k", values=values)


# --- no path, no theorem ---------------------------------------------------------------------------------------------

CONTRADICTORY = [
    "n -> oo, m -> oo, m = o(n), n = o(m)", "n -> oo, m -> oo, m = omega(n), m = O(n)", "n -> oo, m -> oo, n/m -> 0, n/m -> oo",
    "n -> oo, m -> oo, m/n -> 1, m/n -> 2", "whole n -> oo, whole m = log(n)", "integer m -> oo, integer n = 1/m",
    "whole n -> oo, whole m = n + 1/2", "n -> oo, n < 3, m -> oo", "n -> oo, m -> 0+, m -> oo", "n -> oo, m -> 0+, m < 0",
    "n -> oo, m = 1/n, n*m -> oo", "n -> oo, m -> oo, m < n, n < m", "n -> oo, m -> oo, m = Theta(n), m = o(n)",
    "n -> oo, whole m -> 1/2", "n -> oo, whole m -> 0+",
]  # fmt: skip


@pytest.mark.parametrize("regime", CONTRADICTORY)
def test_a_regime_that_contradicts_itself_has_no_theorem(regime):
    for body in ("n/m -> oo", "n/m -> 0", "1/n -> 0", "n + m ~ n + m + 1/n^5"):
        statement = read_statement(f"{body} as {regime}")
        for outcome in (True, False):
            with pytest.raises(Refused):
                theorem(statement, outcome)
        with pytest.raises(Refused, match=r"no path is seen|two limits"):
            path(statement)
    found = ["k", "k^2", "1/k", "2", "log(k)", "2*k", "k + 1/2", "1/k^2", "0", "1/2 + 1/k", "floor(k^(1/2))"]
    for n in found[:3]:
        for m in found:
            with pytest.raises(Refused):
                holds(f"1/n -> 0 as {regime}", N, n=n, m=m)
            with pytest.raises(Refused):
                fails(f"n -> 0 as {regime}", n=n, m=m)


@pytest.mark.parametrize("domain", [
    "x > y, y > x", "x^2 < 0", "x^2 < x, x > 1", "x*y > 1, x + y < 0, x > 0", "x = 2, x = 3", "whole x, 2*x = 1", "x > 0, y = -x, y > 0",
    "x in {1, 2}, x > 2", "(x, y) in {(1, 2)}, x > y", "x in 2..1", "x in 2..7, x > 7", "x in 5/3..9/5", "log(x) > 3, x < 2", "whole x, x = pi",
])  # fmt: skip
def test_a_domain_that_contradicts_itself_has_no_theorem(domain):
    with pytest.raises(Refused):
        theorem(read_statement(f"x/n -> 0 as n -> oo for {domain}"), True)
    own = {"y"} if "y" in domain else set()
    for x in ("1", "2", "-1", "0", "1/2", "pi", "5/2"):
        for y in ("1", "-2", "3"):
            with pytest.raises(Refused):
                holds(f"x/n -> 0 as n -> oo for {domain}", N, n="k", x=x, **dict.fromkeys(own, y))


@pytest.mark.parametrize(("regime", "domain"), [
    ("n -> oo", "x > y, y > 0"), ("n -> oo", "x*x < 5, x > 2"), ("n -> oo", "(x, y) in {(1, 2), (3, 1)}, x > y"),
    ("whole n -> oo, m = n*(n + 1)/2, whole m", ""), ("whole n -> oo, whole m -> oo, m = o(n)", ""),
    ("whole n -> oo, whole m -> oo, n = o(m), m = o(n^2)", ""), ("whole n -> oo, whole m -> oo, m/(n*log(n)) -> 1", ""),
    ("x -> 1-", ""), ("x -> 2", "x > 2"), ("n -> oo, x -> -oo", ""), ("n -> oo, m = Omega(n), m = O(n^2)", ""),
    ("whole n -> oo, p -> 0+, n*p*log(n) -> oo, n*p -> 0", "k in 3..5, whole m, m > k"),
])  # fmt: skip
def test_a_path_is_found(regime, domain):
    found = path(read_statement(f"1 -> 1 as {regime}" + (f" for {domain}" if domain else "")))
    assert found["values"]


# --- each condition of a path ----------------------------------------------------------------------------------------

SPARSE = "1/n + p -> 0 as whole n -> oo, p -> 0+, n*p -> c, p < 1, p = O(1/n) for c > 1, whole d, d in 2..7, (e, f) in {(1, 2), (2, 1)}"
GOOD = {"n": "k", "p": "2/k", "c": "2", "d": "3", "e": "2", "f": "1"}


def test_a_path_that_obeys_all_makes_the_theorem():
    assert holds(SPARSE, TWO, **GOOD).holds


@pytest.mark.parametrize("change", [
    {"n": "k/2"}, {"n": "k^(1/2)"}, {"n": "-k"}, {"n": "7"}, {"p": "-2/k"}, {"p": "3/k"}, {"p": "2"}, {"p": "2/k^2"}, {"p": "0"},
    {"c": "1"}, {"c": "1/2"}, {"c": "3"}, {"c": "k"}, {"d": "5/2"}, {"d": "1"}, {"d": "8"}, {"d": "k"}, {"e": "1"}, {"e": "3"}, {"f": "1/k"},
    {"c": "oo"}, {"c": "log(-1)"}, {"c": "2/(1 - 1)"}, {"c": "g(2)"}, {"c": "x"}, {"p": "2/x"}, {"k": "2"}, {"pi": "3"}, {"x": "1"},
])  # fmt: skip
def test_a_path_with_one_value_changed_is_refused(change):
    with pytest.raises(Refused):
        holds(SPARSE, TWO, **(GOOD | change))


@pytest.mark.parametrize("name", GOOD)
def test_every_name_has_a_value(name):
    with pytest.raises(Refused, match="has a value for each name"):
        holds(SPARSE, TWO, **{v: x for v, x in GOOD.items() if v != name})


def test_the_runner_is_a_fresh_name():
    for runner in ("n", "p", "c", "pi", "oo", "2", "k + 1", ""):
        with pytest.raises((Refused, ValueError)):
            holds(SPARSE, TWO, runner, **{v: x.replace("k", runner) for v, x in GOOD.items()})
    with pytest.raises(Refused):
        apply("asymptotic", statement=SPARSE, order=3, place=TWO, runner=1, values=GOOD)
    with pytest.raises(Refused):
        apply("asymptotic", statement=SPARSE, order=3, place=TWO, runner="k", values={**GOOD, "c": 2})


@pytest.mark.parametrize(("statement", "values"), [
    ("x -> 1 as x -> 1", {"x": "1"}), ("x -> 1 as x - 1 -> 0", {"x": "1"}), ("x -> 5 as x -> 1+", {"x": "1 - 1/k"}),
    ("x -> 5 as x -> 1-", {"x": "1 + 1/k"}), ("x -> -oo as x -> -oo", {"x": "k"}), ("n*p -> 1 as n -> oo, n*p -> n", {"n": "k", "p": "1"}),
    ("n/m -> 0 as n -> oo, m = omega(n)", {"n": "k", "m": "2*k"}), ("n/m -> 0 as n -> oo, m = o(n)", {"n": "k", "m": "k"}),
    ("n/m -> 0 as n -> oo, m = Theta(n)", {"n": "k", "m": "k*log(k)"}), ("n/m -> 0 as n -> oo, m = O(n)", {"n": "k", "m": "k^2"}),
    ("n/m -> 0 as n -> oo, m = Omega(n)", {"n": "k", "m": "1"}), ("a*n -> oo as n -> oo for a <= 2", {"n": "k", "a": "5/2"}),
])  # fmt: skip
def test_what_a_condition_says_is_asked(statement, values):
    with pytest.raises(Refused, match=r"on the path|moves"):
        fails(statement, **values)


def test_values_are_real_numbers_and_conditions_are_defined():
    for value in ("log(-1)", "g(2)", "oo", "(-2)^(1/2)"):
        with pytest.raises(Refused):
            holds("x/n -> 0 as n -> oo", N, n="k", x=value)
    with pytest.raises(Refused):
        holds("x/n -> 0 as n -> oo for log(x) <= log(x)", N, n="k", x="-1")
    along = Path.of("k", {"n": terms.name("k")})
    with pytest.raises(Refused, match="x has no value"):
        along.series(terms.read("x + n"))
    for said in ("function f(n)", "[n <= j for whole j, j >= 1]"):
        with pytest.raises(Refused, match="on a path"):
            along.obeys(read_conditions(said)[0])


def test_whole_values():
    for value in ("k", "3*k^2 + 1", "2^k", "k*(k + 1)/2", "floor(k^(1/2))", "ceiling(k*log(k))"):
        assert not fails("n -> 0 as whole n -> oo", n=value).holds
    for value in ("k/2", "k^(1/2)", "k*(k + 2)/2", "log(k)", "2^(-k) + k", "k + pi", "(k + 1)^3/6"):
        with pytest.raises(Refused, match="whole n fails"):
            fails("n -> 0 as whole n -> oo", n=value)


@pytest.mark.parametrize("text", [
    "log(n + 1) ~ log(n) as n -> oo for a > 1", "i = O(n) uniformly in 1 <= i <= n as whole n -> oo", "n + sin(n) ~ n as n -> oo for a > 1",
    "1/(n*p) -> oo as whole n -> oo, p -> 0+, n*p*log(n) -> a for a > 1",
])  # fmt: skip
def test_each_rule_asks_for_the_path(text):
    steps = certificate(theorem(read_statement(text), True))
    assert replay(steps).holds
    for change in ({"runner": "n"}, {"values": {}}, {"values": {**steps[-1]["data"]["values"], "n": "7"}}):
        with pytest.raises(Refused):
            replay([*steps[:-1], {**steps[-1], "data": steps[-1]["data"] | change}])
    for key in ("runner", "values"):
        with pytest.raises(Refused):
            replay([*steps[:-1], {**steps[-1], "data": {k: v for k, v in steps[-1]["data"].items() if k != key}}])


def test_what_has_no_path_is_meaningless_and_not_proved():
    for text, to in (("sin(pi*p) ~ pi*p", "integer m -> oo, p = 1/m, integer p"), ("m/n -> 0", "whole n -> oo, whole m = log(n)")):
        verdict = ask(text, to=to, quick=True)
        assert (verdict.outcome, verdict.certificate) == ("undecided", None)
        assert verdict.reason.startswith("no meaning: no path is seen")


# --- leaves -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [
    "Sum(1/k, (k, 1, n)) = log(n) + O(1) as whole n -> oo", "Product(k, (k, 1, n)) = 0 + O(n^n) as whole n -> oo",
    "Integral(exp(-x*n), (x, 0, oo)) = 1/n + O(1/n^2) as n -> oo", "erf(n) = 1 + O(1/n) as n -> oo", "f(n) = 1 + O(1/n) as n -> oo",
    "proved(n) = 1 + O(1/n) as n -> oo", "floor(n) = n + O(1) as n -> oo", "Max(n, 1) = n + O(1) as n -> oo",
    *(f"parallel_occupancy({x}) = {kept} + O({rest}) as n -> oo{more}" for x, kept, rest, more in (
        ("n", "1", "1/n", ""), ("n, n, n", "1", "1/n", ""), ("-n, 1/2", "1", "1/n", ""), ("1 - 1/n, 1/2", "1", "1/n", ""),
        ("n, 1", "1", "1/n", ""), ("n, 1 + 1/n", "1", "1/n", ""), ("n, 1/n - 1/n", "1", "1/n", ""), ("n, -1/n", "1", "1/n", ""),
        ("n, 1/log(-n)", "1", "1/n", ""), ("n, 1/(n - n)", "1", "1/n", ""), ("n, f(n)", "1", "1/n", ""), ("n, a", "1", "1/n", ""),
        ("n, Sum(1/k, (k, n, 1))", "1", "1/n", ""), ("n, Sum(log(2 - k)/k^n, (k, 1, oo))", "1", "1/n", ""),
        ("n, 1/2", "1", "0", ""), ("n, 1/2", "1", "n - n", ""), ("n, 1/2", "1", "a/n", ""), ("n, 1/2", "1/(n - n)", "1", ""),
        ("n, 1/2", "1", "1/n", " for a > 1, a < 0"), ("n, 1/2", "1", "1/n", ", n < 3"), ("a, 1/2", "1", "1/n", " for a > 1"),
    )),
])  # fmt: skip
def test_what_no_leaf_says(text):
    for values in ({"n": "m"}, {"n": "m", "a": "2"}, {"n": "m", "a": "1"}):
        with pytest.raises(Refused):
            apply("leaf", statement=text, place=N, runner="m", values=values)


@pytest.mark.parametrize("text", ["parallel_occupancy(n, 1/2) = log(2) + O(1/n) as n -> oo", "parallel_occupancy(2, 1 - 1/n) = 0 + O(n) as n -> oo"])
def test_what_a_leaf_says_is_named_by_its_head(text):
    assert leaf(text, N).trusts == {"engine: parallel_occupancy", "row: asymp/parallel_occupancy"}


def test_a_label_is_no_datum_and_a_leaf_has_no_premises():
    given: dict[str, Any] = {"place": N, "runner": "k", "values": {"n": "k"}}
    known = apply("leaf", statement="parallel_occupancy(n, 1/2) = 1 + O(1/n) as n -> oo", **given)
    with pytest.raises(Refused):
        apply("leaf", [known], statement="parallel_occupancy(n, 1/2) = 1 + O(1/n) as n -> oo", **given)
    with pytest.raises(Refused):
        apply("leaf", statement="parallel_occupancy(n, 1/2) = 1 + O(1/n) as n -> oo", method="proved", place=N, runner="k", values={"n": "k"})


def test_a_second_leaf_of_one_atom():
    one, other = (leaf(f"parallel_occupancy(n, 1/2) = {c} + O(1/n) as n -> oo", N) for c in ("1", "2"))
    finer = leaf("parallel_occupancy(n, 1/2) = 1 + O(1/n^2) as n -> oo", N)
    data = {"statement": "parallel_occupancy(n, 1/2) -> 1 as n -> oo", "order": 3, "place": N, "runner": "k", "values": {"n": "k"}}
    assert apply("asymptotic", [one], **data).holds
    for premises in ([one, other], [other, one], [one, finer], [one, one]):
        with pytest.raises(Refused, match="a second premise"):
            apply("asymptotic", premises, **data)
    agree([one, finer])
    with pytest.raises(Refused, match="contradict"):
        agree([finer, other])
    wrong = apply("asymptotic", [other], **{**data, "statement": "parallel_occupancy(n, 1/2) -> 2 as n -> oo"})
    right = apply("asymptotic", [one], **data)
    with pytest.raises(Refused, match="contradict"):
        apply("all", [right, wrong], statement="parallel_occupancy(n, 1/2) -> 1 and parallel_occupancy(n, 1/2) -> 2 as n -> oo")
    assert apply("all", [right, apply("asymptotic", [finer], **data)], statement="parallel_occupancy(n, 1/2) -> 1 and parallel_occupancy(n, 1/2) -> 1 as n -> oo").holds


@pytest.mark.parametrize(
    "text",
    [
        "c = O(1) as n -> oo, p -> 0+, p = o(c/n) for c > 0",
        "c*p*n -> 0 as n -> oo, p -> 0+, p = o(c/n) for c > 0",
        "c*p*n -> 0 as n -> oo, n*p/c -> 0, p -> 0+ for c > 0",
        "c/n -> 0 as n -> oo, n*p - c -> 0 for c > 0",
        "(1 + p)^(n^2) ~ exp(c*n - c^2/2) as n -> oo, n^2*p - c*n -> 0 for c > 0",
    ],
)
def test_what_may_be_a_parameter_moves_on_no_path_of_a_refutation(text):
    with pytest.raises(Refused):
        theorem(read_statement(text), False)


def test_what_has_to_move_does() -> None:
    assert not theorem(read_statement("n^2*p = O(1) as n -> oo, n*p -> 1 for 0 < p < 1"), False).holds
