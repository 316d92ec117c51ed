"""Text made safe for LaTeX: escaping, Unicode, long words, formulas that are too wide."""

from __future__ import annotations

import re
import unicodedata

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "-": r"-{}",  # no ligature: -- in the source stays two hyphens
}

_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon", "ϵ": "epsilon", "ζ": "zeta",
    "η": "eta", "θ": "theta", "ϑ": "vartheta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu",
    "ξ": "xi", "π": "pi", "ρ": "rho", "ϱ": "varrho", "σ": "sigma", "ς": "varsigma", "τ": "tau",
    "υ": "upsilon", "φ": "varphi", "ϕ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega", "Γ": "Gamma", "Δ": "Delta",
    "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma", "Υ": "Upsilon", "Φ": "Phi", "Ψ": "Psi",
    "Ω": "Omega",
}  # fmt: skip

_MATHS = {
    **{letter: rf"\{name}" for letter, name in _GREEK.items()},
    "≤": r"\le", "≥": r"\ge", "≠": r"\ne", "≈": r"\approx", "∼": r"\sim", "≃": r"\simeq", "≡": r"\equiv",
    "∞": r"\infty", "→": r"\to", "←": r"\leftarrow", "↔": r"\leftrightarrow", "⇒": r"\Rightarrow",
    "⇔": r"\Leftrightarrow", "↦": r"\mapsto", "↑": r"\uparrow", "↓": r"\downarrow", "±": r"\pm", "∓": r"\mp",
    "×": r"\times", "·": r"\cdot", "⋅": r"\cdot", "÷": r"\div", "−": "-", "∗": "*", "∘": r"\circ", "√": r"\surd",
    "∑": r"\sum", "∏": r"\prod", "∫": r"\int", "∂": r"\partial", "∇": r"\nabla", "∈": r"\in", "∉": r"\notin",
    "⊂": r"\subset", "⊆": r"\subseteq", "∪": r"\cup", "∩": r"\cap", "∅": r"\emptyset", "∀": r"\forall",
    "∃": r"\exists", "¬": r"\neg", "∧": r"\wedge", "∨": r"\vee", "⌊": r"\lfloor", "⌋": r"\rfloor",
    "⌈": r"\lceil", "⌉": r"\rceil", "⟨": r"\langle", "⟩": r"\rangle", "∝": r"\propto", "≪": r"\ll", "≫": r"\gg",
    "≲": r"\lesssim", "≳": r"\gtrsim", "ℕ": r"\mathbb{N}", "ℤ": r"\mathbb{Z}", "ℚ": r"\mathbb{Q}",
    "ℝ": r"\mathbb{R}", "ℂ": r"\mathbb{C}", "𝔼": r"\mathbb{E}", "ℙ": r"\mathbb{P}", "ℓ": r"\ell", "∣": r"\mid",
    "‖": r"\|", "′": "'", "″": "''", "…": r"\ldots", "⋯": r"\cdots", "✓": r"\surd", "✗": r"\times", "∎": r"\square",
}  # fmt: skip

_RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", "0123456789+-=()ni", strict=True))
_LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼᵣᵤᵥ", "0123456789+-=()aeoxhklmnpstijruv", strict=True))

_TEXT = {
    "–": "--", "—": "---", "‐": "-", "‑": "-", "‘": "`", "’": "'", "“": "``", "”": "''", "«": "``", "»": "''",
    "\u00a0": "~", "\u2009": r"\,", "\u202f": r"\,", "\u200b": "", "§": r"\S{}", "°": r"\textdegree{}",
    "©": r"\textcopyright{}", "€": "EUR", "™": "(TM)", "•": r"\textbullet{}", "¶": r"\P{}", "µ": r"\ensuremath{\mu}",
}  # fmt: skip


def escape(text: str, long_word: int = 24) -> str:
    r"""Plain text as LaTeX text, whatever it holds; long words may break.

    >>> escape("50% of n_1 & μ ≤ 2")
    '50\\% of n\\_1 \\& \\ensuremath{\\mu} \\ensuremath{\\le} 2'
    """
    words = unicodedata.normalize("NFC", text).split()
    return " ".join(_word(word, long_word) for word in words)


def _word(word: str, long_word: int) -> str:
    pieces, run = [], 0
    for character in word:
        pieces.append(_character(character))
        run = run + 1 if character.isalnum() else 0
        if len(word) > long_word and (run == 0 or run >= 12):
            pieces.append(r"\allowbreak{}")
            run = 0
    return "".join(pieces)


def _character(character: str) -> str:
    if character in _SPECIAL:
        return _SPECIAL[character]
    if character in _TEXT:
        return _TEXT[character]
    if character.isascii():
        return character if character.isprintable() else ""
    if character in _RAISED:
        return rf"\textsuperscript{{{_RAISED[character]}}}"
    if character in _LOWERED:
        return rf"\textsubscript{{{_LOWERED[character]}}}"
    if character in _MATHS:
        return rf"\ensuremath{{{_MATHS[character]}}}"
    if "\u00c0" <= character <= "\u017f":  # what the T1 encoding prints as it is
        return character
    return _fallback(character)


def _fallback(character: str) -> str:
    """An ASCII likeness, or the code point: a document that compiles, nothing left out silently."""
    plain = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    if plain.isalnum():
        return plain
    if unicodedata.category(character).startswith(("M", "C")):
        return ""
    return rf"\texttt{{U+{ord(character):04X}}}"


def maths(latex: str) -> str | None:
    r"""A formula safe to set in math mode, or None where it could stop the compiler.

    >>> maths(r"\mu ≤ \frac{1}{p}")
    '\\mu \\le  \\frac{1}{p}'
    >>> maths(r"\frac{1}{p") is None
    True
    """
    formula = latex.strip()
    for opening, closing in (("$$", "$$"), ("$", "$"), (r"\[", r"\]"), (r"\(", r"\)")):
        if formula.startswith(opening) and formula.endswith(closing) and len(formula) >= 2 * len(opening):
            formula = formula[len(opening) : -len(closing)].strip()
            break
    formula = "".join(_maths_character(character) for character in unicodedata.normalize("NFC", formula))
    return formula if formula and _balanced(formula) else None


def _maths_character(character: str) -> str:
    if character in "\n\r\t":
        return " "
    if character.isascii():
        return character if character.isprintable() else ""
    if character in _RAISED:
        return f"{{}}^{{{_RAISED[character]}}}"
    if character in _LOWERED:
        return f"{{}}_{{{_LOWERED[character]}}}"
    if character in _MATHS:
        return _MATHS[character] + " "
    return rf"\text{{{_character(character)}}}"


_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[{}$%#&]|.", re.DOTALL)
_FORBIDDEN = {
    r"\input", r"\include", r"\write", r"\openout", r"\openin", r"\read", r"\def", r"\edef", r"\gdef", r"\let",
    r"\catcode", r"\csname", r"\newcommand", r"\renewcommand", r"\usepackage", r"\immediate", r"\end", r"\begin",
    r"\label", r"\tag", r"\par", r"\nonumber", r"\special", r"\loop", r"\expandafter", r"\xdef", r"\futurelet",
}  # fmt: skip
_ENVIRONMENTS = {"cases", "matrix", "pmatrix", "bmatrix", "vmatrix", "smallmatrix", "aligned", "array", "split", "gathered"}


def _balanced(formula: str) -> bool:
    """Whether braces, ``\\left`` and environments close, and nothing in it leaves math mode."""
    depth, lefts, environments = 0, 0, []
    rest = formula
    for name in re.findall(r"\\(?:begin|end)\{([A-Za-z]+)\*?\}", formula):
        if name not in _ENVIRONMENTS:
            return False
    for which, name in re.findall(r"\\(begin|end)\{([A-Za-z]+)\}", formula):
        if which == "begin":
            environments.append(name)
        elif not environments or environments.pop() != name:
            return False
    if environments:
        return False
    inside = r"\begin" in formula
    rest = re.sub(r"\\(?:begin|end)\{[A-Za-z]+\}", "", formula)
    rest = re.sub(r"\\(?:text|mathrm|mbox|textrm)\{[^{}$]*\}", "x", rest)
    lefts_at: list[int] = []
    for token in _TOKEN.findall(rest):
        if token == "{":
            depth += 1
        elif token == "}":
            depth -= 1
            if depth < 0:
                return False
        elif token == r"\left":
            lefts += 1
            lefts_at.append(depth)
        elif token == r"\right":
            lefts -= 1
            if lefts < 0 or lefts_at.pop() != depth:
                return False
        elif token in ("$", "%", "#") or (token == "&" and not inside) or token in _FORBIDDEN or token == "\\":
            return False
    return depth == 0 and lefts == 0 and not re.search(r"(\^|_)\s*$", rest)


def broken(formula: str, width: int = 100) -> str:
    """A long formula in several lines, broken before relations, + and - that no bracket encloses."""
    if _printed_width(formula) <= width or r"\begin" in formula or r"\\" in formula:
        return formula
    chunks, start, depth, last = [], 0, 0, ""
    for match in _TOKEN.finditer(formula):
        token = match.group()
        if token in ("{", "(", "[", r"\left", r"\lfloor", r"\lceil", r"\{"):
            depth += 1
        elif token in ("}", ")", "]", r"\right", r"\rfloor", r"\rceil", r"\}"):
            # \left( opens two and \right) closes two, so pairs still match
            depth -= 1
        elif token in ("+", "-", "=", r"\sim", r"\le", r"\ge", r"\leq", r"\geq") and depth == 0 and last not in ("", "=", "(", "^", "_"):
            chunks.append(formula[start : match.start()])
            start = match.start()
        if not token.isspace():
            last = token
    chunks.append(formula[start:])
    lines: list[str] = []
    for chunk in chunks:
        if lines and _printed_width(lines[-1]) + _printed_width(chunk) <= width:
            lines[-1] += chunk
        else:
            lines.append(chunk)
    if len(lines) == 1:
        return formula
    return r"\begin{aligned} & " + r" \\ & \quad ".join(line.strip() for line in lines) + r" \end{aligned}"


def _printed_width(formula: str) -> int:
    """About how many characters wide a formula prints: a command counts as one."""
    return len(re.sub(r"\\[A-Za-z]+|\\.", "x", re.sub(r"[{}^_\s]|\\left|\\right|\\,|\\frac", "", formula)))


def rich(text: str) -> str:
    """Text in which ``$...$`` is mathematics, if every piece of it is safe; else plain text."""
    parts = text.split("$")
    if len(parts) % 2 == 1 and len(parts) > 1:
        formulas = [maths(part) for part in parts[1::2]]
        if all(formula is not None for formula in formulas):
            pieces = [_spaced(part) if index % 2 == 0 else f"${formulas[index // 2]}$" for index, part in enumerate(parts)]
            return "".join(pieces).strip()
    return escape(text)


def _spaced(part: str) -> str:
    """Escaped text that keeps a space at its ends."""
    body = escape(part)
    return (" " if part[:1].isspace() else "") + body + (" " if body and part[-1:].isspace() else "")
