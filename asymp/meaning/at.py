"""One point: what is known of signs there is what certified values say.

>>> from asymp.functions.row import Positive
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
from asymp.functions.parts import Binder
from asymp.functions.row import Condition
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
    symbols = {s for expr in _expressions(condition, binders) for s in _exploding(expr)}
    for binder in reversed(binders):  # it goes to the ends of its range
        symbols |= binder.low.free_symbols | binder.high.free_symbols if binder.symbol in symbols else set()
    heavy = {s.name for s in symbols}
    heavy &= {name for name, v in values.items() if height(v) > LIGHT}
    small = {name: rational(v) for name, v in values.items() if height(v) <= SMALL and name not in heavy}
    condition, binders = put(condition, binders, small)
    left = symbols_of(condition, binders)
    ranges = {s: Interval(x, False, x, False) for k, s in left.items() if k not in heavy for x in [rational(values[k])]}
    known = {name: values[name] for name in left}
    whole = frozenset(n for n, v in known.items() if v.denominator == 1)
    return Here(ranges, prove, values=known, whole=whole), condition, binders


def _expressions(condition: Condition, binders: tuple[Binder, ...]) -> Iterator[sp.Expr]:
    for part in getattr(condition, "parts", ()):
        yield from _expressions(part, ())
    if hasattr(condition, "expr"):
        yield condition.expr
    for binder in binders:
        yield from (binder.low, binder.high)


def _exploding(expr: sp.Expr) -> set[sp.Symbol]:
    """The symbols in exponents, and in functions that SymPy evaluates at numbers."""
    found: set[sp.Symbol] = set()
    for part in sp.preorder_traversal(expr):
        if part.is_Pow and part.base is not sp.E:
            found |= part.exp.free_symbols
        elif part.is_Function and not isinstance(part, _TAME):
            found |= part.free_symbols
    return found


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
