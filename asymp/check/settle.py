"""Typed bounds in one variable, on any range: proved by explicit expansions and balls, or refuted by one point.

How a range is covered is told in :mod:`asymp.check.inequality`; here a statement is read (which numbers the variable
runs through, what oscillates or jumps in it) and the answer put into words.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction

import sympy as sp

import asymp.symbolics as sy
from asymp import budget
from asymp.budget import Budget
from asymp.check import finite
from asymp.check.domains import typed
from asymp.check.inequality import Counterexample, Piece, Prover, Stuck
from asymp.check.points import short
from asymp.claim import Bound, Domain, Evidence, Outcome, Step, Strength
from asymp.domain import Interval
from asymp.enclosure import InputError, Undecided
from asymp.expansion import Refused
from asymp.language.kinds import WHOLE_LETTERS

MOST_CORNERS = 3


def settle(relation: Bound) -> Evidence | None:
    """A proof for the whole range or one certified counterexample; None where the range is not one of one variable.

    What oscillates (sin, cos, (-1)^n) or jumps (floor, ceiling) is replaced with a number of its range, in which D
    must be linear: D >= 0 at both ends then gives D >= 0.

    >>> from asymp.claim import Domain
    >>> n = sp.Symbol("n", positive=True)
    >>> found = settle(Bound(n**2, "<=", 2**n, Domain("n >= 4")))
    >>> found.outcome.value, found.steps[0].rule
    ('holds', 'positive for all n >= 5, by an expansion with explicit remainder')
    >>> settle(Bound(n**2, "<=", 2**n, Domain("n >= 3"))).detail
    'fails at n = 3: 9 <= 8 is false'
    """
    lhs, rhs = relation.lhs, relation.rhs
    if not isinstance(lhs, sp.Expr) or not isinstance(rhs, sp.Expr):
        return None
    free = (lhs - rhs).free_symbols or lhs.free_symbols | rhs.free_symbols
    if not free:
        return _numbers(relation)
    domain = typed(relation.domain)
    if len(free) != 1 or set(domain.ranges or ()) != {symbol.name for symbol in free}:
        return None
    (variable,) = free
    assert domain.ranges is not None
    bounds = domain.ranges[variable.name]
    x = sp.Symbol(variable.name, positive=True)
    difference = rhs - lhs if relation.op[0] == "<" else lhs - rhs
    strict = len(relation.op) == 1
    whole = variable.name in domain.whole
    likely = variable.name in WHOLE_LETTERS and variable.name not in domain.whole | domain.real
    steps: list[Step] = []
    try:
        if bounds.holds(sp.S.Zero):  # x is positive in what follows: 0 by itself, negative numbers as -x
            steps += _at_zero(difference, variable, strict)
        for way in (1, -1):
            piece = _side(bounds, way, whole)
            if piece is None:
                continue
            d = difference.subs(variable, way * x)
            try:
                steps += _found(d, x, strict, piece)
            except Counterexample as at:
                point = way * at.point
                if at.point.denominator != 1 and likely and way == 1:
                    return _between_whole_numbers(relation, d, x, strict, piece, point)
                return _failure(relation, variable, point)
    except Counterexample as at:
        return _failure(relation, variable, at.point)
    except Stuck as stuck:
        return Evidence("symbolic", Outcome.UNDECIDED, Strength.NONE, f"not proved for all of {relation.domain.text}: {stuck}")
    except (Refused, Undecided, InputError, NotImplementedError, RecursionError) as error:
        why = f"not proved for all of {relation.domain.text}: {error}"
        return Evidence("symbolic", Outcome.UNDECIDED, Strength.NONE, why)
    if not steps:
        return Evidence("symbolic", Outcome.UNDECIDED, Strength.NONE, f"not proved for all of {relation.domain.text}")
    detail = "proved for the whole domain: " + "; ".join(step.rule for step in steps)
    return Evidence("symbolic", Outcome.HOLDS, Strength.PROVED, detail, steps=tuple(steps))


def _found(d: sp.Expr, x: sp.Symbol, strict: bool, piece: Piece) -> list[Step]:
    """A proof; where there is none, a counterexample is looked for once more."""
    try:
        return _prove(d, x, strict, piece)
    except Stuck:
        Prover(d, x, strict).search(piece)
        raise


def _at_zero(difference: sp.Expr, variable: sp.Symbol, strict: bool) -> list[Step]:
    """D >= 0 (or > 0) at 0, of D as it stands: for a positive symbol sign(x) is 1, and it is 0 there."""
    Prover(difference, variable, strict).require(Fraction(0))
    return [Step(f"D(0) {'>' if strict else '>='} 0", rf"D = {sy.latex(difference)}")]


def _side(bounds: Interval, way: int, whole: bool) -> Piece | None:
    """The numbers y > 0 with way * y in the range; None where there are none."""
    low, low_open, high, high_open = bounds.low, bounds.low_open, bounds.high, bounds.high_open
    if way == -1:
        low, low_open, high, high_open = (
            None if high is None else -high, high_open, None if low is None else -low, low_open,
        )
    if low is None or low <= 0:
        low, low_open = sp.S.Zero, True
    ends = Interval(low, low_open, high, high_open)
    if ends.is_empty(whole):
        return None
    top = None if high is None else Fraction(int(high.p), int(high.q))
    return Piece(Fraction(int(low.p), int(low.q)), low_open, top, high_open, whole)


def _numbers(relation: Bound) -> Evidence:
    """A comparison of two numbers: one certified comparison proves it."""
    line = finite.bound_on_grid(replace(relation, domain=Domain.points()))
    if line.outcome is not Outcome.HOLDS:
        return line
    steps = (Step("both sides are numbers, compared by balls", ""),)
    return Evidence("symbolic", Outcome.HOLDS, Strength.PROVED, steps[0].rule, steps=steps)


def _between_whole_numbers(
    relation: Bound, d: sp.Expr, x: sp.Symbol, strict: bool, piece: Piece, point: Fraction
) -> Evidence:
    """It fails between whole numbers, and the name suggests a whole number: refuted only if it fails there too."""
    whole = replace(piece, whole=True)
    try:
        try:
            _prove(d, x, strict, whole)
        except Stuck:
            Prover(d, x, strict).search(whole)
            raise
        also = f"holds for whole {x}"
    except Counterexample as at:
        return _failure(relation, x, at.point)
    except (Refused, Undecided, InputError, NotImplementedError, RecursionError):
        also = f"is not decided for whole {x}"
    why = f"fails at {x} = {point} but {also}: say 'for real {x} ...' or 'for integer {x} ...'"
    return Evidence("symbolic", Outcome.UNDECIDED, Strength.NONE, why)


def _failure(relation: Bound, variable: sp.Symbol, point: Fraction) -> Evidence:
    """The counterexample, certified again from the two sides as stated."""
    value = sp.Rational(point.numerator, point.denominator)
    domain = Domain(relation.domain.text, ({variable.name: value},))
    if abs(point.numerator) >= 10**1000 or point.denominator >= 10**1000:  # too long to print
        detail = f"fails at {variable.name} = {short(point)}"
        return Evidence("enclosed", Outcome.REFUTED, Strength.CERTIFIED, detail)
    line = finite.bound_on_grid(replace(relation, domain=domain))
    if line.outcome is Outcome.REFUTED:
        return line
    # no ball tells equal numbers apart: the difference vanished by algebra
    detail = f"fails at {variable.name} = {point}: the two sides are equal there"
    return Evidence("symbolic", Outcome.REFUTED, Strength.CERTIFIED, detail)


def _prove(d: sp.Expr, x: sp.Symbol, strict: bool, piece: Piece, purse: Budget | None = None) -> list[Step]:
    purse = purse or Budget(budget.BOUND)
    jumps = [a for a in d.atoms(sp.floor, sp.ceiling) if x in a.free_symbols]
    signs = [a for a in d.atoms(sp.Pow) if a.base == -1 and x in a.exp.free_symbols]
    waves = [a for a in d.atoms(sp.sin, sp.cos) if x in a.free_symbols]
    stuck: Exception
    if not jumps and not signs:
        prover = Prover(d, x, strict, purse)
        try:
            if x not in d.free_symbols:
                return _constant(prover, piece)
            prover.prove(piece)
            return prover.steps
        except Stuck as failed:
            if not waves:
                raise
            stuck = failed
    else:
        stuck = Stuck("D is not linear in what jumps or oscillates")
    try:
        return _corners(d, x, strict, piece, jumps, [*signs, *waves], purse, stuck)
    except Stuck:
        if not jumps or signs or piece.whole:
            raise
        return _between_jumps(d, x, strict, piece, jumps, purse, stuck)


def _between_jumps(
    d: sp.Expr, x: sp.Symbol, strict: bool, piece: Piece, jumps: list[sp.Expr], purse: Budget, stuck: Exception
) -> list[Step]:
    """Between the jumps of floor(p x + q) D is smooth; far out it must be decided by the ends of what jumps."""
    steps, high = [], piece.high
    if high is None:
        waves = [a for a in d.atoms(sp.sin, sp.cos) if x in a.free_symbols]
        for reach in (3, 12, 50):
            high = piece.low + reach
            try:
                steps = _corners(d, x, strict, Piece(high, False, None, True), jumps, waves, purse, stuck)
                break
            except Stuck:
                continue
        else:
            raise stuck
    cuts = {piece.low, high}
    for jump in jumps:
        argument = sy.expand(jump.args[0])
        rate = argument.coeff(x, 1)
        shift = argument - rate * x
        if not (rate.is_Rational and rate > 0 and shift.is_Rational):
            raise stuck
        first, last = (rate * sp.Rational(end) + shift for end in (piece.low, high))
        if last - first > 300:
            raise stuck
        places = [(k - shift) / rate for k in range(int(sp.ceiling(first)), int(sp.floor(last)) + 1)]
        cuts |= {Fraction(int(p.p), int(p.q)) for p in places}
    ordered = sorted(cuts)
    whole = Prover(d, x, strict, purse)
    for cut in ordered:
        if (cut > piece.low or not piece.low_open) and (cut < high or piece.high is None or not piece.high_open):
            whole.require(cut)
    for a, b in itertools.pairwise(ordered):
        middle = sp.Rational((a + b) / 2)
        smooth = d.xreplace({jump: jump.subs(x, middle) for jump in jumps})
        prover = Prover(smooth, x, strict, purse)
        prover.prove(Piece(a, True, b, True))
    return [*steps, Step(f"positive at {len(ordered)} jumps and between them up to {x} = {high}", "")]


def _constant(prover: Prover, piece: Piece) -> list[Step]:
    inside = piece.low + 1 if piece.high is None else (piece.low + piece.high) / 2
    prover.require(inside if piece.low_open else piece.low)
    return [Step("D is a number of the right sign", f"D = {sy.latex(prover.d)}")]


def _corners(
    d: sp.Expr, x: sp.Symbol, strict: bool, piece: Piece,
    jumps: list[sp.Expr], waves: list[sp.Expr], purse: Budget, stuck: Exception,
) -> list[Step]:  # fmt: skip
    """D >= 0 where it is linear in numbers r of known ranges and D >= 0 at the ends of all of these."""
    names: dict[sp.Expr, sp.Symbol] = {a: sp.Dummy("r", real=True) for a in [*jumps, *waves]}
    if not 0 < len(names) <= MOST_CORNERS:
        raise stuck
    inside = {a: r if a in waves else (a.args[0] - r if isinstance(a, sp.floor) else a.args[0] + r)
              for a, r in names.items()}  # fmt: skip
    linear = sy.expand(d.xreplace(inside))
    if any(sy.expand(sy.diff(linear, r)).has(r) for r in names.values()):
        raise stuck
    steps = [Step("linear in what jumps or oscillates: shown at the ends of its range", "")]
    ends = [((-1, False), (1, False)) if a in waves else ((0, False), _last(a, piece)) for a in names]
    for corner in itertools.product(*ends):
        at = linear.subs(dict(zip(names.values(), (value for value, _ in corner), strict=True)))
        try:
            steps += _prove(sy.expand(at), x, strict and not any(open_ for _, open_ in corner), piece, purse)
        except Counterexample as failed:  # of the corner, which need not be attained
            raise stuck from failed
    return steps


def _last(jump: sp.Expr, piece: Piece) -> tuple[sp.Expr, bool]:
    """The largest fractional part (x - floor x, ceiling x - x), and whether it is only approached."""
    if piece.whole:
        poly = sy.expand(jump.args[0])
        (x,) = poly.free_symbols
        if poly.is_polynomial(x):
            coefficients = sy.poly(poly, x).all_coeffs()
            if all(c.is_Rational for c in coefficients):
                q = sp.ilcm(1, *(c.q for c in coefficients))
                return sp.Rational(q - 1, q), False
    return sp.S.One, True
