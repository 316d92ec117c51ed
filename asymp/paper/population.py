"""A population that is given as data, solved exactly at given parameters; every quantity an exact Fraction.

>>> from asymp.language.populations import read_population
>>> pool = read_population({"of": "whole n, n >= 1, r > 0", "counts": "s(k) of n for 0 <= k <= 1", "idle": "all at 0",
...     "busy": "number at 1", "moves": ["k -> k + 1 at r*s(k) for k < 1", "k -> k - 1 at s(k) for k > 0"]})
>>> answering(pool, "idle")(3, 2), answering(pool, "busy")(3, 2)
(Fraction(1, 27), Fraction(2, 1))
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations
from math import comb, prod
from typing import Any

from asymp.budget import uncounted
from asymp.elimination import Elimination, rational, recurrent_class
from asymp.language.populations import LAW, OF_A_STATE, Population, read_form
from asymp.language.syntax import Node
from asymp.language.value import value
from asymp.paper.chain import holds_at

State = tuple[int, ...]
MOST_STATES = 20_000


class Solved:
    """A population at numbers for its parameters.

    Raises:
        ValueError: the numbers are outside of their range, or it is no chain there: what is wrong.
    """

    def __init__(self, chain: Population, given: Mapping[str, Fraction]) -> None:
        self.chain, self.given = chain, dict(given)
        for c in chain.of:
            if not holds_at(c, self.given):
                raise ValueError(f"{c} does not hold")
        size, low, high = (value(node, self.given) for node in (chain.size, chain.low, chain.high))
        if any(one.denominator != 1 for one in (size, low, high)) or size < 0 or high < low:
            raise ValueError("no whole numbers of objects and levels")
        self.size, self.low, self.levels = int(size), int(low), int(high) - int(low) + 1
        if comb(self.size + self.levels - 1, self.levels - 1) > MOST_STATES:
            raise ValueError("too many states")
        self.states = list(self._states())
        place = {state: k for k, state in enumerate(self.states)}
        rates = [{place[t]: rate for t, rate in self._row(state).items()} for state in self.states]
        pace = 2 * max((sum(row.values(), Fraction(0)) for row in rates), default=Fraction(0)) or Fraction(1)
        self._rows = [
            {t: rate / pace for t, rate in row.items()} | {k: 1 - sum(row.values(), Fraction(0)) / pace}
            for k, row in enumerate(rates)
        ]  # fmt: skip

    def _states(self) -> Iterator[State]:
        for bars in combinations(range(self.size + self.levels - 1), self.levels - 1):
            ends = (-1, *bars, self.size + self.levels - 1)
            yield tuple(ends[k + 1] - ends[k] - 1 for k in range(self.levels))

    def _row(self, state: State) -> dict[State, Fraction]:
        """The rates at which others follow a state."""
        found: dict[State, Fraction] = {}
        for k, to, rate in self._moves(state):
            new = list(state)
            new[k - self.low] -= 1
            new[to - self.low] += 1
            found[tuple(new)] = found.get(tuple(new), Fraction(0)) + rate
        return found

    def _moves(self, state: State) -> Iterator[tuple[int, int, Fraction]]:
        """From which level to which other one, and at which rates, objects move in a state."""
        total = {}
        if self.chain.total is not None:
            name, share = self.chain.total
            total[name] = sum((n * self._at(share, k) for k, n in self._levels(state)), Fraction(0))

        def count(k: Any) -> int:
            return state[int(k) - self.low] if 0 <= k - self.low < self.levels else 0

        for k, n in self._levels(state):
            at = self.given | total | {self.chain.level: Fraction(k)}
            for move in self.chain.moves:
                if n and all(holds_at(c, at) for c in move.where):
                    to = value(move.target[0], at)
                    if to.denominator != 1 or not 0 <= to - self.low < self.levels or to == k:
                        raise ValueError(f"{move}: no other level, at {state}")
                    rate = value(move.weight, at, {self.chain.counted: count})
                    if rate <= 0:
                        raise ValueError(f"{move}: no rate, at {state}")
                    yield k, int(to), rate

    def _levels(self, state: State) -> Iterator[tuple[int, int]]:
        return zip(range(self.low, self.low + self.levels), state, strict=True)

    def _at(self, node: Node, k: int, more: Mapping[str, Fraction] | None = None) -> Fraction:
        found: Fraction = value(node, self.given | {self.chain.level: Fraction(k)} | dict(more or {}))
        return found

    @cached_property
    def law(self) -> dict[State, Fraction]:
        """The stationary law."""
        found = dict.fromkeys(self.states, Fraction(0))
        keep = sorted(recurrent_class(self._rows))
        place = {old: new for new, old in enumerate(keep)}
        rows = [{place[t]: w for t, w in self._rows[k].items()} for k in keep]
        return found | dict(zip((self.states[k] for k in keep), Elimination(rows).stationary(), strict=True))

    def function(self, name: str, extra: tuple[Any, ...]) -> Fraction:
        """What a function of the population is, as :mod:`asymp.language.populations` says.

        Raises:
            ValueError: there is no such state, or level.
        """
        form, term = read_form(dict(self.chain.functions)[name])
        if form == LAW:
            return self.law[self._state(extra[0])]
        assert term is not None
        names = self.chain.extra(name)
        if form == "product of" and self.chain.any_vector(term):
            factors = self._vector(extra[0])
            return self._mean(lambda s: prod((x**n for x, n in zip(factors, s, strict=True)), start=Fraction(1)))
        here = form in OF_A_STATE
        more = dict(zip(names[here:], map(rational, extra[here:]), strict=True))
        if form in ("moves by", "rate by"):
            by = self._value(term, more)
            return self._by(self._state(extra[0]), by) if here else self._mean(lambda s: self._by(s, by))
        if form == "drift at":
            at, state = self._value(term, more), self._state(extra[0])
            return sum((rate * ((to == at) - (k == at)) for k, to, rate in self._moves(state)), Fraction(0))
        if form in ("all at", "number at"):
            k = value(term, self.given | more)
            if k.denominator != 1 or not 0 <= k - self.low < self.levels:
                raise ValueError(f"{k} is no level")
            place = int(k) - self.low
            everyone = tuple(self.size * (j == place) for j in range(self.levels))
            return self.law[everyone] if form == "all at" else self._mean(lambda s: Fraction(s[place]))
        worth = [self._at(term, k, more) for k in range(self.low, self.low + self.levels)]
        if form == "sum of":
            return self._mean(lambda s: sum((x * n for x, n in zip(worth, s, strict=True)), Fraction(0)))
        return self._mean(lambda s: prod((x**n for x, n in zip(worth, s, strict=True)), start=Fraction(1)))

    def _state(self, given: Any) -> State:
        state = self._vector(given)
        if any(not isinstance(x, int) and x.denominator != 1 for x in state) or min(state) < 0 or sum(state) != self.size:
            raise ValueError(f"no state: {state}")
        return tuple(map(int, state))

    def _value(self, term: Node, more: Mapping[str, Fraction]) -> Fraction:
        found: Fraction = value(term, self.given | dict(more))
        return found

    def _by(self, state: State, by: Fraction) -> Fraction:
        """The total rate of the moves by so many levels."""
        return sum((rate for k, to, rate in self._moves(state) if to - k == by), Fraction(0))

    def _vector(self, given: Any) -> tuple[Any, ...]:
        if not isinstance(given, tuple) or len(given) != self.levels:
            raise ValueError("a vector with a number for each level")
        return given

    def _mean(self, of: Callable[[State], Fraction]) -> Fraction:
        return sum((chance * of(s) for s, chance in self.law.items()), Fraction(0))


@uncounted
@lru_cache(maxsize=512)
def solved(chain: Population, given: tuple[Fraction, ...]) -> Solved:
    """A population at numbers for its parameters, in their order."""
    return Solved(chain, dict(zip(chain.parameters, map(Fraction, given), strict=True)))


def answering(chain: Population, name: str) -> Callable[..., Fraction]:
    """A function of a population as code."""
    own = len(chain.extra(name))

    def answer(*arguments: Any) -> Fraction:
        return solved(chain, tuple(rational(x) for x in arguments[own:])).function(name, arguments[:own])

    return answer
