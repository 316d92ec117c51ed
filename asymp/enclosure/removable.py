r"""Removable singularities: N(x)/x^k with N analytic at 0 and N(0) = N'(0) = ... = N^(k-1)(0) = 0.

Such a quotient becomes a function R of its own, which knows its numerator.  Near 0 it is the power series of N,
divided by x^k, with Cauchy's bound of the rest: |N| <= M on the disc of radius r gives

.. math:: \Bigl|R(x) - \sum_{k \le j < J} a_j x^{j-k}\Bigr| \le \frac{M}{r^k} \frac{q^{J-k}}{1-q}, \qquad q = |x|/r < 1 ;

away from 0 it is the quotient.  Its derivative is of the same kind: (x N' - k N)/x^(k+1).

>>> t = sp.Symbol("t", positive=True)
>>> f = regular(sp.log(1 + t) / t, t, sp.S.Zero, sp.oo)
>>> f, bool(ball_at(f, arb(0)).contains(1))
(Quotient[log(x + 1)/x](t), True)
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, ClassVar

import sympy as sp
from flint import acb, arb, ctx

import asymp.symbolics as sy
from asymp.budget import uncounted
from asymp.enclosure.arithmetic import Number, at_bits, bits_of, setting, to_ball
from asymp.enclosure.cuts import CNAN
from asymp.enclosure.functions import Complex, Real
from asymp.enclosure.numbers import Undecided
from asymp.enclosure.plan import Plan, compile_expr
from asymp.enclosure.ranges import WHOLE, Span, hull, make, meet, obstacles, span
from asymp.enclosure.taylor import taylor
from asymp.notes import Memory

X = sp.Dummy("x", real=True)
"""The variable of the numerators."""
HIGHEST = 8
"""Zeros of higher order are not looked for."""
RADII = tuple(arb(2) ** k for k in range(3, -8, -1))
BITS = 128
"""Precision at which the disc is looked for."""
NEAR = 4
"""The power series is used where |x| < r/4."""


class Quotient(sp.Function):
    """N(x)/x^k; every numerator has a class of its own."""

    numerator: ClassVar[sp.Expr]
    order: ClassVar[int]
    enclosed: ClassVar[tuple[Real, Complex]]
    """Its values, where :mod:`asymp.enclosure.functions` has those of other functions."""
    bounded: ClassVar[Callable[[Span], Span]]
    """Its bounds over an interval, likewise."""

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        """(x N' - k N)/x^(k+1)."""
        n, k = self.numerator, self.order
        above = sy.expand(X * sy.diff(n, X) - k * n)
        return sp.S.Zero if above == 0 else quotient(above, k + 1)(self.args[0])


@uncounted
@lru_cache(maxsize=512)
def quotient(numerator: sp.Expr, order: int) -> type[Quotient]:
    """The function N(x)/x^k of x, with its certified values; N has the variable ``X``."""
    shown = (numerator / X**order).subs(X, sp.Symbol("x"))
    name = f"Quotient[{shown}]"  # SymPy sorts functions by their names
    series = _Series(numerator, order)
    values = (lambda args: series.real(args[0]), lambda args, analytic: series.complex(args[0], analytic))
    own = {"numerator": numerator, "order": order, "nargs": 1, "enclosed": values, "bounded": staticmethod(series.range)}
    return type(name, (Quotient,), own)


class _Series:
    """The values of one quotient: power series near 0, quotient elsewhere."""

    def __init__(self, numerator: sp.Expr, order: int) -> None:
        self.numerator, self.order = numerator, order
        self.plan: Plan = compile_expr(numerator)
        self._disc: tuple[arb, arb] | None = None
        self._coefficients: Memory[tuple[tuple[int, int, bool], int], list[arb]] = Memory(64, paid=True)
        self._parts: Any = None

    def _at(self, x: acb, analytic: bool) -> acb:
        return self.plan.run_complex({X.name: x}, (), analytic)

    @uncounted  # it is kept
    def disc(self) -> tuple[arb, arb]:
        """(r, M): |N| <= M on the disc of radius r, where N is analytic; the same whatever the precision is now."""
        if self._disc is None:
            self._disc = self._found()
        return self._disc

    @at_bits(BITS)
    def _found(self) -> tuple[arb, arb]:
        for radius in RADII:
            square = arb(0, radius)
            size = abs(self._at(acb(square, square), True)).abs_upper()
            if size.is_finite():
                return radius, size
        raise Undecided(f"{self.numerator} is not known to be analytic at 0")

    def _terms(self, count: int) -> list[arb]:
        """a_k, a_(k+1), ... at the working precision."""
        size = max(16, 1 << count.bit_length())
        found = self._coefficients(
            (setting(), size), lambda: taylor(self.numerator, X, arb(0), {}, self.order + size)[self.order :]
        )
        return found[:count]

    def near(self, x: acb) -> acb:
        """By the power series; nan beyond a part of its disc."""
        radius, bound = self.disc()
        ratio = abs(x).abs_upper() / radius
        if not ratio * NEAR < 1:
            return CNAN
        # a wide ball is known no better for more terms
        bits = ctx.prec if x.is_exact() else max(8, min(ctx.prec, 2 * x.rel_accuracy_bits() + 8))
        count = 2 + bits // max(1, -bits_of(ratio)) if ratio > 0 else 1
        total = acb(0)
        for c in reversed(self._terms(count)):
            total = total * x + c
        rest = (bound / radius**self.order * ratio**count / (1 - ratio)).abs_upper()
        return total + acb(arb(0, rest), arb(0, rest))

    def complex(self, x: acb, analytic: bool) -> acb:
        """The value at a complex ball."""
        value = self.near(x)
        return value if value.is_finite() or x.contains(acb(0)) else self._at(x, analytic) / x**self.order

    def real(self, x: Number) -> arb:
        """The value at a real ball."""
        at = to_ball(x)
        value = self.near(acb(at)).real
        if value.is_finite() or at.contains(0):
            return value
        return to_ball(self.plan.run({X.name: at})) / at**self.order

    def range(self, over: Span) -> Span:
        """Bounds over an interval: N must be analytic on it."""
        edge = (self.disc()[0] / (2 * NEAR)).mid()
        low, high = over
        parts = []
        if low < edge and high > -edge:
            value = self.near(acb(low.max(-edge).union(high.min(edge)))).real
            parts.append(make(value, value))
        if high > edge:
            parts.append(self._far(low.max(edge) if low.is_finite() else edge, high))
        if low < -edge:
            parts.append(self._far(low, high.min(-edge) if high.is_finite() else -edge))
        return hull(parts) if parts else WHOLE

    def _far(self, low: arb, high: arb) -> Span:
        """The quotient; for a = low > 0 also the hull of N(a)/a^k, N'(a)/(k a^(k-1)), ..., N^(k)([a, high])/k!.

        Indeed N(x)/x^k = (a/x)^k N(a)/a^k + x^(-k) int_a^x N'(s) s^(1-k) d(s^k)/k is an average of the first and N'/(k s^(k-1)).
        """
        if self._parts is None:
            derivatives = [sy.diff(self.numerator, X, j) if j else self.numerator for j in range(self.order + 1)]
            self._parts = (
                span(self.numerator / X**self.order, X),
                [(span(f, X), up) for f, up in obstacles(self.numerator, X)],
                [span(f, X) for f in derivatives],
            )
        whole, smooth, derivatives = self._parts
        for bounds, positive in smooth:
            if bounds.over(low, high).sign not in ((1,) if positive else (1, -1)):
                return WHOLE
        found = whole.over(low, high)
        if not low > 0:
            return found
        k, weight, parts = self.order, arb(1), []
        for j, f in enumerate(derivatives):
            bottom, top = f.over(low, low if j < k else high)
            scale = weight / low ** (k - j)
            parts.append(make(bottom * scale, top * scale))
            weight = weight / max(k - j, 1)
        return meet([found, hull(parts)])


def ball_at(expr: sp.Expr, x: arb) -> arb:
    """The value of an expression in one symbol."""
    return to_ball(compile_expr(expr).run({next(iter(expr.free_symbols)).name: x}))


# --- finding them ----------------------------------------------------------------------------------


@uncounted
@lru_cache(maxsize=512)
def regular(body: sp.Expr, t: sp.Symbol, low: sp.Expr, high: sp.Expr) -> sp.Expr:
    """The function with the removable singularities at the ends of its range as such quotients."""
    plain = body.replace(sp.coth, lambda x: sp.cosh(x) / sp.sinh(x)).replace(sp.cot, lambda x: sp.cos(x) / sp.sin(x))
    body = plain if low.is_finite and _singular(plain, t, low) else body
    for end, inside in ((low, 1), (high, -1)):
        if end.is_finite is not True or not _singular(body, t, end):
            continue
        u = sp.Dummy("u", positive=True)
        place = end + inside * u
        try:
            found = _rewritten(body.subs(t, place), u)
        except Undecided:
            continue
        if found.atoms(Quotient):
            body = found.subs(u, inside * (t - end))
    return body


def _singular(body: sp.Expr, t: sp.Symbol, end: sp.Expr) -> bool:
    """Whether a base of a negative (or undecided) power vanishes at the end."""
    return any(
        p.has(t) and p.base is not sp.E and p.exp.is_nonnegative is not True and not p.exp.has(t) and _zero(p.base.subs(t, end))
        for p in body.atoms(sp.Pow)
    )


def _zero(value: sp.Expr) -> bool:
    if value == 0 or not value.is_number or value.has(sp.zoo, sp.nan, sp.oo, sp.Sum, sp.Product):
        return bool(value == 0)
    return value.equals(0) is True


def _rewritten(f: sp.Expr, u: sp.Symbol) -> sp.Expr:
    """Inner singularities first; then each product as u^p times what is regular."""
    if not f.has(u) or f == u or not _singular(f, u, sp.S.Zero):
        return f
    if f.is_Add:
        together = sy.factor(sy.together(f)) if any(_singular(a, u, sp.S.Zero) for a in f.args) else f
        if not together.is_Add:
            found = _rewritten(together, u)
            if found.atoms(Quotient):
                return found
        return sp.Add(*(_rewritten(a, u) for a in f.args))
    if not (f.is_Mul or f.is_Pow):
        return f.func(*(_rewritten(a, u) for a in f.args))
    power, rest = _valued(f, u)
    return u ** sy.simplify(power) * rest


def _valued(f: sp.Expr, u: sp.Symbol) -> tuple[sp.Expr, sp.Expr]:
    """(p, g) with f = u^p g for u > 0."""
    if not f.has(u):
        return sp.S.Zero, f
    if f == u:
        return sp.S.One, sp.S.One
    if f.is_Mul:
        parts = [_valued(a, u) for a in f.args]
        return sp.Add(*(p for p, _ in parts)), sp.Mul(*(g for _, g in parts))
    if f.is_Pow and f.base is not sp.E and not f.exp.has(u):
        power, rest = _valued(f.base, u)
        return power * f.exp, rest**f.exp
    f = _rewritten(f, u)
    if not f.subs(u, 0).is_finite or not _zero(f.subs(u, 0)):
        return sp.S.Zero, f
    scale = _scale(f, u)
    numerator = f.subs(u, X / scale)
    if numerator.free_symbols != {X}:
        return sp.S.Zero, f
    derivative = numerator
    for order in range(1, HIGHEST):
        derivative = sy.diff(derivative, X)
        there = derivative.subs(X, 0)
        if there.is_finite is not True:
            return sp.S.Zero, f
        if not _zero(there):
            return sp.Integer(order), quotient(numerator, order)(scale * u) * scale**order
    return sp.S.Zero, f


def _scale(f: sp.Expr, u: sp.Symbol) -> sp.Expr:
    """c, where f is a function of c u."""
    free = f.free_symbols - {u}
    if not free:
        return sp.S.One
    found = {term.as_independent(u, as_Add=False)[0] for term in f.atoms(sp.Mul) if term.has(u) and term.free_symbols - {u}}
    return found.pop() if len(found) == 1 else sp.S.One


