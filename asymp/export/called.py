r"""What a claim is called where it is shown, and whether its quote is what is shown of it already.

>>> called("a/eq:wait-corrected", "a.tex:7"), called("a/b", "Lemma 3")
('Equation (wait), corrected', 'Lemma 3')
>>> alike(r"(1-p)^n \sim e^{-np},", r"\left(1 - p\right)^{n} \sim e^{-n p} \qquad (n \to \infty)"), alike("2n", "2^n")
(True, False)
"""

from __future__ import annotations

import re

from asymp.export.prose import set_formulas

_LINE = re.compile(r".+\.tex:\d+")
_KINDS = {
    "thm": "Theorem", "theorem": "Theorem", "lem": "Lemma", "lemma": "Lemma", "prop": "Proposition", "cor": "Corollary",
    "eq": "Equation", "eqn": "Equation", "def": "Definition", "rem": "Remark", "ex": "Example", "sec": "Section",
    "fig": "Figure", "tab": "Table", "alg": "Algorithm", "conj": "Conjecture", "clm": "Claim", "claim": "Claim",
}  # fmt: skip
"""What authors write before the colon of a label."""
_TOKEN = re.compile(r"\\[A-Za-z]+|\\?\S")
_UNSEEN = frozenset(r"\left \right \, \! \; \displaystyle".split())
"""What may tell two formulas apart that look alike."""


def called(one: str, locator: str) -> str:
    """The place of a claim in its paper; where that is a line of a .tex file, the author's own name of it."""
    if not _LINE.fullmatch(locator):
        return locator
    name, corrected, _ = (one.partition("/")[2] or one).partition("-corrected")
    kind, _, own = name.partition(":")
    said = f"{_KINDS[kind]} ({own.replace('-', ' ').replace('_', ' ')})" if own and kind in _KINDS else name
    return said + (", corrected" if corrected else "")


def alike(quote: str, latex: str) -> bool:
    """Whether a quote is the formula of a statement, as it is set."""
    typed = re.fullmatch(r"\$([^$]+)\$\.?", set_formulas(quote))
    printed = _tokens(typed[1] if typed else quote)
    return bool(printed) and printed == _tokens(latex.partition(r" \qquad (")[0])


def _tokens(latex: str) -> list[str]:
    """What is seen of a formula: no braces about one sign, no stop at its end."""
    found: list[str] = []
    for token in _TOKEN.findall(latex.strip().rstrip(".,; ")):
        if token == "}" and found[-2:-1] == ["{"]:
            found[-2:] = found[-1:]
        elif token not in _UNSEEN:
            found.append(token)
    return found
