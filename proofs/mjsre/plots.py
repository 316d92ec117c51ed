"""Figures 2 to 7 as far as their data exist: the paper prints them as images, so their numbers are computed anew.

Forward runs of moderate size; the thresholds are those of :mod:`asymp.papers.mjsre.samples`.  Figure 7(b) is for the 26
classes of the public file of cell B, which are not the 17 of the paper's Figure 7(a).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from asymp.export.plot import Figure, Later, Panel, Series
from asymp.papers.mjsre import two_class
from asymp.papers.mjsre.notation import SERVERS, TABLE_2
from asymp.papers.mjsre.samples import LAWS, seed_of

if TYPE_CHECKING:
    from asymp.sample.forward import Forward

RATES = (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.75)
"""Arrival rates of figures 2(b) to 6; a law has those below 0.97 of its threshold."""
NEAR = 0.97
REPLICATIONS, JOBS, LONGER = 64, 1 << 16, {"bounded-pareto": 2, "hyperexponential": 4}
COLOURS = {"erlang": "blue", "exponential": "green", "bounded-pareto": "orange", "hyperexponential": "purple"}
WORDS = {
    "erlang": "Erlang-3",
    "exponential": "exponential",
    "bounded-pareto": "bounded Pareto",
    "hyperexponential": "hyperexponential",
}
CLASS_COLOURS = ("green", "orange", "purple", "black", "blue")
MEASURES = {
    "waiting-mean": ("mean waiting time", "seconds"),
    "waiting-variance": ("variance of waiting times", "seconds$^2$"),
    "waiting-p90": ("90th percentile of waiting times", "seconds"),
}
X_RATE = r"job arrival rate $\lambda$ (jobs a second)"
DENSITY_RATE = 1.2
CELL_LOADS = (0.2, 0.4, 0.6, 0.75, 0.85)


def figures() -> dict[str, Figure]:
    """By name; nothing is computed before a figure is looked at."""
    return {
        "figure-2a": _figure_2a(),
        "figure-2b": _figure_2b(),
        "figure-2c": _figure_2c(),
        "figure-3": _by_class(3, "exponential"),
        "figure-4": _by_class(4, "hyperexponential"),
        "figure-5": _by_law(5, 0),
        "figure-6": _by_law(6, 4),
        "figure-7b": _figure_7b(),
    }


# --- what is computed --------------------------------------------------------------------------


@lru_cache(maxsize=128)
def curve_point(law: str, rate: float) -> Forward:
    """The system with five classes at a rate, from forward runs."""
    from asymp.queues.laws import Exponential
    from asymp.queues.workload import named
    from asymp.sample.multiserver import forward

    jobs = JOBS * LONGER.get(law, 1)
    workload, gap = named(f"table2-{law}"), Exponential(1 / rate)
    seed = seed_of("figure", law, rate)
    return forward(workload, gap, jobs, REPLICATIONS, warmup=jobs // 4, seed=seed, device="cpu")


@lru_cache(maxsize=32)
def critical(name: str) -> float:
    """lambda_c of a shipped workload, to 0.5%."""
    from asymp.queues.workload import named
    from asymp.sample import stability

    return stability.threshold(named(name), seed_of(name), rel=5e-3, most=2 * 10**7).value


def rates(law: str) -> list[float]:
    """The rates at which a law is drawn."""
    return [rate for rate in RATES if rate < NEAR * critical(f"table2-{law}")]


def _values(law: str, name: str, positive: bool = True) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """(rates, estimates); where the axis is logarithmic, zeros are left out."""
    found = [(rate, curve_point(law, rate)[name].value) for rate in rates(law)]
    kept = [pair for pair in found if pair[1] > 0 or not positive]
    return tuple(x for x, _ in kept), tuple(y for _, y in kept)


def _limit(at: float, lines: Sequence[Series], colour: str, label: str) -> Series:
    """The vertical bar at a threshold, as high as the curves."""
    heights = [float(y) for line in lines for y in line.ys]
    return Series(label, colour, (at, at), (min(heights), max(heights)), "none", "--")


# --- figure 2 -------------------------------------------------------------------------------------

SAMPLED_TIMES = (0.005, 0.02, 0.08, 0.17, 0.4, 1.0, 4.0, 16.0)


def _figure_2a() -> Figure:
    return Figure(
        "Figure 2(a): $s = 200$, jobs of 1 and 100 servers, saturated",
        "mean service time of big jobs (small jobs: 1)",
        Later(lambda: [_panel_2a()]),
        caption="Mean number of wasted servers: exact (product form), and s - lambda_c E[alpha sigma] with the sampled threshold.",
    )


def _panel_2a() -> Panel:
    points = two_class.curve()
    exact = Series(
        "exact", "purple", tuple(float(x) for x, _ in points), tuple(float(y) for _, y in points), marker="none"
    )
    sampled = Series("pile, sampled", "orange", SAMPLED_TIMES, tuple(map(saturated_waste, SAMPLED_TIMES)), line="none")
    return Panel("wasted servers in saturation", (exact, sampled), "servers", y_log=False)


@lru_cache(maxsize=16)
def saturated_waste(mean_big: float) -> float:
    """s - lambda_c E[alpha sigma] for figure 2(a), from the sampled threshold."""
    from asymp.queues.workload import half_and_half
    from asymp.sample import stability

    workload = half_and_half(mean_big)
    found = stability.threshold(workload, seed_of(mean_big), rel=5e-3, most=10**7)
    return workload.servers - found.value * workload.mean_demand


def _figure_2b() -> Figure:
    return Figure(
        "Figure 2(b): five classes, $s = 20$",
        X_RATE,
        Later(lambda: [_panel_2b()]),
        x_log=False,
        caption="Mean number of servers wasted by HOL blocking.  At the threshold all waste is HOL blocking's: s - lambda_c "
        "E[alpha sigma] (hollow).",
    )


def _panel_2b() -> Panel:
    from asymp.queues.workload import named

    lines = []
    for law in LAWS:
        lines.append(Series(WORDS[law], COLOURS[law], *_values(law, "wasted-hol", positive=False)))
        edge = critical(f"table2-{law}")
        waste = SERVERS - edge * named(f"table2-{law}").mean_demand
        lines.append(Series("", COLOURS[law], (edge,), (waste,), line="none", filled=False))
    return Panel("servers wasted by HOL blocking", tuple(lines), "servers", y_log=False)


def _figure_2c() -> Figure:
    return Figure(
        f"Figure 2(c): bounded Pareto service times, $\\lambda = {DENSITY_RATE}$",
        "waiting time (seconds)",
        Later(lambda: [_panel_2c()]),
        caption="Density of positive waiting times by class.  The rate of the paper's figure is not given.",
    )


def density(law: str, rate: float, c: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """(middles, densities) of the waiting times of class c, in bins of a quarter of an octave."""
    from asymp.sample.sketch import Sketch

    found = curve_point(law, rate).replications
    counts = found.counts[:, c].sum(axis=0)
    bits = int(np.log2((counts.size - 1) // 80))  # bins of an octave: 2^bits
    sketch = Sketch(found.scale, counts, bits)
    group = 1 << (bits - 2)
    starts = np.arange(1, counts.size - group, group)
    share = np.add.reduceat(counts[1:], starts - 1)[: starts.size] / counts.sum()
    low, high = sketch.edges(starts), sketch.edges(starts + group)
    kept = (share * counts.sum() >= 50) & (low > 0.05)  # where there is something to see
    middles, densities = np.sqrt(low * high)[kept], (share / (high - low))[kept]
    return tuple(middles.tolist()), tuple(densities.tolist())


def _panel_2c() -> Panel:
    lines = [
        Series(_need(c), CLASS_COLOURS[c], *density("bounded-pareto", DENSITY_RATE, c), marker="none")
        for c in range(len(TABLE_2))
    ]
    return Panel("density", tuple(lines), "1/second")


# --- figures 3 to 6 -----------------------------------------------------------------------------


def _need(c: int) -> str:
    cores = TABLE_2[c].cores
    return f"{cores} server" + "s" * (cores > 1)


def _by_class(number: int, law: str) -> Figure:
    return Figure(
        f"Figure {number}: five classes, $s = 20$, {WORDS[law]} service times",
        X_RATE,
        Later(lambda: [_class_panel(law, name) for name in MEASURES]),
        x_log=False,
        caption=f"Waiting times of each class, {WORDS[law]} service times; the bar is the sampled threshold.",
    )


def _class_panel(law: str, name: str) -> Panel:
    lines = [
        Series(_need(c), CLASS_COLOURS[c], *_values(law, f"{name}[{c}]"), filled=c > 0) for c in range(len(TABLE_2))
    ]
    if name == "waiting-mean":
        lines.append(_limit(critical(f"table2-{law}"), lines, "#cc0000", "threshold"))
    title, unit = MEASURES[name]
    return Panel(title, tuple(lines), unit)


def _by_law(number: int, c: int) -> Figure:
    return Figure(
        f"Figure {number}: jobs of {_need(c)}, five classes, $s = 20$",
        X_RATE,
        Later(lambda: [_law_panel(name, c) for name in MEASURES]),
        x_log=False,
        caption=f"Waiting times of jobs that need {_need(c)}, by the law of service times; bars are the sampled thresholds.",
    )


def _law_panel(name: str, c: int) -> Panel:
    lines = [Series(WORDS[law], COLOURS[law], *_values(law, f"{name}[{c}]")) for law in LAWS]
    if name == "waiting-mean":
        lines += [_limit(critical(f"table2-{law}"), lines, COLOURS[law], "") for law in LAWS]
    title, unit = MEASURES[name]
    return Panel(title, tuple(lines), unit)


# --- figure 7(b) ----------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def cell_point(load: float) -> Forward:
    """Cell B (26 classes) at a part of its threshold."""
    from asymp.queues.laws import Exponential
    from asymp.queues.workload import named
    from asymp.sample.multiserver import forward

    gap = Exponential(1 / (load * critical("cell-b")))
    return forward(named("cell-b"), gap, 1 << 20, 12, warmup=1 << 18, seed=seed_of("cell-b", load), device="cpu")


def _figure_7b() -> Figure:
    return Figure(
        "Figure 7(b) for 26 classes, not the paper's 17",
        X_RATE,
        Later(lambda: [_panel_7b()]),
        x_log=False,
        caption="Overall mean waiting time in cell B with the 26 classes of the public file and exponential service times.",
    )


def _panel_7b() -> Panel:
    xs = tuple(load * critical("cell-b") for load in CELL_LOADS)
    line = Series("26 classes", "purple", xs, tuple(cell_point(load)["waiting-mean"].value for load in CELL_LOADS))
    return Panel(
        "cell B, $s = 2048$: mean waiting time",
        (line, _limit(critical("cell-b"), [line], "#cc0000", "threshold")),
        "seconds",
    )
