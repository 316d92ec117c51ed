"""What theories from outside propose: theorems for a statement, made by their rules.

A theory is a module that an entry point of the group ``asymp.theories`` names: its rules (:func:`asymp.kernel.theorem.rule`), and
``propose(statement, holds)``, which applies them.  It is asked where nothing else has found a theorem.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import lru_cache

from asymp.kernel.terms import Refused
from asymp.kernel.theorem import Theorem, proves
from asymp.language.statement import Statement
from asymp.outside import HOUSE, Unusable, entries

Propose = Callable[[Statement, bool], Theorem]


@lru_cache(maxsize=1)
def proposers() -> tuple[tuple[str, Propose], ...]:
    """The functions ``propose`` of the theories that have one, by the names of these."""
    found: list[tuple[str, Propose]] = []
    others = [entry for entry in entries("theories") if entry.package != HOUSE]
    if others:
        importlib.import_module("asymp.kernel.records")  # which registers all rules
    for entry in others:
        try:
            propose = getattr(entry.load(), "propose", None)
        except Unusable:  # records has said so
            continue
        if callable(propose):
            found.append((entry.label, propose))
    return tuple(found)


def proposed(statement: Statement, holds: bool) -> Theorem:
    """A theorem that a theory from outside proposes.

    Raises:
        Refused: none does.
    """
    why = "no theory from outside"
    for label, propose in proposers():
        try:
            found = propose(statement, holds)
        except Refused as error:
            why = str(error)
        except Exception as error:  # of somebody else's code
            why = f"{label} raised {type(error).__name__}: {error}"
        else:
            if proves(found, statement, holds):
                return found
            why = f"{label} proposed another statement"
    raise Refused(why)
