"""Names that a statement does not have, for what a certificate adds to it."""

from __future__ import annotations

from collections.abc import Iterable

from asymp.kernel.growths.regime import names_in
from asymp.language.statement import Statement


def unused(statement: Statement, letters: Iterable[str], last: str) -> str:
    """The first letter that is no name of a statement."""
    return next((letter for letter in letters if letter not in names_in(statement)), last)


def runner_of(statement: Statement) -> str:
    """The whole number by which a path of a refutation is numbered."""
    return unused(statement, ("k", "m", "r"), "s_")
