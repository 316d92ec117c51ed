"""The ledger: on what the theorems of the golden record rest, and how many on each.  ``python -m benchmarks.ledger [--engine]``.

A row for each cited fact, function of balls, theory, tie and leaf of the engine (``engine:``): how many registered claims and
statements have a theorem that rests on it, and how many rest on nothing but cited facts and functions of balls.  ``--engine``
names those that rest on a leaf.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from asymp.kernel.cited import CITED
from asymp.kernel.trust import FLINT, cited

GOLDEN = Path(__file__).resolve().parents[1] / "tests" / "golden"
RECORDS = ("papers", "statements")
ENGINE = "engine: "


def entries(record: str) -> list[dict[str, Any]]:
    """The entries of a record with a theorem."""
    lines = (GOLDEN / f"{record}.jsonl").read_text(encoding="utf-8").splitlines()
    return [one for one in map(json.loads, lines) if one["strength"] == "proved" and one["outcome"] != "expanded"]


def kind(name: str) -> str:
    """What sort of thing is trusted.

    >>> kind("engine: sum"), kind("FLINT: arb.gamma"), kind("DLMF 5.11.1"), kind("definition of x")
    ('engine', 'balls', 'cited', 'other')
    """
    if name.startswith(ENGINE):
        return "engine"
    if name.startswith(FLINT):
        return "balls"
    return "cited" if cited([name]) else "other"


def counted(found: Iterable[Mapping[str, Any]]) -> Counter[str]:
    """How many rest on each.

    >>> counted([{"trusts": ["DLMF 5.11.1", "engine: sum"]}, {"trusts": ["engine: sum"]}, {}])["engine: sum"]
    2
    """
    return Counter(name for one in found for name in set(one.get("trusts", ())))


def ledger() -> list[str]:
    """The lines of the table."""
    rows = {record: entries(record) for record in RECORDS}
    counts = {record: counted(found) for record, found in rows.items()}
    every = sorted({*CITED, *(name for count in counts.values() for name in count)})
    lines = [f"{'':60}" + "".join(f"{record:>12}" for record in RECORDS)]

    def line(what: str, numbers: Sequence[int]) -> None:
        lines.append(f"{what[:59]:60}" + "".join(f"{x:12}" for x in numbers))

    line("with a theorem", [len(rows[record]) for record in RECORDS])
    for what, which in (
        ("resting on cited facts and functions of balls alone", lambda one: cited(one.get("trusts", ()))),
        ("resting on a leaf of the engine", lambda one: any(kind(name) == "engine" for name in one.get("trusts", ()))),
    ):
        line(what, [sum(map(which, rows[record])) for record in RECORDS])
    for sort in ("engine", "cited", "balls", "other"):
        own = [name for name in every if kind(name) == sort]
        lines.append(f"\n{sort} ({len(own)})")
        for name in sorted(own, key=lambda name: (-sum(counts[record][name] for record in RECORDS), name)):
            line(f"  {name}", [counts[record][name] for record in RECORDS])
    return lines


def main() -> int:
    """Prints the table, and with ``--engine`` what rests on the engine."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", action="store_true", help="name what rests on a leaf of the engine")
    if parser.parse_args().engine:
        for record in RECORDS:
            for one in entries(record):
                if leaves := sorted(name for name in one.get("trusts", ()) if kind(name) == "engine"):
                    print(f"{one['name'] if 'name' in one else one['id']}: {', '.join(leaves)}")
        return 0
    print("\n".join(ledger()))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
