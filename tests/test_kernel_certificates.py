"""Certificates: data are read by kind and all of them, edits change nothing that is proved, and what is trusted is named."""

from __future__ import annotations

import ast
import copy
import doctest
import importlib
import itertools
import json
import os
import pkgutil
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from witnessed import leaf, witnessed

import asymp.kernel
import asymp.prove
from asymp.cli import main
from asymp.functions.series import FACTS
from asymp.functions.table import NAMED, ROWS, UNTYPED
from asymp.kernel import theorem as core
from asymp.kernel.cited import CITED
from asymp.kernel.records import BUG, MISSING, REFUSED, REPLAYED, replayed, replays
from asymp.kernel.terms import Refused, canonical
from asymp.kernel.theorem import DEFINITION, Broken, Conclusion, Theorem, apply, certificate, replay
from asymp.kernel.trust import ARITHMETIC, FLINT, cited, collected, rests_on
from asymp.language.chains import read_chain
from asymp.language.meanings import ALIASES, CALLED, CONSTANTS, FUNCTIONS, HEADS, MEANT
from asymp.language.setting import closed_texts
from asymp.language.source import ClaimsError
from asymp.language.statement import read_statement
from asymp.prove.chain_laws import law_data
from asymp.prove.claims import theorem
from benchmarks.soundness import certificates

ROOT = Path(asymp.kernel.__path__[0])
SEED = 20_261_124
FOUND = (
    ("Sum(1/k^2, (k, 1, n)) -> pi^2/6 as whole n -> oo", True),
    ("n^2 ~ n as n -> oo", False),
    ("n = C + O(1) for some real C as n -> oo", False),
    ("1/n = C + O(1/n^2) for some real C as n -> oo", False),
    ("(poisson(n) - n)/n^(1/4) => normal(0, 1) as whole n -> oo", False),
    ("harmonic(i) = O(log(n)) uniformly in whole i, 1 <= i <= n as whole n -> oo", True),
    ("Sum(k, (k, 1, 3)) = 2*x for x in {3}", True),
    ("not n <= 5 as n -> oo", True),
    ("n^2 <= C*n for whole n >= 1 for some real C", False),
    ("x = C for x > 0 for some real C", False),
    ("gamma(1/2)^2 = pi", True),
    ("0 <= harmonic(i) - log(i) <= 1 for whole i >= 1", True),
    ("Sum(u*Product(d*y/(1 + v*(d - 1)*y/parallel_occupancy(d, y)), (v, 1, u)), (u, 0, oo)) = parallel_occupancy(d, y)/(1 - y) "
     "for d > 1, 0 < y, y < 1", True),
    ("1/10*parallel_occupancy(2, y) <= -log(1 - y) for y > 9/10, y < 1", True),
    ("parallel_occupancy(2, 1 - z) ~ log(1/z)/(1 - log(2)) as z -> 0+", True),
    ("log(a(n)) ~ n*log(8) as whole n -> oo for sequence a(n), (n+1)^2*a(n+1) = (7*n^2+7*n+2)*a(n) + 8*n^2*a(n-1), a(0) = 1, a(1) = 2", True),
    ("a(n)/a(n-1) -> 8 as whole n -> oo for sequence a(n), (n+1)^2*a(n+1) = (7*n^2+7*n+2)*a(n) + 8*n^2*a(n-1), a(0) = 1, a(1) = 2", True),
    ("x(n+1) ~ 1/n as whole n -> oo for sequence x(n), x(n+1) = x(n) - x(n)^2, x(0) = 1/2", True),
    ("log(a(n)) = Theta(2^n) as whole n -> oo for sequence a(n), a(n+1) = a(n)^2 + 1, a(0) = 1", True),
    ("a(n) = log(n)/log(2) + o(1) as whole n -> oo for sequence a(n), a(n) = a(floor(n/2)) + 1, a(1) = 1", False),
    ("Sum(Product(x/(2*(x + v)), (v, 1, u)), (u, 0, oo)) is increasing in x for x > 0", True),
)
"""Statements whose theorems are made by rules that no docstring shows."""
CYCLE = {
    "of": "x > 0, y > 0", "states": "whole b, 0 <= b <= 1", "rate": "throughput", "h": "relative",
    "moves": ["0 -> 1 at x", "1 -> 0 at y"], "law": ["0 = 1", "1 = 1"], "relative": ["0", "rate(x, y)/x - 1"],
}  # fmt: skip


def shown_in_docstrings() -> list[Theorem]:
    """What the docstrings of the kernel and of the searches prove."""
    made: list[Theorem] = []
    plain = core.apply

    def noted(name: str, premises: Any = (), **data: Any) -> Theorem:
        made.append(plain(name, premises, **data))
        return made[-1]

    before = {module: module.apply for module in list(sys.modules.values())
              if getattr(module, "apply", None) is plain and module.__name__.startswith("asymp")}  # fmt: skip
    for module in before:
        module.apply = noted  # type: ignore[attr-defined]
    try:
        runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
        for room in (asymp.kernel, asymp.prove):
            for found in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
                for test in doctest.DocTestFinder(exclude_empty=True).find(importlib.import_module(found.name)):
                    runner.run(test, out=lambda text: None)
    finally:
        for module in before:
            module.apply = plain  # type: ignore[attr-defined]
    return made


def by_hand() -> list[Theorem]:
    """What is made by rules that neither show."""
    known = [theorem(read_statement(text), holds) for text, holds in FOUND]
    premise = apply("sums", statement="1 < x for 1 < x", by=[])
    moved = apply("instance", [premise], statement="1 < y + 1 for y > 0", values={"x": "y + 1"})
    wide = theorem(read_statement("n*p -> 0 as whole n -> oo, p -> 0+, n*p -> 0"), True)
    narrow = witnessed("narrower", [wide], statement="n*p -> 0 as whole n -> oo, p -> 0+, n*p*log(n) -> 2")
    inner = apply("sums", statement="k <= 2*k for whole n >= 1, whole k, 1 <= k, k <= n", by=[])
    summed = apply("termwise", [inner], statement="Sum(k, (k, 1, n)) <= Sum(2*k, (k, 1, n)) for whole n >= 1", variable="k")
    powers = [theorem(read_statement(f"n^{k} = O(n^2) as n -> oo"), True) for k in (1, 2)]
    apart = apply("apart", powers, statement="n^k = O(n^2) as n -> oo for k in {1, 2}", of="k")
    chain = read_chain(CYCLE)
    relative = apply("relative", **law_data(chain), relative=CYCLE["relative"], function="h", piece=0)
    loss = "busy(a, m) = mean of m*k of: a > 0, m > 0; states whole k, 0 <= k, k <= 1; (0) -> (1) with 1; (1) -> (0) at m*k"
    law = [{"ranges": [["k", "0", "0"]], "is": "1", "rate": None}, {"ranges": [["k", "1", "1"]], "is": "1", "rate": "m"}]
    data = {"chain": loss, "given": "", "law": law, "home": ["0"], "order": [["k = 1", 1, "k"]]}
    conserved = apply("conserved", **data, function="busy", piece=0, c="k", jobs="k", share="1")
    return [*known, premise, moved, narrow, summed, apart, relative, conserved]


@pytest.fixture(scope="module")
def corpus() -> list[Theorem]:
    """Theorems, made by each of the rules: those that are shown, and all before them."""
    found: dict[int, Theorem] = {}

    def noted(one: Theorem) -> None:
        for premise in one.made[1]:
            noted(premise)
        found[id(one)] = one

    for one in [*shown_in_docstrings(), *by_hand()]:
        noted(one)
    return list(found.values())


def entry(found: Theorem) -> dict[str, Any]:
    said = "holds" if found.holds else "refuted"
    text = str(found.statement)
    return {"id": "me/x", "closed": text, "statement": text, "where": [], "outcome": said, "strength": "proved",
            "certificate": certificate(found), "trusts": sorted(found.trusts)}  # fmt: skip


def printed(found: list[Theorem]) -> list[dict[str, Any]]:
    """As entries of a record; names that only the kernel has are printed, and not read, by some."""
    entries = []
    for one in found:
        made = json.loads(json.dumps(entry(one)))
        if replayed(made).told in (REPLAYED, "replayed given"):
            entries.append(made)
    return entries


def test_every_rule_is_in_the_corpus(corpus):
    assert {found.made[0] for found in corpus} == set(core.RULES)


# --- data ----------------------------------------------------------------------------------------------------


def test_data_of_another_kind_are_refused_by_every_rule(corpus):
    """Whatever is put in the place of data, nothing but a refusal comes out, or a theorem that is as good."""
    draw = random.Random(SEED)
    by_rule = {rule: [one for one in corpus if one.made[0] == rule] for rule in core.RULES}
    upheld = 0
    for made in by_rule.values():
        for found in (draw.choice(made) for _ in range(40)):
            name, premises, data = found.made
            *before, last = draw.choice([place for place in certificates.places(dict(data)) if place])
            changed = into = copy.deepcopy(dict(data))
            for key in before:
                into = into[key]
            into[last] = draw.choice(certificates.OTHERS)
            try:
                again = apply(name, premises, **changed)
            except Refused:
                continue
            upheld += 1
            if canonical(again.statement) == canonical(found.statement):
                assert again.holds is found.holds
    assert upheld < 10 * len(by_rule)


@pytest.mark.parametrize("value", [1.5, (1, 2), b"x", {1: 2}, float("nan"), object()])
def test_what_json_does_not_have_is_refused(value):
    for data in ({"spare": value}, {"bits": value}, {"cover": [[value]]}):
        with pytest.raises(Refused):
            apply("boxes", **{"statement": "x <= 1 for 0 <= x <= 1", "cover": ["ok"], "bits": 64, **data})


def test_data_that_nothing_uses_are_refused(corpus):
    seen = set()
    for found in corpus:
        name, premises, data = found.made
        if name not in seen:
            seen.add(name)
            with pytest.raises(Refused):
                apply(name, premises, **data, spare=1)
            with pytest.raises(Refused):
                apply(name, [*premises, found], **data)
        if premises:
            with pytest.raises(Refused):
                apply(name, [premises[0], *premises], **data)
    assert seen == set(core.RULES)


def test_an_equation_that_fails_says_on_which_side_and_nothing_else_does():
    some: dict[str, Any] = {"values": {"x": "0"}, "functions": {"f": [["i"], "1"]}, "defined": [], "said": [], "held": []}
    given = {"some": some, "supposed": [], "place": 0, "proof": [["linear", []]]}
    text = "f(1) {} 0 for function f(i), real x"
    assert not apply("order fails", statement=text.format("="), above=False, **given).holds
    assert not apply("order fails", statement=text.format("<="), **given).holds
    for sign, more in (("=", {}), ("<=", {"above": True}), ("=", {"above": 1})):
        with pytest.raises(Refused):
            apply("order fails", statement=text.format(sign), **given, **more)
    for changed in ({"values": {"x": "0", "y": "0"}}, {"values": {}}, {"held": [[]]}, {"functions": {}}):
        with pytest.raises(Refused):
            apply("order fails", statement=text.format("<="), **{**given, "some": some | changed})


def test_steps_that_nothing_uses_are_refused():
    one, two = ({"rule": "algebra", "premises": [], "data": {"statement": text}} for text in ("1 < 2", "2 < 3"))
    assert replay([one]).holds
    for steps in ([two, one], [one, one], [one, {"rule": "all", "premises": [0, 0], "data": {"statement": "1 < 2 and 2 < 3"}}]):
        with pytest.raises(Refused):
            replay(steps)


def test_premises_that_are_not_used_are_refused():
    one, other = (leaf(f"{atom} = 1 + O(1/n) as n -> oo") for atom in ("parallel_occupancy(n, 1/2)", "parallel_occupancy(n, 1/3)"))
    data = {"order": 2, "place": {"scales": {"s": "n"}, "values": {"n": "s"}}}
    text = "parallel_occupancy(n, 1/2) -> 1 as n -> oo"
    assert witnessed("asymptotic", [one], statement=text, **data).holds
    for premises in ([one, other], [one, one]):
        with pytest.raises(Refused):
            witnessed("asymptotic", premises, statement=text, **data)
    spare = {"order": 2, "place": {"scales": {"s": "n", "t": "n"}, "values": {"n": "s"}}}
    with pytest.raises(Refused):
        witnessed("asymptotic", [one], statement=text, **spare)
    fact = apply("algebra", statement="1 < x for x > 1")
    for by in ([[]], [[[0, "1"], [1, "1"]]], [[[-1, "1"]]]):
        with pytest.raises(Refused):
            apply("sums", [fact], statement="0 < x for x > 1", by=by)


# --- a bug of a rule -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("error", [TypeError, AttributeError, NameError, AssertionError, KeyError, ZeroDivisionError])
def test_a_bug_of_a_rule_is_no_refusal(monkeypatch, tmp_path, capfd, error):
    def broken(premises: Any, data: Any) -> Conclusion:
        raise error("oh")

    steps = [{"rule": "algebra", "premises": [], "data": {"statement": "1 < 2"}}]
    monkeypatch.setitem(core.RULES, "algebra", broken)
    with pytest.raises(Broken, match=f"bug of the rule algebra: {error.__name__}"):
        replay(steps)
    said = {"id": "me/x", "closed": "1 < 2", "outcome": "holds", "strength": "proved", "certificate": steps}
    assert replayed(said).told == BUG
    (tmp_path / "r.json").write_text(json.dumps({"claims": [said]}))
    assert main(["verify", str(tmp_path / "r.json")]) == 3
    out = capfd.readouterr()
    assert "me/x: bug: bug of the rule algebra" in out.out and "Traceback" not in out.out + out.err


# --- edits ---------------------------------------------------------------------------------------------------


def test_edits_of_one_character_are_refused_or_change_nothing(corpus):
    """The truth is the record before the edit."""
    entries = printed(corpus)
    draw = random.Random(SEED)
    found = [certificates.judged(one, next(certificates.edits(draw, one))) for one in (draw.choice(entries) for _ in range(400))]
    told = [word for word, _ in found]
    assert {"UNSOUND", "BUG"}.isdisjoint(told) and told.count("refused") > 200


def test_the_part_of_the_soundness_run():
    line, bad = certificates.part(40)
    assert bad == 0 and line.endswith("0 read; wrong: 0")


def test_an_edit_that_is_upheld_would_be_seen():
    one = entry(apply("algebra", statement="1 < 2"))
    other = entry(apply("algebra", statement="1 < 3"))
    assert certificates.judged(one, other)[0] == "UNSOUND"
    assert certificates.judged(one, one)[0] == "same"
    assert certificates.judged(one, {**one, "closed": "1 < 3"})[0] == "refused"


# --- what is trusted -----------------------------------------------------------------------------------------

ALONG_N = {"place": {"scales": {"s": "n"}, "values": {"n": "s"}}, "runner": "k", "values": {"n": "k"}}
BY_ITSELF = {"point": {"x": "3"}, "proofs": [["by", []]]}
EXAMPLES = {
    "Olver 1974, chapter 3": ("asymptotic", "Integral(exp(-t)*sin(n*t), (t, 0, oo)) ~ 1/n as n -> oo", {"order": 2, **ALONG_N}),
    "Weyl 1916, chapter 1": ("along", "cos(n) -> 0 as whole n -> oo", {"order": 2, "runner": "k", "values": {"n": "k"}, "turn": "0"}),
    "DLMF 10.9.2": ("asymptotic", "besselj(n, n) -> 0 as whole n -> oo", {"order": 2, **ALONG_N}),
    "DLMF 24.8.1": ("asymptotic", "Sum(sin(i)/i, (i, 1, n)) -> (pi - 1)/2 as whole n -> oo", {"order": 2, **ALONG_N}),
    "DLMF 2.10.1": ("asymptotic", "Sum(exp(-i/n)/i, (i, n, oo)) -> expint(1, 1) as whole n -> oo", {"order": 2, **ALONG_N}),
    "DLMF 8.7.1": ("", "1/10*parallel_occupancy(2, y) <= -log(1 - y) for y > 9/10, y < 1", {}),
    "DLMF 4.2.19": ("algebra", "Sum(x^k/k!, (k, 0, oo)) = exp(x) for x > 0", {}),
    "DLMF 4.13.4": ("boxes", "LambertW(x) <= 1 for 0 <= x <= 1", {"cover": ["ok"], "bits": 64}),
    "DLMF 5.2.2": ("bounds", "loggamma(x)^2 >= 0 for x > 1", BY_ITSELF),
    "DLMF 5.4.1": ("algebra", "gamma(1) = 1", {}),
    "DLMF 5.4.6": ("algebra", "gamma(1/2) = pi^(1/2)", {}),
    "DLMF 5.9.1": ("algebra", "Integral(exp(-t^2), (t, 0, oo)) = pi^(1/2)/2", {}),
    "DLMF 5.12.2": ("asymptotic", "Integral(sin(t)^n, (t, 0, pi)) ~ sqrt(2*pi/n) as n -> oo", {"order": 2, **ALONG_N}),
    "DLMF 10.32.10": ("algebra", "Integral(exp(-t - 1/t), (t, 0, oo)) = 2*besselk(1, 2)", {}),
    "DLMF 5.15.1": ("boxes", "digamma(x) <= 1 for 1 <= x <= 2", {"cover": ["ok"], "bits": 64}),
    "DLMF Table 5.4.1": ("boxes", "gamma(x) >= 4/5 for 1 <= x <= 2", {"cover": ["ok"], "bits": 64}),
    "DLMF 5.17.4": ("bounds", "barnesg(x)^2 >= 0 for x > 1", BY_ITSELF),
    "DLMF 6.2.9": ("bounds", "Si(x) < 2 for x > 1", BY_ITSELF),
    "DLMF 6.2.11": ("bounds", "Ci(x)^2 >= 0 for x > 1", BY_ITSELF),
    "DLMF 6.2.15": ("bounds", "Shi(x) > 0 for x > 1", BY_ITSELF),
    "DLMF 6.2.16": ("bounds", "Chi(x)^2 >= 0 for x > 1", BY_ITSELF),
    "DLMF 7.4.2": ("", "erfc(-x) + erfc(x) = 2 for x > 0", {}),
    "DLMF 4.22.1": ("", "Product(1 - 1/(2*k^2), (k, 1, oo)) = sin(pi/sqrt(2))*sqrt(2)/pi", {}),
    "DLMF 4.36.1": ("", "Product(1 + 1/k^2, (k, 1, oo)) = sinh(pi)/pi", {}),
    "DLMF 5.5.3": ("algebra", "gamma(x)*gamma(1 - x) = pi/sin(pi*x) for 0 < x < 1", {}),
    "DLMF 5.12.1": (
        "asymptotic", "Sum(floor(sqrt(n - k^2)), (k, 1, floor(sqrt(n)))) ~ pi*n/4 as whole n -> oo", {"order": 2, **ALONG_N}),
    "DLMF 7.2.1": ("boxes", "erf(x) <= 1 for 0 <= x <= 1", {"cover": ["ok"], "bits": 64}),
    "DLMF 7.2.7": ("bounds", "fresnelc(x) < 1 for x > 1", BY_ITSELF),
    "DLMF 7.2.8": ("bounds", "fresnels(x) > 0 for x > 1", BY_ITSELF),
    "DLMF 7.7.6": ("algebra", "Integral(exp(-t - t^2), (t, 0, oo)) = pi^(1/2)/2*exp(1/4)*erfc(1/2)", {}),
    "DLMF 7.11.2": ("algebra", "erfc(x) = uppergamma(1/2, x^2)/pi^(1/2) for x > 0", {}),
    "DLMF 8.2.2": ("asymptotic", "uppergamma(n, 2*n) ~ (2*n)^n*exp(-2*n)/n as n -> oo", {"order": 2, **ALONG_N}),
    "DLMF 8.7.3": ("asymptotic", "GammaDerivative(1, 0, 1/n) ~ -log(n)^2/2 as n -> oo", {"order": 2, **ALONG_N}),
    "DLMF 8.8.2": ("algebra", "uppergamma(2, x) = uppergamma(1, x) + x*exp(-x) for x > 0", {}),
    "DLMF 8.8.13": ("asymptotic", "uppergamma(1/3, 2 + 1/n) -> uppergamma(1/3, 2) as n -> oo", {"order": 2, **ALONG_N}),
    "DLMF 8.12.3": ("asymptotic", "uppergamma(n, n) ~ gamma(n)/2 as n -> oo", {"order": 2, **ALONG_N}),
    "DLMF 8.17.1": ("bounds", "betainc(1, 2, 1/x) >= 0 for x > 1", BY_ITSELF),
    "DLMF 9.2.1": ("bounds", "airyai(x)^2 >= 0 for x > 1", BY_ITSELF),
    "DLMF 10.6.1": ("asymptotic", "besselj(1, 2 + 1/n) -> besselj(1, 2) as n -> oo", {"order": 2, **ALONG_N}),
    "DLMF 10.29.1": ("asymptotic", "besseli(1, 2 + 1/n) -> besseli(1, 2) as n -> oo", {"order": 2, **ALONG_N}),
    "DLMF 10.32.9": ("bounds", "besselk(1/2, x) > 0 for x > 1", BY_ITSELF),
    "DLMF 19.2.8": ("boxes", "elliptic_e(x) <= 2 for 0 <= x <= 1", {"cover": ["ok"], "bits": 64}),
    "DLMF 19.4.1": ("boxes", "elliptic_k(x) <= 2 for 0 <= x <= 1/2", {"cover": ["ok"], "bits": 64}),
    "DLMF 25.2.1": ("boxes", "zeta(x) <= 2 for 2 <= x <= 3", {"cover": ["ok"], "bits": 64}),
    "DLMF 25.2.4": ("asymptotic", "Sum(log(k)/k, (k, 1, n)) ~ log(n)^2/2 as whole n -> oo", {"order": 2, **ALONG_N}),
    "DLMF 25.2.9": ("asymptotic", "Sum(k*log(k), (k, 1, n)) ~ n^2*log(n)/2 as whole n -> oo", {"order": 2, **ALONG_N}),
    "DLMF 25.11.4": ("asymptotic", "Sum(sqrt(k), (k, 1, n)) ~ 2/3*n^(3/2) as whole n -> oo", {"order": 2, **ALONG_N}),
    "DLMF 25.11.12": ("boxes", "Sum(harmonic(k), (k, 1, 10000)) < 10^5 for x in {1}", {"cover": ["ok"], "bits": 64}),
    "DLMF 25.12.6": ("asymptotic", "Sum(exp(-i/n)*harmonic(i)/i, (i, 1, oo)) ~ log(n)^2/2 as n -> oo", {"order": 2, **ALONG_N}),
    "DLMF 26.7.5": ("known sum", "Sum(k^n/k!, (k, 0, oo)) = E*bell(n) for whole n >= 1", {"form": "partitions"}),
    "DLMF 26.8.6": ("known sum", "Sum((-1)^k*binomial(n, k)*k^n, (k, 0, n)) = (-1)^n*n! for whole n >= 1", {"form": "alternating"}),
    "DLMF 26.8.12": ("known sum", "Sum(stirling2(n, m), (m, 0, n)) = bell(n) for whole n >= 1", {"form": "set partitions"}),
    "DLMF 26.13.4": ("known sum", "subfactorial(n) = n!*Sum((-1)^k/k!, (k, 0, n)) for whole n >= 0", {"form": "fixed-point-free"}),
    "DLMF 4.13.1": (
        "asymptotic", "[z^n] 1/(1-z*exp(z)) ~ LambertW(1)^(-n)/(1+LambertW(1)) as whole n -> oo", {"order": 2, **ALONG_N}),
    "DLMF 5.4.12": (
        "asymptotic", "[z^n] log(1/(1-z))/(1-z) = log(n) + EulerGamma + o(1) as whole n -> oo", {"order": 2, **ALONG_N}),
    "DLMF 5.11.8": ("asymptotic", "[z^n] 1/sqrt(1-z) ~ 1/sqrt(pi*n) as whole n -> oo", {"order": 2, **ALONG_N}),
    "DLMF 5.15.9": (
        "asymptotic", "Sum(binomial(n, k)^3, (k, 0, n)) ~ 2*8^n/(sqrt(3)*pi*n) as whole n -> oo", {"order": 2, **ALONG_N}),
    "DLMF 5.15.5": ("asymptotic", "[z^n] log(1/(1-z))^2 ~ 2*log(n)/n as whole n -> oo", {"order": 2, **ALONG_N}),
    "Flajolet and Sedgewick 2009, chapter 6": (
        "asymptotic", "[z^n] (1-sqrt(1-4*z))/(2*z) ~ 4^n/sqrt(pi*n^3) as whole n -> oo", {"order": 2, **ALONG_N}),
    "Flajolet and Sedgewick 2009, chapter 8": ("asymptotic", "[z^n] exp(z) ~ 1/n! as whole n -> oo", {"order": 2, **ALONG_N}),
    "Andrews 1976, chapter 6": (
        "asymptotic", "log([z^n] Product(1+z^k, (k, 1, oo))) ~ pi*sqrt(n/3) as whole n -> oo", {"order": 2, **ALONG_N}),
    "Hardy and Ramanujan 1918, chapter 1": (
        "asymptotic", "log([z^n] 1/Product(1-z^k, (k, 1, oo))) ~ pi*sqrt(2*n/3) as whole n -> oo", {"order": 2, **ALONG_N}),
    "Flajolet, Gourdon and Dumas 1995, theorem 5": (
        "asymptotic", "Sum(1/(exp(k/n) + 1), (k, 1, oo)) = n*log(2) - 1/4 + o(1) as n -> oo", {"order": 2, **ALONG_N}),
    "Walfisz 1963, chapter 3": (
        "asymptotic", "Sum(floor(n/k)/k, (k, 1, n)) = pi^2*n/6 - log(n)/2 + o(log(n)) as whole n -> oo", {"order": 2, **ALONG_N}),
    "Latouche and Ramaswami 1999, chapter 7": ("chain", "", {
        "chain": "edge(mu) = border of a of: mu > 0; states whole a, 0 <= a, a <= 1; (1) -> (0) at mu; (0) -> (1) with 1", "given": "",
        "law": [{"ranges": [["a", "0", "0"]], "is": "1", "rate": None}, {"ranges": [["a", "1", "1"]], "is": "1", "rate": "mu"}],
        "home": ["1"], "order": [["a = 0", 1, "a"]], "function": "edge", "piece": 0}),
}  # fmt: skip
"""A theorem that rests on each fact that is cited."""


ELSEWHERE = [
    ("DLMF 4.6.1", "algebra", "Sum((-1)^k/k, (k, 1, oo)) = -log(2)", {}),
    ("DLMF 4.6.7", "algebra", "Sum(catalan(k)/8^k, (k, 0, oo)) = 4 - 2*sqrt(2)", {}),
    ("DLMF 4.13.5", "algebra", "Sum(exp(-a*k)*(a*k)^(k - 1)/k!, (k, 1, oo)) = 1 for 0 < a <= 1", {}),
    ("DLMF 4.19.1", "algebra", "Sum((-1)^k/(2*k + 1)!, (k, 0, oo)) = sin(1)", {}),
    ("DLMF 4.19.2", "algebra", "Sum((-1)^k/(2*k)!, (k, 0, oo)) = cos(1)", {}),
    ("DLMF 4.24.3", "algebra", "Sum((-1)^k/(2*k + 1), (k, 0, oo)) = pi/4", {}),
    ("DLMF 4.33.1", "algebra", "Sum(1/(2*k + 1)!, (k, 0, oo)) = sinh(1)", {}),
    ("DLMF 4.33.2", "algebra", "Sum(1/(2*k)!, (k, 0, oo)) = cosh(1)", {}),
    ("DLMF 4.38.5", "algebra", "Sum(1/((2*k + 1)*4^k), (k, 0, oo)) = log(3)", {}),
    ("DLMF 5.7.6", "algebra", "Sum(1/((2*k + 1)*(2*k + 2)), (k, 0, oo)) = log(2)", {}),
    ("DLMF 5.4.14", "rounding", "harmonic(1/2) rounds to 0.61", {"bits": 64}),
    ("DLMF 7.4.2", "algebra", "erfc(-x) = 2 - erfc(x) for x > 0", {}),
    ("DLMF 5.5.1", "algebra", "gamma(x + 1) = x*gamma(x) for x > 0", {}),
    ("DLMF 5.5.2", "sums", "harmonic(x + 2) = harmonic(x + 1) + 1/(x + 2) for x > 0", {"by": []}),
    ("DLMF 6.2.6", "algebra", "Ei(-x) = -E1(x) for x > 0", {}),
    ("DLMF 6.2.8", "algebra", "li(x) = Ei(log(x)) for x > 1", {}),
    ("DLMF 6.11.1", "algebra", "E1(x) = uppergamma(0, x) for x > 0", {}),
    ("DLMF 8.19.1", "algebra", "expint(a, x) = x^(a - 1)*uppergamma(1 - a, x) for a > 0, x > 0", {}),
    ("DLMF 5.11.1", "asymptotic", "loggamma(n) ~ n*log(n) as n -> oo", {"order": 2, **ALONG_N}),
    ("DLMF 5.11.2", "asymptotic", "digamma(n) ~ log(n) as n -> oo", {"order": 2, **ALONG_N}),
    ("DLMF 1.2.6", "asymptotic", "binomial(2*n, n) = O(4^n) as n -> oo", {"order": 2, **ALONG_N}),
    ("DLMF 25.12.10", "asymptotic", "polylog(3/2, 1/2 + 1/n) -> polylog(3/2, 1/2) as n -> oo", {"order": 2, **ALONG_N}),
    ("zeta(2) = pi^2/6", "asymptotic", "zeta(2 + 1/n) -> pi^2/6 as n -> oo", {"order": 2, **ALONG_N}),
    ("DLMF 6.2.8", "bounds", "li(x) = Ei(log(x)) for x > 2", {"point": {"x": "3"}, "proofs": [["by", []]]}),
    ("DLMF 6.2.8", "bounds", "li(x) is increasing in x for x > 2", {"point": {"x": "3"}, "proofs": [["by", []]]}),
    ("DLMF 6.2.6", "bounds", "uppergamma(0, x) = -Ei(-x) for x > 2", {"point": {"x": "3"}, "proofs": [["by", []]]}),
    ("DLMF 8.19.1", "bounds", "expint(1, x) = -Ei(-x) for x > 2", {"point": {"x": "3"}, "proofs": [["by", []]]}),
    ("DLMF 5.5.2", "bounds", "harmonic(x + 1) = harmonic(x) + 1/(x + 1) for x > 2", {"point": {"x": "3"}, "proofs": [["by", []]]}),
    ("DLMF 5.15.1", "bounds", "harmonic(x) > 0 for x > 2", {"point": {"x": "3"}, "proofs": [["by", []]]}),
    ("DLMF 5.15.1", "bounds", "harmonic(y) > harmonic(x) for x > 2, y > x",
     {"point": {"x": "3", "y": "4"}, "proofs": [["by", [["1", ["rises", "harmonic", "y", "x", ["by", [["1", ["given", 1]]]]]]]]]}),
    ("DLMF 5.4.14", "algebra", "harmonic(1/2) > 3/5", {}),
    ("DLMF 5.4.1", "algebra", "factorial(x)/factorial(x) = 1 for x > 1", {}),
    ("DLMF 7.11.2", "algebra", "uppergamma(1/2, x) > 0 for x > 1", {}),
]  # fmt: skip
"""The other places in the code where one is used, and facts of the table of functions."""


@pytest.mark.parametrize(("fact", "rule", "text", "data"), [*((one, *EXAMPLES[one]) for one in EXAMPLES), *ELSEWHERE])
def test_a_fact_that_is_cited_is_named(fact, rule, text, data):
    found = apply(rule, **({"statement": text} if text else {}), **data) if rule else theorem(read_statement(text), True)
    assert fact in found.trusts and cited(leaf for leaf in found.trusts if not leaf.startswith((DEFINITION, "row: ")))


CITATION = r"DLMF [\w. ]+|\w+(?:, \w+)?(?: and \w+)? \d{4}, (?:chapter|theorem) \d+"


def written_in_the_kernel() -> tuple[set[str], set[str]]:
    """The facts, and the functions of balls, that the kernel's code may note."""
    facts, functions = set(), set()
    for path in ROOT.rglob("*.py"):
        if path.name == "trust.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.fullmatch(CITATION, node.value):
                facts.add(node.value)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("arb", "acb"):
                functions.add(f"{path.name}: {node.attr}")
    return facts, functions


def test_what_is_cited_is_what_the_code_names():
    facts, functions = written_in_the_kernel()
    named = facts | {fact for row in ROWS for fact in row.facts}
    assert set(CITED) == set(EXAMPLES) and set(CITED) <= named
    assert named - set(CITED) == {one[0] for one in ELSEWHERE} & named - set(CITED) <= set(FACTS)
    assert functions == {"exponentials.py: integral"}  # all others go through of_flint
    with pytest.raises(KeyError):
        rests_on("DLMF 1.1.1")


EXACT = {"ceil", "comb", "factorial", "floor", "gcd", "isqrt", "lcm", "prod"}
"""Functions of whole and rational numbers in the module math that are exact."""


def test_no_double_is_in_the_kernel():
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), path
            assert not (isinstance(node, ast.Name) and node.id in ("float", "complex", "round")), path
            if isinstance(node, ast.ImportFrom) and node.module in ("math", "cmath"):
                assert {name.name for name in node.names} <= EXACT, path


def test_what_is_trusted_does_not_hang_on_what_was_asked_before(corpus):
    entries = printed(corpus)
    trusts = [replayed(one).trusts for one in entries]
    assert [replayed(one).trusts for one in reversed(entries)] == trusts[::-1]
    code = (
        "import json, sys; from asymp.kernel.records import replayed;"
        "print(json.dumps([replayed(one).trusts for one in json.load(sys.stdin)]))"
    )
    for seed in ("0", "1"):
        run = subprocess.run([sys.executable, "-c", code], input=json.dumps(entries[::-1]), capture_output=True, text=True,
                             check=True, env={**os.environ, "PYTHONHASHSEED": seed})  # fmt: skip
        assert [tuple(one) for one in json.loads(run.stdout)] == trusts[::-1]


def test_what_is_remembered_is_noted_again():
    for first, second in itertools.permutations(["exp(2) > 7", "exp(2)*x > 7*x for x > 0"]):
        found = [apply("algebra", statement=text).trusts for text in (first, second)]
        assert found == [{ARITHMETIC, f"{FLINT}arb.exp"}] * 2
    with collected() as used:
        assert apply("algebra", statement="1 < 2").trusts == frozenset()
    assert used == set()


# --- names ---------------------------------------------------------------------------------------------------


def heads_in_the_kernel() -> set[str]:
    """The heads of terms of which rules know something: what .head or kind is compared with."""
    found: set[str] = set()
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Compare) and "head" in ast.unparse(node.left):
                found |= {c.value for other in node.comparators for c in ast.walk(other)
                          if isinstance(c, ast.Constant) and isinstance(c.value, str)}  # fmt: skip
            if isinstance(node, ast.Match) and "head" in ast.unparse(node.subject):
                found |= {c.value for case in node.cases for c in ast.walk(case.pattern)
                          if isinstance(c, ast.Constant) and isinstance(c.value, str)}  # fmt: skip
    return {one for one in found if re.fullmatch(r"[A-Za-z]\w*", one)}


def test_one_set_of_names_has_a_meaning():
    heads = heads_in_the_kernel()
    assert len(heads) > 30 and heads <= MEANT, heads - MEANT
    assert set(NAMED) <= MEANT and set(ALIASES.values()) <= set(FUNCTIONS) and CALLED | UNTYPED | CONSTANTS | HEADS <= MEANT


FILE = """
[paper]
key = "mine"
{declared}
[claim.lemma-1]
says = "{name}(x) >= 0"
for = "x > 1"
"""
PLACES = {
    "names": '[names]\n"{name}(x)" = "x - 2"',
    "model": '[model]\n{name} = "x"',
    "functions": '[functions]\n"{name}(i)" = ">= 0"',
    "chains": '[chains.c]\nof = "x > 0"\nstates = "whole b, 0 <= b <= 1"\nmoves = ["0 -> 1 at x", "1 -> 0 at x"]\n{name} = "jumps"',
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", ["abs", "Abs", "ceil", "log", "ln", "sqrt", "E1", "Max", "AtMost", "sum", "power", "O", "pi", "Sum"])
def test_no_function_of_a_file_has_a_name_with_a_meaning(tmp_path, capfd, place, name):
    """Checked or verified: else a theorem of the function that has the name by itself would be taken for one of the file's."""
    text = FILE.format(declared=PLACES[place].format(name=name), name=name)
    with pytest.raises(ClaimsError):
        closed_texts(text, "mine.toml")
    file, record = tmp_path / "mine.toml", tmp_path / "r.json"
    file.write_text(text)
    closed = f"{name}(x) >= 0 for x > 1"
    step = {"rule": "bounds", "premises": [], "data": {"statement": closed, "point": {"x": "2"}, "proofs": [["by", []]]}}
    said = {"id": "mine/lemma-1", "closed": closed, "statement": closed, "outcome": "holds", "strength": "proved",
            "certificate": [step]}  # fmt: skip
    record.write_text(json.dumps({"claims": [said]}))
    assert main(["verify", str(record), "--claims", str(file)]) == 2
    assert main(["check", str(file), "-q"]) == 2
    out = capfd.readouterr()
    assert "Traceback" not in out.err and name in out.err


def test_a_claim_that_the_record_lacks_is_named(tmp_path, capfd):
    file, record = tmp_path / "mine.toml", tmp_path / "r.json"
    claims = "".join(f'[claim.lemma-{k}]\nsays = "x + {k} > 0"\nfor = "x > 1"\n' for k in (1, 2))
    file.write_text(f'[paper]\nkey = "mine"\n{claims}[claim.lemma-3]\ntest = "lemma_3"\nwords = "three"\n')
    assert main(["check", str(file), "--json", str(record)]) in (0, 1)
    assert main(["verify", str(record), "--claims", str(file)]) == 0
    whole = json.loads(record.read_text())["claims"]
    for k, one in enumerate(whole):
        record.write_text(json.dumps({"claims": whole[:k] + whole[k + 1 :]}))
        capfd.readouterr()
        assert main(["verify", str(record), "--claims", str(file)]) == 1
        out = capfd.readouterr().out
        assert f"{one['id']}: missing" in out and "1 missing" in out
        assert main(["verify", str(record)]) == 0  # without the file nothing is lacking
    record.write_text(json.dumps({"claims": [*whole, whole[0]]}))
    assert main(["verify", str(record)]) == 1
    assert [one.told for one in replays([], {"a": None})] == [MISSING]
    assert [one.told for one in replays([whole[0], whole[0]])][1] == REFUSED
