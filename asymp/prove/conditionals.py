"""Search for theorems of conditionals: each way by itself, by its contrapositive where that is seen at once.

>>> from asymp.language.statement import read_statement
>>> from asymp.prove.claims import theorem
>>> theorem(read_statement("lambda < c*mu iff lambda/(c*mu) < 1 for lambda > 0, mu > 0, c > 0"), True)
⊢ lambda < c*mu iff lambda/(c*mu) < 1 for lambda > 0, mu > 0, c > 0
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any

from asymp.kernel.sequences.conditional import turned, ways
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import Theorem, apply
from asymp.language.bodies import Comparison
from asymp.language.conditions import OPPOSITES, Compared
from asymp.language.statement import Statement, read_statement
from asymp.prove import first

Prover = Callable[[Statement], Theorem]


def holds(statement: Statement, prove: Prover, short: Prover) -> Theorem:
    """A theorem that a conditional holds.

    Args:
        statement: the conditional.
        prove: a search for the theorem of a way.
        short: one that does not take long, for contrapositives.

    Raises:
        Refused: none is found.
    """
    statement = read_statement(str(statement))  # with its conditions in the order in which the rule reads them
    found = [_way(one, statement, prove, short) for one in ways(statement)]
    premises = [premise for _, some in found for premise in some]
    return apply("conditional", premises, statement=str(statement), turned=[opposite for opposite, _ in found])


def fails(statement: Statement, refute: Prover) -> Theorem:
    """A theorem that a conditional fails.

    Raises:
        Refused: none is found.
    """
    found = first((partial(refute, one) for one in ways(statement)), "no way is seen to fail")
    return apply("conditional", [found], statement=str(statement), turned=[])


Shown = tuple[list[Any] | None, list[Theorem]]
"""How a way is turned, and its premises."""


def _way(one: Statement, whole: Statement, prove: Prover, short: Prover) -> Shown:
    given = [k for k, c in enumerate(one.domain) if c not in whole.domain]
    for k in given:
        for signs in _choices(one, k):
            with contextlib.suppress(Refused):
                return [k, list(signs)], [short(part) for part in turned(one, k, signs)]
    return None, [prove(read_statement(str(one)))]


def _choices(one: Statement, k: int) -> Iterator[tuple[str, ...]]:
    """The signs that may stand for that of the k-th condition, one for each way in which the comparison fails."""
    given = one.domain[k]
    if isinstance(one.body, Comparison) and isinstance(given, Compared) and len(one.body.chain.signs) == len(given.signs) == 1:
        yield from product(OPPOSITES[given.signs[0]], repeat=len(OPPOSITES[one.body.chain.signs[0]]))
