"""The GPU path of the multiserver-job sampler: its kernels' own text, run on the host, gives the bits that the CPU path gives.

Where a GPU is, the same comparisons run on it.
"""

import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import types
from pathlib import Path

import numpy as np
import pytest
from workloads import mixed

from asymp import model
from asymp.queues.laws import BoundedPareto, Deterministic, Empirical, Erlang, Exponential, HyperExponential
from asymp.queues.workload import Workload, named
from asymp.sample import cuda, jobs, observe, pile, runs, trajectory
from asymp.sample.backend import DeviceError, backend
from asymp.sample.multiserver import backward, forward
from asymp.sample.packed import pack
from asymp.sample.runs import block_length

HERE = str(Path(__file__).parent)
with pytest.MonkeyPatch.context() as patch:
    patch.syspath_prepend(HERE)
    from cuda_stand_in import COMPILER, stand_in

needs_compiler = pytest.mark.skipif(COMPILER is None, reason="g++ is not there")
SEED = 0x9E3779B97F4A7C15
MIXED = mixed(4)
ARRIVALS = [
    Exponential(1.0),
    Erlang(4, 1.0),
    Erlang(3, 1.0),
    HyperExponential((0.3, 0.7), (1.0, 2.0)),
    Deterministic(0.5),
    BoundedPareto(0.1, 10.0, 1.3),
    Empirical((0.5, 1.0, 2.5)),
]


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("kernels")


@pytest.fixture(params=["host", "host, lanes turned around", "gpu"])
def xp(request, folder):
    """CuPy where a GPU is, and its stand-in."""
    if request.param == "gpu":
        try:
            return backend("gpu").xp
        except DeviceError as reason:
            pytest.skip(str(reason))
    if COMPILER is None:
        pytest.skip("g++ is not there")
    return stand_in(folder, turned="turned" in request.param)


def at_load(workload, load):
    return pack(workload, Exponential(1 / (load * workload.ideal_rate)))


def seen_by(workload):
    return observe.view(workload)


def on_the_cpu(workload, packed, plan, base, count):
    out, stopped = np.empty((count, len(workload.classes) + len(observe.EXTRA))), np.empty(count, np.int64)
    bench = trajectory.new_bench(packed, plan.first, plan.most * plan.factor)
    block = block_length(workload.servers)
    observe.observe(packed, seen_by(workload), np.uint64(SEED), base, count, bench, block, plan, out, stopped)
    return out, stopped


def pretend(monkeypatch, xp):
    """Let ``import cupy`` find this."""
    monkeypatch.setitem(sys.modules, "cupy", xp)


# ------------------------------------------------------------------------------------------------------- draws


@pytest.mark.parametrize("interarrival", ARRIVALS, ids=lambda law: type(law).__name__)
def test_draws_have_the_bits_of_the_cpu(xp, interarrival):
    packed = pack(MIXED, interarrival)
    card = cuda.Device(xp, packed, SEED)
    for sample, first, step in ((0, 0, 1), (2**63 + 5, 2**40 - 3, -1), (2**32 - 1, 2**32 - 100, 1)):
        ours = card.draw_jobs(sample, first, 400, step)
        theirs = jobs.draw_jobs(packed, SEED, sample, first, 400, step=step)
        for mine, other in zip(ours, theirs, strict=True):
            np.testing.assert_array_equal(mine, other)


@needs_compiler
def test_another_stream_would_be_noticed(folder, monkeypatch):
    wrong = cuda.source().replace("0xBB67AE85u", "0xBB67AE87u")
    monkeypatch.setattr(cuda, "source", lambda: wrong)
    packed = pack(MIXED, Exponential(1.0))
    ours = cuda.Device(stand_in(folder), packed, SEED).draw_jobs(0, 0, 50)
    assert not np.array_equal(ours[2], jobs.draw_jobs(packed, SEED, 0, 0, 50)[2])


# ------------------------------------------------------------------------------------------------ trajectories


@pytest.mark.parametrize(
    ("workload", "load", "first", "count", "warps"),
    [
        (named("table2-exponential"), 0.5, 64, 200, False),
        (named("table2-exponential"), 0.5, 64, 4, True),
        (named("table2-bounded-pareto"), 0.4, 100, 150, False),
        (MIXED, 0.5, 50, 150, False),
        (MIXED, 0.5, 50, 3, True),
        (named("half-and-half-200", 120), 0.3, 256, 40, False),
        (named("one-and-256"), 0.4, 256, 1, True),
    ],
    ids=lambda value: value.name if isinstance(value, Workload) else None,
)
def test_algorithm_1_has_the_bits_of_the_cpu(xp, workload, load, first, count, warps):
    packed, plan = at_load(workload, load), observe.Plan(first, 1 << 13, 3, 4)
    batch = cuda.Batch(cuda.Device(xp, packed, SEED), plan.first, plan.most, count, warps)
    for base in (10**6, 10**6 + count):  # used again: nothing of the first may remain
        batch.restart(base)
        out, stopped = cuda.observe_batch(batch, seen_by(workload), count, plan)
        wanted, lengths = on_the_cpu(workload, packed, plan, base, count)
        np.testing.assert_array_equal(stopped, lengths)
        np.testing.assert_array_equal(out, wanted)


@pytest.mark.parametrize("warps", [False, True])
def test_waits_and_idle_servers_along_a_trajectory(xp, warps):
    packed, n, size = at_load(MIXED, 0.7), 1200, 2
    batch = cuda.Batch(cuda.Device(xp, packed, SEED), 1, 1, size, warps)
    batch.restart(5)
    slots = xp.arange(size, dtype=np.int64)
    batch.begin(slots, 0)
    wait, idle = xp.zeros((n, size)), xp.zeros((n, size))
    batch.travel(slots, 0, n, 1, None, (wait, idle))
    bench, walker = trajectory.new_bench(packed, chunk=2048), trajectory
    for k in range(size):
        runs.reset(bench.state, MIXED.servers, 0.0)
        for start, count in ((0, 1024), (1024, n - 1024)):
            walker.walk(packed, np.uint64(SEED), np.uint64(5 + k), bench, 1024, start, count, 1, trajectory.JOBS)
            np.testing.assert_array_equal(xp.asnumpy(wait)[start : start + count, k], bench.wait[:count])
            np.testing.assert_array_equal(xp.asnumpy(idle)[start : start + count, k], bench.idle[:count])


@pytest.mark.parametrize("warps", [False, True])
def test_piles_rise_as_on_the_cpu(xp, warps, monkeypatch):
    monkeypatch.setattr(cuda, "LAUNCH_LENGTH", 1024)
    size, ours = 2, pile.FirstComeFirstServed(MIXED, SEED)
    batch = cuda.Batch(cuda.Device(xp, ours.packed, SEED), 1, 1, size, warps)
    batch.restart(2**63)
    slots = xp.arange(size, dtype=np.int64)
    batch.begin(slots, 0)
    states = [ours.flat() for _ in range(size)]
    for first, jobs_ in ((0, 1300), (1300, 200)):
        rise, sums = batch.pile(slots, first, jobs_)
        for k, state in enumerate(states):
            wanted = np.zeros((len(MIXED.classes), 2))
            assert ours.run(state, 2**63 + k, first, jobs_, wanted) == rise[k]
            np.testing.assert_array_equal(sums[k], wanted)


def test_the_cut_into_launches_changes_nothing(xp, monkeypatch):
    workload = named("table2-erlang")
    packed, plan = at_load(workload, 0.6), observe.Plan(300, 1 << 12, 2, 4)
    found = []
    for length in (cuda.LAUNCH_LENGTH, 70):
        monkeypatch.setattr(cuda, "LAUNCH_LENGTH", length)
        batch = cuda.Batch(cuda.Device(xp, packed, SEED), plan.first, plan.most, 40)
        batch.restart(0)
        found.append(cuda.observe_batch(batch, seen_by(workload), 40, plan))
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one, other)


def test_samples_that_never_stop_are_said_to(xp):
    packed, plan = at_load(MIXED, 3.0), observe.Plan(64, 256, 1, 4)
    batch = cuda.Batch(cuda.Device(xp, packed, SEED), plan.first, plan.most, 20)
    batch.restart(0)
    out, stopped = cuda.observe_batch(batch, seen_by(MIXED), 20, plan)
    assert np.all(stopped == -256)
    np.testing.assert_array_equal(out, on_the_cpu(MIXED, packed, plan, 0, 20)[0])


# ----------------------------------------------------------------------------------------------- whole runs


def test_parts_drawn_on_gpus_make_the_run(xp, monkeypatch):
    pretend(monkeypatch, xp)
    asked = ["mjsre", {"workload": "table2-exponential", "rate": "0.4"}, 1100, 3, "gpu"]
    found, blocks = [model.Parts(k, 2) for k in (1, 2)], {}
    for parts in found:
        with pytest.raises(model.Drawn):
            model.sample(*asked, parts=parts)
        assert parts.blocks
        blocks |= parts.blocks
    joined, whole = model.sample(*asked, parts=model.Parts(0, 1, blocks, found[0].run)), model.sample(*asked)
    assert joined.backend == "cuda" and joined.estimates == whole.estimates


def test_a_backward_run_on_the_gpu_is_the_run_on_the_cpu(xp, monkeypatch, tmp_path):
    pretend(monkeypatch, xp)
    workload, arrivals = named("table2-exponential"), Exponential(1 / 1.0)
    plain = backward(workload, arrivals, 700, seed=3, first=128, device="numba")
    # memory for so few samples at once that there are many batches
    monkeypatch.setattr(cuda, "MOST_THREADS", 100)
    there = backward(workload, arrivals, 700, seed=3, first=128, device="gpu")
    assert there.backend == "cuda" and plain.backend == "numba"
    for name, estimate in plain.estimates.items():
        ours = there[name]
        assert (ours.value, ours.stderr, ours.interval) == (estimate.value, estimate.stderr, estimate.interval), name
    assert there.totals.lengths == plain.totals.lengths


def test_a_run_begun_on_a_gpu_ends_on_a_cpu(xp, monkeypatch, tmp_path):
    pretend(monkeypatch, xp)
    arguments = (named("table2-exponential"), Exponential(1.0), 3000)
    plain = backward(*arguments, first=128, device="numba")

    def stop(done, samples):
        if done >= 1024:
            raise KeyboardInterrupt

    where = tmp_path / "kept.npz"
    with pytest.raises(KeyboardInterrupt):
        backward(*arguments, first=128, device="gpu", checkpoint=where, progress=stop)
    ended = backward(*arguments, first=128, device="numba", checkpoint=where)
    assert {k: e.interval for k, e in ended.estimates.items()} == {k: e.interval for k, e in plain.estimates.items()}


@pytest.mark.parametrize("most_runs", [64, 4], ids=["threads", "warps"])
def test_a_forward_run_on_the_gpu_is_the_run_on_the_cpu(xp, monkeypatch, most_runs):
    pretend(monkeypatch, xp)
    monkeypatch.setattr(cuda, "THREAD_RUNS", most_runs)
    monkeypatch.setattr(cuda, "LAUNCH_LENGTH", 200)
    monkeypatch.setattr(cuda, "MOST_THREADS", 7)
    arguments = (MIXED, Exponential(2.0), 500)
    found = [forward(*arguments, samples=9, warmup=100, device=device) for device in ("numba", "gpu")]
    assert [f.backend for f in found] == ["numba", "cuda"]
    for name, estimate in found[0].estimates.items():
        np.testing.assert_equal(found[1][name].interval, estimate.interval, err_msg=name)
    np.testing.assert_array_equal(found[0].replications.counts, found[1].replications.counts)


def test_a_gpu_that_is_not_there_is_said_in_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    for run in (
        lambda: backward(MIXED, Exponential(2.0), 10, device="gpu"),
        lambda: forward(MIXED, Exponential(2.0), 10, 10, device="gpu"),
    ):
        with pytest.raises(DeviceError, match="no GPU") as caught:
            run()
        assert "\n" not in str(caught.value)
    assert backward(MIXED, Exponential(2.0), 10, first=64, device="auto").backend == "numba"


def test_memory_bounds_a_batch():
    packed, plan = at_load(named("cell-b"), 0.2), observe.Plan(1 << 13, 1 << 34, 0, 4)
    for free in (1 << 20, 1 << 30, 1 << 36):
        card = types.SimpleNamespace(memGetInfo=lambda free=free: (free, free))
        size = cuda.batch_size(types.SimpleNamespace(cuda=types.SimpleNamespace(runtime=card)), packed, plan, 64)
        rows = trajectory.mark_indices(plan.first, plan.most, 2050).size
        assert 1 <= size <= cuda.MOST_WARPS and (size == 1 or size * rows * 12 * 2049 <= free)


def test_too_many_runs_for_a_thread_are_refused(xp):
    packed = at_load(named("cell-b"), 0.2)
    with pytest.raises(ValueError, match="2048 runs do not fit"):
        cuda.Batch(cuda.Device(xp, packed, SEED), 64, 64, 2, warps=False)


# ------------------------------------------------------------------------------------ the stand-in and the compilers


OTHER = 7
"""How a process ends that has found other numbers."""


@needs_compiler
def test_a_warp_that_reads_too_late_is_caught(folder, monkeypatch):
    """The lane that moves a run up a heap must have read it before another lane may write there.

    What is read too late may be no count, and the program may go astray with it: so it runs in a process of its own.
    """
    late = cuda.source().replace(
        "heap.counts[hole] = servers_of_mine;", "heap.counts[hole] = heap.counts[servers_of_mine < 0 ? 0 : mine];"
    )
    assert late != cuda.source()
    monkeypatch.setattr(cuda, "source", lambda: late)
    packed, plan = at_load(MIXED, 0.5), observe.Plan(50, 200, 3, 4)
    wanted = on_the_cpu(MIXED, packed, plan, 0, 4)[0]

    def look() -> None:
        for turned in (False, True):
            batch = cuda.Batch(
                cuda.Device(stand_in(folder, turned=turned), packed, SEED), plan.first, plan.most, 4, True
            )
            batch.restart(0)
            if not np.array_equal(cuda.observe_batch(batch, seen_by(MIXED), 4, plan)[0], wanted):
                os._exit(OTHER)
        os._exit(0)

    apart = multiprocessing.get_context("fork").Process(target=look)
    apart.start()
    apart.join()
    assert apart.exitcode in (OTHER, -signal.SIGSEGV, -signal.SIGABRT, -signal.SIGBUS)


@needs_compiler
def test_lanes_that_do_not_meet_end_the_program(tmp_path):
    text = f"""
import sys; sys.path.insert(0, {HERE!r})
from pathlib import Path
from cuda_stand_in import HostModule
code = 'extern "C" __global__ void odd() {{ if (threadIdx.x != 7) __syncwarp(); }}'
HostModule(Path({str(tmp_path)!r}), code, ("--fmad=false",), False).get_function("odd")((1,), (32,), ())
"""
    ended = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    assert ended.returncode != 0 and "the lanes of a warp do not meet" in ended.stderr


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not there")
@pytest.mark.parametrize("card", ["sm_80", "sm_90"])
def test_nvcc_compiles_the_kernels_without_large_spills(tmp_path, card):
    source = tmp_path / "kernels.cu"
    source.write_text(cuda.source(), encoding="utf-8")
    command = [
        "nvcc",
        "-std=c++17",
        "--fmad=false",
        f"-arch={card}",
        "-cubin",
        "-Xptxas",
        "-v",
        "-o",
        str(tmp_path / "k.cubin"),
        str(source),
    ]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    assert "warning" not in said
    spilled = [
        int(line.split(" bytes spill stores")[0].split()[-1]) for line in said.splitlines() if "spill stores" in line
    ]
    registers = [int(line.split("Used ")[1].split()[0]) for line in said.splitlines() if "Used " in line]
    assert spilled and max(spilled) <= 64 and max(registers) <= 96
