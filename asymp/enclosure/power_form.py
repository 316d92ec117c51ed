"""Integrands that are products of powers of polynomials and an exponential, recognised: see :mod:`asymp.enclosure.powers`.

A polynomial in t is what is written as one, or a Sum of c(k) t^k over k from a number to what need not be one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import fmpq

from asymp.enclosure.algebra import OO, base_and_exponent, body_of, factors, has, log_of, negative, plus, times, whole
from asymp.enclosure.arithmetic import NAN, Number, add, to_ball, to_integer
from asymp.enclosure.arithmetic import multiply as product
from asymp.enclosure.calculus import coefficients, line
from asymp.enclosure.numbers import Undecided
from asymp.enclosure.plan import Body, Builder
from asymp.enclosure.powers import power_integral
from asymp.enclosure.signs import signs
from asymp.kernel.terms import Term, multiply, name, power
from asymp.kernel.terms import read as read

Read = Callable[[Any], list[Number] | None]
"""The coefficients from the values of a plan; None where the range is not whole, or too long."""
MOST_PLAIN = 20
"""Powers up to which an integrand is one of terms of known degrees, which have closed forms."""
MOST_TERMS = 2_000
"""Terms of a sum whose length is not known beforehand."""


def build(
    builder: Builder, body: Term, t: str, low: Term, high: Term
) -> Callable[[Any], Number | None] | None:
    """The integral of ``body`` over t as a function of the values of a plan; None where it has another form, which for some
    values alone the function may answer too.

    >>> body = read("Sum(t^k/factorial(k), (k, 0, 2))^n*exp(-n*t)")
    >>> [build(Builder(), f, "t", read("0"), read("oo")) is None for f in (body, read("sin(t)"))]
    [False, True]
    """
    if not signs(low, builder.positive) <= {0, 1} or body.head not in ("product", "power"):
        return None
    rates: list[Term] = []
    constants: list[Term] = []
    powers: list[tuple[Read, int]] = []
    raised = False
    for part in factors(body):
        if t not in part.free:
            constants.append(part)
            continue
        base, exponent = base_and_exponent(part)
        if t not in base.free:
            straight = line(exponent, t)
            if straight is None:
                return None
            rates.append(times(negative(straight[0]), log_of(base)))
            constants.append(Term("exp", (times(straight[1], log_of(base)),)))
            continue
        if t in exponent.free or signs(exponent) == {-1}:
            return None
        read_off = polynomial(builder, base, t)
        if read_off is None:
            return None
        n = whole(exponent)
        raised = raised or n is None or n > MOST_PLAIN
        powers.append((read_off, builder.place(exponent)))
    if not raised:
        return None
    stop = None if high == OO else builder.place(high)
    start, rate = builder.place(low), builder.place(plus(*rates)) if rates else None
    factor = builder.place(multiply(*constants)) if constants else None

    def value(v: Any) -> Number | None:
        given = []
        for read_off, exponent in powers:
            several = read_off(v)
            if several is None:
                return None
            if not all(to_ball(x).is_finite() for x in (*several, v[exponent])):
                return NAN
            given.append((several, v[exponent]))
        found = power_integral(given, fmpq(0) if rate is None else v[rate], v[start], None if stop is None else v[stop])
        return found if factor is None or found is None else product((v[factor], found))

    return value


def polynomial(builder: Builder, term: Term, t: str) -> Read | None:
    """The coefficients of a polynomial in t, the constant first; None where it is none."""
    if term.head == "sum" and has(term, "Sum"):
        parts = [polynomial(builder, part, t) for part in term.parts]
        return None if any(part is None for part in parts) else lambda v: _added([part(v) for part in parts if part])
    if term.head == "Sum":
        return _sum(builder, term, t)
    terms = coefficients(term, t)
    if terms is None:
        return None
    places = [builder.place(c) for c in terms]
    return lambda v: [v[k] for k in places]


def _sum(builder: Builder, total: Term, t: str) -> Read | None:
    body, k, low, high = body_of(total)
    first = whole(low)
    if t in high.free or first is None or first < 0:
        return None
    rest, found = [], False
    for part in factors(body):
        if part == power(name(t), name(k)) and not found:
            found = True
        elif t in part.free:
            return None
        else:
            rest.append(part)
    if not found:
        return None
    plan = builder.body(times(*rest), k)
    last = builder.place(high)

    def read(v: Any) -> list[Number] | None:
        top = to_integer(v[last])
        if top is not None and top > MOST_TERMS:
            raise Undecided(f"an integral of a power of a polynomial of degree {_short(top)}: up to {MOST_TERMS} is tried")
        if top is None or top < first - 1:
            return None
        term = Body(plan, v)
        return [fmpq(0)] * first + [term(fmpq(j)) for j in range(first, int(top) + 1)]

    return read


def _short(number: Any) -> str:
    return str(number) if number < 10**20 else "beyond 10^20"


def _added(parts: list[list[Number] | None]) -> list[Number] | None:
    if any(part is None for part in parts):
        return None
    known = [part for part in parts if part is not None]
    return [add([part[k] for part in known if k < len(part)]) for k in range(max(map(len, known)))]
