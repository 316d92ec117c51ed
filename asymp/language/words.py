"""The names that have a meaning in the language itself, whatever functions there are."""

from __future__ import annotations

from asymp.language.syntax import BINDERS, RESERVED

CONSTANTS = frozenset({"pi", "E", "EulerGamma", "oo"})
WORDS = frozenset(
    "e I O o Theta Omega omega for in as is and if iff some all whole real integer function".split()
)  # fmt: skip
"""Words of the language, and letters that are read as no name."""
HEADS = frozenset({"number", "name", "bound", "sum", "product", "power"})
"""What terms of the kernel are made of: a function of such a name would be taken for the sum, the power or the number itself."""
OWN = frozenset({*CONSTANTS, *WORDS, *HEADS, *BINDERS, *RESERVED, "AtMost", "below", "above"})
"""All of them, and what the kernel writes for a while in place of something else: no function of a table is called so."""
