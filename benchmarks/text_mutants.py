"""Changes one word of a paper's file at a time, and looks whether anything notices.

Of each chosen claim its statement, its regime, its domain, its points and its quote are changed, one at a time:

    python -m benchmarks.text_mutants lfms --claims 40 --text ../shared/papers/lfms.txt

A change is *noticed* where the verdict becomes another, *refused* where the file's reader or the judge finds no meaning in it,
and *upheld* where the verdict is the same: what is upheld is printed, to be read: it has to be true.
"""

from __future__ import annotations

import argparse
import random
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from asymp import registry
from asymp.check import check
from asymp.claim import Claim, Outcome, Unread
from asymp.language.bodies import Body, Comparison
from asymp.language.conditions import Compared
from asymp.language.numbers import ParseError
from asymp.language.statement import read_statement
from asymp.language.syntax import Node
from asymp.paper import read_claims

TURNED = {"<=": ">=", "<": ">", ">=": "<=", ">": "<"}


def doubled(node: Node) -> Node:
    """Twice a term."""
    return Node("product", 1, "", (Node("number", 1, "2"), node), "**")


def mutants(body: Body, rng: random.Random) -> Iterator[tuple[str, Body]]:
    """The body with its last term doubled, with one number or one sign changed, turned round."""
    terms = list(body.terms())
    last = terms[-1]
    yield "twice the last term", body.changed(lambda node: doubled(node) if node is last else node)
    places = [part for term in terms for part in _walk(term)]
    numbers = [part for part in places if part.kind == "number"]
    if numbers:
        chosen = rng.choice(numbers)
        more = replace(chosen, text=str(int(float(chosen.text)) + 1))
        yield "another number", body.changed(lambda node: _put(node, chosen, more))
    sums = [part for part in places if part.kind == "sum"]
    if sums:
        chosen_sum = rng.choice(sums)
        turned = chosen_sum.signs[:-1] + ("-" if chosen_sum.signs[-1] == "+" else "+")
        yield "another sign", body.changed(lambda node: _put(node, chosen_sum, replace(chosen_sum, signs=turned)))
    if isinstance(body, Comparison) and body.chain.signs[0] in TURNED:
        signs = tuple(TURNED.get(sign, sign) for sign in body.chain.signs)
        yield "turned round", Comparison(Compared(body.chain.parts, signs))


def _walk(node: Node) -> Iterator[Node]:
    yield node
    for part in node.parts:
        yield from _walk(part)


def _put(node: Node, old: Node, new: Node) -> Node:
    if node is old:
        return new
    return replace(node, parts=tuple(_put(part, old, new) for part in node.parts)) if node.parts else node


def verdict_of(claim: Claim) -> str:
    """The outcome, or that it was refused."""
    if isinstance(claim.relation, Unread):
        return "refused"
    found = check(claim, quick=True)
    return "refused" if found.outcome is Outcome.UNDECIDED and found.reason.startswith("no meaning") else str(found.outcome)


def changed_files(data: dict[str, Any], slug: str, rng: random.Random) -> Iterator[tuple[str, dict[str, Any]]]:
    """(what was changed, the claim's entry with that change)."""
    entry = data["claim"][slug]
    if "says" in entry:
        statement = read_statement(entry["says"])
        for what, body in mutants(statement.body, rng):
            yield f"says: {what}: {body}", {**entry, "says": str(replace(statement, body=body))}
    regimes = [name for name in data.get("regimes", {}) if name != entry.get("to")]
    if "to" in entry and regimes:
        other = rng.choice(regimes)
        yield f"to: {other}", {**entry, "to": other}
    if "for" in entry:
        yield "for: nothing", {key: value for key, value in entry.items() if key != "for"}
    if "at" in entry:
        yield "at: n = 0", {**entry, "at": f"{entry['at']}, n_ in {{0}}"}


def main() -> None:
    """Print what was noticed, refused and upheld."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paper")
    parser.add_argument("--claims", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--text", type=Path)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    target = registry.papers()[options.paper].target
    file = Path(registry.paper(options.paper).module.__file__ or "").parent / "claims.toml"
    source = file.read_text(encoding="utf-8")
    data = tomllib.loads(source)
    head = source[: source.index("\n[claim.")]
    whole = " ".join(options.text.read_text(encoding="utf-8").split()) if options.text else ""
    counts: Counter[str] = Counter()
    slugs = rng.sample([slug for slug, entry in data["claim"].items() if "says" in entry], options.claims)
    for slug in slugs:
        before = verdict_of(_claim(head, slug, data["claim"][slug], target))
        for what, entry in changed_files(data, slug, rng):
            try:
                after = verdict_of(_claim(head, slug, entry, target))
            except ParseError:
                after = "refused"
            kind = "refused" if after == "refused" else "noticed" if after != before else "upheld"
            counts[f"{what.split(':')[0]} {kind}"] += 1
            if kind == "upheld":
                print(f"upheld ({after}): {slug}: {what}", flush=True)
        quote = str(data["claim"][slug].get("quote", ""))
        if quote and whole:
            changed = quote[: len(quote) // 2] + "#" + quote[len(quote) // 2 :]
            counts["quote noticed" if " ".join(changed.split()) not in whole else "quote upheld"] += 1
    for name, number in sorted(counts.items()):
        print(f"{number:5d}  {name}")


def _claim(head: str, slug: str, entry: dict[str, Any], target: str) -> Claim:
    lines = [f'[claim."{slug}"]']
    for key, value in entry.items():
        if not key.startswith("corrected") and key not in ("correction", "corrects", "sampled", "argued"):
            lines.append(f"{key} = {str(value).lower() if isinstance(value, bool) else _quoted(value)}")
    return read_claims(head + "\n" + "\n".join(lines) + "\n", "mutant.toml", registry.code_of(target)).claims[0]


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


if __name__ == "__main__":
    main()
