"""Whether an expression has a value at one point: every part of it real and defined, every total convergent.

>>> from asymp.language.parts import parts_of
>>> from asymp.language.syntax import Parser
>>> defined(parts_of(Parser("Sum(1/k, (k, 1, n)) + log(n - 1)").whole()), {"n": Fraction(2)})
>>> defined(parts_of(Parser("log(n - 2)").whole()), {"n": Fraction(2)})
Traceback (most recent call last):
...
asymp.meaning.read.Meaningless: log(n - 2) is not defined at n = 2: n - 2 > 0 is needed
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

from asymp.kernel import terms
from asymp.kernel.terms import Refused
from asymp.language.known import is_infinite
from asymp.language.parts import Binder, Needs, Part, difference, needed
from asymp.language.syntax import words
from asymp.meaning.converge import converges
from asymp.meaning.discharge import Discharge
from asymp.meaning.ground import Prove
from asymp.meaning.point import BITS, Values, height, here
from asymp.meaning.power_series import no_power_series
from asymp.meaning.read import Kind, Meaningless, no_series
from asymp.meaning.truth import Truth
from asymp.parse.at import all_values, holds_at, term_of

_TOTALS = ("Sum", "Product", "Integral")


def defined(
    parts: Iterable[Part], values: Values, prove: Prove | None = None, enclosed: Callable[[Part], bool] = lambda _: False
) -> None:
    """Nothing, where every part has a value at the point.

    Args:
        parts: of an expression as it was typed.
        values: name -> exact value, for every free name.
        prove: a prover of finite statements.
        enclosed: whether a total has a certified value there: its convergence needs no other proof.

    Raises:
        Meaningless: a part has none, or it is not known that it has one.
    """
    ask = _Asking(values, Discharge(here(values, prove)), enclosed)
    parts = tuple(dict.fromkeys(parts))
    for part in parts:
        if part.head in _TOTALS:
            ask.range_of(part)
        else:
            ask.require(part, part.condition(), "is not defined", f"{part.condition()} is needed")
        if why := no_power_series(part, ask.discharge.ground.put, ask.discharge.ground.context):
            raise Meaningless(part.text, no_series(part, why), Kind.UNKNOWN)
    for part in parts:
        if part.head == "Integral" or (part.head in _TOTALS and any(map(is_infinite, part.arguments))):
            ask.converges(part)


@dataclass
class _Asking:
    values: Values
    discharge: Discharge
    enclosed: Callable[[Part], bool]

    def require(self, part: Part, condition: Needs, fails: str, wanted: str) -> None:
        """Meaningless unless the condition holds at the point, for all values of the bound variables.

        Raises:
            Meaningless: it fails, or is not known to hold.
        """
        if not part.binders:
            bits = BITS + 2 * max((height(v) for v in self.values.values()), default=0)
            found = holds_at(condition, self.values, bits)
            truth = Truth.UNKNOWN if found is None else Truth.ALWAYS if found else Truth.FAILS
            place = _words({n: self.values[n] for n in sorted(part.free) if n in self.values})
        else:
            truth, place = self._under(condition, part.binders)
        if truth is Truth.ALWAYS:
            return
        if truth is Truth.UNKNOWN:
            why = f"it is not known whether {part.text} has a value there: {wanted}"
            raise Meaningless(part.text, _clipped(why), Kind.UNKNOWN)
        why = f"{part.text} {fails}{f' at {place}' if place else ''}: {wanted}"
        raise Meaningless(part.text, _clipped(why), Kind.UNDEFINED)

    def _under(self, condition: Needs, binders: tuple[Binder, ...]) -> tuple[Truth, str]:
        """The same where variables are bound, and a place where it fails."""
        runs = all_values(self.values, binders)
        if runs is not None:
            found = Truth.ALWAYS
            for run in runs:
                there = holds_at(condition, run)
                if there is False:
                    return Truth.FAILS, _words({name: run[name] for name in run if name in {b.name for b in binders}})
                found = found if there else Truth.UNKNOWN
            if found is Truth.ALWAYS:
                return found, ""
        truth = self.discharge.holds(condition, binders)
        return truth, self.discharge.place

    def range_of(self, part: Part) -> None:
        """Whole ends that run forwards.

        Raises:
            Meaningless: it is not so, or not known to be so.
        """
        low, high = part.arguments
        if part.head == "Integral":
            return
        if is_infinite(low) == 1 or is_infinite(high) == -1:
            raise Meaningless(part.text, f"{part.text} runs backwards", Kind.BACKWARDS)
        finite = [end for end in (low, high) if not is_infinite(end)]
        for end in finite:
            wanted = "write floor(...), or a whole number"
            self.require(part, needed("whole", end), f"has an end {words(end)} that is not whole", wanted)
        if len(finite) == 2:
            self.require(part, needed(">=", difference(high, low, 1)), "runs backwards", f"from {words(low)} to {words(high)}")

    def converges(self, part: Part) -> None:
        """A value of a total that is infinite, or of an integral.

        Raises:
            Meaningless: it has none, or it is not known that it has one.
        """
        truth = Truth.UNKNOWN
        if part.total is not None:
            variable, body = part.total
            ground = self.discharge.ground
            try:
                own = {variable: terms.name("#0")}
                inner = ground.put(terms.substitute(term_of(body), own))
                start, stop = (ground.put(term_of(end)) for end in part.arguments)
                truth = converges(part.head, inner, "#0", start, stop, ground.context)
            except Refused:
                pass
        if truth is Truth.NEVER:
            raise Meaningless(part.text, f"{part.text} diverges", Kind.UNDEFINED)
        if truth is not Truth.ALWAYS and (part.total is None or part.binders or not self.enclosed(part)):
            raise Meaningless(part.text, f"it is not known whether {part.text} converges", Kind.UNKNOWN)


def _words(values: Values) -> str:
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
