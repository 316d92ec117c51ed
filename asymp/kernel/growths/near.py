r"""Sums in which term by term nothing is left: a function is taken at places closer than any power, exp(1/n + e^(-n)) - exp(1/n).

With B one of the arguments, e_i = A_i - B and all e_i (for logarithms and powers e_i/B) tending to 0,

    sum c_i exp(A_i) = exp(B) sum c_i exp(e_i),    sum c_i A_i^p = B^p sum c_i (1 + e_i/B)^p,
    sum c_i log(A_i) = log(B) sum c_i + sum c_i log(1 + e_i/B),

and, for f that is analytic where B tends, by Taylor's theorem with a derivative that is bounded near there,

    sum c_i f(A_i) = sum_(k<K) f^(k)(B)/k! sum_i c_i e_i^k + O(sum |c_i e_i^K|),

or, where B tends to infinity and f^(K+1)(y) has one sign from some y on, so that |f^(K)| between A_i and B is not above what it
is at one of them, with O(sum |c_i e_i^K| (|f^(K)(A_i)| + |f^(K)(B)|)); so that what is the same in all of them cancels exactly
(Gruntz, On Computing Limits in a Symbolic Manipulation System, 1996).
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
MOST_PARTS = 16
"""Of a sum whose arguments are compared, each with each."""
Member = tuple[Term, Term]
"""c and A of c f(A)."""


def near(e: Any, parts: Sequence[Term]) -> Series:
    """The sum of the parts, those put together whose arguments are near each other; ``e`` is the expander.

    Raises:
        Refused: there are none, or that is not seen, or there are too many parts.
    """
    if len(parts) > MOST_PARTS:
        raise Refused(f"of {len(parts)} parts it is not asked which are near each other")
    groups: dict[Term, list[Member]] = {}
    alone: list[Term] = []
    for part in parts:
        found = _member(e, part)
        if found is None:
            alone.append(part)
        else:
            groups.setdefault(found[0], []).append(found[1])
    a, total, together = e.algebra, Series(()), False
    for function, own in groups.items():
        coefficients: dict[Term, list[Term]] = {}
        for c, x in own:
            coefficients.setdefault(x, []).append(c)
        together = together or len(coefficients) < len(own)
        members = [(add(*cs), x) for x, cs in coefficients.items()]  # f(A) times a sum, in which more may cancel
        while members:
            base = members[-1][1]
            gaps = [(c, x, e.series(add(x, negative(base))) if x != base else Series(())) for c, x in members]
            close = [(e.series(c), gap) for c, _, gap in gaps if a.vanishes(gap)]
            near_by = [x for _, x, gap in gaps if a.vanishes(gap)]
            members = [(c, x) for c, x, gap in gaps if not a.vanishes(gap)]
            together = together or len(close) > 1
            total = a.add(total, _group(e, function, base, close, near_by))
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


def _group(
    e: Any, function: Term, base: Term, close: Sequence[tuple[Series, Series]], members: Sequence[Term]
) -> Series:
    """The sum of c f(B + gap), where B + gap are the members."""
    a = e.algebra
    if len(close) == 1:  # B alone
        return a.times(close[0][0], e.series(terms.substitute(function, {X.name: base})))

    def weighted(of: Any) -> Series:
        return a.total(a.times(c, of(gap)) for c, gap in close)

    if function.head == "exp":
        return a.times(e.series(terms.call("exp", base)), weighted(a.exponential))
    if function.head in ("log", "power"):
        inverse = a.power(e.series(base), rational(-1))
        if function.head == "log":
            rest = weighted(lambda gap: a.logarithm(a.times(gap, inverse)))
            return a.add(a.times(weighted(lambda gap: a.constant(rational(1))), e.log(base)), rest)
        p = a.domain.value(function.parts[1])
        return a.times(a.power(e.series(base), p), weighted(lambda gap: a.binomial(p, a.times(gap, inverse))))
    grows = a.grows(e.series(base))
    middle, slope, total = X if grows else e.limit(base), function, Series(())
    powers = [a.constant(rational(1)) for _ in close]
    for k in range(a.order):
        if not grows:
            e.slope_at(slope, X.name, middle)
        inner = a.total(a.times(c, power) for (c, _), power in zip(close, powers, strict=True))
        if inner.terms or inner.rest:
            at = e.series(terms.substitute(slope, {X.name: base}))
            total = a.add(total, a.scaled(a.times(at, inner), rational(mpq(1, factorial(k)))))
        slope = derivative(slope, X.name)
        powers = [a.times(power, gap) for power, (_, gap) in zip(powers, close, strict=True)]
    if grows:
        _of_one_sign(e, derivative(slope, X.name))
        at = e.series(terms.substitute(slope, {X.name: base}))
        sizes = [a.made([], [*loose(at), *loose(e.series(terms.substitute(slope, {X.name: x})))]) for x in members]
    else:
        e.slope_at(slope, X.name, middle)
        sizes = [a.constant(rational(1))] * len(close)
    left = [g for (c, _), power, size in zip(close, powers, sizes, strict=True) for g in loose(a.times(size, a.times(c, power)))]
    return a.made(list(total.terms), [*total.rest, *left])


def _of_one_sign(e: Any, slope: Term) -> None:
    """That a function of X has one sign from some point on.

    Raises:
        Refused: that is not seen.
    """
    inner = e.alone(X.name)
    inner.algebra.below(inner.series(slope))
