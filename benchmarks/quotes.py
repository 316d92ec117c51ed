"""The formulas in the quotes of the papers, read by the machine: how many are read, asked back and unreadable, by paper.

    python benchmarks/quotes.py [KEY ...] [--all]

A quote's formulas stand between dollars; a quote without dollars that has macros is one formula.  ``--all`` prints each with what
was read, or why it was not.  Formulas without a relation (a term, a letter) are counted apart.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from asymp.language.numbers import ParseError
from asymp.language.setting import SettingReader
from asymp.latex import TwoReadings, Unreadable, read_all
from asymp.latex.notation import Notation
from asymp.latex.paper import of_file
from asymp.latex.quotes import Formula, formulas
from asymp.latex.terms import term

ROOT = Path(__file__).resolve().parents[1]
PAPERS = ("ilb", "lfms", "mjsre", "parallelps", "twoclass")
def outcome(formula: Formula, known: Notation) -> tuple[str, str]:
    """``read``, ``asked back``, ``fragment`` (without its left side), ``unreadable``; of a term ``term`` or ``no term``."""
    if not formula.related:
        try:
            return "term", str(term(formula.text, known))
        except (ParseError, ValueError, RecursionError) as error:
            return "no term", str(error)
    if not formula.apart:
        return "among words", "nothing sets it apart from the words around it"
    try:
        return "read", "; ".join(map(str, read_all(formula.text, known)))
    except TwoReadings as error:
        return "asked back", str(error)
    except Unreadable as error:
        return "fragment" if error.what == "the left side is missing" else "unreadable", str(error)


def main() -> None:
    """Prints the counts by paper."""
    keys = [word for word in sys.argv[1:] if not word.startswith("-")] or list(PAPERS)
    total: Counter[str] = Counter()
    columns = ("read", "asked back", "fragment", "unreadable", "among words", "term", "no term")
    print(f"{'paper':12} {'formulas':>9} " + " ".join(f"{column:>11}" for column in columns))
    for key in keys:
        path = ROOT / "proofs" / key / "claims.toml"
        file = SettingReader(path.read_text(encoding="utf-8"), path.name, None)
        file.setting = file.read_setting()
        known = of_file(file, file.setting)
        quotes = dict.fromkeys(str(entry.get("quote", "")) for entry in file.table("claim").values())
        counts: Counter[str] = Counter()
        for formula in dict.fromkeys(one for quote in quotes for one in formulas(quote)):
            word, text = outcome(formula, known)
            counts[word] += 1
            if "--all" in sys.argv:
                print(f"{word:11} {' '.join(formula.text.split())}\n            {text}")
        total += counts
        print(f"{key:12} {sum(counts.values()):9} " + " ".join(f"{counts[column]:11}" for column in columns))
    print(f"{'all':12} {sum(total.values()):9} " + " ".join(f"{total[column]:11}" for column in columns))


if __name__ == "__main__":
    main()
