"""What ``asymp store`` does: says what the store holds, removes it, has its theorems replayed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from asymp.command.executor import End, Executor, Task
from asymp.command.progress import Progress
from asymp.command.store import KINDS, Store, opened

FOREIGN = "(not written by asymp)"


def perform(arguments: Any, executor: Executor, say: Callable[[str], None], fail: Callable[[str], None]) -> int:
    """The exit code: 1 where there is no store, or a theorem in it is not replayed; that one goes."""
    store = opened()
    if store is None:
        fail("there is no store: ASYMP_STORE is off, or the user has no folder of his own")
        return 1
    if arguments.clear:
        count = store.clear()
        say(
            json.dumps({"folder": str(store.folder), "removed": count})
            if arguments.json
            else f"{count} entries removed"
        )
        return 0
    replays, lost = _replayed(store, arguments, executor, fail) if arguments.replay else (0, 0)
    rows = listed(store)
    if arguments.json:
        say(json.dumps({"folder": str(store.folder), "papers": rows, "replayed": replays, "lost": lost}))
        return int(bool(lost))
    for paper, row in sorted(rows.items()):
        say(f"{paper}: {row['verdicts']} verdicts, {row['theorems']} theorems, {row['bytes'] / 1e6:.1f} MB")
    said = f"; {replays} theorems replayed, {lost} not" if arguments.replay else ""
    say(f"{store.folder}: {sum(row['bytes'] for row in rows.values()) / 1e6:.1f} MB{said}")
    return int(bool(lost))


def listed(store: Store) -> dict[str, dict[str, int]]:
    """How much the store holds, by paper: verdicts, theorems among them, bytes, and files that asymp has not written."""
    found: dict[str, dict[str, int]] = {}
    for kind in KINDS:
        for file in store.files(kind):
            data = store.read(kind, file)
            paper = str(data["id"]).partition("/")[0] if data else FOREIGN
            row = found.setdefault(paper, {"verdicts": 0, "theorems": 0, "bytes": 0})
            row["verdicts"] += kind == "verdict" and bool(data)
            row["theorems"] += data is not None and kind == "verdict" and data["verdict"]["certificate"] is not None
            row["bytes"] += file.stat().st_size
    return found


def theorems(store: Store) -> dict[str, dict[str, Any]]:
    """The verdicts with a certificate, by the names of their files."""
    found = ((file.name, store.read("verdict", file)) for file in store.files("verdict"))
    return {name: data for name, data in found if data and data["verdict"]["certificate"] is not None}


def _replayed(store: Store, arguments: Any, executor: Executor, fail: Callable[[str], None]) -> tuple[int, int]:
    """How many theorems the kernel replays, and how many it does not."""
    known, lost = theorems(store), 0
    tasks = [
        Task("asymp.command.claims:replayed", (one["verdict"], one["closed"]), name) for name, one in known.items()
    ]
    progress = Progress(len(tasks), arguments.quiet)
    for task, ended in executor.run(tasks, lambda task: progress.start(known[task.name]["id"])):
        progress.done()
        if ended.end is End.INTERRUPTED:
            continue
        if ended.end is not End.FINISHED or ended.value:
            lost += 1
            fail(f"{known[task.name]['id']}: {ended.value or ended.detail or ended.end}")
            (store.folder / "verdict" / task.name).unlink(missing_ok=True)
    progress.clear()
    return len(tasks) - lost, lost
