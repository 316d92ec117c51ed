"""Infinite sums of terms that recur, and functions that an equation defines: the rules, and what they refuse."""

from __future__ import annotations

from typing import Any

import pytest

import asymp.kernel.records  # noqa: F401  (the rules)
from asymp.kernel import terms
from asymp.kernel.sequences.rooted import needed_of_terms
from asymp.kernel.sequences.totals import needed_by_gamma, needed_of_root, needed_to_rise
from asymp.kernel.terms import ONE, ZERO, Refused, read
from asymp.kernel.theorem import Theorem, apply, certificate, replay
from asymp.language.statement import read_statement
from asymp.prove import rooted, totals
from asymp.prove.claims import theorem
from asymp.regimes.paths import path
from asymp.regimes.quantities import places

ROW = "row: asymp/parallel_occupancy"
EQ = "parallel_occupancy(d, lambda)"
LAW = f"Product(d*lambda/(1 + v*(d - 1)*lambda/{EQ}), (v, 1, u))"
LOAD = "whole d >= 2, lambda > 0, lambda < 1"
EPSILON = "(1 + 10^(-200))"


def proved(text: str) -> Theorem:
    return theorem(read_statement(text), True)


def refused(text: str) -> None:
    with pytest.raises(Refused):
        proved(text)


# --- totals ----------------------------------------------------------------------------------------------

HALF = "Sum(Product(x/(2*(x + v)), (v, 1, u)), (u, 0, oo))"
"""Its terms tend to 2^(-u) as x -> oo: below 2, its least upper bound."""


@pytest.mark.parametrize("value", ["11/10", "2 - 10^(-200)", "3/2"])
def test_a_total_that_rises_has_each_value_below_its_supremum_once(value: str) -> None:
    found = proved(f"{HALF} = {value} has one root x in (0, oo)")
    assert not found.trusts
    assert replay(certificate(found)).statement == found.statement


@pytest.mark.parametrize("value", ["2", "2 + 10^(-200)", "3", "1", "1/2", "x", "2 - 1/x"])
def test_a_total_has_no_other_value(value: str) -> None:
    refused(f"{HALF} = {value} has one root x in (0, oo)")


@pytest.mark.parametrize("text", [
    "Sum(Product(x/(2*(x + v)), (v, 1, u)), (u, 1, oo)) = 1/2 has one root x in (0, oo)",  # does not begin with 0
    "Sum(Product(x/(2*(x + v)), (v, 1, u)), (u, 0, oo)) = 3/2 has one root x in (0, 1)",
    "Sum(Product(floor(x)/(2*(floor(x) + v)), (v, 1, u)), (u, 0, oo)) = 3/2 has one root x in (0, oo)",  # jumps
    "Sum(Product((2 - x)/(4 + v), (v, 1, u)), (u, 0, oo)) = 3/2 has one root x in (0, oo)",
])  # fmt: skip
def test_totals_that_need_not_have_one_root(text: str) -> None:
    refused(text)


def test_what_a_root_needs_is_all_shown() -> None:
    statement = read_statement(f"{HALF} = 3/2 has one root x in (0, oo)")
    u, r = "u", read("x/(2*(x + u + 1))")
    wanted = needed_of_root(statement, u, ONE, r, ZERO, read("1/2"))
    given = [theorem(one, True) for one in wanted]
    said: dict[str, Any] = {"statement": str(statement), "variable": u, "value": "1", "ratio": str(r), "tends": "0"}
    assert apply("total root", given, limit="1/2", **said).holds
    for k in range(len(given)):
        with pytest.raises(Refused):
            apply("total root", given[:k] + given[k + 1 :], limit="1/2", **said)
    for change in ({"limit": "oo"}, {"limit": "1/3"}, {"value": "2"}, {"tends": "1"}, {"tends": "-1"}, {"variable": "x"}):
        with pytest.raises(Refused):
            apply("total root", given, **{"limit": "1/2", **said, **change})


def test_shapes_of_totals() -> None:
    assert proved(f"{HALF} is increasing in x for x > 0").holds
    assert proved("Sum(Product(1/(2*(x + v)), (v, 1, u)), (u, 0, oo)) is decreasing in x for x > 0").holds
    refused(f"{HALF} is decreasing in x for x > 0")
    statement = read_statement(f"{HALF} is increasing in x for x > 0, whole x")
    with pytest.raises(Refused, match="whole"):
        needed_to_rise(statement, "u", ONE, read("x/(2*(x + u + 1))"), ZERO)


def test_incomplete_gamma_functions() -> None:
    left = read("Sum(Product(z/(b + v), (v, 1, u)), (u, 0, oo))")
    found = totals.gamma_form(left, "b > 0, z > 0", lambda one: theorem(one, True))
    assert found.trusts == {"DLMF 8.7.1"}
    said = {"variable": "u", "value": "1", "first": "b", "at": "z"}
    right = "b*exp(z)*lowergamma(b, z)*z^(-b)"
    given = [theorem(one, True) for one in needed_by_gamma(read_statement(f"{left} = {right} for b > 0, z > 0"), "u", ONE, *map(read, "bz"))]
    for other in (f"{right}*{EPSILON}", right.replace("exp(z)", "exp(-z)"), right.replace("lowergamma", "uppergamma")):
        with pytest.raises(Refused, match="another incomplete gamma function"):
            apply("total gamma", given, statement=f"{left} = {other} for b > 0, z > 0", **said)
    with pytest.raises(Refused):
        apply("total gamma", given, statement=f"{left} = {right} for b > 0", **said)


# --- functions that an equation defines ------------------------------------------------------------------


def test_a_law_and_its_mean() -> None:
    found = proved(f"Sum(u*((1 - lambda)*{LAW}), (u, 0, oo)) = {EQ} for {LOAD}")
    assert found.trusts == {ROW}
    assert proved(f"Sum((1 - lambda)*{LAW}, (u, 0, oo)) = 1 for {LOAD}").trusts == {ROW}
    for wrong in (
        f"Sum(u*((1 - lambda)*{LAW}), (u, 0, oo)) = {EQ}*{EPSILON} for {LOAD}",
        f"Sum((1 - lambda)*{LAW}, (u, 0, oo)) = {EPSILON} for {LOAD}",
        f"Sum((1 - lambda)*{LAW}, (u, 1, oo)) = 1 for {LOAD}",
        f"Sum(u^2*((1 - lambda)*{LAW}), (u, 0, oo)) = {EQ} for {LOAD}",
    ):  # fmt: skip
        with pytest.raises(Refused):
            rooted.total(read_statement(wrong), lambda one: theorem(one, True))


@pytest.mark.parametrize("domain", ["d >= 1, 0 < lambda < 1", "d > 1, 0 < lambda < 2", "d > 1, lambda > 0", "d > 1, lambda < 1"])
def test_the_equation_holds_where_the_row_says(domain: str) -> None:
    with pytest.raises(Refused):
        rooted.value(read_statement(f"0 = 0 for {domain}"), read(EQ), lambda one: theorem(one, True))


def test_a_bound() -> None:
    c = "((2*d - 3)/(2*(d - 1))*log(4*d/(4*d - 1)))"
    heavy = "whole d >= 2, lambda > (4*d - 2)/(4*d - 1), lambda < 1"
    assert proved(f"{EQ} <= -log(1 - lambda)/{c} for {heavy}").trusts >= {ROW, "DLMF 8.7.1"}
    for wrong in (f"{EQ} <= -log(1 - lambda)/(20*{c}) for {heavy}", f"{EQ} >= -log(1 - lambda)/{c} for {heavy}"):
        with pytest.raises(Refused):
            rooted.bounded(read_statement(wrong), lambda one: theorem(one, True))


def expanded(text: str, **change: Any) -> Theorem:
    """By its total's first terms."""
    statement = read_statement(text)
    one_root = read_statement(rooted.defined(read("parallel_occupancy(2, 1/2)"))[0].one_root)
    r = read("x*y/(1 + (u + 1)*(x - 1)*y/f)")
    given = [theorem(one, True) for one in (one_root, *needed_of_terms(one_root, "u", ONE, r))]
    data = {"by": "difference", "first": 5, "variable": "u", "value": "1", "ratio": str(r), "order": 5, **change}
    return apply("root series", given, statement=text, place=next(iter(places(statement))), **path(statement), **data)


def test_expansions_by_a_change_of_sign() -> None:
    light = "parallel_occupancy(2, lambda) = lambda + 2/3*lambda^2{} + O(lambda^3) as lambda -> 0+"
    assert expanded(light.format("")).trusts == {ROW}
    assert expanded("parallel_occupancy(2, lambda) = lambda + O(lambda^2) as lambda -> 0+").holds
    for wrong in (light.format(" + 10^(-200)*lambda^2"), light.replace("2/3", "2/3*(1 + 10^(-200))").format("")):
        with pytest.raises(Refused):
            expanded(wrong)
    for change in ({"first": 0}, {"first": 2}, {"by": "logarithm"}, {"value": "2"}, {"order": 0}):
        with pytest.raises(Refused):
            expanded(light.format(""), **change)
    for elsewhere in ("parallel_occupancy(1, lambda)", "parallel_occupancy(2, -lambda)", "parallel_occupancy(2, 1 + lambda)"):
        with pytest.raises(Refused):
            expanded(f"{elsewhere} = lambda + O(lambda^2) as lambda -> 0+")


@pytest.mark.parametrize("factor", ["1", "1/(1 - log(2))*(1 + 10^(-200))", "(1 - log(2))"])
def test_heavy_traffic_has_one_constant(factor: str) -> None:
    assert not theorem(read_statement(f"parallel_occupancy(2, 1 - z) ~ {factor}*log(1/z) as z -> 0+"), False).holds


def test_instances_with_premises() -> None:
    rule = proved("e <= l/c for e > 0, c > 0, k >= c, e*k <= l")
    told = [proved(f"{one} for x > 3") for one in ("x > 0", "1 > 0", "2 >= 1", "x*2 <= 3*x")]
    values = {"e": "x", "c": "1", "k": "2", "l": "3*x"}
    assert apply("instance", [rule, *told], statement="x <= 3*x/1 for x > 3", values=values).holds
    elsewhere = proved("x*2 <= 3*x for x > 4")
    with pytest.raises(Refused):
        apply("instance", [rule, elsewhere], statement="x <= 3*x/1 for x > 3", values=values)
    spare = proved("x > 2 for x > 3")
    with pytest.raises(Refused, match="no condition of the theorem"):
        apply("instance", [rule, spare], statement="x <= 3*x/1 for x > 3", values=values)
    with pytest.raises(Refused):
        apply("instance", [rule], statement="x <= y/1 for x > 3, y > 0", values={**values, "l": "y"})


def test_names_of_the_rule_are_not_those_of_a_statement() -> None:
    statement = "parallel_occupancy(2, lambda) = lambda + O(lambda^2) as lambda -> 0+ for f_of_the_root > 0"
    with pytest.raises(Refused):
        expanded(statement)
    assert terms.read("f_of_the_root").head == "name"
