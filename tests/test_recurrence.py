"""The multiserver-job recurrence against the queue played event by event, its properties, and its claims up to section 6.

Everything is exact: Fractions, and finite laws enumerated.  Every claim is also read with a broken model, to see it
fail, and what is refuted with a mended one, to see it hold.
"""

from __future__ import annotations

import itertools
import re
import tomllib
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from asymp import registry
from asymp.check.judge import check
from asymp.claim import Outcome, Strength
from asymp.paper import read_claims
from asymp.papers import mjsre
from asymp.papers.mjsre import algorithms, coupling, jobs, laws, model, moments, paths, periods, stationary
from asymp.papers.mjsre.piecewise import implies, proved
from asymp.papers.mjsre.pseudocode import Undefined, algorithm_1, algorithm_1_printed, algorithm_2, algorithm_2_printed
from asymp.papers.mjsre.recurrence import (
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


# --- the claims -----------------------------------------------------------------------------------------

FILE = Path(mjsre.__file__).with_name("claims.toml").read_text(encoding="utf-8")
HEAD = FILE[: FILE.index("\n[claim.")]
CODE = registry.code_of("asymp.papers.mjsre")


def by_slug():
    """The claims of sections 1 to 6."""
    some = itertools.takewhile(lambda claim: claim.source.locator != "Section 7.1", registry.claims("mjsre"))
    return {claim.id.removeprefix("mjsre/"): claim for claim in some}


def entry_of(slug):
    """The text of one claim, which may hold its correction."""
    text, own = FILE, slug if f'[claim."{slug}"]' in FILE else slug.removesuffix("-corrected")
    start = text.index(f'\n[claim."{own}"]')
    end = text.find("\n[claim.", start + 1)
    return text[start : end if end > 0 else None]


def reread(slug, broken=None, change=("", "")):
    """The registered claim, without its samples, where some functions are others, or words of its entry are."""
    broken, entry = broken or {}, entry_of(slug)
    assert change[0] in entry
    text = HEAD + re.sub(r"\nused +=.*", "", entry).replace(*change)  # the claims that rest on it are not read with it
    found = read_claims(text, "changed.toml", lambda name: broken[name] if name in broken else CODE(name)).claims
    claim = next(c for c in found if c.id == f"mjsre/{slug}")
    assert all(f"{name}(" in claim.closed or f'"{name}"' in entry for name in broken)  # what is broken is asked
    return replace(claim, sampled=None)


def test_refuted_claims_and_corrections_name_each_other():
    claims = by_slug()
    assert len(claims) >= 80
    for claim in claims.values():
        assert (claim.expected == Outcome.REFUTED) == (claim.correction is not None)
        if claim.correction is not None:
            other = claims[claim.correction.removeprefix("mjsre/")]
            assert other.corrects == claim.id and not other.as_printed and other.source.locator == claim.source.locator


# What is broken, and which claims must then not hold.


def wrong_server(w, alpha, sigma, tau):
    """Starts when the first server is free, not the alpha-th."""
    raised = [max(w[0], v) + (sigma if i < alpha else 0) for i, v in enumerate(w)]
    return tuple(sorted(max(v - tau, 0) for v in raised))


def not_raised(w, alpha, sigma, tau):
    """(3) with the used servers alone raised, and one server too few occupied."""
    raised = [w[alpha - 1] + sigma if i < max(alpha - 1, 1) else v for i, v in enumerate(w)]
    return tuple(sorted(max(v - tau, 0) for v in raised))


def unordered(w, sigma, tau):
    """(1) without the reordering."""
    return tuple(max(v - tau, 0) for v in (w[0] + sigma, *w[1:]))


def hasty(w, alpha, sigma, tau):
    """Not monotone: a busier system is served faster."""
    return jobs.step(w, alpha, sigma if w[0] == 0 else 0, tau)


def walk(map_):
    def vectors(m, n, d, seed, s):
        w = jobs.zero(s)
        for k in range(m, n):
            gap = jobs.arrival(k + 1, d, seed, s) - jobs.arrival(k, d, seed, s)
            w = map_(w, *jobs.job(k, seed, s)[:2], gap)
        return w

    return vectors


def back(map_, order=reversed):
    def vectors(n, k, seed, s):
        w = jobs.zero(s)
        for j in order(range(k + 1, k + n + 1)):
            w = map_(w, *jobs.job(-j, seed, s))
        return w

    return vectors


def overtaking(n, seed, s):
    """Not first come, first served: job n starts as soon as its servers are free."""
    now, ahead = jobs.arrival(n, 0, seed, s), []
    for k in range(n):
        begin = jobs.begins(k, seed, s)
        ahead.append((begin, begin + jobs.service(k, seed, s), jobs.need(k, seed, s)))
    for time in sorted({now, *(end for _, end, _ in ahead if end > now)}):
        if sum(need for begin, end, need in ahead if begin <= time < end) + jobs.need(n, seed, s) <= s:
            return time
    raise AssertionError


def idle_is_free(n, seed, s):
    """A server that stands idle is available before the jobs ahead have started."""
    history = jobs.played(0, n, 0, seed, s)
    return tuple(history.workload(n, history.jobs[n].time, kept=False)[0])


def forgetful(n1, n2, w, seed, s):
    """The same jobs in the wrong order."""
    for k in range(n2 + 1, n1 + 1):
        w = jobs.step(w, *jobs.job(-k, seed, s))
    return w


def after_one(j, k):
    """The law of W_1 in the place of the stationary one."""
    return laws._forward(1, k).get(laws._value(j, k) or (), F(0))


def other_rate(factor):
    return lambda n, x, *rest: periods.after_periods(n, x * factor, *rest)


def not_reversed(n):
    return laws._over_paths(n, laws.KERNEL, lambda past: loynes(past, 2)[-1])


def whole_halves(l, x, seed, s):
    return algorithms.past_loynes(max(l // 2, 1), x, seed, s)


def cut(l, epsilon, seed, s):
    return algorithms.estimate(l, epsilon, seed, s) * F(2, 3)


m = model
BREAKS = [
    ("section-3.2-perfect-sample-played", {"maximum_law": lambda n, p: {0: F(1)}}),
    ("section-4.1-scan-events", {"begins": overtaking}),
    ("section-4.1-blocking", {"need": lambda n, seed, s: 1}),
    ("equation-2-events", {"step": wrong_server}),
    ("equation-2-events", {"step": not_raised}),
    ("equation-2-events", {"found": idle_is_free}),
    ("section-4.3-hol-events", {"workload": walk(wrong_server)}),
    ("theorem-4.2-last-activity-events", {"last_activity": lambda *a: m.last_activity(*a) + (a[1] > 3)}),
    ("section-4.3-same-law-counted", {"law_backward": not_reversed}),
    ("lemma-4.4-weak-played", {"open_after": lambda n, k: F(0)}),
    ("lemma-4.4-weak-played", {"tail": lambda n, j, k: m.tail(40 - n, j, k)}),
    ("lemma-4.4-perfect", {"limit_law": after_one}),
    ("algorithm-1-comparison-strict", {"ends_at": lambda every, *a: m.ends_at(0, *a)}),
    ("algorithm-1-bias", {"wrong": lambda l, k: F(0)}),
    ("algorithm-1-observation-3a-coupling-corrected", {"pattern_probability": lambda k: F(1)}),
    ("remark-3-perfect", {"limit_law": after_one}),
    ("theorem-5.1-played-corrected", {"after_periods": other_rate(F(26, 25))}),
    ("theorem-5.1-played-corrected", {"after_periods": other_rate(F(24, 25))}),
    ("equation-5-rules", {"saturated_rate": lambda s, a, b, p, *rates: m.saturated_rate(s, a, b, 1 - p, *rates)}),
    ("equation-6", {"pile_growth": lambda k: m.pile_growth(k) * F(11, 10)}),
    ("equation-8-deterministic-played", {"small_and_global": lambda s, *a: m.small_and_global(s + 1, *a)}),
    ("remark-4-insensitive-played", {"after_periods": lambda n, x, k, *a: m.after_periods(n, x + F(k - 1, 25), k, *a)}),
    ("algorithm-2-error", {"estimate": cut}),
    ("algorithm-2-current-corrected", {"stream_height": lambda n, seed, s: m.stream_height(n - 1, seed, s)}),
    ("algorithm-2-tolerance", {"unit_threshold": lambda l, s: s}),
    ("section-6.1-moments", {"moments.pollaczek_khinchine": lambda: moments.pollaczek_khinchine((1, 2), shift=0)}),
    ("section-6.2-waiting-events", {"found": idle_is_free}),
    ("section-6.2-waiting-events", {"service": lambda n, seed, s: m.service(n + 1, seed, s)}),
    ("equation-12-corrected", {"wasted": m.wasted_by_blocking}),
    ("equation-13-corrected", {"wasted_by_blocking": m.wasted}),
    ("section-6.3-little", {"in_the_long_run": lambda j, x, shape, seed, s: m.zero(s)}),
]  # fmt: skip
CHANGES = [  # of statements that call no function: a hypothesis is left out
    ("lemma-4.1-proof-synchronization", "va >= wa, ", "va >= 0, "),
    ("theorem-4.2-proof-positive-part", 'b > 0"', 'real b"'),
]


@pytest.mark.parametrize(("slug", "broken"), BREAKS, ids=["-".join((slug, *broken)) for slug, broken in BREAKS])
def test_each_claim_fails_on_a_broken_model(slug, broken):
    verdict = check(reread(slug, broken))
    assert verdict.outcome == Outcome.REFUTED, verdict.evidence
    assert not any("Error" in line.detail for line in verdict.evidence)


@pytest.mark.parametrize(("slug", "old", "new"), CHANGES, ids=[change[0] for change in CHANGES])
def test_each_claim_fails_without_its_hypothesis(slug, old, new):
    assert check(reread(slug)).outcome == Outcome.HOLDS
    assert check(reread(slug, change=(old, new))).outcome == Outcome.REFUTED


# What is said of all functions is decided by a theorem (tests/test_kernel_order.py), whatever the model answers.
OF_MODEL = re.compile(rf"\b({'|'.join(tomllib.loads(FILE)['model'])})\(")


def by_model(expected):
    """The names of the claims about functions of the model that are expected to hold, or to fail."""
    own = {case[0] for case in CHANGES}
    return {slug for slug, claim in by_slug().items() if claim.expected == expected and " function " not in claim.closed
            and (not claim.closed or OF_MODEL.search(claim.closed) or slug in own)}  # fmt: skip


def test_every_claim_that_holds_is_broken_once():
    assert by_model(Outcome.HOLDS) == {case[0] for case in (*BREAKS, *CHANGES)}


def test_an_argument_that_fails_supports_nothing():
    def no_proof():
        raise ValueError("a step")

    for proof in (no_proof, list):
        verdict = check(reread("section-3.2-perfect-sample-played", {"laws.geometric": proof}))
        assert [line.outcome for line in verdict.evidence] == [Outcome.UNDECIDED, Outcome.HOLDS]
        assert verdict.strength == Strength.SUPPORTED


# Refuted claims must be able to hold: with the corrected form, or where the failure cannot occur.


def as_late(n, d, seed, s):
    """All jobs are late by 2: what they find does not change."""
    return jobs.arrival(n, 0, seed, s) + 2 * (d > 0)


def with_l(l, seed, s):
    """l_cur read as l."""
    algorithm_2_printed(l, F(1, 10), algorithms._ahead(seed, s), s, True)
    return 0


def doubled(l, epsilon, seed, s):
    """Algorithm 2 corrected, at a length that goes with the tolerance."""
    return 1 / algorithm_2(l, 0, algorithms._ahead(seed, s), s, 4 if epsilon > F(1, 100) else 9)[0]


def never_critical(n, x, *rest):
    return m.after_periods(n, x if x != 1 else F(50, 49), *rest)


MENDS = [
    ("algorithm-1-observation-3a-coupling", {"coupling.never_attained": lambda: coupling.remembers(coupling.one_at_times)}),
    ("theorem-5.1-played", {"after_periods": never_critical}),
    ("algorithm-2-current", {"undefined_variables": with_l}),
]  # fmt: skip
ONE_SERVER = [("equation-9", "s in {2, 4}"), ("equation-10", "s in {2, 4}"), ("equation-11", 'at        = "some"')]
ONE_SERVER += [(f"equation-{k}", 'at        = "repeat"') for k in (12, 13)]
ONE = {
    "s in {2, 4}": "s in {1}",
    'at        = "some"': 'at = "seed in 0..5, s in {1}, n in {0, 4, 9}"',
    'at        = "repeat"': 'at = "seed in 0..5, s in {1}, rho in {10/11}, shape in {3}"',
}


@pytest.mark.parametrize(("slug", "mended"), MENDS, ids=[case[0] for case in MENDS])
def test_each_refuted_claim_can_hold(slug, mended):
    verdict = check(reread(slug, mended))
    assert verdict.outcome == Outcome.HOLDS, verdict.evidence


@pytest.mark.parametrize(("slug", "where"), ONE_SERVER)
def test_one_server_has_no_head_of_line_blocking(slug, where):
    """There (9) to (13) are right as printed, so that they are not refuted for nothing."""
    verdict = check(reread(slug, change=(where, ONE[where])))
    assert verdict.outcome == Outcome.HOLDS, verdict.evidence


def test_every_refuted_claim_is_mended_once():
    assert by_model(Outcome.REFUTED) == {case[0] for case in (*MENDS, *ONE_SERVER)}


def test_finite_chains_are_as_large_as_they_are_said_to_be():
    assert [len(stationary.reached(source)) for source in stationary.INPUTS] == [8, 12, 13]
    with pytest.raises(ValueError, match="more than"):
        stationary.reached(stationary.Input(1, ((F(1), Job(1, 2, 1)),)))
