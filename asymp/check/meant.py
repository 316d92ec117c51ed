"""The meaning of a claim, with the bound prover at hand: the one call that every door makes before it asks for truth.

>>> from asymp.parse import claim
>>> meant(claim("me/x", "log(n^2 - n + 1) <= n for real n >= 1", source="me, 1")).facts
('log(n^2 - n + 1) defined',)
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from asymp.check.inequality import Counterexample, Piece, Prover
from asymp.claim import Claim
from asymp.domain import Interval
from asymp.meaning import Meaning, meaning
from asymp.meaning.signs import GAVE_UP
from asymp.meaning.truth import Truth


def meant(claim: Claim) -> Meaning:
    """How a claim is read.

    Raises:
        Meaningless: it has no meaning, with the place and the reason.
    """
    return meaning(claim, prove)


def prove(expr: sp.Expr, variable: sp.Symbol, strict: bool, interval: Interval, whole: bool) -> Truth:
    """Whether ``expr > 0`` (not ``strict``: ``>= 0``) on a range of its one variable.

    >>> x = sp.Symbol("x", real=True)
    >>> prove(x**2 + x + 1, x, True, Interval(), False)
    <Truth.ALWAYS: 'always'>
    """
    halves = [(1, interval)]
    if interval.low is None:
        zero = sp.S.Zero
        below = interval.high is None or interval.high > 0
        halves = [(-1, Interval(zero if below else -interval.high, interval.high_open and not below))]
        if below:
            halves.append((1, Interval(zero, False, interval.high, interval.high_open)))
    found = [_on(expr, variable, strict, way, half, whole) for way, half in halves]
    if Truth.FAILS in found:
        return Truth.FAILS
    return Truth.ALWAYS if all(part is Truth.ALWAYS for part in found) else Truth.UNKNOWN


def _on(expr: sp.Expr, variable: sp.Symbol, strict: bool, way: int, interval: Interval, whole: bool) -> Truth:
    """On a range that is bounded below: x = way (low + y), in y >= 0."""
    low = interval.low if interval.low is not None else sp.S.Zero
    y = sp.Symbol(variable.name, positive=True)
    if low >= 0:
        moved, shift = expr.subs(variable, way * y), sp.S.Zero
    else:
        moved, shift = expr.subs(variable, way * (y + low)), low
    high = None if interval.high is None else interval.high - shift
    piece = Piece(_fraction(low - shift), interval.low_open, None if high is None else _fraction(high), interval.high_open, whole)
    if whole and not sp.sympify(shift).is_Integer:
        return Truth.UNKNOWN
    try:
        Prover(moved, y, strict).prove(piece)
    except Counterexample:
        return Truth.FAILS
    except GAVE_UP:
        return Truth.UNKNOWN
    return Truth.ALWAYS


def _fraction(value: sp.Rational) -> Fraction:
    return Fraction(int(value.p), int(value.q))
