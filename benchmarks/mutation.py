"""The mutation gate: claims that have a theorem are made false, and asked of the kernel both ways, some of the judge too.

    python -m benchmarks.mutation [PAPER ...] [--every K] [--jobs N] [--limit N] [--judge K] [--save FILE]
    python -m benchmarks.mutation said:2 said:7 ... --sample N

``said:K`` are the true statements of the K-th kind of :mod:`benchmarks.papers`.  Of each claim ``--sample`` takes so many mutants
that are not known to be true, of as many operators as there are, and asks whether they are upheld, and no more.

No false mutant may be upheld, and none that is true refuted; at least 80% of the false ones are to be refuted.  How they are
made, and what is therefore known of each, says :mod:`benchmarks.mutants`.  What is *not known* and upheld is printed, to be
read.  An interruption ends a run with what is known by then; with ``--save`` a later run goes on from there.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import multiprocessing
import os
import random
import signal
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from asymp import registry
from asymp.check.ask import ask
from asymp.claim import Claim, Outcome
from asymp.kernel.terms import Refused
from asymp.language.numbers import ParseError
from asymp.language.statement import read_statement
from asymp.parse import claim as typed
from asymp.prove.claims import theorem
from benchmarks.mutants import Mutant, mutants
from benchmarks.papers.statements import statements

MOST_LOOKED_AT = 60
"""Mutants of a claim, of which a sample is taken."""


BOTH = (("upheld", True), ("refuted", False))
SAID, CRASH = "said:", "crash"


def claim_of(claim_id: str) -> Claim:
    """A registered claim; ``said:K/N``: the N-th true statement of a kind of :mod:`benchmarks.papers`."""
    if not claim_id.startswith(SAID):
        return registry.find_claim(claim_id)
    kind, _, number = claim_id.removeprefix(SAID).partition("/")
    one = [said for said in statements(kind) if said.true][int(number)]
    return typed(f"said/{kind}-{number}", one.text, to=one.to or None, source="benchmarks, papers", assume=one.assume)


def ids_of(paper: str) -> list[str]:
    """The ids of the claims of a paper, or of the true statements of a kind; those with chains, which take longest, last."""
    if paper.startswith(SAID):
        return [f"{paper}/{k}" for k, _ in enumerate(one for one in statements(paper.removeprefix(SAID)) if one.true)]
    return [claim.id for claim in sorted(registry.claims(paper), key=lambda claim: bool(claim.chains))]


def sample(claim: Claim, most: int) -> list[Mutant]:
    """So many mutants that are not known to be true: of each operator one in turn, by chance that hangs on the claim alone."""
    rows: dict[str, list[Mutant]] = {}
    for mutant in islice(mutants(claim), MOST_LOOKED_AT):
        if mutant.truth is not True:
            rows.setdefault(mutant.operator, []).append(mutant)
    chance = random.Random(claim.id)
    for row in rows.values():
        chance.shuffle(row)
    turns = [row[k] for k in range(most) for row in chance.sample(list(rows.values()), len(rows)) if k < len(row)]
    return turns[:most]


def asked(mutant: Mutant, claim: Claim, ways: Sequence[tuple[str, bool]] = BOTH) -> str:
    """upheld, refuted or undecided, by the kernel's word; it is asked both ways, whatever it says first."""
    said = []
    for word, holds in ways:
        try:
            theorem(mutant.statement, holds, claim.chains)
            said.append(word)
        except (Refused, ParseError):
            pass
        except Exception as error:  # a bug, which costs one mutant, and is told
            return f"{CRASH}: {type(error).__name__}: {error}"
    return " and ".join(said) or "undecided"


def judged(mutant: Mutant) -> str:
    """The same by the judge."""
    try:
        outcome = ask(str(mutant.statement), quick=True).outcome
    except ParseError:
        return "undecided"
    return {Outcome.HOLDS: "upheld", Outcome.REFUTED: "refuted"}.get(outcome, "undecided")


def has_theorem(claim: Claim) -> bool:
    """Whether the kernel says that a claim holds."""
    if claim.expected is not Outcome.HOLDS or not claim.closed:
        return False
    try:
        theorem(read_statement(claim.closed), True, claim.chains)
    except (Refused, ParseError):
        return False
    return True


Counts = Counter[tuple[str, str]]


def of_claim(claim_id: str, most: int = 10**9, judge: int = 0, some: int = 0) -> tuple[Counts, list[str]]:
    """The counts of one claim, by operator and outcome, and lines to be read; ``some``: of a sample, upheld or not."""
    claim = claim_of(claim_id)
    count: Counts = Counter()
    lines: list[str] = []
    if claim.corrects is not None and claim.closed:
        told(count, lines, Mutant("correction", f"of {claim.corrects}", read_statement(claim.closed), True), claim, 0)
    if not has_theorem(claim):
        count["claims", "without a theorem"] += 1
        return count, lines
    count["claims", "with a theorem"] += 1
    if some:
        for mutant in sample(claim, some):
            told(count, lines, mutant, claim, 0, BOTH[:1])
        return count, lines
    for k, mutant in enumerate(islice(mutants(claim), most)):
        told(count, lines, mutant, claim, judge and not (k % judge) and not claim.chains and len(claim.closed) < 150)
    return count, lines


def told(
    count: Counts, lines: list[str], mutant: Mutant, claim: Claim, judge: bool | int, ways: Sequence[tuple[str, bool]] = BOTH
) -> None:
    """One mutant's outcome, counted; a line where it is to be read."""
    words_ = {False: "false", True: "true", None: "not known"}[mutant.truth]
    for who, found in (("", asked(mutant, claim, ways)), *([("judge: ", judged(mutant))] if judge else [])):
        count[mutant.operator, f"{who}{words_}: {found if not found.startswith(CRASH) else 'undecided'}"] += 1
        if found.startswith(CRASH):
            lines.append(f"{found}: {claim.id}: {mutant.what}: {mutant.statement}")
        wrong = found == "upheld and refuted" or found == {False: "upheld", True: "refuted"}.get(mutant.truth, "upheld")  # type: ignore[arg-type]
        if wrong:
            mark = "TO READ" if mutant.truth is None and "and" not in found else "WRONG"
            lines.append(f"{mark}: {who}{found}, {words_}: {claim.id}: {mutant.operator}: {mutant.what}: {mutant.statement}")


QUIET = (signal.SIGINT, signal.SIG_IGN)
"""To the workers an interruption says nothing."""


Found = tuple[str, Counts, list[str]]


def _task(arguments: tuple[str, int, int, int]) -> Found:
    return (arguments[0], *of_claim(*arguments))


def code() -> str:
    """A hash of the code that is asked, and of what asks: results of other code are not counted with this one's."""
    here = Path(__file__).parent
    files = [*sorted((here.parent / "asymp").rglob("*.py")), *sorted(here.glob("mut*.py"))]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


class Saved:
    """What earlier runs found, a line of JSON for each claim; without a file, nothing is kept."""

    def __init__(self, file: str | None, setting: list[int]) -> None:
        self.path = Path(file) if file else None
        self.mark = {"code": code(), "setting": setting}
        self.before: dict[str, Found] = {}
        if self.path and self.path.exists():
            for line in self.path.read_text().splitlines():
                record = json.loads(line)
                if record["mark"] != self.mark:
                    raise SystemExit(f"{self.path} was written by other code or with other options; name a new file")
                counts = Counter({(operator, word): count for operator, word, count in record["counts"]})
                self.before[record["id"]] = (record["id"], counts, record["lines"])

    def keep(self, found: Found) -> None:
        if self.path:
            claim_id, counts, lines = found
            record = {"mark": self.mark, "id": claim_id, "counts": [[*key, x] for key, x in counts.items()], "lines": lines}
            with self.path.open("a") as file:
                file.write(json.dumps(record) + "\n")


def main() -> int:
    """Prints the lines to be read, and the counts; 1 where a false mutant was upheld, or a true one refuted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("papers", nargs="*", default=["lfms"])
    parser.add_argument("--every", type=int, default=1, help="take each k-th claim")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--limit", type=int, default=10**9, help="mutants of one claim at most")
    parser.add_argument("--judge", type=int, default=0, help="ask the whole judge of each k-th mutant of short claims")
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="N mutants of each claim, upheld or not")
    parser.add_argument("--save", metavar="FILE", help="keep what is found of each claim here, and go on from what is there")
    options = parser.parse_args()
    ids = [one for paper in options.papers for one in ids_of(paper)[:: options.every]]
    saved = Saved(options.save, [options.limit, options.judge, options.sample])
    results = [saved.before[one] for one in ids if one in saved.before]
    tasks = [(one, options.limit, options.judge, options.sample) for one in ids if one not in saved.before]
    with contextlib.suppress(KeyboardInterrupt), multiprocessing.Pool(options.jobs, signal.signal, QUIET) as pool:
        for found in pool.imap_unordered(_task, tasks):
            results.append(found)
            saved.keep(found)
            for line in found[2]:
                print(line, flush=True)
    total = sum((counts for _, counts, _ in results), Counter())
    report(total)
    print(f"{len(results)} of {len(ids)} claims; {sum(os.times()[:4]):.0f} s of processor time")
    return int(any(line.startswith("WRONG") for _, _, lines in results for line in lines))


def report(total: Counts) -> None:
    """The table, an operator a line."""
    heads = ("false: refuted", "false: undecided", "false: upheld", "true: upheld", "true: undecided", "true: refuted",
             "not known: refuted", "not known: undecided", "not known: upheld")  # fmt: skip
    print(f"{'':24}{'mutants':>8}" + "".join(f"{head.replace(': ', ' '):>21}" for head in heads))
    operators = sorted({operator for operator, _ in total} - {"claims"})
    for who in ("", "judge: "):
        for operator in (*operators, "all"):
            row = [sum(x for (o, w), x in total.items() if w == who + head and operator in (o, "all")) for head in heads]
            if sum(row):
                print(f"{who + operator:24}{sum(row):8}" + "".join(f"{x:21}" for x in row))
    for word in ("with a theorem", "without a theorem"):
        print(f"claims {word}: {total['claims', word]}")


if __name__ == "__main__":
    raise SystemExit(main())
