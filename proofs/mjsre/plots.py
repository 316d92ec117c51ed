"""Figures 2 to 7 as far as their data exist: the paper prints them as images, so their numbers are computed anew.

Forward runs of moderate size; the thresholds are those of :mod:`proofs.mjsre.samples`.  Figure 7(b) is for the 26
classes of the public file of cell B, which are not the 17 of the paper's Figure 7(a).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from asymp.export.plot import Figure, Later, Panel, Series
from proofs.mjsre import two_class
from proofs.mjsre.notation import SERVERS, TABLE_2
from proofs.mjsre.samples import LAWS, seed_of

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


# --- what stands under a figure -----------------------------------------------------------------


def _said(seen: str, paper: str, so: bool | str) -> str:
    """What one sees, what the paper says, and whether it is so: all but the paper's words is of the numbers that are drawn."""
    return f"Seen: {seen}. The paper: \u201c{paper}\u201d. {so if isinstance(so, str) else 'So it is.' if so else 'It is not so.'}"


def _rising(numbers: Sequence[float]) -> bool:
    return all(a <= b for a, b in pairwise(numbers))


BY_VARIANCE = sorted(LAWS, key=lambda law: ("erlang", "exponential", "bounded-pareto", "hyperexponential").index(law))
"""The laws in the order of their overall coefficients of variation, 1.34, 1.78, 4.01, 10.22 (section 8.2)."""


def _at_common_rates(name: str) -> list[list[float]]:
    """At each rate at which all laws are drawn, what they have, in the order of their variances."""
    common = [rate for rate in RATES if all(rate in rates(law) for law in LAWS)]
    return [[curve_point(law, rate)[name].value for law in BY_VARIANCE] for rate in common]


def _share(found: Sequence[bool]) -> str:
    return "all" if all(found) else f"{sum(found)} of {len(found)}"


# --- figure 2 -------------------------------------------------------------------------------------

SAMPLED_TIMES = (0.005, 0.02, 0.08, 0.17, 0.4, 1.0, 4.0, 16.0)


def _figure_2a() -> Figure:
    return Figure(
        "Figure 2(a): $s = 200$, jobs of 1 and 100 servers, saturated",
        "mean service time of big jobs (small jobs: 1)",
        Later(lambda: [_panel_2a()]),
        caption="Mean number of wasted servers: exact (product form), and s - lambda_c E[alpha sigma] with the sampled threshold.",
        words=_words_2a,
    )


def _words_2a() -> str:
    exact = [(float(x), float(y)) for x, y in two_class.curve()]
    turns = [x for (_, a), (x, b), (_, c) in zip(exact, exact[1:], exact[2:], strict=False) if (b - a) * (c - b) < 0]
    gaps = [abs(saturated_waste(x) - float(y)) for x, y in two_class.curve([Fraction(str(x)) for x in SAMPLED_TIMES])]
    seen = f"the exact curve turns near {' and '.join(f'{x:.2g}' for x in turns)}; marks are within {max(gaps):.1f} servers of it"
    paper = "the results obtained with the existing approaches and MJSRE match very well ... oscillating behaviors"
    return _said(seen, paper, max(gaps) <= 5e-3 * two_class.SERVERS and len(turns) >= 2)


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
        words=_words_2b,
    )


def _words_2b() -> str:
    by_load = [_rising(_values(law, "wasted-hol", positive=False)[1]) for law in LAWS]
    by_law = [_rising(found) for found in _at_common_rates("wasted-hol")]
    last = _values("hyperexponential", "wasted-hol")[1][-1]
    seen = (
        f"the waste rises with the rate for {_share(by_load)} laws, and with the variance at {_share(by_law)} common rates; "
        f"hyperexponential services reach {last:.1f} of {SERVERS} servers"
    )
    paper = "increases with the system load, and with the variance of service times ... gets close to 5"
    return _said(seen, paper, all(by_load) and all(by_law) and abs(last - 5) <= 0.5)


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
        words=_words_2c,
    )


def _words_2c() -> str:
    steep = []
    for low, high in ((1, 10), (10, 100), (100, 1000)):
        xs, ys = np.array(density("bounded-pareto", DENSITY_RATE, 0))
        kept = (xs >= low) & (xs < high)
        steep.append(float(np.polyfit(np.log(xs[kept]), np.log(ys[kept]), 1)[0]))
    slopes = ", ".join(f"{one:.1f}" for one in steep)
    seen = f"on logarithmic axes the density of the waits for 1 server falls with slopes {slopes} in decades from 1, 10 and 100 s"
    so = (
        "It is not so: the lines bend, as services end at 400 s, and the tail is light."
        if steep[2] < 2 * steep[1]
        else "So it looks."
    )
    return _said(seen, "their linear decay indicates the presence of a heavy tail", so)


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
        words=_words_3 if law == "exponential" else _words_4,
    )


def _words_3() -> str:
    means = [curve_point("exponential", 1.2)[f"waiting-mean[{c}]"].value for c in range(len(TABLE_2))]
    one, two, five, ten, fifteen = means
    near = max(one, two, five) - min(one, two, five) < ten - max(one, two, five)
    seen = f"at rate 1.2 the classes wait for {', '.join(f'{x:.2f}' for x in means)} s"
    paper = "very similar for the 3 classes with lower core requirements ..., and somewhat higher for jobs ... requiring 10 and 15 servers"
    return _said(seen, paper, near and five < ten < fifteen < 2 * one)


def _words_4() -> str:
    names = [f"{name}[{c}]" for name in MEASURES for c in range(len(TABLE_2))]
    pairs = {
        rate: [
            (curve_point("exponential", rate)[name].value, curve_point("hyperexponential", rate)[name].value)
            for name in names
        ]
        for rate in rates("hyperexponential")
    }
    factors = {rate: [b / a for a, b in found if a > 0] for rate, found in pairs.items()}
    enough = [rate for rate in factors if all(min(found) >= 10 for at, found in factors.items() if at >= rate)]
    low, high = min(map(min, factors.values())), max(map(max, factors.values()))
    seen = f"the metrics are {low:.3g} to {high:.3g} times those of exponential service times at the same rate, where these are not 0"
    so = bool(enough) and (min(enough) == min(factors) or f"So it is from rate {min(enough)} on; below, not of all.")
    return _said(seen, "the waiting time metrics are at least one order of magnitude higher", so)


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
        words=lambda: _words_by_law(c),
    )


def _words_by_law(c: int) -> str:
    by_load = [_rising(_values(law, f"{name}[{c}]", positive=False)[1]) for law in LAWS for name in MEASURES]
    by_law = [_rising(found) for name in MEASURES for found in _at_common_rates(f"{name}[{c}]")]
    seen = f"{_share(by_load)} curves rise with the rate; in {_share(by_law)} comparisons at a rate all laws stand in the order of variance"
    paper = "performance metrics increase with both system load and variance of job service times"
    return _said(
        seen, paper, all(by_load) and (all(by_law) or "So it is with load; with variance not in all comparisons.")
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
        words=_words_7b,
    )


def _words_7b() -> str:
    waits = [cell_point(load)["waiting-mean"].value for load in CELL_LOADS]
    seen = (
        f"the mean wait rises from {waits[0]:.3g} to {waits[-1]:.3g} s towards the threshold, {critical('cell-b'):.2f}"
    )
    paper = (
        "the average waiting time results obtained with the MJSRE are quite close to the predictions of traditional DES"
    )
    return _said(seen, paper, "It cannot be told: the paper's 17 classes are printed as an image.")


def _panel_7b() -> Panel:
    xs = tuple(load * critical("cell-b") for load in CELL_LOADS)
    line = Series("26 classes", "purple", xs, tuple(cell_point(load)["waiting-mean"].value for load in CELL_LOADS))
    return Panel(
        "cell B, $s = 2048$: mean waiting time",
        (line, _limit(critical("cell-b"), [line], "#cc0000", "threshold")),
        "seconds",
    )
