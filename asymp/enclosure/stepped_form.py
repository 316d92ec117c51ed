"""Summands whose terms go by explicit steps, read from the expression, and their sums and quotients of sums in a plan.

A quotient Sum(t u)/Sum(t v) is taken as one: what is common to both, t, is then needed up to a factor alone, so that
the sums may begin at the largest terms.

>>> from asymp.enclosure import enclose
>>> from asymp.parse.mathematics import parse_expression
>>> weight = "x^a*Product(1 + floor((n - 2*i)/3)/i, (i, 1, a))"
>>> mean = parse_expression(f"Sum(a*{weight}, (a, 0, floor(n/2)))/Sum({weight}, (a, 0, floor(n/2)))")
>>> str(enclose(mean, {"n": "1e12", "x": "2/5"}, digits=20))
'153846153846.15384615 +/- 3.9e-9'
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import sympy as sp
from flint import ctx, fmpq

import asymp.symbolics as sy
from asymp.enclosure import arithmetic as ar
from asymp.enclosure.arithmetic import NAN, Number, to_ball
from asymp.enclosure.ends import Span
from asymp.enclosure.ends import place as whole_ends
from asymp.enclosure.plan import Builder, compile_expr
from asymp.enclosure.stepped import Factors, Floors, Line, Power, Stepped, Weighted, value
from asymp.enclosure.stepped_sum import exactly, sums
from asymp.enclosure.summing import Summing

EXACT = 40
"""Ranges up to this length are added exactly."""
LONGEST_EXACT = 20_000
_Index = sp.Dummy("i", integer=True)


class _NotStepped(Exception):
    """Another form."""


@dataclass
class _Form:
    """What is read of a factor in one index: forms linear in it and in floors, to powers, and what is free of it."""

    index: sp.Symbol
    floors: dict[sp.Expr, sp.Dummy] = field(default_factory=dict)
    lines: dict[sp.Expr, int] = field(default_factory=dict)
    constant: sp.Expr = sp.S.One

    def mark(self, expr: sp.Expr) -> sp.Expr:
        """The expression with names for its floors."""

        def name(found: sp.Expr) -> sp.Expr:
            argument = found.args[0]
            if self.index not in argument.free_symbols:
                return found
            if argument.has(sp.floor, sp.ceiling) or _line(argument, [self.index]) is None:
                raise _NotStepped
            argument = sy.expand(argument)
            return self.floors.setdefault(argument, sp.Dummy("F", integer=True))

        return expr.replace(lambda e: isinstance(e, sp.floor), name)

    def generators(self) -> list[sp.Symbol]:
        """The index and the names of the floors."""
        return [self.index, *self.floors.values()]

    def rational(self, expr: sp.Expr, weight: int) -> None:
        """Reads a rational factor to a power."""
        marked = self.mark(expr)
        if marked.has(sp.ceiling, sp.Piecewise, sp.Min, sp.Max, sp.Sum, sp.Product, sp.Integral):
            raise _NotStepped
        top, bottom = sp.fraction(sy.together(marked))
        for part, sign in ((top, weight), (bottom, -weight)):
            names = [g for g in self.generators() if g in part.free_symbols]
            if not names:
                self.constant *= part**sign
                continue
            if not part.is_polynomial(*names):
                raise _NotStepped
            with sy.refusing("a factorisation"):
                number, factors = sp.factor_list(part, *names)
            self.constant *= number**sign
            for one, often in factors:
                if _line(one, self.generators()) is None:
                    raise _NotStepped
                self.lines[one] = self.lines.get(one, 0) + sign * often


def _line(expr: sp.Expr, generators: list[sp.Symbol]) -> tuple[sp.Expr, ...] | None:
    """(c, c_1, ...) with expr = c + c_1 g_1 + ..., or None."""
    if not expr.is_polynomial(*generators):
        return None
    try:
        poly = sy.poly(expr, *generators)
    except sy.SymbolicFailure:
        return None
    if poly.total_degree() > 1:
        return None
    return (poly.coeff_monomial(1), *(poly.coeff_monomial(g) for g in generators))


@dataclass
class _Product:
    weight: int
    low: sp.Expr
    limit: sp.Expr
    form: _Form


@dataclass
class _Summand:
    form: _Form
    powers: dict[sp.Expr, sp.Expr] = field(default_factory=dict)  # base -> exponent
    products: dict[sp.Expr, _Product] = field(default_factory=dict)  # Product -> its reading


def _read(body: sp.Expr, index: sp.Symbol) -> _Summand:
    """The summand.

    Raises:
        _NotStepped: it is of another form.
    """
    found = _Summand(_Form(_Index))

    def binomial(top: sp.Expr, bottom: sp.Expr) -> sp.Expr:
        return sp.factorial(top) / (sp.factorial(bottom) * sp.factorial(top - bottom))

    body = body.xreplace({index: _Index}).replace(sp.binomial, binomial)
    for factor in sp.Mul.make_args(body):
        base, exponent = factor.as_base_exp()
        if _Index not in factor.free_symbols:
            found.form.constant *= factor
        elif isinstance(base, sp.Product | sp.factorial):
            _product(found, base, exponent)
        elif _Index not in base.free_symbols:
            marked = found.form.mark(exponent)
            straight = _line(marked, found.form.generators())
            if straight is None:
                raise _NotStepped
            found.form.constant *= base ** straight[0]
            for c, g in zip(straight[1:], found.form.generators(), strict=True):
                root, times = (base, c) if c.is_Integer else (base**c, sp.S.One)
                if c != 0:
                    found.powers[root] = found.powers.get(root, sp.S.Zero) + times * g
        elif exponent.is_Integer:
            found.form.rational(base, int(exponent))
        else:
            raise _NotStepped
    return found


def _product(found: _Summand, item: sp.Expr, exponent: sp.Expr) -> None:
    if not exponent.is_Integer:
        raise _NotStepped
    if isinstance(item, sp.factorial):
        inner = sp.Dummy("j", integer=True)
        body, low, high = inner, sp.S.One, item.args[0]
    elif len(item.limits) == 1:
        body, (inner, low, high) = item.function, item.limits[0]
    else:
        raise _NotStepped
    if _Index in low.free_symbols or _Index in body.free_symbols - {inner}:
        raise _NotStepped
    limit = found.form.mark(high)
    if _line(limit, found.form.generators()) is None:
        raise _NotStepped
    form = _Form(_Index)
    for factor in sp.Mul.make_args(body.xreplace({inner: _Index})):
        base, power = factor.as_base_exp()
        if _Index not in factor.free_symbols:
            form.constant *= factor
        elif power.is_Integer:
            form.rational(base, int(power))
        else:
            raise _NotStepped
    if item in found.products:
        found.products[item].weight += int(exponent)
    else:
        found.products[item] = _Product(int(exponent), low, limit, form)


def is_stepped(body: sp.Expr, index: sp.Symbol) -> bool:
    """Whether the summand has a product up to the index, or floors of it: what other methods leave alone."""
    return any(index in part.free_symbols for part in body.atoms(sp.Product, sp.floor))


@dataclass(frozen=True)
class _Places:
    """The places in a plan of the numbers of a term with weights."""

    floors: list[tuple[int, ...]]
    powers: list[tuple[int, list[int]]]
    factors: list[tuple[int, int, list[int], list[tuple[int, ...]], list[tuple[list[int], int]], int]]
    forms: list[tuple[list[int], int]]
    weights: list[list[tuple[list[int], int]]]


def _places(builder: Builder, one: _Summand, weights: list[dict[sp.Expr, int]]) -> _Places:
    """Of the term of ``one``, of whose forms those of negative powers are kept; raises :class:`_NotStepped`."""

    def straight(expr: sp.Expr, form: _Form) -> list[int]:
        found = _line(expr, form.generators())
        if found is None:
            raise _NotStepped
        return [builder.place(c) for c in found]

    def rows(form: _Form) -> list[tuple[int, ...]]:
        return [tuple(builder.place(c) for c in _line(each, [form.index]) or ()) for each in form.floors]

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
    scale = 1
    for x in found:
        scale = scale * int(x.q) // _gcd(scale, int(x.q))
    return tuple(int(x * scale) for x in found), scale


def _gcd(a: int, b: int) -> int:
    while b:
        a, b = b, a % b
    return a


def _floors(v: Any, rows: list[tuple[int, ...]]) -> Floors:
    found = []
    for row in rows:
        (a, b), scale = _whole(v, list(row))
        found.append((a, b, scale))
    return Floors(tuple(found))


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
    for line, w in term.weights[0]:
        weight *= fmpq(value(line, first, floors)) ** w
    return None if weight == 0 else ar.multiply((body(first), ar.invert(weight), relative))


def quotient(builder: Builder, top: sp.Sum, bottom: sp.Sum) -> int | None:
    """The place of one sum over another, with the same term up to weights; None where they are not so."""
    if len(top.limits) != 1 or len(bottom.limits) != 1 or top.limits[0][1:] != bottom.limits[0][1:]:
        return None
    index, low, high = top.limits[0]
    other = bottom.limits[0][0]
    if builder.outer is not None or high is sp.oo or not (is_stepped(top.function, index) and is_stepped(bottom.function, other)):
        return None
    try:
        one, two = _read(top.function, index), _read(bottom.function, other)
        if not _alike(one, two):
            return None
        first, second = one.form.lines, two.form.lines
        lines = {line: (first.get(line, 0), second.get(line, 0)) for line in {**first, **second}}
        one.form.lines = common = {line: min(*both, 0) for line, both in lines.items()}
        weights = [{line: both[k] - common[line] for line, both in lines.items()} for k in (0, 1)]
        places = _places(builder, one, weights)
        factor = builder.place(one.form.constant / two.form.constant)
    except (_NotStepped, sy.SymbolicFailure):
        return None
    ends = whole_ends(builder, index, low, high)

    def real(v: Any) -> Number:
        span: Span | None = v[ends]
        if span is None or span.empty or span.last is None:
            return NAN
        found = _sums(v, places, span)
        if found is None:  # as any two sums
            parts, scale = [compile_expr(part).run(v.environment) for part in (top, bottom)], ar.ONE
        else:
            parts, scale = found[1], v[factor]
        return ar.multiply((scale, parts[0], ar.invert(parts[1])))

    return builder.emit(("stepped", top, bottom), real, None)


def quotients(builder: Builder, factors: Sequence[sp.Expr]) -> tuple[list[int], list[sp.Expr]]:
    """The places of such quotients among the factors of a product, and the other factors."""
    rest: list[sp.Expr] = list(factors)
    places: list[int] = []
    for top in [part for part in rest if isinstance(part, sp.Sum)]:
        for part in [part for part in rest if part.is_Pow and part.exp == -1 and isinstance(part.base, sp.Sum)]:
            found = quotient(builder, top, part.base)
            if found is not None:
                places.append(found)
                rest.remove(top)
                rest.remove(part)
                break
    return places, rest


def _alike(one: _Summand, two: _Summand) -> bool:
    """Whether the powers and the products are the same; the floors then have the same names."""
    names = {g: one.form.floors.get(argument) for argument, g in two.form.floors.items()}
    for argument, g in two.form.floors.items():
        names[g] = one.form.floors.setdefault(argument, sp.Dummy("F", integer=True))
    two.form.lines = {line.xreplace(names): w for line, w in two.form.lines.items()}
    two.powers = {base: exponent.xreplace(names) for base, exponent in two.powers.items()}
    powers = {base: sy.expand(e) for base, e in one.powers.items()} == {base: sy.expand(e) for base, e in two.powers.items()}
    return powers and {k: i.weight for k, i in one.products.items()} == {k: i.weight for k, i in two.products.items()}


def alone(builder: Builder, body: sp.Expr, index: sp.Symbol) -> _Places | None:
    """The places of a summand by itself."""
    if not is_stepped(body, index):
        return None
    try:
        one = _read(body, index)
        weights = {line: w for line, w in one.form.lines.items() if w > 0}
        return _places(builder, one, [weights])
    except (_NotStepped, sy.SymbolicFailure):
        return None


METHOD = Summing("stepped-sums", 0, alone, total, quotients)
