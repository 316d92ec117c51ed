"""The stage: claims whose tests misbehave, papers that do, runs of the command line, and what they leave behind."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
MARK = "ASYMP_FAULTS_RUN"
SLEEP = 987_654  # seconds: what is left of a claim that starts something that outlives it

HEAD = f"""
import os, resource, signal, sys, threading, time
from pathlib import Path
from asymp.claim import Claim, Evidence, Outcome, Property, Source, Strength

def fine(name, seconds=0.0):
    time.sleep(seconds)
    with open({{log!r}}, "a") as file:
        file.write(name + chr(10))
    return [Evidence("enclosed", Outcome.HOLDS, Strength.CERTIFIED, "fine")]

def make(name, test):
    return Claim("my/" + name, Source("me", "Section 1"), Property(lambda: (test(), fine(name))[1]), name)

class Odd(BaseException): pass
def throw(error): raise error
def exit_in_a_thread(): threading.Timer(0.05, os._exit, [0]).start()
def fork():
    if os.fork() == 0: time.sleep({SLEEP})
def fork_and_return(): os.fork()
def daemon():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0: os.execvp("sleep", ["sleep", "{SLEEP}"])
        os._exit(0)
def deaf():
    for kind in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU): signal.signal(kind, signal.SIG_IGN)
def scribble():
    for handle in range(3, 400):
        try: os.write(handle, bytes([123]) + b'garbage')
        except OSError: pass
def hog():
    kept = []
    while True: kept.append(bytearray(40 << 20))
def spin():
    while True: pass
"""
ENDING = {  # these end the process, or the test, before there is evidence: no verdict but an undecided one
    "sys-exit": "sys.exit(0)",
    "os-exit": "os._exit(0)",
    "os-exit-1": "os._exit(1)",
    "base-exception": "throw(Odd('x'))",
    "generator-exit": "throw(GeneratorExit())",
    "keyboard-interrupt": "throw(KeyboardInterrupt())",
    "abort": "os.abort()",
    "kill-itself": "os.kill(os.getpid(), signal.SIGKILL)",
    "kill-its-group": "os.killpg(0, signal.SIGKILL)",
    "kill-its-parent": "(os.kill(os.getppid(), signal.SIGKILL), time.sleep(9))",
    "kill-its-parents-group": "(os.killpg(os.getpgid(os.getppid()), signal.SIGKILL), time.sleep(9))",
    "end-its-parent": "(os.kill(os.getppid(), signal.SIGTERM), time.sleep(9))",
    "close-everything": "os.closerange(0, 4096)",
    "read-input": "input()",
}
LIMITED = {
    "hog": "hog()",
    "spin": "spin()",
    "stop": "os.kill(os.getpid(), signal.SIGSTOP)",
    "deaf-spin": "(deaf(), spin())",
}
HARMLESS = {  # these do something to the process, and then the claim holds
    "thread-exits-later": "exit_in_a_thread()",
    "close-output": "(os.close(1), os.close(2), setattr(sys, 'stdout', None))",
    "close-some": "os.closerange(0, 60)",
    "fork": "fork()",
    "fork-and-return": "fork_and_return()",
    "daemon": "daemon()",
    "change-folder": "os.chdir('/')",
    "handle-signals": "deaf()",
    "alarm": "signal.alarm(1)",
    "print": "(print('noise'), os.system('echo noise'))",
    "write-everywhere": "scribble()",
}


@dataclass
class Tally:
    """What one kind of fault did, over all tries."""

    name: str
    tries: int = 0
    lost: int = 0  # verdicts that should be there
    silent: int = 0  # exit code 0 without them, or claims of success
    left: int = 0  # processes, temporary and empty files
    unclear: int = 0  # tracebacks, internal errors, wrong exit codes, half files
    ran: int = 0  # planted code that ran
    notes: list[str] = field(default_factory=list)

    @property
    def bad(self) -> int:
        """All that should be zero."""
        return self.lost + self.silent + self.left + self.unclear + self.ran

    def note(self, kind: str, text: str, count: int = 1) -> None:
        """Count something bad."""
        setattr(self, kind, getattr(self, kind) + count)
        self.notes.append(f"{kind}: {text[-600:]}")


@dataclass
class Stage:
    """A folder for one try, and the environment of its runs."""

    folder: Path
    extra: dict[str, str] = field(default_factory=dict)
    without: tuple[str, ...] = ()
    mark: str = field(default_factory=lambda: uuid.uuid4().hex)

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.log = self.folder / "log.txt"

    def claims(self, tests: dict[str, str], name: str = "claims.py") -> Path:
        """A file of claims: name -> what its test does first."""
        lines = [f"    make({slug!r}, lambda: {code})," for slug, code in tests.items()]
        path = self.folder / name
        head = HEAD.replace("{log!r}", repr(str(self.log)))
        path.write_text("\n".join([head, "CLAIMS = [", *lines, "]", ""]), encoding="utf-8")
        return path

    def paper(self, key: str, code: str) -> None:
        """A registered paper: a module, and the entry point that names it."""
        (self.folder / f"{key}_paper.py").write_text(code, encoding="utf-8")
        info = self.folder / f"{key}_paper-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {key}_paper\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[asymp.papers]\n{key} = {key}_paper\n")

    @property
    def environment(self) -> dict[str, str]:
        """Of a run: this asymp, and a mark by which its processes are found."""
        path = os.pathsep.join([str(ROOT), str(self.folder)])
        ours = {key: value for key, value in os.environ.items() if key not in self.without}
        return {**ours, "PYTHONPATH": path, MARK: self.mark, "MPLBACKEND": "Agg", **self.extra}

    def start(self, *words: str, limits: Callable[[], None] | None = None, **options: Any) -> subprocess.Popen[str]:
        """``asymp`` with these words, in the folder."""
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "stdin": subprocess.DEVNULL}
        command = [sys.executable, "-m", "asymp", *words]
        return subprocess.Popen(command, cwd=self.folder, env=self.environment, preexec_fn=limits, **(pipes | options))

    def run(self, *words: str, wait: float = 120, **options: Any) -> subprocess.CompletedProcess[str]:
        """The same to its end."""
        process = self.start(*words, **options)
        try:
            out, err = process.communicate(timeout=wait)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            err = (err or "") + "\nTraceback: it did not end"
        return subprocess.CompletedProcess(words, process.returncode, out or "", err or "")

    def processes(self) -> list[int]:
        """The living processes of this stage's runs."""
        found = []
        for name in os.listdir("/proc"):
            if name.isdigit() and int(name) != os.getpid():
                with contextlib.suppress(OSError):
                    if f"{MARK}={self.mark}".encode() in Path(f"/proc/{name}/environ").read_bytes():
                        found.append(int(name))
        return found

    def executions(self) -> list[str]:
        """The claims whose tests came to their end, in order."""
        return self.log.read_text(encoding="utf-8").split() if self.log.exists() else []

    def look(self, tally: Tally, kept: Sequence[str] = ()) -> None:
        """Count what is left behind: processes, temporary files, empty files; partial records unless they are ``kept``."""
        for _ in range(40):
            if not self.processes():
                break
            time.sleep(0.05)
        for pid in self.processes():
            with contextlib.suppress(OSError):
                words = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                tally.note("left", f"process {pid}: {words}")
                os.kill(pid, signal.SIGKILL)
        for path in self.folder.rglob("*"):
            temporary = path.suffix == ".tmp" or path.name.endswith(".partial") or path.name.startswith(".")
            if path.is_file() and path.name not in kept and (temporary or not path.stat().st_size):
                tally.note("left", f"file {path.name} of {path.stat().st_size} bytes")


def entries(path: Path) -> dict[str, dict[str, Any]]:
    """The claims of a record, by id; empty where there is none."""
    try:
        return {entry["id"]: entry for entry in json.loads(path.read_text(encoding="utf-8"))["claims"]}
    except (OSError, ValueError, KeyError):
        return {}


def clear(run: subprocess.CompletedProcess[str], tally: Tally, lines: int | None = None) -> None:
    """Count tracebacks, internal errors and, with ``lines``, more or fewer lines of complaint."""
    ours = ("[", "noise", "{garbage")  # progress, and what the claims write
    said = [line for line in run.stderr.splitlines() if line.strip() and not line.startswith(ours)]
    if "Traceback" in run.stderr or "internal error" in run.stderr or "Exception ignored" in run.stderr:
        tally.note("unclear", f"{run.args}: {run.stderr}")
    elif lines is not None and len(said) != lines:
        tally.note("unclear", f"{run.args}: {len(said)} lines: {said}")
