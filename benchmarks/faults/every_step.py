"""``python -m benchmarks.faults.every_step``: a fault at the k-th step of a small run, for every k, as SQLite is tested.

A step is what the run, or a process that it starts, asks of the system: to open, write, force to the disk, cut, link,
rename or remove a file; to start a process; to have memory.  At the k-th the disk is full (and is not, or stays so, after
it), or fails; the process is killed before the step or in the middle of it; no process can be started; there is no
memory.  ``step.c`` stands between the run and the system.

After each: the exit code and one line say what happened, never a traceback; the record, the store and the checkpoint are whole or
absent; a verdict that was shown is kept; the next run gives what a run without faults does, and leaves nothing beside it.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import json
import mmap
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

SOURCE = Path(__file__).with_name("step.c")
ROOT = Path(__file__).resolve().parents[2]
FILES, FORKS, MEMORY = 1, 2, 3
ERROR, ONWARDS, KILL, HALF = 1, 2, 3, 4
CLAIMS = """
[paper]
key = "steps"
[variables]
n = "whole, >= 1"
[claim."lemma-1"]
says = "n >= 1"
[claim."lemma-2"]
says = "n <= 1"
corrected = "n <= n^2"
why = "n = 2"
"""
CODES = {0, 1, 2, 3}
"""How a command ends that nobody has killed: 1 where a claim is undecided, 3 where what it started has died."""


class Fault(NamedTuple):
    """What happens at a step: of which kind it is, how it fails, and with which error."""

    name: str
    kind: int
    how: int
    error: int = 0


FAULTS = (
    Fault("the disk is full, once", FILES, ERROR, errno.ENOSPC),
    Fault("the disk is full from then on", FILES, ONWARDS, errno.ENOSPC),
    Fault("the disk fails", FILES, ERROR, errno.EIO),
    Fault("killed before it", FILES, KILL),
    Fault("killed in the middle", FILES, HALF),
    Fault("no process", FORKS, ERROR, errno.EAGAIN),
    Fault("no process from then on", FORKS, ONWARDS, errno.ENOMEM),
    Fault("killed before a fork", FORKS, KILL),
    Fault("killed after a fork", FORKS, HALF),
    Fault("no memory, once", MEMORY, ERROR, errno.ENOMEM),
    Fault("no memory from then on", MEMORY, ONWARDS, errno.ENOMEM),
)


class Ran(NamedTuple):
    """How a command ended, what it said, and whether the fault came."""

    code: int
    out: str
    err: str
    steps: int
    hit: bool
    left: int


class Steps:
    """The state that all processes of a run share with ``step.c``."""

    LAYOUT = struct.Struct("7l")

    def __init__(self, path: str) -> None:
        with open(path, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), self.LAYOUT.size)

    def arm(self, fault: Fault | None, at: int, kind: int = FILES) -> None:
        """Count the steps of a kind from now on, and have the fault at one of them."""
        how = (fault.kind, fault.how, fault.error) if fault else (kind, 0, 0)
        self.memory[:] = self.LAYOUT.pack(1, *how, at, 0, 0)

    def disarm(self) -> tuple[int, bool]:
        """How many steps there were, and whether the fault came."""
        *_, count, hit = self.LAYOUT.unpack(self.memory[:])
        self.memory[:8] = bytes(8)
        return count, bool(hit)


def run(
    steps: Steps, words: Sequence[str], folder: Path, said: Path, fault: Fault | None, at: int, kind: int = FILES
) -> Ran:
    """A command in a copy of this process, which has loaded asymp, with a fault."""
    import traceback

    from asymp.cli import main

    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        code = 70
        try:
            for handle, name in ((1, "out"), (2, "err")):
                os.dup2(os.open(said / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666), handle)
            os.chdir(folder)
            steps.arm(fault, at, kind)
            code = main(words)
        except BaseException:
            steps.memory[:8] = bytes(8)
            traceback.print_exc()
        finally:
            steps.memory[:8] = bytes(8)
            with contextlib.suppress(BaseException):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    count, hit = steps.disarm()
    out, err = ((said / name).read_text(errors="replace") for name in ("out", "err"))
    return Ran(code, out, err, count, hit, _orphans())


def _orphans() -> int:
    """How many processes are left below this one after a while; they are ended."""
    deadline = time.monotonic() + 10
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return 0
        if pid == 0:
            if time.monotonic() > deadline:
                return _kill()
            time.sleep(0.01)


def _kill() -> int:
    from asymp.command.guard import descendants

    left = descendants()
    for one in left:
        with contextlib.suppress(ProcessLookupError):
            os.kill(one, signal.SIGKILL)
    return len(left)


@dataclass
class Trial:
    """A small run: how it is made ready, run, run again, and what is to be there after each."""

    name: str
    words: list[str]
    again: list[str]
    ready: Callable[[Path], None]
    found: Callable[[Path, Ran], Any]
    whole: Callable[[Path, Ran, bool], Iterator[str]]
    kept: tuple[str, ...]
    notes: list[str] = field(default_factory=list)


def untimed(data: Any) -> Any:
    """The same without times."""
    if isinstance(data, dict):
        return {name: untimed(value) for name, value in data.items() if name != "seconds"}
    return [untimed(one) for one in data] if isinstance(data, list) else data


# --- a check, with a store and a record ----------------------------------------------------


def _checked(folder: Path, _: Ran) -> Any:
    return untimed(json.loads((folder / "r.json").read_text()))


def _claims(folder: Path) -> None:
    (folder / "steps.toml").write_text(CLAIMS)


def _whole(folder: Path, ran: Ran, killed: bool) -> Iterator[str]:
    """What is wrong with what a run has left: the record, what it grows from, the store."""
    from asymp.command.store import KINDS, Store

    entries, record, partial = set(), folder / "r.json", folder / "r.json.partial"
    if record.exists():
        try:
            entries |= {one["id"] for one in json.loads(record.read_text())["claims"]}
        except (ValueError, KeyError):
            yield "the record is not whole"
    if partial.exists():
        *lines, rest = partial.read_bytes().split(b"\n")
        if rest and not killed:
            yield "half a line in what the record grows from"
        try:
            entries |= {one["entry"]["id"] for one in map(json.loads, lines) if "entry" in one}
        except ValueError:
            yield "a line of what the record grows from is not whole"
    shown = {line.split()[1] for line in ran.out.splitlines() if line[:1] in "✓✗~?+x" and "/" in line}
    if lost := shown - entries:
        yield f"shown and not kept: {sorted(lost)}"
    if (folder / "store" / "key").exists():
        store = Store(folder / "store")
        if not store.is_open:
            yield "the store cannot be opened"
        for kind in KINDS:
            yield from (
                f"half an entry of the store: {one.name[:8]}"
                for one in store.files(kind)
                if store.read(kind, one) is None
            )


# --- a sample, with a checkpoint -----------------------------------------------------------

WORKLOAD = ROOT / "examples" / "my_workload.csv"
SAMPLE = ["sample", "mjsre", f"workload={WORKLOAD}", *"servers=8 rate=0.5 method=forward jobs=16 checkpoint=ck".split()]
SAMPLE += "--size 3000 --seed 3 --device cpu --json -q".split()


def _sampled(_: Path, ran: Ran) -> Any:
    return json.loads(ran.out)["estimates"]


def _checkpoint(folder: Path, _ran: Ran, _killed: bool) -> Iterator[str]:
    import numpy as np

    if (folder / "ck").exists():
        try:
            with np.load(folder / "ck") as kept:
                _ = [kept[name] for name in kept.files]
        except Exception as error:
            yield f"the checkpoint is not whole: {error}"


CHECK = ["check", "steps.toml", "--json", "r.json", "--jobs", "1", "-q"]
TRIALS = (
    Trial(
        "check, with store and record",
        CHECK[:-1],
        [*CHECK, "--resume"],
        _claims,
        _checked,
        _whole,
        ("r.json", "steps.toml"),
    ),
    Trial("sample, with a checkpoint", SAMPLE, SAMPLE, lambda _: None, _sampled, _checkpoint, ("ck",)),
)


def warm(name: str) -> None:
    """Have this process do once what the copies of it do then: what it has loaded and found they have."""
    from asymp import check, registry  # noqa: F401
    from asymp.command import checking, claims, journal, sample_parts, shards, sources, stored  # noqa: F401
    from asymp.export import sarif, table  # noqa: F401

    sources.digest("all")
    with tempfile.TemporaryDirectory() as folder:
        _claims(Path(folder))
        if name.startswith("check"):
            for one in claims.survey(str(Path(folder, "steps.toml")), False)["claims"]:
                claims.check_claim(one["id"], one["file"], False)
        else:
            from asymp.model import sample

            raw = dict(word.split("=") for word in SAMPLE if "=" in word and "checkpoint" not in word)
            sample("mjsre", raw, 3000, 3, "cpu")


def tried(
    trial: Trial, steps: Steps, folder: Path, said: Path, fault: Fault, at: int, wanted: Any
) -> tuple[list[str], Ran]:
    """What was wrong after a fault at a step."""
    ready(trial, folder)
    ran = run(steps, trial.words, folder, said, fault, at)
    bad = list(complaints(ran, fault))
    bad += trial.whole(folder, ran, fault.how >= KILL)
    if ran.code == 0 and (found := trial.found(folder, ran)) != wanted:
        bad.append(f"exit code 0, and another result: {difference(found, wanted)}")
    for one in (folder / "store" / "new").glob("*"):  # what was left there an hour ago
        os.utime(one, (0, 0))
    after = run(steps, trial.again, folder, said, None, 0)
    if after.code:
        bad.append(f"the next run ends with {after.code}: {after.err.strip()[-300:]}")
    elif trial.found(folder, after) != wanted:
        bad.append(f"the next run has another result: {difference(trial.found(folder, after), wanted)}")
    left = [one.name for one in folder.iterdir() if one.name not in (*trial.kept, "store")]
    left += [f"store/{one.name}" for one in (folder / "store" / "new").glob("*")]
    left += [
        one.name for one in (folder / "store").rglob("*") if one.is_file() and len(one.name) != 64 and one.name != "key"
    ]
    if left:
        bad.append(f"left behind: {left}")
    return bad, ran


def difference(found: Any, wanted: Any, place: str = "") -> str:
    """Where two results differ first."""
    pairs: list[tuple[Any, Any, Any]] = []
    if isinstance(found, dict) and isinstance(wanted, dict):
        pairs = [(one, found.get(one), wanted.get(one)) for one in sorted({*found, *wanted}, key=str)]
    elif isinstance(found, list) and isinstance(wanted, list) and len(found) == len(wanted):
        pairs = list(zip(range(len(found)), found, wanted, strict=True))
    if pairs:
        return next((said for one, here, there in pairs if (said := difference(here, there, f"{place}.{one}"))), "")
    return "" if found == wanted else f"{place}: {str(found)[:80]} for {str(wanted)[:80]}"


def complaints(ran: Ran, fault: Fault) -> Iterator[str]:
    """What is wrong with what a command has said."""
    lines = [line for line in ran.err.splitlines() if line.strip() and not line.startswith("[")]
    if fault.kind == MEMORY:  # what CPython says at its end, or (exit code 3) of NumPy, which fails without saying why
        lines = [line for line in lines if not line.startswith("SystemError: ")]
    if fault.kind == MEMORY and ran.code == 3 and len(lines) == 1 and "internal error: SystemError: " in lines[0]:
        pass
    elif "Traceback" in ran.err or "internal error" in ran.err or "Exception ignored" in ran.err or "Fatal" in ran.err:
        where = [line.strip() for line in ran.err.splitlines() if "asymp/" in line]
        yield f"exit code {ran.code}: {ran.err.strip().splitlines()[-1][:200]} {where[-1:]}"
    elif ran.code not in CODES and not (ran.code == -signal.SIGKILL and fault.how >= KILL):
        yield f"exit code {ran.code}: {ran.err.strip()[-300:]}"
    elif len(lines) > 1 or (ran.code in (2, 3) and not lines):
        yield f"exit code {ran.code} and {len(lines)} lines: {ran.err.strip()[-300:]}"
    if ran.left:
        yield f"{ran.left} processes are left"


def ready(trial: Trial, folder: Path) -> None:
    """An empty folder, with what the trial needs."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    trial.ready(folder)


def places(count: int, most: int) -> list[int]:
    """Steps 1..count; where these are more than ``most``, so many, evenly or, if many, denser where the run begins and ends.

    >>> places(4, 10), places(51, 3), places(1000, 12)
    ([1, 2, 3, 4], [13, 26, 38], [1, 3, 10, 32, 100, 316, 685, 901, 969, 991, 998, 1000])
    """
    if count <= most:
        return list(range(1, count + 1))
    if most <= 10:
        return [round(count * k / (most + 1)) for k in range(1, most + 1)]
    half = [round(count ** (k / (most // 2))) for k in range(most // 2 + 1)]
    return sorted({*half, *(count + 1 - k for k in half)})


def serve(only: str, fault_name: str, most: int) -> int:
    """All trials, in a process that ``step.c`` stands behind."""
    from asymp.command.guard import adopt_orphans

    steps, folder = Steps(os.environ["STEP_STATE"]), Path(os.environ["STEP_FOLDER"])
    said = Path(os.environ["STEP_STATE"]).parent
    os.environ["ASYMP_STORE"] = str(folder / "store")
    for name in ("LD_PRELOAD", "STEP_STATE", "STEP_FOLDER"):  # what is started by a program's name is not of the run
        del os.environ[name]
    adopt_orphans(True)
    worst = 0
    print(f"{'fault':32} steps  tried   came  bad  seconds", flush=True)
    for trial in TRIALS:
        if not trial.name.startswith(only):
            continue
        warm(trial.name)
        ready(trial, folder)
        first = run(steps, trial.words, folder, said, None, 0)
        if first.code:
            print(f"without a fault: exit code {first.code}: {first.err}")
            return 2
        wanted = trial.found(folder, first)
        print(trial.name, flush=True)
        counts: dict[int, int] = {}
        for fault in FAULTS:
            if fault_name not in fault.name:
                continue
            if fault.kind not in counts:
                ready(trial, folder)
                counts[fault.kind] = run(steps, trial.words, folder, said, None, 0, fault.kind).steps
            count = counts[fault.kind]
            begin, notes, came, chosen = time.perf_counter(), [], 0, places(count, most)
            for at in chosen:
                bad, ran = tried(trial, steps, folder, said, fault, at, wanted)
                came += ran.hit
                notes += [f"step {at}: {one}" for one in bad]
            worst += len(notes)
            seconds = time.perf_counter() - begin
            print(f"  {fault.name:30} {count:5}  {len(chosen):5}  {came:5}  {len(notes):3}  {seconds:7.1f}", flush=True)
            for note in {one.partition(": ")[2]: one for one in notes[::-1]}.values():
                print(f"      {note}", flush=True)
    print(f"{worst} bad")
    return 1 if worst else 0


def compiled(folder: Path) -> Path | None:
    """``step.c`` as a library; None where there is no compiler."""
    cc = shutil.which("cc") or shutil.which("gcc")
    if cc is None or sys.platform != "linux":
        return None
    target = folder / "step.so"
    done = subprocess.run(
        [cc, "-O1", "-shared", "-fPIC", "-o", target, SOURCE, "-ldl"], capture_output=True, check=False
    )
    return target if done.returncode == 0 else None


def started(folder: Path, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """This module in a process that ``step.c`` stands behind.

    Raises:
        OSError: there is no compiler.
    """
    library = compiled(folder)
    if library is None:
        raise OSError("no C compiler, or not Linux")
    state = folder / "state"
    state.write_bytes(bytes(Steps.LAYOUT.size))
    inside = {"LD_PRELOAD": str(library), "STEP_STATE": str(state), "STEP_FOLDER": str(folder / "run")}
    plain = {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "MPLBACKEND": "Agg"}
    command = [sys.executable, "-m", "benchmarks.faults.every_step", "--serve", *words]
    return subprocess.run(command, env={**os.environ, **plain, **inside}, cwd=ROOT, text=True, check=False)


def main(argv: Sequence[str] | None = None) -> int:
    """1 if anything was bad."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults.every_step", description=__doc__)
    parser.add_argument("--only", default="", help="runs whose name begins so")
    parser.add_argument("--fault", default="", help="faults whose name holds this")
    parser.add_argument("--most", type=int, default=250, help="steps that are tried, of a run that has more")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args(argv)
    if arguments.serve:
        return serve(arguments.only, arguments.fault, arguments.most)
    with tempfile.TemporaryDirectory(prefix="asymp-steps-") as folder:
        words = ["--only", arguments.only, "--fault", arguments.fault, "--most", str(arguments.most)]
        return started(Path(folder), words).returncode


if __name__ == "__main__":
    sys.exit(main())
