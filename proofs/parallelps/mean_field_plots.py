"""The mean-field curves of figures 1 to 4, certified but for the transient one, and one of ours: the constants of heavy traffic."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import mpmath
import numpy as np

from asymp.export.plot import Figure, Later, Panel, Series
from proofs.parallelps.transient import transient

COLOURS = {1: "black", 2: "blue", 3: "purple", 4: "orange", 10: "green"}
POWERS = (1, 2, 3, 5, 8, 12, 20, 30, 50, 100, 200, 500, 1000)
"""1 - lam = 10^-power."""


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


def figures() -> dict[str, Figure]:
    """By name."""
    return {"mean-field-1": _occupancies(), "mean-field-2-3": _laws(), "mean-field-4": _transient(), "heavy-traffic": _heavy()}


def _line(label: str, colour: str, xs: Any, ys: Any, line: str = "-") -> Series:
    return Series(label, colour, tuple(map(str, xs)), tuple(map(str, ys)), "none", line)


def _occupancies() -> Figure:
    def panels() -> list[Panel]:
        loads = [f"{k}/100" for k in range(1, 100)]
        xs = [k / 100 for k in range(1, 100)]
        lines = [_line(f"$d = {d}$", COLOURS[d], xs, (occupancy(d, lam) for lam in loads)) for d in (1, 2, 4, 10)]
        lines.append(_line(r"$\ln\,1/(1-\lambda)$", "black", xs, (-np.log1p(-x) for x in xs), ":"))
        return [Panel("", tuple(lines), "mean occupancy of a server", False, (0, 10))]

    return Figure("Figure 1, the mean-field model", r"load $\lambda$", Later(panels), False, "Certified.", size=(6.0, 4.2))


def _laws() -> Figure:
    def panels() -> list[Panel]:
        found = []
        for d in (2, 4):
            lines = [_line(rf"$\lambda = {lam}$", colour, range(12), law(d, lam, 12), style)
                     for lam, colour, style in (("3/10", "blue", "-"), ("9/10", "orange", "-"))]  # fmt: skip
            found.append(Panel(f"$d = {d}$", tuple(lines), "P(Q at most k)", False, (0, 1)))
        return found

    return Figure("Figures 2 and 3, the mean-field model", "k", Later(panels), False, "By (2) at the certified root of (3).")


def _transient() -> Figure:
    def panels() -> list[Panel]:
        times = [float(t) for t in np.linspace(0, 30, 121)]
        found = transient(2, 0.5, times, 40)
        lines = [_line(f"$P(Q \\geq {k})$", colour, times, found.ccdf[:, k]) for k, colour in ((1, "blue"), (2, "orange"), (3, "green"))]
        return [Panel("", tuple(lines), "probability", False, (0, 0.6))]

    caption = "From the empty state by (6) with k for k + 1, d = 2, load 1/2 (our choice: the paper does not say); two methods."
    return Figure("Figure 4, the mean-field model", "time", Later(panels), False, caption)


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
