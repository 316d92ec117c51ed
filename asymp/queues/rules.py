"""The multiserver-job system in its rules: first come first served, head-of-line blocking.

A job of class j needs ``need_j`` of the n servers at once, for an Exp(``rate_j``) time, and is of
that class with probability ``p_j``, independently of all else.  Jobs enter service in the order
of arrival until one does not fit; that one *blocks* and all behind it wait.  Every chain of this
folder, saturated or open, is generated from the three functions here and from nothing else
(Grosof and Ayhan 2025, sections 3.1 and 3.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from asymp.elimination import rational


@dataclass(frozen=True)
class JobClass:
    """A class of jobs: servers needed, service rate (jobs a unit of time), probability."""

    need: int
    rate: Fraction
    probability: Fraction


class State(NamedTuple):
    """The jobs that have met the head of the line: in service by class, and the blocked one's class."""

    in_service: tuple[int, ...]
    blocked: int | None


@dataclass(frozen=True)
class Rules:
    """The rules for given servers and classes.

    Raises:
        ValueError: if a need is outside 1..servers, a rate or a probability is not positive, or the
            probabilities do not sum to 1.
    """

    servers: int
    classes: tuple[JobClass, ...]

    def __post_init__(self) -> None:
        if self.servers < 1:
            raise ValueError(f"servers must be an integer >= 1, not {self.servers}")
        for job in self.classes:
            if not 1 <= job.need <= self.servers:
                raise ValueError(f"a class needs {job.need} servers: outside 1..{self.servers}")
            if job.rate <= 0 or job.probability <= 0:
                raise ValueError("service rates and class probabilities must be positive")
        if sum(job.probability for job in self.classes) != 1:
            raise ValueError("the class probabilities must sum to 1")

    @property
    def empty(self) -> State:
        """No job at all."""
        return State((0,) * len(self.classes), None)

    def free(self, state: State) -> int:
        """Unoccupied servers."""
        used = sum(c * job.need for c, job in zip(state.in_service, self.classes, strict=True))
        return self.servers - used

    def jobs(self, state: State) -> int:
        """Jobs that the state accounts for: in service, and the blocked one."""
        return sum(state.in_service) + (state.blocked is not None)

    def accepting(self, state: State) -> bool:
        """Whether the next job may come forward: a server is unoccupied and nothing blocks."""
        return state.blocked is None and self.free(state) > 0

    def admit(self, state: State, job: int) -> State:
        """A job comes forward: it enters service if it fits, else it blocks."""
        if self.classes[job].need <= self.free(state):
            return State(_add(state.in_service, job, 1), None)
        return State(state.in_service, job)

    def complete(self, state: State, job: int) -> State:
        """A job leaves; the blocked one, if any, tries again."""
        after = State(_add(state.in_service, job, -1), None)
        return after if state.blocked is None else self.admit(after, state.blocked)

    def completion_rates(self, state: State) -> list[tuple[int, Fraction]]:
        """(class, rate) for each class in service."""
        return [(j, c * self.classes[j].rate) for j, c in enumerate(state.in_service) if c]


def one_and_n_rules(n: int, p: object, mu1: object, mun: object) -> Rules:
    """The 1-and-n system: class 0 needs one server, class 1 needs all n and has probability p.

    With n = 1 both classes need the one server and differ in their service rates.

    Raises:
        ValueError: if n < 1, p is outside (0, 1), or a rate is not positive.
        TypeError: if a number is not an exact rational.

    >>> one_and_n_rules(3, "0.25", 1, 2).classes[1]
    JobClass(need=3, rate=Fraction(2, 1), probability=Fraction(1, 4))
    """
    share, rate1, raten = rational(p, "p"), rational(mu1, "mu1"), rational(mun, "mun")
    if isinstance(n, bool) or int(n) != n or n < 1:
        raise ValueError(f"n must be an integer >= 1, not {n}")
    if not 0 < share < 1:
        raise ValueError(f"p must lie strictly between 0 and 1, not {p}")
    return Rules(int(n), (JobClass(1, rate1, 1 - share), JobClass(int(n), raten, share)))


def one_and_n_label(state: State) -> tuple[int, int]:
    """The paper's name (a, b) of a state: a n-server jobs present and b 1-server jobs present.

    (1, 0) is the n-server job in service; (1, b) with b >= 1 is a blocked one.
    """
    return state.in_service[1] + (state.blocked == 1), state.in_service[0]


def _add(counts: Sequence[int], job: int, change: int) -> tuple[int, ...]:
    return tuple(c + change if j == job else c for j, c in enumerate(counts))
