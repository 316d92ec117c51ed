"""The shape of a summand: a sum of terms ``c * x**i * i**k * harmonic(i)**j * log(i)**l``.

SymPy's ``expand`` is slow and multiplies out what does not depend on the index; this one keeps
every such factor whole, as a place in the plan.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

import sympy as sp
from flint import fmpq, fmpz

import asymp.symbolics as sy
from asymp.enclosure.plan import Builder

Ratio = frozenset[tuple[sp.Expr, sp.Expr]]
"""The bases and their powers whose product is x."""

MOST_TERMS = 400


@dataclass(frozen=True)
class Shape:
    """x**i * i**power * harmonic(i)**harmonics * log(i)**logs."""

    ratio: Ratio = frozenset()
    power: sp.Rational = sp.S.Zero
    harmonics: int = 0
    logs: int = 0

    def times(self, other: Shape) -> Shape:
        """The shape of a product."""
        ratio = self.ratio
        if other.ratio:
            powers = dict(self.ratio)
            for base, factor in other.ratio:
                powers[base] = powers.get(base, sp.S.Zero) + factor
            ratio = frozenset((base, factor) for base, factor in powers.items() if factor != 0)
        return Shape(ratio, self.power + other.power, self.harmonics + other.harmonics, self.logs + other.logs)


Terms = dict[Shape, list[int]]
"""Shape -> places of the coefficients to be added."""


def shapes(builder: Builder, body: sp.Expr, index: sp.Symbol) -> dict[Shape, int] | None:
    """The summand's terms (shape -> place of its coefficient), or None if it has another form."""
    terms = _expand(builder, body, index)
    if terms is None:
        return None
    return {shape: builder.add(places) for shape, places in terms.items()}


def ratio_place(builder: Builder, ratio: Ratio) -> int | None:
    """The place of ln x; None for x = 1."""
    if not ratio:
        return None
    parts = []
    for base, factor in sorted(ratio, key=lambda item: sp.default_sort_key(item[0])):
        log = builder.constant(fmpq(1)) if base is sp.E else builder.logarithm(base)
        parts.append(log if factor == 1 else builder.multiply([builder.place(factor), log]))
    return builder.add(parts)


def _expand(builder: Builder, expr: sp.Expr, index: sp.Symbol) -> Terms | None:
    if index not in expr.free_symbols:
        return {Shape(): [builder.place(expr)]}
    one = builder.constant(fmpq(1))
    if expr == index:
        return {Shape(power=sp.S.One): [one]}
    if expr.is_Add:
        return _merged([_expand(builder, arg, index) for arg in expr.args])
    if expr.is_Mul:
        free = [arg for arg in expr.args if index not in arg.free_symbols]
        total: Terms | None = {Shape(): [builder.multiply([builder.place(arg) for arg in free]) if free else one]}
        for arg in expr.args:
            if index in arg.free_symbols:
                total = _product(builder, total, _expand(builder, arg, index))
        return total
    if expr.is_Pow or isinstance(expr, sp.exp):
        base, exponent = expr.as_base_exp() if expr.is_Pow else (sp.E, expr.args[0])
        return _power(builder, base, exponent, index)
    if isinstance(expr, sp.harmonic) and len(expr.args) == 1:
        shift = expr.args[0] - index
        if shift == 0:
            return {Shape(harmonics=1): [one]}
        if shift == -1:
            minus = builder.constant(fmpq(-1))
            return {Shape(harmonics=1): [one], Shape(power=sp.S.NegativeOne): [minus]}
        return None
    if isinstance(expr, sp.log) and expr.args[0] == index:
        return {Shape(logs=1): [one]}
    return None


def _power(builder: Builder, base: sp.Expr, exponent: sp.Expr, index: sp.Symbol) -> Terms | None:
    one = builder.constant(fmpq(1))
    if index not in base.free_symbols:
        straight = line(exponent, index)
        if straight is None:
            return None
        slope, offset = straight
        coefficient = one if offset == 0 else builder.place(sp.Pow(base, offset))
        return {Shape(ratio=frozenset({(base, slope)})): [coefficient]}
    if base == index and exponent.is_Rational:
        return {Shape(power=exponent): [one]}
    if not exponent.is_Integer:
        return None
    inner = _expand(builder, base, index)
    if inner is None:
        return None
    if exponent < 0:
        if len(inner) != 1:
            return None
        ((shape, places),) = inner.items()
        if shape.harmonics or shape.logs:
            return None
        flipped = Shape(frozenset((b, -f) for b, f in shape.ratio), -shape.power)
        inner = {flipped: [builder.integer_power(builder.add(places), -1)]}
    result: Terms | None = {Shape(): [one]}
    for _ in range(abs(int(exponent))):
        result = _product(builder, result, inner)
        if result is None:
            return None
    return result


def line(expr: sp.Expr, index: sp.Symbol) -> tuple[sp.Expr, sp.Expr] | None:
    """(a, b) with expr = a*index + b."""
    if expr == index:
        return sp.S.One, sp.S.Zero
    if index not in expr.free_symbols:
        return sp.S.Zero, expr
    if expr.is_Add:
        parts = [line(arg, index) for arg in expr.args]
        if any(part is None for part in parts):
            return None
        return sp.Add(*(p[0] for p in parts if p)), sp.Add(*(p[1] for p in parts if p))
    if expr.is_Mul:
        rest, inner = expr.as_independent(index, as_Add=False)
        return (rest, sp.S.Zero) if inner == index else None
    return None


def _merged(parts: list[Terms | None]) -> Terms | None:
    total: Terms = {}
    for part in parts:
        if part is None:
            return None
        for shape, places in part.items():
            total.setdefault(shape, []).extend(places)
    return total if len(total) <= MOST_TERMS else None


def _product(builder: Builder, left: Terms | None, right: Terms | None) -> Terms | None:
    if left is None or right is None or len(left) * len(right) > MOST_TERMS:
        return None
    one = builder.constant(fmpq(fmpz(1)))
    total: Terms = {}
    for shape, places in left.items():
        first = builder.add(places)
        for other, others in right.items():
            second = builder.add(others)
            both = [place for place in (first, second) if place != one]
            total.setdefault(shape.times(other), []).append(builder.multiply(both) if both else one)
    return total


def backwards(
    f: sp.Expr, k: sp.Symbol, low: sp.Expr, high: sp.Expr, variables: Set[sp.Symbol]
) -> tuple[sp.Expr, tuple[sp.Symbol, sp.Expr, sp.Expr]] | None:
    """(f(c - k), its range) for the c that leaves the fewest ``variables``; None where none leaves fewer.

    >>> k, n = sp.symbols("k n", positive=True)
    >>> backwards(1 / (n - k), k, sp.S.One, n - 1, {n})
    (1/k, (k, 1, n - 1))
    """
    centres = {low + high}
    for e in f.atoms(sp.Add):
        if sy.expand(e).coeff(k) == -1 and k not in sy.expand(e + k).free_symbols:
            centres.add(sy.expand(e + k))
    best, least = None, _occurrences(f, variables)
    for c in sorted(centres, key=sp.default_sort_key):
        moved = f.subs(k, c - k).replace(lambda e: e.is_Add and e.is_polynomial(), sy.expand)
        count = _occurrences(moved, variables)
        if count < least:
            best, least = (moved, (k, sy.expand(c - high), sy.expand(c - low))), count
    return best


def _occurrences(expr: sp.Expr, variables: Set[sp.Symbol]) -> int:
    return sum(1 for e in sp.preorder_traversal(expr) if e in variables)


def separated(f: sp.Expr, k: sp.Symbol, low: sp.Expr, high: sp.Expr) -> list[sp.Expr]:
    """Terms that add up to f for low <= k <= high: partial fractions, logarithms of products of positive factors.

    >>> k, n = sp.symbols("k n", positive=True)
    >>> len(separated(1 / (k * (n - k)), k, sp.S.One, n - 1))
    2
    """
    step = sp.Dummy("step", nonnegative=True)

    def positive(factor: sp.Expr) -> bool:
        places = (factor.subs(k, high - step), factor.subs(k, low + step))
        return bool(factor.is_positive or any(sy.expand(place).is_positive for place in places))

    def logarithm(e: sp.Expr) -> sp.Expr:
        factors = [q for q in sp.Mul.make_args(sy.factor(e.args[0])) if q != -1]
        signs = [1 if positive(q) else -1 if positive(-q) else 0 for q in factors]
        if len(factors) < 2 or 0 in signs:
            return e
        return sp.Add(*(sp.log(sy.expand(s * q)) for s, q in zip(signs, factors, strict=True)))

    f = f.replace(lambda e: isinstance(e, sp.log) and k in e.free_symbols, logarithm)
    if f.is_rational_function(k) and not f.is_polynomial(k):
        try:
            parts = sy.apart(sy.together(f), k)
        except sy.SymbolicFailure:
            return [f]
        return list(sp.Add.make_args(parts)) if sy.cancel(sy.together(parts - f)) == 0 else [f]
    return list(sp.Add.make_args(sy.expand(f, power_base=False, power_exp=False)))
