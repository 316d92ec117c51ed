"""How small a number made of roots can be: bounds that no such number undercuts, identities, and what is no identity."""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from asymp.kernel.facts.context import Context
from asymp.kernel.rings.radicals import MOST_BITS, separation
from asymp.kernel.terms import Refused, read
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem

IDENTITIES = [  # by squaring, or by Cardano's formula
    "sqrt(2) + sqrt(3) - sqrt(5 + 2*sqrt(6))",
    "(2 + sqrt(5))^(1/3) - (sqrt(5) - 2)^(1/3) - 1",
    "sqrt(10 + 6*sqrt(3)) - sqrt(10 + 6*sqrt(3))",
    "sqrt(4 + 2*sqrt(3)) - 1 - sqrt(3)",
    "(10 + 6*sqrt(3))^(1/3) - 1 - sqrt(3)",
    "sqrt(3 + sqrt(5)) - sqrt(5/2) - sqrt(1/2)",
    "(7 + 5*sqrt(2))^(1/3) - 1 - sqrt(2)",
    "sqrt(11 + 6*sqrt(2)) + sqrt(11 - 6*sqrt(2)) - 6",
]


def sign(text: str) -> int | None:
    at = Context()
    return at.sign(at.value(read(text)))


@pytest.mark.parametrize("text", IDENTITIES)
def test_an_identity_of_roots(text: str) -> None:
    assert sign(text) == 0
    assert sign(f"{text} + 10^(-300)") == 1
    assert sign(f"{text} - 10^(-300)") == -1


@settings(max_examples=60, deadline=None)
@given(st.tuples(*[st.integers(1, 60)] * 2), st.integers(-3, 3))
def test_sums_of_two_square_roots(pair: tuple[int, int], gap: int) -> None:
    a, b = pair
    assert sign(f"sqrt({a}) + sqrt({b}) - sqrt({a + b + gap * 0} + 2*sqrt({a * b}))") == 0
    if a + b + gap > 0 and gap:
        assert sign(f"sqrt({a}) + sqrt({b}) - sqrt({a + b + gap} + 2*sqrt({a * b}))") == (-1 if gap > 0 else 1)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(1, 9), st.integers(1, 30), st.integers(2, 4)), min_size=1, max_size=3))
def test_no_number_undercuts_its_bound(parts: list[tuple[int, int, int, int]]) -> None:
    text = " + ".join(f"({c})/{q}*({a})^(1/{k})" for c, q, a, k in parts)
    bits = separation(read(text))
    if bits is None:
        return
    with mp.workprec(bits + 200):
        x = abs(sum(mpf(c) / q * mpf(a) ** (mpf(1) / k) for c, q, a, k in parts))
        assert x < mpf(2) ** (-bits - 100) or x >= mpf(2) ** -bits


@pytest.mark.parametrize("text", [
    "(sqrt(2) - 1)^10", "(sqrt(2) - 1)^60", "(sqrt(2) - 1)^300", "(sqrt(3) - sqrt(2))^40", "sqrt(10^40 + 1) - 10^20",
    "(10^60 + 1)^(1/3) - 10^20", "sqrt(10^20 + sqrt(10^40 + 1)) - sqrt(10^20 + 10^20)", "sqrt(1/10^30)/10^30",
])  # fmt: skip
def test_small_numbers_are_above_their_bound(text: str) -> None:
    """Units and near squares, of which some conjugates are large: each is small, and no smaller than its bound."""
    bits = separation(read(text))
    with mp.workprec(4_000):
        x = eval(re.sub(r"\b(\d+)\b", r"mpf(\1)", text.replace("^", "**")), {"mpf": mpf, "sqrt": mp.sqrt})
        assert bits is not None and mpf(2) ** -bits <= x < mpf(2) ** -12


def test_close_roots_keep_their_distance() -> None:
    """Of sums of three square roots of small numbers the closest ones."""
    with mp.workprec(200):
        sums = sorted((sum(mp.sqrt(a) for a in one), one) for one in itertools.combinations(range(2, 24), 3))
        pairs = [(y - x, one, other) for (x, other), (y, one) in itertools.pairwise(sums) if not set(one) & set(other)]
        gap, one, other = min(pairs)
        text = "+".join(f"sqrt({a})" for a in one) + "".join(f"-sqrt({a})" for a in other)
        bits = separation(read(text))
        assert bits is None or gap >= mpf(2) ** -bits
        assert sign(text) == 1


@pytest.mark.parametrize("text", ["sqrt(2) + pi", "exp(1)", "2^sqrt(2)", "1/(sqrt(2) + 1)", "sqrt(x)", "2^(1/5001)", "log(2)"])
def test_what_has_no_bound(text: str) -> None:
    assert separation(read(text)) is None


def test_too_many_roots_have_none() -> None:
    assert separation(read("+".join(f"sqrt({a})" for a in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)))) is None
    assert separation(read("sqrt(2)")) is not None and MOST_BITS < 5_000


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("sqrt(2) + sqrt(3) = sqrt(5 + 2*sqrt(6))", True),
        ("sqrt(2) + sqrt(3) < sqrt(5 + 2*sqrt(6))", False),
        ("sqrt(2) + sqrt(3) <= sqrt(5 + 2*sqrt(6))", True),
        ("sqrt(2) + sqrt(3) = (1 + 10^(-200))*sqrt(5 + 2*sqrt(6))", False),
    ],
)
def test_statements(text: str, holds: bool) -> None:
    assert theorem(read_statement(text), holds).holds is holds
    with pytest.raises(Refused):
        theorem(read_statement(text), not holds)
