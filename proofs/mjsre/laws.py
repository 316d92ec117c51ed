"""Exact laws: independent jobs whose workload or pile takes finitely many values, and the walk of section 3.2."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache

import sympy as sp

from asymp.claim import Step
from asymp.elimination import Elimination
from asymp.papers.mjsre import stationary
from asymp.papers.mjsre.coupling import pattern
from asymp.papers.mjsre.exact import Lattice
from asymp.papers.mjsre.recurrence import Job, Number, loynes, workloads
from asymp.papers.mjsre.stationary import INPUTS, KERNEL, KINDS, State
from asymp.queues.open_queue import OpenQueue
from asymp.queues.rules import JobClass, Rules
from asymp.queues.saturated import saturated

ONE = Fraction(1)

# --- saturated and open systems with exponential services ------------------------------------------------


def saturated_rate(s: int, a: int, b: int, p: Fraction, mu: Number, nu: Number) -> Fraction:
    """1/gamma: completions per unit of time of the saturated system; jobs need a servers (rate mu), with probability p b (nu)."""
    return saturated(s, _two(a, b, p, mu, nu)).throughput


def critical_rate(s: int, a: int, b: int, p: Fraction, mu: Number, nu: Number) -> Fraction:
    """The rate of Poisson arrivals at which the open queue, a quasi-birth-and-death process, has drift 0."""
    return OpenQueue(Rules(s, tuple(_two(a, b, p, mu, nu))), ONE).capacity


def _two(a: int, b: int, p: Fraction, mu: Number, nu: Number) -> list[JobClass]:
    return [JobClass(a, Fraction(mu), 1 - Fraction(p)), JobClass(b, Fraction(nu), Fraction(p))]



# --- piles of independent jobs -------------------------------------------------------------------------

_HALF, _THIRD, _QUARTER = Fraction(1, 2), Fraction(1, 3), Fraction(1, 4)
LATTICES = (
    (2, [(_HALF, 1, [(1, _HALF), (3, _HALF)]), (_HALF, 2, [(1, ONE)])]),
    (3, [(_THIRD, 1, [(1, _QUARTER), (2, 3 * _QUARTER)]), (2 * _THIRD, 2, [(1, _HALF), (4, _HALF)])]),
    (4, [(_HALF, 1, [(2, ONE)]), (_QUARTER, 2, [(1, _HALF), (3, _HALF)]), (_QUARTER, 4, [(1, ONE)])]),
)
"""Servers, and (probability, need, law of the service time) of each class: inputs 1, 2, 3."""


@cache
def _lattice(k: int) -> tuple[Fraction, int, list[Fraction]]:
    chain = Lattice(*LATTICES[k - 1])
    return chain.growth, max(chain.heights), list(chain.mean_heights(60))


def pile_growth(k: int) -> Fraction:
    """gamma of input k: the pile seen from its lowest server is a finite chain."""
    return _lattice(k)[0]


def tallest(k: int) -> int:
    """The height of the tallest pile over its lowest server, in the long run."""
    return _lattice(k)[1]


def mean_top(n: int, k: int) -> Fraction:
    """E|H_n|, n <= 60."""
    return _lattice(k)[2][n]


@cache
def small_and_global(s: int, p: Fraction, small: int, big: int) -> Fraction:
    """gamma of the pile: with probability p a job needs all servers for the time ``big``, else one for the time ``small``."""
    return Lattice(s, [(1 - p, 1, [(small, ONE)]), (p, s, [(big, ONE)])]).growth



# --- the walk of section 3.2 ------------------------------------------------------------------------------


def maximum_law(n: int, p: Fraction) -> Mapping[int, Fraction]:
    """The law of M_n, the maximum of 0, S_1, ..., S_n backwards in time, where sigma - tau is 1 with probability p, else -1.

    >>> maximum_law(1, Fraction(1, 3))
    {0: Fraction(2, 3), 1: Fraction(1, 3)}
    """
    law = {(0, 0): ONE}  # (maximum, maximum - position)
    for _ in range(n):
        after: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
        for (top, below), w in law.items():
            after[(top, below - 1) if below else (top + 1, 0)] += w * p
            after[top, below + 1] += w * (1 - p)
        law = after
    found: dict[int, Fraction] = defaultdict(Fraction)
    for (top, _), w in law.items():
        found[top] += w
    return dict(sorted(found.items()))


def lindley_law(n: int, p: Fraction) -> Mapping[int, Fraction]:
    """The law of W_n in Lindley's equation, W_0 = 0."""
    law = {0: ONE}
    for _ in range(n):
        after: dict[int, Fraction] = defaultdict(Fraction)
        for k, w in law.items():
            after[k + 1] += w * p
            after[max(k - 1, 0)] += w * (1 - p)
        law = after
    return dict(sorted(law.items()))


def geometric() -> list[Step]:
    """The limits for p < 1/2 are geometric of ratio p/q both: hitting probabilities of a walk, balance of a chain.

    Raises:
        ValueError: they are not.
    """
    p, k = sp.Symbol("p", positive=True), sp.Symbol("k", integer=True, positive=True)
    q, ratio = 1 - p, p / (1 - p)
    hit = sp.simplify(p + q * ratio**2 - ratio)  # h = P(the walk ever reaches 1) solves h = p + q h^2
    law = ratio**k
    inside = sp.simplify(sp.powsimp(sp.expand(law - p * law / ratio - q * law * ratio)))
    border = sp.simplify(1 - q - q * ratio)  # at 0: stays with probability q, comes from 1 with q
    if any(residual != 0 for residual in (hit, inside, border)):
        raise ValueError(f"residuals {hit}, {inside}, {border}")
    return [
        Step("the walk ever reaches 1 with probability h = p + q h^2, h < 1; it reaches k with h^k", r"h = p/q"),
        Step("balance inside and at 0", r"\pi_k = p\,\pi_{k-1} + q\,\pi_{k+1},\ \pi_0 = q(\pi_0 + \pi_1)"),
    ]


# --- laws of W_n, M_n and M_oo ------------------------------------------------------------------------------


@cache
def law_forward(n: int) -> Mapping[State, Fraction]:
    """The law of W_n, W_0 = 0, for jobs that are a stationary chain of three kinds, not reversible; over all paths."""
    return _over_paths(n, KERNEL, lambda jobs: workloads(jobs, 2)[-1])


@cache
def law_backward(n: int) -> Mapping[State, Fraction]:
    """The law of M_n for the same jobs: over all paths of the reversed chain, from job -1 back."""
    rest = _at_rest()
    reverse = [[rest[j] * KERNEL[j][i] / rest[i] for j in range(3)] for i in range(3)]
    return _over_paths(n, reverse, lambda jobs: loynes(jobs, 2)[-1])


def _at_rest() -> list[Fraction]:
    return list(Elimination([dict(enumerate(row)) for row in KERNEL]).stationary())


def _over_paths(
    n: int, kernel: Sequence[Sequence[Fraction]], last: Callable[[list[Job]], Sequence[Number]]
) -> dict[State, Fraction]:
    rest, law = _at_rest(), defaultdict[State, Fraction](Fraction)
    for path in itertools.product(range(3), repeat=n):
        weight = rest[path[0]] if path else ONE
        for i, j in itertools.pairwise(path):
            weight *= kernel[i][j]
        law[tuple(last([KINDS[k] for k in path]))] += weight
    return dict(sorted(law.items()))


def _value(j: int, k: int) -> State | None:
    """The j-th workload that input k leads to from 0; None where there are fewer."""
    states = stationary.reached(INPUTS[k - 1])
    return states[j - 1] if j <= len(states) else None


def tail(n: int, j: int, k: int) -> Fraction:
    """P(W_n >= w), W_0 = 0, for input k of independent jobs; w is the j-th workload they lead to (0 where there are fewer)."""
    return _above(_forward(n, k), j, k)


def tail_limit(j: int, k: int) -> Fraction:
    """P(W >= w) for the stationary law of the chain of workloads, solved exactly."""
    return _above(_stationary(k), j, k)


def _above(law: Mapping[State, Fraction], j: int, k: int) -> Fraction:
    w = _value(j, k)
    return Fraction(0) if w is None else stationary.above(law, w)


@cache
def _forward(n: int, k: int) -> Mapping[State, Fraction]:
    return stationary.forward(INPUTS[k - 1], n)[n]


@cache
def _stationary(k: int) -> Mapping[State, Fraction]:
    return stationary.stationary(INPUTS[k - 1])


@cache
def _backward(n: int, k: int) -> tuple[Mapping[State, Fraction], Fraction]:
    return stationary.backward(INPUTS[k - 1], n)


def limit_law(j: int, k: int) -> Fraction:
    """P(W = w) for the stationary law."""
    return _stationary(k).get(_value(j, k) or (), Fraction(0))


def decided(n: int, j: int, k: int) -> Fraction:
    """P(M_oo = w, and jobs -n, ..., -1 alone tell so, whatever job -n finds)."""
    return _backward(n, k)[0].get(_value(j, k) or (), Fraction(0))


def open_after(n: int, k: int) -> Fraction:
    """P(jobs -n, ..., -1 do not tell M_oo) = P(N > n)."""
    return _backward(n, k)[1]


@cache
def _pattern(k: int) -> tuple[list[int], Fraction]:
    found = pattern(INPUTS[k - 1])
    if found is None:
        raise ArithmeticError("no sequence of jobs leaves one workload")
    return found


def pattern_length(k: int) -> int:
    """How many jobs in a row leave one workload, whatever they find: the shortest such sequence for input k."""
    return len(_pattern(k)[0])


def pattern_probability(k: int) -> Fraction:
    """Its probability."""
    return _pattern(k)[1]


def wrong(l: int, k: int) -> Fraction:
    """P(Algorithm 1, corrected, ends from l within 6 passes, and not with M_oo), for input k."""
    return stationary.returned(INPUTS[k - 1], l).wrong
