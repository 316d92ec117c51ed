"""Floors, finite products and conditions with products of whole variables: what the kernel says of them, against numbers."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction
from math import floor, prod
from typing import Any

import pytest

import asymp.kernel.records  # all rules  # noqa: F401
from asymp.kernel import terms
from asymp.kernel.rings.field import to_term
from asymp.kernel.rings.ratio import Ratio
from asymp.kernel.summation import linear
from asymp.kernel.summation.sums import Sums, read, settled
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import apply
from asymp.language.conditions import read_conditions

WHERE = "whole b >= 0, whole d, whole r, 0 <= r < d, whole e, 1 <= e <= d"


def seen(text: str, where: str = WHERE) -> bool:
    return settled(read_conditions(where), lambda one: one.is_zero(one.of(read(text))))


def sign(text: str, where: str = WHERE) -> int | None:
    return settled(read_conditions(where), lambda one: one.sign(one.of(read(text))))


# --- linear conditions with products --------------------------------------------------------------------


def test_conditions_with_products_against_all_points() -> None:
    """What is found empty has no points, what is found to follow holds at all, on systems with products that are tried."""
    rng = random.Random(11)
    box = list(itertools.product(range(-3, 5), repeat=3))
    empty = followed = 0
    for _ in range(250):
        rows = []
        for _ in range(rng.randint(2, 5)):
            names = rng.sample(["x", "y", "z", "x*y", "y*z", "x*z", "x*x"], rng.randint(1, 3))
            rows.append(linear.tight({v: rng.choice([-2, -1, 1, 2]) for v in names}, rng.randint(-4, 4)))
        rows += [linear.tight({v: 1}, rng.randint(0, 2)) for v in rng.sample("xyz", 2)]
        where = frozenset(rows)
        inside = [point for point in box if all(_value(one, point) >= 0 for one in rows)]
        goal = linear.tight({rng.choice(["x", "y", "x*y"]): 1, "z": rng.choice([-1, 1])}, rng.randint(-2, 6))
        if linear.is_empty(where):
            assert not inside, rows
            empty += 1
        if linear.implies(where, goal):
            assert all(_value(goal, point) >= 0 for point in inside)
            followed += 1
        low, high = linear.bounds(where, "x")
        assert all((low is None or low <= x) and (high is None or x <= high) for x, _, _ in inside)
    assert empty > 10
    assert followed > 10


def _value(one: linear.Linear, point: tuple[int, ...]) -> int:
    at = dict(zip("xyz", point, strict=True))
    return sum(k * prod(at[part] for part in linear.factors(v)) for v, k in one[0]) + one[1]


def test_division_with_remainder_is_unique() -> None:
    own = {"n", "d", "q", "r", "p", "s"}
    text = "n = d*q + r, 0 <= r, r < d, n = d*p + s, 0 <= s, s < d"
    where = linear.system(read_conditions(text), own)[0]
    assert linear.all_of(where, [linear.parse("q - p", own), linear.parse("p - q", own)])
    for left, out in (("s < d", "s <= d"), ("0 <= s, ", ""), ("r < d", "r <= d")):
        where = linear.system(read_conditions(text.replace(left, out)), own)[0]
        assert not linear.all_of(where, [linear.parse("q - p", own), linear.parse("p - q", own)])


def test_no_end_without_a_condition_on_the_factors() -> None:
    """a*n <= m bounds a for n >= 1, and for no lesser n."""
    for least, found in ((1, True), (0, False), (-1, False)):
        where = linear.system(read_conditions(f"a >= 0, n >= {least}, a*n <= m"), {"a", "n", "m"})[0]
        assert linear.is_bounded(where, ["a"], frozenset("a")) is found


# --- floors ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "true"),
    [
        ("floor((d*b + r)/d) - b", True), ("floor((d*b + r - e)/d) - b", False), ("floor((d*b - e)/d) - b + 1", True),
        ("floor((d*b + r + d)/d) - b - 1", True), ("floor((d*b + r + e)/d) - b", False), ("ceiling((d*b - r)/d) - b", True),
        ("ceiling((d*b + e)/d) - b - 1", True), ("ceiling((d*b + r)/d) - b - 1", False), ("floor(r/d)", True),
        ("floor(5/2) - 2", True), ("floor(-5/2) + 3", True), ("ceiling(-5/2) + 2", True), ("floor(3*b/2) - b", False),
        ("floor((d*b + r)/(2*d)) - b/2", False), ("floor((2*d*b + r)/(2*d)) - b", True), ("floor(b + 1/2) - b", True),
        ("floor(r/e)", False), ("floor((d*b + r)/(d + 1)) - b", False), ("floor(((d + 1)*b + r)/(d + 1)) - b", True),
    ],
)  # fmt: skip
def test_floor(text: str, true: bool) -> None:
    assert seen(text) is true


def test_floors_against_numbers() -> None:
    """Of random quotients: an equation with a polynomial, or a sign, that is seen, holds at all points that are tried."""
    rng = random.Random(5)
    points = [{"b": b, "d": d, "r": r, "e": e} for d in (1, 2, 3, 7) for r in range(d) for e in range(1, d + 1) for b in (0, 1, 4)]
    decided = 0
    for _ in range(120):
        p = " + ".join(f"({rng.choice([-2, -1, 1, 2])})*{v}" for v in rng.sample(["d*b", "r", "e", "d", "b", "1", "e*b"], 3))
        text = f"floor(({p})/{rng.choice(['d', 'd', 'e', '(d + e)', '(2*d)'])})"

        def work(one: Sums, text: str = text) -> tuple[Ratio, Any, int | None]:
            found = one.of(read(text))
            return found, one, one.sign(found)

        found, one, told = settled(read_conditions(WHERE), work)
        exact = not any(a.name in one.meaning for powers in found.num for a, _ in powers)
        for at in points:
            value = _evaluated(read(text), at)
            if exact:
                decided += 1
                assert _evaluated(one.meant(to_term(found)), at) == value, text
            if told is not None:
                assert (value > 0) - (value < 0) == told, text
    assert decided > 200


def _evaluated(term: terms.Term, at: dict[str, int]) -> Fraction:
    parts = [_evaluated(part, at) for part in term.parts]
    match term.head:
        case "number":
            return Fraction(str(term.number))
        case "name":
            return Fraction(at[term.name])
        case "sum":
            return sum(parts, Fraction(0))
        case "product":
            return prod(parts, start=Fraction(1))
        case "power":
            return parts[0] ** int(parts[1])
        case "floor":
            return Fraction(floor(parts[0]))
    raise AssertionError(term)


# --- products -----------------------------------------------------------------------------------------------

N = "whole n >= 1, whole m >= 0, x > 0"


@pytest.mark.parametrize(
    ("text", "true"),
    [
        ("Product(k + x, (k, 1, n)) - (n + x)*Product(k + x, (k, 1, n - 1))", True),
        ("Product(k + x, (k, 1, n)) - (n - 1 + x)*Product(k + x, (k, 1, n - 1))", False),
        ("Product(k + x, (k, 1, m)) - Product(j + x, (j, 1, m))", True),
        ("Product(k + x, (k, 1, 3)) - (1 + x)*(2 + x)*(3 + x)", True), ("Product(x, (k, 1, 0)) - 1", True),
        ("Product(x, (k, n, n)) - x", True), ("Product(x, (k, n + 1, n)) - 1", True),
        ("Product(k + x, (k, 0, n)) - x*Product(k + x, (k, 1, n))", False),  # not seen: the lower ends differ
        ("Product(k + x, (k, 1, n)) - Product(n + 1 - k + x, (k, 1, n))", False),
        ("Sum(Product(k, (i, 1, n)), (k, 1, n)) - Sum(Product(i, (i, 1, n)), (k, 1, n))", False),  # one range, two variables
        ("Sum(Product(i, (i, 1, n)), (k, 1, n)) - n*Product(i, (i, 1, n))", True),
    ],
)
def test_product(text: str, true: bool) -> None:
    assert seen(text, N) is true


@pytest.mark.parametrize(
    "text",
    [
        "Product(k, (k, 1, m - 2))", "Product(k, (k, 2, m))",  # may run backwards
        "Product(k, (k, 1, x))", "Product(k, (k, 1, n/2))", "Product(k, (k, 1, oo))", "Product(1/k, (k, 0, m))",
        "Product(1/(n - k), (k, 1, n))", "Product(log(k - 1), (k, 1, n))", "1/Product(k - 1, (k, 1, n))", "log(Product(x - k, (k, 1, n)))",
    ],
)  # fmt: skip
def test_no_product(text: str) -> None:
    with pytest.raises(Refused):
        seen(text, N)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Product(k, (k, 1, n))", 1), ("Product(k - 1, (k, 1, n))", None), ("Product(-k, (k, 1, n))", None),
        ("Product(n - k, (k, 1, n))", None), ("Product(n - k + 1, (k, 1, n))", 1), ("Product(n - k, (k, 1, n - 1))", 1),
        ("Product(1 + floor((n - k)/(m + 1)), (k, 1, n))", 1), ("Product(floor((n - k)/(m + 1)), (k, 1, n))", None),
        ("Product(1 + floor((n - k)/(m + 1)), (k, 1, n + 1))", None), ("Sum(Product(n - j, (j, 1, k - 1)), (k, 1, n))", 1),
        ("Sum(Product(n - j, (j, 1, k)), (k, 1, n))", None), ("n*x + m", 1), ("(n - 1)*x + m", None), ("(n - 1)*x + m + 1", 1),
    ],
)  # fmt: skip
def test_sign(text: str, found: int | None) -> None:
    assert sign(text, N) == found


def test_one_of_several_quantities_is_positive() -> None:
    """a x + b y > 0 for whole a, b >= 0, not both 0; not for real ones, and not where one may be negative."""
    where = "whole a >= 0, whole b >= 0, a + b >= 1, x > 0, y > 0"
    assert sign("a*x + b*y", where) == 1
    assert sign("-a*x - b*y", where) == -1
    assert sign("a*x - b*y", where) is None
    for old, new in (("a + b >= 1", "a + b >= 0"), ("whole b >= 0", "whole b >= -1"), ("y > 0", "y >= 0"), ("x > 0", "x > -1")):
        assert sign("a*x + b*y", where.replace(old, new)) is None


# --- sums that telescope within their range --------------------------------------------------------------------

SHARE = "Sum(Product(i*x/(i*x + y), (i, 1, k - 1))*y/(k*x + y), (k, a, b)) = "
VALUE = "Product(i*x/(i*x + y), (i, 1, a - 1)) - Product(i*x/(i*x + y), (i, 1, b))"
FOR = " for whole a >= 1, whole b >= a, x > 0, y > 0"
F = "-Product(i*x/(i*x + y), (i, 1, k - 1))"


def test_partial_sum() -> None:
    assert apply("partial sum", statement=SHARE + VALUE + FOR, variable="k", by=F).holds


@pytest.mark.parametrize(
    ("statement", "by"),
    [
        (SHARE + VALUE + FOR, F + " + k"), (SHARE + VALUE + FOR, F[1:]), (SHARE + VALUE + " + 10^(-200)" + FOR, F),
        (SHARE.replace("k - 1", "k") + VALUE + FOR, F), (SHARE + VALUE + FOR.replace("b >= a", "b >= a - 1"), F),
        (SHARE + VALUE + FOR.replace("a >= 1", "a >= 0"), F), (SHARE + VALUE + FOR.replace("whole b", "b"), F),
        ("Sum(0, (k, a, oo)) = 0" + FOR, "0"), (SHARE.replace("=", "<=") + VALUE + FOR, F),
    ],
)  # fmt: skip
def test_no_partial_sum(statement: str, by: str) -> None:
    with pytest.raises(Refused):
        apply("partial sum", statement=statement, variable="k", by=by)


def test_partial_sum_wants_a_new_variable() -> None:
    for variable in ("a", "b", "x", "E", "k + 1", "1"):
        with pytest.raises(Refused):
            apply("partial sum", statement=SHARE + VALUE + FOR, variable=variable, by=F)
    with pytest.raises(Refused):  # F(b) is asked for, and 1/(b - k) is not defined there
        apply("partial sum", statement="Sum(0, (k, a, b)) = 0" + FOR, variable="k", by="1/(b - k)")
