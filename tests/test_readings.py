"""Every registered claim is held against its quote: what it says is what the machine reads there, or it says how it differs."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from asymp.language.statement import And, Comparison, Expanding, Ordering, Ratio, read_statement
from asymp.language.syntax import Node
from asymp.paper.readings import How, ReadingFile

PROOFS = Path(__file__).resolve().parents[1] / "proofs"
PAPERS = ("ilb", "lfms", "mjsre", "parallelps", "twoclass")
HELD = (How.SAME, How.PART, How.STEPS)


@cache
def file(key: str) -> ReadingFile:
    return ReadingFile((PROOFS / key / "claims.toml").read_text(encoding="utf-8"), f"{key}/claims.toml")


@pytest.mark.parametrize("key", PAPERS)
def test_no_claim_says_something_else_than_its_quote(key):
    found = file(key).standings()
    assert not {name: one.why for name, one in found.items() if one.how is How.DIFFERS}


def altered(says: str):
    """A statement with another sign, factor, constant, order, or left side."""
    statement = read_statement(says)
    body = statement.body.parts[0] if isinstance(statement.body, And) else statement.body

    def changed(**new):
        one = replace(body, **new)
        whole = replace(statement.body, parts=(one, *statement.body.parts[1:])) if isinstance(statement.body, And) else one
        return str(replace(statement, body=whole))

    two, seven = Node("number", 1, "2"), Node("number", 1, "7")
    if isinstance(body, Comparison):
        *rest, last = body.chain.parts
        for new in (
            Node("negative", 1, "", (last,)), Node("product", 1, "", (two, last), "**"), Node("sum", 1, "", (last, seven), "++"),
        ):  # fmt: skip
            if (last.kind, last.text) != ("number", "0") or new.kind == "sum":
                yield changed(chain=replace(body.chain, parts=(*rest, new)))
        first = Node("sum", 1, "", (rest[0], seven), "++")
        yield changed(chain=replace(body.chain, parts=(first, *rest[1:], last)))
        turned = {"=": "<=", "<=": "<", "<": "<=", ">=": ">", ">": ">="}
        yield changed(chain=replace(body.chain, signs=(turned[body.chain.signs[0]], *body.chain.signs[1:])))
    if isinstance(body, Ratio):
        yield changed(right=Node("product", 1, "", (two, body.right), "**"))
        yield changed(left=Node("sum", 1, "", (body.left, seven), "++"))
    if isinstance(body, (Ordering, Expanding)) and body.order in ("O", "o"):
        yield changed(order={"O": "o", "o": "O"}[body.order])
    if isinstance(body, Expanding):
        yield changed(kept=Node("negative", 1, "", (body.kept,)))


@pytest.mark.parametrize("key", PAPERS)
def test_a_claim_that_is_altered_says_something_else(key):
    of = file(key)
    for name, data in of.table("claim").items():
        if of.standing(name).how in HELD:
            found = of.quoted(data)
            for says in altered(data["says"]):
                assert of.held({**data, "says": says}, found).how is How.DIFFERS, (name, says)


SMALL = r"""
[paper]
key = "small"
[variables]
n = "whole, >= 1"
x = "> 0"
[names]
"f(k)" = "k^2"
[notation]
f = 'f(#1)'
"""
HELD_AS = [
    ("we have $f(n) = n^2$", "f(n) = n^2", "", "same"),
    ("we have $f(n) = n^2$", "n*n = f(n)", "", "differs"),  # another left side
    ("for $x > 0$ we have $x + n > n$", "x + n > n", 'for = "x > 0"', "same"),
    ("for $n > 2$ we have $x + n > n$", "x + n > n", "", "differs"),  # part, which it does not say
    ("for $n > 2$ we have $x + n > n$", "x + n > n", 'differs = "part"', "part"),
    (r"$n \le f(n) = n^2$", "n <= n^2", 'differs = "steps"', "steps"),
    (r"$n \le f(n) = n^2$", "n <= n^2", 'differs = "part"', "differs"),
    (r"$n \le \sup f = n^2$", "n <= n^2", 'differs = "steps"', "steps"),  # of a chain that is not read as a whole
    (r"$f(n) < (n + 1)^2$", "f(n) < n^2 + 2*n + 1", 'differs = "same-as"', "same-as"),
    (r"$f(n) < (n + 1)^2$", "f(n) < n^2 + 2*n + 2", 'differs = "same-as"', "differs"),
    (r"$f(n) < m$", "f(n) < n + f(n)", 'where = "m = n + f(n)"', "same"),
    (r"$\sup f < n$", "f(1) < n", 'differs = "unreadable: extreme, a supremum"', "unreadable"),
    (r"$\sup f < n$", "f(1) < n", 'differs = "unreadable: something"', "differs"),
    (r"$f(n) < n^2$", "f(n) <= n^2", 'differs = "unreadable: order"', "differs"),  # it is read
    ("it grows", "f(n) >= n", "", "words"),
    ("it grows for $n > 1$", "f(n) > n", 'for = "n > 1"', "words"),
    (r"$f(n) \le n^2$", "f(1) <= 1", 'narrowed = "n = 1"', "narrowed"),
    (r"$f(n) \le n^2$", "f(1) <= 1", "ours = true", "none"),
    (r"$f(n) \le n^2$", "P(poisson(x) <= n) < 1", "", "differs"),  # an event is no term
    (r"$f(n) \le n^2$", "P(poisson(x) <= n) < 1", 'narrowed = "of one law"', "narrowed"),
    (r"for $n \ge 1$ we have $f(n) \le x n$", "f(n) <= x*n", "", "same"),
    (r"for $n \ge 1$ we have $f(n) \le x n$", "f(n) <= x*n", 'for = "n >= 10"', "differs"),  # of fewer n
    (r"for $n \ge 1$ we have $f(n) \le x n$", "f(n) <= x*n", 'for = "n in 1..7"', "differs"),
    (r"for $n \ge 1$ we have $f(n) = O(n^2)$", "f(n) = O(n^2)", 'to = "n -> oo"', "same"),
    (r"$n \sim n + x$ uniformly in $0 < x < 1$", "n ~ n + x uniformly in 0 < x < 1", 'to = "n -> oo"', "same"),
    (r"$n \sim n + x$ uniformly in $0 < x < 1$", "n ~ n + x", 'to = "n -> oo"\nfor = "0 < x < 1"', "differs"),
    (r"$n \sim n + x \text{ uniformly in } 0 < x < 1$", "n ~ n + x", 'to = "n -> oo"\nfor = "0 < x < 1"', "differs"),
    (r"$n \sim n + x \text{ uniformly in } 0 < x < 1$", "n ~ n + x uniformly in 0 < x < 1/2", 'to = "n -> oo"', "differs"),
    (r"$\exists C > 0: f(n) = C n + O(n^2)$", "f(n) = C*n + O(n^2) for some C > 0", 'to = "n -> oo"', "same"),
    (r"$\exists C > 0: f(n) = C n + O(n^2)$", "f(n) = C*n + O(n^2) for C > 0", 'to = "n -> oo"', "differs"),
    (r"$\forall C > 0: f(n) = C n + O(n^2)$", "f(n) = C*n + O(n^2) for some C > 0", 'to = "n -> oo"', "differs"),
]  # fmt: skip


@pytest.mark.parametrize(("quote", "says", "more", "how"), HELD_AS)
def test_how_a_claim_stands_to_its_quote_is_seen(quote, says, more, how):
    text = f"{SMALL}[claim.\"lemma-1\"]\nquote = '{quote}'\nsays = \"{says}\"\n{more}\n"
    assert str(ReadingFile(text, "small.toml").standing("lemma-1").how) == how
