"""The multiserver-job sampler: the same bits however it is run, and the numbers of queues that are solved exactly."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from exact_models import erlang_c
from workloads import mixed

from asymp.queues.laws import Deterministic, Erlang, Exponential, HyperExponential
from asymp.queues.workload import ServerNeed, Workload, named
from asymp.sample import checkpoint, observe, runs, sketch, stop_length, trajectory, vectors, waiting
from asymp.sample.backward import observer
from asymp.sample.counts import count_forward
from asymp.sample.multiserver import UnstableError, backward, forward, sample_runs
from asymp.sample.packed import pack
from asymp.sample.system_time import SystemTime

LEVEL = 1 - 1e-9  # an interval that misses is a false alarm once in 10^9


def single(law, servers=1):
    return Workload(servers, (ServerNeed(1, 1.0, law),))


def covers(estimate, exact):
    return estimate.interval[0] <= exact <= estimate.interval[1]


MIXED = mixed(3)
QUEUES = [
    (MIXED, Exponential(0.5)),
    (MIXED, Erlang(2, 0.5)),
    (named("table2-bounded-pareto"), Exponential(1 / 1.3)),
    (named("half-and-half-200"), Exponential(1 / 1.8)),
]


# The same bits, however a sample is run.


@pytest.mark.parametrize(("queue", "arrivals"), QUEUES)
def test_runs_and_vectors_give_the_same_workloads_bit_for_bit(queue, arrivals):
    """NumPy on whole vectors, and compiled runs, from starts inside and on the edge of a block of the clock."""
    packed = pack(queue, arrivals)
    samples = np.arange(3, dtype=np.int64)
    for length in (1, 7, 300, 1024, 1500):
        expected = vectors.workloads(packed, 5, samples, length)
        for k in samples:
            waits, servers, _ = sample_runs(queue, arrivals, int(k), 5, length, length)
            assert np.array_equal(np.repeat(waits, servers), expected[k]), (length, k)


@pytest.mark.parametrize("chunk", [1, 13, 512, 1000])
def test_the_chunk_of_jobs_drawn_does_not_matter(chunk):
    queue, arrivals = QUEUES[0]
    packed = pack(queue, arrivals)
    walker, block = trajectory, runs.block_length(queue.servers)
    bench = trajectory.new_bench(packed, 3000, 3000, chunk)
    walker.extend(packed, np.uint64(1), np.uint64(2), bench, block, 3000)
    n = bench.marks.length[0]
    waits, servers, _ = sample_runs(queue, arrivals, 2, 1, 3000, 3000)
    assert np.array_equal(bench.marks.times[0, :n], waits)
    assert np.array_equal(bench.marks.counts[0, :n], servers)


def test_calendar_and_sorted_array_hold_the_same():
    """With the calendar from the second run on, never, and with changes between them on the way."""
    queue, arrivals = named("cell-b"), Exponential(1 / 1.2)
    packed = pack(queue, arrivals)
    walker, block = trajectory, runs.block_length(queue.servers)
    found = []
    for many in (1, 30, 64, 10**6):
        bench = trajectory.new_bench(packed, 20000, 20000)
        bench.state.level[3] = many
        walker.extend(packed, np.uint64(3), np.uint64(0), bench, block, 20000)
        n = bench.marks.length[0]
        found.append((bench.marks.times[0, :n].copy(), bench.marks.counts[0, :n].copy(), bench.state.level[2]))
    assert {heaped for *_, heaped in found} == {runs.SORTED, runs.DATED}
    for times, counts, _ in found[1:]:
        assert np.array_equal(times, found[0][0])
        assert np.array_equal(counts, found[0][1])


@pytest.mark.parametrize(
    ("servers", "each", "load"), [(7, True, 0.9), (50, True, 0.9), (300, False, 0.99), (300, False, 0.02)]
)
def test_however_runs_are_kept_waits_and_idle_times_have_the_same_bits(servers, each, load):
    """A job finds what it finds in the plain recurrence on the ordered vector, also after a pause and a burst of jobs."""
    rng = np.random.default_rng(servers)
    need = rng.integers(1, 4, 9000)
    sigma = rng.exponential(1.0, need.size) * np.where(rng.random(need.size) < 0.01, 100.0, 1.0)
    tau = rng.exponential(4.0 / servers / load, need.size)
    tau[4000], tau[4001:4600] = 1e7, 0.0
    state, wait, idle = runs.new_state(servers, 1, 2.0, each), np.empty(need.size), np.empty(need.size)
    assert state.level[2] == (runs.EACH if each else runs.SORTED)
    ways, w, t = set(), np.zeros(servers), 0.0
    for k in range(0, need.size, 300):
        part = slice(k, k + 300)
        runs.advance(state, need[part], sigma[part], tau[part], 300, wait[part], idle[part])
        ways.add(int(state.level[2]))
    for k in range(need.size):
        before = max(w[0], t)
        found = np.maximum(w[: need[k]], before)
        assert wait[k] == found[-1] - t
        assert idle[k] == sum(i * (found[i] - found[i - 1]) for i in range(1, need[k]))
        w[: need[k]] = found[-1] + sigma[k]
        w.sort()
        t += tau[k]
    assert ways == ({runs.EACH} if each else {runs.SORTED, runs.DATED} if load < 0.5 else {runs.DATED})


def test_meeting_on_the_way_is_meeting_at_the_end():
    """Algorithm 1 with marks stops at the lengths that comparing M_l and M_2l gives."""
    queue, arrivals = named("one-and-256"), Exponential(1 / 14.0)
    packed = pack(queue, arrivals)
    lengths = set()
    for k in range(6):
        waits, servers, length = sample_runs(queue, arrivals, k, 9, 256, 1 << 15)
        l, found = 256, sample_runs(queue, arrivals, k, 9, 256, 256)[:2]
        while True:
            l *= 2
            longer = sample_runs(queue, arrivals, k, 9, l, l)[:2]
            if all(np.array_equal(a, b) for a, b in zip(found, longer, strict=True)):
                break
            found = longer
        assert length == l
        assert np.array_equal(np.repeat(waits, servers), np.repeat(*longer))
        lengths.add(length)
    assert len(lengths) > 1, "the test should see several lengths"
    assert np.array_equal(np.repeat(waits, servers), vectors.workloads(packed, 9, np.array([k]), length)[0])


def test_threads_and_backends_do_not_matter():
    queue, arrivals = MIXED, Exponential(1.5)
    plain = backward(queue, arrivals, 70, seed=4, first=64)
    for other in (
        backward(queue, arrivals, 70, seed=4, first=64, threads=3),
        backward(queue, arrivals, 70, seed=4, first=64, device="numpy"),
    ):
        for name, estimate in plain.estimates.items():
            found = other.estimates[name]
            assert (found.value, found.stderr, found.interval) == (
                estimate.value,
                estimate.stderr,
                estimate.interval,
            ), name
        assert other.totals.lengths == plain.totals.lengths
    assert np.array_equal(plain.workloads(7), other.workloads(7))


def test_samples_do_not_depend_on_the_batch():
    queue, arrivals = QUEUES[0]
    packed = pack(queue, arrivals)
    view = observe.view(queue)
    look = observer(packed, view, 4, observe.Plan(256, 1 << 20, 3, 4), "numba", 64, 64, 2)
    rows = []
    for block in (1, 7, 64):
        rows.append(np.concatenate([look(k, min(block, 64 - k))[0] for k in range(0, 64, block)]))
    assert np.array_equal(rows[0], rows[1])
    assert np.array_equal(rows[0], rows[2])


def test_without_numba_it_still_runs():
    """In a process where numba cannot be imported."""
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "import importlib.util as u; find = u.find_spec\n"
        "u.find_spec = lambda name, *a: None if name == 'numba' else find(name, *a)\n"
        "from asymp.queues.laws import Exponential\n"
        "from asymp.queues.workload import ServerNeed, Workload\n"
        "from asymp.sample.multiserver import backward\n"
        "q = Workload(2, (ServerNeed(1, 0.5, Exponential(1.0)), ServerNeed(2, 0.5, Exponential(1.0))))\n"
        "r = backward(q, Exponential(4.0), 20, first=64)\n"
        "print(r.backend, r['waiting-mean'].value.hex())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    name, value = done.stdout.split()
    q = Workload(2, (ServerNeed(1, 0.5, Exponential(1.0)), ServerNeed(2, 0.5, Exponential(1.0))))
    assert name == "numpy"
    assert float.fromhex(value) == backward(q, Exponential(4.0), 20, first=64)["waiting-mean"].value


# Queues that are solved exactly.


@pytest.mark.parametrize(("servers", "rate"), [(1, 0.6), (3, 2.1), (50, 45.0)])
def test_m_m_s(servers, rate):
    """Erlang C: P(wait > x) = C exp(-(s - rate) x)."""
    found = backward(single(Exponential(1.0), servers), Exponential(1 / rate), 4000, seed=11, level=LEVEL)
    delayed, gap = float(erlang_c(servers, str(rate))), servers - rate
    mean, second = delayed / gap, 2 * delayed / gap**2
    assert covers(found["waiting-mean"], mean)
    assert covers(found["waiting-variance"], second - mean**2)
    assert covers(found["waiting-zero[0]"], 1 - delayed)
    assert covers(found["system-mean[0]"], mean + 1)
    assert covers(found["number-in-system"], rate * (mean + 1))
    for percent in (50, 90, 99):
        exact = max(0.0, np.log(delayed / (1 - percent / 100)) / gap)
        assert covers(found[f"waiting-p{percent}[0]"], exact)
        assert covers(found[f"waiting-p{percent}"], exact)
    assert found["wasted-hol"].value == 0
    assert found["wasted-total"].value == pytest.approx(gap)


@pytest.mark.parametrize("law", [Deterministic(1.0), Erlang(3, 1.0), HyperExponential((0.9, 0.1), (0.5, 5.5))])
def test_m_g_1(law):
    """Pollaczek and Khinchine: E W = rate E sigma^2 / (2 (1 - load)), E W^2 = 2 (E W)^2 + rate E sigma^3/(3 (1 - load))."""
    rate = 0.6
    load = rate * law.mean
    mean = rate * law.moment(2) / (2 * (1 - load))
    second = 2 * mean**2 + rate * law.moment(3) / (3 * (1 - load))
    found = backward(single(law), Exponential(1 / rate), 4000, seed=12, level=LEVEL)
    assert covers(found["waiting-mean[0]"], mean)
    assert covers(found["waiting-variance[0]"], second - mean**2)
    assert covers(found["waiting-zero[0]"], 1 - load)


def test_forward_agrees_with_erlang_c_and_the_interval_can_miss():
    queue, arrivals = single(Exponential(1.0), 3), Exponential(1 / 2.1)
    delayed = float(erlang_c(3, "2.1"))
    found = forward(queue, arrivals, jobs=20000, samples=40, warmup=2000, seed=3, level=LEVEL)
    assert covers(found["waiting-mean"], delayed / 0.9)
    assert covers(found["waiting-variance[0]"], (2 * delayed - delayed**2) / 0.81)
    assert covers(found["waiting-p90"], np.log(delayed / 0.1) / 0.9)
    assert covers(found["system-mean"], delayed / 0.9 + 1)
    assert not covers(found["waiting-mean"], 1.2 * delayed / 0.9)


def test_forward_and_backward_agree_and_a_cold_start_does_not():
    queue, arrivals = named("table2-exponential"), Exponential(1 / 1.2)
    back = backward(queue, arrivals, 4000, seed=1)
    ahead = forward(queue, arrivals, jobs=30000, samples=60, warmup=5000, seed=2)
    for name in ("waiting-mean", "waiting-mean[4]", "waiting-variance[0]", "wasted-hol", "number-in-system"):
        a, b = back[name], ahead[name]
        assert abs(a.value - b.value) < 6.5 * np.hypot(a.stderr, b.stderr), name
    cold = forward(queue, arrivals, jobs=20, samples=4000, seed=2)
    assert cold["waiting-mean"].value + 6 * cold["waiting-mean"].stderr < back["waiting-mean"].value


def test_wasted_servers_in_time():
    """A time average over one long run: busy servers, and servers idle while a job waits at the head."""
    queue, rate = named("table2-exponential"), 1.2
    packed = pack(queue, Exponential(1 / rate))
    from asymp.sample.jobs import draw_jobs

    need, _, sigma, tau = draw_jobs(packed, 8, 0, 0, 60_000)
    free_at, t, hol = np.zeros(queue.servers), 0.0, 0.0
    for a, service, gap in zip(need.tolist(), sigma.tolist(), tau.tolist(), strict=True):
        free_at.sort()
        start = max(t, free_at[a - 1])
        hol += float(np.sum(start - np.maximum(free_at[:a], t)))
        np.maximum(free_at, start, out=free_at)
        free_at[:a] = start + service
        t += gap
    found = backward(queue, Exponential(1 / rate), 12000, seed=1)
    assert found["wasted-hol"].value == pytest.approx(hol / t, rel=0.15)
    # Equation (13) as printed cuts each idle time at the next arrival.
    assert found["wasted-hol-printed"].interval[1] < 0.3 * found["wasted-hol"].value
    gone = found["wasted-hol"].value - found["wasted-hol-printed"].value
    printed, total = found["wasted-total-printed"], found["wasted-total"].value
    assert abs(total - gone - printed.value) < 6 * printed.stderr
    assert not printed.agrees(total)


def test_system_times_and_densities_of_m_m_1():
    """Load 1/2: the system time is exponential of mean 2, the density of the wait exp(-x/2)/4 beyond an atom of 1/2."""
    found = backward(single(Exponential(1.0)), Exponential(2.0), 6000, seed=21, level=LEVEL)
    for percent in (50, 90, 99):
        assert covers(found[f"system-p{percent}[0]"], -2 * np.log(1 - percent / 100))
    waits = found.totals.sketch(0)
    assert SystemTime(waits, Exponential(1.0)).cdf(2.0) == pytest.approx(1 - np.exp(-1), abs=0.04)
    for low, high in pairwise(waits.bins(np.linspace(0.5, 6.0, 12)).tolist()):
        share = sketch.proportion_interval(int(waits.counts[low:high].sum()), waits.total, LEVEL)
        assert share[0] <= (np.exp(-waits.edges(low) / 2) - np.exp(-waits.edges(high) / 2)) / 2 <= share[1]


# Exponential one-server jobs as a number.


def test_counted_jobs_have_the_law_of_erlang_c():
    delayed = float(erlang_c(50, 46))
    found = count_forward(single(Exponential(1.0), 50), Exponential(1 / 46), 1 << 16, 60, warmup=1 << 12, level=LEVEL)
    assert covers(found["waiting-mean"], delayed / 4)
    assert covers(found["waiting-variance"], (2 * delayed - delayed**2) / 16)
    assert not covers(found["waiting-mean"], 1.3 * delayed / 4)


def test_counted_jobs_and_runs_agree_where_big_jobs_wait_for_all():
    """The two samplers share arrivals and classes, not departures; the wait for all servers is drawn at once."""
    queue, arrivals = named("one-and-256"), Exponential(1 / 6.0)
    runs_ = forward(queue, arrivals, 1 << 16, 160, warmup=1 << 13, seed=4)
    counted = count_forward(queue, arrivals, 1 << 16, 160, warmup=1 << 13, seed=5)
    for name in ("waiting-mean[0]", "waiting-mean[1]", "waiting-variance[0]", "wasted-hol"):
        a, b = runs_[name], counted[name]
        assert abs(a.value - b.value) < 6.5 * np.hypot(a.stderr, b.stderr), name
    assert (
        counted.estimates == count_forward(queue, arrivals, 1 << 16, 160, warmup=1 << 13, seed=5, threads=2).estimates
    )


def test_counted_jobs_beside_runs_of_other_classes():
    classes = (
        ServerNeed(1, 0.6, Exponential(1.0)),
        ServerNeed(1, 0.2, Exponential(3.0)),
        ServerNeed(7, 0.19, Deterministic(1.5)),
        ServerNeed(64, 0.01, Exponential(0.5)),
    )
    queue, arrivals = Workload(64, classes), Exponential(1 / 5.5)
    runs_ = forward(queue, arrivals, 1 << 15, 100, warmup=1 << 12, seed=4)
    counted = count_forward(queue, arrivals, 1 << 15, 100, warmup=1 << 12, seed=5)
    for name in ("waiting-mean[0]", "waiting-mean[2]", "waiting-mean[3]", "waiting-p90", "wasted-hol"):
        a, b = runs_[name], counted[name]
        assert abs(a.value - b.value) < 6.5 * np.hypot(a.stderr, b.stderr), name


def test_nothing_to_count_is_refused():
    with pytest.raises(ValueError, match="nothing to count"):
        count_forward(single(Deterministic(1.0)), Exponential(2.0), 100, 10)


def test_forward_by_numpy_gives_the_same_bits():
    queue, arrivals = MIXED, Exponential(1.5)
    one = forward(queue, arrivals, 1500, 5, warmup=100, seed=6)
    two = forward(queue, arrivals, 1500, 5, warmup=100, seed=6, device="numpy")
    for name, estimate in one.estimates.items():
        if name != "wasted-hol":  # idle times are added up in another order
            assert two[name].value == estimate.value or (two[name].value != two[name].value), name
    assert two["wasted-hol"].value == pytest.approx(one["wasted-hol"].value, rel=1e-12)


# Stopping early.


def test_a_short_first_length_is_biased_and_says_so():
    """Big jobs are rare: from 64 jobs ago most samples see none, twice, and stop."""
    queue, arrivals = named("one-and-256"), Exponential(1 / 10.0)
    short = backward(queue, arrivals, 2000, seed=5, first=64)
    bias = short["early-stopping-bias"]
    assert bias.value > 5 * bias.stderr > 0
    assert any("not negligible" in note for note in short.notes)
    assert any("rarest class" in note for note in short.notes)
    usual = backward(queue, arrivals, 1000, seed=5)
    assert usual.first >= 4096
    assert not any("not negligible" in note for note in usual.notes)
    assert usual["waiting-mean"].value > short["waiting-mean"].value + 5 * short["waiting-mean"].stderr


def test_samples_that_do_not_stop_are_counted():
    found = backward(named("table2-exponential"), Exponential(1 / 1.75), 64, first=64, most=256)
    assert found.unstopped > 0
    assert any("did not stop" in note for note in found.notes)
    assert -256 in found.totals.lengths


@pytest.mark.parametrize("rate", [1.9, 2.2])
def test_an_unstable_load_is_refused(rate):
    with pytest.raises(UnstableError, match="unstable: ") as caught:
        backward(named("table2-exponential"), Exponential(1 / rate), 100)
    assert "\n" not in str(caught.value)
    with pytest.raises(UnstableError):
        forward(named("table2-exponential"), Exponential(1 / rate), 100, 10)


@pytest.mark.slow
def test_a_load_too_near_the_threshold_to_tell_is_refused_unless_most_is_given():
    """1.8 of 1.7996..: 16 piles of 4 million jobs cannot tell; with a longest length there is an end."""
    queue, arrivals = named("table2-exponential"), Exponential(1 / 1.8)
    with pytest.raises(UnstableError, match="cannot be told from the threshold"):
        backward(queue, arrivals, 4, first=1 << 10)
    short = backward(queue, arrivals, 40, first=1 << 8, most=1 << 9)
    assert short.unstopped > 0
    assert set(short.totals.lengths) <= {512, -512}


def test_a_load_below_the_threshold_is_not():
    stop_length.refuse_unstable(
        named("table2-exponential"), Exponential(1 / 1.7), pack(named("table2-exponential"), Exponential(1 / 1.7)), 0
    )


BAD = [
    ({"samples": 0}, "samples"),
    ({"samples": 2.5}, "samples"),
    ({"seed": -1}, "seed"),
    ({"seed": 1 << 64}, "seed"),
    ({"level": 1.0}, "level"),
    ({"threads": 0}, "threads"),
    ({"device": "tpu"}, "device"),
    ({"first": 0}, "first"),
    ({"first": True}, "first"),
    ({"most": 0, "first": None}, "most"),
    ({"workload": "cell-b"}, "workload"),
    ({"interarrival": 1.0}, "interarrival"),
]


@pytest.mark.parametrize(("change", "named_in"), BAD)
def test_bad_arguments_are_named(change, named_in):
    arguments = {"workload": single(Exponential(1.0)), "interarrival": Exponential(2.0), "samples": 10, **change}
    with pytest.raises(ValueError, match=named_in) as caught:
        backward(**arguments)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("jobs", "warmup"), [(0, 0), (10, 10), (10, -1), (1.5, 0)])
def test_bad_forward_arguments(jobs, warmup):
    with pytest.raises(ValueError, match=r"jobs|warmup"):
        forward(single(Exponential(1.0)), Exponential(2.0), jobs, 10, warmup)


# Checkpoints.

KILLED = """
import sys
from pathlib import Path
from asymp.queues.laws import Exponential
from asymp.queues.workload import named
from asymp.sample import backward, forward, multiserver

path, kind = sys.argv[1:]
backward.BLOCK_JOBS = 1 << 19
forward.BLOCK_JOBS = 1 << 20
queue, arrivals = named("table2-exponential"), Exponential(1 / 1.3)
tell = lambda done, all: print(done, flush=True)
if kind == "backward":
    found = multiserver.backward(queue, arrivals, 320, seed=3, first=1 << 14, checkpoint=path, progress=tell)
else:
    found = multiserver.forward(queue, arrivals, 1 << 18, 64, seed=3, checkpoint=path, progress=tell)
print("result", *(f"{n}={e.value.hex()}/{e.stderr.hex()}" for n, e in sorted(found.estimates.items())))
"""


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["backward", "forward"])
def test_a_killed_run_goes_on_to_the_same_result(tmp_path, kind):
    """kill -9 in the middle; what the checkpoint has is not done again, and the result is that of a run left alone."""

    def start(path):
        command = [sys.executable, "-c", KILLED, str(path), kind]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    path = tmp_path / "run.npz"
    first = start(path)
    seen = [int(first.stdout.readline()) for _ in range(3)]
    os.kill(first.pid, signal.SIGKILL)
    assert "result" not in first.communicate()[0]
    assert first.returncode == -signal.SIGKILL
    resumed = start(path).communicate(timeout=300)[0].splitlines()
    assert int(resumed[0]) >= seen[-1], "the checkpoint is told first, and holds all blocks that were told of"
    alone = start(tmp_path / "other.npz").communicate(timeout=300)[0].splitlines()
    assert resumed[-1] == alone[-1]
    assert len(resumed) < len(alone)


def test_a_run_that_stops_goes_on_to_the_same_result(tmp_path):
    queue, arrivals = QUEUES[0]
    path = tmp_path / "run.npz"

    def stop(done, total):
        if done >= 1024:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        backward(queue, arrivals, 3000, seed=2, first=256, checkpoint=path, progress=stop)
    told = []
    resumed = backward(queue, arrivals, 3000, seed=2, first=256, checkpoint=path, progress=lambda *a: told.append(a))
    assert told[0] == (1024, 3000)
    alone = backward(queue, arrivals, 3000, seed=2, first=256)
    assert {n: (e.value, e.stderr) for n, e in resumed.estimates.items()} == {
        n: (e.value, e.stderr) for n, e in alone.estimates.items()
    }
    # done already: nothing is run again
    told.clear()
    again = backward(queue, arrivals, 3000, seed=2, first=256, checkpoint=path, progress=lambda *a: told.append(a))
    assert told == [(3000, 3000)]
    assert again["waiting-mean"] == alone["waiting-mean"]


def test_a_checkpoint_of_another_run_is_refused(tmp_path):
    queue, arrivals = QUEUES[0]
    path = tmp_path / "run.npz"
    backward(queue, arrivals, 20, seed=2, first=64, checkpoint=path)
    for change in ({"seed": 3}, {"samples": 30}, {"first": 128}, {"interarrival": Exponential(0.6)}):
        arguments = {"workload": queue, "interarrival": arrivals, "samples": 20, "seed": 2, "first": 64, **change}
        with pytest.raises(ValueError, match=next(iter(change))) as caught:
            backward(checkpoint=path, **arguments)
        assert "\n" not in str(caught.value)
    with pytest.raises(ValueError, match="kind"):
        forward(queue, arrivals, 100, 20, checkpoint=path)
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(ValueError, match="not a checkpoint"):
        backward(queue, arrivals, 20, seed=2, first=64, checkpoint=path)


def test_a_checkpoint_is_replaced_whole(tmp_path, monkeypatch):
    """A failure while writing leaves the one before."""
    path = tmp_path / "run.npz"
    checkpoint.save(path, {"a": 1}, {"x": np.arange(3)})
    monkeypatch.setattr(os, "replace", lambda *a: (_ for _ in ()).throw(OSError("full")))
    with pytest.raises(OSError, match="full"):
        checkpoint.save(path, {"a": 1}, {"x": np.arange(4)})
    monkeypatch.undo()
    kept = checkpoint.load(path, {"a": 1})
    assert kept is not None
    assert kept["x"].tolist() == [0, 1, 2]


def test_a_checkpoint_says_what_made_it(tmp_path, monkeypatch):
    path = tmp_path / "run.npz"
    checkpoint.save(path, {"a": 1}, {"x": np.arange(3)})
    for name, other in (("format", 3), ("asymp", "0.0.0"), ("sources", "0" * 16)):
        there = checkpoint.made_by()
        with monkeypatch.context() as patch:
            patch.setattr(checkpoint, "made_by", lambda other=other, name=name, there=there: {**there, name: other})
            with pytest.raises(ValueError, match=f"made by another version of asymp: {name} is {there[name]} there"):
                checkpoint.load(path, {"a": 1})
    assert checkpoint.load(path, {"a": 1}) is not None
    # as they were before they had a version
    text = np.frombuffer(b'{"a": 1}', np.uint8)
    with open(path, "wb") as file:
        np.savez(file, configuration=text, x=np.arange(3))
    with pytest.raises(ValueError, match="another version of asymp: format is 1 there and 2 here"):
        checkpoint.load(path, {"a": 1})
    for nonsense in (b"[1]", b"3", b'{"made by": 3}', b'{"run": []}', b"{", b"[" * 100_000):
        with open(path, "wb") as file:
            np.savez(file, configuration=np.frombuffer(nonsense, np.uint8))
        with pytest.raises(ValueError, match="is not a checkpoint"):
            checkpoint.load(path, {"a": 1})


def test_the_sources_of_the_draws_are_part_of_the_version(tmp_path, monkeypatch):
    """A digest of all files of the two rooms, by content and name."""
    shutil.copytree(
        Path(checkpoint.__file__).parents[1], tmp_path / "asymp", ignore=shutil.ignore_patterns("__pycache__")
    )
    monkeypatch.setattr(checkpoint, "__file__", str(tmp_path / "asymp" / "sample" / "checkpoint.py"))
    made_by = checkpoint.made_by.__wrapped__
    before = made_by()
    assert before == checkpoint.made_by()
    for changed in ("sample/counter.py", "sample/multiserver.cu", "queues/laws.py"):
        path = tmp_path / "asymp" / changed
        text = path.read_bytes()
        path.write_bytes(text + b" ")
        assert made_by()["sources"] != before["sources"]
        path.write_bytes(text)
        path.rename(path.with_name("other" + path.suffix))
        assert made_by()["sources"] != before["sources"]
        path.with_name("other" + path.suffix).rename(path)
    assert made_by() == before


HOLDER = """
import sys
from pathlib import Path
from asymp.sample import checkpoint
with checkpoint.held(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.readline()
"""


def test_one_run_at_a_time_has_a_checkpoint(tmp_path):
    queue, arrivals = QUEUES[0]
    path = tmp_path / "run.npz"
    other = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdout.readline() == "held\n"
    for run in (
        lambda: backward(queue, arrivals, 20, first=64, checkpoint=path),
        lambda: forward(queue, arrivals, 100, 20, checkpoint=path),
    ):
        with pytest.raises(ValueError, match=r"run\.npz is in use by another run") as caught:
            run()
        assert "\n" not in str(caught.value)
    assert not path.exists()
    backward(queue, arrivals, 20, first=64, checkpoint=tmp_path / "mine.npz")  # another one is free
    (tmp_path / "run.npz.123.new").write_text("of a run that was killed while it wrote")
    other.kill()  # however it ends
    other.communicate()
    backward(queue, arrivals, 20, first=64, checkpoint=path)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["mine.npz", "run.npz"]


def test_a_lock_that_was_taken_away_is_taken_anew(tmp_path, monkeypatch):
    """The run that had it unlinks the name before it lets go: who waited on the old file has no lock yet."""
    path = tmp_path / "run.npz"
    times = []
    flock = fcntl.flock

    def slow(handle, how):
        flock(handle, how)
        times.append(handle)
        if len(times) == 1:
            os.unlink(tmp_path / "run.npz.lock")
        if len(times) == 2:
            os.unlink(tmp_path / "run.npz.lock")
            (tmp_path / "run.npz.lock").write_text("")

    monkeypatch.setattr(fcntl, "flock", slow)
    with checkpoint.held(path):
        assert len(times) == 3
        with pytest.raises(ValueError, match="in use"), checkpoint.held(path):
            pass
        assert (tmp_path / "run.npz.lock").exists()
    assert list(tmp_path.iterdir()) == []


def test_without_locks_two_runs_do_not_write_into_one_file(tmp_path, monkeypatch):
    def none(*_):
        raise OSError(37, "No locks available")

    monkeypatch.setattr(fcntl, "flock", none)
    path = tmp_path / "run.npz"
    names, replace = [], os.replace
    monkeypatch.setattr(os, "replace", lambda a, b: (names.append(str(a)), replace(a, b)))
    with checkpoint.held(path), checkpoint.held(path):
        checkpoint.save(path, {}, {})
        monkeypatch.setattr(os, "getpid", lambda: 7)
        checkpoint.save(path, {}, {})
    assert len(set(names)) == 2
    assert [p.name for p in tmp_path.iterdir()] == ["run.npz"]


# Sums and sketches.


def test_quantiles_of_the_sketch():
    rng = np.random.default_rng(0)
    values = np.concatenate([rng.exponential(3.0, 20000), np.zeros(5000)])
    kept = sketch.Sketch(1.0)
    kept.add(values[:7000])
    kept.add(values[7000:])
    for q in (0.1, 0.3, 0.5, 0.99):
        assert kept.quantile(q) == pytest.approx(np.quantile(values, q), rel=2e-3)
        exact = 0.0 if q <= 0.2 else 3 * -np.log((1 - q) / 0.8)
        low, high = kept.quantile_interval(q, LEVEL)
        assert low <= exact <= high
    bins = kept.bins(values)
    assert (kept.edges(bins) <= values).all()
    assert (values[bins > 0] < kept.edges(bins[bins > 0] + 1)).all()


def test_rank_intervals_cover():
    """Exactly: the probability that the two order statistics enclose the quantile."""
    from scipy.stats import binom

    for n, q, level in [(50, 0.9, 0.9), (1000, 0.5, 0.99), (7, 0.5, 0.9), (400, 0.99, 0.999)]:
        low, high = sketch.rank_interval(q, n, level)
        covered = binom.cdf(high - 1, n, q) - (binom.cdf(low - 1, n, q) if low > 0 else 0.0)
        assert covered >= level
        assert binom.cdf(high - 1, n, q) - binom.cdf(low, n, q) < level + 0.2


def test_moments_are_those_of_the_samples():
    queue, arrivals = QUEUES[0]
    packed = pack(queue, arrivals)
    view = observe.view(queue)
    rows = observer(packed, view, 4, observe.Plan(256, 1 << 20, 3, 4), "numba", 2500, 2500, 1)(0, 2500)[0]
    found = backward(queue, arrivals, 2500, seed=4, first=256)
    k = len(queue.classes)
    for c in range(k):
        assert found[f"waiting-mean[{c}]"].value == pytest.approx(rows[:, c].mean(), rel=1e-12)
        assert found[f"waiting-mean[{c}]"].stderr == pytest.approx(rows[:, c].std(ddof=1) / 50, rel=1e-9)
        assert found[f"waiting-variance[{c}]"].value == pytest.approx(rows[:, c].var(ddof=1), rel=1e-9)
        assert found[f"waiting-p90[{c}]"].value == pytest.approx(np.quantile(rows[:, c], 0.9), rel=1e-2, abs=1e-9)
    p = np.array(queue.probabilities)
    assert found["waiting-mean"].value == pytest.approx((rows[:, :k] @ p).mean(), rel=1e-12)
    overall = (rows[:, :k] ** 2 @ p).mean() - (rows[:, :k] @ p).mean() ** 2
    assert found["waiting-variance"].value == pytest.approx(overall, rel=1e-9)
    kept = waiting.Totals(k)
    kept.restore(found.totals.arrays())
    again = waiting.estimates(kept, queue, arrivals, 0.99, 4, "numba")
    assert again["waiting-p95[1]"] == found["waiting-p95[1]"]
    assert again["waiting-variance"] == found["waiting-variance"]
