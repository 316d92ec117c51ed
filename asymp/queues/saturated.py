"""The saturated multiserver-job system, solved exactly over the rationals.

The saturated system has jobs without end: whenever a server is unoccupied and nothing blocks, a
fresh job is drawn.  Its chain is built by breadth-first search from the empty system with the
rules of :mod:`asymp.queues.rules` alone, so that a paper's product forms can be judged against it.

States are of two kinds.  In an *arriving* state the next transition is a draw, and no time passes;
in a *completing* state a job leaves after an exponential time.  Three stationary laws
(Grosof and Ayhan 2025, section 5):

* ``pi``: over all states, each draw and each completion a step;
* ``P``: over completing states, in time: ``P_y`` proportional to ``pi_y / mu_y``;
* ``pid``: over completing states, at completions: ``pi`` given that the state is completing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Generic, TypeVar, cast

from asymp.elimination import Elimination, recurrent_class
from asymp.queues.rules import JobClass, Rules, State, one_and_n_label, one_and_n_rules

Label = TypeVar("Label", bound=Hashable)


@dataclass(frozen=True)
class Transition(Generic[Label]):
    """One transition of the chain that steps at draws and completions.

    ``rate`` is the rate of a completion (jobs a unit of time), None for a draw.
    """

    source: Label
    target: Label
    probability: Fraction
    rate: Fraction | None


class Saturated(Generic[Label]):
    """The saturated system of ``rules``; every quantity an exact Fraction.

    Args:
        rules: servers and classes.
        label: names the states (all dicts below are keyed by it); it must be one-to-one.

    Raises:
        ValueError: if two states get one label, or the recurrent class is not unique.

    >>> system = saturated(2, [JobClass(1, Fraction(1), Fraction(1))])   # two servers, never blocked
    >>> system.throughput, system.mean_relative_completions
    (Fraction(2, 1), Fraction(0, 1))
    """

    def __init__(self, rules: Rules, label: Callable[[State], Label]) -> None:
        self.rules = rules
        self._label = label
        self._states, self._links = _explore(rules)
        closed = recurrent_class([{t: w for t, w, _ in links} for links in self._links])
        # Transient states (an empty system that never recurs) are dropped.
        keep = sorted(closed)
        position = {old: new for new, old in enumerate(keep)}
        self._states = [self._states[i] for i in keep]
        self._links = [[(position[t], w, r) for t, w, r in self._links[i]] for i in keep]
        self.labels: list[Label] = [label(state) for state in self._states]
        if len(set(self.labels)) < len(self.labels):
            raise ValueError("two states of the chain have one label")

    @cached_property
    def transitions(self) -> list[Transition[Label]]:
        """All transitions between recurrent states."""
        return [
            Transition(self.labels[i], self.labels[t], w, r) for i, links in enumerate(self._links) for t, w, r in links
        ]

    @cached_property
    def _completing(self) -> list[int]:
        return [i for i, state in enumerate(self._states) if not self.rules.accepting(state)]

    @cached_property
    def _elimination(self) -> Elimination:
        rows: list[dict[int, Fraction]] = [{} for _ in self._links]
        for row, links in zip(rows, self._links, strict=True):
            for target, weight, _ in links:
                row[target] = row.get(target, Fraction(0)) + weight
        return Elimination(rows)

    @cached_property
    def completion_rate(self) -> dict[Label, Fraction]:
        """mu_y, the total rate of completions, of every completing state y."""
        return {
            self.labels[i]: sum((r for _, r in self.rules.completion_rates(self._states[i])), Fraction(0))
            for i in self._completing
        }

    @cached_property
    def pi(self) -> dict[Label, Fraction]:
        """The transition-average law, over all states."""
        return dict(zip(self.labels, self._elimination.stationary(), strict=True))

    @cached_property
    def P(self) -> dict[Label, Fraction]:
        """The time-average law, over completing states (no time passes in the others)."""
        return _normalised({y: self.pi[y] / rate for y, rate in self.completion_rate.items()})

    @cached_property
    def pid(self) -> dict[Label, Fraction]:
        """The completion-average law: of the state that a completion finds."""
        return _normalised({y: self.pi[y] for y in self.completion_rate})

    @cached_property
    def throughput(self) -> Fraction:
        """mu = sum over y of P_y mu_y, jobs a unit of time."""
        return sum((self.P[y] * rate for y, rate in self.completion_rate.items()), Fraction(0))

    @cached_property
    def relative_completions(self) -> dict[Label, Fraction]:
        """Delta, the solution of Poisson's equation (1) with E[Delta(Y)] = 0, over completing states.

        Carried through arriving states too, where no time passes and nothing is earned:
        ``Delta(y) = 1 - mu/mu_y + E[Delta(next)]`` if completing, ``E[Delta(next)]`` if arriving.
        """
        rates = self.completion_rate
        rewards = [1 - self.throughput / rates[y] if y in rates else Fraction(0) for y in self.labels]
        raw = dict(zip(self.labels, self._elimination.poisson(rewards), strict=True))
        mean = sum((self.P[y] * raw[y] for y in rates), Fraction(0))
        return {y: raw[y] - mean for y in rates}

    @cached_property
    def mean_relative_completions(self) -> Fraction:
        """E[Delta(Y_d)], the mean of Delta under the completion-average law."""
        return sum((w * self.relative_completions[y] for y, w in self.pid.items()), Fraction(0))


def saturated(servers: int, classes: list[JobClass] | tuple[JobClass, ...]) -> Saturated[State]:
    """The saturated system of general classes; dicts are keyed by :class:`~asymp.queues.rules.State`."""
    return Saturated(Rules(servers, tuple(classes)), lambda state: state)


def one_and_n(n: int, p: object, mu1: object, mun: object) -> Saturated[tuple[int, int]]:
    """The saturated 1-and-n system; dicts are keyed by the paper's (a, b).

    Args:
        n: servers.
        p: probability of an n-server job, exact (int, Fraction, SymPy rational, decimal string).
        mu1: service rate of a 1-server job.
        mun: service rate of an n-server job.

    With n = 1 the states are (0, 0) arriving, (0, 1) a 1-server job in service, and (1, 0) an
    n-server job in service.

    Raises:
        ValueError, TypeError: as :func:`~asymp.queues.rules.one_and_n_rules`.

    >>> system = one_and_n(2, "0.5", 1, 1)
    >>> system.P[1, 0], system.throughput, system.mean_relative_completions
    (Fraction(4, 7), Fraction(8, 7), Fraction(4, 49))
    """
    return Saturated(one_and_n_rules(n, p, mu1, mun), one_and_n_label)


Link = tuple[int, Fraction, Fraction | None]


def _explore(rules: Rules) -> tuple[list[State], list[list[Link]]]:
    """Every state that the empty system can reach, and its transitions."""
    index = {rules.empty: 0}
    states = [rules.empty]
    links: list[list[Link]] = []

    def find(state: State) -> int:
        if state not in index:
            index[state] = len(states)
            states.append(state)
        return index[state]

    for state in states:  # grows as it runs: breadth first
        if rules.accepting(state):
            out: list[Link] = [
                (find(rules.admit(state, j)), job.probability, None) for j, job in enumerate(rules.classes)
            ]
        else:
            rates = rules.completion_rates(state)
            total = sum((rate for _, rate in rates), Fraction(0))
            out = [(find(rules.complete(state, j)), rate / total, rate) for j, rate in rates]
        links.append(out)
    return states, links


def _normalised(weights: dict[Label, Fraction]) -> dict[Label, Fraction]:
    total = cast(Fraction, sum(weights.values()))
    return {key: weight / total for key, weight in weights.items()}
