"""Where a chain comes to rest after draws: what is true is proved, what is near it is refused."""

from __future__ import annotations

from copy import deepcopy
from fractions import Fraction
from typing import Any

import pytest

import asymp.kernel.records  # all rules  # noqa: F401
from asymp.kernel.summation import linear
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import DEFINITION, Theorem, apply
from asymp.language.chains import read_chain, read_definition
from asymp.language.conditions import read_conditions
from asymp.language.numbers import ParseError
from asymp.language.statement import read_statement
from asymp.paper.chain import answering
from asymp.prove.chain_laws import law_data, settling_data
from asymp.prove.claims import theorem

# Of n servers a job takes 1 or, with probability q, it is large: it takes all, or waits in front of them until they are free.

DATA = {
    "of": "whole n, n >= 2, 0 < q < 1, mu > 0",
    "states": "whole h, whole a, whole r, 0 <= h <= 1, a >= 0, h <= r, a + r = n",
    "moves": [
        "(0, a, r) -> (0, a + 1, r - 1) with 1 - q for r >= 1",
        "(0, a, r) -> (1, a, r) with q for r >= 1",
        "(1, a, r) -> (1, a - 1, r + 1) at a*mu for a >= 1",
        "(1, 0, r) -> (0, 0, r) at mu",
        "(0, a, r) -> (0, a - 1, r + 1) at a*mu for r < 1",
    ],
    "law": [
        "(0, a, r) = (1 - q)^a for r >= 2",
        "(0, a, 1) = (1 - q)^a/q",
        "(0, a, 0) = (1 - q)^a/q",
        "(1, a, r) = (1 - q)^a",
    ],
    "visits": "jumps",
    "rests": "settles",
}
SETTLING = {
    "within": "r >= 0",
    "falls": "-h - 2*a",
    "values": [
        "1 for h = 0, r < 1, h_ = 0, a_ = a",
        "1 for h = 1, h_ = 1, a_ = a",
        "(1 - q)^(a_ - a) for h = 0, r >= 1, h_ = 0, r_ = 0",
        "(1 - q)^(a_ - a)*q for h = 0, r >= 1, h_ = 1, a_ >= a",
    ],
}


def chain_of(**other: Any) -> Any:
    return read_chain({**DATA, "settling": SETTLING | other})


CHAIN = chain_of()
LAW = law_data(CHAIN)
WHERE = "for whole n >= 2, 0 < q < 1, mu > 0, whole a, whole c, 0 <= a < c < n"


def proved(text: str) -> Theorem:
    return theorem(read_statement(text), True, (CHAIN,))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("rests(0, a, n - a, 1, c, n - c, n, q, mu)", "(1 - q)^(c - a)*q"), ("rests(0, a, n - a, 0, n, 0, n, q, mu)", "(1 - q)^(n - a)"),
        ("rests(1, a, n - a, 1, a, n - a, n, q, mu)", "1"),
        ("rests(0, a, n - a, 0, n, 0, n, q, mu) + Sum(rests(0, a, n - a, 1, k, n - k, n, q, mu), (k, a, n - 1))", "1"),
    ],
)  # fmt: skip
def test_true_and_near(left: str, right: str) -> None:
    assert proved(f"{left} = {right} {WHERE}").trusts == {f"{DEFINITION}{CHAIN}"}
    for other in (f"(1 + 10^(-200))*({left}) = {right}", f"-({left}) = {right}", f"{left} = (1 - q)*({right})"):
        with pytest.raises(Refused):
            proved(f"{other} {WHERE}")


def test_numbers() -> None:
    rests = answering(CHAIN, "rests")
    q = Fraction(1, 3)
    assert rests(0, 1, 4, 1, 3, 2, 5, q, 2) == (1 - q) ** 2 * q
    assert rests(0, 1, 4, 0, 5, 0, 5, q, 2) == (1 - q) ** 4
    assert rests(0, 1, 4, 1, 0, 5, 5, q, 2) == 0
    for other in ((0, 1, 4, 0, 1, 4, 5, q, 2), (0, 1, 5, 1, 1, 4, 5, q, 2)):  # no time passes there; no state
        with pytest.raises(ValueError):
            rests(*other)


def test_definitions() -> None:
    assert read_definition(str(CHAIN)) == CHAIN == chain_of(falls="a")  # hints are no part of the definition
    assert "rests(h, a, r, h_, a_, r_, n, q, mu) = settles" in str(CHAIN)
    for other in ({"settling": {}}, {"settling": 1}, {"settling": SETTLING | {"values": ["1 for"]}}, {"settling": SETTLING | {"values": "1"}},
                  {"of": "whole n, n >= 2, 0 < q < 1, mu > 0, a_ > 0"}):  # fmt: skip
        with pytest.raises(ParseError):
            read_chain({**DATA, **other})


def changed(**other: Any) -> Theorem:
    rest = {**deepcopy(settling_data(CHAIN)), **other}
    return apply("settles", **LAW, rest=rest, function="rests", piece=0, end=0)


def values(k: int, **new: Any) -> dict[str, Any]:
    found = deepcopy(settling_data(CHAIN))["values"]
    return {"values": [one | new if j == k else one for j, one in enumerate(found)]}


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (values(0, **{"is": "1 + 10^(-200)"}), "no law"), (values(0, **{"is": "q"}), "no law"), (values(1, **{"is": "0"}), "no law"),
        (values(2, **{"is": "(1 - q)^(a_ - a + 1)"}), "mean"), (values(3, **{"is": "(1 - q)^(a_ - a)"}), "mean"),
        (values(3, **{"is": "-(1 - q)^(a_ - a)*q"}), "mean"), (values(2, where="h = 0, r >= 2, h_ = 0, r_ = 0"), "mean"),
        (values(3, where="h = 0, r >= 1, h_ = 1, a_ > a"), "mean"),
        (values(3, where="h = 0, r >= 1, h_ = 1"), "."), (values(1, where="h = 1, h_ = 1"), "no law"),
        (values(0, where="h = 0, h_ = 0, a_ >= a"), "in common"), (values(0, where="whole k, h = 0"), "kinds"),
        ({"values": []}, "no law|mean"), (values(0, **{"is": "k"}), "two states"), (values(0, **{"is": "1/(h - h_)"}), "."),
        ({"falls": "-a"}, "lower"), ({"falls": "-h"}, "lower"), ({"falls": "h + 2*a"}, "lower"), ({"falls": "0"}, "lower"),
        ({"falls": "-h - 2*a_"}, "terms in|in terms"), ({"falls": "-h^2"}, "."), ({"within": "r >= 2"}, "out of the region"),
        ({"within": "h = 0"}, "out of the region"), ({"within": "z >= 0"}, "."), ({"within": "whole a"}, "kinds"), ({"more": 1}, "has within"),
    ],
)  # fmt: skip
def test_refused(other: dict[str, Any], why: str) -> None:
    assert changed().holds
    with pytest.raises((Refused, ParseError), match=why):
        changed(**other)


def test_pieces_that_are_asked_for() -> None:
    rest = settling_data(CHAIN)
    found = {}
    for k in range(len(rest["values"])):
        for end in range(sum(one["rate"] is not None for one in LAW["law"])):
            try:
                found[k, end] = str(
                    apply("settles", **LAW, rest=rest, function="rests", piece=k, end=end).statement.body
                )
            except Refused as error:
                assert "no such pairs" in str(error)
    assert {k for k, _ in found} == {0, 1, 2, 3}
    for k, end in ((4, 0), (0, 9), (-1, 0)):
        with pytest.raises(Refused):
            apply("settles", **LAW, rest=rest, function="rests", piece=k, end=end)
    with pytest.raises(Refused, match="no premises"):
        apply("settles", [proved(f"rests(1, a, n - a, 1, a, n - a, n, q, mu) = 1 {WHERE}")], **LAW, rest=rest, function="rests", piece=0, end=0)
    for values in ([{"where": "h = 0"}], [{"where": "h = 0", "is": "1", "rate": "1"}], ["1"]):
        with pytest.raises(Refused, match="where, is"):
            changed(values=values)
    with pytest.raises(Refused, match="settles"):
        apply("settles", **LAW, rest=rest, function="visits", piece=0, end=0)
    with pytest.raises(Refused):
        apply("chain", **LAW, function="rests", piece=0)


def test_equations_are_put_into_products() -> None:
    own = {"n", "m", "a", "b", "h", "r"}
    where, _ = linear.system(read_conditions("n*a + m*h + r = n*b, a = b + 1, h = 0, r >= 0, n >= 1, m >= 1"), own)
    assert linear.is_empty(where)
    for text in (
        "n*a + m*h + r = n*b, a = b + 1, h = 0, n >= 1",
        "n*a + m*h = n*b, a = b, h = 0",
        "n*a = 6, 2*a = 4",
        "n*a = 6, a = 3, n = 2",
    ):
        where, _ = linear.system(read_conditions(text), own)
        assert not linear.is_empty(where)
    where, _ = linear.system(read_conditions("a*b = 6, a = b, b = 2"), own)
    assert linear.is_empty(where)
    where, _ = linear.system(read_conditions("a*b = 4, a = b, b = -2"), own)
    assert not linear.is_empty(where)


def test_a_shape_by_an_equation() -> None:
    shape = apply("bounds", statement="x^2 is increasing in x for x > 0", point={"x": "1"}, proofs=[["by", []]])
    equation = apply("algebra", statement="x*x + 0*x = x^2 for x > 0")
    whole = "x*x + 0*x is increasing in x for x > 0"
    for premises, text in (([shape], whole), ([equation], whole), ([equation, shape], whole.replace("for x > 0", "for real x")),
                           ([equation, shape], whole.replace("increasing", "decreasing")), ([equation, shape], "x*x is increasing in x for x > 0")):  # fmt: skip
        with pytest.raises(Refused):
            apply("replace", premises, statement=text)
    assert apply("replace", [equation, shape], statement=whole).holds
    assert theorem(read_statement("(x^3 + x^2)/(x + 1) is increasing in x for x > 0"), True).holds
    for text in ("(x^3 - x^2)/(x - 1) is increasing in x for real x", "1/(x + 1) - 1/(x + 2) is increasing in x for x > 0",
                 "Sum(x^k/(1 + x), (k, 1, floor(7/2))) is decreasing in x for x > 0"):  # fmt: skip
        with pytest.raises(Refused):
            theorem(read_statement(text), True)
