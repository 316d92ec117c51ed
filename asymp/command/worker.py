"""A worker's life: tasks in, answers out, a line of JSON each; whatever a task does, it is answered or the process ends.

Nothing a task does to its process reaches the next one or the answer: standard output belongs to the parent (what a
task prints goes to standard error), a copy of the process that a task leaves behind ends here, the working directory and
the handlers of signals are put back.
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import importlib
import io
import json
import os
import resource
import signal
import sys
import traceback
from collections.abc import Iterable
from typing import Any, NoReturn

from asymp.messages import one_line

BROKEN = 70
"""Exit code of a worker that cannot serve; it says first why."""
LOST = 71
"""Exit code of a worker whose task has closed the way to the parent."""
COLLECT = 20_000, 20, 20
"""When garbage is looked for, as ``gc.set_threshold`` takes it.  Terms and expressions hold no cycles, so that nearly all that is
made goes when it is let go of: with Python's own 700 a check spends a seventh of its time looking through what lives on."""
_HIGH = 300  # where the pipes are kept: out of the reach of a task that closes the first few file descriptors
_answers = -1


def serve(orders: int, answers: int, blocked: Iterable[int]) -> NoReturn:
    """Answer tasks until there are no more; never returns."""
    global _answers
    _answers = answers
    try:
        gc.freeze()  # what was imported before the fork: it stays, and its pages stay shared
        gc.set_threshold(*COLLECT)
        os.setpgid(0, 0)  # a task that kills its own group kills no more than this
        _plain_signals()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, blocked)
        orders, _answers = _high(orders), _high(answers)
        _serve(orders)
    except BaseException as error:
        _send({"end": "died", "detail": f"{type(error).__name__}: {_words(error)}"})
        os._exit(BROKEN)
    os._exit(0)


def _serve(orders: int) -> None:
    """The loop over the tasks; the folder may be removed while they run."""
    null, error = _high(os.open(os.devnull, os.O_RDONLY)), _high(os.dup(2))
    home, shown = _folder(), sys.stderr
    with os.fdopen(orders, "rb") as lines:
        for line in lines:
            with contextlib.suppress(OSError):
                for here, there in ((null, 0), (error, 1), (error, 2)):
                    os.dup2(here, there)
            shown = _open(shown)
            sys.stdin, sys.stdout, sys.stderr = io.StringIO(), shown, shown
            if home is not None:
                with contextlib.suppress(OSError):
                    os.chdir(home)
            _plain_signals()
            _answer(json.loads(line))


def _folder() -> str | None:
    try:
        return os.getcwd()
    except OSError:  # it is gone
        return None


def relay(channel: str, text: str) -> None:
    """Have the parent write text to its standard output (``out``) or standard error (``err``)."""
    _send({channel: text})


def keep(value: Any) -> None:
    """Have the parent keep a value, in place of one before, for the case that a limit ends the task: see ``Ended.kept``."""
    _send({"kept": value})


def tell(value: Any) -> None:
    """Have the parent yield a value before the task ends: see ``End.ONGOING``."""
    _send({"more": value})


def _answer(order: dict[str, Any]) -> None:
    me = os.getpid()
    try:
        _limit_memory(order["memory"])
        _limit_processor(order["processor"])
        module, _, name = order["function"].partition(":")
        value = getattr(importlib.import_module(module), name)(*order["arguments"])
        answer = {"end": "finished", "value": value}
        json.dumps(answer, allow_nan=False)
    except MemoryError:
        answer = {"end": "out of memory", "detail": "MemoryError"}
    except BaseException as error:  # SystemExit too: a task that leaves has not answered
        trace = "".join(traceback.format_exception(error)) if os.environ.get("ASYMP_TRACEBACK") else ""
        broken = getattr(sys.modules.get("asymp.kernel.theorem"), "Broken", ())  # without that module nobody has raised it
        end = "broken" if isinstance(error, broken) else "raised"
        answer = {"end": end, "detail": f"{type(error).__name__}: {_words(error)}", "trace": trace}
    finally:
        if os.getpid() != me:
            os._exit(0)  # a copy of the worker that the task made: the worker itself answers
    _send(answer)


def _words(error: BaseException) -> str:
    try:
        return one_line(error)
    except Exception:  # its own __str__ fails
        return "no message"


def _send(message: dict[str, Any]) -> None:
    """One line to the parent, if there is one; a line break before it ends what a task may have written there."""
    if _answers < 0:  # no task runs: the caller has the whole answer
        return
    data = b"\n" + json.dumps(message).encode() + b"\n"
    try:
        while data:
            data = data[os.write(_answers, data) :]
    except OSError:
        os._exit(LOST)


def _open(stream: Any) -> Any:
    """The stream; another to the same place if a task has closed it."""
    return (
        os.fdopen(os.dup(2), "w", buffering=1, errors="backslashreplace")
        if getattr(stream, "closed", False)
        else stream
    )


def _high(handle: int) -> int:
    try:
        moved = fcntl.fcntl(handle, fcntl.F_DUPFD_CLOEXEC, _HIGH)
    except OSError:  # few file descriptors are allowed
        return handle
    os.close(handle)
    return moved


def _plain_signals() -> None:
    for kind in (signal.SIGTERM, signal.SIGHUP, signal.SIGALRM, signal.SIGCHLD, signal.SIGXCPU, signal.SIGABRT):
        signal.signal(kind, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0)


def _limit_processor(seconds: float | None) -> None:
    """Let this process use so many more seconds of processor time; SIGXCPU ends it after that."""
    if seconds is not None:
        used = resource.getrusage(resource.RUSAGE_SELF)
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        whole = int(used.ru_utime + used.ru_stime + seconds) + 1
        soft = whole if hard == resource.RLIM_INFINITY else min(whole, hard)
        resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def _limit_memory(size: int | None) -> None:
    """Let an allocation beyond ``size`` bytes of data fail, which Python answers with MemoryError."""
    if size is not None:
        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        resource.setrlimit(resource.RLIMIT_DATA, (size if hard == resource.RLIM_INFINITY else min(size, hard), hard))
