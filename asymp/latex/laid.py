r"""What a quote of a text without layout is as it is printed: ``laid`` sets it in LaTeX, of the very same signs.

A text taken from a PDF has lost powers, fractions and what stands above and below a sum; nothing sets its formulas apart.  How
the signs of a quote stood is then said beside it, and what is read is that.  The signs themselves are the text's: each letter,
digit, bracket and relation as often as there, no other, and in the same order where the quote is one line.  That those of
several lines stood so is seen by nobody but the reader of the paper.

>>> same_signs("EQ ≤ − log(1− λ)\ncd", r"$\mathrm{E}Q \le \frac{-\log(1 - \lambda)}{c_d}$")
''
>>> same_signs("EQ ≤ − log(1− λ)\ncd", r"$\mathrm{E}Q \ge \frac{-\log(1 - \lambda)}{c_d}$")
'the signs are others: ≤ is left out, ≥ is new'
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

from asymp.latex.signs import BINOMIALS, DISPLAYS, DOTS, FONTS, FRACTIONS, LAYOUT, SPACES, TEXTS, UNICODE

_SIGNS = {sign[1:]: character for character, sign in UNICODE.items() if sign[0] == "\\"} | {
    "le": "≤", "ge": "≥", "leq": "≤", "geq": "≥", "cdot": "", "times": "×", "to": "→", "ast": "*", "sim": "∼",
    "rightarrow": "→", "partial": "∂", "neq": "6=", "ne": "6=", "cdots": "...", "ldots": "...", "varepsilon": "ε",
    "epsilon": "ε", "varphi": "φ", "phi": "φ", "mid": "|", "vert": "|",
}  # fmt: skip
r"""Macros that are one sign; ``\neq`` is what such texts make of it."""
_ACCENTS = {
    "bar": "\u0304",
    "overline": "\u0304",
    "hat": "\u0302",
    "widehat": "\u0302",
    "tilde": "\u0303",
    "widetilde": "\u0303",
}
_GREEK = {
    unicodedata.name(chr(k)).split()[-1].lower().replace("lamda", "lambda"): chr(k)
    for k in range(0x3B1, 0x3CA)
    if k != 0x3C2
}
_EMPTY = frozenset(FRACTIONS | TEXTS | set(FONTS) | SPACES | DISPLAYS | set(LAYOUT) | {"substack"})
_ALIKE = str.maketrans({
    "−": "-", "–": "-", "µ": "μ", "∗": "*", "·": "", "⋅": "", "ϵ": "ε", "ϕ": "φ", "’": "'", "‘": "'", "′": "'", "~": "∼",
})  # fmt: skip


def same_signs(quote: str, laid: str) -> str:
    """Nothing where both are of the same signs, each as often; else how they differ, in a few words."""
    try:
        here, there = Counter(_plain(quote)), Counter(_plain(_typed(laid)))
    except ValueError as error:
        return str(error)
    lost, new = (" ".join(sorted((one - other).elements())) for one, other in ((here, there), (there, here)))
    said = [f"{lost} is left out" if lost else "", f"{new} is new" if new else ""]
    if lost or new:
        return f"the signs are others: {', '.join(filter(None, said))}"
    if "\n" not in quote.strip() and _bare(quote) != _bare(_typed(laid)):
        return "the signs stand in another order, and the quote is one line"
    return ""


def _bare(text: str) -> str:
    return "".join(one for one in _plain(text) if not unicodedata.combining(one))


def _plain(text: str) -> str:
    return re.sub(r"[\s{}]", "", unicodedata.normalize("NFD", text).translate(_ALIKE))


def _typed(laid: str) -> str:
    """The characters that LaTeX prints, in no order that matters."""

    def macro(found: re.Match[str]) -> str:
        word = found[1]
        if word in _SIGNS:
            return _SIGNS[word]
        if word in _ACCENTS:
            return _ACCENTS[word]
        if word in BINOMIALS:
            return "()"
        if word.lower() in _GREEK:
            return _GREEK[word] if word.islower() else _GREEK[word.lower()].upper()
        if word in _EMPTY or not word.isalpha():
            return ""
        if word in DOTS:
            return "..."
        if word in ("log", "ln", "min", "max", "sup", "inf", "exp", "lim"):
            return word
        raise ValueError(f"\\{word}: which sign that is in a text is not known")

    text = re.sub(r"\\(?:begin|end)\{[a-z*]+\}", "", laid)
    text = re.sub(r"\\tag\{(\d+)\}", r"(\1)", text)
    text = re.sub(r"\\([A-Za-z]+|.)", macro, text)
    return re.sub(r"[$^_&]", "", text)
