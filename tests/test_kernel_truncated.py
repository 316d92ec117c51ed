"""Truncated exponential series in the kernel: one normal form, signs, series, and Laplace's method with them, each attacked."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import partial
from math import factorial
from typing import Any

import pytest
from flint import arb, ctx, fmpq
from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.facts import truncated
from asymp.kernel.facts.context import Context
from asymp.kernel.growths import truncated_series, weighted
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import Domain, Growth, power_of
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.rings.defined import Range
from asymp.kernel.rings.ratio import atom, rational, without_sums_below
from asymp.kernel.terms import ONE, ZERO, Refused, name
from asymp.kernel.theorem import apply
from asymp.language.statement import read_statement
from asymp.prove import first
from asymp.prove.asymptotic import path, places

S, BELOW = "Sum(x^i/i!, (i, 0, m))", "Sum(x^i/i!, (i, 0, m - 1))"
AT = Context(frozenset("mj"), ((ONE, "<=", name("m")), (ZERO, "<=", name("j")), (ZERO, "<", name("x")), (ZERO, "<", name("y"))))


def total(x: Fraction, m: int) -> Fraction:
    """S_m(x)."""
    return sum((x**k / factorial(k) for k in range(m + 1)), Fraction(0))


# --- one normal form ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("shift", [-1, 0, 1, 3, 4])
def test_sums_of_other_ends_are_one_atom(shift: int) -> None:
    more = " + ".join(f"x^(m + {j})/factorial(m + {j})" for j in range(shift + 1, 5)) or "0"
    assert AT.value(terms.read(f"Sum(x^i/i!, (i, 0, m + 4)) - Sum(x^i/i!, (i, 0, m + {shift})) - ({more})")).is_zero
    assert not AT.value(terms.read(f"Sum(x^i/i!, (i, 0, m + 4)) - (1 + 10^(-200))*Sum(x^i/i!, (i, 0, m + {shift})) - ({more})")).is_zero


def test_a_sum_that_would_run_backwards_is_left_as_it_is() -> None:
    at = Context(frozenset("m"), ((terms.number(-2), "<=", name("m")), (ZERO, "<", name("x"))))
    own = at.value(terms.read("Sum(x^i/i!, (i, 0, m + 1))"))  # m may be -2: the sum to m has no meaning
    assert own == atom(truncated.series(name("x"), terms.read("m + 1")))


@pytest.mark.parametrize("text", ["Sum(x^i/i!, (i, 1, m))", "Sum(x^i, (i, 0, m))", "Sum(i^i/i!, (i, 0, m))", "Sum(2*x^i/i!, (i, 0, m))",
                                  "Sum(x^(i + 1)/i!, (i, 0, m))", "Sum(x^i*i!, (i, 0, m))", "x"])  # fmt: skip
def test_other_sums_are_none(text: str) -> None:
    assert truncated.argument(terms.read(text)) is None


# --- signs ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_signs_are_true_at_every_point(seed: int) -> None:
    """Linear in S with coefficients in x and m, against exact values."""
    draw, seen = random.Random(seed), 0
    for _ in range(60):
        c = [draw.choice([-2, -1, 0, 0, 1, 1, 2]) for _ in range(7)]
        text = f"({c[0]} + {c[1]}*m + {c[2]}*x + {c[3]}*x^2)*{S} + ({c[4]} + {c[5]}*x + {c[6]}*m/x)*x^m/m!"
        try:
            signs = AT.signs(terms.read(text.replace("+ -", "- ")))
        except Refused:
            continue
        for m in (1, 2, 3, 7):
            for x in map(Fraction, ("1/10", "1", "3", "9", "40")):
                s, w = total(x, m), x**m / factorial(m)
                value = (c[0] + c[1] * m + c[2] * x + c[3] * x**2) * s + (c[4] + c[5] * x + c[6] * m / x) * w
                assert (value > 0) - (value < 0) in signs, (text, m, x)
        seen += signs != {-1, 0, 1}
    assert seen > 3


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"m*{S} - x*{BELOW}", {1}),
        (f"{BELOW}*{S} - {S}^2", {-1}),
        (f"{S}*Sum(x^i/i!, (i, 0, m - 2)) - {BELOW}^2", {-1}),
        (f"log({S}) - x*{BELOW}/{S}", {1}),
        (f"x - log({S})", {1}),
        (f"log({S}) - log(Sum(y^i/i!, (i, 0, m))) - (x - y)*{BELOW}/{S}", {0, 1}),
        # and what is not so everywhere
        (f"m*{S} - x*{BELOW}*(1 + 10^(-200))", {-1, 0, 1}),
        (f"m*{S} - (1 + 10^(-200))*x*{S}", {-1, 0, 1}),
        (f"log({S}) - x*(1 + 10^(-200))*{BELOW}/{S}", {-1, 0, 1}),
        (f"x*(1 - 10^(-200)) - log({S})", {-1, 0, 1}),
        (f"log({S}) - log(Sum(y^i/i!, (i, 0, m))) - (x - y)", {-1, 0, 1}),
        (f"log({S}) - log(Sum(y^i/i!, (i, 0, j))) - (x - y)*{BELOW}/{S}", {-1, 0, 1}),
        (f"log({S}) - 2*log(Sum(y^i/i!, (i, 0, m))) - (x - y)*{BELOW}/{S}", {-1, 0, 1}),
    ],
)
def test_what_is_told(text: str, told: set[int]) -> None:
    assert AT.signs(terms.read(text)) == told


def test_for_m_that_may_be_0_nothing_is_told_by_its_slope() -> None:
    at = Context(frozenset("m"), ((ZERO, "<=", name("m")), (ZERO, "<", name("x"))))
    assert at.signs(terms.read(f"log({S}) - x*{BELOW}/{S}")) == {-1, 0, 1}  # 0 at m = 0
    assert at.signs(terms.read(f"m*{S} - x*{BELOW}")) >= {0, 1}


@pytest.mark.parametrize("seed", range(3))
def test_logarithms_against_balls(seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(40):
        a, b, c = (draw.choice([-2, -1, 0, 1, 2]) for _ in range(3))
        text = f"{a}*log({S}) + {b}*x + {c}*x*{BELOW}/{S}"
        signs = AT.signs(terms.read(text))
        for m in (1, 2, 5):
            for x in (Fraction(1, 7), Fraction(2), Fraction(30)):
                with ctx.workprec(300):
                    s = arb(fmpq(total(x, m).numerator, total(x, m).denominator))
                    low = arb(fmpq(total(x, m - 1).numerator, total(x, m - 1).denominator))
                    at = arb(fmpq(x.numerator, x.denominator))
                    value = a * s.log() + b * at + c * at * low / s
                assert signs >= ({1} if value > 0 else {-1} if value < 0 else set()), (text, m, x)


# --- growths ---------------------------------------------------------------------------------------------------


def test_an_exponent_that_is_0_though_not_by_identity_is_none() -> None:
    zero, s, domain = atom(terms.read("log(factorial(1))")), power_of(0, 0), Domain()
    assert domain.sign(zero) == 0 and not zero.is_zero
    for growth, limit in ((s, "infinity"), (power_of(0, 0, rational(-1)), "zero"), (power_of(0, 1), "infinity")):
        assert growth.times(Growth((), ((zero, s),))).limit(domain) == limit
        assert growth.times(power_of(0, 0, zero)).limit(domain) == limit
    assert Growth((), ((zero, s),)).limit(domain) == "one"


def test_sums_of_constants_are_numbers() -> None:
    assert Context().value(terms.read("Sum((1/2)^i/i!, (i, 0, 2))")).constant() == mpq(13, 8)
    assert Context().value(terms.read("log(Sum((1/2)^i/i!, (i, 0, 0)))")).is_zero


def test_sums_below_go_into_the_denominator() -> None:
    x = atom(terms.read("x + 1"))
    assert without_sums_below(x.inverse() * x.inverse()) == x.inverse() * x.inverse()
    assert without_sums_below(x).den == x.den


# --- series and Laplace's method --------------------------------------------------------------------------------

X, XB = S.replace("0, m", "0, theta"), BELOW.replace("0, m", "0, theta")
T = "Sum(t^i/i!, (i, 0, theta))"
RATIO = f"({XB}/{X})"
SPREAD = f"({RATIO}^2 - Sum(x^i/i!, (i, 0, theta - 2))/{X})"  # -R''
MASS = f"Integral({T}^n*exp(-n*{RATIO}*t), (t, 0, oo))"
PEAK = f"exp(n*(log({X}) - {RATIO}*x))"
WIDE = "as whole n -> oo, x > 0 for whole theta >= 1"


def told(text: str, order: int) -> None:
    statement = read_statement(text)
    first(partial(apply, "asymptotic", statement=text, order=order, place=one, **path(statement)) for one in places(statement))


HOLDS = [
    (f"{MASS} ~ {PEAK}*(2*pi/(n*{SPREAD}))^(1/2) {WIDE}", 2),
    (f"n*Integral(t^k/k!*{T}^(n - 1)*exp(-n*{RATIO}*t), (t, 0, oo))/{MASS}/n -> x^k/k!/{X} {WIDE}, whole k >= 0", 2),
    ("log(Sum(y^i/i!, (i, 0, theta))) = y - y^(theta + 1)/(theta + 1)! + o(y^(theta + 1)) as y -> 0+ for whole theta >= 1", 2),
    (f"(log(Sum((x + h)^i/i!, (i, 0, theta))) - log({X}))/h -> {RATIO} as h -> 0+ for x > 0, whole theta >= 1", 3),
    ("1 - Sum(y^i/i!, (i, 0, theta - 1))/Sum(y^i/i!, (i, 0, theta)) ~ y^theta/theta! as y -> 0+ for whole theta >= 1", 3),
    (f"n*Integral(({T} + (z - 1)*t)^n*exp(-n*rho*t), (t, 0, oo)) -> 1/(rho - z) as whole n -> oo, rho > 1 for whole theta >= 1, 0 < z < 1", 2),
]  # fmt: skip


@pytest.mark.parametrize(("text", "order"), HOLDS)
def test_what_holds_and_what_is_a_little_larger(text: str, order: int) -> None:
    told(text, order)
    body, where = text.split(" as ", 1)
    sign = next(one for one in (" ~ ", " -> ", " = ") if one in body)
    left, right = body.split(sign, 1)
    with pytest.raises(Refused):
        told(f"({left})*(1 + 10^(-200)){sign}{right} as {where}", order)


REFUSED = [
    # the place is none where the exponent's slope is 0
    (f"Integral({T}^n*exp(-n*{RATIO}*(1 + 10^(-200))*t), (t, 0, oo)) ~ {PEAK}*(2*pi/(n*{SPREAD}))^(1/2) {WIDE}", 2),
    # theta may be 0: there is no peak
    (f"{MASS} ~ {PEAK}*(2*pi/(n*{SPREAD}))^(1/2) as whole n -> oo, x > 0 for whole theta >= 0", 2),
    # a weight above 1, or of what is no term; at 0 also of the first term
    (f"n*Integral(({T} + (z - 1)*t)^n*exp(-n*rho*t), (t, 0, oo)) -> 1/(rho - z) as whole n -> oo, rho > 2 for whole theta >= 1, 1 < z < 2", 2),
    (f"n*Integral(({T} - 2*t)^n*exp(-n*rho*t), (t, 0, oo)) -> 1/(rho + 1) as whole n -> oo, rho > 2 for whole theta >= 1", 2),
    (f"n*Integral(({T} - t^2/4)^n*exp(-n*rho*t), (t, 0, oo)) -> 1/(rho - 1) as whole n -> oo, rho > 1 for whole theta >= 1", 2),
    (f"n*Integral(({T} - 1/2)^n*exp(-n*rho*t), (t, 0, oo)) -> 0 as whole n -> oo, rho > 1 for whole theta >= 1", 2),
    # a truncated exponential with a polynomial to a large power beside it
    (f"Integral({T}^n*(1 + t)^n*exp(-n*{RATIO}*t), (t, 0, oo)) ~ {PEAK} {WIDE}", 2),
]  # fmt: skip


@pytest.mark.parametrize(("text", "order"), REFUSED)
def test_what_is_refused(text: str, order: int) -> None:
    with pytest.raises(Refused):
        told(text, order)


def expander(order: int = 3, **ranges: Range) -> Expander:
    domain = Domain(frozenset("m"), within={"m": Range(mpq(1)), **ranges})
    return Expander(Algebra(domain, order), {"n": 0}, {}, frozenset({name("m")}))


@pytest.mark.parametrize("text", ["Sum(n^i/i!, (i, 0, m))", "Sum((-1/n)^i/i!, (i, 0, m))", "Sum((1/n)^i/i!, (i, 0, r))", "n"])
def test_next_to_0_and_to_a_number_other_sums_are_refused(text: str) -> None:
    for series in (truncated_series.logarithm, truncated_series.near):
        with pytest.raises(Refused):
            series(expander(r=Range(mpq(1))), terms.read(text))


@pytest.mark.parametrize("more", ["(z - 1)*(1 + t)^2", "(z - 1)*t*exp(t)", "(z - 1)*t^t", "z", "t + z*t^2", "(z - 1)*t*t", "exp(t)", "t^2*t"])
def test_what_is_more_than_a_power_is_no_weight(more: str) -> None:
    found = weighted.parts(terms.read(f"Sum(t^i/i!, (i, 0, m)) + {more}"), name("t"))
    assert found is None or more == "z"


def test_a_weight_is_asked_for_what_it_is_of() -> None:
    e = expander()
    of = lambda **put: weighted.Weighted(**{"theta": rational(2), "j": rational(1), "small": e.series(terms.read("1/n")),  # noqa: E731
                                            "exponent": e.series(terms.read("n")), **put})  # fmt: skip
    good: Any = of()
    assert isinstance(good.value(e.algebra, rational(1)), Series)
    bad = [({"j": rational(3)}, 1), ({"j": rational(-1)}, 1), ({"j": rational(0)}, 0), ({"small": e.series(terms.read("1"))}, 1),
           ({"small": e.series(terms.read("1"))}, 0), ({"small": e.series(terms.read("-2"))}, 0)]  # fmt: skip
    for put, p in bad:
        with pytest.raises(Refused):
            of(**put).value(e.algebra, rational(p))


@pytest.mark.parametrize("statement", [
    "Sum(x^i/i!, (i, 0, m - 1)) = 1 for whole m >= 1, x > 0", "Sum(x^i/i!, (i, 0, m - 1)) < 2 for whole m >= 1, x > 0",
    "1/(Sum(x^i/i!, (i, 0, m - 1)) - 2) < 0 for whole m >= 1, x > 0", "Sum(x^i/i!, (i, 0, m)) < x^m/m! + 10^3000 for whole m >= 1, x > 0",
    "Sum(x^i/i!, (i, 0, m - 1)) < m + 10^3000 for whole m >= 2, x > 0",
])  # fmt: skip
def test_no_part_of_a_sum_is_left_out_of_its_sign(statement):
    with pytest.raises(Refused):
        apply("algebra", statement=statement)
