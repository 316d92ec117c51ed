"""Signs as sets, and polynomials in quantities of known sign.

>>> sorted(plus([NONNEGATIVE, POSITIVE])), sorted(times(NONNEGATIVE, frozenset({-1})))
([1], [-1, 0])
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from asymp.kernel.facts.ranges import Evaluator
from asymp.kernel.rings.field import Range, to_term
from asymp.kernel.rings.ratio import ONE_POLY, Poly, Powers, Ratio, in_order, joined, product_of
from asymp.kernel.terms import Refused, Term
from asymp.kernel.trust import remembered

Signs = frozenset[int]
POSITIVE, NEGATIVE, NONE = frozenset({1}), frozenset({-1}), frozenset({0})
NONNEGATIVE, ANY = frozenset({0, 1}), frozenset({-1, 0, 1})
BITS = 256
MOST_DEGREE = 24


def times(a: Signs, b: Signs) -> Signs:
    """The signs of a product."""
    return frozenset(x * y for x in a for y in b)


def plus(parts: Iterable[Signs]) -> Signs:
    """The signs of a sum."""
    found = list(parts)
    for side in (1, -1):
        if all(s <= {0, side} for s in found):
            if all(s == NONE for s in found):
                return NONE
            return frozenset({side}) if any(s == {side} for s in found) else frozenset({0, side})
    return ANY


def to_power(s: Signs, k: Fraction) -> Signs:
    """The signs of an atom's power; where k < 0 it is not 0, and where k is not whole it is positive."""
    if k == 0:
        return POSITIVE
    if k < 0 and 0 in s:
        return ANY
    if k.denominator != 1:
        return s if s <= NONNEGATIVE else ANY
    return frozenset(x * x for x in s) if k % 2 == 0 else s


def minus(x: Fraction | None) -> Fraction | None:
    """-x of an end that may be infinite."""
    return None if x is None else -x


def above(old: Range, low: Fraction, is_open: bool, whole: bool) -> Range:
    """A range cut off below; a whole number above 3/2 or above 1 is at least 2."""
    if whole:
        low, is_open = Fraction(low.numerator // low.denominator + 1 if is_open else -(-low.numerator // low.denominator)), False
    if old.low is None or (low, is_open) > (old.low, old.low_open):
        return replace(old, low=low, low_open=is_open)
    return old


def of_range(r: Range) -> Signs:
    """The signs of the numbers in a range."""
    if r.low is not None and (r.low > 0 or (r.low == 0 and r.low_open)):
        return POSITIVE
    if r.high is not None and (r.high < 0 or (r.high == 0 and r.high_open)):
        return NEGATIVE
    if r.low == r.high == 0:
        return NONE
    return NONNEGATIVE if r.low == 0 else frozenset({-1, 0}) if r.high == 0 else ANY


def content(p: Poly) -> tuple[Powers, Poly]:
    """The greatest monomial that divides all of a polynomial, and what it leaves."""
    least = dict(next(iter(p)))
    for powers in p:
        own = dict(powers)
        new = {a: k for a, k in own.items() if k < 0 and a not in least}
        least = {a: min(k, own.get(a, Fraction(0))) for a, k in least.items()} | new
    if any(a.is_number for a in least) and len(p) > 1:
        least = {a: k for a, k in least.items() if not a.is_number}
    common = in_order(least)
    inverse = tuple((a, -k) for a, k in common)
    rest: Poly = {}
    for powers, c in p.items():
        factor, left = joined(powers, inverse)
        rest[left] = rest.get(left, Fraction(0)) + c * factor
    return common, rest


def scale(p: Poly) -> Fraction:
    """A positive number that grows with a polynomial: the size of one of its coefficients, not the constant's."""
    return abs(p[min((m for m in p if m), key=lambda powers: [(str(a), k) for a, k in powers])])


def multiple(p: Poly, q: Poly) -> Poly | None:
    """The monomial m with p = m*q, or None."""
    if len(p) != len(q) or not p:
        return None
    first = next(iter(q))
    for powers, c in p.items():
        factor, left = joined(powers, tuple((a, -k) for a, k in first))
        m: Poly = {left: c / q[first] * factor}
        if product_of(m, q) == p:
            return m
    return None


def with_range_of(p: Poly, a: Term, r: Range, new: dict[Term, Signs]) -> Poly:
    """A polynomial times a positive factor, with what is not negative in place of an atom with a range."""
    exponents = [dict(powers).get(a, Fraction(0)) for powers in p]
    least, most = min(exponents), max(exponents)
    if least > 0:
        least = Fraction(0)
    if any(k.denominator != 1 for k in exponents) or most - least > MOST_DEGREE or (least < 0 and of_range(r) != POSITIVE):
        raise Refused("no polynomial in it")
    u, v = Term("below", (a,)), Term("above", (a,))
    low, high = ((v, Fraction(1)),), ((u, Fraction(1)),)
    over, under = (NONNEGATIVE if not r.low_open else POSITIVE), (NONNEGATIVE if not r.high_open else POSITIVE)
    base: Poly
    whole: Poly = dict(ONE_POLY)
    if r.low is not None and r.high is not None:
        if r.low >= r.high:
            raise Refused(f"{a} has no room")
        base, whole = {high: r.low, low: r.high}, {high: Fraction(1), low: Fraction(1)}
        new |= {u: under, v: over}
    elif r.low is not None:
        base = {(): r.low, low: Fraction(1)}
        new[v] = over
    else:
        assert r.high is not None
        base = {(): r.high, high: Fraction(-1)}
        new[u] = under
    base = {powers: c for powers, c in base.items() if c}
    ups, downs = [dict(ONE_POLY)], [dict(ONE_POLY)]
    for _ in range(int(most - least)):
        ups.append(product_of(ups[-1], base))
        downs.append(product_of(downs[-1], whole))
    found: Poly = {}
    for powers, c in p.items():
        k = int(dict(powers).get(a, Fraction(0)) - least)
        rest = tuple(item for item in powers if item[0] != a)
        for more, d in product_of({rest: c}, product_of(ups[k], downs[int(most - least) - k])).items():
            total = found.get(more, Fraction(0)) + d
            found[more] = total
            if not total:
                del found[more]
    return found


@remembered(10_000)
def constant_signs(p: frozenset[tuple[Powers, Fraction]]) -> Signs:
    """The signs of a polynomial in constants, by a ball."""
    try:
        x = Evaluator(BITS).range(to_term(Ratio(dict(p))), {})
    except Refused:
        return ANY
    if x.low == 0:
        return NONE if x.is_point else NONNEGATIVE
    return POSITIVE if x.low > 0 else NEGATIVE if x.high < 0 else ANY
