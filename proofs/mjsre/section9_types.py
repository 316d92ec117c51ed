"""Sections 9.2 and 9.3: several types of resources, path by path, and special cases."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from asymp.claim import Claim, Evidence, Outcome, Property
from asymp.queues.recurrence import (
    Job,
    NotDefined,
    Number,
    Specific,
    Typed,
    Vector,
    kiefer_wolfowitz,
    specific_step,
    specific_step_printed,
    step,
    typed_step,
    typed_step_printed,
    typed_waiting,
)
from asymp.sample.referee import Arrival, play
from proofs.mjsre import section9_steps as steps
from proofs.mjsre.inputs import below, vectors
from proofs.mjsre.notation import beyond, certified, claim, erratum
from proofs.mjsre.requests import RAISED, WHY, read_as_zero, shapes
from proofs.mjsre.trying import argued, tried


def claims() -> list[Claim]:
    """The statements of sections 9.2 and 9.3, in order."""
    return [*_typed(), *_special()]


# --- 9.2 -----------------------------------------------------------------------------------------

TypedStep = Callable[[Sequence[Sequence[Number]], Typed], list[Vector]]


def _typed_read_as_zero(w: Sequence[Sequence[Number]], job: Typed) -> list[Vector]:
    """(15) as printed, with W_j^0 = 0."""
    return typed_step_printed(w, job, absent=0)


def _typed() -> list[Claim]:
    paths = (
        "all sequences of 3 jobs on one server of either of two types, 150 drawn sequences of 10 jobs on 2 or 3 types"
    )
    demands = "2 types of 1 and 2 servers, W in 0, 1, 3, every demand"
    pairs = demands.replace("W in", "W <= W' in")
    return [
        *erratum(
            "section-9.2-zero",
            "Section 9.2",
            (
                Property(tried(demands, lambda: _demands(True))),
                "S_j(alpha, W)^i = W_1^{alpha^1} v ... v W_T^{alpha^T} for i <= alpha_j, with 0 <= alpha^i <= s_i.",
            ),
            (
                Property(tried(demands, lambda: _demands(False))),
                "It is so with W_j^0 := 0 (a type of which the job needs nothing does not hold it up).",
            ),
            note="alpha^i = 0 is allowed, and W_i^0 is not defined: the ordered vectors begin with W_i^1.",
        ),
        *erratum(
            "equation-15",
            "Equation (15)",
            (
                Property(tried(paths, lambda: _paths(_typed_read_as_zero, _all_demands))),
                "With several types of resources the workloads satisfy W_{n+1} = R(S(alpha_n, W_n) + sigma_n L(alpha_n) - tau_n U)^+ "
                "with S_j^i = W_j^i for i > alpha_j.",
            ),
            (
                Property(tried(paths, lambda: _paths(typed_step, _all_demands))),
                f"They do if {RAISED}: S_j^i = W_1^{{alpha^1}} v ... v W_T^{{alpha^T}} v W_j^i for i > alpha_j.",
            ),
            note=f"{WHY}  W_j^0 is read as 0.",
            corrected_note="Path by path: the wait of each job, and each server's workload.",
        ),
        beyond(
            "equation-15-all-types",
            "Equation (15)",
            Property(
                tried("120 drawn sequences of 10 jobs on 2 or 3 types", lambda: _waits(typed_step_printed, _positive))
            ),
            "If every job needs at least one server of every type, (15) as printed gives each job the wait that it has first come, "
            "first served.",
            note="The type that holds up job n has no server left below its start; so a job that needs that type cannot overtake it.",
        ),
        claim(
            "section-9.2-monotone",
            "Section 9.2",
            argued(steps.printed, tried(pairs, lambda: _typed_monotone(_typed_read_as_zero))),
            "The analogue of Lemma 4.1 holds for the SRE (15): the largest of the W_i^{alpha^i} is nondecreasing, and the reordering "
            "is applied independently to each type.",
        ),
        beyond(
            "section-9.2-corrected-monotone",
            "Section 9.2",
            argued(steps.corrected, tried(pairs, lambda: _typed_monotone(typed_step))),
            "So it does for (15) corrected.",
        ),
        claim(
            "section-9-samples",
            "Section 9",
            Property(tried("60 drawn pasts of 8 jobs each, (14) and (15), as printed and corrected", _loynes)),
            "For the two extensions monotonicity holds, hence the discussion proposed so far for the production of SPSs can be "
            "immediately extended: M_n is nondecreasing.",
            note="As printed they are not the queue, whose recurrences (corrected) have the same property.",
        ),
        beyond(
            "section-9-separable",
            "Section 9",
            Property(tried("150 drawn sequences of 10 jobs on 2 or 3 types, every job", _separable)),
            "(15) corrected is causal, homogeneous, externally monotone and separable, as Theorem 4.2 has it for (2).",
        ),
    ]


def _demands(printed: bool) -> Iterator[str | None]:
    """Each job starts at the largest of the entries that it takes."""
    for demand in itertools.product(range(2), range(3)):
        for w in itertools.product(vectors(1, (0, 1, 3)), vectors(2, (0, 1, 3))):
            if not any(demand):
                continue
            job = Typed(demand, 100, 0)  # the servers that it takes stand out
            try:
                found = typed_step_printed(w, job) if printed else _typed_read_as_zero(w, job)
            except NotDefined as error:
                yield f"alpha = {demand}: {error}"
                continue
            start = max(x for alpha, part in zip(demand, w, strict=True) for x in part[:alpha])
            taken = [sum(x == start + 100 for x in part) for part in found]
            yield None if taken == list(demand) else f"{w}, {job}: {found}"


TYPES = ((2, 3), (1, 2, 2), (3, 1), (1, 1, 1))


def _all_demands(draw: random.Random, types: Sequence[int]) -> tuple[int, ...]:
    while not any(demand := tuple(draw.randint(0, size) for size in types)):
        pass
    return demand


def _positive(draw: random.Random, types: Sequence[int]) -> tuple[int, ...]:
    return tuple(draw.randint(1, size) for size in types)


def _drawn(
    count: int, demand: Callable[[random.Random, Sequence[int]], tuple[int, ...]]
) -> Iterator[tuple[tuple[int, ...], list[Typed]]]:
    for seed in range(count):
        draw, types = random.Random(seed), TYPES[seed % len(TYPES)]
        yield (
            types,
            [
                Typed(demand(draw, types), Fraction(draw.randint(1, 8), 2), Fraction(draw.randint(0, 4), 2))
                for _ in range(10)
            ],
        )


def _typed_sequences(demand: Callable[..., tuple[int, ...]]) -> Iterator[tuple[tuple[int, ...], list[Typed]]]:
    """All sequences of three jobs on types (1, 1), the shortest services and gaps first, then drawn ones."""
    kinds = [Typed(d, sigma, tau) for sigma in (1, 2) for tau in (0, 1) for d in ((1, 0), (0, 1), (1, 1))]
    yield from (((1, 1), list(jobs)) for jobs in itertools.product(kinds, repeat=3))
    yield from _drawn(150, demand)


def _arrivals(jobs: Sequence[Typed]) -> list[Arrival]:
    found, now = [], Fraction(0)
    for job in jobs:
        found.append(Arrival(now, job.servers, job.service))
        now += job.gap
    return found


def _paths(map_: TypedStep, demand: Callable[..., tuple[int, ...]]) -> Iterator[str | None]:
    """Waits, and if these are right workloads, path by path."""
    late = None
    for types, jobs in _typed_sequences(demand):
        history = play(_arrivals(jobs), types)
        w: list[Vector] = [[0] * size for size in types]
        said = f"{types} servers, (alpha, sigma, tau) = {', '.join(str(tuple(j)) for j in jobs)}: before job "
        failure = None
        for number, job in enumerate(jobs):
            wait, true = typed_waiting(w, job.servers), history.waits[number]
            if wait != true:
                failure = f"{said}{number} {w}, wait {wait}; in the queue it waits {true}"
                break
            if w != history.workload(number, job_time := history.jobs[number].time):
                late = late or f"{said}{number} {w}; in the queue {history.workload(number, job_time)}"
            w = map_(w, job)
        yield failure
    yield late


def _waits(map_: TypedStep, demand: Callable[..., tuple[int, ...]]) -> Iterator[str | None]:
    for types, jobs in _drawn(120, demand):
        history = play(_arrivals(jobs), types)
        w: list[Vector] = [[0] * size for size in types]
        found = []
        for job in jobs:
            found.append(typed_waiting(w, job.servers))
            w = map_(w, job)
        yield None if found == history.waits else f"{types} servers, {jobs}: {found}, not {history.waits}"


def _typed_monotone(map_: TypedStep) -> Iterator[str | None]:
    points = list(itertools.product(vectors(1, (0, 1, 3)), vectors(2, (0, 1, 3))))
    for w, v in itertools.product(points, points):
        if all(map(below, w, v)):
            for demand in itertools.product(range(2), range(3)):
                job = Typed(demand, 2, 1)
                yield None if all(map(below, map_(w, job), map_(v, job))) else f"{w} <= {v}, {job}"


def _loynes() -> Iterator[str | None]:
    """M_n <= M_{n+1} along drawn pasts, for the four maps."""
    for types, past in _drawn(60, _all_demands):
        for map_ in (_typed_read_as_zero, typed_step):
            before: list[Vector] | None = None
            for n in range(9):
                w: list[Vector] = [[0] * size for size in types]
                for job in reversed(past[:n]):
                    w = map_(w, job)
                yield None if before is None or all(map(below, before, w)) else f"(15), n = {n}, {past} on {types}"
                before = w
    asked = [(alpha, chosen) for size, alpha, chosen in shapes() if size == 4]
    for seed in range(60):
        draw = random.Random(seed)
        jobs = [Specific(*draw.choice(asked), draw.randint(1, 6), draw.randint(0, 4)) for _ in range(8)]
        for map_ in (read_as_zero, specific_step):
            last: Vector = [0] * 4
            for n in range(9):
                v: Vector = [0] * 4
                for job in reversed(jobs[:n]):
                    v = map_(v, job)
                yield None if below(last, v) else f"(14), n = {n}, {jobs}"
                last = v


def _end(types: Sequence[int], jobs: Sequence[Typed], times: Sequence[Number]) -> Number:
    """X: the time of the last activity where these jobs alone arrive, at these times."""
    w: list[Vector] = [[0] * size for size in types]
    for job, (now, after) in zip(jobs, itertools.pairwise(times), strict=False):
        w = typed_step(w, job._replace(gap=after - now))
    largest = max(max(part) for part in w)
    return times[-1] + max(typed_waiting(w, jobs[-1].servers) + jobs[-1].service, largest)


def _separable() -> Iterator[str | None]:
    for types, jobs in _drawn(150, _all_demands):
        times = [job.time for job in _arrivals(jobs)]
        later = [t + (k % 3) * Fraction(1, 2) for k, t in enumerate(itertools.accumulate(times, max))]
        later = list(itertools.accumulate(later, max))
        end = _end(types, jobs, times)
        good = end == play(_arrivals(jobs), types).last_activity() >= times[-1]
        good = good and _end(types, jobs, [t + 5 for t in times]) == end + 5 and _end(types, jobs, later) >= end
        for l in range(1, len(jobs)):
            if _end(types, jobs[:l], times[:l]) <= times[l]:
                good = good and _end(types, jobs[l:], times[l:]) == end
        yield None if good else f"{types} servers, {jobs}"


# --- 9.3 -----------------------------------------------------------------------------------------


def _special() -> list[Claim]:
    lattice = "s <= 4, W in 0, 1, 2, 4, (sigma, tau) = (0, 1), (3, 2)"
    return [
        claim(
            "section-9.3-one-type",
            "Section 9.3",
            argued(steps.one_type, tried(f"{lattice}, every alpha", _one_type)),
            "The MMJSRE contains the MJSRE as a special case.",
            note="One type of resource: (15) as printed, and as corrected, is (2).",
        ),
        claim(
            "section-9.3-one-server",
            "Section 9.3",
            argued(steps.one_server, tried(f"{lattice}, alpha = 1", _one_server)),
            "The MJSRE in turn contains the G/G/s queue SRE as a special case.",
            note="alpha = 1: (2) is (1).",
        ),
        beyond(
            "section-9.3-no-specific",
            "Section 9.3",
            argued(steps.one_type, tried(f"{lattice}, every alpha", _no_specific)),
            "The SMJSRE contains the MJSRE as a special case: beta = 0.",
            note="With max over the empty set read as nothing.",
        ),
        claim(
            "section-9.3-task-graph",
            "Section 9.3",
            Property(_task_graph),
            "The MJSRE also contains the Task Graph recurrence equations, which is an instance of stochastic (max,plus) linear "
            "recurrence equation.",
            expected=Outcome.UNDECIDED,
            note="The paper defines neither the task graph model nor the embedding.  The next two claims are what can be said.",
        ),
        beyond(
            "section-9.3-max-plus",
            "Section 9.3",
            Property(tried("3 types of one server, W, W' in 0, 1, 3, every demand, both forms", _max_plus)),
            "With one server of each type the map of (15) is (max,plus) linear: that of W v W' is the maximum of those of W and W'.",
        ),
        beyond(
            "section-9.3-chain",
            "Section 9.3",
            Property(tried("1 to 4 jobs, sigma in 0, 1, 2, no gaps, W in 0, 1, 5", _chain)),
            "A chain of two tasks on two processors, (x, y) -> (x + 1, max(x + 1, y) + 1), is none of the maps that jobs of (15) make "
            "of one server of either type.",
            note="A job holds its servers for one and the same period: one that makes y depend on x makes x depend on y.",
        ),
    ]


def _one_type() -> Iterator[str | None]:
    for w, job in _points():
        wide = Typed((job.servers,), job.service, job.gap)
        good = typed_step_printed([w], wide) == typed_step([w], wide) == [step(w, job)]
        yield None if good else f"{w}, {job}"


def _no_specific() -> Iterator[str | None]:
    for w, job in _points():
        free = Specific(job.servers, frozenset(), job.service, job.gap)
        yield None if specific_step_printed(w, free) == specific_step(w, free) == step(w, job) else f"{w}, {job}"


def _one_server() -> Iterator[str | None]:
    for w, job in _points():
        if job.servers == 1:
            yield None if step(w, job) == kiefer_wolfowitz(w, job.service, job.gap) else f"{w}, {job}"


def _points() -> Iterator[tuple[tuple[Number, ...], Job]]:
    for size in range(1, 5):
        for w in vectors(size, (0, 1, 2, 4)):
            for alpha, (sigma, tau) in itertools.product(range(1, size + 1), ((0, 1), (3, 2))):
                yield w, Job(alpha, sigma, tau)


def _task_graph() -> list[Evidence]:
    return certified(Outcome.UNDECIDED, "neither the task graph model nor how it is embedded is defined in the paper")


def _max_plus() -> Iterator[str | None]:
    points = list(itertools.product((0, 1, 3), repeat=3))
    demands = [d for d in itertools.product((0, 1), repeat=3) if any(d)]
    for map_, demand in itertools.product((_typed_read_as_zero, typed_step), demands):
        job = Typed(demand, 2, 1)
        image = {w: [part[0] for part in map_([[x] for x in w], job)] for w in points}
        for w, v in itertools.product(points, points):
            both = tuple(max(x, y) for x, y in zip(w, v, strict=True))
            good = image[both] == [max(x, y) for x, y in zip(image[w], image[v], strict=True)]
            yield None if good else f"{w}, {v}, {job}"


def _chain() -> Iterator[str | None]:
    points = list(itertools.product((0, 1, 5), repeat=2))
    wanted = [(x + 1, max(x + 1, y) + 1) for x, y in points]
    kinds = [Typed(demand, sigma, 0) for demand in ((1, 0), (0, 1), (1, 1)) for sigma in (0, 1, 2)]
    images = {tuple(points)}
    for _ in range(4):
        moved = set()
        for image, job in itertools.product(images, kinds):
            after = (typed_step_printed([[x], [y]], job, absent=0) for x, y in image)
            moved.add(tuple((a[0], b[0]) for a, b in after))
        images = moved
        yield None if tuple(wanted) not in images else "some jobs make the map"
