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

from asymp.language.numbers import ParseError
from asymp.language.syntax import BINDERS

CONSTANTS = frozenset({"pi", "E", "EulerGamma", "oo"})
FUNCTIONS: dict[str, int | None] = dict.fromkeys(
    """Li acos acosh airyai airyaiprime airybi airybiprime asin asinh atan atanh besseli besselj besselk beta binomial catalan
    cos cosh cot coth csc csch erf erfc erfi ff LambertW lowergamma parallel_occupancy polygamma rf sec sech sign sin sinh tan
    tanh trigamma Max Min AtMost ZetaDerivative""".split()
) | dict.fromkeys(
    """log exp sqrt gamma factorial harmonic digamma loggamma floor ceiling Abs zeta Ei E1 li""".split(), 1
) | dict.fromkeys(("uppergamma", "expint", "polylog"), 2) | {"GammaDerivative": 3}  # fmt: skip
"""Functions, and the number of arguments with which rules know them: with another one they are other functions."""
ALIASES = {"ln": "log", "abs": "Abs", "ceil": "ceiling", "RisingFactorial": "rf", "FallingFactorial": "ff"}
"""Other names of functions."""
UNTYPED = frozenset({"GammaDerivative", "ZetaDerivative", "abs", "ceil"})
"""What is not written in statements: functions of derivations, and names that only an edited record has."""
WORDS = frozenset(
    "e I O o Theta Omega omega for in as is and if iff some all whole real integer function".split()
)  # fmt: skip
"""Words of the language, and letters that are read as no name."""
HEADS = frozenset({"number", "name", "bound", "sum", "product", "power"})
"""What terms of the kernel are made of: a function of such a name would be taken for the sum, the power or the number itself."""

CALLED = frozenset({*FUNCTIONS, *ALIASES, *BINDERS}) - UNTYPED
"""What a statement may call besides what is declared."""
MEANT = frozenset({*FUNCTIONS, *ALIASES, *BINDERS, *CONSTANTS, *WORDS, *HEADS})
"""What no function can be called."""


def free_to_declare(name: str, is_called: bool = False) -> None:
    """That a name can be declared: as a variable or a plain name, or as a function.

    Raises:
        ParseError: it is no name, or has a meaning already.
    """
    has = "has a meaning already, and " if name in CONSTANTS | WORDS else ""
    if has or not re.fullmatch(r"[A-Za-z]\w*", name, re.ASCII):
        raise ParseError(f"{name} {has}cannot be the name of anything here")
    if is_called and name in MEANT:
        raise ParseError(f"{name} has a meaning already: give the definition another name")
