"""Jobs per second of the multiserver-job sampler, against the paper's public code on the same work in the same run.

    python benchmarks/multiserver.py [--device cpu|gpu] [--peer PATH] [--plot FILE.png] [--output FILE.md] [--quick]

PATH is a checkout of github.com/UniVe-NeDS-Lab/MJSRE; without it that part is skipped.  On a CPU its CuPy calls are replaced by
NumPy's, as the code itself does where CuPy is missing.  Times are processor times of one thread, random numbers
included and compilation not; machines differ, ratios within a run are what to read.

1. A long trajectory: jobs drawn and served, a second.
2. The same work for both: N trajectories of l jobs from an empty system, and what job 0 would wait.
3. Algorithm 1 for both: N samples, the same first l.  The public code runs a batch until all of it has stopped, in float32.
4. The cost of a job against the number of servers, 10 to 10^6.
5. Thresholds of the paper's Table 2 workloads to 3 digits.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import platform
import statistics
import sys
import tempfile
import time
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from asymp.queues.laws import Exponential
from asymp.queues.workload import ServerNeed, Workload, named
from asymp.sample import cuda, observe, trajectory
from asymp.sample.backend import Backend, DeviceError, backend
from asymp.sample.packed import Packed, pack
from asymp.sample.runs import block_length
from asymp.sample.stability import threshold

LOAD = 0.75
SEED = 1


@dataclass(frozen=True)
class Case:
    """A workload of the comparison: N trajectories of l jobs.

    ``doubling``: whether Algorithm 1 is compared too.  On many servers the public code, which runs a batch until all of it has
    stopped, would take hours.
    """

    name: str
    samples: int
    length: int
    doubling: bool


CASES = (
    Case("table2-exponential", 1024, 2048, True),
    Case("one-and-256", 128, 2048, False),
    Case("cell-b", 32, 1024, False),
)
TABLE_2 = ("table2-exponential", "table2-erlang", "table2-hyperexponential", "table2-bounded-pareto")


def seconds(run: Callable[[], object], repeats: int) -> float:
    """The median processor time of some repeats."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return statistics.median(times)


def elapsed(run: Callable[[], object], repeats: int) -> float:
    """The median time on the wall of some repeats: what counts where a GPU works."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


# ------------------------------------------------------------------------------------------------------ asymp, CPU


class Walk:
    """A trajectory that goes on: jobs drawn and served by the compiled kernels."""

    def __init__(self, packed: Packed) -> None:
        self.packed, self.block = packed, block_length(int(packed.servers))
        self.bench, self.walker, self.index = trajectory.new_bench(packed), trajectory, 0

    def run(self, jobs: int) -> None:
        """So many more jobs."""
        ours = (self.packed, np.uint64(SEED), np.uint64(0), self.bench, self.block)
        self.walker.walk(*ours, self.index, jobs, 1, trajectory.JOBS)
        self.index += jobs


def nanoseconds_a_job(packed: Packed, warm: int, budget: float, repeats: int = 5) -> float:
    """The cost of a job once ``warm`` jobs have filled the system."""
    walk = Walk(packed)
    walk.run(1024)
    start = time.process_time()
    walk.run(warm)
    jobs = max(1024, int(warm * budget / max(time.process_time() - start, 1e-6)))
    return seconds(lambda: walk.run(jobs), repeats) / jobs * 1e9


def samples_on_cpu(workload: Workload, packed: Packed, plan: observe.Plan, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Observations and stopping lengths of samples 0, 1, ..."""
    view = observe.view(workload)
    bench = trajectory.new_bench(packed, plan.first, plan.most)
    out, stopped = np.empty((count, len(workload.classes) + len(observe.EXTRA))), np.empty(count, np.int64)
    block = block_length(workload.servers)
    observe.observe(packed, view, np.uint64(SEED), 0, count, bench, block, plan, out, stopped)
    return out, stopped


# ------------------------------------------------------------------------------------------------- the public code


@contextlib.contextmanager
def public_code(path: Path, there: Backend) -> Iterator[Any]:
    """Its two samplers and the exponential law; on a CPU ``cupy`` means NumPy while they are imported."""
    if there.name == "numpy":
        alias = types.ModuleType("cupy")
        alias.__dict__.update({k: v for k, v in vars(np).items() if not k.startswith("__")}, asnumpy=np.asarray)
        sys.modules["cupy"] = alias
    sys.path.insert(0, str(path))
    try:
        backward = importlib.import_module("modsgen.perfsampl_backward")
        forward = importlib.import_module("modsgen.perfsampl_forward")
        law = importlib.import_module("modsgen.distros").compute_sigmas_exp
        yield types.SimpleNamespace(backward=backward, forward=forward, law=law)
    finally:
        sys.path.remove(str(path))
        if there.name == "numpy":
            del sys.modules["cupy"]


def run_public(peer: Any, way: str, workload: Workload, rate: float, case: Case) -> Callable[[], None]:
    """Its ``perfect_sampling`` on a workload of exponential classes, all samples in one batch."""
    # Chunks for which its arrays (samples, servers, jobs) stay within some tens of megabytes.
    chunk = min(case.length, max(1, 1 << int(np.log2((1 << 23) / case.samples / workload.servers))))
    means = np.array([c.service.mean for c in workload.classes])

    def run() -> None:
        with tempfile.TemporaryDirectory() as folder:
            getattr(peer, way).perfect_sampling(
                chunk, case.length, workload.servers, case.samples, np.array(workload.needs),
                np.array(workload.probabilities), rate, str(Path(folder) / "out.csv"), peer.law, {"mus": 1 / means},
                default_seed=SEED, batch_size=case.samples,
            )  # fmt: skip

    return run


# --------------------------------------------------------------------------------------------------------- parts


def compare(case: Case, rate: float, peer: Any, there: Backend, quick: bool) -> list[str]:
    """Parts 1 to 3 of one workload, as cells of a table."""
    workload = named(case.name)
    packed = pack(workload, Exponential(1 / rate))
    once, whole = observe.Plan(case.length, case.length, 0, 1), observe.Plan(case.length, 1 << 34, 0, 1)
    clock = seconds if there.name == "numpy" else elapsed
    if there.name == "numpy":
        speed = 1e9 / nanoseconds_a_job(packed, 1 << 16 if quick else 1 << 20, 0.1 if quick else 0.5)

        def ours(plan: observe.Plan) -> Callable[[], object]:
            return lambda: samples_on_cpu(workload, packed, plan, case.samples)
    else:
        speed = speed_on_gpu(there, packed)
        view = observe.view(workload)

        def ours(plan: observe.Plan) -> Callable[[], object]:
            batch = cuda.Batch(cuda.Device(there.xp, packed, SEED), plan.first, plan.most, case.samples)

            def run() -> None:
                batch.restart(0)
                cuda.observe_batch(batch, view, case.samples, plan)

            return run

    repeats = 1 if quick else 3
    cells = [case.name, str(workload.servers), f"{rate:.4g}", f"{speed / 1e6:.2f}"]
    for way, plan in (("forward", once), ("backward", whole)):
        if way == "backward" and not case.doubling:
            return [*cells, "-", "-", "-"]
        run = ours(plan)
        run()  # compiled
        own = clock(run, 2 * repeats + 1)
        cells.append(f"{own:.3g}")
        if peer is None:
            cells += ["-"] * (3 if way == "forward" else 2)
            continue
        theirs = clock(run_public(peer, way, workload, rate, case), 1 if way == "backward" else repeats)
        cells += [f"{theirs:.3g}", f"{theirs / own:.0f}"]
        if way == "forward":
            cells.append(f"{case.samples * case.length / theirs / 1e6:.3g}")
    return cells


def speed_on_gpu(there: Backend, packed: Packed, jobs: int = 1 << 14) -> float:
    """Jobs a second of a full batch of trajectories on the GPU."""
    xp = there.xp
    size = cuda.batch_size(xp, packed, observe.Plan(1, 1, 0, 1), 1)
    batch = cuda.Batch(cuda.Device(xp, packed, SEED), 1, 1, size)
    slots = xp.arange(size, dtype=np.int64)
    batch.begin(slots, 0)
    batch.travel(slots, 0, 1024, 1)

    def run() -> None:
        batch.travel(slots, 1024, jobs, 1)
        xp.cuda.runtime.deviceSynchronize()

    run()
    return size * jobs / elapsed(run, 5)


def family(servers: int) -> dict[str, Workload]:
    """Two workloads on any number of servers: the 5 classes of Table 2 with needs that grow with s (few runs), and
    single servers with rare jobs of a tenth of the servers, half of the work each (about s/4 runs)."""
    five = named("table2-exponential")
    wide = tuple(ServerNeed(max(1, c.servers * servers // 20), c.probability, c.service) for c in five.classes)
    big = servers // 10
    share = 1 / (big + 1)
    mixed = (ServerNeed(1, 1 - share, Exponential(1.0)), ServerNeed(big, share, Exponential(1.0)))
    if big == 1:
        mixed = (ServerNeed(1, 1.0, Exponential(1.0)),)
    return {"needs that grow with s": Workload(servers, wide), "1 and s/10": Workload(servers, mixed)}


def costs(quick: bool) -> dict[str, list[tuple[int, float, int]]]:
    """Of each family (servers, nanoseconds a job, runs), at half of the rate that full servers could do."""
    found: dict[str, list[tuple[int, float, int]]] = {}
    sizes = (
        [10, 100, 1000, 10**4] if quick else [10, 30, 100, 300, 1000, 3000, 10**4, 3 * 10**4, 10**5, 3 * 10**5, 10**6]
    )
    for servers in sizes:
        for name, workload in family(servers).items():
            packed = pack(workload, Exponential(2 / workload.ideal_rate))
            walk = Walk(packed)
            walk.run(1024)
            warm = max(1 << 16, 4 * servers)
            walk.run(warm)
            jobs = 1 << (16 if quick else 20)
            cost = seconds(lambda walk=walk, jobs=jobs: walk.run(jobs), 3) / jobs * 1e9
            found.setdefault(name, []).append((servers, cost, int(walk.bench.state.level[0])))
    return found


def plot(found: dict[str, list[tuple[int, float, int]]], path: Path) -> None:
    """Cost against servers."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    for (name, rows), style in zip(found.items(), ("o-", "s--"), strict=True):
        axes.plot([r[0] for r in rows], [r[1] for r in rows], style, label=name, markersize=4)
    axes.set(xscale="log", ylim=(0, None), xlabel="servers s", ylabel="nanoseconds a job, one core")
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.legend(frameon=False)
    figure.savefig(path, dpi=150)


def processor() -> str:
    """The processor's name."""
    with contextlib.suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
        clocks = [float(line.split(":", 1)[1]) for line in lines if line.startswith("cpu MHz")]
        if names:
            return f"{names[0]}, {clocks[0] / 1000:.1f} GHz" if clocks else names[0]
    return platform.processor() or platform.machine()


def table(head: list[str], rows: list[list[str]]) -> str:
    """A Markdown table."""
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows])


def main() -> None:
    """Print the tables, and write them where they are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", choices=("cpu", "gpu"), default="cpu")
    parser.add_argument("--peer", type=Path, help="a checkout of the paper's public code")
    parser.add_argument("--plot", type=Path, help="a PNG file of the cost against s")
    parser.add_argument("--output", type=Path, help="a Markdown file")
    parser.add_argument("--quick", action="store_true", help="less work: a minute, rough")
    options = parser.parse_args()
    try:
        there = backend(options.device)
    except DeviceError as reason:
        sys.exit(str(reason))
    parts = [f"# Multiserver jobs, {time.strftime('%Y-%m-%d')}"]

    def show(text: str) -> None:
        parts.append(text)
        print(text + "\n", flush=True)

    where = f"{processor()}, one thread, processor time" if options.device == "cpu" else f"{there.device}, wall time"
    show(
        f"`python benchmarks/multiserver.py` with Python {platform.python_version()}, NumPy {np.__version__}: {where}."
    )
    rates = {case.name: LOAD * threshold(named(case.name), rel=0.01, most=3 * 10**7).value for case in CASES}
    with contextlib.ExitStack() as stack:
        peer = stack.enter_context(public_code(options.peer, there)) if options.peer else None
        if peer is None:
            show("(The public code is not compared: `--peer PATH` names a checkout of it.)")
        rows = []
        for case in CASES:
            rows.append(compare(case, rates[case.name], peer, there, options.quick))
            print(*rows[-1], sep="  ", flush=True)
    head = ["workload", "servers", "rate", "asymp, million jobs/s", "N x l once: asymp, s", "public code, s", "ratio"]
    head += ["public code, million jobs/s"]
    head += ["Algorithm 1: asymp, s", "public code, s", "ratio"]
    show(f"## Speed at {LOAD:.0%} of the threshold\n\n" + table(head, rows))
    work = ", ".join(f"{c.samples} x {c.length} ({c.name})" for c in CASES)
    show(f"N x l: {work}.  From an empty system; compiled before; random numbers included; medians.")
    show("The public code: float32, all samples in one batch, which runs until all of them have stopped.")
    if options.device == "cpu":
        found = costs(options.quick)
        lines = [
            [f"{servers:,}", *(f"{rows[k][1]:.0f} ({rows[k][2]:,})" for rows in found.values())]
            for k, (servers, _, _) in enumerate(next(iter(found.values())))
        ]
        show(
            "## Cost of a job against s\n\nNanoseconds, and runs held, at half of the ideal rate.\n\n"
            + table(["s", *found], lines)
        )
        if options.plot:
            plot(found, options.plot)
        lines = []
        for name in TABLE_2 if not options.quick else TABLE_2[:1]:
            start = time.process_time()
            estimate = threshold(named(name))
            low, high = estimate.interval
            cells = [name, f"{estimate.value:.5f}", f"[{low:.5f}, {high:.5f}]", f"{estimate.jobs / 1e6:.0f}"]
            lines.append([*cells, f"{time.process_time() - start:.1f}"])
        show("## Thresholds\n\n" + table(["workload", "threshold", "99% interval", "million jobs", "s"], lines))
    if options.output:
        options.output.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
