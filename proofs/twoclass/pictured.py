"""Figures 1, 2 and 4, which the paper draws from what it does not derive: a trace, and one state of the 3-10-30 system.

The trace itself, with tiers and jobs, is not in the text.  What is public of it is a table of 26 classes of one cell, on 2048
servers (``asymp sample mjsre workload=cell-b``): shares of jobs, needs, mean durations.  Figures 1 and 2 are drawn from that on
the axes that the captions name, and say where it does not show what the paper says of the whole trace.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from asymp.export.plot import Figure, Later, Panel, Series

if TYPE_CHECKING:
    from collections.abc import Sequence

CPUS = "CPUs requested (servers of the cell's 2048)"
SYSTEM_4, SERVICE_4, QUEUE_4 = (3, 10, 30), (1, 1, 1, 1, 2), (2, 1, 1, 1)
"""n1, n2, n; the classes in service; those in the queue, from its head on: the state of Figure 4, [3, 1, 4, 1]."""


def figures() -> dict[str, Figure]:
    """By name."""
    return {"figure-1": _figure_1(), "figure-2": _figure_2(), "figure-4": _figure_4()}


# --- figures 1 and 2 -------------------------------------------------------------------------------


def cell() -> list[tuple[int, float, float]]:
    """(servers, part of the jobs, mean duration in seconds) of the 26 classes of cell B."""
    from asymp.queues.workload import named

    return [(one.servers, one.probability, one.service.mean) for one in named("cell-b").classes]


def demanded() -> tuple[float, ...]:
    """The part of server-seconds that each class demands."""
    products = [need * part * mean for need, part, mean in cell()]
    return tuple(one / sum(products) for one in products)


def fit(by_jobs: bool) -> tuple[float, float, float]:
    """Of log10 mean duration over log10 servers: correlation, slope and intercept; each class counts by its jobs, or once."""
    weights = [part if by_jobs else 1.0 for _, part, _ in cell()]
    xs, ys = [math.log10(need) for need, _, _ in cell()], [math.log10(mean) for *_, mean in cell()]

    def mean(values: Sequence[float]) -> float:
        return sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights)

    x, y = mean(xs), mean(ys)
    across = mean([(a - x) * (b - y) for a, b in zip(xs, ys, strict=True)])
    spread, height = mean([(a - x) ** 2 for a in xs]), mean([(b - y) ** 2 for b in ys])
    return across / math.sqrt(spread * height), across / spread, y - across / spread * x


def _figure_1() -> Figure:
    caption = """One sees that 84% of the jobs of this cell need 1 server and 7% need 100, and that 86% of server-seconds are those of 200,
256 and 2000, in 0.03% of the jobs.  The text says of the whole trace: from 1 to 100,000 normalized CPUs, highly variable, a peak
about 500, sizeable tails.  That it is highly variable is so here too, over a factor of 2000; a peak about 500 is not: other data,
whose normalization is not that of the paper.  The axes are those of the caption; the trace is not in the text.  Squares: part
of jobs, by class; circles: part of server-seconds.  Data: cell B of the trace, 26 classes, 2048 servers."""
    words = "Figure 1: CPUs requested (public table of cell B, not the paper's data)"
    return Figure(words, CPUS, Later(lambda: [_panel_1()]), True, caption, size=(7.5, 4.6))


def _panel_1() -> Panel:
    needs = tuple(float(need) for need, _, _ in cell())
    jobs = Series("part of the jobs", "blue", needs, tuple(part for _, part, _ in cell()), "s", "none")
    return Panel("", (jobs, Series("part of server-seconds", "orange", needs, demanded(), "o", "none", False)), "part")


def _figure_2() -> Figure:
    caption = """One sees no clear trend: the classes, each counted once, have a correlation of 0.17 (log-log; solid), and counted by their
jobs one of -0.26 (dashed), as most of those that need many servers need 100, for 3 seconds.  The text says, of jobs of the free tier
of the whole trace: clearly correlated, with 0.45.  That is not seen here, and not refuted: this table has means of classes of one
cell, of all tiers.  What the paper draws from it, that the classes of a model are to have rates of their own, is so here: mean
durations differ by a factor of 68,000.  The axes, both logarithmic, and the red power law are those of the caption."""
    words = "Figure 2: duration and CPUs requested (public table of cell B)"
    return Figure(words, CPUS, Later(lambda: [_panel_2()]), True, caption, size=(7.5, 4.6))


def _panel_2() -> Panel:
    needs, means = tuple(float(need) for need, _, _ in cell()), tuple(mean for *_, mean in cell())
    series = [Series("class of jobs", "blue", needs, means, "o", "none")]
    for by_jobs, line, word in ((False, "-", "classes"), (True, "--", "jobs")):
        found, slope, height = fit(by_jobs)
        ends = (needs[0], needs[-1])
        ys = tuple(10 ** (height + slope * math.log10(x)) for x in ends)
        series.append(Series(f"power law, by {word}: correlation {found:.2f}", "#cc0000", ends, ys, "none", line))
    return Panel("", tuple(series), "mean duration (seconds)")


# --- figure 4 --------------------------------------------------------------------------------------


def free() -> int:
    """Servers that are idle in the state of Figure 4."""
    n1, n2, n = SYSTEM_4
    return n - sum((n1, n2)[kind - 1] for kind in SERVICE_4)


def _figure_4() -> Figure:
    caption = """One sees 22 of 30 servers busy and 8 free: too few for the class 2 job at the head of the queue, which needs 10, and enough for
those of class 1 behind it, which need 3 and may not pass it.  The text says: four class 1 jobs and one class 2 job in service, a
class 2 job blocking, three class 1 jobs behind; one of class 1 would fit.  It is so.  Below: servers, by the job that holds them;
above: the queue, its head at the left, each job as wide as it needs servers.  All numbers are those of the caption and of section 3.1."""
    words = "Figure 4: the state [3, 1, 4, 1] of the 3-10-30 system"
    return Figure(words, "servers", Later(lambda: [_panel_4()]), False, caption, size=(7.5, 3.4))


def _panel_4() -> Panel:
    seen: set[str] = set()
    boxes: list[Series] = []

    def box(label: str, colour: str, left: float, width: float, low: float) -> None:
        xs, ys = (left, left + width, left + width, left), (low, low, low + 1, low + 1)
        boxes.append(Series("" if label in seen else label, colour, xs, ys, area=True))
        boxes.append(Series("", colour, (*xs, left), (*ys, low), "none"))
        seen.add(label)

    for low, kinds in ((0.0, SERVICE_4), (1.6, QUEUE_4)):
        left = 0
        for kind in kinds:
            width = SYSTEM_4[kind - 1]
            box(f"class {kind}, {width} servers", {1: "orange", 2: "blue"}[kind], left, width, low)
            left += width
        if not low:
            box(f"{free()} servers are free", "black", left, free(), low)
    return Panel("", tuple(boxes), "in service        queue", y_log=False, y_limits=(-0.2, 4.2))
