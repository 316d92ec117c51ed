"""Whether an expression has a value at one point: every part of it real and defined, every total convergent.

>>> from asymp.parse.mathematics import read_expression
>>> defined(read_expression("Sum(1/k, (k, 1, n)) + log(n - 1)")[1], {"n": Fraction(2)})
>>> defined(read_expression("log(n - 2)")[1], {"n": Fraction(2)})
Traceback (most recent call last):
...
asymp.meaning.read.Meaningless: log(n - 2) is not defined at n = 2: n - 2 > 0 is needed
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy as sp

from asymp.domain import Interval
from asymp.enclosure import InputError, Undecided, sign
from asymp.functions import Part
from asymp.functions.parts import Binder
from asymp.functions.row import Condition, NonNegative, Whole
from asymp.meaning.converge import converges
from asymp.meaning.discharge import Discharge
from asymp.meaning.ground import Box, Point, Prove
from asymp.meaning.points import at_point, number
from asymp.meaning.read import Kind, Meaningless
from asymp.meaning.signs import GAVE_UP, Signs
from asymp.meaning.truth import Truth

SHORT = 2_000
"""So many values of bound variables are tried one by one."""
SMALL = 256
"""Bits of a number that is put in for its name at once."""
BITS = 4_096
_TOTALS = ("Sum", "Product", "Integral")
Values = Mapping[str, Fraction]


@dataclass(frozen=True)
class Here(Box):
    """A box that is one point: signs are those of certified values."""

    values: Values = field(default_factory=dict)

    def signs(self, expr: sp.Expr) -> Signs | None:
        """The one sign there; None: not known."""
        if {s.name for s in expr.free_symbols} <= set(self.values):
            found = _sign(expr, self.values)
            return None if found is None else frozenset({found})
        return super().signs(expr)

    def points(self) -> Iterator[Point]:
        """The point."""
        yield dict(self.values)


def defined(
    parts: Iterable[Part],
    values: Values,
    prove: Prove | None = None,
    enclosed: Callable[[sp.Expr], bool] = lambda _: False,
) -> None:
    """Nothing, where every part has a value at the point.

    Args:
        parts: of an expression as it was typed.
        values: name -> exact value, for every free name.
        prove: a prover of bounds in one variable.
        enclosed: whether a total has a certified value there: its convergence needs no other proof.

    Raises:
        Meaningless: a part has none, or it is not known that it has one.
    """
    ask = _Asking(values, prove, enclosed)
    for part in dict.fromkeys(parts):
        if part.head in _TOTALS:
            ask.range_of(part)
        else:
            ask.require(part, part.condition(), "is not defined", f"{part.condition()} is needed")


@dataclass
class _Asking:
    values: Values
    prove: Prove | None
    enclosed: Callable[[sp.Expr], bool]

    def require(self, part: Part, condition: Condition, fails: str, wanted: str) -> None:
        """Meaningless unless the condition holds at the point, for all values of the bound variables.

        Raises:
            Meaningless: it fails, or is not known to hold.
        """
        if not part.binders:
            bits = BITS + 2 * max((_height(v) for v in self.values.values()), default=0)
            here = at_point(condition, self.values, bits)
            truth = Truth.UNKNOWN if here is None else Truth.ALWAYS if here else Truth.FAILS
            place = _words({n: self.values[n] for n in sorted(_names(part)) if n in self.values})
        else:
            truth, place = self._under(condition, part.binders)
        if truth is Truth.ALWAYS:
            return
        if truth is Truth.UNKNOWN:
            why = f"it is not known whether {part.text} has a value there: {wanted}"
            raise Meaningless(part.text, _clipped(why), Kind.UNKNOWN)
        why = f"{part.text} {fails}{f' at {place}' if place else ''}: {wanted}"
        raise Meaningless(part.text, _clipped(why), Kind.UNDEFINED)

    def _under(self, condition: Condition, binders: tuple[Binder, ...]) -> tuple[Truth, str]:
        """The same where variables are bound, and a place where it fails."""
        runs = self._short(binders)
        if runs is not None:
            found = Truth.ALWAYS
            for run in runs:
                here = at_point(condition, run)
                if here is False:
                    return Truth.FAILS, _words({name: run[name] for name in run if name in {b.symbol.name for b in binders}})
                found = found if here else Truth.UNKNOWN
            if found is Truth.ALWAYS:
                return found, ""
        oriented = self._oriented(binders)
        if oriented is None:
            return Truth.UNKNOWN, ""
        binders = oriented
        small = {name: _rational(v) for name, v in self.values.items() if _height(v) <= SMALL}
        condition, binders = _put(condition, binders, small)
        symbols = _symbols(condition, binders)
        ranges = {s: Interval(x, False, x, False) for name, s in symbols.items() for x in [_rational(self.values[name])]}
        left = {name: self.values[name] for name in symbols}
        ground = Here(ranges, self.prove, values=left, whole=frozenset(n for n, v in left.items() if v.denominator == 1))
        discharge = Discharge(ground)
        return discharge.holds(condition, binders), discharge.place

    def _oriented(self, binders: tuple[Binder, ...]) -> tuple[Binder, ...] | None:
        """The binders with the lower end of an integral's range first; None where it is not known which that is."""
        found: list[Binder] = []
        for k, binder in enumerate(binders):
            low, high = binder.low, binder.high
            if not binder.whole and not (low is -sp.oo or high is sp.oo):
                free = {s.name for end in (low, high) for s in end.free_symbols}
                if {low, high} & {sp.oo, -sp.oo}:
                    low, high = high, low
                elif free <= set(self.values) - {b.symbol.name for b in binders[:k]}:
                    way = _sign(high - low, self.values)
                    if way is None:
                        return None
                    low, high = (low, high) if way >= 0 else (high, low)
                elif self._under(NonNegative(high - low), binders[:k])[0] is not Truth.ALWAYS:
                    return None
            found.append(Binder(binder.symbol, low, high, binder.operator))
        return tuple(found)

    def _short(self, binders: tuple[Binder, ...]) -> list[dict[str, Any]] | None:
        """All values of bound variables of sums, where there are few; None where there are not."""
        found: list[dict[str, Any]] = [dict(self.values)]
        for binder in binders:
            if not binder.whole:
                return None
            longer = []
            for run in found:
                low, high = number(binder.low, run), number(binder.high, run)
                if low is None or high is None or high - low > SHORT or low.denominator != 1 or high.denominator != 1:
                    return None
                longer += [{**run, binder.symbol.name: k} for k in range(int(low), int(high) + 1)]
                if len(longer) > SHORT:
                    return None
            found = longer
        return found

    def range_of(self, part: Part) -> None:
        """Whole ends that run forwards, and a value where a total is infinite.

        Raises:
            Meaningless: it is not so, or not known to be so.
        """
        low, high = part.arguments
        finite = [end for end in (low, high) if not end.is_infinite]
        if part.head != "Integral":
            if low is sp.oo or high is -sp.oo:
                raise Meaningless(part.text, f"{part.text} runs backwards", Kind.BACKWARDS)
            for end in finite:
                self.require(part, Whole(end), f"has an end {end} that is not whole", "write floor(...), or a whole number")
            if len(finite) == 2:
                self.require(part, NonNegative(high - low + 1), "runs backwards", f"from {low} to {high}")
        if len(finite) == 2 and part.head != "Integral":
            return
        if part.total is None:
            raise Meaningless(part.text, f"it is not known whether {part.text} converges", Kind.UNKNOWN)
        variable, body = part.total
        swaps = {s: _rational(self.values[s.name]) for x in (body, low, high) for s in x.free_symbols - {variable}
                 if s.name in self.values and s not in {b.symbol for b in part.binders}}  # fmt: skip
        try:
            truth = converges(part.head, body.subs(swaps), variable, low.subs(swaps), high.subs(swaps))
        except GAVE_UP:
            truth = Truth.UNKNOWN
        if truth is Truth.NEVER:
            raise Meaningless(part.text, f"{part.text} diverges", Kind.UNDEFINED)
        if truth is not Truth.ALWAYS:
            total = {"Sum": sp.Sum, "Product": sp.Product, "Integral": sp.Integral}[part.head](body, (variable, low, high))
            if part.binders or not self.enclosed(total):
                raise Meaningless(part.text, f"it is not known whether {part.text} converges", Kind.UNKNOWN)


def _sign(expr: sp.Expr, values: Values) -> int | None:
    try:
        return sign(expr, {n: v for n, v in values.items() if n in {s.name for s in expr.free_symbols}}, BITS)
    except (Undecided, InputError, *GAVE_UP):
        return None


def _put(
    condition: Condition, binders: tuple[Binder, ...], small: Mapping[str, sp.Expr]
) -> tuple[Condition, tuple[Binder, ...]]:
    """The condition with numbers for names; a bound variable of the same name is another one."""
    bound = {b.symbol.name for b in binders}
    by_name = {name: value for name, value in small.items() if name not in bound}

    def put(expr: sp.Expr) -> sp.Expr:
        return expr.subs({s: by_name[s.name] for s in expr.free_symbols if s.name in by_name})

    def within(one: Condition) -> Condition:
        parts = getattr(one, "parts", None)
        if parts is not None:
            return type(one)(*(within(part) for part in parts))
        return type(one)(put(one.expr)) if hasattr(one, "expr") else one  # type: ignore[call-arg]

    return within(condition), tuple(Binder(b.symbol, put(b.low), put(b.high), b.operator) for b in binders)


def _symbols(condition: Condition, binders: tuple[Binder, ...]) -> dict[str, sp.Symbol]:
    """The free symbols of a condition and of the ends of the ranges, by name."""

    def of(one: Condition) -> Iterator[sp.Symbol]:
        for part in getattr(one, "parts", ()):
            yield from of(part)
        if hasattr(one, "expr"):
            yield from one.expr.free_symbols

    bound = {b.symbol for b in binders}
    ends = (s for b in binders for end in (b.low, b.high) for s in end.free_symbols)
    return {s.name: s for s in (*of(condition), *ends) if s not in bound}


def _names(part: Part) -> set[str]:
    return {s.name for x in part.arguments for s in x.free_symbols}


def _height(value: Fraction) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def _rational(value: Fraction) -> sp.Rational:
    return sp.Rational(value.numerator, value.denominator)


def _words(values: Mapping[str, Any]) -> str:
    """A point in words; a long number by its size."""
    return ", ".join(f"{name} = {_brief(Fraction(value))}" for name, value in values.items())


def _clipped(text: str) -> str:
    """Without numbers of many digits.

    >>> _clipped("not defined at k = 1" + 500 * "0")
    'not defined at k = 1.0000...e+500'
    """
    return re.sub(r"\d{60,}", lambda match: f"{match[0][0]}.{match[0][1:5]}...e+{len(match[0]) - 1}", text)


def _brief(value: Fraction) -> str:
    if _height(value) <= 100:
        return str(value)
    digits = int((value.numerator.bit_length() - value.denominator.bit_length()) * 0.30103)
    return f"{'-' if value < 0 else ''}10^{digits} or so"

