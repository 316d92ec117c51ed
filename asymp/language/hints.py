"""Names of which nothing is said: refused, with what was probably meant.

>>> unsaid("Pi"), unsaid("a")
("nothing is said of Pi: write pi, or add 'for Pi > 0' or the like", "say for which a: add 'for a > 0' or the like")
>>> unsaid("gamma")[:56]
'nothing is said of gamma: write EulerGamma for the const'
"""

from __future__ import annotations

import difflib

from asymp.language.meanings import CALLED

_MEANT = {
    "oo": ("infinity", "inf", "infty", "Inf", "Infinity", "INF", "infinite", "OO", "Oo", "zoo"),
    "pi": ("Pi", "PI"),
    "E": ("e", "Exp1", "euler", "Euler"),
    "EulerGamma": ("EulerMascheroni", "Gamma", "gammaE", "gamma_E", "gamma_e", "EG"),
}
_LIKELY = {name: constant for constant, names in _MEANT.items() for name in names}
_BOTH = frozenset({"beta", "gamma", "zeta", "digamma", "sign", "rf", "ff", "sec"})
"""Names of functions that are parameters too, where no bracket follows."""


def likely(name: str) -> str:
    """The constant that a name was probably meant to be; empty where none is near.

    >>> likely("EulerGama"), likely("euler_gamma"), likely("infinity"), likely("n")
    ('EulerGamma', 'EulerGamma', 'oo', '')
    """
    if name in _LIKELY:
        return _LIKELY[name]
    plain = name.replace("_", "").lower()
    return "EulerGamma" if difflib.get_close_matches(plain, ["eulergamma"], 1, 0.8) else ""


def unsaid(name: str, how: str = "add 'for {} > 0' or the like") -> str:
    """What is wrong with a name of which nothing is said."""
    add = how.format(name)
    if name == "gamma":
        return (f"nothing is said of gamma: write EulerGamma for the constant, gamma(x) for the function, "
                f"or say for which gamma: {add}")  # fmt: skip
    if meant := likely(name):
        return f"nothing is said of {name}: write {meant}" + ("" if name == "e" else f", or {add}")
    if name in CALLED and name not in _BOTH:
        return f"{name} is a function: give it arguments in brackets"
    return f"say for which {name}: {add}"
