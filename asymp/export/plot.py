"""Figures: numbers that were computed elsewhere, drawn.  matplotlib is imported here alone.

A :class:`Figure` is plain data.  Colours carry markers, so that they can be told apart in print:
green points up, orange points down, purple is square.
"""

from __future__ import annotations

import io
import math
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

from asymp.export.files import write_bytes
from asymp.export.pictures import Diagram, Map

Number = str | float | int
MARKERS = {"green": "^", "orange": "v", "purple": "s", "black": "o", "blue": "D"}
COLOURS = {
    "green": "#2ca02c",
    "orange": "#e8710a",
    "purple": "#7b2d9e",
    "black": "#222222",
    "blue": "#1f77b4",
}
LETTERS, LINE = 13, 0.16
"""Of words under a figure: letters to an inch, inches to a line."""


@dataclass(frozen=True)
class Series:
    """One curve: decimal strings or floats; the marker follows the colour unless it is given.

    ``marker`` may be ``"none"``; ``line`` is a line style of matplotlib's; a series that is not ``filled``
    has large hollow markers, so that what lies under it is seen.
    """

    label: str
    colour: str
    xs: tuple[Number, ...]
    ys: tuple[Number, ...]
    marker: str = ""
    line: str = "-"
    filled: bool = True
    errors: tuple[Number, ...] = ()
    """Half-widths of intervals about the ys."""
    area: bool = False
    """The polygon through the points, shaded, in place of a curve."""

    def __post_init__(self) -> None:
        if len(self.xs) != len(self.ys):
            raise ValueError(f"series {self.label!r}: {len(self.xs)} xs and {len(self.ys)} ys")
        if self.errors and len(self.errors) != len(self.ys):
            raise ValueError(f"series {self.label!r}: {len(self.ys)} ys and {len(self.errors)} errors")


@dataclass(frozen=True)
class Panel:
    """One pair of axes."""

    title: str
    series: tuple[Series, ...]
    y_label: str = ""
    y_log: bool = True
    y_limits: tuple[float, float] | None = None


AnyPanel = Panel | Diagram | Map


class Later(Sequence[AnyPanel]):
    """Panels that are computed when they are first looked at, so that figures can be listed at no cost.

    >>> panels = Later(lambda: (Panel("throughput", ()),))
    >>> len(panels), panels[0].title
    (1, 'throughput')
    """

    def __init__(self, make: Callable[[], Sequence[AnyPanel]]) -> None:
        self._make = make

    @cached_property
    def _panels(self) -> tuple[AnyPanel, ...]:
        return tuple(self._make())

    def __len__(self) -> int:
        return len(self._panels)

    def __getitem__(self, index: Any) -> Any:
        return self._panels[index]

    def __iter__(self) -> Iterator[AnyPanel]:
        return iter(self._panels)


@dataclass(frozen=True)
class Figure:
    """A figure of a paper: panels side by side over the same x.

    >>> line = Series("exact", "purple", ("1e1", "1e2"), ("0.5", "0.25"))
    >>> Figure("Figure 2", "n", (Panel("throughput", (line,)),))._repr_png_()[:4]
    b'\\x89PNG'
    """

    title: str
    x_label: str
    panels: Sequence[AnyPanel]
    x_log: bool = True
    caption: str = ""
    x_log_log: bool = False
    """The axis is linear in ln ln x: room for 10 and for 10^1000 (takes the place of ``x_log``)."""
    columns: int = 0
    """Panels in a row; 0: all."""
    size: tuple[float, float] = (5.2, 4.0)
    """Width and height of a panel, in inches."""
    words: str | Callable[[], str] = ""
    """Drawn under the panels: what one sees, what the paper says, whether it is so; made of the numbers when they are drawn."""

    def _repr_png_(self) -> bytes:
        return render(self, "png")

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """It as a picture of a notebook, with what it shows in words for who does not see it."""
        return {"image/png": self._repr_png_()}, {"image/png": {"alt": self.caption or self.title}}

    def draw(self) -> Any:
        """It as a figure of matplotlib: see :func:`draw`."""
        return draw(self)

    def save(self, path: str | PathLike[str]) -> Path:
        """Write it: see :func:`save`."""
        return save(self, path)


def draw(figure: Figure) -> Any:
    """The figure as a matplotlib figure that belongs to no window.

    Raises:
        ValueError: a number that cannot be drawn (not finite, or not positive on a log scale).
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    count = max(len(figure.panels), 1)
    columns = figure.columns or count
    rows = -(-count // columns)
    canvas = Canvas(figsize=(figure.size[0] * columns, figure.size[1] * rows), dpi=150, layout="constrained")
    FigureCanvasAgg(canvas)
    canvas.suptitle(figure.title)
    for axes, panel in zip(canvas.subplots(rows, columns, squeeze=False).flat, figure.panels, strict=False):
        if isinstance(panel, Panel):
            _draw_panel(axes, panel, figure)
        else:
            panel.paint(axes, figure.x_label)
    _write_under(canvas, figure.words() if callable(figure.words) else figure.words)
    return canvas


def _write_under(canvas: Any, words: str) -> None:
    """Words under all panels, on as many lines as they need, for which the canvas is made higher."""
    width, height = canvas.get_size_inches()
    lines = textwrap.wrap(words, int(LETTERS * width))
    if lines:
        canvas.set_size_inches(width, height + LINE * (len(lines) + 1))
        canvas.supxlabel("\n".join(lines), x=0.02, ha="left", fontsize=9)


def _draw_panel(axes: Any, panel: Panel, figure: Figure) -> None:
    x_log = figure.x_log or figure.x_log_log
    all_x = [_coordinates(line.xs, x_log, line.label) for line in panel.series]
    all_y = [_coordinates(line.ys, panel.y_log, line.label) for line in panel.series]
    huge_x = figure.x_log_log or (x_log and _huge(all_x))
    huge_y = panel.y_log and _huge(all_y)
    for line, xs, ys in zip(panel.series, all_x, all_y, strict=True):
        if line.area:
            axes.fill(xs, ys, label=line.label, color=COLOURS.get(line.colour, line.colour), alpha=0.25, linewidth=0)
            continue
        if line.errors:
            numbers = ([float(value) for value in values] for values in (line.xs, line.ys, line.errors))
            axes.errorbar(*numbers, fmt="none", ecolor=COLOURS.get(line.colour, line.colour), capsize=3)
        axes.plot(
            _placed(xs, x_log, huge_x),
            _placed(ys, panel.y_log, huge_y),
            label=line.label,
            color=COLOURS.get(line.colour, line.colour),
            marker=line.marker or MARKERS.get(line.colour, "o"),
            markersize=4.5 if line.filled else 7.5,
            markerfacecolor=None if line.filled else "none",
            linestyle=line.line,
            linewidth=1.3,
        )
    if figure.x_log_log:
        axes.set_xscale("log")
        axes.xaxis.set_minor_formatter(lambda *_: "")
    if panel.y_limits:
        axes.set_ylim(*panel.y_limits)
    for log, huge, name in ((x_log, huge_x, "x"), (panel.y_log, huge_y, "y")):
        if huge:
            getattr(axes, f"{name}axis").set_major_formatter(lambda value, _: f"$10^{{{value:g}}}$")
        elif log:
            getattr(axes, f"set_{name}scale")("log")
    axes.set_title(panel.title)
    axes.set_xlabel(figure.x_label)
    axes.set_ylabel(panel.y_label)
    axes.grid(True, which="major", alpha=0.3)
    if any(line.label for line in panel.series):
        axes.legend(fontsize="small")


def _coordinates(values: Sequence[Number], log: bool, label: str) -> list[float]:
    """The values, or their decimal logarithms on a log scale (which 1e-1000 has and no float is)."""
    result = []
    for value in values:
        try:
            exact = Decimal(str(value))
        except InvalidOperation as error:
            raise ValueError(f"series {label!r}: {str(value)[:60]!r} is not a number") from error
        if not exact.is_finite() or (log and exact <= 0):
            why = "positive and finite" if log else "finite"
            raise ValueError(f"series {label!r}: {str(value)[:60]!r} is not {why}")
        number = float(exact.log10()) if log else float(exact)
        if not math.isfinite(number):
            raise ValueError(f"series {label!r}: {str(value)[:60]!r} is too large for a linear scale")
        result.append(number)
    return result


def _huge(lists: Sequence[Sequence[float]]) -> bool:
    return any(abs(value) > 290 for values in lists for value in values)


def _placed(values: Sequence[float], log: bool, huge: bool) -> list[float]:
    return [10.0**value for value in values] if log and not huge else list(values)


def render(figure: Figure, kind: str = "png") -> bytes:
    """The figure as a PNG, SVG or PDF; the same figure gives the same bytes (no dates in it)."""
    import matplotlib as mpl

    undated: dict[str, dict[str, Any]] = {
        "png": {"Software": None},
        "svg": {"Date": None},
        "pdf": {"CreationDate": None},
    }
    if kind not in undated:
        raise ValueError(f"{kind!r} is none of png, svg, pdf")
    buffer = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "asymp"}):
        draw(figure).savefig(buffer, format=kind, metadata=undated[kind])
    return buffer.getvalue()


def save(figure: Figure, path: str | PathLike[str]) -> Path:
    """Write the figure, whole or not at all; the kind is the file name's ending."""
    target = Path(path)
    write_bytes(target, render(figure, target.suffix.lstrip(".").lower()))
    return target
