r"""Running text in which expressions are written as they are typed, with these set as formulas.

>>> set_formulas("its leading term -EulerGamma*mu1*n**(2 - alpha) is not o(n**(2 - alpha))")
'its leading term $-\\gamma \\mu_{1} n^{2 - \\alpha}$ is not $o\\left(n^{2 - \\alpha}\\right)$'
>>> set_formulas("|value - terms| <= 54 * remainder at n = 1e8, lhs/rhs, 3 of 4 (and more)")
'|value - terms| <= 54 * remainder at n = 1e8, lhs/rhs, 3 of 4 (and more)'
"""

from __future__ import annotations

import re
from functools import lru_cache

from asymp.budget import uncounted
from asymp.language.syntax import Parser
from asymp.language.tex import tex

LONGEST = 400
"""Characters of an expression that is set, and of one that is looked at."""
_ALLOWED = re.compile(r"[-+*/^()!\w., ]+")
_OPERATORS = frozenset("+-*/")
_NAME = re.compile(r"[A-Za-z_]\w*")
_LANDAU = {"O": "O", "o": "o", "Theta": r"\Theta", "Omega": r"\Omega", "omega": r"\omega"}
_CALLED = re.compile(r"(O|o|Theta|Omega|omega)(\(.*\))")
_GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi omega "
    "Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega EulerGamma oo"
).split()
_KNOWN = re.compile(rf"[A-Za-z]_?\d*|(?:{'|'.join(_GREEK)})_?\w{{0,2}}")


def set_formulas(text: str) -> str:
    """The text, with each expression of it that can be read, and that needs more than a glance, between dollars.

    Expressions are set as they are written: nothing is evaluated.
    """
    if "$" in text:
        return text
    return "".join(_set(piece) if k % 2 else piece for k, piece in enumerate(_pieces(text)))


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
        if k % 2:  # spaces
            run += word
        elif not _ALLOWED.fullmatch(bare) or bare.count("(") != bare.count(")"):
            found, run = _closed(found, run, word), ""
        elif bare in _OPERATORS or not run.strip() or run.rstrip()[-1:] in _OPERATORS:
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
    head = run[: len(run) - len(run.lstrip(" +*/"))]
    body = run[len(head) :]
    core = body.rstrip(" +-*/,;:.")
    return [*found[:-1], found[-1] + head, core, body[len(core) :] + rest]


@uncounted
@lru_cache(maxsize=2000)
def _tex(text: str) -> str | None:
    called = _CALLED.fullmatch(text)
    try:
        inner = tex(Parser((called[2][1:-1] if called else text).replace("**", "^")).whole(), {})
    except Exception:  # of many kinds: it is no expression
        return None
    return rf"{_LANDAU[called[1]]}\left({inner}\right)" if called else inner


def _set(text: str) -> str:
    if len(text) > LONGEST or not re.search(r"[*^/(!]", text) or not re.search("[A-Za-z]", text):
        return text
    for match in _NAME.finditer(text):
        called = text[match.end() : match.end() + 1] == "("
        if not called and not _KNOWN.fullmatch(match[0]):
            return text
    found = _tex(text)
    return text if found is None else f"${found}$"
