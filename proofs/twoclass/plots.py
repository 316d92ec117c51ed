"""The paper's figures, whose curves it prints as images, and two of ours; 1, 2 and 4 are in :mod:`asymp.papers.twoclass.pictured`.

Marked values are exact, from the product form in rationals; curves are the same sums in floats.  Figure 5 is drawn from
the chain that :mod:`asymp.papers.twoclass.model` builds from the rules.  No panel is computed before it is looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from asymp.export.pictures import Arrow, Diagram, Map, Node
from asymp.export.plot import COLOURS, Figure, Later, Panel, Series
from asymp.papers.twoclass import pictured
from asymp.papers.twoclass.curves import (
    ASKED,
    RED,
    SERVERS,
    SHARES,
    SYSTEMS_3,
    System,
    Transition,
    change,
    exact,
    limit_of_ratio,
    limit_of_size,
    mean_response,
    peak,
    quick,
    sampled_response,
    transitions,
)

HALF = Fraction(1, 2)
RATIO = r"service rate ratio $\mu_2/\mu_1$"


def figures() -> dict[str, Figure]:
    """By name, in the paper's order, then ours."""
    others = {"figure-3": _figure_3(), "figure-5": _figure_5(), "figure-6": _figure_6(), "figure-7": _by_ratio(7)}
    paper = {**pictured.figures(), **others, "figure-8": _by_ratio(8)}
    return {**{name: paper[name] for name in sorted(paper)}, "growth": _growth(), "planner": _planner()}


def _line(label: str, colour: str, xs: Iterable[Any], ys: Iterable[Any], line: str = "-") -> Series:
    return Series(label, colour, tuple(map(float, xs)), tuple(map(float, ys)), "none", line)


def _name(system: System) -> str:
    return "$n_1 = {}$, $n_2 = {}$, $n = {}$".format(*system)


# --- figure 3 --------------------------------------------------------------------------------------

SAMPLED = {"blue": (2, 4, 6, 7, 8), RED: (2, 4, 5, 6)}
HIGHEST = 2.5


def _figure_3() -> Figure:
    caption = """One sees that the red system has 1.9, 3 and 8 times the mean response time of the blue one at 4, 6 and 7 jobs a second, and
leaves at 7.37 instead of 9.11.  The text says: the same E[S] and n, very different stability regions and response times.  It is
so.  E[T] by the matrix-geometric solution of the open queue (curves), and from forward runs with 99% intervals
(circles).  Dotted: lambda* of each system, from the product form; black: lambda^naive."""
    words = "Figure 3: mean response time, $n_1 = 1$, $n_2 = n = 10$, $E[S] = 1$"
    x_label = r"arrival rate $\lambda$ (jobs a second)"
    return Figure(words, x_label, Later(lambda: [_panel_3()]), False, caption, size=(7.5, 4.6))


def _panel_3() -> Panel:
    lines = []
    for colour, (p1, mu1, mu2) in SYSTEMS_3.items():
        edge = exact(1, 10, 10, p1, mu1, mu2)[0]
        rates = [edge * k / 200 for k in (1, *range(10, 160, 10), *range(160, 197, 2))]
        label = rf"$p_1 = {p1}$, $\mu_1 = {mu1}$, $\mu_2 = {mu2}$"
        lines.append(_line(label, colour, rates, (mean_response(colour, rate) for rate in rates)))
        found = [sampled_response(colour, rate) for rate in SAMPLED[colour]]
        ys, errors = tuple(e.value for e in found), tuple((e.interval[1] - e.interval[0]) / 2 for e in found)
        lines.append(Series("sampled", colour, SAMPLED[colour], ys, "o", "none", False, errors))
        lines.append(_line(rf"$\lambda^* = {float(edge):.4f}$", colour, (edge, edge), (0, HIGHEST), ":"))
    lines.append(_line(r"$\lambda^{\mathrm{naive}} = 10$", "black", (10, 10), (0, HIGHEST)))
    return Panel("", tuple(lines), "$E[T]$ (seconds)", y_log=False, y_limits=(0, HIGHEST))


# --- figure 5 --------------------------------------------------------------------------------------

COLOUR_OF_CLASS = {1: COLOURS["orange"], 2: COLOURS["blue"]}


def _bend(one: Transition, found: Sequence[Transition]) -> float:
    """Loops point away from the other row; arrows are straight unless something is in their way."""
    kind, s, t = one
    if s == t:
        return -90 if s[0] else 65 if kind == 1 else 115
    if s[0] == t[0]:
        return 0.3 * s[0] - 0.3 * (1 - s[0]) if kind == 2 else 0
    return -0.08 if any((v, u) == (s, t) for _, u, v in found) else 0


def _figure_5() -> Figure:
    def panel() -> Diagram:
        found = transitions()
        name = {s: str(list(s)).replace(" ", "") for _, *both in found for s in both}
        nodes = tuple(Node(text, 1.3 * s[1], 0.0 if s[0] else 2.6) for s, text in sorted(name.items()))
        arrows = tuple(Arrow(name[s], name[t], COLOUR_OF_CLASS[k], _bend((k, s, t), found)) for k, s, t in found)
        key = tuple((f"a class {kind} job completes", colour) for kind, colour in COLOUR_OF_CLASS.items())
        faint = tuple(text for s, text in name.items() if not 1 <= s[1] <= 7)
        words = "dashed: states that are reached, whose own transitions are not drawn"
        return Diagram(words, nodes, arrows, key, (("none blocks", 2.6), ("a class 2\njob blocks", 0.0)), faint)

    caption = """One sees what Lemma 5.1 lists: from a state that blocks a class 1 completion leads to one state, a class 2 completion
forward, or back to where it was.  The text says that these are all possible transitions; it is so.  All that can follow a
completion, from the chain that the rules make; states stand in the order of a."""
    words = "Figure 5: transitions of the 3-10-30 system from states $[h, a, b]$ with $a = 1$ to $7$ class 1 jobs"
    return Figure(words, "", Later(lambda: [panel()]), caption=caption, size=(11.5, 4.4))


# --- figure 6 --------------------------------------------------------------------------------------

SYSTEMS_6: tuple[System, ...] = (1, 100, 200), (1, 200, 200)


def _figure_6() -> Figure:
    caption = """One sees that most is lost where few jobs are of class 2 but most server-seconds: 77 of 200 servers in (a), 125 in (b).  The
text says: peaks at p2 = 6.4% and 1.3%, utilizations of 61% and 37%, nothing lost where all jobs are of one class.  It is so.
Blue: lambda*(p1, p2), from the product form; red: where all servers would be busy; grey: lost to wastage;
dashed: at the p2 of most wastage.  The rates are printed.  n1, n2 and n are recovered: n2 = 100 in (a) and n2 = n = 200 in
(b) from section 9.1; n1 = 1, and n = 200 in (a), give the shares and utilizations that it has."""
    panels = Later(lambda: [_panel_6("ab"[k], system) for k, system in enumerate(SYSTEMS_6)])
    words = r"Figure 6: stability regions, $\mu_1 = 2$, $\mu_2 = 1$ ($n_1$, $n_2$, $n$ recovered)"
    return Figure(words, r"$\lambda_1$ (class 1 jobs a second)", panels, False, caption)


def _panel_6(letter: str, system: System) -> Panel:
    def curve(rates: Iterable[float]) -> tuple[tuple[float, ...], tuple[float, ...]]:
        both = tuple(zip(SHARES, rates, strict=True))
        return tuple((1 - p2) * rate for p2, rate in both), tuple(p2 * rate for p2, rate in both)

    n1, n2, n = system
    (xs, ys), (far_xs, far_ys) = (
        curve(2 * quick(*system, 1 - p2, 0.5)[0] for p2 in SHARES),
        curve(n / ((1 - p2) * n1 / 2 + p2 * n2) for p2 in SHARES),
    )
    most = peak(system)
    rate, waste = map(float, exact(*system, 1 - Fraction(most), 2, 1))
    used = 1 - waste / n
    text = f"$p_2 = {100 * most:.2f}\\%$: {waste:.2f} of {n}\nservers wasted, utilization {100 * used:.1f}%"
    there = tuple(((1 - most) * r, most * r) for r in (rate, rate / used))
    lines = (
        Series("lost to wastage", "black", xs + far_xs[::-1], ys + far_ys[::-1], area=True),
        _line("naive", RED, far_xs, far_ys),
        _line(r"$\lambda^*$", "blue", xs, ys),
        Series(text, "black", *zip(*there, strict=True), line="--"),
    )
    return Panel(f"({letter}) {_name(system)}", lines, r"$\lambda_2$ (class 2 jobs a second)", y_log=False)


# --- figures 7 and 8 -------------------------------------------------------------------------------

SYSTEMS_7_8: dict[int, tuple[System, ...]] = {7: ((1, 10, 30), (1, 10, 40)), 8: ((1, 100, 300), (3, 10, 30))}
HOW = {
    7: """n/n2 = 3 in (a) is in section 9.3, and n2 = 10 makes the wastage at ratio 1 60% of n2 (60.1%), as section 9.2
has it of both; so does n = 4 n2 in (b) (59.9%), which is our choice""",
    8: """n/n2 = 3 in (a) is in section 9.3, as is that n2 is much larger than n1 in (a), and so near in (b) that the
wastage is monotonic; the numbers are our choice, in (b) those of the paper's own example""",
}
SEEN = {
    7: """One sees almost nothing wasted at 10^-3, 60% of n2 at 1, two dips and peaks in (a), three in (b), and a rise to the limit,
8.08 and 8.06 servers.  The text says: few where the ratio is very small, 60% at 1, many local optima and pessima, then
n2 - n1/p2 = 8.  It is so.""",
    8: """One sees in (a) 93 servers wasted at the first peak and 21 in the first trough, in (b) a curve that rises throughout.  The
text says: peaks and troughs very pronounced in (a), far more moderate in Figure 7(a), fully monotonic in (b).  It is so.  That the
peaks are at values of the ratio like those of Figure 7(a) is not: 2.8 and 106 against 1.3 and 11.5, and no other choice mends it,
as the second peak is near 1.1 n2/n1 for n2/n1 from 8 to 100, which is to be much larger in (a).""",
}
RATIOS = tuple(Fraction(10) ** k for k in range(-3, 6))


def _by_ratio(number: int) -> Figure:
    caption = f"""{SEEN[number]}  Wasted servers, p1 = p2 = 1/2.  The systems are recovered: {HOW[number]}.  Squares: exact; dashed: the exact
limits, n mod n2 at the left; dotted: n2 - n1/p2, which section 9.2 has for the right where n2 is much larger than n1."""
    panels = Later(lambda: [_ratio_panel("ab"[k], system) for k, system in enumerate(SYSTEMS_7_8[number])])
    return Figure(
        f"Figure {number}: wastage, $p_1 = p_2 = 1/2$ (systems recovered in part)", RATIO, panels, caption=caption
    )


def _ratio_panel(letter: str, system: System) -> Panel:
    n1, n2, n = system
    xs = np.geomspace(1e-3, 1e5, 321)
    left, right, about = n % n2, limit_of_ratio(*system, HALF), n2 - 2 * n1
    marks = tuple(float(exact(*system, HALF, 1, ratio)[1]) for ratio in RATIOS)
    lines = [
        _line("", "blue", xs, (quick(*system, 0.5, x)[1] for x in xs)),
        Series("exact", "purple", tuple(map(float, RATIOS)), marks, line="none", filled=False),
        _line(rf"$n\,\mathrm{{mod}}\,n_2 = {left}$", "green", (xs[0], 1), (left, left), "--"),
        _line(f"limit: {float(right):.2f}", "black", (10, xs[-1]), (right, right), "--"),
        _line(f"$n_2 - n_1/p_2 = {about}$", "orange", (10, xs[-1]), (about, about), ":"),
    ]
    return Panel(f"({letter}) {_name(system)}", tuple(lines), "wasted servers", y_log=False)


# --- ours: many servers ----------------------------------------------------------------------------

NEEDS, GROWTH = (4, 10), {"green": 0.1, "orange": 1.0, "purple": 10.0}
SIZES = tuple(sorted({20 * round(10 ** (k / 30)) for k in range(91)}))
"""Multiples of 20, as what is left over of n otherwise hides the trend where n is small."""


def _growth() -> Figure:
    caption = """The wasted servers tend to (E[N^2]/E[N] - g)/2 + (n mod g), N the servers that a job needs and g = gcd(n1, n2),
whatever the rates (here g = 2).  Right: their distance from the limit, times n.  n: multiples of 20, and these plus 1."""
    words = "Many servers: $n_1 = {}$, $n_2 = {}$, $p_1 = 1/2$".format(*NEEDS)
    return Figure(words, "servers $n$", Later(_growth_panels), caption=caption)


def _growth_panels() -> list[Panel]:
    panels: tuple[list[Series], list[Series]] = ([], [])
    for rest, style, word in ((0, "-", "even"), (1, "--", "odd")):
        limit = limit_of_size(*NEEDS, HALF, rest)
        sizes = [n + rest for n in SIZES]
        for colour, ratio in GROWTH.items():
            wasted = [quick(*NEEDS, n, 0.5, ratio)[1] for n in sizes]
            label = "" if rest else rf"$\mu_2/\mu_1 = {ratio:g}$"
            panels[0].append(_line(label, colour, sizes, wasted, style))
            gaps = (n * (w - float(limit)) for n, w in zip(sizes, wasted, strict=True))
            panels[1].append(_line(label, colour, sizes, gaps, style))
        panels[0].append(_line(f"limit, $n$ {word}: {limit}", "black", (20, SIZES[-1]), (limit, limit), ":"))
    words = ("wasted servers", "distance from the limit, times $n$ (dashed: $n$ odd)")
    return [
        Panel(w, tuple(p), u, y_log=False) for w, p, u in zip(words, panels, ("servers", "servers$^2$"), strict=True)
    ]


# --- ours: a planner's map -------------------------------------------------------------------------

ROUNDED = (17, 21, 22)
P2S, MAP_RATIOS = tuple(np.linspace(0.02, 0.98, 49).tolist()), tuple(np.geomspace(0.01, 100, 49).tolist())
WASTED, CHANGES = tuple(range(0, 21, 2)), (-30, -20, -15, -10, -5, -2, 0, 2, 4, 6)


def _planner() -> Figure:
    caption = """The part of servers wasted, and by how many per cent the stability limit lambda* changes where class 2 jobs hold
17, 21 or 22 servers and keep their server-seconds (mu2 grows with n2; the ratio is that at 16).  Heavy: no change; blue: load
bought.  Where they hold them for the same time as before, load is lost at every point of the map."""
    words = f"Planning: {_name((1, ASKED, SERVERS))}, and class 2 jobs rounded up, server-seconds kept"
    return Figure(words, "$p_2$, the part of jobs in class 2", Later(_maps), False, caption, columns=2)


def _maps() -> Sequence[Map]:
    def chart(title: str, value: Any, levels: tuple[float, ...], unit: str) -> Map:
        values = tuple(tuple(value(p2, ratio) for p2 in P2S) for ratio in MAP_RATIOS)
        return Map(title, P2S, MAP_RATIOS, values, levels, RATIO, unit)

    def wasted(p2: float, ratio: float) -> float:
        return 100 * quick(1, ASKED, SERVERS, 1 - p2, ratio)[1] / SERVERS

    changes = [
        chart(f"$n_2 = {n2}$", lambda p2, ratio, n2=n2: change(n2, p2, ratio), CHANGES, r"change of $\lambda^*$ (%)")
        for n2 in ROUNDED
    ]
    return [chart(f"$n_2 = {ASKED}$: wastage", wasted, WASTED, "wasted (% of all servers)"), *changes]
