"""Integrands that are products of powers of polynomials and an exponential, recognised: see :mod:`asymp.enclosure.powers`.

A polynomial in t is what is written as one, or a Sum of c(k) t^k over k from a number to what need not be one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp
from flint import fmpq

from asymp.enclosure.arithmetic import NAN, Number, add, multiply, to_ball, to_integer
from asymp.enclosure.numbers import Undecided
from asymp.enclosure.plan import Builder, body_value
from asymp.enclosure.powers import power_integral
from asymp.enclosure.summand import line, shapes

Read = Callable[[Any], list[Number] | None]
"""The coefficients from the values of a plan; None where the range is not whole, or too long."""
MOST_PLAIN = 20
"""Powers up to which an integrand is one of terms of known degrees, which have closed forms."""
MOST_TERMS = 2_000
"""Terms of a sum whose length is not known beforehand."""


def build(
    builder: Builder, body: sp.Expr, t: sp.Symbol, low: sp.Expr, high: sp.Expr
) -> Callable[[Any], Number | None] | None:
    """The integral of ``body`` over t as a function of the values of a plan; None where it has another form, which for some
    values alone the function may answer too.

    >>> t, n, k = sp.symbols("t n k")
    >>> builder = Builder()
    >>> body = sp.Sum(t**k / sp.factorial(k), (k, 0, 2)) ** n * sp.exp(-n * t)
    >>> build(builder, body, t, sp.S.Zero, sp.oo) is None, build(builder, sp.sin(t), t, sp.S.Zero, sp.oo) is None
    (False, True)
    """
    if not low.is_extended_nonnegative or not isinstance(body, sp.Mul | sp.Pow):
        return None
    rates: list[int] = []
    constants: list[int] = []
    factors: list[tuple[Read, int]] = []
    raised = False
    for part in sp.Mul.make_args(body):
        if t not in part.free_symbols:
            constants.append(builder.place(part))
            continue
        if isinstance(part, sp.exp) or (part.is_Pow and t not in part.base.free_symbols):
            base, exponent = (sp.E, part.args[0]) if isinstance(part, sp.exp) else part.args
            straight = line(exponent, t)
            if straight is None:
                return None
            log = None if base is sp.E else builder.logarithm(base)
            for found, term in zip((rates, constants), straight, strict=True):
                place = builder.place(-term if found is rates else term)
                place = place if log is None else builder.multiply([place, log])
                found.append(place if found is rates else builder.call("exp", [place]))
            continue
        base, power = part.as_base_exp()
        if t in power.free_symbols or power.is_negative:
            return None
        read = polynomial(builder, base, t)
        if read is None:
            return None
        raised = raised or not power.is_Integer or power > MOST_PLAIN
        factors.append((read, builder.place(power)))
    if not raised:
        return None
    stop = None if high is sp.oo else builder.place(high)
    start, rate = builder.place(low), builder.add(rates) if rates else None
    factor = builder.multiply(constants) if constants else None

    def value(v: Any) -> Number | None:
        read = []
        for coefficients, power in factors:
            found = coefficients(v)
            if found is None:
                return None
            if not all(to_ball(x).is_finite() for x in (*found, v[power])):
                return NAN
            read.append((found, v[power]))
        whole = power_integral(read, fmpq(0) if rate is None else v[rate], v[start], None if stop is None else v[stop])
        return whole if factor is None or whole is None else multiply((v[factor], whole))

    return value


def polynomial(builder: Builder, expr: sp.Expr, t: sp.Symbol) -> Read | None:
    """The coefficients of a polynomial in t, the constant first; None where it is none."""
    if expr.is_Add and expr.has(sp.Sum):
        parts = [polynomial(builder, part, t) for part in expr.args]
        return None if any(part is None for part in parts) else lambda v: _added([part(v) for part in parts if part])
    if isinstance(expr, sp.Sum):
        return _sum(builder, expr, t)
    terms = shapes(builder, expr, t)
    if terms is None:
        return None
    places: dict[int, int] = {}
    for shape, place in terms.items():
        if shape.ratio or shape.harmonics or shape.logs or not shape.power.is_Integer or not 0 <= shape.power <= MOST_TERMS:
            return None
        places[int(shape.power)] = place
    return lambda v: [v[places[k]] if k in places else fmpq(0) for k in range(max(places, default=0) + 1)]


def _sum(builder: Builder, total: sp.Sum, t: sp.Symbol) -> Read | None:
    if len(total.limits) != 1 or len(total.limits[0]) != 3:
        return None
    k, low, high = total.limits[0]
    if t in high.free_symbols or not low.is_Integer or low < 0:
        return None
    rest, found = [], False
    for part in sp.Mul.make_args(total.function):
        if part == t**k and not found:
            found = True
        elif t in part.free_symbols:
            return None
        else:
            rest.append(part)
    if not found:
        return None
    plan = builder.body(sp.Mul(*rest), k)
    first, last, inputs = int(low), builder.place(high), tuple(plan.inputs)

    def read(v: Any) -> list[Number] | None:
        top = to_integer(v[last])
        if top is not None and top > MOST_TERMS:
            raise Undecided(f"an integral of a power of a polynomial of degree {_short(top)}: up to {MOST_TERMS} is tried")
        if top is None or top < first - 1:
            return None
        given = [v[i] for i in inputs]
        return [fmpq(0)] * first + [body_value(plan, v.environment, given, fmpq(j)) for j in range(first, int(top) + 1)]

    return read


def _short(number: Any) -> str:
    return str(number) if number < 10**20 else "beyond 10^20"


def _added(parts: list[list[Number] | None]) -> list[Number] | None:
    if any(part is None for part in parts):
        return None
    known = [part for part in parts if part is not None]
    return [add([part[k] for part in known if k < len(part)]) for k in range(max(map(len, known)))]
