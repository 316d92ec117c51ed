r"""Expansions whose remainder is an explicit certified constant: f = P + theta C g, |theta| <= 1, for all n >= N.

The calculus mirrors that of :mod:`asymp.expansion`, in one large variable n >= N.  Terms are exact; the error is
one growth with a constant.  A growth absorbs a smaller one with the constant sup over n >= N of their quotient
(:mod:`asymp.expand.supremum`), and every power series is cut with Lagrange's remainder on |eps| <= delta, where
delta bounds eps on the whole half-line.  Where that fails (delta >= 1, a logarithm that is not positive)
a later start may do: :class:`Later`.

>>> n = sp.Symbol("n", positive=True)
>>> c = Calculus(n, 10, order=2)
>>> e = c(sp.log(n + 1))
>>> e.terms[Growth.of(n, -1)], str(e.error[0]), c.sign(e)
(1, 'n**(-3)', 1)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import sympy as sp

import asymp.symbolics as sy
from asymp.budget import METER, NODE
from asymp.enclosure.explicit import OnIntervals, around, exact_ball, fraction_above, number, upper
from asymp.expand.supremum import Ball, Beyond, Later, beyond
from asymp.expansion import Refused, is_zero
from asymp.notes import Memory
from asymp.scale import ONE, Growth, tidy

MOST_TERMS = 60


@dataclass(frozen=True)
class Explicit:
    """``|f - sum of terms| <= constant * growth`` for all n from the calculus' start on (no error: exact)."""

    terms: Mapping[Growth, sp.Expr]
    error: tuple[Growth, Ball] | None = None


Handler = Callable[["Calculus", sp.Expr], Explicit]
HANDLERS: dict[type, Handler] = {}


def explicitly(*kinds: type) -> Callable[[Handler], Handler]:
    """Register the method for node types; a second one of a type is an error (ValueError)."""

    def register(handler: Handler) -> Handler:
        for kind in kinds:
            if HANDLERS.setdefault(kind, handler) is not handler:
                raise ValueError(f"a second explicit method for {kind.__name__}")
        return handler

    return register


class Calculus:
    """Explicit expansions in the variable n >= start.

    Args:
        n: the variable (real).
        start: a rational number >= 1.
        order: terms of each elementary series.
    """

    def __init__(self, n: sp.Symbol, start: sp.Rational | int, order: int = 3) -> None:
        self.n, self.start, self.order = n, sp.sympify(start), order
        self.half_line: Beyond = beyond(self.start)
        self._bound: dict[sp.Symbol, Explicit] = {}
        self._memo: Memory[sp.Expr, Explicit] = Memory()

    def __call__(self, expr: sp.Expr) -> Explicit:
        """The explicit expansion.

        Raises:
            Later: not from this start on.
            Refused: no method applies.
        """
        def expanded() -> Explicit:
            METER.steps += NODE
            with sy.refusing("an explicit expansion"):
                return self._expand(expr)

        return self._memo(expr, expanded)

    def _expand(self, expr: sp.Expr) -> Explicit:
        if expr == self.n or expr in self._bound:
            return self._bound.get(expr, Explicit({Growth.of(self.n): sp.S.One}))
        if not expr.free_symbols & {self.n, *self._bound}:
            if expr.free_symbols or expr.has(sp.oo, -sp.oo, sp.zoo, sp.nan):
                raise Refused(f"{expr} is not a finite number")
            return self.constant(expr)
        method = HANDLERS.get(expr.func)
        if method is None:
            raise Refused(f"no explicit bound for {expr.func.__name__}")
        return method(self, expr)

    def standing_for(self, e: Explicit) -> sp.Symbol:
        """A symbol that has this expansion, for expressions in it."""
        self._bound[found := sp.Dummy("x", real=True)] = e
        return found

    # -- making ------------------------------------------------------------------------------
    def constant(self, value: sp.Expr | int) -> Explicit:
        """A number."""
        value = sp.sympify(value)
        return Explicit({} if is_zero(value) else {ONE: value})

    def bounded(self, growth: Growth, size: Ball | int = 1) -> Explicit:
        """theta * size * growth."""
        return Explicit({}, (growth, exact_ball(size) if isinstance(size, int) else upper(size)))

    def between_zero_and(self, growth: Growth, size: Ball) -> Explicit:
        """What lies in [0, size * growth], as half of it and theta times half of it."""
        half = fraction_above(size) / 2
        return Explicit({growth: sp.Rational(half.numerator, half.denominator)}, (growth, exact_ball(half)))

    def make(
        self, terms: Mapping[Growth, sp.Expr], errors: Iterable[tuple[Growth, Ball]], cut: Growth | None = None
    ) -> Explicit:
        """The terms that the error does not absorb; with ``cut`` what is at most that growth joins the error."""
        errors = list(errors)
        for growth, _ in errors:
            self.half_line.require_positive(growth)
        top = cut
        for growth, _ in errors:
            if top is None or self.compare(growth, top) > 0:
                top = growth
        if top is None:
            return Explicit({g: c for g, c in terms.items() if not is_zero(c)})
        total = sum((c * self.half_line.supremum(g / top) for g, c in errors), exact_ball(0))
        kept, dropped = {}, bool(errors)
        for growth, coefficient in terms.items():
            if is_zero(coefficient):
                continue
            where = self.compare(growth, top)
            if where > 0 or (where == 0 and top != cut):  # 2 + theta stays apart: its inverse is bounded
                kept[growth] = coefficient
            else:
                self.half_line.require_positive(growth)
                total += abs(number(coefficient)) * self.half_line.supremum(growth / top)
                dropped = True
        if not dropped:
            return Explicit(kept)
        total = upper(total)
        if not total.is_finite():
            raise Later("a constant is not finite from this start on")
        return Explicit(kept, (top, total))

    @staticmethod
    def compare(a: Growth, b: Growth) -> int:
        """1, 0 or -1: which growth wins."""
        where = (a / b).limit()
        if where == "unknown":
            raise Refused(f"{a} and {b} cannot be compared")
        return {"zero": -1, "one": 0, "infinity": 1}[where]

    # -- reading -----------------------------------------------------------------------------
    def magnitude(self, e: Explicit) -> tuple[Growth, Ball]:
        """(g, m) with |e| <= m g from the start on, g the largest growth in e."""
        pairs = [(g, upper(number(c))) for g, c in e.terms.items()] + ([e.error] if e.error else [])
        if not pairs:
            return ONE, exact_ball(0)
        top = pairs[0][0]
        for growth, _ in pairs:
            self.half_line.require_positive(growth)  # m g bounds nothing where g is negative
            if self.compare(growth, top) > 0:
                top = growth
        return top, upper(sum((c * self.half_line.supremum(g / top) for g, c in pairs), exact_ball(0)))

    def leading(self, e: Explicit) -> tuple[Growth, sp.Expr, int]:
        """(growth, coefficient, its sign) of the dominating term."""
        if not e.terms:
            raise Refused("all known terms cancel")
        top = self.ordered(e)[0]
        if e.error and self.compare(top, e.error[0]) < 0:
            raise Refused("the error is larger than the leading term")
        value = number(e.terms[top])
        if not (value > 0 or value < 0):
            raise Refused(f"the sign of {e.terms[top]} is not known")
        return top, e.terms[top], 1 if value > 0 else -1

    def ordered(self, e: Explicit) -> list[Growth]:
        """The growths of the terms, larger ones first."""
        result: list[Growth] = []
        for growth in e.terms:
            place = next((i for i, g in enumerate(result) if self.compare(growth, g) > 0), len(result))
            result.insert(place, growth)
        return result

    def sign(self, e: Explicit) -> int:
        """The sign that e certainly has for all n from the start on; 0 where it is identically 0.

        Raises:
            Later: not shown from this start on.
            Refused: no term is known.
        """
        if not e.terms and e.error is None:
            return 0
        growth, coefficient, direction = self.leading(e)
        against = exact_ball(0)
        for g, c in e.terms.items():
            value = number(c)
            self.half_line.require_positive(g)
            if g != growth and not (value * direction > 0):  # terms of the leading sign only help
                against += upper(value) * self.half_line.supremum(g / growth)
        if e.error:
            self.half_line.require_positive(e.error[0])
            against += e.error[1] * self.half_line.supremum(e.error[0] / growth)
        if not against < abs(number(coefficient)):
            raise Later("the leading term does not outweigh the others from this start on")
        return direction

    def large(self, e: Explicit, what: str) -> Ball:
        """A lower bound of e, which must be positive and tend to oo, on the half-line."""
        growth, coefficient, direction = self.leading(e)
        if growth.limit() != "infinity" or direction < 0:
            raise Refused(f"{what} where the argument does not tend to +infinity")
        eps = self.relative(e, growth, coefficient)
        least = number(coefficient) / self.half_line.supremum(growth**-1)
        low = (least * (1 - self.delta(eps))).lower()
        if not low > 0:
            raise Later(f"{what}: the argument is not known to be positive")
        return low

    # -- algebra -----------------------------------------------------------------------------
    def add(self, parts: Iterable[Explicit], cut: Growth | None = None) -> Explicit:
        """The sum."""
        total: dict[Growth, sp.Expr] = {}
        errors = []
        for part in parts:
            for growth, c in part.terms.items():
                total[growth] = total[growth] + c if growth in total else c
            errors += [part.error] if part.error else []
        return self.make({g: tidy(c) for g, c in total.items()}, errors, cut)

    def scale(self, e: Explicit, factor: sp.Expr | int) -> Explicit:
        """A multiple."""
        factor = sp.sympify(factor)
        if is_zero(factor):
            return Explicit({})
        error = (e.error[0], upper(e.error[1] * number(factor))) if e.error else None
        return Explicit({g: tidy(c * factor) for g, c in e.terms.items()}, error)

    def multiply(self, a: Explicit, b: Explicit, cut: Growth | None = None) -> Explicit:
        """The product."""
        total: dict[Growth, sp.Expr] = {}
        for g, x in a.terms.items():
            for h, y in b.terms.items():
                total[g * h] = total.get(g * h, sp.S.Zero) + x * y
        errors: list[tuple[Growth, Ball]] = []
        if a.error:
            g, m = self.magnitude(b)
            errors.append((a.error[0] * g, a.error[1] * m))
        if b.error and a.terms:
            g, m = self.magnitude(Explicit(a.terms))
            errors.append((b.error[0] * g, b.error[1] * m))
        if len(total) > 40 * MOST_TERMS:
            raise Refused("too many terms")
        return self.make({g: tidy(c) for g, c in total.items()}, errors, cut)

    def shift(self, e: Explicit, growth: Growth, factor: sp.Expr | int = 1) -> Explicit:
        """factor * growth * e, exactly."""
        scaled = self.scale(e, factor)
        error = (scaled.error[0] * growth, scaled.error[1]) if scaled.error else None
        return Explicit({g * growth: c for g, c in scaled.terms.items()}, error)

    def series(self, eps: Explicit, coefficients: Sequence[sp.Expr | int], tail: Ball) -> Explicit:
        """sum_{k <= K} c_k eps^k + theta tail |eps|^(K+1), by Horner's scheme."""
        growth, size = self.magnitude(eps)
        count = len(coefficients)
        if size.is_zero():
            return self.constant(coefficients[0])
        total = self.constant(coefficients[-1])
        for k in range(count - 2, -1, -1):
            total = self.multiply(total, eps, cut=growth ** (count - k))
            total = self.add([total, self.constant(coefficients[k])])
        rest = self.bounded(growth**count, tail * size**count)
        return self.add([total, rest])

    def relative(self, e: Explicit, growth: Growth, coefficient: sp.Expr) -> Explicit:
        """e/(coefficient growth) - 1."""
        back = growth**-1
        terms = {g * back: tidy(c / coefficient) for g, c in e.terms.items() if g != growth}
        error = (e.error[0] * back, upper(e.error[1] / number(coefficient))) if e.error else None
        return Explicit(terms, error)

    def delta(self, eps: Explicit) -> Ball:
        """A bound of |eps| on the half-line; eps -> 0, or is bounded."""
        growth, size = self.magnitude(eps)
        if size.is_zero():
            return size
        if growth.limit() not in ("zero", "one"):
            raise Refused(f"{growth} is not bounded")
        return upper(size * self.half_line.supremum(growth))

    def below_one(self, eps: Explicit) -> Ball:
        """:meth:`delta`, which must be below 1."""
        delta = self.delta(eps)
        if not delta < 1:
            raise Later("a series about the leading term does not converge from this start on")
        return delta

    def power(self, e: Explicit, exponent: sp.Expr) -> Explicit:
        """e^exponent, by the binomial series: |rest| <= |C(a, K+1)| sup (1 + xi)^(a-K-1) |eps|^(K+1)."""
        if exponent.is_Integer and exponent.is_even and exponent > 0 and not e.terms and e.error:
            return self.between_zero_and(e.error[0] ** exponent, e.error[1] ** int(exponent))
        if exponent.is_Integer and 0 <= exponent <= 8:
            total = self.constant(1)
            for _ in range(int(exponent)):
                total = self.multiply(total, e)
            return total
        growth, coefficient, direction = self.leading(e)
        if direction < 0 and not exponent.is_Integer:
            raise Refused("a power of what is negative")
        self.half_line.require_positive(growth)
        eps, count = self.relative(e, growth, coefficient), self.order + 1
        delta = self.below_one(eps)
        a = number(exponent) - count
        spread = ((1 - delta).log() * a).exp().max(((1 + delta).log() * a).exp())
        tail = abs(number(sp.binomial(exponent, count))) * spread
        total = self.series(eps, [sp.binomial(exponent, k) for k in range(count)], tail)
        return self.shift(total, growth**exponent, coefficient**exponent)

    def inverse(self, e: Explicit) -> Explicit:
        """1/e."""
        return self.power(e, sp.S.NegativeOne)

    def log(self, e: Explicit) -> Explicit:
        """ln e, by the series of ln(1 + eps): |rest| <= |eps|^(K+1)/((K+1)(1 - delta))."""
        growth, coefficient, direction = self.leading(e)
        if direction < 0:
            raise Refused("a logarithm of what is negative")
        self.half_line.require_positive(growth)
        eps, count = self.relative(e, growth, coefficient), self.order + 1
        delta = self.below_one(eps)
        coefficients = [0, *(sp.Rational((-1) ** (k + 1), k) for k in range(1, count))]
        small = self.series(eps, coefficients, 1 / (count * (1 - delta)))
        try:
            head = dict(growth.log())
        except ValueError as error:  # a fourth logarithm
            raise Refused(str(error)) from error
        return self.add([Explicit(head), self.constant(_split_log(coefficient)), small])

    def exp(self, e: Explicit) -> Explicit:
        """e^(large + constant + eps): |rest| <= e^delta |eps|^(K+1)/(K+1)!."""
        large, constant, small = [], sp.S.Zero, {}
        for g, c in e.terms.items():
            where = g.limit()
            if where == "infinity":
                large.append((g, c))
            elif where == "one":
                constant += c
            else:
                small[g] = c
        eps, count = Explicit(small, e.error), self.order + 1
        if e.error and e.error[0].limit() not in ("zero", "one"):
            raise Refused("the exponent is not known up to O(1)")
        tail = self.delta(eps).exp() / number(sp.factorial(count))
        total = self.series(eps, [1 / sp.factorial(k) for k in range(count)], tail)
        return self.shift(total, Growth.exp(large), sp.exp(constant))

    def taylor(self, function: Callable[[sp.Symbol], sp.Expr], e: Explicit) -> Explicit:
        """f(c + eps) by Taylor's series about the limit c, the last derivative enclosed on [c - delta, c + delta]."""
        centre = e.terms.get(ONE, sp.S.Zero)
        eps = Explicit({g: c for g, c in e.terms.items() if g != ONE}, e.error)
        s = sp.Dummy("s", real=True)
        derivative, coefficients = function(s), []
        for k in range(self.order + 1):
            coefficients.append(derivative.subs(s, centre) / sp.factorial(k))
            derivative = derivative.diff(s)
        delta = self.delta(eps)
        box = number(centre) + around(delta)
        plain = sp.Symbol("s")
        value = OnIntervals(derivative.subs(s, plain), "s").at(box)
        if not value.is_finite():
            raise Later("a derivative is not bounded near the limit")
        return self.series(eps, coefficients, upper(value) / number(sp.factorial(self.order + 1)))


def _split_log(coefficient: sp.Expr) -> sp.Expr:
    """ln of a positive number, of primes where it is rational, so that ln 6 - ln 2 - ln 3 cancels."""
    return sy.expand_log(sp.log(coefficient), force=True, factor=True)


# --- elementary nodes ------------------------------------------------------------------------


@explicitly(sp.Add)
def _add(c: Calculus, expr: sp.Expr) -> Explicit:
    return c.add(c(term) for term in expr.args)


@explicitly(sp.Mul)
def _mul(c: Calculus, expr: sp.Expr) -> Explicit:
    total = c.constant(1)
    for factor in expr.args:
        total = c.multiply(total, c(factor))
    return total


@explicitly(sp.Pow)
def _pow(c: Calculus, expr: sp.Expr) -> Explicit:
    base, exponent = expr.args
    if not exponent.free_symbols:
        return c.power(c(base), exponent)
    if base == -1:
        return c.bounded(ONE)  # (-1)^n at whole n
    return c.exp(c.multiply(c(exponent), c.log(c(base))))


@explicitly(sp.exp)
def _exp(c: Calculus, expr: sp.Expr) -> Explicit:
    return c.exp(c(expr.args[0]))


@explicitly(sp.log)
def _log(c: Calculus, expr: sp.Expr) -> Explicit:
    return c.log(c(expr.args[0]))
