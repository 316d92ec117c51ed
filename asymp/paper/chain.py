"""A chain that is given as data, solved exactly at given parameters; every quantity an exact Fraction.

>>> from asymp.language.chains import read_chain
>>> chain = read_chain({"of": "whole n >= 1, 0 < p < 1", "states": "whole b, 0 <= b <= n", "visits": "jumps",
...     "rate": "throughput", "moves": ["b -> b + 1 with 1 for b < n", "n -> 0 at p"]})
>>> found = solved(chain, (2, Fraction(1, 3)))
>>> found.function("jumps", (1,)), found.function("throughput", ())
(Fraction(1, 3), Fraction(1, 3))
>>> answering(chain, "visits")(0, 2, Fraction(1, 3))
Fraction(1, 3)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

from asymp.budget import uncounted
from asymp.elimination import Elimination, rational, recurrent_class
from asymp.kernel import terms
from asymp.kernel.summation import linear
from asymp.kernel.summation.linear import relations
from asymp.language.chains import Chain, read_kind
from asymp.language.conditions import Compared, Condition, OfKind
from asymp.language.syntax import Node, words
from asymp.language.value import value

State = tuple[int, ...]
MOST_STATES = 200_000


class Solved:
    """A chain at numbers for its parameters.

    Raises:
        ValueError: the numbers are outside of their range, or it is no chain there: what is wrong.
    """

    def __init__(self, chain: Chain, given: Mapping[str, Fraction]) -> None:
        self.chain, self.given = chain, dict(given)
        for c in chain.of:
            if not holds_at(c, self.given):
                raise ValueError(f"{c} does not hold")
        self.states = list(self._states())
        self._place = {state: k for k, state in enumerate(self.states)}
        self.rate: dict[State, Fraction] = {}
        rows = [self._row(state) for state in self.states]
        self._drawn = {s: row for s, row in zip(self.states, rows, strict=True) if s not in self.rate}
        self._first: dict[State, dict[State, Fraction]] = {}
        keep = sorted(recurrent_class(rows))
        place = {old: new for new, old in enumerate(keep)}
        self._rows = [{place[t]: w for t, w in rows[k].items()} for k in keep]
        self._recurrent = [self.states[k] for k in keep]

    def _states(self) -> Iterator[State]:
        own = self.chain.coordinates
        put = {v: terms.number(x) for v, x in self.given.items()}
        where = frozenset(one.at(put, frozenset(own)) for one in relations(self.chain.states))

        def extended(at: dict[str, int]) -> Iterator[State]:
            if len(at) == len(own):
                yield tuple(at[c] for c in own)
                return
            fixed = {linear.at_least(*ends, frozenset(own)) for c, k in at.items()
                     for ends in ((terms.name(c), terms.number(k)), (terms.number(k), terms.name(c)))}  # fmt: skip
            c = own[len(at)]
            low, high = linear.bounds(where | fixed, c)
            if linear.is_empty(where | fixed):
                return
            if low is None or high is None:
                raise ValueError(f"{c} has no end")
            if high - low > MOST_STATES:
                raise ValueError("too many states")
            for k in range(low, high + 1):
                yield from extended({**at, c: k})

        for state in extended({}):
            if all(holds_at(c, self._at(state)) for c in self.chain.states):
                yield state

    def _at(self, state: State) -> dict[str, Fraction]:
        return self.given | {c: Fraction(k) for c, k in zip(self.chain.coordinates, state, strict=True)}

    def _row(self, state: State) -> dict[int, Fraction]:
        """The probabilities of the moves out of a state."""
        at = self._at(state)
        found: dict[int, Fraction] = {}
        kinds = set()
        for move in self.chain.moves:
            here = all(Fraction(k) == value(node, at) for k, node in zip(state, move.source, strict=True))
            if here and all(holds_at(c, at) for c in move.where):
                target = tuple(value(node, at) for node in move.target)
                place = self._place.get(tuple(int(x) if x.denominator == 1 else -1 for x in target))
                weight = value(move.weight, at)
                if place is None or weight <= 0 or any(x.denominator != 1 for x in target):
                    raise ValueError(f"{move}: no state, or no weight, at {state}")
                found[place] = found.get(place, Fraction(0)) + weight
                kinds.add(move.takes_time)
        total = sum(found.values(), Fraction(0))
        if len(kinds) != 1 or (kinds == {False} and total != 1):
            raise ValueError(f"the moves out of {state} are no law")
        if kinds == {True}:
            self.rate[state] = total
        return {t: w / total for t, w in found.items()}

    @cached_property
    def law(self) -> dict[State, Fraction]:
        """The stationary law of the jumps."""
        found = dict.fromkeys(self.states, Fraction(0))
        return found | dict(zip(self._recurrent, Elimination(self._rows).stationary(), strict=True))

    @cached_property
    def _completing(self) -> Fraction:
        return sum((self.law[s] for s in self.rate), Fraction(0))

    @cached_property
    def _time(self) -> Fraction:
        return sum((self.law[s] / rate for s, rate in self.rate.items()), Fraction(0))

    @cached_property
    def relative(self) -> dict[State, Fraction]:
        """h, on the states that recur."""
        mu = self._completing / self._time
        rewards = [1 - mu / self.rate[s] if s in self.rate else Fraction(0) for s in self._recurrent]
        raw = dict(zip(self._recurrent, Elimination(self._rows).poisson(rewards), strict=True))
        mean = sum((self.law[s] / self.rate[s] * x for s, x in raw.items() if s in self.rate), Fraction(0)) / self._time
        return {s: x - mean for s, x in raw.items()}

    def _from(self, state: State) -> dict[State, Fraction]:
        """The law of the first state in which time passes; draws that go on for ever end in a RecursionError."""
        if state in self.rate:
            return {state: Fraction(1)}
        if state not in self._first:
            found: dict[State, Fraction] = {}
            for place, weight in self._drawn[state].items():
                for end, more in self._from(self.states[place]).items():
                    found[end] = found.get(end, Fraction(0)) + weight * more
            self._first[state] = found
        return self._first[state]

    def _mean(self, term: Node) -> Fraction:
        """The mean of a term by the fractions of time."""
        weights = ((s, self.law[s] / rate) for s, rate in self.rate.items() if self.law[s])
        return sum((weight * value(term, self._at(s)) for s, weight in weights), Fraction(0)) / self._time

    def _border(self, term: Node) -> Fraction:
        """How often jobs are taken from a line that is never empty."""
        taken = Fraction(0)
        for k, row in zip(self._recurrent, self._rows, strict=True):
            for t, weight in row.items():
                by = value(term, self._at(self._recurrent[t])) - value(term, self._at(k))
                if by not in ((-1,) if k in self.rate else (0, 1)):
                    raise ValueError(f"a move changes {words(term)} by {by}")
                taken += self.law[k] * weight * max(by, 0)
        return taken / self._time

    def function(self, kind: str, state: State) -> Fraction:
        """What a function of the chain is, as :mod:`asymp.language.chains` says.

        Raises:
            ValueError: there is no such state, or no time passes in it.
        """
        word, term = read_kind(kind)
        if term is not None:
            return self._mean(term) if word == "mean" else self._border(term)
        if kind == "throughput":
            return self._completing / self._time
        if kind == "relative_mean":
            return sum((self.law[s] * self.relative[s] for s in self.rate if self.law[s]), Fraction(0)) / self._completing
        if kind == "settles":
            start, end = state[: len(state) // 2], state[len(state) // 2 :]
            if start not in self.law or end not in self.rate:
                raise ValueError(f"no state: {start}, or no time passes in {end}")
            return self._from(start).get(end, Fraction(0))
        if state not in self.law:
            raise ValueError(f"no state: {state}")
        if kind == "relative":
            return self.relative[state]
        if kind == "jumps":
            return self.law[state]
        if state not in self.rate:
            raise ValueError(f"no time passes in {state}")
        if kind == "leaving":
            return self.rate[state]
        return self.law[state] / (self.rate[state] * self._time if kind == "time" else self._completing)


def holds_at(c: Condition, at: Mapping[str, Fraction]) -> bool:
    """Whether a condition holds at numbers."""
    if isinstance(c, OfKind):
        return c.kind == "real" or at[c.name].denominator == 1
    assert isinstance(c, Compared)
    for left, sign, right in c.pairs():
        x, y = value(left, at), value(right, at)
        if not {"<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y, "=": x == y}[sign]:
            return False
    return True


@uncounted
@lru_cache(maxsize=512)
def solved(chain: Chain, given: tuple[Fraction, ...]) -> Solved:
    """A chain at numbers for its parameters, in their order."""
    return Solved(chain, dict(zip(chain.parameters, map(Fraction, given), strict=True)))


def answering(chain: Chain, function: str) -> Callable[..., Fraction]:
    """A function of a chain as code."""
    kind = dict(chain.functions)[function]
    coordinates = len(chain.arguments(function)) - len(chain.parameters)

    def answer(*arguments: Any) -> Fraction:
        given = tuple(rational(x) for x in arguments)
        return solved(chain, given[coordinates:]).function(kind, tuple(int(x) for x in given[:coordinates]))

    return answer
