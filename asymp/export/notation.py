r"""LaTeX in a paper's notation, and as one line of plain text for a terminal.

A paper may offer ``names()``: terms as text, each with the paper's sign for it.  The definition of a quantity is then printed
by its sign, as a parameter is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from asymp.claim import Claim
from asymp.language.syntax import Node, Parser, words
from asymp.language.tex import tex as term_tex
from asymp.outside import entries

Names = Mapping[str, str]
"""Terms as they are written, each with the LaTeX that stands for it."""


def names_of(claim: Claim) -> Names:
    """The notation of the claim's paper; nothing for a claim of a user's file."""
    if claim.paper not in (entry.name for entry in entries("papers")):  # as of what is typed in
        return {}
    from asymp import registry

    return registry.paper(claim.paper).names()


def renamed(latex: str, names: Names) -> str:
    r"""LaTeX from elsewhere, with the paper's signs for its parameters.

    >>> renamed(r"\frac{2}{mun} + mun^2", {"mun": r"\mu_n"})
    '\\frac{2}{\\mu_n} + \\mu_n^2'
    """
    for name, sign in names.items():
        if name.isidentifier():
            sign = sign.replace("\\", "\\\\")
            latex = re.sub(rf"\\mathrm\{{{name}\}}", sign, latex)
            latex = re.sub(rf"(?<![A-Za-z\\]){name}(?![A-Za-z])", sign, latex)
    return latex


def tex(what: Any, names: Names | None = None) -> str:
    r"""LaTeX of a term: its text, or what prints as one, with the paper's signs.

    Raises:
        ParseError: it is none.

    >>> tex("n**2*(1 - p)**n/log(n)", {"1 - p": "p_1"})
    '\\frac{n^{2} p_1^{n}}{\\ln n}'
    """
    known = names or {}

    def named(node: Node) -> Node:
        if node.kind != "name" and (text := words(node)) in known:
            return Node("name", node.column, text)
        return replace(node, parts=tuple(map(named, node.parts))) if node.parts else node

    return term_tex(named(Parser(str(what).replace("**", "^")).whole()), known)


def shortened(latex: str, longest: int) -> str:
    r"""A long sum in LaTeX, cut before a ``+`` or ``-`` that no bracket encloses.

    >>> shortened("a + (b + c) + d + e", 16)
    'a + (b + c) + \\cdots'
    """
    if len(latex) <= longest:
        return latex
    depth, last = 0, 0
    for place, character in enumerate(latex[:longest]):
        depth += (character in "{([") - (character in "})]")
        if character in "+-" and depth == 0 and place:
            last = place
    return latex[:last].rstrip() + r" + \cdots" if last else latex[:longest] + r" \cdots"


# --- plain text ------------------------------------------------------------------------------

_GREEK = dict(
    zip(
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau phi chi psi omega"
        " Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega".split(),
        "αβγδεζηθικλμνξπρστφχψωΓΔΘΛΞΠΣΦΨΩ",
        strict=True,
    )
)
_SIGNS = {
    **_GREEK,
    "infty": "∞",
    "sim": " ~ ",
    "to": " → ",
    "Rightarrow": " ⇒ ",
    "Pr": "P",
    "le": " ≤ ",
    "ge": " ≥ ",
    "leq": " ≤ ",
    "geq": " ≥ ",
    "lt": " < ",
    "gt": " > ",
    "ne": " ≠ ",
    "approx": " ≈ ",
    "cdot": "·",
    "times": "×",
    "cdots": "...",
    "ldots": "...",
    "sum": "Σ",
    "prod": "Π",
    "int": "∫",
    "in": " ∈ ",
    "exists": "∃ ",
    "forall": " ∀ ",
    "colon": ": ",
    "pm": " ± ",
    "mid": " | ",
    "qquad": "   ",
    "quad": "  ",
    ",": " ",
    ";": " ",
    " ": " ",
    "lfloor": "⌊",
    "rfloor": "⌋",
    "lceil": "⌈",
    "rceil": "⌉",
    "varepsilon": "ε",
    "{": "{",
    "}": "}",
    "%": "%",
    **dict.fromkeys(
        "left right Bigl Bigr bigl bigr Big big displaystyle limits operatorname text mathrm !".split(), ""
    ),
}
_LOW = dict(zip("0123456789nijk+-", "₀₁₂₃₄₅₆₇₈₉ₙᵢⱼₖ₊₋", strict=True))
_PIECE = re.compile(r"\\[A-Za-z]+|\\.|\s+|.", re.DOTALL)


def plain(latex: str) -> str:
    r"""One line of text for a formula, to be read and not to be read back.

    >>> plain(r"\mu \sim \frac{\mu_{1}}{p \ln{\left(1/p \right)}}, \quad n^{2 - \alpha}")
    'μ ~ μ₁/(p ln(1/p)), n^(2 - α)'
    >>> plain(r"\ln \frac{n + 1}{n} \le \ln^{2} \frac{1}{p}")
    'ln((n + 1)/n) ≤ ln^2 (1/p)'
    >>> plain(r"x > 1 \qquad (x^{2} > 1,\ x \in \mathbb{R})")
    'x > 1 (x^2 > 1, x ∈ ℝ)'
    >>> plain(r"\frac{\ln 3}{3} + \frac{\ln\left(n\right)}{n}")
    '(ln 3)/3 + ln(n)/n'
    """
    pieces = _PIECE.findall(latex.replace(r"\xrightarrow{d}", r"\Rightarrow "))
    return _tidied(_read(pieces, [0], stop=""))


def _tidied(text: str) -> str:
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r"([(\[]) +", r"\1", re.sub(r" +([)\],])", r"\1", text))
    text = re.sub(r"(\b(?:ln|log|exp|sin|cos|O|o)) +([(^])", r"\1\2", text)
    return re.sub(r"(^|[(=~→≤≥] ?)- ", r"\1-", text)


def _read(pieces: list[str], at: list[int], stop: str) -> str:
    """Text up to the closing piece; ``at`` is the place, moved on."""
    found: list[str] = []
    while at[0] < len(pieces):
        piece = pieces[at[0]]
        at[0] += 1
        if piece == stop:
            break
        if piece == "{":
            found.append(_read(pieces, at, "}"))
        elif piece in "^_":
            found.append(_script(piece, _argument(pieces, at), found))
        elif piece in (r"\frac", r"\tfrac", r"\dfrac"):
            top, bottom = _argument(pieces, at), _argument(pieces, at)
            top = f"({top})" if _OPEN.match(top) else _bracketed(_tidied(top), "+-")
            quotient = f"{top}/{_factor(_tidied(bottom))}"
            found.append(f"({quotient})" if _OF.search("".join(found)) else quotient)
        elif piece in (r"\mathbb", r"\mathbf", r"\mathit"):
            found.append({"R": "ℝ", "Z": "ℤ", "N": "ℕ"}.get(letter := _argument(pieces, at), letter))
        elif piece == r"\sqrt":
            found.append(f"√{_bracketed(_argument(pieces, at), ' +-*/·^')}")
        elif piece == r"\binom":
            found.append(f"binom({_argument(pieces, at)}, {_argument(pieces, at)})")
        elif piece.startswith("\\") and len(piece) > 1:
            name = piece[1:]
            found.append(_SIGNS.get(name, f" {name} " if name.isalpha() else ""))
            if name in ("left", "right") and at[0] < len(pieces) and pieces[at[0]] == ".":
                at[0] += 1
        else:
            found.append(piece)
    return "".join(found)


def _argument(pieces: list[str], at: list[int]) -> str:
    """The group or the one piece that follows."""
    while at[0] < len(pieces) and pieces[at[0]].isspace():
        at[0] += 1
    if at[0] >= len(pieces):
        return ""
    piece = pieces[at[0]]
    at[0] += 1
    if piece == "{":
        return _read(pieces, at, "}").strip()
    return _SIGNS.get(piece[1:], piece[1:]) if piece.startswith("\\") else piece


def _script(kind: str, inside: str, before: list[str]) -> str:
    if "".join(before).rstrip()[-1:] in ("Σ", "Π", "∫") or (before and before[-1].startswith("_{")):
        return f"{kind}{{{inside}}}"
    if kind == "_":
        low = "".join(_LOW.get(character, "") for character in inside)
        return low if low and len(low) == len(inside) else f"_{_bracketed(inside, ' +-*/·^')}"
    raised = _tidied(inside)
    return f"^({raised})" if "^" in raised and not raised.startswith("(") else f"^{_factor(raised)}"


_OF = re.compile(r"\b(ln|log|exp|sin|cos|tan|atan|sinh|cosh|tanh|erf|erfc)( *\^\S+)? *$")
"""A function without brackets, of what comes next."""
_OPEN = re.compile(r"(ln|log|exp|sin|cos|tan|atan|sinh|cosh|tanh|erf|erfc) *[^\s(^]")
"""Such a value before a stroke."""
_FACTOR = re.compile(r"\d+|[^\W\d_]+[₀₁₂₃₄₅₆₇₈₉ₙᵢⱼₖ]*(\^\d+)?|(?:ln|log|exp)?\([^()]*\)")


def _factor(text: str) -> str:
    """A denominator, in brackets unless it is a number, a symbol or a function's value."""
    return text if _FACTOR.fullmatch(text) else f"({text})"


def _bracketed(text: str, operators: str) -> str:
    """The text in brackets if one of the operators stands in it outside brackets."""
    depth = 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if depth == 0 and character in operators:
            return f"({text})"
    return text
