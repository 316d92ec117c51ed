r"""Expressions in a paper's notation: as LaTeX, and as one line of plain text for a terminal.

A paper may offer ``names()``: expression -> symbol.  The definition of a quantity is then printed by
the paper's name for it, and a parameter by the paper's sign for it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import sympy as sp
from sympy.printing.latex import LatexPrinter

import asymp.symbolics as sy
from asymp.claim import Bound, Claim, Equivalent, ExpansionOf, Identity, Limit, Order, Relation, Value
from asymp.export.escape import escape
from asymp.outside import entries

Names = Mapping[sp.Expr, sp.Symbol]
_ORDERS = {"O": "O", "o": "o", "Theta": r"\Theta", "Omega": r"\Omega", "omega": r"\omega"}
_OPERATORS = {"<=": r"\le", "<": "<", ">=": r"\ge", ">": ">"}


def names_of(claim: Claim) -> Names:
    """The notation of the claim's paper; nothing for a claim of a user's file."""
    if claim.paper not in (entry.name for entry in entries("papers")):  # as of what is typed in
        return {}
    from asymp import registry

    return registry.paper(claim.paper).names()


class _Printer(LatexPrinter):
    """SymPy's LaTeX with H_n for harmonic numbers and E_1 for the exponential integral."""

    def _print_harmonic(self, expr: sp.Expr, exp: str | None = None) -> str:
        order = rf"^{{\left({self._print(expr.args[1])}\right)}}" if len(expr.args) == 2 else ""
        name = f"H_{{{self._print(expr.args[0])}}}{order}"
        if exp is None:
            return name
        return rf"\left({name}\right)^{{{exp}}}" if order else f"{name}^{{{exp}}}"

    def _print_expint(self, expr: sp.Expr, exp: str | None = None) -> str:
        power = "" if exp is None else f"^{{{exp}}}"
        return rf"E_{{{self._print(expr.args[0])}}}{power}\left({self._print(expr.args[1])}\right)"


def tex(expr: Any, names: Names | None = None) -> str:
    r"""LaTeX of an expression, with the definitions of named quantities replaced by their names.

    >>> n, m = sp.symbols("n m", positive=True)
    >>> tex(sp.harmonic(n - 1) / n), tex(2 * sp.harmonic(n), {sp.harmonic(n): m})
    ('\\frac{H_{n - 1}}{n}', '2 m')
    """
    if names and isinstance(expr, sp.Basic):
        expr = expr.xreplace({**dict(names), **_denominators(names)})
    return _print(expr)


def _denominators(names: Names) -> dict[sp.Expr, sp.Expr]:
    """Where q = r/S has a name and S is a sum: S is r/q wherever it occurs, as in q x = r x/S."""
    found = {}
    for key, name in names.items():
        for factor in sp.Mul.make_args(key):
            if factor.is_Pow and factor.exp == -1 and factor.base.is_Add and factor.base.has(sp.Sum):
                found[factor.base] = (key * factor.base / name).xreplace(
                    {k: v for k, v in names.items() if k.is_Symbol}
                )
    return found


def _print(expr: Any) -> str:
    return str(_Printer({"ln_notation": True, "symbol_names": sy.SIGNS}).doprint(expr))


def renamed(latex: str, names: Names) -> str:
    r"""LaTeX from elsewhere, with the paper's signs for its parameters.

    >>> renamed(r"\frac{2}{mun} + mun^2", {sp.Symbol("mun"): sp.Symbol("mu_n")})
    '\\frac{2}{\\mu_{n}} + \\mu_{n}^2'
    """
    for key, name in names.items():
        if key.is_Symbol:
            sign = sy.latex(name).replace("\\", "\\\\")
            latex = re.sub(rf"(?<![A-Za-z\\]){re.escape(str(key))}(?![A-Za-z])", sign, latex)
    return latex


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


def relation_latex(relation: Relation, names: Names | None = None) -> str | None:
    """A relation between expressions in LaTeX, in a paper's notation; None for one that holds a function."""
    match relation:
        case Equivalent(f, g):
            return _join(f, r"\sim", g, names)
        case ExpansionOf(f, terms, order, growth):
            left, right = _join(f, "=", terms, names), _tex(growth, names)
            return f"{left} + {_ORDERS[order]}\\left({right}\\right)" if left and right else None
        case Limit(f, value):
            return _join(f, r"\to", value, names)
        case Order(f, order, g):
            left, right = _tex(f, names), _tex(g, names)
            return f"{left} = {_ORDERS[order]}\\left({right}\\right)" if left and right else None
        case Bound(lhs, op, rhs):
            return _join(lhs, _OPERATORS[op], rhs, names)
        case Identity(lhs, rhs):
            return _join(lhs, "=", rhs, names)
        case Value(expr, printed):
            left = _tex(expr, names)
            return rf"{left} \approx \text{{{escape(printed)}}}" if left else None
    return None


def _join(left: Any, sign: str, right: Any, names: Names | None) -> str | None:
    first, second = _tex(left, names), _tex(right, names)
    return f"{first} {sign} {second}" if first and second else None


def _tex(expr: Any, names: Names | None) -> str | None:
    return tex(expr, names) if isinstance(expr, sp.Basic | int) else None


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
    pieces = _PIECE.findall(latex)
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
        elif piece == r"\mathbb":
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
    return f"^{_factor(_tidied(inside))}"


_OF = re.compile(r"\b(ln|log|exp|sin|cos|tan|atan|sinh|cosh|tanh|erf|erfc)( *\^\S+)? *$")
"""A function without brackets, of what comes next."""
_OPEN = re.compile(r"(ln|log|exp|sin|cos|tan|atan|sinh|cosh|tanh|erf|erfc) *[^\s(^]")
"""Such a value before a stroke."""
_FACTOR = re.compile(r"\d+|[^\W\d_][₀₁₂₃₄₅₆₇₈₉ₙᵢⱼₖ]*(\^\d+)?|(?:ln|log|exp)?\([^()]*\)")


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
