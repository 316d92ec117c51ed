"""Text made safe for LaTeX: escaping, Unicode, long words."""

from __future__ import annotations

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

MATHS = {
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

RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", "0123456789+-=()ni", strict=True))
LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼᵣᵤᵥ", "0123456789+-=()aeoxhklmnpstijruv", strict=True))

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
        pieces.append(character_text(character))
        run = run + 1 if character.isalnum() else 0
        if len(word) > long_word and (run == 0 or run >= 12):
            pieces.append(r"\allowbreak{}")
            run = 0
    return "".join(pieces)


def character_text(character: str) -> str:
    """One character as LaTeX text."""
    if character in _SPECIAL:
        return _SPECIAL[character]
    if character in _TEXT:
        return _TEXT[character]
    if character.isascii():
        return character if character.isprintable() else ""
    if character in RAISED:
        return rf"\textsuperscript{{{RAISED[character]}}}"
    if character in LOWERED:
        return rf"\textsubscript{{{LOWERED[character]}}}"
    if character in MATHS:
        return rf"\ensuremath{{{MATHS[character]}}}"
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
