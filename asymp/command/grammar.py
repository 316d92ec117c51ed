"""``asymp grammar``: the forms of the language, every function that it has, and every key of a file of claims."""

from __future__ import annotations

from asymp.functions.table import ROWS, UNTYPED
from asymp.language import forms
from asymp.paper import keys

EVERYDAY: tuple[tuple[str, str], ...] = (
    ("P(X <= x)", "also <, >=, >, =, of an everyday law: P(poisson(a) >= n)"),
    ("E(X), Var(X)", "of a law, which may be scaled and shifted"),
    ("Phi(x), phi(x)", "the normal law's distribution function and density"),
    ("Glaisher, GoldenRatio, Catalan", "numbers"),
)
"""(a word, what it stands for)."""


def functions() -> str:
    """Every function that a statement may call, by its names, and where it is real; x, y, z, w are its arguments.

    >>> [line for line in functions().splitlines() if line.startswith("log(")]
    ['log(x, ...), ln                      x > 0']
    """
    lines = ["## Functions, and where they are real", ""]
    for row in ROWS:
        if row.name in UNTYPED:
            continue
        names = "x y z w".split()[: row.least]
        several = ", ..." * (row.most > row.least)
        call = ", ".join(
            [f"{row.name}({', '.join(names)}{several})", *(other for other in row.others if other not in UNTYPED)]
        )
        where = row.short if several and row.short is not None else row.where  # of the fewest arguments
        lines.append(f"{call:35}  {where or 'everywhere'}")
    lines += ["", "## Words of laws, and numbers", ""]
    return "\n".join([*lines, *(f"{word:35}  {words}" for word, words in EVERYDAY)]) + "\n"


def page() -> str:
    """All of it as text."""
    return "\n".join([forms.page(), functions(), keys.page()])
