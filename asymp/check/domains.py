"""A domain with its words read, whether a point lies in it, and points that nobody chose.

>>> typed(Domain("n >= 2, 0 < p < 1")).ranges["p"].high
1
>>> stray(Domain.product("n >= 2", n=[3, 1]))
'n = 1 is not in the domain (n >= 2)'
"""

from __future__ import annotations

import hashlib
import itertools
import random
from collections.abc import Iterator, Mapping
from dataclasses import replace

import sympy as sp

from asymp.domain import Domain, Interval
from asymp.enclosure import InputError, Undecided
from asymp.language.kinds import WHOLE_LETTERS
from asymp.language.numbers import ParseError
from asymp.language.syntax import tokens
from asymp.language.value import NotExact
from asymp.parse.setting import kind_of, read_condition, split_conditions
from asymp.parse.terms import satisfied

MOST_POINTS = 240
"""Points of a box that are tried: enough for a lattice of five values in three variables."""


def typed(domain: Domain) -> Domain:
    """The domain with the ranges and kinds that its words say; the same where these are no conditions on single names.

    >>> typed(Domain("integer n >= 2")).whole, typed(Domain("every n")).ranges
    (frozenset({'n'}), None)
    """
    if domain.ranges is not None or domain.complete:
        return domain
    ranges: dict[str, Interval] = {}
    kinds: dict[str, str] = {}
    try:
        for part in split_conditions(tokens(domain.text), domain.text):
            name, bounds = read_condition(part, domain.text)
            ranges[name] = ranges.get(name, Interval()).meet(bounds)
            kinds[name] = kind_of(part) or kinds.get(name, "")
    except ValueError:
        return domain
    whole, real = (frozenset(name for name, kind in kinds.items() if kind == said) for said in ("integer", "real"))
    return replace(domain, ranges=ranges, whole=domain.whole | whole, real=domain.real | real)


def stray(domain: Domain) -> str:
    """A point of the grid that is not in the domain, in words; empty where there is none, or the words cannot be read."""
    domain = typed(domain)
    ranges = domain.ranges or {}
    for point in domain.grid:
        for name, raw in point.items():
            value = sp.sympify(raw)
            if not value.is_Rational:
                continue
            inside = name not in ranges or ranges[name].holds(value)
            if not inside or (name in domain.whole and not value.is_Integer):
                return f"{name} = {value} is not in the domain ({domain.text})"
        if not obeys(domain, point):
            return f"{shown(point)} is not in the domain ({domain.text})"
    return ""


def obeys(domain: Domain, point: Mapping[str, object]) -> bool:
    """Whether a point is known to obey what the domain asks beside its ranges, as 1 <= i <= n."""
    try:
        return all(satisfied(condition, point, dict(domain.models)) for condition in domain.conditions)
    except (NotExact, Undecided, InputError, ParseError, KeyError):
        return False


def meant_whole(domain: Domain, expr: sp.Expr) -> frozenset[str]:
    """The names that stand for whole numbers, or may be meant to: no statement is refuted between whole numbers of these."""
    domain = typed(domain)
    likely = {s.name for s in expr.free_symbols if s.name in WHOLE_LETTERS} - domain.real
    return domain.whole | likely | {s.name for s in expr.free_symbols if s.is_integer}


def unchosen(
    domain: Domain, names: list[str], integers: frozenset[str], seed: str, far: int = 9
) -> Iterator[dict[str, sp.Rational]]:
    """Points of a box beside its grid: corners and a lattice, then numbers drawn from a hash of ``seed``.

    A term that vanishes on every grid in sight does not vanish there.  The same seed gives the same points, in any process.
    ``far``: how many decimal digits the numbers drawn from an infinite range may have; fewer than 9 leave out the lattice.
    """
    ranges = typed(domain).ranges
    if ranges is None or any(name not in ranges for name in names):
        return
    draw = random.Random(hashlib.sha256(seed.encode()).digest())
    axes = [_axis(ranges[name], name in integers) for name in names]
    lattice = itertools.islice(itertools.product(*axes), MOST_POINTS if far >= 9 else 0)
    drawn = (tuple(_drawn(ranges[name], name in integers, draw, far) for name in names) for _ in range(MOST_POINTS // 2))
    for values in itertools.chain(lattice, drawn):
        if all(value is not None for value in values):
            point = dict(zip(names, (value for value in values if value is not None), strict=True))
            if obeys(domain, point):
                yield point


def _axis(interval: Interval, integer: bool) -> list[sp.Rational]:
    """A few values: near the ends, inside, far out."""
    tiny = sp.Rational(1, 10**6)
    if interval.low is not None and interval.high is not None:
        width = interval.high - interval.low
        values = [interval.low + part * width for part in (0, tiny, sp.Rational(1, 3), 1 - tiny, 1)]
    elif interval.low is not None:
        values = [interval.low, *(interval.low + step for step in (tiny, sp.Rational(3, 2), 7, 10**4))]
    elif interval.high is not None:
        values = [interval.high, *(interval.high - step for step in (tiny, sp.Rational(3, 2), 7, 10**4))]
    else:
        values = [sp.S.Zero, sp.S.One, sp.S.NegativeOne, sp.Integer(10**4), -sp.Integer(10**4)]
    if integer:
        values = [sp.ceiling(value) for value in values]
    return [value for value in dict.fromkeys(values) if interval.holds(value)]


def _drawn(interval: Interval, integer: bool, draw: random.Random, far: int) -> sp.Rational | None:
    part = sp.Rational(draw.randrange(1, 10**6), 10**6)
    if interval.low is not None and interval.high is not None:
        value = interval.low + (interval.high - interval.low) * part
    else:
        reach = sp.Rational(1, 100) * sp.Integer(10) ** draw.randrange(far) * (1 + part * 9)
        if interval.low is not None:
            value = interval.low + reach
        elif interval.high is not None:
            value = interval.high - reach
        else:
            value = reach * draw.choice((1, -1))
    if integer:
        value = sp.floor(value)
    return value if interval.holds(value) else None


def shown(point: Mapping[str, object]) -> str:
    """A point in words."""
    return ", ".join(f"{name} = {item}" for name, item in point.items()) or "the one point"
