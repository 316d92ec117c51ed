r"""The formulas in the words of a paper: what stands between dollars, or the pieces of a quote that are formulas.

>>> [(one.text, one.related) for one in formulas(r"for $n \ge 1$ the mean $\mu$ is finite")]
[('n \\ge 1', True), ('\\mu', False)]
>>> [one.text for one in formulas(r"\mu \sim \frac{1}{p} ... \mu = O(n)")]
['\\mu \\sim \\frac{1}{p}', '\\mu = O(n)']
>>> formulas("Hence 1 - x = y in words")[0].apart
False
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from asymp.latex.signs import MATHEMATICA

RELATION = re.compile(
    r"[=<>≤≥≈∼~→∈⇒]|\\(le|ge|leq|geq|sim|approx|to|in|ll|gg|equiv|rightarrow|implies|iff|lt|gt|neq|xrightarrow|propto)(?![a-z])"
)
_WORD = re.compile(rf"(?<![\\{{A-Za-z])(?!(?:{'|'.join(MATHEMATICA)})\[)[A-Za-z]{{4,}}")
_PROSE = re.compile(r"\\(text|textrm|mbox|operatorname|mathrm|begin|end)\s*\{[^{}]*\}")
_BRACED = re.compile(r"\{[^{}]*\}")
_LAID = re.compile(r"^\s*(&\s*)?(\\quad\s*)?(\\text\{\s*(where|with|and)\s*\}\s*)?|\\quad\s*\(\d+\)\s*$")
"""What begins a row, or a clause of a sentence; the number of an equation at its end."""
_MACRO = re.compile(r"\\[A-Za-z]+")


@dataclass(frozen=True)
class Formula:
    """One formula of a quote.

    Args:
        text: as it stands there.
        related: whether it has a relation: one without is a term or a letter.
        apart: whether the quote sets it apart from its words; in one that does not, where it begins is not said.
    """

    text: str
    related: bool
    apart: bool = True


def formulas(quote: str) -> tuple[Formula, ...]:
    """The formulas of a quote, each once, in order."""
    found: dict[str, Formula] = {}
    for piece in _going_on([one for part in _parts(quote) for one in (_between(part) if "$" in part else [part])]):
        text = _LAID.sub("", _closed(piece)).strip()
        worded = bool(_WORD.search(_PROSE.sub("", text)))
        related = has_relation(text)
        if text and (related or (not worded and ("\\" in text or "$" in quote))):
            found.setdefault(text, Formula(text, related, not worded))
    return tuple(found.values())


def _parts(quote: str) -> list[str]:
    """The quote between the dots that leave out words; dots within a formula are its own."""
    out = [""]
    for piece in re.split(r"(\s\.\.\.\s)", quote):
        if not piece.strip(" .") and out[-1].replace("$$", "").count("$") % 2 == 0:
            out.append("")
        else:
            out[-1] += piece
    return [one for one in out if one.strip()]


def _going_on(pieces: list[str]) -> list[str]:
    """Pieces of which those that begin with a + or, being no statement, with a - are put to the one before."""
    out: list[str] = []
    for piece in pieces:
        first = piece.strip()[:1]
        if out and (first == "+" or (first == "-" and not has_relation(piece))):
            out[-1] = re.sub(r"\\tag\{\d+\}\s*$", "", out[-1]) + piece
        else:
            out.append(piece)
    return out


def _closed(piece: str) -> str:
    """A piece without the beginning or the end of a display of which it is a part."""
    for how, other in (("begin", "end"), ("end", "begin")):
        for name in re.findall(rf"\\{how}\{{(split|aligned|align|gathered)\}}", piece):
            if f"\\{other}{{{name}}}" not in piece:
                piece = piece.replace(f"\\{how}{{{name}}}", "")
    return piece


def has_relation(text: str) -> bool:
    r"""Whether a relation stands in a text outside of braces: that of ``\sum_{k=1}`` is of the range.

    >>> has_relation(r"\sum_{k=1}^n k"), has_relation(r"\sum_{k=1}^n k = m")
    (False, True)
    """
    while (shorter := _BRACED.sub("", text)) != text:
        text = shorter
    return bool(RELATION.search(text))


def _between(quote: str) -> list[str]:
    """What stands between dollars; a display that goes on in the next one is one formula."""
    pieces = re.split(r"\$\$|\$", quote)
    first = int(not _is_formula(pieces[0]))  # a quote may begin within a display
    found: list[str] = []
    for k in range(first, len(pieces), 2):
        goes_on = k - first and not pieces[k - 1].strip() and re.match(rf"\s*({RELATION.pattern})", pieces[k])
        if goes_on:
            found[-1] = _LAID.sub("", found[-1]) + pieces[k]
        else:
            found.append(pieces[k])
    return found


def _is_formula(piece: str) -> bool:
    plain = _PROSE.sub("", piece)
    return bool((_MACRO.search(plain) or RELATION.search(plain)) and not _WORD.search(plain))
