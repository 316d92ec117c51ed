"""One point: what is known of signs there is what certified values say.

>>> from asymp.functions.conditions import Positive
>>> n = sp.Symbol("n", positive=True)
>>> ground, _, _ = at_values(Positive(sp.log(n) - 5), (), {"n": Fraction(10) ** 1000})
>>> ground.signs(sp.log(n) - 5)
frozenset({1})
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import sympy as sp

from asymp.domain import Interval
from asymp.enclosure import InputError, Undecided, sign
from asymp.functions.conditions import Condition
from asymp.functions.parts import Binder
from asymp.meaning.ground import Box, Point, Prove
from asymp.meaning.points import put, symbols_of
from asymp.meaning.signs import GAVE_UP, Signs

LIGHT = 6
"""Bits of an exponent that is put in for its name."""
SMALL = 256
"""Bits of a number that is put in for its name at once."""
BITS = 4_096
Values = Mapping[str, Fraction]
_TAME = (sp.log, sp.exp, sp.floor, sp.ceiling, sp.Abs, sp.Min, sp.Max)


@dataclass(frozen=True)
class Here(Box):
    """A box that is one point: signs are those of certified values."""

    values: Values = field(default_factory=dict)

    def signs(self, expr: sp.Expr) -> Signs | None:
        """The one sign there; None: not known."""
        if {s.name for s in expr.free_symbols} <= set(self.values):
            found = sign_at(expr, self.values)
            return None if found is None else frozenset({found})
        return super().signs(expr)

    def points(self) -> Iterator[Point]:
        """The point."""
        yield dict(self.values)


def at_values(
    condition: Condition, binders: tuple[Binder, ...], values: Values, prove: Prove | None = None
) -> tuple[Here, Condition, tuple[Binder, ...]]:
    """The ground of a point, with the condition and the ranges there: short numbers are put in for their names.

    Not where SymPy would write out what they make: (1 - p)^n, or n!, at n = 10^8; there a name stays a name.
    """
    growing: set[sp.Symbol] = set()
    towers: set[sp.Symbol] = set()
    for expr in expressions(condition, binders):
        for part in exploding(expr):
            growing |= part.free_symbols
            towers |= part.free_symbols if any(exploding(part)) else set()
    for binder in reversed(binders):  # it goes to the ends of its range
        if binder.symbol in growing:
            ends = binder.low.free_symbols | binder.high.free_symbols
            growing, towers = growing | ends, towers | ends
    long = {name for name, v in values.items() if height(v) > LIGHT}
    heavy = {s.name for s in growing if s.name in long or s in towers}
    small = {name: rational(v) for name, v in values.items() if height(v) <= SMALL and name not in heavy}
    condition, binders = put(condition, binders, small)
    left = symbols_of(condition, binders)
    ranges = {s: Interval(x, False, x, False) for k, s in left.items() if k not in heavy for x in [rational(values[k])]}
    known = {name: values[name] for name in left}
    whole = frozenset(n for n, v in known.items() if v.denominator == 1)
    return Here(ranges, prove, values=known, whole=whole), condition, binders


def expressions(condition: Condition, binders: tuple[Binder, ...]) -> Iterator[sp.Expr]:
    """Of a condition, and the ends of the ranges."""
    for part in getattr(condition, "parts", ()):
        yield from expressions(part, ())
    if hasattr(condition, "expr"):
        yield condition.expr
    for binder in binders:
        yield from (binder.low, binder.high)


def exploding(expr: sp.Expr) -> Iterator[sp.Expr]:
    """Exponents, and arguments of functions that SymPy evaluates at numbers, where they have symbols."""
    for part in sp.preorder_traversal(expr):
        if part.is_Pow and part.base is not sp.E and part.exp.free_symbols:
            yield part.exp
        elif part.is_Function and not isinstance(part, _TAME):
            yield from (x for x in part.args if x.free_symbols)


def sign_at(expr: sp.Expr, values: Values) -> int | None:
    """The certified sign at the point; None: not known."""
    try:
        return sign(expr, {n: v for n, v in values.items() if n in {s.name for s in expr.free_symbols}}, BITS)
    except (Undecided, InputError, *GAVE_UP):
        return None


def height(value: Fraction) -> int:
    """Bits of the longer of numerator and denominator."""
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def rational(value: Fraction) -> sp.Rational:
    """The same number as SymPy's."""
    return sp.Rational(value.numerator, value.denominator)
