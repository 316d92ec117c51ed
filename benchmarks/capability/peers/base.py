"""A system: a process that is given one problem and prints answers, one a line, marked with ``@@``."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import selectors
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from benchmarks.capability.problem import Problem
from benchmarks.capability.score import Answer, Score, score

MEMORY = 4 << 30
ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True)
class Reply:
    """A scored answer: which command gave it, what was said, and after how many seconds."""

    score: Score
    seconds: float
    way: str = ""
    said: str = ""


class System(Protocol):
    """What a peer module offers."""

    name: str

    def version(self) -> str | None:
        """The version, or None where the system is not installed."""

    def start(self, problem: Problem) -> tuple[Sequence[str], str]:
        """The command line and the standard input."""

    def read(self, problem: Problem, line: str) -> tuple[str, Answer] | None:
        """The way's name and the answer in a line of output; None if there is none."""


@dataclass
class Process:
    """A process with limits, read line by line.

    ``seconds`` are of processor time, so that a busy machine does not change the scores; of wall time there are
    four times as many.  Every time that is reported is processor time too.
    """

    argv: Sequence[str]
    text: str
    seconds: float
    environment: Mapping[str, str] = field(default_factory=dict)
    timed_out: bool = False

    def lines(self) -> Iterator[tuple[float, str]]:
        """(processor seconds so far, line) until the process ends, or the time has run out and it is killed."""
        begin = time.perf_counter()
        spent = 0.0
        where = tempfile.mkdtemp(prefix="capability-")  # some systems leave files where they are started
        paths = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
        process = subprocess.Popen(
            list(self.argv), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=where,
            preexec_fn=_limits, start_new_session=True, env={**os.environ, "PYTHONPATH": paths, **self.environment},
        )  # fmt: skip
        selector = selectors.DefaultSelector()
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            with contextlib.suppress(BrokenPipeError):
                process.stdin.write(self.text.encode())
                process.stdin.close()
            selector.register(process.stdout, selectors.EVENT_READ)
            buffer = b""
            while True:
                if time.perf_counter() - begin > 4 * self.seconds or spent > self.seconds:
                    self.timed_out = True
                    return
                if not selector.select(0.2):
                    spent = max(spent, processor_seconds(process.pid))
                    continue
                spent = max(spent, processor_seconds(process.pid))
                chunk = os.read(process.stdout.fileno(), 65536)
                if not chunk:
                    break
                *whole, buffer = (buffer + chunk).split(b"\n")
                for line in whole:
                    yield spent, line.decode(errors="replace")
            if buffer:
                yield spent, buffer.decode(errors="replace")
        finally:
            selector.close()
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # the group this process was started as
            process.wait()
            if process.stdout:
                process.stdout.close()
            shutil.rmtree(where, ignore_errors=True)


def processor_seconds(group: int) -> float:
    """The processor time of a group of processes and of their ended children (Linux; elsewhere 0)."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        if int(fields[2]) == group:
            ticks += sum(int(x) for x in fields[11:15])
    return ticks / os.sysconf("SC_CLK_TCK")


def _limits() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def ask(system: System, problem: Problem, seconds: float) -> Reply:
    """The system's answer: the first command that solves the problem or is wrong; else its fullest one.

    Of several roots of an equation the system need not know which is meant: there the best counts.
    """
    argv, text = system.start(problem)
    if not argv:
        return Reply(Score("refused", 0, text or "no command takes this"), 0.0)
    process = Process(argv, text, seconds)
    best: Reply | None = None
    at = 0.0
    for at, line in process.lines():
        try:
            read = system.read(problem, line)
        except (KeyError, ValueError, TypeError) as error:
            read = "unreadable", Answer(why=f"{type(error).__name__}: {error}; {line[:100]}")
        if read is None:
            continue
        way, answer = read
        reply = Reply(score(problem, answer), at, way, _said(answer))
        if reply.score.outcome == "solved" or (reply.score.outcome == "wrong" and not problem.unknown):
            return reply
        if best is None or _rank(reply) > _rank(best):
            best = reply
    if best is not None and best.score.outcome != "refused":
        return best
    if process.timed_out:
        return Reply(Score("timeout", 0, f"no answer in {seconds:g} s of processor time"), seconds)
    return best or Reply(Score("refused", 0, "no output"), at)


def _rank(reply: Reply) -> tuple[int, int]:
    return ("refused", "wrong", "leading", "solved").index(reply.score.outcome), reply.score.right


def _said(answer: Answer) -> str:
    if answer.parts:
        texts = []
        for p in answer.parts:
            when, rest = f"[{p.when}] " if p.when else "", f" + O({p.remainder})" if p.remainder else ""
            texts.append(when + (p.text or p.why) + rest)
        return "; ".join(texts)
    return answer.verdict or answer.why


def json_line(line: str) -> dict[str, str] | None:
    """The object after the mark, or None."""
    if not line.startswith("@@"):
        return None
    try:
        return dict(json.loads(line[2:]))
    except (ValueError, TypeError):
        return None
