"""Records with one character changed, and certificates with data of another kind: is anything upheld that was not proved?

``python -m benchmarks.soundness.certificates RECORD [--edits 10000] [--kinds 2000] [--processes N]``.

An *edit* changes, leaves out, adds or exchanges one character of what ``asymp verify`` reads of a claim: its closed statement,
what is shown, its outcome, what it trusts, its certificate.  A *kind* puts something else (a number for a text, a list for
a table, none, something huge) into the data of one step.  Unsound is: the claim is upheld, and what is upheld is another
statement than before or has another outcome (the truth is the record as it was, whose statements are compared as they were
read before the edit); or a rule fails otherwise than by a refusal.  Upheld with the same statement is what an edit of a hint
may lead to, and is counted, by the rule and the key that it stood in.
"""

from __future__ import annotations

import argparse
import copy
import json
import multiprocessing
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from asymp.kernel.records import BUG, GIVEN, REPLAYED, replayed
from asymp.kernel.terms import Refused, canonical
from asymp.kernel.theorem import Broken, certificate, read_closed, replay
from asymp.language.meanings import MEANT
from asymp.language.setting import closed_texts
from asymp.language.source import ClaimsError
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem

READ = ("closed", "statement", "where", "outcome", "trusts", "certificate")
CHARACTERS = "0123456789abcdefnpqxyz+-*/^()[]{}<>=,.:;\"' _~OoE"
OTHERS: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 7, 10**40, "", "x", "1", "-1/2", "1/0", "0^-1", "oo", "Sum(1, (k, 1, n))", "(" * 300,
    "9" * 5_000, [], {}, [[]], [None], [1, "x"], ["by", []], ["by", [["1", ["square", "x"]]]],
    {"x": 1}, {"x": []}, [[0, "1"]], "1 < 2",
)  # fmt: skip
"""What is put in place of data."""
KNOWN = (
    ("n*(n + 1)/2 >= n for n >= 1", True), ("log(1 + x) <= x for x > 0", True), ("2^(1/2) < 3/2", True),
    ("n^2 <= 2*n for n >= 1", False),
    ("harmonic(n) ~ log(n) as whole n -> oo", True), ("harmonic(n) ~ 2*log(n) as whole n -> oo", False),
    ("Sum(k, (k, 1, n)) = n*(n + 1)/2 for whole n >= 1", True), ("pi^2 rounds to 9.87", True),
    ("x^3 = 2 has one root x in (0, oo)", True),
    ("Sum(1/k^2, (k, 1, n)) -> pi^2/6 as whole n -> oo", True),
)  # fmt: skip
"""Statements of textbooks, and whether they hold."""
CHAIN = """[chains.c]
of = "x > 0"
states = "whole b, 0 <= b <= 1"
moves = ["0 -> 1 at x", "1 -> 0 at x"]
{name} = "jumps\""""


def edited(draw: random.Random, text: str) -> str:
    """The text with one character changed, left out, added, or exchanged with the next."""
    k, new = draw.randrange(len(text)), draw.choice(CHARACTERS)
    return draw.choice((text[:k] + new + text[k + 1 :], text[:k] + text[k + 1 :], text[:k] + new + text[k:],
                        text[:k] + text[k + 1 : k + 2] + text[k] + text[k + 2 :]))  # fmt: skip


def edits(draw: random.Random, entry: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The claim with one character of what is read of it edited, and still JSON."""
    before = {key: entry[key] for key in READ if key in entry}
    text = json.dumps(before, ensure_ascii=False)
    while True:
        try:
            found = json.loads(edited(draw, text))
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict) and found != before:
            yield {"id": entry.get("id", "?"), **found}


def places(found: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something stands in data."""
    inner: Sequence[Any] = list(found) if isinstance(found, dict) else range(len(found)) if isinstance(found, list) else ()
    return [at, *(one for key in inner for one in places(found[key], (*at, key)))]


def kinds(draw: random.Random, steps: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, Any, list[Any]]]:
    """Certificates with something else in the data of one step: its rule, what stood there, and the steps."""
    while True:
        changed = copy.deepcopy(list(steps))
        step = draw.choice(changed)
        *before, last = draw.choice([place for place in places(step["data"]) if place])
        into: Any = step["data"]
        for key in before:
            into = into[key]
        old, into[last] = into[last], draw.choice(OTHERS) if draw.random() < 0.9 else [into[last]]
        yield str(step["rule"]), old, changed


def differs(entry: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """Where an edit made a difference, in words: the field, and in a certificate the rule and the key."""
    for key in READ:
        if entry.get(key) == other.get(key):
            continue
        if key == "certificate" and isinstance(other.get(key), list):
            for one, two in zip(entry[key], other[key], strict=False):
                if one != two:
                    keys = [k for k in one["data"] if isinstance(two, dict) and one["data"].get(k) != two.get("data", {}).get(k)]
                    return f"{one['rule']}: {', '.join(keys) or 'the step'}"
        return key
    return "nothing"


def judged(entry: Mapping[str, Any], other: Mapping[str, Any]) -> tuple[str, str]:
    """What becomes of an edited claim: refused, open, same, UNSOUND or BUG, and where the edit was."""
    told = replayed(other).told
    if told == BUG:
        return "BUG", differs(entry, other)
    if told not in (REPLAYED, GIVEN):
        return ("refused" if other.get("certificate") is not None else "open"), ""
    same = canonical(read_closed(other["closed"])) == canonical(read_closed(entry["closed"]))
    return ("same" if same and other["outcome"] == entry["outcome"] else "UNSOUND"), differs(entry, other)


def of_another_kind(entry: Mapping[str, Any], changed: list[Any], rule: str) -> tuple[str, str]:
    """What becomes of a certificate with data of another kind."""
    try:
        theorem = replay(changed)
    except Refused:
        return "refused", ""
    except (Broken, Exception) as error:
        return "BUG", f"{rule}: {type(error).__name__}: {error}"
    told = canonical(theorem.statement) == canonical(read_closed(entry["closed"]))
    if told and theorem.holds is not (entry["outcome"] == "holds"):
        return "UNSOUND", rule
    return ("same" if told else "another theorem"), rule


def sampled(entries: Sequence[Mapping[str, Any]], count: int, seed: int) -> list[tuple[Mapping[str, Any], int]]:
    """As many times some claims, each of these about equally often, however long its certificate is."""
    draw = random.Random(seed)
    return [(draw.choice(entries), draw.randrange(10**9)) for _ in range(count)]


def _edit(task: tuple[Mapping[str, Any], int]) -> tuple[str, str, str]:
    entry, seed = task
    other = next(edits(random.Random(seed), entry))
    return (str(entry["id"]), *judged(entry, other))


def _kind(task: tuple[Mapping[str, Any], int]) -> tuple[str, str, str]:
    entry, seed = task
    rule, _, changed = next(kinds(random.Random(seed), entry["certificate"]))
    return (str(entry["id"]), *of_another_kind(entry, changed, rule))


def of_names(seed: int = 1) -> Iterator[tuple[str, bool]]:
    """Files of claims that declare a function with a name that has a meaning: the name, and whether the file is read."""
    draw = random.Random(seed)
    for name in draw.sample(sorted(MEANT), len(MEANT)):
        for declared in (f'[model]\n{name} = "x"', f'[names]\n"{name}(x)" = "x - 2"', f'[functions]\n"{name}(i)" = ">= 0"',
                         CHAIN.format(name=name)):  # fmt: skip
            text = f'[paper]\nkey = "mine"\n{declared}\n[claim.lemma-1]\nsays = "{name}(x) >= 0"\nfor = "x > 1"\n'
            try:
                closed_texts(text, "mine.toml")
            except ClaimsError:
                yield name, False
            else:
                yield name, True


def part(edited_: int) -> tuple[str, int]:
    """The run over a record made here, of statements whose truth is known: a line, and how many answers were wrong."""
    entries = []
    for text, true in KNOWN:
        found = theorem(read_statement(text), true)
        entries.append({"id": f"own/{len(entries)}", "closed": text, "statement": text, "where": [],
                        "outcome": "holds" if true else "refuted", "trusts": sorted(found.trusts),
                        "certificate": json.loads(json.dumps(certificate(found)))})  # fmt: skip
    tasks = sampled(entries, edited_, 1)
    told = Counter(word for work in (_edit, _kind) for _, word, _ in map(work, tasks))
    names = [name for name, is_read in of_names() if is_read]
    bad = told["UNSOUND"] + told["BUG"] + len(names)
    words = ", ".join(f"{k} {word}" for word, k in told.most_common())
    return f"records: {2 * edited_} edits, {words}; {4 * len(MEANT)} names with a meaning, {len(names)} read; wrong: {bad}", bad


def main() -> int:
    """Run, print, and say whether all is sound."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soundness.certificates", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("record", metavar="RECORD")
    parser.add_argument("--edits", type=int, default=10_000)
    parser.add_argument("--kinds", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=20_261_124)
    parser.add_argument("--most", type=int, default=20_000, help="characters of a certificate; longer ones are left out")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    claims = json.loads(Path(options.record).read_text(encoding="utf-8"))["claims"]
    proved = [entry for entry in claims if entry.get("certificate") and replayed(entry).told in (REPLAYED, GIVEN)]
    entries = [entry for entry in proved if len(json.dumps(entry["certificate"])) <= options.most]
    print(f"{len(claims)} claims, {len(proved)} of them replayed, of which {len(entries)} are edited", flush=True)
    bad = 0
    with multiprocessing.get_context("spawn").Pool(options.processes, maxtasksperchild=500) as pool:
        for what, work, count in (("edits", _edit, options.edits), ("data of another kind", _kind, options.kinds)):
            begin, found, where = time.perf_counter(), Counter[str](), Counter[str]()
            for name, told, place in pool.imap_unordered(work, sampled(entries, count, options.seed), chunksize=20):
                found[told] += 1
                if told == "same":
                    where[place] += 1
                if told in ("UNSOUND", "BUG"):
                    bad += 1
                    print(f"{told}: {name}: {place}", flush=True)
            told_ = ", ".join(f"{k} {word}" for word, k in found.most_common())
            print(f"{count} {what}: {told_}; {time.perf_counter() - begin:.0f} s")
            if where:
                shown = ", ".join(f"{place} {k}" for place, k in where.most_common())
                print(f"  upheld with the same statement, by place: {shown}")
    print(f"wrong: {bad}")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
