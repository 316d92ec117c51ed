"""Table 1 of the multiserver-job paper with asymp's samplers: do the 99% intervals hold the exact waits, and where is there bias?

    python -m benchmarks.table1 [--loads 0.1 0.9] [--samples N] [--processes N] [--keep FOLDER] [--output FILE.md]

256 servers; one job in 1000 needs all of them, for 40 s in the mean, the others one, for 1 s.  At each load, a fraction of the
exact threshold, the exact mean wait (certified, :mod:`asymp.queues.one_and_n_queue`) beside what is sampled:

1. Algorithm 1, its first l chosen by a pilot (the default).
2. Algorithm 1 from l = 10000, as in the paper.
3. Forward from an empty system, the wait of the job that comes after 50,000: on average 50 of these need all servers, as in
   the paper, whose public code looks at the workload after the last job.
4. Forward, the mean over these 50,000 jobs, none left out.
5. Forward, 10^6 jobs a sample, half of them warm-up.
6. Perfect samples up to load 0.6, and on the same jobs Algorithm 1 from l = 10000: its bias without the noise of two runs.

Every run has a seed of its own, so that errors at different loads are independent.  Times are processor time of one
thread, compilation left out, pilots and calibrations included.
"""

from __future__ import annotations

import argparse
import math
import pickle
import platform
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from scipy.special import chdtrc

from asymp.papers.mjsre.table1 import TABLE_1, Row
from asymp.queues.laws import Exponential
from asymp.queues.one_and_n_queue import OneAndNQueue, capacity
from asymp.queues.workload import named
from asymp.sample.estimate import Estimate
from asymp.sample.forward import Forward
from asymp.sample.multiserver import Sampled, backward, forward
from benchmarks.early_stopping import Comparison, compare
from benchmarks.multiserver import processor, table

QUEUE = (256, Fraction(1, 1000), 1, Fraction(1, 40))
THRESHOLD = capacity(*QUEUE)
WORKLOAD = named("one-and-256")
LOADS = tuple(Fraction(k, 10) for k in range(1, 10))
PAPER_FIRST, PAPER_SAMPLES, PAPER_JOBS = 10_000, 4000, 50_000
"""The paper's l; samples from it (its own intervals are those of about 10,000); its jobs of a forward sample."""
LONG_JOBS = 1_000_000
FORWARD_SAMPLES, AFTER_SAMPLES, LONG_SAMPLES = 1000, 2000, 50
OWN_SAMPLES = ((Fraction("0.7"), 3000), (Fraction("0.8"), 1500))
"""Up to each load."""
PERFECT_SAMPLES = ((Fraction("0.1"), 3000), (Fraction("0.2"), 1500), (Fraction("0.3"), 700), (Fraction("0.4"), 400),
                   (Fraction("0.5"), 200), (Fraction("0.6"), 100))  # fmt: skip
"""Up to each load; none above: a sample then takes seconds."""
SEED = 20_000


@dataclass(frozen=True)
class Timed:
    """A run and its processor time."""

    found: Sampled | Forward | Comparison
    seconds: float

    @property
    def waiting(self) -> Estimate:
        """The mean wait of all jobs."""
        return self.found.waiting if isinstance(self.found, Comparison) else self.found["waiting-mean"]


def exact_wait(load: Fraction) -> Fraction:
    """The mean wait of all jobs, certified to 12 digits."""
    return Fraction(OneAndNQueue(*QUEUE, THRESHOLD * load).enclose(12).waiting.mean.value)


def arrivals(load: Fraction) -> Exponential:
    """The law of interarrival times at a fraction of the threshold."""
    return Exponential(1 / float(THRESHOLD * load))


def covers(estimate: Estimate, exact: Fraction | float) -> bool:
    """Whether the interval holds the exact value."""
    return estimate.interval[0] <= exact <= estimate.interval[1]


def score(estimate: Estimate, exact: Fraction | float) -> float:
    """Standard errors by which an estimate is above the exact value."""
    return (estimate.value - float(exact)) / estimate.stderr


def default_samples(load: Fraction) -> int:
    """Samples with the default l that take some seconds of a core (at 0.9 two minutes)."""
    return next((samples for most, samples in OWN_SAMPLES if load <= most), 400)


def perfect_samples(load: Fraction) -> int:
    """Perfect samples that take some seconds; 0 where a sample alone does."""
    return next((samples for most, samples in PERFECT_SAMPLES if load <= most), 0)


def seed_of(load: Fraction, method: int) -> int:
    """Seeds that differ from load to load and method to method."""
    return SEED + 1000 * method + int(load * 1000)


def timed(run: Callable[[], Sampled | Forward | Comparison]) -> Timed:
    """A run with its processor time."""
    start = time.process_time()
    found = run()
    return Timed(found, time.process_time() - start)


def own_length(load: Fraction, samples: int, level: float = 0.99) -> Timed:
    """Algorithm 1 with the l of its pilot."""
    return timed(lambda: backward(WORKLOAD, arrivals(load), samples, seed_of(load, 1), level=level, device="cpu"))


def paper_length(load: Fraction, samples: int = PAPER_SAMPLES, level: float = 0.99) -> Timed:
    """Algorithm 1 with the l of the paper."""
    return timed(
        lambda: backward(WORKLOAD, arrivals(load), samples, seed_of(load, 2), PAPER_FIRST, level=level, device="cpu")
    )


def from_empty(load: Fraction, samples: int = FORWARD_SAMPLES, level: float = 0.99) -> Timed:
    """Forward as in the paper."""
    return timed(
        lambda: forward(WORKLOAD, arrivals(load), PAPER_JOBS, samples, seed=seed_of(load, 3), level=level, device="cpu")
    )


def after_jobs(load: Fraction, samples: int = AFTER_SAMPLES, level: float = 0.99) -> Timed:
    """The wait of the one job that comes after so many: what the paper's forward code looks at."""
    return timed(
        lambda: forward(
            WORKLOAD, arrivals(load), PAPER_JOBS + 1, samples, PAPER_JOBS, seed_of(load, 6), level, device="cpu"
        )
    )


def warmed_up(load: Fraction, samples: int = LONG_SAMPLES, level: float = 0.99) -> Timed:
    """Forward, the first half of a long run left out."""
    return timed(
        lambda: forward(
            WORKLOAD, arrivals(load), LONG_JOBS, samples, LONG_JOBS // 2, seed_of(load, 4), level, device="cpu"
        )
    )


def beside_perfect(load: Fraction, samples: int) -> Timed:
    """Perfect samples, and the paper's l on the same jobs."""
    return timed(lambda: compare(WORKLOAD, arrivals(load), samples, [PAPER_FIRST], seed_of(load, 5)))


# --- tables -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    """What was found at a load."""

    load: Fraction
    exact: Fraction
    runs: dict[str, Timed]

    @property
    def printed(self) -> Row | None:
        """The paper's row."""
        return next((row for row in TABLE_1 if Fraction(row.tenths, 10) == self.load), None)


METHODS = ("own", "paper", "after", "empty", "warm", "perfect")


def measure(load: Fraction, samples: int | None = None, folder: Path | None = None) -> Line:
    """All methods at a load; ``samples`` of the first two if given.  Runs kept in the folder are not repeated."""
    kept = folder / f"{float(load):g}-{samples}.pickle" if folder is not None else None
    line = Line(load, exact_wait(load), {})
    if kept is not None and kept.exists():
        with kept.open("rb") as file:
            line = pickle.load(file)
    plan: dict[str, Callable[[], Timed]] = {
        "own": lambda: own_length(load, samples or default_samples(load)),
        "paper": lambda: paper_length(load, samples or PAPER_SAMPLES),
        "after": lambda: after_jobs(load),
        "empty": lambda: from_empty(load),
        "warm": lambda: warmed_up(load),
    }
    if count := perfect_samples(load):
        plan["perfect"] = lambda: beside_perfect(load, count)
    for name, run in plan.items():
        if name not in line.runs:
            warm()
            line.runs[name] = run()
            if kept is not None:
                kept.write_bytes(pickle.dumps(line))
    return line


def interval(estimate: Estimate, digits: int = 2) -> str:
    """An interval as the paper prints them."""
    low, high = estimate.interval
    return f"[{low:.{digits}f}, {high:.{digits}f}]"


def shared(line: Line, name: str) -> list[str]:
    """Cells that every method has."""
    run = line.runs[name]
    wait = run.waiting
    inside = "yes" if covers(wait, line.exact) else "**no**"
    cells = [f"{float(line.load):g}", f"{float(line.exact):.4f}", f"{wait.value:.2f}", interval(wait), inside]
    return [*cells, f"{score(wait, line.exact):+.1f}", f"{wait.size:,}", f"{run.seconds:.1f}"]


HEAD = ["load", "exact", "estimate", "99% interval", "holds it", "z", "samples", "CPU s"]


def of_algorithm_1(line: Line, name: str) -> list[str]:
    """A line of the tables of Algorithm 1."""
    found = line.runs[name].found
    assert isinstance(found, Sampled)
    bias = found["early-stopping-bias"]
    lengths = found.totals.lengths
    stopped = ", ".join(f"{length:,}: {n / found.totals.size:.3g}" for length, n in sorted(lengths.items()))
    changed = f"{int(found.totals.continued[1])} of {int(found.totals.continued[0]):,}"
    printed = ["-", "-", "-"]
    if line.printed is not None:
        theirs = line.printed.backward
        printed = [f"{float(theirs.value):.2f}", f"[{float(theirs.low):.2f}, {float(theirs.high):.2f}]"]
        printed.append(str(theirs.seconds))
    measured = [changed, f"{bias.value:.2g}", interval(bias)]
    return [*shared(line, name), stopped, *measured, *printed]


def of_forward(line: Line, name: str) -> list[str]:
    """A line of the tables of forward runs."""
    if line.printed is None:
        return [*shared(line, name), "-", "-", "-"]
    theirs = line.printed.forward
    printed = [
        f"{float(theirs.value):.2f}",
        f"[{float(theirs.low):.2f}, {float(theirs.high):.2f}]",
        str(theirs.seconds),
    ]
    return [*shared(line, name), *printed]


def of_perfect(line: Line) -> list[str]:
    """A line of the table of perfect samples."""
    found = line.runs["perfect"].found
    assert isinstance(found, Comparison)
    early = found.early[0]
    wrong = (
        f"{round(early.wrong.value * early.wrong.size)} of {early.wrong.size:,}, at most {early.wrong.interval[1]:.2g}"
    )
    bias = f"{early.bias.value:.2g} {interval(early.bias)}" if early.wrong.value else "0 seen"
    return [*shared(line, "perfect"), f"{found.jobs:,.0f}", str(found.unmet), wrong, bias]


def summary(lines: Sequence[Line], name: str) -> str:
    """How many intervals hold the exact waits, and whether the misses and scores are those of chance."""
    waits = [(line.runs[name].waiting, line.exact) for line in lines if name in line.runs]
    n, inside = len(waits), sum(covers(*pair) for pair in waits)
    scores = np.array([score(*pair) for pair in waits])
    square = float(np.sum(scores**2))
    return (
        f"{inside} of {n} intervals hold the exact wait.  Of {n} valid ones at least one misses with probability "
        f"{1 - 0.99**n:.1%}.  Largest |z| {np.max(np.abs(scores)):.1f}; sum of squares {square:.1f}, which {n} independent "
        f"standard normal scores exceed with probability {chdtrc(n, square):.2g}; mean z {scores.mean():+.2f} (standard "
        f"error {1 / math.sqrt(n):.2f})."
    )


TITLES = {
    "own": "Algorithm 1, l chosen by a pilot (the default)",
    "paper": f"Algorithm 1 from l = {PAPER_FIRST}, as in the paper",
    "after": f"Forward, the wait of the job after {PAPER_JOBS:,} from an empty system, as in the paper",
    "empty": f"Forward, {PAPER_JOBS:,} jobs from an empty system, all counted",
    "warm": f"Forward, {LONG_JOBS:,} jobs from an empty system, the first half not counted",
    "perfect": f"Perfect samples, and Algorithm 1 from l = {PAPER_FIRST} on the same jobs",
}
STOPS = ["stopped at 2l: share", "changed when continued 4-fold", "change of the mean", "its 99% interval"]
BACKWARD_HEAD = [*HEAD, *STOPS, "printed BWD", "its interval", "its s (GPU)"]
FORWARD_HEAD = [*HEAD, "printed FWD", "its interval", "its s (GPU)"]
PERFECT_HEAD = [*HEAD, "jobs a sample", "not certified", f"l = {PAPER_FIRST} stops wrongly", "bias of its mean"]


def report(lines: Sequence[Line]) -> list[str]:
    """The tables, each with its summary."""
    parts = []
    for name in METHODS:
        here = [line for line in lines if name in line.runs]
        if not here:
            continue
        if name == "perfect":
            text = table(PERFECT_HEAD, [of_perfect(line) for line in here])
        elif name in ("own", "paper"):
            text = table(BACKWARD_HEAD, [of_algorithm_1(line, name) for line in here])
        else:
            text = table(FORWARD_HEAD, [of_forward(line, name) for line in here])
        parts.append(f"## {TITLES[name]}\n\n{text}\n\n{summary(here, name)}")
    return parts


@cache
def warm() -> None:
    """Have everything compiled."""
    load = Fraction("0.1")
    own_length(load, 2)
    from_empty(load, 2)
    beside_perfect(load, 2)


def main() -> None:
    """Print the tables, and write them where they are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--loads", nargs="+", type=Fraction, default=LOADS, help="fractions of the threshold")
    parser.add_argument("--samples", type=int, help="of Algorithm 1, at every load")
    parser.add_argument("--processes", type=int, default=1, help="loads that are run at a time")
    parser.add_argument("--keep", type=Path, help="a folder of finished runs: what is interrupted goes on from them")
    parser.add_argument("--output", type=Path, help="a Markdown file")
    options = parser.parse_args()
    if not all(0 < load < 1 for load in options.loads):
        parser.error("loads must lie strictly between 0 and 1")
    lines = []
    with ProcessPoolExecutor(options.processes, get_context("spawn")) as pool:
        # the longest first
        pending = [
            pool.submit(measure, load, options.samples, options.keep) for load in sorted(options.loads, reverse=True)
        ]
        for done in as_completed(pending):
            lines.append(done.result())
            times = ", ".join(f"{name} {run.waiting} ({run.seconds:.1f} s)" for name, run in lines[-1].runs.items())
            found = f"{float(lines[-1].load):g}: exact {float(lines[-1].exact):.6f}; {times}"
            print(found, file=sys.stderr, flush=True)
    lines.sort(key=lambda line: line.load)
    spent = sum(run.seconds for line in lines for run in line.runs.values())
    command = "python -m benchmarks.table1" + (f" --samples {options.samples}" if options.samples else "")
    if options.processes != 1:
        command += f" --processes {options.processes}"
    if tuple(options.loads) != LOADS:
        command += " --loads " + " ".join(f"{float(load):g}" for load in options.loads)
    head = (
        f"`{command}` with Python {platform.python_version()}, NumPy {np.__version__}: {processor()}, one thread a run, "
        f"{spent:.0f} s of processor time.\n\n256 servers, one job in 1000 needs all of them; loads are fractions of the "
        f"threshold {float(THRESHOLD):.6f}, which is exact, as are the waits to the digits given."
    )
    text = "\n\n".join([f"# Table 1, {time.strftime('%Y-%m-%d')}", head, *report(lines)])
    print(text)
    if options.output:
        options.output.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
