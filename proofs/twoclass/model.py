"""The saturated two-class system, from the words of sections 1.2 and 3.2, solved exactly.

A state is (h, a, b): h = 1 if a class 2 job blocks the head of the queue, a and b jobs of the two classes in service.  After a
completion jobs come forward in order: the blocking job first, then jobs whose classes are drawn one at a time, as long as a
class 1 job would fit; a class 2 job that does not fit blocks.  Nothing here knows a product form.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from asymp.elimination import Elimination, rational, recurrent_class
from asymp.papers.twoclass.classes import (  # noqa: F401  # claims.toml finds its functions here
    phase_gap,
    phase_rate,
    phase_throughput,
    rules_rate,
    rules_stable,
    three_gap,
    three_rules_law,
    three_rules_rate,
    three_series,
    three_throughput,
    three_utilization,
    two_gap,
    two_series,
)
from asymp.queues import two_class

State = tuple[int, int, int]


class Way(NamedTuple):
    """What comes forward: the state that is reached, and how many jobs of each class entered from the queue."""

    state: State
    first: int
    second: int


class Saturated:
    """The saturated system; every quantity an exact Fraction.

    Raises:
        ValueError: parameters outside the model.
    """

    def __init__(self, n1: int, n2: int, n: int, p1: Any, mu1: Any, mu2: Any) -> None:
        self.n1, self.n2, self.n = n1, n2, n
        self.p1, self.mu1, self.mu2 = (rational(x, name) for x, name in ((p1, "p1"), (mu1, "mu1"), (mu2, "mu2")))
        if not 1 <= n1 < n2 <= n:
            raise ValueError(f"1 <= n1 < n2 <= n, not {n1}, {n2}, {n}")
        if not (0 < self.p1 < 1 and self.mu1 > 0 and self.mu2 > 0):
            raise ValueError("0 < p1 < 1, mu1 > 0, mu2 > 0")
        found = {way.state: None for way in self.forward((0, 0, 0))}
        queue = list(found)
        for state in queue:
            for _, way in self.ways(state):
                if way.state not in found:
                    found[way.state] = None
                    queue.append(way.state)
        place = {state: k for k, state in enumerate(queue)}
        keep = recurrent_class([{place[way.state]: Fraction(1) for _, way in self.ways(s)} for s in queue])
        self.states = sorted(queue[k] for k in keep)

    def free(self, state: State) -> int:
        """Unoccupied servers."""
        return self.n - state[1] * self.n1 - state[2] * self.n2

    def forward(self, state: State, first: int = 0, second: int = 0) -> Iterator[Way]:
        """All ways in which jobs come forward."""
        h, a, b = state
        free = self.free(state)
        if h and free >= self.n2:
            yield from self.forward((0, a, b + 1), first, second)
        elif h or free < self.n1:
            yield Way(state, first, second)
        else:
            yield from self.forward((0, a + 1, b), first + 1, second)
            if free >= self.n2:
                yield from self.forward((0, a, b + 1), first, second + 1)
            else:
                yield Way((1, a, b), first, second + 1)

    def ways(self, state: State) -> Iterator[tuple[int, Way]]:
        """(class that completes, way) for all that can follow a state."""
        h, a, b = state
        if a:
            yield from ((1, way) for way in self.forward((h, a - 1, b)))
        if b:
            yield from ((2, way) for way in self.forward((h, a, b - 1)))

    def rate(self, state: State) -> Fraction:
        """Completions per unit of time."""
        return state[1] * self.mu1 + state[2] * self.mu2

    def share(self, kind: int, state: State) -> Fraction:
        """f_1, f_2: the probability that a job of that class completes next."""
        return (self.mu1, self.mu2)[kind - 1] * state[kind] / self.rate(state)

    @cached_property
    def steps(self) -> dict[State, dict[State, tuple[Fraction, Fraction]]]:
        """(P_1(s, s'), P_2(s, s')): transitions of the embedded chain, by the class that completes."""
        found: dict[State, dict[State, tuple[Fraction, Fraction]]] = {}
        for state in self.states:
            after = found.setdefault(state, {})
            for kind, way in self.ways(state):
                weight = self.share(kind, state) * self.p1**way.first * (1 - self.p1) ** way.second
                one, two = after.get(way.state, (Fraction(0), Fraction(0)))
                after[way.state] = (one + weight, two) if kind == 1 else (one, two + weight)
        return found

    @cached_property
    def law(self) -> dict[State, Fraction]:
        """pi: the stationary law of the embedded chain."""
        place = {state: k for k, state in enumerate(self.states)}
        rows = [{place[t]: one + two for t, (one, two) in self.steps[s].items()} for s in self.states]
        return dict(zip(self.states, Elimination(rows).stationary(), strict=True))

    @cached_property
    def in_time(self) -> dict[State, Fraction]:
        """The stationary law of the chain in continuous time: of what jumps at twice its highest rate, and mostly stays."""
        place = {state: k for k, state in enumerate(self.states)}
        pace = 2 * max(map(self.rate, self.states))
        rows = []
        for s in self.states:
            row = {place[t]: (one + two) * self.rate(s) / pace for t, (one, two) in self.steps[s].items()}
            row[place[s]] = row.get(place[s], Fraction(0)) + 1 - self.rate(s) / pace
            rows.append(row)
        return dict(zip(self.states, Elimination(rows).stationary(), strict=True))


@lru_cache(maxsize=1024)
def saturated(n1: int, n2: int, n: int, p1: Any, mu1: Any, mu2: Any) -> Saturated:
    """The saturated system at these numbers.

    >>> [f"{h}{a}{b}" for h, a, b in saturated(1, 4, 7, Fraction(1, 2), 1, 1).states]
    ['031', '070', '101', '111', '121', '140', '150', '160']
    """
    return Saturated(n1, n2, n, p1, mu1, mu2)


# --- what statements call ---------------------------------------------------------------------------


def _shape(n1: int, n2: int, n: int) -> Saturated:
    """The system at some rates: which states there are, and what follows what, does not depend on them."""
    return saturated(n1, n2, n, Fraction(1, 2), 1, 1)


def is_state(h: int, a: int, b: int, n1: int, n2: int, n: int) -> int:
    """1 if the saturated system has that state in the long run, else 0.

    >>> is_state(1, 4, 1, 3, 10, 30), is_state(0, 4, 1, 3, 10, 30)
    (1, 0)
    """
    return int((h, a, b) in _shape(n1, n2, n).states)


def states(n1: int, n2: int, n: int) -> int:
    """How many states there are."""
    return len(_shape(n1, n2, n).states)


def ways(kind: int, h: int, a: int, b: int, h_: int, a_: int, b_: int, n1: int, n2: int, n: int) -> int:
    """In how many ways a completion of that class leads from (h, a, b) to (h_, a_, b_)."""
    return sum(1 for k, way in _shape(n1, n2, n).ways((h, a, b)) if (k, way.state) == (kind, (h_, a_, b_)))


def most_second(n1: int, n2: int, n: int) -> int:
    """The most class 2 jobs that enter from the queue in one transition."""
    system = _shape(n1, n2, n)
    return max(way.second for s in system.states for _, way in system.ways(s))


def law(h: int, a: int, b: int, n1: int, n2: int, n: int, p1: Any, mu1: Any, mu2: Any) -> Fraction:
    """pi of a state."""
    return saturated(n1, n2, n, p1, mu1, mu2).law[h, a, b]


def time_law(h: int, a: int, b: int, n1: int, n2: int, n: int, p1: Any, mu1: Any, mu2: Any) -> Fraction:
    """The fraction of time in a state, from the generator alone."""
    return saturated(n1, n2, n, p1, mu1, mu2).in_time[h, a, b]


def moves(kind: int, h: int, a: int, b: int, h_: int, a_: int, b_: int, n1: int, n2: int, n: int, p1: Any, mu1: Any, mu2: Any) -> Fraction:
    """P_1 or P_2 of a transition; P for kind 0."""
    one, two = saturated(n1, n2, n, p1, mu1, mu2).steps[h, a, b].get((h_, a_, b_), (Fraction(0), Fraction(0)))
    return (one + two, one, two)[kind]


def flow(kind: int, h: int, a: int, b: int, n1: int, n2: int, n: int, p1: Any, mu1: Any, mu2: Any) -> Fraction:
    """Sum over s' of pi_{s'} P_kind(s', s); P for kind 0."""
    system = saturated(n1, n2, n, p1, mu1, mu2)
    found = Fraction(0)
    for state, after in system.steps.items():
        one, two = after.get((h, a, b), (Fraction(0), Fraction(0)))
        found += system.law[state] * (one + two, one, two)[kind]
    return found


def completions(n1: int, n2: int, n: int, p1: Any, mu1: Any, mu2: Any) -> Fraction:
    """Completions per unit of time in the long run."""
    system = saturated(n1, n2, n, p1, mu1, mu2)
    return sum((weight * system.rate(s) for s, weight in system.in_time.items()), Fraction(0))


def rules_idle(n1: int, n2: int, n: int, p1: Any, mu1: Any, mu2: Any) -> Fraction:
    """The mean number of idle servers."""
    system = saturated(n1, n2, n, p1, mu1, mu2)
    return sum((weight * system.free(s) for s, weight in system.in_time.items()), Fraction(0))


def product_wastage(n1: int, n2: int, n: int, p1: Any, mu1: Any, mu2: Any) -> Fraction:
    """The mean number of idle servers by the product form, for many servers."""
    return two_class.wastage(n1, n2, n, p1, mu1, mu2)


def product_rate(n1: int, n2: int, n: int, p1: Any, mu1: Any, mu2: Any) -> Fraction:
    """Completions per unit of time by the product form, for many servers."""
    return two_class.throughput(n1, n2, n, p1, mu1, mu2)


# --- the open queue: a quasi-birth-death process, whose drift has an exact sign --------------------------


def is_stable(rate: Any, n1: int, n2: int, n: int, p1: Any, mu1: Any, mu2: Any) -> int:
    """1 if the queue with arrivals of that rate is positive recurrent, else 0; no product form is used."""
    return int(two_class.is_stable(rate, n1, n2, n, p1, mu1, mu2))


def is_null_recurrent(rate: Any, n1: int, n2: int, n: int, p1: Any, mu1: Any, mu2: Any) -> int:
    """1 if its drift is 0, else 0."""
    return int(two_class.open_two_class(rate, n1, n2, n, p1, mu1, mu2).recurrence == "null recurrent")
