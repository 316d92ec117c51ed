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

from asymp.claim import Evidence, Outcome
from asymp.queues.elimination import Elimination, recurrent_class
from asymp.queues.recurrence import Job, loynes, step, workloads
from proofs.mjsre.inputs import below
from proofs.mjsre.notation import Test, certified, trend

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
    return Returned(dict(law), wrong, sum(running.values(), Fraction(0)))


# --- the tests -------------------------------------------------------------------------------------


def converges(
    inputs: Sequence[Input] = INPUTS, length: int = 40, small: Fraction = Fraction(1, 1000)
) -> list[Evidence]:
    """P(W_n >= x) never decreases and ends within ``small`` below P(M_oo >= x), for every x."""
    gaps = []
    for source in inputs:
        states, laws = reached(source), forward(source, length)
        limit, unknown = backward(source, 3 * length)
        for x in states:
            tails = [above(law, x) for law in laws]
            least, most = above(limit, x), above(limit, x) + unknown
            if any(a > b for a, b in itertools.pairwise(tails)):
                return certified(Outcome.REFUTED, f"P(W_n >= {x}) decreases somewhere: {source}")
            if tails[-1] > most:
                return certified(Outcome.REFUTED, f"P(W_n >= {x}) exceeds P(M_oo >= {x}): {source}")
            gaps.append(most - tails[-1])
            if most - least > small or gaps[-1] > small:
                return certified(Outcome.UNDECIDED, f"P(W_n >= {x}) is not near P(M_oo >= {x}) at n = {length}: {source}")
    many = ", ".join(str(len(reached(source))) for source in inputs)
    detail = f"inputs with {many} workloads: P(W_n >= x) increases, to within {float(max(gaps)):.1e} at n = {length}, every x"
    return trend(detail)


def perfect(inputs: Sequence[Input] = INPUTS, length: int = 120) -> list[Evidence]:
    """The law of M_oo agrees with the stationary law of the chain, as far as jobs -length .. -1 decide it."""
    gaps = []
    for source in inputs:
        law, unknown = backward(source, length)
        known = stationary(source)
        gaps.append(unknown)
        if unknown > Fraction(1, 10**4):
            return certified(Outcome.UNDECIDED, f"{length} jobs leave M_oo open with probability {float(unknown):.1e}")
        for state in reached(source):
            gap = known.get(state, Fraction(0)) - law.get(state, Fraction(0))
            if not 0 <= gap <= unknown:
                return certified(
                    Outcome.REFUTED, f"P(M_oo = {state}) differs by {float(gap):.1e} from the stationary: {source}"
                )
    detail = (
        f"{len(inputs)} finite chains: every P(M_oo = x) is the stationary one, to the {float(max(gaps)):.1e} left open"
    )
    return certified(Outcome.HOLDS, detail)


# A stationary input that is not independent: jobs by a Markov chain that is not reversible.
KINDS = (Job(1, 3, 1), Job(2, 1, 0), Job(1, 1, 2))
KERNEL = (
    (Fraction(1, 6), Fraction(2, 3), Fraction(1, 6)),
    (Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)),
    (Fraction(3, 5), Fraction(1, 5), Fraction(1, 5)),
)


def same_law(begin: Sequence[Fraction] | None = None, length: int = 6) -> Test:
    """A test that M_n and W_n have one law, W going forward from ``begin`` (the chain's stationary law)."""

    def test() -> list[Evidence]:
        size, kinds = 2, range(len(KINDS))
        rest = Elimination([dict(enumerate(row)) for row in KERNEL]).stationary()
        first = list(begin) if begin is not None else rest
        reverse = [[rest[j] * KERNEL[j][i] / rest[i] for j in kinds] for i in kinds]
        for n in range(length + 1):
            w_law: dict[State, Fraction] = defaultdict(Fraction)
            m_law: dict[State, Fraction] = defaultdict(Fraction)
            for path in itertools.product(kinds, repeat=n):
                jobs = [KINDS[k] for k in path]
                w_law[tuple(workloads(jobs, size)[-1])] += path_weight(path, first, KERNEL)
                m_law[tuple(loynes(jobs, size)[-1])] += path_weight(path, rest, reverse)  # xi_{-1}, xi_{-2}, ...
            if w_law != m_law:
                return certified(Outcome.REFUTED, f"n = {n}: W_n has the law {dict(w_law)}, M_n {dict(m_law)}")
        detail = f"n <= {length}: equal laws, over all paths of a stationary chain of three kinds of jobs, forward and reversed"
        return certified(Outcome.HOLDS, detail)

    return test


def path_weight(path: Sequence[int], first: Sequence[Fraction], kernel: Sequence[Sequence[Fraction]]) -> Fraction:
    weight = first[path[0]] if path else Fraction(1)
    for i, j in itertools.pairwise(path):
        weight *= kernel[i][j]
    return weight


PAIR = (Job(1, 1, 0), Job(1, 2, 2))
"""Two servers, load 3/4: two jobs at once, of size 1 and 2, every 2 units of time."""


def several(pattern: Sequence[Job] = PAIR, servers: int = 2, other: State = (0, 1)) -> list[Evidence]:
    """A periodic input with two periodic workloads, of which M_oo, reached from 0, is the smaller."""
    load = sum(j.servers * j.service for j in pattern) / Fraction(servers * sum(j.gap for j in pattern))
    least = workloads(list(pattern) * 20, servers)[-len(pattern) - 1 :]
    rival = workloads(pattern, servers, other)
    fixed = least[0] == least[-1] and rival[0] == rival[-1]
    if not (load < 1 and fixed and rival[0] != least[0] and all(map(below, least, rival))):
        return certified(Outcome.REFUTED, f"load {load}: workloads {least} and {rival} over a period")
    detail = f"load {load}: over a period the workload goes through {least[:-1]}, or for ever through {rival[:-1]}"
    return certified(Outcome.HOLDS, detail)
