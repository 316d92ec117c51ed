"""Section 9: requests for specific servers; several types of resources are in :mod:`proofs.mjsre.section9_types`.

Both recurrences are set against first come, first served played event by event, in which servers have names: (14) in law,
over all choices of specific servers, (15) path by path.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from asymp.claim import Claim, Property
from asymp.queues.recurrence import (
    NotDefined,
    Number,
    Specific,
    Vector,
    specific_positions,
    specific_step,
    specific_step_printed,
)
from asymp.sample.referee import Arrival, lowest, play
from proofs.mjsre import section9_steps as steps
from proofs.mjsre import section9_types
from proofs.mjsre.inputs import below, vectors
from proofs.mjsre.notation import beyond, claim, erratum
from proofs.mjsre.requests import RAISED, WHY, read_as_zero, shapes
from proofs.mjsre.trying import argued, tried


def claims() -> list[Claim]:
    """The statements of section 9, in order."""
    return [*_specific(), *section9_types.claims()]


# --- 9.1 -----------------------------------------------------------------------------------------


class Request(NamedTuple):
    """A job of section 9.1 before its specific servers are drawn: alpha, beta, sigma, tau."""

    servers: int
    specific: int
    service: int
    gap: int


SpecificStep = Callable[[Sequence[Number], Specific], Vector]


def _specific() -> list[Claim]:
    shapes = "s <= 4, every alpha + beta <= s and S, W in 0, 1, 3"
    return [
        *erratum(
            "section-9.1-index",
            "Section 9.1",
            (
                Property(tried(shapes, lambda: map(_start_printed, _requests()))),
                "W-hat = max(max_{j in S} W^j, W^{i*}) with i* = inf{i s.t. k(i) = alpha}, alpha + beta <= s.",
            ),
            (
                Property(tried(shapes, lambda: map(_start, _requests()))),
                "W-hat is the largest W^j over the servers j that the job takes; where alpha = 0 these are those in S alone.",
            ),
            note="A job that asks for specific servers only has alpha = 0, and no i has k(S, i) = 0 if server 1 is not in S.",
            corrected_note="Where the printed i* is defined, the two agree.",
        ),
        *erratum(
            "equation-14",
            "Equation (14)",
            (
                Property(tried(LAWS, lambda: _laws(read_as_zero))),
                "With specific servers picked uniformly at random and first come, first served, the ordered workload vector satisfies "
                "W_{n+1} = R(V(alpha_n, S_n, W_n) + sigma_n F(alpha_n, S_n) - tau_n U)^+.",
            ),
            (
                Property(tried(LAWS, lambda: _laws(specific_step))),
                f"It does, in law, if {RAISED}: V^i = W-hat v W^i where server i is not used.",
            ),
            note=f"{WHY}  In law: over all choices of the specific servers, which the recurrence picks among the places of the "
            "ordered vector and the queue among servers with names.",
        ),
        claim(
            "equation-14-monotone",
            "Section 9.1",
            argued(steps.printed, tried(shapes.replace("W", "W <= W'"), lambda: _specific_monotone(read_as_zero))),
            "(14) is an extension for which monotonicity holds: for fixed alpha, S, sigma, tau its map is nondecreasing in W.",
        ),
        beyond(
            "equation-14-corrected-monotone",
            "Section 9.1",
            argued(steps.corrected, tried(shapes.replace("W", "W <= W'"), lambda: _specific_monotone(specific_step))),
            "So is the map of (14) corrected.",
        ),
    ]


def _requests() -> Iterator[tuple[tuple[Number, ...], Specific]]:
    for size, alpha, chosen in shapes():
        for w in vectors(size, (0, 1, 3)):
            yield w, Specific(alpha, chosen, 2, 1)


def _start_printed(case: tuple[tuple[Number, ...], Specific]) -> str | None:
    w, job = case
    try:
        specific_step_printed(w, job)
    except NotDefined as error:
        return f"s = {len(w)}, alpha = {job.servers}, S = {set(job.chosen)}: {error}"
    return None


def _start(case: tuple[tuple[Number, ...], Specific]) -> str | None:
    """The corrected map starts the job at the largest of its servers' entries; (14) does where it is defined."""
    w, job = case
    start = max(w[i - 1] for i in specific_positions(job, len(w)))
    long = job._replace(service=100, gap=0)  # the used servers stand out
    ends = {x for x in specific_step(w, long) if x >= 100}
    try:
        same = {x for x in specific_step_printed(w, long) if x >= 100} == ends
    except NotDefined:
        same = not job.servers and start == max(w[i - 1] for i in job.chosen)
    return None if same and ends == {start + 100} else f"{w}, {job}"


LAWS = "2 to 4 servers, 3 or 4 jobs, waits and workload vectors jointly, two rules for which free server is taken"
OVERTAKEN = (3, (Request(1, 0, 1, 0), Request(1, 1, 1, 0), Request(1, 0, 1, 0)))
"""Three servers, three jobs at once; where the second wants the busy server, the third is not to start before it."""
SEQUENCES = (
    OVERTAKEN,
    (2, (Request(1, 0, 1, 0), Request(0, 1, 1, 0), Request(1, 0, 1, 0))),
    (2, (Request(0, 1, 2, 1), Request(0, 1, 3, 1), Request(2, 0, 1, 0), Request(0, 1, 1, 0))),
    (3, (Request(1, 1, 2, 1), Request(0, 2, 3, 0), Request(2, 0, 1, 1), Request(1, 1, 1, 0))),
    (3, (Request(0, 1, 4, 1), Request(1, 0, 2, 0), Request(0, 1, 1, 1), Request(1, 1, 2, 0))),
    (4, (Request(1, 1, 3, 1), Request(0, 1, 2, 0), Request(2, 1, 1, 1), Request(1, 0, 1, 0))),
    (4, (Request(0, 2, 2, 0), Request(1, 1, 3, 1), Request(0, 1, 1, 0), Request(3, 1, 1, 0))),
)


def _laws(map_: SpecificStep) -> Iterator[str | None]:
    for size, requests in SEQUENCES:
        found = _law_of_recurrence(size, requests, map_)
        for choose in (lowest, lambda free, count: sorted(free)[-count:]):
            played = _law_of_queue(size, requests, choose)
            said = f"{size} servers, (alpha, beta, sigma, tau) = {', '.join(str(tuple(r)) for r in requests)}: "
            yield None if found == played else said + _difference(found, played)


Law = dict[tuple[Any, ...], Fraction]
"""Waits of the jobs, and the workloads that they find, with their probability."""


def _law_of_recurrence(size: int, requests: Sequence[Request], map_: SpecificStep) -> Law:
    law: Law = defaultdict(Fraction)
    choices = [list(itertools.combinations(range(1, size + 1), r.specific)) for r in requests]
    for picked in itertools.product(*choices):
        w: Vector = [0] * size
        seen: list[Any] = []
        for request, chosen in zip(requests, picked, strict=True):
            job = Specific(request.servers, frozenset(chosen), request.service, request.gap)
            seen.append((max(w[i - 1] for i in specific_positions(job, size)), tuple(w)))
            w = map_(w, job)
        law[tuple(seen)] += Fraction(1, math.prod(map(len, choices)))
    return dict(law)


def _law_of_queue(size: int, requests: Sequence[Request], choose: Callable[[Sequence[int], int], Sequence[int]]) -> Law:
    law: Law = defaultdict(Fraction)
    choices = [list(itertools.combinations(range(size), r.specific)) for r in requests]
    times = [sum(r.gap for r in requests[:k]) for k in range(len(requests))]
    for picked in itertools.product(*choices):
        rows = zip(times, requests, picked, strict=True)
        jobs = [Arrival(time, r.servers, r.service, frozenset(names)) for time, r, names in rows]
        history = play(jobs, size, choose)
        seen = [(wait, tuple(history.workload(n, times[n])[0])) for n, wait in enumerate(history.waits)]
        law[tuple(seen)] += Fraction(1, math.prod(map(len, choices)))
    return dict(law)


def _difference(found: Law, played: Law) -> str:
    waits: list[dict[tuple[Any, ...], Fraction]] = []
    for law in (found, played):
        only: dict[tuple[Any, ...], Fraction] = defaultdict(Fraction)
        for seen, weight in law.items():
            only[tuple(wait for wait, _ in seen)] += weight
        waits.append(dict(sorted(only.items())))
    shown = ["; ".join(f"{k} with {v}" for k, v in law.items()) for law in waits]
    return f"waits {shown[0]} by the recurrence, {shown[1]} in the queue"


def _specific_monotone(map_: SpecificStep) -> Iterator[str | None]:
    for size, alpha, chosen in shapes():
        points = vectors(size, (0, 1, 3))
        for w, v in itertools.product(points, points):
            if below(w, v):
                job = Specific(alpha, chosen, 2, 1)
                yield None if below(map_(w, job), map_(v, job)) else f"{w} <= {v}, {job}"
