r"""Quotients in the line: in running text and in exponents a fraction would be too small to be read.

>>> inline(r"-\frac{1}{12 n^{2}} + O\left(\frac{1}{n^{3}}\right)")
'-1/(12 n^{2}) + O\\left(1/n^{3}\\right)'
>>> inline(r"\ln \frac{1}{p}"), inline(r"\frac{a + b}{c} x"), inline(r"x \frac{1}{n}"), inline(r"\frac{\sum_{k} k}{n}")
('\\ln (1/p)', '((a + b)/c) x', 'x \\cdot (1/n)', '\\frac{\\sum_{k} k}{n}')
>>> low_exponents(r"2^{2 k + \frac{1}{2}} \frac{1}{2}")
'2^{2 k + 1/2} \\frac{1}{2}'
"""

from __future__ import annotations

import re

WIDEST = 60
"""Characters of the LaTeX of a quotient that is written in a line."""
_TALL = re.compile(r"\\(sum|prod|int|binom|frac|begin|overline|xrightarrow)(?![A-Za-z])")
_FRACTION = "\\frac{"
_ATOM = re.compile(
    r"(?:\d+|[A-Za-z]|\\[A-Za-z]+|\\(?:mathrm|sqrt)\{[^{}]*\})(?:_\{[^{}]*\}|_\w)?(?:\^\{[^{}]*\}|\^\w)?!?"
    r"|\\left\((?:(?!\\left|\\right).)*\\right\)"
)
_GROUP = re.compile(r"\\left\((?:(?!\\left|\\right).)*\\right\)")
_OF = re.compile(r"\\(ln|log|exp|sin|cos|tan|cot|sinh|cosh|tanh)(\^\{[^{}]*\})? *$")
"""A function of what comes next."""
_FACTOR = re.compile(r"[A-Za-z0-9})!] *$")
"""What a quotient would be taken for a part of."""
_SIGN = re.compile(r"\\(sim|le|ge|to|ne|iff|in|approx|cdot|times|qquad|quad|left) *$")
_ENDS = re.compile(r"\s*($|[-+=<>,;)\]}&]|\\(right|sim|le|ge|to|ne|iff|qquad|quad|in|approx|,|\\)(?![A-Za-z]))")
"""What may follow a quotient that has no brackets."""


def inline(latex: str) -> str:
    """The formula with ``a/b`` for each fraction that is no higher than a line."""
    place = len(latex)
    while (place := latex.rfind(_FRACTION, 0, place)) >= 0:
        top, middle = group(latex, place + len(_FRACTION) - 1)
        if not latex.startswith("{", middle):
            continue
        bottom, end = group(latex, middle)
        if len(top) + len(bottom) > WIDEST or _TALL.search(top + bottom):
            continue
        said = f"{_bracketed(top) if _summed(top) else top}/{bottom if _ATOM.fullmatch(bottom) else _bracketed(bottom)}"
        before, after = latex[:place], latex[end:]
        if _FACTOR.search(before) and not _SIGN.search(before) and not _OF.search(before):
            said = rf"\cdot {_bracketed(said)}"  # a letter before a bracket would be read as a function
        elif _OF.search(before) or not _ENDS.match(after):
            said = _bracketed(said)
        latex = before + said + after
    return latex


def low_exponents(latex: str) -> str:
    """The formula with its exponents and indices in the line."""
    place = 0
    while (place := latex.find("^{", place)) >= 0:
        inside, end = group(latex, place + 1)
        if _FRACTION in inside:
            latex = f"{latex[:place]}^{{{inline(inside)}}}{latex[end:]}"
        place += 2
    return latex


def group(latex: str, place: int) -> tuple[str, int]:
    """What stands in the braces that open at a place, and where they end; the rest where they do not."""
    depth, k = 0, place
    while k < len(latex):
        depth += {"{": 1, "}": -1}.get(latex[k], 0)
        k += 2 if latex[k] == "\\" else 1
        if depth == 0:
            return latex[place + 1 : k - 1], k
    return latex[place + 1 :], len(latex)


def _bracketed(latex: str) -> str:
    return f"({latex})"


def _summed(latex: str) -> bool:
    """Whether a sign stands between its parts, or its last one takes what follows."""
    depth = 0
    for k, character in enumerate(latex):
        depth += (character in "{([") - (character in "})]")
        if k and depth == 0 and character in "+-" and latex[:k].strip():
            return True
    return bool(re.search(r"\\(ln|log)(\^\{[^{}]*\})? ", _GROUP.sub("", latex)))
