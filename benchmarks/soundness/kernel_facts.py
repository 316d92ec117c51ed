"""Are the kernel's facts true?  ``python -m benchmarks.soundness.kernel_facts [--seeds N] [--first K]``.

What the theories tell of random terms on random domains (signs, wholeness, that a term is defined) is compared with exact
values at points of these; and of random comparisons every rule that proves, and every one that refutes, is run: what is proved
is true at every point, and no statement has theorems both ways.  No layer of meaning is asked.

Domains couple variables, and many hold one point, or ranges of sums that are empty there.  Random terms hold sums over
such ranges, quotients that are undefined at some points, roots and roundings.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import numbers
import random
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import partial

import mpmath

from asymp.kernel import records as records  # every theory
from asymp.kernel.domain import given
from asymp.kernel.facts.context import Context
from asymp.kernel.growths.growth import Domain
from asymp.kernel.rings.defined import Range
from asymp.kernel.summation.sums import settled
from asymp.kernel.terms import Refused, Term, free, read
from asymp.language.conditions import read_conditions
from asymp.language.numbers import ParseError
from asymp.language.statement import Statement, read_statement
from asymp.prove import bounds, claims, falling, logarithms, shares, sums, tails
from benchmarks.soundness.exact import Unknown, sign, value

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
        and (not whole or not isinstance(x, numbers.Rational) or x.denominator == 1)))  # fmt: skip
    return True


def seen_by_field(text: str, found: Term, points) -> bool:
    """Whether the field of coefficients tells something of it on the ranges, which is true."""
    where = given(read_conditions(text))
    if set(free(found)) & {*WHOLE}:
        return False
    context = Context(frozenset(), where.pairs)
    ranges = {v: r for v, r in context.ranges.items() if r.low is None or r.high is None or r.low < r.high}
    domain = Domain(within={v: Range(r.low, r.low_open, r.high, r.high_open) for v, r in ranges.items()})
    try:
        told = domain.sign(domain.value(found))
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




# --- both ways --------------------------------------------------------------------------------------------

Way = Callable[[Statement], object]
FALLING = partial(falling.holds, prover=claims._shortly)
PROVING: tuple[Way, ...] = (
    claims._algebra, sums.holds, partial(tails.holds, prover=sums.holds), sums.untied, partial(shares.holds, prover=sums.holds),
    claims._covered, FALLING, partial(logarithms.holds, prover=sums.holds), bounds.holds,
)  # fmt: skip
REFUTING: tuple[Way, ...] = (claims._refuted, bounds.fails, claims._contrary)


def by(ways: tuple[Way, ...], statement: Statement) -> list[str]:
    """The rules that make a theorem of it."""
    found = []
    for way in ways:
        with contextlib.suppress(Refused, ParseError):  # a search reads a limit of its own, which may say nothing
            found.append(way(statement).made[0])  # type: ignore[attr-defined]
    return found


def both_ways(seed: int, rounds: int, count: int = 3) -> tuple[int, int]:
    """How many random comparisons were proved, and how many refuted; what is proved is true at every point that is tried.

    The other side is another term, or the same with a small change.
    """
    draw, proved, refuted = random.Random(seed), 0, 0
    for text, names, points in itertools.islice(domains(draw), rounds):
        for _ in range(count):
            left = term(draw, names, 2)
            right = draw.choice((term(draw, names, 1), f"{left} + {term(draw, names, 1)}", f"{left}*{term(draw, names, 1)}", "0"))
            order = draw.choice(("<=", "<", "=", ">=", ">"))
            try:
                statement = read_statement(f"{left} {order} {right} for {text}")
                sides = read(left), read(right)
            except (Refused, ValueError):
                continue
            if true := by(PROVING, statement):
                proved += 1
                with contextlib.suppress(Unknown):
                    _agrees(statement, sides, order, points, true)
            if false := by(REFUTING, statement):
                refuted += 1
                assert not true, f"{statement}: proved by {true}, refuted by {false}"
    return proved, refuted


def _agrees(statement: Statement, sides, order: str, points, rules) -> None:
    for at in points:
        a, b = (value(side, at) for side in sides)
        assert a is not None, f"{statement}: no value of the left side at {at}, proved by {rules}"
        assert b is not None, f"{statement}: no value of the right side at {at}, proved by {rules}"
        told = sign(b - a) if isinstance(a, numbers.Rational) == isinstance(b, numbers.Rational) else sign(_float(b) - _float(a))
        allowed = {"<=": (0, 1), "<": (1,), "=": (0,), ">=": (0, -1), ">": (-1,)}[order]
        assert told is None or told in allowed, f"{statement} fails at {at}, proved by {rules}"


def _float(x):
    return mpmath.mpf(x.numerator) / x.denominator if isinstance(x, numbers.Rational) else x


def main() -> int:
    """Seeds one after the other; 1 where one finds something false."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=60)
    args = parser.parse_args()
    facts = proved = refuted = wrong = 0
    for seed in range(args.first, args.first + args.seeds):
        try:
            facts += run(seed, args.rounds)
            more = both_ways(seed, args.rounds)
            proved, refuted = proved + more[0], refuted + more[1]
        except AssertionError as error:
            wrong += 1
            print(f"seed {seed}: {str(error).splitlines()[0]}")
    print(f"{facts} facts, {proved} comparisons proved, {refuted} refuted; wrong: {wrong}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
