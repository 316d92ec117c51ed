"""``python -m asymp.test``: whether an installation works, in a few seconds.  The exit status is 0 if all of it does.

Each part of asymp is asked for something of which the answer is known: claims that are proved and refuted, a certified number,
a formula in LaTeX, a relation of SymPy, a claim of each registered paper, one that is checked in a process of its own, a
certificate that is replayed, a sample.  The whole suite of tests is in the source.

>>> [part for part, _ in PARTS]
['proved', 'refuted', 'certified', 'LaTeX', 'SymPy', 'papers', 'a process', 'replayed', 'sampled']
"""

from __future__ import annotations

import math
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from asymp import registry
from asymp.answer import check, enclose
from asymp.checked import Paper
from asymp.claim import Verdict
from asymp.command.about import about
from asymp.export.record import verdict_record
from asymp.kernel.records import GIVEN, REPLAYED, replayed
from asymp.model import sample

NOTES = """
[paper]
key = "notes"
[claim."lemma-1"]
says = "log(n) > 0 for whole n >= 1"
expected = "refuted"
"""


def _need(works: bool, why: object) -> None:
    if not works:  # an assertion would be silent under python -O
        raise ValueError(str(why))


def _is(verdict: Verdict, outcome: str, strength: str = "proved") -> str:
    found = f"{verdict.outcome}, {verdict.strength}"
    _need(found == f"{outcome}, {strength}", f"{verdict.claim.statement}: {found}; {verdict.reason}")
    return f"{verdict.claim.statement}: {found}"


def _proved() -> str:
    return _is(check("harmonic(n) ~ log(n)", to="n -> oo"), "holds")


def _refuted() -> str:
    return _is(check("harmonic(n) = log(n) + O(1/n)", to="n -> oo"), "refuted")


def _certified() -> str:
    ball = enclose("Sum(1/k^2, (k, 1, n))", n="1e1000", digits=30)
    _need(ball.value.startswith("1.6449340668482264364724151666") and float(ball.radius) < 1e-28, ball)
    return f"the sum of 1/k^2 to 10^1000 is {ball}"


def _latex() -> str:
    return _is(check(latex=r"\binom{2n}{n} \sim \frac{4^n}{\sqrt{\pi n}}", to=r"n \to \infty"), "holds")


def _sympy() -> str:
    import sympy as sp

    n = sp.Symbol("n", integer=True, positive=True)
    return _is(check(sp.Lt(sp.log(n), n)), "holds")


def _papers() -> str:
    found = {key: registry.claims_of(key, [one.ids()[0].partition("/")[2]]) for key, one in registry.papers().items()}
    _need(bool(found) and all(found.values()), f"papers: {', '.join(found) or 'none'}")
    return f"the claims of {', '.join(found)} are read"


def _process() -> str:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "notes.toml")
        file.write_text(NOTES, encoding="utf-8")
        return _is(Paper(file).check(quick=True, fresh=True)["lemma-1"], "refuted")


def _replayed() -> str:
    entry = verdict_record(check("(1 + 1/n)^n < E for n >= 1"))
    told = replayed(entry)
    _need(told.told in (REPLAYED, GIVEN), told)
    contrary = replayed(entry | {"closed": entry["closed"].replace("<", ">")})
    _need(contrary.told not in (REPLAYED, GIVEN), "a certificate proves another statement")
    return f"the kernel makes {entry['statement']} again, and not the contrary"


def _sampled() -> str:
    found = sample("one-and-n", {"n": "4", "p": "1/2", "mu1": "1", "mun": "1"}, size=20_000, seed=1)
    name, estimate = next(iter(found.estimates.items()))
    _need(math.isfinite(estimate.value) and estimate.stderr > 0, estimate)
    return f"{name} of {found.model} is {estimate} ({found.backend})"


PARTS: tuple[tuple[str, Callable[[], str]], ...] = (
    ("proved", _proved), ("refuted", _refuted), ("certified", _certified), ("LaTeX", _latex), ("SymPy", _sympy),
    ("papers", _papers), ("a process", _process), ("replayed", _replayed), ("sampled", _sampled),
)  # fmt: skip


def main(say: Callable[[str], Any] = sys.stdout.write) -> int:
    """Try each part, and say what came of it; how many did not work, at most 1."""
    say(f"{about()}\n\n")
    failed = 0
    for part, attempt in PARTS:
        begin = time.perf_counter()
        try:
            sign, said = "ok    ", attempt()
        except Exception as error:  # whatever is broken
            sign, said, failed = "FAILED", f"{type(error).__name__}: {error}", failed + 1
        say(f"{sign} {part:10} {time.perf_counter() - begin:5.1f} s  {said}\n")
    say(f"\n{len(PARTS) - failed} of {len(PARTS)} work\n")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
