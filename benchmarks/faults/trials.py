"""The faults, one function each: what is tried, and what has to hold afterwards."""

from __future__ import annotations

import contextlib
import os
import pickle
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.faults.stage import ENDING, HARMLESS, LIMITED, Stage, Tally, clear, entries

PAPER = """
from asymp.claim import Claim, Evidence, Outcome, Property, Source, Strength
from asymp.export.plot import Figure, Panel, Series
TITLE = "A paper"
def test():
    return [Evidence("enclosed", Outcome.HOLDS, Strength.CERTIFIED, "fine")]
def claims():
    return [Claim("KEY/a", Source("KEY", "Lemma 1"), Property(test), "a")]
def figures():
    line = Series("x", "purple", ("1e1", "1e2"), ("0.5", "0.25"))
    return {"one": Figure("one", "n", (Panel("x", (line,)),))}
"""
MANY = {f"quick-{k:02}": "time.sleep(0.03)" for k in range(60)}
QUICK = dict(list(MANY.items())[:24])


def exits_in_claims(stage: Stage, tally: Tally, rng: random.Random, jobs: str = "2") -> None:
    """A claim's test ends its process or harms it: it alone is undecided."""
    tests = list({**ENDING, **HARMLESS, **{f"fine-{k}": "None" for k in range(6)}}.items())
    rng.shuffle(tests)
    run = stage.run("check", str(stage.claims(dict(tests))), "--json", "r.json", "--jobs", jobs, "--timeout", "30")
    found = entries(stage.folder / "r.json")
    for slug, _ in tests:
        outcome = found.get(f"my/{slug}", {}).get("outcome", "none")
        if outcome not in (("undecided",) if slug in ENDING else ("holds",)):
            tally.note("lost", f"{slug}: {outcome}")
    if run.returncode != 1:
        tally.note("silent" if run.returncode == 0 else "unclear", f"exit code {run.returncode}: {run.stderr}")
    clear(run, tally, 0)


def limits(stage: Stage, tally: Tally, rng: random.Random, jobs: str = "1") -> None:
    """Endless loops, memory hogs, stopped processes: a typed end for each, and the others go on."""
    path = stage.claims({"first": "None", **LIMITED, "last": "None"})
    words = ["--timeout", "4", "--memory", "600M", "--json", "r.json", "--jobs", jobs]
    run = stage.run("check", str(path), *words)
    found = {name: entry.get("ended", "finished") for name, entry in entries(stage.folder / "r.json").items()}
    wanted = {f"my/{slug}": "timed out" for slug in LIMITED} | {"my/hog": "out of memory"}
    for name, ended in (wanted | {"my/first": "finished", "my/last": "finished"}).items():
        if found.get(name) != ended:
            tally.note("lost", f"{name}: {found.get(name)}")
    if run.returncode != 1:
        tally.note("silent" if run.returncode == 0 else "unclear", f"exit code {run.returncode}")
    clear(run, tally, 0)
    run = stage.run("check", f"{path}::my/spin", "--cpu", "1", "--timeout", "60", "--json", "s.json")
    if entries(stage.folder / "s.json").get("my/spin", {}).get("ended") != "out of processor time":
        tally.note("lost", f"no end after the processor time: {run.stdout}")
    enclose = "enclose lfms/throughput n=1e8 alpha=2 mu1=1 mun=1 --digits 50000 --timeout 1".split()
    sample = "sample one-and-n n=10 p=0.3 mu1=1 mun=1 --size 1e10 --timeout 1".split()
    for command in (
        enclose,
        sample,
        ["show", f"{path}::my/spin", "--timeout", "1"],
        ["list", str(path), "--timeout", "60"],
    ):
        run = stage.run(*command)
        if run.returncode != (0 if command[0] == "list" else 1):
            tally.note("silent" if run.returncode == 0 else "unclear", f"{command}: exit code {run.returncode}")
        clear(run, tally)


def exits_in_papers(stage: Stage, tally: Tally, rng: random.Random) -> None:
    """A registered paper ends the process when it is imported or asked: no command says that all is well."""
    ends = {"exit": "import sys; sys.exit(0)", "os_exit": "import os; os._exit(0)", "odd": "raise BaseException('x')"}
    for name, code in ends.items():
        stage.paper(f"{name}_import", f"{code}\n")
        stage.paper(f"{name}_claims", f"TITLE = 'x'\ndef claims():\n    {code}\ndef figures():\n    {code}\n")
    stage.paper("good", PAPER.replace("KEY", "good"))
    keys = [f"{name}_{where}" for name in ends for where in ("import", "claims")]
    for key in rng.sample(keys, 2):
        for words in (
            ["check", key],
            ["check", f"{key}/x"],
            ["list", key],
            ["show", f"{key}/x"],
            ["figure", key],
            ["export", key],
        ):
            run = stage.run(*words)
            if run.returncode == 0:
                tally.note("silent", f"{words}: {run.stdout}{run.stderr}")
            clear(run, tally, 1)
    run = stage.run("check", "good", *keys, "--json", "r.json")
    if entries(stage.folder / "r.json").get("good/a", {}).get("outcome") != "holds":
        tally.note("lost", "good/a beside papers that exit")
    if run.returncode != 2:
        tally.note("silent" if run.returncode == 0 else "unclear", f"exit code {run.returncode}")
    clear(run, tally, len(keys))


def killed_workers(stage: Stage, tally: Tally, rng: random.Random) -> None:
    """kill -9 of whatever is below the command, at random moments: each claim has its verdict, most of them theirs."""
    process = stage.start("check", str(stage.claims(QUICK)), "--json", "r.json", "--jobs", "2")
    kills = 0
    while process.poll() is None and kills < 6:
        time.sleep(rng.uniform(0.05, 0.4))
        below = [pid for pid in stage.processes() if pid != process.pid]
        if below and stage.executions():
            with contextlib.suppress(ProcessLookupError):
                os.kill(rng.choice(below), signal.SIGKILL)
                kills += 1
    out, err = process.communicate(timeout=120)
    found = entries(stage.folder / "r.json")
    if len(found) != len(QUICK):
        tally.note("lost", f"{len(found)} of {len(QUICK)} after {kills} kills: {err}", len(QUICK) - len(found))
    all_hold = all(entry["outcome"] == "holds" for entry in found.values())
    if process.returncode != (0 if all_hold else 1):
        tally.note("silent" if process.returncode == 0 else "unclear", f"exit code {process.returncode}: {err}")
    clear(subprocess.CompletedProcess(["check"], 0, out, err), tally, 0)


def killed_parent(stage: Stage, tally: Tally, rng: random.Random) -> None:
    """kill -9 of the command itself at random moments, then --resume: nothing found is lost or done again."""
    path, record = stage.claims(MANY), stage.folder / "r.json"
    words = ["check", str(path), "--json", "r.json", "--jobs", "2", "--resume"]
    kills = 0
    while True:
        process = stage.start(*words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        before = len(stage.executions())
        while process.poll() is None and len(stage.executions()) <= before:
            time.sleep(0.01)
        time.sleep(rng.uniform(0.0, 0.25))
        if kills < 4:
            process.kill()
        process.wait()
        stage.look(tally, ("r.json.partial",))
        if process.returncode != -signal.SIGKILL:
            break
        kills += 1
    found = entries(record)
    if process.returncode or len(found) != len(MANY) or any(entry["outcome"] != "holds" for entry in found.values()):
        tally.note("lost", f"exit code {process.returncode}, {len(found)} of {len(MANY)} after {kills} kills")
    again = len(stage.executions()) - len(MANY)
    if again > 2 * kills:  # what each worker was at
        tally.note("lost", f"{again} checks were done again after {kills} kills")


def signals(stage: Stage, tally: Tally, rng: random.Random) -> None:
    """SIGINT, SIGTERM, SIGHUP at random moments: what was found is kept, the exit code says it, --resume goes on."""
    for kind in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        name = f"{kind.name}.json"
        path = stage.claims(QUICK)
        process = stage.start("check", str(path), "--json", name, "--jobs", rng.choice("12"))
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(rng.uniform(0.0, 0.5))
        process.send_signal(kind)
        out, err = process.communicate(timeout=60)
        rows = sum(line.startswith("✓") for line in out.splitlines())
        found = entries(stage.folder / name)
        if process.returncode not in (128 + kind, 0):
            tally.note("unclear", f"{kind.name}: exit code {process.returncode}")
        if len(found) < rows or (process.returncode == 0 and len(found) < len(QUICK)):
            tally.note("lost", f"{kind.name}: {len(found)} in the record, {rows} shown", rows - len(found))
        clear(subprocess.CompletedProcess([kind.name], 0, out, err), tally)
        stage.look(tally, (f"{name}.partial",))
        run = stage.run("check", str(path), "--json", name, "--resume")
        if run.returncode or len(entries(stage.folder / name)) != len(QUICK):
            tally.note("lost", f"{kind.name}: resumed with exit code {run.returncode}")


def full_disk(stage: Stage, tally: Tally, rng: random.Random) -> None:
    """Files that cannot grow, and a full device: one clear line, a code other than 0, no empty or half file."""
    stage.paper("good", PAPER.replace("KEY", "good"))
    stage.log = Path("/dev/null")  # it could not grow either
    path = stage.claims(QUICK)
    for size in (0, 10, rng.randrange(100, 900), rng.randrange(1000, 8000), 12_000):

        def limit(size: int = size) -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

        figure = stage.folder / "good-one.pdf"
        for words in (["check", str(path), "--json", f"r{size}.json"], ["figure", "good", "--format", "pdf"]):
            run = stage.run(*words, limits=limit)
            whole = words[0] == "figure" and figure.exists() and figure.read_bytes().rstrip().endswith(b"%%EOF")
            if run.returncode == 0 and not whole:
                tally.note("silent", f"{words} with {size} bytes: {run.stderr}")
            if figure.exists() and not whole:
                tally.note("left", "half a figure")
            clear(run, tally, None if run.returncode == 0 else 1)
            figure.unlink(missing_ok=True)
            stage.look(tally, (f"r{size}.json.partial",))
        partial = stage.folder / f"r{size}.json.partial"
        if partial.exists():
            if not partial.read_bytes().endswith(b"\n"):
                tally.note("unclear", "half a line in a partial record")
            run = stage.run("check", str(path), "--json", f"r{size}.json", "--resume")
            if run.returncode or len(entries(stage.folder / f"r{size}.json")) != len(QUICK):
                tally.note("lost", f"resumed after a full disk: exit code {run.returncode}")
    for words in (
        ["check", str(path)],
        ["check", str(path), "--json", "-"],
        ["list", str(path)],
        ["ask", "n ~ n", "--to", "n->oo"],
    ):
        with open("/dev/full", "w") as full:
            run = stage.run(*words, stdout=full)
        if run.returncode == 0:
            tally.note("silent", f"{words} to a full device")
        clear(run, tally, 1)


def unwritable(stage: Stage, tally: Tally, rng: random.Random) -> None:
    """A record that cannot be written is refused first, before any check, in one line."""
    path = stage.claims(QUICK)
    (stage.folder / "file").write_text("x")
    for place in ("no/such/r.json", "file/r.json", ".", "/proc/r.json", "/proc/self/r.json", "x" * 300):
        run = stage.run("check", str(path), "--json", place)
        if run.returncode != 2:
            tally.note("silent" if run.returncode == 0 else "unclear", f"{place}: exit code {run.returncode}")
        if stage.executions():
            tally.note("unclear", f"{place}: checked first")
        clear(run, tally, 1)


def closed_output(stage: Stage, tally: Tally, rng: random.Random) -> None:
    """A reader that goes away, and streams that were never open."""
    path = stage.claims(QUICK)
    asymp = f"{sys.executable} -m asymp"
    cases = {
        f"{asymp} list lfms | head -1": (141, 0),
        f"{asymp} list lfms --json | head -c 1": (141, 0),
        f"{asymp} check {path} | head -1": (141, 0),
        f"{asymp} check {path} --json - | true": (141, 0),
        f"{asymp} list {path} >&-": (2, 1),
        f"{asymp} list {path} 2>&-": (0, 0),
        f"{asymp} check {path} --jobs 1 2>&- <&-": (0, 0),
        f"{asymp} show nothing/x 2>&-": (2, 0),
    }
    for line, (code, said) in cases.items():
        command = ["bash", "-c", f"set -o pipefail; {line}"]
        run = subprocess.run(
            command, cwd=stage.folder, env=stage.environment, capture_output=True, text=True, check=False
        )
        if run.returncode != code and not (code == 141 and run.returncode == 0):
            tally.note("unclear", f"{line}: exit code {run.returncode}")
        clear(run, tally, said)


def no_unicode(stage: Stage, tally: Tally, rng: random.Random) -> None:
    """Where tick and cross cannot be shown they are not the mark of undecided."""
    path = stage.claims({"good": "None", "open": "throw(ValueError('x'))", "bad": "None", "weak": "None"})
    more = (
        "[Evidence('enclosed', Outcome.REFUTED, Strength.CERTIFIED, 'not so')]",
        ("[Evidence('sampled', Outcome.HOLDS, Strength.SUPPORTED, 'a sample')]"),
    )
    with path.open("a") as file:
        file.write("from asymp.parse import claim\n")
        file.write("CLAIMS[0] = claim('my/good', 'n = O(n^2)', to='n->oo', source='me, Section 1')\n")
        for k, code in enumerate(more, 2):
            file.write(
                f"CLAIMS[{k}] = Claim(CLAIMS[{k}].id, Source('me', 'Section 1'), Property(lambda: {code}), 'x')\n"
            )
    for extra in (
        {"LC_ALL": "C"},
        {"PYTHONIOENCODING": "ascii"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ):
        stage.extra = dict(extra)
        run = stage.run("check", str(path))
        marks = {line.split()[1]: line[0] for line in run.stdout.splitlines() if "Section" in line}
        if marks != {"my/good": "+", "my/open": "?", "my/bad": "x", "my/weak": "~"}:
            tally.note("unclear", f"{extra}: {marks}")
        clear(run, tally, 0)


def two_at_once(stage: Stage, tally: Tally, rng: random.Random) -> None:
    """Two runs with one record: each ends well or is refused, and the record is whole."""
    path = stage.claims(QUICK)
    words = ["check", str(path), "--json", "r.json"]
    first = stage.start(*words)
    time.sleep(rng.uniform(0, 1.5))
    second = stage.start(*words)
    codes = []
    for process in (first, second):
        out, err = process.communicate(timeout=120)
        codes.append(process.returncode)
        clear(
            subprocess.CompletedProcess(words, process.returncode, out, err), tally, 1 if process.returncode else None
        )
    if not set(codes) <= {0, 2} or 0 not in codes:
        tally.note("unclear", f"exit codes {codes}")
    if len(entries(stage.folder / "r.json")) != len(QUICK):
        tally.note("lost", "the record of two runs at once")


class _Planted:
    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[Callable[..., object], tuple[str]]:
        return os.system, (f"touch {self.marker}",)


def planted_caches(stage: Stage, tally: Tally, rng: random.Random) -> None:
    """Kernels that somebody else could have written are not loaded."""
    marker, words = stage.folder / "ran", "sample one-and-n n=10 p=0.3 mu1=1 mun=1 --size 2000".split()
    safe = stage.folder / "safe"
    safe.mkdir(mode=0o700)
    stage.extra = {"NUMBA_CACHE_DIR": str(safe)}
    stage.run(*words)
    body = pickle.dumps(_Planted(marker))
    files = [path for path in safe.rglob("*") if path.is_file()]
    if not files:
        tally.note("unclear", "no kernel was kept: nothing can be planted")

    def plant(target: Path, mode: int, file_mode: int, owner: int | None) -> None:
        for file in files:
            copy = target / file.relative_to(safe)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(body)
            copy.chmod(file_mode)
            if owner is not None:
                os.chown(copy, owner, -1)
        for folder in {target, *(path for path in target.rglob("*") if path.is_dir())}:
            folder.chmod(mode)
            if owner is not None and file_mode == 0o600:
                os.chown(folder, owner, -1)

    cases: list[tuple[str, int, int, int | None]] = [("world", 0o777, 0o600, None), ("group", 0o770, 0o600, None)]
    cases.append(("open-files", 0o700, 0o666, None))
    if os.geteuid() == 0:
        cases += [("others", 0o700, 0o600, 12345), ("others-files", 0o700, 0o644, 12345)]
    for name, mode, file_mode, owner in cases:
        plant(stage.folder / name, mode, file_mode, owner)
        stage.extra = {"NUMBA_CACHE_DIR": str(stage.folder / name)}
        run = stage.run(*words)
        if marker.exists():
            tally.note("ran", f"a file in a cache of kind {name}")
            marker.unlink()
        clear(run, tally, 0)
    stage.extra, stage.without = {}, ("HOME", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR")
    for folder in ("~/.cache/asymp", "~/.cache", ".cache/asymp"):
        plant(stage.folder / folder, 0o700, 0o600, None)
    run = stage.run(*words)
    if marker.exists():
        tally.note("ran", "a file in ./~/.cache")
    clear(run, tally, 0)


TRIALS: dict[str, Callable[[Stage, Tally, random.Random], None]] = {
    "exits in claims' tests, --jobs 2": exits_in_claims,
    "exits in claims' tests, --jobs 1": lambda *given: exits_in_claims(*given, jobs="1"),
    "exits in papers": exits_in_papers,
    "loops, hogs, --jobs 1": limits,
    "loops, hogs, --jobs 2": lambda *given: limits(*given, jobs="2"),
    "kill -9 of workers": killed_workers,
    "kill -9 of the command, --resume": killed_parent,
    "signals": signals,
    "full disk": full_disk,
    "unwritable records": unwritable,
    "closed output": closed_output,
    "no Unicode": no_unicode,
    "two runs, one record": two_at_once,
    "planted caches": planted_caches,
}
