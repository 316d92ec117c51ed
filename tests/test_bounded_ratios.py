"""Infinite sums of which the ratio of successive terms is bounded: towers, double exponentials, Catalan's numbers; each against
mpmath, and what diverges against nothing."""

from __future__ import annotations

import random

import mpmath as mp
import pytest

from asymp.enclosure import Undecided
from asymp.enclosure.enclose import enclose
from asymp.enclosure.hypergeometric import steps_of
from asymp.kernel.terms import read

SUMS = {
    "Sum((1/2)^(2^i - 2), (i, 1, oo))": lambda: mp.nsum(lambda i: mp.mpf(2) ** (2 - mp.mpf(2) ** int(i)), [1, 9]),
    "Sum(exp(-k/2)*(k/2)^(k - 1)/k!, (k, 1, oo))": lambda: mp.mpf(1),
    "Sum(catalan(k)/8^k, (k, 0, oo))": lambda: 4 - 2 * mp.sqrt(2),
    "Sum(k!/k^k, (k, 1, oo))": lambda: mp.nsum(lambda k: mp.factorial(k) / k**k, [1, 200]),
    "Sum(1/k^k, (k, 1, oo))": lambda: mp.quad(lambda x: x ** (-x), [0, 1]),
    "Sum((-1)^k/(k + 1)^(k + 1), (k, 0, oo))": lambda: mp.quad(lambda x: x**x, [0, 1]),
    "Sum(1/2^(k^2)*k, (k, 0, oo))": lambda: mp.nsum(lambda k: k / mp.mpf(2) ** (k * k), [0, 20]),
    "Sum(k^k/k!/3^k, (k, 1, oo))": lambda: -mp.lambertw(-mp.mpf(1) / 3).real / (1 + mp.lambertw(-mp.mpf(1) / 3).real),
    "Sum(exp(-3^k), (k, 0, oo))": lambda: mp.nsum(lambda k: mp.exp(-(mp.mpf(3) ** int(k))), [0, 6]),
    "Sum((2*k + 1)^(2*k)/(2*k)!/9^k, (k, 0, oo))": lambda: mp.nsum(lambda k: (2 * k + 1) ** (2 * k) / mp.factorial(2 * k) / 9**k, [0, 900]),
}


PRODUCTS = {
    "Product(1 - 2^(-k), (k, 1, oo))": lambda: mp.qp(mp.mpf(1) / 2),
    "Product(1 + 3^(-k), (k, 0, oo))": lambda: mp.qp(-1, mp.mpf(1) / 3),
    "Product(1 - 2^(-k) + 1/k!, (k, 2, oo))": lambda: mp.fprod(1 - mp.mpf(2) ** -k + 1 / mp.factorial(k) for k in range(2, 300)),
    "Product(1 - (1/2)^(2^k), (k, 0, oo))": lambda: mp.fprod(1 - mp.mpf(2) ** -(2**k) for k in range(9)),
    "Product(1 + (1/2)^(2^k), (k, 0, oo))": lambda: mp.mpf(2),
}


def close(text: str, value: mp.mpf, **given: str) -> bool:
    """Whether the ball holds what mpmath has, as far as that is known."""
    ball = enclose(text, given)
    gap = abs(mp.mpf(ball.value) - value)
    return bool(gap <= mp.mpf(ball.radius) + mp.mpf(10) ** -24 * (1 + abs(value)))


@pytest.mark.parametrize("text", SUMS)
def test_values(text: str) -> None:
    with mp.workdps(50):
        assert close(text, SUMS[text]())


@pytest.mark.parametrize("text", PRODUCTS)
def test_products(text: str) -> None:
    with mp.workdps(50):
        assert close(text, PRODUCTS[text]())


@pytest.mark.parametrize("text", ["Product(1 + 1/k, (k, 1, oo))", "Product(1 + 2^k, (k, 1, oo))", "Product(2, (k, 1, oo))"])
def test_products_that_diverge_have_no_value(text: str) -> None:
    with pytest.raises(Undecided):
        enclose(text)


@pytest.mark.parametrize("seed", range(3))
def test_random_sums_are_those_that_are_added_up(seed: int) -> None:
    draw = random.Random(f"bounded ratios {seed}")
    for _ in range(12):
        q, b, g, m, d = draw.randint(3, 6), draw.choice([0, 1, 2]), draw.choice([1, -1]), draw.choice([2, 3]), draw.randint(-2, 2)
        power, double, tower = f"{q}^(-k^{m} - {b}*k)*(k + {b})^2", f"(1/{q})^({m}^k)*(k + 1)", f"(k + {b})^({g}*k + {d})*k!^({-g})/{q}^k"
        with mp.workdps(50):
            values = {
                power: mp.fsum(mp.mpf(q) ** (-(k**m) - b * k) * (k + b) ** 2 for k in range(1, 20)),
                double: mp.fsum(mp.mpf(q) ** (-(m**k)) * (k + 1) for k in range(1, 9)),
                tower: mp.fsum(mp.mpf(k + b) ** (g * k + d) * mp.factorial(k) ** -g / mp.mpf(q) ** k for k in range(1, 900)),
            }
            for text, value in values.items():
                assert close(f"Sum({text}, (k, 1, oo))", value), text


@pytest.mark.parametrize("text", ["Sum(2^(2^i), (i, 1, oo))", "Sum(k^k/k!/2^k, (k, 1, oo))", "Sum(k^k/k!*exp(-k), (k, 1, oo))",
                                  "Sum((1/2)^(1 - 2^i), (i, 1, oo))", "Sum(k^k/3^k, (k, 1, oo))", "Sum((1/2)^(-k^2), (k, 1, oo))"])  # fmt: skip
def test_what_diverges_has_no_value(text: str) -> None:
    with pytest.raises(Undecided):
        enclose(text)


def test_ratios() -> None:
    assert steps_of(read("x^(2^i)"), "i")[2]
    assert steps_of(read("x^(2^(-i))"), "i") is None and steps_of(read("x^sqrt(i)"), "i") is None
    assert steps_of(read("(i - 1)^i"), "i") is None and steps_of(read("i^(i/2)"), "i") is None and steps_of(read("(1/2)^i^i"), "i") is None
