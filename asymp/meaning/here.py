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
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from asymp.functions.conditions import Condition, NonNegative, Whole
from asymp.functions.parts import Binder, Part
from asymp.meaning.at import BITS, Values, at_values, height, rational, sign_at
from asymp.meaning.converge import converges
from asymp.meaning.discharge import Discharge
from asymp.meaning.ground import Prove
from asymp.meaning.points import all_values, at_point
from asymp.meaning.read import Kind, Meaningless
from asymp.meaning.signs import GAVE_UP
from asymp.meaning.truth import Truth

_TOTALS = ("Sum", "Product", "Integral")


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
            bits = BITS + 2 * max((height(v) for v in self.values.values()), default=0)
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
        runs = all_values(self.values, binders)
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
        ground, condition, binders = at_values(condition, binders, self.values, self.prove)
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
                    way = sign_at(high - low, self.values)
                    if way is None:
                        return None
                    low, high = (low, high) if way >= 0 else (high, low)
                elif self._under(NonNegative(high - low), binders[:k])[0] is not Truth.ALWAYS:
                    return None
            found.append(Binder(binder.symbol, low, high, binder.operator))
        return tuple(found)

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
        swaps = {s: rational(self.values[s.name]) for x in (body, low, high) for s in x.free_symbols - {variable}
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



def _names(part: Part) -> set[str]:
    return {s.name for x in part.arguments for s in x.free_symbols}


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
    if height(value) <= 100:
        return str(value)
    digits = int((value.numerator.bit_length() - value.denominator.bit_length()) * 0.30103)
    return f"{'-' if value < 0 else ''}10^{digits} or so"

