"""The shape of a summand: a sum of terms ``c * x**i * i**k * harmonic(i)**j * log(i)**l``.

What does not depend on the index is not multiplied out: every such factor is kept whole, as a place in the plan.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from math import prod

from flint import fmpq, fmpz
from gmpy2 import mpq

from asymp.enclosure.algebra import (
    E,
    base_and_exponent,
    binder,
    factors,
    minus,
    name,
    negative,
    plus,
    raised,
    replace,
    subs,
    subterms,
    summands,
    times,
    whole,
)
from asymp.enclosure.calculus import expanded, is_polynomial, is_rational, line
from asymp.enclosure.fields import factored, partial
from asymp.enclosure.plan import Builder
from asymp.enclosure.signs import signs
from asymp.kernel.terms import NOUGHT, ONE, ZERO, Refused, Term, number

Ratio = frozenset[tuple[Term, Term]]
"""The bases and their powers whose product is x."""

MOST_TERMS = 400


@dataclass(frozen=True)
class Shape:
    """x**i * i**power * harmonic(i)**harmonics * log(i)**logs."""

    ratio: Ratio = frozenset()
    power: mpq = NOUGHT
    harmonics: int = 0
    logs: int = 0

    def times(self, other: Shape) -> Shape:
        """The shape of a product."""
        ratio = self.ratio
        if other.ratio:
            powers = dict(self.ratio)
            for base, factor in other.ratio:
                powers[base] = plus(powers.get(base, ZERO), factor)
            ratio = frozenset((base, factor) for base, factor in powers.items() if factor != ZERO)
        return Shape(ratio, self.power + other.power, self.harmonics + other.harmonics, self.logs + other.logs)


Terms = dict[Shape, list[int]]
"""Shape -> places of the coefficients to be added."""


def shapes(builder: Builder, body: Term, index: str) -> dict[Shape, int] | None:
    """The summand's terms (shape -> place of its coefficient), or None if it has another form."""
    terms = _expand(builder, body, index)
    if terms is None:
        return None
    return {shape: builder.add(places) for shape, places in terms.items()}


def ratio_place(builder: Builder, ratio: Ratio) -> int | None:
    """The place of ln x; None for x = 1."""
    if not ratio:
        return None
    parts = []
    for base, factor in sorted(ratio, key=lambda item: item[0].order):
        log = builder.constant(fmpq(1)) if base == E else builder.logarithm(base)
        parts.append(log if factor == ONE else builder.multiply([builder.place(factor), log]))
    return builder.add(parts)


def _expand(builder: Builder, term: Term, index: str) -> Terms | None:
    if index not in term.free:
        return {Shape(): [builder.place(term)]}
    one = builder.constant(fmpq(1))
    if term.head == "name":
        return {Shape(power=mpq(1)): [one]}
    if term.head == "sum":
        return _merged([_expand(builder, part, index) for part in term.parts])
    if term.head == "product":
        free = [part for part in term.parts if index not in part.free]
        total: Terms | None = {Shape(): [builder.multiply([builder.place(part) for part in free]) if free else one]}
        for part in term.parts:
            if index in part.free:
                total = _product(builder, total, _expand(builder, part, index))
        return total
    if term.head in ("power", "exp"):
        return _power(builder, *base_and_exponent(term), index)
    if term.head == "harmonic" and len(term.parts) == 1:
        shift = minus(term.parts[0], name(index))
        if shift == ZERO:
            return {Shape(harmonics=1): [one]}
        if shift == negative(ONE):
            return {Shape(harmonics=1): [one], Shape(power=mpq(-1)): [builder.constant(fmpq(-1))]}
        return None
    if term.head == "log" and term.parts[0] == name(index):
        return {Shape(logs=1): [one]}
    return None


def _power(builder: Builder, base: Term, exponent: Term, index: str) -> Terms | None:
    one = builder.constant(fmpq(1))
    if index not in base.free:
        straight = line(exponent, index)
        if straight is None:
            return None
        slope, offset = straight
        coefficient = one if offset == ZERO else builder.place(raised(base, offset))
        return {Shape(ratio=frozenset({(base, slope)})): [coefficient]}
    if base == name(index) and exponent.is_number:
        return {Shape(power=exponent.number): [one]}
    n = whole(exponent)
    if n is None:
        return None
    inner = _expand(builder, base, index)
    if inner is None:
        return None
    if n < 0:
        if len(inner) != 1:
            return None
        ((shape, places),) = inner.items()
        if shape.harmonics or shape.logs:
            return None
        flipped = Shape(frozenset((b, negative(f)) for b, f in shape.ratio), -shape.power)
        inner = {flipped: [builder.integer_power(builder.add(places), -1)]}
    result: Terms | None = {Shape(): [one]}
    for _ in range(abs(n)):
        result = _product(builder, result, inner)
        if result is None:
            return None
    return result


def _merged(parts: list[Terms | None]) -> Terms | None:
    total: Terms = {}
    for part in parts:
        if part is None:
            return None
        for shape, places in part.items():
            total.setdefault(shape, []).extend(places)
    return total if len(total) <= MOST_TERMS else None


def _product(builder: Builder, left: Terms | None, right: Terms | None) -> Terms | None:
    if left is None or right is None or len(left) * len(right) > MOST_TERMS:
        return None
    one = builder.constant(fmpq(fmpz(1)))
    total: Terms = {}
    for shape, places in left.items():
        first = builder.add(places)
        for other, others in right.items():
            second = builder.add(others)
            both = [place for place in (first, second) if place != one]
            total.setdefault(shape.times(other), []).append(builder.multiply(both) if both else one)
    return total


def tidied(term: Term) -> Term:
    """The polynomials in a term multiplied out, as far as they stand in one.

    >>> from asymp.enclosure.algebra import read
    >>> str(tidied(read("1/(n - (n - k))")))
    'k^(-1)'
    """
    return replace(term, lambda part: expanded(part) if part.head == "sum" and is_polynomial(part, *part.free) else None)


def backwards(body: Term, index: str, low: Term, high: Term) -> Term | None:
    """The sum of f(c - k) for the c that leaves the fewest variables; None where none leaves fewer.

    >>> from asymp.enclosure.algebra import read
    >>> str(backwards(read("1/(n - k)"), "k", read("1"), read("n - 1")))
    'Sum(b0^(-1), (b0, 1, n - 1))'
    """
    variables = body.free - {index}
    centres = {plus(low, high)}
    for part in subterms(body):
        if part.head == "sum" and index in part.free:
            straight = line(part, index)
            if straight is not None and straight[0] == negative(ONE):
                centres.add(straight[1])
    best, least = None, _occurrences(body, variables)
    for c in sorted(centres, key=lambda one: one.order):
        moved = tidied(subs(body, {index: minus(c, name(index))}))
        count = _occurrences(moved, variables)
        if count < least:
            best, least = binder("Sum", moved, index, expanded(minus(c, high)), expanded(minus(c, low))), count
    return best


def _occurrences(term: Term, variables: Set[str]) -> int:
    return sum(1 for part in subterms(term) if part.head == "name" and part.name in variables)


def separated(body: Term, index: str, low: Term, high: Term, positive: frozenset[str]) -> list[Term]:
    """Terms that add up to f for low <= k <= high: partial fractions, logarithms of products of positive factors.

    >>> from asymp.enclosure.algebra import read
    >>> len(separated(read("1/(k*(n - k))"), "k", read("1"), read("n - 1"), frozenset("n")))
    2
    """
    step = "step"
    known = positive | {step}

    def sign(factor: Term) -> int:
        told = signs(factor, positive)
        for end, near in ((high, minus(high, name(step))), (low, plus(low, name(step)))):
            told &= frozenset().union(*(signs(expanded(subs(factor, {index: k})), known) for k in (end, near)))
        return next(iter(told)) if told in ({1}, {-1}) else 0

    def logarithm(part: Term) -> Term | None:
        if part.head != "log" or index not in part.free:
            return None
        several = list(factors(factored(part.parts[0])))
        told = [sign(q) for q in several]
        if len(several) < 2 or 0 in told or prod(told) < 0:
            return None
        return plus(*(Term("log", (expanded(times(number(s), q)),)) for s, q in zip(told, several, strict=True)))

    try:
        body = replace(body, logarithm)
        if is_rational(body, index) and not is_polynomial(body, index):
            return partial(body, index)
        return list(summands(expanded(body)))
    except Refused:
        return [body]
