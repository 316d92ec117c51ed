r"""Sums in which term by term nothing is left: a function is taken at places closer than any power, exp(1/n + e^(-n)) - exp(1/n).

With B one of the arguments, e_i = A_i - B and all e_i (for logarithms and powers e_i/B) tending to 0,

    sum c_i exp(A_i) = exp(B) sum c_i exp(e_i),    sum c_i A_i^p = B^p sum c_i (1 + e_i/B)^p,
    sum c_i log(A_i) = log(B) sum c_i + sum c_i log(1 + e_i/B),

and, for f that is analytic where B tends, by Taylor's theorem with a derivative that is bounded near there,

    sum c_i f(A_i) = sum_(k<K) f^(k)(B)/k! sum_i c_i e_i^k + O(sum |c_i e_i^K|),

so that what is the same in all of them cancels exactly (Gruntz, On Computing Limits in a Symbolic Manipulation System, 1996).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial
from typing import Any

from gmpy2 import mpq

from asymp.functions.table import NAMED
from asymp.kernel import terms
from asymp.kernel.balls.derivative import derivative
from asymp.kernel.growths.incomplete import loose
from asymp.kernel.growths.series import Series
from asymp.kernel.rings.ratio import rational
from asymp.kernel.terms import Refused, Term, add, multiply, negative, number

X = terms.name("@near")
Member = tuple[Term, Term]
"""c and A of c f(A)."""


def near(e: Any, parts: Sequence[Term]) -> Series:
    """The sum of the parts, those put together whose arguments are near each other; ``e`` is the expander.

    Raises:
        Refused: there are none, or that is not seen.
    """
    groups: dict[Term, list[Member]] = {}
    alone: list[Term] = []
    for part in parts:
        found = _member(e, part)
        if found is None:
            alone.append(part)
        else:
            groups.setdefault(found[0], []).append(found[1])
    a, total, together = e.algebra, Series(()), False
    for function, members in groups.items():
        while members:
            base = members[-1][1]
            gaps = [(c, x, e.series(add(x, negative(base))) if x != base else Series(())) for c, x in members]
            close = [(e.series(c), gap) for c, _, gap in gaps if a.vanishes(gap)]
            members = [(c, x) for c, x, gap in gaps if not a.vanishes(gap)]
            together = together or len(close) > 1
            total = a.add(total, _group(e, function, base, close))
    if not together:
        raise Refused("no two arguments are near each other")
    for part in alone:
        total = a.add(total, e.series(part))
    return total


def _member(e: Any, part: Term) -> tuple[Term, Member] | None:
    """f, as a term in X, c and A of a part c f(A): f is the first factor that moves and is no power of a quantity."""
    factors = part.parts if part.head == "product" else (part,)
    for factor in factors:
        if e.constant(factor) or factor.head in ("name", "sum", "Sum", "Integral", "Product"):
            continue
        c = multiply(*(one for one in factors if one is not factor))
        if factor.head == "power":
            base, exponent = factor.parts
            if base.head != "name" and e.constant(exponent):
                return terms.power(X, exponent), (c, base)
        elif factor.parts and all(map(e.constant, factor.parts[:-1])):
            x, row = factor.parts[-1], NAMED.get(factor.head)
            if row is not None and row.parity and row.least == 1 and e.algebra.below(e.series(x))[0] == -1:
                c, x = multiply(number(row.parity), c), negative(x)
            return Term(factor.head, (*factor.parts[:-1], X)), (c, x)
    return None


def _group(e: Any, function: Term, base: Term, close: Sequence[tuple[Series, Series]]) -> Series:
    """The sum of c f(B + gap)."""
    a = e.algebra

    def weighted(of: Any) -> Series:
        found = Series(())
        for c, gap in close:
            found = a.add(found, a.times(c, of(gap)))
        return found

    if function.head == "exp":
        return a.times(e.series(terms.call("exp", base)), weighted(a.exponential))
    if function.head in ("log", "power"):
        inverse = a.power(e.series(base), rational(-1))
        if function.head == "log":
            rest = weighted(lambda gap: a.logarithm(a.times(gap, inverse)))
            return a.add(a.times(weighted(lambda gap: a.constant(rational(1))), e.log(base)), rest)
        p = a.domain.value(function.parts[1])
        return a.times(a.power(e.series(base), p), weighted(lambda gap: a.binomial(p, a.times(gap, inverse))))
    middle, slope, total = e.limit(base), function, Series(())
    powers = [a.constant(rational(1)) for _ in close]
    for k in range(a.order):
        e.slope_at(slope, X.name, middle)
        inner = Series(())
        for (c, _), power in zip(close, powers, strict=True):
            inner = a.add(inner, a.times(c, power))
        if inner.terms or inner.rest:
            at = e.series(terms.substitute(slope, {X.name: base}))
            total = a.add(total, a.scaled(a.times(at, inner), rational(mpq(1, factorial(k)))))
        slope = derivative(slope, X.name)
        powers = [a.times(power, gap) for power, (_, gap) in zip(powers, close, strict=True)]
    e.slope_at(slope, X.name, middle)
    left = [g for (c, _), power in zip(close, powers, strict=True) for g in loose(a.times(c, power))]
    return a.made(list(total.terms), [*total.rest, *left])
