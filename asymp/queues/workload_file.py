"""Workloads in CSV: a row for each class of jobs.

A header names the columns, in any order; ``#`` starts a line of comment; blank cells are left out.

=====================  ==============================================================================
``servers``            servers that a job of the class needs: an integer
``probability``        of the class; all sum to 1 within 1e-6, and are then divided by their sum
``mean_service``       mean service time; blank where the law's own parameters say it
``law``                ``exponential`` where the cell or the column is not there, or one of
``erlang``             takes ``phases``
``hyperexponential``   takes ``p1,m1,p2,m2,...``: probabilities and means of phases; the last ``p`` may
                       be blank, and the last ``m`` too where ``mean_service`` is given
``bounded-pareto``     takes ``low,high,shape``; ``low`` may be blank where ``mean_service`` is given
``deterministic``      ``mean_service`` is the value
``empirical``          takes ``values`` (``0.5;1;2``), with ``weights`` if they differ, or
                       ``values_file``: a file beside this one or in a folder there, a value (or
                       ``value,weight``) a line
=====================  ==============================================================================

A mean that is given twice, by ``mean_service`` and by the parameters, must agree to 1e-6.  Two rows of
one need and one law are refused, for one of them is a slip; one need with two laws is two classes.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from asymp.messages import unknown
from asymp.queues.job_classes import MOST_CLASSES, ServerNeed, Workload, check_class
from asymp.queues.laws import (
    BoundedPareto,
    Deterministic,
    Empirical,
    Erlang,
    Exponential,
    HyperExponential,
    Law,
)

MOST_BYTES = 1 << 26
"""Files beyond this are refused unread."""
MOST_VALUES = 10**6
"""The most lines of a ``values_file``."""

_REQUIRED = ("servers", "probability", "mean_service")
_PARAMETERS: dict[str, tuple[str, ...]] = {
    "exponential": (),
    "erlang": ("phases",),
    "hyperexponential": (),  # and p1, m1, ...
    "bounded-pareto": ("low", "high", "shape"),
    "deterministic": (),
    "empirical": ("values", "weights", "values_file"),
}
_PHASE = re.compile(r"[pm][1-9][0-9]?")
_AGREE = 1e-6

LawOfMean = Callable[[float], Law]
Cells = Mapping[str, str]


def read_workload(path: str | Path, servers: int, law: LawOfMean = Exponential) -> Workload:
    """The workload of a CSV file.

    Args:
        path: the file.
        servers: servers of the system.
        law: makes, from ``mean_service``, the law of a row that names none.

    Raises:
        ValueError: one line that names the file, and the line of the row where there is one.
        OSError: the file cannot be read.
    """
    path = Path(path)
    return parse_workload(read_text(path), servers, law, name=path.stem, source=str(path), folder=path.parent)


def read_text(path: Path) -> str:
    """A text file of at most ``MOST_BYTES``.

    Raises:
        ValueError: larger, or not text.
    """
    with open(path, "rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ValueError(f"{path} is larger than {MOST_BYTES >> 20} MiB: not read")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not text in UTF-8") from None
    if "\0" in text:
        raise ValueError(f"{path} is not text: it has zero bytes")
    return text


def parse_workload(
    text: str,
    servers: int,
    law: LawOfMean = Exponential,
    name: str = "",
    source: str = "",
    folder: Path | None = None,
) -> Workload:
    """The workload of a CSV text; see :func:`read_workload`.

    >>> w = parse_workload("servers,probability,mean_service\\n1,0.9,1\\n4,0.1,2.5\\n", 8)
    >>> w.needs, w.mean_service
    ((1, 4), 1.15)
    >>> parse_workload("servers,probability,mean_service\\n1,0.9,1\\n16,0.1,2.5\\n", 8, source="a.csv")
    Traceback (most recent call last):
    ValueError: a.csv, line 3: a job needs 16 servers, and there are 8
    """
    source = source or name or "workload"
    rows = _rows(text, source)
    if not rows:
        raise ValueError(f"{source} is empty: it needs a header and a row for each class")
    start, header = rows[0]
    columns = [cell.lower() for cell in header]
    _check_header(columns, f"{source}, line {start}")
    if len(rows) == 1:
        raise ValueError(f"{source} has a header and no rows")
    if len(rows) - 1 > MOST_CLASSES:
        raise ValueError(f"{source} has {len(rows) - 1} rows: at most {MOST_CLASSES}")
    classes: list[ServerNeed] = []
    seen: dict[tuple[int, Law], int] = {}
    for line, row in rows[1:]:
        place = f"{source}, line {line}"
        if len(row) > len(columns):
            raise ValueError(f"{place}: {len(row)} cells under {len(columns)} columns")
        try:
            entry = _read_class({c: cell for c, cell in zip(columns, row, strict=False) if cell}, law, folder)
        except ValueError as error:
            raise ValueError(f"{place}: {error}") from None
        check_class(entry, servers, place)
        first = seen.setdefault((entry.servers, entry.service), line)
        if first != line:
            raise ValueError(f"{place}: repeats line {first} (the same servers and law): put the two together")
        classes.append(entry)
    try:
        return Workload(servers, tuple(classes), name)
    except ValueError as error:
        raise ValueError(f"{source}, lines {rows[1][0]} to {rows[-1][0]}: {error}") from None


def _rows(text: str, source: str) -> list[tuple[int, list[str]]]:
    """Line numbers and cells of the lines that are not blank or comments."""
    out = []
    for line, content in enumerate(text.splitlines(), 1):
        if not content.strip() or content.lstrip().startswith("#"):
            continue
        try:
            out.append((line, [cell.strip() for cell in next(csv.reader([content], strict=True))]))
        except csv.Error as error:
            raise ValueError(f"{source}, line {line}: not a line of CSV ({error})") from None
    return out


def _check_header(columns: list[str], place: str) -> None:
    known = [*_REQUIRED, "law", *(name for names in _PARAMETERS.values() for name in names)]
    for name in _REQUIRED:
        if name not in columns:
            raise ValueError(f"{place}: missing column {name!r}: the header is servers,probability,mean_service,...")
    for k, name in enumerate(columns):
        if name not in known and not _PHASE.fullmatch(name):
            raise ValueError(f"{place}: {unknown('column', name, known)}")
        if name in columns[:k]:
            raise ValueError(f"{place}: column {name!r} is there twice")


def _read_class(cells: Cells, default: LawOfMean, folder: Path | None) -> ServerNeed:
    for name in ("servers", "probability"):
        if name not in cells:
            raise ValueError(f"{name} is blank")
    if not re.fullmatch(r"\+?[0-9]{1,18}", cells["servers"]):
        raise ValueError(f"servers must be a positive integer, not {_short(cells['servers'])}")
    mean = _float(cells, "mean_service") if "mean_service" in cells else None
    if mean is not None and not 0 < mean < math.inf:  # also NaN
        raise ValueError(f"mean_service must be positive and finite, not {mean:g}")
    return ServerNeed(int(cells["servers"]), _float(cells, "probability"), _read_law(cells, mean, default, folder))


def _read_law(cells: Cells, mean: float | None, default: LawOfMean, folder: Path | None) -> Law:
    kind = cells.get("law", "").lower()
    given = [name for name in cells if name not in _REQUIRED and name != "law"]
    if kind and kind not in _PARAMETERS:
        raise ValueError(unknown("law", kind, _PARAMETERS))
    for name in given:
        phase = kind == "hyperexponential" and _PHASE.fullmatch(name)
        if not phase and name not in _PARAMETERS.get(kind, ()):
            raise ValueError(f"{name} is no parameter of the law {kind}" if kind else f"{name} is given and no law")
    if kind in ("", "exponential", "deterministic", "erlang"):
        if mean is None:
            raise ValueError("mean_service is blank")
        if kind == "erlang":
            return Erlang(_phases(cells), mean)
        make: LawOfMean = {"": default, "exponential": Exponential, "deterministic": Deterministic}[kind]
        return make(mean)
    law: Law
    if kind == "hyperexponential":
        law = _hyperexponential(cells, mean)
    elif kind == "bounded-pareto":
        law = _bounded_pareto(cells, mean)
    else:
        law = _empirical(cells, folder)
    if mean is not None and abs(law.mean - mean) > _AGREE * mean:
        raise ValueError(
            f"mean_service is {mean:g}, and the parameters of the law give {law.mean:.8g}: leave one blank"
        )
    return law


def _phases(cells: Cells) -> int:
    text = cells.get("phases", "")
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise ValueError(f"phases must be a positive integer, not {_short(text)}")
    return int(text)


def _hyperexponential(cells: Cells, mean: float | None) -> HyperExponential:
    count = max((int(name[1:]) for name in cells if _PHASE.fullmatch(name)), default=0)
    if not count:
        raise ValueError("a hyperexponential law needs p1,m1,p2,m2,...")
    wanted = [f"p{k}" for k in range(1, count)] + [f"m{k}" for k in range(1, count)]
    for name in wanted:
        if name not in cells:
            raise ValueError(f"{name} is blank")
    weights = [_float(cells, f"p{k}") for k in range(1, count)]
    last = f"p{count}"
    weights.append(_float(cells, last) if last in cells else 1 - math.fsum(weights))
    means = [_float(cells, f"m{k}") for k in range(1, count + 1) if f"m{k}" in cells]
    if len(means) == count:
        return HyperExponential(tuple(weights), tuple(means))
    if mean is None:
        raise ValueError(f"m{count} and mean_service are both blank")
    return HyperExponential.of_mean(mean, weights, means)


def _bounded_pareto(cells: Cells, mean: float | None) -> BoundedPareto:
    for name in ("high", "shape"):
        if name not in cells:
            raise ValueError(f"{name} is blank")
    high, shape = _float(cells, "high"), _float(cells, "shape")
    if "low" in cells:
        return BoundedPareto(_float(cells, "low"), high, shape)
    if mean is None:
        raise ValueError("low and mean_service are both blank")
    return BoundedPareto.of_mean(mean, high, shape)


def _empirical(cells: Cells, folder: Path | None) -> Empirical:
    if ("values" in cells) == ("values_file" in cells):
        raise ValueError("an empirical law needs values or values_file, and not both")
    if "values" in cells:
        values = _list(cells, "values")
        return Empirical(values, _list(cells, "weights") if "weights" in cells else None)
    if "weights" in cells:
        raise ValueError("weights go with values: those of values_file stand in the file")
    if folder is None:
        raise ValueError("values_file is read only for a workload that is itself a file")
    return _values_of(cells["values_file"], folder)


def _values_of(name: str, folder: Path) -> Empirical:
    """The law of a file beside the workload.

    A workload may come from somebody else: the file it names lies in its own folder, links included, and no error says
    what stands in it.
    """
    path = _beside(name, folder)
    try:
        text = read_text(path)
    except OSError as error:
        raise ValueError(f"values_file {_short(name)}: {error.strerror}") from None
    except ValueError:
        raise ValueError(f"values_file {_short(name)} is not text in UTF-8 of at most {MOST_BYTES >> 20} MiB") from None
    if text.count("\n") > MOST_VALUES:
        raise ValueError(f"values_file {_short(name)} has more than {MOST_VALUES} lines")
    rows = _rows(text, f"values_file {_short(name)}")
    pairs = []
    for line, row in rows:
        if len(row) > 2 or len(row) != len(rows[0][1]):
            place = f"values_file {_short(name)}, line {line}"
            raise ValueError(f"{place}: a line is a value, or in all lines value,weight")
        try:
            pairs.append([_float({"value": cell}, "value") for cell in row])
        except ValueError:
            raise ValueError(f"values_file {_short(name)}, line {line}: not a number") from None
    if not pairs:
        raise ValueError(f"values_file {_short(name)} has no values")
    weights = tuple(pair[1] for pair in pairs) if len(pairs[0]) == 2 else None
    try:
        return Empirical(tuple(pair[0] for pair in pairs), weights)
    except ValueError:
        wanted = "values must be finite and nonnegative, one of them positive, and weights positive"
        raise ValueError(f"values_file {_short(name)}: {wanted}") from None


def _beside(name: str, folder: Path) -> Path:
    """A regular file in the folder or below it, wherever links lead.

    Raises:
        ValueError: another one, or none.
    """
    given = Path(name)
    try:
        if given.is_absolute() or ".." in given.parts or "\0" in name:
            raise ValueError(f"values_file {_short(name)}: only a file beside the workload is read")
        path = (folder / given).resolve(strict=True)
        if not path.is_relative_to(folder.resolve(strict=True)):
            raise ValueError(f"values_file {_short(name)}: only a file beside the workload is read")
        if not path.is_file():  # a pipe would be waited for
            raise ValueError(f"values_file {_short(name)} is not a file")
    except (OSError, RuntimeError) as error:
        why = getattr(error, "strerror", None) or "cannot be found"
        raise ValueError(f"values_file {_short(name)}: {why}") from None
    return path


def _list(cells: Cells, name: str) -> tuple[float, ...]:
    return tuple(_float({name: cell.strip()}, name) for cell in cells[name].split(";"))


def _float(cells: Cells, name: str, place: str = "") -> float:
    text = cells[name]
    try:
        if "_" in text:  # Python's own digits grouping: not of CSV
            raise ValueError
        return float(text)
    except ValueError:
        raise ValueError(f"{place}{name} is not a number: {_short(text)}") from None


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")


# --- writing ---------------------------------------------------------------------------------------


def write_workload(path: str | Path, workload: Workload) -> None:
    """Write a workload so that :func:`read_workload` gives back the same, to the last bit."""
    Path(path).write_text(format_workload(workload), encoding="utf-8")


def format_workload(workload: Workload) -> str:
    """The CSV text of a workload (its number of servers is not part of it).

    >>> print(format_workload(parse_workload("servers,probability,mean_service\\n1,1,0.5\\n", 8)), end="")
    servers,probability,mean_service
    1,1.0,0.5
    """
    rows = [_cells(entry) for entry in workload.classes]
    if all(row["law"] == "exponential" for row in rows):
        rows = [{name: cell for name, cell in row.items() if name != "law"} for row in rows]
    columns = list(dict.fromkeys(name for row in rows for name in row))
    lines = [columns, *([row.get(name, "") for name in columns] for row in rows)]
    return "".join(",".join(line) + "\n" for line in lines)


def _cells(entry: ServerNeed) -> dict[str, str]:
    law = entry.service
    out = {"servers": str(entry.servers), "probability": repr(entry.probability), "mean_service": repr(law.mean)}
    if isinstance(law, Exponential):
        return out | {"law": "exponential"}
    if isinstance(law, Deterministic):
        return out | {"law": "deterministic"}
    if isinstance(law, Erlang):
        return out | {"law": "erlang", "phases": str(law.phases)}
    out["mean_service"] = ""  # the parameters say it
    if isinstance(law, HyperExponential):
        out["law"] = "hyperexponential"
        for k, (q, m) in enumerate(zip(law.probabilities, law.means, strict=True), 1):
            out |= {f"p{k}": repr(q), f"m{k}": repr(m)}
        return out
    if isinstance(law, BoundedPareto):
        return out | {"law": "bounded-pareto", "low": repr(law.low), "high": repr(law.high), "shape": repr(law.shape)}
    if isinstance(law, Empirical):
        values, weights = (";".join(map(repr, x)) for x in (law.values, law.weights or ()))
        return out | {"law": "empirical", "values": values, "weights": weights}
    raise ValueError(f"{type(law).__name__} has no form in CSV")
