"""The parts of a statement that may be undefined: functions, powers, quotients, sums, as they were written.

SymPy evaluates what it builds (log(x) - log(x) is 0, cos(acos(x)) is x, x/x is 1), so that the parts are noted
while a typed text is read; an expression that was made by code is walked as it stands.

>>> x = sp.Symbol("x")
>>> [str(part.condition()) for part in parts_of(sp.log(1 - x) / x)]
['x != 0', '1 - x > 0']
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

from asymp.functions.conditions import Both, Condition, Never, Nonzero, Whole
from asymp.functions.symbolic import NAMED, power, row_of


@dataclass(frozen=True)
class Binder:
    """A bound variable of a part: that of a Sum or Product (whole, ends belong to it) or of an Integral."""

    symbol: sp.Symbol
    low: sp.Expr
    high: sp.Expr
    operator: str

    @property
    def whole(self) -> bool:
        """Whether it runs through whole numbers."""
        return self.operator != "Integral"


@dataclass(frozen=True)
class Part:
    """One operation of a statement.

    Args:
        head: the function's name in the table, or ``power``, ``divide``, ``Sum``, ``Product``, ``Integral``; ``whole``
            where it has to be that.
        arguments: what it is applied to (a power's base and exponent, a quotient's divisor, an operator's ends).
        text: as it is written.
        binders: the bound variables it stands under, the outermost first.
        total: of a Sum, Product or Integral over one range, its variable and its body.
    """

    head: str
    arguments: tuple[sp.Expr, ...]
    text: str
    binders: tuple[Binder, ...] = ()
    total: tuple[sp.Symbol, sp.Expr] | None = None

    def condition(self) -> Condition:
        """Where it is real (of a sum: nothing, its ends are another question)."""
        if self.head == "power":
            return power(*self.arguments)
        if self.head == "divide":
            return Nonzero(self.arguments[0])
        if self.head == "whole":
            return Whole(self.arguments[0])
        if self.head in ("Sum", "Product", "Integral"):
            return Both()
        row = NAMED.get(self.head)
        return Never(f"where {self.head} is real is not known") if row is None else row.real(self.arguments)

    def with_values(self, values: dict[sp.Symbol, sp.Expr]) -> Part:
        """The part with some symbols replaced."""
        free = {s: v for s, v in values.items() if s not in {b.symbol for b in self.binders}}
        bound = tuple(Binder(b.symbol, b.low.subs(free), b.high.subs(free), b.operator) for b in self.binders)
        total = None
        if self.total is not None:
            total = self.total[0], self.total[1].subs({s: v for s, v in free.items() if s != self.total[0]})
        return Part(self.head, tuple(x.subs(free) for x in self.arguments), self.text, bound, total)


def parts_of(expr: sp.Expr, binders: tuple[Binder, ...] = ()) -> Iterator[Part]:
    """The parts of an expression: each after those it is made of, the summand of a sum after its ends."""
    if isinstance(expr, (sp.Sum, sp.Product, sp.Integral)):
        inner = binders
        for limit in reversed(expr.limits):
            if len(limit) != 3:
                yield Part("an operator without ends", (), str(expr), binders)
                return
            symbol, low, high = limit
            for end in (low, high):
                yield from parts_of(end, inner)
            single = (symbol, expr.function) if len(expr.limits) == 1 else None
            yield Part(type(expr).__name__, (low, high), str(expr), inner, single)
            inner = (*inner, Binder(symbol, low, high, type(expr).__name__))
        yield from parts_of(expr.function, inner)
        return
    for argument in expr.args:
        if isinstance(argument, sp.Expr):
            yield from parts_of(argument, binders)
    if expr.is_Pow and expr.base is not sp.E:
        base, exponent = expr.args
        if exponent == -1:
            yield Part("divide", (base,), str(expr), binders)
        elif not (exponent.is_Integer and exponent > 0):
            yield Part("power", (base, exponent), str(expr), binders)
    elif expr.args and not (expr.is_Add or expr.is_Mul or expr.is_Pow or isinstance(expr, sp.exp)):
        row = row_of(expr.func)
        yield Part(row.row.name if row else type(expr).__name__, tuple(expr.args), str(expr), binders)
