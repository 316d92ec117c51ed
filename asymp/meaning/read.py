"""Which variables the parts of a statement force to be whole, and that every part is real and defined where it is made.

>>> from asymp.language.parts import parts_of
>>> from asymp.language.syntax import Parser
>>> ground = Ground(Context(pairs=((terms.ONE, "<=", terms.name("n")),)))
>>> read(parts_of(Parser("Sum(log(k), (k, 1, n))").whole()), ground).facts
['n whole (end of Sum(log(k), (k, 1, n)))']
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any

from gmpy2 import mpq

from asymp.functions.table import NAMED
from asymp.kernel import terms
from asymp.kernel.facts.context import Context
from asymp.kernel.terms import Refused, Term
from asymp.language.kinds import WHOLE_LETTERS
from asymp.language.known import is_infinite
from asymp.language.parts import Part, difference, needed
from asymp.language.syntax import Node, words
from asymp.meaning.converge import converges
from asymp.meaning.discharge import Discharge
from asymp.meaning.ground import Ground
from asymp.meaning.power_series import no_power_series
from asymp.meaning.truth import Truth
from asymp.meaning.whole import whole_valued
from asymp.parse.at import term_of

POINTS = 3
"""Points at which a total is asked whether it converges."""
_OPERATORS = ("Sum", "Product", "Integral")
_ROUNDED = ("floor", "ceiling", "ceil")


class Kind(StrEnum):
    """Why a statement has no meaning."""

    UNDEFINED = "undefined"
    NOT_WHOLE = "not whole"
    BACKWARDS = "backwards"
    EMPTY = "empty"
    UNKNOWN = "unknown"


class Meaningless(ValueError):
    """A statement that is not asked: the place in it, why, and of what kind the reason is."""

    def __init__(self, place: str, why: str, kind: Kind) -> None:
        super().__init__(why)
        self.place, self.why, self.kind = place, why, kind

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.place, self.why, self.kind)


@dataclass
class Reading:
    """What was found of some parts on a ground."""

    whole: frozenset[str]
    facts: list[str] = field(default_factory=list)
    unsure: str = ""


def read(
    parts: Iterable[Part], ground: Ground, real: Iterable[str] = (), tied: Iterable[Part] = ()
) -> Reading:
    """Which variables the parts force to be whole, and that all of them are defined on the ground.

    Args:
        parts: each after those it is made of.
        ground: where; its whole names are those declared.
        real: names declared real.
        tied: further parts, of what variables are tied to.

    A variable with a name that usually means a whole number is read as one where the statement has no meaning otherwise.

    Raises:
        Meaningless: as for :func:`meaning`.
    """
    parts, tied, real = list(dict.fromkeys(parts)), tuple(dict.fromkeys(tied)), frozenset(real)
    try:
        return _read(parts, ground, real, tied)
    except Meaningless as failed:
        names = set().union(*(_free(part) for part in parts))
        likely = (names & WHOLE_LETTERS) - real - ground.whole
        if failed.kind not in (Kind.UNDEFINED, Kind.UNKNOWN) or not likely or ground.is_finite:
            raise
        try:
            found = _read(parts, ground.with_whole(likely), real, tied)
        except Meaningless:
            raise failed from None
        why = f"or {failed.place} would not be defined"
        found.facts = [fact.replace("as said", why) if fact.split()[0] in likely else fact for fact in found.facts]
        return found


def _read(parts: list[Part], ground: Ground, real: frozenset[str], tied: tuple[Part, ...]) -> Reading:
    found = Reading(ground.whole, [f"{name} whole (as said)" for name in sorted(ground.whole) if not ground.is_finite])
    for part, demands in _demands(parts, ground):
        for demand in demands:
            _force(part, demand, found, real)
    discharge, anywhere = Discharge(ground.with_whole(found.whole)), Discharge(_positive(ground, [*tied, *parts]))
    for part in [*tied, *parts]:
        if part.head in _OPERATORS:
            _range_of(part, discharge)
            continue
        truth = discharge.holds(part.condition(), part.binders)
        if truth is not Truth.ALWAYS:
            raise _undefined(part, truth, discharge.place)
        for one in discharge.ground.each if part.head == "Coefficient" else ():
            if why := no_power_series(part, one.put, one.context):
                raise Meaningless(part.text, no_series(part, why), Kind.UNKNOWN)
        if any(_variables(x) for x in part.arguments) and anywhere.shown(part.condition(), part.binders) is not Truth.ALWAYS:
            found.facts.append(f"{part.text} defined")
    return found


def no_series(part: Part, why: str) -> str:
    """That what a coefficient is taken of is not seen to have a power series."""
    assert part.total is not None
    return f"{words(part.total[1])} is not seen to have a power series at {part.total[0]} = 0: {why}"


def _positive(ground: Ground, parts: list[Part]) -> Ground:
    """What is known of positive variables alone: what is defined there is not told."""
    names = sorted(set().union(*(_free(part) for part in parts)))
    signs = {v: ground.of_name(v) for v in names}
    known = [(terms.ZERO, "<=" if 0 in s else "<", terms.name(v)) for v, s in signs.items() if s <= {0, 1}]
    return Ground(Context(pairs=tuple(known)))


def _demands(parts: list[Part], ground: Ground) -> list[tuple[Part, list[Node]]]:
    """What must be whole, the strictest demands first."""
    ends, signs, others = [], [], []
    bare = Discharge(ground)
    for part in parts:
        if part.head in ("Sum", "Product"):
            ends.append((part, [end for end in part.arguments if not is_infinite(end)]))
        elif part.head == "Coefficient":
            ends.append((part, [part.arguments[1]]))
        elif part.head == "power" and _variables(part.arguments[1]):
            base, exponent = part.arguments
            zero = [[needed(">", base)], [needed("whole", exponent)], [needed(">=", base), needed(">", exponent)]]
            if not any(all(bare.shown(c, part.binders) is Truth.ALWAYS for c in one) for one in zero):
                signs.append((part, [exponent]))
        elif part.head in NAMED and NAMED[part.head].whole_arguments:
            others.append((part, [x for x in part.arguments if _variables(x)]))
    return [*ends, *signs, *others]


def _force(part: Part, demand: Node, found: Reading, real: frozenset[str]) -> None:
    """Make the variables of what must be whole whole, where that makes it so."""
    bound = {b.name for b in part.binders}
    new = _outside_rounding(demand) - terms.CONSTANTS - bound - found.whole
    if not new or new & real:
        return
    if part.head in NAMED and not new <= WHOLE_LETTERS:
        return  # factorial(x) for a real x is Gamma(x + 1)
    if part.head == "power" and new & part.arguments[0].free and not new <= WHOLE_LETTERS:
        return  # x^x: nobody meant a whole x
    try:
        term = term_of(demand)
    except Refused:
        return
    inner = {b.name for b in part.binders if b.whole}
    if whole_valued(term, {*found.whole, *inner, *new}, lambda _: True) is Truth.ALWAYS:
        why = {"Sum": "end of", "Product": "end of", "power": "exponent in"}.get(part.head, "argument of")
        found.whole |= new
        found.facts += [f"{name} whole ({why} {part.text})" for name in sorted(new)]


def _outside_rounding(node: Node) -> frozenset[str]:
    """The free names outside of floors and ceilings."""
    if node.kind == "call" and node.text in _ROUNDED:
        return frozenset()
    if not node.parts or node.free != frozenset().union(*(part.free for part in node.parts)):
        return node.free
    return frozenset[str]().union(*map(_outside_rounding, node.parts))


def _undefined(part: Part, truth: Truth, place: str) -> Meaningless:
    if any(_variables(x) for x in part.arguments) or part.head not in NAMED:
        wanted = f"{part.condition()} is needed"
    else:
        wanted = f"{part.general()} is needed, not X = {words(part.arguments[0])}"
    if truth is Truth.UNKNOWN:
        return Meaningless(part.text, f"it is not known whether {part.text} is defined everywhere here: {wanted}", Kind.UNKNOWN)
    at = f" at {place}" if place else ""
    if part.head == "whole":
        return Meaningless(part.text, f"{part.text} is not whole{at}", Kind.NOT_WHOLE)
    return Meaningless(part.text, f"{part.text} is not defined{at}: {wanted}", Kind.UNDEFINED)


def _range_of(part: Part, discharge: Discharge) -> None:
    """The one policy for sums and products: whole ends, low <= high + 1; the empty sum is 0, the empty product 1."""
    low, high = part.arguments
    if part.total is not None and not part.binders:
        _has_a_value(part, discharge.ground, *part.total)
    if part.head == "Integral":
        return
    if is_infinite(low) == 1 or is_infinite(high) == -1:
        raise Meaningless(part.text, f"{part.text} runs backwards", Kind.BACKWARDS)
    for end in (low, high):
        if is_infinite(end):
            continue
        truth = discharge.holds(needed("whole", end), part.binders)
        if truth is not Truth.ALWAYS:
            at = f" (at {discharge.place} it is not)" if discharge.place and truth is not Truth.UNKNOWN else ""
            why = f"the end {words(end)} of {part.text} need not be whole{at}"
            raise Meaningless(part.text, f"{why}: write floor({words(end)}), or which variable is whole", Kind.NOT_WHOLE)
    if is_infinite(low) or is_infinite(high):
        return
    truth = discharge.holds(needed(">=", difference(high, low, 1)), part.binders)
    ends = f"from {words(low)} to {words(high)}"
    if truth is Truth.UNKNOWN:
        why = f"it is not known whether {part.text} runs forwards everywhere here, {ends}"
        raise Meaningless(part.text, why, Kind.UNKNOWN)
    if truth is not Truth.ALWAYS:
        at = f" at {discharge.place}" if discharge.place else ""
        raise Meaningless(part.text, f"{part.text} runs backwards{at}, {ends}", Kind.BACKWARDS)


def _has_a_value(part: Part, ground: Ground, variable: str, body: Node) -> None:
    """Refuses a total that diverges: on the whole ground, or at one of its points."""
    if not (any(map(is_infinite, part.arguments)) or part.head == "Integral"):
        return
    try:
        inner = terms.substitute(term_of(body), {variable: terms.name("#0")})
        low, high = map(term_of, part.arguments)
    except Refused:
        return

    def diverges(put: Callable[[Term], Term], context: Context) -> bool:
        return converges(part.head, put(inner), "#0", put(low), put(high), context) is Truth.NEVER

    if any(diverges(one.put, one.context) for one in ground.each):
        raise Meaningless(part.text, f"{part.text} diverges", Kind.UNDEFINED)
    free = sorted((inner.free | low.free | high.free) - {"#0", "oo"})
    for point in itertools.islice(ground.points, POINTS) if free else ():
        if not all(isinstance(point.get(name), (int, Fraction)) for name in free):
            continue
        at = {name: terms.number(mpq(Fraction(point[name]).numerator, Fraction(point[name]).denominator)) for name in free}
        if diverges(lambda term, at=at: terms.substitute(term, at), Context()):  # type: ignore[misc]
            where = ", ".join(f"{name} = {point[name]}" for name in free)
            raise Meaningless(part.text, f"{part.text} diverges at {where}", Kind.UNDEFINED)


def _free(part: Part) -> frozenset[str]:
    return part.free - terms.CONSTANTS - {"oo"}


def _variables(node: Node) -> frozenset[str]:
    return node.free - terms.CONSTANTS
