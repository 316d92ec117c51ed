"""The names that have a meaning before anything is declared: one set, asked by whoever reads a declaration and by the kernel.

A file of claims, checked or verified, may call a variable ``gamma``, which is no call; a function (of the model, of a chain, for
all functions, or a name with arguments) may have no name of this set, else a theorem of the function that has the name by
itself would be taken for one of the file's.

>>> free_to_declare("gamma")
>>> free_to_declare("gamma", is_called=True)
Traceback (most recent call last):
...
asymp.language.numbers.ParseError: gamma has a meaning already: give the definition another name
"""

from __future__ import annotations

import re

from asymp.functions.table import ROWS, UNTYPED
from asymp.language.numbers import ParseError
from asymp.language.syntax import BINDERS, NUMBERS
from asymp.language.words import CONSTANTS as CONSTANTS
from asymp.language.words import HEADS as HEADS
from asymp.language.words import WORDS

_ANY = {"Min", "Max", "LambertW", "zeta"}
FUNCTIONS: dict[str, int | None] = {row.name: None if row.name in _ANY else row.least for row in ROWS} | {"AtMost": None}
"""Functions, and the number of arguments with which rules know them: with another one they are other functions."""
ALIASES = {other: row.name for row in ROWS for other in row.others}
"""Other names of functions."""
CALLED = frozenset({*FUNCTIONS, *ALIASES, *BINDERS}) - UNTYPED
"""What a statement may call besides what is declared."""
MEANT = frozenset({*FUNCTIONS, *ALIASES, *BINDERS, *CONSTANTS, *WORDS, *HEADS, *NUMBERS})
"""What no function can be called."""


def free_to_declare(name: str, is_called: bool = False) -> None:
    """That a name can be declared: as a variable or a plain name, or as a function.

    Raises:
        ParseError: it is no name, or has a meaning already.
    """
    has = "has a meaning already, and " if name in CONSTANTS | WORDS | NUMBERS.keys() else ""
    if has or not re.fullmatch(r"[A-Za-z]\w*", name, re.ASCII):
        raise ParseError(f"{name} {has}cannot be the name of anything here")
    if is_called and name in MEANT:
        raise ParseError(f"{name} has a meaning already: give the definition another name")
