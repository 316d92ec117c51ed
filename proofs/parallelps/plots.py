"""Figures 1 to 6, the mean field certified (but for the transient one) beside the sampled system, and six of ours.

Ours: how far apart the curves of figures 2 and 3 are, and those of figure 4 as n grows; the mean as d grows with 100 servers; how far
the system's mean queue is from the mean field's; what figures 5 and 6 do not show; the constants of heavy traffic.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import mpmath
import numpy as np

from asymp.export.plot import Figure, Later, Panel, Series
from asymp.papers.parallelps.transient import transient

if TYPE_CHECKING:
    from asymp.sample.parallel import Shared

COLOURS = {1: "black", 2: "blue", 3: "purple", 4: "orange", 10: "green"}
POWERS = (1, 2, 3, 5, 8, 12, 20, 30, 50, 100, 200, 500, 1000)
"""1 - lam = 10^-power."""
LAWS = {1: "exponential", 2: "Erlang, 2 phases", 4: "Erlang, 4 phases", 8: "Erlang, 8 phases"}
HYPER = {"2": "hyperexponential (2, 1/2)", "4": "hyperexponential (4, 1/4)"}


@lru_cache(maxsize=4096)
def occupancy(d: int, lam: str) -> Any:
    """EQ, certified to 15 digits.

    >>> float(occupancy(2, "9/10"))
    3.33765204471932
    """
    from asymp.enclosure import enclose_quantity
    from asymp.registry import find_quantity

    with mpmath.workdps(20):
        return mpmath.mpf(str(enclose_quantity(find_quantity("parallelps/mean-occupancy"), {"d": str(d), "lam": lam}, 15).value))


def law(d: int, lam: str, levels: int) -> list[Any]:
    """P(Q <= k), k < levels, by (2) at the certified EQ.

    >>> [round(float(x), 4) for x in law(2, "3/10", 3)]
    [0.7, 0.9343, 0.9888]
    """
    load = mpmath.mpf(lam.split("/")[0]) / mpmath.mpf(lam.split("/")[1])
    weight, mu = 1 - load, (d - 1) * load / occupancy(d, lam)
    found = [weight]
    for v in range(1, levels):
        weight *= d * load / (1 + v * mu)
        found.append(found[-1] + weight)
    return found


@lru_cache(maxsize=64)
def sampled(n: int, d: int, lam: float, law: str = "1", size: int = 10**6) -> Shared:
    """The system, its sizes Erlang of so many phases, or hyperexponential of the rates r and 1/r for "r" below.

    >>> sampled(50, 2, 0.3, "h4", 10**5)["mean-queue"].agrees(0.39, 0.05)
    True
    """
    from asymp.queues.laws import Erlang, HyperExponential
    from asymp.sample.parallel import share

    if law.startswith("h"):
        rate = int(law[1:])
        return share(n, d, lam, HyperExponential.of_mean(1.0, (rate / (rate + 1), 1 / (rate + 1)), (1 / rate,)), size)
    return share(n, d, lam, Erlang(int(law), 1.0), size)


def figures() -> dict[str, Figure]:
    """By name."""
    drawn = {"figure-1": _figure_1(), "figure-2": _laws(2), "figure-3": _laws(4), "figure-4": _figure_4()}
    drawn |= {"figure-5": _figure_5(), "figure-6": _figure_6()}
    drawn |= {"distances": _distances(), "concentration": _concentration(), "parallelism": _parallelism()}
    return drawn | {"limit": _limit(), "insensitive": _insensitive(), "heavy-traffic": _heavy()}


def _line(label: str, colour: str, xs: Any, ys: Any, line: str = "-") -> Series:
    return Series(label, colour, tuple(map(str, xs)), tuple(map(str, ys)), "none", line)


def _marks(label: str, colour: str, xs: Any, ys: Any, marker: str, errors: Any = ()) -> Series:
    return Series(label, colour, tuple(map(str, xs)), tuple(map(str, ys)), marker, "none", False, tuple(map(str, errors)))


def _cdf(found: Shared, levels: int) -> list[float]:
    """P(Q <= k), k < levels."""
    return [float(x) for x in np.cumsum([found.estimates[f"queue[{k}]"].value if f"queue[{k}]" in found.estimates else 0.0 for k in range(levels)])]


def _figure_1() -> Figure:
    def panels() -> list[Panel]:
        loads = [f"{k}/100" for k in range(1, 100)]
        xs, some = [k / 100 for k in range(1, 100)], [0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95]
        lines = [_line(f"$d = {d}$", COLOURS[d], xs, (occupancy(d, lam) for lam in loads)) for d in (1, 2, 4, 10)]
        lines += [_marks("100 servers" if d == 1 else "", COLOURS[d], some, (sampled(100, d, x)["mean-queue"].value for x in some), "o")
                  for d in (1, 2, 4, 10)]  # fmt: skip
        lines.append(_line(r"$\ln\,1/(1-\lambda)$", "black", xs, (-np.log1p(-x) for x in xs), ":"))
        return [Panel("", tuple(lines), "mean occupancy of a server", False, (0, 10))]

    caption = (
        "Curves: the mean field, certified.  Marks: the system, sampled.  The paper says that the mean falls as d grows, most from d = 1 "
        "to 2 and at high loads: so it is, also of 100 servers up to d = 4; with d = 20 they have more than with d = 4 at 0.95."
    )
    return Figure("Figure 1", r"load $\lambda$", Later(panels), False, caption, size=(6.0, 4.2))


def _laws(d: int) -> Figure:
    def panels() -> list[Panel]:
        lines = []
        for lam, colour in (("3/10", "blue"), ("9/10", "orange")):
            lines.append(_line(rf"$\lambda = {lam}$", colour, range(12), law(d, lam, 12)))
            for n, marker in ((100, "o"), (500, "s")):
                lines.append(_marks(f"{n} servers" if lam == "9/10" else "", colour, range(12), _cdf(sampled(n, d, int(lam[0]) / 10), 12), marker))
        return [Panel("", tuple(lines), "P(Q at most k)", False, (0, 1.02))]

    caption = (
        "Curves: (2) at the certified root of (3).  Marks: the system, sampled.  The paper says very close, and indistinguishable at 0.3: "
        "so it is, at most 0.03 and 0.001 apart."
    )
    return Figure(f"Figure {d // 2 + 1}: d = {d}", "k", Later(panels), False, caption, size=(6.0, 4.2))


def _figure_4() -> Figure:
    def panels() -> list[Panel]:
        from asymp.queues.laws import Exponential
        from asymp.sample import parallel_phases, streams

        times, drawn = [float(t) for t in np.linspace(0, 15, 121)], []
        found = transient(2, 0.8, times, 40)
        for n in (1000, 50_000):
            path = parallel_phases.snapshots(n, 2, 0.8, parallel_phases.Phases.of(Exponential(1.0)), times, streams.stream(n, 3))
            seen = 1 - np.cumsum(path, axis=1) / n
            lines = []
            for k, colour in ((1, "blue"), (2, "orange"), (3, "green")):
                lines += [_line(f"$P(Q \\geq {k})$", colour, times, found.ccdf[:, k]), _line("", colour, times, seen[:, k - 1], ":")]
            drawn.append(Panel(f"{n} servers", tuple(lines), "part of the servers", False, (0, 1)))
        return drawn

    caption = (
        "Solid: (6) with k for k + 1, two methods; dotted: a path.  From empty, d = 2, load 0.8: our choice, the paper does not say.  It "
        "says that paths concentrate on the curves as n grows: so it looks, and the limit differs from order t^6 on, by less than a line."
    )
    return Figure("Figure 4", "time", Later(panels), False, caption)


def _distances() -> Figure:
    def panels() -> list[Panel]:
        drawn = []
        for lam in ("3/10", "9/10"):
            marks = []
            for d, n, colour, marker in ((2, 100, "blue", "o"), (2, 500, "green", "s"), (4, 100, "orange", "^"), (4, 500, "purple", "v")):
                found = _cdf(sampled(n, d, int(lam[0]) / 10, size=4 * 10**6), 14)
                gaps = [x - float(y) for x, y in zip(found, law(d, lam, 14), strict=True)]
                marks.append(Series(f"$d = {d}$, {n} servers", colour, tuple(range(14)), tuple(map(str, gaps)), marker, "-", False))
            drawn.append(Panel(rf"$\lambda = {lam}$", tuple(marks), "P(Q at most k), system - mean field", False, (-0.04, 0.02)))
        return drawn

    caption = (
        "The marks of figures 2 and 3 less their curves.  The paper says very close, and virtually indistinguishable at 0.3: so it is, on "
        "one scale at most 0.001 apart at 0.3, less than a line is thick.  At 0.9 the system's lie below the mean field's, by up to 0.03 with "
        "100 servers and 0.01 with 500: it has more jobs, the fewer servers there are."
    )
    return Figure("Figures 2 and 3: how far apart", "k", Later(panels), False, caption)


def _concentration() -> Figure:
    def panels() -> list[Panel]:
        from asymp.queues.laws import Exponential
        from asymp.sample import parallel_phases, streams

        times, sizes = [float(t) for t in np.linspace(0, 15, 121)], (100, 300, 1000, 3000, 10_000, 30_000, 50_000)
        found = transient(2, 0.8, times, 40)
        lines = []
        for k, colour in ((1, "blue"), (2, "orange"), (3, "green")):
            far = [[], [], []]  # of three paths, by n
            for n in sizes:
                for one in range(3):
                    path = parallel_phases.snapshots(n, 2, 0.8, parallel_phases.Phases.of(Exponential(1.0)), times, streams.stream(n, 3 + one))
                    seen = 1 - np.cumsum(path, axis=1) / n
                    far[one].append(float(np.max(np.abs(seen[:, k - 1] - found.ccdf[:, k]))))
            lines += [_marks(rf"$P(Q \geq {k})$" if one == 0 else "", colour, sizes, row, "o") for one, row in enumerate(far)]
        lines.append(_line(r"$1/\sqrt{n}$", "black", sizes, (n**-0.5 for n in sizes), ":"))
        return [Panel("", tuple(lines), "largest distance up to time 15", True)]

    caption = (
        "Three paths each, d = 2, load 0.8, from empty, against (6) with k for k + 1.  The paper says that the process concentrates on the mean "
        "field as n grows: so it looks, like 2/sqrt(n) up to 50,000 servers; the limit differs from order t^6 on, by less than that."
    )
    return Figure("Figure 4: concentration as n grows", "servers", Later(panels), True, caption, size=(6.0, 4.2))


def _parallelism() -> Figure:
    def panels() -> list[Panel]:
        degrees, lines = (1, 2, 3, 4, 6, 8, 12, 20, 35, 60, 100), []
        for lam, colour in (("9/10", "blue"), ("95/100", "orange")):
            load = int(lam.split("/")[0]) / int(lam.split("/")[1])
            mean = [load / (1 - load) if d in (1, 100) else sampled(100, d, load, size=5 * 10**5)["controlled-mean-queue"].value for d in degrees]
            lines.append(Series(rf"$\lambda = {load:g}$, 100 servers", colour, degrees, tuple(map(str, mean)), "o", "-", False))
            lines.append(_line(rf"$\lambda = {load:g}$, mean field", colour, degrees, (occupancy(d, lam) for d in degrees), ":"))
        return [Panel("", tuple(lines), "mean occupancy of a server", False, (0, 20))]

    caption = (
        "The ends, d = 1 and d = n, exact: load/(1 - load).  The paper says of 100 servers that the mean falls as d increases.  So it is up to "
        "about d = 6, and from there it rises, to what it was for d = 1; the mean field's falls for every d that is shown."
    )
    return Figure("Figure 1: the mean as d grows", "d", Later(panels), True, caption, size=(6.0, 4.2))


def _figure_5() -> Figure:
    def panels() -> list[Panel]:
        marks = [_marks(LAWS[k], colour, range(9), _cdf(sampled(500, 2, 0.8, str(k)), 9), marker)
                 for k, colour, marker in ((1, "black", "o"), (2, "blue", "s"), (4, "orange", "^"), (8, "green", "v"))]  # fmt: skip
        return [Panel("", tuple(marks), "P(Q at most k)", False, (0, 1.02))]

    caption = "500 servers (our choice), d = 2, load 0.8.  The paper says insensitive: so it looks, and it is not: see the figure of the means."
    return Figure("Figure 5", "k", Later(panels), False, caption, size=(6.0, 4.2))


def _figure_6() -> Figure:
    def panels() -> list[Panel]:
        marks = [_marks(label, colour, range(9), _cdf(sampled(500, 2, 0.8, name), 9), marker)
                 for name, label, colour, marker in (("1", "exponential", "black", "o"), ("h2", HYPER["2"], "blue", "s"),
                                                     ("h4", HYPER["4"], "orange", "^"))]  # fmt: skip
        return [Panel("", tuple(marks), "P(Q at most k)", False, (0, 1.02))]

    caption = "500 servers (our choice), d = 2, load 0.8.  The paper says insensitive: so it looks, and it is not: see the figure of the means."
    return Figure("Figure 6", "k", Later(panels), False, caption, size=(6.0, 4.2))


def _limit() -> Figure:
    def panels() -> list[Panel]:
        lines, loads = [], (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
        for d, colour in ((2, "blue"), (4, "orange")):
            fields = [float(occupancy(d, f"{round(10 * x)}/10")) for x in loads]
            found = [sampled(10_000, d, x, size=4 * 10**6)["controlled-mean-queue"] for x in loads]
            ratio = [one.value / field - 1 for one, field in zip(found, fields, strict=True)]
            lines.append(_marks(f"$d = {d}$, 10,000 servers", colour, loads, ratio, "o", (2.6 * one.stderr / f for one, f in zip(found, fields, strict=True))))
            xs = np.linspace(0, 0.9, 40)
            first = d * (d - 1) / (2 * (3 * d - 2) * (2 * d - 1) ** 3)
            lines.append(_line("" if lines[1:] else "leading term", colour, xs, (first * x * x for x in xs), ":"))
        return [Panel("", tuple(lines), "mean queue / mean field - 1", False, (0, 0.02))]

    caption = r"Marks: sampled, intervals of 99%.  Dotted: $d(d-1)\lambda^2/(2(3d-2)(2d-1)^3)$, exact to first order as $n\to\infty$."
    return Figure("The limit is not the mean field", r"load $\lambda$", Later(panels), False, caption, size=(6.0, 4.2))


def _insensitive() -> Figure:
    def panels() -> list[Panel]:
        base, marks = sampled(2000, 2, 0.8, size=12 * 10**6)["controlled-mean-queue"], []
        rows = [(LAWS[8], "8", "green"), (LAWS[2], "2", "blue"), (HYPER["2"], "h2", "purple"), (HYPER["4"], "h4", "red")]
        for k, (label, name, colour) in enumerate(rows):
            one = sampled(2000, 2, 0.8, name, 12 * 10**6)["controlled-mean-queue"]
            error = 2.6 * float(np.hypot(one.stderr, base.stderr)) / base.value
            marks.append(_marks(label, colour, (k,), (one.value / base.value - 1,), "o", (error,)))
        return [Panel("", tuple(marks), "mean queue / exponential - 1", False, (-0.006, 0.006))]

    caption = "d = 2, load 0.8, 2,000 servers, sampled, intervals of 99%: the law of the sizes matters, by less than figures 5 and 6 can show."
    return Figure("What figures 5 and 6 do not show", "law", Later(panels), False, caption, size=(6.0, 4.2))


def _heavy() -> Figure:
    def panels() -> list[Panel]:
        lines = []
        for d in (2, 3, 10):
            gap = d - 1 - mpmath.log(d)
            xs = [f"1e{p}" for p in POWERS]
            large = [p * mpmath.log(10) for p in POWERS]
            exact = [occupancy(d, f"1-1e-{p}") * gap / (d - 1) / x for p, x in zip(POWERS, large, strict=True)]
            three = [(x - mpmath.log(x) / 2 - mpmath.log(2 * mpmath.pi / gap) / 2) / x for x in large]
            lines += [_line(f"$d = {d}$", COLOURS[d], xs, exact), _line("three terms" if d == 2 else "", COLOURS[d], xs, three, ":")]
        return [Panel("", tuple(lines), r"$\mathrm{E}Q\,h/((d-1)L)$", False, (0.6, 1.05))]

    caption = r"The ratio to the leading term tends to 1 like ln L/L.  Solid: certified; dotted: with the next two terms."
    return Figure("Heavy traffic", r"$1/(1-\lambda)$", Later(panels), False, caption, x_log_log=True, size=(6.0, 4.2))
