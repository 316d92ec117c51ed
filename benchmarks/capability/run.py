"""The run: every problem to every system, a table, and what asymp refuses."""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.capability.peers import registry
from benchmarks.capability.peers.base import Reply, ask
from benchmarks.capability.problem import Problem
from benchmarks.capability.problems import PROBLEMS
from benchmarks.capability.score import Score

MARKS = {"solved": "+", "leading": "~", "refused": ".", "wrong": "X", "timeout": "t"}


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.capability", description=__doc__)
    parser.add_argument("--systems", help="names, separated by commas; all that are installed by default")
    parser.add_argument("--only", action="append", default=[], help="a kind or a problem (can be repeated)")
    parser.add_argument("--timeout", type=float, default=60, help="seconds of processor time a problem and system (60)")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 2) // 2), help="problems at a time")
    parser.add_argument("--json", metavar="FILE", help="write every answer")
    parser.add_argument("--reuse", metavar="FILE", action="append", default=[], help="answers of earlier runs (--json)")
    parser.add_argument("--list", action="store_true", help="print the problems and stop")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs, prints the table; 0 unless asymp is wrong somewhere."""
    args = arguments(argv)
    problems = [p for p in PROBLEMS if not args.only or p.kind in args.only or p.id in args.only]
    if args.list:
        for p in problems:
            print(f"{p.id:20} {p.text}  [{p.to}{', ' + '; '.join(p.assume) if p.assume else ''}]  ({p.source})")
        return 0
    wanted = args.systems.split(",") if args.systems else list(registry.SYSTEMS)
    systems, versions = [], {}
    for name in wanted:
        system = registry.SYSTEMS[name]
        versions[name] = system.version() or "not installed"
        print(f"# {name}: {versions[name]}", flush=True)
        if versions[name] != "not installed":
            systems.append(system)
    found: dict[str, dict[str, Reply]] = {p.id: {} for p in problems}
    begin = time.perf_counter()
    old = reused(args.reuse)
    with ProcessPoolExecutor(args.jobs) as pool:
        jobs = [
            (p, s, None if (s.name, p.id, p.text) in old else pool.submit(_ask, s.name, p.id, args.timeout))
            for p in problems
            for s in systems
        ]
        for p, s, job in jobs:
            reply = job.result() if job else old[s.name, p.id, p.text]
            found[p.id][s.name] = reply
            mark = MARKS[reply.score.outcome]
            said = reply.score.note if reply.score.outcome in ("wrong", "refused") else reply.said
            print(f"{mark} {p.id:20} {s.name:7} {reply.seconds:6.1f}s {reply.way:16} {said[:110]}", flush=True)
            if args.json:
                Path(args.json).write_text(json.dumps(record(problems, found, versions), indent=1))
    print()
    print(table(problems, found, [s.name for s in systems]))
    refused = asymp_list(problems, found)
    if refused:
        print("\n" + refused)
    machine = f"{platform.machine()}, {os.cpu_count()} cores, {datetime.date.today()}"
    print(f"\n{len(problems)} problems, {time.perf_counter() - begin:.0f} s, {machine}")
    return 1 if any("asymp" in r and r["asymp"].score.outcome == "wrong" for r in found.values()) else 0


def _ask(name: str, problem: str, seconds: float) -> Reply:
    """In a process of its own, where an evaluation that does not end can be stopped."""
    return ask(registry.SYSTEMS[name], next(p for p in PROBLEMS if p.id == problem), seconds)


def reused(files: Sequence[str]) -> dict[tuple[str, str, str], Reply]:
    """The replies in the records of earlier runs, by system, problem and its text."""
    found = {}
    for file in files:
        for row in json.loads(Path(file).read_text())["problems"]:
            for name, reply in row["replies"].items():
                found[name, row["id"], row["text"]] = Reply(Score(**reply.pop("score")), **reply)
    return found


def record(problems: list[Problem], found: dict[str, dict[str, Reply]], versions: dict[str, str]) -> dict[str, Any]:
    """Everything as plain data."""
    rows = [
        {"id": p.id, "kind": p.kind, "text": p.text, "to": p.to, "assume": p.assume, "order": p.order, "source": p.source,
         "replies": {name: asdict(reply) for name, reply in found[p.id].items()}}
        for p in problems
    ]  # fmt: skip
    return {"versions": versions, "problems": rows}


def table(problems: list[Problem], found: dict[str, dict[str, Reply]], names: list[str]) -> str:
    """A row a kind, a column a system: solved (+ leading only) of all, ! wrong ones, and the median time of the solved."""
    kinds = list(dict.fromkeys(p.kind for p in problems))
    lines = ["| kind | problems | " + " | ".join(names) + " |", "|---|---|" + "---|" * len(names)]
    for kind in [*kinds, ""]:
        rows = [p for p in problems if not kind or p.kind == kind]
        cells = [_cell([found[p.id][name] for p in rows if name in found[p.id]]) for name in names]
        lines.append(f"| {kind or '**all**'} | {len(rows)} | " + " | ".join(cells) + " |")
    lines.append("\nsolved, +k leading terms only, tk timed out, **k wrong**; the rest refused; median seconds of the solved")
    return "\n".join(lines)


def _cell(replies: list[Reply]) -> str:
    count = {mark: sum(r.score.outcome == mark for r in replies) for mark in MARKS}
    text = str(count["solved"])
    for mark, before in (("leading", "+"), ("timeout", "t")):
        text += f" {before}{count[mark]}" if count[mark] else ""
    text += f" **{count['wrong']} wrong**" if count["wrong"] else ""
    times = sorted(r.seconds for r in replies if r.score.outcome == "solved")
    return text + (f" ({times[len(times) // 2]:.1f} s)" if times else "")


def asymp_list(problems: list[Problem], found: dict[str, dict[str, Reply]]) -> str:
    """What asymp does not solve, wrong answers first, each with its command."""
    from benchmarks.capability.peers.asymp_cli import command

    rows = [(p, found[p.id]["asymp"]) for p in problems if "asymp" in found[p.id]]
    rows = sorted((r for r in rows if r[1].score.outcome != "solved"), key=lambda r: "wltr".index(r[1].score.outcome[0]))
    lines = ["What asymp does not solve:"] if rows else []
    for p, reply in rows:
        words = " ".join(w if w.startswith("--") or w.isalnum() else f'"{w}"' for w in command(p))
        lines += [f"- {reply.score.outcome} {p.id}: asymp {words}", f"    {reply.score.note[:300]}"]
        if reply.score.outcome in ("wrong", "leading"):
            terms = " / ".join(f"[{dict(c.at)}] " + " + ".join(c.terms) for c in p.cases)
            lines += [f"    said: {reply.said[:400]}", f"    true: {terms[:400]}"]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
