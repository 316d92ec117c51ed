"""``python -m benchmarks.faults.cluster``: workers killed or stopped at random moments, of another version, without a scheduler.

The record of a check is to be that of one machine but for the times, a sample's estimates the same to the last bit,
whatever becomes of the workers; what cannot go on says so in one line, and keeps what it has.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.faults.stage import ROOT, Stage, Tally, clear, entries

CLAIMS = {f"claim-{k}": f"time.sleep({0.2 + 0.2 * (k % 4)})" for k in range(100)}
SAMPLE = "sample lfms n=100 p=0.1 mu1=1 mun=1 --size 6000000 --seed 3 --device cpu --json".split()
WORKER, PROCESS = b"multiprocessing.spawn", b"asymp.command.remote"
HARM = "killed", "its process killed", "stopped for a while"


def workers(stage: Stage, kind: bytes = WORKER) -> list[int]:
    """The processes of Dask's workers, or those that these have started."""
    found = []
    for pid in stage.processes():
        with contextlib.suppress(OSError):
            parent = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
            above = Path(f"/proc/{parent}/cmdline").read_bytes()
            if kind in Path(f"/proc/{pid}/cmdline").read_bytes() and PROCESS not in above:
                found.append(pid)
    return found


def harm(stage: Stage, rng: random.Random) -> str:
    """Kill or stop one worker, if there is one: what was done."""
    what = rng.choice((HARM[0], *HARM))
    there = workers(stage, PROCESS if what == HARM[1] else WORKER)
    if not there:
        return ""
    pid = rng.choice(there)
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGSTOP if what == HARM[2] else signal.SIGKILL)
        if what == HARM[2]:
            threading.Timer(1.5, lambda: _go_on(pid)).start()
    return what


def _go_on(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGCONT)


def harmed(
    stage: Stage, process: subprocess.Popen[str], rng: random.Random, most: int
) -> tuple[str, str, dict[str, int]]:
    """What a command says while workers are harmed, at most so often, and what was done."""
    done: dict[str, int] = {}

    def go() -> None:
        while process.poll() is None and not workers(stage, PROCESS):
            time.sleep(0.1)  # a cluster that does not come up is another matter
        while process.poll() is None and sum(done.values()) < most:
            time.sleep(rng.uniform(0.3, 3))
            if what := harm(stage, rng):
                done[what] = done.get(what, 0) + 1

    thread = threading.Thread(target=go)
    thread.start()
    out, err = process.communicate(timeout=600)
    thread.join()
    return out, err, done


def untimed(path: Path) -> Any:
    """A record without its times."""
    data = json.loads(path.read_text(encoding="utf-8"))
    claims = [{**entry, "seconds": 0} for entry in data["claims"]]
    return {**data, "claims": claims, "summary": {**data["summary"], "seconds": 0}}


def checks(stage: Stage, tally: Tally, rng: random.Random, kills: int) -> str:
    """A check: the record is that of one machine."""
    path = stage.claims(CLAIMS)
    stage.run("check", str(path), "--json", "one.json", "-q")
    process = stage.start("check", str(path), "--json", "many.json", "-q", "--cluster", "--jobs", "3")
    out, err, done = harmed(stage, process, rng, kills)
    clear(subprocess.CompletedProcess(["check"], 0, out, err), tally, 0)
    if process.returncode or untimed(stage.folder / "many.json") != untimed(stage.folder / "one.json"):
        tally.note("lost", f"exit code {process.returncode}, another record: {err}")
    return f"{done}, {len(stage.executions()) - 2 * len(CLAIMS)} of {len(CLAIMS)} checks done twice"


def samples(stage: Stage, tally: Tally, rng: random.Random, kills: int) -> str:
    """A sample: its numbers are those of one machine, bit for bit."""
    one = json.loads(stage.run(*SAMPLE).stdout)
    process = stage.start(*SAMPLE, "--cluster", "--jobs", "3", "-q")
    out, err, done = harmed(stage, process, rng, kills)
    clear(subprocess.CompletedProcess(["sample"], 0, out, err), tally, 0)
    if process.returncode or json.loads(out)["estimates"] != one["estimates"]:
        tally.note("lost", f"exit code {process.returncode}, other numbers: {err}")
    return str(done)


def interrupted(stage: Stage, tally: Tally, rng: random.Random, _: int) -> str:
    """Ctrl-C of a terminal: 130, nothing is left, ``--resume`` goes on."""
    path = stage.claims(CLAIMS)
    words = ["check", str(path), "--json", "r.json", "--cluster", "--resume"]
    process = stage.start(*words, start_new_session=True)
    while len(stage.executions()) < 3:
        time.sleep(0.05)
    time.sleep(rng.uniform(2.5, 3.5))
    os.killpg(process.pid, signal.SIGINT)
    begin = time.monotonic()
    out, err = process.communicate(timeout=60)
    seconds, found = time.monotonic() - begin, len(entries(stage.folder / "r.json"))
    if process.returncode != 130:
        tally.note("unclear", f"exit code {process.returncode}")
    clear(subprocess.CompletedProcess(words, 0, out, err), tally, 1)
    stage.look(tally, ("r.json.partial",))
    run = stage.run(*words)
    if run.returncode or len(entries(stage.folder / "r.json")) != len(CLAIMS):
        tally.note("lost", f"resumed with exit code {run.returncode}")
    return f"{seconds:.1f} s to end, {found} kept"


def killed(stage: Stage, tally: Tally, rng: random.Random, _: int) -> str:
    """kill -9 of the command: nothing is left, ``--resume`` goes on."""
    path = stage.claims(CLAIMS)
    words = ["check", str(path), "--json", "r.json", "--cluster", "--resume"]
    process = stage.start(*words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while len(stage.executions()) < 3:
        time.sleep(0.05)
    time.sleep(rng.uniform(2.5, 3.5))
    process.kill()
    process.wait()
    time.sleep(2)
    stage.look(tally, ("r.json.partial",))
    before = len(stage.executions())
    run = stage.run(*words)
    if run.returncode or len(entries(stage.folder / "r.json")) != len(CLAIMS):
        tally.note("lost", f"resumed with exit code {run.returncode}")
    return f"{before} checks before, {len(stage.executions()) - before} after it"


class Elsewhere:
    """A scheduler and workers that are not the run's own, each of the asymp in a folder."""

    def __init__(self, stage: Stage) -> None:
        port = random.SystemRandom().randrange(20_000, 60_000)
        self.stage, self.address, self.made = stage, f"tcp://127.0.0.1:{port}", list[subprocess.Popen[bytes]]()
        self.start(ROOT, "dask_scheduler", "--host", "127.0.0.1", "--port", str(port))

    def start(self, root: Path, *words: str) -> None:
        """A program of Dask's."""
        path = os.pathsep.join([str(root), str(self.stage.folder)])
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        command = [sys.executable, "-m", "distributed.cli." + words[0], *words[1:], "--no-dashboard"]
        environment = {**self.stage.environment, "PYTHONPATH": path}
        self.made.append(subprocess.Popen(command, cwd=self.stage.folder, env=environment, **quiet))

    def worker(self, root: Path = ROOT) -> None:
        """A worker of the asymp that is in a folder."""
        self.start(root, "dask_worker", self.address, "--nthreads", "1", "--nworkers", "1")

    def __enter__(self) -> Elsewhere:
        self.worker()
        return self

    def __exit__(self, *_: object) -> None:
        for process in reversed(self.made):
            process.terminate()
        for process in self.made:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=10)
            process.kill()


def other_version(stage: Stage) -> Path:
    """A folder with another asymp."""
    other = stage.folder / "other"
    shutil.copytree(ROOT / "asymp", other / "asymp", ignore=shutil.ignore_patterns("__pycache__"))
    with (other / "asymp" / "sign.py").open("a") as file:
        file.write("\n")
    return other


def another_version(stage: Stage, tally: Tally, rng: random.Random, _: int) -> str:
    """A worker of another asymp: one line, and no claim is checked."""
    other, path = other_version(stage), stage.claims(CLAIMS)
    with Elsewhere(stage) as there:
        there.worker(other)
        time.sleep(8)
        run = stage.run("check", str(path), "--cluster", there.address, "-q")
    if run.returncode != 2 or "is not what it is here" not in run.stderr:
        tally.note("silent", f"exit code {run.returncode}: {run.stderr}")
    if stage.executions():
        tally.note("unclear", "claims were checked")
    shutil.rmtree(other)
    clear(run, tally, 1)
    return run.stderr.strip()[-140:]


def late_version(stage: Stage, tally: Tally, rng: random.Random, _: int) -> str:
    """A worker of another asymp that comes while claims are checked: it checks none, and the record is right."""
    other, path = other_version(stage), stage.claims(CLAIMS)
    stage.run("check", str(path), "--json", "one.json", "-q")
    with Elsewhere(stage) as there:
        process = stage.start("check", str(path), "--cluster", there.address, "-q", "--json", "many.json")
        while len(stage.executions()) < len(CLAIMS) + 4 and process.poll() is None:
            time.sleep(0.05)
        there.worker(other)
        out, err = process.communicate(timeout=300)
    shutil.rmtree(other)
    clear(subprocess.CompletedProcess(["check"], 0, out, err), tally, 0)
    if process.returncode or untimed(stage.folder / "many.json") != untimed(stage.folder / "one.json"):
        tally.note("lost", f"exit code {process.returncode}, another record: {err}")
    return f"exit code {process.returncode}"


def no_scheduler(stage: Stage, tally: Tally, rng: random.Random, _: int) -> str:
    """The scheduler goes away: one line, exit code 2, ``--resume`` goes on without a cluster."""
    path = stage.claims(CLAIMS)
    words = ["check", str(path), "--json", "r.json", "--resume"]
    with Elsewhere(stage) as there:
        process = stage.start(*words, "--cluster", there.address)
        while len(stage.executions()) < 8:
            time.sleep(0.05)
        time.sleep(rng.uniform(0.5, 2.5))
        there.made[0].kill()
        begin = time.monotonic()
        out, err = process.communicate(timeout=120)
        seconds = time.monotonic() - begin
    if process.returncode != 2:
        tally.note("silent", f"exit code {process.returncode}: {err}")
    clear(subprocess.CompletedProcess(words, 0, out, err), tally, 1)
    kept = len(entries(stage.folder / "r.json"))
    run = stage.run(*words)
    if run.returncode or len(entries(stage.folder / "r.json")) != len(CLAIMS):
        tally.note("lost", f"resumed with exit code {run.returncode}")
    return f"{seconds:.1f} s to end, {kept} kept: {err.strip().splitlines()[-1]}"


TRIALS: dict[str, Callable[[Stage, Tally, random.Random, int], str]] = {
    "a check, workers harmed": checks,
    "a sample, workers harmed": samples,
    "Ctrl-C": interrupted,
    "kill -9 of the command": killed,
    "a worker of another version": another_version,
    "the same, that comes late": late_version,
    "a scheduler that goes away": no_scheduler,
}


def main() -> int:
    """1 if anything was bad."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults.cluster", description=__doc__)
    parser.add_argument("--kills", type=int, default=20, help="how often workers are harmed in a run")
    parser.add_argument("--seed", type=int, default=None, help="of the random moments")
    parser.add_argument("--only", default="", help="trials whose name holds this")
    arguments = parser.parse_args()
    seed = random.randrange(10**6) if arguments.seed is None else arguments.seed
    print(f"seed {seed}\n{'fault':30} lost  silent  left  unclear  seconds", flush=True)
    bad = 0
    for name, trial in TRIALS.items():
        if arguments.only not in name:
            continue
        tally, begin = Tally(name), time.perf_counter()
        with tempfile.TemporaryDirectory(prefix="asymp-faults-") as folder:
            stage = Stage(Path(folder) / "stage", {"ASYMP_STORE": "off", "TMPDIR": folder})
            words = trial(stage, tally, random.Random(f"{seed} {name}"), arguments.kills)
            stage.look(tally)
        counts = f"{tally.lost:4}  {tally.silent:6}  {tally.left:4}  {tally.unclear:7}"
        print(f"{name:30} {counts}  {time.perf_counter() - begin:7.1f}\n    {words}", flush=True)
        for note in tally.notes[:10]:
            print(f"    {note[:3000]}", flush=True)
        bad += tally.bad
    print(f"{bad} bad")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
