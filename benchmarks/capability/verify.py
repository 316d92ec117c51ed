"""Every true answer verified to 60 digits: ``python -m benchmarks.capability.verify [ID or KIND ...]``."""

from __future__ import annotations

import sys
import time

from benchmarks.capability.problems import PROBLEMS
from benchmarks.capability.truth import verify


def main(wanted: list[str]) -> int:
    """Prints a line a problem; 1 if one is not verified."""
    failed = 0
    for problem in PROBLEMS:
        if wanted and not any(w in (problem.id, problem.kind) for w in wanted):
            continue
        begin = time.perf_counter()
        try:
            v = verify(problem)
            line = f"{v.how:8} {v.digits:10.1f} digits, next off by {v.next_off if v.next_off is None else f'{v.next_off:.1e}'}"
            ok = v.ok
        except (ArithmeticError, ValueError, TypeError) as error:
            ok, line = False, f"{type(error).__name__}: {error}"
        failed += not ok
        seconds = time.perf_counter() - begin
        print(f"{'ok ' if ok else 'BAD'} {problem.id:16} {line}  ({seconds:.1f} s)", flush=True)
    print(f"{failed} not verified")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
