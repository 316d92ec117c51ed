r"""How the labelled results and the numbered equations of the papers stand in their claims, counted by the gate of readings.

    python benchmarks/printed.py FOLDER [KEY ...] [--all]

FOLDER has the papers' texts, ``KEY.txt``. A result is found where a line begins with its name, or, in a text that has lost the
numbers there (``Lemma 0.``), where it is referred to; an equation by its number at the end of a line, or its ``\tag``, or, in a
text that has more of them there, at the begin of one. A claim
is of a result if its place says so, of an equation if its place says so or its quote lies in the paragraph that has the number.
Each counts by the best of its claims, steps of proofs aside:

- ``read``: what a claim says is seen by the machine to be what its quote says, or a part of that;
- ``worded``: no formula of its quote is read, and it says that it is no narrower; or it is a test, or quotes nothing;
- ``narrowed``: each claim says less than its quote;
- ``missing``: no claim is of it;
- ``refuted``, beside one of these: a claim of it fails as printed.

``--all`` names each that is narrowed or missing.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from asymp import registry
from asymp.claim import Claim, Outcome
from asymp.export.errata import kind_of
from asymp.paper.readings import How, ReadingFile

ROOT = Path(__file__).resolve().parents[1]
PAPERS = ("ilb", "lfms", "mjsre", "parallelps", "twoclass")
RESULTS = "Theorem Lemma Proposition Corollary Conjecture".split()
COLUMNS = ("read", "worded", "narrowed", "missing", "refuted")
RANK = dict.fromkeys((How.SAME, How.PART, How.STEPS, How.SAME_AS), 0) | {How.NARROWED: 2, How.DIFFERS: 2}
LONGEST_GAP = 5  # of numbers of equations: a greater one is a year, or a number of something else


def results(text: str) -> list[str]:
    """The labelled results of a text.

    >>> results("**THEOREM 4.1.** Let ...\\nLemma 2. By Lemma 7 ...")
    ['Theorem 4.1', 'Lemma 2']
    >>> results("Lemma 0. By Lemma 4.3 and Theorem 14 in [11]")
    ['Lemma 4.3']
    """
    lost = re.search(r"^Lemma 0\.", text, re.M)
    begin, end = (r"\b", r"(?!\s?(?:in|of|from)\s?\[)") if lost else (r"^\W*", r"[.\s]*[*(.]")
    found = {}
    for match in re.finditer(rf"(?im){begin}({'|'.join(RESULTS)})[\s~]+([1-9]\d*(?:\.\d+)*)(?![.\d]*\d){end}", text):
        name = match[1].capitalize()
        found[RESULTS.index(name), *map(int, match[2].split("."))] = f"{name} {match[2]}"
    return [found[key] for key in sorted(found)]


NUMBERS = (
    r"\\tag\{(\d+)\}|(?<!\. )\((\d+)\)\s*(?:\$\$)?\s*$",
    r"^\((\d+)\)()[ \t]+\S",
)  # at the end of a line, at its begin


def equations(text: str) -> dict[int, tuple[int, int]]:
    r"""The numbered equations, as far as their numbers go on: the paragraph, from where to where in the text.

    >>> equations("a = b \\tag{1}\n\nc = d (2)$$\n\n in the year (2016)")
    {1: (0, 13), 2: (15, 26)}
    >>> equations("(1) a = b\n\n  1. (1)\n    one (2) c = d\n\n(2) c = d")
    {1: (0, 9), 2: (39, 48)}
    """
    return max((_equations(text, number) for number in NUMBERS), key=len)


def _equations(text: str, number: str) -> dict[int, tuple[int, int]]:
    found: dict[int, tuple[int, int]] = {}
    for match in re.finditer(number, text, re.M):
        begin, end = text.rfind("\n\n", 0, match.start()), text.find("\n\n", match.start())
        found.setdefault(int(match[1] or match[2]), (begin + 2 if begin >= 0 else 0, end if end >= 0 else len(text)))
    numbers = sorted(found)
    last = next((k for k, after in pairwise([*numbers, 10**9]) if after - k > LONGEST_GAP), 0)
    return {k: found[k] for k in numbers if 1 <= k <= last}


def column(claims: list[Claim], standings: dict[str, How]) -> str:
    """Where an item stands that has these claims."""
    own = [claim for claim in claims if claim.as_printed]
    if not own:
        return "missing"
    ranks = (2 if claim.narrowed else RANK.get(standings.get(claim.id.partition("/")[2], How.NONE), 1) for claim in own)
    return COLUMNS[min(ranks)]


def items(text: str, claims: tuple[Claim, ...]) -> Iterator[tuple[str, str, list[Claim]]]:
    """What is printed, with the claims that are of it."""
    said = [claim for claim in claims if kind_of({"id": claim.id, "locator": claim.source.locator}) != 2]
    for one in results(text):
        yield "results", one, [claim for claim in said if re.match(rf"{re.escape(one)}(?![.\d])", claim.source.locator)]
    spots = {claim.id: _spot(text, claim.source.quote) for claim in claims}
    for number, (begin, end) in equations(text).items():
        own = [
            claim for claim in claims
            if claim.source.locator == f"Equation ({number})" or (begin < spots[claim.id][1] and spots[claim.id][0] < end)
        ]  # fmt: skip
        yield "equations", f"Equation ({number})", own


def _spot(text: str, quote: str) -> tuple[int, int]:
    """From where to where a quote stands in a text, whatever its spaces; two zeros where it is not found."""
    found = re.search(r"\s+".join(map(re.escape, quote.split())), text) if quote.strip() else None
    return found.span() if found else (0, 0)


def main(folder: str, keys: list[str], every: bool) -> None:
    """Prints the table."""
    print(f"{'':24}" + "".join(f"{name:>10}" for name in COLUMNS))
    for key in keys or PAPERS:
        text = (Path(folder) / f"{key}.txt").read_text(encoding="utf-8")
        data = (ROOT / "proofs" / key / "claims.toml").read_text(encoding="utf-8")
        standings = {name: found.how for name, found in ReadingFile(data, key).standings().items()}
        counts: dict[str, Counter[str]] = {"results": Counter(), "equations": Counter()}
        for what, item, own in items(text, registry.claims(key)):
            where = column(own, standings)
            counts[what][where] += 1
            counts[what]["refuted"] += any(claim.expected is Outcome.REFUTED and claim.as_printed for claim in own)
            if every and where in ("narrowed", "missing"):
                print(f"  {key}, {item}: {where}")
        for what, count in counts.items():
            print(f"{key + ', ' + what:24}" + "".join(f"{count[name]:10}" for name in COLUMNS))


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--all"]
    main(words[0], words[1:], "--all" in sys.argv)
