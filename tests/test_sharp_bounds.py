"""Bounds that are sharp: Taylor's formula over boxes, concave functions, turning points, ends that are constants such as pi/2.

Each is asked with what is false by very little: a strict sign where the sides are equal, a factor 1 + 10^-30, a longer range.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from flint import arb, ctx, fmpq
from gmpy2 import mpq

from asymp.kernel.balls.taylor import enclosure
from asymp.kernel.facts.context import Context
from asymp.kernel.facts.intervals import Range
from asymp.kernel.facts.ranges import Evaluator
from asymp.kernel.rings.circular import circular
from asymp.kernel.terms import Refused, Term, name, read
from asymp.kernel.theorem import apply
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem

BY = ["by", []]
SMOOTH = ("x*exp(-x) + sqrt(x)", "sin(3*x)/x - cos(x)^2", "log(x)*atan(x) + tan(x/4)", "erfc(x) - x^(1/3)", "gamma(x) + loggamma(x + 1)",
          "tanh(x) - sinh(x)*cosh(x/2)", "digamma(x) - 1/(1 + x)^2", "acos(x/4)*asin(x/9)", "Abs(x)*x^x", "harmonic(x) - x^(-1)")  # fmt: skip


def box(**ends: tuple[str, str]) -> dict[str, Range]:
    return {
        v: Range(fmpq(*map(int, low.split("/"))), fmpq(*map(int, high.split("/")))) for v, (low, high) in ends.items()
    }


@pytest.mark.parametrize("text", SMOOTH)
def test_values_lie_in_the_enclosure_by_taylor(text: str) -> None:
    term, dice, wide = read(text), random.Random(text), Evaluator(128)
    for order in (2, 3, 6, 8):
        low = fmpq(dice.randint(20, 200), 100)
        high = low + fmpq(dice.randint(1, 30), 100)
        found = enclosure(term, {"x": Range(low, high)}, order, 128)
        for k in range(7):
            at = low + (high - low) * k / 6
            value = wide.range(term, {"x": Range(at, at)})
            assert found.low <= value.high and value.low <= found.high
        assert found.high - found.low < 60 * (high - low)


def test_values_lie_in_the_enclosure_in_two_variables() -> None:
    term, dice = read("x*log(x + y) - exp(x*y)/y + sin(y/x)"), random.Random(1)
    for _ in range(12):
        x, y = (fmpq(dice.randint(50, 200), 100) for _ in "xy")
        width = fmpq(dice.randint(1, 20), 100)
        found = enclosure(term, {"x": Range(x, x + width), "y": Range(y, y + 2 * width)}, 2, 96)
        for _ in range(6):
            point = {"x": x + width * dice.randint(0, 10) / 10, "y": y + 2 * width * dice.randint(0, 10) / 10}
            value = Evaluator(128).range(term, {v: Range(a, a) for v, a in point.items()})
            assert found.low <= value.high and value.low <= found.high


def test_the_rest_is_needed() -> None:
    """With the coefficient at the middle for that anywhere, x^2 on [0, 2] to order 2 would still do, and x^3 not."""
    found = enclosure(read("x^3"), box(x=("0/1", "2/1")), 2, 64)
    assert found.low <= 0 and found.high >= 8


@pytest.mark.parametrize(("text", "at", "order"), [
    ("sqrt(x)", box(x=("0/1", "1/1")), 2), ("log(x)", box(x=("-1/1", "1/1")), 2), ("1/x", box(x=("-1/1", "1/2")), 3),
    ("tan(x)", box(x=("1/1", "2/1")), 2), ("Abs(x)", box(x=("-1/1", "1/1")), 2), ("floor(x)", box(x=("1/3", "1/2")), 2),
    ("Max(x, 1)", box(x=("0/1", "2/1")), 2), ("x^3", box(x=("0/1", "1/1")), 1), ("x^3", box(x=("0/1", "1/1")), 9),
    ("x*y", box(x=("0/1", "1/1"), y=("0/1", "1/1")), 3), ("Sum(x^k, (k, 1, 3))", box(x=("0/1", "1/1")), 2), ("asin(x)", box(x=("0/1", "1/1")), 2),
    ("x", box(x=("1/1", "1/1")), 3), ("gamma(x)", box(x=("-1/2", "1/2")), 2),
])  # fmt: skip
def test_what_has_no_taylor_formula(text: str, at: dict[str, Range], order: int) -> None:
    with pytest.raises(Refused):
        enclosure(read(text), at, order, 64)


@pytest.mark.parametrize(("text", "cover"), [
    ("x^2 >= 0 for -1 <= x <= 1", "taylor 9"), ("x^2 >= 0 for -1 <= x <= 1", "taylor"), ("x^2 >= 0 for -1 <= x <= 1", "taylor 1"),
    ("x^2 > 0 for -1 <= x <= 1", "taylor 2"), ("x - x = 0 for -1 <= x <= 1", "taylor 2"), ("x*y <= 1 for 0 <= x <= 1, 0 <= y <= 1", "taylor 3"),
    ("Abs(x - 1/2) < 1/2 for 0 <= x <= 1", "taylor 2"), ("Abs(x - 1/2) <= 1/2 - 10^(-30) for 0 <= x <= 1", "taylor 2"),
    ("Abs(x) <= 1 for -2 <= x <= 1", "taylor 2"),
])  # fmt: skip
def test_leaves_by_taylor_that_are_refused(text: str, cover: str) -> None:
    with pytest.raises(Refused):
        apply("boxes", statement=text, cover=[cover], bits=64)


def test_leaves_by_taylor() -> None:
    assert apply("boxes", statement="Abs(x - 1/2) <= 51/100 for 0 <= x <= 1", cover=["taylor 2"], bits=64)
    assert apply("boxes", statement="exp(x) - x <= 5/4 for -1/2 <= x <= 1/2", cover=["taylor 4"], bits=64)


# --- sine, cosine and tangent --------------------------------------------------------------------------


def test_multiples_of_pi() -> None:
    with ctx.workprec(128):
        for head in ("sin", "cos", "tan"):
            for k in range(-50, 51):
                for n in (1, 2, 3, 4, 5, 6, 8, 12):
                    term = Term(head, (read(f"{k}/{n}*pi"),))
                    if head == "tan" and mpq(k, n) % 1 == mpq(1, 2):
                        with pytest.raises(Refused, match="pole"):
                            circular(term)
                    elif (found := circular(term)) is not None:
                        value = Evaluator(128).range(found, {})
                        assert getattr(arb(fmpq(k, n)), f"{head}_pi")().overlaps(arb(value.low).union(arb(value.high)))


def test_signs_of_sine_and_cosine() -> None:
    ends = ["-pi", "-3", "-pi/2", "-1", "0", "1", "3/2", "pi/2", "2", "3", "pi", "4"]
    for i, low in enumerate(ends):
        for high in ends[i + 1 :]:
            at = Context(frozenset(), ((read(low), "<", name("x")), (name("x"), "<", read(high))))
            a, b = (Evaluator(64).range(read(one), {}) for one in (low, high))
            for head in ("sin", "cos"):
                told = at.signs(Term(head, (name("x"),)))
                for k in range(1, 8):
                    x = a.high + (b.low - a.high) * k / 8
                    value = Evaluator(64).range(Term(head, (name("x"),)), {"x": Range(x, x)})
                    assert (1 if value.low > 0 else -1 if value.high < 0 else 0) in told
    at = Context(frozenset(), ((read("0"), "<=", name("x")), (name("x"), "<=", read("pi"))))
    assert at.signs(read("sin(x)")) == {0, 1}


# --- proofs by ends and by places --------------------------------------------------------------------


def refused(text: str, tree: list[Any], **point: str) -> None:
    with pytest.raises(Refused):
        apply("bounds", statement=text, point=point, proofs=[tree])


def test_concave_between_two_ends() -> None:
    between = ["concave", "x", 0, 1, BY, BY, BY]
    assert apply("bounds", statement="x*(1 - x) > 0 for 0 < x, x < 1", point={"x": "1/2"}, proofs=[between])
    assert apply("bounds", statement="sin(x) >= 2*x/pi for 0 <= x, x <= pi/2", point={"x": "1"}, proofs=[between])
    for text in ("x*(1 - x) > 0 for 0 <= x, x < 1", "x*(1 - x) > 0 for 0 < x, x <= 1",  # 0 at an end
                 "x*(x - 1) >= 0 for 0 < x, x < 1",  # convex
                 "x*(2 - x) - 1 >= 0 for 0 < x, x < 3/2", "1 - x^2 >= 0 for -1 < x, x < 3/2",  # less than 0 at an end
                 "1 - x >= 0 for 0 < x, x^2 < 4", "floor(x) >= 0 for 0 < x, x < 1", "1 - Abs(x) >= 0 for -1 < x, x < 1",
                 "-1/x >= -5 for -1 < x, x < 1, x^2 > 1/16"):  # fmt: skip
        refused(text, between, x="1/2")
    refused("x*(1 - x) >= 0 for 0 < x, x < 1", ["concave", "x", 1, 0, BY, BY, BY], x="1/2")
    refused("x*(1 - x) >= 0 for 0 < x, x < 1", ["concave", "x", 0, 0, BY, BY, BY], x="1/2")
    refused("x*(1 - x) >= 0 for 0 < x, x < 1", ["concave", "y", 0, 1, BY, BY, BY], x="1/2")
    refused("x >= 0 for 0 < x, x < 1", ["concave", "x", 0, 1, BY, BY, None], x="1/2")
    refused("y*x*(1 - x) >= 0 for 0 < x, x < 1, y < 1", between, x="1/2", y="1/2")


def test_either_side_of_a_place() -> None:
    slope = ["slope", "x", 1, BY, BY]
    assert apply(
        "bounds",
        statement="x - 1 - log(x) >= 0 for x > 0",
        point={"x": "1"},
        proofs=[["parted", "x", "1", slope, slope]],
    )
    for place in ("2", "x", "1/0", "log(-1)", ""):
        refused("x - 1 - log(x) >= 0 for x > 0", ["parted", "x", place, slope, slope], x="1")
    refused("x - 1 - log(x) > 0 for x > 0", ["parted", "x", "1", slope, slope], x="2")
    refused("x - 1 - log(x) >= 0 for x > 0", ["parted", "pi", "1", slope, slope], x="1")


@pytest.mark.parametrize("pieces", [
    [["0", "1", "boxes", "ok"], ["1", "pi/2", "before", 3]],  # the sides are equal at 0
    [["0", "1", "after", 3], ["1", "3/2", "boxes", "ok"]],  # not all of it
    [["0", "1", "after", 3], ["1", "pi/4", "before", 3]], [["0", "1", "after", 3], ["11/10", "pi/2", "before", 3]],
    [["0", "1", "after", 3], ["1", "x", "before", 3]], [["0", "1", "after", 3], ["1", "log(-1)", "before", 3]],
    [["0", "1", "after", 3], ["pi/2", "1", "before", 3]], [["pi/4", "1", "after", 3], ["1", "pi/2", "before", 3]],
])  # fmt: skip
def test_pieces_that_leave_something_out(pieces: list[list[Any]]) -> None:
    text, good = "sin(x) >= 2*x/pi for 0 <= x <= pi/2", [["0", "1", "after", 3], ["1", "pi/2", "before", 3]]
    assert apply("line", statement=text, point={"x": "1"}, bits=128, pieces=good)
    with pytest.raises(Refused):
        apply("line", statement=text, point={"x": "1"}, bits=128, pieces=pieces)


@pytest.mark.parametrize("text", [
    "sin(x) >= 2*x/pi for 0 <= x < pi/2", "tan(x) + sin(x) > 2*x for 0 < x < pi/2", "cos(x) >= 0 for -pi/2 <= x <= pi/2",
    "x/y <= sin(x)/sin(y) for 0 < x < y < pi/2", "x*y <= x*log(x) + exp(y - 1) for x > 0, real y",
    "x^(1-s) < gamma(x+1)/gamma(x+s) for x > 0, 0 < s < 1", "Abs(exp(x) - 1 - x - x^2/2) <= 1/42 for -1/2 <= x <= 1/2",
])  # fmt: skip
def test_sharp_bounds_are_proved(text: str) -> None:
    assert theorem(read_statement(text), True).holds


@pytest.mark.parametrize("text", [
    "sin(x) >= 2*x/pi*(1 + 10^(-30)) for 0 <= x < pi/2", "sin(x) > 2*x/pi for 0 < x <= pi/2", "cos(x) > 0 for -pi/2 <= x <= pi/2",
    "cos(x) >= 0 for -pi/2 <= x <= pi/2 + 10^(-30)", "tan(x) + sin(x) > 2*x*(1 + 10^(-30)) for 0 < x < pi/2", "sin(x) > 0 for 0 < x <= pi",
    "x*y < x*log(x) + exp(y - 1) for x > 0, real y",
    "x*y*(1 + 10^(-30)) <= x*log(x) + exp(y - 1) for x > 0, y > 0", "(1 + 10^(-30))*log(x) < digamma(x + 1) for x > 1",
    "x^(1-s) < gamma(x+1)/gamma(x+s) for x > 0, 0 < s <= 1", "tan(x) >= x for 0 < x < pi/2 + 10^(-30)",
])  # fmt: skip
def test_sharp_bounds_that_fail_by_little_are_not(text: str) -> None:
    with pytest.raises(Refused):
        theorem(read_statement(text), True)
