"""What stands under the figures: what one sees, what the paper says, whether it is so.

All but the paper's words is made of the numbers that are drawn, when they are drawn.  It is no part of :mod:`asymp.papers.mjsre.plots`,
which what is kept of samples depends on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np

from asymp.papers.mjsre import plots, two_class
from asymp.papers.mjsre.notation import SERVERS, TABLE_2
from asymp.papers.mjsre.samples import LAWS


def words() -> dict[str, Callable[[], str]]:
    """By the name of the figure."""
    return {
        "figure-2a": _words_2a,
        "figure-2b": _words_2b,
        "figure-2c": _words_2c,
        "figure-3": _words_3,
        "figure-4": _words_4,
        "figure-5": lambda: _words_by_law(0),
        "figure-6": lambda: _words_by_law(4),
        "figure-7b": _words_7b,
    }


def _said(seen: str, paper: str, so: bool | str) -> str:
    """What one sees, what the paper says, and whether it is so: all but the paper's words is of the numbers that are drawn."""
    return f"Seen: {seen}. The paper: \u201c{paper}\u201d. {so if isinstance(so, str) else 'So it is.' if so else 'It is not so.'}"


def _rising(numbers: Sequence[float]) -> bool:
    return all(a <= b for a, b in pairwise(numbers))


BY_VARIANCE = sorted(LAWS, key=lambda law: ("erlang", "exponential", "bounded-pareto", "hyperexponential").index(law))
"""The laws in the order of their overall coefficients of variation, 1.34, 1.78, 4.01, 10.22 (section 8.2)."""


def _at_common_rates(name: str) -> list[list[float]]:
    """At each rate at which all laws are drawn, what they have, in the order of their variances."""
    common = [rate for rate in plots.RATES if all(rate in plots.rates(law) for law in LAWS)]
    return [[plots.curve_point(law, rate)[name].value for law in BY_VARIANCE] for rate in common]


def _share(found: Sequence[bool]) -> str:
    return "all" if all(found) else f"{sum(found)} of {len(found)}"


def _words_2a() -> str:
    exact = [(float(x), float(y)) for x, y in two_class.curve()]
    turns = [x for (_, a), (x, b), (_, c) in zip(exact, exact[1:], exact[2:], strict=False) if (b - a) * (c - b) < 0]
    gaps = [
        abs(plots.saturated_waste(x) - float(y))
        for x, y in two_class.curve([Fraction(str(x)) for x in plots.SAMPLED_TIMES])
    ]
    seen = f"the exact curve turns near {' and '.join(f'{x:.2g}' for x in turns)}; marks are within {max(gaps):.1f} servers of it"
    paper = "the results obtained with the existing approaches and MJSRE match very well ... oscillating behaviors"
    return _said(seen, paper, max(gaps) <= 5e-3 * two_class.SERVERS and len(turns) >= 2)


def _words_2b() -> str:
    by_load = [_rising(plots._values(law, "wasted-hol", positive=False)[1]) for law in LAWS]
    by_law = [_rising(found) for found in _at_common_rates("wasted-hol")]
    last = plots._values("hyperexponential", "wasted-hol")[1][-1]
    seen = (
        f"the waste rises with the rate for {_share(by_load)} laws, and with the variance at {_share(by_law)} common rates; "
        f"hyperexponential services reach {last:.1f} of {SERVERS} servers"
    )
    paper = "increases with the system load, and with the variance of service times ... gets close to 5"
    return _said(seen, paper, all(by_load) and all(by_law) and abs(last - 5) <= 0.5)


def _words_2c() -> str:
    steep = []
    for low, high in ((1, 10), (10, 100), (100, 1000)):
        xs, ys = np.array(plots.density("bounded-pareto", plots.DENSITY_RATE, 0))
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


def _words_3() -> str:
    means = [plots.curve_point("exponential", 1.2)[f"waiting-mean[{c}]"].value for c in range(len(TABLE_2))]
    one, two, five, ten, fifteen = means
    near = max(one, two, five) - min(one, two, five) < ten - max(one, two, five)
    seen = f"at rate 1.2 the classes wait for {', '.join(f'{x:.2f}' for x in means)} s"
    paper = "very similar for the 3 classes with lower core requirements ..., and somewhat higher for jobs ... requiring 10 and 15 servers"
    return _said(seen, paper, near and five < ten < fifteen < 2 * one)


def _words_4() -> str:
    names = [f"{name}[{c}]" for name in plots.MEASURES for c in range(len(TABLE_2))]
    pairs = {
        rate: [
            (
                plots.curve_point("exponential", rate)[name].value,
                plots.curve_point("hyperexponential", rate)[name].value,
            )
            for name in names
        ]
        for rate in plots.rates("hyperexponential")
    }
    factors = {rate: [b / a for a, b in found if a > 0] for rate, found in pairs.items()}
    enough = [rate for rate in factors if all(min(found) >= 10 for at, found in factors.items() if at >= rate)]
    low, high = min(map(min, factors.values())), max(map(max, factors.values()))
    seen = f"the metrics are {low:.3g} to {high:.3g} times those of exponential service times at the same rate, where these are not 0"
    so = bool(enough) and (min(enough) == min(factors) or f"So it is from rate {min(enough)} on; below, not of all.")
    return _said(seen, "the waiting time metrics are at least one order of magnitude higher", so)


def _words_by_law(c: int) -> str:
    by_load = [
        _rising(plots._values(law, f"{name}[{c}]", positive=False)[1]) for law in LAWS for name in plots.MEASURES
    ]
    by_law = [_rising(found) for name in plots.MEASURES for found in _at_common_rates(f"{name}[{c}]")]
    seen = f"{_share(by_load)} curves rise with the rate; in {_share(by_law)} comparisons at a rate all laws stand in the order of variance"
    paper = "performance metrics increase with both system load and variance of job service times"
    return _said(
        seen, paper, all(by_load) and (all(by_law) or "So it is with load; with variance not in all comparisons.")
    )


def _words_7b() -> str:
    waits = [plots.cell_point(load)["waiting-mean"].value for load in plots.CELL_LOADS]
    seen = f"the mean wait rises from {waits[0]:.3g} to {waits[-1]:.3g} s towards the threshold, {plots.critical('cell-b'):.2f}"
    paper = (
        "the average waiting time results obtained with the MJSRE are quite close to the predictions of traditional DES"
    )
    return _said(seen, paper, "It cannot be told: the paper's 17 classes are printed as an image.")
