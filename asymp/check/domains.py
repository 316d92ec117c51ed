"""The box of a domain, whether a point lies in it, and points that nobody chose.

>>> box(Domain("n >= 2, 0 < p < 1"))["p"].high
1
>>> stray(Domain.product("n >= 2", n=[3, 1]))
'n = 1 is not in the domain (n >= 2)'
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import random
from collections.abc import Iterator, Mapping

import sympy as sp

from asymp.domain import Domain, Interval
from asymp.parse.setting import kind_of, read_condition, split_conditions
from asymp.parse.syntax import tokens

WHOLE_NAMES = frozenset("ijklmnNMK")
"""Names that usually mean a whole number: a statement that fails only between whole numbers is not called refuted."""
MOST_POINTS = 240
"""Points of a box that are tried: enough for a lattice of five values in three variables."""


def box(domain: Domain) -> dict[str, Interval] | None:
    """name -> interval, from the domain's ranges or from its words; None where the words are no conditions on single names."""
    if domain.ranges is not None:
        return dict(domain.ranges)
    found: dict[str, Interval] = {}
    try:
        for part in split_conditions(tokens(domain.text), domain.text):
            name, bounds = read_condition(part, domain.text)
            found[name] = found.get(name, Interval()).meet(bounds)
    except ValueError:
        return None
    return found


def whole(domain: Domain) -> frozenset[str]:
    """The names that the domain says are whole numbers."""
    found = set(domain.whole)
    with contextlib.suppress(ValueError):
        for part in split_conditions(tokens(domain.text), domain.text):
            if kind_of(part) == "integer":
                found.add(read_condition(part, domain.text)[0])
    return frozenset(found)


def stray(domain: Domain) -> str:
    """A point of the grid that is not in the domain, in words; empty where there is none, or the words cannot be read."""
    ranges = box(domain)
    if ranges is None:
        return ""
    integers = whole(domain)
    for point in domain.grid:
        for name, raw in point.items():
            value = sp.sympify(raw)
            if not value.is_Rational:
                continue
            inside = name not in ranges or ranges[name].holds(value)
            if not inside or (name in integers and not value.is_Integer):
                return f"{name} = {value} is not in the domain ({domain.text})"
    return ""


def meant_whole(domain: Domain, expr: sp.Expr) -> frozenset[str]:
    """The names that stand for whole numbers, or may be meant to: no statement is refuted between whole numbers of these.

    Declared so; at the end of a sum, in a factorial or an exponent of a negative number; or named as whole numbers are.
    """
    real = set(domain.real)
    with contextlib.suppress(ValueError):
        for part in split_conditions(tokens(domain.text), domain.text):
            if kind_of(part) == "real":
                real.add(read_condition(part, domain.text)[0])
    found = {s.name for s in expr.free_symbols if s.name in WHOLE_NAMES}
    found |= {s.name for f in expr.atoms(sp.factorial, sp.binomial) for s in f.free_symbols}
    found -= real
    found |= set(whole(domain)) | {s.name for s in expr.free_symbols if s.is_integer}
    for total in expr.atoms(sp.Sum, sp.Product):
        found |= {s.name for limit in total.limits for end in limit[1:] for s in end.free_symbols}
    found |= {s.name for power in expr.atoms(sp.Pow) if power.base.is_negative for s in power.exp.free_symbols}
    return frozenset(found)


def unchosen(
    domain: Domain, names: list[str], integers: frozenset[str], seed: str, far: int = 9
) -> Iterator[dict[str, sp.Rational]]:
    """Points of a box beside its grid: corners and a lattice, then numbers drawn from a hash of ``seed``.

    A term that vanishes on every grid in sight does not vanish there.  The same seed gives the same points, in any process.
    ``far``: how many decimal digits the numbers drawn from an infinite range may have; fewer than 9 leave out the lattice.
    """
    ranges = box(domain)
    if ranges is None or any(name not in ranges for name in names):
        return
    draw = random.Random(hashlib.sha256(seed.encode()).digest())
    axes = [_axis(ranges[name], name in integers) for name in names]
    lattice = itertools.islice(itertools.product(*axes), MOST_POINTS if far >= 9 else 0)
    drawn = (tuple(_drawn(ranges[name], name in integers, draw, far) for name in names) for _ in range(MOST_POINTS // 2))
    for values in itertools.chain(lattice, drawn):
        if all(value is not None for value in values):
            yield dict(zip(names, (value for value in values if value is not None), strict=True))


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
