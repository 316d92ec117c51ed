"""``python -m benchmarks.scale``: the cost of one run on 1, 2 and 4 workers, and on paper that of 10^12 jobs and of 10^5 claims.

A check of claims and a sample, each in processes of this machine (``--jobs``), in shards that are merged, and on a
cluster that is started for the run.  The figure that can be compared is processor time, of the command and all that it
starts, in one run of this program: other work on the machine takes time by the clock, and little of that.  ``overhead``
is that time against one process's.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from asymp.command.cluster import MOST

ROOT = Path(__file__).resolve().parents[2]
WORKERS = (1, 2, 4)

HEAD = """
[paper]
key = "scale"
[variables]
n = "whole, >= 1"
"""


class Cost(NamedTuple):
    """Seconds of processor time and by the clock, and the bytes of the parts."""

    processor: float
    clock: float
    size: int


Command = tuple[list[str], str]
"""Words of asymp, and the file that its output goes to."""


def claims(count: int) -> str:
    """A file of claims of three kinds: a limit, a sum in closed form, an inequality."""
    found = [HEAD]
    for k in range(1, count // 3 + 1):
        found.append(f'[claim."theorem-{k}"]\nsays = "harmonic({k}*n) ~ log(n)"\nto = "n -> oo"\n')
        found.append(f'[claim."lemma-{k}"]\nsays = "Sum(j + {k}, (j, 1, n)) = n*(n + 1)/2 + {k}*n"\n')
        found.append(f'[claim."proposition-{k}"]\nsays = "n <= n^2 + {k}"\n')
    return "\n".join(found)


def cost(folder: Path, commands: list[Command]) -> Cost:
    """What these commands cost, one after the other.

    Raises:
        RuntimeError: one of them fails.
    """
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "ASYMP_STORE": "off"}
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    for words, output in commands:
        with open(folder / output, "w") as out:
            command = [sys.executable, "-m", "asymp", *words]
            done = subprocess.run(
                command, cwd=folder, env=environment, stdout=out, stderr=subprocess.PIPE, text=True, check=False
            )
        if done.returncode:
            raise RuntimeError(f"{words}: exit code {done.returncode}: {done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(used, time.perf_counter() - begin, sum((folder / output).stat().st_size for _, output in commands[:-1]))


def untimed(data: object) -> object:
    """A result without its times."""
    if isinstance(data, dict):
        return {name: untimed(value) for name, value in data.items() if name != "seconds"}
    return [untimed(one) for one in data] if isinstance(data, list) else data


def ways(words: list[str], json_word: list[str], here: bool) -> dict[str, list[Command]]:
    """One process; several, where the command shares its work out ``here``; shards that are merged; a cluster for the run."""
    found: dict[str, list[Command]] = {"1 process": [([*words, *json_word, "--jobs", "1"], "whole.json")]}
    for k in WORKERS[1:] if here else ():
        found[f"{k} processes"] = [([*words, *json_word, "--jobs", str(k)], "whole.json")]
    for k in WORKERS[1:]:
        names = [f"part-{i}.json" for i in range(1, k + 1)]
        parts = [
            ([*words, *(json_word if here else []), "--jobs", "1", "--shard", f"{i}/{k}"], name)
            for i, name in enumerate(names, 1)
        ]
        found[f"{k} shards, merged"] = [*parts, (["merge", *names], "whole.json")]
    for k in WORKERS:
        found[f"cluster of {k}"] = [([*words, *json_word, "--cluster", "--jobs", str(k)], "whole.json")]
    return found


def table(folder: Path, title: str, tried: dict[str, list[Command]]) -> dict[str, Cost]:
    """Run in each way, and print what it costs; all are to give one result."""
    print(f"\n{title}: asymp {' '.join(tried['1 process'][0][0])}")
    print(f"{'':20} processor s  overhead  clock s  the same result", flush=True)
    found: dict[str, Cost] = {}
    wanted: object = None
    for name, commands in tried.items():
        one = found[name] = cost(folder, commands)
        result = untimed(json.loads((folder / "whole.json").read_text()))
        wanted = wanted or result
        told = f"{one.processor:11.1f}  {one.processor / found['1 process'].processor:8.2f}  {one.clock:7.1f}"
        print(f"{name:20} {told}  {'yes' if result == wanted else 'NO'}", flush=True)
    return found


def on_paper(
    folder: Path, count: int, checked: dict[str, Cost], size: int, drawn: dict[str, Cost], start: tuple[float, float]
) -> None:
    """What 10^5 claims and 10^12 jobs would take, by the costs of this run."""
    claim = (checked["1 process"].processor - start[0]) / count
    record = (folder / "claims.json").stat().st_size / count
    worker = (checked["cluster of 4"].processor - checked["cluster of 1"].processor) / 3
    job = (drawn["1 process"].processor - start[1]) / size
    block = drawn["2 shards, merged"].size / size
    minutes = [1e5 * seconds / 60 for seconds in (0.001, 0.01)]
    print(f"""
On paper, with what this run has measured: to start and read {start[0]:.1f} s, a claim {claim:.3f} s, its entry
{record:.0f} bytes; one more worker of a cluster {worker:.1f} s, once; to start a sample {start[1]:.1f} s, a job
{1e9 * job:.1f} ns, of the record of its block {block:.4f} bytes.

10^5 claims: {1e5 * claim / 3600:.1f} core hours, on 100 workers {1e5 * claim / 100:.0f} s; {1e5 / MOST:.0f} batches or more, of
  which Dask's scheduler takes some hundred a second.  What breaks first is the one process that keeps the record: it
  forces each verdict to the disk before it shows it (one to ten ms: {minutes[0]:.0f} to {minutes[1]:.0f} minutes in all), and
  writes a record of {1e5 * record / 1e6:.0f} MB, which it holds some times over.  Shards part both: each of 100 has 1,000
  claims, and the merge alone has all of them.
10^12 jobs: {1e12 * job / 3600:.0f} core hours, on 100 workers {1e12 * job / 3.6e5:.1f} hours.  What breaks first is the
  merge: the parts keep what each block of jobs would add, {1e12 * block / 1e9:.1f} GB of text, and the process that adds it
  in order holds all of it at once, some times over.  Up to 10^11 jobs that is {1e11 * block / 1e9:.1f} GB, and goes.  Beyond,
  blocks have to be added as they come, in order, or be longer.""")


def main() -> int:
    """Prints the tables, and what they mean for the largest runs."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    parser.add_argument("--claims", type=int, default=60)
    parser.add_argument("--size", type=float, default=2e8, help="jobs of the sample")
    arguments = parser.parse_args()
    load, version = os.getloadavg()[0], platform.python_version()
    name = next((line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")), "")
    print(f"{name.partition(': ')[2]}, {os.cpu_count()} cores, load {load:.1f} before, Python {version}")
    with tempfile.TemporaryDirectory(prefix="asymp-scale-") as place:
        folder, count, size = Path(place), arguments.claims, int(arguments.size)
        (folder / "scale.toml").write_text(claims(count))
        (folder / "none.toml").write_text(claims(3))
        check = ["check", "scale.toml", "-q"]
        sample = ["sample", "lfms", "n=1e8", "alpha=2", "mu1=1", "mun=1", "--device", "cpu", "-q", "--size"]
        none = cost(folder, [(["check", "none.toml", "--json", "-", "--jobs", "1"], "none.json")]).processor
        few = cost(folder, [([*sample, "100000", "--json"], "none.json")]).processor
        checked = table(folder, f"{count} claims", ways(check, ["--json", "-"], True))
        (folder / "whole.json").rename(folder / "claims.json")
        drawn = table(folder, f"{size:.0e} jobs", ways([*sample, str(size)], ["--json"], False))
        on_paper(folder, count, checked, size, drawn, (none, few))
    return 0


if __name__ == "__main__":
    sys.exit(main())
