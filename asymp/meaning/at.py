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

SMALL = 256
"""Bits of a number that is put in for its name at once."""
BITS = 4_096
Values = Mapping[str, Fraction]


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
    """The ground of a point, with the condition and the ranges there: short numbers are put in for their names."""
    small = {name: rational(v) for name, v in values.items() if height(v) <= SMALL}
    condition, binders = put(condition, binders, small)
    symbols = symbols_of(condition, binders)
    ranges = {s: Interval(x, False, x, False) for name, s in symbols.items() for x in [rational(values[name])]}
    left = {name: values[name] for name in symbols}
    whole = frozenset(n for n, v in left.items() if v.denominator == 1)
    return Here(ranges, prove, values=left, whole=whole), condition, binders


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
