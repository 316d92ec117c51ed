r"""Running text in which expressions are written as they are typed, with these set as formulas.

>>> set_formulas("its leading term -EulerGamma*mu1*n**(2 - alpha) is not o(n**(2 - alpha))")
'its leading term $-\\gamma \\mu_{1} n^{2 - \\alpha}$ is not $o\\left(n^{2 - \\alpha}\\right)$'
>>> set_formulas("|value - terms| <= 54 * remainder, lhs/rhs, 3 of 4 (and more)")
'|value - terms| ≤ 54 · remainder, lhs/rhs, 3 of 4 (and more)'
>>> set_formulas("as whole n -> oo, p -> 0+, along p = k^(-1/2), f/g is less at n = 1e8, 1e1000")
'as whole $n \\to \\infty$, $p \\to 0^{+}$, along $p = k^{-1/2}$, $f/g$ is less at $n = 10^{8}$, $10^{1000}$'
"""

from __future__ import annotations

import re
from functools import lru_cache

from asymp.budget import uncounted
from asymp.export.inline import inline
from asymp.language.syntax import Parser
from asymp.language.tex import tex

LONGEST = 400
"""Characters of an expression that is set, and of one that is looked at."""
LINE = 60
"""Characters of LaTeX from which on a chain may be broken before its signs."""
_ALLOWED = re.compile(r"[-+*/^()!\w., ]+")
_OPERATORS = frozenset("+-*/")
_RELATIONS = {
    "=": "=", "<": "<", ">": ">", "~": r"\sim", "->": r"\to", "<=": r"\le", ">=": r"\ge", "!=": r"\ne",
}  # fmt: skip
_SIGNS = {" -> ": " → ", " <= ": " ≤ ", " >= ": " ≥ ", " != ": " ≠ ", " * ": " · "}
"""Of what is left as text."""
_BARE = re.compile(r"\b(ln|log) ([A-Za-z]\d?|\d+)\b(?!\()")
"""A logarithm without brackets, as notes have it."""
_BETWEEN = re.compile(r" +(=|<=?|>=?|~|->|!=) +")
_NAME = re.compile(r"[A-Za-z_]\w*")
_LANDAU = {"O": "O", "o": "o", "Theta": r"\Theta", "Omega": r"\Omega", "omega": r"\omega"}
_CALLED = re.compile(r"(O|o|Theta|Omega|omega)(\(.*\))")
_GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi omega "
    "Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega EulerGamma oo"
).split()
_KNOWN = re.compile(rf"[A-Za-z]_?\d*|[A-Za-z]_[A-Za-z]|(?:{'|'.join(_GREEK)})_?\w{{0,2}}")


def set_formulas(text: str) -> str:
    """The text, with each expression of it that can be read, and that needs more than a glance, between dollars.

    Expressions are set as they are written: nothing is evaluated.
    """
    if "$" in text:
        return text
    text = _BARE.sub(r"\1(\2)", text)
    return "".join(_set(piece) if k % 2 else _signed(piece) for k, piece in enumerate(_pieces(text)))


def _signed(text: str) -> str:
    for typed, sign in _SIGNS.items():
        text = text.replace(typed, sign)
    return text


def _pieces(text: str) -> list[str]:
    """Text and possible expressions by turns: operands whose brackets balance, joined by operators that stand alone."""
    words = re.split(r"( +)", text)
    operands: list[str] = []
    k = 0
    while k < len(words):
        word = words[k]
        while word.count("(") > word.count(")") and k + 2 < len(words) and len(word) < LONGEST:
            word += words[k + 1] + words[k + 2]
            k += 2
        operands.append(word)
        k += 1
    found, run = [""], ""
    for k, word in enumerate(operands):
        bare = word.rstrip(",;:.")
        joins = bare in _OPERATORS or bare in _RELATIONS
        if k % 2:  # spaces
            run += word
        elif not (joins or _ALLOWED.fullmatch(bare)) or bare.count("(") != bare.count(")"):
            found, run = _closed(found, run, word), ""
        elif joins or not run.strip() or run.split()[-1] in _OPERATORS or run.split()[-1] in _RELATIONS:
            run += word
            if bare != word:
                found, run = _closed(found, run, ""), ""
        else:
            found, run = _closed(found, run, ""), word
            if bare != word:
                found, run = _closed(found, run, ""), ""
    return _closed(found, run, "")


def _closed(found: list[str], run: str, rest: str) -> list[str]:
    """What ended before ``rest``: spaces, operators and stops at its ends are text."""
    head = run[: len(run) - len(run.lstrip(" +*/=<>~!"))]
    head = run[: len(head) + 3] if run[len(head) :].startswith("-> ") else head
    body = run[len(head) :]
    core = body.rstrip(" ,;:.") if _SIDE.search(body.rstrip(" ,;:.")) else body.rstrip(" +-*/=<>~,;:.").removesuffix(" !")
    return [*found[:-1], found[-1] + head, core, body[len(core) :] + rest]


_SIDE = re.compile(r"-> +\S+[+-]$")
"""A limit from one side."""


@uncounted
@lru_cache(maxsize=2000)
def _tex(text: str) -> str | None:
    called = _CALLED.fullmatch(text)
    try:
        inner = inline(tex(Parser((called[2][1:-1] if called else text).replace("**", "^")).whole(), {}))
    except Exception:  # of many kinds: it is no expression
        return None
    inner = inner.replace(r"\mathrm{gamma}", r"\gamma")
    return rf"{_LANDAU[called[1]]}\left({inner}\right)" if called else inner


def _set(text: str) -> str:
    """A chain of relations, or one expression; each side by itself where the chain is not to be read."""
    sides = _BETWEEN.split(text)
    if len(sides) == 1:
        return _one(text)
    shown = [_RELATIONS[side] if k % 2 else _side(side, "->" in sides[k - 1 : k]) for k, side in enumerate(sides)]
    if all(one is not None for one in shown):
        whole = " ".join(map(str, shown))
        return f"${whole}$" if len(whole) < LINE else f"${shown[0]}$" + "".join(
            f" ${{}} {sign} {side}$" for sign, side in zip(shown[1::2], shown[2::2], strict=True)
        )
    return "".join(_signed(f" {side} ") if k % 2 else _set(side) for k, side in enumerate(sides))


def _side(text: str, limit: bool) -> str | None:
    """One side of a relation, in LaTeX; of a limit with the side from which it is reached."""
    bare = text[:-1] if limit and text[-1:] in "+-" else text
    found = _tex(bare) if bare and len(bare) <= LONGEST and _known(bare) else None
    return found if found is None or bare == text else f"{found}^{{{text[-1]}}}"


def _known(text: str) -> bool:
    """Whether the names in it are those of quantities, and not words."""
    for match in _NAME.finditer(text):
        called = text[match.end() : match.end() + 1] == "("
        known = not _INDEXED.fullmatch(match[0]) if called else _KNOWN.fullmatch(match[0]) or _NUMBER.fullmatch(match[0])
        if not known:
            return False
    return True


_INDEXED = re.compile(r"[A-Za-z]{1,2}_\w*|\w*_")
"""A letter with an index, of which no function is meant where a bracket follows."""
_NUMBER = re.compile(r"e\d+")
"""What stands behind the digits of 1e8."""
_CONSTANT = re.compile(r"-?(EulerGamma|oo)")
_POWER = re.compile(r"\d+e\d+")


def _one(text: str) -> str:
    large = _POWER.fullmatch(text)
    written = re.search(r"[*^/(!]", text) and re.search("[A-Za-z]", text)
    if len(text) > LONGEST or not (large or written or _CONSTANT.fullmatch(text)):
        return _signed(text)
    found = _tex(text) if large or _known(text) else None
    return _signed(text) if found is None else f"${found}$"
