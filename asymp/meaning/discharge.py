"""Whether a condition holds on a ground, at all values of bound variables: shown by the kernel, or refuted by a point.

>>> from asymp.kernel.facts.context import Context
>>> from asymp.language.parts import parts_of
>>> from asymp.language.syntax import Parser
>>> box = Ground(Context(frozenset("n"), ((terms.ONE, "<=", terms.name("n")),)), frozenset("n"), lambda _: [{"n": Fraction(1)}])
>>> for text in ("log(n - k + 1)", "log(n - k)"):
...     *_, log = parts_of(Parser(f"Sum({text}, (k, 1, n))").whole())
...     asking = Discharge(box)
...     print(f"{asking.holds(log.condition(), log.binders)} {asking.place or None}")
always None
fails n = 1, k = 1
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from asymp.kernel import terms
from asymp.kernel.rings.defined import ALLOWED
from asymp.kernel.terms import Refused, Term
from asymp.language.known import is_infinite
from asymp.language.parts import Binder, Need, Needs, difference, needed
from asymp.meaning.ground import MOST_PROVED, Ground, Point, Run, Runs
from asymp.meaning.point import here
from asymp.meaning.truth import Truth, every, some
from asymp.meaning.whole import is_rational, never_zero, whole_valued
from asymp.parse.at import FEW, all_values, holds_at, number_at, term_of

MOST_VALUES = 20_000
"""Of bound variables, at all points of a finite set."""
MOST_TRIED = 64
LONGEST = 60
"""Nodes of a term that is put to the prover."""
_SAYS = {">": "> 0", ">=": ">= 0"}
Binders = tuple[Binder, ...]


@dataclass
class Discharge:
    """Answers of one ground, with the place where a condition was last found to fail."""

    ground: Ground
    place: str = ""
    _always: set[tuple[Needs, Binders]] = field(default_factory=set)

    def holds(self, condition: Needs, binders: Binders = ()) -> Truth:
        """Whether the condition holds at every point of the ground and of the bound variables' ranges.

        An integral may run backwards: its range is taken both ways round where it is not known which way it runs.
        """
        self.place = ""
        if condition.alternatives == ((),) or (condition, binders) in self._always:
            return Truth.ALWAYS
        used = tuple(b for k, b in enumerate(binders) if b.name in names_in(condition, binders[k + 1 :]))
        if len(used) < len(binders) and self.holds(condition, used) is Truth.ALWAYS:
            return Truth.ALWAYS  # whatever the others are, and whether or not there are values for them
        found = every(self._holding(condition, way) for way in self._oriented(binders))
        if found is Truth.ALWAYS:
            self._always.add((condition, binders))
        return found

    def shown(self, condition: Needs, binders: Binders = ()) -> Truth:
        """Whether it is seen to hold, without a look at points."""
        try:
            runs, put = self._runs(binders)
        except Refused:
            return Truth.UNKNOWN
        return some(every(self._need(need, runs, put) for need in one) for one in condition.alternatives)

    def _runs(self, binders: Binders) -> tuple[Runs, dict[str, Term]]:
        """Bound variables by number, as the sums of two sides may differ in their names alone."""
        runs: Runs = ()
        put: dict[str, Term] = {}
        for k, b in enumerate(binders):
            low, high = (terms.substitute(term_of(end), put) for end in (b.low, b.high))
            put[b.name] = terms.name(f"#{k}")
            runs = (*runs, Run(f"#{k}", low, high, b.whole))
        return runs, put

    def _oriented(self, binders: Binders) -> list[Binders]:
        """The binders with the lower end of an integral's range first."""
        found: list[Binders] = [()]
        for b in binders:
            back = b._replace(low=b.high, high=b.low)
            longer: list[Binders] = []
            for before in found:
                if b.whole or is_infinite(b.high) == 1 or is_infinite(b.low) == -1:
                    ways = [b]
                elif is_infinite(b.low) or is_infinite(b.high):
                    ways = [back]
                else:
                    gap = self.shown(needed(">=", difference(b.high, b.low)), before)
                    ways = [b] if gap is Truth.ALWAYS else [back] if gap is Truth.NEVER else [b, back]
                longer += [(*before, way) for way in ways]
            found = longer
        return found

    def _holding(self, condition: Needs, binders: Binders) -> Truth:
        found = self.shown(condition, binders)
        if found is Truth.ALWAYS:
            return found
        if self.ground.is_finite:
            return self._everywhere(condition, binders)
        failing = self._failing(condition, binders)
        if failing is not None:
            self.place = failing
            return Truth.FAILS
        return found

    def _failing(self, condition: Needs, binders: Binders) -> str | None:
        """A point at which it fails, in words; None where none was found."""
        names = names_in(condition, binders)
        tried = set()
        for point in self.ground.points if names else [{}]:
            for values in some_values({n: x for n, x in point.items() if n in names}, binders):
                key = tuple(values.items())
                if key not in tried and holds_at(condition, values) is False:
                    return in_words(values)
                tried.add(key)
        return None

    def _everywhere(self, condition: Needs, binders: Binders) -> Truth:
        """At each point of a finite set: at each value of the bound variables where they are few, else by a proof."""
        found, left, names = Truth.ALWAYS, MOST_VALUES, names_in(condition, binders) - {b.name for b in binders}
        used = [{name: x for name, x in point.items() if name in names} for point in self.ground.points]
        for point in {tuple(one.items()): one for one in used}.values():
            few = all_values(point, binders, min(FEW, left))
            left -= 0 if few is None else len(few)
            for values in some_values(point, binders) if few is None else few:
                here = holds_at(condition, values)
                if here is False:
                    self.place = in_words(values)
                    return Truth.FAILS
                found = found if here else Truth.UNKNOWN
            if few is None and found is Truth.ALWAYS:
                found = self._shown_at(point, condition, binders)
        return found

    def _shown_at(self, point: Point, condition: Needs, binders: Binders) -> Truth:
        """At one point for all values of bound variables, by a proof."""
        values = {name: Fraction(x) for name, x in point.items() if isinstance(x, (int, Fraction))}
        if not names_in(condition, binders) - {b.name for b in binders} <= values.keys():
            return Truth.UNKNOWN
        return Discharge(here(values, self.ground.prove)).holds(condition, binders)

    # --- one need -----------------------------------------------------------------------------------

    def _need(self, need: Need, runs: Runs, put: Mapping[str, Term]) -> Truth:
        try:
            term = terms.substitute(term_of(need.term), put)
        except Refused:
            return Truth.UNKNOWN
        whole = self.ground.whole | {run.name for run in runs if run.whole}

        def is_count(k: Term) -> bool:
            return self.ground.signs(k, runs) <= {0, 1}

        if need.kind == "whole":
            return whole_valued(term, whole, is_count)
        if need.kind == "!=":
            return self._nonzero(term, runs, whole)
        signs = self.ground.signs(term, runs)
        if signs <= ALLOWED[need.kind]:
            return Truth.ALWAYS
        if need.kind == "no pole":
            is_whole = whole_valued(term, whole, is_count)
            if is_whole is Truth.NEVER:
                return Truth.ALWAYS
            return Truth.NEVER if is_whole is Truth.ALWAYS and 1 not in signs else Truth.UNKNOWN
        if not signs & ALLOWED[need.kind]:
            return Truth.NEVER
        return self._proved(term, need.kind, runs)

    def _nonzero(self, term: Term, runs: Runs, whole: frozenset[str]) -> Truth:
        signs = self.ground.signs(term, runs)
        if 0 not in signs:
            return Truth.ALWAYS
        if signs == {0}:
            return Truth.NEVER
        if term.head == "product":
            return Truth.ALWAYS if all(self._nonzero(x, runs, whole) is Truth.ALWAYS for x in term.parts) else Truth.UNKNOWN
        if term.head == "power":
            return self._nonzero(term.parts[0], runs, whole)
        if term.head in ("sin", "cos") and is_rational(term.parts[0], whole):
            # the cosine of a rational number is not 0, nor is the sine but at 0: they are transcendental there
            return Truth.ALWAYS if term.head == "cos" else self._nonzero(term.parts[0], runs, whole)
        if never_zero(term, whole):
            return Truth.ALWAYS
        for one in (term, terms.negative(term)):
            if self._proved(one, ">", runs) is Truth.ALWAYS:
                return Truth.ALWAYS
        return Truth.UNKNOWN

    def _proved(self, term: Term, kind: str, runs: Runs) -> Truth:
        """By the prover, over what the context says."""
        ground = self.ground
        if ground.prove is None or sum(1 for _ in terms.walk(term)) > LONGEST:
            return Truth.UNKNOWN
        put = ground.put(term)
        context = ground.within(tuple(run for run in runs if run.name in put.free))
        names = put.free
        if not names or len(names) > MOST_PROVED or names & set(ground.scales):
            return Truth.UNKNOWN
        said = [f"{'whole' if name in context.whole else 'real'} {name}" for name in sorted(names)]
        about = [(pair, pair[0].free | pair[2].free) for pair in context.pairs]
        said += [f"{low} {sign} {high}" for (low, sign, high), own in about if own <= names]
        found = ground.prove(f"{put} {_SAYS[kind]} for {', '.join(said)}".replace("#", "b_"))
        is_whole = all(own <= names or not own & names for _, own in about)
        return Truth.UNKNOWN if found is Truth.FAILS and not is_whole else found


def names_in(condition: Needs, binders: Binders) -> frozenset[str]:
    """The names a condition is about, those of the ends of the bound variables' ranges too."""
    return condition.free.union(*(end.free for b in binders for end in (b.low, b.high))) - terms.CONSTANTS - {"oo"}


# --- points -----------------------------------------------------------------------------------------


def in_words(values: Mapping[str, Any]) -> str:
    """A point in words."""
    return ", ".join(f"{name} = {value}" for name, value in values.items())


def some_values(point: Point, binders: Binders) -> list[dict[str, Any]]:
    """The point with some values of the bound variables: their ends and what lies between."""
    found: list[dict[str, Any]] = [dict(point)]
    for b in binders:
        longer = []
        for values in found:
            low = None if is_infinite(b.low) else number_at(b.low, values)
            high = None if is_infinite(b.high) else number_at(b.high, values)
            if low is None and high is None:
                continue
            longer += [{**values, b.name: k} for k in _some(low, high, b.whole)]
        found = longer[:MOST_TRIED]
    return found


def _some(low: Fraction | None, high: Fraction | None, whole: bool) -> Iterator[Fraction]:
    if low is None or high is None:
        end = low if low is not None else high
        assert end is not None
        steps = map(Fraction, ("0 1 2 3 10" if whole else "1/8 1/2 1 2 3 10").split())
        yield from (end + (step if low is not None else -step) for step in steps)
    elif whole:
        tried = [low, low + 1, low + 2, low + 3, low + (high - low) // 2, high - 1, high]
        yield from (k for k in dict.fromkeys(tried) if low <= k <= high)
    elif low != high:
        yield from (low + (high - low) * Fraction(k, 8) for k in range(1, 8))
