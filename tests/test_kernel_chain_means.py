"""Means in time, what is conserved, and the arrivals that a line in front of a chain bears: chains with an exact law."""

from __future__ import annotations

from copy import deepcopy
from fractions import Fraction
from typing import Any

import pytest

import asymp.kernel.records  # all rules  # noqa: F401
from asymp.kernel.chains.law import DRIFT
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import DEFINITION, Theorem, apply
from asymp.language.chains import read_chain, read_definition
from asymp.language.numbers import ParseError
from asymp.language.statement import read_statement
from asymp.paper.chain import solved
from asymp.prove.chain_laws import law_data
from asymp.prove.claims import theorem

# A job takes d of n servers; one after another is drawn while it fits; with probability 1 - p it first waits.

OF = "whole d, d >= 1, whole n, n >= d, 0 < p < 1, mu > 0"
DATA = {
    "of": OF,
    "states": "whole h, whole a, whole r, 0 <= h <= 1, a >= 0, h*d <= r, r < 2*d, d*a + r = n",
    "moves": [
        "(0, a, r) -> (0, a + 1, r - d) with p for r >= d",
        "(0, a, r) -> (1, a, r) with 1 - p for r >= d",
        "(1, a, r) -> (0, a + 1, r - d) with 1",
        "(0, a, r) -> (0, a - 1, r + d) at a*mu for r < d",
    ],
    "law": ["(0, a, r) = 1 for r < d", "(0, a, r) = 1 for r >= d", "(1, a, r) = 1 - p"],
    "list": "0 <= h <= 0, a = floor(n/d), r = n - d*a",
    "weight": "1",
}
WHERE = "for whole d >= 1, whole n >= d, 0 < p < 1, mu > 0"


def blocks(**other: Any) -> Any:
    return read_chain(
        {**DATA, "T": "throughput", "free": "mean of r", "busy": "mean of d*a", "edge": "border of h + a"} | other
    )


CHAIN = blocks(conserved={"busy": "(d*(a + h)/mu, a + h, d/mu)"})


def proved(text: str, chain: Any = CHAIN) -> Theorem:
    return theorem(read_statement(f"{text} {WHERE}"), True, (chain,))


TRUE = [
    "free(d, n, p, mu) = n - d*floor(n/d)",
    "busy(d, n, p, mu) = d*floor(n/d)",
    "busy(d, n, p, mu) = d/mu*T(d, n, p, mu)",
    "edge(d, n, p, mu) = mu*floor(n/d)",
    "edge(d, n, p, mu) = T(d, n, p, mu)",
    "free(d, n, p, mu) = n - busy(d, n, p, mu) = n - d/mu*T(d, n, p, mu)",
]


@pytest.mark.parametrize("text", TRUE)
def test_true_and_near(text: str) -> None:
    assert proved(text).trusts - {DRIFT} == {f"{DEFINITION}{CHAIN}"}
    left, _, right = text.partition(" = ")
    for other in (f"(1 + 10^(-200))*{left} = {right}", f"-{left} = {right}"):
        with pytest.raises(Refused):
            proved(other)


def test_what_is_trusted() -> None:
    assert DRIFT in proved("edge(d, n, p, mu) = mu*floor(n/d)").trusts
    assert DRIFT not in proved("free(d, n, p, mu) = n - d*floor(n/d)").trusts


def test_numbers() -> None:
    for d, n in ((1, 1), (2, 5), (3, 9), (4, 7)):
        own = solved(CHAIN, (Fraction(d), Fraction(n), Fraction(1, 3), Fraction(2)))
        assert own.function("mean of r", ()) == n % d
        assert own.function("border of h + a", ()) == own.function("throughput", ()) == 2 * (n // d)
        with pytest.raises(ValueError, match="changes"):
            own.function("border of 2*h + a", ())


def test_definitions_read_as_they_are_printed() -> None:
    assert read_definition(str(CHAIN)) == CHAIN
    assert "edge(d, n, p, mu) = border of h + a, free(d, n, p, mu) = mean of r" in str(CHAIN)
    two = blocks(free="mean of Max(a, r) - h")
    assert read_definition(str(two)) == two
    for other in ({"free": "mean of q"}, {"free": "mean of"}, {"free": "mean"}, {"free": "means of r"}, {"free": "mean of (a, r)"},
                  {"free": "mean of T(d, n, p, mu)"}, {"edge": "border"}, {"conserved": {"q": "(a, a, 1)"}},
                  {"conserved": {"busy": "(a, a)"}}, {"conserved": {"busy": "a"}}, {"conserved": "busy"}):  # fmt: skip
        with pytest.raises(ParseError):
            blocks(**other)


@pytest.mark.parametrize(
    "term", ["1/a", "1/(a - 1)", "log(r)", "a^(1/2 - a)/(n - d*a - r)"]
)  # in some state, or in each, these are not defined
def test_a_mean_of_what_is_not_defined(term: str) -> None:
    chain = read_chain({"of": "whole n, n >= 0, mu > 0", "states": "whole a, whole r, 0 <= a, a <= n, r = n - a", "f": f"mean of {term.replace('d', '1')}",
                        "moves": ["(a, r) -> (a - 1, r + 1) at mu for a >= 1", "(0, r) -> (n, 0) at mu"],
                        "law": ["(a, r) = 1"]})  # fmt: skip
    with pytest.raises(Refused):
        apply("chain", **law_data(chain), function="f", piece=0)


@pytest.mark.parametrize("jobs", ["a", "a + h"])
def test_what_counts_jobs(jobs: str) -> None:
    """A job may be said to be drawn when it waits, or when it is served: the line is the same, up to one job."""
    assert proved("edge(d, n, p, mu) = mu*floor(n/d)", blocks(edge=f"border of {jobs}")).holds


@pytest.mark.parametrize("jobs", ["2*h + a", "h", "2*a", "a/2", "r", "-a", "a*r", "a + h + r", "a - h", "d*a"])
def test_what_does_not(jobs: str) -> None:
    data = deepcopy(law_data(CHAIN))
    chain = str(blocks(edge=f"border of {jobs}"))
    with pytest.raises(Refused):
        apply("chain", **data | {"chain": chain}, function="edge", piece=0)


def test_a_state_that_does_not_return_is_no_phase() -> None:
    chain = read_chain({"of": "mu > 0", "states": "whole a, 0 <= a, a <= 2", "edge": "border of a", "T": "throughput",
                        "moves": ["2 -> 1 at mu", "1 -> 0 at mu", "0 -> 1 with 1"], "law": ["2 = 0", "1 = 1", "0 = 1"]})  # fmt: skip
    assert apply("chain", **law_data(chain), function="T", piece=0).holds
    with pytest.raises(Refused, match="does not return"):
        apply("chain", **law_data(chain), function="edge", piece=0)


GOOD = {"c": "d*(a + h)/mu", "jobs": "a + h", "share": "d/mu"}


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({"share": "d/mu*(1 + 10^(-200))"}, "rise"), ({"share": "-d/mu"}, "rise"), ({"share": "a"}, "parameters"), ({"share": "0"}, "rise"),
        ({"c": "d*a/mu"}, "rise"), ({"c": "d*(a + h)"}, "rise"), ({"c": "d*(a + h)/mu + r"}, "rise"), ({"c": "q"}, "state"),
        ({"c": "d*(a + h)/mu + 1/h"}, "."), ({"jobs": "a"}, "rise"), ({"jobs": "2*a"}, "rise"), ({"jobs": "q"}, "state"),
        ({"function": "free"}, "rise"), ({"function": "T"}, "a mean"), ({"function": "edge"}, "a mean"), ({"piece": 7}, "piece"),
    ],
)  # fmt: skip
def test_what_is_not_conserved(other: dict[str, Any], why: str) -> None:
    data = {**deepcopy(law_data(CHAIN)), **GOOD, "function": "busy", "piece": 0}
    assert apply("conserved", **data).holds
    with pytest.raises(Refused, match=why):
        apply("conserved", **data | other)
    with pytest.raises(Refused, match="no premises"):
        apply("conserved", [apply("algebra", statement="1 < 2")], **data)


def test_parts_of_a_chain_of_comparisons() -> None:
    """``a = b = c`` from its links, and from nothing else."""
    where = "for x > 0"
    first, second = (apply("algebra", statement=f"{one} {where}") for one in ("2*x = x + x", "x + x = x*2"))
    whole = f"2*x = x + x = x*2 {where}"
    assert apply("all", [first, second], statement=whole).holds
    for premises in ([first], [first, first], [second], []):
        with pytest.raises(Refused):
            apply("all", premises, statement=whole)
    with pytest.raises(Refused):
        apply("all", [first, second], statement=f"2*x = x + x < x*2 {where}")
    with pytest.raises(Refused):
        apply("all", [first, second], statement="2*x = x + x = x*2 for x >= 0")
