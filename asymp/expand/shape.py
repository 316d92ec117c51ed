"""Signs and slopes on an interval, shown by rules: what makes a root the only one.

For an expression in x on an open interval, and all large values of the regime's scales, the rules show

- its sign: products, powers, special functions of known sign, sums bounded term by term;
- its slope: sums of functions of one slope, products of positive functions of one slope (through the
  logarithm), compositions with monotone functions, and last the sign of the derivative.

A slope is only given to a function that is continuous on the interval: every rule asks for the sign of what
is under a logarithm, a power or a gamma function.  Sources: DLMF 5.2 and 5.4.20 (Gamma falls on (0, 1], rises from
2 on, and is at most 1 between), 7.2, 8.6.5 (the incomplete gamma function).

>>> x, n = sp.symbols("x n", positive=True)
>>> shape = Shape(Regime.single(n), x, sp.S.Zero, sp.oo)
>>> shape.slope(x * sp.exp(x) - n), shape.slope(sp.log(x) / x), shape.sign(x + n)
(1, None, 1)
>>> Shape(Regime.single(n), x, sp.E, sp.oo).slope(sp.log(x) / x)
-1
"""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

import asymp.symbolics as sy
from asymp.expand.engine import Expander
from asymp.expand.mills import Mills, log_upper
from asymp.functions.symbolic import EVERYWHERE, classes
from asymp.notes import Memory
from asymp.scale import Regime, sign

ORDER = 2
"""Terms of the expansions that give signs and limits of what is free of x."""
DEEPEST = 3
"""Derivatives of derivatives whose signs are asked for."""
LONGEST = 150
"""Operations in an expression that is differentiated, or whose sign SymPy is asked for."""
_RISING = classes(lambda row: row.rises_from_zero and row.everywhere)
_ON_POSITIVE = (sp.loggamma, sp.gamma, sp.harmonic, sp.Ei, sp.LambertW, sp.factorial, sp.log)


class Shape:
    """Signs and slopes of expressions in ``x`` on the open interval (low, high), for large scales.

    Args:
        regime: scales that tend to infinity and parameters (positive symbols); no ties.
        x: the variable.
        low: the lower end, free of x; -oo too.
        high: the upper end, oo too.
    """

    def __init__(self, regime: Regime, x: sp.Symbol, low: sp.Expr, high: sp.Expr) -> None:
        self.regime, self.x, self.low, self.high = regime, x, low, high
        t = sp.Dummy("t", positive=True)
        self._cover: sp.Expr = x
        if low != -sp.oo:
            self._cover = low + t if high == sp.oo else low + (high - low) / (1 + t)
        elif high != sp.oo:
            self._cover = high - t
        # None: not shown, also while it is being looked for
        self._signs: Memory[sp.Expr, int | None] = Memory(10_000, None)
        self._slopes: Memory[sp.Expr, int | None] = Memory(10_000, None)
        self._depth = 0

    # -- what is free of x ---------------------------------------------------------------------
    def constant_sign(self, expr: sp.Expr) -> int | None:
        """The sign, for large scales, of what is free of x."""
        try:
            if (known := _plain_sign(expr)) is not None:
                return known
            if not expr.free_symbols & set(self.regime.scales):
                return sign(expr)
            _, coefficient = Expander(self.regime, ORDER)(expr).leading()
            return sign(coefficient)
        except (ValueError, TypeError):  # Refused, or what SymPy cannot compare
            return None

    def end_value(self, expr: sp.Expr, upper: bool) -> sp.Expr | None:
        """The limit of an expression in x alone at an end of the interval, if it is finite and found."""
        end = self.high if upper else self.low
        if self.x not in expr.free_symbols:
            return expr
        if end not in (sp.oo, -sp.oo, 0):
            value = expr.subs(self.x, end)
            return None if value.has(sp.oo, -sp.oo, sp.nan, sp.zoo) else value
        far = sp.Dummy("X", positive=True)
        at = {sp.oo: far, -sp.oo: -far, sp.S.Zero: -1 / far if upper else 1 / far}[end]
        try:
            found = Expander(Regime("", (far,), {self.x: at}), ORDER)(expr)
            if not found.terms and not found.remainder:
                return sp.S.Zero
            growth, coefficient = found.leading()
        except ValueError:
            return None
        return {"zero": sp.S.Zero, "one": coefficient}.get(growth.limit())

    # -- signs ---------------------------------------------------------------------------------
    def sign(self, expr: sp.Expr) -> int | None:
        """1 or -1 if the expression has that sign on the whole interval; 0 if it is 0; None: not shown."""
        if self.x not in expr.free_symbols:
            return self.constant_sign(expr)
        return self._signs(expr, lambda: self._sign(expr))

    def _sign(self, expr: sp.Expr) -> int | None:
        if not expr.has(sp.Sum, sp.Integral, sp.Product, Mills):
            if (known := _plain_sign(expr.subs(self.x, self._cover))) is not None:
                return known
        if expr.is_Mul:
            signs = [self.sign(a) for a in expr.args]
            return None if None in signs else int(sp.prod(signs))
        if expr.is_Pow:
            base = self.sign(expr.base)
            if base == 1 or (base == -1 and expr.exp.is_even):
                return 1
            return -1 if base == -1 and expr.exp.is_odd else None
        if isinstance(expr, (sp.exp, sp.cosh, sp.erfc, Mills)):
            return 1
        if isinstance(expr, _RISING):  # all are odd
            return self.sign(expr.args[0])
        if isinstance(expr, (sp.gamma, sp.factorial, sp.harmonic, sp.LambertW)) and len(expr.args) == 1:
            return 1 if self.sign(expr.args[0]) == 1 else None
        if isinstance(expr, (sp.uppergamma, sp.expint)):
            return 1 if self.sign(expr.args[1]) == 1 else None
        if isinstance(expr, sp.lowergamma):
            return 1 if self.sign(expr.args[0]) == 1 and self.sign(expr.args[1]) == 1 else None
        if isinstance(expr, sp.polygamma) and expr.args[0].is_Integer and expr.args[0] > 0:
            return (1 if expr.args[0].is_odd else -1) if self.sign(expr.args[1]) == 1 else None
        if isinstance(expr, sp.log):
            return self.sign(expr.args[0] - 1) if self.sign(expr.args[0]) == 1 else None
        if isinstance(expr, (sp.Sum, sp.Integral, sp.Product)):
            return 1 if self.sign(expr.function) == 1 and self._forward(expr) else None
        return self._bounded_sign(expr)

    def _forward(self, expr: sp.Expr) -> bool:
        """Whether the one range runs upwards (or is empty, where that leaves the sign: products)."""
        if len(expr.limits) != 1 or len(expr.limits[0]) != 3:
            return False
        _, low, high = expr.limits[0]
        return high == sp.oo or isinstance(expr, sp.Product) or self.constant_sign(high - low) == 1

    def _bounded_sign(self, expr: sp.Expr) -> int | None:
        """From a bound > 0 below or < 0 above; a bound of 0 must be one that is not attained."""
        slope = self.slope(expr)
        for upper in (False, True):
            bound = self._bound(expr, upper)
            side = None if bound is None else self.constant_sign(bound)
            if side == (-1 if upper else 1) or (side == 0 and slope in (1, -1)):
                return -1 if upper else 1
        return None

    def _bound(self, expr: sp.Expr, upper: bool) -> sp.Expr | None:
        """A bound free of x, above or below, on the interval."""
        if self.x not in expr.free_symbols:
            return expr
        slope = self.slope(expr)
        if slope in (1, -1) and (value := self.end_value(expr, (slope == 1) == upper)) is not None:
            return value
        if expr.is_Add:
            bounds = [self._bound(a, upper) for a in expr.args]
            return None if None in bounds else sp.Add(*bounds)
        factor, rest = expr.as_independent(self.x, as_Add=False)
        side = self.constant_sign(factor)
        if factor != 1 and side in (1, -1):
            inner = self._bound(rest, upper == (side == 1))
            return None if inner is None else factor * inner
        if isinstance(expr, (sp.sin, sp.cos)):
            return sp.Integer(1 if upper else -1)
        if isinstance(expr, sp.gamma) and upper and self._between_one_and_two(expr.args[0]):
            return sp.S.One
        if isinstance(expr, sp.factorial) and upper and self._between_one_and_two(expr.args[0] + 1):
            return sp.S.One
        return None

    def _between_one_and_two(self, expr: sp.Expr) -> bool:
        return self.sign(expr - 1) == 1 and self.sign(2 - expr) == 1

    # -- slopes --------------------------------------------------------------------------------
    def slope(self, expr: sp.Expr) -> int | None:
        """1: continuous and strictly increasing on the interval; -1: decreasing; 0: free of x; None: not shown."""
        if self.x not in expr.free_symbols:
            return 0
        return self._slopes(expr, lambda: self._slope(expr))

    def _slope(self, expr: sp.Expr) -> int | None:
        found = self._by_rule(expr)
        if found is None and self._depth < DEEPEST and not expr.has(sp.Sum, sp.Integral, sp.Product):
            found = self._by_derivative(expr)
        return found

    def _by_derivative(self, expr: sp.Expr) -> int | None:
        if expr.count_ops() > LONGEST or not self._smooth(expr) or expr.has(Mills, sp.uppergamma, sp.lowergamma):
            return None
        self._depth += 1
        try:
            derivative = sy.diff(expr, self.x)
            for form in (derivative, sy.factor(derivative) if derivative.count_ops() < 60 else derivative):
                if (found := self.sign(form)) in (1, -1):
                    return found
            return None
        finally:
            self._depth -= 1

    def _by_rule(self, expr: sp.Expr) -> int | None:
        if expr == self.x:
            return 1
        if expr.is_Add:
            return _common(self.slope(a) for a in expr.args)
        if expr.is_Mul:
            return self._of_product(expr)
        if expr.is_Pow:
            return self._of_power(expr.base, expr.exp)
        if isinstance(expr, (sp.Sum, sp.Integral, sp.Product)):
            return self._of_operator(expr)
        inner = expr.args[-1]
        if isinstance(expr, (sp.exp, *_RISING)):
            return self.slope(inner)
        if isinstance(expr, sp.erfc):
            return _turned(self.slope(inner))
        if isinstance(expr, (sp.log, sp.LambertW, sp.harmonic)) and len(expr.args) == 1:
            return self.slope(inner) if self.sign(inner) == 1 else None
        if isinstance(expr, sp.polygamma) and expr.args[0].is_Integer and expr.args[0] >= 0:
            turn = 1 if expr.args[0].is_even else -1
            return _turned(self.slope(inner), turn) if self.sign(inner) == 1 else None
        if isinstance(expr, (sp.gamma, sp.loggamma, sp.factorial)):
            shifted = inner + 1 if isinstance(expr, sp.factorial) else inner
            if self.sign(shifted) == 1:
                if self.sign(shifted - 2) == 1:
                    return self.slope(inner)
                if self.sign(1 - shifted) == 1:
                    return _turned(self.slope(inner))
            return None
        if isinstance(expr, (sp.uppergamma, sp.lowergamma, sp.expint, Mills)):
            return self._of_incomplete(expr)
        return None

    def _of_incomplete(self, expr: sp.Expr) -> int | None:
        s, inner = expr.args
        if isinstance(expr, Mills) and self.x not in inner.free_symbols and self.constant_sign(inner) == 1:
            return self.slope(s)  # 1 + t/x exceeds 1
        if self.x in s.free_symbols or self.sign(inner) != 1:
            return None
        if isinstance(expr, Mills):
            side = self.constant_sign(s - 1)
            return None if side is None else _turned(self.slope(inner), -side)
        if isinstance(expr, sp.lowergamma):
            return self.slope(inner) if self.constant_sign(s) == 1 else None
        return _turned(self.slope(inner))

    def _of_product(self, expr: sp.Expr) -> int | None:
        """Through ln |f|: the slope of a positive product is that of the sum of its logarithms."""
        constant, rest = expr.as_independent(self.x, as_Add=False)
        if constant != 1:
            side = self.constant_sign(constant)
            return _turned(self.slope(rest), side) if side in (1, -1) else None
        side = self.sign(rest)
        if side not in (1, -1):
            return None
        direct = _common(_turned(self.slope(a), self.sign(a)) for a in rest.args)
        if direct is not None:
            return _turned(direct, side)
        logs = sy.expand(sp.Add(*(self._log_of(a) for a in rest.args)))
        return _turned(self.slope(logs), side)

    def _log_of(self, factor: sp.Expr) -> sp.Expr:
        """ln |factor| up to a constant."""
        if isinstance(factor, sp.exp):
            return factor.args[0]
        if factor.is_Pow and self.x not in factor.exp.free_symbols:
            return factor.exp * self._log_of(factor.base)
        if factor.is_Pow:
            return factor.exp * sp.log(factor.base)
        if isinstance(factor, sp.uppergamma) and self.x not in factor.args[0].free_symbols:
            s, inner = factor.args
            return log_upper(s, inner)
        return sp.log(factor if self.sign(factor) == 1 else -factor)

    def _of_power(self, base: sp.Expr, exponent: sp.Expr) -> int | None:
        if self.x not in exponent.free_symbols:
            # an index k = 0, 1, ... counts as positive: sums ask for a strict term
            side = 1 if exponent.is_nonnegative and exponent.is_integer else self.constant_sign(exponent)
            inner, at = self.slope(base), self.sign(base)
            if inner is None or side is None:
                return None
            if at == 1:
                return side * inner
            if at == -1 and exponent.is_Integer:
                return side * inner * (1 if exponent.is_odd else -1)
            return inner if exponent.is_Integer and exponent.is_odd and side == 1 else None
        if self.sign(base) != 1:
            return None
        return self.slope(sy.expand(exponent * sp.log(base)))

    def _of_operator(self, expr: sp.Expr) -> int | None:
        """Sums, integrals and products of positive factors, over ranges free of x, of functions of one slope.

        A series or an integral of functions of one slope converges at every point between two points of
        convergence, locally uniformly (it lies between the two), and so is continuous there.
        """
        if not self._forward(expr):
            return None
        index, low, high = expr.limits[0]
        if self.x in low.free_symbols | high.free_symbols:
            return None
        if isinstance(expr, sp.Product) and self.sign(expr.function) != 1:
            return None
        found = self.slope(expr.function)
        if found in (1, -1) and isinstance(expr, sp.Sum):  # one strict term at least
            second = expr.function.subs(index, low + 1).doit()
            return found if self.slope(second) == found else None
        return found

    def _smooth(self, expr: sp.Expr) -> bool:
        """Whether the expression is shown to be differentiable on the interval."""
        if self.x not in expr.free_symbols or expr == self.x:
            return True
        if expr.is_Add or expr.is_Mul:
            return all(self._smooth(a) for a in expr.args)
        if expr.is_Pow:
            base, exponent = expr.args
            if not (self._smooth(base) and self._smooth(exponent)):
                return False
            if exponent.is_Integer and exponent > 0:
                return True
            return self.sign(base) == 1 or bool(exponent.is_Integer and self.sign(base) == -1)
        if isinstance(expr, EVERYWHERE):
            return self._smooth(expr.args[0])
        if isinstance(expr, _ON_POSITIVE) and len(expr.args) == 1:
            return self.sign(expr.args[0]) == 1 and self._smooth(expr.args[0])
        return False


def _turned(slope: int | None, side: int | None = -1) -> int | None:
    return None if slope is None or side is None else slope * side


def _common(slopes: Iterable[int | None]) -> int | None:
    found = set(slopes) - {0}
    return found.pop() if len(found) == 1 else None


def _plain_sign(expr: sp.Expr) -> int | None:
    """The sign that SymPy's assumptions give, expanded or factored."""
    if expr.count_ops() > LONGEST:
        return None
    short = expr.is_rational_function() and expr.count_ops() < 80
    if short and all(s.is_positive for s in expr.free_symbols) and all(c.is_Rational for c in expr.atoms(sp.Number)):
        if not expr.has(sp.NumberSymbol) and expr.free_symbols:
            return _rational_sign(expr)
    for form in (lambda e: e, sy.expand, sy.factor) if short else (lambda e: e,):
        e = form(expr)
        if e.is_zero:
            return 0
        if e.is_positive:
            return 1
        if e.is_negative:
            return -1
    return None


def _rational_sign(expr: sp.Expr) -> int | None:
    """The sign of a rational function of positive symbols whose factors have coefficients of one sign each.

    >>> a, b = sp.symbols("a b", positive=True)
    >>> _rational_sign((a**2 - b**2) / (a - b)), _rational_sign(-a / b), _rational_sign(a - b)
    (1, -1, None)
    """
    factored = sy.factor(expr)
    if factored == 0:
        return 0
    total = 1
    for factor in sp.Mul.make_args(factored):
        base, power = factor.as_base_exp()
        if not power.is_Integer:
            base, power = factor, sp.S.One
        signs = {c > 0 for c in sy.poly(base, *base.free_symbols).coeffs()} if base.free_symbols else {base > 0}
        if len(signs) != 1:
            return None
        if not signs.pop() and power.is_odd:
            total = -total
    return total
