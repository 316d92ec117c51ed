"""The saturated two-class chain of the third paper: a law for all sizes at once, and what is near it but false."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from math import comb
from pathlib import Path
from typing import Any

import pytest
from recorded import closed

import asymp.kernel.records  # all rules  # noqa: F401
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import apply
from asymp.language.setting import SettingReader
from asymp.language.statement import read_statement
from asymp.paper.chain import answering, solved
from asymp.papers.twoclass import classes
from asymp.papers.twoclass.model import saturated
from asymp.prove.chain_laws import law_data
from asymp.prove.claims import theorem
from asymp.queues import two_class

FILE = Path(__file__).parents[1] / "proofs" / "twoclass" / "claims.toml"
TEXT = FILE.read_text(encoding="utf-8")
CHAIN, *_ = SettingReader(TEXT, "claims.toml", None).read_setting().chains  # the saturated system
CLAIMS = closed("twoclass")


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    return law_data(CHAIN)


def test_numbers() -> None:
    """The system of figure 4 of the paper: 3 and 10 of 30 servers; the states in which time passes are those it lists."""
    own = solved(CHAIN, tuple(map(Fraction, (3, 10, 30, "1/3", 2, "1/5"))))
    states = {(h, a, b) for h, a, b, r in own.rate if own.law[h, a, b, r]}
    assert states == {(0, 0, 3), (1, 1, 2), (1, 2, 2), (0, 3, 2), (1, 4, 1), (1, 5, 1), (0, 6, 1), (1, 7, 0), (1, 8, 0),
                      (1, 9, 0), (0, 10, 0)}  # fmt: skip


@pytest.mark.parametrize("system", [(3, 10, 30), (1, 4, 7), (2, 3, 3), (3, 4, 11), (5, 6, 17)])
def test_where_it_lands_is_where_the_rules_lead(system: tuple[int, int, int]) -> None:
    """For each state and each class that completes: the same states, with the same probabilities."""
    n1, n2, n = system
    p1, mu1, mu2 = Fraction(1, 3), Fraction(2), Fraction(1, 5)
    rules, lands = saturated(n1, n2, n, p1, mu1, mu2), answering(CHAIN, "lands")
    for h, a, b in rules.states:
        for kind, left, room in ((1, (h, a - 1, b), n1), (2, (h, a, b - 1), n2)):
            if (a, b)[kind - 1]:
                for h_, a_, b_ in rules.states:
                    r, r_ = rules.free((h, a, b)) + room, rules.free((h_, a_, b_))
                    wanted = rules.steps[h, a, b].get((h_, a_, b_), (0, 0))[kind - 1] / rules.share(kind, (h, a, b))
                    assert lands(*left, r, h_, a_, b_, r_, n1, n2, n, p1, mu1, mu2) == wanted
    own = solved(CHAIN, tuple(map(Fraction, (n1, n2, n, p1, mu1, mu2))))
    for name, kind in CHAIN.functions:
        if name in ("border", "idle", "busy"):
            wanted = {"border": two_class.open_two_class(1, n1, n2, n, p1, mu1, mu2).drift[1], "idle": two_class.wastage(n1, n2, n, p1, mu1, mu2)}
            assert own.function(kind, ()) == wanted.get(name, n - wanted["idle"])


@pytest.mark.parametrize(("n1", "n2", "n"), [(1, 2, 4), (2, 3, 7), (1, 3, 6), (3, 4, 8)])
def test_phases_with_the_same_jobs_in_service(n1: int, n2: int, n: int) -> None:
    """Of n jobs: those in front that fit stand in binomial(a + b, a) orders; where a class 2 job blocks, it is the next one."""
    p1 = Fraction(2, 7)
    found: dict[tuple[int, int, int], Fraction] = {}
    for m in product((n1, n2), repeat=n):
        count = classes.served(m, n)
        a, used = m[:count].count(n1), sum(m[:count])
        state = (int(n - used >= n1), a, count - a)
        weight = p1 ** m.count(n1) * (1 - p1) ** m.count(n2)
        found[state] = found.get(state, Fraction(0)) + weight
    assert sum(found.values()) == 1
    for (h, a, b), weight in found.items():
        assert weight == p1**a * (1 - p1) ** (b + h) * comb(a + b, a)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("n2 > n1", "n2 > 0"), ("n >= n2", "n >= n1"), ("with 1 for r >= n2", "with 1 for r > n2"),
        ("a*mu1 for a >= 1, r < n1", "a*mu2 for a >= 1, r < n1"), ("with 1 - p1 for n1 <= r", "with p1 for n1 <= r"),
    ],
)  # fmt: skip
def test_other_chains(data: dict[str, Any], old: str, new: str) -> None:
    text = data["chain"].replace(old, new)
    assert text != data["chain"]
    with pytest.raises(Refused):
        apply("chain", **data | {"chain": text}, function="throughput", piece=0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "old", "new"),
    [
        ("list", "floor(n2^(-1)*(n - a*n1))", "floor(n2^(-1)*(n - a*n1 - 1))"), ("list", "floor(n*n1^(-1))", "floor((n - 1)*n1^(-1))"),
        ("law", "(n - b0*n1)", "(n - b0*n1 - 1)"), ("order", "b - a", "b"),
    ],
)  # fmt: skip
def test_other_data(data: dict[str, Any], key: str, old: str, new: str) -> None:
    text = json.dumps(data[key])
    assert old in text
    with pytest.raises(Refused):
        apply("chain", **data | {key: json.loads(text.replace(old, new))}, function="throughput", piece=0)


NEAR = [
    ("lemma-5.2", "q <= k <= a", "q <= k <= a + 1"), ("lemma-5.2", "whole n1 <= r + n1*q", "whole n1, -n1 <= r + n1*q"),
    ("lemma-5.2", "r + n1*k < n2", "r + n1*k <= n2"),
    ("section-5.2-decomposed", "0 <= r < n1", "0 <= r <= n1"), ("appendix-a.3.4-blocking", "n1*a + r < n2", "n1*a + r <= n2"),
]  # fmt: skip


@pytest.mark.parametrize(("slug", "old", "new"), NEAR)
def test_claims_near_those_of_the_paper(slug: str, old: str, new: str) -> None:
    text = CLAIMS[f"twoclass/{slug}"]
    assert old in text
    with pytest.raises(Refused):
        theorem(read_statement(text.replace(old, new)), True, (CHAIN,))


@pytest.mark.parametrize("slug", ["lemma-5.2", "section-5.2-decomposed"])
def test_claims_and_a_small_factor(slug: str) -> None:
    left, _, right = CLAIMS[f"twoclass/{slug}"].partition(" = ")
    assert theorem(read_statement(f"{left} = {right}"), True, (CHAIN,)).holds
    for factor in ("(1 + 10^(-200))*", "-"):
        with pytest.raises(Refused):
            theorem(read_statement(f"{factor}({left}) = {right}"), True, (CHAIN,))
