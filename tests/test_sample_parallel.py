"""Parallel processor sharing sampled: M/M/1, certified small systems, exact transients, two samplers, honest intervals.

A comparison of a sample with an exact value, or of two samples, fails by chance with probability 10^-6 at most (the level of its
interval; two disjoint intervals are rarer), as far as batch means are what the coverage test finds them to be; there are fewer
than 300 comparisons, so that a right sampler fails here with probability below 3 10^-4 at a change of seeds.  Tests of coverage
have rates of their own.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.stats import binom, chisquare

from asymp.model import sample
from asymp.papers.parallelps import system
from asymp.queues.law_text import read_law
from asymp.queues.laws import Erlang, Exponential, HyperExponential
from asymp.sample import kernels, parallel, parallel_jobs, parallel_phases, streams
from asymp.sample.estimate import make_estimate
from asymp.sample.parallel import estimate, share
from asymp.sample.parallel_phases import MOST_LEVEL, Phases

pytestmark = pytest.mark.skipif(not kernels.available(), reason="numba is not installed")

LEVEL = 1 - 1e-6
PAPER = {"erlang:4": Erlang(4, 1.0), "hyper 2": HyperExponential.of_mean(1.0, (2 / 3, 1 / 3), (0.5,)),
         "hyper 4": HyperExponential.of_mean(1.0, (4 / 5, 1 / 5), (0.25,))}  # fmt: skip


def law_of(text):
    return PAPER.get(text) or read_law(text)(1.0)


def agrees(one, low, high=None, width=None):
    """The interval meets [low, high]; it is not wider than so much of it."""
    high = low if high is None else high
    a, b = one.interval
    return a <= high and b >= low and (width is None or b - a < 2 * width * high)


def same(one, two):
    """Two independent intervals meet."""
    return one.interval[0] <= two.interval[1] and two.interval[0] <= one.interval[1]


# --- against exact values ---------------------------------------------------------------------------------


@pytest.mark.parametrize("by_jobs", [False, True])
@pytest.mark.parametrize(("n", "d", "lam", "most"), [(3, 2, "3/10", 14), (4, 3, "3/10", 12), (3, 2, "1/2", 18)])
def test_the_mean_queue_of_a_small_system_is_certified(n, d, lam, most, by_jobs):
    lam = Fraction(lam)
    low, high = system.mean_queue_lower(n, d, lam, most), system.mean_queue_upper(n, d, lam, most)
    found = share(n, d, float(lam), size=3_000_000, seed=n + d, level=LEVEL, batches=64, by_jobs=by_jobs)
    assert agrees(found["mean-queue"], float(low), float(high), 0.03)
    assert agrees(found["busy"], float(lam), width=0.02)
    assert agrees(found["controlled-mean-queue"], float(low), float(high), 0.03)
    assert found["mean-jobs"].value == pytest.approx(found["mean-queue"].value * n / d)
    assert found["mean-sojourn-time"].value == pytest.approx(found["mean-queue"].value / (d * float(lam)))
    assert found.notes == ()


@pytest.mark.parametrize("law", ["exponential", "erlang:4", "hyper 2", "deterministic", "two-point:0.1,10"])
@pytest.mark.parametrize(("n", "d", "lam"), [(4, 4, 0.6), (5, 1, 0.6)])
def test_one_server_or_all_servers_are_m_g_1_processor_sharing(law, n, d, lam):
    """The queue is geometric whatever the sizes are, which those of many jobs at a server make sure of."""
    found = share(n, d, lam, law_of(law), size=2_000_000, seed=7, level=LEVEL, batches=64)
    assert agrees(found["mean-queue"], lam / (1 - lam), width=0.05)
    assert agrees(found["controlled-mean-queue"], lam / (1 - lam), width=0.05)
    for k in range(8):
        assert agrees(found[f"queue[{k}]"], (1 - lam) * lam**k), k


def test_rows_and_tables_grow_where_they_are_full():
    """More than 16 jobs at a server, and more jobs than places, in the law that is geometric: growing draws nothing again."""
    lam = 0.95
    for by_jobs in (False, True):
        found = share(2, 1, lam, size=2_000_000, seed=3, level=LEVEL, batches=64, by_jobs=by_jobs)
        assert found.batches.shape[2] > 40
        for k in (0, 5, 14, 15, 16, 17, 20, 31, 32, 33):
            assert agrees(found[f"queue[{k}]"], (1 - lam) * lam**k, width=0.3), k


@pytest.mark.parametrize("law", ["exponential", "erlang:4", "hyper 4"])
@pytest.mark.parametrize(("n", "d", "lam"), [(10, 2, 0.8), (20, 17, 0.6)])
def test_thinning_and_attained_service_agree(law, n, d, lam):
    one = share(n, d, lam, law_of(law), size=800_000, seed=1, level=LEVEL, batches=64)
    two = share(n, d, lam, law_of(law), size=800_000, seed=2, level=LEVEL, batches=64, by_jobs=True)
    assert [name for name in one.estimates if name in two.estimates and not same(one[name], two[name])] == []
    assert agrees(one["busy"], lam, width=0.02) and agrees(two["busy"], lam, width=0.02)


@pytest.mark.parametrize(("kind", "parameter", "law"), [(1, 1, "exponential"), (1, 2, "erlang:2"), (2, 4, "hyper 4")])
def test_at_a_light_load_the_mean_queue_is_its_taylor_polynomial(kind, parameter, law):
    """Six servers at lam = 1/20: the terms from lam^4 on are below 2 10^-5 (successive coefficients fall below 1)."""
    series = [float(system.system_phase_coefficient(k, 6, 2, kind, parameter)) for k in range(4)]
    lam = 0.05
    found = share(6, 2, lam, law_of(law), size=4_000_000, seed=11, level=LEVEL, batches=64)["mean-queue"]
    value = sum(x * lam**k for k, x in enumerate(series))
    assert agrees(found, value, value + 2e-5, 0.01)
    assert not agrees(found, value - series[2] * lam**2)  # the term that the sharing of servers makes is seen


# --- from empty -------------------------------------------------------------------------------------------


def exact_tails(n, d, lam, times, most=14):
    """P(Q_1(t) >= k), k = 1 .. 3, of the chain that loses arrivals at ``most`` jobs, by the exponential of its generator."""
    law = list(system.blocked_law(n, d, Fraction(lam), most))
    place = {x: k for k, x in enumerate(law)}
    g = np.zeros((len(law), len(law)))
    for x in law:
        for i in range(len(x)):
            for by, rate in ((1, float(Fraction(lam)) * n / len(x) if sum(x) < most else 0.0), (-1, float(system.departure(i, x, n, d)))):
                if rate:
                    g[place[x], place[system.canonical(system.moved(x, i, by), n, d)]] += rate
    g -= np.diag(g.sum(axis=1))
    above = np.array([[np.mean([q >= k for q in system.queues(x, n, d)]) for k in (1, 2, 3)] for x in law])
    return np.array([expm(g * t)[place[(0,) * len(law[0])]] @ above for t in times])


def transient(n, d, lam, times, runs, seed, most=3):
    """The mean part of servers with at least k jobs at time t, from empty, by (k, t): Student's intervals over independent runs."""
    phases, found = Phases.of(Exponential(1.0)), []
    for r in range(runs):
        levels = parallel_phases.snapshots(n, d, lam, phases, times, streams.stream(seed, 1, r))
        found.append(1 - np.cumsum(levels, axis=1)[:, :most] / n)
    mean, error = np.mean(found, axis=0), np.std(found, axis=0, ddof=1) / np.sqrt(runs)
    return {
        (k + 1, t): make_estimate(float(mean[j, k]), float(error[j, k]), runs, LEVEL, seed, "numba")
        for j, t in enumerate(times)
        for k in range(most)
    }


def test_the_transient_is_that_of_the_generator():
    times = [0.3, 1.0, 4.0]
    truth = exact_tails(3, 2, "2/5", times)
    found = transient(3, 2, 0.4, times, runs=20_000, seed=4)
    for j, t in enumerate(times):
        for k in (1, 2, 3):
            assert agrees(found[k, t], truth[j, k - 1]), (k, t)
    assert not agrees(found[1, 1.0], exact_tails(3, 2, "1/2", [1.0])[0, 0])


def test_the_transient_of_many_servers_begins_as_the_limit():
    """To order 6 in t at t = 1/5, where the next term is below 10^-4 and the mean field's differs by 10^-7 only."""
    lam, t = Fraction(1, 2), 0.2
    found = transient(20_000, 2, 0.5, [t], runs=40, seed=2)
    for k in (1, 2, 3):
        value = sum(float(system.limit_time_coefficient(k, j, 2, lam)) * t**j for j in range(7))
        assert agrees(found[k, t], value - 1e-4, value + 1e-4), k


# --- intervals --------------------------------------------------------------------------------------------

TRIES, ALARM = 200, 1e-6


def misses(law, *shrinks):
    """Of intervals of level 0.9 of the mean queue, plain and controlled, those that miss lam/(1 - lam) = 1 at n = d = 3.

    A row for each part of their width: of the same runs.
    """
    count = np.zeros((len(shrinks), 2), dtype=int)
    for seed in range(TRIES):
        found = share(3, 3, 0.5, law, size=32_000, seed=seed, level=0.9)
        for k, name in enumerate(("mean-queue", "controlled-mean-queue")):
            one = found[name]
            for row, shrink in enumerate(shrinks):
                low, high = (one.value + (end - one.value) * shrink for end in one.interval)
                count[row, k] += not low <= 1 <= high
    return count


@pytest.mark.parametrize("law", ["exponential", "hyper 4", "deterministic"])
def test_intervals_cover(law):
    """More misses than a rate of 0.1 has but with probability 10^-6 (each); at half the width they are far more."""
    most = binom.isf(ALARM, TRIES, 0.1)
    whole, half = misses(law_of(law), 1.0, 0.5)
    assert max(whole) <= most < min(half)


def test_a_run_without_warm_up_is_seen_to_be_too_low():
    found = share(2000, 2, 0.9, size=10_000, warmup=0.0)
    assert found["mean-queue"].interval[1] < 3.3
    assert any("a longer warm-up" in note for note in found.notes)
    assert share(2000, 2, 0.9, size=10_000).warmup == pytest.approx(parallel.default_warmup(2000, 2, 0.9)) == pytest.approx(101.9, rel=0.02)


def test_correlated_batches_are_said():
    far = np.zeros((64, 2, 4))
    far[:, :, 0], far[:, :, 1], far[:, :, 2] = 1.0, 0.5, 0.5
    far[:32, :, 1], far[:32, :, 2] = 0.2, 0.8
    _, notes = estimate(far, 1, 1, 0.65, 0.99, 0)
    assert any("batches are correlated in mean-queue" in note for note in notes)


# --- the kernels ------------------------------------------------------------------------------------------


def sound(state, d):
    """What is true of every state: rows, levels, counts and jobs tell the same."""
    n, spare = state.level.size, int(state.numbers[0])
    assert np.bincount(state.level, minlength=MOST_LEVEL + 1).tolist() == state.counts.tolist()
    alive = sorted(set(range(state.members.shape[0])) - set(state.free[:spare].tolist()))
    at = [sorted(state.rows[i, : state.level[i]].tolist()) for i in range(n)]
    wanted = [[] for _ in range(n)]
    for job in alive:
        assert len(set(state.members[job].tolist())) == d
        for i in state.members[job]:
            wanted[i].append(job)
    assert at == wanted and sorted(state.order.tolist()) == list(range(n))
    return alive


@pytest.mark.parametrize(("n", "d"), [(40, 2), (40, 20), (3, 3), (60, 5)])
def test_the_state_stays_sound(n, d):
    for law in ("exponential", "erlang:4", "hyper 4"):
        state, sums = parallel_phases.empty(n, d, 2), np.zeros(MOST_LEVEL + 2)
        state, events = parallel_phases.play(state, Phases.of(law_of(law)), 0.9 * n, streams.stream(1, n), 20_000, sums)
        alive = sound(state, d)
        assert events == 40_000 - len(alive) and sums[1:].sum() == pytest.approx(n * sums[0])
    run, sums = parallel_jobs.Run(n, d, 0.9 * n, law_of("deterministic"), 1, 0), np.zeros(MOST_LEVEL + 2)
    events = run.play(20_000, sums)
    state = run.state
    alive = sound(state, d)
    size = int(state.numbers[1])
    assert events == 40_000 - len(alive) and sums[1:].sum() == pytest.approx(n * sums[0])
    assert sorted(state.heap[:size].tolist()) == alive and state.at[state.heap[:size]].tolist() == list(range(size))
    assert all(state.due[state.heap[(k - 1) // 2]] <= state.due[state.heap[k]] for k in range(1, size))
    for job in alive:
        assert state.speed[job] == pytest.approx(sum(1 / state.level[i] for i in state.members[job]))
        assert state.due[job] == pytest.approx(state.seen[job] + state.need[job] / state.speed[job])
        assert 0 <= state.need[job] <= 1


def test_every_set_of_servers_is_chosen_equally_often():
    """Both ways to draw them: chi-squared over all sets, each failing by chance with probability 10^-6."""
    choose, stream = parallel_phases.choose, streams.stream(9)
    for n, d in ((6, 2), (5, 4), (7, 3)):
        order, counts = np.arange(n, dtype=np.int32), {}
        for _ in range(20_000):
            chosen = np.empty(d, np.int64)
            choose(chosen, order, n, stream)
            key = tuple(sorted(chosen.tolist()))
            assert len(set(key)) == d
            counts[key] = counts.get(key, 0) + 1
        assert len(counts) == len(system.classes(n, d)) and chisquare(list(counts.values())).pvalue > 1e-6


def test_a_played_path_is_that_of_a_plain_model():
    """d = n, sizes and arrivals the same: the mean queue of processor sharing by plain bookkeeping, event by event."""
    n, count = 3, 500
    run, sums = parallel_jobs.Run(n, n, 0.8 * n, law_of("two-point:0.1,10"), 5, 1), np.zeros(MOST_LEVEL + 2)
    sigma, tau = parallel_jobs.jobs.draw_jobs(run._packed, 5, 1, 0, count)[2:4]
    run.play(count, sums)
    held, now, area = [], 0.0, 0.0
    for size, gap in zip(sigma, tau, strict=True):
        left = gap
        while held and min(held) * len(held) / n <= left:
            least = min(held)
            step = least * len(held) / n
            area += step * len(held)
            left -= step
            held = [x - least for x in held if x > least]
        area += left * len(held)
        held = [x - left * n / len(held) for x in held]
        now += gap
        held.append(float(size))
    assert sums[0] == pytest.approx(now) and sums[1:] @ np.arange(MOST_LEVEL + 1) / n == pytest.approx(area)


def test_the_same_seed_repeats_the_numbers_whatever_the_threads():
    for law in (None, law_of("deterministic")):
        one, two = (share(10, 2, 0.5, law, size=64_000, seed=3, threads=k).batches for k in (1, 3))
        assert (one == two).all() and not (one[0] == one[1]).all()
        assert not (one[:, :, 0] == share(10, 2, 0.5, law, size=64_000, seed=4).batches[:, :, 0]).any()


def test_a_million_servers_fit():
    """From empty, three arrivals a server: memory is that of the most jobs there have been, and work is conserved."""
    found = share(10**6, 2, 0.3, size=10**6, warmup=10.0)
    assert found.batches.shape[0] == 1 and found.events > 6 * 10**6
    assert found["busy"].value == pytest.approx(0.3, abs=0.005) and found["mean-queue"].value == pytest.approx(0.379, abs=0.01)


# --- the command ------------------------------------------------------------------------------------------


def test_the_command_takes_words():
    raw = {"n": "20", "d": "2", "lam": "9/10", "law": "two-point:0.1,10", "warmup": "50", "runs": "2"}
    found = sample("parallelps", raw, size=64_000)
    assert found.about["played"] == "by attained service" and found.about["warmup"] == 50
    assert list(found.estimates)[:6] == ["mean-queue", "controlled-mean-queue", "mean-jobs", "mean-sojourn-time", "busy", "queue[0]"]
    assert sample("parallel-sharing", {"n": "3", "d": "2", "lam": "0.1"}, size=1000).about["played"] == "by phases"


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ({"lam": "0"}, "lam=0 is out of range"),
        ({"lam": "-1"}, "lam=-1 is out of range"),
        ({"lam": "1"}, "lam=1 is out of range"),
        ({"lam": "3/2"}, "lam=3/2 is out of range"),
        ({"d": "0"}, "d=0 is out of range"),
        ({"d": "1.5"}, "d=1.5 is out of range"),
        ({"d": "6"}, "d=6 is out of range: a job joins at most n=5 servers"),
        ({"n": "0"}, "n=0 is out of range"),
        ({"n": "oo"}, "n=oo is not a number"),
        ({"law": "weibull"}, "law"),
        ({"law": "two-point:2,3"}, "want low < 1 < high"),
        ({"warmup": "-1"}, "warmup=-1 is out of range"),
        ({"n": "1e7", "d": "100"}, "more than 2\\^28 places"),
    ],
)
def test_bad_input_gets_one_line(raw, words):
    with pytest.raises(ValueError, match=words) as error:
        sample("parallelps", {"n": "5", "d": "2", "lam": "1/2", **raw}, size=1000)
    assert "\n" not in str(error.value)


def test_arguments_of_the_functions_are_checked():
    for changed in ({"n": 0}, {"d": 6}, {"d": True}, {"lam": float("nan")}, {"size": 0}, {"batches": 1}, {"level": 1},
                    {"law": Exponential(2.0)}, {"warmup": -1.0}):  # fmt: skip
        with pytest.raises(ValueError, match=next(iter(changed))):
            share(**{"n": 5, "d": 2, "lam": 0.5, "size": 1000, **changed})
    with pytest.raises(ValueError, match="no law of phases"):
        Phases.of(law_of("deterministic"))
    with pytest.raises(ValueError, match="on a CPU"):
        sample("parallelps", {"n": "5", "d": "2", "lam": "1/2"}, size=1000, device="gpu")
