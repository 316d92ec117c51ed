"""Laws of W_n, M_n and M_oo, exactly, for inputs whose workload takes finitely many values.

Three routes that share nothing but the map (3): W_n by going forward through the law of the state; M_oo by
composing the maps of jobs -1, -2, ... until the composition is constant on all states; the stationary law
by eliminating states of the chain.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from asymp.elimination import Elimination, recurrent_class
from asymp.papers.mjsre.inputs import below
from asymp.papers.mjsre.recurrence import Job, step

State = tuple[int, ...]
HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)


class Input(NamedTuple):
    """Independent jobs: (probability, job) of each kind."""

    servers: int
    jobs: tuple[tuple[Fraction, Job], ...]


INPUTS = (
    Input(2, ((HALF, Job(1, 3, 2)), (QUARTER, Job(1, 6, 3)), (QUARTER, Job(2, 1, 6)))),
    Input(2, ((HALF, Job(1, 2, 1)), (QUARTER, Job(1, 6, 3)), (QUARTER, Job(2, 2, 6)))),
    Input(3, ((QUARTER, Job(1, 6, 3)), (HALF, Job(1, 3, 1)), (QUARTER, Job(2, 2, 3)))),
)
"""Two or three servers; the workloads from an empty start take 8, 12 and 13 values."""


def reached(source: Input, most: int = 60) -> list[State]:
    """The workloads that an empty start leads to.

    Raises:
        ValueError: more than ``most`` of them.
    """
    found: list[State] = [(0,) * source.servers]
    for state in found:
        for _, job in source.jobs:
            after = tuple(step(state, job))
            if after not in found:
                found.append(after)
        if len(found) > most:
            raise ValueError(f"more than {most} workloads")
    return found


def forward(source: Input, length: int) -> list[dict[State, Fraction]]:
    """The laws of W_0 = 0, W_1, ..., W_length."""
    laws = [{(0,) * source.servers: Fraction(1)}]
    for _ in range(length):
        after: dict[State, Fraction] = defaultdict(Fraction)
        for (state, weight), (q, job) in itertools.product(laws[-1].items(), source.jobs):
            after[tuple(step(state, job))] += weight * q
        laws.append(dict(after))
    return laws


def backward(source: Input, length: int) -> tuple[dict[State, Fraction], Fraction]:
    """(the law of M_oo where jobs -length, ..., -1 alone decide it, the probability that they do not).

    They decide it when the composition of their maps takes one value whatever the workload that job -length finds.
    """
    states = reached(source)
    place = {state: k for k, state in enumerate(states)}
    maps = [(q, tuple(place[tuple(step(state, job))] for state in states)) for q, job in source.jobs]
    law: dict[State, Fraction] = defaultdict(Fraction)
    open_maps = {tuple(range(len(states))): Fraction(1)}
    for _ in range(length):
        after: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
        for (outer, weight), (q, inner) in itertools.product(open_maps.items(), maps):
            after[tuple(outer[k] for k in inner)] += weight * q
        open_maps = {}
        for composed, weight in after.items():
            if len(set(composed)) == 1:
                law[states[composed[0]]] += weight
            else:
                open_maps[composed] = weight
    return dict(law), sum(open_maps.values(), Fraction(0))


def stationary(source: Input) -> dict[State, Fraction]:
    """The stationary law of the chain, solved exactly."""
    states = reached(source)
    place = {state: k for k, state in enumerate(states)}
    rows: list[dict[int, Fraction]] = []
    for state in states:
        row: dict[int, Fraction] = defaultdict(Fraction)
        for q, job in source.jobs:
            row[place[tuple(step(state, job))]] += q
        rows.append(dict(row))
    keep = sorted(recurrent_class(rows))
    new = {old: k for k, old in enumerate(keep)}
    law = Elimination([{new[j]: q for j, q in rows[i].items()} for i in keep]).stationary()
    return {states[i]: weight for i, weight in zip(keep, law, strict=True)}


def above(law: Mapping[State, Fraction], x: State) -> Fraction:
    """P(W >= x), coordinatewise."""
    return sum((weight for state, weight in law.items() if below(x, state)), Fraction(0))


class Returned(NamedTuple):
    """What Algorithm 1, corrected, returns from a first l: its law, and how often that is not M_oo."""

    law: dict[State, Fraction]
    wrong: Fraction
    """P(it ends, and not with M_oo)."""
    running: Fraction
    """P(it has not ended after the passes that were followed)."""
    at_most: dict[State, Fraction]
    """The law where M_oo, which is at least what it would return, stands for a run that has not ended."""


def returned(source: Input, ell: int, passes: int = 6) -> Returned:
    """The law of the sample that Algorithm 1 returns, exactly, following so many passes.

    Jobs -1, -2, ... act by the composition of their maps; the workload that job -n finds is independent of it and
    stationary, which gives the probability that M_l = M_2l is not M_oo.
    """
    states, rest = reached(source), stationary(source)
    place = {state: k for k, state in enumerate(states)}
    maps = [(q, tuple(place[tuple(step(state, job))] for state in states)) for q, job in source.jobs]
    law: dict[State, Fraction] = defaultdict(Fraction)
    wrong, length = Fraction(0), 0
    running: dict[tuple[tuple[int, ...], int], Fraction] = {(tuple(range(len(states))), -1): Fraction(1)}
    for number in range(passes):
        for _ in range(ell * 2**number - length):
            after: dict[tuple[tuple[int, ...], int], Fraction] = defaultdict(Fraction)
            for ((outer, last), weight), (q, inner) in itertools.product(running.items(), maps):
                after[tuple(outer[k] for k in inner), last] += weight * q
            running = after
        length = ell * 2**number
        going: dict[tuple[tuple[int, ...], int], Fraction] = defaultdict(Fraction)
        for (composed, last), weight in running.items():
            m = composed[0]
            if m != last:
                going[composed, m] += weight
                continue
            law[states[m]] += weight
            wrong += weight * sum(p for state, p in rest.items() if composed[place[state]] != m)
        running = going
    at_most = defaultdict(Fraction, law)
    for ((composed, _), weight), (state, p) in itertools.product(running.items(), rest.items()):
        at_most[states[composed[place[state]]]] += weight * p
    return Returned(dict(law), wrong, sum(running.values(), Fraction(0)), dict(at_most))


# A stationary input that is not independent: jobs by a Markov chain that is not reversible.
KINDS = (Job(1, 3, 1), Job(2, 1, 0), Job(1, 1, 2))
KERNEL = (
    (Fraction(1, 6), Fraction(2, 3), Fraction(1, 6)),
    (Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)),
    (Fraction(3, 5), Fraction(1, 5), Fraction(1, 5)),
)


def path_weight(path: Sequence[int], first: Sequence[Fraction], kernel: Sequence[Sequence[Fraction]]) -> Fraction:
    weight = first[path[0]] if path else Fraction(1)
    for i, j in itertools.pairwise(path):
        weight *= kernel[i][j]
    return weight
