"""The range of an expression over an interval, which may be unbounded.

Interval arithmetic with exact ends: a monotone function is bounded by its values at the two ends, so that
wide intervals and [T, oo) cost nothing.  Midpoint and radius would lose there.

>>> low, high = span(read("exp(-t) - 2"), "t").over(arb(1), arb.pos_inf())
>>> bool(low >= -2), bool(high < -1)
(True, True)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from flint import arb, ctx
from gmpy2 import mpq

from asymp.budget import uncounted
from asymp.enclosure import algebra as al
from asymp.enclosure.algebra import made, negative, plus, raised, simple, subs, summands, times, whole
from asymp.enclosure.arithmetic import to_ball
from asymp.enclosure.calculus import X, is_rational, numerator_of
from asymp.enclosure.enclose import ball
from asymp.enclosure.fields import factored
from asymp.enclosure.functions import FUNCTIONS as BALLS
from asymp.enclosure.numbers import Undecided
from asymp.functions.table import NAMED
from asymp.kernel.terms import ONE, Refused, Term, name, number, read, walk


class Span(NamedTuple):
    """All reals from ``low`` to ``high``; an infinite end is not attained."""

    low: arb
    high: arb

    @property
    def sign(self) -> int | None:
        """1 or -1 where all of it is above or below 0."""
        return 1 if self.low > 0 else -1 if self.high < 0 else None


WHOLE = Span(arb.neg_inf(), arb.pos_inf())
Evaluate = Callable[[Span, Mapping[str, Span]], Span]


def make(low: arb, high: arb) -> Span:
    """From two balls: everything between the lower end of the first and the upper end of the second."""
    if low.is_nan() or high.is_nan():
        return WHOLE
    a = low if not low.is_finite() and low < 0 else low.lower()
    b = high if not high.is_finite() and high > 0 else high.upper()
    return WHOLE if a.is_nan() or b.is_nan() else Span(a, b)


def _point(value: arb) -> Span:
    return make(value, value)


def _sum(a: Span, b: Span) -> Span:
    return make(a.low + b.low, a.high + b.high)


def _times(x: arb, y: arb) -> arb:
    # an infinite end is not attained: 0 times it bounds by 0
    return arb(0) if x.is_zero() or y.is_zero() else x * y


def _product(a: Span, b: Span) -> Span:
    ends = [_times(x, y) for x in a for y in b]
    if any(e.is_nan() for e in ends):
        return WHOLE
    return make(_least(ends), -_least([-e for e in ends]))


def _least(values: list[arb]) -> arb:
    best = values[0]
    for value in values[1:]:
        if value.is_finite() and best.is_finite():
            best = best.min(value)
        elif value < best:
            best = value
    return best


def hull(spans: Sequence[Span]) -> Span:
    """The least that holds all of them."""
    return make(_least([a.low for a in spans]), -_least([-a.high for a in spans]))


def meet(spans: Sequence[Span]) -> Span:
    """What lies in all of them; an end that is not finite is none."""
    return Span(_greatest([a.low for a in spans]), -_greatest([-a.high for a in spans]))


def _greatest(bounds: list[arb]) -> arb:
    best = bounds[0]
    for bound in bounds[1:]:
        best = bound if not best.is_finite() or (bound.is_finite() and bound > best) else best
    return best


def largest_of(bounds: Span) -> arb:
    """The largest absolute value."""
    return abs(bounds.low).max(abs(bounds.high))


def _size(a: Span) -> Span:
    """Of |x|."""
    return a if a.low >= 0 else Span(arb(0) if a.high > 0 else -a.high, -_least([a.low, -a.high]))


def _inverse(a: Span) -> Span:
    low, high = (1 / x if x.is_finite() else arb(0) for x in (a.high, a.low))
    if a.low > 0 or a.high < 0:
        return make(low, high)
    if a.low.is_zero() or a.high.is_zero():
        return make(low, arb.pos_inf()) if a.low.is_zero() else make(arb.neg_inf(), high)
    return WHOLE


def _integer_power(a: Span, n: int) -> Span:
    if n < 0:
        return _inverse(_integer_power(a, -n))
    if n == 0:
        return Span(arb(1), arb(1))
    return make(*(x**n if x.is_finite() else x for x in (a if n % 2 else _size(a))))


@uncounted
@lru_cache(maxsize=256)
def _of_row(name: str) -> Callable[[Span], Span]:
    """A function of the table, on what lies in the interval where it is real; its values at infinity are ends of its range.

    One that is monotone there has its bounds at the ends; of another the ball around all is cut to its range.
    """
    row = NAMED[name]
    needed = [(kind, span(read(text), "x")) for kind, text in row.inside or ()]
    (value, _), least, most = BALLS[name], row.values.low or "-oo", row.values.high or "oo"

    def at(x: arb) -> arb:
        if x.is_finite():
            return to_ball(value((x,)))
        return _end(most) if (x > 0) is (row.slope > 0) else _end(least)

    def bounds(a: Span) -> Span:
        if not all(low > 0 or (kind == ">=" and low >= 0) for kind, low in ((kind, f.over(*a).low) for kind, f in needed)):
            return WHOLE
        if row.slope:
            return make(at(a.low), at(a.high)) if row.slope > 0 else make(at(a.high), at(a.low))
        low, high = _end(least), _end(most)
        if a.low.is_finite() and a.high.is_finite():
            around = to_ball(value((a.low.union(a.high),)))
            if around.is_finite():
                return make(around.max(low) if low.is_finite() else around, around.min(high) if high.is_finite() else around)
        return make(low, high)

    return bounds


def _end(text: str) -> arb:
    known = {"oo": arb.pos_inf, "-oo": arb.neg_inf, "pi/2": _half_pi, "-pi/2": lambda: -_half_pi()}
    return known[text]() if text in known else arb(text)


def _logarithm(a: Span) -> Span:
    if not a.high > 0:
        return WHOLE
    # of |x| where the bounds of a positive quantity reach below 0: an upper bound of ln|x| then too
    low, high = a.low.log() if a.low > 0 else arb.neg_inf(), _size(a).high
    return make(low, high.log() if high.is_finite() else high)


def _hyperbolic_cosine(a: Span) -> Span:
    return make(*(x.cosh() if x.is_finite() else x for x in _size(a)))


def _half_pi() -> arb:
    return arb.pi() / 2


_BY_HAND: dict[str, Callable[[Span], Span]] = {
    "log": _logarithm,
    "cosh": _hyperbolic_cosine,
    "factorial": lambda a: _of_row("gamma")(_sum(a, _point(arb(1)))),
}


def _function(name: str) -> Callable[[Span], Span] | None:
    """Of one argument; None where none is known."""
    row = NAMED.get(name)
    known = row is not None and row.ball and row.least == 1 and row.inside is not None
    return _BY_HAND.get(name) or (_of_row(name) if known else None)


def _power(a: Span, exponent: Span) -> Span:
    if a.low < 0:
        return WHOLE
    return _of_row("exp")(_product(exponent, _logarithm(a)))


def obstacles(term: Term, variable: str) -> list[tuple[Term, bool]]:
    """What must not vanish (False), or must be positive (True), for the term to be analytic."""
    found: list[tuple[Term, bool]] = []
    for node in dict.fromkeys(walk(term)):
        if variable not in node.free or node.head in ("name", "sum", "product", "number"):
            continue
        if node.head == "power":
            n = whole(node.parts[1])
            if n is None or n < 0:
                found.append((node.parts[0], n is None))
        elif node.head == "Quotient":
            found += obstacles(subs(numerator_of(node), {X: node.parts[0]}), variable)
        else:
            row = NAMED.get(node.head)
            if row is None or len(node.parts) > 1 or not (row.ball or row.name == "factorial") or len(row.real(1)) > 1:
                raise Undecided(f"where {node.head} is analytic is not known")
            found += [(subs(simple(read(text)), {"x": node.parts[0]}), kind != "!=") for kind, text in row.real(1)[0]]
    return found


@dataclass(frozen=True)
class Range:
    """An expression as a map of intervals; other symbols than the variable take spans by name."""

    evaluate: Evaluate

    def over(self, low: arb, high: arb, values: Mapping[str, Span] | None = None) -> Span:
        """Bounds of the expression for every value of the variable between ``low`` and ``high``."""
        return self.evaluate(make(low, high), values or {})


@dataclass(frozen=True)
class Ranges:
    """One function in several forms: what all of them allow."""

    forms: list[Range]

    def over(self, low: arb, high: arb, values: Mapping[str, Span] | None = None) -> Span:
        """As :meth:`Range.over`."""
        return meet([form.over(low, high, values) for form in self.forms])


def both(term: Term, variable: str) -> Ranges:
    """A term as it stands, and a rational function of e^t as one of e^(-t), which is bounded where t is large."""
    forms, e = [span(term, variable)], al.fresh("e", term)

    def put(part: Term) -> Term | None:
        if part.head == "exp" and variable in part.free:
            c, rest = _multiple(part.parts[0], variable)
            return None if c is None else times(made("exp", (rest,)), raised(name(e), number(-c)))
        return None

    def turned(f: Term) -> Term:
        return subs(factored(f), {e: made("exp", (negative(name(variable)),))})

    try:
        swapped = al.replace(al.replace(term, _by_exponentials), put)
        if e in swapped.free and is_rational(swapped, e) and sum(1 for _ in walk(swapped)) < 120:
            forms.append(span(turned(swapped), variable))
            forms.append(span(plus(*map(turned, summands(swapped))), variable))
    except Refused:
        pass
    return Ranges(forms)


def _multiple(exponent: Term, variable: str) -> tuple[int | None, Term]:
    """k and a rest with exponent = k variable + rest, the rest free of it."""
    several = [(al.apart(part, variable), part) for part in summands(exponent)]
    inside = [(c, rest) for (c, rest), _ in several if rest != ONE]
    if len(inside) != 1 or inside[0][1] != name(variable) or (k := whole(inside[0][0])) is None:
        return None, exponent
    return k, plus(*(part for (_, rest), part in several if rest == ONE))


def _by_exponentials(part: Term) -> Term | None:
    if part.head not in ("sinh", "cosh", "tanh"):
        return None
    up, down = (made("exp", (x,)) for x in (part.parts[0], negative(part.parts[0])))
    half = number(mpq(1, 2))
    sine, cosine = times(half, plus(up, negative(down))), times(half, plus(up, down))
    return {"sinh": sine, "cosh": cosine}.get(part.head) or times(plus(up, negative(down)), raised(plus(up, down), number(-1)))


BOUNDS: dict[str, Callable[[Term], Callable[[Span], Span]]] = {}
"""By heads of one argument that the table does not have: the map of intervals."""


def span(term: Term, variable: str) -> Range:
    """The map of intervals of a term (Undecided: a function whose range is not known here)."""
    return Range(_compile(term, variable, {}))


def _compile(term: Term, variable: str, seen: dict[Term, Evaluate]) -> Evaluate:
    if term not in seen:
        seen[term] = _node(term, variable, seen)
    return seen[term]


def _node(term: Term, variable: str, seen: dict[Term, Evaluate]) -> Evaluate:
    if term.head == "name" and term.free:
        name = term.name
        return (lambda t, _: t) if name == variable else (lambda _, values: values[name])
    if not term.free:
        return lambda _, __: _point(ball(term, {}, ctx.prec + 16))
    parts = [_compile(part, variable, seen) for part in term.parts]
    if term.head in ("sum", "product"):
        combine = _sum if term.head == "sum" else _product

        def folded(t: Span, values: Mapping[str, Span]) -> Span:
            total = parts[0](t, values)
            for part in parts[1:]:
                total = combine(total, part(t, values))
            return total

        return folded
    if term.head == "power":
        base, exponent = parts
        n = whole(term.parts[1])
        if n is not None:
            return lambda t, values: _integer_power(base(t, values), n)
        return lambda t, values: _power(base(t, values), exponent(t, values))
    function = BOUNDS[term.head](term) if term.head in BOUNDS else _function(term.head)
    if function is None or len(parts) != 1:
        raise Undecided(f"no range of {term.head}")
    inner = parts[0]
    return lambda t, values: function(inner(t, values))
