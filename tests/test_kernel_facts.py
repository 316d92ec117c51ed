"""What the kernel's theories say of terms on domains, against exact values at points of these; no layer of meaning is asked.

Domains couple variables, and many hold one point, or ranges of sums that are empty there.  Random terms hold sums over
such ranges, quotients that are undefined at some points, roots and roundings.  A fact that is told has to be true at every point.
"""

from __future__ import annotations

import contextlib
import itertools
import random
from fractions import Fraction

import pytest

from asymp.kernel import records as records  # every theory
from asymp.kernel.balls.signs import Context
from asymp.kernel.domain import given
from asymp.kernel.rings.field import Domain, Range, of_term
from asymp.kernel.rings.field import sign as field_sign
from asymp.kernel.summation.sums import settled
from asymp.kernel.terms import Refused, Term, free, read
from asymp.kernel.theorem import apply
from asymp.language.conditions import read_conditions
from tests.exact import Unknown, sign, value

WHOLE = ("n", "m", "d")
REAL = ("x", "y")
WHOLES = tuple(Fraction(k) for k in range(-2, 6))
REALS = (*map(Fraction, (-2, -1, 0, 1, 2, 3)), Fraction(1, 2), Fraction(-1, 3), Fraction(5, 2))

CONDITIONS = (
    "n >= 0", "n >= 1", "n >= -1", "m >= 0", "m >= 1", "d >= 0", "d >= 1", "m <= n", "n <= m", "d <= n", "n in 0..3",
    "m in 1..4", "n <= 4", "n < m", "d >= (n - 2)^2", "m >= n^2", "n*m >= 0", "n*m > 0", "d = n", "x > 0", "x >= 0", "x >= 1",
    "y > 0", "y >= x", "y > x", "x*y > 0", "x + y > 0", "x < 1", "x <= 2", "y <= 2", "y < 1", "0 < y < 1", "x >= y^2", "x = y",
    "x in {1, 2}", "x^2 <= 1", "x >= n", "n >= x", "n + m = 3", "d = n*m", "n >= 2*m",
)  # fmt: skip


def domains(draw: random.Random):
    """Texts of domains, each with its points among those that are tried."""
    while True:
        some = draw.sample(CONDITIONS, draw.randint(1, 4))
        text = ", ".join(some)
        names = sorted({v for v in (*WHOLE, *REAL) if v in text} | {draw.choice(WHOLE), draw.choice(REAL)})
        text = ", ".join([*(f"whole {v}" for v in names if v in WHOLE), text])
        try:
            where = given(read_conditions(text))
        except Refused:
            continue
        points = []
        for values in itertools.product(*(WHOLES if v in WHOLE else REALS for v in names)):
            at = dict(zip(names, values, strict=True))
            if all(_true(pair, at) for pair in where.pairs) and all(
                tuple(at[v] for v in vs) in {tuple(x.number for x in row) for row in rows} for vs, rows in where.lists
            ):
                points.append(at)
        if points:
            yield text, names, points


def _true(pair, at) -> bool:
    low, order, high = pair
    gap = value(high, at) - value(low, at)
    return {"<": gap > 0, "<=": gap >= 0, "=": gap == 0}[order]


def term(draw: random.Random, names, depth: int = 3, bound: str = "") -> str:
    """A random term, as text."""
    if depth == 0 or draw.random() < 0.15:
        pool = [*names, *([bound] * 3 if bound else []), "1", "2", "1/2", "-1", "3", "0"]
        return draw.choice(pool)
    a, b = (term(draw, names, depth - 1, bound) for _ in range(2))
    whole = [v for v in names if v in WHOLE]
    kinds = ["+", "-", "*", "/", "^2", "^-1", "exp", "log", "sqrt", "Abs", "^", "Max", "harmonic"]
    if whole:
        kinds += ["Sum", "Sum", "Sum", "Product", "floor", "factorial", "binomial", "p^"]
    kind = draw.choice(kinds)
    match kind:
        case "+" | "-" | "*" | "/":
            return f"({a} {kind} {b})"
        case "^2" | "^-1":
            return f"({a}){kind.replace('-1', '(-1)')}"
        case "^":
            return f"({a})^({b})"
        case "p^":
            return f"({a})^{draw.choice(whole)}"
        case "Max":
            return f"{draw.choice(('Max', 'Min'))}({a}, {b})"
        case "Sum" | "Product":
            k = f"k{depth}"
            v, w = draw.choice(whole), draw.choice(whole)
            low, high = draw.choice((("1", v), ("1", v), ("0", f"{v} - 1"), (f"{v} + 1", w), (v, w), ("1", f"{v} + 1"), (v, "3")))
            body = term(draw, names, depth - 1, k if draw.random() < 0.7 else bound)
            if draw.random() < 0.5:  # what is there only where the range is not empty
                inside = draw.choice((high, f"({high} - ({low}) + 1)", f"({high} + {low})"))
                body = draw.choice((f"1/{inside}", f"{body}/{inside}", f"log({inside})", f"{body} + {inside}^(-1/2)"))
            return f"{kind}({body}, ({k}, {low}, {high}))"
        case "floor":
            return f"{draw.choice(('floor', 'ceiling'))}({a}/{draw.choice(('2', '3', draw.choice(whole)))})"
        case "factorial":
            return f"factorial({draw.choice(whole)})"
        case "binomial":
            return f"binomial({draw.choice(whole)}, {draw.choice(whole)})"
    return f"{kind}({a})"


def terms(draw: random.Random, names, count: int):
    """Random terms, read."""
    while count:
        try:
            found = read(term(draw, names))
        except (Refused, ValueError):
            continue
        count -= 1
        yield found


def same(found: Term, points, told) -> None:
    """That every value is what is told of it: ``told`` says so of a value, or None."""
    for at in points:
        x = value(found, at)
        assert x is not None, f"{found} has no value at {at}"
        assert told(x), f"{found} is {x} at {at}"


def seen_by_context(text: str, found: Term, points) -> bool:
    """Whether the theory of signs tells something of it, which is true."""
    where = given(read_conditions(text))
    if where.lists:
        return False
    at = Context(where.whole, where.pairs)
    try:
        signs = at.signs(found)
    except Refused:
        return False
    same(found, points, lambda x: sign(x) is None or sign(x) in signs)
    return True


def seen_by_sums(text: str, found: Term, points) -> bool:
    """Whether the theory of sums tells something of it, which is true."""
    def work(one):
        x = one.of(found)
        return one.sign(x), one.is_nonnegative(x), one.is_whole(x)

    try:
        told, nonnegative, whole = settled(read_conditions(text), work)
    except Refused:
        return False
    same(found, points, lambda x: sign(x) is None or (
        (told is None or sign(x) == told) and (not nonnegative or sign(x) >= 0)
        and (not whole or not isinstance(x, Fraction) or x.denominator == 1)))  # fmt: skip
    return True


def seen_by_field(text: str, found: Term, points) -> bool:
    """Whether the field of coefficients tells something of it on the ranges, which is true."""
    where = given(read_conditions(text))
    if set(free(found)) & {*WHOLE}:
        return False
    context = Context(frozenset(), where.pairs)
    ranges = {v: r for v, r in context.ranges.items() if r.low is None or r.high is None or r.low < r.high}
    domain = Domain({v: Range(r.low, r.low_open, r.high, r.high_open) for v, r in ranges.items()})
    try:
        x = of_term(found, domain)
        told = field_sign(x, domain)
    except Refused:
        return False
    same(found, points, lambda y: sign(y) is None or told is None or sign(y) == told)
    return True


THEORIES = (seen_by_context, seen_by_sums, seen_by_field)


def run(seed: int, rounds: int, count: int = 25) -> int:
    """How many facts were told, all of them true."""
    draw, told = random.Random(seed), 0
    for text, names, points in itertools.islice(domains(draw), rounds):
        for found in terms(draw, names, count):
            with contextlib.suppress(Unknown):
                told += sum(theory(text, found, points) for theory in THEORIES)
    return told


@pytest.mark.parametrize("seed", range(4))
def test_what_the_theories_tell_is_true_at_every_point(seed):
    assert run(seed, rounds=12) > 60  # else nothing was tried


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 140))
def test_a_long_fuzz_of_facts(seed):
    assert run(seed, rounds=100) > 500


# --- what is learned inside a range stays there -------------------------------------------------------------


@pytest.mark.parametrize(
    "statement",
    [
        "Sum(1/d, (k, 1, d)) = 1 for whole d >= 0, whole n >= 0, d >= (n - 17)^2",
        "Sum(1/d, (k, 1, d)) > 0 for whole d >= 0",
        "Sum(1/(n - m), (k, m + 1, n)) = 1 for whole m >= 0, whole n >= m",
        "Sum(Sum(1/d, (j, 1, d)), (k, 1, d)) = d for whole d >= 0",
        "Sum(log(d), (k, 1, d)) = d*log(d) for whole d >= 0",
        "Sum(2^d/2^d, (k, 1, d)) >= 1 for whole d >= 0",
    ],
)
def test_no_value_found_in_an_empty_sum_is_used_outside(statement):
    point = {v: "17" if v == "n" else "1" for v in ("d", "n", "m") if f"whole {v}" in statement}
    with pytest.raises(Refused):
        apply("bounds", statement=statement, point=point, proofs=[["by", []]])


@pytest.mark.parametrize(
    "statement",
    [
        "Sum(1/d, (k, 1, d)) = 1 for whole d >= 1",
        "Sum(1/d, (k, 1, d)) >= 0 for whole d >= 0",
        "Sum(d, (k, 1, d)) = d^2 for whole d >= 0",
    ],
)
def test_what_holds_outside_is_still_seen(statement):
    assert apply("bounds", statement=statement, point={"d": "1"}, proofs=[["by", []]]).holds
