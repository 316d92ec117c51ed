"""Generating functions of recurrences whose coefficients are linear in n, by a differential equation of first order.

L F = A(z) F' + B(z) F is the polynomial R that the first values say.  With h = exp(-integral of B/A), F is c h and beside it a
quotient of a polynomial and a power of z.

>>> from asymp.language.statement import read_statement
>>> from asymp.prove.claims import theorem
>>> said = "sequence a(n), (n+2)*a(n) = (2*n+1)*a(n-1) + 3*(n-1)*a(n-2), a(0) = 1, a(1) = 1"
>>> theorem(read_statement(f"a(n) ~ 3^n*sqrt(27/(4*pi*n^3)) as whole n -> oo for {said}"), True).holds
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

from gmpy2 import mpq

from asymp.kernel.data import Data
from asymp.kernel.growths.declared import Declared
from asymp.kernel.rings.polynomials import Poly, derived, divided, rational_zeros, solution, times, value_at
from asymp.kernel.sequences.generating import coefficients_of, generated, of_coefficients, shifted
from asymp.kernel.terms import ONE, Refused, Term, add, call, multiply, name, number, power, reciprocal
from asymp.kernel.theorem import Theorem, apply
from asymp.language.statement import Statement
from asymp.prove.sequence_forms import poly_term
from asymp.prove.sequence_leaves import Find, one_way

RADII = tuple(map(mpq, "1/2 1/4 1/8 1/20 1/50 1/200".split()))
LENGTH = 24
"""Coefficients of series."""
POLES, DEGREES = range(4), range(5)
"""Of z, and of the polynomial beside the solution of the homogeneous equation."""


def known(statement: Statement, found: Declared, find: Find) -> Iterator[Callable[[bool], Theorem]]:
    """Ways to a statement by a generating function."""
    if found.first:
        raise Refused("a sequence that does not begin at 0")
    for weight in ("1", "factorial"):
        with suppress(Refused, ZeroDivisionError):
            for f, rest, radius in _functions(found, weight == "factorial"):
                data = {"of": found.name, "function": str(f), "variable": "z" if found.variable != "z" else "w"}
                data |= {"radius": str(radius), "rest": str(rest), "weight": weight}
                yield partial(_by_function, statement, data, find)


def _by_function(statement: Statement, data: dict[str, str], find: Find, holds: bool) -> Theorem:
    given = [find(one, True) for one in generated(statement, Data(data))]
    premise = one_way(of_coefficients(statement, Data(data)), holds, find)
    return apply("generating function", [premise, *given], statement=str(statement), **data)


def _functions(found: Declared, weighted: bool) -> Iterator[tuple[Term, Term, mpq]]:
    """F, L F and where both are defined."""
    rows = coefficients_of(found, weighted)
    if any(len(p) > 2 for p in rows.values()):
        raise Refused("coefficients that are not linear")
    slope, level = [mpq(0)], [mpq(0)]
    for j, p in rows.items():
        low, high = (*shifted(p, j), mpq(0))[:2]
        slope = _plus(slope, [mpq(0)] * (found.top - j + 1) + [high])
        level = _plus(level, [mpq(0)] * (found.top - j) + [low])
    values, f = list[mpq](), mpq(1)
    for k in range(LENGTH):
        f = f * k if weighted and k else f
        values.append(mpq(found.at(k)) / f)
    rest = _plus(_times(slope, derived(values)), _times(level, values))[: max(found.start + found.top, 0)]
    z = "z" if found.variable != "z" else "w"
    exponent, series, h, radius = _homogeneous(slope, level, z)
    for beside, pole in _beside(slope, level, rest):
        c = _factor(values, beside, pole, exponent, series)
        other = multiply(poly_term(beside, z), power(name(z), number(-pole))) if pole else poly_term(beside, z)
        front = power(name(z), number(exponent)) if exponent else ONE
        yield add(*([other] if any(beside) else []), multiply(number(c), front, h)), poly_term(rest, z), radius
        return


def _plus(p: Poly, q: Poly) -> Poly:
    size = max(len(p), len(q))
    found = [(p[k] if k < len(p) else mpq(0)) + (q[k] if k < len(q) else mpq(0)) for k in range(size)]
    while len(found) > 1 and not found[-1]:
        found.pop()
    return found


def _times(p: Poly, q: Poly) -> Poly:
    return times(p, q)[: LENGTH - 1]


def _homogeneous(slope: Poly, level: Poly, z: str) -> tuple[int, Poly, Term, mpq]:
    """z^e h with h(0) = 1 that solves A F' + B F = 0: e, the series of h, h, and where it is defined."""
    zeros, rest = rational_zeros(slope)
    if len(rest) not in (1, 3) or any(zeros.count(x) > 2 for x in zeros):
        raise Refused("zeros of other forms")
    parts: list[
        tuple[str, mpq, Poly]
    ] = []  # what stands in the partial fractions, with the polynomial over A that it is
    whole = max(len(level) - len(slope) + 1, 0)
    for i in range(whole):
        parts.append(("power", mpq(i), times(slope, [mpq(0)] * i + [mpq(1)])))
    for x in dict.fromkeys(zeros):
        once = divided(slope, [-x, mpq(1)])[0]
        parts.append(("pole", x, once))
        if zeros.count(x) == 2:
            parts.append(("double", x, divided(once, [-x, mpq(1)])[0]))
    quadratic = [c / rest[-1] for c in rest]
    if len(rest) == 3:
        others = divided(slope, quadratic)[0]
        parts += [("quadratic", mpq(0), times(others, derived(quadratic))), ("none", mpq(0), others)]
    size = len(parts)
    table = [
        [(p[k] if k < len(p) else mpq(0)) for _, _, p in parts] + [level[k] if k < len(level) else mpq(0)]
        for k in range(size)
    ]
    solved = solution(table)
    exponent, series, factors, radius = 0, [mpq(1)], list[Term](), RADII[0]
    here = name(z)
    for (kind, x, _), c in zip(parts, solved, strict=True):
        if not c:
            continue
        if kind == "power":
            k = int(x) + 1
            factors.append(call("exp", multiply(number(-c / k), power(here, number(k)))))
            series = _times(series, _exponential([mpq(0)] * k + [-c / k]))
        elif kind == "pole" and not x:
            if c.denominator != 1:
                raise Refused("a power of z that is not whole")
            exponent = -int(c)
        elif kind == "pole":
            factors.append(power(add(ONE, multiply(number(-1 / x), here)), number(-c)))
            series = _times(series, _binomial([mpq(1), -1 / x], -c))
            radius = _within(radius, abs(x))
        elif kind == "double" and x:
            factors.append(call("exp", multiply(number(c / x), here, reciprocal(add(here, number(-x))))))
            series = _times(series, _exponential(_times([mpq(0), -c / x / x], _binomial([mpq(1), -1 / x], mpq(-1)))))
            radius = _within(radius, abs(x))
        elif kind == "quadratic":
            q = [a / quadratic[0] for a in quadratic]
            factors.append(power(poly_term(q, z), number(-c)))
            series = _times(series, _binomial(q, -c))
            radius = next(r for r in RADII if r <= radius and all(value_at(q, r * k / 8) > 0 for k in range(9)))
        else:
            raise Refused("zeros of other forms")
    return exponent, series, multiply(*_joined(factors)) if factors else ONE, radius


def _joined(factors: list[Term]) -> list[Term]:
    """Powers with one exponent as one of the product: a root of a polynomial."""
    found: dict[Term, list[Term]] = {}
    others = []
    for one in factors:
        if one.head == "power" and one.parts[0].head == "sum":
            found.setdefault(one.parts[1], []).append(one.parts[0])
        else:
            others.append(one)
    return [*others, *(power(multiply(*bases), e) for e, bases in found.items())]


def _within(radius: mpq, x: mpq) -> mpq:
    return next((r for r in RADII if r < x and r <= radius), RADII[-1])


def _binomial(p: Poly, e: mpq) -> Poly:
    """p^e with p(0) = 1: from p f' = e p' f."""
    found, slope = [mpq(1)], derived(p)
    for n in range(1, LENGTH):
        total = sum((e * slope[k] * found[n - 1 - k] for k in range(min(len(slope), n))), mpq(0))
        total -= sum((p[k] * (n - k) * found[n - k] for k in range(1, min(len(p), n))), mpq(0))
        found.append(total / n)
    return found


def _exponential(p: Poly) -> Poly:
    """exp(p) with p(0) = 0: from f' = p' f."""
    found, slope = [mpq(1)], derived(p)
    for n in range(1, LENGTH):
        found.append(sum((slope[k] * found[n - 1 - k] for k in range(min(len(slope), n))), mpq(0)) / n)
    return found


def _beside(slope: Poly, level: Poly, rest: Poly) -> Iterator[tuple[Poly, int]]:
    """Polynomials p and k with L (p z^(-k)) = R: A (z p' - k p) + B z p = z^(k+1) R."""
    if not any(rest):
        yield [mpq(0)], 0
        return
    for pole in POLES:
        for degree in DEGREES:
            columns = []
            for i in range(degree + 1):
                columns.append(_plus([mpq(0)] * i + [(i - pole) * c for c in slope], [mpq(0)] * (i + 1) + level))
            goal = [mpq(0)] * (pole + 1) + rest
            size = max(len(goal), *map(len, columns))
            table = [[(p[k] if k < len(p) else mpq(0)) for p in (*columns, goal)] for k in range(size)]
            with suppress(Refused):
                yield solution(table), pole


def _factor(values: Poly, beside: Poly, pole: int, exponent: int, series: Poly) -> mpq:
    """c in F = p z^(-k) + c z^e h, by the coefficient of z^e."""
    at = exponent + pole
    return (values[exponent] if exponent >= 0 else mpq(0)) - (beside[at] if 0 <= at < len(beside) else mpq(0))
