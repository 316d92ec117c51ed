"""What asymp says of statements that nobody registered: ``python -m benchmarks.papers [--kind K] [--json FILE] [--jobs N]``.

The statements are of eleven kinds (:mod:`benchmarks.papers.statements`), a third of them false by a little; their truth is found
again by numbers alone (``python -m benchmarks.papers.truth``).  Each is asked as by ``asymp ask``, in a watched process, within
20 seconds of the processor.  A row a kind: how many are proved, certified, supported, undecided, late (at the limit), crashed,
refused (by the parser: not asked), WRONG; the median of the seconds, and what 95% stay under.  Exit 1 where one is wrong.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from asymp.command.executor import LIMITED, End, Ended, Executor, Limits, Task
from benchmarks.papers.asked import answered
from benchmarks.papers.statements import HERE, Said, kinds, statements

LIMIT = 20.0
"""Seconds of the processor for one; fifteen times as many by the clock, on a busy machine."""
COLUMNS = ("proved", "certified", "supported", "undecided", "late", "crash", "refused", "WRONG")


def told(said: Said, answer: Mapping[str, Any]) -> str:
    """The column of an answer."""
    outcome = answer["outcome"]
    if outcome not in ("holds", "refuted"):
        return str(outcome) if outcome in ("refused", "late", "crash") else "undecided"
    return str(answer["strength"]) if said.true == (outcome == "holds") else "WRONG"


def run(asked: Sequence[Said], jobs: int = 1, fresh: bool = False) -> list[dict[str, Any]]:
    """The answers, in the order of what is asked; ``fresh``: each in a new process, where nothing is computed yet."""
    found: dict[int, dict[str, Any]] = {}
    tasks = [
        Task("benchmarks.papers.asked:watched", (one.text, one.to, one.assume), name=str(k))
        for k, one in enumerate(asked)
    ]
    if fresh:  # a new process is a copy of this one, which has loaded what all need and computed nothing
        answered("1/n -> 0", "n -> oo", [])
    for part in [[task] for task in tasks] if fresh else [tasks]:
        with Executor(jobs, Limits(wall=15 * LIMIT, processor=LIMIT, memory=4 << 30)) as executor:
            for task, ended in executor.run(part):
                one = asked[int(task.name)]
                answer = _answer(ended)
                row = {**_words(one), **answer, "column": told(one, answer), **_shown(one, answer)}
                print(line(row), file=sys.stderr, flush=True)
                found[int(task.name)] = row
            if executor.stopped is not None:  # interrupted: what there is by now
                break
    return [found[k] for k in sorted(found)]


def _answer(ended: Ended) -> dict[str, Any]:
    """What a process answered, or had found when a limit ended it."""
    if ended.end is End.FINISHED:
        return dict(ended.value)
    outcome = "late" if ended.end in LIMITED else "crash"
    found = {"outcome": outcome, "strength": "none", "reason": f"{ended.end}: {ended.detail}"} | (ended.kept or {})
    return found | ({"outcome": outcome} if found["outcome"] == "undecided" else {}) | {"seconds": LIMIT}


def _words(said: Said) -> dict[str, Any]:
    return {
        "kind": said.kind,
        "text": said.text,
        "to": said.to,
        "assume": list(said.assume),
        "true": said.true,
        "source": said.source,
        "peer": said.peer,
    }


def _shown(said: Said, answer: Mapping[str, Any]) -> dict[str, bool]:
    """Whether a refutation says what is true, where the data say how that reads."""
    if said.true or "shows" not in said.numbers or answer["outcome"] != "refuted":
        return {}
    reads = answer["reason"].replace(" ", "")
    return {"shown": any(one.replace(" ", "") in reads for one in said.numbers["shows"])}


def line(row: Mapping[str, Any]) -> str:
    """An answer in one line."""
    where = "".join(f" [{part}]" for part in (row["to"], *row["assume"]) if part)
    return f"{row['column']:<10}{row['seconds']:6.1f} s  {row['true']!s:<6}{row['text']}{where}: {row['reason'][:200]}"


def table(rows: Sequence[Mapping[str, Any]]) -> str:
    """A row a kind, and one of all; statements that are refused have no seconds.

    Where it is known what another tool does with its own: how many of the true ones we decide, and how many it does.
    """
    words = "".join(f"{one:>10}" for one in COLUMNS)
    theirs = any(row.get("peer") for row in rows)
    lines = [
        f"{'kind':<20}{'all':>5}{'false':>6}{words}{'decided':>9}{'median':>8}{'95%':>7}{THEIRS if theirs else ''}"
    ]
    for kind in [*dict.fromkeys(row["kind"] for row in rows), ""]:
        own = [row for row in rows if kind in ("", row["kind"])]
        count = {one: sum(row["column"] == one for row in own) for one in COLUMNS}
        seconds = sorted(row["seconds"] for row in own if row["column"] != "refused") or [0.0]
        high = seconds[min(len(seconds) - 1, len(seconds) * 95 // 100)]
        decided = (count["proved"] + count["certified"]) / max(1, len(own))
        words = "".join(f"{count[one]:>10}" for one in COLUMNS)
        false = sum(not row["true"] for row in own)
        lines.append(
            f"{kind or 'all':<20}{len(own):>5}{false:>6}{words}{decided:>9.0%}{median(seconds):>8.1f}{high:>7.1f}"
            f"{_theirs(own) if theirs else ''}"
        )
    return "\n".join(lines)


THEIRS = "  true: ours    theirs"


def _theirs(rows: Sequence[Mapping[str, Any]]) -> str:
    """How many of the true statements are decided here, and by the tool whose they are, of those that it speaks of."""
    true = [row for row in rows if row["true"]]
    ours = sum(row["column"] in ("proved", "certified") for row in true)
    spoken = [row["peer"] for row in true if row["peer"] not in ("", "unknown")]
    wrong = f" ({spoken.count('wrong')} wrong)" if "wrong" in spoken else ""
    return f"{ours:>8}/{len(true)}{spoken.count('solved'):>7}/{len(spoken)}{wrong}"


def main(
    words: Sequence[str] | None = None, folder: Path = HERE, kind: str = "kind", about: str | None = __doc__
) -> int:
    """Asks, prints, and says whether one was wrong: of the statements in a folder, whose files are of a kind each."""
    parser = argparse.ArgumentParser(
        prog=f"python -m benchmarks.{folder.name}",
        description=about,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(f"--{kind}", dest="kind", help=f"one {kind} alone: its name or number")
    parser.add_argument("--only", metavar="TEXT", help="the statements with this in their text alone")
    parser.add_argument("--json", metavar="FILE", help="write every answer")
    parser.add_argument("--jobs", type=int, default=1, help="processes (1)")
    parser.add_argument(
        "--fresh", action="store_true", help="each in a new process, where nothing has been computed yet"
    )
    parser.add_argument("--list", action="store_true", help="print the statements with their sources, and stop")
    options = parser.parse_args(words)
    asked = [one for one in statements(options.kind, folder) if not options.only or options.only in one.text]
    if not asked:
        parser.error(f"no such statements; the {kind}s are {', '.join(kinds(folder))}")
    if options.list:
        for name, title in kinds(folder).items():
            if own := [one for one in asked if one.kind == name]:
                print(f"# {name}: {title}")
                print("\n".join(f"{one.true!s:<6}{one}  ({one.source})" for one in own))
        return 0
    rows = run(asked, options.jobs, options.fresh)
    print(table(rows))
    if told_true := [row["shown"] for row in rows if "shown" in row]:
        print(f"refutations that say what is true: {sum(told_true)} of {len(told_true)}")
    if options.json:
        Path(options.json).write_text(json.dumps(rows, indent=1, ensure_ascii=False), encoding="utf-8")
    wrong = [row for row in rows if row["column"] == "WRONG"]
    crashed = [row for row in rows if row["column"] == "crash"]
    print("".join(f"{line(row)}\n" for row in (*wrong, *crashed)), end="")
    return int(bool(wrong or crashed))


if __name__ == "__main__":
    raise SystemExit(main())
