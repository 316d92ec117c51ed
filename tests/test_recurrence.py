"""The multiserver-job recurrence against the queue played event by event, its properties, and its claims.

Everything is exact: Fractions, and finite laws enumerated.  Every check is also run on broken input, to
see it fail.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from asymp.check.judge import check
from asymp.claim import Outcome, Property, Strength
from asymp.queues.pseudocode import Undefined, algorithm_1, algorithm_1_printed, algorithm_2, algorithm_2_printed
from asymp.queues.recurrence import (
    Job,
    NotDefined,
    Specific,
    Typed,
    arrive,
    last_activity,
    loynes,
    pile,
    specific_step,
    specific_step_printed,
    step,
    synchronize,
    typed_step,
    typed_step_printed,
    typed_waiting,
    waiting,
    workloads,
)
from asymp.sample.referee import Arrival, play
from proofs.mjsre import (
    algorithms,
    coupling,
    inputs,
    paths,
    section4,
    section4_loynes,
    section4_steps,
    stationary,
)
from proofs.mjsre.piecewise import implies, proved
from proofs.mjsre.trying import argued, found, tried

F = Fraction
times = st.integers(0, 24).map(lambda k: F(k, 4))
sizes = st.integers(1, 5)


def job_lists(most=9):
    """(servers, jobs)."""
    return sizes.flatmap(
        lambda s: st.tuples(
            st.just(s), st.lists(st.builds(Job, st.integers(1, s), times, times), min_size=1, max_size=most)
        )
    )


def ordered(size):
    return st.lists(times, min_size=size, max_size=size).map(sorted)


def pairs(size):
    """W <= W' coordinatewise, both in order."""
    return st.tuples(ordered(size), ordered(size)).map(lambda p: (list(map(min, *p)), list(map(max, *p))))


def below(small, large):
    return all(a <= b for a, b in zip(small, large, strict=True))


def arrivals(jobs, first=0):
    starts = itertools.accumulate((job.gap for job in jobs[:-1]), initial=F(first))
    return [Arrival(t, job.servers, job.service) for t, job in zip(starts, jobs, strict=True)]


# --- the referee by hand ------------------------------------------------------------------------------


def test_the_referee_plays_a_case_worked_by_hand():
    """s = 3.  Job 0 (2 servers, 0 to 4); job 1 (2 servers) arrives at 1, waits until 4; job 2 (1 server) arrives at 2
    and waits behind it though a server is idle; both start at 4; job 3 (3 servers) arrives at 5, starts at 9."""
    jobs = [Arrival(0, 2, 4), Arrival(1, 2, 3), Arrival(2, 1, 5), Arrival(5, 3, 1)]
    history = play(jobs, 3)
    assert history.starts == [0, 4, 4, 9]
    assert history.waits == [0, 3, 2, 4]
    assert history.completions == [4, 7, 9, 10]
    assert history.order == [0, 1, 2, 3]
    assert history.allocations == [{0, 1}, {0, 1}, {2}, {0, 1, 2}]
    assert history.workload(3, 5) == [[2, 2, 4]]
    assert history.workload(2, 2) == [[2, 5, 5]]  # the idle server is not available before job 1 starts
    assert history.workload(2, 2, kept=False) == [[0, 5, 5]]
    assert history.idle(0, 10) == 30 - (8 + 6 + 5 + 3)
    assert history.blocked(0, 10) == 3 * 1 + 2 * 2  # one server on [1, 4], two on [7, 9]
    assert history.idle(0, 1) == 1 and history.blocked(0, 1) == 0
    assert history.busy(0, 0, 10) == [(0, 7), (9, 10)]
    assert history.busy(2, 0, 10) == [(4, 10)]
    assert [history.number_in_system(t) for t in (0, 1, 4, 7, 10)] == [1, 2, 2, 2, 0]
    assert history.last_activity() == 10


def test_the_referee_serves_named_servers_and_types():
    jobs = [Arrival(0, 0, 5, frozenset({2})), Arrival(1, 1, 1, frozenset({2})), Arrival(1, 1, 1)]
    history = play(jobs, 3)
    assert history.starts == [0, 5, 5] and history.allocations[1] == {0, 2}
    typed = play([Arrival(0, (1, 2), 2), Arrival(0, (1, 1), 1), Arrival(1, (1, 0), 1)], (3, 2))
    assert typed.starts == [0, 2, 2]
    assert typed.blocked(0, 2) == 2 * 2  # two servers of the first type
    assert typed.workload(2, 1) == [[1, 1, 2], [1, 2]]
    assert typed.workload(2, 1, kept=False) == [[0, 0, 2], [1, 2]]


@pytest.mark.parametrize(
    ("jobs", "servers", "words"),
    [
        ([Arrival(1, 1, 1), Arrival(0, 1, 1)], 2, "arrives before"),
        ([Arrival(0, 3, 1)], 2, "3 servers asked of 2"),
        ([Arrival(0, 0, 1)], 2, "no server"),
        ([Arrival(0, -1, 1)], 2, "asked of"),
        ([Arrival(0, 1, -1)], 2, "negative"),
        ([Arrival(0, 2, 1, frozenset({0}))], 2, "3 servers asked of 2"),
        ([Arrival(0, 1, 1, frozenset({2}))], 2, "no such server"),
        ([Arrival(0, (1, 1), 1)], 2, "types"),
    ],
)
def test_the_referee_refuses_what_cannot_be_served(jobs, servers, words):
    with pytest.raises(ValueError, match=words):
        play(jobs, servers)


@given(job_lists(), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_waits_do_not_depend_on_which_free_servers_are_taken(case, draw):
    servers, jobs = case
    any_choice = play(arrivals(jobs), servers, lambda free, count: draw.sample(list(free), count))
    lowest = play(arrivals(jobs), servers)
    assert any_choice.starts == lowest.starts == sorted(lowest.starts)
    end = lowest.last_activity()
    assert any_choice.idle(0, end) == lowest.idle(0, end) and any_choice.blocked(0, end) == lowest.blocked(0, end)
    for n, job in enumerate(any_choice.jobs):
        assert any_choice.workload(n, job.time) == lowest.workload(n, job.time)


# --- the recurrence is the queue --------------------------------------------------------------------


@given(job_lists(12))
@settings(max_examples=80)
def test_the_recurrence_is_the_queue_job_by_job(case):
    servers, jobs = case
    history, vectors = play(arrivals(jobs), servers), workloads(jobs, servers)
    assert history.waits == [waiting(job.servers, w) for job, w in zip(jobs, vectors, strict=False)]
    for n, job in enumerate(history.jobs):
        assert history.workload(n, job.time) == [vectors[n]]
    assert last_activity([job.time for job in history.jobs], jobs, servers) == history.last_activity()


@given(job_lists(12))
@settings(max_examples=60)
def test_idle_time_by_blocking_is_the_sum_of_what_each_job_waits_for(case):
    """sum over jobs and i <= alpha of W^alpha - W^i: what the queue idles while a job waits."""
    servers, jobs = case
    history, vectors = play(arrivals(jobs), servers), workloads(jobs, servers)
    lost = sum(w[job.servers - 1] - x for job, w in zip(jobs, vectors, strict=False) for x in w[: job.servers])
    assert history.blocked(0, history.last_activity()) == lost


@given(job_lists(8))
@settings(max_examples=60)
def test_the_pile_is_the_recurrence_without_gaps_and_the_queue_with_all_jobs_there(case):
    servers, jobs = case
    heap = [job._replace(gap=0) for job in jobs]
    assert pile(jobs, servers) == workloads(heap, servers)
    assert play(arrivals(heap), servers).last_activity() == pile(jobs, servers)[-1][-1]


def typed_jobs(types, least=0):
    demand = st.tuples(*(st.integers(least, size) for size in types)).filter(any)
    return st.lists(st.builds(Typed, demand, times, times), min_size=1, max_size=8)


type_lists = st.sampled_from([(1, 1), (2, 3), (1, 2, 2)])


def typed_walk(types, jobs, map_):
    w = [[0] * size for size in types]
    out = []
    for job in jobs:
        out.append(w)
        w = map_(w, job)
    return out


@given(type_lists.flatmap(lambda types: st.tuples(st.just(types), typed_jobs(types))))
@settings(max_examples=60)
def test_the_corrected_recurrence_of_types_is_the_queue(case):
    types, jobs = case
    history, vectors = play(arrivals(jobs), types), typed_walk(types, jobs, typed_step)
    assert history.waits == [typed_waiting(w, job.servers) for w, job in zip(vectors, jobs, strict=True)]
    for n, job in enumerate(history.jobs):
        assert history.workload(n, job.time) == vectors[n]


@given(type_lists.flatmap(lambda types: st.tuples(st.just(types), typed_jobs(types, 1))))
@settings(max_examples=60)
def test_the_printed_recurrence_of_types_is_the_queue_where_each_job_needs_each_type(case):
    types, jobs = case
    vectors = typed_walk(types, jobs, typed_step_printed)
    assert play(arrivals(jobs), types).waits == [
        typed_waiting(w, j.servers) for w, j in zip(vectors, jobs, strict=True)
    ]


specific_jobs = st.integers(1, 4).flatmap(
    lambda s: st.tuples(
        st.just(s),
        st.lists(
            st.sets(st.integers(1, s)).flatmap(
                lambda chosen: st.builds(
                    Specific,
                    st.integers(0 if chosen else 1, s - len(chosen)) if chosen or s else st.just(1),
                    st.just(frozenset(chosen)),
                    times,
                    times,
                )
            ),
            min_size=1,
            max_size=7,
        ),
    )
)


@given(specific_jobs)
@settings(max_examples=50)
def test_the_corrected_recurrence_of_specific_servers_is_the_queue_path_by_path(case):
    """The places of the recurrence translated to the names of the servers that have them in the queue."""
    size, jobs = case
    queue, w, now = [], [0] * size, F(0)
    for job in jobs:
        past = play(queue, size)
        ready = max([now, *past.starts])
        held = (
            [max(ready, ready if end is None else end) for end in past.released(len(queue))] if queue else [now] * size
        )
        names = sorted(range(size), key=lambda i: (held[i], i))
        assert [held[i] - now for i in names] == w
        queue.append(Arrival(now, job.servers, job.service, frozenset(names[j - 1] for j in job.chosen)))
        w = specific_step(w, job)
        now += job.gap


# --- monotone and separable -------------------------------------------------------------------------


@given(sizes.flatmap(lambda s: st.tuples(pairs(s), st.builds(Job, st.integers(1, s), times, times))))
@settings(max_examples=100)
def test_the_map_is_monotone(case):
    (w, v), job = case
    assert below(step(w, job), step(v, job))
    assert below(synchronize(job.servers, w), synchronize(job.servers, v))


@given(specific_jobs, st.data())
@settings(max_examples=60)
def test_the_maps_of_specific_servers_are_monotone_as_printed_and_corrected(case, data):
    size, jobs = case
    w, v = data.draw(pairs(size))
    for map_ in (specific_step, paths.read_as_zero):
        assert below(map_(w, jobs[0]), map_(v, jobs[0]))


@given(type_lists.flatmap(lambda types: st.tuples(st.tuples(*map(pairs, types)), typed_jobs(types))))
@settings(max_examples=60)
def test_the_maps_of_types_are_monotone_as_printed_and_corrected(case):
    both, jobs = case
    w, v = ([pair[k] for pair in both] for k in (0, 1))
    for map_ in (typed_step, lambda x, job: typed_step_printed(x, job, absent=0)):
        assert all(map(below, map_(w, jobs[0]), map_(v, jobs[0])))


def ends(case, kind):
    """X(jobs, times) for (2), for (14) corrected and for (15) corrected, from their vectors."""
    size, jobs = case

    def end(part, at):
        if kind == "plain":
            return last_activity(at, part, size)
        w = [0] * size if kind == "specific" else [[0] * n for n in size]
        for job, (now, after) in zip(part, itertools.pairwise(at), strict=False):
            w = (specific_step if kind == "specific" else typed_step)(w, job._replace(gap=after - now))
        last = part[-1]._replace(gap=0)
        w = specific_step(w, last) if kind == "specific" else typed_step(w, last)
        return at[-1] + (w[-1] if kind == "specific" else max(part[-1] for part in w))

    return end, jobs


families = st.one_of(
    st.tuples(st.just("plain"), job_lists()),
    st.tuples(st.just("specific"), specific_jobs),
    st.tuples(st.just("typed"), type_lists.flatmap(lambda types: st.tuples(st.just(types), typed_jobs(types)))),
)


@given(families, st.integers(-20, 20).map(lambda k: F(k, 4)), st.data())
@settings(max_examples=120)
def test_the_system_is_monotone_separable(family, shift, data):
    """Causality, external monotonicity, homogeneity, separability: Theorem 4.2, and the same for (14), (15) corrected."""
    kind, case = family
    end, jobs = ends(case, kind)
    at = list(itertools.accumulate((job.gap for job in jobs[:-1]), initial=F(0)))
    delays = data.draw(st.lists(times, min_size=len(at), max_size=len(at)))
    later = list(itertools.accumulate((t + d for t, d in zip(at, delays, strict=True)), max))
    whole = end(jobs, at)
    assert whole >= at[-1]
    assert end(jobs, later) >= whole
    assert end(jobs, [t + shift for t in at]) == whole + shift
    for l in range(1, len(jobs)):
        if end(jobs[:l], at[:l]) <= at[l]:
            assert end(jobs[l:], at[l:]) == whole


@given(job_lists())
@settings(max_examples=80)
def test_loynes_sequence_does_not_decrease(case):
    servers, past = case
    chain = loynes(past, servers)
    assert all(below(m, more) for m, more in itertools.pairwise(chain))
    assert len(chain) == len(past) + 1


def test_m_n_has_the_law_of_w_n_over_every_sequence_of_a_finite_law():
    kinds = [(F(1, 2), Job(1, 2, 1)), (F(1, 3), Job(2, 1, 1)), (F(1, 6), Job(3, F(5, 2), 2))]
    for n in range(5):
        laws = ({}, {})
        for path in itertools.product(kinds, repeat=n):
            weight = sp.prod([F(q) for q, _ in path]) if path else F(1)
            jobs = [job for _, job in path]
            for law, state in zip(laws, (workloads(jobs, 3)[-1], loynes(jobs, 3)[-1]), strict=True):
                law[tuple(state)] = law.get(tuple(state), 0) + weight
        assert laws[0] == laws[1]


def test_times_that_decrease_and_servers_that_are_not_there_are_refused():
    with pytest.raises(ValueError, match="decrease"):
        arrive([1, 0], [Job(1, 1, 0)] * 2, 2)
    with pytest.raises(ValueError, match="2 times for 1"):
        arrive([0, 1], [Job(1, 1, 0)], 2)
    for alpha in (0, 3, -1):
        with pytest.raises(ValueError, match="1 to 2 servers"):
            step([0, 0], Job(alpha, 1, 1))
    with pytest.raises(ValueError, match="asked of"):
        specific_step([0, 0], Specific(2, frozenset({1}), 1, 0))
    with pytest.raises(ValueError, match="not all in"):
        specific_step_printed([0, 0], Specific(0, frozenset({3}), 1, 0))
    with pytest.raises(NotDefined):
        specific_step_printed([0, 0], Specific(0, frozenset({2}), 1, 0))
    assert specific_step_printed([0, 5], Specific(0, frozenset({1}), 1, 0)) == [1, 5]  # i* = 1 is defined, and harmless
    with pytest.raises(NotDefined):
        typed_step_printed([[0], [0]], Typed((1, 0), 1, 0))


# --- the algorithms -----------------------------------------------------------------------------------


@given(job_lists(8), st.integers(1, 3))
@settings(max_examples=60)
def test_algorithm_1_corrected_returns_the_first_repeated_loynes_vector(case, ell):
    servers, period = case
    period = [job._replace(gap=job.gap + 7) for job in period]

    def sample(n):
        return period[(n - 1) % len(period)]

    run = algorithm_1(ell, sample, servers, most=9)
    chain = loynes([sample(n) for n in range(1, run.lengths[-1] + 1)], servers)
    assert [list(w) for w in run.found] == [chain[l] for l in run.lengths]
    if run.returned is not None:
        assert run.returned == chain[run.lengths[-1]] == chain[run.lengths[-2]]
    assert [n for part in run.sampled for n in part] == list(range(1, run.lengths[-1] + 1))


def test_algorithm_1_is_cut_short_where_the_workload_never_settles():
    unstable = algorithm_1(1, lambda n: Job(1, 2, 1), 1, most=6)
    assert unstable.returned is None and unstable.lengths == (1, 2, 4, 8, 16, 32)
    assert [w[0] for w in unstable.found] == list(unstable.lengths)
    everything = algorithm_1_printed(1, lambda n: Job(1, 2, 1), 1, lambda j: Job(1, 2, 1) if j else None, most=6)
    assert everything.returned is None


def test_the_printed_lines_fail_where_they_use_what_is_not_set():
    with pytest.raises(Undefined, match=r"line 12.*job 0"):
        algorithm_1_printed(2, lambda n: Job(1, 1, 1), 1)
    with pytest.raises(Undefined, match="line 14"):
        algorithm_2_printed(2, F(1, 10), lambda n: Job(1, 1, 0), 1)
    asked = []
    algorithm_1_printed(2, lambda n: asked.append(n) or Job(1, 3, 1), 1, lambda j: None)
    assert asked == [1, 2]  # nothing is sampled in the second pass


def test_algorithm_2_corrected_comes_to_the_growth_of_the_pile():
    rate, run = algorithm_2(16, F(1, 10**4), lambda n: Job(2 - n % 2, F(1 + n % 2), 0), 2, most=10)
    assert abs(1 / rate - F(3, 2)) <= F(4, run.lengths[-1])  # 1 server for 2, both for 1: every pair of jobs takes 3


# --- the decision of inequalities ---------------------------------------------------------------------

x, y, z = sp.symbols("x y z")


@pytest.mark.parametrize(
    ("given_", "conclusion", "answer"),
    [
        ([(x, y), (y, z)], (x, z), True),
        ([(x, y)], (y, x), False),
        ([], (sp.Min(x, y), sp.Max(x, y)), True),
        ([], (sp.Max(x, y), sp.Min(x, y)), False),
        ([], (sp.Max(x + z, y + z), sp.Max(x, y) + z), True),
        ([], (sp.Max(x, y) + sp.Min(x, y), x + y), True),
        ([], (x + y, sp.Max(x, y) + sp.Min(x, y)), True),
        ([], (2 * sp.Max(x, y), x + y), False),
        ([], (x + y, 2 * sp.Max(x, y)), True),
        ([(0, x), (0, y)], (sp.Max(x, y), x + y), True),
        ([(0, x)], (sp.Max(x, y), x + y), False),
        ([(1, x), (x, 0)], (y, z), True),  # nothing satisfies the hypotheses
        ([], (x, x + sp.Rational(1, 3)), True),
        ([], (x + sp.Rational(1, 3), x), False),
        ([(3 * x, 1), (1, 2 * x)], (y, z), True),
    ],
)
def test_inequalities_of_maxima_are_decided(given_, conclusion, answer):
    assert implies(given_, conclusion) is answer


@given(st.lists(st.integers(-3, 3), min_size=6, max_size=6), st.sampled_from([sp.Max, sp.Min]), st.integers(-2, 2))
@settings(max_examples=60)
def test_what_is_decided_agrees_with_numbers(numbers, extremum, c):
    """A statement that is said to hold holds at every point tried; one that does not is not said to."""
    a, b, d, e, f, g = numbers
    left, right = extremum(a * x + b * y, d * x + c), sp.Max(e * x + f * y, g)
    answer = implies([], (left, right))
    points = [{x: p, y: q} for p, q in itertools.product((-7, -1, 0, 1, 5), repeat=2)]
    if any(left.subs(p) > right.subs(p) for p in points):
        assert not answer


def test_a_false_step_is_no_step_and_nonlinear_is_refused():
    with pytest.raises(ValueError, match="does not follow"):
        proved("wrong", [(x, y)], [(sp.Max(x, 0), x)], "")
    with pytest.raises(ValueError, match="does not follow"):
        proved("one side only", [(x, y)], [(x, y)], "", equal=True)
    with pytest.raises(ValueError, match="not linear"):
        implies([], (x * y, z))


def test_a_proof_that_fails_and_trials_that_fail_are_not_held():
    def no_proof():
        raise ValueError("a step")

    good, bad = tried("here", lambda: [None]), tried("here", lambda: [None, "there"])
    outcomes = [
        [(str(e.kind), e.outcome) for e in relation.test()]
        for relation in (argued(no_proof, good), argued(section4_steps.monotone, bad))
    ]
    assert outcomes == [
        [("symbolic", Outcome.UNDECIDED), ("enclosed", Outcome.HOLDS)],
        [("symbolic", Outcome.HOLDS), ("enclosed", Outcome.REFUTED)],
    ]
    assert tried("nowhere", list)()[0].outcome == Outcome.UNDECIDED
    assert found("nowhere", lambda: [None])()[0].outcome == Outcome.UNDECIDED


# --- the claims ---------------------------------------------------------------------------------------

CLAIMS = [*section4.claims(), *algorithms.claims()]
BY_SLUG = {claim.id.removeprefix("mjsre/"): claim for claim in CLAIMS}


@pytest.mark.parametrize("claim", CLAIMS, ids=BY_SLUG)
def test_each_claim_reaches_its_outcome_and_says_no_more_than_it_may(claim):
    verdict = check(claim)
    assert verdict.outcome == claim.expected, verdict
    if claim.expected == Outcome.REFUTED:
        assert verdict.strength == Strength.CERTIFIED  # one exact counterexample
    elif claim.expected == Outcome.HOLDS and isinstance(claim.relation, Property):  # a test certifies what is finite, and supports the rest
        assert verdict.strength == (Strength.CERTIFIED if claim.relation.complete else Strength.SUPPORTED)


def test_refuted_claims_and_corrections_name_each_other():
    assert len(BY_SLUG) == len(CLAIMS) >= 35
    for claim in CLAIMS:
        assert (claim.expected == Outcome.REFUTED) == (claim.correction is not None)
        if claim.correction is not None:
            other = BY_SLUG[claim.correction.removeprefix("mjsre/")]
            assert other.corrects == claim.id and not other.as_printed and other.source.locator == claim.source.locator


# What is broken, and which claims must then not hold.


def wrong_server(w, job):
    """Starts when the first server is free, not the alpha-th."""
    raised = [max(w[0], v) + (job.service if i < job.servers else 0) for i, v in enumerate(w)]
    return sorted(max(v - job.gap, 0) for v in raised)


def not_raised(w, job):
    """(2) with the used servers alone raised, and one server too few occupied."""
    start = w[job.servers - 1]
    raised = [start + job.service if i < max(job.servers - 1, 1) else v for i, v in enumerate(w)]
    return sorted(max(v - job.gap, 0) for v in raised)


def unordered(w, job):
    """Keeps the reordering out."""
    raised = [max(w[job.servers - 1], v) + (job.service if i < job.servers else 0) for i, v in enumerate(w)]
    return [max(v - job.gap, 0) for v in raised]


def hasty(w, job):
    """Not monotone: a busier system is served faster."""
    return step(w, job._replace(service=job.service if w[0] == 0 else 0))


def walk(map_):
    def vectors(jobs, size, start=None):
        out = [list(start) if start is not None else [0] * size]
        for job in jobs:
            out.append(map_(out[-1], job))
        return out

    return vectors


def late(times_, jobs, size):
    return last_activity(times_, jobs, size) + (1 if len(jobs) > 3 else 0)


def broken_arrive(times_, jobs, size):
    gaps = [b - a for a, b in itertools.pairwise(times_)]
    return walk(hasty)((job._replace(gap=gap) for job, gap in zip(jobs, gaps, strict=False)), size)


def reversed_loynes(past, size):
    return [walk(step)(past[:k], size)[-1] for k in range(len(past) + 1)]


def hasty_loynes(past, size):
    return [walk(hasty)(reversed(past[:k]), size)[-1] for k in range(len(past) + 1)]


def backfilling(jobs, servers, *rest):
    """Not first come, first served: the line is served shortest need first."""
    return play(sorted(jobs, key=lambda job: (job.time, job.servers)), servers, *rest)


def short_past(ell, sample, size, **more):
    return algorithm_1(ell, lambda n: sample(n)._replace(service=0), size, **more)


def long_past(ell, sample, size):
    return algorithm_1(ell, lambda n: sample(n)._replace(service=9), size, most=4)


def optimistic(ell, eps, sample, size, **more):
    rate, run = algorithm_2(ell, eps, sample, size, **more)
    return rate * F(11, 10), run


BREAKS = [
    ("section-4.1-scan", section4, "play", backfilling),
    ("section-4.1-blocking", section4, "listed", lambda s, n, sigma, tau: inputs.listed(1, n, sigma, tau)),
    ("equation-1", section4, "kiefer_wolfowitz", lambda w, service, gap: unordered(w, Job(1, service, gap))),
    ("equation-2", section4, "workloads", walk(wrong_server)),
    ("equation-2", section4, "workloads", walk(not_raised)),
    ("equation-2", section4, "play", backfilling),
    ("section-4.3-start", section4, "waiting", lambda alpha, w: w[0]),
    ("section-4.3-hol", section4, "workloads", walk(wrong_server)),
    ("lemma-4.1", section4, "step", hasty),
    (
        "lemma-4.1-proof-synchronization",
        section4,
        "synchronize",
        lambda alpha, w: [max(w[alpha - 1] - 2 * v, v) for v in w],
    ),
    ("lemma-4.1-proof-reordering", section4, "reorder", lambda w: sorted(w, reverse=sum(w) % 2 == 0)),
    ("theorem-4.2-last-activity", section4, "last_activity", late),
    ("theorem-4.2-causality", section4, "last_activity", lambda t, jobs, s: last_activity(t, jobs, s) - 20),
    ("theorem-4.2-external-monotonicity", section4, "last_activity", lambda t, jobs, s: -last_activity(t, jobs, s)),
    ("theorem-4.2-homogeneity", section4, "last_activity", lambda t, jobs, s: 2 * last_activity(t, jobs, s)),
    ("theorem-4.2-separability", section4, "last_activity", late),
    ("theorem-4.2-proof-vector-corrected", section4, "arrive", broken_arrive),
    ("theorem-4.2-proof-chain", section4, "arrive", broken_arrive),
    ("equation-4-examples", section4_loynes, "loynes", reversed_loynes),
    ("equation-4-state", section4_loynes, "loynes", reversed_loynes),
    ("lemma-4.3", section4_loynes, "loynes", hasty_loynes),
    ("lemma-4.3", section4_loynes, "loynes", reversed_loynes),
    ("section-4.3-same-law", stationary, "loynes", hasty_loynes),
    ("lemma-4.4-weak", stationary, "step", hasty),
    ("lemma-4.4-perfect", stationary, "stationary", lambda source: {(0,) * source.servers: F(1)}),
    ("lemma-4.4-several", stationary, "workloads", lambda jobs, s, start=None: workloads(jobs, s)),
    ("remark-2", section4_loynes, "loynes", reversed_loynes),
    ("algorithm-1-doubling-corrected", algorithms, "algorithm_1", short_past),
    (
        "algorithm-1-second-pass",
        algorithms,
        "algorithm_1_printed",
        lambda ell, sample, s, read: algorithm_1(ell, sample, s),
    ),
    ("algorithm-1-comparison", algorithms, "some_larger", algorithms.all_larger),
    ("algorithm-1-comparison-strict", algorithms, "all_larger", algorithms.some_larger),
    ("algorithm-1-observation-1-corrected", algorithms, "algorithm_1", long_past),
    (
        "algorithm-1-observation-2",
        algorithms,
        "algorithm_1",
        lambda ell, sample, s: algorithms.Trace([0] * s, (), (), ([1] * s,)),
    ),
    (
        "algorithm-1-observation-3a",
        algorithms,
        "algorithm_1",
        lambda ell, sample, s: algorithm_1(ell, sample, s, most=1),
    ),
    ("algorithm-1-observation-3b", algorithms, "algorithm_1", long_past),
    ("algorithm-1-observation-3c", algorithms, "algorithm_1", short_past),
    ("algorithm-1-bias", algorithms, "INPUTS", ()),
    ("algorithm-1-observation-3a-coupling-corrected", coupling, "pattern", lambda source: ([0], F(1))),
    ("algorithm-2-corrected", algorithms, "algorithm_2", optimistic),
    ("algorithm-2-current-corrected", algorithms, "pile", lambda jobs, s: [[1] * s]),
    (
        "algorithm-2-tolerance",
        algorithms,
        "algorithm_2",
        lambda ell, eps, sample, s, most: (s, algorithms.Trace([], (), (), ())),
    ),
    ("algorithm-1-observation-3a-coupling-corrected", coupling, "pattern", lambda source: ([0], F(1))),
]


@pytest.mark.parametrize(("slug", "module", "name", "replacement"), BREAKS, ids=[f"{b[0]}-{b[2]}" for b in BREAKS])
def test_each_claim_fails_on_broken_input(slug, module, name, replacement, monkeypatch):
    monkeypatch.setattr(module, name, replacement)
    claim = next(c for c in [*section4.claims(), *algorithms.claims()] if c.id == f"mjsre/{slug}")
    assert check(claim).outcome != Outcome.HOLDS


def test_every_claim_that_holds_is_broken_once():
    holding = {slug for slug, claim in BY_SLUG.items() if claim.expected == Outcome.HOLDS}
    assert holding - {b[0] for b in BREAKS} == {"theorem-4.2-proof-positive-part"}  # a Bound of two numbers: see below
    bound = BY_SLUG["theorem-4.2-proof-positive-part"].relation
    assert not implies([], (sp.Max(x + y, 0), sp.Max(x, 0) + y))  # b >= 0 is needed
    assert bound.lhs(a=F(-1), b=F(2)) == 1 and bound.rhs(a=F(-1), b=F(2)) == 2


# Refuted claims must be able to hold: run on the corrected form, or where the failure cannot occur.
MENDS = [
    ("theorem-4.2-proof-vector", section4, "_shifted", lambda: iter([(1, [Job(1, 1, 0)] * 3, [F(0)] * 3, [F(0)] * 3)])),
    (
        "algorithm-1-doubling",
        algorithms,
        "algorithm_1_printed",
        lambda ell, sample, s, read: algorithm_1(ell, sample, s),
    ),
    (
        "algorithm-1-observation-1",
        algorithms,
        "algorithm_1_printed",
        lambda ell, sample, s, read, most: algorithm_1(ell, sample, s),
    ),
    (
        "algorithm-2",
        algorithms,
        "algorithm_2_printed",
        lambda ell, eps, sample, s, read: algorithm_2(ell, min(eps, 0.01) and 0, sample, s, 4 if eps > 0.01 else 9),
    ),
    (
        "algorithm-2-current",
        algorithms,
        "algorithm_2_printed",
        lambda ell, eps, sample, s, read: algorithm_2_printed(ell, eps, sample, s, True),
    ),
    ("algorithm-1-observation-3a-coupling", coupling, "never_one", coupling.one_at_times),
]


@pytest.mark.parametrize(("slug", "module", "name", "replacement"), MENDS, ids=[m[0] for m in MENDS])
def test_each_refuted_claim_can_hold(slug, module, name, replacement, monkeypatch):
    monkeypatch.setattr(module, name, replacement)
    claim = next(c for c in [*section4.claims(), *algorithms.claims()] if c.id == f"mjsre/{slug}")
    assert check(claim).outcome == Outcome.HOLDS


def test_every_refuted_claim_is_mended_once():
    assert {slug for slug, claim in BY_SLUG.items() if claim.expected == Outcome.REFUTED} == {m[0] for m in MENDS}


def test_the_law_of_m_n_differs_where_the_input_is_not_stationary():
    lines = stationary.same_law((F(1), F(0), F(0)))()
    assert [line.outcome for line in lines] == [Outcome.REFUTED]


def test_finite_chains_are_as_large_as_they_are_said_to_be():
    assert [len(stationary.reached(source)) for source in stationary.INPUTS] == [8, 12, 13]
    with pytest.raises(ValueError, match="more than"):
        stationary.reached(stationary.Input(1, ((F(1), Job(1, 2, 1)),)))
