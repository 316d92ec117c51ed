"""A referee's reproductions of false theorems: the kernel refuses every one, in seconds, and with Refused."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from witnessed import leaf, witnessed

from asymp.check.ask import ask
from asymp.check.theorems import of_expansion
from asymp.kernel.growths import asymptotics as asymptotics
from asymp.kernel.records import REFUSED, replayed
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import apply
from asymp.language.elaborate import Setting, closed
from asymp.language.numbers import ParseError
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem

N_IS_S: dict[str, Any] = {"scales": {"s": "n"}, "values": {"n": "s"}}
NOTHING: dict[str, Any] = {"scales": {}, "values": {}}


def _path(statement: str, runner: str, **values: str) -> None:
    with pytest.raises(Refused):
        apply("path", statement=statement, order=3, runner=runner, values=values)


def _asymptotic(statement: str, place: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        witnessed("asymptotic", statement=statement, order=3, place=place)


# --- what moves in a regime and is taken for a constant ----------------------------------------------


@pytest.mark.parametrize(
    ("statement", "place"),
    [
        ("x = O(1) as x -> -oo", NOTHING),
        ("x = Theta(1) as x -> 0 for x > 0", NOTHING),
        ("1/(n*(1 - p)) -> 0 as n -> oo, p -> 1- for 0 < p < 1", N_IS_S),
        ("n/i^2 -> oo as n -> oo, i -> c for i > 0", N_IS_S),
        ("m/n -> 0 as n -> oo, m = omega(n)", N_IS_S),
        ("m/n -> 0 as n -> oo, m/n -> oo", N_IS_S),
        ("i/n -> 0 as n -> oo, i ~ n", N_IS_S),
        ("i/n -> 0 as n -> oo, 1 <= i <= n", N_IS_S),
        ("n*p -> oo as n -> oo, 1/n = p for p > 0", N_IS_S),
        ("n*p -> oo as n -> oo, p = q = 1/n for p > 0", N_IS_S),
        ("n*p -> oo as n -> oo for p = 1/n^2, p > 0", N_IS_S),
        ("x = Theta(1) as n -> oo for x -> 0, x > 0", N_IS_S),
    ],
)
def test_what_moves_is_no_parameter(statement: str, place: dict[str, Any]) -> None:
    _asymptotic(statement, place)


# --- what is constant and is moved on a path -----------------------------------------------------------


def test_a_parameter_stands_still_on_a_path() -> None:
    _path("c/n = O(1) as n -> oo for c > 0", "s", n="s", c="s^2")


def test_the_runner_is_no_variable_of_the_statement() -> None:
    _path("c/n = O(1) as n -> oo", "c", n="log(c)")


@pytest.mark.parametrize(
    ("statement", "values"),
    [
        ("n*(pi - 3) + 1 = Omega(n) as n -> oo", {"pi": "3"}),
        ("exp(1)*n ~ E*n as n -> oo", {"E": "2"}),
        ("pi*n + 1 ~ pi*n as n -> oo", {"pi": "1/s"}),
    ],
)
def test_a_constant_has_no_other_value_on_a_path(statement: str, values: dict[str, str]) -> None:
    _path(statement, "s", n="s", **values)


def test_the_runner_has_no_value() -> None:
    statement = "(n - 1/2)^2 = Omega(1) as x -> 1, whole n, n*(x - 1) -> 0"  # a whole n is not 1/2
    _path(statement, "s", n="s", x="1", s="1/2")
    _path(statement, "s", n="s", x="1 + 1/s^2", s="1/2")


@pytest.mark.parametrize(
    ("statement", "values"),
    [
        ("ceiling(x^2) ~ 1 as x -> 0", {"x": "0"}),
        ("ceiling(x^2) -> 1 as x -> 0 for x >= 0", {"x": "0"}),
        ("floor(2 - (x - 2)^2) ~ 1 as x -> 2", {"x": "2"}),
        ("floor(2 - (x - 2)^2) ~ 1 as x - 2 -> 0", {"x": "2"}),
        ("x^2 + n = o(n^2*x) as n -> oo, n*x -> oo, x -> 0", {"x": "0", "n": "s"}),
    ],
)
def test_what_tends_to_a_number_is_never_at_it(statement: str, values: dict[str, str]) -> None:
    for rule in ("path", "along"):
        with pytest.raises(Refused):
            apply(rule, statement=statement, order=3, runner="s", values=values)


def test_a_path_beside_the_limit_is_found() -> None:
    assert not apply("path", statement="x = O(x^2) as x -> 0", order=3, runner="s", values={"x": "1/s"}).holds
    statement = "n*p -> 0 as n -> oo, n*p -> c for c > 0"  # a product may be what it tends to
    assert not apply("path", statement=statement, order=3, runner="s", values={"n": "s", "p": "2/s", "c": "2"}).holds


@pytest.mark.parametrize("rule", ["path", "along"])
def test_a_limit_does_not_move(rule: str) -> None:
    with pytest.raises(Refused):
        apply(rule, statement="2*n -> n as n -> oo", order=3, runner="s", values={"n": "s"})


# --- the arithmetic of monomials ------------------------------------------------------------------------


def test_the_logarithm_of_what_vanishes_is_not_positive() -> None:
    value = "(log(1/s)^2)^(1/2)/(s*log(1/s))"  # -1/s
    _asymptotic("1/p -> -oo as p -> 0+", {"scales": {"s": "1/p"}, "values": {"p": value}})


# --- names of leaves ------------------------------------------------------------------------------------


def test_a_quantity_has_no_name_of_a_premise() -> None:
    known = leaf("parallel_occupancy(n, 1/(2 + s^2)) = 0 + O(1/n) as n -> oo", {"scales": {"t": "n"}, "values": {"n": "t"}})
    with pytest.raises(Refused, match="taken"):
        witnessed("asymptotic", [known], statement="parallel_occupancy(n, 1/(2 + n^2)) -> 0 as n -> oo", order=3, place=N_IS_S)
    with pytest.raises(Refused, match="taken"):
        apply(
            "path", [known], statement="parallel_occupancy(n, 1/(2 + n^2)) -> oo as n -> oo", order=3, runner="s", values={"n": "s"}
        )


def test_trust_in_an_axiom_is_not_lost_in_a_leaf() -> None:
    known = leaf("parallel_occupancy(n, 1/2) = 1 + O(1/n) as n -> oo, harmonic(n) -> oo", {"scales": {"t": "n"}, "values": {"n": "t"}})
    assert known.trusts == {"engine: parallel_occupancy", "row: asymp/parallel_occupancy", "DLMF 5.4.14", "DLMF 5.11.2"}


@pytest.mark.parametrize("left", ["Abs(0)", "floor(0)", "factorial(0)", "Abs(n - f(n))", "Sum(1/k, (k, 1, n))", "-parallel_occupancy(n, 1/2)"])
def test_a_leaf_is_no_compound_and_no_number(left: str) -> None:
    with pytest.raises(Refused):
        leaf(f"{left} = 1 + O(1/n) as n -> oo", N_IS_S)


# --- functions --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "statement",
    [
        "uppergamma(1, 2) > 1/2",  # it is exp(-2)
        "harmonic(a, 2) = harmonic(a) for a > 1",
        "log(a, 10) = log(a) for a > 1",
        "exp(a, 10) = exp(a) for a > 1",
        "sum(a, b) = a + b for a > 0",
        "number(a) = 0 for a > 0",
        "power(a, 2) = a^2 for a > 0",
    ],
)
def test_a_function_is_what_it_says(statement: str) -> None:
    with pytest.raises(Refused):
        apply("algebra", statement=statement)


@pytest.mark.parametrize(
    "statement",
    ["log(n, 10) ~ log(n)", "floor(n, 3) ~ n", "exp(n, 2) ~ exp(n)", "Abs(n, 2) ~ n", "factorial(n, 2) ~ factorial(n)"],
)
def test_a_function_has_its_number_of_arguments(statement: str) -> None:
    _asymptotic(f"{statement} as n -> oo", N_IS_S)


def test_incomplete_gamma_has_the_order_first() -> None:
    assert apply("algebra", statement="uppergamma(1, 2) < 1/2").holds


def test_zero_to_the_power_zero_is_undefined() -> None:
    _asymptotic("(n - n)^0 -> 1 as n -> oo", N_IS_S)


# --- no other exception, and no long wait ---------------------------------------------------------------


@pytest.mark.parametrize(
    "statement",
    [
        "10^5000*pi > 3",
        "uppergamma(1, 0 - 10^5000) > 0",
        "10^5000*a > 3 for a > 5",
        "log(10^5000) > a for a > 5",
    ],
)
def test_long_numbers_are_no_crash(statement: str) -> None:
    with contextlib.suppress(Refused):
        apply("algebra", statement=statement)


@pytest.mark.parametrize("statement", ["1e900000^10000 > 0", "((9^9999)^9999)^9999 > 0"])
def test_a_tower_of_powers_is_refused_at_once(statement: str) -> None:
    with pytest.raises(Refused):
        apply("algebra", statement=statement)


@pytest.mark.parametrize("trusts", [None, 5, [[1]]])
def test_an_odd_record_is_refused(trusts: Any) -> None:
    statement = "1 - a < 0 for a > 1"
    step = {"rule": "algebra", "premises": [], "data": {"statement": statement}}
    entry = {"id": "x", "closed": statement, "outcome": "holds", "certificate": [step], "trusts": trusts}
    assert replayed(entry).told == REFUSED


# --- domains without points ---------------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["x < y, y < x", "y < x, x < y"])
def test_premises_of_two_domains_have_points_in_common(where: str) -> None:
    left, right = (apply("sums", statement=f"{c} for {c}", by=[]) for c in ("x < y", "y < x"))
    by = [[[0, "1"], [1, "1"]]]
    with pytest.raises(Refused):
        apply("sums", [left, right], statement=f"0 > 0 for {where}", by=by)
    turned = (apply("sums", statement=f"{text} for {text}, {rest}", by=[]) for text, rest in
              (("x < y", "y < x"), ("y < x", "x < y")))  # fmt: skip
    with pytest.raises(Refused):
        apply("sums", list(turned), statement=f"0 > 0 for {where}", by=by)
    found = []
    for one, c in ((left, "x < y"), (right, "y < x")):
        with contextlib.suppress(Refused):
            found.append(apply("instance", [one], statement=f"{c} for {where}", values={}))
    assert len(found) == 1  # the one that the domain is seen by


@pytest.mark.parametrize("low", ["oo", "-oo", "log(-1)", "1/(y - y)"])
def test_an_integral_has_ends(low: str) -> None:
    integral = f"Integral(0, (x, {low}, oo))"
    with pytest.raises(Refused):
        apply("bounds", statement=f"{integral} <= 1 for y > 0", point={"y": "1"},
              proofs=[["integrate", integral, "x", "0", ["by", []]]])  # fmt: skip


# --- the statement that is shown, and the closed one ----------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("i/n = O(1) uniformly in 1 <= i <= m as n -> oo for m = n^2", "i/n = O(1) uniformly in 1 <= i <= n^2 as n -> oo"),
        ("x <= n for some x > p for p = 1/n, n > 1", "x <= n for some x > 1/n for n > 1"),
        ("x <= 2 for x > 0, exp(x) = 3, exp = 2", "x <= 2 for x > 0, exp(x) = 3"),
    ],
)
def test_a_tie_is_put_in_wherever_its_name_stands(text: str, found: str) -> None:
    assert str(closed(read_statement(text), Setting())) == found


@pytest.mark.parametrize(
    "text",
    [
        "n <= 3 for n > 0, m = 1/n, m in {1/2, 1/3}",
        "m = 5 for m in 1..3, m = 5",
        "i/n = O(1) uniformly in 1 <= i <= n as n -> oo for i = 7",
        "x <= n for some x > 1 for x = 1/n, n > 1",
        "x^2 = 4 has one root x in (0, 3) for x = 2",
    ],
)
def test_what_is_tied_has_no_other_values(text: str) -> None:
    with pytest.raises(ParseError):
        closed(read_statement(text), Setting())


def test_a_conjunction_hangs_on_the_letters_of_its_parts() -> None:
    verdict = ask("cos(2*pi*n) ~ 1 and sin(pi*n) = O(1/n) as n -> oo", quick=True)  # true of whole n
    assert (verdict.outcome, verdict.asked_back, verdict.certificate) == ("undecided", ("n",), None)


def test_no_cases_are_no_theorem() -> None:
    assert of_expansion("n", "n->oo", [], [])["strength"] == "supported"


@pytest.mark.parametrize("domain", [
    "real x, real y, x > y, y > x", "real x, x^2 < 0", "x > 0, -x > 0", "x > 0, y > 0, x + y < 0", "real x, x < x - 1",
    "x > 0, x = -1", "x in {1}, x > 2", "x in {1/2}, whole x", "k in 2..3, k > 5, x > 0", "real x, pi < 3", "real x, 0 = 1",
    "x > 0, n < 3", "x > 0, x + 1 < 1", "x > pi, x < 3", "x > 1, x < 1", "whole x, 1 < x < 2", "x > 0, q > 1", "x > 0, q < 0",
])  # fmt: skip
def test_a_limit_for_no_values_is_no_theorem(domain):
    statement = read_statement(f"x/n + q -> 0 as n -> oo, q -> 0+ for {domain}")
    with pytest.raises(Refused):
        theorem(statement, True)
    for values in ({"n": "k", "q": "1/k", "x": x} for x in ("1", "2", "1/2", "-1", "0", "pi")):
        place = {"scales": {"s": "n", "t": "1/q"}, "values": {"n": "s", "q": "1/t"}}
        more = {"k": "3"} if "k in" in domain else {"y": "1"} if "y" in domain else {}
        runner = "r" if more else "k"
        own = {name: value.replace("k", runner) for name, value in values.items()} | more
        with pytest.raises(Refused):
            apply("asymptotic", statement=str(statement), order=3, place=place, runner=runner, values=own)


@pytest.mark.parametrize("domain", [
    "x > 0", "0 < x < 1, whole k, k >= 2, 2*k < 7", "x in {1, 4}, x > 2", "k in 2..7, k > 3, k < 5, x > 0", "x > 0, q < 1",
    "x > 0, n > 3", "whole x, 1 < x < 3", "real x, 3 < pi",
])  # fmt: skip
def test_a_limit_for_some_values_is_a_theorem(domain):
    place = {"scales": {"s": "n", "t": "1/q"}, "values": {"n": "s", "q": "1/t"}}
    statement = f"x/n + q -> 0 as n -> oo, q -> 0+ for {domain}"
    assert witnessed("asymptotic", statement=statement, order=3, place=place).holds


@pytest.mark.parametrize(("statement", "holds"), [
    ("i/n -> 0 as whole n -> oo uniformly in 1 <= i <= k for whole k >= 1", True),
    ("1/(n+i) ~ 1/n as whole n -> oo uniformly in 1 <= i <= k, whole i for whole k >= 1", True),
    ("i/n -> 0 as whole n -> oo uniformly in 1 < i < k, whole i for whole k >= 3", True),
    ("i/n -> 0 as whole n -> oo uniformly in 1 < i < k for whole k >= 2", True),
    ("i/n -> 0 as whole n -> oo uniformly in 1 <= i <= k for whole k >= 0", False),
    ("i/n -> 0 as whole n -> oo uniformly in 1 < i <= k for whole k >= 1", False),
    ("i/n -> 0 as whole n -> oo uniformly in 1 < i < k, whole i for whole k >= 2", False),
    ("i/n -> 0 as whole n -> oo uniformly in k <= i <= m, whole i for whole k >= 1, whole m >= 1", False),
    ("i/n -> 0 as whole n -> oo uniformly in 1 <= i <= k, i >= 4 for whole k >= 1", False),
    ("i/n -> 0 as whole n -> oo uniformly in 1 <= i <= k/2, whole i for whole k >= 1", False),
])  # fmt: skip
def test_a_uniform_range_up_to_a_parameter(statement, holds):
    if holds:
        assert theorem(read_statement(statement), True).holds
    else:
        with pytest.raises(Refused):
            theorem(read_statement(statement), True)


@pytest.mark.parametrize("statement", [
    "binomial(2*n, n) >= 4^n/(n + 1) for whole n >= 4, n <= 1", "1 = 2 for whole x, x >= 1, x <= 0", "1 = 2 for whole x, 2*x = 1",
    "1 = 2 for whole x, whole y, x < y, y < x + 1",
])  # fmt: skip
def test_a_domain_without_points_is_not_covered_by_no_cases(statement):
    with pytest.raises(Refused):
        apply("cases", [], statement=statement, cases=[])
