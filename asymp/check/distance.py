"""How far the distribution functions of X_n and of X are apart, in certified numbers, beside what is derived of X_n => X.

The greatest difference at some points is no more than Kolmogorov's distance.  It never speaks against what is derived: that it
shrinks shows no limit by itself, and that it does not at these n shows none either.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from asymp import budget
from asymp.check.derived import runs_of
from asymp.check.measure import named
from asymp.claim import Evidence, Outcome, Strength, Witness
from asymp.enclosure import InputError, Undecided, enclose
from asymp.kernel import terms
from asymp.kernel.laws.unfolding import sides
from asymp.kernel.terms import Refused
from asymp.language.everyday import below
from asymp.language.laws import LESS_OO, ONE, OO, Law
from asymp.language.names import substitute
from asymp.language.numbers import ParseError
from asymp.language.statement import Statement
from asymp.language.syntax import Node, Parser, ranges

SIZES = (2, 4, 6, 8)
"""Powers of 10 of n."""
SHRINKS = 0.5
"""The distance at the largest n is at most this times that at the smallest, where it supports what is derived."""
STAYS = 0.9
MOST_TERMS = 100_000
"""Probabilities that are added up."""
DIGITS, CAP_BITS = 12, 4_000
Values = Mapping[str, Any]


def distance(statement: Statement, outcome: Outcome) -> Evidence | None:
    """The line of evidence, for what was found of the statement; None where no distribution function is known.

    >>> from asymp.language.statement import read_statement
    >>> said = read_statement("geometric(1/n)/n => exponential(1) as whole n -> oo")
    >>> [point.at["n"] for point in distance(said, Outcome.HOLDS).points]
    ['100', '1e4', '1e6', '1e8']
    """
    try:
        left, right = sides(statement)
        run = runs_of(statement)[0]
    except (Refused, ParseError, Undecided, IndexError):
        return None
    found: list[tuple[int, Any]] = []
    for size in SIZES:
        try:
            values = run.at(10**size)
            if not _number(left.scaled(ONE), values) > 0:
                return None
            gaps = [abs(_below(left, x, values) - _below(right, x, values)) for x in _grid(right, values)]
        except (Undecided, InputError, Refused, ParseError):
            continue
        worst = gaps[0]
        for gap in gaps[1:]:
            worst = worst.max(gap)
        found.append((10**size, worst))
    if len(found) < 2:
        return None
    first, last = found[0][1], found[-1][1]
    says = Outcome.UNDECIDED
    if outcome is Outcome.HOLDS and last < first * SHRINKS:
        says = outcome
    if outcome is Outcome.REFUTED and last > first * STAYS:
        says = outcome
    strength = Strength.NONE if says is Outcome.UNDECIDED else Strength.SUPPORTED
    instance = {v: str(x) for v, x in run.instance.items()}
    points = tuple(Witness({run.runner: named(n), **instance}, *_shown(gap)) for n, gap in found)
    return Evidence("enclosed", says, strength, f"the distribution functions differ by at most this at {POINTS} points", points)


POINTS = 17


def _grid(right: Law, values: Values) -> Iterator[Fraction]:
    """Points about the mean of the limit, up to three deviations from it, none of which is whole."""
    if right.row is None:
        middle, spread = Fraction(str(_number(right.side, values).mid().str(9, radius=False))), Fraction(1)
    else:
        mean, variance = (_number(right.put(text), values) for text in (right.row.mean, right.row.variance))
        scale = _number(right.scaled(ONE), values)
        rest = right.shift(ONE)
        mean = mean * scale + (_number(rest, values) if rest is not None else 0)
        middle, spread = (Fraction(x.mid().str(9, radius=False)) for x in (mean, variance.sqrt() * scale))
    for k in range(POINTS):
        yield middle + spread * Fraction(3 * (2 * k - POINTS + 1), POINTS - 1) + spread / 997


def _below(one: Law, x: Fraction, values: Values) -> Any:
    """P(Y <= x)."""
    node = Parser(f"({x.numerator})/{x.denominator}").whole()
    if one.atom is None:
        return _number(ONE, values) * int(_number(one.side, values) * x.denominator <= x.numerator)
    y = one.inverse(node)
    if one.row is not None:
        return _number(below(Law(one.atom, one.atom), y), values)
    name, low, high = ranges(one.atom)[0]
    if low != LESS_OO and _number(y, values) < _number(low, values):
        return _number(ONE, values) * 0
    if high != OO and _number(y, values) >= _number(high, values):
        return _number(ONE, values)
    if one.given == "Distribution":
        return _number(substitute(one.atom.parts[0], {name: y}), values)
    if one.given != "Masses" or low == LESS_OO or _number(y, values) - _number(low, values) > MOST_TERMS:
        raise Undecided("no distribution function is given")
    top = Node("call", 1, "floor", (y,))
    bound = Node("tuple", 1, "", (Node("name", 1, name), low, top))
    return _number(Node("call", 1, "Sum", (one.atom.parts[0], bound)), values)


def _number(node: Node, values: Values) -> Any:
    term = terms.of(node)
    return enclose(term, {v: values[v] for v in term.free if v in values}, DIGITS, CAP_BITS, budget.ORDERS).ball


def _shown(gap: Any) -> tuple[str, str]:
    return gap.mid().str(6, radius=False), gap.rad().str(2, radius=False)


