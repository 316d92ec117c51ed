"""Taylor coefficients of an expression at a point, as balls.

>>> [str(c.mid()) for c in taylor(read("exp(2*t)"), "t", arb(0), {}, 3)]
['1.00000000000000', '2.00000000000000', '2.00000000000000']
"""

from __future__ import annotations

from collections.abc import Mapping

from flint import arb, arb_series, ctx

from asymp.enclosure.algebra import whole
from asymp.enclosure.arithmetic import coefficient, series
from asymp.enclosure.calculus import X, numerator_of
from asymp.enclosure.enclose import ball
from asymp.enclosure.numbers import Undecided
from asymp.functions.table import NAMED
from asymp.kernel.terms import Term
from asymp.kernel.terms import read as read


def taylor(expr: Term, t: str, at: arb, values: Mapping[str, arb], length: int) -> list[arb]:
    """The first ``length`` coefficients of the expression in powers of t - at.

    Raises:
        Undecided: a function without a power series here.
    """
    total = _expand(expr, t, series([at, 1], length), values, length, {})
    return [coefficient(total, k) for k in range(length)]


def _expand(
    expr: Term, t: str, x: arb_series, values: Mapping[str, arb], n: int, seen: dict[Term, arb_series]
) -> arb_series:
    if expr not in seen:
        seen[expr] = _node(expr, t, x, values, n, seen)
    return seen[expr]


def _node(
    expr: Term, t: str, x: arb_series, values: Mapping[str, arb], n: int, seen: dict[Term, arb_series]
) -> arb_series:
    if expr.head == "name" and expr.name in (t, *values):
        return x if expr.name == t else series([values[expr.name]], n)
    if t not in expr.free:
        return series([ball(expr, {name: values[name] for name in expr.free}, ctx.prec + 16)], n)
    parts = [_expand(part, t, x, values, n, seen) for part in expr.parts]
    if expr.head in ("sum", "product"):
        total = parts[0]
        for part in parts[1:]:
            total = total + part if expr.head == "sum" else total * part
        return total
    if expr.head == "power":
        base, power = parts
        k = whole(expr.parts[1])
        if k is not None:
            raised = _power(base, abs(k), n)
            return raised if k >= 0 else series([1], n) / raised
        return (power * base.log()).exp()
    inner = parts[-1]
    if expr.head == "Quotient":  # without its removable singularity
        return _quotient(numerator_of(expr), int(expr.number), inner, values, n)
    if expr.head in ("sinh", "cosh"):
        side = 1 if expr.head == "cosh" else -1
        return (inner.exp() + side * (-inner).exp()) / 2
    row = NAMED.get(expr.head)
    if row is None or len(parts) != 1 or not hasattr(arb_series, row.ball or "none"):
        raise Undecided(f"no power series of {expr.head}")
    return getattr(inner, row.ball)()


def _quotient(numerator: Term, k: int, x: arb_series, values: Mapping[str, arb], n: int) -> arb_series:
    """N(x)/x^k; at x = 0 + ... by shifting the coefficients of N."""
    centre = coefficient(x, 0)
    if not centre.is_zero():
        if centre.contains(0):
            raise Undecided("a quotient near its removable singularity")
        return _expand(numerator, X, x, values, n, {}) / _power(x, k, n)
    total = series([0], n)
    for c in reversed(taylor(numerator, X, arb(0), values, n + k)[k:]):
        total = total * x + c
    return total


def _power(base: arb_series, k: int, n: int) -> arb_series:
    total = series([1], n)
    for _ in range(min(k, 64)):
        total = total * base
    if k > 64:
        raise Undecided("a high power in a power series")
    return total
