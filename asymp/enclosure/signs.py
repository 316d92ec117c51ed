"""The sign of an expression on an open interval, certified by interval arithmetic and bisection.

Where the expression vanishes at an end, a derivative that has one sign next to that end decides there:
if f = f' = ... = f^(j-1) = 0 at the end and f^(j) keeps its sign, so does f (Taylor's theorem).

>>> sign_between("sin(t)", "t", 0, "pi"), sign_between("sin(t)", "t", 0, 4)
(1, None)
"""

from __future__ import annotations

from typing import Any

from flint import arb, ctx

from asymp.enclosure.algebra import OO, PI, E, minus, simple, subs, whole
from asymp.enclosure.calculus import diff
from asymp.enclosure.enclose import as_term, ball, said_positive
from asymp.enclosure.fields import is_identity
from asymp.enclosure.numbers import Undecided
from asymp.enclosure.ranges import span
from asymp.functions.table import NAMED
from asymp.kernel.terms import ONE, Refused, Term
from asymp.kernel.terms import name as name
from asymp.kernel.terms import read as read

BITS = 128
CELLS = 2_000
"""Intervals looked at before the sign is called unknown."""
DEEPEST = 8
"""Highest derivative that is tried at an end."""


ANY = frozenset({-1, 0, 1})
_PLUS = frozenset({1})


def signs(term: Term, positive: frozenset[str] = frozenset()) -> frozenset[int]:
    """The signs that a term may have where it is defined, for positive values of some names.

    >>> signs(read("x*exp(-y) + log(1 + x)"), frozenset("x")), sorted(signs(read("y^2 + 1")))
    (frozenset({1}), [1])
    """
    if not term.free:
        return _of_number(term)
    parts = term.parts
    match term.head:
        case "name":
            return _PLUS if term.name in positive else ANY
        case "sum":
            several = [signs(part, positive) for part in parts]
            for s in (1, -1):
                if all(-s not in one for one in several):
                    return frozenset({s}) if any(one == {s} for one in several) else frozenset({0, s})
            return ANY
        case "product":
            found = _PLUS
            for part in parts:
                found = frozenset(a * b for a in found for b in signs(part, positive))
            return found
        case "power":
            base, n = signs(parts[0], positive), whole(parts[1])
            if n is not None:
                return frozenset(s ** abs(n) for s in base if s or n > 0)
            return _PLUS if base == _PLUS else frozenset({0, 1})  # real only of a base that is not negative
        case "log":
            return signs(minus(parts[0], ONE), positive)
        case "gamma" | "factorial" if signs(parts[0], positive) <= {0, 1}:
            return _PLUS
    row = NAMED.get(term.head)
    if row is None or len(parts) != row.least:
        return ANY
    least = row.values.low
    if least and _of_number(read(least)) <= {0, 1}:
        return _PLUS if row.values.low_open or _of_number(read(least)) == _PLUS else frozenset({0, 1})
    return signs(parts[-1], positive) if row.rises_from_zero or row.signed else ANY


def _of_number(term: Term) -> frozenset[int]:
    if term.is_number:
        return frozenset({(term.number > 0) - (term.number < 0)})
    if term in (E, PI, OO):
        return _PLUS
    try:
        value = ball(term, {}, BITS)
    except Undecided:
        return ANY
    return _PLUS if value > 0 else frozenset({-1}) if value < 0 else frozenset({0}) if is_identity(simple(term)) else ANY


def sign_between(function: Any, variable: Any, low: Any, high: Any) -> int | None:
    """1 or -1: the sign of f at every point of the open interval; None: not found to be constant.

    ``low`` and ``high`` are finite numbers; f has no other variable.
    """
    try:
        f, t = simple(as_term(function)), as_term(variable).name
        if t not in f.free:
            told = signs(f, said_positive(function))
            return next(iter(told)) if told in ({1}, {-1}) else None
        with ctx.workprec(BITS):
            return _decide(f, t, simple(as_term(low)), simple(as_term(high)))
    except (Undecided, Refused, ZeroDivisionError):
        return None


def _decide(f: Term, t: str, low: Term, high: Term) -> int | None:
    a, b = ball(low, {}, BITS), ball(high, {}, BITS)
    if not a < b:
        return None
    bounds = span(f, t)

    left, right, found = a, b, set()
    for end, side in ((low, 1), (high, -1)):
        edge = _edge(f, t, end, side, b - a)
        if edge is None:
            continue
        width, side_sign = edge
        found.add(side_sign)
        if side == 1:
            left = (a + width).lower()
        else:
            right = (b - width).upper()
    if len(found) > 1:
        return None
    waiting, seen = [(left, right)] if left < right else [], 0
    while waiting:
        c, d = waiting.pop()
        seen += 1
        if seen > CELLS:
            return None
        sign = bounds.over(c, d).sign
        if sign is None:
            middle = ((c + d) / 2).mid()
            if not c < middle or not middle < d:
                return None
            waiting += [(c, middle), (middle, d)]
            continue
        found.add(sign)
        if len(found) > 1:
            return None
    return found.pop() if found else None


def _edge(f: Term, t: str, end: Term, side: int, length: arb) -> tuple[arb, int] | None:
    """(r, sign): the sign of f on the open interval of length r next to an end where f vanishes."""
    value = f
    for order in range(DEEPEST):
        there = subs(value, {t: end})
        if not is_identity(there):
            if order == 0:
                return None
            point = ball(end, {}, BITS)
            bounds, width = span(value, t), length / 2
            for _ in range(40):
                sign = (bounds.over(point, point + width) if side == 1 else bounds.over(point - width, point)).sign
                if sign is not None:
                    return width.mid() * (1 - arb(2) ** -20), sign * side**order
                width = width / 2
            return None
        value = diff(value, t)
    return None
