"""The model: the saturated 1-and-n system as a chain, built from its transitions and solved exactly.

A state is (a, b): a n-server jobs and b 1-server jobs in service or, where a draw is due, about to be.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

from asymp.queues.saturated import Saturated, one_and_n


@lru_cache(maxsize=256)
def chain(n: int, p: Fraction, mu1: Any, mun: Any) -> Saturated[tuple[int, int]]:
    """The saturated system, solved exactly.

    >>> chain(1, Fraction(1, 2), 1, 1).throughput
    Fraction(1, 1)
    """
    return one_and_n(n, p, mu1, mun)


def transition(a: int, b: int, c: int, d: int, n: int, p: Fraction, mu1: Any, mun: Any) -> Fraction:
    """The probability of the transition (a, b) -> (c, d), of one state to another.

    >>> transition(0, 0, 0, 1, 2, Fraction(1, 3), 1, 1), transition(1, 0, 1, 1, 2, Fraction(1, 3), 1, 1)
    (Fraction(2, 3), Fraction(0, 1))
    """
    system = chain(n, p, mu1, mun)
    if not {(a, b), (c, d)} <= set(system.labels):
        raise ValueError(f"no states: {(a, b)}, {(c, d)}")
    found = (step.probability for step in system.transitions if (step.source, step.target) == ((a, b), (c, d)))
    return sum(found, Fraction(0))


def is_completing(a: int, b: int, n: int, p: Fraction, mu1: Any, mun: Any) -> bool:
    """Whether a job leaves next; if not, one arrives."""
    system = chain(n, p, mu1, mun)
    if (a, b) not in system.labels:
        raise ValueError(f"no state: {(a, b)}")
    return (a, b) in system.completion_rate


def completing_states(n: int, p: Fraction, mu1: Any, mun: Any) -> int:
    """How many states there are in which a completion can occur."""
    return len(chain(n, p, mu1, mun).completion_rate)


def event_law(a: int, b: int, n: int, p: Fraction, mu1: Any, mun: Any) -> Fraction:
    """pi_{a,b}: the stationary law of the chain of transitions (Lemma 5.1)."""
    return chain(n, p, mu1, mun).pi[a, b]


def time_law(a: int, b: int, n: int, p: Fraction, mu1: Any, mun: Any) -> Fraction:
    """P_{a,b}: the fraction of time in a completing state (Lemma 5.2)."""
    return chain(n, p, mu1, mun).P[a, b]


def completion_law(a: int, b: int, n: int, p: Fraction, mu1: Any, mun: Any) -> Fraction:
    """pi^d_{a,b}: the fraction of completions that happen in a completing state (Lemma 5.4)."""
    return chain(n, p, mu1, mun).pid[a, b]


def completion_rate(a: int, b: int, n: int, p: Fraction, mu1: Any, mun: Any) -> Fraction:
    """The rate of completions in a completing state."""
    return chain(n, p, mu1, mun).completion_rate[a, b]


def relative_completions(a: int, b: int, n: int, p: Fraction, mu1: Any, mun: Any) -> Fraction:
    """Delta(a, b): completions from a state less those of the mean, in the long run (equation (1))."""
    return chain(n, p, mu1, mun).relative_completions[a, b]


def throughput(n: int, p: Fraction, mu1: Any, mun: Any) -> Fraction:
    """mu, completions per unit of time."""
    return chain(n, p, mu1, mun).throughput


def mean_relative_completions(n: int, p: Fraction, mu1: Any, mun: Any) -> Fraction:
    """E[Delta(Y_d)]."""
    return chain(n, p, mu1, mun).mean_relative_completions
