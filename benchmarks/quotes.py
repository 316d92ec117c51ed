"""The formulas in the quotes of the papers, read by the machine: how many are read, asked back and unreadable, by paper.

    python benchmarks/quotes.py [KEY ...] [--all]

A formula is read under the paper's notation, with the regime and the answers of the claim that quotes it.  ``chosen`` has names
that the paper prints alike, of which each claim says which is meant; of a ``chain`` single links are read; a ``fragment`` has no
left side; what stands ``among words`` nothing sets apart.  ``--all`` prints each with what was read, or why it was not.  Formulas
without a relation (a term, a letter) are counted apart.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

from asymp.language.numbers import ParseError
from asymp.language.syntax import words
from asymp.latex.quotes import formulas
from asymp.latex.terms import term
from asymp.paper.readings import Read, ReadingFile

ROOT = Path(__file__).resolve().parents[1]
PAPERS = ("ilb", "lfms", "mjsre", "parallelps", "twoclass")
KINDS = {
    "among words": "nothing sets apart", "fragment": "left side is missing|nothing stands before",
    "law": r"\\mathbb\{[EP]\}|^E has", "derivative": r"derivative|differential|\\dot",
    "extreme": r"\\(arg|sup|inf)\b", "order": "order|remainder",
    "dots": r"dots|ends too soon|unexpected '\.'", "sets": r"range of a sum|indicator|\\neq|condition ends",
    "vectors": r"list in brackets|raised \+|index of what|\\arrow|sum is one letter", "garbled": "never (opened|closed)",
    "undefined": "say in the notation|how it is printed|is another function",
}  # fmt: skip
"""Why a formula is not read, by what the message says; any other is of another ``form``."""
COLUMNS = ("read", "chosen", "asked back", "chain", "fragment", "unreadable", "among words", "term", "no term")


def outcome(found: Read, file: ReadingFile) -> tuple[str, str]:
    """One of the columns, and what was read or why it was not."""
    if not found.formula.related:
        try:
            return "term", words(term(found.formula.text, file.printed))
        except (ParseError, ValueError, RecursionError) as error:
            return "no term", str(error)
    if found.options:
        return "read" if len(found.options) == 1 else "chosen", "; ".join(map(str, found.options[0]))
    if not found.formula.apart:
        return "among words", found.why
    if " readings, as " in found.why:
        return "asked back", found.why
    if found.why.startswith("the left side is missing"):
        return "fragment", found.why
    return "chain" if file.steps(found.formula) else "unreadable", found.why


def kind_of(why: str) -> str:
    """The cause that a refusal names: one of :data:`asymp.paper.readings.UNREAD`."""
    return next((kind for kind, said in KINDS.items() if re.search(said, why)), "form")


def main() -> None:
    """Prints the counts by paper."""
    keys = [word for word in sys.argv[1:] if not word.startswith("-")] or list(PAPERS)
    total: Counter[str] = Counter()
    why: Counter[str] = Counter()
    print(f"{'paper':12} {'formulas':>9} " + " ".join(f"{column:>11}" for column in COLUMNS))
    for key in keys:
        file = ReadingFile((ROOT / "proofs" / key / "claims.toml").read_text(encoding="utf-8"), f"{key}/claims.toml")
        best: dict[str, tuple[str, str]] = {}
        for entry in file.table("claim").values():
            read = {one.formula.text: one for one in file.quoted(entry)} if entry.get("quote") else {}
            for formula in formulas(str(entry.get("quote", ""))):
                found = outcome(read.get(formula.text, Read(formula)), file)
                known = best.get(formula.text)
                if known is None or COLUMNS.index(found[0]) < COLUMNS.index(known[0]):
                    best[formula.text] = found
        counts = Counter(word for word, _ in best.values())
        why += Counter(kind_of(text) for word, text in best.values() if word in COLUMNS[3:7])
        if "--all" in sys.argv:
            for formula_text, (word, text) in best.items():
                print(f"{word:11} {' '.join(formula_text.split())}\n            {text}")
        total += counts
        print(f"{key:12} {sum(counts.values()):9} " + " ".join(f"{counts[column]:11}" for column in COLUMNS))
    print("not read as a whole, by cause: " + ", ".join(f"{count} {kind}" for kind, count in why.most_common()))
    print(f"{'all':12} {sum(total.values()):9} " + " ".join(f"{total[column]:11}" for column in COLUMNS))


if __name__ == "__main__":
    main()
