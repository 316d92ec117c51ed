"""Series of sums of roundings, against sums that are added up; each condition, where it fails."""

from __future__ import annotations

import random
from fractions import Fraction
from math import ceil, isqrt

import mpmath as mp
import pytest

from asymp.kernel import terms
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import Domain, Growth
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.rings.ratio import to_term
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import apply
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem

SIZES = (400, 5_000, 40_000)
LOOSE = 8
"""What a remainder is at most, over its growths: of all sums below it is about 2."""


def series(text: str) -> Series:
    e = Expander(Algebra(Domain(), 3), {"n": 0}, {}, frozenset({terms.name("n")}))
    return e.series(terms.read(text))


def number(text: str) -> mp.mpf:
    names = {"EulerGamma": mp.euler, "pi": mp.pi, "log": mp.log, "exp": mp.exp, "zeta": mp.zeta, "gamma": mp.gamma}
    return mp.mpf(eval(text.replace("^", "**").replace("/", "*mp.mpf(1)/"), {"mp": mp, **names}))


def size(g: Growth, n: int) -> mp.mpf:
    found = mp.mpf(1)
    for (_, depth), e in g.powers:
        base = mp.mpf(n)
        for _ in range(depth):
            base = mp.log(base)
        found *= base ** number(str(to_term(e)))
    assert not g.exponent
    return found


def misses(text: str, value, at: tuple[int, ...] = SIZES) -> list[float]:
    """How far the terms are from the values, over the growths of the remainder."""
    f = series(text)
    assert f.rest
    found = []
    for n in at:
        told = sum((number(str(to_term(c))) * size(g, n) for c, g in f.terms), mp.mpf(0))
        found.append(float(abs(told - value(n)) / sum(size(g, n) for g in f.rest)))
    return found


def lattice(draw: random.Random):
    """A sum of k^s floor(x/k^b), or ceiling, as a text and as numbers."""
    b, up = draw.choice([1, 1, 1, 2, 3]), draw.random() < 0.3
    s = draw.choice([0, 0, 1, 2, -1, -2]) if b == 1 else draw.choice([0, 0, -1, -2, b - 2])
    times, more = draw.choice([1, 2, Fraction(1, 2)]), draw.choice([0, 1, -1])
    if up and times != 1:
        times = 2
    low, sign = draw.choice([1, 1, 1, 2, 3]), draw.random() < 0.3 and not up
    high = draw.choice(["oo", "2*n + 5", "floor(3*n)"]) if not up else draw.choice(["2*n + 5", "floor(3*n)"])
    if times <= 1 and more <= 0:
        high = draw.choice([high, "n"])
    x, weight = f"({times}*n + {more})", f"k^({s})*" + ("(-1)^(k + 1)*" if sign else "")
    text = f"Sum({weight}{'ceiling' if up else 'floor'}({x}/k^{b}), (k, {low}, {high}))"

    def value(n: int) -> mp.mpf:
        y = times * n + more
        last = {"oo": ceil(y), "n": n, "2*n + 5": 2 * n + 5, "floor(3*n)": 3 * n}[high]
        total = mp.mpf(0)
        for k in range(low, last + 1):
            whole = -((-y) // k**b) if up else y // k**b
            if whole:
                total += mp.mpf(k) ** s * int(whole) * (-1 if sign and k % 2 == 0 else 1)
        return total

    return text, value


@pytest.mark.parametrize("seed", range(3))
def test_series_are_those_of_sums_that_are_added_up(seed: int) -> None:
    draw, seen = random.Random(f"lattice {seed}"), 0
    for _ in range(12):
        text, value = lattice(draw)
        try:
            found = misses(text, value, SIZES[:2])
        except Refused:
            continue
        assert max(found) < LOOSE, (text, found)
        seen += 1
    assert seen >= 8


def roots(low: int, q: int):
    def value(n: int) -> mp.mpf:
        return mp.mpf(sum(int(mp.floor(mp.root(k, q) + mp.mpf(10) ** -9)) for k in range(low, n + 1)))

    return value


SHOWN = [
    ("Sum(floor(n/k), (k, 1, n))", lambda n: sum(n // k for k in range(1, n + 1)), ["1/2"]),
    ("Sum(n - k*floor(n/k), (k, 1, n))", lambda n: sum(n % k for k in range(1, n + 1)), ["1"]),
    ("Sum(k*(floor(n/k) - 1), (k, 1, n))", lambda n: sum(k * (n // k - 1) for k in range(1, n + 1)), ["1"]),
    ("Sum(floor(n/k^2), (k, 1, floor(sqrt(n))))", lambda n: sum(n // k**2 for k in range(1, isqrt(n) + 1)), ["1/3"]),
    ("Sum(floor(sqrt(n - k^2)), (k, 1, floor(sqrt(n))))", lambda n: sum(isqrt(n - k * k) for k in range(1, isqrt(n) + 1)), ["1/2"]),
    ("Sum(floor(sqrt(k)), (k, 1, n))", lambda n: sum(isqrt(k) for k in range(1, n + 1)), ["1/2"]),
    ("Sum(floor(k^(1/3)), (k, 0, n))", roots(0, 3), ["2/3"]),
    ("Sum(floor(n/k), (k, 1, floor(n/2)))", lambda n: sum(n // k for k in range(1, n // 2 + 1)), ["1"]),
    ("Sum(floor(2*n/k), (k, 1, n))", lambda n: sum(2 * n // k for k in range(1, n + 1)), ["1"]),
    ("Sum(floor(log(k)/log(2)), (k, 1, n))", lambda n: sum(k.bit_length() - 1 for k in range(1, n + 1)), ["1"]),
]


@pytest.mark.parametrize(("text", "value", "rest"), SHOWN)
def test_remainders_are_as_small_as_the_range_allows(text, value, rest) -> None:
    """A sum that ends before what is rounded is below 1 is known up to the number of its terms alone."""
    assert max(misses(text, value, SIZES[:2])) < LOOSE
    assert [str(to_term(g.powers[0][1])) for g in series(text).rest] == rest


@pytest.mark.parametrize("text", [
    "Sum(floor(n/k), (k, 0, n))", "Sum(floor(n/(k - 1)), (k, 1, n))", "Sum(floor(n/k)^2, (k, 1, n))", "Sum(floor(n/k), (k, n, 1))",
    "Sum(floor(n/k), (k, 1, n/2))", "Sum(sin(floor(n/k)), (k, 1, n))", "Sum(log(k)*floor(n/k), (k, 1, n))",
    "Sum(floor(-n/k), (k, 1, oo))", "Sum(k*floor(n/k^2), (k, 1, oo))", "Sum(floor(sqrt(n - k^2)), (k, 1, n))",
    "Sum((-1)^(k/2)*floor(n/k), (k, 1, n))", "Sum(2^k*floor(n/k), (k, 1, n))", "Sum(ceiling(n/k), (k, 1, oo))",
])  # fmt: skip
def test_what_is_not_of_the_form_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        series(text)


TRUE = [
    "Sum(floor(n/k), (k, 1, n)) = n*log(n) + (2*EulerGamma - 1)*n + O(sqrt(n))",
    "Sum(floor(n/k)/k, (k, 1, n)) = pi^2*n/6 + O(log(n))",
    "Sum(ceiling(n/k), (k, 1, n)) = n*log(n) + 2*EulerGamma*n + O(sqrt(n))",
    "Sum((-1)^(k + 1)*floor(n/k), (k, 1, n)) = n*log(2) + O(sqrt(n))",
    "Sum(floor(n/k^2), (k, 1, floor(sqrt(n)))) = pi^2*n/6 + zeta(1/2)*sqrt(n) + O(n^(1/3))",
    "Sum(floor(sqrt(k)), (k, 1, n)) = 2/3*n^(3/2) - n/2 + O(sqrt(n))",
]
NEAR = "(1 + 10^(-200))*"


@pytest.mark.parametrize("text", TRUE)
def test_what_holds_is_proved_and_what_is_off_by_a_little_is_refuted(text: str) -> None:
    whole = f"{text} as whole n -> oo"
    assert theorem(read_statement(whole), True).holds
    left, right = whole.split(" = ")
    for other in (f"{left} = {NEAR}({right.split(' + O')[0]}) + O{right.split(' + O')[1]}", f"{left} = -{right}"):
        assert not theorem(read_statement(other), False).holds
        with pytest.raises(Refused):
            theorem(read_statement(other), True)


def test_n_that_need_not_be_whole_ends_no_sum() -> None:
    along = {"place": {"scales": {"s": "n"}, "values": {"n": "s"}}, "runner": "k", "values": {"n": "k"}, "order": 2}
    with pytest.raises(Refused):
        apply("asymptotic", statement="Sum(floor(n/k), (k, 1, n)) ~ n*log(n) as n -> oo", **along)
