"""The saturated two-class system, from the words of sections 1.2 and 3.2, solved exactly.

A state is (h, a, b): h = 1 if a class 2 job blocks the head of the queue, a and b jobs of the two classes in service.  After a
completion jobs come forward in order: the blocking job first, then jobs whose classes are drawn one at a time, as long as a
class 1 job would fit; a class 2 job that does not fit blocks.  Nothing here knows a product form.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from asymp.queues import two_class
from asymp.queues.elimination import Elimination, rational, recurrent_class
from asymp.queues.open_queue import OpenQueue
from asymp.queues.perturbation import throughput_series
from asymp.queues.rules import JobClass, Rules
from asymp.queues.rules import State as RulesState
from asymp.queues.saturated import Saturated as SaturatedSystem
from asymp.queues.saturated import saturated as saturated_system

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


def states_beside(a: int, n1: int, n2: int, n: int) -> int:
    """How many states have a class 1 jobs in service."""
    return sum(1 for s in _shape(n1, n2, n).states if s[1] == a)


def unblocked_beside(b: int, n1: int, n2: int, n: int) -> int:
    """How many states have b class 2 jobs in service and no job that blocks."""
    return sum(1 for s in _shape(n1, n2, n).states if s[0] == 0 and s[2] == b)


def ways(kind: int, h: int, a: int, b: int, h_: int, a_: int, b_: int, n1: int, n2: int, n: int) -> int:
    """In how many ways a completion of that class leads from (h, a, b) to (h_, a_, b_)."""
    return sum(1 for k, way in _shape(n1, n2, n).ways((h, a, b)) if (k, way.state) == (kind, (h_, a_, b_)))


def targets(kind: int, h: int, a: int, b: int, n1: int, n2: int, n: int) -> int:
    """How many states a completion of that class leads to."""
    return len({way.state for k, way in _shape(n1, n2, n).ways((h, a, b)) if k == kind})


def most_second(n1: int, n2: int, n: int) -> int:
    """The most class 2 jobs that enter from the queue in one transition."""
    system = _shape(n1, n2, n)
    return max(way.second for s in system.states for _, way in system.ways(s))


def gap(h: int, a: int, b: int, n1: int, n2: int, n: int) -> int:
    """i* of section 5.4: how many more class 1 jobs than s_2(b + 1) a state has."""
    return a - (n - (b + 1) * n2) // n1


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


def idle(n1: int, n2: int, n: int, p1: Any, mu1: Any, mu2: Any) -> Fraction:
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


# --- section 8: any number of classes, one rate -------------------------------------------------------


def served(m: tuple[int, ...], n: int) -> int:
    """sigma(m): how many of the oldest n jobs are in service."""
    count, used = 0, 0
    for need in m:
        used += need
        if used > n:
            break
        count += 1
    return count


def shares(n: int, seed: int) -> tuple[Fraction, ...]:
    """p_1, ..., p_n, some of them 0."""
    weights = [(7 * seed + 3 * k * k + k) % (5 + seed) for k in range(1, n + 1)]
    weights[seed % n] += 1
    return tuple(Fraction(w, sum(weights)) for w in weights)


def product_law(m: tuple[int, ...], p: tuple[Fraction, ...]) -> Fraction:
    """The product of p_{m_j}."""
    found = Fraction(1)
    for need in m:
        found *= p[need - 1]
    return found


def phase_gap(n: int, seed: int) -> Fraction:
    """The sum over phases m of |pi_m - sum of pi_{m'} P(m', m)|, pi the product."""
    p = shares(n, seed)
    phases = list(itertools.product(range(1, n + 1), repeat=n))
    into: dict[tuple[int, ...], Fraction] = {}
    for m in phases:
        weight, count = product_law(m, p), served(m, n)
        for k in range(count):
            for new in range(1, n + 1):
                after = (*m[:k], *m[k + 1 :], new)
                into[after] = into.get(after, Fraction(0)) + weight * p[new - 1] / count
    return sum((abs(product_law(m, p) - into.get(m, Fraction(0))) for m in phases), Fraction(0))


def phase_throughput(n1: int, n2: int, n: int, p1: Any, mu: Any) -> Fraction:
    """The reciprocal of the sum over m of the product of p_{m_j} over mu sigma(m), for two classes."""
    p1 = rational(p1, "p1")
    found = Fraction(0)
    for m in itertools.product((n1, n2), repeat=n):
        first = m.count(n1)
        found += p1**first * (1 - p1) ** (n - first) / (rational(mu, "mu") * served(m, n))
    return 1 / found


@lru_cache(maxsize=256)
def classes_of(n: int, seed: int, mu: Fraction) -> tuple[JobClass, ...]:
    """The classes of :func:`shares` that are not empty, of one rate."""
    return tuple(JobClass(k, mu, p) for k, p in enumerate(shares(n, seed), 1) if p)


@lru_cache(maxsize=256)
def phase_rate(n: int, seed: int, mu: Any) -> Fraction:
    """The arrival rate at which the left side of (9) is 1."""
    p = shares(n, seed)
    phases = itertools.product([k for k in range(1, n + 1) if p[k - 1]], repeat=n)
    return rational(mu, "mu") / sum((product_law(m, p) / served(m, n) for m in phases), Fraction(0))


def rules_rate(n: int, seed: int, mu: Any) -> Fraction:
    """Completions per unit of time of the saturated system of :func:`classes_of`, from its rules."""
    return saturated_system(n, classes_of(n, seed, rational(mu, "mu"))).throughput


def rules_stable(arrivals: Any, n: int, seed: int, mu: Any) -> int:
    """1 if the open queue of :func:`classes_of` is positive recurrent, else 0."""
    return int(OpenQueue(Rules(n, classes_of(n, seed, rational(mu, "mu"))), rational(arrivals, "arrivals")).is_stable)


def _three(w1: Any, w2: Any, w3: Any, mu: Any) -> SaturatedSystem[RulesState]:
    """Needs of 1, 2 and 3 of 3 servers, one rate."""
    weights = [rational(w, "w") for w in (w1, w2, w3)]
    return saturated_system(3, [JobClass(k, rational(mu, "mu"), w / sum(weights)) for k, w in enumerate(weights, 1)])


def three_rules_rate(w1: Any, w2: Any, w3: Any, mu: Any) -> Fraction:
    """Completions per unit of time of three classes of one rate on 3 servers."""
    return _three(w1, w2, w3, mu).throughput


def three_rules_law(a: int, b: int, c: int, block: int, w1: Any, w2: Any, w3: Any) -> Fraction:
    """The law of the embedded chain at a, b, c jobs in service, and the class that blocks (0: none)."""
    return _three(w1, w2, w3, 1).pid[RulesState((a, b, c), block - 1 if block else None)]


# --- section 10: more classes -------------------------------------------------------------------------


@lru_cache(maxsize=64)
def decomposed_gap(needs: tuple[int, ...], n: int, rates: tuple[Any, ...]) -> Fraction:
    """The sum over states and classes of |p_i pi_s - sum of pi_{s'} P_i(s', s)|, all classes equally likely.

    A state is what has come to the head of the line: jobs in service by class, and the one that blocks.
    """
    share = Fraction(1, len(needs))
    rules = Rules(n, tuple(JobClass(need, Fraction(rate), share) for need, rate in zip(needs, rates, strict=True)))

    def forward(state: RulesState) -> dict[RulesState, Fraction]:
        if not rules.accepting(state):
            return {state: Fraction(1)}
        found: dict[RulesState, Fraction] = {}
        for k in range(len(needs)):
            for after, weight in forward(rules.admit(state, k)).items():
                found[after] = found.get(after, Fraction(0)) + share * weight
        return found

    start = next(iter(forward(rules.empty)))
    known, steps = {start: 0}, []
    for state in (order := [start]):
        rate = sum((r for _, r in rules.completion_rates(state)), Fraction(0))
        row: dict[tuple[int, RulesState], Fraction] = {}
        for kind, one in rules.completion_rates(state):
            for after, weight in forward(rules.complete(state, kind)).items():
                if after not in known:
                    known[after] = len(order)
                    order.append(after)
                row[kind, after] = row.get((kind, after), Fraction(0)) + weight * one / rate
        steps.append(row)
    rows: list[dict[int, Fraction]] = [{} for _ in order]
    for k, row in enumerate(steps):
        for (_, after), weight in row.items():
            rows[k][known[after]] = rows[k].get(known[after], Fraction(0)) + weight
    law = Elimination(rows).stationary()
    into: dict[tuple[int, int], Fraction] = {}
    for k, row in enumerate(steps):
        for (kind, after), weight in row.items():
            place = kind, known[after]
            into[place] = into.get(place, Fraction(0)) + law[k] * weight
    return sum(
        (abs(share * weight - into.get((kind, k), Fraction(0))) for k, weight in enumerate(law) for kind in range(len(needs))),
        Fraction(0),
    )


def three_gap(need1: int, need2: int, need3: int, n: int, mu1: Any, mu2: Any, mu3: Any) -> Fraction:
    """:func:`decomposed_gap` of three classes."""
    return decomposed_gap((need1, need2, need3), n, (mu1, mu2, mu3))


def two_gap(need1: int, need2: int, n: int, mu1: Any, mu2: Any) -> Fraction:
    """:func:`decomposed_gap` of two classes."""
    return decomposed_gap((need1, need2), n, (mu1, mu2))


def three_utilization(need1: int, need2: int, need3: int, n: int, mu1: Any, mu2: Any, mu3: Any) -> Fraction:
    """The share of busy servers of three classes, equally likely, in saturation."""
    share = Fraction(1, 3)
    classes = [JobClass(need, Fraction(rate), share) for need, rate in ((need1, mu1), (need2, mu2), (need3, mu3))]
    demand = sum((share * job.need / job.rate for job in classes), Fraction(0))
    return saturated_system(n, classes).throughput * demand / n


@lru_cache(maxsize=256)
def many(needs: tuple[int, ...], n: int, shares: tuple[Fraction, ...], rates: tuple[Fraction, ...]) -> SaturatedSystem[RulesState]:
    """The saturated system of any classes, from its rules."""
    return saturated_system(n, [JobClass(*one) for one in zip(needs, rates, shares, strict=True)])


def _shares_of_three(p1: Any, p2: Any) -> tuple[Fraction, ...]:
    first, second = rational(p1, "p1"), rational(p2, "p2")
    return first, second, 1 - first - second


def three_throughput(need1: int, need2: int, need3: int, n: int, p1: Any, p2: Any, mu1: Any, mu2: Any, mu3: Any) -> Fraction:
    """Completions per unit of time of three classes with rates of their own."""
    rates = tuple(rational(mu, "mu") for mu in (mu1, mu2, mu3))
    return many((need1, need2, need3), n, _shares_of_three(p1, p2), rates).throughput


def three_series(
    k: int, need1: int, need2: int, need3: int, n: int, p1: Any, p2: Any, mu1: Any, mu2: Any, mu3: Any, d1: Any, d2: Any, d3: Any
) -> Fraction:
    """X_k: of the throughput at rates mu_j + eps d_j, the coefficient of eps^k."""
    rates = tuple(rational(mu, "mu") for mu in (mu1, mu2, mu3))
    by = tuple(rational(d, "d") for d in (d1, d2, d3))
    return _series((need1, need2, need3), n, _shares_of_three(p1, p2), rates, by)[k]


def two_series(k: int, n1: int, n2: int, n: int, p1: Any, mu1: Any, mu2: Any, d1: Any, d2: Any) -> Fraction:
    """The same with two classes."""
    first = rational(p1, "p1")
    rates = rational(mu1, "mu1"), rational(mu2, "mu2")
    return _series((n1, n2), n, (first, 1 - first), rates, (rational(d1, "d1"), rational(d2, "d2")))[k]


@lru_cache(maxsize=256)
def _series(
    needs: tuple[int, ...], n: int, shares: tuple[Fraction, ...], rates: tuple[Fraction, ...], by: tuple[Fraction, ...]
) -> list[Fraction]:
    return throughput_series(many(needs, n, shares, rates), by, 2)
