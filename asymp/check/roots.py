"""Evidence that an equation has exactly one root in an open range: the changes of sign that are seen.

* two changes of sign refute it: between numbers of different sign a continuous function has a zero;
* one change of sign supports it (that the slope has one sign is for the kernel to prove: :mod:`asymp.prove.roots`);
* the different roots of a polynomial are counted by Sturm's theorem, also those at which it does not change its sign.

>>> x = sp.Symbol("x", positive=True)
>>> from asymp.domain import Domain, Interval
>>> found = evidence(Root(x * sp.exp(x) - 3, x, Domain("x in (0, oo)", (), {"x": Interval(sp.S.Zero, True)})))
>>> found[0].outcome.value, found[0].strength.value
('holds', 'supported')
"""

from __future__ import annotations

import itertools

import sympy as sp

import asymp.symbolics as sy
from asymp.claim import Evidence, Outcome, Root, Step, Strength, Witness
from asymp.domain import Interval
from asymp.enclosure import InputError, Undecided, ball

BITS = 256
MOST_DEGREE = 40
INSIDE = 48
"""Points of a finite range at which the sign is asked."""
_ROUGH = (sp.floor, sp.ceiling, sp.Abs, sp.sign, sp.Min, sp.Max)


def evidence(relation: Root) -> list[Evidence]:
    """One line: proved, refuted by certified signs, or supported by one change of sign that was seen."""
    assert relation.domain.ranges is not None
    interval = relation.domain.ranges[relation.variable.name]
    if relation.expr.has(*_ROUGH) or relation.expr.free_symbols != {relation.variable}:
        return [_line(Outcome.UNDECIDED, Strength.NONE, "not a smooth function of its one variable")]
    signs = [(point, sign) for point in _points(interval) if (sign := _sign(relation, point)) is not None]
    zeros = [point for point, sign in signs if sign == 0]
    strict = [(point, sign) for point, sign in signs if sign]
    changes = [(a, b) for (a, s), (b, t) in itertools.pairwise(strict) if s != t]
    witnesses = tuple(_witness(relation, point) for pair in changes[:2] for point in pair)
    isolated = [z for z in zeros if not any(a < z < b for a, b in changes)]
    if len(changes) + len(isolated) > 1:
        where = "; ".join(f"between {a} and {b}" for a, b in changes[:3]) or ", ".join(map(str, zeros))
        return [_line(Outcome.REFUTED, Strength.CERTIFIED, f"more than one root: {where}", witnesses)]
    if (count := _counted(relation, interval)) is not None:
        detail = f"{count} different root{'s' * (count != 1)} in the range, by Sturm's theorem"
        steps = (Step(detail, sy.latex(relation.expr)),)
        outcome = Outcome.HOLDS if count == 1 else Outcome.REFUTED
        return [Evidence("symbolic", outcome, Strength.PROVED, detail, witnesses, steps=steps)]
    if not changes and not zeros:
        return [_line(Outcome.UNDECIDED, Strength.NONE, "no change of sign is seen")]
    return [_line(Outcome.HOLDS, Strength.SUPPORTED, "one change of sign is seen; no other is excluded", witnesses)]


def _counted(relation: Root, interval: Interval) -> int | None:
    """The number of different roots in the open range, of a multiple of a polynomial with rational coefficients; else None."""
    x = relation.variable
    if not relation.expr.is_polynomial(x):
        return None
    try:
        first, *rest = sy.poly(relation.expr, x).all_coeffs()
    except sy.SymbolicFailure:
        return None
    found = [sp.Integer(1), *(c / first for c in rest)]
    if not 0 < len(rest) <= MOST_DEGREE or not all(c.is_Rational for c in found):
        return None
    poly = sy.poly(sum(c * x**k for k, c in enumerate(reversed(found))), x).sqf_part()
    ends = [end for end in (interval.low, interval.high) if end is not None]
    inside = poly.count_roots(interval.low, interval.high)
    return int(inside - sum(1 for end in ends if poly.eval(end) == 0))


def _line(outcome: Outcome, strength: Strength, detail: str, points: tuple[Witness, ...] = ()) -> Evidence:
    return Evidence("enclosed", outcome, strength, detail, points)


def _points(interval: Interval) -> list[sp.Rational]:
    """Points of the range in order: evenly inside, near its ends, and far out where it is infinite."""
    far = [sp.Integer(10) ** k for k in (1, 2, 4, 8)]
    near = [1 / step for step in far]
    if interval.low is not None and interval.high is not None:
        width = interval.high - interval.low
        inner = [interval.low + width * k / (INSIDE + 1) for k in range(1, INSIDE + 1)]
        inner += [interval.low + width * step for step in near] + [interval.high - width * step for step in near]
    elif interval.low is not None:
        inner = [interval.low + step for step in (*near, *(sp.Rational(k, 4) for k in range(1, INSIDE)), *far)]
    elif interval.high is not None:
        inner = [interval.high - step for step in (*near, *(sp.Rational(k, 4) for k in range(1, INSIDE)), *far)]
    else:
        inner = [sp.Rational(k, 4) for k in range(-INSIDE, INSIDE + 1)] + far + [-step for step in far]
    return sorted(set(inner))


def _sign(relation: Root, point: sp.Rational) -> int | None:
    """The certified sign, None where it is not known."""
    try:
        found = ball(relation.expr, {relation.variable.name: point}, BITS)
    except (Undecided, InputError, ArithmeticError, ValueError, TypeError):
        return None
    if found > 0 or found < 0:
        return 1 if found > 0 else -1
    return 0 if found == 0 else None


def _witness(relation: Root, point: sp.Rational) -> Witness:
    found = ball(relation.expr, {relation.variable.name: point}, BITS)
    return Witness({relation.variable.name: str(point)}, str(found.mid())[:40], str(found.rad())[:20])
