"""The one way in which a command runs anything: tasks, in watched processes, with limits, and a typed end for each.

A task is the name of a function and plain arguments; its answer is plain data (JSON both ways), so that nothing of what
a paper or a user's file defines is ever loaded here.  A task that exits, dies, takes too long or too much
costs its own answer, and its end says which (:class:`End`).
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import FrameType
from typing import Any

from asymp.command.guard import WATCHED, adopt_orphans, guard, machine_memory, processes

GRACE = 10.0  # seconds that an interrupted task has to say what it keeps
PATIENCE = 5.0  # seconds that a guard has to end what it watches
_ours: set[int] = set()  # this side of all pipes: a new process closes its copies, or it would keep them open


class End(StrEnum):
    """How a task ended."""

    ONGOING = "ongoing"  # none: what a task says before it (:func:`asymp.command.worker.tell`)
    FINISHED = "finished"
    RAISED = "raised"  # an exception, or an exit
    BROKEN = "broken"  # by a bug of the kernel
    TIMED_OUT = "timed out"
    OUT_OF_PROCESSOR = "out of processor time"
    OUT_OF_MEMORY = "out of memory"
    DIED = "died"
    INTERRUPTED = "interrupted"


LIMITED = (End.TIMED_OUT, End.OUT_OF_PROCESSOR, End.OUT_OF_MEMORY)  # the ends by a limit


@dataclass(frozen=True)
class Limits:
    """What one task may take: seconds by the clock, seconds of processor time, bytes; None for no limit."""

    wall: float | None = None
    processor: float | None = None
    memory: int | None = None


@dataclass(frozen=True)
class Task:
    """A function (``module:name``) and its arguments, plain data.

    Tasks of one ``group`` share what they compute, so a worker prefers the groups that it has begun.  A ``gentle``
    task is told of an interruption and may still answer.
    """

    function: str
    arguments: tuple[Any, ...] = ()
    name: str = ""
    group: str = ""
    gentle: bool = False


@dataclass(frozen=True)
class Ended:
    """How a task ended, its answer if it finished, and what is known if it did not.

    ``kept``: of one that a limit ended, what it had so far (:func:`asymp.command.worker.keep`); None where it said nothing.
    """

    end: End
    value: Any = None
    detail: str = ""
    seconds: float = 0.0
    trace: str = ""
    kept: Any = None


@dataclass(eq=False)
class _Worker:
    guard: int
    orders: int
    answers: int
    status: int
    parts: int  # it may hold such a part of the memory
    deaf: bool = False  # its task has closed the way to here
    told: bool = False  # the guard has said how it ended, after it had ended all else
    buffer: bytearray = field(default_factory=bytearray)
    served: int = 0
    task: Task | None = None
    since: float = 0.0
    deadline: float | None = None
    kept: Any = None
    more: list[Any] = field(default_factory=list)


class Executor:
    """At most ``jobs`` workers, started when they are needed and ended with the context.

    Args:
        jobs: how many tasks run at once.
        limits: for each task.
        say: is given what a task has to be written: ``"out"`` or ``"err"``, and the text.

    Raises:
        OSError: no process can be started.

    >>> with Executor() as executor:
    ...     ended = executor.one(Task("operator:add", (1, 2)))
    >>> str(ended.end), ended.value
    ('finished', 3)
    >>> with Executor() as executor:
    ...     executor.one(Task("sys:exit", (0,))).detail
    'SystemExit: 0'
    """

    def __init__(
        self, jobs: int = 1, limits: Limits = Limits(), say: Callable[[str, str], None] = lambda *_: None
    ) -> None:
        self.jobs, self.limits, self.say = jobs, limits, say
        self.stopped: int | None = None  # the signal that asked for an end
        self._workers: list[_Worker] = []
        self._parts = 1
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Executor:
        while (handle := os.open(os.devnull, os.O_RDWR)) <= 2:
            pass  # a standard stream was closed: a pipe in its place would be taken for it by the worker
        os.close(handle)
        self._bell, self._ring = os.pipe()
        os.set_blocking(self._ring, False)
        adopt_orphans(True)
        _ours.update((self._bell, self._ring))
        if threading.current_thread() is threading.main_thread():
            for kind in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                if signal.getsignal(kind) is not signal.SIG_IGN:  # as under nohup
                    self._before[kind] = signal.signal(kind, self._stop)
        return self

    def __exit__(self, *_: object) -> None:
        for worker in list(self._workers):
            self._end(worker)
        adopt_orphans(False)
        for kind, handler in self._before.items():
            signal.signal(kind, handler)
        for handle in (self._bell, self._ring):
            _close(handle)

    def _stop(self, kind: int, _frame: FrameType | None) -> None:
        if self.stopped is not None:  # asked twice: this process itself may hang, in a write for example
            raise KeyboardInterrupt
        self.stopped = kind
        with contextlib.suppress(OSError):
            os.write(self._ring, b"!")

    def one(self, task: Task) -> Ended:
        """How one task ended."""
        return next((ended for _, ended in self.run([task])), Ended(End.INTERRUPTED))

    def run(
        self, tasks: Sequence[Task], started: Callable[[Task], None] = lambda _: None
    ) -> Iterator[tuple[Task, Ended]]:
        """The ends of the tasks as they come: each of them once, unless ``stopped`` is set; then those that had begun.

        A task that says more on its way (:func:`asymp.command.worker.tell`) comes with each of these before, as ``ONGOING``.
        """
        waiting = list(tasks)
        self._parts = max(self._parts, min(self.jobs, max(len(tasks), os.cpu_count() or 1)))
        for other in list(self._workers):
            if other.parts < self._parts:  # it may hold more than its part
                self._end(other)
        owners: dict[str, _Worker] = {}
        told = False
        while True:
            if self.stopped is not None and not told:
                told, waiting = True, []
                yield from self._interrupt()
            while waiting and (worker := self._idle(waiting)) is not None:
                task = _take(waiting, worker, owners)
                if not self._give(worker, task):
                    waiting.insert(0, task)  # it died idle: another takes the task
                    continue
                started(task)
            if not any(worker.task for worker in self._workers):
                if not waiting:
                    return
                continue
            there, ends = list(self._workers), self._wait()
            for worker in there:
                said, worker.more = worker.more, []
                if worker.task is not None:
                    yield from ((worker.task, Ended(End.ONGOING, one)) for one in said)
            for worker, ended in ends:
                if worker.task is None:
                    continue
                task, worker.task = worker.task, None
                if ended.end in (End.DIED, End.OUT_OF_MEMORY) and worker.served and not self.stopped:
                    # it may be an earlier task that killed or filled the process: tried once more, in a fresh one
                    self._end(worker)
                    self._give(self._start(), task)
                    continue
                worker.served += 1
                yield task, ended

    def _interrupt(self) -> Iterator[tuple[Task, Ended]]:
        for worker in list(self._workers):
            if worker.task is not None and worker.task.gentle:
                _signal(worker.guard, signal.SIGINT)
                worker.deadline = time.monotonic() + GRACE
            elif worker.task is not None:
                task, worker.task = worker.task, None
                self._end(worker)
                yield task, Ended(End.INTERRUPTED, seconds=time.monotonic() - worker.since)

    def _idle(self, waiting: Sequence[Task]) -> _Worker | None:
        """A worker without a task, a new one if there may be one more."""
        for worker in self._workers:
            if worker.task is None:
                return worker
        if len(self._workers) >= min(self.jobs, len(waiting) + len(self._workers)):
            return None
        try:
            return self._start()
        except OSError:
            if not self._workers:
                raise
            self.jobs = len(self._workers)
            return None

    def _start(self) -> _Worker:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError, AttributeError):
                stream.flush()  # or both processes would write what is in its buffer
        (orders, order), (answer, answers), (end, status) = os.pipe(), os.pipe(), os.pipe()
        theirs, ours = (orders, answers, status), (order, answer, end)
        _ours.update(ours)
        parent = os.getpid()
        memory = self.limits.memory
        total = machine_memory()
        if memory is None and total is not None:
            memory = int(0.9 * total / self._parts)  # else the kernel kills something, perhaps this process
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, WATCHED)  # a guard reads those that come before it is ready
        try:
            with warnings.catch_warnings():  # of threads: those of linear algebra stop at a fork, and we have none
                warnings.simplefilter("ignore", DeprecationWarning)
                pid = os.fork()
        except OSError:
            for handle in (*theirs, *ours):
                _close(handle)
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            raise
        if pid == 0:
            try:
                for handle in _ours:
                    os.close(handle)
                guard(parent, orders, answers, status, memory)
            finally:
                os._exit(70)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for handle in theirs:
            os.close(handle)
        worker = _Worker(pid, order, answer, end, self._parts)
        self._workers.append(worker)
        return worker

    def _give(self, worker: _Worker, task: Task) -> bool:
        """Send a worker its task; False if the worker died before, of something else."""
        order: dict[str, Any] = {"function": task.function, "arguments": task.arguments}
        order |= {"memory": self.limits.memory, "processor": self.limits.processor}
        data = json.dumps(order).encode() + b"\n"
        try:
            while data:
                data = data[os.write(worker.orders, data) :]
        except BrokenPipeError:
            if worker.served:
                self._end(worker)
                return False
        worker.task, worker.since, worker.kept = task, time.monotonic(), None
        worker.deadline = None if self.limits.wall is None else worker.since + self.limits.wall
        return True

    def _wait(self) -> list[tuple[_Worker, Ended]]:
        """Wait for something to happen; the workers whose tasks have ended."""
        poll = select.poll()
        for worker in self._workers:
            if not worker.deaf:
                poll.register(worker.answers, select.POLLIN)
            poll.register(worker.status, select.POLLIN)
        poll.register(self._bell, select.POLLIN)
        now = time.monotonic()
        ends = [w.deadline for w in self._workers if w.task is not None and w.deadline is not None]
        left = None if not ends else min(max(min(ends) - now, 0) * 1000 + 1, 1e9)  # poll(2) knows no more than 24 days
        ready = {handle for handle, _ in poll.poll(left)}
        if self._bell in ready:
            os.read(self._bell, 16)
        found = []
        for worker in list(self._workers):
            seconds = time.monotonic() - worker.since
            answer = self._read(worker) if ready & {worker.answers, worker.status} else None
            if answer is not None:
                value, words, trace = answer.get("value"), str(answer.get("detail", "")), str(answer.get("trace", ""))
                found.append((worker, Ended(End(answer["end"]), value, words, seconds, trace)))
            elif worker.status in ready:
                end, words = self._death(worker)
                found.append((worker, Ended(end, None, words, seconds, kept=worker.kept if end in LIMITED else None)))
                self._end(worker)
            elif worker.task is not None and worker.deadline is not None and time.monotonic() > worker.deadline:
                self._end(worker)
                end = End.TIMED_OUT if self.stopped is None else End.INTERRUPTED
                found.append((worker, Ended(end, None, "", seconds, kept=worker.kept if end in LIMITED else None)))
        return found

    def _read(self, worker: _Worker) -> dict[str, Any] | None:
        """Take what a worker has written: the answer, if it is there."""
        while not worker.deaf and _readable(worker.answers, 0):
            data = os.read(worker.answers, 1 << 20)
            worker.deaf = not data
            worker.buffer += data
            *lines, rest = worker.buffer.split(b"\n")
            worker.buffer = bytearray(rest)
            for line in lines:
                try:
                    message = json.loads(line) if line.strip() else {}
                except ValueError:
                    continue  # not the worker's: its task wrote there
                if not isinstance(message, dict):
                    continue
                for channel in ("out", "err"):
                    if channel in message:
                        self.say(channel, message[channel])
                worker.kept = message.get("kept", worker.kept)
                worker.more += [more] if (more := message.get("more")) is not None else []
                if message.get("end") in list(End):
                    return message
        return None

    def _death(self, worker: _Worker) -> tuple[End, str]:
        """How a worker ended, from its guard."""
        try:
            report = json.loads(os.read(worker.status, 4096))
        except ValueError:
            return End.DIED, "with what watched it"
        worker.told = True
        code = report["code"]
        if report["memory"]:
            return End.OUT_OF_MEMORY, ""
        if code == -signal.SIGXCPU and self.limits.processor is not None:
            return End.OUT_OF_PROCESSOR, ""
        if code >= 0:
            return End.DIED, f"exit code {code}"
        try:
            return End.DIED, signal.Signals(-code).name
        except ValueError:
            return End.DIED, f"signal {-code}"

    def _adopt(self, worker: _Worker) -> None:
        """Kill what came to this process when a guard was killed: younger than the guard, and of another session."""
        since = processes().get(worker.guard, (0, 0, sys.maxsize))[2]  # it is not yet waited for
        with contextlib.suppress(ChildProcessError):
            os.waitpid(worker.guard, 0)
        ours = {each.guard for each in self._workers}
        while True:
            known = processes().items()
            left = [p for p, (up, sid, born) in known if up == os.getpid() and sid != os.getsid(0) and born >= since]
            if not set(left) - ours:
                return
            for pid in set(left) - ours:
                _signal(pid, signal.SIGKILL)
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, 0)

    def _end(self, worker: _Worker) -> None:
        """End a worker and everything that it started."""
        if worker not in self._workers:
            return
        self._workers.remove(worker)
        _signal(worker.guard, signal.SIGTERM)
        _signal(worker.guard, signal.SIGCONT)  # a task may have stopped it
        if not worker.told and not (_readable(worker.status, PATIENCE) and os.read(worker.status, 4096)):
            _signal(worker.guard, signal.SIGKILL)
            self._adopt(worker)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(worker.guard, 0)
        for handle in (worker.orders, worker.answers, worker.status):
            _close(handle)


def _take(waiting: list[Task], worker: _Worker, owners: dict[str, _Worker]) -> Task:
    """The first task of this worker's groups; else of a group that nobody has begun; else any."""
    mine = (k for k, task in enumerate(waiting) if owners.get(task.group) is worker)
    fresh = (k for k, task in enumerate(waiting) if task.group not in owners)
    task = waiting.pop(next(mine, next(fresh, 0)))
    owners.setdefault(task.group, worker)
    return task


def _readable(handle: int, seconds: float) -> bool:
    poll = select.poll()  # select(2) knows no more than 1024 files
    poll.register(handle, select.POLLIN)
    return bool(poll.poll(seconds * 1000))


def _signal(pid: int, kind: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, kind)


def _close(handle: int) -> None:
    _ours.discard(handle)
    with contextlib.suppress(OSError):
        os.close(handle)
