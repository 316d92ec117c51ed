"""The model: the saturated 1-and-n system as a chain, built from its transitions and solved exactly.

A state is (a, b): a n-server jobs and b 1-server jobs in service or, where a draw is due, about to be.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy as sp

from asymp.queues.open_queue import open_one_and_n
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


def mean_relative_completions(n: int, p: Fraction, mu1: Any, mun: Any) -> Fraction:
    """E[Delta(Y_d)]."""
    return chain(n, p, mu1, mun).mean_relative_completions


# --- the open queue -------------------------------------------------------------------------------


def is_stable(rate: Any, n: int, p: Any, mu1: Any, mun: Any) -> bool:
    """Whether the open queue with arrivals of that rate is positive recurrent: the sign of its mean drift, exactly.

    >>> is_stable(Fraction(1, 2), 1, Fraction(1, 2), 1, 1), is_stable(1, 1, Fraction(1, 2), 1, 1)
    (True, False)
    """
    return open_one_and_n(n, p, mu1, mun, rate).is_stable


# --- Poisson's equation (1), as linear equations in the Delta(y) of the completing states ------------


@lru_cache(maxsize=256)
def onward(n: int, p: Any, mu1: Any, mun: Any) -> dict[tuple[int, int], dict[tuple[int, int], Fraction]]:
    """nu_{y,y'}/nu_y: where a completion leads, draws included, from each completing state.

    >>> onward(1, Fraction(1, 3), 1, 1)[1, 0] == {(1, 0): Fraction(1, 3), (0, 1): Fraction(2, 3)}
    True
    """
    system = chain(n, p, mu1, mun)
    steps: dict[tuple[int, int], dict[tuple[int, int], Fraction]] = {}
    for step in system.transitions:
        steps.setdefault(step.source, {})[step.target] = step.probability

    def land(y: tuple[int, int]) -> dict[tuple[int, int], Fraction]:
        """Draws take no time: where they end."""
        if y in system.completion_rate:
            return {y: Fraction(1)}
        return mixed(steps[y])

    def mixed(law: dict[tuple[int, int], Fraction]) -> dict[tuple[int, int], Fraction]:
        found: dict[tuple[int, int], Fraction] = {}
        for after, weight in law.items():
            for end, share in land(after).items():
                found[end] = found.get(end, Fraction(0)) + weight * share
        return found

    return {y: mixed(steps[y]) for y in system.completion_rate}


def relative_after(a: int, b: int, n: int, p: Any, mu1: Any, mun: Any) -> Fraction:
    """Sum over y' of nu_{y,y'}/nu_y Delta(y'): the mean of Delta after a completion in (a, b)."""
    delta = chain(n, p, mu1, mun).relative_completions
    return sum((share * delta[y] for y, share in onward(n, p, mu1, mun)[a, b].items()), Fraction(0))


def poisson_rank(n: int, p: Any, mu1: Any, mun: Any) -> int:
    """The rank of equation (1) in the n + 1 unknowns Delta(y).

    >>> poisson_rank(2, Fraction(1, 2), 1, 1)
    2
    """
    return int(_poisson(n, p, mu1, mun).rank())


def centred_rank(n: int, p: Any, mu1: Any, mun: Any) -> int:
    """The same with the equation E[Delta(Y)] = 0 added.

    >>> centred_rank(2, Fraction(1, 2), 1, 1)
    3
    """
    system = chain(n, p, mu1, mun)
    law = sp.Matrix([[sp.Rational(system.P[y]) for y in system.completion_rate]])
    return int(_poisson(n, p, mu1, mun).col_join(law).rank())


def _poisson(n: int, p: Any, mu1: Any, mun: Any) -> sp.Matrix:
    """The matrix of Delta(y) - sum over y' of nu_{y,y'}/nu_y Delta(y')."""
    laws = onward(n, p, mu1, mun)
    return sp.Matrix([[sp.Rational(int(y == z) - law.get(z, Fraction(0))) for z in laws] for y, law in laws.items()])
