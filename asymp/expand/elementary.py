"""Trigonometric and hyperbolic functions, their inverses, and floor, Abs, Min, Max, sign.

Sources: DLMF 4.14-4.37.  Each function is reduced to sine, cosine, exp, log and the series of
arctangent and arcsine at 0, all of which converge there.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from asymp.expand.engine import Expander
from asymp.expand.method import handles
from asymp.expand.place import place, power_series, shifted, side
from asymp.expansion import Expansion, Refused
from asymp.scale import ONE, sign

_HALF = sp.Rational(1, 2)


def _is_zero(x: Expansion) -> bool:
    return not x.terms and not x.remainder


def _circular(expander: Expander, expr: sp.Expr, phase: int) -> Expansion:
    """sin(c + h) = sum_k sin(c + k pi/2) h^k/k!, DLMF 4.19.1-2 and 4.21.2; cos is one quarter ahead.

    At infinity sin and cos oscillate: they are no more than O(1), which holds for every real argument.
    """
    x = expander(expr.args[0])
    at = place(x)
    if at.kind.endswith("infinity"):
        expander.note("bounded, and it oscillates", r"|\sin x| \le 1,\; |\cos x| \le 1", "DLMF 4.18")
        return Expansion.big_o(ONE)
    c = at.centre
    turns = (sp.sin(c), sp.cos(c), -sp.sin(c), -sp.cos(c))
    return power_series(shifted(x, c), lambda k: turns[(k + phase) % 4] / sp.factorial(k), expander.order + 1)


@handles(sp.sin)
def _sin(expander: Expander, expr: sp.Expr) -> Expansion:
    return _circular(expander, expr, 0)


@handles(sp.cos)
def _cos(expander: Expander, expr: sp.Expr) -> Expansion:
    return _circular(expander, expr, 1)


def _quotient(top: type, bottom: type) -> Callable[[Expander, sp.Expr], Expansion]:
    def method(expander: Expander, expr: sp.Expr) -> Expansion:
        """A quotient of the two (DLMF 4.14.4-7, 4.28.4-7); a pole is where the denominator vanishes."""
        x = expr.args[0]
        denominator = expander(bottom(x, evaluate=False))
        if ONE in denominator.remainder:
            raise Refused(f"{expr}: it oscillates between its poles")
        numerator = Expansion.constant(1) if top is sp.S.One else expander(top(x, evaluate=False))
        return numerator * denominator.inverse(expander.order)

    return method


for _kind, _top, _bottom in (
    (sp.tan, sp.sin, sp.cos),
    (sp.cot, sp.cos, sp.sin),
    (sp.sec, sp.S.One, sp.cos),
    (sp.csc, sp.S.One, sp.sin),
    (sp.sech, sp.S.One, sp.cosh),
    (sp.csch, sp.S.One, sp.sinh),
):
    handles(_kind)(_quotient(_top, _bottom))


def _hyperbolic(expander: Expander, expr: sp.Expr, parity: int) -> Expansion:
    """cosh = (e^x + e^-x)/2, sinh = (e^x - e^-x)/2 (DLMF 4.28.1-2); at 0 and at constants Taylor's series."""
    x = expander(expr.args[0])
    at, order = place(x), expander.order
    if at.kind.endswith("infinity"):
        return (x.exp(order) + (-x).exp(order).scaled((-1) ** parity)).scaled(_HALF)
    values = (sp.cosh(at.centre), sp.sinh(at.centre))
    return power_series(shifted(x, at.centre), lambda k: values[(k + parity) % 2] / sp.factorial(k), order + 1)


@handles(sp.cosh)
def _cosh(expander: Expander, expr: sp.Expr) -> Expansion:
    return _hyperbolic(expander, expr, 0)


@handles(sp.sinh)
def _sinh(expander: Expander, expr: sp.Expr) -> Expansion:
    return _hyperbolic(expander, expr, 1)


@handles(sp.tanh, sp.coth)
def _tanh(expander: Expander, expr: sp.Expr) -> Expansion:
    """tanh x = (1 - e^(-2x))/(1 + e^(-2x)), DLMF 4.28.4; elsewhere sinh/cosh."""
    x = expander(expr.args[0])
    at = place(x)
    if not at.kind.endswith("infinity"):
        pair = (sp.sinh, sp.cosh) if isinstance(expr, sp.tanh) else (sp.cosh, sp.sinh)
        return _quotient(*pair)(expander, expr)
    s = 1 if at.kind == "infinity" else -1
    decay = x.scaled(-2 * s).exp(expander.order)
    one = Expansion.constant(1)
    ratio = (one - decay) * (one + decay).inverse(expander.order)
    return (ratio if isinstance(expr, sp.tanh) else ratio.inverse(expander.order)).scaled(s)


@handles(sp.atan)
def _atan(expander: Expander, expr: sp.Expr) -> Expansion:
    """x - x^3/3 + ... at 0 (DLMF 4.24.3); pi/2 - atan(1/x) at oo (4.24.2), odd (4.23.16).

    At a constant c the derivative 1/(1 + x^2) is expanded: with q = 1 + c^2, its coefficients b_k satisfy
    q b_k + 2 c b_{k-1} + b_{k-2} = 0.
    """
    x, order = expander(expr.args[0]), expander.order
    return arctangent(x, order)


def arctangent(x: Expansion, order: int) -> Expansion:
    """atan of an expansion."""
    at = place(x)
    if at.kind.endswith("infinity"):
        limit = sp.pi / 2 if at.kind == "infinity" else -sp.pi / 2
        return Expansion.constant(limit) - arctangent(x.inverse(order), order)
    c, q = at.centre, 1 + at.centre**2
    slopes = [1 / q, -2 * c / q**2]
    for _ in range(order + 1):
        slopes.append(-(2 * c * slopes[-1] + slopes[-2]) / q)
    return power_series(shifted(x, c), lambda k: slopes[k - 1] / k if k else sp.atan(c), order + 1)


def _arcsine_at_zero(x: Expansion, order: int, s: int) -> Expansion:
    """sum_k s^k (1/2)_k x^(2k+1)/(k! (2k+1)): s = 1 for asin (DLMF 4.24.1), -1 for asinh (4.38.1)."""

    def coefficient(k: int) -> sp.Expr:
        j, odd = divmod(k, 2)
        return s**j * sp.rf(_HALF, j) / (sp.factorial(j) * k) if odd else sp.S.Zero

    return power_series(x, coefficient, order + 2)


@handles(sp.asin, sp.acos)
def _asin(expander: Expander, expr: sp.Expr) -> Expansion:
    """At 0 the series; at 1 acos x = 2 asin(sqrt((1-x)/2)) (DLMF 4.23(iv)); inside, atan(x/sqrt(1-x^2)) (4.23.26)."""
    x, order = expander(expr.args[0]), expander.order
    at = place(x)
    cosine = isinstance(expr, sp.acos)
    if at.kind == "zero":
        value = _arcsine_at_zero(x, order, 1)
    elif at.kind == "constant" and at.centre in (1, -1):
        s = int(at.centre)
        gap = (Expansion.constant(1) - x.scaled(s)).scaled(_HALF)
        if not _is_zero(gap) and side(gap) < 0:
            raise Refused(f"{expr.func.__name__} beyond its cut")
        root = Expansion({}) if _is_zero(gap) else gap.power(_HALF, order)
        value = (Expansion.constant(sp.pi / 2) - _arcsine_at_zero(root, order, 1).scaled(2)).scaled(s)
    elif at.kind == "constant" and sign(1 - at.centre**2) == 1:
        root = (Expansion.constant(1) - x * x).power(_HALF, order)
        value = arctangent(x * root.inverse(order), order)
    else:
        raise Refused(f"{expr.func.__name__} at {x}, which is not known to lie between -1 and 1")
    return Expansion.constant(sp.pi / 2) - value if cosine else value


@handles(sp.asinh)
def _asinh(expander: Expander, expr: sp.Expr) -> Expansion:
    """ln(x + sqrt(x^2 + 1)), DLMF 4.37.16, for x > 0; odd; the series at 0."""
    x, order = expander(expr.args[0]), expander.order
    at = place(x)
    if at.kind == "zero":
        return _arcsine_at_zero(x, order, -1)
    s = side(x)
    x = x.scaled(s)
    return (x + (x * x + Expansion.constant(1)).power(_HALF, order)).log(order).scaled(s)


_RECIPROCAL = {
    sp.acot: sp.atan, sp.asec: sp.acos, sp.acsc: sp.asin, sp.acoth: sp.atanh, sp.asech: sp.acosh, sp.acsch: sp.asinh,
}  # fmt: skip
"""Inverse functions that are others of 1/x: DLMF 4.23.7-9, 4.37.7-9."""


@handles(*_RECIPROCAL)
def _of_reciprocal(expander: Expander, expr: sp.Expr) -> Expansion:
    """acot x = atan(1/x), and so on."""
    return expander(_RECIPROCAL[expr.func](1 / expr.args[0]))


@handles(sp.acosh)
def _acosh(expander: Expander, expr: sp.Expr) -> Expansion:
    """ln(x + sqrt(x^2 - 1)), DLMF 4.37.19; at 1, 2 asinh(sqrt((x-1)/2))."""
    x, order = expander(expr.args[0]), expander.order
    at = place(x)
    if at.kind == "constant" and at.centre == 1:
        gap = shifted(x, 1).scaled(_HALF)
        if _is_zero(gap):
            return gap
        return _arcsine_at_zero(gap.power(_HALF, order), order, -1).scaled(2)
    if at.kind != "infinity" and not (at.kind == "constant" and sign(at.centre - 1) == 1):
        raise Refused(f"acosh at {x}, which is not known to exceed 1")
    return (x + shifted(x * x, 1).power(_HALF, order)).log(order)


@handles(sp.atanh)
def _atanh(expander: Expander, expr: sp.Expr) -> Expansion:
    """(ln(1+x) - ln(1-x))/2, DLMF 4.37.24, for -1 < x < 1."""
    x = expr.args[0]
    return expander((sp.log(1 + x, evaluate=False) - sp.log(1 - x, evaluate=False)) / 2)


@handles(sp.floor, sp.ceiling)
def _floor(expander: Expander, expr: sp.Expr) -> Expansion:
    """x + O(1)."""
    return expander(expr.args[0]) + Expansion.big_o(ONE)


@handles(sp.Abs)
def _abs(expander: Expander, expr: sp.Expr) -> Expansion:
    """x or -x, by the sign of the term that leads; exact 0 at 0."""
    inner = expander(expr.args[0])
    if not inner.terms:
        return inner  # |O(r)| is O(r)
    return inner.scaled(side(inner))


@handles(sp.sign)
def _sign(expander: Expander, expr: sp.Expr) -> Expansion:
    """1 or -1, from some point on."""
    inner = expander(expr.args[0])
    return inner if _is_zero(inner) else Expansion.constant(side(inner))


@handles(sp.Max, sp.Min)
def _extreme(expander: Expander, expr: sp.Expr) -> Expansion:
    """Two at a time: the one that is larger from some point on; where f - g is O(r) alone, f + O(r)."""
    best, *others = (expander(arg) for arg in expr.args)
    wanted = 1 if isinstance(expr, sp.Max) else -1
    for other in others:
        gap = other - best
        if not gap.terms:
            best = best + gap
        elif side(gap) == wanted:
            best = other
    return best
