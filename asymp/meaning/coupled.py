"""A box of ranges, and conditions that couple its variables: 1 <= i <= n, x*y > 0.

The box is more than the domain.  So what fails on the box is looked for at points of the domain alone, and what is not
shown on the box is asked of the kernel's facts under the conditions (:class:`asymp.kernel.facts.context.Context`).

>>> from asymp.language.conditions import read_conditions
>>> n, m = sp.symbols("n m", positive=True)
>>> domain = Domain("m <= n", ranges={"n": Interval(sp.S.One), "m": Interval(sp.S.One)}, whole=frozenset("nm"),
...                 conditions=read_conditions("m <= n"))
>>> ground = Coupled({n: Interval(sp.S.One), m: Interval(sp.S.One)}, whole=domain.whole, domain=domain)
>>> sorted(ground.told(n - m + 1)), next(iter(ground.points()))
([1], {'n': 1, 'm': 1})
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import sympy as sp

from asymp.domain import Domain, Interval
from asymp.enclosure import InputError, Undecided
from asymp.functions.parts import Binder
from asymp.kernel import terms
from asymp.kernel.balls.boxes import Pair
from asymp.kernel.facts.context import Context
from asymp.kernel.facts.signs import plus, times
from asymp.kernel.rings.ratio import ONE_POLY, Ratio
from asymp.language.conditions import Compared, OfKind
from asymp.language.numbers import ParseError
from asymp.language.value import NotExact
from asymp.meaning.ground import Box, Point
from asymp.meaning.signs import GAVE_UP, Signs
from asymp.parse.printing import term as text_of
from asymp.parse.terms import satisfied

MOST_TRIED, MOST_POINTS = 3_000, 300
"""Points of the box that are looked at, and of the domain that are kept."""
MOST_MULTIPLES, MOST_MONOMIALS = 24, 6
"""Multiples of hypotheses that are taken out of a term, which is no longer than that."""
LONGEST = 20
"""Operations in a term of which the kernel is asked in more ways than one."""
Placed = tuple[Context, Mapping[str, terms.Term]]
"""A context, and what is put in for variables there."""
MOST_MOVED, MOST_CONTEXTS = 3, 8
"""Variables that are moved to their bounds at once, and ways to do so."""
_STEPS = tuple(sp.Rational(*x) for x in (
    (0, 1), (1, 1), (1, 2), (2, 1), (3, 1), (1, 3), (5, 2), (10, 1), (4, 1), (7, 1), (1, 1000), (100, 1), (10**6, 1),
))  # fmt: skip
Pieces = tuple[Binder, ...]


@dataclass(frozen=True)
class Coupled(Box):
    """A box with a domain's conditions."""

    domain: Domain = field(default_factory=lambda: Domain(""))

    @cached_property
    def _context(self) -> Context:
        """The ranges and the comparisons, as the kernel takes them; a condition that it cannot read says nothing."""
        pairs: list[Pair] = []
        for name, interval in (self.domain.ranges or {}).items():
            x = terms.name(name)
            if interval.low is not None:
                pairs.append((_number(interval.low), "<" if interval.low_open else "<=", x))
            if interval.high is not None:
                pairs.append((x, "<" if interval.high_open else "<=", _number(interval.high)))
        for condition in self.domain.conditions:
            for low, sign, high in condition.pairs() if isinstance(condition, Compared) else ():
                try:
                    left, right = terms.of(low), terms.of(high)
                except terms.Refused:
                    continue
                pairs.append((right, sign.replace(">", "<"), left) if sign[0] == ">" else (left, sign, right))
        said = {c.name for c in self.domain.conditions if isinstance(c, OfKind) and c.kind == "whole"}
        return Context(frozenset({*self.whole, *self.domain.whole, *said}), tuple(pairs))

    @cached_property
    def _covers(self) -> Sequence[Sequence[Placed]]:
        """Ways to cover the domain by contexts, each with what it puts in for variables.

        By itself; with variables moved to their bounds (of m <= n, n = m + d with d >= 0); and parted at the lower end of
        one of them (a = 0, a > 0).
        """
        moved: list[Placed] = [(self._context, {})]
        for context, put in moved:  # which grows
            for pair in context.pairs if len(put) < MOST_MOVED else ():
                if (found := _moved(context, pair, f"#d{len(put)}")) is None or len(moved) >= MOST_CONTEXTS:
                    continue
                x, bound, after = found
                new = {name: terms.substitute(term, {x: bound}) for name, term in put.items()} | {x: bound}
                if new not in [old for _, old in moved]:
                    moved.append((after, new))
        parted = [
            [_at_end(self._context, name, r.low), (self._context.given((terms.number(r.low), "<", terms.name(name))), {})]
            for name, r in sorted(self._context.ranges.items()) if r.low is not None and not r.low_open
        ]  # fmt: skip
        return [*([one] for one in moved), *parted]

    def told(self, expr: sp.Expr, binders: Pieces = ()) -> Signs | None:
        """A set that holds every sign at points of the domain, and of the ranges of bound variables; None: not known."""
        key = (expr, binders)
        if key not in self._known:
            self._known[key] = self._told(expr, binders)
        return self._known[key]

    @cached_property
    def _known(self) -> dict[tuple[sp.Expr, Pieces], Signs | None]:
        return {}

    def _told(self, expr: sp.Expr, binders: Pieces) -> Signs | None:
        found: Signs | None = None
        try:
            asked = _term(expr)
            ranges = [(b.symbol.name, _term(b.low), _term(b.high), b.whole) for b in binders]
        except (terms.Refused, ParseError, *GAVE_UP):
            return None
        for k, cover in enumerate(self._covers if expr.count_ops() <= LONGEST else self._covers[:1]):
            signs: Signs | None = frozenset()
            for context, put in cover:
                here = _signs(context, put, asked, ranges, thorough=k == 0)
                signs = None if here is None or signs is None else signs | here
            if signs is not None:
                found = signs if found is None else found & signs
            if found is not None and len(found) == 1:
                break
        return found

    def points(self) -> Iterator[Point]:
        """Points of the domain: those that a claim names, and others near the corners of its box, which obey its conditions."""
        yield from self._points

    @cached_property
    def _points(self) -> Sequence[Point]:
        ranges = self.domain.ranges or {}
        given = [point for point in self.domain.grid if all(name in point for name in ranges)]
        whole = self._context.whole
        axes = [_axis(interval, name in whole) for name, interval in ranges.items()]
        near = (dict(zip(ranges, values, strict=True)) for values in itertools.islice(_diagonally(axes), MOST_TRIED))
        return [*itertools.islice((point for point in near if self._obeys(point)), MOST_POINTS), *given]

    def _obeys(self, point: Point) -> bool:
        """Whether a point is known to obey the conditions."""
        try:
            return all(satisfied(condition, point, dict(self.domain.models)) for condition in self.domain.conditions)
        except (NotExact, Undecided, InputError, ParseError, KeyError, *GAVE_UP):
            return False


def _signs(
    context: Context, put: Mapping[str, terms.Term], asked: terms.Term, ranges: Sequence[Any], thorough: bool
) -> Signs | None:
    """The signs of a term in a context; None: not known.

    ``thorough``: a multiple of a hypothesis h >= 0 may be taken out: a + b = (a + b - 1) + 1 is positive where a + b >= 1.
    """
    try:
        for name, low, high, whole in ranges:
            if name in put:
                return None
            context = context.with_range(name, terms.substitute(low, put), terms.substitute(high, put), whole)
        value = context.value(terms.substitute(asked, put))
        found = context.of(value)
        if not thorough or len(found) == 1 or value.den != ONE_POLY or len(value.num) > MOST_MONOMIALS:
            return found
        pairs = ((h, mine, its) for h in context.hypotheses for mine in value.num for its in h[0].num if mine or its)
        for (h, signs), mine, its in itertools.islice(pairs, MOST_MULTIPLES):
            q = Ratio({mine: value.num[mine]}) * Ratio({its: h.num[its]}).inverse()
            found &= plus([context.of(value - q * h), times(context.of(q), signs)])
        return found
    except (terms.Refused, *GAVE_UP):
        return None


def _at_end(context: Context, x: str, low: Fraction) -> Placed:
    """The context where a variable is at its lower end."""
    put = {x: terms.number(low)}
    pairs = [(terms.substitute(a, put), sign, terms.substitute(b, put)) for a, sign, b in context.pairs]
    return Context(context.whole - {x}, tuple(pairs)), put


def _moved(context: Context, pair: Pair, new: str) -> tuple[str, terms.Term, Context] | None:
    """A variable of a comparison with a term in others, that term with a new d beside it, and the context in which d is."""
    low, sign, high = pair
    if sign == "=" or low.is_number or high.is_number:
        return None
    d = terms.name(new)
    for side, other, value in ((high, low, terms.add(low, d)), (low, high, terms.add(high, terms.negative(d)))):
        if side.head == "name" and side.name not in terms.CONSTANTS | {"oo"} and side.name not in terms.free(other):
            x, put = side.name, {side.name: value}
            pairs = [(terms.substitute(a, put), s, terms.substitute(b, put)) for a, s, b in context.pairs if (a, s, b) != pair]
            whole = context.whole - {x} | ({new} if x in context.whole and context.is_whole(other) else frozenset())
            return x, value, Context(whole, ((terms.ZERO, sign, d), *pairs))
    return None


def _term(expr: sp.Expr) -> terms.Term:
    if expr.has(sp.zoo, sp.nan):
        raise terms.Refused("not for the kernel")
    return terms.read(text_of(expr))


def _number(x: sp.Rational) -> terms.Term:
    return terms.number(Fraction(int(x.p), int(x.q)))


def _axis(interval: Interval, whole: bool) -> list[sp.Rational]:
    """Values of one variable: its ends, what is near to them on either side, and farther out.

    >>> _axis(Interval(sp.S.One), True)[:4], _axis(Interval(), False)[:4]
    ([1, 2, 3, 4], [0, 1, -1, 1/2])
    """
    found: list[sp.Rational] = []
    low, high = interval.low, interval.high
    for step in _STEPS:
        if low is not None and high is not None:
            part = step if step < 1 else 1 / (1 + step)
            found += [low + part * (high - low), high - part * (high - low)] if step else [low, high]
        if low is not None:
            found.append(low + step)
        if high is not None:
            found.append(high - step)
        if low is None and high is None:
            found += [step, -step]
    if whole:
        found = [x for end in found for x in (sp.ceiling(end), sp.floor(end))]
    return [x for x in dict.fromkeys(found) if interval.holds(x)]


def _diagonally(axes: Sequence[Sequence[sp.Rational]]) -> Iterator[tuple[sp.Rational, ...]]:
    """All combinations, those of early values first.

    >>> list(_diagonally([[0, 1], [5, 6]]))
    [(0, 5), (0, 6), (1, 5), (1, 6)]
    """

    def of_total(k: int, rest: Sequence[Sequence[sp.Rational]]) -> Iterator[tuple[sp.Rational, ...]]:
        if len(rest) == 1:
            if k < len(rest[0]):
                yield (rest[0][k],)
            return
        for i in range(min(k + 1, len(rest[0]))):
            for others in of_total(k - i, rest[1:]):
                yield (rest[0][i], *others)

    for total in range(sum(len(axis) for axis in axes)) if all(axes) and axes else ():
        yield from of_total(total, axes)
