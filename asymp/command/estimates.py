"""What ``asymp sample`` prints: a line for each estimate, a row for each class of jobs."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING

from asymp.export.table import estimate_line

if TYPE_CHECKING:
    from asymp.model import Estimate, Result

COLUMNS = ("waiting-mean", "waiting-p90", "waiting-zero")
"""What the row of a class shows."""
HIDDEN = ("wasted-hol-printed", "wasted-total-printed")
"""Overall figures for those who check the paper: formulas as printed, which do not give what they are named after."""
WIDTH = 100


def text(result: Result) -> str:
    """All of it; the parameter ``detail=full`` asks for every estimate of every class."""
    full = result.parameters.get("detail", "").strip() == "full" or "method" not in result.about
    lines = [] if "method" not in result.about else [heading(result)]
    for name, estimate in result.estimates.items():
        if name in result.exact:
            lines.append(f"{name:28}  {estimate.value:.8g} (exact)")
        elif full or not (name.endswith("]") or name in HIDDEN):
            lines.append(line(name, estimate))
    if not full:
        lines += class_rows(result)
    for note in result.notes:
        lines += textwrap.wrap(f"note: {note}", WIDTH, subsequent_indent="      ", break_on_hyphens=False)
    last = f"size {result.size}, seed {result.seed}, {result.backend}, {result.seconds:.2f} s"
    levels = {name: e.level for name, e in result.estimates.items() if name not in result.exact}
    if "method" in result.about:
        common = levels["waiting-mean"]
        others = [name for name, level in levels.items() if level != common]
        last += f"; intervals of level {common:.7g}"
        if others:
            last += f" ({' and '.join(others)}: {levels[others[0]]:.7g})"
    return "\n".join([*lines, last])


def line(name: str, estimate: Estimate) -> str:
    """An estimate with its interval, or what can be said where the samples show no spread or are too few."""
    low, high = estimate.interval
    if 0 < estimate.stderr < math.inf:
        return estimate_line(name, estimate.value, estimate.stderr, estimate.interval)
    if not math.isfinite(estimate.stderr):
        return f"{name:28}  {estimate.value:.6g} +/- ?   [{low:.4g}, {high:.4g}]"
    if 0 < high - low <= 1e-12 * abs(estimate.value) + 1e-300:  # an allowance for rounding, nothing else
        return f"{name:28}  {estimate.value:.6g} (in every sample)"
    return f"{name:28}  {estimate.value:.6g}   [{low:.4g}, {high:.4g}]"


def heading(result: Result) -> str:
    """The run in a line: workload, servers, method, and how far back or on its samples go."""
    about = result.about
    size = result.size
    how = {
        "backward": "Algorithm 1 backward, first length {first}, {mean-length} in the mean, at most {longest}",
        "forward": f"{size} runs forward of {{jobs}} jobs from an empty system",
        "perfect": "certified coupling from the past, first start {first} jobs ago, at most {longest}",
    }[about["method"]]
    classes = f"{len(result.classes)} class{'es' if len(result.classes) > 1 else ''}"
    return f"{about['workload']}, {about['servers']} servers, {classes}: {how.format(**about)}"


def class_rows(result: Result) -> list[str]:
    """A table of the classes, under the names that ``--json`` gives their estimates."""
    rows = [["class", "probability", *COLUMNS]]
    for one in result.classes:
        found = [result.estimates.get(f"{name}[{one['label']}]") for name in COLUMNS]
        rows.append([f"[{one['label']}]", f"{float(one['probability']):.4g}", *map(figure, found)])
    keep = [k for k in range(len(rows[0])) if any(row[k] for row in rows[1:])]  # forward runs do not count zeros
    wide = {k: max(len(row[k]) for row in rows) for k in keep}
    return ["  ".join(row[k].ljust(wide[k]) for k in keep).rstrip() for row in rows]


def figure(estimate: Estimate | None) -> str:
    """A number to the digits that its standard error leaves.

    >>> from asymp.model import Estimate
    >>> figure(Estimate(123.456, 0.0321, (123.3, 123.6), 0.99, 100, 0, "numpy"))
    '123.456 +/- 0.032'
    """
    if estimate is None:
        return ""
    value, error = estimate.value, estimate.stderr
    if not (error > 0 and math.isfinite(error) and math.isfinite(value)):
        return f"{value:.4g}" + ("" if error == 0 else " +/- ?")
    decimals = 1 - math.floor(math.log10(error))
    if not -4 < decimals <= 8:
        return f"{value:.6g} +/- {error:.2g}"
    return f"{value:.{max(decimals, 0)}f} +/- {error:.{max(decimals, 0)}f}"
