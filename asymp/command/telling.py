"""What a run of checks says: rows as they come, what a record says without a run, and what to do next."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from asymp.command.executor import Executor
from asymp.command.reporting import recorded
from asymp.export import record, table

MOST_WRONG = 8
"""Claims of which it is said once more, at the end of a run, why they are not as expected."""
Entry = Mapping[str, Any]


def rows(entry: Entry, columns: tuple[int, int], look: Mapping[str, bool], quiet: bool) -> Iterator[str]:
    """A row of the table; of one that is not as expected the reason stands below it."""
    expected = table.as_expected(entry)
    if not (quiet and expected):
        yield table.row(entry, columns, look["colour"], look["ascii_only"])
    if said := table.otherwise(entry):
        yield f"    {said}"
    if not expected and (why := table.complaint(entry)):
        yield f"{'' if entry['place'] else '    '}{why}"


def told(arguments: Any, executor: Executor, say: Callable[..., None], look: Mapping[str, bool]) -> int:
    """Say what a record says, as the run that wrote it has said it: nothing is checked again."""
    data, _ = recorded(executor, arguments)
    entries, quiet, unexpected = data["claims"], arguments.quiet, data["summary"]["unexpected"]
    if arguments.json == "-":
        say(record.to_json(data), end="")
        return int(bool(unexpected))
    columns = table.widths((entry["id"], entry["locator"]) for entry in entries)
    if not quiet:
        say(table.header(columns))
    for entry in entries:
        for line in rows(entry, columns, look, quiet):
            say(line)
    if not quiet or unexpected:
        say(table.summary_line(data["summary"]))
    if arguments.json:
        record.write_record(arguments.json, data)
    return int(bool(unexpected))


def advice(arguments: Any, claims: Sequence[Entry], found: Mapping[str, Entry]) -> str:
    """For who sits at a terminal: what is not as expected once more, and why, and what to do next; empty where nobody asked."""
    if arguments.quiet or arguments.json == "-" or not found:
        return ""
    wrong = [one for one in claims if one["id"] in found and not table.as_expected(found[one["id"]])]
    words = "".join(f" {shlex.quote(word)}" for word in arguments.said)
    if not wrong:
        return f"next: asymp report{words}  (a page with every claim and its derivation)\n"
    first = wrong[0]
    whys = ((one["id"], table.complaint(found[one["id"]], placed=False)) for one in wrong[:MOST_WRONG])
    lines = ["not as expected:", *(f"  {name}{f': {said}' * bool(said)}" for name, said in whys)]
    lines += [f"  and {len(wrong) - MOST_WRONG} more"] if len(wrong) > MOST_WRONG else []
    target = f"{first['file']}::{first['id']}" if first["file"] else first["id"]
    return "\n".join([*lines, f"next: asymp show {shlex.quote(target)}  (why)"]) + "\n"
