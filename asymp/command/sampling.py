"""A sample on a cluster: its parts are drawn there, as ``--shard`` draws them here."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from asymp.command.checking import reason
from asymp.command.cluster import HERE, Cluster, need
from asymp.command.executor import End, Executor, Task
from asymp.command.progress import Progress
from asymp.command.usage import require

PARTS = 4
"""For each worker: what a worker that is lost was at is drawn again."""
ELSEWHERE = 16
"""Workers that a cluster elsewhere is taken to have."""
CODES = {End.RAISED: 2, End.DIED: 3, End.BROKEN: 3}
"""The exit code by the end of what drew a part: 1 where a limit was reached."""


def drawn(arguments: argparse.Namespace, executor: Executor, folder: Path) -> tuple[list[str], int, str]:
    """The records of all parts, written to a folder; or the exit code of what failed, and why.

    Raises:
        UsageError: there is no such cluster.
    """
    need()
    require(arguments.shard is None, "--shard draws a part here: not with --cluster")
    words = (arguments.model, arguments.values, arguments.size, arguments.seed, arguments.device)
    ended = executor.one(Task("asymp.command.sample_parts:readable", words))
    of = PARTS * (arguments.jobs if arguments.cluster == HERE else ELSEWHERE)
    paths: list[str] = []
    if ended.end is End.FINISHED:
        name, asked = "asymp.command.sample_parts:drawn", ended.value
        tasks = [Task(name, (k, of, asked), f"part {k}/{of}") for k in range(1, of + 1)]
        progress = Progress(of, arguments.quiet, "drawing")
        try:
            for _, ended in Cluster(executor, arguments.cluster).run(tasks, lambda task: progress.start(task.name)):
                progress.done()
                if ended.end is not End.FINISHED:
                    break
                paths.append(str(folder / f"{len(paths)}.json"))
                Path(paths[-1]).write_text(json.dumps(ended.value), encoding="utf-8")
        finally:
            progress.clear()
    if executor.stopped is not None:
        return [], 128 + executor.stopped, "interrupted"
    if ended.end is not End.FINISHED:
        why = reason(ended, executor.limits, " that drew it")
        return [], CODES.get(ended.end, 1), why.removeprefix("ValueError: ").removeprefix("UsageError: ")
    return paths, 0, ""
