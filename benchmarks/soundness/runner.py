"""Is ``asymp ask`` wrong on anything?  ``python -m benchmarks.soundness [--quick] [--json FILE]``.

Statements are made from expansions that mpmath confirms (:mod:`facts`), true ones and mutants that are false by
construction and by numbers (:mod:`statements`); ranges of parameters, identities and bounds; bounds of parametric
integrals (:mod:`integrals`, whose enclosures have a run of their own); statements without a
meaning (:mod:`meaning`); edited records, and functions with names that have a meaning (:mod:`certificates`, which has a
run of its own over any record); and a list made by hand to deceive
(:mod:`adversarial`).  Unsound is: a false one that holds, a true one that is refuted, a decision on
one that asserts nothing.  Undecided is allowed, and counted by kind with its reasons.  Exit 1 on anything unsound.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import re
import signal
import sys
import time
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from types import FrameType

from asymp.check.ask import ask
from asymp.parse import ParseError
from benchmarks.soundness import (
    adversarial,
    certificates,
    coupled,
    domains,
    finite,
    functions,
    integrals,
    isolated,
    limits,
    meaning,
    parity,
    paths,
    reading,
    statements,
)
from benchmarks.soundness.statements import Statement

LIMIT = 40
"""Seconds for one statement; beyond it, it counts as undecided."""


class _Late(BaseException):
    """Not an Exception: what catches those must not take it for an answer."""


@dataclass(frozen=True)
class Answer:
    """A statement with the answer to it."""

    statement: Statement
    outcome: str
    strength: str
    reason: str
    seconds: float

    @property
    def unsound(self) -> bool:
        """Whether the answer is wrong."""
        if self.outcome not in ("holds", "refuted"):
            return False
        return self.statement.true is None or self.statement.true != (self.outcome == "holds")


def _ring(signum: int, frame: FrameType | None) -> None:
    raise _Late


def answer(statement: Statement) -> Answer:
    """Ask, within the time limit."""
    begin = time.perf_counter()
    signal.signal(signal.SIGALRM, _ring)
    signal.alarm(LIMIT)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            verdict = ask(statement.text, to=statement.to, assume=statement.assume)
        outcome, strength, reason = str(verdict.outcome), str(verdict.strength), verdict.reason
        if outcome != "undecided":
            reason = "; ".join(line.detail for line in verdict.evidence)
    except _Late:
        outcome, strength, reason = "undecided", "none", "time limit"
    except (ParseError, ValueError) as refused:
        outcome, strength, reason = "not read", "none", str(refused)
    except Exception as error:  # a crash is no answer, and is reported
        outcome, strength, reason = "crash", "none", f"{type(error).__name__}: {error}"
    finally:
        signal.alarm(0)
    return Answer(statement, outcome, strength, " ".join(reason.split()), time.perf_counter() - begin)


def _from_fact(task: tuple[int, int]) -> statements.Made:
    index, every = task
    return statements.from_fact(statements.all_facts()[index], every)


def made(processes: int, every: int = 1) -> tuple[list[Statement], int, list[str]]:
    """All statements, or each ``every``-th of what facts give; the mutants discarded; the facts not confirmed."""
    found: list[Statement] = []
    discarded, unconfirmed = 0, []
    tasks = [(index, every) for index in range(0, len(statements.all_facts()), max(1, every // 4))]
    for part in _mapped(_from_fact, tasks, processes):
        found += part.statements
        discarded += part.discarded
        unconfirmed += part.unconfirmed
    found += [*statements.range_statements(), *finite.identities(), *finite.bounds()][:: max(1, every // 2)]
    found += list(by_hand())[:: max(1, every // 2)]
    return found, discarded, unconfirmed


def by_hand() -> Iterator[Statement]:
    """What no expansion gives: made by hand, or by a construction that knows the truth; a kind each cause of a wrong answer."""
    for part in (adversarial, coupled, domains, functions, integrals, isolated, limits, meaning, parity, paths, reading):
        yield from part.statements()


def _mapped(function, items, processes: int) -> Iterator:  # type: ignore[no-untyped-def]
    if processes == 1:
        yield from map(function, items)
        return
    with multiprocessing.get_context("spawn").Pool(processes, maxtasksperchild=400) as pool:
        yield from pool.imap(function, items, chunksize=4)


def run(asked: list[Statement], processes: int = 1) -> Iterator[Answer]:
    """The answers, in order."""
    yield from _mapped(answer, asked, processes)


_CLASSES = (
    ("time limit", r"time limit"),
    ("no method for the function", r"no method|no certified evaluation|geometric-harmonic|is not x\^t|only the dilog|polygamma"),
    ("numbers could not confirm", r"could not confirm|not confirmed|nothing could be measured|do not follow"),
    ("a coefficient may vanish", r"nonzero"),
    ("depends on a parameter or the path", r"depends on|may be large|may vanish|may not be positive|no term dominates|exceeds 1"),
    ("tells no zero from a tiny number", r"cannot decide whether"),
    ("bound or identity not proved for all", r"no theorem for all"),
    ("undefined", r"finite number|does not tend to|not positive|no known leading"),
)


def reason_class(reason: str) -> str:
    """The reason in a few words."""
    return next((name for name, pattern in _CLASSES if re.search(pattern, reason)), "other")


def report(answers: list[Answer], discarded: int, unconfirmed: list[str], seconds: float) -> str:
    """The tables."""
    lines = [f"{len(answers)} statements: {sum(a.statement.true is True for a in answers)} true, "
             f"{sum(a.statement.true is False for a in answers)} false, "
             f"{sum(a.statement.true is None for a in answers)} that assert nothing; "
             f"{discarded} mutants discarded; {seconds:.0f} s"]
    lines += [f"NOT CONFIRMED BY NUMBERS, not used: {text}" for text in unconfirmed]
    groups: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    name = {True: "true", False: "false", None: "nothing"}
    for a in answers:
        for kind in (a.statement.kind, "all"):
            groups[kind, name[a.statement.true]][a.outcome] += 1
    columns = ("holds", "refuted", "undecided", "not read", "crash")
    lines.append(f"{'kind':<14}{'asserts':<10}" + "".join(f"{c:>11}" for c in columns) + f"{'decided':>9}")
    for (kind, truth), count in sorted(groups.items()):
        share = (count["holds"] + count["refuted"]) / count.total()
        lines.append(f"{kind:<14}{truth:<10}" + "".join(f"{count[c]:>11}" for c in columns) + f"{share:>9.0%}")
    why: dict[str, Counter[str]] = defaultdict(Counter)
    for a in answers:
        if a.outcome == "undecided":
            why[reason_class(a.reason)][a.statement.kind] += 1
    lines.append("undecided, by reason:")
    for reason, count in sorted(why.items(), key=lambda item: -item[1].total()):
        lines.append(f"  {count.total():>5}  {reason}: " + ", ".join(f"{kind} {c}" for kind, c in count.most_common()))
    for a in answers:
        if a.unsound or a.outcome in ("crash", "not read"):
            mark = "UNSOUND" if a.unsound else a.outcome.upper()
            lines.append(f"{mark}: {a.statement.text} [{a.statement.to}; {', '.join(a.statement.assume)}] is "
                         f"{name[a.statement.true]} ({a.statement.why}); answered {a.outcome} {a.strength}: {a.reason[:200]}")
    unsound = sum(a.unsound for a in answers)
    lines.append(f"unsound answers: {unsound}")
    return "\n".join(lines)


def main() -> int:
    """Run, print, and say whether all is sound."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soundness", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="about one statement in fifty")
    parser.add_argument("--every", type=int, default=1, help="each K-th statement alone")
    parser.add_argument("--json", metavar="FILE", help="every answer, as JSON")
    parser.add_argument("--only", metavar="KIND", help="one kind of statement alone")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    begin = time.perf_counter()
    asked, discarded, unconfirmed = [s for s in by_hand() if s.kind == options.only], 0, []
    if not asked:
        asked, discarded, unconfirmed = made(options.processes, 24 if options.quick else options.every)
    if options.only:
        asked = [s for s in asked if s.kind == options.only]
    answers = []
    for found in run(asked, options.processes):
        answers.append(found)
        if found.unsound:
            print(f"UNSOUND: {found.statement.text} [{found.statement.to}; {found.statement.assume}] "
                  f"{found.outcome} {found.strength}", file=sys.stderr, flush=True)
        if len(answers) % 100 == 0 or len(answers) == len(asked):
            print(f"{len(answers)}/{len(asked)}", file=sys.stderr, flush=True)
    print(report(answers, discarded, unconfirmed, time.perf_counter() - begin))
    line, wrong = ("", 0) if options.only else certificates.part(100 if options.quick else 1_000)
    print(line)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump([{**vars(a.statement), "outcome": a.outcome, "strength": a.strength, "reason": a.reason,
                        "seconds": round(a.seconds, 3)} for a in answers], file, indent=1)
    unread = any(a.outcome == "not read" and a.statement.true is not None for a in answers)  # a statement that nobody asked
    return 1 if any(a.unsound for a in answers) or unread or unconfirmed or wrong else 0

