"""The same questions under several values of PYTHONHASHSEED: the same answers, and the same counted work.

    python -m benchmarks.hash_seed [--questions 300] [--seeds 10]

The questions are a list of hard ones and statements of the registered papers; each process answers all of them, and prints the
answer without its seconds, and the steps that it took (:mod:`asymp.budget`).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Sequence

ASKED = (
    ("expand", "sqrt(10^6000+7)+1/n", "n->oo"),
    ("ask", "n*(1-p)^(n-1) -> 0 as n -> oo, p -> 0+, n*p -> oo", ""),
    ("ask", "harmonic(n) ~ log(n) as n -> oo", ""),
    ("expand", "Sum(1/k,(k,1,n))*exp(-n/m)", "n->oo, m->oo"),
    ("ask", "log(1-x-y) <= 0 for x > 0, y > 0, x + y < 1", ""),
    ("ask", "n^a*exp(-n) = O(1/n) as n -> oo for a > 0", ""),
    ("expand", "(1-p)^n/(1-p^2)", "n->oo, p->0+"),
    ("ask", "sqrt(n^2 - m^2) <= n for n >= 1, m >= 0, m <= n", ""),
    ("expand", "log(gamma(n+a))", "n->oo"),
)


def questions(most: int) -> list[tuple[str, str, str]]:
    """What is asked: kind, text, limit; spread over the sources by a hash of the text, not of the process."""
    from asymp import registry

    found = list(ASKED)
    claims = registry.claims() if most > len(ASKED) else ()
    texts = {claim.closed for claim in claims if claim.closed and len(claim.closed) < 160 and not claim.chains}
    own = [t for t in texts if "_" not in t]
    found += [("ask", text, "") for text in sorted(own, key=lambda t: hashlib.sha256(t.encode()).hexdigest())]
    return found[:most]


def answered(kind: str, text: str, to: str) -> dict[str, object]:
    """The answer, without its seconds, and the work that it took."""
    from asymp import budget
    from asymp.answer import expand
    from asymp.check.ask import ask
    from asymp.export.record import answer_record

    before = budget.spent()
    try:
        found = answer_record(ask(text, quick=True)) if kind == "ask" else {"answer": str(expand(text, to=to))}
    except ValueError as error:
        found = {"refused": str(error)}
    found.pop("seconds", None)
    return {"question": text, "answer": json.dumps(found, sort_keys=True, default=str), "work": budget.spent() - before}


def run(seed: int, most: int) -> list[dict[str, object]]:
    """All answers of a process with that seed."""
    command = [sys.executable, "-m", "benchmarks.hash_seed", "--here", "--questions", str(most)]
    done = subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": str(seed)}, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def differing(runs: Sequence[Sequence[dict[str, object]]]) -> list[str]:
    """The questions whose answer or work is not the same in every run, with what is not."""
    found = []
    for answers in zip(*runs, strict=True):
        for name in ("answer", "work"):
            if len({str(one[name]) for one in answers}) > 1:
                found.append(f"{name}: {answers[0]['question']}: {sorted({str(one[name])[:200] for one in answers})}")
    return found


def main() -> int:
    """Prints what differs; 1 where something does."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--here", action="store_true", help="answer in this process, a line of JSON each")
    arguments = parser.parse_args()
    if arguments.here:
        for question in questions(arguments.questions):
            sys.stdout.write(json.dumps(answered(*question)) + "\n")
        return 0
    runs = [run(seed, arguments.questions) for seed in range(arguments.seeds)]
    found = differing(runs)
    sys.stdout.write("\n".join([*found, f"{len(runs[0])} questions, {len(runs)} seeds: {len(found)} differ"]) + "\n")
    return int(bool(found))


if __name__ == "__main__":
    raise SystemExit(main())
