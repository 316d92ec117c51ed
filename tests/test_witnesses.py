"""Sequences of witnesses exist in the domain, and certified values of the statement as asked are shown at them."""

from __future__ import annotations

import contextlib
import itertools
import random
from dataclasses import replace
from fractions import Fraction

import pytest
import sympy as sp

from asymp.check import check, classes, gate, sequences
from asymp.check.ask import ask, derived
from asymp.check.gate import Question
from asymp.check.instance import outside
from asymp.claim import Claim, Finding, Limit, Order, Source
from asymp.enclosure import ball
from asymp.scale import Regime

N = sp.Symbol("n", positive=True)


def verdict(relation, whole=True, refuting=(), regime=None):
    regime = regime or replace(Regime.single(N), whole=frozenset({"n"}) if whole else frozenset())
    return check(Claim("my/one", Source("me", "(1)"), relation, "", regime=regime, refuting=refuting))


# --- residue classes ------------------------------------------------------------------------------

PARITY = {  # true for whole n: by parity alone
    "(-1)^(n^2+n) -> 1": "holds",
    "(-1)^(n^2) -> 1": "refuted",
    "(-1)^(n^3-n) -> 1": "holds",
    "(-1)^(n*(n+1)/2) -> 1": "refuted",
    "(-1)^(n^2) - (-1)^n -> 0": "holds",
    "(-1)^(2*n) -> 1": "holds",
    "n*(2+(-1)^n) -> oo": "holds",
    "n*(1+(-1)^n) + 1 -> oo": "refuted",
    "(-2)^n = O(2^n)": "holds",
    "(-2)^n = o(2^n)": "refuted",
    "(1+(-1)^n)*(1-(-1)^n) = O(0)": "holds",
    "(1+(-1)^n) = o(n*(1+(-1)^n))": "holds",
    "(1+(-1)^n) = o(n*(1-(-1)^n))": "refuted",
    "factorial(n)/factorial(floor(n)) -> 1": "holds",
    "factorial(n)*(ceiling(n)-floor(n)) = o(1)": "holds",
    "factorial(n)*(floor(n/2)-n/2) = o(factorial(n))": "refuted",
    "factorial(n)*sin(pi*n) = o(1)": "holds",
    "factorial(n)*n*sin(pi*n) = O(factorial(n)*sin(pi*n))": "holds",
    "factorial(n)*(2+cos(pi*n/3)) = Theta(factorial(n))": "holds",
    "factorial(n)*(1+cos(pi*n/3)) = Theta(factorial(n))": "refuted",
}


@pytest.mark.parametrize("statement", PARITY)
def test_what_is_exact_along_residue_classes_is_decided(statement):
    found = derived(statement, to="n->oo")
    assert (found.outcome, found.strength) == (PARITY[statement], "proved"), found.reason
    if found.outcome == "refuted":
        assert any(line.kind == "enclosed" and line.finding is Finding.CONFIRMED for line in found.evidence)


@pytest.mark.parametrize("power", ["(-1)^(n/2)", "(-1)^(n^2/2)", "(-1)^(n/3)", "(-1)^(n+1/2)", "(-1)^sqrt(n)"])
def test_a_power_of_minus_one_that_is_not_real_has_no_classes(power):
    from asymp.parse import ParseError, parse_expression

    with pytest.raises(classes.NotReal):
        classes.over_classes(parse_expression(power, {"n": N}), N)
    for relation in ("= O(1)", "= o(1)", "-> 1"):
        with contextlib.suppress(ParseError):  # refused for its meaning: as good
            assert ask(f"{power} {relation}", to="n->oo").outcome == "undecided"


def test_whole_is_what_the_regime_says():
    assert verdict(Limit(sp.sin(sp.pi * N), sp.S.Zero)).outcome == "holds"
    assert verdict(Limit(sp.sin(sp.pi * N), sp.S.Zero), whole=False).outcome != "holds"  # or asked back
    assert verdict(Limit(sp.cos(sp.pi * N), sp.S.Zero)).outcome == "refuted"
    assert verdict(Order(N - sp.floor(N), "o", 1 / N)).outcome == "holds"
    assert verdict(Order(N - sp.floor(N), "o", 1 / N), whole=False).outcome != "holds"
    # values of sin at whole numbers come near any phase, but no theorem here says so
    assert verdict(Order(sp.sin(N), "o", sp.S.One)).outcome == "undecided"
    assert verdict(Order(sp.sin(N), "o", sp.S.One), whole=False).outcome == "refuted"


def test_a_class_is_exact_where_python_says_so():
    """Random statements over whole n: each class agrees with exact arithmetic at its members."""
    rng = random.Random(7)
    tried = 0
    for _ in range(60):
        a, b, c, d = (rng.randint(1, 6) for _ in range(4))
        shapes = [
            (sp.floor((a * N + b) / c), lambda n, a=a, b=b, c=c: (a * n + b) // c),
            ((-1) ** (a * N**2 + b * N), lambda n, a=a, b=b: (-1) ** (a * n * n + b * n)),
            (sp.ceiling(N**2 / c) * (-1) ** (b * N), lambda n, b=b, c=c: -(-n * n // c) * (-1) ** (b * n)),
            (sp.floor(sp.floor(N / c) / d), lambda n, c=c, d=d: n // c // d),
            ((-1) ** sp.floor(N / c), lambda n, c=c: (-1) ** (n // c)),
            (sp.cos(sp.pi * a * N / 2), lambda n, a=a: (1, 0, -1, 0)[a * n % 4]),
        ]
        expr, exact = rng.choice(shapes)
        for modulus, residue, plain in classes.over_classes(expr, N):
            if classes.oscillates(plain, N):
                continue  # more classes than are taken
            for k in (1, 5, 8):
                n = modulus * k + residue
                assert sp.expand(plain.subs(N, n)) == exact(n), (expr, modulus, residue)
                tried += 1
    assert tried > 200


# --- sequences ------------------------------------------------------------------------------------

REAL = [
    Question(sp.S.One, "O", sp.sin(N)),
    Question(N, "O", N * sp.sin(N**2 + N)),
    Question(sp.sin(sp.log(N)), "o", sp.S.One),
    Question(sp.cos(N * sp.log(N)), "o", sp.S.One),
    Question(sp.tan(N), "O", N),
    Question(N, "O", sp.tan(N)),
    Question(sp.sin(N), "O", sp.sin(N + 1) / 10**6),
    Question(sp.floor(sp.sqrt(N)) - sp.sqrt(N), "o", sp.S.One),
    Question(sp.floor(N / 2) + sp.floor(N / 3) - 5 * N / 6, "o", sp.S.One),
    Question((-1) ** sp.floor(N / 2), "o", sp.S.One),
]


@pytest.mark.parametrize("q", REAL, ids=lambda q: q.text())
def test_every_sequence_has_members_at_which_the_statement_is_what_was_put_in(q):
    regime = Regime.single(N)
    found = list(sequences.sequences(q, regime))
    assert found
    for one in found:
        assert gate.along(q, one.plain, one.at()).finding in (Finding.CONFIRMED, Finding.UNMEASURED), one.words
    assert any(gate.along(q, one.plain, one.at()).finding is Finding.CONFIRMED for one in found)


@pytest.mark.parametrize("root", [2, 3, 4])
def test_whole_numbers_at_which_the_root_has_a_known_floor(root):
    q = Question(sp.floor(N ** sp.Rational(1, root)), "o", sp.S.One)
    found = list(sequences.sequences(q, Regime.single(N), whole=True))
    assert len(found) == root
    for one in found:
        for point in itertools.islice(one.at(), 3):
            n, k = int(point["n"]), int(point["k"])
            assert k**root <= n < (k + 1) ** root
            assert one.plain.h.subs(one.index, k) == k


def test_whole_numbers_at_which_the_logarithm_has_a_known_floor():
    q = Question(2 ** sp.floor(sp.log(N) / sp.log(2)) - N, "o", N)
    for one in sequences.sequences(q, Regime.single(N), whole=True):
        for point in one.at():
            n, k = int(point["n"]), int(point["k"])
            assert 2**k <= n < 2 ** (k + 1)
    assert verdict(Order(*(2 ** sp.floor(sp.log(N) / sp.log(2)) - N, "o", N))).outcome == "refuted"
    assert verdict(Limit(2 ** sp.floor(sp.log(N) / sp.log(2)) / N, sp.Rational(1, 2))).outcome == "refuted"


def test_the_witnesses_are_shown():
    found = ask("n = O(n*sin(n))", to="n->oo")
    (line,) = [line for line in found.evidence if line.kind == "enclosed"]
    assert (line.finding, len(line.points)) == (Finding.CONFIRMED, 3)
    at = next(iter(line.points)).at["n"]
    assert float(at.replace("*pi", "")) > 1000


def test_a_preimage_is_one():
    for carrier in (3 * sp.log(N) ** 2 - 1, sp.exp(sp.sqrt(N)), 1 + N ** sp.Rational(2, 3), sp.log(sp.log(N)), 2**N):
        value = sp.Integer(11) / 5
        place = sequences.preimage(carrier, N, value)
        assert abs(float(ball(carrier, {"n": place}, 200).mid()) - float(value)) < 1e-12


# --- points of a claim ------------------------------------------------------------------------------

A = sp.Symbol("a", positive=True)
BETWEEN = Regime("n -> oo, 1 < a < 2", (N,), ranges={A: 1 + 1 / (1 + sp.Symbol("b", positive=True))},
                 paths=Regime.single(N).paths, instances=({A: sp.Rational(3, 2)},))  # fmt: skip


@pytest.mark.parametrize(("value", "outcome"), [(3, "undecided"), (2, "undecided"), (sp.Rational(7, 4), "holds")])
def test_a_point_outside_the_range_refutes_nothing(value, outcome):
    """n^a = O(n^2) holds for 1 < a < 2: at a = 3 it fails, which says nothing of the claim but that it is badly made."""
    found = verdict(Order(N**A, "O", N**2), regime=BETWEEN, refuting=({"a": value},))
    assert found.outcome == outcome
    if outcome == "undecided":
        assert "where it says nothing" in found.reason


def test_an_instance_outside_the_range_is_not_taken():
    regime = replace(BETWEEN, instances=({A: sp.Integer(3)},))
    assert outside(regime, {A: sp.Integer(3)})
    assert verdict(Order(N**A, "O", N**2), regime=regime).outcome != "refuted"
    assert outside(replace(BETWEEN, whole=frozenset({"a"})), {A: sp.Rational(3, 2)}) == "a = 3/2 is no whole number"


def test_members_are_whole_and_in_their_class():
    for modulus, residue in ((1, 0), (2, 1), (6, 5)):
        for point in gate.whole_points(N, 3, modulus, residue):
            n = Fraction(int(point["n"]))
            assert n >= 3
            assert n % modulus == residue
