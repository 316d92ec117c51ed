r"""Names of which nothing is said: refused, with what was probably meant.

>>> unsaid("Pi"), unsaid("a")
("nothing is said of Pi: write pi, or add 'for Pi > 0' or the like", "say for which a: add 'for a > 0' or the like")
>>> unsaid("gamma")[:56], unsaid("NaN")
('nothing is said of gamma: write EulerGamma for the const', 'NaN is no number, and nothing can be said of it')
>>> unsaid("C")
"say for which C: add 'for some real C' (there is such a number; in LaTeX \\exists C \\in \\mathbb{R}), or 'for C > 0' (for each)"
"""

from __future__ import annotations

import difflib
import re

from asymp.language.meanings import CALLED
from asymp.language.numbers import ParseError

_MEANT = {
    "oo": ("infinity", "inf", "infty", "Inf", "Infinity", "INF", "infinite", "OO", "Oo", "zoo"),
    "pi": ("Pi", "PI"),
    "E": ("e", "Exp1", "euler", "Euler"),
    "EulerGamma": ("EulerMascheroni", "Gamma", "gammaE", "gamma_E", "gamma_e", "EG"),
}
_LIKELY = {name: constant for constant, names in _MEANT.items() for name in names}
_BOTH = frozenset({"beta", "gamma", "zeta", "digamma", "sign", "rf", "ff", "sec"})
"""Names of functions that are parameters too, where no bracket follows."""
_NAN = "{} is no number, and nothing can be said of it"
_INFINITE = "{} is no number: write oo, which stands where something tends, or at the end of a range"
NO_NUMBERS = {
    **{name: _NAN.format(name) for name in ("nan", "NaN", "NAN", "Nan")},
    **{name: _INFINITE.format(name) for name in _MEANT["oo"] if name != "zoo"},
    "zoo": "complex infinity is not read",
}
"""What other languages call so."""


class Unsaid(ParseError):
    """A name of which nothing is said."""

    def __init__(self, name: str, how: str = "") -> None:
        self.name = name
        super().__init__(unsaid(name, how))


def likely(name: str) -> str:
    """The constant that a name was probably meant to be; empty where none is near.

    >>> likely("EulerGama"), likely("euler_gamma"), likely("infinity"), likely("n")
    ('EulerGamma', 'EulerGamma', 'oo', '')
    """
    if name in _LIKELY:
        return _LIKELY[name]
    plain = name.replace("_", "").lower()
    return "EulerGamma" if difflib.get_close_matches(plain, ["eulergamma"], 1, 0.8) else ""


def is_left_open(name: str) -> bool:
    """Whether it is how a number is called that some bound has, and that nobody names.

    >>> [name for name in ("C", "c", "K", "C1", "c_2", "n", "Cov", "a") if is_left_open(name)]
    ['C', 'c', 'K', 'C1', 'c_2']
    """
    return re.fullmatch(r"[CcKM]_?\d*'*", name) is not None


def unsaid(name: str, how: str = "") -> str:
    """What is wrong with a name of which nothing is said; ``how``: what to do, for who has no 'for' to add."""
    add = (how or "add 'for {} > 0' or the like").format(name)
    if name in NO_NUMBERS:
        return NO_NUMBERS[name]
    if name == "gamma":
        return (f"nothing is said of gamma: write EulerGamma for the constant, gamma(x) for the function, "
                f"or say for which gamma: {add}")  # fmt: skip
    if meant := likely(name):
        return f"nothing is said of {name}: write {meant}" + ("" if name == "e" else f", or {add}")
    if name in CALLED and name not in _BOTH:
        return f"{name} is a function: give it arguments in brackets"
    if is_left_open(name) and not how:
        some = f"'for some real {name}' (there is such a number; in LaTeX \\exists {name} \\in \\mathbb{{R}})"
        return f"say for which {name}: add {some}, or 'for {name} > 0' (for each)"
    return f"say for which {name}: {add}"
