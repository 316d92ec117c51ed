"""The process of asymp's own that a worker of a cluster starts: it runs batches of tasks as one machine does, each watched.

:func:`main`, with the words PARENT BYTES, reads a batch from each line of its standard input, and writes a line for
each: JSON both ways.  So the worker loads nothing of a paper's, and whatever a claim does costs that claim's answer; the
process ends with the worker.

A batch says what it is to be run by: the ``program`` (asymp's sources, Python, the libraries) and the ``files`` of
claims, each by a hash.  Another program, or another file, runs nothing of it, and says so.  After :data:`SECONDS` no task
of a batch is begun any more: what is left goes back, to be dealt out again, so that a batch is neither too short to be
worth its way nor long.

>>> answered({"program": "another", "folder": ".", "files": {}}, None)["refused"].startswith("asymp ")
True
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import json
import os
import select
import signal
import sys
import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from asymp.command import sources
from asymp.command.executor import Executor, Limits, Task
from asymp.command.guard import end_with_parent
from asymp.messages import one_line
from asymp.version import __version__

SECONDS = 2.0
"""How long tasks of one batch are begun."""

IDLE = 10.0
"""Seconds that the process waits for a batch: nothing is left on a cluster of a run that has ended, however it did."""


def prints(files: list[str]) -> dict[str, str]:
    """Of each file a hash of what is in it; empty where it cannot be read."""
    return {file: _print(file) for file in files}


def _print(file: str) -> str:
    try:
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()
    except OSError:
        return ""


def answered(batch: Mapping[str, Any], executor: Executor | None) -> dict[str, Any]:
    """The ``ends`` of the tasks of a batch that were begun, in order: [place in the batch, the end]; or why it is ``refused``.

    Without an executor nothing is run.
    """
    if batch["program"] != sources.digest("all") or not sources.unchanged():
        return {"refused": f"asymp {__version__}, Python or a library there is not what it is here"}
    try:
        os.chdir(batch["folder"])
    except OSError:
        return {"refused": f"there is no folder {batch['folder']}"}
    for file, said in batch["files"].items():
        if (there := _print(file)) != said:
            return {"refused": f"{file} is not {'what it is here' if there else 'there'}"}
    tasks = [Task(function, tuple(arguments), str(place)) for place, (function, arguments) in enumerate(batch["tasks"])]
    begin, ends = time.monotonic(), []
    for task, ended in executor.run(tasks) if executor and tasks else ():
        if not executor or executor.stopped is not None:
            break
        ends.append([int(task.name), asdict(ended)])
        if time.monotonic() - begin > SECONDS:
            break
    return {"ends": ends}


def main() -> None:
    """Answer batches until there are no more."""
    with contextlib.suppress(KeyboardInterrupt):  # told twice to end
        _serve()


def _serve() -> None:
    end_with_parent(int(sys.argv[1]), signal.SIGTERM)
    share = int(sys.argv[2]) or None
    answers = os.dup(1)
    os.dup2(2, 1)  # whatever prints does not print there
    first = sys.stdin.buffer.readline()
    if not first:
        return
    order = json.loads(first)
    for module in order["loads"]:
        importlib.import_module(module)
    wall, processor, memory = order["limits"]
    with Executor(1, Limits(wall, processor, memory or share)) as executor:
        line = first
        while line and executor.stopped is None:
            try:
                answer = answered(json.loads(line), executor)
            except OSError as error:  # no process can be started
                answer = {"lost": one_line(error)}
            data = json.dumps(answer).encode() + b"\n"
            try:
                while data:
                    data = data[os.write(answers, data) :]
            except BrokenPipeError:  # the worker is gone
                return
            line = sys.stdin.buffer.readline() if _asked() else b""


def _asked() -> bool:
    poll = select.poll()
    poll.register(0, select.POLLIN)
    return bool(poll.poll(IDLE * 1000))

