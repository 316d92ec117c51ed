"""The compiled sampler against the literal recurrence, Algorithm 1 corrected, and the queue played event by event."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from asymp.papers.mjsre.pseudocode import algorithm_1
from asymp.papers.mjsre.recurrence import Job, waiting, workloads
from asymp.papers.mjsre.stationary import INPUTS, Input, above, reached, returned, stationary
from asymp.queues.laws import Deterministic, Erlang, Exponential
from asymp.queues.workload import ServerNeed, Workload, named
from asymp.sample import runs
from asymp.sample.jobs import draw_jobs
from asymp.sample.packed import pack
from asymp.sample.referee import Arrival, play
from asymp.sample.sampled import sample_runs

pytest.importorskip("numba")


def drive(servers, jobs, many):
    """(waits, idle time while each waits at the head, workload in the end) by the compiled runs."""
    state = runs.new_state(servers, 1, 2.0, many is None)
    if many is not None:
        state.level[3] = many  # runs from which on they go into a heap
    runs.reset(state, servers, 0.0)
    need, sigma, tau = (np.array([job[k] for job in jobs], kind) for k, kind in ((0, np.int64), (1, float), (2, float)))
    wait, idle = np.empty(len(jobs)), np.empty(len(jobs))
    runs.advance(state, need, sigma, tau, len(jobs), wait, idle)
    runs.settle(state)
    times, counts = np.empty(servers + 2), np.empty(servers + 2, np.int32)
    count = runs.in_order(state, times, counts)
    return wait, idle, np.repeat(np.maximum(times[:count] - state.clock[0], 0.0), counts[:count])


def lost(job, w):
    """sum over i <= alpha of W^alpha - W^i."""
    return sum(w[job.servers - 1] - x for x in w[: job.servers])


def history_of(jobs, servers):
    times = itertools.accumulate((job.gap for job in jobs[:-1]), initial=0)
    return play([Arrival(t, job.servers, job.service) for t, job in zip(times, jobs, strict=True)], servers)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("servers", [1, 2, 3, 7, 40, 500])
def test_the_compiled_runs_are_the_queue_to_the_last_bit(servers, seed):
    """Integer times, so that nothing is rounded."""
    draw = random.Random(seed)
    top = servers if seed % 2 else max(servers // 4, 1)
    jobs = [Job(draw.randint(1, top), draw.randint(0, 30), draw.choice((0, 1, 5, 20))) for _ in range(120)]
    vectors = workloads(jobs, servers)
    for many in (runs.MANY, 2, *([None] if servers <= 40 else [])):  # None: the time of each server is kept
        wait, idle, final = drive(servers, jobs, many)
        assert list(wait) == [waiting(job.servers, w) for job, w in zip(jobs, vectors, strict=False)]
        assert list(idle) == [lost(job, w) for job, w in zip(jobs, vectors, strict=False)]
        assert list(final) == vectors[-1]
    if servers <= 40:
        history = history_of(jobs, servers)
        assert list(wait) == history.waits
        assert sum(idle) == history.blocked(0, history.last_activity())
    jobs[-1] = jobs[-1]._replace(service=jobs[-1].service + 100)  # and a change is seen
    assert list(drive(servers, jobs, 2)[2]) != vectors[-1]


QUEUES = [
    (named("table2-exponential"), Exponential(1 / 1.6)),
    (named("table2-bounded-pareto"), Exponential(1 / 1.2)),
    (named("table2-erlang"), Erlang(2, 1 / 1.5)),
]


@cache
def drawn(queue, sample, count):
    """Jobs -1, -2, ..., -count of a sample, their floating numbers as the fractions that they are."""
    need, _, sigma, tau = draw_jobs(pack(*QUEUES[queue]), 11, sample, 1, count)
    rows = zip(need.tolist(), sigma.tolist(), tau.tolist(), strict=True)
    return [Job(alpha, Fraction(s), Fraction(t)) for alpha, s, t in rows]


@pytest.mark.parametrize("queue", range(len(QUEUES)))
def test_a_sample_is_algorithm_1_on_its_jobs(queue):
    """The length at which it stops, and the workload that it returns, computed exactly from the jobs drawn."""
    workload, arrivals = QUEUES[queue]
    for sample in range(4):
        waits, servers, length = sample_runs(workload, arrivals, sample, 11, 16)
        past = drawn(queue, sample, 1024)
        exact = algorithm_1(16, lambda n, past=past: past[n - 1], workload.servers, most=7)
        assert exact.returned is not None and length == exact.lengths[-1], (sample, length, exact.lengths)
        expected = np.array([float(x) for x in exact.returned])
        assert np.allclose(np.repeat(waits, servers), expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize("queue", range(len(QUEUES)))
def test_the_jobs_drawn_wait_as_long_in_the_queue_played_event_by_event(queue):
    workload, _ = QUEUES[queue]
    jobs = drawn(queue, 7, 400)
    wait, idle, _ = drive(
        workload.servers, [job._replace(service=float(job.service), gap=float(job.gap)) for job in jobs], 160
    )
    history = history_of(jobs, workload.servers)
    assert np.allclose(wait, [float(x) for x in history.waits], rtol=0, atol=1e-9)
    assert abs(sum(idle) - float(history.blocked(0, history.last_activity()))) < 1e-7


# --- a queue whose law is known exactly -----------------------------------------------------------------

HALF = Fraction(1, 2)
FINITE = Input(3, ((HALF, Job(2, 2, 2)), (HALF, Job(1, 5, 2))))
"""Three servers; two of them for 2, or one for 5, a job every 2: the workload takes 11 values."""
SAME = Workload(3, (ServerNeed(2, 0.5, Deterministic(2.0)), ServerNeed(1, 0.5, Deterministic(5.0))))
FALSE_ALARM = 1e-9


def within(count, tests=1):
    """Hoeffding: a frequency over ``count`` samples is farther from its probability less often than FALSE_ALARM."""
    return math.sqrt(math.log(2 * tests / FALSE_ALARM) / (2 * count))


@pytest.mark.parametrize("first", [1, 2, 8])
def test_algorithm_1_returns_what_it_returns_in_theory(first):
    """Its law from any first l, biased for small ones, against the frequencies of the sampler."""
    count = 4000
    exact = returned(FINITE, first, 4 if first == 8 else 7)
    assert exact.running < 1e-4
    seen = Counter()
    for sample in range(count):
        waits, servers, _ = sample_runs(SAME, Deterministic(2.0), sample, 3, first)
        seen[tuple(np.repeat(waits, servers).round(9).tolist())] += 1
    states = set(exact.law) | set(seen)
    for state in states:
        gap = abs(seen[state] / count - float(exact.law.get(state, 0)))
        assert gap <= within(count, len(states)) + float(exact.running), (state, gap)


def test_the_law_returned_is_below_the_stationary_law_and_tends_to_it():
    for source in (FINITE, *INPUTS):
        rest = stationary(source)
        wrong = []
        for first in (1, 2, 4, 8):
            exact = returned(source, first, 3 if first == 8 else 5)
            assert sum(exact.law.values()) + exact.running == 1
            for state in reached(source):
                assert above(exact.law, state) <= above(rest, state)
            wrong.append(exact.wrong)
        assert wrong == sorted(wrong, reverse=True) and wrong[0] > 0.09 and wrong[-1] < 0.002


def test_waits_of_the_finite_queue_are_the_exact_ones():
    """P(wait > x) by class, exact from the chain, against samples from far enough back (bias below 1e-9 at l = 64)."""
    rest = stationary(FINITE)
    count = 4000
    found = [sample_runs(SAME, Deterministic(2.0), sample, 4, 64)[:2] for sample in range(count)]
    vectors = [np.repeat(waits, servers) for waits, servers in found]
    for alpha in (1, 2, 3):
        for x in range(4):
            exact = float(sum(p for w, p in rest.items() if w[alpha - 1] > x))
            assert abs(np.mean([w[alpha - 1] > x + 1e-9 for w in vectors]) - exact) <= within(count, 12)
