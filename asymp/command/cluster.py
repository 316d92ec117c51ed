"""The door to a cluster: tasks to where Dask's workers are, ends as they come.  Nothing else of asymp knows Dask.

:class:`Cluster` runs tasks as an :class:`asymp.command.executor.Executor`.  Three processes stand between a command and a claim:

- the *client* (:func:`drive`), a watched process of this machine: all of Dask's threads and sockets are in there, and a
  cluster that it has started (``--cluster`` alone) ends with it, whatever ends the command;
- Dask's worker, which runs :func:`perform` and loads nothing but this module;
- asymp's own supervised process (:mod:`asymp.command.remote`), one for each thread of a worker, which runs each task in a
  watched process with its limits, so that a claim cannot take a worker with it.

What goes between them is text: JSON.  Batches take some seconds; a worker that is killed costs what it was at, which
another does again.  A cluster of one's own is for its user alone: on the loopback, with TLS and a key made for the run.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import select
import subprocess
import sys
import tempfile
import threading
import types
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import astuple
from importlib.util import find_spec
from multiprocessing import resource_tracker
from typing import Any

from asymp.command import sources
from asymp.command.executor import End, Ended, Executor, Task
from asymp.command.guard import machine_memory
from asymp.command.remote import prints
from asymp.command.usage import UsageError
from asymp.messages import one_line

HERE = "here"
"""The address of a cluster that is started for the run."""
SCHEMES = ("tcp://", "tls://")
MOST = 16
"""Tasks in a batch."""
TRIES = 20
"""How often a batch is dealt out again because whoever had it is gone."""
PATIENCE = 60.0
"""Seconds that the workers have to say which asymp they run."""
_REPLACE = 3.0  # seconds between two looks whether workers are missing
_LOOK = 500  # milliseconds between two looks whether anybody still wants the answer
_SHARE = 0.8  # of a worker's memory, for its task
_START = "import sys; sys.path += sys.argv[3:]; from asymp.command.remote import main; main()"
"""What this process finds its does too, though not before the libraries of Python: a script's folder may hold any names."""
_children: dict[int, tuple[str, subprocess.Popen[bytes]]] = {}


class ClusterError(UsageError):
    """The cluster cannot be used, or went away: one line."""


def need(full: str = "") -> None:
    """That Dask is there, and that a check draws no samples to keep (``full``): those are written beside the code, here.

    Raises:
        UsageError: it is not; it does.
    """
    if full == "keep":
        raise UsageError("--keep writes beside the code: not with --cluster")
    if find_spec("distributed") is None:
        raise UsageError('--cluster needs Dask: pip install "asymp[cluster]"')


# --- here ------------------------------------------------------------------------------------


class Cluster:
    """Workers elsewhere, for the tasks that an executor would run here: with its limits, and its way to be stopped.

    Args:
        executor: of the command.
        address: of a scheduler, ``tcp://HOST:PORT`` or ``tls://HOST:PORT``, or :data:`HERE`.
        files: of claims: what they say there is to be what they say here.
        loads: modules that asymp's process there loads once, before any task's time runs.
    """

    def __init__(self, executor: Executor, address: str, files: Sequence[str] = (), loads: Sequence[str] = ()) -> None:
        need()
        self.executor, self.address = executor, address
        self.order = {
            "run": uuid.uuid4().hex, "program": sources.digest("all"), "folder": os.getcwd(),
            "files": prints(list(files)), "limits": astuple(executor.limits), "loads": [*loads],
        }  # fmt: skip

    def run(
        self, tasks: Sequence[Task], started: Callable[[Task], None] = lambda _: None
    ) -> Iterator[tuple[Task, Ended]]:
        """The ends of the tasks as they come, each once; fewer only if the executor is stopped.

        Raises:
            ClusterError: there is no such cluster, a worker runs another asymp, or the scheduler went away.
        """
        orders = [(task.function, task.arguments) for task in tasks]
        with tempfile.TemporaryDirectory(prefix="asymp-", ignore_cleanup_errors=True) as folder, Executor() as client:
            words = (self.address, self.executor.jobs, folder, self.order, _in_order(tasks), orders)
            driving = Task("asymp.command.cluster:drive", words, gentle=True)
            for _, ended in client.run([driving] if tasks else []):
                if ended.end is End.ONGOING:
                    place, found = ended.value
                    started(tasks[place])
                    yield tasks[place], Ended(**{**found, "end": End(found["end"])})
                elif client.stopped is None and (ended.end is not End.FINISHED or ended.value):
                    raise ClusterError(f"--cluster: {ended.value or ended.detail or ended.end}")
            self.executor.stopped = client.stopped


def _in_order(tasks: Sequence[Task]) -> list[int]:
    """The places of the tasks, those of one group together."""
    groups: dict[str, list[int]] = {}
    for place, task in enumerate(tasks):
        groups.setdefault(task.group, []).append(place)
    return [place for group in groups.values() for place in group]


def drive(
    address: str, jobs: int, folder: str, order: Mapping[str, Any], places: Sequence[int], tasks: Sequence[Any]
) -> str:
    """Deal the tasks out and tell their ends (:func:`asymp.command.worker.tell`) as they come; why not, where that fails."""
    # what Dask says of workers that come and go is not for the reader of verdicts; its own processes read these words
    logging.disable(logging.CRITICAL)
    if address == HERE and not os.environ.get("ASYMP_TRACEBACK"):  # nor is how one of them fails that is started again
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    os.environ |= {f"DASK_LOGGING__{name}": "critical" for name in ("DISTRIBUTED", "TORNADO", "ASYNCIO")}
    os.environ |= {
        "DASK_DISTRIBUTED__WORKER__DAEMON": "False",
        "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": str(TRIES),
    }
    for name in ("TARGET", "SPILL", "PAUSE", "TERMINATE"):  # the limits are ours: of the task, not of the worker
        os.environ[f"DASK_DISTRIBUTED__WORKER__MEMORY__{name}"] = "False"
    for name in ("SCHEDULER", "WORKER"):  # no pages, for whoever else is on this machine
        os.environ[f"DASK_DISTRIBUTED__{name}__HTTP__ROUTES"] = "[]"
    sys.modules["__main__"] = types.ModuleType("__main__")  # a worker that is started here would run the script again
    _tracked()
    from distributed import Client

    with contextlib.ExitStack() as stack:
        try:
            where = stack.enter_context(_own(jobs, folder)) if address == HERE else address
            client = stack.enter_context(Client(where, timeout="10s"))
        except (OSError, ValueError, ImportError, TypeError, RuntimeError) as error:
            return f"{address}: {one_line(error)}"
        return _Dealer(client, order, tasks, address == HERE).deal(places)


def _tracked() -> None:
    """Start the process that removes the semaphores of Dask's queues in the group of this one's guard: killed with the group
    of this process, as it would be if the command is killed, it would leave them in ``/dev/shm`` for good.
    """
    own = os.getpgid(0)
    with contextlib.suppress(OSError):  # where the guard is of another session, or gone
        os.setpgid(0, os.getpgid(os.getppid()))
    try:
        resource_tracker.ensure_running()
    finally:
        with contextlib.suppress(OSError):
            os.setpgid(0, own)


@contextlib.contextmanager
def _own(jobs: int, folder: str) -> Iterator[Any]:
    """A cluster of this machine; a worker that died while it started, which Dask does not start again, is replaced."""
    from distributed import LocalCluster
    from distributed.security import Security

    memory, over = machine_memory(), threading.Event()
    with LocalCluster(
        n_workers=jobs, threads_per_worker=1, memory_limit=memory // jobs if memory else 0, local_directory=folder,
        host="127.0.0.1", protocol="tls://", security=Security.temporary(), dashboard_address="127.0.0.1:0",
        scheduler_kwargs={"dashboard": False},
    ) as cluster:  # fmt: skip

        def keep() -> None:
            while not over.wait(_REPLACE):
                cluster.scale(jobs)

        thread = threading.Thread(target=keep, daemon=True)
        thread.start()
        try:
            yield cluster
        finally:
            over.set()
            thread.join()


class _Dealer:
    """What one run has dealt out to the workers of a cluster."""

    def __init__(self, client: Any, order: Mapping[str, Any], tasks: Sequence[Any], alone: bool) -> None:
        self.client, self.order, self.tasks, self.alone = client, order, tasks, alone
        self.batches: dict[str, list[int]] = {}
        self.tries: dict[int, int] = {}
        self.refused: set[str] = set()
        self.count = 0

    def deal(self, places: Sequence[int]) -> str:
        """Have all tasks done; why that cannot be, if so."""
        from distributed import as_completed

        slots = max(1, sum(self.client.nthreads().values()))
        if why := "" if self.alone else self._compare():
            return why
        size = max(1, min(MOST, len(places) // (4 * slots)))
        done = as_completed(with_results=True, raise_errors=False)
        for first in range(0, len(places), size):
            done.add(self._submit(list(places[first : first + size])))
        for future, answer in done:
            batch = self.batches.pop(future.key)
            if future.status in ("cancelled", "lost"):
                return "the scheduler went away"
            left, why = self._told(batch, json.loads(answer) if isinstance(answer, str) else {"lost": _words(answer)})
            if why:
                return why
            future.release()
            if left:
                done.add(self._submit(left))
        return ""

    def _compare(self) -> str:
        """Ask each worker which asymp it runs, and which files it has; a line where that is another."""
        from distributed import wait

        asked = {address: self._submit([], [address]) for address in self.client.nthreads()}
        with contextlib.suppress(TimeoutError):  # one that says nothing now is asked again with each batch
            wait(list(asked.values()), timeout=PATIENCE)
        for address, future in asked.items():
            if future.status == "error":
                return f"the worker {address}: {_words(future.exception())}"
            if future.status == "finished" and "refused" in (answer := json.loads(future.result())):
                return f"the worker {address}: {answer['refused']}"
        return ""

    def _submit(self, batch: list[int], workers: list[str] | None = None) -> Any:
        self.count += 1
        key = f"asymp-{self.order['run']}-{self.count}"
        self.batches[key] = batch
        options: dict[str, Any] = {"workers": workers} if workers else {}
        if self.refused:  # of another version, and came later
            others = [one for one in self.client.nthreads() if one not in self.refused]
            options = {"workers": others, "allow_other_workers": True} if others else {}
        text = json.dumps({**self.order, "tasks": [self.tasks[place] for place in batch]})
        return self.client.submit(perform, text, self.order["run"], key=key, pure=False, **options)

    def _told(self, batch: list[int], answer: Mapping[str, Any]) -> tuple[list[int], str]:
        """Tell what came of a batch: what is left of it, and why there is no going on."""
        from asymp.command.worker import tell

        begun = [place for place, _ in answer.get("ends", ())]
        for place, ended in answer.get("ends", ()):
            tell([batch[place], ended])
        left = [one for place, one in enumerate(batch) if place not in begun]
        if not begun and batch:
            if "refused" in answer:
                self.refused.add(answer["worker"])
            self.tries[batch[0]] = self.tries.get(batch[0], 0) + 1
            if self.tries[batch[0]] > TRIES:
                why = answer.get("refused", answer.get("lost", "nothing was begun"))
                return [], f"the worker {answer.get('worker', '')}: {why}"
        return left, ""


def _words(error: Any) -> str:
    """What an exception says, or the type, exception and place that Dask has of it."""
    found = error[1] if isinstance(error, tuple) and len(error) == 3 else error
    return one_line(found) if isinstance(found, BaseException) else str(found)


# --- there -----------------------------------------------------------------------------------


def perform(text: str, run: str) -> str:
    """A batch, on a worker of Dask: what asymp's own process answers (:func:`asymp.command.remote.answered`)."""
    from distributed import get_worker

    worker = get_worker()
    task = worker.state.tasks.get(worker.get_current_task())
    child = _child(run, worker)
    answer = _asked(child, text, lambda: task is not None and task.state == "cancelled")
    found = json.loads(answer) if answer else {"lost": "its process ended"}
    if not answer:
        _end(threading.get_ident())
    return json.dumps({**found, "worker": worker.address})


def _child(run: str, worker: Any) -> subprocess.Popen[bytes]:
    """This thread's process of this run; what is left of another run ends."""
    me = threading.get_ident()
    known = _children.get(me)
    if known is not None and known[0] == run and known[1].poll() is None:
        return known[1]
    _end(me)
    limit = getattr(getattr(worker, "memory_manager", None), "memory_limit", None) or machine_memory() or 0
    share = int(_SHARE * limit / max(1, worker.state.nthreads))
    command = [sys.executable, "-P", "-c", _START, str(os.getpid()), str(share), *filter(None, sys.path)]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
    _children[me] = (run, child)
    return child


def _asked(child: subprocess.Popen[bytes], text: str, unwanted: Callable[[], bool]) -> bytes:
    """The line that a process answers; nothing if it ends, or nobody wants the answer any more."""
    assert child.stdin is not None
    assert child.stdout is not None
    found = b""
    try:
        child.stdin.write(text.encode() + b"\n")
        child.stdin.flush()
        poll = select.poll()
        poll.register(child.stdout.fileno(), select.POLLIN)
        while not found.endswith(b"\n"):
            if poll.poll(_LOOK):
                data = os.read(child.stdout.fileno(), 1 << 20)
                if not data:
                    return b""
                found += data
            elif unwanted():
                return b""
    except OSError:
        return b""
    return found


def _end(thread: int) -> None:
    """End a thread's process, and all that it runs: that is watched, and ends with it."""
    _, child = _children.pop(thread, ("", None))
    if child is not None:
        child.kill()
        child.wait()
        for stream in (child.stdin, child.stdout):
            with contextlib.suppress(OSError, AttributeError):
                stream.close()  # type: ignore[union-attr]
