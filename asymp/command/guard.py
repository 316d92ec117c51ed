"""The two processes behind every task: a guard that runs no code but this, and the worker that runs everything else.

The guard is the parent of the worker and, on Linux, of whatever the worker's own children leave behind (a
*subreaper*).  It watches the worker's memory, ends all of them when the worker ends, when it is told to, or when the
process that started it is gone, and then says in one line how the worker ended.  So neither a claim that forks nor
one that exits, stops or kills its process group leaves anything running, and a killed parent leaves nothing either.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import sys
import time
from typing import NoReturn

from asymp.command.worker import serve

TICK = 0.25  # seconds between two looks at the memory
WHOLE = 8  # looks at the worker alone for one at all of its descendants, which costs a walk through /proc
TIDYING = 5.0
"""Seconds that a resource tracker has to end by itself."""
_PDEATHSIG, _SUBREAPER = 1, 36  # of prctl(2)
WATCHED = (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
_PAGE = os.sysconf("SC_PAGE_SIZE")


def end_with_parent(parent: int, kind: int) -> None:
    """Ask for a signal when the parent ends; exit at once if it has.

    Raises:
        SystemExit: the parent is gone already.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PDEATHSIG, int(kind), 0, 0, 0)
    if os.getppid() != parent:
        raise SystemExit(0)


def adopt_orphans(yes: bool) -> None:
    """Whether processes below this one that lose their parent become children of this one."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SUBREAPER, int(yes), 0, 0, 0)


def guard(parent: int, orders: int, answers: int, status: int, memory: int | None) -> NoReturn:
    """Start a worker that reads tasks from ``orders`` and writes to ``answers``; tell ``status`` how it ended.

    Args:
        parent: the process to end with.
        orders, answers, status: file descriptors.
        memory: bytes that the worker and its descendants may hold; None for no limit.
    """
    os.setsid()  # a Ctrl-C of the terminal is for the parent alone, which passes it on
    adopt_orphans(True)
    end_with_parent(parent, signal.SIGTERM)
    signal.pthread_sigmask(signal.SIG_BLOCK, WATCHED)
    me = os.getpid()
    worker = os.fork()
    if worker == 0:
        os.close(status)
        end_with_parent(me, signal.SIGKILL)
        serve(orders, answers, WATCHED)
    os.close(orders)
    os.close(answers)
    told, swollen = _watch(parent, worker, memory)
    if told is None:
        with contextlib.suppress(OSError):
            os.killpg(worker, signal.SIGKILL)
        told = _sweep(worker)
    else:
        _sweep(worker)
    code, peak = told
    near = memory is not None and code < 0 and peak > 0.9 * memory
    report = {"code": code, "memory": swollen or near}
    with contextlib.suppress(OSError):
        os.write(status, json.dumps(report).encode())
    os._exit(0)


def _watch(parent: int, worker: int, memory: int | None) -> tuple[tuple[int, int] | None, bool]:
    """How the worker ended by itself (None: it has not), and whether it holds too much memory."""
    looks = 0
    while True:
        info = _wait()
        if info == signal.SIGINT:
            with contextlib.suppress(OSError):
                os.kill(worker, signal.SIGINT)
        while True:
            pid, how = _reap(os.WNOHANG)
            if pid == worker:
                return how, False
            if pid == 0:
                break
        if info in (signal.SIGTERM, signal.SIGHUP) or os.getppid() != parent:
            return None, False
        if memory is not None:
            looks += 1
            family = [worker] if looks % WHOLE else [worker, *descendants()]
            if sum(map(_resident, set(family))) > memory and sum(map(_share, set(family))) > memory:
                return None, True


def _wait() -> int | None:
    """The next signal, or None after a while."""
    info = signal.sigtimedwait(WATCHED, TICK)
    return None if info is None else info.si_signo


def _reap(options: int) -> tuple[int, tuple[int, int]]:
    """A child that has ended (0: none has): its exit code, or minus its signal, and the bytes that it held at most."""
    try:
        pid, status, usage = os.wait4(-1, options)
    except ChildProcessError:
        return 0, (0, 0)
    peak = usage.ru_maxrss * (1024 if sys.platform == "linux" else 1)
    return pid, (os.waitstatus_to_exitcode(status) if pid else 0, peak)


def _sweep(worker: int) -> tuple[int, int]:
    """Kill all descendants, those too that come to this process when their parents die; how the worker ended.

    What removes the semaphores of Python's multiprocessing does so when all that could use them have ended, and ends itself:
    it is killed only if it is still there after :data:`TIDYING` seconds.
    """
    told, end = (0, 0), time.monotonic() + TIDYING
    while True:
        try:
            os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return told
        below = descendants()
        tidy = {pid for pid in below if time.monotonic() < end and _tidies(pid)}
        for pid in {*below} - tidy:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        pid, how = _reap(os.WNOHANG if tidy else 0)
        if pid == worker:
            told = how
        if pid == 0:
            time.sleep(0.01)


def _tidies(pid: int) -> bool:
    """Whether a process is the resource tracker of Python's multiprocessing."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return b"multiprocessing.resource_tracker" in file.read(4096)
    except OSError:
        return False


def descendants() -> list[int]:
    """All processes below this one; none is known on systems without /proc."""
    parents = {pid: parent for pid, (parent, _, _) in processes().items()}
    found = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return sorted(found - {os.getpid()})


def processes() -> dict[int, tuple[int, int, int]]:
    """Process -> its parent, its session, and when it was started (in clock ticks since the machine was)."""
    found = {}
    for name in os.listdir("/proc") if sys.platform == "linux" else ():
        if name.isdigit():
            with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{name}/stat", "rb") as file:
                words = file.read().rpartition(b")")[2].split()
                found[int(name)] = int(words[1]), int(words[3]), int(words[19])
    return found


def _resident(pid: int) -> int:
    """Bytes of memory that a process holds; 0 where that cannot be known."""
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:
            return int(file.read().split()[1]) * _PAGE
    except (OSError, ValueError, IndexError):
        return 0


def _share(pid: int) -> int:
    """The same with what processes share divided among them, which takes longer to find out."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", "rb") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith(b"Pss:"))
    except (OSError, ValueError, IndexError, StopIteration):
        return _resident(pid)


def machine_memory() -> int | None:
    """Bytes of memory of this machine, or of the control group where that is less; None where it is not known."""
    sizes = []
    with contextlib.suppress(OSError, ValueError):
        sizes.append(os.sysconf("SC_PHYS_PAGES") * _PAGE)
    for name in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        with contextlib.suppress(OSError, ValueError), open(name, encoding="ascii") as file:
            sizes.append(int(file.read()))
    return min(sizes, default=None)
