"""``python -m benchmarks.faults``: tries all faults and prints what was lost, silent, left behind or unclear."""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.faults.stage import Stage, Tally
from benchmarks.faults.trials import TRIALS


def main() -> int:
    """1 if anything was bad."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="tries of each fault")
    parser.add_argument("--seed", type=int, default=None, help="of the random moments and orders")
    parser.add_argument("--only", default="", help="faults whose name holds this")
    arguments = parser.parse_args()
    seed = random.randrange(10**6) if arguments.seed is None else arguments.seed
    print(f"seed {seed}\n{'fault':36} tries  lost  silent  left  unclear  ran  seconds", flush=True)
    tallies = []
    for name, trial in TRIALS.items():
        if arguments.only not in name:
            continue
        tally, begin = Tally(name), time.perf_counter()
        for number in range(arguments.rounds):
            folder = Path(tempfile.mkdtemp(prefix="asymp-faults-"))
            stage = Stage(folder)
            trial(stage, tally, random.Random(f"{seed} {name} {number}"))
            if trial.__name__ != "planted_caches":
                stage.look(tally)
            tally.tries += 1
            shutil.rmtree(folder, ignore_errors=True)
        tallies.append(tally)
        counts = f"{tally.tries:5}  {tally.lost:4}  {tally.silent:6}  {tally.left:4}  {tally.unclear:7}  {tally.ran:3}"
        print(f"{name:36} {counts}  {time.perf_counter() - begin:7.1f}", flush=True)
        for note in tally.notes[:10]:
            print(f"    {note}", flush=True)
    bad = sum(tally.bad for tally in tallies)
    print(f"{sum(tally.tries for tally in tallies)} tries, {bad} bad")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
