"""Roots that an equation of the regime ties: what is a theorem, that its false siblings are none, and what the rule refuses."""

from __future__ import annotations

from typing import Any

import pytest

from asymp.kernel.sequences.implicit import tied
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import Theorem, apply, replay
from asymp.kernel.theorem import certificate as certified
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem

TRUE = [
    "x = n - log(n) + log(n)/n + O(log(n)^2/n^2) as n -> oo, x + log(x) = n, x > 0",
    "x = -log(n) - log(log(n)) + O(log(log(n))/log(n)) as n -> oo, x*exp(x) = -1/n, x < -1",
    "x = -n^(1/2) + O(0) as n -> oo, x^2 = n, x < 0",
    "x = 2*n + O(0) as n -> oo, (x - n)*(x - 2*n) = 0, x > 3*n/2",
    "x = n + b*n^(1/2) + b^2/2 + O(n^(-1/2)) as n -> oo, x - b*sqrt(x) = n, x > 0 for b > 0",
    "x = 1 + eps*sin(1) + O(eps^2) as eps -> 0+, x - eps*sin(x) = 1, x > 0",
    "x = log(n)/log(log(n)) + O(log(n)*log(log(log(n)))/log(log(n))^2) as n -> oo, x^x = n, x > 0",
    "x = 1 + O(1/n) as n -> oo, x*(1 - x) = 1/n, 1/2 < x < 1",  # at an end, by a term more
]
NOT_SHOWN = [
    "x = n + log(n) + log(n)/n + O(log(n)^2/n^2) as n -> oo, x + log(x) = n, x > 0",  # a sign
    "x = n*(1 + 10^(-200)) - log(n) + O(log(n)/n) as n -> oo, x + log(x) = n, x > 0",  # a factor
    "x = n - (1 + 10^(-200))*log(n) + O(log(n)/n) as n -> oo, x + log(x) = n, x > 0",
    "x = n - log(n) + O(log(n)/n^(1 + 10^(-200))) as n -> oo, x + log(x) = n, x > 0",  # a remainder
    "x = n - log(n) + O(1/n) as n -> oo, x + log(x) = n, x > 0",
    "x = n - log(n) + log(n)/n + O(0) as n -> oo, x + log(x) = n, x > 0",
    "x = n^(1/2) + O(0) as n -> oo, x^2 = n, x < 0",  # the other root
    "x = n + O(1) as n -> oo, (x - n)*(x - 2*n) = 0, x > 0",  # one of two roots
    "x = n + O(1) as n -> oo, (x - n)^2 = 0, x > 0",  # nor of a double root
    "x = n + O(1) as n -> oo, x = n, 0 < x < n",  # at the end of the interval
    "x = n + O(1) as n -> oo, x^2 + n = 0, x > 0",  # none
    "x = n + O(n) as n -> oo, exp(x) = 0, x > 0",
    "x = n + O(1) as n -> oo, floor(x) = n, x > 0",  # sides that jump
    "x = 1 + O(1/n) as n -> oo, 1/(x - 1) = n, x > 0",  # or have a pole
    "x = 1/n + O(1/n^2) as n -> oo, sin(x) = 1/n, x > 0",
]


@pytest.mark.parametrize("text", TRUE)
def test_a_root_has_these_terms(text: str) -> None:
    found = theorem(read_statement(text), True)
    assert str(found.statement) == str(read_statement(text))
    assert replay(certified(found)).statement == found.statement


@pytest.mark.parametrize("text", NOT_SHOWN)
def test_no_theorem_of_its_false_siblings(text: str) -> None:
    with pytest.raises(Refused):
        theorem(read_statement(text), True)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x = n + o(1) as n -> oo, x = n, x > 0", "an expansion with a remainder"),
        ("2*x = n + O(1) as n -> oo, x = n, x > 0", "an expansion with a remainder"),
        ("x = n + O(1) as n -> oo, x = n, x >= 0", "one equation of a root in an open interval"),
        ("x = n + O(1) as n -> oo, x = n, 2*x = 2*n, x > 0", "one equation of a root in an open interval"),
        ("x = n + O(1) as n -> oo, x = n, x > 0, x > 1", "one equation of a root in an open interval"),
        ("x = n + O(1) as n -> oo, x = n, x^2 > 0", "ends of an interval with the root in them"),
        ("x = n + O(1) as n -> oo, x -> oo, x = n", "stands elsewhere"),
        ("x = n + O(1) as n -> oo, x = n for x > 2", "stands elsewhere"),
        ("x = n + O(1) as n -> oo, whole x, x = n", "stands elsewhere"),
        ("x = x + O(1) as n -> oo, x = n, x > 0", "stands elsewhere"),
    ],
)
def test_what_speaks_of_no_root(text: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        tied(read_statement(text))


SHAPE = "x + log(x) - n is increasing in x for n > 100, 0 < x"
DATA: dict[str, Any] = {
    "statement": "x = n + O(log(n)) as n -> oo, x + log(x) = n, x > 0", "order": 2, "by": "difference",
    "place": {"scales": {"n_": "n"}, "values": {"n": "n_"}}, "runner": "k", "values": {"n": "k"},
    "over": "1", "rises": True, "far": "n > 100", "cuts": [], "signs": [], "piece": 0,
}  # fmt: skip


def shape(text: str = SHAPE) -> Theorem:
    return theorem(read_statement(text), True)


def test_the_rule_takes_its_premises_and_no_others() -> None:
    assert apply("implicit root", [shape()], **DATA).holds
    for premises in (
        [],
        [shape("x + log(x) - n is increasing in x for n > 100, 1 < x")],
        [shape("x + log(x) is increasing in x for x > 0")],
    ):
        with pytest.raises(Refused, match="the premises are other statements"):
            apply("implicit root", premises, **DATA)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"far": "n > 100, n < 1000"}, "the premises are other statements"),
        ({"over": "n"}, "the premises are other statements"),
        ({"rises": False}, "the premises are other statements"),
        ({"rises": 1}, "rises"),
        ({"piece": 1}, "a sign for each piece but one"),
        ({"signs": ["<"]}, "a sign for each piece but one"),
        ({"cuts": ["1"], "signs": ["="]}, "a sign for each piece but one"),
        ({"cuts": ["x/2"], "signs": ["<"]}, "a cut that moves with the root"),
        ({"cuts": ["1"], "signs": ["<"], "piece": 1}, "the premises are other statements"),
        ({"statement": "x = n + O(log(n)) as n -> oo, x + floor(x) = n, x > 0"}, "continuous"),
        ({"statement": "x = n + O(log(n)) as n -> oo, x + log(x - 1) = n, x > 0"}, "log"),
        ({"values": {"n": "1/k"}}, "fails on the path"),
    ],
)
def test_what_the_rule_refuses(changed: dict[str, Any], why: str) -> None:
    with pytest.raises(Refused, match=why):
        apply("implicit root", [shape()], **(DATA | changed))


@pytest.mark.parametrize(
    ("far", "why"),
    [
        ("n < 100", "is not seen from some point on"),
        ("100 > n", "is not seen from some point on"),
        ("n >= 100", "a strict comparison"),
    ],
)
def test_what_is_far_out_is_seen_to_be(far: str, why: str) -> None:
    premise = shape(f"x + log(x) - n is increasing in x for {far}, 0 < x")
    with pytest.raises(Refused, match=why):
        apply("implicit root", [premise], **(DATA | {"far": far}))


def test_a_slope_is_the_product_it_is_said_to_be() -> None:
    text = "x*exp(-x) is decreasing in x for x > 1"
    sign = theorem(read_statement("0 < x - 1 for x > 1"), True)
    assert apply("slope", [sign], statement=text, factor="exp(-x)", rest="x - 1").holds
    for more, why in (
        ({"factor": "-exp(-x)", "rest": "1 - x"}, "a factor that may not be positive"),
        ({"factor": "exp(-x)", "rest": "x - 2"}, "the slope is another product"),
        ({"statement": text.replace("de", "in")}, "the slope is another product"),
        ({"statement": "x*exp(-x) is decreasing in x for whole x, x > 1"}, "in a real variable"),
        ({"statement": "x*exp(-x) is decreasing in x for x > 0"}, "the premises are other statements"),
        ({"statement": "x*exp(-x) is decreasing in x for x^2 > 1"}, "not an interval"),
        ({"statement": "x*exp(-x) < 1 for x > 1"}, "a shape is wanted"),
    ):
        with pytest.raises(Refused, match=why):
            apply("slope", [sign], **({"statement": text, "factor": "exp(-x)", "rest": "x - 1"} | more))
