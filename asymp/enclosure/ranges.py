"""The range of an expression over an interval, which may be unbounded.

Interval arithmetic with exact ends: a monotone function is bounded by its values at the two ends, so that
wide intervals and [T, oo) cost nothing.  Midpoint and radius would lose there.

>>> t = sp.Symbol("t")
>>> low, high = span(sp.exp(-t) - 2, t).over(arb(1), arb.pos_inf())
>>> bool(low >= -2), bool(high < -1)
(True, True)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import sympy as sp
from flint import arb, ctx

import asymp.symbolics as sy
from asymp.budget import uncounted
from asymp.enclosure.arithmetic import to_ball
from asymp.enclosure.functions import FUNCTIONS as BALLS
from asymp.enclosure.numbers import Undecided
from asymp.functions.conditions import X
from asymp.functions.symbolic import expression, row_of
from asymp.functions.table import NAMED


class Span(NamedTuple):
    """All reals from ``low`` to ``high``; an infinite end is not attained."""

    low: arb
    high: arb

    @property
    def sign(self) -> int | None:
        """1 or -1 where all of it is above or below 0."""
        return 1 if self.low > 0 else -1 if self.high < 0 else None


WHOLE = Span(arb.neg_inf(), arb.pos_inf())
Evaluate = Callable[[Span, Mapping[str, Span]], Span]


def make(low: arb, high: arb) -> Span:
    """From two balls: everything between the lower end of the first and the upper end of the second."""
    if low.is_nan() or high.is_nan():
        return WHOLE
    a = low if not low.is_finite() and low < 0 else low.lower()
    b = high if not high.is_finite() and high > 0 else high.upper()
    return WHOLE if a.is_nan() or b.is_nan() else Span(a, b)


def _point(value: arb) -> Span:
    return make(value, value)


def _sum(a: Span, b: Span) -> Span:
    return make(a.low + b.low, a.high + b.high)


def _times(x: arb, y: arb) -> arb:
    # an infinite end is not attained: 0 times it bounds by 0
    return arb(0) if x.is_zero() or y.is_zero() else x * y


def _product(a: Span, b: Span) -> Span:
    ends = [_times(x, y) for x in a for y in b]
    if any(e.is_nan() for e in ends):
        return WHOLE
    return make(_least(ends), -_least([-e for e in ends]))


def _least(values: list[arb]) -> arb:
    best = values[0]
    for value in values[1:]:
        if value.is_finite() and best.is_finite():
            best = best.min(value)
        elif value < best:
            best = value
    return best


def hull(spans: Sequence[Span]) -> Span:
    """The least that holds all of them."""
    return make(_least([a.low for a in spans]), -_least([-a.high for a in spans]))


def meet(spans: Sequence[Span]) -> Span:
    """What lies in all of them; an end that is not finite is none."""
    return Span(_greatest([a.low for a in spans]), -_greatest([-a.high for a in spans]))


def _greatest(bounds: list[arb]) -> arb:
    best = bounds[0]
    for bound in bounds[1:]:
        best = bound if not best.is_finite() or (bound.is_finite() and bound > best) else best
    return best


def _inverse(a: Span) -> Span:
    if a.low > 0:
        return make(arb(0) if not a.high.is_finite() else 1 / a.high, 1 / a.low)
    if a.high < 0:
        return make(1 / a.high, arb(0) if not a.low.is_finite() else 1 / a.low)
    if a.low.is_zero():
        return make(arb(0) if not a.high.is_finite() else 1 / a.high, arb.pos_inf())
    if a.high.is_zero():
        return make(arb.neg_inf(), arb(0) if not a.low.is_finite() else 1 / a.low)
    return WHOLE


def _integer_power(a: Span, n: int) -> Span:
    if n < 0:
        return _inverse(_integer_power(a, -n))
    if n == 0:
        return Span(arb(1), arb(1))

    def raised(x: arb) -> arb:
        return x**n if x.is_finite() else (arb.pos_inf() if x > 0 or n % 2 == 0 else arb.neg_inf())

    if n % 2 or a.low >= 0:
        return make(raised(a.low), raised(a.high))
    if a.high <= 0:
        return make(raised(a.high), raised(a.low))
    if not (a.low.is_finite() and a.high.is_finite()):
        return Span(arb(0), arb.pos_inf())
    return make(arb(0), (-a.low).max(a.high) ** n)


@uncounted
@lru_cache(maxsize=256)
def _of_row(name: str) -> Callable[[Span], Span]:
    """A function of the table, on what lies in the interval where it is real; its values at infinity are ends of its range.

    One that is monotone there has its bounds at the ends; of another the ball around all is cut to its range.
    """
    row = NAMED[name]
    needed = [(kind, span(expression(text), X)) for kind, text in row.inside or ()]
    (value, _), least, most = BALLS[name], row.values.low or "-oo", row.values.high or "oo"

    def at(x: arb) -> arb:
        if x.is_finite():
            return to_ball(value((x,)))
        return _end(most) if (x > 0) is (row.slope > 0) else _end(least)

    def bounds(a: Span) -> Span:
        if not all(low > 0 or (kind == ">=" and low >= 0) for kind, low in ((kind, f.over(*a).low) for kind, f in needed)):
            return WHOLE
        if row.slope:
            return make(at(a.low), at(a.high)) if row.slope > 0 else make(at(a.high), at(a.low))
        low, high = _end(least), _end(most)
        if a.low.is_finite() and a.high.is_finite():
            around = to_ball(value((a.low.union(a.high),)))
            if around.is_finite():
                return make(around.max(low) if low.is_finite() else around, around.min(high) if high.is_finite() else around)
        return make(low, high)

    return bounds


def _end(text: str) -> arb:
    known = {"oo": arb.pos_inf, "-oo": arb.neg_inf, "pi/2": _half_pi, "-pi/2": lambda: -_half_pi()}
    return known[text]() if text in known else arb(text)


def _logarithm(a: Span) -> Span:
    if not a.high > 0:
        return WHOLE
    # of |x| where the bounds of a positive quantity reach below 0: an upper bound of ln|x| then too
    low = a.low.log() if a.low > 0 else arb.neg_inf()
    high = a.high if a.low >= 0 or not a.high.is_finite() else a.high.max(-a.low) if a.low.is_finite() else arb.pos_inf()
    return make(low, high.log() if high.is_finite() else arb.pos_inf())


def _hyperbolic_cosine(a: Span) -> Span:
    sizes = [abs(a.low), abs(a.high)]
    top = arb.pos_inf() if not all(x.is_finite() for x in sizes) else sizes[0].max(sizes[1]).cosh()
    inside = a.low <= 0 and a.high >= 0
    bottom = arb(1) if inside else (a.low if a.low > 0 else -a.high).cosh()
    return make(bottom, top)


def _half_pi() -> arb:
    return arb.pi() / 2


_BY_HAND: dict[str, Callable[[Span], Span]] = {
    "log": _logarithm,
    "cosh": _hyperbolic_cosine,
    "factorial": lambda a: _of_row("gamma")(_sum(a, _point(arb(1)))),
}


def _function(name: str) -> Callable[[Span], Span] | None:
    """Of one argument; None where none is known."""
    row = NAMED[name]
    known = row.ball and row.least == 1 and row.inside is not None
    return _BY_HAND.get(name) or (_of_row(name) if known else None)


def _power(a: Span, exponent: Span) -> Span:
    if a.low < 0:
        return WHOLE
    return _of_row("exp")(_product(exponent, _logarithm(a)))


def obstacles(expr: sp.Expr, variable: sp.Symbol) -> list[tuple[sp.Expr, bool]]:
    """What must not vanish (False), or must be positive (True), for the expression to be analytic."""
    found: list[tuple[sp.Expr, bool]] = []
    for node in sp.preorder_traversal(expr):
        if not node.has(variable):
            continue
        if node.is_Pow and node.base is not sp.E and not (node.exp.is_Integer and node.exp >= 0):
            found.append((node.base, not node.exp.is_Integer))
        elif isinstance(getattr(node, "numerator", None), sp.Expr):  # a quotient without its removable singularity
            (x,) = node.numerator.free_symbols
            found += obstacles(node.numerator.subs(x, node.args[0]), variable)
        elif node.args and not (node.is_Add or node.is_Mul or node.is_Pow):
            row = row_of(node.func)
            if row is None or len(node.args) > 1 or not (row.row.ball or row.row.name == "factorial") or len(row.row.real(1)) > 1:
                raise Undecided(f"where {node.func.__name__} is analytic is not known")
            found += [(expression(text).subs(X, node.args[0]), kind != "!=") for kind, text in row.row.real(1)[0]]
    return found


@dataclass(frozen=True)
class Range:
    """An expression as a map of intervals; other symbols than the variable take spans by name."""

    evaluate: Evaluate

    def over(self, low: arb, high: arb, values: Mapping[str, Span] | None = None) -> Span:
        """Bounds of the expression for every value of the variable between ``low`` and ``high``."""
        return self.evaluate(make(low, high), values or {})


@dataclass(frozen=True)
class Ranges:
    """One function in several forms: what all of them allow."""

    forms: list[Range]

    def over(self, low: arb, high: arb, values: Mapping[str, Span] | None = None) -> Span:
        """As :meth:`Range.over`."""
        return meet([form.over(low, high, values) for form in self.forms])


def both(expr: sp.Expr, variable: sp.Symbol) -> Ranges:
    """An expression as it stands, and a rational function of e^t as one of e^(-t), which is bounded where t is large."""
    forms, e = [span(expr, variable)], sp.Dummy("e", positive=True)
    swapped = expr.replace(lambda x: isinstance(x, (sp.sinh, sp.cosh, sp.tanh)), lambda x: x.rewrite(sp.exp)).replace(
        lambda x: isinstance(x, sp.exp) and x.has(variable) and (x.args[0] / variable).is_Integer,
        lambda x: e ** (x.args[0] / variable),
    )
    if swapped.has(e) and swapped.is_rational_function(e) and sp.count_ops(swapped) < 80:
        inverse = sy.factor(sy.cancel(sy.together(swapped.subs(e, 1 / e))))
        forms.append(span(inverse.subs(e, sp.exp(-variable)), variable))
        apart = sp.Add(*(sy.factor(sy.cancel(sy.together(term.subs(e, 1 / e)))) for term in sp.Add.make_args(swapped)))
        forms.append(span(apart.subs(e, sp.exp(-variable)), variable))
    return Ranges(forms)


def span(expr: sp.Expr, variable: sp.Symbol) -> Range:
    """The map of intervals of an expression.

    Raises:
        Undecided: a function whose range is not known here.
    """
    return Range(_compile(sp.sympify(expr), variable, {}))


def _compile(expr: sp.Expr, variable: sp.Symbol, seen: dict[sp.Expr, Evaluate]) -> Evaluate:
    if expr not in seen:
        seen[expr] = _node(expr, variable, seen)
    return seen[expr]


def _node(expr: sp.Expr, variable: sp.Symbol, seen: dict[sp.Expr, Evaluate]) -> Evaluate:
    from asymp.enclosure.enclose import ball

    if expr == variable:
        return lambda t, _: t
    if expr.is_Symbol:
        name = expr.name
        return lambda _, values: values[name]
    if not expr.free_symbols:
        return lambda _, __: _point(ball(expr, {}, ctx.prec + 16))
    parts = [_compile(arg, variable, seen) for arg in expr.args]
    if expr.is_Add or expr.is_Mul:
        combine = _sum if expr.is_Add else _product

        def folded(t: Span, values: Mapping[str, Span]) -> Span:
            total = parts[0](t, values)
            for part in parts[1:]:
                total = combine(total, part(t, values))
            return total

        return folded
    if expr.is_Pow:
        base, exponent = parts
        if expr.exp.is_Integer:
            n = int(expr.exp)
            return lambda t, values: _integer_power(base(t, values), n)
        if expr.base is sp.E:
            return lambda t, values: _of_row("exp")(exponent(t, values))
        return lambda t, values: _power(base(t, values), exponent(t, values))
    row = row_of(expr.func)
    function = getattr(expr.func, "bounded", None) if row is None else _function(row.row.name)
    if function is None or len(parts) != 1:
        raise Undecided(f"no range of {expr.func.__name__}")
    inner = parts[0]
    return lambda t, values: function(inner(t, values))
