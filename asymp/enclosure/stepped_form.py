"""Summands whose terms go by explicit steps, read from the expression, and their sums and quotients of sums in a plan.

A quotient Sum(t u)/Sum(t v) is taken as one: what is common to both, t, is then needed up to a factor alone, so that
the sums may begin at the largest terms.

>>> from asymp.enclosure import enclose
>>> weight = "x^a*Product(1 + floor((n - 2*i)/3)/i, (i, 1, a))"
>>> mean = f"Sum(a*{weight}, (a, 0, floor(n/2)))/Sum({weight}, (a, 0, floor(n/2)))"
>>> str(enclose(mean, {"n": "1e12", "x": "2/5"}, digits=20))
'153846153846.15384615 +/- 3.9e-9'
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import lcm
from typing import Any

from flint import ctx, fmpq

from asymp.enclosure import arithmetic as ar
from asymp.enclosure.algebra import (
    MINUS_ONE,
    OO,
    base_and_exponent,
    body_of,
    factors,
    has,
    minus,
    over,
    plus,
    raised,
    replace,
    simple,
    subs,
    subterms,
    times,
    whole,
)
from asymp.enclosure.arithmetic import NAN, Number, to_ball
from asymp.enclosure.calculus import expanded, is_polynomial, line
from asymp.enclosure.ends import Span
from asymp.enclosure.ends import place as whole_ends
from asymp.enclosure.fields import split
from asymp.enclosure.plan import Builder, compile_term
from asymp.enclosure.stepped import Factors, Floors, Line, Power, Stepped, Weighted, value
from asymp.enclosure.stepped_sum import exactly, sums
from asymp.enclosure.summing import Summing
from asymp.kernel.terms import ONE, ZERO, Refused, Term, name, number

EXACT = 40
"""Ranges up to this length are added exactly."""
LONGEST_EXACT = 20_000
_INDEX = "\0i"
_NO_FACTORS = ("ceiling", "cases", "Min", "Max", "Sum", "Product", "Integral")


class _NotStepped(Exception):
    """Another form."""


@dataclass
class _Form:
    """What is read of a factor in one index: forms linear in it and in floors, to powers, and what is free of it."""

    floors: dict[Term, str] = field(default_factory=dict)
    lines: dict[Term, int] = field(default_factory=dict)
    constant: Term = ONE

    def mark(self, term: Term) -> Term:
        """The term with names for its floors."""

        def put(found: Term) -> Term | None:
            if found.head != "floor" or frozenset(self.generators()).isdisjoint(found.free):
                return None
            argument = expanded(found.parts[0])
            inner = has(argument, "floor", "ceiling") or not argument.free.isdisjoint(self.floors.values())
            if inner or _line(argument, [_INDEX]) is None:
                raise _NotStepped
            return name(self.floors.setdefault(argument, f"\0F{len(self.floors)}"))

        return replace(term, put)

    def generators(self) -> list[str]:
        """The index and the names of the floors."""
        return [_INDEX, *self.floors.values()]

    def rational(self, term: Term, weight: int) -> None:
        """Reads a rational factor to a power."""
        marked = self.mark(term)
        if has(marked, *_NO_FACTORS):
            raise _NotStepped
        constant, several = split(marked)
        self.constant = times(self.constant, raised(constant, number(weight)))
        for one, often in several:
            if frozenset(self.generators()).isdisjoint(one.free):
                self.constant = times(self.constant, raised(one, number(often * weight)))
                continue
            if _line(one, self.generators()) is None:
                raise _NotStepped
            self.lines[one] = self.lines.get(one, 0) + often * weight


def _line(term: Term, generators: list[str]) -> tuple[Term, ...] | None:
    """(c, c_1, ...) with term = c + c_1 g_1 + ..., or None."""
    if not is_polynomial(term, *generators):
        return None
    found = []
    for g in generators:
        straight = line(term, g)
        if straight is None or not straight[0].free.isdisjoint(generators):
            return None
        found.append(straight[0])
        term = straight[1]
    return (term, *found)


@dataclass
class _Product:
    weight: int
    low: Term
    limit: Term
    form: _Form


@dataclass
class _Summand:
    form: _Form
    powers: dict[Term, Term] = field(default_factory=dict)  # base -> exponent
    products: dict[Term, _Product] = field(default_factory=dict)  # Product -> its reading


def _read(body: Term, index: str) -> _Summand:
    """The summand.

    Raises:
        _NotStepped: it is of another form.
    """
    found = _Summand(_Form())

    def binomial(part: Term) -> Term | None:
        if part.head != "binomial":
            return None
        top, bottom = part.parts
        above, *below = (Term("factorial", (z,)) for z in (top, bottom, minus(top, bottom)))
        return over(above, times(*below))

    form = found.form
    for factor in factors(replace(subs(simple(body), {index: name(_INDEX)}), binomial)):
        base, exponent = base_and_exponent(factor)
        n = whole(exponent)
        if _INDEX not in factor.free:
            form.constant = times(form.constant, factor)
        elif base.head in ("Product", "factorial"):
            _product(found, base, exponent)
        elif _INDEX not in base.free:
            straight = _line(form.mark(exponent), form.generators())
            if straight is None:
                raise _NotStepped
            form.constant = times(form.constant, raised(base, straight[0]))
            for c, g in zip(straight[1:], form.generators(), strict=True):
                root, often = (base, c) if whole(c) is not None else (raised(base, c), ONE)
                if c != ZERO:
                    found.powers[root] = plus(found.powers.get(root, ZERO), times(often, name(g)))
        elif n is not None:
            form.rational(base, n)
        else:
            raise _NotStepped
    return found


def _product(found: _Summand, item: Term, exponent: Term) -> None:
    n = whole(exponent)
    if n is None:
        raise _NotStepped
    if item.head == "factorial":
        inner, low, high = "\0j", ONE, item.parts[0]
        body = name(inner)
    else:
        body, inner, low, high = body_of(item)
    if _INDEX in low.free or _INDEX in body.free:
        raise _NotStepped
    limit = found.form.mark(high)
    if _line(limit, found.form.generators()) is None:
        raise _NotStepped
    form = _Form()
    for factor in factors(subs(simple(body), {inner: name(_INDEX)})):
        base, power = base_and_exponent(factor)
        if _INDEX not in factor.free:
            form.constant = times(form.constant, factor)
        elif (k := whole(power)) is not None:
            form.rational(base, k)
        else:
            raise _NotStepped
    if item in found.products:
        found.products[item].weight += n
    else:
        found.products[item] = _Product(n, low, limit, form)


def is_stepped(body: Term, index: str) -> bool:
    """Whether the summand has a product up to the index, or floors of it: what other methods leave alone."""
    return any(index in part.free for part in subterms(body) if part.head in ("Product", "floor"))


@dataclass(frozen=True)
class _Places:
    """The places in a plan of the numbers of a term with weights."""

    floors: list[tuple[int, ...]]
    powers: list[tuple[int, list[int]]]
    factors: list[tuple[int, int, list[int], list[tuple[int, ...]], list[tuple[list[int], int]], int]]
    forms: list[tuple[list[int], int]]
    weights: list[list[tuple[list[int], int]]]


def _places(builder: Builder, one: _Summand, weights: list[dict[Term, int]]) -> _Places:
    """Of the term of ``one``, of whose forms those of negative powers are kept; raises :class:`_NotStepped`."""

    def straight(term: Term, form: _Form) -> list[int]:
        found = _line(term, form.generators())
        if found is None:
            raise _NotStepped
        return [builder.place(c) for c in found]

    def rows(form: _Form) -> list[tuple[int, ...]]:
        return [tuple(builder.place(c) for c in _line(each, [_INDEX]) or ()) for each in form.floors]

    factors = []
    for item in one.products.values():
        if item.weight:
            lines = [(straight(line, item.form), w) for line, w in item.form.lines.items() if w]
            places = builder.place(item.low), straight(item.limit, one.form), rows(item.form), lines
            factors.append((item.weight, *places, builder.place(item.form.constant)))
    return _Places(
        rows(one.form),
        [(builder.place(base), straight(exponent, one.form)) for base, exponent in one.powers.items()],
        factors,
        [(straight(line, one.form), w) for line, w in one.form.lines.items() if w < 0],
        [[(straight(line, one.form), w) for line, w in each.items() if w] for each in weights],
    )


def _exact(numbers: Iterator[Number]) -> list[fmpq]:
    found = list(numbers)
    if not all(isinstance(x, fmpq) for x in found):
        raise _NotStepped
    return found  # type: ignore[return-value]


def _whole(v: Any, places: list[int]) -> tuple[Line, int]:
    """(D line, D) with whole coefficients."""
    found = _exact(v[k] for k in places)
    scale = lcm(*(int(x.q) for x in found))
    return tuple(int(x * scale) for x in found), scale


def _floors(v: Any, rows: list[tuple[int, ...]]) -> Floors:
    return Floors(tuple((row[0], row[1], scale) for row, scale in (_whole(v, list(places)) for places in rows)))


def _lines(v: Any, lines: list[tuple[list[int], int]], floors: Floors, at: int, signed: bool) -> tuple[Weighted, fmpq]:
    """The forms with whole coefficients, positive ``at`` if ``signed``, and the factor that this takes away."""
    found, factor = [], fmpq(1)
    for places, w in lines:
        line, scale = _whole(v, places)
        factor *= fmpq(scale) ** -w
        if signed and value(line, at, floors.at(at)) < 0:
            line, factor = tuple(-x for x in line), factor * (-1) ** w
        found.append((line, w))
    return tuple(found), factor


def _numbers(v: Any, places: _Places, span: Span) -> tuple[Stepped, list[fmpq]] | None:
    """The term with its numbers, and what each sum is to be multiplied by; None where they are not exact."""
    first, last = span.first, span.last
    assert last is not None
    try:
        floors = _floors(v, places.floors)
        powers = [(v[base], _whole_line(v, exponent)) for base, exponent in places.powers]
        factors = []
        for weight, low, limit, rows, lines, constant in places.factors:
            inner = _floors(v, rows)
            start = int(_exact(iter([v[low]]))[0]) if ar.to_integer(v[low]) is not None else None
            if start is None:
                return None
            forms, scale = _lines(v, lines, inner, start, True)
            top = _whole_line(v, limit)
            if isinstance(v[constant], fmpq):
                scale *= v[constant]
            else:
                powers.append((v[constant] ** weight, top))
            if not scale > 0:
                return None
            factors.append(Factors(weight, start, top, inner, forms, scale))
        forms, _ = _lines(v, places.forms, floors, first, True)
        weights: list[Weighted] = []
        scales = []
        for each in places.weights:
            whole, scale = _lines(v, each, floors, first, False)
            weights.append(whole)
            scales.append(scale)
    except _NotStepped:
        return None
    if not all(to_ball(base) > 0 for base, _ in powers):
        return None
    found = tuple(Power(base, to_ball(ar.logarithm(base)), exponent) for base, exponent in powers)
    return Stepped(floors, found, tuple(factors), forms, tuple(weights), first, last), scales


def _whole_line(v: Any, places: list[int]) -> Line:
    line, scale = _whole(v, places)
    if scale != 1:
        raise _NotStepped
    return line


def _sums(v: Any, places: _Places, span: Span, begin: bool = False) -> tuple[Stepped, list[Number]] | None:
    """The term, and its sums times each weight over the term at some state, with ``begin`` the first."""
    assert span.last is not None
    with ctx.workprec(ctx.prec + 40 + span.last.bit_length()):
        found = _numbers(v, places, span)
    if found is None:
        return None
    term, scales = found
    result: list[Any] | None = None
    if span.last - span.first <= (LONGEST_EXACT if ar.exact_only() else EXACT):
        result = exactly(term)
    if result is None and not ar.exact_only():
        result = sums(term, max(ctx.prec * 2 // 3, ctx.prec - 50), begin)
    return None if result is None else (term, [ar.multiply((x, s)) for x, s in zip(result, scales, strict=True)])


def total(v: Any, places: _Places, first: int, last: int, body: Callable[[int], Number]) -> Number | None:
    """The sum of a summand read by :func:`alone`; None where that could not be bounded."""
    found = _sums(v, places, Span(first, last), True)
    if found is None:
        return None
    term, (relative,) = found
    weight, floors = ar.ONE, term.floors.at(first)
    for one, w in term.weights[0]:
        weight *= fmpq(value(one, first, floors)) ** w
    return None if weight == 0 else ar.multiply((body(first), ar.invert(weight), relative))


def quotient(builder: Builder, top: Term, bottom: Term) -> int | None:
    """The place of one sum over another, with the same term up to weights; None where they are not so."""
    if bottom.head != "Sum" or top.parts[1:] != bottom.parts[1:]:
        return None
    (above, index, low, high), (below, other, *_) = body_of(top), body_of(bottom)
    if builder.outer is not None or high == OO or not (is_stepped(above, index) and is_stepped(below, other)):
        return None
    try:
        one, two = _read(above, index), _read(below, other)
        if not _alike(one, two):
            return None
        first, second = one.form.lines, two.form.lines
        lines = {line: (first.get(line, 0), second.get(line, 0)) for line in {**first, **second}}
        one.form.lines = common = {line: min(*both, 0) for line, both in lines.items()}
        weights = [{line: both[k] - common[line] for line, both in lines.items()} for k in (0, 1)]
        places = _places(builder, one, weights)
        factor = builder.place(over(one.form.constant, two.form.constant))
    except (_NotStepped, Refused):
        return None
    ends = whole_ends(builder, index, low, high)

    def real(v: Any) -> Number:
        span: Span | None = v[ends]
        if span is None or span.empty or span.last is None:
            return NAN
        found = _sums(v, places, span)
        if found is None:  # as any two sums
            parts, scale = [compile_term(part, builder.positive & part.free).run(v.environment) for part in (top, bottom)], ar.ONE
        else:
            parts, scale = found[1], v[factor]
        return ar.multiply((scale, parts[0], ar.invert(parts[1])))

    return builder.emit(("stepped", top, bottom), real, None)


def quotients(builder: Builder, several: Sequence[Term]) -> tuple[list[int], list[Term]]:
    """The places of such quotients among the factors of a product, and the other factors."""
    rest: list[Term] = list(several)
    places: list[int] = []
    for top in [part for part in rest if part.head == "Sum"]:
        for part in [part for part in rest if part.head == "power" and part.parts[1] == MINUS_ONE]:
            found = quotient(builder, top, part.parts[0])
            if found is not None:
                places.append(found)
                rest.remove(top)
                rest.remove(part)
                break
    return places, rest


def _alike(one: _Summand, two: _Summand) -> bool:
    """Whether the powers and the products are the same; the floors then have the same names."""
    own = {argument: one.form.floors.setdefault(argument, f"\0F{len(one.form.floors)}") for argument in two.form.floors}
    names = {old: name(own[argument]) for argument, old in two.form.floors.items()}
    two.form.lines = {subs(line, names): w for line, w in two.form.lines.items()}
    two.powers = {base: subs(exponent, names) for base, exponent in two.powers.items()}
    powers = {base: expanded(e) for base, e in one.powers.items()} == {base: expanded(e) for base, e in two.powers.items()}
    return powers and {k: i.weight for k, i in one.products.items()} == {k: i.weight for k, i in two.products.items()}


def alone(builder: Builder, body: Term, index: str) -> _Places | None:
    """The places of a summand by itself."""
    if not is_stepped(body, index):
        return None
    try:
        one = _read(body, index)
        weights = {line: w for line, w in one.form.lines.items() if w > 0}
        return _places(builder, one, [weights])
    except (_NotStepped, Refused):
        return None


METHOD = Summing("stepped-sums", 0, alone, total, quotients)
