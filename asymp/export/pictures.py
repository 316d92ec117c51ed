"""Panels that are not curves: a chain's states and transitions, and a function of two variables.

Plain data, as :class:`asymp.export.plot.Panel` is, which draw themselves on the axes of :mod:`asymp.export.plot`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Node:
    """A state: its text, its place."""

    text: str
    x: float
    y: float


@dataclass(frozen=True)
class Arrow:
    """A transition between the nodes of two texts.

    ``bend`` is how far the arrow bulges to its right, over its length; from a node to itself it is the
    direction in degrees in which the loop lies.
    """

    start: str
    end: str
    colour: str
    bend: float = 0.0


@dataclass(frozen=True)
class Diagram:
    """Nodes and arrows; ``key`` says what the colours mean, ``rows`` what is at which height.

    Raises:
        ValueError: an arrow from or to what is no node.

    >>> Diagram("up", (Node("0", 0, 0), Node("1", 1, 0)), (Arrow("0", "1", "black"),)).arrows[0].end
    '1'
    """

    title: str
    nodes: tuple[Node, ...]
    arrows: tuple[Arrow, ...]
    key: tuple[tuple[str, str], ...] = ()
    rows: tuple[tuple[str, float], ...] = ()
    faint: tuple[str, ...] = ()
    """The nodes that are drawn dashed."""

    def __post_init__(self) -> None:
        known = {node.text for node in self.nodes}
        for arrow in self.arrows:
            if not {arrow.start, arrow.end} <= known:
                raise ValueError(f"no node {arrow.start if arrow.end in known else arrow.end!r}")

    def paint(self, axes: Any, _: str) -> None:
        """Draw on axes, with equal units in both directions and no scales."""
        places = {node.text: (node.x, node.y) for node in self.nodes}
        radius = 0.36
        for node in self.nodes:
            style = "dashed" if node.text in self.faint else "solid"
            box = {"boxstyle": "circle,pad=0.25", "facecolor": "white", "edgecolor": "#222222", "linestyle": style}
            axes.text(node.x, node.y, node.text, ha="center", va="center", fontsize=8.5, bbox=box, zorder=3)
        for arrow in self.arrows:
            (x, y), (to_x, to_y) = places[arrow.start], places[arrow.end]
            look = {"arrowstyle": "-|>", "color": arrow.colour, "linewidth": 1.3, "mutation_scale": 11}
            if arrow.start == arrow.end:
                turns = [math.radians(arrow.bend + side) for side in (24, -24)]
                begin, end = [(x + radius * math.cos(t), y + radius * math.sin(t)) for t in turns]
                look |= {"connectionstyle": "arc3,rad=-2.2", "shrinkA": 0, "shrinkB": 0}
            else:
                begin, end = _shortened((x, y), (to_x, to_y), radius, arrow.bend)
                look |= {"connectionstyle": f"arc3,rad={arrow.bend}", "shrinkA": 0, "shrinkB": 0}
            axes.annotate("", xy=end, xytext=begin, arrowprops=look, zorder=2)
        left, low = min(x for x, _ in places.values()), min(y for _, y in places.values())
        right, high = max(x for x, _ in places.values()), max(y for _, y in places.values())
        for text, height in self.rows:
            axes.text(left - 0.75, height, text, ha="right", va="center", fontsize=9)
        for text, colour in self.key:
            axes.plot([], [], color=colour, label=text)
        axes.set_xlim(left - 1.9 if self.rows else left - 0.7, right + 0.7)
        axes.set_ylim(low - 0.95, high + 1.0)
        axes.set_aspect("equal")
        axes.set_axis_off()
        axes.set_title(self.title, fontsize="medium")
        if self.key:
            axes.legend(fontsize="small", loc="lower right", ncols=len(self.key), frameon=False)


def _shortened(
    begin: tuple[float, float], end: tuple[float, float], radius: float, bend: float
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Both ends of an arc, on the circles about its nodes."""
    turn = math.atan2(end[1] - begin[1], end[0] - begin[0])
    off = math.atan(2 * bend)  # a quadratic arc leaves its chord at this angle
    out, into = turn - off, turn + off + math.pi
    return (
        (begin[0] + radius * math.cos(out), begin[1] + radius * math.sin(out)),
        (end[0] + radius * math.cos(into), end[1] + radius * math.sin(into)),
    )


@dataclass(frozen=True)
class Map:
    """A function of two variables in colours, with lines of equal value; the y axis is logarithmic.

    ``values[j][i]`` is at ``xs[i]``, ``ys[j]``; ``levels`` are where colours change, in rising order; where some are
    below 0 and some above, what is below is red, what is above is blue, and the line of 0 is heavy.

    Raises:
        ValueError: values that are not as many as the places.
    """

    title: str
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    values: tuple[tuple[float, ...], ...]
    levels: tuple[float, ...]
    y_label: str = ""
    unit: str = ""

    def __post_init__(self) -> None:
        if len(self.values) != len(self.ys) or any(len(row) != len(self.xs) for row in self.values):
            raise ValueError(f"{self.title!r}: want {len(self.ys)} rows of {len(self.xs)} values")

    def paint(self, axes: Any, x_label: str) -> None:
        """Draw on axes, with a bar of the colours."""
        from matplotlib.colors import TwoSlopeNorm

        where = (self.xs, self.ys, self.values)
        look: dict[str, Any] = {"cmap": "viridis"}
        if self.levels[0] < 0 < self.levels[-1]:
            look = {"cmap": "RdBu", "norm": TwoSlopeNorm(0, self.levels[0], self.levels[-1])}
            axes.contour(*where, [0.0], colors="#222222", linewidths=1.8)
        filled = axes.contourf(*where, self.levels, extend="both", **look)
        lines = axes.contour(*where, self.levels, colors="#222222", linewidths=0.4, linestyles="solid")
        axes.clabel(lines, fontsize=7)
        axes.set_yscale("log")
        axes.set_title(self.title)
        axes.set_xlabel(x_label)
        axes.set_ylabel(self.y_label)
        axes.figure.colorbar(filled, ax=axes, label=self.unit, ticks=self.levels)
