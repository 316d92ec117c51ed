"""Numbers from mpmath: the second opinion, with nothing of asymp's engine or its balls in it.

A text is read by asymp's parser and evaluated by mpmath at two precisions that must agree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import mpmath as mp
import sympy as sp

from asymp.parse import parse_expression
from benchmarks.by_mpmath import BY_MPMATH
from benchmarks.soundness.facts import Fact

DIGITS = (400, 800)
"""Two precisions; a difference of the two larger than a tolerance means: not known."""


def _zeta_sum(n: Any) -> Any:
    return mp.zeta(2) - mp.zeta(2, n + 1)


_SUMS: Mapping[str, Callable[[Any], Any]] = {
    "Sum(k**(-2), (k, 1, n))": _zeta_sum,
    "Sum(2**k, (k, 0, n))": lambda n: 2 ** (n + 1) - 1,
}
"""The sums of the facts in closed forms that hold for every whole number n (Hurwitz's zeta, the geometric sum)."""


@lru_cache(maxsize=4000)
def compiled(expr: sp.Expr, names: tuple[sp.Symbol, ...]) -> Callable[..., Any]:
    """The expression as a function of mpmath numbers."""
    held: dict[str, Callable[[Any], Any]] = {}
    for total in expr.atoms(sp.Sum):
        plain = total.xreplace({s: sp.Symbol(s.name) for s in total.atoms(sp.Symbol)})
        name = f"sum{len(held)}"
        held[name] = _SUMS[str(plain)]
        expr = expr.xreplace({total: sp.Function(name)(next(iter(total.free_symbols)))})
    return sp.lambdify(names, expr, modules=[held, BY_MPMATH, "mpmath"])


class Point:
    """The variables' values at one size, in the limit of a fact."""

    def __init__(self, to: str, size: str, values: tuple[tuple[str, str], ...] = ()) -> None:
        names = set(re.findall(r"[^\W\d]\w*", to)) | {name for name, _ in values}
        self.symbols = {name: sp.Symbol(name, positive=True) for name in names}
        self.exact: dict[str, sp.Expr] = {}
        whole = sp.Integer(int(float(size))) if "e" not in size else sp.Integer(10) ** int(size.split("e")[1])
        parameters = {name: sp.Rational(value) for name, value in values}
        self.exact.update(parameters)
        ties = []
        for part in (piece.strip() for piece in to.split(",")):
            if "->" not in part:
                ties.append(part)
                continue
            name, target = (piece.strip() for piece in part.split("->"))
            if target == "oo":
                self.exact[name] = whole
            elif target == "-oo":
                self.exact[name] = -whole
            else:
                base = sp.Rational(target.rstrip("+-"))
                self.exact[name] = base + 1 / whole if target.endswith("+") else base - 1 / whole
        for tie in ties:
            name, text = (piece.strip() for piece in tie.split("=", 1))
            expr = parse_expression(text, dict(self.symbols))
            self.exact[name] = expr.subs({s: self.exact[s.name] for s in expr.free_symbols})

    def read(self, text: str) -> sp.Expr:
        """A text in this point's names."""
        return parse_expression(text, dict(self.symbols))

    def __call__(self, text: str, digits: int = DIGITS[0]) -> Any:
        """The value of a text, in mpmath."""
        expr = self.read(text)
        names = tuple(sorted(expr.free_symbols, key=str))
        with mp.workdps(digits):
            at = [sp.lambdify((), self.exact[s.name], "mpmath")() for s in names]
            return mp.mpf(mp.re(compiled(expr, names)(*[mp.mpf(x) for x in at])))


def value(point: Point, text: str) -> Any:
    """The value where two precisions agree to 20 digits.

    Raises:
        ValueError: they do not.
    """
    low, high = (point(text, digits) for digits in DIGITS)
    if low != high and abs(low - high) > abs(high) * mp.mpf(10) ** -20:
        raise ValueError(f"{text}: {mp.nstr(low, 10)} or {mp.nstr(high, 10)}")
    return high


def points(fact: Fact) -> tuple[Point, Point]:
    """The two points of a fact."""
    return Point(fact.to, fact.points[0], fact.values), Point(fact.to, fact.points[1], fact.values)


def confirmed(fact: Fact) -> bool:
    """Whether every coefficient is what (f - terms before)/growth approaches: nearer at the farther point."""
    near, far = points(fact)
    before = "0"
    for coefficient, growth in fact.terms:
        quotient = f"(({fact.f}) - ({before}))/({growth}) - ({coefficient})"
        first, second = abs(value_or_zero(near, quotient)), abs(value_or_zero(far, quotient))
        scale = abs(value(far, coefficient))
        if not (second < scale / 2 and (second < first or second < mp.mpf(10) ** -100)):
            return False
        before = f"{before} + ({coefficient})*({growth})"
    return True


def value_or_zero(point: Point, text: str) -> Any:
    """The value, or 0 where it is below 10^-300: no term of a fact is that small, only rounding is."""
    low, high = (point(text, digits) for digits in DIGITS)
    if max(abs(low), abs(high)) < mp.mpf(10) ** -300:
        return mp.mpf(0)
    return value(point, text)
