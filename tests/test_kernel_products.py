"""Steps on products of comparisons and on double sums: what is proved by them, and what each of them refuses."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from asymp.kernel.functions.order import Known, _forward
from asymp.kernel.functions.products import _exchanged
from asymp.kernel.terms import Refused, name, read
from asymp.kernel.theorem import apply, certificate, proves, replay
from asymp.language.elaborate import filled
from asymp.language.statement import read_statement
from asymp.latex.paper import QuoteReader
from asymp.paper.reader import read_claims
from asymp.prove.claims import theorem

AT = (
    "function at(i, j), [at(i, j)^2 = at(i, j) for whole i, whole j], [Sum(at(i, j), (j, 1, n)) = d for whole i, 1 <= i <= m], "
    "function x(i), whole m >= 1, whole n >= 1, whole d >= 1"
)
ONES = "function p(j), function q(j), [p(j) > 0 for whole j], [q(j) > 0 for whole j], [p(j)*q(j) = 1 for whole j], whole d >= 1"
SHARES = (
    "function s(v, e), [Sum(s(v, e), (e, 1, m)) <= 1 for whole v, 1 <= v <= n], [T*Sum(s(v, e), (v, 1, n)) >= 1 for whole e, "
    "1 <= e <= m], k*n <= d*m, T > 0, whole m >= 1, whole n >= 1, whole d >= 1, whole k >= 1"
)
TINY = "1/10^200"
TRUE = [
    f"Sum(Sum(at(i, j)*x(i), (i, 1, m)), (j, 1, n)) = d*Sum(x(i), (i, 1, m)) for {AT}",
    f"Sum(Sum(at(i, j)^2*x(i), (j, 1, n)), (i, 1, m)) = d*Sum(x(i), (i, 1, m)) for {AT}",
    f"Sum(p(j), (j, 1, d))*Sum(q(j), (j, 1, d)) >= d^2 for {ONES}",
    f"c*Sum(p(j), (j, 1, d)) >= c*Sum(r(j), (j, 1, d)) for {ONES}, function r(j), [r(j) > 0 for whole j], "
    "function u(j), [q(j) <= u(j) for whole j], [r(j)*u(j) = 1 for whole j], c > 0",
    f"k <= d*T for {SHARES}",
]
FALSE = [
    f"Sum(Sum(at(i, j)*x(i), (i, 1, m)), (j, 1, n)) = d*Sum(x(i), (i, 1, m)) + {TINY} for {AT}",
    f"Sum(Sum(at(i, j)*x(j), (i, 1, m)), (j, 1, n)) = d*Sum(x(i), (i, 1, m)) for {AT}",
    f"Sum(Sum(at(i, j), (i, 1, m)), (j, 1, n)) = d*n for {AT}",
    f"Sum(p(j), (j, 1, d))*Sum(q(j), (j, 1, d)) >= d^2 + {TINY} for {ONES}",
    f"c*Sum(p(j), (j, 1, d)) >= c*Sum(r(j), (j, 1, d)) for {ONES}, function r(j), [r(j) > 0 for whole j], function u(j), "
    f"[q(j) - {TINY} <= u(j) for whole j], [r(j)*u(j) = 1 for whole j], c > 0",
    f"Sum(p(j), (j, 1, d))*Sum(q(j), (j, 1, d + 1)) >= (d + {TINY})^2 for {ONES}",
    f"k + {TINY} <= d*T for {SHARES}",
    f"k <= d*T - {TINY} for {SHARES}",
    f"k <= d*T for {SHARES.replace('<= 1 for', '<= 1 + ' + TINY + ' for')}",
    f"n*k <= d*T for {SHARES}",
]


def found(text: str, holds: bool = True) -> bool:
    statement = read_statement(text)
    try:
        made = theorem(statement, holds)
    except Refused:
        return False
    assert proves(made, statement, holds)
    return True


@pytest.mark.parametrize("text", TRUE)
def test_true_statements_are_proved_and_replayed(text: str) -> None:
    assert found(text)


@pytest.mark.parametrize("text", FALSE)
def test_false_neighbours_are_not_proved(text: str) -> None:
    assert not found(text)


# --- step by step --------------------------------------------------------------------------------------------

GOAL = (read("0"), "=", read("0"))


def known(
    *facts: tuple[str, str, str],
    variables: str = "a b c u v",
    whole: str = "m n t",
    functions: dict[str, int] | None = None,
) -> Known:
    start = Known(frozenset(), frozenset(), functions or {"f": 1, "g": 2, "h": 1}, frozenset())
    start = start.with_reals(*variables.split()).with_whole(*whole.split())
    return start.also(*(start.fact(*fact) for fact in facts))


def new(here: Known, step: list[Any]) -> list[tuple[str, str, str]]:
    """What a step adds."""
    after, _ = _forward(here, GOAL, step)
    return [(str(left), sign, str(right)) for left, sign, right in after.facts[len(here.facts) :]]


def test_a_product_of_two_inequalities_is_strict_only_if_both_are() -> None:
    here = known(("a", "<", "b"), ("u", "<=", "v"), ("0", "<", "c"), ("a", "=", "v"))
    assert new(here, ["times", 0, 2])[0][1] == "<" and new(here, ["times", 0, 1])[0][1] == "<="
    for bad in (["times", 0, 3], ["times", 3, 0], ["times", 0, 4], ["times", 0, -1], ["times", 0, True], ["times", 0]):
        with pytest.raises(Refused):
            new(here, bad)


def test_only_an_equation_is_multiplied_by_any_term() -> None:
    here = known(("a", "<=", "b"), ("u", "=", "v"))
    assert new(here, ["scale", 1, "-c"]) == [("-c*u", "=", "-c*v")]
    for bad in (["scale", 0, "c"], ["scale", 1, "unknown"], ["scale", 2, "c"], ["scale", 1, "1/c"], ["scale", 1, "oo"]):
        with pytest.raises(Refused):
            new(here, bad)


def test_what_is_cancelled_is_positive() -> None:
    here = known(("0", "<", "c"), ("0", "<=", "c*a - c*b"), ("0", "<=", "u"), ("0", "<=", "u*a"), ("0", "=", "c*v"))
    assert new(here, ["cancel", "c", "a - b", "<=", [[0, "1"]], [[1, "1"]]]) == [("0", "<=", "a - b")]
    assert new(here, ["cancel", "c", "v", "=", [[0, "1"]], [[4, "1"]]]) == [("0", "=", "v")]
    for bad in (
        ["cancel", "u", "a", "<=", [[2, "1"]], [[3, "1"]]],  # u may be 0
        ["cancel", "c", "a - b", "<", [[0, "1"]], [[1, "1"]]],
        ["cancel", "c", "a - b", "=", [[0, "1"]], [[1, "1"]]],
        ["cancel", "c", "a - b", ">=", [[0, "1"]], [[1, "1"]]],
        ["cancel", "c", "a - b + 1/10^200", "<", [[0, "1"]], [[1, "1"]]],
        ["cancel", "c", "b - a", "<=", [[0, "1"]], [[1, "1"]]],
        ["cancel", "-c", "b - a", "<=", [[0, "1"]], [[1, "1"]]],
    ):
        with pytest.raises(Refused):
            new(here, bad)


def test_sums_change_places_only_over_a_rectangle_of_whole_ends() -> None:
    here = known(("1", "<=", "m"), ("1", "<=", "n"), ("0", "<=", "t"))
    by = [[[0, "1"]], [[1, "1"]]]
    assert (
        new(here, ["swap", "Sum(Sum(g(i, j), (j, 1, n)), (i, 1, m))", *by])[0][2]
        == "Sum(Sum(g(b1, b0), (b1, 1, m)), (b0, 1, n))"
    )
    for text in (
        "Sum(Sum(g(i, j), (j, 1, i)), (i, 1, m))",  # a triangle
        "Sum(Sum(g(i, j), (j, i, n)), (i, 1, m))",
        "Sum(Sum(g(i, j), (j, 1, a)), (i, 1, m))",
        "Sum(h(i)*Sum(g(i, j), (j, 1, n)), (i, 1, m))",
        "Sum(h(i), (i, 1, m))",
        "h(1)",
    ):
        with pytest.raises(Refused):
            new(here, ["swap", text, *by])
    with pytest.raises(Refused):
        new(here, ["swap", "Sum(Sum(g(i, j), (j, 1, n)), (i, 1, m))", [[0, "1"]], [[0, "1"]]])
    with pytest.raises(Refused):
        new(here, ["swap", "Sum(Sum(g(i, j), (j, 1, n)), (i, 1, m))", [], [[1, "1"]]])


def test_an_exchange_of_bound_variables_leaves_those_of_other_binders() -> None:
    term = read("Sum(Sum(g(i, j)*Sum(g(i + k, j), (k, 1, j)), (j, 1, n)), (i, 1, m))").parts[0].parts[0]
    turned = read("Sum(Sum(g(i, j)*Sum(g(i + k, j), (k, 1, j)), (i, 1, m)), (j, 1, n))").parts[0].parts[0]
    assert _exchanged(term, 0) == turned and _exchanged(turned, 0) == term


def test_cauchy_and_schwarz_ask_for_signs_and_for_one_range() -> None:
    here = known(("1", "<=", "m"))
    part = [["times", 3, 3], ["linear", [[4, "1"]]]]
    squares = [["cases", "0", "h(j)", part, part]]
    flat = [["linear", []]]
    good = [
        "cauchy",
        "Sum(h(i)^2, (i, 1, m))",
        "Sum(1, (i, 1, m))",
        "Sum(h(i), (i, 1, m))",
        "j",
        [squares, flat, flat],
        [[0, "1"]],
    ]
    assert new(here, good)[0][1] == "<="
    for place, text in (
        (1, "Sum(h(i), (i, 1, m))"),
        (2, "Sum(1, (i, 1, m + 1))"),
        (2, "Sum(-1, (i, 1, m))"),
        (2, "Sum(1 - 1/10^200, (i, 1, m))"),
        (3, "Sum(h(i), (i, 0, m))"),
        (3, "Sum(h(i) + 1/10^200, (i, 1, m))"),
        (3, "Sum(h(i)^2, (i, 1, m))"),
        (4, "m"),
        (5, [squares, flat]),
        (6, []),
    ):
        bad = copy.deepcopy(good)
        bad[place] = text
        with pytest.raises(Refused):
            new(here, bad)


def changes(data: Any) -> Iterator[Any]:
    """The data with one number or one sign of it changed."""
    text = json.dumps(data)
    for old, other in (
        ('"<="', '"<"'),
        ('"1"', '"-1"'),
        ('"scale"', '"times"'),
        ("[0,", "[1,"),
        ('"swap"', '"linear"'),
    ):
        for k in range(min(text.count(old), 6)):
            parts = text.split(old)
            yield json.loads(old.join(parts[: k + 1]) + other + old.join(parts[k + 1 :]))


def test_a_changed_certificate_makes_the_same_theorem_or_none() -> None:
    statement = read_statement(TRUE[0])
    made = theorem(statement, True)
    data = certificate(made)
    assert proves(replay(data), statement)
    for changed in changes(data):
        try:
            again = replay(changed)
        except (Refused, ValueError):
            continue
        assert proves(again, statement)
    assert apply and name


def test_variables_of_which_only_a_function_s_conditions_speak_are_shown() -> None:
    found = read_claims(
        'paper.key = "demo"\nvariables.b = "> 0"\nvariables.n = "whole, >= 1"\nfunctions."f(i)" = "[f(i) <= b for whole i]"\n'
        '[claim.lemma-1]\nsays = "f(n) <= f(n)"\n',
        "demo.toml",
    )
    assert "b > 0" in str(found.claims[0].closed)
    reader = QuoteReader(
        'paper.key = "demo"\nvariables.b = "> 0"\nvariables.n = "whole, >= 1"\nfunctions."f(i)" = "[f(i) <= b for whole i]"\n',
        "demo",
        None,
    )
    assert "b > 0" in str(filled(read_statement("f(n) <= f(n)"), reader.read_setting()))
