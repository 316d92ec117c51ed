"""A letter to the authors: what fails as printed, why, the smallest correction, what rests on it, in order of importance.

Made of the entries of a record; nothing is computed here.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from asymp.export.escape import escape
from asymp.export.formula import rich
from asymp.export.latex import PREAMBLE, displayed
from asymp.export.latex import printed as printed_words
from asymp.export.prose import set_formulas
from asymp.export.table import why

Entry = Mapping[str, Any]
WIDTH = 100
KINDS = (
    "Statements of the results",
    "Displayed formulas, definitions, algorithms",
    "Steps of proofs",
    "Tables and figures",
    "Sentences",
)
"""What may fail, the most important first."""
_RESULT = re.compile(r"(?i)theorem|lemma|proposition|corollary|conjecture|claim")
_SHOWN = re.compile(r"(?i)table|figure")
_DISPLAYED = re.compile(r"(?i)equation|algorithm|definition|remark|example")


@dataclass(frozen=True)
class Erratum:
    """Statements that fail as printed, for one reason: those of one quote, or with one correction.

    Args:
        entries: the entries of the record, in the paper's order.
        corrected: what holds in their place.
        resting: claims that rest on it in the paper.
    """

    entries: tuple[Entry, ...]
    corrected: tuple[Entry, ...] = ()
    resting: tuple[Entry, ...] = ()

    @property
    def kind(self) -> int:
        """Its place in ``KINDS``."""
        return min(kind_of(entry) for entry in self.entries)

    def record(self) -> dict[str, Any]:
        """Its ids, for other programs: the claims themselves are in the record of a check."""
        return {
            "kind": KINDS[self.kind], "claims": [entry["id"] for entry in self.entries],
            "corrections": [entry["id"] for entry in self.corrected], "resting": [entry["id"] for entry in self.resting],
        }  # fmt: skip


def kind_of(entry: Entry) -> int:
    """What an entry is a claim about, as a place in ``KINDS``.

    >>> [kind_of({"id": one, "locator": at}) for one, at in (("a/lemma-1", "Lemma 1"), ("a/lemma-1-proof", "Lemma 1"))]
    [0, 2]
    """
    slug = str(entry["id"]).partition("/")[2]
    if re.search(r"(^|-)(proof|step)s?(-|$)", slug):
        return 2
    return next((kind for kind, pattern in ((0, _RESULT), (1, _DISPLAYED), (3, _SHOWN)) if pattern.match(entry["locator"])), 4)


def errata(entries: Sequence[Entry]) -> list[Erratum]:
    """What fails as printed, the most important first; of equals, what more rests on, then as the paper has it.

    >>> entry = {"id": "a/lemma-1-proof-sum", "locator": "Lemma 1", "outcome": "refuted", "as_printed": True, "quote": "1 = 2"}
    >>> lemma = {"id": "a/lemma-1", "locator": "Lemma 1", "outcome": "holds", "as_printed": True, "quote": ""}
    >>> [(found.kind, [one["id"] for one in found.resting]) for found in errata([lemma, entry])]
    [(2, ['a/lemma-1'])]
    """
    by_id = {entry["id"]: entry for entry in entries}
    groups: dict[object, list[Entry]] = {}
    for entry in entries:
        if entry["outcome"] == "refuted" and entry["as_printed"]:
            groups.setdefault(entry.get("correction") if not entry["quote"] else entry["quote"], []).append(entry)
    found = []
    for group in groups.values():
        corrections = dict.fromkeys(str(entry.get("correction") or "") for entry in group)
        resting = dict.fromkeys(one for entry in group for one in rests_on(entry, by_id))
        own = {entry["id"] for entry in group}
        found.append(
            Erratum(
                tuple(group), tuple(by_id[one] for one in corrections if one in by_id),
                tuple(by_id[one] for one in resting if one in by_id and one not in own),
            )
        )  # fmt: skip
    return sorted(found, key=lambda one: (one.kind, -len(one.resting)))


def rests_on(entry: Entry, known: Mapping[str, Any]) -> list[str]:
    """The ids of what rests on a statement in the paper: what its file says, and of a step of a proof what is proved there."""
    said = [str(one) for one in entry.get("used", ())]
    one = str(entry["id"])
    item = re.split(r"-(?:proof|step)s?(?:-|$)", one)[0]
    return [*said, *([item] if item != one and item in known and item not in said else [])]


# --- as text ---------------------------------------------------------------------------------


def text(title: str, entries: Sequence[Entry], version: str, printed: int) -> str:
    """The letter as plain text; ``printed``: how many statements of the paper were put to the check.

    >>> print(text("On 1", [], "0", 3))
    On 1: what fails as printed
    <BLANKLINE>
    Of 3 statements of the paper, none fails (asymp 0).
    <BLANKLINE>
    """
    found = errata(entries)
    lines = [f"{title}: what fails as printed", "", *textwrap.wrap(_opening(found, version, printed), WIDTH)]
    kind = -1
    for number, one in enumerate(found, 1):
        if one.kind != kind:
            kind = one.kind
            lines += ["", KINDS[kind]]
        first = one.entries[0]
        lines += ["", f"{number}. {first['locator']} ({', '.join(entry['id'] for entry in one.entries)}): {_word(first)}"]
        rows = [("printed", first["quote"]), *(("read as", entry["statement"]) for entry in one.entries)]
        rows += [("why", entry.get("note", "")) for entry in one.entries] + [("seen", why(entry)) for entry in one.entries[:1]]
        rows += [("correct", f"{entry['statement']} ({_word(entry)})") for entry in one.corrected]
        rows += [("rests on it", "; ".join(_standing(entry) for entry in one.resting))]
        for name, said in dict.fromkeys(rows):
            lines += textwrap.wrap(" ".join(said.split()), WIDTH, initial_indent=f"   {name:12}", subsequent_indent=" " * 15)
    return "\n".join(lines) + "\n"


def _opening(found: Sequence[Erratum], version: str, printed: int) -> str:
    head = f"Of {printed} statements of the paper, "
    if not found:
        return f"{head}none fails (asymp {version})."
    failing = sum(len(one.entries) for one in found)
    places = f", in {len(found)} places" if len(found) != failing else ""
    return (
        f"{head}{failing} fail{'s' if failing == 1 else ''} as printed{places} (asymp {version}). Of each: the paper's words and "
        "how they were read, why it fails, the smallest correction found to hold, and what of the paper rests on it."
    )


def _standing(entry: Entry) -> str:
    return f"{entry['locator']} ({entry['id']}), which {_word(entry).replace('refuted', 'is refuted')}"


def _word(entry: Entry) -> str:
    strength = "" if entry["strength"] == "none" else f", {entry['strength']}"
    return f"{entry['outcome']}{strength}"


# --- as LaTeX --------------------------------------------------------------------------------


def latex(title: str, entries: Sequence[Entry], version: str, printed: int) -> str:
    """The letter as a document that compiles with pdflatex."""
    found = errata(entries)
    lines = [
        PREAMBLE + r"\begin{document}",
        rf"\title{{{escape(title)}:\\ what fails as printed}}\author{{}}\date{{}}\maketitle",
        escape(_opening(found, version, printed)),
    ]
    kind = -1
    for number, one in enumerate(found, 1):
        if one.kind != kind:
            kind = one.kind
            lines += [rf"\section{{{escape(KINDS[kind])}}}"]
        lines += _item(number, one)
    return "\n".join([*lines, r"\end{document}", ""])


def _item(number: int, one: Erratum) -> list[str]:
    first = one.entries[0]
    ids = ", ".join(entry["id"] for entry in one.entries)
    lines = ["", rf"\subsection{{{number}.\quad {escape(first['locator'])} \normalfont\normalsize ({escape(ids)})}}"]
    if first["quote"]:
        lines += printed_words(first["quote"])
    for entry in one.entries:
        lines += ["", rf"\textbf{{Read as}} ({_word(entry)})", *_formula(entry)]
        if entry.get("note"):
            lines += ["", rf"\textbf{{Why.}} {rich(set_formulas(entry['note']))}"]
    if seen := why(first):
        lines += ["", rf"\textbf{{Seen.}} {rich(set_formulas(seen))}"]
    for entry in one.corrected:
        lines += ["", rf"\textbf{{Correct}} ({_word(entry)})", *_formula(entry)]
    if one.resting:
        lines += ["", rf"\textbf{{Rests on it.}} {escape('; '.join(_standing(entry) for entry in one.resting))}."]
    return lines


def _formula(entry: Entry) -> list[str]:
    return displayed(entry["latex"], skip_text=True) or ["", escape(entry["statement"])]
