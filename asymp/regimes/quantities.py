"""The quantities in which a regime can be written, and paths on which a statement may fail, as the kernel is told them.

>>> from asymp.language.statement import read_statement
>>> list(places(read_statement("1/n -> 0 as n -> oo")))
[{'scales': {'n_': 'n'}, 'values': {'n': 'n_'}}]
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from asymp.kernel.growths.regime import moving, names_in
from asymp.kernel.terms import Refused
from asymp.language.conditions import Compared, Grows, Tends
from asymp.language.statement import Statement
from asymp.language.syntax import words
from asymp.regimes.names import runner_of
from asymp.regimes.paths import path

Place = dict[str, Any]


def places(statement: Statement, asked: Statement | None = None) -> Iterator[Place]:
    """The quantities of a regime, as the kernel is told them: the one variable that tends to infinity, or what the engine finds.

    ``asked``: the statement of which the engine reads the regime, if it is another one.
    """
    if runner := lone(statement):
        yield {"scales": {f"{runner}_": runner}, "values": {runner: f"{runner}_"}}
        return
    from asymp.regimes import engine  # SymPy is for these alone

    yield from engine.places(statement, statement if asked is None else asked)


def paths(statement: Statement) -> Iterator[dict[str, str]]:
    """Paths of a regime with values of the parameters, in the runner."""
    runner, variable = runner_of(statement), lone(statement)
    if variable and names_in(statement) == {variable}:
        yield {variable: runner}
        return
    from asymp.regimes import engine

    yield from engine.paths(statement, runner)
    if len(moving(statement)) > 1:  # as slowly as the conditions let it
        with contextlib.suppress(Refused):
            slow = path(statement, slow=True)
            if slow["runner"] == runner:
                yield slow["values"]


def lone(statement: Statement) -> str:
    """The variable that tends to infinity, where nothing else moves; empty where there is another, or it tends elsewhere."""
    moves = [c for c in statement.regime if isinstance(c, (Tends, Grows)) or (isinstance(c, Compared) and "=" in c.signs)]
    if len(moves) == 1 and isinstance(moves[0], Tends) and moves[0].term.kind == "name" and words(moves[0].target) == "oo":
        return moves[0].term.text
    return ""
