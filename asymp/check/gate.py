"""The gate: every proof of an asymptotic statement is set against certified values of the statement as it was asked.

A proof by the engine, by explicit bounds, along a sequence or over residue classes says what |h/g| does.  Here the
*original* h and g are enclosed at points that the proof is about, and the answer is one of three:

* ``CONFIRMED``: at two points or more the balls are as the proof says, and at none otherwise;
* ``CONTRADICTED``: some ball excludes what the proof says;
* ``UNMEASURED``: fewer than two points could be enclosed well enough to tell.  It is never a confirmation.

>>> n = sp.Symbol("n", positive=True)
>>> q = Question(sp.sin(n), "O", sp.S.One)
>>> within(q, sp.S.One, whole_points(n)).finding.value, within(q, sp.Rational(1, 2), whole_points(n)).finding.value
('confirmed', 'contradicted')
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp

from asymp.claim import Evidence, Finding, Outcome, Step, Strength, Witness
from asymp.enclosure import Enclosure, InputError, Undecided, ball, enclose
from asymp.scale import Regime

FREE = sp.Integer(2)
"""The value of a parameter for which the regime names none."""
ENOUGH = 3
"""Points that agree, after which no more are tried."""
LEAST = 2
"""Points that must agree: one number alone confirms nothing."""
CLOSE = 1e-6
"""Relative distance within which two balls must agree to count as one value."""
APART = 1e12
"""|h/g| at least, where g is exactly 0 along the sequence and precision alone keeps the quotient finite."""
SIZES = (10**4, 10**8, 10**20, 10**50, 100, 12, 5, 3, 2, 1)
"""Members of a sequence to try, in order: nearer ones where the others are beyond any precision."""
BITS = (256, 2_000, 8_000)
Ball = Any
Point = Mapping[str, Any]


@dataclass(frozen=True)
class Question:
    """Is h = O(g), or o(g)?"""

    h: sp.Expr
    order: str
    g: sp.Expr

    def text(self) -> str:
        """As a statement."""
        return f"{self.h} = {self.order}({self.g})"


@dataclass(frozen=True)
class Gate:
    """What the numbers say, where they were taken, and in words."""

    finding: Finding
    points: tuple[Witness, ...] = ()
    detail: str = ""

    def line(self, outcome: Outcome) -> Evidence:
        """As evidence for an outcome; it decides nothing unless the numbers confirm it."""
        if self.finding is not Finding.CONFIRMED:
            outcome, strength = Outcome.UNDECIDED, Strength.NONE
        else:
            strength = Strength.SUPPORTED
        return Evidence("enclosed", outcome, strength, self.detail, self.points, finding=self.finding)

    def proof(self, outcome: Outcome, why: str, steps: tuple[Step, ...]) -> tuple[Evidence, ...]:
        """A proof with these numbers beside it; nothing where they do not confirm it."""
        if self.finding is not Finding.CONFIRMED:
            return ()
        return Evidence("symbolic", outcome, Strength.PROVED, why, steps=steps), self.line(outcome)


def together(gates: Iterable[Gate]) -> Gate:
    """One gate from several: each of them must be confirmed; none at all is no confirmation.

    >>> together([]).finding.value
    'unmeasured'
    """
    found = list(gates)
    for bad in (Finding.CONTRADICTED, Finding.UNMEASURED):
        for one in found:
            if one.finding is bad:
                return one
    if not found:
        return Gate(Finding.UNMEASURED, (), "there is nothing to measure")
    points = tuple(dict.fromkeys(_Key(p) for one in found for p in one.points))
    return Gate(Finding.CONFIRMED, tuple(key.point for key in points), found[0].detail)


def passes(lines: Iterable[Evidence]) -> Finding:
    """What the enclosed lines beside a proof say together: one that contradicts is enough, and no line says nothing.

    >>> passes([]).value
    'unmeasured'
    """
    found = [line.finding for line in lines if line.kind == "enclosed"]
    if Finding.CONTRADICTED in found:
        return Finding.CONTRADICTED
    return Finding.CONFIRMED if Finding.CONFIRMED in found else Finding.UNMEASURED


# --- the three tests -------------------------------------------------------------------------------


def within(q: Question, bound: sp.Expr, points: Iterable[Point]) -> Gate:
    """Whether |h| <= bound * |g| at the points."""

    def test(at: Point) -> tuple[bool | None, Ball]:
        h, g, most = (_value(x, at) for x in (q.h, q.g, bound))
        if h is None or g is None or most is None:
            return None, h
        edge = abs(most) * abs(g)
        if abs(h) > edge:
            return False, h
        # sharp bounds are met with equality: what cannot be told apart from the bound to CLOSE is within
        return True if abs(h).upper() <= edge.upper() * (1 + CLOSE) else None, h

    return _run(test, points, "certified values stay within the bound", "a certified value exceeds the bound")


def vanishes(expr: sp.Expr, points: Iterable[Point]) -> Gate:
    """Whether an expression that is said to be 0 has balls about 0 at the points."""

    def test(at: Point) -> tuple[bool | None, Ball]:
        value = _value(expr, at)
        if value is None:
            return None, None
        return (True if abs(value).upper() < CLOSE else None) if value.contains(0) else False, value

    return _run(test, points, "certified values cannot be told from 0", "a certified value is not 0")


def along(q: Question, plain: Question, points: Iterable[Point]) -> Gate:
    """Whether h/g at the points is what was put in for it, ``plain``; |h/g| is huge where the plain g is 0."""

    def test(at: Point) -> tuple[bool | None, Ball]:
        h, g = _value(q.h, at), _value(q.g, at)
        if h is None or g is None:
            return None, h
        if plain.g == 0 and plain.h != 0:
            if h.contains(0):
                return None, h
            return (True if abs(h).lower() > APART * abs(g).upper() else None if g.contains(0) else False), h
        other, under = _value(plain.h, at), _value(plain.g, at)
        if other is None or under is None:
            return None, h
        if plain.h == 0:
            return (True if abs(h).upper() <= CLOSE * (1 + abs(g).lower()) else None) if h.contains(0) else False, h
        if g.contains(0) or under.contains(0):
            return None, h
        left, right = h / g, other / under
        if not left.overlaps(right):
            return False, h
        return True if (left - right).abs_upper() <= CLOSE * abs(right).lower() else None, h

    good = "certified values of the statement agree with what it is along it"
    return _run(test, points, good, "a certified value of the statement is not what it is said to be along it")


def _run(test: Any, points: Iterable[Point], good: str, bad: str) -> Gate:
    kept: list[Witness] = []
    for at in points:
        said, value = test(at)
        if said is False:
            return Gate(Finding.CONTRADICTED, (_witness(at, value),), f"{bad}, at {_place(at)}")
        if said:
            kept.append(_witness(at, value))
        if len(kept) == ENOUGH:
            break
    if len(kept) < LEAST:
        return Gate(Finding.UNMEASURED, tuple(kept), "certified values could be had at fewer than two points")
    return Gate(Finding.CONFIRMED, tuple(kept), f"{good} at {len(kept)} points")


# --- points and values ------------------------------------------------------------------------------


def whole_points(n: sp.Symbol, start: int = 1, modulus: int = 1, residue: int = 0) -> Iterator[Point]:
    """n = start + modulus k + residue (start is made a multiple of the modulus), k far out and near."""
    start = -(-start // modulus) * modulus
    for k in SIZES:
        yield {n.name: sp.Integer(start + modulus * k + residue)}


def real_points(n: sp.Symbol, start: int = 1) -> Iterator[Point]:
    """Points between whole numbers too; at last some beside the start, where e^(-e^(e^n)) can still be resolved."""
    for index, k in enumerate(SIZES):
        yield {n.name: sp.Integer(start + k) + (sp.Rational(2 * index + 1, 7) if index % 3 else 0)}
    for eighths in range(8):
        yield {n.name: start + sp.Rational(eighths, 8)}


def complete(points: Iterable[Point], regime: Regime, used: set[sp.Symbol]) -> Iterator[Point]:
    """The points with values of all other symbols: ties at the point, the regime's instances, 2 where it names none."""
    instances = [{s.name: sp.sympify(x) for s, x in dict(i).items()} for i in regime.instances] or [{}]
    names = {s.name for s in used}
    scales = {s.name for s in regime.scales}
    for point, instance in ((point, instance) for point in points for instance in instances):
        at = {**instance, **point}
        known = {s: at[s.name] for s in _symbols(regime) if s.name in at and isinstance(at[s.name], sp.Basic)}
        for symbol, tie in regime.ties.items():
            value = tie.xreplace(known)
            if symbol.name not in at and not value.free_symbols:
                at[symbol.name] = value
        free = dict.fromkeys(names - set(at) - scales, FREE)
        yield {name: value for name, value in {**free, **at}.items() if name in names}


def _symbols(regime: Regime) -> set[sp.Symbol]:
    found = set(regime.scales) | set(regime.ranges)
    return found.union(*(tie.free_symbols for tie in regime.ties.values())) if regime.ties else found


def _value(expr: sp.Expr, at: Point) -> Ball:
    """A finite ball, as narrow as is needed where it excludes 0; None where there is none."""
    best = None
    height = max((_height(x) for x in at.values()), default=0)
    for bits in BITS:
        try:
            found = ball(expr, at, bits + 2 * height)
        except (Undecided, InputError, ValueError, ArithmeticError, NotImplementedError):
            break
        if not found.is_finite():
            continue
        best = found
        if found.is_exact() or found.rel_accuracy_bits() >= 40:
            break
    return best if best is not None else _exactly(expr, at)


def _exactly(expr: sp.Expr, at: Point) -> Ball:
    """The ball with exact integer parts: floor(log(E^100)) is 100, which no ball of the logarithm shows."""
    values = {s: at[s.name] for s in expr.free_symbols if s.name in at}
    if any(not isinstance(x, sp.Basic) or not _moderate(x) for x in values.values()):
        return None
    jumps = {j: j.func(j.args[0].subs(values)) for j in expr.atoms(sp.floor, sp.ceiling) if _plain(j.args[0])}
    jumps = {j: value for j, value in jumps.items() if value.is_Integer}
    if not jumps:
        return None
    try:
        found = ball(expr.xreplace(jumps), at, BITS[1])
    except (Undecided, InputError, ValueError, ArithmeticError, NotImplementedError):
        return None
    return found if found.is_finite() else None


def _plain(expr: sp.Expr) -> bool:
    """Whether SymPy puts a number into it at once: logarithms, and numbers as exponents."""
    return all(
        x.is_Symbol or x.is_number or x.is_Add or x.is_Mul or isinstance(x, sp.log) or (x.is_Pow and x.exp.is_number)
        for x in sp.preorder_traversal(expr)
    )


def _moderate(value: sp.Expr) -> bool:
    """Whether SymPy may be trusted with it: it writes powers of whole numbers out in full."""
    return bool(value.is_number and abs(sp.log(abs(value) + 1).evalf(5)) < 300 and _height(value) < 300)


def _height(value: Any) -> int:
    if isinstance(value, sp.Basic):
        return max((max(abs(int(x.p)), int(x.q)).bit_length() for x in value.atoms(sp.Rational)), default=0)
    return 0


def _place(at: Point) -> str:
    return ", ".join(f"{name} = {shown(value)}" for name, value in at.items())


def _witness(at: Point, value: Ball) -> Witness:
    return Witness({name: shown(x) for name, x in at.items()}, value.mid().str(10, radius=False),
                   value.rad().str(2, radius=False))


def shown(value: Any) -> str:
    """A coordinate: exact where that is short, rounded with "about" where it is not.

    >>> shown(sp.Integer(10) ** 20), shown(2 * sp.pi * 10**20 + sp.pi / 2), shown(sp.Integer(10) ** 50 + 1)
    ('1e20', 'about 6.283185307e+20', 'about 1e50')
    """
    if isinstance(value, Enclosure):
        return f"about {value.value[:20]}"
    if isinstance(value, sp.Rational) and not value.is_Integer and max(abs(value.p), value.q) > 10**12:
        return f"about {float(value):.10g}"
    if not isinstance(value, sp.Integer):
        if len(str(value)) <= 12:
            return str(value)
        with contextlib.suppress(Undecided, InputError):
            return f"about {enclose(value, digits=10).value}"
        return "a number of many digits"
    text = str(value)
    digits = len(text) - 1
    if len(text) <= 9:
        return text
    head = text.rstrip("0")
    return f"{head}e{len(text) - len(head)}" if len(head) <= 9 else f"about {text[0]}e{digits}"


@dataclass(frozen=True)
class _Key:
    """A witness, told apart by what is shown of it."""

    point: Witness

    def __hash__(self) -> int:
        return hash((tuple(self.point.at.items()), self.point.value))
