"""Laws of chains whose states meet an equation with products, by a list of the states in which time passes."""

from __future__ import annotations

from copy import deepcopy
from fractions import Fraction
from typing import Any

import pytest

import asymp.kernel.records  # all rules  # noqa: F401
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import Theorem, apply
from asymp.language.chains import read_chain
from asymp.language.numbers import ParseError
from asymp.language.statement import read_statement
from asymp.paper.chain import solved
from asymp.prove.chain_laws import law_data
from asymp.prove.claims import theorem

# Of n servers each job takes d; one job after another is drawn while it fits, and jobs complete.  A job that is drawn may
# first wait (h = 1) in a state that is left at once.

OF = "whole d, d >= 1, whole n, n >= d, 0 < p < 1, mu > 0"
STATES = "whole h, whole a, whole r, 0 <= h <= 1, a >= 0, h*d <= r, r < 2*d, d*a + r = n"
MOVES = [
    "(0, a, r) -> (0, a + 1, r - d) with p for r >= d",
    "(0, a, r) -> (1, a, r) with 1 - p for r >= d",
    "(1, a, r) -> (0, a + 1, r - d) with 1",
    "(0, a, r) -> (0, a - 1, r + d) at a*mu for r < d",
]
LAW = ["(0, a, r) = 1 for r < d", "(0, a, r) = 1 for r >= d", "(1, a, r) = 1 - p"]
LIST = {"list": "0 <= h <= 0, a = floor(n/d), r = n - d*a", "weight": "1"}
FUNCTIONS = {"P": "time", "pid": "completions", "rate": "leaving", "T": "throughput", "jumps": "jumps"}


def blocks(**other: Any) -> Any:
    return read_chain({"of": OF, "states": STATES, "moves": MOVES, "law": LAW} | LIST | FUNCTIONS | other)


def data_of(chain: Any) -> dict[str, Any]:
    return deepcopy(law_data(chain))


DATA = data_of(blocks())


def changed(chain: Any = None, function: str = "T", piece: int = 0, **data: Any) -> Theorem:
    return apply("chain", **({**DATA, "function": function, "piece": piece} | ({"chain": str(chain)} if chain else {}) | data))


def test_numbers() -> None:
    chain = blocks()
    for d, n in ((1, 1), (2, 5), (3, 9), (4, 4)):
        own = solved(chain, (Fraction(d), Fraction(n), Fraction(1, 3), Fraction(2)))
        assert own.function("throughput", ()) == 2 * (n // d)


def test_law() -> None:
    found = changed()
    assert str(found.statement.body.chain.parts[0]) or found.holds  # type: ignore[union-attr]
    where = "for whole d >= 1, whole n >= d, 0 < p < 1, mu > 0"
    assert theorem(read_statement(f"T(d, n, p, mu) = floor(n/d)*mu {where}"), True, (blocks(),)).holds
    for other in ("floor(n/d)*mu*(1 + 10^(-200))", "floor((n - 1)/d)*mu", "n/d*mu", "ceiling(n/d)*mu"):
        with pytest.raises(Refused):
            theorem(read_statement(f"T(d, n, p, mu) = {other} {where}"), True, (blocks(),))


def test_unchanged() -> None:
    for function, piece in (("T", 0), ("rate", 0), ("P", 0), ("pid", 0)):
        assert changed(function=function, piece=piece).holds
    with pytest.raises(Refused, match="no sum"):
        changed(function="jumps")
    with pytest.raises(Refused, match="no time passes"):
        changed(function="pid", piece=1)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("r - d) with p", "r - d + 1) with p", "out of"),  # the equation is not kept
        ("r + d) at", "r) at", "out of"),
        ("a*mu for", "(a - 1)*mu for", "positive"),
        ("a*mu for", "(a + 1)*mu for", "sum to"),
        ("d*a + r = n", "d*a + r <= n", "."), ("d*a + r = n", "d*a - r = n", "."), ("a >= 0, ", "", "."),
        ("r < 2*d", "r < 3*d", "."), ("h*d <= r, ", "", "."), ("n >= d", "n >= 0", "."), ("d >= 1", "d >= 0", "."),
        ("d >= 1", "d >= -1", "."), ("whole n, ", "", "."), ("mu > 0", "mu >= 0", "."), ("with 1 - p for", "with 1 - p/2 for", "sum"),
        ("r - d) with 1;", "r - d) with p;", "sum"),
    ],
)  # fmt: skip
def test_other_chains(old: str, new: str, why: str) -> None:
    text = DATA["chain"].replace(old, new)
    assert text != DATA["chain"]
    with pytest.raises((Refused, ParseError), match=why):
        changed(text)


def piece(k: int, **new: Any) -> list[dict[str, Any]]:
    return [one | new if j == k else one for j, one in enumerate(DATA["law"])]


def listed(**new: Any) -> dict[str, Any]:
    return {**DATA["list"], **new}


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ({"law": piece(0, **{"is": "2"})}, "other values|balance"), ({"law": piece(1, **{"is": "2"})}, "balance"),
        ({"law": piece(0, **{"is": "0"})}, "."), ({"law": piece(0, where="h = 0, r < d - 1")}, "no piece|list"),
        ({"law": piece(0, where="h = 0, r <= d")}, "."), ({"law": piece(0, rate="a*mu + 1")}, "."),
        ({"law": piece(1, rate="a*mu")}, "rate"), ({"law": piece(0, where="whole q, h = 0, r < d")}, "kinds"),
        ({"law": piece(0, **{"is": "q"})}, "terms"), ({"law": DATA["law"][1:]}, "."),
        ({"law": piece(0, ranges=[])}, "ranges or where"),
        ({"list": listed(**{"is": "1 + 10^(-200)"})}, "other values"), ({"list": listed(rate="mu")}, "other values"),
        ({"list": listed(high="1")}, "no state"), ({"list": listed(low="1")}, "list"),  # a state too many, and none
        ({"list": listed(others=[["a", "floor(n/d)"], ["r", "n - d*a + 1"]])}, "no state"),
        ({"list": listed(others=[["a", "floor((n + 1)/d)"], ["r", "n - d*a"]])}, "no state"),
        ({"list": listed(others=[["a", "floor(n/d) - 1"], ["r", "n - d*a"]])}, "no state"),
        ({"list": listed(others=[["a", "floor(n/d)"]])}, "each coordinate"),
        ({"list": listed(others=[["a", "floor(n/d)"], ["r", "n - d*a"], ["a", "1"]])}, "each coordinate"),
        ({"list": listed(others=[["r", "n - d*a"], ["a", "floor(n/d)"]])}, "before"),
        ({"list": listed(others=[["a", "floor(n/p)"], ["r", "n - d*a"]])}, "whole|linear"),
        ({"list": listed(others=[["a", "floor(n/(d - 1))"], ["r", "n - d*a"]])}, "not be positive"),
        ({"list": listed(others=[["a", "n/d"], ["r", "n - d*a"]])}, "linear|whole"),
        ({"list": listed(others=[["a", "floor(n/d/d)"], ["r", "n - d*a"]])}, "no quotient"),
        ({"list": listed(low="a")}, "parameters"), ({"list": listed(**{"is": "q"})}, "terms"), ({"list": listed(by="q")}, "each"),
        ({"list": {}}, "a list has"), ({"list": None}, "."),
        ({"order": []}, "way leads home"), ({"home": "h = 0"}, "several"), ({"home": "r < 2*d"}, "several"), ({"home": "r >= d"}, "several|way"),
        ({"home": "h = 1, r < d"}, "way|lead"), ({"home": "whole a"}, "kinds"), ({"home": ["0", "0", "n"]}, "not always a state"),
        ({"home": "h = 0, r < d, a < 1"}, "way|lead"), ({"home": ""}, "."), ({"home": []}, "coordinates"),
    ],
)  # fmt: skip
def test_other_data(data: dict[str, Any], why: str) -> None:
    with pytest.raises((Refused, ParseError), match=why):
        changed(**data)


def test_a_list_of_what_is_not_whole() -> None:
    """Half of the values of k have no state: the sum over them all would count these too."""
    chain = read_chain({"of": "whole n, n >= 0, mu > 0", "states": "whole k, whole a, 0 <= a, a <= n, k = 2*a", "T": "throughput",
                        "moves": ["(k, a) -> (k - 2, a - 1) at mu for a >= 1", "(0, 0) -> (2*n, n) at mu"]})  # fmt: skip
    law = [{"where": "a >= 0", "is": "1", "rate": "mu"}]
    order = [["a >= 1", 0, "a"]]
    data = {"chain": str(chain), "given": "", "law": law, "home": "a = 0", "order": order, "function": "T", "piece": 0}
    by_a = {"by": "a", "low": "0", "high": "n", "others": [["k", "2*a"]], "is": "1", "rate": "mu"}
    by_k = {"by": "k", "low": "0", "high": "2*n", "others": [["a", "k/2"]], "is": "1", "rate": "mu"}
    assert apply("chain", **data, list=by_a).holds
    with pytest.raises(Refused, match="whole"):
        apply("chain", **data, list=by_k)
    with pytest.raises(Refused, match="no state"):
        apply("chain", **data, list=by_k | {"others": [["a", "floor(k/2)"]]})
    with pytest.raises(Refused, match="not listed"):
        apply("chain", **data | {"home": ["0", "0"]})


def test_a_chain_without_states() -> None:
    """For n < 0 there is none: no law is said of it, though every state that there is leads home."""
    chain = read_chain({"of": "whole n, mu > 0", "states": "whole a, 0 <= a, a <= n", "T": "throughput", "rate": "leaving",
                        "moves": ["a -> a - 1 at mu for a >= 1", "0 -> n at mu"]})  # fmt: skip
    data = {"chain": str(chain), "law": [{"where": "a >= 0", "is": "1", "rate": "mu"}], "home": "a = 0", "order": [["a >= 1", 0, "a"]],
            "list": {"by": "a", "low": "0", "high": "n", "others": [], "is": "1", "rate": "mu"}, "piece": 0}  # fmt: skip
    for function in ("T", "rate"):
        assert apply("chain", **data, given="n >= 0", function=function).holds
        with pytest.raises(Refused, match="no states"):
            apply("chain", **data, given="", function=function)


def test_ways_in_groups() -> None:
    """Regions that lead to one another, while a number falls; a way that loops, or whose number does not fall, is none."""
    chain = read_chain({"of": "whole n, n >= 1", "states": "whole h, whole a, 0 <= h, h <= 1, 0 <= a, a <= n", "f": "jumps",
                        "moves": ["(0, a) -> (1, a) with 1", "(1, a) -> (0, a - 1) with 1 for a >= 1", "(1, 0) -> (0, n) with 1"]})  # fmt: skip
    law = [{"ranges": [["h", "0", "1"], ["a", "0", "n"]], "is": "1", "rate": None}]
    data = {"chain": str(chain), "given": "", "law": law, "home": ["1", "0"], "function": "f", "piece": 0}
    good = [["h = 0", 0, "2*a - h"], ["h = 1, a >= 1", 1, "2*a - h"]]
    assert apply("chain", **data, order=[good]).holds
    assert apply("chain", **data, order=[[["h = 0", 0, "2*a"], ["h = 1, a >= 1", 1, "2*a - 1"]]]).holds
    for order in (
        good, [good[:1]], [good[1:]], [[["h = 0", 0, "a"], ["h = 1, a >= 1", 1, "a"]]], [[["h = 0", 0, "0"], good[1]]],
        [[["h = 0", 1, "2*a - h"], good[1]]], [[good[0], ["h = 1", 1, "2*a - h"]]],
        [[["h = 0", 0, "h"], ["h = 1, a >= 1", 1, "-h"]]],
    ):  # fmt: skip
        with pytest.raises(Refused, match="home"):
            apply("chain", **data, order=order)


@pytest.mark.parametrize(
    "other",
    [{"list": "a = 0"}, {"list": "0 <= a < 3, b = 1"}, {"list": "0 <= a <= n, 1 = r"}, {"list": 1}, {"weight": 1}, {"weight": "1 +"},
     {"list": "0 <= a <= n, r <= a"}],
)  # fmt: skip
def test_no_hint(other: dict[str, Any]) -> None:
    with pytest.raises(ParseError):
        blocks(**other)


def test_hints_are_no_part_of_the_definition() -> None:
    assert blocks() == blocks(weight="2")
    assert str(blocks()) == str(blocks(law=[]))
