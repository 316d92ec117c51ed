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

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import lcm
from typing import Any

from flint import ctx, fmpq

from asymp.enclosure import algebra as al
from asymp.enclosure import arithmetic as ar
from asymp.enclosure.algebra import MINUS_ONE, OO, over, plus, raised, subs, times, whole
from asymp.enclosure.arithmetic import NAN, Number, to_ball
from asymp.enclosure.calculus import expanded, is_polynomial, line
from asymp.enclosure.ends import Span
from asymp.enclosure.ends import place as whole_ends
from asymp.enclosure.fields import split
from asymp.enclosure.plan import Builder, compile_term
from asymp.enclosure.stepped import Factors, Floors, Line, Power, Stepped, Weighted, value
from asymp.enclosure.stepped_sum import exactly, sums
from asymp.enclosure.summing import Summing
from asymp.kernel.terms import ONE, ZERO, Refused, Term, name, number, walk

EXACT = 40
"""Ranges up to this length are added exactly."""
LONGEST_EXACT = 20_000
_INDEX = "\0i"
_NO_FACTORS = ("ceiling", "cases", "Min", "Max", "Sum", "Product", "Integral")


class _NotStepped(Exception):
    """Another form."""


# --- read ----------------------------------------------------------------------------------------


@dataclass
class _Form:
    """What is read of a product in one index: forms linear in it and in floors, to powers, and what is free of it."""

    floors: dict[Term, str] = field(default_factory=dict)
    lines: dict[Term, int] = field(default_factory=dict)
    constant: Term = ONE

    def mark(self, term: Term) -> Term:
        """The term with names for its floors."""

        def put(found: Term) -> Term | None:
            if found.head != "floor" or frozenset(self.generators()).isdisjoint(found.free):
                return None
            argument = expanded(found.parts[0])
            if al.has(argument, "floor", "ceiling") or not argument.free.isdisjoint(self.floors.values()):
                raise _NotStepped
            _line(argument, [_INDEX])
            return name(self.floors.setdefault(argument, f"\0F{len(self.floors)}"))

        return al.replace(term, put)

    def generators(self) -> list[str]:
        """The index and the names of the floors."""
        return [_INDEX, *self.floors.values()]

    def line(self, term: Term) -> tuple[Term, ...]:
        """A marked term as a form."""
        return _line(term, self.generators())

    def rows(self) -> list[tuple[Term, ...]]:
        """The floors, each by its argument."""
        return [_line(each, [_INDEX]) for each in self.floors]

    def weighted(self, lines: dict[Term, int]) -> list[tuple[tuple[Term, ...], int]]:
        """Forms with their powers."""
        return [(self.line(one), w) for one, w in lines.items() if w]

    def rational(self, term: Term, weight: int) -> None:
        """Reads a rational factor to a power."""
        marked = self.mark(term)
        if al.has(marked, *_NO_FACTORS):
            raise _NotStepped
        constant, several = split(marked)
        for one, often in [(constant, 1), *several]:
            if frozenset(self.generators()).isdisjoint(one.free):
                self.constant = times(self.constant, raised(one, number(often * weight)))
            else:
                self.line(one)
                self.lines[one] = self.lines.get(one, 0) + often * weight


def _line(term: Term, generators: list[str]) -> tuple[Term, ...]:
    """(c, c_1, ...) with term = c + c_1 g_1 + ...; raises :class:`_NotStepped`."""
    if not is_polynomial(term, *generators):
        raise _NotStepped
    found = []
    for g in generators:
        straight = line(term, g)
        if straight is None or not straight[0].free.isdisjoint(generators):
            raise _NotStepped
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
    """The summand (_NotStepped: it is of another form)."""
    found = _Summand(_Form())

    def binomial(part: Term) -> Term | None:
        if part.head != "binomial":
            return None
        top, bottom = part.parts
        above, *below = (Term("factorial", (z,)) for z in (top, bottom, al.minus(top, bottom)))
        return over(above, times(*below))

    form = found.form
    for factor in al.factors(al.replace(subs(al.simple(body), {index: name(_INDEX)}), binomial)):
        base, exponent = al.base_and_exponent(factor)
        n = whole(exponent)
        if _INDEX not in factor.free:
            form.constant = times(form.constant, factor)
        elif _INDEX not in base.free:
            c, *straight = form.line(form.mark(exponent))
            form.constant = times(form.constant, raised(base, c))
            for c, g in zip(straight, form.generators(), strict=True):
                root, often = (base, c) if whole(c) is not None else (raised(base, c), ONE)
                if c != ZERO:
                    found.powers[root] = plus(found.powers.get(root, ZERO), times(often, name(g)))
        elif n is None:
            raise _NotStepped
        elif base.head in ("Product", "factorial"):
            _product(found, base, n)
        else:
            form.rational(base, n)
    return found


def _product(found: _Summand, item: Term, n: int) -> None:
    if item.head == "factorial":
        body, inner, low, high = name("\0j"), "\0j", ONE, item.parts[0]
    else:
        body, inner, low, high = al.body_of(item)
    if _INDEX in low.free or _INDEX in body.free:
        raise _NotStepped
    limit = found.form.mark(high)
    found.form.line(limit)
    form = _Form()
    for factor in al.factors(subs(al.simple(body), {inner: name(_INDEX)})):
        base, power = al.base_and_exponent(factor)
        if _INDEX not in factor.free:
            form.constant = times(form.constant, factor)
        elif (k := whole(power)) is not None:
            form.rational(base, k)
        else:
            raise _NotStepped
    found.products.setdefault(item, _Product(0, low, limit, form)).weight += n


def is_stepped(body: Term, index: str) -> bool:
    """Whether the summand has a product up to the index, or floors of it: what other methods leave alone."""
    return any(index in part.free for part in walk(body) if part.head in ("Product", "floor"))


# --- numbers -------------------------------------------------------------------------------------


def _mapped(what: Any, put: Callable[[Term], Any]) -> Any:
    if isinstance(what, (list, tuple)):
        return [_mapped(one, put) for one in what]
    return put(what) if isinstance(what, Term) else what


class _Reading:
    """A term with weights: of the forms of ``one`` those of negative powers are its own.  Raises :class:`_NotStepped`."""

    def __init__(self, builder: Builder, one: _Summand, weights: list[dict[Term, int]]) -> None:
        form = one.form
        self.parts = (
            form.rows(),
            [(base, form.line(exponent)) for base, exponent in one.powers.items()],
            [
                (item.weight, item.low, form.line(item.limit), (own := item.form).rows(), own.weighted(own.lines), own.constant)
                for item in one.products.values() if item.weight
            ],
            form.weighted({one: w for one, w in form.lines.items() if w < 0}),
            [form.weighted(each) for each in weights],
        )  # fmt: skip
        self.places: dict[Term, int] = {}
        _mapped(self.parts, lambda term: self.places.setdefault(term, builder.place(term)))

    def numbers(self, v: Any, span: Span) -> tuple[Stepped, list[fmpq]]:
        """The term with its numbers, and what each sum is to be multiplied by; raises :class:`_NotStepped` where they are
        not exact."""
        first, last = span.first, span.last
        assert last is not None
        rows, several, products, own, others = _mapped(self.parts, lambda term: v[self.places[term]])
        floors = _floors(rows)
        powers, factors = [(base, _whole_line(exponent)) for base, exponent in several], []
        for weight, low, limit, inner_rows, lines, constant in products:
            inner, start = _floors(inner_rows), ar.to_integer(low)
            if start is None:
                raise _NotStepped
            forms, scale = _lines(lines, inner, int(start), True)
            top = _whole_line(limit)
            if isinstance(constant, fmpq):
                scale *= constant
            else:
                powers.append((constant**weight, top))
            if not scale > 0:
                raise _NotStepped
            factors.append(Factors(weight, int(start), top, inner, forms, scale))
        weights, scales = zip(*(_lines(each, floors, first, False) for each in others), strict=True)
        if not all(to_ball(base) > 0 for base, _ in powers):
            raise _NotStepped
        known = tuple(Power(base, to_ball(ar.logarithm(base)), exponent) for base, exponent in powers)
        forms, _ = _lines(own, floors, first, True)
        return Stepped(floors, known, tuple(factors), forms, weights, first, last), list(scales)

    def sums(self, v: Any, span: Span, begin: bool = False) -> tuple[Stepped, list[Number]] | None:
        """The term, and its sums times each weight over the term at some state, with ``begin`` the first."""
        assert span.last is not None
        try:
            with ctx.workprec(ctx.prec + 40 + span.last.bit_length()):
                term, scales = self.numbers(v, span)
        except _NotStepped:
            return None
        result: list[Any] | None = None
        if span.last - span.first <= (LONGEST_EXACT if ar.exact_only() else EXACT):
            result = exactly(term)
        if result is None and not ar.exact_only():
            result = sums(term, max(ctx.prec * 2 // 3, ctx.prec - 50), begin)
        return None if result is None else (term, [ar.multiply((x, s)) for x, s in zip(result, scales, strict=True)])


def _whole(found: Iterable[Number]) -> tuple[Line, int]:
    """(D line, D) with whole coefficients."""
    if not all(isinstance(x, fmpq) for x in found):
        raise _NotStepped
    scale = lcm(*(int(x.q) for x in found))
    return tuple(int(x * scale) for x in found), scale


def _whole_line(found: Iterable[Number]) -> Line:
    one, scale = _whole(found)
    if scale != 1:
        raise _NotStepped
    return one


def _floors(rows: list[list[Number]]) -> Floors:
    return Floors(tuple((row[0], row[1], scale) for row, scale in map(_whole, rows)))


def _lines(lines: list[Any], floors: Floors, at: int, signed: bool) -> tuple[Weighted, fmpq]:
    """The forms with whole coefficients, positive ``at`` if ``signed``, and the factor that this takes away."""
    found, factor = [], fmpq(1)
    for numbers, w in lines:
        one, scale = _whole(numbers)
        factor *= fmpq(scale) ** -w
        if signed and value(one, at, floors.at(at)) < 0:
            one, factor = tuple(-x for x in one), factor * (-1) ** w
        found.append((one, w))
    return tuple(found), factor


# --- sums, and quotients of sums -----------------------------------------------------------------


def alone(builder: Builder, body: Term, index: str) -> _Reading | None:
    """What is read of a summand by itself."""
    if not is_stepped(body, index):
        return None
    try:
        one = _read(body, index)
        return _Reading(builder, one, [{line: w for line, w in one.form.lines.items() if w > 0}])
    except (_NotStepped, Refused):
        return None


def total(v: Any, read: _Reading, first: int, last: int, body: Callable[[int], Number]) -> Number | None:
    """The sum of a summand read by :func:`alone`; None where that could not be bounded."""
    found = read.sums(v, Span(first, last), True)
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
    (above, index, low, high), (below, other, *_) = al.body_of(top), al.body_of(bottom)
    if builder.outer is not None or high == OO or not (is_stepped(above, index) and is_stepped(below, other)):
        return None
    try:
        one, two = _read(above, index), _read(below, other)
        if not _alike(one, two):
            return None
        first, second = one.form.lines, two.form.lines
        lines = {line: (first.get(line, 0), second.get(line, 0)) for line in {**first, **second}}
        one.form.lines = common = {line: min(*both, 0) for line, both in lines.items()}
        read = _Reading(builder, one, [{line: both[k] - common[line] for line, both in lines.items()} for k in (0, 1)])
        factor = builder.place(over(one.form.constant, two.form.constant))
    except (_NotStepped, Refused):
        return None
    ends = whole_ends(builder, index, low, high)

    def real(v: Any) -> Number:
        span: Span | None = v[ends]
        if span is None or span.empty or span.last is None:
            return NAN
        found = read.sums(v, span)
        if found is None:  # as any two sums
            parts, scale = [compile_term(part, builder.positive & part.free).run(v.environment) for part in (top, bottom)], ar.ONE
        else:
            parts, scale = found[1], v[factor]
        return ar.multiply((scale, parts[0], ar.invert(parts[1])))

    return builder.emit(("stepped", top, bottom), real, None)


def quotients(builder: Builder, several: Sequence[Term]) -> tuple[list[int], list[Term]]:
    """The places of such quotients among the factors of a product, and the other factors."""
    rest, places = list(several), list[int]()
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
    first, second = ({base: expanded(subs(e, put)) for base, e in x.powers.items()} for x, put in ((one, {}), (two, names)))
    return first == second and {k: i.weight for k, i in one.products.items()} == {k: i.weight for k, i in two.products.items()}


METHOD = Summing("stepped-sums", 0, alone, total, quotients)
