"""The meaning of a claim, with the bound prover at hand: the one call that every door makes before it asks for truth.

>>> from asymp.parse import claim
>>> meant(claim("me/x", "log(n - 1/2) <= n for real n >= 1", source="me, 1")).facts
('log(n - 1/2) defined',)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

import sympy as sp

from asymp.check.domains import typed
from asymp.check.inequality import Counterexample, Piece, Prover
from asymp.claim import Bound, Claim, Identity
from asymp.domain import Interval
from asymp.expand.splits import Case, at_end
from asymp.functions.parts import Part, parts_of
from asymp.meaning import Meaning, meaning, read
from asymp.meaning.limit import Limit
from asymp.meaning.signs import GAVE_UP
from asymp.meaning.truth import Truth
from asymp.parse.setting import Setting


def meant(claim: Claim) -> Meaning:
    """How a claim is read.

    Raises:
        Meaningless: it has no meaning, with the place and the reason.
    """
    relation = claim.relation
    if isinstance(relation, (Bound, Identity)):
        domain = typed(relation.domain)
        names = {s.name for side in (relation.lhs, relation.rhs) if isinstance(side, sp.Expr) for s in side.free_symbols}
        if names <= set(domain.ranges or ()):  # else some name is bounded by the grid alone
            claim = replace(claim, relation=replace(relation, domain=domain))
    return meaning(claim, prove)


def has_meaning(parts: Iterable[Part], setting: Setting) -> None:
    """Nothing, where every part is real and defined in the setting's regime, ends of ranges that belong to it included.

    Raises:
        Meaningless: as for :func:`meant`.

    >>> from asymp.parse import parse_setting
    >>> from asymp.parse.mathematics import read_expression
    >>> setting = parse_setting("n->oo")
    >>> has_meaning(read_expression("log(-n)^0", setting.symbols)[1], setting)
    Traceback (most recent call last):
    ...
    asymp.meaning.read.Meaningless: log(-n) is not defined at n = 1000: -n > 0 is needed
    """
    regime = setting.regime
    if regime is None:
        return
    parts = [part.with_values(dict(setting.values)) for part in parts]
    tied = [part for tie in regime.ties.values() for part in parts_of(sp.sympify(tie))]
    read(parts, Limit(regime, whole=regime.whole), regime.real, tied)
    for symbol, value in setting.ends:
        there = at_end(Case(regime), symbol, value).regime
        read([part.with_values({symbol: value}) for part in parts], Limit(there, whole=regime.whole), regime.real)


def prove(expr: sp.Expr, variable: sp.Symbol, strict: bool, interval: Interval, whole: bool) -> Truth:
    """Whether ``expr > 0`` (not ``strict``: ``>= 0``) on a range of its one variable.

    >>> x = sp.Symbol("x", real=True)
    >>> prove(x**2 + x + 1, x, True, Interval(), False)
    <Truth.ALWAYS: 'always'>
    """
    halves = [(1, interval)]
    if interval.low is None:
        zero, high = sp.S.Zero, interval.high
        below = high is None or high > 0
        halves = [(-1, Interval(zero if high is None or high > 0 else -high, interval.high_open and not below))]
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
        if low == 0 and not interval.low_open:  # of the expression as it stands: for a positive symbol sign(y) is 1
            Prover(expr, variable, strict).require(Fraction(0))
            piece = replace(piece, low_open=True) if not whole else replace(piece, low=Fraction(1))
        if piece.high is not None and piece.high < piece.low:
            return Truth.ALWAYS
        Prover(moved, y, strict).prove(piece)
    except Counterexample:
        return Truth.FAILS
    except GAVE_UP:
        return Truth.UNKNOWN
    return Truth.ALWAYS


def _fraction(value: sp.Rational) -> Fraction:
    return Fraction(int(value.p), int(value.q))
